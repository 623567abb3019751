import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// A request of the line breaker to its caller, who knows floats and block layout. The breaker stands still meanwhile.
enum LineBreakerEvent {
  /// The line is finished: `items` and `end` hold it.
  case line
  /// A float was met with `contentWidth` of the line filled. Answer with `resolveFloat`.
  case float(BoxID)
  /// An atomic inline was met. Answer with `supplyObject`.
  case object(BoxID)
}

/// Fills a line with as much as fits, then stops (CSS Text 3, section 5).
///
/// A value: a copy of the start is enough to make a line again with another width. `next` yields whenever something has to be
/// laid out before the line can go on. Helpers that every line calls are `mutating`, as those of `BlockFlow` are.
struct GreedyLineBreaker {
  /// A place in the text with what the line measures up to there.
  ///
  /// Boxes that have their edges on each line count with both of them from their start on: a line may end anywhere in
  /// them.
  struct Place {
    var run: Int
    var cluster: Int
    var shapedRun: Int
    var items = 0
    var width: Advance = 0
    var trailing = TrailingSpaces()
    var hasContent = false
    var exists = false
    var rubyDepth = 0
    /// The starts of the ruby containers that are open here; those nested deeper than four share a place.
    var rubyStarts = SIMD4<Int64>()
    /// The run that opens the outermost ruby.
    var rubyRun = 0
    /// The innermost inline box, or the container.
    var box: BoxID
  }

  /// Spaces at the end of a line.
  struct TrailingSpaces {
    var width: Advance = 0
    /// The last of them allows a break after itself.
    var wraps = true
    /// The part of them that is kept and hangs where the line ends: up to the last one that is not a collapsible space.
    var kept: Advance = 0
    /// They are preserved, and hang only as far as they do not fit at a forced break or the text's end.
    var hangs = false
  }

  /// The ends that lines are to have, beside their width.
  struct Request {
    /// The cluster that the next line is to start with, chosen beforehand: the measure is not asked then.
    var target = Int.max
    /// The line is to end no later than before this cluster, if it can.
    var latest = Int.max
    /// The line would rather end without a hyphen.
    var avoidsHyphen = false
    /// `hyphenate-limit-zone`: a line that leaves no more than this without a hyphen does without one.
    var hyphenZone: Advance = 0
    /// The emergency width of text that does not wrap.
    var unwrappedWidth = Advance.max
    /// Places where the line might end are noted, and it does not end there.
    var isCollecting = false
  }

  /// Where a line starts.
  struct LineStartPosition {
    var unit: UInt32 = 0
    var cluster = 0
    /// From the container's start edge, for tab stops.
    var inline: Advance = 0
    /// Lines before it in a row that end in a hyphen.
    var hyphens = 0
    var edges = LineEdges()
  }

  /// The stretch between two pieces of text.
  struct Gap {
    var isOpen = true
    /// Boxes that open in it.
    var depth = 0
    /// The end of a line that breaks there.
    var place: Place
  }

  /// Places where the line could end.
  struct Opportunities {
    var last: Place?
    /// The last one that strict rules allow, too, where the author's are others.
    var firm: Place?
    var isHyphen = false
    /// A hyphenation point that fits only an overflowing line.
    var late: Place?
    /// The last grapheme boundary that fits, while there is no opportunity.
    var graphemeBoundary: Place?
    /// An opportunity in text that does not wrap.
    var suppressed: Place?

    mutating func removeAll() {
      last = nil
      firm = nil
      isHyphen = false
      late = nil
      graphemeBoundary = nil
      suppressed = nil
    }
  }

  /// The ruby on the line.
  struct LineRuby {
    /// The start of the outermost ruby base that is open, and where the last one ended.
    var start = 0
    var end = 0
    /// The outermost bases whose annotations are set together, as far as they stand on the line.
    var group = RubyGroup()
    /// The overhang of the annotation of the last ruby over the cluster that follows it. At a line's end there is none.
    var overhang: Advance = 0
    /// Any annotation on the line reaches over what follows it.
    var hasOverhang = false
    /// The run that opens the ruby that the line begins in; -1 for none.
    var continued = -1
    /// The cluster of its annotation that goes on there.
    var annotationStart = 0
  }

