import BoxGeneration
import CSS
import Primitives
import Styling

/// Makes the pages of one chapter, one at a time, each from where the last one ended.
///
/// A page that had to break against a rule (a heading left alone, `avoid`, orphans and widows) is made once more and broken at
/// the best earlier place, if there is one (CSS Fragmentation 3, section 4.4).
package struct PageComposer {
  private let context: LayoutContext
  /// Where the next page starts; nil before the first page and after the last.
  package private(set) var token: BreakToken?
  private var carried: [CarriedFloat] = []
  package private(set) var isFinished = false
  private var pages = 0
  private var hasMadePage = false
  /// Pages in a row that end where they began, whatever they show.
  private var stalled = 0
  /// Pages without progress that may be the empty parts of something large.
  private static let mostStalled = 8

  package init(context: LayoutContext) { self.context = context }

  /// Goes on at a page whose token is known, without the pages before it.
  package init(context: LayoutContext, from token: BreakToken?) {
    self.context = context
    self.token = token
  }

  /// The next page, nil after the last one.
  package mutating func nextPage() -> PageLayout? {
    while !isFinished {
      guard pages < context.settings.limits.pagesPerChapter else {
        context.diagnostics.warn("too-many-pages", "the chapter has more than \(pages) pages; the rest is left out")
        isFinished = true
        return nil
      }
      let start = (token, carried)
      var result = attempt(breakingAt: nil)
      if result.next != nil, context.usedRank < .perfect, let best = context.bestBreakpoint,
        best.rank > context.usedRank
      {
        result = attempt(breakingAt: best.place)
      }
      carried = context.carriedFloats
      // With floats left over, the root goes on without content of its own.
      token = result.next ?? (carried.isEmpty ? nil : BreakToken(box: BoxTree.root, isAtBlockEnd: true))
      stalled = isStalled(since: start) ? stalled + 1 : 0
      if stalled > Self.mostStalled {
        context.diagnostics.warn("no-progress", "the rest of the chapter fits no page and is left out")
        isFinished = true
      }
      pages += 1
      let page = context.page
      if token == nil { isFinished = true }
      guard isBlank(page) else {
        hasMadePage = true
        return page
      }
      // Nothing but margins or empty boxes: breaks around them merge. A chapter that is empty still has its one page.
      if isFinished, !hasMadePage { return page }
    }
    return nil
  }

  /// Whether the page that began at `start` has brought the chapter no further.
  private func isStalled(since start: (token: BreakToken?, carried: [CarriedFloat])) -> Bool {
    guard let old = start.token, let token, token.isSamePlace(as: old), carried.count == start.carried.count else {
      return false
    }
    return zip(carried, start.carried).allSatisfy { float, old in
      guard float.box == old.box else { return false }
      guard let token = float.token, let oldToken = old.token else { return float.token == nil && old.token == nil }
      return token.isSamePlace(as: oldToken)
    }
  }

  /// Whether a page shows nothing: no line, no picture, no box with a border or background of its own but the canvas's.
  private func isBlank(_ page: PageLayout) -> Bool {
    guard page.lines.isEmpty else { return false }
    return !page.fragments.contains { fragment in
      guard fragment.kind == .box, fragment.size.block > .zero, fragment.size.inline > .zero else { return false }
      let box = context.tree.boxes[fragment.box.index]
      if box.content == .replaced { return true }
      if fragment.box == BoxTree.root || box.parent == BoxTree.root { return false }
      return box.style.border.index != 0 || box.style.background.index != 0
    }
  }

  private mutating func attempt(breakingAt place: Breakpoint?) -> LayoutResult {
    context.page = PageLayout()
    context.page.size = context.settings.pageSize
    context.page.contentArea = context.settings.contentArea
    context.writingMode = context.tree.writingMode
    context.page.writingMode = context.writingMode
    context.bestBreakpoint = nil
    context.usedRank = .perfect
    context.earlyBreak = place
    context.avoidDepth = 0
    context.trials.reset()
    context.carriedFloats = []
    let area = context.settings.contentArea
    let inline = context.contentAreaSize.inline
    let block = context.contentAreaSize.block
    let root = context.tree.boxes[BoxTree.root.index]
    var space = ConstraintSpace(
      availableInline: inline, percentageBlock: block,
      direction: context.styles.paragraphs[root.style.paragraph.index].direction, isNewFormattingContext: true)
    // What no page can hold any of is set on one page with all that follows, and runs over its end.
    space.fragmentainerSize = stalled < Self.mostStalled ? block : nil
    space.isAtPageStart = true
    let sizing = context.inlineSizing(of: BoxTree.root, available: inline, space: space)
    let margins = context.margins(of: BoxTree.root, availableInline: inline)
    let start = token == nil ? Swift.min(margins.blockStart, block / 2) : .zero
    space.fixedInline = sizing.inlineSize
    space.geometry = sizing.geometry
    space.fragmentainerOffset = start
    space.pageInline = sizing.lineLeft
    context.resumedFloats = carried
    var result = context.layout(BoxTree.root, in: space, from: token)
    if result.fragment.isNone { result.next = nil }
    context.page.root = result.fragment
    if !result.fragment.isNone {
      context.page[result.fragment].offset = LogicalOffset(inline: sizing.lineLeft, block: start)
      context.layoutInitialContainingBlock(
        result.outOfFlow, root: result.fragment, size: LogicalSize(inline: inline, block: block))
    }
    return result
  }
}
