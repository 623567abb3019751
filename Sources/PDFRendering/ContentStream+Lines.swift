import Graphics
import Platform
import Primitives

/// Text decorations and sides of borders (CSS Backgrounds 3, section 4.2; CSS Text Decoration 4, section 2.3), with the
/// patterns of `RasterRendering`.
extension ContentStream {
  private mutating func setLine(width: Double, isRound: Bool = false, dashes: [Double] = []) {
    bytes.real(width, decimals: 2)
    bytes.raw(" w ")
    bytes.raw(isRound ? "1 J[" : "0 J[")
    for dash in dashes { bytes.real(dash, decimals: 2) }
    bytes.raw("]0 d\n")
  }

  private mutating func addLine(_ from: SIMD2<Double>, _ to: SIMD2<Double>) {
    bytes.real(from.x, decimals: 2)
    bytes.real(from.y, decimals: 2)
    bytes.raw(" m")
    bytes.real(to.x, decimals: 2)
    bytes.real(to.y, decimals: 2)
    bytes.raw(" l S\n")
  }

  mutating func strokeLine(_ from: Point, _ to: Point, _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    let start = SIMD2(Double(from.x.rawValue), Double(y(from.y)))
    let end = SIMD2(Double(to.x.rawValue), Double(y(to.y)))
    let vector = end - start
    let length = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    let thickness = Double(width.rawValue)
    guard length > 0, length < 1e8 else { return }
    let along = vector / length
    let across = SIMD2(-along.y, along.x)
    setStroke(color)
    switch style {
    case .solid:
      setLine(width: thickness)
      addLine(start, end)
    case .double:
      let part = thickness / 3
      setLine(width: part)
      for side in [-part, part] { addLine(start + across * side, end + across * side) }
    case .dashed:
      let isThick = thickness >= 3 * 64
      let dash = thickness * (isThick ? 2 : 3)
      let gap = Self.gap(length: length, dash: dash, ideal: thickness * (isThick ? 1 : 2))
      setLine(
        width: thickness,
        dashes: length <= dash * 2 ? [dash, Swift.max(length - dash, 64)] : [dash, gap])
      addLine(start, end)
    case .dotted:
      let gap = Self.gap(length: length, dash: thickness, ideal: thickness)
      if thickness < 3 * 64 {
        setLine(width: thickness, dashes: [thickness, gap])
        addLine(start, end)
      } else {
        setLine(width: thickness, isRound: true, dashes: [0, thickness + gap])
        addLine(start + along * (thickness / 2), end - along * (thickness / 2 - 0.64))
      }
    case .wavy: wave(from: start, along: along, length: length, thickness: thickness)
    }
  }

  /// The gap nearest to the ideal with which whole dashes fill a length and end it.
  private static func gap(length: Double, dash: Double, ideal: Double) -> Double {
    let fewer = Swift.max(2, ((length + ideal) / (dash + ideal)).rounded(.down))
    let wide = (length - fewer * dash) / (fewer - 1)
    let narrow = (length - (fewer + 1) * dash) / fewer
    return Swift.max(32, narrow <= 0 || abs(wide - ideal) < abs(narrow - ideal) ? wide : narrow)
  }

  /// A wave, each turn one cubic with both control points over its middle, cut where the line ends.
  private mutating func wave(
    from start: SIMD2<Double>, along: SIMD2<Double>, length: Double, thickness: Double
  ) {
    let pixels = thickness / 64
    let control = (0.5 + (pixels * 3 + 0.5).rounded()) * 64
    let step = (0.5 + (pixels * 2 + 0.5).rounded()) * 64
    let reach = control * 0.29 + thickness
    // The first swing goes under the line.
    let across = SIMD2(along.y, -along.x)
    let count = Swift.min(Int((length / (step * 2)).rounded(.up)), 20000)
    withSavedState { content in
      func add(_ point: SIMD2<Double>) {
        content.bytes.real(point.x, decimals: 2)
        content.bytes.real(point.y, decimals: 2)
      }
      add(start - across * reach)
      content.bytes.raw(" m")
      for corner in [
        start + along * length - across * reach, start + along * length + across * reach, start + across * reach,
      ] {
        add(corner)
        content.bytes.raw(" l")
      }
      content.bytes.raw(" h W n\n")
      content.setLine(width: thickness)
      add(start)
      content.bytes.raw(" m")
      for index in 0..<count {
        let base = start + along * (Double(index) * step * 2)
        add(base + along * step + across * control)
        add(base + along * step - across * control)
        add(base + along * (step * 2))
        content.bytes.raw(" c")
      }
      content.bytes.raw(" S\n")
    }
  }

  /// A closed path with dots or dashes all the way round: as many as fit with gaps near the ideal.
  mutating func strokePath(_ elements: [PathElement], _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    let thickness = Double(width.rawValue)
    let length = Self.length(of: elements)
    guard length > 0 else { return }
    func step(_ dash: Double, _ gap: Double) -> Double {
      length / Swift.max(1, (length / (dash + gap)).rounded())
    }
    setStroke(color)
    switch style {
    case .dotted: setLine(width: thickness, isRound: true, dashes: [0, step(thickness, thickness)])
    case .dashed:
      let isThick = thickness >= 3 * 64
      let dash = thickness * (isThick ? 2 : 3)
      let step = step(dash, thickness * (isThick ? 1 : 2))
      setLine(width: thickness, dashes: [Swift.min(dash, step), Swift.max(0, step - dash)])
    case .solid, .double, .wavy: setLine(width: thickness)
    }
    addPath(elements)
    bytes.raw("S\n")
  }

  /// The length of a path in 1/64 px, its curves as sixteen chords each.
  private static func length(of elements: [PathElement]) -> Double {
    func vector(_ point: Point) -> SIMD2<Double> { SIMD2(Double(point.x.rawValue), Double(point.y.rawValue)) }
    var total = 0.0
    var start = SIMD2<Double>.zero
    var last = SIMD2<Double>.zero
    func go(to next: SIMD2<Double>) {
      let step = next - last
      total += (step.x * step.x + step.y * step.y).squareRoot()
      last = next
    }
    for element in elements {
      switch element {
      case .move(let to): (start, last) = (vector(to), vector(to))
      case .line(let to): go(to: vector(to))
      case .curve(let first, let second, let end):
        let (from, a, b, to) = (last, vector(first), vector(second), vector(end))
        for index in 1...16 {
          let t = Double(index) / 16
          let s = 1 - t
          let start = from * (s * s * s) + a * (3 * s * s * t)
          go(to: start + b * (3 * s * t * t) + to * (t * t * t))
        }
      case .close: go(to: start)
      }
    }
    return total
  }
}
