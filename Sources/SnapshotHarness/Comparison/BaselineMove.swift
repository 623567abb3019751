/// The move of a baseline by an accept: compare and swap, by unit. A baseline that is no longer what the run was compared with is
/// left alone.
package struct BaselineMove: Sendable {
  private let store: SnapshotStore
  private let run: RunFolder
  private let manifest: RunManifest
  /// Units of the run that become the baseline, and units that leave it.
  private var recorded: [UnitKey] = []
  private var forgotten: [UnitKey] = []
  private var renamed: [(old: UnitKey, new: UnitKey)] = []
  /// By unit: what is written into the decision that moves it.
  package private(set) var moved: [String: String] = [:]

  /// Finds out what is to be moved, and moves nothing. Fails when the baseline of a unit is another than the one that the run
  /// was compared with, and says by whom it was moved.
  ///
  /// - Parameter decisions: those that there were before the accept.
  package init(
    of comparison: RunComparison, _ run: RunFolder, _ manifest: RunManifest, in store: SnapshotStore,
    decisions: Decisions
  ) throws(HarnessError) {
    self.store = store
    self.run = run
    self.manifest = manifest
    let units = Dictionary(comparison.units.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for key in comparison.acceptedUnits {
      guard let unit = units[key] else { continue }
      let isGone = unit.changes.contains { $0.kind == .bookGone }
      guard let compared = comparison.identities?[unit.oldKey.description] else {
        throw HarnessError.missing(
          "\(run.path): it was compared by an older typeset; typeset snapshot compare compares it anew")
      }
      let new = isGone ? "" : try run.identity(key) ?? ""
      // An accept of other changes of the same run was there before.
      if decisions.hasMoved(key, from: compared, to: new, since: comparison) { continue }
      let now = try store.identity(unit.oldKey)
      guard now == compared else {
        throw HarnessError.moved(
          Self.refusal(unit.oldKey, isThere: now != nil, store, decisions.lastMove(of: key, in: store.variant)))
      }
      moved[Decisions.movable(key, in: store.variant)] = Decisions.move(from: compared, to: new)
      if unit.oldKey != key { renamed.append((unit.oldKey, key)) }
      if isGone || unit.oldKey != key { forgotten.append(unit.oldKey) }
      if !isGone { recorded.append(key) }
    }
  }

  private static func refusal(_ key: UnitKey, isThere: Bool, _ store: SnapshotStore, _ last: Decision?) -> String {
    var text = "\(store.path): the baseline of \(key) is no longer what the run was compared with"
    if !isThere { text = "\(store.path): there is no baseline of \(key), with which the run was compared" }
    if let last {
      let revision = last.revision.isEmpty ? "" : ", revision \(last.revision)"
      text += "; it was moved on \(last.date) (“\(last.reason)”\(revision))"
    } else {
      text += "; no decision has moved it: it was recorded, merged or changed by hand"
    }
    return text + "; typeset snapshot verify compares with what is there now"
  }

  /// Moves the baseline.
  ///
  /// - Parameter others: units whose figures were accepted.
  /// - Returns: The number of units that moved.
  package func perform(figures others: Set<UnitKey>) throws(HarnessError) -> Int {
    try store.renameElsewhere(renamed)
    let changed = Set(try store.record(recorded, of: run, manifest: manifest, figures: others))
    try store.forget(forgotten)
    try store.recordFigures(others.subtracting(recorded), of: run)
    try store.appendHistory(
      manifest.units.filter { changed.contains($0) || others.contains($0) }, of: run, manifest: manifest)
    return moved.count
  }
}

extension SnapshotStore {
  /// Units of a run that fail and did not in the baseline, or that it does not have. Hostile books may fail.
  package func newFailures(_ units: [UnitKey], of run: RunFolder, _ manifest: RunManifest) -> [UnitKey] {
    let hostile = Set(manifest.books.filter { $0.tier == "hostile" }.map(\.id))
    return units.filter { key in
      !hostile.contains(key.book) && run.unitFile(key)?.result.outcome.isSuccess == false
        && unitFile(key)?.result.outcome.isSuccess != false
    }
  }

  /// Regressions that nobody has taken back, of units that recording a run would change.
  package func openRegressions(
    _ units: [UnitKey], of run: RunFolder, _ manifest: RunManifest
  ) throws(HarnessError) -> [Decision] {
    let decisions = try Decisions(contentsOf: manifest.decisionsPath)
    var changed: [UnitKey] = []
    for key in decisions.unspent(units, in: variant) where try run.identity(key) != (try? identity(key)) {
      changed.append(key)
    }
    return decisions.openRegressions(of: changed, in: variant)
  }

  /// Makes units of a run the baseline, whatever it was, and takes others out. Decisions on units that change have done their
  /// work with it, which is added to them.
  ///
  /// - Returns: the units whose text is new or another.
  package func recordAnew(
    _ units: [UnitKey], forgetting gone: [UnitKey], of run: RunFolder, manifest: RunManifest, keepsPages: Bool = true
  ) throws(HarnessError) -> [UnitKey] {
    let path = manifest.decisionsPath
    var moved: [String: String] = [:]
    for key in try Decisions(contentsOf: path).unspent(units + gone, in: variant) {
      // A unit that cannot be read is replaced; that is what recording is for.
      let old = (try? identity(key)) ?? ""
      let new = gone.contains(key) ? "" : try run.identity(key) ?? ""
      if old != new { moved[Decisions.movable(key, in: variant)] = Decisions.move(from: old, to: new) }
    }
    let changed = try record(units, of: run, manifest: manifest, keepsPages: keepsPages)
    try forget(gone)
    if !moved.isEmpty {
      let decision = Decision(
        signature: "record", summary: "the baseline was recorded anew", verdict: .accepted, reason: "recorded",
        revision: manifest.revision, date: Decisions.today(), moved: moved)
      try Decisions.append([decision], to: path)
    }
    return changed
  }

  /// The store, or its variant that a run was compared with. Fails with 64 for a variant that it was not compared with.
  package func judging(_ comparison: RunComparison) throws(HarnessError) -> SnapshotStore {
    if variant == comparison.variant { return self }
    guard variant == nil, let name = comparison.variant else {
      let judge = comparison.variant.map { "variant \($0)" } ?? "the baseline"
      throw HarnessError(64, "\(path): the run was compared with \(judge), not with variant \(variant ?? "")")
    }
    return try variant(named: name)
  }
}
