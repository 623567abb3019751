import Graphics
import Primitives
import Testing

@testable import SnapshotHarness

/// What stands by a line and is placed by a rule of its own: list markers, ruby, emphasis marks, raised and lowered text; and the
/// rules of hyphens and of drawing that all books tell together.
extension ComparisonTests {
  /// Pieces of one glyph each, of a size, at a place of the page.
  private static func page(
    _ pieces: [(size: Int, x: Double, y: Double)], shape: (x: Double, y: Double)? = nil
  ) -> PageDisplay {
    var list = DisplayList(size: Size(width: LayoutUnit(600), height: LayoutUnit(800)))
    for (index, piece) in pieces.enumerated() {
      list.glyphs.append(PositionedGlyph(glyph: UInt16(index + 1), x: LayoutUnit(piece.x), y: LayoutUnit(piece.y)))
      list.items.append(
        .glyphs(
          font: FontID(0), size: LayoutUnit(piece.size), color: .black, rotation: .none, glyphs: index..<index + 1))
    }
    if let shape {
      list.items.append(
        .fillRect(
          Rect(x: LayoutUnit(shape.x), y: LayoutUnit(shape.y), width: LayoutUnit(6), height: LayoutUnit(6)), .black))
    }
    return PageDisplay(list: list, faces: [1], outlines: [1])
  }

