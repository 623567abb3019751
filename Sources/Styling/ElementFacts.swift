import Markup
import Primitives

/// The places of elements among their siblings, worked out for a whole document at once: linear in its nodes.
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

/// The content language of every element (HTML, section 3.2.6.2), for `:lang()`.
struct ElementLanguages: Sendable {
  /// Lower case; 0 is no language.
  private var tags = [""]
  private var tagOf: [UInt32]
  private var memo: [UInt64: Bool] = [:]

  /// - Parameter language: That of the publication, where the document says nothing.
  init(_ document: Document, default language: String) {
    tagOf = [UInt32](repeating: 0, count: document.nodes.count)
    var ids = ["": UInt32(0)]
    if let tag = Self.pragma(document) ?? (language.isEmpty ? nil : language) {
      // The document node has it, so it comes down to all that say nothing else.
      ids[tag] = 1
      tags.append(tag)
      tagOf[Document.documentNode.index] = 1
    }
    for (index, node) in document.nodes.enumerated() where node.kind == .element {
      if !node.parent.isNone { tagOf[index] = tagOf[node.parent.index] }
      // The attribute of XML wins over that of HTML.
      guard
        let value = document.attribute(.xmlLang, of: NodeID(index)) ?? document.attribute(.lang, of: NodeID(index))
      else { continue }
      let tag = document.string(value).lowercased()
      if let known = ids[tag] {
        tagOf[index] = known
      } else {
        ids[tag] = UInt32(tags.count)
        tagOf[index] = UInt32(tags.count)
        tags.append(tag)
      }
    }
  }

  /// The default language of a `<meta http-equiv="content-language">` (HTML, section 4.2.5.3).
  private static func pragma(_ document: Document) -> String? {
    var element = document.root
    guard !element.isNone else { return nil }
    // Such elements stand in the head: the search ends where text blocks may begin.
    while element.index < document.nodes.count, !document.isElement(element, .body) {
      if document.isElement(element, .meta),
        document.attributeValue(.httpEquiv, of: element)?.lowercased() == "content-language",
        let content = document.attributeValue(.content, of: element), !content.contains(",")
      {
        return content.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() }
      }
      element = NodeID(rawValue: element.rawValue + 1)
    }
    return nil
  }

  /// - Parameters:
  ///   - simple: names the selector, so that its answer for a language is found once.
  ///   - ranges: in lower case.
  mutating func matches(_ node: NodeID, simple: UInt32, ranges: ArraySlice<String>) -> Bool {
    let id = tagOf[node.index]
    let key = UInt64(simple) << 32 | UInt64(id)
    if let known = memo[key] { return known }
    let tag = tags[Int(id)]
    let result = ranges.contains { Self.matches(tag: tag, range: $0) }
    memo[key] = result
    return result
  }

  /// Extended filtering (RFC 4647, section 3.3.2).
  static func matches(tag: String, range: String) -> Bool {
    if range.isEmpty || tag.isEmpty { return range == tag }
    let tags = tag.split(separator: "-", omittingEmptySubsequences: false)
    let ranges = range.split(separator: "-", omittingEmptySubsequences: false)
    guard ranges[0] == "*" || ranges[0] == tags[0] else { return false }
    var index = 1
    for wanted in ranges.dropFirst() where wanted != "*" {
      while index < tags.count, tags[index] != wanted {
        // A singleton starts an extension, which is not passed over.
        if tags[index].utf8.count == 1 { return false }
        index += 1
      }
      guard index < tags.count else { return false }
      index += 1
    }
    return true
  }
}

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

  /// Whether the first letter with a direction runs from right to left; nil when there is none in the first kilobytes.
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
