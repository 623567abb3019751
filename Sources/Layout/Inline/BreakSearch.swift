import Primitives
import Shaping

/// Optimal line breaking by dynamic programming (D. E. Knuth, M. F. Plass, Breaking paragraphs into lines, 1981):
/// each feasible break keeps the best active node of every fitness class.
struct BreakSearch {
  struct Solution {
    /// Positions among the segment's candidates.
    var breaks: [Int]
    var demerits: Double
    /// It reaches the end of the segment.
    var isWhole: Bool
  }

  /// A feasible breakpoint: a candidate that lines end at.
  private struct FeasibleBreak {
    /// Index of the candidate; -1 at the start.
    var candidate: Int
    /// Lines up to there, as far as they are counted.
    var line = 0
    /// The start of the next line and its end, and spaces and gaps before it.
    var next: Advance = 0
    var edge: Advance = 0
    var spaces: Advance = 0
    var gaps = 0
    var nextVisible = 0
    var isHyphen = false
    /// Those of its best node.
    var leastDemerits = Double.infinity
  }

  /// The best lines up to a feasible break whose last line is of one fitness class.
  private struct ActiveNode {
    /// Infinite where there are none.
    var demerits = Double.infinity
    /// The node that its last line follows.
    var previous: Int32 = -1
    /// Hyphenated lines in a row.
    var hyphens: Int32 = 0
  }

  /// Lines of one window: longer paragraphs are broken piece by piece.
  private static let windowLines = 1000
  private static let windowOverlap = 12

  private let rating: LineRating
  private let steps: AdjustmentRoom?
  private let candidates: [BreakCandidate]
  /// The letters and words at the segment's start, its candidates and its end; empty where they do not count.
  private let places: [LetterPlace]
  private let last: BreakCandidate
  /// Lines that are stretched more are left aside.
  private let limit: Double
  /// The line of the segment that shows no hyphen, from 0; -1 for none.
  private let pageEnd: Int
  /// The number of lines that the segment is broken into; 0 where any will do.
  private let lines: Int
  /// Nodes are told apart by how many lines they have, up to so many.
  private let countedLines: Int

  private var points: [FeasibleBreak] = []
  /// Four to each point: by the fitness class of their last lines.
  private var nodes: [ActiveNode] = []
  /// The first active break: those before it are too far away for a line.
  private var first = 0
  private let start: Int

  /// - Parameters:
  ///   - start: The candidate that the first line starts at; -1 for the segment's beginning.
  ///   - limit: The stretch ratio of the loosest lines to look at.
  ///   - lines: The number of lines of the whole segment; 0 for that of the least demerits.
  init(
    _ segment: BreakSegment, after start: Int, ratio limit: Double, rating: LineRating, steps: AdjustmentRoom?,
    pageEnd: Int, lines: Int = 0
  ) {
    self.rating = rating
    self.steps = steps
    self.limit = limit
    self.pageEnd = pageEnd
    self.lines = lines
    countedLines = Swift.max(pageEnd + 1, lines)
    self.start = start
    candidates = segment.candidates
    places = segment.places
    last = segment.last
    let room = Swift.min(candidates.count - start + 1, 4096)
    points.reserveCapacity(room)
    nodes.reserveCapacity(room * 4)
    var point = FeasibleBreak(
      candidate: -1, edge: segment.isFirst ? rating.firstWidth : rating.width, nextVisible: segment.firstVisible)
    if start >= 0 {
      point = self.point(at: start, candidates[start])
      // No page is as long as a window.
      point.line = countedLines
    }
    add(point)
    nodes[1] = ActiveNode(demerits: 0, hyphens: point.isHyphen ? 1 : 0)
    points[0].leastDemerits = 0
  }

