import Graphics
import Primitives
import Testing

@testable import SnapshotHarness

/// Consequences are in the cluster of their cause, and changes that have another one are not (snapshot harness, 5.6 to 5.8).
extension ComparisonTests {
  /// A table of one cell for each size, below the others of its page.
  ///
  /// - Parameter scale: the factor by which it is made smaller to fit its page.
  private static func table(_ number: Int, _ sizes: [Double], style: String? = nil, scale: Double = 1) -> [LineRecord] {
    sizes.enumerated().map { index, size in
      var line = line(
        "cell \(number) \(index)", node: "/4/\(number * 2)/\(index * 2 + 2)", y: Double(48 + number * 80 + index * 20))
      line.runs[0].size = (size * scale * 64).rounded() / 64
      line.style = style
      line.role = "td"
      line.table = "/4/\(number * 2)"
      line.scale = scale == 1 ? nil : scale
      return line
    }
  }

  private static func clusters(_ old: [[LineRecord]], _ new: [[LineRecord]]) -> [Cluster] {
    func unit(_ tables: [[LineRecord]]) -> UnitInMemory {
      Self.unit(
        [PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: tables.flatMap { $0 })], faces: [])
    }
    return Clustering.clusters(of: [UnitDiff.compare(unit(old), unit(new)).comparison])
  }

  /// Tables that are made smaller to fit their page have text of as many sizes as there are tables, from one cause.
  @Test func `Tables of other scales are one change`() {
    let old = [Self.table(1, [16, 12]), Self.table(2, [16, 12], scale: 0.9), Self.table(3, [16, 12])]
    let scaled = Self.clusters(
      old, [Self.table(1, [16, 12], scale: 0.93), Self.table(2, [16, 12], scale: 0.7), old[2]])
    #expect(scaled.map(\.signature) == ["table-geometry|scaled|table"])
    #expect(scaled.map(\.summary) == ["tables are scaled otherwise to fit their page"])
    // A rule on the type of all tables is one of sizes, whatever their scales are.
    let all = Self.clusters(
      old, [Self.table(1, [15, 12]), Self.table(2, [15, 12], scale: 0.9), Self.table(3, [15, 12])])
    #expect(all.map(\.signature) == ["size-changed|16|15|table"])
    // A piece of a scaled table that got another size still; each is told.
    let one = Self.clusters(old, [Self.table(1, [16, 11], scale: 0.93), old[1], old[2]])
    #expect(one.map(\.signature) == ["table-geometry|scaled|table", "size-changed|12|11|table"])
  }

  /// A table that stands sideways to fit its page.
  @Test func `Tables that are turned name their cause`() {
    let old = [Self.table(1, [16], style: "a")]
    // Lines that run downwards in a table that is turned to fit; a rule that turns them is another change.
    func turned(_ style: String) -> [LineRecord] {
      Self.table(1, [16], style: style).map { line in
        var line = line
        line.writing = "vertical-rl"
        return line
      }
    }
    #expect(Self.clusters(old, [turned("a")]).map(\.signature) == ["table-geometry|turned|table|layout"])
    #expect(Self.clusters(old, [turned("b")]).map(\.signature) == ["text-order|direction|table|style"])
  }

  /// Scaled tables follow from what makes columns wider, and a size that no scale explains does not.
  @Test func `Scales follow from columns`() {
    let columns = [(String, ChangeClass)](repeating: ("table-geometry|none|table|style", .tableGeometry), count: 8)
    let scaled = ("table-geometry|scaled|table|style", ChangeClass.tableGeometry)
    let size = ("size-changed|16|15|table|style", ChangeClass.sizeChanged)
    let clusters = Self.folded(["a": columns + [scaled, scaled, size]])
    #expect(clusters.map(\.signature) == [columns[0].0, size.0])
    #expect(clusters.map(\.members.count) == [10, 1])
  }

  /// A margin in `em` is another distance in each book: what follows from it may be in any of these.
  @Test func `What follows from a rule is in any of its books`() {
    func distance(_ length: String, _ count: Int) -> [(String, ChangeClass)] {
      [(String, ChangeClass)](repeating: ("moved|dy=+\(length)|gap|paragraph|style", .moved), count: count)
    }
    let breaks = ("line-break-changed|style", ChangeClass.lineBreakChanged)
    let colour = ("colour|#000000|#ff0000|text|style", ChangeClass.colour)
    let clusters = Self.folded([
      "a": distance("1.5", 8), "b": distance("2", 4) + [breaks, colour], "c": distance("2.5", 3) + [breaks],
    ])
    // What has more pages comes first.
    #expect(clusters.map(\.signature) == ["moved|dy=+1.5|gap|paragraph|style", colour.0])
    #expect(clusters.map(\.members.count) == [17, 1])
    // Where no distance of the rule changed, they have another cause.
    #expect(Self.folded(["a": distance("1.5", 8), "b": distance("2", 4), "c": [breaks]]).count == 2)
  }

  /// Pages that look alike in two documents, such as those of one mark in their middle, are no partners.
  @Test func `Pages of other places are told apart`() {
    func page(_ href: String, _ text: String, _ node: String) -> PageRecord {
      PageRecord(number: 1, chapter: 1, href: href, size: [600, 800], lines: [Self.line(text, node: node, y: 48)])
    }
    func unit(_ pages: [(page: PageRecord, display: UInt64)]) -> UnitInMemory {
      var unit = Self.unit(pages.map(\.page), faces: [])
      for index in pages.indices { unit.result.pages[index].display = pages[index].display }
      return unit
    }
    // The second page of each document looks the same; each run has another mark on the page of one of them.
    let old = unit([
      (page("a", "one", "/2"), 1), (page("a", "*", "/4"), 2), (page("b", "two", "/2"), 3), (page("b", "+", "/4"), 4),
    ])
    let new = unit([
      (page("a", "one", "/2"), 5), (page("a", "+", "/4"), 6), (page("b", "two", "/2"), 7), (page("b", "*", "/4"), 2),
    ])
    let changes = UnitDiff.compare(old, new).comparison.pages.flatMap(\.changes).filter { $0.kind != .pixelsOnly }
    #expect(changes.map(\.summary) == ["paragraph text “*” became “+”", "paragraph text “+” became “*”"])
  }

  /// A gradient or a clip that stands elsewhere is a box that moved; one of another look is another shape.
  @Test func `Shapes that move are named`() {
    func unit(_ y: Int, _ color: Color, hash: UInt64) -> UnitInMemory {
      var list = DisplayList(size: Size(width: LayoutUnit(600), height: LayoutUnit(800)))
      let rect = Rect(x: .zero, y: LayoutUnit(y), width: LayoutUnit(50), height: LayoutUnit(50))
      let stops = [GradientStop(offset: 0, color: .black), GradientStop(offset: 1, color: color)]
      let ends = (Point(x: rect.x, y: rect.y), Point(x: rect.x, y: rect.y + rect.height))
      list.items = [
        .fillGradient(rect, CornerRadii(), .linear(from: ends.0, to: ends.1, stops: stops, repeating: false)),
        .saveClip(rect, CornerRadii()), .restore,
      ]
      let page = PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: [])
      return UnitInMemory(
        result: UnitResult(key: UnitKey(book: "b", profile: "p"), pages: [PageHashes(display: hash, record: 1)]),
        records: [page], displays: [PageDisplay(list: list)])
    }
    func signatures(_ new: UnitInMemory) -> [String] {
      UnitDiff.compare(unit(0, .white, hash: 1), new).comparison.pages.flatMap { $0.changes.map(\.signature) }
    }
    #expect(signatures(unit(1, .white, hash: 2)) == ["pixels-only|box||page"])
    #expect(signatures(unit(0, .black, hash: 2)) == ["pixels-only|shape||page"])
  }

  /// Lines of a block, between bars, of runs, small ones between underscores.
  private static func lines(of text: String, number: Int, role: String) -> [LineRecord] {
    text.split(separator: "|").enumerated().map { index, text in
      var line = line(of: text, number: number, role: role)
      // Offsets in the document are the same, whatever is hidden of it.
      line.source = RecordSource(node: line.source.node, start: index * 100, end: index * 100 + 100)
      return line
    }
  }

  private static func line(of text: Substring, number: Int, role: String) -> LineRecord {
    let pieces = text.split(separator: "_", omittingEmptySubsequences: false)
    var line = Self.line(pieces.joined(), node: "/4/\(number * 2)", y: Double(48 + number * 20))
    line.role = role
    line.runs = pieces.enumerated().filter { !$0.element.isEmpty }.map { index, piece in
      RunRecord(
        font: 0, size: index % 2 == 0 ? 16 : 12, color: "#000000", text: String(piece), x: 48, width: 100)
    }
    return line
  }

  private static func summaries(_ texts: [(old: String, new: String, role: String)]) -> [String] {
    func unit(_ texts: [(text: String, role: String)]) -> UnitInMemory {
      let lines = texts.enumerated().flatMap { Self.lines(of: $1.text, number: $0, role: $1.role) }
      return Self.unit([PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: lines)], faces: [])
    }
    let comparison = UnitDiff.compare(
      unit(texts.map { ($0.old, $0.role) }), unit(texts.map { ($0.new, $0.role) })
    ).comparison
    return Clustering.clusters(of: [comparison]).map(\.summary)
  }

  /// Small text that one rule hides is one change, be it marks of notes, exponents or words; text of the lines themselves is not.
  @Test func `Hidden small text is named`() {
    let hidden = [
      (old: "a note_1_ and another_2_", new: "a note and another", role: "p"),
      (old: "the n_th_ of them_*_", new: "the n of them", role: "li"), (old: "x_n_", new: "x", role: "td"),
    ]
    #expect(Self.summaries(hidden) == ["small texts within lines lost"])
    #expect(
      Self.summaries(hidden.map { (old: $0.new, new: $0.old, role: $0.role) }) == ["small texts within lines added"])
    // A line of marks, and one that has little else, below the text that they belong to.
    #expect(
      Self.summaries([
        (old: "some long text|_[12][13]_.", new: "some long text|.", role: "p"),
        (old: "some long text|_[14]_", new: "some long text", role: "p"),
      ]) == ["small texts within lines lost"])
    // Some of them, and then a word beside them.
    #expect(Self.summaries([(old: "H_2_O_1_", new: "H_2_O", role: "p")]) == ["“1” lost in paragraph text"])
    let lost = Self.summaries(hidden + [(old: "some plain word", new: "some word", role: "p")])
    #expect(Set(lost) == ["small texts within lines lost", "“plain” lost in paragraph text"])
    #expect(
      Self.summaries([(old: "a note_1_ and a word", new: "a note and", role: "p")]).allSatisfy {
        !$0.hasPrefix("small")
      })
  }

  /// Type that one rule makes larger is one change at whatever sizes it had; another step is another change.
  @Test func `Sizes of one rule are one change`() {
    func size(_ old: String, _ new: String, _ element: String = "heading", _ origin: String = "style") -> (
      String, ChangeClass
    ) {
      ("size-changed|\(old)|\(new)|\(element)|\(origin)", .sizeChanged)
    }
    func counts(_ books: [String: [(String, ChangeClass)]]) -> [Int] {
      Self.folded(books).map(\.members.count).sorted()
    }
    // By a length, and by a factor.
    #expect(counts(["a": [size("32", "33"), size("24", "25")], "b": [size("28.75", "29.75")]]) == [3])
    #expect(counts(["a": [size("32", "35.25"), size("24", "26.375")], "b": [size("20", "22")]]) == [3])
    #expect(counts(["a": [size("32", "33"), size("24", "26")]]) == [1, 1])
    #expect(counts(["a": [size("32", "33"), size("24", "23")]]) == [1, 1])
    #expect(counts(["a": [size("32", "33"), size("24", "25", "paragraph")]]) == [1, 1])
    #expect(counts(["a": [size("32", "33"), size("24", "25", "heading", "layout")]]) == [1, 1])
  }

  /// Boxes behind a text that is gone go with it; those of other pages do not.
  @Test func `Boxes of lost text are its consequence`() {
    let text = [(String, ChangeClass)](repeating: ("text-lost|small|||page|layout", .textLost), count: 4)
    let box = ("pixels-only|box||page|layout", ChangeClass.pixelsOnly)
    func clusters(_ changes: (Int) -> [(String, ChangeClass)]) -> [Int] {
      var units = [Self.unit("a", text)]
      for page in units[0].pages.indices {
        units[0].pages[page].changes += changes(page).map {
          Change(kind: $0.1, severity: $0.1.severity, signature: $0.0, summary: "")
        }
      }
      if !changes(4).isEmpty { units.append(Self.unit("b", changes(4))) }
      ChangeFolding.fold(&units)
      return Clustering.clusters(of: units).map(\.members.count)
    }
    #expect(clusters { $0 == 1 ? [box] : [] } == [4])
    #expect(clusters { $0 == 4 ? [box] : [] } == [4, 1])
  }

  /// An engine that sets blocks at another distance is named by the blocks that a book has most of, and in vertical text by a move of
  /// lines; images and what is centred follow.
  @Test func `Distances of an engine are one change`() {
    func moved(_ fields: String, _ count: Int = 1) -> [(String, ChangeClass)] {
      [(String, ChangeClass)](repeating: ("moved|dy=\(fields)|layout", .moved), count: count)
    }
    func counts(_ books: [String: [(String, ChangeClass)]]) -> [Int] { Self.folded(books).map(\.members.count) }
    let main = moved("+1|gap|paragraph", 8)
    #expect(
      counts(["a": main, "b": moved("+1|gap|heading", 2), "c": moved("+1|paragraph|list item", 3)]) == [13])
    #expect(counts(["a": main + moved("-0.5|top|paragraph") + [("image|displaced|dy=+1|layout", .image)]]) == [10])
    // Another distance or direction, lines of a block, a block that moved alone beside these, an image that went elsewhere.
    #expect(counts(["a": main, "b": moved("+2|gap|heading")]) == [8, 1])
    #expect(counts(["a": main + moved("-1|gap|heading")]) == [8, 1])
    #expect(counts(["a": main + moved("-1|top|heading")]) == [8, 1])
    #expect(counts(["a": main, "b": moved("+1|lineSpacing|paragraph")]) == [8, 1])
    #expect(counts(["a": main + moved("+1|paragraph|heading", 3)]) == [8, 3])
    #expect(counts(["a": main + [("image|displaced|dy=+3|layout", .image)]]) == [8, 1])
  }

  /// Where only the rows of some books' tables are others, the columns of most tables tell why; in other books they are a change.
  @Test func `Rows of tables move without other columns`() {
    let columns = [(String, ChangeClass)](repeating: ("table-geometry|none|table|layout", .tableGeometry), count: 8)
    let rows = ("table-geometry|gap|table|layout", ChangeClass.tableGeometry)
    let books = ["a": columns + [rows], "b": columns + [rows], "c": columns + [rows], "d": [rows]]
    #expect(Self.folded(books).map(\.members.count) == [28])
    #expect(Self.folded(["a": columns, "d": [rows]]).map(\.members.count) == [8, 1])
    // A table has another scale because its columns are others, be it the only one of its book.
    let scaled = ("table-geometry|scaled|table|layout", ChangeClass.tableGeometry)
    #expect(Self.folded(["a": columns, "d": [scaled]]).map(\.members.count) == [9])
    #expect(Self.folded(["a": columns, "d": [scaled, scaled, scaled]]).map(\.members.count) == [8, 3])
  }

  /// Pieces of a formula that stand in another order where it is broken elsewhere have no other face.
  @Test func `Pieces in another order are the same line`() {
    func unit(_ lines: [[(text: String, font: Int)]]) -> UnitInMemory {
      var start = 0
      let records = lines.enumerated().map { number, pieces in
        var line = Self.line(pieces.map(\.text).joined(), node: "/4/2", y: Double(48 + number * 20))
        line.source = RecordSource(node: "/4/2", start: start, end: start + line.text.utf16.count)
        start = line.source.end
        line.runs = pieces.map { RunRecord(font: $0.font, size: 16, color: "#000000", text: $0.text, x: 48, width: 9) }
        return line
      }
      let faces = [0, 1].map { FaceRecord(id: $0, family: "F\($0)", style: "Regular", weight: 400, file: "f\($0).otf") }
      return Self.unit([PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: records)], faces: faces)
    }
    func kinds(_ new: [[(text: String, font: Int)]]) -> Set<ChangeClass> {
      let old = unit([[("aa", 0), ("bb", 1)], [("cc", 0)]])
      return Set(UnitDiff.compare(old, unit(new)).comparison.pages.flatMap { $0.changes.map(\.kind) })
    }
    #expect(kinds([[("aa", 1)], [("bb", 0), ("cc", 0)]]) == [.lineBreakChanged])
    #expect(kinds([[("aa", 1)], [("bb", 1), ("cc", 0)]]) == [.fontChanged])
  }

  /// Alternative texts that are gone are so in PDFs, too, and some are told there alone.
  @Test func `Alternative texts are one change`() {
    func changes(_ variant: String, _ count: Int) -> [(String, ChangeClass)] {
      [(String, ChangeClass)](repeating: ("image|\(variant)||layout", .image), count: count)
    }
    func tagged(_ aspect: String) -> [(String, ChangeClass)] {
      [(ChangeFolding.signature(.taggingChanged, causes: [aspect]), .taggingChanged)]
    }
    func signatures(_ one: [(String, ChangeClass)], _ other: [(String, ChangeClass)]) -> [String] {
      Self.folded(["a": one, "b": other]).map(\.signature)
    }
    #expect(
      signatures(changes("alternativeLost", 4), tagged("alternative texts gone")) == ["image|alternativeLost||layout"])
    #expect(signatures(changes("scaled", 4), tagged("alternative texts gone")).count == 2)
    #expect(signatures(changes("alternativeLost", 4), tagged("links gone")).count == 2)
    func unit(_ alternative: String?) -> UnitInMemory {
      var page = PageRecord(
        number: 1, chapter: 1, href: "c", size: [600, 800], lines: [Self.line("text", node: "/4/2", y: 48)])
      page.images = [PlacedRecord(href: "a.png", box: RecordBox(x: 48, y: 100, width: 50, height: 50))]
      page.images[0].alt = alternative
      return Self.unit([page], faces: [])
    }
    func summaries(_ new: String?) -> [String] {
      Clustering.clusters(of: [UnitDiff.compare(unit("a boat"), unit(new)).comparison]).map(\.summary)
    }
    #expect(summaries(nil) == ["image's alternative text gone"])
    #expect(summaries("a ship") == ["image's alternative text changed"])
  }
}
