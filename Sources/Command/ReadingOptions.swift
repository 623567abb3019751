import ArgumentParser
import FoundationEssentials
import Typesetting

struct ReadingOptions: TabledOptions {
  @Option(
    help: ArgumentHelp("The base font size in CSS px, or with a unit such as 12pt. (default: 16px)", valueName: "size"))
  var fontSize: FontSizeArgument?

  @Option(
    help: ArgumentHelp(
      "Line height of body text as a multiple of the font size. (default: the book's)", valueName: "factor"))
  var lineHeight: Double?

  @Option(help: ArgumentHelp("Families for body text, separated by commas. (default: the book's)", valueName: "names"))
  var fontFamily: String?

  @Option(help: ArgumentHelp("What serif stands for.", valueName: "name"))
  var serif: String?

  @Option(help: ArgumentHelp("What sans-serif stands for.", valueName: "name"))
  var sans: String?

  @Option(help: ArgumentHelp("What monospace stands for.", valueName: "name"))
  var mono: String?

  @Option(help: ArgumentHelp("Whether the book's own style sheets count. (default: on)", valueName: "on|off"))
  var publisherStyles: Switch?

  @Option(
    name: .customLong("user-css"), help: ArgumentHelp("A style sheet of yours.", valueName: "file"),
    completion: .file(extensions: ["css"]))
  var userStyleSheet: String?

  @Option(
    help: ArgumentHelp(
      "The encoding of a plain text, a text of Markdown, a page or a FictionBook, such as windows-1251. (default: as it says itself, or else a guess)",
      valueName: "name"))
  var encoding: String?

  @Option(
    help: ArgumentHelp(
      "What holds where neither the book nor these options say anything: the initial values of CSS, or our best practice for each language (indents, justification, spacing of marks). (default: book)",
      valueName: "book|house"))
  var style: TypesettingSettings.Style?

  @Option(
    help: ArgumentHelp(
      "Where notes stand that the book marks as such: where it has them, or at the foot of the page of their mark. (default: book)",
      valueName: "book|foot"))
  var notes: TypesettingSettings.Notes?

  @Option(help: ArgumentHelp("Hyphenation; auto is as the book says. (default: auto)", valueName: "auto|on|off"))
  var hyphenate: Typesetting.ReaderChoice?

  @Option(
    help: ArgumentHelp(
      "Words with hyphens where they may be divided, one a line; those after a line such as [de] are of that language.",
      valueName: "file"), completion: .file())
  var hyphenationExceptions: String?

  @Flag(help: "Hyphenate words in capitals, too.")
  var hyphenateCapitals = false

  @Option(help: ArgumentHelp("Justification; auto is as the book says. (default: auto)", valueName: "auto|on|off"))
  var justify: Typesetting.ReaderChoice?

  @Option(
    help: ArgumentHelp(
      "Whether 。！？ within a line may give up their blank half in Chinese set in the house style. (default: on)",
      valueName: "on|off"))
  var reduceStops: Switch?

  @Option(
    help: ArgumentHelp("Whether lines of body text stand on one grid on all pages. (default: off)", valueName: "on|off")
  )
  var baselineGrid: Switch?

  @Option(
    help: ArgumentHelp(
      "Whether Chinese and Japanese characters stand in columns, with Western words between them in whole ems. (default: off)",
      valueName: "on|off"))
  var characterGrid: Switch?

  @Option(help: ArgumentHelp("Whether facing pages end at the same depth. (default: off)", valueName: "on|off"))
  var balancePages: Switch?

  @Option(
    help: ArgumentHelp(
      "Whether pages are filled line by line, or paragraphs set in one line more or less where that fills a page, keeps a rule of breaking or spares the chapter a last page of a few lines; auto is pages in the house style. (default: auto)",
      valueName: "auto|lines|pages"))
  var compose: TypesettingSettings.Composition?

  @Option(
    help: ArgumentHelp(
      "Whether glyphs and letters of justified lines in Latin, Greek and Cyrillic take part in justification, by 2 % of their width and 1 % of an em at most; auto is on in the house style. (default: auto)",
      valueName: "auto|on|off"))
  var micro: Typesetting.ReaderChoice?

  static let rows: [ArgumentRow<Self>] = [
    .option("font-size") { $0.fontSize = $1 },
    .option("line-height") { $0.lineHeight = $1 },
    .option("font-family") { $0.fontFamily = $1 },
    .option("serif") { $0.serif = $1 },
    .option("sans") { $0.sans = $1 },
    .option("mono") { $0.mono = $1 },
    .option("publisher-styles") { $0.publisherStyles = $1 },
    .option("user-css") { $0.userStyleSheet = $1 },
    .option("encoding") { $0.encoding = $1 },
    .option("style") { $0.style = $1 },
    .option("notes") { $0.notes = $1 },
    .option("hyphenate") { $0.hyphenate = $1 },
    .option("hyphenation-exceptions") { $0.hyphenationExceptions = $1 },
    .flag("hyphenate-capitals") { $0.hyphenateCapitals = $1 },
    .option("justify") { $0.justify = $1 },
    .option("reduce-stops") { $0.reduceStops = $1 },
    .option("baseline-grid") { $0.baselineGrid = $1 },
    .option("character-grid") { $0.characterGrid = $1 },
    .option("balance-pages") { $0.balancePages = $1 },
    .option("compose") { $0.compose = $1 },
    .option("micro") { $0.micro = $1 },
  ]

