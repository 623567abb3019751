import BoxGeneration
import Primitives
import Styling
import Text

/// What a line breaker asks of its caller, who knows floats and block layout. The breaker stands still meanwhile.
enum LineBreakerEvent {
  /// The line is finished: `items` and `end` hold it.
  case line
  /// A float was met with `contentWidth` of the line filled. Answer with `resolveFloat`.
  case float(BoxID)
  /// An atomic inline was met. Answer with `supplyObject`.
  case object(BoxID)
}

/// Horizontal edges of an inline box: margin, border and padding at its start or end.
extension LayoutContext {
  /// The width of one edge of an inline box, in the box's own direction (CSS 2.2, section 8.6).
  func inlineEdge(of box: BoxID, isStart: Bool, availableInline: LayoutUnit) -> LayoutUnit {
    let value = tree.boxes[box.index]
    guard value.style.box.index != 0 || value.style.border.index != 0 else { return .zero }
    guard !value.flags.contains(isStart ? .continuesBefore : .continuesAfter) else { return .zero }
    let margins = margins(of: box, availableInline: availableInline)
    let geometry = borderAndPadding(of: box, availableInline: availableInline)
    let isLeft = (styles.paragraphs[value.style.paragraph.index].direction == .ltr) == isStart
    return isLeft
      ? margins.lineLeft + geometry.border.lineLeft + geometry.padding.lineLeft
      : margins.lineRight + geometry.border.lineRight + geometry.padding.lineRight
  }

  /// Whether an inline box has an edge that makes a line box exist, be its width negative or cancelled out.
  func hasInlineEdge(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard value.style.box.index != 0 || value.style.border.index != 0 else { return false }
    let margins = margins(of: box, availableInline: LayoutUnit(100))
    let geometry = borderAndPadding(of: box, availableInline: LayoutUnit(100))
    let edges = geometry.border + geometry.padding
    return margins.lineLeft != .zero || margins.lineRight != .zero || edges.lineLeft != .zero
      || edges.lineRight != .zero
  }

  /// The box that the content after the run at `index` is in, when nothing more is known: the nearest run before that names a
  /// box tells.
  ///
  /// - Complexity: O(runs back to the last one with a box).
  func innermostInline(before index: Int, from start: Int, container: BoxID) -> BoxID {
    var index = index - 1
    while index >= start {
      let run = tree.texts.runs[index]
      switch run.kind {
      case .open, .openRuby: return run.box
      case .close, .closeRuby, .object, .float, .positioned:
        return run.box.isNone ? container : inlineParent(of: run.box, container: container)
      case .text, .lineBreak, .bidiControl, .marker: index -= 1
      }
    }
    return container
  }

  /// The inline box around a box, or the container.
  func inlineParent(of box: BoxID, container: BoxID) -> BoxID {
    let parent = tree.boxes[box.index].parent
    guard !parent.isNone else { return container }
    let kind = tree.boxes[parent.index].kind
    return kind == .inline || kind == .rubyBase ? parent : container
  }
}
