import Primitives

extension PlainTextBook {
  /// A line that may begin a chapter.
  struct Candidate {
    var line: Int
    var heading: PlainTextHeading
    /// The lines of its title that stand below it.
    var subtitle: Range<Int>

    init(line: Int, heading: PlainTextHeading) {
      self.line = line
      self.heading = heading
      subtitle = line + 1..<line + 1
    }

    var last: Int { subtitle.isEmpty ? line : subtitle.upperBound - 1 }
  }

  mutating func findChapters(name: String) {
    var candidates = chapterPatterns.isEmpty ? [] : linesOfPatterns(name: name)
    let isGuess = candidates.isEmpty
    if isGuess { candidates = recognisedHeadings() }
    dropContents(&candidates)
    if candidates.isEmpty { candidates = numberedLines() }
    if isGuess {
      // Lines that are paragraphs look like other titles.
      let isPlain = style.isEastAsian || style.wrapColumn == nil || candidates.count > Self.mostStrayHeadings
      let sections = PlainTextSections(
        source, tables: blocks.tables, notices: notices, onlyUnderlined: isPlain)
      if outweighs(sections, candidates) {
        blocks.sections = sections
        return makeSections()
      }
    }
    findSubtitles(&candidates)
    dropRepeated(&candidates)
    makeChapters(candidates)
    if isGuess { addInnerSections() }
  }

  /// A manual may have an introduction and an appendix that read like chapters; where all chapters are underlined,
  /// there are sections in them.
  private func outweighs(_ sections: PlainTextSections, _ candidates: [Candidate]) -> Bool {
    guard sections.titles.count > candidates.count else { return false }
    if candidates.count <= Self.mostStrayHeadings { return true }
    let titles = Set(sections.titles.map(\.line))
    return sections.isUnderlined && candidates.count { titles.contains($0.line) } * 4 >= candidates.count * 3
  }

  /// A line of the text's own, neither blank nor of a notice.
  private func isText(_ index: Int) -> Bool {
    !source.lines[index].isBlank && notices.notice(at: index) == nil && !style.marks.hiddenLines.contains(index)
  }

  /// The lines that begin chapters as the reader says.
  private mutating func linesOfPatterns(name: String) -> [Candidate] {
    var candidates: [Candidate] = []
    for index in source.lines.indices where isText(index) {
      let line = source.text[source.lines[index].range]
      var level: Int?
      for (place, pattern) in chapterPatterns.enumerated() where level == nil {
        switch pattern.matches(line) {
        case true?: level = place
        case false?: continue
        case nil:
          diagnostics.warn(
            "chapter-pattern", resource: name, line: index + 1,
            "the pattern \(pattern.pattern) takes too long here, and counts as not matched")
        }
      }
      guard let level else { continue }
      let title = String(source[index])
      candidates.append(
        Candidate(line: index, heading: PlainTextHeading(level: level, key: title, hasTitle: true, title: title)))
    }
    if candidates.isEmpty {
      diagnostics.warn(
        "chapter-pattern", resource: name,
        "no line matches a pattern of chapters: the chapters are found out as without any")
    }
    return candidates
  }

  private func recognisedHeadings() -> [Candidate] {
    var candidates: [Candidate] = []
    for index in source.lines.indices where isText(index) && source.lines[index].width <= 130 {
      let parsed = PlainTextHeadings.parse(source[index], standsAlone: source.standsAlone(index))
      guard var heading = parsed ?? style.japaneseHeading(source, index) else { continue }
      // A sentence that was broken before "Section 4.1".
      if !style.isEastAsian, index > 0, style.continues(index - 1, source) { continue }
      if heading.title == nil { heading.title = String(source[index]) }
      candidates.append(Candidate(line: index, heading: heading))
    }
    dropReferences(&candidates)
    addCounted(to: &candidates)
    return candidates
  }

  /// Adds the lines that count chapters in another way.
  private func addCounted(to candidates: inout [Candidate]) {
    let counts = PlainTextCounts(source, others: candidates.map { ($0.line, $0.heading) }, isText: isText)
    guard !counts.headings.isEmpty else { return }
    candidates += counts.headings.map { line, heading in
      var heading = heading
      heading.title = String(source[line])
      return Candidate(line: line, heading: heading)
    }
    candidates.sort { $0.line < $1.line }
    dropReferences(&candidates)
  }

  /// Lines other than blank ones and one that announces the text stand between two lines.
  func hasBody(between line: Int, and next: Int) -> Bool {
    var index = line + 1
    while index < next {
      if !source.lines[index].isBlank, !isAnnouncement(index), !style.marks.hiddenLines.contains(index) { return true }
      index += 1
    }
    return false
  }

