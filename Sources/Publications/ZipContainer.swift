import CLibZip
import Markup
import Platform
package import Primitives
import Synchronization

/// A packed publication: a ZIP archive (EPUB 3.3, section 4.3), read by its directory where it is an ordinary one, and through
/// libzip where it is not.
package final class ZipContainer: Container {
  @safe private struct Handle: @unchecked Sendable {
    /// Used only inside the lock: libzip's handles are not safe to share.
    var archive: OpaquePointer?
    /// The archive's bytes when it was opened from memory.
    var memory: UnsafeMutableRawBufferPointer?
    /// The archive to open when libzip is needed.
    var source: Source?

    /// libzip's handle, made when it is first asked for.
    mutating func open() -> OpaquePointer? {
      guard unsafe archive == nil, libzip_is_available() != 0 else { return unsafe archive }
      switch source {
      case .file(let path): unsafe archive = zip_open(path, ZIP_RDONLY, nil)
      case .memory(let bytes):
        if let handle = try? ZipContainer.handle(bytes) {
          unsafe archive = handle.archive
          unsafe memory = handle.memory
        }
      case nil: break
      }
      return unsafe archive
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
    guard libzip_is_available() != 0 else { throw Self.notInstalled }
    var code: Int32 = 0
    guard let archive = unsafe zip_open(file, ZIP_RDONLY, &code) else { throw Self.error(code) }
    unsafe self.init(Handle(archive: archive, memory: nil))
  }

  /// Opens an archive in memory.
  package convenience init(bytes: [UInt8]) throws(ContainerError) {
    if let directory = ZipDirectory(archive: bytes) {
      self.init(directory, .memory(bytes))
      return
    }
    self.init(try Self.handle(bytes))
  }

  /// libzip's handle of an archive in memory; throws what libzip says when it is none.
  private static func handle(_ bytes: [UInt8]) throws(ContainerError) -> Handle {
    guard libzip_is_available() != 0 else { throw notInstalled }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    unsafe memory.copyBytes(from: bytes)
    var problem = unsafe zip_error_t()
    unsafe zip_error_init(&problem)
    defer { unsafe zip_error_fini(&problem) }
    guard let source = unsafe zip_source_buffer_create(memory.baseAddress, UInt64(bytes.count), 0, &problem) else {
      unsafe memory.deallocate()
      throw unsafe error(zip_error_code_zip(&problem))
    }
    guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, &problem) else {
      unsafe zip_source_free(source)
      unsafe memory.deallocate()
      throw unsafe error(zip_error_code_zip(&problem))
    }
    return unsafe Handle(archive: archive, memory: memory)
  }

  private init(_ directory: ZipDirectory, _ source: Source) {
    var legacy: [Int: [UInt8]] = [:]
    let names = directory.entries.enumerated().map { position, entry -> String? in
      if entry.isLink { return nil }
      return unsafe directory.withName(of: entry) { bytes in
        if let name = unsafe Self.legacyBytes(bytes),
          unsafe !entry.isUnicode || String(validating: bytes, as: UTF8.self) == nil
        {
          legacy[position] = name
        }
        return unsafe Self.decodeName(bytes)
      }
    }
    index = EntryIndex(names: names, bytes: legacy)
    packedBytes = directory.entries.reduce(0) { $0 + $1.packed }
    self.directory = directory
    handle = unsafe Lock(Handle(archive: nil, memory: nil, source: source))
  }

  private init(_ handle: Handle) {
    directory = nil
    let (names, legacy) = unsafe handle.archive.map(unsafe Self.names) ?? ([], [:])
    index = EntryIndex(names: names, bytes: legacy)
    packedBytes = unsafe handle.archive.map(unsafe Self.packedBytes) ?? 0
    self.handle = Lock(handle)
  }

  deinit {
    handle.withLock { handle in
      if let archive = unsafe handle.archive { unsafe zip_discard(archive) }
      unsafe handle.memory?.deallocate()
    }
  }

  package func contains(_ path: String) -> Bool { index.find(path) != nil }

  package func size(of path: String) -> ContainerEntrySize? {
    guard let position = index.find(path) else { return nil }
    if let entry = directory?.entries[position] {
      return ContainerEntrySize(unpacked: entry.unpacked, packed: entry.packed)
    }
    return handle.withLock { handle in
      var status = unsafe zip_stat_t()
      unsafe zip_stat_init(&status)
      guard let archive = unsafe handle.archive, unsafe zip_stat_index(archive, UInt64(position), 0, &status) == 0
      else { return nil }
      let unpacked = unsafe status.valid & UInt64(ZIP_STAT_SIZE) != 0 ? Int(clamping: status.size) : 0
      let packed = unsafe status.valid & UInt64(ZIP_STAT_COMP_SIZE) != 0 ? Int(clamping: status.comp_size) : unpacked
      return ContainerEntrySize(unpacked: unpacked, packed: packed)
    }
  }

  /// Names, sizes and checksums as the archive's directory has them.
  package func combineContents(into hasher: inout StableHasher, limit: Int) {
    if let entries = directory?.entries {
      for entry in entries {
        unsafe directory?.withName(of: entry) { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt64(entry.unpacked))
        hasher.combine(entry.checksum)
      }
      return
    }
    handle.withLock { handle in
      guard let archive = unsafe handle.archive else { return }
      for position in unsafe 0..<UInt64(max(0, zip_get_num_entries(archive, 0))) {
        var status = unsafe zip_stat_t()
        unsafe zip_stat_init(&status)
        guard unsafe zip_stat_index(archive, position, zip_flags_t(ZIP_FL_ENC_RAW), &status) == 0 else { continue }
        if let name = unsafe status.name {
          unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: name, count: Self.length(name)))
        }
        unsafe hasher.combine(UInt64(status.size))
        unsafe hasher.combine(UInt32(status.crc))
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
      guard let archive = unsafe handle.open() else { return .failure(.missing) }
      return unsafe Self.read(archive, UInt64(position), limit: limit)
    }
    return try result.get()
  }

  private static func read(_ archive: OpaquePointer, _ position: UInt64, limit: Int) -> Result<
    ContainerEntry, ContainerError
  > {
    var status = unsafe zip_stat_t()
    unsafe zip_stat_init(&status)
    guard unsafe zip_stat_index(archive, position, 0, &status) == 0 else { return .failure(.missing) }
    if unsafe status.valid & UInt64(ZIP_STAT_ENCRYPTION_METHOD) != 0,
      unsafe status.encryption_method != UInt16(ZIP_EM_NONE)
    {
      return .failure(.encrypted)
    }
    if unsafe status.valid & UInt64(ZIP_STAT_SIZE) != 0, unsafe status.size > UInt64(limit) {
      return .failure(.tooLarge(limit))
    }
    if let bytes = unsafe inflate(archive, position, status) { return .success(ContainerEntry(bytes: bytes)) }
    guard let file = unsafe zip_fopen_index(archive, position, 0) else {
      return unsafe .failure(.unreadable(message(zip_get_error(archive))))
    }
    defer { unsafe zip_fclose(file) }
    var bytes: [UInt8] = []
    // The size in the directory may lie: it is only where to begin.
    var capacity = unsafe min(Int(clamping: status.size), 1 << 20) + 1
    while true {
      var got: Int64 = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        got = unsafe buffer.baseAddress.map { unsafe zip_fread(file, $0, UInt64(buffer.count)) } ?? -1
        count = Int(max(got, 0))
      }
      if got < 0 {
        let reason = unsafe message(zip_file_get_error(file))
        return bytes.isEmpty ? .failure(.unreadable(reason)) : .success(ContainerEntry(bytes: bytes, damage: reason))
      }
      if got == 0 { break }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if bytes.count > limit { return .failure(.tooLarge(limit)) }
      capacity = min(max(bytes.count, 1 << 16), 16 << 20)
    }
    return .success(ContainerEntry(bytes: bytes))
  }

  /// An entry packed with DEFLATE, all at once and into no more room than it needs; nil when it is anything else than the
  /// directory says, for libzip to find out.
  private static func inflate(_ archive: OpaquePointer, _ position: UInt64, _ status: zip_stat_t) -> [UInt8]? {
    let needed = UInt64(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC | ZIP_STAT_COMP_METHOD)
    guard unsafe status.valid & needed == needed, unsafe status.comp_method == UInt16(ZIP_CM_DEFLATE),
      unsafe status.size > 0,
      // DEFLATE packs no tighter, so the directory cannot make us ask for more room than the archive's own size allows.
      unsafe status.comp_size < 1 << 31, unsafe status.size / 1032 <= status.comp_size,
      let file = unsafe zip_fopen_index(archive, position, UInt32(ZIP_FL_COMPRESSED))
    else { return nil }
    defer { unsafe zip_fclose(file) }
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.comp_size)) { buffer, count in
      while count < buffer.count {
        guard let room = buffer.baseAddress else { break }
        let got = unsafe zip_fread(file, room + count, UInt64(buffer.count - count))
        guard got > 0 else { break }
        count += Int(got)
      }
    }
    guard unsafe packed.count == Int(status.comp_size),
      let bytes = unsafe Deflate.unpacked(packed, count: Int(status.size)), unsafe Deflate.checksum(bytes) == status.crc
    else { return nil }
    return bytes
  }

  private static func packedBytes(_ archive: OpaquePointer) -> Int {
    var total = 0
    for position in unsafe 0..<UInt64(max(zip_get_num_entries(archive, 0), 0)) {
      var status = unsafe zip_stat_t()
      unsafe zip_stat_init(&status)
      guard unsafe zip_stat_index(archive, position, 0, &status) == 0,
        unsafe status.valid & UInt64(ZIP_STAT_COMP_SIZE) != 0
      else {
        continue
      }
      total = unsafe total.addingReportingOverflow(Int(clamping: status.comp_size)).partialValue
    }
    return max(total, 0)
  }

  /// The names of the entries, nil for links, which are never followed; and the bytes of those that are not all ASCII.
  private static func names(_ archive: OpaquePointer) -> ([String?], [Int: [UInt8]]) {
    let count = unsafe zip_get_num_entries(archive, 0)
    guard count > 0 else { return ([], [:]) }
    var legacy: [Int: [UInt8]] = [:]
    let names = (0..<UInt64(count)).map { position -> String? in
      var system: UInt8 = 0
      var attributes: UInt32 = 0
      if unsafe zip_file_get_external_attributes(archive, position, 0, &system, &attributes) == 0,
        system == UInt8(ZIP_OPSYS_UNIX), (attributes >> 16) & 0xF000 == 0xA000
      {
        return nil
      }
      guard let name = unsafe zip_get_name(archive, position, UInt32(ZIP_FL_ENC_RAW)) else { return nil }
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: length(name))
      if let name = unsafe legacyBytes(bytes) { legacy[Int(position)] = name }
      return unsafe decodeName(bytes)
    }
    return (names, legacy)
  }

  /// The bytes of a name that is not all ASCII, for `EntryIndex`.
  static func legacyBytes(_ name: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    unsafe name.contains { $0 >= 0x80 } ? Array(name) : nil
  }

  private static func length(_ name: UnsafePointer<CChar>) -> Int {
    var count = 0
    while unsafe name[count] != 0 { count += 1 }
    return count
  }

  /// A name in whatever encoding the packer used, as it is shown where the book does not name the file.
  static func decodeName(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if let name = unsafe String(validating: bytes, as: UTF8.self) { return name }
    for encoding in ["gb18030", "Shift_JIS", "IBM437"] {
      if let decoded = unsafe TextDecoder.decode(bytes, from: encoding), decoded.malformed == 0 {
        return String(decoding: decoded.utf8, as: UTF8.self)
      }
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// A book is then read entry by entry, without the archive's directory.
  private static let notInstalled = ContainerError.unreadable(OptionalLibrary.libzip.absence)

  private static func error(_ code: Int32) -> ContainerError {
    var problem = unsafe zip_error_t()
    unsafe zip_error_init_with_code(&problem, code)
    defer { unsafe zip_error_fini(&problem) }
    return unsafe .unreadable(message(&problem))
  }

  private static func message(_ error: UnsafeMutablePointer<zip_error_t>?) -> String {
    // Never null where libzip's headers say so (1.11 and later), which earlier ones leave open.
    let text: UnsafePointer<CChar>? = unsafe error.flatMap { unsafe zip_error_strerror($0) }
    guard let text = unsafe text else { return "the archive is damaged" }
    return unsafe String(cString: text).lowercased()
  }
}
