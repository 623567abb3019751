import BookOutput
import FoundationEssentials
import Platform
import Synchronization
import Typesetting

/// The progress of a pool.
package struct PoolProgress: Hashable, Sendable {
  package var done: Int
  package var total: Int
  package var pages: Int
  package var failures: Int
  /// Share of the expected work, 0 to 1.
  package var fraction: Double
}

/// The options of rendering.
package struct PoolOptions: Sendable {
  /// Children at once.
  package var jobs = 1
  /// Workers inside each child, at least.
  package var innerJobs = 1
  /// The chapters of a book that would hold up the run are spread over as many workers as there are slots, as are those of the
  /// last books, when slots have nothing else to do (snapshot harness, 9.2).
  package var spreadsChapters = true
  /// The program that renders a unit and its first arguments; the path of the spec comes behind them.
  package var worker: [String]
  /// Variables of the children beside those that are handed down.
  package var environment: [String: String] = [:]
  /// Bytes that all children together are meant to hold; nil takes most of what is free.
  package var memory: Int?
  /// The first unit that fails ends the run, unless it is expected to.
  package var failsFast = false
  /// Units that fail in what the run is compared with, too.
  package var expectedFailures: Set<UnitKey> = []
  /// Units that are whole are rendered again.
  package var ignoresCache = false
  /// Seconds that the units took before, and bytes that they held.
  package var expected: [UnitKey: (seconds: Double, memory: Int)] = [:]
  package var isStopped: @Sendable () -> Bool = { Interruption.isRequested }
  package var progress: @Sendable (PoolProgress) -> Void = { _ in }

  package init(worker: [String]) { self.worker = worker }
}

