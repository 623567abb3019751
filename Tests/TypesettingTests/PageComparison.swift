import ChapterEngine
import Foundation
import Graphics
import Layout
import Platform
import Primitives
import TestSupport

@testable import Typesetting

/// The pages of one chapter, made in sequence, and made again on each route.
struct PageComparison {
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
    var chapter: Int
    var page: Int
    var route: Route
    var isOnlyInMark = false
    var description: String {
      "chapter \(chapter), page \(page + 1): \(route.rawValue)\(isOnlyInMark ? " (only the mark behind it)" : "")"
    }
  }

  let chapter: Int
  let most: Int
  private var paged: PagedChapter
  private let resources: BookResources
  private let cancellation: Cancellation
  private var lists: [DisplayList] = []
  private var marks: [PagedChapter.Mark] = []
  private var encoded: [[UInt8]?] = []
  private(set) var compared = 0
  private(set) var differences: [Difference] = []
  /// Invariants of layout that did not hold.
  private(set) var violations: [Diagnostic] = []

  init(chapter: Int, resources: BookResources, most: Int, cancellation: Cancellation) {
    self.chapter = chapter
    self.resources = resources
    self.most = most
    self.cancellation = cancellation
    paged = PagedChapter(StyledChapter(resources, index: chapter, cancellation: cancellation))
  }

  mutating func run() {
    let first = paged.mark
    marks = [first]
    encoded = [first.encoded]
    while lists.count < most, let page = paged.nextPage(), !cancellation.isRequested {
      lists.append(paged.drawing.paint(page))
      marks.append(paged.mark)
      encoded.append(marks[lists.count].encoded)
    }
    violations = paged.diagnostics.diagnostics.filter { $0.code == "layout-invariant" }
    for page in lists.indices.reversed() where !cancellation.isRequested {
      paged.restart()
      paged.go(to: marks[page])
      compare(page, .mark)
    }
    for page in lists.indices.reversed() where !cancellation.isRequested {
      guard let bytes = encoded[page] else { continue }
      paged.restart()
      guard let mark = paged.mark(encoded: bytes) else {
        differences.append(Difference(chapter: chapter, page: page, route: .savedMark))
        continue
      }
      paged.go(to: mark)
      compare(page, .savedMark)
    }
    var generator = FixedGenerator(seed: UInt64(lists.count))
    paged.restart()
    for page in lists.indices.shuffled(using: &generator) where !cancellation.isRequested {
      paged.go(to: marks[page])
      compare(page, .backAndForth)
    }
    var settings = resources.settings
    settings.pageSize = Size(width: settings.pageSize.height, height: settings.pageSize.width)
    settings.fontSize += 3
    let others = BookResources(resources, settings: settings)
    if paged.chapter.kept(under: others) == .boxes {
      paged.use(others)
      for _ in 0..<3 { if let page = paged.nextPage() { _ = paged.drawing.paint(page) } }
      paged.use(resources)
      for page in lists.indices where !cancellation.isRequested { compare(page, .otherSettings) }
    }
  }

  private mutating func compare(_ page: Int, _ route: Route) {
    let made = paged.nextPage().map { paged.drawing.paint($0) }
    // Pages of work that is given up are worth nothing.
    guard !cancellation.isRequested else { return }
    compared += 1
    let isEqual = made == lists[page]
    guard !isEqual || paged.mark.encoded != encoded[page + 1] else { return }
    differences.append(Difference(chapter: chapter, page: page, route: route, isOnlyInMark: isEqual))
  }
}

/// The result of comparing a document's pages.
struct PageFindings: Sendable {
  var compared = 0
  /// Pages that are other ones on some route, and invariants of layout that do not hold.
  var faults: [String] = []
  /// Nanoseconds that the pages took.
  var time: UInt64 = 0
}

/// A document whose pages are compared, and how.
struct PageDocument: Sendable {
  var url: URL
  /// The number of the profile.
  var profile: Int
  /// The number of pages of a chapter that are compared at most.
  var most = Int.max
  var settings: TypesettingSettings { PageProfiles.all[profile] }

  /// - Parameter limit: Seconds after which the document is given up, which is a fault.
  /// - Returns: nil where it cannot be read: it has no pages, and that it cannot is for other tests to say.
  func findings(limit: Double? = nil) async -> PageFindings? {
    guard let opened = try? await Book(contentsOf: url.path) else { return nil }
    let (publication, chapters, settings, most) = (opened.publication, opened.chapters.indices, settings, most)
    let cancellation = Cancellation()
    let watch = limit.map { limit in
      Task {
        try await Task.sleep(for: .seconds(limit))
        cancellation.request()
      }
    }
    defer { watch?.cancel() }
    return await Worker.perform {
      let start = Clock.threadTime
      let resources = BookResources(publication: publication, settings: settings)
      var findings = PageFindings()
      for chapter in chapters where !cancellation.isRequested {
        var comparison = PageComparison(
          chapter: chapter, resources: resources, most: most, cancellation: cancellation)
        comparison.run()
        findings.compared += comparison.compared
        findings.faults += comparison.differences.map(\.description) + comparison.violations.map(\.message)
      }
      if cancellation.isRequested { findings.faults.append("given up after \(limit ?? 0) s") }
      findings.time = Clock.threadTime - start
      return findings
    }
  }
}

/// Settings that books are read with.
enum PageProfiles {
  static let all = [TypesettingSettings(), phone, print, tiny, house]

  static let phone = {
    var phone = TypesettingSettings()
    phone.pageSize = Size(width: LayoutUnit(360), height: LayoutUnit(600))
    phone.fontSize = 19
    phone.marginTop = LayoutUnit(24)
    phone.marginBottom = LayoutUnit(24)
    phone.marginLeft = LayoutUnit(20)
    phone.marginRight = LayoutUnit(20)
    phone.notes = .foot
    phone.compose = .pages
    return phone
  }()

  static let print = {
    var print = TypesettingSettings()
    print.pageSize = Size(width: LayoutUnit(559), height: LayoutUnit(794))
    print.media = .print
    print.justify = .on
    print.hyphenate = .on
    print.balancesPages = true
    return print
  }()

  static let house = {
    var house = TypesettingSettings()
    house.pageSize = Size(width: LayoutUnit(360), height: LayoutUnit(480))
    house.style = .house
    return house
  }()

  /// Pages so small that hardly any box fits one.
  static let tiny = {
    var tiny = TypesettingSettings()
    tiny.pageSize = Size(width: LayoutUnit(260), height: LayoutUnit(140))
    tiny.marginTop = LayoutUnit(10)
    tiny.marginBottom = LayoutUnit(10)
    tiny.marginLeft = LayoutUnit(10)
    tiny.marginRight = LayoutUnit(10)
    return tiny
  }()
}
