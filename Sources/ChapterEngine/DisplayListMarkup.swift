import Fonts
import Graphics
import ImageCodecs
import Images
import Primitives
import RasterRendering

/// A display list as elements of SVG, for HTML that stands in a drawing: text as paths, pictures in `data:` URIs.
struct DisplayListMarkup {
  private let images: ImageStore
  private let shapes: GlyphShapes
  /// Begins the names of elements.
  private let prefix: String
  private(set) var text = ""
  /// Something could not be written.
  private(set) var lacksItems = false
  private var names = 0
  /// The ends of the open groups.
  private var open: [String] = []

  /// The elements, and whether something of the list is not among them.
  static func markup(
    _ list: DisplayList, images: ImageStore, shapes: GlyphShapes, prefix: String
  ) -> (text: String, lacksItems: Bool) {
    var writer = DisplayListMarkup(images: images, shapes: shapes, prefix: prefix)
    for item in list.items { writer.write(item, list.glyphs) }
    while let end = writer.open.popLast() { writer.text += end }
    return (writer.text, writer.lacksItems)
  }

  private init(images: ImageStore, shapes: GlyphShapes, prefix: String) {
    (self.images, self.shapes, self.prefix) = (images, shapes, prefix)
  }

  private mutating func write(_ item: DisplayItem, _ glyphs: [PositionedGlyph]) {
    switch item {
    case .fillRect(let rect, let color): fill(Self.path(rect), color)
    case .fillRoundedRect(let rect, let radii, let color): fill(Self.path(rect, radii), color)
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      fill(Self.path(outer, outerRadii) + Self.path(inner, innerRadii), color, " fill-rule=\"evenodd\"")
    case .fillPath(let elements, let color): fill(Self.path(elements), color)
    case .strokeLine(let from, let to, let width, let style, let color):
      stroke("M\(Self.text(from))L\(Self.text(to))", width, style, color)
    case .strokePath(let elements, let width, let style, let color): stroke(Self.path(elements), width, style, color)
    case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
      write(glyphs[range], font, Float(size.pixels), color, rotation, expansion)
    case .image(let image, let rect): write(image, rect)
    case .saveClip(let rect, let radii): clip(Self.path(rect, radii), isEvenOdd: false)
    case .saveClipPath(let elements, let isEvenOdd): clip(Self.path(elements), isEvenOdd: isEvenOdd)
    case .saveLayer(let style):
      if style.blend != .normal || !style.filters.isEmpty { lacksItems = true }
      begin("<g opacity=\"\(style.opacity)\">")
    case .saveTransform(let map):
      begin("<g transform=\"matrix(\(map.a) \(map.b) \(map.c) \(map.d) \(map.tx) \(map.ty))\">")
    case .saveProjection:
      lacksItems = true
      begin("<g>")
    case .restore: text += open.popLast() ?? ""
    case .fillGradient(let rect, let radii, let gradient): fill(Self.path(rect, radii), gradient)
    case .imagePart, .tiledImage, .shadow, .filterBackdrop: lacksItems = true
    }
  }

  private mutating func begin(_ tag: String) {
    text += tag
    open.append("</g>")
  }

  private mutating func fill(_ path: String, _ color: Color, _ rule: String = "") {
    text += "<path d=\"\(path)\"\(Self.paint("fill", color))\(rule)/>"
  }

  private mutating func fill(_ path: String, _ gradient: Gradient) {
    let (element, geometry, stops, isRepeating): (String, String, [GradientStop], Bool)
    switch gradient {
    case .linear(let from, let to, let colors, let repeats):
      geometry = "x1=\"\(from.x.pixels)\" y1=\"\(from.y.pixels)\" x2=\"\(to.x.pixels)\" y2=\"\(to.y.pixels)\""
      (element, stops, isRepeating) = ("linearGradient", colors, repeats)
    case .radial(let center, let radius, let colors, let repeats):
      let ratio = radius.height.pixels / Swift.max(radius.width.pixels, 1.0 / 64)
      geometry =
        "r=\"\(radius.width.pixels)\" cx=\"0\" cy=\"0\" gradientTransform=\"translate(\(center.x.pixels) \(center.y.pixels)) "
        + "scale(1 \(ratio))\""
      (element, stops, isRepeating) = ("radialGradient", colors, repeats)
    case .conic:
      lacksItems = true
      return
    }
    names += 1
    let spread = isRepeating ? " spreadMethod=\"repeat\"" : ""
    text += "<\(element) id=\"\(prefix)-\(names)\" gradientUnits=\"userSpaceOnUse\" \(geometry)\(spread)>"
    for stop in stops {
      let opacity = Float(stop.color.alpha) / 255
      let color = "rgb(\(stop.color.red),\(stop.color.green),\(stop.color.blue))"
      text += "<stop offset=\"\(stop.offset)\" stop-color=\"\(color)\" stop-opacity=\"\(opacity)\"/>"
    }
    text += "</\(element)><path d=\"\(path)\" fill=\"url(#\(prefix)-\(names))\"/>"
  }

  private mutating func stroke(_ path: String, _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    let unit = width.pixels
    let dashes =
      switch style {
      case .dotted: " stroke-linecap=\"round\" stroke-dasharray=\"0 \(unit * 2)\""
      case .dashed: " stroke-dasharray=\"\(unit * 3)\""
      case .solid, .double, .wavy: ""
      }
    text += "<path d=\"\(path)\" fill=\"none\"\(Self.paint("stroke", color)) stroke-width=\"\(unit)\"\(dashes)/>"
  }

