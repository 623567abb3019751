import BoxGeneration
import CSS
import Graphics
import Layout
import Markup
import Primitives
import Styling

/// `<filter>` elements that boxes refer to (Filter Effects 1, section 8).
extension PagePainting {
  /// What a filter of the document does to the pixels of a box; nil where there is none of its name.
  ///
  /// - Parameters:
  ///   - rect: The border box: 0 and 100 % of places are its edges.
  ///   - isOfBackdrop: Browsers know no linear light in `backdrop-filter`.
  mutating func referencedFilter(_ url: String, of rect: Rect, _ style: ComputedStyle, isOfBackdrop: Bool)
    -> PixelFilter?
  {
    guard let hash = url.lastIndex(of: "#") else { return nil }
    var document = self.document
    var element: NodeID?
    let path = String(url[..<hash])
    let isElsewhere = path.hasPrefix("data:") || path.lowercased().hasSuffix(".svg")
    if isElsewhere, let other = painter.images.drawing(path) {
      document = other
      element = other.elementsByID()[String(url[url.index(after: hash)...])]
    } else {
      element = referencedElement(url)
    }
    guard let element, document.nodes[element.index].namespace == .svg else { return nil }
    var reader = FilterReader(
      painting: self, document: document, filter: element, images: isElsewhere ? [:] : tree.filterImages, box: rect,
      style: style, isOfBackdrop: isOfBackdrop)
    guard reader.name(of: element) == "filter" else { return nil }
    let graph = reader.read()
    return reader.isKnown ? .graph(graph) : nil
  }
}

/// Reads the primitives of one filter for one box.
private struct FilterReader {
  let painting: PagePainting
  let document: Document
  let filter: NodeID
  /// Those of its `<feImage>` elements.
  let images: [NodeID: ImageID]
  let box: Rect
  /// The box's: what the filter says nothing about, fonts and colour, is taken from there.
  let style: ComputedStyle
  let isOfBackdrop: Bool
  /// Lengths of primitives are shares of the box (`primitiveUnits`).
  let isRelative: Bool
  var region = Rect()
  var primitives: [FilterGraph.Primitive] = []
  /// All primitives are of kinds that can be drawn.
  var isKnown = true
  /// The results that have a name, the last of each.
  var results: [String: Int] = [:]
  /// More cost more memory than a picture is worth.
  private static let mostPrimitives = 64

  init(
    painting: PagePainting, document: Document, filter: NodeID, images: [NodeID: ImageID], box: Rect,
    style: ComputedStyle, isOfBackdrop: Bool
  ) {
    self.painting = painting
    self.document = document
    self.filter = filter
    self.images = images
    self.box = box
    self.style = style
    self.isOfBackdrop = isOfBackdrop
    isRelative = document.drawingAttribute("primitiveUnits", of: filter) == "objectBoundingBox"
  }

  mutating func read() -> FilterGraph {
    let isInUserSpace = document.drawingAttribute("filterUnits", of: filter) == "userSpaceOnUse"
    func edge(_ name: String, _ share: Double, _ size: LayoutUnit) -> LayoutUnit {
      length(name, of: filter, along: size, isRelative: !isInUserSpace) ?? size * share
    }
    region = Rect(
      x: box.x + edge("x", -0.1, box.width), y: box.y + edge("y", -0.1, box.height),
      width: Swift.max(.zero, edge("width", 1.2, box.width)), height: Swift.max(.zero, edge("height", 1.2, box.height)))
    for element in document.children(of: filter) where document.nodes[element.index].kind == .element {
      guard primitives.count < Self.mostPrimitives else { break }
      add(element)
    }
    return FilterGraph(primitives, region: region)
  }

  // MARK: Attributes

  private func attribute(_ name: String, of element: NodeID) -> String? {
    document.drawingAttribute(name, of: element)
  }
  private func numbers(_ name: String, of element: NodeID) -> [Float] {
    var reader = PathReader((attribute(name, of: element) ?? "").utf8)
    var numbers: [Float] = []
    while numbers.count < 1024, let number = reader.number() { numbers.append(number) }
    return numbers
  }
  func name(of element: NodeID) -> String {
    document.names.name(of: document.nodes[element.index].name).lowercased()
  }
  private func number(_ name: String, of element: NodeID, _ initial: Float) -> Float {
    numbers(name, of: element).first ?? initial
  }

