import Graphics
import Primitives

extension ColorPainter {
  /// Begins a group that is drawn flat, and projected when it ends.
  mutating func saveProjection(_ projection: Projection, source: Rect) {
    let whole = projection.concatenating(transform)
    let centre = Point(x: source.x + source.width / 2, y: source.y + source.height / 2)
    let near = whole.affine(around: centre)
    let magnification = abs(Double(near.a) * Double(near.d) - Double(near.b) * Double(near.c)).squareRoot()
    let scale = Swift.max(pixelScale, Swift.min(magnification, pixelScale * 4))
    let flat = AffineTransform(a: Float(scale), d: Float(scale))
    let device = Device(scaleX: Double(flat.a), scaleY: Double(flat.d), x: 0, y: 0)
    let bounds = device.snap(source)
    let isDrawable =
      saved.count < 1024 && layers.count < 12 && !bounds.isEmpty && bounds.width < Self.longestSide
      && bounds.height < Self.longestSide && whole.isFinite && whole.inverse != nil && !clip.isEmpty
    let cost = isDrawable ? bounds.width * bounds.height + clip.width * clip.height * 8 : 0
    // A plane that is seen from its edge is not seen.
    guard isDrawable, cost <= layerBudget else { return saveTransform(AffineTransform(a: 0, d: 0)) }
    layerBudget -= cost
    let toPixels = whole.scaled(before: 1 / Double(flat.a))
    saved.append(.projection(toPixels, transform, clip: clip, isRect: clipIsRect))
    layers.append(Layer(bounds: bounds))
    transform = flat
    clip = bounds
    clipIsRect = true
  }

  private static let longestSide = 8192

  /// The pixels inside the clip that a group is projected to.
  func projected(_ group: Layer, _ projection: Projection) -> Layer? {
    let area = reach(of: group.bounds, projection).intersection(clip)
    guard !area.isEmpty, let back = projection.inverse else { return nil }
    let result = Layer(bounds: area)
    for y in area.top..<area.bottom {
      let row = unsafe result.target.pixels + y * result.target.width
      for x in area.left..<area.right {
        let place = back(Double(x) + 0.5, Double(y) + 0.5)
        guard place.z != 0 else { continue }
        let (u, v) = (place.x / place.z, place.y / place.z)
        // Points behind the eye would come out upside down.
        guard u.isFinite, v.isFinite, projection(u, v).z > 0 else { continue }
        let pixel = group.sample(u, v)
        if pixel != 0 { unsafe row[x] = pixel }
      }
    }
    return result
  }

  /// The projection of a rectangle; everything where a part of it is behind the eye.
  private func reach(of bounds: PixelRect, _ projection: Projection) -> PixelRect {
    let corners = [
      (bounds.left, bounds.top), (bounds.right, bounds.top), (bounds.left, bounds.bottom),
      (bounds.right, bounds.bottom),
    ].map { projection(Double($0), Double($1)) }
    guard corners.allSatisfy({ $0.z > 1e-6 }) else { return clip }
    let xs = corners.map { $0.x / $0.z }
    let ys = corners.map { $0.y / $0.z }
    return PixelRect(
      left: Device.round((xs.min() ?? 0) - 1), top: Device.round((ys.min() ?? 0) - 1),
      right: Device.round((xs.max() ?? 0) + 1), bottom: Device.round((ys.max() ?? 0) + 1))
  }
}

extension Layer {
  /// The colour at a place, mixed of the four pixels around it; what is beyond the layer is transparent.
  fileprivate func sample(_ x: Double, _ y: Double) -> UInt32 {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    guard left >= Double(bounds.left - 1), left < Double(bounds.right), top >= Double(bounds.top - 1),
      top < Double(bounds.bottom)
    else { return 0 }
    let (column, line) = (Int(left), Int(top))
    let (shareX, shareY) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      guard x >= bounds.left, x < bounds.right, y >= bounds.top, y < bounds.bottom else { return .zero }
      let value = unsafe target.pixels[y * target.width + x]
      return SIMD4(
        Float(value & 255), Float(value >> 8 & 255), Float(value >> 16 & 255), Float(value >> 24))
    }
    let upper = pixel(column, line) * (1 - shareX) + pixel(column + 1, line) * shareX
    let lower = pixel(column, line + 1) * (1 - shareX) + pixel(column + 1, line + 1) * shareX
    let mixed = upper * (1 - shareY) + lower * shareY
    func byte(_ index: Int) -> UInt32 { UInt32(mixed[index].rounded()) }
    return byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0)
  }
}
