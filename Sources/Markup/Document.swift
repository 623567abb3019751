package import Primitives

/// The namespace of an element or attribute.
/// Public because nothing less is compared without a call.
@frozen public enum Namespace: UInt8, Hashable, Sendable {
  case none, html, svg, mathML, epub, xml, xlink, opf, ncx, dublinCore, container, encryption, smil, other
}

/// Public because nothing less is compared without a call.
@frozen public enum NodeKind: UInt8, Hashable, Sendable {
  case document, element, text
}

/// One node of a `Document`: a trivial value of links and ranges.
///
/// Comments and processing instructions are not kept; the text around them stays separate nodes, joined by those who count
/// characters (EPUB CFI 1.1, section 3.1.1).
package struct Node: Sendable {
  package var kind: NodeKind
  package var namespace: Namespace
  /// Local name of an element; `.none` for others.
  package var name: Atom
  package var parent: NodeID
  package var firstChild: NodeID
  package var lastChild: NodeID
  package var nextSibling: NodeID
  package var previousSibling: NodeID
  /// An element's attributes in `Document.attributes`, or a text's bytes in `Document.text`.
  package var range: Range<UInt32>
  /// The first id after this node's subtree: nodes are in preorder, so the subtree is `id ..< subtreeEnd`.
  package var subtreeEnd: NodeID
  /// Line of the source, from 1.
  package var line: UInt32

  package init(
    kind: NodeKind, namespace: Namespace = .none, name: Atom = .none, parent: NodeID, range: Range<UInt32>, line: UInt32
  ) {
    self.kind = kind
    self.namespace = namespace
    self.name = name
    self.parent = parent
    firstChild = .none
    lastChild = .none
    nextSibling = .none
    previousSibling = .none
    self.range = range
    subtreeEnd = .none
    self.line = line
  }
}

package struct Attribute: Sendable {
  package var namespace: Namespace
  /// Local name, except that names of the EPUB, XML and XLink namespaces are the static prefixed atoms (`epub:type`,
  /// `xml:lang`, `xlink:href`) whatever prefix the source used.
  package var name: Atom
  /// The value's UTF-8 bytes in `Document.text`.
  package var value: Range<UInt32>

  package init(namespace: Namespace, name: Atom, value: Range<UInt32>) {
    self.namespace = namespace
    self.name = name
    self.value = value
  }
}

