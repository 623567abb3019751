/// The report for a job's summary and for the one comment that is kept up to date: at most 60 lines.
package enum MarkdownReport {
  package static let maximumLines = 60
  /// The mark by which such a comment is found again.
  package static let marker = "<!-- typeset-snapshot -->"

  private static let maximumClusters = 20
  private static let maximumNames = 6

  /// - Parameter accept: the command that accepts, to which options are added; nil leaves it out.
  package static func text(_ report: RunReport, accept: String? = nil) -> String {
    let summary = report.summary
    var lines = [marker, "## \(escape(report.headline))", ""]
    lines.append(
      "\(summary.units.counting("unit")), \(summary.pages.counting("page")); "
        + "\(summary.differingUnits.counting("unit")) and \(summary.differingPages.counting("page")) differ"
        + (summary.consequences > 0 ? ", \(summary.consequences) more pages follow from them" : "")
        + "; **\(summary.undecided) to be decided**.")
    var notes: [String] = []
    func note(_ name: String, _ texts: [String]) {
      guard !texts.isEmpty else { return }
      let rest = texts.count - maximumNames
      notes.append(
        "- \(name): " + texts.prefix(maximumNames).map(escape).joined(separator: "; ")
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    note("Fixed", summary.fixedFailures)
    note("Newly failing", summary.newFailures)
    note("Gone from the corpus", summary.goneBooks ?? [])
    note("Renamed", summary.renamedBooks ?? [])
    note("Not in the run", summary.missingUnits ?? [])
    note("Missing shards", report.comparison.missingShards.map(String.init))
    note("Without a baseline", summary.missingBaselines)
    note("Other versions", report.differences)
    note(
      "Worse",
      report.comparison.performance.filter(\.isOpen).map { "\($0.key): \($0.summary)" })
    if !notes.isEmpty { lines += [""] + notes }
    let clusters = report.comparison.clusters
    if !clusters.isEmpty {
      lines += [
        "", "| | Change | Pages | Books | Follow | State | Cluster |", "| --- | --- | ---: | ---: | ---: | --- | --- |",
      ]
      for cluster in clusters.prefix(maximumClusters) {
        let state = cluster.decision?.rawValue ?? "**open**"
        lines.append(
          "| \(cluster.severity.name) | \(escape(cluster.summary)) | \(cluster.members.count) | \(cluster.books) "
            + "| \(cluster.consequences) | \(state) | `\(cluster.id)` |")
      }
      if clusters.count > maximumClusters {
        lines += ["", "and \(clusters.count - maximumClusters) more kinds of change"]
      }
    }
    if let accept, let first = report.openClusters.first {
      lines += ["", "```sh", "\(accept) --cluster \(first.id) --reason \"…\"", "```"]
    }
    return lines.prefix(maximumLines).joined(separator: "\n") + "\n"
  }

  /// Text that is nothing but text, also in a cell of a table.
  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "#", "!", "|", "~":
        result += "\\"
        result.unicodeScalars.append(scalar)
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // Neither names of people nor numbers of issues are meant.
      case "@": result += "&#64;"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > maximumLength ? result + "…" : result
  }

  private static let maximumLength = 240
}
