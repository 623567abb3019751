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
  /// The run's glyphs are turned in vertical lines.
  package var isSideways: Bool
  /// The distance by which glyphs are lowered, in font units: on their side, to stand in the middle of a line with a
  /// central baseline; made subscripts or superscripts, to stand where these do.
  package var lowering: Int32 = 0
  /// The factor by which the glyphs of a horizontal stretch in a vertical line are narrowed to fit its em
  /// (`text-combine-upright`).
  package var compression: Float = 1
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

/// A glyph; advance and offsets in font units, along the line and towards its over side (upwards). In a right-to-left run too, glyphs stand in logical order of their clusters;
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

/// Flags of a cluster. Public because nothing less is inlined into layout's loops.
@frozen public struct ClusterFlags: OptionSet, Sendable, Hashable {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  // Concrete, so that hot loops elsewhere do not go through the protocol's witnesses.
  @inlinable public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  @inlinable public func isDisjoint(with other: Self) -> Bool { rawValue & other.rawValue == 0 }
  @inlinable public mutating func formUnion(_ other: Self) { rawValue |= other.rawValue }
  @inlinable public func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }
  @inlinable public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  @inlinable public static func | (a: Self, b: Self) -> Self { Self(rawValue: a.rawValue | b.rawValue) }
  /// A line may break before this cluster (UAX #14 after CSS tailoring), wrapping permitting.
  @inlinable public static var breakBefore: Self { Self(rawValue: 1 << 0) }
  /// A line must break before this cluster (it follows a forced break).
  @inlinable public static var mandatoryBreakBefore: Self { Self(rawValue: 1 << 1) }
  /// The break before shows a hyphen: after U+00AD, or found by hyphenation.
  @inlinable public static var hyphenBreakBefore: Self { Self(rawValue: 1 << 2) }
  /// The cluster starts a grapheme cluster (UAX #29): `overflow-wrap` may break here.
  @inlinable public static var graphemeStart: Self { Self(rawValue: 1 << 3) }
  /// HarfBuzz marks a break here as unsafe: both sides have to be shaped again.
  @inlinable public static var unsafeToBreakBefore: Self { Self(rawValue: 1 << 4) }
  /// A U+0020, or a space that hangs or vanishes at a line's end.
  @inlinable public static var space: Self { Self(rawValue: 1 << 5) }
  /// A word separator that `word-spacing` and justification widen (CSS Text 3, section 8.1).
  @inlinable public static var wordSeparator: Self { Self(rawValue: 1 << 6) }
  /// A preserved tab.
  @inlinable public static var tab: Self { Self(rawValue: 1 << 7) }
  /// An ideograph, kana or full-width mark: justification may widen the gap after it.
  @inlinable public static var ideographic: Self { Self(rawValue: 1 << 8) }
  /// U+FFFC of an atomic inline, or a forced break: no glyph is drawn.
  @inlinable public static var object: Self { Self(rawValue: 1 << 9) }
  /// A control or default ignorable with no glyph and no width.
  @inlinable public static var ignorable: Self { Self(rawValue: 1 << 10) }
  /// A letter or number of a script that joins its letters: no letter-spacing between.
  @inlinable public static var cursive: Self { Self(rawValue: 1 << 11) }
  /// No face has all of the cluster: it is shown as a box, or without its marks.
  @inlinable public static var missingGlyph: Self { Self(rawValue: 1 << 12) }
  /// The hyphen break came from automatic hyphenation, not from U+00AD.
  @inlinable public static var automaticHyphen: Self { Self(rawValue: 1 << 13) }
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
  /// Full-width marks and clusters with gaps after them, where `text-spacing-trim` and `text-autospace` ask for it.
  package var spaced: [SpacedCluster] = []
  /// Resolved paragraph embedding level, 0 or 1.
  package var baseLevel: UInt8 = 0
  /// The writing mode of the lines that the text was shaped for.
  package var writingMode = WritingMode.horizontalTB

  package init() {}

  /// Bytes allocated.
  package var byteCount: Int {
    runs.capacity * MemoryLayout<ShapedRun>.stride + glyphs.capacity * MemoryLayout<ShapedGlyph>.stride
      + clusters.capacity * MemoryLayout<Cluster>.stride + spaced.capacity * MemoryLayout<SpacedCluster>.stride
  }

  package var clusterCount: Int { Swift.max(0, clusters.count - 1) }

  package mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    glyphs.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    spaced.removeAll(keepingCapacity: true)
    baseLevel = 0
  }
}
