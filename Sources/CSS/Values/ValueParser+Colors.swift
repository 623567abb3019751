package import Primitives

/// The names in `color()`, `color-mix()` and gradients.
private let colorSpaceWords = words(ColorSpace.self, also: ["xyz": .xyzD65])

extension ValueParser {
  /// A `<color>` (CSS Color 4, section 4). `quirky` allows `ff0000` without `#` in quirks mode.
  mutating func color(quirky: Bool = false) -> ColorValue? {
    let token = peek()
    switch token.kind {
    case .hashID, .hashUnrestricted:
      guard let color = Self.hexColor(cursor.buffer.bytes(token.text)) else { return nil }
      cursor.advance()
      return .color(color)
    case .ident:
      let name = cursor.lowercasedText
      if name == "currentcolor" {
        cursor.advance()
        return currentColor.map { .color($0) } ?? .currentColor
      }
      if let color = namedColor(name) {
        cursor.advance()
        return .color(color)
      }
      if quirky, context.quirks, depth == 0 { return quirkyColor() }
      return nil
    case .function: return attempt { $0.colorFunction() }
    case .number, .dimension: return quirky && context.quirks && depth == 0 ? quirkyColor() : nil
    default: return nil
    }
  }

  /// A colour that does not depend on the element (CSS Color 4, section 4.2).
  package mutating func absoluteColor() -> Color? {
    guard case .color(let color)? = color() else { return nil }
    return color
  }

  static func hexColor(_ digits: ArraySlice<UInt8>) -> Color? {
    var values: [UInt8] = []
    for byte in digits {
      switch byte {
      case 0x30...0x39: values.append(byte - 0x30)
      case 0x41...0x46: values.append(byte - 0x41 + 10)
      case 0x61...0x66: values.append(byte - 0x61 + 10)
      default: return nil
      }
      if values.count > 8 { return nil }
    }
    switch values.count {
    case 3, 4:
      return Color(
        red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17,
        alpha: values.count == 4 ? values[3] * 17 : 255)
    case 6, 8:
      func pair(_ index: Int) -> UInt8 { values[index] << 4 | values[index + 1] }
      return Color(red: pair(0), green: pair(2), blue: pair(4), alpha: values.count == 8 ? pair(6) : 255)
    default: return nil
    }
  }

  /// The hashless colour quirk (Quirks Mode Standard, section 3.1).
  private mutating func quirkyColor() -> ColorValue? {
    let token = cursor.token
    var digits: [UInt8]
    switch token.kind {
    case .ident: digits = Array(cursor.text.utf8)
    case .number, .dimension:
      guard token.isInteger, token.number >= 0, token.number < 1_000_000 else { return nil }
      digits = Array(String(token.integer).utf8)
      if token.kind == .dimension { digits += Array(cursor.text.utf8) }
      while digits.count < 6 { digits.insert(0x30, at: 0) }
    default: return nil
    }
    guard digits.count == 3 || digits.count == 6, let color = Self.hexColor(digits[...]) else { return nil }
    cursor.advance()
    return .color(color)
  }

  private mutating func colorFunction() -> ColorValue? {
    if cursor.isFunction("light-dark") {
      return block { parser in
        guard let light = parser.color(), parser.comma(), parser.color() != nil else { return nil }
        return light
      }
    }
    let start = cursor
    let outer = dependsOnCurrentColor
    dependsOnCurrentColor = false
    defer { dependsOnCurrentColor = outer }
    guard let color = spaceColorFunction() else { return nil }
    guard dependsOnCurrentColor else { return .color(color.color) }
    var function = TokenBuffer()
    function.append(start.position..<cursor.position, of: start.buffer)
    return .expression(ColorExpression(function.source))
  }

  /// A colour in the space it is written in. Black stands for a `currentcolor` that is not known yet.
  private mutating func spaceColor() -> SpaceColor? {
    if peek().kind == .function, let color = attempt({ $0.spaceColorFunction() }) { return color }
    guard let value = color() else { return nil }
    if case .color = value {} else { dependsOnCurrentColor = true }
    return SpaceColor(value.resolved(Color(red: 0, green: 0, blue: 0)))
  }

  private mutating func spaceColorFunction() -> SpaceColor? {
    let name = cursor.lowercasedText
    switch name {
    case "rgb", "rgba": return block { $0.channels(.srgb, percentOf: SIMD3(repeating: 255), legacyRGB: true) }
    case "hsl", "hsla": return block { $0.channels(.hsl, percentOf: SIMD3(0, 100, 100), allowsLegacy: true) }
    case "hwb": return block { $0.channels(.hwb, percentOf: SIMD3(0, 100, 100)) }
    case "lab": return block { $0.channels(.lab, percentOf: SIMD3(100, 125, 125)) }
    case "oklab": return block { $0.channels(.oklab, percentOf: SIMD3(1, 0.4, 0.4)) }
    case "lch": return block { $0.channels(.lch, percentOf: SIMD3(100, 150, 0)) }
    case "oklch": return block { $0.channels(.oklch, percentOf: SIMD3(1, 0.4, 0)) }
    case "color": return block { $0.channels(nil, percentOf: SIMD3(repeating: 1)) }
    case "color-mix": return block { $0.colorMix() }
    default: return nil
    }
  }

