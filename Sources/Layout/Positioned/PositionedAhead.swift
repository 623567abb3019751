import BoxGeneration
import CSS
import Primitives
import Styling

/// The findings in the further parts of a containing block.
struct PositionedAhead {
  /// Absolutely positioned boxes that an inset moves, from the border edge of the first part.
  var boxes: [OutOfFlowBox] = []
  /// The block size of all parts; nil where there are too many, or none of the boxes asks for it.
  var blockSize: LayoutUnit?
}

/// Containing blocks over several pages (CSS Positioned Layout 3, section 2.1; CSS Fragmentation 3, section 5.1): a box in a later part
/// of one may stand on the page of an earlier part, and one that is measured from its end on any. So the first part places all of those,
/// with the others laid out ahead of their pages, as if these were like the one at hand.
extension LayoutContext {
  /// The pages that are looked over. What later ones hold stands on its own page, or waits for the last part of the containing block.
  private static let mostPagesAhead = 50

  private var mostAhead: LayoutUnit { contentAreaSize.block * Self.mostPagesAhead }

  /// The first part of a containing block has placed a box that is met in the part behind `token`.
  ///
  /// - Parameters:
  ///   - containing: The containing block; `.none` for the initial one. A float may go on behind the one that a box in
  ///     it belongs to, which has not placed that then.
  ///   - containsFixed: It is one for fixed boxes, too.
  func isPlacedAhead(
    _ entry: OutOfFlowBox, of containing: BoxID, containsFixed: Bool, from token: BreakToken
  ) -> Bool {
    token.consumedBlockSize < mostAhead && isMovedByInset(entry.box, containsFixed: containsFixed)
      && containingBlock(of: entry.box) == containing
  }

  /// The box that establishes the containing block of a positioned one; `.none` for the initial containing block.
  func containingBlock(of positioned: BoxID) -> BoxID {
    let value = tree.boxes[positioned.index]
    let isFixed = styles.boxes[value.style.box.index].position == .fixed
    var around = value.parent
    while !around.isNone, !(isFixed ? containsFixed(around) : isContainingBlockForPositioned(around)) {
      around = tree.boxes[around.index].parent
    }
    return around
  }

  /// An inset gives an absolutely positioned box its place across the lines.
  func isMovedByInset(_ positioned: BoxID, containsFixed: Bool) -> Bool {
    let style = styles.boxes[tree.boxes[positioned.index].style.box.index]
    let inset = flow(style.inset)
    return (style.position != .fixed || containsFixed) && (inset.blockStart != .auto || inset.blockEnd != .auto)
  }

  /// Looks for positioned boxes in the parts of a box behind its first one, as far as these are of use.
  ///
  /// - Parameter isInitial: The box is the root, and the initial containing block is meant.
  /// - Complexity: O(content of the box), where a box in it is moved by an inset.
  func positionedAhead(
    of box: BoxID, in space: ConstraintSpace, after first: LayoutResult, isInitial: Bool = false
  ) -> PositionedAhead? {
    let containsFixed = !isInitial && containsFixed(box)
    func isMoved(_ entry: OutOfFlowBox) -> Bool {
      entry.strip == nil && isMovedByInset(entry.box, containsFixed: containsFixed)
    }
    let containing = isInitial ? .none : box
    var missing = movedBoxes(in: box, containsFixed: containsFixed) { $0 == containing }
    guard !missing.isEmpty else { return nil }
    var dependsOnSize = false
    var ahead = PositionedAhead()
    func find(_ boxes: [OutOfFlowBox]) {
      for entry in boxes where missing.remove(entry.box) != nil {
        dependsOnSize = dependsOnSize || dependsOnBlockSize(entry)
      }
    }
    find(first.outOfFlow)
    var size = first.size.block
    var isGrowing = first.next != nil
    let isWhole = layoutAhead(of: box, in: space, from: first.rest) { result in
      find(result.outOfFlow)
      ahead.boxes.append(
        contentsOf: result.outOfFlow.filter(isMoved), movedBy: LogicalOffset(inline: .zero, block: size))
      if isGrowing { size += result.size.block }
      isGrowing = result.next != nil
    } while: {
      size < mostAhead && (!missing.isEmpty || dependsOnSize && isGrowing && !isInitial)
    }
    if isWhole, !isGrowing { ahead.blockSize = size }
    return ahead
  }

