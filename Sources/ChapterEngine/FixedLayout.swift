package import Graphics
package import ImageCodecs
import Images
import Layout
package import Markup
import Painting
package import Primitives
package import Publications

/// The position of the page of a fixed-layout item on the reader's page: scaled to fit, in the middle (EPUB 3.3,
/// section 8.2.2).
package struct PageFit: Hashable, Sendable {
  package var scale = 1.0
  package var x = LayoutUnit.zero
  package var y = LayoutUnit.zero
  var isIdentity: Bool { scale == 1 && x == .zero && y == .zero }

  package init() {}
  package init(viewport: Size, page: Size) {
    scale = Swift.min(page.width.pixels / viewport.width.pixels, page.height.pixels / viewport.height.pixels)
    x = (page.width - viewport.width * scale) / 2
    y = (page.height - viewport.height * scale) / 2
  }

  package func callAsFunction(_ rect: Rect) -> Rect {
    isIdentity
      ? rect
      : Rect(x: x + rect.x * scale, y: y + rect.y * scale, width: rect.width * scale, height: rect.height * scale)
  }
  package func callAsFunction(_ length: LayoutUnit) -> LayoutUnit { isIdentity ? length : length * scale }

  /// The same page, scaled and placed on the reader's.
  package func place(_ list: DisplayList, viewport: Size, page: Size) -> DisplayList {
    var placed = DisplayList(size: page)
    placed.glyphs = list.glyphs
    let area = Rect(width: viewport.width, height: viewport.height)
    placed.items.reserveCapacity(list.items.count + 5)
    placed.items.append(.saveTransform(AffineTransform(a: Float(scale), d: Float(scale), tx: x.float, ty: y.float)))
    placed.items.append(.saveClip(area, CornerRadii()))
    if list.background != .white { placed.items.append(.fillRect(area, list.background)) }
    placed.items += list.items
    placed.items.append(.restore)
    placed.items.append(.restore)
    return placed
  }
}

package enum FixedLayout {
  /// `rendition:layout` of a spine item: as the item says first, or else the package.
  package static func layout(of item: SpineItem, in publication: Publication) -> Metadata.Layout {
    let prefix = "rendition:layout-"
    for property in item.properties where property.hasPrefix(prefix) {
      if let layout = Metadata.Layout(rawValue: String(property.dropFirst(prefix.count))) { return layout }
    }
    return publication.metadata.layout
  }

  /// The spine item is a fixed page, by itself or in a roll.
  package static func applies(to item: SpineItem, in publication: Publication) -> Bool {
    layout(of: item, in: publication) != .reflowable
  }

  /// The greatest height of a page of a roll in CSS px.
  private static let maximumRollHeight = LayoutUnit(32_768)

  /// The page that a fixed page is placed on: the reader's, or in a roll (EPUB 3.4) one as wide and just as high as it then is.
  static func paper(for viewport: Size?, layout: Metadata.Layout, page: Size) -> Size {
    guard layout == .roll, let viewport else { return page }
    let height = viewport.height * (page.width.pixels / viewport.width.pixels)
    return Size(width: page.width, height: Swift.min(Swift.max(LayoutUnit(1), height), maximumRollHeight))
  }

  /// The initial containing block of a fixed page (EPUB 3.3, section 8.2.2.6): the document's viewport, its SVG's size, or the
  /// package's; nil when none makes sense.
  package static func viewport(
    of document: Document, item: SpineItem, in publication: Publication, images: (String) -> ImageInfo?
  ) -> Size? {
    var found: (Double, Double)?
    for index in document.nodes.indices where found == nil && document.isElement(NodeID(index), .meta) {
      let node = NodeID(index)
      guard document.attributeValue(.name, of: node)?.lowercased() == "viewport",
        let content = document.attributeValue(.content, of: node)
      else { continue }
      found = parse(content)
    }
    if found == nil, item.mediaType.hasPrefix("image/"), let info = images(item.path) {
      if let width = info.width, let height = info.height {
        found = (Double(width), Double(height))
      } else if let ratio = info.aspectRatio, ratio > 0 {
        found = (1000, 1000 / Double(ratio))
      }
    }
    if found == nil, let size = publication.metadata.viewport {
      found = parse(size)
      let parts = size.split(whereSeparator: { $0 == "x" || $0 == "X" || $0 == "×" })
      if found == nil, parts.count == 2, let width = number(parts[0]), let height = number(parts[1]) {
        found = (width, height)
      }
    }
    guard let (width, height) = found, width >= 1, height >= 1, width.isFinite, height.isFinite else { return nil }
    // Pages beyond all screens keep their shape.
    let factor = Swift.min(1, 10_000 / Swift.max(width, height))
    return Size(width: LayoutUnit(Swift.max(1, width * factor)), height: LayoutUnit(Swift.max(1, height * factor)))
  }

  /// `width=600, height=800` in any order; `device-width` and the like are no numbers. Of a key that is given twice the first
  /// value counts.
  private static func parse(_ content: String) -> (Double, Double)? {
    var width: Double?
    var height: Double?
    for part in content.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isWhitespace }) {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      switch pair[0].lowercased() {
      case "width": width = width ?? number(pair[1])
      case "height": height = height ?? number(pair[1])
      default: break
      }
    }
    if let width, let height { return (width, height) }
    return nil
  }

  private static func number(_ text: Substring) -> Double? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    return Double(digits)
  }
}