  /// Events that the caller answers.
  struct Yielded {
    /// Floats of runs before this index have been placed or put off.
    var floatsDone = 0
    /// Runs of floats that wait for the next opportunity.
    var waitingFloats: [Int] = []
    /// An atomic inline that has been laid out.
    var object: (index: Int, width: LayoutUnit)?
  }

  let context: LayoutContext
  let paragraph: InlineParagraph
  let runs: Range<Int>
  let container: BoxID
  /// Percentage base of inline edges.
  private let containerInline: LayoutUnit
  /// A word wider than this is broken between graphemes whatever the author says: it fits no line of any page.
  let emergencyWidth: Advance
  let hyphenLimit: Int
  let style: ParagraphStyle
  /// The ends of the line differ from its middle.
  let hasEdges: Bool
  /// The room that the line can give up beside its ends, where justification in steps is asked for.
  let adjustmentRoom: AdjustmentRoom?
  /// Breaks before small kana, which an author allows, are the house's last choice.
  let avoidsKana: Bool
  var request = Request()
  /// The places noted where the line might end.
  var candidates: [BreakCandidate] = []

  /// A break needs to know no more than its place and the width before it.
  var hasPlainEnds: Bool { !hasEdges && adjustmentRoom == nil && !context.inputs.hasClonedEdges }

  var lineStart = LineStartPosition()
  var limit: Advance = 0
  var at: Place
  var gap: Gap
  var opportunities = Opportunities()
  var ruby = LineRuby()
  var isOverflowing = false
  var yielded = Yielded()
  var items: [LineItem]
  var end: LineEnd

  init(
    context: LayoutContext, paragraph: InlineParagraph, text: TextID, container: BoxID, style: ParagraphStyle,
    containerInline: LayoutUnit, emergencyWidth: LayoutUnit, hyphenLimit: Int, items: [LineItem]
  ) {
    self.context = context
    self.paragraph = paragraph
    runs = context.tree.texts.texts[text.index].runs
    self.container = container
    self.containerInline = containerInline
    self.emergencyWidth = emergencyWidth == .max ? .max : emergencyWidth.advance
    self.hyphenLimit = hyphenLimit
    self.items = items
    self.style = style
    hasEdges = context.hasEdges(paragraph, style)
    adjustmentRoom = context.adjustmentRoom(paragraph, style)
    let strictness = context.styles.texts[context.tree.boxes[container.index].style.text.index].lineBreak
    avoidsKana =
      style.conventions == .japanese && strictness != .house && strictness != .strict && strictness != .anywhere
    at = Place(run: runs.lowerBound, cluster: 0, shapedRun: 0, box: container)
    gap = Gap(place: at)
    end = LineEnd(run: at.run, cluster: 0, shapedRun: 0)
  }

  /// Begins a line. `origin` is where it starts from the container's start edge, for tab stops.
  mutating func begin(_ start: LineStart, available: LayoutUnit, origin: LayoutUnit) {
    at = Place(run: start.run, cluster: start.cluster, shapedRun: start.shapedRun, box: start.innermost)
    if hasEdges {
      lineStart.edges = context.lineStart(
        at: start.cluster, in: paragraph, style, isFirst: start.line == 0, afterBreak: start.afterForcedBreak)
      at.width = lineStart.edges.start
    }
    if context.inputs.hasClonedEdges { at.width += clonedEdges(around: at.box) }
    gap.place = at
    gap.isOpen = true
    gap.depth = 0
    opportunities.removeAll()
    isOverflowing = false
    yielded.waitingFloats.removeAll(keepingCapacity: true)
    yielded.object = nil
    items.removeAll(keepingCapacity: true)
    lineStart.hyphens = start.hyphens
    lineStart.inline = origin.advance
    lineStart.unit = unit(of: start.cluster)
    lineStart.cluster = start.cluster
    ruby.end = lineStart.cluster
    ruby.group = RubyGroup()
    ruby.overhang = 0
    ruby.hasOverhang = false
    continueRuby(from: start)
    if !paragraph.reshaped.runs.isEmpty { paragraph.reshaped.removeAll() }
    setAvailable(available)
  }

  /// Changes the width of the line being filled. As in browsers, 1/64 px too much still fits.
  mutating func setAvailable(_ available: LayoutUnit) {
    limit = available == .max ? .max : available.advance + LineTolerance.fit
  }

