import ChapterEngine
import Graphics
import Layout
import Markup
import Painting
import Platform
import Primitives
import Publications
import Synchronization

/// A chapter that is kept warm: its document, styles and boxes, the places where its pages start, and what stands where on
/// them. Pages are made in order, and any of them from the place where it starts, once that is known.
///
/// One thread at a time works in it.
final class ChapterSession: @unchecked Sendable {
  // All mutable state is touched only by the thread that has set `isBusy` under `monitor`.
  private let monitor = Monitor()
  private var isBusy = false
  let chapter: Int
  private var resources: BookResources
  private var paged: PagedChapter?
  private var text: ChapterText?
  /// The document as long as nothing else has been made of it.
  private var parsed: ParsedChapter?
  /// By page: where it starts, where that is known; the page behind the last one included.
  private var marks: [PagedChapter.Mark?] = []
  private var pages: [PageMap?] = []
  /// Starts of pages, from a directory.
  private var known: PageStarts?
  /// The number of pages, once that is known.
  private var count: Int?
  private var recordsClusters = true
  /// The page made last, with its fragments.
  private var current: (index: Int, page: ComposedPage)?
  /// When it was opened last, by the clock of the typesetter's pool.
  let lastUse = Atomic<UInt64>(0)
  /// The value of `byteCount` when a thread last left.
  private let size = Atomic<Int>(0)

  init(chapter: Int, resources: BookResources) {
    self.chapter = chapter
    self.resources = resources
  }

  /// About the memory it takes, in bytes.
  var byteCount: Int { size.load(ordering: .relaxed) }

  /// The page at an index; nil when the chapter has no such page, the settings have changed since, or the task was cancelled.
  func page(at index: Int, _ request: SessionRequest) -> Page? {
    work(request) {
      if index == 0, let first = firstPage(request) { return first }
      guard let content = content(at: index, request), let text else { return nil }
      if current?.index != index {
        // Its fragments are gone: it is laid out once more.
        pages[index] = nil
        guard self.content(at: index, request) != nil else { return nil }
      }
      guard let current, let paged else { return nil }
      return page(index, current.page, content, text, paged)
    }
  }

  private func page(
    _ index: Int, _ page: ComposedPage, _ content: PageMap, _ text: ChapterText, _ paged: PagedChapter
  ) -> Page {
    var losses = paged.losses(on: page.layout)
    var painted = PaintedContents()
    let list = paged.drawing.paint(
      page.layout, paged.drawing.furniture(of: page), noting: &painted, losses: &losses)
    resources.losses.note(losses, page: index, of: chapter)
    return Page(
      chapter: chapter, index: index, displayList: resources.settings.theme.recolored(list),
      content: content, layout: page.layout, painted: painted, tagging: paged.tagging, text: text, engine: resources,
      diagnostics: PageDiagnostic.all(losses, in: text, start: content.start, resources.fonts),
      sideMargin: paged.chapter.fit.x)
  }

  /// The first page of a huge chapter that has just been opened, from the chapter's first part; nil where there is no need for it.
  private func firstPage(_ request: SessionRequest) -> Page? {
    guard text == nil else { return nil }
    let parsed = self.parsed ?? ParsedChapter(resources.publication, index: chapter)
    self.parsed = parsed
    guard !request.isCancelled,
      let prefix = StyledChapter.prefix(
        1, of: resources, index: chapter, parsed: parsed, cancellation: request.cancellation)
    else { return nil }
    let text = prefix.chapterText()
    var paged = PagedChapter(prefix, recordsClusters: recordsClusters)
    guard let page = paged.nextPage(), !request.isCancelled else { return nil }
    return self.page(0, page, paged.content(of: page.layout, text: text, after: nil), text, paged)
  }

  /// The index of the page that holds a place. Lays out no further than that page.
  func index(of locator: Locator, _ request: SessionRequest) -> Int? {
    // The chapter's own start, whatever it starts with.
    if locator.node == Document.documentNode { return 0 }
    return work(request) {
      prepare(request)
      if let starts = known?.starts ?? count.map({ count in pages.prefix(count).map { $0?.start.rawValue ?? 0 } }) {
        let search = PageSearch(count: starts.count, text) { SourcePosition(rawValue: starts[$0]) }
        return search.page(containing: locator) { content(at: $0, request) }
      }
      var index = 0
      // The place may stand on a page as soon as the next one starts behind it.
      while let content = content(at: index, request), content.start <= locator.position { index += 1 }
      guard !request.isCancelled, pages.first != nil else { return nil }
      let known = pages.compactMap { $0 }
      return PageSearch(known, text).page(containing: locator) { known[$0] }
    }
  }

