/// Titles of sections in a plain text without chapters, as manuals have them: lines that are underlined, that begin
/// with numbers which count up (2.1, 2.2, or II., III.), that stand between signs (*** Title ***), or that hang out of
/// a text that is set in.
struct PlainTextSections: Sendable {
  struct Title: Sendable {
    var line: Int
    /// From 0.
    var level: Int
  }

  /// In order of their lines.
  private(set) var titles: [Title] = []
  /// The bytes of the words of titles that stand between signs, by line.
  private(set) var words: [Int: Range<Int>] = [:]
  /// Lines under and over titles.
  private(set) var rules: Set<Int> = []
  /// The titles are those with lines under them.
  var isUnderlined: Bool { !rules.isEmpty }

  init() {}

  /// - Parameter onlyUnderlined: Titles of the other kinds are not looked for.
  init(_ source: PlainTextLines, tables: PlainTextTables, notices: PlainTextNotices, onlyUnderlined: Bool) {
    let tables = Set(tables.lines)
    findUnderlined(source, tables)
    if titles.count >= 2 { return }
    (titles, rules) = ([], [])
    if onlyUnderlined { return }
    findNumbered(source)
    if titles.isEmpty { findSigned(source, notices) }
    if titles.isEmpty { findHanging(source, tables) }
  }

  /// The words of a title.
  func title(on line: Int, _ source: PlainTextLines) -> String {
    words[line].map { String(decoding: source.text[$0], as: UTF8.self) } ?? String(source[line])
  }

  /// The greatest level that begins chapters; -1 where sections are too short to stand on pages of their own.
  func deepestChapter(lineCount: Int) -> Int {
    for level in 0..<3 {
      let starts = titles.filter { $0.level <= level }.map(\.line)
      guard starts.count >= 2 else { continue }
      let lengths = zip(starts, starts.dropFirst() + [lineCount]).map { $1 - $0 }.sorted()
      let isLong =
        lineCount >= starts.count * Self.leastChapterLines && lengths[lengths.count / 4] >= Self.leastUsualChapterLines
      return isLong ? level : level - 1
    }
    return -1
  }

  /// Of all sections on the average, and of three in four: those of a manual page may be a line each.
  private static let leastChapterLines = 40
  private static let leastUsualChapterLines = 20
  private static let mostTitleColumns = 72

  // MARK: Underlined

  private struct Underline: Hashable {
    var sign: Unicode.Scalar
    var hasOverline: Bool
  }

  /// Levels are those of the signs in the order of their first use, as in reStructuredText.
  private mutating func findUnderlined(_ source: PlainTextLines, _ tables: Set<Int>) {
    var levels: [Underline: Int] = [:]
    for line in source.lines.indices.dropLast() where !tables.contains(line) && !tables.contains(line + 1) {
      guard let sign = Self.sign(ofUnderline: line + 1, below: line, source) else { continue }
      let hasOverline = line > 0 && Self.sign(ofUnderline: line - 1, below: line, source) == sign
      let above = hasOverline ? line - 2 : line - 1
      guard above < 0 || source.lines[above].isBlank else { continue }
      let level = levels[Underline(sign: sign, hasOverline: hasOverline)] ?? levels.count
      levels[Underline(sign: sign, hasOverline: hasOverline)] = level
      titles.append(Title(line: line, level: level))
      rules.formUnion(hasOverline ? [line - 1, line + 1] : [line + 1])
    }
  }

  /// The sign of which alone a line is, about as long as the title that it belongs to.
  private static func sign(ofUnderline line: Int, below title: Int, _ source: PlainTextLines) -> Unicode.Scalar? {
    let (rule, text) = (source.lines[line], source.lines[title])
    guard rule.width >= 3, (text.width - 2...text.width + 4).contains(rule.width), text.width <= mostTitleColumns,
      abs(rule.indent - text.indent) <= 2, !ASCII.isAlphanumeric(source.text[rule.range.lowerBound]),
      let sign = source[line].first, signs.contains(sign),
      source[line].allSatisfy({ $0 == sign }), source[title].contains(where: { $0.properties.isAlphabetic })
    else { return nil }
    return sign
  }

  private static let signs = Set("=-~^*\"'#+_═─━".unicodeScalars)

  // MARK: Numbered

  private mutating func findNumbered(_ source: PlainTextLines) {
    for number in [Self.decimalNumber, Self.romanNumber] where titles.isEmpty {
      findRun(source.lines.indices.compactMap { line in number(line, source).map { (line, $0) } }, source)
    }
  }

