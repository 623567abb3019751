import CCairo
import Cairo
import Graphics
import Platform
import Primitives

extension BlendMode {
  var cairoOperator: cairo_operator_t {
    switch self {
    case .normal: CAIRO_OPERATOR_OVER
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .hue: CAIRO_OPERATOR_HSL_HUE
    case .saturation: CAIRO_OPERATOR_HSL_SATURATION
    case .color: CAIRO_OPERATOR_HSL_COLOR
    case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
    case .plusLighter: CAIRO_OPERATOR_ADD
    case .maskIn: CAIRO_OPERATOR_DEST_IN
    case .maskOut: CAIRO_OPERATOR_OUT
    case .maskXor: CAIRO_OPERATOR_XOR
    }
  }
}

extension PixelFilter {
  /// Steps through each pixel of the layer, roughly.
  var cost: Int {
    switch self {
    case .colorMatrix: 4
    case .linearColorMatrix: 8
    case .blur: 24
    case .dropShadow: 30
    case .graph(let graph): 20 + 40 * graph.primitives.count
    }
  }
}

extension Layer {
  private var memory: UnsafeMutableBufferPointer<UInt32> {
    unsafe UnsafeMutableBufferPointer(
      start: target.pixels + (bounds.top * bounds.width + bounds.left), count: bounds.width * bounds.height)
  }

  /// Runs a filter other than a graph over the layer's pixels; `scale` is device pixels a CSS px.
  func apply(_ filter: PixelFilter, scale: Double) {
    switch filter {
    case .colorMatrix(let matrix): multiply(by: matrix, isLinear: false)
    case .linearColorMatrix(let matrix): multiply(by: matrix, isLinear: true)
    case .blur(let deviation):
      unsafe blur(memory, sigma: deviation.pixels * scale)
    case .dropShadow(let x, let y, let deviation, let color):
      dropShadow(
        x: Device.round(x.pixels * scale), y: Device.round(y.pixels * scale), sigma: deviation.pixels * scale, color)
    case .graph: break
    }
  }

  /// From sRGB to linear light.
  private static let linear = (0...255).map { byte -> Float in
    let value = Double(byte) / 255
    return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }

  /// From linear light to sRGB.
  private static func encoded(_ value: Float) -> Float {
    value <= 0.003_130_8 ? value * 12.92 : 1.055 * Float(pow(Double(value), 1 / 2.4)) - 0.055
  }

  private func multiply(by matrix: [Float], isLinear: Bool) {
    guard matrix.count == 20 else { return }
    let linear = isLinear ? Self.linear : []
    func row(_ index: Int) -> (SIMD4<Float>, Float) {
      let at = index * 5
      return (SIMD4(matrix[at], matrix[at + 1], matrix[at + 2], matrix[at + 3]), matrix[at + 4])
    }
    let (red, green, blue, alpha) = (row(0), row(1), row(2), row(3))
    // Equal neighbours, of which pages have many, are mapped once.
    var lastIn: UInt32 = 0
    var lastOut: UInt32 = 0
    let pixels = unsafe memory
    for index in pixels.indices {
      let pixel = unsafe pixels[index]
      if pixel == 0 { continue }
      if pixel != lastIn {
        let cover = Float(pixel >> 24)
        var color =
          SIMD4(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), cover * cover / 255) / cover
        if isLinear {
          for channel in 0..<3 { color[channel] = linear[Swift.min(255, Int((color[channel] * 255).rounded()))] }
        }
        func dot(_ row: (SIMD4<Float>, Float)) -> Float { Swift.max(0, Swift.min(1, (row.0 * color).sum() + row.1)) }
        let a = dot(alpha)
        func byte(_ value: Float) -> UInt32 {
          UInt32(((isLinear ? Self.encoded(value) : value) * a * 255).rounded())
        }
        lastIn = pixel
        lastOut = UInt32((a * 255).rounded()) << 24 | byte(dot(red)) << 16 | byte(dot(green)) << 8 | byte(dot(blue))
      }
      unsafe pixels[index] = lastOut
    }
  }

  private func blur(_ pixels: UnsafeMutableBufferPointer<UInt32>, sigma: Double) {
    guard sigma > 0, let base = pixels.baseAddress else { return }
    let bytes = unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self)
    for channel in 0..<4 {
      unsafe BoxBlur.blur(
        bytes + channel, width: bounds.width, height: bounds.height, stride: bounds.width * 4, step: 4,
        sigma: Swift.min(sigma, 1000))
    }
  }

  private func dropShadow(x: Int, y: Int, sigma: Double, _ color: Color) {
    let pixels = unsafe memory
    let (width, height) = (bounds.width, bounds.height)
    let shadow = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: pixels.count)
    unsafe shadow.initialize(repeating: 0)
    defer { unsafe shadow.deallocate() }
    let ink = ColorTarget.premultiplied(color)
    for row in Swift.max(0, y)..<Swift.max(0, y, Swift.min(height, height + y)) {
      for column in Swift.max(0, x)..<Swift.max(0, x, Swift.min(width, width + x)) {
        let alpha = unsafe pixels[(row - y) * width + column - x] >> 24
        if alpha > 0 { unsafe shadow[row * width + column] = ColorTarget.scale(ink, alpha) }
      }
    }
    unsafe blur(shadow, sigma: sigma)
    for index in pixels.indices where unsafe shadow[index] != 0 {
      let over = unsafe pixels[index]
      unsafe pixels[index] = unsafe over &+ ColorTarget.scale(shadow[index], 255 &- over >> 24)
    }
  }
}
