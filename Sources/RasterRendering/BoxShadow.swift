import CCairo
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
    unsafe cairo_save(cairo)
    defer { unsafe cairo_restore(cairo) }
    let keep = place(clipOut)
    unsafe cairo_new_path(cairo)
    // The box has the shadow's corners, but for a spread that changes them little.
    if inset {
      addRoundedRect(clipOut, radii)
      unsafe cairo_clip(cairo)
    } else if keep.width > 0, keep.height > 0 {
      let far = 1e5
      unsafe cairo_rectangle(cairo, -far, -far, far * 2, far * 2)
      addRoundedRect(clipOut, radii)
      unsafe cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD)
      unsafe cairo_clip(cairo)
    }
    let sigma = Swift.min(blur.pixels * scaleX / 2, 150)
    guard sigma > 0.25, device != nil else {
      if inset { unsafe cairo_rectangle(cairo, keep.x, keep.y, keep.width, keep.height) }
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
      let mask = unsafe cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(area.width), Int32(area.height)),
      let memory = unsafe cairo_image_surface_get_data(mask), let pen = unsafe cairo_create(mask)
    else { return }
    defer {
      unsafe cairo_destroy(pen)
      unsafe cairo_surface_destroy(mask)
    }
    unsafe cairo_set_source_rgba(pen, 0, 0, 0, 1)
    unsafe cairo_translate(pen, Double(-area.left), Double(-area.top))
    if inset {
      unsafe cairo_rectangle(pen, Double(area.left), Double(area.top), Double(area.width), Double(area.height))
      unsafe cairo_set_fill_rule(pen, CAIRO_FILL_RULE_EVEN_ODD)
    }
    unsafe VectorCanvas(cairo: pen, device: device).addRoundedBox(shape, radii)
    unsafe cairo_fill(pen)
    unsafe cairo_surface_flush(mask)
    let stride = unsafe Int(cairo_image_surface_get_stride(mask))
    unsafe BoxBlur.blur(memory, width: area.width, height: area.height, stride: stride, sigma: sigma)
    unsafe cairo_surface_mark_dirty(mask)
    unsafe Self.setSource(cairo, color)
    unsafe cairo_mask_surface(cairo, mask, Double(area.left), Double(area.top))
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
