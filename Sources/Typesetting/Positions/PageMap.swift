import BoxGeneration
import ChapterEngine
import Layout
import Markup
import Painting
import Primitives

/// The content of one page by its place: lines with the place of every character, pictures, links. About three bytes a
/// character.
struct PageMap: Sendable {
  struct Line: Sendable {
    /// In `ChapterText.paragraphs`.
    var paragraph: Int32
    /// Units of the chapter, hanging and collapsed spaces at the end included.
    var units: Range<UInt32>
    /// In `runs`, in visual order.
    var runs: Range<UInt32>
    /// Around its glyphs' em boxes, on the page.
    var rect: Rect
    /// The line box, as wide as its block.
    var area: Rect
    var writingMode: WritingMode
    var direction: TextDirection
    var isHyphenated: Bool
  }

  /// Text of one line and one direction.
  struct Run: Sendable {
    var units: Range<UInt32>
    var rect: Rect
    /// The first of its caret positions in `edges`, one for each unit and one behind the last: along the line from the run's
    /// line-left side, in 1/64 px shifted right by `shift`.
    var edges: UInt32
    var shift: UInt8
    /// UAX #9; odd is right to left.
    var level: UInt8
  }

  /// A picture.
  struct Object: Sendable {
    var node: NodeID
    var rect: Rect
    /// The range of the text of a drawing in the document.
    var text: Range<SourcePosition>?
  }

  var lines: [Line] = []
  var runs: [Run] = []
  var edges: [UInt16] = []
  var objects: [Object] = []
  var links: [LinkRegion] = []
  var diagnostics: [PageDiagnostic] = []
  /// The first place on the page.
  var start: SourcePosition
  var size: Size

  /// Caret position before a unit of a run, along the line from the run's line-left side.
  func edge(_ unit: Int, of run: Run) -> LayoutUnit {
    let index = Int(run.edges) + Swift.min(Swift.max(0, unit - Int(run.units.lowerBound)), run.units.count)
    return LayoutUnit(rawValue: Int32(edges[index]) << Int32(run.shift))
  }

  /// The part of a line's thickness between two caret positions of a run.
  func rect(_ run: Run, from a: LayoutUnit, to b: LayoutUnit, in line: Line) -> Rect {
    let (low, high) = (Swift.min(a, b), Swift.max(a, b))
    switch line.writingMode {
    case .horizontalTB: return Rect(x: run.rect.x + low, y: line.rect.y, width: high - low, height: line.rect.height)
    case .verticalRL, .verticalLR, .sidewaysRL:
      return Rect(x: line.rect.x, y: run.rect.y + low, width: line.rect.width, height: high - low)
    case .sidewaysLR:
      return Rect(x: line.rect.x, y: run.rect.maxY - high, width: line.rect.width, height: high - low)
    }
  }

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    lines.count * MemoryLayout<Line>.stride + runs.count * MemoryLayout<Run>.stride + edges.count * 2
      + objects.count * MemoryLayout<Object>.stride + diagnostics.count * (MemoryLayout<PageDiagnostic>.stride + 96)
      + links.count * (MemoryLayout<LinkRegion>.stride + 32)
  }
}

/// Reads a page's fragments.
struct PageReader {
  let text: ChapterText
  let tree: BoxTree
  let fit: PageFit
  private var content: PageMap
  private var first: SourcePosition?

  /// - Parameters:
  ///   - previous: The first place of the page before.
  ///   - size: The reader's page.
  static func read(
    _ page: PageLayout, text: ChapterText, tree: BoxTree, fit: PageFit, links: [LinkRegion],
    after previous: SourcePosition?,
    size: Size
  ) -> PageMap {
    let start = previous ?? SourcePosition(node: NodeID(0), offset: 0)
    var reader = PageReader(text: text, tree: tree, fit: fit, content: PageMap(start: start, size: size))
    reader.content.links = links
    if !page.root.isNone { reader.take(page.root, at: page[page.root].offset, on: page) }
    // The chapter begins on its first page, whatever stands there.
    if previous != nil, let first = reader.first, first > start { reader.content.start = first }
    return reader.content
  }

  private init(text: ChapterText, tree: BoxTree, fit: PageFit, content: PageMap) {
    self.text = text
    self.tree = tree
    self.fit = fit
    self.content = content
  }

