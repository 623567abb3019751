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
  /// Where results are shared; nil where they are the run's alone.
  package var cache: CachePlace?
  /// The books are those of an index, and nobody has looked at them yet.
  private var trustsIndex = false

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
    let all = try selection.units(of: corpus).filter { unit in !corpus.blocked.contains { $0.covers(unit) } }
    guard !all.isEmpty else { throw HarnessError.missing("all books that are chosen are blocked") }
    var expected: [UnitKey: (seconds: Double, memory: Int)] = [:]
    for (key, figures) in history {
      // A baseline of another machine tells of memory alone.
      guard let wall = figures["child.wall"] else { continue }
      expected[key] = (wall / 1e3, Int(figures["child.peakBytes"] ?? 0))
    }
    let weights = corpus.weights(of: all) { expected[$0]?.seconds }
    units = shard.units(of: all, weights: weights)
    run = RunFolder(folder)
    var libraries: [String: String] = [:]
    for library in EngineVersion.libraries { libraries[library.name] = library.version }
    let named = Set(units.map(\.book))
    manifest = RunManifest(
      corpus: paths.map(Files.absolute), books: corpus.books.filter { named.contains($0.id) },
      profiles: corpus.profiles, fonts: corpus.fonts,
      versions: RunVersions(
        engine: "\(EngineVersion.current) (\(binary))", libraries: libraries, fonts: corpus.fonts.versions),
      binary: binary, program: program, host: RunManifest.hostClass, units: units, revision: revision)
    var others: [UnitKey] = []
    if selection != UnitSelection() || !corpus.blocked.isEmpty {
      let chosen = Set(all)
      others = try UnitSelection().units(of: corpus).filter { !chosen.contains($0) }
    }
    if shard.count > 1 {
      let plan = RunPart.plan(all, weights: weights, of: corpus, binary: binary)
      manifest.part = RunPart(shards: [shard.index], count: shard.count, units: all.count, plan: plan)
      // Each part names its share of them: together they name all.
      others = stride(from: shard.index - 1, to: others.count, by: shard.count).map { others[$0] }
    }
    manifest.left = LeftOut(others: others, blocked: corpus.blocked)
    pool = PoolOptions(worker: [program, "snapshot", "render-unit"])
    pool.expected = expected
    trustsIndex = !corpus.facts.isEmpty
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
    cache = run.cachePlace
  }

  /// Writes the manifest and renders what is not whole.
  ///
  /// - Parameter warn: told of what goes wrong beside the units.
  /// - Returns: the units that were rendered.
  @discardableResult
  package func render(_ warn: (String) -> Void = { _ in }) throws(HarnessError) -> [UnitKey] {
    try prepare()
    // Results are kept under the hashes of books.
    if trustsIndex { for book in manifest.books { try book.check() } }
    return try render(units, pool, warn)
  }

  /// Renders a unit of a run whose manifest is there.
  package func render(unit key: UnitKey, _ warn: (String) -> Void = { _ in }) throws(HarnessError) {
    guard manifest.units.contains(key) else { throw HarnessError(66, "\(run.path): it has no unit \(key)") }
    try manifest.books.first { $0.id == key.book }?.check()
    _ = try render([key], pool, warn)
  }

  private func render(
    _ units: [UnitKey], _ pool: PoolOptions, _ warn: (String) -> Void
  ) throws(HarnessError) -> [UnitKey] {
    guard let cache else { return try WorkerPool.render(units, of: manifest, into: run, pool) }
    if !pool.ignoresCache, let fault = cache.fetch(objects(of: units)) { warn(fault) }
    let folder = UnitCache(cache.folder)
    defer {
      // What is whole is of use to others, however the rest ended.
      if let fault = cache.send(folder.stored) { warn(fault) }
      if let fault = folder.fault { warn(fault) }
    }
    return try WorkerPool.render(units, of: manifest, into: run, pool, cache: folder)
  }

  /// The objects of units that a run without them looks for.
  private func objects(of units: [UnitKey]) -> [String] {
    let books = Dictionary(manifest.books.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let profiles = Dictionary(
      manifest.profiles.withWritings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return units.compactMap { unit in
      guard let book = books[unit.book], let profile = profiles[unit.profile] else { return nil }
      let key = UnitSpec.cacheKey(book, profile, of: manifest)
      return run.unitFile(unit)?.cacheKey == key ? nil : UnitCache.name(.units, key)
    }
  }

  /// Sees to it that the pages of units can be looked at: those that were found in a cache by their hashes are
  /// brought, and rendered where they cannot be had.
  ///
  /// - Returns: the units that were rendered.
  @discardableResult
  package func completePages(of units: [UnitKey], _ warn: (String) -> Void = { _ in }) throws(HarnessError) -> [UnitKey]
  {
    let missing = run.completePages(of: units)
    if missing.isEmpty { return [] }
    var pool = pool
    pool.ignoresCache = true
    return try render(missing, pool, warn)
  }

  /// Writes the manifest alone.
  package func prepare() throws(HarnessError) {
    try Files.makeFolder(run.path)
    run.hideFromGit()
    run.clearResults()
    if let cache { try Files.write(json: cache, to: run.cachePath) }
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
