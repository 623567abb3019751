import BoxGeneration
import Primitives

/// The progress of the flow on the page, or in the column, so far. Each box takes it on from the box before and hands
/// it on: a trial that is given up hands on what it was given.
struct FlowProgress {
  /// A page does not end before so many lines stand below its last heading.
  static let linesKeptWithHeading = 2

  /// The best place met for a break that is earlier than the one the page ends with.
  private(set) var bestBreak: NotedBreakpoint?
  /// The worst rank of a break that was made.
  private(set) var usedRank = BreakRank.perfect
  /// Such a place has been met in boxes that began on this page.
  private var offersBreakInBegunBox = false
  /// Lines set below the last heading, as far as they count.
  private(set) var linesBelowHeading = FlowProgress.linesKeptWithHeading
  /// Content below the end of a trial has been left out.
  private(set) var leavesOut = false
  private(set) var columns = ColumnProgress()
  /// Nil where nothing is carried to the next page, as on nearly all: it goes from box to box for nothing then.
  private var pushed: Pushed?

  /// - Parameter columns: The breaks that the columns before have met.
  init(columns: ColumnProgress = ColumnProgress()) { self.columns = columns }

  /// Written to by one progress alone: those that share it take a copy first (`change`).
  private final class Pushed {
    var floats: [PushedFloat] = []
    var positioned: [PushedPositioned] = []
    var raised: [PushedPositioned] = []
    var fixed: [OutOfFlowBox] = []
    var pageFloats: [PageFloat] = []

    init() {}
    init(_ other: Pushed) {
      floats = other.floats
      positioned = other.positioned
      raised = other.raised
      fixed = other.fixed
      pageFloats = other.pageFloats
    }
    var isEmpty: Bool { floats.isEmpty && positioned.isEmpty && raised.isEmpty && fixed.isEmpty && pageFloats.isEmpty }
  }

  /// Floats that did not fit, in order: they come first on the next page.
  var pushedFloats: [PushedFloat] {
    get { pushed?.floats ?? [] }
    set { change { $0.floats = newValue } }
  }
  /// Absolutely positioned boxes, or what is left of them, that stand on later pages.
  var pushedPositioned: [PushedPositioned] {
    get { pushed?.positioned ?? [] }
    set { change { $0.positioned = newValue } }
  }
  /// Absolutely positioned boxes that stand on the page before; their places are above the start of this one.
  var raisedPositioned: [PushedPositioned] {
    get { pushed?.raised ?? [] }
    set { change { $0.raised = newValue } }
  }
  /// The fixed boxes met, which stand on all pages.
  var fixed: [OutOfFlowBox] {
    get { pushed?.fixed ?? [] }
    set { change { $0.fixed = newValue } }
  }
  /// The floats of the page that the flow has met, in order: they stand at its edges, or those of a later page.
  private(set) var pageFloats: [PageFloat] {
    get { pushed?.pageFloats ?? [] }
    set { change { $0.pageFloats = newValue } }
  }
  mutating func meet(_ float: PageFloat) {
    if !pageFloats.contains(where: { $0.box == float.box }) { pageFloats.append(float) }
  }
  mutating func push(_ float: PushedFloat) { change { $0.floats.append(float) } }
  mutating func push(_ floats: ArraySlice<PushedFloat>) { change { $0.floats += floats } }
  mutating func push(_ positioned: PushedPositioned) { change { $0.positioned.append(positioned) } }
  mutating func raise(_ positioned: PushedPositioned) { change { $0.raised.append(positioned) } }

  private mutating func change(_ body: (Pushed) -> Void) {
    if !isKnownUniquelyReferenced(&pushed) { pushed = pushed.map { Pushed($0) } ?? Pushed() }
    guard let pushed else { return }
    body(pushed)
    if pushed.isEmpty { self.pushed = nil }
  }

  /// Goes back to what had been met before a trial. What columns lack for it is known from now on.
  mutating func rollBack(to before: FlowProgress) {
    let trial = self
    self = before
    keepShortage(of: trial)
  }
  /// Remembers what columns lacked in a trial that was given up.
  mutating func keepShortage(of trial: FlowProgress) { columns = trial.columns }
  /// Goes on from what a box has met, where something of it is on this page.
  mutating func adopt(_ inside: FlowProgress, of result: LayoutResult) {
    if result.fragment.isNone { keepShortage(of: inside) } else { self = inside }
  }

  // MARK: Columns

  /// Something reaches `amount` beyond the end of its column. `stays` when it is left there.
  mutating func noteShortage(_ amount: LayoutUnit, stays: Bool = false) {
    columns.noteShortage(amount, stays: stays)
  }
  /// The column ends before a `column-span: all` box.
  mutating func endColumn(before spanner: BoxID) { columns.spanner = spanner }
  /// The column ends at a forced break, and its page too unless that is one between columns.
  mutating func endColumn(by forced: ForcedBreak) { columns.endsPage = forced != .column }
  /// Forgets at what the columns before have ended.
  mutating func beginColumn() {
    columns.spanner = .none
    columns.endsPage = false
  }

