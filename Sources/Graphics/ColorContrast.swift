import Platform
public import Primitives

extension Color {
  /// The channel as light, 0 to 1 (sRGB, IEC 61966-2-1).
  static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  static func encoded(_ light: Double) -> UInt8 {
    let light = Swift.min(Swift.max(light, 0), 1)
    let value = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }

  /// The relative luminance, 0 to 1 (WCAG 2.2); alpha does not count.
  public var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The contrast ratio of two colours, 1 to 21 (WCAG 2.2).
  public func contrast(with other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (Swift.max(one, two) + 0.05) / (Swift.min(one, two) + 0.05)
  }
}

/// A colour by lightness and two opponent axes that eyes see as even (Oklab, CSS Color 4, section 9).
package struct PerceptualColor: Hashable, Sendable {
  /// 0 is black, 1 white.
  package var lightness: Double
  package var a: Double
  package var b: Double

  package init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  package init(_ color: Color) {
    let (r, g, b) = (Color.linear(color.red), Color.linear(color.green), Color.linear(color.blue))
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    self.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
  }

  /// The nearest colour a screen can show.
  package func color(alpha: UInt8 = 255) -> Color {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return Color(
      red: Color.encoded(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
      green: Color.encoded(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
      blue: Color.encoded(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3), alpha: alpha)
  }

  /// The colour a share of the way to another.
  package func mixed(with other: PerceptualColor, _ share: Double) -> PerceptualColor {
    PerceptualColor(
      lightness: lightness + (other.lightness - lightness) * share, a: a + (other.a - a) * share,
      b: b + (other.b - b) * share)
  }
}
