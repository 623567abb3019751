import CSS
import Glibc
import Primitives
import Shaping
import Text

/// Where the lines of a paragraph may end, measured on one endless line.
struct BreakCandidate {
  var cluster: Int
  /// What a line that ends here reaches to, without its trailing spaces, and where the next one starts.
  var end: Advance
  var next: Advance
  /// Width of the hyphen that a break here shows.
  var hyphen: Advance = 0
  var isHyphen = false
  /// Word spaces before `end` and before `next`, and gaps around ideographs before the cluster.
  var spacesAtEnd: Advance = 0
  var spacesAtNext: Advance = 0
  var gaps = 0
  /// What the mark at the end gives up when room is short, and the clusters around the break that show: for ladders.
  var endSlack: Advance = 0
  var lastVisible = 0
  var nextVisible = 0
  /// What a break here costs beside the line's own demerits.
  var demerits: Float = 0
}

/// Text between two forced breaks.
struct BreakSegment {
  var candidates: [BreakCandidate] = []
  /// The end of the segment: its last line's.
  var last: BreakCandidate
  var isFirst: Bool
  /// The first cluster that shows.
  var firstVisible = 0
}

/// How a paragraph's lines are chosen as a whole (CSS Text 4, section 6.4.1).
struct LinePlan {
  /// What the choice depends on.
  struct Key: Equatable {
    var width: LayoutUnit
    var indent: LayoutUnit
    var style: TextWrapStyle
    var justifies: Bool
    /// The line, from the plan's first, that ends a page and shows no hyphen there; -1 for none.
    var pageEnd = -1
  }
  var key: Key
  /// The cluster that the first line starts with.
  var first = 0
  /// The clusters that the other lines start with, in order.
  var starts: [Int] = []

  /// Whether one of the lines starts with `cluster`.
  func contains(_ cluster: Int) -> Bool {
    cluster == first || cluster > first && end(after: cluster - 1) == cluster
  }

  /// Where the line that starts at `cluster` ends, if the plan says so.
  func end(after cluster: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= cluster { low = middle + 1 } else { high = middle }
    }
    return low < starts.count ? starts[low] : .max
  }
}

/// Total-fit line breaking: the set of breaks with the least demerits over the whole paragraph (D. E. Knuth, M. F. Plass,
/// Breaking paragraphs into lines, 1981).
struct OptimalLineBreaker {
  /// Width of the lines, and of the first one.
  var width: Advance
  var firstWidth: Advance
  var justifies: Bool
  /// Hyphenated lines in a row.
  var hyphenLimit: Int
  /// A last line shorter than this is a runt, which is worse than a line with quite wide spaces.
  var runt: Advance
  var runtDemerits = 656_100.0
  /// Widest stretch of a gap beside an ideograph.
  var gapStretch: Advance
  var ragged: Advance
  /// What a hyphen costs; one before the last line costs twice as much more. Lines that need not reach the edge are divided
  /// only where one would be much shorter than the others.
  var hyphenDemerits: Double { justifies ? 2500 : 40_000 }
  /// The last full line of the text shows no hyphen.
  var forbidsLastHyphen = false
  /// What lines can give up by a ladder, and where the segment at hand begins.
  var ladderRoom: LadderRoom?
  var firstVisible = 0
  /// The line of the segment that shows no hyphen, from 0; -1 for none.
  var pageEnd = -1

  /// A runt is worse than a line that is stretched by this ratio.
  static let mostRatioForRunt = 2.0

  /// Lines of one window: longer paragraphs are broken piece by piece.
  private static let windowLines = 1000
  private static let windowOverlap = 12

  /// Stretch ratios of the loosest lines that are looked at first, by how loose those set one by one are; the demerits of a
  /// solution tell whether looser ones can be part of a better one.
  private static let usualRatio = mostRatioForRunt
  private static let leastRatio = 0.5
  /// The same of lines that are set by a ladder.
  private static let ladderRatio = 0.5
  /// Demerits of a last line of a ladder's that has less than two characters beside marks.
  private static let ladderRuntDemerits = 40_000.0

