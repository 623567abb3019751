public import Graphics
import Images
import Painting
public import Primitives
import RasterRendering

/// One page of a chapter, ready to be shown.
public struct Page: Sendable {
  /// A place on the page that leads elsewhere.
  public struct Link: Hashable, Sendable {
    /// The reference as the book writes it.
    public var href: String
    public var rect: Rect
  }

  /// Position of the chapter in the reading order.
  public let chapter: Int
  /// Position of the page in its chapter, from 0.
  public let index: Int
  public let displayList: DisplayList
  public let links: [Link]
  let resources: BookResources
  private let scale: Double

  init(chapter: Int, index: Int, displayList: DisplayList, links: [LinkRegion], resources: BookResources, scale: Double)
  {
    self.chapter = chapter
    self.index = index
    self.displayList = displayList
    self.links = links.map { Link(href: $0.href, rect: $0.rect) }
    self.resources = resources
    self.scale = scale
  }

  public var size: Size { displayList.size }

  /// The page as a PNG file, at the settings' scale unless told otherwise.
  public func png(scale: Double? = nil) -> [UInt8] {
    let renderer = RasterRenderer(fonts: resources.fonts, images: resources.images)
    return PNGEncoder().encode(renderer.render(displayList, scale: scale ?? self.scale))
  }
}
