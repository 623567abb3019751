import BookEngine
import BoxGeneration
import CSS
import ChapterEngine
import Fonts
import Graphics
import ImageCodecs
import Images
import Layout
import Markup
import Painting
import Primitives
import Publications
import Styling
import Text

/// The layout records of one chapter: a JSON line for each page (`--layout` in the command line's manual).
///
/// Values known only when the whole book is put together stand in records as marks (`PageRecordTemplate`).
struct LayoutRecorder {
  let drawing: PageDrawing
  let inputs: LayoutInputs
  let document: Document
  let formatted: FormattedText
  private let href: String
  private let chapter: Int
  let fit: PageFit
  private let pageSize: Size
  var positions: SourcePositions
  /// Elements that stand for page breaks of a printed edition, empty for most documents.
  private let pageBreaks: Set<NodeID>
  /// The box that an inline formatting context belongs to.
  private var owners: [TextID: BoxID] = [:]
  /// By marker box: its list item.
  var items: [BoxID: BoxID] = [:]
  private var descriptions: [BoxID: BlockDescription] = [:]
  /// The faces used so far, in the order of their first use.
  var fonts: [FontID] = []
  var fontNumbers: [FontID: Int] = [:]
  /// Fingerprints of the styles of lines' blocks, for those who compare.
  private var fingerprints: StyleFingerprints?
  /// Generated content that stands in lines' texts.
  let generated: FormattedText.Generated
  /// The names of the boxes whose lines are recorded, where they are the margin boxes of a page.
  private let marginBoxes: [BoxID: PageMarginBox]
  /// Boxes that leave the page that is being recorded.
  private var overflows: [(box: Rect, node: String, range: Range<Int>?)] = []

  /// - Parameter tellsStyles: `true` for fingerprints of the styles of blocks, for those who compare.
  init(_ pages: PagedChapter, tellsStyles: Bool) {
    let chapter = pages.chapter
    drawing = pages.drawing
    inputs = pages.inputs
    document = chapter.document
    fingerprints = tellsStyles ? StyleFingerprints(chapter.styles) : nil
    let counters = chapter.styles.pageStyles.counterNames(chapter.styles.table).union(["pages"])
    generated = .keptOnly(of: Self.elementsNamingPages(in: inputs, by: counters))
    marginBoxes = [:]
    fit = chapter.fit
    pageSize = chapter.paper
    formatted = FormattedText(tree: inputs.tree, document: document)
    href = chapter.item.href
    self.chapter = chapter.index + 1
    positions = SourcePositions(document)
    pageBreaks = Set(document.pageBreaks)
  }

  /// The recorder of the margin boxes of one page, which goes on with the faces of `recorder`.
  private init(_ furniture: FurnishedPage, of recorder: LayoutRecorder) {
    drawing = recorder.drawing
    inputs = furniture.inputs
    document = furniture.document
    formatted = FormattedText(tree: inputs.tree, document: document)
    href = recorder.href
    chapter = recorder.chapter
    fit = recorder.fit
    pageSize = recorder.pageSize
    positions = SourcePositions(document)
    pageBreaks = []
    generated = .kept
    marginBoxes = furniture.kinds
    fonts = recorder.fonts
    fontNumbers = recorder.fontNumbers
  }

  /// The elements whose generated content shows counters of pages: text that layout alone knows, so that it is in the
  /// records though no source has it.
  private static func elementsNamingPages(in inputs: LayoutInputs, by names: Set<String>) -> Set<NodeID> {
    func namesPages(_ style: BoxStyle) -> Bool {
      guard case .items(let items) = style.content else { return false }
      return items.contains { item in
        switch item {
        case .counter(let name, _), .counters(let name, _, _), .targetCounter(_, let name, _),
          .targetCounters(_, let name, _, _):
          names.contains(name)
        default: false
        }
      }
    }
    let styles = Set(inputs.styles.boxes.indices.filter { namesPages(inputs.styles.boxes[$0]) })
    guard !styles.isEmpty else { return [] }
    return Set(inputs.tree.boxes.lazy.filter { styles.contains($0.style.box.index) }.map(\.node))
  }

