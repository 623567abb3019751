import BoxGeneration
import Layout
import Markup
import Platform
package import Primitives
import Publications
import Shaping

/// References to a book's elements and pages: what counters have at the elements that URLs lead to, the text of these,
/// and how many pages there are.
package struct PageReferences: Sendable {
  /// By the name of their place.
  var targets: [String: ReferenceTarget] = [:]
  /// The counters of the pages that boxes of a chapter begin on, by its position in the spine: of those whose content asks.
  var pageCounters: [Int: [PagePlace: [String: Int32]]] = [:]
  /// The state of the book at the start of each chapter, by its position in the spine.
  fileprivate(set) var starts: [PageState] = []
  fileprivate(set) var pageTotal = 0

  package init() {}
}

/// Questions that one chapter has asked of the book, and the answers it has shown.
final class ReferenceReader {
  private let publication: Publication
  private let path: String
  private let chapter: Int
  private let known: () -> PageReferences
  /// By name of the target: what it was when it was shown, nil where there is no such element.
  private(set) var shown: [String: ReferenceTarget?] = [:]
  /// The counters of pages, nil where none are known yet.
  private(set) var shownPages: [PagePlace: [String: Int32]?] = [:]
  private(set) var shownTotal: Int?
  private(set) var missing: [String] = []

  /// - Parameter known: Called when something is asked for.
  init(_ publication: Publication, chapter: Int, known: @escaping () -> PageReferences) {
    self.publication = publication
    self.chapter = chapter
    path = publication.spine[chapter].path
    self.known = known
  }

  var isUsed: Bool { !shown.isEmpty || !shownPages.isEmpty || shownTotal != nil }

  /// All that was shown is as it was.
  func holds(in references: PageReferences) -> Bool {
    shown.allSatisfy { references.targets[$0.key] == $0.value }
      && shownPages.allSatisfy { references.pageCounters[chapter]?[$0.key] == $0.value }
      && shownTotal.map { $0 == references.pageTotal } ?? true
  }

  func target(_ url: String) -> ReferenceTarget? {
    guard let place = publication.resolve(url, relativeTo: path), let chapter = publication.spineIndex(of: place.path)
    else { return missing(url) }
    // Of documents that stand in the spine more than once, the one at hand.
    let name = DestinationName.name(chapter: place.path == path ? self.chapter : chapter, fragment: place.fragment)
    let target = known().targets[name]
    shown[name] = .some(target)
    return target ?? missing(url)
  }

  private func missing(_ url: String) -> ReferenceTarget? {
    missing.append(url)
    return nil
  }

  func pageCounters(at place: PagePlace) -> [String: Int32] {
    let counters = known().pageCounters[chapter]?[place]
    shownPages[place] = .some(counters)
    return counters ?? [:]
  }

  func pageTotal() -> Int {
    let total = known().pageTotal
    shownTotal = total
    return total
  }
}

/// Counts the pages of a book when the first chapter asks for something that only they tell. The others wait for it.
///
/// Cross references and the pages they move: a chapter is laid out again as long as something that it shows, or where
/// it starts, has changed.
package final class ReferenceCounter: Sendable {
  // All mutable state is touched only under `monitor`, or by the thread that has set `isBusy` under it.
  private struct State {
    var chapters: [Int]?
    var isBusy = false
    var found: PageReferences?
    var isSettled = true
  }
  private let monitor = Monitor()
  private nonisolated(unsafe) var state = State()
  private let stopped = Cancellation()

  /// The limit of rounds in which chapters are laid out until what they show of each other is to have settled.
  static let mostRounds = 6

  init() {}

  /// The chapters that count, as positions in the spine; all, unless told otherwise. To be called before any is laid out.
  package func count(only chapters: [Int]) { monitor.withLock { unsafe state.chapters = chapters } }

  /// Gives up: what is asked for from now on is nothing.
  package func stop() { stopped.request() }

  package var diagnostics: [Diagnostic] {
    guard monitor.withLock({ unsafe !state.isSettled }) else { return [] }
    return [
      Diagnostic(
        .warning, code: "unsettled-references",
        message: "page numbers that the text shows move it so that they never come right; some are wrong")
    ]
  }

  /// References of the book's pages, counting them first if nobody has.
  package func references(_ resources: BookResources, cancellation: Cancellation) -> PageReferences {
    func isGivenUp() -> Bool { cancellation.isRequested || stopped.isRequested }
    monitor.lock()
    while unsafe state.isBusy, !isGivenUp() { monitor.wait(milliseconds: 5) }
    if let found = unsafe state.found {
      monitor.unlock()
      return found
    }
    if isGivenUp() {
      monitor.unlock()
      return PageReferences()
    }
    unsafe state.isBusy = true
    let chapters = unsafe state.chapters ?? Array(resources.publication.spine.indices)
    monitor.unlock()
    var count = BookCount(resources, chapters: chapters, isGivenUp: isGivenUp, cancellation: cancellation)
    let isSettled = count.run(rounds: Self.mostRounds)
    let isWhole = !isGivenUp()
    monitor.withLock {
      if isWhole {
        unsafe state.found = count.references
        unsafe state.isSettled = isSettled
      }
      unsafe state.isBusy = false
      monitor.signalAll()
    }
    return count.references
  }
}

/// The count of a book's pages.
private struct BookCount {
  private let resources: BookResources
  private let chapters: [Int]
  private let isGivenUp: () -> Bool
  private let cancellation: Cancellation
  private let shaping: ShapingResources
  private var counts: [Int: ChapterCount] = [:]
  private(set) var references = PageReferences()

