import Foundation
import Graphics
import Layout
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// A page is a function of its break token: every way to reach it gives the same display list.
@Suite struct PageIndependenceTests {
  /// Ways to reach a page other than through all pages before it.
  enum Route: String, CaseIterable {
    /// From its mark, with nothing laid out before.
    case mark
    /// From its mark after that was saved and read again.
    case savedMark
    /// From its mark after other pages in no order, which leave what they measured behind.
    case backAndForth
    /// In sequence, after pages under other settings.
    case otherSettings
  }

  /// A page that a route made otherwise, or a mark behind it that was.
  struct Difference: CustomStringConvertible {
    var book: String
    var chapter: Int
    var page: Int
    var route: Route
    var isOnlyInMark = false
    var description: String {
      "\(book), chapter \(chapter), page \(page + 1): \(route.rawValue)\(isOnlyInMark ? " (only the mark behind it)" : "")"
    }
  }

  /// The pages of one chapter, made in sequence, and made again on each route.
  struct Comparison {
    let book: String
    let chapter: Int
    let most: Int
    private var pipeline: ChapterPipeline
    private let resources: BookResources
    private var lists: [DisplayList] = []
    private var marks: [ChapterPipeline.Mark] = []
    private var encoded: [[UInt8]?] = []
    private(set) var compared = 0
    private(set) var differences: [Difference] = []
    /// Invariants of layout that did not hold.
    private(set) var violations: [Diagnostic] = []

    init(book: String, chapter: Int, resources: BookResources, most: Int) {
      self.book = book
      self.chapter = chapter
      self.resources = resources
      self.most = most
      pipeline = ChapterPipeline(resources, index: chapter)
    }

    mutating func run() {
      let first = pipeline.mark()
      marks = [first]
      encoded = [first.encoded]
      while lists.count < most, let page = pipeline.nextPage() {
        lists.append(pipeline.paint(page))
        marks.append(pipeline.mark())
        encoded.append(marks[lists.count].encoded)
      }
      violations = pipeline.diagnostics.diagnostics.filter { $0.code == "layout-invariant" }
      for page in lists.indices.reversed() {
        pipeline.forgetLayout()
        pipeline.go(to: marks[page])
        compare(page, .mark)
      }
      for page in lists.indices.reversed() {
        guard let bytes = encoded[page] else { continue }
        pipeline.forgetLayout()
        guard let mark = pipeline.mark(encoded: bytes) else {
          differences.append(Difference(book: book, chapter: chapter, page: page, route: .savedMark))
          continue
        }
        pipeline.go(to: mark)
        compare(page, .savedMark)
      }
      var generator = FixedGenerator(seed: UInt64(lists.count))
      pipeline.forgetLayout()
      for page in lists.indices.shuffled(using: &generator) {
        pipeline.go(to: marks[page])
        compare(page, .backAndForth)
      }
      var settings = resources.settings
      settings.pageSize = Size(width: settings.pageSize.height, height: settings.pageSize.width)
      settings.fontSize += 3
      let others = BookResources(resources, settings: settings)
      if pipeline.kept(under: others) == .boxes {
        pipeline.use(others)
        for _ in 0..<3 { if let page = pipeline.nextPage() { _ = pipeline.paint(page) } }
        pipeline.use(resources)
        for page in lists.indices { compare(page, .otherSettings) }
      }
    }

    private mutating func compare(_ page: Int, _ route: Route) {
      compared += 1
      let made = pipeline.nextPage().map { pipeline.paint($0) }
      let isEqual = made == lists[page]
      guard !isEqual || pipeline.mark().encoded != encoded[page + 1] else { return }
      differences.append(
        Difference(book: book, chapter: chapter, page: page, route: route, isOnlyInMark: isEqual))
    }
  }

