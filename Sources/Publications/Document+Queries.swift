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
    value(of: names.lookup(attribute), on: id)
  }

  /// The value of an attribute by its name's atom, for readers of many elements; nil where the document has no such name.
  func value(of attribute: Atom?, on id: NodeID) -> String? { attribute.flatMap { attributeValue($0, of: id) } }

  /// The text below a node with white space collapsed and trimmed.
  func collapsedText(of id: NodeID) -> String {
    textContent(of: id).collapsed
  }

  func localName(of id: NodeID) -> String { names.name(of: nodes[id.index].name) }
}

extension String {
  /// The parts between white space. Most text of package documents is ASCII, whose bytes tell without a look at Unicode's tables.
  var words: [Substring] {
    guard isASCII else { return split(whereSeparator: \.isWhitespace) }
    return utf8.split(whereSeparator: Self.isSpace).map { Substring($0) }
  }

  /// The words with one space between them.
  var collapsed: String {
    guard isASCII else { return words.joined(separator: " ") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var isAfterSpace = false
    for byte in utf8 {
      if Self.isSpace(byte) {
        isAfterSpace = !bytes.isEmpty
      } else {
        if isAfterSpace { bytes.append(0x20) }
        isAfterSpace = false
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
}
