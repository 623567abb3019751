import Platform
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
        if name == "cross-fade" { return parser.block { $0.prefixedCrossFade() } }
        return parser.gradient(name, isPrefixed: true)
      }
      if name == "cross-fade" { return parser.block { $0.crossFade() } }
      if name == "image-set" { return parser.block { $0.imageSet() } }
      if name == "image" {
        return parser.block { parser in
          let image = parser.url(orString: true).map { ImageValue.url($0) } ?? parser.image()
          while !parser.isAtEnd { parser.cursor.skipComponentValue() }
          return image
        }
      }
      return parser.gradient(name, isPrefixed: false)
    }
  }

  /// The option of `image-set()` for one image pixel a CSS px, or the nearest there is (CSS Images 4, section 2.2).
  private mutating func imageSet() -> ImageValue? {
    var best: (image: ImageValue, distance: Double)?
    repeat {
      guard let image = url(orString: true).map({ ImageValue.url($0) }) ?? image() else { return nil }
      var resolution = 1.0
      var isKnown = true
      while !isAtEnd, peek().kind != .comma {
        if peek().kind == .dimension {
          let unit = cursor.lowercasedText
          guard unit == "x" || unit == "dppx" || unit == "dpi" || unit == "dpcm" else { return nil }
          guard cursor.token.number >= 0 else { return nil }
          resolution = cursor.token.number * (unit == "dpi" ? 1.0 / 96 : unit == "dpcm" ? 2.54 / 96 : 1)
          cursor.advance()
        } else if let type = function("type", { $0.string() }) {
          isKnown = Self.imageTypes.contains(type)
        } else {
          return nil
        }
      }
      // Too fine is better than too coarse.
      let distance = resolution >= 1 ? resolution - 1 : 100 + 1 - resolution
      if isKnown, best.map({ distance < $0.distance }) ?? true { best = (image, distance) }
    } while comma()
    return best?.image ?? ImageValue.none
  }

  /// Images and colours that share what the given percentages leave, or that are scaled to 100 % together (CSS Images 4,
  /// section 4).
  private mutating func crossFade() -> ImageValue? {
    var parts: [(source: FadedImage.Source, percentage: Double?)] = []
    repeat {
      var percentage = share()
      guard let source = image().map({ FadedImage.Source.image($0) }) ?? color().map({ .color($0) }) else { return nil }
      percentage = percentage ?? share()
      if let percentage, !(0...100).contains(percentage) { return nil }
      parts.append((source, percentage))
    } while comma()
    let given = parts.reduce(0) { $0 + ($1.percentage ?? 0) }
    let open = parts.count { $0.percentage == nil }
    let rest = open == 0 ? 0 : Swift.max(0, 100 - given) / Double(open)
    let scale = Swift.max(100, given)
    return .crossFade(parts.map { FadedImage(source: $0.source, share: Float(($0.percentage ?? rest) / scale)) })
  }

  /// The older form: two images, and how far the second has come.
  private mutating func prefixedCrossFade() -> ImageValue? {
    guard let first = image(), comma(), let second = image(), comma() else { return nil }
    guard let amount = share() ?? number().map({ $0 * 100 }) else { return nil }
    let share = Float(Swift.max(0, Swift.min(100, amount)) / 100)
    return .crossFade([
      FadedImage(source: .image(first), share: 1 - share), FadedImage(source: .image(second), share: share),
    ])
  }

  private mutating func share() -> Double? {
    guard peek().kind == .percentage else { return nil }
    defer { cursor.advance() }
    return cursor.token.number
  }

  private static let imageTypes: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/jxl", "image/svg+xml", "image/bmp",
    "image/vnd.microsoft.icon", "image/x-icon",
  ]

  private mutating func gradient(_ name: String, isPrefixed: Bool) -> ImageValue? {
    let isRepeating = name.hasPrefix("repeating-")
    return block { parser in
      switch isRepeating ? String(name.dropFirst(10)) : name {
      case "linear-gradient": return parser.linearGradient(isRepeating: isRepeating, isPrefixed: isPrefixed)
      case "radial-gradient": return parser.radialGradient(isRepeating: isRepeating, isPrefixed: isPrefixed)
      case "conic-gradient" where !isPrefixed: return parser.conicGradient(isRepeating: isRepeating)
      default: return nil
      }
    }
  }

  /// The rest of a gradient after its shape: the colour space, and the stops after a comma when anything came before.
  private mutating func gradient(
    _ shape: GradientShape, hasShape: Bool, interpolation given: ColorInterpolation?, isRepeating: Bool
  ) -> ImageValue? {
    let interpolation = given ?? attempt { $0.colorInterpolation() }
    if hasShape || interpolation != nil, !comma() { return nil }
    let isConic = if case .conic = shape { true } else { false }
    var tokens = cursor
    return colorStops(isConic: isConic).map {
      .gradient(
        GradientValue(
          shape: shape, stops: $0, isRepeating: isRepeating,
          interpolation: interpolation ?? Self.interpolation(ofColorsIn: &tokens)))
    }
  }

  /// Colours are mixed in sRGB where all are written in a way that CSS has had from of old, and else in Oklab (CSS Color 4,
  /// section 12.1).
  private static func interpolation(ofColorsIn tokens: inout TokenCursor) -> ColorInterpolation {
    while !tokens.isAtEnd {
      if tokens.kind == .function, modernColors.contains(tokens.lowercasedText) {
        return ColorInterpolation(space: .oklab)
      }
      tokens.advance()
    }
    return .standard
  }
  private static let modernColors: Set<String> = ["lab", "lch", "oklab", "oklch", "color", "color-mix"]

  private mutating func conicGradient(isRepeating: Bool) -> ImageValue? {
    let interpolation = attempt { $0.colorInterpolation() }
    var from = 0.0
    var center = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
    var hasShape = false
    if keyword("from") {
      guard let angle = angle(zero: true) else { return nil }
      from = angle
      hasShape = true
    }
    if keyword("at") {
      guard let position = position(threeParts: false) else { return nil }
      center = position
      hasShape = true
    }
    return gradient(
      .conic(from: Float(from), center: center), hasShape: hasShape, interpolation: interpolation,
      isRepeating: isRepeating)
  }

  private mutating func linearGradient(isRepeating: Bool, isPrefixed: Bool) -> ImageValue? {
    let interpolation = attempt { $0.colorInterpolation() }
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
    return gradient(
      .linear(angle: Float(angle), corner: corner), hasShape: needsComma, interpolation: interpolation,
      isRepeating: isRepeating)
  }

  private mutating func radialGradient(isRepeating: Bool, isPrefixed: Bool) -> ImageValue? {
    let interpolation = attempt { $0.colorInterpolation() }
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
    return gradient(
      .radial(isCircle: isCircle ?? false, extent: extent ?? .farthestCorner, center: center), hasShape: hasPrelude,
      interpolation: interpolation, isRepeating: isRepeating)
  }

  /// Two or more stops, with hints between them; a stop with two positions becomes two stops.
  private mutating func colorStops(isConic: Bool) -> [ColorStop]? {
    func position(_ parser: inout ValueParser) -> LengthPercentage? {
      guard isConic else { return parser.lengthPercentage() }
      if let angle = parser.angle(zero: true) { return .length(Length(Float(angle / 3.6), .percent)) }
      return parser.peek().kind == .percentage ? parser.lengthPercentage() : nil
    }
    var stops: [ColorStop] = []
    repeat {
      let before = position(&self)
      guard let color = color() else {
        guard before != nil, stops.last?.color != nil else { return nil }
        stops.append(ColorStop(color: nil, position: before))
        continue
      }
      let first = before ?? position(&self)
      stops.append(ColorStop(color: color, position: first))
      if first != nil, let second = position(&self) { stops.append(ColorStop(color: color, position: second)) }
    } while comma()
    guard stops.last?.color != nil else { return nil }
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
}
