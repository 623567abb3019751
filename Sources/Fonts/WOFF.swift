import CDeflate
import CFreeType
import Primitives

/// WOFF 1 and 2 (W3C recommendations): unpacked into the sfnt they hold.
enum WOFF {
  /// The most bytes a packed font may unpack to.
  static let maximumSize = 128 << 20

  static func isCompressed(_ bytes: Span<UInt8>) -> Bool {
    let signature = SfntDirectory.word(bytes, 0)
    return signature == UInt32(tag: "wOFF") || signature == UInt32(tag: "wOF2")
  }

  /// The sfnt inside.
  static func unpack(_ bytes: Span<UInt8>) throws(FontError) -> [UInt8] {
    // totalSfntSize stands at the same place in both headers.
    guard Int(SfntDirectory.word(bytes, 16)) <= maximumSize else {
      throw .invalid("the packed font claims to be too large")
    }
    if SfntDirectory.word(bytes, 0) == UInt32(tag: "wOFF") { return try WOFF1(bytes).unpack(bytes) }
    guard let sfnt = unpackByFreeType(bytes) else { throw .invalid("the packed font is damaged") }
    return sfnt
  }

  private static func unpackByFreeType(_ bytes: Span<UInt8>) -> [UInt8]? {
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0, let library = unsafe library else { return nil }
    defer { unsafe FT_Done_FreeType(library) }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var face: FT_Face?
      let error = unsafe FT_New_Memory_Face(library, bytes.baseAddress, FT_Long(bytes.count), 0, &face)
      guard error == 0, let face = unsafe face else { return nil }
      defer { unsafe FT_Done_Face(face) }
      var length: FT_ULong = 0
      guard unsafe FT_Load_Sfnt_Table(face, 0, 0, nil, &length) == 0, length >= 12, Int(length) <= maximumSize else {
        return nil
      }
      var sfnt = [UInt8](repeating: 0, count: Int(length))
      return unsafe FT_Load_Sfnt_Table(face, 0, 0, &sfnt, &length) == 0 ? sfnt : nil
    }
  }
}

/// A WOFF 1 file (WOFF File Format 1.0, sections 3 to 5).
///
/// Files in use differ in whether the header's length counts the padding behind the last block, and servers pad files: only
/// the tables have to lie in the file. Metadata and private data are not read.
private struct WOFF1 {
  private struct Table {
    var tag: UInt32
    /// Of the packed bytes, in the file.
    var offset: Int
    var packedLength: Int
    var length: Int
    var checksum: UInt32
    /// Its place in the sfnt.
    var place = 0
  }

  /// The version of the sfnt.
  private let flavor: UInt32
  private var tables: [Table] = []
  /// Of the sfnt.
  private let size: Int

  init(_ bytes: Span<UInt8>) throws(FontError) {
    let count = Int(SfntDirectory.half(bytes, 12))
    let directoryEnd = 44 + count * 20
    guard count > 0, directoryEnd <= bytes.count else { throw .invalid("the packed font's table directory is cut off") }
    flavor = SfntDirectory.word(bytes, 4)
    guard flavor != UInt32(tag: "wOFF"), flavor != UInt32(tag: "ttcf") else {
      throw .invalid("the packed font holds no single font")
    }
    let length = Int(SfntDirectory.word(bytes, 8))
    guard
      Self.padded(length) == Self.padded(bytes.count)
        || length <= bytes.count && (length..<bytes.count).allSatisfy({ bytes[$0] == 0 })
    else {
      throw .invalid("the packed font is cut off, or something follows it")
    }
    var size = 12 + count * 16
    for index in 0..<count {
      let record = 44 + index * 20
      tables.append(
        Table(
          tag: SfntDirectory.word(bytes, record), offset: Int(SfntDirectory.word(bytes, record + 4)),
          packedLength: Int(SfntDirectory.word(bytes, record + 8)), length: Int(SfntDirectory.word(bytes, record + 12)),
          checksum: SfntDirectory.word(bytes, record + 16)))
    }
    // The tables of an sfnt stand in the order of their tags.
    tables.sort { $0.tag < $1.tag }
    for (index, table) in tables.enumerated() {
      guard index == 0 || tables[index - 1].tag != table.tag else {
        throw .invalid("the packed font has a table twice")
      }
      guard table.offset >= directoryEnd, table.offset <= bytes.count,
        table.packedLength <= bytes.count - table.offset
      else { throw .invalid("a table of the packed font lies outside the file") }
      // DEFLATE packs no tighter, and what it does not make smaller is stored.
      guard table.packedLength <= table.length, table.length / 1032 <= table.packedLength else {
        throw .invalid("a table of the packed font lies about its length")
      }
      tables[index].place = size
      size += Self.padded(table.length)
      guard size <= WOFF.maximumSize else { throw .invalid("the packed font claims to be too large") }
    }
    self.size = size
    // Tables that share bytes would unpack without measure.
    var end = directoryEnd
    for table in tables.sorted(by: { ($0.offset, $0.packedLength) < ($1.offset, $1.packedLength) }) {
      guard table.offset >= end else { throw .invalid("tables of the packed font overlap") }
      end = table.offset + table.packedLength
    }
  }

  /// - Parameter bytes: The file.
  func unpack(_ bytes: Span<UInt8>) throws(FontError) -> [UInt8] {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
      throw .invalid("the packed font cannot be unpacked")
    }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var sfnt = [UInt8](repeating: 0, count: size)
    writeDirectory(to: &sfnt)
    for table in tables {
      let packed = bytes.extracting(table.offset..<table.offset + table.packedLength)
      let isUnpacked = unsafe packed.withUnsafeBytes { packed in
        unsafe sfnt.withUnsafeMutableBytes { sfnt in
          let target = unsafe UnsafeMutableRawBufferPointer(rebasing: sfnt[table.place..<table.place + table.length])
          if packed.count == target.count {
            unsafe target.copyMemory(from: packed)
            return true
          }
          return unsafe libdeflate_zlib_decompress(
            decompressor, packed.baseAddress, packed.count, target.baseAddress, target.count, nil) == LIBDEFLATE_SUCCESS
        }
      }
      guard isUnpacked else { throw .invalid("a table of the packed font is damaged") }
    }
    return sfnt
  }

  /// The header and the table directory of the sfnt.
  private func writeDirectory(to sfnt: inout [UInt8]) {
    let selector = Int.bitWidth - 1 - tables.count.leadingZeroBitCount
    let range = 16 << selector
    sfnt.write(bigEndian: flavor, at: 0)
    sfnt.write(bigEndian: UInt32(tables.count) << 16 | UInt32(truncatingIfNeeded: range & 0xFFFF), at: 4)
    sfnt.write(
      bigEndian: UInt32(selector) << 16 | UInt32(truncatingIfNeeded: (tables.count * 16 - range) & 0xFFFF), at: 8)
    for (index, table) in tables.enumerated() {
      let record = 12 + index * 16
      sfnt.write(bigEndian: table.tag, at: record)
      sfnt.write(bigEndian: table.checksum, at: record + 4)
      sfnt.write(bigEndian: UInt32(table.place), at: record + 8)
      sfnt.write(bigEndian: UInt32(table.length), at: record + 12)
    }
  }

  private static func padded(_ length: Int) -> Int { (length + 3) & ~3 }
}
