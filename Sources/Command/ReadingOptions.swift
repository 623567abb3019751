import ArgumentParser
import BookOutput
import FoundationEssentials
import Markup
import Typesetting

struct ReadingOptions: TabledOptions {
  var fontSize: FontSizeArgument?
  var userStyleSheet: String?
  var encoding: String?
  var chapterPattern: [String] = []
  var hyphenationExceptions: String?
  var hyphenatesCapitals = false
  /// Those that take a word, a switch or a name.
  var chosen: TypesettingSettings?

  static let rows: [ArgumentRow<Self>] =
    [
      .option("font-size", "size", "The base font size in CSS px, or with a unit such as 12pt. (default: 16px)") {
        $0.fontSize = $1
      },
      .option("user-css", "file", "A style sheet of yours.", completion: .file(extensions: ["css"])) {
        $0.userStyleSheet = $1
      },
      .option(
        "encoding", "name",
        """
        The encoding of a plain text, a text of Markdown, a page or a FictionBook, such as windows-1251. \
        (default: as it says itself, or else a guess)
        """
      ) { $0.encoding = $1 },
      .repeated("chapter-pattern", "regex", "\(ChapterPatterns.help) (default: they are found out)") {
        options, pattern in
        if let pattern { options.chapterPattern.append(pattern) } else { options.chapterPattern = [] }
      },
      .option(
        "hyphenation-exceptions", "file",
        """
        Words with hyphens where they may be divided, one a line; those after a line such as [de] are of that \
        language.
        """,
        completion: .file()
      ) { $0.hyphenationExceptions = $1 },
      .flag("hyphenate-capitals", "Hyphenate words in capitals, too.") { $0.hyphenatesCapitals = $1 },
    ] + settings.map { setting, name in .setting(setting, named: name, in: \.chosen) }

  /// Those of the settings that have options here, with their names.
  private static let settings = Setting.withOptions { !PageOptions.settings.contains($0) }

  mutating func validate() throws {
    try checkEncoding(encoding)
    try ChapterPatterns.check(chapterPattern)
    if let fontSize, !(fontSize.pixels >= 1 && fontSize.pixels <= 500) {
      throw ValidationError("--font-size takes a size from 1px to 500px")
    }
  }

  func apply(to settings: inout TypesettingSettings) throws {
    // Most command lines name none of them, and the table is not made for these.
    if let chosen { for (setting, _) in Self.settings { setting.copy(from: chosen, to: &settings) } }
    if let fontSize { settings.fontSize = Float(fontSize.pixels) }
    settings.hyphenatesCapitals = hyphenatesCapitals
    if let path = userStyleSheet { settings.userStyleSheet = try text(of: path, "the style sheet") }
    if let path = hyphenationExceptions {
      settings.hyphenationExceptions = try text(of: path, "the list of words")
    }
  }

  /// What is said of the text.
  ///
  /// - Throws: `ExitCode` where the library is missing that patterns are matched by, which has been told then.
  func hints() throws -> TextHints {
    TextHints(
      encoding: encoding, chapterPatterns: try ChapterPatterns.compiled(chapterPattern).map(\.expression))
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

/// Patterns of the lines that begin chapters of plain texts.
enum ChapterPatterns {
  static let help = """
    A regular expression for the lines that begin chapters of a plain text; given several times, the outermost level \
    first.
    """

  /// - Throws: `ValidationError` for one that is not valid.
  static func check(_ patterns: [String]) throws {
    for pattern in patterns {
      do throws(Book.PatternError) { _ = try Book.ChapterPattern(pattern) } catch {
        if case .unavailable = error { continue }
        throw ValidationError("--chapter-pattern \(pattern): \(error)")
      }
    }
  }

  /// The patterns, which are valid.
  ///
  /// - Throws: `ExitCode` where the library is missing that they are matched by, which has been told then.
  static func compiled(_ patterns: [String]) throws -> [Book.ChapterPattern] {
    do throws(Book.PatternError) {
      return try patterns.map { pattern throws(Book.PatternError) in try Book.ChapterPattern(pattern) }
    } catch {
      DiagnosticPrinter.fail("--chapter-pattern: \(error)")
      throw ExitCode(BookError(.unavailable, error.description).exitCode)
    }
  }
}

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
  var fontDir: [String] = []
  var noSystemFonts = false

  static let rows: [ArgumentRow<Self>] = [
    .repeated(
      "font-dir", "folder", "A folder with fonts to use beside the system's; may be given several times.",
      completion: .directory
    ) { options, folder in
      if let folder { options.fontDir.append(folder) } else { options.fontDir = [] }
    },
    .flag("no-system-fonts", "Use only the book's fonts and those of --font-dir.") { $0.noSystemFonts = $1 },
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
