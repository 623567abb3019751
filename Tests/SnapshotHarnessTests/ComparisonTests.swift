import BookOutput
import FoundationEssentials
import Graphics
import Primitives
import RasterRendering
import Testing
import Typesetting

@testable import SnapshotHarness

/// Books of `Corpus/`, set by the engine itself with and without a style sheet that makes the change.
@Suite struct ComparisonTests {
  private static let corpus =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path + "/Corpus/"

  private func unit(_ book: String, css: String? = nil, in folder: TestFolder) throws -> UnitInMemory {
    var options = RunOptions(input: Self.corpus + book)
    options.settings.userStyleSheet = css
    let path = folder["layout-\(UInt64.random(in: 0 ... .max))"]
    options.layout = .file(path)
    #expect(BookRun(options).run().error == nil)
    let read = try #require(Files.read(path).flatMap { LayoutRecordReader.read($0) })
    return Self.unit(read.pages, faces: read.book.faces, name: book)
  }

  static func unit(_ pages: [PageRecord], faces: [FaceRecord], name: String = "book") -> UnitInMemory {
    let hashes = pages.map { page in
      var page = page
      page.number = 0
      var hasher = StableHasher()
      hasher.combine(Files.json(page))
      return PageHashes(display: hasher.value, record: hasher.value)
    }
    return UnitInMemory(
      result: UnitResult(key: UnitKey(book: name, profile: "p"), pages: hashes), faces: faces, records: pages)
  }

  private func compare(
    _ books: [String], css: String
  ) throws -> (units: [UnitComparison], signatures: [String]) {
    let folder = TestFolder()
    let units = try books.map {
      UnitDiff.compare(try unit($0, in: folder), try unit($0, css: css, in: folder)).comparison
    }
    return (units, Clustering.clusters(of: units).map(\.signature))
  }

  private static let books = ["en-rain-gauge-manual", "en-the-keeper-of-small-lights", "ja-tokeiya-no-hikae"]

  @Test func `Equal runs have no clusters`() throws {
    #expect(try compare(Self.books, css: "").signatures == [])
  }

  @Test func `Headings moved right are one change`() throws {
    let found = try compare(Self.books, css: "h1, h2, h3, h4, h5, h6 { position: relative; left: 1px }")
    #expect(found.signatures == ["moved|dx=+1|paragraph|heading"])
  }

  @Test func `Paragraph margins name their cause once a chapter`() throws {
    let found = try compare(["en-the-keeper-of-small-lights"], css: "p { border-top: 1px solid transparent }")
    let unit = found.units[0]
    #expect(found.signatures == ["moved|dy=+1|gap|paragraph"])
    #expect(Set(unit.pages.map(\.href)).count == unit.pages.count)
    #expect(unit.pages.contains { $0.consequences > 0 })
  }

  /// Vertical lines move down where their blocks begin lower, and break elsewhere only because of it.
  @Test func `Blocks of vertical lines become shorter`() throws {
    let found = try compare(["ja-kitsune-no-tegami"], css: "p { margin-top: 1px !important }")
    #expect(found.signatures == ["moved|dy=+1|paragraph|paragraph"])
  }

  /// Traces of a cause: an empty block that came to the top of a page, and what rounding adds.
  @Test func `Traces of a cause are its consequences`() {
    func event(_ delta: Double, _ variant: ChangeKey.Variant, isAfterFlow: Bool = false) -> ChapterDiff.FlowEvent {
      let box = RecordBox(x: 0, y: 0, width: 1, height: 1)
      return ChapterDiff.FlowEvent(
        slot: 0, delta: delta, element: .heading, before: .text, variant: variant, oldBox: box, newBox: box,
        source: RecordSource(node: "/4", start: 0, end: 1), nodeBefore: "", offset: delta, isVertical: false,
        isAfterFlow: isAfterFlow)
    }
    let cause = [ChapterDiff.FlowEvent](repeating: event(1, .gap), count: 3)
    let traces = [event(16, .top, isAfterFlow: true), event(-0.375, .gap)]
    #expect(FlowCauses(cause + traces).causes.map(\.delta) == [64])
    // Alone, at a page that nothing came to, or often, they are causes.
    #expect(FlowCauses(traces).causes.count == 1)
    #expect(FlowCauses(cause + [event(16, .top)]).causes.count == 2)
    #expect(FlowCauses(cause + Array(repeating: traces[0], count: 3)).causes.count == 2)
  }

