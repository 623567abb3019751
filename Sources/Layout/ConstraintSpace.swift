import BoxGeneration
import CSS
package import Primitives
import Styling

/// The page or column that boxes are laid out on (CSS Fragmentation 3, section 2).
package struct Fragmentainer: Sendable {
  /// Block size of the page area; nil when nothing may break here (measuring, inside monolithic content).
  package var size: LayoutUnit?
  /// Block offset of the formatting context's origin from the area's top, so that adding a block offset gives a place on the
  /// page. For a box that starts a formatting context: of its border box.
  package var offset = LayoutUnit.zero
  /// Line-left offset of the formatting context's origin from the page area's line-left edge; for a box that starts one, of its
  /// border box.
  package var inlineOffset = LayoutUnit.zero
  /// The caller only wants sizes: fragments are thrown away.
  package var isMeasuring = false
  /// Nothing has been placed on this page before the box: breaking before it makes no progress.
  package var isAtStart = false
  /// The place on the page at which the content begins that stands before the box and is not to be parted from it, such as a
  /// heading: `.zero` where no earlier place offers a better break. Nil where a break before the box violates no rule.
  var keptFrom: LayoutUnit?
  /// A box around this one forbids breaks inside.
  var avoidsBreaks = false
  /// Columns around the box, each of them in the one before.
  var columnDepth = 0
  /// A page of paper, not of a screen.
  var isPaper = false
  /// Boxes are cut where it ends, whatever is in them: a column, or a page of paper. On a screen empty ones rather end or move.
  var isStrict: Bool { columnDepth > 0 || isPaper }
  /// The place where this try at the page must break.
  var earlyBreak: Breakpoint?
  /// The containing block whose further parts are laid out ahead, to find the positioned boxes in it: nothing is positioned meanwhile.
  var aheadOf = BoxID.none
  /// The place below which content that may not break may be left out, since the caller goes on in another way once something
  /// reaches so far. Layout that leaves content out says so (`FlowProgress.leavesOut`).
  var trialEnd = LayoutUnit.max

  /// The part of a page at its end, a quarter, where nothing is begun that goes over the end anyway.
  static let tailPart = 4
  /// Pages of paper that show nothing but the empty room of one box, at most: a height of a million pixels makes no thousand pages.
  static let mostEmptyPages = 16
  /// The size of a column without an end, where only forced breaks count.
  static let endlessSize = LayoutUnit.max

  package init() {}

  /// Nothing stands above a place on the page. At its start a column may begin below other content.
  func isPageStart(_ block: LayoutUnit) -> Bool { columnDepth == 0 && block <= .zero }

  /// A `break-inside` value applies to this fragmentainer and avoids breaks.
  func avoidsBreaks(inside value: BreakInside) -> Bool {
    switch value {
    case .auto: false
    case .avoid: true
    case .avoidPage: columnDepth == 0
    case .avoidColumn: columnDepth > 0
    }
  }

  /// The part of a page on a screen that may stay blank where a text is not to be broken.
  private static let mostBlankPart = 0.25

  /// A text that is not to be broken is divided rather than leave so much of the page blank (G2).
  func divides(leaving blank: LayoutUnit) -> Bool { !isStrict && blank > (size ?? .max) * Self.mostBlankPart }
  /// The fewest lines of what is divided that stand on either page: four, or two where more than half of the page would stay blank.
  func leastDividedLines(leaving blank: LayoutUnit) -> Int { blank > (size ?? .max) / 2 ? 2 : 4 }

  /// The page ends earlier.
  mutating func endEarlier(by amount: LayoutUnit) { size = size.map { Swift.max(.zero, $0 - amount) } }

  /// Something of that block size that does not fit at `block` begins there all the same: no page can hold it, and the page has
  /// some room left. In a column and on paper it does unless it would rather not be broken (`isAvoided`).
  func begins(_ blockSize: LayoutUnit, at block: LayoutUnit, isAvoided: Bool = false) -> Bool {
    guard let size else { return true }
    if isStrict, !isAvoided { return block < size }
    return blockSize > size && block <= size - size / Self.tailPart
  }

  /// Something at `block` is below all that the caller wants to see.
  func isBeyondTrial(_ block: LayoutUnit) -> Bool { size == nil && block > trialEnd }

  /// Room that a box leaves empty goes on in the next column or on the next page of paper.
  ///
  /// - Parameter consumed: The block size of the parts of the box so far.
  func carriesEmptyRoom(after consumed: LayoutUnit) -> Bool {
    guard isPaper, columnDepth == 0, let size else { return isStrict }
    return consumed < size * Self.mostEmptyPages
  }

  /// The same place for content that may not break.
  var unbroken: Fragmentainer {
    var inner = Fragmentainer()
    inner.isMeasuring = isMeasuring
    inner.avoidsBreaks = avoidsBreaks
    inner.columnDepth = columnDepth
    inner.isPaper = isPaper
    inner.aheadOf = aheadOf
    return inner
  }
}

