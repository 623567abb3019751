import CHarfBuzz
import Fonts
package import Text

/// Settings of the reader for shaping.
package struct ShapingSettings: Sendable, Hashable {
  package enum Hyphenation: UInt8, Hashable, Sendable {
    /// As the style says.
    case author
    /// Automatic wherever the language is known and `hyphens` is not `none`.
    case on
    /// Soft hyphens only.
    case off
  }

  /// CSS px of the root font size, which `FontSize` refers to.
  package var rootFontSize: Float
  package var hyphenation: Hyphenation
  /// Ideographs and kana stand in columns: no mark gives up its blank half, and what is between them fills whole ems.
  package var alignsToGrid: Bool
  /// A character that no font has is the glyph for missing characters of the style's first face, where that has ink: so browsers
  /// have it. Otherwise it is a box with its code point.
  package var showsMissingGlyphs = false

  package init(rootFontSize: Float = 16, hyphenation: Hyphenation = .author, alignsToGrid: Bool = false) {
    self.rootFontSize = rootFontSize
    self.hyphenation = hyphenation
    self.alignsToGrid = alignsToGrid
  }
}

/// Resources that a worker keeps from chapter to chapter: ICU's iterators, hyphenation dictionaries. Belongs to one
/// thread.
package final class ShapingResources {
  package let analyzer = TextAnalyzer()
  package let hyphenator: Hyphenator
  /// Kerning of pairs, by face, script, language and features.
  var pairTables: [PairTableKey: PairTable] = [:]
  let pairBuffer = GlyphBuffer()
  /// Faces are looked into when they are first met, and not when there is enough text of them for it to pay. Shapes are
  /// the same.
  let provesAtOnce: Bool
  /// The last first.
  private var stores: [ShapeStore] = []

  package init(hyphenator: Hyphenator = Hyphenator(), provesAtOnce: Bool = false) {
    self.hyphenator = hyphenator
    self.provesAtOnce = provesAtOnce
  }

  /// Bytes allocated, about: what is known of faces and pairs, and shapes of words.
  package var byteCount: Int {
    stores.reduce(0) { $0 + $1.byteCount } + pairTables.values.reduce(0) { $0 + $1.byteCount }
  }

  /// The store of shapers of these fonts.
  func store(for fonts: FontBook) -> ShapeStore {
    if let known = stores.first(where: { $0.fonts === fonts }) { return known }
    let made = ShapeStore(fonts: fonts)
    stores.insert(made, at: 0)
    // Most books have one set of `@font-face` rules.
    if stores.count > 4 { stores.removeLast() }
    return made
  }
}
