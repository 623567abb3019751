import Graphics
import Platform
import Primitives

/// An SVG document of nothing but one picture of pixels, as covers are often made: drawn like any picture, in a small part of the
/// time in which librsvg is loaded, and resampled as well.
struct FramedPicture {
  private let viewport: DrawingViewport
  /// The rectangle of the element `image`, in user units.
  private let (corner, size): (SIMD2<Float>, SIMD2<Float>)
  /// The value of its `preserveAspectRatio`.
  private let ratio: String?
  private let file: [UInt8]

  /// How much larger than the whole drawing the picture may be, of which the drawing shows a part then.
  private static let greatestEnlargement = 4

  /// A document that is a framed picture for certain, the file of which stands in it.
  init?(_ document: [UInt8], _ plain: PlainSVG) {
    let content = plain.content
    guard !content.hasOthers, let picture = content.picture, let viewBox = plain.viewBox else { return nil }
    func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: document[$0], as: UTF8.self) } }
    func length(_ range: Range<Int>?, of whole: Float) -> Float? {
      range.flatMap { PlainSVG.userUnits(document[$0], of: whole) }
    }
    guard let reference = picture.reference,
      let viewport = DrawingViewport(box: viewBox, preserveAspectRatio: text(content.aspectRatio)),
      let width = length(picture.width, of: viewBox.size.x), let height = length(picture.height, of: viewBox.size.y),
      width > 0, height > 0, let file = Self.file(document[reference])
    else { return nil }
    let x = picture.x == nil ? 0 : length(picture.x, of: viewBox.size.x)
    let y = picture.y == nil ? 0 : length(picture.y, of: viewBox.size.y)
    guard let x, let y else { return nil }
    (self.viewport, self.file, ratio) = (viewport, file, text(picture.aspectRatio))
    (corner, size) = (SIMD2(x, y), SIMD2(width, height))
  }

  /// The picture in its place; nil where its file cannot be read or would be drawn in another way than any picture.
  func draw(width: Int, height: Int, limits: Limits) -> Bitmap? {
    let info = ImageProbe.probe(file, limits: limits)
    guard !info.isBroken, info.kind != .svg, ImageDecoder.isUpright(info.orientation), let wide = info.width,
      let tall = info.height, wide > 0, tall > 0
    else { return nil }
    let natural = SIMD2(wide, tall)
    let picture = DrawingViewport(box: (SIMD2(), natural), preserveAspectRatio: ratio)
    // A picture that is cut at its own rectangle is left to librsvg.
    guard let picture, picture.align == nil || !picture.isSliced else { return nil }
    let outer = viewport.map(to: SIMD2(Float(width), Float(height)), natural: nil)
    let (low, high) = (outer.point(corner), outer.point(corner + size))
    let inner = picture.map(to: high - low, natural: nil)
    // The picture's edges are those of pixels.
    guard let first = edge(low + inner.point(SIMD2())), let last = edge(low + inner.point(natural)) else { return nil }
    let (columns, rows) = (last.x &- first.x, last.y &- first.y)
    guard columns > 0, rows > 0, columns <= width * Self.greatestEnlargement, rows <= height * Self.greatestEnlargement,
      let decoded = ImageDecoder.decode(
        file, colors: nil, orientation: info.orientation, width: columns, height: rows, limits: limits)
    else { return nil }
    if first == SIMD2(), columns == width, rows == height { return decoded }
    let (left, right) = (Swift.max(first.x, 0), Swift.min(last.x, width))
    return unsafe Bitmap(width: width, height: height) { memory in
      guard left < right, let start = memory.baseAddress, let source = unsafe decoded.pixels.baseAddress else {
        return
      }
      for row in Swift.max(first.y, 0)..<Swift.max(Swift.min(last.y, height), first.y, 0) {
        let from = unsafe source + (row - first.y) * decoded.stride + (left - first.x) * 4
        unsafe (start + (row * width + left) * 4).copyMemory(from: from, byteCount: (right - left) * 4)
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