  init(
    _ resources: BookResources, chapters: [Int], isGivenUp: @escaping () -> Bool, cancellation: Cancellation
  ) {
    self.resources = resources
    self.chapters = chapters
    self.isGivenUp = isGivenUp
    self.cancellation = cancellation
    shaping = ShapingResources(hyphenator: resources.settings.hyphenator())
  }

  /// - Returns: `true` if nothing moves any more.
  mutating func run(rounds: Int) -> Bool {
    for _ in 0..<rounds {
      guard round() else { return true }
      references = collect()
      if isGivenUp() { return false }
    }
    return false
  }

  /// Lays out the chapters that may have changed.
  ///
  /// - Returns: `true` if there were any.
  private mutating func round() -> Bool {
    var state = PageState()
    var hasChanged = false
    for chapter in chapters {
      if counts[chapter]?.holds(at: state, in: references) != true {
        if isGivenUp() { return true }
        counts[chapter] = count(chapter, from: state)
        hasChanged = true
      }
      state.advance(over: counts[chapter]?.end)
    }
    return hasChanged
  }

  private func count(_ chapter: Int, from start: PageState) -> ChapterCount {
    var walk = ChapterWalk(
      StyledChapter(
        resources, index: chapter, shapingResources: shaping, cancellation: cancellation, counting: references),
      from: { start })
    let (tree, references) = (walk.pages.chapter.tree, walk.pages.chapter.references)
    var places = PageFinder(tree, asked: references.shownPages.keys)
    let end = walk.run(
      make: { page, _, pages -> Void? in
        places.look(at: page.layout, before: pages.furthestNode, counters: pages.state.counters)
        return ()
      }, keep: { true })
    places.finish()
    var count = ChapterCount(
      start: start, isAbsolute: walk.isAbsolute, references: references, targets: tree.targets, pages: places.found)
    if case .shown(let end) = end { count.end = end }
    return count
  }

  private func collect() -> PageReferences {
    var found = PageReferences()
    var state = PageState()
    found.starts = Array(repeating: state, count: resources.publication.spine.count)
    for chapter in chapters {
      found.starts[chapter] = state
      guard let count = counts[chapter] else { continue }
      let base = count.isAbsolute ? 0 : state.counters["page"] ?? 0
      let pages = count.pages.mapValues { counters in
        var counters = counters
        counters["page", default: 0] &+= base
        return counters
      }
      found.pageCounters[chapter] = pages
      for noted in count.targets {
        var target = noted.target
        for (name, value) in pages[PagePlace(noted.node)] ?? [:] where name == "page" || target.counters[name] == nil {
          target.counters[name] = [value]
        }
        let name = DestinationName.name(chapter: chapter, fragment: noted.fragment)
        // Of elements with the same name, the first.
        if found.targets[name] == nil { found.targets[name] = target }
      }
      state.advance(over: count.end)
    }
    // A book that shows nothing has a page all the same.
    found.pageTotal = Swift.max(1, state.pages)
    return found
  }
}

/// A chapter that has been laid out to be counted.
private struct ChapterCount {
  var start: PageState
  /// nil where the book has no page of the chapter.
  var end: ChapterEnd?
  /// Its pages depend on where the book stands.
  var isAbsolute: Bool
  var references: ReferenceReader
  var targets: [NotedTarget]
  /// The counters of the pages that the targets, and boxes whose content asks for them, begin on.
  var pages: [PagePlace: [String: Int32]]

  func holds(at state: PageState, in found: PageReferences) -> Bool {
    (!isAbsolute || start == state) && references.holds(in: found)
  }
}

/// Finds the pages that boxes of a chapter begin on: those of its targets, and those whose content asks.
private struct PageFinder {
  private let tree: BoxTree
  private let boxed: Set<PagePlace>
  /// Those that have not been met.
  private var waiting: Set<PagePlace>
  /// The counters of their pages.
  private(set) var found: [PagePlace: [String: Int32]] = [:]
  private var counters: [String: Int32] = [:]

  init(_ tree: BoxTree, asked: some Sequence<PagePlace>) {
    self.tree = tree
    let waiting = Set(asked).union(tree.targets.map { PagePlace($0.node) })
    boxed = waiting.isEmpty ? [] : Set(tree.boxes.lazy.map { PagePlace($0.node, $0.pseudo) })
    self.waiting = waiting
  }

  /// - Parameters:
  ///   - next: The element that the next page starts in. What has no box is on the page of what comes before it.
  ///   - counters: Those of the page.
  mutating func look(at page: PageLayout, before next: NodeID?, counters: [String: Int32]) {
    self.counters = counters
    guard !waiting.isEmpty else { return }
    if !page.root.isNone { look(at: page.root, of: page) }
    guard let next else { return }
    for place in waiting.filter({ $0.node < next && !boxed.contains($0) }) { take(place) }
  }

  mutating func finish() { for place in waiting { take(place) } }

  private mutating func look(at id: FragmentID, of page: PageLayout) {
    let fragment = page[id]
    guard !fragment.flags.contains(.repeated) else { return }
    if fragment.kind == .box || fragment.kind == .inlineBox, !fragment.box.isNone {
      let box = tree[fragment.box]
      if !box.flags.contains(.anonymous) { take(PagePlace(box.node, box.pseudo)) }
    }
    var child = fragment.firstChild
    while !child.isNone {
      look(at: child, of: page)
      child = page[child].nextSibling
    }
  }

  private mutating func take(_ place: PagePlace) {
    if waiting.remove(place) != nil { found[place] = counters }
  }
}
