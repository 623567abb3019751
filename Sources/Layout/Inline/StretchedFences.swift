import BoxGeneration
import Fonts
import Primitives
import Shaping
import Text

/// Brackets and root signs of formulas that grow with what stands between them (MathML Core, section 3.2.4.3).
extension LineBuilder {
  /// Makes a fence as high as the tables and other blocks of its row: its own box's, or of an operator those around it.
  func stretch(_ content: inout TextFragment, of item: LineItem) {
    guard context.writingMode.isHorizontal, content.glyphs.count == 1, let sign = sign(of: content),
      let face = context.fonts.face(content.font),
      let ink = face.extents(context.page.glyphs[Int(content.glyphs.lowerBound)].id)
    else { return }
    if item.parent == 0 { return widen(&content, sign, face, ink) }
    guard !atomics.isEmpty, Self.isFence(sign) else { return }
    let entry = line.boxes[item.parent]
    let row = entry.leaves == 1 ? entry.parent : item.parent
    var above = LayoutUnit.zero
    var below = LayoutUnit.zero
    for other in line.items where other.kind == .object && isInside(other.parent, row) {
      let object = atomics[other.index]
      guard object.subtree == entry.subtree else { continue }
      above = Swift.max(above, object.above - object.baseline + entry.baseline)
      below = Swift.max(below, object.below + object.baseline - entry.baseline)
    }
    let top = face.metrics.scaled(ink.y, size: content.size)
    let height = abs(face.metrics.scaled(ink.height, size: content.size))
    guard height > 0, (above + below).float > height * Self.leastStretch else { return }
    content.stretch = Swift.min(Self.mostStretch, (above + below).float / height)
    content.stretchShift = LayoutUnit(top * content.stretch) - above
  }

  private static let leastStretch: Float = 1.1
  private static let mostStretch: Float = 200

  private func isInside(_ box: Int, _ row: Int) -> Bool {
    var box = box
    while box > row { box = line.boxes[box].parent }
    return box == row
  }

  private func sign(of content: TextFragment) -> UInt16? {
    let index = context.tree.texts.texts[content.text.index].units.lowerBound + Int(content.range.lowerBound)
    return index < context.tree.texts.units.count ? context.tree.texts.units[index] : nil
  }

  private static func isFence(_ sign: UInt16) -> Bool {
    switch sign {
    case 0x221A, 0x28, 0x29, 0x5B, 0x5D, 0x7B...0x7D, 0x2016, 0x2223, 0x2225, 0x2308...0x230B, 0x27E6...0x27EF: true
    default: false
    }
  }

  /// Makes an arrow or brace that is a line of its own, under or over something, as long as the line; a brace stands in the
  /// middle of its height.
  private func widen(
    _ content: inout TextFragment, _ sign: UInt16, _ face: FontFace,
    _ ink: (x: Int32, y: Int32, width: Int32, height: Int32)
  ) {
    let isBrace = (0x23DC...0x23E1).contains(sign) || (0x23B4...0x23B5).contains(sign)
    guard isBrace || (0x2190...0x2194).contains(sign) || (0x21BC...0x21D4).contains(sign) else { return }
    if isBrace {
      let metrics = line.boxes[0].metrics
      let centre = LayoutUnit(face.metrics.scaled(ink.y + ink.height / 2, size: content.size))
      content.stretchShift = centre - (metrics.ascent - metrics.descent) / 2
    }
    let index = Int(content.glyphs.lowerBound)
    let width = face.metrics.scaled(face.advance(context.page.glyphs[index].id), size: content.size)
    let wanted = containing.inline.float
    guard width > 0, wanted > width * Self.leastStretch, wanted < width * Self.mostStretch else { return }
    // Scaled about the left edge of the text, which stands in the middle of the line.
    content.compression = wanted / width
    context.page.glyphs[index].x -= LayoutUnit((wanted - width) / 2 / content.compression)
  }
}
