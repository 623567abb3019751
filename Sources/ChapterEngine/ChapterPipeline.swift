package import BoxGeneration
import CSS
import Fonts
package import Graphics
import Images
package import Layout
package import Markup
package import PDFRendering
package import Painting
import Platform
package import Primitives
package import Publications
import RasterRendering
package import Shaping
package import Styling
import Text

/// The stages over one chapter, in order, in one thread: parse, style, boxes, then layout and painting page by page.
package struct ChapterPipeline {
  package private(set) var resources: BookResources
  /// Position in the spine.
  package let index: Int
  package let item: SpineItem
  package let document: Document
  package let tree: BoxTree
  package let isFixedLayout: Bool
  package private(set) var times = StageTimes()
  package private(set) var statistics = StageStatistics()
  package let styles: StyledTree
  /// The position of the chapter's pages on the reader's; only fixed-layout pages are moved.
  package private(set) var fit: PageFit
  package let viewport: Size?
  /// The area of the first page on paper; nil on screens.
  private let printedArea: Size?
  /// The sheet that the pages are printed on, where that is larger than they.
  private let sheet: PrintSheet?
  /// The page that fixed-layout pages lie on.
  package private(set) var paper: Size
  private let fontBook: FontBook
  private let shapingResources: ShapingResources
  private var composer: PageComposer?
  private var painter: Painter?
  private var furniture: PageFurniture?
  private var marks: PageMarkIndex?
  /// The state of the book before the next page. Set before the first page, if at all.
  package var state = PageState()
  /// Facts of the page made last, for its margin boxes.
  private var facts = PageFacts()
  /// Cross references of the chapter to other elements and to pages.
  let references: ReferenceReader
  /// Places of all characters are kept, for a reading app. Set before the first page, if at all.
  package var recordsClusters = false
  /// Once it is requested, pages that are made are to be thrown away, and `forgetLayout` to be called.
  package var cancellation: Cancellation {
    didSet { workspace?.cancellation = cancellation }
  }
  private var boxResources: BoxResources
  /// The language that the chapter's text is in where it does not say.
  package var language: String { boxResources.language }
  private var workspace: LayoutWorkspace?
  /// The layout inputs of the pages; nil before there are any.
  package var layoutInputs: LayoutInputs? { workspace?.inputs }
  /// The shaper of settings before, which knows the words.
  private var shaper: Shaper?
  private var collected = DiagnosticSink()

  /// Parses and styles the chapter and generates its boxes.
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
    self.resources = resources
    self.cancellation = cancellation
    self.shapingResources = shapingResources ?? ShapingResources(hyphenator: resources.settings.hyphenator())
    self.index = index
    item = resources.publication.spine[index]
    let item = item
    let publication = resources.publication
    let settings = resources.settings
    var clock = Clock.threadTime
    func lap() -> UInt64 {
      let now = Clock.threadTime
      defer { clock = now }
      return now - clock
    }

    let parsed = parsed ?? ParsedChapter(publication, index: index)
    isFixedLayout = FixedLayout.applies(to: item, in: publication)
    let movesNotes = settings.notes == .foot && !isFixedLayout
    let imported =
      movesNotes
      ? ImportedEndnotes(parsed.document, path: item.path, index: index, resources: resources) : nil
    document = imported?.document ?? parsed.document
    collected.append(contentsOf: parsed.diagnostics)
    times.parse = parsed.time
    _ = lap()

    var viewport: Size?
    if isFixedLayout {
      viewport = FixedLayout.viewport(of: document, item: item, in: publication) { path in
        resources.image(at: path).map { resources.images.info($0) }
      }
      if viewport == nil {
        collected.warn(
          "no-viewport", resource: item.path, "the fixed page has no size; the reader's page is taken", isOfBook: true)
      }
    }
    self.viewport = viewport
    let layout = FixedLayout.layout(of: item, in: publication)
    paper = FixedLayout.paper(for: viewport, layout: layout, page: settings.pageSize)
    fit = viewport.map { [paper] in PageFit(viewport: $0, page: paper) } ?? PageFit()

    let language = ChapterStyles.language(of: document, resources: resources)
    if !language.isEmpty, publication.metadata.language.isEmpty {
      collected.append(
        Diagnostic(
          .note, code: "language-guessed", resource: item.path, message: "the language is taken to be \(language)"))
    }
    let (source, isFixed) = (document, isFixedLayout)
    func resolve(_ pageSize: Size, _ diagnostics: inout DiagnosticSink) -> StyledTree {
      ChapterStyles.resolve(
        source, path: item.path, resources: resources, language: language, pageSize: pageSize,
        isFixedLayout: isFixed, diagnostics: &diagnostics, cancellation: cancellation)
    }
    let pageSize = viewport ?? settings.pageSize
    var found = DiagnosticSink()
    var styles = resolve(pageSize, &found)
    var fontBook = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
    var printedArea: Size?
    if settings.media == .print, viewport == nil {
      // The page area that styles see is that of the first page, which only they tell.
      let area = Self.firstPageArea(styles, resources, fontBook, self.shapingResources)
      printedArea = area
      if area != pageSize, ChapterStyles.depend(styles, document, path: item.path, resources, on: (pageSize, area)) {
        found = DiagnosticSink()
        styles = resolve(area, &found)
        fontBook = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
      }
    }
    collected.append(contentsOf: found)
    self.styles = styles
    self.fontBook = fontBook
    self.printedArea = printedArea
    sheet = settings.media == .print && viewport == nil ? PrintSheet(styles) : nil
    times.style = lap()

    boxResources = BoxResources(
      image: { resources.image($0, relativeTo: item.path) }, styleImage: { resources.image(at: $0) },
      inlineSVG: { resources.inlineSVG($0, base: item.path) }, language: language,
      limits: settings.limits)
    let shaper = DrawingShaper(
      fonts: fontBook, resources: self.shapingResources, rootFontSize: settings.fontSize)
    boxResources.missingDecoder = { resources.missingDecoder($0, relativeTo: item.path) }
    boxResources.imageTexts = { [images = resources.images] in images.texts(in: $0) }
    boxResources.storedImage = { [images = resources.images] in images.stored($0) }
    boxResources.rootFontSize = settings.fontSize
    boxResources.shape = { shaper.shape($1, in: $0) }
    boxResources.outlines = { [weak fonts = resources.fonts] in fonts?.face($0)?.outline($1) ?? [] }
    boxResources.cancellation = cancellation
    boxResources.movesNotes = movesNotes
    boxResources.extendsFormulas = ChapterStyles.extendsFormulas(settings, isFixedLayout: viewport != nil)
    boxResources.importedNotes = imported?.notes ?? [:]
    let references = ReferenceReader(publication, chapter: index) {
      counting ?? resources.references.references(resources, cancellation: cancellation)
    }
    self.references = references
    boxResources.references.target = { references.target($0) }
    boxResources.references.pageTotal = { references.pageTotal() }
    boxResources.references.pageCounters = { references.pageCounters(at: $0) }
    boxResources.references.notesTargets = counting != nil
    boxResources.documentName = String(item.path.split(separator: "/").last ?? "")
    ForeignObjects.add(to: &boxResources, resources, fontBook, self.shapingResources)
    tree = BoxGenerator.generate(styles, resources: boxResources)
    boxResources.references.notesTargets = false
    for url in references.missing {
      collected.warn(
        "missing-target", resource: item.path, "content refers to \(url.prefix(200)), which is not in the book")
    }
    times.boxes = lap()
    collected.append(contentsOf: styles.diagnostics)
    collected.append(contentsOf: tree.diagnostics)
    statistics.merge(styles.statistics)
    statistics.merge(tree.statistics)
  }

  /// Goes over to other settings, which must leave the boxes as they are. The next page is the chapter's first.
  package mutating func use(_ new: BookResources) {
    resources = new
    let layout = FixedLayout.layout(of: item, in: new.publication)
    paper = FixedLayout.paper(for: viewport, layout: layout, page: new.settings.pageSize)
    fit = viewport.map { PageFit(viewport: $0, page: paper) } ?? PageFit()
    forgetLayout()
  }

  /// Gives up what has been laid out and measured. The next page is the chapter's first, unless a mark is gone to.
  package mutating func forgetLayout() {
    shaper = workspace?.shaper ?? shaper
    workspace = nil
    composer = nil
    painter = nil
    furniture = nil
    marks = nil
    state = PageState()
  }

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

  /// Has the pages of a chapter that tells of the book's go on from where the book stands. Before the first page.
  package mutating func startWithinBook() {
    guard refersToPages, dependsOnEarlierPages else { return }
    let starts = resources.references.references(resources, cancellation: cancellation).starts
    if starts.indices.contains(index) { state = starts[index] }
  }

  /// All faults met so far.
  package var diagnostics: DiagnosticSink {
    var all = collected
    if let workspace {
      all.append(contentsOf: workspace.diagnostics)
      all.append(contentsOf: workspace.shaper.diagnostics)
    }
    return all
  }

  /// What the page painted last cannot show.
  package func lossesOfPainted(_ page: PageLayout) -> PageLosses {
    var losses = losses(on: page)
    if let furniture { losses.characters.add(furniture.missing) }
    return losses
  }

  /// What a page cannot show, its margin boxes left out.
  package func losses(on page: PageLayout) -> PageLosses {
    var losses = PageLosses()
    if let workspace { losses.characters = MissingCharacters(on: page, tree.texts, workspace.shaper) }
    guard !tree.undrawn.isEmpty else { return losses }
    var met: Set<NodeID> = []
    for fragment in page.fragments where fragment.kind == .box && !fragment.box.isNone {
      let node = tree[fragment.box].node
      if let decoder = tree.undrawn[node], met.insert(node).inserted { losses.pictures[decoder, default: 0] += 1 }
    }
    return losses
  }

  /// The chapter's text in reading order.
  package func text() -> String { PlainTextExport.text(of: tree, document: document) }

  /// Lays the next page out; nil after the last one.
  package mutating func nextPage() -> PageLayout? {
    let start = (processor: Clock.threadTime, wall: Clock.wallTime)
    if workspace == nil { prepareLayout() }
    let shapingBefore = workspace?.shapingTime ?? 0
    let page = composer?.nextPage()
    if let page { count(page.lines) }
    if let page, let marks {
      let style = styles.pageStyles[page.traits]?.style
      facts = state.advance(over: page, marks: marks, style: style.map { styles.table[$0.box] })
    }
    // Layout calls the shaper when it reaches a paragraph and counts its time on the wall: of the page's processor time it
    // took the same share.
    let spent = Clock.threadTime - start.processor
    let shaped = min(
      1, Double((workspace?.shapingTime ?? 0) - shapingBefore) / Double(max(1, Clock.wallTime - start.wall)))
    let shaping = UInt64(Double(spent) * shaped)
    times.shape += shaping
    times.layout += spent - shaping
    return page
  }

  private mutating func count(_ lines: [LineFragment]) {
    statistics.add("lines", lines.count)
    statistics.add("lines.hyphenated", lines.count { $0.isHyphenated })
    statistics.add("lines.loose", lines.count { $0.looseness > 0 })
    statistics.add("lines.stacked", WordStacks.count(in: lines, of: tree.texts))
  }

  /// Counts the rivers of a page.
  package mutating func countRivers(on page: PageLayout) {
    statistics.add("lines.rivers", Rivers.count(on: page, fonts: fontBook))
  }

  /// The start of the next page, to go back to: under the same settings also once the layout was forgotten.
  package struct Mark {
    fileprivate var composer: PageComposer.Checkpoint
    fileprivate var state: PageState
    /// The mark to be saved; nil where it cannot be.
    package var encoded: [UInt8]? { composer.encoded(with: state) }
  }

  /// The state before the next page.
  package mutating func mark() -> Mark {
    Mark(composer: prepared().checkpoint, state: state)
  }

  /// A mark that was saved; nil when it is damaged.
  package mutating func mark(encoded: [UInt8]) -> Mark? {
    PageComposer.Checkpoint.decode(encoded, bounds: prepared().checkpointBounds).map { Mark(composer: $0, state: $1) }
  }

  /// The last element, in document order, in which the next page starts; nil before the first page, after the last, and
  /// inside anonymous boxes.
  var furthestNode: NodeID? { composer?.token?.furthestNode(in: tree) }

  /// The next page will be the one that followed the mark.
  package mutating func go(to mark: Mark) {
    var composer = prepared()
    composer.checkpoint = mark.composer
    self.composer = composer
    state = mark.state
  }

  /// About the memory it takes, in bytes.
  package var byteCount: Int {
    let texts = tree.texts
    return document.byteCount + document.nodes.count * MemoryLayout<ComputedStyle>.stride
      + tree.boxes.count * MemoryLayout<Box>.stride + texts.units.count * 4 + texts.runs.count
      * MemoryLayout<Run>.stride
      + texts.source.count * MemoryLayout<SourceSpan>.stride + (workspace?.byteCount ?? 0) + 64 << 10
  }

  private mutating func prepared() -> PageComposer {
    if let composer { return composer }
    return prepareLayout()
  }

  @discardableResult
  private mutating func prepareLayout() -> PageComposer {
    let settings = resources.settings
    var layout = Self.pageSettings(resources, styles, viewport: viewport)
    layout.viewport = printedArea
    layout.pageProgression = pageProgression
    layout.composition.baselineGrid = viewport == nil && settings.baselineGrid
    layout.composition.balancesPages = viewport == nil && settings.balancesPages
    layout.composition.optimizesPages = viewport == nil && ChapterStyles.optimizesPages(resources)
    layout.composition.fitsGlyphs = viewport == nil && ChapterStyles.fitsGlyphs(resources)
    layout.isFixedPage = viewport != nil
    layout.recordsClusters = recordsClusters
    layout.departures.reducesStops = settings.reducesStops
    let departs = viewport == nil && ChapterStyles.departsFromCSS(resources)
    layout.departures.alignsInitials = departs
    layout.departures.shrinksWideTables = departs
    layout.departures.keepsLineDistance = departs
    layout.departures.keepsTitles = departs
    layout.departures.setsPicturesApart = departs
    layout.departures.leavesLooseLinesRagged = departs
    layout.departures.fillsLastPages = departs
    layout.departures.paintsWholePages = departs
    layout.departures.raisesAnnotations = departs
    layout.departures.keepsBases = departs
    layout.departures.extendsFormulas = ChapterStyles.extendsFormulas(settings, isFixedLayout: viewport != nil)
    var shaping = ShapingSettings(rootFontSize: settings.fontSize)
    shaping.alignsToGrid = viewport == nil && settings.characterGrid
    shaping.showsMissingGlyphs = settings.isFlush
    switch settings.hyphenate {
    case .auto: shaping.hyphenation = .author
    case .on: shaping.hyphenation = .on
    case .off: shaping.hyphenation = .off
    }
    let shaper = self.shaper ?? Shaper(fonts: fontBook, settings: shaping, resources: shapingResources)
    shaper.use(shaping)
    var styles = styles
    if !isFixedLayout, let factor = settings.lineHeight { styles.table.setReaderLineHeight(factor) }
    let inputs = LayoutInputs(
      tree: tree, styles: styles.table, fonts: fontBook, images: resources.images, settings: layout,
      shapeImages: LayoutInputs.shapeImages(of: styles.table) { [resources] in resources.image(at: $0) })
    let workspace = FormattingContexts.workspace(inputs, shaper: shaper)
    workspace.cancellation = cancellation
    self.workspace = workspace
    let pageStyles = isFixedLayout ? PageStyles() : styles.pageStyles
    let composer = PageComposer(workspace, pageStyles: pageStyles, pagesBefore: state.pages)
    self.composer = composer
    marks = PageMarkIndex(tree)
    state.elements = [:]
    let resources = resources
    var images = resources.paintImages()
    images.mask = { [styles = self.styles, boxResources] mask, size, reach, mode in
      MaskDrawing.drawing(of: mask, in: styles, size: size, reach: reach, mode: mode).flatMap(boxResources.inlineSVG)
    }
    painter = Painter(inputs, document: document, images: images)
    if !isFixedLayout, PageFurniture.isNeeded(by: styles) {
      furniture = PageFurniture(
        styles: styles, fonts: fontBook, shapingResources: shapingResources,
        images: resources.images, resources: boxResources, paintImages: images, settings: layout)
    }
    return composer
  }

  /// Settings of the page boxes.
  private static func pageSettings(_ resources: BookResources, _ styles: StyledTree, viewport: Size?) -> LayoutSettings
  {
    let settings = resources.settings
    let pageSize = viewport ?? settings.pageSize
    var margins = Sides(all: LayoutUnit.zero)
    if viewport == nil {
      margins = Sides(
        top: settings.marginTop, right: settings.marginRight, bottom: settings.marginBottom, left: settings.marginLeft)
    }
    if viewport == nil, ChapterStyles.usesHouseStyle(resources) {
      ChapterStyles.fitMeasure(of: styles, in: pageSize, rootFontSize: settings.fontSize, margins: &margins)
    }
    var layout = LayoutSettings(
      page: PageGeometry(size: pageSize, margin: margins), rootFontSize: settings.fontSize)
    layout.limits = settings.limits
    if settings.pageDesign.contains(.bookSize) { layout.bookPages.insert(.size) }
    if settings.pageDesign.contains(.bookMargins) { layout.bookPages.insert(.margins) }
    layout.isPrinted = viewport == nil && settings.media == .print
    return layout
  }

  /// The area of a chapter's first page, whatever its name.
  private static func firstPageArea(
    _ styles: StyledTree, _ resources: BookResources, _ fonts: FontBook, _ shaping: ShapingResources
  ) -> Size {
    let settings = pageSettings(resources, styles, viewport: nil)
    var geometry = settings.page
    if let page = styles.pageStyles[PageTraits(isFirst: true)] {
      let inputs = LayoutInputs(
        tree: BoxTree(), styles: styles.table, fonts: fonts, images: resources.images, settings: settings)
      let shaper = Shaper(
        fonts: fonts, settings: ShapingSettings(rootFontSize: settings.rootFontSize), resources: shaping)
      geometry = FormattingContexts.workspace(inputs, shaper: shaper).geometry(of: page)
    }
    return Size(width: geometry.contentArea.width, height: geometry.contentArea.height)
  }

  /// The way pages follow each other: as the package says, or else as the document runs.
  private var pageProgression: TextDirection {
    switch resources.publication.metadata.pageProgression {
    case .leftToRight: return .ltr
    case .rightToLeft: return .rtl
    case .unspecified:
      guard resources.publication.spine.count == 1, !document.root.isNone else { return .ltr }
      return styles.table[styles.styles[document.root.index].paragraph].direction
    }
  }

  /// Content of the page paints nothing.
  package func isBlank(_ page: PageLayout) -> Bool {
    guard page.lines.isEmpty, let painter else { return page.lines.isEmpty }
    let list = painter.paint(page)
    return list.items.isEmpty && list.background == .white
  }

  /// The display list of the page made last, on the reader's page.
  package mutating func paint(_ page: PageLayout) -> DisplayList {
    let start = Clock.threadTime
    defer { times.paint += Clock.threadTime - start }
    guard let painter else { return DisplayList(size: page.size) }
    return shown(placed(painter.paint(page), of: page), of: page)
  }

  /// The margin boxes around the page made last; nil where it has none.
  package func marginBoxes(of page: PageLayout) -> MarginBoxes? { furniture?.marginBoxes(of: page, facts) }

  /// The content of the page made last with its furniture, on the reader's page.
  private mutating func placed(_ content: DisplayList, of page: PageLayout) -> DisplayList {
    var list = content
    furniture?.add(to: &list, page: page, facts: facts)
    guard let viewport else { return sheet?.place(list, of: page) ?? list }
    return fit.place(list, viewport: viewport, page: paper)
  }

  /// The display list of the page made last, upright, with what it means; `recordsClusters` has to be set.
  package mutating func paint(_ page: PageLayout, tagging tagger: inout PageTagger) -> TaggedPage {
    let start = Clock.threadTime
    defer { times.paint += Clock.threadTime - start }
    guard let painter else { return TaggedPage(list: DisplayList(size: page.size)) }
    var contents = PaintedContents()
    let list = placed(painter.paint(page, noting: &contents), of: page)
    let links = painter.linkRegions(on: page).map {
      LinkRegion(href: $0.href, rect: sheetFit($0.rect), node: $0.node)
    }
    var tagged = tagger.tag(list, of: page, contents, links: links)
    tagged.boxes = sheet?.boxes(of: page)
    tagged.quarterTurns = quarterTurns(of: page)
    return tagged
  }

  /// By how many quarter turns a page is shown turned clockwise (CSS Paged Media 3, section 7.3); pages on screens are not.
  private func quarterTurns(of page: PageLayout) -> Int {
    guard resources.settings.media == .print, viewport == nil else { return 0 }
    return switch styles.pageStyles[page.traits]?.orientation ?? .upright {
    case .upright: 0
    case .rotateRight: 1
    case .rotateLeft: 3
    }
  }

  /// The display list of a page, which lies upright, as the page is shown.
  package func shown(_ list: DisplayList, of page: PageLayout) -> DisplayList {
    let quarterTurns = quarterTurns(of: page)
    guard quarterTurns != 0 else { return list }
    var turned = DisplayList(size: Size(width: list.size.height, height: list.size.width))
    turned.glyphs = list.glyphs
    turned.background = list.background
    let (sine, cosine) = AffineTransform.sineAndCosine(Float(quarterTurns) * 90)
    // The corner that comes to lie at the top left is moved there.
    let isClockwise = quarterTurns == 1
    turned.items = [
      .saveTransform(
        AffineTransform(
          a: cosine, b: sine, c: -sine, d: cosine, tx: isClockwise ? list.size.height.float : 0,
          ty: isClockwise ? 0 : list.size.width.float))
    ]
    turned.items += list.items
    turned.items.append(.restore)
    return turned
  }

  /// The position of pages on the sheet.
  private var sheetFit: PageFit {
    var fit = fit
    if let sheet {
      fit.x += sheet.inset
      fit.y += sheet.inset
    }
    return fit
  }

  /// A tagger of the chapter's pages; nil before the first.
  ///
  /// - Parameter language: The book's.
  package func makeTagger(bookLanguage: String) -> PageTagger? {
    guard let inputs = layoutInputs else { return nil }
    return PageTagger(
      inputs, styles: styles, fit: sheetFit, publication: resources.publication, chapter: index,
      language: language.isEmpty || language.lowercased() == bookLanguage.lowercased() ? nil : language)
  }

  package func links(on page: PageLayout) -> [LinkRegion] {
    painter?.linkRegions(on: page).map { LinkRegion(href: $0.href, rect: fit($0.rect), node: $0.node) } ?? []
  }

  package mutating func addEncodingTime(_ nanoseconds: UInt64) { times.encode += nanoseconds }

  /// Counters of the whole chapter, when it is done.
  package func finalStatistics() -> StageStatistics {
    var all = statistics
    if let workspace {
      all.merge(workspace.shaper.statistics)
      all.counters["lines.set"] = workspace.linesSet
      all.counters["lines.considered"] = workspace.breaksConsidered
      all.counters["floats.placed"] = workspace.floatsPlaced
      all.counters["positioned.resumed"] = workspace.positionedResumed
    }
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
}
