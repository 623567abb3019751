import Markup
import Primitives
import Styling

/// Writes an SVG subtree as a document of its own, with the declarations that rules give to its elements, and
/// with texts as paths.
struct SVGSerializer {
  let tree: StyledTree
  /// As `SVGDrawings.texts` makes them.
  let texts: [NodeID: GlyphPaths]
  /// The content of elements `foreignObject`, which become groups of it.
  var foreignContents: [NodeID: [UInt8]] = [:]
  /// The drawing is a document: no box of its own is painted around it.
  var isFile = false
  /// Declarations for elements that win over all others.
  var furtherDeclarations: [NodeID: String] = [:]
  private var document: Document { tree.document }
  private let resolver: SVGPresentation

  init(tree: StyledTree, texts: [NodeID: GlyphPaths] = [:]) {
    self.tree = tree
    resolver = SVGPresentation(tree: tree)
    self.texts = texts
  }

  /// - Parameter paths: Receives the texts by the numbers in their placeholders.
  func markup(of root: NodeID, color: Color, paths: inout [GlyphPaths]) -> [UInt8] {
    var output: [UInt8] = []
    var open: [(id: NodeID, name: String)] = []
    let end = document.nodes[root.index].subtreeEnd.index
    var index = root.index
    // The end of the content of a text that is set already.
    var textEnd = 0
    let dropsSheets = isOutlined(root)
    let namesRendering = namesShapeRendering(in: root)
    while index < min(end, document.nodes.count) {
      while let last = open.last, document.nodes[last.id.index].subtreeEnd.index <= index {
        close(open.removeLast().name, &output)
      }
      let id = NodeID(index)
      let node = document.nodes[index]
      if node.kind == .text {
        if index < textEnd {
          if let text = texts[id], !text.isEmpty {
            output += InlineSVG.placeholder(of: paths.count).utf8
            paths.append(text)
          }
        } else {
          XMLEscaping.append(document.bytes(node.range), to: &output)
        }
      } else if dropsSheets, document.isElement(id, .style, in: .svg) {
        index = max(index + 1, node.subtreeEnd.index)
        continue
      } else if node.kind == .element {
        if texts[id] != nil { textEnd = node.subtreeEnd.index }
        let isOutlined = index < textEnd && (node.name == .text || node.name == .tspan || node.name == .textPath)
        // What it says of shapes does not hold for glyphs.
        let rendering = isOutlined && namesRendering ? ";shape-rendering:auto" : ""
        let foreign = foreignContents[id]
        let name = isOutlined || foreign != nil ? "g" : name(of: node)
        start(id, name, isRoot: id == root, isOutlined: isOutlined || foreign != nil, color: color, rendering, &output)
        if let foreign {
          output += foreign
          close(name, &output)
          index = max(index + 1, node.subtreeEnd.index)
          continue
        }
        open.append((id, name))
      }
      index += 1
    }
    while let last = open.popLast() { close(last.name, &output) }
    return output
  }

