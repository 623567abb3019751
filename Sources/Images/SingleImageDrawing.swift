import Graphics
import Platform
import Primitives

/// An SVG document of nothing but one picture of pixels, as covers are often made: drawn like any picture, in a small part of the
/// time in which librsvg is loaded, and resampled as well.
struct SingleImageDrawing {
  let frame: PictureFrame
  /// The picture as the document refers to it.
  private let reference: Range<Int>
  private let document: [UInt8]

  /// How much larger than the whole drawing the picture may be, of which the drawing shows a part then.
  private static let greatestEnlargement = 4

  /// A document of a single picture for certain.
  ///
  /// - Parameter natural: As `PictureFrame` has it.
  init?(_ document: [UInt8], _ plain: PlainSVG, natural: SIMD2<Float>?) {
    let content = plain.content
    guard !content.hasOthers, let picture = content.picture, let reference = picture.reference else { return nil }
    func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: document[$0], as: UTF8.self) } }
    var isPlain = true
    func length(_ range: Range<Int>?, _ initial: PictureFrame.Length) -> PictureFrame.Length {
      guard let range else { return initial }
      let length = PlainSVG.length(ofPicture: document[range])
      if length == nil { isPlain = false }
      return length ?? initial
    }
    var frame = PictureFrame()
    frame.natural = natural
    frame.viewport = DrawingViewport(box: plain.viewBox, preserveAspectRatio: text(content.aspectRatio))
    frame.ratio = DrawingViewport(box: nil, preserveAspectRatio: text(picture.aspectRatio))
    (frame.x, frame.y) = (length(picture.x, .units(0)), length(picture.y, .units(0)))
    (frame.width, frame.height) = (length(picture.width, .natural), length(picture.height, .natural))
    guard isPlain, frame.x != .natural, frame.y != .natural else { return nil }
    (self.frame, self.reference, self.document) = (frame, reference, document)
  }

  /// The URL of a picture that does not stand in the document itself; nil for others.
  var link: String? {
    let value = document[reference]
    guard !value.isEmpty, value.first != UInt8(ascii: "#"), !value.starts(with: "data:".utf8) else { return nil }
    return String(decoding: value, as: UTF8.self)
  }

  /// The picture in its place; nil where it does not stand in the document, cannot be read, or is no picture of pixels.
  ///
  /// - Parameter area: The size of the drawing in px.
  func draw(width: Int, height: Int, area: SIMD2<Float>, limits: Limits) -> Bitmap? {
    guard let file = Self.file(document[reference]) else { return nil }
    let info = ImageProbe.probe(file, limits: limits)
    guard !info.isBroken, info.kind != .svg, let wide = info.width, let tall = info.height,
      let place = frame.place(SIMD2(wide, tall), in: area)
    else { return nil }
    let pixels = SIMD2(Float(width), Float(height)) / area
    // The edges of the picture, and of what is cut from it, are those of pixels.
    guard let first = edge(place.whole.low * pixels), let last = edge(place.whole.high * pixels),
      let low = edge(place.shown.low * pixels), let high = edge(place.shown.high * pixels)
    else { return nil }
    let (columns, rows) = (last.x &- first.x, last.y &- first.y)
    guard columns > 0, rows > 0, columns <= width * Self.greatestEnlargement, rows <= height * Self.greatestEnlargement,
      let decoded = ImageDecoder.decode(
        file, colors: nil, orientation: info.orientation, width: columns, height: rows, limits: limits)
    else { return nil }
    if first == SIMD2(), columns == width, rows == height { return decoded }
    return unsafe Bitmap(width: width, height: height) { memory in
      guard low.x < high.x, low.y < high.y, let start = memory.baseAddress,
        let source = unsafe decoded.pixels.baseAddress
      else { return }
      for row in low.y..<high.y {
        let from = unsafe source + (row - first.y) * decoded.stride + (low.x - first.x) * 4
        unsafe (start + (row * width + low.x) * 4).copyMemory(from: from, byteCount: (high.x - low.x) * 4)
      }
    }
  }

  /// The edge of a pixel next to a place; nil for one beyond all drawings.
  private func edge(_ place: SIMD2<Float>) -> SIMD2<Int>? {
    guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return nil }
    return SIMD2(Int(place.x.rounded()), Int(place.y.rounded()))
  }

  /// The bytes of a `data:` URI in base64 (RFC 2397).
  private static func file(_ reference: ArraySlice<UInt8>) -> [UInt8]? {
    guard reference.starts(with: "data:".utf8), let comma = reference.firstIndex(of: UInt8(ascii: ",")),
      reference[..<comma].reversed().starts(with: ";base64".utf8.reversed())
    else { return nil }
    return Base64.decode(reference[(comma + 1)...], leniency: .none)
  }
}
