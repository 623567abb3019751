import CFreeType
import Fonts
import Graphics
import Platform
import Primitives

/// An instance of FreeType; it must outlive its faces.
@safe final class FreeType {
  let library: FT_Library

  init?() {
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0, let library = unsafe library else { return nil }
    unsafe self.library = unsafe library
  }

  deinit { unsafe FT_Done_FreeType(library) }
}

/// The FreeType faces of one worker, over the same memory that HarfBuzz shapes with.
final class GlyphFaces {
  /// One opened face and the size that is set on it.
  @safe final class Entry {
    let face: FontFace
    let handle: FT_Face
    fileprivate(set) var size: Int = 0
    /// The colours of the face's layers and paints; nil when it has none.
    let palette: UnsafeMutablePointer<FT_Color>?
    let paletteCount: Int
    /// Glyphs that are graphs of paints; nil when the face has none.
    let paints: PaintTable?

    private let freeType: FreeType

    fileprivate init(face: FontFace, handle: FT_Face, freeType: FreeType) {
      self.face = face
      unsafe self.handle = unsafe handle
      self.freeType = freeType
      var data = unsafe FT_Palette_Data()
      var colors: UnsafeMutablePointer<FT_Color>?
      if face.isColor, unsafe FT_Palette_Data_Get(handle, &data) == 0,
        unsafe FT_Palette_Select(handle, FT_UShort(clamping: face.paletteNumber), &colors) == 0,
        let colors = unsafe colors
      {
        paletteCount = unsafe Int(data.num_palette_entries)
        for override in face.palette.overrides where override.entry < paletteCount {
          let color = override.color
          unsafe colors[override.entry] = FT_Color(
            blue: color.blue, green: color.green, red: color.red, alpha: color.alpha)
        }
      } else {
        paletteCount = 0
      }
      unsafe palette = unsafe colors
      paints = face.colorPaints.flatMap { PaintTable($0) }
    }

    /// The glyph is a graph of paints.
    func hasPaint(_ glyph: UInt16) -> Bool { paints?.paint(of: Int(glyph)) != nil }

    deinit { unsafe FT_Done_Face(handle) }
  }

  private let freeType = FreeType()
  private let fonts: FontLibrary
  private var entries: [FontID: Entry?] = [:]

  init(fonts: FontLibrary) { self.fonts = fonts }

  /// The face of an id, opened at its first use; `nil` when FreeType refuses it.
  func entry(_ id: FontID) -> Entry? {
    if let known = entries[id] { return known }
    let made = open(id)
    entries[id] = .some(made)
    return made
  }

  private func open(_ id: FontID) -> Entry? {
    guard let freeType, let face = fonts.face(id) else { return nil }
    var handle: FT_Face?
    let file = face.file
    // The entry keeps the face, and with it the file's memory.
    let error = unsafe file.bytes.withUnsafeBufferPointer {
      unsafe FT_New_Memory_Face(
        freeType.library, $0.baseAddress, FT_Long($0.count), FT_Long(face.faceIndex), &handle)
    }
    guard error == 0, let handle = unsafe handle else { return nil }
    if !face.variationCoordinates.isEmpty {
      var coordinates = face.variationCoordinates.map { FT_Fixed(($0 * 65536).rounded()) }
      _ = unsafe FT_Set_Var_Design_Coordinates(handle, FT_UInt(coordinates.count), &coordinates)
    }
    return unsafe Entry(face: face, handle: handle, freeType: freeType)
  }

  /// Makes a size, in 1/64 device pixels per em, current on a face.
  func setSize(_ size: Int, of entry: Entry) -> Bool {
    if entry.size == size { return true }
    guard unsafe FT_Set_Char_Size(entry.handle, FT_F26Dot6(size), FT_F26Dot6(size), 72, 72) == 0 else { return false }
    entry.size = size
    return true
  }

