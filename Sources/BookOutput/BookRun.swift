import BookEngine
import ChapterEngine
import PDFRendering
import Platform
import Primitives
import Publications
import Typesetting

/// Sets a book and writes what was asked for: one run of the command line.
///
/// Pages are made once, for all outputs; a page's image is written under a temporary name and takes its own when all
/// pages before it are known, so the output is the same however many workers there are.
package final class BookRun: Sendable {
  private let options: RunOptions
  private let progress: @Sendable (RunProgress) -> Void

  package init(_ options: RunOptions, progress: @escaping @Sendable (RunProgress) -> Void = { _ in }) {
    self.options = options
    self.progress = progress
  }

  /// Runs to the end. Never throws: the result says what went wrong.
  package func run() -> RunResult {
    let watch = RunWatch(options)
    return Worker.run {
      do throws(BookError) { return try self.run(watch) } catch {
        var result = RunResult()
        result.error = error
        return result
      }
    } meanwhile: {
      watch.look()
    }
  }

  private func run(_ watch: RunWatch) throws(BookError) -> RunResult {
    let start = (wall: Clock.wallTime, processor: Clock.threadTime)
    let publication = try open()
    let chapters = try chapters(of: publication)
    let resources = BookResources(
      publication: publication, settings: options.settings,
      keepsImageSources: options.outputs.contains { $0.needs.contains(.imageSources) })
    var outputs = try fileOutputs(resources)
    let needs = (outputs + options.outputs).reduce(PageNeeds()) { $0.union($1.needs) }
    outputs += options.outputs
    if let target = options.statistics {
      outputs.append(
        StatisticsOutput(
          target, start: start.wall, openTime: Clock.threadTime - start.processor,
          countsRivers: needs.contains(.record)))
    }
    var request = BookPages.Request(chapters: chapters)
    request.only = options.only
    request.jobs = options.jobs
    request.giveUp = { resources.references.stop() }
    request.recorder = { LayoutRecorder($0, tellsStyles: needs.contains(.recordedStyles)) }
    let progress = progress
    let pages = BookPages(resources, request, outputs: outputs) { state in
      progress(
        RunProgress(
          pages: state.pages, chapters: state.chapters, chapterCount: state.chapterCount,
          fraction: Double(state.chapters) / Double(Swift.max(1, state.chapterCount))))
    }
    watch.begin(RunWatch.Run(stop: { pages.stop($0) }, state: { pages.standing }))
    defer { watch.end() }
    return result(pages.run(), publication)
  }

  private func open() throws(BookError) -> Publication {
    do throws(PublicationError) {
      return try Publication.openForReading(
        path: options.input, limits: options.settings.limits, hints: options.hints)
    } catch {
      throw BookError(error)
    }
  }

  /// Positions in the spine of the chapters to set.
  private func chapters(of publication: Publication) throws(BookError) -> [Int] {
    let chapters = publication.spine.indices.filter { options.chapters?.contains($0 + 1) ?? true }
    guard chapters.isEmpty else { return chapters }
    throw publication.spine.isEmpty
      ? BookError(.unreadable, "the book has nothing to read")
      : BookError(.missing, "no spine item is in the range asked for: the book has \(publication.spine.count)")
  }

  /// The files that are asked for: a line for each output.
  private func fileOutputs(_ resources: BookResources) throws(BookError) -> [any PageOutput] {
    var outputs: [any PageOutput] = []
    if let folder = options.pages { outputs.append(try PageImages(resources, in: folder)) }
    if let target = options.contactSheet { outputs.append(try ContactSheet(resources, to: target)) }
    if let target = options.layout {
      outputs.append(try LayoutOutput(resources, input: options.input, to: target))
    }
    if let target = options.text { outputs.append(try TextOutput(target)) }
    if let pdf = options.pdf { outputs.append(try PDFOutput(resources, pdf)) }
    return outputs
  }

  private func result(_ made: BookPages.Result, _ publication: Publication) -> RunResult {
    var result = RunResult()
    result.pages = made.pages
    result.chapters = made.chapters
    result.title = publication.metadata.title
    result.language = publication.metadata.language
    result.diagnostics = made.book
    let count = publication.spine.count
    if let range = options.chapters, let last = range.last, last > count {
      result.diagnostics.warn(
        "range-past-end",
        "spine items to \(last) are asked for: the book has \(count) spine item\(count == 1 ? "" : "s")")
    }
    result.diagnostics.append(contentsOf: made.outputs)
    result.filesBeside = publication.filesBeside
    result.error = made.error.map { explained($0, pages: made.pages) }
    return result
  }

  /// The error with what is kept of the run.
  private func explained(_ error: BookError, pages: Int) -> BookError {
    guard error.kind == .limit || error.kind == .interrupted, error.part.isEmpty else { return error }
    var error = error
    error.reason += ", after \(pages) \(pages == 1 ? "page" : "pages")"
    if let folder = options.pages, pages > 0 { error.reason += ", which are kept in \(folder)" }
    return error
  }
}

extension PDFOutput {
  /// The PDF of a run. The file is made once it is known that the book conforms.
  fileprivate convenience init(_ resources: BookResources, _ options: PDFOptions) throws(BookError) {
    try self.init(
      resources,
      Metadata(
        producer: EngineVersion.producer, standards: options.standards.isEmpty ? .a2u : options.standards,
        creationTime: options.creationTime),
      isTextOnly: options.isTextOnly
    ) { () throws(BookError) in try OutputStream(options.target) }
  }
}
