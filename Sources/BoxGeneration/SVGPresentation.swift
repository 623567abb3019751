import CSS
import Markup
import Primitives
import Styling

/// The presentation of the elements of a drawing as librsvg understands them: computed by our own cascade, with colours
/// and lengths that SVG 1.1 has.
struct SVGPresentation {
  let tree: StyledTree

  /// The declarations that rules of the document give to an element.
  ///
  /// - Parameters:
  ///   - isRoot: Its box is painted by itself: what applies to that as a whole is left out.
  ///   - isFile: The drawing is a document: there is no such box.
  func declarations(of id: NodeID, isRoot: Bool, isFile: Bool = false) -> String {
    guard tree.document.nodes[id.index].namespace == .svg else { return "" }
    var declarations = (tree.drawingProperties[id] ?? []).filter { $0.name != "d" }.map {
      "\($0.name):\(resolved($0.value, of: $0.name, on: id) ?? $0.value)"
    }
    if !isRoot || isFile { declarations += computed(of: id) }
    if isRoot, isFile {
      let style = tree.styles[id.index]
      let background = tree.table[style.background].color.resolved(tree.table[style.text].color)
      if background.alpha > 0 { declarations.append("background-color:\(Self.css(background))") }
    }
    return declarations.joined(separator: ";")
  }

  /// The data of a path by rules (SVG 2, section 9.3.1), which librsvg takes from an attribute alone.
  func pathData(of id: NodeID) -> String? {
    guard let value = tree.drawingProperties[id]?.first(where: { $0.name == "d" })?.value, value.hasPrefix("path("),
      let start = value.firstIndex(where: { $0 == "\"" || $0 == "'" }), let end = value.lastIndex(of: value[start]),
      start < end
    else { return nil }
    return String(value[value.index(after: start)..<end])
  }

  /// The value of a presentation attribute in other words; nil where those of the document will do.
  func resolved(_ range: Range<UInt32>, of name: String, on id: NodeID) -> String? {
    guard tree.document.bytes(range).contains(UInt8(ascii: "(")),
      DrawingProperty.names.contains(name) || Self.sides.contains(name)
    else { return nil }
    return resolved(tree.document.string(range), of: name, on: id)
  }

  /// Properties that boxes have too, as far as they are not as they would be without rules.
  private func computed(of id: NodeID) -> [String] {
    let style = tree.styles[id.index]
    var declarations: [String] = []
    func add(_ name: String, _ property: PropertyID) {
      declarations.append("\(name):\(tree.table.value(of: property, style))")
    }
    let parent = tree.document.nodes[id.index].parent
    if !parent.isNone {
      let around = tree.styles[parent.index].text.index
      if around != style.text.index {
        let color = tree.table.texts[style.text.index].color
        if tree.table.texts[around].color != color { declarations.append("color:\(Self.css(color))") }
        if tree.table.texts[around].visibility != tree.table.texts[style.text.index].visibility {
          add("visibility", .text(.visibility))
        }
      }
    }
    // Most elements have the style of others, and none of these.
    let box = style.box.index
    if tree.table.boxes[box].opacity != 1 { add("opacity", .effect(.opacity)) }
    if tree.table.boxes[box].blendMode != .normal { add("mix-blend-mode", .effect(.mixBlendMode)) }
    if !tree.table.boxes[box].filter.isEmpty {
      declarations.append("filter:" + Self.withLocalReferences(tree.table.value(of: .effect(.filter), style)))
    }
    if let reference = tree.table.boxes[box].clipPath?.reference {
      declarations.append("clip-path:" + Self.withLocalReferences("url(\(reference))"))
    }
    if tree.table.boxes[box].rare != nil {
      let mask = tree.table.value(of: .rare(.maskImage), style)
      if mask.hasPrefix("url("), mask.contains("#") { declarations.append("mask:" + Self.withLocalReferences(mask)) }
    }
    if tree.table.boxes[box].display == .none, !Self.unseen.contains(tree.document.nodes[id.index].name) {
      declarations.append("display:none")
    }
    if case .length(.length(let width)) = tree.table.boxes[box].width {
      self.add("width", width, to: &declarations, of: id)
    }
    if case .length(.length(let height)) = tree.table.boxes[box].height {
      self.add("height", height, to: &declarations, of: id)
    }
    return declarations
  }

  /// References to elements of the document, which is one of its own now: without its path.
  private static func withLocalReferences(_ value: String) -> String {
    var result = ""
    var rest = value[...]
    while let start = rest.firstRange(of: "url(")?.upperBound, let end = rest[start...].firstIndex(of: ")") {
      let url = rest[start..<end].filter { $0 != "\"" && $0 != "'" }
      result += rest[..<start] + (url.lastIndex(of: "#").map { url[$0...] } ?? url[...])
      rest = rest[end...]
    }
    return result + rest
  }

  private func add(_ name: String, _ side: Length, to declarations: inout [String], of id: NodeID) {
    // Of an `svg` it may be its attribute.
    if tree.document.nodes[id.index].name == .svg, tree.document.drawingAttribute(name, of: id) != nil { return }
    declarations.append("\(name):\(Self.css(side, tree.styles[id.index], tree))")
  }

  /// Elements that show nothing where they stand; a declaration would take them from those that refer to them.
  private static let unseen: Set<Atom> = [.defs, .title, .desc, .metadata, .style, .script]

  /// The value of a property in words of SVG 1.1; nil where it is in such already.
  private func resolved(_ value: String, of name: String, on id: NodeID) -> String? {
    let style = tree.styles[id.index]
    if DrawingProperty.paints.contains(name) { return paint(value, tree.table[style.text].color) }
    guard DrawingProperty.lengths.contains(name) || Self.sides.contains(name) else { return nil }
    if value.contains("("), let length = DrawingProperty.length(value) { return Self.css(length, style, tree) }
    // Units that came later.
    let lengths = Length.list(value)
    guard lengths.contains(where: { !Self.units.contains($0.unit) }) else { return nil }
    return lengths.map { Self.css($0, style, tree) }.joined(separator: " ")
  }

  /// Lengths that are no properties of drawings alone.
  private static let sides: Set<String> = ["width", "height"]
  private static let units: Set<LengthUnit> = [.px, .percent, .em, .ex]

  private static func css(_ length: Length, _ style: ComputedStyle, _ tree: StyledTree) -> String {
    if length.unit == .percent { return "\(length.value)%" }
    func size(_ id: ComputedStyle) -> Float { tree.table.fonts[id.font.index].size.resolved(rootFontSize: 16) }
    let root = tree.document.root
    let basis = LengthBasis(fontSize: size(style), rootFontSize: root.isNone ? 16 : size(tree.styles[root.index]))
    return "\(basis.pixels(length) ?? 0)px"
  }

  /// A colour, or a reference to a paint with a colour behind it that is taken where there is none (SVG 2, section
  /// 13.2).
  private func paint(_ value: String, _ current: Color) -> String? {
    var (reference, rest) = ("", value[...])
    if value.hasPrefix("url("), let end = value.firstIndex(of: ")") {
      reference = value[...end] + " "
      rest = value[value.index(after: end)...]
    }
    // Without a function it is a name or a number that all know.
    guard rest.contains("("), let color = DrawingProperty.color(String(rest)) else { return nil }
    return reference + Self.css(color.resolved(current))
  }

  private static func css(_ color: Color) -> String {
    color.alpha == 255
      ? "rgb(\(color.red),\(color.green),\(color.blue))"
      : "rgba(\(color.red),\(color.green),\(color.blue),\(Float(color.alpha) / 255))"
  }
}
