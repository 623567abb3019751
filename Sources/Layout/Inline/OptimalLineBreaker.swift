import CSS
import Platform
import Primitives
import Shaping
import Text

/// A candidate for a break: a place where the lines of a paragraph may end, measured on one endless line.
struct BreakCandidate {
  var cluster: Int
  /// The end of a line that ends here, without its trailing spaces, and where the next one starts.
  var end: Advance
  var next: Advance
  /// Width of the hyphen that a break here shows.
  var hyphen: Advance = 0
  var isHyphen = false
  /// Word spaces before `end` and before `next`, and gaps around ideographs before the cluster.
  var spacesAtEnd: Advance = 0
  var spacesAtNext: Advance = 0
  var gaps = 0
  /// The slack of the mark at the end when room is short, and the clusters around the break that show: for lines that
  /// are justified in steps.
  var endSlack: Advance = 0
  var lastVisible = 0
  var nextVisible = 0
  /// The demerits of a break here beside the line's own demerits.
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
  /// Of the segment's start, of its candidates and of its end: the room of the letters before them, and the words beside them.
  /// Empty where glyphs and letters take no part in justification.
  var places: [LetterPlace] = []

  /// The room of the letters between two places, by the numbers of their candidates; -1 is the segment's start.
  func letterRoom(from first: Int, to last: Int) -> Advance {
    places.isEmpty ? 0 : places[last + 1].room - places[first + 1].room
  }
}

/// A place where a line may end, as microtypography sees it.
struct LetterPlace {
  /// The most that all letters before it give or take.
  var room: Advance = 0
  /// The words that a line before it ends with and one after it begins with, by their hashes; 0 for none.
  var wordBefore: UInt64 = 0
  var wordAfter: UInt64 = 0

  /// The demerits of the words of a line from here on, beside those of its neighbours: the end of the line before it, the start of the
  /// line after it.
  @inline(__always)
  func stackDemerits(before next: LetterPlace) -> Double {
    (wordBefore != 0 && wordBefore == next.wordBefore ? LineRating.stackDemerits : 0)
      + (wordAfter != 0 && wordAfter == next.wordAfter ? LineRating.stackDemerits : 0)
  }
}

/// The plan of a paragraph's lines, chosen as a whole (CSS Text 4, section 6.4.1).
struct LinePlan {
  /// The key of the plan: all that the choice depends on.
  struct Key: Equatable {
    var width: LayoutUnit
    var indent: LayoutUnit
    var style: TextWrapStyle
    var justifies: Bool
    /// The line, from the plan's first, that ends a page and shows no hyphen there; -1 for none.
    var pageEnd = -1
    /// Lines more than the best choice has.
    var looseness: Int8 = 0
  }
  var key: Key
  /// The cluster that the first line starts with.
  var first = 0
  /// The clusters that the other lines start with, in order.
  var starts: [Int] = []

  /// One of the lines starts with `cluster`.
  func contains(_ cluster: Int) -> Bool {
    cluster == first || cluster > first && end(after: cluster - 1) == cluster
  }

  /// The end of the line that starts at `cluster`, if the plan says so.
  func end(after cluster: Int) -> Int { starts(behind: cluster).first ?? .max }

  /// The clusters behind a place that lines start with.
  func starts(behind cluster: Int) -> ArraySlice<Int> {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= cluster { low = middle + 1 } else { high = middle }
    }
    return starts[low...]
  }
}

/// Total-fit line breaking: the set of breaks with the least demerits over the whole paragraph (D. E. Knuth, M. F. Plass,
/// Breaking paragraphs into lines, 1981).
struct OptimalLineBreaker {
  var rating: LineRating
  /// The room of lines in steps.
  var adjustmentRoom: AdjustmentRoom?
  /// The line of the segment that shows no hyphen, from 0; -1 for none.
  var pageEnd = -1

  /// A runt is worse than a line that is stretched by this ratio.
  static let mostRatioForRunt = 2.0

  /// Stretch ratios of the loosest lines that are looked at first, by how loose those set one by one are; the demerits of a
  /// solution tell whether looser ones can be part of a better one.
  private static let usualRatio = mostRatioForRunt
  /// The same of lines that need not reach the edge: they have more to choose from.
  private static let raggedRatio = 1.0
  private static let leastRatio = 0.5
  private static let mostRatio = 4.0
  /// The stretch ratio of the loosest lines of a paragraph that is made longer or shorter than it need be, and the mean one.
  private static let loosestRatio = 2.5
  private static let mostMeanRatio = 1.6
  /// The same of lines that are set in steps.
  private static let adjustedRatio = 0.5
  /// The stretch ratio of such a line whose gaps take hardly more than an ideograph.
  private static let tightRatio = 0.2

