import CFreeType
package import Fonts
package import Graphics
import Platform
package import Primitives
import Synchronization

/// Glyphs as shapes and pictures instead of masks, for who draws display lists by other means. Safe to share.
package final class GlyphShapes: Sendable {
  /// A step of an outline; in ems, downwards from the baseline, where it is read here.
  package enum Step: Sendable {
    case move(SIMD2<Double>)
    case line(SIMD2<Double>)
    case quadratic(SIMD2<Double>, SIMD2<Double>)
    case cubic(SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)
  }

  /// FreeType's units (1/64 px) of an em that outlines are read at.
  fileprivate static let em = 4096 << 6

  private let faces: Lock<GlyphFaces>

  package init(fonts: FontLibrary) { faces = Lock(GlyphFaces(fonts: fonts)) }

  /// The outline of a glyph with the synthetic styles of its face; empty for a glyph without ink, nil for a font that is not
  /// known.
  package func outline(of glyph: UInt16, in font: FontID) -> [Step]? {
    faces.withLock { faces -> [Step]? in
      guard let entry = faces.entry(font), faces.setSize(Self.em, of: entry) else { return nil }
      guard let outline = unsafe faces.outline(glyph, of: entry) else { return [] }
      return unsafe Self.steps(of: outline)
    }
  }

  /// The picture of a glyph that has colours of its own, in premultiplied pixels; nil for one that has an outline only.
  ///
  /// - Parameters:
  ///   - pixelsPerEm: The size to choose or draw the picture for.
  ///   - foreground: The colour of parts that have the text's.
  /// - Returns: The picture, and the rectangle in ems that it fills, from the origin, downwards.
  package func picture(
    of glyph: UInt16, in font: FontID, pixelsPerEm: Int, foreground: Color
  ) -> (bitmap: Bitmap, origin: SIMD2<Double>, size: SIMD2<Double>)? {
    faces.withLock { faces in
      guard let entry = faces.entry(font), entry.face.isColor || entry.paints != nil,
        let picture = faces.colorGlyph(glyph, of: entry, size: pixelsPerEm << 6, foreground: foreground)
      else { return nil }
      let em = Double(pixelsPerEm)
      return (
        picture.bitmap, SIMD2(picture.left, -picture.top) / em,
        SIMD2(Double(picture.bitmap.width), Double(picture.bitmap.height)) * picture.scale / em
      )
    }
  }

  fileprivate static func steps(of outline: UnsafeMutablePointer<FT_Outline>) -> [Step] {
    func point(_ place: SIMD2<Double>) -> SIMD2<Double> { SIMD2(place.x, -place.y) / Double(em) }
    var steps: [Step] = []
    unsafe OutlineDecomposition.forEach(of: outline) { step in
      switch step {
      case .move(let to): steps.append(.move(point(to)))
      case .line(let to): steps.append(.line(point(to)))
      case .quadratic(let control, let to): steps.append(.quadratic(point(control), point(to)))
      case .cubic(let first, let second, let to): steps.append(.cubic(point(first), point(second), point(to)))
      }
    }
    return steps
  }
}

/// A font program of its own, such as stands in a PDF file: its outlines by number and by character. Belongs to one thread at a
/// time.
@safe package final class FontProgram {
  private let freeType: FreeType
  private let handle: FT_Face
  /// The program, which FreeType reads as long as the face is open.
  private let memory: UnsafeMutableRawBufferPointer

  /// Fails for what FreeType cannot read.
  package init?(_ data: [UInt8]) {
    guard let freeType = FreeType() else { return nil }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(1, data.count), alignment: 16)
    unsafe memory.copyBytes(from: data)
    var handle: FT_Face?
    guard
      unsafe FT_New_Memory_Face(
        freeType.library, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), FT_Long(data.count), 0, &handle)
        == 0,
      let handle = unsafe handle
    else {
      unsafe memory.deallocate()
      return nil
    }
    self.freeType = freeType
    unsafe self.handle = unsafe handle
    unsafe self.memory = unsafe memory
    _ = unsafe FT_Select_Charmap(handle, FT_ENCODING_UNICODE)
    _ = unsafe FT_Set_Char_Size(handle, FT_F26Dot6(GlyphShapes.em), FT_F26Dot6(GlyphShapes.em), 72, 72)
  }

  deinit {
    unsafe FT_Done_Face(handle)
    unsafe memory.deallocate()
  }

  /// The number of the glyph of a character; 0 where there is none.
  package func glyph(of scalar: Unicode.Scalar) -> UInt32 {
    unsafe UInt32(FT_Get_Char_Index(handle, FT_ULong(scalar.value)))
  }

  /// The outline of a glyph; empty for one without ink.
  package func outline(of glyph: UInt32) -> [GlyphShapes.Step] {
    guard unsafe FT_Load_Glyph(handle, glyph, FT_Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) == 0,
      let slot = unsafe handle.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return [] }
    return unsafe GlyphShapes.steps(of: GlyphFaces.outlinePointer(slot))
  }
}