  /// The longest run of numbers that count up, most of which have text below them: a list of contents has none.
  private mutating func findRun(_ candidates: [(line: Int, number: [Int])], _ source: PlainTextLines) {
    var best: [Int] = []
    var run: [Int] = []
    for index in candidates.indices {
      let number = candidates[index].number
      let follows = run.last.map { Self.follows(number, candidates[$0].number) } ?? false
      let begins = number == [0] || number == [1]
      guard follows || begins else { continue }
      if !follows { run = [] }
      run.append(index)
      if run.count > best.count { best = run }
    }
    let hasText = best.count { index in
      let next = index + 1 < candidates.count ? candidates[index + 1].line : source.lines.count
      return (candidates[index].line + 1..<next).contains { !source.lines[$0].isBlank }
    }
    // A list of steps is short.
    guard best.count >= 3, hasText * 3 >= best.count * 2, let first = best.first, let last = best.last,
      (candidates[last].line - candidates[first].line) * 4 >= source.lines.count
    else { return }
    titles = best.map { Title(line: candidates[$0].line, level: candidates[$0].number.count - 1) }
  }

  /// The number that a title begins with, in parts.
  private static func decimalNumber(of line: Int, _ source: PlainTextLines) -> [Int]? {
    guard let head = head(of: line, source, { $0 == "." || ("0"..."9").contains($0) }) else { return nil }
    let parts = head.split(separator: ".").map { Int(String($0)) ?? 1000 }
    return parts.isEmpty || parts.count > 4 || parts.contains { $0 > 200 } ? nil : parts
  }

  /// The Roman number that a title begins with, with a stop behind it.
  private static func romanNumber(of line: Int, _ source: PlainTextLines) -> [Int]? {
    guard let head = head(of: line, source, { "IVXLC.".unicodeScalars.contains($0) }), head.last == "." else {
      return nil
    }
    return RomanNumeral.value(of: String(head.dropLast())).map { [$0] }
  }

  /// What a title begins with, before its words.
  private static func head(
    of line: Int, _ source: PlainTextLines, _ isNumber: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView? {
    guard source.lines[line].indent <= 2, standsAlone(line, source) else { return nil }
    let text = source[line]
    let head = text.prefix(while: isNumber)
    let rest = text[head.endIndex...].drop { $0 == " " || $0 == "\t" }
    guard !head.isEmpty, rest.startIndex > head.endIndex, isTitle(rest) else { return nil }
    return head
  }

  /// The line is no wider than a title is, and has none above and below.
  private static func standsAlone(_ line: Int, _ source: PlainTextLines) -> Bool {
    source.lines[line].width <= mostTitleColumns && source.standsAlone(line)
  }

  /// The words begin with a letter and end as no sentence does.
  private static func isTitle(_ words: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard let first = words.first, first.properties.isAlphabetic, let last = words.last else { return false }
    return !".,;:".unicodeScalars.contains(last)
  }

  /// The next section of some level, or the first one within. One may be missing.
  private static func follows(_ number: [Int], _ previous: [Int]) -> Bool {
    if number.count == previous.count + 1 { return number.starts(with: previous) && number[previous.count] <= 1 }
    guard number.count <= previous.count else { return false }
    let depth = number.count - 1
    return number[..<depth] == previous[..<depth] && 1...2 ~= number[depth] - previous[depth]
  }

  // MARK: Between signs

  private mutating func findSigned(_ source: PlainTextLines, _ notices: PlainTextNotices) {
    var found: [Int: Range<Int>] = [:]
    for line in source.lines.indices where Self.standsAlone(line, source) {
      let text = source[line]
      guard let sign = text.first, Self.signs.contains(sign), notices.notice(at: line) == nil else { continue }
      let count = text.prefix { $0 == sign }.count
      let inner = text.dropFirst(count)
      guard count >= 2, inner.first == " ", inner.reversed().prefix(while: { $0 == sign }).count == count else {
        continue
      }
      let padded = inner.dropLast(count)
      guard let first = padded.firstIndex(where: { $0 != " " }), let last = padded.lastIndex(where: { $0 != " " }),
        padded.last == " ", Self.isTitle(padded[first...last])
      else { continue }
      let start = source.lines[line].range.lowerBound + String(text[..<first]).utf8.count
      found[line] = start..<start + String(padded[first...last]).utf8.count
    }
    guard found.count >= 2 else { return }
    words = found
    titles = found.keys.sorted().map { Title(line: $0, level: 0) }
  }

  // MARK: Hanging

  /// Lines at the margin of a text nearly all of which is set in.
  private mutating func findHanging(_ source: PlainTextLines, _ tables: Set<Int>) {
    let text = source.lines.indices.filter { !source.lines[$0].isBlank && !tables.contains($0) }
    guard text.count(where: { source.lines[$0].indent >= 2 }) * 5 >= text.count * 4 else { return }
    var found: [Title] = []
    for (line, next) in zip(text, text.dropFirst()) where source.lines[line].indent == 0 {
      guard Self.standsAlone(line, source), source.lines[next].indent >= 2, Self.isTitle(source[line]),
        source[line].first?.properties.isLowercase == false
      else { continue }
      found.append(Title(line: line, level: 0))
    }
    if found.count >= 3 { titles = found }
  }
}

extension PlainTextLines {
  /// The line has none above and below.
  func standsAlone(_ line: Int) -> Bool {
    !lines[line].isBlank && (line == 0 || lines[line - 1].isBlank)
      && (line + 1 == lines.count || lines[line + 1].isBlank)
  }
}