/// A parsed markup document: nodes in preorder, immutable once a reader has returned it.
///
/// Node 0 is the document itself. All text and attribute values lie in one UTF-8 buffer. Elements nested deeper than
/// `Limits.depth` have been attached to the last level allowed, so recursion over the tree is bounded.
package struct Document: Sendable {
  package enum Mode: UInt8, Sendable { case noQuirks, limitedQuirks, quirks }

  package var nodes: [Node] = []
  package var attributes: [Attribute] = []
  /// UTF-8 of all text and attribute values.
  package var text: [UInt8] = []
  package var names = AtomTable()
  package var mode = Mode.noQuirks
  /// The source was read as XML (names are then case-sensitive in selectors).
  package var isXML = false
  /// Elements were nested deeper than `Limits.depth`.
  package var isTooDeep = false
  /// The style sheets that processing instructions name.
  package var styleSheets: [StyleSheetInstruction] = []
  /// The encoding the bytes were read in.
  package var encoding = TextEncoding(name: "UTF-8", guess: .none)

  package init() {}

  package static let documentNode = NodeID(0)

  /// About the memory it takes, in bytes.
  package var byteCount: Int {
    text.count + nodes.count * MemoryLayout<Node>.stride + attributes.count * MemoryLayout<Attribute>.stride
  }
  package subscript(id: NodeID) -> Node { nodes[id.index] }

  /// The first element child of the document, `.none` for an empty document.
  package var root: NodeID {
    guard !nodes.isEmpty else { return .none }
    var child = nodes[0].firstChild
    while !child.isNone, nodes[child.index].kind != .element { child = nodes[child.index].nextSibling }
    return child
  }

  /// The range of `name`'s value in `text`, nil when the element has no such attribute.
  ///
  /// - Complexity: O(attributes of the element).
  package func attribute(_ name: Atom, of id: NodeID) -> Range<UInt32>? {
    let node = nodes[id.index]
    guard node.kind == .element else { return nil }
    for index in node.range where attributes[Int(index)].name == name { return attributes[Int(index)].value }
    return nil
  }
  package func attributeValue(_ name: Atom, of id: NodeID) -> String? { attribute(name, of: id).map { string($0) } }
  package func bytes(_ range: Range<UInt32>) -> ArraySlice<UInt8> {
    text[Int(range.lowerBound)..<Int(range.upperBound)]
  }
  package func string(_ range: Range<UInt32>) -> String { String(decoding: bytes(range), as: UTF8.self) }

  /// An integer attribute by HTML's rules: digits after white space and a sign; what follows them is ignored. Numbers out of
  /// range are nil or, with `clamps`, the last ones in it; nil, too, when the element has no such attribute.
  package func integer(_ name: Atom, of id: NodeID, clamps: Bool = false) -> Int32? {
    guard let range = attribute(name, of: id) else { return nil }
    var value: Int32 = 0
    var isNegative = false
    var digits = 0
    for byte in bytes(range) {
      switch byte {
      case 0x30...0x39:
        digits += 1
        let (product, first) = value.multipliedReportingOverflow(by: 10)
        let (sum, second) = product.addingReportingOverflow(Int32(byte) - 0x30)
        if first || second { return clamps ? isNegative ? .min : .max : nil }
        value = sum
      case 0x2D where digits == 0 && !isNegative: isNegative = true
      case _ where digits == 0 && (byte <= 0x20 || byte == 0x2B): continue
      default: return digits == 0 ? nil : isNegative ? -value : value
      }
    }
    return digits == 0 ? nil : isNegative ? -value : value
  }

  /// The value of an attribute of a drawing, whose name may be of mixed case: HTML may have it in lower case.
  package func drawingAttribute(_ name: String, of id: NodeID) -> String? {
    func value(_ name: String) -> String? { names.lookup(name).flatMap { attributeValue($0, of: id) } }
    return value(name) ?? value(name.lowercased())
  }

  /// The elements that have an id, each id's first.
  package func elementsByID() -> [String: NodeID] {
    var elements: [String: NodeID] = [:]
    for index in nodes.indices where nodes[index].kind == .element {
      if let id = attributeValue(.id, of: NodeID(index)), elements[id] == nil { elements[id] = NodeID(index) }
    }
    return elements
  }

  package func isElement(_ id: NodeID, _ name: Atom, in namespace: Namespace = .html) -> Bool {
    guard !id.isNone else { return false }
    let node = nodes[id.index]
    return node.kind == .element && node.name == name && node.namespace == namespace
  }

  /// The element is the head of an HTML document or metadata content: it is never shown, and its `epub:type` and `role`
  /// say nothing (EPUB Reading Systems 3.3, structural semantics).
  package func isMetadata(_ id: NodeID) -> Bool {
    var node = id
    while !node.isNone, nodes[node.index].kind == .element {
      if nodes[node.index].namespace == .html {
        switch nodes[node.index].name {
        case .head, .title, .meta, .link, .base, .style, .script: return true
        default: break
        }
      }
      node = nodes[node.index].parent
    }
    return false
  }

  /// The children of a node, in order.
  package func children(of id: NodeID) -> ChildSequence {
    ChildSequence(nodes: nodes, upcoming: nodes[id.index].firstChild)
  }

  /// The child that an element holds beside white space; nil where there is none, or more.
  package func onlyChild(of id: NodeID) -> NodeID? {
    var only: NodeID?
    for child in children(of: id) {
      let node = nodes[child.index]
      if node.kind == .text {
        guard bytes(node.range).allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else { return nil }
      } else {
        guard only == nil else { return nil }
        only = child
      }
    }
    return only
  }

  package struct ChildSequence: Sequence, IteratorProtocol {
    let nodes: [Node]
    var upcoming: NodeID
    package mutating func next() -> NodeID? {
      guard !upcoming.isNone else { return nil }
      defer { upcoming = nodes[upcoming.index].nextSibling }
      return upcoming
    }
  }

  /// All text below a node, as it stands.
  package func textContent(of id: NodeID, limit: Int = .max) -> String {
    var collected: [UInt8] = []
    let end = nodes[id.index].subtreeEnd
    var index = id.index
    while index < end.index, collected.count < limit {
      if nodes[index].kind == .text { collected += bytes(nodes[index].range) }
      index += 1
    }
    return String(decoding: collected, as: UTF8.self)
  }
}
