/// Finds the verse of a plain text: lines that end where the poet ends them, and not at a margin.
///
/// Western verse is short lines that mostly neither end with a sentence nor fill the measure of their stanza. Chinese and Japanese
/// verse has clauses of one length, or short lines without a stop.
struct PlainTextVerse: Sendable {
  /// The lines that are verse, in order; a stanza each.
  private(set) var stanzas: [Range<Int>] = []
  /// Lines that stand alone over verse: titles of poems.
  private(set) var titles: Set<Int> = []

  init() {}

  /// - Parameter isText: Lines that may be verse: neither headings nor notices nor rules.
  init(_ source: PlainTextLines, style: PlainTextStyle, isText: (Int) -> Bool) {
    var line = 0
    var blocks: [Range<Int>] = []
    while line < source.lines.count {
      guard isText(line), Self.isShort(line, source, style) else {
        line += 1
        continue
      }
      let start = line
      while line < source.lines.count, isText(line), Self.isShort(line, source, style) { line += 1 }
      let isWhole =
        (start == 0 || !isText(start - 1)) && (line == source.lines.count || !isText(line))
      if style.isEastAsian {
        findEastAsian(start..<line, isWhole: isWhole, source, style)
        continue
      }
      blocks.append(start..<line)
      if Self.isWestern(start..<line, isWhole: isWhole, source, style) { stanzas.append(start..<line) }
    }
    addNeighbours(among: blocks, source)
    findTitles(source, isText: isText)
  }

  /// The stanza that begins on a line.
  func stanza(from line: Int) -> Range<Int>? {
    var low = 0
    var high = stanzas.count
    while low < high {
      let middle = (low + high) / 2
      if stanzas[middle].lowerBound < line { low = middle + 1 } else { high = middle }
    }
    return low < stanzas.count && stanzas[low].lowerBound == line ? stanzas[low] : nil
  }

  // MARK: Lines

  /// Columns that a line of verse fills at most.
  private static let longestLine = 66
  private static let longestEastAsianLine = 40

  private static func isShort(_ line: Int, _ source: PlainTextLines, _ style: PlainTextStyle) -> Bool {
    let entry = source.lines[line]
    guard !entry.isBlank else { return false }
    return style.isEastAsian
      ? entry.width <= longestEastAsianLine : source.withoutLineNumber(line).width <= longestLine
  }

  private static func endsSentence(_ line: Int, _ source: PlainTextLines) -> Bool {
    let text = source.text[source.withoutLineNumber(line).range]
    return PlainTextLines.endsSentence(Substring(decoding: text, as: UTF8.self).unicodeScalars.last)
  }

  // MARK: Western verse

  private static func isWestern(
    _ lines: Range<Int>, isWhole: Bool, _ source: PlainTextLines, _ style: PlainTextStyle
  ) -> Bool {
    guard lines.count >= 3 || lines.count == 2 && isWhole && style.wrapColumn != nil else { return false }
    let inner = lines.dropLast()
    let open = inner.filter { !endsSentence($0, source) }
    guard open.count * 3 >= inner.count else { return false }
    let measure = lines.map { source.withoutLineNumber($0).width }.max() ?? 0
    // Few lines of prose that go on with a sentence begin with a capital, those of older verse all do.
    let capitals = open.count { beginsWithCapital($0 + 1, source) }
    let isNarrow = style.wrapColumn.map { measure + 8 < $0 } ?? true
    if open.count >= 3, capitals * 5 >= open.count * 4 { return true }
    if open.count == 2, isNarrow, lines.allSatisfy({ beginsWithCapital($0, source) }) { return true }
    // Prose that was broken at a margin has no line with room for the next one's first word.
    let column = max(measure, style.wrapColumn ?? 0)
    guard inner.count(where: { !source.isFull($0, column: column) }) * 3 >= inner.count else { return false }
    return open.count { !source.isFull($0, column: column) } * 5 >= inner.count
  }

  private static func beginsWithCapital(_ line: Int, _ source: PlainTextLines) -> Bool {
    source[line].first { $0.properties.isAlphabetic }?.properties.isUppercase ?? false
  }

  /// Adds what stands beside a stanza and would be too little to be known by itself: short lines that all begin with a capital.
  private mutating func addNeighbours(
    among blocks: [Range<Int>], _ source: PlainTextLines
  ) {
    var isVerse = Set(stanzas.map(\.lowerBound))
    func add(_ block: Range<Int>, beside other: Range<Int>) {
      let between = min(block.upperBound, other.upperBound)..<max(block.lowerBound, other.lowerBound)
      guard isVerse.contains(other.lowerBound), !isVerse.contains(block.lowerBound), block.count >= 2,
        between.count <= 2, between.allSatisfy({ source.lines[$0].isBlank }),
        block.allSatisfy({ Self.beginsWithCapital($0, source) })
      else { return }
      isVerse.insert(block.lowerBound)
      stanzas.append(block)
    }
    for (block, next) in zip(blocks.dropFirst(), blocks) { add(block, beside: next) }
    for (block, next) in zip(blocks, blocks.dropFirst()).reversed() { add(block, beside: next) }
    stanzas.sort { $0.lowerBound < $1.lowerBound }
  }

