import Foundation
import Graphics
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// Saved page directories hold only where all is the same that pages depend on.
@Suite struct LayoutKeyTests {
  private static let body = String(repeating: "<p>Several words that fill the lines of a page.</p>", count: 60)

  private func settings() -> TypesettingSettings {
    var settings = TypesettingSettings()
    settings.pageSize = Size(width: LayoutUnit(400), height: LayoutUnit(300))
    return settings
  }

  /// A directory of a book as it is saved.
  private func saved(_ book: Book) async throws -> Data {
    let typesetter = Typesetter(book: book, settings: settings())
    _ = try await typesetter.layout(of: 0)
    return try JSONEncoder().encode(typesetter.directory)
  }

  /// A typesetter takes the saved pages.
  private func isTaken(_ data: Data, by path: String) throws -> Bool {
    let directory = try JSONDecoder().decode(PageDirectory.self, from: data)
    return Typesetter(book: try Book(contentsOf: path), settings: settings(), directory: directory).pageCounts.isExact
  }

  @Test func `All settings but the colours are in the key`() {
    let changes: [(inout TypesettingSettings) -> Void] = [
      { $0.pageSize.width = LayoutUnit(599) }, { $0.marginTop = LayoutUnit(1) }, { $0.marginRight = LayoutUnit(1) },
      { $0.marginBottom = LayoutUnit(1) }, { $0.marginLeft = LayoutUnit(1) }, { $0.pageDesign = .furniture },
      { $0.scale = 2 }, { $0.fontSize = 17 }, { $0.lineHeight = 1.5 },
      { $0.fontFamily = ["A"] }, { $0.serif = "A" }, { $0.sans = "A" }, { $0.mono = "A" },
      { $0.publisherStyles = false }, { $0.userStyleSheet = "p { color: red }" }, { $0.style = .house },
      { $0.notes = .foot }, { $0.hyphenate = .on }, { $0.hyphenationExceptions = "ta-ble" },
      { $0.hyphenatesCapitals = true }, { $0.justify = .on }, { $0.reducesStops = false }, { $0.baselineGrid = true },
      { $0.characterGrid = true }, { $0.columns = 2 }, { $0.balancesPages = true }, { $0.compose = .pages },
      { $0.micro = .on }, { $0.media = .print }, { $0.letterSpacing = 0.1 }, { $0.wordSpacing = 0.1 },
      { $0.paragraphSpacing = 1 }, { $0.paragraphIndent = 1 }, { $0.legibility = .dyslexia },
      { $0.ignoredProperties = ["color"] }, { $0.showsRuby = false },
      { $0.fontDirectories = ["/fonts"] }, { $0.usesSystemFonts = false }, { $0.limits.tableSpan = 7 },
    ]
    var keys: Set = [LayoutKey.Settings(TypesettingSettings())]
    for change in changes {
      var settings = TypesettingSettings()
      change(&settings)
      #expect(keys.insert(LayoutKey.Settings(settings)).inserted)
    }
    var dark = TypesettingSettings()
    dark.theme = .dark
    #expect(keys.contains(LayoutKey.Settings(dark)))
    // A setting that is new has a row, but for the theme and the limits, and is considered here.
    #expect(Mirror(reflecting: TypesettingSettings()).children.count == TypesettingSettings.table.count + 2)
    #expect(TypesettingSettings.table.count == changes.count - 1)
    #expect(Mirror(reflecting: Limits()).children.count == LayoutKey.Settings(dark).limits.count)
  }

  @Test func `A directory of another engine, font set, library or settings is laid out anew`() async throws {
    let test = try TestBook()
    let path = try test.epub([Self.body])
    let data = try await saved(Book(contentsOf: path))
    #expect(try isTaken(data, by: path))
    var directory = try JSONDecoder().decode(PageDirectory.self, from: data)
    let key = try #require(directory.key)
    #expect(key.engine == EngineVersion.build && key.engine.count == 16)
    #expect(key.libraries.keys.sorted() == ["FreeType", "HarfBuzz", "ICU", "libxml2"])
    #expect(key.libraries.values.allSatisfy { $0.contains(".") })
    let changes: [(inout LayoutKey) -> Void] = [
      { $0.engine = "0123456789abcdef" }, { $0.libraries["ICU"] = "1.0" }, { $0.userAgentSheets = "1" },
      { $0.settings.values["fontSize"] = .number(17) }, { $0.book = "1" }, { $0.fonts = "1" }, { $0.hyphenation = "1" },
    ]
    for change in changes {
      var other = key
      change(&other)
      #expect(other.description != key.description)
      directory.key = other
      #expect(try !isTaken(JSONEncoder().encode(directory), by: path))
    }
    // A form of key that is not known, as other engines write it.
    let old = Data(#"{"key":"1a2b3c4d","chapters":[]}"#.utf8)
    #expect(try JSONDecoder().decode(PageDirectory.self, from: old).key == nil)
    #expect(try !isTaken(old, by: path))
  }

  @Test func `A saved directory with a changed byte is none, or has another key`() async throws {
    let test = try TestBook()
    let data = try await saved(Book(contentsOf: test.epub([Self.body])))
    let directory = try JSONDecoder().decode(PageDirectory.self, from: data)
    for index in data.indices {
      var damaged = data
      damaged[index] ^= index % 2 == 0 ? 1 : 0x10
      guard let read = try? JSONDecoder().decode(PageDirectory.self, from: damaged) else { continue }
      #expect(read == directory || read.key != directory.key)
    }
  }

  @Test(arguments: ["book/c0.xhtml", "book/style.css", "book/picture.png", "book/font.ttf"])
  func `A directory of other contents of a book is laid out anew`(_ name: String) async throws {
    let test = try TestBook()
    let path = try test.epub([Self.body])
    for other in ["book/style.css", "book/picture.png", "book/font.ttf"] { _ = try test.write("first", to: other) }
    let data = try await saved(Book(contentsOf: path))
    #expect(try isTaken(data, by: path))
    // Of the same size.
    let text = try String(contentsOfFile: test.path(name), encoding: .utf8)
    _ = try test.write(String(text.reversed()), to: name)
    #expect(try !isTaken(data, by: path))
  }

  @Test func `A directory of another plain text is laid out anew`() async throws {
    let test = try TestBook()
    let text = String(repeating: "A line of the text, and another.\n\n", count: 60)
    let path = try test.write(text, to: "text.txt")
    let data = try await saved(Book(contentsOf: path))
    #expect(try isTaken(data, by: path))
    _ = try test.write(text.replacingOccurrences(of: "another", with: "a third"), to: "text.txt")
    #expect(try !isTaken(data, by: path))
  }
}