  private struct Node {
    /// Index of the candidate that the line before ends at; -1 at the start.
    var candidate: Int
    var previous: Int
    /// Of that candidate: where the next line starts, and spaces and gaps before it.
    var next: Advance = 0
    var spaces: Advance = 0
    var gaps = 0
    var nextVisible = 0
    var isHyphen = false
    var fitness = 1
    var hyphens = 0
    /// Lines up to that candidate, as far as they are counted: up to the one that ends the page.
    var line = 0
    var demerits = 0.0
  }

  private struct Solution {
    var breaks: [Int]
    var demerits: Double
    /// It reaches the end of the segment.
    var isWhole: Bool
  }

  /// The candidates to break at, or nil when some line cannot be kept within the measure. The lines that can be stretched have
  /// no more demerits than those of `greedyBreaks`, whatever is done for a last line or about one that cannot.
  func breaks(of segment: BreakSegment) -> [Int]? {
    // There is nothing to choose.
    if segment.last.end <= (segment.isFirst ? firstWidth : width) { return [] }
    guard ladderRoom == nil, justifies, pageEnd < 0, let greedy = greedyBreaks(of: segment, measure: width) else {
      return leastDemerits(of: segment, ratio: Self.usualRatio)
    }
    let plain = stretchDemerits(of: greedy, in: segment)
    // As good as no eye can tell from the best: most lines of ideographs, which fill any measure.
    if !plain.isSpecial, plain.demerits <= Double(greedy.count) * 115 + 250 { return greedy }
    let ratio = cbrt((plain.demerits.squareRoot() - 10) / 100)
    guard let chosen = leastDemerits(of: segment, ratio: Swift.max(Self.leastRatio, Swift.min(Self.usualRatio, ratio)))
    else { return nil }
    guard chosen != greedy, plain.isSpecial, plain.demerits < stretchDemerits(of: chosen, in: segment).demerits else {
      return chosen
    }
    var breaker = self
    breaker.runtDemerits = 100
    breaker.forbidsLastHyphen = true
    guard let other = breaker.leastDemerits(of: segment, ratio: Self.usualRatio),
      stretchDemerits(of: other, in: segment).demerits <= plain.demerits
    else { return greedy }
    return other
  }

  /// The demerits of the lines that can be stretched, and whether there are others or a runt.
  private func stretchDemerits(of breaks: [Int], in segment: BreakSegment) -> (demerits: Double, isSpecial: Bool) {
    var node = Node(candidate: -1, previous: -1)
    var isSpecial = false
    for index in breaks {
      let candidate = segment.candidates[index]
      let spaces = candidate.spacesAtEnd - node.spaces
      let gaps = candidate.gaps - node.gaps - 1
      var fitness = node.fitness
      if spaces > 0 || gaps > 0 {
        let measure = node.candidate < 0 && segment.isFirst ? firstWidth : width
        let excess = measure - (candidate.end - node.next) - candidate.hyphen
        let ratio = ratio(excess, spaces: Swift.max(0, spaces), gaps: Swift.max(0, gaps))
        node.demerits += Self.demerits(of: abs(ratio))
        fitness = Self.fitness(of: ratio)
      } else {
        isSpecial = true
      }
      if candidate.isHyphen { node.demerits += hyphenDemerits + (node.isHyphen ? 10_000 : 0) }
      if abs(fitness - node.fitness) > 1 { node.demerits += 10_000 }
      node.fitness = fitness
      node.candidate = index
      take(candidate, into: &node, hyphensBefore: 0)
    }
    if isRunt(segment.last, after: node) { isSpecial = true }
    return (
      node.demerits + (node.isHyphen ? 2 * hyphenDemerits : 0) + (abs(node.fitness - 1) > 1 ? 10_000 : 0), isSpecial
    )
  }

  /// Whether a last line is very short, or one word.
  @inline(__always)
  private func isRunt(_ last: BreakCandidate, after node: Node) -> Bool {
    last.end - node.next < runt || last.spacesAtEnd <= node.spaces && last.gaps <= node.gaps + 1
  }

  private func leastDemerits(of segment: BreakSegment, ratio: Double) -> [Int]? {
    var chosen: [Int] = []
    var start = -1
    while true {
      guard let window = solution(of: segment, after: start, ratio: ratio) else { return nil }
      chosen += window.breaks
      guard !window.isWhole, let last = window.breaks.last, last > start else { return chosen }
      start = last
    }
  }

