package import BookEngine
package import ChapterEngine
package import Markup
package import PDFRendering
package import Primitives

/// Options of a PDF.
package struct PDFOptions: Sendable {
  package var target: OutputTarget
  /// Standards that the file has to conform to; empty for PDF/A-2u, whatever that lacks for others being a warning.
  package var standards: PDFStandards = []
  /// Seconds since 1970 that are told as the time of making; nil for none.
  package var creationTime: Int?
  /// The file is read and not looked at: pictures and the outlines of glyphs are left out.
  package var isTextOnly = false

  package init(target: OutputTarget) { self.target = target }
}

/// Bounds at which a run is stopped.
package struct RunBounds: Sendable {
  /// Resident bytes.
  package var memory = 4 << 30
  package var seconds = 3600.0
  /// The process ends with a run that does not come to a stop: for processes that do nothing else.
  package var endsProcess = false
}

/// Options of a run of the command line on a book.
package struct RunOptions: Sendable {
  package var input: String
  package var settings = TypesettingSettings()
  /// What is known of a file of text that it may not say itself.
  package var hints = TextHints()
  /// The folder for images of pages.
  package var pages: String?
  package var contactSheet: OutputTarget?
  package var layout: OutputTarget?
  package var pdf: PDFOptions?
  package var text: OutputTarget?
  package var statistics: OutputTarget?
  /// Consumers of pages beside the files.
  package var outputs: [any PageOutput] = []
  /// The pages to write.
  package var only: NumberRange?
  /// The spine items to set.
  package var chapters: NumberRange?
  package var jobs = 1
  package var bounds = RunBounds()

  package init(input: String) { self.input = input }
}

/// The progress of a run.
package struct RunProgress: Hashable, Sendable {
  package var pages: Int
  package var chapters: Int
  package var chapterCount: Int
  /// Share of the book's chapters, by the bytes of their text where known, 0 to 1.
  package var fraction: Double
}

/// The result of a run.
package struct RunResult: Sendable {
  package var pages = 0
  package var chapters = 0
  package var title = ""
  /// BCP 47 tag of the book; empty when unknown.
  package var language = ""
  /// In book order.
  package var diagnostics = DiagnosticSink()
  /// By path in the folder of a book that is a page or a text of Markdown: the files beside it that it asked for, nil
  /// for those that are missing.
  package var filesBeside: [String: String?] = [:]
  /// The error that ended the run early; what was done until then is kept.
  package var error: BookError?
}
