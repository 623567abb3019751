import Primitives

/// Fills a `Document` from parse events, in preorder.
///
/// Elements deeper than `Limits.depth` become children of the last level allowed, as in browsers; the events stay
/// balanced for the caller, who never sees the difference.
struct NodeArena {
  private(set) var document = Document()
  /// Elements the caller has opened, also those beyond the depth limit.
  private(set) var depth = 0
  /// The limit `Limits.nodes` was reached: all later nodes are dropped.
  private(set) var isFull = false
  /// Elements stood deeper than the last level allowed.
  private(set) var isTooDeep = false
  private var open: [NodeID] = [Document.documentNode]
  private let deepest: Int
  private let mostNodes: Int
  /// Set by a comment or processing instruction: the next text becomes a node of its own.
  private var separatesText = false

  init(limits: Limits, names: AtomTable = AtomTable()) {
    document.names = names
    deepest = min(max(limits.depth, 2), Limits.greatestDepth)
    mostNodes = max(limits.nodes, 16)
    document.nodes.append(Node(kind: .document, parent: .none, range: 0..<0, line: 1))
  }

  /// Makes room for text: memory that is not written to costs nothing, growing by copies does.
  mutating func reserve(textBytes: Int) { document.text.reserveCapacity(textBytes) }

  /// The innermost open node.
  var current: NodeID { open[open.count - 1] }
  var currentName: Atom { document.nodes[current.index].name }
  var currentNamespace: Namespace { document.nodes[current.index].namespace }
  /// The open elements from the outermost, the document first.
  var ancestors: ArraySlice<NodeID> { open[...] }

  mutating func intern(_ name: String) -> Atom { document.names.intern(name) }

  mutating func setProperties(mode: Document.Mode, isXML: Bool, encoding: String) {
    document.mode = mode
    document.isXML = isXML
    document.encoding = TextEncoding(name: encoding, guess: .none)
  }

  mutating func startElement(_ name: Atom, in namespace: Namespace, line: UInt32) {
    depth += 1
    guard !isFull else { return }
    if open.count > deepest {
      isTooDeep = true
      closeInnermost()
    }
    let first = UInt32(truncatingIfNeeded: document.attributes.count)
    open.append(
      append(Node(kind: .element, namespace: namespace, name: name, parent: current, range: first..<first, line: line)))
    separatesText = false
  }

  /// Adds an attribute to the element just started.
  mutating func addAttribute(_ name: Atom, in namespace: Namespace, value: Span<UInt8>) {
    guard !isFull else { return }
    let start = UInt32(truncatingIfNeeded: document.text.count)
    document.text.append(contentsOf: value)
    document.attributes.append(
      Attribute(
        namespace: namespace, name: name, value: start..<UInt32(truncatingIfNeeded: document.text.count)))
    let element = current.index
    document.nodes[element].range =
      document.nodes[element].range.lowerBound..<UInt32(truncatingIfNeeded: document.attributes.count)
  }

  mutating func addAttribute(_ name: Atom, in namespace: Namespace = .none, value: String) {
    addAttribute(name, in: namespace, value: value.utf8Span.span)
  }

  mutating func endElement() {
    guard depth > 0 else { return }
    if depth > deepest {
      if open.count - 1 >= deepest { closeInnermost() }
    } else {
      while open.count - 1 >= depth { closeInnermost() }
    }
    depth -= 1
  }

  /// Ends elements until only `depth` are open.
  mutating func close(to target: Int) {
    while depth > target { endElement() }
  }

  mutating func addText(_ bytes: Span<UInt8>, line: UInt32) {
    guard !bytes.isEmpty, !isFull else { return }
    let start = UInt32(truncatingIfNeeded: document.text.count)
    document.text.append(contentsOf: bytes)
    let end = UInt32(truncatingIfNeeded: document.text.count)
    let parent = current
    let last = document.nodes[parent.index].lastChild
    if !separatesText, !last.isNone, document.nodes[last.index].kind == .text,
      document.nodes[last.index].range.upperBound == start
    {
      document.nodes[last.index].range = document.nodes[last.index].range.lowerBound..<end
      return
    }
    separatesText = false
    let node = append(Node(kind: .text, parent: parent, range: start..<end, line: line))
    document.nodes[node.index].subtreeEnd = NodeID(document.nodes.count)
  }

  mutating func addText(_ text: String, line: UInt32) {
    addText(text.utf8Span.span, line: line)
  }

  /// Notes that something stood here that is not kept, so that the texts on both sides stay apart.
  mutating func separateText() { separatesText = true }

  /// Closes what is open and returns the document.
  mutating func finish() -> Document {
    while !open.isEmpty { closeInnermost() }
    depth = 0
    document.isTooDeep = isTooDeep
    return document
  }

  private mutating func closeInnermost() {
    guard let node = open.popLast() else { return }
    document.nodes[node.index].subtreeEnd = NodeID(document.nodes.count)
    separatesText = false
  }

  private mutating func append(_ node: Node) -> NodeID {
    let id = NodeID(document.nodes.count)
    var node = node
    let parent = node.parent.index
    node.previousSibling = document.nodes[parent].lastChild
    if node.previousSibling.isNone {
      document.nodes[parent].firstChild = id
    } else {
      document.nodes[node.previousSibling.index].nextSibling = id
    }
    document.nodes[parent].lastChild = id
    document.nodes.append(node)
    if document.nodes.count >= mostNodes { isFull = true }
    return id
  }
}
