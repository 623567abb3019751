import BookOutput
import Typesetting

/// The data block of the HTML report, as `report.js` reads it. What there are thousands of is told by position.
struct HTMLReportData: Encodable {
  struct Totals: Encodable {
    var units: Int
    var pages: Int
    var changedUnits: Int
    var changedPages: Int
    var consequences: Int
    var clusters: Int
    var undecided: Int
    var worse: Int
  }

  struct Commands: Encodable {
    var accept: String
    var reject: String
    var store: String
    var draw: String
    var again: String
    var restore: String
  }

  struct Unit: Encodable {
    var book: String
    var profile: String
    var title: String
    var language: String
    var outcome: String
    var failure: Failure?
    var oldPages: Int?
    var pages: Int
    /// Its pages in `pages`, and how many more follow from them.
    var first = 0
    var count = 0
    var follow = 0
    /// Clusters of changes of the whole unit.
    var changes: [Int] = []
    /// Milliseconds and bytes.
    var time: Double?
    var oldTime: Double?
    var memory: Double?
    var oldMemory: Double?
    /// By revision, oldest first.
    var history: [Revision]?

    private enum CodingKeys: String, CodingKey {
      case book, profile, title, language, outcome, failure, oldPages, pages, first, count, follow, changes
      case time, oldTime, memory, oldMemory, history
    }