  /// The best breaks of a window; nil when some line cannot be kept within the measure.
  mutating func run() -> Solution? {
    let windowEnd = points[0].next &+ rating.width &* Advance(Self.windowLines)
    for index in start + 1..<Swift.max(start + 1, candidates.count) {
      let candidate = candidates[index]
      if candidate.end > windowEnd { return unfinished() }
      let reached = points.count
      for line in lineCounts() {
        var point = point(at: index, candidate)
        point.line = Swift.min(line + 1, countedLines)
        add(point)
        let least = tryBreak(to: candidate, isEnd: false, among: reached, line: line)
        if least < .infinity {
          points[points.count - 1].leastDemerits = least
        } else {
          points.removeLast()
          nodes.removeLast(4)
        }
      }
      guard first < points.count else { return nil }
    }
    let reached = points.count
    let counts = lineCounts()
    add(FeasibleBreak(candidate: candidates.count))
    for line in counts where lines == 0 || line == lines - 1 {
      _ = tryBreak(to: last, isEnd: true, among: reached, line: line)
    }
    let best = bestNode(among: reached...reached)
    return best.map { Solution(breaks: trace(from: nodes[$0].previous), demerits: nodes[$0].demerits, isWhole: true) }
  }

  /// The window ends; its last lines are found again with what follows them. One without a break is none.
  private func unfinished() -> Solution? {
    let number = Swift.max(first, 1)
    guard number < points.count, let best = bestNode(among: number...points.count - 1) else { return nil }
    let found = trace(from: Int32(best))
    return Solution(
      breaks: Array(found.dropLast(Swift.min(Self.windowOverlap, found.count - 1))), demerits: nodes[best].demerits,
      isWhole: false)
  }

  private mutating func add(_ point: FeasibleBreak) {
    points.append(point)
    for _ in 0..<4 { nodes.append(ActiveNode()) }
  }

  private func point(at index: Int, _ candidate: BreakCandidate) -> FeasibleBreak {
    FeasibleBreak(
      candidate: index, next: candidate.next, edge: candidate.next + rating.width, spaces: candidate.spacesAtNext,
      gaps: candidate.gaps, nextVisible: candidate.nextVisible, isHyphen: candidate.isHyphen)
  }

  /// The counts of lines that breaks have behind them, where they are counted.
  private func lineCounts() -> ClosedRange<Int> {
    guard countedLines > 0 else { return 0...0 }
    var least = Int.max
    var most = 0
    for point in points[first...] {
      least = Swift.min(least, point.line)
      most = Swift.max(most, point.line)
    }
    return Swift.min(least, most)...most
  }

