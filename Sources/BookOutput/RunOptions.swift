package import ChapterEngine
package import Primitives
package import Typesetting

/// A range of numbers from 1, such as `3`, `3-9`, `12-` or `-5`.
package struct NumberRange: Hashable, Sendable {
  package var first: Int
  /// nil is without end.
  package var last: Int?

  package init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }

  package init?(_ text: String) {
    func number(_ part: Substring) -> Int? {
      guard !part.isEmpty, part.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(part), value > 0 else {
        return nil
      }
      return value
    }
    guard let dash = text.firstIndex(of: "-") else {
      guard let value = number(text[...]) else { return nil }
      self.init(first: value, last: value)
      return
    }
    let start = text[..<dash]
    let end = text[text.index(after: dash)...]
    if start.isEmpty, end.isEmpty { return nil }
    guard let first = start.isEmpty ? 1 : number(start) else { return nil }
    if end.isEmpty {
      self.init(first: first, last: nil)
    } else {
      guard let last = number(end), last >= first else { return nil }
      self.init(first: first, last: last)
    }
  }

  package func contains(_ number: Int) -> Bool { number >= first && (last.map { number <= $0 } ?? true) }
}

/// Options of a run of the command line on a book.
package struct RunOptions: Sendable {
  package var input: String
  package var settings = TypesettingSettings()
  /// The encoding of a text, by any label, where it is known.
  package var encoding: String?
  /// The folder for images of pages.
  package var pages: String?
  package var layout: OutputTarget?
  package var pdf: PDFOptions?
  package var text: OutputTarget?
  package var statistics: OutputTarget?
  /// A consumer of pages beside the files.
  package var sink: (any PageSink)?
  /// The sink is told the structure and text that pages have in a PDF, whether one is written or not.
  package var tellsTags = false
  /// The pages to write.
  package var only: NumberRange?
  /// The spine items to set.
  package var chapters: NumberRange?
  package var jobs = 1
  /// Resident bytes.
  package var maximumMemory = 4 << 30
  /// Seconds.
  package var maximumTime = 3600.0
  /// The process ends with a run that does not come to a stop at its limits: for processes that do nothing else.
  package var endsProcess = false

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
  /// The error that ended the run early; what was done until then is kept.
  package var error: BookError?
}
