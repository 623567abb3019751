import CSS
import Markup
import Platform
import Primitives
import Styling
import Text

extension SVGDrawings {
  /// The texts of an `<svg>` in the document's own faces, by text node, with an entry for the `<text>` elements that
  /// they replace; and what they say, and where.
  mutating func texts(
    of root: NodeID, _ attributes: inout AttributeResolver
  ) -> (paths: [NodeID: GlyphPaths], drawn: DrawnText) {
    var drawn = DrawnText(viewport: viewport(of: root))
    var paths: [NodeID: GlyphPaths] = [:]
    let end = min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)
    var index = root.index
    while index < end {
      let node = document.nodes[index]
      guard node.kind == .element, node.namespace == .svg else {
        index += 1
        continue
      }
      switch node.name {
      case .foreignObject: index = max(index + 1, node.subtreeEnd.index)
      case .text:
        let lines = setText(NodeID(index), into: &paths, &attributes)
        if !lines.isEmpty, let map = drawingMap(of: NodeID(index), in: root) {
          for var line in lines {
            line.map = map
            drawn.lines.append(line)
          }
        }
        index = max(index + 1, node.subtreeEnd.index)
      default: index += 1
      }
    }
    return (paths, drawn)
  }

  /// - Returns: The lines of the text, in its own coordinates.
  private mutating func setText(
    _ element: NodeID, into paths: inout [NodeID: GlyphPaths], _ attributes: inout AttributeResolver
  ) -> [DrawnText.Line] {
    var text = SVGText(element: element)
    let style = tree.styles[element.index]
    guard tree.table.paragraphs[style.paragraph.index].writingMode == .horizontalTB, collect(&text, style, &attributes)
    else {
      return []
    }
    text.shaped = resources.shape(text.store, TextID(0))
    guard !text.clusters.isEmpty || text.units == 0 else { return [] }
    text.arrange()
    paths[element] = GlyphPaths()
    paths.merge(text.paths()) { _, made in made }
    return text.lines()
  }

  /// Gathers the characters of a `<text>` and where its elements place them; false when it is more than lines of
  /// glyphs.
  private mutating func collect(
    _ text: inout SVGText, _ style: ComputedStyle, _ attributes: inout AttributeResolver
  ) -> Bool {
    var builder = InlineBuilder()
    let direction = tree.table.paragraphs[style.paragraph.index].direction
    builder.begin(container: .none, direction: direction)
    text.isRightToLeft = direction == .rtl
    let end = min(document.nodes[text.element.index].subtreeEnd.index, document.nodes.count)
    var index = text.element.index
    /// The end of the last text on a path.
    var pathEnd = 0
    while index < end {
      let id = NodeID(index)
      let node = document.nodes[index]
      index += 1
      if node.kind == .element {
        switch node.name {
        case .text where id == text.element: break
        case .tspan, .a: break
        case .textPath where index > pathEnd:
          guard let run = pathRun(id) else { return false }
          text.runs.append(run)
          pathEnd = node.subtreeEnd.index
        case .title, .desc:
          index = max(index, node.subtreeEnd.index)
          continue
        default: return false
        }
        if boxTraits[tree.styles[id.index].box.index].display == .none {
          index = max(index, node.subtreeEnd.index)
          continue
        }
        text.places.append(placement(of: id, from: builder.count))
      } else if node.kind == .text {
        let parent = node.parent
        let style = tree.styles[parent.index]
        let start = builder.count
        let preserves = preservesSpace(parent, in: text.element)
        let content = document.bytes(node.range).map { byte in
          preserves && byte < 0x20 ? 0x20 : byte
        }
        builder.appendText(
          content.span,
          TextSource(
            node: id, offset: 0, isAtomic: false, collapse: preserves ? .preserve : .collapse, wraps: false,
            attributes: attributes.attributes(of: style, decorations: 0)))
        let traits = tree.table.texts[style.text.index]
        builder.transform(from: start, traits.transform, language: traits.language)
        text.pieces.append(
          SVGText.Piece(
            node: id, start: start, anchor: drawing("text-anchor", .textAnchor, parent, text.element),
            baseline: drawing("dominant-baseline", .dominantBaseline, parent, text.element),
            run: index <= pathEnd ? text.runs.count - 1 : nil))
      }
      if builder.count > SVGText.mostUnits { return false }
    }
    text.store.attributes = attributes.table
    _ = builder.finish(into: &text.store)
    text.units = text.store.units.count
    return true
  }

  /// The path that a `<textPath>` runs along (SVG 2, section 11.8); nil when it names none.
  private mutating func pathRun(_ element: NodeID) -> SVGText.PathRun? {
    var path: SVGPath
    /// Lengths on the path in units that its author counts it by.
    var unit: Float = 1
    if let data = attribute("path", of: element), !data.isEmpty {
      path = SVGPath(data)
    } else {
      let link = document.attributeValue(.href, of: element) ?? document.attributeValue(.xlinkHref, of: element) ?? ""
      guard link.hasPrefix("#"), let target = paths.path(String(link.dropFirst()), in: tree) else {
        return nil
      }
      path = target.path
      if let own = attribute("pathLength", of: target.element).flatMap({ SVGTransforms.numbers($0).first }), own > 0 {
        unit = path.length / own
      }
    }
    if attribute("side", of: element) == "right" { path = path.reversed }
    var offset: Float = 0
    if let start = attribute("startOffset", of: element) {
      let isShare = start.hasSuffix("%")
      offset = (pixels(start, of: element, whole: path.length).first ?? 0) * (isShare ? 1 : unit)
    }
    return SVGText.PathRun(path: path, offset: offset)
  }

  func attribute(_ name: String, of element: NodeID) -> String? { document.drawingAttribute(name, of: element) }

  /// The lengths of an attribute of an element, percentages as shares of `whole`.
  private func pixels(_ value: String, of element: NodeID, whole: Float = 0) -> [Float] {
    let size = tree.table.fonts[tree.styles[element.index].font.index].size.resolved(
      rootFontSize: resources.rootFontSize)
    let basis = LengthBasis(fontSize: size, rootFontSize: resources.rootFontSize)
    return Length.list(value).map { length in
      let used = length.unit == .percent ? length.value * whole / 100 : basis.pixels(length) ?? 0
      return max(-1e6, min(1e6, used))
    }
  }

  /// The value of a drawing property that is an attribute too; from the element up to the `<svg>`.
  private func drawing(_ name: String, _ attribute: Atom, _ element: NodeID, _ text: NodeID) -> String {
    var ancestor = element
    while !ancestor.isNone, document.nodes[ancestor.index].namespace == .svg {
      let declared = tree.drawingProperties[ancestor]?.first { $0.name == name }?.value
      if let value = declared ?? document.attributeValue(attribute, of: ancestor), value != "inherit" { return value }
      // A baseline is not inherited from beyond the text (SVG 2, section 11.10.2).
      ancestor = document.nodes[ancestor.index].parent
    }
    return ""
  }

  private func preservesSpace(_ element: NodeID, in text: NodeID) -> Bool {
    if tree.table.texts[tree.styles[element.index].text.index].whiteSpaceCollapse == .preserve { return true }
    var ancestor = element
    while !ancestor.isNone, document.nodes[ancestor.index].namespace == .svg {
      if let value = document.attributeValue(.xmlSpace, of: ancestor) { return value == "preserve" }
      ancestor = document.nodes[ancestor.index].parent
    }
    return false
  }

  private func placement(of element: NodeID, from start: Int) -> SVGText.Placement {
    func list(_ name: Atom) -> [Float] {
      guard let value = document.attributeValue(name, of: element) else { return [] }
      guard value.contains("%") else { return pixels(value, of: element) }
      let area = SVGTransforms(tree: tree).referenceArea(of: element, .viewBox)
      let isAcross = name == .x || name == .dx
      return pixels(value, of: element, whole: Float(isAcross ? area.width : area.height))
    }
    var placement = SVGText.Placement(start: start)
    placement.x = list(.x)
    placement.y = list(.y)
    placement.dx = list(.dx)
    placement.dy = list(.dy)
    placement.rotate = list(.rotate)
    placement.length = attribute("textLength", of: element).flatMap { pixels($0, of: element).first }
    return placement
  }
}