  /// Width of what is on the line, spaces at its end left out.
  var contentWidth: Advance { at.width - at.trailing.width }
  var hasContent: Bool { at.hasContent }
  /// The innermost inline box where the line stands or has ended.
  var innermost: BoxID { at.box }

  /// Hands the item storage back.
  mutating func takeItems() -> [LineItem] {
    var taken: [LineItem] = []
    swap(&taken, &items)
    return taken
  }

  /// Index of the run of the float last yielded.
  var floatRun: Int { yielded.waitingFloats.first ?? 0 }
  /// A space comes next, which vanishes at the line's start.
  var isBeforeSpace: Bool {
    let clusters = paragraph.shaped.clusters
    return at.cluster < clusters.count - 1 && clusters[at.cluster].flags.contains(.space)
  }
  /// Floats on the line that no opportunity came after: they are in a word that is too long for it.
  mutating func floatsPassed() -> [BoxID] {
    yielded.waitingFloats.prefix { $0 < end.run }.map { context.tree.texts.runs[$0].box }
  }
  /// The yielded float has been placed or put off.
  mutating func resolveFloat() { if !yielded.waitingFloats.isEmpty { yielded.waitingFloats.removeFirst() } }
  mutating func supplyObject(index: Int, width: LayoutUnit) { yielded.object = (index, width) }

  private func unit(of cluster: Int) -> UInt32 {
    cluster < paragraph.shaped.clusters.count ? paragraph.shaped.clusters[cluster].text : 0
  }

  // MARK: Runs

  /// Goes on until the line is finished or something has to be supplied.
  mutating func next() -> LineBreakerEvent {
    while true {
      guard at.run < runs.upperBound else { return finishText() }
      let run = context.tree.texts.runs[at.run]
      switch run.kind {
      case .text, .bidiControl:
        if let event = scanText(to: run.end) { return event }
        at.run += 1
        enterGap()
      case .object:
        if let event = addObject(run) { return event }
      case .lineBreak:
        if let event = addLineBreak(run) { return event }
      case .open:
        enterGap()
        gap.depth += 1
        at.box = run.box
        addEdge(.open, of: run.box)
      case .close:
        enterGap()
        addEdge(.close, of: run.box)
        at.box = context.inlineParent(of: run.box, container: container)
        if gap.depth > 0 { gap.depth -= 1 } else { gap.place = at }
      case .openRuby:
        enterGap()
        gap.depth += 1
        at.box = run.box
        openRuby(run)
        at.run += 1
      case .closeRuby:
        enterGap()
        closeRuby(run)
        if let event = checkOverflow() { return event }
      case .float:
        let index = at.run
        at.run += 1
        // A line may have no more than that.
        if context.tree.boxes[run.box.index].flags.contains(.initialLetter) { at.exists = true }
        if index >= yielded.floatsDone {
          yielded.waitingFloats.append(index)
          if !at.hasContent {
            if gap.depth == 0 { gap.place = at }
            return .float(run.box)
          }
        }
        enterGap()
        if gap.depth == 0 { gap.place = at }
      case .positioned:
        enterGap()
        add(LineItem(kind: .positioned, run: at.run))
        at.run += 1
        if gap.depth == 0 { gap.place = at }
      case .marker:
        add(LineItem(kind: .marker, run: at.run))
        at.exists = true
        at.run += 1
        gap.place = at
      }
    }
  }

  mutating func add(_ item: LineItem) {
    items.append(item)
    at.items = items.count
  }

  private mutating func enterGap() {
    guard !gap.isOpen else { return }
    gap.isOpen = true
    gap.depth = 0
    gap.place = at
  }

  private mutating func addEdge(_ kind: LineItem.Kind, of box: BoxID) {
    var item = LineItem(kind: kind, run: at.run)
    let width = context.inlineEdge(of: box, isStart: kind == .open, availableInline: containerInline)
    item.width = width.advance
    if width != .zero || (kind == .open && context.hasInlineEdge(box)) { at.exists = true }
    add(item)
    if context.inputs.hasClonedEdges, context.clonesInlineEdges(box) {
      if kind == .open { at.width += context.inlineEdges(of: box, availableInline: containerInline).advance }
    } else {
      at.width += item.width
    }
    at.run += 1
  }

