package import BoxGeneration
import CSS
package import Fonts
import Glibc
package import Images
package import Primitives
package import Shaping
package import Styling
import Text

/// How the reader wants pages.
package struct LayoutSettings: Sendable, Hashable {
  /// The page box, physical.
  package var pageSize: Size
  /// Page margins, physical: top, right, bottom, left.
  package var margins: [LayoutUnit]
  /// CSS px of the root font size.
  package var rootFontSize: Float
  package var limits = Limits()
  /// Whether `size` in the book's `@page` rules counts, and their margins, borders and paddings.
  package var takesBookPageSize = false
  package var takesBookMargins = false
  /// The way pages follow each other: where it is left to right, the first page is a right-hand one.
  package var pageProgression = TextDirection.ltr
  /// Whether lines stand on a grid of the page.
  package var baselineGrid = false
  /// Whether what a page has left is spread over the gaps between its paragraphs, so that facing pages are equally deep.
  package var balancesPages = false
  /// Whether 。！？ within a line give up their blank half where a Chinese line is made narrower.
  package var reducesStops = true
  /// Whether floats that hold one large letter are aligned by its ink, which browsers do not.
  package var alignsInitials = true
  /// Whether tables wider than the page are set in smaller type, which browsers do not.
  package var shrinksWideTables = true
  /// Whether the page is laid out in fixed places, so that what reaches over its end is cut off.
  package var isFixedPage = false
  /// Whether the place of every cluster is kept, for carets and selections.
  package var recordsClusters = false
  package init(pageSize: Size, margins: [LayoutUnit], rootFontSize: Float) {
    self.pageSize = pageSize
    self.margins = margins
    self.rootFontSize = rootFontSize
  }
  /// The page margin that pages begin with.
  func spaceAbovePage(in mode: WritingMode) -> LayoutUnit {
    Swift.max(
      .zero, FlowEdges(top: margins[0], right: margins[1], bottom: margins[2], left: margins[3], in: mode).blockStart)
  }
  /// How far marks may stand out of lines: to the page's edge at most.
  func protrusionLimit(in mode: WritingMode) -> LayoutUnit {
    mode.isHorizontal ? Swift.min(margins[1], margins[3]) : Swift.min(margins[0], margins[2])
  }
  package var contentArea: Rect {
    Rect(width: pageSize.width, height: pageSize.height).insetBy(
      top: margins[0], right: margins[1], bottom: margins[2], left: margins[3])
  }
}

/// How good a break would be (CSS Fragmentation 3, section 4.4); a better earlier one is preferred to a worse later one.
package enum BreakRank: Int, Comparable, Sendable {
  /// Against a rule that cannot be kept: between the parts of something that does not fit any page.
  case lastResort
  /// Against `break-*: avoid`.
  case violatesAvoid
  /// Too few lines before the break, or after it: the latter is given up first.
  case violatesOrphans, violatesWidows
  case perfect
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// The rule that such a break fails, for records; nil when it keeps all.
  package var name: String? {
    switch self {
    case .perfect: nil
    case .violatesWidows: "widows"
    case .violatesOrphans: "orphans"
    case .violatesAvoid: "avoid"
    case .lastResort: "unbreakable"
    }
  }
}

/// A place on the page where it could have been broken.
package enum Breakpoint: Hashable, Sendable {
  /// Between a block-level box and the sibling before it.
  case before(BoxID)
  /// Inside a paragraph after so many lines on this page.
  case line(BoxID, count: Int)
  /// Before a row of a table.
  case row(BoxID, index: Int)
}

/// A place on the page where it could have been broken, and how good that would be.
package struct NotedBreakpoint: Sendable {
  package var place: Breakpoint
  package var rank: BreakRank
  /// Where on the page what comes before it ends, and the margins below that.
  var block: LayoutUnit
  var strut: MarginStrut
}

