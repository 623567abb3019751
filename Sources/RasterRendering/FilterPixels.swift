import Graphics
import Platform
import Primitives

/// The pixels of one result in a filter: premultiplied channels from 0 to 1, row by row.
struct FilterPixels {
  let bounds: PixelRect
  var values: [SIMD4<Float>]
  var isLinear: Bool

  init(_ bounds: PixelRect, isLinear: Bool, filledWith value: SIMD4<Float> = .zero) {
    self.bounds = bounds
    self.isLinear = isLinear
    values = Array(repeating: value, count: Swift.max(0, bounds.width * bounds.height))
  }

  var width: Int { bounds.width }
  var height: Int { bounds.height }

  /// Clears all pixels outside of a rectangle of the page.
  mutating func clip(to rect: PixelRect) {
    let inside = rect.intersection(bounds)
    guard inside != bounds else { return }
    for y in 0..<height {
      let row = y + bounds.top
      for x in 0..<width
      where row < inside.top || row >= inside.bottom || x + bounds.left < inside.left
        || x + bounds.left >= inside.right
      {
        values[y * width + x] = .zero
      }
    }
  }

  // MARK: Colour

  /// Applies a function to each colour with straight alpha.
  mutating func mapColors(_ change: (SIMD4<Float>) -> SIMD4<Float>) {
    // Equal neighbours, of which pages have many, are mapped once.
    var lastIn = SIMD4<Float>(repeating: -1)
    var lastOut = SIMD4<Float>.zero
    for index in values.indices {
      let value = values[index]
      if value != lastIn {
        lastIn = value
        let alpha = value.w
        let straight = alpha > 0 ? SIMD4(value.x / alpha, value.y / alpha, value.z / alpha, alpha) : .zero
        let changed = change(straight).clamped(lowerBound: .zero, upperBound: .one)
        lastOut = SIMD4(changed.x * changed.w, changed.y * changed.w, changed.z * changed.w, changed.w)
      }
      values[index] = lastOut
    }
  }

  private static func linear(_ value: Float) -> Float {
    value <= 0.04045 ? value / 12.92 : Float(pow((Double(value) + 0.055) / 1.055, 2.4))
  }
  private static func encoded(_ value: Float) -> Float {
    value <= 0.003_130_8 ? value * 12.92 : 1.055 * Float(pow(Double(value), 1 / 2.4)) - 0.055
  }

  /// A colour, premultiplied, in linear light or not.
  static func color(_ color: Color, isLinear: Bool) -> SIMD4<Float> {
    func channel(_ byte: UInt8) -> Float { isLinear ? linear(Float(byte) / 255) : Float(byte) / 255 }
    let alpha = Float(color.alpha) / 255
    return SIMD4(channel(color.red) * alpha, channel(color.green) * alpha, channel(color.blue) * alpha, alpha)
  }

  func converted(toLinear: Bool) -> FilterPixels {
    guard toLinear != isLinear else { return self }
    var result = self
    result.isLinear = toLinear
    result.mapColors { color in
      toLinear
        ? SIMD4(Self.linear(color.x), Self.linear(color.y), Self.linear(color.z), color.w)
        : SIMD4(Self.encoded(color.x), Self.encoded(color.y), Self.encoded(color.z), color.w)
    }
    return result
  }

  mutating func apply(_ matrix: [Float]) {
    guard matrix.count == 20 else { return }
    func row(_ index: Int) -> SIMD4<Float> {
      SIMD4(matrix[index * 5], matrix[index * 5 + 1], matrix[index * 5 + 2], matrix[index * 5 + 3])
    }
    let rows = (row(0), row(1), row(2), row(3))
    let constants = SIMD4(matrix[4], matrix[9], matrix[14], matrix[19])
    mapColors { color in
      SIMD4((rows.0 * color).sum(), (rows.1 * color).sum(), (rows.2 * color).sum(), (rows.3 * color).sum()) + constants
    }
  }

  mutating func apply(_ transfers: [FilterGraph.Transfer]) {
    guard transfers.count == 4 else { return }
    mapColors { color in
      var result = color
      for channel in 0..<4 { result[channel] = transfers[channel].value(color[channel]) }
      return result
    }
  }

  // MARK: Geometry

  func shifted(x: Int, y: Int) -> FilterPixels {
    var result = FilterPixels(bounds, isLinear: isLinear)
    for row in Swift.max(0, y)..<Swift.max(0, y, Swift.min(height, height + y)) {
      for column in Swift.max(0, x)..<Swift.max(0, x, Swift.min(width, width + x)) {
        result.values[row * width + column] = values[(row - y) * width + column - x]
      }
    }
    return result
  }

