import BoxGeneration
import CSS
import Primitives
import Styling
import Text

extension LayoutContext {
  /// Border-box inline size of boxes that never fill their containing block: tables and replaced elements; nil for others.
  /// `available` is for the border box: what the containing block has beside the box's margins.
  func intrinsicInline(of box: BoxID, available: LayoutUnit, containing: LayoutUnit, percentageBlock: LayoutUnit?)
    -> LayoutUnit?
  {
    let value = tree.boxes[box.index]
    if value.content == .replaced {
      let geometry = borderAndPadding(of: box, availableInline: containing)
      return replacedSize(
        of: box, geometry: geometry, availableInline: containing, room: available, percentageBlock: percentageBlock
      ).inline
    }
    if hasSeveralWritingModes, isOrthogonal(value) {
      return orthogonalSize(box, containing: containing, percentageBlock: percentageBlock)
    }
    if value.kind == .table {
      return tableInlineSize(box, available: Swift.max(.zero, available), containing: containing)
    }
    return nil
  }

  /// An inline-block, inline-table or inline replaced box: its fragment, not attached yet. `inline` is the room it stands in.
  func layoutAtomicInline(
    _ box: BoxID, in inline: InlineSpace, part: PartSpace? = nil, progress: inout FlowProgress
  ) -> LayoutResult {
    let margins = margins(of: box, availableInline: inline.contentInline)
    var space = ConstraintSpace(
      mode: mode, availableInline: inline.contentInline, percentageBlock: inline.percentageBlock)
    space.imposed.inline = outOfFlowInline(
      box, available: Swift.max(.zero, inline.contentInline - margins.inlineSum), containing: inline.contentInline,
      percentageBlock: inline.percentageBlock)
    space.fragmentainer = inline.fragmentainer.unbroken
    if let part {
      space.fragmentainer.size = part.size
      space.fragmentainer.offset = part.offset
      space.fragmentainer.isAtStart = part.isAtPageStart
      space.isTallerThanPage = true
    }
    var result =
      part.map { layoutParallelFlow(box, in: space, from: $0.token, isInFlow: true, &progress) }
      ?? layout(box, in: space, from: nil, &progress)
    // The baseline of an inline-block is its last line's, unless it clips its content (CSS 2.2, section 10.8.1).
    if scrollsAsBlock(box) { result.baselines = Baselines() }
    return result
  }

  /// Lays a box out where nothing of it stays, and reads something off it.
  func measure<Value>(_ box: BoxID, in space: ConstraintSpace, _ read: (LayoutResult) -> Value) -> Value {
    trials.begin()
    defer { trials.end() }
    let savepoint = page.savepoint()
    defer { page.rollBack(to: savepoint) }
    var nothing = FlowProgress()
    return read(layout(box, in: space, from: nil, &nothing))
  }

  /// Block size and first baseline of a box laid out in `space` without a page's end.
  ///
  /// - Parameter growsWithContent: The block size that `space` imposes is the least one.
  /// - Complexity: O(content) the first time, O(1) afterwards.
  func measuredBlock(of box: BoxID, in space: ConstraintSpace, growsWithContent: Bool = false) -> MeasuredBlock {
    let measurements = with(space.mode).measurements
    var key = space.key(of: box)
    key.imposed.growsWithContent = growsWithContent
    if let known = measurements.blockSizes[key] { return known }
    if trials.isExhausted, trials.depth > 0 { return MeasuredBlock(block: .zero) }
    var whole = space.measuring
    whole.imposed.growsWithContent = growsWithContent
    let measured = measure(box, in: whole) { result in
      MeasuredBlock(
        block: result.size.block, baselines: result.baselines,
        contentEnd: isItem(box) || inputs.overflows.contains(box) ? contentEnd(of: result.fragment) : .zero)
    }
    measurements.blockSizes[key] = measured
    return measured
  }
}

extension LayoutContext {
  /// A box is an item of a flex or grid container, which stands whole where its content fits the page.
  private func isItem(_ box: BoxID) -> Bool {
    let parent = tree.boxes[box.index].parent
    return !parent.isNone && tree.boxes[parent.index].kind.holdsItems
  }

  /// The end of a fragment, or of the lines and pictures in it that nothing clips, from its block-start edge.
  ///
  /// - Complexity: O(fragments in it).
  func contentEnd(of root: FragmentID) -> LayoutUnit {
    guard !root.isNone else { return .zero }
    var end = page[root].size.block
    var open = [(id: root, block: LayoutUnit.zero)]
    while let (id, block) = open.popLast() {
      let fragment = page[id]
      guard fragment.kind == .box, tree.boxes[fragment.box.index].content != .replaced else {
        end = Swift.max(end, block + fragment.size.block)
        continue
      }
      // By index: a copy of a style, with references to count, is dear for two of its values.
      let style = tree.boxes[fragment.box.index].style.box.index
      let position = styles.boxes[style].position
      guard styles.boxes[style].overflowY == .visible, position != .absolute, position != .fixed else { continue }
      var child = fragment.firstChild
      while !child.isNone {
        open.append((child, block + page[child].offset.block))
        child = page[child].nextSibling
      }
    }
    return end
  }

  /// A text without lines still holds floats or positioned boxes.
  func hasOutOfFlow(_ text: TextID) -> Bool {
    let runs = tree.texts.texts[text.index].runs
    for index in runs {
      let kind = tree.texts.runs[index].kind
      if kind == .float || kind == .positioned { return true }
    }
    return false
  }
}
