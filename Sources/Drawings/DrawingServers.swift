import Graphics
import Primitives

/// Gradients and clips of a drawing, by the ids of their elements (SVG 2, chapter 14; CSS Masking 1, section 6).
struct DrawingServers {
  private let tree: SVGTree
  /// Made when the first reference is met. The first of several elements of an id counts.
  private lazy var elements: [String: Int] = {
    var found: [String: Int] = [:]
    for element in tree.elements.indices {
      guard let id = tree.value(of: "id", of: element) else { continue }
      let name = String(decoding: id, as: UTF8.self)
      if found[name] == nil { found[name] = element }
    }
    return found
  }()

  init(tree: SVGTree) { self.tree = tree }

  /// The place of an element by its id.
  mutating func element(_ id: String) -> Int? { elements[id] }

  /// All elements without a prefix are those of SVG, and none with one.
  var hasOneNamespace: Bool {
    for element in tree.elements.indices {
      for attribute in tree.attributes(of: element) {
        if tree.equals(attribute.name, "xmlns"), element > 0, !isSVG(attribute.value) { return false }
        if tree.starts(attribute.name, with: "xmlns:"), isSVG(attribute.value) { return isUnused(attribute.name) }
      }
    }
    return true
  }

  private func isSVG(_ value: Range<Int>) -> Bool { tree.equals(value, "http://www.w3.org/2000/svg") }

  /// No element has the prefix of a declaration, as where `xmlns:svg` stands beside `xmlns`.
  private func isUnused(_ declaration: Range<Int>) -> Bool {
    let prefix = tree.bytes[tree.localName(declaration)]
    return tree.elements.allSatisfy { element in
      !(tree.bytes[element.name].starts(with: prefix) && tree.localName(element.name) != element.name)
    }
  }

  /// The map neither makes all of a drawing a line nor moves it out of reach.
  static func isReasonable(_ map: AffineTransform) -> Bool {
    let parts = [map.a, map.b, map.c, map.d, map.tx, map.ty]
    return parts.allSatisfy { abs($0) < 1e6 } && abs(map.a * map.d - map.b * map.c) > 1e-9
  }

  // MARK: Paint

  /// What to paint with, nothing at all inside for `none`; nil where that is not known here.
  mutating func paint(
    _ paint: DrawingStyle.Paint, opacity: Double, _ current: Color, _ bounds: DrawingPath.Bounds?,
    _ values: inout DrawingValues
  ) -> (paint: DrawingPaint?, Void)? {
    func faded(_ color: Color) -> DrawingPaint {
      var color = color
      color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
      return .color(color)
    }
    switch paint {
    case .none: return (nil, ())
    case .color(let color): return (faded(color), ())
    case .currentColor: return (faded(current), ())
    case .server(let id, let fallback):
      guard let element = element(id) else {
        // Without a fallback there is none (SVG 2, section 13.2).
        return (fallback.map(faded), ())
      }
      return gradient(element, bounds: bounds, &values).map { (.gradient($0, opacity: opacity), ()) }
    }
  }

  private static let mostTemplates = 10

  /// The gradient of an element; nil where it is another paint server, or has parts that are not known here.
  private mutating func gradient(
    _ element: Int, bounds: DrawingPath.Bounds?, _ values: inout DrawingValues
  ) -> DrawingGradient? {
    guard let chain = templates(of: element) else { return nil }
    let isRadial = tree.equals(tree.elements[element].name, "radialGradient")
    func text(_ name: StaticString) -> String? {
      for link in chain {
        if let value = tree.value(of: name, of: link) { return String(decoding: value, as: UTF8.self) }
      }
      return nil
    }
    let isRelative: Bool
    switch text("gradientUnits") {
    case nil, "objectBoundingBox": isRelative = true
    case "userSpaceOnUse": isRelative = false
    default: return nil
    }
    func length(_ name: StaticString, _ initial: Double) -> Double? {
      guard let text = text(name) else { return isRelative ? initial : initial == 0 ? 0 : nil }
      return isRelative ? DrawingValues.share(text) : DrawingValues.length(text)
    }
    var map = AffineTransform.identity
    if let functions = text("gradientTransform") {
      guard let own = DrawingValues.transform(functions) else { return nil }
      map = own
    }
    if isRelative {
      guard let bounds, bounds.size.min() > 0 else { return nil }
      let (size, low) = (SIMD2<Float>(bounds.size), SIMD2<Float>(bounds.low))
      map = map.concatenating(AffineTransform(a: size.x, d: size.y, tx: low.x, ty: low.y))
    }
    let spread: DrawingGradient.Spread
    switch text("spreadMethod") {
    case nil, "pad": spread = .pad
    case "reflect": spread = .reflect
    case "repeat": spread = .repeating
    default: return nil
    }
    guard Self.isReasonable(map), let stops = stops(of: chain, &values) else { return nil }
    let focus = (x: text("fx") != nil, y: text("fy") != nil)
    let shape = isRadial ? Self.radial(length, text("fr"), names: focus) : Self.linear(length)
    return shape.map { DrawingGradient(shape: $0, spread: spread, map: map, stops: stops) }
  }