  /// The edges of the inline boxes around that a line has which begins in them.
  @inline(never) func clonedEdges(around box: BoxID) -> Advance {
    let edges = context.clonedEdges(around: box, in: container, availableInline: containerInline)
    return (edges.start + edges.end).advance
  }

  /// The place where content goes on, from the container's start edge: for tab stops.
  var pen: Advance {
    let edges = context.clonedEdges(around: at.box, in: container, availableInline: containerInline)
    return lineStart.inline + at.width - edges.end.advance
  }

  private mutating func addObject(_ run: Run) -> LineBreakerEvent? {
    let clusters = paragraph.shaped.clusters
    // A run that lies before the line's start: resumed at a float in front of it.
    guard run.end > lineStart.unit else {
      at.run += 1
      return nil
    }
    let hasCluster = at.cluster < clusters.count - 1 && clusters[at.cluster].text < run.end
    if hasCluster {
      moveToShapedRun()
      if !clusters[at.cluster].flags.isDisjoint(with: Self.breakFlags),
        let event = consider(clusters[at.cluster].flags, wraps: true)
      {
        return event
      }
    }
    guard let object = yielded.object else { return .object(run.box) }
    yielded.object = nil
    gap.isOpen = false
    var item = LineItem(kind: .object, run: at.run)
    item.shapedRun = at.shapedRun
    item.index = object.index
    item.width = object.width.advance
    item.level =
      at.shapedRun < paragraph.shaped.runs.count
      ? paragraph.shaped.runs[at.shapedRun].level : paragraph.shaped.baseLevel
    item.start = at.cluster
    while at.cluster < clusters.count - 1, clusters[at.cluster].text < run.end { at.cluster += 1 }
    item.end = at.cluster
    add(item)
    at.width += item.width
    at.trailing.width = 0
    at.hasContent = true
    at.exists = true
    at.run += 1
    enterGap()
    return checkOverflow()
  }

  private mutating func addLineBreak(_ run: Run) -> LineBreakerEvent? {
    guard run.end > lineStart.unit else {
      at.run += 1
      return nil
    }
    if let float = yielded.waitingFloats.first { return .float(context.tree.texts.runs[float].box) }
    if let event = checkOverflow() { return event }
    let clusters = paragraph.shaped.clusters
    while at.cluster < clusters.count - 1, clusters[at.cluster].text < run.end { at.cluster += 1 }
    at.run += 1
    at.exists = true
    // Inline boxes that end here have nothing on the next line.
    while at.run < runs.upperBound, context.tree.texts.runs[at.run].kind == .close {
      let box = context.tree.texts.runs[at.run].box
      addEdge(.close, of: box)
      at.box = context.inlineParent(of: box, container: container)
    }
    at.items = items.count
    finish(at)
    keepHangingSpaces()
    end.isForced = true
    end.breakBox = run.box
    return .line
  }

  private mutating func finishText() -> LineBreakerEvent {
    if let float = yielded.waitingFloats.first { return .float(context.tree.texts.runs[float].box) }
    if let event = checkOverflow() { return event }
    finish(at)
    keepHangingSpaces()
    return .line
  }

  /// Preserved spaces before a forced break or the end count as far as they fit (CSS Text 3, section 4.1.3).
  private mutating func keepHangingSpaces() {
    guard at.trailing.hangs, at.trailing.width > 0 else { return }
    end.width = Swift.max(end.width, Swift.min(at.width, limit))
    end.hanging = at.width - end.width
  }

  /// The line that ends at a place, `width` wide, has room; marks at its end may give way.
  @inline(__always)
  func fits(_ place: Place, _ width: Advance) -> Bool {
    if width <= limit || request.target != .max { return true }
    guard hasEdges || adjustmentRoom != nil else { return false }
    return width + endRoom(place).least - reduction(at: place) <= limit
  }

  /// The line that has ended has room; blanks of its marks may give way.
  var hasRoom: Bool { end.width <= limit || end.width - reduction(at: at) <= limit }

  /// The room that a line that ends at a place can give up beside its ends.
  private func reduction(at place: Place) -> Advance {
    guard let adjustmentRoom else { return 0 }
    return adjustmentRoom.reduction(from: visible(from: lineStart.cluster), through: visible(before: place.cluster))
  }

