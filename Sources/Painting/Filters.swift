import BoxGeneration
import CSS
import Graphics
import Layout
import Platform
import Primitives
import Styling

extension PagePainting {
  /// Filter functions as what they do to pixels.
  ///
  /// - Parameter rect: The border box.
  mutating func pixelFilters(
    _ functions: [FilterFunction], style: ComputedStyle, of rect: Rect, isOfBackdrop: Bool = false
  ) -> [PixelFilter] {
    var filters: [PixelFilter] = []
    for function in functions {
      switch function {
      case .blur(let deviation): filters.append(.blur(context.resolve(deviation, font: style.font)))
      case .dropShadow(let shadow):
        filters.append(
          .dropShadow(
            x: context.resolve(shadow.x, font: style.font), y: context.resolve(shadow.y, font: style.font),
            blur: context.resolve(shadow.blur, font: style.font),
            shadow.color.resolved(context.styles[style.text].color)))
      case .reference(let url):
        if let filter = referencedFilter(url, of: rect, style, isOfBackdrop: isOfBackdrop) { filters.append(filter) }
      default: filters.append(.colorMatrix(Self.matrix(of: function)))
      }
    }
    return filters
  }

  /// The matrices of Filter Effects 1, section 9.
  static func matrix(of function: FilterFunction) -> [Float] {
    /// Three rows for red, green and blue.
    func rgb(_ m: [Float]) -> [Float] {
      [m[0], m[1], m[2], 0, 0, m[3], m[4], m[5], 0, 0, m[6], m[7], m[8], 0, 0, 0, 0, 0, 1, 0]
    }
    /// The same for each channel.
    func each(_ slope: Float, _ constant: Float) -> [Float] {
      [slope, 0, 0, 0, constant, 0, slope, 0, 0, constant, 0, 0, slope, 0, constant, 0, 0, 0, 1, 0]
    }
    switch function {
    case .brightness(let amount): return each(amount, 0)
    case .contrast(let amount): return each(amount, 0.5 - amount / 2)
    case .invert(let amount): return each(1 - 2 * amount, amount)
    case .opacity(let amount): return rgb([1, 0, 0, 0, 1, 0, 0, 0, 1]).dropLast(2) + [amount, 0]
    case .grayscale(let amount): return rgb(saturation(1 - amount, red: 0.2126, green: 0.7152, blue: 0.0722))
    case .saturate(let amount): return rgb(saturation(amount, red: 0.213, green: 0.715, blue: 0.072))
    case .sepia(let amount):
      let rest = 1 - amount
      return rgb([
        0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest,
        0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest,
        0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest,
      ])
    case .hueRotate(let degrees):
      let (s, c) = AffineTransform.sineAndCosine(degrees)
      return rgb([
        0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928,
        0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
        0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072,
      ])
    case .blur, .dropShadow, .reference: return each(1, 0)
    }
  }

  private static func saturation(_ amount: Float, red: Float, green: Float, blue: Float) -> [Float] {
    let rest = 1 - amount
    return [
      red * rest + amount, green * rest, blue * rest, red * rest, green * rest + amount, blue * rest,
      red * rest, green * rest, blue * rest + amount,
    ]
  }
}