  @Test func `A changed colour is one cluster`() throws {
    let found = try compare(["en-the-keeper-of-small-lights"], css: "p { color: #010203 }")
    #expect(found.signatures == ["colour|#000000|#010203|text"])
  }

  @Test func `Slightly smaller type is named`() throws {
    let found = try compare(["en-the-keeper-of-small-lights"], css: "p { font-size: 99.8% }")
    #expect(found.signatures.contains("size-changed|a little|smaller|paragraph"), "\(found.signatures)")
  }

  @Test func `A swapped font is one cluster`() throws {
    let found = try compare(
      ["en-the-keeper-of-small-lights"], css: "p, p * { font-family: 'DejaVu Sans Mono' !important }")
    #expect(!found.signatures.isEmpty)
    #expect(found.signatures.allSatisfy { $0.hasPrefix("font-changed|") }, "\(found.signatures)")
  }

  @Test func `One lost character is named`() throws {
    let folder = TestFolder()
    let old = try unit("en-the-keeper-of-small-lights", in: folder)
    var records = old.records
    let page = records.count / 2
    let text = records[page].lines[3].text
    let lost = try #require(text.firstIndex(of: "e"))
    records[page].lines[3].text.remove(at: lost)
    records[page].lines[3].box.width -= 7
    let comparison = UnitDiff.compare(old, Self.unit(records, faces: old.faces)).comparison
    #expect(comparison.pages.map(\.newPage) == [page + 1])
    #expect(comparison.pages.first?.changes.map(\.signature) == ["text-lost|none|short texts||paragraph"])
    #expect(comparison.pages.first?.changes.first?.summary == "“e” lost in paragraph text")
    #expect(comparison.pages.first?.changes.first?.severity == .high)
  }

  /// Marks of notes that one rule hides are one change, whatever they are and wherever they stand.
  @Test func `Hidden marks of notes are named`() throws {
    let lines = ["one¹ and two† and three", "four[12] and five*", "six"]
    func pages(_ text: (String) -> String) -> [PageRecord] {
      (1...4).map { page in
        PageRecord(
          number: page, chapter: 1, href: "a.xhtml", size: [600, 800],
          lines: lines.enumerated().map { index, line in
            var record = LineRecord(
              text: text(line), box: RecordBox(x: 0, y: Double(index * 20), width: 300, height: 20),
              baseline: Double(index * 20 + 15),
              source: RecordSource(node: "/4/\(page * 10 + index * 2)", start: 0, end: line.utf16.count))
            if index == 1 { record.role = "li" }
            return record
          })
      }
    }
    let old = Self.unit(pages { $0 }, faces: [])
    let new = Self.unit(pages { line in line.filter { !"¹†[12]*".contains($0) } }, faces: [])
    let clusters = Clustering.clusters(of: [UnitDiff.compare(old, new).comparison])
    #expect(clusters.map(\.summary) == ["numbers or marks of notes lost"])
    #expect(clusters.first?.members.count == 4)
  }

