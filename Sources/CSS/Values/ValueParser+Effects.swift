import Primitives

let geometryBoxWords = words(
  GeometryBox.self, also: ["fill-box": .contentBox, "stroke-box": .borderBox, "view-box": .borderBox])

/// `<visual-box>` (CSS Box 4, section 4.1).
private let visualBoxWords = words(GeometryBox.self, except: [.marginBox])

extension ValueParser {
  mutating func isolation() -> PropertyValue? {
    if keyword("auto") { return .integer(0) }
    return keyword("isolate") ? .integer(1) : nil
  }
  mutating func clipPathValue() -> PropertyValue? {
    if keyword("none") { return .absent }
    if let url = url() {
      let box = keyword(GeometryBox.self, geometryBoxWords) ?? .borderBox
      return .clipPath(ClipPath(shape: nil, box: box, reference: url))
    }
    return clipPath().map { .clipPath($0) }
  }

  mutating func containment() -> PropertyValue? {
    if keyword("none") { return .flags(0) }
    var value: Containment = []
    if keyword("strict") {
      value = [.inlineSize, .blockSize, .layout, .style, .paint]
    } else if keyword("content") {
      value = [.layout, .style, .paint]
    } else {
      while !isAtEnd {
        let next: Containment
        if keyword("size") {
          next = [.inlineSize, .blockSize]
        } else if keyword("inline-size") {
          next = .inlineSize
        } else if keyword("layout") {
          next = .layout
        } else if keyword("style") {
          next = .style
        } else if keyword("paint") {
          next = .paint
        } else {
          return nil
        }
        guard value.isDisjoint(with: next) else { return nil }
        value.formUnion(next)
      }
      if value.isEmpty { return nil }
    }
    return .flags(UInt32(value.rawValue))
  }

  mutating func willChange() -> PropertyValue? {
    if keyword("auto") { return .flags(0) }
    let names = commaSeparated { $0.ident()?.lowercased() }
    return names.map { names in
      let value = names.reduce(WillChange()) { value, name in
        switch name {
        case "transform", "translate", "rotate", "scale", "perspective", "transform-style":
          value.union([.stackingContext, .fixedContainer])
        case "filter", "backdrop-filter": value.union([.stackingContext, .fixedContainer, .backdropRoot])
        case "opacity", "clip-path", "mask", "mask-image", "mix-blend-mode":
          value.union([.stackingContext, .backdropRoot])
        case "isolation", "z-index": value.union(.stackingContext)
        default: value
        }
      }
      return .flags(UInt32(value.rawValue))
    }
  }

  mutating func clipMargin() -> PropertyValue? {
    var box: GeometryBox?
    var distance: Length?
    while !isAtEnd {
      if box == nil, let next = keyword(GeometryBox.self, visualBoxWords) {
        box = next
      } else if distance == nil, let next = length([.nonNegative]) {
        distance = next
      } else {
        return nil
      }
    }
    guard box != nil || distance != nil else { return nil }
    return .clipMargin(ClipMargin(box: box ?? .paddingBox, distance: distance ?? .zero))
  }

  /// `auto` remembers a size that the page has had before, which there is none of.
  mutating func containIntrinsicSize() -> PropertyValue? {
    _ = keyword("auto")
    if keyword("none") { return .absent }
    return length([.nonNegative]).map { .length($0) }
  }

  mutating func shapeOutside() -> PropertyValue? {
    if keyword("none") { return .absent }
    if let shape = attempt({ $0.clipPath(in: .marginBox) }) { return .shapeOutside(.shape(shape)) }
    return image().map { .shapeOutside(.image($0)) }
  }

  /// `none` or a list of filter functions (Filter Effects 1, section 5).
  mutating func filters() -> [FilterFunction]? {
    if keyword("none") { return [] }
    var filters: [FilterFunction] = []
    while !isAtEnd {
      if let url = url() {
        filters.append(.reference(url))
        continue
      }
      guard peek().kind == .function, let filter = attempt({ $0.filter() }) else { return nil }
      filters.append(filter)
    }
    return filters.isEmpty ? nil : filters
  }

  private mutating func filter() -> FilterFunction? {
    let name = cursor.lowercasedText
    return block { parser in
      /// A number or percentage, 1 when left out; `limited` ones are at most 1.
      func amount(limited: Bool) -> Float? {
        if parser.isAtEnd { return 1 }
        return parser.numberOrPercentage(atLeast: 0).map { Float(limited ? min(1, $0) : $0) }
      }
      switch name {
      case "blur":
        if parser.isAtEnd { return .blur(.zero) }
        return parser.length([.nonNegative]).map { .blur($0) }
      case "brightness": return amount(limited: false).map { .brightness($0) }
      case "contrast": return amount(limited: false).map { .contrast($0) }
      case "grayscale": return amount(limited: true).map { .grayscale($0) }
      case "hue-rotate":
        if parser.isAtEnd { return .hueRotate(0) }
        return parser.angle(zero: true).map { .hueRotate(Float($0)) }
      case "invert": return amount(limited: true).map { .invert($0) }
      case "opacity": return amount(limited: true).map { .opacity($0) }
      case "saturate": return amount(limited: false).map { .saturate($0) }
      case "sepia": return amount(limited: true).map { .sepia($0) }
      case "drop-shadow":
        guard let shadows = parser.shadows(forText: true), shadows.count == 1 else { return nil }
        return .dropShadow(shadows[0])
      default: return nil
      }
    }
  }

