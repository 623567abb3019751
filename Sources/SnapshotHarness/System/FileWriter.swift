import BookOutput
import Platform

/// Writes a file piece by piece; it appears whole or not at all.
final class FileWriter {
  private let path: String
  private let temporary: String
  private let descriptor: Int32

  init(_ path: String) throws(HarnessError) {
    self.path = path
    temporary = "\(path).tmp-\(getpid())"
    try Files.makeFolder(OutputFiles.folder(of: path))
    descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw HarnessError(OutputFiles.failure(path)) }
  }

  deinit {
    close(descriptor)
    Files.remove(temporary)
  }

  func write(_ bytes: some Collection<UInt8>) throws(HarnessError) {
    let bytes = Array(bytes)
    let error = unsafe bytes.withUnsafeBytes { unsafe OutputFiles.write($0, to: descriptor) }
    if error != 0 { throw HarnessError(OutputFiles.failure(path, error)) }
  }

  func finish() throws(HarnessError) { try Files.rename(temporary, to: path) }
}