  private mutating func take(_ id: FragmentID, at offset: LogicalOffset, on page: PageLayout) {
    let fragment = page[id]
    if fragment.flags.contains(.repeated) { return }
    if fragment.kind == .line { takeLine(id, at: offset, on: page) }
    if fragment.kind == .box, !fragment.box.isNone, tree[fragment.box].content == .replaced {
      let box = tree[fragment.box]
      let node = box.node
      let words = text.paragraph(of: box.text).map { paragraph in
        let units = text.paragraphs[paragraph].units
        return text.position(of: units.lowerBound, in: paragraph)..<text.position(of: units.upperBound, in: paragraph)
      }
      content.objects.append(.init(node: node, rect: fit(page.physicalRect(offset, fragment.size)), text: words))
      note(SourcePosition(node: node, offset: 0))
    }
    var child = fragment.firstChild
    while !child.isNone {
      take(child, at: offset + page[child].offset, on: page)
      child = page[child].nextSibling
    }
  }

  private mutating func note(_ position: SourcePosition) {
    if first == nil { first = position }
  }

  private mutating func takeLine(_ id: FragmentID, at offset: LogicalOffset, on page: PageLayout) {
    let fragment = page[id]
    guard Int(fragment.payload) < page.lines.count else { return }
    let line = page.lines[Int(fragment.payload)]
    guard let paragraph = text.paragraph(of: line.text) else { return }
    let base = UInt32(text.paragraphs[paragraph].units.lowerBound)
    let area = page.physicalRect(offset, fragment.size)
    let mode = line.writingMode
    let firstRun = UInt32(content.runs.count)
    var bounds: Rect?
    var child = fragment.firstChild
    while !child.isNone {
      let piece = page[child]
      if piece.kind == .text, Int(piece.payload) < page.texts.count {
        let run = page.texts[Int(piece.payload)]
        if !run.isAnnotation, text.paragraph(of: run.text) == paragraph {
          let rect = fit(page.physicalRect(offset + piece.offset, piece.size))
          append(run, rect, base: base, on: page, isVertical: !mode.isHorizontal)
          bounds = bounds.map { $0.union(rect) } ?? rect
        }
      }
      child = piece.nextSibling
    }
    let start = text.position(of: Int(base + line.range.lowerBound), in: paragraph)
    note(start)
    content.lines.append(
      PageMap.Line(
        paragraph: Int32(paragraph), units: base + line.range.lowerBound..<base + line.range.upperBound,
        runs: firstRun..<UInt32(content.runs.count), rect: bounds ?? fit(area), area: fit(area), writingMode: mode,
        direction: line.direction, isHyphenated: line.isHyphenated))
  }

  private mutating func append(_ run: TextFragment, _ rect: Rect, base: UInt32, on page: PageLayout, isVertical: Bool) {
    let count = run.range.count
    let isRTL = run.level & 1 == 1
    let length = isVertical ? rect.height : rect.width
    let unknown = LayoutUnit(rawValue: -1)
    var edges = [LayoutUnit](repeating: unknown, count: count + 1)
    // Clusters lie from the line-left side on; their units are in logical order.
    let clusters = page.clusters[Int(run.clusters.lowerBound)..<Int(run.clusters.upperBound)]
    for cluster in clusters {
      let unit = Int(cluster.unit) - Int(run.range.lowerBound)
      guard unit >= 0, unit < count else { continue }
      edges[unit] = fit(isRTL ? cluster.right : cluster.left)
    }
    let last = isRTL ? clusters.first?.left : clusters.last?.right
    edges[count] = last.map { fit($0) } ?? (isRTL ? .zero : length)
    if edges[0] == unknown { edges[0] = isRTL ? length : .zero }
    // Units of one cluster share its width.
    var index = 1
    while index <= count {
      guard edges[index] == unknown else {
        index += 1
        continue
      }
      let before = index - 1
      var after = index
      while edges[after] == unknown { after += 1 }
      let width = edges[after] - edges[before]
      for inner in index..<after { edges[inner] = edges[before] + width * (inner - before) / (after - before) }
      index = after
    }
    var most: Int32 = 0
    for edge in edges { most = Swift.max(most, edge.rawValue) }
    var shift: UInt8 = 0
    while most >> Int32(shift) > Int32(UInt16.max) { shift += 1 }
    content.runs.append(
      PageMap.Run(
        units: base + run.range.lowerBound..<base + run.range.upperBound, rect: rect,
        edges: UInt32(content.edges.count), shift: shift, level: run.level))
    content.edges += edges.map { UInt16(truncatingIfNeeded: Swift.max(0, $0.rawValue) >> Int32(shift)) }
  }
}
