import Platform
package import Primitives

/// The colour spaces of CSS Color 4 (sections 7 to 10) and how a colour is carried from one to another: through linear
/// CIE XYZ with the D65 white point. Channels are in the space's own units, with percentages as shares of 1.
package enum ColorSpace: UInt8, Hashable, Sendable {
  case srgb, srgbLinear, displayP3, a98, prophoto, rec2020, xyzD65, xyzD50, lab, lch, oklab, oklch, hsl, hwb

  /// The channel that is an angle in degrees.
  var hueIndex: Int? {
    switch self {
    case .lch, .oklch: 2
    case .hsl, .hwb: 0
    default: nil
    }
  }
}

/// The choice of the arc between two hues (CSS Color 4, section 12.4).
package enum HueInterpolation: UInt8, Hashable, Sendable { case shorter, longer, increasing, decreasing }

/// The space colours are mixed in (CSS Color 4, section 12).
package struct ColorInterpolation: Hashable, Sendable {
  package var space: ColorSpace
  package var hue: HueInterpolation
  package init(space: ColorSpace = .srgb, hue: HueInterpolation = .shorter) {
    self.space = space
    self.hue = hue
  }
  /// The default of gradients between sRGB colours.
  package static let standard = ColorInterpolation()

  /// The mixture of two colours, `share` of the second.
  package func mix(_ first: Color, _ second: Color, share: Double) -> Color {
    mix(SpaceColor(first), SpaceColor(second), share: share).color
  }

  func mix(_ first: SpaceColor, _ second: SpaceColor, share: Double) -> SpaceColor {
    var a = first.converted(to: space)
    var b = second.converted(to: space)
    // A missing channel takes the other colour's value.
    for index in 0..<3 {
      if a.isMissing(index) { a.channels[index] = b.channels[index] }
      if b.isMissing(index) { b.channels[index] = a.channels[index] }
    }
    let alpha = a.alpha + (b.alpha - a.alpha) * share
    var result = SpaceColor(space, SIMD3(), alpha: alpha)
    for index in 0..<3 {
      if index == space.hueIndex {
        result.channels[index] = hue(a.channels[index], b.channels[index], share)
      } else if alpha > 0 {
        let x = a.channels[index] * a.alpha
        let y = b.channels[index] * b.alpha
        result.channels[index] = (x + (y - x) * share) / alpha
      }
    }
    return result
  }

  private func hue(_ from: Double, _ to: Double, _ share: Double) -> Double {
    var difference = fmod(to - from, 360)
    if difference < 0 { difference += 360 }
    switch hue {
    case .shorter: if difference > 180 { difference -= 360 }
    case .longer: if difference < 180, difference > 0 { difference -= 360 } else if difference == 0 { difference = 360 }
    case .increasing: break
    case .decreasing: if difference > 0 { difference -= 360 }
    }
    return from + difference * share
  }
}

/// A colour in one of the spaces, before it is brought into sRGB.
struct SpaceColor {
  var space: ColorSpace
  var channels: SIMD3<Double>
  var alpha: Double
  /// A bit for each channel given as `none`.
  var missing: UInt8 = 0

  init(_ space: ColorSpace, _ channels: SIMD3<Double>, alpha: Double, missing: UInt8 = 0) {
    self.space = space
    self.channels = channels
    self.alpha = alpha
    self.missing = missing
  }
  init(_ color: Color) {
    self.init(
      .srgb, SIMD3(Double(color.red), Double(color.green), Double(color.blue)) / 255, alpha: Double(color.alpha) / 255)
  }

  func isMissing(_ channel: Int) -> Bool { missing & 1 << UInt8(channel) != 0 }

  /// The colour as it is shown: in sRGB, clipped.
  var color: Color {
    let rgb = converted(to: .srgb).channels
    func byte(_ value: Double) -> UInt8 {
      let scaled = (value * 255).rounded()
      return scaled >= 255 ? 255 : scaled > 0 ? UInt8(scaled) : 0
    }
    return Color(red: byte(rgb.x), green: byte(rgb.y), blue: byte(rgb.z), alpha: byte(alpha))
  }

  func converted(to target: ColorSpace) -> SpaceColor {
    if target == space { return self }
    // `hsl` and `hwb` are sRGB told otherwise.
    let rgb = sRGBChannels
    if let rgb, target == .srgb { return SpaceColor(.srgb, rgb, alpha: alpha) }
    if target == .hsl || target == .hwb {
      let rgb = rgb ?? converted(to: .srgb).channels
      var result = SpaceColor(target, target == .hsl ? hsl(rgb) : hwb(rgb), alpha: alpha)
      let isGray = rgb.max() - rgb.min() < 1e-5
      if isGray { result.missing = 1 }
      return result
    }
    var result = SpaceColor(
      target, target.fromXYZ(rgb.map { ColorSpace.srgb.toXYZ($0) } ?? space.toXYZ(channels)), alpha: alpha)
    let isPolar = target == .lch || target == .oklch
    if isPolar, result.channels.y < (target == .lch ? 0.02 : 4e-5) { result.missing = 4 }
    return result
  }

