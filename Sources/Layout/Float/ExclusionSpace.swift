package import Primitives

/// The room that floats take from a block formatting context, in its line-relative coordinates (CSS 2.2, section 9.5).
package struct ExclusionSpace {
  private var exclusions = ExclusionForest()
  /// The block-start edge of the latest float: the next one may not be higher (rule 5).
  package private(set) var lastBlockStart = LayoutUnit.min
  /// The end of the initial letters, which another one begins below (CSS Inline 3, section 4.6).
  package var initialsEnd: LayoutUnit { Swift.max(leftInitialsEnd, rightInitialsEnd) }
  private var leftInitialsEnd = LayoutUnit.min
  private var rightInitialsEnd = LayoutUnit.min
  private var leftEnd = LayoutUnit.min
  private var rightEnd = LayoutUnit.min

  package init() {}

  /// No float takes room; one without an extent may still be cleared.
  package var isEmpty: Bool { exclusions.isEmpty }
  package var hasFloats: Bool { lastBlockStart > .min }

  /// Adds the margin box of a float or an initial letter, and the float area where that is another one.
  package mutating func add(_ rect: LogicalRect, isLeft: Bool, shape: FloatShape? = nil, isInitial: Bool = false) {
    lastBlockStart = Swift.max(lastBlockStart, rect.offset.block)
    switch (isInitial, isLeft) {
    case (false, true): leftEnd = Swift.max(leftEnd, rect.blockEnd)
    case (false, false): rightEnd = Swift.max(rightEnd, rect.blockEnd)
    case (true, true): leftInitialsEnd = Swift.max(leftInitialsEnd, rect.blockEnd)
    case (true, false): rightInitialsEnd = Swift.max(rightInitialsEnd, rect.blockEnd)
    }
    // One without height still narrows the lines that it stands inside of.
    guard rect.size.block >= .zero, rect.size.inline > .zero else { return }
    exclusions.append(Exclusion(rect, isLeft: isLeft, shape: shape))
  }

  /// Extends a float to the end of the page, `block`, where it goes on: what clears it cannot stand above.
  package mutating func extend(isLeft: Bool, to block: LayoutUnit) {
    lastBlockStart = Swift.max(lastBlockStart, LayoutUnit.zero)
    if isLeft { leftEnd = Swift.max(leftEnd, block) } else { rightEnd = Swift.max(rightEnd, block) }
  }

  /// The clearance, the offset that `clear` moves a box to: below all floats of the named sides, `.min` without such
  /// floats.
  package func clearance(left: Bool, right: Bool) -> LayoutUnit {
    Swift.max(left ? leftEnd : .min, right ? rightEnd : .min)
  }

  /// The same for a block, which clears initial letters, too (CSS Inline 3, section 4.6).
  package func blockClearance(left: Bool, right: Bool) -> LayoutUnit {
    Swift.max(
      clearance(left: left, right: right),
      Swift.max(left ? leftInitialsEnd : .min, right ? rightInitialsEnd : .min))
  }

  /// The room between floats for a strip `[block, block + height)` of a container that reaches from `left` to `right`.
  /// A strip of no height is tested at its block-start edge.
  ///
  /// - Parameter isLine: `true` if the strip is a line, which the float areas of floats keep away, and not their margin boxes (CSS
  ///   Shapes 1, section 2).
  /// - Complexity: O(log(floats of the context)) for each float beside the strip.
  package func room(
    at block: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit, isLine: Bool = false
  ) -> (left: LayoutUnit, right: LayoutUnit) {
    var room = (left: left, right: right)
    let end = Swift.max(block + height, block + .epsilon)
    exclusions.search(below: block, above: end) { exclusion in
      var (lineLeft, lineRight) = (exclusion.lineLeft, exclusion.lineRight)
      if isLine, let shape = exclusion.shape {
        let top = exclusion.blockStart.pixels
        let extent = shape.extent(from: block.pixels - top, to: end.pixels - top)
        // The area is clipped to the margin box.
        guard let extent, extent.right > 0, extent.left < (lineRight - lineLeft).pixels else { return end }
        lineRight = Swift.min(lineRight, lineLeft + LayoutUnit(extent.right))
        lineLeft = Swift.max(lineLeft, lineLeft + LayoutUnit(extent.left))
      }
      if exclusion.isLeft {
        room.left = Swift.max(room.left, lineRight)
      } else {
        room.right = Swift.min(room.right, lineLeft)
      }
      return end
    }
    return room
  }

  /// The next place below `block` where the room may grow: the nearest float end, nil below all floats. That of a line may grow a
  /// px farther down beside a float area.
  ///
  /// - Complexity: O(log(floats of the context)) for each float beside `block`.
  package func nextChange(below block: LayoutUnit, isLine: Bool = false) -> LayoutUnit? {
    var next: LayoutUnit?
    exclusions.search(below: block, above: .max) { exclusion in
      var end = exclusion.blockEnd
      if isLine, exclusion.shape != nil, exclusion.blockStart <= block {
        let step = Swift.max(1, ((end - exclusion.blockStart).pixels / Self.mostSteps).rounded(.up))
        end = Swift.min(end, block + LayoutUnit(step))
      }
      next = Swift.min(next ?? .max, end)
      return next ?? .max
    }
    return next
  }

  /// In how many steps room for a line is looked for beside a float area.
  private static let mostSteps = 2000.0

  /// The first place at or below `block` where something `inline` wide and `height` high fits beside the floats, or that is
  /// below all floats.
  package func firstFit(
    from block: LayoutUnit, inline: LayoutUnit, height: LayoutUnit, left: LayoutUnit, right: LayoutUnit
  ) -> (block: LayoutUnit, left: LayoutUnit, right: LayoutUnit) {
    var block = block
    while true {
      let room = room(at: block, height: height, left: left, right: right)
      let isFree = room.left == left && room.right == right
      if isFree || room.right - room.left >= inline { return (block, room.left, room.right) }
      guard let next = nextChange(below: block) else { return (block, room.left, room.right) }
      block = next
    }
  }

  /// The place of a float's margin box (CSS 2.2, section 9.5.1, rules 1 to 9): as high as allowed, then as far to its side.
  package func position(
    ofFloat size: LogicalSize, isLeft: Bool, from block: LayoutUnit, left: LayoutUnit, right: LayoutUnit
  ) -> LogicalOffset {
    let fit = firstFit(
      from: Swift.max(block, lastBlockStart), inline: size.inline, height: size.block, left: left, right: right)
    return LogicalOffset(inline: isLeft ? fit.left : fit.right - size.inline, block: fit.block)
  }
}
