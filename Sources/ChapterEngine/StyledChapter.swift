package import BoxGeneration
import CSS
import Fonts
import Images
package import Layout
package import Markup
import Platform
package import Primitives
package import Publications
package import Shaping
package import Styling
import Text

/// A chapter up to its boxes: parsed, with its cascade resolved. Its pages are made by `PagedChapter`, as often as they
/// are asked for.
///
/// Nothing of it changes but the cache of its shaper, which one thread at a time uses.
package struct StyledChapter {
  package private(set) var resources: BookResources
  /// Position in the spine.
  package let index: Int
  package let item: SpineItem
  package let document: Document
  package let styles: StyledTree
  package let tree: BoxTree
  package let isFixedLayout: Bool
  /// The size of a fixed-layout page; nil in reflowable chapters.
  package let viewport: Size?
  /// The language that the text is in where it does not say.
  package var language: String { boxResources.language }
  /// Once it is requested, all but the document is to be thrown away.
  var cancellation: Cancellation { boxResources.cancellation }
  /// Cross references of the chapter to other elements and to pages.
  let references: ReferenceReader
  /// The area of the first page on paper; nil on screens.
  let printedArea: Size?
  let fonts: FontBook
  /// Knows the words of the chapter, under whatever settings they are laid out.
  let shaper: Shaper
  let shapingResources: ShapingResources
  let boxResources: BoxResources
  /// The times of parsing, styling and box generation.
  private(set) var times = StageTimes()
  /// Faults met until the boxes were made.
  package private(set) var diagnostics = DiagnosticSink()

  /// Parses and styles a chapter and generates its boxes.
  ///
  /// - Parameters:
  ///   - parsed: The chapter's document, where it is known.
  ///   - shapingResources: The resources that the worker keeps from chapter to chapter; of its own when nil.
  ///   - cancellation: Once it is requested, all but the document is to be thrown away.
  ///   - counting: The book's pages as far as they are known, where they are being counted.
  package init(
    _ resources: BookResources, index: Int, parsed: ParsedChapter? = nil, shapingResources: ShapingResources? = nil,
    cancellation: Cancellation = Cancellation(), counting: PageReferences? = nil
  ) {
    let shapingResources = shapingResources ?? ShapingResources(hyphenator: resources.settings.hyphenator())
    let publication = resources.publication
    let item = publication.spine[index]
    self.resources = resources
    self.index = index
    self.item = item
    self.shapingResources = shapingResources

    let parsed = parsed ?? ParsedChapter(publication, index: index)
    diagnostics.append(contentsOf: parsed.diagnostics)
    times.parse = parsed.time
    var lap = StageTimer()
    isFixedLayout = FixedLayout.applies(to: item, in: publication)
    let movesNotes = resources.settings.notes == .foot && !isFixedLayout
    let imported =
      movesNotes ? ImportedEndnotes(parsed.document, path: item.path, index: index, resources: resources) : nil
    document = imported?.document ?? parsed.document
    viewport =
      isFixedLayout ? Self.viewport(of: document, item: item, resources: resources, diagnostics: &diagnostics) : nil

    let language = ChapterStyles.language(of: document, resources: resources)
    if !language.isEmpty, publication.metadata.language.isEmpty {
      diagnostics.append(
        Diagnostic(
          .note, code: "language-guessed", resource: item.path, message: "the language is taken to be \(language)"))
    }
    let cascade = Cascade(
      of: document, path: item.path, resources: resources, language: language, viewport: viewport,
      isFixedLayout: isFixedLayout, shapingResources: shapingResources, cancellation: cancellation)
    diagnostics.append(contentsOf: cascade.diagnostics)
    styles = cascade.styles
    fonts = cascade.fonts
    printedArea = cascade.printedArea
    shaper = Shaper(
      fonts: fonts, settings: ShapingSettings(rootFontSize: resources.settings.fontSize), resources: shapingResources)
    times.style = lap.next()

    let references = ReferenceReader(publication, chapter: index) {
      counting ?? resources.references.references(resources, cancellation: cancellation)
    }
    self.references = references
    var boxResources = Self.boxResources(resources, path: item.path, language: language, fonts, shapingResources)
    boxResources.cancellation = cancellation
    boxResources.movesNotes = movesNotes
    boxResources.importedNotes = imported?.notes ?? [:]
    boxResources.extendsFormulas = ChapterStyles.extendsFormulas(resources.settings, isFixedLayout: viewport != nil)
    boxResources.references.target = { references.target($0) }
    boxResources.references.pageTotal = { references.pageTotal() }
    boxResources.references.pageCounters = { references.pageCounters(at: $0) }
    self.boxResources = boxResources
    boxResources.references.notesTargets = counting != nil
    tree = BoxGenerator.generate(styles, resources: boxResources)
    for url in references.missing {
      diagnostics.warn(
        "missing-target", resource: item.path, "content refers to \(url.prefix(200)), which is not in the book")
    }
    times.boxes = lap.next()
    diagnostics.append(contentsOf: styles.diagnostics)
    diagnostics.append(contentsOf: tree.diagnostics)
  }

  /// The chapter under other settings, which must leave its boxes as they are (`kept(under:)`).
  package func using(_ other: BookResources) -> StyledChapter {
    var chapter = self
    chapter.resources = other
    return chapter
  }

  /// The size that a fixed-layout page declares; nil, with a warning, where it declares none.
  private static func viewport(
    of document: Document, item: SpineItem, resources: BookResources, diagnostics: inout DiagnosticSink
  ) -> Size? {
    let viewport = FixedLayout.viewport(of: document, item: item, in: resources.publication) { path in
      resources.image(at: path).map { resources.images.info($0) }
    }
    if viewport == nil {
      diagnostics.warn(
        "no-viewport", resource: item.path, "the fixed page has no size; the reader's page is taken", isOfBook: true)
    }
    return viewport
  }

  /// Pictures, drawings and texts of drawings, as boxes need them.
  private static func boxResources(
    _ resources: BookResources, path: String, language: String, _ fonts: FontBook, _ shaping: ShapingResources
  ) -> BoxResources {
    var made = BoxResources(
      image: { resources.image($0, relativeTo: path) }, styleImage: { resources.image(at: $0) },
      inlineSVG: { resources.inlineSVG($0, base: path) }, language: language, limits: resources.settings.limits)
    let shaper = DrawingShaper(fonts: fonts, resources: shaping, rootFontSize: resources.settings.fontSize)
    made.missingDecoder = { resources.missingDecoder($0, relativeTo: path) }
    made.imageTexts = { [images = resources.images] in images.texts(in: $0) }
    made.presentedImage = { [images = resources.images] in images.image($0, presented: $1) }
    made.rootFontSize = resources.settings.fontSize
    made.shape = { shaper.shape($1, in: $0) }
    made.outlines = { [weak fonts = resources.fonts] in fonts?.face($0)?.outline($1) ?? [] }
    made.documentName = String(path.split(separator: "/").last ?? "")
    ForeignObjects.add(to: &made, resources, fonts, shaping)
    return made
  }

  // MARK: What it says of its pages

  /// The page that fixed-layout pages lie on.
  package var paper: Size {
    let layout = FixedLayout.layout(of: item, in: resources.publication)
    return FixedLayout.paper(for: viewport, layout: layout, page: resources.settings.pageSize)
  }

  /// The position of the chapter's pages on the reader's; only fixed-layout pages are moved.
  package var fit: PageFit { viewport.map { PageFit(viewport: $0, page: paper) } ?? PageFit() }

  /// Pages of the chapter depend on those before it: by their number, or by what runs on in margin boxes.
  package var dependsOnEarlierPages: Bool {
    guard !isFixedLayout else { return false }
    let pages = styles.pageStyles
    if pages.hasMarginBoxes || pages.dependsOnSide() || !tree.pageMarks.isEmpty || pages.setsCounters(styles.table) {
      return true
    }
    return styles.table.pages.contains { $0.breakBefore.asksForSide || $0.breakAfter.asksForSide }
  }

  /// Pages of the chapter show something that the pages of the book tell.
  package var refersToPages: Bool {
    references.isUsed || !isFixedLayout && styles.pageStyles.refersToBook(styles.table)
  }

  /// The state of the book before the chapter, where its pages show it; otherwise that of a book that begins with it.
  package var stateBefore: PageState {
    guard refersToPages, dependsOnEarlierPages else { return PageState() }
    let starts = resources.references.references(resources, cancellation: cancellation).starts
    return starts.indices.contains(index) ? starts[index] : PageState()
  }

  /// The chapter's text in reading order.
  package func text() -> String { PlainTextExport.text(of: tree, document: document) }

  /// Counters of the stages before layout.
  var statistics: StageStatistics {
    var all = StageStatistics()
    all.merge(styles.statistics)
    all.merge(tree.statistics)
    let texts = tree.texts
    all.counters["paragraphs"] = texts.texts.count
    all.counters["characters"] = texts.units.count
    all.counters["runs"] = texts.runs.count
    all.counters["attributes.unique"] = texts.attributes.attributes.values.count
    all.counters["attributes.lookups"] = texts.attributes.attributes.lookups
    all.counters["attributes.probes"] = texts.attributes.attributes.probes
    all.counters["attributes.longestProbe"] = texts.attributes.attributes.longestProbe
    return all
  }

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    let texts = tree.texts
    return document.byteCount + document.nodes.count * MemoryLayout<ComputedStyle>.stride
      + tree.boxes.count * MemoryLayout<Box>.stride + texts.units.count * 4 + texts.runs.count
      * MemoryLayout<Run>.stride
      + texts.source.count * MemoryLayout<SourceSpan>.stride + 64 << 10
  }
}