  mutating func validate() throws {
    if let lineHeight, !(lineHeight >= 0.5 && lineHeight <= 10) {
      throw ValidationError("--line-height takes a number from 0.5 to 10")
    }
    try checkEncoding(encoding)
    if let fontSize, !(fontSize.pixels >= 1 && fontSize.pixels <= 500) {
      throw ValidationError("--font-size takes a size from 1px to 500px")
    }
  }

  func apply(to settings: inout TypesettingSettings) throws {
    if let fontSize { settings.fontSize = Float(fontSize.pixels) }
    settings.lineHeight = lineHeight.map { Float($0) }
    if let fontFamily {
      settings.fontFamily = fontFamily.split(separator: ",").map(trimmingQuotes).filter { !$0.isEmpty }
    }
    settings.serif = serif
    settings.sans = sans
    settings.mono = mono
    settings.publisherStyles = publisherStyles != .off
    settings.style = style ?? .book
    settings.notes = notes ?? .book
    settings.hyphenate = hyphenate ?? .auto
    settings.justify = justify ?? .auto
    settings.reducesStops = reduceStops != .off
    settings.baselineGrid = baselineGrid == .on
    settings.characterGrid = characterGrid == .on
    settings.balancesPages = balancePages == .on
    settings.compose = compose ?? .auto
    settings.micro = micro ?? .auto
    settings.hyphenatesCapitals = hyphenateCapitals
    if let path = userStyleSheet { settings.userStyleSheet = try text(of: path, "the style sheet") }
    if let path = hyphenationExceptions {
      settings.hyphenationExceptions = try text(of: path, "the list of words")
    }
  }

  private func text(of path: String, _ name: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      DiagnosticPrinter.fail("\(path): \(name) cannot be read")
      throw ExitCode(66)
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// - Throws: `ValidationError` with all names where an encoding is not known by its name.
func checkEncoding(_ name: String?) throws {
  guard let name, Book.Encoding.name(for: name) == nil else { return }
  throw ValidationError(
    "no encoding is known as “\(name)”; known are \(Book.Encoding.names.joined(separator: ", "))")
}

enum Switch: String, ChoiceArgument { case on, off }

/// A font size in px, pt, em or per cent.
struct FontSizeArgument: ExpressibleByArgument {
  var pixels: Double

  init?(argument: String) {
    let text = argument.lowercased()
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits), number.isFinite, number > 0 else { return nil }
    switch text.dropFirst(digits.count) {
    case "", "px": pixels = number
    case "pt": pixels = number * 96 / 72
    case "em", "rem": pixels = number * 16
    case "%": pixels = number * 16 / 100
    default: return nil
    }
  }
}

struct FontOptions: TabledOptions {
  @Option(
    help: ArgumentHelp(
      "A folder with fonts to use beside the system's; may be given several times.", valueName: "folder"),
    completion: .directory)
  var fontDir: [String] = []

  @Flag(help: "Use only the book's fonts and those of --font-dir.")
  var noSystemFonts = false

  static let rows: [ArgumentRow<Self>] = [
    .repeated("font-dir") { options, folder in
      if let folder { options.fontDir.append(folder) } else { options.fontDir = [] }
    },
    .flag("no-system-fonts") { $0.noSystemFonts = $1 },
  ]

  /// - Throws: `ExitCode` where a folder is not there, which has been told then.
  func check() throws {
    for folder in fontDir {
      var isFolder = false
      let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
      if exists, isFolder { continue }
      DiagnosticPrinter.fail("--font-dir \(folder): \(exists ? "it is no folder" : "there is no such folder")")
      throw ExitCode(66)
    }
  }

  func apply(to settings: inout TypesettingSettings) {
    settings.fontDirectories = fontDir
    settings.usesSystemFonts = !noSystemFonts
  }
}

/// A family's name without the white space and the quotes around it.
func trimmingQuotes(_ name: Substring) -> String {
  func isAround(_ character: Character) -> Bool { character.isWhitespace || character == "'" || character == "\"" }
  guard let first = name.firstIndex(where: { !isAround($0) }), let last = name.lastIndex(where: { !isAround($0) })
  else {
    return ""
  }
  return String(name[first...last])
}