  /// All pages of the chapter, and where they start.
  func layout(_ request: SessionRequest) -> (layout: ChapterLayout, starts: PageStarts)? {
    work(request) {
      var index = 0
      while content(at: index, request) != nil { index += 1 }
      guard let count, index == count, let text else { return nil }
      let maps = pages.prefix(count).compactMap { $0 }
      let starts = known ?? PageStarts(maps.map(\.start), marks: marks.prefix(count).map { $0?.encoded ?? [] })
      known = starts
      return (ChapterLayout(chapter: chapter, maps: maps, text: text), starts)
    }
  }

  /// Starts of all pages, for which no place of a character is kept.
  func starts(_ request: SessionRequest) -> PageStarts? {
    recordsClusters = false
    return layout(request)?.starts
  }

  /// The formatted text, for which nothing needs to be laid out.
  func chapterText(_ request: SessionRequest) -> ChapterText? {
    work(request) {
      prepare(request)
      return text
    }
  }

  // MARK: One thread at a time

  private func work<Result>(_ request: SessionRequest, _ body: () -> Result?) -> Result? {
    guard enter(request) else { return nil }
    defer { leave() }
    guard !request.isCancelled else { return nil }
    if request.resources !== resources {
      guard request.resources.generation > resources.generation else { return nil }
      adopt(request)
    }
    paged?.cancellation = request.cancellation
    let result = body()
    size.store(measure(), ordering: .relaxed)
    return request.isCancelled ? nil : result
  }

  /// Waits for its turn; false when the request is cancelled meanwhile.
  private func enter(_ request: SessionRequest) -> Bool {
    monitor.withLock {
      while isBusy {
        if request.isCancelled { return false }
        monitor.wait(milliseconds: 5)
      }
      isBusy = true
      return true
    }
  }

  private func leave() {
    monitor.withLock {
      isBusy = false
      monitor.signalAll()
    }
  }

  /// Goes over to new settings, keeping what they do not touch.
  private func adopt(_ request: SessionRequest) {
    let new = request.resources
    resources = new
    guard var paged = take() else { return }
    let kept = paged.chapter.kept(under: new)
    if kept == .pages {
      self.paged = paged
      return
    }
    forgetPages()
    if kept == .boxes {
      paged.use(new)
      marks = [paged.mark]
      self.paged = paged
    } else {
      text = nil
      start(request, parsed: ParsedChapter(paged.chapter.document))
    }
  }

  private func forgetPages() {
    marks = []
    pages = []
    known = nil
    count = nil
    current = nil
  }

  private func prepare(_ request: SessionRequest) {
    if text == nil { start(request, parsed: parsed) }
    if known == nil, count == nil, let starts = request.starts {
      known = starts
      count = starts.count
    }
  }

  /// Makes all that comes before pages; nothing when the request is cancelled meanwhile.
  private func start(_ request: SessionRequest, parsed: ParsedChapter?) {
    let styled = StyledChapter(resources, index: chapter, parsed: parsed, cancellation: request.cancellation)
    guard !request.isCancelled else { return }
    let made = PagedChapter(styled, from: styled.stateBefore, recordsClusters: recordsClusters)
    text = styled.chapterText()
    marks = [made.mark]
    paged = made
    self.parsed = nil
  }

  /// The pages, out of their place so that they are changed without a copy.
  private func take() -> PagedChapter? {
    defer { paged = nil }
    return paged
  }

