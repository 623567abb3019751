import Primitives
import Publications

/// Sets a book's chapters into pages.
///
///     let book = try Book(contentsOf: "novel.epub")
///     let typesetter = Typesetter(book: book, settings: TypesettingSettings())
///     for await page in typesetter.pages(of: 0) { show(page.png()) }
public final class Typesetter: Sendable {
  public let book: Book
  public let settings: TypesettingSettings
  private let resources: BookResources

  public init(book: Book, settings: TypesettingSettings = TypesettingSettings()) {
    self.book = book
    self.settings = settings
    resources = BookResources(publication: book.publication, settings: settings)
  }

  /// The pages of a chapter, each made when it is asked for: the first one comes early, and who stops asking stops the work.
  public func pages(of chapter: Int) -> ChapterPages { ChapterPages(resources: resources, chapter: chapter) }

  /// The text of a chapter in reading order.
  public func text(of chapter: Int) async -> String {
    guard book.publication.spine.indices.contains(chapter) else { return "" }
    let resources = resources
    return await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = {
        continuation.resume(returning: ChapterPipeline(resources, index: chapter).text())
      }
      if Worker.start(detached: work) == nil { work() }
    }
  }
}

/// The pages of one chapter, made on demand.
public struct ChapterPages: AsyncSequence, Sendable {
  public typealias Element = Page
  let resources: BookResources
  let chapter: Int

  public func makeAsyncIterator() -> Iterator { Iterator(resources: resources, chapter: chapter) }

  public final class Iterator: AsyncIteratorProtocol {
    private let worker: ChapterWorker?

    init(resources: BookResources, chapter: Int) {
      worker = resources.publication.spine.indices.contains(chapter) ? ChapterWorker(resources, chapter: chapter) : nil
    }
    deinit { worker?.stop() }

    public func next() async -> Page? {
      guard let worker, !Task.isCancelled else { return nil }
      return await withCheckedContinuation { worker.request($0) }
    }
  }
}

/// A thread that lays a chapter out page by page, one for each request.
private final class ChapterWorker: @unchecked Sendable {
  // `pending`, `isStopped` and `isFinished` are touched only under `monitor`; the pipeline only in the thread.
  private let monitor = Monitor()
  private var pending: [CheckedContinuation<Page?, Never>] = []
  private var isStopped = false
  private var isFinished = false

  init(_ resources: BookResources, chapter: Int) {
    let started = Worker.start(detached: { [self] in run(resources, chapter) })
    if started == nil { isFinished = true }
  }

  func request(_ continuation: CheckedContinuation<Page?, Never>) {
    let isOver = monitor.withLock {
      if isFinished || isStopped { return true }
      pending.append(continuation)
      monitor.signalAll()
      return false
    }
    if isOver { continuation.resume(returning: nil) }
  }

  func stop() {
    monitor.withLock {
      isStopped = true
      monitor.signalAll()
    }
  }

  /// The next request; nil when there will be none.
  private func take() -> CheckedContinuation<Page?, Never>? {
    monitor.withLock {
      while pending.isEmpty, !isStopped { monitor.wait() }
      return pending.isEmpty ? nil : pending.removeFirst()
    }
  }

  private func run(_ resources: BookResources, _ chapter: Int) {
    var request = take()
    if request != nil {
      var pipeline = ChapterPipeline(resources, index: chapter)
      var index = 0
      while let current = request {
        guard let layout = pipeline.nextPage() else { break }
        let page = Page(
          chapter: chapter, index: index, displayList: pipeline.paint(layout), links: pipeline.links(on: layout),
          resources: resources, scale: resources.settings.scale)
        index += 1
        current.resume(returning: page)
        request = take()
      }
    }
    let left = monitor.withLock {
      isFinished = true
      defer { pending = [] }
      return pending
    }
    request?.resume(returning: nil)
    for continuation in left { continuation.resume(returning: nil) }
  }
}
