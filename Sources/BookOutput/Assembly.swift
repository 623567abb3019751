import ChapterEngine
import Fonts
import Graphics
import Images
import Layout
import PDFRendering
import Platform
import Primitives
import Publications
import RasterRendering
import Shaping
import Styling
import Synchronization
import Typesetting

/// The state of a run, which workers share.
final class Assembly: @unchecked Sendable {
  // All mutable state is touched only under `monitor`, except where a comment says otherwise.
  private let options: RunOptions
  private let progress: @Sendable (RunProgress) -> Void
  private let resources: BookResources
  private let monitor = Monitor()
  /// Positions in the spine of the chapters to set.
  private let chapters: [Int]
  private let temporaryFolder: String?
  private let writesRecords: Bool
  /// Display lists are asked for.
  private let paints: Bool
  private let writesText: Bool
  private let laysOut: Bool

  private var nextChapter = 0
  private var chaptersInWork = 0
  private var drawing = DrawingQueue()
  /// The first chapter that is not complete; its pages go straight to the output.
  private var front = 0
  private var waitingPages: [[FinishedPage]]
  /// Pages of all of `waitingPages`.
  private var waitingCount = 0
  private var isComplete: [Bool]
  private var texts: [String?]
  private var diagnostics: [DiagnosticSink]
  private var pageCount = 0
  private var blankPage: FinishedPage?
  /// Read by workers without the lock; a late look only costs time.
  private let stops = Atomic<Bool>(false)
  private var error: BookError?
  private var statistics = RunStatistics()
  private var records: RecordSpool?
  private var textStream: TextOutput?
  private var pdf: PDFOutput?
  /// The characters on the pages released that no font has.
  private var missing = MissingCharacters()
  private var rendered = 0
  private var rasterised = 0
  /// The state of the book at the start of the chapter in front.
  private var bookState = PageState()
  /// By chapter: the state after it, counted from the start of the book or, where the chapter does not depend on the pages
  /// before, from its own; nil while it is in work and when it shows nothing.
  private var ends: [(state: PageState, isAbsolute: Bool)?]

  static func run(_ options: RunOptions, _ progress: @escaping @Sendable (RunProgress) -> Void, _ watch: RunWatch)
    -> RunResult
  {
    var result = RunResult()
    let wallStart = Clock.wallTime
    let start = Clock.threadTime
    let publication: Publication
    do {
      publication = try Publication.openForReading(
        path: options.input, limits: options.settings.limits, encoding: options.encoding)
    } catch {
      result.error = BookError(error)
      return result
    }
    do {
      let assembly = try Assembly(options, progress, publication)
      assembly.statistics.wallStart = wallStart
      assembly.statistics.openTime = Clock.threadTime - start
      watch.begin(
        RunWatch.Run(
          stop: { assembly.fail($0) },
          state: { assembly.monitor.withLock { (assembly.pageCount, assembly.error) } }))
      defer { watch.end() }
      return assembly.run()
    } catch {
      result.error = error
      return result
    }
  }

  private init(_ options: RunOptions, _ progress: @escaping @Sendable (RunProgress) -> Void, _ publication: Publication)
    throws(BookError)
  {
    self.options = options
    self.progress = progress
    resources = BookResources(
      publication: publication, settings: options.settings, keepsImageSources: options.sink != nil)
    chapters = publication.spine.indices.filter { options.chapters?.contains($0 + 1) ?? true }
    if chapters.isEmpty {
      throw publication.spine.isEmpty
        ? BookError(.unreadable, "the book has nothing to read")
        : BookError(
          .missing, "no spine item is in the range asked for: the book has \(publication.spine.count)")
    }
    writesRecords = options.layout != nil || options.sink != nil
    paints = options.pages != nil || options.sink != nil || options.pdf != nil
    writesText = options.text != nil
    laysOut = paints || options.layout != nil || options.statistics != nil
    waitingPages = Array(repeating: [], count: chapters.count)
    isComplete = Array(repeating: false, count: chapters.count)
    ends = Array(repeating: nil, count: chapters.count)
    texts = Array(repeating: nil, count: chapters.count)
    diagnostics = Array(repeating: DiagnosticSink(), count: chapters.count)
    if let folder = options.pages {
      try OutputFiles.makeFolder(folder)
      let temporary = try OutputFiles.makeTemporaryFolder(in: folder)
      Cleanup.shared.add(temporary)
      temporaryFolder = temporary
    } else {
      temporaryFolder = nil
    }
    resources.references.count(only: chapters)
    if let target = options.layout { records = try RecordSpool(target) }
    if let target = options.text { textStream = try TextOutput(target) }
    if let options = options.pdf { pdf = try PDFOutput(options, resources) }
  }

