import Markup
import Primitives

/// Where text lies in its document, in the terms of EPUB CFI 1.1: steps to an element, UTF-16 offsets in its text.
struct SourcePositions {
  private let document: Document
  /// By node: UTF-16 units of all text nodes before it.
  private let unitsBefore: [UInt32]
  /// By node: its number among its siblings' steps.
  private let numbers: [UInt32]
  private var steps: [NodeID: String] = [:]

  init(_ document: Document) {
    self.document = document
    var before: [UInt32] = []
    before.reserveCapacity(document.nodes.count + 1)
    var total: UInt32 = 0
    for node in document.nodes {
      before.append(total)
      if node.kind == .text { total &+= Self.utf16Count(document.bytes(node.range)) }
    }
    before.append(total)
    unitsBefore = before
    var numbers = [UInt32](repeating: 0, count: document.nodes.count)
    for (index, node) in document.nodes.enumerated() {
      let previous = node.previousSibling
      let earlier = previous.isNone || previous.index >= index ? 0 : numbers[previous.index]
      numbers[index] = earlier &+ (node.kind == .element ? 2 : 0)
    }
    self.numbers = numbers
  }

  /// UTF-16 units of UTF-8 bytes: one for each sequence, two for those of four bytes.
  static func utf16Count(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var count: UInt32 = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count &+= byte >= 0xF0 ? 2 : 1 }
    return count
  }

  /// The offset of a place in a text node from the start of an element around it.
  func offset(of node: NodeID, _ offset: Int, in element: NodeID) -> Int {
    guard !node.isNone, !element.isNone, node.index < unitsBefore.count, element.index < unitsBefore.count else {
      return 0
    }
    return Swift.max(0, Int(unitsBefore[node.index]) - Int(unitsBefore[element.index]) + offset)
  }

  /// The steps from the document's root element to an element: even numbers count element children.
  mutating func path(to element: NodeID) -> String {
    guard !element.isNone, element.index < document.nodes.count else { return "" }
    if let known = steps[element] { return known }
    var path: [Int] = []
    var node = element
    let root = document.root
    while !node.isNone, node != root, node != Document.documentNode {
      path.append(Int(numbers[node.index]))
      node = document[node].parent
      if !node.isNone, let known = steps[node] {
        let text = known + path.reversed().map { "/\($0)" }.joined()
        steps[element] = text
        return text
      }
    }
    let text = path.reversed().map { "/\($0)" }.joined()
    steps[element] = text
    return text
  }
}
