import Primitives
import Synchronization
import Typesetting

/// Where old pages come from: a store, or another run.
package enum Reference: Sendable {
  case store(SnapshotStore, BaselineHeader)
  case run(RunFolder, RunManifest)

  /// Opens a path.
  package init(_ path: String) throws(HarnessError) {
    if SnapshotStore.isStore(path) {
      let store = SnapshotStore(path)
      self = .store(store, try store.header())
    } else if RunFolder.isRun(path) {
      let run = RunFolder(path)
      self = .run(run, try run.manifest())
    } else {
      throw HarnessError.missing("\(path): there is no baseline; typeset snapshot record makes one")
    }
  }

  package var path: String {
    switch self {
    case .store(let store, _): store.path
    case .run(let run, _): run.path
    }
  }

  package var versions: RunVersions {
    switch self {
    case .store(_, let header): header.versions
    case .run(_, let manifest): manifest.versions
    }
  }

  package var units: [UnitKey] {
    switch self {
    case .store(let store, _): store.units()
    case .run(_, let manifest): manifest.units
    }
  }

  private var profiles: [Profile] {
    switch self {
    case .store(_, let header): header.profiles
    case .run(_, let manifest): manifest.profiles
    }
  }

  /// Masks and tolerance of a unit, as the corpus of a run has them: a book's tolerance goes before its profile's.
  fileprivate func settings(of key: UnitKey) -> ComparisonSettings {
    let (book, profile) = inputs(of: key)
    return ComparisonSettings(
      tolerance: book?.tolerance ?? profile?.tolerance ?? .exact, masks: (book?.masks ?? []) + (profile?.masks ?? []))
  }

  fileprivate func inputs(of key: UnitKey) -> (book: CorpusBook?, profile: Profile?) {
    guard case .run(_, let manifest) = self else { return (nil, nil) }
    return (
      manifest.books.first { $0.id == key.book }, manifest.profiles.first { $0.name == key.profile }
    )
  }

  package func unitFile(_ key: UnitKey) -> UnitFile? {
    switch self {
    case .store(let store, _): store.unitFile(key)
    case .run(let run, _): run.unitFile(key)
    }
  }

  /// The lines of hashes; nil for a unit that is not known.
  func hashBytes(_ key: UnitKey) -> [UInt8]? {
    switch self {
    case .store(let store, _): store.hashBytes(key)
    case .run(let run, _): run.unitFile(key) == nil ? nil : run.hashBytes(key)
    }
  }

  /// The unit with its pages at hand; nil for one that is not known.
  package func source(_ key: UnitKey) -> StoredUnit? {
    let unit: StoredUnit? =
      switch self {
      case .store(let store, _): store.source(key)
      case .run(let run, _): run.source(key)
      }
    if let unit, let profile = profiles.first(where: { $0.name == key.profile }) { unit.scale = profile.scale }
    return unit
  }

  /// Time, memory and counters by unit, as far as they are known.
  package func statistics() -> [UnitKey: [String: Double]] {
    switch self {
    case .store(let store, _): return store.lastFigures()
    case .run(let run, let manifest):
      var statistics: [UnitKey: [String: Double]] = [:]
      for key in manifest.units { statistics[key] = run.unitFile(key)?.result.statistics }
      return statistics
    }
  }
}

