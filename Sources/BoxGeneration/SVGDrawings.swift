import CSS
package import Drawings
import Markup
import Primitives
package import Styling
import Text

/// Drawings in a document as documents of their own, which another library draws (SVG 2, section 5.1): texts become
/// paths, HTML becomes groups, and what cannot be drawn is found.
struct SVGDrawings {
  /// Something that cannot be drawn, as a clause.
  struct Fault {
    var line: Int
    var message: String
  }

  let tree: StyledTree
  let resources: BoxResources
  let document: Document
  let boxTraits: [BoxTraits]
  var paths = SVGPaths()
  /// What of drawings cannot be drawn, as clauses.
  private(set) var undrawnElements: Set<String> = []
  /// Elements `foreignObject` so far.
  private var foreignCount = 0

  init(_ tree: StyledTree, _ resources: BoxResources, _ boxTraits: [BoxTraits]) {
    self.tree = tree
    document = tree.document
    self.resources = resources
    self.boxTraits = boxTraits
  }

  /// A drawing in its document, the places of its text, and what cannot be drawn of it.
  ///
  /// - Parameter isFile: The document is the drawing.
  mutating func drawing(
    _ root: NodeID, isFile: Bool, _ attributes: inout AttributeResolver
  ) -> (drawing: InlineSVG, text: DrawnText, faults: [Fault]) {
    let (texts, drawn) = self.texts(of: root, &attributes)
    var serializer = SVGSerializer(tree: tree, texts: texts)
    var faults: [Fault] = []
    serializer.foreignContents = foreignContents(of: root, &faults)
    serializer.isFile = isFile
    var paths: [GlyphPaths] = []
    let color = tree.table.texts[tree.styles[root.index].text.index].color
    let markup = serializer.markup(of: root, color: color, paths: &paths)
    return (InlineSVG(markup: markup, texts: paths, outlines: resources.outlines), drawn, faults)
  }

  // MARK: What librsvg does not draw

  /// Elements that show something in other programs (SVG 1.1 and 2), and not here.
  private static let undrawnNames: Set<String> = [
    "tref", "altGlyph", "mesh", "meshgradient", "hatch", "video", "audio", "canvas", "iframe",
  ]

  /// Elements `foreignObject` of a document that are set: each is a page of its own.
  private static let mostForeign = 500

  /// Sets the HTML in a drawing, and notes what cannot be drawn.
  private mutating func foreignContents(of root: NodeID, _ faults: inout [Fault]) -> [NodeID: [UInt8]] {
    var contents: [NodeID: [UInt8]] = [:]
    let end = min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)
    var index = root.index
    while index < end {
      let (id, node) = (NodeID(index), document.nodes[index])
      index += 1
      guard node.kind == .element, node.namespace == .svg else { continue }
      let fault: String
      if node.name == .foreignObject {
        index = max(index, node.subtreeEnd.index)
        if boxTraits[tree.styles[id.index].box.index].role == .none { continue }
        foreignCount += 1
        let content = foreignCount <= Self.mostForeign ? foreignContent(of: id) : nil
        contents[id] = content?.markup
        if content?.isWhole ?? (node.subtreeEnd.index == id.index + 1) { continue }
        fault =
          content == nil
          ? "the HTML in a foreignObject of a drawing cannot be shown"
          : "parts of the HTML in a foreignObject of a drawing cannot be shown"
      } else if node.name == .use {
        let link = document.attributeValue(.href, of: id) ?? document.attributeValue(.xlinkHref, of: id) ?? ""
        if link.isEmpty || link.hasPrefix("#") { continue }
        fault = "the element use of a drawing cannot be drawn: it refers to another file"
      } else {
        let name = document.names.name(of: node.name)
        guard let known = Self.undrawnNames.first(where: { $0 == name || $0.lowercased() == name }) else { continue }
        fault = "the element \(known) of a drawing cannot be drawn"
      }
      if undrawnElements.insert(fault).inserted { faults.append(Fault(line: Int(node.line), message: fault)) }
    }
    return contents
  }

  /// The content of a `foreignObject` in its place, and whether that is all of it; nil where it cannot be set.
  private func foreignContent(of element: NodeID) -> (markup: [UInt8], isWhole: Bool)? {
    let style = tree.table[tree.styles[element.index].box]
    let area = SVGTransforms(tree: tree).referenceArea(of: element, .viewBox)
    func side(_ name: String, _ value: SizeValue?, of whole: Double) -> Double {
      if case .length(let length)? = value { return SVGTransforms.pixels(length, of: whole) }
      let length = document.drawingAttribute(name, of: element).flatMap { Length.list($0).first }
      return length.map { SVGTransforms.pixels(.length($0), of: whole) } ?? 0
    }
    let (x, y) = (side("x", nil, of: area.width), side("y", nil, of: area.height))
    let (width, height) = (side("width", style.width, of: area.width), side("height", style.height, of: area.height))
    guard width > 0, height > 0, width < 1e5, height < 1e5,
      let content = resources.foreignObject(element, tree, Size(width: LayoutUnit(width), height: LayoutUnit(height)))
    else { return nil }
    var markup = "<g transform=\"translate(\(x) \(y))\">"
    let isClipped = style.overflowX != .visible
    if isClipped {
      let name = "foreign-\(element.index)"
      markup += "<clipPath id=\"\(name)\"><rect width=\"\(width)\" height=\"\(height)\"/></clipPath>"
      markup += "<g clip-path=\"url(#\(name))\">"
    }
    markup += content.markup + (isClipped ? "</g></g>" : "</g>")
    return (Array(markup.utf8), content.isWhole)
  }

  // MARK: Text for records

  /// Calls `body` with the text nodes that a drawing shows, and whether a line begins with each.
  func forEachText(of root: NodeID, _ body: (NodeID, _ beginsLine: Bool) -> Void) {
    let end = min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)
    var index = root.index
    var lineEnd = index
    var beginsLine = false
    while index < end {
      let node = document.nodes[index]
      if node.kind == .element, node.namespace == .svg {
        switch node.name {
        case .title, .desc, .metadata, .style, .script, .defs:
          index = max(index + 1, node.subtreeEnd.index)
          continue
        case _ where index >= lineEnd && (node.name == .text || node.name == .foreignObject):
          beginsLine = true
          lineEnd = node.subtreeEnd.index
        default: break
        }
      } else if node.kind == .text, index < lineEnd {
        body(NodeID(index), beginsLine)
        beginsLine = false
      }
      index += 1
    }
  }
}

extension BoxGenerator {
  /// A document that is a drawing, for a picture of it; nil where its root is another element.
  package static func drawing(_ tree: StyledTree, resources: BoxResources) -> PreparedDrawing? {
    let root = tree.document.root
    guard !root.isNone, tree.document.isElement(root, .svg, in: .svg) else { return nil }
    var generator = BoxGenerator(tree, resources)
    let drawing = generator.drawings.drawing(root, isFile: true, &generator.attributes).drawing
    var texts: [String] = []
    generator.drawings.forEachText(of: root) { node, beginsLine in
      let text = tree.document.string(tree.document.nodes[node.index].range)
      if beginsLine || texts.isEmpty { texts.append(text) } else { texts[texts.count - 1] += text }
    }
    return PreparedDrawing(
      source: drawing.markup, texts: texts.filter { !$0.allSatisfy(\.isWhitespace) },
      faults: generator.drawings.undrawnElements.sorted(), complete: { drawing.completed($0) })
  }
}
