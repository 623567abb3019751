import Primitives

/// The rating of a line when the lines of a paragraph are chosen as a whole (D. E. Knuth, M. F. Plass, Breaking
/// paragraphs into lines, 1981, section "Desirability criteria"). All numbers, for it is asked at every pair of breaks.
struct LineRating {
  /// Width of the lines, and of the first one.
  var width: Advance
  var firstWidth: Advance
  var justifies: Bool
  /// Hyphenated lines in a row.
  var hyphenLimit: Int
  /// A last line shorter than this is a runt, which is worse than a line with quite wide spaces.
  var runt: Advance
  var runtDemerits = LineRating.demerits(ofBadness: 800)
  /// Widest stretch of a gap beside an ideograph.
  var gapStretch: Advance
  var ragged: Advance
  /// The last full line of the text shows no hyphen.
  var forbidsLastHyphen = false
  /// Demerits of a line without a penalty (Knuth and Plass, 1981): ten for the line itself, so that fewer lines are better.
  static func demerits(ofBadness badness: Double) -> Double { (10 + badness) * (10 + badness) }

  /// Demerits of lines that no eye can tell from the best ones: most lines of ideographs, which fill any measure. A perfect line
  /// has 100; each may have 15 more, a badness of 0.7, and the paragraph those of one line with a badness of 6.
  static func unnoticedDemerits(lines: Int) -> Double { Double(lines) * 115 + 250 }

  /// The least room to stretch or shrink that is counted with.
  private let leastRoom: Advance

  init(width: Advance, justifies: Bool, hyphenLimit: Int, runt: Advance, gapStretch: Advance, ragged: Advance) {
    self.width = width
    firstWidth = width
    self.justifies = justifies
    self.hyphenLimit = hyphenLimit
    self.runt = runt
    self.gapStretch = gapStretch
    self.ragged = ragged
    leastRoom = Swift.max(1, width / 500)
  }

  /// The demerits of a hyphen; one before the last line costs twice as much more. Lines that need not reach the edge
  /// are divided only where one would be much shorter than the others.
  var hyphenDemerits: Double { justifies ? 2500 : 40_000 }
  static let secondHyphenDemerits = 10_000.0
  /// Of a line that begins or ends with the word that the line before it begins or ends with.
  static let stackDemerits = 4000.0
  /// Of a line that ends before small kana where an author allows that: those of one with more than a third of an em in each gap.
  static let kanaDemerits: Float = 160_000
  /// Of a river.
  static let riverDemerits = 20_000.0
  /// Of neighbours that are two fitness classes apart.
  static let fitnessDemerits = 10_000.0

  /// Tight, decent, loose and very loose lines.
  @inline(__always)
  static func fitness(of ratio: Double) -> Int { ratio < -0.5 ? 0 : ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3 }

  /// The ratio by which a line is stretched, or narrowed when negative: 1 is as far as it should be.
  ///
  /// - Parameter letters: The room that the letters of the line give or take.
  @inline(__always)
  func ratio(_ excess: Advance, spaces: Advance, gaps: Int, letters: Advance = 0) -> Double {
    let room: Advance
    if excess < 0 {
      room = spaces / 5 + letters
    } else if !justifies {
      room = ragged
    } else if spaces > 0 || gaps > 0 {
      room = spaces / 3 + gapStretch * Advance(gaps) + letters
    } else {
      // A line without a gap stays as it is: not worse than a few wide ones.
      room = gapStretch
    }
    return Double(excess) / Double(Swift.max(room, leastRoom))
  }

  /// The demerits of a line without hyphen by its ratio, which is not negative.
  @inline(__always)
  static func demerits(of ratio: Double) -> Double {
    let badness = 100 * ratio * ratio * ratio
    return Self.demerits(ofBadness: badness)
  }

  /// The last line is very short, or one word.
  ///
  /// - Parameters:
  ///   - start: Where it starts, and the spaces and gaps before it.
  @inline(__always)
  func isRunt(_ last: BreakCandidate, after start: Advance, spaces: Advance, gaps: Int) -> Bool {
    last.end - start < runt || last.spacesAtEnd <= spaces && last.gaps <= gaps + 1
  }

  // MARK: Lines justified in steps

  /// Demerits of a last line that has less than two characters beside marks.
  static let adjustedRuntDemerits = 40_000.0

  /// Demerits of a line set in steps that opens.
  static func adjustedDemerits(of ratio: Double) -> Double {
    let badness = 50 + 100 * ratio * ratio * ratio
    return Self.demerits(ofBadness: badness)
  }

  /// Demerits and fitness class of a line that is set in steps: to give way comes before opening. A last line has two
  /// characters beside marks.
  static func rate(
    _ excess: Advance, shrink: Advance, ratio: Double, isEnd: Bool, letters: Int
  ) -> (demerits: Double, fitness: Int) {
    if isEnd, letters < 2 { return (adjustedRuntDemerits, 1) }
    if excess <= LineTolerance.fit {
      let ratio = excess < -LineTolerance.fit ? Double(excess) / Double(Swift.max(1, shrink)) : 0
      let badness = 20 * ratio * ratio
      return (demerits(ofBadness: badness), 1)
    }
    if isEnd { return (100, 1) }
    return (adjustedDemerits(of: ratio), ratio <= 0.5 ? 1 : ratio <= 1 ? 2 : 3)
  }
}
