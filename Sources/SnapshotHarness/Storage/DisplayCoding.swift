import Graphics
import Primitives

/// The lasting form of a display list: equal pages give equal bytes, whatever ids their faces and images have in a process.
///
/// Numbers are LEB128, signed ones zigzag; floats are their bits. Faces and images stand in tables at the start, by content
/// in the order of their first use, faces with a hash of the outlines that the page has of them, and glyphs as steps from the one
/// before. The stable hash of the bytes is the page's
/// fingerprint of level B.
struct DisplayWriter {
  /// Grows when the form changes; pages of other forms are not read.
  static let version: UInt8 = 2

  private(set) var bytes: [UInt8] = []
  private var last = (x: Int32(0), y: Int32(0))

  /// - Parameters:
  ///   - face: the content key of a face.
  ///   - outlines: the hash of the outlines of a face's glyphs that stand in these ranges.
  ///   - image: the content key of an image.
  static func encode(
    _ list: DisplayList, face: (FontID) -> UInt64, outlines: (FontID, [Range<Int>]) -> UInt64,
    image: (ImageID) -> UInt64
  ) -> [UInt8] {
    var faces: [UInt64] = []
    var faceOutlines: [UInt64] = []
    var images: [UInt64] = []
    var faceNumbers: [FontID: UInt64] = [:]
    var imageNumbers: [ImageID: UInt64] = [:]
    var body = DisplayWriter()
    body.bytes.reserveCapacity(list.glyphs.count * 4 + list.items.count * 16)
    let ranges = list.glyphsByFace
    func number(_ id: FontID) -> UInt64 {
      if let known = faceNumbers[id] { return known }
      let key = face(id)
      let number = faces.firstIndex(of: key) ?? faces.count
      if number == faces.count {
        faces.append(key)
        faceOutlines.append(0)
      }
      faceOutlines[number] &+= outlines(id, ranges[id] ?? [])
      faceNumbers[id] = UInt64(number)
      return UInt64(number)
    }
    func number(_ id: ImageID) -> UInt64 {
      if let known = imageNumbers[id] { return known }
      let key = image(id)
      let number = images.firstIndex(of: key) ?? images.count
      if number == images.count { images.append(key) }
      imageNumbers[id] = UInt64(number)
      return UInt64(number)
    }
    for item in list.items {
      switch item {
      case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
        let glyphs = list.glyphs[range.clamped(to: 0..<list.glyphs.count)]
        if expansion == 0 {
          body.tag(.glyphs)
        } else {
          body.tag(.expandedGlyphs)
          body.signed(Int32(expansion))
        }
        body.unsigned(number(font))
        body.unit(size)
        body.color(color)
        body.bytes.append(rotation.rawValue)
        body.count(glyphs.count)
        for glyph in glyphs { body.glyph(glyph) }
      case .image(let id, let rect):
        body.tag(.image)
        body.unsigned(number(id))
        body.rect(rect)
      case .imagePart(let id, let part, let of, let rect):
        body.tag(.imagePart)
        body.unsigned(number(id))
        body.rect(part)
        body.size(of)
        body.rect(rect)
      case .tiledImage(let id, let tile, let spacing, let clip):
        body.tag(.tiledImage)
        body.unsigned(number(id))
        body.rect(tile)
        body.size(spacing)
        body.rect(clip)
      default: body.item(item)
      }
    }
    var head = DisplayWriter()
    head.bytes.append(version)
    head.size(list.size)
    head.color(list.background)
    head.count(faces.count)
    for (key, outlines) in zip(faces, faceOutlines) {
      head.fixed(key)
      head.fixed(outlines)
    }
    head.count(images.count)
    images.forEach { head.fixed($0) }
    head.count(list.items.count)
    return head.bytes + body.bytes
  }

  enum Tag: UInt8 {
    case fillRect, fillRoundedRect, fillRing, fillPath, strokeLine, strokePath, fillGradient, glyphs, image, imagePart
    case tiledImage, shadow, saveClip, saveClipPath, saveLayer, saveTransform, restore, saveProjection, filterBackdrop
    case expandedGlyphs
  }

