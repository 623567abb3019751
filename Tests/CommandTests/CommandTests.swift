import Foundation
import Markup
import Primitives
import TestSupport
import Testing

/// The program as its users know it: help, outputs, exit codes and messages.
struct CommandTests {
  private struct Outcome {
    var status: Int32
    var output: String
    var errors: String
    var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  private let folder: TestFolder
  private let page: String
  init() throws {
    folder = try TestFolder()
    page = try folder.write(
      Array("<!DOCTYPE html><title>A title</title><p>Some words".utf8), to: "page.html")
  }

  /// Runs the program in the test's folder.
  private func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  private func run(
    _ arguments: [String], program: URL = BuiltProgram.url, environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (folder.path("standard-output"), folder.path("standard-error"))
    for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try text(output), errors: try text(errors))
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.path(folder)).sorted()
  }

  // MARK: Slim systems

  /// The environment of a system without some libraries: files of no bytes stand in their way.
  private func environment(without libraries: String...) throws -> [String: String] {
    for library in libraries { _ = try folder.write([], to: "none/\(library)") }
    _ = try folder.write([], to: "home/.keep")
    return [
      "LD_LIBRARY_PATH": folder.path("none") + ":" + (ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""),
      "HOME": folder.path("home"), "XDG_CACHE_HOME": folder.path("home"),
    ]
  }

  @Test func `without fontconfig a page is boxes, and each script is told once`() throws {
    let text = "<!DOCTYPE html><html lang=zh><h1>红楼梦</h1><p>红楼梦，曹雪芹</p><p>ไทย</p><p>ქა</p><p>հայ</p>"
    _ = try folder.write(Array(text.utf8), to: "book.html")
    let run = try run(
      ["book.html", "--pages", "pages", "--pdf", "book.pdf", "--progress", "never"],
      environment: environment(without: "libfontconfig.so.1"))
    #expect(run.status == 0)
    #expect(
      run.errorLines == [
        "typeset: book.html: warning: fontconfig is not installed: only fonts that the book brings along can be used; install libfontconfig1",
        "typeset: book.html: warning: no font has 10 characters of Han (first: 红 U+7EA2); install fonts-noto-cjk",
        "typeset: book.html: warning: no font has 3 characters of Thai (first: ไ U+0E44); install fonts-noto-core",
        "typeset: book.html: warning: no font has 2 characters of Georgian (first: ქ U+10E5); install fonts-noto-core",
        "typeset: book.html: warning: no font has 3 characters of Armenian (first: հ U+0570); install fonts-noto-core",
      ])
    #expect(try names(in: "pages") == ["page-0001.png"])
  }

  @Test func `pictures without their library are told once a book, and keep their pages`() throws {
    let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    _ = try folder.write(Array(try #require(Data(base64Encoded: gif))), to: "dot.gif")
    _ = try folder.write(
      Array("<!DOCTYPE html><img src=dot.gif><svg width=9 height=9><rect mask=url(#m) /></svg>".utf8), to: "book.html")
    let run = try run(
      ["book.html", "--layout", "-", "--progress", "never"],
      environment: environment(without: "libgif.so.7", "librsvg-2.so.2"))
    #expect(run.status == 0)
    #expect(
      run.errorLines == [
        "typeset: book.html: warning: 1 picture cannot be drawn: libgif is not installed; install libgif7",
        "typeset: book.html: warning: 1 picture cannot be drawn: librsvg is not installed; install librsvg2-2",
      ])
    #expect(run.output.split(separator: "\n").count == 2)
  }

  @Test func `fonts and info say what no font has`() throws {
    let fonts = try run("fonts", "红a", "--no-system-fonts")
    #expect(fonts.output.split(separator: "\n").count == 1 && fonts.output.contains("no installed face has it"))
    #expect(
      fonts.errorLines == [
        "typeset: warning: no font has 1 character of Han (first: 红 U+7EA2); install fonts-noto-cjk",
        "typeset: warning: no font has 1 character of Latin (first: a U+0061); install fonts-noto-core",
      ])
    _ = try folder.write(Array("<!DOCTYPE html><title>t</title><p>\u{E123}\u{E123}".utf8), to: "private.html")
    let info = try run("info", "private.html")
    #expect(info.output.hasSuffix("Warnings\n  no font has 2 private characters (first: U+E123)\n"))
  }

  // MARK: Doctor

  private struct Findings: Decodable {
    struct Library: Decodable {
      let name: String
      let essential: Bool
      let installed: Bool
      let package: String?
    }
    struct Script: Decodable {
      let code: String
      let family: String?
      let package: String?
    }
    struct Patterns: Decodable {
      let language: String
      let installed: Bool
      let package: String?
    }
    let libraries: [Library]
    let scripts: [Script]
    let hyphenation: [Patterns]
    let needed: [String]
    let useful: [String]
  }

  @Test func `doctor tells what is missing by the names that warnings give, and ends with 69`() throws {
    let slim = try environment(without: "libgif.so.7", "liblcms2.so.2", "libfontconfig.so.1")
    let run = try run(["doctor", "--json"], environment: slim)
    #expect(run.status == 69 && run.errors.isEmpty)
    let found = try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
    let missing = found.libraries.filter { !$0.installed }
    #expect(missing.allSatisfy { $0.package != nil })
    #expect(Set(missing.filter(\.essential).map(\.name)).isSuperset(of: ["libgif", "fontconfig"]))
    #expect(missing.contains { $0.name == "Little CMS" && !$0.essential })
    #expect(found.scripts.allSatisfy { $0.family == nil })
    let packages = Dictionary(uniqueKeysWithValues: found.scripts.map { ($0.code, $0.package) })
    #expect(
      packages["Hani"] == SystemPackages.current.faces(.cjk) && packages["Latn"] == SystemPackages.current.faces(.core))
    #expect(packages["Toto"] == .some(nil))
    #expect(found.needed.contains(SystemPackages.current.library("libgif.so.7")))
    #expect(found.useful.contains(SystemPackages.current.library("liblcms2.so.2")))
    #expect(Set(found.needed).isDisjoint(with: found.useful) && Set(found.needed).count == found.needed.count)

    let text = try self.run(["doctor"], environment: slim)
    #expect(text.status == 69)
    for name in found.needed + found.useful { #expect(text.output.contains(name), "\(name)") }
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.fontconfig), "libfontconfig is not installed"))
  func `doctor finds what is installed`() throws {
    let run = try run("doctor", "--json")
    let found = try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
    #expect(found.scripts.first { $0.code == "Latn" }?.family != nil)
    #expect(found.scripts.count > 150 && Set(found.scripts.map(\.code)).count == found.scripts.count)
    #expect(run.status == (found.needed.isEmpty ? 0 : 69))
    #expect(found.hyphenation.contains { $0.language == "de" && ($0.installed || $0.package != nil) })
    #expect(try self.run("doctor", "--no-system-fonts").status == 69)
  }

  // MARK: The second name

  @Test func `under its second name the program tells its usage by that name`() throws {
    let link = folder.url.appendingPathComponent("bookset")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: BuiltProgram.url)
    let help = try run(["help", "set"], program: link)
    #expect(help.status == 0 && help.output.contains("USAGE: bookset <input>"))
    #expect(try run(["--help"], program: link).output.contains("  bookset novel.epub"))
    #expect(try run(["snapshot", "--help"], program: link).output.contains("USAGE: bookset snapshot"))
    let completions = try run(["--generate-completion-script", "bash"], program: link)
    #expect(completions.output.contains(" bookset\n") && completions.output.contains("merge-driver"))
    // Messages keep the first name, which scripts know.
    #expect(try run(["none.epub"], program: link).errors == "typeset: none.epub: there is no such file\n")
  }

  // MARK: Drawings

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `a page with drawings is set, and nothing is told of them`() throws {
    let drawing = """
      <svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='30' height='20' fill='green'/></svg>
      """
    _ = try folder.write(Array(drawing.utf8), to: "drawing.svg")
    _ = try folder.write(Array("<!DOCTYPE html><p><img src=drawing.svg><svg viewBox='0 0 9 9'/>".utf8), to: "book.html")
    let run = try run("book.html", "--pages", "pages", "--progress", "never")
    // fontconfig may have something to say of its own, such as that it has no place for a cache.
    #expect(run.status == 0 && !run.errors.contains("drawing") && !run.errors.contains("svg"), "\(run.errors)")
    #expect(try names(in: "pages") == ["page-0001.png"])
  }

  @Test func `a helper without a caller ends`() throws {
    #expect(try run("drawing-helper").status == 0)
  }

  // MARK: Accessibility

  @Test func `info lists what keeps a book from PDF-UA, each picture with its place`() throws {
    _ = try folder.write(Array("<!DOCTYPE html><p>Text".utf8), to: "book.html")
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='2'/>"
    _ = try folder.write(Array(drawing.utf8), to: "d.svg")
    let page =
      "<!DOCTYPE html><html lang=en><title>T</title><p>Text\n<img src=d.svg>\n<img src=d.svg alt=D>\n<img src=d.svg>"
    _ = try folder.write(Array(page.utf8), to: "pictures.html")
    let pictures = try run("info", "pictures.html", "--accessibility")
    #expect(pictures.status == 65)
    #expect(pictures.output.contains("pictures.html:2: a picture has no text"), "\(pictures.output)")
    #expect(pictures.output.contains("pictures.html:4: a picture has no text"), "\(pictures.output)")
    let bare = try run("info", "book.html", "--accessibility", "--json")
    #expect(bare.status == 65 && bare.output.contains("\"no-language\""), "\(bare.output)")
    let good = "<!DOCTYPE html><html lang=en><title>T</title><p>Text"
    _ = try folder.write(Array(good.utf8), to: "good.html")
    let fine = try run("info", "good.html", "--accessibility", "--json")
    #expect(fine.status == 0 && fine.output.contains("\"conforms\":true"), "\(fine.output)")
  }

  // MARK: Full disks

  /// Runs the program in a shell where no file can grow beyond so many blocks of 512 bytes, as on a disk that is full.
  private func run(blocks: Int, _ arguments: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec '\(BuiltProgram.url.path)' \(arguments)"]
    process.currentDirectoryURL = folder.url
    // The counts of a build that measures coverage are no output of the program.
    process.environment = ProcessInfo.processInfo.environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, output: "",
      errors: String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: [
    "--pdf out/book.pdf", "--pages out", "--layout out/layout", "--text out/text", "--contact-sheet out/sheet.png",
  ])
  func `a disk that fills up ends the run with 73, and no file is left`(_ output: String) throws {
    let words = (0..<4000).map { "word\($0 &* 7919 % 4001)" }.joined(separator: " ")
    _ = try folder.write(Array("<!DOCTYPE html><html lang=en><title>T</title><p>\(words)".utf8), to: "long.html")
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    let outcome = try run(blocks: 4, "long.html --progress never \(output)")
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.errorLines.last?.hasPrefix("typeset: ") == true, "\(outcome.errors)")
    #expect(try names(in: "out").isEmpty)
  }

  // MARK: Help

  @Test func `help names all verbs and ends well`() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.errors.isEmpty)
    for verb in ["set", "info", "fonts", "doctor", "snapshot"] {
      #expect(help.output.contains("\n  \(verb)"), "\(verb)")
    }
  }

  @Test(arguments: ["set", "info", "fonts", "doctor", "snapshot"]) func `each verb has its help`(_ verb: String) throws
  {
    let help = try run("help", verb)
    #expect(help.status == 0)
    #expect(help.output.contains("USAGE: typeset"))
    #expect(help.output == (try run(verb, "--help")).output)
  }

  @Test func `help for setting a book has each documented option`() throws {
    let help = try run("help", "set").output
    for option in [
      "--pages", "--contact-sheet",
      "--layout", "--text", "--stats", "--page-size", "--margin", "--scale",
      "--font-size", "--line-height",
      "--font-family", "--serif", "--sans", "--mono", "--publisher-styles", "--user-css", "--encoding", "--hyphenate",
      "--justify",
      "--only", "--chapters", "--media", "--font-dir", "--no-system-fonts", "--jobs", "--max-memory", "--max-time",
      "--progress", "--quiet", "--verbose",
    ] { #expect(help.contains(option), "\(option)") }
  }

  @Test func `the version names the libraries`() throws {
    let version = try run("--version")
    #expect(version.status == 0)
    for library in ["typeset", "HarfBuzz", "FreeType", "libxml2"] { #expect(version.output.contains(library)) }
  }

  // MARK: The program of snapshots

  /// Puts a built program into a folder of the test.
  private func install(_ program: URL, in place: String) throws -> URL {
    let folder = self.folder.url.appendingPathComponent(place)
    let copy = folder.appendingPathComponent(program.lastPathComponent)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A link, where both lie on one file system: the programs of a debug build are large.
    do { try FileManager.default.linkItem(at: program, to: copy) } catch {
      try FileManager.default.copyItem(at: program, to: copy)
    }
    return copy
  }

  @Test func `snapshots are another program, which lies beside this one or in libexec`() throws {
    let program = try install(BuiltProgram.url, in: "prefix/bin")
    let missing = try run(["snapshot", "verify", "--nonsense"], program: program)
    #expect(missing.status == 69 && missing.output.isEmpty)
    #expect(missing.errors.hasPrefix("typeset: typeset-snapshot is missing") && missing.errorLines.count == 1)
    #expect(try run(["--help"], program: program).output == run("--help").output)

    let help = try run("snapshot", "--help")
    #expect(help.status == 0 && help.output.contains("USAGE: typeset snapshot <subcommand>"))
    let link = folder.url.appendingPathComponent("typeset")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
    for place in ["prefix/libexec/typeset", "prefix/bin"] {
      let snapshots = try install(BuiltProgram.snapshots, in: place)
      for program in [program, link] {
        #expect(try run(["snapshot", "--help"], program: program).output == help.output)
        #expect(try run(["help", "snapshot"], program: program).output == help.output)
        #expect(try run(["snapshot", "verify", "--nonsense"], program: program).status == 64)
      }
      try FileManager.default.removeItem(at: snapshots)
    }
  }

  @Test func `what tells of all verbs tells of those of snapshots`() throws {
    for request in [["--generate-completion-script", "bash"], ["--experimental-dump-help"]] {
      let description = try run(request)
      #expect(description.status == 0 && description.output.contains("merge-driver"))
    }
  }

  @Test func `snapshots of another engine are refused`() throws {
    let outcome = try run(
      ["snapshot", "--help"], program: BuiltProgram.snapshots, environment: ["TYPESET_BUILD": "another"])
    #expect(outcome.status == 69 && outcome.output.isEmpty)
    #expect(outcome.errors.hasSuffix("typeset-snapshot: it is of another build than typeset\n"))
  }

  // MARK: Wrong command lines

  @Test(arguments: [
    [], ["--bogus", "page.html"], ["page.html", "more.html"], ["page.html", "--page-size", "0x0"],
    ["page.html", "--page-size", "wide"], ["page.html", "--only", "0"], ["page.html", "--only", "5-2"],
    ["page.html", "--chapters", "x"], ["page.html", "--jobs", "0"], ["page.html", "--scale", "0"],
    ["page.html", "--scale", "99"], ["page.html", "--hyphenate", "maybe"], ["page.html", "--justify", "left"],
    ["page.html", "--media", "braille"], ["page.html", "--max-time", "0"], ["page.html", "--max-memory", "much"],
    ["page.html", "--margin", "1em 2x"], ["page.html", "--font-size", "big"], ["page.html", "--text"],
    ["page.html", "--text", "-", "--layout", "-"], ["info"], ["info", "--bogus", "page.html"],
    ["page.html", "--encoding", "utf-9"], ["info", "page.html", "--encoding", ""],
    ["page.html", "--chapter-pattern", "(a"], ["info", "page.html", "--chapter-pattern", "a)"],
  ])
  func `a wrong command line is told in one line, and nothing is made`(_ arguments: [String]) throws {
    let before = try names(in: "")
    let outcome = try run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: ") || outcome.errors.hasPrefix("typeset: "))
    #expect(try names(in: "").filter { !$0.hasPrefix("standard-") } == before)
  }

  // MARK: Inputs

  @Test func `an input that is not there is exit code 66`() throws {
    for outcome in [try run("none.epub", "--text", "-"), try run("info", "none.epub")] {
      #expect(outcome.status == 66)
      #expect(outcome.errors == "typeset: none.epub: there is no such file\n")
    }
  }

  @Test func `an input that is no book is exit code 65`() throws {
    try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], to: "a.epub")
    for outcome in [try run("a.epub", "--text", "-"), try run("info", "a.epub")] {
      #expect(outcome.status == 65)
      #expect(outcome.errors == "typeset: a.epub: it is a PNG image, not a book\n")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `what a book lacks is a warning of one line that names the part`() throws {
    var book = BookFiles(chapters: ["<p>one</p>", "<p>two</p>"])
    book["O/c2.xhtml"] = nil
    try folder.write(book.archive(), to: "a.epub")
    let outcome = try run("a.epub", "--text", "-")
    #expect(outcome.status == 0)
    #expect(outcome.output == "one\n")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("a.epub") && outcome.errors.contains("O/c2.xhtml"))
  }

  @Test func `warnings of one kind are one line with their number, and all are listed where that is asked for`() throws
  {
    let broken = (0..<5).map { "<p><img src='\($0).png'/>&nothing\($0);</p>" }
    try folder.write(BookFiles(chapters: [broken.joined(), broken.joined()]).archive(), to: "a.epub")
    let short = try run("a.epub", "--layout", "l")
    #expect(short.status == 0)
    let entities = short.errorLines.filter { $0.contains("&nothing") }
    #expect(entities.count == 1)
    #expect(entities.first?.hasSuffix("(and 9 more of the kind in 2 parts; --verbose lists all)") == true)
    #expect(try run("a.epub", "--layout", "l", "--verbose").errorLines.filter { $0.contains("&nothing") }.count == 10)
    #expect(try run("a.epub", "--layout", "l", "--quiet").errors.isEmpty)
  }

  // MARK: Names that are not there

  @Test func `fonts that are not there are told, each with what is taken instead`() throws {
    let outcome = try run(
      "page.html", "--layout", "l", "--font-family", "No Such Face, serif", "--serif", "Nope", "--mono", "Neither")
    #expect(outcome.status == 0)
    for name in ["--font-family “No Such Face”", "--serif “Nope”", "--mono “Neither”"] {
      #expect(outcome.errorLines.filter { $0.contains(name) && $0.contains("no face has this name") }.count == 1)
    }
    #expect(outcome.errorLines.count == 3)
    #expect(try run("page.html", "--layout", "l", "--font-family", "sans-serif").errors.isEmpty)
    try folder.write(
      Array("<!DOCTYPE html><style>@font-face { font-family: Own; src: local(x) }</style><p>Some words".utf8),
      to: "own.html")
    #expect(!(try run("own.html", "--layout", "l", "--font-family", "Own").errors.contains("no face has this name")))
  }

  @Test func `a folder of fonts that is not there is exit code 66, and one without fonts is told`() throws {
    for arguments in [["page.html", "--layout", "l", "--font-dir", "none"], ["fonts", "--font-dir", "page.html"]] {
      let outcome = try run(arguments)
      #expect(outcome.status == 66 && outcome.errorLines.count == 1 && outcome.errors.contains("--font-dir"))
    }
    try folder.write([1], to: "empty/readme")
    let outcome = try run("page.html", "--layout", "l", "--font-dir", "empty")
    #expect(outcome.status == 0 && outcome.errors.contains("--font-dir empty: there is no font"))
  }

  @Test func `ranges past the end are an error, or a warning where some of them is there`() throws {
    try folder.write(BookFiles(chapters: ["<p>one</p>", "<p>two</p>"]).archive(), to: "a.epub")
    for (option, range, count) in [("--only", "3", "2 pages"), ("--only", "4-9", "2 pages"), ("--chapters", "3-", "2")]
    {
      let outcome = try run("a.epub", option, range, "--layout", "layout")
      #expect(outcome.status == 66 && outcome.errorLines.count == 1 && outcome.errors.contains("the book has \(count)"))
      #expect(try !names(in: "").contains("layout"))
    }
    for option in ["--only", "--chapters"] {
      let outcome = try run("a.epub", option, "2-9", "--layout", "-")
      #expect(outcome.status == 0 && outcome.errorLines.count == 1 && outcome.errors.contains("to 9 are asked for"))
      #expect(outcome.output.split(separator: "\n").count == 2)
    }
    #expect(try run("a.epub", "--only", "2-", "--layout", "-").errors.isEmpty)
  }

  @Test func `the encoding of a text can be named, and info tells it`() throws {
    try folder.write([0x64, 0xE9, 0x6A, 0xE0], to: "a.txt")
    #expect(try run("a.txt", "--text", "-", "--encoding", "latin1").output == "déjà\n")
    let greek = try run("a.txt", "--text", "-", "--encoding", "CP1253")
    #expect(greek.output == "dιjΰ\n" && greek.errors.isEmpty)
    #expect(try run("a.txt", "--text", "-").errors.contains("--encoding"))
    #expect(try run("info", "a.txt", "--encoding", "l1").output.contains("windows-1252\n"))
    #expect(try run("info", "a.txt").output.contains("(guessed)"))
  }

  @Test(.enabled(if: OptionalLibrary.pcre2.isInstalled, "PCRE2 is not installed"))
  func `the lines that begin chapters of a text can be said`() throws {
    try folder.write(Array("# a\none\n## b\ntwo\n".utf8), to: "a.txt")
    let patterns = ["--chapter-pattern", "^# ", "--chapter-pattern", "^## "]
    #expect(try run(["a.txt", "--layout", "-"] + patterns).output.split(separator: "\n").count == 3)
    let contents = try run(["info", "a.txt"] + patterns).output
    #expect(contents.contains("  # a  [a.txt/1]\n    ## b  [a.txt/2]\n"), "\(contents)")
    #expect(try run("a.txt", "--text", "-", "--chapter-pattern", "^=").errors.contains("no line matches"))
  }

  // MARK: Outputs

  @Test func `text goes to standard output, and nothing else does`() throws {
    let outcome = try run("page.html", "--text", "-")
    #expect(outcome.status == 0 && outcome.output == "Some words\n" && outcome.errors.isEmpty)
  }

  @Test func `without an output pages go to a folder named after the input`() throws {
    #expect(try run("page.html", "--quiet").status == 0)
    #expect(try names(in: "page") == ["page-0001.png"])
  }

  @Test func `all outputs come of one run, and files that are there are left alone`() throws {
    try folder.write([1], to: "out/other")
    let outcome = try run("page.html", "--pages", "out", "--layout", "layout", "--text", "text", "--stats", "stats")
    #expect(outcome.status == 0)
    #expect(try names(in: "out") == ["other", "page-0001.png"])
    #expect(try String(contentsOfFile: folder.path("text"), encoding: .utf8) == "Some words\n")
    let lines = try String(contentsOfFile: folder.path("layout"), encoding: .utf8).split(separator: "\n")
    let records = try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    #expect(records.map { $0["type"] as? String } == ["book", "page"])
    #expect(records.first?["title"] as? String == "A title")
    let stats = try Data(contentsOf: URL(fileURLWithPath: folder.path("stats")))
    let counters = try #require(JSONSerialization.jsonObject(with: stats) as? [String: Any])
    #expect(counters["pages"] as? Int == 1 && counters["chapters"] as? Int == 1)
  }

  @Test func `a folder that is not there is exit code 73, and named`() throws {
    let outcome = try run("page.html", "--text", "none/text")
    #expect(outcome.status == 73)
    #expect(outcome.errors == "typeset: page.html: none/text: cannot be written: no such file or directory\n")
  }

  @Test func `only the pages asked for are written`() throws {
    let book = BookFiles(chapters: ["<p>one</p>", "<p>two</p>", "<p>three</p>"])
    try folder.write(book.archive(), to: "a.epub")
    #expect(try run("a.epub", "--pages", "out", "--only", "2-3").status == 0)
    #expect(try names(in: "out") == ["page-0002.png", "page-0003.png"])
    #expect(try run("a.epub", "--text", "-", "--chapters", "2").output == "two\n")
  }

  @Test func `the number of workers changes no byte`() throws {
    let book = BookFiles(chapters: (0..<6).map { "<h1>\($0)</h1><p>Some words of a chapter.</p>" })
    try folder.write(book.archive(), to: "a.epub")
    let one = try run("a.epub", "--layout", "-", "--jobs", "1")
    let three = try run("a.epub", "--layout", "-", "--jobs", "3")
    #expect(one.status == 0 && one.output == three.output)
  }

  @Test func `info tells of a book in words and in JSON`() throws {
    try folder.write(BookFiles(chapters: ["<p>one</p>"]).archive(), to: "a.epub")
    let words = try run("info", "a.epub")
    #expect(words.status == 0 && words.output.contains("T"))
    let json = try run("info", "a.epub", "--json")
    let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(json.status == 0 && !object.isEmpty)
  }
}
