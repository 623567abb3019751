extension ChangeFolding {
  /// Changes of a class that tell of several possible causes each, between commas in the second field of their
  /// signature: the cause that explains most of the run's is that of all that it can explain, and so on with the
  /// rest.
  ///
  /// - Parameters:
  ///   - precedes: The order of causes that explain as many changes.
  ///   - summary: That of a change by one cause.
  static func foldCauses(
    of kind: ChangeClass, in units: inout [UnitComparison], precedes: (String, String) -> Bool,
    summary: (String) -> String
  ) {
    let all = units.flatMap { $0.pages.flatMap { $0.changes.compactMap { $0.possibleCauses(of: kind) } } }
    var left = all.filter { $0.count > 1 }
    if left.isEmpty { return }
    let single = all.filter { $0.count == 1 }
    var order: [String] = []
    while !left.isEmpty {
      var counts: [String: Int] = [:]
      for cause in left.joined() { counts[cause, default: 0] += 1 }
      for cause in single.joined() where counts[cause] != nil { counts[cause, default: 0] += 1 }
      let most = counts.max { a, b in a.value == b.value ? precedes(b.key, a.key) : a.value < b.value }
      guard let most else { break }
      order.append(most.key)
      left.removeAll { $0.contains(most.key) }
    }
    for unit in units.indices {
      for page in units[unit].pages.indices {
        for index in units[unit].pages[page].changes.indices {
          guard let own = units[unit].pages[page].changes[index].possibleCauses(of: kind), own.count > 1,
            let cause = order.first(where: own.contains)
          else { continue }
          units[unit].pages[page].changes[index].follow(cause, summary: summary(cause))
        }
      }
    }
  }

  /// The signature of a change by any of some causes.
  static func signature(_ kind: ChangeClass, causes: Set<String>) -> String {
    kind.rawValue + "|" + causes.sorted().joined(separator: Change.separator)
  }
}

extension Change {
  static let separator = ", "

  func possibleCauses(of kind: ChangeClass) -> Set<String>? {
    guard self.kind == kind else { return nil }
    let fields = signature.split(separator: "|", omittingEmptySubsequences: false)
    guard fields.count > 1 else { return [] }
    return Set(fields[1].split(separator: Self.separator).map(String.init))
  }

  mutating func follow(_ cause: String, summary: String) {
    var fields = signature.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    fields[1] = cause
    signature = fields.joined(separator: "|")
    let summary = (origin == .book ? Self.ofOtherBook : "") + summary
    if general == nil { self.summary = summary } else { general = summary }
  }
}
