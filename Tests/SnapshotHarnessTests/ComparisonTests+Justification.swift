import Graphics
import Primitives
import Testing

@testable import SnapshotHarness

/// What justification does to a line is told from what is set otherwise in it (snapshot harness, 4.2 and 5.6).
extension ComparisonTests {
  /// The distances of a run's glyphs, in px.
  private struct Setting: Equatable {
    var space = 4.0
    /// Added between ideographs.
    var stretch = 0.0
    /// Added to a pair.
    var kerning: [String: Double] = [:]
    /// Thousandths by which glyphs are drawn wider.
    var expansion: Int16 = 0
  }

  /// A page for each text, of one line; “fi” is one glyph.
  private static func unit(_ pages: [(text: String, setting: Setting)]) -> UnitInMemory {
    func page(_ text: String, _ setting: Setting) -> PageDisplay {
      var glyphs: [(glyph: UInt16, advance: Double)] = []
      let scalars = Array(text.unicodeScalars)
      var index = 0
      while index < scalars.count {
        let scalar = scalars[index]
        index += 1
        if scalar == " " {
          glyphs[glyphs.count - 1].advance += setting.space
          continue
        }
        let isLigature = scalar == "f" && index < scalars.count && scalars[index] == "i"
        if isLigature { index += 1 }
        let isWide = scalar.value >= 0x3000
        var advance = isWide ? 16 + setting.stretch : 8 * (1 + Double(setting.expansion) / 1000)
        if index < scalars.count { advance += setting.kerning["\(scalar)\(scalars[index])"] ?? 0 }
        glyphs.append((isLigature ? 1 : UInt16(scalar.value), advance))
      }
      var display = Self.display(glyphs)
      display.list.items = display.list.items.map { item in
        guard case .glyphs(let font, let size, let color, let rotation, _, let range) = item else { return item }
        return .glyphs(
          font: font, size: size, color: color, rotation: rotation, expansion: setting.expansion, glyphs: range)
      }
      return display
    }
    return UnitInMemory(
      result: UnitResult(
        key: UnitKey(book: "b", profile: "p"),
        pages: pages.enumerated().map { index, page in
          PageHashes(display: UInt64(index * 2 + (page.setting == Setting() ? 1 : 2)), record: 1)
        }),
      faces: [FaceRecord(id: 0, family: "F", style: "Regular", weight: 400, file: "f.otf", key: 7)],
      records: pages.enumerated().map { index, page in
        PageRecord(
          number: index + 1, chapter: 1, href: "c", size: [600, 800],
          lines: [Self.line(page.text, node: "/\(index + 2)", y: 48)])
      }, displays: pages.map { page($0.text, $0.setting) })
  }

  /// The changes of each page.
  private static func signatures(_ texts: [String], _ setting: (Int) -> Setting) -> [[String]] {
    let comparison = UnitDiff.compare(
      unit(texts.map { ($0, Setting()) }), unit(texts.enumerated().map { ($1, setting($0)) })
    ).comparison
    return comparison.pages.map { $0.changes.map(\.signature) }
  }

