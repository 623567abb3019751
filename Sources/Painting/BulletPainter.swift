import BoxGeneration
import Fonts
import Graphics
import Layout
import Primitives
import Styling
import Text

extension PagePainting {
  /// Draws the bullet of a list marker in place of its character, as large and as far from the text as browsers do: by the
  /// ascent of the marker's face alone.
  ///
  /// - Returns: false when the text is no bullet.
  mutating func paintBullet(
    _ fragment: Fragment, _ text: TextFragment, at offset: LogicalOffset, line: FragmentID, lineOffset: LogicalOffset,
    color: Color
  ) -> Bool {
    guard !fragment.box.isNone else { return false }
    let box = tree[fragment.box]
    guard box.symbol.isBullet else { return false }
    let units = tree.texts[text.text].units
    let first = units.lowerBound + Int(text.range.lowerBound)
    guard first < units.upperBound, Self.bullets.contains(tree.texts.units[first]) else { return true }

    // Between the ascent's upper two thirds; the middle of a vertical line is a bullet's too.
    let isCentral = map.writingMode.isCentral
    let metrics = isCentral ? context.fonts.face(text.font)?.metrics : nil
    let ascent = metrics.map { Int($0.scaled($0.ascent, size: text.size).rounded()) } ?? text.baseline.roundedPixels
    let reach = ascent * 2 / 3
    let side = LayoutUnit((reach + 1) / 2)
    let isLTR = context.styles.paragraphs[box.style.paragraph.index].direction == .ltr
    let left: LayoutUnit
    if box.kind == .marker {
      // Outside: from the edge of the list item that the marker's box ends at.
      let distance = LayoutUnit(reach + 8)
      left = isLTR ? lineOffset.inline + page[line].size.inline - distance : lineOffset.inline + distance - side
    } else {
      left = isLTR ? offset.inline : offset.inline + fragment.size.inline - side
    }
    let baseline = offset.block + text.baseline
    let top = isCentral ? baseline - side / 2 : baseline - LayoutUnit(ascent) + LayoutUnit(3 * (ascent - reach) / 2)
    let rect = map.rect(
      LogicalOffset(inline: left.rounded, block: top.rounded), LogicalSize(inline: side, block: side))
    switch box.symbol {
    case .square: list.items.append(.fillRect(rect, color))
    case .circle:
      let stroke = LayoutUnit(1)
      let inner = rect.insetBy(top: stroke, right: stroke, bottom: stroke, left: stroke)
      list.items.append(
        .fillRing(outer: rect, outerRadii: Self.round(rect), inner: inner, innerRadii: Self.round(inner), color))
    default: list.items.append(.fillRoundedRect(rect, Self.round(rect), color))
    }
    return true
  }

  private static let bullets: [UInt16] = [0x2022, 0x25E6, 0x25AA]

  /// The radii that make a rectangle an ellipse.
  private static func round(_ rect: Rect) -> CornerRadii {
    let radius = Size(width: rect.width / 2, height: rect.height / 2)
    var radii = CornerRadii()
    radii.topLeft = radius
    radii.topRight = radius
    radii.bottomRight = radius
    radii.bottomLeft = radius
    return radii
  }
}
