import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Sets the lines of one inline formatting context on one page. Helpers that every line calls are `mutating`, as those of
/// `BlockFlow` are.
struct InlineLayouter: ~Copyable {
  /// The state to go back to when a line and those after it do not stay on this page.
  struct Record {
    var savepoint: PageBuilder.Savepoint
    var flow: Flow
    var start: LineStart
    var block: LayoutUnit
    var floatsDone: Int
    var outOfFlow: Int
    var extent: LayoutUnit
    var baselines: Baselines
    var isOnFirstLine: Bool
  }

  /// The flow around the lines.
  struct Flow {
    var progress: FlowProgress
    var exclusions: ExclusionSpace
    /// Free room that annotations of the next line may use.
    var spaceAbove = LayoutUnit.zero
  }

  /// Atomic inlines of the line being set.
  struct Atomics {
    /// Those laid out for a line that they did not fit on.
    var laidOut: [AtomicInline] = []
    /// The number of them that this try at the line has met.
    var taken = 0
    /// The line holds one that is higher than a page: where the line begins. Such boxes are broken.
    var partsTop: LayoutUnit?
    /// The page begins with the rest of some.
    var hasRest = false
    /// Break tokens of those that stand on the page's first line.
    var rests: [BreakToken.AtomicPart] = []
  }

  /// The initial letter that the text begins with.
  struct Letter {
    /// The box of the letter, and the place from which on lines are whole again.
    var placed: (box: BoxID, end: LayoutUnit)?
    /// It has just been placed: the line begins anew beside it, as far down as its rise asks for.
    var rise: LayoutUnit?
    /// It does not fit on this page.
    var isPushed = false
    /// The distance by which its first line's baseline is lower than that of a line of plain text.
    var lowering = LayoutUnit.zero
  }

  /// The line set last.
  struct LastLine {
    /// Its room less its width.
    var excess: Advance = 0
    /// The text ends with it.
    var isLast = false
    var fragment = FragmentID.none
    /// The least block-start of the content that follows the line.
    var clearance = LayoutUnit.min
    /// The run behind the floats placed before its content.
    var leadingFloats = 0
  }

  /// The choice of lines of a text that is not set line by line.
  struct LineChoice {
    var plan: LinePlan?
    /// Lines more than the best choice has, as the page asks for from here on.
    var looseness: Int8 = 0
    /// The same, as the pages before have chosen for the whole.
    var carriedLooseness: Int8 = 0
  }

  let context: LayoutContext
  let box: BoxID
  let ownText: TextID
  let space: InlineSpace
  let parent: FragmentID
  let contentOffset: LogicalOffset
  /// The text that is set: of a first line with a style of its own, its form for that line (`AttributedText.firstLine`).
  var paragraph: InlineParagraph
  let style: ParagraphStyle
  private let direction: TextDirection
  /// Each paragraph of the text has a direction of its own (`unicode-bidi: plaintext`).
  private let isPlaintext: Bool
  /// `text-indent` of an indented line.
  let indent: LayoutUnit
  let ownsFirstLine: Bool
  let textBox: TextBoxEdges?
  let endsInEllipsis: Bool
  /// Lines stand on the page's grid: those of text that runs over its pages do.
  let isOnGrid: Bool
  /// The width of a line beyond which the breakers break words.
  private let emergencyWidth: LayoutUnit
  /// Lines in a row that may end in a hyphen.
  let hyphenLimit: Int
  /// Hyphens in a row where the author says nothing.
  private static let mostHyphensInARow = 2

  var breaker: GreedyLineBreaker
  var builder: LineBuilder
  var result = InlineResult()
  var start: LineStart
  /// Place of the next line, from the top of the content.
  var block = LayoutUnit.zero
  var flow: Flow
  var records: [Record] = []
  var atomics = Atomics()
  var letter = Letter()
  var last = LastLine()
  var choice = LineChoice()

  /// The text that is set, and its runs.
  private var text: TextID { paragraph.text }
  var runs: Range<Int> { context.tree.texts.texts[text.index].runs }
  /// The direction of the line at hand (CSS Writing Modes 4, section 2.4.3).
  var baseDirection: TextDirection {
    guard isPlaintext else { return direction }
    return context.tree.texts.direction(at: Int(paragraph.shaped.clusters[start.cluster].text), in: text)
  }

