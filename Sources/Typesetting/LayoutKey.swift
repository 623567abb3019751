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
    /// Lengths in units of layout: the page's size, then the margins from the top on clockwise.
    var lengths: [Int32]
    var pageDesign: Int
    /// Style sheets may ask for it (`resolution`). Numbers with a point are kept as their bits, which any form of file can hold.
    var scale: UInt64
    var fontSize: UInt32
    var lineHeight: UInt32?
    var fontFamily: [String]
    var serif: String?
    var sans: String?
    var mono: String?
    var publisherStyles: Bool
    var userStyleSheet: String?
    var style: String
    var notes: String
    var hyphenate: String
    var hyphenationExceptions: String
    var hyphenatesCapitals: Bool
    var justify: String
    var reducesStops: Bool
    var baselineGrid: Bool
    var characterGrid: Bool
    var columns: Int
    var balancesPages: Bool
    var compose: String
    var micro: String
    var media: String
    var fontDirectories: [String]
    var usesSystemFonts: Bool
    var limits: [Int]

    init(_ settings: TypesettingSettings) {
      lengths = [
        settings.pageSize.width, settings.pageSize.height, settings.marginTop, settings.marginRight,
        settings.marginBottom, settings.marginLeft,
      ].map(\.rawValue)
      pageDesign = settings.pageDesign.rawValue
      scale = settings.scale.bitPattern
      fontSize = settings.fontSize.bitPattern
      lineHeight = settings.lineHeight?.bitPattern
      fontFamily = settings.fontFamily
      serif = settings.serif
      sans = settings.sans
      mono = settings.mono
      publisherStyles = settings.publisherStyles
      userStyleSheet = settings.userStyleSheet.map { LayoutKey.digest(of: $0) }
      style = settings.style.rawValue
      notes = settings.notes.rawValue
      hyphenate = settings.hyphenate.rawValue
      hyphenationExceptions = LayoutKey.digest(of: settings.hyphenationExceptions)
      hyphenatesCapitals = settings.hyphenatesCapitals
      justify = settings.justify.rawValue
      reducesStops = settings.reducesStops
      baselineGrid = settings.baselineGrid
      characterGrid = settings.characterGrid
      columns = settings.columns
      balancesPages = settings.balancesPages
      compose = settings.compose.rawValue
      micro = settings.micro.rawValue
      media = settings.media.rawValue
      fontDirectories = settings.fontDirectories
      usesSystemFonts = settings.usesSystemFonts
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
    for length in lengths { hasher.combine(Int(length)) }
    for limit in limits { hasher.combine(limit) }
    for flag in [
      publisherStyles, hyphenatesCapitals, reducesStops, baselineGrid,
      characterGrid, balancesPages, usesSystemFonts,
    ] { hasher.combine(flag) }
    hasher.combine(scale)
    hasher.combine(fontSize)
    hasher.combine(lineHeight ?? .max)
    hasher.combine(columns)
    hasher.combine(pageDesign)
    for text in [style, notes, hyphenate, hyphenationExceptions, justify, compose, micro, media] {
      hasher.combine(text)
    }
    for text in [serif, sans, mono, userStyleSheet] {
      hasher.combine(text != nil)
      hasher.combine(text ?? "")
    }
    for list in [fontFamily, fontDirectories] {
      hasher.combine(list.count)
      for text in list { hasher.combine(text) }
    }
  }
}
