import FoundationEssentials
import Platform
import Testing
import Typesetting

@testable import SnapshotHarness

/// Baselines and decisions of two branches, merged by Git.
@Suite(.enabled(if: LittleCorpus.canRun && Files.exists("/usr/bin/git"), "\(LittleCorpus.needs), and git"))
struct GitMergeTests {
  private let corpus: LittleCorpus
  private let store: SnapshotStore

  private static let heading = "h2 { position: relative; left: 3px }"
  private static let quotation = "blockquote { color: red }"
  private static let emphasis = "i { color: blue }"

  init() throws {
    corpus = try LittleCorpus()
    store = SnapshotStore(corpus.folder["store"])
    let filler = String(repeating: "<p>Nothing happens in this paragraph of the book, nor in the next.</p>", count: 30)
    for (name, parts) in [
      ("one", ["<h2>Heading</h2>"]), ("two", ["<blockquote>Quotation</blockquote>"]),
      ("three", ["<h2>Heading</h2>", "<blockquote>Quotation</blockquote>", "<p><i>Emphasis</i></p>"]),
    ] {
      let body = parts.joined(separator: filler) + filler
      try Files.write("<!DOCTYPE html><title>\(name)</title><body>\(body)", to: corpus.folder["books/\(name).html"])
    }
    try git("init", "--quiet", "--initial-branch=main")
    for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.org"), ("commit.gpgsign", "false")] {
      try git("config", name, value)
    }
    let base = try run("base", css: nil)
    try store.record(base.units, of: base.run, manifest: base.manifest)
    try commit("base")
  }

  @discardableResult
  private func git(_ arguments: String..., mayFail: Bool = false) throws -> String {
    var git = ChildProcess(["/usr/bin/git"] + arguments, folder: corpus.folder.path)
    git.environment["PATH"] = "/usr/bin:/bin"
    git.environment["HOME"] = corpus.folder.path
    let outcome = git.run()
    if !mayFail { #expect(outcome.end == .exited(0), "\(arguments): \(outcome.output)") }
    return outcome.output
  }

  private func commit(_ message: String) throws {
    try git("add", "books", "store")
    try git("commit", "--quiet", "-m", message)
  }

  private func run(_ name: String, css: String?) throws -> Session {
    let session = try corpus.session("runs/" + name, css: css)
    try session.render()
    return session
  }

  private func snapshot(_ arguments: [String]) throws -> (code: Int, output: String) {
    let program = try #require(LittleCorpus.program)
    var child = ChildProcess([program, "snapshot"] + arguments, folder: corpus.folder.path)
    child.environment["PATH"] = "/usr/bin:/bin"
    let outcome = child.run()
    guard case .exited(let code) = outcome.end else { return (-1, outcome.output) }
    return (code, outcome.output)
  }

  /// Compares a run with the baseline as it is now, and gives the kinds of change that are open.
  private func open(_ session: Session) throws -> [String] {
    _ = try snapshot(["compare", store.path, session.run.path])
    return try #require(session.run.comparison()).clusters.filter { $0.isOpen }.map(\.signature)
  }

  private func accept(_ session: Session, _ signatures: [String]) throws {
    let ids = signatures.flatMap { ["--cluster", Clustering.id(of: $0)] }
    let outcome = try snapshot(["accept", session.run.path, "--reason", "right", "--store", store.path] + ids)
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  @Test func `What is open after a merge is what neither branch accepted`() throws {
    let all = try run("all", css: Self.heading + Self.quotation + Self.emphasis)
    let heading = try open(try run("heading", css: Self.heading))
    let quotation = try open(try run("quotation", css: Self.quotation))
    let emphasis = try open(try run("emphasis", css: Self.emphasis))
    #expect(Set(try open(all)) == Set(heading + quotation + emphasis))
    #expect(!heading.isEmpty && !quotation.isEmpty && !emphasis.isEmpty)

    try git("checkout", "--quiet", "-b", "left")
    try accept(all, heading)
    try commit("left")
    try git("checkout", "--quiet", "main")
    try git("checkout", "--quiet", "-b", "right")
    _ = try open(all)
    try accept(all, quotation)
    try commit("right")
    try git("merge", "--quiet", "--no-edit", "left")

    #expect(Set(try open(all)) == Set(emphasis))
    try accept(all, emphasis)
    #expect(try open(all) == [])
    // All of it is the baseline now, and what comes again is open again.
    #expect(try #require(all.run.comparison()).units.isEmpty)
    let base = try run("base", css: nil)
    #expect(try !open(base).isEmpty)
  }

  @Test func `Changes of one page that two branches accepted are both accepted after the merge`() throws {
    #expect(try snapshot(["merge-driver", "--install"]).code == 0)
    try Files.write(
      "<!DOCTYPE html><title>same</title><body><h2>Heading</h2><blockquote>Quotation</blockquote><p><i>Emphasis</i></p>",
      to: corpus.folder["books/same.html"])
    let base = try run("base", css: nil)
    try store.record(base.units, of: base.run, manifest: base.manifest)
    try commit("same")
    let both = try run("both", css: Self.heading + Self.quotation)
    let all = try run("all", css: Self.heading + Self.quotation + Self.emphasis)
    let emphasis = try open(try run("emphasis", css: Self.emphasis))
    for (branch, css) in [("left", Self.heading), ("right", Self.quotation)] {
      try git("checkout", "--quiet", "main")
      try git("checkout", "--quiet", "-b", branch)
      let run = try run(branch, css: css)
      try accept(run, try open(run))
      try commit(branch)
    }
    try git("merge", "--quiet", "--no-edit", "left")
    // The page is as one branch left it; what the other accepted shows, and is accepted.
    #expect(try open(both) == [])
    #expect(try #require(both.run.comparison()).units.map(\.key.book) == ["same"])
    #expect(Set(try open(all)) == Set(emphasis))
    // It is the baseline as soon as somebody accepts it, and is open where it comes back after that.
    _ = try open(all)
    try accept(all, emphasis)
    #expect(try open(all) == [])
    #expect(try #require(all.run.comparison()).units.isEmpty)
    #expect(try !open(try run("left", css: Self.heading)).isEmpty)
  }

  @Test func `A unit that both branches moved is joined by pages`() throws {
    #expect(try snapshot(["merge-driver", "--install"]).code == 0)
    let left = try run("left", css: Self.heading)
    let right = try run("right", css: Self.quotation)
    let both = try run("both", css: Self.heading + Self.quotation)
    let emphasis = try open(try run("emphasis", css: Self.emphasis))
    try git("checkout", "--quiet", "-b", "left")
    try accept(left, try open(left))
    try commit("left")
    try git("checkout", "--quiet", "main")
    try git("checkout", "--quiet", "-b", "right")
    try accept(right, try open(right))
    try commit("right")
    try git("merge", "--quiet", "--no-edit", "left")
    #expect(try store.check() == 0)
    #expect(try open(both) == [])
    #expect(try #require(both.run.comparison()).units.isEmpty)
    #expect(Set(try open(try run("all", css: Self.heading + Self.quotation + Self.emphasis))) == Set(emphasis))
    // People read titles and pages, not seals.
    try Files.write(
      try #require(Files.read(Files.join(store.path, "units/ereader/one.txt"))), to: corpus.folder["unit.txt"])
    let shown = try snapshot(["merge-driver", "--show", "unit.txt"]).output
    #expect(shown.hasPrefix("one (ereader)\n") && shown.contains("\npage 1  "))
  }

  // MARK: Lines of decisions

  private static let unit = UnitKey(book: "b", profile: "p")

  private static func decision(_ signature: String, moved: String? = nil) -> Decision {
    Decision(
      signature: signature, summary: "", verdict: .accepted, reason: "r", date: "2026-06-01",
      scope: [unit.description: "1 pages 0"], moved: moved.map { [unit.description: $0] })
  }

  @Test(arguments: [false, true])
  func `A move spends what was decided before it, not what another branch decided`(_ isLeftFirst: Bool) throws {
    let folder = TestFolder()
    try Decisions.append([Self.decision("before")], to: folder["base"])
    let base = try #require(Files.read(folder["base"]))
    try Files.write(base, to: folder["left"])
    try Files.write(base, to: folder["right"])
    try Decisions.append([Self.decision("mover", moved: "1 > 2")], to: folder["left"])
    try Decisions.append([Self.decision("other")], to: folder["right"])
    let (left, right) = (try #require(Files.read(folder["left"])), try #require(Files.read(folder["right"])))
    let joined = isLeftFirst ? left + right.dropFirst(base.count) : right + left.dropFirst(base.count)
    try Files.write(joined, to: folder["joined"])
    #expect(try Decisions(contentsOf: folder["left"]).unspent([Self.unit]) == [])
    #expect(try Decisions(contentsOf: folder["joined"]).unspent([Self.unit]) == [Self.unit])
    // A reviewer who moves the baseline after the merge has seen both.
    try Decisions.append([Self.decision("last", moved: "2 > 3")], to: folder["joined"])
    #expect(try Decisions(contentsOf: folder["joined"]).unspent([Self.unit]) == [])
  }

  @Test func `Pages of three sides are joined`() {
    func pages(_ text: String) -> [PageHashes] { text.utf8.map { PageHashes(display: UInt64($0), record: 0) } }
    func join(_ base: String, _ ours: String, _ theirs: String) -> String {
      String(
        decoding: UnitMerge.join(pages(base), pages(ours), pages(theirs)).map { UInt8($0.display) }, as: UTF8.self)
    }
    #expect(join("abc", "abc", "abc") == "abc")
    #expect(join("abc", "xbc", "aby") == "xby")
    #expect(join("abc", "xyc", "axc") == "xyc")
    #expect(join("abcdef", "abXcdef", "abcdeY") == "abXcdeY")
    #expect(join("abcdef", "bcdef", "abcdefZ") == "bcdefZ")
    #expect(join("abcdef", "aXYdef", "abcdef") == "aXYdef")
    #expect(join("abcdef", "abcdef", "adef") == "adef")
    #expect(join("abcdef", "aXXXdef", "abYdef") == "aXXXdef")
    #expect(join("", "ab", "") == "ab")
    #expect(join("abc", "", "abc") == "")
  }

  /// Pixels and hashes of PDFs go with their pages, also of pages that look alike.
  @Test func `Pixels of a page and what it is in a PDF are those of the side that it comes from`() throws {
    func text(_ displays: [UInt64], pdf: [UInt64], drawn: Int) -> [UInt8] {
      var file = UnitFile(cacheKey: "", result: UnitResult(key: UnitKey(book: "b", profile: "p")))
      file.pixels = [DrawnPage(page: drawn, pixels: "pixels-of-\(displays[drawn - 1])")]
      return UnitText.text(file, zip(displays, pdf).map { PageHashes(display: $0, record: 0, pdf: $1) })
    }
    let base = text([1, 1, 2], pdf: [11, 12, 13], drawn: 1)
    let ours = text([1, 1, 3], pdf: [11, 12, 14], drawn: 3)
    let theirs = text([1, 1, 2, 4], pdf: [11, 12, 13, 15], drawn: 4)
    let merged = try #require(UnitMerge.merge(base: base, ours: ours, theirs: theirs))
    let unit = try UnitText.parse(merged).get()
    #expect(PageHashFile.pages(unit.hashes)?.map(\.display) == [1, 1, 3, 4])
    #expect(PageHashFile.pages(unit.hashes)?.map(\.pdf) == [11, 12, 14, 15])
    #expect(unit.file.pixels?.map(\.page) == [3, 4])
  }
}

@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct FolderLockTests {
  @Test func `A folder has one process at work in it, and the next one is told which`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    let run = corpus.folder["run"]
    let arguments = [program, "snapshot", "render", corpus.folder["books"], "--out", run, "--profile", "ereader"]
    var lock: FolderLock? = try FolderLock(run, isStore: false)
    let refused = ChildProcess(arguments, folder: corpus.folder.path).run()
    #expect(refused.end == .exited(73))
    #expect(refused.output.contains("\(run): typeset ") && refused.output.contains("process \(getpid()), since 20"))
    withExtendedLifetime(lock) {}
    // Locks of a process that is gone hold nobody up.
    lock = nil
    #expect(Files.exists(run + "/.lock"))
    #expect(ChildProcess(arguments, folder: corpus.folder.path).run().end == .exited(0))
  }
}
