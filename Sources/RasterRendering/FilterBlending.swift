import Graphics

extension FilterPixels {
  /// Blends the pixels with those below them (CSS Compositing 1, section 10).
  mutating func blend(_ mode: BlendMode, with below: FilterPixels) {
    combine(with: below) { source, backdrop in
      let (a, b) = (source.w, backdrop.w)
      guard a > 0, b > 0 else { return source + backdrop }
      let mixed = mode.mix(backdrop / b, source / a)
      var result = source * (1 - b) + backdrop * (1 - a) + mixed * (a * b)
      result.w = a + b - a * b
      return result.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: result.w))
    }
  }
}

extension BlendMode {
  /// The colour of source and backdrop where both are opaque; alpha does not count.
  fileprivate func mix(_ backdrop: SIMD4<Float>, _ source: SIMD4<Float>) -> SIMD4<Float> {
    switch self {
    case .hue:
      return Nonseparable.set(
        Nonseparable.saturate(source, Nonseparable.saturation(backdrop)), of: backdrop)
    case .saturation:
      return Nonseparable.set(
        Nonseparable.saturate(backdrop, Nonseparable.saturation(source)), of: backdrop)
    case .color: return Nonseparable.set(source, of: backdrop)
    case .luminosity: return Nonseparable.set(backdrop, of: source)
    default:
      var result = SIMD4<Float>.zero
      for channel in 0..<3 { result[channel] = mix(backdrop[channel], source[channel]) }
      return result
    }
  }

  private func mix(_ b: Float, _ s: Float) -> Float {
    switch self {
    case .multiply: return b * s
    case .screen: return b + s - b * s
    case .overlay: return BlendMode.hardLight.mix(s, b)
    case .darken: return Swift.min(b, s)
    case .lighten: return Swift.max(b, s)
    case .colorDodge: return b == 0 ? 0 : s >= 1 ? 1 : Swift.min(1, b / (1 - s))
    case .colorBurn: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - Swift.min(1, (1 - b) / s)
    case .hardLight: return s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
    case .softLight:
      if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
      let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
      return b + (2 * s - 1) * (d - b)
    case .difference: return Swift.abs(b - s)
    case .exclusion: return b + s - 2 * b * s
    case .plusLighter: return Swift.min(1, b + s)
    default: return s
    }
  }
}

/// Non-separable blend modes: hue, saturation and luminosity (CSS Compositing 1, section 10.2).
private enum Nonseparable {
  static func luminosity(_ color: SIMD4<Float>) -> Float { 0.3 * color.x + 0.59 * color.y + 0.11 * color.z }
  static func saturation(_ color: SIMD4<Float>) -> Float {
    Swift.max(color.x, color.y, color.z) - Swift.min(color.x, color.y, color.z)
  }

  /// A colour with the luminosity of another.
  static func set(_ color: SIMD4<Float>, of other: SIMD4<Float>) -> SIMD4<Float> {
    var result = color + (luminosity(other) - luminosity(color))
    let light = luminosity(result)
    let low = Swift.min(result.x, result.y, result.z)
    let high = Swift.max(result.x, result.y, result.z)
    if low < 0 { result = (result - light) * (light / (light - low)) + light }
    if high > 1 { result = (result - light) * ((1 - light) / (high - light)) + light }
    return result
  }

  static func saturate(_ color: SIMD4<Float>, _ saturation: Float) -> SIMD4<Float> {
    let low = Swift.min(color.x, color.y, color.z)
    let own = self.saturation(color)
    return own > 0 ? (color - low) * (saturation / own) : .zero
  }
}
