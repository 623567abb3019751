import BoxGeneration
package import Primitives

/// The rank of a break (CSS Fragmentation 3, section 4.4); a better earlier one is preferred to a worse later one.
package enum BreakRank: Int, Comparable, Sendable {
  /// Against a rule that cannot be kept: between the parts of something that does not fit any page.
  case lastResort
  /// Against `break-*: avoid`.
  case violatesAvoid
  /// Too few lines before the break, or after it: the latter is given up first.
  case violatesOrphans, violatesWidows
  case perfect
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// The rule that such a break fails, for records; nil when it keeps all.
  package var name: String? {
    switch self {
    case .perfect: nil
    case .violatesWidows: "widows"
    case .violatesOrphans: "orphans"
    case .violatesAvoid: "avoid"
    case .lastResort: "unbreakable"
    }
  }
}

/// A place on the page where it could have been broken.
package enum Breakpoint: Hashable, Sendable {
  /// Between a block-level box and the sibling before it.
  case before(BoxID)
  /// Inside a paragraph after so many lines on this page.
  case line(BoxID, count: Int)
  /// Before a row of a table.
  case row(BoxID, index: Int)
}

/// A place on the page where it could have been broken, and how good that would be.
struct NotedBreakpoint: Sendable {
  var place: Breakpoint
  var rank: BreakRank
  /// The end on the page of the content before it, and the margins below that.
  var block: LayoutUnit
  var strut: MarginStrut
}
