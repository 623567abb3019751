import Primitives

extension ValueParser {
  /// An `<image>` or `none` (CSS Images 3, section 2).
  mutating func image() -> ImageValue? {
    if keyword("none") { return ImageValue.none }
    if let url = url() { return .url(url) }
    guard peek().kind == .function else { return nil }
    return attempt { parser in
      var name = parser.cursor.lowercasedText
      for prefix in ["-webkit-", "-moz-", "-o-", "-ms-"] where name.hasPrefix(prefix) {
        name.removeFirst(prefix.utf8.count)
        return parser.gradient(name, isPrefixed: true)
      }
      if name == "image-set" || name == "image" {
        // The first option is as good as any on paper.
        return parser.block { parser in
          let image = parser.url(orString: true).map { ImageValue.url($0) } ?? parser.image()
          while !parser.isAtEnd { parser.cursor.skipComponentValue() }
          return image
        }
      }
      return parser.gradient(name, isPrefixed: false)
    }
  }

  private mutating func gradient(_ name: String, isPrefixed: Bool) -> ImageValue? {
    switch name {
    case "linear-gradient": block { $0.linearGradient(repeating: false, isPrefixed: isPrefixed) }
    case "repeating-linear-gradient": block { $0.linearGradient(repeating: true, isPrefixed: isPrefixed) }
    case "radial-gradient": block { $0.radialGradient(repeating: false, isPrefixed: isPrefixed) }
    case "repeating-radial-gradient": block { $0.radialGradient(repeating: true, isPrefixed: isPrefixed) }
    default: nil
    }
  }

  private mutating func linearGradient(repeating: Bool, isPrefixed: Bool) -> ImageValue? {
    var angle = 180.0
    var corner: SIMD2<Int8>?
    var needsComma = true
    if let given = self.angle(zero: true) {
      // The prefixed form counts from the right, anticlockwise.
      angle = isPrefixed ? 90 - given : given
    } else {
      let hasTo = keyword("to")
      var x: Int8 = 0
      var y: Int8 = 0
      var count = 0
      while hasTo || isPrefixed, count < 2 {
        if x == 0, keyword("left") {
          x = -1
        } else if x == 0, keyword("right") {
          x = 1
        } else if y == 0, keyword("top") {
          y = -1
        } else if y == 0, keyword("bottom") {
          y = 1
        } else {
          break
        }
        count += 1
      }
      if count == 0 {
        if hasTo { return nil }
        needsComma = false
      }
      // The prefixed form names the side it starts from.
      if !hasTo {
        x = -x
        y = -y
      }
      if count == 2 { corner = SIMD2(x, y) }
      if count == 1 { angle = x > 0 ? 90 : x < 0 ? 270 : y < 0 ? 0 : 180 }
    }
    if needsComma, !comma() { return nil }
    guard let stops = colorStops() else { return nil }
    return .linearGradient(angle: Float(angle), corner: corner, stops: stops, repeating: repeating)
  }

  private mutating func radialGradient(repeating: Bool, isPrefixed: Bool) -> ImageValue? {
    var isCircle: Bool?
    var extent: RadialExtent?
    var sizes: [LengthPercentage] = []
    var center = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
    var hasPrelude = false
    if isPrefixed {
      // `-webkit-radial-gradient(position, shape size, stops)`
      if let position = attempt({ parser -> PositionValue? in
        guard let position = parser.position(), parser.comma() else { return nil }
        return position
      }) {
        center = position
      }
    }
    while true {
      if isCircle == nil, keyword("circle") {
        isCircle = true
      } else if isCircle == nil, keyword("ellipse") {
        isCircle = false
      } else if extent == nil, keyword("closest-side") || keyword("contain") {
        extent = .closestSide
      } else if extent == nil, keyword("farthest-side") {
        extent = .farthestSide
      } else if extent == nil, keyword("closest-corner") {
        extent = .closestCorner
      } else if extent == nil, keyword("farthest-corner") || keyword("cover") {
        extent = .farthestCorner
      } else if extent == nil, sizes.count < 2, let size = lengthPercentage([.percent, .nonNegative]) {
        sizes.append(size)
      } else {
        break
      }
      hasPrelude = true
    }
    if keyword("at") {
      guard let position = position() else { return nil }
      center = position
      hasPrelude = true
    }
    if sizes.count == 1 {
      if isCircle == false { return nil }
      if case .length(let length) = sizes[0], length.isPercentage { return nil }
      isCircle = true
      extent = .size(sizes[0], sizes[0])
    } else if sizes.count == 2 {
      if isCircle == true { return nil }
      extent = .size(sizes[0], sizes[1])
    }
    if hasPrelude, !comma() { return nil }
    guard let stops = colorStops() else { return nil }
    return .radialGradient(
      isCircle: isCircle ?? false, extent: extent ?? .farthestCorner, center: center, stops: stops, repeating: repeating
    )
  }

