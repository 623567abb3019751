import Graphics
import Primitives

/// Reads an SVG document as a list of what it draws (SVG 2, chapters 5, 8 to 10).
///
/// It takes over what is certain to be what librsvg makes of it, and gives up at anything else: text, style sheets,
/// filters, masks, patterns, markers, pictures beside other content, values written in unusual ways.
struct DrawingReader {
  private let tree: SVGTree
  private var drawing: Drawing
  private var values = DrawingValues()
  private var servers: DrawingServers
  private let geometry: DrawingGeometry
  private var elementCount = 0
  private var pointCount = 0

  /// Far above what drawings of books have. Larger ones are left to a process that can be stopped.
  private static let limits = (elements: 50_000, points: 400_000, depth: 60)

  /// - Parameter natural: What coordinates are those of without a `viewBox`; nil where they are those of its area.
  static func read(_ plain: PlainSVG, natural: SIMD2<Float>?) -> Drawing? {
    var reader = DrawingReader(plain, natural: natural)
    return reader.readRoot() ? reader.drawing : nil
  }

  private init(_ plain: PlainSVG, natural: SIMD2<Float>?) {
    tree = plain.tree
    servers = DrawingServers(tree: plain.tree)
    let ratio = plain.tree.value(of: "preserveAspectRatio", of: 0).map { String(decoding: $0, as: UTF8.self) }
    drawing = Drawing(
      viewport: DrawingViewport(box: plain.viewBox, preserveAspectRatio: ratio), natural: natural)
    geometry = DrawingGeometry(
      tree: plain.tree, viewport: (plain.viewBox?.size ?? natural).map { SIMD2<Double>($0) })
  }

  // MARK: Elements

  /// What an element is; those that are not shown where they stand are `hidden`.
  private enum Kind {
    case group, use, shape(DrawingGeometry.Shape), hidden, foreign
  }

  private static let hidden: [StaticString] = [
    "defs", "title", "desc", "metadata", "linearGradient", "radialGradient", "clipPath", "pattern", "mask", "marker",
    "filter", "symbol", "script",
  ]

  /// Nil for an element that is to be drawn in ways that are not known here.
  private func kind(of element: Int) -> Kind? {
    let name = tree.elements[element].name
    if let shape = DrawingGeometry.shape(name, in: tree) { return .shape(shape) }
    if tree.equals(name, "g") || tree.equals(name, "a") { return .group }
    if tree.equals(name, "use") { return .use }
    if Self.hidden.contains(where: { tree.equals(name, $0) }) { return .hidden }
    // Without rules in it a sheet changes nothing.
    if tree.equals(name, "style") {
      return tree.bytes[tree.elements[element].content].allSatisfy { $0 <= 0x20 } ? .hidden : nil
    }
    // Elements of editors, in namespaces of their own.
    return tree.localName(name) == name ? nil : .foreign
  }

  private mutating func readRoot() -> Bool {
    guard tree.equals(tree.elements[0].name, "svg"), servers.hasOneNamespace else { return false }
    var style = DrawingStyle()
    let known: [StaticString] = ["viewBox", "width", "height", "preserveAspectRatio", "x", "y"]
    guard readStyle(of: 0, known: known, into: &style) != nil, style.own.isDisplayed else { return false }
    return readGroup(0, style, .identity, depth: 0)
  }

  /// Draws an element and what is in it; false where something is beyond what is known here.
  private mutating func read(_ element: Int, in style: DrawingStyle, _ map: AffineTransform, depth: Int) -> Bool {
    elementCount += 1
    guard elementCount <= Self.limits.elements, depth <= Self.limits.depth, let kind = kind(of: element) else {
      return false
    }
    var style = style
    style.own = .init()
    switch kind {
    case .hidden, .foreign: return true
    case .group:
      guard let own = readStyle(of: element, known: [], into: &style) else { return false }
      return readGroup(element, style, own.concatenating(map), depth: depth)
    case .use:
      guard let own = readStyle(of: element, known: ["x", "y", "href", "xlink:href"], into: &style) else {
        return false
      }
      return readUse(element, style, own.concatenating(map), depth: depth)
    case .shape(let shape):
      guard let own = readStyle(of: element, known: DrawingGeometry.attributes, into: &style),
        let path = geometry.path(of: element, shape)
      else { return false }
      return draw(path, style, own.concatenating(map))
    }
  }

  private mutating func readGroup(_ element: Int, _ style: DrawingStyle, _ map: AffineTransform, depth: Int) -> Bool {
    guard style.own.isDisplayed else { return true }
    guard let saved = save(style, map, bounds: nil) else { return false }
    var next = element + 1
    while next < tree.elements[element].end {
      guard read(next, in: style, map, depth: depth + 1) else { return false }
      next = tree.elements[next].end
    }
    restore(saved)
    return true
  }

