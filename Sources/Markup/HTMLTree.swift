import Primitives

/// The tree HTML's parser works on: nodes may still move, which those of a `Document` may not.
struct HTMLTree {
  enum Kind: UInt8 { case root, element, text, comment }

  struct Node {
    var kind: Kind
    var namespace = Namespace.html
    /// The name as the document has it; for SVG with its capitals.
    var name = Atom.none
    /// The name as tags spell it, in lower case.
    var tag = Atom.none
    var attributes: [HTMLTag.Attribute] = []
    /// Bytes of a text in `text`.
    var range: Range<Int> = 0..<0
    var line: UInt32
    /// The element is on the stack of open elements.
    var isOpen = false
    var parent = -1
    var firstChild = -1
    var lastChild = -1
    var next = -1
    var previous = -1
  }

  private(set) var nodes: [Node] = [Node(kind: .root, line: 1)]
  private var text: [UInt8] = []

  subscript(index: Int) -> Node {
    get { nodes[index] }
    _modify { yield &nodes[index] }
  }

  mutating func make(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds bytes of text as a node of its own, before `sibling` or at the end. Neighbours become one in the document.
  mutating func insertText(_ bytes: Span<UInt8>, in parent: Int, before sibling: Int, line: UInt32) {
    let start = text.count
    text.append(contentsOf: bytes)
    let last = sibling < 0 ? nodes[parent].lastChild : nodes[sibling].previous
    if last >= 0, nodes[last].kind == .text, nodes[last].range.upperBound == start {
      nodes[last].range = nodes[last].range.lowerBound..<text.count
      return
    }
    let node = make(Node(kind: .text, range: start..<text.count, line: line))
    insert(node, in: parent, before: sibling)
  }

  mutating func insert(_ node: Int, in parent: Int, before sibling: Int = -1) {
    nodes[node].parent = parent
    nodes[node].next = sibling
    let previous = sibling < 0 ? nodes[parent].lastChild : nodes[sibling].previous
    nodes[node].previous = previous
    if previous < 0 { nodes[parent].firstChild = node } else { nodes[previous].next = node }
    if sibling < 0 { nodes[parent].lastChild = node } else { nodes[sibling].previous = node }
  }

  mutating func remove(_ node: Int) {
    let (parent, previous, next) = (nodes[node].parent, nodes[node].previous, nodes[node].next)
    guard parent >= 0 else { return }
    if previous < 0 { nodes[parent].firstChild = next } else { nodes[previous].next = next }
    if next < 0 { nodes[parent].lastChild = previous } else { nodes[next].previous = previous }
    nodes[node].parent = -1
    nodes[node].previous = -1
    nodes[node].next = -1
  }

  /// Moves all children of `node` to the end of `target`.
  mutating func moveChildren(of node: Int, to target: Int) {
    while nodes[node].firstChild >= 0 {
      let child = nodes[node].firstChild
      remove(child)
      insert(child, in: target)
    }
  }

  /// Writes the tree to an arena, in preorder.
  func write(to arena: inout NodeArena) {
    var node = nodes[0].firstChild
    while node >= 0 {
      switch nodes[node].kind {
      case .element:
        arena.startElement(nodes[node].name, in: nodes[node].namespace, line: nodes[node].line)
        for attribute in nodes[node].attributes {
          arena.addAttribute(attribute.name, in: attribute.namespace, value: attribute.value.span)
        }
      case .text:
        arena.addText(text.span.extracting(nodes[node].range), line: nodes[node].line)
      case .comment:
        arena.separateText()
      case .root:
        break
      }
      if nodes[node].firstChild >= 0 {
        node = nodes[node].firstChild
        continue
      }
      if nodes[node].kind == .element { arena.endElement() }
      while node > 0, nodes[node].next < 0 {
        node = nodes[node].parent
        if node > 0 { arena.endElement() }
      }
      if node <= 0 { break }
      node = nodes[node].next
    }
  }
}
