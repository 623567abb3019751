import BoxGeneration
import CSS
import Graphics
import Images
import Layout
import Markup
import Painting
import Primitives
import Styling
import Text

/// The layout records of one chapter: a JSON line for each page (`--layout` in the command line's manual).
///
/// What is known only when the whole book is put together stands in them as a mark in control characters, which JSON text
/// cannot contain: `numberMark` for the page's number, and a local font number between `fontMark` and `endMark`.
struct LayoutRecorder {
  static let numberMark: UInt8 = 1
  static let fontMark: UInt8 = 2
  static let endMark: UInt8 = 3

  private let context: LayoutContext
  private let document: Document
  private let formatted: FormattedText
  private let href: String
  private let chapter: Int
  private let fit: PageFit
  private let pageSize: Size
  private var positions: SourcePositions
  /// Elements that stand for page breaks of a printed edition, empty for most documents.
  private let pageBreaks: Set<NodeID>
  /// Which box an inline formatting context belongs to.
  private var owners: [TextID: BoxID] = [:]
  /// By marker box: its list item.
  private var items: [BoxID: BoxID] = [:]
  private var descriptions: [BoxID: BlockDescription] = [:]
  /// The faces used so far, in the order of their first use.
  private(set) var fonts: [FontID] = []
  private var fontNumbers: [FontID: Int] = [:]

  init(context: LayoutContext, document: Document, href: String, chapter: Int, fit: PageFit, pageSize: Size) {
    self.fit = fit
    self.pageSize = pageSize
    self.context = context
    self.document = document
    formatted = FormattedText(tree: context.tree, document: document)
    self.href = href
    self.chapter = chapter
    positions = SourcePositions(document)
    var breaks = Set<NodeID>()
    for attribute in document.attributes where attribute.name == .epubType || attribute.name == .role {
      if document.string(attribute.value).contains("pagebreak") {
        for index in document.nodes.indices where document.nodes[index].kind == .element {
          let id = NodeID(index)
          let types =
            (document.attributeValue(.epubType, of: id) ?? "") + " " + (document.attributeValue(.role, of: id) ?? "")
          if types.split(separator: " ").contains(where: { $0 == "pagebreak" || $0 == "doc-pagebreak" }) {
            breaks.insert(id)
          }
        }
        break
      }
    }
    pageBreaks = breaks
  }

  /// What lines of a block have in common.
  private struct BlockDescription {
    var path: String
    var element: NodeID
    var role: String
    var level: Int?
    var language: String
  }

  private struct LineEntry {
    var fragment: FragmentID
    var offset: LogicalOffset
  }

  /// The lines of one paragraph on a page.
  private struct Group {
    var owner: BoxID
    var text: TextID
    var lines: [LineEntry]
    /// The marker beside the first line.
    var marker = ""
  }

  /// What a page's fragments hold, found in one walk.
  private struct Inventory {
    var groups: [Group] = []
    var byText: [TextID: Int] = [:]
    var images: [(box: BoxID, rect: Rect)] = []
    var breaks: [(node: NodeID, rect: Rect)] = []
  }

