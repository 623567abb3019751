import ChapterEngine
public import FoundationEssentials
public import Graphics
import Images
import Layout
import Painting
public import Primitives
import RasterRendering

/// One page of a chapter, ready to be shown: what to draw, and what stands where. Lengths are CSS px from its top left corner.
public struct Page: Sendable {
  /// A place on the page that leads elsewhere.
  public struct Link: Hashable, Sendable {
    /// The reference as the book writes it (`Book.locator(forLink:in:)`).
    public var href: String
    /// The part of the page that is the link; a link on two lines is two.
    public var rect: Rect
    /// The link's element.
    public var source: Locator
  }

  /// A picture on the page.
  public struct Picture: Hashable, Sendable {
    /// The picture's element.
    public var source: Locator
    /// The border rectangle on the page, in CSS pixels.
    public var rect: Rect
  }

  /// Position of the chapter in the reading order.
  public let chapter: Int
  /// Position of the page in its chapter, from 0.
  public let index: Int
  /// The display list of the page.
  public let displayList: DisplayList
  let content: PageMap
  let layout: PageLayout
  /// What `displayList` was painted from, for its structure.
  let painted: PaintedContents
  let tagging: PageTagging
  let text: ChapterText
  let engine: BookResources
  /// What cannot be shown of the page as the book means it, its margin boxes included.
  public let diagnostics: [PageDiagnostic]
  /// White at both sides of a page of fixed design that is narrower than the reader's.
  var sideMargin = LayoutUnit.zero

  /// Device pixels per CSS px, as the settings have it.
  package var scale: Double { engine.settings.scale }
  /// In CSS px.
  public var size: Size { displayList.size }
  /// The links on the page, in reading order.
  public var links: [Link] { content.links(chapter: chapter) }
  /// The pictures on the page, in reading order.
  public var pictures: [Picture] { content.pictures(chapter: chapter) }
  /// The lines of text on the page, in reading order.
  public var lines: [TextLine] { content.textLines(text) }

  /// The first place on the page, with progression and quote: what to save as the reader's place.
  public var start: Locator { text.describe(content.start) }

  /// The page as a PNG file.
  ///
  /// - Parameters:
  ///   - scale: Device pixels per CSS px; nil for the settings'.
  ///   - annotations: The annotations to draw over it.
  public func png(scale: Double? = nil, annotations: [Annotation] = []) -> Data {
    let renderer = engine.renderer()
    let list = annotations.isEmpty ? displayList : displayList(with: annotations)
    return Data(PNGEncoder().encode(renderer.render(list, scale: scale ?? engine.settings.scale)))
  }
}
