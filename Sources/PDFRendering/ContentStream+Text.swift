import Fonts
import Graphics
import Primitives
import RasterRendering

/// Text of a page: glyphs, and the characters they stand for.
extension ContentStream {
  /// The style that glyphs of one item have in common.
  private struct Drawing {
    var face: FontFace
    var style: TextWriter.Style
    var color: Color
    /// Glyphs may have colours of their own.
    var hasPictures: Bool
    var isHidden = false
  }

  /// Draws items of glyphs that follow each other. Lines with right-to-left text are drawn in the order of reading, of whatever
  /// faces and colours their parts are.
  mutating func drawGlyphs(ofItems items: Range<Int>) {
    var line: [(run: TaggedRun, drawing: Drawing)] = []
    for index in items {
      guard case .glyphs(let font, let size, let color, let rotation, let expansion, let range) = list.items[index]
      else { continue }
      let glyphs = range.clamped(to: list.glyphs.indices)
      guard hasRightToLeft, color.alpha == 255, let drawing = drawing(font, size, color, rotation, expansion) else {
        draw(&line)
        drawGlyphs(
          font: font, size: size, color: color, rotation: rotation, expansion: expansion, range: glyphs,
          isHidden: color.isTransparent)
        showText()
        continue
      }
      add(glyphs, drawing, to: &line)
    }
    draw(&line)
  }

  mutating func drawGlyphs(
    font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, expansion: Int16, range: Range<Int>,
    isHidden: Bool = false
  ) {
    guard !range.isEmpty, let drawing = drawing(font, size, color, rotation, expansion, isHidden: isHidden) else {
      return
    }
    let isTranslucent = color.alpha < 255 && !isHidden
    if isTranslucent {
      // The marked content begins outside the saved state.
      if let run = run(at: range.lowerBound) { beginContent(of: run.element, at: run.place) } else { beginArtifact() }
      text.end(into: &bytes)
      withAlpha(color) {
        $0.drawGlyphs(drawing, range)
        $0.text.end(into: &$0.bytes)
      }
    } else {
      drawGlyphs(drawing, range)
    }
  }

  private func drawing(
    _ font: FontID, _ size: LayoutUnit, _ color: Color, _ rotation: GlyphRotation, _ expansion: Int16,
    isHidden: Bool = false
  ) -> Drawing? {
    guard size > .zero, let face = encoder.fonts.face(font) else { return nil }
    return Drawing(
      face: face,
      style: TextWriter.Style(
        font: 0, size: Int(size.rawValue), rotation: rotation, isVertical: false, expansion: Int(expansion)),
      color: color, hasPictures: face.isColor, isHidden: isHidden)
  }

  /// The run that a glyph belongs to.
  private func run(at glyph: Int) -> TaggedRun? {
    guard let index = firstRun(endingAfter: glyph), page.runs[index].glyphs.lowerBound <= glyph else { return nil }
    return page.runs[index]
  }

  /// The index of the first run that ends behind a glyph.
  private func firstRun(endingAfter glyph: Int) -> Int? {
    var low = 0
    var high = page.runs.count
    while low < high {
      let middle = (low + high) / 2
      if page.runs[middle].glyphs.upperBound <= glyph { low = middle + 1 } else { high = middle }
    }
    return low < page.runs.count ? low : nil
  }

  private mutating func drawGlyphs(_ drawing: Drawing, _ range: Range<Int>) {
    var line: [(run: TaggedRun, drawing: Drawing)] = []
    add(range, drawing, to: &line)
    draw(&line)
  }

