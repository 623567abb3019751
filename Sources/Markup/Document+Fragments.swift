package import Primitives

/// The places in a document that URLs lead to by their fragments (HTML, section 7.4.6.4, "potential indicated element").
extension Document {
  /// The fragments that an element may have: its `id`, and the `name` of an `a`.
  package func fragments(of id: NodeID) -> [String] {
    let isAnchor = isElement(id, .a)
    return [attributeValue(.id, of: id), isAnchor ? attributeValue(.name, of: id) : nil].compactMap {
      $0?.isEmpty == false ? $0 : nil
    }
  }

  /// The elements that fragments lead to, percent escapes resolved: of those with an equal `id` the first, else the first `a` with
  /// such a name. An attribute that holds escapes itself is also known by what they stand for, and the document begins at `top`,
  /// where nothing else has that name.
  ///
  /// - Complexity: O(attributes of the document).
  package func elementsByFragment() -> [String: NodeID] {
    var elements: [String: NodeID] = [:]
    var others: [(name: String, node: NodeID)] = []
    var escaped: [(name: String, node: NodeID)] = []
    for index in nodes.indices where nodes[index].kind == .element {
      let node = NodeID(index)
      for attribute in nodes[index].range.lazy.map({ attributes[Int($0)] }) {
        let isID = attribute.name == .id
        guard isID || attribute.name == .name && isElement(node, .a), !attribute.value.isEmpty else { continue }
        let name = string(attribute.value)
        if bytes(attribute.value).contains(0x25) { escaped.append((PercentEncoding.decoded(name), node)) }
        if !isID {
          others.append((name, node))
        } else if elements[name] == nil {
          elements[name] = node
        }
      }
    }
    for (name, node) in others + escaped where elements[name] == nil { elements[name] = node }
    if elements["top"] == nil, !root.isNone { elements["top"] = root }
    return elements
  }
}
