import CSS
import Primitives
import Styling
import Text

extension ComputedStyle {
  /// The inline box has a margin, border or padding at its start, or at its end.
  func hasInlineEdge(atStart: Bool, _ table: StyleTable) -> Bool {
    let isLTR = table.paragraphs[paragraph.index].direction == .ltr
    let isLeft = atStart == isLTR
    let margin = table.boxes[box.index].margin
    let padding = table.boxes[box.index].padding
    let line = table.borders[border.index].style
    let isHorizontal = table.paragraphs[paragraph.index].writingMode.isHorizontal
    func side<Value>(_ sides: Sides<Value>) -> Value {
      isHorizontal ? (isLeft ? sides.left : sides.right) : (isLeft ? sides.top : sides.bottom)
    }
    if case .length(let length) = side(margin), !length.isZero { return true }
    return !side(padding).isZero || (side(line) != .none && side(line) != .hidden)
  }
}

extension TextDecoration {
  /// The lines that a box declares (CSS Text Decoration 4, section 2).
  init(_ style: ComputedStyle, _ table: StyleTable, box: BoxID) {
    let declared = table.boxes[style.box.index]
    let text = table.texts[style.text.index]
    self.init(
      line: declared.decorationLine, style: declared.decorationStyle,
      color: declared.decorationColor.resolved(text.color),
      thickness: declared.decorationThickness, underlineOffset: text.underlineOffset,
      underlinePosition: text.underlinePosition, box: box)
    // Vertical Japanese and Korean have their lines on the right (CSS Text Decoration 3, appendix A).
    if table.paragraphs[style.paragraph.index].writingMode.isCentral {
      let isRight = text.language.hasPrefix("ja") || text.language.hasPrefix("ko")
      isUnderlineOver =
        text.underlinePosition.contains(.right) || isRight && !text.underlinePosition.contains(.left)
    }
  }
}