  /// The best breaks of a window. Lines beyond some stretch are left aside as long as any one of them would have more demerits
  /// than the whole solution without them: what is found is the optimum all the same.
  private func solution(of segment: BreakSegment, after start: Int, ratio: Double) -> Solution? {
    guard ladderRoom == nil else { return ladderSolution(of: segment, after: start) }
    var ratio = ratio
    var found = search(segment, after: start, ratio: ratio)
    if found == nil, ratio < Self.usualRatio {
      ratio = Self.usualRatio
      found = search(segment, after: start, ratio: ratio)
    }
    guard let found else { return search(segment, after: start, ratio: .infinity) }
    // Its other lines have some demerits, too.
    let bound = found.demerits - 90 * Double(found.breaks.count)
    guard Self.demerits(of: ratio) < bound else { return found }
    while Self.demerits(of: ratio) < bound { ratio *= 1.25 }
    return search(segment, after: start, ratio: ratio)
  }

  /// A line set by a ladder hardly needs to open: where all lines can do with little, looser ones are not looked at.
  private func ladderSolution(of segment: BreakSegment, after start: Int) -> Solution? {
    // Little more than the width of an ideograph in all gaps.
    let tight = Double(5 * gapStretch) / Double(Swift.max(gapStretch, width / 4 - gapStretch))
    if justifies, tight < Self.ladderRatio, let found = search(segment, after: start, ratio: tight),
      found.demerits < Self.ladderRuntDemerits
    {
      return found
    }
    var ratio = Self.ladderRatio
    var solution = search(segment, after: start, ratio: ratio)
    if solution == nil {
      ratio = Self.usualRatio
      solution = search(segment, after: start, ratio: ratio)
    }
    guard let found = solution else { return search(segment, after: start, ratio: .infinity) }
    // The first line may be as loose as it likes; where it is, others that are less so may do better.
    let rest = Double(found.breaks.count) * Self.ladderDemerits(of: ratio) + 10_000
    guard justifies, found.demerits - rest > Self.ladderDemerits(of: ratio) else { return found }
    while Self.ladderDemerits(of: ratio) < found.demerits { ratio *= 1.5 }
    return search(segment, after: start, ratio: ratio) ?? found
  }

  private func search(_ segment: BreakSegment, after start: Int, ratio limit: Double) -> Solution? {
    let candidates = segment.candidates
    var nodes: [Node] = []
    nodes.reserveCapacity(Swift.min(2 * (candidates.count - start), 4096))
    nodes.append(Node(candidate: start, previous: -1, nextVisible: firstVisible))
    if start >= 0 {
      take(candidates[start], into: &nodes[0], hyphensBefore: 0)
      // No page is as long as a window.
      nodes[0].line = pageEnd + 1
    }
    let windowEnd = nodes[0].next &+ width &* Advance(Self.windowLines)
    // Nodes before this one are too far away for a line.
    var first = 0
    var index = start + 1
    while index <= candidates.count {
      let isEnd = index == candidates.count
      let candidate = isEnd ? segment.last : candidates[index]
      if !isEnd, candidate.end > windowEnd { break }
      let reached = nodes.count
      var end: (demerits: Double, number: Int) = (.infinity, -1)
      for line in lineCounts(nodes, from: first) {
        let (best, ways) = bestWays(
          to: candidate, isEnd: isEnd, among: nodes, until: reached, line: line, from: &first, of: segment, ratio: limit
        )
        for fitness in 0..<4 where best[fitness] < .infinity {
          guard !isEnd else {
            if best[fitness] < end.demerits { end = (best[fitness], ways[fitness]) }
            continue
          }
          var node = Node(candidate: index, previous: ways[fitness], fitness: fitness, demerits: best[fitness])
          node.line = Swift.min(line, pageEnd) + 1
          take(candidate, into: &node, hyphensBefore: nodes[ways[fitness]].hyphens)
          nodes.append(node)
        }
      }
      if isEnd {
        guard end.number >= 0 else { return nil }
        return Solution(breaks: trace(nodes, from: end.number), demerits: end.demerits, isWhole: true)
      }
      guard first < nodes.count else { return nil }
      index += 1
    }
    // The window ends here; its last lines are found again with what follows them. One without a break is none.
    let ends = Swift.max(first, 1)..<nodes.count
    guard let last = ends.min(by: { nodes[$0].demerits < nodes[$1].demerits }) else { return nil }
    let found = trace(nodes, from: last)
    return Solution(
      breaks: Array(found.dropLast(Swift.min(Self.windowOverlap, found.count - 1))), demerits: nodes[last].demerits,
      isWhole: false)
  }