/// A `<text>` element set as SVG 2 says (section 11.8.2), but for vertical text.
struct SVGText {
  /// The text of one node.
  struct Piece {
    var node: NodeID
    var start: Int
    /// `text-anchor` and `dominant-baseline` of its element.
    var anchor: String
    var baseline: String
    /// Its place in `runs`, on a path.
    var run: Int?
  }
  /// A path that text runs along, and where on it it begins.
  struct PathRun {
    var path: SVGPath
    var offset: Float
  }
  /// The attributes of an element that place its characters.
  struct Placement {
    /// The first character of the element.
    var start: Int
    var x: [Float] = []
    var y: [Float] = []
    var dx: [Float] = []
    var dy: [Float] = []
    var rotate: [Float] = []
    var length: Float?
  }
  /// The place of a cluster.
  private struct Place {
    var pen = SIMD2<Float>()
    var angle: Float = 0
    var piece = 0
    /// Beyond the ends of its path.
    var isHidden = false
  }

  static let mostUnits = 100_000

  let element: NodeID
  var store = AttributedTextStore()
  var units = 0
  var isRightToLeft = false
  var pieces: [Piece] = []
  var places: [Placement] = []
  var runs: [PathRun] = []
  var shaped = ShapedDrawingText()
  var clusters: [ShapedDrawingText.Cluster] { shaped.clusters }
  private var set: [Place] = []

