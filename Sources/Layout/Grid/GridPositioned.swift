import BoxGeneration
import CSS
import Primitives
import Styling

/// The lines of a grid container, for the positioned boxes that it contains (CSS Grid 1, section 9).
struct GridLines {
  fileprivate let columnAxis: GridAxis
  fileprivate let rowAxis: GridAxis
  fileprivate let columns: [GridTrack]
  fileprivate let rows: [GridTrack]
  fileprivate let tracksBefore: (columns: Int, rows: Int)
  fileprivate let inline: LayoutUnit
  fileprivate let direction: TextDirection

  /// The grid area that a box names, from the content edges.
  func area(of values: GridValues) -> PositionedArea {
    func place(_ line: Int?, _ tracks: [GridTrack], before: Int, isStart: Bool) -> LayoutUnit? {
      // A line that the grid does not have is `auto`.
      guard let line, (0...tracks.count).contains(line + before) else { return nil }
      let index = line + before
      if isStart { return index < tracks.count ? tracks[index].start : tracks.last?.end ?? .zero }
      return index > 0 ? tracks[index - 1].end : tracks.first?.start ?? .zero
    }
    let column = columnAxis.positionedLines(values.columnStart, values.columnEnd)
    let row = rowAxis.positionedLines(values.rowStart, values.rowEnd)
    let start = place(column.start, columns, before: tracksBefore.columns, isStart: true)
    let end = place(column.end, columns, before: tracksBefore.columns, isStart: false)
    return PositionedArea(
      lineLeft: direction == .ltr ? start : end.map { inline - $0 },
      lineRight: direction == .ltr ? end : start.map { inline - $0 },
      blockStart: place(row.start, rows, before: tracksBefore.rows, isStart: true),
      blockEnd: place(row.end, rows, before: tracksBefore.rows, isStart: false))
  }
}

/// Absolutely positioned children of a grid container (CSS Grid 1, section 9): their static position is that of the only item of an
/// area.
extension GridModel {
  /// Of a container that contains positioned boxes; nil for any other.
  var lines: GridLines? {
    guard let columnAxis, let rowAxis else { return nil }
    return GridLines(
      columnAxis: columnAxis, rowAxis: rowAxis, columns: columns, rows: rows, tracksBefore: tracksBefore,
      inline: contentInline ?? .zero, direction: direction)
  }

  func positioned(_ child: BoxID) -> OutOfFlowBox {
    let value = context.tree.boxes[child.index]
    let own = context.styles.boxes[value.style.box.index]
    var entry = OutOfFlowBox(
      box: child, staticOffset: .zero, staticInlineSize: contentInline ?? .zero, staticDirection: direction)
    let mode = context.styles.paragraphs[value.style.paragraph.index].writingMode
    let ownDirection = context.styles.paragraphs[value.style.paragraph.index].direction
    func edge(_ value: AlignmentValue, alongLines: Bool, selfStart: StaticEdge) -> StaticEdge {
      if value == .baseline || value == .lastBaseline {
        return context.baselineEdge(of: child, isLast: value == .lastBaseline, alongLines: alongLines)
      }
      return value.staticEdge(direction: alongLines ? direction : .ltr, selfStart: selfStart)
    }
    entry.inlineEdge = edge(
      own.justifySelf == .auto ? style.justifyItems : own.justifySelf, alongLines: true,
      selfStart: context.writingMode.lineLeftEdge(ofStartOf: mode, ownDirection))
    entry.blockEdge = edge(
      own.alignSelf == .auto ? style.alignItems : own.alignSelf, alongLines: false,
      selfStart: context.writingMode.blockStartEdge(ofStartOf: mode, ownDirection))
    entry.staticBlockSize = contentBlock ?? rows.last?.end ?? .zero
    return entry
  }
}

extension AlignmentValue {
  /// The side that a box aligned so stands at in an axis that runs in `direction`; `selfStart` is where its own axis begins.
  fileprivate func staticEdge(direction: TextDirection, selfStart: StaticEdge) -> StaticEdge {
    let start = direction == .ltr ? StaticEdge.start : .end
    let edge: StaticEdge =
      switch position {
      case .center: .center
      case .end, .flexEnd: start.opposite
      case .left: .start
      case .right: .end
      case .selfStart: selfStart
      case .selfEnd: selfStart.opposite
      default: start
      }
    return isSafe ? edge.safe(from: start) : edge
  }
}
