import ChapterEngine
import Layout
import PDFRendering
import Platform
import Primitives
import Publications
import Shaping

/// Makes of the pages of one chapter what the outputs ask for, in order, on the thread that lays them out.
struct PageMaker {
  private let request: BookPages.Request
  private let needs: PageNeeds
  private let outputs: [AnyPageOutput]
  private var tagger: PageTagger?
  private var recorder: (any PageRecorder)?
  /// The processor time of painting so far, in nanoseconds.
  private(set) var paintTime: UInt64 = 0

  init(_ request: BookPages.Request, _ needs: PageNeeds, _ outputs: [AnyPageOutput]) {
    self.request = request
    self.needs = needs
    self.outputs = outputs
  }

  /// The structure of the chapter so far; nil where nobody tags.
  var structure: ChapterStructure? { tagger?.structure }

  /// What the outputs ask for of a page.
  mutating func make(_ page: ComposedPage, _ pages: inout PagedChapter) -> BookPage {
    var made = BookPage(pages.chapter)
    var losses = pages.losses(on: page.layout)
    var furniture: FurnishedPage?
    if needs.asksForPaint {
      for output in outputs { output.begin(.paint, made.path) }
      let start = Clock.threadTime
      furniture = pages.drawing.furniture(of: page)
      paint(page.layout, furniture, pages.drawing, &made, &losses)
      paintTime += Clock.threadTime - start
    } else if needs.contains(.record) {
      furniture = pages.drawing.furniture(of: page)
    }
    made.missing = losses.characters
    if needs.contains(.record) {
      if recorder == nil { recorder = request.recorder?(pages) }
      made.record = recorder?.record(page.layout, furniture, missing: made.missing.count)
    }
    if needs.contains(.rivers) { pages.countRivers(on: page.layout) }
    return made
  }

  private mutating func paint(
    _ page: PageLayout, _ furniture: FurnishedPage?, _ drawing: PageDrawing, _ made: inout BookPage,
    _ losses: inout PageLosses
  ) {
    guard needs.asksForTagging else {
      made.list = drawing.paint(page, furniture, losses: &losses)
      return
    }
    // Out of its place, so that it is changed without a copy.
    var own = tagger ?? drawing.makeTagger()
    tagger = nil
    let tagged = drawing.paint(page, furniture, tagging: &own, losses: &losses)
    made.list = drawing.shown(tagged.list, of: page)
    made.lackForAccessibility = own.lackForAccessibility
    if needs.contains(.tagged) { made.tagged = tagged }
    tagger = own
  }
}

/// What one worker keeps from chapter to chapter and from page to page.
final class PageWorker {
  let shaping: ShapingResources
  private let outputs: [AnyPageOutput.WorkerOutput]

  init(_ book: BookPages) {
    shaping = ShapingResources(hyphenator: book.resources.settings.hyphenator())
    outputs = book.outputs.map { $0.makeWorkerOutput() }
  }

  /// What the outputs do with a page when its number is known.
  func prepare(_ page: BookPage) throws(BookError) -> [AnyPageOutput.Appending] {
    var appendings: [AnyPageOutput.Appending] = []
    for output in outputs { appendings.append(try output.prepare(page)) }
    return appendings
  }

  /// What the outputs have counted of this worker's pages.
  var counters: [(String, Int)] { outputs.flatMap { $0.counters().map { ($0.key, $0.value) } } }
}
