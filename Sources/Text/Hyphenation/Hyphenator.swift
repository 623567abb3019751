import Platform
import Primitives

/// Finds the patterns of languages, and makes of them what divides words. Belongs to one thread, while the dictionaries are
/// shared.
package final class Hyphenator {
  /// A language's patterns and the reader's own words.
  struct Language {
    var dictionary: HyphenationDictionary
    var tag: String
    var exceptions: [[UInt16]: [Int]]
  }

  private let directories: [String]
  private let exceptions: HyphenationExceptions
  private let dividesCapitals: Bool
  private var files: [String: String]?
  /// nil for languages without patterns.
  private var languages: [Language?] = []
  private var languageIDs: [String: Int] = [:]
  /// The dividers made so far, few in a book.
  private var dividers: [(dictionary: Int, limits: SIMD3<UInt8>, divider: WordDivider)] = []

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
    if let found = languageIDs[language] {
      id = found
    } else {
      id = languages.count
      languages.append(load(language))
      languageIDs[language] = id
    }
    return languages[id] == nil ? nil : id
  }

  /// The divider of a language's words, one for equal arguments.
  ///
  /// - Parameters:
  ///   - dictionary: From `dictionary(for:)`.
  ///   - limits: `hyphenate-limit-chars`: characters of the word, before and after the break; 0 is `auto` (5, 2, 2 or
  ///     the language's own minima).
  package func divider(dictionary: Int, limits: SIMD3<UInt8> = .zero) -> WordDivider? {
    if let known = dividers.first(where: { $0.dictionary == dictionary && $0.limits == limits }) {
      return known.divider
    }
    guard languages.indices.contains(dictionary), let language = languages[dictionary] else { return nil }
    let made = WordDivider(language, limits: limits, dividesCapitals: dividesCapitals)
    dividers.append((dictionary, limits, made))
    return made
  }

  private func load(_ language: String) -> Language? {
    guard let path = path(for: language), let loaded = HyphenationDictionary.shared(path: path) else { return nil }
    return Language(dictionary: loaded, tag: language, exceptions: exceptions.words(for: language))
  }

  /// Languages whose bare tag means a certain dictionary among several.
  private static let preferred = [
    "en": "en_us", "de": "de_de", "pt": "pt_pt", "es": "es", "fr": "fr", "no": "nb_no", "nb": "nb_no", "nn": "nn_no",
    "sr": "sr", "mn": "mn", "el": "el_gr",
  ]

  /// The languages that the system has patterns for, as BCP 47 tags in lower case, in alphabetical order.
  package static var installedLanguages: [String] {
    Hyphenator().list().keys.map { $0.split(separator: "_").joined(separator: "-") }.sorted()
  }

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