  private var sRGBChannels: SIMD3<Double>? {
    switch space {
    case .srgb: return channels
    case .hsl: return rgb(hue: channels.x, saturation: max(0, channels.y), lightness: channels.z)
    case .hwb:
      let white = max(0, channels.y)
      let black = max(0, channels.z)
      if white + black >= 1 { return SIMD3(repeating: white / (white + black)) }
      return rgb(hue: channels.x, saturation: 1, lightness: 0.5) * (1 - white - black) + white
    default: return nil
    }
  }
}

private func rgb(hue: Double, saturation: Double, lightness: Double) -> SIMD3<Double> {
  func channel(_ offset: Double) -> Double {
    var k = fmod(offset + hue / 30, 12)
    if k < 0 { k += 12 }
    return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, min(9 - k, 1)))
  }
  return SIMD3(channel(0), channel(8), channel(4))
}

private func hsl(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
  let high = rgb.max()
  let low = rgb.min()
  let range = high - low
  let lightness = (high + low) / 2
  guard range > 0 else { return SIMD3(0, 0, lightness) }
  let saturation = lightness <= 0 || lightness >= 1 ? 0 : (high - lightness) / min(lightness, 1 - lightness)
  var hue: Double
  if high == rgb.x {
    hue = (rgb.y - rgb.z) / range + (rgb.y < rgb.z ? 6 : 0)
  } else if high == rgb.y {
    hue = (rgb.z - rgb.x) / range + 2
  } else {
    hue = (rgb.x - rgb.y) / range + 4
  }
  hue *= 60
  return SIMD3(hue, saturation, lightness)
}

private func hwb(_ rgb: SIMD3<Double>) -> SIMD3<Double> { SIMD3(hsl(rgb).x, rgb.min(), 1 - rgb.max()) }

/// Three rows of a matrix.
private struct Matrix {
  var x: SIMD3<Double>
  var y: SIMD3<Double>
  var z: SIMD3<Double>
  init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }
  static func * (m: Self, v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((m.x * v).sum(), (m.y * v).sum(), (m.z * v).sum())
  }
  /// Cramer's rule.
  var inverse: Matrix {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let (a, b, c) = (cross(y, z), cross(z, x), cross(x, y))
    let d = (x * a).sum()
    return Matrix(SIMD3(a.x, b.x, c.x) / d, SIMD3(a.y, b.y, c.y) / d, SIMD3(a.z, b.z, c.z) / d)
  }
}

/// Linear channels to XYZ D65, from the primaries each space's standard gives.
private let linearSRGB = Matrix(
  SIMD3(0.4123907993, 0.3575843394, 0.1804807884), SIMD3(0.2126390059, 0.7151686788, 0.0721923154),
  SIMD3(0.0193308187, 0.1191947798, 0.9505321522))
private let linearP3 = Matrix(
  SIMD3(0.4865709486, 0.2656676932, 0.1982172852), SIMD3(0.2289745641, 0.6917385218, 0.0792869141),
  SIMD3(0, 0.0451133819, 1.0439443689))
private let linearA98 = Matrix(
  SIMD3(0.5766690429, 0.1855582379, 0.1882286462), SIMD3(0.2973449753, 0.6273635663, 0.0752914585),
  SIMD3(0.0270313614, 0.0706888525, 0.9913375368))
private let linearRec2020 = Matrix(
  SIMD3(0.6369580483, 0.1446169036, 0.1688809752), SIMD3(0.2627002120, 0.6779980715, 0.0593017165),
  SIMD3(0, 0.0280726930, 1.0609850577))
/// To XYZ D50.
private let linearProPhoto = Matrix(
  SIMD3(0.7977666449, 0.1351812974, 0.0313477341), SIMD3(0.2880748288, 0.7118352342, 0.0000899369),
  SIMD3(0, 0, 0.8251046025))
/// Bradford's adaptation.
private let d50ToD65 = Matrix(
  SIMD3(0.9554734527, -0.0230985369, 0.0632593086), SIMD3(-0.0283697093, 1.0099954580, 0.0210413990),
  SIMD3(0.0123140016, -0.0205076964, 1.3303659366))