  /// A paragraph whose lines break elsewhere is told by what is wrong with the new ones.
  @Test func `Faults of new breaks are told`() {
    func unit(_ texts: [String], hyphenated: Bool = false, wide: Bool = false) -> UnitInMemory {
      var start = 0
      let lines = texts.enumerated().map { index, text in
        var record = LineRecord(
          text: text, box: RecordBox(x: 20, y: Double(index * 20), width: wide && index == 1 ? 340 : 300, height: 20),
          baseline: Double(index * 20 + 15),
          source: RecordSource(node: "/4/2", start: start, end: start + text.utf16.count))
        record.hyphenated = hyphenated && index + 1 < texts.count
        start += text.utf16.count
        return record
      }
      return Self.unit(
        [PageRecord(number: 1, chapter: 1, href: "a.xhtml", size: [400, 600], lines: lines)], faces: [])
    }
    func summaries(_ old: UnitInMemory, _ new: UnitInMemory) -> [String] {
      Clustering.clusters(of: [UnitDiff.compare(old, new).comparison]).map(\.summary)
    }
    #expect(
      summaries(unit(["你在哪里？", "我在这里。", "好"]), unit(["你在哪里", "？我在这里。", "好"])) == ["lines may begin with ？"])
    #expect(
      summaries(unit(["你在", "（哪里）", "好"]), unit(["你在（", "哪里）", "好"])) == ["lines may end with （"])
    #expect(
      summaries(
        unit(["aaaa bb", "cccc dd", "eeee ff", "g"]), unit(["aaaa b", "bcccc d", "deeee f", "fg"], hyphenated: true))
        == ["3 hyphens below each other in paragraph lines"])
    #expect(
      summaries(unit(["aaaa bb", "cccc dd", "e"]), unit(["aaaa bb c", "ccc dde"], wide: true))
        == ["paragraph lines go beyond their measure"])
  }

  /// Text lost in several places of a line is one loss.
  @Test func `One character lost everywhere is one change`() {
    func difference(_ old: String, _ new: String) -> [String] {
      let found = ChapterDiff.difference(Array(old.unicodeScalars), Array(new.unicodeScalars))
      return [found.lost, found.added]
    }
    #expect(difference("quite quiet", "uite uiet") == ["q", ""])
    #expect(difference("uite uiet", "quite quiet") == ["", "q"])
    #expect(difference("quite", "te") == ["qui", ""])
    #expect(difference("quiet", "wiet") == ["qu", "w"])
    #expect(difference("aqua", "aua") == ["q", ""])
    #expect(difference("quit", "uti") == ["quit", "uti"])
  }

  /// Signatures of what differs when a book is rendered by the built program, with display lists, under two style sheets.
  private func signatures(of book: String, _ old: String, _ new: String) throws -> [String] {
    let folder = TestFolder()
    let sessions = try [old, new].enumerated().map { index, css in
      var corpus = try Corpus.read([Self.corpus + book], profiles: Self.corpus + "profiles.yaml")
      for index in corpus.profiles.indices { corpus.profiles[index].userCSS = css }
      var selection = UnitSelection()
      selection.limit = 1
      let session = try Session(
        corpus: corpus, paths: [Self.corpus + book], selection: selection, into: folder["run-\(index)"],
        program: LittleCorpus.program)
      try session.render()
      return session
    }
    let comparison = try Verification.compare(
      .run(sessions[0].run, sessions[0].manifest), .run(sessions[1].run, sessions[1].manifest))
    #expect(comparison.pageCount > 1)
    return comparison.clusters.map(\.signature)
  }

  @Test(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) func `Kerning is a cluster of its own`() throws {
    let found = try signatures(of: "en-the-keeper-of-small-lights", "", "p { font-kerning: none }")
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.hasPrefix("glyph-changed|") }, "\(found)")
  }

  /// Where few pairs are at another distance, they are named, and what spaces make up for is not.
  @Test func `Pairs are named`() {
    func unit(
      _ kern: Double, face: UInt64, _ hash: UInt64, _ pages: [(glyphs: [UInt16], text: String)]
    ) -> UnitInMemory {
      UnitInMemory(
        result: UnitResult(
          key: UnitKey(book: "b", profile: "p"), pages: pages.map { _ in PageHashes(display: hash, record: 1) }),
        faces: [FaceRecord(id: 0, family: "F", style: "Regular", weight: 400, file: "f.otf", key: face)],
        records: pages.enumerated().map { index, page in
          PageRecord(
            number: index + 1, chapter: 1, href: "c", size: [600, 800],
            lines: [Self.line(page.text, node: "/\(index + 2)", y: 48)])
        },
        displays: pages.map { page in
          let next = page.glyphs.dropFirst() + [0]
          var display = Self.display(zip(page.glyphs, next).map { ($0, $0 == 1 && $1 == 2 ? 8 + kern : 8) })
          display.faces = [face]
          return display
        })
    }
    func found(face: UInt64, _ pages: [(glyphs: [UInt16], text: String)]) -> [String] {
      let comparison = UnitDiff.compare(unit(0, face: 7, 1, pages), unit(1, face: face, 2, pages)).comparison
      return comparison.pages.flatMap { $0.changes.map(\.signature) }
    }
    // Another version of the font is another file, of the same name.
    for face in [7, 8] as [UInt64] {
      #expect(found(face: face, [([1, 2, 3, 1, 2], "of nof")]) == ["glyph-changed||of"])
    }
    // One glyph stands for two letters of the run, and the letters are known from another page.
    #expect(found(face: 7, [([4, 1, 2], "Thof"), ([1, 3, 2], "onf")]).first == "glyph-changed||of")
  }

  /// A border of another colour is seen on pages whose lines all moved.
  @Test(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)"))
  func `Borders on pages that flowed are no change of their own`() throws {
    func sheet(_ color: String, _ padding: Int) -> String {
      "p { border-top: 1px solid #00f000; padding-top: \(padding)px } h1, h2 { border: 2px solid \(color) !important }"
    }
    let found = try signatures(of: "en-the-keeper-of-small-lights", sheet("#0000f0", 0), sheet("#f00000", 1))
    #expect(found == ["colour|#0000f0|#f00000|box|style", "moved|dy=+1|gap|paragraph|style"])
  }

  /// A line that is pushed to the next page and everything after it: only the first page is a change.
  @Test func `Breaks of pages are folded`() {
    func pages(_ counts: [Int]) -> UnitInMemory {
      var line = 0
      let pages = counts.enumerated().map { number, count in
        PageRecord(
          number: number + 1, chapter: 1, href: "c", size: [600, 800],
          lines: (0..<count).map { row in
            line += 1
            return Self.line("line \(line)", node: "/4/\(line * 2)", y: Double(48 + row * 20))
          })
      }
      return Self.unit(pages, faces: [])
    }
    let comparison = UnitDiff.compare(pages([30, 30, 30, 10]), pages([29, 30, 30, 11])).comparison
    #expect(comparison.pages.map(\.newPage) == [1])
    #expect(comparison.pages.first?.changes.map(\.signature) == ["page-break-moved|earlier|paragraph"])
    #expect(comparison.pages.first?.consequences == 3)
  }

  /// A document that the spine has several times is as many chapters with the same places.
  @Test func `Documents may be read twice`() {
    func pages(breaksSecond: Bool) -> UnitInMemory {
      Self.unit(
        [1, 2, 3].map { chapter in
          var lines = [Self.line("aaaa bbbb", node: "/4/2", y: 48)]
          if breaksSecond, chapter == 2 {
            lines = [Self.line("aaaa", node: "/4/2", y: 48), Self.line("bbbb", node: "/4/2", y: 68)]
            lines[1].source = RecordSource(node: "/4/2", start: 5, end: 9)
          }
          return PageRecord(number: chapter, chapter: chapter, href: "c", size: [600, 800], lines: lines)
        }, faces: [])
    }
    var (old, new) = (pages(breaksSecond: false), pages(breaksSecond: true))
    // Hashes that nobody made: all pages are compared.
    for index in 0..<3 {
      old.result.pages[index].display = 0
      new.result.pages[index].display = 0
    }
    let comparison = UnitDiff.compare(old, new).comparison
    #expect(comparison.pages.map(\.newPage) == [2])
    #expect(comparison.pages.flatMap { $0.changes.map(\.kind) } == [.lineBreakChanged])
  }

  /// A second change on a page that only follows stays, and what is lost is never folded.
  @Test func `A second change stays open`() {
    func pages(_ shift: Double, recolored: Bool) -> UnitInMemory {
      let pages = (0..<4).map { number in
        PageRecord(
          number: number + 1, chapter: 1, href: "c", size: [600, 800],
          lines: (0..<10).map { row in
            var line = Self.line("line \(number) \(row)", node: "/4/\(number * 20 + row * 2)", y: Double(48 + row * 20))
            if number > 0 || row >= 5 {
              line.box.y += shift
              line.baseline += shift
            }
            if recolored, number == 2, row == 4 { line.runs[0].color = "#ff0000" }
            return line
          })
      }
      return Self.unit(pages, faces: [])
    }
    let comparison = UnitDiff.compare(pages(0, recolored: false), pages(3, recolored: true)).comparison
    #expect(comparison.pages.map(\.newPage) == [1, 3])
    #expect(
      comparison.pages.flatMap { $0.changes.map(\.signature) } == [
        "moved|dy=+3|gap|paragraph", "colour|#000000|#ff0000|text",
      ])
    #expect(comparison.pages.first?.consequences == 2)
  }

  @Test func `Faults of a page are told`() {
    var page = PageRecord(
      number: 1, chapter: 1, href: "c", size: [600, 800], lines: [Self.line("a", node: "/2", y: 48)])
    page.images = [PlacedRecord(href: "a.png", box: RecordBox(x: 0, y: 100, width: 50, height: 50))]
    page.links = [PlacedRecord(href: "#x", box: RecordBox(x: 48, y: 48, width: 50, height: 20))]
    var changed = page
    changed.images[0].missing = true
    changed.links = []
    changed.lines[0].box.width = 700
    changed.lines[0].runs[0].width = 700
    let empty = PageRecord(number: 2, chapter: 1, href: "c", size: [600, 800], lines: [])
    let comparison = UnitDiff.compare(Self.unit([page], faces: []), Self.unit([changed, empty], faces: [])).comparison
    let kinds = comparison.pages.map { $0.changes.map(\.kind) }
    #expect(kinds == [[.overflowNew, .image, .link, .glyphChanged], [.emptyPage]])
  }

  static func line(_ text: String, node: String, y: Double) -> LineRecord {
    LineRecord(
      text: text, box: RecordBox(x: 48, y: y, width: 200, height: 20), baseline: y + 15,
      source: RecordSource(node: node, start: 0, end: text.utf16.count),
      runs: [RunRecord(font: 0, size: 16, color: "#000000", text: text, x: 48, width: 200)])
  }

  // MARK: Display lists and pixels

  /// A line of glyphs with the given distances from one to the next; glyph 9 stands before a space.
  static func display(_ advances: [(glyph: UInt16, advance: Double)], color: Color = .black) -> PageDisplay {
    var list = DisplayList(size: Size(width: LayoutUnit(600), height: LayoutUnit(800)))
    var x = 48.0
    for (glyph, advance) in advances {
      list.glyphs.append(PositionedGlyph(glyph: glyph, x: LayoutUnit(x), y: LayoutUnit(63)))
      x += advance
    }
    list.items = [
      .fillRect(Rect(x: .zero, y: .zero, width: LayoutUnit(10), height: LayoutUnit(10)), color),
      .glyphs(font: FontID(0), size: LayoutUnit(16), color: .black, rotation: .none, glyphs: 0..<list.glyphs.count),
    ]
    return PageDisplay(list: list, faces: [7])
  }

  /// - Parameters:
  ///   - shift: how far the line is moved to the right.
  ///   - growth: how much longer it is.
  private func signatures(
    _ old: PageDisplay, _ new: PageDisplay, shift: Double = 0, growth: Double = 0
  ) -> [String] {
    func unit(_ display: PageDisplay, _ hash: UInt64) -> UnitInMemory {
      var page = PageRecord(
        number: 1, chapter: 1, href: "c", size: [600, 800], lines: [Self.line("some text", node: "/2", y: 48)])
      if hash == 2 {
        page.lines[0].box.x += shift
        page.lines[0].box.width += growth
      }
      return UnitInMemory(
        result: UnitResult(key: UnitKey(book: "b", profile: "p"), pages: [PageHashes(display: hash, record: 1)]),
        faces: [FaceRecord(id: 0, family: "F", style: "Regular", weight: 400, file: "f.otf")], records: [page],
        displays: [display])
    }
    return UnitDiff.compare(unit(old, 1), unit(new, 2)).comparison.pages.flatMap { $0.changes.map(\.signature) }
  }

  /// In a justified line the record is the same whatever happens between the glyphs.
  @Test func `Kerning is told from justification`() {
    let words: [(UInt16, Double)] = [(1, 8), (2, 8), (9, 12), (1, 8), (3, 8), (9, 12), (1, 8), (2, 8), (9, 8), (9, 8)]
    func display(kern: Double, space: Double) -> PageDisplay {
      Self.display(
        words.enumerated().map { index, word in
          let isPair = word.0 == 1 && words[index + 1].0 == 2
          return (word.0, word.1 + (isPair ? kern : 0) + (word.1 == 12 ? space : 0))
        })
    }
    let old = display(kern: 0, space: 0)
    #expect(signatures(old, display(kern: -1, space: 1)) == ["glyph-changed|F (f.otf)|"])
    #expect(signatures(old, display(kern: 0, space: 0.5)) == ["spacing|none|paragraph"])
    // A centred line stands elsewhere since it is longer, and one that is as long as before was moved.
    let wider = display(kern: 0, space: 0.5)
    #expect(signatures(old, wider, shift: -0.5, growth: 1) == ["spacing|none|paragraph"])
    #expect(signatures(old, wider, shift: 1) == ["moved|dx=+1|paragraph|page"])
    #expect(signatures(old, Self.display(words.map { ($0.0, $0.1) }, color: .white)) == ["colour|#000000|#ffffff|box"])
  }

  @Test func `Pixels that differ alone are named`() throws {
    func page(_ width: Int, _ height: Int, _ changed: [(x: Int, y: Int, value: UInt8)]) -> PageBitmap {
      var pixels = [UInt8](repeating: 255, count: width * height)
      for pixel in changed { pixels[pixel.y * width + pixel.x] = pixel.value }
      return PageBitmap(width: width, height: height, format: .gray8, pixels: pixels)
    }
    let old = page(100, 60, [])
    let new = page(100, 60, [(3, 4, 250), (5, 4, 0), (90, 50, 100)])
    let exact = PixelDifference(old, new)
    #expect(exact.count == 3 && exact.maxChannel == 255)
    #expect(exact.boxes == [RecordBox(x: 3, y: 4, width: 3, height: 1), RecordBox(x: 90, y: 50, width: 1, height: 1)])
    #expect(exact.similarity < 1 && exact.similarity > 0.9)
    #expect(!exact.isWithin(.exact) && exact.isWithin(.legacy10px))
    #expect(PixelDifference(old, new, tolerance: PixelTolerance(maxChannel: 5)).count == 2)
    #expect(PixelDifference(old, new, masks: [RecordBox(x: 0, y: 0, width: 50, height: 50)]).count == 1)
    let dense = PixelTolerance(maxPixels: 100, window: 4, maxInWindow: 1)
    #expect(!PixelDifference(old, new, tolerance: dense).isWithin(dense))
    // A larger page differs where the other has nothing.
    #expect(PixelDifference(old, page(100, 61, [])).count == 100)
    // Colour and grey of the same values are equal.
    var colored = [UInt8]()
    for value in old.pixels { colored += [value, value, value, 0] }
    #expect(PixelDifference(old, PageBitmap(width: 100, height: 60, format: .bgra32, pixels: colored)).count == 0)
  }

  /// A tolerance that decides is asked before the lines are, unless text is another.
  @Test func `Pixels may decide`() {
    func unit(_ x: Double, text: String = "Words.", pixel: UInt8) -> UnitInMemory {
      var line = Self.line(text, node: "/4/2", y: 48)
      line.box.x = x
      var unit = Self.unit(
        [PageRecord(number: 1, chapter: 1, href: "c", size: [600, 800], lines: [line])], faces: [])
      unit.bitmaps = [PageBitmap(width: 2, height: 1, format: .gray8, pixels: [0, pixel])]
      return unit
    }
    func kinds(_ new: UnitInMemory, _ tolerance: PixelTolerance) -> [ChangeClass] {
      UnitDiff.compare(unit(48, pixel: 0), new, settings: ComparisonSettings(tolerance: tolerance)).comparison.pages
        .flatMap { $0.changes.map(\.kind) }
    }
    #expect(kinds(unit(49, pixel: 9), PixelTolerance(maxPixels: 10)) == [.moved])
    #expect(kinds(unit(49, pixel: 9), .legacy10px) == [])
    #expect(kinds(unit(49, pixel: 9), PixelTolerance(maxChannel: 8, decides: true)) == [.moved])
    #expect(kinds(unit(48, text: "Word.", pixel: 9), .legacy10px) == [.textLost])
  }

  @Test func `Masks hide lines`() {
    let old = Self.unit(
      [
        PageRecord(
          number: 1, chapter: 1, href: "c", size: [600, 800], lines: [Self.line("1 May", node: "/4/2/2", y: 48)])
      ],
      faces: [])
    var changed = old.records
    changed[0].lines[0].text = "2 May"
    let new = Self.unit(changed, faces: [])
    #expect(UnitDiff.compare(old, new).comparison.pages.count == 1)
    let idle = Mask(box: RecordBox(x: 0, y: 500, width: 9, height: 9))
    for mask in [Mask(node: "/4/2"), Mask(href: "c"), Mask(box: RecordBox(x: 0, y: 40, width: 600, height: 30))] {
      let result = UnitDiff.compare(old, new, settings: ComparisonSettings(masks: [mask, idle]))
      #expect(!result.comparison.pages.flatMap(\.changes).contains { $0.kind == .textLost })
      #expect(result.unusedMasks == [idle])
    }
  }

  // MARK: Clusters

  static func unit(_ book: String, _ signatures: [(String, ChangeClass)]) -> UnitComparison {
    UnitComparison(
      key: UnitKey(book: book, profile: "p"), title: book, language: book, oldPages: 9, newPages: 9,
      pages: signatures.enumerated().map { index, item in
        PageChange(
          oldPage: index + 1, newPage: index + 1, chapter: 1, href: "c",
          changes: [
            Change(
              kind: item.1, severity: item.1.severity, signature: item.0, summary: "",
              newBoxes: [RecordBox(x: 0, y: 0, width: 1, height: Double(index))])
          ])
      })
  }

  /// Consequences of another face in the same books are in its cluster, and those in other books are not.
  @Test func `Fonts that follow from a font are its consequence`() {
    let main = ("font-changed|A|B", ChangeClass.fontChanged)
    let units = [
      Self.unit("a", [main, main, ("font-changed|C|B", .fontChanged), ("font-changed|C|D", .fontChanged)]),
      Self.unit("b", [main, ("moved|dx=+1|h", .moved)]),
    ]
    func folded(_ units: [UnitComparison]) -> [Cluster] {
      var units = units
      ChangeFolding.fold(&units)
      return Clustering.clusters(of: units)
    }
    let others = folded(units + [Self.unit("c", [("font-changed|C|B", .fontChanged)])])
    #expect(others.contains { $0.signature == "font-changed|C|B" && $0.books == 2 })
    let clusters = folded(units)
    #expect(clusters.map(\.signature) == ["font-changed|A|B", "font-changed|C|D", "moved|dx=+1|h"])
    #expect(clusters.map(\.members.count) == [4, 1, 1])
  }

  static func folded(_ books: [String: [(String, ChangeClass)]]) -> [Cluster] {
    var units = books.sorted { $0.key < $1.key }.map { unit($0.key, $0.value) }
    for index in units.indices {
      for page in units[index].pages.indices {
        for change in units[index].pages[page].changes.indices {
          let signature = units[index].pages[page].changes[change].signature
          units[index].pages[page].changes[change].origin = signature.hasSuffix("|style") ? .style : .layout
        }
      }
    }
    ChangeFolding.fold(&units)
    return Clustering.clusters(of: units)
  }

  /// A margin in `em` is another length in each book, and one change; one that became smaller is another, and so is one that the
  /// engine sets otherwise where no style explains it.
  @Test func `Distances of one rule are one change`() {
    let clusters = Self.folded([
      "a": [("moved|dy=+3.25|gap|paragraph|style", .moved), ("moved|dy=+3.25|gap|paragraph|style", .moved)],
      "b": [("moved|dy=+6.375|gap|paragraph|style", .moved)],
      "c": [("moved|dy=-2|gap|paragraph|style", .moved)],
      "d": [("moved|dy=+2|gap|paragraph|layout", .moved)],
    ])
    #expect(clusters.map(\.members.count).sorted() == [1, 1, 3])
    #expect(clusters.first { $0.members.count == 3 }?.signature == "moved|dy=+3.25|gap|paragraph|style")
  }

  /// Text of another width makes columns and scaled tables others in the same books; what stands in other books, and what is as
  /// frequent, is a change of its own.
  @Test func `What follows from glyphs is in their cluster`() {
    let width = ("glyph-changed||e|width|layout", ChangeClass.glyphChanged)
    let columns = ("table-geometry|none|table|layout", ChangeClass.tableGeometry)
    let scale = ("table-geometry|scaled|table|layout", ChangeClass.tableGeometry)
    let many = [(String, ChangeClass)](repeating: width, count: 12)
    #expect(Self.folded(["a": many + [columns, scale]]).map(\.signature) == [width.0])
    #expect(Self.folded(["a": many + [columns, scale]]).map(\.kind) == [.glyphChanged])
    #expect(Self.folded(["a": many, "b": [columns]]).count == 2)
    let rare = ("spacing|none|paragraph|layout", ChangeClass.spacing)
    #expect(Self.folded(["a": many, "b": many, "c": many, "d": many, "e": many, "f": [rare]]).count == 1)
    #expect(Self.folded(["a": many + [columns, columns, columns, columns]]).count == 2)
    #expect(Self.folded(["a": many + [("text-lost|x|layout", .textLost)]]).count == 2)
    #expect(Self.folded(["a": many + [("size-changed|14|13.875|paragraph|layout", .sizeChanged)]]).count == 2)
  }

  /// Consequences of the columns of a table are in their cluster.
  @Test func `What follows from columns is in their cluster`() {
    let columns = [(String, ChangeClass)](repeating: ("table-geometry|none|table|style", .tableGeometry), count: 8)
    let rows = ("table-geometry|gap|table|style", ChangeClass.tableGeometry)
    let below = ("moved|dy=+4|gap|paragraph|style", ChangeClass.moved)
    #expect(Self.folded(["a": columns + [rows, below]]).map(\.signature) == ["table-geometry|none|table|style"])
  }

  @Test func `Clusters are sorted and know their neighbours`() {
    let unit = Self.unit
    let clusters = Clustering.clusters(of: [
      unit("a", [("moved|dx=+1|h", .moved), ("moved|dx=+1|h", .moved), ("moved|dx=+2|h", .moved)]),
      unit("b", [("moved|dx=+1|h", .moved), ("text-lost|x", .textLost)]),
    ])
    #expect(clusters.map(\.signature) == ["text-lost|x", "moved|dx=+1|h", "moved|dx=+2|h"])
    #expect(clusters.map(\.members.count) == [1, 3, 1])
    #expect(clusters.map(\.books) == [1, 2, 1])
    #expect(clusters[1].near == [clusters[2].id])
    #expect(Set(clusters[1].representatives).count == 3)
  }
}

