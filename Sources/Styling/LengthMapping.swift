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
    switch self {
    case .length(let length): .length(transform(length))
    case .calculated(let basis, let sum): .calculated(basis, transform(sum))
    default: self
    }
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
    if case .crossFade(let parts) = self { return .crossFade(parts.mapping(transform)) }
    guard case .gradient(var gradient) = self else { return self }
    switch gradient.shape {
    case .linear: break
    case .radial(let isCircle, var extent, let center):
      if case .size(let width, let height) = extent { extent = .size(transform(width), transform(height)) }
      gradient.shape = .radial(isCircle: isCircle, extent: extent, center: center.mapping(transform))
    case .conic(let from, let center): gradient.shape = .conic(from: from, center: center.mapping(transform))
    }
    gradient.stops = gradient.stops.mapping(transform)
    return .gradient(gradient)
  }
}
extension FadedImage: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    guard case .image(let image) = source else { return self }
    return FadedImage(source: .image(image.mapping(transform)), share: share)
  }
}
extension Sides: LengthMapping where Value: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    Sides(
      top: top.mapping(transform), right: right.mapping(transform), bottom: bottom.mapping(transform),
      left: left.mapping(transform))
  }
}
extension BorderImageWidth: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension BorderImage: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    var image = self
    image.source = source.mapping(transform)
    image.slice = slice.mapping(transform)
    image.width = width.mapping(transform)
    image.outset = outset.mapping(transform)
    return image
  }
}
extension DecorationThickness: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension ShapeRadius: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    if case .length(let length) = self { .length(transform(length)) } else { self }
  }
}
extension ClipPath: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    var path = self
    path.shape = shape.mapping(transform)
    return path
  }
}
extension BasicShape: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    switch self {
    case .inset(let edges, let radiusX, let radiusY):
      .inset(edges.mapping(transform), radiusX: radiusX.mapping(transform), radiusY: radiusY.mapping(transform))
    case .circle(let radius, let center): .circle(radius.mapping(transform), center: center.mapping(transform))
    case .ellipse(let x, let y, let center):
      .ellipse(x.mapping(transform), y.mapping(transform), center: center.mapping(transform))
    case .polygon(let points, let isEvenOdd): .polygon(points.mapping(transform), isEvenOdd: isEvenOdd)
    case .path(let segments, let isEvenOdd): .path(segments.mapping(transform), isEvenOdd: isEvenOdd)
    }
  }
}
extension ShapePoint: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    ShapePoint(x: x.map(transform), y: y.map(transform), origin: origin)
  }
}
extension ShapeSegment: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    switch self {
    case .move(let point): .move(point.mapping(transform))
    case .line(let point): .line(point.mapping(transform))
    case .curve(let end, let first, let second):
      .curve(end.mapping(transform), first: first.mapping(transform), second: second.mapping(transform))
    case .smooth(let end, let second): .smooth(end.mapping(transform), second: second.mapping(transform))
    case .arc(let end, let x, let y, let turn, let isLarge, let isClockwise):
      .arc(
        end.mapping(transform), x: transform(x), y: transform(y), turn: turn, isLarge: isLarge,
        isClockwise: isClockwise)
    case .close: .close
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
    switch self {
    case .translate(let x, let y): .translate(transform(x), transform(y))
    case .translate3D(let x, let y, let z): .translate3D(transform(x), transform(y), transform(z))
    case .perspective(let distance): .perspective(distance.map(transform))
    default: self
    }
  }
}
extension Shadow {
  func mapping(_ transform: (Length) -> Length) -> Self {
    Shadow(
      x: transform(x), y: transform(y), blur: transform(blur), spread: transform(spread), color: color,
      isInset: isInset)
  }
}
extension FilterFunction {
  func mapping(_ transform: (Length) -> Length) -> Self {
    switch self {
    case .blur(let length): .blur(transform(length))
    case .dropShadow(let shadow): .dropShadow(shadow.mapping(transform))
    default: self
    }
  }
}
