import Foundation
import TestSupport
import Testing

/// The header as compilers of C and C++ read it.
@Suite struct HeaderTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/System/CTypeset/include")

  @Test(arguments: [
    ["-x", "c", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"],
    ["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror"],
  ])
  func `It compiles without a warning`(_ options: [String]) throws {
    let test = try TestFolder()
    let source = try test.write(
      Array(
        """
        #include <typeset.h>
        #if TYPESET_VERSION < 100
        #error
        #endif
        int main(void) { return typeset_open(0, 0, 0, 0) == TYPESET_OK; }
        """.utf8), to: "header.c")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang"] + options + ["-I", Self.folder.path, "-fsyntax-only", source]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0, "\(said)")
  }

  @Test func `Its version is that of the engine`() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("typeset.h"), encoding: .utf8)
    let numbers = ["MAJOR", "MINOR", "PATCH"].map { name in
      text.split(separator: "\n").first { $0.hasPrefix("#define TYPESET_VERSION_\(name) ") }?.split(separator: " ").last
        ?? ""
    }
    #expect(numbers.joined(separator: ".") == LibraryTests.version)
  }
}
