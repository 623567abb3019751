import ChapterEngine
import PDFRendering
import RasterRendering
import Shaping
import Styling
import Text

/// One page as a worker hands it over.
struct FinishedPage: Sendable {
  /// The image's temporary file; nil when the page is not to be written.
  var image: String?
  /// The number of the job that draws it, when another worker does.
  var drawing: Int?
  var record: PageRecordTemplate?
  /// The characters on it that no font has.
  var missing = MissingCharacters()
  /// The page as it goes into the PDF.
  var pdf: EncodedPDFPage?
  /// The page as the sink encoded it.
  var encoded: EncodedPage?
}

/// Tools that a worker keeps from page to page.
struct WorkerTools {
  let renderer: RasterRenderer
  let encoder = PNGEncoder()
  let shaping: ShapingResources
  let pageEncoder: PageEncoder?

  init(_ resources: BookResources, writesPDF: Bool) {
    renderer = resources.renderer()
    shaping = ShapingResources(hyphenator: resources.settings.hyphenator())
    pageEncoder = writesPDF ? resources.pageEncoder() : nil
  }
}