  // MARK: Breaks of its own

  /// Forgets the breaks met: content whose breaks are none of the flow's begins.
  mutating func forgetBreaks() {
    bestBreak = nil
    usedRank = .perfect
    offersBreakInBegunBox = false
  }
  /// Takes over what such content has met.
  mutating func takeOver(_ inside: FlowProgress) {
    let (best, used, offers) = (bestBreak, usedRank, offersBreakInBegunBox)
    self = inside
    (bestBreak, usedRank, offersBreakInBegunBox) = (best, used, offers)
  }

  /// Content is left out: the trial ends above it.
  mutating func leaveOut() { leavesOut = true }

  // MARK: Headings

  var isBelowHeading: Bool { linesBelowHeading < Self.linesKeptWithHeading }
  mutating func meetHeading() { linesBelowHeading = 0 }
  mutating func meetLines(_ count: Int) {
    linesBelowHeading = Swift.min(linesBelowHeading + count, Self.linesKeptWithHeading)
  }
  /// Something other than lines stands below the heading.
  mutating func leaveHeading() { linesBelowHeading = Self.linesKeptWithHeading }

  /// The text under the last heading ends at a place before another heading, however short it is.
  private func endsBody(_ rule: BreakBetweenSiblings) -> Bool { linesBelowHeading > 0 && rule.precedesHeading }

  // MARK: Breaks

  /// The rank of a break between two boxes where the rule of their styles is `rule`. `isAvoided`: a box around them forbids it.
  func rank(of rule: BreakBetweenSiblings, isAvoided: Bool) -> BreakRank {
    rule.isAvoided || isAvoided || isBelowHeading && !endsBody(rule) ? .violatesAvoid : .perfect
  }

  /// Remembers a place where the page may be broken: what stands before it ends at `block`, above the margins of `strut`.
  /// Ties go to the later place.
  mutating func note(
    _ place: Breakpoint, rank: BreakRank, isAvoided: Bool, block: LayoutUnit, strut: MarginStrut = MarginStrut()
  ) {
    // A break inside a cell or an item above stays one.
    let rank = Swift.min(isAvoided ? Swift.min(rank, .violatesAvoid) : rank, usedRank)
    if let bestBreak, bestBreak.rank > rank { return }
    bestBreak = NotedBreakpoint(place: place, rank: rank, block: block, strut: strut)
    if rank > .lastResort { offersBreakInBegunBox = true }
  }

  /// Notes the break before a row. True where the page ends there, by force or because it is the better place.
  mutating func endsPage(
    at place: Breakpoint, by rule: BreakBetweenSiblings, rank: BreakRank, in fragmentainer: Fragmentainer,
    block: LayoutUnit
  ) -> Bool {
    if rule.isForced {
      endColumn(by: rule.forced)
      return true
    }
    guard fragmentainer.earlyBreak != place else {
      use(rank)
      return true
    }
    note(place, rank: rank, isAvoided: fragmentainer.avoidsBreaks, block: block)
    return false
  }

  /// How much has to go over a break for `least` to stand behind it; nil where less than that would be left before it
  /// (CSS Fragmentation 3, section 3.3).
  static func shortfall<Amount: Comparable & AdditiveArithmetic>(
    before: Amount, behind: Amount, least: Amount
  ) -> Amount? {
    let lack = Swift.max(.zero, least - behind)
    return before - lack < least ? nil : lack
  }

  /// A place for a break that is better than the one that was made.
  var betterBreak: NotedBreakpoint? {
    guard usedRank < .perfect, let bestBreak, bestBreak.rank > usedRank else { return nil }
    return bestBreak
  }

  /// A box ends that began on a page before.
  mutating func leaveResumedBox() { offersBreakInBegunBox = false }

  /// The page ends between the content of a box and its end edge, which is no place for a break (CSS Fragmentation 3,
  /// section 4.1, class C). As in browsers, that is made good by a break in a box that began on this page alone.
  mutating func useEndEdge() { if offersBreakInBegunBox { use(.lastResort) } }

  /// A break of this rank is made.
  mutating func use(_ rank: BreakRank) { usedRank = Swift.min(usedRank, rank) }
}

/// The progress of the columns around a box.
struct ColumnProgress {
  /// By how much columns would have to be higher to take in the next thing that did not fit.
  private(set) var shortage = LayoutUnit.max
  /// Something was set that sticks out of its column, because it can go nowhere else.
  var overflows = false
  /// The `column-span: all` box before which the column ended.
  var spanner = BoxID.none
  /// The column ended at a forced page break, so the page ends too.
  var endsPage = false

  /// Something reaches `amount` beyond the end of its column. `stays` when it is left there.
  mutating func noteShortage(_ amount: LayoutUnit, stays: Bool = false) {
    guard amount > .zero else { return }
    shortage = Swift.min(shortage, amount)
    if stays { overflows = true }
  }
}
