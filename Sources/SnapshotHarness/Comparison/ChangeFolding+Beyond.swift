/// What a book is beyond its pages and what these are in its PDF have causes in common (4.8): text that cannot be
/// copied has no characters, without places neither links nor the outline lead anywhere, and the outline is made of
/// the contents.
extension ChangeFolding {
  /// Where links lead nowhere because their places are lost, pages that have places alone tell of the links, too.
  static func foldPlaces(_ units: inout [UnitComparison]) {
    for isOfBook in [false, true] {
      func causes(_ change: Change) -> Set<String> {
        (change.origin == .book) == isOfBook ? change.possibleCauses(of: .taggingChanged) ?? [] : []
      }
      let isCommon = units.contains { unit in
        let own = unit.pages.lazy.flatMap(\.changes).reduce(into: Set<String>()) { $0.formUnion(causes($1)) }
        return own.isSuperset(of: [TagAspects.deadLinks, TagAspects.lostPlaces])
      }
      guard isCommon else { continue }
      changePages(of: &units) { change, _ in
        var own = causes(change)
        guard own.remove(TagAspects.lostPlaces) != nil else { return }
        own.insert(TagAspects.deadLinks)
        change.follow(own.sorted().joined(separator: Change.separator), summary: TagAspects.summary(own))
      }
    }
  }

  /// Changes of whole books take the signatures of those of their pages that they follow from, and the other way
  /// around.
  static func foldBeyondPages(_ units: inout [UnitComparison]) {
    for index in units.indices {
      let (own, pages) = (units[index].changes, units[index].pages.flatMap(\.changes))
      // The outline is made of the contents, which name chapters, too.
      units[index].changes.removeAll { change in
        ["outline", "spine"].contains(change.beyondPages)
          && own.contains { $0.beyondPages?.hasPrefix("contents") == true && $0.origin == change.origin }
      }
      for place in units[index].changes.indices {
        let change = units[index].changes[place]
        let causes: Set<String>
        switch change.beyondPages {
        case "characters", "characters|gone": causes = TagAspects.characters
        case "outline|nowhere": causes = [TagAspects.deadLinks, TagAspects.lostPlaces]
        default: continue
        }
        let cause = pages.first { $0.origin == change.origin && $0.isTagged(otherwiseBy: causes) }
        if let cause { units[index].changes[place].follow(cause) }
      }
    }
    // Places come and go with what leads to them.
    changePages(of: &units) { change, unit in
      guard change.isTagged(otherwiseBy: TagAspects.places) else { return }
      let own = unit.changes.filter { [origin = change.origin] in $0.origin == origin }
      let cause = ["contents|gone", "contents", "outline|gone", "outline"].lazy.compactMap { kind in
        own.first { $0.beyondPages == kind }
      }.first
      if let cause { change.follow(cause) }
    }
  }
}

extension Change {
  /// What the change of a whole book is of, as its signature tells it: `contents`, `outline|gone`; nil for others.
  fileprivate var beyondPages: String? {
    guard kind == .beyondPages else { return nil }
    let own = signature.dropFirst(ChangeClass.beyondPages.rawValue.count + 1)
    return String(own.withoutSuffix("|" + ChangeOrigin.book.rawValue))
  }

  /// Nothing else than these explains what the page is in a PDF.
  fileprivate func isTagged(otherwiseBy causes: Set<String>) -> Bool {
    possibleCauses(of: .taggingChanged).map { !$0.isEmpty && $0.isSubset(of: causes) } ?? false
  }

  /// Becomes one of those that have the same cause as another; `summary` goes on telling of this one.
  fileprivate mutating func follow(_ cause: Change) {
    kind = cause.kind
    severity = max(severity, cause.severity)
    signature = cause.signature
    general = cause.general ?? cause.summary
  }
}
