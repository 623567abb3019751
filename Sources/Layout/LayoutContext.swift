package import BoxGeneration
import CSS
package import Fonts
package import Images
import Platform
package import Primitives
import Shaping
package import Styling
import Text

/// The context that boxes are laid out in: the chapter's inputs under one mode and on one page box, and the page being
/// made.
///
/// Nothing in it is variable. Under another mode, or on a page box of another size, boxes are laid out with another context. What
/// changes while a page is made is the page, which a trial leaves as it found it; what the flow meets on the page goes from box
/// to box as a value (`FlowProgress`). Measurements are functions of their keys.
package final class LayoutContext {
  package let inputs: LayoutInputs
  package let tree: BoxTree
  package let styles: StyleTable
  package let fonts: FontBook
  package let images: ImageStore
  package let settings: LayoutSettings
  /// The page box that is laid out on.
  package let pageBox: PageGeometry
  let mode: MeasureMode
  /// Lines have a central baseline.
  let isCentral: Bool
  /// The page's content area, in the units of what is laid out.
  let contentArea: Size
  /// The same along the lines being set and across them.
  let contentAreaSize: LogicalSize
  let measurements: Measurements
  /// The page being made.
  let page: PageBuilder
  let trials: TrialBudget
  let inline: InlinePool
  let shaper: Shaper
  /// It owns its contexts.
  unowned let workspace: LayoutWorkspace

  init(_ workspace: LayoutWorkspace, pageBox: PageGeometry, mode: MeasureMode) {
    inputs = workspace.inputs
    tree = inputs.tree
    styles = inputs.styles
    fonts = inputs.fonts
    images = inputs.images
    settings = inputs.settings
    self.pageBox = pageBox
    self.mode = mode
    isCentral = mode.writingMode.isCentral
    let area = Size(width: pageBox.contentArea.width, height: pageBox.contentArea.height)
    contentArea =
      mode.contentScale == 1
      ? area : Size(width: area.width * (1 / mode.contentScale), height: area.height * (1 / mode.contentScale))
    let size = mode.writingMode.logical(contentArea)
    contentAreaSize = mode.isRotated ? LogicalSize(inline: size.block, block: size.inline) : size
    measurements = Measurements(fontGroups: inputs.styles.fonts.count)
    page = workspace.page
    trials = workspace.trials
    inline = workspace.inline
    shaper = workspace.shaper
    self.workspace = workspace
  }

  package var writingMode: WritingMode { mode.writingMode }
  var hasSeveralWritingModes: Bool { inputs.hasSeveralWritingModes }
  var isCancelled: Bool { trials.isCancelled }

  /// The context of another mode on the same page box.
  @inline(__always)
  func with(_ mode: MeasureMode) -> LayoutContext {
    mode == self.mode ? self : workspace.context(on: pageBox, mode: mode)
  }
  func with(_ writingMode: WritingMode) -> LayoutContext {
    guard writingMode != mode.writingMode else { return self }
    var mode = mode
    mode.writingMode = writingMode
    return with(mode)
  }
  /// The context of the same mode on another page box.
  func on(_ pageBox: PageGeometry) -> LayoutContext {
    pageBox == self.pageBox ? self : workspace.context(on: pageBox, mode: mode)
  }
}

extension LayoutContext {
  /// Lays out any block-level, atomic or out-of-flow box whose inline size the caller has decided, under the mode of its space.
  func layout(
    _ box: BoxID, in space: ConstraintSpace, from token: BreakToken?, _ progress: inout FlowProgress
  ) -> LayoutResult {
    let context = with(space.mode)
    trials.count()
    if isCancelled {
      return LayoutResult(fragment: page.appendBox(box, size: .zero, geometry: BoxGeometry()), size: .zero)
    }
    if tree.boxes[box.index].content == .replaced { return context.layoutReplaced(box, in: space, from: token) }
    if hasSeveralWritingModes, context.changesWritingMode(tree.boxes[box.index]) {
      return context.layoutInOwnWritingMode(box, in: space, from: token, &progress)
    }
    if token == nil, isScrolledInColumn(box, space.fragmentainer) {
      if let result = layoutWhole(box, in: space, context, &progress) { return result }
    } else if let end = space.fragmentainer.size, containedBlock(of: box) != nil {
      var whole = space
      whole.fragmentainer = space.fragmentainer.unbroken
      whole.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset
      let result = workspace.boxLayout.layout(box, in: whole, from: token, context, &progress)
      return slice(result, of: box, at: end - space.fragmentainer.offset, in: space, from: token)
    }
    let result = workspace.boxLayout.layout(box, in: space, from: token, context, &progress)
    if token != nil, result.next == nil { progress.leaveResumedBox() }
    return result
  }

  /// Lays out a scroll container without breaks; nil if no page can hold it.
  private func layoutWhole(
    _ box: BoxID, in space: ConstraintSpace, _ context: LayoutContext, _ progress: inout FlowProgress
  ) -> LayoutResult? {
    let (savepoint, before) = (page.savepoint(), progress)
    var whole = space
    whole.fragmentainer = space.fragmentainer.unbroken
    whole.fragmentainer.inlineOffset = space.fragmentainer.inlineOffset
    let result = workspace.boxLayout.layout(box, in: whole, from: nil, context, &progress)
    guard result.size.block > contentAreaSize.block else { return result }
    page.rollBack(to: savepoint)
    progress = before
    return nil
  }

  /// A monolithic box that no page of paper can hold is sliced (CSS Fragmentation 3, section 4.4): what follows it stands below its
  /// last part. Its content stands in the first one.
  private func slice(
    _ result: LayoutResult, of box: BoxID, at block: LayoutUnit, in space: ConstraintSpace, from token: BreakToken?
  ) -> LayoutResult {
    let isPlaced = token != nil || space.fragmentainer.isAtStart
    let consumed = (token?.consumedBlockSize ?? .zero) + block
    guard space.fragmentainer.columnDepth == 0, space.fragmentainer.carriesEmptyRoom(after: consumed), isPlaced,
      !space.fragmentainer.isMeasuring, !result.fragment.isNone, result.next == nil, block > .zero,
      result.size.block > block
    else { return result }
    var part = result
    part.size.block = block
    part.next = BreakToken(box: box, consumedBlockSize: consumed, .end(held: nil))
    page.setBlockSize(block, of: result.fragment)
    page.insert([.continuesAfter, .overflows], into: result.fragment)
    return part
  }
}

/// Nanoseconds of a clock on the wall. Asked once a paragraph: unlike a thread's processor time it needs no system call.
func wallTime() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
