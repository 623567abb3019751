import Graphics
import ImageCodecs
import Platform
import Primitives

/// An SVG document of nothing but one picture of pixels, as covers are often made: drawn like any picture, in a small
/// part of the time in which librsvg is loaded, and resampled as well.
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
    let tree = plain.tree
    guard let picture = Self.onlyPicture(of: tree), let reference = Self.reference(of: picture, in: tree) else {
      return nil
    }
    func text(_ name: StaticString, _ element: Int) -> String? {
      tree.value(of: name, of: element).map { String(decoding: $0, as: UTF8.self) }
    }
    var isPlain = true
    func length(_ name: StaticString, _ initial: PictureFrame.Length) -> PictureFrame.Length {
      guard let value = tree.value(of: name, of: picture) else { return initial }
      let length = PlainSVG.length(ofPicture: value)
      if length == nil { isPlain = false }
      return length ?? initial
    }
    var frame = PictureFrame()
    frame.natural = natural
    frame.viewport = DrawingViewport(box: plain.viewBox, preserveAspectRatio: text("preserveAspectRatio", 0))
    frame.ratio = DrawingViewport(box: nil, preserveAspectRatio: text("preserveAspectRatio", picture))
    (frame.x, frame.y) = (length("x", .units(0)), length("y", .units(0)))
    (frame.width, frame.height) = (length("width", .natural), length("height", .natural))
    guard isPlain, frame.x != .natural, frame.y != .natural else { return nil }
    (self.frame, self.reference, self.document) = (frame, reference, document)
  }

  private static let pictureAttributes: [StaticString] = [
    "href", "xlink:href", "x", "y", "width", "height", "preserveAspectRatio",
  ]

  /// The one `<image>` of a document that has, beside groups and titles, nothing else, and no properties; nil for any
  /// other.
  private static func onlyPicture(of tree: SVGTree) -> Int? {
    func isOne(_ element: Int, of names: StaticString...) -> Bool {
      names.contains { tree.equals(tree.elements[element].name, $0) }
    }
    var picture: Int?
    for element in tree.elements.indices {
      let isPicture = isOne(element, of: "image")
      // Only groups, and the root, show what stands in them.
      guard isPicture || isOne(element, of: element == 0 ? "svg" : "g", "title", "desc"),
        element == 0 || isOne(tree.elements[element].parent, of: "svg", "g"),
        tree.attributes(of: element).allSatisfy({ attribute in
          tree.changesNothing(attribute.name, isRoot: element == 0)
            || element == 0 && tree.equals(attribute.name, "preserveAspectRatio")
            || isPicture && pictureAttributes.contains { tree.equals(attribute.name, $0) }
              && !tree.bytes[attribute.value].contains(UInt8(ascii: "&"))
        })
      else { return nil }
      guard isPicture else { continue }
      guard picture == nil else { return nil }
      picture = element
    }
    return picture
  }

  /// Where its picture is named; nil where it is not, or twice.
  private static func reference(of picture: Int, in tree: SVGTree) -> Range<Int>? {
    let links = tree.attributes(of: picture).filter {
      tree.equals($0.name, "href") || tree.equals($0.name, "xlink:href")
    }
    return links.count == 1 ? links.first?.value : nil
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
