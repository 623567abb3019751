/// The origin of old pages: a store, or another run.
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
      guard !run.isMadeOfDifferences else {
        throw HarnessError(
          69, "\(path): the run has only what differed from its baseline: nothing can be compared with it")
      }
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
        "\(store.path): \(unsealed) units are of an older form, which tells less; typeset snapshot record renews them"
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
    case .store(let store, let header):
      header.versions.named(store.history().last?.revision ?? Git.lastRevision(of: store.path))
    case .run(_, let manifest): manifest.versions
    }
  }

  package var units: [UnitKey] {
    switch self {
    case .store(let store, _): store.units()
    case .run(_, let manifest): manifest.units
    }
  }

  /// Which part of the corpus was taken, where that is not all of it, and which books were blocked.
  var choices: [String] {
    guard case .run(_, let manifest) = self else { return [] }
    return [manifest.choice].compactMap { $0 } + (manifest.left?.blocked ?? []).map(\.line)
  }

  /// Which units a variant of a baseline judges itself, in a line; none for what is no variant.
  func judges(of keys: [UnitKey]) -> [String] {
    guard case .store(let store, _) = self, let variant = store.variant else { return [] }
    let own = Set(store.ownUnits())
    let units = keys.filter(own.contains)
    let names = units.prefix(10).map(\.description) + (units.count > 10 ? ["\(units.count - 10) more"] : [])
    return [
      "variant \(variant) judges \(units.count.counting("unit"))"
        + (units.isEmpty ? "" : " (\(names.joined(separator: ", ")))") + ", the baseline all others"
    ]
  }

  /// The pixels of all pages are compared, and not of a sample alone.
  var drawsAllPages: Bool { if case .run(_, let manifest) = self { manifest.drawsAllPages == true } else { false } }

  private var profiles: [Profile] {
    switch self {
    case .store(_, let header): header.profiles
    case .run(_, let manifest): manifest.profiles
    }
  }

  /// Masks and tolerance of a unit, as the corpus of a run has them: a book's tolerance goes before its profile's.
  func settings(of key: UnitKey) -> ComparisonSettings {
    let (book, profile) = inputs(of: key)
    return ComparisonSettings(
      tolerance: book?.tolerance ?? profile?.tolerance ?? .exact, masks: (book?.masks ?? []) + (profile?.masks ?? []))
  }

  func inputs(of key: UnitKey) -> (book: CorpusBook?, profile: Profile?) {
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

  /// The units that fail here.
  package var failures: Set<UnitKey> { Set(units.filter { unitFile($0)?.result.outcome.isSuccess == false }) }

  /// The file of a unit, and the bytes of its hashes; nil for one that is not there. Fails for one that is damaged, and names the
  /// file.
  func verified(_ key: UnitKey) throws(HarnessError) -> (file: UnitFile, hashes: [UInt8])? {
    switch self {
    case .store(let store, _): try store.verified(key)
    case .run(let run, _): try run.verified(key)
    }
  }

  /// The identity of a unit; nil for one that is not there.
  func identity(_ key: UnitKey) throws(HarnessError) -> String? {
    switch self {
    case .store(let store, _): try store.identity(key)
    case .run(let run, _): try run.identity(key)
    }
  }

  /// The units that a run has otherwise than they are here, or that are not here.
  package func units(otherThanIn run: RunFolder, _ keys: [UnitKey]) throws(HarnessError) -> [UnitKey] {
    var others: [UnitKey] = []
    for key in keys {
      guard let new = try run.identity(key) else { continue }
      if try identity(key) != new { others.append(key) }
    }
    return others
  }

  /// The number of pages of a unit; 0 for one that is not there.
  package func pageCount(of key: UnitKey) -> Int { source(key)?.result.pages.count ?? 0 }

  /// The page data of a unit; nil where there is no such unit.
  func pageData(of key: UnitKey) -> PageData? {
    switch self {
    case .store(let store, _): PageData(packs: store.packs(of: key), blobs: store.blobs)
    case .run(let run, _): run.unitFile(key).map { PageData(packs: run.packs(of: $0), blobs: run.blobs) }
    }
  }

  /// The hash of a unit's book; nil where it is not known.
  private func bookHash(_ key: UnitKey) -> String? { unitFile(key)?.book ?? inputs(of: key).book?.hash }

  /// The units that the corpus of a run no longer has, and what books of it may have come from them.
  func gone(from new: Reference, unknown: [UnitKey]) -> (gone: [UnitKey], renamed: [UnitKey: UnitKey]) {
    guard case .run(_, let manifest) = new, manifest.part == nil, let others = manifest.others else { return ([], [:]) }
    let known = Set(manifest.units).union(others)
    let ours = Set(units)
    // If books that the old side does not know were not chosen, one of them may be a book of it under a new name.
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
    case .store(let store, _): return BaselineFigures.findings(store.figures(of: new.units), after)
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