  private mutating func clip(_ path: String, isEvenOdd: Bool) {
    names += 1
    let name = "\(prefix)-\(names)"
    text += "<clipPath id=\"\(name)\"><path d=\"\(path)\"\(isEvenOdd ? " clip-rule=\"evenodd\"" : "")/></clipPath>"
    begin("<g clip-path=\"url(#\(name))\">")
  }

  private mutating func write(
    _ glyphs: ArraySlice<PositionedGlyph>, _ font: FontID, _ size: Float, _ color: Color, _ rotation: GlyphRotation,
    _ expansion: Int16
  ) {
    var path = ""
    let wide = size * (1 + Float(expansion) / 1000)
    for glyph in glyphs {
      let origin = SIMD2(Float(glyph.x.pixels), Float(glyph.y.pixels))
      func place(_ point: SIMD2<Double>) -> String {
        let (x, y) = (Float(point.x) * wide, Float(point.y) * size)
        let turned =
          switch rotation {
          case .none: SIMD2(x, y)
          case .clockwise90: SIMD2(-y, x)
          case .counterclockwise90: SIMD2(y, -x)
          }
        return Self.text(origin + turned)
      }
      if let picture = shapes.picture(of: glyph.glyph, in: font, pixelsPerEm: 128, foreground: color) {
        let corner = origin + SIMD2<Float>(picture.origin) * size
        let extent = SIMD2<Float>(picture.size) * size
        text += "<image x=\"\(corner.x)\" y=\"\(corner.y)\" width=\"\(extent.x)\" height=\"\(extent.y)\""
        text += " xlink:href=\"\(Self.url(PNGWriter().encode(picture.bitmap)))\"/>"
        continue
      }
      var isOpen = false
      for step in shapes.outline(of: glyph.glyph, in: font) ?? [] {
        switch step {
        case .move(let end):
          path += (isOpen ? "ZM" : "M") + place(end)
          isOpen = true
        case .line(let end): path += "L" + place(end)
        case .quadratic(let control, let end): path += "Q" + place(control) + " " + place(end)
        case .cubic(let first, let second, let end):
          path += "C" + place(first) + " " + place(second) + " " + place(end)
        }
      }
      if isOpen { path += "Z" }
    }
    if !path.isEmpty { fill(path, color) }
  }

  private mutating func write(_ image: ImageID, _ rect: Rect) {
    let isPlain = images.info(image).kind != .svg && images.presentation(of: image) == ImagePresentation()
    var file = isPlain ? images.source(of: image) : nil
    if file == nil {
      // Drawings are kept without their sources.
      let (width, height) = (rect.width.pixels * 4, rect.height.pixels * 4)
      let bitmap = images.bitmap(
        image, width: Swift.max(1, Int(Swift.min(width, 4096))), height: Swift.max(1, Int(Swift.min(height, 4096))),
        area: SIMD2(rect.width.float, rect.height.float))
      file = bitmap.map { PNGWriter().encode($0) }
    }
    guard let file else { return }
    let box =
      "x=\"\(rect.x.pixels)\" y=\"\(rect.y.pixels)\" width=\"\(rect.width.pixels)\" height=\"\(rect.height.pixels)\""
    text += "<image \(box) preserveAspectRatio=\"none\" xlink:href=\"\(Self.url(file))\"/>"
  }

  private static func url(_ file: [UInt8]) -> String {
    var text = Array("data:;base64,".utf8)
    Base64.append(file, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func paint(_ name: String, _ color: Color) -> String {
    let opacity = color.alpha == 255 ? "" : " \(name)-opacity=\"\(Float(color.alpha) / 255)\""
    return " \(name)=\"rgb(\(color.red),\(color.green),\(color.blue))\"\(opacity)"
  }

  // MARK: Paths

  private static func text(_ point: SIMD2<Float>) -> String {
    "\((point.x * 100).rounded() / 100) \((point.y * 100).rounded() / 100)"
  }
  private static func text(_ point: Point) -> String { "\(point.x.pixels) \(point.y.pixels)" }

  private static func path(_ rect: Rect) -> String {
    "M\(rect.x.pixels) \(rect.y.pixels)H\(rect.maxX.pixels)V\(rect.maxY.pixels)H\(rect.x.pixels)Z"
  }

  private static func path(_ rect: Rect, _ radii: CornerRadii) -> String {
    if radii.isZero { return path(rect) }
    let (left, top, right, bottom) = (rect.x.pixels, rect.y.pixels, rect.maxX.pixels, rect.maxY.pixels)
    func arc(_ radius: Size, _ x: Double, _ y: Double) -> String {
      "A\(radius.width.pixels) \(radius.height.pixels) 0 0 1 \(x) \(y)"
    }
    return "M\(left + radii.topLeft.width.pixels) \(top)H\(right - radii.topRight.width.pixels)"
      + arc(radii.topRight, right, top + radii.topRight.height.pixels)
      + "V\(bottom - radii.bottomRight.height.pixels)"
      + arc(radii.bottomRight, right - radii.bottomRight.width.pixels, bottom)
      + "H\(left + radii.bottomLeft.width.pixels)"
      + arc(radii.bottomLeft, left, bottom - radii.bottomLeft.height.pixels)
      + "V\(top + radii.topLeft.height.pixels)" + arc(radii.topLeft, left + radii.topLeft.width.pixels, top) + "Z"
  }

  private static func path(_ elements: [PathElement]) -> String {
    elements.map { element in
      switch element {
      case .move(let end): "M\(text(end))"
      case .line(let end): "L\(text(end))"
      case .curve(let first, let second, let end): "C\(text(first)) \(text(second)) \(text(end))"
      case .close: "Z"
      }
    }.joined()
  }
}
