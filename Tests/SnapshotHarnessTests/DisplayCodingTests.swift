import Graphics
import Platform
import Primitives
import Testing
import Typesetting

@testable import SnapshotHarness

@Suite struct DisplayCodingTests {
  private static func rect(_ x: Int) -> Rect {
    Rect(x: LayoutUnit(x), y: LayoutUnit(-3), width: LayoutUnit(rawValue: 77), height: .max)
  }

  /// A page with an item of every kind.
  private static func page(font: Int, image: Int) -> DisplayList {
    var radii = CornerRadii()
    radii.bottomLeft = Size(width: LayoutUnit(4), height: LayoutUnit(5))
    let color = Color(red: 1, green: 2, blue: 3, alpha: 4)
    let point = Point(x: .min, y: LayoutUnit(9))
    let stops = [GradientStop(offset: 0, color: .white), GradientStop(offset: 0.5, color: color)]
    let path: [PathElement] = [.move(point), .line(.zero), .curve(point, .zero, point), .close]
    var list = DisplayList(size: Size(width: LayoutUnit(600), height: LayoutUnit(800)), background: color)
    list.glyphs = (0..<5).map {
      PositionedGlyph(glyph: UInt16($0 * 13_000), x: LayoutUnit($0 * 7), y: $0 == 3 ? .min : .max)
    }
    let filters: [PixelFilter] = [
      .colorMatrix([1, 0.5, -2]), .linearColorMatrix([0.25, 1]), .blur(LayoutUnit(2)),
      .dropShadow(x: LayoutUnit(1), y: LayoutUnit(-1), blur: .zero, color),
    ]
    list.items = [
      .fillRect(rect(1), color), .fillRoundedRect(rect(2), radii, color),
      .fillRing(outer: rect(3), outerRadii: radii, inner: rect(4), innerRadii: CornerRadii(), color),
      .fillPath(path, color), .strokeLine(from: point, to: .zero, width: LayoutUnit(1), .wavy, color),
      .strokePath(path, width: LayoutUnit(2), .dashed, color),
      .fillGradient(rect(5), radii, .linear(from: point, to: .zero, stops: stops, repeating: true)),
      .fillGradient(
        rect(5), radii, .radial(center: point, radius: Size(), stops: stops, repeating: false)),
      .fillGradient(rect(5), radii, .conic(center: point, angle: 30, stops: [], repeating: false)),
      .glyphs(font: FontID(font), size: LayoutUnit(16), color: color, rotation: .clockwise90, glyphs: 0..<3),
      .image(ImageID(image), rect(6)),
      .imagePart(ImageID(image), part: rect(7), of: Size(), rect(8)),
      .tiledImage(ImageID(image), tile: rect(9), spacing: Size(), clip: rect(10)),
      .shadow(rect(11), radii, blur: LayoutUnit(3), color, inset: true, clipOut: rect(12)),
      .saveClip(rect(13), radii), .saveClipPath(path, isEvenOdd: true),
      .saveLayer(LayerStyle(opacity: 0.25, blend: .maskIn, filters: filters, bounds: rect(14))),
      .saveTransform(AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: -5, ty: 6.5)), .restore,
      .saveProjection(Projection(rows: [1, 2, 3, 4, 5, 6, 0.5, 0.25, 1]), source: rect(15)), .restore,
      .filterBackdrop(rect(16), radii, filters, opacity: 0.5),
      .glyphs(
        font: FontID(font + 1), size: LayoutUnit(9), color: color, rotation: .none, expansion: -15, glyphs: 3..<5),
    ]
    return list
  }

  private static func encode(_ list: DisplayList, firstFont: Int, firstImage: Int) -> [UInt8] {
    DisplayWriter.encode(
      list, face: { UInt64($0.index - firstFont + 100) },
      outlines: { id, ranges in
        UInt64(1000 + id.index - firstFont)
          + ranges.reduce(0) { $0 + $1.reduce(0) { $0 + UInt64(list.glyphs[$1].glyph) } }
      }, image: { UInt64($0.index - firstImage + 200) })
  }

  @Test func `Every item comes back`() throws {
    let bytes = Self.encode(Self.page(font: 7, image: 3), firstFont: 7, firstImage: 3)
    let read = try #require(DisplayReader.decode(bytes))
    #expect(read.faces == [100, 101])
    #expect(read.outlines.count == 2 && read.outlines[0] != read.outlines[1])
    #expect(read.images == [200])
    #expect(read.list == Self.page(font: 0, image: 0))
  }

  @Test func `Ids of a process do not count`() {
    let first = Self.encode(Self.page(font: 7, image: 3), firstFont: 7, firstImage: 3)
    #expect(Self.encode(Self.page(font: 0, image: 90), firstFont: 0, firstImage: 90) == first)
    // Another face does, and so does any step of a glyph.
    #expect(Self.encode(Self.page(font: 7, image: 3), firstFont: 6, firstImage: 3) != first)
    var moved = Self.page(font: 7, image: 3)
    moved.glyphs[4].x = moved.glyphs[4].x + .epsilon
    #expect(Self.encode(moved, firstFont: 7, firstImage: 3) != first)
  }

  @Test func `Damaged bytes are refused`() {
    let bytes = Self.encode(Self.page(font: 0, image: 0), firstFont: 0, firstImage: 0)
    for count in bytes.indices { #expect(DisplayReader.decode(Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0xFF
      _ = DisplayReader.decode(damaged)
    }
  }
}

