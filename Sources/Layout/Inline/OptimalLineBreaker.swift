import CSS
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
  /// A last line shorter than this is a runt.
  var runt: Advance
  /// Widest stretch of a gap beside an ideograph.
  var gapStretch: Advance
  var ragged: Advance
  /// What lines can give up by a ladder, and where the segment at hand begins.
  var ladderRoom: LadderRoom?
  var firstVisible = 0

  /// Lines of one window: longer paragraphs are broken piece by piece.
  private static let windowLines = 1000
  private static let windowOverlap = 12

  private struct Node {
    /// Index of the candidate that the line before ends at; -1 at the start.
    var candidate: Int
    var fitness: Int
    var hyphens: Int
    var demerits: Double
    var previous: Int
  }

  /// The candidates to break at, or nil when some line cannot be kept within the measure.
  func breaks(of segment: BreakSegment) -> [Int]? {
    var chosen: [Int] = []
    var start = -1
    while true {
      guard let window = breaks(of: segment, after: start) else { return nil }
      chosen += window.breaks
      guard !window.isWhole, let last = window.breaks.last, last > start else { return chosen }
      start = last
    }
  }

  private func breaks(of segment: BreakSegment, after start: Int) -> (breaks: [Int], isWhole: Bool)? {
    let candidates = segment.candidates
    let origin: BreakCandidate? = start >= 0 ? candidates[start] : nil
    let windowEnd = (origin?.next ?? 0) &+ width &* Advance(Self.windowLines)
    var nodes = [
      Node(candidate: start, fitness: 1, hyphens: origin?.isHyphen == true ? 1 : 0, demerits: 0, previous: -1)
    ]
    var active = [0]
    var stillActive: [Int] = []
    var index = start + 1
    var isWhole = true
    while index <= candidates.count {
      let isEnd = index == candidates.count
      let candidate = isEnd ? segment.last : candidates[index]
      if !isEnd, candidate.end > windowEnd {
        isWhole = false
        break
      }
      var best = [Node?](repeating: nil, count: 4)
      stillActive.removeAll(keepingCapacity: true)
      for number in active {
        let node = nodes[number]
        let from: BreakCandidate? = node.candidate >= 0 ? candidates[node.candidate] : nil
        let measure = from == nil && segment.isFirst ? firstWidth : width
        let natural = candidate.end - (from?.next ?? 0) + candidate.hyphen
        let spaces = Swift.max(0, candidate.spacesAtEnd - (from?.spacesAtNext ?? 0))
        let gaps = Swift.max(0, candidate.gaps - (from?.gaps ?? 0) - 1)
        let excess = measure - natural
        let shrink: Advance
        if let ladderRoom {
          shrink =
            ladderRoom.reduction(from: from?.nextVisible ?? firstVisible, through: candidate.lastVisible)
            + candidate.endSlack
        } else {
          shrink = justifies && !isEnd ? spaces / 5 : 0
        }
        guard excess >= -shrink - 1024 else { continue }
        stillActive.append(number)
        if candidate.isHyphen, node.hyphens >= hyphenLimit { continue }
        let line: (demerits: Double, fitness: Int)
        if let ladderRoom {
          let letters = ladderRoom.letters(from: from?.nextVisible ?? firstVisible, before: candidate.lastVisible + 1)
          line = rate(
            excess, shrink: shrink, stretch: spaces / 3 + gapStretch * Advance(gaps), isEnd: isEnd, letters: letters)
        } else {
          line = rate(excess, spaces: spaces, gaps: gaps, isEnd: isEnd, natural: natural)
        }
        var demerits = line.demerits
        let wasHyphen = from?.isHyphen ?? false
        if candidate.isHyphen { demerits += 2500 }
        if wasHyphen, candidate.isHyphen { demerits += 10_000 }
        if wasHyphen, isEnd { demerits += 5000 }
        if abs(line.fitness - node.fitness) > 1 { demerits += 10_000 }
        demerits += node.demerits
        if demerits < best[line.fitness]?.demerits ?? .infinity {
          best[line.fitness] = Node(
            candidate: index, fitness: line.fitness, hyphens: candidate.isHyphen ? node.hyphens + 1 : 0,
            demerits: demerits, previous: number)
        }
      }
      swap(&active, &stillActive)
      if isEnd { return trace(best, nodes).map { ($0, true) } }
      for node in best {
        guard let node else { continue }
        active.append(nodes.count)
        nodes.append(node)
      }
      guard !active.isEmpty else { return nil }
      index += 1
    }
    guard !isWhole, let found = trace(active.map { nodes[$0] }, nodes, includesLast: true) else { return nil }
    return (Array(found.dropLast(Swift.min(Self.windowOverlap, found.count - 1))), false)
  }

  /// The candidates on the way to the best of some nodes; that of the node itself is the end of the text.
  private func trace(_ ends: [Node?], _ nodes: [Node], includesLast: Bool = false) -> [Int]? {
    guard let best = ends.compactMap({ $0 }).min(by: { $0.demerits < $1.demerits }) else { return nil }
    var found: [Int] = includesLast ? [best.candidate] : []
    var number = best.previous
    while number > 0 {
      found.append(nodes[number].candidate)
      number = nodes[number].previous
    }
    return found.reversed()
  }

  /// Demerits and fitness class of one line: 0 tight, 1 decent, 2 loose, 3 very loose.
  private func rate(
    _ excess: Advance, spaces: Advance, gaps: Int, isEnd: Bool, natural: Advance
  ) -> (demerits: Double, fitness: Int) {
    if isEnd { return (natural < runt ? 40_000 : 100, 1) }
    let stretch = justifies ? spaces / 3 + gapStretch * Advance(gaps) : ragged
    // A line without gaps is worse than any with them, and yet no reason to give up all others.
    let room = Swift.max(excess < 0 ? spaces / 5 : stretch, width / 500)
    let ratio = Double(excess) / Double(Swift.max(1, room))
    let badness = 100 * abs(ratio * ratio * ratio)
    let fitness = ratio < -0.5 ? 0 : ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3
    return ((10 + badness) * (10 + badness), fitness)
  }

  /// The same for a line that is set by a ladder: to give way comes before opening. A last line has two characters beside marks.
  private func rate(
    _ excess: Advance, shrink: Advance, stretch: Advance, isEnd: Bool, letters: Int
  ) -> (demerits: Double, fitness: Int) {
    if isEnd, letters < 2 { return (40_000, 1) }
    if excess <= 1024 {
      let ratio = excess < -1024 ? Double(excess) / Double(Swift.max(1, shrink)) : 0
      let badness = 20 * ratio * ratio
      return ((10 + badness) * (10 + badness), 1)
    }
    if isEnd { return (100, 1) }
    let ratio = Double(excess) / Double(Swift.max(1, stretch, width / 500))
    let badness = 50 + 100 * ratio * ratio * ratio
    return ((10 + badness) * (10 + badness), ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3)
  }

  /// Breaks that fill lines of `measure` one by one; nil when a line does not fit.
  func greedyBreaks(of segment: BreakSegment, measure: Advance) -> [Int]? {
    var chosen: [Int] = []
    var from: Advance = 0
    var last = -1
    let indent = segment.isFirst ? width - firstWidth : 0
    var limit = measure - indent
    for index in 0...segment.candidates.count {
      let candidate = index < segment.candidates.count ? segment.candidates[index] : segment.last
      while candidate.end - from + candidate.hyphen > limit + 1024 {
        guard last >= 0, chosen.last != last else { return nil }
        chosen.append(last)
        from = segment.candidates[last].next
        limit = measure
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
