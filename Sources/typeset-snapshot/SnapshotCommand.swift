import ArgumentParser
import BookOutput
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// `typeset snapshot`: what a change of the engine does to a corpus of books.
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: SnapshotVerb.name,
    abstract: SnapshotVerb.abstract,
    discussion: """
      A corpus is a folder of books, or a corpus.yaml with profiles.yaml and fonts.yaml beside it. Each book is set under \
      each profile in a child process of its own, with limits of time and memory; a crash is a result like any other. \
      Pages are compared by what is painted on them: pages that are equal are never drawn.

      EXAMPLES:
        \(ProgramFile.commandName) snapshot record books --into Snapshots
        \(ProgramFile.commandName) snapshot verify books --against Snapshots
        \(ProgramFile.commandName) snapshot verify books --build old/typeset --build new/typeset
        \(ProgramFile.commandName) snapshot report .snapshot/run --junit units.xml --markdown summary.md
        \(ProgramFile.commandName) snapshot render books --shard 2/7 --out part-2

      EXIT CODES, the strongest first: 64 wrong usage; 65 a file of the corpus, the baseline or a run cannot be read or is not \
      what was written; 66 no baseline or corpus; 69 shards or units are missing; 73 an output cannot \
      be written, or another process is at work in a folder; 5 accept: the baseline is no longer what was compared with; 6 verify --perf: the \
      machine is too noisy; 3 a book newly fails; 1 differences that nobody has accepted; 4 time or memory got worse; 0 clean. \
      summary.json in the run's folder holds all that apply.
      """,
    subcommands: [
      SnapshotRecord.self, SnapshotVerify.self, SnapshotRender.self, SnapshotRenderOne.self, SnapshotRenderUnit.self,
      SnapshotLookUp.self, SnapshotLookInto.self, SnapshotExtract.self, SnapshotIndex.self, SnapshotMerge.self,
      SnapshotCompare.self, SnapshotReport.self,
      SnapshotServe.self, SnapshotStatus.self, SnapshotTrends.self,
      SnapshotHistory.self, SnapshotLog.self, SnapshotDoctor.self,
      SnapshotGC.self, SnapshotBisect.self, SnapshotReduce.self, SnapshotRestore.self, SnapshotAccept.self,
      SnapshotReject.self, SnapshotMergeDriver.self,
    ])
}

/// The corpus, and the part of it that is taken.
struct CorpusOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A corpus.yaml, a folder of books, or books.", valueName: "corpus"), completion: .file())
  var corpus: [String]

  @Option(
    help: ArgumentHelp(
      "What typeset snapshot index made of the corpus: its books are not looked for.", valueName: "file"),
    completion: .file())
  var index: String?

  @Option(
    help: ArgumentHelp(
      "Only this book or folder of books; :3-9 behind it tells of these pages alone.",
      valueName: "book[:pages]"))
  var only: [String] = []

  @Option(help: ArgumentHelp("Only this profile; may be given several times. (default: all)", valueName: "name"))
  var profile: [String] = []

  @Option(help: ArgumentHelp("Only books with this text in their name, tags, note or licence.", valueName: "text"))
  var grep: String?

  @Option(help: ArgumentHelp("Only books with this tag; may be given several times.", valueName: "tag"))
  var tag: [String] = []

  @Option(help: ArgumentHelp("Only books of this tier: smoke, gate, full or hostile.", valueName: "tier"))
  var tier: [String] = []

  @OptionGroup var choice: ChoiceOptions

  @Option(help: ArgumentHelp("At most so many units, from the first on.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .customLong("profiles"),
    help: ArgumentHelp(
      "The profiles. (default: profiles.yaml beside the corpus, or three of our own)", valueName: "file"))
  var profilesFile: String?

  @Option(
    name: .customLong("fonts"),
    help: ArgumentHelp(
      "The fonts that may be used. (default: fonts.yaml beside the corpus, or the system's)",
      valueName: "file"))
  var fontsFile: String?

  @Option(
    name: .customLong("user-css"), help: ArgumentHelp("A style sheet added to every profile.", valueName: "file"),
    completion: .file(extensions: ["css"]))
  var userStyleSheet: String?

  mutating func validate() throws {
    for tier in tier where !Corpus.tiers.contains(tier) {
      throw ValidationError("--tier takes one of \(Corpus.tiers.joined(separator: ", "))")
    }
    for name in only where name.contains(":") && pages(of: name) == nil {
      throw ValidationError("--only takes a book, and pages behind a colon such as 3 or 3-9")
    }
    if index != nil, corpus.count != 1 { throw ValidationError("--index takes one corpus, which it was made of") }
    if let limit, limit < 1 { throw ValidationError("--limit takes a positive number") }
  }

  private func pages(of name: String) -> NumberRange? {
    name.split(separator: ":").last.flatMap { NumberRange(String($0)) }
  }

  /// By book: the pages that are asked for.
  var pageRanges: [String: NumberRange] {
    var ranges: [String: NumberRange] = [:]
    for name in only where name.contains(":") {
      ranges[String(name.prefix { $0 != ":" })] = pages(of: name)
    }
    return ranges
  }

  /// The options beside the choice of units, with paths that hold anywhere.
  var repeating: [String] {
    let files = [("--profiles", profilesFile), ("--fonts", fontsFile), ("--user-css", userStyleSheet)]
    return files.flatMap { name, path in path.map { [name, Files.absolute($0)] } ?? [] }
  }

  func selection() throws(HarnessError) -> UnitSelection {
    var selection = UnitSelection()
    selection.books = only.map { String($0.prefix { $0 != ":" }) }
    selection.profiles = profile
    selection.grep = grep
    selection.tags = tag
    selection.tiers = tier
    selection.limit = limit
    try choice.apply(to: &selection)
    return selection
  }

  /// No option says which books are meant.
  var choosesNoBooks: Bool {
    only.isEmpty && grep == nil && tag.isEmpty && tier.isEmpty && limit == nil && choice.isEmpty
  }

  func read() throws(HarnessError) -> Corpus {
    var read: Corpus
    if let index {
      read = try CorpusIndex.read(index, of: corpus[0], profiles: profilesFile, fonts: fontsFile)
    } else {
      read = try Corpus.read(corpus, profiles: profilesFile, fonts: fontsFile)
    }
    if let path = userStyleSheet {
      guard let text = Files.text(path) else { throw HarnessError(66, "\(path): the style sheet cannot be read") }
      for index in read.profiles.indices {
        read.profiles[index].userCSS = (read.profiles[index].userCSS.map { $0 + "\n" } ?? "") + text
      }
    }
    return read
  }
}

