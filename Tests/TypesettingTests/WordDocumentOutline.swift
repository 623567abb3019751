extension RandomDocument.Node {
  /// The value of a property in the element's own declarations.
  func value(of property: String) -> String? {
    style.last { $0.hasPrefix(property + ":") }.map { String($0.dropFirst(property.count + 2)) }
  }
  var id: String? { attributes.split(separator: "\"").dropFirst().first.map(String.init) }

  private var layOutItems: Bool { ["flex", "grid"].contains(value(of: "display")) }
  private var isTablePart: Bool { ["table", "thead", "tbody", "tfoot", "tr"].contains(name) }
  /// Each text that stands in it directly is in an anonymous box of its own.
  fileprivate var wrapsTexts: Bool { layOutItems || isTablePart }

  /// It ends where its height says, though its content does not.
  var isOverflowed: Bool { value(of: "height") != nil && name != "td" }
  /// A float at an edge of its page, or a note at its foot: it is not where its place in the text is.
  var isAtPageEdge: Bool { ["top", "bottom", "footnote"].contains(value(of: "float")) }
  var isPositioned: Bool { value(of: "position") == "absolute" }
  /// What goes on over pages beside the content around it, and not as part of it (CSS Fragmentation 3, section 2.1).
  fileprivate func beginsFlow(in parent: Self) -> Bool {
    ["td", "th", "caption"].contains(name) || value(of: "float") != nil || isPositioned || isOverflowed
      || value(of: "display") == "inline-block" || parent.layOutItems
  }
  /// The frame of the box around does not have to hold it.
  fileprivate var leavesFrame: Bool { value(of: "float") != nil || isPositioned || name == "caption" }
  var hasFrame: Bool { value(of: "border") != nil }
  /// It has an extent without content.
  var hasExtent: Bool { hasFrame || value(of: "height") != nil || value(of: "min-height") != nil }
  var isMulticol: Bool { value(of: "columns") != nil }

  /// Parts of tables stand in tables, items are elements, and positioned boxes have a containing block in the document: trees
  /// that a `WordDocument` is made of.
  var isWellFormed: Bool { isWellFormed(isContaining: false) }

  private func isWellFormed(isContaining: Bool) -> Bool {
    let contains = isContaining || value(of: "position") != nil
    let parents = ["td": "tr", "th": "tr", "caption": "table", "thead": "table", "tbody": "table", "tfoot": "table"]
    return children.allSatisfy { child in
      (parents[child.name].map { $0 == name } ?? (isTablePart ? child.name == "tr" && name != "tr" : true))
        && (child.name != "tr" || isTablePart) && !(child.name.isEmpty && wrapsTexts)
        && (contains || !child.isPositioned)
        && child.isWellFormed(isContaining: contains)
    }
  }
}

/// The boxes and the words of a `WordDocument` in order: which flow a word is in, and which boxes hold it.
struct WordDocumentOutline {
  typealias Node = RandomDocument.Node

  struct Word {
    var string: String
    /// The number of the flow that it goes on in.
    var flow: Int
    /// The names of the multi-column boxes around it.
    var multicols: [String]
    /// The names of the boxes whose frames hold it.
    var frames: [String]
    /// It stands in a header or footer that each page of its table has.
    var isRepeated: Bool
  }

  private(set) var words: [Word] = []
  private(set) var boxes: [String: Node] = [:]
  /// Positioned boxes that are measured from the end of their containing block: they may stand above that.
  private(set) var movedUp: Set<String> = []
  /// A page may be left out so that the next one is of the side that a break asks for.
  private(set) var asksForSides = false
  private var flows = 1

  init(of body: Node) {
    add(body, Around(flow: 0))
  }

  private struct Around {
    var flow: Int
    var multicols: [String] = []
    var frames: [String] = []
    var isRepeated = false
  }

  private mutating func add(_ node: Node, _ around: Around) {
    var inside = around
    if let id = node.id {
      boxes[id] = node
      if node.isPositioned, node.value(of: "bottom") != nil { movedUp.insert(id) }
      if node.isOverflowed { inside.frames = [] } else if node.hasFrame { inside.frames.append(id) }
      if node.isMulticol { inside.multicols.append(id) }
    }
    if ["thead", "tfoot"].contains(node.name) { inside.isRepeated = true }
    if node.style.contains(where: { $0.hasPrefix("break") && ($0.hasSuffix("left") || $0.hasSuffix("right")) }) {
      asksForSides = true
    }
    for child in node.children {
      var place = inside
      if child.name.isEmpty ? node.wrapsTexts : child.beginsFlow(in: node) {
        place.flow = flows
        flows += 1
      }
      if child.leavesFrame { place.frames = [] }
      if child.isAtPageEdge { place.multicols = [] }
      guard child.name.isEmpty else {
        add(child, place)
        continue
      }
      for string in child.text.split(separator: " ") {
        words.append(
          Word(
            string: String(string), flow: place.flow, multicols: place.multicols, frames: place.frames,
            isRepeated: place.isRepeated))
      }
    }
  }
}