  /// Two or more stops; a stop with two positions becomes two stops, a hint is dropped.
  private mutating func colorStops() -> [ColorStop]? {
    var stops: [ColorStop] = []
    repeat {
      let before = lengthPercentage()
      guard let color = color() else {
        if before != nil, !stops.isEmpty { continue }
        return nil
      }
      let first = before ?? lengthPercentage()
      stops.append(ColorStop(color: color, position: first))
      if first != nil, let second = lengthPercentage() { stops.append(ColorStop(color: color, position: second)) }
    } while comma()
    return stops.count >= 2 ? stops : nil
  }

  /// `none` or a list of shadows (CSS Backgrounds 3, section 6.1; without spread and `inset` for text).
  mutating func shadows(forText: Bool) -> [Shadow]? {
    if keyword("none") { return [] }
    return commaSeparated { parser in
      var isInset = false
      var color: ColorValue?
      var lengths: [Length] = []
      while true {
        if !forText, !isInset, parser.keyword("inset") {
          isInset = true
        } else if lengths.isEmpty, let first = parser.length() {
          lengths.append(first)
          while lengths.count < (forText ? 3 : 4), let next = parser.length() { lengths.append(next) }
        } else if color == nil, let next = parser.color() {
          color = next
        } else {
          break
        }
      }
      guard lengths.count >= 2 else { return nil }
      let blur = lengths.count > 2 ? lengths[2] : .zero
      guard blur.value >= 0 else { return nil }
      return Shadow(
        x: lengths[0], y: lengths[1], blur: blur, spread: lengths.count > 3 ? lengths[3] : .zero,
        color: color ?? .currentColor, isInset: isInset)
    }
  }

  /// `none` or a list of two-dimensional transform functions (CSS Transforms 1, section 12).
  mutating func transform() -> [TransformFunction]? {
    if keyword("none") { return [] }
    var functions: [TransformFunction] = []
    while peek().kind == .function {
      guard let function = attempt({ $0.transformFunction() }) else { return nil }
      functions.append(function)
    }
    return functions.isEmpty ? nil : functions
  }

  private mutating func transformFunction() -> TransformFunction? {
    let name = cursor.lowercasedText
    return block { parser in
      switch name {
      case "matrix":
        guard let numbers = parser.commaSeparated({ $0.number() }), numbers.count == 6 else { return nil }
        let n = numbers.map { Float($0) }
        return .matrix(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
      case "translate", "translatex", "translatey", "translate3d":
        guard let first = parser.lengthPercentage() else { return nil }
        if name == "translatey" { return .translate(.zero, first) }
        var second = LengthPercentage.zero
        if name != "translatex", parser.comma() {
          guard let given = parser.lengthPercentage() else { return nil }
          second = given
        }
        if name == "translate3d", !parser.comma() || parser.length() == nil { return nil }
        return .translate(first, second)
      case "scale", "scalex", "scaley":
        guard let first = parser.numberOrPercentage() else { return nil }
        if name == "scalex" { return .scale(Float(first), 1) }
        if name == "scaley" { return .scale(1, Float(first)) }
        var second = first
        if parser.comma() {
          guard let given = parser.numberOrPercentage() else { return nil }
          second = given
        }
        return .scale(Float(first), Float(second))
      case "rotate", "rotatez": return parser.angle(zero: true).map { .rotate(Float($0)) }
      case "skew", "skewx", "skewy":
        guard let first = parser.angle(zero: true) else { return nil }
        if name == "skewy" { return .skew(0, Float(first)) }
        var second = 0.0
        if name == "skew", parser.comma() {
          guard let given = parser.angle(zero: true) else { return nil }
          second = given
        }
        return .skew(Float(first), Float(second))
      default: return nil
      }
    }
  }
}
