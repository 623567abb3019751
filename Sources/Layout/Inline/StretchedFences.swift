import BoxGeneration
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// Brackets and root signs of formulas that grow with what stands between them, arrows and braces that grow with what they stand
/// over or under (MathML Core, section 3.2.4.3): with the larger glyphs of the face where it has them, and scaled to the rest.
extension LineBuilder {
  /// Makes a fence as high as the tables and other blocks of its row: its own box's, or of an operator those around it. One that is
  /// high enough stands in the middle of the math axis.
  func stretch(_ content: inout TextFragment, of item: LineItem) {
    guard context.writingMode.isHorizontal, content.glyphs.count == 1, let sign = sign(of: content),
      let face = context.fonts.face(content.font),
      let ink = face.extents(context.page.glyph(Int(content.glyphs.lowerBound)).id)
    else { return }
    if item.parent == 0, sign != .fence { return widen(&content, sign, face, ink) }
    guard sign == .fence else { return }
    if !isRoot(content) {
      let centre = face.metrics.scaled(ink.y + ink.height / 2, size: content.size)
      content.stretchShift =
        LayoutUnit(centre) - context.mathAxis(context.tree.boxes[line.boxes[item.parent].box.index].style.font)
    }
    guard !atomics.isEmpty else { return }
    let entry = line.boxes[item.parent]
    let row = entry.pieces.leaves == 1 && item.parent > 0 ? entry.parent : item.parent
    var above = LayoutUnit.zero
    var below = LayoutUnit.zero
    for other in line.items where other.kind == .object && isInside(other.parent, row) {
      let object = atomics[other.index]
      guard object.subtree == entry.alignment.subtree else { continue }
      above = Swift.max(above, object.above - object.baseline + entry.alignment.baseline)
      below = Swift.max(below, object.below + object.baseline - entry.alignment.baseline)
    }
    var top = face.metrics.scaled(ink.y, size: content.size)
    var height = abs(face.metrics.scaled(ink.height, size: content.size))
    let wanted = (above + below).float
    guard height > 0, wanted > height * Self.leastStretch else {
      // The bar of a root begins at the end of its sign.
      if isRoot(content) { content.stretchShift = LayoutUnit(top) - above }
      return
    }
    if let larger = larger(content, face, to: wanted, isVertical: true) {
      (top, height) = setUpright(larger, &content, face)
    }
    content.stretch = Swift.min(Self.mostStretch, wanted / height)
    content.stretchShift = LayoutUnit(top * content.stretch) - above
  }

  private static let leastStretch: Float = 1.1
  private static let mostStretch: Float = 200

  /// The reach above and below its baseline of an operator that is a fence in the middle of the math axis; nil for any other box.
  ///
  /// - Parameter item: The place of its start among the items of the line.
  func fenceReach(_ box: Box, at item: Int) -> (above: LayoutUnit, below: LayoutUnit)? {
    guard makesRoomForSigns, context.writingMode.isHorizontal, item + 1 < line.items.count,
      line.items[item].kind == .open, line.items[item + 1].kind == .text
    else { return nil }
    let content = line.items[item + 1]
    let clusters = paragraph.clusters(of: content)
    guard content.end == content.start + 1, clusters[content.end].glyph == clusters[content.start].glyph + 1,
      let unit = unit(at: Int(clusters[content.start].text)), unit != Self.root, StretchySign(unit) == .fence
    else { return nil }
    let ink = ink(of: content)
    let lower = (ink.above - ink.below) / 2 - context.mathAxis(box.style.font)
    return (ink.above - lower, ink.below + lower)
  }

  func isInside(_ box: Int, _ row: Int) -> Bool {
    var box = box
    while box > row { box = line.boxes[box].parent }
    return box == row
  }