  /// An item that names neither face nor image.
  private mutating func item(_ item: DisplayItem) {
    switch item {
    case .fillRect(let rect, let color):
      tag(.fillRect)
      self.rect(rect)
      self.color(color)
    case .fillRoundedRect(let rect, let radii, let color):
      tag(.fillRoundedRect)
      self.rect(rect)
      self.radii(radii)
      self.color(color)
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      tag(.fillRing)
      rect(outer)
      radii(outerRadii)
      rect(inner)
      radii(innerRadii)
      self.color(color)
    case .fillPath(let path, let color):
      tag(.fillPath)
      self.path(path)
      self.color(color)
    case .strokeLine(let from, let to, let width, let style, let color):
      tag(.strokeLine)
      point(from)
      point(to)
      unit(width)
      bytes.append(style.rawValue)
      self.color(color)
    case .strokePath(let path, let width, let style, let color):
      tag(.strokePath)
      self.path(path)
      unit(width)
      bytes.append(style.rawValue)
      self.color(color)
    case .fillGradient(let rect, let radii, let gradient):
      tag(.fillGradient)
      self.rect(rect)
      self.radii(radii)
      self.gradient(gradient)
    case .shadow(let rect, let radii, let blur, let color, let inset, let clipOut):
      tag(.shadow)
      self.rect(rect)
      self.radii(radii)
      unit(blur)
      self.color(color)
      flag(inset)
      self.rect(clipOut)
    case .saveClip(let rect, let radii):
      tag(.saveClip)
      self.rect(rect)
      self.radii(radii)
    case .saveClipPath(let path, let isEvenOdd):
      tag(.saveClipPath)
      self.path(path)
      flag(isEvenOdd)
    case .saveLayer(let style):
      tag(.saveLayer)
      layer(style)
    case .saveTransform(let map):
      tag(.saveTransform)
      for value in [map.a, map.b, map.c, map.d, map.tx, map.ty] { float(value) }
    case .filterBackdrop(let rect, let radii, let filters, let opacity):
      tag(.filterBackdrop)
      self.rect(rect)
      self.radii(radii)
      layer(LayerStyle(opacity: opacity, filters: filters))
    case .saveProjection(let projection, let source):
      tag(.saveProjection)
      for value in projection.rows { float(Float(value)) }
      rect(source)
    case .restore: tag(.restore)
    case .glyphs, .image, .imagePart, .tiledImage: break
    }
  }

  private mutating func tag(_ tag: Tag) { bytes.append(tag.rawValue) }
  mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
  mutating func count(_ count: Int) { unsigned(UInt64(count)) }

  private mutating func unsigned(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }
  private mutating func signed(_ value: Int32) { unsigned(UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))) }
  private mutating func fixed(_ value: UInt64) {
    bytes.append(littleEndian: value)
  }
  mutating func float(_ value: Float) {
    bytes.append(littleEndian: value.bitPattern)
  }
  mutating func unit(_ value: LayoutUnit) { signed(value.rawValue) }
  mutating func color(_ color: Color) {
    bytes.append(bigEndian: color.rgba)
  }
  private mutating func point(_ point: Point) {
    unit(point.x)
    unit(point.y)
  }
  private mutating func size(_ size: Size) {
    unit(size.width)
    unit(size.height)
  }
  mutating func rect(_ rect: Rect) {
    unit(rect.x)
    unit(rect.y)
    unit(rect.width)
    unit(rect.height)
  }
  private mutating func radii(_ radii: CornerRadii) {
    flag(!radii.isZero)
    guard !radii.isZero else { return }
    for corner in [radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft] { size(corner) }
  }
  private mutating func glyph(_ glyph: PositionedGlyph) {
    unsigned(UInt64(glyph.glyph))
    signed(glyph.x.rawValue &- last.x)
    signed(glyph.y.rawValue &- last.y)
    last = (glyph.x.rawValue, glyph.y.rawValue)
  }
  private mutating func path(_ path: [PathElement]) {
    count(path.count)
    for element in path {
      switch element {
      case .move(let to):
        bytes.append(0)
        point(to)
      case .line(let to):
        bytes.append(1)
        point(to)
      case .curve(let first, let second, let to):
        bytes.append(2)
        point(first)
        point(second)
        point(to)
      case .close: bytes.append(3)
      }
    }
  }
  private mutating func gradient(_ gradient: Gradient) {
    func stops(_ stops: [GradientStop], _ repeating: Bool, _ writer: inout DisplayWriter) {
      writer.count(stops.count)
      for stop in stops {
        writer.float(stop.offset)
        writer.color(stop.color)
      }
      writer.flag(repeating)
    }
    switch gradient {
    case .linear(let from, let to, let list, let repeating):
      bytes.append(0)
      point(from)
      point(to)
      stops(list, repeating, &self)
    case .radial(let center, let radius, let list, let repeating):
      bytes.append(1)
      point(center)
      size(radius)
      stops(list, repeating, &self)
    case .conic(let center, let angle, let list, let repeating):
      bytes.append(2)
      point(center)
      float(angle)
      stops(list, repeating, &self)
    }
  }
  private mutating func layer(_ style: LayerStyle) {
    float(style.opacity)
    bytes.append(style.blend.rawValue)
    count(style.filters.count)
    for filter in style.filters {
      switch filter {
      case .colorMatrix(let values):
        bytes.append(0)
        count(values.count)
        values.forEach { float($0) }
      case .linearColorMatrix(let values):
        bytes.append(3)
        count(values.count)
        values.forEach { float($0) }
      case .blur(let deviation):
        bytes.append(1)
        unit(deviation)
      case .graph(let graph):
        bytes.append(4)
        self.graph(graph)
      case .dropShadow(let x, let y, let blur, let color):
        bytes.append(2)
        unit(x)
        unit(y)
        unit(blur)
        self.color(color)
      }
    }
    flag(style.bounds != nil)
    if let bounds = style.bounds { rect(bounds) }
  }
}

