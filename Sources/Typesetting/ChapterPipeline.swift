import BoxGeneration
import CSS
import Fonts
import Graphics
import Images
import Layout
import Markup
import Painting
import Primitives
import Publications
import RasterRendering
import Shaping
import Styling
import Text

/// What all chapters of a book share: immutable values and stores with locks of their own.
final class BookResources: Sendable {
  let publication: Publication
  let settings: TypesettingSettings
  let fonts: FontLibrary
  let images: ImageStore
  let styleSheets: StylesheetCache
  let ruleSets: RuleSetCache
  let userSheets: [TypedStylesheet]
  let fontBooks: FontBooks
  /// What has been drawn of the fonts.
  private let glyphMasks: GlyphMaskStore
  /// How often the settings have been changed since the book was opened.
  let generation: Int

  /// The same with nothing made yet: fonts, pictures of vectors and style sheets are given up all at once.
  convenience init(renewing old: BookResources) {
    self.init(
      publication: old.publication, settings: old.settings, imageCapacity: old.images.capacity,
      glyphCapacity: old.glyphMasks.capacity, generation: old.generation)
  }

  /// The same book under other settings: what they do not touch is shared.
  init(_ old: BookResources, settings: TypesettingSettings) {
    publication = old.publication
    self.settings = settings
    let usesSameFonts = Self.usesSameFonts(old.settings, settings)
    fonts = usesSameFonts ? old.fonts : Self.fontLibrary(settings)
    fontBooks = usesSameFonts ? old.fontBooks : FontBooks(library: fonts, publication: publication)
    glyphMasks = usesSameFonts ? old.glyphMasks : GlyphMaskStore(capacity: old.glyphMasks.capacity)
    images = old.images
    styleSheets = old.styleSheets
    ruleSets = old.ruleSets
    let hasSameSheets =
      settings.userStyleSheet == old.settings.userStyleSheet && settings.columns == old.settings.columns
    userSheets = hasSameSheets ? old.userSheets : Self.userSheets(settings)
    generation = old.generation + 1
  }

  /// - Parameters:
  ///   - imageCapacity: Bytes of images to keep.
  ///   - glyphCapacity: Bytes of drawn glyphs to keep.
  ///   - keepsImageSources: Whether the images' files are to be had after they are drawn.
  init(
    publication: Publication, settings: TypesettingSettings, imageCapacity: Int = 64 << 20,
    glyphCapacity: Int = 24 << 20, keepsImageSources: Bool = false, generation: Int = 0
  ) {
    self.publication = publication
    self.settings = settings
    fonts = Self.fontLibrary(settings)
    fontBooks = FontBooks(library: fonts, publication: publication)
    glyphMasks = GlyphMaskStore(capacity: glyphCapacity)
    images = ImageStore(limits: settings.limits, capacity: imageCapacity, keepsSources: keepsImageSources)
    styleSheets = StylesheetCache()
    ruleSets = RuleSetCache()
    userSheets = Self.userSheets(settings)
    self.generation = generation
  }

  private static func usesSameFonts(_ a: TypesettingSettings, _ b: TypesettingSettings) -> Bool {
    a.serif == b.serif && a.sans == b.sans && a.mono == b.mono && a.fontDirectories == b.fontDirectories
      && a.usesSystemFonts == b.usesSystemFonts
  }

  private static func userSheets(_ settings: TypesettingSettings) -> [TypedStylesheet] {
    var sheets = settings.userStyleSheet.map { [$0] } ?? []
    if settings.columns > 1 {
      let columns = Swift.min(settings.columns, 16)
      sheets.append(
        "body { columns: \(columns) auto !important; column-gap: 2em !important; column-fill: auto !important }")
    }
    return sheets.map { TypedStylesheet(parsing: Array($0.utf8), context: ValueContext()) }
  }

  private static func fontLibrary(_ settings: TypesettingSettings) -> FontLibrary {
    var generic: [GenericFamily: String] = [:]
    if let name = settings.serif { generic[.serif] = name }
    if let name = settings.sans { generic[.sansSerif] = name }
    if let name = settings.mono { generic[.monospace] = name }
    return FontLibrary(
      directories: settings.fontDirectories, usesSystemFonts: settings.usesSystemFonts, genericFamilies: generic)
  }

