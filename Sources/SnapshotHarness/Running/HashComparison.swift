/// Which pages of two units differ, by their hashes alone.
enum HashComparison {
  static func compare(old: any UnitSource, new: any UnitSource) -> UnitComparison {
    var comparison = UnitComparison(
      key: new.result.key, title: new.result.title, language: new.result.language, oldPages: old.result.pages.count,
      newPages: new.result.pages.count)
    func change(_ kind: ChangeClass, _ severity: Severity, _ summary: String) -> Change {
      Change(kind: kind, severity: severity, signature: kind.rawValue, summary: summary)
    }
    if old.result.outcome.isSuccess, !new.result.outcome.isSuccess {
      comparison.changes.append(change(.newFailure, .high, "fails: \(new.result.outcome.rawValue)"))
    } else if !old.result.outcome.isSuccess, new.result.outcome.isSuccess {
      comparison.changes.append(change(.fixedFailure, .improvement, "is set to its end"))
    }
    if comparison.oldPages != comparison.newPages {
      comparison.changes.append(
        change(.pageCount, .medium, "\(comparison.newPages) pages, not \(comparison.oldPages)"))
    }
    for (index, (before, after)) in zip(old.result.pages, new.result.pages).enumerated() where before != after {
      comparison.pages.append(
        PageChange(
          oldPage: index + 1, newPage: index + 1, chapter: 0, href: "",
          changes: [change(.pixelsOnly, .medium, "the page differs")]))
    }
    if comparison.isEqual { comparison.changes.append(change(.metadata, .low, "what is known of the book differs")) }
    return comparison
  }
}
