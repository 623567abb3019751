import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

extension InlineLayouter {
  /// Text that has more units is set line by line: a plan would be as long as a book.
  private static let longestPlan = 4_000_000
  /// Room for candidates that is made at once.
  private static let likelyCandidates = 4096
  /// The lines after which a choice from the middle of a text goes on with that for the whole text, at the latest: far
  /// behind the page at hand. A text of many pages is not chosen anew with each of them.
  private static let linesChosenAnew = 200

  /// Chooses the lines of the whole text, or of the rest where it goes on at a place that is not of that choice; nil where that
  /// is not possible: floats and objects are known only when their line is set. The choice follows from the place alone, not from
  /// what the pages before have chosen; that is said by the place, too, where they have made the text longer or shorter.
  ///
  /// - Parameter pageEnd: The line, counted from where this part of the text begins, that shows no hyphen; -1 for none.
  func makePlan(pageEnd: Int = -1) -> LinePlan? {
    guard paragraph.shaped.clusterCount > 0, paragraph.shaped.clusterCount < Self.longestPlan, flow.exclusions.isEmpty
    else {
      return nil
    }
    var key = LinePlan.Key(
      width: space.contentInline, indent: indent, style: style.wrapStyle,
      justifies: style.align == .justify || style.align == .justifyAll, pageEnd: pageEnd)
    guard start.cluster > 0 || pageEnd >= 0, choice.looseness == 0 else {
      key.looseness = choice.looseness
      return plan(key, from: start)
    }
    var wholeKey = key
    wholeKey.pageEnd = -1
    wholeKey.looseness = choice.carriedLooseness
    let whole = plan(wholeKey, from: LineStart(run: runs.lowerBound, cluster: 0, shapedRun: 0, innermost: box))
    if pageEnd < 0, let whole, whole.contains(start.cluster) { return whole }
    return plan(key, from: start, before: whole)

  }

  /// A text, or the rest of one, can be set in one line more or less than the best choice of lines has.
  static func canChange(
    _ box: BoxID, by looseness: Int8, in space: InlineSpace, from start: InlineBreak?, _ context: LayoutContext
  ) -> Bool {
    let value = context.tree.boxes[box.index]
    let style = context.styles.paragraphs[value.style.paragraph.index]
    guard style.wrapStyle != .balance, context.tree.texts.texts[value.text.index].firstLine.isNone else { return false }
    let paragraph = context.acquireParagraph(value.text)
    defer { context.release(paragraph) }
    var progress = FlowProgress()
    var layouter = InlineLayouter(
      context: context, box: box, text: value.text, space: space, from: start, parent: .none, contentOffset: .zero,
      direction: style.direction, paragraph: paragraph, progress: progress)
    layouter.choice.looseness = looseness
    let can = layouter.makePlan()?.key.looseness == looseness
    _ = layouter.finish(&progress)
    return can
  }

  /// The choice for the text from a place on.
  ///
  /// - Parameter whole: That for the whole text, which the lines far behind the place keep to.
  private func plan(_ key: LinePlan.Key, from start: LineStart, before whole: LinePlan? = nil) -> LinePlan? {
    if let known = paragraph.plan(key, first: start.cluster) { return known }
    var plan = LinePlan(key: key, first: start.cluster)
    plan.key.looseness = 0
    let kept = whole?.starts(behind: start.cluster).dropFirst(Swift.max(0, key.pageEnd) + Self.linesChosenAnew) ?? []
    guard let segments = collectSegments(from: start, to: kept.first) else { return nil }
    let optimal = optimalBreaker(key)
    for segment in segments {
      let width = indents(isFirst: segment.isFirst) ? key.width - indent : key.width
      var optimal = optimal
      optimal.rating.firstWidth = width.advance
      optimal.pageEnd = Swift.max(-1, key.pageEnd - plan.starts.count)
      var breaks =
        style.wrapStyle == .balance
        ? optimal.balancedBreaks(of: segment) : optimal.breaks(of: segment)
      // The first of several segments that can takes it.
      if plan.key.looseness != key.looseness, let best = breaks,
        let other = optimal.breaks(of: segment, lines: best.count + 1 + Int(key.looseness), isLonger: key.looseness > 0)
      {
        breaks = other
        plan.key.looseness = key.looseness
      }
      guard let breaks else { return nil }
      plan.starts += breaks.map { segment.candidates[$0].cluster }
      // The last line ends with its segment: the plan says nothing of it.
      plan.starts.append(segment.last.cluster)
    }
    plan.starts += kept.dropFirst()
    if key.pageEnd < 0 { paragraph.keep(plan) }
    return plan
  }