  /// The counts of lines that nodes have behind them, where they are counted.
  private func lineCounts(_ nodes: [Node], from first: Int) -> ClosedRange<Int> {
    guard pageEnd >= 0 else { return 0...0 }
    var least = Int.max
    var most = 0
    for number in first..<nodes.count {
      least = Swift.min(least, nodes[number].line)
      most = Swift.max(most, nodes[number].line)
    }
    return Swift.min(least, most)...most
  }

  /// The least demerits of a line to `candidate` after `line` others, by fitness class, and the nodes that it starts from.
  @inline(__always)
  private func bestWays(
    to candidate: BreakCandidate, isEnd: Bool, among nodes: [Node], until reached: Int, line: Int,
    from first: inout Int, of segment: BreakSegment, ratio limit: Double
  ) -> (best: SIMD4<Double>, ways: SIMD4<Int>) {
    var best = SIMD4<Double>(repeating: .infinity)
    var ways = SIMD4<Int>()
    guard !candidate.isHyphen || line != pageEnd else { return (best, ways) }
    var next = first
    while next < reached {
      let number = next
      next += 1
      let node = nodes[number]
      guard node.line == line else { continue }
      let measure = node.candidate < 0 && segment.isFirst ? firstWidth : width
      let spaces = Swift.max(0, candidate.spacesAtEnd - node.spaces)
      var shrink = justifies && !isEnd ? spaces / 5 : 0
      if let ladderRoom {
        shrink = ladderRoom.reduction(from: node.nextVisible, through: candidate.lastVisible) + candidate.endSlack
      }
      let room = measure - (candidate.end - node.next) + shrink + 1024
      if room < 0 {
        if number == first { first += 1 }
        continue
      }
      guard room >= candidate.hyphen, !candidate.isHyphen || node.hyphens < hyphenLimit else { continue }
      let excess = room - shrink - 1024 - candidate.hyphen
      let gaps = Swift.max(0, candidate.gaps - node.gaps - 1)
      let ratio = self.ratio(excess, spaces: spaces, gaps: gaps)
      if ratio > limit, !isEnd, node.candidate >= 0 {
        // Lines from later nodes are looser still, but for those without a gap.
        guard spaces > 0 || gaps > 0 else { break }
        next = Swift.max(next, firstWithoutGap(before: candidate, in: nodes, until: reached))
        continue
      }
      var rated: (demerits: Double, fitness: Int)
      if let ladderRoom {
        let letters = ladderRoom.letters(from: node.nextVisible, before: candidate.lastVisible + 1)
        rated = rate(excess, shrink: shrink, ratio: ratio, isEnd: isEnd, letters: letters)
      } else if isEnd {
        rated = (isRunt(candidate, after: node) ? runtDemerits : 100, 1)
      } else {
        rated = (Self.demerits(of: abs(ratio)), Self.fitness(of: ratio))
      }
      if candidate.demerits != 0 { rated.demerits += Double(candidate.demerits) }
      if candidate.isHyphen { rated.demerits += hyphenDemerits + (node.isHyphen ? 10_000 : 0) }
      if node.isHyphen, isEnd {
        guard !forbidsLastHyphen else { continue }
        rated.demerits += 2 * hyphenDemerits
      }
      if abs(rated.fitness - node.fitness) > 1 { rated.demerits += 10_000 }
      rated.demerits += node.demerits
      if rated.demerits < best[rated.fitness] {
        best[rated.fitness] = rated.demerits
        ways[rated.fitness] = number
      }
    }
    return (best, ways)
  }

  /// The first of the nodes between which and `candidate` nothing can be stretched.
  private func firstWithoutGap(before candidate: BreakCandidate, in nodes: [Node], until reached: Int) -> Int {
    var number = reached
    while number > 0, nodes[number - 1].spaces >= candidate.spacesAtEnd, nodes[number - 1].gaps + 1 >= candidate.gaps {
      number -= 1
    }
    return number
  }

