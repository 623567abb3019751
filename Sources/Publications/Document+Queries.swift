package import Markup
package import Primitives

/// Questions the readers of package documents ask; namespaces do not matter there, since books omit or misspell them.
extension Document {
  /// The number of an element among its siblings as EPUB CFI counts: 2, 4, 6 ...
  package func step(of element: NodeID) -> Int {
    var step = 2
    var sibling = self[element].previousSibling
    while !sibling.isNone {
      if self[sibling].kind == .element { step += 2 }
      sibling = self[sibling].previousSibling
    }
    return step
  }

  /// The elements below `id` with this local name, in document order.
  func descendants(of id: NodeID, named name: String) -> [NodeID] {
    guard !id.isNone, let atom = names.lookup(name) else { return [] }
    var found: [NodeID] = []
    for index in id.index..<nodes[id.index].subtreeEnd.index
    where nodes[index].kind == .element && nodes[index].name == atom {
      found.append(NodeID(index))
    }
    return found
  }

  func firstDescendant(of id: NodeID, named name: String) -> NodeID? {
    guard !id.isNone, let atom = names.lookup(name) else { return nil }
    for index in id.index..<nodes[id.index].subtreeEnd.index
    where nodes[index].kind == .element && nodes[index].name == atom {
      return NodeID(index)
    }
    return nil
  }

  func value(of attribute: String, on id: NodeID) -> String? {
    guard let atom = names.lookup(attribute), let value = attributeValue(atom, of: id) else { return nil }
    return value
  }

  /// The text below a node with white space collapsed and trimmed.
  func collapsedText(of id: NodeID) -> String {
    textContent(of: id).words.joined(separator: " ")
  }

  func localName(of id: NodeID) -> String { names.name(of: nodes[id.index].name) }
}

extension String {
  /// The parts between white space. Most text of package documents is ASCII, whose bytes tell without a look at Unicode's tables.
  var words: [Substring] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
    guard utf8.allSatisfy({ $0 < 0x80 }) else { return split(whereSeparator: \.isWhitespace) }
    return utf8.split(whereSeparator: isSpace).map { Substring($0) }
  }
}
