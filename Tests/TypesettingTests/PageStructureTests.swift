import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

/// What is on a page, as a tree of nodes.
@Suite struct PageStructureTests {
  /// The address of a picture of one pixel.
  private static let picture =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

  private let test: TestBook

  init() throws { test = try TestBook() }

  private func typesetter(
    _ bodies: String..., css: String = "", change: (inout TypesettingSettings) -> Void = { _ in }
  ) async throws -> Typesetter {
    var settings = TypesettingSettings()
    change(&settings)
    return Typesetter(book: try await Book(contentsOf: test.epub(bodies, style: css)), settings: settings)
  }

  private func structure(_ body: String, css: String = "") async throws -> PageStructure {
    try await typesetter(body, css: css).page(0, of: 0).structure
  }

  /// The roles of nodes with what is in them; text in quotes.
  private func outline(_ nodes: [StructureNode]) -> String {
    nodes.map { node in
      if let text = node.text { return "'\(text.replacing("\u{A0}", with: " "))'" }
      let level = node.attributes.level.map { "\($0)" } ?? ""
      return node.role.rawValue + level + (node.children.isEmpty ? "" : "(\(outline(node.children)))")
    }.joined(separator: " ")
  }

  /// All nodes below these, each before what is in it.
  private func all(_ nodes: [StructureNode]) -> [StructureNode] { nodes.flatMap { [$0] + all($0.children) } }

  private func first(_ role: StructureNode.Role, _ structure: PageStructure) throws -> StructureNode {
    try #require(all(structure.nodes).first { $0.role == role })
  }

  @Test(arguments: [
    (
      "<h2>One <em>two</em></h2><p>three <a href='#x'>four</a> five</p>",
      "heading2('One two') paragraph('three ' link('four') ' five')"
    ),
    (
      "<ol><li>one</li><li><p>two</p></li></ol>",
      "list(listitem(marker('1. ') 'one') listitem(marker('2. ') paragraph('two')))"
    ),
    ("<dl><dt>term</dt><dd>what</dd></dl>", "list(listitem(term('term')) listitem('what'))"),
    (
      "<table><caption>c</caption><tr><th>a</th><th>b</th></tr><tr><th>d</th><td>e</td></tr></table>",
      "table(row(columnheader('a') columnheader('b')) row(rowheader('d') cell('e')) caption('c'))"
    ),
    (
      "<figure><img alt='dot' src='\(Self.picture)'/><figcaption>cap</figcaption></figure>",
      "figure(img caption('cap'))"
    ),
    (
      "<blockquote><p>one <code>two</code> <q>three</q></p></blockquote>",
      "blockquote(paragraph('one ' code('two ') q('“three”')))"
    ),
    (
      "<p>a<a role='doc-noteref' href='#n'>1</a></p><aside role='doc-footnote' id='n'>note</aside>",
      "paragraph('a' doc-noteref('1')) doc-footnote(paragraph('note'))"
    ),
    (
      "<p>a <span role='doc-pagebreak' title='7' id='p7'/>b</p>",
      "paragraph('a ' doc-pagebreak 'b')"
    ),
    ("<p><ruby>漢<rt>kan</rt></ruby></p>", "paragraph(ruby(rb('漢') rt('（kan）')))"),
    ("<section><p lang='de'>eins</p></section>", "section(paragraph('eins'))"),
  ])
  func `Nodes have the roles of their elements`(body: String, nodes: String) async throws {
    let structure = try await structure(body)
    #expect(outline(structure.nodes) == nodes)
    #expect(structure.language == "en")
  }

