import BookOutput
import FoundationEssentials
import Graphics
import Platform
import Primitives
import RasterRendering
import TestSupport
import Testing
import Typesetting

@testable import SnapshotHarness

/// A corpus of three little books, and sessions over it that run the built `typeset`.
struct LittleCorpus {
  let folder = TestFolder()
  static let program: String? = {
    // Beside the test bundle, where `swift build` puts it.
    let path = OutputFiles.folder(of: ProgramFile.own)
    for place in [path, Files.absolute(".build/debug")] where Files.exists(place + "/typeset") {
      return place + "/typeset"
    }
    return nil
  }()

  /// Pages are set in the machine's fonts and drawn, and lists are read.
  static let canRun = program != nil && LoadedLibrary.areInstalled(.fontconfig, .cairo, .rsvg, .yaml)
  static let needs = "needs the built program, fontconfig, libcairo, librsvg and libyaml"

  init() throws {
    for (name, text) in ["one", "two", "three"].map({
      ($0, "<p>Book \($0) has a <b>few</b> words and a line or two.</p>")
    }) {
      let body = String(repeating: text, count: name == "three" ? 60 : 3)
      try Files.write("<!DOCTYPE html><title>\(name)</title><body>\(body)", to: folder["books/\(name).html"])
    }
  }

  func session(
    _ name: String, shard: Shard = .whole, worker: [String]? = nil, css: String? = nil
  ) throws -> Session {
    var selection = UnitSelection()
    selection.profiles = ["ereader"]
    var corpus = try Corpus.read([folder["books"]])
    for index in corpus.profiles.indices { corpus.profiles[index].userCSS = css }
    var session = try Session(
      corpus: corpus, paths: [folder["books"]], selection: selection, into: folder[name],
      program: Self.program ?? "/bin/sh",
      shard: shard)
    if let worker { session.pool.worker = worker }
    session.pool.jobs = 2
    session.pool.isStopped = { false }
    return session
  }

  /// A worker that does what a script says, with the spec's path as its argument.
  func worker(_ script: String) throws -> [String] {
    let path = folder["worker-\(UInt64.random(in: 0...UInt64.max)).sh"]
    try Files.write(script, to: path)
    return ["/bin/sh", path]
  }

  /// All files of units below a run by their paths, without what differs from run to run.
  static func content(_ run: RunFolder) -> [String: [UInt8]] {
    var content: [String: [UInt8]] = [:]
    let books = Files.join(run.path, "books")
    for name in Files.walk(books) {
      if name.hasSuffix("result.json") {
        var file = Files.read(json: Files.join(books, name), as: UnitFile.self)
        file?.result.statistics = [:]
        // Frames are written in the order in which chapters are done.
        file?.contents = nil
        content[name] = file.map { Files.json($0) }
      } else {
        content[name] = Files.read(Files.join(books, name))
      }
    }
    return content
  }
}

