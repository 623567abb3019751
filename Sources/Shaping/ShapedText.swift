package import Primitives

/// Glyphs of one face, script, direction and set of attributes. Cut only where shaping must change.
package struct ShapedRun: Sendable {
  package var font: FontID
  package var attributes: ShapingAttributesID
  /// Bidi embedding level (UAX #9); odd is right to left.
  package var level: UInt8
  /// ISO 15924 tag as HarfBuzz packs it.
  package var script: UInt32
  /// CSS px in one font unit: font size (with size-adjust and synthetic small caps) over units per em.
  package var scale: Float
  /// Font size in CSS px, as drawn.
  package var size: Float
  /// Whether the run's glyphs are turned clockwise in vertical lines.
  package var isSideways: Bool
  package var clusters: Range<Int>
  package var glyphs: Range<Int>

  package init(
    font: FontID, attributes: ShapingAttributesID, level: UInt8, script: UInt32, scale: Float, size: Float,
    isSideways: Bool,
    clusters: Range<Int>, glyphs: Range<Int>
  ) {
    self.font = font
    self.attributes = attributes
    self.level = level
    self.script = script
    self.scale = scale
    self.size = size
    self.isSideways = isSideways
    self.clusters = clusters
    self.glyphs = glyphs
  }
}

/// A glyph; advance and offsets in font units, y upwards. In a right-to-left run too, glyphs stand in logical order of their clusters;
/// inside a cluster in the shaper's visual order.
package struct ShapedGlyph: Sendable, Hashable {
  package var id: UInt16
  package var advance: Int32
  package var xOffset: Int32
  package var yOffset: Int32
  package init(id: UInt16, advance: Int32, xOffset: Int32, yOffset: Int32) {
    self.id = id
    self.advance = advance
    self.xOffset = xOffset
    self.yOffset = yOffset
  }
}

package struct ClusterFlags: OptionSet, Sendable, Hashable {
  package var rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  /// A line may break before this cluster (UAX #14 after CSS tailoring), wrapping permitting.
  package static let breakBefore = Self(rawValue: 1 << 0)
  /// A line must break before this cluster (it follows a forced break).
  package static let mandatoryBreakBefore = Self(rawValue: 1 << 1)
  /// The break before shows a hyphen: after U+00AD, or found by hyphenation.
  package static let hyphenBreakBefore = Self(rawValue: 1 << 2)
  /// The cluster starts a grapheme cluster (UAX #29): `overflow-wrap` may break here.
  package static let graphemeStart = Self(rawValue: 1 << 3)
  /// HarfBuzz marks a break here as unsafe: both sides have to be shaped again.
  package static let unsafeToBreakBefore = Self(rawValue: 1 << 4)
  /// A U+0020, or a space that hangs or vanishes at a line's end.
  package static let space = Self(rawValue: 1 << 5)
  /// A word separator that `word-spacing` and justification widen (CSS Text 3, section 8.1).
  package static let wordSeparator = Self(rawValue: 1 << 6)
  /// A preserved tab.
  package static let tab = Self(rawValue: 1 << 7)
  /// An ideograph, kana or full-width mark: justification may widen the gap after it.
  package static let ideographic = Self(rawValue: 1 << 8)
  /// U+FFFC of an atomic inline, or a forced break: no glyph is drawn.
  package static let object = Self(rawValue: 1 << 9)
  /// A control or default ignorable with no glyph and no width.
  package static let ignorable = Self(rawValue: 1 << 10)
  /// A letter or number of a script that joins its letters: no letter-spacing between.
  package static let cursive = Self(rawValue: 1 << 11)
  /// No face covers the cluster: `.notdef` is shown.
  package static let missingGlyph = Self(rawValue: 1 << 12)
  /// The hyphen break came from automatic hyphenation, not from U+00AD.
  package static let automaticHyphen = Self(rawValue: 1 << 13)
}

/// The smallest unit that layout may place: some text units and their glyphs.
package struct Cluster: Sendable, Hashable {
  /// First UTF-16 unit, counted from the start of the paragraph's text.
  package var text: UInt32
  /// First glyph; the glyphs reach to the next cluster's.
  package var glyph: UInt32
  /// Sum of the glyphs' advances in font units.
  package var advance: Int32
  package var flags: ClusterFlags
  package init(text: UInt32, glyph: UInt32, advance: Int32, flags: ClusterFlags) {
    self.text = text
    self.glyph = glyph
    self.advance = advance
    self.flags = flags
  }
}

/// The glyphs of one paragraph in logical order: a structure of arrays, advances in font units.
package struct ShapedText: Sendable {
  package var runs: [ShapedRun] = []
  package var glyphs: [ShapedGlyph] = []
  /// One entry more than there are clusters: the last one holds the ends.
  package var clusters: [Cluster] = []
  /// Resolved paragraph embedding level, 0 or 1.
  package var baseLevel: UInt8 = 0

  package init() {}

  package var clusterCount: Int { Swift.max(0, clusters.count - 1) }

  package mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    glyphs.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    baseLevel = 0
  }
}