@Suite struct DecisionTests {
  private static func comparison(_ fingerprints: [UInt64], kind: ChangeClass = .moved) -> RunComparison {
    let unit = UnitComparison(
      key: UnitKey(book: "b", profile: "p"), title: "", language: "", oldPages: 9, newPages: 9,
      pages: fingerprints.enumerated().map { index, fingerprint in
        PageChange(
          oldPage: index + 1, newPage: index + 1, chapter: 1, href: "c",
          changes: [Change(kind: kind, severity: kind.severity, signature: "s", summary: "")], fingerprint: fingerprint)
      })
    var comparison = RunComparison(old: RunVersions(engine: "1"), new: RunVersions(engine: "2"), units: [unit])
    comparison.clusters = Clustering.clusters(of: [unit])
    return comparison
  }

  private func verdict(_ decisions: [Decision], on comparison: RunComparison) -> Verdict? {
    var comparison = comparison
    Decisions(decisions).apply(to: &comparison, today: "2026-06-15")
    return comparison.clusters[0].decision
  }

  private static func decision(
    _ comparison: RunComparison, _ verdict: Verdict, alsoUntil: String? = nil,
    where isMeant: (ClusterMember) -> Bool = { _ in true }
  ) -> Decision {
    Decision(
      signature: "s", summary: "", verdict: verdict, reason: "r", date: "2026-06-01",
      scope: Decisions.scope(of: comparison.clusters[0], where: isMeant), alsoUntil: alsoUntil)
  }

