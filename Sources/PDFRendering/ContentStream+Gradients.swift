import Graphics
import Primitives

/// Gradients as shadings (ISO 32000-1, section 8.7.4.5).
extension ContentStream {
  /// - Returns: `true` if there is a shading that does what the gradient does.
  mutating func fillGradient(_ rect: Rect, _ radii: CornerRadii, _ gradient: Gradient) -> Bool {
    let stops: [GradientStop]
    switch gradient {
    case .linear(_, _, let list, let repeats), .radial(_, _, let list, let repeats):
      if repeats { return false }
      stops = list
    case .conic: return false
    }
    guard !rect.isEmpty, let first = stops.first?.offset, let last = stops.last?.offset, first < last,
      stops.allSatisfy({ $0.color.alpha == 255 && $0.offset.isFinite })
    else { return false }
    var shading = PDFBytes("<</ShadingType")
    var matrix: [Double] = []
    let (start, end) = (Double(first), Double(last))
    switch gradient {
    case .linear(let from, let to, _, _):
      let origin = SIMD2(Double(from.x.rawValue), Double(y(from.y)))
      let vector = SIMD2(Double(to.x.rawValue), Double(y(to.y))) - origin
      shading.raw(" 2/Coords[")
      for point in [origin + vector * start, origin + vector * end] {
        shading.real(point.x, decimals: 2)
        shading.real(point.y, decimals: 2)
      }
    case .radial(let center, let radius, _, _):
      guard start >= 0 else { return false }
      matrix = [
        Swift.max(Double(radius.width.rawValue), 1), 0, 0, Swift.max(Double(radius.height.rawValue), 1),
        Double(center.x.rawValue), Double(y(center.y)),
      ]
      shading.raw(" 3/Coords[0 0")
      shading.real(start, decimals: 5)
      shading.raw(" 0 0")
      shading.real(end, decimals: 5)
    case .conic: return false
    }
    shading.raw("]/ColorSpace/DeviceRGB/Extend[true true]/Domain[")
    shading.real(start, decimals: 5)
    shading.real(end, decimals: 5)
    shading.raw("]/Function")
    GradientFunction.append(stops, to: &shading)
    shading.raw(">>")
    resources.shadings.append(shading)
    let name = resources.shadings.count - 1
    withSavedState {
      $0.addRoundedRect(rect, radii)
      $0.bytes.raw("W n")
      if !matrix.isEmpty {
        for value in matrix { $0.bytes.real(value, decimals: 2) }
        $0.bytes.raw(" cm")
      }
      $0.bytes.raw("/S")
      $0.bytes.raw(String(name).utf8)
      $0.bytes.raw(" sh ")
    }
    return true
  }
}

/// The colours between the stops of a gradient.
enum GradientFunction {
  /// Exponential functions of degree 1, stitched together (section 7.10).
  static func append(_ stops: [GradientStop], to bytes: inout PDFBytes) {
    func segment(_ from: Color, _ to: Color) {
      bytes.raw("<</FunctionType 2/Domain[0 1]/N 1/C0[")
      bytes.components((from.red, from.green, from.blue))
      bytes.raw("]/C1[")
      bytes.components((to.red, to.green, to.blue))
      bytes.raw("]>>")
    }
    bytes.raw("<</FunctionType 3/Domain[")
    bytes.real(Double(stops[0].offset), decimals: 5)
    bytes.real(Double(stops[stops.count - 1].offset), decimals: 5)
    bytes.raw("]/Functions[")
    for index in 1..<stops.count { segment(stops[index - 1].color, stops[index].color) }
    bytes.raw("]/Bounds[")
    for stop in stops[1..<(stops.count - 1)] { bytes.real(Double(stop.offset), decimals: 5) }
    bytes.raw("]/Encode[")
    for _ in 1..<stops.count { bytes.raw("0 1 ") }
    bytes.raw("]>>")
  }
}
