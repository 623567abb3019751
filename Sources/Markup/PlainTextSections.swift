/// Titles of sections in a plain text without chapters, as manuals have them: lines that are underlined, or that begin
/// with numbers which count up (2.1, 2.2).
struct PlainTextSections: Sendable {
  struct Title: Sendable {
    var line: Int
    /// From 0.
    var level: Int
  }

  /// In order of their lines.
  private(set) var titles: [Title] = []
  /// Lines under and over titles.
  private(set) var rules: Set<Int> = []

  init() {}

  init(_ source: PlainTextLines, tables: PlainTextTables) {
    findUnderlined(source, Set(tables.lines))
    if titles.count < 2 {
      (titles, rules) = ([], [])
      findNumbered(source)
    }
  }

  /// The greatest level that begins chapters; -1 where sections are too short to stand on pages of their own.
  func deepestChapter(lineCount: Int) -> Int {
    var count = 0
    for level in 0..<3 {
      count += titles.count { $0.level == level }
      if count >= 2 { return lineCount >= count * Self.leastChapterLines ? level : level - 1 }
    }
    return -1
  }

  private static let leastChapterLines = 40
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
      abs(rule.indent - text.indent) <= 2, let sign = source[line].first, signs.contains(sign),
      source[line].allSatisfy({ $0 == sign }), source[title].contains(where: { $0.properties.isAlphabetic })
    else { return nil }
    return sign
  }

  private static let signs = Set("=-~^*\"'#+_═─━".unicodeScalars)

  // MARK: Numbered

  /// The longest run of numbers that count up, most of which have text below them: a list of contents has none.
  private mutating func findNumbered(_ source: PlainTextLines) {
    var candidates: [(line: Int, number: [Int])] = []
    for line in source.lines.indices {
      if let number = Self.number(of: line, source) { candidates.append((line, number)) }
    }
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
    guard best.count >= 3, hasText * 3 >= best.count * 2 else { return }
    titles = best.map { Title(line: candidates[$0].line, level: candidates[$0].number.count - 1) }
  }

  /// The number that a line begins with which stands alone at the margin, and goes on in words.
  private static func number(of line: Int, _ source: PlainTextLines) -> [Int]? {
    let entry = source.lines[line]
    guard !entry.isBlank, entry.indent <= 2, entry.width <= mostTitleColumns,
      line == 0 || source.lines[line - 1].isBlank,
      line + 1 == source.lines.count || source.lines[line + 1].isBlank
    else { return nil }
    let text = source[line]
    let head = text.prefix { $0 == "." || ("0"..."9").contains($0) }
    let rest = text[head.endIndex...].drop { $0 == " " || $0 == "\t" }
    guard !head.isEmpty, rest.startIndex > head.endIndex, let first = rest.first, first.properties.isAlphabetic,
      let last = rest.last, !".,;:".unicodeScalars.contains(last)
    else { return nil }
    let parts = head.split(separator: ".").map { Int(String($0)) ?? 1000 }
    return parts.isEmpty || parts.count > 4 || parts.contains { $0 > 200 } ? nil : parts
  }

  /// The next section of some level, or the first one within.
  private static func follows(_ number: [Int], _ previous: [Int]) -> Bool {
    if number.count == previous.count + 1 { return number.starts(with: previous) && number[previous.count] <= 1 }
    guard number.count <= previous.count else { return false }
    let depth = number.count - 1
    return number[..<depth] == previous[..<depth] && number[depth] == previous[depth] + 1
  }
}
