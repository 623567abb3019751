import BoxGeneration
import CSS
import Primitives
import Styling

/// The edges that `text-box-trim` leaves of the first and the last line of a text (CSS Inline 3, section 6).
struct TextBoxEdges {
  var trimsStart = false
  var trimsEnd = false
  /// The reach left to the first line above its baseline.
  var over: LayoutUnit
  /// The reach left to the last line below its baseline.
  var under: LayoutUnit

  /// The amount taken off the line's over or under side; negative where room is added.
  func trimmed(overOf measures: LineBuilder.Measures) -> LayoutUnit { measures.baseline - over }
  func trimmed(underOf measures: LineBuilder.Measures) -> LayoutUnit { measures.height - measures.baseline - under }
}

extension LayoutContext {
  /// The trimming of a text, which the box itself asks for or one around it whose first or last formatted line is the text's.
  func textBoxEdges(of box: BoxID) -> TextBoxEdges? {
    guard inputs.trimsTextBoxes else { return nil }
    let style = tree.boxes[box.index].style
    let metrics = lineMetrics(style.font)
    let edge = styles.paragraphs[style.paragraph.index].textBoxEdge
    let over: LayoutUnit =
      switch edge.over {
      case .text: metrics.ascent
      case .cap: LayoutUnit(lengthBasis(style.font).capHeight)
      case .ex: LayoutUnit(lengthBasis(style.font).xHeight)
      }
    var edges = TextBoxEdges(over: over, under: edge.isAlphabetic ? .zero : metrics.descent)
    var inner = box
    var (isFirst, isLast) = (true, true)
    for _ in 0..<Self.mostBoxesBegun {
      let value = tree.boxes[inner.index]
      let trim = styles.boxes[value.style.box.index].rare?.values.textBoxTrim ?? .none
      edges.trimsStart = edges.trimsStart || isFirst && trim.trimsStart
      edges.trimsEnd = edges.trimsEnd || isLast && trim.trimsEnd
      guard !value.parent.isNone, value.kind == .block, tree.boxes[value.parent.index].kind.holdsBlocks,
        value.flags.isDisjoint(with: [.float, .outOfFlow, .atomicInline, .formattingContext])
      else { break }
      let own = borderAndPadding(of: inner, availableInline: .zero)
      isFirst =
        isFirst && own.border.blockStart + own.padding.blockStart == .zero && isOutermostChild(inner, first: true)
      isLast = isLast && own.border.blockEnd + own.padding.blockEnd == .zero && isOutermostChild(inner, first: false)
      guard isFirst || isLast else { break }
      inner = value.parent
    }
    return edges.trimsStart || edges.trimsEnd ? edges : nil
  }

  /// Nothing in the flow stands in the parent before, or after, a box. Anonymous boxes without a line do not count.
  private func isOutermostChild(_ box: BoxID, first: Bool) -> Bool {
    var outermost = BoxID.none
    var child = tree.boxes[tree.boxes[box.index].parent.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      let isEmpty = value.flags.contains(.anonymous) && value.content == .text && !hasLines(value.text)
      if !value.flags.isOutOfNormalFlow, !isEmpty {
        outermost = child
        if first { break }
      }
      child = value.nextSibling
    }
    return outermost == box
  }
}

extension BoxKind {
  /// The children are boxes of a block formatting context.
  fileprivate var holdsBlocks: Bool {
    switch self {
    case .block, .columns, .tableCell, .tableCaption: true
    default: false
    }
  }
}
