import BoxGeneration
import Primitives
import Styling
import Text

/// Pages that are optimized, not only filled: where a page would end short, with a hyphen, or against a rule, texts on it are set
/// in one line more or less, as far as their words allow. Where they do not, those of the page before it are. A last page of a few
/// lines is tried to be avoided, too; seldom with success.
///
/// A page is chosen from its break token and what is behind that, whatever the pages before it are.
extension PageComposer {
  /// Pages made to find one without a fault, beside the first.
  private static let mostTrials = 5
  /// Lines that a page may lack for its texts to make up for them.
  private static let mostLinesShort = 4
  /// The fewest lines on the last page of a chapter.
  private static let leastLastLines = 4

  /// A page as it could be.
  struct Trial {
    var looseness: [BoxID: Int8] = [:]
    let made: MadePage
    /// The faults of the page, weighed: 0 for nothing.
    var faults: Int
    /// Lines that could stand below its last one, and how high they are.
    var linesShort: Int
    var shortage = LayoutUnit.zero
  }

  /// A page that was chosen.
  struct Choice {
    var best: Trial
    /// The texts that may be longer or shorter, where that was asked.
    var texts: LooseTexts?
    /// The chapter goes on behind the page, which could end elsewhere.
    var isOpen = true
  }

  /// Makes the page as the flow fills it, or a better one where there is one.
  mutating func composeBest() -> LayoutResult {
    shortening = .zero
    let known = pageAhead
    pageAhead = nil
    guard state.stalled == 0, state.pushed.isEmpty, state.pushedPositioned.isEmpty, held == nil else { return make() }
    let footnotes = state.footnotes
    guard context.settings.composition.optimizesPages else {
      let result = make()
      return context.settings.deviations.fillsLastPages ? leavingLines(result, [:], footnotes) : result
    }
    var choice = known?.choice(at: token, on: context.page) ?? choose()
    if choice.isOpen { heedNextPage(&choice, footnotes) }
    var result = show(choice.best.made)
    guard choice.isOpen else { return result }
    if context.settings.deviations.fillsLastPages {
      result = leavingLines(result, choice.best.looseness, footnotes)
    }
    if choice.best.linesShort > 0, shortening == .zero { context.balancePage(by: choice.best.shortage) }
    return result
  }

  /// Tries to end a page earlier, each by one line more.
  private static let mostShortenings = 3
  /// The part of a page, a fifth, that it gives up at the most.
  private static let mostShortenedPart = 5
  /// The part of it, a third, that stays blank at the most where more goes along with the lines given up.
  private static let mostBlankPart = 3

  /// The page laid out, `result`, or one that ends a few lines earlier, so that the chapter's last page has four lines.
  private mutating func leavingLines(_ result: LayoutResult, _ looseness: [BoxID: Int8], _ footnotes: FootnoteFlow)
    -> LayoutResult
  {
    guard let next = result.next, !next.isForced, areContentsComplete, !context.isCancelled,
      context.mayBeShort(from: next)
    else { return result }
    let end = context.pageEnd
    guard end.pitch > .zero, let behind = linesBehind(next), behind > 0, behind < Self.leastLastLines else {
      return result
    }
    let missing = Self.leastLastLines - behind
    let whole = MadePage(result, by: self)
    for more in 0..<Self.mostShortenings {
      shortening = end.pitch * (end.linesShort + missing + more)
      guard shortening * Self.mostShortenedPart <= context.contentAreaSize.block else { break }
      state.footnotes = footnotes
      let shorter = make(looseness)
      // What is not to be parted may go to the next page with the lines, and leave more blank.
      guard let next = shorter.next, !next.isForced, areContentsComplete, progress.usedRank == .perfect,
        context.pageEnd.blank * Self.mostBlankPart <= context.contentAreaSize.block
      else { continue }
      if let found = linesBehind(next), found >= Self.leastLastLines { return shorter }
    }
    shortening = .zero
    return show(whole)
  }

