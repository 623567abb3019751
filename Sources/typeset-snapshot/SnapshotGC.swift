import ArgumentParser
import Command
import SnapshotHarness

/// `typeset snapshot gc`.
struct SnapshotGC: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc", abstract: "Drop stored pages, fonts and images that no kept baseline names.")

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .directory) var store: String
  @Option(
    help: ArgumentHelp(
      "Another baseline whose pages stay: a store's folder, or a Git revision of this one.",
      valueName: "store|revision"))
  var keep: [String] = []

  func run() throws {
    try harness { () throws(HarnessError) in
      let target = SnapshotStore(store)
      _ = try target.header()
      try FolderLock.hold(store: target)
      var kept: [[UInt8]] = []
      for name in keep {
        kept += SnapshotStore.isStore(name) ? SnapshotStore(name).texts() : try target.texts(at: name)
      }
      let collected = try target.collect(keeping: kept)
      StandardStream.output.write(
        "dropped \(collected.pages.counting("part")) of pages and \(collected.blobs.counting("blob")), \(collected.bytes >> 10) KiB\n"
          .utf8)
      return 0
    }
  }
}
