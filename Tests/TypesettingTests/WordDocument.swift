import TestSupport

/// A document of nested boxes on small pages whose every line is one word that stands nowhere else in it: where each has gone can be
/// told without another engine. A seed gives the same document in each run.
struct WordDocument {
  typealias Node = RandomDocument.Node

  var body: Node
  /// In CSS px; pages have no margins.
  let page: (width: Int, height: Int)
  /// Pages of paper, which cut boxes that a screen's would move.
  let isPrinted: Bool

  init(seed: UInt64) {
    var maker = WordDocumentMaker(seed: seed)
    isPrinted = seed % 2 == 0
    page = (maker.number(20...28) * 10, maker.number(8...16) * 10)
    body = Node(name: "body", children: maker.flow(in: WordDocumentMaker.Surroundings(inline: page.width)))
  }

  private init(_ other: Self, body: Node) {
    self = other
    self.body = body
  }

  /// The smallest document that a step at a time leads to while it still fails.
  func shrunk(while fails: (Self) async -> Bool) async -> Self {
    Self(self, body: await body.shrunk { await fails(Self(self, body: $0)) })
  }

  /// Words of a text are a line each.
  var markup: String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Words</title><style>\(Self.sheet)</style></head>\
    \(Self.inLines(body).markup)</html>
    """
  }

  private static let sheet = """
    html { font: 10px Square; orphans: 1; widows: 1 } body, p { margin: 0 } table { border-spacing: 2px } td, th { padding: 0 }
    """

  private static func inLines(_ node: Node) -> Node {
    var copy = node
    copy.text = node.text.split(separator: " ").map { $0 + "<br/>" }.joined()
    copy.children = node.children.map(inLines)
    return copy
  }
}

/// Makes the boxes of a `WordDocument`.
struct WordDocumentMaker {
  typealias Node = RandomDocument.Node

  /// What there is around a box that is to be made.
  struct Surroundings {
    /// Boxes around it.
    var depth = 0
    /// CSS px that its lines have at least.
    var inline: Int
    /// It is of the flow of the pages: a forced break in it, or a float of the page, is not one of another flow.
    var isMain = true
    var isInColumns = false
    /// A positioned box in it has its containing block.
    var isPositioned = false

    /// Those of a box that takes so much of the room along the lines.
    func inside(taking edges: Int = 0, isMain: Bool = true) -> Self {
      var inner = self
      inner.depth += 1
      inner.inline -= edges
      inner.isMain = isMain && self.isMain
      return inner
    }
  }

  private var generator: FixedGenerator
  private var words = 0
  private var boxes = 0

  /// Boxes of a document, about, and how deep they are nested.
  private static let mostBoxes = 26
  private static let mostDepth = 4
  /// A word is so wide, in CSS px.
  private static let wordWidth = 30

  init(seed: UInt64) { generator = FixedGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D) }

  private mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  private mutating func one<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

  /// A syllable of three letters that has not been used.
  private mutating func word() -> String {
    let (consonants, vowels) = (Array("bdfgklmnprstvz"), Array("aeiou"))
    let last = words / consonants.count / vowels.count
    defer { words += 1 }
    return String([
      consonants[words % consonants.count], vowels[words / consonants.count % vowels.count],
      consonants[last % consonants.count],
    ])
  }

  private mutating func text(_ count: ClosedRange<Int>) -> Node {
    var all: [String] = []
    for _ in 0..<number(count) { all.append(word()) }
    return Node(name: "", text: all.joined(separator: " "))
  }

  /// An element with a name of its own.
  private mutating func element(_ name: String, _ style: [String] = [], _ children: [Node] = []) -> Node {
    boxes += 1
    return Node(name: name, attributes: " id=\"\(name)\(boxes)\"", style: style, children: children)
  }

  // MARK: Content

  /// Blocks, lines and floats one below the other.
  mutating func flow(in around: Surroundings) -> [Node] {
    var all: [Node] = []
    for _ in 0..<number(around.depth == 0 ? 3...6 : 1...3) {
      all.append(boxes < Self.mostBoxes && happens(0.7) ? box(in: around) : lines(in: around))
    }
    return all
  }

  /// A paragraph, with what stands in lines.
  private mutating func lines(in around: Surroundings) -> Node {
    var paragraph = element("p", [], [text(1...6)])
    while happens(0.15) {
      switch number(0...3) {
      case 0: paragraph.children.append(note())
      case 1 where around.depth < Self.mostDepth:
        paragraph.children.append(
          element("span", ["float: \(one(["left", "right"]))", "width: \(number(3...5))0px"], [text(1...8)]))
      case 2 where around.depth < Self.mostDepth:
        paragraph.children += [
          element("span", ["display: inline-block", "vertical-align: top"], [text(1...3)]), Node(name: "br"),
        ]
      default: paragraph.children.append(element("span", [], [text(1...2)]))
      }
      paragraph.children.append(text(1...4))
    }
    return paragraph
  }

  private mutating func note() -> Node { element("span", ["float: footnote"], [text(1...3)]) }

  private mutating func box(in around: Surroundings) -> Node {
    guard around.depth < Self.mostDepth, around.inline >= 2 * Self.wordWidth else { return lines(in: around) }
    switch number(0...12) {
    case 0, 1: return container(around, [])
    case 2: return container(around, ["height: \(number(1...24))0px"], isMain: false)
    case 3: return container(around, ["min-height: \(number(3...24))0px"])
    case 4: return float(around)
    case 5: return positioned(around)
    case 6, 7: return items(around)
    case 8, 9: return table(around)
    case 10: return columns(around)
    case 11 where around.isMain:
      var page = container(around, ["float: \(one(["top", "bottom"]))"], isMain: false)
      page.children = [text(1...3)]
      return page
    default: return list(around)
    }
  }

  /// A block container with edges and breaks.
  private mutating func container(_ around: Surroundings, _ style: [String], isMain: Bool = true) -> Node {
    var node = element("div", style)
    let edges = frame(&node)
    breaks(of: &node, in: around)
    node.children = flow(in: around.inside(taking: edges, isMain: isMain))
    return node
  }

  private mutating func float(_ around: Surroundings) -> Node {
    let width = min(around.inline, number(6...11) * 10)
    var room = around
    room.inline = width
    var node = element("div", ["float: \(one(["left", "right"]))", "width: \(width)px", "box-sizing: border-box"])
    let edges = frame(&node)
    if happens(0.2) { node.style.append("clear: \(one(["left", "right", "both"]))") }
    if happens(0.15) { node.style.append("height: \(number(2...20))0px") }
    if happens(0.2) { node.style.append("break-inside: avoid") }
    node.children = flow(in: room.inside(taking: edges, isMain: false))
    return node
  }

  /// A positioned box, in a containing block of its own where there is none around.
  private mutating func positioned(_ around: Surroundings) -> Node {
    guard around.isPositioned else {
      var room = around
      room.isPositioned = true
      return container(room, ["position: relative"])
    }
    var node = element("div", ["position: absolute", "width: \(min(around.inline, 80))px", "box-sizing: border-box"])
    if happens(0.7) { node.style.append("\(one(["top", "top", "bottom"])): \(number(0...20))0px") }
    let edges = frame(&node)
    var room = around.inside(taking: edges, isMain: false)
    room.inline = min(around.inline, 80) - edges
    node.children = flow(in: room)
    return node
  }

  private mutating func items(_ around: Surroundings) -> Node {
    let isGrid = happens(0.5)
    let isColumn = !isGrid && happens(0.3)
    let count = around.inline >= 6 * Self.wordWidth ? 3 : 2
    let across = isColumn ? 1 : number(1...count)
    var node = element("div")
    if isGrid {
      node.style = ["display: grid", "grid-template-columns: repeat(\(across), 1fr)"]
      if happens(0.3) { node.style.append("gap: \(number(1...8))px") }
      if happens(0.2) { node.style.append("align-items: \(one(["start", "end", "center"]))") }
    } else {
      node.style = ["display: flex"]
      if isColumn { node.style.append("flex-direction: column") }
      if !isColumn, happens(0.4) { node.style.append("flex-wrap: wrap") }
    }
    let edges = frame(&node)
    breaks(of: &node, in: around)
    var room = around.inside(taking: edges, isMain: false)
    room.inline = (room.inline - 16) / across
    for _ in 0..<number(1...2 * across) {
      var item = element("div", isGrid ? [] : ["flex: \(one(["1", "none"]))"])
      let edges = frame(&item)
      if happens(0.1) { item.style.append("min-height: \(number(2...20))0px") }
      if happens(0.1) { item.style.append("break-inside: avoid") }
      if isGrid, happens(0.1) { item.style.append("grid-row: span 2") }
      item.children = happens(0.6) ? [text(1...6)] : flow(in: room.inside(taking: edges))
      node.children.append(item)
    }
    return node
  }

  private mutating func table(_ around: Surroundings) -> Node {
    let columns = around.inline >= 5 * Self.wordWidth ? number(1...3) : 1
    var room = around.inside(isMain: false)
    room.inline = around.inline / columns - 6
    var node = element("table")
    if happens(0.4) {
      node.style.append("border: \(number(1...3))px solid")
      if happens(0.3) { node.style.append("border-collapse: collapse") }
    }
    breaks(of: &node, in: around)
    if happens(0.25) {
      node.children.append(
        element("caption", happens(0.4) ? ["caption-side: bottom"] : [], [text(1...3)]))
    }
    if happens(0.3) { node.children.append(element("thead", [], [plainRow(columns)])) }
    for _ in 0..<number(1...2) {
      var group = element("tbody")
      if happens(0.15) { group.style.append("break-inside: avoid") }
      if happens(0.1), around.isMain { group.style.append("break-before: page") }
      for _ in 0..<number(1...3) { group.children.append(row(columns, in: room)) }
      node.children.append(group)
    }
    if happens(0.15) { node.children.append(element("tfoot", [], [plainRow(columns)])) }
    return node
  }

  private mutating func plainRow(_ columns: Int) -> Node {
    var row = element("tr")
    for _ in 0..<columns { row.children.append(element("th", [], [text(1...1)])) }
    return row
  }

  private mutating func row(_ columns: Int, in room: Surroundings) -> Node {
    var row = element("tr")
    if happens(0.1) { row.style.append("break-inside: avoid") }
    for _ in 0..<columns {
      var cell = element("td", happens(0.2) ? ["border: 1px solid"] : [])
      if happens(0.1) { cell.style.append("height: \(number(2...16))0px") }
      if happens(0.15) { cell.style.append("vertical-align: \(one(["top", "middle", "bottom"]))") }
      cell.children = happens(0.6) ? [text(1...5)] : flow(in: room)
      row.children.append(cell)
    }
    return row
  }

  private mutating func columns(_ around: Surroundings) -> Node {
    guard !around.isInColumns, around.inline >= 5 * Self.wordWidth else { return container(around, []) }
    var node = element("div", ["columns: 2", "column-gap: 10px"])
    if happens(0.3) { node.style.append("column-fill: auto") }
    let edges = frame(&node)
    breaks(of: &node, in: around)
    var room = around.inside(taking: edges, isMain: false)
    room.inline = (room.inline - 10) / 2
    room.isInColumns = true
    node.children = flow(in: room)
    return node
  }

  private mutating func list(_ around: Surroundings) -> Node {
    var node = element("ul", ["margin: 0", "padding: 0 0 0 10px"])
    breaks(of: &node, in: around)
    for _ in 0..<number(1...3) {
      node.children.append(
        element("li", [], happens(0.6) ? [text(1...5)] : flow(in: around.inside(taking: 10))))
    }
    return node
  }

  // MARK: Styles

  /// Gives a box edges; the CSS px that they take along the lines.
  private mutating func frame(_ node: inout Node) -> Int {
    if happens(0.3) { node.style.append("margin: \(number(1...12))px 0") }
    guard happens(0.6) else { return 0 }
    let (border, padding) = (number(1...3), number(0...4))
    node.style.append("border: \(border)px solid")
    if padding > 0 { node.style.append("padding: \(padding)px") }
    if happens(0.3) { node.style.append("box-decoration-break: clone") }
    return 2 * (border + padding)
  }

  /// Gives a box of a flow breaks that are forced or avoided.
  private mutating func breaks(of node: inout Node, in around: Surroundings) {
    if happens(0.12) { node.style.append("break-inside: avoid") }
    let values =
      ["avoid", "avoid"] + (around.isMain ? ["page", "left", "right"] : around.isInColumns ? ["column"] : ["page"])
    if happens(0.1) { node.style.append("break-before: \(one(values))") }
    if happens(0.1) { node.style.append("break-after: \(one(values))") }
  }
}