  @Test func `A decision holds for what was seen`() throws {
    let seen = Self.comparison([1, 2, 3])
    let accepted = Self.decision(seen, .accepted)
    #expect(verdict([], on: seen) == nil)
    #expect(verdict([accepted], on: seen) == .accepted)
    #expect(verdict([accepted, Self.decision(seen, .regression)], on: seen) == .regression)
    // Drift, and a page more.
    #expect(verdict([accepted], on: Self.comparison([1, 2, 4])) == nil)
    #expect(verdict([accepted], on: Self.comparison([1, 2, 3, 4])) == nil)
    // Single pages: only all of them settle the cluster.
    let one = Self.decision(seen, .accepted) { $0.newPage == 1 }
    let others = Self.decision(seen, .expected) { $0.newPage != 1 }
    #expect(verdict([one], on: seen) == nil)
    #expect(verdict([one, others], on: seen) == .expected)
    var settled = seen
    Decisions([accepted]).apply(to: &settled)
    #expect(settled.acceptedUnits == [UnitKey(book: "b", profile: "p")])
  }

  @Test func `What is to come is accepted until a day`() {
    let later = Self.comparison([7])
    #expect(verdict([Self.decision(Self.comparison([1]), .accepted, alsoUntil: "2026-06-15")], on: later) == .accepted)
    #expect(verdict([Self.decision(Self.comparison([1]), .accepted, alsoUntil: "2026-06-14")], on: later) == nil)
    // Lost text is always looked at.
    let lost = Decision(
      signature: "s", summary: "", verdict: .accepted, reason: "", date: "2026-06-01", alsoUntil: "2027-01-01")
    #expect(verdict([lost], on: Self.comparison([7], kind: .textLost)) == nil)
  }

  @Test func `Decisions are lines of text`() throws {
    let folder = TestFolder()
    let path = folder["decisions.ndjson"]
    #expect(try Decisions(contentsOf: path).list == [])
    let made = [Self.decision(Self.comparison([1]), .skip), Self.decision(Self.comparison([1, 2]), .regression)]
    try Decisions.append([made[0]], to: path)
    try Decisions.append([made[1]], to: path)
    let read = try Decisions(contentsOf: path).list
    #expect(read.map(\.signature) == made.map(\.signature) && read.map(\.scope) == made.map(\.scope))
    #expect(read.map(\.verdict) == [.skip, .regression])
    // Each line names the one before it.
    #expect(read.map { $0.after?.count } == [0, 1])
    try Files.append(line: Array("nonsense".utf8), to: path)
    #expect(throws: HarnessError.self) { try Decisions(contentsOf: path) }
  }
}