  /// The candidates to break at, or nil when some line cannot be kept within the measure.
  func breaks(of segment: BreakSegment) -> [Int]? {
    guard let chosen = leastDemerits(of: segment) else { return nil }
    return segment.places.isEmpty ? chosen : withoutRivers(chosen, of: segment)
  }

  /// The lines that can be stretched have no more demerits than those of `greedyBreaks`, whatever is done for a last line or about
  /// one that cannot.
  func leastDemerits(of segment: BreakSegment) -> [Int]? {
    // There is nothing to choose.
    if segment.last.end <= (segment.isFirst ? rating.firstWidth : rating.width) { return [] }
    guard adjustmentRoom == nil, rating.justifies, pageEnd < 0,
      let greedy = greedyBreaks(of: segment, measure: rating.width)
    else {
      return leastDemerits(of: segment, ratio: rating.justifies ? Self.usualRatio : Self.raggedRatio)
    }
    let plain = stretchDemerits(of: greedy, in: segment)
    if !plain.isSpecial, plain.demerits <= LineRating.unnoticedDemerits(lines: greedy.count) { return greedy }
    let ratio = cbrt((plain.demerits.squareRoot() - 10) / 100)
    guard let chosen = leastDemerits(of: segment, ratio: Swift.max(Self.leastRatio, Swift.min(Self.mostRatio, ratio)))
    else { return nil }
    guard chosen != greedy, plain.isSpecial, plain.demerits < stretchDemerits(of: chosen, in: segment).demerits else {
      return chosen
    }
    var breaker = self
    breaker.rating.runtDemerits = 100
    breaker.rating.forbidsLastHyphen = true
    guard let other = breaker.leastDemerits(of: segment, ratio: Self.usualRatio),
      stretchDemerits(of: other, in: segment).demerits <= plain.demerits
    else { return greedy }
    return other
  }

  /// The best candidates to break at into a number of lines; nil where that takes lines that are stretched too far.
  ///
  /// - Parameter isLonger: The last line is one that there would not be otherwise: the rest of a divided word alone is none.
  func breaks(of segment: BreakSegment, lines: Int, isLonger: Bool) -> [Int]? {
    guard lines > 0 else { return nil }
    let ratio = adjustmentRoom == nil ? Self.loosestRatio : Self.tightRatio
    var rating = rating
    // A short last line is better than a page that ends short, if the others are good.
    rating.runtDemerits = LineRating.demerits(ofBadness: 400)
    if isLonger { rating.forbidsLastHyphen = true }
    var search = BreakSearch(
      segment, after: -1, ratio: ratio, rating: rating, steps: adjustmentRoom, pageEnd: pageEnd, lines: lines)
    guard let found = search.run(), found.isWhole, areStepsKept(found, of: segment),
      found.demerits <= Double(lines) * LineRating.demerits(of: Self.mostMeanRatio)
    else { return nil }
    return found.breaks
  }

  /// Lines set in steps are not opened for the sake of a page: marks give and take, and one line at most does more
  /// than in the best choice.
  private func areStepsKept(_ found: BreakSearch.Solution, of segment: BreakSegment) -> Bool {
    guard adjustmentRoom != nil else { return true }
    guard let best = adjustedSolution(of: segment, after: -1), best.isWhole else { return false }
    return found.demerits <= best.demerits + LineRating.adjustedDemerits(of: Self.tightRatio)
  }

