import CTypeset
import Typesetting

/// What the caller has its functions called with, on whatever thread.
final class CallerContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  private let release: typeset_release?

  /// - Parameter release: Called once, when nothing calls the caller's functions any more.
  init(pointer: UnsafeMutableRawPointer?, release: typeset_release? = nil) {
    self.pointer = pointer
    self.release = release
  }

  deinit { release?(pointer) }
}

/// The files of a book that the caller reads.
struct CallerFiles: BookContainer {
  let paths: [String]
  private let context: CallerContext
  private let sizeOfFile: typeset_file_size
  private let readFile: typeset_file_read

  /// - Parameter context: It is released where the files are none, too.
  init(_ files: typeset_files, _ context: CallerContext) throws {
    guard let sizeOfFile = files.file_size, let readFile = files.file_read else {
      throw Failure(.invalidArgument, part: "files", "a function is NULL")
    }
    paths = try decoded(files.paths, "paths")
    self.context = context
    self.sizeOfFile = sizeOfFile
    self.readFile = readFile
  }

  func size(of path: String) -> Int? {
    let size = sizeOfFile(context.pointer, path)
    return size < 0 ? nil : Int(size)
  }

  func read(_ path: String) throws -> [UInt8] {
    guard let size = size(of: path) else { throw Failure(.missing, "the file is not there") }
    var answer: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      answer = readFile(context.pointer, path, buffer.baseAddress, size)
      filled = answer == 0 ? size : 0
    }
    guard answer == 0 else { throw Failure(.unreadable, "the caller cannot read the file") }
    return bytes
  }
}

/// The caller's decryption as the library's; nil without one.
func decryption(_ options: typeset_open_options?) -> Book.Decryption? {
  guard let options, let decrypt = options.decrypt else { return nil }
  let context = CallerContext(pointer: options.context, release: options.release)
  return { path, algorithm, bytes in
    var isPlain = false
    let plain = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, filled in
      var count = 0
      let answer = bytes.withUnsafeBufferPointer {
        decrypt(context.pointer, path, algorithm, $0.baseAddress, $0.count, buffer.baseAddress, &count)
      }
      isPlain = answer == 0 && (0...bytes.count).contains(count)
      filled = isPlain ? count : 0
    }
    return isPlain ? plain : nil
  }
}