  /// A shape or a group elsewhere in the document (SVG 2, section 5.6).
  private mutating func readUse(_ element: Int, _ style: DrawingStyle, _ map: AffineTransform, depth: Int) -> Bool {
    guard style.own.isDisplayed else { return true }
    guard let link = tree.value(of: "href", of: element) ?? tree.value(of: "xlink:href", of: element),
      link.first == UInt8(ascii: "#"),
      let target = servers.element(String(decoding: link.dropFirst(), as: UTF8.self)),
      let x = geometry.length("x", of: element, along: 0), let y = geometry.length("y", of: element, along: 1)
    else { return false }
    // An element in itself is not drawn.
    guard !(target..<tree.elements[target].end).contains(element), let kind = kind(of: target) else { return false }
    switch kind {
    case .group, .shape, .use: break
    case .hidden, .foreign: return false
    }
    let moved = AffineTransform(tx: Float(x), ty: Float(y)).concatenating(map)
    guard let saved = save(style, moved, bounds: nil), read(target, in: style, moved, depth: depth + 1) else {
      return false
    }
    restore(saved)
    return true
  }

  // MARK: Style

  /// Takes over the properties of an element, and gives its transform; nil where something in them is not known here.
  ///
  /// - Parameter known: Further attributes that it may have.
  private mutating func readStyle(
    of element: Int, known: [StaticString], into style: inout DrawingStyle
  ) -> AffineTransform? {
    var map = AffineTransform.identity
    var declarations: Range<Int>?
    for attribute in tree.attributes(of: element) {
      let name = attribute.name
      if known.contains(where: { tree.equals(name, $0) }) || tree.changesNothing(name, isRoot: element == 0) {
        continue
      }
      guard !tree.bytes[attribute.value].contains(UInt8(ascii: "&")) else { return nil }
      if tree.equals(name, "style") {
        declarations = attribute.value
      } else if tree.equals(name, "transform"), element > 0 {
        guard let own = DrawingValues.transform(tree.text(attribute.value)) else { return nil }
        map = own
      } else if tree.localName(name) != name {
        // Of editors; those of XLink mean links here.
        continue
      } else if style.apply(tree.text(name), DrawingValues.trimmed(tree.text(attribute.value)), &values) == .beyond {
        return nil
      }
    }
    // Declarations win over attributes.
    if let declarations, !apply(tree.text(declarations), to: &style) { return nil }
    return map
  }

  private mutating func apply(_ declarations: String, to style: inout DrawingStyle) -> Bool {
    guard !declarations.contains(where: { "!\\@{}".contains($0) }), !declarations.contains("/*") else { return false }
    for declaration in declarations.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      if parts.count < 2, declaration.allSatisfy(\.isWhitespace) { continue }
      guard parts.count == 2 else { return false }
      let name = DrawingValues.trimmed(String(parts[0]))
      guard style.apply(name, DrawingValues.trimmed(String(parts[1])), &values) != .beyond else { return false }
    }
    return true
  }

  // MARK: Shapes

  private mutating func draw(_ path: DrawingPath, _ style: DrawingStyle, _ map: AffineTransform) -> Bool {
    pointCount += path.elements.count
    guard pointCount <= Self.limits.points, DrawingServers.isReasonable(map) else { return false }
    guard style.own.isDisplayed, style.isVisible, !path.elements.isEmpty else { return true }
    guard isDashedWithinReason(path, style) else { return false }
    var style = style
    // What is painted once needs no group of its own.
    if style.own.opacity < 1, style.fill == .none || style.stroke == .none || style.line.width == 0 {
      style.fillOpacity *= style.own.opacity
      style.strokeOpacity *= style.own.opacity
      style.own.opacity = 1
    }
    let bounds = path.bounds
    guard let saved = save(style, map, bounds: bounds),
      let fill = servers.paint(style.fill, opacity: style.fillOpacity, style.color, bounds, &values),
      let stroke = servers.paint(style.stroke, opacity: style.strokeOpacity, style.color, bounds, &values)
    else { return false }
    if let paint = fill.paint { drawing.commands.append(.fill(path, paint, isEvenOdd: style.isFillEvenOdd, map)) }
    if let paint = stroke.paint, style.line.width > 0 { drawing.commands.append(.stroke(path, paint, style.line, map)) }
    restore(saved)
    return true
  }

  /// Dashes that may be drawn in a stroke.
  private static let mostDashes = 20_000.0

  private func isDashedWithinReason(_ path: DrawingPath, _ style: DrawingStyle) -> Bool {
    guard !style.line.dashes.isEmpty, style.stroke != .none else { return true }
    let pattern = style.line.dashes.reduce(0, +)
    return path.greatestLength / pattern * Double(style.line.dashes.count) < Self.mostDashes
  }

  // MARK: Clips and groups

  /// Begins what clips and groups an element, and gives how often to end it; nil where that is not known here.
  ///
  /// - Parameter bounds: Of the element; nil for a group, whose clips in shares of them are not known here.
  private mutating func save(_ style: DrawingStyle, _ map: AffineTransform, bounds: DrawingPath.Bounds?) -> Int? {
    var saved = 0
    if let id = style.own.clip {
      guard let clip = servers.clip(id, bounds: bounds, geometry, &values) else { return nil }
      pointCount += clip.path.elements.count
      drawing.commands.append(.saveClip(clip.path, isEvenOdd: clip.isEvenOdd, map))
      saved += 1
    }
    if style.own.opacity < 1 {
      drawing.commands.append(.saveGroup(opacity: style.own.opacity))
      saved += 1
    }
    return saved
  }

  private mutating func restore(_ saved: Int) {
    for _ in 0..<saved { drawing.commands.append(.restore) }
  }
}
