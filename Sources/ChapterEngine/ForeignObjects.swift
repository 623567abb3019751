import BoxGeneration
import CSS
import Fonts
import Graphics
import Images
import Layout
import Markup
import Painting
import Primitives
import Shaping
import Styling

/// Sets the HTML in elements `foreignObject` of drawings (SVG 2, section 12.3): a page of the size of the element, laid out
/// and painted by itself, that becomes part of the drawing.
struct ForeignObjects {
  let resources: BookResources
  let fonts: FontBook
  let shaping: ShapingResources
  /// Of the document that the drawing stands in.
  let boxes: BoxResources
  /// How many drawings in files stand around what is set.
  let nesting: Int
  /// Drawings in HTML in drawings that are set.
  private static let deepest = 3

  /// Has the drawings of a document set what stands in them.
  static func add(
    to boxes: inout BoxResources, _ resources: BookResources, _ fonts: FontBook, _ shaping: ShapingResources,
    nesting: Int = 0, depth: Int = 0
  ) {
    guard depth < deepest else { return }
    var inner = boxes
    add(to: &inner, resources, fonts, shaping, nesting: nesting, depth: depth + 1)
    inner.movesNotes = false
    inner.importedNotes = [:]
    let objects = ForeignObjects(resources: resources, fonts: fonts, shaping: shaping, boxes: inner, nesting: nesting)
    boxes.foreignObject = { objects.markup(of: $0, in: $1, size: $2) }
  }

  /// The content of an element as elements of SVG, from its corner; nil for a size that is none.
  private func markup(of element: NodeID, in styles: StyledTree, size: Size) -> ForeignContent? {
    guard size.width > .zero, size.height > .zero else { return nil }
    let tree = Self.content(of: element, in: styles, size: size)
    let boxTree = BoxGenerator.generate(tree, resources: boxes)
    var layout = LayoutSettings(
      page: PageGeometry(size: size, margin: Sides(all: .zero)), rootFontSize: resources.settings.fontSize)
    layout.limits = resources.settings.limits
    layout.isFixedPage = true
    let shaper = Shaper(
      fonts: fonts, settings: ShapingSettings(rootFontSize: resources.settings.fontSize), resources: shaping)
    let inputs = LayoutInputs(
      tree: boxTree, styles: tree.table, fonts: fonts, images: resources.images, settings: layout,
      shapeImages: LayoutInputs.shapeImages(of: tree.table) { resources.image(at: $0, nesting: nesting) })
    var composer = PageComposer(FormattingContexts.workspace(inputs, shaper: shaper))
    guard let page = composer.nextPage() else { return nil }
    let painter = Painter(inputs, document: tree.document, images: resources.paintImages(nesting: nesting))
    let (text, lacksItems) = DisplayListMarkup.markup(
      painter.paint(page), images: resources.images, shapes: resources.glyphShapes,
      prefix: "foreign-\(element.index)")
    // Drawings in it may not be.
    let isWhole = !lacksItems && !boxTree.diagnostics.diagnostics.contains { $0.code == "undrawn-element" }
    return ForeignContent(markup: text, isWhole: isWhole)
  }

  /// The content of an element as a document of its own, with the styles that it has where it stands, in a box of the size.
  private static func content(of element: NodeID, in styles: StyledTree, size: Size) -> StyledTree {
    let source = "<div xmlns=\"http://www.w3.org/1999/xhtml\"/>"
    let document = MarkupReader.read(Array(source.utf8), as: .xml).document
    let children = Array(styles.document.children(of: element))
    var tree = styles
    tree.document =
      document.importing(
        children.map { Document.Fragment(document: styles.document, root: $0) }, into: document.root
      ).document
    var root = styles.styles[element.index].anonymousChild
    var box = styles.table[root.box]
    box.display = .flowRoot
    box.width = .length(.length(Length(size.width.float, .px)))
    box.height = .length(.length(Length(size.height.float, .px)))
    tree.table.boxes.append(box)
    root.box = .init(tree.table.boxes.count - 1)
    // The copies stand one behind the other, as the originals do.
    let first = element.index + 1
    let end = styles.document[element].subtreeEnd.index
    let start = document.nodes.count
    tree.styles = ComputedStyles(
      [ComputedStyle](repeating: .initial, count: start - 1) + [root]
        + (first..<max(first, end)).map { styles.styles[$0] })
    func moved(_ node: NodeID) -> NodeID? {
      (first..<max(first, end)).contains(node.index) ? NodeID(node.index - first + start) : nil
    }
    func moved(_ entries: [PseudoElementStyle]) -> [PseudoElementStyle] {
      entries.compactMap { entry in
        moved(entry.node).map { PseudoElementStyle(node: $0, pseudo: entry.pseudo, style: entry.style) }
      }
    }
    tree.pseudoElements = moved(styles.pseudoElements)
    tree.firstLineStyles = moved(styles.firstLineStyles)
    tree.drawingProperties = [:]
    for (node, declarations) in styles.drawingProperties {
      if let node = moved(node) { tree.drawingProperties[node] = declarations }
    }
    tree.pageStyles = PageStyles()
    tree.footnotes = nil
    return tree
  }
}
