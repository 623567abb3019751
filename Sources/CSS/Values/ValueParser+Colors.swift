import Glibc
import Primitives

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
        return .currentColor
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
    let name = cursor.lowercasedText
    switch name {
    case "rgb", "rgba": return block { $0.rgbArguments() }
    case "hsl", "hsla":
      return block { parser in
        guard let hue = parser.hue() else { return nil }
        let legacy = parser.comma()
        guard let saturation = parser.share(legacy: legacy, hundred: true), !legacy || parser.comma(),
          let lightness = parser.share(legacy: legacy, hundred: true), let alpha = parser.alpha(legacy: legacy)
        else { return nil }
        return .color(hslColor(hue: hue, saturation: max(0, saturation), lightness: lightness, alpha: alpha))
      }
    case "hwb":
      return block { parser in
        guard let hue = parser.hue(), let white = parser.share(hundred: true), let black = parser.share(hundred: true),
          let alpha = parser.alpha()
        else { return nil }
        return .color(hwbColor(hue: hue, white: white, black: black, alpha: alpha))
      }
    case "lab", "oklab":
      let isOK = name == "oklab"
      return block { parser in
        guard let lightness = parser.channel(percentOf: isOK ? 1 : 100),
          let a = parser.channel(percentOf: isOK ? 0.4 : 125), let b = parser.channel(percentOf: isOK ? 0.4 : 125),
          let alpha = parser.alpha()
        else { return nil }
        return .color(isOK ? oklabColor(lightness, a, b, alpha: alpha) : labColor(lightness, a, b, alpha: alpha))
      }
    case "lch", "oklch":
      let isOK = name == "oklch"
      return block { parser in
        guard let lightness = parser.channel(percentOf: isOK ? 1 : 100),
          let chroma = parser.channel(percentOf: isOK ? 0.4 : 150), let hue = parser.hue(), let alpha = parser.alpha()
        else { return nil }
        let a = max(0, chroma) * cos(hue * Double.pi / 180)
        let b = max(0, chroma) * sin(hue * Double.pi / 180)
        return .color(isOK ? oklabColor(lightness, a, b, alpha: alpha) : labColor(lightness, a, b, alpha: alpha))
      }
    case "color":
      return block { parser in
        guard let space = parser.ident(), let first = parser.channel(percentOf: 1),
          let second = parser.channel(percentOf: 1), let third = parser.channel(percentOf: 1),
          let alpha = parser.alpha()
        else { return nil }
        switch space {
        case "srgb", "a98-rgb", "prophoto-rgb", "rec2020":
          return .color(srgbColor(first, second, third, alpha: alpha))
        case "srgb-linear": return .color(linearColor(first, second, third, alpha: alpha))
        case "display-p3": return .color(displayP3Color(first, second, third, alpha: alpha))
        case "xyz", "xyz-d65": return .color(xyzD65Color(first, second, third, alpha: alpha))
        case "xyz-d50": return .color(xyzD50Color(first, second, third, alpha: alpha))
        default: return nil
        }
      }
    case "color-mix": return block { $0.colorMix() }
    case "light-dark":
      return block { parser in
        guard let light = parser.color(), parser.comma(), parser.color() != nil else { return nil }
        return light
      }
    default: return nil
    }
  }

  private mutating func rgbArguments() -> ColorValue? {
    var channels: [Double] = []
    var percentages = 0
    var legacy = false
    for index in 0..<3 {
      let token = peek()
      if token.kind == .percentage { percentages += 1 }
      if token.kind == .ident {
        guard !legacy, keyword("none") else { return nil }
        channels.append(0)
      } else {
        guard let value = numberOrPercentage() else { return nil }
        channels.append(token.kind == .percentage ? value : value / 255)
      }
      if index < 2 {
        let hasComma = comma()
        if index == 0 { legacy = hasComma } else if hasComma != legacy { return nil }
      }
    }
    if legacy, percentages != 0, percentages != 3 { return nil }
    guard let alpha = alpha(legacy: legacy) else { return nil }
    return .color(srgbColor(channels[0], channels[1], channels[2], alpha: alpha))
  }

  /// A mixture of two sRGB colours. Other spaces are mixed in sRGB too.
  private mutating func colorMix() -> ColorValue? {
    guard keyword("in") else { return nil }
    while peek().kind == .ident { cursor.advance() }
    func part(_ parser: inout ValueParser) -> (Color, Double?)? {
      guard parser.comma() else { return nil }
      var share: Double?
      if parser.peek().kind == .percentage { share = parser.numberOrPercentage(atLeast: 0) }
      guard case .color(let color)? = parser.color() else { return nil }
      if share == nil, parser.peek().kind == .percentage { share = parser.numberOrPercentage(atLeast: 0) }
      return (color, share)
    }
    guard let (first, p1) = part(&self), let (second, p2) = part(&self) else { return nil }
    let a = p1 ?? p2.map { 1 - $0 } ?? 0.5
    let b = p2 ?? 1 - a
    guard a + b > 0 else { return nil }
    let share = a / (a + b)
    let alpha = Double(first.alpha) / 255 * share + Double(second.alpha) / 255 * (1 - share)
    func mix(_ x: UInt8, _ y: UInt8) -> Double {
      guard alpha > 0 else { return 0 }
      let sum = Double(x) * Double(first.alpha) * share + Double(y) * Double(second.alpha) * (1 - share)
      return sum / 255 / 255 / alpha
    }
    return .color(
      srgbColor(
        mix(first.red, second.red), mix(first.green, second.green), mix(first.blue, second.blue),
        alpha: alpha * min(1, a + b)))
  }

  private mutating func hue() -> Double? {
    if keyword("none") { return 0 }
    return angle() ?? number()
  }
  /// A percentage as its hundredth part; in the newer syntax also a number.
  private mutating func share(legacy: Bool = false, hundred: Bool) -> Double? {
    if !legacy, keyword("none") { return 0 }
    if peek().kind == .percentage { return numberOrPercentage() }
    return legacy ? nil : number().map { $0 / 100 }
  }
  private mutating func channel(percentOf full: Double) -> Double? {
    if keyword("none") { return 0 }
    if peek().kind == .percentage { return numberOrPercentage().map { $0 * full } }
    return number()
  }
  /// The alpha after a comma or slash, 1 when there is none.
  private mutating func alpha(legacy: Bool = false) -> Double? {
    guard legacy ? comma() : slash() else { return 1 }
    if !legacy, keyword("none") { return 0 }
    return numberOrPercentage().map { max(0, min(1, $0)) }
  }
}
