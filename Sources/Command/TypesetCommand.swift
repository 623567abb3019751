package import ArgumentParser
import BookOutput
import CProcess
import FoundationEssentials
import PDFRendering
import Platform
import Typesetting

/// `typeset`: the verbs and the default one, which sets a book.
///
/// `Snapshot` is the verb `snapshot`: that itself in the program that has the snapshot harness, and in the other what hands over
/// to that program.
package struct Typeset<Snapshot: ParsableCommand>: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: name,
      abstract: "Sets books: EPUB, FB2, MOBI, HTML, Markdown and plain text in, pages out.",
      discussion: """
        \(name) INPUT sets a book; INPUT is an EPUB (packed, or an unpacked folder), a FictionBook, a MOBI or AZW3 book \
        without protection, an HTML or XHTML page, a text of Markdown or a plain one. \
        Without options its pages go to a folder named after it, in the current directory.

        EXAMPLES:
          \(name) novel.epub
          \(name) novel.epub --pages out --page-size phone --scale 2
          \(name) novel.epub --text - --quiet
          \(name) info novel.epub

        A book whose name is that of a verb can be given as ./info.
        """,
      version: versionText,
      subcommands: verbs, defaultSubcommand: SetCommand.self)
  }

  private static var name: String { ProgramFile.commandName }

  private static var verbs: [any ParsableCommand.Type] {
    [SetCommand.self, InfoCommand.self, FontsCommand.self, DoctorCommand.self, Snapshot.self]
  }

  package init() {}

  /// Sets a book at once where the arguments name no verb and are in order: the parser takes longer than a first page. Everything
  /// else, faults above all, goes the ordinary way.
  ///
  /// - Parameter handOver: is given the arguments that go the ordinary way before they are parsed.
  package static func run(handOver: ([String]) -> Void = { _ in }) {
    // Memory that a page of ordinary size takes while it is drawn and encoded stays for the next one; larger blocks go back at
    // once. Left to itself the allocator keeps as much as the largest picture of the book took.
    Allocator.bound(block: 2 << 20, rest: 2 << 20)
    // The time zone that holds anyway: where none is named, libc looks for the file anew at every date of an archive's entry.
    unsafe setenv("TZ", ":/etc/localtime", 0)
    // A closed pipe is an error of writing, not the end.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--version"] {
      print(versionText)
      return
    }
    if arguments == [DrawingHelperCommand.verb] { return DrawingHelperCommand.run() }
    let names = Set(verbs.map { $0.configuration.commandName ?? "" } + ["help"])
    guard names.isDisjoint(with: arguments), let command = SetCommand(reading: arguments) else {
      handOver(arguments)
      main(arguments)
      return
    }
    do {
      try command.run()
    } catch {
      exit(withError: error)
    }
  }

  private static var versionText: String {
    let libraries = EngineVersion.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return "typeset \(EngineVersion.current) (\(libraries), build \(EngineVersion.build))"
  }
}

