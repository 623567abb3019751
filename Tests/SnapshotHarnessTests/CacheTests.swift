import FoundationEssentials
import Testing

@testable import SnapshotHarness

/// Results that are shared by folder or by a remote of rclone.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct CacheTests {
  private static let options = "books --profile ereader --cache cache"

  private func objects(_ corpus: LittleCorpus, _ kind: UnitCache.Kind) -> [String] {
    Files.walk(corpus.folder["cache/\(kind.rawValue)"]).map { corpus.folder["cache/\(kind.rawValue)/\($0)"] }
  }

  @Test func `What anybody has rendered is not rendered again`() throws {
    let corpus = try LittleCorpus()
    #expect(try corpus.snapshot("render \(Self.options) --out first").output.contains("3 rendered, 0 failed"))
    #expect(objects(corpus, .units).count == 3 && objects(corpus, .pages).count == 3)
    // Another folder with the same books, one by another name.
    for (name, other) in [("one", "one"), ("two", "second"), ("three", "three")] {
      let bytes = try #require(Files.read(corpus.folder["books/\(name).html"]))
      try Files.write(bytes, to: corpus.folder["elsewhere/\(other).html"])
    }
    let second = try corpus.snapshot("render elsewhere --profile ereader --cache cache --out second")
    #expect(second.output.contains("3 units, 0 rendered, 0 failed"))
    // Equal pages need no data of pages.
    #expect(Files.walk(corpus.folder["second/books"]).allSatisfy { !$0.hasSuffix(".zst") })
    let again = try corpus.snapshot("render \(Self.options) --out again")
    #expect(again.output.contains(" 0 rendered"))
    #expect(try corpus.snapshot("compare first again").output.contains("no difference"))
    // Pages that are asked for are brought.
    let (before, after) = (RunFolder(corpus.folder["first"]), RunFolder(corpus.folder["again"]))
    let key = UnitKey(book: "three", profile: "ereader")
    let page = try #require(after.source(key)?.bitmap(of: 2))
    #expect(page == before.source(key)?.bitmap(of: 2))
    #expect(try after.verified(key, includesPages: true) != nil)
    // A book that changed is rendered, and nothing else.
    try Files.write("<!DOCTYPE html><title>one</title>Other words", to: corpus.folder["books/one.html"])
    #expect(try corpus.snapshot("render \(Self.options) --out changed").output.contains(" 1 rendered"))
  }

  @Test func `Fonts that are named are the same ones on every machine`() throws {
    let corpus = try LittleCorpus()
    let font = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
    try #require(Files.exists(font), "needs Debian's fonts-dejavu-core")
    try Files.write("fonts:\n  - file: \(font)\nserif: DejaVu Serif\n", to: corpus.folder["books/fonts.yaml"])
    func render(_ number: Int) throws -> String {
      let home = corpus.folder["home-\(number)"]
      let run = try corpus.snapshot(
        "render \(Self.options) --out run-\(number)", environment: ["HOME": home, "XDG_CACHE_HOME": home])
      Files.remove(home)
      return run.output
    }
    #expect(try render(1).contains(" 3 rendered, 0 failed"))
    #expect(try render(2).contains(" 0 rendered, 0 failed"))
    // Their glyphs are found there.
    let unit = try #require(RunFolder(corpus.folder["run-2"]).source(UnitKey(book: "one", profile: "ereader")))
    #expect(Set(unit.file.faces.map(\.path)) == [font] && unit.bitmap(of: 1) != nil)
  }

  @Test func `What differs is compared as if it had been rendered here`() throws {
    let corpus = try LittleCorpus()
    try Files.write("p { letter-spacing: 3px }", to: corpus.folder["wide.css"])
    let wide = "\(Self.options) --user-css wide.css"
    #expect(try corpus.snapshot("record \(Self.options) --into store --out base --quiet").code == .exited(0))
    #expect(try corpus.snapshot("verify \(wide) --against store --out plain --no-cache").code == .exited(1))
    let cached = try corpus.snapshot("verify \(wide) --against store --out cached")
    #expect(cached.code == .exited(1) && cached.output.contains("0 rendered"), "\(cached.output)")
    #expect(RunFolder(corpus.folder["cached"]).comparison() == RunFolder(corpus.folder["plain"]).comparison())
    // Pages that are lost are made again where they are needed, and only there.
    for path in objects(corpus, .pages) { try Files.write("lost", to: path) }
    #expect(try corpus.snapshot("verify \(Self.options) --against store --out equal").output.contains("no difference"))
    #expect(try corpus.snapshot("verify \(wide) --against store --out lost").code == .exited(1))
    #expect(RunFolder(corpus.folder["lost"]).comparison() == RunFolder(corpus.folder["plain"]).comparison())
    // Who only compares cannot make them, and says so.
    #expect(try corpus.snapshot("render \(wide) --out warm --quiet").code == .exited(0))
    for path in objects(corpus, .pages) { try Files.write("lost", to: path) }
    #expect(try corpus.snapshot("compare store plain").code == .exited(1))
    let bare = try corpus.snapshot("compare store warm")
    #expect(
      bare.code == .exited(69) && bare.output.contains("no longer has the pages of one (ereader)"), "\(bare.output)")
    #expect(try corpus.snapshot("render \(wide) --out warm --no-cache --quiet").code == .exited(0))
    // A baseline has its pages from where they were found.
    #expect(try corpus.snapshot("render \(wide) --out warm --quiet").code == .exited(0))
    #expect(try corpus.snapshot("record \(wide) --into other --out again --quiet").code == .exited(0))
    let other = SnapshotStore(corpus.folder["other"])
    #expect(other.units().count == 3 && other.units().allSatisfy(other.hasPages))
  }

  @Test func `Objects that are damaged, cut, or another's count as absent`() throws {
    let corpus = try LittleCorpus()
    #expect(try corpus.snapshot("render \(Self.options) --out first --quiet").code == .exited(0))
    let whole = LittleCorpus.content(RunFolder(corpus.folder["first"]))
    let units = objects(corpus, .units).sorted()
    let bytes = try units.map { try #require(Files.read($0)) }
    var turned = bytes[0]
    turned[turned.count / 2] ^= 1
    let harms: [[UInt8]] = [[], Array(bytes[0].dropLast(5)), turned, bytes[1], Array("an object".utf8)]
    for (number, harm) in harms.enumerated() {
      try Files.write(harm, to: units[0])
      let run = try corpus.snapshot("render \(Self.options) --out harm-\(number)")
      #expect(run.output.contains(" 1 rendered, 0 failed"), "\(number): \(run.output)")
      var content = LittleCorpus.content(RunFolder(corpus.folder["harm-\(number)"]))
      for (name, bytes) in whole where name.hasSuffix(".zst") { content[name] = bytes }
      #expect(content == whole)
      #expect(Files.read(units[0])?.count ?? 0 > 200)
    }
    // Pages of another length are none.
    try Files.write("cut", to: try #require(objects(corpus, .pages).first))
    #expect(try corpus.snapshot("render \(Self.options) --out pages").output.contains(" 1 rendered"))
  }

  @Test func `Two writers do each other no harm`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    let verb = "\(program) snapshot render \(Self.options) --quiet --out"
    var child = ChildProcess(
      ["/bin/sh", "-c", "\(verb) a & first=$!; \(verb) b && wait $first"], folder: corpus.folder.path)
    child.environment = ProcessInfo.processInfo.environment
    #expect(child.run().end == .exited(0))
    #expect(objects(corpus, .units).count == 3 && objects(corpus, .pages).count == 3)
    #expect(try corpus.snapshot("render \(Self.options) --out c").output.contains(" 0 rendered"))
    #expect(try corpus.snapshot("compare a c").output.contains("no difference"))
  }

  @Test func `A cache that cannot be written to is told of, and stops nothing`() throws {
    let corpus = try LittleCorpus()
    // In place of a folder without a right to write, which root has everywhere.
    try Files.write("a file", to: corpus.folder["cache/pages"])
    let run = try corpus.snapshot("render \(Self.options) --out run")
    #expect(run.code == .exited(0) && run.output.contains("3 rendered, 0 failed"))
    #expect(run.output.contains("3 objects could not be kept in the cache"), "\(run.output)")
    #expect(objects(corpus, .units).isEmpty)
  }

  @Test func `A remote is asked once before and told once afterwards, and no key is in sight`() throws {
    let corpus = try LittleCorpus()
    // What `rclone copy --files-from LIST --no-traverse FROM TO` does, with a folder for the remote.
    let stub = """
      #!/bin/sh
      echo "$@" >>"\(corpus.folder["log"])"
      [ ! -e "\(corpus.folder["gone"])" ] || { echo "key=$RCLONE_SECRET" >&2; exit 5; }
      from=$(echo "$5" | sed 's|^store:|\(corpus.folder["remote"])/|')
      to=$(echo "$6" | sed 's|^store:|\(corpus.folder["remote"])/|')
      while read -r name; do
        [ ! -e "$from/$name" ] || { mkdir -p "$to/$(dirname "$name")" && cp "$from/$name" "$to/$name"; }
      done <"$3"
      """
    try Files.write(stub, to: corpus.folder["bin/rclone"])
    #expect(ChildProcess(["/bin/chmod", "+x", corpus.folder["bin/rclone"]], folder: "/").run().end == .exited(0))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let environment = ["PATH": corpus.folder["bin"] + ":" + path, "RCLONE_SECRET": "opensesame"]
    func run(_ number: Int, _ more: String = "") throws -> (code: ChildProcess.End, output: String) {
      // Each machine has a folder of its own.
      try corpus.snapshot(
        "render books --profile ereader --cache cache-\(number) --cache-remote store:a/b --out run-\(number) \(more)",
        environment: environment)
    }
    #expect(try run(1).output.contains("3 rendered"))
    #expect(Files.text(corpus.folder["log"])?.split(separator: "\n").count == 3)
    #expect(Files.walk(corpus.folder["remote/a/b"]).count == 6)
    Files.remove(corpus.folder["log"])
    #expect(try run(2).output.contains(" 0 rendered"))
    #expect(Files.text(corpus.folder["log"])?.split(separator: "\n").count == 1)
    // What is equal ships its hashes alone.
    #expect(Files.walk(corpus.folder["cache-2"]).allSatisfy { $0.hasPrefix("units/") })
    #expect(try corpus.snapshot("compare run-1 run-2", environment: environment).output.contains("no difference"))
    // Whoever looks at a page gets it from there.
    let key = UnitKey(book: "one", profile: "ereader")
    let look = "verify books --profile ereader --cache cache-3 --cache-remote store:a/b --against run-1 --out run-3"
    try Files.write("p { color: #123456 }", to: corpus.folder["blue.css"])
    #expect(try run(4, "--user-css blue.css").output.contains("3 rendered"))
    let differs = try corpus.snapshot(look + " --user-css blue.css", environment: environment)
    #expect(differs.code == .exited(1) && differs.output.contains(" 0 rendered"), "\(differs.output)")
    #expect(try RunFolder(corpus.folder["run-3"]).verified(key, includesPages: true) != nil)
    #expect(Files.walk(corpus.folder["cache-3/pages"]).count == 3)
    // A remote that is gone is told of without what its program says.
    try Files.write("", to: corpus.folder["gone"])
    let gone = try run(5)
    #expect(gone.code == .exited(0) && gone.output.contains("3 rendered"), "\(gone.output)")
    #expect(gone.output.contains("rclone ends with exit code 5") && !gone.output.contains("opensesame"))
    for remote in [":s3,secret_access_key=opensesame:bucket", "x,password=opensesame:path", "-x", ""] {
      let refused = try corpus.snapshot("render \(Self.options) --cache-remote '\(remote)' --out run")
      #expect(refused.code == .exited(64) && !refused.output.contains("opensesame"), "\(refused.output)")
    }
    for name in Files.walk(corpus.folder.path) where !name.hasPrefix("bin/") {
      #expect(Files.text(corpus.folder[name])?.contains("opensesame") != true, "\(name)")
    }
  }
}
