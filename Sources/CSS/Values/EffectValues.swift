/// `mix-blend-mode` (Compositing 1, section 5.1).
package enum MixBlendMode: UInt8, Hashable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference
  case exclusion, hue, saturation, color, luminosity, plusLighter
}

/// One function of `filter` (Filter Effects 1, section 6). Amounts are numbers with 1 for 100 %.
package enum FilterFunction: Hashable, Sendable {
  /// The standard deviation.
  case blur(Length)
  case brightness(Float)
  case contrast(Float)
  case grayscale(Float)
  /// Degrees.
  case hueRotate(Float)
  case invert(Float)
  case opacity(Float)
  case saturate(Float)
  case sepia(Float)
  case dropShadow(Shadow)
}

/// The box a shape is laid out in (CSS Masking 1, section 5.1). The SVG boxes of `<geometry-box>` stand for their nearest.
package enum GeometryBox: UInt8, Hashable, Sendable { case borderBox, paddingBox, contentBox, marginBox }

/// The box that transforms refer to (CSS Transforms 1, section 6.1).
package enum TransformBox: UInt8, Hashable, Sendable { case contentBox, borderBox, fillBox, strokeBox, viewBox }

extension TransformBox: Keyword {
  package var keyword: StaticString {
    switch self {
    case .contentBox: "content-box"
    case .borderBox: "border-box"
    case .fillBox: "fill-box"
    case .strokeBox: "stroke-box"
    case .viewBox: "view-box"
    }
  }
}

/// What of a box is independent of its content, or its content of the box (CSS Containment 2, section 2).
package struct Containment: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let inlineSize = Self(rawValue: 1)
  /// With `inlineSize`: `size`.
  package static let blockSize = Self(rawValue: 2)
  package static let layout = Self(rawValue: 4)
  package static let style = Self(rawValue: 8)
  package static let paint = Self(rawValue: 16)
}

/// How far beyond a box its content is seen where it is cut off by `overflow: clip` (CSS Overflow 4, section 3.2).
package struct ClipMargin: Hashable, Sendable {
  package var box: GeometryBox
  package var distance: Length
  package init(box: GeometryBox = .paddingBox, distance: Length = .zero) {
    self.box = box
    self.distance = distance
  }
}

/// A radius of `circle()` or `ellipse()` (CSS Shapes 1, section 3.1).
package enum ShapeRadius: Hashable, Sendable {
  case closestSide, farthestSide
  case length(LengthPercentage)
}

/// A `<basic-shape>` (CSS Shapes 1, section 3).
package enum BasicShape: Hashable, Sendable {
  /// Distances from the edges, and the radii of the corners from the top left one clockwise.
  case inset(Sides<LengthPercentage>, radiusX: [LengthPercentage], radiusY: [LengthPercentage])
  case circle(ShapeRadius, center: PositionValue)
  case ellipse(ShapeRadius, ShapeRadius, center: PositionValue)
  case polygon([PositionValue], isEvenOdd: Bool)
}

/// `shape-outside` other than `none` (CSS Shapes 1, section 4.1).
package enum ShapeOutside: Hashable, Sendable {
  /// A shape in a box, or the box itself.
  case shape(ClipPath)
  case image(ImageValue)
}

/// `clip-path` other than `none`: a shape in a box, or the box itself (CSS Masking 1, section 5).
package struct ClipPath: Hashable, Sendable {
  package var shape: BasicShape?
  package var box: GeometryBox
  package init(shape: BasicShape?, box: GeometryBox) {
    self.shape = shape
    self.box = box
  }
}