  /// Bytes of drawn glyphs.
  var glyphBytes: Int { glyphMasks.byteCount }

  /// What draws pages, for one task.
  func renderer() -> RasterRenderer { RasterRenderer(fonts: fonts, images: images, masks: glyphMasks) }

  /// About the memory that stays as long as these resources do, in bytes.
  var heldBytes: Int { fonts.byteCount + images.vectorBytes + styleSheets.byteCount }

  /// The bytes of a file of the book; nil when there is none.
  func bytes(at path: String) -> [UInt8]? { try? publication.resource(at: path) }

  /// The image a URL means that stands in the file at `base`.
  func image(_ href: String, relativeTo base: String) -> ImageID? {
    if href.hasPrefix("data:") { return image(at: href) }
    guard let target = publication.resolve(href, relativeTo: base) else { return nil }
    return image(at: target.path)
  }

  /// The image at a path in the book or in a `data:` URL, or the one that the manifest has in its place; nil when it is missing
  /// or broken.
  func image(at path: String) -> ImageID? {
    if path.hasPrefix("data:") {
      let id = images.image(path: path, load: { decodeDataURL(path) })
      return images.info(id).isBroken ? nil : id
    }
    let publication = publication
    for path in publication.manifest.picturePaths(for: path) {
      let id = images.image(
        path: path, load: { try? publication.resource(at: path) },
        resolveReference: { reference in
          if reference.hasPrefix("data:") { return decodeDataURL(reference) }
          return publication.resolve(reference, relativeTo: path).flatMap { try? publication.resource(at: $0.path) }
        })
      if !images.info(id).isBroken { return id }
    }
    return nil
  }

  /// An inline `<svg>` of the document at `base`.
  func inlineSVG(_ markup: [UInt8], base: String) -> ImageID? {
    let id = images.addInlineSVG(markup, base: base) { reference in
      if reference.hasPrefix("data:") { return decodeDataURL(reference) }
      return publication.resolve(reference, relativeTo: base).flatMap { bytes(at: $0.path) }
    }
    return images.info(id).isBroken ? nil : id
  }

  func naturalSize(_ id: ImageID) -> Size? {
    let info = images.info(id)
    guard let width = info.width, let height = info.height else { return nil }
    return Size(width: LayoutUnit(width), height: LayoutUnit(height))
  }
}

/// Processor time of each stage over one chapter, in nanoseconds.
struct StageTimes: Hashable, Sendable {
  var parse: UInt64 = 0
  var style: UInt64 = 0
  var boxes: UInt64 = 0
  var shape: UInt64 = 0
  var layout: UInt64 = 0
  var paint: UInt64 = 0
  var encode: UInt64 = 0

  mutating func add(_ other: StageTimes) {
    parse += other.parse
    style += other.style
    boxes += other.boxes
    shape += other.shape
    layout += other.layout
    paint += other.paint
    encode += other.encode
  }
}

/// A chapter's document, what was wrong with it, and how long it took to read.
struct ParsedChapter {
  var document: Document
  var diagnostics = DiagnosticSink()
  /// Nanoseconds of processor time.
  var time: UInt64 = 0

  init(_ document: Document) { self.document = document }

  init(_ publication: Publication, index: Int) {
    let start = Clock.threadTime
    (document, diagnostics) = publication.document(at: index)
    time = Clock.threadTime - start
  }
}

