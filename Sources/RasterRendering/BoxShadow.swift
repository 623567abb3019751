import CCairo
import Cairo
import Graphics
import Primitives

extension VectorCanvas {
  /// A box shadow (CSS Backgrounds 3, section 6): blurred by three box filters, which together come close to a Gaussian
  /// whose standard deviation is half the blur radius.
  ///
  /// - Parameters:
  ///   - rect: The shadow's shape; for an inset one the hole in it.
  ///   - clipOut: Where an outer shadow is not drawn; for an inset one the only place where it is.
  ///   - bounds: The device pixels that matter.
  func shadow(
    _ rect: Rect, _ radii: CornerRadii, blur: LayoutUnit, _ color: Color, inset: Bool, clipOut: Rect, bounds: PixelRect
  ) {
    cairo.save()
    defer { cairo.restore() }
    let keep = place(clipOut)
    cairo.newPath()
    // The box has the shadow's corners, but for a spread that changes them little.
    if inset {
      addRoundedRect(clipOut, radii)
      cairo.clip()
    } else if keep.width > 0, keep.height > 0 {
      let far = 1e5
      cairo.rectangle(-far, -far, far * 2, far * 2)
      addRoundedRect(clipOut, radii)
      cairo.setFillRule(CAIRO_FILL_RULE_EVEN_ODD)
      cairo.clip()
    }
    let sigma = Swift.min(blur.pixels * scaleX / 2, 150)
    guard sigma > 0.25, device != nil else {
      if inset { cairo.rectangle(keep.x, keep.y, keep.width, keep.height) }
      addRoundedRect(rect, radii)
      fill(color, evenOdd: inset)
      return
    }
    let reach = Int((sigma * 3).rounded(.up))
    let shape = place(rect)
    // The part of the shadow that can be seen, with room for what bleeds in from outside it.
    var area = PixelRect(
      left: Device.round(shape.x) - reach, top: Device.round(shape.y) - reach,
      right: Device.round(shape.x + shape.width) + reach, bottom: Device.round(shape.y + shape.height) + reach)
    if inset {
      area = PixelRect(
        left: Device.round(keep.x) - reach, top: Device.round(keep.y) - reach,
        right: Device.round(keep.x + keep.width) + reach, bottom: Device.round(keep.y + keep.height) + reach)
    }
    area = area.intersection(
      PixelRect(
        left: bounds.left - reach, top: bounds.top - reach, right: bounds.right + reach, bottom: bounds.bottom + reach))
    guard !area.isEmpty,
      let mask = CairoSurface.image(CAIRO_FORMAT_A8, width: area.width, height: area.height),
      let memory = unsafe mask.memory
    else { return }
    mask.draw { pen in
      pen.setSource(0, 0, 0, 1)
      pen.translate(Double(-area.left), Double(-area.top))
      if inset {
        pen.rectangle(Double(area.left), Double(area.top), Double(area.width), Double(area.height))
        pen.setFillRule(CAIRO_FILL_RULE_EVEN_ODD)
      }
      VectorCanvas(cairo: pen, device: device).addRoundedBox(shape, radii)
      pen.fill()
    }
    mask.flush()
    unsafe BoxBlur.blur(memory, width: area.width, height: area.height, stride: mask.stride, sigma: sigma)
    mask.markDirty()
    Self.setSource(cairo, color)
    cairo.mask(mask, Double(area.left), Double(area.top))
  }
}

/// Three passes of a moving average in both directions.
enum BoxBlur {
  /// - Parameter step: Bytes from a pixel to the next in its row.
  static func blur(
    _ pixels: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int, step: Int = 1, sigma: Double
  ) {
    // The window whose three passes have the wanted deviation (Filter Effects 1, section 9.6).
    let window = Swift.max(1, Int((sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)))
    guard window > 1 else { return }
    var line = [UInt8](repeating: 0, count: Swift.max(width, height))
    for pass in 0..<3 {
      // Even windows lean to one side and then to the other, so that the result is centred.
      let before = window % 2 == 0 && pass == 1 ? window / 2 - 1 : window / 2
      let size = window % 2 == 0 && pass == 2 ? window + 1 : window
      for y in 0..<height {
        unsafe average(pixels + y * stride, count: width, step: step, window: size, before: before, line: &line)
      }
      for x in 0..<width {
        unsafe average(pixels + x * step, count: height, step: stride, window: size, before: before, line: &line)
      }
    }
  }

  private static func average(
    _ pixels: UnsafeMutablePointer<UInt8>, count: Int, step: Int, window: Int, before: Int, line: inout [UInt8]
  ) {
    unsafe line.withUnsafeMutableBufferPointer { line in
      for index in 0..<count { unsafe line[index] = unsafe pixels[index * step] }
      var sum = 0
      let after = window - before  // The window of pixel i is [i - before, i + after).
      for index in 0..<Swift.min(after, count) { unsafe sum += Int(line[index]) }
      for index in 0..<count {
        unsafe pixels[index * step] = UInt8(truncatingIfNeeded: (sum + window / 2) / window)
        if index - before >= 0 { unsafe sum -= Int(line[index - before]) }
        if index + after < count { unsafe sum += Int(line[index + after]) }
      }
    }
  }
}