@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct RunTests {
  @Test func `Shards join to the whole run`() throws {
    let corpus = try LittleCorpus()
    let whole = try corpus.session("whole")
    try whole.render()
    let content = LittleCorpus.content(whole.run)
    #expect(content.count == 18)
    for count in [3, 7] {
      var parts: [String] = []
      for index in 1...count {
        let part = try corpus.session("part-\(count)-\(index)", shard: Shard(index: index, count: count))
        try part.render()
        parts.append(part.run.path)
      }
      let joined = RunFolder(corpus.folder["joined-\(count)"])
      try Merge.merge(parts.reversed(), into: joined.path)
      #expect(LittleCorpus.content(joined) == content)
      #expect(throws: HarnessError.self) { try Merge.merge(Array(parts.dropLast()), into: corpus.folder["lost"]) }
      #expect(throws: HarnessError.self) { try Merge.merge(parts + [parts[0]], into: corpus.folder["double"]) }
      #expect(
        try Merge.merge(Array(parts.dropLast()), into: corpus.folder["partial-\(count)"], isPartial: true) == [count])
    }
  }

  @Test func `Hashes do not depend on workers`() throws {
    let corpus = try LittleCorpus()
    let findings = try Doctor.examine(corpus.session("doctor"))
    #expect(findings == [])
  }

  @Test func `Stored pages are drawn as the engine draws them`() throws {
    let corpus = try LittleCorpus()
    let session = try corpus.session("run")
    try session.render()
    let store = SnapshotStore(corpus.folder["store"])
    #expect(try store.record(session.units, of: session.run, manifest: session.manifest) == session.units)
    // Files that Git keeps name no file of this machine.
    for name in Files.walk(Files.join(store.path, "units")) {
      let text = try #require(Files.read(Files.join(store.path, "units/" + name)))
      #expect(!String(decoding: text, as: UTF8.self).contains("\"path\""))
    }
    // The run may go: the store has all it needs.
    Files.remove(session.run.path)
    let key = UnitKey(book: "three", profile: "ereader")
    let unit = try #require(store.source(key))
    #expect(unit.result.pages.count > 1)
    #expect(unit.result.title == "three")
    for page in 1...unit.result.pages.count {
      let record = try #require(unit.record(of: page))
      #expect(record.number == page)
      #expect(record.lines.allSatisfy { $0.runs.allSatisfy { $0.font >= 0 && $0.font < unit.faces.count } })
      let bitmap = try #require(unit.bitmap(of: page))
      var options = RunOptions(input: corpus.folder["books/three.html"])
      options.settings = Profile.defaults[0].settings
      let drawing = PageDrawing(page)
      options.outputs = [drawing]
      _ = BookRun(options).run()
      #expect(drawing.bitmap == bitmap)
    }
  }

  @Test func `Recording the same again changes nothing`() throws {
    let corpus = try LittleCorpus()
    let session = try corpus.session("run")
    try session.render()
    let store = SnapshotStore(corpus.folder["store"])
    try store.record(session.units, of: session.run, manifest: session.manifest)
    let before = Files.walk(store.path)
    #expect(try store.record(session.units, of: session.run, manifest: session.manifest) == [])
    #expect(Files.walk(store.path) == before)
    #expect(try store.collect().pages == 0)
    // A unit that is forgotten leaves its pages to be collected.
    try store.forget([session.units[0]])
    #expect(try store.collect().pages > 0)
    let unit = try #require(store.source(session.units[1]))
    #expect(unit.record(of: 1) != nil)
  }

  @Test func `What is whole is not rendered again`() throws {
    let corpus = try LittleCorpus()
    let session = try corpus.session("run")
    #expect(try session.render().count == 3)
    #expect(try session.render() == [])
    // A unit whose result is missing is not whole.
    Files.remove(Files.join(session.run.unitPath(session.units[1]), UnitFile.resultName))
    #expect(try session.render() == [session.units[1]])
  }

  @Test func `Equal runs compare as equal`() throws {
    let corpus = try LittleCorpus()
    let first = try corpus.session("first")
    let second = try corpus.session("second")
    try first.render()
    try second.render()
    let old = try Reference(first.run.path)
    let new = try Reference(second.run.path)
    let comparison = try Verification.compare(old, new, jobs: 2)
    #expect(comparison.units == [])
    #expect(comparison.unitCount == 3)
    #expect(RunSummary(comparison).exitCode == 0)
    // Another hash is a difference of that unit alone.
    let place = second.run.unitPath(second.units[0])
    var bytes = try #require(Files.read(Files.join(place, UnitFile.pagesName)))
    // The last digit of a number that is not at its largest.
    bytes[10] = bytes[10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    try Files.write(bytes, to: Files.join(place, UnitFile.pagesName))
    var file = try #require(second.run.unitFile(second.units[0]))
    file.contents?[UnitFile.pagesName] = FileSeal(bytes)
    try Files.write(json: file, to: Files.join(place, UnitFile.resultName))
    let changed = try Verification.compare(old, new)
    #expect(changed.units.map(\.key) == [second.units[0]])
    #expect(RunSummary(changed).exitCode == 1)
  }

  /// Accept, change back, accept again: the baseline is what it was (11.5).
  @Test func `Accepting there and back leaves the baseline as it was`() throws {
    let corpus = try LittleCorpus()
    let store = SnapshotStore(corpus.folder["store"])
    func baseline() -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in Files.walk(Files.join(store.path, "units")) {
        files[name] = Files.read(Files.join(store.path, "units/" + name))
      }
      return files
    }
    let first = try corpus.session("first")
    try first.render()
    try store.record(first.units, of: first.run, manifest: first.manifest)
    let before = baseline()
    #expect(before.count == 3)
    var states: [[String: [UInt8]]] = []
    for (index, css) in ["p { margin-left: 3px }", nil].enumerated() {
      let session = try corpus.session("run-\(index)", css: css)
      try session.render()
      var comparison = try Verification.compare(Reference(store.path), .run(session.run, session.manifest))
      #expect(RunSummary(comparison).exitCode == 1)
      #expect(comparison.acceptedUnits == [])
      let made = comparison.clusters.map {
        Decision(
          signature: $0.signature, summary: $0.summary, verdict: .accepted, reason: "wanted", date: Decisions.today(),
          scope: Decisions.scope(of: $0))
      }
      let decisions = session.manifest.decisionsPath
      #expect(decisions == corpus.folder["books/decisions.ndjson"])
      try Decisions.append(made, to: decisions)
      try Decisions(contentsOf: decisions).apply(to: &comparison)
      #expect(comparison.acceptedUnits == session.units)
      try store.record(comparison.acceptedUnits, of: session.run, manifest: session.manifest)
      states.append(baseline())
    }
    #expect(states[0] != before)
    #expect(states[1] == before)
    // Each step is a change of few bytes of text.
    #expect(before.values.allSatisfy { String(validating: $0, as: UTF8.self) != nil && $0.count < 4000 })
  }

  /// A fresh clone has the hashes of a baseline alone: what recorded it makes its pages again.
  @Test func `Old pages are made again`() throws {
    let corpus = try LittleCorpus()
    let store = SnapshotStore(corpus.folder["store"])
    let first = try corpus.session("first")
    try first.render()
    try store.record(first.units, of: first.run, manifest: first.manifest, keepsPages: false)
    let texts = store.texts()
    let second = try corpus.session("second", css: "p { margin-left: 3px }")
    try second.render()
    func signatures() throws -> [String] {
      try Verification.compare(Reference(store.path), .run(second.run, second.manifest)).clusters.map(\.signature)
    }
    #expect(try signatures() == [UnitDiff.unknownSignature])
    let restoration = try Restoration(store, manifest: second.manifest)
    let comparison = try Verification.compare(Reference(store.path), .run(second.run, second.manifest))
    #expect(restoration.units(of: comparison) == first.units)
    // Another engine's pages are not taken for the old ones.
    #expect(try restoration.keep(second).allSatisfy { $0.there == 0 && $0.all > 0 })
    var again = try restoration.session(
      first.units, program: try #require(LittleCorpus.program), into: corpus.folder["again"])
    again.pool.isStopped = { false }
    try again.render()
    // The sheet of the new run is in its profiles, not in those of the baseline.
    #expect(try restoration.keep(again).allSatisfy { $0.there == $0.all })
    #expect(try signatures() == ["moved|dx=+3|paragraph|page|style"])
    #expect(store.texts() == texts)
  }

  /// Beside the engine's repository the program that recorded a baseline makes its old pages, and another one says what to do.
  @Test(.enabled(if: Files.exists("/usr/bin/git"), "git is not installed"))
  func `Old pages are made again outside of the engine's repository`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    func run(_ arguments: [String]) -> (end: ChildProcess.End, output: String) {
      let outcome = ChildProcess([program, "snapshot"] + arguments, folder: corpus.folder.path).run()
      return (outcome.end, outcome.output)
    }
    for arguments in [
      ["init", "--quiet"], ["config", "user.name", "Ada"], ["config", "user.email", "ada@example.org"],
    ] { _ = try Git.run(arguments, in: corpus.folder.path) }
    let record = ["record", corpus.folder["books"], "--profile", "ereader", "--into", corpus.folder["Snapshots"]]
    #expect(run(record + ["--out", corpus.folder["recorded"]]).end == .exited(0))
    _ = try Git.run(["add", "books", "Snapshots"], in: corpus.folder.path)
    _ = try Git.run(["commit", "--quiet", "-m", "baseline"], in: corpus.folder.path)
    for name in ["pages", "blobs", "history.ndjson"] { Files.remove(corpus.folder["Snapshots/" + name]) }
    try Files.write("p { margin-left: 3px }", to: corpus.folder["user.css"])
    let verified = run([
      "verify", corpus.folder["books"], "--profile", "ereader", "--against", corpus.folder["Snapshots"], "--out",
      corpus.folder["run"], "--user-css", corpus.folder["user.css"],
    ])
    #expect(verified.end == .exited(1) && verified.output.contains("typeset snapshot restore"))
    let comparison = try #require(RunFolder(corpus.folder["run"]).comparison())
    // Both sides are named: by the revision that recorded the one, and by the build that set the other.
    let revision = try #require(Git.lastRevision(of: corpus.folder["Snapshots"]))
    #expect(comparison.old.engine.hasSuffix(", revision \(revision)") && comparison.new.engine.contains(" ("))
    let restored = run(["restore", corpus.folder["run"], "--progress", "never"])
    #expect(restored.end == .exited(0), "\(restored.output)")
    #expect(
      RunFolder(corpus.folder["run"]).comparison()?.clusters.map(\.signature) == ["moved|dx=+3|paragraph|page|style"])
    // A baseline of another version.
    Files.remove(corpus.folder["Snapshots/pages"])
    let header = corpus.folder["Snapshots/baseline.json"]
    let text = try #require(Files.text(header))
    try Files.write(
      text.replacing("\"engine\" : \"\(EngineVersion.current)\"", with: "\"engine\" : \"0.0.7\""), to: header)
    let other = run(["restore", corpus.folder["run"]])
    #expect(other.end == .exited(66) && other.output.contains("0.0.7") && other.output.contains("--repository"))
    let untagged = run(["restore", corpus.folder["run"], "--repository", "/"])
    #expect(untagged.end == .exited(66), "\(untagged.output)")
  }

  /// Decisions that are kept elsewhere are known to whoever names the file, and to the run that did.
  @Test func `Decisions may lie elsewhere`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    func run(_ arguments: [String]) -> ChildProcess.End {
      ChildProcess([program, "snapshot"] + arguments, folder: corpus.folder["books"]).run().end
    }
    let books = corpus.folder["books/one.html"]
    let (store, out, other) = (corpus.folder["store"], corpus.folder["run"], corpus.folder["other.ndjson"])
    try Files.write("p { margin-left: 3px }", to: corpus.folder["user.css"])
    let verify = ["verify", books, "--profile", "ereader", "--against", store, "--out", out]
    let changed = verify + ["--user-css", corpus.folder["user.css"]]
    #expect(run(verify + ["--init"]) == .exited(0))
    #expect(run(changed + ["--decisions", other]) == .exited(1))
    #expect(run(["accept", out, "--all", "--as", "expected", "--reason", "wanted"]) == .exited(0))
    #expect(Files.exists(other) && !Files.exists(corpus.folder["books/decisions.ndjson"]))
    #expect(run(changed + ["--decisions", other]) == .exited(0))
    #expect(run(changed) == .exited(1))
  }

  /// Killed once, a book is set again at once.
  @Test func `A killed child is started again`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    // A child writes nowhere else.
    let mark = corpus.folder["run/blobs/killed"]
    let session = try corpus.session(
      "run", worker: corpus.worker("mkdir \(mark) && kill -9 $$; exec \(program) snapshot render-unit \"$1\""))
    try session.render()
    #expect(Files.exists(mark))
    #expect(session.units.allSatisfy { session.run.unitFile($0)?.result.outcome == .ok })
  }

  /// A run is known by the program that renders, whichever of the two is named.
  @Test func `A program that renders nothing is refused`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    func session(_ program: String) throws -> Session {
      try Session(
        corpus: Corpus.read([corpus.folder["books"]]), paths: [corpus.folder["books"]], selection: UnitSelection(),
        into: corpus.folder["run"], program: program)
    }
    #expect(try session(program).manifest == session(program + "-snapshot").manifest)
    #expect(try session(program).pool.worker == [program + "-snapshot", "snapshot", "render-unit"])
    let alone = corpus.folder["typeset"]
    try FileManager.default.copyItem(atPath: program, toPath: alone)
    let error = #expect(throws: HarnessError.self) { _ = try session(alone) }
    #expect(error?.code == 69 && error?.description.hasPrefix("\(alone): it renders no snapshots: ") == true)
    #expect(throws: HarnessError.missing("\(alone)-none: there is no such program")) {
      _ = try session(alone + "-none")
    }
  }

  @Test func `A killed child loses only its book`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    var session = try corpus.session(
      "run",
      worker: corpus.worker(
        "grep -q '\"book\":\"one\"' \"$1\" && kill -9 $$; exec \(program) snapshot render-unit \"$1\""))
    try session.render()
    let outcomes = session.units.map { session.run.unitFile($0)?.result.outcome }
    #expect(session.units.map(\.book) == ["one", "three", "two"])
    #expect(outcomes == [.crash, .ok, .ok])
    #expect(session.run.unitFile(session.units[0])?.result.failure?.signal == Int(SIGKILL))
    // It was killed, and killed again: the same command goes on with that book alone.
    session.pool.worker = try corpus.session("run").pool.worker
    #expect(try session.render() == [session.units[0]])
    #expect(session.run.unitFile(session.units[0])?.result.outcome == .ok)
  }
}

