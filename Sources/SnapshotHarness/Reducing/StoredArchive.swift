import CZlib
import Primitives

/// A ZIP archive whose files are stored as they are: what an EPUB is packed in (OCF 3.3, section 4.2). Cases are small, and a reader
/// sees their text in any editor.
enum StoredArchive {
  /// - Parameter files: in order; an EPUB's `mimetype` goes first.
  static func bytes(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let name = Array(file.name.utf8)
      let offset = UInt32(archive.count)
      let sum = unsafe file.bytes.withUnsafeBufferPointer {
        unsafe UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count))
      }
      var fields: [UInt8] = []
      // Version 2.0, names in UTF-8, stored; the first day that the format knows, so that equal cases are equal bytes.
      for value in [20, 0x800, 0, 0, 0x21] as [UInt16] { append(value, to: &fields) }
      for value in [sum, UInt32(file.bytes.count), UInt32(file.bytes.count)] { append(value, to: &fields) }
      append(UInt16(name.count), to: &fields)
      append(UInt16(0), to: &fields)
      append(0x0403_4B50 as UInt32, to: &archive)
      archive += fields + name + file.bytes
      append(0x0201_4B50 as UInt32, to: &directory)
      append(20 as UInt16, to: &directory)
      directory += fields
      for value in [0, 0, 0] as [UInt16] { append(value, to: &directory) }
      append(0 as UInt32, to: &directory)
      append(offset, to: &directory)
      directory += name
    }
    let start = UInt32(archive.count)
    archive += directory
    append(0x0605_4B50 as UInt32, to: &archive)
    for value in [0, 0, UInt16(files.count), UInt16(files.count)] as [UInt16] { append(value, to: &archive) }
    append(UInt32(directory.count), to: &archive)
    append(start, to: &archive)
    append(0 as UInt16, to: &archive)
    return archive
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: value)
  }
}
