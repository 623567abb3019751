import Markup
import Platform
package import Primitives
import Synchronization

/// A packed publication: a ZIP archive (EPUB 3.3, section 4.3), read by its directory where it is an ordinary one, and through
/// libzip where it is not.
package final class ZipContainer: Container {
  private struct Handle: @unchecked Sendable {
    /// Used only inside the lock.
    var archive: LibZipArchive?
    /// The archive to open when libzip is needed.
    var source: Source?

    /// libzip's archive, opened when it is first asked for.
    mutating func open() -> LibZipArchive? {
      if archive == nil {
        switch source {
        case .file(let path): archive = try? LibZipArchive(file: path)
        case .memory(let bytes): archive = try? LibZipArchive(bytes: bytes)
        case nil: break
        }
      }
      return archive
    }
  }

  private enum Source {
    case file(String)
    case memory([UInt8])
  }

  private let handle: Lock<Handle>
  /// The directory of an ordinary archive.
  private let directory: ZipDirectory?
  private let index: EntryIndex

  /// Packed bytes of all entries by the directory. More than the archive has means that entries share their data, as in
  /// an archive made to unpack without end.
  package let packedBytes: Int

  package var paths: [String] { index.paths }

  /// Opens an archive in a file; throws what libzip says when it is none.
  package convenience init(file: String) throws(ContainerError) {
    if let directory = ZipDirectory(file: file) {
      self.init(directory, .file(file))
      return
    }
    self.init(try LibZipArchive(file: file))
  }

  /// Opens an archive in memory.
  package convenience init(bytes: [UInt8]) throws(ContainerError) {
    if let directory = ZipDirectory(archive: bytes) {
      self.init(directory, .memory(bytes))
      return
    }
    self.init(try LibZipArchive(bytes: bytes))
  }

  private init(_ directory: ZipDirectory, _ source: Source) {
    var legacy: [Int: [UInt8]] = [:]
    let names = directory.entries.enumerated().map { position, entry -> String? in
      if entry.isLink { return nil }
      let bytes = directory.name(of: entry)
      if let name = Self.legacyBytes(bytes), !entry.isUnicode || String(validating: bytes, as: UTF8.self) == nil {
        legacy[position] = name
      }
      return Self.decodeName(bytes)
    }
    index = EntryIndex(names: names, bytes: legacy)
    packedBytes = directory.entries.reduce(0) { $0 + $1.packed }
    self.directory = directory
    handle = Lock(Handle(source: source))
  }

  private init(_ archive: LibZipArchive) {
    directory = nil
    let entries = 0..<archive.entryCount
    var legacy: [Int: [UInt8]] = [:]
    // Links are never followed.
    let names = entries.map { position -> String? in
      guard !archive.isLink(position), let name = archive.name(of: position) else { return nil }
      if let bytes = Self.legacyBytes(name[...]) { legacy[position] = bytes }
      return Self.decodeName(name[...])
    }
    index = EntryIndex(names: names, bytes: legacy)
    let packed = entries.reduce(0) { total, position in
      total.addingReportingOverflow(archive.status(of: position)?.packed ?? 0).partialValue
    }
    packedBytes = max(packed, 0)
    handle = Lock(Handle(archive: archive))
  }

  package func contains(_ path: String) -> Bool { index.find(path) != nil }

  package func size(of path: String) -> ContainerEntrySize? {
    guard let position = index.find(path) else { return nil }
    if let entry = directory?.entries[position] {
      return ContainerEntrySize(unpacked: entry.unpacked, packed: entry.packed)
    }
    return handle.withLock { handle in
      guard let status = handle.archive?.status(of: position) else { return nil }
      let unpacked = status.size ?? 0
      return ContainerEntrySize(unpacked: unpacked, packed: status.packed ?? unpacked)
    }
  }

  /// Names, sizes and checksums as the archive's directory has them.
  package func combineContents(into hasher: inout StableHasher, limit: Int) {
    if let directory {
      for entry in directory.entries {
        hasher.combine(directory.name(of: entry).span)
        hasher.combine(UInt64(entry.unpacked))
        hasher.combine(entry.checksum)
      }
      return
    }
    handle.withLock { handle in
      guard let archive = handle.archive else { return }
      for position in 0..<archive.entryCount {
        guard let status = archive.status(of: position, asPacked: true) else { continue }
        if let name = archive.name(of: position) { hasher.combine(name) }
        hasher.combine(UInt64(status.size ?? 0))
        hasher.combine(status.checksum ?? 0)
      }
    }
  }

  package func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let position = index.find(path) else { throw .missing }
    if let entry = directory?.entries[position] {
      if entry.unpacked > limit { throw .tooLarge(limit) }
      if let bytes = directory?.contents(of: entry) { return ContainerEntry(bytes: bytes) }
    }
    let result = handle.withLock { handle -> Result<ContainerEntry, ContainerError> in
      guard let archive = handle.open() else { return .failure(.missing) }
      return Result { () throws(ContainerError) in try archive.read(position, limit: limit) }
    }
    return try result.get()
  }

  /// The bytes of a name that is not all ASCII, for `EntryIndex`.
  static func legacyBytes(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    name.contains { $0 >= 0x80 } ? Array(name) : nil
  }

  /// A name in whatever encoding the packer used, as it is shown where the book does not name the file.
  static func decodeName(_ bytes: ArraySlice<UInt8>) -> String {
    if let name = String(validating: bytes, as: UTF8.self) { return name }
    for encoding in ["gb18030", "Shift_JIS", "IBM437"] {
      if let decoded = TextDecoder.decode(bytes, from: encoding), decoded.malformed == 0 {
        return String(decoding: decoded.utf8, as: UTF8.self)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
