package import Fonts
import Graphics
package import Images
import Primitives
package import RasterRendering

/// Turns tagged pages into content streams. One worker owns one; equal pages give equal bytes, whatever was encoded before.
package final class PageEncoder {
  let fonts: FontLibrary
  let images: ImageStore
  let shapes: GlyphShapes
  /// Draws what PDF has no operators for.
  private let makeRenderer: () -> RasterRenderer
  private(set) lazy var renderer = makeRenderer()
  private let deflater: Deflater
  /// By image: whether its file goes into the PDF as it is.
  var passing: [ImageID: Bool] = [:]

  package init(
    fonts: FontLibrary, images: ImageStore, shapes: GlyphShapes, deflater: Deflater,
    renderer: @escaping () -> RasterRenderer
  ) {
    self.fonts = fonts
    self.images = images
    self.shapes = shapes
    self.deflater = deflater
    makeRenderer = renderer
  }

  package func encode(_ page: TaggedPage) -> EncodedPDFPage { encode(page, texts: GlyphTexts()) }

  /// - Parameter texts: The texts that codes are known to stand for.
  func encode(_ page: TaggedPage, texts: GlyphTexts) -> EncodedPDFPage {
    var content = ContentStream(page: page, encoder: self, texts: texts)
    content.drawPage()
    var encoded = EncodedPDFPage(source: page)
    encoded.content = deflater.compress(content.bytes.bytes)
    encoded.resources = content.resources
    encoded.resources.groups = content.groups.map { deflater.compress($0.bytes) }
    encoded.marks = content.marks
    return encoded
  }
}