  // MARK: Chinese and Japanese verse

  private mutating func findEastAsian(
    _ lines: Range<Int>, isWhole: Bool, _ source: PlainTextLines, _ style: PlainTextStyle
  ) {
    var line = lines.lowerBound
    var found = false
    while line < lines.upperBound {
      let start = line
      let length = Self.clauseLength(line, source, style)
      var clauses = 0
      while line < lines.upperBound, let length, let next = Self.clauseLength(line, source, style),
        next.characters == length.characters
      {
        clauses += next.count
        line += 1
      }
      if line - start >= 2, clauses >= 4 {
        stanzas.append(start..<line)
        found = true
      }
      if line == start { line += 1 }
    }
    // Free verse: a stanza whose lines hardly ever end with a stop.
    guard !found, isWhole, lines.count >= 3, style.wrapColumn == nil else { return }
    let open = lines.count { !Self.endsSentence($0, source) }
    if open * 3 >= lines.count * 2 { stanzas.append(lines) }
  }

  /// The number of characters that each clause of a line has, and how many clauses there are; nil where they differ.
  private static func clauseLength(_ line: Int, _ source: PlainTextLines, _ style: PlainTextStyle) -> (
    characters: Int, count: Int
  )? {
    if let column = style.wrapColumn, source.lines[line].indent + source.lines[line].width >= column - 6 { return nil }
    var characters = 0
    var run = 0
    var count = 0
    func isClause() -> Bool {
      if count == 0 { characters = run }
      count += 1
      return run == characters
    }
    for scalar in source[line] {
      if scalar.value >= 0x3041, scalar.value < 0xFB00 {
        run += 1
      } else if "，。！？；、： \u{3000}".unicodeScalars.contains(scalar) {
        if run > 0, !isClause() { return nil }
        run = 0
      } else {
        return nil
      }
    }
    if run > 0, !isClause() { return nil }
    let isMetre = (3...8).contains(characters) || count == 1 && (characters == 10 || characters == 14)
    return isMetre ? (characters, count) : nil
  }

  // MARK: Titles

  /// A line that stands alone, ends no sentence and has verse, or another such line, under it is the title of the poem.
  private mutating func findTitles(_ source: PlainTextLines, isText: (Int) -> Bool) {
    for stanza in stanzas {
      var next = stanza.lowerBound
      for _ in 0..<3 {
        guard next >= 2, source.lines[next - 1].isBlank else { break }
        var line = next - 1
        while line > 0, source.lines[line].isBlank { line -= 1 }
        guard isText(line), source.lines[line].width <= 60, line == 0 || source.lines[line - 1].isBlank,
          !Self.endsSentence(line, source), !",;，；—-".unicodeScalars.contains(source[line].last ?? ",")
        else { break }
        titles.insert(line)
        next = line
      }
    }
  }
}

extension PlainTextLines {
  /// A line of verse without the number at its end, and that number: digits apart from the line by two spaces or more.
  func withoutLineNumber(_ line: Int) -> (range: Range<Int>, width: Int, number: Range<Int>?) {
    let entry = lines[line]
    var digits = entry.range.upperBound
    while digits > entry.range.lowerBound, (0x30...0x39).contains(text[digits - 1]) { digits -= 1 }
    let number = digits..<entry.range.upperBound
    var end = digits
    while end > entry.range.lowerBound, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
    guard (1...5).contains(number.count), digits - end >= 2, end > entry.range.lowerBound else {
      return (entry.range, entry.width, nil)
    }
    return (entry.range.lowerBound..<end, entry.width - (entry.range.upperBound - end), number)
  }

  /// The line leaves no room at `column` for the first word of the next one.
  func isFull(_ line: Int, column: Int) -> Bool {
    let entry = withoutLineNumber(line)
    return lines[line].indent + entry.width + 1 + firstWordWidth(line + 1) >= column - column / 10
  }

  /// Columns of a line's first word.
  func firstWordWidth(_ line: Int) -> Int {
    var width = 0
    for byte in text[lines[line].range] {
      if byte == 0x20 { break }
      if byte & 0xC0 != 0x80 { width += 1 }
    }
    return width
  }
}
