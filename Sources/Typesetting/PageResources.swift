import ChapterEngine
import Fonts
public import FoundationEssentials
public import Graphics
import ImageCodecs
import Images
public import Primitives
import RasterRendering

/// Resources of the ids in display lists: shapes and pictures of glyphs, files and pixels of images. With it a
/// `DisplayList` can be drawn by other means than `png(scale:)`: as SVG, PDF, or by a graphics processor.
///
/// One of them serves all pages of a typesetter under the same settings. It keeps the fonts open that it was asked for, and
/// may be used from any task. What it returns is the same at every time.
public struct PageResources: Sendable {
  /// A step of a glyph's outline. Coordinates are in ems, to the right and downwards from the glyph's origin on the baseline.
  public enum OutlineElement: Hashable, Sendable {
    /// Starts a new contour at a point, which ends where the next one starts and is closed.
    case move(SIMD2<Double>)
    /// A straight line to a point.
    case line(SIMD2<Double>)
    /// A quadratic Bézier curve: its control point, and where it ends.
    case quadraticCurve(SIMD2<Double>, SIMD2<Double>)
    /// A cubic Bézier curve: two control points, and where it ends.
    case cubicCurve(SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)
  }

  /// A face of a font.
  public struct Face: Hashable, Sendable {
    /// The name of its family.
    public var family: String
    /// The name of its style, such as `Bold Italic`.
    public var style: String
    /// From 1 to 1000 (CSS Fonts 4, section 2.2).
    public var weight: Int
    /// Glyphs may have colours of their own (``PageResources/picture(of:in:pixelsPerEm:color:)``).
    public var hasColor: Bool
  }

  /// A glyph with colours of its own.
  public struct GlyphPicture: Sendable {
    /// Its pixels.
    public var bitmap: Bitmap
    /// Its left top corner in ems from the glyph's origin, to the right and downwards.
    public var origin: SIMD2<Double>
    /// Its width and height in ems.
    public var size: SIMD2<Double>
  }

  /// The file of an image.
  public struct ImageFile: Hashable, Sendable {
    /// `image/png`, `image/jpeg`, `image/gif`, `image/webp`, `image/avif`, `image/jxl`, `image/bmp`,
    /// `image/vnd.microsoft.icon` or `image/svg+xml`, by what the bytes are.
    public var mediaType: String
    /// The file's content.
    public var bytes: Data
  }

  private let engine: BookResources
  private let shapes: GlyphShapes

  init(_ engine: BookResources) {
    self.engine = engine
    shapes = GlyphShapes(fonts: engine.fonts)
  }

  /// The face of an id; nil for an id of other settings or another book.
  public func face(_ id: FontID) -> Face? {
    engine.fonts.face(id).map {
      Face(family: $0.familyName, style: $0.styleName, weight: Int($0.weight), hasColor: $0.isColor)
    }
  }

  /// The outline of a glyph, to be filled by the non-zero rule; emboldened or slanted where the face is. Empty for a glyph
  /// without ink, and for one that has a picture only.
  public func outline(of glyph: UInt16, in font: FontID) -> [OutlineElement] {
    (shapes.outline(of: glyph, in: font) ?? []).map { step in
      switch step {
      case .move(let point): .move(point)
      case .line(let point): .line(point)
      case .quadratic(let control, let end): .quadraticCurve(control, end)
      case .cubic(let first, let second, let end): .cubicCurve(first, second, end)
      }
    }
  }

  /// The picture of a glyph that has colours of its own, as emoji have; nil for one that is filled with the text's colour.
  ///
  /// - Parameters:
  ///   - glyph: Its number in the font.
  ///   - font: The font.
  ///   - pixelsPerEm: For which size the picture is drawn, or chosen where the font has pictures of some sizes.
  ///   - color: Of the text, for the parts of a glyph that have it.
  public func picture(of glyph: UInt16, in font: FontID, pixelsPerEm: Int, color: Color) -> GlyphPicture? {
    shapes.picture(of: glyph, in: font, pixelsPerEm: Swift.min(Swift.max(1, pixelsPerEm), 2048), foreground: color)
      .map { GlyphPicture(bitmap: $0.bitmap, origin: $0.origin, size: $0.size) }
  }

  /// The file of an image as the book has it; nil for a drawing, whose source is not kept (`bitmap(_:width:height:)`), and for an
  /// image that is missing or broken.
  public func file(of image: ImageID) -> ImageFile? {
    guard let bytes = engine.images.source(of: image) else { return nil }
    let type =
      switch engine.images.info(image).kind {
      case .png: "image/png"
      case .jpeg: "image/jpeg"
      case .gif: "image/gif"
      case .webp: "image/webp"
      case .avif: "image/avif"
      case .jxl: "image/jxl"
      case .bmp: "image/bmp"
      case .ico: "image/vnd.microsoft.icon"
      case .svg: "image/svg+xml"
      case .unknown: "application/octet-stream"
      }
    return ImageFile(mediaType: type, bytes: Data(bytes))
  }

  /// An image, upright, stretched to a size in pixels; smaller in the same shape where `Limits.imagePixels` bounds it. nil for
  /// one that is missing or broken.
  public func bitmap(_ image: ImageID, width: Int, height: Int) -> Bitmap? {
    engine.images.bitmap(image, width: width, height: height)
  }
}

extension Bitmap {
  /// The picture as a PNG file, with its transparency; empty for one without pixels.
  public func png() -> Data { Data(PNGEncoder().encode(self)) }
}

extension Page {
  /// Resources of the ids in ``displayList``.
  public var resources: PageResources { PageResources(engine) }
}

extension Spread {
  /// Resources of the ids in ``displayList(with:)``; nil for a spread without pages.
  public var resources: PageResources? { (left ?? right)?.resources }
}

extension Note {
  /// Resources of the ids in ``displayList``.
  public var resources: PageResources { PageResources(engine) }
}
