import BoxGeneration
import CSS
import Fonts
import Graphics
import Images
package import Layout
package import Markup
import Painting
package import Primitives
import Shaping
package import Styling

/// The furniture of one page: its boxes, of which the margin boxes are laid out.
package struct FurnishedPage {
  /// The document that its boxes are of.
  package let document: Document
  package let inputs: LayoutInputs
  /// A page of nothing but the margin boxes; nil where it has none.
  package let marginBoxes: PageLayout?
  /// The names of the margin boxes.
  package let kinds: [BoxID: PageMarginBox]
  fileprivate let style: PageStyle
  fileprivate let workspace: LayoutWorkspace
  /// The boxes of the page's own background and border; nil where it has none.
  fileprivate let background: BoxID?
  fileprivate let border: BoxID?
}

/// Draws what `@page` rules put around the content of pages: their background and border, and the margin boxes with
/// running heads and page numbers (CSS Paged Media 3).
///
/// Margin boxes are boxes of a small document of their own, made for each page; so their text is on the page, but not in
/// the book's text.
final class PageFurniture {
  private let styles: StyledTree
  private let fonts: FontBook
  private let shapingResources: ShapingResources
  private let images: ImageStore
  private let resources: BoxResources
  private let paintImages: PaintImages
  private let settings: LayoutSettings
  private let document: Document
  /// By the place of the page's style.
  private var prepared: [StyledTree?]
  /// The document of the page before that showed running elements.
  private var furnished: (page: Int, elements: [RunningElement], tree: StyledTree)?

  /// Elements of the document: the background, the border, then the margin boxes by kind.
  private static let background = 0
  private static let border = 1
  private static let firstMarginBox = 2

  init(
    styles: StyledTree, fonts: FontBook, shapingResources: ShapingResources, images: ImageStore,
    resources: BoxResources, paintImages: PaintImages, settings: LayoutSettings
  ) {
    self.styles = styles
    self.fonts = fonts
    self.shapingResources = shapingResources
    self.images = images
    self.resources = resources
    self.paintImages = paintImages
    self.settings = settings
    let parts = String(repeating: "<div/>", count: Self.firstMarginBox + PageMarginBox.allCases.count)
    let source = "<html xmlns=\"http://www.w3.org/1999/xhtml\">\(parts)</html>"
    document = MarkupReader.read(Array(source.utf8), as: .xml).document
    prepared = Array(repeating: nil, count: styles.pageStyles.all.count)
  }

  /// Pages with these styles have furniture.
  static func isNeeded(by styles: StyledTree) -> Bool {
    styles.pageStyles.all.contains { page in
      !page.marginBoxes.isEmpty || page.style.background.index != 0 || page.style.border.index != 0
    }
  }

  /// The furniture around a page; nil where it has none.
  func furnish(_ page: PageLayout, _ facts: PageFacts) -> FurnishedPage? {
    guard let index = styles.pageStyles.index(of: page.traits) else { return nil }
    let style = styles.pageStyles.all[index]
    let tree = tree(of: index, with: RunningElement.all(in: style, facts, of: styles))
    var resources = resources
    resources.counters = facts.counters
    resources.references.pageCounters = nil
    resources.namedString = { facts.string($0, $1) }
    let boxes = BoxGenerator.generate(tree, resources: resources)
    let shaper = Shaper(
      fonts: fonts, settings: ShapingSettings(rootFontSize: settings.rootFontSize), resources: shapingResources)
    let inputs = LayoutInputs(tree: boxes, styles: tree.table, fonts: fonts, images: images, settings: settings)
    let workspace = FormattingContexts.workspace(inputs, shaper: shaper)
    var byElement: [NodeID: BoxID] = [:]
    for (place, box) in boxes.boxes.enumerated() where box.parent == BoxTree.root { byElement[box.node] = BoxID(place) }
    let parts = tree.document.children(of: tree.document.root).map { byElement[$0] }
    let marginBoxes = PageMarginBox.allCases.enumerated().compactMap { place, kind in
      parts[Self.firstMarginBox + place].map { (kind: kind, box: $0) }
    }
    return FurnishedPage(
      document: tree.document, inputs: inputs,
      marginBoxes: marginBoxes.isEmpty
        ? nil : PageMarginLayout(workspace).layoutMarginBoxes(marginBoxes, around: page.geometry),
      kinds: Dictionary(uniqueKeysWithValues: marginBoxes.map { ($0.box, $0.kind) }), style: style,
      workspace: workspace, background: style.style.background.index != 0 ? parts[Self.background] : nil,
      border: style.style.border.index != 0 ? parts[Self.border] : nil)
  }

