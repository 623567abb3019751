import BoxGeneration
package import Primitives

/// The part of a picture that stands on a page, along the block axis.
package struct PictureSlice: Hashable, Sendable {
  /// The block size of the slices on the pages before.
  package var start = LayoutUnit.zero
  /// The block size of the whole picture; zero for one that is whole.
  package var whole = LayoutUnit.zero
  package init() {}
  package init(start: LayoutUnit, whole: LayoutUnit) {
    self.start = start
    self.whole = whole
  }
}

/// Pictures many times as high as wide, such as the strips of comics made for scrolling: made to fit a page they would be ribbons, so
/// that they keep the width of their column and go on over pages.
extension LayoutContext {
  /// A picture is sliced that is higher than so many pages at the width of its column.
  private static let leastPages = 2

  /// The picture, as wide as its place lets it be, is sliced.
  func slices(_ box: BoxID, blockSize: LayoutUnit, extraBlock: LayoutUnit) -> Bool {
    blockSize > contentArea.height * Self.leastPages && extraBlock == .zero && mayBeSliced(box)
  }

  /// The picture is one that is sliced, by the block size that it has been laid out with.
  func isSliced(_ box: BoxID, blockSize: LayoutUnit) -> Bool {
    blockSize > contentAreaSize.block * Self.leastPages && tree.boxes[box.index].content == .replaced
      && mayBeSliced(box)
  }

  /// Pages break a picture in the flow, in lines of horizontal text or between such blocks.
  private func mayBeSliced(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    return writingMode.isHorizontal && !settings.isFixedPage && !mode.isRotated && mode.contentScale == 1
      && !value.flags.isOutOfNormalFlow && isInPlainFlow(value.parent)
  }

  /// Lays out what the page holds of a picture, `size` as a whole.
  func layoutSlice(
    of box: BoxID, size: LogicalSize, geometry: BoxGeometry, in space: ConstraintSpace, from token: BreakToken?
  ) -> LayoutResult {
    let fragmentainer = space.fragmentainer
    let start = token?.consumedBlockSize ?? .zero
    var block = size.block - start
    if let page = fragmentainer.size {
      let mayBegin =
        token != nil || fragmentainer.isAtStart || space.isTallerThanPage
        || fragmentainer.begins(block, at: fragmentainer.offset, isAvoided: true)
      let room = page - fragmentainer.offset
      guard mayBegin, room > .zero || fragmentainer.isAtStart else {
        return LayoutResult(fragment: .none, size: .zero, next: token ?? .before(box))
      }
      block = Swift.min(block, room > .zero ? room : page)
    }
    let end = start + block
    var geometry = geometry
    geometry.slice = PictureSlice(start: start, whole: size.block)
    var flags: FragmentFlags = []
    if start > .zero { flags.insert(.continuesBefore) }
    if end < size.block { flags.insert(.continuesAfter) }
    let slice = LogicalSize(inline: size.inline, block: block)
    let fragment = page.appendBox(box, size: slice, geometry: geometry, flags: flags)
    let next = end < size.block ? BreakToken(box: box, consumedBlockSize: end, .slice) : nil
    var result = LayoutResult(fragment: fragment, size: slice, next: next)
    result.bfcBlock = .zero
    return result
  }
}