  init(
    context: LayoutContext, box: BoxID, text: TextID, space: InlineSpace, from token: InlineBreak?, parent: FragmentID,
    contentOffset: LogicalOffset, direction: TextDirection, paragraph: InlineParagraph, progress: FlowProgress
  ) {
    self.context = context
    self.box = box
    ownText = text
    self.space = space
    self.parent = parent
    self.contentOffset = contentOffset
    self.paragraph = paragraph
    let value = context.tree.boxes[box.index]
    var style = context.lineStyle(of: value.style.paragraph, paragraph)
    style.hangingPunctuation = context.hangingPunctuation(style, of: box, in: space)
    self.style = style
    let attributed = context.tree.texts.texts[text.index]
    isPlaintext = attributed.direction == nil
    self.direction = isPlaintext ? .ltr : direction
    indent =
      style.indent.isZero || value.symbol == .leader
      ? .zero : context.resolve(style.indent, font: value.style.font, percentage: space.contentInline)
    ownsFirstLine = context.isFirstFormattedLineOwner(box)
    textBox = context.textBoxEdges(of: box)
    endsInEllipsis = context.endsLinesInEllipsis(box)
    flow = Flow(progress: progress, exclusions: space.exclusions)
    isOnGrid =
      context.settings.composition.baselineGrid && space.fragmentainer.size != nil
      && space.fragmentainer.columnDepth == 0
    flow.spaceAbove = context.spaceAbove(in: space, isResumed: token != nil, hasEdge: contentOffset.block > .zero)
    let widest = context.widestLine(in: space)
    // Text that an ellipsis stands for is not broken.
    emergencyWidth =
      endsInEllipsis
      ? .max : context.mode.breaksWordsToFit || context.isInVisibleBox(box) ? space.contentInline : widest
    hyphenLimit =
      style.hyphenateLimitLines == .max ? Self.mostHyphensInARow : Swift.max(0, Int(style.hyphenateLimitLines))
    var scratch = context.inline.takeLine()
    var found: [LineItem] = []
    swap(&found, &scratch.found)
    swap(&records, &scratch.records)
    breaker = GreedyLineBreaker(
      context: context, paragraph: paragraph, text: text, container: box, style: style,
      containerInline: space.contentInline, emergencyWidth: emergencyWidth, hyphenLimit: hyphenLimit,
      items: found)
    if context.settings.deviations.shrinksWideTables, !endsInEllipsis {
      breaker.request.unwrappedWidth = widest.advance
    }
    if !style.hyphenateLimitZone.isZero {
      let zone = context.resolve(style.hyphenateLimitZone, font: value.style.font, percentage: space.contentInline)
      breaker.request.hyphenZone = zone.advance
    }
    builder = LineBuilder(
      context: context, paragraph: paragraph, text: text, container: box,
      containing: LogicalSize(inline: space.contentInline, block: space.percentageBlock ?? .zero), line: scratch)
    start = LineStart(run: attributed.runs.lowerBound, cluster: 0, shapedRun: 0, innermost: box)
    if let token { resume(at: token) }
    if space.fragmentainer.size != nil, !space.fragmentainer.isMeasuring, space.fragmentainer.columnDepth == 0 {
      choice.looseness = context.page.looseness[box] ?? 0
    }
    if !attributed.firstLine.isNone {
      if start.line == 0 { goToFirstLine(attributed.firstLine) }
    } else if style.wrapStyle == .pretty || style.wrapStyle == .balance || choice.looseness != 0
      || choice.carriedLooseness != 0
    {
      choice.plan = makePlan()
    }
  }

  /// Gives scratch storage back.
  mutating func finish(_ progress: inout FlowProgress) -> InlineResult {
    swap(&progress, &flow.progress)
    var line = LineScratch()
    swap(&line, &builder.line)
    line.found = breaker.takeItems()
    records.removeAll(keepingCapacity: true)
    swap(&line.records, &records)
    context.inline.giveBack(line)
    if isOnFirstLine { context.release(paragraph) }
    var made = InlineResult()
    swap(&made, &result)
    return made
  }

  // MARK: The first line

  var isOnFirstLine: Bool { text != ownText }

