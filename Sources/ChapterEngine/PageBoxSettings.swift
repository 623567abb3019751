import BoxGeneration
import CSS
import Fonts
import Layout
import Markup
import Primitives
import Publications
import Shaping
import Styling

/// The page boxes that a chapter is laid out in, as settings and styles have them.
enum PageBoxSettings {
  static func settings(_ resources: BookResources, _ styles: StyledTree, viewport: Size?) -> LayoutSettings {
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
  static func firstPageArea(
    _ styles: StyledTree, _ resources: BookResources, _ fonts: FontBook, _ shaping: ShapingResources
  ) -> Size {
    let settings = settings(resources, styles, viewport: nil)
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
}

extension StyledChapter {
  /// The settings that its pages are laid out with.
  ///
  /// - Parameter recordsClusters: Places of all characters are kept.
  func layoutSettings(recordsClusters: Bool) -> LayoutSettings {
    let settings = resources.settings
    let isReflowable = viewport == nil
    var layout = PageBoxSettings.settings(resources, styles, viewport: viewport)
    layout.viewport = printedArea
    layout.pageProgression = pageProgression
    layout.composition.baselineGrid = isReflowable && settings.baselineGrid
    layout.composition.balancesPages = isReflowable && settings.balancesPages
    layout.composition.optimizesPages = isReflowable && ChapterStyles.optimizesPages(resources)
    layout.composition.fitsGlyphs = isReflowable && ChapterStyles.fitsGlyphs(resources)
    layout.composition.closesFrames = isReflowable && ChapterStyles.usesHouseStyle(resources)
    layout.composition.widensText = layout.composition.closesFrames && !settings.isFlush
    layout.isFixedPage = !isReflowable
    layout.recordsClusters = recordsClusters
    layout.deviations.reducesStops = settings.reducesStops
    let departs = isReflowable && ChapterStyles.departsFromCSS(resources)
    layout.deviations.alignsInitials = departs
    layout.deviations.shrinksWideTables = departs
    layout.deviations.keepsLineDistance = departs
    layout.deviations.keepsTitles = departs
    layout.deviations.setsPicturesApart = departs
    layout.deviations.leavesLooseLinesRagged = departs
    layout.deviations.fillsLastPages = departs
    layout.deviations.paintsWholePages = departs
    layout.deviations.raisesAnnotations = departs
    layout.deviations.keepsBases = departs
    layout.deviations.extendsFormulas = ChapterStyles.extendsFormulas(settings, isFixedLayout: !isReflowable)
    return layout
  }

  /// The settings that its text is shaped with.
  var shapingSettings: ShapingSettings {
    let settings = resources.settings
    var shaping = ShapingSettings(rootFontSize: settings.fontSize)
    shaping.alignsToGrid = viewport == nil && settings.characterGrid
    shaping.showsMissingGlyphs = settings.isFlush
    switch settings.hyphenate {
    case .auto: shaping.hyphenation = .author
    case .on: shaping.hyphenation = .on
    case .off: shaping.hyphenation = .off
    }
    return shaping
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
}
