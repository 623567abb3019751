import Drawings
import Graphics
import Primitives

/// A drawing as a form (ISO 32000-1, section 8.10), made of its list: outlines stay operators, gradients are shadings,
/// groups are forms of their own. The form fills the unit square, as pictures do.
struct ListForm: PDFForm {
  /// The content of the drawing, and of its groups.
  private var contents = [PDFBytes()]
  private var alphas: [UInt8] = []
  private var patterns: [PDFBytes] = []
  private let width: Int
  private let height: Int
  private let deflater: Deflater

  /// Fails for gradients that are transparent in parts, or go on beyond their ends, which no shading does.
  ///
  /// - Parameters:
  ///   - width: Of the form, in its own units.
  ///   - area: The size in px that the drawing is shown at.
  init?(_ drawing: Drawing, width: Int, height: Int, area: SIMD2<Float>, deflater: Deflater) {
    (self.width, self.height, self.deflater) = (width, height, deflater)
    let (wide, tall) = (Float(width), Float(height))
    // The rows of PDF count upwards.
    let base = drawing.map(to: area).concatenating(AffineTransform(a: wide / area.x, d: -tall / area.y, ty: tall))
    /// The groups and clips that are open.
    var open: [Opened] = []
    for command in drawing.commands {
      let content = open.last(where: { $0.group != nil })?.group ?? 0
      switch command {
      case .fill(let path, let paint, let isEvenOdd, let map):
        guard append(paint, isStroked: false, map.concatenating(base), to: content) else { return nil }
        append(path, map.concatenating(base), to: content)
        contents[content].raw(isEvenOdd ? "f* Q\n" : "f Q\n")
      case .stroke(let path, let paint, let stroke, let map):
        let map = map.concatenating(base)
        guard append(paint, isStroked: true, map, to: content) else { return nil }
        append(map, to: content)
        append(stroke, to: content)
        append(path, .identity, decimals: Self.decimals(at: map), to: content)
        contents[content].raw("S Q\n")
      case .saveClip(let path, let isEvenOdd, let map):
        contents[content].raw("q\n")
        append(path, map.concatenating(base), to: content)
        contents[content].raw(isEvenOdd ? "W* n\n" : "W n\n")
        open.append(Opened(content: content))
      case .saveGroup(let opacity):
        contents[content].raw("q ")
        appendAlpha(UInt8((opacity * 255).rounded()), to: content)
        contents.append(PDFBytes())
        contents[content].raw("/X")
        contents[content].raw(String(contents.count - 2).utf8)
        contents[content].raw(" Do Q\n")
        open.append(Opened(content: content, group: contents.count - 1))
      case .restore:
        if let ended = open.popLast(), ended.group == nil { contents[ended.content].raw("Q\n") }
      }
    }
  }

  /// A clip or a group that goes on.
  private struct Opened {
    /// Where it stands.
    var content: Int
    /// Where what is in it goes.
    var group: Int?
  }

  // MARK: Operators

  private mutating func append(_ map: AffineTransform, to content: Int) {
    for value in [map.a, map.b, map.c, map.d] { contents[content].real(Double(value), decimals: 6) }
    for value in [map.tx, map.ty] { contents[content].real(Double(value), decimals: 3) }
    contents[content].raw(" cm ")
  }

  /// Decimals of numbers that a map makes larger or smaller.
  private static func decimals(at map: AffineTransform) -> Int {
    let scale = abs(map.a * map.d - map.b * map.c).squareRoot()
    return scale < 1 ? 2 : scale < 10 ? 3 : scale < 100 ? 4 : 5
  }

  private mutating func append(_ path: DrawingPath, _ map: AffineTransform, decimals: Int = 2, to content: Int) {
    var pen = DrawingPath.Place()
    var start = DrawingPath.Place()
    func put(_ places: DrawingPath.Place..., operator name: StaticString) {
      for place in places {
        let mapped = map.point(SIMD2<Float>(place))
        contents[content].real(Double(mapped.x), decimals: decimals)
        contents[content].real(Double(mapped.y), decimals: decimals)
      }
      contents[content].raw(name)
    }
    for element in path.elements {
      switch element {
      case .move(let end):
        put(end, operator: " m\n")
        (pen, start) = (end, end)
      case .line(let end):
        put(end, operator: " l\n")
        pen = end
      case .quadratic(let control, let end):
        let (first, second) = pen.cubicControls(quadratic: control, to: end)
        put(first, second, end, operator: " c\n")
        pen = end
      case .cubic(let first, let second, let end):
        put(first, second, end, operator: " c\n")
        pen = end
      case .close:
        contents[content].raw("h\n")
        pen = start
      }
    }
  }

  private static let caps: [DrawingStroke.Cap: Int] = [.round: 1, .square: 2]
  private static let joins: [DrawingStroke.Join: Int] = [.round: 1, .bevel: 2]

  private mutating func append(_ stroke: DrawingStroke, to content: Int) {
    contents[content].real(stroke.width, decimals: 5)
    contents[content].raw(" w")
    contents[content].integer(Self.caps[stroke.cap] ?? 0)
    contents[content].raw(" J")
    contents[content].integer(Self.joins[stroke.join] ?? 0)
    contents[content].raw(" j")
    contents[content].real(stroke.miterLimit)
    contents[content].raw(" M")
    if !stroke.dashes.isEmpty {
      contents[content].raw("[")
      for dash in stroke.dashes { contents[content].real(dash, decimals: 5) }
      contents[content].raw("]")
      contents[content].real(stroke.dashOffset, decimals: 5)
      contents[content].raw(" d")
    }
    contents[content].raw("\n")
  }

