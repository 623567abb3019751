import FoundationEssentials

/// A line of `history.ndjson`: the figures of a unit at a revision (snapshot harness, 8.4).
package struct HistoryEntry: Hashable, Codable, Sendable {
  package var revision: String
  /// Milliseconds since 1970.
  package var time: Int
  package var host: String
  package var book: String
  package var profile: String
  package var outcome: UnitOutcome
  package var pages: Int
  package var statistics: [String: Double]

  package var key: UnitKey { UnitKey(book: book, profile: profile) }
}

extension SnapshotStore {
  /// Adds the figures of a run's units.
  package func appendHistory(_ units: [UnitKey], of run: RunFolder, manifest: RunManifest) throws(HarnessError) {
    let time = RunEvent("record").time
    var lines: [UInt8] = []
    for key in units {
      guard let file = run.unitFile(key) else { continue }
      lines += Files.json(
        HistoryEntry(
          revision: manifest.revision, time: time, host: manifest.host, book: key.book, profile: key.profile,
          outcome: file.result.outcome, pages: run.pageCount(of: key),
          statistics: file.result.statistics))
    }
    guard !lines.isEmpty else { return }
    try Files.append(line: lines, to: historyPath)
  }

  /// All entries in the order they were made, of one book or of all.
  package func history(book: String? = nil) -> [HistoryEntry] {
    let decoder = JSONDecoder()
    return (Files.read(historyPath) ?? []).split(separator: 0x0A).compactMap { line in
      guard let entry = try? decoder.decode(HistoryEntry.self, from: Data(line)), book == nil || entry.book == book
      else { return nil }
      return entry
    }
  }

  /// The figures that were recorded last; of what a variant has none of, those of its baseline.
  package func lastFigures() -> [UnitKey: [String: Double]] {
    var last = variant == nil ? [:] : SnapshotStore(root).lastFigures()
    for entry in history() { last[entry.key] = entry.statistics }
    return last
  }
}
