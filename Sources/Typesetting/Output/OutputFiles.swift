import Glibc

/// Files that appear under their names only when they are whole.
package enum OutputFiles {
  /// Writes bytes to a path at once.
  package static func write(_ bytes: [UInt8], to path: String) throws(BookError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    var error = bytes.withUnsafeBytes { write($0, to: descriptor) }
    if close(descriptor) != 0, error == 0 { error = errno }
    if error != 0 {
      unlink(path)
      throw failure(path, error)
    }
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: 0, or the error.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  package static func rename(_ from: String, to path: String) throws(BookError) {
    if Glibc.rename(from, path) != 0 { throw failure(path) }
  }

  package static func failure(_ path: String, _ code: Int32 = errno) -> BookError {
    BookError(.unwritable, part: path, "cannot be written: \(String(cString: strerror(code)).lowercased())")
  }

  /// Makes a folder and those around it.
  package static func makeFolder(_ path: String) throws(BookError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw BookError(.unwritable, part: path, "cannot be written: it is not a folder")
      }
      return
    }
    let parent = folder(of: path)
    if parent != path, parent != ".", parent != "/" { try makeFolder(parent) }
    if mkdir(path, 0o755) != 0, errno != EEXIST { throw failure(path) }
  }

  /// The folder a path lies in.
  package static func folder(of path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A hidden folder of our own inside `folder`.
  package static func makeTemporaryFolder(in folder: String) throws(BookError) -> String {
    var template = Array(join(folder, ".typeset-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw failure(folder) }
    return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Removes a temporary folder and the files in it.
  package static func removeTemporaryFolder(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { unlink(join(path, name)) }
    }
    closedir(folder)
    rmdir(path)
  }
}

/// One output that grows while the book is set, as a file that takes its name at the end or as a standard stream.
final class OutputStream {
  let target: OutputTarget
  private let descriptor: Int32
  private let temporary: String?
  private var buffer: [UInt8] = []
  private var isOpen = true

  init(_ target: OutputTarget) throws(BookError) {
    self.target = target
    switch target {
    case .standardOutput:
      descriptor = STDOUT_FILENO
      temporary = nil
    case .standardError:
      descriptor = STDERR_FILENO
      temporary = nil
    case .file(let path):
      if OutputFiles.isFolder(path) { throw BookError(.unwritable, part: path, "cannot be written: it is a folder") }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      var template = Array(OutputFiles.join(OutputFiles.folder(of: path), ".\(name)-XXXXXX").utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw OutputFiles.failure(path) }
      fchmod(descriptor, 0o644)
      let made = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      temporary = made
      Cleanup.shared.add(made)
    }
  }

  func append(_ bytes: some Sequence<UInt8>) throws(BookError) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 1 << 16 { try flush() }
  }

  private func flush() throws(BookError) {
    let error = buffer.withUnsafeBytes { OutputFiles.write($0, to: descriptor) }
    buffer.removeAll(keepingCapacity: true)
    if error != 0 {
      if case .file(let path) = target { throw OutputFiles.failure(path, error) }
      throw BookError(
        .unwritable, part: "standard output", "cannot be written: \(String(cString: strerror(error)).lowercased())")
    }
  }

  /// Writes what is left and gives the file its name.
  func finish() throws(BookError) {
    try flush()
    guard case .file(let path) = target, isOpen else { return }
    isOpen = false
    if close(descriptor) != 0 { throw OutputFiles.failure(path) }
    if let temporary {
      try OutputFiles.rename(temporary, to: path)
      Cleanup.shared.remove(temporary)
    }
  }

  deinit {
    guard case .file = target, isOpen else { return }
    close(descriptor)
    if let temporary {
      unlink(temporary)
      Cleanup.shared.remove(temporary)
    }
  }
}

/// Where an output goes.
package enum OutputTarget: Hashable, Sendable {
  case standardOutput, standardError
  case file(String)
}
