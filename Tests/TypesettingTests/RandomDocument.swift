import TestSupport

/// A document of boxes of every kind in boxes of every kind, on pages that hold few of them. A seed gives the same document in each
/// run.
struct RandomDocument {
  /// An element with its declarations, or a text.
  struct Node {
    var name: String
    var attributes = ""
    var style: [String] = []
    var text = ""
    var children: [Node] = []

    var markup: String {
      guard !name.isEmpty else { return text }
      let style = style.isEmpty ? "" : " style=\"\(style.joined(separator: "; "))\""
      return "<\(name)\(attributes)\(style)>\(children.map(\.markup).joined())</\(name)>"
    }
    var count: Int { children.reduce(1) { $0 + $1.count } }
  }

  var body: Node

  var markup: String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en"><head><title>Test</title>\
    <style>td, th { border: 1px solid } .note { float: footnote }</style></head>\(body.markup)</html>
    """
  }

  init(seed: UInt64) {
    var maker = Maker(generator: FixedGenerator(seed: seed))
    body = Node(name: "body", children: maker.blocks(depth: 0, count: 2...5))
    if maker.happens(0.15) { body.style.append("columns: 2") }
    if maker.happens(0.1) { body.style.append("writing-mode: vertical-rl") }
    if maker.happens(0.1) { body.style.append("direction: rtl") }
  }

  private init(body: Node) { self.body = body }

  /// The smallest document that a step at a time leads to while it still fails.
  func shrunk(while fails: (RandomDocument) async -> Bool) async -> RandomDocument {
    RandomDocument(body: await body.shrunk { await fails(RandomDocument(body: $0)) })
  }
}

extension RandomDocument.Node {
  /// The smallest tree that a step at a time leads to while it still fails. The root stays.
  func shrunk(while fails: (Self) async -> Bool) async -> Self {
    var best = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      var place = 0
      while let path = best.paths.dropFirst(place).first {
        var smaller: Self?
        for nodes in best[path].reductions(isRoot: path.isEmpty) where smaller == nil {
          let candidate = best.replacing(path[...], by: nodes)
          if await fails(candidate) { smaller = candidate }
        }
        if let smaller {
          best = smaller
          isSmaller = true
        } else {
          place += 1
        }
      }
    }
    return best
  }

  /// Where each node stands, in preorder: the numbers of the children that lead to it.
  fileprivate var paths: [[Int]] {
    [[]] + children.enumerated().flatMap { number, child in child.paths.map { [number] + $0 } }
  }
  fileprivate subscript(path: [Int]) -> Self { path.reduce(self) { $0.children[$1] } }

  fileprivate func replacing(_ path: ArraySlice<Int>, by nodes: [Self]) -> Self {
    guard let first = path.first else { return nodes[0] }
    var copy = self
    let inner = path.dropFirst()
    copy.children.replaceSubrange(
      first...first, with: inner.isEmpty ? nodes : [children[first].replacing(inner, by: nodes)])
    return copy
  }

  /// Smaller replacements: nothing, its children, or itself with less to it.
  fileprivate func reductions(isRoot: Bool) -> [[Self]] {
    var all: [[Self]] = isRoot ? [] : [[]]
    if !isRoot, !children.isEmpty { all.append(children) }
    if name.isEmpty {
      let words = text.split(separator: " ")
      for kept in [words.count / 2, words.count - 1] where kept > 0 && kept < words.count {
        var shorter = self
        shorter.text = words.prefix(kept).joined(separator: " ")
        all.append([shorter])
      }
    }
    for number in style.indices {
      var plainer = self
      plainer.style.remove(at: number)
      all.append([plainer])
    }
    return all
  }
}

/// Makes the parts of a document.
private struct Maker {
  var generator: FixedGenerator

  mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func one<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

  private static let words = [
    "a", "of", "the", "light", "keeper", "harbour", "considerable", "in", "responsibilities", "sea", "wind", "and",
    "her",
    "lantern", "at", "nightfall", "unaccountably", "stood", "(there)", "well-known", "said:", "“Come”", "灯台守", "海",
    "אור",
  ]

  mutating func text(_ count: ClosedRange<Int>) -> RandomDocument.Node {
    var words: [String] = []
    for _ in 0..<number(count) { words.append(one(Self.words)) }
    return RandomDocument.Node(name: "", text: words.joined(separator: " "))
  }

  mutating func blocks(depth: Int, count: ClosedRange<Int>) -> [RandomDocument.Node] {
    var all: [RandomDocument.Node] = []
    for _ in 0..<number(count) { all.append(block(depth: depth)) }
    return all
  }

  /// Text with inline boxes, atomic inlines, notes and floats in it.
  private mutating func inlines(depth: Int, words: ClosedRange<Int> = 1...40) -> [RandomDocument.Node] {
    var all = [text(words)]
    while happens(0.35) {
      var inline = RandomDocument.Node(name: "span")
      switch number(0...8) {
      case 0: inline.style = ["font-size: \(number(8...40))px"]
      case 1:
        inline.style = ["display: inline-block", "width: \(number(20...200))px"]
        if happens(0.3) { inline.style.append("vertical-align: \(one(["top", "middle", "sub"]))") }
      case 2: inline.style = ["float: \(one(["left", "right"]))", "width: \(number(0...120))px"]
      case 3: inline.attributes = " class=\"note\""
      case 4: inline.style = ["position: \(one(["absolute", "relative"]))", "top: \(number(-20...60))px"]
      case 5: inline.style = ["border: 1px solid", "padding: 0 3px"]
      case 6: inline.style = ["white-space: nowrap"]
      case 7 where depth < 2:
        inline = atomic(depth)
        all += [inline, text(1...20)]
        continue
      default:
        all.append(picture())
        continue
      }
      inline.children = depth < 3 && happens(0.3) ? inlines(depth: depth + 1, words: 1...6) : [text(1...6)]
      all.append(inline)
      all.append(text(1...20))
    }
    if happens(0.1) { all.insert(RandomDocument.Node(name: "br"), at: 1) }
    return all
  }

  /// A table, flex or grid container in a line.
  private mutating func atomic(_ depth: Int) -> RandomDocument.Node {
    if happens(0.4) {
      var table = table(depth + 1)
      table.style.append("display: inline-table")
      if happens(0.3) { table.style.append("height: \(number(20...300))px") }
      return table
    }
    return container(depth, ["display: \(one(["inline-flex", "inline-grid"]))"])
  }

  private mutating func picture() -> RandomDocument.Node {
    let (width, height) = (number(5...300), number(5...220))
    return RandomDocument.Node(
      name: "svg",
      attributes: " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 9 9\"")
  }

  private mutating func block(depth: Int) -> RandomDocument.Node {
    var node: RandomDocument.Node
    switch number(0...(depth < 2 ? 15 : 5)) {
    case 0, 1, 2: node = RandomDocument.Node(name: "p", children: inlines(depth: depth))
    case 3: node = RandomDocument.Node(name: one(["h1", "h2", "h3"]), children: [text(1...6)])
    case 4: node = RandomDocument.Node(name: "figure", children: [picture(), caption()])
    case 5: node = RandomDocument.Node(name: "pre", children: [text(1...30)])
    case 6: node = list(depth)
    case 7, 8: node = table(depth)
    case 9:
      node = container(depth, ["display: flex"])
      if happens(0.4) { node.style.append("flex-wrap: wrap") }
      if happens(0.3) { node.style.append("flex-direction: column") }
    case 10:
      node = container(depth, ["display: grid", "grid-template-columns: \(one(["1fr 1fr", "40px auto", "1fr"]))"])
      if happens(0.2) { node.style.append("grid-template-rows: \(one(["1fr 2fr", "30px auto", "repeat(3, auto)"]))") }
      if happens(0.2) { node.style.append("gap: \(number(1...20))px") }
    case 11:
      node = container(depth, ["columns: \(number(1...3))"])
      if happens(0.3) { node.style.append("column-fill: auto") }
    case 12:
      node = container(
        depth, ["float: \(one(["left", "right", "left", "right", "top", "bottom"]))", "width: \(number(30...180))px"])
    case 13:
      node = container(depth, ["position: absolute", "top: \(number(0...300))px", "width: \(number(30...200))px"])
    case 14: node = container(depth, ["writing-mode: \(one(["vertical-rl", "vertical-lr", "horizontal-tb"]))"])
    default: node = container(depth, [])
    }
    decorate(&node)
    return node
  }

  private mutating func container(_ depth: Int, _ style: [String]) -> RandomDocument.Node {
    RandomDocument.Node(name: "div", style: style, children: blocks(depth: depth + 1, count: 1...3))
  }

  private mutating func caption() -> RandomDocument.Node {
    RandomDocument.Node(name: "figcaption", children: [text(1...8)])
  }

  private mutating func list(_ depth: Int) -> RandomDocument.Node {
    var items: [RandomDocument.Node] = []
    for _ in 0..<number(1...5) {
      items.append(
        RandomDocument.Node(
          name: "li", children: happens(0.4) ? blocks(depth: depth + 1, count: 1...3) : inlines(depth: depth)))
    }
    return RandomDocument.Node(name: one(["ul", "ol"]), children: items)
  }

  private mutating func table(_ depth: Int) -> RandomDocument.Node {
    let columns = number(1...4)
    var rows: [RandomDocument.Node] = []
    for _ in 0..<number(1...6) {
      var row = RandomDocument.Node(name: "tr")
      if happens(0.02) { row.style.append("visibility: collapse") }
      for _ in 0..<columns {
        var cell = RandomDocument.Node(name: "td")
        if happens(0.12) { cell.attributes = " rowspan=\"\(number(2...3))\"" }
        if happens(0.08) { cell.attributes += " colspan=\"2\"" }
        if happens(0.1) { cell.style.append("padding: \(number(0...40))px \(number(0...80))px") }
        if happens(0.06) { cell.style.append("height: \(number(5...200))px") }
        if happens(0.06) { cell.style.append("vertical-align: \(one(["top", "middle", "bottom"]))") }
        cell.children =
          happens(0.25) ? blocks(depth: depth + 1, count: 1...2) : inlines(depth: depth + 1, words: 1...15)
        row.children.append(cell)
      }
      rows.append(row)
    }
    var table = RandomDocument.Node(name: "table")
    if happens(0.3) {
      table.children.append(
        RandomDocument.Node(name: "thead", children: [RandomDocument.Node(name: "tr", children: [heading()])]))
    }
    if happens(0.2) { table.children.insert(RandomDocument.Node(name: "caption", children: [text(1...6)]), at: 0) }
    table.children.append(RandomDocument.Node(name: "tbody", children: rows))
    if happens(0.4) { table.style.append("border-collapse: collapse") }
    if happens(0.2) { table.style.append("width: \(number(100...600))px") }
    if happens(0.15) { table.style.append("white-space: nowrap") }
    return table
  }

  private mutating func heading() -> RandomDocument.Node {
    RandomDocument.Node(name: "th", attributes: " colspan=\"4\"", children: [text(1...4)])
  }

  private mutating func decorate(_ node: inout RandomDocument.Node) {
    if happens(0.2) { node.style.append("margin: \(number(-15...30))px \(number(0...10))px") }
    if happens(0.03) { node.style.append("margin: \(number(-300 ... -30))px \(number(-130...10))px") }
    if happens(0.12) { node.style.append("padding: \(number(1...12))px") }
    if happens(0.02) { node.style.append("padding: \(number(20...90))px \(number(0...60))px") }
    if happens(0.02) { node.style.append("grid-row: span \(number(2...3))") }
    if happens(0.03) { node.style.append("writing-mode: \(one(["vertical-rl", "vertical-lr"]))") }
    if happens(0.1) { node.style.append("border: \(number(1...5))px solid") }
    if happens(0.1) { node.style.append("break-inside: avoid") }
    if happens(0.06) { node.style.append("break-before: \(one(["page", "avoid", "left", "column"]))") }
    if happens(0.06) { node.style.append("break-after: \(one(["page", "avoid", "right"]))") }
    if happens(0.06) { node.style.append("height: \(number(5...400))px") }
    if happens(0.05) { node.style.append("orphans: \(number(1...5))") }
    if happens(0.05) { node.style.append("widows: \(number(1...5))") }
    if happens(0.06) { node.style.append("clear: \(one(["left", "right", "both"]))") }
    if happens(0.05) { node.style.append("text-align: justify") }
    if happens(0.04) { node.style.append("text-wrap: \(one(["pretty", "balance"]))") }
    if happens(0.04) { node.style.append("box-decoration-break: clone") }
    if happens(0.04) { node.style.append("position: relative") }
    if happens(0.03) { node.style.append("column-span: all") }
    if happens(0.03) { node.style.append("overflow: hidden") }
    if happens(0.03) { node.style.append("hyphens: auto") }
    if happens(0.02) { node.style.append("initial-letter: 2") }
  }
}