  /// A Gaussian blur by three box filters (Filter Effects 1, section 9.12), along rows and columns by deviations of their own.
  mutating func blur(x: Double, y: Double) {
    blurLines(count: height, length: width, start: width, step: 1, deviation: x)
    blurLines(count: width, length: height, start: 1, step: width, deviation: y)
  }

  private mutating func blurLines(count: Int, length: Int, start: Int, step: Int, deviation: Double) {
    guard deviation > 0, length > 0 else { return }
    let size = Swift.max(
      1, Int((Swift.min(deviation, 1000) * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)))
    guard size > 1 else { return }
    var line = [SIMD4<Float>](repeating: .zero, count: length)
    for index in 0..<count {
      let first = index * start
      for place in 0..<length { line[place] = values[first + place * step] }
      guard line.contains(where: { $0 != .zero }) else { continue }
      // Of an even size, two boxes lie half a pixel to one side each, and the third is larger by one.
      let boxes =
        size % 2 == 1
        ? [(size, size / 2), (size, size / 2), (size, size / 2)]
        : [(size, size / 2), (size, size / 2 - 1), (size + 1, size / 2)]
      for (width, before) in boxes { Self.average(&line, over: width, before: before) }
      for place in 0..<length { values[first + place * step] = line[place] }
    }
  }

  private static func average(_ line: inout [SIMD4<Float>], over size: Int, before: Int) {
    let source = line
    let scale = 1 / Float(size)
    var sum = SIMD4<Float>.zero
    for place in 0..<Swift.min(source.count, size - before) { sum += source[place] }
    for place in source.indices {
      line[place] = sum * scale
      let leaves = place - before
      let enters = place - before + size
      if leaves >= 0 { sum -= source[leaves] }
      if enters < source.count { sum += source[enters] }
    }
    // Rounding leaves no trace where nothing is.
    for place in line.indices where line[place].w < 1e-5 { line[place] = .zero }
  }

  mutating func morph(x: Int, y: Int, dilates: Bool) {
    morphLines(count: height, length: width, start: width, step: 1, radius: x, dilates)
    morphLines(count: width, length: height, start: 1, step: width, radius: y, dilates)
  }

  private mutating func morphLines(count: Int, length: Int, start: Int, step: Int, radius: Int, _ dilates: Bool) {
    guard radius > 0 else { return }
    var line = [SIMD4<Float>](repeating: .zero, count: length)
    for index in 0..<count {
      let first = index * start
      for place in 0..<length { line[place] = values[first + place * step] }
      for place in 0..<length {
        var result = line[place]
        // Transparent black is outside.
        if !dilates, place < radius || place + radius >= length { result = .zero }
        for other in Swift.max(0, place - radius)...Swift.min(length - 1, place + radius) {
          result =
            dilates
            ? result.replacing(with: line[other], where: line[other] .> result)
            : result.replacing(with: line[other], where: line[other] .< result)
        }
        values[first + place * step] = result
      }
    }
  }

  /// The pixels of a rectangle of the page, repeated in both directions.
  func tiled(_ rect: PixelRect) -> FilterPixels {
    var result = FilterPixels(bounds, isLinear: isLinear)
    guard !rect.isEmpty else { return result }
    func wrap(_ value: Int, _ size: Int) -> Int { ((value % size) + size) % size }
    for y in 0..<height {
      let row = rect.top + wrap(y + bounds.top - rect.top, rect.height) - bounds.top
      guard row >= 0, row < height else { continue }
      for x in 0..<width {
        let column = rect.left + wrap(x + bounds.left - rect.left, rect.width) - bounds.left
        if column >= 0, column < width { result.values[y * width + x] = values[row * width + column] }
      }
    }
    return result
  }

  /// Each pixel moved by what two channels of a map say (Filter Effects 1, section 9.11).
  func displaced(by map: FilterPixels, scale: Float, _ xChannel: FilterGraph.Channel, _ yChannel: FilterGraph.Channel)
    -> FilterPixels
  {
    var result = FilterPixels(bounds, isLinear: isLinear)
    for y in 0..<height {
      for x in 0..<width {
        let value = map.values[y * width + x]
        func channel(_ channel: FilterGraph.Channel) -> Float {
          channel == .alpha ? value.w : value.w > 0 ? value[Int(channel.rawValue)] / value.w : 0
        }
        let column = Int((Float(x) + scale * (channel(xChannel) - 0.5)).rounded())
        let row = Int((Float(y) + scale * (channel(yChannel) - 0.5)).rounded())
        guard column >= 0, column < width, row >= 0, row < height else { continue }
        result.values[y * width + x] = values[row * width + column]
      }
    }
    return result
  }