/// The verb that is meant when none is named.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set a book (the default).",
    usage: "\(ProgramFile.commandName) <input> [<options>]",
    discussion: """
      Several outputs may be asked for in one run: the book is laid out once. A file appears under its name only when it is \
      whole, and files in the output folder that the run does not write are left alone. A device, a pipe or a socket is written \
      to and never replaced; a link stays, and the file it leads to is written.

      EXIT CODES: 0 done; 64 wrong usage; 65 the input is no book that can be read, or lacks what a standard asks for; 66 there is no such input; 69 an output \
      needs a library that is not installed; 73 an output \
      cannot be written; 75 a limit of memory, time or size was reached.
      """)

  @Argument(
    help:
      "An EPUB file or folder, a FictionBook (FB2), a MOBI or AZW3 book, an HTML or XHTML page, Markdown, or a plain text.",
    completion: .file())
  var input: String

  @OptionGroup(title: "Outputs") var outputs: OutputOptions
  @OptionGroup(title: "Pages") var geometry: PageOptions
  @OptionGroup(title: "Reading settings") var reading: ReadingOptions
  @OptionGroup(title: "Fonts") var fonts: FontOptions
  @OptionGroup(title: "Running") var running: RunningOptions

  mutating func validate() throws {
    if outputs.pdfStandard != nil, outputs.pdf == nil { throw ValidationError("--pdf-standard goes with --pdf") }
    if outputs.standardOutputs > 1 { throw ValidationError("only one output can go to standard output") }
  }

  /// The options of a run of the book.
  ///
  /// - Throws: `ExitCode` where a file that an option names cannot be read, which has been told then.
  func runOptions() throws -> RunOptions {
    var options = RunOptions(input: input)
    options.bounds.endsProcess = true
    try geometry.apply(to: &options.settings)
    try reading.apply(to: &options.settings)
    options.hints = try reading.hints()
    fonts.apply(to: &options.settings)
    outputs.apply(to: &options)
    options.jobs = running.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    if let memory = running.maxMemory { options.bounds.memory = memory.bytes }
    if let time = running.maxTime { options.bounds.seconds = time }
    return options
  }

  func run() throws {
    try fonts.check()
    let options = try runOptions()
    Allocator.useHeaps(options.jobs, growingBy: 256 << 10, inLargePages: 8 << 20, rest: 2 << 20)
    let helper = Engine.DrawingProgram(program: "/proc/self/exe", arguments: [DrawingHelperCommand.verb])
    Engine.configure(Engine.Configuration(drawingHelper: helper))
    Interruption.install()
    let bar = ProgressBar(mode: running.progress ?? .auto, isQuiet: running.quiet)
    let result = BookRun(options, progress: { bar.update($0) }).run()
    Engine.endDrawingProcesses()
    bar.finish()
    let printer = DiagnosticPrinter(input: input, isQuiet: running.quiet, isVerbose: running.verbose)
    printer.print(result.diagnostics)
    if let error = result.error {
      printer.print(error)
      Cleanup.shared.removeAll()
      throw ExitCode(error.exitCode)
    }
    if running.verbose { printer.summary(result) }
  }
}

struct OutputOptions: TabledOptions {
  var pages: String?
  var format: PageFormat?
  var contactSheet: String?
  var pdf: String?
  var pdfStandard: PDFStandardList?
  var layout: String?
  var text: String?
  var stats: String?
  var only: NumberRange?
  var chapters: NumberRange?

  static let rows: [ArgumentRow<Self>] = [
    .option(
      "pages", "folder", "Write every page as an image to this folder: page-0001.png and so on.",
      completion: .directory
    ) { $0.pages = $1 },
    .option("format", "png", "What --pages writes. (default: png)") { $0.format = $1 },
    .option(
      "contact-sheet", "file", "Write one image with all pages small, in rows; - is standard output.",
      completion: .file()
    ) { $0.contactSheet = $1 },
    .option(
      "pdf", "file",
      "Write the book as one PDF, with its text, structure, outline and links; - is standard output.",
      completion: .file()
    ) { $0.pdf = $1 },
    .option(
      "pdf-standard", "a-2u|a-2a|ua-1",
      "What the PDF conforms to, several with commas; what the book lacks for it ends the run. (default: a-2u)"
    ) { $0.pdfStandard = $1 },
    .option(
      "layout", "file", "Write the layout of every page as JSON Lines; - is standard output.", completion: .file()
    ) { $0.layout = $1 },
    .option("text", "file", "Write the text in reading order; - is standard output.", completion: .file()) {
      $0.text = $1
    },
    .option(
      "stats", "file", "Write counters, times and peak memory as JSON; - is standard error.", completion: .file()
    ) { $0.stats = $1 },
    .option(
      "only", "range", "Pages to write, such as 1, 3-9 or 12-; the book is laid out no further than needed."
    ) { $0.only = $1 },
    .option("chapters", "range", "Spine items to set, such as 1, 3-9 or 12-.") { $0.chapters = $1 },
  ]

