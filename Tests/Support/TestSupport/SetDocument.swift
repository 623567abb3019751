package import BoxGeneration
import CSS
package import Fonts
import ImageCodecs
import Images
package import Layout
package import Markup
import Painting
package import Primitives
import RasterRendering
import Shaping
package import Styling

/// A document taken through the stages one after the other, from its source to pages.
package struct SetDocument {
  package let styled: StyledTree
  package let tree: BoxTree
  package let inputs: LayoutInputs
  package private(set) var pages: [PageLayout] = []
  /// Of layout.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - settings: Of layout; the root font size holds for styling too.
  ///   - pagesBefore: Pages of the book before the document's first.
  ///   - mostPages: The pages to make at most.
  package init(
    _ source: [UInt8], as kind: MarkupReader.Kind, fonts library: FontLibrary, styles: StyleSettings = StyleSettings(),
    layout settings: LayoutSettings, pagesBefore: Int = 0,
    mostPages: Int = .max
  ) {
    let document = MarkupReader.read(source, as: kind).document
    var styles = styles
    styles.rootFontSize = settings.rootFontSize
    styles.media.width = settings.page.size.width.pixels
    styles.media.height = settings.page.size.height.pixels
    let sheets = StylesheetCollection(
      of: document, path: "test.xhtml", media: styles.media, cache: StylesheetCache(), load: { _ in nil })
    styled = StyleResolver.resolve(document: document, sheets: sheets.sheets, settings: styles)
    let images = ImageStore()
    var resources = BoxResources(
      image: { Self.image($0, in: images) }, styleImage: { Self.image($0, in: images) },
      inlineSVG: { images.addInlineSVG($0.completed($0.markup)) }, language: styles.language)
    resources.presentedImage = { images.image($0, presented: $1) }
    resources.rootFontSize = settings.rootFontSize
    resources.movesNotes = styles.movesNotes
    resources.extendsFormulas = settings.deviations.extendsFormulas
    tree = BoxGenerator.generate(styled, resources: resources)
    let fonts = FontBook(library: library, rules: Self.fontFaces(of: styled))
    inputs = LayoutInputs(tree: tree, styles: styled.table, fonts: fonts, images: images, settings: settings)
    let workspace = self.workspace()
    var composer = composer(in: workspace, pagesBefore: pagesBefore)
    while pages.count < mostPages, let page = composer.nextPage() { pages.append(page) }
    diagnostics = workspace.diagnostics.diagnostics
  }

  /// A composer before the first page.
  package func composer() -> PageComposer { composer(in: workspace(), pagesBefore: 0) }

  private func workspace() -> LayoutWorkspace {
    var shaping = ShapingSettings()
    shaping.rootFontSize = inputs.settings.rootFontSize
    return FormattingContexts.workspace(inputs, shaper: Shaper(fonts: inputs.fonts, settings: shaping))
  }

  private func composer(in workspace: LayoutWorkspace, pagesBefore: Int) -> PageComposer {
    PageComposer(workspace, pageStyles: styled.pageStyles, pagesBefore: pagesBefore)
  }

  /// Files of `@font-face` rules are the test fonts.
  private static func fontFaces(of styled: StyledTree) -> [FontFaceDefinition] {
    styled.fontFaces.map { face in
      var definition = FontFaceDefinition(
        family: face.family,
        sources: face.sources.map { source in
          switch source {
          case .local(let name): .local(name)
          case .url(let name): .data(key: name, load: { RuleCase.font(name) })
          }
        },
        weight: face.weight, slant: face.slant, stretch: face.stretch, unicodeRanges: face.unicodeRange)
      definition.hasAutomaticWeight = face.hasAutomaticWeight
      definition.adjustments = face.adjustments
      return definition
    }
  }

  /// Images are `data:` URLs: a test has no files.
  private static func image(_ href: String, in images: ImageStore) -> ImageID? {
    guard href.hasPrefix("data:") else { return nil }
    let id = images.image(path: href, load: { decodeDataURL(href) })
    return images.info(id).isBroken ? nil : id
  }

  /// A page drawn with one letter for each CSS px.
  package func pixelArt(_ page: PageLayout) -> [String] {
    let images = inputs.images
    var paintImages = PaintImages(
      image: { Self.image($0, in: images) },
      natural: { id in
        let info = images.info(id)
        return NaturalDimensions(
          width: info.width.map { LayoutUnit($0) }, height: info.height.map { LayoutUnit($0) },
          ratio: info.aspectRatio.map { Double($0) })
      })
    paintImages.presented = { images.image($0, presented: $1) }
    paintImages.mask = { [styled] mask, size, reach, mode in
      MaskDrawing.drawing(of: mask, in: styled, size: size, reach: reach, mode: mode).map {
        images.addInlineSVG($0.markup)
      }
    }
    let painter = Painter(inputs, document: styled.document, images: paintImages)
    let renderer = RasterRenderer(fonts: inputs.fonts.library, images: images)
    return PixelArt.rows(of: renderer.render(painter.paint(page), scale: 1))
  }
}