  /// Adds the furniture of a page to the display list of its content.
  ///
  /// - Returns: The characters in its margin boxes that no font has.
  func add(_ furniture: FurnishedPage, to list: inout DisplayList, page: PageLayout) -> MissingCharacters {
    let layout = PageMarginLayout(furniture.workspace)
    let painter = Painter(furniture.inputs, document: furniture.document, images: paintImages)
    var below = DisplayList(size: page.size)
    if let box = furniture.background {
      let bleed = LayoutUnit(furniture.style.bleed)
      let whole = Rect(
        x: -bleed, y: -bleed, width: page.size.width + bleed * 2, height: page.size.height + bleed * 2)
      below = painter.paint(layout.layoutPageDecoration(box, on: whole, of: page.geometry))
      // The canvas covers the page area only where the page has a background of its own.
      if !below.items.isEmpty, list.background != .white {
        below.items.append(.fillRect(page.contentArea, list.background))
        list.background = .white
      }
    }
    if let box = furniture.border {
      below.add(painter.paint(layout.layoutPageDecoration(box, on: page.geometry.borderBox, of: page.geometry)))
    }
    if !below.items.isEmpty { list.add(below, under: true) }
    guard let margins = furniture.marginBoxes else { return MissingCharacters() }
    list.add(painter.paint(margins))
    return MissingCharacters(on: margins, furniture.inputs.tree.texts, furniture.workspace.shaper).unplaced
  }

  /// The styled document of the furniture of a page that shows `elements`.
  private func tree(of index: Int, with elements: [RunningElement]) -> StyledTree {
    let tree = prepared[index] ?? prepare(styles.pageStyles.all[index])
    prepared[index] = tree
    guard !elements.isEmpty else { return tree }
    if let furnished, furnished.page == index, furnished.elements == elements { return furnished.tree }
    // From the last on, so that the ids of the margin boxes before it stay.
    let boxes = Array(document.children(of: document.root))
    let whole = elements.reversed().reduce(tree) { tree, element in
      tree.adding(element.node, of: styles, to: boxes[Self.firstMarginBox + Int(element.box.rawValue)])
    }
    furnished = (index, elements, whole)
    return whole
  }

  /// The styled document of the furniture of one kind of page.
  private func prepare(_ page: PageStyle) -> StyledTree {
    var table = styles.table
    func boxGroup(_ change: (inout BoxStyle) -> Void, from id: Identifier<BoxStyleTag> = .init(0))
      -> Identifier<BoxStyleTag>
    {
      var group = table[id]
      change(&group)
      table.boxes.append(group)
      return .init(table.boxes.count - 1)
    }
    var inherited = page.style.anonymousChild
    inherited.box = boxGroup { $0.display = .block }
    var paragraph = table[inherited.paragraph]
    paragraph.writingMode = .horizontalTB
    table.paragraphs.append(paragraph)
    inherited.paragraph = .init(table.paragraphs.count - 1)
    var hidden = inherited
    hidden.box = boxGroup { $0.display = .none }
    var styles = [ComputedStyle](repeating: hidden, count: document.nodes.count)
    styles[document.root.index] = inherited
    let elements = Array(document.children(of: document.root))
    var pseudoElements: [PseudoElementStyle] = []

    styles[elements[Self.background].index] = inherited
    styles[elements[Self.background].index].background = page.style.background
    styles[elements[Self.border].index] = inherited
    styles[elements[Self.border].index].border = page.style.border
    for (kind, style) in page.marginBoxes {
      let element = elements[Self.firstMarginBox + Int(kind.rawValue)]
      let content = table[style.box].content
      var own = style
      own.box = boxGroup(
        {
          $0.display = .flowRoot
          $0.content = .normal
          // Properties that do not apply to margin boxes (CSS Paged Media 3, section 9.2).
          $0.position = .static
          $0.float = .none
          $0.columnCount = nil
          $0.columnWidth = nil
          $0.transform = []
          $0.counterReset = []
          $0.counterIncrement = []
          $0.counterSet = []
        }, from: style.box)
      own.page = .init(0)
      styles[element.index] = own
      guard RunningElement.shown(by: style, table) == nil else { continue }
      var text = style.anonymousChild
      text.box = boxGroup {
        $0.display = .inline
        $0.content = content
      }
      pseudoElements.append(PseudoElementStyle(node: element, pseudo: .before, style: text))
    }
    pseudoElements.sort { $0.node < $1.node }
    var tree = StyledTree(
      document: document, styles: ComputedStyles(styles), pseudoElements: pseudoElements, table: table,
      statistics: StageStatistics(),
      diagnostics: DiagnosticSink())
    tree.counterStyles = self.styles.counterStyles
    return tree
  }
}
