import BookOutput
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// A run from its inputs to its results: what the verbs of the command line are made of.
package struct Session: Sendable {
  package var run: RunFolder
  package var manifest: RunManifest
  /// The units of this machine's part.
  package var units: [UnitKey]
  package var pool: PoolOptions

  /// Describes a run; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - program: the `typeset` that renders; nil is the one that runs.
  ///   - history: figures of earlier runs, by which work is dealt out.
  package init(
    corpus: Corpus, paths: [String], selection: UnitSelection, into folder: String, program: String? = nil,
    shard: Shard = .whole, history: [UnitKey: [String: Double]] = [:], revision: String = ""
  ) throws(HarnessError) {
    let program = try program.map(Self.renderer) ?? ProgramFile.own
    guard let binary = ProgramIdentity.hash(program) else {
      throw HarnessError.missing("\(program): there is no such program")
    }
    let all = try selection.units(of: corpus)
    var expected: [UnitKey: (seconds: Double, memory: Int)] = [:]
    for (key, figures) in history {
      // A baseline of another machine tells of memory alone.
      guard let wall = figures["child.wall"] else { continue }
      expected[key] = (wall / 1e3, Int(figures["child.peakBytes"] ?? 0))
    }
    let sizes = Dictionary(corpus.books.map { ($0.id, $0.size) }, uniquingKeysWith: { first, _ in first })
    units = shard.units(of: all) { expected[$0]?.seconds ?? Double(sizes[$0.book] ?? 0) / 2e6 + 0.05 }
    run = RunFolder(folder)
    var libraries: [String: String] = [:]
    for library in EngineVersion.libraries { libraries[library.name] = library.version }
    let named = Set(all.map(\.book))
    manifest = RunManifest(
      corpus: paths.map(Files.absolute), books: corpus.books.filter { named.contains($0.id) },
      profiles: corpus.profiles, fonts: corpus.fonts,
      versions: RunVersions(
        engine: "\(EngineVersion.current) (\(binary))", libraries: libraries, fonts: corpus.fonts.versions),
      binary: binary, program: program, host: RunManifest.hostClass, units: all, shards: [shard.index],
      shardCount: shard.count, revision: revision)
    let chosen = Set(all)
    manifest.others = try UnitSelection().units(of: corpus).filter { !chosen.contains($0) }
    pool = PoolOptions(worker: [program, "snapshot", "render-unit"])
    pool.expected = expected
  }

  /// Goes on with a run as its manifest describes it.
  package init(resuming folder: String, program: String? = nil) throws(HarnessError) {
    run = RunFolder(folder)
    manifest = try run.manifest()
    units = manifest.units
    let program = try program.map(Self.renderer) ?? ProgramFile.own
    guard let binary = ProgramIdentity.hash(program) else {
      throw HarnessError.missing("\(program): there is no such program")
    }
    guard binary == manifest.binary else {
      throw HarnessError(64, "\(folder): the run was begun by another build of typeset")
    }
    pool = PoolOptions(worker: [program, "snapshot", "render-unit"])
  }

  /// Writes the manifest and renders what is not whole.
  ///
  /// - Returns: the units that were rendered.
  @discardableResult
  package func render() throws(HarnessError) -> [UnitKey] {
    try prepare()
    return try WorkerPool.render(units, of: manifest, into: run, pool)
  }

  /// Writes the manifest alone.
  package func prepare() throws(HarnessError) {
    try Files.makeFolder(run.path)
    run.hideFromGit()
    run.clearResults()
    try Files.write(json: manifest, to: run.manifestPath)
  }

  /// The program that renders where a build is named by its `typeset`: the one that this leaves the verb to, whose file is what
  /// the run is known by, or itself where it has the verb.
  private static func renderer(_ program: String) throws(HarnessError) -> String {
    let program = Files.absolute(program)
    guard Files.exists(program) else { throw HarnessError.missing("\(program): there is no such program") }
    var probe = ChildProcess([program, "snapshot", "--version"], folder: FileManager.default.currentDirectoryPath)
    probe.environment = ChildProcess.environment(temporaryFolder: FileManager.default.temporaryDirectory.path)
    let outcome = probe.run()
    guard outcome.end == .exited(0) else {
      throw HarnessError(69, "\(program): it renders no snapshots: \(WorkerPool.lastLine(outcome.output))")
    }
    return ProgramFile.snapshot(of: program) ?? program
  }
}

/// Joins the parts of a run (snapshot harness, 9.5).
package enum Merge {
  /// - Parameter isPartial: `true` if missing parts are allowed.
  /// - Returns: the parts that are missing.
  @discardableResult
  package static func merge(
    _ parts: [String], into folder: String, isPartial: Bool = false
  ) throws(HarnessError) -> [Int] {
    guard let first = parts.first else { throw HarnessError(64, "there is nothing to merge") }
    var whole = try RunFolder(first).manifest()
    var seen: [Int: String] = [:]
    let target = RunFolder(folder)
    var taken = Set<UnitKey>()
    for part in parts {
      let run = RunFolder(part)
      let manifest = try run.manifest()
      guard manifest.units == whole.units, manifest.shardCount == whole.shardCount,
        manifest.binary == whole.binary, manifest.profiles == whole.profiles,
        manifest.fonts.versions == whole.fonts.versions,
        manifest.books.map(\.hash) == whole.books.map(\.hash)
      else { throw HarnessError(69, "\(part): it is a part of another run than \(first)") }
      for shard in manifest.shards {
        if let other = seen[shard] { throw HarnessError(69, "shard \(shard) is there twice: \(other) and \(part)") }
        seen[shard] = part
      }
    }
    let missing = (1...whole.shardCount).filter { seen[$0] == nil }
    if !missing.isEmpty, !isPartial {
      throw HarnessError(
        69, "of \(whole.shardCount) shards these are missing: \(missing.map(String.init).joined(separator: ", "))")
    }
    for part in parts {
      let run = RunFolder(part)
      for key in whole.units {
        guard try run.verified(key, includesPages: true) != nil else { continue }
        guard taken.insert(key).inserted else { throw HarnessError(69, "\(key) is there twice") }
        let place = target.unitPath(key)
        Files.remove(place)
        for name in Files.walk(run.unitPath(key)) {
          guard let bytes = Files.read(Files.join(run.unitPath(key), name)) else { continue }
          try Files.write(bytes, to: Files.join(place, name))
        }
      }
      for hash in run.blobs.hashes() where !target.blobs.contains(hash) {
        if let bytes = run.blobs.read(hash) { try target.blobs.store(bytes) }
      }
      if let events = Files.read(run.eventsPath), !events.isEmpty {
        try Files.append(line: events, to: target.eventsPath)
      }
    }
    let lost = whole.units.filter { !taken.contains($0) }
    if !lost.isEmpty, missing.isEmpty, !isPartial {
      throw HarnessError(69, "the shards do not hold \(lost.prefix(5).map(\.description).joined(separator: ", "))")
    }
    whole.shards = seen.keys.sorted()
    target.clearResults()
    try Files.write(json: whole, to: target.manifestPath)
    return missing
  }
}
