/// Files as the C library reads them: no Foundation is needed for it.
package enum SystemFile {
  package enum Kind { case file, folder, other }

  /// Why a file cannot be read.
  package enum Failure: Error {
    /// The number of the system's error.
    case system(Int32)
    case notRegular
    case tooLarge

    /// The reason as a clause.
    package var reason: String {
      switch self {
      case .system(let number): unsafe String(cString: strerror(number)).lowercased()
      case .notRegular: "not a regular file"
      case .tooLarge: "too large"
      }
    }
  }

  /// What the system tells of the file at a path, links followed; nil where there is none.
  package static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// The kind of file at a path, links followed; nil where there is none.
  package static func kind(of path: String) -> Kind? {
    status(of: path).map { status in
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    }
  }

  /// In bytes; nil where there is no file.
  package static func size(of path: String) -> Int? { status(of: path).map { Int($0.st_size) } }

  /// Opens a file for reading: the descriptor, which the caller closes.
  package static func open(_ path: String) throws(Failure) -> Int32 {
    // Not blocking: a pipe or device with the name of a file must not hold the run.
    let descriptor = unsafe Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    return descriptor
  }

  /// Opens a regular file for reading: the descriptor, which the caller closes, and the size in bytes.
  package static func openRegular(_ path: String) throws(Failure) -> (descriptor: Int32, size: Int) {
    let descriptor = try open(path)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular
    }
    return (descriptor, Int(status.st_size))
  }

  /// At most the first `count` bytes of a file; none where they cannot be read.
  package static func start(of path: String, count wanted: Int) throws(Failure) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    return unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      count = unsafe max(read(descriptor, buffer.baseAddress, wanted), 0)
    }
  }

  /// The bytes of a regular file, at most `limit`.
  package static func contents(of path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
    let (descriptor, size) = try openRegular(path)
    defer { close(descriptor) }
    guard size <= limit else { throw .tooLarge }
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let base = buffer.baseAddress {
        let got = unsafe read(descriptor, base + count, size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    if failure != 0 { throw .system(failure) }
    return bytes
  }
}
