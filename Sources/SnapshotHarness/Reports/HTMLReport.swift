import BookOutput
import FoundationEssentials
import Primitives
import Typesetting

/// The report for people: one file that works from disk, with images of pages beside it (snapshot harness, 6.1, 6.2).
package struct HTMLReport: Sendable {
  /// Limits on the amount that is drawn.
  package struct Limits: Hashable, Sendable {
    /// Pairs of pages with images, in all.
    package var pairs = 300
    /// Pairs that each unit shows beside the representatives of clusters.
    package var pairsOfUnit = 2
    /// Clusters whose representatives show the styles of their elements.
    var clustersLookedUp = 40
    /// Seconds for looking up the elements of other pages that are drawn.
    var seconds = 10.0
    /// Outlines of one change on one page.
    var boxes = 24
    /// Characters of one line.
    var characters = 400

    package init() {}
  }

  /// A page that is asked for by name, `book:profile:12` or `book:profile:o12` for one that is gone.
  package typealias PageName = String

  package var limits = Limits()
  /// Pages that are drawn whatever the limits say.
  package var pages: [PageName] = []
  package var jobs = 1
  /// Runs whose figures are drawn as charts.
  package var trends = Trends()

  private let report: RunReport
  private let commands: ReportCommands
  private let old: Reference?
  private let new: Reference?
  /// The folder of a server's images.
  let imagesFolder: String
  /// Of the program that draws.
  private let program = ProgramIdentity.hash(ProgramFile.own) ?? ""

  /// - Parameters:
  ///   - old: The run that it was compared with; nil draws no page of it.
  ///   - new: the run; nil draws no page at all.
  package init(_ report: RunReport, commands: ReportCommands, old: Reference?, new: Reference?) {
    self.report = report
    self.commands = commands
    self.old = old
    self.new = new
    var folder = ""
    if case .run(let run, _) = new { folder = Files.join(run.path, "report-images") }
    imagesFolder = folder
  }

  /// The report of a run, for its own folder or for `path`.
  package init(
    _ report: RunReport, of run: RunFolder, manifest: RunManifest, old: Reference?, path: String? = nil, jobs: Int = 1
  ) {
    var isStore = false
    if case .store = old { isStore = true }
    self.init(
      report,
      commands: ReportCommands(
        run: ReportCommands.plain(run.path), corpus: manifest.corpus.map(ReportCommands.plain),
        old: (old?.path ?? report.comparison.against).map(ReportCommands.plain), isStore: isStore,
        html: ReportCommands.plain(path ?? run.reportPath),
        options: ((manifest.options ?? []) + (manifest.decisions.map { ["--decisions", $0] } ?? [])).map(
          ReportCommands.plain)),
      old: old, new: .run(run, manifest))
    self.jobs = jobs
  }

  /// Writes the page, and images to a folder beside it.
  ///
  /// - Returns: The number of pairs of pages with images.
  @discardableResult
  package func write(to path: String) throws(HarnessError) -> Int {
    let name = path.split(separator: "/").last.map(String.init) ?? "report.html"
    let stem = name.hasSuffix(".html") ? String(name.dropLast(5)) : name
    let folder = stem + "-images"
    var data = HTMLReportData(report, commands: commands, limits: limits)
    data.images = folder.addingEscapes
    if case .store(let store, _) = old { data.add(store.history()) }
    data.add(trends)
    var drawn = 0
    if let new {
      let images = images(new, in: Files.join(OutputFiles.folder(of: path), folder))
      let wanted = chosen(data, images)
      let made = try images.draw(wanted, jobs: jobs)
      drawn = data.add(made, limits: limits)
      let inspection = Inspection(old: old, new: new, jobs: jobs)
      let first = placesToLookUp()
      data.add(inspection.look(up: first))
      // The rest of what is drawn, as far as time goes.
      data.add(inspection.look(up: placesToLookUp(made).filter { first[$0.key] != $0.value }, seconds: limits.seconds))
      images.removeOthers(
        than: report.comparison.units.map { ($0.key, $0.pages.map { PagePair(old: $0.oldPage, new: $0.newPage) }) })
    }
    try Files.write(Self.page(data), to: path)
    return drawn
  }

  /// The page that a server hands out: it asks for what it shows, and for what is decided.
  ///
  /// - Parameter reviewer: the name that decisions are signed with unless the reader gives another.
  package func servedPage(reviewer: String? = nil) -> [UInt8] {
    var data = HTMLReportData(report, commands: commands, limits: limits)
    data.served = HTMLReportData.Service(reviewer: reviewer)
    data.images = "images"
    if case .store(let store, _) = old { data.add(store.history()) }
    data.add(trends)
    return Self.page(data)
  }

  /// A pair of pages by its name, drawn into the report's folder of images where it is not there yet.
  ///
  /// - Returns: The part of the report that `report.js` shows, as JSON; nil where no pair of that name has changed.
  func drawing(of name: PageName) throws(HarnessError) -> [UInt8]? {
    guard let new, let (key, page) = page(named: name) else { return nil }
    let pair = PagePair(old: page.oldPage, new: page.newPage)
    let made = try images(new, in: imagesFolder).draw([(key, [pair])], jobs: 1)
    guard let drawn = made[key]?[pair] else { return nil }
    return Files.json(
      HTMLReportData.Drawn(
        drawn, changes: page.changes.map { HTMLReportData.change($0, cluster: 0, limits) }, limits: limits))
  }

  /// The declarations that made the elements of a pair of pages look as they do, as JSON.
  func elements(of name: PageName) -> [UInt8]? {
    guard let new, let (key, page) = page(named: name) else { return nil }
    let places = Inspection.places(page.changes.map(\.source), in: page.href)
    let found = Inspection(old: old, new: new, jobs: 1).look(up: [key: places])
    return Files.json(
      places.compactMap { place in
        found[key]?[place].map { HTMLReportData.Element(old: $0.old, new: $0.new) }
      })
  }

  private func page(named name: PageName) -> (key: UnitKey, page: PageChange)? {
    for unit in report.comparison.units where name.hasPrefix("\(unit.key.book):\(unit.key.profile):") {
      for page in unit.pages
      where HTMLReportData.name(unit.key, PagePair(old: page.oldPage, new: page.newPage)) == name {
        return (unit.key, page)
      }
    }
    return nil
  }

  private func images(_ new: Reference, in folder: String) -> PageImages {
    PageImages(
      old: old, new: new, folder: folder, program: program, renamed: report.comparison.renamed)
  }

  /// The page alone, without images.
  package func text() -> String {
    String(decoding: Self.page(HTMLReportData(report, commands: commands, limits: limits)), as: UTF8.self)
  }

  /// The pages to draw, by unit: what was asked for, what is drawn already, the representatives of clusters, and the
  /// first ones of each unit as far as the limit goes.
  private func chosen(_ data: HTMLReportData, _ images: PageImages) -> [(key: UnitKey, pairs: [PagePair])] {
    var order: [(UnitKey, PagePair)] = []
    var known: [UnitKey: Set<PagePair>] = [:]
    func take(_ key: UnitKey, _ pair: PagePair, isLimited: Bool = true) {
      if isLimited, order.count >= limits.pairs { return }
      if known[key, default: []].insert(pair).inserted { order.append((key, pair)) }
    }
    let asked = Set(pages)
    for unit in report.comparison.units {
      let sources =
        Files.isFolder(images.folder) ? images.sides(unit.key) : (nil, nil)
      for page in unit.pages {
        let pair = PagePair(old: page.oldPage, new: page.newPage)
        if asked.contains(HTMLReportData.name(unit.key, pair)) || images.areDrawn(pair, of: sources) {
          take(unit.key, pair, isLimited: false)
        }
      }
    }
    for cluster in report.comparison.clusters {
      for member in cluster.representatives where member.oldPage != nil || member.newPage != nil {
        take(member.key, PagePair(old: member.oldPage, new: member.newPage))
      }
    }
    for round in 0..<max(0, limits.pairsOfUnit) {
      for unit in report.comparison.units where round < unit.pages.count {
        take(unit.key, PagePair(old: unit.pages[round].oldPage, new: unit.pages[round].newPage))
      }
    }
    let pairs = Dictionary(grouping: order, by: \.0).mapValues { $0.map(\.1) }
    return pairs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The elements that are looked up, by unit: those of pages that were asked for and of the representatives of clusters.
  ///
  /// - Parameter drawn: other pages that are meant.
  private func placesToLookUp(_ drawn: [UnitKey: [PagePair: DrawnPages]] = [:]) -> [UnitKey: [Inspection.Place]] {
    let asked = Set(pages)
    var shown: [UnitKey: Set<PagePair>] = [:]
    for member in report.comparison.clusters.prefix(limits.clustersLookedUp).flatMap(\.representatives) {
      shown[member.key, default: []].insert(PagePair(old: member.oldPage, new: member.newPage))
    }
    var places: [UnitKey: [Inspection.Place]] = [:]
    for unit in report.comparison.units {
      for page in unit.pages {
        let pair = PagePair(old: page.oldPage, new: page.newPage)
        guard
          shown[unit.key]?.contains(pair) == true || drawn[unit.key]?[pair] != nil
            || asked.contains(HTMLReportData.name(unit.key, pair))
        else { continue }
        for place in Inspection.places(page.changes.map(\.source), in: page.href)
        where !(places[unit.key] ?? []).contains(place) {
          places[unit.key, default: []].append(place)
        }
      }
    }
    return places
  }

  private static func page(_ data: HTMLReportData) -> [UInt8] {
    var page: [UInt8] = []
    var template = PackageResources.report_html[...]
    func fill(_ name: String, _ content: some Sequence<UInt8>) {
      let mark = Array("{{\(name)}}".utf8)
      guard let place = template.firstRange(of: mark) else { return }
      page += template[..<place.lowerBound]
      page += content
      template = template[place.upperBound...]
    }
    fill("title", XMLEscaping.escaped(data.title).utf8)
    fill("css", PackageResources.report_css)
    fill("data", embedded(Files.json(data)))
    fill("review", data.served != nil ? PackageResources.review_js : [])
    fill("js", PackageResources.report_js)
    return page + template
  }

  /// JSON as a script element may hold it: `<` occurs in strings alone and is written as an escape, so neither the end of
  /// the element nor a comment can begin.
  static func embedded(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + json.count / 64)
    for byte in json {
      if byte == 0x3C { result += Array("\\u003c".utf8) } else { result.append(byte) }
    }
    return result
  }
}

extension String {
  /// A path as an address holds it.
  var addingEscapes: String {
    var result = ""
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
        result.append(Character(Unicode.Scalar(byte)))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
