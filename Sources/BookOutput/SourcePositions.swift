import Markup
import Primitives
import Typesetting

/// The position of text in its document, in the terms of EPUB CFI 1.1: steps to an element, UTF-16 offsets in its text.
struct SourcePositions {
  private let source: ChapterSource
  /// By node: its number among its siblings' steps.
  private let numbers: [UInt32]
  private var steps: [NodeID: String] = [:]
  private var document: Document { source.document }

  init(_ document: Document) {
    source = ChapterSource(document)
    var numbers = [UInt32](repeating: 0, count: document.nodes.count)
    for (index, node) in document.nodes.enumerated() {
      let previous = node.previousSibling
      let earlier = previous.isNone || previous.index >= index ? 0 : numbers[previous.index]
      numbers[index] = earlier &+ (node.kind == .element ? 2 : 0)
    }
    self.numbers = numbers
  }

  /// The offset of a place in a text node from the start of an element around it.
  func offset(of node: NodeID, _ offset: Int, in element: NodeID) -> Int {
    guard source.contains(node), source.contains(element) else { return 0 }
    return Swift.max(0, source.units(before: node) - source.units(before: element) + offset)
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