  /// The outline of a glyph at the size last set, with the face's synthetic styles; valid until the next glyph is loaded.
  func outline(_ glyph: UInt16, of entry: Entry) -> UnsafeMutablePointer<FT_Outline>? {
    guard unsafe FT_Load_Glyph(entry.handle, FT_UInt(glyph), FT_Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) == 0,
      let slot = unsafe entry.handle.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return nil }
    let outline = unsafe Self.outlinePointer(slot)
    if entry.face.isSyntheticBold {
      let strength = FT_Pos(entry.size / 28)
      unsafe FT_Outline_Embolden(outline, strength)
      // The thickening is shared between both sides, so that the glyph stays centred on its advance.
      unsafe FT_Outline_Translate(outline, -strength / 2, -strength / 2)
    }
    if entry.face.isSyntheticOblique {
      let angle = Swift.max(-60, Swift.min(60, Double(entry.face.syntheticSlant)))
      let slope = FT_Fixed((tan(angle * .pi / 180) * 0x10000).rounded())
      var shear = FT_Matrix(xx: 0x10000, xy: slope, yx: 0, yy: 0x10000)
      unsafe FT_Outline_Transform(outline, &shear)
    }
    return unsafe outline
  }

  static func outlinePointer(_ slot: FT_GlyphSlot) -> UnsafeMutablePointer<FT_Outline> {
    let offset = unsafe MemoryLayout<FT_GlyphSlotRec_>.offset(of: \FT_GlyphSlotRec_.outline)!
    return unsafe (UnsafeMutableRawPointer(slot) + offset).assumingMemoryBound(to: FT_Outline.self)
  }

  /// Rasterises an outline into zeroed memory of the given size with 256 levels.
  func rasterise(
    _ outline: UnsafeMutablePointer<FT_Outline>, into memory: UnsafeMutablePointer<UInt8>, width: Int, height: Int,
    pitch: Int
  )
    -> Bool
  {
    var bitmap = unsafe FT_Bitmap()
    unsafe bitmap.width = UInt32(width)
    unsafe bitmap.rows = UInt32(height)
    unsafe bitmap.pitch = Int32(pitch)
    unsafe bitmap.buffer = unsafe memory
    unsafe bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
    unsafe bitmap.num_grays = 256
    return unsafe FT_Outline_Get_Bitmap(freeType?.library, outline, &bitmap) == 0
  }

  /// A glyph with colours of its own: a strike's picture, or painted layers; `nil` when it has none. The size is in 1/64
  /// device pixels per em, like the strikes' own.
  ///
  /// - Parameter foreground: The text's colour; its alpha holds for the whole picture.
  func colorGlyph(_ glyph: UInt16, of entry: Entry, size: Int, foreground: Color) -> ColorGlyph? {
    let handle = unsafe entry.handle
    if let paints = entry.paints,
      let picture = unsafe ColorGlyphPaint.picture(
        glyph, of: handle, paints, size: size,
        palette: UnsafeBufferPointer(start: entry.palette, count: entry.paletteCount),
        foreground: foreground)
    {
      return picture
    }
    _ = unsafe FT_Palette_Set_Foreground_Color(
      handle, FT_Color(blue: foreground.blue, green: foreground.green, red: foreground.red, alpha: 255))
    var scale = 1.0
    // A face may have outlines beside its pictures.
    if unsafe handle.pointee.num_fixed_sizes > 0 {
      // The smallest strike that need not be enlarged, else the largest.
      var best: Int32 = 0
      let strikes = unsafe handle.pointee.available_sizes!
      for index in unsafe 1..<Swift.max(1, handle.pointee.num_fixed_sizes) {
        let ppem = unsafe Int(strikes[Int(index)].y_ppem)
        let known = unsafe Int(strikes[Int(best)].y_ppem)
        if ppem >= size ? (known < size || ppem < known) : (known < size && ppem > known) { best = index }
      }
      guard unsafe FT_Select_Size(handle, best) == 0 else { return nil }
      entry.size = 0
      scale = unsafe Double(size) / Double(Swift.max(1, strikes[Int(best)].y_ppem))
    } else if !setSize(size, of: entry) {
      return nil
    }
    guard unsafe FT_Load_Glyph(handle, FT_UInt(glyph), FT_Int32(FT_LOAD_COLOR | FT_LOAD_NO_HINTING)) == 0,
      let slot = unsafe handle.pointee.glyph
    else { return nil }
    if unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE, unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0 {
      return nil
    }
    let source = unsafe slot.pointee.bitmap
    guard unsafe source.pixel_mode == UInt8(FT_PIXEL_MODE_BGRA.rawValue), let buffer = unsafe source.buffer,
      unsafe source.width > 0,
      unsafe source.rows > 0, unsafe source.width <= 2048, unsafe source.rows <= 2048
    else { return nil }
    let width = unsafe Int(source.width)
    let bitmap = unsafe Bitmap(width: width, height: Int(source.rows)) { out in
      for row in unsafe 0..<Int(source.rows) {
        unsafe memcpy(out.baseAddress! + row * width * 4, buffer + row * Int(source.pitch), width * 4)
      }
    }
    return unsafe ColorGlyph(
      bitmap: bitmap, left: Double(slot.pointee.bitmap_left) * scale, top: Double(slot.pointee.bitmap_top) * scale,
      scale: scale)
  }
}

/// The picture of a glyph and where it lies from the origin, in device pixels, y upwards.
struct ColorGlyph {
  var bitmap: Bitmap
  var left: Double
  var top: Double
  var scale: Double
}
