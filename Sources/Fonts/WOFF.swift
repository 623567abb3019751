import CFreeType

/// WOFF 1 and 2 (W3C recommendations): unpacked by FreeType into the sfnt they hold.
enum WOFF {
  /// The most bytes a packed font may unpack to.
  static let maximumSize = 128 << 20

  static func isCompressed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let signature = SfntDirectory.word(bytes, 0)
    return signature == SfntDirectory.tag("wOFF") || signature == SfntDirectory.tag("wOF2")
  }

  /// The sfnt inside. The caller owns the memory.
  static func unpack(_ bytes: UnsafeRawBufferPointer) throws(FontError) -> UnsafeMutableRawBufferPointer {
    // totalSfntSize stands at the same place in both headers.
    guard Int(SfntDirectory.word(bytes, 16)) <= maximumSize else {
      throw .invalid("the packed font claims to be too large")
    }
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0, let library else { throw .invalid("the packed font cannot be unpacked") }
    defer { FT_Done_FreeType(library) }
    var face: FT_Face?
    let error = FT_New_Memory_Face(
      library, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), FT_Long(bytes.count), 0, &face)
    guard error == 0, let face else { throw .invalid("the packed font is damaged") }
    defer { FT_Done_Face(face) }
    var length: FT_ULong = 0
    guard FT_Load_Sfnt_Table(face, 0, 0, nil, &length) == 0, length >= 12, Int(length) <= maximumSize else {
      throw .invalid("the packed font is damaged")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(length), alignment: 16)
    guard FT_Load_Sfnt_Table(face, 0, 0, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &length) == 0 else {
      buffer.deallocate()
      throw .invalid("the packed font is damaged")
    }
    return buffer
  }
}
