package import BoxGeneration
package import CSS
package import Fonts
package import Primitives
import Shaping
package import Styling

/// Lengths of styles as they are on a page (CSS Values 4, section 5). Layout keeps what it has found out of font groups; painting
/// asks for few.
package protocol LengthResolver {
  var inputs: LayoutInputs { get }
  /// The size that the viewport's units are relative to: the page box, or on paper the area of the first page.
  var pageSize: Size { get }
  var writingMode: WritingMode { get }
  /// The relative units of a font group; metrics come from its first available face (section 6.1).
  func lengthBasis(_ font: Identifier<FontStyleTag>) -> LengthBasis
}

/// The inputs of a chapter as one of its finished pages uses them.
package struct PageInputs: LengthResolver {
  package let inputs: LayoutInputs
  package let pageSize: Size
  package let writingMode: WritingMode

  package init(_ inputs: LayoutInputs, of page: PageLayout) {
    self.inputs = inputs
    pageSize = inputs.settings.viewport ?? page.size
    writingMode = page.writingMode
  }

  package var tree: BoxTree { inputs.tree }
  package var styles: StyleTable { inputs.styles }
  package var fonts: FontBook { inputs.fonts }
  package func lengthBasis(_ font: Identifier<FontStyleTag>) -> LengthBasis { makeLengthBasis(font) }
}

extension LayoutContext: LengthResolver {
  package var pageSize: Size { settings.viewport ?? pageBox.size }

  package func lengthBasis(_ font: Identifier<FontStyleTag>) -> LengthBasis {
    if let known = measurements.fonts.lengthBases[font.index] { return known }
    let basis = makeLengthBasis(font)
    measurements.fonts.lengthBases[font.index] = basis
    return basis
  }
  package func primaryFace(_ font: Identifier<FontStyleTag>) -> FontFace {
    if let known = measurements.fonts.primaryFaces[font.index] { return known }
    let face = inputs.primaryFace(font)
    measurements.fonts.primaryFaces[font.index] = face
    return face
  }
}

extension LayoutInputs {
  /// Font size of a font group in CSS px.
  package func fontSize(_ font: Identifier<FontStyleTag>) -> Float {
    styles.fonts[font.index].size.resolved(rootFontSize: settings.rootFontSize)
  }
  /// The size that the first available face of a font group is drawn in (`font-size-adjust`), in CSS px.
  func faceSize(_ font: Identifier<FontStyleTag>) -> Float {
    let size = fontSize(font)
    guard let adjust = styles.fonts[font.index].sizeAdjust else { return size }
    let metrics = primaryFace(font).metrics
    return size * adjust.scale(of: metrics, primary: metrics)
  }
  /// The face that metrics of a font group come from.
  package func primaryFace(_ font: Identifier<FontStyleTag>) -> FontFace {
    cascade(font).primary
  }
  fileprivate func cascade(_ font: Identifier<FontStyleTag>) -> FontCascade {
    fonts.cascade(for: styles.fonts[font.index].description)
  }
}

extension LengthResolver {
  package func fontSize(_ font: Identifier<FontStyleTag>) -> Float { inputs.fontSize(font) }
  package func primaryFace(_ font: Identifier<FontStyleTag>) -> FontFace { inputs.primaryFace(font) }

  fileprivate func makeLengthBasis(_ font: Identifier<FontStyleTag>) -> LengthBasis {
    let settings = inputs.settings
    let size = fontSize(font)
    var basis = LengthBasis(
      fontSize: inputs.faceSize(font), rootFontSize: settings.rootFontSize, cascade: inputs.cascade(font))
    basis.fontSize = size
    switch inputs.styles.fonts[font.index].lineHeight {
    case .normal: break
    case .number(let factor): basis.lineHeight = factor * size
    case .length(let length):
      // In its own value, `lh` is that of `normal`.
      basis.lineHeight = resolve(length, font: font, percentage: LayoutUnit(size), basis: basis).float
    }
    return basis
  }

  /// CSS px of a length; percentages are of `percentage` px.
  package func pixels(_ length: Length, font: Identifier<FontStyleTag>, percentage: Float, basis: LengthBasis? = nil)
    -> Float
  {
    let value = length.value
    switch length.unit {
    case .px: return value
    case .percent: return value * percentage / 100
    case .em: return value * fontSize(font)
    case .rem: return value * inputs.settings.rootFontSize
    case .vw: return value * pageSize.width.float / 100
    case .vh: return value * pageSize.height.float / 100
    case .vi: return value * writingMode.logical(pageSize).inline.float / 100
    case .vb: return value * writingMode.logical(pageSize).block.float / 100
    case .vmin: return value * Swift.min(pageSize.width, pageSize.height).float / 100
    case .vmax: return value * Swift.max(pageSize.width, pageSize.height).float / 100
    case .ic: return value * ideographAdvance(font)
    default: return (basis ?? lengthBasis(font)).pixels(length) ?? 0
    }
  }

  /// The advance of an ideograph in the face of the list that draws it, which most lists are not searched for.
  private func ideographAdvance(_ font: Identifier<FontStyleTag>) -> Float {
    let metrics = inputs.cascade(font).face(measuring: FontMetrics.ideograph).metrics
    return metrics.scaled(metrics.icAdvance, size: inputs.faceSize(font))
  }

  /// The used value of a `<length-percentage>` of a box whose font group is `font`.
  package func resolve(
    _ value: LengthPercentage, font: Identifier<FontStyleTag>, percentage: LayoutUnit, basis: LengthBasis? = nil
  ) -> LayoutUnit {
    switch value {
    case .length(let length):
      if length.unit == .percent { return LayoutUnit(Double(length.value) * percentage.pixels / 100) }
      return LayoutUnit(pixels(length, font: font, percentage: percentage.float, basis: basis))
    case .calculation(let id):
      let value = inputs.styles.calculations[id.index].value {
        pixels($0, font: font, percentage: percentage.float, basis: basis)
      }
      return LayoutUnit(value ?? 0)
    }
  }
  package func resolve(_ value: Length, font: Identifier<FontStyleTag>, percentage: LayoutUnit = .zero) -> LayoutUnit {
    resolve(.length(value), font: font, percentage: percentage)
  }

  /// The value depends on its percentage base.
  package func hasPercentage(_ value: LengthPercentage) -> Bool {
    switch value {
    case .length(let length): length.isPercentage
    case .calculation(let id): inputs.styles.calculations[id.index].hasPercentage
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
