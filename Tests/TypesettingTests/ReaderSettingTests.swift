import Foundation
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// What a reader wants of text whatever the book says.
@Suite struct ReaderSettingTests {
  private static let sheet =
    "<style>p { text-align: right; margin: 0; text-indent: 3em; letter-spacing: 0.5em; color: #f00 }</style>"
  private static let text = "<p>ab cd</p><p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>"

  /// The lines of the first page.
  private func lines(
    _ body: String = sheet + text, _ change: (inout TypesettingSettings) -> Void
  ) async throws -> [TextLine] {
    let test = try TestBook()
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(300))
    settings.marginLeft = LayoutUnit(20)
    change(&settings)
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([body])), settings: settings)
    return try await typesetter.page(0, of: 0).textLayer.lines
  }

  @Test func `Properties of the book are ignored by name`() async throws {
    let asWritten = try await lines { _ in }
    #expect(asWritten[0].rect.x.pixels > 200)
    let ignoring = try await lines { $0.ignoredProperties = ["text-align", "text-indent"] }
    #expect(ignoring[0].rect.x.pixels == 20 && ignoring[0].rect.width == asWritten[0].rect.width)
    let attribute = try await lines("<p align=right>a</p>") { $0.ignoredProperties = ["text-align"] }
    #expect(attribute[0].rect.x.pixels == 20)
  }

  @Test func `Spaces are the reader's, in em`() async throws {
    let plain = try await lines("<p>ab cd</p>") { _ in }
    let wide = try await lines { ($0.letterSpacing, $0.ignoredProperties) = (0.25, ["text-align", "text-indent"]) }
    #expect(abs((wide[0].rect.width - plain[0].rect.width).pixels - 5 * 4) <= 4)
    let apart = try await lines("<p>ab cd</p>") { $0.wordSpacing = 1 }
    #expect((apart[0].rect.width - plain[0].rect.width).pixels == 16)
    func pitch(_ lines: [TextLine]) -> Double { (lines[1].rect.y - lines[0].rect.y).pixels }
    let two = Self.sheet + "<p>a</p><p>b</p>"
    let (close, far) = (try await lines(two) { _ in }, try await lines(two) { $0.paragraphSpacing = 2 })
    #expect(pitch(far) - pitch(close) == 32)
    let indented = try await lines("<p>a</p>") { $0.paragraphIndent = 2 }
    #expect(indented[0].rect.x.pixels == 52)
  }

  @Test func `Formulas keep the space of their signs`() async throws {
    let formula = "<math><mi>a</mi><mo>+</mo><mi>b</mi></math>"
    let (plain, spaced) = (try await lines(formula) { _ in }, try await lines(formula) { $0.letterSpacing = 1 })
    #expect(plain.map(\.rect) == spaced.map(\.rect))
  }

  @Test func `Readings are left out`() async throws {
    let (shown, hidden) = (try await lines { _ in }, try await lines { $0.showsRuby = false })
    #expect(shown[1].rect.y > hidden[1].rect.y)
    #expect(hidden.map(\.text).joined() == "ab cd漢")
  }

  @Test func `A profile holds where nothing else is chosen`() async throws {
    let long = "<p>" + String(repeating: "some words of a line ", count: 20) + "</p>"
    func pitch(_ lines: [TextLine]) -> Double { (lines[1].rect.y - lines[0].rect.y).pixels }
    let profile = try await lines(long) { $0.legibility = .dyslexia }
    #expect(pitch(profile) == 24)
    let own = try await lines(long) { ($0.legibility, $0.lineHeight) = (.dyslexia, 2) }
    #expect(pitch(own) == 32)
    // What is asked for is what is told, so that the profile can be left again.
    let test = try TestBook()
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([long])))
    var settings = typesetter.settings
    settings.legibility = .dyslexia
    typesetter.apply(settings)
    #expect(typesetter.settings == settings && typesetter.settings.letterSpacing == nil)
  }

  @Test func `Names of no property are refused`() throws {
    func settings(_ json: String) throws -> TypesettingSettings {
      try JSONDecoder().decode(TypesettingSettings.self, from: Data(json.utf8))
    }
    #expect(try settings(#"{"ignoredProperties": ["color"], "showsRuby": false}"#).ignoredProperties == ["color"])
    #expect(throws: DecodingError.self) { try settings(#"{"ignoredProperties": ["colour"]}"#) }
  }
}
