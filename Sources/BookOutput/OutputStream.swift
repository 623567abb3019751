import BookEngine
import Platform
import Synchronization

/// The target of an output.
package enum OutputTarget: Hashable, Sendable {
  case standardOutput, standardError
  case file(String)

  /// The name of the target in errors.
  fileprivate var name: String {
    switch self {
    case .standardOutput: "standard output"
    case .standardError: "standard error"
    case .file(let path): path
    }
  }
}

/// One output that grows while the book is set: a file that takes its name when it is whole, or a standard stream, a device, a
/// pipe or a socket, which are written to as they are.
final class OutputStream: @unchecked Sendable {
  // Used by one thread at a time.
  private let target: OutputTarget
  private let descriptor: Int32
  /// The file that is written beside the one it is to replace; nil where the output is written in place.
  private let temporary: (path: String, final: String)?
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
      switch try OutputPlace(path) {
      case .node(let node):
        descriptor = try OutputPlace.open(node: node, for: path)
        temporary = nil
      case .file(let final):
        let made = Self.makeTemporaryFile(in: OutputFiles.folder(of: final))
        guard made.descriptor >= 0 else { throw OutputFiles.failure(path) }
        descriptor = made.descriptor
        temporary = (made.path, final)
        Cleanup.shared.add(made.path)
      }
    }
  }

  private static let serial = Atomic<Int>(0)

  /// A new hidden file, with the permissions that any new file has.
  private static func makeTemporaryFile(in folder: String) -> (descriptor: Int32, path: String) {
    while true {
      let number = serial.add(1, ordering: .relaxed).newValue
      let path = OutputFiles.join(folder, ".typeset-\(getpid())-\(number)")
      let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      // One of that name may be left of a process that was killed.
      if descriptor >= 0 || errno != EEXIST { return (descriptor, path) }
    }
  }

  func append(_ bytes: some Sequence<UInt8>) throws(BookError) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Appends what a file of our own holds.
  func append(contentsOf file: String) throws(BookError) {
    let source = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw OutputFiles.failure(target.name) }
    defer { close(source) }
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(source, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw OutputFiles.failure(target.name) }
      if count == 0 { return }
      try append(part[..<count])
    }
  }

  private func flush() throws(BookError) {
    let error = unsafe buffer.withUnsafeBytes { unsafe OutputFiles.write($0, to: descriptor) }
    buffer.removeAll(keepingCapacity: true)
    if error != 0 { throw OutputFiles.failure(target.name, error) }
  }

  /// Writes what is left and gives the file its name.
  func finish() throws(BookError) {
    try flush()
    guard case .file(let path) = target, isOpen else { return }
    isOpen = false
    let isClosed = close(descriptor) == 0
    let error = errno
    guard let temporary else {
      if !isClosed { throw OutputFiles.failure(path, error) }
      return
    }
    defer { Cleanup.shared.remove(temporary.path) }
    guard isClosed, unsafe rename(temporary.path, temporary.final) == 0 else {
      let reason = isClosed ? errno : error
      unsafe unlink(temporary.path)
      throw OutputFiles.failure(path, reason)
    }
  }

  deinit {
    guard case .file = target, isOpen else { return }
    close(descriptor)
    if let temporary {
      unsafe unlink(temporary.path)
      Cleanup.shared.remove(temporary.path)
    }
  }
}

extension OutputStream: ByteDestination {
  func append(_ bytes: [UInt8]) throws(BookError) { try append(bytes[...]) }
}