  deinit {
    if let temporaryFolder {
      OutputFiles.removeTemporaryFolder(temporaryFolder)
      Cleanup.shared.remove(temporaryFolder)
    }
  }

  private func run() -> RunResult {
    var handles: [Worker.Handle] = []
    for _ in 1..<workerCount {
      if let handle = Worker.start({ self.work() }) { handles.append(handle) }
    }
    work()
    for handle in handles { handle.join() }
    return finish()
  }

  // MARK: Workers

  private var workerCount: Int {
    // Pages are drawn apart, and so are chapters laid out.
    let tasks =
      isSequential
      ? temporaryFolder == nil ? 1 : options.only?.last ?? 1
      : temporaryFolder == nil ? chapters.count : Int.max
    return Swift.max(1, Swift.min(options.jobs, tasks))
  }

  private func work() {
    let tools = WorkerTools(resources, writesPDF: options.pdf != nil)
    while let task = takeTask() {
      switch task {
      case .chapter(let position): process(position, tools)
      case .page(let job): draw(job, tools)
      }
    }
    count(tools)
  }

  /// Counts what a worker has drawn.
  private func count(_ tools: WorkerTools) {
    monitor.withLock {
      rendered += tools.renderer.glyphsDrawn
      rasterised += tools.renderer.glyphsRasterised
    }
  }

  private enum Task {
    case chapter(Int)
    case page(DrawingQueue.Job)
  }

  /// The next task; nil when nothing will come any more: a page that waits to be drawn, or else a chapter. Waits where
  /// workers would run too far ahead, and while chapters in work may still have pages to draw.
  private func takeTask() -> Task? {
    monitor.withLock {
      let reach = options.jobs * 2 + 2
      while error == nil {
        if let job = drawing.take() { return .page(job) }
        if nextChapter < chapters.count, !hasLastPage || writesText {
          if nextChapter < front + reach, !isSequential || chaptersInWork == 0 {
            chaptersInWork += 1
            defer { nextChapter += 1 }
            return .chapter(nextChapter)
          }
        } else if chaptersInWork == 0 {
          return nil
        }
        drawing.idleWorkers += 1
        monitor.wait()
        drawing.idleWorkers -= 1
      }
      return nil
    }
  }

  private func write(_ list: DisplayList, to path: String, _ tools: WorkerTools) throws(BookError) {
    let bitmap = tools.renderer.render(list, scale: resources.settings.scale)
    if RasterRenderer.lacksCairo {
      throw BookError(.unavailable, "a page cannot be drawn: libcairo is not installed")
    }
    try OutputFiles.create(tools.encoder.encode(bitmap), at: path)
  }

  /// Draws a page of a chapter that another worker lays out.
  private func draw(_ job: DrawingQueue.Job, _ tools: WorkerTools) {
    let start = Clock.threadTime
    do throws(BookError) { try write(job.list, to: job.path, tools) } catch { fail(error) }
    monitor.withLock {
      statistics.times.encode += Clock.threadTime - start
      drawing.finish(job)
      advance()
      report()
      monitor.signalAll()
    }
  }

  /// A run that ends at a page: it lays the chapters out in order, since a page number is known only when all pages before it are.
  private var isSequential: Bool { options.only?.last != nil }

  /// The last page of the selection has been laid out, and no more need to be counted.
  private var hasLastPage: Bool { options.only?.last.map { pageCount + waitingCount >= $0 } ?? false }

  /// Waits until all chapters before this one are complete. Chapters are taken in order, so they are in work.
  ///
  /// - Returns: where the book stands then.
  private func waitForEarlierPages(_ position: Int) -> PageState {
    monitor.withLock {
      while front < position, error == nil { monitor.wait() }
      return bookState
    }
  }

