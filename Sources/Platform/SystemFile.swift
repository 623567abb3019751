/// Files of the system, most of them small, such as those of `/proc` and `/etc`.
package enum SystemFile {
  /// At most the first `count` bytes of a file; nil where it cannot be read or is empty.
  package static func start(of path: String, count: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: count)
    let done = unsafe read(descriptor, &buffer, buffer.count)
    return done > 0 ? Array(buffer.prefix(done)) : nil
  }

  /// A regular file; nil where it cannot be opened or is none.
  package static func contents(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let done = unsafe read(descriptor, buffer.baseAddress! + count, buffer.count - count)
        guard done > 0 else { break }
        count += done
      }
    }
  }
}