  /// The map of a page; lays out the page and, where its start is not known, the pages before it from the last known
  /// one on.
  private func content(at index: Int, _ request: SessionRequest) -> PageMap? {
    guard index >= 0 else { return nil }
    if index < pages.count, let page = pages[index] { return page }
    prepare(request)
    guard let text, index < count ?? .max, var paged = take() else { return nil }
    defer { self.paged = paged }
    var next = index
    var mark = mark(of: next, paged)
    while mark == nil, next > 0 {
      next -= 1
      mark = self.mark(of: next, paged)
    }
    guard let mark else { return nil }
    if current?.index != next - 1 { paged.go(to: mark) }
    while next <= index {
      var page = paged.nextPage()
      if next == 0, count == nil, let first = page { page = paged.ifShown(first, from: mark) }
      guard !request.isCancelled else {
        paged.restart()
        current = nil
        return nil
      }
      guard let page else {
        count = next
        current = nil
        return nil
      }
      while pages.count <= next { pages.append(nil) }
      while marks.count <= next + 1 { marks.append(nil) }
      let losses = paged.losses(on: page.layout)
      resources.losses.note(losses, page: next, of: chapter)
      var map = paged.content(of: page.layout, text: text, after: next > 0 ? start(of: next - 1) : nil)
      map.diagnostics = PageDiagnostic.all(losses, in: text, start: map.start, resources.fonts)
      pages[next] = map
      if marks[next + 1] == nil { marks[next + 1] = paged.mark }
      current = (next, page)
      next += 1
    }
    return pages[index]
  }

  private func mark(of page: Int, _ paged: PagedChapter) -> PagedChapter.Mark? {
    if page < marks.count, let mark = marks[page] { return mark }
    guard let known, page < known.count, let mark = paged.mark(encoded: known.mark(of: page)) else { return nil }
    while marks.count <= page { marks.append(nil) }
    marks[page] = mark
    return mark
  }

  private func start(of page: Int) -> SourcePosition? {
    if page < pages.count, let content = pages[page] { return content.start }
    return known.map { SourcePosition(rawValue: $0.starts[page]) }
  }

  private func measure() -> Int {
    var bytes = pages.reduce(0) { $0 + ($1?.byteCount ?? 0) } + marks.count * 512 + (known?.byteCount ?? 0)
    if let text { bytes += text.units.count * 2 + text.spans.count * MemoryLayout<ChapterText.Span>.stride }
    if let paged { bytes += paged.byteCount }
    if let parsed { bytes += parsed.document.byteCount }
    return bytes
  }
}

/// A request to a session: its settings, and whether it is still wanted.
struct SessionRequest: Sendable {
  let resources: BookResources
  /// Starts of the chapter's pages, if that is known.
  let starts: PageStarts?
  /// The pool that the work is done for.
  let pool: BookPool?
  let cancellation = Cancellation()

  init(_ resources: BookResources, starts: PageStarts? = nil, pool: BookPool? = nil) {
    self.resources = resources
    self.starts = starts
    self.pool = pool
  }

  var isCancelled: Bool { cancellation.isRequested }
  /// The same request, made anew.
  var again: SessionRequest { SessionRequest(resources, starts: starts, pool: pool) }

  /// Runs `body` on a thread with a deep stack; when the task is cancelled it ends within the page.
  func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result?) async -> Result? {
    guard !Worker.isOrphan else { return nil }
    return await withTaskCancellationHandler {
      guard await pool?.gate?.enter() ?? true else { return nil }
      defer {
        pool?.gate?.leave()
        pool?.makeRoom()
      }
      return Task.isCancelled ? nil : await Worker.perform(body)
    } onCancel: {
      cancellation.request()
    }
  }
}

/// Finds the page of a place among those known.
struct PageSearch {
  private let count: Int
  private let text: ChapterText?
  private let start: (Int) -> SourcePosition

  init(count: Int, _ text: ChapterText?, start: @escaping (Int) -> SourcePosition) {
    self.count = count
    self.text = text
    self.start = start
  }

  init(_ pages: [PageMap], _ text: ChapterText?) { self.init(count: pages.count, text) { pages[$0].start } }

  /// The page with the unit at the place; the last page that starts before it when no line has it.
  ///
  /// - Parameter content: The content of a page; nil when that is not to be had.
  func page(containing locator: Locator, content: (Int) -> PageMap?) -> Int {
    let position = locator.position
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if start(middle) <= position { low = middle + 1 } else { high = middle }
    }
    let guess = Swift.max(0, low - 1)
    // A picture is in no line.
    if content(guess)?.objects.contains(where: { $0.node == position.node }) == true { return guess }
    guard let text, var place = text.locate(position) else { return guess }
    if locator.side == .before { place = text.place(before: place) }
    let unit = UInt32(clamping: place.unit)
    // Floats and columns reach over to the neighbours.
    for index in [guess, guess + 1, guess - 1, guess + 2, guess - 2] where (0..<count).contains(index) {
      let lines = content(index)?.lines ?? []
      if lines.contains(where: { $0.paragraph == place.paragraph && $0.units.contains(unit) }) { return index }
    }
    return guess
  }
}