  /// A property that is an attribute, too: the `style` attribute has the last word.
  private func property(_ name: String, of element: NodeID) -> String? {
    for declaration in (attribute("style", of: element) ?? "").split(separator: ";").reversed() {
      let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.drop { $0.isWhitespace } }
      if parts.count == 2, parts[0].prefix(while: { !$0.isWhitespace }).lowercased() == name { return String(parts[1]) }
    }
    return attribute(name, of: element)
  }

  /// A length or percentage; a number, and with `isRelative` any length, is a share of `size` or a length in user space.
  private func length(_ name: String, of element: NodeID, along size: LayoutUnit, isRelative: Bool) -> LayoutUnit? {
    guard let text = attribute(name, of: element) else { return nil }
    let cursor = TokenCursor(TokenBuffer(tokenizing: Array(text.utf8)[...])).trimmed
    var pixels: Double?
    if cursor.kind == .number {
      pixels = cursor.token.number
    } else {
      var parser = ValueParser(cursor, context: ValueContext())
      guard let value = parser.attributeLength() else { return nil }
      // A percentage is a share of one in relative units, whose length is 1.
      let base = isRelative ? 1 : size.pixels
      func resolved(_ length: Length) -> Double {
        switch length.unit {
        case .percent: Double(length.value) / 100 * base
        case .em: Double(length.value) * fontSize(of: element)
        default: painting.context.resolve(length, font: style.font).pixels
        }
      }
      pixels = value.value { resolved($0) }
    }
    return pixels.map { isRelative ? size * $0 : LayoutUnit($0) }
  }

  private func fontSize(of element: NodeID) -> Double {
    let inherited = painting.context.resolve(Length(1, .em), font: style.font).pixels
    guard let text = property("font-size", of: element) else { return inherited }
    var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: Array(text.utf8)[...])), context: ValueContext())
    return parser.attributeLength()?.value { painting.context.resolve($0, font: style.font).pixels } ?? inherited
  }

  /// A number along an axis, in the units of the primitives.
  private func scaled(_ value: Float, along size: LayoutUnit) -> LayoutUnit {
    isRelative ? size * Double(value) : LayoutUnit(Double(value))
  }

  /// One number for both axes, or one for each.
  private func pair(_ name: String, of element: NodeID, _ initial: Float) -> (x: Float, y: Float) {
    let values = numbers(name, of: element)
    let x = values.first ?? initial
    return (x, values.count > 1 ? values[1] : x)
  }

  private func color(_ name: String, _ opacityName: String, of element: NodeID) -> Color {
    var color = Color.black
    if let declared = property(name, of: element) {
      var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: Array(declared.utf8)[...])), context: ValueContext())
      if let value = parser.attributeColor() { color = value.resolved(painting.context.styles[style.text].color) }
    }
    var reader = PathReader((property(opacityName, of: element) ?? "").utf8)
    let opacity = Swift.max(0, Swift.min(1, reader.number() ?? 1))
    return Color(
      red: color.red, green: color.green, blue: color.blue, alpha: UInt8((Float(color.alpha) * opacity).rounded()))
  }

  // MARK: Primitives

  private func input(_ name: String, of element: NodeID) -> FilterGraph.Input {
    let previous: FilterGraph.Input = primitives.isEmpty ? .source : .result(primitives.count - 1)
    switch attribute(name, of: element) {
    case nil, "": return previous
    case "SourceGraphic": return .source
    case "SourceAlpha": return .sourceAlpha
    case "BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint": return .nothing
    case let name?: return results[name].map { .result($0) } ?? previous
    }
  }

  /// The subregion (Filter Effects 1, section 9.4).
  private func subregion(of element: NodeID, _ inputs: [FilterGraph.Input], isOfRegion: Bool) -> Rect {
    var area = region
    let places = inputs.map { input -> Rect in
      if case .result(let index) = input { primitives[index].region } else { region }
    }
    if !isOfRegion, let first = places.first { area = places.dropFirst().reduce(first) { $0.union($1) } }
    let x = length("x", of: element, along: box.width, isRelative: isRelative)
    let y = length("y", of: element, along: box.height, isRelative: isRelative)
    let width = length("width", of: element, along: box.width, isRelative: isRelative)
    let height = length("height", of: element, along: box.height, isRelative: isRelative)
    return Rect(
      x: x.map { box.x + $0 } ?? area.x, y: y.map { box.y + $0 } ?? area.y,
      width: width.map { Swift.max(.zero, $0) } ?? area.width,
      height: height.map { Swift.max(.zero, $0) } ?? area.height)
  }

  private mutating func add(_ element: NodeID) {
    var inputs = [input("in", of: element)]
    var isOfRegion = false
    let kind: FilterGraph.Kind
    switch name(of: element) {
    case "feflood":
      inputs = []
      isOfRegion = true
      kind = .flood(color("flood-color", "flood-opacity", of: element))
    case "fegaussianblur":
      let deviation = pair("stdDeviation", of: element, 0)
      // A negative deviation is none.
      let isValid = deviation.x >= 0 && deviation.y >= 0
      kind = .blur(
        x: isValid ? scaled(deviation.x, along: box.width) : .zero,
        y: isValid ? scaled(deviation.y, along: box.height) : .zero)
    case "feoffset":
      kind = .offset(
        x: scaled(number("dx", of: element, 0), along: box.width),
        y: scaled(number("dy", of: element, 0), along: box.height))
    case "fedropshadow":
      let deviation = pair("stdDeviation", of: element, 2)
      kind = .shadow(
        x: scaled(number("dx", of: element, 2), along: box.width),
        y: scaled(number("dy", of: element, 2), along: box.height),
        blurX: Swift.max(.zero, scaled(deviation.x, along: box.width)),
        blurY: Swift.max(.zero, scaled(deviation.y, along: box.height)),
        color("flood-color", "flood-opacity", of: element))
    case "fecolormatrix": kind = .matrix(colorMatrix(element))
    case "fecomponenttransfer": kind = .transfer(transfers(element))
    case "fecomposite":
      inputs.append(input("in2", of: element))
      kind = .composite(compositing(element))
    case "feblend":
      inputs.append(input("in2", of: element))
      let word = attribute("mode", of: element)
      let mode = MixBlendMode.all.first { "\($0.keyword)" == word } ?? .normal
      kind = .blend(BlendMode(rawValue: mode.rawValue) ?? .normal)
    case "femerge":
      inputs = document.children(of: element).filter {
        document.nodes[$0.index].kind == .element && name(of: $0) == "femergenode"
      }.map { input("in", of: $0) }
      kind = .merge
    case "femorphology":
      let radius = pair("radius", of: element, 0)
      let isValid = radius.x >= 0 && radius.y >= 0
      kind = .morphology(
        x: isValid ? scaled(radius.x, along: box.width) : .zero,
        y: isValid ? scaled(radius.y, along: box.height) : .zero,
        dilates: attribute("operator", of: element) == "dilate")
    case "feimage":
      inputs = []
      isOfRegion = true
      kind = image(element, in: subregion(of: element, [], isOfRegion: true))
    case "fetile":
      isOfRegion = true
      var area = region
      if case .result(let index) = inputs[0] { area = primitives[index].region }
      kind = .tile(area)
    case "fedisplacementmap":
      inputs.append(input("in2", of: element))
      kind = .displacement(
        scale: scaled(number("scale", of: element, 0), along: box.width), x: channel("xChannelSelector", of: element),
        y: channel("yChannelSelector", of: element))
    case "feconvolvematrix":
      guard let convolution = convolution(element) else { return addNothing(element) }
      kind = .convolution(convolution)
    case "fediffuselighting", "fespecularlighting", "feturbulence":
      isKnown = false
      return
    default: return
    }
    add(kind, inputs, element, isOfRegion: isOfRegion)
  }

  /// The result is transparent: the primitive is in error, or not known.
  private mutating func addNothing(_ element: NodeID) {
    add(.merge, [], element, isOfRegion: true)
  }

  private mutating func add(
    _ kind: FilterGraph.Kind, _ inputs: [FilterGraph.Input], _ element: NodeID, isOfRegion: Bool
  ) {
    let name = "color-interpolation-filters"
    let space = property(name, of: element) ?? property(name, of: filter) ?? "linearRGB"
    primitives.append(
      FilterGraph.Primitive(
        kind, inputs: inputs, region: subregion(of: element, inputs, isOfRegion: isOfRegion),
        isLinear: !isOfBackdrop && space.lowercased() != "srgb"))
    if let name = attribute("result", of: element), !name.isEmpty { results[name] = primitives.count - 1 }
  }

  private static let noChange: [Float] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]

  /// `feColorMatrix` (Filter Effects 1, section 9.6).
  private func colorMatrix(_ element: NodeID) -> [Float] {
    let values = numbers("values", of: element)
    switch attribute("type", of: element) {
    case "saturate": return PagePainting.matrix(of: .saturate(values.first ?? 1))
    case "hueRotate": return PagePainting.matrix(of: .hueRotate(values.first ?? 0))
    case "luminanceToAlpha": return [Float](repeating: 0, count: 15) + [0.2125, 0.7154, 0.0721, 0, 0]
    default: return values.count == 20 ? values : Self.noChange
    }
  }

  /// `feComponentTransfer` (section 9.7); of more functions for a channel the last counts.
  private func transfers(_ element: NodeID) -> [FilterGraph.Transfer] {
    var transfers = [FilterGraph.Transfer](repeating: .identity, count: 4)
    for function in document.children(of: element) where document.nodes[function.index].kind == .element {
      guard let channel = ["fefuncr", "fefuncg", "fefuncb", "fefunca"].firstIndex(of: name(of: function))
      else {
        continue
      }
      switch attribute("type", of: function) {
      case "table": transfers[channel] = .table(numbers("tableValues", of: function))
      case "discrete": transfers[channel] = .discrete(numbers("tableValues", of: function))
      case "linear":
        transfers[channel] = .linear(
          slope: number("slope", of: function, 1), intercept: number("intercept", of: function, 0))
      case "gamma":
        transfers[channel] = .gamma(
          amplitude: number("amplitude", of: function, 1), exponent: number("exponent", of: function, 1),
          offset: number("offset", of: function, 0))
      default: transfers[channel] = .identity
      }
    }
    return transfers
  }

  private func compositing(_ element: NodeID) -> FilterGraph.Compositing {
    switch attribute("operator", of: element) {
    case "in": .inside
    case "out": .out
    case "atop": .atop
    case "xor": .xor
    case "lighter": .lighter
    case "arithmetic":
      .arithmetic(
        number("k1", of: element, 0), number("k2", of: element, 0), number("k3", of: element, 0),
        number("k4", of: element, 0))
    default: .over
    }
  }

  private func channel(_ name: String, of element: NodeID) -> FilterGraph.Channel {
    switch attribute(name, of: element) {
    case "R": .red
    case "G": .green
    case "B": .blue
    default: .alpha
    }
  }

  /// `feConvolveMatrix` (section 9.9); nil when it is in error.
  private func convolution(_ element: NodeID) -> FilterGraph.Convolution? {
    let order = pair("order", of: element, 3)
    guard order.x >= 1, order.y >= 1, order.x <= 32, order.y <= 32 else { return nil }
    let (columns, rows) = (Int(order.x), Int(order.y))
    let matrix = numbers("kernelMatrix", of: element)
    guard matrix.count == columns * rows else { return nil }
    let sum = matrix.reduce(0, +)
    let divisor = number("divisor", of: element, 0)
    let targetX = Int(number("targetX", of: element, Float(columns / 2)))
    let targetY = Int(number("targetY", of: element, Float(rows / 2)))
    guard 0..<columns ~= targetX, 0..<rows ~= targetY else { return nil }
    let edge: FilterGraph.EdgeMode =
      switch attribute("edgeMode", of: element) {
      case "wrap": .wrap
      case "none": .none
      default: .duplicate
      }
    return FilterGraph.Convolution(
      columns: columns, rows: rows, matrix: matrix, divisor: divisor != 0 ? divisor : sum != 0 ? sum : 1,
      bias: number("bias", of: element, 0), targetX: targetX, targetY: targetY, edge: edge,
      preservesAlpha: attribute("preserveAlpha", of: element) == "true")
  }

  /// `feImage` of a file (section 9.14), placed by `preserveAspectRatio` in the subregion.
  private func image(_ element: NodeID, in area: Rect) -> FilterGraph.Kind {
    guard let id = images[element] else { return .merge }
    var words = (attribute("preserveAspectRatio", of: element) ?? "").split(separator: " ")
    if words.first == "defer" { words.removeFirst() }
    let natural = painting.painter.images.natural(id).size(
      specified: (nil, nil), in: Size(width: area.width, height: area.height))
    guard words.first != "none", natural.width > .zero, natural.height > .zero else { return .image(id, area) }
    let ratios = (area.width.pixels / natural.width.pixels, area.height.pixels / natural.height.pixels)
    let scale = words.last == "slice" ? Swift.max(ratios.0, ratios.1) : Swift.min(ratios.0, ratios.1)
    let size = Size(width: natural.width * scale, height: natural.height * scale)
    let alignment = words.first.map(String.init) ?? "xMidYMid"
    func share(_ low: String, _ high: String) -> Double {
      alignment.contains(low) ? 0 : alignment.contains(high) ? 1 : 0.5
    }
    return .image(
      id,
      Rect(
        x: area.x + (area.width - size.width) * share("xMin", "xMax"),
        y: area.y + (area.height - size.height) * share("YMin", "YMax"), width: size.width, height: size.height))
  }
}
