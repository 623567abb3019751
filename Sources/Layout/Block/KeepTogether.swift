import BoxGeneration
import Primitives
import Styling

/// A box as if pages had no end.
struct WholeBox {
  var blockSize: LayoutUnit
  /// The one picture that most of it consists of, and whether it has been made as high as the page.
  var picture: LayoutUnit?
  var fillsPage = false
}

/// Boxes that are not to be broken, and what is not to be parted from them (CSS Fragmentation 3, section 4.4): they move to the
/// next page together if it can hold them; else their picture is made smaller, or the box is broken where it stands, before the
/// rule is given up that keeps a heading with what it heads.
extension BlockFlow {
  enum Fit {
    /// A page can hold the box with what is kept with it.
    case moves
    /// It can when pictures leave so much of the page's height.
    case shrinks(reserve: LayoutUnit)
    /// None can.
    case isBroken
  }
  /// How small a picture may become, in parts of its size.
  private static let leastPicture = 0.7

  /// Where what has to stay with the next child begins on the page: behind the best place for a break so far.
  func startOfKept() -> LayoutUnit {
    guard let best = context.bestBreakpoint, best.rank > .violatesAvoid else { return .zero }
    guard case .before(let box) = best.place else { return best.block + best.strut.sum }
    var strut = best.strut
    context.appendStartMargins(of: box, availableInline: contentInline, to: &strut)
    return best.block + strut.sum
  }

  /// Where the border box of a block begins whose margins collapse with those before it.
  func top(of child: BoxID, in childSpace: ConstraintSpace) -> LayoutUnit {
    guard !childSpace.isPlaced else { return childSpace.bfcBlock }
    var strut = childSpace.strut
    if !childSpace.discardsStartMargin {
      context.appendStartMargins(of: child, availableInline: childSpace.availableInline, to: &strut)
    }
    return childSpace.forcedBFCBlock ?? (childSpace.bfcBlock + strut.sum)
  }

  /// Whether a child that has just been laid out is to be looked at again: the page ends before it or inside it against a rule.
  /// Boxes in one that is not to be broken itself are looked at when that one is.
  /// `isWhole`: it is a picture, or the like, that reaches over the page's end.
  func isCut(_ child: BoxID, _ result: LayoutResult, isWhole: Bool = false) -> Bool {
    guard space.fragmentainerSize != nil, !space.isMeasuring, context.columns.spanner.isNone,
      context.pictureReserve == .zero, context.avoidDepth == 0, !context.trials.isExhausted
    else { return false }
    if result.fragment.isNone || isWhole { return keptFrom == .zero || mayMoveWhole(child) }
    return result.next != nil && mayMoveWhole(child)
  }

  /// Whether it has been measured that no page can hold a child that would not be broken, so that it need not be tried.
  /// Boxes in boxes would double the tries with each.
  func isKnownAsTaller(_ child: BoxID, in childSpace: ConstraintSpace) -> Bool {
    guard !context.wholeBoxes.isEmpty, let size = space.fragmentainerSize, !space.isMeasuring, mayMoveWhole(child),
      let known = context.knownWholeBox(child, in: childSpace)
    else { return false }
    return known.picture == nil && known.blockSize > Swift.max(size, context.contentAreaSize.block)
  }

  /// What becomes of a child that the page cuts, and whose border box begins at `top`.
  func fit(of child: BoxID, in childSpace: ConstraintSpace, top: LayoutUnit) -> Fit {
    guard let size = space.fragmentainerSize else { return .moves }
    let whole = context.wholeBox(child, in: childSpace)
    let top = pageBlock(top)
    let isFirst = childSpace.isAtPageStart || keptFrom == .zero
    let start = isFirst ? .zero : keptFrom ?? top
    // Footnotes and the columns of a row that is short may leave less than other pages do.
    let excess = top - start + whole.blockSize - Swift.max(size, context.contentAreaSize.block)
    guard excess > .zero else { return .moves }
    if let picture = whole.picture {
      let least = whole.fillsPage && childSpace.isAtPageStart ? picture - size / 2 : picture * Self.leastPicture
      let wanted = picture - excess - .epsilon
      // Where other content precedes, the picture has the next page to itself.
      if wanted >= least { return isFirst ? .shrinks(reserve: context.contentAreaSize.block - wanted) : .moves }
    }
    return .isBroken
  }
}

