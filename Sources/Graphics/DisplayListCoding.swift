import Primitives

/// A display list as JSON, for programs in other languages that draw it themselves. Lengths are CSS px from the page's
/// top left corner; rectangles are x, y, width and height, sizes and points pairs, colours `#rrggbb` or `#rrggbbaa`,
/// paths the path data of SVG 2, section 9.3. A property at its usual value is left out.
extension DisplayList: Encodable {
  private enum CodingKeys: CodingKey { case width, height, background, items }

  /// Writes `width`, `height`, `background` and `items`, each with its `kind`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(size.width.pixels, forKey: .width)
    try values.encode(size.height.pixels, forKey: .height)
    try values.encode(background, forKey: .background)
    var list = values.nestedUnkeyedContainer(forKey: .items)
    for item in items { try list.encode(CodedItem(item: item, glyphs: glyphs)) }
  }
}

private enum ItemKeys: CodingKey {
  case kind, rect, radii, color, inner, innerRadii, path, from, to, width, style, gradient, font, size, rotation
  case expansion, glyphs, image, part, of, tile, spacing, clip, blur, isInset, clipOut, filters, opacity, isEvenOdd
  case blend, bounds, transform, source
}

private typealias ItemContainer = KeyedEncodingContainer<ItemKeys>

private struct CodedItem: Encodable {
  let item: DisplayItem
  /// Of the list.
  let glyphs: [PositionedGlyph]

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: ItemKeys.self)
    switch item {
    case .fillRect, .fillRoundedRect, .fillRing, .fillPath, .strokeLine, .strokePath, .fillGradient, .shadow:
      try encodeShape(to: &values)
    case .glyphs(let font, let size, let color, let rotation, let expansion, let range):
      try values.encode("glyphs", forKey: .kind)
      try values.encode(font.rawValue, forKey: .font)
      try values.encode(size.pixels, forKey: .size)
      try values.encode(color, forKey: .color)
      if rotation != .none { try values.encode("\(rotation)", forKey: .rotation) }
      if expansion != 0 { try values.encode(expansion, forKey: .expansion) }
      var list = values.nestedUnkeyedContainer(forKey: .glyphs)
      for glyph in glyphs[range] {
        try list.encode(glyph.glyph)
        try list.encode(glyph.x.pixels)
        try list.encode(glyph.y.pixels)
      }
    case .image(let image, let rect):
      try values.encode("image", forKey: .kind)
      try values.encode(image.rawValue, forKey: .image)
      try values.encode(rect, forKey: .rect)
    case .imagePart(let image, let part, let size, let rect):
      try values.encode("imagePart", forKey: .kind)
      try values.encode(image.rawValue, forKey: .image)
      try values.encode(part, forKey: .part)
      try values.encode(size, forKey: .of)
      try values.encode(rect, forKey: .rect)
    case .tiledImage(let image, let tile, let spacing, let clip):
      try values.encode("tiledImage", forKey: .kind)
      try values.encode(image.rawValue, forKey: .image)
      try values.encode(tile, forKey: .tile)
      try values.encode(spacing, forKey: .spacing)
      try values.encode(clip, forKey: .clip)
    case .filterBackdrop, .saveClip, .saveClipPath, .saveLayer, .saveTransform, .saveProjection, .restore:
      try encodeGroup(to: &values)
    }
  }

  private func encodeShape(to values: inout ItemContainer) throws {
    switch item {
    case .fillRect(let rect, let color):
      try values.encode("fillRect", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(color, forKey: .color)
    case .fillRoundedRect(let rect, let radii, let color):
      try values.encode("fillRoundedRect", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(radii, forKey: .radii)
      try values.encode(color, forKey: .color)
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      try values.encode("fillRing", forKey: .kind)
      try values.encode(outer, forKey: .rect)
      try values.encode(outerRadii, forKey: .radii)
      try values.encode(inner, forKey: .inner)
      try values.encode(innerRadii, forKey: .innerRadii)
      try values.encode(color, forKey: .color)
    case .fillPath(let path, let color):
      try values.encode("fillPath", forKey: .kind)
      try values.encode(path.pathData, forKey: .path)
      try values.encode(color, forKey: .color)
    case .strokeLine(let from, let to, let width, let style, let color):
      try values.encode("strokeLine", forKey: .kind)
      try values.encode(from, forKey: .from)
      try values.encode(to, forKey: .to)
      try encodeStroke(width, style, color, to: &values)
    case .strokePath(let path, let width, let style, let color):
      try values.encode("strokePath", forKey: .kind)
      try values.encode(path.pathData, forKey: .path)
      try encodeStroke(width, style, color, to: &values)
    case .fillGradient(let rect, let radii, let gradient):
      try values.encode("fillGradient", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(radii, forKey: .radii)
      try values.encode(CodedGradient(gradient: gradient), forKey: .gradient)
    case .shadow(let rect, let radii, let blur, let color, let isInset, let clipOut):
      try values.encode("shadow", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(radii, forKey: .radii)
      try values.encode(blur.pixels, forKey: .blur)
      try values.encode(color, forKey: .color)
      if isInset { try values.encode(true, forKey: .isInset) }
      try values.encode(clipOut, forKey: .clipOut)
    default: break
    }
  }

  private func encodeStroke(
    _ width: LayoutUnit, _ style: StrokeStyle, _ color: Color, to values: inout ItemContainer
  ) throws {
    try values.encode(width.pixels, forKey: .width)
    if style != .solid { try values.encode("\(style)", forKey: .style) }
    try values.encode(color, forKey: .color)
  }

  private func encodeGroup(to values: inout ItemContainer) throws {
    switch item {
    case .filterBackdrop(let rect, let radii, let filters, let opacity):
      try values.encode("filterBackdrop", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(radii, forKey: .radii)
      try values.encode(filters.map(CodedFilter.init), forKey: .filters)
      try values.encode(opacity, forKey: .opacity)
    case .saveClip(let rect, let radii):
      try values.encode("saveClip", forKey: .kind)
      try values.encode(rect, forKey: .rect)
      try values.encode(radii, forKey: .radii)
    case .saveClipPath(let path, let isEvenOdd):
      try values.encode("saveClipPath", forKey: .kind)
      try values.encode(path.pathData, forKey: .path)
      if isEvenOdd { try values.encode(true, forKey: .isEvenOdd) }
    case .saveLayer(let style):
      try values.encode("saveLayer", forKey: .kind)
      if style.opacity != 1 { try values.encode(style.opacity, forKey: .opacity) }
      if style.blend != .normal { try values.encode("\(style.blend)", forKey: .blend) }
      if !style.filters.isEmpty { try values.encode(style.filters.map(CodedFilter.init), forKey: .filters) }
      if let bounds = style.bounds { try values.encode(bounds, forKey: .bounds) }
    case .saveTransform(let map):
      try values.encode("saveTransform", forKey: .kind)
      try values.encode([map.a, map.b, map.c, map.d, map.tx, map.ty], forKey: .transform)
    case .saveProjection(let projection, let source):
      try values.encode("saveProjection", forKey: .kind)
      try values.encode(projection.rows, forKey: .transform)
      try values.encode(source, forKey: .source)
    case .restore: try values.encode("restore", forKey: .kind)
    default: break
    }
  }
}

// MARK: Parts

extension KeyedEncodingContainer {
  /// Writes radii as sizes from top left clockwise; nothing for square corners.
  fileprivate mutating func encode(_ radii: CornerRadii, forKey key: Key) throws {
    if radii.isZero { return }
    try encode([radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft], forKey: key)
  }
}

extension [PathElement] {
  fileprivate var pathData: String {
    func place(_ point: Point) -> SIMD2<Double> { SIMD2(point.x.pixels, point.y.pixels) }
    var data = PathData()
    for element in self {
      switch element {
      case .move(let point): data.add("M", place(point))
      case .line(let point): data.add("L", place(point))
      case .curve(let first, let second, let end): data.add("C", place(first), place(second), place(end))
      case .close: data.add("Z")
      }
    }
    return data.text
  }
}

private struct CodedGradient: Encodable {
  let gradient: Gradient

  private enum CodingKeys: CodingKey { case kind, from, to, center, radius, angle, stops, isRepeating }

  private struct Stop: Encodable {
    let offset: Float
    let color: Color
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func encodeStops(_ stops: [GradientStop], _ isRepeating: Bool) throws {
      try values.encode(stops.map { Stop(offset: $0.offset, color: $0.color) }, forKey: .stops)
      if isRepeating { try values.encode(true, forKey: .isRepeating) }
    }
    switch gradient {
    case .linear(let from, let to, let stops, let isRepeating):
      try values.encode("linear", forKey: .kind)
      try values.encode(from, forKey: .from)
      try values.encode(to, forKey: .to)
      try encodeStops(stops, isRepeating)
    case .radial(let center, let radius, let stops, let isRepeating):
      try values.encode("radial", forKey: .kind)
      try values.encode(center, forKey: .center)
      try values.encode(radius, forKey: .radius)
      try encodeStops(stops, isRepeating)
    case .conic(let center, let angle, let stops, let isRepeating):
      try values.encode("conic", forKey: .kind)
      try values.encode(center, forKey: .center)
      try values.encode(angle, forKey: .angle)
      try encodeStops(stops, isRepeating)
    }
  }
}

// MARK: Filters

private enum FilterKeys: CodingKey {
  case kind, matrix, x, y, deviation, color, region, primitives, inputs, isLinear, functions, op, k, blend, dilates
  case image, rect, scale, xChannel, yChannel, columns, rows, divisor, bias, targetX, targetY, edge, preservesAlpha
  case values, slope, intercept, amplitude, exponent, offset
}

private typealias FilterContainer = KeyedEncodingContainer<FilterKeys>

private struct CodedFilter: Encodable {
  let filter: PixelFilter
  init(_ filter: PixelFilter) { self.filter = filter }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: FilterKeys.self)
    switch filter {
    case .colorMatrix(let matrix), .linearColorMatrix(let matrix):
      try values.encode("colorMatrix", forKey: .kind)
      try values.encode(matrix, forKey: .matrix)
      if case .linearColorMatrix = filter { try values.encode(true, forKey: .isLinear) }
    case .blur(let deviation):
      try values.encode("blur", forKey: .kind)
      try values.encode([deviation.pixels, deviation.pixels], forKey: .deviation)
    case .dropShadow(let x, let y, let blur, let color):
      try values.encode("dropShadow", forKey: .kind)
      try values.encode(x.pixels, forKey: .x)
      try values.encode(y.pixels, forKey: .y)
      try values.encode([blur.pixels, blur.pixels], forKey: .deviation)
      try values.encode(color, forKey: .color)
    case .graph(let graph):
      try values.encode("graph", forKey: .kind)
      try values.encode(graph.region, forKey: .region)
      try values.encode(graph.primitives.map(CodedPrimitive.init), forKey: .primitives)
    }
  }
}

/// A filter primitive of Filter Effects 1, section 9, with the names of its attributes.
private struct CodedPrimitive: Encodable {
  let primitive: FilterGraph.Primitive
  init(_ primitive: FilterGraph.Primitive) { self.primitive = primitive }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: FilterKeys.self)
    var inputs = values.nestedUnkeyedContainer(forKey: .inputs)
    for input in primitive.inputs {
      switch input {
      case .source: try inputs.encode("SourceGraphic")
      case .sourceAlpha: try inputs.encode("SourceAlpha")
      case .result(let index): try inputs.encode(index)
      case .nothing: try inputs.encodeNil()
      }
    }
    try values.encode(primitive.region, forKey: .region)
    if primitive.isLinear { try values.encode(true, forKey: .isLinear) }
    try encodeKind(to: &values)
  }

  private func encodeKind(to values: inout FilterContainer) throws {
    func encode(_ kind: String, _ x: LayoutUnit, _ y: LayoutUnit) throws {
      try values.encode(kind, forKey: .kind)
      try values.encode(x.pixels, forKey: .x)
      try values.encode(y.pixels, forKey: .y)
    }
    switch primitive.kind {
    case .flood(let color):
      try values.encode("flood", forKey: .kind)
      try values.encode(color, forKey: .color)
    case .blur(let x, let y):
      try values.encode("blur", forKey: .kind)
      try values.encode([x.pixels, y.pixels], forKey: .deviation)
    case .offset(let x, let y): try encode("offset", x, y)
    case .matrix(let matrix):
      try values.encode("colorMatrix", forKey: .kind)
      try values.encode(matrix, forKey: .matrix)
    case .transfer(let functions):
      try values.encode("componentTransfer", forKey: .kind)
      try values.encode(functions.map(CodedTransfer.init), forKey: .functions)
    case .composite(let compositing):
      try values.encode("composite", forKey: .kind)
      if case .arithmetic(let k1, let k2, let k3, let k4) = compositing {
        try values.encode("arithmetic", forKey: .op)
        try values.encode([k1, k2, k3, k4], forKey: .k)
      } else {
        try values.encode("\(compositing)", forKey: .op)
      }
    case .merge: try values.encode("merge", forKey: .kind)
    case .blend(let mode):
      try values.encode("blend", forKey: .kind)
      try values.encode("\(mode)", forKey: .blend)
    case .morphology(let x, let y, let dilates):
      try encode("morphology", x, y)
      try values.encode(dilates, forKey: .dilates)
    case .image(let image, let rect):
      try values.encode("image", forKey: .kind)
      try values.encode(image.rawValue, forKey: .image)
      try values.encode(rect, forKey: .rect)
    case .tile(let rect):
      try values.encode("tile", forKey: .kind)
      try values.encode(rect, forKey: .rect)
    case .displacement(let scale, let x, let y):
      try values.encode("displacementMap", forKey: .kind)
      try values.encode(scale.pixels, forKey: .scale)
      try values.encode("\(x)", forKey: .xChannel)
      try values.encode("\(y)", forKey: .yChannel)
    case .convolution(let convolution): try encodeConvolution(convolution, to: &values)
    case .shadow(let x, let y, let blurX, let blurY, let color):
      try encode("dropShadow", x, y)
      try values.encode([blurX.pixels, blurY.pixels], forKey: .deviation)
      try values.encode(color, forKey: .color)
    }
  }

  private func encodeConvolution(_ convolution: FilterGraph.Convolution, to values: inout FilterContainer) throws {
    try values.encode("convolveMatrix", forKey: .kind)
    try values.encode(convolution.columns, forKey: .columns)
    try values.encode(convolution.rows, forKey: .rows)
    try values.encode(convolution.matrix, forKey: .matrix)
    try values.encode(convolution.divisor, forKey: .divisor)
    try values.encode(convolution.bias, forKey: .bias)
    try values.encode(convolution.targetX, forKey: .targetX)
    try values.encode(convolution.targetY, forKey: .targetY)
    try values.encode("\(convolution.edge)", forKey: .edge)
    try values.encode(convolution.preservesAlpha, forKey: .preservesAlpha)
  }
}

private struct CodedTransfer: Encodable {
  let function: FilterGraph.Transfer
  init(_ function: FilterGraph.Transfer) { self.function = function }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: FilterKeys.self)
    switch function {
    case .identity: try values.encode("identity", forKey: .kind)
    case .table(let numbers):
      try values.encode("table", forKey: .kind)
      try values.encode(numbers, forKey: .values)
    case .discrete(let numbers):
      try values.encode("discrete", forKey: .kind)
      try values.encode(numbers, forKey: .values)
    case .linear(let slope, let intercept):
      try values.encode("linear", forKey: .kind)
      try values.encode(slope, forKey: .slope)
      try values.encode(intercept, forKey: .intercept)
    case .gamma(let amplitude, let exponent, let offset):
      try values.encode("gamma", forKey: .kind)
      try values.encode(amplitude, forKey: .amplitude)
      try values.encode(exponent, forKey: .exponent)
      try values.encode(offset, forKey: .offset)
    }
  }
}
