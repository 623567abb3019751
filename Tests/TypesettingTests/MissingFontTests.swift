import Foundation
import Graphics
import Primitives
import TestSupport
import Testing
import Typesetting

/// Books on systems that have no font for a script of theirs, or none at all.
@Suite struct MissingFontTests {
  /// A system without a single font.
  private var settings: TypesettingSettings {
    var settings = TypesettingSettings()
    settings.usesSystemFonts = false
    settings.pageSize = Size(width: LayoutUnit(300), height: LayoutUnit(400))
    return settings
  }

  private static let chinese = "<p>" + String(repeating: "红楼梦，曹雪芹。", count: 60) + "</p>"

  @Test func `a page without fonts has as many lines as with them, and tells what it lacks`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub(["<h1>红楼梦</h1>" + Self.chinese]))
    let typesetter = Typesetter(book: book, settings: settings)
    let page = try await typesetter.page(0, of: 0)
    #expect(page.lines.count > 10)
    let missing = page.diagnostics
    #expect(missing.map(\.kind) == [.fontMissing])
    // The first of them begins the page.
    #expect(missing.first?.place == page.lines.first?.range.lowerBound)
    #expect(missing.first?.message.hasPrefix("no font has ") == true)
    #expect(missing.first?.message.hasSuffix(" characters of Han (first: 红 U+7EA2); install fonts-noto-cjk") == true)
    let later = try await typesetter.page(1, of: 0)
    #expect(!later.lines.isEmpty && !later.diagnostics.isEmpty)
  }

  @Test func `the typesetter tells of all pages laid out, each once`() async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub([Self.chinese, "<p>ไทย 红 ไทย!</p><p>\u{E123}\u{1F600}</p>"]))
    let typesetter = Typesetter(book: book, settings: settings)
    #expect(typesetter.diagnostics.isEmpty)
    _ = try await typesetter.layout(of: 0)
    let first = typesetter.diagnostics.map(\.message)
    #expect(first == ["no font has 480 characters of Han (first: 红 U+7EA2); install fonts-noto-cjk"])
    _ = try await typesetter.page(1, of: 0)
    _ = try await typesetter.page(0, of: 0)
    #expect(typesetter.diagnostics.map(\.message) == first)
    _ = try await typesetter.layout(of: 1)
    let all = [
      "no font has 481 characters of Han (first: 红 U+7EA2); install fonts-noto-cjk",
      "no font has 6 characters of Thai (first: ไ U+0E44); install fonts-noto-core",
      "no font has 1 character of no script (first: ! U+0021); install fonts-noto-core",
      "no font has 1 private character (first: U+E123)",
      "no font has 1 emoji (first: 😀 U+1F600); install fonts-noto-color-emoji",
    ]
    #expect(typesetter.diagnostics.map(\.message) == all)
    // What does not change pages changes nothing that is told of them; other pages are counted anew.
    var dark = settings
    dark.theme = .dark
    typesetter.apply(dark)
    #expect(typesetter.diagnostics.map(\.message) == all)
    dark.fontSize = 20
    typesetter.apply(dark)
    #expect(typesetter.diagnostics.isEmpty)
    _ = try await typesetter.page(0, of: 1)
    #expect(typesetter.diagnostics.count == 5)
  }

  @Test func `a book whose own face has all its characters lacks none`() async throws {
    let test = try TestBook()
    let font = try #require(RuleCase.font("Letters.ttf"))
    let url = "data:font/ttf;base64," + Data(font).base64EncodedString()
    let style = "@font-face { font-family: Own; src: url(\(url)) } body { font-family: Own }"
    let book = try await Book(contentsOf: test.epub(["<p>abc def</p>", "<p>abc ж</p>"], style: style))
    let typesetter = Typesetter(book: book, settings: settings)
    #expect(try await typesetter.page(0, of: 0).diagnostics.isEmpty)
    let page = try await typesetter.page(0, of: 1)
    #expect(
      page.diagnostics.map(\.message)
        == ["no font has 1 character of Cyrillic (first: ж U+0436); install fonts-noto-core"])
  }

  @Test func `what a chapter cannot show is told page by page, with its place`() async throws {
    let test = try TestBook()
    let filler = String(repeating: "<p>Words and words.</p>", count: 60)
    _ = try test.write("no picture", to: "book/broken.png")
    let body = "<p>a 红 b</p>\(filler)<p><img src='broken.png' alt=''/></p><p><img src='none.png' alt='A map'/></p>"
    let book = try await Book(contentsOf: test.epub([body, "<p>All is well</p>"]))
    let typesetter = Typesetter(book: book, settings: settings)
    let found = try await typesetter.diagnostics(of: 0)
    let pictures = found.filter { $0.kind == .imageUndecodable }
    #expect(pictures.map(\.message) == ["the image broken.png cannot be shown", "the image none.png cannot be shown"])
    let layout = try await typesetter.layout(of: 0)
    #expect(
      found == (0..<layout.pageCount).flatMap { layout.diagnostics(on: $0) } && layout.diagnostics(on: 99).isEmpty)
    let last = layout.pageCount - 1
    #expect(last > 0 && layout.diagnostics(on: last).contains(pictures[1]))
    #expect(layout.page(containing: pictures[1].place) == last)
    let page = try await typesetter.page(last, of: 0)
    #expect(page.diagnostics == layout.diagnostics(on: last))
    // The first of the characters, not the line that it stands in.
    let han = try #require(found.first { $0.message.contains("of Han") })
    #expect(han.kind == .fontMissing && han.place.offset == 2)
    #expect(try JSONDecoder().decode([PageDiagnostic].self, from: JSONEncoder().encode(found)) == found)
    await #expect(throws: PageError.noSuchPage) { try await typesetter.diagnostics(of: 9) }
  }

  @Test(arguments: ["Thai ไทย", "हिन्दी", "العربية", "עברית", "한국어", "かなカナ", "ქართული", "ខ្មែរ", "བོད", "👩‍🚀", "\u{10FFFD}"])
  func `every script is boxes on a page, whose text is found`(_ text: String) async throws {
    let test = try TestBook()
    let book = try await Book(contentsOf: test.epub(["<p>\(text)</p>"]))
    let typesetter = Typesetter(book: book, settings: settings)
    let page = try await typesetter.page(0, of: 0)
    #expect(page.lines.map(\.text) == [text])
    #expect(page.lines.allSatisfy { $0.rect.width > LayoutUnit(10) && $0.rect.height > LayoutUnit(10) })
    var glyphs: [PositionedGlyph] = []
    for case .glyphs(_, _, _, _, _, let range) in page.displayList.items { glyphs += page.displayList.glyphs[range] }
    #expect(!glyphs.isEmpty && !glyphs.contains { $0.glyph == 0 })
    #expect(!page.diagnostics.isEmpty)
  }
}
