import CZlib
import Markup
import Primitives

/// A ZIP archive whose directory is lost or displaced: its entries are found by their local headers.
///
/// Used when libzip refuses an archive, for example one that was cut off or has bytes before its beginning.
final class ScannedZipContainer: Container {
  private struct Entry: Sendable {
    var method: UInt16
    var flags: UInt16
    var start: Int
    /// Packed size; nil when it stands only after the data.
    var packed: Int?
  }

  private let bytes: [UInt8]
  private let entries: [Entry]
  private let index: EntryIndex

  var paths: [String] { index.paths }

  /// Nil when there is no entry at all.
  init?(bytes: [UInt8]) {
    self.bytes = bytes
    var names: [String?] = []
    var legacy: [Int: [UInt8]] = [:]
    var entries: [Entry] = []
    var position = 0
    while entries.count < 100_000, let header = Self.nextHeader(in: bytes, from: position) {
      let nameLength = Int(Self.word(bytes, header + 26))
      let extraLength = Int(Self.word(bytes, header + 28))
      let nameEnd = header + 30 + nameLength
      let start = nameEnd + extraLength
      guard start <= bytes.count else { break }
      let flags = Self.word(bytes, header + 6)
      let packed = Int(Self.double(bytes, header + 18))
      let isStreamed = flags & 8 != 0 && packed == 0
      let name = bytes[header + 30..<nameEnd]
      legacy[entries.count] = ZipContainer.legacyBytes(name)
      names.append(ZipContainer.decodeName(name))
      entries.append(
        Entry(method: Self.word(bytes, header + 8), flags: flags, start: start, packed: isStreamed ? nil : packed))
      position = isStreamed ? start : max(start, min(start + packed, bytes.count))
    }
    guard !entries.isEmpty else { return nil }
    self.entries = entries
    index = EntryIndex(names: names, bytes: legacy)
  }

  func contains(_ path: String) -> Bool { index.find(path) != nil }

  func size(of path: String) -> ContainerEntrySize? {
    guard let position = index.find(path) else { return nil }
    let packed = entries[position].packed ?? 0
    return ContainerEntrySize(unpacked: packed * (entries[position].method == 0 ? 1 : 3), packed: packed)
  }

  /// The archive's own bytes: what its headers say is not to be trusted.
  func combineContents(into hasher: inout StableHasher, limit: Int) { hasher.combine(bytes) }

  func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let position = index.find(path) else { throw .missing }
    let entry = entries[position]
    if entry.flags & 1 != 0 { throw .encrypted }
    let end = min(entry.packed.map { entry.start + $0 } ?? bytes.count, bytes.count)
    let isCut = entry.packed.map { entry.start + $0 > bytes.count } ?? false
    switch entry.method {
    case 0:
      guard end - entry.start <= limit else { throw .tooLarge(limit) }
      return ContainerEntry(bytes: Array(bytes[entry.start..<end]), damage: isCut ? "the archive was cut off" : nil)
    case 8:
      return try inflate(bytes[entry.start..<end], limit: limit)
    default:
      throw .unreadable("packed with an unknown method (\(entry.method))")
    }
  }

  private func inflate(_ packed: ArraySlice<UInt8>, limit: Int) throws(ContainerError) -> ContainerEntry {
    var output: [UInt8] = []
    var failure: ContainerError?
    var damage: String?
    unsafe packed.withUnsafeBufferPointer { input in
      var stream = unsafe z_stream()
      guard let base = input.baseAddress, unsafe czlib_inflate_raw_init(&stream) == Z_OK else {
        failure = .unreadable("the file is empty")
        return
      }
      defer { unsafe inflateEnd(&stream) }
      // zlib does not write through the pointer.
      unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: base)
      unsafe stream.avail_in = UInt32(clamping: input.count)
      var status = Z_OK
      while status == Z_OK {
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          unsafe stream.next_out = buffer.baseAddress
          unsafe stream.avail_out = UInt32(buffer.count)
          status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          count = unsafe buffer.count - Int(stream.avail_out)
        }
        output += piece
        if output.count > limit {
          failure = .tooLarge(limit)
          return
        }
        if piece.isEmpty, status == Z_OK { break }
      }
      if status != Z_STREAM_END { damage = "the packed data are damaged or cut off" }
    }
    if let failure { throw failure }
    if output.isEmpty, let damage { throw .unreadable(damage) }
    return ContainerEntry(bytes: output, damage: damage)
  }

  private static func nextHeader(in bytes: [UInt8], from start: Int) -> Int? {
    let bytes = bytes.span
    var index = start
    while index + 30 <= bytes.count {
      if bytes.littleEndian(at: index, as: UInt32.self) == 0x0403_4B50 { return index }
      index += 1
    }
    return nil
  }

  private static func word(_ bytes: [UInt8], _ index: Int) -> UInt16 {
    UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
  }
  private static func double(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    UInt32(word(bytes, index)) | UInt32(word(bytes, index + 2)) << 16
  }
}