  /// Sets the next line in the form that the text has on its first line (CSS Pseudo-elements 4, section 2.1): the breaker reads
  /// that form's own runs, among which an inline box for `::first-line` stands around all others.
  mutating func goToFirstLine(_ form: TextID) {
    change(to: form, context.acquireParagraph(form), runOffset: 1)
  }

  /// Goes on with the text itself once the first line is set.
  mutating func leaveFirstLine() {
    context.release(paragraph)
    let own = context.acquireParagraph(ownText)
    // The caller holds it, too.
    context.release(own)
    change(to: ownText, own, runOffset: -1)
  }

  private mutating func change(to form: TextID, _ shaped: InlineParagraph, runOffset: Int) {
    let unit = unit(at: start)
    let run = start.run - runs.lowerBound
    let floats = breaker.yielded.floatsDone - runs.lowerBound
    paragraph = shaped
    let runs = runs
    func moved(_ index: Int) -> Int {
      Swift.max(runs.lowerBound, Swift.min(runs.upperBound, runs.lowerBound + index + runOffset))
    }
    let found = breaker.takeItems()
    let (zone, unwrapped) = (breaker.request.hyphenZone, breaker.request.unwrappedWidth)
    breaker = GreedyLineBreaker(
      context: context, paragraph: shaped, text: form, container: box, style: style,
      containerInline: space.contentInline, emergencyWidth: emergencyWidth, hyphenLimit: hyphenLimit,
      items: found)
    breaker.request.hyphenZone = zone
    breaker.request.unwrappedWidth = unwrapped
    breaker.yielded.floatsDone = floats > 0 ? moved(floats) : 0
    // The line that has been set is looked at again where it does not fit: it keeps the boxes that its items name.
    let boxes = builder.atomics
    builder = LineBuilder(
      context: context, paragraph: shaped, text: ownText, container: box,
      containing: LogicalSize(inline: space.contentInline, block: space.percentageBlock ?? .zero), line: builder.line)
    builder.atomics = boxes
    let isBeginning = run <= 0
    let next = place(ofUnit: unit)
    start.cluster = next.cluster
    start.shapedRun = next.shapedRun
    start.run = isBeginning ? runs.lowerBound : moved(run)
    start.innermost =
      isBeginning ? box : context.innermostInline(before: start.run, from: runs.lowerBound, container: box)
  }

  mutating func unit(at start: LineStart) -> UInt32 {
    paragraph.shaped.clusters.isEmpty ? 0 : paragraph.shaped.clusters[start.cluster].text
  }

  /// Finds the clusters and runs that a break token names.
  private mutating func resume(at token: InlineBreak) {
    let place = place(ofUnit: token.unit)
    let run = Swift.min(runs.upperBound, runs.lowerBound + Int(token.run))
    choice.carriedLooseness = token.looseness
    start = LineStart(
      run: run, cluster: place.cluster, shapedRun: place.shapedRun, afterForcedBreak: token.afterForcedBreak,
      line: Int(token.linesBefore), hyphens: Int(token.hyphensInARow),
      innermost: context.innermostInline(before: run, from: runs.lowerBound, container: box))
  }

  /// The first cluster from a UTF-16 unit on, and its run.
  func place(ofUnit unit: UInt32) -> (cluster: Int, shapedRun: Int) {
    let shaped = paragraph.shaped
    var low = 0
    var high = shaped.clusterCount
    while low < high {
      let middle = (low + high) / 2
      if shaped.clusters[middle].text < unit { low = middle + 1 } else { high = middle }
    }
    var first = 0
    var last = shaped.runs.count
    while first < last {
      let middle = (first + last) / 2
      if shaped.runs[middle].clusters.upperBound <= low { first = middle + 1 } else { last = middle }
    }
    return (low, first)
  }

  private mutating func token(at start: LineStart) -> InlineBreak {
    InlineBreak(
      unit: unit(at: start), run: UInt32(clamping: start.run - runs.lowerBound - (isOnFirstLine ? 1 : 0)),
      afterForcedBreak: start.afterForcedBreak,
      linesBefore: UInt32(clamping: start.line), hyphensInARow: UInt16(clamping: start.hyphens),
      looseness: choice.plan?.first == 0 ? choice.plan?.key.looseness ?? 0 : 0)
  }

