package import Primitives

/// A consumer of a book's pages: files of images, a PDF, records, the snapshot harness. Pages are made once, whoever
/// asks.
///
/// A page goes through an output in two steps: what can be done at any time, by any worker and for several pages at
/// once (`prepare`), and what is done in the order of the book, by one worker at a time (`append`, `finish`). So the
/// bytes are the same however many workers there are.
package protocol PageOutput: Sendable {
  /// What a worker keeps from page to page: encoders, renderers.
  associatedtype Tools = Void
  /// A page as it waits for those before it. What it holds of files goes with it where it is never appended.
  associatedtype Encoded: Sendable = Void

  /// What the output asks of pages.
  var needs: PageNeeds { get }

  /// Tools for one worker.
  func makeTools() -> Tools

  /// Turns a page into what is kept of it. Called by several workers at once.
  func prepare(_ page: BookPage, _ tools: Tools) throws(BookError) -> Encoded

  /// Takes the pages in the order of the book.
  ///
  /// - Parameter number: The page's in the book, from 1.
  func append(_ page: Encoded, number: Int) throws(BookError)

  /// Takes the end of a chapter, all of whose pages have come.
  func finish(_ chapter: BookChapter) throws(BookError)

  /// Takes the end of the book, or of what was made of it.
  ///
  /// - Returns: Faults of the output.
  func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink

  /// Notes the phase that a worker turns to. Called often, by several workers at once.
  ///
  /// - Parameter chapter: The path of the spine item in the book.
  func begin(_ phase: PagePhase, chapter: String)

  /// Counters of what a worker has done, by their keys in the statistics, when nothing comes any more.
  func counters(of tools: Tools) -> [String: Int]
}

extension PageOutput {
  package func finish(_ chapter: BookChapter) throws(BookError) {}
  package func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink { DiagnosticSink() }
  package func begin(_ phase: PagePhase, chapter: String) {}
  package func counters(of tools: Tools) -> [String: Int] { [:] }
}

extension PageOutput where Tools == Void {
  package func makeTools() {}
}

/// What an output asks of pages: nothing that nobody asks for is made.
package struct PageNeeds: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Pages are laid out and counted.
  package static let layout = Self(rawValue: 1 << 0)
  /// Display lists.
  package static let list = Self(rawValue: 1 << 1)
  /// Display lists with what they mean, as a PDF has them, and the structure of chapters.
  package static let tagged = Self(rawValue: 1 << 2)
  /// Layout records.
  package static let record = Self(rawValue: 1 << 3)
  /// Layout records tell what comparisons go by beside what people read: fingerprints of styles.
  package static let recordedStyles = Self(rawValue: 1 << 4)
  /// The rivers of pages are counted.
  package static let rivers = Self(rawValue: 1 << 5)
  /// The files of pictures are to be had after they are drawn.
  package static let imageSources = Self(rawValue: 1 << 6)
  /// The text of chapters, for which nothing is laid out.
  package static let text = Self(rawValue: 1 << 7)

  /// Chapters are laid out.
  var asksForLayout: Bool { !subtracting(.text).isEmpty }
  /// Pages are painted.
  var asksForPaint: Bool { !isDisjoint(with: [.list, .tagged]) }
  /// Glyphs are known by their text.
  var asksForTagging: Bool { contains(.tagged) }
}

/// The phase a worker is in.
package enum PagePhase: String, Sendable { case parse, layout, paint }

/// An output with its types forgotten.
struct AnyPageOutput: Sendable {
  /// Appends a page that has been prepared, under its number.
  typealias Appending = @Sendable (_ number: Int) throws(BookError) -> Void

  /// An output at work in one worker.
  struct WorkerOutput {
    var prepare: (BookPage) throws(BookError) -> Appending
    var counters: () -> [String: Int]
  }

  let needs: PageNeeds
  let makeWorkerOutput: @Sendable () -> WorkerOutput
  let finishChapter: @Sendable (BookChapter) throws(BookError) -> Void
  let finishBook: @Sendable (BookEnd) throws(BookError) -> DiagnosticSink
  let begin: @Sendable (PagePhase, String) -> Void

  init(_ output: some PageOutput) {
    needs = output.needs
    makeWorkerOutput = { Self.workerOutput(of: output) }
    finishChapter = { (chapter) throws(BookError) in try output.finish(chapter) }
    finishBook = { (book) throws(BookError) in try output.finish(book) }
    begin = { output.begin($0, chapter: $1) }
  }

  private static func workerOutput<Output: PageOutput>(of output: Output) -> WorkerOutput {
    let tools = output.makeTools()
    return WorkerOutput(
      prepare: { (page) throws(BookError) in
        let encoded = try output.prepare(page, tools)
        return { (number) throws(BookError) in try output.append(encoded, number: number) }
      }, counters: { output.counters(of: tools) })
  }
}