/// All that layout of one chapter needs and makes. One worker at a time uses it.
///
/// Layout functions are methods in extensions, a file for each formatting context. They append to `page`, the page being
/// made, and return a `LayoutResult`; a trial is forgotten by `rewind`.
package final class LayoutContext {
  package let tree: BoxTree
  package let styles: StyleTable
  package let fonts: FontBook
  package let shaper: Shaper
  package let images: ImageStore
  /// The settings, with the page box of the page being made.
  @exclusivity(unchecked) package internal(set) var settings: LayoutSettings
  /// The settings with the reader's page box.
  let readerSettings: LayoutSettings
  /// The writing mode of what is being laid out: the page's, and inside a box that turns from it the box's.
  @exclusivity(unchecked) package internal(set) var writingMode: WritingMode {
    didSet { isCentral = writingMode.isCentral }
  }
  /// Whether lines have a central baseline now.
  @exclusivity(unchecked) private(set) var isCentral: Bool
  /// The pitch of the page's lines, with a grid.
  private(set) var gridPitch: LayoutUnit?
  /// Whether any style has another writing mode than the page.
  let hasTurnedFlows: Bool

  /// Whether any text has emphasis marks.
  let hasEmphasis: Bool

  /// The page being made. Every piece of a line is written to it, by one function at a time: run-time checks of exclusive
  /// access would only cost.
  @exclusivity(unchecked) package var page = PageLayout()
  @exclusivity(unchecked) package var statistics = StageStatistics()
  /// Nanoseconds on the wall that shaping took of layout's.
  @exclusivity(unchecked) package var shapingTime: UInt64 = 0
  @exclusivity(unchecked) package var diagnostics = DiagnosticSink()

  /// The best place met on this page for a break that is earlier than the one the page ends with.
  @exclusivity(unchecked) package var bestBreakpoint: NotedBreakpoint?
  /// The place where this try at the page must break.
  @exclusivity(unchecked) package var earlyBreak: Breakpoint?
  /// The worst rank of a break that this try at the page made.
  @exclusivity(unchecked) package var usedRank = BreakRank.perfect

  /// What the columns around the box being laid out have met.
  @exclusivity(unchecked) var columns = ColumnState()
  let footnoteIndex: FootnoteIndex
  /// Whether any box names its page.
  let hasNamedPages: Bool

  /// How many boxes that forbid breaks inside are open.
  @exclusivity(unchecked) package var avoidDepth = 0
  /// Lines set below the last heading: a page does not end before there are `linesKeptWithHeading`.
  @exclusivity(unchecked) var linesBelowHeading = LayoutContext.linesKeptWithHeading
  static let linesKeptWithHeading = 2
  /// What pictures leave of the page's height to what is to stand on the page with them.
  var pictureReserve = LayoutUnit.zero
  /// The distance of tabs in the style asked for last.
  @exclusivity(unchecked) var knownTabInterval: (style: ComputedStyle, interval: Advance)?
  /// Words wider than their cell are broken: the table around them was squeezed onto the page.
  @exclusivity(unchecked) var breaksWordsToFit = false
  /// Columns are measured as narrow as anything can make them.
  @exclusivity(unchecked) var measuresLeast = false
  /// Min-content sizes are those of words that are broken at any letter.
  @exclusivity(unchecked) var measuresBrokenWords = false
  /// How much smaller what is being laid out will be made: it has so much more room on the page.
  @exclusivity(unchecked) var contentScale = 1.0
  /// What is being laid out lies on its side: its lines go along the height of the page.
  @exclusivity(unchecked) var liesDown = false
  @exclusivity(unchecked) var lyingSizes = LyingSizes()
  /// Floats that did not fit on this page, in order: they come first on the next one.
  @exclusivity(unchecked) var carriedFloats: [CarriedFloat] = []
  /// Floats of the page before, waiting for the root's content to start.
  @exclusivity(unchecked) var resumedFloats: [CarriedFloat] = []
  /// The initial letter placed last: where the lines beside it end, in its formatting context's coordinates, and how far the
  /// first of them has to move down.
  @exclusivity(unchecked) var placedInitial: (end: LayoutUnit, rise: LayoutUnit)?
  /// An initial letter that is set as part of its first line: its text has too few lines.
  @exclusivity(unchecked) var plainInitial = BoxID.none
  /// Positioned boxes inside floats, offsets relative to the fragment that the float is attached to.
  @exclusivity(unchecked) var pendingOutOfFlow: [OutOfFlowBox] = []

  /// Boxes of absolutely positioned fragments on the page being made, and of ones that were only tried.
  @exclusivity(unchecked) var placedPositioned: [FragmentID: BoxID] = [:]
  /// Absolutely positioned boxes that reach over the page's end, and their offsets from the corner of the page's area.
  @exclusivity(unchecked) var placesOverPageEnd: [BoxID: LogicalOffset] = [:]
  /// Absolutely positioned boxes, or what is left of them, that stand on later pages.
  @exclusivity(unchecked) var carriedPositioned: [CarriedPositioned] = []

  /// Boxes are laid out as if they were empty once this is requested: the page is worth nothing then, nor is what has been
  /// measured.
  @exclusivity(unchecked) package var cancellation = Cancellation()

  /// Bounds the work that trials inside trials make, which grows with a power of their nesting.
  @exclusivity(unchecked) var trials = TrialBudget()

  /// Scratch that is kept between paragraphs.
  @exclusivity(unchecked) var inline = InlinePool()
  @exclusivity(unchecked) var lengthCache: [LengthBasis?] = []
  @exclusivity(unchecked) var intrinsicCache: [BoxID: IntrinsicSizes] = [:]
  /// How wide the long annotations of ruby bases are.
  @exclusivity(unchecked) var annotationWidths: [BoxID: Advance] = [:]
  @exclusivity(unchecked) var tableModels: [BoxID: TableModel] = [:]
  /// Tables whose words are wider than the page, and the share of their inline paddings that their cells keep.
  @exclusivity(unchecked) var narrowTables: [BoxID: Double] = [:]
  /// Items of flex and grid containers in rows.
  @exclusivity(unchecked) var itemRows: [ItemRowsKey: ItemRows] = [:]
  /// Border widths of the cells of tables in the collapsing model.
  @exclusivity(unchecked) var collapsedBorders: [BoxID: FlowEdges] = [:]
  /// Sizes of boxes across the lines around them.
  @exclusivity(unchecked) var turnedSizes: [MeasureKey: LayoutUnit] = [:]
  @exclusivity(unchecked) var measureCache: [MeasureKey: (block: LayoutUnit, firstBaseline: LayoutUnit?)] = [:]
  /// Boxes that would rather not be broken, as if pages had no end.
  @exclusivity(unchecked) var wholeBoxes: [MeasureKey: WholeBox] = [:]

  package init(
    tree: BoxTree, styles: StyleTable, fonts: FontBook, shaper: Shaper, images: ImageStore, settings: LayoutSettings
  ) {
    self.tree = tree
    self.styles = styles
    self.fonts = fonts
    self.shaper = shaper
    self.images = images
    self.settings = settings
    readerSettings = settings
    footnoteIndex = FootnoteIndex(tree)
    hasNamedPages = styles.pages.contains { !$0.page.isEmpty }
    hasEmphasis = tree.texts.attributes.emphases.count > 1
    let mode = tree.writingMode
    writingMode = mode
    isCentral = mode.isCentral
    hasTurnedFlows = styles.paragraphs.contains { $0.writingMode != mode }
    lengthCache = [LengthBasis?](repeating: nil, count: styles.fonts.count)
    if settings.baselineGrid { gridPitch = bodyLineHeight() }
  }

  /// A state to go back to: what is laid out after it was only tried.
  struct Mark {
    fileprivate(set) var page: PageLayout.Mark
    fileprivate var carriedFloats, pendingOutOfFlow, carriedPositioned, linesBelowHeading: Int
  }
  func mark() -> Mark {
    Mark(
      page: page.mark(), carriedFloats: carriedFloats.count, pendingOutOfFlow: pendingOutOfFlow.count,
      carriedPositioned: carriedPositioned.count, linesBelowHeading: linesBelowHeading)
  }
  func rewind(to mark: Mark) {
    page.rewind(to: mark.page)
    carriedFloats.removeLast(Swift.max(0, carriedFloats.count - mark.carriedFloats))
    pendingOutOfFlow.removeLast(Swift.max(0, pendingOutOfFlow.count - mark.pendingOutOfFlow))
    carriedPositioned.removeLast(Swift.max(0, carriedPositioned.count - mark.carriedPositioned))
    linesBelowHeading = mark.linesBelowHeading
  }

  // MARK: Places to break at

  /// The rank of a break between two boxes where the rule of their styles is `rule`.
  func rank(of rule: BreakBetweenSiblings) -> BreakRank {
    rule.isAvoided || avoidDepth > 0 || linesBelowHeading < Self.linesKeptWithHeading ? .violatesAvoid : .perfect
  }

  /// Remembers a place where the page may be broken: what stands before it ends at `block`, above the margins of `strut`.
  /// Ties go to the later place.
  func note(_ place: Breakpoint, rank: BreakRank, block: LayoutUnit, strut: MarginStrut = MarginStrut()) {
    let rank = avoidDepth > 0 ? Swift.min(rank, .violatesAvoid) : rank
    if let best = bestBreakpoint, best.rank > rank { return }
    bestBreakpoint = NotedBreakpoint(place: place, rank: rank, block: block, strut: strut)
  }
}

/// Counts what is laid out more than once. Boxes measured, or tried beside floats, inside boxes that are themselves measured
/// or tried can ask for exponentially many trials; real books nest few, and never come near the bound.
struct TrialBudget {
  /// Boxes laid out by nested trials on one page before no more trials are made.
  static let limit = 100_000
  /// Trials that may be open without being counted.
  static let freeDepth = 3

  private(set) var depth = 0
  private var work = 0

  /// Whether boxes may still be laid out only to see how large they are.
  var isExhausted: Bool { work > Self.limit }
  mutating func begin() { depth += 1 }
  mutating func end() { depth -= 1 }
  /// A box is laid out.
  mutating func count() { if depth > Self.freeDepth { work += 1 } }
  /// A column nested in so many others is laid out, which none but hostile content asks for often.
  mutating func count(columnAtDepth depth: Int) { if depth > 2 { work += Self.limit / 2000 } }
  /// A new page begins.
  mutating func reset() { self = TrialBudget() }
}

/// Nanoseconds of a clock on the wall. Asked once a paragraph: unlike a thread's processor time it needs no system call.
func wallTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