  /// The record of a page, without the line feed.
  mutating func record(_ page: PageLayout, links: [LinkRegion]) -> [UInt8] {
    var inventory = Inventory()
    if !page.root.isNone { take(page.root, at: page[page.root].offset, on: page, into: &inventory) }
    inventory.groups.sort { $0.owner < $1.owner }

    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.value("page")
    writer.key("number")
    writer.raw([Self.numberMark])
    writer.key("chapter")
    writer.value(chapter)
    writer.key("href")
    writer.value(href)
    writer.key("size")
    writer.beginArray()
    writer.value(pageSize.width)
    writer.value(pageSize.height)
    writer.endArray()
    writer.key("lines")
    writer.beginArray()
    writeGroups(inventory.groups, on: page, &writer)
    writer.endArray()
    writer.key("images")
    writer.beginArray()
    for image in inventory.images { write(image: image.box, image.rect, &writer) }
    writer.endArray()
    writer.key("links")
    writer.beginArray()
    for link in links {
      writer.beginObject()
      writer.key("href")
      writer.value(link.href)
      writer.key("box")
      writer.value(link.rect)
      writer.endObject()
    }
    writer.endArray()
    writer.key("notes")
    writer.beginArray()
    writer.endArray()
    if !inventory.breaks.isEmpty {
      writer.key("pageBreaks")
      writer.beginArray()
      for mark in inventory.breaks {
        writer.beginObject()
        writer.key("label")
        writer.value(label(ofPageBreak: mark.node))
        writer.key("box")
        writer.value(mark.rect)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
    return writer.bytes
  }

  /// A rectangle on the reader's page.
  private func rect(_ page: PageLayout, _ offset: LogicalOffset, _ size: LogicalSize) -> Rect {
    fit(page.physicalRect(offset, size))
  }

  private func label(ofPageBreak node: NodeID) -> String {
    for name in [Atom.title, Atom.ariaLabel] {
      if let text = document.attributeValue(name, of: node), !text.isEmpty { return text }
    }
    let text = document.textContent(of: node).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.isEmpty ? document.attributeValue(.id, of: node) ?? "" : text
  }

  // MARK: Finding what is on the page

  private mutating func take(
    _ id: FragmentID, at offset: LogicalOffset, on page: PageLayout, into inventory: inout Inventory
  ) {
    let fragment = page[id]
    // Repeated parts, such as a table's header on its later pages, count once.
    if fragment.flags.contains(.repeated) { return }
    if fragment.kind == .line { takeLine(id, at: offset, on: page, into: &inventory) }
    if !fragment.box.isNone, fragment.kind == .box || fragment.kind == .inlineBox {
      let box = context.tree[fragment.box]
      if fragment.kind == .box, box.content == .replaced || box.flags.contains(.missing) {
        let geometry =
          Int(fragment.payload) < page.geometries.count ? page.geometries[Int(fragment.payload)] : BoxGeometry()
        let edges = geometry.border + geometry.padding
        let place = LogicalOffset(inline: offset.inline + edges.lineLeft, block: offset.block + edges.blockStart)
        let size = LogicalSize(
          inline: Swift.max(.zero, fragment.size.inline - edges.inlineSum),
          block: Swift.max(.zero, fragment.size.block - edges.blockSum))
        inventory.images.append((fragment.box, rect(page, place, size)))
      }
      if !pageBreaks.isEmpty, pageBreaks.contains(box.node), !fragment.flags.contains(.continuesBefore),
        !box.flags.contains(.anonymous)
      {
        inventory.breaks.append((box.node, rect(page, offset, fragment.size)))
      }
    }
    var child = fragment.firstChild
    while !child.isNone {
      take(child, at: offset + page[child].offset, on: page, into: &inventory)
      child = page[child].nextSibling
    }
  }

  private mutating func takeLine(
    _ id: FragmentID, at offset: LogicalOffset, on page: PageLayout, into inventory: inout Inventory
  ) {
    let fragment = page[id]
    guard Int(fragment.payload) < page.lines.count else { return }
    let text = page.lines[Int(fragment.payload)].text
    guard !text.isNone else { return }
    let entry = LineEntry(fragment: id, offset: offset)
    if let known = inventory.byText[text] {
      inventory.groups[known].lines.append(entry)
    } else {
      inventory.byText[text] = inventory.groups.count
      inventory.groups.append(Group(owner: owner(of: text, hint: fragment.box), text: text, lines: [entry]))
    }
  }

  /// The block container of a paragraph: named by the line, or else looked up.
  private mutating func owner(of text: TextID, hint: BoxID) -> BoxID {
    if !hint.isNone, context.tree[hint].text == text { return hint }
    if owners.isEmpty {
      for (index, box) in context.tree.boxes.enumerated() where !box.text.isNone && box.kind != .rubyBase {
        owners[box.text] = BoxID(index)
      }
    }
    return owners[text] ?? (hint.isNone ? BoxTree.root : hint)
  }

  private func isDescendant(_ box: BoxID, of ancestor: BoxID) -> Bool {
    var box = box
    while !box.isNone, box > ancestor {
      let parent = context.tree[box].parent
      guard !parent.isNone, parent < box else { return false }
      box = parent
    }
    return box == ancestor
  }

  // MARK: Lines in reading order

  /// Boxes are in preorder, so paragraphs sorted by box are in reading order once those that lie inside another paragraph's
  /// lines stand where they are anchored.
  private mutating func writeGroups(_ groups: [Group], on page: PageLayout, _ writer: inout JSONWriter) {
    var paragraphs: [Group] = []
    var markers: [(item: BoxID, text: String)] = []
    for group in groups {
      guard context.tree[group.owner].kind == .marker else {
        paragraphs.append(group)
        continue
      }
      var text = ""
      for line in group.lines {
        var inner = ""
        let range = page.lines[Int(page[line.fragment].payload)].range
        text += formatted.string(group.text, range, generated: .kept, marker: &inner)
      }
      markers.append((item(of: group.owner), Self.trimmed(marker: text)))
    }
    // The text of an outside marker goes with the first line of its item on the page.
    for marker in markers {
      if let first = paragraphs.firstIndex(where: { isDescendant($0.owner, of: marker.item) }) {
        paragraphs[first].marker += marker.text
      }
    }
    var index = 0
    while index < paragraphs.count { index = write(paragraphs, at: index, on: page, &writer) }
  }

  /// The list item that a marker belongs to.
  private mutating func item(of marker: BoxID) -> BoxID {
    if items.isEmpty {
      for (index, box) in context.tree.boxes.enumerated() where !box.marker.isNone { items[box.marker] = BoxID(index) }
    }
    return items[marker] ?? context.tree[marker].parent
  }

  /// A marker's text without the space that sets it off.
  private static func trimmed(marker text: String) -> String {
    var view = Substring(text)
    while let last = view.last, last.isWhitespace { view.removeLast() }
    while let first = view.first, first.isWhitespace { view.removeFirst() }
    return String(view)
  }

  /// Writes a paragraph and what is anchored in it.
  ///
  /// - Returns: The position after them.
  private mutating func write(
    _ groups: [Group], at index: Int, on page: PageLayout, _ writer: inout JSONWriter
  ) -> Int {
    let group = groups[index]
    var end = index + 1
    while end < groups.count, isDescendant(groups[end].owner, of: group.owner) { end += 1 }
    // Where the paragraphs inside this one are anchored.
    var anchored: [(unit: UInt32, isObject: Bool, groups: Range<Int>)] = []
    if end > index + 1 {
      let anchors = formatted.anchors(of: group.text).filter { !$0.run.box.isNone }
      var next = index + 1
      while next < end {
        var after = next + 1
        let anchor = anchors.last { isDescendant(groups[next].owner, of: $0.run.box) }
        while after < end, anchor.map({ isDescendant(groups[after].owner, of: $0.run.box) }) ?? false { after += 1 }
        anchored.append((anchor?.unit ?? .max, anchor?.run.kind == .object, next..<after))
        next = after
      }
      anchored.sort { ($0.unit, $0.groups.lowerBound) < ($1.unit, $1.groups.lowerBound) }
    }
    var nextAnchored = 0
    func isBefore(_ unit: UInt32) -> Bool { nextAnchored < anchored.count && anchored[nextAnchored].unit < unit }
    for line in group.lines {
      let fragment = page.lines[Int(page[line.fragment].payload)]
      var start = fragment.range.lowerBound
      while nextAnchored < anchored.count, anchored[nextAnchored].unit <= start,
        !anchored[nextAnchored].isObject || anchored[nextAnchored].unit < start
      {
        writeAll(groups, anchored[nextAnchored].groups, on: page, &writer)
        nextAnchored += 1
      }
      // A line with blocks in it is given in parts, so that all text comes once and in order.
      var floats: [Range<Int>] = []
      while isBefore(fragment.range.upperBound) {
        let anchor = anchored[nextAnchored]
        nextAnchored += 1
        guard anchor.isObject else {
          floats.append(anchor.groups)
          continue
        }
        write(line, part: start..<anchor.unit, isWhole: false, on: page, group, &writer)
        writeAll(groups, anchor.groups, on: page, &writer)
        start = anchor.unit + 1
      }
      write(
        line, part: start..<Swift.max(start, fragment.range.upperBound), isWhole: start == fragment.range.lowerBound,
        on: page, group,
        &writer)
      for range in floats { writeAll(groups, range, on: page, &writer) }
    }
    while nextAnchored < anchored.count {
      writeAll(groups, anchored[nextAnchored].groups, on: page, &writer)
      nextAnchored += 1
    }
    return end
  }

  private mutating func writeAll(
    _ groups: [Group], _ range: Range<Int>, on page: PageLayout, _ writer: inout JSONWriter
  ) {
    var index = range.lowerBound
    while index < range.upperBound { index = write(groups, at: index, on: page, &writer) }
  }

  private mutating func write(
    _ entry: LineEntry, part: Range<UInt32>, isWhole: Bool, on page: PageLayout, _ group: Group,
    _ writer: inout JSONWriter
  ) {
    let fragment = page[entry.fragment]
    let line = page.lines[Int(fragment.payload)]
    var insideMarker = ""
    let text = FormattedText.trimmed(formatted.string(group.text, part, generated: .leftOut, marker: &insideMarker))
    if !isWhole, text.isEmpty { return }
    var runs: [(fragment: FragmentID, offset: LogicalOffset)] = []
    var child = fragment.firstChild
    while !child.isNone {
      let piece = page[child]
      if piece.kind == .text, Int(piece.payload) < page.texts.count {
        let content = page.texts[Int(piece.payload)]
        if content.text == group.text, !content.isAnnotation, content.range.lowerBound >= part.lowerBound,
          content.range.lowerBound < part.upperBound
        {
          runs.append((child, entry.offset + piece.offset))
        }
      }
      child = piece.nextSibling
    }
    var left = entry.offset.inline + line.contentOffset
    var width = line.contentWidth
    if !isWhole {
      left = runs.map(\.offset.inline).min() ?? left
      width = (runs.map { $0.offset.inline + page[$0.fragment].size.inline }.max() ?? left) - left
    }
    runs.sort {
      page.texts[Int(page[$0.fragment].payload)].range.lowerBound
        < page.texts[Int(page[$1.fragment].payload)].range.lowerBound
    }

    let description = describe(group.owner)
    writer.beginObject()
    writer.key("text")
    writer.value(text)
    writer.key("box")
    writer.value(
      rect(
        page, LogicalOffset(inline: left, block: entry.offset.block),
        LogicalSize(inline: width, block: fragment.size.block)))
    writer.key("baseline")
    let baseline = rect(page, LogicalOffset(inline: left, block: entry.offset.block + line.baseline), .zero)
    writer.value(page.writingMode.isHorizontal ? baseline.y : baseline.x)
    writer.key("dir")
    writer.value(line.direction == .rtl ? "rtl" : "ltr")
    writer.key("writing")
    writer.value(page.writingMode.name)
    writer.key("hyphenated")
    writer.value(line.isHyphenated && part.upperBound == line.range.upperBound)
    writer.key("source")
    writer.beginObject()
    writer.key("node")
    writer.value(description.path)
    let (start, end) = sourceRange(of: group.text, part, in: description.element)
    writer.key("start")
    writer.value(start)
    writer.key("end")
    writer.value(end)
    writer.endObject()
    writer.key("role")
    writer.value(description.role)
    if let level = description.level {
      writer.key("level")
      writer.value(level)
    }
    writer.key("lang")
    writer.value(description.language)
    let isFirst = group.lines.first?.fragment == entry.fragment && part.lowerBound == line.range.lowerBound
    let shownMarker = (isFirst ? group.marker : "") + Self.trimmed(marker: insideMarker)
    if !shownMarker.isEmpty {
      writer.key("marker")
      writer.value(shownMarker)
    }
    writer.key("runs")
    writer.beginArray()
    for run in runs { write(run: run.fragment, at: run.offset, on: page, part: part, &writer) }
    writer.endArray()
    writer.endObject()
  }

  /// Where the source of a line's text begins and ends, in UTF-16 units of an element's text. In text that a transform has
  /// changed the places are near ones.
  private func sourceRange(of text: TextID, _ part: Range<UInt32>, in element: NodeID) -> (start: Int, end: Int) {
    let pieces = formatted.pieces(of: context.tree.texts[text], part).filter { !$0.isGenerated }
    guard let first = pieces.first, let last = pieces.last else { return (0, 0) }
    func offset(_ piece: FormattedText.Piece, at unit: UInt32) -> Int {
      positions.offset(
        of: piece.span.node, Int(piece.span.sourceOffset) + Int(unit) - Int(piece.span.start), in: element)
    }
    let start = offset(first, at: first.range.lowerBound)
    return (start, Swift.max(start, offset(last, at: last.range.upperBound - 1) + 1))
  }

  private mutating func write(
    run id: FragmentID, at offset: LogicalOffset, on page: PageLayout, part: Range<UInt32>, _ writer: inout JSONWriter
  ) {
    let fragment = page[id]
    let text = page.texts[Int(fragment.payload)]
    let attributes = context.tree.texts.attributes[text.attributes]
    var marker = ""
    let range =
      text.range.lowerBound..<Swift.max(text.range.lowerBound, Swift.min(text.range.upperBound, part.upperBound))
    let string = formatted.string(text.text, range, generated: .kept, annotates: false, marker: &marker)
    writer.beginObject()
    writer.key("font")
    writer.raw([Self.fontMark] + Array(String(number(of: text.font)).utf8) + [Self.endMark])
    writer.key("size")
    writer.value(fit(LayoutUnit(text.size)))
    writer.key("color")
    writer.value(attributes.color.description)
    writer.key("text")
    writer.value(string)
    let rect = rect(page, offset, fragment.size)
    writer.key("x")
    writer.value(rect.x)
    writer.key("width")
    writer.value(page.writingMode.isHorizontal ? rect.width : rect.height)
    writer.endObject()
  }

  private mutating func number(of font: FontID) -> Int {
    if let known = fontNumbers[font] { return known }
    fontNumbers[font] = fonts.count
    fonts.append(font)
    return fonts.count - 1
  }

  private mutating func describe(_ owner: BoxID) -> BlockDescription {
    if let known = descriptions[owner] { return known }
    let box = context.tree[owner]
    var element = box.node
    while !element.isNone, document[element].kind == .text { element = document[element].parent }
    var description = BlockDescription(
      path: positions.path(to: element), element: element, role: "", level: nil,
      language: context.styles[box.style.text].language)
    if !element.isNone, document[element].kind == .element {
      let node = document[element]
      let name = document.names.name(of: node.name)
      let role = document.attributeValue(.role, of: element)?.split(separator: " ").first.map(String.init)
      let type = document.attributeValue(.epubType, of: element)?.split(separator: " ").first.map(String.init)
      description.role = role ?? type ?? name
      if node.namespace == .html || node.namespace == .none, name.utf8.count == 2, name.first == "h",
        let level = Int(name.dropFirst()), level >= 1, level <= 6
      {
        description.level = level
      }
      if let level = document.attributeValue(.ariaLevel, of: element).flatMap({ Int($0) }) { description.level = level }
    }
    descriptions[owner] = description
    return description
  }

  private func write(image id: BoxID, _ rect: Rect, _ writer: inout JSONWriter) {
    let box = context.tree[id]
    writer.beginObject()
    writer.key("href")
    let path = box.image.isNone ? "" : context.images.info(box.image).path
    let source =
      box.node.isNone
      ? nil : document.attributeValue(.src, of: box.node) ?? document.attributeValue(.xlinkHref, of: box.node)
    writer.value(path.isEmpty || path.hasPrefix("data:") ? Self.shortened(source ?? path) : path)
    writer.key("box")
    writer.value(rect)
    if !box.node.isNone, box.pseudo == nil {
      if let text = document.attributeValue(.alt, of: box.node) ?? document.attributeValue(.ariaLabel, of: box.node) {
        writer.key("alt")
        writer.value(text)
      }
      writer.key("source")
      var positions = positions
      writer.value(positions.path(to: box.node))
    }
    if box.image.isNone || context.images.info(box.image).isBroken {
      writer.key("missing")
      writer.value(true)
    }
    writer.endObject()
  }

  /// A `data:` URL without its data.
  private static func shortened(_ href: String) -> String {
    guard href.hasPrefix("data:"), let comma = href.firstIndex(of: ",") else { return href }
    return String(href[...comma])
  }
}

extension WritingMode {
  /// The value of `writing-mode`.
  var name: String {
    switch self {
    case .horizontalTB: "horizontal-tb"
    case .verticalRL: "vertical-rl"
    case .verticalLR: "vertical-lr"
    case .sidewaysRL: "sideways-rl"
    case .sidewaysLR: "sideways-lr"
    }
  }
}