  /// Tries lines from the active breaks to the last one, as the line after `line` others, and keeps the best node of
  /// each fitness class.
  ///
  /// - Parameter reached: How many breaks it may start from.
  /// - Returns: The least demerits of all; infinite where no line reaches it.
  private mutating func tryBreak(to candidate: BreakCandidate, isEnd: Bool, among reached: Int, line: Int) -> Double {
    guard !candidate.isHyphen || line != pageEnd else { return .infinity }
    let (rating, steps, limit) = (rating, steps, limit)
    let hasPlaces = !places.isEmpty
    let end = hasPlaces ? places[points[points.count - 1].candidate + 1] : LetterPlace()
    let target = nodes.count - 4
    let ownDemerits = Double(candidate.demerits) + (candidate.isHyphen ? rating.hyphenDemerits : 0)
    var first = first
    var least = Double.infinity
    unsafe places.withUnsafeBufferPointer { places in
      unsafe points.withUnsafeBufferPointer { points in
        unsafe nodes.withUnsafeMutableBufferPointer { nodes in
          var next = first
          while next < reached {
            let number = next
            next &+= 1
            let point = unsafe points.baseAddress.unsafelyUnwrapped + number
            guard unsafe point.pointee.line == line else { continue }
            let spaces = unsafe Swift.max(0, candidate.spacesAtEnd &- point.pointee.spaces)
            // A word alone on its line stays as it is.
            let letters = hasPlaces && spaces > 0 ? unsafe end.room &- places[point.pointee.candidate &+ 1].room : 0
            var shrink = rating.justifies && !isEnd ? spaces / 5 &+ letters : 0
            if let steps {
              shrink =
                unsafe steps.reduction(from: point.pointee.nextVisible, through: candidate.lastVisible)
                + candidate.endSlack
            }
            let free = unsafe point.pointee.edge &- candidate.end &+ LineTolerance.fit
            if free &+ shrink < 0 {
              if number == first { first &+= 1 }
              continue
            }
            guard free &+ shrink >= candidate.hyphen else { continue }
            let excess = free &- LineTolerance.fit &- candidate.hyphen
            let gaps = unsafe Swift.max(0, candidate.gaps &- point.pointee.gaps &- 1)
            let ratio = rating.ratio(excess, spaces: spaces, gaps: gaps, letters: letters)
            if ratio > limit, !isEnd, unsafe point.pointee.candidate >= 0 {
              // Lines from later breaks are looser still, but for those without a gap.
              guard spaces > 0 || gaps > 0, rating.ratio(excess, spaces: 0, gaps: 0) <= limit else { break }
              next = unsafe Swift.max(next, Self.firstWithoutGap(before: candidate, among: points, reached))
              continue
            }
            var (demerits, fitness) = (100.0, 1)
            if let steps {
              let letters = unsafe steps.letters(from: point.pointee.nextVisible, before: candidate.lastVisible + 1)
              (demerits, fitness) = LineRating.rate(
                excess, shrink: shrink, ratio: ratio, isEnd: isEnd, letters: letters)
            } else if !isEnd {
              (demerits, fitness) = (LineRating.demerits(of: abs(ratio)), LineRating.fitness(of: ratio))
            } else if unsafe rating.isRunt(
              candidate, after: point.pointee.next, spaces: point.pointee.spaces, gaps: point.pointee.gaps)
            {
              demerits = rating.runtDemerits
            }
            demerits += ownDemerits
            if hasPlaces, !isEnd { demerits += unsafe places[point.pointee.candidate &+ 1].stackDemerits(before: end) }
            if unsafe point.pointee.isHyphen {
              if candidate.isHyphen { demerits += LineRating.secondHyphenDemerits }
              if isEnd {
                guard !rating.forbidsLastHyphen else { continue }
                demerits += 2 * rating.hyphenDemerits
              }
            }
            let best = unsafe nodes.baseAddress.unsafelyUnwrapped + (target &+ fitness)
            guard unsafe demerits + point.pointee.leastDemerits < best.pointee.demerits else { continue }
            let before = unsafe nodes.baseAddress.unsafelyUnwrapped + number &* 4
            for lastFitness in 0..<4 {
              let node = unsafe before[lastFitness]
              let total =
                (abs(fitness &- lastFitness) > 1 ? demerits + LineRating.fitnessDemerits : demerits) + node.demerits
              guard unsafe total < best.pointee.demerits, !candidate.isHyphen || node.hyphens < rating.hyphenLimit
              else { continue }
              least = Swift.min(least, total)
              unsafe best.pointee = ActiveNode(
                demerits: total, previous: Int32(truncatingIfNeeded: number &* 4 &+ lastFitness),
                hyphens: candidate.isHyphen ? node.hyphens &+ 1 : 0)
            }
          }
        }
      }
    }
    self.first = first
    return least
  }

  /// The first of the breaks between which and `candidate` nothing can be stretched.
  private static func firstWithoutGap(
    before candidate: BreakCandidate, among points: UnsafeBufferPointer<FeasibleBreak>, _ reached: Int
  ) -> Int {
    var number = reached
    while number > 0, unsafe points[number - 1].spaces >= candidate.spacesAtEnd,
      unsafe points[number - 1].gaps + 1 >= candidate.gaps
    {
      number -= 1
    }
    return number
  }

  /// The node with the least demerits among those of some breaks; nil when there is none.
  private func bestNode(among points: ClosedRange<Int>) -> Int? {
    var best: Int?
    for number in points.lowerBound * 4..<(points.upperBound + 1) * 4
    where nodes[number].demerits < best.map({ nodes[$0].demerits }) ?? .infinity { best = number }
    return best
  }

  /// The candidates that lead to a node, its own included.
  private func trace(from last: Int32) -> [Int] {
    var found: [Int] = []
    var node = Int(last)
    while node >= 4 {
      found.append(points[node / 4].candidate)
      node = Int(nodes[node].previous)
    }
    return found.reversed()
  }
}
