import BoxGeneration
import CSS
import Graphics
import Images
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
    of image: ImageValue, in content: Rect, area: Rect, margin: LayoutUnit, threshold: Float
  ) -> FloatShape.Outline? {
    guard case .url(let url) = image, let id = inputs.shapeImages[url],
      let bitmap = images.bitmap(id, width: content.width.roundedPixels, height: content.height.roundedPixels)
    else { return nil }
    /// Where a pixel lies among the lines.
    func place(_ x: LayoutUnit, _ y: LayoutUnit) -> SIMD2<Double> {
      let rect = Rect(x: content.x + x, y: content.y + y, width: LayoutUnit(1), height: LayoutUnit(1))
      let offset = writingMode.logical(rect, in: area).offset
      return [offset.inline.pixels, offset.block.pixels]
    }
    let origin = place(.zero, .zero)
    let right = place(LayoutUnit(1), .zero) - origin
    let down = place(.zero, LayoutUnit(1)) - origin
    let last = origin + right * Double(bitmap.width - 1) + down * Double(bitmap.height - 1)
    let start = Swift.min(origin.y, last.y)
    var rows = [ClosedRange<Double>?](repeating: nil, count: Int((last.y - origin.y).magnitude) + 1)
    let limit = Double(threshold) * 255
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width where Double(bitmap.pixels[y * bitmap.stride + x * 4 + 3]) > limit {
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
