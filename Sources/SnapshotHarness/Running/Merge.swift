import Platform

/// Joins the parts of a run (snapshot harness, 9.5).
package enum Merge {
  /// Joins folders, one after the other. On one disk files get a second name; nothing is copied.
  ///
  /// - Parameter isPartial: `true` if missing parts are allowed.
  /// - Returns: the parts that are missing.
  @discardableResult
  package static func merge(
    _ parts: [String], into folder: String, isPartial: Bool = false
  ) throws(HarnessError) -> [Int] {
    let manifests = try parts.map { path throws(HarnessError) in (path, try RunFolder(path).manifest()) }
    var (whole, missing) = try join(manifests, isPartial: isPartial)
    let target = RunFolder(folder)
    Files.remove(Files.join(target.path, UnitRows.name))
    var lost: [UnitKey] = []
    for (part, manifest) in manifests {
      let run = RunFolder(part)
      for key in manifest.units {
        guard try run.verified(key, includesPages: true) != nil else {
          lost.append(key)
          continue
        }
        let place = target.unitPath(key)
        Files.remove(place)
        for name in Files.walk(run.unitPath(key)) {
          try Files.share(Files.join(run.unitPath(key), name), as: Files.join(place, name))
        }
      }
      for hash in run.blobs.hashes() where !target.blobs.contains(hash) {
        try Files.share(run.blobs.path(hash), as: target.blobs.path(hash))
      }
      // Pages of units that were found by their hashes lie there.
      if let place = run.cachePlace { try Files.write(json: place, to: target.cachePath) }
      if let events = Files.read(run.eventsPath), !events.isEmpty {
        try Files.append(line: events, to: target.eventsPath)
      }
    }
    if !lost.isEmpty, !isPartial {
      throw HarnessError(69, "the shards do not hold \(lost.prefix(5).map(\.description).joined(separator: ", "))")
    }
    // Who knows not all units of a run cannot say which of a baseline are gone.
    if !missing.isEmpty { whole.others = nil }
    target.clearResults()
    try Files.write(json: whole, to: target.manifestPath)
    return missing
  }

  /// The manifest of the run that parts are of. Fails with 69 and names a part that is missing, there twice, or of
  /// another run.
  ///
  /// - Parameter parts: Each with its name.
  static func join(
    _ parts: [(name: String, manifest: RunManifest)], isPartial: Bool
  ) throws(HarnessError) -> (whole: RunManifest, missing: [Int]) {
    guard let first = parts.first else { throw HarnessError(64, "there is nothing to merge") }
    var whole = first.manifest
    guard let part = whole.part else {
      if parts.count == 1 { return (whole, []) }
      throw HarnessError(69, "\(first.name): it is a whole run and no part of one")
    }
    var seen: [Int: String] = [:]
    for (name, manifest) in parts {
      guard let own = manifest.part, own.plan == part.plan, own.count == part.count else {
        throw HarnessError(69, "\(name): it is a part of another run than \(first.name)")
      }
      for shard in own.shards {
        if let other = seen[shard] { throw HarnessError(69, "shard \(shard) is there twice: \(other) and \(name)") }
        seen[shard] = name
      }
    }
    let missing = (1...part.count).filter { seen[$0] == nil }
    if !missing.isEmpty, !isPartial {
      throw HarnessError(
        69, "of \(part.count) shards these are missing: \(missing.map(String.init).joined(separator: ", "))")
    }
    whole.units = inOrder(parts.flatMap(\.manifest.units), whole.profiles)
    whole.others = inOrder(parts.flatMap { $0.manifest.others ?? [] }, whole.profiles)
    if missing.isEmpty, whole.units.count != part.units || Set(whole.units).count != part.units {
      throw HarnessError(69, "the parts have \(whole.units.count) units, and the run has \(part.units)")
    }
    var books: [String: CorpusBook] = [:]
    for (_, manifest) in parts { for book in manifest.books { books[book.id] = book } }
    whole.books = books.values.sorted { $0.id < $1.id }
    whole.part =
      missing.isEmpty
      ? nil
      : RunPart(
        shards: seen.keys.sorted(), count: part.count, units: part.units, plan: part.plan)
    return (whole, missing)
  }

  /// Units as a corpus lists them: by book, and by the order of profiles.
  private static func inOrder(_ units: [UnitKey], _ profiles: [Profile]) -> [UnitKey] {
    let places = Dictionary(profiles.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return units.map { (key: $0, place: places[$0.profile] ?? 0) }
      .sorted { ($0.key.book, $0.place) < ($1.key.book, $1.place) }.map(\.key)
  }
}