/// Reads what `DisplayWriter` wrote. Damaged bytes give nil, never a trap.
struct DisplayReader {
  private let bytes: [UInt8]
  private var at = 0
  private var last = (x: Int32(0), y: Int32(0))

  struct CorruptData: Error {}

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func decode(_ bytes: [UInt8]) -> PageDisplay? {
    var reader = DisplayReader(bytes)
    return try? reader.page()
  }

  private mutating func page() throws -> PageDisplay {
    let version = try byte()
    // The first form had no outlines.
    guard (1...DisplayWriter.version).contains(version) else { throw CorruptData() }
    var page = PageDisplay(list: DisplayList(size: try size(), background: try color()))
    for _ in 0..<(try count()) {
      page.faces.append(try fixed())
      page.outlines.append(version > 1 ? try fixed() : 0)
    }
    page.images = try array { try $0.fixed() }
    let items = try count()
    page.list.items.reserveCapacity(items)
    for _ in 0..<items { page.list.items.append(try item(&page)) }
    guard at == bytes.count else { throw CorruptData() }
    return page
  }

  private mutating func item(_ page: inout PageDisplay) throws -> DisplayItem {
    guard let tag = DisplayWriter.Tag(rawValue: try byte()) else { throw CorruptData() }
    switch tag {
    case .fillRect: return .fillRect(try rect(), try color())
    case .fillRoundedRect: return .fillRoundedRect(try rect(), try radii(), try color())
    case .fillRing:
      return .fillRing(
        outer: try rect(), outerRadii: try radii(), inner: try rect(), innerRadii: try radii(), try color())
    case .fillPath: return .fillPath(try path(), try color())
    case .strokeLine:
      return .strokeLine(from: try point(), to: try point(), width: try unit(), try choice(), try color())
    case .strokePath: return .strokePath(try path(), width: try unit(), try choice(), try color())
    case .fillGradient: return .fillGradient(try rect(), try radii(), try gradient())
    case .glyphs, .expandedGlyphs:
      let expansion = tag == .glyphs ? 0 : Int16(clamping: try signed())
      let face = try index(below: page.faces.count)
      let size = try unit()
      let color = try color()
      let rotation: GlyphRotation = try choice()
      let start = page.list.glyphs.count
      for _ in 0..<(try count()) { page.list.glyphs.append(try glyph()) }
      return .glyphs(
        font: FontID(face), size: size, color: color, rotation: rotation, expansion: expansion,
        glyphs: start..<page.list.glyphs.count)
    case .image: return .image(ImageID(try index(below: page.images.count)), try rect())
    case .imagePart:
      return .imagePart(
        ImageID(try index(below: page.images.count)), part: try rect(), of: try size(), try rect())
    case .tiledImage:
      return .tiledImage(
        ImageID(try index(below: page.images.count)), tile: try rect(), spacing: try size(), clip: try rect())
    case .shadow:
      return .shadow(
        try rect(), try radii(), blur: try unit(), try color(), inset: try flag(), clipOut: try rect())
    case .saveClip: return .saveClip(try rect(), try radii())
    case .saveClipPath: return .saveClipPath(try path(), isEvenOdd: try flag())
    case .saveLayer: return .saveLayer(try layer())
    case .saveTransform:
      return .saveTransform(
        AffineTransform(
          a: try float(), b: try float(), c: try float(), d: try float(), tx: try float(), ty: try float()))
    case .filterBackdrop:
      let (rect, radii) = (try rect(), try radii())
      let style = try layer()
      return .filterBackdrop(rect, radii, style.filters, opacity: style.opacity)
    case .saveProjection:
      let rows = try (0..<9).map { _ in Double(try float()) }
      return .saveProjection(Projection(rows: rows), source: try rect())
    case .restore: return .restore
    }
  }

