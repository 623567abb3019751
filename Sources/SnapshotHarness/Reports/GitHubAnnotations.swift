/// Workflow commands of GitHub Actions: an annotation for each open cluster, the worst first, at most ten.
package enum GitHubAnnotations {
  package static let maximum = 10

  /// - Parameter root: the folder of the work tree; paths of files are told from there.
  package static func text(_ report: RunReport, root: String = "") -> String {
    var lines: [String] = []
    let open = report.openClusters
    let paths = Dictionary(report.units.map { ($0.key.book, $0.path) }, uniquingKeysWith: { first, _ in first })
    for (index, cluster) in open.prefix(maximum).enumerated() {
      let level = cluster.severity == .high || cluster.decision == .regression ? "error" : "warning"
      var properties: [String] = []
      let place = cluster.representatives.first ?? cluster.members.first
      if let path = place.flatMap({ paths[$0.key.book] }), !path.isEmpty {
        properties.append("file=" + escape(property: relative(path, to: root)))
      }
      properties.append("title=" + escape(property: "\(cluster.kind.rawValue) \(cluster.id)"))
      var message = "\(cluster.summary): \(cluster.extent)"
      if let page = place?.newPage ?? place?.oldPage, let key = place?.key { message += "; see \(key) page \(page)" }
      if index == maximum - 1, open.count > maximum { message += " (\(open.count - maximum) more in the report)" }
      lines.append("::\(level) \(properties.joined(separator: ","))::\(escape(data: message))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  static func relative(_ path: String, to root: String) -> String {
    let folder = root.hasSuffix("/") ? root : root + "/"
    return !root.isEmpty && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
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
