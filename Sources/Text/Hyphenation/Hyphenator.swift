import Platform
import Primitives

/// Finds where words may be hyphenated, by language. Keeps the words it has divided; belongs to one thread, while the
/// dictionaries are shared.
package final class Hyphenator {
  private enum Entry {
    case missing
    case loaded(HyphenationDictionary, language: String, exceptions: [[UInt16]: [Int]])
  }

  /// A dictionary and `hyphenate-limit-chars`.
  private struct Rules: Equatable {
    var dictionary: Int
    var limits: SIMD3<UInt8>
  }

  private let directories: [String]
  private let exceptions: HyphenationExceptions
  private let dividesCapitals: Bool
  private var files: [String: String]?
  private var entries: [Entry] = []
  private var entryIDs: [String: Int] = [:]
  /// The rules met so far, few in a book, and the words divided by each.
  private var rules: [Rules] = []
  private var words: [DividedWords] = []

  /// - Parameters:
  ///   - directories: Where `hyph_*.dic` files are; the system's folders when nil.
  ///   - dividesCapitals: Words in capitals only are divided, too.
  package init(
    directories: [String]? = nil, exceptions: HyphenationExceptions = HyphenationExceptions(),
    dividesCapitals: Bool = false
  ) {
    self.exceptions = exceptions
    self.dividesCapitals = dividesCapitals
    self.directories = directories ?? Self.systemDirectories
  }

  private static let systemDirectories = ["/usr/share/hyphen", "/usr/share/myspell/dicts", "/usr/share/hunspell"]

  /// Of the pattern files that the system has: their paths, sizes and times of change.
  package static var digest: UInt64 {
    var hasher = StableHasher()
    for (language, path) in Hyphenator().list().sorted(by: { $0.key < $1.key }) {
      hasher.combine(language)
      hasher.combine(path)
      FileStamp(of: path)?.hash(into: &hasher)
    }
    return hasher.value
  }

  /// A language's dictionary, opened when first asked for; nil when the system has none.
  ///
  /// - Parameter language: A BCP 47 tag. Region and script are dropped as far as needed to find a dictionary.
  package func dictionary(for language: String) -> Int? {
    let id: Int
    if let found = entryIDs[language] {
      id = found
    } else {
      id = entries.count
      entries.append(load(language))
      entryIDs[language] = id
    }
    if case .missing = entries[id] { return nil }
    return id
  }

  /// The offsets in the word, in units, before which it may be divided.
  ///
  /// - Parameters:
  ///   - dictionary: From `dictionary(for:)`.
  ///   - limits: `hyphenate-limit-chars`: characters of the word, before and after the break; 0 is `auto` (5, 2, 2 or
  ///     the language's own minima).
  package func points(
    in word: UnsafeBufferPointer<UInt16>, dictionary: Int, limits: SIMD3<UInt8> = .zero
  ) -> HyphenationPoints {
    let minimum = limits.x == 0 ? 5 : Int(limits.x)
    guard word.count >= minimum, word.count <= Self.longestWord, dictionary < entries.count else {
      return HyphenationPoints()
    }
    let index = position(of: Rules(dictionary: dictionary, limits: limits))
    return unsafe words[index].points(in: word) { unsafe divide($0, dictionary, limits) }
  }

  /// The units of the longest word that is divided.
  package static let longestWord = 96

  @inline(__always)
  private func position(of rules: Rules) -> Int {
    for index in self.rules.indices where self.rules[index] == rules { return index }
    self.rules.append(rules)
    words.append(DividedWords())
    return words.count - 1
  }

  private func divide(
    _ word: UnsafeBufferPointer<UInt16>, _ dictionary: Int, _ limits: SIMD3<UInt8>
  ) -> HyphenationPoints {
    var points = HyphenationPoints()
    guard case .loaded(let patterns, let language, let exceptions) = entries[dictionary],
      unsafe dividesCapitals || !isAllCapitals(word)
    else { return points }
    var lower: [UInt16] = []
    unsafe CaseMapping.map(word, to: .lower, language: language, into: &lower)
    if !exceptions.isEmpty, let places = exceptions[lower] {
      for place in places where place >= Int(limits.y) && place + Int(limits.z) <= word.count { points.insert(place) }
    } else if lower.count == word.count {
      points = patterns.points(
        in: lower, minimumBefore: limits.y == 0 ? patterns.minimumBefore : Int(limits.y),
        minimumAfter: limits.z == 0 ? patterns.minimumAfter : Int(limits.z))
    }
    return points
  }

  /// Every letter is a capital: an acronym, which is not divided.
  private func isAllCapitals(_ word: UnsafeBufferPointer<UInt16>) -> Bool {
    var index = 0
    while index < word.count {
      let (scalar, length) = unsafe UTF16Text.scalar(word, at: index)
      let category = CharacterProperties(scalar).category
      if category.isLetter, category != .uppercaseLetter { return false }
      index += length
    }
    return true
  }

  private func load(_ language: String) -> Entry {
    guard let path = path(for: language), let loaded = HyphenationDictionary.shared(path: path) else { return .missing }
    return .loaded(loaded, language: language, exceptions: exceptions.words(for: language))
  }

  /// Languages whose bare tag means a certain dictionary among several.
  private static let preferred = [
    "en": "en_us", "de": "de_de", "pt": "pt_pt", "es": "es", "fr": "fr", "no": "nb_no", "nb": "nb_no", "nn": "nn_no",
    "sr": "sr", "mn": "mn", "el": "el_gr",
  ]

  func path(for language: String) -> String? {
    let files = files ?? list()
    self.files = files
    var parts = language.lowercased().split(separator: "-").map(String.init)
    guard let primary = parts.first, !primary.isEmpty else { return nil }
    // The full tag first, then without its last subtags; scripts never are part of a dictionary's name but Serbian's.
    while parts.count > 1 {
      if let path = files[parts.joined(separator: "_")] { return path }
      if parts.count > 2, let path = files[parts[0] + "_" + parts[parts.count - 1]] { return path }
      parts.removeLast()
    }
    if let preferred = Self.preferred[primary], let path = files[preferred] { return path }
    if let path = files[primary] ?? files["\(primary)_\(primary)"] { return path }
    let others = files.keys.filter { $0.hasPrefix(primary + "_") }.sorted()
    return others.first.flatMap { files[$0] }
  }

  /// The dictionaries found, by their language in lower case with underscores.
  private func list() -> [String: String] {
    var found: [String: String] = [:]
    for directory in directories {
      guard let stream = unsafe opendir(directory) else { continue }
      defer { unsafe closedir(stream) }
      while let entry = unsafe readdir(stream) {
        let name = unsafe FilePath.name(of: entry)
        guard name.hasPrefix("hyph_"), name.hasSuffix(".dic") else { continue }
        let key = name.dropFirst(5).dropLast(4).lowercased().split(separator: "-").joined(separator: "_")
        let path = directory + "/" + name
        if found[key] == nil { found[key] = path }
      }
    }
    return found
  }
}
