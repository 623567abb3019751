import Graphics
import Layout
import Painting
import Primitives
import Synchronization

/// A chapter that is kept warm: its document, styles and boxes, the places where its pages start, and what stands where on
/// them. Pages are made in order, and any of them again from the place where it starts.
///
/// One thread at a time works in it, under its lock.
final class ChapterSession: @unchecked Sendable {
  // All mutable state is touched only under `monitor`.
  private let monitor = Monitor()
  let chapter: Int
  private var resources: BookResources
  private var pipeline: ChapterPipeline?
  private var text: ChapterText?
  /// Where each page made so far starts, and at last where the next one does.
  private var marks: [ChapterPipeline.Mark] = []
  private var pages: [PageMap] = []
  private var isComplete = false
  private var recordsClusters = true
  /// The page that the pipeline made last, with its fragments.
  private var current: (index: Int, layout: PageLayout)?
  /// What `byteCount` was when a thread last left.
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
      guard let content = content(at: index, request), let text, var pipeline = take() else { return nil }
      defer { self.pipeline = pipeline }
      if current?.index != index {
        pipeline.go(to: marks[index])
        current = pipeline.nextPage().map { (index, $0) }
      }
      guard let current else { return nil }
      let list = resources.settings.theme.recolored(pipeline.paint(current.layout))
      return Page(
        chapter: chapter, index: index, displayList: list, content: content, text: text, resources: resources)
    }
  }

  /// The index of the page that holds a place. Lays out no further than that page.
  func index(of locator: Locator, _ request: SessionRequest) -> Int? {
    let position = locator.position
    return work(request) {
      var index = 0
      while let content = content(at: index, request) {
        // The place may stand on a page as soon as the next one starts behind it.
        if content.start > position { return PageSearch(pages, text).page(containing: locator) }
        index += 1
      }
      return request.isCancelled || pages.isEmpty ? nil : PageSearch(pages, text).page(containing: locator)
    }
  }

  /// All pages of the chapter.
  func layout(_ request: SessionRequest) -> ChapterLayout? {
    work(request) {
      while !isComplete {
        guard content(at: pages.count, request) != nil || isComplete else { return nil }
      }
      guard let text else { return nil }
      return ChapterLayout(chapter: chapter, maps: pages, text: text)
    }
  }

  /// The first places of all pages, for which no place of a character is kept.
  func starts(_ request: SessionRequest) -> [SourcePosition]? {
    recordsClusters = false
    return layout(request)?.maps.map(\.start)
  }

  /// The formatted text, for which nothing needs to be laid out.
  func chapterText(_ request: SessionRequest) -> ChapterText? {
    work(request) {
      prepare()
      return text
    }
  }

  // MARK: Under the lock

  private func work<Result>(_ request: SessionRequest, _ body: () -> Result?) -> Result? {
    monitor.withLock {
      guard !request.isCancelled else { return nil }
      if request.resources !== resources {
        guard request.resources.generation > resources.generation else { return nil }
        adopt(request.resources)
      }
      defer { size.store(measure(), ordering: .relaxed) }
      return body()
    }
  }

  /// Goes over to new settings, keeping what they do not touch.
  private func adopt(_ new: BookResources) {
    resources = new
    guard var pipeline = take() else { return }
    let kept = pipeline.kept(under: new)
    if kept == .pages {
      self.pipeline = pipeline
      return
    }
    if kept == .boxes {
      pipeline.use(new)
    } else {
      pipeline = ChapterPipeline(new, index: chapter, parsed: ParsedChapter(pipeline.document))
      pipeline.recordsClusters = recordsClusters
      text = pipeline.chapterText()
    }
    marks = [pipeline.mark()]
    pages = []
    isComplete = false
    current = nil
    self.pipeline = pipeline
  }

  private func prepare() {
    guard text == nil else { return }
    var made = ChapterPipeline(resources, index: chapter)
    made.recordsClusters = recordsClusters
    text = made.chapterText()
    marks = [made.mark()]
    pipeline = made
  }

  /// The pipeline, out of its place so that it is changed without a copy.
  private func take() -> ChapterPipeline? {
    defer { pipeline = nil }
    return pipeline
  }

  /// What is on a page, laying out all pages up to it that are not known yet.
  private func content(at index: Int, _ request: SessionRequest) -> PageMap? {
    guard index >= 0 else { return nil }
    if index < pages.count { return pages[index] }
    prepare()
    guard !isComplete, let text, var pipeline = take() else { return nil }
    defer { self.pipeline = pipeline }
    if current?.index != pages.count - 1 { pipeline.go(to: marks[pages.count]) }
    while pages.count <= index, !request.isCancelled {
      guard let layout = pipeline.nextPage() else {
        isComplete = true
        return nil
      }
      pages.append(pipeline.content(of: layout, text: text, after: pages.last?.start))
      marks.append(pipeline.mark())
      current = (pages.count - 1, layout)
    }
    return index < pages.count ? pages[index] : nil
  }

  private func measure() -> Int {
    var bytes = pages.reduce(0) { $0 + $1.byteCount } + marks.count * 512
    if let text { bytes += text.units.count * 2 + text.spans.count * MemoryLayout<ChapterText.Span>.stride }
    if let pipeline { bytes += pipeline.byteCount }
    return bytes
  }
}

/// Who asks a session for something: for which settings, and whether they still want it.
struct SessionRequest: Sendable {
  let resources: BookResources
  private let flag = CancellationFlag()
  init(_ resources: BookResources) { self.resources = resources }

  private final class CancellationFlag: Sendable {
    let isSet = Atomic<Bool>(false)
  }
  var isCancelled: Bool { flag.isSet.load(ordering: .relaxed) }

  /// Runs `body` on a thread with a deep stack; when the task is cancelled it ends at the next page.
  func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result?) async -> Result? {
    await withTaskCancellationHandler {
      Task.isCancelled ? nil : await Worker.perform(body)
    } onCancel: {
      flag.isSet.store(true, ordering: .relaxed)
    }
  }
}

/// Finds the page of a place among those known.
struct PageSearch {
  private let pages: [PageMap]
  private let text: ChapterText?
  init(_ pages: [PageMap], _ text: ChapterText?) {
    self.pages = pages
    self.text = text
  }

  /// The page with the unit at the place; the last page that starts before it when no line has it.
  func page(containing locator: Locator) -> Int {
    let position = locator.position
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle].start <= position { low = middle + 1 } else { high = middle }
    }
    let guess = Swift.max(0, low - 1)
    guard let text, var place = text.locate(position) else { return guess }
    if locator.side == .before { place = text.place(before: place) }
    let unit = UInt32(clamping: place.unit)
    // Floats and columns reach over to the neighbours.
    for index in [guess, guess + 1, guess - 1, guess + 2, guess - 2] where pages.indices.contains(index) {
      if pages[index].lines.contains(where: { $0.paragraph == place.paragraph && $0.units.contains(unit) }) {
        return index
      }
    }
    return guess
  }
}