/// Compares two runs: levels A and B here, what lies below by the comparison of units.
package enum Verification {
  /// - Parameters:
  ///   - units: those to compare; nil takes all that the new run is to have.
  ///   - jobs: units in work at once.
  package static func compare(
    _ old: Reference, _ new: Reference, units: [UnitKey]? = nil, jobs: Int = 1,
    missingShards: [Int] = []
  ) -> RunComparison {
    var comparison = RunComparison(old: old.versions, new: new.versions)
    comparison.missingShards = missingShards
    comparison.against = old.path
    let keys = units ?? new.units
    let results = Mutex<[UnitKey: (pages: Int, difference: UnitDiff.Result?)]>([:])
    let next = Mutex(0)
    let work: @Sendable () -> Void = {
      while true {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        guard index < keys.count else { return }
        let key = keys[index]
        guard let result = compare(old, new, key) else { continue }
        results.withLock { $0[key] = result }
      }
    }
    let handles = (1..<max(1, min(jobs, keys.count))).compactMap { _ in Worker.start(work) }
    if let own = Worker.start(work) { own.join() } else { work() }
    for handle in handles { handle.join() }
    let found = results.withLock { $0 }
    for key in keys {
      guard let result = found[key] else { continue }
      comparison.unitCount += 1
      comparison.pageCount += result.pages
      if let difference = result.difference?.comparison, !difference.isEqual { comparison.units.append(difference) }
    }
    let warnings = unusedMasks(keys, found.compactMapValues(\.difference?.unusedMasks), new)
    if !warnings.isEmpty { comparison.warnings = warnings }
    comparison.clusters = Clustering.clusters(of: comparison.units)
    return comparison
  }

  /// What masks hide nothing in any of the units that were looked at: each a line.
  private static func unusedMasks(_ keys: [UnitKey], _ unused: [UnitKey: [Mask]], _ new: Reference) -> [String] {
    var hides: [String: Bool] = [:]
    var lines: [String] = []
    for key in keys {
      guard let list = unused[key] else { continue }
      let (book, profile) = new.inputs(of: key)
      func note(_ mask: Mask, of owner: String) {
        let line = "\(owner): the mask \(mask) hides nothing"
        if hides[line] == nil { lines.append(line) }
        hides[line] = hides[line] == true || !list.contains(mask)
      }
      for mask in book?.masks ?? [] { note(mask, of: key.book) }
      for mask in profile?.masks ?? [] { note(mask, of: "profile \(key.profile)") }
    }
    return lines.filter { hides[$0] == false }
  }

  /// - Returns: the pages of the new unit and what differs; nil for a unit that one side does not have.
  private static func compare(
    _ old: Reference, _ new: Reference, _ key: UnitKey
  ) -> (pages: Int, difference: UnitDiff.Result?)? {
    guard let newFile = new.unitFile(key), let newHashes = new.hashBytes(key), let oldFile = old.unitFile(key),
      let oldHashes = old.hashBytes(key)
    else { return nil }
    let pages = newHashes.count / PageHashFile.lineLength
    if oldHashes == newHashes, isEqual(oldFile.result, newFile.result) { return (pages, nil) }
    guard let oldUnit = old.source(key), let newUnit = new.source(key) else { return nil }
    var settings = new.settings(of: key)
    settings.scale = newUnit.scale
    return (pages, UnitDiff.compare(oldUnit, newUnit, settings: settings))
  }

  /// Whether all is equal that is known of two units beside their pages and figures.
  private static func isEqual(_ old: UnitResult, _ new: UnitResult) -> Bool {
    var old = old
    var new = new
    old.statistics = [:]
    new.statistics = [:]
    // How far it got before it was stopped, and what the machine said, are no difference.
    old.failure?.message = ""
    new.failure?.message = ""
    old.failure?.reached = nil
    new.failure?.reached = nil
    return old == new
  }
}

extension RunVersions {
  /// What another run was made with that this one was not: the header of a report, a line each. The engine is not told: that
  /// it is another is the point of comparing.
  package func differences(to new: RunVersions) -> [String] {
    var lines: [String] = []
    for (name, version) in new.libraries.sorted(by: { $0.key < $1.key }) where libraries[name] != version {
      lines.append("\(name) \(libraries[name] ?? "?") -> \(version)")
    }
    for name in Set(fonts.keys).union(new.fonts.keys).sorted() where fonts[name] != new.fonts[name] {
      switch (fonts[name], new.fonts[name]) {
      case (nil, _): lines.append("font \(name) is new")
      case (_, nil): lines.append("font \(name) is gone")
      default: lines.append("font \(name) is another version")
      }
    }
    return lines
  }
}
