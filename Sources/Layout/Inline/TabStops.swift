import BoxGeneration
import CSS
import Primitives
import Styling

/// The stops of preserved tabs, measured from the start edge of their block container (CSS Text 3, section 4.2).
struct TabStops {
  /// No room at all for tabs where it is zero.
  var interval: Advance
  /// A stop that is not so far away is skipped: half a `ch` of the block container.
  var nearest: Advance

  /// The width of a tab at a place, which may lie before the start edge.
  func advance(from place: Advance) -> Advance {
    guard interval > 0 else { return 0 }
    let past = place % interval
    let width = past < 0 ? -past : interval - past
    return width < nearest ? width + interval : width
  }
}

extension LayoutContext {
  /// The stops of the tabs in an inline box, or directly in its block container: `tab-size` is that of the text, and a
  /// number counts the spaces of the block container.
  func tabStops(_ container: BoxID, textOf box: BoxID) -> TabStops {
    let style = tree.boxes[container.index].style
    let text = tree.boxes[box.index].style
    if let known = measurements.fonts.tabStops, known.container == style, known.text == text { return known.stops }
    let basis = lengthBasis(style.font)
    let stops = TabStops(
      interval: tabInterval(style, basis, text: text), nearest: LayoutUnit(basis.zeroAdvance / 2).advance)
    measurements.fonts.tabStops = (style, text, stops)
    return stops
  }

  private func tabInterval(_ style: ComputedStyle, _ basis: LengthBasis, text: ComputedStyle) -> Advance {
    let paragraph = styles.paragraphs[text.paragraph.index]
    guard paragraph.tabSizeIsNumber else {
      return Swift.max(.zero, resolve(paragraph.tabSize, font: text.font)).advance
    }
    let spaced = styles.texts[style.text.index]
    func spacing(_ value: SpacingValue) -> Float {
      guard case .length(let length) = value else { return 0 }
      return resolve(length, font: style.font, percentage: .zero).float
    }
    let space = basis.spaceAdvance + spacing(spaced.letterSpacing) + spacing(spaced.wordSpacing)
    return LayoutUnit(Swift.max(0, space * paragraph.tabSize.value)).advance
  }
}
