import CSS
import Primitives

/// A value made of lengths, each of which can be replaced.
protocol LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self
}

extension LengthPercentage: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self { transform(self) }
}
extension Optional: LengthMapping where Wrapped: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self { map { $0.mapping(transform) } }
}
extension Array: LengthMapping where Element: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self { map { $0.mapping(transform) } }
}
extension SizeValue: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension MarginValue: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension SpacingValue: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension VerticalAlign: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension PositionValue: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    PositionValue(x: transform(x), y: transform(y))
  }
}
extension ColorStop: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    ColorStop(color: color, position: position.map(transform))
  }
}
extension ImageValue: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    switch self {
    case .none, .url: return self
    case .linearGradient(let angle, let corner, let stops, let repeating):
      return .linearGradient(angle: angle, corner: corner, stops: stops.mapping(transform), repeating: repeating)
    case .radialGradient(let isCircle, var extent, let center, let stops, let repeating):
      if case .size(let width, let height) = extent { extent = .size(transform(width), transform(height)) }
      return .radialGradient(
        isCircle: isCircle, extent: extent, center: center.mapping(transform), stops: stops.mapping(transform),
        repeating: repeating)
    }
  }
}
extension BackgroundSize: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .size(let width, let height) = self { .size(width.map(transform), height.map(transform)) } else { self }
  }
}
extension TransformFunction: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .translate(let x, let y) = self { .translate(transform(x), transform(y)) } else { self }
  }
}
extension Shadow {
  func mapping(_ transform: (Length) -> Length) -> Self {
    Shadow(
      x: transform(x), y: transform(y), blur: transform(blur), spread: transform(spread), color: color,
      isInset: isInset)
  }
}
