import BoxGeneration
import CSS
import Graphics
import Images
import Platform
package import Primitives
package import Styling

extension LayoutInputs {
  /// The images that styles name as `shape-outside`, by their URLs.
  package static func shapeImages(of styles: StyleTable, load: (String) -> ImageID?) -> [String: ImageID] {
    var images: [String: ImageID] = [:]
    for style in styles.boxes {
      guard case .image(.url(let url))? = style.rare?.values.shapeOutside, images[url] == nil else { continue }
      images[url] = load(url)
    }
    return images
  }
}

extension LayoutContext {
  /// The opaque part of an image that fills the content box of a float (CSS Shapes 1, section 4.1); nil where it cannot be drawn.
  ///
  /// - Parameter threshold: The share of opacity that a pixel has more of than is free.
  func outline(
    of image: ImageValue, in content: Rect, area: Rect, margin: LayoutUnit, threshold: Float, style: ComputedStyle
  ) -> FloatShape.Outline? {
    let (width, height) = (content.width.roundedPixels, content.height.roundedPixels)
    guard width > 0, height > 0, width <= Self.largestShape, height <= Self.largestShape else { return nil }
    if case .gradient(let value) = image {
      guard let gradient = gradient(value, in: content, style: style) else { return nil }
      return outline(width, height, in: content, area: area, margin: margin) { x, y in
        let place = SIMD2(content.x.pixels + Double(x) + 0.5, content.y.pixels + Double(y) + 0.5)
        return gradient.opacity(at: place) > Double(threshold)
      }
    }
    guard case .url(let url) = image, let id = inputs.shapeImages[url],
      let bitmap = images.bitmap(id, width: width, height: height)
    else { return nil }
    return outline(bitmap.width, bitmap.height, in: content, area: area, margin: margin) { x, y in
      unsafe Float(bitmap.pixels[y * bitmap.stride + x * 4 + 3]) > threshold * 255
    }
  }

  /// Shapes with longer sides, in px, are those of their boxes.
  private static let largestShape = 8192

  /// The outline of the pixels of an image that are in it.
  private func outline(
    _ width: Int, _ height: Int, in content: Rect, area: Rect, margin: LayoutUnit, contains: (Int, Int) -> Bool
  ) -> FloatShape.Outline {
    /// The position of a pixel among the lines.
    func place(_ x: LayoutUnit, _ y: LayoutUnit) -> SIMD2<Double> {
      let rect = Rect(x: content.x + x, y: content.y + y, width: LayoutUnit(1), height: LayoutUnit(1))
      let offset = writingMode.logical(rect, in: area).offset
      return [offset.inline.pixels, offset.block.pixels]
    }
    let origin = place(.zero, .zero)
    let right = place(LayoutUnit(1), .zero) - origin
    let down = place(.zero, LayoutUnit(1)) - origin
    let last = origin + right * Double(width - 1) + down * Double(height - 1)
    let start = Swift.min(origin.y, last.y)
    var rows = [ClosedRange<Double>?](repeating: nil, count: Int((last.y - origin.y).magnitude) + 1)
    for y in 0..<height {
      for x in 0..<width where contains(x, y) {
        let pixel = origin + right * Double(x) + down * Double(y)
        let row = Int(pixel.y - start)
        let known = rows[row] ?? pixel.x...(pixel.x + 1)
        rows[row] = Swift.min(known.lowerBound, pixel.x)...Swift.max(known.upperBound, pixel.x + 1)
      }
    }
    return .rows(Self.grown(rows, by: margin.pixels), start: start - margin.pixels.rounded(.up))
  }

  /// Rows that reach `margin` beyond those given, in every direction.
  private static func grown(_ rows: [ClosedRange<Double>?], by margin: Double) -> [ClosedRange<Double>?] {
    guard margin > 0 else { return rows }
    let reach = Int(margin.rounded(.up))
    var grown = [ClosedRange<Double>?](repeating: nil, count: rows.count + 2 * reach)
    for (row, range) in rows.enumerated() {
      guard let range else { continue }
      for distance in -reach...reach {
        let across = Swift.max(0, Double(distance.magnitude) - 0.5)
        guard across < margin else { continue }
        let along = (margin * margin - across * across).squareRoot()
        let target = row + reach + distance
        let wide = (range.lowerBound - along)...(range.upperBound + along)
        grown[target] =
          grown[target].map {
            Swift.min($0.lowerBound, wide.lowerBound)...Swift.max($0.upperBound, wide.upperBound)
          } ?? wide
      }
    }
    return grown
  }
}

extension Gradient {
  /// The opacity at a place, from 0 to 1.
  fileprivate func opacity(at place: SIMD2<Double>) -> Double {
    func vector(_ point: Point) -> SIMD2<Double> { [point.x.pixels, point.y.pixels] }
    switch self {
    case .linear(let from, let to, let stops, let repeats):
      let line = vector(to) - vector(from)
      let length = (line * line).sum()
      let share = length > 0 ? ((place - vector(from)) * line).sum() / length : 0
      return Self.opacity(at: share, stops, repeats)
    case .radial(let center, let radius, let stops, let repeats):
      let distance = (place - vector(center)) / [radius.width.pixels, radius.height.pixels]
      return Self.opacity(at: (distance * distance).sum().squareRoot(), stops, repeats)
    case .conic(let center, let angle, let stops, let repeats):
      let distance = place - vector(center)
      let turn = atan2(distance.x, -distance.y) / (2 * .pi) - Double(angle) / 360
      return Self.opacity(at: turn - turn.rounded(.down), stops, repeats)
    }
  }

  private static func opacity(at share: Double, _ stops: [GradientStop], _ repeats: Bool) -> Double {
    guard let first = stops.first, let last = stops.last else { return 0 }
    var share = share
    let span = Double(last.offset - first.offset)
    if repeats, span > 0 {
      let turns = (share - Double(first.offset)) / span
      share = Double(first.offset) + (turns - turns.rounded(.down)) * span
    }
    func opacity(_ stop: GradientStop) -> Double { Double(stop.color.alpha) / 255 }
    guard let after = stops.firstIndex(where: { Double($0.offset) > share }) else { return opacity(last) }
    guard after > 0 else { return opacity(first) }
    let (low, high) = (stops[after - 1], stops[after])
    let part = (share - Double(low.offset)) / Double(high.offset - low.offset)
    return opacity(low) + (opacity(high) - opacity(low)) * part
  }
}
