package import Primitives

/// The text of an element `text` of a drawing, shaped: px, y downwards, but glyphs in units of their faces, y upwards.
package struct ShapedDrawingText: Sendable {
  package struct Cluster: Sendable {
    /// First UTF-16 unit, counted from the start of the text.
    package var unit: Int
    /// Letter and word spacing included.
    package var advance: Float
    /// Bidi embedding level.
    package var level: UInt8
    /// Positions in `glyphs`.
    package var glyphs: Range<Int>
    package var face: Face

    package init(unit: Int, advance: Float, level: UInt8, glyphs: Range<Int>, face: Face) {
      self.unit = unit
      self.advance = advance
      self.level = level
      self.glyphs = glyphs
      self.face = face
    }
  }

  /// A face at a size.
  package struct Face: Sendable, Hashable {
    package var font: FontID
    package var size: Float
    /// Px in a unit of the face.
    package var scale: Float
    /// Px that glyphs lean to the right in each px of height, by a style that the face lacks.
    package var lean: Float = 0
    /// How far the face reaches above and below the baseline, and the height of its small letters.
    package var ascent: Float
    package var descent: Float
    package var xHeight: Float

    package init(
      font: FontID, size: Float, scale: Float, lean: Float = 0, ascent: Float, descent: Float, xHeight: Float
    ) {
      self.font = font
      self.size = size
      self.scale = scale
      self.lean = lean
      self.ascent = ascent
      self.descent = descent
      self.xHeight = xHeight
    }
  }

  package struct Glyph: Sendable, Hashable {
    package var id: UInt16
    /// From the start of its cluster.
    package var origin: SIMD2<Float>

    package init(id: UInt16, origin: SIMD2<Float>) {
      self.id = id
      self.origin = origin
    }
  }

  /// In visual order.
  package var clusters: [Cluster] = []
  package var glyphs: [Glyph] = []

  package init() {}

  /// The first glyph of a cluster; 0 without any.
  func firstGlyph(of cluster: Cluster) -> UInt16 {
    cluster.glyphs.isEmpty ? 0 : glyphs[cluster.glyphs.lowerBound].id
  }
}