  /// The first cluster that shows from one on, and the last one before another.
  func visible(from cluster: Int) -> Int {
    var cluster = cluster
    while cluster < paragraph.shaped.clusterCount,
      !paragraph.shaped.clusters[cluster].flags.isDisjoint(with: .space | .ignorable)
    {
      cluster += 1
    }
    return cluster
  }
  func visible(before cluster: Int) -> Int {
    var cluster = Swift.min(cluster, paragraph.shaped.clusterCount) - 1
    while cluster > 0, !paragraph.shaped.clusters[cluster].flags.isDisjoint(with: .space | .ignorable) { cluster -= 1 }
    return cluster
  }

  func endRoom(_ place: Place) -> LineEndRoom {
    context.lineEnd(
      before: place.cluster, from: lineStart.edges.startCluster, in: paragraph, style,
      isLast: place.run >= runs.upperBound)
  }

  /// Ends the line at the last opportunity when it has become too wide.
  mutating func checkOverflow() -> LineBreakerEvent? {
    guard !fits(at, at.width - at.trailing.width), !isOverflowing else { return nil }
    if let place = opportunities.last {
      finish(at: place)
      return .line
    }
    isOverflowing = true
    return nil
  }

  /// Ends the line at its last opportunity, or at one before it where that is before small kana and the line need not open by more than
  /// a quarter of an em at each gap instead, or end as much short of the measure as a quarter of it.
  mutating func finish(at opportunity: Place) {
    guard avoidsKana, !opportunities.isHyphen, isKana(opportunity.cluster), let firm = opportunities.firm else {
      return finish(opportunity, isHyphenated: opportunities.isHyphen)
    }
    let free = limit - LineTolerance.fit - (firm.width - firm.trailing.width)
    var most = limit / 4
    if let adjustmentRoom {
      let last = visible(before: firm.cluster)
      let gaps = adjustmentRoom.openings(from: visible(from: lineStart.cluster), before: last)
      most = Advance(gaps) * adjustmentRoom.entries[Swift.max(0, last)].em / 4
    }
    finish(free <= most ? firm : opportunity)
  }

  /// The cluster is small kana or the mark that lengthens a vowel.
  func isKana(_ cluster: Int) -> Bool {
    guard cluster < paragraph.clusterCount else { return false }
    let unit = context.tree.texts.texts[textIndex].units.lowerBound + Int(paragraph.shaped.clusters[cluster].text)
    return CharacterProperties(UInt32(context.tree.texts.units[unit])).lineBreak == .cj
  }

  mutating func moveToShapedRun() {
    while at.shapedRun < paragraph.shaped.runs.count,
      at.cluster >= paragraph.shaped.runs[at.shapedRun].clusters.upperBound
    {
      at.shapedRun += 1
    }
  }

  mutating func finish(_ place: Place, isHyphenated: Bool = false) {
    if items.count > place.items { items.removeLast(items.count - place.items) }
    if let last = items.indices.last, items[last].kind == .text || items[last].kind == .tab,
      items[last].end > place.cluster
    {
      items[last].end = Swift.max(items[last].start, place.cluster)
    }
    end = LineEnd(run: place.run, cluster: place.cluster, shapedRun: place.shapedRun)
    end.exists = place.exists || place.hasContent
    end.width = place.width - place.trailing.width
    end.hanging = place.trailing.hangs ? place.trailing.width : Swift.min(place.trailing.kept, place.trailing.width)
    if ruby.hasOverhang { keepAnnotationInside() }
    end.isHyphenated = isHyphenated
    if isHyphenated { end.width += hyphenRoom(before: place.cluster, shapedRun: place.shapedRun) }
    if isUnsafe(lineStart.cluster) { reshapeStart() }
    if isUnsafe(place.cluster) { reshapeEnd(at: place.cluster) }
    if hasEdges {
      end.edges = lineStart.edges
      if !isHyphenated {
        let room = endRoom(place)
        end.edges.endCluster = room.cluster
        end.edges.end = end.width + room.best <= limit ? room.best : room.least
        end.width += end.edges.end
      }
    }
    end.isLast = place.run >= runs.upperBound
    if let division = division(at: place) { divide(division, at: place) }
    at = place
  }
}
