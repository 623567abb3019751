import Platform
public import Primitives

/// What is on a page and what it is, for those who cannot look: the part of the book's structure that the page shows,
/// as the tags of a PDF have it. Repeated headers of tables, running headers and footers and
/// decoration are no part of it.
public struct PageStructure: Hashable, Sendable, Codable {
  /// BCP 47 tag of the chapter; empty when unknown.
  public var language: String
  /// The outermost nodes in reading order.
  public var nodes: [StructureNode]
}

/// An element of a book as far as it is on one page, or a stretch of its text.
public struct StructureNode: Hashable, Sendable {
  /// What a node is, by the names of WAI-ARIA and DPUB-ARIA, and by those of HTML for what has no role there.
  public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    /// Text of the node around it; the only role with a `text`, and without children.
    case text
    /// A part of the chapter.
    case section, article
    /// Blocks, and words in a line, that are told apart by their language alone.
    case group, span
    /// With its `level`.
    case heading
    /// Text that is one paragraph, whatever element has it.
    case paragraph
    /// Paragraphs that are quoted.
    case quotation = "blockquote"
    /// Words that are quoted in a line.
    case quote = "q"
    /// Text of a program.
    case code
    /// Ordered or not; of items alone.
    case list
    /// An item of a list, or a description in one.
    case listItem = "listitem"
    /// The number or bullet of a list's item.
    case marker
    /// What a description list describes.
    case term
    /// Of rows and groups of rows, with a caption behind them.
    case table
    /// The head, the body or the foot of a table.
    case rowGroup = "rowgroup"
    /// A row of a table, and a cell with data.
    case row, cell
    /// A cell that is the header of its column.
    case columnHeader = "columnheader"
    /// A cell that is the header of its row.
    case rowHeader = "rowheader"
    /// A picture, a table or other matter with its caption.
    case figure
    /// With its `alternative`.
    case picture = "img"
    /// Of a figure or a table.
    case caption
    /// With its text as `alternative`, and its `mathML`.
    case formula = "math"
    /// With its `href`.
    case link
    /// The mark of a note, a link.
    case noteReference = "doc-noteref"
    /// A footnote or endnote.
    case note = "doc-footnote"
    /// The beginning of a page of the printed edition, with its `label`.
    case pageBreak = "doc-pagebreak"
    /// Text with annotations.
    case ruby
    /// The text that is annotated.
    case rubyBase = "rb"
    /// An annotation, in brackets.
    case rubyText = "rt"
  }

  /// What some roles tell beside what is in them.
  public struct Attributes: Hashable, Sendable {
    /// The level of a heading, from 1.
    public var level: Int?
    /// A list's items have numbers.
    public var isOrdered = false
    /// Columns that a cell takes.
    public var columnSpan = 1
    /// Rows that a cell takes.
    public var rowSpan = 1
    /// What stands for a picture or a formula; nil where the book does not say.
    public var alternative: String?
    /// A formula as MathML.
    public var mathML: String?
    /// The number or name of a printed page.
    public var label: String?
    /// Where a link leads, as the book writes it (`Book.locator(forLink:in:)`).
    public var href: String?

    /// None.
    public init() {}
  }

  /// What it is.
  public var role: Role
  /// What its role tells beside that.
  public var attributes = Attributes()
  /// BCP 47 tag where the language is another than that of the node around it.
  public var language: String?
  /// The element in the book; nil where the node is none.
  public var source: Locator?
  /// The text as it is copied, without automatic hyphens.
  public var text: String?
  /// The range of what is on the page in the book's text; empty where that is no text of the book.
  public var range: Range<Locator>
  /// In CSS px from the page's top left corner: one for each line or column that it takes part in.
  public var rectangles: [Rect] = []
  /// It began on an earlier page.
  public var continuesFromPreviousPage = false
  /// It goes on on a later page.
  public var continuesOnNextPage = false
  /// What is in it, in reading order.
  public var children: [StructureNode] = []

  /// A node without properties.
  public init(role: Role, range: Range<Locator>) {
    self.role = role
    self.range = range
  }

  /// There is text or a picture of it on the page.
  var hasContent: Bool {
    role == .text || role == .picture || children.contains(where: \.hasContent)
  }
}

extension Page {
  /// What is on the page and what it is. It is made when it is asked for.
  public var structure: PageStructure {
    Worker.run { PageStructure(language: tagging.language, nodes: StructureReader(self).nodes) }
  }
}