    /// All keys are there, those without a value as null.
    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(book, forKey: .book)
      try values.encode(profile, forKey: .profile)
      try values.encode(title, forKey: .title)
      try values.encode(language, forKey: .language)
      try values.encode(outcome, forKey: .outcome)
      try values.encode(failure, forKey: .failure)
      try values.encode(oldPages, forKey: .oldPages)
      try values.encode(pages, forKey: .pages)
      try values.encode(first, forKey: .first)
      try values.encode(count, forKey: .count)
      try values.encode(follow, forKey: .follow)
      try values.encode(changes, forKey: .changes)
      try values.encode(time, forKey: .time)
      try values.encode(oldTime, forKey: .oldTime)
      try values.encode(memory, forKey: .memory)
      try values.encode(oldMemory, forKey: .oldMemory)
      try values.encode(history, forKey: .history)
    }
  }

  /// The place and kind of a book's failure.
  struct Failure: Encodable {
    var phase: String
    var chapter: String
    /// Up to where pages were finished; empty for none.
    var reached: String
    /// 0 for none.
    var signal: Int
    var exitCode: Int
    /// The innermost function first.
    var stack: [String]
    /// The end of what was said on standard error.
    var message: String
  }

  /// `[revision, pages, time, memory]`.
  struct Revision: Encodable {
    var name: String
    var pages: Int
    var time: Double?
    var memory: Double?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(name)
      try values.encode(pages)
      try values.encode(time)
      try values.encode(memory)
    }
  }

  struct Cluster: Encodable {
    var id: String
    var signature: String
    var kind: String
    var severity: String
    var summary: String
    var books: Int
    var follow: Int
    /// Pages by position; -1 - n is the whole of unit n.
    var members: [Int]
    var representatives: [Int]
    var near: [String]
    var decision: String?
    /// `style` or `layout`, where it is known.
    var origin: String?
  }

  /// `[cluster, node, start, end]`.
  struct PageChange: Encodable {
    var cluster: Int
    /// Four numbers each. They are told with the images that they outline.
    var oldBoxes: [Double]
    var newBoxes: [Double]
    var source: RecordSource?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(cluster)
      if let source {
        try values.encode(source.node)
        try values.encode(source.start)
        try values.encode(source.end)
      }
    }
  }

  /// `[unit, old, new, href, follow, changes, drawn]`.
  struct Page: Encodable {
    var unit: Int
    var pair: PagePair
    var href: Int
    var follow: Int
    var changes: [PageChange]
    /// In `drawn`; -1 for a page without images.
    var drawn = -1

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(unit)
      if let old = pair.old { try values.encode(old) } else { try values.encodeNil() }
      if let new = pair.new { try values.encode(new) } else { try values.encodeNil() }
      try values.encode(href)
      try values.encode(follow)
      try values.encode(changes)
      try values.encode(drawn)
    }
  }

  /// `[text, flags, detail]`: 1 is changed, 2 runs from right to left; changed lines alone have details.
  struct Line: Encodable {
    var text: String
    var flags: Int
    var detail: String?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(text)
      try values.encode(flags)
      if let detail { try values.encode(detail) }
    }
  }

  struct Drawn: Encodable {
    var old: String?
    var new: String?
    var oldSize: [Double]
    var newSize: [Double]
    var oldLines: [Line]
    var newLines: [Line]
    /// The number of pixels that differ, by how much at most, and the likeness of the pages, 1 for equal ones; nil where one is
    /// not there.
    var pixels: [Double]?
    /// By change: the boxes of the old page and those of the new one, four numbers each.
    var boxes: [[[Double]]]
    /// By change: where its lines begin to differ, `x, y` on the old page and on the new one; empty where nothing of them does.
    var focus: [[Double]] = []
    /// The elements that the changes lie in; empty where they were not looked up.
    var elements: [Element] = []

    init(_ images: DrawnPages, changes: [PageChange], limits: HTMLReport.Limits) {
      func size(_ side: DrawnPages.Side?) -> [Double] { side.map { [$0.width, $0.height] } ?? [] }
      old = images.old?.file
      new = images.new?.file
      boxes = changes.map { [$0.oldBoxes, $0.newBoxes] }
      oldSize = size(images.old)
      newSize = size(images.new)
      oldLines = HTMLReportData.lines(images.old, changes.map(\.oldBoxes), limits)
      newLines = HTMLReportData.lines(images.new, changes.map(\.newBoxes), limits)
      pixels = images.pixels.map {
        [Double($0.count), Double($0.maxChannel), ($0.similarity * 1e4).rounded(.down) / 1e4]
      }
      guard let before = images.old?.lines, let after = images.new?.lines else { return }
      focus = changes.map {
        (LineFocus.place(($0.oldBoxes, before), ($0.newBoxes, after)) ?? []).map(HTMLReportData.finite)
      }
    }
  }

  /// An element that changed: where it is from, and what made it look as it does.
  struct Element: Encodable {
    var href: String
    var line: Int
    var path: String
    var source: String
    /// `[origin, place, text]`.
    var rules: [[String]]
    /// Computed values that both sides have, or of the one side that is known.
    var values: [String]
    /// Computed values that only one side has; nil where the other side is not known.
    var old: [String]?
    var new: [String]?

    init(old: ElementReport?, new: ElementReport?) {
      let report = new ?? old
      href = report?.href ?? ""
      line = report?.line ?? 0
      path = report?.path ?? ""
      source = report?.source ?? ""
      rules = (report?.rules ?? []).map { [$0.origin, $0.place, $0.text] }
      values = (report?.values ?? []).filter { !$0.contains(": ") || $0.split(separator: ":").count == 2 }
      guard let old, let new else { return }
      let (before, after) = (Set(old.values), Set(new.values))
      self.old = old.values.filter { !after.contains($0) }
      self.new = new.values.filter { !before.contains($0) }
      values.removeAll { !before.contains($0) }
    }
  }

  struct Finding: Encodable {
    var book: String
    var profile: String
    var metric: String
    var old: Double
    var new: Double
    var isWorse: Bool
  }

  /// Sums of figures by run.
  struct TrendCharts: Encodable {
    struct Series: Encodable {
      var name: String
      var values: [Double?]
    }

    /// Oldest first.
    var revisions: [String]
    var host: String
    /// The number of units that the sums are of.
    var units: Int
    var series: [Series]
  }

  var schema = 1
  /// A report that a server answers, which decides and draws.
  struct Service: Encodable {
    /// The name that decisions are signed with unless the reader gives another; nil where that is not known.
    var reviewer: String?
  }

  /// nil for a file.
  var served: Service?
  var title: String
  var old: String
  var new: String
  var revision: String
  var host: String
  var totals: Totals
  var differences: [String]
  var newFailures: [String]
  var fixedFailures: [String]
  var missingBaselines: [String]
  var missingShards: [Int]
  var warnings: [String]
  var commands: Commands
  /// The folder of images, as an address.
  var images = ""
  var units: [Unit] = []
  var clusters: [Cluster] = []
  var hrefs: [String] = []
  var pages: [Page] = []
  var drawn: [Drawn] = []
  var performance: [Finding]
  var trends: TrendCharts?

  private struct Place: Hashable {
    var unit: Int
    var pair: PagePair
  }
  private var unitPlaces: [UnitKey: Int] = [:]
  private var pagePlaces: [Place: Int] = [:]

  private enum CodingKeys: String, CodingKey {
    case schema, served, title, old, new, revision, host, totals, differences, newFailures, fixedFailures,
      missingBaselines
    case missingShards, warnings, commands, images, units, clusters, hrefs, pages, drawn, performance, trends
  }

  init(_ report: RunReport, commands: ReportCommands, limits: HTMLReport.Limits) {
    let comparison = report.comparison
    let summary = report.summary
    title = report.headline
    old = comparison.old.engine
    new = comparison.new.engine
    revision = report.revision
    host = report.host
    totals = Totals(
      units: comparison.unitCount, pages: comparison.pageCount, changedUnits: comparison.units.count,
      changedPages: comparison.units.reduce(0) { $0 + $1.pages.count },
      consequences: comparison.units.reduce(0) { $0 + $1.pages.reduce(0) { $0 + $1.consequences } },
      clusters: comparison.clusters.count, undecided: summary.undecided, worse: summary.worse)
    differences = report.differences
    newFailures = summary.newFailures
    fixedFailures = summary.fixedFailures
    missingBaselines = summary.missingBaselines
    missingShards = comparison.missingShards
    func named(_ what: String, _ names: [String]?) -> [String] { (names ?? []).map { "\(what): \($0)" } }
    warnings =
      named("gone from the corpus", summary.goneBooks) + named("renamed", summary.renamedBooks)
      + named("not in the run", summary.missingUnits) + (comparison.warnings ?? [])
    self.commands = Commands(
      accept: commands.accept, reject: commands.reject, store: commands.store, draw: commands.draw,
      again: commands.again, restore: commands.restore)
    performance = comparison.performance.map {
      Finding(
        book: $0.key.book, profile: $0.key.profile, metric: $0.metric, old: Self.finite($0.old),
        new: Self.finite($0.new), isWorse: $0.isOpen)
    }
    for unit in report.units { add(unit) }
    addPages(of: comparison, limits: limits)
    for index in comparison.clusters.indices { add(comparison.clusters[index]) }
  }

  /// The name of a pair of pages, as addresses and commands have it.
  static func name(_ key: UnitKey, _ pair: PagePair) -> String {
    "\(key.book):\(key.profile):" + (pair.new.map(String.init) ?? "o\(pair.old ?? 0)")
  }

  fileprivate static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }

  private mutating func add(_ unit: RunReport.Unit) {
    unitPlaces[unit.key] = units.count
    let failure = unit.failure.map { told in
      // Paths on the machine that ran it tell readers nothing.
      let message = unit.path.isEmpty ? told.message : told.message.replacing(unit.path, with: unit.key.book)
      return Failure(
        phase: told.phase, chapter: told.chapter, reached: told.reached ?? "", signal: told.signal,
        exitCode: told.exitCode, stack: Array(told.stack.prefix(24)), message: String(message.suffix(2000)))
    }
    units.append(
      Unit(
        book: unit.key.book, profile: unit.key.profile, title: unit.title, language: unit.language,
        outcome: unit.outcome.rawValue, failure: failure, oldPages: unit.pages, pages: unit.pages,
        time: unit.statistics["time.total"], oldTime: unit.oldStatistics["time.total"],
        memory: unit.statistics["memory.peakBytes"], oldMemory: unit.oldStatistics["memory.peakBytes"]))
  }

  private mutating func addPages(of comparison: RunComparison, limits: HTMLReport.Limits) {
    var clusterPlaces: [String: Int] = [:]
    for (index, cluster) in comparison.clusters.enumerated() { clusterPlaces[cluster.signature] = index }
    var hrefPlaces: [String: Int] = [:]
    for unit in comparison.units {
      if unitPlaces[unit.key] == nil {
        add(RunReport.Unit(key: unit.key, title: unit.title, language: unit.language, pages: unit.newPages))
      }
      guard let place = unitPlaces[unit.key] else { continue }
      units[place].oldPages = unit.oldPages
      units[place].first = pages.count
      units[place].count = unit.pages.count
      units[place].changes = unit.changes.compactMap { clusterPlaces[$0.signature] }
      for page in unit.pages {
        units[place].follow += page.consequences
        let href = hrefPlaces[page.href] ?? hrefs.count
        if href == hrefs.count {
          hrefPlaces[page.href] = href
          hrefs.append(page.href)
        }
        let pair = PagePair(old: page.oldPage, new: page.newPage)
        pagePlaces[Place(unit: place, pair: pair)] = pages.count
        pages.append(
          Page(
            unit: place, pair: pair, href: href, follow: page.consequences,
            changes: page.changes.compactMap { change in
              clusterPlaces[change.signature].map { Self.change(change, cluster: $0, limits) }
            }))
      }
    }
  }

  static func change(_ change: Change, cluster: Int, _ limits: HTMLReport.Limits) -> PageChange {
    PageChange(
      cluster: cluster, oldBoxes: numbers(change.oldBoxes, limits.boxes),
      newBoxes: numbers(change.newBoxes, limits.boxes), source: change.source)
  }

  /// Tenths of a pixel are more than an outline needs.
  private static func numbers(_ boxes: [RecordBox], _ limit: Int) -> [Double] {
    boxes.prefix(limit).flatMap { [$0.x, $0.y, $0.width, $0.height] }.map { (finite($0) * 10).rounded() / 10 }
  }

  private func place(of member: ClusterMember) -> Int? {
    guard let unit = unitPlaces[member.key] else { return nil }
    if member.oldPage == nil, member.newPage == nil { return -1 - unit }
    return pagePlaces[Place(unit: unit, pair: PagePair(old: member.oldPage, new: member.newPage))]
  }

  private mutating func add(_ cluster: SnapshotHarness.Cluster) {
    clusters.append(
      Cluster(
        id: cluster.id, signature: cluster.signature, kind: cluster.kind.rawValue, severity: cluster.severity.name,
        summary: cluster.summary, books: cluster.books, follow: cluster.consequences,
        members: cluster.members.compactMap(place), representatives: cluster.representatives.compactMap(place),
        near: cluster.near, decision: cluster.decision?.rawValue, origin: cluster.origin?.rawValue))
  }

  private static let maximumRevisions = 40

  /// Adds the figures of earlier revisions, those of this one behind them.
  mutating func add(_ history: [HistoryEntry]) {
    for entry in history {
      guard let place = unitPlaces[entry.key] else { continue }
      units[place].history =
        (units[place].history ?? []).suffix(Self.maximumRevisions - 1) + [
          Revision(
            name: entry.revision, pages: entry.pages, time: entry.statistics["time.total"],
            memory: entry.statistics["memory.peakBytes"])
        ]
    }
    for (index, unit) in units.enumerated() where unit.history != nil {
      units[index].history?.append(
        Revision(name: revision, pages: unit.pages, time: unit.time, memory: unit.memory))
    }
  }

  /// Adds the runs on machines like the one of this run, as sums and for each unit.
  mutating func add(_ trends: Trends) {
    let same = trends.on(host)
    let shown = Trends(same.entries.suffix(Self.maximumRevisions))
    guard !shown.entries.isEmpty else { return }
    let common = shown.commonUnits
    self.trends = TrendCharts(
      revisions: shown.entries.map(\.revision), host: host, units: common.count,
      series: Trends.keys.map { TrendCharts.Series(name: $0, values: shown.sums($0, of: common)) })
    for index in units.indices {
      let name = UnitKey(book: units[index].book, profile: units[index].profile).description
      let known = shown.entries.filter { $0.units[name] != nil }
      if known.isEmpty { continue }
      units[index].history = known.map { entry in
        Revision(
          name: entry.revision, pages: Int(entry.figure("pages", of: name) ?? 0),
          time: entry.figure("time.total", of: name), memory: entry.figure("memory.peakBytes", of: name))
      }
    }
  }

  /// Adds what was drawn.
  ///
  /// - Returns: The number of pairs with images.
  mutating func add(_ made: [UnitKey: [PagePair: DrawnPages]], limits: HTMLReport.Limits) -> Int {
    for index in pages.indices {
      let unit = units[pages[index].unit]
      guard let images = made[UnitKey(book: unit.book, profile: unit.profile)]?[pages[index].pair],
        images.old != nil || images.new != nil
      else { continue }
      pages[index].drawn = drawn.count
      drawn.append(Drawn(images, changes: pages[index].changes, limits: limits))
    }
    return drawn.count
  }

  /// Adds what is known of the elements that changed.
  mutating func add(_ found: [UnitKey: [Inspection.Place: (old: ElementReport?, new: ElementReport?)]]) {
    for page in pages where page.drawn >= 0 {
      let unit = units[page.unit]
      guard let reports = found[UnitKey(book: unit.book, profile: unit.profile)] else { continue }
      let elements = Inspection.places(page.changes.map(\.source), in: hrefs[page.href]).compactMap {
        reports[$0].map { Element(old: $0.old, new: $0.new) }
      }
      if !elements.isEmpty { drawn[page.drawn].elements = elements }
    }
  }

  fileprivate static func lines(
    _ side: DrawnPages.Side?, _ boxes: [[Double]], _ limits: HTMLReport.Limits
  ) -> [Line] {
    (side?.lines ?? []).map { line in
      let middle = (x: line.box.x + line.box.width / 2, y: line.box.y + line.box.height / 2)
      let isChanged = boxes.contains { boxes in
        stride(from: 0, to: boxes.count - 3, by: 4).contains { at in
          let (x, y, width, height) = (boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3])
          // The line is in the box, or the box in the line.
          return (middle.x >= x && middle.x <= x + width && middle.y >= y && middle.y <= y + height)
            || (x + width / 2 >= line.box.x && x + width / 2 <= line.box.x + line.box.width
              && y + height / 2 >= line.box.y
              && y + height / 2 <= line.box.y + line.box.height)
        }
      }
      let text = (line.marker.map { $0 + " " } ?? "") + line.text + (line.hyphenated ? "-" : "")
      return Line(
        text: String(text.prefix(limits.characters)), flags: (isChanged ? 1 : 0) | (line.dir == "rtl" ? 2 : 0),
        detail: isChanged ? detail(of: line, faces: side?.faces ?? []) : nil)
    }
  }

  /// The kind of a line, its place and the face it is set in:
  /// `heading 2 at 24, 93.4, 331 × 27; Linux Libertine O Bold 19 px #000000`.
  private static func detail(of line: LineRecord, faces: [FaceRecord]) -> String {
    func number(_ value: Double) -> String {
      let rounded = (finite(value) * 100).rounded() / 100
      return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }
    let box = line.box
    var parts = [
      "\(line.role)\(line.level.map { " \($0)" } ?? "") at \(number(box.x)), \(number(box.y)), "
        + "\(number(box.width)) × \(number(box.height))"
    ]
    for run in line.runs {
      let face = faces.first { $0.id == run.font }
      let style = face.map { $0.style == "Regular" || $0.style.isEmpty ? "" : " " + $0.style } ?? ""
      let part = "\(face?.family ?? "?")\(style) \(number(run.size)) px \(run.color)"
      if !parts.contains(part), parts.count < 5 { parts.append(part) }
    }
    return parts.joined(separator: "; ")
  }
}
