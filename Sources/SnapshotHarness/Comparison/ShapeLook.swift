import Graphics
import Primitives

extension DisplayItem {
  /// The item without its place and extent: shapes and states of one look are the same, drawn elsewhere or in another size.
  var look: DisplayItem {
    let none = Rect(x: .zero, y: .zero, width: .zero, height: .zero)
    return switch self {
    case .fillPath(_, let color): .fillPath([], color)
    case .strokePath(_, let width, let style, let color): .strokePath([], width: width, style, color)
    case .fillGradient(_, let radii, let gradient): .fillGradient(none, radii, gradient.look)
    case .shadow(_, let radii, let blur, let color, let inset, _):
      .shadow(none, radii, blur: blur, color, inset: inset, clipOut: none)
    case .filterBackdrop(_, let radii, let filters, let opacity):
      .filterBackdrop(none, radii, filters, opacity: opacity)
    case .saveClip(_, let radii): .saveClip(none, radii)
    case .saveClipPath(_, let isEvenOdd): .saveClipPath([], isEvenOdd: isEvenOdd)
    case .saveLayer(let style): .saveLayer(style.look)
    case .saveTransform(let transform): .saveTransform(transform.look)
    default: self
    }
  }
}

extension Gradient {
  fileprivate var look: Gradient {
    let origin = Point(x: .zero, y: .zero)
    return switch self {
    case .linear(_, _, let stops, let repeating): .linear(from: origin, to: origin, stops: stops, repeating: repeating)
    case .radial(_, _, let stops, let repeating):
      .radial(center: origin, radius: Size(width: .zero, height: .zero), stops: stops, repeating: repeating)
    case .conic(_, let angle, let stops, let repeating):
      .conic(center: origin, angle: angle, stops: stops, repeating: repeating)
    }
  }
}

extension LayerStyle {
  fileprivate var look: LayerStyle {
    var look = self
    look.bounds = nil
    return look
  }
}

extension AffineTransform {
  fileprivate var look: AffineTransform {
    var look = self
    (look.tx, look.ty) = (0, 0)
    return look
  }
}