extension LayoutContext {
  /// What the page has noted of breaks so far.
  var notedBreaks: (best: NotedBreakpoint?, used: BreakRank) { (bestBreakpoint, usedRank) }
  /// Forgets a trial with the breaks in it.
  func rewind(to mark: Mark, _ breaks: (best: NotedBreakpoint?, used: BreakRank)) {
    rewind(to: mark)
    (bestBreakpoint, usedRank) = breaks
  }

  /// Lays out with pictures that leave so much of the page's height. What is measured meanwhile holds for nothing else.
  func withPictureReserve<Value>(_ reserve: LayoutUnit?, _ layout: () -> Value) -> Value {
    guard let reserve else { return layout() }
    let known = (measureCache, intrinsicCache, tableModels, itemRows, turnedSizes)
    (measureCache, intrinsicCache, tableModels, itemRows, turnedSizes) = ([:], [:], [:], [:], [:])
    pictureReserve = reserve
    defer {
      pictureReserve = .zero
      (measureCache, intrinsicCache, tableModels, itemRows, turnedSizes) = known
    }
    return layout()
  }

  /// Measures a box in `space` on a page without an end.
  fileprivate func wholeBox(_ box: BoxID, in space: ConstraintSpace) -> WholeBox {
    if let known = knownWholeBox(box, in: space) { return known }
    trials.begin()
    defer { trials.end() }
    let mark = mark()
    let noted = (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow)
    var free = space
    free.fragmentainerSize = nil
    free.isMeasuring = true
    free.column = .none
    let result = layout(box, in: free)
    var whole = WholeBox(blockSize: result.size.block)
    findPicture(in: result.fragment, of: &whole)
    rewind(to: mark)
    (bestBreakpoint, usedRank, carriedFloats, pendingOutOfFlow) = noted
    if let key = wholeBoxKey(box, in: space) { wholeBoxes[key] = whole }
    return whole
  }

  fileprivate func knownWholeBox(_ box: BoxID, in space: ConstraintSpace) -> WholeBox? {
    wholeBoxKey(box, in: space).flatMap { wholeBoxes[$0] }
  }
  /// Nil where more decides what a box measures: floats beside it, or a table that is set smaller.
  private func wholeBoxKey(_ box: BoxID, in space: ConstraintSpace) -> MeasureKey? {
    guard space.exclusions.isEmpty, contentScale == 1, !liesDown else { return nil }
    return MeasureKey(
      box: box, inline: space.fixedInline ?? space.availableInline, percentage: space.percentageBlock ?? .min,
      ignoresBlockSize: space.ignoresBlockSize)
  }

  /// Finds the picture that takes at least half of a box's height, and beside which no other of any size stands in it.
  private func findPicture(in root: FragmentID, of whole: inout WholeBox) {
    guard !root.isNone else { return }
    var heights: [LayoutUnit] = []
    var open = [root]
    while let id = open.popLast() {
      let fragment = page[id]
      if fragment.kind == .box, tree.boxes[fragment.box.index].content == .replaced {
        heights.append(fragment.size.block)
        if fragment.flags.contains(.scaledToPage), fragment.size.block + .epsilon >= contentAreaSize.block {
          whole.fillsPage = true
        }
      }
      var child = fragment.firstChild
      while !child.isNone {
        open.append(child)
        child = page[child].nextSibling
      }
    }
    guard let highest = heights.max(), highest * 2 >= whole.blockSize,
      heights.count(where: { $0 * 4 > highest }) == 1
    else { return }
    whole.picture = highest
  }
}