  /// Settings that books are read with.
  static var profiles: [TypesettingSettings] {
    var phone = TypesettingSettings()
    phone.pageSize = Size(width: LayoutUnit(360), height: LayoutUnit(600))
    phone.fontSize = 19
    phone.marginTop = LayoutUnit(24)
    phone.marginBottom = LayoutUnit(24)
    phone.marginLeft = LayoutUnit(20)
    phone.marginRight = LayoutUnit(20)
    phone.notes = .foot
    var print = TypesettingSettings()
    print.pageSize = Size(width: LayoutUnit(559), height: LayoutUnit(794))
    print.media = .print
    print.justify = .on
    print.hyphenate = .on
    print.balancesPages = true
    // Pages so small that hardly any box fits one.
    var tiny = TypesettingSettings()
    tiny.pageSize = Size(width: LayoutUnit(260), height: LayoutUnit(140))
    tiny.marginTop = LayoutUnit(10)
    tiny.marginBottom = LayoutUnit(10)
    tiny.marginLeft = LayoutUnit(10)
    tiny.marginRight = LayoutUnit(10)
    return [TypesettingSettings(), phone, print, tiny]
  }

  /// Books and single documents below a folder, in the order of their paths.
  static func books(below folder: URL) -> [URL] {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else { return [] }
    let unpacked = names.filter { $0.hasSuffix("META-INF/container.xml") }
      .map { folder.appendingPathComponent($0).deletingLastPathComponent().deletingLastPathComponent() }
    let files = names.filter { name in
      ["epub", "xhtml", "xht", "html", "htm", "txt"].contains((name as NSString).pathExtension)
    }.map { folder.appendingPathComponent($0) }.filter { file in
      !unpacked.contains { file.path.hasPrefix($0.path + "/") }
    }
    return (unpacked + files).sorted { $0.path < $1.path }
  }

  /// What the comparison of a book's pages found.
  struct Findings {
    var compared = 0
    /// Pages that are other ones on some route, and invariants of layout that do not hold.
    var faults: [String] = []
  }

