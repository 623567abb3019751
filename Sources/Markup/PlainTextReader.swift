package import Primitives

/// A plain text taken apart: its chapters, which become documents when asked for.
package struct PlainTextBook: Sendable {
  package struct Heading: Hashable, Sendable {
    package var title: String
    /// From 0, as in the table of contents.
    package var level: Int
    /// Of its element, where it does not begin the chapter.
    package var id: String?
  }

  package struct Chapter: Sendable {
    /// Its headings: none for what stands before the first, two where a volume begins with it, more where sections do
    /// not begin chapters.
    package var headings: [Heading]
    /// Lines, headings included.
    var lines: Range<Int>
    /// The lines that are headings, with the level of each and the lines of the title that belong to it.
    var headingLines: [(line: Int, level: Int, subtitle: Range<Int>)]

    package var title: String? { headings.last { $0.id == nil }?.title }
  }

  package internal(set) var title = ""
  package internal(set) var author: String?
  /// Guessed from the characters, a BCP 47 tag; empty when unknown.
  package internal(set) var language = ""
  /// The encoding it was decoded from, and what was not valid in it.
  package internal(set) var encoding = TextEncoding(name: "UTF-8", guess: .none)
  package internal(set) var diagnostics = DiagnosticSink()
  package internal(set) var chapters: [Chapter] = []
  /// What the reader says that the lines match which begin chapters.
  var chapterPatterns: [RegularExpression] = []
  /// The lines in which the text names its title and its author.
  var front: (title: Int?, author: Int?)
  /// In texts of Aozora Bunko: lines inside blocks that are set in or apart.
  var aozoraBlocks: [Int: AozoraMarkup.Layout] = [:]
  var notices = PlainTextNotices()
  var blocks = PlainTextBlocks()
  let source: PlainTextLines
  var style = PlainTextStyle()

  /// Folds in all of the text, and what the reader says of its chapters.
  package func combineContents(into hasher: inout StableHasher) {
    hasher.combine(source.text)
    for pattern in chapterPatterns { hasher.combine(pattern.pattern) }
  }

  /// Bytes of a chapter's text in UTF-8.
  package func size(of chapter: Int) -> Int {
    guard chapters.indices.contains(chapter) else { return 0 }
    let lines = chapters[chapter].lines
    guard let first = lines.first, let last = lines.last, last < source.lines.count else { return 0 }
    return source.lines[last].range.upperBound - source.lines[first].range.lowerBound
  }
}

/// Lines that are no paragraphs of prose.
struct PlainTextBlocks: Sendable {
  var tables = PlainTextTables()
  var items = PlainTextItems()
  var contents = PlainTextContents()
  var verse = PlainTextVerse()
  var sections = PlainTextSections()
}

/// Reads plain text: encoding, language, chapters and paragraphs are all guessed, since nothing says them.
package enum PlainTextReader {
  /// Takes a text apart; nil for bytes that are no text.
  ///
  package static func read(
    _ bytes: [UInt8], name: String, hints: TextHints = TextHints(), limits: Limits = Limits()
  ) -> PlainTextBook? {
    guard let decoded = EncodingSniffer.decodePlainText(bytes, encoding: hints.encoding) else { return nil }
    var book = PlainTextBook(source: PlainTextLines(decoded.bytes))
    book.encoding = decoded.textEncoding
    decoded.report(name, to: &book.diagnostics)
    book.language = LanguageGuess.language(of: book.source.text.prefix(1 << 18))
    book.style = PlainTextStyle(book.source, language: book.language)
    if book.style.isAozora { book.aozoraBlocks = AozoraMarkup.blocks(in: book.source) }
    book.notices = PlainTextNotices(book.source)
    book.blocks.tables = PlainTextTables(book.source)
    if !book.style.isAozora { book.blocks.items = PlainTextItems(book.source) }
    if book.style.wrapColumn != nil { book.blocks.contents = PlainTextContents(book.source) }
    book.chapterPatterns = hints.chapterPatterns
    book.findChapters(name: name)
    book.findTitle(name: name)
    book.findVerse()
    return book
  }
}
