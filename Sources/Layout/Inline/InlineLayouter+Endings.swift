import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling

/// The last lines of pages and of the text, which are set again where they end as they should not.
extension InlineLayouter {
  // MARK: Hyphens

  /// A line before the end of a page or column has no hyphen (CSS Text 4, section 6.3.5). Hyphens that `page` forbids are
  /// forbidden at the end of each of its columns: which of them is the last one is not known yet.
  var forbidsHyphenAtBreak: Bool {
    switch style.hyphenateLimitLast {
    case .none: false
    case .auto, .always, .column, .page: true
    case .spread:
      space.fragmentainer.columnDepth == 0 && context.page.traits.isLeft == (context.settings.pageProgression == .rtl)
    }
  }

  /// Chooses the lines of this page, `count` of them, once more, so that the last one ends without a hyphen. False where as many
  /// lines are not found, or fewer would follow than `widows` asks for: the page is left as it was.
  mutating func chooseWithoutHyphen(lines count: Int) -> Bool {
    guard let known = choice.plan else { return false }
    let extent = block
    rewind(to: 0)
    choice.plan = makePlan(pageEnd: count - 1)
    if let plan = choice.plan, plan.starts.count - count >= widows() {
      setLines(upTo: count)
      if result.lineCount == count, block <= extent, start.hyphens == 0 { return true }
      rewind(to: 0)
    }
    choice.plan = known
    setLines(upTo: count)
    return false
  }

  private mutating func setLines(upTo count: Int) {
    while !last.isLast, result.lineCount < count {
      if setLine() { records.append(record()) }
    }
  }

  /// Sets the line after `count` others again, and ends it before the word it divided. What follows is set line by line.
  mutating func resetWithoutHyphen(line count: Int) {
    rewind(to: count)
    choice.plan = nil
    breaker.request.avoidsHyphen = true
    while !last.isLast, !setLine() {}
    breaker.request.avoidsHyphen = false
    records.append(record())
  }

  /// Nothing but the rest of a divided word stands on the last line.
  mutating func endsInPieceOfWord() -> Bool {
    guard result.lineCount >= 2, result.lineCount < records.count else { return false }
    let last = records[result.lineCount - 1].start
    return last.hyphens > 0 && !hasSpaces(from: last.cluster)
      && hasSpaces(from: records[result.lineCount - 2].start.cluster, to: last.cluster)
  }

  /// Sets the word that the last line is the rest of on that line, unless the one before would be too loose for it.
  mutating func uniteLastWord() {
    let count = result.lineCount
    resetWithoutHyphen(line: count - 2)
    guard isTooLoose(from: records[count - 2].start.cluster) else { return }
    rewind(to: count - 2)
    setLines(upTo: count)
  }

  // MARK: The last line

  /// A last line of one character or word is made longer when it is met, unless a plan has seen to that.
  var mendsRunt: Bool {
    choice.plan == nil && !isOnFirstLine && (breaker.adjustmentRoom != nil || style.wrapStyle == .pretty)
  }

  /// Takes characters or a word over from the line before a last line that is too short (CLREQ, handling of widows and orphans).
  mutating func lengthenLastLine() {
    for _ in 0..<3 {
      let count = result.lineCount
      guard count >= 2, count < records.count, !records[count - 1].start.afterForcedBreak,
        records[count - 1].floatsDone == records[count].floatsDone,
        isRunt(from: records[count - 1].start.cluster)
      else { return }
      let cluster = records[count - 1].start.cluster
      let previous = records[count - 2].start.cluster
      rewind(to: count - 2)
      breaker.request.latest = cluster - 1
      setLines(upTo: count - 1)
      breaker.request.latest = .max
      let isShorter =
        start.cluster < cluster && (start.cluster - previous) * 4 >= (cluster - previous) * 3
        && !isTooLoose(from: previous)
      if isShorter { setLines(upTo: count) }
      guard isShorter, last.isLast else {
        rewind(to: count - 2)
        return setLines(upTo: count)
      }
    }
  }

  /// The line set last, which began at `cluster`, is stretched so far that a runt is better.
  private func isTooLoose(from cluster: Int) -> Bool {
    guard style.align == .justify || style.align == .justifyAll, breaker.adjustmentRoom == nil else { return false }
    var natural = measureSpaces(from: cluster, to: start.cluster)
    natural.spaces -= natural.trailing
    let em = LayoutUnit(context.fontSize(context.tree.boxes[box.index].style.font)).advance
    let stretch = natural.spaces / 3 + em / 4 * Advance(Swift.max(0, natural.gaps - 1))
    return Double(last.excess) > Double(stretch) * OptimalLineBreaker.mostRatioForRunt
  }

  private mutating func isRunt(from cluster: Int) -> Bool {
    guard let room = breaker.adjustmentRoom else { return !hasSpaces(from: cluster) }
    return room.letters(from: breaker.visible(from: cluster), before: paragraph.clusterCount) < 2
  }

  /// Words or ideographs are apart in the text from a cluster on.
  private mutating func hasSpaces(from cluster: Int, to end: Int? = nil) -> Bool {
    let end = Swift.max(cluster, end ?? paragraph.clusterCount)
    return paragraph.shaped.clusters[cluster..<end].dropLast(1).contains {
      $0.flags.contains(.space) || $0.flags.contains(.ideographic)
    }
  }
}
