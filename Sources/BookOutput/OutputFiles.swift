package import BookEngine
import Platform

/// Files that appear under their names only when they are whole.
package enum OutputFiles {
  /// Writes an output at once, as `OutputStream` does.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(BookError) {
    let stream = try OutputStream(.file(path))
    try stream.append(bytes)
    try stream.finish()
  }

  /// Makes a temporary file of our own.
  static func create(_ bytes: [UInt8], at path: String) throws(BookError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    var error = unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
    if close(descriptor) != 0, error == 0 { error = errno }
    if error != 0 {
      unsafe unlink(path)
      throw failure(path, error)
    }
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: 0, or the error.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return errno
      }
      unsafe rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Gives a folder its name.
  package static func rename(_ from: String, to path: String) throws(BookError) {
    if unsafe Platform.rename(from, path) != 0 { throw failure(path) }
  }

  /// Makes a temporary file, which is whole, the output of that path, as `OutputStream` does.
  static func install(_ file: String, at path: String) throws(BookError) {
    if case .file(let target) = try OutputPlace(path) {
      if unsafe Platform.rename(file, target) == 0 { return }
      // A link may lead to another file system.
      guard errno == EXDEV else { throw failure(path) }
    }
    let stream = try OutputStream(.file(path))
    try stream.append(contentsOf: file)
    try stream.finish()
    unsafe unlink(file)
  }

  package static func failure(_ path: String, _ code: Int32 = errno) -> BookError {
    let reason = unsafe String(cString: strerror(code)).lowercased()
    return BookError(.unwritable, part: path, "cannot be written: \(reason)")
  }

  /// Makes a folder and those around it. Several workers may make the same folders at once.
  package static func makeFolder(_ path: String) throws(BookError) {
    if isFolder(path) { return }
    do throws(BookError) { try makeMissingFolder(path) } catch {
      // Another worker may have made it since it was looked for.
      guard isFolder(path) else { throw error }
    }
  }

  private static func makeMissingFolder(_ path: String) throws(BookError) {
    if exists(path) { throw BookError(.unwritable, part: path, "cannot be written: it is not a folder") }
    // A link that leads nowhere stays, and the folder it names is made.
    guard case .file(let target) = try OutputPlace(path) else { throw failure(path, ENOTDIR) }
    let parent = folder(of: target)
    if parent != target, parent != ".", parent != "/" { try makeFolder(parent) }
    if unsafe mkdir(target, 0o755) != 0 { throw failure(path) }
  }

  /// The folder a path lies in.
  package static func folder(of path: String) -> String { FilePath.folder(of: path) }

  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
  package static func isFolder(_ path: String) -> Bool { SystemFile.kind(of: path) == .folder }

  /// A hidden folder of our own inside `folder`.
  package static func makeTemporaryFolder(in folder: String) throws(BookError) -> String {
    var template = Array(join(folder, ".typeset-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw failure(folder) }
    return unsafe template.withUnsafeBufferPointer { unsafe String(cString: $0.baseAddress!) }
  }

  /// Removes a temporary folder and the files in it.
  package static func removeTemporaryFolder(_ path: String) {
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
      let name = unsafe FilePath.name(of: entry)
      if name != ".", name != ".." { unsafe unlink(join(path, name)) }
    }
    unsafe closedir(folder)
    unsafe rmdir(path)
  }
}
