import FoundationEssentials
import Testing
import Typesetting

@testable import SnapshotHarness

/// Faults that must not pass for a clean run: damaged files, books that are gone, decisions and runs of yesterday.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct GateTests {
  private let corpus: LittleCorpus
  private let store: SnapshotStore

  init() throws {
    corpus = try LittleCorpus()
    store = SnapshotStore(corpus.folder["store"])
  }

  /// Renders the corpus under a style sheet.
  private func run(_ name: String, css: String? = nil) throws -> Session {
    let session = try corpus.session(name, css: css)
    try session.render()
    return session
  }

  /// Runs a verb as a process.
  private func snapshot(_ arguments: [String]) throws -> (code: Int, output: String) {
    let program = try #require(LittleCorpus.program)
    let outcome = ChildProcess([program, "snapshot"] + arguments, folder: corpus.folder["books"]).run()
    guard case .exited(let code) = outcome.end else { return (-1, outcome.output) }
    return (code, outcome.output)
  }

  /// Compares a run with the store as `typeset snapshot compare` does.
  private func compare(_ session: Session) throws -> RunSummary {
    _ = try snapshot(["compare", store.path, session.run.path])
    return try #require(Files.read(json: session.run.summaryPath, as: RunSummary.self))
  }

  private func accept(_ session: Session, _ reason: String) throws -> (code: Int, output: String) {
    try snapshot(["accept", session.run.path, "--all", "--reason", reason, "--store", store.path])
  }

  private static let left = "p { margin-left: 3px }"

  /// Ways in which the bytes of a text come to harm.
  private static let harms: [@Sendable ([UInt8]) -> [UInt8]] = [
    { _ in [] },
    { Array($0.dropLast(34)) },
    { Array($0.dropLast(5)) },
    { bytes in
      var bytes = bytes
      bytes[bytes.count - 2] = bytes[bytes.count - 2] == 0x30 ? 0x31 : 0x30
      return bytes
    },
    { $0 + $0.suffix(34) },
  ]

  @Test func `A damaged baseline is refused by name`() throws {
    let session = try run("run")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    #expect(try store.check() == 0)
    let new = Reference.run(session.run, session.manifest)
    let path = Files.join(store.path, "units/ereader/three.txt")
    let whole = try #require(Files.read(path))
    let conflict: @Sendable ([UInt8]) -> [UInt8] = { bytes in
      Array("<<<<<<< ours\n".utf8) + bytes + Array("=======\n".utf8) + bytes + Array(">>>>>>> theirs\n".utf8)
    }
    for harm in Self.harms + [conflict] {
      try Files.write(harm(whole), to: path)
      let old = try Reference(store.path)
      let error = #expect(throws: HarnessError.self) { try Verification.compare(old, new) }
      #expect(error?.code == 65)
      #expect(error?.description.hasPrefix(path) == true)
      #expect(throws: HarnessError.self) { try old.check { _ in } }
      #expect(throws: HarnessError.self) { try store.collect() }
    }
    // Recording it anew is what mends it.
    try store.record(session.units, of: session.run, manifest: session.manifest)
    #expect(Files.read(path) == whole)
    // A unit of another name is not taken for this one.
    try Files.write(try #require(Files.read(Files.join(store.path, "units/ereader/two.txt"))), to: path)
    #expect(throws: HarnessError.self) { try store.check() }
  }

  @Test func `A baseline without digests is read`() throws {
    let session = try run("run")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    let texts = store.texts()
    for key in session.units {
      let path = Files.join(store.path, "units/ereader/\(key.book).txt")
      let lines = try #require(Files.text(path)).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines[0].hasPrefix("typeset-snapshot 6 ") && lines[1].hasPrefix("book ") && lines[2].hasPrefix("figures "))
      let pages = try #require(session.run.source(key)).result.pages
      let head = lines.dropFirst(3).prefix { $0 != "---" }.filter { !$0.hasPrefix("pixels ") }
      // Hashes of records were of all that is in them, which no page has now.
      let hashes = pages.map { "\(hexadecimal($0.display)) \(hexadecimal(~$0.record))" }
      let text = ["typeset-snapshot 1"] + head.map(String.init) + ["---"] + hashes + [""]
      try Files.write(text.joined(separator: "\n"), to: path)
    }
    #expect(try store.check() == 3)
    #expect(try compare(session).exitCode == 0)
    #expect(session.run.comparison()?.warnings?.contains { $0.contains("an older form") } == true)
    let path = Files.join(store.path, "units/ereader/three.txt")
    let whole = try #require(Files.read(path))
    try Files.write(whole.dropLast(5), to: path)
    #expect(try snapshot(["compare", store.path, session.run.path]).code == 65)
    try Files.write(whole, to: path)
    try store.record(session.units, of: session.run, manifest: session.manifest)
    #expect(store.texts() == texts)
  }

  @Test func `A changed rasteriser is named where display lists are equal`() throws {
    let session = try run("run")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    #expect(try compare(session).exitCode == 0)
    let key = session.units[1]
    let path = Files.join(session.run.unitPath(key), UnitFile.resultName)
    var file = try #require(Files.read(json: path, as: UnitFile.self))
    #expect(file.pixels?.isEmpty == false)
    file.pixels?[0].pixels = "0123456789abcdef"
    try Files.write(json: file, to: path)
    #expect(try compare(session).exitCode == 1)
    let comparison = try #require(session.run.comparison())
    #expect(comparison.clusters.map(\.kind) == [.drawingChanged])
    #expect(comparison.clusters[0].summary == "drawing of glyphs changed, display list equal")
    // Accepted, it is the baseline.
    #expect(try accept(session, "the rasteriser is better").code == 0)
    #expect(try compare(session).exitCode == 0)
  }

  @Test func `What pages are in a PDF is compared`() throws {
    let session = try run("pdf")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    #expect(try compare(session).exitCode == 0)
    var pages = try #require(session.run.source(session.units[1])).result.pages
    #expect(!pages.isEmpty && pages.allSatisfy { $0.pdf != 0 })
    pages[0].pdf ^= 1
    let folder = session.run.unitPath(session.units[1])
    let hashes = PageHashFile.text(pages)
    try Files.write(hashes, to: Files.join(folder, UnitFile.pagesName))
    let path = Files.join(folder, UnitFile.resultName)
    var file = try #require(Files.read(json: path, as: UnitFile.self))
    file.contents?[UnitFile.pagesName] = FileSeal(hashes)
    try Files.write(json: file, to: path)
    #expect(try compare(session).exitCode == 1)
    let comparison = try #require(session.run.comparison())
    #expect(comparison.clusters.map(\.kind) == [.taggingChanged])
    #expect(try accept(session, "the tags are better").code == 0)
    #expect(try compare(session).exitCode == 0)
  }

  @Test func `All pages are drawn on request`() throws {
    var session = try corpus.session("all")
    session.manifest.drawsAllPages = true
    try session.render()
    let key = try #require(session.units.first { $0.book == "three" })
    let unit = try #require(session.run.source(key))
    #expect(unit.result.pages.count > 1)
    #expect(session.run.unitFile(key)?.pixels?.count == Set(unit.result.pages.map(\.display)).count)
    // A sample is another unit of the cache.
    session.manifest.drawsAllPages = nil
    #expect(try session.render().contains(key))
  }

  @Test func `Memory is judged in every run`() throws {
    let session = try run("run")
    let other = try run("other")
    #expect(try snapshot(["compare", session.run.path, other.run.path]).code == 0)
    for key in session.units {
      let path = Files.join(other.run.unitPath(key), UnitFile.resultName)
      var file = try #require(Files.read(json: path, as: UnitFile.self))
      file.result.statistics["memory.peakBytes"] = (file.result.statistics["memory.peakBytes"] ?? 0) + 64 * 1_048_576
      file.result.statistics[Figures.workers] = session.run.unitFile(key)?.result.statistics[Figures.workers]
      try Files.write(json: file, to: path)
    }
    let worse = try snapshot(["compare", session.run.path, other.run.path])
    #expect(worse.code == 4)
    #expect(worse.output.contains("worse: one (ereader): peak of memory "))
  }

  /// A clone: the texts of the baseline, and no history.
  @Test func `Memory and counters are in the baseline`() throws {
    let session = try run("run")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    Files.remove(Files.join(store.path, "pages"))
    #expect(!Files.exists(store.historyPath))
    let texts = store.texts()
    let other = try run("other")
    func change(_ name: String, by amount: Double) throws {
      for key in other.units {
        let path = Files.join(other.run.unitPath(key), UnitFile.resultName)
        var file = try #require(Files.read(json: path, as: UnitFile.self))
        file.result.statistics[name, default: 0] += amount
        try Files.write(json: file, to: path)
      }
    }
    #expect(try compare(other).exitCode == 0)
    // A little more is no finding, and no line of Git.
    try change("memory.peakBytes", by: 3 * 1_048_576)
    #expect(try compare(other).exitCode == 0)
    #expect(try store.record(other.units, of: other.run, manifest: other.manifest) == [])
    #expect(store.texts() == texts)
    try change("memory.peakBytes", by: 61 * 1_048_576)
    try change("attributes.unique", by: 100)
    let worse = try snapshot(["compare", store.path, other.run.path])
    #expect(worse.code == 4)
    #expect(worse.output.contains("worse: one (ereader): peak of memory "))
    #expect(worse.output.contains(" MiB, was "))
    #expect(worse.output.contains("worse: one (ereader): attributes.unique "))
    #expect(try accept(other, "the cache is worth it").code == 0)
    #expect(try compare(other).exitCode == 0)
    #expect(store.texts() != texts)
    // Accepted pages are those that the next run is judged by.
    try change("memory.peakBytes", by: 64 * 1_048_576)
    #expect(try compare(other).exitCode == 4)
  }

  @Test func `A unit is set again with another library`() throws {
    let session = try run("run")
    #expect(try session.render() == [])
    let key = session.units[1]
    let path = Files.join(session.run.unitPath(key), UnitFile.resultName)
    var file = try #require(Files.read(json: path, as: UnitFile.self))
    let library = try #require(file.libraries?.keys.first { $0.contains("freetype") })
    #expect(file.libraries?[library]?.count == 16)
    file.libraries?[library] = "another"
    try Files.write(json: file, to: path)
    #expect(try session.render() == [key])
  }

  /// A font that was saved anew, with the same glyphs, changes no page.
  @Test func `A font that was saved anew is one line`() throws {
    let font = corpus.folder["face.ttf"]
    var bytes = try #require(Files.read("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"))
    func session(_ name: String) throws -> Session {
      try Files.write(bytes, to: font)
      try Files.write("fonts:\n  - file: \(font)\n", to: corpus.folder["fonts.yaml"])
      var session = try corpus.session(name)
      session.manifest.fonts = try #require(
        try FontSet.read(corpus.folder["fonts.yaml"], cache: corpus.folder["cache"]))
      session.manifest.versions.fonts = session.manifest.fonts.versions
      try session.render()
      return session
    }
    /// The place of a table.
    func table(_ tag: String) throws -> Int {
      let count = Int(bytes[4]) << 8 | Int(bytes[5])
      let entries = (0..<count).map { 12 + $0 * 16 }
      let entry = try #require(entries.first { bytes[$0..<$0 + 4].elementsEqual(tag.utf8) })
      return bytes[entry + 8..<entry + 12].reduce(0) { $0 << 8 | Int($1) }
    }
    let old = try session("old")
    try store.record(old.units, of: old.run, manifest: old.manifest)
    // The time of its last change.
    let head = try table("head")
    bytes[head + 35] ^= 0xFF
    bytes += [0, 0, 0, 0]
    let saved = try session("saved")
    let equal = try snapshot(["compare", store.path, saved.run.path])
    #expect(equal.code == 0)
    #expect(equal.output.contains("other versions: font face.ttf is another version"))
    #expect(equal.output.contains("no difference"))
    // The outlines of its letters are others.
    let glyphs = try table("glyf")
    for place in stride(from: glyphs + 2000, to: glyphs + 60_000, by: 7) { bytes[place] ^= 1 }
    let changed = try session("changed")
    #expect(try compare(changed).exitCode == 1)
  }

  /// A book that its author has changed is not a change of the engine.
  @Test func `A changed book is told from a changed engine`() throws {
    let first = try run("first")
    try store.record(first.units, of: first.run, manifest: first.manifest)
    let path = corpus.folder["books/two.html"]
    try Files.write(try #require(Files.text(path)).replacing("few", with: "new"), to: path)
    let second = try run("second", css: Self.left)
    let found = try snapshot(["compare", store.path, second.run.path])
    #expect(found.code == 1)
    #expect(found.output.contains("changed books: two"))
    let comparison = try #require(second.run.comparison())
    let ofBook = comparison.clusters.filter { $0.origin == .book }
    #expect(!ofBook.isEmpty && ofBook.allSatisfy { $0.members.allSatisfy { $0.key.book == "two" } })
    #expect(comparison.clusters.contains { $0.origin != .book && !$0.members.contains { $0.key.book == "two" } })
    // Where no page shows it, it is told and is no difference.
    let text = try #require(Files.text(path))
    _ = try store.recordAnew(second.units, forgetting: [], of: second.run, manifest: second.manifest)
    try Files.write(text + "<!-- nothing -->", to: path)
    let third = try run("third", css: Self.left)
    let equal = try snapshot(["compare", store.path, third.run.path])
    #expect(equal.code == 0)
    #expect(equal.output.contains("changed books: two"))
  }

  /// The packs of the book of several pages in a run that are not the baseline's.
  private func ownPacks(_ session: Session) -> [String] {
    let folder = session.run.unitPath(UnitKey(book: "three", profile: "ereader"))
    let kept = Files.join(store.path, "pages/ereader/three")
    return Files.walk(folder).filter { name in
      name.hasSuffix(".zst")
        && !Files.walk(kept).contains { Files.isShared(Files.join(kept, $0), with: Files.join(folder, name)) }
    }
  }

  private func frames(_ session: Session, _ names: [String]) -> Int {
    let folder = session.run.unitPath(UnitKey(book: "three", profile: "ereader"))
    return names.reduce(0) { $0 + (FramePack(path: Files.join(folder, $1))?.places.count ?? 0) }
  }

  @Test func `Page data of equal pages is kept once`() throws {
    let first = try run("first")
    try store.record(first.units, of: first.run, manifest: first.manifest)
    let second = try run("second")
    let content = LittleCorpus.content(second.run).count
    #expect(try compare(second).exitCode == 0)
    #expect(LittleCorpus.content(second.run).count == content)
    let key = try #require(first.units.first { $0.book == "three" })
    for session in [first, second] {
      #expect(ownPacks(session) == [])
      #expect(session.run.source(key)?.displayList(of: 1) != nil)
      #expect(session.run.source(key)?.record(of: 1) != nil)
    }
    #expect(try second.render() == [])
  }

  /// Of a book that differs a run keeps the pages that do.
  @Test func `Pages that differ are kept beside those of the baseline`() throws {
    let first = try run("first")
    try store.record(first.units, of: first.run, manifest: first.manifest)
    let path = corpus.folder["books/three.html"]
    let text = try #require(Files.text(path))
    // On a page of its own: the one before need not end earlier for it.
    try Files.write(text + "<p style='break-before: page'>The end.</p>", to: path)
    let second = try run("second")
    let key = try #require(first.units.first { $0.book == "three" })
    let pages = try #require(second.run.source(key)).result.pages
    #expect(pages.count > 2)
    #expect(try compare(second).exitCode == 1)
    // The last page: its display list, its record, what is read of it in a PDF; and what is read of the whole book.
    #expect(frames(second, ownPacks(second)) == 4)
    let unit = try #require(second.run.source(key))
    #expect(pages.indices.allSatisfy { unit.displayList(of: $0 + 1) != nil && unit.record(of: $0 + 1) != nil })
    // It is compared again, goes on, and becomes the baseline as it was.
    #expect(try compare(second).exitCode == 1)
    #expect(frames(second, ownPacks(second)) == 4)
    #expect(try second.render() == [])
    // A run that begins anew has nothing to accept until it is compared.
    #expect(try accept(second, "an end").code == 66)
    #expect(try compare(second).exitCode == 1)
    #expect(try accept(second, "an end").code == 0)
    #expect(ownPacks(second) == [])
    #expect(store.hasPages(key))
    #expect(try compare(second).exitCode == 0)
    // The pages of two runs, of which the older one goes.
    let third = try run("third")
    #expect(try snapshot(["compare", first.run.path, third.run.path]).code == 1)
    Files.remove(first.run.path)
    let other = try #require(third.run.source(key))
    #expect(pages.indices.allSatisfy { other.displayList(of: $0 + 1) != nil })
  }

  @Test func `The first line that differs in a PDF is named`() throws {
    func changes(_ old: String, _ new: String) -> String? { TagChanges.firstDifference(old, new) }
    let lines = "Document/H1: Title\nDocument/P: One of two.\nDocument/P: Two."
    #expect(changes(lines, lines) == nil)
    #expect(
      changes(lines, "Document/P: Title\nDocument/P: One of two.\nDocument/P: Two.")
        == "line 1 of the page in a PDF: Document/H1 “Title” became Document/P")
    #expect(
      changes(lines, "Document/H1: Title\nDocument/P: One of ten.\nDocument/P: Two.")
        == "line 2 of the page in a PDF, Document/P: “wo” became “en”")
    #expect(
      changes(lines, "Document/H1: Title\nDocument/P: Two.")
        == "line 2 of the page in a PDF is lost: Document/P “One of two.”")
    #expect(
      changes(lines, lines + "\nDocument/P/Link to a: there")
        == "line 4 of the page in a PDF is new: Document/P/Link to a “there”")
    // A heading that is a paragraph of the same looks.
    let path = corpus.folder["books/one.html"]
    func render(_ name: String, _ element: String) throws -> Session {
      let style = "<style>h2, p { font: 16px serif; margin: 16px 0 }</style>"
      try Files.write(
        "<!DOCTYPE html><title>one</title>\(style)<body><p>Text</p><\(element)>Head</\(element)>", to: path)
      var session = try corpus.session(name)
      for index in session.manifest.profiles.indices { session.manifest.profiles[index].writings = .pdf }
      try session.render()
      return session
    }
    let first = try render("first", "h2")
    try store.record(first.units, of: first.run, manifest: first.manifest)
    #expect(try store.collect() == SnapshotStore.Collected())
    let second = try render("second", "p")
    #expect(try compare(second).exitCode == 1)
    let found = try #require(second.run.comparison()).units.flatMap(\.pages).flatMap(\.changes)
    let change = try #require(found.first { $0.kind == .taggingChanged })
    #expect(change.summary.hasPrefix("changed book: line 2 of the page in a PDF: "), "\(change.summary)")
    #expect(change.summary.contains("“Head” became "), "\(change.summary)")
    #expect(change.general == "changed book: structure in PDFs changed, display list equal")
  }

  @Test func `What a dead pool left is cleared`() throws {
    let session = try corpus.session("run")
    let left = Files.join(session.run.path, ".work-4194400/0/output")
    try Files.makeFolder(left)
    try session.render()
    #expect(!Files.exists(Files.join(session.run.path, ".work-4194400")))
  }

  @Test func `A profile may take the house style`() throws {
    let path = corpus.folder["profiles.yaml"]
    try Files.write("profiles:\n  - name: plain\n  - name: ours\n    style: house\n", to: path)
    let profiles = try #require(try Profile.read(path))
    #expect(profiles.map(\.settings.style) == [.book, .house])
    try Files.write("profiles:\n  - name: ours\n    style: home\n", to: path)
    #expect(throws: HarnessError.self) { try Profile.read(path) }
  }

  @Test func `A font that changed on disk is set again`() throws {
    let font = corpus.folder["face.ttf"]
    let list = corpus.folder["fonts.yaml"]
    try Files.write("fonts:\n  - file: \(font)\n    sha256: 00\n", to: list)
    func keys(_ content: String) throws -> String {
      try Files.write(content, to: font)
      let fonts = try #require(try FontSet.read(list, cache: corpus.folder["cache"]))
      #expect(fonts.problems.count == 1)
      let books = try Corpus.read([corpus.folder["books"]])
      return UnitSpec.cacheKey(
        book: books.books[0], profile: books.profiles[0], fonts: fonts, binary: "", libraries: [:])
    }
    let first = try keys("one")
    #expect(try keys("two") != first)
    #expect(try keys("one") == first)
  }

  @Test func `A damaged run is refused and its books are set again`() throws {
    let session = try run("run")
    try store.record(session.units, of: session.run, manifest: session.manifest)
    let content = LittleCorpus.content(session.run)
    let key = session.units[1]
    for (name, harms) in [
      (UnitFile.pagesName, Self.harms), (UnitFile.resultName, Array(Self.harms.prefix(3))),
      (FrameKind.display.name, Array(Self.harms.prefix(3))),
    ] {
      for harm in harms {
        let path = Files.join(session.run.unitPath(key), name)
        try Files.write(harm(try #require(Files.read(path))), to: path)
        let old = try Reference(store.path)
        let error = #expect(throws: HarnessError.self) {
          try Verification.compare(old, .run(session.run, session.manifest))
        }
        #expect(error?.code == 65)
        #expect(error?.description.hasPrefix(path) == true)
        #expect(throws: HarnessError.self) {
          try store.record([key], of: session.run, manifest: session.manifest)
        }
        #expect(try session.render() == [key])
        #expect(LittleCorpus.content(session.run) == content)
      }
    }
    // A unit that the run was to have and does not hold.
    Files.remove(session.run.unitPath(key))
    let summary = try compare(session)
    #expect(summary.exitCode == 69)
    #expect(summary.missingUnits == [key.description])
  }

  @Test func `The corpus shrinks by a decision alone`() throws {
    let first = try run("first")
    try store.record(first.units, of: first.run, manifest: first.manifest)
    Files.remove(corpus.folder["books/two.html"])
    try Files.rename(corpus.folder["books/three.html"], to: corpus.folder["books/third.html"])
    let second = try run("second")
    let summary = try compare(second)
    #expect(summary.exitCode == 1)
    #expect(summary.goneBooks == ["two (ereader)"])
    #expect(summary.renamedBooks == ["three (ereader) is now third (ereader)"])
    #expect(summary.missingBaselines == [])
    let comparison = try #require(second.run.comparison())
    // A text without a title is called by its file, which its metadata tell.
    #expect(comparison.clusters.map(\.kind) == [.bookGone, .beyondPages, .bookRenamed])
    // Books that are not chosen are not gone.
    var part = try run("part")
    part.manifest.others = part.manifest.units.filter { $0.book != "one" } + [UnitKey(book: "two", profile: "ereader")]
    part.manifest.units = part.manifest.units.filter { $0.book == "one" }
    try part.prepare()
    #expect(try compare(part).goneBooks == nil)
    // Another engine or another sheet: a renamed book is known by its bytes.
    let third = try run("third", css: Self.left)
    #expect(try compare(third).renamedBooks == ["three (ereader) is now third (ereader)"])
    #expect(try accept(second, "two was a copy").code == 0)
    #expect(store.units().map(\.book) == ["one", "third"])
    #expect(try compare(second).exitCode == 0)
  }

  @Test func `A decision that moved the baseline has done its work`() throws {
    let plain = try run("plain")
    try store.record(plain.units, of: plain.run, manifest: plain.manifest)
    let left = try run("left", css: Self.left)
    for session in [left, plain, left, plain] {
      #expect(try compare(session).exitCode == 1)
      #expect(try accept(session, "wanted").code == 0)
      // The run it was decided on is settled.
      #expect(try snapshot(["status", session.run.path, "--gate"]).code == 0)
      #expect(try compare(session).exitCode == 0)
    }
    // One that has not moved it yet holds until it does, also where it was recorded.
    #expect(try compare(left).exitCode == 1)
    #expect(try snapshot(["accept", left.run.path, "--all", "--reason", "later"]).code == 0)
    #expect(try compare(left).exitCode == 0)
    for session in [left, plain] {
      _ = try store.recordAnew(session.units, forgetting: [], of: session.run, manifest: session.manifest)
    }
    #expect(try compare(left).exitCode == 1)
  }

  @Test func `An old run does not put the old state back`() throws {
    let plain = try run("plain")
    try store.record(plain.units, of: plain.run, manifest: plain.manifest)
    let left = try run("left", css: Self.left)
    let right = try run("right", css: "p { margin-left: 9px }")
    for session in [left, right] { #expect(try compare(session).exitCode == 1) }
    #expect(try accept(right, "nine are better").code == 0)
    let texts = store.texts()
    let decisions = Files.text(right.manifest.decisionsPath)
    let refused = try accept(left, "three are enough")
    #expect(refused.code == 5)
    #expect(refused.output.contains("nine are better"))
    #expect(refused.output.contains(Decisions.today()))
    #expect(store.texts() == texts)
    #expect(Files.text(right.manifest.decisionsPath) == decisions)
    // The same run once more is no other run.
    #expect(try accept(right, "nine are better").code == 0)
    #expect(store.texts() == texts)
    // Compared with what is there now, it may.
    #expect(try compare(left).exitCode == 1)
    #expect(try accept(left, "three are enough").code == 0)
    #expect(store.texts() != texts)
    // Moved by nobody who left a decision.
    #expect(try compare(plain).exitCode == 1)
    try store.record(right.units, of: right.run, manifest: right.manifest)
    #expect(try accept(plain, "none").code == 5)
  }
}
