import BoxGeneration
import CSS
import Primitives
import Styling

/// The role of a block flow for the columns around it.
enum ColumnRole: Sendable {
  /// No part of a column's formatting context: `column-span` has no effect.
  case none
  /// The content of one column; the multi-column container's own sizes, edges and margins are not its concern.
  case column
  /// A block in the formatting context of a column.
  case inside
}

extension LayoutContext {
  /// Columns that one container may have beside each other.
  static let mostColumns = 1000

  /// The style of the cell asks for columns in it.
  func isMulticol(_ cell: BoxID) -> Bool {
    let style = styles.boxes[boxStyle(cell)]
    return style.columnCount != nil || style.columnWidth != nil
  }

  /// The block begins with a spanner: it needs no room in the column that ends there.
  func leadsToSpanner(_ block: BoxID) -> Bool {
    var box = block
    while !box.isNone {
      let value = tree.boxes[box.index]
      if styles.boxes[value.style.box.index].columnSpan == .all { return true }
      guard value.kind == .block, value.content == .boxes, !value.establishesFormattingContext, !containsFixed(box)
      else { return false }
      box = firstInFlowChild(of: box)
    }
    return false
  }

  /// A spanner is still to come in a box that goes on at `token`: the box ends below it, whatever its height.
  ///
  /// - Complexity: O(boxes in the box).
  func holdsSpanner(_ box: BoxID, from token: BreakToken) -> Bool {
    guard inputs.hasSpanners else { return false }
    var token = token
    while let child = token.children.first { token = child }
    // In preorder what stands in a box follows it.
    var index = Swift.max(token.box.index, token.nextChild.isNone ? 0 : token.nextChild.index)
    while index < tree.boxes.count, index == box.index || tree.boxes[index].parent.index >= box.index {
      if styles.boxes[tree.boxes[index].style.box.index].columnSpan == .all { return true }
      index += 1
    }
    return false
  }

  /// The end of the lines and boxes in the flow that stick out of boxes of a given height, from the start of a fragment.
  func endOfFlow(in id: FragmentID) -> LayoutUnit {
    var end = LayoutUnit.zero
    let outer = page[id]
    let marker = outer.kind == .box ? tree.boxes[outer.box.index].marker : .none
    var child = outer.firstChild
    while !child.isNone {
      let (fragment, current) = (page[child], child)
      child = fragment.nextSibling
      // A marker beside nothing but a spanner takes no room.
      if !marker.isNone, fragment.box == marker { continue }
      if fragment.kind == .box {
        guard !tree.boxes[fragment.box.index].flags.isOutOfNormalFlow else { continue }
        let style = styles.boxes[boxStyle(fragment.box)]
        guard style.position == .static, style.overflowY == .visible else { continue }
      } else if fragment.kind != .line {
        continue
      }
      end = Swift.max(end, fragment.offset.block + Swift.max(fragment.size.block, endOfFlow(in: current)))
    }
    return end
  }

  /// Used number and width of columns (CSS Multi-column 1, section 3.4), and the gap between them.
  func columnGeometry(of box: BoxID, available: LayoutUnit) -> (count: Int, inline: LayoutUnit, gap: LayoutUnit) {
    let value = tree.boxes[box.index].style
    let style = styles.boxes[value.box.index]
    let gap = columnGap(of: box, available: available)
    var count = style.columnCount.map { Swift.max(1, Int($0)) } ?? .max
    if let wanted = style.columnWidth {
      let width = Swift.max(LayoutUnit(1), resolve(wanted, font: value.font))
      let fitting = Int(
        (Int64(available.rawValue) + Int64(gap.rawValue)) / (Int64(width.rawValue) + Int64(gap.rawValue)))
      count = Swift.min(count, Swift.max(1, fitting))
    }
    count = Swift.min(count == .max ? 1 : count, Self.mostColumns)
    let inline = Swift.max(.zero, available - gap * (count - 1)) / count
    return (count, inline, gap)
  }

  /// `normal` is 1em between columns (CSS Box Alignment 3, section 8.1).
  func columnGap(of box: BoxID, available: LayoutUnit) -> LayoutUnit {
    let value = tree.boxes[box.index].style
    switch styles.boxes[value.box.index].columnGap {
    case .normal: return LayoutUnit(fontSize(value.font))
    case .length(let length): return Swift.max(.zero, resolve(length, font: value.font, percentage: available))
    }
  }

  /// Min-content and max-content of a container's columns, from those of its content.
  func columnIntrinsicSizes(_ box: BoxID, content: IntrinsicSizes) -> IntrinsicSizes {
    let value = tree.boxes[box.index].style
    let style = styles.boxes[value.box.index]
    var sizes = content
    if let width = style.columnWidth {
      let width = Swift.max(LayoutUnit(1), resolve(width, font: value.font))
      sizes.minimum = Swift.min(sizes.minimum, width)
      sizes.maximum = Swift.max(sizes.maximum, width)
    }
    if let count = style.columnCount.map({ Swift.max(1, Swift.min(Int($0), Self.mostColumns)) }) {
      let gaps = columnGap(of: box, available: .zero) * (count - 1)
      if style.columnWidth == nil { sizes.minimum = sizes.minimum * count + gaps }
      sizes.maximum = sizes.maximum * count + gaps
    }
    return sizes
  }
}
