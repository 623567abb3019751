import Primitives

extension Document {
  /// The tree as text, one node a line, indented by level: `<name attr="value">` or `"text"`. For tests and debugging.
  package func dump() -> String {
    var lines = ""
    var level = 0
    var id = NodeID(1)
    var ends: [NodeID] = []
    while id.index < nodes.count {
      while let end = ends.last, id >= end {
        ends.removeLast()
        level -= 1
      }
      let node = nodes[id.index]
      lines += String(repeating: "  ", count: level)
      switch node.kind {
      case .text:
        lines += "\"" + string(node.range).replacingLineFeeds() + "\"\n"
      case .element:
        lines += "<" + prefix(node.namespace) + names.name(of: node.name)
        for attribute in attributes[Int(node.range.lowerBound)..<Int(node.range.upperBound)] {
          lines += " " + names.name(of: attribute.name) + "=\"" + string(attribute.value).replacingLineFeeds() + "\""
        }
        lines += ">\n"
        ends.append(node.subtreeEnd)
        level += 1
      case .document:
        break
      }
      id = NodeID(id.index + 1)
    }
    return lines
  }

  private func prefix(_ namespace: Namespace) -> String {
    switch namespace {
    case .html: ""
    case .none: "none:"
    default: "\(namespace):"
    }
  }
}

extension String {
  fileprivate func replacingLineFeeds() -> String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == "\n" { result += "\\n" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