  /// The arguments of a colour function: an origin colour for the relative syntax, three channels and the alpha (CSS
  /// Color 4, sections 4 to 10; CSS Color 5, section 4).
  ///
  /// - Parameters:
  ///   - space: nil where the arguments name it, as those of `color()`.
  ///   - percentOf: The number that 100 % of each channel is.
  private mutating func channels(
    _ space: ColorSpace?, percentOf full: SIMD3<Double>, legacyRGB: Bool = false, allowsLegacy: Bool = false
  ) -> SpaceColor? {
    var origin: SpaceColor?
    if keyword("from") {
      guard let color = spaceColor() else { return nil }
      origin = color
    }
    guard let space = space ?? keyword(ColorSpace.self, colorSpaceWords) else { return nil }
    // The shares of 1 that `SpaceColor` counts in, where channels are written 0 to 255 or 0 to 100.
    let unit: SIMD3<Double> =
      legacyRGB ? SIMD3(repeating: 255) : space == .hsl || space == .hwb ? SIMD3(1, 100, 100) : SIMD3(repeating: 1)
    var letters: [String] = []
    if let color = origin?.converted(to: space) {
      letters = Self.channelNames(space)
      for index in 0..<3 { channelKeywords[letters[index]] = color.channels[index] * unit[index] }
      channelKeywords["alpha"] = color.alpha
    }
    defer { if origin != nil { channelKeywords = [:] } }

    var result = SpaceColor(space, SIMD3(), alpha: origin?.alpha ?? 1)
    var percentages = 0
    var legacy = false
    for index in 0..<3 {
      let kind = peek().kind
      if kind == .ident, !legacy, keyword("none") {
        result.missing |= 1 << UInt8(index)
      } else {
        guard let value = channel(full[index], isHue: index == space.hueIndex) else { return nil }
        if kind == .percentage { percentages += 1 }
        result.channels[index] = value / unit[index]
      }
      guard index < 2 else { break }
      let hasComma = comma()
      if index == 0 { legacy = hasComma } else if hasComma != legacy { return nil }
    }
    if legacy {
      // The older syntax has one kind of number for all channels and no `none`.
      guard legacyRGB || allowsLegacy, origin == nil, result.missing == 0 else { return nil }
      if legacyRGB ? percentages != 0 && percentages != 3 : percentages != 2 { return nil }
    }
    switch space {
    case .lch, .oklch: result.channels.y = max(0, result.channels.y)
    case .hsl: result.channels.y = max(0, result.channels.y)
    case .srgb where legacyRGB && origin == nil:
      result.channels = result.channels.clamped(lowerBound: .zero, upperBound: .one)
    default: break
    }
    switch space {
    case .lab, .lch: result.channels.x = max(0, min(100, result.channels.x))
    case .oklab, .oklch: result.channels.x = max(0, min(1, result.channels.x))
    default: break
    }
    if legacy ? comma() : slash() {
      if !legacy, keyword("none") {
        result.alpha = 0
      } else {
        guard let alpha = channel(1, isHue: false) else { return nil }
        result.alpha = max(0, min(1, alpha))
      }
    }
    return result
  }

  private static func channelNames(_ space: ColorSpace) -> [String] {
    switch space {
    case .srgb, .srgbLinear, .displayP3, .a98, .prophoto, .rec2020: ["r", "g", "b"]
    case .xyzD65, .xyzD50: ["x", "y", "z"]
    case .lab, .oklab: ["l", "a", "b"]
    case .lch, .oklch: ["l", "c", "h"]
    case .hsl: ["h", "s", "l"]
    case .hwb: ["h", "w", "b"]
    }
  }

  /// A number, a percentage of `full`, or for a hue an angle in degrees.
  private mutating func channel(_ full: Double, isHue: Bool) -> Double? {
    if isHue, let angle = angle() { return angle }
    if peek().kind == .percentage { return isHue ? nil : numberOrPercentage().map { $0 * full } }
    if peek().kind == .ident, let value = channelKeywords[cursor.lowercasedText] {
      cursor.advance()
      return value
    }
    return number()
  }

  /// `color-mix()` (CSS Color 5, section 3).
  private mutating func colorMix() -> SpaceColor? {
    guard let interpolation = colorInterpolation() else { return nil }
    func part(_ parser: inout ValueParser) -> (SpaceColor, Double?)? {
      guard parser.comma() else { return nil }
      var share: Double?
      if parser.peek().kind == .percentage { share = parser.numberOrPercentage(atLeast: 0) }
      guard let color = parser.spaceColor() else { return nil }
      if share == nil, parser.peek().kind == .percentage { share = parser.numberOrPercentage(atLeast: 0) }
      return (color, share)
    }
    guard let (first, p1) = part(&self), let (second, p2) = part(&self) else { return nil }
    let a = p1 ?? p2.map { max(0, 1 - $0) } ?? 0.5
    let b = p2 ?? max(0, 1 - a)
    guard a + b > 0 else { return nil }
    var mixed = interpolation.mix(first, second, share: b / (a + b))
    mixed.alpha *= min(1, a + b)
    return mixed
  }

  /// `in <color space> [<hue interpolation>]` (CSS Color 4, section 12.1).
  mutating func colorInterpolation() -> ColorInterpolation? {
    guard keyword("in"), let space = keyword(ColorSpace.self, colorSpaceWords) else { return nil }
    var result = ColorInterpolation(space: space)
    guard space.hueIndex != nil else { return result }
    if keyword("shorter") {
      result.hue = .shorter
    } else if keyword("longer") {
      result.hue = .longer
    } else if keyword("increasing") {
      result.hue = .increasing
    } else if keyword("decreasing") {
      result.hue = .decreasing
    } else {
      return result
    }
    return keyword("hue") ? result : nil
  }
}