  private static func linear(_ length: (StaticString, Double) -> Double?) -> DrawingGradient.Shape? {
    guard let x1 = length("x1", 0), let y1 = length("y1", 0), let x2 = length("x2", 1), let y2 = length("y2", 0),
      x1 != x2 || y1 != y2
    else { return nil }
    return .linear(from: SIMD2(x1, y1), to: SIMD2(x2, y2))
  }

  private static func radial(
    _ length: (StaticString, Double) -> Double?, _ focalRadius: String?, names focus: (x: Bool, y: Bool)
  ) -> DrawingGradient.Shape? {
    guard focalRadius == nil, let x = length("cx", 0.5), let y = length("cy", 0.5), let radius = length("r", 0.5),
      let focusX = focus.x ? length("fx", 0) : x, let focusY = focus.y ? length("fy", 0) : y
    else { return nil }
    let (center, focus) = (SIMD2(x, y), SIMD2(focusX, focusY))
    let distance = ((focus - center) * (focus - center)).sum().squareRoot()
    return radius > 0 && distance < radius * 0.99 ? .radial(center: center, radius: radius, focus: focus) : nil
  }

  /// A gradient and those that it takes its parts from (SVG 2, section 14.2.2), with nothing in them that is not known
  /// here.
  private mutating func templates(of element: Int) -> [Int]? {
    var chain = [element]
    while chain.count <= Self.mostTemplates, let last = chain.last {
      let name = tree.elements[last].name
      // Others have other attributes of the same names.
      guard tree.equals(name, "linearGradient") || tree.equals(name, "radialGradient"),
        tree.attributes(of: last).allSatisfy({ isKnown($0) })
      else { return nil }
      guard let link = tree.value(of: "href", of: last) ?? tree.value(of: "xlink:href", of: last) else { return chain }
      guard link.first == UInt8(ascii: "#"),
        let next = self.element(String(decoding: link.dropFirst(), as: UTF8.self)), !chain.contains(next),
        tree.equals(tree.elements[next].name, "linearGradient")
          || tree.equals(tree.elements[next].name, "radialGradient")
      else { return nil }
      chain.append(next)
    }
    return nil
  }

  private static let gradientAttributes: [StaticString] = [
    "x1", "y1", "x2", "y2", "cx", "cy", "r", "fx", "fy", "gradientUnits", "gradientTransform", "spreadMethod", "href",
    "xlink:href",
  ]

  private func isKnown(_ attribute: SVGTree.Attribute) -> Bool {
    Self.gradientAttributes.contains { tree.equals(attribute.name, $0) }
      || tree.changesNothing(attribute.name, isRoot: false)
      || tree.localName(attribute.name) != attribute.name
  }

  /// The stops of the first of some gradients that has any.
  private func stops(of chain: [Int], _ values: inout DrawingValues) -> [GradientStop]? {
    for gradient in chain {
      let children = tree.children(of: gradient)
      guard !children.isEmpty else { continue }
      var stops: [GradientStop] = []
      for child in children {
        guard tree.equals(tree.elements[child].name, "stop"), var stop = stop(child, &values) else { return nil }
        stop.offset = Swift.max(stop.offset, stops.last?.offset ?? 0)
        stops.append(stop)
      }
      return stops.count >= 2 ? stops : nil
    }
    return nil
  }