  private func isAnnouncement(_ index: Int) -> Bool {
    source.lines[index].width <= 10 && ["正文", "目录", "目錄", "目次", "Contents", "CONTENTS"].contains(String(source[index]))
  }

  /// Takes out a table of contents: headings without text under them that come again later.
  private func dropContents(_ candidates: inout [Candidate]) {
    var last: [String: Int] = [:]
    for (index, candidate) in candidates.enumerated() { last[candidate.heading.key] = index }
    var isDropped = [Bool](repeating: false, count: candidates.count)
    for index in candidates.indices {
      guard let again = last[candidates[index].heading.key], again > index else { continue }
      let next = index + 1 < candidates.count ? candidates[index + 1].line : source.lines.count
      let followsDropped = index >= 2 && isDropped[index - 1] && isDropped[index - 2]
      isDropped[index] = !hasBody(between: candidates[index].line, and: next) || followsDropped
    }
    // One such line alone is an empty chapter, not a list.
    guard isDropped.count(where: { $0 }) > 1 else { return }
    candidates = candidates.indices.filter { !isDropped[$0] }.map { candidates[$0] }
  }

  /// Takes out headings that only say again which chapter this is, as over every page of a scanned book.
  private func dropRepeated(_ candidates: inout [Candidate]) {
    var kept: [Candidate] = []
    for candidate in candidates where candidate.heading != kept.last?.heading { kept.append(candidate) }
    candidates = kept
  }

  /// Lines that are nothing but numbers, where they count up from one: the chapters of texts without other headings.
  private func numberedLines() -> [Candidate] {
    var candidates: [Candidate] = []
    var expected = 1
    for index in source.lines.indices where !source.lines[index].isBlank && source.lines[index].width <= 8 {
      guard notices.notice(at: index) == nil else { continue }
      let isFirst = index == 0 || source.lines[index - 1].isBlank
      let isLast = index + 1 >= source.lines.count || source.lines[index + 1].isBlank
      // In Japanese texts the number of a section is set in and the text follows at once.
      guard isFirst && isLast || (isFirst || isLast) && source.lines[index].indent >= style.indent + 4 else { continue }
      let text = String(source[index].filter { $0 != "." && $0 != "．" && $0 != "、" })
      guard Self.numerals(expected).contains(text) else { continue }
      candidates.append(
        Candidate(
          line: index,
          heading: PlainTextHeading(level: 1, key: "\(expected)", hasTitle: false, title: String(source[index]))))
      expected += 1
    }
    guard candidates.count >= 3, let first = candidates.first?.line, let last = candidates.last?.line,
      (last - first) * 4 >= source.lines.count, source.lines.count > candidates.count * 4
    else { return [] }
    return candidates
  }