@Suite struct PerformanceTests {
  private let key = UnitKey(book: "a", profile: "p")

  private func judge(_ old: [Double], _ new: [Double], memory: (Double, Double) = (1e8, 1e8)) -> [PerformanceFinding] {
    func runs(_ times: [Double], _ memory: Double) -> [UnitKey: [[String: Double]]] {
      [key: times.map { ["time.total": $0, "memory.peakBytes": memory] }]
    }
    return Performance.judge(
      old: runs(old, memory.0), new: runs(new, memory.1),
      noise: [key: Performance.noise(old.map { ["time.total": $0] })])
  }

  @Test func `Only what noise does not explain is worse`() {
    let steady = [100.0, 101, 100.5, 103, 100.2, 100.1]
    #expect(judge(steady, steady) == [])
    #expect(judge(steady, steady.map { $0 * 1.01 }) == [])
    #expect(judge(steady, steady.map { $0 * 1.2 }).map(\.isWorse) == [true, true])
    #expect(judge(steady, steady.map { $0 * 0.8 }).map(\.isWorse) == [false, false])
    // One lucky run more or less moves the least alone, a busy machine the median alone.
    #expect(judge([90.0] + steady, steady) == [])
    #expect(judge(steady, [100, 120, 120.5, 121, 120.2, 120.1]) == [])
    // One that swings by 10 % cannot be told from one that is 20 % slower.
    let swinging = [100.0, 110, 120, 112, 130, 115]
    #expect(judge(swinging, swinging.map { $0 * 1.2 }).map(\.key.book) == ["all books"])
    #expect(judge(steady, steady, memory: (1e8, 1.2e8)).map(\.metric) == ["memory.peakBytes"])
    // A twentieth of little memory is nothing.
    #expect(judge(steady, steady, memory: (1e7, 1.2e7)) == [])
  }