  // MARK: Lines and pages

  /// Sets lines up to the end of the text or of the page, below what atomic inlines of the page before have left.
  mutating func run(parts: [BreakToken.AtomicPart]) {
    if !parts.isEmpty, placeRest(of: parts) { return breakHere(rank: .perfect) }
    records.append(record())
    setLines()
  }

  /// The first line, just set, has its baseline lower than the letter beside it was placed for: annotations or a high box made room
  /// for themselves (CSS Inline 3, section 4.4.1). The letter is to be placed anew.
  private mutating func lowersLetter() -> Bool {
    guard result.lineCount == 1, records[0].start.line == 0, letter.lowering == .zero, let initial = letter.placed,
      isInitialLetter(initial.box)
    else { return false }
    letter.lowering = Swift.max(
      .zero, builder.measures.baseline - context.lineMetrics(context.tree.boxes[box.index].style.font).above)
    return letter.lowering > .zero
  }

  private mutating func setLines() {
    let breaks = space.fragmentainer.size != nil && !space.fragmentainer.isMeasuring
    let limit = space.fragmentainer.size.map {
      $0 - space.fragmentainer.offset - space.bfcOffset.block
    }
    let forcedCount: Int? =
      if case .line(let place, let count)? = space.fragmentainer.earlyBreak, place == box, breaks { count } else { nil }
    let mendsLastHyphen = style.hyphenateLimitLast == .always
    let mendsRunt = mendsRunt
    var mended = -1
    while !last.isLast, !context.isCancelled {
      if breaks, let forcedCount, result.lineCount == forcedCount, forcedCount > 0, start.run < runs.upperBound {
        return breakHere(rank: rank(before: result.lineCount))
      }
      let isSet = setLine()
      if isSet, lowersLetter() {
        rewind(to: 0)
        continue
      }
      if letter.isPushed, breaks, !space.fragmentainer.isAtStart {
        // The letter does not fit on this page: it takes its text along.
        rewind(to: 0)
        result.breaksBefore = true
        return
      }
      guard isSet else { continue }
      if breaks, let limit, endWithEdge > limit {
        let floats = floatsAbove
        noteShortage(endWithEdge - limit, stays: block > limit && result.lineCount == 1 && floats != .outer)
        if setsInParts(line: result.lineCount - 1) {
          guard result.parts.isEmpty else { return breakHere(rank: .perfect) }
          continue
        }
        return breakBefore(line: result.lineCount - 1, below: floats)
      }
      if space.fragmentainer.isBeyondTrial(space.fragmentainer.offset + space.bfcOffset.block + block), !last.isLast {
        flow.progress.leaveOut()
        break
      }
      // Only a page's end asks for earlier lines; without one, records would keep every state of the floats.
      if breaks || mendsLastHyphen || mendsRunt { records.append(record()) }
      if last.isLast, mendsLastHyphen {
        // The last full line of the text is not hyphenated.
        let last = result.lineCount - 2
        if last > mended, records[last + 1].start.hyphens > 0 {
          mended = last
          resetWithoutHyphen(line: last)
        }
      }
      if last.isLast, breaks, mended < 0, choice.plan == nil, style.hyphenateLimitLast == .auto, endsInPieceOfWord() {
        mended = result.lineCount
        uniteLastWord()
      }
      if last.isLast, mendsRunt { lengthenLastLine() }
    }
    complete()
    guard breaks else { return }
    // The last place where the paragraph could be divided.
    let count = result.lineCount - widows()
    guard count >= orphans() else { return }
    flow.progress.note(
      .line(box, count: count), rank: .perfect, isAvoided: space.fragmentainer.avoidsBreaks,
      block: space.fragmentainer.offset + space.bfcOffset.block + records[count].block
    )
  }

  /// The end of the lines set so far, with the end edge that belongs to the last one.
  private var endWithEdge: LayoutUnit { block + (last.isLast ? space.blockEndReserve : .zero) }

  /// The line just set reaches `amount` beyond the end of its column. `stays` when nothing could be set before it.
  private mutating func noteShortage(_ amount: LayoutUnit, stays: Bool) {
    guard space.fragmentainer.columnDepth > 0 else { return }
    flow.progress.noteShortage(amount, stays: stays && space.fragmentainer.isAtStart)
  }