  private func process(_ position: Int, _ tools: WorkerTools) {
    options.sink?.begin(.parse, chapter: resources.publication.spine[chapters[position]].path)
    // With the text of the whole chapter asked for, or all pages, the first part is no shorter way.
    let wanted = options.only?.last.map { last in monitor.withLock { last - pageCount - waitingCount } }
    var pipeline = ChapterPipeline.forFirstPages(
      writesText ? 0 : wanted ?? 0, of: resources, index: chapters[position], shapingResources: tools.shaping)
    pipeline.recordsClusters = options.pdf != nil || options.tellsTags
    if writesText {
      let text = pipeline.text()
      monitor.withLock { texts[position] = text }
    }
    let wantsPages = laysOut && monitor.withLock { !hasLastPage }
    if wantsPages {
      let dependsOnEarlierPages = pipeline.dependsOnEarlierPages
      if dependsOnEarlierPages {
        pipeline.state = waitForEarlierPages(position)
      }
      let isShown = layOut(position, &pipeline, tools)
      let end = isShown ? (state: pipeline.state, isAbsolute: dependsOnEarlierPages) : nil
      monitor.withLock { ends[position] = end }
    }
    let counters = pipeline.finalStatistics()
    let found = pipeline.diagnostics
    monitor.withLock {
      statistics.add(chapter: pipeline.times, counters)
      diagnostics[position] = found
      isComplete[position] = true
      chaptersInWork -= 1
      advance()
      report()
      monitor.signalAll()
    }
  }

  /// - Returns: `true` if the chapter has pages that are shown.
  private func layOut(_ position: Int, _ pipeline: inout ChapterPipeline, _ tools: WorkerTools) -> Bool {
    var tagger: PageTagger?
    defer { keepStructure(of: tagger, position) }
    var recorder: LayoutRecorder?
    var count = 0
    /// A blank first page: dropped if it stays the only one.
    var held: FinishedPage?
    while !stops.load(ordering: .relaxed) {
      options.sink?.begin(.layout, chapter: pipeline.item.path)
      guard let page = pipeline.nextPage() else { break }
      if recorder == nil, writesRecords, let inputs = pipeline.layoutInputs {
        recorder = LayoutRecorder(
          inputs: inputs, document: pipeline.document, href: pipeline.item.href, chapter: pipeline.index + 1,
          fit: pipeline.fit, pageSize: pipeline.paper,
          fingerprints: options.sink == nil ? nil : StyleFingerprints(pipeline.styles))
      }
      count += 1
      let isBlank = count == 1 && page.lines.isEmpty && pipeline.isBlank(page)
      let isWanted = monitor.withLock {
        guard let selection = options.only, isSequential || position == front else { return true }
        let waiting = (isSequential ? waitingCount : waitingPages[position].count) + (held == nil ? 0 : 1)
        return selection.contains(pageCount + waiting + 1)
      }
      var finished = FinishedPage()
      if isWanted {
        if paints { options.sink?.begin(.paint, chapter: pipeline.item.path) }
        var list: DisplayList?
        var tags: String?
        if paints {
          let painted = paint(page, &pipeline, &tagger, tools)
          list = painted.list
          finished.pdf = painted.pdf
          tags = painted.tags
          finished.missing = pipeline.lossesOfPainted(page).characters
        } else {
          finished.missing = pipeline.losses(on: page).characters
        }
        if let temporaryFolder, let list {
          let path = OutputFiles.join(temporaryFolder, "\(position)-\(count).png")
          finished.image = path
          finished.drawing = monitor.withLock {
            defer { monitor.signalAll() }
            return drawing.offer(list, path: path)
          }
          if finished.drawing == nil {
            let start = Clock.threadTime
            do throws(BookError) { try write(list, to: path, tools) } catch {
              fail(error)
              return true
            }
            pipeline.addEncodingTime(Clock.threadTime - start)
          }
        }
        if let bytes = recorder?.record(page, links: pipeline.links(on: page), missing: finished.missing.count) {
          let record = PageRecordTemplate(bytes: bytes, fonts: recorder?.fonts ?? [])
          finished.encoded = options.sink?.encode(content(list: list, record: record, tags: tags))
          if options.layout != nil { finished.record = record }
          if options.statistics != nil { pipeline.countRivers(on: page) }
        }
      }
      if isBlank {
        held = finished
        continue
      }
      var pages = [finished]
      if let blank = held {
        pages.insert(blank, at: 0)
        held = nil
      }
      let goesOn = monitor.withLock {
        waitingPages[position] += pages
        waitingCount += pages.count
        advance()
        report()
        return error == nil && !hasLastPage
      }
      if !goesOn { return true }
    }
    guard let held else { return true }
    monitor.withLock { if blankPage == nil { blankPage = held } }
    return false
  }

