import Primitives
import Shaping

/// A search for the best breaks of a segment (D. E. Knuth, M. F. Plass, Breaking paragraphs into lines, 1981): from break to break,
/// with the best ways to each.
struct BreakSearch {
  struct Solution {
    /// Positions among the segment's candidates.
    var breaks: [Int]
    var demerits: Double
    /// It reaches the end of the segment.
    var isWhole: Bool
  }

  /// A candidate that lines end at.
  private struct Stop {
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
    /// Those of the best way to it.
    var leastDemerits = Double.infinity
  }

  /// A best way to a stop.
  private struct Way {
    /// Infinite where there is none.
    var demerits = Double.infinity
    /// The way that its last line follows.
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
  /// Ways are told apart by how many lines they have, up to so many.
  private let countedLines: Int

  private var stops: [Stop] = []
  /// Four to each stop: by the fitness class of their last lines.
  private var ways: [Way] = []
  /// Stops before this one are too far away for a line.
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
    stops.reserveCapacity(room)
    ways.reserveCapacity(room * 4)
    var stop = Stop(
      candidate: -1, edge: segment.isFirst ? rating.firstWidth : rating.width, nextVisible: segment.firstVisible)
    if start >= 0 {
      stop = self.stop(at: start, candidates[start])
      // No page is as long as a window.
      stop.line = countedLines
    }
    add(stop)
    ways[1] = Way(demerits: 0, hyphens: stop.isHyphen ? 1 : 0)
    stops[0].leastDemerits = 0
  }

  /// The best breaks of a window; nil when some line cannot be kept within the measure.
  mutating func run() -> Solution? {
    let windowEnd = stops[0].next &+ rating.width &* Advance(Self.windowLines)
    for index in start + 1..<Swift.max(start + 1, candidates.count) {
      let candidate = candidates[index]
      if candidate.end > windowEnd { return unfinished() }
      let reached = stops.count
      for line in lineCounts() {
        var stop = stop(at: index, candidate)
        stop.line = Swift.min(line + 1, countedLines)
        add(stop)
        let least = findWays(to: candidate, isEnd: false, among: reached, line: line)
        if least < .infinity {
          stops[stops.count - 1].leastDemerits = least
        } else {
          stops.removeLast()
          ways.removeLast(4)
        }
      }
      guard first < stops.count else { return nil }
    }
    let reached = stops.count
    let counts = lineCounts()
    add(Stop(candidate: candidates.count))
    for line in counts where lines == 0 || line == lines - 1 {
      _ = findWays(to: last, isEnd: true, among: reached, line: line)
    }
    let best = bestWay(among: reached...reached)
    return best.map { Solution(breaks: trace(from: ways[$0].previous), demerits: ways[$0].demerits, isWhole: true) }
  }

  /// The window ends; its last lines are found again with what follows them. One without a break is none.
  private func unfinished() -> Solution? {
    let number = Swift.max(first, 1)
    guard number < stops.count, let best = bestWay(among: number...stops.count - 1) else { return nil }
    let found = trace(from: Int32(best))
    return Solution(
      breaks: Array(found.dropLast(Swift.min(Self.windowOverlap, found.count - 1))), demerits: ways[best].demerits,
      isWhole: false)
  }

  private mutating func add(_ stop: Stop) {
    stops.append(stop)
    for _ in 0..<4 { ways.append(Way()) }
  }

  private func stop(at index: Int, _ candidate: BreakCandidate) -> Stop {
    Stop(
      candidate: index, next: candidate.next, edge: candidate.next + rating.width, spaces: candidate.spacesAtNext,
      gaps: candidate.gaps, nextVisible: candidate.nextVisible, isHyphen: candidate.isHyphen)
  }

  /// The counts of lines that stops have behind them, where they are counted.
  private func lineCounts() -> ClosedRange<Int> {
    guard countedLines > 0 else { return 0...0 }
    var least = Int.max
    var most = 0
    for stop in stops[first...] {
      least = Swift.min(least, stop.line)
      most = Swift.max(most, stop.line)
    }
    return Swift.min(least, most)...most
  }

