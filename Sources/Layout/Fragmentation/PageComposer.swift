import BoxGeneration
import CSS
import Primitives
package import Styling

/// Makes the pages of one chapter, one at a time, each from where the last one ended.
///
/// A page that had to break against a rule (a heading left alone, `avoid`, orphans and widows) is made once more and broken at
/// the best earlier place, if there is one (CSS Fragmentation 3, section 4.4).
package struct PageComposer {
  private let workspace: LayoutWorkspace
  /// The context of the page being made.
  private(set) var context: LayoutContext
  /// The findings of the flow on it.
  var progress = FlowProgress()
  /// The floats at its edges.
  var pageFloats = PageFloats()
  /// The room at its foot that is left to the lines of the next one.
  var shortening = LayoutUnit.zero
  /// The texts that are set in more or fewer lines on it.
  private var looseness: [BoxID: Int8] = [:]
  /// The page behind it, as far as it has been made.
  var pageAhead: PageAhead?
  /// The book's rules for pages.
  private let pageStyles: PageStyles
  /// The state that earlier pages hand on to the next one.
  var state: Checkpoint
  #if CHECK_LAYOUT
    /// Nil where pages go on from a place that was handed in, which may be a damaged one.
    private var textEnds: LayoutChecks.TextEnds? = [:]
  #endif
  /// The part of a page, a half, that the margin above a chapter takes at most: text begins on its first page.
  private static let mostMarginPart = 2
  /// Nesting depth to which positioned boxes in positioned boxes are broken at the page's end.
  private static let mostPartings = 3
  /// Pages without progress that may be the empty parts of something large.
  private static let mostStalled = 8

  /// - Parameters:
  ///   - pagesBefore: Pages of the book before the chapter, by which left and right ones are told apart.
  ///   - token: Where to start, nil at the start of the chapter.
  package init(
    _ workspace: LayoutWorkspace, pageStyles: PageStyles = PageStyles(), pagesBefore: Int = 0,
    from token: BreakToken? = nil
  ) {
    self.workspace = workspace
    context = workspace.context
    self.pageStyles = pageStyles
    state = Checkpoint(
      token: token, geometries: Array(repeating: nil, count: pageStyles.all.count),
      footnotes: FootnoteFlow(context.tree), counts: .init(number: pagesBefore),
      wanted: token == nil ? context.breakBeforeRoot() : token!.forced)
  }

  /// The state before the next page, to go back to or to go on from with another composer.
  package var checkpoint: Checkpoint {
    get { state }
    set {
      state = newValue
      pageAhead = nil
      #if CHECK_LAYOUT
        textEnds = nil
      #endif
    }
  }
  /// The break token that the next page starts at; nil before the first page and after the last.
  package var token: BreakToken? { state.token }
  package var isFinished: Bool { state.isFinished }
  /// The bounds that a saved checkpoint of this chapter keeps to.
  package var checkpointBounds: CheckpointBounds {
    CheckpointBounds(tree: context.tree, notes: state.footnotes.placed.count, styles: state.geometries.count)
  }

  /// Makes the next page from nothing but what is behind the last one; nil after the last one.
  mutating func makePage() -> PageLayout? {
    while !state.isFinished {
      guard state.counts.pages < context.settings.limits.pagesPerChapter else {
        context.workspace.diagnostics.warn(
          "too-many-pages", "the chapter has more than \(state.counts.pages) pages; the rest is left out")
        state.isFinished = true
        return nil
      }
      let traits = nextTraits
      if state.wanted == (traits.isLeft ? .right : .left) {
        state.wanted = .none
        return blankPage(traits)
      }
      start(traits)
      state.pushedPositioned.begin(page: context.contentAreaSize.block)
      let start = (state.token, state.pushed)
      let positionedBefore = state.pushedPositioned.near
      let notesBefore = state.footnotes.pending
      let result = composeBest()
      if start.0 == nil, result.next == nil, pageFloats.isEmpty { context.centreLonePicture() }
      if let next = result.next {
        context.page.setBrokenRule(Swift.min(progress.usedRank, context.rank(ofBreakAt: next)))
      }
      if context.settings.composition.balancesPages, let next = result.next, !next.isForced,
        progress.pushedFloats.isEmpty, pageFloats.isEmpty,
        !state.footnotes.areOnPage
      {
        context.balancePage()
      }
      // With floats left over, the root goes on without content of its own.
      state.pushed = progress.pushedFloats + pageFloats.pushed
      state.pushedPositioned.end(page: context.contentAreaSize.block, carrying: progress.pushedPositioned)
      if !context.settings.isPrinted, result.next == nil, held == nil, state.pushed.isEmpty { skipPagesToPositioned() }
      state.token = continuation(of: result.next)
      state.stalled =
        isStalled(since: start) && isStalled(since: positionedBefore) && state.footnotes.isStalled(since: notesBefore)
        ? state.stalled + 1 : 0
      if state.stalled > Self.mostStalled {
        context.workspace.diagnostics.warn("no-progress", "the rest of the chapter fits no page and is left out")
        state.isFinished = true
      }
      state.counts.pages += 1
      var page = context.page.layout
      #if CHECK_LAYOUT
        check(page, from: start.0)
      #endif
      state.wanted = token?.forced ?? .none
      if token == nil { state.isFinished = true }
      let showsNothing = isBlank(page) && progress.fixed.isEmpty
      if !context.inputs.repeatedBoxes.isEmpty, !page.root.isNone {
        context.layoutRepeated(root: page.root, progress: &progress)
        page = context.page.layout
      }
      guard showsNothing else {
        state.hasMadePage = true
        countShown(traits)
        return page
      }
      // Nothing but margins or empty boxes: breaks around them merge. A chapter that is empty still has its one page.
      if state.isFinished, !state.hasMadePage { return page }
    }
    return nil
  }

  /// The traits of the next page that `@page` selectors match.
  private var nextTraits: PageTraits {
    let name = context.pageName(at: token)
    return PageTraits(
      name: name, isFirst: !state.hasMadePage, isLeft: isLeft(state.counts.number),
      ordinals: pageStyles.ordinals(
        page: state.counts.shown + 1, inGroup: (name == state.counts.groupName ? state.counts.inGroup : 0) + 1))
  }

  #if CHECK_LAYOUT
    /// Tells of invariants that do not hold.
    private mutating func check(_ page: PageLayout, from start: BreakToken?) {
      var violations = context.page.violations
      context.page.violations = []
      // Work that is given up leaves pages that are worth nothing, and a damaged place leads to any.
      guard !context.isCancelled, var ends = textEnds else { return }
      violations += LayoutChecks.violations(of: page, context.tree, after: &ends)
      violations += LayoutChecks.outside(page, context)
      textEnds = ends
      if let forgotten = LayoutChecks.forgotten(start, on: page, next: token) { violations.append(forgotten) }
      if token == nil, !state.isFinished { violations += LayoutChecks.leftOut(ends, context) }
      for violation in violations {
        precondition(!LayoutChecks.areFatal, violation)
        workspace.diagnostics.append(Diagnostic(.error, code: "layout-invariant", message: violation))
      }
    }
  #endif

  /// The break token at which the flow goes on behind the tables that the page is made for.
  var held: BreakToken? { if case .end(let held)? = token?.place { held } else { nil } }

  /// The break token that the next page starts at. Content that the flow has left behind for later pages comes before its end,
  /// and before a forced break that a table would otherwise cross.
  private func continuation(of next: BreakToken?) -> BreakToken? {
    if let next = next ?? held {
      guard next.isForced, state.pushed.contains(where: context.isWaitingTable) else { return next }
      return BreakToken(box: BoxTree.root, .end(held: next))
    }
    return state.pushed.isEmpty && state.pushedPositioned.isEmpty && state.footnotes.pending.isEmpty
      ? nil : BreakToken(box: BoxTree.root, .end(held: nil))
  }

  /// Lays the page out with its footnotes.
  ///
  /// - Parameter looseness: The lines more than their best choice has that texts are set in, by their boxes.
  mutating func make(_ looseness: [BoxID: Int8] = [:]) -> LayoutResult {
    self.looseness = looseness
    return context.inputs.hasPageFloats ? composeWithPageFloats() : composeText()
  }

  /// Lays the page out in the room that its floats leave, with its footnotes.
  mutating func composeText() -> LayoutResult { state.footnotes.isEmpty ? compose() : composeWithFootnotes() }

  /// Lays the page out in the room it has, and once more where a rule was broken that an earlier break keeps.
  private mutating func compose() -> LayoutResult {
    var parted: [BoxID: DisplacedPlace] = [:]
    var place: Breakpoint?
    var result = attempt(breakingAt: nil, parting: parted)
    if result.next != nil, let better = progress.betterBreak,
      progress.usedRank != .violatesAvoid
        || !context.movesLongChain(from: better.block, endsInHeading: progress.isBelowHeading)
    {
      place = better.place
      result = attempt(breakingAt: place, parting: parted)
      context.page.check(
        progress.usedRank >= better.rank, "a break is of rank \(progress.usedRank), and was noted as \(better.rank)")
    }
    guard !context.settings.isFixedPage else { return result }
    // Boxes inside those that reach over the page's end are looked at when these are parted.
    for _ in 0..<Self.mostPartings {
      let found = context.positionedOffPage(mayRaise: context.inputs.mayRaisePositioned && state.hasMadePage)
      if found.isEmpty { break }
      parted.merge(found) { first, _ in first }
      result = attempt(breakingAt: place, parting: parted)
    }
    return result
  }

  /// Lays the page out above its footnotes: as much text as leaves room for the notes of its marks (CSS GCPM 3, section 2.6).
  ///
  /// Each round leaves the text less room, so that marks only go, until the notes of those that stay have theirs. Notes of
  /// the floats at the page's edges have room in any case.
  private mutating func composeWithFootnotes() -> LayoutResult {
    let page = context.contentAreaSize.block - pageFloats.endSize
    let most = (page - pageFloats.startSize) * FootnoteFlow.mostOfPage
    let inFloats = pageFloats.placed.flatMap {
      context.footnotes(inPageFloat: $0.box, except: state.footnotes.placed)
    }
    let owed = state.footnotes.pending + inFloats.map { FootnotePart(note: $0) }
    state.footnotes.areOnPage = false
    state.footnotes.textEnd = nil
    if !owed.isEmpty {
      let height = FootnoteAreaLayout.height(of: owed, page: page, context)
      // Notes that go on from the page before leave some of the page to the text.
      state.footnotes.textEnd = page - Swift.min(height, most)
    }
    var result = compose()
    var found = context.footnoteCalls(except: state.footnotes.placed)
    for _ in 0..<FootnoteFlow.mostRounds {
      guard !found.calls.isEmpty else { break }
      let kept = FootnoteAreaLayout.countThatFits(found.calls, after: owed, page: page, context)
      let limit: LayoutUnit
      if kept < found.calls.count {
        limit = found.calls[kept].end - .epsilon
      } else {
        let height = FootnoteAreaLayout.height(
          of: owed + found.calls.map { FootnotePart(note: $0.note) }, page: page, context)
        limit = Swift.max(found.calls[kept - 1].end, page - Swift.min(height, most))
      }
      guard limit < state.footnotes.textEnd ?? page else { break }
      state.footnotes.textEnd = limit
      result = compose()
      found = context.footnoteCalls(except: state.footnotes.placed)
    }
    // Without text the page is not made, and its floats wait.
    let met = ((context.page.root.isNone ? [] : inFloats) + found.calls.map(\.note)).sorted()
    var parts = state.footnotes.pending + met.map { FootnotePart(note: $0) }
    for note in met { state.footnotes.placed[note] = true }
    if result.next == nil, held == nil, progress.pushedFloats.isEmpty, progress.pushedPositioned.isEmpty,
      !state.pushedPositioned.hasFar, pageFloats.waiting.isEmpty, progress.pageFloats.allSatisfy(pageFloats.holds)
    {
      // Notes whose marks no line shows.
      for note in state.footnotes.placed.indices where !state.footnotes.placed[note] {
        state.footnotes.placed[note] = true
        parts.append(FootnotePart(note: note))
      }
    }
    guard !parts.isEmpty, !context.page.root.isNone else {
      state.footnotes.pending = parts
      return result
    }
    state.footnotes.pending = FootnoteAreaLayout.place(
      parts, below: Swift.max(found.textEnd, pageFloats.startSize), room: page, context, &progress)
    state.footnotes.areOnPage = true
    return result
  }

  /// The page after so many others is a left-hand one.
  private func isLeft(_ number: Int) -> Bool { (number & 1 == 1) == (context.settings.pageProgression == .ltr) }

  /// An empty page that the flow goes on behind.
  private mutating func blankPage(_ traits: PageTraits) -> PageLayout {
    var traits = traits
    traits.isBlank = true
    // The chapter's first page is the one it opens on.
    traits.isFirst = false
    start(traits)
    countShown(traits)
    state.counts.pages += 1
    return context.page.layout
  }

  private mutating func countShown(_ traits: PageTraits) {
    state.counts.number += 1
    state.counts.shown += 1
    state.counts.inGroup = traits.name == state.counts.groupName ? state.counts.inGroup + 1 : 1
    state.counts.groupName = traits.name
  }

  /// Goes on behind the page laid out, with a page that begins at a token.
  mutating func begin(at token: BreakToken) {
    pageAhead = nil
    shortening = .zero
    state.hasMadePage = true
    countShown(context.page.traits)
    state.token = token
    start(nextTraits)
  }

  /// Makes a page the one to be laid out, in its own page box.
  private mutating func start(_ traits: PageTraits) {
    var geometry = workspace.inputs.settings.page
    if let index = pageStyles.index(of: traits) {
      let style = pageStyles.all[index]
      geometry = state.geometries[index] ?? workspace.context.geometry(of: style)
      // A style sheet that gives paper its size knows of its edges.
      if state.geometries[index] == nil, !context.settings.isPrinted || !style.hasOwnSize {
        geometry = workspace.context.keepingTextFromEdge(geometry, onPagesNamed: traits.name)
      }
      state.geometries[index] = geometry
    }
    context = workspace.context.on(geometry)
    context.page.begin(geometry, traits: traits, writingMode: context.writingMode)
  }

  /// The page that began at `start` has brought the chapter no further.
  private func isStalled(since start: (token: BreakToken?, pushed: [PushedFloat])) -> Bool {
    guard let old = start.token, let token, token.isSamePlace(as: old), state.pushed.count == start.pushed.count
    else {
      return false
    }
    return zip(state.pushed, start.pushed).allSatisfy { $0.box == $1.box && isSamePlace($0.token, $1.token) }
  }
  private func isStalled(since old: [PushedPositioned]) -> Bool {
    let near = state.pushedPositioned.near
    guard !state.pushedPositioned.hasFar, near.count == old.count else { return false }
    return zip(near, old).allSatisfy {
      $0.box == $1.box && $0.place == $1.place && isSamePlace($0.token, $1.token)
    }
  }
  private func isSamePlace(_ token: BreakToken?, _ old: BreakToken?) -> Bool {
    guard let token, let old else { return token == nil && old == nil }
    return token.isSamePlace(as: old)
  }

  /// Pages without anything before the next positioned box are left out once the flow has ended.
  private mutating func skipPagesToPositioned() {
    let block = context.contentAreaSize.block
    guard block > .zero, let first = state.pushedPositioned.firstBlock, first >= block else { return }
    state.pushedPositioned.skip(block * Int((first.pixels / block.pixels).rounded(.down)))
  }

  /// A page shows nothing: no line, no picture, no box with a border or background of its own but the canvas's. On paper empty
  /// boxes have their pages, too (CSS Fragmentation 3, section 5), as long as they have a size.
  private func isBlank(_ page: PageLayout) -> Bool {
    guard page.lines.isEmpty else { return false }
    if context.settings.isPrinted, page.fragments.contains(where: { $0.kind == .box && $0.size.block > .zero }) {
      return false
    }
    return !page.fragments.contains { fragment in
      guard fragment.kind == .box, fragment.size.block > .zero, fragment.size.inline > .zero else { return false }
      let box = context.tree.boxes[fragment.box.index]
      if box.content == .replaced { return true }
      if fragment.box == BoxTree.root || box.parent == BoxTree.root { return false }
      return box.style.border.index != 0 || box.style.background.index != 0
    }
  }

  private mutating func attempt(
    breakingAt place: Breakpoint?, parting parted: [BoxID: DisplacedPlace]
  ) -> LayoutResult {
    context.page.begin(
      context.page.geometry, traits: context.page.traits, writingMode: context.writingMode, displaced: parted,
      pageFloats: pageFloats.placed, looseness: looseness)
    progress = FlowProgress()
    workspace.trials.reset()
    let area = context.contentAreaSize
    let root = context.positionedRoot(in: area) ?? rootInFlow
    let start = pageFloats.startSize + (token == nil ? root.offset.block : .zero)
    var space = root.space
    // Content of which no page can hold any is set on one page with all that follows, and runs over its end.
    let end = area.block - pageFloats.endSize - shortening
    let room = state.footnotes.textEnd.map { Swift.min($0, end) } ?? end
    space.fragmentainer.size = state.stalled < Self.mostStalled ? room : nil
    space.fragmentainer.isAtStart = true
    space.fragmentainer.isPaper = context.settings.isPrinted
    space.fragmentainer.offset = start
    space.fragmentainer.inlineOffset = root.offset.inline
    space.resumedFloats = state.pushed.filter { !context.isWaitingPageFloat($0) }
    space.fragmentainer.earlyBreak = place
    var result = context.layout(BoxTree.root, in: space, from: token, &progress)
    result.next = result.fragment.isNone ? nil : result.rest
    if space.fragmentainer.size == nil, !result.fragment.isNone {
      context.page.insert(.overflows, into: result.fragment)
    }
    let shift = context.relativeShift(of: BoxTree.root, containing: area, direction: space.direction)
    context.page.setRoot(result.fragment, at: LogicalOffset(inline: root.offset.inline, block: start) + shift)
    if !result.fragment.isNone {
      var positioned = result.outOfFlow
      if context.settings.isPrinted {
        // The initial containing block is the first page's area (CSS Paged Media 3, section 3).
        if let token {
          positioned.removeAll { context.isPlacedAhead($0, of: .none, containsFixed: false, from: token) }
        } else if result.next != nil {
          positioned +=
            context.positionedAhead(of: BoxTree.root, in: space, after: result, isInitial: true)?.boxes ?? []
        }
      }
      context.layoutInitialContainingBlock(positioned, root: result.fragment, size: area, progress: &progress)
      for positioned in state.pushedPositioned.near {
        context.resume(
          positioned, root: result.fragment, size: area, mayPart: state.stalled < Self.mostStalled, progress: &progress)
      }
      context.placeStickyBoxes(in: result.fragment)
    }
    return result
  }

  /// The space of a root element in flow, and where its border box begins on the first page.
  private var rootInFlow: (space: ConstraintSpace, offset: LogicalOffset) {
    let area = context.contentAreaSize
    let root = context.tree.boxes[BoxTree.root.index]
    var space = ConstraintSpace(
      mode: context.mode, availableInline: area.inline, percentageBlock: area.block,
      direction: context.styles.paragraphs[root.style.paragraph.index].direction)
    let sizing = context.inlineSizing(of: BoxTree.root, available: area.inline, space: space)
    let margins = context.margins(of: BoxTree.root, availableInline: area.inline)
    space.imposed.inline = sizing.inlineSize
    space.geometry = sizing.geometry
    let start = Swift.min(margins.blockStart, area.block / Self.mostMarginPart)
    return (space, LogicalOffset(inline: sizing.lineLeft, block: start))
  }
}