  /// The changes between pages of one line, whose layout records differ by `growth` of its height alone.
  private static func changes(
    _ line: LineRecord, _ old: PageDisplay, _ new: PageDisplay, growth: Double = 0
  ) -> [String] {
    func unit(_ display: PageDisplay, _ growth: Double, hash: UInt64) -> UnitInMemory {
      var lines = [line, Self.line("below", node: "/4/8", y: 90 + growth)]
      lines[0].box.height += growth
      let record = PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: lines)
      return UnitInMemory(
        result: UnitResult(key: UnitKey(book: "b", profile: "p"), pages: [PageHashes(display: hash, record: hash)]),
        records: [record], displays: [display])
    }
    var units = [UnitDiff.compare(unit(old, 0, hash: 1), unit(new, growth, hash: 2)).comparison]
    ChangeFolding.fold(&units)
    return Clustering.clusters(of: units).map(\.summary)
  }

  /// A line of 16 px from (48, 48) with its baseline at 63: text from 48, and a small piece from 148.
  private static func line(small: String, marker: String? = nil, ruby: String = "") -> LineRecord {
    var line = line("text\(ruby) \(small)", node: "/4/2", y: 48)
    line.runs = [RunRecord(font: 0, size: 16, color: "#000000", text: "text ", x: 48, width: 100)]
    if !small.isEmpty {
      line.runs.append(RunRecord(font: 0, size: 10, color: "#000000", text: small, x: 148, width: 10))
    }
    line.marker = marker
    return line
  }

  private static let text = (size: 16, x: 48.0, y: 63.0)

  @Test func `Raised and lowered text are changes of their own`() {
    let line = Self.line(small: "2")
    func page(_ y: Double) -> PageDisplay { Self.page([Self.text, (10, 148, y)]) }
    #expect(Self.changes(line, page(57), page(56)) == ["raised text moved 1 px up"])
    #expect(Self.changes(line, page(57), page(58.5)) == ["raised text moved 1.5 px down"])
    #expect(Self.changes(line, page(66), page(67)) == ["lowered text moved 1 px down"])
    // A line that has more room for it is what follows.
    #expect(Self.changes(line, page(57), page(56), growth: 1) == ["raised text moved 1 px up"])
    // Text on the baseline is the line's own.
    #expect(Self.changes(line, page(63), page(63)).allSatisfy { !$0.hasPrefix("raised") })
  }

  @Test func `List markers are a change of their own`() {
    let line = Self.line(small: "", marker: "1.")
    func page(_ x: Double, _ y: Double) -> PageDisplay { Self.page([Self.text, (16, x, y)]) }
    #expect(Self.changes(line, page(30, 63), page(31, 63)) == ["list marker moved 1 px right"])
    #expect(Self.changes(line, page(30, 63), page(30, 64)) == ["list marker moved 1 px down"])
    // Bullets are drawn as shapes.
    func bullet(_ x: Double, _ y: Double) -> PageDisplay { Self.page([Self.text], shape: (x, y)) }
    #expect(Self.changes(line, bullet(30, 55), bullet(29, 55)) == ["list marker moved 1 px left"])
    #expect(Self.changes(line, bullet(30, 55), bullet(30, 56)) == ["list marker moved 1 px down"])
    // It may be painted together with its line and those above and below.
    func whole(_ x: Double) -> PageDisplay {
      var page = Self.page([(16, 48, 40)])
      page.list.glyphs += [(x, 63.0), (x + 8, 63), (48, 63), (48, 105)].enumerated().map { index, place in
        PositionedGlyph(glyph: UInt16(index + 7), x: LayoutUnit(place.0), y: LayoutUnit(place.1))
      }
      page.list.items[0] = .glyphs(
        font: FontID(0), size: LayoutUnit(16), color: .black, rotation: .none, glyphs: 0..<5)
      return page
    }
    #expect(Self.changes(line, whole(30), whole(31)) == ["list marker moved 1 px right"])
    // A box beside a line without a marker is none.
    let plain = Self.changes(Self.line(small: ""), bullet(30, 55), bullet(29, 55))
    #expect(plain == ["box drawn elsewhere or in another size"])
  }

  @Test func `Ruby and emphasis marks are changes of their own`() {
    func page(_ x: Double, _ y: Double) -> PageDisplay { Self.page([Self.text, (8, x, y)]) }
    let ruby = Self.line(small: "", ruby: "（reading）")
    #expect(Self.changes(ruby, page(50, 46), page(50, 45.5)) == ["ruby moved 0.5 px up"])
    #expect(Self.changes(ruby, page(50, 46), page(50.5, 46)) == ["ruby moved 0.5 px right"])
    #expect(Self.changes(Self.line(small: ""), page(50, 46), page(50, 45)) == ["emphasis mark moved 1 px up"])
  }

  @Test func `Attached text is one change`() {
    func moved(_ distance: String, _ element: String, _ count: Int = 1) -> [(String, ChangeClass)] {
      [(String, ChangeClass)](repeating: ("moved|dy=\(distance)|attached|\(element)|layout", .moved), count: count)
    }
    func counts(_ books: [String: [(String, ChangeClass)]]) -> [Int] { Self.folded(books).map(\.members.count) }
    // By a part of the text's size, in whatever book; the other way, and ruby, are other changes.
    #expect(counts(["a": moved("-1", "raised text", 3), "b": moved("-1.25", "raised text")]) == [4])
    #expect(counts(["a": moved("-1", "raised text", 3), "b": moved("+1", "raised text")]) == [3, 1])
    #expect(counts(["a": moved("-1", "raised text", 3), "b": moved("-1", "ruby")]) == [3, 1])
    // Marks that stand where ruby does move with it.
    var unit = Self.unit("a", moved("-1", "ruby", 4))
    for page in unit.pages.indices { unit.pages[page].changes[0].origin = .layout }
    var mark = unit.pages[0].changes[0]
    mark.signature = mark.signature.replacing("ruby", with: "emphasis mark")
    unit.pages[0].changes.append(mark)
    var units = [unit]
    ChangeFolding.fold(&units)
    #expect(Clustering.clusters(of: units).map(\.members.count) == [4])
    let room = ("moved|dy=+1|lineSpacing|paragraph|layout", ChangeClass.moved)
    #expect(counts(["a": moved("-1", "raised text", 4) + [room]]) == [5])
    // In vertical text it is a move to the side.
    let vertical = ("moved|dx=+1|attached|raised text|layout", ChangeClass.moved)
    #expect(counts(["a": moved("-1", "raised text", 3), "b": [vertical]]) == [4])
    #expect(counts(["a": moved("-1", "raised text", 4), "b": [room]]) == [4, 1])
    // In text that runs the other way it is one to the other side.
    func marker(_ distance: String) -> [(String, ChangeClass)] {
      [("moved|dx=\(distance)|attached|list marker|layout", .moved)]
    }
    #expect(counts(["a": marker("-1") + marker("-1"), "b": marker("+1")]) == [3])
    #expect(counts(["a": marker("-1") + marker("-1"), "b": marker("+2")]) == [2, 1])
    #expect(counts(["a": marker("-1") + marker("-1") + marker("+1")]) == [2, 1])
  }

  @Test func `Rules of hyphens are joined`() {
    func hyphens(_ rule: String, _ count: Int, _ direction: String = "less") -> [(String, ChangeClass)] {
      [(String, ChangeClass)](
        repeating: ("hyphens-changed|\(direction)|\(rule)|layout", .hyphensChanged), count: count)
    }
    func signatures(_ changes: [(String, ChangeClass)]) -> [String] { Self.folded(["a": changes]).map(\.signature) }
    // Those with two letters are among those with three.
    #expect(
      signatures(hyphens("2 letters before", 3) + hyphens("3 letters before", 2))
        == ["hyphens-changed|less|3 letters or fewer before|layout"])
    // Who accepts a rule has not accepted that there are no hyphens at all.
    #expect(signatures(hyphens("", 3) + hyphens("3 letters behind", 1)).count == 2)
    #expect(signatures(hyphens("2 letters before", 3)) == ["hyphens-changed|less|2 letters before|layout"])
    #expect(signatures(hyphens("2 letters before", 2) + hyphens("2 letters behind", 2)).count == 2)
    // What breaks elsewhere behind a hyphen that went tells of other rules, and of none; columns are as wide as parts of words.
    let (breaks, columns) = (
      ("line-break-changed|layout", ChangeClass.lineBreakChanged),
      ("table-geometry|none|table|layout", ChangeClass.tableGeometry)
    )
    #expect(
      signatures(hyphens("2 letters before", 8) + hyphens("3 letters behind", 2) + hyphens("", 1) + [breaks, columns])
        == ["hyphens-changed|less|2 letters before|layout"])
  }

  @Test func `Hyphenation that is gone is told from rules`() {
    func hyphens(_ amount: String, _ rule: String, _ count: Int) -> [(String, ChangeClass)] {
      [(String, ChangeClass)](
        repeating: ("hyphens-changed|\(amount)|\(rule)|layout", .hyphensChanged), count: count)
    }
    func clusters(_ changes: [(String, ChangeClass)]) -> [String] { Self.folded(["a": changes]).map(\.signature) }
    // The few hyphens that a chapter has lost have something in common by chance.
    #expect(
      clusters(hyphens("all", "", 3) + hyphens("all", "3 letters behind", 3) + hyphens("all", "2 letters before", 2))
        == ["hyphens-changed|all||layout"])
    // Soft hyphens stay.
    #expect(clusters(hyphens("all", "", 4) + hyphens("less", "2 letters before", 1)) == ["hyphens-changed|all||layout"])
    // A rule leaves some chapters none.
    #expect(
      clusters(hyphens("less", "2 letters before", 3) + hyphens("all", "2 letters before", 2))
        == ["hyphens-changed|less|2 letters before|layout"])
  }

  @Test func `Chapters that have no hyphens any more say so`() {
    func unit(_ texts: [(text: String, isHyphenated: Bool)]) -> UnitInMemory {
      var start = 0
      let lines = texts.enumerated().map { index, item in
        var line = LineRecord(
          text: item.text, box: RecordBox(x: 20, y: Double(index * 20), width: 300, height: 20),
          baseline: Double(index * 20 + 15),
          source: RecordSource(node: "/4/2", start: start, end: start + item.text.utf16.count))
        line.hyphenated = item.isHyphenated
        start += item.text.utf16.count
        return line
      }
      return Self.unit([PageRecord(number: 1, chapter: 1, href: "a", size: [400, 600], lines: lines)], faces: [])
    }
    let (plain, rest) = (("and so on ", false), ("and on", false))
    func summaries(_ end: [(text: String, isHyphenated: Bool)], _ other: [(text: String, isHyphenated: Bool)])
      -> [String]
    {
      var units = [
        UnitDiff.compare(
          unit([("a word di", true), ("vided ", false), plain] + end),
          unit([("a word ", false), ("divided ", false), plain] + other)
        )
        .comparison
      ]
      ChangeFolding.fold(&units)
      return Clustering.clusters(of: units).map(\.summary)
    }
    #expect(summaries([rest], [rest]) == ["no hyphens any more"])
    let kept = [("another word fol", true), ("lows", false)]
    #expect(summaries(kept, kept) == ["fewer hyphens: those with 2 letters before them"])
  }

  @Test func `What is drawn otherwise is named`() {
    func drawn(_ kinds: Set<String>) -> (String, ChangeClass) {
      (ChangeFolding.signature(.drawingChanged, causes: kinds), .drawingChanged)
    }
    // What all pages have in common; then what most of the others have.
    #expect(
      Self.folded(["a": [drawn(["glyphs", "images"]), drawn(["images"])], "b": [drawn(["boxes", "images"])]])
        .map(\.signature) == ["drawing-changed|images"])
    let two = Self.folded(["a": [drawn(["glyphs", "images"]), drawn(["images"]), drawn(["gradients"])]])
    #expect(Set(two.map(\.signature)) == ["drawing-changed|gradients", "drawing-changed|images"])
    // Pages with the same pixels clear what they draw.
    let (glyphs, images) = (UInt64(11) << 56, UInt64(13) << 56)
    let features: [Int: Set<UInt64>] = [1: [glyphs], 2: [glyphs, images], 3: [images]]
    #expect(DrawingCauses.kinds(changed: [2, 3], equal: [1]) { features[$0] } == [2: ["images"], 3: ["images"]])
    #expect(DrawingCauses.kinds(changed: [2], equal: []) { features[$0] } == [2: ["glyphs", "images"]])
    #expect(DrawingCauses.summary(["images"]) == "drawing of images changed, display list equal")
    #expect(DrawingCauses.summary([]) == "drawing changed, display list equal")
  }

  @Test func `What pages are in PDFs is told by aspects`() {
    let page = """
      Document/H1 lang=en: Title
      Document/P: some text
      Document/P/Link to c2.xhtml: 
      Document/Figure alt=a boat/sail lang=en: x
      place c1.xhtml at 0 800
      label numbers of style D
      """
    func differences(_ old: String, _ new: String) -> Set<String> {
      TagAspects.differences(page, page.replacing(old, with: new))
    }
    #expect(differences("some text", "") == ["text"])
    #expect(differences("/Link to c2.xhtml", "/Link to nothing") == ["links gone"])
    #expect(differences("to c2.xhtml", "to c2.xhtml, which is nowhere") == ["links gone"])
    #expect(differences("to c2.xhtml", "to c3.xhtml") == ["links"])
    #expect(differences(" alt=a boat/sail", "") == ["alternative texts gone"])
    #expect(differences("H1", "P") == ["structure"])
    #expect(differences("lang=en: T", "lang=fr: T") == ["languages"])
    #expect(differences("place c1.xhtml at 0 800", "") == ["places that links lead to gone"])
    let noText = TagAspects.differences("Document/P: some text", "Document/P: ")
    #expect(noText == ["text gone"])
    #expect(differences("some text", "\u{FFFD}\u{FFFD}") == ["unreadable text"])
    #expect(differences("at 0 800", "at 0 0") == ["positions of places"])
    func tagged(_ aspects: Set<String>) -> (String, ChangeClass) {
      (ChangeFolding.signature(.taggingChanged, causes: aspects), .taggingChanged)
    }
    // Without structure there are no alternative texts; the page that has none tells.
    let clusters = Self.folded([
      "a": [tagged(["alternative texts gone", "structure gone"])], "b": [tagged(["structure gone"])],
    ])
    #expect(clusters.map(\.signature) == ["tagging-changed|structure gone"])
    #expect(
      Self.folded(["a": [tagged(["alternative texts gone", "structure gone"])]]).map(\.signature)
        == ["tagging-changed|structure gone"])
    #expect(TagAspects.summary(["links gone"]) == "links in PDFs lead nowhere, display list equal")
    #expect(TagAspects.summary(["unreadable text"]) == "text in PDFs cannot be copied, display list equal")
    #expect(TagAspects.severity(["unreadable text"]) == .high && TagAspects.severity(["text"]) == .medium)
    #expect(TagAspects.summary(["text"]) == "text in PDFs changed, display list equal")
  }
}
