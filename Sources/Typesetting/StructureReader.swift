import ChapterEngine
import Layout
import Markup
import PDFRendering
import Primitives
import Styling

/// Reads the tags of one page as nodes.
struct StructureReader {
  private let tagged: StructuredPage
  private let layout: PageLayout
  private let document: Document
  private let text: ChapterText

  init(_ page: Page) {
    tagged = page.tagging.tag(page.layout, page.painted, links: page.content.links)
    layout = page.layout
    document = page.tagging.document
    text = page.text
  }

  /// The nodes of the page.
  var nodes: [StructureNode] { nodes(in: ChapterStructure.root) }

  private func nodes(in parent: StructureElementID) -> [StructureNode] {
    var nodes: [StructureNode] = []
    for child in tagged.structure.children[parent.index] {
      switch child {
      case .element(let id) where tagged.structure[id].type == .listBody: nodes += self.nodes(in: id)
      case .element(let id): nodes.append(node(id))
      case .content(_, let id): add(tagged.contents[id], to: &nodes)
      case .link: break
      }
    }
    return nodes
  }

  // MARK: Text

  /// Adds text, which text right before it goes on with.
  private func add(_ content: TaggedContent, to nodes: inout [StructureNode]) {
    let string = tagged.tagged.text(of: content)
    guard !string.isEmpty else { return }
    var node = StructureNode(role: .text, range: range(of: content))
    node.text = string
    if let last = nodes.last, last.role == .text {
      nodes.removeLast()
      node.text = (last.text ?? "") + string
      node.range = last.range.union(node.range)
      node.rectangles = last.rectangles
    }
    for run in runs(of: content) {
      if let fragment = run.fragment, let rect = tagged.pieces.fragments[fragment] {
        node.rectangles.join(rect, isVertical: run.axis != .right)
      }
    }
    nodes.append(node)
  }

  private func runs(of content: TaggedContent) -> ArraySlice<TaggedRun> {
    if case .runs(let range) = content.kind { tagged.tagged.runs[range] } else { [] }
  }

  private func range(of content: TaggedContent) -> Range<Locator> {
    var whole: Range<Locator>?
    for run in runs(of: content) {
      guard let fragment = run.fragment, let range = range(ofFragment: fragment) else { continue }
      whole = whole?.union(range) ?? range
    }
    if let whole { return whole }
    let place = Locator(
      chapter: text.chapter, node: NodeID(rawValue: content.place.node), offset: Int(content.place.offset))
    return place..<place
  }

  /// The range of a text fragment; nil for annotations and markers.
  private func range(ofFragment fragment: Int) -> Range<Locator>? {
    let piece = layout.texts[fragment]
    guard !piece.isAnnotation, let paragraph = text.paragraph(of: piece.text) else { return nil }
    let start = text.paragraphs[paragraph].units.lowerBound
    return text.locators(start + Int(piece.range.lowerBound)..<start + Int(piece.range.upperBound), of: paragraph)
  }

  // MARK: Elements

  private func node(_ id: StructureElementID) -> StructureNode {
    let element = tagged.structure[id]
    let children = nodes(in: id)
    var node = StructureNode(role: role(of: element), range: range(of: children, in: element))
    node.children = children
    node.language = element.language
    node.attributes = attributes(of: element, as: node.role)
    if !element.node.isNone { node.source = locator(element.node) }
    place(&node, by: element)
    if [.table, .rowGroup].contains(node.role) { trim(&node) }
    return node
  }

  private func attributes(of element: StructureElement, as role: StructureNode.Role) -> StructureNode.Attributes {
    var attributes = StructureNode.Attributes()
    attributes.level = element.type.headingLevel
    attributes.isOrdered = element.listNumbering == .decimal
    attributes.columnSpan = element.columnSpan
    attributes.rowSpan = element.rowSpan
    attributes.alternative = element.alternative
    switch role {
    case .formula: attributes.mathML = document.xml(of: element.node)
    case .pageBreak: attributes.label = document.label(ofPageBreak: element.node)
    case .link, .noteReference: attributes.href = document.attributeValue(.href, of: element.node)
    default: break
    }
    return attributes
  }

