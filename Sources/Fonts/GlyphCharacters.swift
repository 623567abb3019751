import Platform

/// The characters of a face by glyph, for text that is known by its glyphs alone.
struct GlyphCharacters: Sendable {
  private let scalars: [UInt16: UInt32]

  /// Of several characters with one glyph the first counts, compatibility characters after all others.
  init(_ face: FontFace) {
    var scalars: [UInt16: UInt32] = [:]
    func isCompatible(_ scalar: UInt32) -> Bool {
      switch scalar {
      case 0x2E80...0x2FDF, 0xE000...0xF8FF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0x2F800...0x2FA1F: true
      default: false
      }
    }
    face.forEachMapping { range, first in
      for (offset, scalar) in range.enumerated() {
        let glyph = UInt16(truncatingIfNeeded: first + UInt32(offset))
        if let known = scalars[glyph], !isCompatible(known) || isCompatible(scalar) { continue }
        scalars[glyph] = scalar
      }
    }
    self.scalars = scalars
  }

  subscript(glyph: UInt16) -> Unicode.Scalar? { scalars[glyph].flatMap { Unicode.Scalar($0) } }
}
