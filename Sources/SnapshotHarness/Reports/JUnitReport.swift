import Primitives

/// The report for continuous integration: one suite a profile, one case a book, time and memory as properties. What was
/// not compared is an error of its unit, or of its shard.
package enum JUnitReport {
  package static func text(_ report: RunReport) -> String {
    let differing = Dictionary(report.comparison.units.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var open: [UnitKey: [Cluster]] = [:]
    for cluster in report.openClusters {
      for key in Set(cluster.members.map(\.key)) { open[key, default: []].append(cluster) }
    }
    let obstacles = Dictionary(grouping: report.obstacles, by: \.key)
    var suites: [String: [Case]] = [:]
    for unit in report.units {
      suites[unit.key.profile, default: []].append(
        Case(
          unit, differing[unit.key], open: open[unit.key] ?? [], obstacles: obstacles[unit.key] ?? [],
          hasClusters: !report.comparison.clusters.isEmpty))
    }
    let known = Set(report.units.map(\.key))
    for (key, obstacles) in obstacles.sorted(by: { $0.value[0].summary < $1.value[0].summary }) {
      guard let key else {
        suites["shards"] = obstacles.map { Case($0, name: $0.summary) }
        continue
      }
      if !known.contains(key) { suites[key.profile, default: []] += obstacles.map { Case($0, name: key.book) } }
    }
    let all = suites.values.joined()
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"typeset snapshot\" \(figures(Array(all)))>\n"
    for (profile, cases) in suites.sorted(by: { $0.key < $1.key }) {
      text += "  <testsuite name=\"\(escape(profile))\" \(figures(cases))>\n"
      for item in cases { text += item.text(profile) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func figures(_ cases: [Case]) -> String {
    let failures = cases.count { $0.state == .failure }
    let errors = cases.count { $0.state == .error }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" "
      + "time=\"\(seconds(cases.reduce(0) { $0 + $1.milliseconds }))\""
  }

  private static func seconds(_ milliseconds: Double) -> String {
    let value = Int(min(max(0, milliseconds.rounded()), 1e15))
    let rest = String(value % 1000)
    return "\(value / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// Text or a value of an attribute.
  private static func escape(_ text: String) -> String { XMLEscaping.escaped(text, keepsSpaces: true) }

  private struct Case {
    enum State { case pass, failure, error }

    /// nil for what was not set.
    let unit: RunReport.Unit?
    let name: String
    /// The type of the fault.
    let type: String
    let state: State
    /// The faults, a line each.
    let lines: [String]

    /// Lines of one case; the HTML report has all.
    static let maximumLines = 40

    /// What was not set.
    init(_ obstacle: Obstacle, name: String) {
      unit = nil
      self.name = name
      type = obstacle.kind.rawValue
      state = .error
      lines = [obstacle.summary]
    }

    init(
      _ unit: RunReport.Unit, _ difference: UnitComparison?, open: [Cluster], obstacles: [Obstacle], hasClusters: Bool
    ) {
      self.unit = unit
      name = unit.key.book
      if let obstacle = obstacles.first(where: { $0.kind != .worseFigure }) {
        state = .error
        type = obstacle.kind.rawValue
      } else if open.contains(where: { $0.kind == .newFailure }) {
        state = .error
        type = unit.outcome.rawValue
      } else {
        state = !open.isEmpty || !obstacles.isEmpty || (difference != nil && !hasClusters) ? .failure : .pass
        type = open.isEmpty ? obstacles.first?.kind.rawValue ?? "difference" : "difference"
      }
      lines =
        obstacles.map(\.summary)
        + open.map { cluster in
          let pages = cluster.members.filter { $0.key == unit.key }.compactMap { $0.newPage ?? $0.oldPage }
          let places =
            pages.isEmpty
            ? ""
            : ": page\(pages.count == 1 ? "" : "s") " + pages.prefix(12).map(String.init).joined(separator: ", ")
              + (pages.count > 12 ? " and \(pages.count - 12) more" : "")
          return "\(cluster.id)  \(cluster.severity.name)  \(cluster.summary)\(places)"
        }
    }

    var milliseconds: Double { unit?.statistics["child.wall"] ?? unit?.statistics["time.total"] ?? 0 }

    func text(_ profile: String) -> String {
      var text = "    <testcase name=\"\(escape(name))\" classname=\"\(escape(profile))\" "
      text += "time=\"\(seconds(milliseconds))\">\n"
      if let unit { text += properties(of: unit) }
      if state != .pass {
        let name = state == .error ? "error" : "failure"
        let message = lines.count == 1 ? lines[0] : lines.count.counting("kind") + " of change"
        text += "      <\(name) type=\"\(type)\""
        text += " message=\"\(escape(message))\">"
        var body = lines.prefix(Self.maximumLines).map { $0 + "\n" }.joined()
        if lines.count > Self.maximumLines { body += "and \(lines.count - Self.maximumLines) more\n" }
        // Line ends stay as they are in text.
        text += body.split(separator: "\n").map { escape(String($0)) }.joined(separator: "\n")
        text += "</\(name)>\n"
      }
      if let failure = unit?.failure {
        let place = [failure.phase, failure.chapter].filter { !$0.isEmpty }.joined(separator: " ")
        text += "      <system-err>\(escape(place))\n"
        if let reached = failure.reached { text += "finished up to \(escape(reached))\n" }
        text += failure.message.split(separator: "\n").map { escape(String($0)) }.joined(separator: "\n")
        text += "</system-err>\n"
      }
      return text + "    </testcase>\n"
    }

    private func properties(of unit: RunReport.Unit) -> String {
      var text = "      <properties>\n"
      func property(_ name: String, _ value: String) {
        text += "        <property name=\"\(escape(name))\" value=\"\(escape(value))\"/>\n"
      }
      property("outcome", unit.outcome.rawValue)
      property("pages", String(unit.pages))
      for (name, value) in unit.statistics.sorted(by: { $0.key < $1.key })
      where name.hasPrefix("time.") || name.hasPrefix("memory.") || name.hasPrefix("child.") {
        property(name, value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value))
      }
      return text + "      </properties>\n"
    }
  }
}
