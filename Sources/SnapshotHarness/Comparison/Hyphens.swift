/// Words that are divided at the ends of lines, and how two runs of the same text differ in them.
struct Hyphens {
  /// A place in a text, in UTF-16 units, at which a line ends in a hyphen, with the letters of the word on both sides.
  private struct Place {
    var offset: Int
    var before: Int
    var behind: Int
  }

  private let places: [Place]

  /// The summary of lines that break elsewhere for another cause.
  static let summaryOfBreaks = "lines break elsewhere"

  /// - Parameter next: The line behind these.
  init(_ lines: [LineRecord], next: LineRecord?) {
    places = lines.indices.compactMap { index in
      guard lines[index].hyphenated else { return nil }
      let rest = index + 1 < lines.count ? lines[index + 1] : next
      let before = lines[index].text.reversed().drop { !$0.isLetter }.prefix(while: \.isLetter).count
      return Place(
        offset: lines[index].source.end, before: before,
        behind: rest?.text.prefix(while: \.isLetter).count ?? .max)
    }
  }

  /// A rule that the old places tell of and the new ones do not, or the other way around.
  struct Difference: Hashable {
    var isLess: Bool
    /// What all places that one run alone has have in common; empty where that is nothing.
    var rule: String
  }

  /// The change from these to the places of another run; nil where that is none of hyphens alone.
  func difference(to new: Hyphens) -> Difference? {
    let (old, kept) = (Set(places.map(\.offset)), Set(new.places.map(\.offset)))
    let (gone, added) = (places.filter { !kept.contains($0.offset) }, new.places.filter { !old.contains($0.offset) })
    if gone.isEmpty == added.isEmpty {
      if let rule = Self.rule(of: gone, not: new.places) { return Difference(isLess: true, rule: rule) }
      return Self.rule(of: added, not: places).map { Difference(isLess: false, rule: $0) }
    }
    return added.isEmpty
      ? Difference(isLess: true, rule: Self.rule(of: gone, not: new.places) ?? "")
      : Difference(isLess: false, rule: Self.rule(of: added, not: places) ?? "")
  }

  /// Parts of words of so many letters are short.
  private static let short = 3

  /// What tells places from all others: how few letters they leave on a side.
  private static func rule(of places: [Place], not others: [Place]) -> String? {
    for (side, words) in [(\Place.before, "before"), (\Place.behind, "behind")] {
      guard let most = places.map({ $0[keyPath: side] }).max(), most <= short,
        others.allSatisfy({ $0[keyPath: side] > most })
      else { continue }
      return "\(most) letters \(words)"
    }
    return nil
  }
}

extension ChangeFolding {
  /// Where hyphens come and go alike, or most lines break elsewhere without any, it is the breaks that changed.
  static func foldHyphens(_ units: inout [UnitComparison]) {
    var counts: [String: Int] = [:]
    for change in units.lazy.flatMap(\.pages).flatMap(\.changes) {
      if change.kind == .hyphensChanged {
        counts[change.signature.contains("|less|") ? "less" : "more", default: 0] += 1
      }
      if change.kind == .lineBreakChanged { counts["breaks", default: 0] += 1 }
    }
    let (less, more) = (counts["less"] ?? 0, counts["more"] ?? 0)
    guard min(less, more) * leastWeight > max(less, more) || (less + more) * leastWeight <= counts["breaks"] ?? 0 else {
      return
    }
    for unit in units.indices {
      for page in units[unit].pages.indices {
        for index in units[unit].pages[page].changes.indices
        where units[unit].pages[page].changes[index].kind == .hyphensChanged {
          units[unit].pages[page].changes[index].becomeLineBreak()
        }
      }
    }
  }
}

extension Change {
  fileprivate mutating func becomeLineBreak() {
    kind = .lineBreakChanged
    severity = kind.severity
    signature = kind.rawValue + (origin.map { "|" + $0.rawValue } ?? "")
    summary = Hyphens.summaryOfBreaks
    general = nil
  }
}