  private func content(list: DisplayList?, record: PageRecordTemplate?, tags: String?) -> PageContent {
    PageContent(list: list, record: record, tags: tags, fonts: resources.fonts, images: resources.images)
  }

  // MARK: PDF

  /// Paints a page, encodes it for the PDF if there is one, and tells its structure and text if they are asked for.
  private func paint(
    _ page: PageLayout, _ pipeline: inout ChapterPipeline, _ tagger: inout PageTagger?, _ tools: WorkerTools
  ) -> (list: DisplayList, pdf: EncodedPDFPage?, tags: String?) {
    guard options.pdf != nil || options.tellsTags,
      var own = tagger ?? pipeline.makeTagger(bookLanguage: resources.publication.metadata.language)
    else { return (pipeline.paint(page), nil, nil) }
    tagger = nil
    let tagged = pipeline.paint(page, tagging: &own)
    if let pdf = options.pdf, let error = PDFOutput.error(for: own, pdf, path: pipeline.item.path) { fail(error) }
    let tags = options.tellsTags ? tagged.tags(in: own.structure) : nil
    tagger = own
    let start = Clock.threadTime
    defer { pipeline.addEncodingTime(Clock.threadTime - start) }
    return (pipeline.shown(tagged.list, of: page), tools.pageEncoder?.encode(tagged), tags)
  }

  private func keepStructure(of tagger: PageTagger?, _ position: Int) {
    guard let tagger else { return }
    monitor.withLock { pdf?.keep(tagger.structure, of: position) }
  }

  /// The place of a page in the PDF.
  ///
  /// - Parameter number: From 1, in the book.
  private func pdfIndex(ofPage number: Int) -> Int { number - (options.only?.first ?? 1) }

  // MARK: Putting together (with the lock held)

  /// Numbers and releases all pages whose predecessors are complete.
  private func advance() {
    do throws(BookError) {
      while front < chapters.count {
        let ready = waitingPages[front].prefix { drawing.isFinished($0.drawing) }
        for page in ready { try release(page) }
        waitingPages[front].removeFirst(ready.count)
        waitingCount -= ready.count
        guard isComplete[front], waitingPages[front].isEmpty else { return }
        try pdf?.finish(chapter: front)
        if let text = texts[front] { try textStream?.append(chapter: text) }
        texts[front] = nil
        if let end = ends[front] { bookState.advance(over: end.state, isAbsolute: end.isAbsolute) }
        front += 1
      }
    } catch {
      if self.error == nil { self.error = error }
      stops.store(true, ordering: .relaxed)
    }
  }

  private func release(_ page: FinishedPage) throws(BookError) {
    if let last = options.only?.last, pageCount >= last {
      if let image = page.image { unsafe unlink(image) }
      return
    }
    pageCount += 1
    statistics.pages += 1
    guard options.only?.contains(pageCount) ?? true else {
      if let image = page.image { unsafe unlink(image) }
      return
    }
    missing.add(page.missing)
    if let image = page.image, let folder = options.pages {
      try OutputFiles.install(image, at: OutputFiles.join(folder, PageImages.name(pageCount)))
    }
    if let encoded = page.pdf { try pdf?.append(encoded, index: pdfIndex(ofPage: pageCount), chapter: front) }
    if statistics.firstPage == nil { statistics.firstPage = Clock.wallTime }
    if let record = page.record { try records?.append(record, number: pageCount) }
    if let encoded = page.encoded { options.sink?.append(encoded, number: pageCount) }
  }

  private func report() {
    progress(
      RunProgress(
        pages: pageCount, chapters: front, chapterCount: chapters.count,
        fraction: Double(front) / Double(Swift.max(1, chapters.count))))
  }

  // MARK: Ends

  private func fail(_ error: BookError) {
    monitor.withLock {
      if self.error == nil { self.error = error }
      stops.store(true, ordering: .relaxed)
      resources.references.stop()
      monitor.signalAll()
    }
  }