  func record() -> Record {
    Record(
      savepoint: context.page.savepoint(), flow: flow, start: start, block: block,
      floatsDone: breaker.yielded.floatsDone, outOfFlow: result.outOfFlow.count,
      extent: result.inlineExtent, baselines: result.baselines, isOnFirstLine: isOnFirstLine)
  }

  /// Takes back everything from line `count` on; `records[count]` holds the state before it.
  mutating func rewind(to count: Int) {
    let record = records[count]
    context.page.rollBack(to: record.savepoint)
    let progress = flow.progress
    flow = record.flow
    flow.progress.keepShortage(of: progress)
    if record.isOnFirstLine, !isOnFirstLine { goToFirstLine(context.tree.texts.texts[ownText.index].firstLine) }
    start = record.start
    block = record.block
    breaker.yielded.floatsDone = record.floatsDone
    result.outOfFlow.removeLast(Swift.max(0, result.outOfFlow.count - record.outOfFlow))
    result.inlineExtent = record.extent
    result.baselines = record.baselines
    result.lineCount = count
    result.parts = []
    atomics.laidOut.removeAll(keepingCapacity: true)
    if count == 0 {
      (result.baselines.first, result.baselines.alignedFirst) = (nil, nil)
      result.clampedBlock = nil
      letter.placed = nil
      letter.isPushed = false
    }
    records.removeLast(records.count - count - 1)
    last.isLast = false
  }

  /// The rank of a break after `count` lines of this page, widows left aside.
  private mutating func rank(before count: Int) -> BreakRank {
    count >= orphans() ? .perfect : .violatesOrphans
  }

  /// The fewest lines that may stand before a break: those beside an initial letter stay together.
  private mutating func orphans() -> Int {
    let least = lines(keptBy: style.orphans)
    guard let initial = letter.placed, records[0].start.line == 0 else { return least }
    return Swift.max(least, records.firstIndex { space.bfcOffset.block + $0.block >= initial.end } ?? records.count)
  }

  /// The fewest lines that may stand after a break.
  mutating func widows() -> Int { lines(keptBy: style.widows) }

  /// The number of lines that `orphans` or `widows` asks for, or its initial value where no page holds as many lines as those set
  /// so far are high.
  private mutating func lines(keptBy value: Int32) -> Int {
    let least = Swift.max(1, Int(value))
    // Pictures below each other are blocks, not lines.
    if context.settings.deviations.setsPicturesApart, context.pictureCount(in: ownText) > 1 { return 1 }
    guard least > Self.initialLeastLines, result.lineCount > 0, let size = space.fragmentainer.size else {
      return least
    }
    let page = Swift.max(size, context.contentAreaSize.block)
    return block / result.lineCount * least > page ? Self.initialLeastLines : least
  }
  /// The initial value of `orphans` and `widows` (CSS Fragmentation 3, section 3.3).
  private static let initialLeastLines = 2

  mutating func breakHere(rank: BreakRank) {
    if start.hyphens > 0, result.lineCount > 0, result.parts.isEmpty, forbidsHyphenAtBreak,
      !chooseWithoutHyphen(lines: result.lineCount)
    {
      resetWithoutHyphen(line: result.lineCount - 1)
    }
    complete()
    result.next = token(at: start)
    result.rank = rank
  }

  /// The space that `text-box-trim` takes off the end of a line.
  mutating func trimmedEnd(_ textBox: TextBoxEdges) -> LayoutUnit {
    builder.isFlipped ? textBox.trimmed(overOf: builder.measures) : textBox.trimmed(underOf: builder.measures)
  }

  private mutating func complete() {
    result.blockSize = block
    if let textBox, textBox.trimsEnd, last.isLast, result.lineCount > 0, result.clampedBlock == nil {
      result.blockSize = Swift.max(block - trimmedEnd(textBox), last.clearance)
    }
    result.spaceBelow = flow.spaceAbove
    result.exclusions = flow.exclusions
  }

  /// Floats that keep a first line away from the start of its text.
  private enum FloatsAbove {
    case none
    /// They begin above the text: the gap between it and the start of its box is a place for a break (CSS
    /// Fragmentation 3, section 4.1, class C).
    case outer
    /// They stand in the text, before all of its content: between them and the line is a place for a break (class A).
    case leading
  }