  private func locator(_ node: NodeID) -> Locator { Locator(chapter: text.chapter, node: node, offset: 0) }

  private func range(of children: [StructureNode], in element: StructureElement) -> Range<Locator> {
    let ranges = children.lazy.map(\.range)
    if let first = ranges.first(where: { !$0.isEmpty }) {
      return ranges.filter { !$0.isEmpty }.reduce(first) { $0.union($1) }
    }
    if let first = ranges.first { return first }
    let place = locator(element.node.isNone ? Document.documentNode : element.node)
    return place..<place
  }

  /// Tells where a node stands: where its boxes do, or else what is in it.
  private func place(_ node: inout StructureNode, by element: StructureElement) {
    let pieces = tagged.pieces
    if let piece = element.text.isNone ? pieces.elements[element.node] : pieces.texts[element.text] {
      node.rectangles = piece.rects
      node.continuesFromPreviousPage = piece.continuesBefore
      node.continuesOnNextPage = piece.continuesAfter
    } else {
      node.rectangles = node.children.flatMap(\.rectangles)
      node.continuesFromPreviousPage = node.children.first?.continuesFromPreviousPage ?? false
      node.continuesOnNextPage = node.children.last?.continuesOnNextPage ?? false
    }
  }

  /// Leaves the rows of other pages out.
  private func trim(_ table: inout StructureNode) {
    if table.continuesFromPreviousPage { table.children = Array(table.children.drop { !$0.hasContent }) }
    if table.continuesOnNextPage, let last = table.children.lastIndex(where: \.hasContent) {
      table.children.removeSubrange((last + 1)...)
    }
  }

  private func role(of element: StructureElement) -> StructureNode.Role {
    switch element.type {
    case .document, .section: .section
    case .article: .article
    case .heading1, .heading2, .heading3, .heading4, .heading5, .heading6: .heading
    case .paragraph: .paragraph
    case .list, .tableOfContents: .list
    case .listItem, .listBody, .tableOfContentsItem: .listItem
    case .label: document.isElement(tagged.structure[element.parent].node, .dt) ? .term : .marker
    case .table: .table
    case .tableHead, .tableBody, .tableFoot: .rowGroup
    case .tableRow: .row
    case .tableDataCell: .cell
    case .tableHeaderCell: element.scope == .row ? .rowHeader : .columnHeader
    case .figure: .picture
    case .caption: .caption
    case .formula: .formula
    case .blockQuote: .quotation
    case .quote: .quote
    case .code: .code
    case .note: .note
    case .link, .reference: isNoteReference(element.node) ? .noteReference : .link
    case .ruby: .ruby
    case .rubyBase: .rubyBase
    case .rubyText: .rubyText
    case .division: document.isElement(element.node, .figure) ? .figure : .group
    case .span: !element.node.isNone && document.isPageBreak(element.node) ? .pageBreak : .span
    }
  }

  private func isNoteReference(_ link: NodeID) -> Bool {
    NoteRole(of: link, in: document) == .reference || NoteRole(of: document[link].parent, in: document) == .reference
  }
}

extension Range<Locator> {
  /// The text of both, and what is between them.
  fileprivate func union(_ other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

extension [Rect] {
  /// Adds a piece of a line to those before it, with which it becomes one where they touch.
  fileprivate mutating func join(_ piece: Rect, isVertical: Bool) {
    if let last, last.touches(piece, isVertical: isVertical), !last.isApart(from: piece, isVertical: isVertical) {
      self[count - 1] = last.union(piece)
    } else {
      append(piece)
    }
  }
}

extension Rect {
  /// The other rectangle is a piece of another line.
  fileprivate func isApart(from other: Rect, isVertical: Bool) -> Bool {
    isVertical
      ? other.x + other.width / 2 > maxX || other.x + other.width / 2 < x
      : other.y + other.height / 2 > maxY || other.y + other.height / 2 < y
  }
}
