import CSS
import Fonts
package import Markup
package import Primitives
import Publications
package import Styling
import Synchronization

/// Styling of one chapter: which sheets apply, under which settings, and the faces they declare.
package enum ChapterStyles {
  package static func resolve(
    _ document: Document, path: String, resources: BookResources, language: String, pageSize: Size, isFixedLayout: Bool,
    diagnostics: inout DiagnosticSink, cancellation: Cancellation
  ) -> StyledTree {
    let (collection, settings) = sheets(
      of: document, path: path, resources: resources, language: language, pageSize: pageSize,
      isFixedLayout: isFixedLayout)
    diagnostics.append(contentsOf: collection.diagnostics)
    return StyleResolver.resolve(
      document: document, path: path, sheets: collection.sheets,
      userSheets: resources.userSheets(isFixedLayout: isFixedLayout), settings: settings,
      ruleSets: resources.ruleSets, cancellation: cancellation)
  }

  /// The book's sheets for a chapter, and the settings they are applied under.
  package static func sheets(
    of document: Document, path: String, resources: BookResources, language: String, pageSize: Size,
    isFixedLayout: Bool
  ) -> (StylesheetCollection, StyleSettings) {
    let reader = resources.settings
    var settings = StyleSettings()
    settings.media = media(reader, pageSize: pageSize)
    settings.rootFontSize = reader.fontSize
    if !isFixedLayout, reader.media != .print {
      let (horizontal, vertical) = (reader.marginLeft + reader.marginRight, reader.marginTop + reader.marginBottom)
      settings.pageArea = ((pageSize.width - horizontal).pixels, (pageSize.height - vertical).pixels)
    }
    settings.usesPublisherStyles = reader.publisherStyles || isFixedLayout
    if !isFixedLayout {
      settings.scalesAbsoluteSizes = true
      settings.fontFamilyOverride = reader.fontFamily.map(family)
      settings.justifies = choice(reader.justify)
    }
    settings.movesNotes = reader.notes == .foot && !isFixedLayout
    settings.hyphenates = choice(reader.hyphenate)
    settings.language = language
    settings.usesHouseStyle = usesHouseStyle(resources) && !isFixedLayout
    let collection = StylesheetCollection(
      of: document, path: path, media: settings.media, cache: resources.styleSheets, limits: reader.limits,
      load: { resources.bytes(at: $0) })
    let pageRules = (collection.sheets.map(\.sheet) + resources.userSheets).flatMap { $0.sheet.pageRules }
    if settings.usesHouseStyle, let furniture = resources.furniture, !pageRules.contains(where: \.hasFurniture) {
      settings.houseSheets.append(furniture)
    }
    // A flush page is like a browser's window, and so is paper that rules lay out; one with margins has no need of the body's.
    let isLaidOut = reader.media == .print && reader.pageDesign.contains(.bookMargins) && !pageRules.isEmpty
    settings.hasBodyMargin = reader.isFlush || isFixedLayout || isLaidOut
    settings.extendsFormulas = extendsFormulas(reader, isFixedLayout: isFixedLayout)
    settings.measureFont = measure(collection, resources)
    settings.coversCharacter = { description, scalar, fallsBack in
      let book = resources.fontBooks.book(for: collection.fontFaces)
      let cascade = book.cascade(for: description)
      guard fallsBack else { return cascade.primary.covers(scalar) }
      return cascade.face(covering: scalar) != nil || book.fallback(for: [scalar], in: cascade, script: "Zyyy") != nil
    }
    return (collection, settings)
  }

  private static func media(_ reader: TypesettingSettings, pageSize: Size) -> MediaEnvironment {
    var media = MediaEnvironment()
    media.type = reader.media == .print ? .print : .screen
    media.width = pageSize.width.pixels
    media.height = pageSize.height.pixels
    media.rootFontSize = Double(reader.fontSize)
    media.resolution = reader.scale
    return media
  }

  /// The outcome of all media queries in a chapter, to see whether a change of settings flips one.
  static func mediaOutcome(_ document: Document, path: String, resources: BookResources, pageSize: Size) -> [String:
    [Bool]]
  {
    let media = media(resources.settings, pageSize: pageSize)
    let collection = StylesheetCollection(
      of: document, path: path, media: media, cache: resources.styleSheets, limits: resources.settings.limits,
      load: { resources.bytes(at: $0) })
    var outcome: [String: [Bool]] = [:]
    let sheets = collection.sheets.map { ($0.path, $0.sheet) } + resources.userSheets.map { ("", $0) }
    for (index, sheet) in sheets.enumerated() {
      outcome["\(index) \(sheet.0)"] = sheet.1.sheet.evaluateConditions(media, supports: { _, _ in true })
    }
    return outcome
  }

  /// Styles of the chapter are others on pages of another size.
  static func depend(
    _ styles: StyledTree, _ document: Document, path: String, _ resources: BookResources, on sizes: (Size, Size)
  ) -> Bool {
    styles.dependencies.contains(.pageSize)
      || mediaOutcome(document, path: path, resources: resources, pageSize: sizes.0)
        != mediaOutcome(document, path: path, resources: resources, pageSize: sizes.1)
  }

  /// Plain texts, Markdown and FictionBooks say nothing of their looks: the house style is all they have.
  static func usesHouseStyle(_ resources: BookResources) -> Bool {
    resources.settings.style == .house || resources.publication.kind.isPlain
  }

  /// Formulas are set as books want them: on all pages but those like a browser's window, in styles, boxes and layout
  /// alike.
  static func extendsFormulas(_ settings: TypesettingSettings, isFixedLayout: Bool) -> Bool {
    !settings.isFlush && !isFixedLayout
  }

  /// Pages are set better for readers than CSS has it: wide tables are scaled, long words broken. Not so on a flush page, which is like a
  /// browser's window, and not where a document of HTML is printed, as a browser would, unless the house style asks for it.
  static func departsFromCSS(_ resources: BookResources) -> Bool {
    let settings = resources.settings
    guard !settings.isFlush else { return false }
    return settings.media != .print || resources.publication.kind != .html || usesHouseStyle(resources)
  }

  /// Paragraphs are made longer or shorter for the sake of their pages.
  static func optimizesPages(_ resources: BookResources) -> Bool {
    switch resources.settings.compose {
    case .auto: usesHouseStyle(resources)
    case .lines: false
    case .pages: true
    }
  }

  /// The glyphs and letters of justified lines take part in their justification.
  static func fitsGlyphs(_ resources: BookResources) -> Bool {
    switch resources.settings.micro {
    case .auto: usesHouseStyle(resources)
    case .on: true
    case .off: false
    }
  }

  /// The language of what says none in the chapter: that of the package, or a guess, which pages of fixed design and single
  /// documents of HTML are not set by unless the house style asks for it.
  package static func language(of document: Document, resources: BookResources) -> String {
    // Some packages write the names of locales, with an underscore.
    let known = String(resources.publication.metadata.language.lowercased().map { $0 == "_" ? "-" : $0 })
    guard known.isEmpty, resources.publication.kind != .html || usesHouseStyle(resources) else { return known }
    return document.guessedLanguage().lowercased()
  }

  /// The text of Chinese and Japanese pages is a whole number of ems wide; the rest goes to the margins, half to each
  /// (JLREQ 2.4).
  ///
  /// - Parameter margins: Top, right, bottom, left.
  static func fitMeasure(of styles: StyledTree, in page: Size, rootFontSize: Float, margins: inout Sides<LayoutUnit>) {
    let document = styles.document
    let body = document.nodes.indices.first { document.isElement(NodeID($0), .body) }
    guard let body else { return }
    let paragraph = styles.table.paragraphs[styles.styles[body].paragraph.index]
    guard paragraph.conventions == .chinese || paragraph.conventions == .japanese else { return }
    let em = LayoutUnit(styles.table.fonts[styles.styles[body].font.index].size.resolved(rootFontSize: rootFontSize))
    let isHorizontal = paragraph.writingMode.isHorizontal
    let measure = isHorizontal ? page.width - margins.left - margins.right : page.height - margins.top - margins.bottom
    guard em > .zero, measure > em else { return }
    let rest = LayoutUnit(rawValue: measure.rawValue % em.rawValue)
    if isHorizontal {
      margins.left += rest / 2
      margins.right += rest - rest / 2
    } else {
      margins.top += rest / 2
      margins.bottom += rest - rest / 2
    }
  }

  /// Measures fonts for `ex` and its kin in `font-size` and inherited lengths. The fonts are looked up only then.
  private static func measure(
    _ collection: StylesheetCollection, _ resources: BookResources
  ) -> @Sendable (FontDescription) -> FontUnitRatios {
    return { description in
      let book = resources.fontBooks.book(for: collection.fontFaces)
      var ratios = FontUnitRatios()
      let cascade = book.cascade(for: description)
      let face = cascade.primary
      let metrics = face.metrics
      guard metrics.unitsPerEm > 0 else { return ratios }
      func ratio(_ units: Int32, of metrics: FontMetrics) -> Float { metrics.scaled(units, size: 1) }
      if metrics.xHeight > 0 { ratios.xHeight = ratio(metrics.xHeight, of: metrics) }
      let zero = cascade.face(measuring: FontMetrics.zero)
      ratios.zeroAdvance = ratio(zero.metrics.zeroAdvance, of: zero.metrics)
      ratios.zeroHeight = ratio(zero.verticalMetrics(zero.glyph(FontMetrics.zero)).advance, of: zero.metrics)
      if metrics.capHeight > 0 { ratios.capHeight = ratio(metrics.capHeight, of: metrics) }
      let ideographs = cascade.face(measuring: FontMetrics.ideograph).metrics
      ratios.ideographAdvance = ratio(ideographs.icAdvance, of: ideographs)
      ratios.lineHeight = ratio(metrics.ascent + metrics.descent + metrics.lineGap, of: metrics)
      if let scales = face.mathScriptScales { (ratios.scriptScale, ratios.scriptScriptScale) = scales }
      return ratios
    }
  }

  private static func choice(_ choice: ReaderChoice) -> Styling.ReaderChoice {
    switch choice {
    case .auto: .auto
    case .on: .on
    case .off: .off
    }
  }

  package static func family(_ name: String) -> FontFamily {
    switch name.lowercased() {
    case "serif": .generic(.serif)
    case "sans-serif", "sans": .generic(.sansSerif)
    case "monospace", "mono": .generic(.monospace)
    case "cursive": .generic(.cursive)
    case "fantasy": .generic(.fantasy)
    case "system-ui": .generic(.systemUI)
    default: .named(name)
    }
  }
}
