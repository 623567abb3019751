import BoxGeneration
import Primitives
import Styling

/// A box as if pages had no end.
struct WholeBox {
  var blockSize: LayoutUnit
  /// The one picture that most of it consists of, and whether it has been made as high as the page.
  var picture: LayoutUnit?
  var fillsPage = false
  /// The highest of its pictures.
  var highestPicture = LayoutUnit.zero
  var lineCount = 0
}

/// Boxes that are not to be broken, and what is not to be parted from them (CSS Fragmentation 3, section 4.4): they move to the
/// next page together if it can hold them; else their picture is made smaller, or the box is broken where it stands, before the
/// rule is given up that keeps a heading with what it heads. On a screen text is broken, too, that would leave much of the page
/// blank (G2).
extension BlockFlow {
  enum Fit {
    /// A page can hold the box with what is kept with it.
    case moves
    /// It can when pictures leave so much of the page's height.
    case shrinks(reserve: LayoutUnit)
    /// None can.
    case isBroken
    /// A page can, but much of this one would stay blank.
    case isDivided(Division)
  }
  /// A text that is broken, if enough of it stands on either page, although one page can hold it.
  struct Division {
    /// The lines of all of it.
    let lineCount: Int
    let leastLines: Int
    /// How often the page may still end earlier for it.
    var triesLeft = 3
  }
  /// The least size of a scaled picture, in parts of its size.
  private static let leastPicture = 0.7
  /// The part of a page, a half, that a picture which alone would fill it gives up at most.
  private static let mostGivenUpPart = 2

  /// The start on the page of all that has to stay with the next child: behind the best place for a break so far.
  mutating func startOfKept() -> LayoutUnit {
    guard let best = progress.bestBreak, best.rank > .violatesAvoid else { return .zero }
    guard case .before(let box) = best.place else { return best.block + best.strut.sum }
    var strut = best.strut
    context.appendStartMargins(of: box, availableInline: contentInline, to: &strut)
    return best.block + strut.sum
  }

  /// The block-start border edge of a block whose margins collapse with those before it.
  mutating func top(of child: BoxID, in childSpace: ConstraintSpace) -> LayoutUnit {
    guard let position = childSpace.flow, !position.isPlaced else { return childSpace.flow?.block ?? .zero }
    var strut = position.strut
    context.appendStartMargins(
      of: child, after: position.startBreak, availableInline: childSpace.availableInline, to: &strut)
    return position.knownBlock ?? (position.block + strut.sum)
  }

  /// The child that has just been laid out is to be looked at again: the page ends before it or inside it against a
  /// rule, or between it and its caption. Boxes in one that is not to be broken itself are looked at when that one is.
  /// `isWhole`: it is a picture, or the like, that reaches over the page's end. `top`: of its border box, where it does not
  /// follow from the margins.
  mutating func isCut(
    _ child: BoxID, _ result: LayoutResult, in childSpace: ConstraintSpace, top: LayoutUnit? = nil,
    isWhole: Bool = false
  ) -> Bool {
    guard mayRefit else { return false }
    if result.fragment.isNone || isWhole {
      return kept.from == .zero || mayMoveWhole(child) || isShrunkInPlace(child)
    }
    if result.next != nil { return mayMoveWhole(child) }
    guard let size = space.fragmentainer.size, isFirst(childSpace), childSpace.mode.pictureReserve == .zero else {
      return false
    }
    let caption = captionExtent(behind: child)
    guard caption > .zero else { return false }
    return pageBlock(top ?? self.top(of: child, in: childSpace)) + result.size.block + caption > size
  }

  /// All that has to stay with the child begins where the page does.
  func isFirst(_ childSpace: ConstraintSpace) -> Bool {
    childSpace.fragmentainer.isAtStart || kept.from == .zero
  }

  /// The block size of the caption that is not to be parted from a picture, with the margin between them; zero where there is none.
  private mutating func captionExtent(behind picture: BoxID) -> LayoutUnit {
    let caption = context.tree.boxes[picture.index].nextSibling
    guard !caption.isNone, context.isCaption(caption, of: picture) else { return .zero }
    var space = childSpace()
    _ = prepare(&space, ofBlock: caption, clearTo: nil)
    var strut = MarginStrut()
    context.appendStartMargins(of: caption, availableInline: contentInline, to: &strut)
    return strut.sum + context.wholeBox(caption, in: space).blockSize
  }

  /// Children that the page cuts are looked at again here.
  private var mayRefit: Bool {
    space.fragmentainer.size != nil && !space.fragmentainer.isMeasuring && progress.columns.spanner.isNone
      && context.mode.pictureReserve == .zero && !avoidsBreaks && !context.trials.isExhausted
  }

  /// Measurement has shown that no page can hold the child that would not be broken, and that this page cuts at `top`,
  /// so that it need not be tried. Boxes in boxes would double the tries with each.
  mutating func isKnownAsTaller(_ child: BoxID, in childSpace: ConstraintSpace, top: LayoutUnit) -> Bool {
    guard mayRefit, let size = space.fragmentainer.size, mayMoveWhole(child),
      let known = context.knownWholeBox(child, in: childSpace)
    else { return false }
    return known.picture == nil && known.blockSize > Swift.max(size, context.contentAreaSize.block)
      && pageBlock(top) + known.blockSize > size
  }

