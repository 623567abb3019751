import Markup
import Primitives

/// The directionality of every element (HTML, section 3.2.6.4), for `:dir()`.
struct ElementDirections: Sendable {
  private var isRTL: [Bool]

  init(_ document: Document) {
    isRTL = [Bool](repeating: false, count: document.nodes.count)
    for (index, node) in document.nodes.enumerated() where node.kind == .element {
      if !node.parent.isNone { isRTL[index] = isRTL[node.parent.index] }
      guard node.namespace == .html else { continue }
      let id = NodeID(index)
      switch document.attributeValue(.dir, of: id)?.lowercased() {
      case "ltr": isRTL[index] = false
      case "rtl": isRTL[index] = true
      case "auto": isRTL[index] = Self.firstStrongIsRTL(id, document) ?? false
      default: if node.name == .bdi { isRTL[index] = Self.firstStrongIsRTL(id, document) ?? false }
      }
    }
  }

  func isRightToLeft(_ node: NodeID) -> Bool { isRTL[node.index] }

  /// The first letter with a direction runs from right to left; nil when there is none in the first kilobytes.
  private static func firstStrongIsRTL(_ id: NodeID, _ document: Document) -> Bool? {
    var budget = 4096
    var index = id.index
    while index < document.nodes[id.index].subtreeEnd.index, budget > 0 {
      let node = document.nodes[index]
      index += 1
      guard node.kind == .text else { continue }
      for scalar in String(decoding: document.bytes(node.range).prefix(budget), as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: if scalar.properties.isAlphabetic { return false }
        }
      }
      budget -= node.range.count
    }
    return nil
  }
}
