import Glibc
import Primitives

// Conversions to sRGB (CSS Color 4, sections 7 to 10). Channels run from 0 to 1; colours outside sRGB are clipped.

func srgbColor(_ red: Double, _ green: Double, _ blue: Double, alpha: Double) -> Color {
  func channel(_ value: Double) -> UInt8 {
    let scaled = (value * 255).rounded()
    return scaled >= 255 ? 255 : scaled > 0 ? UInt8(scaled) : 0
  }
  return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: channel(alpha))
}

func hslColor(hue: Double, saturation: Double, lightness: Double, alpha: Double) -> Color {
  let (red, green, blue) = hslToSRGB(hue, max(0, min(1, saturation)), max(0, min(1, lightness)))
  return srgbColor(red, green, blue, alpha: alpha)
}

private func hslToSRGB(_ hue: Double, _ saturation: Double, _ lightness: Double) -> (Double, Double, Double) {
  func channel(_ offset: Double) -> Double {
    var k = fmod(offset + hue / 30, 12)
    if k < 0 { k += 12 }
    return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, min(9 - k, 1)))
  }
  return (channel(0), channel(8), channel(4))
}

func hwbColor(hue: Double, white: Double, black: Double, alpha: Double) -> Color {
  let white = max(0, white)
  let black = max(0, black)
  if white + black >= 1 {
    let gray = white / (white + black)
    return srgbColor(gray, gray, gray, alpha: alpha)
  }
  let (red, green, blue) = hslToSRGB(hue, 1, 0.5)
  let share = 1 - white - black
  return srgbColor(red * share + white, green * share + white, blue * share + white, alpha: alpha)
}

func oklabColor(_ lightness: Double, _ a: Double, _ b: Double, alpha: Double) -> Color {
  let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
  let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
  let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
  return linearColor(
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s, alpha: alpha)
}

/// CIE Lab with the D50 white point.
func labColor(_ lightness: Double, _ a: Double, _ b: Double, alpha: Double) -> Color {
  let kappa = 24389.0 / 27
  let epsilon = 216.0 / 24389
  let fy = (lightness + 16) / 116
  let fx = a / 500 + fy
  let fz = fy - b / 200
  let x = cube(fx) > epsilon ? cube(fx) : (116 * fx - 16) / kappa
  let y = lightness > kappa * epsilon ? cube(fy) : lightness / kappa
  let z = cube(fz) > epsilon ? cube(fz) : (116 * fz - 16) / kappa
  return xyzD50Color(x * 0.3457 / 0.3585, y, z * (1 - 0.3457 - 0.3585) / 0.3585, alpha: alpha)
}

func xyzD50Color(_ x: Double, _ y: Double, _ z: Double, alpha: Double) -> Color {
  xyzD65Color(
    0.9554734527 * x - 0.0230985369 * y + 0.0632593086 * z,
    -0.0283697093 * x + 1.0099954580 * y + 0.0210413990 * z,
    0.0123140016 * x - 0.0205076964 * y + 1.3303659366 * z, alpha: alpha)
}

func xyzD65Color(_ x: Double, _ y: Double, _ z: Double, alpha: Double) -> Color {
  linearColor(
    3.2409699419 * x - 1.5373831776 * y - 0.4986107603 * z,
    -0.9692436363 * x + 1.8759675015 * y + 0.0415550574 * z,
    0.0556300797 * x - 0.2039769589 * y + 1.0569715142 * z, alpha: alpha)
}

func displayP3Color(_ red: Double, _ green: Double, _ blue: Double, alpha: Double) -> Color {
  let (r, g, b) = (linear(red), linear(green), linear(blue))
  return xyzD65Color(
    0.4865709486 * r + 0.2656676932 * g + 0.1982172852 * b,
    0.2289745641 * r + 0.6917385218 * g + 0.0792869141 * b,
    0.0451133819 * g + 1.0439443689 * b, alpha: alpha)
}

func linearColor(_ red: Double, _ green: Double, _ blue: Double, alpha: Double) -> Color {
  func encoded(_ value: Double) -> Double {
    value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
  return srgbColor(encoded(red), encoded(green), encoded(blue), alpha: alpha)
}

private func linear(_ value: Double) -> Double {
  value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}
private func cube(_ value: Double) -> Double { value * value * value }
