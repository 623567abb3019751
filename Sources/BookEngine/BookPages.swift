package import ChapterEngine
import Images
import Layout
import Platform
package import Primitives
import Publications
import Shaping
import Synchronization

/// The pages of a book, made once, in order, by any number of workers, for any number of outputs.
///
/// Chapters are set by several workers at once, which stay at most a few chapters ahead of the first one that is not
/// complete. It alone knows which pages the book has (with `ChapterWalk`), their numbers, where the book stands,
/// ranges, and how a book is stopped.
package final class BookPages: @unchecked Sendable {
  /// What is to be set, and how.
  package struct Request: Sendable {
    /// Positions in the spine of the chapters to set, in order.
    package var chapters: [Int]
    /// The pages that are asked for, by their numbers; the book is laid out no further than needed.
    package var only: NumberRange?
    /// The number of workers; changes no byte of any output.
    package var jobs = 1
    /// Once it is requested the page at work is thrown away, and the book ends with the error `interrupted`.
    package var cancellation = Cancellation()
    /// Has what workers may be waiting for given up, when the book ends early.
    package var giveUp: @Sendable () -> Void = {}
    /// Makes layout records, where an output asks for them, of a chapter whose first page has been laid out.
    package var recorder: (@Sendable (PagedChapter) -> any PageRecorder)?

    package init(chapters: [Int]) { self.chapters = chapters }
  }

  /// How far a book has come.
  package struct Progress: Sendable {
    /// Pages that have their numbers.
    package let pages: Int
    /// Chapters that are complete, of so many.
    package let chapters: Int
    package let chapterCount: Int
  }

  /// What came of a book.
  package struct Result: Sendable {
    package internal(set) var pages = 0
    package internal(set) var chapters = 0
    /// Faults of the book in its order.
    package internal(set) var book = DiagnosticSink()
    /// The characters on the pages asked for that no font has.
    package internal(set) var missing = MissingCharacters()
    /// Faults of the outputs.
    package internal(set) var outputs = DiagnosticSink()
    /// The error that ended it early; what was done until then is kept.
    package internal(set) var error: BookError?
  }

  let resources: BookResources
  let request: Request
  let outputs: [AnyPageOutput]
  let needs: PageNeeds
  private let isWhole: Bool
  private let progress: @Sendable (Progress) -> Void
  private let monitor = Monitor()
  /// Read by workers without the lock; a late look only costs time.
  private let stops = Atomic<Bool>(false)

  /// What workers share, touched only under `monitor`.
  private struct State {
    var order: PageOrder
    var queue = PageQueue()
    var nextChapter = 0
    var chaptersInWork = 0
    /// By chapter.
    var diagnostics: [DiagnosticSink]
    var statistics = BookStatistics()
    /// Of the pages that were appended.
    var missing = MissingCharacters()
    var error: BookError?
  }
  private var state: State

  /// - Parameters:
  ///   - isWhole: All of the book is asked for.
  ///   - progress: Told when a page or a chapter is complete, by any worker, one at a time.
  package init(
    _ resources: BookResources, _ request: Request, outputs: [any PageOutput],
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.resources = resources
    self.request = request
    self.outputs = outputs.map { AnyPageOutput($0) }
    needs = self.outputs.reduce([]) { $0.union($1.needs) }
    isWhole = request.only == nil && request.chapters.count == resources.publication.spine.count
    self.progress = progress
    state = State(
      order: PageOrder(chapters: request.chapters.count, only: request.only),
      diagnostics: Array(repeating: DiagnosticSink(), count: request.chapters.count))
    resources.references.count(only: request.chapters)
  }

  /// Sets the book, on this thread and on others, which end with it.
  package func run() -> Result {
    var handles: [Worker.Handle] = []
    for _ in 1..<workerCount {
      if let handle = Worker.start({ self.work() }) { handles.append(handle) }
    }
    work()
    for handle in handles { handle.join() }
    return finish()
  }

  /// Has the book end with the pages that are complete.
  package func stop(_ error: BookError) {
    monitor.withLock {
      fail(error)
      monitor.signalAll()
    }
  }

  /// The number of pages so far, and the error that ends the book.
  package var standing: (pages: Int, error: BookError?) {
    monitor.withLock { (state.order.pageCount, state.error) }
  }

  // MARK: Workers

  private var workerCount: Int {
    // Pages are painted apart, and so are chapters laid out.
    let pages = needs.asksForPaint ? request.only?.last ?? .max : 1
    let tasks = state.order.isSequential ? pages : needs.asksForPaint ? .max : request.chapters.count
    return Swift.max(1, Swift.min(request.jobs, tasks))
  }

  private func work() {
    let worker = PageWorker(self)
    while let task = takeTask() {
      switch task {
      case .chapter(let position): set(position, worker)
      case .page(let job): prepare(job, worker)
      }
    }
    monitor.withLock {
      for (key, count) in worker.counters { state.statistics.counters.add(key, count) }
    }
  }

  private enum Task {
    case chapter(Int)
    case page(PageQueue.Job)
  }

  /// The next task; nil when nothing will come any more: a page that waits to be prepared, or else a chapter. Waits
  /// where workers would run too far ahead, and while chapters in work may still have pages to prepare.
  private func takeTask() -> Task? {
    monitor.withLock {
      let reach = request.jobs * 2 + 2
      while state.error == nil {
        if let job = state.queue.take() { return .page(job) }
        if state.nextChapter < request.chapters.count, !state.order.hasLastPage || needs.contains(.text) {
          if state.nextChapter < state.order.front + reach, !state.order.isSequential || state.chaptersInWork == 0 {
            state.chaptersInWork += 1
            defer { state.nextChapter += 1 }
            return .chapter(state.nextChapter)
          }
        } else if state.chaptersInWork == 0 {
          return nil
        }
        state.queue.rest(true)
        monitor.wait()
        state.queue.rest(false)
      }
      return nil
    }
  }

  /// Prepares a page of a chapter that another worker lays out.
  private func prepare(_ job: PageQueue.Job, _ worker: PageWorker) {
    let start = Clock.threadTime
    do throws(BookError) {
      let appendings = try worker.prepare(job.page)
      monitor.withLock {
        state.statistics.times.encode += Clock.threadTime - start
        state.queue.finish(job, appendings)
        advance()
      }
    } catch {
      stop(error)
    }
  }

  private func set(_ position: Int, _ worker: PageWorker) {
    let index = request.chapters[position]
    begin(.parse, resources.publication.spine[index].path)
    // With the text of the whole chapter asked for, or all pages, the first part is no shorter way.
    let wanted = needs.contains(.text) ? nil : monitor.withLock { state.order.wanted }
    let chapter = StyledChapter.forFirstPages(
      wanted ?? 0, of: resources, index: index, shapingResources: worker.shaping, cancellation: request.cancellation)
    var outcome = PageOrder.Outcome(chapter: BookChapter(index: index))
    if needs.contains(.text) { outcome.chapter.text = chapter.text() }
    var figures = chapter.figures
    var diagnostics = chapter.diagnostics
    if needs.asksForLayout, monitor.withLock({ !state.order.hasLastPage }) {
      var walk = ChapterWalk(chapter, recordsClusters: needs.asksForTagging) { waitForEarlierPages(position) }
      let times = layOut(position, &walk, &outcome, worker)
      figures = walk.pages.figures
      figures.times.add(times)
      diagnostics = walk.pages.diagnostics
    }
    monitor.withLock {
      state.statistics.add(figures)
      state.diagnostics[position] = diagnostics
      state.order.complete(position, outcome)
      state.chaptersInWork -= 1
      advance()
    }
  }

  /// Waits until all chapters before this one are complete. Chapters are taken in order, so they are in work.
  ///
  /// - Returns: where the book stands then.
  private func waitForEarlierPages(_ position: Int) -> PageState {
    monitor.withLock {
      while state.order.front < position, state.error == nil { monitor.wait() }
      return state.order.state
    }
  }

  /// - Returns: The times of painting and encoding.
  private func layOut(
    _ position: Int, _ walk: inout ChapterWalk, _ outcome: inout PageOrder.Outcome, _ worker: PageWorker
  ) -> StageTimes {
    var maker = PageMaker(request, needs, outputs)
    var times = StageTimes()
    let path = walk.pages.chapter.item.path
    begin(.layout, path)
    let end = walk.run(
      make: { page, held, pages -> PreparedPage? in
        defer { begin(.layout, path) }
        guard !stops.load(ordering: .relaxed) else { return nil }
        let isWanted = monitor.withLock { state.order.isWanted(inChapter: position, held: held == nil ? 0 : 1) }
        guard isWanted else { return PreparedPage() }
        return prepare(maker.make(page, &pages), worker, &times.encode)
      },
      keep: { page in
        monitor.withLock {
          state.order.add(page, toChapter: position)
          advance()
          return state.error == nil && !state.order.hasLastPage
        }
      })
    if request.cancellation.isRequested { stop(BookError(.interrupted, "interrupted")) }
    outcome.chapter.structure = maker.structure
    switch end {
    case .shown(let end): outcome.end = end
    case .leftOut(let page): outcome.blank = page
    case .stopped: break
    }
    times.paint = maker.paintTime
    return times
  }

  /// The page, prepared or waiting to be; nil where the book has been stopped.
  ///
  /// - Parameter time: Receives the processor time that it takes, in nanoseconds.
  private func prepare(_ made: BookPage, _ worker: PageWorker, _ time: inout UInt64) -> PreparedPage? {
    if needs.asksForPaint {
      let place = monitor.withLock {
        defer { monitor.signalAll() }
        return state.queue.offer(made)
      }
      if let place { return place }
    }
    let start = Clock.threadTime
    do throws(BookError) {
      defer { time += Clock.threadTime - start }
      return PreparedPage(made, try worker.prepare(made))
    } catch {
      stop(error)
      return nil
    }
  }

  private func begin(_ phase: PagePhase, _ path: String) { for output in outputs { output.begin(phase, path) } }

  // MARK: Putting together (with the lock held)

  /// Numbers and appends all pages whose predecessors are complete.
  private func advance() {
    do throws(BookError) {
      while let next = state.order.next() {
        switch next {
        case .page(let page, let number): try append(page, number)
        case .chapter(let chapter): for output in outputs { try output.finishChapter(chapter) }
        }
      }
    } catch {
      // An output that lacks a page takes none behind it.
      state.order.close()
      fail(error)
    }
    progress(
      Progress(pages: state.order.pageCount, chapters: state.order.front, chapterCount: request.chapters.count))
    monitor.signalAll()
  }

  private func append(_ page: PreparedPage, _ number: Int) throws(BookError) {
    state.missing.add(page.missing)
    for append in page.appendings ?? [] { try append(number) }
    if state.statistics.firstPage == nil { state.statistics.firstPage = Clock.wallTime }
  }

  private func fail(_ error: BookError) {
    if state.error == nil { state.error = error }
    stops.store(true, ordering: .relaxed)
    request.giveUp()
  }

  // MARK: End

  private func finish() -> Result {
    monitor.lock()
    defer { monitor.unlock() }
    if state.error == nil, let (page, number, chapter) = state.order.takeBlank() {
      // A book must have a page, if an empty one.
      do throws(BookError) {
        if let page { try append(page, number) }
        for output in outputs { try output.finishChapter(chapter) }
      } catch {
        fail(error)
      }
    }
    var result = Result()
    result.pages = state.order.pageCount
    result.chapters = state.order.front
    result.missing = state.missing
    result.book = diagnostics
    checkPages(&result.book)
    state.statistics.pages = state.order.pageCount
    state.statistics.counters.counters["glyphs.missing"] = state.missing.count
    for output in outputs {
      let end = BookEnd(resources: resources, isWhole: isWhole, error: state.error, statistics: state.statistics)
      do throws(BookError) { result.outputs.append(contentsOf: try output.finishBook(end)) } catch { fail(error) }
    }
    result.error = state.error
    return result
  }

  private var diagnostics: DiagnosticSink {
    var all = DiagnosticSink()
    all.limit = 10_000
    all.append(contentsOf: resources.publication.diagnostics)
    for sink in state.diagnostics { all.append(contentsOf: sink) }
    for diagnostic in resources.fontBooks.diagnostics { all.append(diagnostic) }
    if needs.asksForLayout { for diagnostic in resources.missingNames { all.append(diagnostic) } }
    all.append(contentsOf: resources.images.diagnostics)
    for diagnostic in state.missing.diagnostics(resources.fonts) { all.append(diagnostic) }
    for diagnostic in resources.references.diagnostics { all.append(diagnostic) }
    return all
  }

  /// Tells of a range that goes past the end of the book. Where there is no page of it there is nothing to write: an
  /// error.
  private func checkPages(_ diagnostics: inout DiagnosticSink) {
    let count = state.order.pageCount
    guard needs.asksForLayout, state.error == nil, let range = request.only,
      range.last.map({ $0 > count }) ?? (range.first > count)
    else { return }
    let isAll = request.chapters.count == resources.publication.spine.count
    let fault = "the book has \(count) page\(count == 1 ? "" : "s")\(isAll ? "" : " in the spine items asked for")"
    if range.first > count {
      fail(BookError(.missing, "no page is in the range asked for: \(fault)"))
    } else if let last = range.last {
      diagnostics.warn("range-past-end", "pages to \(last) are asked for: \(fault)")
    }
  }
}
