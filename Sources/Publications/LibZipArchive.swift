import CLibZip
import Markup
import Platform
import Primitives

/// An archive that libzip has open. Its handles are not safe to share: one thread at a time may use it.
@safe final class LibZipArchive {
  /// What an archive's directory says of an entry; nil where it says nothing.
  struct Status {
    var size: Int?
    var packed: Int?
    var checksum: UInt32?
    var isDeflated: Bool
    var isEncrypted: Bool
  }

  private let archive: OpaquePointer
  /// The archive's bytes when it was opened from memory.
  private let memory: UnsafeMutableRawBufferPointer?

  /// Throws what libzip says when the file is no archive.
  init(file: String) throws(ContainerError) {
    guard Self.isAvailable else { throw Self.notInstalled }
    var code: Int32 = 0
    guard let archive = unsafe zip_open(file, ZIP_RDONLY, &code) else { throw Self.error(code) }
    unsafe self.archive = unsafe archive
    unsafe memory = nil
  }

  /// Throws what libzip says when the bytes are no archive.
  init(bytes: [UInt8]) throws(ContainerError) {
    guard Self.isAvailable else { throw Self.notInstalled }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    unsafe memory.copyBytes(from: bytes)
    var problem = unsafe zip_error_t()
    unsafe zip_error_init(&problem)
    defer { unsafe zip_error_fini(&problem) }
    let source = unsafe zip_source_buffer_create(memory.baseAddress, UInt64(bytes.count), 0, &problem)
    guard let archive = unsafe source.flatMap({ unsafe zip_open_from_source($0, ZIP_RDONLY, &problem) }) else {
      if let source = unsafe source { unsafe zip_source_free(source) }
      unsafe memory.deallocate()
      throw unsafe Self.error(zip_error_code_zip(&problem))
    }
    unsafe self.archive = unsafe archive
    unsafe self.memory = unsafe memory
  }

  deinit {
    unsafe zip_discard(archive)
    unsafe memory?.deallocate()
  }

  static var isAvailable: Bool { libzip_is_available() != 0 }
  /// A book is then read entry by entry, without the archive's directory.
  static let notInstalled = ContainerError.unreadable(OptionalLibrary.libzip.absence)

  // MARK: The directory

  var entryCount: Int { unsafe max(0, Int(zip_get_num_entries(archive, 0))) }

  /// - Parameter asPacked: The name is taken as it is, in whatever encoding.
  func status(of position: Int, asPacked: Bool = false) -> Status? {
    var status = unsafe zip_stat_t()
    unsafe zip_stat_init(&status)
    let flags = zip_flags_t(asPacked ? ZIP_FL_ENC_RAW : 0)
    guard unsafe zip_stat_index(archive, UInt64(position), flags, &status) == 0 else { return nil }
    func has(_ field: UInt32) -> Bool { unsafe status.valid & UInt64(field) != 0 }
    return unsafe Status(
      size: has(ZIP_STAT_SIZE) ? Int(clamping: status.size) : nil,
      packed: has(ZIP_STAT_COMP_SIZE) ? Int(clamping: status.comp_size) : nil,
      checksum: has(ZIP_STAT_CRC) ? status.crc : nil,
      isDeflated: has(ZIP_STAT_COMP_METHOD) && status.comp_method == UInt16(ZIP_CM_DEFLATE),
      isEncrypted: has(ZIP_STAT_ENCRYPTION_METHOD) && status.encryption_method != UInt16(ZIP_EM_NONE))
  }

  /// The bytes of a name, in whatever encoding the packer used.
  func name(of position: Int) -> [UInt8]? {
    guard let name = unsafe zip_get_name(archive, UInt64(position), UInt32(ZIP_FL_ENC_RAW)) else { return nil }
    var bytes: [UInt8] = []
    while unsafe name[bytes.count] != 0 { unsafe bytes.append(UInt8(bitPattern: name[bytes.count])) }
    return bytes
  }

  /// A symbolic link of a Unix system.
  func isLink(_ position: Int) -> Bool {
    var system: UInt8 = 0
    var attributes: UInt32 = 0
    return unsafe zip_file_get_external_attributes(archive, UInt64(position), 0, &system, &attributes) == 0
      && system == UInt8(ZIP_OPSYS_UNIX) && (attributes >> 16) & 0xF000 == 0xA000
  }

  // MARK: Entries

  /// The contents of an entry, with what is damaged in them.
  func read(_ position: Int, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let status = status(of: position) else { throw .missing }
    if status.isEncrypted { throw .encrypted }
    if let size = status.size, size > limit { throw .tooLarge(limit) }
    if let bytes = inflate(position, status) { return ContainerEntry(bytes: bytes) }
    guard let file = unsafe zip_fopen_index(archive, UInt64(position), 0) else {
      throw unsafe .unreadable(Self.message(zip_get_error(archive)))
    }
    defer { unsafe zip_fclose(file) }
    var bytes: [UInt8] = []
    // The size in the directory may lie: it is only where to begin.
    var capacity = min(status.size ?? 0, 1 << 20) + 1
    while true {
      guard let piece = unsafe Self.piece(of: file, atMost: capacity) else {
        let reason = unsafe Self.message(zip_file_get_error(file))
        guard !bytes.isEmpty else { throw .unreadable(reason) }
        return ContainerEntry(bytes: bytes, damage: reason)
      }
      if piece.isEmpty { return ContainerEntry(bytes: bytes) }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if bytes.count > limit { throw .tooLarge(limit) }
      capacity = min(max(bytes.count, 1 << 16), 16 << 20)
    }
  }

  /// The next bytes of an open entry, none at its end; nil where they cannot be read.
  private static func piece(of file: OpaquePointer, atMost capacity: Int) -> [UInt8]? {
    var got: Int64 = 0
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      got = unsafe buffer.baseAddress.map { unsafe zip_fread(file, $0, UInt64(buffer.count)) } ?? -1
      count = Int(max(got, 0))
    }
    return got < 0 ? nil : piece
  }

  /// An entry packed with DEFLATE, all at once and into no more room than it needs; nil when it is anything else than the
  /// directory says, for libzip to find out.
  private func inflate(_ position: Int, _ status: Status) -> [UInt8]? {
    guard status.isDeflated, let size = status.size, let packed = status.packed, let checksum = status.checksum,
      size > 0,
      // DEFLATE packs no tighter, so the directory cannot make us ask for more room than the archive's own size allows.
      packed < 1 << 31, size / 1032 <= packed,
      let file = unsafe zip_fopen_index(archive, UInt64(position), UInt32(ZIP_FL_COMPRESSED))
    else { return nil }
    defer { unsafe zip_fclose(file) }
    var bytes: [UInt8] = []
    while bytes.count < packed, let piece = unsafe Self.piece(of: file, atMost: packed - bytes.count), !piece.isEmpty {
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    guard bytes.count == packed, let unpacked = Deflate.unpacked(bytes, count: size),
      Deflate.checksum(unpacked) == checksum
    else { return nil }
    return unpacked
  }

  // MARK: Errors

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
