/// The style in which a plain text marks its paragraphs.
struct PlainTextStyle: Sendable {
  /// Lines were broken at this column; nil when a line is a paragraph.
  var wrapColumn: Int?
  /// Lines were broken at the column, and paragraphs of one line stand among them.
  var hasShortParagraphs = false
  /// Korean lines were broken at the column wherever that was, and not between words.
  private(set) var breaksInsideWords = false
  /// Columns most paragraphs are indented by.
  var indent = 0
  /// Ruby and notes as in Aozora Bunko: 漢字《かんじ》, ［＃note］.
  var isAozora = false
  /// Lines of one paragraph are joined without a space.
  var isEastAsian = false
  var language = ""
  /// What programs are told in a digitised classic.
  private(set) var marks = PlainTextMarks()
  /// Lines of East Asian text that were broken at the column of those around them, whatever that of the whole text is.
  private var runs = PlainTextRuns()

  init() {}

  init(_ source: PlainTextLines, language: String) {
    self.language = language
    isEastAsian = language.hasPrefix("zh") || language == "ja"
    if isEastAsian { marks = PlainTextMarks(source) }
    if language == "ja" { isAozora = Self.hasAozoraRuby(source) }
    let lines = source.lines
    var indents = [Int](repeating: 0, count: 9)
    var widths = [Int](repeating: 0, count: 132)
    var inner: [Int] = []
    for index in lines.indices where !lines[index].isBlank {
      indents[min(lines[index].indent, 8)] += 1
      guard index + 1 < lines.count, !lines[index + 1].isBlank, lines[index + 1].indent <= lines[index].indent else {
        continue
      }
      inner.append(index)
      widths[min(lines[index].width, 131)] += 1
    }
    indent = indents.indices.max { indents[$0] < indents[$1] } ?? 0
    guard inner.count >= 8 else { return }
    if isEastAsian { runs = PlainTextRuns(source, inner: inner) }
    /// The width that hardly any line exceeds.
    func column(exceededBy most: Int) -> Int {
      var beyond = 0
      var column = 131
      while column > 0, beyond + widths[column] <= most {
        beyond += widths[column]
        column -= 1
      }
      return column
    }
    func fullLines(_ column: Int) -> [Int] {
      (20...120).contains(column) ? inner.filter { isFull($0, source, column: column) } : []
    }
    let strict = column(exceededBy: inner.count / 100)
    if fullLines(strict).count * 10 >= inner.count * 6 {
      wrapColumn = strict
      // Of lines that are broken between words, half leave more room than a syllable and a space take.
      if language == "ko" {
        let syllables = inner.filter { Self.endsWithHangul($0, source) }
        let filled = syllables.count { lines[$0].indent + lines[$0].width >= strict - 2 }
        breaksInsideWords = filled > 0 && filled * 4 >= syllables.count * 3
      }
      return
    }
    // Lines that mostly end in the middle of a sentence were broken there, also where there are short paragraphs and a few
    // lines are longer. A table or addresses may exceed the margin of all other lines.
    for share in [30, 12, 6] {
      let column = column(exceededBy: inner.count / share)
      let full = fullLines(column)
      let open = full.count { !PlainTextLines.endsSentence(source[$0].last) }
      guard full.count * 5 >= inner.count * 2, open * 4 >= full.count * 3 else { continue }
      wrapColumn = column
      hasShortParagraphs = isEastAsian
      return
    }
  }

  /// The line ends with a syllable: commands and addresses are not broken where the margin is.
  private static func endsWithHangul(_ line: Int, _ source: PlainTextLines) -> Bool {
    source[line].last.map { (0xAC00..<0xD7A4).contains($0.value) } ?? false
  }

  /// The next line goes on with the sentence of this one: its first word found no room here.
  func continues(_ index: Int, _ source: PlainTextLines) -> Bool {
    let lines = source.lines
    guard index + 1 < lines.count, !lines[index].isBlank, !lines[index + 1].isBlank else { return false }
    guard lines[index + 1].indent <= lines[index].indent + 1 || lines[index + 1].indent <= indent else { return false }
    if runs.fills(index) { return true }
    guard let wrapColumn else { return false }
    if hasShortParagraphs, !PlainTextLines.endsSentence(source[index].last) {
      return lines[index].width >= wrapColumn * 3 / 4
    }
    return isFull(index, source, column: wrapColumn)
  }

  private func isFull(_ index: Int, _ source: PlainTextLines, column: Int) -> Bool {
    let line = source.lines[index]
    guard isEastAsian else { return source.isFull(index, column: column) }
    if line.indent + line.width >= column - PlainTextRuns.shortfall { return true }
    // Words of other languages are not broken.
    let (last, first) = (source.text[line.range.upperBound - 1], source.text[source.lines[index + 1].range.lowerBound])
    return last < 0x80 && first < 0x80 && source.isFull(index, column: column)
  }

  private static func hasAozoraRuby(_ source: PlainTextLines) -> Bool {
    var found = 0
    for index in source.lines.indices.prefix(20_000) where !source.lines[index].isBlank {
      let line = source.text[source.lines[index].range]
      guard line.contains(0xE3) else { continue }
      var previous: Unicode.Scalar = " "
      for scalar in source[index] {
        if scalar == "《", previous.value >= 0x3400, previous.value < 0xA000 { found += 1 }
        if previous == "［", scalar == "＃" { found += 1 }
        previous = scalar
      }
      if found >= 2 { return true }
    }
    return false
  }

  /// A heading that a note of Aozora Bunko says is one.
  func japaneseHeading(_ source: PlainTextLines, _ index: Int) -> PlainTextHeading? {
    guard isAozora else { return nil }
    let text = String(source[index])
    guard text.contains("見出し］") else { return nil }
    let title = AozoraMarkup.removingNotes(text)
    guard !title.isEmpty else { return nil }
    return PlainTextHeading(level: text.contains("大見出し］") ? 0 : 1, key: title, hasTitle: true, title: title)
  }
}
