import Foundation
import Typesetting

/// Draws a display list as an SVG document: each glyph of a face is a symbol, drawn where it stands.
///
/// Drawing that SVG 1.1 has no direct form of is simplified: conic gradients are filled with their first colour, filters of groups and of
/// backdrops are left out, projections are drawn by their nearest affine map, and tiled images tile by tile.
struct SVGWriter {
  private let list: DisplayList
  private let resources: PageResources
  private var definitions = ""
  private var body = ""
  /// The symbols made so far, by font and glyph; nil for glyphs without ink.
  private var symbols: [Glyph: String?] = [:]
  private var names = 0

  private struct Glyph: Hashable {
    var font: FontID
    var glyph: UInt16
  }

  /// The document.
  static func svg(_ list: DisplayList, _ resources: PageResources) -> String {
    var writer = SVGWriter(list: list, resources: resources)
    for item in list.items { writer.draw(item) }
    let (width, height) = (list.size.width.pixels, list.size.height.pixels)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(text(width))" \
      height="\(text(height))" viewBox="0 0 \(text(width)) \(text(height))">
      <defs>\(writer.definitions)</defs>
      <rect width="100%" height="100%"\(paint(list.background))/>
      \(writer.body)</svg>

      """
  }

  private init(list: DisplayList, resources: PageResources) {
    self.list = list
    self.resources = resources
  }

  private mutating func draw(_ item: DisplayItem) {
    switch item {
    case .fillRect(let rect, let color): fill(Self.path(rect), Self.paint(color))
    case .fillRoundedRect(let rect, let radii, let color): fill(Self.path(rect, radii), Self.paint(color))
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      fill(Self.path(outer, outerRadii) + Self.path(inner, innerRadii), Self.paint(color) + #" fill-rule="evenodd""#)
    case .fillPath(let elements, let color): fill(Self.path(elements), Self.paint(color))
    case .strokeLine(let from, let to, let width, let style, let color):
      stroke("M\(Self.text(from))L\(Self.text(to))", width, style, color)
    case .strokePath(let elements, let width, let style, let color): stroke(Self.path(elements), width, style, color)
    case .fillGradient(let rect, let radii, let gradient): fill(Self.path(rect, radii), paint(gradient))
    case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
      draw(list.glyphs[range], font, size.pixels, color, rotation, expansion)
    case .image(let image, let rect): draw(image, Self.box(rect))
    case .imagePart(let image, let part, let whole, let rect):
      body +=
        #"<svg \#(Self.box(rect)) preserveAspectRatio="none" viewBox="\#(Self.text(part.x)) \#(Self.text(part.y)) "#
      body += #"\#(Self.text(part.width)) \#(Self.text(part.height))">"#
      draw(image, Self.box(Rect(x: .zero, y: .zero, width: whole.width, height: whole.height)))
      body += "</svg>\n"
    case .tiledImage(let image, let tile, let spacing, let clip): draw(image, tile, spacing, clip)
    case .shadow(let rect, let radii, let blur, let color, let inset, _):
      guard !inset else { return }
      let name = name("s")
      definitions += #"<filter id="\#(name)" x="-100%" y="-100%" width="300%" height="300%">"#
      definitions += #"<feGaussianBlur stdDeviation="\#(Self.text(blur.pixels / 2))"/></filter>"#
      fill(Self.path(rect, radii), Self.paint(color) + #" filter="url(#\#(name))""#)
    case .saveClip(let rect, let radii): clip(Self.path(rect, radii), isEvenOdd: false)
    case .saveClipPath(let elements, let isEvenOdd): clip(Self.path(elements), isEvenOdd: isEvenOdd)
    case .saveLayer(let style): body += #"<g opacity="\#(Self.text(Double(style.opacity)))">"#
    case .filterBackdrop: break
    case .saveTransform(let map): transform(map)
    case .saveProjection(let projection, let source):
      transform(projection.affine(around: Point(x: source.x + source.width / 2, y: source.y + source.height / 2)))
    case .restore: body += "</g>\n"
    }
  }

  private mutating func transform(_ map: Graphics.AffineTransform) {
    let numbers = [map.a, map.b, map.c, map.d, map.tx, map.ty].map { Self.text(Double($0), 6) }
    body += #"<g transform="matrix(\#(numbers.joined(separator: " ")))">"#
  }

  private mutating func fill(_ path: String, _ paint: String) { body += #"<path d="\#(path)"\#(paint)/>"# + "\n" }

  private mutating func stroke(_ path: String, _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color) {
    let unit = width.pixels
    let dashes =
      switch style {
      case .dotted: #" stroke-linecap="round" stroke-dasharray="0 \#(Self.text(unit * 2))""#
      case .dashed: #" stroke-dasharray="\#(Self.text(unit * 3))""#
      case .solid, .double, .wavy: ""
      }
    body +=
      #"<path d="\#(path)" fill="none"\#(Self.paint(color, "stroke")) stroke-width="\#(Self.text(unit))"\#(dashes)/>"#
    body += "\n"
  }

  private mutating func clip(_ path: String, isEvenOdd: Bool) {
    let name = name("c")
    definitions +=
      #"<clipPath id="\#(name)"><path d="\#(path)"\#(isEvenOdd ? #" clip-rule="evenodd""# : "")/></clipPath>"#
    body += #"<g clip-path="url(#\#(name))">"#
  }

  // MARK: Glyphs

  private mutating func draw(
    _ glyphs: ArraySlice<PositionedGlyph>, _ font: FontID, _ size: Double, _ color: Color, _ rotation: GlyphRotation,
    _ expansion: Int16
  ) {
    let turn =
      switch rotation {
      case .none: ""
      case .clockwise90: "rotate(90)"
      case .counterclockwise90: "rotate(-90)"
      }
    let width = size * (1 + Double(expansion) / 1000)
    let scale = expansion == 0 ? "scale(\(Self.text(size)))" : "scale(\(Self.text(width)) \(Self.text(size)))"
    body += "<g\(Self.paint(color))>"
    for glyph in glyphs {
      let place = "translate(\(Self.text(glyph.x)) \(Self.text(glyph.y)))\(turn)\(scale)"
      if let picture = picture(glyph.glyph, font, size, color) {
        body += #"<g transform="\#(place)">\#(picture)</g>"#
      } else if let symbol = symbol(glyph.glyph, font) {
        body += ##"<use xlink:href="#\##(symbol)" transform="\##(place)"/>"##
      }
    }
    body += "</g>\n"
  }

  private mutating func symbol(_ glyph: UInt16, _ font: FontID) -> String? {
    let key = Glyph(font: font, glyph: glyph)
    if let known = symbols[key] { return known }
    var path = ""
    for element in resources.outline(of: glyph, in: font) {
      switch element {
      case .move(let end): path += "\(path.isEmpty ? "" : "Z")M\(Self.text(end))"
      case .line(let end): path += "L\(Self.text(end))"
      case .quadraticCurve(let control, let end): path += "Q\(Self.text(control)) \(Self.text(end))"
      case .cubicCurve(let first, let second, let end):
        path += "C\(Self.text(first)) \(Self.text(second)) \(Self.text(end))"
      }
    }
    let made = path.isEmpty ? nil : name("g")
    if let made { definitions += #"<path id="\#(made)" d="\#(path)Z"/>"# }
    symbols[key] = .some(made)
    return made
  }

  /// A glyph with colours of its own as an image one em large.
  private func picture(_ glyph: UInt16, _ font: FontID, _ size: Double, _ color: Color) -> String? {
    guard resources.face(font)?.hasColor == true,
      let picture = resources.picture(of: glyph, in: font, pixelsPerEm: Int(size * 2), color: color)
    else { return nil }
    let (origin, extent) = (picture.origin, picture.size)
    return #"<image x="\#(Self.text(origin.x, 6))" y="\#(Self.text(origin.y, 6))" width="\#(Self.text(extent.x, 6))" "#
      + #"height="\#(Self.text(extent.y, 6))" xlink:href="\#(Self.dataURL("image/png", picture.bitmap.png()))"/>"#
  }

  // MARK: Images

  private mutating func draw(_ image: ImageID, _ box: String) {
    guard let file = resources.file(of: image) else {
      // A drawing has no file here: it is drawn in pixels.
      guard let bitmap = resources.bitmap(image, width: 1024, height: 1024) else { return }
      body +=
        #"<image \#(box) preserveAspectRatio="none" xlink:href="\#(Self.dataURL("image/png", bitmap.png()))"/>"# + "\n"
      return
    }
    body +=
      #"<image \#(box) preserveAspectRatio="none" xlink:href="\#(Self.dataURL(file.mediaType, file.bytes))"/>"# + "\n"
  }

  private mutating func draw(_ image: ImageID, _ tile: Rect, _ spacing: Size, _ area: Rect) {
    let name = name("t")
    let (width, height) = (tile.width + spacing.width, tile.height + spacing.height)
    definitions +=
      #"<pattern id="\#(name)" patternUnits="userSpaceOnUse" x="\#(Self.text(tile.x))" y="\#(Self.text(tile.y))" "#
    definitions += #"width="\#(Self.text(width))" height="\#(Self.text(height))">"#
    let before = body
    body = ""
    draw(image, Self.box(Rect(x: .zero, y: .zero, width: tile.width, height: tile.height)))
    definitions += body + "</pattern>"
    body = before
    fill(Self.path(area), #" fill="url(#\#(name))""#)
  }

  private static func dataURL(_ type: String, _ bytes: Data) -> String {
    "data:\(type);base64,\(bytes.base64EncodedString())"
  }

  // MARK: Paint

  private mutating func name(_ kind: String) -> String {
    names += 1
    return "\(kind)\(names)"
  }

  private mutating func paint(_ gradient: Gradient) -> String {
    func stops(_ stops: [GradientStop]) -> String {
      stops.map { #"<stop offset="\#(Self.text(Double($0.offset), 6))"\#(Self.paint($0.color, "stop"))/>"# }.joined()
    }
    let name = name("p")
    switch gradient {
    case .linear(let from, let to, let colors, let repeats):
      definitions += #"<linearGradient id="\#(name)" gradientUnits="userSpaceOnUse" x1="\#(Self.text(from.x))" "#
      definitions += #"y1="\#(Self.text(from.y))" x2="\#(Self.text(to.x))" y2="\#(Self.text(to.y))""#
      definitions += #"\#(repeats ? #" spreadMethod="repeat""# : "")>\#(stops(colors))</linearGradient>"#
    case .radial(let center, let radius, let colors, let repeats):
      definitions +=
        #"<radialGradient id="\#(name)" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="#
      definitions += #""translate(\#(Self.text(center.x)) \#(Self.text(center.y))) "#
      definitions += #"scale(\#(Self.text(radius.width)) \#(Self.text(radius.height)))""#
      definitions += #"\#(repeats ? #" spreadMethod="repeat""# : "")>\#(stops(colors))</radialGradient>"#
    case .conic(_, _, let colors, _): return Self.paint(colors.first?.color ?? .transparent)
    }
    return #" fill="url(#\#(name))""#
  }

  private static func paint(_ color: Color, _ attribute: String = "fill") -> String {
    let name = attribute == "stop" ? "stop-color" : attribute
    let solid = ##" \##(name)="#\##([color.red, color.green, color.blue].map(hex).joined())""##
    return color.alpha == 255 ? solid : solid + #" \#(attribute)-opacity="\#(text(Double(color.alpha) / 255))""#
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  // MARK: Shapes

  private static func box(_ rect: Rect) -> String {
    #"x="\#(text(rect.x))" y="\#(text(rect.y))" width="\#(text(rect.width))" height="\#(text(rect.height))""#
  }

  private static func path(_ rect: Rect, _ radii: CornerRadii = CornerRadii()) -> String {
    let (x, y, right, bottom) = (rect.x.pixels, rect.y.pixels, rect.maxX.pixels, rect.maxY.pixels)
    guard !radii.isZero else { return "M\(text(x)) \(text(y))H\(text(right))V\(text(bottom))H\(text(x))Z" }
    func corner(_ radius: Size, _ endX: Double, _ endY: Double) -> String {
      "A\(text(radius.width)) \(text(radius.height)) 0 0 1 \(text(endX)) \(text(endY))"
    }
    return "M\(text(x + radii.topLeft.width.pixels)) \(text(y))H\(text(right - radii.topRight.width.pixels))"
      + corner(radii.topRight, right, y + radii.topRight.height.pixels)
      + "V\(text(bottom - radii.bottomRight.height.pixels))"
      + corner(radii.bottomRight, right - radii.bottomRight.width.pixels, bottom)
      + "H\(text(x + radii.bottomLeft.width.pixels))"
      + corner(radii.bottomLeft, x, bottom - radii.bottomLeft.height.pixels)
      + "V\(text(y + radii.topLeft.height.pixels))" + corner(radii.topLeft, x + radii.topLeft.width.pixels, y) + "Z"
  }

  private static func path(_ elements: [PathElement]) -> String {
    elements.map { element in
      switch element {
      case .move(let point): "M\(text(point))"
      case .line(let point): "L\(text(point))"
      case .curve(let first, let second, let end): "C\(text(first)) \(text(second)) \(text(end))"
      case .close: "Z"
      }
    }.joined()
  }

  private static func text(_ point: Point) -> String { "\(text(point.x)) \(text(point.y))" }
  private static func text(_ point: SIMD2<Double>) -> String { "\(text(point.x, 4)) \(text(point.y, 4))" }
  private static func text(_ length: LayoutUnit) -> String { text(length.pixels) }

  /// A number with at most so many digits behind the point.
  private static func text(_ value: Double, _ digits: Int = 3) -> String {
    let scale = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000][digits]
    let rounded = (value * Double(scale)).rounded() / Double(scale)
    return rounded == rounded.rounded() && abs(rounded) < 1e9 ? String(Int(rounded)) : String(rounded)
  }
}
