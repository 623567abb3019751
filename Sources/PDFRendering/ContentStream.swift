import Graphics
import Primitives
import RasterRendering

/// The content stream of a page (ISO 32000-1, section 7.8.2), drawn from its display list.
///
/// Its unit is 1/64 CSS px, in which layout counts, so that nearly all operands are whole numbers; y grows upwards from the
/// page's lower edge.
struct ContentStream {
  let page: TaggedPage
  /// Any text of the page runs from right to left.
  let hasRightToLeft: Bool
  let encoder: PageEncoder
  let texts: GlyphTexts
  var list: DisplayList { page.list }

  var bytes = PDFBytes()
  var resources = PageResources()
  /// The contents of transparency groups.
  var groups: [PDFBytes] = []
  private(set) var marks: [(element: StructureElementID, place: SourceOrder)] = []

  var text = TextWriter()
  var met = RecentCodes()
  /// The last baseline that was put on the grid, and its place there.
  var lastBaseline: (place: LayoutUnit, snapped: LayoutUnit)?
  /// Text is drawn without ink.
  var isTextHidden = false
  /// The graphics state; saved with it.
  var state = State()
  private var saved: [Saved] = []
  private var mark = Mark.none
  /// The lengths of the stream before and behind the operator that began an element's content last.
  private var opening = (before: 0, after: 0)
  /// The content around open groups, the outermost first.
  private var outer: [(bytes: PDFBytes, state: State)] = []

  struct State: Equatable {
    var fill: Color?
    var stroke: Color?
    /// The number of open transformations.
    var transforms = 0
  }

  private enum Saved {
    case nothing
    case state(State)
    case group(LayerStyle, element: StructureElementID)
  }

  private enum Mark: Equatable {
    case none, artifact
    case element(StructureElementID)
    /// Of an element, with properties that hold for it alone.
    case own(StructureElementID)
  }

  init(page: TaggedPage, encoder: PageEncoder, texts: GlyphTexts) {
    self.page = page
    hasRightToLeft = page.runs.contains(where: \.isRightToLeft)
    self.encoder = encoder
    self.texts = texts
  }

  /// The drawing is scaled or turned.
  var isTransformed: Bool { state.transforms > 0 }

  /// A y of the display list in the stream's coordinates.
  func y(_ y: LayoutUnit) -> Int { Int(list.size.height.rawValue) - Int(y.rawValue) }

  mutating func drawPage() {
    // 0.75 pt a px.
    bytes.raw(".01171875 0 0 .01171875 0 0 cm\n")
    if list.background != .white, !list.background.isTransparent {
      begin(.artifact)
      fill(Rect(width: list.size.width, height: list.size.height), list.background)
    }
    draw(list.items.indices)
    while !saved.isEmpty { restore() }
    begin(.none)
  }

  // MARK: Marked content

  /// Ends the marked content that is open, and begins another (section 14.6).
  private mutating func begin(_ new: Mark, place: SourceOrder? = nil) {
    // All that stands in a group belongs to the mark around it.
    guard mark != new, outer.isEmpty else { return }
    if mark != .none {
      text.end(into: &bytes)
      bytes.raw("EMC\n")
    } else if new != .none {
      text.end(into: &bytes)
    }
    mark = new
    switch new {
    case .none, .own: break
    case .artifact: bytes.raw("/Artifact BMC\n")
    case .element(let element):
      opening.before = bytes.bytes.count
      defer { opening.after = bytes.bytes.count }
      bytes.raw("/P<</MCID")
      bytes.integer(marks.count)
      bytes.raw(">>BDC\n")
      marks.append((element, place ?? SourceOrder(node: 0, offset: 0)))
    }
  }

  /// Makes the next operators part of no element.
  mutating func beginArtifact() {
    text.end(into: &bytes)
    begin(.artifact)
  }

  mutating func beginContent(of element: StructureElementID, at place: SourceOrder) {
    if element.isNone { return begin(.artifact) }
    begin(.element(element), place: place)
  }

  /// Begins content of the element whose content is open, with properties of its own. It is not put inside that which is open:
  /// poppler takes the end of one for the end of both.
  ///
  /// - Returns: `false` where no element's content is open by itself.
  mutating func beginOwnContent(_ properties: PDFBytes) -> Bool {
    guard outer.isEmpty, case .element(let element) = mark, let place = marks.last?.place else { return false }
    if bytes.bytes.count == opening.after, text.isEmpty {
      // Nothing is in it yet.
      bytes.truncate(to: opening.before)
      marks.removeLast()
      mark = .none
    } else {
      begin(.none)
    }
    bytes.raw("/Span<</MCID")
    bytes.integer(marks.count)
    bytes.raw(properties)
    bytes.raw(">>BDC\n")
    marks.append((element, place))
    mark = .own(element)
    return true
  }

  /// - Returns: `false` where `beginOwnContent` has begun none.
  mutating func endOwnContent() -> Bool {
    guard case .own = mark else { return false }
    begin(.none)
    return true
  }

  // MARK: Items