  /// Adds the runs of glyphs to a line, which is drawn where another one begins.
  private mutating func add(
    _ range: Range<Int>, _ drawing: Drawing, to line: inout [(run: TaggedRun, drawing: Drawing)]
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      guard let run = run(at: index) else {
        draw(&line)
        let next = firstRun(endingAfter: index).map { page.runs[$0].glyphs.lowerBound } ?? range.upperBound
        let end = Swift.min(next, range.upperBound)
        drawArtifact(drawing, index..<end)
        index = end
        continue
      }
      if let last = line.last, !last.run.isBeside(run) { draw(&line) }
      line.append((run, drawing))
      index = run.glyphs.upperBound
    }
  }

  /// Draws glyphs whose text is not known: of margin boxes, emphasis marks, shadows. They are not copied.
  private mutating func drawArtifact(_ drawing: Drawing, _ range: Range<Int>) {
    var drawing = drawing
    beginContent(of: .none, at: SourceOrder(node: 0, offset: 0))
    if drawsOutlines(drawing) { return drawOutlines(of: range, drawing) }
    select(&drawing, isVertical: false)
    beginReplacement([])
    for index in range { show(list.glyphs[index], drawing) }
    endReplacement()
  }

  /// Draws the runs of a line in the order of reading (ISO 32000-1, section 14.8.2.3.3), and empties it.
  private mutating func draw(_ line: inout [(run: TaggedRun, drawing: Drawing)]) {
    if line.contains(where: \.run.isRightToLeft) { line.sort { $0.run.place < $1.run.place } }
    for var part in line { draw(part.run, &part.drawing) }
    line.removeAll(keepingCapacity: true)
  }

  private mutating func draw(_ run: TaggedRun, _ drawing: inout Drawing) {
    if drawsOutlines(drawing) {
      beginContent(of: run.element, at: run.place)
      drawOutlines(of: run.glyphs, drawing)
      drawing.isHidden = true
      draw(run, &drawing)
      return showText()
    }
    let isVertical = run.axis == .down && drawing.style.rotation == .none
    select(&drawing, isVertical: isVertical)
    if run.element.isNone {
      beginContent(of: .none, at: run.place)
      beginReplacement([])
      for index in run.glyphs { show(list.glyphs[index], drawing) }
      return endReplacement()
    }
    // Clusters that stand for a text of their own end the content that is open.
    func add(_ cluster: TaggedCluster, to content: inout ContentStream) {
      content.beginContent(of: run.element, at: run.place)
      content.draw(cluster, of: run, drawing)
    }
    if run.isRightToLeft {
      for cluster in page.clusters[run.clusters].reversed() { add(cluster, to: &self) }
    } else {
      for cluster in page.clusters[run.clusters] { add(cluster, to: &self) }
    }
  }

  /// Begins glyphs that stand for a text other than theirs (section 14.9.4).
  private mutating func beginReplacement(_ units: ArraySlice<UInt16>) {
    var properties = PDFBytes("/ActualText")
    properties.text(units: units)
    if beginOwnContent(properties) { return }
    text.flush(into: &bytes)
    bytes.raw("/Span<<")
    bytes.raw(properties)
    bytes.raw(">>BDC\n")
  }

  private mutating func endReplacement() {
    if endOwnContent() { return }
    text.flush(into: &bytes)
    bytes.raw("EMC\n")
  }

  private mutating func select(_ drawing: inout Drawing, isVertical: Bool) {
    drawing.style.isVertical = isVertical
    drawing.style.font = resources.font(PageResources.Font(face: drawing.face.id, isVertical: isVertical))
    if state.fill == nil || state.fill != drawing.color {
      if !drawing.isHidden { flushForColor(drawing.color) }
    }
    if drawing.isHidden != isTextHidden {
      text.flush(into: &bytes)
      bytes.raw(drawing.isHidden ? "3 Tr\n" : "0 Tr\n")
      isTextHidden = drawing.isHidden
    }
  }

  private mutating func flushForColor(_ color: Color) {
    let opaque = Color(red: color.red, green: color.green, blue: color.blue)
    guard state.fill != opaque else { return }
    text.flush(into: &bytes)
    setFill(color)
  }

  // MARK: Clusters

  private mutating func draw(_ cluster: TaggedCluster, of run: TaggedRun, _ drawing: Drawing) {
    let units = page.units[cluster.units]
    if cluster.glyphs.isEmpty { return drawSpace(cluster, units, of: run, drawing) }
    if cluster.glyphs.count > 1, !cluster.isOwn {
      // The shaper puts the marks of right-to-left text before their letters.
      let glyphs = run.isRightToLeft ? Array(cluster.glyphs.reversed()) : Array(cluster.glyphs)
      if isOneToOne(glyphs, units, drawing.face) {
        for (glyph, unit) in zip(glyphs, units) {
          beginContent(of: run.element, at: run.place)
          draw(glyph..<glyph + 1, as: [unit], drawing)
        }
        return
      }
    }
    draw(cluster.glyphs, as: units, isOwn: cluster.isOwn, drawing)
  }

  /// Each glyph stands for one character: all but one are just those of their characters, as marks are; the other one
  /// may have a form of its own, as letters that are joined.
  private func isOneToOne(_ glyphs: [Int], _ units: ArraySlice<UInt16>, _ face: FontFace) -> Bool {
    guard glyphs.count == units.count else { return false }
    var forms = 0
    for (glyph, unit) in zip(glyphs, units) {
      let glyph = list.glyphs[glyph].glyph
      guard unit & 0xF800 != 0xD800, glyph != 0 else { return false }
      if face.glyph(UInt32(unit)) != glyph { forms += 1 }
    }
    return forms <= 1
  }

  private mutating func draw(
    _ glyphs: Range<Int>, as units: ArraySlice<UInt16>, isOwn: Bool = false, _ drawing: Drawing
  ) {
    let stands =
      glyphs.count == 1 && !isOwn && stands(Self.code(of: list.glyphs[glyphs.lowerBound].glyph), for: units, drawing)
    if !stands { beginReplacement(units) }
    for glyph in glyphs { show(list.glyphs[glyph], drawing) }
    if !stands { endReplacement() }
  }

  /// The code is known to stand for a text, or does so from now on.
  private mutating func stands(_ code: UInt16, for units: ArraySlice<UInt16>, _ drawing: Drawing) -> Bool {
    guard units.count == 1, let unit = units.first else { return settles(code, for: units, drawing) }
    if met.stands(code, for: unit, in: drawing.style.font) { return true }
    guard settles(code, for: units, drawing) else { return false }
    met.add(code, for: unit, in: drawing.style.font)
    return true
  }

  /// The text that a glyph is copied as: the book's, but letters that a formula shows in a mathematical alphabet are
  /// copied as letters of that, as from the PDFs of browsers.
  private static func copied(_ source: ArraySlice<UInt16>, from glyph: UInt16, _ face: FontFace) -> ArraySlice<UInt16> {
    guard source.count == 1, let unit = source.first, face.glyph(UInt32(unit)) != glyph,
      let shown = face.scalar(ofGlyph: glyph)
    else { return source }
    switch shown.value {
    case 0x1D400...0x1D7FF, 0x1EE00...0x1EEFF, 0x2102...0x213E: return Array(String(shown).utf16)[...]
    default: return source
    }
  }

  private mutating func settles(_ code: UInt16, for source: ArraySlice<UInt16>, _ drawing: Drawing) -> Bool {
    let units = Self.copied(source, from: FontSubset.glyph(of: code), drawing.face)
    // The meaning of private characters is told where they stand (ISO 19005-2, section 6.2.11.7.3).
    guard !units.isEmpty, !units.contains(where: Self.isPrivate) else { return false }
    let font = drawing.style.font
    if let known = resources.texts[font][code] { return known[...] == units }
    // Both fonts of a face share what their codes stand for.
    for (other, entry) in resources.fonts.enumerated() where other != font && entry.face == drawing.face.id {
      if let known = resources.texts[other][code], known[...] != units { return false }
    }
    if let known = texts.known(drawing.face.id, code), known[...] != units { return false }
    resources.texts[font][code] = Array(units)
    return true
  }

  /// The unit is of the Private Use Areas: of the last two planes by its high surrogate.
  private static func isPrivate(_ unit: UInt16) -> Bool { 0xE000...0xF8FF ~= unit || 0xDB80...0xDBFF ~= unit }

  /// A space, which has no glyph on the page but is one for those who read the text.
  private mutating func drawSpace(
    _ cluster: TaggedCluster, _ units: ArraySlice<UInt16>, of run: TaggedRun, _ drawing: Drawing
  ) {
    guard let first = units.first else { return }
    var glyph = drawing.face.glyph(UInt32(first))
    if glyph == 0 { glyph = drawing.face.glyph(0x20) }
    guard glyph != 0 else { return }
    var place = run.origin
    switch run.axis {
    case .right: place.x += cluster.left
    case .down: place.y += cluster.left
    case .up: place.y = place.y - cluster.left
    }
    let stands = stands(glyph, for: units, drawing)
    if !stands { beginReplacement(units) }
    show(code: glyph, glyph, at: place, drawing, isSpace: true)
    if !stands { endReplacement() }
  }

  // MARK: Glyphs

  /// The code of a glyph: its number, but for glyph 0, which files may not show (ISO 19005-2, section 6.2.11.8).
  static func code(of glyph: UInt16) -> UInt16 { glyph == 0 ? FontSubset.missingGlyphCode : glyph }

  /// The place of a baseline on the grid of half points that it stands on at 144 pixels an inch, where all pages are the same
  /// as their pictures at one and a half device pixels a CSS px. Viewers that round down find it a little below the line.
  private mutating func snapped(_ place: LayoutUnit) -> LayoutUnit {
    if let known = lastBaseline, known.place == place { return known.snapped }
    let snapped = Self.snapped(place)
    lastBaseline = (place, snapped)
    return snapped
  }

  private static func snapped(_ place: LayoutUnit) -> LayoutUnit {
    // Rounded as `RasterRendering` does it, in 1/64 device pixels first.
    let pixels = (Int((Double(place.rawValue) * 1.5).rounded()) + 32) >> 6
    return LayoutUnit(rawValue: Int32(clamping: Int((Double(pixels) * 64 / 1.5).rounded(.up)) + 2))
  }

  private mutating func show(_ glyph: PositionedGlyph, _ drawing: Drawing) {
    if drawing.hasPictures, !drawing.isHidden, drawPicture(of: glyph, drawing) { return }
    show(code: Self.code(of: glyph.glyph), glyph.glyph, at: Point(x: glyph.x, y: glyph.y), drawing)
  }

  private mutating func show(
    code: UInt16, _ glyph: UInt16, at place: Point, _ drawing: Drawing, isSpace: Bool = false
  ) {
    let face = drawing.face
    let width = FontSubset.width(of: glyph, in: face)
    var (x, y) = origin(of: place, drawing)
    var advance = width
    if drawing.style.isVertical {
      // The pen is at the middle of the upper edge: `DW2` keeps its default.
      if !isSpace {
        x += Int((width * Double(drawing.style.size) / 2000).rounded())
      } else if let line = text.lineX {
        x = line
      }
      y += Int((0.88 * Double(drawing.style.size)).rounded())
      if isSpace { y = self.y(snapped(place.y)) }
      advance = 1000
    }
    if met.isFirst(code, in: drawing.style.font, isHidden: drawing.isHidden) {
      resources.use(code, of: drawing.style.font, hasInk: !drawing.isHidden)
    }
    text.show(code, x: x, y: y, advance: advance, drawing.style, into: &bytes)
  }

  /// Draws a glyph that has colours of its own as a picture, with the glyph unseen over it for its text.
  private mutating func drawPicture(of glyph: PositionedGlyph, _ drawing: Drawing) -> Bool {
    let size = Double(drawing.style.size) / 64
    let pixels = Int(Swift.max(8, Swift.min(512, size * 3)).rounded())
    guard
      let (bitmap, origin, extent) = encoder.shapes.picture(
        of: glyph.glyph, in: drawing.face.id, pixelsPerEm: pixels, foreground: drawing.color)
    else { return false }
    text.end(into: &bytes)
    let name = resources.picture(PictureSource(bitmap))
    let em = Double(drawing.style.size)
    let width = extent.x * em
    let height = extent.y * em
    let left = Double(glyph.x.rawValue) + origin.x * em
    let bottom = Double(y(glyph.y)) - origin.y * em - height
    put(picture: name, width, 0, 0, height, left, bottom)
    var hidden = drawing
    hidden.isHidden = true
    hidden.hasPictures = false
    select(&hidden, isVertical: drawing.style.isVertical)
    show(glyph, hidden)
    showText()
    return true
  }

  /// Ends text without ink.
  private mutating func showText() {
    guard isTextHidden else { return }
    text.flush(into: &bytes)
    bytes.raw("0 Tr\n")
    isTextHidden = false
  }

  /// Glyphs are drawn as outlines, and text without ink over them.
  private func drawsOutlines(_ drawing: Drawing) -> Bool { !drawing.face.isEmbeddable && !drawing.isHidden }

  /// Draws glyphs of a face that may not be embedded.
  private mutating func drawOutlines(of range: Range<Int>, _ drawing: Drawing) {
    text.end(into: &bytes)
    setFill(drawing.color)
    let size = Double(drawing.style.size)
    let width = size * (1 + Double(drawing.style.expansion) / 1000)
    for glyph in list.glyphs[range] {
      let place = origin(of: Point(x: glyph.x, y: glyph.y), drawing)
      let (x, y) = (Double(place.x), Double(place.y))
      let name = resources.picture(.glyph(glyph.glyph, drawing.face.id))
      switch drawing.style.rotation {
      case .none: put(picture: name, width, 0, 0, size, x, y)
      case .clockwise90: put(picture: name, 0, -width, size, 0, x, y)
      case .counterclockwise90: put(picture: name, 0, width, -size, 0, x, y)
      }
    }
  }

  /// The origin of a glyph in the stream's coordinates: its baseline is on the grid where nothing is scaled or turned.
  private mutating func origin(of place: Point, _ drawing: Drawing) -> (x: Int, y: Int) {
    guard !isTransformed else { return (Int(place.x.rawValue), y(place.y)) }
    guard drawing.style.rotation == .none else { return (Int(snapped(place.x).rawValue), y(place.y)) }
    return (Int(place.x.rawValue), y(snapped(place.y)))
  }

  /// Draws text of a picture, without ink.
  mutating func drawUnseen(_ unseen: UnseenText) {
    guard
      var drawing = drawing(unseen.font, unseen.size, .black, .none, 0, isHidden: true), !unseen.run.glyphs.isEmpty
    else { return }
    drawing.hasPictures = false
    guard let transform = unseen.transform else {
      draw(unseen.run, &drawing)
      return showText()
    }
    text.end(into: &bytes)
    withSavedState {
      $0.concatenate(transform)
      $0.state.transforms += 1
      $0.draw(unseen.run, &drawing)
      $0.showText()
      $0.text.end(into: &$0.bytes)
    }
  }

  /// Text of items that were drawn as pixels, unseen, so that it can be found and copied.
  mutating func drawHiddenText(of range: Range<Int>) {
    for index in range {
      guard case .glyphs(let font, let size, let color, let rotation, let expansion, let glyphs) = list.items[index]
      else { continue }
      for run in page.runs where run.glyphs.overlaps(glyphs) {
        drawGlyphs(
          font: font, size: size, color: color, rotation: rotation, expansion: expansion,
          range: run.glyphs.clamped(to: glyphs), isHidden: true)
      }
    }
    showText()
  }
}

/// Codes that a page has met lately, by their last bits, so that few of them are looked up where all that the page knows is kept.
struct RecentCodes {
  private var shown = [UInt32](repeating: .max, count: 512)
  private var settled = [UInt64](repeating: .max, count: 512)

  /// The code was not met lately, and is from now on.
  mutating func isFirst(_ code: UInt16, in font: Int, isHidden: Bool) -> Bool {
    let place = Int(code & 511)
    let key = UInt32(truncatingIfNeeded: font) << 17 | (isHidden ? 1 << 16 : 0) | UInt32(code)
    defer { shown[place] = key }
    return shown[place] != key
  }

  /// The code is known to stand for a character of one unit.
  func stands(_ code: UInt16, for unit: UInt16, in font: Int) -> Bool {
    settled[Int(code & 511)] == Self.key(code, unit, font)
  }

  mutating func add(_ code: UInt16, for unit: UInt16, in font: Int) {
    settled[Int(code & 511)] = Self.key(code, unit, font)
  }

  private static func key(_ code: UInt16, _ unit: UInt16, _ font: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: font) << 32 | UInt64(code) << 16 | UInt64(unit)
  }
}