  /// Finds the least demerits of a line to the last stop after `line` others, by fitness class, and the ways that it follows.
  ///
  /// - Parameter reached: How many stops it may start from.
  /// - Returns: The least demerits of all; infinite where there is no way.
  private mutating func findWays(to candidate: BreakCandidate, isEnd: Bool, among reached: Int, line: Int) -> Double {
    guard !candidate.isHyphen || line != pageEnd else { return .infinity }
    let (rating, steps, limit) = (rating, steps, limit)
    let hasPlaces = !places.isEmpty
    let end = hasPlaces ? places[stops[stops.count - 1].candidate + 1] : LetterPlace()
    let target = ways.count - 4
    let ownDemerits = Double(candidate.demerits) + (candidate.isHyphen ? rating.hyphenDemerits : 0)
    var first = first
    var least = Double.infinity
    unsafe places.withUnsafeBufferPointer { places in
      unsafe stops.withUnsafeBufferPointer { stops in
        unsafe ways.withUnsafeMutableBufferPointer { ways in
          var next = first
          while next < reached {
            let number = next
            next &+= 1
            let stop = unsafe stops.baseAddress.unsafelyUnwrapped + number
            guard unsafe stop.pointee.line == line else { continue }
            let spaces = unsafe Swift.max(0, candidate.spacesAtEnd &- stop.pointee.spaces)
            // A word alone on its line stays as it is.
            let letters = hasPlaces && spaces > 0 ? unsafe end.room &- places[stop.pointee.candidate &+ 1].room : 0
            var shrink = rating.justifies && !isEnd ? spaces / 5 &+ letters : 0
            if let steps {
              shrink =
                unsafe steps.reduction(from: stop.pointee.nextVisible, through: candidate.lastVisible)
                + candidate.endSlack
            }
            let free = unsafe stop.pointee.edge &- candidate.end &+ LineTolerance.fit
            if free &+ shrink < 0 {
              if number == first { first &+= 1 }
              continue
            }
            guard free &+ shrink >= candidate.hyphen else { continue }
            let excess = free &- LineTolerance.fit &- candidate.hyphen
            let gaps = unsafe Swift.max(0, candidate.gaps &- stop.pointee.gaps &- 1)
            let ratio = rating.ratio(excess, spaces: spaces, gaps: gaps, letters: letters)
            if ratio > limit, !isEnd, unsafe stop.pointee.candidate >= 0 {
              // Lines from later stops are looser still, but for those without a gap.
              guard spaces > 0 || gaps > 0, rating.ratio(excess, spaces: 0, gaps: 0) <= limit else { break }
              next = unsafe Swift.max(next, Self.firstWithoutGap(before: candidate, among: stops, reached))
              continue
            }
            var (demerits, fitness) = (100.0, 1)
            if let steps {
              let letters = unsafe steps.letters(from: stop.pointee.nextVisible, before: candidate.lastVisible + 1)
              (demerits, fitness) = LineRating.rate(
                excess, shrink: shrink, ratio: ratio, isEnd: isEnd, letters: letters)
            } else if !isEnd {
              (demerits, fitness) = (LineRating.demerits(of: abs(ratio)), LineRating.fitness(of: ratio))
            } else if unsafe rating.isRunt(
              candidate, after: stop.pointee.next, spaces: stop.pointee.spaces, gaps: stop.pointee.gaps)
            {
              demerits = rating.runtDemerits
            }
            demerits += ownDemerits
            if hasPlaces, !isEnd { demerits += unsafe places[stop.pointee.candidate &+ 1].stackDemerits(before: end) }
            if unsafe stop.pointee.isHyphen {
              if candidate.isHyphen { demerits += LineRating.secondHyphenDemerits }
              if isEnd {
                guard !rating.forbidsLastHyphen else { continue }
                demerits += 2 * rating.hyphenDemerits
              }
            }
            let best = unsafe ways.baseAddress.unsafelyUnwrapped + (target &+ fitness)
            guard unsafe demerits + stop.pointee.leastDemerits < best.pointee.demerits else { continue }
            let before = unsafe ways.baseAddress.unsafelyUnwrapped + number &* 4
            for lastFitness in 0..<4 {
              let way = unsafe before[lastFitness]
              let total =
                (abs(fitness &- lastFitness) > 1 ? demerits + LineRating.fitnessDemerits : demerits) + way.demerits
              guard unsafe total < best.pointee.demerits, !candidate.isHyphen || way.hyphens < rating.hyphenLimit
              else { continue }
              least = Swift.min(least, total)
              unsafe best.pointee = Way(
                demerits: total, previous: Int32(truncatingIfNeeded: number &* 4 &+ lastFitness),
                hyphens: candidate.isHyphen ? way.hyphens &+ 1 : 0)
            }
          }
        }
      }
    }
    self.first = first
    return least
  }

  /// The first of the stops between which and `candidate` nothing can be stretched.
  private static func firstWithoutGap(
    before candidate: BreakCandidate, among stops: UnsafeBufferPointer<Stop>, _ reached: Int
  ) -> Int {
    var number = reached
    while number > 0, unsafe stops[number - 1].spaces >= candidate.spacesAtEnd,
      unsafe stops[number - 1].gaps + 1 >= candidate.gaps
    {
      number -= 1
    }
    return number
  }

  /// The way with the least demerits to one of the stops; nil when there is none.
  private func bestWay(among stops: ClosedRange<Int>) -> Int? {
    var best: Int?
    for number in stops.lowerBound * 4..<(stops.upperBound + 1) * 4
    where ways[number].demerits < best.map({ ways[$0].demerits }) ?? .infinity { best = number }
    return best
  }

  /// The candidates on a way, that of its last stop included.
  private func trace(from last: Int32) -> [Int] {
    var found: [Int] = []
    var way = Int(last)
    while way >= 4 {
      found.append(stops[way / 4].candidate)
      way = Int(ways[way].previous)
    }
    return found.reversed()
  }
}
