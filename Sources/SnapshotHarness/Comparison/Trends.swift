import FoundationEssentials
import Typesetting

/// The figures of a run: a line of a file of trends (snapshot harness, 8.4). Small enough for Git, and lines of two branches can be
/// joined.
package struct TrendEntry: Hashable, Codable, Sendable {
  package var revision: String
  /// Milliseconds since 1970.
  package var time: Int
  /// The machine, since times are compared with those of the same kind alone: processor and number of cores.
  package var host: String
  package var engine: String
  /// The names of the figures, in the order in which each unit has them.
  package var keys: [String]
  /// By unit, `book (profile)`: a figure for each key; nil where it is not known.
  package var units: [String: [Double?]]

  /// All figures are of units that were set to their end.
  package init(of run: RunFolder, manifest: RunManifest) {
    revision = manifest.revision
    time = RunEvent("trend").time
    host = manifest.host
    engine = manifest.versions.engine
    keys = Trends.keys
    units = [:]
    for key in manifest.units {
      guard let result = run.unitFile(key)?.result, result.outcome.isSuccess else { continue }
      units[key.description] = keys.map { name in
        // Parts of a millisecond are noise.
        result.statistics[name].map { $0.rounded() }
      }
    }
  }

  package func figure(_ name: String, of unit: String) -> Double? {
    guard let place = keys.firstIndex(of: name), let figures = units[unit], place < figures.count else { return nil }
    return figures[place]
  }
}

/// Figures of runs over time.
package struct Trends: Hashable, Sendable {
  /// The names of the figures that are kept.
  package static let keys = [
    "pages", "time.total", "memory.peakBytes", Figures.instructions, "characters", "lines", "runs",
    "paragraphs", "shaping.words", "shaping.units", "styles.unique", "attributes.unique", "attributes.lookups",
  ]

  /// Oldest first.
  package private(set) var entries: [TrendEntry]

  package init(_ entries: [TrendEntry] = []) { self.entries = entries }

  /// Reads a file; one that is not there is empty. Fails for a line that is none.
  package init(contentsOf path: String) throws(HarnessError) {
    entries = []
    guard let bytes = Files.read(path) else { return }
    let decoder = JSONDecoder()
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      guard let entry = try? decoder.decode(TrendEntry.self, from: Data(line)) else {
        throw HarnessError.invalid("\(path): line \(number + 1) is no figures of a run")
      }
      entries.append(entry)
    }
    entries.sort { ($0.time, $0.revision) < ($1.time, $1.revision) }
  }

  /// Adds a run in place of an earlier one of its revision on a machine of its kind.
  ///
  /// - Parameter keep: at most so many stay, the latest.
  package mutating func add(_ entry: TrendEntry, keep: Int) {
    entries.removeAll { $0.revision == entry.revision && $0.host == entry.host && !entry.revision.isEmpty }
    entries.append(entry)
    entries = entries.suffix(keep)
  }

  package func write(to path: String) throws(HarnessError) {
    GitMerging.attribute(path)
    try Files.write(entries.flatMap { Files.json($0) }, to: path)
  }

  /// The runs on a machine of a kind: times of others mean something else.
  package func on(_ host: String) -> Trends { Trends(entries.filter { $0.host == host }) }

  /// The units that all of these runs have: sums of others would step where a book was added.
  package var commonUnits: Set<String> {
    guard var common = entries.first.map({ Set($0.units.keys) }) else { return [] }
    for entry in entries.dropFirst() { common.formIntersection(entry.units.keys) }
    return common
  }

  /// Sums over units by run; the largest for memory. nil where a run does not have the figure of all of them.
  package func sums(_ name: String, of units: Set<String>) -> [Double?] {
    entries.map { entry in
      var sum = 0.0
      for unit in units {
        guard let value = entry.figure(name, of: unit) else { return nil }
        sum = name.hasSuffix("Bytes") ? max(sum, value) : sum + value
      }
      return units.isEmpty ? nil : sum
    }
  }

  /// A figure that moved by more than a twentieth from one run to the next.
  package struct Step: Hashable, Sendable {
    package var revision: String
    package var name: String
    package var old: Double
    package var new: Double
  }

  package var steps: [Step] {
    let units = commonUnits
    var steps: [Step] = []
    for name in Self.keys {
      let sums = sums(name, of: units)
      for index in sums.indices.dropFirst() {
        guard let old = sums[index - 1], let new = sums[index], old > 0, abs(new - old) > 0.05 * old else { continue }
        steps.append(Step(revision: entries[index].revision, name: name, old: old, new: new))
      }
    }
    return steps
  }
}
