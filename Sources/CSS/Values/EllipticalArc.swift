import Platform

/// An arc of an ellipse between two points, as path data gives it (SVG 2, section 9.3.8), by its centre (SVG 2, appendix B.2.4).
package struct EllipticalArc {
  package typealias Place = SIMD2<Double>

  /// Of the ellipse before it is turned: the angle at the start, and how far from there the arc goes, in radians.
  package let start: Double
  package let sweep: Double
  private let centre: Place
  private let radii: Place
  private let (sine, cosine): (Double, Double)

  /// The arc from one point to another; nil where it is a straight line. Radii that are too small grow.
  ///
  /// - Parameters:
  ///   - rotation: How far the ellipse is turned, in degrees.
  ///   - isLarge: `true` if the arc is more than half of the ellipse.
  ///   - sweeps: `true` if it goes on by rising angles.
  package init?(from begin: Place, to end: Place, radii wanted: Place, rotation: Double, isLarge: Bool, sweeps: Bool) {
    var radii = Place(abs(wanted.x), abs(wanted.y))
    guard radii.x > 0, radii.y > 0, end != begin else { return nil }
    (sine, cosine) = (sin(rotation * .pi / 180), cos(rotation * .pi / 180))
    let half = Self.turned((begin - end) / 2, -sine, cosine)
    let size = (half * half) / (radii * radii)
    if size.x + size.y > 1 { radii *= (size.x + size.y).squareRoot() }
    let square = radii * radii
    let crossed = square.x * half.y * half.y + square.y * half.x * half.x
    let root = Swift.max(0, (square.x * square.y - crossed) / Swift.max(crossed, .leastNormalMagnitude)).squareRoot()
    let sign = isLarge == sweeps ? -root : root
    let middle = Place(sign * radii.x * half.y / radii.y, -sign * radii.y * half.x / radii.x)
    self.radii = radii
    centre = Self.turned(middle, sine, cosine) + (begin + end) / 2
    let (from, to) = ((half - middle) / radii, (-half - middle) / radii)
    start = atan2(from.y, from.x)
    var angle = atan2(to.y, to.x) - start
    if sweeps, angle < 0 { angle += 2 * .pi } else if !sweeps, angle > 0 { angle -= 2 * .pi }
    sweep = angle
  }

  /// The point of the ellipse at an angle.
  package func point(at angle: Double) -> Place { place(Place(cos(angle), sin(angle))) }

  /// The point of the ellipse for a point of the circle that the ellipse is made of, of radius 1 about the origin.
  package func place(_ unit: Place) -> Place { centre + Self.turned(unit * radii, sine, cosine) }

  /// The arc as cubic curves of an eighth of a turn at most: two control points and the end of each, the last of which is `end`.
  package func curves(to end: Place) -> [(Place, Place, end: Place)] {
    let steps = Swift.max(1, Int((abs(sweep) / (.pi / 4)).rounded(.up)))
    let step = sweep / Double(steps)
    let reach = 4 / 3 * tan(step / 4)
    return (0..<steps).map { index in
      let (before, after) = (start + step * Double(index), start + step * Double(index + 1))
      func on(_ angle: Double) -> Place { Place(cos(angle), sin(angle)) }
      func way(_ angle: Double) -> Place { Place(-sin(angle), cos(angle)) * reach }
      return (
        place(on(before) + way(before)), place(on(after) - way(after)), end: index == steps - 1 ? end : point(at: after)
      )
    }
  }

  private static func turned(_ place: Place, _ sine: Double, _ cosine: Double) -> Place {
    Place(cosine * place.x - sine * place.y, sine * place.x + cosine * place.y)
  }
}
