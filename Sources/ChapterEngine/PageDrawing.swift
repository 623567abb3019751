import BoxGeneration
import CSS
package import Graphics
import Images
package import Layout
package import PDFRendering
package import Painting
import Primitives
import Publications
import Styling

/// Turns laid out pages of a chapter into what is shown: content, furniture, the reader's page around them, and what it
/// all means.
package struct PageDrawing {
  private let chapter: StyledChapter
  private let inputs: LayoutInputs
  private let painter: Painter
  /// Nil where pages have nothing around their content.
  private let furniture: PageFurniture?
  /// The sheet that the pages are printed on, where that is larger than they.
  private let sheet: PrintSheet?

  /// - Parameter styles: The chapter's, as it is laid out.
  init(_ chapter: StyledChapter, _ inputs: LayoutInputs, _ styles: StyledTree) {
    self.chapter = chapter
    self.inputs = inputs
    let resources = chapter.resources
    var images = resources.paintImages()
    images.mask = { [styles = chapter.styles, boxResources = chapter.boxResources] mask, size, reach, mode in
      MaskDrawing.drawing(of: mask, in: styles, size: size, reach: reach, mode: mode).flatMap(boxResources.inlineSVG)
    }
    painter = Painter(inputs, document: chapter.document, images: images)
    let isFurnished = !chapter.isFixedLayout && PageFurniture.isNeeded(by: styles)
    furniture =
      isFurnished
      ? PageFurniture(
        styles: styles, fonts: chapter.fonts, shapingResources: chapter.shapingResources, images: resources.images,
        resources: chapter.boxResources, paintImages: images, settings: inputs.settings) : nil
    sheet = resources.settings.media == .print && chapter.viewport == nil ? PrintSheet(chapter.styles) : nil
  }

  /// Content of the page paints nothing.
  func isBlank(_ page: PageLayout) -> Bool {
    guard page.lines.isEmpty else { return false }
    let list = painter.paint(page)
    return list.items.isEmpty && list.background == .white
  }

  /// What stands around a page's content, laid out; nil where it has nothing.
  package func furniture(of page: ComposedPage) -> FurnishedPage? { furniture?.furnish(page.layout, page.facts) }

  /// The display list of a page, on the reader's page.
  package func paint(_ page: ComposedPage) -> DisplayList {
    var losses = PageLosses()
    return paint(page.layout, furniture(of: page), losses: &losses)
  }

  /// The display list of a page, on the reader's page.
  ///
  /// - Parameter losses: Receives what the page's margin boxes cannot show.
  package func paint(_ page: PageLayout, _ furniture: FurnishedPage?, losses: inout PageLosses) -> DisplayList {
    shown(placed(painter.paint(page), of: page, furniture, &losses), of: page)
  }

  /// The display list of a page, on the reader's page.
  ///
  /// - Parameters:
  ///   - contents: Receives what the texts and pictures of the page's content come from.
  ///   - losses: Receives what the page's margin boxes cannot show.
  package func paint(
    _ page: PageLayout, _ furniture: FurnishedPage?, noting contents: inout PaintedContents, losses: inout PageLosses
  ) -> DisplayList {
    shown(placed(painter.paint(page, noting: &contents), of: page, furniture, &losses), of: page)
  }

  /// The display list of a page, upright, with what it means; clusters have to be recorded.
  ///
  /// - Parameter losses: Receives what the page's margin boxes cannot show.
  package func paint(
    _ page: PageLayout, _ furniture: FurnishedPage?, tagging tagger: inout PageTagger, losses: inout PageLosses
  ) -> TaggedPage {
    var contents = PaintedContents()
    let list = placed(
      painter.paint(page, noting: &contents, drawsTransparentText: true), of: page, furniture, &losses)
    let links = painter.linkRegions(on: page).map {
      LinkRegion(href: $0.href, rect: sheetFit($0.rect), node: $0.node)
    }
    var tagged = tagger.tag(list, of: page, contents, links: links)
    tagged.boxes = sheet?.boxes(of: page)
    tagged.quarterTurns = quarterTurns(of: page)
    return tagged
  }

  /// The content of a page with its furniture, on the reader's page.
  private func placed(
    _ content: DisplayList, of page: PageLayout, _ furnished: FurnishedPage?, _ losses: inout PageLosses
  ) -> DisplayList {
    var list = content
    if let furniture, let furnished { losses.characters.add(furniture.add(furnished, to: &list, page: page)) }
    guard let viewport = chapter.viewport else { return sheet?.place(list, of: page) ?? list }
    return chapter.fit.place(list, viewport: viewport, page: chapter.paper)
  }

  /// By how many quarter turns a page is shown turned clockwise (CSS Paged Media 3, section 7.3); pages on screens are
  /// not.
  private func quarterTurns(of page: PageLayout) -> Int {
    guard chapter.resources.settings.media == .print, chapter.viewport == nil else { return 0 }
    return switch chapter.styles.pageStyles[page.traits]?.orientation ?? .upright {
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
    var fit = chapter.fit
    if let sheet {
      fit.x += sheet.inset
      fit.y += sheet.inset
    }
    return fit
  }

  /// A tagger of the chapter's pages.
  package func makeTagger() -> PageTagger {
    let publication = chapter.resources.publication
    let isOfBook = chapter.language.lowercased() == publication.metadata.language.lowercased()
    return PageTagger(
      inputs, styles: chapter.styles, fit: sheetFit, publication: publication, chapter: chapter.index,
      language: chapter.language.isEmpty || isOfBook ? nil : chapter.language)
  }

  /// The links on a page, on the reader's page.
  package func links(on page: PageLayout) -> [LinkRegion] {
    painter.linkRegions(on: page).map { LinkRegion(href: $0.href, rect: chapter.fit($0.rect), node: $0.node) }
  }
}
