import CSS
import Styling

/// Kinds of gaps and blanks that give way or open when a line is justified.
struct AdjustmentKinds: OptionSet, Sendable {
  var rawValue: UInt8
  static let wordSpace = Self(rawValue: 1)
  /// The gap between Han or kana and Western text.
  static let mixedGap = Self(rawValue: 2)
  /// ・ and its like, blank on both sides.
  static let interpunct = Self(rawValue: 4)
  static let bracket = Self(rawValue: 8)
  /// 、，；：
  static let comma = Self(rawValue: 16)
  /// 。．
  static let stop = Self(rawValue: 32)
  /// Between other characters set solid.
  static let solid = Self(rawValue: 64)
}

/// The order in which a language's lines are made narrower or wider: each step is exhausted before the next, and takes the same
/// from all it concerns.
struct JustificationSteps: Sendable {
  struct Step: Sendable {
    var kinds: AdjustmentKinds
    /// The size to which a blank is brought at most, in em.
    var size: Float
  }
  /// After the mark at the line's end, which gives its blank half up before all others.
  var reductions: [Step]
  var expansions: [Step]
  /// Gaps open between marks and characters on their outer side.
  var opensBesideMarks = true
  /// The marks ！ and ？ give way like full stops.
  var reducesDividingMarks = false

  /// CLREQ, procedures for inter-character spacing reduction and for inter-character space expansion.
  static let chinese = Self(
    reductions: [
      Step(kinds: .wordSpace, size: 0.25), Step(kinds: .interpunct, size: 0), Step(kinds: .bracket, size: 0),
      Step(kinds: .comma, size: 0), Step(kinds: .mixedGap, size: 0.125), Step(kinds: .stop, size: 0),
    ],
    expansions: [
      Step(kinds: .wordSpace, size: 0.5), Step(kinds: .mixedGap, size: 1 / 3), Step(kinds: .solid, size: 0.25),
      Step(kinds: [.wordSpace, .mixedGap, .solid], size: .infinity),
    ], reducesDividingMarks: true)

  /// The same where 。！？ keep their em within a line.
  var keepingStops: Self {
    var steps = self
    steps.reductions.removeAll { $0.kinds == .stop }
    return steps
  }

  /// JLREQ 3.8.3 and 3.8.4. A full stop inside a line keeps its em.
  static let japanese = Self(
    reductions: [
      Step(kinds: .wordSpace, size: 0.25), Step(kinds: .interpunct, size: 0), Step(kinds: [.bracket, .comma], size: 0),
      Step(kinds: .mixedGap, size: 0.125),
    ],
    expansions: [
      Step(kinds: .wordSpace, size: 0.5), Step(kinds: .mixedGap, size: 0.5), Step(kinds: .solid, size: 0.25),
      Step(kinds: [.wordSpace, .mixedGap, .solid], size: .infinity),
    ])

  /// KLREQ, line adjustment.
  static let korean = Self(
    reductions: [Step(kinds: .wordSpace, size: 0.2)],
    expansions: [
      Step(kinds: .wordSpace, size: 0.5), Step(kinds: .solid, size: 0.125),
      // Words torn into syllables read worse than wide spaces.
      Step(kinds: .wordSpace, size: .infinity), Step(kinds: .solid, size: .infinity),
    ], opensBesideMarks: false)
}

extension ParagraphStyle {
  var justifies: Bool { align == .justify || align == .justifyAll }

  /// The steps that lines are justified by; nil where CSS alone decides.
  var steps: JustificationSteps? {
    guard conventions != .none, justifies, justify == .auto else { return nil }
    switch conventions {
    case .chinese: return .chinese
    case .japanese: return .japanese
    case .korean: return .korean
    case .none, .western: return nil
    }
  }
}
