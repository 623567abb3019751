import ArgumentParser
import Command
import FoundationEssentials
import SnapshotHarness
import Typesetting

/// `typeset snapshot reduce`.
struct SnapshotReduce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reduce", abstract: "Make a small case of a book that differs or fails.",
    discussion: """
      The book is set on two sides: by two builds, or by one build with --new-css or --new-profile on the new side. Parts are \
      left out of it as long as what is left shows a change of the same class on some page. A book that crashes or hangs on \
      the new side is reduced to a case that does so too; one build is enough for that. Each step is a valid page or EPUB. \
      What is smallest when time is over is written.

      EXAMPLES:
        typeset snapshot reduce books --book novel --page 12 --build old/typeset --build new/typeset --out case.xhtml
        typeset snapshot reduce books --book novel --new-css wider.css --out case.xhtml
        typeset snapshot reduce books --book hostile/deep --max-time 5 --out case.xhtml
      """)

  @Argument(
    help: ArgumentHelp("A corpus.yaml, a folder of books, or a book.", valueName: "corpus"), completion: .file())
  var corpus: [String]
  @Option(help: ArgumentHelp("The book's name in the corpus. (default: the only book)", valueName: "book"))
  var book: String?
  @Option(help: ArgumentHelp("The page of the new side. (default: the first that changed)", valueName: "n"))
  var page: Int?
  @Option(help: ArgumentHelp("The profile. (default: the first)", valueName: "name")) var profile: String?
  @Option(help: ArgumentHelp("The profile of the new side. (default: the same)", valueName: "name"))
  var newProfile: String?
  @Option(
    help: ArgumentHelp(
      "A build of typeset: given twice, the old and the new one. (default: this one)", valueName: "program"),
    completion: .file())
  var build: [String] = []
  @Option(
    name: .customLong("user-css"), help: ArgumentHelp("A style sheet added on both sides.", valueName: "file"),
    completion: .file(extensions: ["css"]))
  var userStyleSheet: String?
  @Option(
    name: .customLong("new-css"), help: ArgumentHelp("A style sheet added on the new side.", valueName: "file"),
    completion: .file(extensions: ["css"]))
  var newStyleSheet: String?
  @Option(
    help: ArgumentHelp(
      "The class of change to keep, such as moved. (default: the gravest on the page)", valueName: "class"))
  var kind: ChangeClass?
  @Flag(help: "Keep the very change, with its amount, not its class alone.") var exact = false
  @Option(help: ArgumentHelp("Seconds for all of it.", valueName: "seconds")) var time = 120.0
  @Option(help: ArgumentHelp("Seconds after which a child hangs.", valueName: "seconds")) var maxTime = 20.0
  @Option(
    help: ArgumentHelp("Memory that one child may hold. (default: the book's limit, or else 2G)", valueName: "size"))
  var maxMemory: MemorySize?
  @Option(
    help: ArgumentHelp("The case: a file, or a folder where it is made of several.", valueName: "file"),
    completion: .file())
  var out: String
  @Option(
    help: ArgumentHelp("Show a progress bar: on a terminal (auto), always or never.", valueName: "auto|always|never"))
  var progress: ProgressMode = .auto
  @Flag(help: "Say only what is wrong.") var quiet = false

  mutating func validate() throws {
    if build.count > 2 { throw ValidationError("--build is given once or twice") }
    if !(time > 0 && time.isFinite && maxTime > 0 && maxTime.isFinite) {
      throw ValidationError("--time and --max-time take a positive number of seconds")
    }
    if let page, page < 1 { throw ValidationError("--page takes a number from 1") }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      let work = Files.absolute(out) + ".reducing"
      let hasOld = build.count == 2 || newStyleSheet != nil || newProfile != nil
      let name = profile ?? newProfile
      let old =
        hasOld ? try session("old", profile: profile, sheets: [userStyleSheet], program: build.first, in: work) : nil
      let new = try session(
        "new", profile: newProfile ?? name, sheets: [userStyleSheet, newStyleSheet], program: build.last, in: work)
      let bar = ProgressBar(mode: progress, isQuiet: quiet)
      var reducer = try Reducer(Reducer.Sides(old: old, new: new), folder: work, seconds: time) { progress in
        bar.update(progress.fraction, "\(progress.tries) tries, \(progress.firstBytes) -> \(progress.bytes) bytes")
      }
      defer { bar.finish() }
      let made = try reducer.run(page: page, kind: kind, isExact: exact, out: out)
      bar.finish()
      guard !quiet else { return 0 }
      StandardStream.output.write(
        """
        \(made.summary)
        \(made.bookBytes) -> \(made.bytes) bytes in \(made.tries) tries\(made.isMinimal ? "" : "; time was over before it was as small as can be")
        \(made.path)
        in a corpus.yaml:
          - path: \(made.path.split(separator: "/").last ?? "")
            guards: "\(made.summary.filter { $0 != "\"" && $0 != "\\" })"

        """.utf8)
      return 0
    }
  }

  private func session(
    _ name: String, profile: String?, sheets: [String?], program: String?, in work: String
  ) throws(HarnessError) -> Session {
    var read = try Corpus.read(corpus)
    var sheet: [String] = []
    for path in sheets.compactMap({ $0 }) {
      guard let text = Files.text(path) else { throw HarnessError(66, "\(path): the style sheet cannot be read") }
      sheet.append(text)
    }
    for index in read.profiles.indices where !sheet.isEmpty {
      read.profiles[index].userCSS = ([read.profiles[index].userCSS] + sheet).compactMap { $0 }.joined(separator: "\n")
    }
    for index in read.books.indices {
      read.books[index].limits.seconds = maxTime
      if let maxMemory { read.books[index].limits.memory = maxMemory.bytes }
    }
    var selection = UnitSelection()
    selection.books = book.map { [$0] } ?? []
    selection.profiles = [profile ?? read.profiles[0].name]
    var session = try Session(
      corpus: read, paths: corpus, selection: selection, into: Files.join(work, name), program: program)
    guard Set(session.units.map(\.book)).count == 1 else {
      throw HarnessError(64, "--book says which one of \(session.units.count) books")
    }
    session.units = Array(session.units.prefix(1))
    return session
  }
}

extension ChangeClass: ExpressibleByArgument {}
