package import CSS
package import Fonts
package import Primitives
import Shaping
package import Styling

extension LayoutContext {
  /// Font size of a font group in CSS px.
  package func fontSize(_ font: Identifier<FontStyleTag>) -> Float {
    styles.fonts[font.index].size.resolved(rootFontSize: settings.rootFontSize)
  }

  /// The relative units of a font group; metrics come from its first available face (CSS Values 4, section 6.1).
  package func lengthBasis(_ font: Identifier<FontStyleTag>) -> LengthBasis {
    if let known = lengthCache[font.index] { return known }
    let style = styles.fonts[font.index]
    let size = fontSize(font)
    var basis = LengthBasis(fontSize: size, rootFontSize: settings.rootFontSize, face: primaryFace(font))
    lengthCache[font.index] = basis
    switch style.lineHeight {
    case .normal: break
    case .number(let factor): basis.lineHeight = factor * size
    case .length(let length): basis.lineHeight = resolve(length, font: font, percentage: LayoutUnit(size)).float
    }
    lengthCache[font.index] = basis
    return basis
  }

  /// The face that metrics of a font group come from.
  package func primaryFace(_ font: Identifier<FontStyleTag>) -> FontFace? {
    fonts.cascade(for: styles.fonts[font.index].description)?.primary
  }

  /// CSS px of a length; percentages are of `percentage` px.
  func pixels(_ length: Length, font: Identifier<FontStyleTag>, percentage: Float) -> Float {
    let value = length.value
    switch length.unit {
    case .px: return value
    case .percent: return value * percentage / 100
    case .em: return value * fontSize(font)
    case .vw: return value * settings.pageSize.width.float / 100
    case .vh: return value * settings.pageSize.height.float / 100
    case .vi: return value * writingMode.logical(settings.pageSize).inline.float / 100
    case .vb: return value * writingMode.logical(settings.pageSize).block.float / 100
    case .vmin: return value * Swift.min(settings.pageSize.width, settings.pageSize.height).float / 100
    case .vmax: return value * Swift.max(settings.pageSize.width, settings.pageSize.height).float / 100
    default: return lengthBasis(font).pixels(length) ?? 0
    }
  }

  private func pixels(_ calculation: Calculation, font: Identifier<FontStyleTag>, percentage: Float) -> Float {
    switch calculation {
    case .length(let length): pixels(length, font: font, percentage: percentage)
    case .sum(let terms): terms.reduce(0) { $0 + pixels($1, font: font, percentage: percentage) }
    case .product(let term, let factor): pixels(term, font: font, percentage: percentage) * factor
    case .minimum(let terms): terms.map { pixels($0, font: font, percentage: percentage) }.min() ?? 0
    case .maximum(let terms): terms.map { pixels($0, font: font, percentage: percentage) }.max() ?? 0
    case .clamp(let low, let middle, let high):
      Swift.max(
        pixels(low, font: font, percentage: percentage),
        Swift.min(pixels(middle, font: font, percentage: percentage), pixels(high, font: font, percentage: percentage)))
    }
  }

  /// The used value of a `<length-percentage>` of a box whose font group is `font`.
  package func resolve(_ value: LengthPercentage, font: Identifier<FontStyleTag>, percentage: LayoutUnit) -> LayoutUnit
  {
    switch value {
    case .length(let length):
      if length.unit == .percent { return LayoutUnit(Double(length.value) * percentage.pixels / 100) }
      return LayoutUnit(pixels(length, font: font, percentage: percentage.float))
    case .calculation(let id):
      return LayoutUnit(pixels(styles.calculations[id.index], font: font, percentage: percentage.float))
    }
  }
  package func resolve(_ value: Length, font: Identifier<FontStyleTag>, percentage: LayoutUnit = .zero) -> LayoutUnit {
    resolve(.length(value), font: font, percentage: percentage)
  }

  /// Whether a value depends on its percentage base.
  package func hasPercentage(_ value: LengthPercentage) -> Bool {
    switch value {
    case .length(let length): length.isPercentage
    case .calculation(let id): styles.calculations[id.index].hasPercentage
    }
  }

  /// The used value, nil when it is a percentage of something indefinite.
  package func resolve(_ value: LengthPercentage, font: Identifier<FontStyleTag>, definite percentage: LayoutUnit?)
    -> LayoutUnit?
  {
    if percentage == nil, hasPercentage(value) { return nil }
    return resolve(value, font: font, percentage: percentage ?? .zero)
  }
}
