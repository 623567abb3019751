package import Graphics

/// How the coordinates of an `<svg>` fit its area (SVG 2, section 8.2).
package struct DrawingViewport: Sendable {
  /// `viewBox`: its corner and its size; nil without one.
  package var box: (corner: SIMD2<Float>, size: SIMD2<Float>)?
  /// The share of the room that is left over which is before it; nil where it is stretched (`none`).
  package var align: SIMD2<Float>? = SIMD2(0.5, 0.5)
  /// The area is covered rather than kept free (`slice`).
  package var isSliced = false

  package init() {}

  /// - Parameters:
  ///   - box: `viewBox`; nil without one.
  ///   - text: The value of `preserveAspectRatio`; any that it cannot have is none, as if there were no attribute
  ///     (SVG 2, section 8.6).
  package init(box: (corner: SIMD2<Float>, size: SIMD2<Float>)?, preserveAspectRatio text: String?) {
    self.box = box
    var words = (text ?? "").split { " \t\n\r\u{C}".contains($0) }[...]
    // Of SVG 1.1, without a meaning since.
    if words.first == "defer" { words = words.dropFirst() }
    guard let first = words.first, words.count <= 2 else { return }
    let scaling = words.dropFirst().first ?? "meet"
    guard scaling == "meet" || scaling == "slice" else { return }
    if first == "none" {
      align = nil
      return
    }
    let places: [Substring: Float] = ["Min": 0, "Mid": 0.5, "Max": 1]
    guard first.utf8.count == 8, first.hasPrefix("x"), first.dropFirst(4).hasPrefix("Y"),
      let x = places[first.dropFirst().prefix(3)], let y = places[first.suffix(3)]
    else { return }
    align = SIMD2(x, y)
    isSliced = scaling == "slice"
  }

  /// - Parameters:
  ///   - area: The size that the drawing is shown at.
  ///   - natural: Its own, of which coordinates are without a `viewBox`.
  package func map(to area: SIMD2<Float>, natural: SIMD2<Float>?) -> AffineTransform {
    guard let box else {
      guard let natural, natural.min() > 0 else { return AffineTransform() }
      return AffineTransform(a: area.x / natural.x, d: area.y / natural.y)
    }
    guard box.size.min() > 0 else { return AffineTransform() }
    var scale = area / box.size
    var shift = SIMD2<Float>()
    if let align {
      scale = SIMD2(repeating: isSliced ? scale.max() : scale.min())
      shift = (area - box.size * scale) * align
    }
    let corner = shift - box.corner * scale
    return AffineTransform(a: scale.x, d: scale.y, tx: corner.x, ty: corner.y)
  }
}
