import ChapterEngine
import Layout
import PDFRendering
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

  init(_ request: BookPages.Request, _ needs: PageNeeds, _ outputs: [AnyPageOutput]) {
    self.request = request
    self.needs = needs
    self.outputs = outputs
  }

  /// The structure of the chapter so far; nil where nobody tags.
  var structure: ChapterStructure? { tagger?.structure }

  /// The page made last.
  mutating func make(_ page: PageLayout, _ pipeline: inout ChapterPipeline) -> BookPage {
    var made = BookPage(pipeline)
    if needs.asksForPaint {
      for output in outputs { output.begin(.paint, made.path) }
      paint(page, &pipeline, &made)
      made.missing = pipeline.lossesOfPainted(page).characters
    } else {
      made.missing = pipeline.losses(on: page).characters
    }
    if needs.contains(.record) {
      if recorder == nil { recorder = request.recorder?(pipeline) }
      made.record = recorder?.record(page, of: pipeline, missing: made.missing.count)
    }
    if needs.contains(.rivers) { pipeline.countRivers(on: page) }
    return made
  }

  private mutating func paint(_ page: PageLayout, _ pipeline: inout ChapterPipeline, _ made: inout BookPage) {
    let language = pipeline.resources.publication.metadata.language
    guard needs.asksForTagging, var own = tagger ?? pipeline.makeTagger(bookLanguage: language) else {
      made.list = pipeline.paint(page)
      return
    }
    // Out of its place, so that it is changed without a copy.
    tagger = nil
    let tagged = pipeline.paint(page, tagging: &own)
    made.list = pipeline.shown(tagged.list, of: page)
    made.lackForAccessibility = own.lackForAccessibility
    if needs.contains(.tags) { made.tags = tagged.tags(in: own.structure) }
    if needs.contains(.tagged) { made.tagged = tagged }
    tagger = own
  }
}

/// What one worker keeps from chapter to chapter and from page to page.
final class PageWorker {
  let shaping: ShapingResources
  private let stations: [AnyPageOutput.Station]

  init(_ book: BookPages) {
    shaping = ShapingResources(hyphenator: book.resources.settings.hyphenator())
    stations = book.outputs.map { $0.makeStation() }
  }

  /// What the outputs do with a page when its number is known.
  func prepare(_ page: BookPage) throws(BookError) -> [AnyPageOutput.Appending] {
    var appendings: [AnyPageOutput.Appending] = []
    for station in stations { appendings.append(try station.prepare(page)) }
    return appendings
  }

  /// What the outputs have counted of this worker's pages.
  var counters: [(String, Int)] { stations.flatMap { $0.counters().map { ($0.key, $0.value) } } }
}
