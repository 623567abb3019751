import BoxGeneration
import CSS
import Primitives
import Styling

/// How a box takes part in baseline alignment along an axis of its container (CSS Box Alignment 3, section 9).
struct SharedBaseline {
  /// The edge that boxes of its baseline-sharing group are aligned to: line-left or block-start, or the opposite one.
  var edge: StaticEdge
  /// The distance of the baseline from that edge of its border box.
  var distance: LayoutUnit
  /// It is not one of the box's own.
  var isSynthesized: Bool
}

/// The baselines that boxes share in a row, a column or a line, as distances from its start and from its end.
struct SharedBaselines: Hashable {
  var start: LayoutUnit?
  var end: LayoutUnit?

  subscript(edge: StaticEdge) -> LayoutUnit? { edge == .start ? start : end }

  /// The box with the greatest distance touches the edge.
  mutating func include(_ distance: LayoutUnit, from edge: StaticEdge) {
    if edge == .start {
      start = Swift.max(start ?? .min, distance)
    } else {
      end = Swift.max(end ?? .min, distance)
    }
  }
}

extension LayoutContext {
  /// The baseline that a box shares along the lines of its container or across them. The group is that of the edge
  /// its blocks begin at; those of last baselines, and of blocks that run the other way, are the opposite one
  /// (section 9.2).
  ///
  /// - Parameters:
  ///   - baselines: As its layout in the container gives them.
  ///   - size: The size of its border box along the axis.
  func sharedBaseline(
    of box: BoxID, _ baselines: Baselines, size: LayoutUnit, isLast: Bool, alongLines: Bool
  ) -> SharedBaseline {
    let mode = baselineMode(of: box, alongLines: alongLines)
    let known: LayoutUnit? =
      !mode.isOwn ? nil : isLast ? baselines.alignedLast ?? baselines.last : baselines.alignedFirst ?? baselines.first
    let baseline = known ?? synthesizedBaseline(size, in: mode.mode, tree.boxes[box.index].parent)
    return SharedBaseline(
      edge: baselineEdge(of: box, isLast: isLast, alongLines: alongLines),
      distance: isLast ? size - baseline : baseline, isSynthesized: known == nil)
  }

  /// The edge that the baseline-sharing group of a box is aligned to (section 9.2).
  func baselineEdge(of box: BoxID, isLast: Bool, alongLines: Bool) -> StaticEdge {
    let start = baselineMode(of: box, alongLines: alongLines).mode.blockStart
    let isAtStart = start == (alongLines ? writingMode.lineLeft : writingMode.blockStart)
    return isAtStart != isLast ? .start : .end
  }

  /// The writing mode of the baselines of a box along an axis of its container: its own where its blocks follow each
  /// other there.
  private func baselineMode(of box: BoxID, alongLines: Bool) -> (mode: WritingMode, isOwn: Bool) {
    let value = tree.boxes[box.index]
    let own = styles.paragraphs[value.style.paragraph.index].writingMode
    if (own.isHorizontal == writingMode.isHorizontal) != alongLines { return (own, true) }
    guard alongLines else { return (writingMode, false) }
    guard writingMode.isHorizontal else { return (.horizontalTB, false) }
    let container = tree.boxes[value.parent.index].style
    return (styles.paragraphs[container.paragraph.index].direction == .ltr ? .verticalLR : .verticalRL, false)
  }

  /// The baseline of a box of that block size that has none: its line-under edge, or the middle where its container
  /// has a central baseline (section 9.1).
  func synthesizedBaseline(_ size: LayoutUnit, in mode: WritingMode, _ container: BoxID) -> LayoutUnit {
    if hasCentralBaseline(container) { return size / 2 }
    return mode == .verticalLR ? .zero : size
  }

  /// The baselines that an item gives its container: those that it has in the writing mode of it, or synthesized ones.
  func baselines(of item: LayoutResult, in container: BoxID) -> Baselines {
    var found = item.baselines
    let size = item.size.block
    let synthesized = isCentral ? size / 2 : size
    let aligned = isCentral ? synthesizedBaseline(size, in: writingMode, container) : nil
    if found.first == nil { (found.first, found.alignedFirst) = (synthesized, aligned) }
    if found.last == nil { (found.last, found.alignedLast) = (synthesized, aligned) }
    return found
  }

  /// The baselines that a block gives its container. For legacy reasons the last one of a block that scrolls is at
  /// its margin edge (section 9.1).
  func blockBaselines(of result: LayoutResult, _ box: BoxID, availableInline: LayoutUnit) -> Baselines {
    var found = result.baselines
    guard scrollsAsBlock(box), !changesWritingMode(tree.boxes[box.index]), result.next == nil else { return found }
    (found.last, found.alignedLast) = (
      result.size.block + margins(of: box, availableInline: availableInline).blockEnd, nil
    )
    return found
  }

  /// A block container that scrolls what does not fit in it.
  func scrollsAsBlock(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard styles.boxes[value.style.box.index].blockOverflow(in: writingMode).isScrollable else { return false }
    return value.content != .replaced && value.kind != .table && !value.kind.holdsItems
  }

  /// The dominant baseline of a box is the central one (CSS Writing Modes 4, section 4.2).
  func hasCentralBaseline(_ box: BoxID) -> Bool {
    isCentral && styles.texts[tree.boxes[box.index].style.text.index].textOrientation != .sideways
  }
}