/// The stages over one chapter, in order, in one thread: parse, style, boxes, then layout and painting page by page.
struct ChapterPipeline {
  private(set) var resources: BookResources
  /// Position in the spine.
  let index: Int
  let item: SpineItem
  let document: Document
  let tree: BoxTree
  let isFixedLayout: Bool
  private(set) var times = StageTimes()
  private(set) var statistics = StageStatistics()
  let styles: StyledTree
  /// How the chapter's pages lie on the reader's; only fixed-layout pages are moved.
  private(set) var fit: PageFit
  let viewport: Size?
  private let fontBook: FontBook
  private let shapingResources: ShapingResources
  private var composer: PageComposer?
  private var painter: Painter?
  private var furniture: PageFurniture?
  private var marks: PageMarkIndex?
  /// Where the book stands before the next page. Set before the first page, if at all.
  var state = PageState()
  /// What the margin boxes of the page made last can show.
  private var facts = PageFacts()
  /// Pages of the whole book, when they are known.
  var pageTotal: Int?
  /// Whether the place of every character is kept, for a reading app. Set before the first page, if at all.
  var recordsClusters = false
  /// Once it is requested, pages that are made are to be thrown away, and `forgetLayout` to be called.
  var cancellation: Cancellation {
    didSet { workspace?.cancellation = cancellation }
  }
  private var boxResources: BoxResources
  private var workspace: LayoutWorkspace?
  /// What the pages are made from, once they are.
  var layoutInputs: LayoutInputs? { workspace?.inputs }
  /// The shaper of settings before, which knows the words.
  private var shaper: Shaper?
  private var collected = DiagnosticSink()

  /// Parses and styles the chapter and generates its boxes.
  ///
  /// - Parameters:
  ///   - parsed: The chapter's document, where it is known.
  ///   - shapingResources: What the worker keeps from chapter to chapter; of its own when nil.
  ///   - cancellation: Once it is requested, all but the document is to be thrown away.
  init(
    _ resources: BookResources, index: Int, parsed: ParsedChapter? = nil, shapingResources: ShapingResources? = nil,
    cancellation: Cancellation = Cancellation()
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
    document = parsed.document
    collected.append(contentsOf: parsed.diagnostics)
    times.parse = parsed.time
    _ = lap()

    isFixedLayout = FixedLayout.applies(to: item, in: publication)
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
    fit = viewport.map { PageFit(viewport: $0, page: settings.pageSize) } ?? PageFit()

    let language = ChapterStyles.language(of: document, resources: resources)
    if !language.isEmpty, publication.metadata.language.isEmpty {
      collected.append(
        Diagnostic(
          .note, code: "language-guessed", resource: item.path, message: "the language is taken to be \(language)"))
    }
    styles = ChapterStyles.resolve(
      document, path: item.path, resources: resources, language: language, pageSize: viewport ?? settings.pageSize,
      isFixedLayout: isFixedLayout, diagnostics: &collected, cancellation: cancellation)
    fontBook = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
    times.style = lap()

    boxResources = BoxResources(
      image: { resources.image($0, relativeTo: item.path) }, styleImage: { resources.image(at: $0) },
      inlineSVG: { resources.inlineSVG($0, base: item.path) }, language: language,
      limits: settings.limits)
    let drawnText = DrawingText(
      fonts: fontBook, resources: self.shapingResources, rootFontSize: settings.fontSize)
    boxResources.rootFontSize = settings.fontSize
    boxResources.outlines = { drawnText.outlines(of: $1, in: $0) }
    boxResources.cancellation = cancellation
    boxResources.movesNotes = settings.notes == .foot && !isFixedLayout
    boxResources.documentName = String(item.path.split(separator: "/").last ?? "")
    tree = BoxGenerator.generate(styles, resources: boxResources)
    times.boxes = lap()
    collected.append(contentsOf: styles.diagnostics)
    collected.append(contentsOf: tree.diagnostics)
    statistics.merge(styles.statistics)
    statistics.merge(tree.statistics)
  }

  /// How much of a chapter a change of settings leaves as it is.
  enum Kept: Comparable {
    case document
    /// Document, styles, boxes, and the shapes of words.
    case boxes
    /// Everything but what is drawn.
    case pages
  }