private let xyzToLMS = Matrix(
  SIMD3(0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
  SIMD3(0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
  SIMD3(0.0481771893596242, 0.2642395317527308, 0.6335478284694309))
private let lmsToOklab = Matrix(
  SIMD3(0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
  SIMD3(1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
  SIMD3(0.0259040424655478, 0.7827717124575296, -0.8086757549230774))

private let fromLinearSRGB = linearSRGB.inverse
private let fromLinearP3 = linearP3.inverse
private let fromLinearA98 = linearA98.inverse
private let fromLinearRec2020 = linearRec2020.inverse
private let fromLinearProPhoto = linearProPhoto.inverse
private let d65ToD50 = d50ToD65.inverse
private let lmsToXYZ = xyzToLMS.inverse
private let oklabToLMS = lmsToOklab.inverse
private let whiteD50 = SIMD3(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)

extension ColorSpace {
  fileprivate func toXYZ(_ c: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .srgb, .hsl, .hwb: return linearSRGB * c.mapped(Self.linear)
    case .srgbLinear: return linearSRGB * c
    case .displayP3: return linearP3 * c.mapped(Self.linear)
    case .a98: return linearA98 * c.mapped { Self.power($0, 563.0 / 256) }
    case .rec2020:
      return linearRec2020
        * c.mapped {
          abs($0) < 0.0812428583 ? $0 / 4.5 : copysign(pow((abs($0) + 0.0992968268) / 1.0992968268, 1 / 0.45), $0)
        }
    case .prophoto:
      return d50ToD65 * (linearProPhoto * c.mapped { abs($0) <= 16.0 / 512 ? $0 / 16 : Self.power($0, 1.8) })
    case .xyzD65: return c
    case .xyzD50: return d50ToD65 * c
    case .lab:
      let kappa = 24389.0 / 27
      let fy = (c.x + 16) / 116
      let f = SIMD3(c.y / 500 + fy, fy, fy - c.z / 200)
      let xyz = f.mapped { $0 * $0 * $0 > 216.0 / 24389 ? $0 * $0 * $0 : (116 * $0 - 16) / kappa }
      return d50ToD65 * (xyz * whiteD50)
    case .oklab: return lmsToXYZ * (oklabToLMS * c).mapped { $0 * $0 * $0 }
    case .lch: return Self.lab.toXYZ(Self.cartesian(c))
    case .oklch: return Self.oklab.toXYZ(Self.cartesian(c))
    }
  }

  fileprivate func fromXYZ(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .srgb, .hsl, .hwb: return (fromLinearSRGB * xyz).mapped(Self.encoded)
    case .srgbLinear: return fromLinearSRGB * xyz
    case .displayP3: return (fromLinearP3 * xyz).mapped(Self.encoded)
    case .a98: return (fromLinearA98 * xyz).mapped { Self.power($0, 256.0 / 563) }
    case .rec2020:
      return (fromLinearRec2020 * xyz).mapped {
        abs($0) < 0.0180539685 ? $0 * 4.5 : copysign(1.0992968268 * pow(abs($0), 0.45) - 0.0992968268, $0)
      }
    case .prophoto:
      return (fromLinearProPhoto * (d65ToD50 * xyz)).mapped {
        abs($0) >= 1.0 / 512 ? Self.power($0, 1 / 1.8) : $0 * 16
      }
    case .xyzD65: return xyz
    case .xyzD50: return d65ToD50 * xyz
    case .lab:
      let kappa = 24389.0 / 27
      let f = (d65ToD50 * xyz / whiteD50).mapped { $0 > 216.0 / 24389 ? cbrt($0) : (kappa * $0 + 16) / 116 }
      return SIMD3(116 * f.y - 16, 500 * (f.x - f.y), 200 * (f.y - f.z))
    case .oklab: return lmsToOklab * (xyzToLMS * xyz).mapped { cbrt($0) }
    case .lch: return Self.polar(Self.lab.fromXYZ(xyz))
    case .oklch: return Self.polar(Self.oklab.fromXYZ(xyz))
    }
  }

  private static func cartesian(_ c: SIMD3<Double>) -> SIMD3<Double> {
    let chroma = max(0, c.y)
    return SIMD3(c.x, chroma * cos(c.z * Double.pi / 180), chroma * sin(c.z * Double.pi / 180))
  }
  private static func polar(_ c: SIMD3<Double>) -> SIMD3<Double> {
    let hue = atan2(c.z, c.y) * 180 / Double.pi
    return SIMD3(c.x, (c.y * c.y + c.z * c.z).squareRoot(), hue < 0 ? hue + 360 : hue)
  }
  private static func linear(_ value: Double) -> Double {
    abs(value) <= 0.04045 ? value / 12.92 : copysign(pow((abs(value) + 0.055) / 1.055, 2.4), value)
  }
  private static func encoded(_ value: Double) -> Double {
    abs(value) <= 0.0031308 ? 12.92 * value : copysign(1.055 * pow(abs(value), 1 / 2.4) - 0.055, value)
  }
  private static func power(_ value: Double, _ exponent: Double) -> Double {
    copysign(pow(abs(value), exponent), value)
  }
}

extension SIMD3<Double> {
  fileprivate func mapped(_ transform: (Double) -> Double) -> Self { Self(transform(x), transform(y), transform(z)) }
}
