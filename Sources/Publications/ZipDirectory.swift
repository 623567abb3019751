import CDeflate
import Platform

/// The central directory of an ordinary ZIP archive (APPNOTE.TXT, sections 4.3.12 and 4.3.16): one part, no ZIP64, no archive
/// comment, nothing before the first entry, entries stored or packed with DEFLATE, none encrypted. Nearly all
/// books are such archives, and reading them needs no library to be loaded. Of any other archive there is no `ZipDirectory`, and of
/// an entry whose data are not what the directory says there are no bytes: libzip reads those.
final class ZipDirectory: Sendable {
  struct Entry: Sendable {
    /// The name's place among the bytes of the directory.
    var name: Range<Int>
    var isDeflated: Bool
    var checksum: UInt32
    var packed: Int
    var unpacked: Int
    /// The offset of the local header in the archive.
    var header: Int
    /// The entry is a symbolic link.
    var isLink: Bool
    /// The name is said to be in UTF-8.
    var isUnicode: Bool
  }

  /// What the archive is read from.
  private enum Archive {
    case file(Int32)
    case memory([UInt8])

    /// Bytes of the archive; nil where it ends before.
    func bytes(at offset: Int, count wanted: Int) -> [UInt8]? {
      guard case .file(let descriptor) = self else {
        guard case .memory(let bytes) = self, offset <= bytes.count, wanted <= bytes.count - offset else { return nil }
        return Array(bytes[offset..<offset + wanted])
      }
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        while count < wanted, let base = buffer.baseAddress {
          let got = unsafe pread(descriptor, base + count, wanted - count, off_t(offset + count))
          if got < 0, errno == EINTR { continue }
          if got <= 0 { break }
          count += got
        }
      }
      return bytes.count == wanted ? bytes : nil
    }
  }

  let entries: [Entry]
  private let bytes: [UInt8]
  private let archive: Archive

  private static let endSize = 22
  private static let headerSize = 46
  private static let localSize = 30
  /// Bytes of directory that are read.
  private static let greatestSize = 64 << 20

  /// Opens the archive in a file; nil for any but an ordinary one.
  init?(file: String) {
    guard let (descriptor, size) = try? SystemFile.openRegular(file) else { return nil }
    guard let (bytes, entries) = Self.read(.file(descriptor), size: size) else {
      close(descriptor)
      return nil
    }
    archive = .file(descriptor)
    self.bytes = bytes
    self.entries = entries
  }

  /// Opens an archive in memory; nil for any but an ordinary one.
  init?(archive contents: [UInt8]) {
    guard let (bytes, entries) = Self.read(.memory(contents), size: contents.count) else { return nil }
    archive = .memory(contents)
    self.bytes = bytes
    self.entries = entries
  }

  deinit { if case .file(let descriptor) = archive { close(descriptor) } }

  /// The name of an entry as it is spelt in the archive.
  func name(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.name] }

  /// The bytes of an entry; nil where they are not those of the directory's size and checksum.
  func contents(of entry: Entry) -> [UInt8]? {
    guard let local = archive.bytes(at: entry.header, count: Self.localSize),
      Self.long(local, 0) == 0x0403_4B50
    else { return nil }
    let start = entry.header + Self.localSize + Self.short(local, 26) + Self.short(local, 28)
    guard let packed = archive.bytes(at: start, count: entry.packed) else { return nil }
    let contents = entry.isDeflated ? Deflate.unpacked(packed, count: entry.unpacked) : packed
    guard let contents, contents.count == entry.unpacked, Deflate.checksum(contents) == entry.checksum else {
      return nil
    }
    return contents
  }

  private static func read(_ archive: Archive, size whole: Int) -> (bytes: [UInt8], entries: [Entry])? {
    let end = whole - endSize
    guard end > 0, let record = archive.bytes(at: end, count: endSize), long(record, 0) == 0x0605_4B50,
      short(record, 4) == 0, short(record, 6) == 0, short(record, 8) == short(record, 10), short(record, 20) == 0
    else { return nil }
    let count = short(record, 10)
    let size = long(record, 12)
    let start = long(record, 16)
    guard count < 0xFFFF, size <= greatestSize, start + size == end,
      let bytes = archive.bytes(at: start, count: size)
    else { return nil }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    var at = 0
    for _ in 0..<count {
      guard let entry = entry(in: bytes, at: &at, before: start) else { return nil }
      entries.append(entry)
    }
    return at == size ? (bytes, entries) : nil
  }

  /// The entry whose header begins at a place, which is moved behind it; nil where it is out of the ordinary.
  private static func entry(in bytes: [UInt8], at place: inout Int, before end: Int) -> Entry? {
    guard place + headerSize <= bytes.count, long(bytes, place) == 0x0201_4B50 else { return nil }
    let nameStart = place + headerSize
    let nameEnd = nameStart + short(bytes, place + 28)
    let extraEnd = nameEnd + short(bytes, place + 30)
    let method = short(bytes, place + 10)
    let next = extraEnd + short(bytes, place + 32)
    let isEncrypted = short(bytes, place + 8) & 0x2041 != 0
    guard next <= bytes.count, !isEncrypted, method == 0 || method == 8, short(bytes, place + 34) == 0,
      hasOrdinaryExtras(bytes, nameEnd..<extraEnd), nameEnd > nameStart, !bytes[nameStart..<nameEnd].contains(0)
    else { return nil }
    let unicodeName = unicodeName(in: bytes, nameEnd..<extraEnd, for: nameStart..<nameEnd)
    let entry = Entry(
      name: unicodeName ?? nameStart..<nameEnd, isDeflated: method == 8, checksum: UInt32(long(bytes, place + 16)),
      packed: long(bytes, place + 20), unpacked: long(bytes, place + 24), header: long(bytes, place + 42),
      // Made on Unix, and of the kind of a link.
      isLink: short(bytes, place + 4) >> 8 == 3 && short(bytes, place + 40) & 0xF000 == 0xA000,
      isUnicode: unicodeName != nil || short(bytes, place + 8) & 0x800 != 0)
    // DEFLATE packs no tighter, so the directory cannot ask for more room than the archive's own size allows.
    let isPossible = entry.isDeflated ? entry.unpacked / 1032 <= entry.packed : entry.unpacked == entry.packed
    guard isPossible, entry.header + localSize + entry.packed <= end else { return nil }
    place = next
    return entry
  }

  /// The name in UTF-8 in Info-ZIP's extra field (APPNOTE.TXT, section 4.6.9), where that is of the name in the header.
  private static func unicodeName(in bytes: [UInt8], _ range: Range<Int>, for name: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    while at + 4 <= range.upperBound {
      let end = at + 4 + short(bytes, at + 2)
      if short(bytes, at) == 0x7075, end > at + 9, end <= range.upperBound, bytes[at + 4] == 1,
        UInt32(long(bytes, at + 5)) == Deflate.checksum(Array(bytes[name])), !bytes[at + 9..<end].contains(0)
      {
        return at + 9..<end
      }
      at = end
    }
    return nil
  }

  /// No extra field tells another size or encryption: ZIP64, AES.
  private static func hasOrdinaryExtras(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    while at < range.upperBound {
      guard at + 4 <= range.upperBound, ![0x0001, 0x9901].contains(short(bytes, at)) else {
        return false
      }
      at += 4 + short(bytes, at + 2)
    }
    return at == range.upperBound
  }

  private static func short(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
  private static func long(_ bytes: [UInt8], _ at: Int) -> Int { short(bytes, at) | short(bytes, at + 2) << 16 }
}

/// DEFLATE and its checksum, by libdeflate.
enum Deflate {
  /// Data of which the unpacked size is known; nil where they are damaged or of another size.
  static func unpacked(_ packed: [UInt8], count size: Int) -> [UInt8]? {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let result = unsafe libdeflate_deflate_decompress(
        decompressor, packed, packed.count, buffer.baseAddress, size, &count)
      isWhole = result == LIBDEFLATE_SUCCESS && count == size
      if result != LIBDEFLATE_SUCCESS { count = 0 }
    }
    return isWhole ? bytes : nil
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }
}