  @Test func `Instructions stand for time where all runs have them`() {
    func runs(_ instructions: [Double?], time: Double) -> [UnitKey: [[String: Double]]] {
      [key: instructions.map { count in ["time.total": time, "child.instructions": count].compactMapValues { $0 } }]
    }
    let old = runs([1e8, 1.001e8, 1e8], time: 100)
    // Time was longer, and the work is the same.
    #expect(Performance.judge(old: old, new: runs([1e8, 1e8, 1.001e8], time: 150)) == [])
    let found = Performance.judge(old: old, new: runs([1.1e8, 1.1e8, 1.1e8], time: 100))
    #expect(found.map(\.metric) == ["child.instructions", "child.instructions"])
    #expect(found.map(\.isWorse) == [true, true])
    // One run without them, and time decides.
    #expect(
      Performance.judge(old: old, new: runs([1.1e8, nil, 1.1e8], time: 150)).map(\.metric) == [
        "time.total", "time.total",
      ])
    #expect(abs(Performance.noise(old[key] ?? []) - 0.001) < 1e-9)
  }

  @Test func `Work of all threads is counted`() throws {
    guard let counter = WorkCounter(.taskClock) else { return }
    @Sendable func work() -> Double { (0..<3_000_000).reduce(0.0) { ($0 + Double($1)).squareRoot() } }
    let before = try #require(counter.count)
    #expect(work() > 0)
    let own = try #require(counter.count)
    #expect(own > before)
    let worker = try #require(Worker.start { _ = work() })
    worker.join()
    #expect(try #require(counter.count) > own)
    if let instructions = WorkCounter(.instructions) {
      #expect(work() > 0)
      #expect(try #require(instructions.count) > 3_000_000)
    }
  }

  @Test func `Counters are exact`() {
    func figures(hits: Double, words: Double, workers: Double = 1) -> [UnitKey: [String: Double]] {
      [
        key: [
          "shaping.cacheHits": hits, "shaping.words": words, "time.layout": hits, "attributes.unique": 3,
          "child.jobs": workers,
        ]
      ]
    }
    let old = figures(hits: 10, words: 5)
    #expect(Performance.counters(old, old) == [])
    let new = figures(hits: 9, words: 6)
    let found = Performance.counters(old, new)
    #expect(found.map(\.metric) == ["shaping.cacheHits", "shaping.words"])
    #expect(found.map(\.isWorse) == [true, false])
    // Other pages need other work; only much more of it tells something.
    #expect(Performance.counters(old, new, changed: [key]).map(\.isWorse) == [false, false])
    #expect(Performance.counters(old, figures(hits: 1, words: 6), changed: [key]).map(\.isWorse) == [true, false])
    // Each of several workers knows its own words.
    #expect(Performance.counters(old, figures(hits: 9, words: 6, workers: 2)).map(\.metric) == ["shaping.words"])
  }

  @Test func `The heaviest are chosen in turns`() {
    func key(_ name: String) -> UnitKey { UnitKey(book: name, profile: "p") }
    let figures: [UnitKey: [String: Double]] = [
      key("slow"): ["time.total": 9, "pages": 1, "runs": 1],
      key("pictures"): ["images": 9, "time.total": 8, "pages": 1],
      key("runs"): ["runs": 90, "pages": 10], key("nodes"): ["styles.elements": 7, "images": 1, "pages": 1],
      key("long"): ["characters": 900, "chapters": 1, "pages": 1], key("light"): ["pages": 1],
    ]
    #expect(Performance.heaviest(figures, count: 4).map(\.book) == ["long", "nodes", "pictures", "runs"])
    #expect(Performance.heaviest(figures).count == 6)
  }

  @Test func `A figure may be accepted`() {
    func worse(_ metric: String, by old: Double, _ new: Double) -> PerformanceFinding {
      PerformanceFinding(key: key, metric: metric, old: old, new: new, isWorse: true)
    }
    let findings = [worse("time.total", by: 100, 120), worse("shaping.cacheHits", by: 10, 9)]
    let decisions = Decisions(Decisions.decisions(on: findings, .accepted, reason: "r", revision: "1"))
    func isOpen(_ finding: PerformanceFinding) -> Bool {
      var comparison = RunComparison(
        old: RunVersions(engine: ""), new: RunVersions(engine: ""), performance: [finding])
      decisions.apply(to: &comparison)
      return RunSummary(comparison).exitCode == 4
    }
    #expect(!isOpen(findings[0]) && !isOpen(findings[1]))
    #expect(!isOpen(worse("time.total", by: 100, 122)))
    #expect(isOpen(worse("time.total", by: 100, 130)) && isOpen(worse("shaping.cacheHits", by: 10, 8)))
    #expect(isOpen(worse("time.layout", by: 100, 120)))
  }

  @Test func `The strongest exit code comes first`() {
    var summary = RunSummary()
    for code: Int32 in [4, 1, 66, 3] { summary.apply(code) }
    #expect(summary.exitCodes == [66, 3, 1, 4])
    #expect(RunSummary().exitCode == 0)
  }

  @Test func `Bisection finds the first`() throws {
    for change in 0..<9 {
      var asked = 0
      let found = try Bisect.first(of: (0..<9).map(String.init)) { revision throws(HarnessError) in
        asked += 1
        return Int(revision)! >= change
      }
      #expect(found == String(change))
      #expect(asked <= 4)
    }
  }
}
