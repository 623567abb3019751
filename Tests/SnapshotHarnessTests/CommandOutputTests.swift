import Foundation
import Testing

@testable import SnapshotHarness

/// Places that the command line and the harness write their outputs to.
@Suite struct CommandOutputTests {
  private func kind(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test func `A report is written through a link, whose target is made where there is none`() throws {
    let folder = TestFolder()
    try Files.write("old", to: folder["elsewhere/report.json"])
    symlink("elsewhere/report.json", folder["link"])
    try Files.write("new", to: folder["link"])
    #expect(kind(folder["link"]) == S_IFLNK)
    #expect(Files.text(folder["elsewhere/report.json"]) == "new")
    symlink("elsewhere/none.json", folder["dangling"])
    try Files.write("new", to: folder["dangling"])
    #expect(kind(folder["dangling"]) == S_IFLNK)
    #expect(Files.text(folder["elsewhere/none.json"]) == "new")
    #expect(Files.walk(folder.path).count == 4)
  }

  @Test func `A report is written into a pipe`() throws {
    let folder = TestFolder()
    mkfifo(folder["pipe"], 0o644)
    let reader = open(folder["pipe"], O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try Files.write("report", to: folder["pipe"])
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &bytes, 16) == 6)
    #expect(kind(folder["pipe"]) == S_IFIFO)
  }

  /// Runs the program with its standard output on a file, and says how it ended and what standard error got.
  private func run(_ arguments: [String], output: FileHandle) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(LittleCorpus.program))
    process.arguments = arguments
    process.standardOutput = output
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationReason == .exit ? process.terminationStatus : -1, text)
  }

  @Test(
    .enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)"),
    arguments: [["info"], ["info", "--json"], ["--quiet", "--text", "-"], ["--quiet", "--layout", "-"]])
  func `Standard output that is full or closed is one line and exit code 73`(_ arguments: [String]) throws {
    let folder = TestFolder()
    try Files.write("<!DOCTYPE html><title>t</title><p>Some words", to: folder["page.html"])
    let verb = arguments + [folder["page.html"]]
    for (output, reason) in [
      (try #require(FileHandle(forWritingAtPath: "/dev/full")), "no space left on device"),
      (closedPipe(), "broken pipe"),
    ] {
      let result = try run(verb, output: output)
      #expect(result.status == 73)
      #expect(result.errors.hasSuffix("standard output: cannot be written: \(reason)\n"))
      #expect(result.errors.count { $0 == "\n" } == 1)
    }
  }

  private func closedPipe() -> FileHandle {
    let pipe = Pipe()
    try? pipe.fileHandleForReading.close()
    return pipe.fileHandleForWriting
  }
}