/// The input of a layout function: the room it has and its place in the flow.
package struct ConstraintSpace: Sendable {
  /// The circumstances beside the room.
  var mode: MeasureMode
  /// Containing block's content width: what percentages of inline sizes, margins and paddings refer to, and what `auto` fills.
  package var availableInline: LayoutUnit
  /// Containing block's content height when it is definite: what percentages of block sizes refer to.
  package var percentageBlock: LayoutUnit?
  /// The direction of the containing block.
  package let direction: TextDirection
  /// Sizes of the border box that the caller has chosen.
  package var imposed = ImposedSize()
  /// Border and padding, when the caller has computed them already.
  package var geometry: BoxGeometry?
  /// The role of the box for the columns around it.
  var column = ColumnRole.none
  /// No page can hold the box: `break-inside: avoid` of its own says nothing.
  var isTallerThanPage = false
  /// The lines that the box around this one still shows; nil where it shows all.
  var linesLeft: Int32?
  /// Nil for a box that starts a formatting context of its own: exclusions begin empty and margins do not collapse with its
  /// content.
  var flow: FlowPosition?
  package var fragmentainer = Fragmentainer()
  /// The end edges of the boxes around that end with this one, on a screen: room for them is kept below its last line.
  var endReserve = LayoutUnit.zero
  /// Floats that the page before could not hold: the root's, or the column's, content begins with them.
  var resumedFloats: [PushedFloat] = []

  init(
    mode: MeasureMode, availableInline: LayoutUnit, percentageBlock: LayoutUnit? = nil, direction: TextDirection = .ltr
  ) {
    self.mode = mode
    self.availableInline = availableInline
    self.percentageBlock = percentageBlock
    self.direction = direction
  }

  var isNewFormattingContext: Bool { flow == nil }
  /// The inline size of the border box: the one imposed, or the room there is.
  var borderBoxInline: LayoutUnit { imposed.inline ?? availableInline }

  /// The values that a measurement in this space depends on.
  func key(of box: BoxID) -> MeasureKey {
    MeasureKey(
      box: box, availableInline: availableInline, imposed: imposed.whole, percentageBlock: percentageBlock,
      pageInline: fragmentainer.inlineOffset + (flow?.inline ?? .zero), direction: direction,
      isNewFormattingContext: isNewFormattingContext)
  }

  /// The space of a measurement: what its key does not hold is as if the box stood alone.
  var measuring: ConstraintSpace {
    var space = ConstraintSpace(
      mode: mode, availableInline: availableInline, percentageBlock: percentageBlock, direction: direction)
    space.imposed = imposed.whole
    space.geometry = geometry
    space.fragmentainer.isMeasuring = true
    space.fragmentainer.inlineOffset = fragmentainer.inlineOffset
    space.linesLeft = linesLeft
    if let flow { space.flow = FlowPosition(inline: flow.inline) }
    return space
  }
}

/// The size of a border box as its caller has chosen it, whatever `width` and `height` say.
package struct ImposedSize: Hashable, Sendable {
  /// Of flex items, table cells and what is shrunk to fit.
  package var inline: LayoutUnit?
  /// Of flex items, and of table cells stretched to their row.
  package var block: LayoutUnit?
  /// `block` is the least: content that breaks push down makes the box higher.
  var growsWithContent = false
  /// Percentages refer neither to `block` nor to the box's own size.
  package var isIndefinite = false
  /// The block size is the content's: how much a table cell has to align.
  package var ignoresBlockSize = false
  /// The tracks of a subgrid (CSS Grid 2, section 9).
  var tracks = SubgridID.none

  /// The same for a measurement, where no break pushes content down.
  var whole: ImposedSize {
    var size = self
    size.growsWithContent = false
    return size
  }
}

/// Position of a box in the block formatting context (BFC) around it, line-relative from the BFC root's content box.
struct FlowPosition: Sendable {
  /// Place of the box's line-left border edge.
  var inline = LayoutUnit.zero
  /// The place where the box's block-start border edge would be with `strut` not yet added.
  var block = LayoutUnit.zero
  /// Margins that adjoin the box's block-start margin, not its own.
  var strut = MarginStrut()
  /// The block-start border edge is at `block` exactly: clearance has moved it there, and its margin has no effect.
  var isPlaced = false
  /// The block offset is known already (a second try with floats placed right): use it, do not compute it.
  var knownBlock: LayoutUnit?
  var exclusions = ExclusionSpace()
  /// Free room under the text before the box: annotations of its first line may use it.
  var spaceAbove = LayoutUnit.zero
  /// The break that the box follows.
  var startBreak = StartBreak.none
}

/// The break that a box follows, which may drop its block-start margin (CSS Fragmentation 3, section 5.2).
enum StartBreak: Sendable {
  /// Something stands above it.
  case none
  case unforced
  /// The start of the pages or columns, too.
  case forced
  /// The margin is trimmed, whatever the box says.
  case trimmed
}