/// Choices that an index or another run tells.
struct ChoiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only books that use one of these, such as ruby,vertical, as --index tells; may be given several times.",
      valueName: "names"))
  var uses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only so many of the books, as 1%, with some of all that --index says books use; the same ones each time.",
      valueName: "share"))
  var sample: SampleShare?

  @Option(
    help: ArgumentHelp("Only what differed, failed or is missing in this run.", valueName: "run"),
    completion: .directory)
  var retry: String?

  var isEmpty: Bool { uses.isEmpty && sample == nil && retry == nil }

  func apply(to selection: inout UnitSelection) throws(HarnessError) {
    selection.uses = PropertyNames.searched(for: uses.flatMap { $0.split(separator: ",").map(String.init) })
    selection.sample = sample?.share
    selection.units = try retry.map { path throws(HarnessError) in try RunFolder(path).unsettledUnits() }
  }
}

/// Where results of units are found and kept.
struct CacheOptions: ParsableArguments {
  @Flag(help: "Render units again that are whole.")
  var noCache = false

  @Option(
    help: ArgumentHelp(
      "A folder in which results are shared: what anybody has rendered there is not rendered again.",
      valueName: "folder"),
    completion: .directory)
  var cache: String?

  @Option(
    help: ArgumentHelp(
      "What the cache's folder is a part of, by its name in the configuration of rclone, which copies from there first "
        + "and to there afterwards.", valueName: "remote:path"))
  var cacheRemote: String?

  mutating func validate() throws {
    if cacheRemote != nil, cache == nil { throw ValidationError("--cache-remote needs --cache, a folder here") }
  }

  /// nil where nothing is shared.
  func place() throws(HarnessError) -> CachePlace? {
    try cache.map { folder throws(HarnessError) in try CachePlace(folder: folder, remote: cacheRemote) }
  }
}

/// The variant of a baseline that is meant.
struct VariantOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The baseline of another system, such as debian13: it has what is otherwise there, and falls back to the store's "
        + "own for all else.", valueName: "name"))
  var variant: String?

  mutating func validate() throws {
    if let variant, !SnapshotStore.isName(variant) {
      throw ValidationError("--variant takes a name of letters, digits, - . and _, at most 64")
    }
  }

  func place(in store: String?, mayBeNew: Bool = false) throws(HarnessError) -> String? {
    guard let store else { return nil }
    return try place(in: store, mayBeNew: mayBeNew) as String
  }

  /// The path of the store, or of the variant in it.
  ///
  /// - Parameter mayBeNew: `true` for a variant that is to be recorded.
  func place(in store: String, mayBeNew: Bool = false) throws(HarnessError) -> String {
    guard let variant else { return store }
    return try SnapshotStore(store).variant(named: variant, mayBeNew: mayBeNew).path
  }
}

