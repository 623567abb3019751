import ArgumentParser
import BookOutput
import FoundationEssentials
import Primitives
import Typesetting

/// `typeset info`: what a book says about itself.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show a book's metadata, table of contents, spine, fonts and warnings.")

  @Argument(
    help:
      "An EPUB file or folder, a FictionBook (FB2), a MOBI or AZW3 book, an HTML or XHTML page, Markdown, or a plain text.",
    completion: .file())
  var book: String

  @Option(
    help: ArgumentHelp(
      "The encoding of a plain text, a text of Markdown, a page or a FictionBook.", valueName: "name"))
  var encoding: String?

  @Option(name: .customLong("chapter-pattern"), help: ArgumentHelp("\(ChapterPatterns.help)", valueName: "regex"))
  var chapterPatterns: [String] = []

  @Flag(help: "Write JSON.")
  var json = false

  @Flag(help: "Show what keeps the book from PDF/UA-1 instead, and end with exit code 65 if anything does.")
  var accessibility = false

  func validate() throws {
    try checkEncoding(encoding)
    try ChapterPatterns.check(chapterPatterns)
  }

  func run() throws {
    let chapterPatterns = try ChapterPatterns.compiled(chapterPatterns)
    let opened: Book
    do {
      opened = try Book(contentsOf: book, encoding: encoding, chapterPatterns: chapterPatterns)
    } catch {
      DiagnosticPrinter(input: book, isQuiet: false, isVerbose: false).print(error)
      throw ExitCode(error.exitCode)
    }
    if accessibility { return try checkAccessibility(of: opened) }
    if json {
      StandardStream.output.write(Self.json(opened))
    } else {
      StandardStream.output.write(Self.text(opened).utf8)
    }
    try DiagnosticPrinter.checkOutput()
  }

  private func checkAccessibility(of book: Book) throws {
    let faults = AccessibilityReport.faults(of: book)
    if json {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("conforms")
      writer.value(faults.isEmpty)
      writer.key("faults")
      writer.beginArray()
      for fault in faults { Self.write(fault, count: 1, to: &writer) }
      writer.endArray()
      writer.endObject()
      writer.newline()
      StandardStream.output.write(writer.bytes)
    } else {
      let lines = faults.isEmpty ? ["nothing keeps the book from PDF/UA-1"] : faults.map { $0.placePrefix + $0.message }
      StandardStream.output.write((lines.joined(separator: "\n") + "\n").utf8)
    }
    try DiagnosticPrinter.checkOutput()
    if !faults.isEmpty { throw ExitCode(65) }
  }

  private static func write(_ diagnostic: Diagnostic, count: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.value(diagnostic.code)
    if !diagnostic.resource.isEmpty {
      writer.key("resource")
      writer.value(diagnostic.resource)
    }
    writer.key("line")
    writer.value(diagnostic.line)
    writer.key("message")
    writer.value(diagnostic.message)
    writer.key("count")
    writer.value(count)
    writer.endObject()
  }

  private static func text(_ book: Book) -> String {
    var lines: [String] = []
    let metadata = book.metadata
    func row(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      lines.append(name + String(repeating: " ", count: max(1, 14 - name.count)) + value)
    }
    row("Title", metadata.title)
    for creator in metadata.creators { row("Creator", creator.name + (creator.role.map { " (\($0))" } ?? "")) }
    for contributor in metadata.contributors {
      row("Contributor", contributor.name + (contributor.role.map { " (\($0))" } ?? ""))
    }
    row("Language", metadata.language)
    row("Identifier", metadata.identifier)
    row("Publisher", metadata.publisher)
    row("Date", metadata.date)
    row("Rights", metadata.rights)
    for subject in metadata.subjects { row("Subject", subject) }
    row("Kind", kind(of: book))
    row("Encoding", book.encoding.map { $0.name + ($0.isGuessed ? " (guessed)" : "") })
    let rendition = metadata.rendition
    row("Layout", metadata.isFixedLayout ? "fixed" : rendition.layout.rawValue)
    if rendition.flow != .auto { row("Flow", rendition.flow.rawValue) }
    if rendition.orientation != .auto { row("Orientation", rendition.orientation.rawValue) }
    if rendition.spread != .auto { row("Spread", rendition.spread.rawValue) }
    row("Direction", metadata.isRightToLeft ? "right to left" : nil)
    row("Cover", book.coverPath)
    row("Description", metadata.description)
    if !book.tableOfContents.isEmpty {
      lines += ["", "Contents"]
      for entry in book.tableOfContents {
        lines.append(
          String(repeating: "  ", count: entry.level + 1) + entry.title + (entry.href.map { "  [\($0)]" } ?? ""))
      }
    }
    lines += ["", "Spine"]
    for (index, chapter) in book.chapters.enumerated() {
      lines.append(
        "  \(index + 1)  \(chapter.href)" + (chapter.isLinear ? "" : "  (not linear)")
          + (chapter.title.map { "  \($0)" } ?? ""))
    }
    if !book.fontFiles.isEmpty { lines += ["", "Fonts"] + book.fontFiles.map { "  " + $0 } }
    let warnings = Self.warnings(of: book)
    if !warnings.isEmpty {
      lines += ["", "Warnings"]
      for (diagnostic, count) in warnings {
        lines.append("  " + diagnostic.placePrefix + diagnostic.message + (count > 1 ? " (\(count) times)" : ""))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Faults of the package, and the scripts that no font has.
  private static func warnings(of book: Book) -> [(diagnostic: Diagnostic, count: Int)] {
    book.countedDiagnostics + FontReport.missing(in: book).map { ($0, 1) }
  }

  private static func kind(of book: Book) -> String {
    switch book.kind {
    case .epub: "EPUB \(book.metadata.version)"
    case .html: "HTML"
    case .text: "plain text"
    case .fictionBook: "FictionBook"
    case .markdown: "Markdown"
    case .kindle: "Kindle"
    }
  }

  private static func json(_ book: Book) -> [UInt8] {
    var writer = JSONWriter()
    let metadata = book.metadata
    func optional(_ key: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      writer.key(key)
      writer.value(value)
    }
    func people(_ key: String, _ list: [Book.Contributor]) {
      writer.key(key)
      writer.beginArray()
      for person in list {
        writer.beginObject()
        writer.key("name")
        writer.value(person.name)
        optional("role", person.role)
        optional("direction", person.direction?.rawValue)
        writer.endObject()
      }
      writer.endArray()
    }
    func strings(_ key: String, _ list: [String]) {
      writer.key(key)
      writer.beginArray()
      for text in list { writer.value(text) }
      writer.endArray()
    }
    /// Differences from another rendition, the layout aside.
    func rendition(_ own: Book.Rendition, beside other: Book.Rendition) {
      if own.flow != other.flow { optional("flow", own.flow.rawValue) }
      if own.orientation != other.orientation { optional("orientation", own.orientation.rawValue) }
      if own.spread != other.spread { optional("spread", own.spread.rawValue) }
    }
    writer.beginObject()
    writer.key("kind")
    writer.value(book.kind.rawValue)
    optional("encoding", book.encoding?.name)
    if let encoding = book.encoding {
      writer.key("encodingGuessed")
      writer.value(encoding.isGuessed)
    }
    writer.key("title")
    writer.value(metadata.title)
    optional("titleDirection", metadata.titleDirection?.rawValue)
    people("creators", metadata.creators)
    people("contributors", metadata.contributors)
    writer.key("language")
    writer.value(metadata.language)
    optional("identifier", metadata.identifier)
    optional("publisher", metadata.publisher)
    optional("date", metadata.date)
    optional("rights", metadata.rights)
    optional("description", metadata.description)
    strings("subjects", metadata.subjects)
    optional("version", metadata.version)
    writer.key("layout")
    writer.value(metadata.rendition.layout.rawValue)
    rendition(metadata.rendition, beside: Book.Rendition.plain)
    optional("activeClass", metadata.activeClass)
    optional("playbackActiveClass", metadata.playbackActiveClass)
    writer.key("pageProgression")
    writer.value(metadata.isRightToLeft ? "rtl" : "ltr")
    optional("cover", book.coverPath)
    writer.key("contents")
    writer.beginArray()
    for entry in book.tableOfContents {
      writer.beginObject()
      writer.key("title")
      writer.value(entry.title)
      optional("href", entry.href)
      writer.key("level")
      writer.value(entry.level)
      writer.endObject()
    }
    writer.endArray()
    writer.key("spine")
    writer.beginArray()
    for chapter in book.chapters {
      writer.beginObject()
      writer.key("href")
      writer.value(chapter.href)
      writer.key("mediaType")
      writer.value(chapter.mediaType)
      optional("title", chapter.title)
      writer.key("linear")
      writer.value(chapter.isLinear)
      if chapter.rendition.layout != metadata.rendition.layout {
        optional("layout", chapter.rendition.layout.rawValue)
      }
      rendition(chapter.rendition, beside: metadata.rendition)
      writer.endObject()
    }
    writer.endArray()
    strings("fonts", book.fontFiles)
    writer.key("warnings")
    writer.beginArray()
    for (diagnostic, count) in warnings(of: book) { write(diagnostic, count: count, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