  var standardOutputs: Int { [contactSheet, layout, text, pdf].count { $0 == "-" } }

  func apply(to options: inout RunOptions) {
    func target(_ path: String) -> OutputTarget { path == "-" ? .standardOutput : .file(path) }
    options.pages = pages
    options.contactSheet = contactSheet.map(target)
    options.layout = layout.map(target)
    if let pdf {
      var own = PDFOptions(target: target(pdf))
      own.standards = pdfStandard?.standards ?? []
      own.creationTime = Environment.value(of: "SOURCE_DATE_EPOCH").flatMap { Int($0) }
      options.pdf = own
    }
    options.text = text.map(target)
    options.statistics = stats.map { $0 == "-" ? .standardError : .file($0) }
    options.only = only
    options.chapters = chapters
    if [pages, contactSheet, layout, text, stats, pdf].allSatisfy({ $0 == nil }) {
      options.pages = Self.defaultFolder(for: options.input)
    }
  }

  /// A folder in the current directory, named after the input.
  static func defaultFolder(for input: String) -> String {
    let url = URL(fileURLWithPath: input)
    var name = url.lastPathComponent
    let known = ["epub", "html", "htm", "xhtml", "xht", "txt"]
    if known.contains(url.pathExtension.lowercased()), !url.deletingPathExtension().lastPathComponent.isEmpty {
      name = url.deletingPathExtension().lastPathComponent
    }
    if name.isEmpty || name == "/" || name == "." || name == ".." { name = "pages" }
    // The input itself, when it is a folder, or a file without an extension, is not written to.
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent(name)
    if here.standardizedFileURL.path == url.standardizedFileURL.path { name += "-pages" }
    return name
  }
}

/// Standards by their names, with commas between them.
struct PDFStandardList: ExpressibleByArgument {
  var standards: PDFStandards = []

  init?(argument: String) {
    for name in argument.split(separator: ",") {
      switch name {
      case "a-2u": standards.insert(.a2u)
      case "a-2a": standards.insert(.a2a)
      case "ua-1": standards.insert(.ua1)
      default: return nil
      }
    }
    if standards.isEmpty { return nil }
  }
}

enum PageFormat: String, ChoiceArgument { case png }

extension NumberRange: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

struct RunningOptions: TabledOptions {
  var jobs: Int?
  var maxMemory: MemorySize?
  var maxTime: Double?
  var progress: ProgressMode?
  var quiet = false
  var verbose = false

  static let rows: [ArgumentRow<Self>] = [
    .option(
      "jobs", "n", "Chapters in work at once; never changes a byte of the output. (default: one for each core)"
    ) { $0.jobs = $1 },
    .option(
      "max-memory", "size", "Stop when the process holds more memory than this, such as 500M or 2G. (default: 4G)"
    ) { $0.maxMemory = $1 },
    .option("max-time", "seconds", "Stop after so many seconds. (default: 3600)") { $0.maxTime = $1 },
    .option(
      "progress", "auto|always|never",
      "Show a progress bar: on a terminal (auto), always or never. (default: auto)"
    ) { $0.progress = $1 },
    .flag("quiet", "Leave warnings and the progress bar out; errors stay.") { $0.quiet = $1 },
    .flag("verbose", "Say more: notes on what the book does that is ignored, and a summary.") { $0.verbose = $1 },
  ]

  mutating func validate() throws {
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes a number from 1 to 1024") }
    if let maxTime, !(maxTime > 0 && maxTime.isFinite) {
      throw ValidationError("--max-time takes a positive number of seconds")
    }
    if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }
}

/// A number of bytes: `500M`, `2GiB`, `1000000`.
package struct MemorySize: ExpressibleByArgument {
  package var bytes: Int

  package init?(argument: String) {
    guard let count = byteCount(argument) else { return nil }
    bytes = count
  }
}
