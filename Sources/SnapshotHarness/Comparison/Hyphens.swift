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
    enum Amount: String {
      case more, less
      /// Fewer, in a chapter that has none left.
      case all
    }

    var amount: Amount
    /// What all places that one run alone has have in common; empty where that is nothing.
    var rule: String
  }

  /// The change from these to the places of another run; nil where that is none of hyphens alone.
  func difference(to new: Hyphens) -> Difference? {
    let (old, kept) = (Set(places.map(\.offset)), Set(new.places.map(\.offset)))
    let (gone, added) = (places.filter { !kept.contains($0.offset) }, new.places.filter { !old.contains($0.offset) })
    if gone.isEmpty == added.isEmpty {
      if let rule = Self.rule(of: gone, not: new.places) { return Difference(amount: .less, rule: rule) }
      return Self.rule(of: added, not: places).map { Difference(amount: .more, rule: $0) }
    }
    return added.isEmpty
      ? Difference(amount: .less, rule: Self.rule(of: gone, not: new.places) ?? "")
      : Difference(amount: .more, rule: Self.rule(of: added, not: places) ?? "")
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
  /// Where hyphens come and go alike, or most lines break elsewhere without any, it is the breaks that changed. Where
  /// nearly all chapters that have fewer have none, it is hyphenation as such.
  static func foldHyphens(_ units: inout [UnitComparison]) {
    var counts: [Hyphens.Difference.Amount: Int] = [:]
    var breaks = 0
    for change in units.lazy.flatMap(\.pages).flatMap(\.changes) {
      if let hyphens = change.hyphens { counts[hyphens.amount, default: 0] += 1 }
      if change.kind == .lineBreakChanged { breaks += 1 }
    }
    let (all, more) = (counts[.all] ?? 0, counts[.more] ?? 0)
    let less = all + (counts[.less] ?? 0)
    let isOff = (less - all) * leastWeight <= all
    changeHyphens(of: &units) { hyphens in
      guard hyphens.amount != .more else { return hyphens }
      return isOff
        ? Hyphens.Difference(amount: .all, rule: "") : Hyphens.Difference(amount: .less, rule: hyphens.rule)
    }
    let areBreaks = min(less, more) * leastWeight > max(less, more) || (less + more) * leastWeight <= breaks
    let rules = areBreaks ? [:] : joinedRules(units)
    guard areBreaks || !rules.isEmpty else { return }
    changeHyphens(of: &units) { hyphens in
      areBreaks ? nil : Hyphens.Difference(amount: hyphens.amount, rule: rules[hyphens] ?? hyphens.rule)
    }
  }

  /// - Parameter body: returns nil for what is a change of breaks.
  private static func changeHyphens(
    of units: inout [UnitComparison], _ body: (Hyphens.Difference) -> Hyphens.Difference?
  ) {
    changePages(of: &units) { change, _ in
      guard let hyphens = change.hyphens else { return }
      guard let other = body(hyphens) else { return change.becomeLineBreak() }
      if other != hyphens { change.follow(other) }
    }
  }

  /// The rule that explains all hyphens that came or went, where all rules are of one side of the hyphen: the one of
  /// most letters takes in the others. Lines that show none are not taken for a rule's, nor the other way around.
  private static func joinedRules(_ units: [UnitComparison]) -> [Hyphens.Difference: String] {
    var counts: [Hyphens.Difference: Int] = [:]
    for change in units.lazy.flatMap(\.pages).flatMap(\.changes) {
      if let hyphens = change.hyphens { counts[hyphens, default: 0] += 1 }
    }
    var joined: [Hyphens.Difference: String] = [:]
    for amount in [Hyphens.Difference.Amount.less, .more] {
      let own = counts.filter { $0.key.amount == amount }
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
  init(_ variant: ChangeKey.Variant, rule: String) {
    amount = variant == .lost ? .less : variant == .whole ? .all : .more
    self.rule = rule
  }

  /// The side of the hyphen that the rule is of.
  fileprivate var side: Substring { rule.split(separator: " ").last ?? "" }
  fileprivate var letters: Int? { Int(rule.prefix(while: \.isNumber)) }

  /// As a signature tells it.
  var fields: [String] { [amount.rawValue, rule] }
  /// For people.
  var summary: String {
    if amount == .all { return "no hyphens any more" }
    let words = amount == .less ? "fewer hyphens" : "more hyphens"
    return rule.isEmpty ? words : "\(words): those with \(rule) them"
  }
}

extension Change {
  /// nil for other changes.
  fileprivate var hyphens: Hyphens.Difference? {
    let fields = signature.split(separator: "|", omittingEmptySubsequences: false)
    guard kind == .hyphensChanged, fields.count > 2, let amount = Hyphens.Difference.Amount(rawValue: String(fields[1]))
    else { return nil }
    return Hyphens.Difference(amount: amount, rule: String(fields[2]))
  }

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