  /// What stays under other settings for the same book.
  func kept(under new: BookResources) -> Kept {
    let old = resources.settings
    var same = new.settings
    same.scale = old.scale
    same.theme = old.theme
    guard same != old || old.scale != new.settings.scale else { return .pages }
    func flipsMedia() -> Bool {
      let pages = (viewport ?? old.pageSize, viewport ?? new.settings.pageSize)
      return ChapterStyles.mediaOutcome(document, path: item.path, resources: resources, pageSize: pages.0)
        != ChapterStyles.mediaOutcome(document, path: item.path, resources: new, pageSize: pages.1)
    }
    if same == old { return flipsMedia() ? .document : .pages }
    same.pageSize = old.pageSize
    same.marginTop = old.marginTop
    same.marginRight = old.marginRight
    same.marginBottom = old.marginBottom
    same.marginLeft = old.marginLeft
    same.takesBookPageSize = old.takesBookPageSize
    same.takesBookMargins = old.takesBookMargins
    same.baselineGrid = old.baselineGrid
    same.balancesPages = old.balancesPages
    same.fontSize = old.fontSize
    same.lineHeight = old.lineHeight
    guard same == old, new.settings.isFlush == old.isFlush else { return .document }
    if styles.dependencies.contains(.rootFontSize), new.settings.fontSize != old.fontSize { return .document }
    if styles.dependencies.contains(.pageSize), new.settings.pageSize != old.pageSize, viewport == nil {
      return .document
    }
    return flipsMedia() ? .document : .boxes
  }

  /// Goes over to other settings, which must leave the boxes as they are. The next page is the chapter's first.
  mutating func use(_ new: BookResources) {
    resources = new
    fit = viewport.map { PageFit(viewport: $0, page: new.settings.pageSize) } ?? PageFit()
    forgetLayout()
  }

  /// Gives up what has been laid out and measured. The next page is the chapter's first, unless a mark is gone to.
  mutating func forgetLayout() {
    shaper = workspace?.shaper ?? shaper
    workspace = nil
    composer = nil
    painter = nil
    furniture = nil
    marks = nil
    state = PageState()
  }

  /// Whether the chapter's pages depend on those before it: by their number, or by what runs on in margin boxes.
  var dependsOnEarlierPages: Bool {
    guard !isFixedLayout else { return false }
    let pages = styles.pageStyles
    if pages.hasMarginBoxes || pages.dependsOnSide() || !tree.pageMarks.isEmpty { return true }
    return styles.table.pages.contains { $0.breakBefore.asksForSide || $0.breakAfter.asksForSide }
  }

  /// Whether its pages show the number of pages of the book.
  var dependsOnPageTotal: Bool { !isFixedLayout && styles.pageStyles.countsPages(styles.table) }

  /// All faults met so far.
  var diagnostics: DiagnosticSink {
    var all = collected
    if let workspace {
      all.append(contentsOf: workspace.diagnostics)
      all.append(
        contentsOf: workspace.shaper.diagnostics(in: tree.texts, resource: item.path) { Int(document[$0].line) })
    }
    return all
  }

  /// The chapter's text in reading order.
  func text() -> String { PlainTextExport.text(of: tree, document: document) }

  /// Lays the next page out; nil after the last one.
  mutating func nextPage() -> PageLayout? {
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
  mutating func countRivers(on page: PageLayout) {
    statistics.add("lines.rivers", Rivers.count(on: page, fonts: fontBook))
  }

  /// Where the next page starts, to go back to: under the same settings also once the layout was forgotten.
  struct Mark {
    fileprivate var composer: PageComposer.Checkpoint
    fileprivate var state: PageState
    /// The mark to be saved; nil where it cannot be.
    var encoded: [UInt8]? { composer.encoded(with: state) }
  }

  /// The state before the next page.
  mutating func mark() -> Mark {
    Mark(composer: prepared().checkpoint, state: state)
  }

  /// A mark that was saved; nil when it is damaged.
  mutating func mark(encoded: [UInt8]) -> Mark? {
    PageComposer.Checkpoint.decode(encoded, bounds: prepared().checkpointBounds).map { Mark(composer: $0, state: $1) }
  }

  /// The last element, in document order, in which the next page starts; nil before the first page, after the last, and
  /// inside anonymous boxes.
  var furthestNode: NodeID? { composer?.token?.furthestNode(in: tree) }

  /// The next page will be the one that followed the mark.
  mutating func go(to mark: Mark) {
    var composer = prepared()
    composer.checkpoint = mark.composer
    self.composer = composer
    state = mark.state
  }

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    let texts = tree.texts
    return document.byteCount + document.nodes.count * MemoryLayout<ComputedStyle>.stride
      + tree.boxes.count * MemoryLayout<Box>.stride + texts.units.count * 4 + texts.runs.count
      * MemoryLayout<Run>.stride
      + texts.source.count * MemoryLayout<SourceSpan>.stride + (workspace?.byteCount ?? 0) + 64 << 10
  }