  @Test func `Nodes tell what those who cannot look have to know`() async throws {
    let structure = try await structure(
      """
      <p lang="fr">un <a href="https://example.org/">lien</a></p><img alt="a dot" src="\(Self.picture)"/>
      <p>x<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>y</mi><mo>&lt;</mo><mn>1</mn></math></p>
      <table><tr><td colspan="2" rowspan="1">a</td></tr></table><ol><li>b</li></ol>
      <p><span role="doc-pagebreak" aria-label="xii"/>c</p>
      """)
    #expect(try first(.paragraph, structure).language == "fr")
    let link = try first(.link, structure)
    #expect(link.attributes.href == "https://example.org/" && link.source != nil && link.rectangles.count == 1)
    #expect(try first(.picture, structure).attributes.alternative == "a dot")
    let formula = try first(.formula, structure)
    #expect(formula.attributes.alternative == "y<1")
    #expect(
      formula.attributes.mathML
        == "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>y</mi><mo>&lt;</mo><mn>1</mn></math>")
    #expect(try first(.cell, structure).attributes.columnSpan == 2)
    #expect(try first(.list, structure).attributes.isOrdered)
    #expect(try first(.pageBreak, structure).attributes.label == "xii")
  }

  @Test func `Ranges and rectangles are those of the lines`() async throws {
    let typesetter = try await typesetter(
      "<h1>Title</h1><p>one two three <a href='#x'>four five six seven eight nine</a> ten eleven</p>",
      css: "p { width: 7em }")
    let page = try await typesetter.page(0, of: 0)
    let paragraph = try first(.paragraph, page.structure)
    let lines = page.lines.dropFirst()
    try #require(lines.count > 3)
    #expect(paragraph.range.lowerBound == lines.first?.range.lowerBound)
    #expect(paragraph.range.upperBound == lines.last?.range.upperBound)
    let layout = try await typesetter.layout(of: 0)
    #expect(layout.text(paragraph.range) == "one two three four five six seven eight nine ten eleven")
    let link = try first(.link, page.structure)
    #expect(layout.text(link.range) == "four five six seven eight nine")
    #expect(link.rectangles.count == page.links.count && link.rectangles.count > 1)
    #expect(link.source == page.links.first?.source)
    let box = try #require(paragraph.rectangles.first)
    #expect(paragraph.rectangles.count == 1 && box.width == LayoutUnit(7 * 16))
    for rect in link.rectangles + lines.map(\.rect) { #expect(rect.y >= box.y && rect.maxY <= box.maxY) }
    for (text, rects) in all(paragraph.children).filter({ $0.role == .text }).map({ ($0.range, $0.rectangles) }) {
      let selected = page.rectangles(of: text)
      #expect(rects.count == selected.count)
      for (own, other) in zip(rects, selected) { #expect(own.x == other.x && abs((own.maxX - other.maxX).pixels) < 8) }
    }
  }

  @Test func `What goes on from page to page says so`() async throws {
    let words = (1...40).map { "w\($0)" }.joined(separator: " ")
    let rows = (1...30).map { "<tr><td>r\($0)</td></tr>" }.joined()
    let typesetter = try await typesetter(
      "<p>\(words) <a href='#x'>\(words)</a></p><p>last</p><table><thead><tr><th>h</th></tr></thead>\(rows)</table>",
      css: "p { orphans: 1; widows: 1 }"
    ) {
      $0.pageSize = Size(width: LayoutUnit(260), height: LayoutUnit(220))
    }
    var pages: [PageStructure] = []
    for try await page in typesetter.pages(of: 0) { pages.append(page.structure) }
    #expect(pages.count > 5)
    let parts = pages.flatMap { page in all(page.nodes).filter { $0.role == .paragraph } }
    let last = try #require(parts.firstIndex { outline([$0]) == "paragraph('last')" })
    #expect(last > 1)
    #expect(parts[..<last].map(\.continuesFromPreviousPage) == (0..<last).map { $0 > 0 })
    #expect(parts[..<last].map(\.continuesOnNextPage) == (0..<last).map { $0 < last - 1 })
    #expect(!parts[last].continuesFromPreviousPage && !parts[last].continuesOnNextPage)
    let links = pages.flatMap { page in all(page.nodes).filter { $0.role == .link } }
    #expect(links.count > 1 && links.map(\.continuesFromPreviousPage) == links.indices.map { $0 > 0 })
    #expect(links.map(\.continuesOnNextPage) == links.indices.map { $0 < links.count - 1 })
    // Each row is on one page, and a header that is repeated on the first.
    let tables = pages.flatMap { page in all(page.nodes).filter { $0.role == .table } }
    #expect(tables.count > 2)
    let texts = tables.flatMap { all([$0]).compactMap(\.text) }
    #expect(texts == ["h"] + (1...30).map { "r\($0)" })
    #expect(tables.flatMap { all([$0]).filter { $0.role == .row } }.count == 31)
  }

  @Test func `The structure is the same whichever way the page was reached, and as JSON`() async throws {
    let path = PageDocumentSources.corpus.appendingPathComponent("en-the-ferryman-of-low-marsh").path
    let typesetter = Typesetter(book: try await Book(contentsOf: path))
    var inOrder: [PageStructure] = []
    for try await page in typesetter.pages(of: 1) { inOrder.append(page.structure) }
    #expect(inOrder.count > 1 && inOrder.allSatisfy { !$0.nodes.isEmpty })
    let other = Typesetter(book: try await Book(contentsOf: path))
    for index in inOrder.indices.reversed() {
      let page = try await other.page(index, of: 1)
      #expect(page.structure == inOrder[index])
    }
    let data = try JSONEncoder().encode(inOrder)
    #expect(try JSONDecoder().decode([PageStructure].self, from: data) == inOrder)
  }

  @Test func `The structure of a page outlives its typesetter, and is made by many at once`() async throws {
    var kept: Typesetter? = try await typesetter("<h1>Title</h1><p>Words</p>")
    let page = try #require(try await kept?.page(0, of: 0))
    kept = nil
    let made = await withTaskGroup(of: PageStructure.self) { group in
      for _ in 0..<8 { group.addTask { page.structure } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(made).count == 1 && outline(made[0].nodes) == "heading1('Title') paragraph('Words')")
  }
}
