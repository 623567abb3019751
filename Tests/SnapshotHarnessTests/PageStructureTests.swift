import Foundation
import Platform
import Synchronization
import Testing
import Typesetting

@testable import SnapshotHarness

/// `Page.structure` beside the tags of the PDF of the same pages, as they are read back from its bytes.
@Suite struct PageStructureTests {
  private static let corpus = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Corpus").standardized
  private static let books = ((try? FileManager.default.contentsOfDirectory(atPath: corpus.path)) ?? [])
    .filter { $0.contains("-") }.sorted()

  @Test(arguments: books) func `Pages have the structure of the PDF's tags`(name: String) async throws {
    let book = try await Book(contentsOf: Self.corpus.appendingPathComponent(name).path)
    let typesetter = Typesetter(book: book)
    let file = Lock<[UInt8]>([])
    try await typesetter.pdf { bytes in file.withLock { $0 += bytes } }
    let reading = try #require(PDFReading(file.withLock { $0 }))
    let expected = reading.pages.map(Self.tags).filter { !$0.isEmpty }
    #expect(expected.contains { $0.contains { $0.contains("/P: ") } })
    var tags = StructureTags(bookLanguage: book.metadata.language)
    var pages: [[String]] = []
    for chapter in book.chapters.indices {
      for try await page in typesetter.pages(of: chapter) { pages.append(tags.lines(of: page.structure)) }
    }
    // The whole book has blank pages, for chapters that begin on a right one.
    pages.removeAll(where: \.isEmpty)
    #expect(pages.count == expected.count)
    for (index, (page, other)) in zip(pages, expected).enumerated() where page != other {
      let place = page.indices.first { $0 >= other.count || page[$0] != other[$0] } ?? page.count
      let (own, tag) = (page.dropFirst(place).first ?? "", other.dropFirst(place).first ?? "")
      Issue.record("page \(index): \(own) instead of \(tag)")
    }
  }

  /// The lines of text of a page. The bodies of lists' items are no nodes, and groups of rows have one role; letters of
  /// mathematical alphabets are those of the book's source.
  private static func tags(_ page: String) -> [String] {
    page.split(separator: "\n").map(String.init).filter { line in
      !line.hasPrefix("place ") && !line.hasPrefix("label ") && !line.contains(#/^[^:]*/Link( lang=\S+)? to /#)
    }.map {
      $0.replacing("/LBody", with: "").replacing(#//T(Head|Body|Foot)/#, with: "/TRows")
        .precomposedStringWithCompatibilityMapping
    }
  }
}

/// Writes the structure of pages as the tags of a PDF are written.
private struct StructureTags {
  let bookLanguage: String
  /// Of the last heading: in a PDF none is more than one level below that before it.
  private var level = 0
  private var lines: [String] = []
  private var last: [Int] = []

  init(bookLanguage: String) { self.bookLanguage = bookLanguage }

  mutating func lines(of page: PageStructure) -> [String] {
    lines = []
    last = []
    let isOfBook = page.language.isEmpty || page.language.lowercased() == bookLanguage.lowercased()
    let root = "Document/Sect" + (isOfBook ? "" : " lang=\(page.language)")
    for (index, node) in page.nodes.enumerated() { add(node, path: root, place: [index]) }
    return lines.map(\.precomposedStringWithCompatibilityMapping)
  }

  private mutating func add(_ node: StructureNode, path: String, place: [Int]) {
    if node.role == .pageBreak { return }
    if let text = node.text { return add(text, path: path, element: Array(place.dropLast())) }
    var own = path + "/" + type(of: node)
    if let language = node.language { own += " lang=\(language)" }
    if let alternative = node.attributes.alternative { own += " alt=\(alternative)" }
    if node.role == .columnHeader { own += " scope=Column" }
    if node.role == .rowHeader { own += " scope=Row" }
    if node.attributes.columnSpan > 1 { own += " columns=\(node.attributes.columnSpan)" }
    if node.attributes.rowSpan > 1 { own += " rows=\(node.attributes.rowSpan)" }
    for (index, child) in node.children.enumerated() { add(child, path: own, place: place + [index]) }
  }

  private mutating func add(_ text: String, path: String, element: [Int]) {
    if element == last {
      lines[lines.count - 1] += text
    } else {
      lines.append("\(path): \(text)")
      last = element
    }
  }

  private mutating func type(of node: StructureNode) -> String {
    switch node.role {
    case .heading:
      if !node.continuesFromPreviousPage { level = Swift.min(node.attributes.level ?? 0, level + 1) }
      return "H\(level)"
    case .section: return "Sect"
    case .article: return "Art"
    case .group, .figure: return "Div"
    case .span, .pageBreak, .text: return "Span"
    case .paragraph: return "P"
    case .quotation: return "BlockQuote"
    case .quote: return "Quote"
    case .code: return "Code"
    case .list: return "L"
    case .listItem: return "LI"
    case .marker, .term: return "Lbl"
    case .table: return "Table"
    case .rowGroup: return "TRows"
    case .row: return "TR"
    case .cell: return "TD"
    case .columnHeader, .rowHeader: return "TH"
    case .picture: return "Figure"
    case .caption: return "Caption"
    case .formula: return "Formula"
    case .link, .noteReference: return "Link"
    case .note: return "Note"
    case .ruby: return "Ruby"
    case .rubyBase: return "RB"
    case .rubyText: return "RT"
    }
  }
}
