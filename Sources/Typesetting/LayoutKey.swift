import ChapterEngine
import Fonts
import Graphics
import Primitives
import Publications
import Styling
import Text

/// All that the pages of a book depend on: a saved page directory holds only where all of it is the same.
///
/// Digests stand for what is large. They are of names, sizes and times of change where that is what a machine knows of its
/// files without reading them.
public struct LayoutKey: Hashable, Sendable, Codable {
  /// The sources that the engine was built from.
  var engine: String
  /// By name: the versions of the libraries that text, fonts and markup go through, as they are at run time.
  var libraries: [String: String]
  /// The sheets that the engine brings.
  var userAgentSheets: String
  var settings: Settings
  /// The book's files: what chapters, style sheets, fonts and pictures are in them.
  var book: String
  /// The faces there are, and the rules by which they are chosen.
  var fonts: String
  /// The files of hyphenation patterns there are.
  var hyphenation: String

  /// Those of the settings that pages depend on: all but the colours of the theme.
  struct Settings: Hashable, Sendable, Codable {
    /// By the names of the settings; long texts by their digests. The scale is among them: style sheets may ask for it
    /// (`resolution`).
    var values: [String: SettingValue]
    var limits: [Int]

    init(_ settings: TypesettingSettings) {
      let values = TypesettingSettings.table.compactMap { setting -> (String, SettingValue)? in
        var value = setting.value(settings)
        if case .text(let text) = value, text.utf8.count > 64 { value = .text(LayoutKey.digest(of: text)) }
        return value == .none ? nil : (setting.name, value)
      }
      self.values = Dictionary(uniqueKeysWithValues: values)
      let limits = settings.limits
      self.limits = [
        limits.bytesPerEntry, limits.bytesPerText, limits.depth, limits.nodes, limits.imagePixels, limits.styleSheets,
        limits.importDepth, limits.pagesPerChapter, limits.spineItems, limits.tableSpan,
      ]
    }
  }
}

extension LayoutKey {
  init(_ book: Publication, _ settings: TypesettingSettings, fonts: FontLibrary) {
    self.init(book, settings, fontSet: Self.digits(fonts.digest))
  }

  private init(_ book: Publication, _ settings: TypesettingSettings, fontSet: String) {
    engine = EngineVersion.build
    libraries = Dictionary(
      EngineVersion.libraries.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    userAgentSheets = Self.digits(UserAgentSheet.digest)
    self.settings = Settings(settings)
    self.book = Self.digits(book.contentDigest)
    self.fonts = fontSet
    hyphenation = Self.digits(Hyphenator.digest)
  }

  /// The key holds for a book under settings. The faces of the machine, which take longest to be listed, are asked for
  /// only where all else is equal.
  func holds(for book: Publication, _ settings: TypesettingSettings, fonts: FontLibrary) -> Bool {
    self == LayoutKey(book, settings, fontSet: self.fonts) && self.fonts == Self.digits(fonts.digest)
  }

  fileprivate static func digest(of text: String) -> String {
    var hasher = StableHasher()
    hasher.combine(text)
    return digits(hasher.value)
  }

  private static func digits(_ value: UInt64) -> String { String(value, radix: 16) }
}

extension LayoutKey: CustomStringConvertible {
  /// A short name of the key: equal keys have equal names.
  public var description: String {
    var hasher = StableHasher()
    for text in [engine, userAgentSheets, book, fonts, hyphenation] { hasher.combine(text) }
    for library in libraries.sorted(by: { $0.key < $1.key }) {
      hasher.combine(library.key)
      hasher.combine(library.value)
    }
    settings.combine(into: &hasher)
    return Self.digits(hasher.value)
  }
}

extension LayoutKey.Settings {
  fileprivate func combine(into hasher: inout StableHasher) {
    for limit in limits { hasher.combine(limit) }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      hasher.combine(name)
      value.combine(into: &hasher)
    }
  }
}

extension SettingValue {
  fileprivate func combine(into hasher: inout StableHasher) {
    switch self {
    case .none: hasher.combine(0)
    case .flag(let flag): hasher.combine(flag)
    case .number(let number): hasher.combine(number.bitPattern)
    case .text(let text): hasher.combine(text)
    case .numbers(let numbers):
      hasher.combine(numbers.count)
      for number in numbers { hasher.combine(number.bitPattern) }
    case .texts(let texts):
      hasher.combine(texts.count)
      for text in texts { hasher.combine(text) }
    }
  }
}
