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
  let userSheets: [TypedStylesheet]

  init(publication: Publication, settings: TypesettingSettings) {
    self.publication = publication
    self.settings = settings
    var generic: [GenericFamily: String] = [:]
    if let name = settings.serif { generic[.serif] = name }
    if let name = settings.sans { generic[.sansSerif] = name }
    if let name = settings.mono { generic[.monospace] = name }
    fonts = FontLibrary(
      directories: settings.fontDirectories, usesSystemFonts: settings.usesSystemFonts, genericFamilies: generic)
    images = ImageStore(limits: settings.limits)
    styleSheets = StylesheetCache()
    userSheets =
      settings.userStyleSheet.map { [TypedStylesheet(parsing: Array($0.utf8), context: ValueContext())] } ?? []
  }

  /// The bytes of a file of the book; nil when there is none.
  func bytes(at path: String) -> [UInt8]? { try? publication.resource(at: path) }

  /// The image a URL means that stands in the file at `base`.
  func image(_ href: String, relativeTo base: String) -> ImageID? {
    if href.hasPrefix("data:") { return image(at: href) }
    guard let target = publication.resolve(href, relativeTo: base) else { return nil }
    return image(at: target.path)
  }

  /// The image at a path in the book or in a `data:` URL; nil when it is missing or broken.
  func image(at path: String) -> ImageID? {
    let id: ImageID
    if path.hasPrefix("data:") {
      id = images.image(path: path, load: { decodeDataURL(path) })
    } else {
      let publication = publication
      id = images.image(
        path: path, load: { try? publication.resource(at: path) },
        resolveReference: { reference in
          if reference.hasPrefix("data:") { return decodeDataURL(reference) }
          return publication.resolve(reference, relativeTo: path).flatMap { try? publication.resource(at: $0.path) }
        })
    }
    return images.info(id).isBroken ? nil : id
  }

  /// An inline `<svg>` of the document at `base`.
  func inlineSVG(_ markup: [UInt8], base: String) -> ImageID? {
    let id = images.addInlineSVG(markup) { reference in
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

/// The stages over one chapter, in order, in one thread: parse, style, boxes, then layout and painting page by page.
struct ChapterPipeline {
  let resources: BookResources
  /// Position in the spine.
  let index: Int
  let item: SpineItem
  let document: Document
  let tree: BoxTree
  let isFixedLayout: Bool
  private(set) var times = StageTimes()
  private(set) var statistics = StageStatistics()
  private let styles: StyledTree
  /// How the chapter's pages lie on the reader's; only fixed-layout pages are moved.
  let fit: PageFit
  private let viewport: Size?
  private let fontBook: FontBook
  private let shapingResources: ShapingResources
  private var composer: PageComposer?
  private var painter: Painter?
  private(set) var context: LayoutContext?
  private var collected = DiagnosticSink()

  /// Parses and styles the chapter and generates its boxes.
  ///
  /// - Parameter shapingResources: What the worker keeps from chapter to chapter.
  init(_ resources: BookResources, index: Int, shapingResources: ShapingResources = ShapingResources()) {
    self.resources = resources
    self.shapingResources = shapingResources
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

    let parsed = publication.document(at: index)
    document = parsed.document
    collected.append(contentsOf: parsed.diagnostics)
    times.parse = lap()

    isFixedLayout = FixedLayout.applies(to: item, in: publication)
    var viewport: Size?
    if isFixedLayout {
      viewport = FixedLayout.viewport(of: document, item: item, in: publication) { path in
        resources.image(at: path).map { resources.images.info($0) }
      }
      if viewport == nil {
        collected.warn("no-viewport", resource: item.path, "the fixed page has no size; the reader's page is taken")
      }
    }
    self.viewport = viewport
    fit = viewport.map { PageFit(viewport: $0, page: settings.pageSize) } ?? PageFit()

    styles = ChapterStyles.resolve(
      document, path: item.path, resources: resources, pageSize: viewport ?? settings.pageSize,
      isFixedLayout: isFixedLayout,
      diagnostics: &collected)
    fontBook = FontBook(library: resources.fonts, rules: ChapterStyles.fontFaces(of: styles, resources: resources))
    times.style = lap()

    let boxResources = BoxResources(
      image: { resources.image($0, relativeTo: item.path) }, styleImage: { resources.image(at: $0) },
      inlineSVG: { resources.inlineSVG($0, base: item.path) }, language: publication.metadata.language.lowercased(),
      limits: settings.limits)
    tree = BoxGenerator.generate(styles, resources: boxResources)
    times.boxes = lap()
    collected.append(contentsOf: styles.diagnostics)
    collected.append(contentsOf: tree.diagnostics)
    statistics.merge(styles.statistics)
    statistics.merge(tree.statistics)
  }

  /// All faults met so far.
  var diagnostics: DiagnosticSink {
    var all = collected
    if let context {
      all.append(contentsOf: context.diagnostics)
      all.append(
        contentsOf: context.shaper.diagnostics(in: tree.texts, resource: item.path) { Int(document[$0].line) })
    }
    all.append(contentsOf: fontBook.diagnostics)
    return all
  }

  /// The chapter's text in reading order.
  func text() -> String { PlainTextExport.text(of: tree, document: document) }

  /// Lays the next page out; nil after the last one.
  mutating func nextPage() -> PageLayout? {
    let start = (processor: Clock.threadTime, wall: Clock.wallTime)
    if context == nil { prepareLayout() }
    let shapingBefore = context?.shapingTime ?? 0
    let page = composer?.nextPage()
    // Layout calls the shaper when it reaches a paragraph and counts its time on the wall: of the page's processor time it
    // took the same share.
    let spent = Clock.threadTime - start.processor
    let shaped = min(
      1, Double((context?.shapingTime ?? 0) - shapingBefore) / Double(max(1, Clock.wallTime - start.wall)))
    let shaping = UInt64(Double(spent) * shaped)
    times.shape += shaping
    times.layout += spent - shaping
    return page
  }

  private mutating func prepareLayout() {
    let settings = resources.settings
    let pageSize = viewport ?? settings.pageSize
    let margins: [LayoutUnit] =
      viewport == nil
      ? [settings.marginTop, settings.marginRight, settings.marginBottom, settings.marginLeft]
      : [.zero, .zero, .zero, .zero]
    var layout = LayoutSettings(pageSize: pageSize, margins: margins, rootFontSize: settings.fontSize)
    layout.limits = settings.limits
    var shaping = ShapingSettings(rootFontSize: settings.fontSize)
    switch settings.hyphenate {
    case .auto: shaping.hyphenation = .author
    case .on: shaping.hyphenation = .on
    case .off: shaping.hyphenation = .off
    }
    let shaper = Shaper(fonts: fontBook, settings: shaping, resources: shapingResources)
    let context = LayoutContext(
      tree: tree, styles: styles.table, fonts: fontBook, shaper: shaper, images: resources.images, settings: layout)
    self.context = context
    composer = PageComposer(context: context)
    let resources = resources
    painter = Painter(
      context: context, document: document,
      images: PaintImages(image: { resources.image(at: $0) }, naturalSize: { resources.naturalSize($0) }))
  }

  /// The display list of a page, on the reader's page.
  mutating func paint(_ page: PageLayout) -> DisplayList {
    let start = Clock.threadTime
    defer { times.paint += Clock.threadTime - start }
    guard let painter else { return DisplayList(size: page.size) }
    let list = painter.paint(page)
    guard let viewport else { return list }
    return fit.place(list, viewport: viewport, page: resources.settings.pageSize)
  }

  func links(on page: PageLayout) -> [LinkRegion] {
    painter?.linkRegions(on: page).map { LinkRegion(href: $0.href, rect: fit($0.rect)) } ?? []
  }

  mutating func addEncodingTime(_ nanoseconds: UInt64) { times.encode += nanoseconds }

  /// Counters of the whole chapter, when it is done.
  func finalStatistics() -> StageStatistics {
    var all = statistics
    if let context {
      all.merge(context.statistics)
      all.merge(context.shaper.statistics)
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
