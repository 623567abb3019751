/// Small files of the system, such as those of `/proc` and `/etc`.
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
}