  /// What positions and search need to know of the text.
  func chapterText() -> ChapterText {
    ChapterText(
      tree: tree, styles: styles.table, document: document, chapter: index, language: boxResources.language)
  }

  /// Where everything stands on a page.
  ///
  /// - Parameter previous: The first place of the page before.
  func content(of page: PageLayout, text: ChapterText, after previous: SourcePosition?) -> PageMap {
    PageReader.read(
      page, text: text, tree: tree, fit: fit, links: links(on: page), after: previous,
      size: viewport == nil ? page.size : resources.settings.pageSize)
  }

  private mutating func prepared() -> PageComposer {
    if let composer { return composer }
    return prepareLayout()
  }

  @discardableResult
  private mutating func prepareLayout() -> PageComposer {
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
    if settings.takesBookPageSize { layout.bookPages.insert(.size) }
    if settings.takesBookMargins { layout.bookPages.insert(.margins) }
    layout.pageProgression = pageProgression
    layout.baselineGrid = viewport == nil && settings.baselineGrid
    layout.balancesPages = viewport == nil && settings.balancesPages
    layout.isFixedPage = viewport != nil
    layout.recordsClusters = recordsClusters
    layout.reducesStops = settings.reducesStops
    layout.alignsInitials = viewport == nil && !settings.isFlush
    layout.shrinksWideTables = layout.alignsInitials
    var shaping = ShapingSettings(rootFontSize: settings.fontSize)
    shaping.alignsToGrid = viewport == nil && settings.characterGrid
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
      tree: tree, styles: styles.table, fonts: fontBook, images: resources.images, settings: layout)
    let workspace = FormattingContexts.workspace(inputs, shaper: shaper)
    workspace.cancellation = cancellation
    self.workspace = workspace
    let pageStyles = isFixedLayout ? PageStyles() : styles.pageStyles
    let composer = PageComposer(workspace, pageStyles: pageStyles, pagesBefore: state.pages)
    self.composer = composer
    marks = PageMarkIndex(tree)
    let resources = resources
    let images = PaintImages(image: { resources.image(at: $0) }, naturalSize: { resources.naturalSize($0) })
    painter = Painter(inputs, document: document, images: images)
    if !isFixedLayout, PageFurniture.isNeeded(by: styles) {
      furniture = PageFurniture(
        styles: styles, fonts: fontBook, shapingResources: shapingResources,
        images: resources.images, resources: boxResources, paintImages: images, settings: layout)
    }
    return composer
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

  /// Whether the content of a page paints nothing.
  func isBlank(_ page: PageLayout) -> Bool {
    guard page.lines.isEmpty, let painter else { return page.lines.isEmpty }
    let list = painter.paint(page)
    return list.items.isEmpty && list.background == .white
  }

  /// The display list of the page made last, on the reader's page.
  mutating func paint(_ page: PageLayout) -> DisplayList {
    let start = Clock.threadTime
    defer { times.paint += Clock.threadTime - start }
    guard let painter else { return DisplayList(size: page.size) }
    var list = painter.paint(page)
    furniture?.add(to: &list, page: page, facts: facts, pageTotal: pageTotal)
    guard let viewport else { return list }
    return fit.place(list, viewport: viewport, page: resources.settings.pageSize)
  }

  func links(on page: PageLayout) -> [LinkRegion] {
    painter?.linkRegions(on: page).map { LinkRegion(href: $0.href, rect: fit($0.rect), node: $0.node) } ?? []
  }

  mutating func addEncodingTime(_ nanoseconds: UInt64) { times.encode += nanoseconds }

  /// Counters of the whole chapter, when it is done.
  func finalStatistics() -> StageStatistics {
    var all = statistics
    if let workspace {
      all.merge(workspace.shaper.statistics)
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