  private func indents(isFirst: Bool) -> Bool {
    (isFirst && ownsFirstLine || style.indentEachLine) != style.indentHanging
  }

  private func optimalBreaker(_ key: LinePlan.Key) -> OptimalLineBreaker {
    let size = context.fontSize(context.tree.boxes[box.index].style.font)
    let em = LayoutUnit(size).advance
    var rating = LineRating(
      width: key.width.advance, justifies: key.justifies, hyphenLimit: hyphenLimit,
      runt: Swift.max(indent.advance, 2 * em), gapStretch: em / 4, ragged: Swift.max(em, key.width.advance / 4))
    rating.forbidsLastHyphen = style.hyphenateLimitLast == .always
    return OptimalLineBreaker(rating: rating, adjustmentRoom: breaker.adjustmentRoom)
  }

  /// The places where lines may end, by measuring the text as one line between forced breaks.
  ///
  /// - Parameter last: The cluster that begins a line in any case, which the last segment ends at; nil for the text's
  ///   end.
  private func collectSegments(from first: LineStart, to last: Int? = nil) -> [BreakSegment]? {
    for run in runs {
      switch context.tree.texts.runs[run].kind {
      case .object, .float, .openRuby, .marker: return nil
      default: break
      }
    }
    var collector = breaker
    collector.request.isCollecting = true
    collector.request.target = last ?? .max
    var segments: [BreakSegment] = []
    var start = first
    while true {
      collector.candidates.reserveCapacity(Swift.min(paragraph.shaped.clusterCount / 4, Self.likelyCandidates))
      collector.begin(start, available: .max, origin: .zero)
      guard case .line = collector.next() else { return nil }
      let end = collector.end
      var segment = BreakSegment(
        last: BreakCandidate(cluster: end.cluster, end: end.width, next: end.width), isFirst: start.line == 0)
      swap(&segment.candidates, &collector.candidates)
      if collector.adjustmentRoom != nil {
        segment.firstVisible = collector.visible(from: start.cluster)
        segment.last.lastVisible = collector.visible(before: end.cluster)
      }
      countGaps(&segment, from: start.cluster)
      if fitsGlyphs { findPlaces(&segment, from: start.cluster) }
      if end.exists { segments.append(segment) }
      context.workspace.trials.count(candidates: segment.candidates.count)
      guard !end.isLast, end.cluster < last ?? .max, end.run > start.run || end.cluster > start.cluster else {
        return segments
      }
      start = LineStart(
        run: end.run, cluster: end.cluster, shapedRun: end.shapedRun, afterForcedBreak: end.isForced,
        line: start.line + (end.exists ? 1 : 0), innermost: collector.innermost)
    }
  }

  /// Glyphs and letters take part in the justification of lines.
  private var fitsGlyphs: Bool {
    context.settings.composition.fitsGlyphs && breaker.adjustmentRoom == nil && style.justifies
      && (style.justify == .auto || style.justify == .interWord) && !hasFormula
  }

  /// The text has a formula, whose glyphs keep their width.
  private var hasFormula: Bool {
    runs.contains {
      let run = context.tree.texts.runs[$0]
      return run.kind == .open && context.tree.boxes[run.box.index].flags.contains(.formula)
    }
  }