  private mutating func byte() throws -> UInt8 {
    guard at < bytes.count else { throw CorruptData() }
    defer { at += 1 }
    return bytes[at]
  }
  mutating func flag() throws -> Bool { try byte() != 0 }
  private mutating func choice<Choice: RawRepresentable<UInt8>>() throws -> Choice {
    guard let choice = Choice(rawValue: try byte()) else { throw CorruptData() }
    return choice
  }
  private mutating func unsigned() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
    }
    throw CorruptData()
  }
  /// A number of things, each of which takes at least a byte.
  mutating func count() throws -> Int {
    let count = try unsigned()
    guard count <= UInt64(bytes.count - at) else { throw CorruptData() }
    return Int(count)
  }
  private mutating func index(below end: Int) throws -> Int {
    let index = try unsigned()
    guard index < UInt64(end) else { throw CorruptData() }
    return Int(index)
  }
  mutating func array<Element>(_ element: (inout DisplayReader) throws -> Element) throws -> [Element] {
    var result: [Element] = []
    for _ in 0..<(try count()) { result.append(try element(&self)) }
    return result
  }
  private mutating func signed() throws -> Int32 {
    let value = UInt32(truncatingIfNeeded: try unsigned())
    return Int32(bitPattern: value >> 1 ^ (0 &- (value & 1)))
  }
  private mutating func word<Word: FixedWidthInteger & BitwiseCopyable>() throws -> Word {
    let size = MemoryLayout<Word>.size
    guard bytes.count - at >= size else { throw CorruptData() }
    defer { at += size }
    return bytes.span.littleEndian(at: at)
  }
  private mutating func fixed() throws -> UInt64 { try word() }
  mutating func float() throws -> Float { Float(bitPattern: try word()) }
  mutating func unit() throws -> LayoutUnit { LayoutUnit(rawValue: try signed()) }
  mutating func color() throws -> Color {
    Color(red: try byte(), green: try byte(), blue: try byte(), alpha: try byte())
  }
  private mutating func point() throws -> Point { Point(x: try unit(), y: try unit()) }
  private mutating func size() throws -> Size { Size(width: try unit(), height: try unit()) }
  mutating func rect() throws -> Rect {
    Rect(x: try unit(), y: try unit(), width: try unit(), height: try unit())
  }
  private mutating func radii() throws -> CornerRadii {
    var radii = CornerRadii()
    guard try flag() else { return radii }
    radii.topLeft = try size()
    radii.topRight = try size()
    radii.bottomRight = try size()
    radii.bottomLeft = try size()
    return radii
  }
  private mutating func glyph() throws -> PositionedGlyph {
    let glyph = UInt16(truncatingIfNeeded: try unsigned())
    last = (last.x &+ (try signed()), last.y &+ (try signed()))
    return PositionedGlyph(glyph: glyph, x: LayoutUnit(rawValue: last.x), y: LayoutUnit(rawValue: last.y))
  }
  private mutating func path() throws -> [PathElement] {
    try array { reader in
      switch try reader.byte() {
      case 0: return .move(try reader.point())
      case 1: return .line(try reader.point())
      case 2: return .curve(try reader.point(), try reader.point(), try reader.point())
      case 3: return .close
      default: throw CorruptData()
      }
    }
  }
  private mutating func stops() throws -> [GradientStop] {
    try array { GradientStop(offset: try $0.float(), color: try $0.color()) }
  }
  private mutating func gradient() throws -> Gradient {
    switch try byte() {
    case 0: return .linear(from: try point(), to: try point(), stops: try stops(), repeating: try flag())
    case 1: return .radial(center: try point(), radius: try size(), stops: try stops(), repeating: try flag())
    case 2: return .conic(center: try point(), angle: try float(), stops: try stops(), repeating: try flag())
    default: throw CorruptData()
    }
  }
  private mutating func layer() throws -> LayerStyle {
    let opacity = try float()
    let blend: BlendMode = try choice()
    let filters: [PixelFilter] = try array { reader in
      switch try reader.byte() {
      case 0: return .colorMatrix(try reader.array { try $0.float() })
      case 1: return .blur(try reader.unit())
      case 2:
        return .dropShadow(x: try reader.unit(), y: try reader.unit(), blur: try reader.unit(), try reader.color())
      case 3: return .linearColorMatrix(try reader.array { try $0.float() })
      case 4: return .graph(try reader.graph())
      default: throw CorruptData()
      }
    }
    return LayerStyle(opacity: opacity, blend: blend, filters: filters, bounds: try flag() ? try rect() : nil)
  }
}