  init(element: NodeID) { self.element = element }

  /// Places the clusters.
  mutating func arrange() {
    var x = [Float?](repeating: nil, count: units)
    var y = x
    var dx = x
    var dy = x
    var rotate = x
    for (index, place) in places.enumerated() {
      // Inner elements come later and win.
      let end = place.start
      func assign(_ list: [Float], _ target: inout [Float?]) {
        for (offset, value) in list.enumerated() where end + offset < units { target[end + offset] = value }
      }
      assign(place.x, &x)
      assign(place.y, &y)
      assign(place.dx, &dx)
      assign(place.dy, &dy)
      // The last angle holds for what follows.
      if let last = place.rotate.last {
        let stop = index == 0 ? units : min(units, place.start + place.rotate.count)
        for unit in place.start..<max(place.start, stop) { rotate[unit] = last }
        assign(place.rotate, &rotate)
      }
    }
    set = [Place](repeating: Place(), count: clusters.count)
    var origin = SIMD2<Float>()
    var piece = 0
    var start = 0
    while start < clusters.count {
      var end = start + 1
      while end < clusters.count, x[clusters[end].unit] == nil, y[clusters[end].unit] == nil { end += 1 }
      let unit = clusters[start].unit
      while piece + 1 < pieces.count, pieces[piece + 1].start <= unit { piece += 1 }
      origin.x = x[unit] ?? origin.x
      origin.y = y[unit] ?? origin.y
      origin = arrangeChunk(start..<end, from: origin, piece, dx, dy, rotate)
      start = end
    }
    if !runs.isEmpty { arrangeRuns(dx, dy, rotate) }
  }

  /// Places the clusters that stand on paths.
  private mutating func arrangeRuns(_ dx: [Float?], _ dy: [Float?], _ rotate: [Float?]) {
    var members = [[Int]](repeating: [], count: runs.count)
    for index in clusters.indices {
      if let run = pieces[set[index].piece].run { members[run].append(index) }
    }
    for run in runs.indices { arrange(members[run], on: run, dx, dy, rotate) }
  }

  /// Places clusters on their path, each with its middle (SVG 2, section 11.8.3).
  private mutating func arrange(
    _ members: [Int], on run: Int, _ dx: [Float?], _ dy: [Float?], _ rotate: [Float?]
  ) {
    var own = members
    guard let first = own.first else { return }
    let width = own.reduce(Float(0)) { $0 + clusters[$1].advance + (dx[clusters[$1].unit] ?? 0) }
    var pen = runs[run].offset
    switch pieces[set[first].piece].anchor {
    case "middle": pen -= width / 2
    case "end": pen -= width
    default: break
    }
    Bidi.reorder(&own) { clusters[$0].level }
    /// Away from the path.
    var shift: Float = 0
    for index in own {
      let cluster = clusters[index]
      pen += dx[cluster.unit] ?? 0
      shift += dy[cluster.unit] ?? 0
      let half = cluster.advance / 2
      if let place = runs[run].path.place(at: pen + half) {
        let way = SIMD2(cosf(place.angle), sinf(place.angle))
        let lowering = Self.lowering(pieces[set[index].piece].baseline, cluster.face) + shift
        set[index].pen = place.point - way * half + SIMD2(-way.y, way.x) * lowering
        set[index].angle = place.angle * 180 / .pi + (rotate[cluster.unit] ?? 0)
      } else {
        set[index].isHidden = true
      }
      pen += cluster.advance
    }
  }