  /// The floats that the line just set, if it is the first one, has gone below.
  private var floatsAbove: FloatsAbove {
    guard result.lineCount == 1, block - builder.measures.height > records[0].block else { return .none }
    if space.exclusions.nextChange(below: space.bfcOffset.block + records[0].block) != nil { return .outer }
    return last.leadingFloats > records[0].start.run && letter.placed == nil ? .leading : .none
  }

  /// Line `fitting` (from 0) has been set and does not fit: finds the place to break at (CSS Fragmentation 3, section 4.3).
  ///
  /// - Parameter floats: The floats that it has gone below.
  private mutating func breakBefore(line fitting: Int, below floats: FloatsAbove) {
    let widows = widows()
    // Lines that remain: as many are looked at as `widows` asks for.
    records.append(record())
    while !last.isLast, result.lineCount - fitting < widows {
      if setLine() { records.append(record()) }
    }
    let remaining = result.lineCount - fitting
    let missing = last.isLast ? Swift.max(0, widows - remaining) : 0
    let orphans = orphans()
    var count = fitting
    var rank = BreakRank.perfect
    // Lines that a float has been placed on before its place in the text stay with the next ones.
    func isAllowed(_ count: Int) -> Bool { count == 0 || records[count].floatsDone <= records[count].start.run }
    if missing > 0, count > missing, count - missing >= orphans {
      count -= missing
    } else if missing > 0 {
      rank = .violatesWidows
    }
    if count < orphans { rank = .violatesOrphans }
    while count > 0, !isAllowed(count) { count -= 1 }
    if count == 0, atomics.hasRest {
      rewind(to: 0)
      return breakHere(rank: .perfect)
    }
    if count == 0, floats == .outer || space.fragmentainer.isStrict && !records[0].flow.progress.pushedFloats.isEmpty {
      // They go on on the next page, or in the next column, as floats around them may do.
      rewind(to: 0)
      result.breaksBefore = true
      return
    }
    if rank < .perfect || count == 0 {
      guard space.fragmentainer.isAtStart || space.isHeld && count > 0 else {
        rewind(to: 0)
        // The rest of atomic inlines stays above.
        if atomics.hasRest { return breakHere(rank: .perfect) }
        result.breaksBefore = true
        result.rank = rank
        return
      }
    }
    if count == 0, floats == .leading {
      rewind(to: 0)
      placeLeadingFloats()
      return breakHere(rank: .perfect)
    }
    if count == 0 {
      // Nothing fits even an empty page: one line is set anyway.
      count = Swift.max(1, fitting)
      rank = .lastResort
      guard count < records.count, records[count].start.run < runs.upperBound else { return complete() }
    }
    // Only the beginning of the text counts as a beginning for orphans.
    if records[0].start.line > 0, missing == 0 { rank = Swift.max(rank, .perfect) }
    rewind(to: count)
    breakHere(rank: rank)
  }
}

extension LayoutContext {
  /// The free room above the first line. Nothing is above the first line of a page but its margin, of which half may be used.
  ///
  /// - Parameter hasEdge: The block has a border or padding above the line.
  fileprivate func spaceAbove(in space: InlineSpace, isResumed: Bool, hasEdge: Bool) -> LayoutUnit {
    let above = isResumed ? .zero : space.spaceAbove
    guard space.fragmentainer.isAtStart, space.fragmentainer.size != nil,
      !hasEdge || settings.deviations.raisesAnnotations
    else { return above }
    let margin = pageBox.spaceAbove(in: writingMode)
    return Swift.max(above, Swift.max(.zero, space.fragmentainer.offset + space.bfcOffset.block) + margin / 2)
  }

  /// The width of a line beyond which a word is broken: it would leave the page. In a box that is seen, or in the cell of a table
  /// that had to be squeezed, words are broken at its edge.
  fileprivate func widestLine(in space: InlineSpace) -> LayoutUnit {
    let toPageEdge = contentAreaSize.inline - space.fragmentainer.inlineOffset - space.bfcOffset.inline
    return Swift.max(toPageEdge > .zero ? toPageEdge : contentAreaSize.inline, space.contentInline)
  }
}
