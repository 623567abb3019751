import BoxGeneration
import CSS
import Primitives
import Styling

extension AlignmentValue {
  /// The first offset and the extra step of a content distribution (CSS Box Alignment 3, section 5).
  func distribution(free: LayoutUnit, count: Int) -> (LayoutUnit, LayoutUnit) {
    switch inRoom(free) {
    case .end, .flexEnd, .right: return (free, .zero)
    case .center: return (free / 2, .zero)
    case .spaceBetween: return count > 1 && free > .zero ? (.zero, free / (count - 1)) : (.zero, .zero)
    case .spaceAround: return free > .zero && count > 0 ? (free / (count * 2), free / count) : (.zero, .zero)
    case .spaceEvenly: return free > .zero ? (free / (count + 1), free / (count + 1)) : (.zero, .zero)
    default: return (.zero, .zero)
    }
  }

  /// The alignment that is used where so much room is left: what would overflow at the start is safe there, if asked for
  /// (section 4.4), and what has no room to be distributed in (section 4.3).
  func inRoom(_ free: LayoutUnit) -> AlignmentValue {
    guard free < .zero else { return position }
    return isSafe || self == .spaceAround || self == .spaceEvenly ? .start : position
  }

  /// `start` and `end` as they are seen from the start of an axis that may run the other way.
  func alongAxis(isReversed: Bool) -> AlignmentValue {
    switch self {
    case .start: isReversed ? .flexEnd : .flexStart
    case .end: isReversed ? .flexStart : .flexEnd
    default: self
    }
  }
}

extension LayoutContext {
  /// The start of the box's own axes lies at the end of the container's: along its lines, or across them.
  func startsAtEnd(_ box: BoxID, alongLines: Bool) -> Bool {
    let style = styles.paragraphs[tree.boxes[box.index].style.paragraph.index]
    return alongLines
      ? writingMode.lineLeftEdge(ofStartOf: style.writingMode, style.direction) == .end
      : writingMode.blockStartEdge(ofStartOf: style.writingMode, style.direction) == .end
  }
}
