/// Workflow commands of GitHub Actions: an annotation for each kind of obstacle and each open cluster, the worst first,
/// at most ten.
package enum GitHubAnnotations {
  package static let maximum = 10

  /// - Parameter root: the folder of the work tree; paths of files are told from there.
  package static func text(_ report: RunReport, root: String = "") -> String {
    var lines = report.obstacleLines.map { kind, count, first in
      "::error title=\(escape(property: kind.rawValue))::\(escape(data: "\(count); \(first)"))"
    }
    let open = report.openClusters
    let maximum = maximum - lines.count
    for (index, cluster) in open.prefix(maximum).enumerated() {
      let level = cluster.severity == .high || cluster.decision == .regression ? "error" : "warning"
      var properties: [String] = []
      let place = report.place(of: cluster)
      if let file = place?.file { properties.append("file=" + escape(property: RunReport.relative(file, to: root))) }
      properties.append("title=" + escape(property: "\(cluster.kind.rawValue) \(cluster.id)"))
      var message = "\(cluster.summary): \(cluster.extent)"
      if let place, place.page != nil { message += "; see \(place.description)" }
      if index == maximum - 1, open.count > maximum { message += " (\(open.count - maximum) more in the report)" }
      lines.append("::\(level) \(properties.joined(separator: ","))::\(escape(data: message))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  static func escape(data text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case "\u{0}"..."\u{1F}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func escape(property text: String) -> String {
    var result = ""
    for character in escape(data: text).unicodeScalars {
      switch character {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
