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
  /// The URL of a `<filter>`.
  case reference(String)
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

/// `transform-style`: descendants stand in the space of a box or lie in its plane (CSS Transforms 2, section 6).
package enum TransformStyle: UInt8, Hashable, Sendable { case flat, preserve3D }

extension TransformStyle: Keyword {
  package var keyword: StaticString {
    switch self {
    case .flat: "flat"
    case .preserve3D: "preserve-3d"
    }
  }
}

/// `backface-visibility`: the back of a box is seen when it is turned to the reader (CSS Transforms 2, section 9).
package enum BackfaceVisibility: UInt8, Hashable, Sendable { case visible, hidden }

extension BackfaceVisibility: Keyword {
  package var keyword: StaticString {
    switch self {
    case .visible: "visible"
    case .hidden: "hidden"
    }
  }
}

/// Effects that `will-change` has on a box for the sake of properties that would do so once they change (CSS Will
/// Change 1, section 2).
package struct WillChange: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let stackingContext = Self(rawValue: 1)
  /// A containing block of fixed boxes.
  package static let fixedContainer = Self(rawValue: 2)
  /// The backdrop root: `backdrop-filter` inside sees no farther (Filter Effects 2, section 2.1).
  package static let backdropRoot = Self(rawValue: 4)
}

/// `container-type` (CSS Conditional 5, section 2.1).
package enum ContainerType: UInt8, Keyword {
  case normal, size, inlineSize

  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .size: "size"
    case .inlineSize: "inline-size"
    }
  }

  /// The containment that comes with it.
  package var containment: Containment {
    switch self {
    case .normal: []
    case .size: [.inlineSize, .blockSize, .style]
    case .inlineSize: [.inlineSize, .style]
    }
  }
}

/// `contain`: the aspects in which a box is independent of its content, or its content of the box (CSS Containment 2,
/// section 2).
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

/// `overflow-clip-margin`: the distance beyond a box to which its content is seen where it is cut off by `overflow:
/// clip` (CSS Overflow 4, section 3.2).
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

  /// The used value, given the distances from the centre to the sides.
  package func used<Value>(
    closest: @autoclosure () -> Value, farthest: @autoclosure () -> Value, length: (LengthPercentage) -> Value
  ) -> Value {
    switch self {
    case .closestSide: closest()
    case .farthestSide: farthest()
    case .length(let value): length(value)
    }
  }
}

/// A `<basic-shape>` (CSS Shapes 1, section 3).
package enum BasicShape: Hashable, Sendable {
  /// Distances from the edges, and the radii of the corners from the top left one clockwise.
  case inset(Sides<LengthPercentage>, radiusX: [LengthPercentage], radiusY: [LengthPercentage])
  case circle(ShapeRadius, center: PositionValue)
  case ellipse(ShapeRadius, ShapeRadius, center: PositionValue)
  case polygon([PositionValue], isEvenOdd: Bool)
  /// `path()` and `shape()`.
  case path([ShapeSegment], isEvenOdd: Bool)
}

/// A step of `shape()` or `path()` (CSS Shapes 2, section 3.1).
package enum ShapeSegment: Hashable, Sendable {
  case move(ShapePoint)
  case line(ShapePoint)
  /// With one control point a quadratic curve, with two a cubic one.
  case curve(ShapePoint, first: ShapePoint, second: ShapePoint?)
  /// A curve that goes on as the last one has ended: cubic with a control point, else quadratic.
  case smooth(ShapePoint, second: ShapePoint?)
  /// The radii, the turn of the ellipse in degrees, and which of its four arcs is meant.
  case arc(ShapePoint, x: LengthPercentage, y: LengthPercentage, turn: Float, isLarge: Bool, isClockwise: Bool)
  case close
}

/// A point of a shape; a coordinate that is nil stays.
package struct ShapePoint: Hashable, Sendable {
  /// The origin of the coordinates: the reference box, or the start or the end of the step.
  package enum Origin: UInt8, Hashable, Sendable { case box, start, end }
  package var x: LengthPercentage?
  package var y: LengthPercentage?
  package var origin: Origin
  package init(x: LengthPercentage?, y: LengthPercentage?, origin: Origin) {
    self.x = x
    self.y = y
    self.origin = origin
  }
}

/// `shape-outside` other than `none` (CSS Shapes 1, section 4.1).
package enum ShapeOutside: Hashable, Sendable {
  /// A shape in a box, or the box itself.
  case shape(ClipPath)
  case image(ImageValue)
}

/// `clip-path` other than `none`: a shape in a box, or the box itself, or a `<clipPath>` of SVG (CSS Masking 1, section 5).
package struct ClipPath: Hashable, Sendable {
  package var shape: BasicShape?
  package var box: GeometryBox
  /// The URL of the `<clipPath>`.
  package var reference: String?
  package init(shape: BasicShape?, box: GeometryBox, reference: String? = nil) {
    self.shape = shape
    self.box = box
    self.reference = reference
  }
}