  /// Compares the pages of a book: at most `most` of each chapter.
  static func findings(
    in book: URL, under settings: TypesettingSettings, most: Int = .max
  ) async throws -> Findings {
    let opened = try Book(contentsOf: book.path)
    let (publication, chapters) = (opened.publication, opened.chapters.indices)
    return await Worker.perform {
      let resources = BookResources(publication: publication, settings: settings)
      var findings = Findings()
      for chapter in chapters {
        var comparison = Comparison(
          book: book.lastPathComponent, chapter: chapter, resources: resources, most: most)
        comparison.run()
        findings.compared += comparison.compared
        findings.faults += comparison.differences.map(\.description) + comparison.violations.map(\.message)
      }
      return findings
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Books of the corpus, each under one of the profiles in turn.
  static var sample: [(book: URL, settings: TypesettingSettings)] {
    let profiles = profiles
    return books(below: root.appendingPathComponent("Corpus")).enumerated().map { index, book in
      (book, profiles[index % profiles.count])
    }
  }

  @Test func `Every page of the corpus is the same on all routes`() async throws {
    let sample = Self.sample
    #expect(sample.count > 100)
    for (book, settings) in sample {
      // What cannot be read has no pages; that it cannot is for other tests to say.
      guard let found = try? await Self.findings(in: book, under: settings) else { continue }
      #expect(found.faults.isEmpty, "\(book.path)")
    }
  }

  // MARK: Documents of nested boxes

  /// Compares the pages of a document.
  static func findings(in document: RandomDocument, under settings: TypesettingSettings) async throws -> Findings {
    let folder = try TestBook()
    let file = try folder.write(document.markup, to: "page.xhtml")
    defer { withExtendedLifetime(folder) {} }
    return try await findings(in: URL(fileURLWithPath: file), under: settings)
  }

  @Test func `Every page of documents of nested boxes of every kind is the same on all routes`() async throws {
    let isSearch = Self.searchedSeeds != nil
    if isSearch { LayoutChecks.areFatal = false }
    var compared = 0
    for seed in Self.searchedSeeds ?? 1...16 {
      let document = RandomDocument(seed: seed)
      let settings = Self.profiles[seed % 3 == 0 ? 1 : 3]
      let found = try await Self.findings(in: document, under: settings)
      compared += found.compared
      guard let fault = found.faults.first else { continue }
      guard isSearch else {
        Issue.record("seed \(seed): \(fault); make page-test SEEDS=\(seed)-\(seed) finds the smallest such document")
        continue
      }
      let smallest = await document.shrunk {
        (try? await Self.findings(in: $0, under: settings).faults.isEmpty) == false
      }
      let faults = try await Self.findings(in: smallest, under: settings).faults
      Issue.record("seed \(seed): \(fault); \(faults.prefix(3)) in \(smallest.markup)")
    }
    #expect(isSearch || compared > 300)
    print("\(compared) pages of documents compared")
  }

  /// Documents in which a page once depended on others, each with what it did.
  static let smallest: [(fault: String, body: String)] = [
    (
      "lines chosen on the page before",
      "<p style=\"text-wrap: balance\">\(words(60))</p><p style=\"text-wrap: pretty; text-align: justify\">\(words(90))</p>"
    ),
    (
      "a hyphen shaped for another script and another line",
      """
      <div style="writing-mode: vertical-rl"><p style="hyphens: auto">“Come” at unaccountably</p></div>
      <div style="hyphens: auto">\(words(50))</div>
      """
    ),
    (
      "a marker on the page of its item and on that of its line",
      "<div style=\"columns: 2\"><li><pre>keeper</pre></li></div>"
    ),
    (
      "a picture scaled on an earlier page",
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="500" height="900" viewBox="0 0 5 9"/><p>\(words(40))</p>
      <figure style="break-inside: avoid; margin: 0"><svg xmlns="http://www.w3.org/2000/svg" width="90" height="104"
      viewBox="0 0 9 9"/><figcaption>harbour</figcaption></figure><p>\(words(20))</p>
      """
    ),
    (
      "sizes measured under another mode",
      """
      <table style="white-space: nowrap"><tr><td><div id="a">\(words(9))</div></td><td>\(words(9))</td></tr></table>
      <div style="display: flex"><div>\(words(30))</div><div><table><tr><td>\(words(4))</td></tr></table></div></div>
      """
    ),
    (
      "positioned boxes and floats carried over a break that was tried",
      """
      <h2>sea</h2><div style="position: relative"><span style="position: absolute; top: 130px">wind</span>\(words(12))
      <span style="float: left; width: 80px">\(words(20))</span>\(words(40))</div><h2>wind</h2><p>\(words(30))</p>
      """
    ),
  ]

  private static func words(_ count: Int) -> String {
    let words = ["the", "light", "keeper’s", "responsibilities", "in", "nightfall", "of", "considerable", "harbour"]
    return (0..<count).map { words[$0 * 5 % 9 == 4 ? 3 : $0 % 9] }.joined(separator: " ")
  }

  @Test(arguments: smallest.indices)
  func `Pages that once depended on other pages do not`(number: Int) async throws {
    let folder = try TestBook()
    let file = try folder.page(Self.smallest[number].body)
    defer { withExtendedLifetime(folder) {} }
    let found = try await Self.findings(in: URL(fileURLWithPath: file), under: Self.profiles[3])
    #expect(found.compared >= 4)
    #expect(found.faults.isEmpty, "\(Self.smallest[number].fault)")
  }

  // MARK: Folders of books

  private static let environment = ProcessInfo.processInfo.environment
  /// The folder of books that `make page-test` names, and how many pages of a chapter it compares.
  static let folder = environment["TYPESET_PAGE_TEST"]
  static let most = environment["TYPESET_PAGE_TEST_MOST"].flatMap { Int($0) } ?? .max

  /// The documents of nested boxes that `make page-test` names: of those with a fault the smallest is searched.
  static var searchedSeeds: ClosedRange<UInt64>? {
    let bounds = environment["TYPESET_PAGE_TEST_SEEDS"]?.split(separator: "-").compactMap { UInt64($0) } ?? []
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }

  @Test(.enabled(if: folder != nil, "make page-test compares the pages of a folder of books"))
  func `Every page of a folder of books is the same on all routes`() async throws {
    var compared = 0
    for book in Self.books(below: URL(fileURLWithPath: try #require(Self.folder))) {
      for (number, settings) in Self.profiles.enumerated() {
        guard let found = try? await Self.findings(in: book, under: settings, most: Self.most) else { continue }
        compared += found.compared
        for fault in found.faults.prefix(20) { print("settings \(number): \(fault)") }
        #expect(found.faults.isEmpty, "\(book.lastPathComponent), settings \(number)")
      }
    }
    print("\(compared) pages compared")
  }
}