  /// All texts are paths. What rules say of other elements stands with these (`SVGPresentation`): no sheet is needed
  /// any more.
  private func isOutlined(_ root: NodeID) -> Bool {
    (root.index..<min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)).allSatisfy { index in
      let id = NodeID(index)
      return !document.isElement(id, .text, in: .svg) || texts[id] != nil
    }
  }

  /// An element has the property `shape-rendering`.
  private func namesShapeRendering(in root: NodeID) -> Bool {
    let name = "shape-rendering"
    return (root.index..<min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)).contains { index in
      let id = NodeID(index)
      return document.drawingAttribute(name, of: id) != nil
        || tree.drawingProperties[id]?.contains { $0.name == name } == true
        || document.drawingAttribute("style", of: id)?.contains(name) == true
    }
  }

  private func name(of node: Node) -> String {
    let name = document.names.name(of: node.name)
    return document.isXML ? name : Self.camelCase[name] ?? name
  }

  private func start(
    _ id: NodeID, _ name: String, isRoot: Bool, isOutlined: Bool, color: Color, _ furtherDeclaration: String,
    _ output: inout [UInt8]
  ) {
    let node = document.nodes[id.index]
    let clip = SVGClips(tree: tree).element(of: id)
    if let clip { output += clip.utf8 }
    output.append(0x3C)
    output += name.utf8
    output += namespaces(of: node, isRoot: isRoot).utf8
    var hasColor = false
    var declarations = resolver.declarations(of: id, isRoot: isRoot, isFile: isFile)
    let transform = transform(of: id)
    let pathData = resolver.pathData(of: id)
    for index in node.range {
      let attribute = document.attributes[Int(index)]
      if attribute.namespace == .other { continue }
      var name = document.names.name(of: attribute.name)
      if name.hasPrefix("xmlns") || name.isEmpty { continue }
      if !document.isXML { name = Self.camelCase[name] ?? name }
      if name == "color" { hasColor = true }
      // The places are those of characters that are paths now.
      if isOutlined, Self.placing.contains(name) { continue }
      if name == "transform", transform != nil { continue }
      if name == "clip-path", clip != nil { continue }
      if name == "d", pathData != nil { continue }
      if name == "style" {
        declarations = document.string(attribute.value) + ";" + declarations
        continue
      }
      output.append(0x20)
      output += name.utf8
      output += "=\"".utf8
      if let resolved = resolver.resolved(attribute.value, of: name, on: id) {
        XMLEscaping.append(Array(resolved.utf8)[...], to: &output)
      } else {
        XMLEscaping.append(document.bytes(attribute.value), to: &output)
      }
      output.append(0x22)
    }
    if let further = furtherDeclarations[id] { declarations += ";" + further }
    declarations += furtherDeclaration
    if let transform {
      output += " transform=\"\(transform)\"".utf8
      // A declaration would win over the attribute, which says the same.
      if !declarations.isEmpty { declarations = Self.withoutTransforms(declarations) }
    }
    if let pathData {
      output += " d=\"".utf8
      XMLEscaping.append(Array(pathData.utf8)[...], to: &output)
      output.append(0x22)
    }
    if clip != nil { output += " clip-path=\"url(#\(SVGClips.name(of: id)))\"".utf8 }
    // The value of `currentColor` inside.
    if isRoot, !hasColor, color != .black {
      output += " color=\"\(Color(red: color.red, green: color.green, blue: color.blue))\"".utf8
    }
    if !declarations.isEmpty {
      output += " style=\"".utf8
      XMLEscaping.append(Array(declarations.utf8)[...], to: &output)
      output.append(0x22)
    }
    output.append(0x3E)
  }

  /// The declarations of namespaces that an element needs.
  private func namespaces(of node: Node, isRoot: Bool) -> String {
    if isRoot {
      return " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
        + " xmlns:epub=\"http://www.idpf.org/2007/ops\""
    }
    let parent = node.parent.isNone ? Namespace.none : document.nodes[node.parent.index].namespace
    if node.namespace == parent { return "" }
    return switch node.namespace {
    case .html: " xmlns=\"http://www.w3.org/1999/xhtml\""
    case .svg: " xmlns=\"http://www.w3.org/2000/svg\""
    case .mathML: " xmlns=\"http://www.w3.org/1998/Math/MathML\""
    default: " xmlns=\"\""
    }
  }

  private func transform(of id: NodeID) -> String? {
    var attribute: String?
    var origin: String?
    for index in document.nodes[id.index].range {
      let entry = document.attributes[Int(index)]
      switch document.names.name(of: entry.name) {
      case "transform": attribute = document.string(entry.value)
      case "transform-origin": origin = document.string(entry.value)
      default: break
      }
    }
    return SVGTransforms(tree: tree).transform(of: id, attribute: attribute, origin: origin)
  }

  private static func withoutTransforms(_ declarations: String) -> String {
    declarations.split(separator: ";").filter { !$0.drop { $0.isWhitespace }.hasPrefix("transform") }.joined(
      separator: ";")
  }

  /// Attributes that place characters, and one that means another thing for groups.
  private static let placing: Set<String> = [
    "x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust", "width", "height", "requiredFeatures",
    "requiredExtensions",
  ]

  private func close(_ name: String, _ output: inout [UInt8]) {
    output += "</".utf8
    output += name.utf8
    output.append(0x3E)
  }

  /// Names that an HTML reader has lowered (HTML, section 13.2.6.5).
  private static let camelCase: [String: String] = {
    let names = [
      "viewBox", "preserveAspectRatio", "linearGradient", "radialGradient", "clipPath", "textPath", "foreignObject",
      "gradientUnits",
      "gradientTransform", "spreadMethod", "patternUnits", "patternContentUnits", "patternTransform", "clipPathUnits",
      "maskUnits",
      "maskContentUnits", "markerWidth", "markerHeight", "markerUnits", "refX", "refY", "textLength", "lengthAdjust",
      "startOffset",
      "pathLength", "stdDeviation", "filterUnits", "primitiveUnits", "baseFrequency", "numOctaves", "tableValues",
      "feBlend",
      "feColorMatrix", "feComponentTransfer", "feComposite", "feFlood", "feGaussianBlur", "feImage", "feMerge",
      "feMergeNode",
      "feMorphology", "feOffset", "feTile", "feTurbulence", "feDropShadow", "feFuncR", "feFuncG", "feFuncB", "feFuncA",
    ]
    return Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }()
}
