import Platform
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

  /// Looks at all files of a baseline before work is done on its account. Fails for one that is not what was recorded.
  ///
  /// - Parameter warn: told of what is to be mended and does not stop anything.
  package func check(_ warn: (String) -> Void) throws(HarnessError) {
    guard case .store(let store, _) = self else { return }
    let unsealed = try store.check()
    if unsealed > 0 {
      warn(
        "\(store.path): \(unsealed) units are of an older form, without digests or pixels; typeset snapshot record renews them"
      )
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

  /// What is known of a unit, and the bytes of its hashes; nil for one that is not there. Fails for one that is damaged, and
  /// names the file.
  func verified(_ key: UnitKey) throws(HarnessError) -> (file: UnitFile, hashes: [UInt8])? {
    switch self {
    case .store(let store, _): try store.verified(key)
    case .run(let run, _): try run.verified(key)
    }
  }

  /// The hash of a unit's book; nil where it is not known.
  private func bookHash(_ key: UnitKey) -> String? { inputs(of: key).book?.hash ?? unitFile(key)?.book }

  /// The units that the corpus of a run no longer has, and what books of it may have come from them.
  fileprivate func gone(from new: Reference, unknown: [UnitKey]) -> (gone: [UnitKey], renamed: [UnitKey: UnitKey]) {
    guard case .run(_, let manifest) = new, let others = manifest.others else { return ([], [:]) }
    let known = Set(manifest.units).union(others)
    let ours = Set(units)
    // Where books that the old side does not know were not chosen, one of them may be what a book is called now.
    let uncertain = Set(others.filter { !ours.contains($0) }.map(\.profile))
    var gone = units.filter { !known.contains($0) && !uncertain.contains($0.profile) }
    var renamed: [UnitKey: UnitKey] = [:]
    if gone.isEmpty || unknown.isEmpty { return (gone, renamed) }
    // A book is the same where its bytes are, or, where those are not known, all that was painted.
    func names(_ key: UnitKey, _ side: Reference) -> [String] {
      let pages = side.source(key)?.result.pages ?? []
      return [side.bookHash(key), pages.isEmpty ? nil : SHA256.hex(PageHashFile.text(pages))].compactMap {
        $0.map { "\(key.profile) \($0)" }
      }
    }
    var places: [String: UnitKey] = [:]
    for key in gone.reversed() { for name in names(key, self) { places[name] = key } }
    var taken = Set<UnitKey>()
    for key in unknown {
      guard let old = names(key, new).lazy.compactMap({ places[$0] }).first, taken.insert(old).inserted else {
        continue
      }
      renamed[key] = old
    }
    gone.removeAll { taken.contains($0) }
    return (gone, renamed)
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

  /// Memory and counters of a run that are worse or better than here.
  ///
  /// - Parameter changed: units with other pages.
  package func findings(on new: Reference, changed: Set<UnitKey>) -> [PerformanceFinding] {
    let after = new.statistics()
    switch self {
    case .store(let store, _): return BaselineFigures.findings(store.figures(), after)
    case .run:
      let before = statistics()
      return Performance.counters(before, after, changed: changed) + Performance.memory(before, after)
    }
  }

  /// Time, memory and counters by unit, as far as they are known: of a baseline those that this machine has recorded, or else
  /// what is kept of them.
  package func statistics() -> [UnitKey: [String: Double]] {
    switch self {
    case .store(let store, _): return store.figures().merging(store.lastFigures()) { $1 }
    case .run(let run, let manifest):
      var statistics: [UnitKey: [String: Double]] = [:]
      for key in manifest.units { statistics[key] = run.unitFile(key)?.result.statistics }
      return statistics
    }
  }
}

/// Compares two runs: levels A and B here, what lies below by the comparison of units.
package enum Verification {
  /// Fails when a file of either side is damaged, and names it.
  ///
  /// - Parameters:
  ///   - units: those to compare; nil takes all that the new run is to have.
  ///   - jobs: units in work at once.
  package static func compare(
    _ old: Reference, _ new: Reference, units: [UnitKey]? = nil, jobs: Int = 1,
    missingShards: [Int] = []
  ) throws(HarnessError) -> RunComparison {
    var comparison = RunComparison(old: old.versions, new: new.versions)
    comparison.missingShards = missingShards
    comparison.against = old.path
    let keys = units ?? new.units
    let known = Set(old.units)
    let strangers = keys.filter { !known.contains($0) }
    let (gone, renamed) = old.gone(from: new, unknown: strangers)
    let results = Mutex<[UnitKey: Compared]>([:])
    let failures = Mutex<[UnitKey: HarnessError]>([:])
    let next = Mutex(0)
    let work: @Sendable () -> Void = {
      while true {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        guard index < keys.count else { return }
        let key = keys[index]
        do throws(HarnessError) {
          let result = try compare(old, new, key, oldKey: renamed[key] ?? key)
          results.withLock { $0[key] = result }
        } catch {
          failures.withLock { $0[key] = error }
        }
      }
    }
    let handles = (1..<max(1, min(jobs, keys.count))).compactMap { _ in Worker.start(work) }
    if let own = Worker.start(work) { own.join() } else { work() }
    for handle in handles { handle.join() }
    if let first = failures.withLock({ $0.min { $0.key < $1.key }?.value }) { throw first }
    let found = results.withLock { $0 }
    var unknown: [UnitKey] = []
    var unset: [UnitKey] = []
    var identities: [String: String] = [:]
    var changedBooks: Set<String> = []
    for key in keys {
      switch found[key] {
      case .equal(let pages, let isOtherBook):
        comparison.unitCount += 1
        comparison.pageCount += pages
        if isOtherBook { changedBooks.insert(key.book) }
      case .differs(let pages, let difference, let identity, let isOtherBook):
        if isOtherBook { changedBooks.insert(key.book) }
        comparison.unitCount += 1
        comparison.pageCount += pages
        if difference.comparison.isEqual { continue }
        comparison.units.append(difference.comparison)
        identities[difference.comparison.oldKey.description] = identity
      case .unknown: unknown.append(key)
      case .unset, nil: unset.append(key)
      }
    }
    // What missing shards would have held is missing with them.
    if !missingShards.isEmpty { unset = [] }
    for key in gone {
      guard let unit = try old.verified(key) else { continue }
      var result = unit.file.result
      result.pages = PageHashFile.pages(unit.hashes) ?? []
      comparison.units.append(UnitDiff.gone(result))
      identities[key.description] = UnitText.identity(unit.file, hashes: unit.hashes)
    }
    comparison.units.sort { $0.key < $1.key }
    comparison.identities = identities
    if !changedBooks.isEmpty { comparison.changedBooks = changedBooks.sorted() }
    if !unknown.isEmpty { comparison.unknown = unknown }
    if !unset.isEmpty { comparison.unset = unset }
    let unused = found.compactMapValues { result -> [Mask]? in
      if case .differs(_, let difference, _, _) = result { difference.unusedMasks } else { nil }
    }
    let warnings = unusedMasks(keys, unused, new)
    if !warnings.isEmpty { comparison.warnings = warnings }
    ChangeFolding.fold(&comparison.units)
    comparison.clusters = Clustering.clusters(of: comparison.units)
    return comparison
  }

  /// What became of a unit: the pages of the new one, and what differs.
  private enum Compared: Sendable {
    case equal(pages: Int, isOtherBook: Bool)
    case differs(pages: Int, UnitDiff.Result, identity: String, isOtherBook: Bool)
    /// The old side does not have it.
    case unknown
    /// The new side does not have it.
    case unset
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

  private static func compare(
    _ old: Reference, _ new: Reference, _ key: UnitKey, oldKey: UnitKey
  ) throws(HarnessError) -> Compared {
    guard let newUnit = try new.verified(key) else { return .unset }
    guard let oldUnit = try old.verified(oldKey) else { return .unknown }
    let pages = newUnit.hashes.count / PageHashFile.lineLength
    let isOtherBook = oldUnit.file.book.map { $0 != newUnit.file.book ?? $0 } ?? false
    let drawing = PageSample.changes(
      (oldUnit.file, PageHashFile.pages(oldUnit.hashes) ?? []), (newUnit.file, PageHashFile.pages(newUnit.hashes) ?? [])
    )
    let isEqual =
      drawing.isEmpty && oldUnit.hashes == newUnit.hashes && isEqual(oldUnit.file.result, newUnit.file.result)
    if isEqual, key == oldKey {
      if case .store(let store, _) = old, case .run(let run, _) = new { store.sharePages(of: key, with: run) }
      return .equal(pages: pages, isOtherBook: isOtherBook)
    }
    guard let before = old.source(oldKey), let after = new.source(key) else { return .unset }
    var settings = new.settings(of: key)
    settings.scale = after.scale
    settings.isOtherBook = isOtherBook
    var difference =
      isEqual
      ? UnitDiff.Result(
        comparison: UnitComparison(
          key: key, title: after.result.title, language: after.result.language, oldPages: pages, newPages: pages),
        unusedMasks: [])
      : UnitDiff.compare(before, after, settings: settings)
    difference.comparison.pages += drawing
    if key != oldKey { UnitDiff.rename(&difference.comparison, from: oldKey.book) }
    return .differs(
      pages: pages, difference, identity: UnitText.identity(oldUnit.file, hashes: oldUnit.hashes),
      isOtherBook: isOtherBook)
  }

  /// Whether all is equal that is known of two units beside their pages and figures.
  private static func isEqual(_ old: UnitResult, _ new: UnitResult) -> Bool {
    var old = old
    var new = new
    old.key = new.key
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
