package import Primitives

/// The structure types of a tagged document (ISO 32000-1, section 14.8.4).
package enum StructureType: String, Sendable {
  case document = "Document"
  case section = "Sect"
  case article = "Art"
  case heading1 = "H1"
  case heading2 = "H2"
  case heading3 = "H3"
  case heading4 = "H4"
  case heading5 = "H5"
  case heading6 = "H6"
  case paragraph = "P"
  case list = "L"
  case listItem = "LI"
  case label = "Lbl"
  case listBody = "LBody"
  case table = "Table"
  case tableRow = "TR"
  case tableHeaderCell = "TH"
  case tableDataCell = "TD"
  case tableHead = "THead"
  case tableBody = "TBody"
  case tableFoot = "TFoot"
  case figure = "Figure"
  case caption = "Caption"
  case formula = "Formula"
  case blockQuote = "BlockQuote"
  case quote = "Quote"
  case code = "Code"
  case note = "Note"
  case reference = "Reference"
  case link = "Link"
  case ruby = "Ruby"
  case rubyBase = "RB"
  case rubyText = "RT"
  case tableOfContents = "TOC"
  case tableOfContentsItem = "TOCI"
  case span = "Span"
  case division = "Div"

  /// A heading by its level, 1 to 6.
  package init(headingLevel level: Int) {
    self = [.heading1, .heading2, .heading3, .heading4, .heading5, .heading6][Swift.max(0, Swift.min(5, level - 1))]
  }

  /// The level of a heading; nil for all others.
  package var headingLevel: Int? {
    switch self {
    case .heading1: 1
    case .heading2: 2
    case .heading3: 3
    case .heading4: 4
    case .heading5: 5
    case .heading6: 6
    default: nil
    }
  }
}

/// A structure element (ISO 32000-2, section 14.7.2).
package struct StructureElement: Sendable {
  package var type: StructureType
  /// The element of the document that it is; `.none` for one that only the rules of structure ask for.
  package var node = NodeID.none
  /// Of a paragraph that no element is: its text.
  package var text = TextID.none
  /// `.none` for the chapter's own.
  package var parent: StructureElementID
  /// Alternative text; nil where there is none.
  package var alternative: String?
  /// BCP 47 tag where it differs from that of the element around; nil where it does not.
  package var language: String?
  /// Of a header cell: what it is the header of.
  package var scope: Scope?
  package var columnSpan = 1
  package var rowSpan = 1
  /// `ListNumbering` of a list (section 14.8.5.5).
  package var listNumbering: ListNumbering?
  /// Elements that take their place together with this one, content or not: rows of tables, and their cells.
  package var parts: [StructureElementID] = []
  /// The rectangle that it covers on the page of its first content; of figures.
  package var box: Rect?

  package enum Scope: String, Sendable { case row = "Row", column = "Column" }
  package enum ListNumbering: String, Sendable {
    case none = "None", disc = "Disc", circle = "Circle", square = "Square", decimal = "Decimal"
    case upperRoman = "UpperRoman", lowerRoman = "LowerRoman", upperAlpha = "UpperAlpha", lowerAlpha = "LowerAlpha"
  }

  package init(_ type: StructureType, in parent: StructureElementID) {
    self.type = type
    self.parent = parent
  }
}

/// The structure of one chapter as its pages fill it. Element 0 is the chapter's own.
package struct ChapterStructure: Sendable {
  package private(set) var elements: [StructureElement]
  /// By element: what it holds, in order of reading.
  package private(set) var children: [[Child]]
  /// The entries of the outline that the chapter's styles ask for, and those of its headings.
  package var bookmarks: [PDFOutlineEntry] = []
  package var headings: [PDFOutlineEntry] = []
  /// By element: whether it has its place in the one around it.
  private(set) var isPlaced: [Bool]

  package enum Child: Sendable {
    case element(StructureElementID)
    /// Marked content of a page, by the page's position among those of the chapter.
    case content(page: Int, id: Int)
    case link(page: Int, index: Int)
  }

  package init(language: String?) {
    var root = StructureElement(.section, in: .none)
    root.language = language
    elements = [root]
    children = [[]]
    isPlaced = [false]
  }

  package static let root = StructureElementID(0)
  package subscript(id: StructureElementID) -> StructureElement {
    get { elements[id.index] }
    set { elements[id.index] = newValue }
  }

  /// Adds an element, which takes its place in its parent when it or what is in it first has content.
  package mutating func add(_ element: StructureElement) -> StructureElementID {
    elements.append(element)
    children.append([])
    isPlaced.append(false)
    return StructureElementID(elements.count - 1)
  }

  /// Gives an element content, and all those around it that had none their places.
  private mutating func append(_ child: Child, to id: StructureElementID) {
    guard !id.isNone else { return }
    place(id)
    children[id.index].append(child)
  }

  private mutating func place(_ id: StructureElementID) {
    guard !isPlaced[id.index] else { return }
    let parent = elements[id.index].parent
    if !parent.isNone {
      place(parent)
      // It may have come with its parent.
      if isPlaced[id.index] { return }
      children[parent.index].append(.element(id))
    }
    isPlaced[id.index] = true
    placeParts(of: id)
  }

  private mutating func placeParts(of id: StructureElementID) {
    for part in elements[id.index].parts where !isPlaced[part.index] {
      isPlaced[part.index] = true
      children[id.index].append(.element(part))
      placeParts(of: part)
    }
  }

  /// Takes up the content of the chapter's next page.
  ///
  /// - Parameter content: By marked content of the page: its element, and where it stands in the document.
  package mutating func append(
    page: Int, content: [(element: StructureElementID, place: SourceOrder)], links: [PageLink]
  ) {
    var order = Array(content.indices)
    order.sort { (content[$0].place, $0) < (content[$1].place, $1) }
    for index in order { append(.content(page: page, id: index), to: content[index].element) }
    for (index, link) in links.enumerated() where !link.element.isNone {
      append(.link(page: page, index: index), to: link.element)
    }
  }
}