/// Renders units in child processes, several at once (snapshot harness, 7.1, 9.3). Results land in the run's folder as they
/// come, whole ones only, so a pool that was stopped goes on where it was.
package final class WorkerPool: Sendable {
  private struct State {
    var waiting: [UnitKey] = []
    var reserved = 0
    var running = 0
    var done = 0
    var pages = 0
    var failures = 0
    var doneWeight = 0.0
    var rendered: [UnitKey] = []
    var error: HarnessError?
    var stops = false
  }

  private let run: RunFolder
  private let manifest: RunManifest
  private let options: PoolOptions
  private let cache: UnitCache?
  /// The data of pages need not be in the cache's folder: a remote has them.
  private let hasRemote: Bool
  private let books: [String: CorpusBook]
  private let profiles: [String: Profile]
  private let total: Int
  private let totalWeight: Double
  private let budget: Int
  private let monitor = Monitor()
  // Touched only under `monitor`.
  private nonisolated(unsafe) var state = State()

  private init(
    _ run: RunFolder, _ manifest: RunManifest, _ units: [UnitKey], _ options: PoolOptions, _ cache: UnitCache?
  ) {
    self.cache = cache
    hasRemote = run.cachePlace?.remote != nil
    self.run = run
    self.manifest = manifest
    self.options = options
    books = Dictionary(manifest.books.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    profiles = Dictionary(manifest.profiles.withWritings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    total = units.count
    budget = options.memory ?? (ProcessMemory.available ?? 2 << 30) / 5 * 4
    var weight = 0.0
    let books = books
    for unit in units { weight += Self.weight(unit, books, options) }
    totalWeight = max(weight, 1e-9)
    unsafe state.waiting = Shard.longestFirst(units) { Self.weight($0, books, options) }
  }

  /// Renders what is not whole yet.
  ///
  /// - Parameter cache: where units are looked for and kept beside the run.
  /// - Returns: the units that were rendered; the others were there. Units that fail are results, not errors.
  @discardableResult
  package static func render(
    _ units: [UnitKey], of manifest: RunManifest, into run: RunFolder, _ options: PoolOptions,
    cache: UnitCache? = nil
  ) throws(HarnessError) -> [UnitKey] {
    try Files.makeFolder(Files.join(run.path, "books"))
    try Files.makeFolder(run.blobs.folder)
    removeWorkLeft(in: run)
    let work = Files.join(run.path, workPrefix + "\(getpid())")
    try Files.makeFolder(work)
    defer { Files.remove(work) }
    let pool = WorkerPool(run, manifest, units, options, cache)
    let slots = max(1, min(options.jobs, units.count))
    let handles = (0..<slots).compactMap { slot in
      Worker.start { pool.work(in: Files.join(work, "\(slot)")) }
    }
    guard !handles.isEmpty else { throw HarnessError(75, "no thread can be started") }
    for handle in handles { handle.join() }
    let state = pool.monitor.withLock { unsafe pool.state }
    if let error = state.error { throw error }
    if options.isStopped() { throw HarnessError(130, "interrupted; what is whole is kept, the same command goes on") }
    return state.rendered.sorted()
  }

  private static let workPrefix = ".work-"

  /// Folders of pools that did not live to clear them.
  private static func removeWorkLeft(in run: RunFolder) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: run.path)) ?? [] where name.hasPrefix(workPrefix)
    {
      guard let process = Int32(name.dropFirst(workPrefix.count)), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      Files.remove(Files.join(run.path, name))
    }
  }

  /// Seconds that a unit is expected to take: as before, or by its size.
  private static func weight(_ unit: UnitKey, _ books: [String: CorpusBook], _ options: PoolOptions) -> Double {
    options.expected[unit]?.seconds ?? books[unit.book]?.guessedSeconds ?? 0
  }

  private func memory(_ unit: UnitKey) -> Int {
    options.expected[unit].map { $0.memory * 5 / 4 } ?? 256 << 20 + (books[unit.book]?.size ?? 0) * 16
  }

  private func work(in folder: String) {
    while let (unit, innerJobs) = take() {
      let needed = memory(unit)
      var rendered = false
      var result: UnitResult?
      var failure: HarnessError?
      do throws(HarnessError) {
        (result, rendered) = try settle(unit, innerJobs, in: folder)
      } catch {
        failure = error
      }
      monitor.withLock {
        unsafe state.reserved -= needed
        unsafe state.running -= 1
        if let failure, unsafe state.error == nil {
          unsafe state.error = failure
          unsafe state.stops = true
        }
        if let result {
          unsafe state.done += 1
          unsafe state.pages += result.pages.count
          unsafe state.doneWeight += Self.weight(unit, books, options)
          if rendered { unsafe state.rendered.append(unit) }
          if !result.outcome.isSuccess {
            unsafe state.failures += 1
            if options.failsFast, !options.expectedFailures.contains(unit) { unsafe state.stops = true }
          }
        }
        unsafe options.progress(
          PoolProgress(
            done: state.done, total: total, pages: state.pages, failures: state.failures,
            fraction: min(1, state.doneWeight / totalWeight)))
        monitor.signalAll()
      }
    }
  }

  /// The next unit there is memory for, and how many workers it gets; nil when there is none left.
  private func take() -> (UnitKey, Int)? {
    monitor.withLock {
      while unsafe !state.stops, !options.isStopped() {
        guard unsafe !state.waiting.isEmpty else { return nil }
        let room = unsafe budget - state.reserved
        if let index = unsafe state.running == 0 ? 0 : state.waiting.firstIndex(where: { memory($0) <= room }) {
          let unit = unsafe state.waiting.remove(at: index)
          unsafe state.reserved += memory(unit)
          unsafe state.running += 1
          let share = unsafe options.jobs / max(1, state.running + state.waiting.count)
          let isHeavy = Self.weight(unit, books, options) * Double(options.jobs) > totalWeight
          return (
            unit, options.spreadsChapters ? max(options.innerJobs, isHeavy ? options.jobs : share) : options.innerJobs
          )
        }
        monitor.wait(milliseconds: 100)
      }
      return nil
    }
  }

  /// A unit's result: the one that is there, or else a new one.
  private func settle(_ unit: UnitKey, _ innerJobs: Int, in folder: String) throws(HarnessError) -> (UnitResult?, Bool)
  {
    guard let book = books[unit.book], let profile = profiles[unit.profile] else {
      throw HarnessError.invalid("\(unit): the manifest does not know it")
    }
    let cacheKey = UnitSpec.cacheKey(book, profile, of: manifest)
    // A child that somebody killed says nothing of its book.
    if !options.ignoresCache, let known = whole(unit), known.file.cacheKey == cacheKey,
      known.file.result.failure?.signal != Int(SIGKILL), LoadedLibraries.areThere(known.file.libraries ?? [:]),
      known.file.beside.map(LoadedLibraries.areThere) ?? !book.mayHaveFilesBeside
    {
      var result = known.file.result
      result.pages = PageHashFile.pages(known.hashes) ?? []
      return (result, false)
    }
    if !options.ignoresCache, let cache,
      let (file, hashes) = cache.unit(cacheKey, of: book, as: unit, seesPages: !hasRemote)
    {
      try take(file, hashes, in: folder)
      var result = file.result
      result.pages = PageHashFile.pages(hashes) ?? []
      return (result, false)
    }
    var file = try render(unit, book, profile, cacheKey, innerJobs, isRetry: false, in: folder)
    // Another try where the machine and not the book is at fault.
    if file == nil, !options.isStopped() {
      file = try render(unit, book, profile, cacheKey, innerJobs, isRetry: true, in: folder)
    }
    guard let file else { return (nil, false) }
    cache?.keep(file, of: book, in: run)
    return (file.result, true)
  }

  /// Makes a unit of the cache one of the run.
  private func take(_ file: UnitFile, _ hashes: [UInt8], in folder: String) throws(HarnessError) {
    let output = Files.join(folder, "output")
    Files.remove(folder)
    defer { Files.remove(folder) }
    try Files.write(hashes, to: Files.join(output, UnitFile.pagesName))
    try Files.write(json: file, to: Files.join(output, UnitFile.resultName))
    try install(output, as: file.result.key)
    run.log(RunEvent("cached", key: file.result.key, outcome: file.result.outcome))
  }

  /// A unit of the run that is there and undamaged.
  private func whole(_ unit: UnitKey) -> (file: UnitFile, hashes: [UInt8])? {
    do throws(HarnessError) { return try run.verified(unit, includesPages: true) } catch {
      run.log(RunEvent("damaged", key: unit, note: error.description))
      return nil
    }
  }

  /// - Returns: nil when the machine failed, or the run is to stop.
  private func render(
    _ unit: UnitKey, _ book: CorpusBook, _ profile: Profile, _ cacheKey: String, _ innerJobs: Int, isRetry: Bool,
    in folder: String
  ) throws(HarnessError) -> UnitFile? {
    Files.remove(folder)
    let output = Files.join(folder, "output")
    let temporary = Files.join(folder, "tmp")
    try Files.makeFolder(output)
    try Files.makeFolder(temporary)
    defer { Files.remove(folder) }
    var spec = UnitSpec(
      key: unit, book: book, profile: profile, fonts: manifest.fonts, output: output, blobs: run.blobs.folder,
      cacheKey: cacheKey)
    spec.jobs = innerJobs
    spec.drawsAllPages = manifest.drawsAllPages
    let specPath = Files.join(folder, "spec.json")
    try Files.write(json: spec, to: specPath)
    var child = ChildProcess(options.worker + [specPath], folder: temporary, limits: book.limits)
    child.writable = [folder, run.blobs.folder]
    child.environment = ChildProcess.environment(temporaryFolder: temporary)
    child.environment.merge(options.environment) { _, new in new }
    run.log(RunEvent("start", key: unit))
    let isStopped = options.isStopped
    let outcome = child.run(isStopped: { isStopped() || self.monitor.withLock { unsafe self.state.stops } })

    let known = Files.read(json: Files.join(output, UnitFile.resultName), as: UnitFile.self)
    var file: UnitFile
    switch outcome.end {
    case .interrupted: return nil
    case .notStarted(let code):
      throw HarnessError(
        69, unsafe "\(options.worker[0]): cannot be started: \(String(cString: strerror(code)).lowercased())")
    case .signal(Int(SIGKILL)) where !isRetry:
      run.log(RunEvent("retry", key: unit, note: "killed"))
      return nil
    case .exited(73):
      let reason = Self.lastLine(outcome.output)
      run.log(RunEvent("retry", key: unit, note: reason))
      if Self.hasFailedBefore.withLock({ !$0.insert("\(run.path) \(unit)").inserted }) {
        throw HarnessError(73, reason.isEmpty ? "\(output): cannot be written" : reason)
      }
      return nil
    case .exited(0) where known?.result.key == unit && PageHashFile.pages(Self.pages(output)) != nil:
      file = known!
      file.result.pages = PageHashFile.pages(Self.pages(output)) ?? []
    default: file = failed(unit, cacheKey, outcome, output)
    }
    file.cacheKey = cacheKey
    file.beside = file.beside.map { LoadedLibraries.hashes(of: Array($0.keys)) }
    file.book = book.hash(withFilesBeside: file.beside ?? [:])
    file.libraries = LoadedLibraries.libraryHashes(of: file.libraries.map { Array($0.keys) } ?? LoadedLibraries.paths)
    let reached = file.result.failure == nil ? nil : Self.reached(file, in: output)
    file.result.failure?.reached = reached
    file.result.statistics["child.wall"] = outcome.wall
    file.result.statistics["child.cpu"] = outcome.cpu
    file.result.statistics["child.peakBytes"] = Double(outcome.peakBytes)
    file.result.statistics[Figures.workers] = Double(innerJobs)
    try keep(&file, from: output)
    run.log(
      RunEvent(
        "end", key: unit, outcome: file.result.outcome, pages: file.result.pages.count, wall: outcome.wall,
        note: file.result.failure?.message))
    return file
  }

  private static let hasFailedBefore = Lock<Set<String>>([])

  private static func pages(_ output: String) -> [UInt8] {
    Files.read(Files.join(output, UnitFile.pagesName)) ?? [0]
  }

  /// The result of a unit whose child did not end by itself, with the pages it had finished.
  private func failed(_ unit: UnitKey, _ cacheKey: String, _ outcome: ChildProcess.Outcome, _ output: String)
    -> UnitFile
  {
    let place = UnitRecorder.place(in: output)
    var failure = UnitFailure(phase: place.phase, chapter: place.chapter, message: Self.tail(outcome.output))
    var result = UnitResult(key: unit)
    switch outcome.end {
    case .signal(let number):
      result.outcome = .crash
      failure.signal = number
      failure.stack = CrashStack.frames(in: outcome.output)
      failure.message = CrashStack.message(in: outcome.output)
    case .hang:
      result.outcome = .hang
      failure.message = "no end after \(Int(books[unit.book]?.limits.seconds ?? 0)) seconds"
    case .outOfMemory:
      result.outcome = .outOfMemory
      failure.message = "more than \((books[unit.book]?.limits.memory ?? 0) >> 20) MiB of memory"
    case .exited(let code):
      // The engine leaves at once where it cannot be stopped any other way.
      result.outcome = code == 75 ? .limit : code == 65 || code == 66 ? .rejected : .invalidOutput
      failure.exitCode = code
    case .interrupted, .notStarted: break
    }
    result.failure = failure
    let kept = UnitRecorder.recover(output)
    result.pages = kept.pages
    return UnitFile(cacheKey: cacheKey, result: result, faces: kept.faces, images: kept.images)
  }

  /// The end of the last page that was finished.
  private static func reached(_ file: UnitFile, in output: String) -> String? {
    guard !file.result.pages.isEmpty else { return nil }
    let unit = StoredUnit(
      file: file, profile: nil, hashes: PageHashFile.text(file.result.pages), blobs: BlobStore(output),
      frames: FrameSource { [Files.join(output, $0.name)] })
    guard let page = unit.record(of: file.result.pages.count) else { return nil }
    return page.href + (page.lines.last.map { " \($0.source.node):\($0.source.end)" } ?? "")
  }

  /// Gives a unit's files their place.
  private func keep(_ file: inout UnitFile, from output: String) throws(HarnessError) {
    let hashes = PageHashFile.text(file.result.pages)
    try Files.write(hashes, to: Files.join(output, UnitFile.pagesName))
    var contents = [UnitFile.pagesName: FileSeal(hashes)]
    for kind in FrameKind.allCases {
      if let size = Files.size(Files.join(output, kind.name)) { contents[kind.name] = FileSeal(bytes: size) }
    }
    file.contents = contents
    let pages = file.result.pages
    file.result.pages = []
    try Files.write(json: file, to: Files.join(output, UnitFile.resultName))
    file.result.pages = pages
    for name in [UnitRecorder.journalName, UnitRecorder.placeName, UnitWorker.statisticsName] {
      Files.remove(Files.join(output, name))
    }
    try install(output, as: file.result.key)
  }

  private func install(_ output: String, as unit: UnitKey) throws(HarnessError) {
    let target = run.unitPath(unit)
    try Files.makeFolder(OutputFiles.folder(of: target))
    // The result goes first and comes last, so that a unit never looks whole while it is not.
    Files.remove(Files.join(target, UnitFile.resultName))
    Files.remove(target)
    try Files.rename(output, to: target)
  }

  private static func tail(_ text: String) -> String {
    text.split(separator: "\n").suffix(20).joined(separator: "\n")
  }

  static func lastLine(_ text: String) -> String {
    var line = text.split(separator: "\n").last.map(String.init) ?? ""
    if line.hasPrefix("typeset: ") { line.removeFirst(9) }
    return line
  }
}
