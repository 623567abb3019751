import Graphics
import Primitives

/// Filters on the pixels of a group.
extension ColorPainter {
  mutating func run(_ filters: [PixelFilter], on group: Layer) {
    for filter in filters {
      if case .graph(let graph) = filter { run(graph, on: group) } else { group.apply(filter, scale: pixelScale) }
    }
  }

  /// Replaces a group's pixels by the result of a graph.
  private mutating func run(_ graph: FilterGraph, on group: Layer) {
    let bounds = deviceRect(graph.region).intersection(group.bounds)
    guard !bounds.isEmpty else { return group.replacePixels(by: nil) }
    let source = group.filterPixels(in: bounds)
    var results: [FilterPixels] = []
    for primitive in graph.primitives {
      func input(_ index: Int) -> FilterPixels {
        let found: FilterPixels
        switch index < primitive.inputs.count ? primitive.inputs[index] : .nothing {
        case .source: found = source
        case .sourceAlpha:
          found = source
          var alpha = source
          for index in alpha.values.indices { alpha.values[index] = SIMD4(0, 0, 0, alpha.values[index].w) }
          alpha.isLinear = primitive.isLinear
          return alpha
        case .result(let number): found = results[number]
        case .nothing: return FilterPixels(bounds, isLinear: primitive.isLinear)
        }
        return found.converted(toLinear: primitive.isLinear)
      }
      var result: FilterPixels
      let area = deviceRect(primitive.region).intersection(bounds)
      switch primitive.kind {
      case .flood(let color):
        result = FilterPixels(
          bounds, isLinear: primitive.isLinear, filledWith: FilterPixels.color(color, isLinear: primitive.isLinear))
      case .blur(let x, let y):
        result = input(0)
        result.blur(x: x.pixels * pixelScale, y: y.pixels * pixelScale)
      case .offset(let x, let y): result = input(0).shifted(x: device(x), y: device(y))
      case .matrix(let matrix):
        result = input(0)
        result.apply(matrix)
      case .transfer(let transfers):
        result = input(0)
        result.apply(transfers)
      case .composite(let compositing):
        result = input(0)
        result.composite(compositing, with: input(1))
      case .merge:
        result = FilterPixels(bounds, isLinear: primitive.isLinear)
        for index in primitive.inputs.indices {
          var layer = input(index)
          layer.composite(.over, with: result)
          result = layer
        }
      case .blend(let mode):
        result = input(0)
        result.blend(mode, with: input(1))
      case .morphology(let x, let y, let dilates):
        result = input(0)
        result.morph(x: Swift.min(256, device(x)), y: Swift.min(256, device(y)), dilates: dilates)
      case .image(let id, let rect): result = pixels(of: id, in: rect, bounds: bounds)
      case .tile(let rect): result = input(0).tiled(deviceRect(rect))
      case .displacement(let scale, let x, let y):
        result = input(0).displaced(by: input(1), scale: Float(scale.pixels * pixelScale), x, y)
      case .convolution(let convolution): result = input(0).convolved(convolution, in: area)
      case .shadow(let x, let y, let blurX, let blurY, let color):
        let top = input(0)
        var shadow = top.shifted(x: device(x), y: device(y))
        shadow.blur(x: blurX.pixels * pixelScale, y: blurY.pixels * pixelScale)
        let ink = FilterPixels.color(color, isLinear: primitive.isLinear)
        for index in shadow.values.indices { shadow.values[index] = ink * shadow.values[index].w }
        result = top
        result.composite(.over, with: shadow)
      }
      result.clip(to: area)
      results.append(result)
    }
    group.replacePixels(by: results.last?.converted(toLinear: false))
  }

  private func device(_ length: LayoutUnit) -> Int { Device.round(length.pixels * pixelScale) }

  /// The pixels that a rectangle of the list takes.
  private func deviceRect(_ rect: Rect) -> PixelRect {
    let corners = deviceCorners(of: rect)
    return PixelRect(
      left: Device.round(corners.map(\.x).min() ?? 0), top: Device.round(corners.map(\.y).min() ?? 0),
      right: Device.round(corners.map(\.x).max() ?? 0), bottom: Device.round(corners.map(\.y).max() ?? 0))
  }

  /// An image drawn over a rectangle.
  private mutating func pixels(of image: ImageID, in rect: Rect, bounds: PixelRect) -> FilterPixels {
    let saved = (clip, clipIsRect)
    layers.append(Layer(bounds: bounds))
    (clip, clipIsRect) = (bounds, true)
    drawImage(image, rect)
    let drawn = layers.removeLast()
    (clip, clipIsRect) = saved
    drawn.flush()
    return drawn.filterPixels(in: bounds)
  }
}

extension Layer {
  /// The pixels in a part of the layer, in sRGB.
  func filterPixels(in part: PixelRect) -> FilterPixels {
    var result = FilterPixels(part, isLinear: false)
    for y in part.top..<part.bottom {
      for x in part.left..<part.right {
        let pixel = unsafe target.pixels[y * target.width + x]
        if pixel == 0 { continue }
        result.values[(y - part.top) * part.width + x - part.left] =
          SIMD4(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), Float(pixel >> 24)) / 255
      }
    }
    return result
  }

  /// Clears the layer, but for the pixels of a part of it.
  func replacePixels(by part: FilterPixels?) {
    for y in bounds.top..<bounds.bottom {
      for x in bounds.left..<bounds.right { unsafe target.pixels[y * target.width + x] = 0 }
    }
    guard let part else { return }
    for y in part.bounds.top..<part.bounds.bottom {
      for x in part.bounds.left..<part.bounds.right {
        let value = part.values[(y - part.bounds.top) * part.width + x - part.bounds.left]
        let alpha = (value.w * 255).rounded()
        func byte(_ channel: Float) -> UInt32 { UInt32(Swift.max(0, Swift.min(alpha, (channel * 255).rounded()))) }
        unsafe target.pixels[y * target.width + x] =
          UInt32(alpha) << 24 | byte(value.x) << 16 | byte(value.y) << 8 | byte(value.z)
      }
    }
  }
}