  /// The best page that begins at the token of the state. Another one may be laid out.
  private mutating func choose() -> Choice {
    let footnotes = state.footnotes
    var choice = Choice(best: trial(with: [:]))
    guard let next = choice.best.made.result.next, !next.isForced, areContentsComplete, !context.isCancelled else {
      choice.isOpen = false
      return choice
    }
    let looksOn = context.mayBeShort(from: next)
    if choice.best.faults == 0, !looksOn { return choice }
    var texts = LooseTexts(on: context.page, from: token, context)
    let behind = looksOn ? linesBehind(next) : nil
    choice.best.faults += faults(ofLinesBehind: behind)
    let first = choice.best
    for shift in shifts(for: first, linesBehind: behind) {
      guard let looseness = texts.looseness(by: shift, context) else { continue }
      state.footnotes = footnotes
      var other = trial(with: looseness)
      if let behind, other.made.result.next != nil {
        other.faults += faults(ofLinesBehind: behind + shift - first.linesShort + other.linesShort)
      }
      if other.faults < choice.best.faults { choice.best = other }
      if choice.best.faults == 0 { break }
    }
    choice.texts = texts
    return choice
  }

  /// Takes another page that is as good, where the one behind it cannot be made good after the page chosen. The page
  /// behind is kept for its turn.
  private mutating func heedNextPage(_ choice: inout Choice, _ footnotes: FootnoteFlow) {
    guard var behind = pageBehind(choice.best) else { return }
    defer { pageAhead = behind }
    guard behind.faults > 0 else { return }
    if choice.texts == nil {
      choice.texts = LooseTexts(on: context.page, from: token, context)
    }
    for shift in [1, -1, 2, -2] {
      guard let looseness = choice.texts?.looseness(by: shift, context), looseness != choice.best.looseness else {
        continue
      }
      state.footnotes = footnotes
      let other = trial(with: looseness)
      guard other.faults <= choice.best.faults, let next = pageBehind(other) else { continue }
      if next.faults < behind.faults { (choice.best, behind) = (other, next) }
      if behind.faults == 0 { return }
    }
  }

  /// The page behind another one, at its best; nil behind the last one. The other one is laid out.
  private mutating func pageBehind(_ trial: Trial) -> PageAhead? {
    guard let next = show(trial.made).next else { return nil }
    return lookingOn(to: next) { composer in
      let (geometry, traits) = (composer.context.page.geometry, composer.context.page.traits)
      return PageAhead(token: next, geometry: geometry, traits: traits, choice: composer.choose())
    }
  }

  /// Makes pages from a place on, behind the page that is laid out, which stays so.
  private func lookingOn<Found>(to next: BreakToken, _ find: (inout PageComposer) -> Found) -> Found {
    let page = context.page.kept
    defer { context.page.restore(page) }
    var composer = self
    composer.begin(at: next)
    return find(&composer)
  }

  /// Makes the page with some texts longer or shorter.
  private mutating func trial(with looseness: [BoxID: Int8]) -> Trial {
    let result = make(looseness)
    var trial = Trial(looseness: looseness, made: MadePage(result, by: self), faults: 0, linesShort: 0)
    guard areContentsComplete else {
      trial.faults = .max / 2
      return trial
    }
    guard let next = result.next, !next.isForced else { return trial }
    switch Swift.min(progress.usedRank, context.rank(ofBreakAt: next)) {
    case .perfect: break
    case .violatesWidows, .violatesOrphans: trial.faults = 60
    case .violatesAvoid: trial.faults = 120
    case .lastResort: trial.faults = 240
    }
    let end = context.pageEnd
    if end.isHyphenated { trial.faults += 30 }
    trial.linesShort = end.linesShort
    trial.shortage = end.pitch * end.linesShort
    trial.faults += 10 * Swift.min(end.linesShort, 10)
    return trial
  }

  /// The page shows all of its contents: nothing of them waits for later pages, or stands below them at its foot.
  private var areContentsComplete: Bool {
    progress.pushedFloats.isEmpty && progress.pushedPositioned.isEmpty && !state.pushedPositioned.hasFar
      && state.footnotes.pending.isEmpty
      && !state.footnotes.areOnPage && pageFloats.isEmpty && !context.page.root.isNone
  }

  private func faults(ofLinesBehind lines: Int?) -> Int {
    guard let lines, lines > 0 else { return 0 }
    return 15 * Swift.max(0, Self.leastLastLines - lines)
  }

  /// By how many lines the texts of a page should be longer or shorter, best ways first.
  private func shifts(for page: Trial, linesBehind behind: Int?) -> ArraySlice<Int> {
    var shifts: [Int] = []
    let short = page.linesShort
    if let behind, behind < Self.leastLastLines { shifts += [short - behind, short + Self.leastLastLines - behind] }
    if page.faults > faults(ofLinesBehind: behind) {
      switch short {
      case 0: shifts += [1, -1, 2, -2]
      case 1: shifts += [1, -1, -2, 2]
      case 2...Self.mostLinesShort: shifts += [short, -1, -2, short - 1]
      default: break
      }
    }
    return shifts.filter { $0 != 0 }.prefix(Self.mostTrials)
  }