  /// The treatment of a child that the page cuts, and whose border box begins at `top`.
  mutating func fit(of child: BoxID, in childSpace: ConstraintSpace, top: LayoutUnit) -> Fit {
    guard let size = space.fragmentainer.size else { return .moves }
    let whole = context.wholeBox(child, in: childSpace)
    let top = pageBlock(top)
    let isFirst = isFirst(childSpace)
    let start = isFirst ? .zero : kept.from ?? top
    // The blank that a move would leave is seen from the end of what stands above, not from below the margins.
    let blank = size - Swift.min(start, progress.bestBreak.map { $0.rank > .violatesAvoid ? $0.block : start } ?? start)
    // Footnotes and the columns of a row that is short may leave less than other pages do.
    let excess = top - start + whole.blockSize - Swift.max(size, context.contentAreaSize.block)
    if isFirst, let picture = whole.picture {
      let wanted = picture - excess - captionExtent(behind: child) - .epsilon
      if wanted < picture, wanted >= picture * Self.leastPicture {
        return .shrinks(reserve: context.contentAreaSize.block - wanted)
      }
    }
    guard excess > .zero else {
      if let picture = whole.picture, space.fragmentainer.divides(leaving: blank), isShrunkInPlace(child) {
        let wanted = picture - (top + whole.blockSize - size) - captionExtent(behind: child) - .epsilon
        if wanted >= picture * Self.leastPicture {
          return .shrinks(reserve: context.contentAreaSize.block - Swift.min(wanted, picture))
        }
      }
      let division = Division(
        lineCount: whole.lineCount, leastLines: space.fragmentainer.leastDividedLines(leaving: blank))
      guard space.fragmentainer.divides(leaving: blank), mayMoveWhole(child),
        whole.highestPicture < context.lineExtent(of: child) * division.leastLines
      else { return .moves }
      return .isDivided(division)
    }
    if let picture = whole.picture {
      let least =
        whole.fillsPage && childSpace.fragmentainer.isAtStart
        ? picture - size / Self.mostGivenUpPart : picture * Self.leastPicture
      let wanted = picture - excess - .epsilon
      // The picture has the next page to itself where other content precedes.
      if wanted >= least { return isFirst ? .shrinks(reserve: context.contentAreaSize.block - wanted) : .moves }
    }
    return .isBroken
  }

  /// A picture is made smaller rather than leave much of the page before it blank (G4), alone or with the text of a
  /// figure.
  private mutating func isShrunkInPlace(_ child: BoxID) -> Bool {
    guard context.settings.deviations.setsPicturesApart, !space.fragmentainer.isStrict else { return false }
    if mayMoveWhole(child) { return true }
    let box = context.tree.boxes[child.index]
    guard box.content == .text, !box.text.isNone else { return box.content == .replaced }
    return context.pictureCount(in: box.text) == 1
  }

  /// How much earlier the page has to end for enough lines of a divided text to stand on the next one; nil where it has
  /// too few lines for both pages.
  func lack(of result: LayoutResult, of child: BoxID, _ division: Division) -> LayoutUnit? {
    guard result.next != nil, !result.fragment.isNone else { return nil }
    let lines = context.page.lineCount(in: result.fragment)
    let missing = FlowProgress.shortfall(
      before: lines, behind: division.lineCount - lines, least: division.leastLines)
    return missing.map { context.lineExtent(of: child) * $0 }
  }
}

extension LayoutContext {
  /// The block size of a line of a box's own text.
  func lineExtent(of box: BoxID) -> LayoutUnit {
    let metrics = lineMetrics(tree.boxes[box.index].style.font)
    return metrics.above + metrics.below
  }

  /// Measures a box in `space` on a page without an end.
  fileprivate func wholeBox(_ box: BoxID, in space: ConstraintSpace) -> WholeBox {
    if let known = knownWholeBox(box, in: space) { return known }
    var measuring = space.measuring
    if !isMeasuredAlone(space) { measuring.flow = space.flow }
    let whole = measure(box, in: measuring) { result in
      var whole = WholeBox(blockSize: result.size.block, lineCount: page.lineCount(in: result.fragment))
      findPicture(in: result.fragment, of: &whole)
      return whole
    }
    if isMeasuredAlone(space) { with(space.mode).measurements.wholeBoxes[space.key(of: box)] = whole }
    return whole
  }

  fileprivate func knownWholeBox(_ box: BoxID, in space: ConstraintSpace) -> WholeBox? {
    let known = with(space.mode).measurements
    return known.wholeBoxes.isEmpty || !isMeasuredAlone(space) ? nil : known.wholeBoxes[space.key(of: box)]
  }
  /// Floats beside a box decide what it measures, too.
  private func isMeasuredAlone(_ space: ConstraintSpace) -> Bool { space.flow?.exclusions.isEmpty ?? true }

  /// A picture of less than such a part of the highest one's height, a quarter, is none of any size beside it.
  private static let smallPicturePart = 4

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
    whole.highestPicture = heights.max() ?? .zero
    guard let highest = heights.max(), highest * 2 >= whole.blockSize,
      heights.count(where: { $0 * Self.smallPicturePart > highest }) == 1
    else { return }
    whole.picture = highest
  }
}