  // MARK: Paint

  private mutating func appendAlpha(_ alpha: UInt8, to content: Int) {
    guard alpha < 255 else { return }
    let place = alphas.firstIndex(of: alpha) ?? alphas.count
    if place == alphas.count { alphas.append(alpha) }
    contents[content].raw("/G")
    contents[content].raw(String(place).utf8)
    contents[content].raw(" gs ")
  }

  /// Saves the state and sets a paint; false for one that PDF does not have.
  private mutating func append(
    _ paint: DrawingPaint, isStroked: Bool, _ map: AffineTransform, to content: Int
  ) -> Bool {
    contents[content].raw("q ")
    switch paint {
    case .color(let color):
      appendAlpha(color.alpha, to: content)
      contents[content].components((color.red, color.green, color.blue))
      contents[content].raw(isStroked ? " RG\n" : " rg\n")
    case .gradient(let gradient, let opacity):
      guard let pattern = Self.pattern(gradient, map) else { return false }
      appendAlpha(UInt8((opacity * 255).rounded()), to: content)
      let place = patterns.firstIndex { $0.bytes == pattern.bytes } ?? patterns.count
      if place == patterns.count { patterns.append(pattern) }
      contents[content].raw(isStroked ? "/Pattern CS/P" : "/Pattern cs/P")
      contents[content].raw(String(place).utf8)
      contents[content].raw(isStroked ? " SCN\n" : " scn\n")
    }
    return true
  }

  /// A pattern of a shading (section 8.7.4.2), in the coordinates of the form.
  private static func pattern(_ gradient: DrawingGradient, _ map: AffineTransform) -> PDFBytes? {
    guard gradient.spread == .pad, gradient.stops.allSatisfy({ $0.color.alpha == 255 }),
      let first = gradient.stops.first?.offset, let last = gradient.stops.last?.offset, first < last
    else { return nil }
    let (start, end) = (Double(first), Double(last))
    let whole = gradient.map.concatenating(map)
    var bytes = PDFBytes("<</PatternType 2/Matrix[")
    for value in [whole.a, whole.b, whole.c, whole.d, whole.tx, whole.ty] { bytes.real(Double(value), decimals: 6) }
    bytes.raw("]/Shading<</ColorSpace/DeviceRGB/Extend[true true]/ShadingType")
    func append(_ place: SIMD2<Double>) {
      bytes.real(place.x, decimals: 6)
      bytes.real(place.y, decimals: 6)
    }
    switch gradient.shape {
    case .linear(let from, let to):
      bytes.raw(" 2/Coords[")
      append(from + (to - from) * start)
      append(from + (to - from) * end)
    case .radial(let center, let radius, let focus):
      bytes.raw(" 3/Coords[")
      append(focus + (center - focus) * start)
      bytes.real(radius * start, decimals: 6)
      append(focus + (center - focus) * end)
      bytes.real(radius * end, decimals: 6)
    }
    bytes.raw("]/Domain[")
    bytes.real(start, decimals: 5)
    bytes.real(end, decimals: 5)
    bytes.raw("]/Function")
    GradientFunction.append(gradient.stops, to: &bytes)
    bytes.raw(">>>>")
    return bytes
  }

  // MARK: Objects

  /// The bytes of all content, deflated.
  var byteCount: Int { contents.reduce(0) { $0 + deflater.compress($1.bytes).count } }

  func write(as id: PDFObjectID, in file: inout PDFFile) {
    let ids = [id] + contents.dropFirst().map { _ in file.allocate() }
    let resources = file.allocate()
    for (place, content) in contents.enumerated() {
      var dictionary = PDFBytes(formOf: width, height, fillsUnitSquare: place == 0)
      if place > 0 { dictionary.raw("/Group<</S/Transparency>>") }
      dictionary.raw("/Resources")
      dictionary.reference(resources)
      file.add(stream: content.bytes, dictionary, as: ids[place])
    }
    file.add(resourceDictionary(ids), as: resources)
  }

  private func resourceDictionary(_ ids: [PDFObjectID]) -> PDFBytes {
    var bytes = PDFBytes("<<")
    func list<Entry>(
      _ kind: StaticString, _ name: StaticString, _ entries: some Sequence<Entry>, _ body: (Entry) -> Void
    ) {
      var isEmpty = true
      for (place, entry) in entries.enumerated() {
        if isEmpty {
          bytes.raw(kind)
          bytes.raw("<<")
        }
        isEmpty = false
        bytes.raw(name)
        bytes.raw(String(place).utf8)
        body(entry)
      }
      if !isEmpty { bytes.raw(">>") }
    }
    list("/ExtGState", "/G", alphas) { alpha in
      bytes.raw("<</ca")
      bytes.real(Double(alpha) / 255)
      bytes.raw("/CA")
      bytes.real(Double(alpha) / 255)
      bytes.raw(">>")
    }
    list("/Pattern", "/P", patterns) { bytes.raw($0) }
    list("/XObject", "/X", ids.dropFirst()) { bytes.reference($0) }
    bytes.raw(">>")
    return bytes
  }
}
