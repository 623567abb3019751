import Testing

@testable import SnapshotHarness

/// Lists and files that Git has.
@Suite(.enabled(if: Files.exists("/usr/bin/git"), "git is not installed"))
struct GitTests {
  @Test func `A store of more units than 16 KiB of names, and a unit longer than that, are read whole from a revision`()
    throws
  {
    let folder = TestFolder()
    let store = SnapshotStore(folder["store"])
    var texts: [[UInt8]] = []
    for number in 0..<400 {
      let text = number == 0 ? String(repeating: "page of the first unit\n", count: 2000) : "unit \(number)\n"
      texts.append(Array(text.utf8))
      // One name is no ASCII, which Git quotes where it writes lines.
      let name = "a book whose name is rather long, volume \(1000 + number)" + (number == 7 ? " – épreuve" : "")
      try Files.write(texts[number], to: folder["store/units/default/\(name).txt"])
    }
    for arguments in [
      ["init", "--quiet"], ["add", "store"],
      ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "units"],
    ] {
      _ = try Git.run(arguments, in: folder.path)
    }
    let read = try store.texts(at: "HEAD")
    #expect(read.count == texts.count)
    let isWhole = Set(read) == Set(texts)
    #expect(isWhole)
  }
}