  /// The ways to write a number at the head of a chapter.
  private static func numerals(_ number: Int) -> [String] {
    let digits = String(number)
    let wide = String(String.UnicodeScalarView(digits.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) }))
    let roman = RomanNumeral.text(of: number)
    let ideographs = Array("〇一二三四五六七八九")
    var counted = ""
    if number < 100 {
      if number >= 20 { counted.append(ideographs[number / 10]) }
      if number >= 10 { counted.append("十") }
      if number % 10 > 0 { counted.append(ideographs[number % 10]) }
    }
    return [digits, wide, roman, counted, digits.map { String(ideographs[Int(String($0)) ?? 0]) }.joined()]
  }

  /// A heading that is only a number may have its title below it, directly or after one blank line, and one in
  /// capitals may go on there.
  private func findSubtitles(_ candidates: inout [Candidate]) {
    for index in candidates.indices {
      let end = index + 1 < candidates.count ? candidates[index + 1].line : source.lines.count
      let first = candidates[index].line + 1
      let lines =
        candidates[index].heading.hasTitle ? continuation(from: first, before: end) : subtitle(from: first, before: end)
      guard let lines else { continue }
      candidates[index].subtitle = lines
      let title = candidates[index].heading.title ?? ""
      let isPlain = title == String(source[candidates[index].line])
      candidates[index].heading.title =
        isPlain ? self.title(on: candidates[index].line..<lines.upperBound) : "\(title) \(self.title(on: lines))"
    }
  }

  /// The further lines of a title in capitals, or of one that was broken at the margin.
  func continuation(from line: Int, before end: Int) -> Range<Int>? {
    if let lines = titleBlock(from: line, before: end), isCapitals(line - 1), lines.allSatisfy(isCapitals) {
      return lines
    }
    guard style.continues(line - 1, source), line == 1 || source.lines[line - 2].isBlank else { return nil }
    let lines = line..<(source.lines[line..<end].firstIndex { $0.isBlank } ?? end)
    if style.isEastAsian, let last = lines.last, source[last].last == "。" { return nil }
    return lines.count < Self.mostTitleLines ? lines : nil
  }

  private func subtitle(from first: Int, before end: Int) -> Range<Int>? {
    var line = first
    let isApart = line < end && source.lines[line].isBlank
    if isApart { line += 1 }
    guard line < end, !source.lines[line].isBlank, source.lines[line].width <= 60,
      isApart || source.lines[line].indent <= source.lines[line - 1].indent + 1 || isCentred(line)
    else { return nil }
    let text = String(source[line])
    let isCapitals = isCapitals(line)
    // A question right under a heading, and nothing else above the gap, is a title too.
    let endings = isApart || style.isEastAsian ? "。.!?！？…”»:：,，;" : "。.…”»:：,，;"
    guard let last = text.last, !endings.contains(last) || isCapitals,
      text.unicodeScalars.contains(where: { $0.properties.isAlphabetic })
    else { return nil }
    let block = titleBlock(from: line, before: end)
    guard block != nil || isCapitals && !isApart else { return nil }
    // A paragraph that stands apart is a title only where text of more than one line follows.
    if isApart {
      guard text.first?.isLowercase == false, style.wrapColumn != nil, !isAnnouncement(line) else { return nil }
    }
    return block ?? line..<line + 1
  }

  /// The lines up to the next blank one, if they may be one title: a line, or two or three in capitals, in the middle,
  /// or, in Chinese, of one length.
  private func titleBlock(from line: Int, before end: Int) -> Range<Int>? {
    var next = line
    while next < end, !source.lines[next].isBlank, next - line <= Self.mostTitleLines { next += 1 }
    let lines = line..<next
    guard !lines.isEmpty, lines.count <= Self.mostTitleLines, next < source.lines.count, source.lines[next].isBlank
    else { return nil }
    if lines.count == 1 { return lines }
    let isCouplet =
      style.isEastAsian
      && lines.allSatisfy { place in
        source.lines[place].width == source.lines[line].width && source.lines[place].width <= 40
          && !PlainTextLines.endsSentence(source[place].last)
      }
    return isCouplet || lines.allSatisfy(isCapitals) || lines.allSatisfy(isCentred) ? lines : nil
  }

  static let mostTitleLines = 3
  private static let mostStrayHeadings = 2

  private func isCapitals(_ line: Int) -> Bool {
    let text = String(source[line])
    return text == text.uppercased() && text != text.lowercased()
  }

  /// The line is set in as deep as no paragraph is.
  private func isCentred(_ line: Int) -> Bool { source.lines[line].indent >= style.indent + 8 }

  /// Chapters that long sections begin; shorter ones, and those within, are headings there.
  private mutating func makeSections() {
    let sections = blocks.sections
    let deepest = sections.deepestChapter(lineCount: source.lines.count)
    var chapter = Chapter(headings: [], lines: 0..<0, headingLines: [])
    for title in sections.titles {
      let isChapter = title.level <= deepest
      let start = sections.rules.contains(title.line - 1) ? title.line - 1 : title.line
      if isChapter, !chapter.headings.isEmpty || hasBody(between: -1, and: start) {
        chapter.lines = chapter.lines.lowerBound..<start
        chapters.append(chapter)
        chapter = Chapter(headings: [], lines: start..<start, headingLines: [])
      }
      chapter.headings.append(
        Heading(
          title: sections.title(on: title.line, source), level: title.level,
          id: isChapter ? nil : Self.id(ofLine: title.line)))
      chapter.headingLines.append((title.line, title.level, title.line + 1..<title.line + 1))
    }
    chapter.lines = chapter.lines.lowerBound..<source.lines.count
    chapters.append(chapter)
  }

  static func id(ofLine line: Int) -> String { "line-\(line + 1)" }

  private mutating func makeChapters(_ candidates: [Candidate]) {
    let lowest = candidates.map(\.heading.level).min() ?? 0
    var start = 0
    var pending: [Candidate] = []
    func chapter(_ lines: Range<Int>, _ headings: [Candidate]) -> Chapter {
      Chapter(
        headings: headings.map { Heading(title: $0.heading.title ?? "", level: $0.heading.level - lowest) },
        lines: lines,
        headingLines: headings.map { ($0.line, $0.heading.level, $0.subtitle) })
    }
    for (index, candidate) in candidates.enumerated() {
      let isBelow = pending.last.map { $0.heading.level < candidate.heading.level } ?? false
      let continues =
        isBelow
        && !hasBody(
          between: pending.last?.last ?? 0, and: candidate.line)
      if !continues {
        if !pending.isEmpty || hasBody(between: -1, and: candidate.line) {
          chapters.append(chapter(start..<candidate.line, pending))
          start = candidate.line
        }
        pending = []
      }
      pending.append(candidate)
      if index == candidates.count - 1 { break }
    }
    chapters.append(chapter(start..<source.lines.count, pending))
  }
}
