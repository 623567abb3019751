import Platform
import Synchronization

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
    let keys = units ?? new.units
    let known = Set(old.units)
    let (gone, renamed) = old.gone(from: new, unknown: keys.filter { !known.contains($0) })
    let found = try compareAll(old, new, keys, renamed: renamed, jobs: jobs)
    return try assemble(found, gone: gone, old, new, keys, missingShards: missingShards)
  }

  /// Compares units of a part of a run, each alone.
  package static func compareEach(
    _ old: Reference, _ new: Reference, jobs: Int = 1
  ) throws(HarnessError) -> ComparedUnits {
    var found = try compareAll(old, new, new.units, renamed: [:], jobs: jobs)
    let changed = found.keys { if case .differs = $0 { true } else { false } }
    found.performance = old.findings(on: new, changed: Set(changed))
    return found
  }

  /// Compares runs whose units were compared where they were rendered.
  ///
  /// - Parameters:
  ///   - found: What was found of all of them.
  ///   - new: Has the files of units that are not equal.
  package static func compare(
    _ found: ComparedUnits, _ old: Reference, _ new: Reference, missingShards: [Int]
  ) throws(HarnessError) -> RunComparison {
    var found = found
    // A baseline that moved since is another one.
    for case (let key, .differs(_, let difference, let identity, _)) in found.others {
      guard try old.identity(difference.comparison.oldKey) == identity else {
        throw HarnessError(69, "\(old.path): \(key) was compared with another baseline where it was rendered")
      }
    }
    let unknown = found.keys { if case .unknown = $0 { true } else { false } }
    let (gone, renamed) = old.gone(from: new, unknown: unknown)
    let keys = renamed.keys.sorted()
    if !keys.isEmpty { found.merge(try compareAll(old, new, keys, renamed: renamed, jobs: 1)) }
    var comparison = try assemble(found, gone: gone, old, new, new.units, missingShards: missingShards)
    comparison.performance = found.performance.enumerated()
      .sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }.map(\.element)
    return comparison
  }

  /// Puts together what was found of units, and what only all of them tell.
  private static func assemble(
    _ found: ComparedUnits, gone: [UnitKey], _ old: Reference, _ new: Reference, _ keys: [UnitKey],
    missingShards: [Int]
  ) throws(HarnessError) -> RunComparison {
    var comparison = RunComparison(old: old.versions, new: new.versions)
    comparison.missingShards = missingShards
    comparison.against = old.path
    comparison.unitCount = found.equalUnits
    comparison.pageCount = found.equalPages
    var unknown: [UnitKey] = []
    var unset: [UnitKey] = []
    var unused: [UnitKey: [Mask]] = [:]
    var identities: [String: String] = [:]
    for key in keys {
      switch found.others[key] {
      case .differs(let pages, let difference, let identity, _):
        comparison.unitCount += 1
        comparison.pageCount += pages
        unused[key] = difference.unusedMasks
        if difference.comparison.isEqual { continue }
        comparison.units.append(difference.comparison)
        identities[difference.comparison.oldKey.description] = identity
      case .unknown: unknown.append(key)
      case .unset: unset.append(key)
      case .equal, nil: break
      }
    }
    // Units of missing shards are missing with them.
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
    if !found.changedBooks.isEmpty { comparison.changedBooks = found.changedBooks.sorted() }
    if !unknown.isEmpty { comparison.unknown = unknown }
    if !unset.isEmpty { comparison.unset = unset }
    let warnings =
      old.judges(of: keys) + unusedMasks(keys, unused, new) + ComparisonGaps.lines(found.gaps) + new.choices
    if !warnings.isEmpty { comparison.warnings = warnings }
    ChangeFolding.fold(&comparison.units)
    comparison.clusters = Clustering.clusters(of: comparison.units)
    return comparison
  }

  /// Compares units, some at once, and tells what was left out of them.
  private static func compareAll(
    _ old: Reference, _ new: Reference, _ keys: [UnitKey], renamed: [UnitKey: UnitKey], jobs: Int
  ) throws(HarnessError) -> ComparedUnits {
    let found = Lock(ComparedUnits())
    let failures = Lock<[UnitKey: HarnessError]>([:])
    Parallel.forEach(keys.count, jobs: jobs) { index in
      let key = keys[index]
      do throws(HarnessError) {
        var gap = ComparisonGaps()
        let result = try compare(old, new, key, oldKey: renamed[key] ?? key, &gap)
        found.withLock { $0.add(key, result, gap) }
      } catch {
        failures.withLock { $0[key] = error }
      }
      return true
    }
    if let first = failures.withLock({ $0.min { $0.key < $1.key }?.value }) { throw first }
    return found.withLock { $0 }
  }

  /// The masks that hide nothing in any of the units that were looked at: each a line.
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
    _ old: Reference, _ new: Reference, _ key: UnitKey, oldKey: UnitKey, _ gaps: inout ComparisonGaps
  ) throws(HarnessError) -> ComparedUnit {
    guard let newUnit = try new.verified(key) else { return .unset }
    guard let oldUnit = try old.verified(oldKey) else { return .unknown }
    let pages = newUnit.hashes.count / PageHashFile.lineLength
    let isOtherBook = oldUnit.file.book.map { $0 != newUnit.file.book ?? $0 } ?? false
    let oldPages = (oldUnit.file, PageHashFile.pages(oldUnit.hashes) ?? [])
    let newPages = (newUnit.file, PageHashFile.pages(newUnit.hashes) ?? [])
    gaps = ComparisonGaps(oldPages, newPages, drawsAllPages: new.drawsAllPages)
    lazy var before = old.source(oldKey)
    lazy var after = new.source(key)
    let beyondLists =
      PageSample.changes(oldPages, newPages, display: { after?.displayList(of: $0) })
      + TagChanges.changes((oldPages.1, { before?.pdf(of: $0) }), (newPages.1, { after?.pdf(of: $0) }))
    // Where both sides tell it.
    var beyondPages: [Change] = []
    if let one = oldUnit.file.beyond, let two = newUnit.file.beyond, one != two {
      beyondPages = BeyondPages.changes(before?.beyondPages, after?.beyondPages, hash: UInt64(two, radix: 16) ?? 0)
    }
    let comparesRecords = oldUnit.file.comparesRecords && newUnit.file.comparesRecords
    let isEqual =
      beyondLists.isEmpty && beyondPages.isEmpty && isEqual(oldPages.1, newPages.1, comparesRecords)
      && isEqual(oldUnit.file.result, newUnit.file.result)
    defer {
      if case .run(let run, _) = new, let kept = old.pageData(of: oldKey) {
        run.sharePages(of: newUnit.file, with: kept)
      }
    }
    if isEqual, key == oldKey {
      return .equal(pages: pages, isOtherBook: isOtherBook)
    }
    guard let oldSource = before, let newSource = after else { return .unset }
    var settings = new.settings(of: key)
    settings.scale = newSource.scale
    settings.isOtherBook = isOtherBook
    settings.comparesRecords = comparesRecords
    var difference =
      isEqual
      ? UnitDiff.Result(
        comparison: UnitComparison(
          key: key, title: newSource.result.title, language: newSource.result.language, oldPages: pages, newPages: pages
        ),
        unusedMasks: [])
      : UnitDiff.compare(oldSource, newSource, settings: settings)
    gaps.toleratedPages = difference.toleratedPages
    var beyond = UnitComparison(
      key: key, title: "", language: "", oldPages: 0, newPages: 0, changes: beyondPages, pages: beyondLists)
    if isOtherBook { beyond.tellOfOtherBook() }
    difference.comparison.changes += beyond.changes
    difference.comparison.pages += beyond.pages
    if key != oldKey { UnitDiff.rename(&difference.comparison, from: oldKey.book) }
    return .differs(
      pages: pages, difference, identity: UnitText.identity(oldUnit.file, hashes: oldUnit.hashes),
      isOtherBook: isOtherBook)
  }

  /// The same is painted on the pages of two units, and their records tell the same of it.
  private static func isEqual(_ old: [PageHashes], _ new: [PageHashes], _ comparesRecords: Bool) -> Bool {
    old.count == new.count
      && zip(old, new).allSatisfy { $0.display == $1.display && (!comparesRecords || $0.record == $1.record) }
  }

  /// The results of two units are equal beside their pages and figures.
  private static func isEqual(_ old: UnitResult, _ new: UnitResult) -> Bool {
    var old = old
    var new = new
    old.key = new.key
    old.statistics = [:]
    new.statistics = [:]
    // The place that a child had reached when it was stopped, and its message, are no difference.
    old.failure?.message = ""
    new.failure?.message = ""
    old.failure?.reached = nil
    new.failure?.reached = nil
    return old == new
  }
}

extension RunVersions {
  /// The versions that another run was made with and this one was not: the header of a report, a line each. The engine is left
  /// out: that it is another is the point of comparing.
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