/// The options of rendering.
struct RenderingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Books in work at once. (default: one for each core)", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory that all children together are meant to hold. (default: most of what is free)",
      valueName: "size"))
  var memory: MemorySize?

  @Option(
    help: ArgumentHelp("Memory that one child may hold. (default: the book's limit, or else 2G)", valueName: "size"))
  var maxMemory: MemorySize?

  @Option(
    help: ArgumentHelp(
      "Seconds after which a child hangs. (default: the book's limit, or else 300)", valueName: "seconds"))
  var maxTime: Double?

  @Flag(help: "Stop at the first book that fails and did not fail in the baseline.")
  var failFast = false

  @OptionGroup var caching: CacheOptions

  @Flag(help: "Draw all pages and compare their pixels, not those of a sample.")
  var allPixels = false

  @Flag(help: "Only books that failed in the run that is there.")
  var failed = false

  @Flag(help: "Only list what would be rendered.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The engine's revision, for the history. (default: that of the Git work tree here)",
      valueName: "name"))
  var revision: String?

  @Option(
    help: ArgumentHelp("Show a progress bar: on a terminal (auto), always or never.", valueName: "auto|always|never"))
  var progress: ProgressMode = .auto

  @Flag(help: "Say only what is wrong.")
  var quiet = false

  mutating func validate() throws {
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes a number from 1 to 1024") }
    if let maxTime, !(maxTime > 0 && maxTime.isFinite) {
      throw ValidationError("--max-time takes a positive number of seconds")
    }
  }

  var jobCount: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Makes a session as these options say.
  func session(
    _ corpus: Corpus, _ options: CorpusOptions, into folder: String, program: String? = nil, shard: Shard = .whole,
    history: [UnitKey: [String: Double]] = [:]
  ) throws(HarnessError) -> Session {
    var corpus = corpus
    for index in corpus.books.indices {
      if let maxTime { corpus.books[index].limits.seconds = maxTime }
      if let maxMemory { corpus.books[index].limits.memory = maxMemory.bytes }
    }
    var history = history
    let known = RunFolder(folder)
    let units = try options.selection().units(of: corpus)
    for key in units where shard == .whole && history[key] == nil {
      history[key] = known.unitFile(key)?.result.statistics
    }
    var session = try Session(
      corpus: corpus, paths: options.corpus, selection: options.selection(), into: folder, program: program,
      shard: shard,
      history: history, revision: revision ?? Git.currentRevision())
    if failed {
      session.units = session.units.filter { known.unitFile($0)?.result.outcome.isSuccess != true }
      guard !session.units.isEmpty else {
        throw HarnessError.missing("\(folder): no book failed in the run that is there")
      }
    }
    session.manifest.options = options.repeating + (program.map { ["--build", Files.absolute($0)] } ?? [])
    if allPixels { session.manifest.drawsAllPages = true }
    session.cache = try caching.place()
    session.pool.jobs = jobCount
    session.pool.memory = memory?.bytes
    session.pool.failsFast = failFast
    session.pool.ignoresCache = caching.noCache || failed
    return session
  }

  /// Renders with a progress bar.
  func render(_ session: Session, label: String = "") throws(HarnessError) -> [UnitKey] {
    let bar = ProgressBar(mode: progress, isQuiet: quiet)
    var session = session
    session.pool.progress = { progress in
      bar.update(
        progress.fraction,
        "\(label)\(progress.done)/\(progress.total) units, \(progress.pages) pages"
          + (progress.failures > 0 ? ", \(progress.failures) failed" : ""))
    }
    defer { bar.finish() }
    // Until the process ends: what is compared afterwards is what was rendered.
    try FolderLock.hold(run: session.run.path)
    return try session.render(warn)
  }

  func say(_ text: String) { if !quiet { StandardStream.output.write((text + "\n").utf8) } }

  func warn(_ text: String) { DiagnosticPrinter.fail(text) }

  /// Names the fonts that are not what they should be, and what was left out of a corpus.
  func warn(of corpus: Corpus) { for problem in corpus.problems + corpus.fonts.problems { warn(problem) } }

  /// Lists units instead of rendering them.
  func list(_ session: Session) {
    for unit in session.units { StandardStream.output.write("\(unit.book)\t\(unit.profile)\n".utf8) }
  }
}

/// Runs the body of a verb; an error of the harness becomes a line and its exit code. A verdict counts more than that it could
/// not be told.
func harness(_ body: () throws(HarnessError) -> Int32) throws {
  Interruption.install()
  do throws(HarnessError) {
    let code = try body()
    if let failure = StandardStream.failure {
      throw HarnessError(code == 0 ? failure.exitCode : code, "\(failure.part): \(failure.reason)")
    }
    if code != 0 { throw HarnessError(code, "") }
  } catch {
    if !error.description.isEmpty { DiagnosticPrinter.fail(error.description) }
    throw ExitCode(error.code)
  }
}

extension ShardChoice: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// A share of all, as `1%`.
struct SampleShare: ExpressibleByArgument {
  var share: Double

  init?(argument: String) {
    guard argument.hasSuffix("%"), let percent = Double(argument.dropLast()), percent > 0, percent <= 100 else {
      return nil
    }
    share = percent / 100
  }
}
