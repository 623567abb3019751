import FoundationEssentials
import Testing

@testable import SnapshotHarness

/// Baselines of several systems. A style sheet plays the part of a system that sets some books otherwise.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct StoreVariantTests {
  private let corpus: LittleCorpus
  private let base: SnapshotStore

  /// A corpus with a baseline.
  init() throws {
    corpus = try LittleCorpus()
    base = SnapshotStore(corpus.folder["store"])
    // Book three alone has so many paragraphs.
    try Files.write("p:nth-child(30) { margin-left: 3px }", to: corpus.folder["other.css"])
    try Files.write("p { margin-left: 3px }", to: corpus.folder["all.css"])
    try expect(0, "record books --profile ereader --into store")
  }

  @discardableResult
  private func expect(_ code: Int, _ command: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
    let run = try corpus.snapshot(command)
    #expect(run.code == .exited(code), "\(command): \(run.output)", sourceLocation: location)
    return run.output
  }

  private func verify(_ code: Int, _ options: String = "", _ location: SourceLocation = #_sourceLocation) throws
    -> String
  {
    try expect(code, "verify books --profile ereader --against store --out run \(options)", location)
  }

  private func accept() throws -> String { try expect(0, "accept run --all --reason wanted --store store") }

  private static let debian = "--user-css other.css --variant debian13"
  private func recordDebian() throws {
    try expect(0, "record books --profile ereader --into store --out other \(Self.debian)")
  }

  private func books(_ variant: String = "debian13") throws -> [String] {
    try base.variant(named: variant).ownUnits().map(\.book)
  }

  /// The texts of the baseline without those of variants.
  private var baseTexts: [[UInt8]?] {
    base.units().map { Files.read(corpus.folder["store/units/ereader/\($0.book).txt"]) }
  }

  @Test func `A variant has what is otherwise on its system`() throws {
    let texts = baseTexts
    try recordDebian()
    #expect(baseTexts == texts)
    #expect(try books() == ["three"])
    #expect(try base.variant(named: "debian13").units().map(\.book) == ["one", "three", "two"])
    #expect(Files.text(corpus.folder["store/variants/debian13/units.txt"]) == "ereader/three\n")
    #expect(!Files.exists(corpus.folder["store/variants/debian13/pages"]))
    let said = try verify(0, Self.debian)
    #expect(said.contains("variant debian13 judges 1 unit (three (ereader)), the baseline all others"))
    #expect(try expect(0, "status run").contains("variant debian13 judges 1 unit"))
    #expect(try expect(0, "report run --json -").contains("variant debian13 judges 1 unit"))
    // Each is judged by its own.
    #expect(try !verify(0).contains("variant"))
    #expect(try verify(1, "--user-css other.css").contains("1 unit and"))
    #expect(try verify(1, "--variant debian13").contains("1 unit and"))
    // Its old pages can be shown.
    #expect(try base.variant(named: "debian13").hasPages(UnitKey(book: "three", profile: "ereader")))
    // What is recorded again changes nothing.
    try recordDebian()
    #expect(try books() == ["three"])
  }

  @Test func `What is accepted moves the variant that judged`() throws {
    try recordDebian()
    let texts = baseTexts
    _ = try verify(1, "--user-css all.css --variant debian13")
    #expect(try accept().contains("the baseline of 3 units moved"))
    #expect(baseTexts == texts)
    #expect(try books() == ["one", "three", "two"])
    _ = try verify(0, "--user-css all.css --variant debian13")
    // The baseline has not moved, from which more differs than was seen.
    #expect(try verify(0).contains("no difference"))
    _ = try verify(1, "--user-css all.css")
    #expect(Files.text(corpus.folder["books/decisions.ndjson"])?.contains("\"one (ereader) in debian13\"") == true)
    // Back to what the baseline has: nothing is left in the variant.
    _ = try verify(1, "--variant debian13")
    _ = try accept()
    #expect(try books() == [])
    #expect(baseTexts == texts)
    #expect(try verify(0, "--variant debian13").contains("judges 0 units, the"))
    // A decision that has moved it has done its work.
    _ = try verify(1, "--user-css all.css --variant debian13")
  }

  @Test func `A baseline that comes to what a variant has takes it over`() throws {
    try recordDebian()
    _ = try verify(1, "--user-css other.css")
    _ = try accept()
    #expect(try books() == [])
    _ = try verify(0, Self.debian)
    // A run that was compared before is none of the baseline that there is now.
    _ = try verify(1, "--variant debian13")
    try expect(0, "record books --profile ereader --into store --out base")
    try expect(5, "accept run --all --reason late --store store")
  }

  @Test func `Books that are gone or have another name are so on all systems`() throws {
    try recordDebian()
    Files.remove(corpus.folder["books/two.html"])
    try Files.rename(corpus.folder["books/three.html"], to: corpus.folder["books/third.html"])
    let said = try verify(1, Self.debian)
    #expect(said.contains("gone from the corpus: two (ereader)") && said.contains("three (ereader) is now third"))
    _ = try accept()
    #expect(base.units().map(\.book) == ["one", "third"])
    #expect(try books() == ["third"])
    _ = try verify(0, Self.debian)
    // The title of a text that has none is its name; that it is another was accepted of the same change.
    #expect(try verify(0).contains("[accepted]"))
    #expect(try base.check() == 0)
  }

  @Test func `Parts are compared with a variant`() throws {
    try recordDebian()
    let options = "books --profile ereader --user-css all.css"
    for part in 1...2 {
      try expect(0, "render \(options) --shard \(part)/2 --compare store --variant debian13 --out part-\(part)")
    }
    try expect(0, "render \(options) --out whole")
    try expect(1, "compare store whole --variant debian13")
    #expect(try expect(69, "merge part-1 part-2 --against store --out joined").contains("another baseline"))
    try expect(1, "merge part-1 part-2 --against store --variant debian13 --out joined")
    // Also where nothing differs.
    try expect(0, "render books --profile ereader --compare store --out equal")
    #expect(try expect(69, "merge equal --against store --variant debian13 --out none").contains("another baseline"))
    try expect(0, "merge equal --against store --out none")
    #expect(Files.text(corpus.folder["joined/comparison.json"]) == Files.text(corpus.folder["whole/comparison.json"]))
  }

  @Test func `Names are checked, and what is not there is named`() throws {
    #expect(try verify(66, "--variant debian13").contains("there is no variant debian13; typeset snapshot record"))
    try recordDebian()
    #expect(try verify(66, "--variant arm64").contains("there is no variant arm64, but debian13"))
    for name in ["../x", "''", "-x", ".x", "a/b", String(repeating: "a", count: 65)] {
      _ = try verify(64, "--variant=\(name)")
    }
    try expect(64, "verify books --build a --build b --variant debian13")
    try expect(64, "render books --out none --variant debian13")
    #expect(
      try expect(66, "record books --into none --variant debian13").contains(
        "no baseline that a variant could fall back to"))
    #expect(!Files.exists(corpus.folder["none"]))
    // Of a run that was compared with the baseline the variant does not move.
    _ = try verify(1, "--user-css other.css")
    try expect(64, "accept run --all --reason no --store store/variants/debian13")
    // Where it is told to, verify makes one.
    _ = try verify(0, "--user-css all.css --variant arm64 --init")
    #expect(try books("arm64") == ["one", "three", "two"])
  }

  @Test func `Files of a variant are checked, and its pages are kept`() throws {
    try recordDebian()
    #expect(try expect(0, "gc store").contains("dropped 0 parts of pages and 0 blobs"))
    #expect(try base.variant(named: "debian13").hasPages(UnitKey(book: "three", profile: "ereader")))
    let path = corpus.folder["store/variants/debian13/units/ereader/three.txt"]
    let whole = try #require(Files.read(path))
    try Files.write(whole.dropLast(5), to: path)
    #expect(try verify(65, Self.debian).contains("debian13/units/ereader/three.txt: it is cut"))
    Files.remove(path)
    #expect(try verify(65, Self.debian).contains("lists it, and it is not there"))
    // The baseline itself has nothing to do with it.
    _ = try verify(0)
    try recordDebian()
    #expect(Files.read(path) == whole)
  }
}
