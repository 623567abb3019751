import ArgumentParser
import BookOutput
import Command
import FoundationEssentials
import SnapshotHarness

/// `typeset snapshot merge-driver`.
struct SnapshotMergeDriver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver", abstract: "Merge units of a baseline for Git, and show them to people.",
    discussion: """
      A unit that two branches moved is joined page by page. Where both have changed a page, ours stays, and the next verify \
      shows what neither has accepted. --install tells the repository of a store to use this program; the store's .gitattributes, \
      which record writes, says what for. Git calls it with three files: what both come from, ours and theirs.
      """)

  @Flag(help: "Have the repository of this folder use it for merges and diffs.") var install = false
  @Flag(help: "Write a unit as text for people: its title, and a line for each page.") var show = false
  @Argument(help: ArgumentHelp("The three files; one with --show.", valueName: "file"), completion: .file())
  var files: [String] = []

  mutating func validate() throws {
    if install && show { throw ValidationError("--install and --show exclude each other") }
    let count = install ? 0 : show ? 1 : 3
    guard files.count == count else {
      throw ValidationError("it takes \(count == 0 ? "no file" : "\(count) files") here")
    }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      if install {
        try GitMerging.install(program: ProgramFile.own, in: FileManager.default.currentDirectoryPath)
        return 0
      }
      if show {
        let bytes = try read(files[0])
        // A file that is no unit is shown as it is.
        StandardStream.output.write(UnitMerge.description(bytes).map { Array($0.utf8) } ?? bytes)
        return 0
      }
      let (base, ours, theirs) = (try read(files[0]), try read(files[1]), try read(files[2]))
      guard
        let merged = UnitMerge.merge(base: base, ours: ours, theirs: theirs)
          ?? UnitMerge.mergeHeader(base: base, ours: ours, theirs: theirs)
      else {
        throw HarnessError(65, "\(files[1]): it cannot be merged: take one side, or record the book anew")
      }
      try Files.write(merged, to: Files.absolute(files[1]))
      return 0
    }
  }

  private func read(_ path: String) throws(HarnessError) -> [UInt8] {
    guard let bytes = Files.read(path) else { throw HarnessError(66, "\(path): it cannot be read") }
    return bytes
  }
}