/// Draws one page as the engine hands it over.
final class PageDrawing: PageOutput, @unchecked Sendable {
  // Pages are appended by one worker at a time.
  private(set) var bitmap: PageBitmap?
  private let number: Int
  init(_ number: Int) { self.number = number }
  var needs: PageNeeds { .list }
  func prepare(_ page: BookPage, _ tools: Void) -> PageBitmap? {
    page.list.map { RasterRenderer(fonts: page.fonts, images: page.images).render($0, scale: 1) }
  }
  func append(_ page: PageBitmap?, number: Int) { if number == self.number { bitmap = page } }
}

@Suite struct ChildTests {
  private func run(_ script: String, seconds: Double = 20, memory: Int = 1 << 30) -> ChildProcess.Outcome {
    var limits = UnitLimits()
    limits.seconds = seconds
    limits.memory = memory
    var child = ChildProcess(["/bin/sh", "-c", script], folder: "/tmp", limits: limits)
    child.environment["PATH"] = "/usr/bin:/bin"
    return child.run()
  }

  @Test func `Ends are told apart`() {
    #expect(run("echo done; exit 0").end == .exited(0))
    #expect(run("echo done").output == "done\n")
    #expect(run("exit 65").end == .exited(65))
    #expect(run("kill -SEGV $$").end == .signal(Int(SIGSEGV)))
    #expect(run("kill -KILL $$").end == .signal(Int(SIGKILL)))
    // A crash that is being told of is no hang.
    #expect(
      run("echo '*** Signal 11: Backtracing from 0x1...'; sleep 1; kill -SEGV $$", seconds: 0.2).end == .signal(11))
    let start = Clock.wallTime
    #expect(run("sleep 30 & sleep 30", seconds: 0.3).end == .hang)
    #expect(Clock.wallTime - start < 10_000_000_000)
    #expect(ChildProcess(["/no/such/program"], folder: "/tmp").run().end == .notStarted(ENOENT))
  }

  @Test func `No socket to other machines is opened`() {
    var child = ChildProcess(["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9"], folder: "/tmp")
    #expect(child.run().output.contains("Permission denied"))
    child.refusesNetwork = false
    #expect(child.run().output.contains("Connection refused"))
  }

  @Test func `Writing is kept to what is given`() throws {
    let folder = TestFolder()
    for name in ["open", "closed"] { try Files.makeFolder(folder[name]) }
    try Files.write(Array("old".utf8), to: folder["closed/book"])
    var child = ChildProcess(
      [
        "/bin/sh", "-c",
        "cat ../closed/book; echo new > page; mkdir sub && mv page sub/page; rm -f ../closed/book; echo x > ../closed/book;"
          + " echo y > ../closed/new; mv sub/page ../closed/page; echo quiet > /dev/null && echo done",
      ], folder: folder["open"])
    child.environment["PATH"] = "/usr/bin:/bin"
    child.writable = [folder["open"]]
    let outcome = child.run()
    #expect(outcome.output.hasPrefix("old"))
    #expect(outcome.output.hasSuffix("done\n"))
    #expect(Files.text(folder["open/sub/page"]) == "new\n")
    guard ChildProcess.keepsWriting else { return }
    #expect(Files.text(folder["closed/book"]) == "old")
    #expect(Files.walk(folder["closed"]).count == 1)
  }

  @Test func `Memory is bounded`() {
    // The shell itself is made to hold it.
    let grow = "x=0123456789abcdef; while :; do x=$x$x; done"
    #expect(run(grow, memory: 64 << 20).end == .outOfMemory)
  }

  @Test func `Noise does not fill memory`() {
    let outcome = run("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done")
    #expect(outcome.end == .exited(0))
    #expect(outcome.output.utf8.count <= 1 << 15)
    #expect(outcome.output.hasSuffix("line 19999\n"))
  }
}

