import BookOutput
import CZlib
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
    guard let binary = Self.binaryHash(program) else {
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
    guard let binary = Self.binaryHash(program) else {
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
    try Files.write(json: manifest, to: run.manifestPath)
  }

  /// What renders where a build is named by its `typeset`: the program that this leaves the verb to, whose file is what the run is
  /// known by, or itself where it has the verb.
  private static func renderer(_ program: String) throws(HarnessError) -> String {
    let program = Files.absolute(program)
    guard Files.exists(program) else { throw HarnessError.missing("\(program): there is no such program") }
    var probe = ChildProcess([program, "snapshot", "--version"], folder: FileManager.default.currentDirectoryPath)
    probe.environment = WorkerPool.environment(temporaryFolder: FileManager.default.temporaryDirectory.path)
    let outcome = probe.run()
    guard outcome.end == .exited(0) else {
      throw HarnessError(69, "\(program): it renders no snapshots: \(WorkerPool.lastLine(outcome.output))")
    }
    return ProgramFile.snapshot(of: program) ?? program
  }

  /// A program's identity: checksums and size of its file. nil when there is none.
  package static func binaryHash(_ path: String) -> String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return nil }
    let sums = data.withUnsafeBytes { bytes in
      (
        crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count),
        adler32_z(1, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
      )
    }
    return hexadecimal(UInt64(sums.0) << 32 | UInt64(sums.1)) + "-\(data.count)"
  }

  /// The revision of the work tree in the current folder; empty when there is none.
  package static func currentRevision() -> String {
    let child = ChildProcess(
      ["/usr/bin/git", "rev-parse", "--short=12", "HEAD"], folder: FileManager.default.currentDirectoryPath)
    var git = child
    git.environment["PATH"] = "/usr/bin:/bin"
    git.environment["HOME"] = ProcessInfo.processInfo.environment["HOME"]
    let outcome = git.run()
    guard outcome.end == .exited(0) else { return "" }
    return outcome.output.split(separator: "\n").first.map(String.init) ?? ""
  }
}

/// Joins the parts of a run (snapshot harness, 9.5).
package enum Merge {
  /// - Parameter isPartial: whether missing parts are allowed.
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
    try Files.write(json: whole, to: target.manifestPath)
    return missing
  }
}

/// What a run came to: `summary.json`, and the exit code (snapshot harness, 10).
package struct RunSummary: Hashable, Codable, Sendable {
  package var units = 0
  package var pages = 0
  package var rendered = 0
  package var differingUnits = 0
  package var differingPages = 0
  package var consequences = 0
  package var clusters = 0
  package var undecided = 0
  package var newFailures: [String] = []
  package var fixedFailures: [String] = []
  package var failures: [String] = []
  package var worse = 0
  package var missingBaselines: [String] = []
  /// Books that the baseline has and the corpus no longer, and those that it calls otherwise.
  package var goneBooks: [String]?
  package var renamedBooks: [String]?
  /// Units that the run was to have and does not hold.
  package var missingUnits: [String]?
  package var seconds = 0.0
  /// All exit codes that apply, the strongest first.
  package var exitCodes: [Int32] = []

  package var exitCode: Int32 { exitCodes.first ?? 0 }

  /// The order of strength.
  package static let order: [Int32] = [64, 66, 69, 73, 3, 1, 4, 0]

  package init() {}

  package init(_ comparison: RunComparison) {
    units = comparison.unitCount
    pages = comparison.pageCount
    differingUnits = comparison.units.count
    differingPages = comparison.units.reduce(0) { $0 + $1.pages.count }
    consequences = comparison.units.reduce(0) { $0 + $1.pages.reduce(0) { $0 + $1.consequences } }
    clusters = comparison.clusters.count
    for unit in comparison.units {
      for change in unit.changes {
        if change.kind == .newFailure { newFailures.append(unit.key.description) }
        if change.kind == .fixedFailure { fixedFailures.append(unit.key.description) }
        if change.kind == .bookGone { goneBooks = (goneBooks ?? []) + [unit.key.description] }
        if change.kind == .bookRenamed { renamedBooks = (renamedBooks ?? []) + ["\(unit.oldKey) is now \(unit.key)"] }
      }
    }
    let isSettled: (Verdict?) -> Bool = { $0 == .accepted || $0 == .expected || $0 == .skip }
    undecided =
      comparison.clusters.isEmpty ? differingUnits : comparison.clusters.count { !isSettled($0.decision) }
    let undecidedFailures =
      comparison.clusters.isEmpty
      ? !newFailures.isEmpty : comparison.clusters.contains { $0.kind == .newFailure && !isSettled($0.decision) }
    worse = comparison.performance.count(where: \.isOpen)
    missingBaselines = (comparison.unknown ?? []).map(\.description)
    missingUnits = comparison.unset.map { $0.map(\.description) }
    if !missingBaselines.isEmpty { apply(66) }
    if !comparison.missingShards.isEmpty || comparison.unset != nil { apply(69) }
    if undecidedFailures { apply(3) }
    if undecided > 0 { apply(1) }
    if worse > 0 { apply(4) }
  }

  package mutating func apply(_ code: Int32) {
    guard !exitCodes.contains(code) else { return }
    exitCodes.append(code)
    let strength: (Int32) -> Int = { Self.order.firstIndex(of: $0) ?? 0 }
    exitCodes.sort { strength($0) < strength($1) }
  }
}