  /// A semicolon has a space behind it wherever it stands, be it in a line with a ligature.
  @Test func `Glyphs with a space between them are no pair`() {
    let texts = ["fit; as if", "an; it f so hem", "of them; at fit", "too"]
    let spacing = ["spacing|none|paragraph"]
    #expect(Self.signatures(texts) { Setting(space: $0 == 3 ? 4 : 3.5) } == [spacing, spacing, spacing])
    // A pair that is set otherwise beside it is a change of its own.
    #expect(
      Self.signatures(texts) { Setting(space: $0 == 3 ? 4 : 3.5, kerning: $0 == 3 ? [:] : ["of": 1]) }
        == [spacing, spacing, ["glyph-changed||of"]])
  }

  /// Lines of ideographs are justified between them: a pair that a book has once tells nothing.
  @Test func `Ideographs of a justified line are no pair`() {
    let texts = ["天地玄黃", "some"]
    let spacing = ["spacing|none|paragraph"]
    #expect(Self.signatures(texts) { Setting(stretch: $0 == 0 ? 0.5 : 0) } == [spacing])
    #expect(
      Self.signatures(texts) { Setting(stretch: $0 == 0 ? 0.5 : 0, kerning: ["me": 1]) }
        == [spacing, ["glyph-changed||me"]])
    // One that most lines have at one distance was set otherwise.
    let many = (0..<6).map { "甲乙\($0)丙" }
    #expect(
      Self.signatures(many) { _ in Setting(kerning: ["甲乙": -2]) } == many.map { _ in ["glyph-changed||甲乙"] })
  }

  /// Glyphs that are widened to fill a line stand at other distances for that.
  @Test func `Widened glyphs are no pairs`() {
    #expect(Self.signatures(["some of it"]) { _ in Setting(expansion: 20) } == [["spacing|none|paragraph"]])
  }

  /// Spaces of a line make up for the matrix in it; other spaces are a change of their own.
  @Test func `Spaces make up for a table in their line`() {
    func page(_ row: Double, _ widths: [Double]) -> [PageRecord] {
      var lines = widths.enumerated().map { index, width in
        var line = Self.line("some text \(index)", node: "/4/\(index * 2 + 2)", y: Double(48 + index * 200))
        line.box.width = width
        line.runs[0].width = width
        return line
      }
      lines += (0..<2).map { index in
        var line = Self.line("\(index)", node: "/4/2/2/\(index * 2 + 2)/2", y: 48 + Double(index) * row)
        line.role = "mtd"
        line.table = "/4/2/2"
        return line
      }
      return [PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: lines)]
    }
    func found(_ new: [PageRecord]) -> [String] {
      let units = [page(20, [200, 200]), new].map { pages in
        var unit = Self.unit(pages, faces: [])
        unit.displays = [Self.display([])]
        return unit
      }
      return UnitDiff.compare(units[0], units[1]).comparison.pages.flatMap { $0.changes.map(\.signature) }
    }
    #expect(found(page(22, [199, 200])) == ["table-geometry|gap|table"])
    #expect(found(page(22, [199, 199])) == ["table-geometry|gap|table", "spacing|none|paragraph"])
    #expect(found(page(20, [199, 200])) == ["spacing|none|paragraph"])
  }

  /// A table of columns of 100 px, before it is scaled, and what is added to each.
  private static func columns(_ number: Int, scale: Double, wider: Double = 0) -> [PageRecord] {
    let lines = (0..<4).map { column in
      var line = line(
        "cell \(number) \(column)", node: "/4/\(number * 2)/\(column * 2 + 2)", y: Double(48 + number * 80))
      line.box.x = ((48 + Double(column) * (100 + wider) * scale) * 64).rounded() / 64
      line.runs[0].x = line.box.x
      line.runs[0].size = (16 * scale * 64).rounded() / 64
      line.role = "td"
      line.table = "/4/\(number * 2)"
      line.scale = scale
      return line
    }
    return [PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: lines)]
  }

  /// A table that is made smaller because its cells are wider has other columns; one that is made smaller as it is has another scale.
  @Test func `Tables are scaled because of their columns`() {
    func signatures(_ old: [PageRecord], _ new: [PageRecord]) -> [String] {
      UnitDiff.compare(Self.unit(old, faces: []), Self.unit(new, faces: [])).comparison.pages.flatMap {
        $0.changes.map(\.signature)
      }
    }
    let columns = "table-geometry|none|table"
    let scaled = "table-geometry|scaled|table"
    #expect(
      signatures(Self.columns(1, scale: 0.9), Self.columns(1, scale: 0.882, wider: 2)) == [columns])
    #expect(signatures(Self.columns(1, scale: 0.9), Self.columns(1, scale: 0.882)) == [scaled])
    func both(_ first: [PageRecord], _ second: [PageRecord]) -> [PageRecord] {
      var page = first[0]
      page.lines += second[0].lines
      return [page]
    }
    #expect(
      signatures(
        both(Self.columns(1, scale: 0.9), Self.columns(2, scale: 0.8)),
        both(Self.columns(1, scale: 0.882, wider: 2), Self.columns(2, scale: 0.7))) == [columns, scaled])
  }
}
