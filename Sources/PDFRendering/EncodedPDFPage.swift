import Fonts
import Graphics
import Primitives

/// A page as it goes into the file, but for the numbers of the objects that it shares with others.
package struct EncodedPDFPage: Sendable {
  /// The page it was made from, for the rare page that has to be encoded again.
  package var source: TaggedPage
  /// Deflated.
  var content: [UInt8] = []
  var resources = PageResources()
  /// By marked content: its element, and where it stands in the document.
  var marks: [(element: StructureElementID, place: SourceOrder)] = []
}

/// Resources that the content of a page names: positions in these lists are parts of the names.
struct PageResources: Sendable {
  struct Font: Hashable, Sendable {
    var face: FontID
    var isVertical: Bool
  }

  var fonts: [Font] = []
  /// By font of the page: the text that a code stands for where it is shown without another.
  var texts: [[UInt16: [UInt16]]] = []
  /// By font of the page: the codes of glyphs that are drawn, and those of glyphs without ink; some of them more than once.
  var codes: [[UInt16]] = []
  var unseenCodes: [[UInt16]] = []
  var pictures: [PictureSource] = []
  /// Dictionaries of graphics state parameters.
  var states: [PDFBytes] = []
  var shadings: [PDFBytes] = []
  /// Transparency groups: their deflated content.
  var groups: [[UInt8]] = []

  mutating func font(_ font: Font) -> Int {
    if let known = fonts.firstIndex(of: font) { return known }
    fonts.append(font)
    texts.append([:])
    codes.append([])
    unseenCodes.append([])
    return fonts.count - 1
  }

  mutating func use(_ code: UInt16, of font: Int, hasInk: Bool) {
    if hasInk { codes[font].append(code) } else { unseenCodes[font].append(code) }
  }

  mutating func picture(_ source: PictureSource) -> Int {
    if let known = pictures.firstIndex(where: { $0.key == source.key }) { return known }
    pictures.append(source)
    return pictures.count - 1
  }

  mutating func state(_ state: PDFBytes) -> Int {
    if let known = states.firstIndex(where: { $0.bytes == state.bytes }) { return known }
    states.append(state)
    return states.count - 1
  }
}

/// The source of a picture.
enum PictureSource: Sendable {
  /// A JPEG file as it is.
  case file(ImageID)
  /// An image of the book at a size in pixels.
  case image(ImageID, width: Int, height: Int)
  /// A bitmap drawn for the page, by the hash of its pixels.
  case bitmap(Bitmap, hash: UInt64)
  /// The outline of a glyph of a face that may not be embedded.
  case glyph(UInt16, FontID)

  var key: Key {
    switch self {
    case .file(let image): Key(image: image, width: 0, height: 0, hash: 0)
    case .image(let image, let width, let height): Key(image: image, width: width, height: height, hash: 0)
    case .bitmap(let bitmap, let hash): Key(image: .none, width: bitmap.width, height: bitmap.height, hash: hash)
    case .glyph(let glyph, let face):
      Key(image: .none, width: -1, height: 0, hash: UInt64(face.rawValue) << 16 | UInt64(glyph))
    }
  }

  struct Key: Hashable, Sendable {
    var image: ImageID
    var width: Int
    var height: Int
    var hash: UInt64
  }
}

/// The meaning of a code of a font: the font's face, and the code.
struct GlyphTexts {
  /// By face, see `FontSubset`.
  var known: (FontID, UInt16) -> [UInt16]? = { _, _ in nil }
}
