/// Differences of the unit as a whole: outcome, metadata, warnings and figures.
extension UnitDiff {
  mutating func addUnitChange(_ key: ChangeKey) {
    comparison.changes.append(
      Change(kind: key.kind, severity: key.kind.severity, signature: table.signature(key), summary: table.summary(key)))
  }

  mutating func compareOutcomes() {
    let (a, b) = (old.result, new.result)
    switch (a.outcome.isSuccess, b.outcome.isSuccess) {
    case (true, false):
      addUnitChange(
        ChangeKey(kind: .newFailure, a: table.string(b.outcome.rawValue), b: table.string(Self.name(b.failure))))
    case (false, true):
      addUnitChange(
        ChangeKey(kind: .fixedFailure, a: table.string(a.outcome.rawValue), b: table.string(Self.name(a.failure))))
    case (false, false):
      if a.outcome != b.outcome || Self.name(a.failure) != Self.name(b.failure) {
        addUnitChange(
          ChangeKey(kind: .newFailure, a: table.string(b.outcome.rawValue), b: table.string(Self.name(b.failure))))
      }
    case (true, true): break
    }
  }

  /// The name that equal failures share (7.4): the innermost functions, or else the phase and the message without its numbers.
  static func name(_ failure: UnitFailure?) -> String {
    guard let failure else { return "" }
    if !failure.stack.isEmpty { return "in " + failure.stack.prefix(3).joined(separator: " < ") }
    // The message of a child that is stopped may differ from run to run; its message on its input does not.
    let message = failure.signal == 0 ? withoutPlace(failure.message.split(separator: "\n").last ?? "") : ""
    let parts = [
      failure.phase, failure.signal == 0 ? "" : "signal \(failure.signal)", withoutNumbers(String(message.prefix(160))),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The message of a child on its book without the path, which is another each time: `typeset: PATH: REASON`.
  static func withoutPlace(_ line: Substring) -> Substring {
    let program = "typeset: "
    guard line.hasPrefix(program + "/"), let end = line.dropFirst(program.count).firstRange(of: ": ") else {
      return line
    }
    return line[end.upperBound...]
  }

  static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var isNumber = false
    for character in text {
      let isDigit = character.isASCII && character.isNumber
      if isDigit, isNumber { continue }
      result.append(isDigit ? "…" : character)
      isNumber = isDigit
    }
    return result
  }

  mutating func compareMetadata() {
    let (a, b) = (old.result, new.result)
    if a.title != b.title { addMetadata("title", a.title, b.title) }
    if a.language != b.language { addMetadata("language", a.language, b.language) }
    if let was = a.statistics[Self.missingGlyphs], let now = b.statistics[Self.missingGlyphs], now > was {
      addUnitChange(ChangeKey(kind: .glyphMissing))
    }
    let (before, after) = (Set(a.warnings), Set(b.warnings))
    for warning in b.warnings where !before.contains(warning) {
      comparison.changes.append(
        change(.metadata, "metadata|warning||\(Self.withoutNumbers(warning))", "new warning: \(warning)"))
    }
    for warning in a.warnings where !after.contains(warning) {
      comparison.changes.append(
        change(.metadata, "metadata|warning|\(Self.withoutNumbers(warning))|", "no longer warned: \(warning)"))
    }
  }

  /// Figures of a unit that tell of faults on its pages.
  private static let missingGlyphs = "glyphs.missing"
  private static let rivers = "lines.rivers"

  /// Rivers come and go with any text that is set anew; more of them are told where lines break elsewhere and nothing else changed.
  mutating func compareRivers() {
    guard let was = old.result.statistics[Self.rivers], let now = new.result.statistics[Self.rivers], now > was,
      !comparison.pages.isEmpty,
      comparison.pages.allSatisfy({ $0.changes.allSatisfy { $0.kind.isOfLineBreaks && $0.kind != .hyphensChanged } })
    else { return }
    addUnitChange(ChangeKey(kind: .river))
  }

  mutating func addMetadata(_ field: String, _ old: String, _ new: String) {
    comparison.changes.append(
      change(.metadata, "metadata|\(field)|\(old)|\(new)", "\(field) “\(old)” became “\(new)”"))
  }

  func change(_ kind: ChangeClass, _ signature: String, _ summary: String) -> Change {
    Change(kind: kind, severity: kind.severity, signature: signature, summary: summary)
  }
}