/// The processor time of one stage after the other.
private struct StageTimer {
  private var start = Clock.threadTime

  /// The time since the last call, in nanoseconds.
  mutating func next() -> UInt64 {
    let now = Clock.threadTime
    defer { start = now }
    return now - start
  }
}

/// The computed styles of a chapter, and what they were resolved for.
private struct Cascade {
  private(set) var styles: StyledTree
  private(set) var fonts: FontBook
  /// The area of the first page on paper; nil on screens.
  private(set) var printedArea: Size?
  private(set) var diagnostics = DiagnosticSink()

  init(
    of document: Document, path: String, resources: BookResources, language: String, viewport: Size?,
    isFixedLayout: Bool, shapingResources: ShapingResources, cancellation: Cancellation
  ) {
    func resolve(_ pageSize: Size, _ diagnostics: inout DiagnosticSink) -> StyledTree {
      ChapterStyles.resolve(
        document, path: path, resources: resources, language: language, pageSize: pageSize,
        isFixedLayout: isFixedLayout, diagnostics: &diagnostics, cancellation: cancellation)
    }
    let settings = resources.settings
    let pageSize = viewport ?? settings.pageSize
    styles = resolve(pageSize, &diagnostics)
    fonts = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
    guard settings.media == .print, viewport == nil else { return }
    // The page area that styles see is that of the first page, which only they tell.
    let area = PageBoxSettings.firstPageArea(styles, resources, fonts, shapingResources)
    printedArea = area
    guard area != pageSize, ChapterStyles.depend(styles, document, path: path, resources, on: (pageSize, area))
    else { return }
    diagnostics = DiagnosticSink()
    styles = resolve(area, &diagnostics)
    fonts = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
  }
}