  /// The lines that the chapter has left, blank ones aside; nil where they are more than a page holds.
  private func linesBehind(_ next: BreakToken) -> Int? {
    lookingOn(to: next) { composer in
      let result = composer.make()
      guard result.next == nil, composer.areContentsComplete else { return nil }
      return composer.context.page.lines.elements.count { $0.contentWidth > .zero }
    }
  }
}

extension LayoutContext {
  /// Texts with fewer UTF-16 units may be a few lines.
  private static let fewUnits = 600

  /// The text behind the place is so short that it may be a few lines.
  fileprivate func mayBeShort(from token: BreakToken) -> Bool {
    var token = token
    while !token.isBreakBefore, token.nextChild.isNone || !token.children.isEmpty, let child = token.children.first {
      token = child
    }
    var units = 0
    let first = token.nextChild.isNone ? token.box : token.nextChild
    for index in first.index..<tree.boxes.count {
      let box = tree.boxes[index]
      if box.content == .replaced { return false }
      guard box.content == .text, !box.text.isNone else { continue }
      units += tree.texts.texts[box.text.index].units.count
      if index == token.box.index, case .lines(let place?, _) = token.place { units -= Int(place.unit) }
      if units > Self.fewUnits { return false }
    }
    return true
  }

  /// The part of a page, a quarter, that boxes which are not to be parted from each other leave blank at the most.
  private static let mostChainPart = 4
  /// Lines of such boxes, of which fewer are a heading or a caption.
  private static let leastChainLines = 5
  /// Lines of headings below each other, of which fewer are a title with all that belongs to it.
  private static let leastHeadingLines = 10

  /// Text that would move to the next page for a rule that keeps boxes together begins at `block`, and is more than a
  /// heading: a list all of whose items are to stay with the next one, or a table of contents made of headings.
  func movesLongChain(from block: LayoutUnit, endsInHeading: Bool) -> Bool {
    guard settings.deviations.keepsTitles, contentAreaSize.block - block > contentAreaSize.block / Self.mostChainPart,
      !page.root.isNone
    else { return false }
    var lines = 0
    var open = [(page.root, page[page.root].offset.block)]
    while let (id, top) = open.popLast() {
      let fragment = page[id]
      if fragment.kind == .line {
        if top + .epsilon >= block { lines += 1 }
        continue
      }
      guard top + fragment.size.block > block else { continue }
      if tree.boxes[fragment.box.index].content == .replaced { return false }
      var child = fragment.firstChild
      while !child.isNone {
        open.append((child, top + page[child].offset.block))
        child = page[child].nextSibling
      }
    }
    return lines >= (endsInHeading ? Self.leastHeadingLines : Self.leastChainLines)
  }

  /// The end of the page.
  fileprivate var pageEnd: (isHyphenated: Bool, linesShort: Int, pitch: LayoutUnit, blank: LayoutUnit) {
    var bottom = LayoutUnit.zero
    var last = FragmentID.none
    func walk(_ id: FragmentID, _ top: LayoutUnit) {
      let fragment = page[id]
      if fragment.flags.contains(.positioned) { return }
      let isLine = fragment.kind == .line
      if isLine || fragment.firstChild.isNone && tree.boxes[fragment.box.index].content == .replaced {
        let end = top + fragment.size.block
        if isLine, end >= bottom { last = id }
        bottom = Swift.max(bottom, end)
        return
      }
      var child = fragment.firstChild
      while !child.isNone {
        walk(child, top + page[child].offset.block)
        child = page[child].nextSibling
      }
    }
    walk(page.root, page[page.root].offset.block)
    guard !last.isNone else { return (false, 0, .zero, .zero) }
    let pitch = lineMetrics(tree.boxes[page[last].box.index].style.font).lineHeight
    let spare = contentAreaSize.block - bottom + .epsilon
    return (
      page.line(of: last).isHyphenated,
      pitch > .zero && spare > .zero ? Int(spare.rawValue / pitch.rawValue) : 0, pitch, Swift.max(.zero, spare)
    )
  }
}
