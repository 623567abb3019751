import BookOutput
import FoundationEssentials
import Testing
import Typesetting

@testable import SnapshotHarness

@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct SchedulerTests {
  private func shell(_ script: String, in folder: String, _ environment: [String: String] = [:]) -> ChildProcess.Outcome
  {
    var child = ChildProcess(["/bin/sh", "-c", script], folder: folder)
    child.environment = ProcessInfo.processInfo.environment
    child.environment.merge(environment) { _, new in new }
    return child.run()
  }

  /// The script beside the sources, wherever tests are started.
  private static var script: String {
    var folder = OutputFiles.folder(of: #filePath)
    for _ in 0..<2 { folder = OutputFiles.folder(of: folder) }
    return folder + "/Scripts/snapshots-parallel.sh"
  }

  /// moreutils has another program of this name.
  private static let hasParallel = ChildProcess(
    ["/bin/sh", "-c", "PATH=/usr/bin:/bin exec parallel --version"], folder: "/"
  ).run()
    .output.contains("GNU parallel ")

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed")) func `Parallel renders what the pool does`() throws
  {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    let outcome = shell(
      "exec \(Self.script) books spread --jobs 2", in: corpus.folder.path,
      ["TYPESET": program, "HOME": corpus.folder.path])
    #expect(outcome.end == .exited(0), "\(outcome.output)")
    var whole = try corpus.session("whole")
    whole.manifest = try RunFolder(corpus.folder["spread"]).manifest()
    whole.units = whole.manifest.units
    #expect(whole.units.count == 9)
    try whole.render()
    #expect(LittleCorpus.content(RunFolder(corpus.folder["spread"])) == LittleCorpus.content(whole.run))
  }

  @Test func `What the user keeps changes no result`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    let cache = corpus.folder["cache"]
    // Nothing is kept that was made from what has just changed: fontconfig's own files.
    let keep = """
      for attempt in 1 2 3 4 5 6 7 8; do
        \(program) books/one.html --pages pages --progress never || exit 1
        ls cache/typeset/fonts-* && exit 0
        sleep 1
      done
      exit 1
      """
    let outcome = shell(keep, in: corpus.folder.path, ["XDG_CACHE_HOME": cache])
    #expect(outcome.end == .exited(0), "\(outcome.output)")
    var runs: [RunFolder] = []
    for folder in [cache, corpus.folder["none"]] {
      var session = try corpus.session("run-\(runs.count)")
      session.pool.environment["XDG_CACHE_HOME"] = folder
      try session.render()
      runs.append(session.run)
    }
    #expect(LittleCorpus.content(runs[0]) == LittleCorpus.content(runs[1]))
  }

  @Test func `Bisect finds the revision`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    let history = """
      git init -q engine && cd engine && git config user.name x && git config user.email x@example.org
      for size in 16 16 16 17 17; do
        echo $size > size; date +%N > note; echo $size$(cat note) >> log; git add -A; git commit -q -m "size $size"
      done
      """
    #expect(shell(history, in: corpus.folder.path, ["HOME": corpus.folder.path]).end == .exited(0))
    // A build of a revision is the engine with the base size that the revision names.
    let make = """
      size=$(git show $REVISION:size)
      printf '#!/bin/sh\\nsed -i s/\\\\"fontSize\\\\":16/\\\\"fontSize\\\\":%s/ "$3"\\nexec \(program) "$@"\\n' $size > $FOLDER/engine
      chmod +x $FOLDER/engine
      echo $FOLDER/engine
      """
    let found = shell(
      "exec \(program) snapshot bisect books --good HEAD~4 --bad HEAD --book two --repository engine --make \"$MAKE\"",
      in: corpus.folder.path, ["MAKE": make, "HOME": corpus.folder.path])
    let expected = shell("git -C engine rev-parse HEAD~1", in: corpus.folder.path, ["HOME": corpus.folder.path])
    #expect(found.end == .exited(0))
    #expect(found.output.split(separator: "\n").last == expected.output.split(separator: "\n").first, "\(found.output)")
  }

  @Test func `The command line tells what is wrong`() throws {
    let corpus = try LittleCorpus()
    let program = try #require(LittleCorpus.program)
    func run(_ arguments: String) -> (code: ChildProcess.End, output: String) {
      let outcome = shell("exec \(program) snapshot \(arguments)", in: corpus.folder.path, ["HOME": corpus.folder.path])
      return (outcome.end, outcome.output)
    }
    let only = "--profile ereader --only two --quiet"
    #expect(run("verify nowhere --against store").code == .exited(66))
    #expect(run("verify books --against store \(only)").code == .exited(66))
    #expect(run("verify books").code == .exited(64))
    #expect(run("verify books --against store --init \(only)").code == .exited(0))
    #expect(run("verify books --against store \(only) --out again").code == .exited(0))
    try Files.write("p { color: #123456 }", to: corpus.folder["blue.css"])
    #expect(run("verify books --against store \(only) --out blue --user-css blue.css").code == .exited(1))
    let summary = try #require(Files.read(json: corpus.folder["blue/summary.json"], as: RunSummary.self))
    #expect(summary.exitCodes == [1])
    #expect(summary.differingUnits == 1)
    // A book without a baseline among others.
    #expect(run("verify books --against store --profile ereader --quiet --out more").code == .exited(66))
    try Files.write("a file", to: corpus.folder["file"])
    #expect(run("record books --into file/store --profile ereader --quiet").code == .exited(73))
    #expect(run("merge again --out joined").code == .exited(0))
    #expect(run("compare again joined --quiet").code == .exited(0))
    #expect(run("status again --gate").code == .exited(0))
    #expect(run("history two --store store").output.contains("two (ereader)"))
    #expect(run("gc store").output.hasPrefix("dropped 0 parts of pages and 0 blobs"))
  }
}
