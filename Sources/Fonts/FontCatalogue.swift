import CHarfBuzz
import Platform
import Primitives
import Synchronization

/// The faces of the machine and of the folders named by the reader, and the rules that choose among them.
///
/// Immutable but for the configuration, which is loaded when a question comes that the index has no answer to.
final class FontCatalogue: Sendable {
  let index: FontIndex
  /// The machine's own fontconfig rules decide generic families: an explicit `FONTCONFIG_FILE`.
  let followsConfiguration: Bool
  /// Installed faces can be listed: fontconfig is there, or was when the index was made.
  let isAvailable: Bool
  private let directories: [String]
  private let usesSystemFonts: Bool
  private let configuration: Lock<FontConfiguration?>

  init(directories: [String], usesSystemFonts: Bool) {
    self.directories = directories
    self.usesSystemFonts = usesSystemFonts
    followsConfiguration = usesSystemFonts && FontIndexStore.namesConfiguration
    guard usesSystemFonts || !directories.isEmpty else {
      index = FontIndex([])
      isAvailable = true
      configuration = Lock(nil)
      return
    }
    let store = FontIndexStore(directories: directories, usesSystemFonts: usesSystemFonts)
    if let kept = store.load() {
      index = kept
      isAvailable = true
      configuration = Lock(nil)
      return
    }
    var listing = FontListing()
    let loaded = FontConfiguration(directories: directories, usesSystemFonts: usesSystemFonts)
    if let loaded {
      listing = Self.listing(
        of: loaded, directories: directories, usesSystemFonts: usesSystemFonts, isDeciding: followsConfiguration)
    }
    isAvailable = loaded != nil || FontConfiguration.isInstalled
    let bytes = FontIndexWriter.bytes(of: listing)
    index = FontIndex(bytes)
    if loaded != nil { store.save(bytes, madeFrom: listing.stamps) }
    configuration = Lock(loaded)
  }

  /// Asks the configuration itself, which is loaded at the first question.
  private func ask(_ question: @Sendable (FontConfiguration) -> [String]) -> [String] {
    configuration.withLock { held in
      if held == nil { held = FontConfiguration(directories: directories, usesSystemFonts: usesSystemFonts) }
      return held.map(question) ?? []
    }
  }

  /// Other families that the machine's configuration declares to be the same as, or to replace, a family.
  func configuredAliases(of family: String) -> [String] {
    guard usesSystemFonts else { return [] }
    return index.aliases(of: Self.fold(family)) ?? ask { $0.aliases(of: family) }
  }

  /// The family fontconfig would try first for the alias of a generic family.
  func configuredFamily(for generic: String) -> String? {
    if let kept = index.preferredFamily(for: generic) { return kept }
    return ask { $0.sortedFamilies(for: generic, language: nil) }.first
  }

  /// The families fontconfig would try in a language, best first.
  func configuredFamilies(language: String?) -> [String] { ask { $0.sortedFamilies(for: nil, language: language) } }

  /// Of the files of all faces, and of the machine's rules.
  var digest: UInt64 {
    var hasher = StableHasher()
    func combine(_ path: String) {
      hasher.combine(path)
      FileStamp(of: path)?.hash(into: &hasher)
    }
    var last = ""
    for face in index.faces {
      // The faces of a collection come one after the other.
      let path = face.path
      if path != last { combine(path) }
      last = path
      hasher.combine(face.faceIndex)
    }
    hasher.combine(followsConfiguration)
    for path in index.configurationFiles { combine(path) }
    return hasher.value
  }

  /// Names are compared without case (CSS Fonts 4, section 5.1).
  static func fold(_ name: String) -> String {
    let trimmed = name.utf8.drop { $0 == 0x20 || $0 == 0x40 }
    guard let last = trimmed.lastIndex(where: { $0 != 0x20 }) else { return "" }
    return Substring(trimmed[...last]).lowercased()
  }

  // MARK: Making an index

  /// All that the index answers, asked of fontconfig at once.
  private static func listing(
    of configuration: FontConfiguration, directories: [String], usesSystemFonts: Bool, isDeciding: Bool
  ) -> FontListing {
    var listing = FontListing()
    (listing.faces, listing.instances) = configuration.list()
    listing.stamps = FontIndexStore.stamps(
      of: configuration, directories: directories, usesSystemFonts: usesSystemFonts)
    guard usesSystemFonts else { return listing }
    listing.configurationFiles = configuration.files
    let rules = FontRules(files: listing.configurationFiles)
    listing.matchesPartsOfNames = rules.matchesPartsOfNames
    // No rule mentions the private character, so that its answer is that for all names that none mentions.
    listing.aliases[""] = configuration.aliases(of: "\u{F8FF}")
    for name in rules.names { listing.aliases[name] = configuration.aliases(of: name) }
    if isDeciding {
      for generic in Set(GenericFamily.allCases.map(FontLibrary.fontconfigName)) {
        listing.preferred[generic] = configuration.sortedFamilies(for: generic, language: nil).first
      }
    }
    return listing
  }
}

/// Rules of fontconfig, read from their text without applying them.
struct FontRules {
  /// Folded texts that rules mention, family names among them, each with its blanks and without: fontconfig compares names
  /// without regard to blanks.
  private(set) var names = Set<String>()
  /// A rule looks at parts of names, so that which names it means cannot be listed.
  private(set) var matchesPartsOfNames = false

  init(files: [String]) {
    for file in files {
      let text = Self.contents(of: file)
      if text.contains("\"contains\"") || text.contains("\"not_contains\"") { matchesPartsOfNames = true }
      for element in ["string", "family"] { addContents(of: element, in: text) }
    }
  }

  private static func contents(of path: String) -> String {
    guard let blob = HarfBuzzBlob(path: path) else { return "" }
    return String(decoding: blob.bytes)
  }

  private mutating func addContents(of element: String, in text: String) {
    var rest = Substring(text)
    while let start = rest.firstRange(of: "<\(element)>") {
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: "<") else { return }
      let name = FontCatalogue.fold(PredefinedEntities.resolved(in: rest[..<end]))
      names.insert(name)
      names.insert(name.filter { $0 != " " })
      rest = rest[end...]
    }
    names.remove("")
  }
}