@Suite struct FailureTests {
  /// A run of one unit by a script.
  private func outcome(_ script: String, seconds: Double = 20, memory: Int = 1 << 30) throws -> UnitResult? {
    let corpus = try LittleCorpus()
    var session = try corpus.session("run", worker: corpus.worker(script))
    session.units = [session.units[0]]
    for index in session.manifest.books.indices {
      session.manifest.books[index].limits.seconds = seconds
      session.manifest.books[index].limits.memory = memory
    }
    try session.render()
    return session.run.unitFile(session.units[0])?.result
  }

  @Test func `Outcomes of children are told apart`() throws {
    #expect(try outcome("exit 0")?.outcome == .invalidOutput)
    #expect(try outcome("exit 12")?.failure?.exitCode == 12)
    #expect(try outcome("echo oh no >&2; kill -ABRT $$")?.failure?.message == "oh no")
    #expect(try outcome("sleep 60", seconds: 0.3)?.outcome == .hang)
    #expect(try outcome("x=0123456789abcdef; while :; do x=$x$x; done", memory: 64 << 20)?.outcome == .outOfMemory)
  }

  /// The report of Swift's runtime becomes the names of functions: no address, no path.
  @Test func `A crash tells its stack`() throws {
    let report = """
      Layout/Lines.swift:3: Fatal error: Index out of range

      *** Signal 4: Backtracing from 0x5568a92f6080... done ***

      *** Program crashed: Illegal instruction at 0x00005568a92f6080 ***

      Thread 0 "t" crashed:

        0 [inlined] [system] 0x00005568a92f6080 specialized Array.subscript.getter in t at //<compiler-generated>
        1                    0x00005568a92f6080 closure #1 in Layout.break_(at:) + 208 in t at /home/x/t.swift:1:75
        2 [ra]               0x00005568a92f6081 run(_:) in t at /home/x/t.swift:2:1
      ...
      """
    let failure = try outcome("cat >&2 <<'EOF'\n\(report)\nEOF\nkill -ILL $$")?.failure
    #expect(
      failure?.stack == ["specialized Array.subscript.getter", "closure #1 in Layout.break_(at:)", "run(_:)"])
    #expect(failure?.message == "Layout/Lines.swift:3: Fatal error: Index out of range")
    #expect(
      UnitDiff.name(failure)
        == "in specialized Array.subscript.getter < closure #1 in Layout.break_(at:) < run(_:)")
  }

  @Test func `A full disk ends the run`() throws {
    let corpus = try LittleCorpus()
    let session = try corpus.session("run", worker: corpus.worker("echo typeset: page: no space left >&2; exit 73"))
    let error = #expect(throws: HarnessError.self) { try session.render() }
    #expect(error?.code == 73)
    #expect(error?.description == "page: no space left")
  }

  @Test func `A store that cannot be written ends the run`() throws {
    let folder = TestFolder()
    try Files.write("a file", to: folder["store"])
    let error = #expect(throws: HarnessError.self) { try BlobStore(folder["store/blobs"]).store([1]) }
    #expect(error?.code == 73)
  }

  @Test func `Pages that were finished survive a crash`() throws {
    let folder = TestFolder()
    try Files.makeFolder(folder["out"])
    let recorder = try UnitRecorder(folder: folder["out"], blobs: BlobStore(folder["blobs"]))
    recorder.begin(.layout, chapter: "two.xhtml")
    var pages: [UnitRecorder.Encoded] = []
    for number in 1...3 {
      let bytes = Array("page \(number)".utf8)
      var hasher = StableHasher()
      hasher.combine(bytes)
      let sealed = withUnsafeBytes(of: hasher.value.littleEndian) { Array($0) } + Zstd.compress(bytes)
      pages.append(UnitRecorder.Encoded(display: sealed, record: sealed))
      recorder.append(pages[number - 1], number: number)
    }
    // No end: the index is missing, and the last frame is cut off.
    let displays = try #require(Files.read(folder["out/displays.zst"]))
    try Files.write(displays.dropLast(3), to: folder["out/displays.zst"])
    #expect(UnitRecorder.recover(folder["out"]).pages.count == 2)
    #expect(UnitRecorder.place(in: folder["out"]) == ("layout", "two.xhtml"))
    let pack = try #require(FramePack(path: folder["out/displays.zst"]))
    #expect(pack.places.count == 2)
  }
}
