import ArgumentParser
import Command
import SnapshotHarness

/// `typeset snapshot history`.
struct SnapshotHistory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show pages, time and memory of a book by revision.",
    discussion: "A step of more than 5 % in time or memory, or of any page, is marked.")

  @Argument(help: ArgumentHelp("The book's name in the corpus.", valueName: "book")) var book: String
  @Option(help: ArgumentHelp("The store.", valueName: "store"), completion: .directory) var store = "Snapshots"
  @Option(help: ArgumentHelp("Only this profile.", valueName: "name")) var profile: String?
  @Option(
    help: ArgumentHelp("Another figure to show, such as shaping.words; may be given several times.", valueName: "key"))
  var figure: [String] = []
  @Flag(help: "Write JSON Lines.") var json = false

  func run() throws {
    try harness { () throws(HarnessError) in
      let entries = SnapshotStore(store).history(book: book).filter { profile == nil || $0.profile == profile }
      guard !entries.isEmpty else { throw HarnessError(66, "\(store): there is no history of \(book)") }
      if json {
        for entry in entries { StandardStream.output.write(Files.json(entry)) }
        return 0
      }
      let names = ["time.total", "memory.peakBytes"] + figure
      func cell(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text + "  "
      }
      for name in Set(entries.map(\.profile)).sorted() {
        StandardStream.output.write("\(book) (\(name))\n".utf8)
        let head =
          cell("revision", 12) + cell("pages", 7) + cell("ms", 10) + cell("MiB", 8)
          + figure.map { cell($0, 16) }.joined()
        StandardStream.output.write((head + "\n").utf8)
        var last: HistoryEntry?
        for entry in entries where entry.profile == name {
          var line = cell(entry.revision.isEmpty ? "-" : entry.revision, 12) + cell(String(entry.pages), 7)
          line += cell(String((entry.statistics["time.total"] ?? 0).rounded()), 10)
          line += cell(String(Int((entry.statistics["memory.peakBytes"] ?? 0) / 1048576)), 8)
          for key in figure { line += cell(entry.statistics[key].map { String($0) } ?? "-", 16) }
          if let last {
            var steps: [String] = last.pages == entry.pages ? [] : ["pages"]
            for key in names {
              guard let was = last.statistics[key], let now = entry.statistics[key], was > 0 else { continue }
              if abs(now - was) > 0.05 * was { steps.append(key) }
            }
            if !steps.isEmpty { line += "<- " + steps.joined(separator: ", ") }
          }
          if entry.outcome != .ok, entry.outcome != .okWithWarnings { line += " \(entry.outcome.rawValue)" }
          StandardStream.output.write((line + "\n").utf8)
          last = entry
        }
      }
      return 0
    }
  }
}