  /// A basic shape, a box, or both in either order; `standard` is the box of a shape alone.
  mutating func clipPath(in standard: GeometryBox = .borderBox) -> ClipPath? {
    var shape: BasicShape?
    var box: GeometryBox?
    while !isAtEnd {
      if box == nil, let next = keyword(GeometryBox.self, geometryBoxWords) {
        box = next
      } else if shape == nil, let next = attempt({ $0.basicShape() }) {
        shape = next
      } else {
        return nil
      }
    }
    return shape == nil && box == nil ? nil : ClipPath(shape: shape, box: box ?? standard)
  }

  /// `object-view-box`: `none` or a rectangle.
  mutating func objectViewBox() -> PropertyValue? {
    if keyword("none") { return .absent }
    guard let shape = basicShape(), case .inset = shape else { return nil }
    return .clipPath(ClipPath(shape: shape, box: .borderBox))
  }

  private mutating func basicShape() -> BasicShape? {
    guard peek().kind == .function else { return nil }
    let name = cursor.lowercasedText
    return block { parser in
      switch name {
      case "inset": return parser.insetShape()
      case "rect": return parser.rectShape()
      case "xywh": return parser.rectangleShape()
      case "circle":
        let radius = parser.shapeRadius() ?? .closestSide
        return parser.shapeCenter().map { .circle(radius, center: $0) }
      case "ellipse":
        var x = ShapeRadius.closestSide
        var y = ShapeRadius.closestSide
        if let first = parser.shapeRadius() {
          guard let second = parser.shapeRadius() else { return nil }
          (x, y) = (first, second)
        }
        return parser.shapeCenter().map { .ellipse(x, y, center: $0) }
      case "polygon":
        let isEvenOdd = parser.keyword("evenodd")
        if isEvenOdd || parser.keyword("nonzero"), !parser.comma() { return nil }
        let points = parser.commaSeparated { parser -> PositionValue? in
          guard let x = parser.lengthPercentage(), let y = parser.lengthPercentage() else { return nil }
          return PositionValue(x: x, y: y)
        }
        return points.map { .polygon($0, isEvenOdd: isEvenOdd) }
      case "path": return parser.pathShape()
      case "shape": return parser.segmentedShape()
      default: return nil
      }
    }
  }

  private mutating func insetShape() -> BasicShape? {
    var edges: [LengthPercentage] = []
    while edges.count < 4, let next = lengthPercentage() { edges.append(next) }
    guard let top = edges.first else { return nil }
    let right = edges.count > 1 ? edges[1] : top
    let sides = Sides(
      top: top, right: right, bottom: edges.count > 2 ? edges[2] : top, left: edges.count > 3 ? edges[3] : right)
    return roundedInset(sides)
  }

  /// `rect()`: distances of the edges from the top and the left (CSS Shapes 1, section 3.1.2).
  private mutating func rectShape() -> BasicShape? {
    func edge(_ isFar: Bool) -> LengthPercentage? {
      if keyword("auto") { return .length(Length(0, .percent)) }
      return lengthPercentage().map { fromEdge($0, isFar: isFar) }
    }
    guard let top = edge(false), let right = edge(true), let bottom = edge(true), let left = edge(false) else {
      return nil
    }
    return roundedInset(Sides(top: top, right: right, bottom: bottom, left: left))
  }

  /// `xywh()`: a corner, a width and a height (CSS Shapes 1, section 3.1.3).
  private mutating func rectangleShape() -> BasicShape? {
    guard let x = lengthPercentage(), let y = lengthPercentage(),
      let width = lengthPercentage([.percent, .nonNegative]), let height = lengthPercentage([.percent, .nonNegative])
    else { return nil }
    return roundedInset(
      Sides(top: y, right: fromEdge(sum(x, width), isFar: true), bottom: fromEdge(sum(y, height), isFar: true), left: x)
    )
  }

  private mutating func roundedInset(_ sides: Sides<LengthPercentage>) -> BasicShape? {
    guard keyword("round") else { return .inset(sides, radiusX: [], radiusY: []) }
    guard let radii = cornerRadii() else { return nil }
    return .inset(sides, radiusX: radii.x, radiusY: radii.y)
  }

  private mutating func shapeRadius() -> ShapeRadius? {
    if keyword("closest-side") { return .closestSide }
    if keyword("farthest-side") { return .farthestSide }
    return lengthPercentage([.percent, .nonNegative]).map { .length($0) }
  }

  private mutating func shapeCenter() -> PositionValue? {
    if keyword("at") { return position(threeParts: false) }
    return PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  }

  /// The value of `border-radius`: the radii of the four corners from the top left one clockwise (CSS Backgrounds 3,
  /// section 5.1).
  mutating func cornerRadii() -> (x: [LengthPercentage], y: [LengthPercentage])? {
    func radii(_ parser: inout ValueParser) -> [LengthPercentage]? {
      var values: [LengthPercentage] = []
      while values.count < 4, let next = parser.lengthPercentage([.percent, .nonNegative]) { values.append(next) }
      guard let first = values.first else { return nil }
      let second = values.count > 1 ? values[1] : first
      return [first, second, values.count > 2 ? values[2] : first, values.count > 3 ? values[3] : second]
    }
    guard let x = radii(&self) else { return nil }
    guard slash() else { return (x, x) }
    return radii(&self).map { (x, $0) }
  }
}
