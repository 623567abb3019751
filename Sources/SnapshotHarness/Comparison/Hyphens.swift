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
    let areBreaks =
      min(less, more) * leastWeight > max(less, more) || (less + more) * leastWeight <= counts["breaks"] ?? 0
    let rules = areBreaks ? [:] : joinedRules(units)
    guard areBreaks || !rules.isEmpty else { return }
    for unit in units.indices {
      for page in units[unit].pages.indices {
        for index in units[unit].pages[page].changes.indices {
          let change = units[unit].pages[page].changes[index]
          guard change.kind == .hyphensChanged else { continue }
          if areBreaks {
            units[unit].pages[page].changes[index].becomeLineBreak()
          } else if let hyphens = Hyphens.Difference(signature: change.signature), let rule = rules[hyphens] {
            units[unit].pages[page].changes[index].follow(Hyphens.Difference(isLess: hyphens.isLess, rule: rule))
          }
        }
      }
    }
  }

  /// The rule that explains all hyphens that came or went, where all rules are of one side of the hyphen: the one of
  /// most letters takes in the others. Lines that show none are not taken for a rule's, nor the other way around.
  private static func joinedRules(_ units: [UnitComparison]) -> [Hyphens.Difference: String] {
    var counts: [Hyphens.Difference: Int] = [:]
    for change in units.lazy.flatMap(\.pages).flatMap(\.changes) where change.kind == .hyphensChanged {
      if let hyphens = Hyphens.Difference(signature: change.signature) { counts[hyphens, default: 0] += 1 }
    }
    var joined: [Hyphens.Difference: String] = [:]
    for isLess in [true, false] {
      let own = counts.filter { $0.key.isLess == isLess }
      let ruled = own.filter { !$0.key.rule.isEmpty }
      let sides = Set(ruled.keys.map(\.side))
      guard ruled.count > 1 else { continue }
      if sides.count == 1, let side = sides.first, let most = ruled.keys.compactMap(\.letters).max() {
        for key in ruled.keys {
          joined[key] = "\(most) letters or fewer \(side)"
        }
      }
    }
    return joined
  }
}

extension Hyphens.Difference {
  /// As a signature tells it.
  fileprivate init?(signature: String) {
    let fields = signature.split(separator: "|", omittingEmptySubsequences: false)
    guard fields.count > 2 else { return nil }
    self.init(isLess: fields[1] == "less", rule: String(fields[2]))
  }

  /// The side of the hyphen that the rule is of.
  fileprivate var side: Substring { rule.split(separator: " ").last ?? "" }
  fileprivate var letters: Int? { Int(rule.prefix(while: \.isNumber)) }

  fileprivate var fields: [String] { [isLess ? "less" : "more", rule] }
  /// For people.
  var summary: String {
    let words = isLess ? "fewer hyphens" : "more hyphens"
    return rule.isEmpty ? words : "\(words): those with \(rule) them"
  }
}

extension Change {
  fileprivate mutating func follow(_ hyphens: Hyphens.Difference) {
    signature = ([kind.rawValue] + hyphens.fields + [origin?.rawValue].compactMap { $0 }).joined(separator: "|")
    summary = (origin == .book ? Self.ofOtherBook : "") + hyphens.summary
    general = nil
  }

  fileprivate mutating func becomeLineBreak() {
    kind = .lineBreakChanged
    severity = kind.severity
    signature = kind.rawValue + (origin.map { "|" + $0.rawValue } ?? "")
    summary = Hyphens.summaryOfBreaks
    general = nil
  }
}
