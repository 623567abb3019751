package import Primitives

extension Document {
  /// A part of another document.
  package struct Fragment: Sendable {
    package var document: Document
    package var root: NodeID
    /// Attributes of the copy, which go before those of its own by the same names.
    package var addedAttributes: [(name: Atom, value: String)]
    /// An element of the same document: a copy of it that holds nothing else is the parent of the root's. `.none` for
    /// none.
    package var parent: NodeID

    package init(
      document: Document, root: NodeID, addedAttributes: [(name: Atom, value: String)] = [], parent: NodeID = .none
    ) {
      self.document = document
      self.root = root
      self.addedAttributes = addedAttributes
      self.parent = parent
    }

    /// The number of nodes that its copy has.
    fileprivate var count: Int { range.count + (parent.isNone ? 0 : 1) }

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
    let shift = fragments.reduce(0) { $0 + $1.count }
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
    let roots = fragments.map { fragment in
      fragment.parent.isNone
        ? result.append(fragment, to: parent)
        : result.append(fragment, to: result.appendShell(of: fragment, to: parent))
    }
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

  /// Appends a copy of a fragment's parent, which holds nothing yet, to the nodes, which must end with the subtree of
  /// `parent`.
  private mutating func appendShell(of fragment: Fragment, to parent: NodeID) -> NodeID {
    let source = fragment.document
    var node = source.nodes[fragment.parent.index]
    let id = NodeID(nodes.count)
    node.range = copyAttributes(node.range, of: source)
    node.name = atom(node.name, of: source)
    (node.firstChild, node.lastChild) = (.none, .none)
    node.subtreeEnd = NodeID(nodes.count + fragment.count)
    nodes.append(node)
    link(id, to: parent)
    return id
  }

  /// Makes a node the last child of `parent`.
  private mutating func link(_ node: NodeID, to parent: NodeID) {
    let previous = nodes[parent.index].lastChild
    nodes[node.index].parent = parent
    nodes[node.index].nextSibling = .none
    nodes[node.index].previousSibling = previous
    if previous.isNone { nodes[parent.index].firstChild = node } else { nodes[previous.index].nextSibling = node }
    nodes[parent.index].lastChild = node
  }

  private mutating func copyAttributes(_ range: Range<UInt32>, of source: Document) -> Range<UInt32> {
    let start = UInt32(attributes.count)
    for index in range {
      var attribute = source.attributes[Int(index)]
      attribute.name = atom(attribute.name, of: source)
      attribute.value = copy(source.bytes(attribute.value))
      attributes.append(attribute)
    }
    return start..<UInt32(attributes.count)
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
        node.range = start..<copyAttributes(node.range, of: source).upperBound
      }
      node.name = atom(node.name, of: source)
      node.firstChild = moved(node.firstChild)
      node.lastChild = moved(node.lastChild)
      node.subtreeEnd = node.subtreeEnd.isNone ? .none : moved(node.subtreeEnd)
      if index != first {
        node.parent = moved(node.parent)
        node.nextSibling = moved(node.nextSibling)
        node.previousSibling = moved(node.previousSibling)
      }
      nodes.append(node)
    }
    let root = NodeID(first + shift)
    link(root, to: parent)
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
