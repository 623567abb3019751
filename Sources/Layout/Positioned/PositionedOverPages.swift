import BoxGeneration
import Primitives

/// The columns of a container on several pages are parts of one strip (CSS Positioned Layout 3, section 2.1; CSS
/// Fragmentation 3, section 5.1): a positioned box stands on the page that has its place, whatever page it is met on.
/// The page that its containing block begins on finds those of later pages ahead, and hands on what stands behind its
/// own columns.
extension ColumnLayout {
  /// Takes over the positioned boxes that are handed on, and those met later whose containing blocks begin on this
  /// page.
  mutating func takeFromOtherPages() {
    let handedOn = token?.positioned.filter { $0.strip != nil } ?? []
    // Those that are met here as well may have found no room in their own place.
    var known = Set(handedOn.map(\.box))
    unplaced.waiting.removeAll { known.contains($0.entry.box) }
    known.formUnion(unplaced.waiting.map(\.entry.box))
    if positionedColumns.isEmpty, !handedOn.isEmpty {
      let place = LogicalOffset(inline: inset, block: startEdge)
      positionedColumns.append(PositionedColumn(row: 0, index: 0, place: place, block: .zero, start: .zero))
    }
    unplaced.waiting += handedOn.map { (entry: $0, column: 0) }
    guard mayHandOn, let next else { return }
    let begun = boxes(in: next).subtracting(token.map(boxes) ?? [])
      .filter { context.isContainingBlockForPositioned($0) || context.containsFixed($0) }
    guard !begun.isEmpty else { return }
    for var entry in context.positionedAhead(ofColumns: box, in: space, from: next, containing: begun) {
      guard isHandedOn(entry), !known.contains(entry.box),
        let first = firstPart(of: context.containingBlock(of: entry.box))
      else { continue }
      let border = context.page.geometries[Int(context.page[first.part.fragment].payload)].border
      entry.strip?.rect.offset.block =
        first.part.place.block + border.blockStart - positionedColumns[first.column].place.block
      unplaced.waiting.append((entry, first.column))
    }
  }

  /// The box stands on a page before this one, which has found it ahead, or on a later one, to which it is handed on.
  ///
  /// - Parameters:
  ///   - block: Its place in the strip of the page's columns.
  ///   - placed: The number of columns that hold content.
  mutating func standsOnOtherPage(
    _ entry: OutOfFlowBox, in strip: PositionedStrip, from column: Int, at block: LayoutUnit, of placed: Int
  ) -> Bool {
    guard isHandedOn(entry), let last = positionedColumns[..<placed].last else { return false }
    let start = positionedColumns[column].start
    if block < .zero, start + strip.rect.offset.block < .zero, let token,
      boxes(in: token).contains(context.containingBlock(of: entry.box))
    {
      return true
    }
    let end = last.start + last.block
    return block >= end && handOn(entry, movedBy: start - end)
  }

  /// Hands on a box to the next page, with its containing block moved to the strip of that; `false` where it cannot be.
  mutating func handOn(_ entry: OutOfFlowBox, movedBy distance: LayoutUnit) -> Bool {
    guard mayHandOn, let token = next, isHandedOn(entry) else { return false }
    var later = entry
    later.strip?.rect.offset.block += distance
    next = token.holding([later])
    return true
  }

  /// Its place is in the strip of the columns alone, whatever the flow has before it.
  private func isHandedOn(_ entry: OutOfFlowBox) -> Bool {
    guard let strip = entry.strip, strip.inline.isNone, strip.fixed == nil else { return false }
    return context.isMovedByInset(entry.box, containsFixed: true)
  }

  private var mayHandOn: Bool {
    let page = space.fragmentainer
    return page.columnDepth == 0 && page.size != nil && !page.isMeasuring && page.aheadOf.isNone
      && !positionedColumns.isEmpty
  }

  /// The boxes that go on behind a break.
  private func boxes(in token: BreakToken) -> Set<BoxID> {
    var found: Set<BoxID> = []
    var open = [token]
    while let token = open.popLast() {
      if !token.isBreakBefore { found.insert(token.box) }
      open += token.children
    }
    found.remove(box)
    return found
  }
}