  /// Places the clusters from one absolute place to the next; the result is where the pen is then.
  private mutating func arrangeChunk(
    _ chunk: Range<Int>, from origin: SIMD2<Float>, _ firstPiece: Int, _ dx: [Float?], _ dy: [Float?],
    _ rotate: [Float?]
  ) -> SIMD2<Float> {
    var pen = origin
    var piece = firstPiece
    var natural: Float = 0
    for index in chunk { natural += clusters[index].advance }
    var extra: Float = 0
    if places.count == 1, let length = places[0].length, chunk.count == clusters.count, chunk.count > 1 {
      extra = (length - natural) / Float(chunk.count - 1)
    }
    var order = Array(chunk)
    Bidi.reorder(&order) { clusters[$0].level }
    for index in order {
      let cluster = clusters[index]
      piece = firstPiece
      while piece + 1 < pieces.count, pieces[piece + 1].start <= cluster.unit { piece += 1 }
      pen += SIMD2(dx[cluster.unit] ?? 0, dy[cluster.unit] ?? 0)
      set[index] = Place(pen: pen, angle: rotate[cluster.unit] ?? 0, piece: piece)
      set[index].pen.y += Self.lowering(pieces[piece].baseline, cluster.face)
      pen.x += cluster.advance + extra
    }
    let width = pen.x - origin.x
    let shift: Float
    switch pieces[firstPiece].anchor {
    case "middle": shift = -width / 2
    case "end": shift = isRightToLeft ? 0 : -width
    default: shift = isRightToLeft ? -width : 0
    }
    for index in chunk { set[index].pen.x += shift }
    pen.x += shift
    return pen
  }

  private static func lowering(_ baseline: String, _ face: ShapedDrawingText.Face) -> Float {
    if baseline.isEmpty { return 0 }
    return switch baseline {
    case "middle": face.xHeight / 2
    case "central": (face.ascent - face.descent) / 2
    case "hanging": face.ascent * 0.8
    case "text-before-edge", "text-top", "before-edge": face.ascent
    case "text-after-edge", "text-bottom", "after-edge", "ideographic": -face.descent
    case "mathematical": face.ascent / 2
    default: 0
    }
  }

  /// The text in the order of reading: clusters of one face that stand at one angle, of one text node.
  func lines() -> [DrawnText.Line] {
    let order = clusters.indices.sorted { clusters[$0].unit < clusters[$1].unit }
    var lines: [DrawnText.Line] = []
    var lastPiece = -1
    for (position, index) in order.enumerated() {
      let cluster = clusters[index]
      let end = position + 1 < order.count ? clusters[order[position + 1]].unit : units
      let place = set[index]
      guard !place.isHidden, cluster.unit < end else { continue }
      if lines.last?.font != cluster.face.font || lines.last?.size != cluster.face.size
        || lines.last?.angle != place.angle
        || lastPiece != place.piece
      {
        lines.append(DrawnText.Line(font: cluster.face.font, size: cluster.face.size, angle: place.angle))
        lastPiece = place.piece
      }
      lines[lines.count - 1].clusters.append(
        .init(glyph: shaped.firstGlyph(of: cluster), units: Array(store.units[cluster.unit..<end]), pen: place.pen))
    }
    return lines
  }

  /// The glyphs of each text node that has them.
  func paths() -> [NodeID: GlyphPaths] {
    var drawn: [NodeID: GlyphPaths] = [:]
    for piece in pieces { drawn[piece.node] = GlyphPaths() }
    for (index, cluster) in clusters.enumerated() where !set[index].isHidden {
      let place = set[index]
      drawn[pieces[place.piece].node]?.append(
        cluster, shaped.glyphs[cluster.glyphs], at: place.pen, angle: place.angle)
    }
    return drawn
  }
}