  /// Measures the letters before each candidate, and reads the words beside it.
  private func findPlaces(_ segment: inout BreakSegment, from start: Int) {
    let shaped = paragraph.shaped
    let units = context.tree.texts.units
    let range = context.tree.texts.texts[paragraph.text.index].units
    var letters = LetterMeasure()
    var cluster = start
    var run = 0
    var fits: (run: Int, value: Bool) = (-1, false)
    func place(at end: Int, isHyphen: Bool) -> LetterPlace {
      while cluster < end {
        while run < shaped.runs.count, shaped.runs[run].clusters.upperBound <= cluster { run += 1 }
        guard run < shaped.runs.count else { break }
        if fits.run != run { fits = (run, context.fitsGlyphs(of: shaped.runs[run], in: shaped)) }
        let last = Swift.max(cluster + 1, Swift.min(end, shaped.runs[run].clusters.upperBound))
        if fits.value { letters.add(shaped.clusters, in: cluster..<last, of: shaped.runs[run]) }
        cluster = last
      }
      let unit = range.lowerBound + Int(shaped.clusters[end].text)
      return LetterPlace(
        room: letters.room, wordBefore: isHyphen ? 0 : LineWords.hash(endingBefore: unit, in: units, range),
        wordAfter: LineWords.hash(beginningAt: unit, in: units, range))
    }
    segment.places.reserveCapacity(segment.candidates.count + 2)
    segment.places.append(place(at: start, isHyphen: true))
    for candidate in segment.candidates {
      segment.places.append(place(at: candidate.cluster, isHyphen: candidate.isHyphen))
    }
    segment.places.append(place(at: segment.last.cluster, isHyphen: true))
  }

  /// Word spaces, those of them at the end, and ideographs.
  struct Spaces {
    var spaces: Advance = 0
    var trailing: Advance = 0
    var gaps = 0
    fileprivate var cluster: Int
    /// The run it is in, to where that reaches, and what its spaces are wide by; nil behind all runs, where they have no width.
    fileprivate var run = 0
    fileprivate var runEnd = 0
    fileprivate var spacing: (scale: FixedScale, word: Advance)?

    fileprivate init(cluster: Int) { self.cluster = cluster }
  }

  func measureSpaces(from start: Int, to end: Int) -> Spaces {
    var spaces = Spaces(cluster: start)
    add(to: end, &spaces, paragraph.shaped)
    return spaces
  }

  private func add(to end: Int, _ sum: inout Spaces, _ shaped: ShapedText) {
    let masks = ClusterMasks.shared
    unsafe shaped.clusters.withUnsafeBufferPointer { clusters in
      while sum.cluster < end {
        if sum.cluster >= sum.runEnd {
          while sum.run < shaped.runs.count, shaped.runs[sum.run].clusters.upperBound <= sum.cluster { sum.run += 1 }
          let run = sum.run < shaped.runs.count ? shaped.runs[sum.run] : nil
          sum.spacing = run.map { ($0.fixedScale, context.spacing($0.attributes).word) }
          sum.runEnd = run?.clusters.upperBound ?? .max
        }
        let stop = Swift.min(end, sum.runEnd)
        for cluster in sum.cluster..<stop {
          let flags = unsafe clusters[cluster].flags.rawValue
          if flags & masks.spaces != 0, let spacing = sum.spacing {
            let width = unsafe spacing.scale.advance(clusters[cluster].advance) + spacing.word
            sum.spaces += width
            sum.trailing += width
          } else {
            sum.trailing = 0
            if flags & masks.ideographic != 0 { sum.gaps += 1 }
          }
        }
        sum.cluster = stop
      }
    }
  }

  /// Adds up word spaces and gaps beside ideographs.
  private func countGaps(_ segment: inout BreakSegment, from start: Int) {
    var sum = Spaces(cluster: start)
    let shaped = paragraph.shaped
    func count(_ candidate: inout BreakCandidate) {
      add(to: candidate.cluster, &sum, shaped)
      candidate.spacesAtNext = sum.spaces
      candidate.spacesAtEnd = sum.spaces - sum.trailing
      candidate.gaps = sum.gaps
    }
    for index in segment.candidates.indices { count(&segment.candidates[index]) }
    count(&segment.last)
  }
}
