import Primitives
import Shaping

/// Rivers: white that runs down through word spaces that stand one below the other (rule B14).
extension OptimalLineBreaker {
  /// Lines that a river flows through.
  private static let leastLines = 5
  /// The number of times that breaks are chosen anew because of rivers.
  private static let mostTrials = 3

  /// Breaks with fewer rivers than those that have the least demerits otherwise, where a river less is worth theirs.
  func withoutRivers(_ chosen: [Int], of segment: BreakSegment) -> [Int] {
    guard rating.justifies, chosen.count + 1 >= Self.leastLines else { return chosen }
    var best = (breaks: chosen, rivers: rivers(in: chosen, of: segment))
    guard !best.rivers.isEmpty else { return chosen }
    let demerits =
      stretchDemerits(of: chosen, in: segment).demerits + LineRating.riverDemerits * Double(best.rivers.count)
    var least = demerits
    var changed = segment
    for _ in 0..<Self.mostTrials where !best.rivers.isEmpty {
      for river in best.rivers {
        for line in river where line < best.breaks.count {
          changed.candidates[best.breaks[line]].demerits += Float(LineRating.riverDemerits / Double(Self.leastLines))
        }
      }
      guard let other = leastDemerits(of: changed), other != best.breaks else { continue }
      let rivers = rivers(in: other, of: segment)
      let sum = stretchDemerits(of: other, in: segment).demerits + LineRating.riverDemerits * Double(rivers.count)
      guard sum < least else { continue }
      least = sum
      best = (other, rivers)
    }
    return best.breaks
  }

  /// The rivers of lines, by the numbers of the lines that they come through until they are ones.
  func rivers(in breaks: [Int], of segment: BreakSegment) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    var above: [(gap: Range<Advance>, lines: Int)] = []
    var start = -1
    for line in 0...breaks.count {
      let end = line < breaks.count ? breaks[line] : segment.candidates.count
      var here: [(gap: Range<Advance>, lines: Int)] = []
      for gap in gaps(from: start, to: end, of: segment) {
        let lines = above.filter {
          let overlap = Swift.min($0.gap.upperBound, gap.upperBound) - Swift.max($0.gap.lowerBound, gap.lowerBound)
          return overlap * 2 >= Swift.min(Advance($0.gap.count), Advance(gap.count))
        }.map(\.lines).max()
        here.append((gap, (lines ?? 0) + 1))
        if here[here.count - 1].lines == Self.leastLines { found.append(line - Self.leastLines + 1...line) }
      }
      above = here
      start = end
    }
    return found
  }

  /// The word spaces of a line between two candidates as it will be justified, from the edge of the text on.
  private func gaps(from start: Int, to end: Int, of segment: BreakSegment) -> [Range<Advance>] {
    let isLast = end == segment.candidates.count
    let last = isLast ? segment.last : segment.candidates[end]
    let first = start < 0 ? 0 : segment.candidates[start].next
    let width = start < 0 && segment.isFirst ? rating.firstWidth : rating.width
    let spaces = segment.candidates[(start + 1)..<Swift.max(start + 1, end)].filter { !$0.isHyphen && $0.next > $0.end }
    guard !spaces.isEmpty else { return [] }
    let natural = last.end + last.hyphen - first
    let excess = isLast ? 0 : width - natural
    let room = segment.letterRoom(from: start, to: end)
    let inLetters = Swift.max(-room, Swift.min(room, excess))
    let inSpaces = excess - inLetters
    let indent = rating.width - width
    return spaces.enumerated().map { number, space in
      func place(_ natural: Advance, _ count: Int) -> Advance {
        indent + natural + inLetters * natural / Swift.max(1, width) + inSpaces * Advance(count) / Advance(spaces.count)
      }
      let left = place(space.end - first, number)
      return left..<Swift.max(left, place(space.next - first, number + 1))
    }
  }
}