  /// `feConvolveMatrix` (Filter Effects 1, section 9.9) inside a rectangle of the page.
  func convolved(_ convolution: FilterGraph.Convolution, in rect: PixelRect) -> FilterPixels {
    var result = FilterPixels(bounds, isLinear: isLinear)
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return result }
    func sample(_ x: Int, _ y: Int) -> SIMD4<Float> {
      var (x, y) = (x, y)
      if x < area.left || x >= area.right || y < area.top || y >= area.bottom {
        switch convolution.edge {
        case .none: return .zero
        case .duplicate:
          x = Swift.max(area.left, Swift.min(area.right - 1, x))
          y = Swift.max(area.top, Swift.min(area.bottom - 1, y))
        case .wrap:
          x = area.left + ((x - area.left) % area.width + area.width) % area.width
          y = area.top + ((y - area.top) % area.height + area.height) % area.height
        }
      }
      let value = values[(y - bounds.top) * width + x - bounds.left]
      guard convolution.preservesAlpha, value.w > 0 else { return value }
      return SIMD4(value.x / value.w, value.y / value.w, value.z / value.w, value.w)
    }
    for y in area.top..<area.bottom {
      for x in area.left..<area.right {
        var sum = SIMD4<Float>.zero
        for row in 0..<convolution.rows {
          for column in 0..<convolution.columns {
            // The matrix is turned by 180 degrees.
            let factor =
              convolution.matrix[
                (convolution.rows - 1 - row) * convolution.columns + convolution.columns - 1 - column]
            sum += sample(x - convolution.targetX + column, y - convolution.targetY + row) * factor
          }
        }
        let alpha = values[(y - bounds.top) * width + x - bounds.left].w
        var value = sum / convolution.divisor + convolution.bias * (convolution.preservesAlpha ? 1 : alpha)
        if convolution.preservesAlpha {
          value = value.clamped(lowerBound: .zero, upperBound: .one) * alpha
          value.w = alpha
        } else {
          value.w = Swift.max(0, Swift.min(1, value.w))
          value = value.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: value.w))
        }
        result.values[(y - bounds.top) * width + x - bounds.left] = value
      }
    }
    return result
  }

  // MARK: Two inputs

  mutating func combine(with other: FilterPixels, _ function: (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>) {
    for index in values.indices { values[index] = function(values[index], other.values[index]) }
  }

  /// Puts the pixels on others (CSS Compositing 1, section 9.1).
  mutating func composite(_ compositing: FilterGraph.Compositing, with below: FilterPixels) {
    switch compositing {
    case .over: combine(with: below) { $0 + $1 * (1 - $0.w) }
    case .inside: combine(with: below) { $0 * $1.w }
    case .out: combine(with: below) { $0 * (1 - $1.w) }
    case .atop: combine(with: below) { $0 * $1.w + $1 * (1 - $0.w) }
    case .xor: combine(with: below) { $0 * (1 - $1.w) + $1 * (1 - $0.w) }
    case .lighter: combine(with: below) { ($0 + $1).clamped(lowerBound: .zero, upperBound: .one) }
    case .arithmetic(let k1, let k2, let k3, let k4):
      combine(with: below) {
        var value = $0 * $1 * k1 + $0 * k2 + $1 * k3 + k4
        value.w = Swift.max(0, Swift.min(1, value.w))
        return value.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: value.w))
      }
    }
  }
}

extension FilterGraph.Transfer {
  /// Filter Effects 1, section 9.7.
  func value(_ channel: Float) -> Float {
    switch self {
    case .identity: return channel
    case .table(let values):
      guard let last = values.last else { return channel }
      let place = channel * Float(values.count - 1)
      let index = Swift.max(0, Int(place.rounded(.down)))
      guard index + 1 < values.count else { return last }
      return values[index] + (place - Float(index)) * (values[index + 1] - values[index])
    case .discrete(let values):
      guard let last = values.last else { return channel }
      let index = Swift.max(0, Int((channel * Float(values.count)).rounded(.down)))
      return index < values.count ? values[index] : last
    case .linear(let slope, let intercept): return slope * channel + intercept
    case .gamma(let amplitude, let exponent, let offset):
      return amplitude * Float(pow(Double(channel), Double(exponent))) + offset
    }
  }
}