  /// The demerits of the lines that can be stretched, and whether there are others or a runt.
  func stretchDemerits(of breaks: [Int], in segment: BreakSegment) -> (demerits: Double, isSpecial: Bool) {
    var isSpecial = false
    var demerits = 0.0
    var fitness = 1
    var edge = segment.isFirst ? rating.firstWidth : rating.width
    var before = BreakCandidate(cluster: 0, end: 0, next: 0)
    var start = -1
    for index in breaks {
      let candidate = segment.candidates[index]
      let spaces = candidate.spacesAtEnd - before.spacesAtNext
      let gaps = candidate.gaps - before.gaps - 1
      let lastFitness = fitness
      if spaces > 0 || gaps > 0 {
        let excess = edge - candidate.end - candidate.hyphen
        let ratio = rating.ratio(
          excess, spaces: Swift.max(0, spaces), gaps: Swift.max(0, gaps),
          letters: segment.letterRoom(from: start, to: index))
        demerits += LineRating.demerits(of: abs(ratio))
        fitness = LineRating.fitness(of: ratio)
      } else {
        isSpecial = true
      }
      if candidate.isHyphen {
        demerits += rating.hyphenDemerits + (before.isHyphen ? LineRating.secondHyphenDemerits : 0)
      }
      if abs(fitness - lastFitness) > 1 { demerits += LineRating.fitnessDemerits }
      if !segment.places.isEmpty {
        demerits += segment.places[start + 1].stackDemerits(before: segment.places[index + 1])
      }
      edge = candidate.next + rating.width
      before = candidate
      start = index
    }
    if rating.isRunt(segment.last, after: before.next, spaces: before.spacesAtNext, gaps: before.gaps) {
      isSpecial = true
    }
    return (
      demerits + (before.isHyphen ? 2 * rating.hyphenDemerits : 0)
        + (abs(fitness - 1) > 1 ? LineRating.fitnessDemerits : 0), isSpecial
    )
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
  private func solution(of segment: BreakSegment, after start: Int, ratio: Double) -> BreakSearch.Solution? {
    guard adjustmentRoom == nil else { return adjustedSolution(of: segment, after: start) }
    var ratio = ratio
    var found = search(segment, after: start, ratio: ratio)
    if found == nil, ratio < Self.usualRatio {
      ratio = Self.usualRatio
      found = search(segment, after: start, ratio: ratio)
    }
    guard let found else { return search(segment, after: start, ratio: .infinity) }
    // Its other lines have some demerits, too.
    let bound = found.demerits - 90 * Double(found.breaks.count)
    guard LineRating.demerits(of: ratio) < bound else { return found }
    while LineRating.demerits(of: ratio) < bound { ratio *= 1.25 }
    return search(segment, after: start, ratio: ratio)
  }

  /// A line set in steps hardly needs to open: where all lines can do with little, looser ones are not looked at.
  private func adjustedSolution(of segment: BreakSegment, after start: Int) -> BreakSearch.Solution? {
    // Little more than the width of an ideograph in all gaps.
    let gap = rating.gapStretch
    let tight = Double(5 * gap) / Double(Swift.max(gap, rating.width / 4 - gap))
    if rating.justifies, tight < Self.adjustedRatio, let found = search(segment, after: start, ratio: tight),
      found.demerits < LineRating.adjustedRuntDemerits
    {
      return found
    }
    var ratio = Self.adjustedRatio
    var solution = search(segment, after: start, ratio: ratio)
    if solution == nil {
      ratio = Self.usualRatio
      solution = search(segment, after: start, ratio: ratio)
    }
    guard let found = solution else { return search(segment, after: start, ratio: .infinity) }
    // The first line may be as loose as it likes; where it is, others that are less so may do better.
    let rest = Double(found.breaks.count) * LineRating.adjustedDemerits(of: ratio) + 10_000
    guard rating.justifies, found.demerits - rest > LineRating.adjustedDemerits(of: ratio) else { return found }
    while LineRating.adjustedDemerits(of: ratio) < found.demerits { ratio *= 1.5 }
    return search(segment, after: start, ratio: ratio) ?? found
  }

  private func search(_ segment: BreakSegment, after start: Int, ratio limit: Double) -> BreakSearch.Solution? {
    var search = BreakSearch(
      segment, after: start, ratio: limit, rating: rating, steps: adjustmentRoom, pageEnd: pageEnd)
    return search.run()
  }

  /// Breaks that fill lines of `measure` one by one; nil when a line does not fit.
  ///
  /// - Parameter isStrict: Candidates that have demerits of their own are left out.
  func greedyBreaks(of segment: BreakSegment, measure: Advance, isStrict: Bool = false) -> [Int]? {
    var chosen: [Int] = []
    var from: Advance = 0
    var last = -1
    let indent = segment.isFirst ? rating.width - rating.firstWidth : 0
    var limit = measure - indent
    var hyphens = 0
    for index in 0...segment.candidates.count {
      let candidate = index < segment.candidates.count ? segment.candidates[index] : segment.last
      if isStrict, candidate.demerits > 0 { continue }
      if candidate.isHyphen,
        hyphens >= rating.hyphenLimit || candidate.end - from + candidate.hyphen > limit + LineTolerance.fit
      {
        continue
      }
      while candidate.end - from > limit + LineTolerance.fit {
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
    guard var greedy = greedyBreaks(of: segment, measure: rating.width) else { return nil }
    guard !greedy.isEmpty, greedy.count < 6 else { return greedy }
    var isStrict = false
    if let strict = greedyBreaks(of: segment, measure: rating.width, isStrict: true), strict.count <= greedy.count {
      (greedy, isStrict) = (strict, true)
    }
    var low = LayoutUnit(rating.width / 2).advance / 2
    var high = rating.width
    while high - low > LayoutUnit.epsilon.advance {
      let middle = (low + high) / 2
      if let found = greedyBreaks(of: segment, measure: middle, isStrict: isStrict), found.count <= greedy.count {
        high = middle
      } else {
        low = middle
      }
    }
    return greedyBreaks(of: segment, measure: high, isStrict: isStrict)
  }
}
