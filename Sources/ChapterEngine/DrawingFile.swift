import BoxGeneration
import CSS
import Drawings
import Fonts
import Images
import Markup
import Primitives
import Shaping
import Styling

/// A drawing in a file of its own that asks for more than librsvg knows (`DrawingFeatures`): read, styled and set by the
/// engine, like a drawing in a document.
enum DrawingFile {
  /// The drawing as librsvg can draw it; nil for a file that is no drawing.
  ///
  /// - Parameter nesting: How many drawings in files stand around what stands in it.
  static func prepared(
    _ source: [UInt8], path: String, resources: BookResources, nesting: Int
  ) -> PreparedDrawing? {
    let path = path.hasPrefix("data:") ? "" : path
    let document = MarkupReader.read(source, as: .xml, resource: path, limits: resources.settings.limits).document
    guard !document.root.isNone, document.isElement(document.root, .svg, in: .svg) else { return nil }
    let (collection, found) = ChapterStyles.sheets(
      of: document, path: path, resources: resources, language: "", pageSize: size(of: document, resources),
      isFixedLayout: true)
    // The same for all readers: the size of the picture does not grow with their text.
    var settings = found
    settings.rootFontSize = StyleSettings().rootFontSize
    let styles = StyleResolver.resolve(
      document: document, path: path, sheets: collection.sheets, settings: settings, ruleSets: resources.ruleSets)
    let fonts = resources.fontBooks.book(for: styles.fontFaces, palettes: styles.fontPalettes)
    let shaping = ShapingResources(hyphenator: resources.settings.hyphenator())
    var boxes = BoxResources(
      image: { resources.image($0, relativeTo: path, nesting: nesting) },
      styleImage: { resources.image(at: $0, nesting: nesting) },
      inlineSVG: { resources.inlineSVG($0, base: path, nesting: nesting) }, limits: resources.settings.limits)
    let shaper = DrawingShaper(fonts: fonts, resources: shaping, rootFontSize: settings.rootFontSize)
    boxes.rootFontSize = settings.rootFontSize
    boxes.shape = { shaper.shape($1, in: $0) }
    boxes.outlines = { [weak fonts = resources.fonts] in fonts?.face($0)?.outline($1) ?? [] }
    ForeignObjects.add(to: &boxes, resources, fonts, shaping, nesting: nesting)
    return BoxGenerator.drawing(styles, resources: boxes)
  }

  /// The size that media queries are asked of: that of the root, as far as it names one.
  private static func size(of document: Document, _ resources: BookResources) -> Size {
    func lengths(_ name: String) -> [Length] {
      document.drawingAttribute(name, of: document.root).map { Length.list($0) } ?? []
    }
    let box = lengths("viewBox")
    func side(_ name: String, _ place: Int) -> LayoutUnit? {
      if let own = lengths(name).first, own.unit == .px { return LayoutUnit(own.value) }
      return box.count == 4 ? LayoutUnit(box[place].value) : nil
    }
    let page = resources.settings.pageSize
    return Size(width: side("width", 2) ?? page.width, height: side("height", 3) ?? page.height)
  }
}
