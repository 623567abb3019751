import Platform

/// Reads files by the C library: no Foundation is needed for it.
enum FileAccess {
  enum Kind { case file, folder, other }

  /// The kind of file at a path, links followed; nil where there is none.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  static func size(of path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The bytes of a file, at most `limit` and one more.
  static func read(_ path: String, limit: Int) throws(ContainerError) -> [UInt8] {
    // Not blocking: a pipe or device with the name of a file must not hold the run.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .missing }
      throw unsafe .unreadable(String(cString: strerror(errno)).lowercased())
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable("not a regular file")
    }
    guard Int(status.st_size) <= limit else { throw .tooLarge(limit) }
    var bytes: [UInt8] = []
    let expected = Int(status.st_size)
    var failure: Int32 = 0
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
      while count < expected, let base = buffer.baseAddress {
        let got = unsafe Platform.read(descriptor, base + count, expected - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    if failure != 0 { throw unsafe .unreadable(String(cString: strerror(failure)).lowercased()) }
    return bytes
  }

  /// The first bytes of a file.
  static func beginning(of path: String, count wanted: Int) throws(ContainerError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unsafe .unreadable(String(cString: strerror(errno)).lowercased()) }
    defer { close(descriptor) }
    return unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      count = unsafe max(Platform.read(descriptor, buffer.baseAddress, wanted), 0)
    }
  }

  /// The names in a folder, sorted; of more than `limit` those that the system gives first.
  static func names(in folder: String, limit: Int = .max) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(directory) {
      let name = unsafe FilePath.name(of: entry)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