  private func take(_ candidate: BreakCandidate, into node: inout Node, hyphensBefore: Int) {
    node.next = candidate.next
    node.spaces = candidate.spacesAtNext
    node.gaps = candidate.gaps
    node.nextVisible = candidate.nextVisible
    node.isHyphen = candidate.isHyphen
    node.hyphens = candidate.isHyphen ? hyphensBefore + 1 : 0
  }

  /// The candidates on the way to a node, its own included.
  private func trace(_ nodes: [Node], from last: Int) -> [Int] {
    var found: [Int] = []
    var number = last
    while number > 0 {
      found.append(nodes[number].candidate)
      number = nodes[number].previous
    }
    return found.reversed()
  }

  @inline(__always)
  private static func fitness(of ratio: Double) -> Int { ratio < -0.5 ? 0 : ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3 }

  /// How far a line is stretched, or narrowed when negative: 1 is as far as it should be.
  private func ratio(_ excess: Advance, spaces: Advance, gaps: Int) -> Double {
    // A line without a gap stays as it is: not worse than a few wide ones. A ladder makes a word space twice as wide.
    let wider = ladderRoom == nil ? spaces / 3 : spaces
    let stretch = !justifies ? ragged : spaces > 0 || gaps > 0 ? wider + gapStretch * Advance(gaps) : gapStretch
    return Double(excess) / Double(Swift.max(1, excess < 0 ? spaces / 5 : stretch, width / 500))
  }

  /// Demerits and fitness class of a line that is set by a ladder: to give way comes before opening. A last line has two
  /// characters beside marks.
  private func rate(
    _ excess: Advance, shrink: Advance, ratio: Double, isEnd: Bool, letters: Int
  ) -> (demerits: Double, fitness: Int) {
    if isEnd, letters < 2 { return (Self.ladderRuntDemerits, 1) }
    if excess <= 1024 {
      let ratio = excess < -1024 ? Double(excess) / Double(Swift.max(1, shrink)) : 0
      let badness = 20 * ratio * ratio
      return ((10 + badness) * (10 + badness), 1)
    }
    if isEnd { return (100, 1) }
    return (Self.ladderDemerits(of: ratio), ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3)
  }

  /// Demerits of a ladder's line that opens.
  private static func ladderDemerits(of ratio: Double) -> Double {
    let badness = 50 + 100 * ratio * ratio * ratio
    return (10 + badness) * (10 + badness)
  }

  private static func demerits(of ratio: Double) -> Double {
    let badness = 100 * ratio * ratio * ratio
    return (10 + badness) * (10 + badness)
  }

  /// Breaks that fill lines of `measure` one by one; nil when a line does not fit.
  func greedyBreaks(of segment: BreakSegment, measure: Advance) -> [Int]? {
    var chosen: [Int] = []
    var from: Advance = 0
    var last = -1
    let indent = segment.isFirst ? width - firstWidth : 0
    var limit = measure - indent
    var hyphens = 0
    for index in 0...segment.candidates.count {
      let candidate = index < segment.candidates.count ? segment.candidates[index] : segment.last
      if candidate.isHyphen, hyphens >= hyphenLimit || candidate.end - from + candidate.hyphen > limit + 1024 {
        continue
      }
      while candidate.end - from > limit + 1024 {
        guard last >= 0, chosen.last != last else { return nil }
        chosen.append(last)
        from = segment.candidates[last].next
        limit = measure
        hyphens = segment.candidates[last].isHyphen ? hyphens + 1 : 0
      }
      last = index
    }
    return chosen
  }

  /// `text-wrap: balance`: the narrowest measure that does not make more lines, for texts of a few lines.
  func balancedBreaks(of segment: BreakSegment) -> [Int]? {
    guard let greedy = greedyBreaks(of: segment, measure: width) else { return nil }
    guard !greedy.isEmpty, greedy.count < 6 else { return greedy }
    var low = LayoutUnit(width / 2).advance / 2
    var high = width
    while high - low > LayoutUnit.epsilon.advance {
      let middle = (low + high) / 2
      if let found = greedyBreaks(of: segment, measure: middle), found.count <= greedy.count {
        high = middle
      } else {
        low = middle
      }
    }
    return greedyBreaks(of: segment, measure: high)
  }
}
