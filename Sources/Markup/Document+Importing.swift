package import Primitives

extension Document {
  /// A part of another document.
  package struct Fragment: Sendable {
    package var document: Document
    package var root: NodeID
    /// Attributes of the copy, which go before those of its own by the same names.
    package var addedAttributes: [(name: Atom, value: String)]

    package init(document: Document, root: NodeID, addedAttributes: [(name: Atom, value: String)] = []) {
      self.document = document
      self.root = root
      self.addedAttributes = addedAttributes
    }

    /// The nodes of the document that are copied.
    fileprivate var range: Range<Int> {
      let root = document.nodes[self.root.index]
      return self.root.index..<(root.kind == .text ? self.root.index + 1 : root.subtreeEnd.index)
    }
  }

  /// The document with copies of other documents' nodes as last children of `parent`, and the ids of these copies. The ids of all
  /// nodes before the end of `parent` stay.
  ///
  /// - Complexity: O(nodes behind `parent` + nodes and text of the documents that the fragments are from).
  package func importing(_ fragments: [Fragment], into parent: NodeID) -> (document: Document, roots: [NodeID]) {
    var result = self
    let start = nodes[parent.index].subtreeEnd.index
    let shift = fragments.reduce(0) { $0 + $1.range.count }
    func shifted(_ id: NodeID) -> NodeID { id.isNone || id.index < start ? id : NodeID(id.index + shift) }
    func shifted(_ node: Node) -> Node {
      var node = node
      node.parent = shifted(node.parent)
      node.firstChild = shifted(node.firstChild)
      node.lastChild = shifted(node.lastChild)
      node.nextSibling = shifted(node.nextSibling)
      node.previousSibling = shifted(node.previousSibling)
      return node
    }
    result.nodes = nodes.prefix(start).map { node in
      var moved = shifted(node)
      // A subtree that ends here without being around the parent ends before the copies.
      if node.subtreeEnd.index > start { moved.subtreeEnd = shifted(node.subtreeEnd) }
      return moved
    }
    let roots = fragments.map { result.append($0, to: parent) }
    for node in nodes[start...] {
      var moved = shifted(node)
      moved.subtreeEnd = shifted(node.subtreeEnd)
      result.nodes.append(moved)
    }
    // The parent, and what ends with it, end behind the copies.
    var ancestor = parent
    while !ancestor.isNone, nodes[ancestor.index].subtreeEnd.index == start {
      result.nodes[ancestor.index].subtreeEnd = NodeID(start + shift)
      ancestor = nodes[ancestor.index].parent
    }
    return (result, roots)
  }

  /// Appends a copy of a fragment to the nodes, which must end with the subtree of `parent`.
  private mutating func append(_ fragment: Fragment, to parent: NodeID) -> NodeID {
    let source = fragment.document
    let first = fragment.root.index
    let shift = nodes.count - first
    func moved(_ id: NodeID) -> NodeID { id.isNone ? id : NodeID(id.index + shift) }
    for index in fragment.range {
      var node = source.nodes[index]
      if node.kind == .text {
        node.range = copy(source.bytes(node.range))
      } else {
        let start = UInt32(attributes.count)
        if index == first {
          for (name, value) in fragment.addedAttributes {
            attributes.append(Attribute(namespace: .none, name: name, value: copy(Array(value.utf8)[...])))
          }
        }
        for index in node.range {
          var attribute = source.attributes[Int(index)]
          attribute.name = atom(attribute.name, of: source)
          attribute.value = copy(source.bytes(attribute.value))
          attributes.append(attribute)
        }
        node.range = start..<UInt32(attributes.count)
      }
      node.name = atom(node.name, of: source)
      node.firstChild = moved(node.firstChild)
      node.lastChild = moved(node.lastChild)
      node.subtreeEnd = node.subtreeEnd.isNone ? .none : moved(node.subtreeEnd)
      if index == first {
        node.parent = parent
        node.nextSibling = .none
        node.previousSibling = nodes[parent.index].lastChild
      } else {
        node.parent = moved(node.parent)
        node.nextSibling = moved(node.nextSibling)
        node.previousSibling = moved(node.previousSibling)
      }
      nodes.append(node)
    }
    let root = NodeID(first + shift)
    let previous = nodes[root.index].previousSibling
    if previous.isNone { nodes[parent.index].firstChild = root } else { nodes[previous.index].nextSibling = root }
    nodes[parent.index].lastChild = root
    return root
  }

  private mutating func copy(_ bytes: ArraySlice<UInt8>) -> Range<UInt32> {
    let start = UInt32(text.count)
    text += bytes
    return start..<UInt32(text.count)
  }

  private mutating func atom(_ name: Atom, of source: Document) -> Atom {
    name == .none || name.isStatic ? name : names.intern(source.names.name(of: name))
  }
}
