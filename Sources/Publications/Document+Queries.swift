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

  /// The value of the attribute whose name differs from this at most in case: for what a package cannot do without.
  func value(of name: String, ignoringCaseOn id: NodeID) -> String? {
    let name = name.lowercased()
    guard self[id].kind == .element else { return nil }
    for index in self[id].range where names.name(of: attributes[Int(index)].name).lowercased() == name {
      return string(attributes[Int(index)].value)
    }
    return nil
  }

  /// The path that relative URLs on an element count from, by `xml:base` on it and the elements around it (XML Base); nil where
  /// that is outside of the book.
  func base(of id: NodeID, in path: String) -> String? {
    var own: [String] = []
    var element = id
    while !element.isNone {
      if self[element].kind == .element, let base = attributeValue(.xmlBase, of: element) { own.append(base) }
      element = self[element].parent
    }
    return own.reversed().reduce(path) { path, base in
      path.flatMap { path in
        ResourcePath.resolve(base, relativeTo: path).map { $0.path + (base.hasSuffix("/") ? "/" : "") }
      }
    }
  }

  /// The words below a node.
  func collapsedText(of id: NodeID) -> String {
    words(of: id)
  }

  func localName(of id: NodeID) -> String { names.name(of: nodes[id.index].name) }
}

extension String {
  /// The parts between white space.
  var words: [Substring] { collapsed.utf8.split(separator: 0x20).map { Substring($0) } }

  /// The words with one space between them.
  var collapsed: String {
    let source = Array(utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var isAfterSpace = false
    var index = 0
    while index < source.count {
      let length = Self.spaceLength(source[index...])
      if length > 0 {
        isAfterSpace = !bytes.isEmpty
        index += length
      } else {
        if isAfterSpace { bytes.append(0x20) }
        isAfterSpace = false
        bytes.append(source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The length of the character of white space (Unicode, White_Space) that UTF-8 begins with; 0 for any other.
  private static func spaceLength(_ bytes: ArraySlice<UInt8>) -> Int {
    let first = bytes[bytes.startIndex]
    if first < 0x80 { return first == 0x20 || first >= 0x09 && first <= 0x0D ? 1 : 0 }
    guard first == 0xC2 || first >= 0xE1 && first <= 0xE3 else { return 0 }
    let rest = bytes.dropFirst()
    guard let second = rest.first else { return 0 }
    if first == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard let third = rest.dropFirst().first else { return 0 }
    switch (first, second, third) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
      (0xE2, 0x81, 0x9F),
      (0xE3, 0x80, 0x80):
      return 3
    default: return 0
    }
  }
}