  /// The description of the block that lines have in common.
  struct BlockDescription {
    var path: String
    var element: NodeID
    var role: String
    var level: Int?
    var language: String
    /// Of its computed values and those around it; nil where nobody asks.
    var fingerprint: UInt64?
    /// The face that gives its lines their least height; nil where nobody asks.
    var primaryFace: FontID?
    /// The place of the outermost table that it stands in; nil where there is none, or nobody asks.
    var table: String?
  }

  struct LineEntry {
    var fragment: FragmentID
    var offset: LogicalOffset
  }

  /// The lines of one paragraph on a page.
  struct Group {
    var owner: BoxID
    var text: TextID
    var lines: [LineEntry]
    /// The marker beside the first line.
    var marker = ""
    /// The place of the picture that the text is in.
    var picture: Rect?
    /// Footnotes are read after the text of their page.
    var isNote = false
  }

  /// The inventory of a page's fragments, found in one walk.
  struct Inventory {
    var groups: [Group] = []
    var byText: [TextID: Int] = [:]
    var images: [(box: BoxID, rect: Rect)] = []
    var breaks: [(node: NodeID, rect: Rect)] = []
    var notes: [(box: BoxID, rect: Rect)] = []
  }

  /// The record of a page, without the line feed.
  ///
  /// - Parameters:
  ///   - missing: The number of its characters that no font has.
  ///   - furniture: What stands around its content: lines of margin boxes follow those of the content.
  mutating func bytes(of page: PageLayout, _ furniture: FurnishedPage?, missing: Int) -> [UInt8] {
    var inventory = Inventory()
    if !page.root.isNone { take(page.root, at: page[page.root].offset, on: page, into: &inventory) }
    inventory.groups.sort { ($0.isNote ? 1 : 0, $0.owner) < ($1.isNote ? 1 : 0, $1.owner) }

    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.value("page")
    writer.key("number")
    writer.raw([PageRecordTemplate.numberMark])
    writer.key("chapter")
    writer.value(chapter)
    writer.key("href")
    writer.value(href)
    writer.key("size")
    writer.beginArray()
    let size = fit == PageFit() ? page.size : pageSize
    writer.value(size.width)
    writer.value(size.height)
    writer.endArray()
    writeLines(inventory.groups, on: page, furniture, &writer)
    writer.key("images")
    writer.beginArray()
    for image in inventory.images {
      write(image: image.box, image.rect, &writer)
      noteOverflow(image.rect, on: page, node: positions.path(to: inputs.tree[image.box].node))
    }
    writer.endArray()
    write("links", of: drawing.links(on: page).map { ($0.href, $0.rect) }, by: "href", &writer)
    let notes = inventory.notes.map { note in
      (document.attributeValue(.id, of: inputs.tree[note.box].node) ?? "", note.rect)
    }
    write("notes", of: notes, by: "id", &writer)
    writeOverflows(&writer)
    if missing > 0 {
      writer.key("missing")
      writer.value(missing)
    }
    if let rule = page.brokenRule.name {
      writer.key("brokenRule")
      writer.value(rule)
    }
    if !inventory.breaks.isEmpty {
      let breaks = inventory.breaks.map { (document.label(ofPageBreak: $0.node), $0.rect) }
      write("pageBreaks", of: breaks, by: "label", &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  /// Writes a list of rectangles, each with the string that it is known by.
  private func write(
    _ list: StaticString, of boxes: [(string: String, box: Rect)], by name: StaticString, _ writer: inout JSONWriter
  ) {
    writer.key(list)
    writer.beginArray()
    for item in boxes {
      writer.beginObject()
      writer.key(name)
      writer.value(item.string)
      writer.key("box")
      writer.value(item.box)
      writer.endObject()
    }
    writer.endArray()
  }

  /// Notes content of a page that reaches over its edge: nobody sees all of it.
  mutating func noteOverflow(_ box: Rect, on page: PageLayout, node: String, range: Range<Int>? = nil) {
    let size = fit == PageFit() ? page.size : pageSize
    let tolerance = LayoutUnit(0.5)
    guard
      box.x < -tolerance || box.y < -tolerance || box.maxX > size.width + tolerance
        || box.maxY > size.height + tolerance
    else { return }
    overflows.append((box, node, range))
  }

  private mutating func writeOverflows(_ writer: inout JSONWriter) {
    writer.key("overflow")
    writer.beginArray()
    for overflow in overflows {
      writer.beginObject()
      writer.key("box")
      writer.value(overflow.box)
      writer.key("source")
      writer.beginObject()
      writer.key("node")
      writer.value(overflow.node)
      if let range = overflow.range {
        writer.key("start")
        writer.value(range.lowerBound)
        writer.key("end")
        writer.value(range.upperBound)
      }
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
    overflows.removeAll()
  }

  private mutating func writeLines(
    _ groups: [Group], on page: PageLayout, _ furniture: FurnishedPage?, _ writer: inout JSONWriter
  ) {
    writer.key("lines")
    writer.beginArray()
    writeGroups(groups, on: page, &writer)
    if let furniture, let margins = furniture.marginBoxes { writeLines(of: furniture, margins, &writer) }
    writer.endArray()
  }

  /// Writes the lines of the margin boxes around a page.
  private mutating func writeLines(of furniture: FurnishedPage, _ margins: PageLayout, _ writer: inout JSONWriter) {
    var recorder = LayoutRecorder(furniture, of: self)
    var inventory = Inventory()
    recorder.take(margins.root, at: .zero, on: margins, into: &inventory)
    recorder.writeGroups(inventory.groups, on: margins, &writer)
    fonts = recorder.fonts
    fontNumbers = recorder.fontNumbers
  }

  /// A rectangle on the reader's page.
  func rect(_ page: PageLayout, _ offset: LogicalOffset, _ size: LogicalSize) -> Rect {
    fit(page.physicalRect(offset, size))
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
      let box = inputs.tree[fragment.box]
      if fragment.kind == .box, box.content == .replaced || box.flags.contains(.missing) {
        let geometry =
          Int(fragment.payload) < page.geometries.count ? page.geometries[Int(fragment.payload)] : BoxGeometry()
        let edges = geometry.border + geometry.padding
        let place = LogicalOffset(inline: offset.inline + edges.lineLeft, block: offset.block + edges.blockStart)
        let size = LogicalSize(
          inline: Swift.max(.zero, fragment.size.inline - edges.inlineSum),
          block: Swift.max(.zero, fragment.size.block - edges.blockSum))
        if box.content == .replaced, !box.image.isNone, !box.text.isNone {
          inventory.groups.append(
            Group(owner: fragment.box, text: box.text, lines: [], picture: rect(page, place, size)))
        }
        inventory.images.append((fragment.box, rect(page, place, size)))
      }
      if box.flags.contains(.footnote) { inventory.notes.append((fragment.box, rect(page, offset, fragment.size))) }
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
    // Annotations are no text of their own.
    if !fragment.box.isNone, inputs.tree[fragment.box].kind == .rubyBase { return }
    guard Int(fragment.payload) < page.lines.count else { return }
    let text = page.lines[Int(fragment.payload)].text
    guard !text.isNone else { return }
    let entry = LineEntry(fragment: id, offset: offset)
    if let known = inventory.byText[text] {
      inventory.groups[known].lines.append(entry)
    } else {
      inventory.byText[text] = inventory.groups.count
      inventory.groups.append(
        Group(
          owner: owner(of: text, hint: fragment.box), text: text, lines: [entry], isNote: !inventory.notes.isEmpty))
    }
  }

  /// The block container of a paragraph: named by the line, or else looked up.
  private mutating func owner(of text: TextID, hint: BoxID) -> BoxID {
    if !hint.isNone, inputs.tree[hint].text == text { return hint }
    if owners.isEmpty {
      for (index, box) in inputs.tree.boxes.enumerated() where !box.text.isNone && box.kind != .rubyBase {
        owners[box.text] = BoxID(index)
      }
    }
    return owners[text] ?? (hint.isNone ? BoxTree.root : hint)
  }

  func isDescendant(_ box: BoxID, of ancestor: BoxID) -> Bool {
    var box = box
    while !box.isNone, box > ancestor {
      let parent = inputs.tree[box].parent
      guard !parent.isNone, parent < box else { return false }
      box = parent
    }
    return box == ancestor
  }

  mutating func describe(_ owner: BoxID) -> BlockDescription {
    if let known = descriptions[owner] { return known }
    let box = inputs.tree[owner]
    var element = box.node
    while !element.isNone, document[element].kind == .text { element = document[element].parent }
    if let kind = marginBox(around: owner) {
      return BlockDescription(
        path: "", element: element, role: kind.name, level: nil, language: inputs.styles[box.style.text].language)
    }
    var description = BlockDescription(
      path: positions.path(to: element), element: element, role: "", level: nil,
      language: inputs.styles[box.style.text].language)
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
    if fingerprints != nil {
      if !element.isNone { description.fingerprint = fingerprints?.fingerprint(of: element) }
      description.primaryFace = inputs.primaryFace(box.style.font).id
      if let table = outermostTable(around: owner) { description.table = positions.path(to: inputs.tree[table].node) }
    }
    descriptions[owner] = description
    return description
  }

  /// The lines recorded are those of margin boxes.
  var isOfMarginBoxes: Bool { !marginBoxes.isEmpty }

  /// The margin box that a block is, or stands in.
  private func marginBox(around owner: BoxID) -> PageMarginBox? {
    guard !marginBoxes.isEmpty else { return nil }
    var box = owner
    while !box.isNone {
      if let kind = marginBoxes[box] { return kind }
      box = inputs.tree[box].parent
    }
    return nil
  }

  private func outermostTable(around owner: BoxID) -> BoxID? {
    var found: BoxID?
    var box = owner
    while !box.isNone {
      if inputs.tree[box].kind == .table { found = box }
      let parent = inputs.tree[box].parent
      guard !parent.isNone, parent < box else { break }
      box = parent
    }
    return found
  }

  private func write(image id: BoxID, _ rect: Rect, _ writer: inout JSONWriter) {
    let box = inputs.tree[id]
    writer.beginObject()
    writer.key("href")
    let path = box.image.isNone ? "" : inputs.images.info(box.image).path
    // A drawing that is the chapter itself.
    let isDocument = !box.node.isNone && box.node == document.root
    let source =
      box.node.isNone
      ? nil
      : isDocument
        ? href : document.attributeValue(.src, of: box.node) ?? document.attributeValue(.xlinkHref, of: box.node)
    writer.value(path.isEmpty || path.hasPrefix("data:") ? Self.shortened(source ?? path) : path)
    writer.key("box")
    writer.value(rect)
    if !box.node.isNone, box.pseudo == nil {
      let title = isDocument ? document.children(of: box.node).first { document.isElement($0, .title, in: .svg) } : nil
      if let text = document.attributeValue(.alt, of: box.node) ?? document.attributeValue(.ariaLabel, of: box.node)
        ?? title.map({ document.textContent(of: $0) })
      {
        writer.key("alt")
        writer.value(text)
      }
      writer.key("source")
      var positions = positions
      writer.value(positions.path(to: box.node))
    }
    if box.image.isNone || inputs.images.info(box.image).isBroken {
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
