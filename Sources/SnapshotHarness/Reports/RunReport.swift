import FoundationEssentials
import Typesetting

/// A run and what it was compared with, gathered for reports (snapshot harness, 6): the value of the JSON report.
package struct RunReport: Hashable, Codable, Sendable {
  package static let currentSchema = 1

  /// One book under one profile, whether it differs or not.
  package struct Unit: Hashable, Codable, Sendable {
    package var key: UnitKey
    package var title: String
    package var language: String
    package var outcome: UnitOutcome
    package var failure: UnitFailure?
    package var pages: Int
    /// Time, memory and counters by their dotted names.
    package var statistics: [String: Double]
    /// Those of the baseline, where they are known.
    package var oldStatistics: [String: Double]
    /// The book's file.
    package var path: String

    package init(
      key: UnitKey, title: String = "", language: String = "", outcome: UnitOutcome = .ok, failure: UnitFailure? = nil,
      pages: Int = 0, statistics: [String: Double] = [:], oldStatistics: [String: Double] = [:], path: String = ""
    ) {
      self.key = key
      self.title = title
      self.language = language
      self.outcome = outcome
      self.failure = failure
      self.pages = pages
      self.statistics = statistics.filter(\.value.isFinite)
      self.oldStatistics = oldStatistics.filter(\.value.isFinite)
      self.path = path
    }
  }

  package var schema = RunReport.currentSchema
  /// Versions of libraries and fonts that are not those of the baseline, a line each.
  package var differences: [String]
  package var summary: RunSummary
  package var revision: String
  /// The processor and cores that the times were taken on.
  package var host: String
  package var units: [Unit]
  package var comparison: RunComparison

  package init(
    _ comparison: RunComparison, summary: RunSummary? = nil, units: [Unit] = [], revision: String = "",
    host: String = ""
  ) {
    self.comparison = comparison
    self.summary = summary ?? RunSummary(comparison)
    self.units = units
    self.revision = revision
    self.host = host
    differences = comparison.old.differences(to: comparison.new)
  }

  /// Gathers a finished run.
  ///
  /// - Parameter old: The run that it was compared with, for figures of old.
  package init(
    _ comparison: RunComparison, of run: RunFolder, manifest: RunManifest, old: Reference?, summary: RunSummary? = nil
  ) {
    let past = old?.statistics() ?? [:]
    let paths = Dictionary(manifest.books.map { ($0.id, $0.path) }, uniquingKeysWith: { first, _ in first })
    var units = manifest.units.compactMap { key -> Unit? in
      guard let result = run.unitFile(key)?.result else { return nil }
      return Unit(
        key: key, title: result.title, language: result.language, outcome: result.outcome, failure: result.failure,
        pages: run.pageCount(of: key), statistics: result.statistics,
        oldStatistics: past[key] ?? [:], path: paths[key.book] ?? "")
    }
    let known = Set(manifest.units)
    for unit in comparison.units where !known.contains(unit.key) {
      units.append(Unit(key: unit.key, title: unit.title, language: unit.language))
    }
    self.init(
      comparison, summary: summary ?? Files.read(json: run.summaryPath, as: RunSummary.self), units: units,
      revision: manifest.revision, host: manifest.host)
  }

  /// Clusters that nobody has settled, the worst first.
  var openClusters: [Cluster] { comparison.clusters.filter { $0.isOpen } }

  /// The result of a run, in one line.
  var headline: String {
    var parts = obstacleLines.map(\.count)
    let units = comparison.units.count
    if !comparison.clusters.isEmpty {
      let pages = comparison.units.reduce(0) { $0 + $1.pages.count }
      parts.insert(
        "\(comparison.clusters.count.counting("kind")) of change on \(pages.counting("page"))", at: 0)
    } else if units > 0 {
      parts.insert(units.counting("unit") + (units == 1 ? " differs" : " differ"), at: 0)
    }
    return parts.isEmpty ? "No difference" : parts.joined(separator: ", ")
  }
}

extension Cluster {
  /// The cluster keeps the gate closed.
  var isOpen: Bool { decision == nil || decision == .regression }

  /// `3 pages in 2 books, 12 follow`; `3 units in 2 books` for changes of whole units.
  package var extent: String {
    let pages = members.count { $0.oldPage != nil || $0.newPage != nil }
    return (pages == 0 ? members.count.counting("unit") : pages.counting("page")) + " in " + books.counting("book")
      + (consequences > 0 ? ", \(consequences) follow" : "")
  }
}

extension Severity {
  var name: String {
    switch self {
    case .improvement: "improvement"
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}

/// The commands that a report offers.
package struct ReportCommands: Hashable, Sendable {
  /// The run's folder.
  package var run: String
  package var corpus: [String]
  /// The reference that the run was compared with, and whether that is a store.
  package var old: String?
  package var isStore: Bool
  /// The HTML report's own file.
  package var html: String
  /// Options that the run was made with.
  package var options: [String]

  package init(
    run: String, corpus: [String], old: String?, isStore: Bool, html: String, options: [String] = []
  ) {
    self.options = options
    self.run = run
    self.corpus = corpus
    self.old = old
    self.isStore = isStore
    self.html = html
  }

  /// A path as others can use it, who have the same files elsewhere: from the current folder on, or its name alone where it lies
  /// outside of that. Words that are no absolute path stay as they are.
  package static func plain(_ word: String) -> String {
    guard word.hasPrefix("/") else { return word }
    let here = FileManager.default.currentDirectoryPath
    if word == here { return "." }
    let folder = here.hasSuffix("/") ? here : here + "/"
    if word.hasPrefix(folder) { return String(word.dropFirst(folder.count)) }
    return word.split(separator: "/").last.map(String.init) ?? word
  }

  private func line(_ words: [String]) -> String {
    (["typeset", "snapshot"] + words.map(ShellWord.quote)).joined(separator: " ")
  }

  /// Options follow.
  var accept: String { line(["accept", run]) }
  var reject: String { line(["reject", run]) }
  /// The option that is added for the baseline to move.
  var store: String { isStore ? " --store " + ShellWord.quote(old ?? "") : "" }
  var report: String { line(["report", run]) }
  /// Draws more pages.
  var draw: String { line(["report", run, "--html", html]) }
  /// Makes old pages again that are not kept.
  var restore: String { line(["restore", run]) }
  /// Renders and compares again, into a folder of its own.
  var again: String {
    line(["verify"] + corpus + (old.map { ["--against", $0] } ?? []) + options + ["--out", run + "-again"])
  }
}
