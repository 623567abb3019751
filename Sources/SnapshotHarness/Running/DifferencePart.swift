import FoundationEssentials

/// What a part of a run hands on when its units were compared where they were rendered (snapshot harness, 9.9):
/// `part.differences` of its folder. Units that differ, or have no baseline, are in it whole; of all others it has
/// their results.
package enum DifferencePart {
  /// The entries of the file, in their order.
  private enum Entry {
    static let manifest = "manifest"
    static let compared = "compared"
    static let baseline = "baseline"
    static let rows = "rows"
    static let unit = "unit:"
  }

  private static let rowsAtOnce = 64

  /// The file of a part: the path itself, or the file in a run's folder; nil for a run that has none.
  package static func path(of part: String) -> String? {
    if PartFile.isPart(part) { return part }
    let path = Files.join(part, RunFolder.differencesName)
    return Files.exists(path) ? path : nil
  }

  // MARK: Writing

  /// Compares the units of a part with a baseline, and writes what differs.
  ///
  /// - Returns: How many units differ or have no baseline.
  package static func write(
    of session: Session, against old: Reference, jobs: Int
  ) throws(HarnessError) -> (count: Int, path: String) {
    guard case .store(let store, _) = old else {
      throw HarnessError(64, "\(old.path): units are compared with a baseline where they are rendered, not with a run")
    }
    let (run, manifest) = (session.run, session.manifest)
    let found = try Verification.compareEach(old, .run(run, manifest), jobs: jobs)
    let missing = found.keys { if case .unset = $0 { true } else { false } }
    guard missing.isEmpty else {
      throw HarnessError(
        69, "\(run.path): it does not hold \(missing.prefix(5).map(\.description).joined(separator: ", "))")
    }
    let path = run.differencesPath
    let writer = try PartFile.Writer(path)
    try writer.append(Entry.manifest, Zstd.compress(Files.json(manifest)))
    try writer.append(Entry.baseline, Array(store.state.utf8))
    try writer.append(Entry.compared, Zstd.compress(Files.json(found)))
    let whole = Set(found.others.keys)
    let equal = manifest.units.filter { !whole.contains($0) }
    for start in stride(from: 0, to: equal.count, by: rowsAtOnce) {
      let units = Array(equal[start..<min(equal.count, start + rowsAtOnce)])
      try writer.append(Entry.rows, UnitRows.frame(of: units, in: run))
    }
    var blobs: Set<String> = []
    for key in whole.sorted() {
      guard let file = run.unitFile(key),
        let archive = UnitArchive.bytes(of: file, in: run, isWhole: true, without: blobs)
      else { throw HarnessError(69, "\(run.path): the files of \(key) cannot be read") }
      blobs.formUnion(file.blobHashes)
      try writer.append("\(Entry.unit)\(key.profile)/\(key.book)", archive)
    }
    try writer.finish()
    return (whole.count, path)
  }

  // MARK: Merging

  /// A run that was put together, and what was found of its units.
  package struct Merged: Sendable {
    package var run: RunFolder
    package var manifest: RunManifest
    package var found: ComparedUnits
    package var missing: [Int]
    /// What the parts were compared with is known by (`SnapshotStore.state`).
    package var baseline: String
  }

  /// Puts a run together from the files of its parts, one after the other. Fails with 69 and names a part that is
  /// missing, there twice, of another run, or was compared with another baseline; with 65 for one that is damaged.
  package static func merge(
    _ parts: [String], into folder: String, isPartial: Bool
  ) throws(HarnessError) -> Merged {
    var manifests: [(name: String, manifest: RunManifest)] = []
    for part in parts { manifests.append((part, try manifest(of: part))) }
    var (whole, missing) = try Merge.join(manifests, isPartial: isPartial)
    let run = RunFolder(folder)
    run.clearResults()
    Files.remove(run.manifestPath)
    Files.remove(Files.join(run.path, "books"))
    var found = ComparedUnits()
    var rows: [UInt8] = []
    var baseline: (state: String, part: String)?
    for (part, manifest) in manifests {
      let own = Dictionary(
        manifest.units.map { ("\($0.profile)/\($0.book)", $0) }, uniquingKeysWith: { first, _ in first })
      try PartFile(part).forEach { name, bytes throws(HarnessError) in
        switch name {
        case Entry.manifest: break
        case Entry.baseline:
          let state = String(decoding: bytes, as: UTF8.self)
          if let baseline, baseline.state != state {
            throw HarnessError(69, "\(part): it was compared with another baseline than \(baseline.part)")
          }
          baseline = baseline ?? (state, part)
        case Entry.compared: found.merge(try decoded(bytes, of: part, as: ComparedUnits.self))
        case Entry.rows: rows += bytes
        default:
          guard name.hasPrefix(Entry.unit), let key = own[String(name.dropFirst(Entry.unit.count))],
            !key.book.split(separator: "/").contains("..")
          else { throw HarnessError.invalid("\(part): it has what is none of its units: \(name)") }
          guard try UnitArchive.unpack(bytes, as: key, into: run) != nil else {
            throw HarnessError.invalid("\(part): \(key) is damaged")
          }
        }
        return true
      }
    }
    if !missing.isEmpty { whole.others = nil }
    try Files.write(rows, to: Files.join(run.path, UnitRows.name))
    try Files.write(json: whole, to: run.manifestPath)
    return Merged(run: run, manifest: whole, found: found, missing: missing, baseline: baseline?.state ?? "")
  }

  private static func manifest(of part: String) throws(HarnessError) -> RunManifest {
    var manifest: RunManifest?
    try PartFile(part).forEach { name, bytes throws(HarnessError) in
      guard name == Entry.manifest else { throw HarnessError.invalid("\(part): it is no part of a run") }
      manifest = try decoded(bytes, of: part, as: RunManifest.self)
      return false
    }
    guard let manifest else { throw HarnessError.invalid("\(part): it is no part of a run") }
    return manifest
  }

  private static func decoded<Value: Decodable>(
    _ bytes: [UInt8], of part: String, as type: Value.Type
  ) throws(HarnessError) -> Value {
    guard let text = Zstd.decompress(bytes.span),
      let value = try? JSONDecoder().decode(type, from: Data(text))
    else { throw HarnessError.invalid("\(part): another version of typeset wrote it") }
    return value
  }
}
