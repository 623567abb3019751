import BoxGeneration
import Fonts
import Primitives
import Shaping
import Text

/// Brackets of formulas that grow with what stands between them (MathML Core, section 3.2.4.3).
extension LineBuilder {
  /// Makes a fence as high as the tables and other blocks of its row: its own box's, or of an operator those around it.
  func stretch(_ content: inout TextFragment, of item: LineItem) {
    guard context.writingMode.isHorizontal, content.glyphs.count == 1, isFence(content),
      let face = context.fonts.face(content.font),
      let ink = face.extents(context.page.glyphs[Int(content.glyphs.lowerBound)].id)
    else { return }
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

  private func isFence(_ content: TextFragment) -> Bool {
    let index = context.tree.texts.texts[content.text.index].units.lowerBound + Int(content.range.lowerBound)
    guard index < context.tree.texts.units.count else { return false }
    switch context.tree.texts.units[index] {
    case 0x28, 0x29, 0x5B, 0x5D, 0x7B...0x7D, 0x2016, 0x2223, 0x2225, 0x2308...0x230B, 0x27E6...0x27EF: return true
    default: return false
    }
  }
}
