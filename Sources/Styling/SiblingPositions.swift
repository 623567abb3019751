import Markup
import Primitives

/// The positions of elements among their siblings, for `:nth-child()` and its kin (Selectors 4, section 13), worked out for a
/// whole document at once: linear in its nodes.
struct SiblingPositions: Sendable {
  /// From the start and from the end, both from 1.
  struct Position: Sendable {
    var start: Int32 = 0
    var end: Int32 = 0
  }
  private(set) var all: [Position]
  /// Among siblings of the same name and namespace; empty until asked for.
  private var ofType: [Position] = []

  init(_ document: Document) {
    all = [Position](repeating: Position(), count: document.nodes.count)
    for parent in document.nodes where parent.kind != .text {
      var count: Int32 = 0
      var child = parent.firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element {
          count &+= 1
          all[child.index].start = count
        }
        child = document.nodes[child.index].nextSibling
      }
      child = parent.firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element { all[child.index].end = count &- all[child.index].start &+ 1 }
        child = document.nodes[child.index].nextSibling
      }
    }
  }

  mutating func ofType(_ node: NodeID, _ document: Document) -> Position {
    if ofType.isEmpty { countTypes(document) }
    return ofType[node.index]
  }

  private mutating func countTypes(_ document: Document) {
    ofType = [Position](repeating: Position(), count: document.nodes.count)
    var counts: [UInt64: Int32] = [:]
    for parent in document.nodes where parent.kind != .text && !parent.firstChild.isNone {
      counts.removeAll(keepingCapacity: true)
      var child = parent.firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element {
          let number = (counts[Self.type(of: document.nodes[child.index])] ?? 0) + 1
          counts[Self.type(of: document.nodes[child.index])] = number
          ofType[child.index].start = number
        }
        child = document.nodes[child.index].nextSibling
      }
      child = parent.firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element {
          let count = counts[Self.type(of: document.nodes[child.index])] ?? 0
          ofType[child.index].end = count - ofType[child.index].start + 1
        }
        child = document.nodes[child.index].nextSibling
      }
    }
  }

  private static func type(of node: Node) -> UInt64 {
    UInt64(node.namespace.rawValue) << 32 | UInt64(node.name.rawValue)
  }

  /// Positions among the siblings that some selector matches; zero for those it does not.
  struct Counted: Sendable {
    private var positions: [NodeID: Position] = [:]

    func position(of node: NodeID) -> Position? { positions[node] }

    mutating func record(_ matching: [NodeID], others: [NodeID]) {
      for (index, node) in matching.enumerated() {
        positions[node] = Position(start: Int32(index + 1), end: Int32(matching.count - index))
      }
      for node in others { positions[node] = Position() }
    }
  }
}