  private mutating func draw(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      index = draw(at: index)
    }
  }

  /// Draws an item.
  ///
  /// - Returns: The position of the next one to be drawn.
  private mutating func draw(at index: Int) -> Int {
    switch list.items[index] {
    case .glyphs:
      var end = index + 1
      while end < list.items.count, case .glyphs = list.items[end] { end += 1 }
      drawGlyphs(ofItems: index..<end)
      return end
    case .fillRect(let rect, let color):
      guard !color.isTransparent else { break }
      beginArtifact()
      fill(rect, color)
    case .fillRoundedRect(let rect, let radii, let color):
      fillShape(color) { $0.addRoundedRect(rect, radii) }
    case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
      fillShape(color, isEvenOdd: true) {
        $0.addRoundedRect(outer, outerRadii)
        if !inner.isEmpty { $0.addRoundedRect(inner, innerRadii) }
      }
    case .fillPath(let elements, let color): fillShape(color) { $0.addPath(elements) }
    case .strokeLine(let from, let to, let width, let style, let color):
      guard !color.isTransparent, width > .zero else { break }
      beginArtifact()
      withAlpha(color) { $0.strokeLine(from, to, width, style, color) }
    case .strokePath(let elements, let width, let style, let color):
      guard !color.isTransparent, width > .zero else { break }
      beginArtifact()
      withAlpha(color) { $0.strokePath(elements, width, style, color) }
    case .fillGradient(let rect, let radii, let gradient):
      beginArtifact()
      if !fillGradient(rect, radii, gradient) { drawPixels(of: index..<index + 1, in: rect) }
    case .image(let image, let rect):
      guard !rect.isEmpty else { break }
      text.end(into: &bytes)
      let picture = page.pictures.first { $0.image == image && $0.rect == rect }
      if let picture {
        beginContent(of: picture.element, at: picture.place)
      } else {
        begin(.artifact)
      }
      drawImage(image, rect)
      for text in picture?.texts ?? [] { drawUnseen(text) }
    case .imagePart(let image, let part, let whole, let rect):
      beginArtifact()
      drawPart(image, part, of: whole, rect)
    case .tiledImage(let image, let tile, let spacing, let clip):
      beginArtifact()
      if !drawTiles(image, tile: tile, spacing: spacing, clip: clip) { drawPixels(of: index..<index + 1, in: clip) }
    case .shadow(let rect, let radii, let blur, let color, let inset, let clipOut):
      guard !color.isTransparent else { break }
      beginArtifact()
      if blur.pixels <= 0.5 {
        drawShadow(rect, radii, color, inset: inset, clipOut: clipOut)
      } else {
        drawPixels(of: index..<index + 1, in: inset ? clipOut : rect.grown(by: blur * 2))
      }
    // PDF has no way to change what is drawn already.
    case .filterBackdrop: break
    case .saveClip(let rect, let radii):
      save { $0.addRoundedRect(rect, radii) }
      bytes.raw("W n\n")
    case .saveClipPath(let elements, let isEvenOdd):
      save { $0.addPath(elements) }
      bytes.raw(isEvenOdd ? "W* n\n" : "W n\n")
    case .saveTransform(let transform):
      save { $0.concatenate(transform) }
      state.transforms += 1
    case .saveProjection(let projection, let source):
      // PDF maps parallels to parallels.
      let centre = Point(x: source.x + source.width / 2, y: source.y + source.height / 2)
      save { $0.concatenate(projection.affine(around: centre)) }
      state.transforms += 1
    case .saveLayer(let style):
      let end = self.end(ofGroupAt: index)
      if needsPixels(index..<end) {
        beginArtifact()
        let page = Rect(width: list.size.width, height: list.size.height)
        drawPixels(of: index..<end, in: style.bounds.map { $0.grown(by: Self.reach(of: style)) } ?? page)
        drawHiddenText(of: index..<end)
        return end
      }
      saveGroup(style, index..<end)
    case .restore: restore()
    }
    return index + 1
  }

  /// The position behind the item that ends a group.
  private func end(ofGroupAt start: Int) -> Int {
    var depth = 0
    for index in start..<list.items.count {
      switch list.items[index] {
      case .saveClip, .saveClipPath, .saveLayer, .saveTransform, .saveProjection: depth += 1
      case .restore:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return list.items.count
  }

  /// The group has effects that PDF does not know.
  private func needsPixels(_ range: Range<Int>) -> Bool {
    for index in range {
      guard case .saveLayer(let style) = list.items[index] else { continue }
      if [.plusLighter, .maskIn, .maskOut, .maskXor].contains(style.blend) { return true }
      if index == range.lowerBound, !style.filters.isEmpty { return true }
    }
    return false
  }

  private static func reach(of style: LayerStyle) -> LayoutUnit {
    style.filters.reduce(LayoutUnit(2)) { $0 + $1.reach }
  }

  // MARK: Saved states

  private mutating func save(_ change: (inout ContentStream) -> Void) {
    text.end(into: &bytes)
    saved.append(.state(state))
    bytes.raw("q ")
    change(&self)
  }

  private mutating func restore() {
    switch saved.popLast() {
    case nil, .nothing?: return
    case .state(let old)?:
      text.end(into: &bytes)
      bytes.raw("Q\n")
      text.forgetStyle()
      state = old
    case .group(let style, let element)?: restoreGroup(style, element)
    }
  }

  /// Runs a change of the graphics state that is undone afterwards.
  mutating func withSavedState(_ body: (inout ContentStream) -> Void) {
    let old = state
    bytes.raw("q ")
    body(&self)
    bytes.raw("Q\n")
    text.forgetStyle()
    state = old
  }

  /// Begins a transparency group (section 11.4.5): a form of its own that is put down when it ends. A group that changes
  /// nothing is none.
  private mutating func saveGroup(_ style: LayerStyle, _ range: Range<Int>) {
    guard style.opacity < 1 || style.blend != .normal, outer.count < 12 else { return saved.append(.nothing) }
    text.end(into: &bytes)
    let run = firstRun(in: range)
    if outer.isEmpty {
      if let run { beginContent(of: run.element, at: run.place) } else { begin(.artifact) }
    }
    saved.append(.group(style, element: run?.element ?? .none))
    outer.append((bytes, state))
    bytes = PDFBytes()
    state = State(transforms: state.transforms)
    text.forgetStyle()
  }

  private mutating func restoreGroup(_ style: LayerStyle, _ element: StructureElementID) {
    text.end(into: &bytes)
    let content = bytes
    guard let before = outer.popLast() else { return }
    (bytes, state) = before
    text.forgetStyle()
    groups.append(content)
    let number = groups.count - 1
    let opacity = style.opacity.isNaN ? 1 : Double(Swift.max(0, Swift.min(1, style.opacity)))
    var parameters = PDFBytes("<<")
    if opacity < 1 {
      parameters.raw("/ca")
      parameters.real(opacity)
    }
    if let mode = style.blend.pdfName {
      parameters.raw("/BM")
      parameters.name(mode)
    }
    parameters.raw(">>")
    let name = resources.state(parameters)
    withSavedState {
      $0.bytes.raw("/G")
      $0.bytes.raw(String(name).utf8)
      $0.bytes.raw(" gs/X")
      $0.bytes.raw(String(number).utf8)
      $0.bytes.raw(" Do ")
    }
  }

  /// The first tagged text that is drawn by some items.
  private func firstRun(in range: Range<Int>) -> TaggedRun? {
    for index in range {
      guard case .glyphs(_, _, _, _, _, let glyphs) = list.items[index] else { continue }
      if let run = page.runs.first(where: { $0.glyphs.overlaps(glyphs) && !$0.element.isNone }) { return run }
    }
    return nil
  }

  // MARK: Colours

  mutating func setFill(_ color: Color) {
    let opaque = Color(red: color.red, green: color.green, blue: color.blue)
    guard state.fill != opaque else { return }
    state.fill = opaque
    setColor(opaque, gray: "g\n", color: "rg\n")
  }

  mutating func setStroke(_ color: Color) {
    let opaque = Color(red: color.red, green: color.green, blue: color.blue)
    guard state.stroke != opaque else { return }
    state.stroke = opaque
    setColor(opaque, gray: "G\n", color: "RG\n")
  }

  private mutating func setColor(_ color: Color, gray: StaticString, color operator: StaticString) {
    if color.red == color.green, color.green == color.blue {
      bytes.real(Double(color.red) / 255)
      bytes.raw(" ")
      bytes.raw(gray)
    } else {
      bytes.components((color.red, color.green, color.blue))
      bytes.raw(" ")
      bytes.raw(`operator`)
    }
  }

  /// Runs `body` with the opacity of a colour for filling and stroking.
  mutating func withAlpha(_ color: Color, _ body: (inout ContentStream) -> Void) {
    guard color.alpha < 255 else { return body(&self) }
    var parameters = PDFBytes("<</ca")
    parameters.real(Double(color.alpha) / 255)
    parameters.raw("/CA")
    parameters.real(Double(color.alpha) / 255)
    parameters.raw(">>")
    let name = resources.state(parameters)
    withSavedState {
      $0.bytes.raw("/G")
      $0.bytes.raw(String(name).utf8)
      $0.bytes.raw(" gs\n")
      body(&$0)
    }
  }
}

extension BlendMode {
  /// The name of the blend mode (section 11.3.5); nil for the normal one, and for those that PDF does not have.
  fileprivate var pdfName: String? {
    switch self {
    case .normal, .plusLighter, .maskIn, .maskOut, .maskXor: nil
    case .multiply: "Multiply"
    case .screen: "Screen"
    case .overlay: "Overlay"
    case .darken: "Darken"
    case .lighten: "Lighten"
    case .colorDodge: "ColorDodge"
    case .colorBurn: "ColorBurn"
    case .hardLight: "HardLight"
    case .softLight: "SoftLight"
    case .difference: "Difference"
    case .exclusion: "Exclusion"
    case .hue: "Hue"
    case .saturation: "Saturation"
    case .color: "Color"
    case .luminosity: "Luminosity"
    }
  }
}