  private func finish() -> RunResult {
    monitor.lock()
    defer { monitor.unlock() }
    var result = RunResult()
    result.diagnostics.limit = 10_000
    result.diagnostics.append(contentsOf: resources.publication.diagnostics)
    for sink in diagnostics { result.diagnostics.append(contentsOf: sink) }
    for diagnostic in resources.fontBooks.diagnostics { result.diagnostics.append(diagnostic) }
    if laysOut { for diagnostic in resources.missingNames { result.diagnostics.append(diagnostic) } }
    result.diagnostics.append(contentsOf: resources.images.diagnostics)
    for diagnostic in missing.diagnostics(resources.fonts) { result.diagnostics.append(diagnostic) }
    for diagnostic in resources.references.diagnostics { result.diagnostics.append(diagnostic) }
    do throws(BookError) {
      // A book must have a page, if an empty one.
      if pageCount == 0, laysOut, error == nil, let blank = blankPage { try release(blank) }
      checkRanges(&result.diagnostics)
      statistics.counters.counters["glyphs.drawn"] = rendered
      statistics.counters.counters["glyphs.missing"] = missing.count
      statistics.counters.counters["glyphs.rasterised"] = rasterised
      let isWanted = error?.kind != .missing
      if isWanted { try records?.finish(book: bookLine(fonts: records?.fonts ?? [])) }
      records = nil
      if isWanted { try textStream?.finish() }
      textStream = nil
      if error == nil, let found = try pdf?.finish(isWhole: options.only == nil && options.chapters == nil) {
        result.diagnostics.append(contentsOf: found)
      }
      pdf = nil
      if let target = options.statistics {
        let stream = try OutputStream(target)
        try stream.append(statistics.json())
        try stream.finish()
      }
    } catch {
      if self.error == nil { self.error = error }
    }
    result.title = resources.publication.metadata.title
    result.language = resources.publication.metadata.language
    result.pages = pageCount
    result.chapters = front
    if var error {
      if error.kind == .limit || error.kind == .interrupted, error.part.isEmpty {
        error.reason += ", after \(pageCount) \(pageCount == 1 ? "page" : "pages")"
        if let folder = options.pages, pageCount > 0 { error.reason += ", which are kept in \(folder)" }
      }
      result.error = error
    }
    return result
  }

  /// Tells of ranges that go past the end of the book. Where there is no page of the range there is nothing to write: an error.
  private func checkRanges(_ diagnostics: inout DiagnosticSink) {
    func count(_ number: Int, _ what: String) -> String { "the book has \(number) \(what)\(number == 1 ? "" : "s")" }
    let spine = resources.publication.spine.count
    if let range = options.chapters, let last = range.last, last > spine {
      diagnostics.warn("range-past-end", "spine items to \(last) are asked for: \(count(spine, "spine item"))")
    }
    guard laysOut, error == nil, let range = options.only,
      range.last.map({ $0 > pageCount }) ?? (range.first > pageCount)
    else { return }
    let fault = "\(count(pageCount, "page"))\(options.chapters == nil ? "" : " in the spine items asked for")"
    if range.first > pageCount {
      error = BookError(.missing, "no page is in the range asked for: \(fault)")
    } else if let last = range.last {
      diagnostics.warn("range-past-end", "pages to \(last) are asked for: \(fault)")
    }
  }

  private func bookLine(fonts: [FontID]) -> [UInt8] {
    let metadata = resources.publication.metadata
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.value("book")
    writer.key("input")
    writer.value(options.input)
    writer.key("title")
    writer.value(metadata.title)
    writer.key("language")
    writer.value(metadata.language)
    writer.key("pageSize")
    writer.beginArray()
    writer.value(resources.settings.pageSize.width)
    writer.value(resources.settings.pageSize.height)
    writer.endArray()
    writer.key("engine")
    writer.beginObject()
    writer.key("typeset")
    writer.value(EngineVersion.current)
    for library in EngineVersion.libraries {
      writer.key(library.name.lowercased())
      writer.value(library.version)
    }
    writer.endObject()
    writer.key("fonts")
    writer.beginArray()
    for (index, id) in fonts.enumerated() {
      writer.beginObject()
      writer.key("id")
      writer.value(index)
      if let face = resources.fonts.face(id) {
        writer.key("family")
        writer.value(face.familyName)
        writer.key("style")
        writer.value(face.styleName)
        writer.key("weight")
        writer.value(Int(face.weight))
        writer.key("file")
        writer.value(face.fileName)
        if face.isEmbedded {
          writer.key("embedded")
          writer.value(true)
        }
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

extension DisplayList {
  /// The page shows nothing but paper.
  fileprivate var isBlank: Bool { items.isEmpty && background == .white }
}
