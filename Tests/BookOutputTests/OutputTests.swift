import BookOutput
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import Typesetting

/// Places of outputs: regular files are replaced when they are whole, everything else stays what it is.
@Suite struct OutputTests {
  private static let words = (0..<40_000).map { "word\($0)" }.joined(separator: " ")

  /// Runs a book with its text to a path.
  @discardableResult private func run(_ book: TestBook, text: String, body: String = "<p>Some words</p>") throws
    -> RunResult
  {
    var options = RunOptions(input: try book.page(body))
    options.text = .file(text)
    return BookRun(options).run()
  }

  private func kind(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// The bytes that a reader of a file gets, in a thread of its own.
  private final class Reader: @unchecked Sendable {
    private var bytes = Data()
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter most: bytes after which the reader closes its end.
    init(most: Int = .max, open: @escaping @Sendable () -> Int32) {
      Thread.detachNewThread { [self] in
        let descriptor = open()
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < most {
          let count = read(descriptor, &part, min(part.count, most - bytes.count))
          if count <= 0 { break }
          bytes.append(contentsOf: part[..<count])
        }
        close(descriptor)
        done.signal()
      }
    }

    var text: String {
      done.wait()
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A device as root may make one in a folder of its own.
  private func device(_ minor: Int, at path: String) -> Bool {
    // Character devices of the kernel's memory have the major number 1.
    guard mknod(path, S_IFCHR | 0o666, dev_t(1 << 8 | minor)) == 0 else { return false }
    let descriptor = open(path, O_WRONLY)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  private static let canMakeDevices: Bool = {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)").path
    defer { unlink(path) }
    return OutputTests().device(3, at: path)
  }()

  @Test(
    .enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"),
    .enabled(if: OutputTests.canMakeDevices, "devices cannot be made or opened here"))
  func `A device takes every output and stays a device`() throws {
    let book = try TestBook()
    #expect(device(3, at: book.path("null")))
    _ = try book.write("", to: "pages/other")
    #expect(device(3, at: book.path("pages/page-0001.png")))
    var options = RunOptions(input: try book.page("<p>Some words</p>"))
    options.text = .file(book.path("null"))
    options.layout = .file(book.path("null"))
    options.statistics = .file(book.path("null"))
    options.pages = book.path("pages")
    #expect(BookRun(options).run().error == nil)
    #expect(kind(book.path("null")) == S_IFCHR)
    #expect(kind(book.path("pages/page-0001.png")) == S_IFCHR)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: book.path("pages")).sorted() == ["other", "page-0001.png"])
    try FileManager.default.createSymbolicLink(atPath: book.path("link"), withDestinationPath: "null")
    #expect(try run(book, text: book.path("link")).error == nil)
    #expect(kind(book.path("null")) == S_IFCHR)
    #expect(kind(book.path("link")) == S_IFLNK)
  }

  @Test(.enabled(if: OutputTests.canMakeDevices, "devices cannot be made or opened here"))
  func `A full device is an error of writing`() throws {
    let book = try TestBook()
    #expect(device(7, at: book.path("full")))
    let error = try #require(try run(book, text: book.path("full")).error)
    #expect(error.exitCode == 73)
    #expect(error.part == book.path("full"))
    #expect(kind(book.path("full")) == S_IFCHR)
  }

  @Test func `A pipe is written to and stays a pipe`() throws {
    let book = try TestBook()
    let path = book.path("pipe")
    #expect(mkfifo(path, 0o644) == 0)
    let reader = Reader { open(path, O_RDONLY) }
    #expect(try run(book, text: path, body: "<p>\(Self.words)</p>").error == nil)
    #expect(reader.text == Self.words + "\n")
    #expect(kind(path) == S_IFIFO)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `A page goes into a pipe of its name`() throws {
    let book = try TestBook()
    _ = try book.write("", to: "pages/other")
    let path = book.path("pages/page-0001.png")
    #expect(mkfifo(path, 0o644) == 0)
    let reader = Reader { open(path, O_RDONLY) }
    var options = RunOptions(input: try book.page("<p>Some words</p>"))
    options.pages = book.path("pages")
    #expect(BookRun(options).run().error == nil)
    #expect(reader.text.contains("IEND"))
    #expect(kind(path) == S_IFIFO)
  }

  @Test func `A pipe that is closed early is an error of writing`() throws {
    signal(SIGPIPE, SIG_IGN)
    let book = try TestBook()
    let path = book.path("pipe")
    #expect(mkfifo(path, 0o644) == 0)
    let reader = Reader(most: 1) { open(path, O_RDONLY) }
    let error = try #require(try run(book, text: path, body: "<p>\(Self.words)</p>").error)
    #expect(error.exitCode == 73)
    #expect(error.reason == "cannot be written: broken pipe")
    #expect(reader.text.count == 1)
    #expect(kind(path) == S_IFIFO)
  }

  @Test func `A socket is written to and stays a socket`() throws {
    // The address of a socket has room for a short path.
    let path = "/tmp/typeset-\(UUID().uuidString.prefix(8))"
    defer { unlink(path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0)
    try #require(listen(listener, 1) == 0)
    let reader = Reader { accept(listener, nil, nil) }
    let book = try TestBook()
    #expect(try run(book, text: path).error == nil)
    #expect(reader.text == "Some words\n")
    #expect(kind(path) == S_IFSOCK)
    // Nobody listens any more.
    close(listener)
    #expect(try run(book, text: path).error?.exitCode == 73)
    #expect(kind(path) == S_IFSOCK)
  }

  @Test func `A link stays and the file it leads to is replaced whole`() throws {
    let book = try TestBook()
    let target = try book.write("old", to: "elsewhere/text")
    let old = open(target, O_RDONLY)
    defer { close(old) }
    try FileManager.default.createSymbolicLink(atPath: book.path("elsewhere/second"), withDestinationPath: "text")
    try FileManager.default.createSymbolicLink(atPath: book.path("first"), withDestinationPath: "elsewhere/second")
    #expect(try run(book, text: book.path("first")).error == nil)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "Some words\n")
    #expect(kind(book.path("first")) == S_IFLNK)
    #expect(kind(book.path("elsewhere/second")) == S_IFLNK)
    // It is another file, made beside the old one.
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(read(old, &bytes, 9) == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: book.path("elsewhere")).sorted() == ["second", "text"])
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `A link that leads nowhere makes its target, one in a circle is an error`() throws {
    let book = try TestBook()
    try FileManager.default.createSymbolicLink(atPath: book.path("link"), withDestinationPath: "target")
    #expect(try run(book, text: book.path("link")).error == nil)
    #expect(kind(book.path("link")) == S_IFLNK)
    #expect(try String(contentsOfFile: book.path("target"), encoding: .utf8) == "Some words\n")
    try FileManager.default.createSymbolicLink(atPath: book.path("circle"), withDestinationPath: "circle")
    #expect(try run(book, text: book.path("circle")).error?.exitCode == 73)
    // A folder for pages is made likewise.
    try FileManager.default.createSymbolicLink(atPath: book.path("pages"), withDestinationPath: "folder")
    var options = RunOptions(input: try book.page("<p>Some words</p>"))
    options.pages = book.path("pages")
    #expect(BookRun(options).run().error == nil)
    #expect(kind(book.path("pages")) == S_IFLNK)
    #expect(kind(book.path("folder/page-0001.png")) == S_IFREG)
  }

  @Test(.enabled(if: LoadedLibrary.cairo.isInstalled, "libcairo is not installed"))
  func `A page whose name is a link stays one`() throws {
    let book = try TestBook()
    let target = try book.write("old", to: "elsewhere/picture")
    _ = try book.write("", to: "pages/other")
    let path = book.path("pages/page-0001.png")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../elsewhere/picture")
    var options = RunOptions(input: try book.page("<p>Some words</p>"))
    options.pages = book.path("pages")
    #expect(BookRun(options).run().error == nil)
    #expect(kind(path) == S_IFLNK)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).starts(with: [0x89, 0x50]))
  }

  @Test func `A file that is open already is written on where it stands`() throws {
    let book = try TestBook()
    let path = try book.write("first\n", to: "file")
    let descriptor = open(path, O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    #expect(try run(book, text: "/dev/fd/\(descriptor)").error == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first\nSome words\n")
    #expect(kind("/dev/fd/\(descriptor)") == S_IFLNK)
  }

  @Test func `Workers that make the same folders at once all find them made`() throws {
    let book = try TestBook()
    for round in 0..<200 {
      let path = book.path("round\(round)/of/folders")
      let failures = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do { try OutputFiles.makeFolder(path) } catch { failures.withLock { $0 += 1 } }
      }
      #expect(failures.withLock { $0 } == 0)
      #expect(OutputFiles.isFolder(path))
    }
  }

  @Test func `A file in the way of a folder is told`() throws {
    let book = try TestBook()
    let path = try book.write("text", to: "file")
    let error = #expect(throws: BookError.self) { try OutputFiles.makeFolder(path + "/folder") }
    #expect(error?.reason.contains("cannot be written") == true)
    #expect(throws: BookError.self) { try OutputFiles.makeFolder(path) }
  }
}