  private func sign(of content: TextFragment) -> StretchySign? { firstUnit(of: content).flatMap(StretchySign.init) }
  private func isRoot(_ content: TextFragment) -> Bool { firstUnit(of: content) == Self.root }
  private static let root: UInt32 = 0x221A
  private func firstUnit(of content: TextFragment) -> UInt32? { unit(at: Int(content.range.lowerBound)) }
  private func unit(at place: Int) -> UInt32? {
    let index = context.tree.texts.texts[text.index].units.lowerBound + place
    return index < context.tree.texts.units.count ? UInt32(context.tree.texts.units[index]) : nil
  }

  /// The face's own form of a text's only glyph at a length in px.
  private func larger(
    _ content: TextFragment, _ face: FontFace, to length: Float, isVertical: Bool
  ) -> StretchedSign? {
    guard content.size > 0 else { return nil }
    let glyph = context.page.glyph(Int(content.glyphs.lowerBound)).id
    return face.stretched(glyph, to: length / content.size * Float(face.unitsPerEm), isVertical: isVertical)
  }

  /// Puts the parts of a fence in the place of its glyph, one above the other, no wider than it is.
  ///
  /// - Returns: Their reach above the baseline and their height, in px.
  private func setUpright(
    _ sign: StretchedSign, _ content: inout TextFragment, _ face: FontFace
  ) -> (top: Float, height: Float) {
    let own = face.advance(context.page.glyph(Int(content.glyphs.lowerBound)).id)
    let widest = sign.parts.reduce(own) { Swift.max($0, face.advance($1.glyph)) }
    if own > 0 { content.compression = Float(own) / Float(widest) }
    let size = content.size
    func pixels(_ units: Int32) -> Float { face.metrics.scaled(units, size: size) }
    if sign.parts.count == 1, let ink = face.extents(sign.parts[0].glyph), ink.height != 0 {
      replace(&content, by: sign) { _ in (0, 0) }
      return (pixels(ink.y), abs(pixels(ink.height)))
    }
    replace(&content, by: sign) { part in
      // Each stands with its ink on the end of the one before.
      let foot = face.extents(part.glyph).map { $0.y + $0.height } ?? 0
      return (0, -pixels(part.offset &- foot))
    }
    return (pixels(sign.length), pixels(sign.length))
  }

  private func replace(
    _ content: inout TextFragment, by sign: StretchedSign,
    at place: ((glyph: UInt16, offset: Int32)) -> (x: Float, y: Float)
  ) {
    let first = Int(content.glyphs.lowerBound)
    context.page.replaceLastGlyph { old in
      sign.parts.map { part in
        var glyph = old
        let shift = place(part)
        glyph.id = part.glyph
        glyph.x += LayoutUnit(shift.x)
        glyph.y += LayoutUnit(shift.y)
        return glyph
      }
    }
    content.glyphs = UInt32(first)..<UInt32(context.page.glyphCount)
  }

  /// Makes an arrow or brace that is a line of its own, under or over something, as long as the line; a brace stands in the
  /// middle of its height.
  private func widen(
    _ content: inout TextFragment, _ sign: StretchySign, _ face: FontFace,
    _ ink: (x: Int32, y: Int32, width: Int32, height: Int32)
  ) {
    if sign == .brace {
      let metrics = line.boxes[0].metrics
      let centre = LayoutUnit(face.metrics.scaled(ink.y + ink.height / 2, size: content.size))
      content.stretchShift = centre - (metrics.ascent - metrics.descent) / 2
    }
    let glyph = context.page.glyph(Int(content.glyphs.lowerBound)).id
    let advance = face.advance(glyph)
    let width = face.metrics.scaled(advance, size: content.size)
    let wanted = containing.inline.float
    guard width > 0, wanted > width * Self.leastStretch, wanted < width * Self.mostStretch else { return }
    let sign =
      larger(content, face, to: wanted, isVertical: false) ?? StretchedSign(parts: [(glyph, 0)], length: advance)
    // Scaled about the left edge of the text, which stands in the middle of the line.
    content.compression = wanted / face.metrics.scaled(sign.length, size: content.size)
    let start = -(wanted - width) / 2 / content.compression
    let size = content.size
    replace(&content, by: sign) { (start + face.metrics.scaled($0.offset, size: size), 0) }
  }
}
