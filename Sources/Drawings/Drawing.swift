package import Graphics
package import Primitives

/// What an SVG document draws, as a list: outlines that are filled and stroked one over the other.
///
/// Pixels and PDF are made of the same list. It has the parts of SVG that most drawings of books use; a document with
/// others has no such list, and librsvg draws it.
package struct Drawing: Sendable {
  /// How its coordinates fit the area that it is shown at.
  package var viewport: DrawingViewport
  /// The size in px that coordinates are those of without a `viewBox`; nil where they are those of the area.
  package var natural: SIMD2<Float>?
  package var commands: [Command] = []

  /// Maps lead from the user units of an outline to those of the drawing.
  package enum Command: Sendable {
    case fill(DrawingPath, DrawingPaint, isEvenOdd: Bool, AffineTransform)
    case stroke(DrawingPath, DrawingPaint, DrawingStroke, AffineTransform)
    /// Everything up to the matching `restore` is clipped to an outline.
    case saveClip(DrawingPath, isEvenOdd: Bool, AffineTransform)
    /// Everything up to the matching `restore` is drawn as a group (SVG 2, section 3.6).
    case saveGroup(opacity: Double)
    case restore
  }

  /// The map to an area of a size.
  package func map(to area: SIMD2<Float>) -> AffineTransform { viewport.map(to: area, natural: natural) }
}

/// What an outline is filled or stroked with (SVG 2, section 13.2).
package enum DrawingPaint: Equatable, Sendable {
  case color(Color)
  /// The opacity is that of all stops.
  case gradient(DrawingGradient, opacity: Double)
}

/// A gradient in coordinates of its own (SVG 2, section 14.2).
package struct DrawingGradient: Equatable, Sendable {
  package enum Shape: Equatable, Sendable {
    case linear(from: SIMD2<Double>, to: SIMD2<Double>)
    /// The focal point lies within the circle.
    case radial(center: SIMD2<Double>, radius: Double, focus: SIMD2<Double>)
  }

  /// What is beyond the ends.
  package enum Spread: Equatable, Sendable { case pad, reflect, repeating }

  package var shape: Shape
  package var spread = Spread.pad
  /// From its coordinates to the user units of the outline.
  package var map = AffineTransform.identity
  /// Two at least, none before the one before it.
  package var stops: [GradientStop]
}

/// How an outline is stroked (SVG 2, section 13.5).
package struct DrawingStroke: Equatable, Sendable {
  package enum Cap: Equatable, Sendable { case butt, round, square }
  package enum Join: Equatable, Sendable { case miter, round, bevel }

  /// In user units, as the dashes are.
  package var width = 1.0
  package var cap = Cap.butt
  package var join = Join.miter
  package var miterLimit = 4.0
  /// Dashes and gaps by turns, an even number; none for a line without gaps.
  package var dashes: [Double] = []
  package var dashOffset = 0.0

  package init() {}
}
