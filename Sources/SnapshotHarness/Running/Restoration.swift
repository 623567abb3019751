import Typesetting

/// Makes pages of a baseline again that are not kept beside its hashes, by the engine that they were recorded with (snapshot
/// harness, 3.5).
package struct Restoration {
  /// The outcome for a unit.
  package struct Outcome: Hashable, Sendable {
    package var key: UnitKey
    /// Pages that can be shown now, of all.
    package var there: Int
    package var all: Int
  }

  private let store: SnapshotStore
  private let header: BaselineHeader
  private let manifest: RunManifest

  /// - Parameter manifest: of the run that the baseline was compared with: where its books are.
  package init(_ store: SnapshotStore, manifest: RunManifest) throws(HarnessError) {
    self.store = store
    header = try store.header()
    self.manifest = manifest
  }

  /// The units of a comparison that differ and have pages that cannot be shown.
  package func units(of comparison: RunComparison) -> [UnitKey] {
    let known = Set(store.units())
    return comparison.units.map(\.key).filter { known.contains($0) && !store.hasPages($0) }
  }

  /// The revisions that recorded units last, in the repository that holds the store; none for a unit that it does not have.
  package func revisions(of units: [UnitKey]) throws(HarnessError) -> [String: [UnitKey]] {
    var revisions: [String: [UnitKey]] = [:]
    for key in units {
      let text = try Git.run(
        ["log", "-1", "--format=%H", "--", "units/\(key.profile)/\(key.book).txt"], in: store.judge(of: key).path)
      guard let revision = text.split(separator: "\n").first else { continue }
      revisions[String(revision), default: []].append(key)
    }
    return revisions
  }

  /// The version of the engine that recorded the baseline.
  package var engine: String { header.versions.engine }

  /// The revision of the engine's repository that is the version which recorded the baseline. Fails with 66 where
  /// there is none.
  package func revision(in repository: String) throws(HarnessError) -> String {
    for tag in [engine, "v" + engine] {
      if let revision = try? Bisect.commit("refs/tags/" + tag, repository: repository) { return revision }
    }
    throw HarnessError(
      66, "\(repository): it has no tag \(engine), the version that recorded the baseline; --old names its program")
  }

  /// The repository that holds the store.
  package func repository() throws(HarnessError) -> String { try Git.workTree(of: store.path) }

  /// A session that renders units as the baseline has them.
  package func session(_ units: [UnitKey], program: String, into folder: String) throws(HarnessError) -> Session {
    var selection = UnitSelection()
    selection.books = Array(Set(units.map(\.book))).sorted()
    let corpus = Corpus(books: manifest.books, profiles: header.profiles, fonts: manifest.fonts)
    var session = try Session(
      corpus: corpus, paths: manifest.corpus, selection: selection, into: folder, program: program)
    let wanted = Set(units)
    session.units = session.units.filter { wanted.contains($0) }
    return session
  }

  /// Keeps what a session has rendered, as far as it is what was recorded.
  package func keep(_ session: Session) throws(HarnessError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for key in session.units {
      let kept = try store.restorePages(of: key, from: session.run)
      outcomes.append(Outcome(key: key, there: kept.there, all: kept.all))
    }
    return outcomes
  }
}