  private func stop(_ element: Int, _ values: inout DrawingValues) -> GradientStop? {
    var color: String?
    var opacity: String?
    var offset = 0.0
    for attribute in tree.attributes(of: element) {
      let value = tree.text(attribute.value)
      if tree.equals(attribute.name, "offset") {
        guard let share = DrawingValues.share(value) else { return nil }
        offset = Swift.max(0, Swift.min(1, share))
      } else if tree.equals(attribute.name, "stop-color") {
        if color == nil { color = value }
      } else if tree.equals(attribute.name, "stop-opacity") {
        if opacity == nil { opacity = value }
      } else if tree.equals(attribute.name, "style") {
        for declaration in value.split(separator: ";") where !declaration.allSatisfy(\.isWhitespace) {
          let parts = declaration.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
          guard parts.count == 2 else { return nil }
          switch parts[0] {
          case "stop-color": color = parts[1]
          case "stop-opacity": opacity = parts[1]
          default: return nil
          }
        }
      } else if !tree.changesNothing(attribute.name, isRoot: false) {
        return nil
      }
    }
    guard var used = color.map({ values.color($0) }) ?? .black, let share = opacity.map(DrawingValues.opacity) ?? 1
    else { return nil }
    used.alpha = UInt8((Double(used.alpha) * share).rounded())
    return GradientStop(offset: Float(offset), color: used)
  }

  // MARK: Clips

  /// The outline that a `<clipPath>` clips to, in the user units of what it clips; nil where it has parts that are not
  /// known here.
  ///
  /// - Parameter bounds: Of what is clipped, where they are known.
  mutating func clip(
    _ id: String, bounds: DrawingPath.Bounds?, _ geometry: DrawingGeometry, _ values: inout DrawingValues
  ) -> (path: DrawingPath, isEvenOdd: Bool)? {
    guard let element = element(id), tree.equals(tree.elements[element].name, "clipPath"), !inheritsClipRule(element)
    else { return nil }
    var base = AffineTransform.identity
    var style = DrawingStyle()
    for attribute in tree.attributes(of: element) {
      let value = tree.text(attribute.value)
      if tree.equals(attribute.name, "clipPathUnits") {
        guard value == "userSpaceOnUse" || value == "objectBoundingBox" else { return nil }
        if value == "objectBoundingBox" {
          guard let bounds, bounds.size.min() > 0 else { return nil }
          let (size, low) = (SIMD2<Float>(bounds.size), SIMD2<Float>(bounds.low))
          base = AffineTransform(a: size.x, d: size.y, tx: low.x, ty: low.y)
        }
      } else if !isHarmless(attribute) {
        return nil
      }
    }
    var result = DrawingPath()
    var rule: Bool?
    for child in tree.children(of: element) {
      let name = tree.elements[child].name
      if tree.equals(name, "title") || tree.equals(name, "desc") { continue }
      guard let shape = DrawingGeometry.shape(name, in: tree), let map = map(ofClipped: child, &style, &values),
        let outline = geometry.path(of: child, shape), rule == nil || rule == style.isClipEvenOdd
      else { return nil }
      rule = style.isClipEvenOdd
      let whole = map.concatenating(base)
      guard Self.isReasonable(whole) else { return nil }
      result.append(outline) { SIMD2<Double>(whole.point(SIMD2<Float>($0))) }
    }
    return (result, rule ?? false)
  }

  /// An element around a clip may say by what rule its shapes clip.
  private func inheritsClipRule(_ element: Int) -> Bool {
    var around = element
    while around > 0 {
      around = tree.elements[around].parent
      if tree.value(of: "clip-rule", of: around) != nil || tree.value(of: "visibility", of: around) != nil {
        return true
      }
      let style = tree.value(of: "style", of: around).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if style.contains("clip-rule") || style.contains("visibility") { return true }
    }
    return false
  }

  private func isHarmless(_ attribute: SVGTree.Attribute) -> Bool {
    tree.changesNothing(attribute.name, isRoot: false) || tree.localName(attribute.name) != attribute.name
  }

  private static let clipped: [StaticString] = [
    "d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "points",
  ]

  /// The transform of a shape in a clip, whose rule goes into the style.
  private func map(
    ofClipped element: Int, _ style: inout DrawingStyle, _ values: inout DrawingValues
  ) -> AffineTransform? {
    var map = AffineTransform.identity
    style = DrawingStyle()
    for attribute in tree.attributes(of: element) {
      if Self.clipped.contains(where: { tree.equals(attribute.name, $0) }) || isHarmless(attribute) { continue }
      let value = tree.text(attribute.value)
      if tree.equals(attribute.name, "transform") {
        guard let own = DrawingValues.transform(value) else { return nil }
        map = own
      } else if tree.equals(attribute.name, "style")
        || style.apply(tree.text(attribute.name), value, &values) == .beyond
      {
        return nil
      }
    }
    guard style.own.isDisplayed, style.isVisible, style.own.clip == nil else { return nil }
    return map
  }
}