  /// Looks for positioned boxes in the parts of a multi-column container behind this one that an inset moves.
  ///
  /// - Parameter containing: Their containing blocks.
  /// - Complexity: O(content of the container), where there are such boxes.
  func positionedAhead(
    ofColumns box: BoxID, in space: ConstraintSpace, from token: BreakToken, containing: Set<BoxID>
  ) -> [OutOfFlowBox] {
    var missing = movedBoxes(in: box, containsFixed: true) { containing.contains($0) }
    var found: [OutOfFlowBox] = []
    layoutAhead(of: box, in: space, from: token) { result in
      found += result.outOfFlow.filter { missing.remove($0.box) != nil && $0.strip != nil }
    } while: {
      !missing.isEmpty
    }
    return found
  }

  /// Lays out the parts of a box from `token` on, as if their pages were like the one at hand, and leaves nothing of
  /// them.
  ///
  /// - Returns: `false` where a part brings the content no further.
  @discardableResult
  private func layoutAhead(
    of box: BoxID, in space: ConstraintSpace, from token: BreakToken?, take: (LayoutResult) -> Void,
    while isWanted: () -> Bool
  ) -> Bool {
    var part = space
    part.fragmentainer.aheadOf = box
    part.fragmentainer.size = contentAreaSize.block
    part.fragmentainer.offset = .zero
    part.fragmentainer.isAtStart = true
    part.fragmentainer.keptFrom = nil
    part.flow = space.flow.map { FlowPosition(inline: $0.inline) }
    part.resumedFloats = []
    var rest = token
    while let token = rest, isWanted(), !isCancelled {
      let savepoint = page.savepoint()
      var progress = FlowProgress()
      let result = layoutAtBestBreak(&progress) { place, progress in
        part.fragmentainer.earlyBreak = place
        return layout(box, in: part, from: token, &progress)
      }
      page.rollBack(to: savepoint)
      guard !result.fragment.isNone, result.rest.map({ !$0.isSamePlace(as: token) }) ?? true else { return false }
      take(result)
      rest = result.rest
    }
    return true
  }

  /// The positioned boxes in a box that an inset moves, and whose containing block is one of those meant.
  private func movedBoxes(in box: BoxID, containsFixed: Bool, where isMeant: (BoxID) -> Bool) -> Set<BoxID> {
    var found: Set<BoxID> = []
    var index = box.index + 1
    // In preorder what stands in a box follows it.
    while index < tree.boxes.count, tree.boxes[index].parent.index >= box.index {
      let positioned = BoxID(index)
      let value = tree.boxes[index]
      index += 1
      guard value.flags.contains(.outOfFlow), isMovedByInset(positioned, containsFixed: containsFixed) else { continue }
      if isMeant(containingBlock(of: positioned)) { found.insert(positioned) }
    }
    return found
  }

  /// Boxes in columns that are laid out ahead go up to these with their strips; others as they are.
  func isLeftAhead(in space: ConstraintSpace, _ column: ColumnPlace?) -> Bool {
    let container = space.fragmentainer.aheadOf
    return !container.isNone && (column == nil || !isMulticol(container))
  }

  /// While the parts of a box are laid out ahead, positioned boxes go up to it, and those of boxes in it are left out.
  func leaveAhead(_ result: inout LayoutResult, of box: BoxID, in space: ConstraintSpace) {
    guard space.fragmentainer.aheadOf != box else { return }
    let hasTransform = containsFixed(box)
    result.outOfFlow.removeAll { entry in
      hasTransform || styles.boxes[tree.boxes[entry.box.index].style.box.index].position != .fixed
    }
  }
}
