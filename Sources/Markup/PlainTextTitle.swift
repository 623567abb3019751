extension PlainTextBook {
  /// A line among the first of a text, in which its title and author may stand.
  private struct TitleLine {
    var line: Int
    var text: String
    var isNotice: Bool
  }

  /// Finds the title and author that a text gives in its first lines; else the title is the name of the file.
  mutating func findTitle(name: String) {
    let lines = titleLines()
    let visible = lines.filter { !$0.isNotice }
    findBracketedTitle(visible)
    findLabels(lines)
    findTitleOverAuthor(visible)
    findTitleOfSections()
    findTitleAlone(visible)
    if title.isEmpty { title = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
  }

  /// The lines before the first heading that are short enough: those of a licence's header, which names the book, and what follows it.
  private func titleLines() -> [TitleLine] {
    let headings = Set(chapters.flatMap { $0.headingLines.map(\.line) })
    let header = notices.all.first { $0.kind == .license && $0.lines.lowerBound == 0 }?.lines.upperBound ?? 0
    var lines: [TitleLine] = []
    for index in source.lines.indices.prefix(header + 60) {
      guard !source.lines[index].isBlank, source.lines[index].width <= 100 else { continue }
      if headings.contains(index) { break }
      lines.append(
        TitleLine(line: index, text: String(source[index]), isNotice: notices.notice(at: index) != nil))
    }
    return lines
  }

  /// `《title》author` on the first line.
  private mutating func findBracketedTitle(_ visible: [TitleLine]) {
    guard let first = visible.first, first.text.hasPrefix("《"), let close = first.text.firstIndex(of: "》") else {
      return
    }
    title = String(first.text[first.text.index(after: first.text.startIndex)..<close])
    front.title = first.line
    let rest = first.text[first.text.index(after: close)...].drop { $0.isWhitespace || "：:/作者".contains($0) }
    if !rest.isEmpty, rest.count <= 20 { author = String(rest) }
  }

  /// `Title: …` and `Author: …`. Where a licence's header has them, the book may say both again on a title page of its own.
  private mutating func findLabels(_ lines: [TitleLine]) {
    for entry in lines {
      for label in ["书名：", "書名：", "Title: "] where title.isEmpty && entry.text.hasPrefix(label) {
        title = String(entry.text.dropFirst(label.count))
        if !entry.isNotice { front.title = entry.line }
      }
      for label in ["作者：", "Author: ", "著者："] where author == nil && entry.text.hasPrefix(label) {
        author = String(entry.text.dropFirst(label.count))
        if !entry.isNotice { front.author = entry.line }
      }
    }
    guard front.title == nil, !title.isEmpty else { return }
    let visible = lines.filter { !$0.isNotice }
    let named = title.lowercased()
    front.title =
      visible.first { !$0.text.isEmpty && named.hasPrefix($0.text.lowercased()) && $0.text.count * 2 >= named.count }?
      .line
    guard let author, let titleLine = front.title else { return }
    front.author =
      visible.first {
        $0.line > titleLine && $0.line < titleLine + 8 && $0.text.hasSuffix(author)
          && $0.text.count <= author.count + 12
      }?.line
  }

  /// A title with the author under it: the first two lines of Aozora Bunko's texts, and a line over “by” and a name.
  private mutating func findTitleOverAuthor(_ visible: [TitleLine]) {
    guard title.isEmpty else { return }
    if style.isAozora, visible.count >= 2 {
      setTitle(visible[0], author: visible[1], named: visible[1].text[...])
      return
    }
    let place = visible.prefix(12).dropFirst().firstIndex { entry in
      let name = entry.text.lowercased().hasPrefix("by ") ? entry.text.dropFirst(3) : ""
      return name.first?.isUppercase == true && entry.text.count <= 50 && !".,;:".contains(entry.text.last ?? ".")
    }
    guard let place else { return }
    setTitle(visible[place - 1], author: visible[place], named: visible[place].text.dropFirst(3))
  }

  /// The first of the underlined titles, where it is over all others: the only one of its level, or the only one of
  /// them that heads no chapter.
  private mutating func findTitleOfSections() {
    let sections = blocks.sections
    guard title.isEmpty, sections.isUnderlined, let first = sections.titles.first,
      !hasBody(between: -1, and: sections.rules.contains(first.line - 1) ? first.line - 1 : first.line)
    else { return }
    func headsChapter(_ title: PlainTextSections.Title) -> Bool {
      let text = source[title.line]
      return text.first.map { ("0"..."9").contains($0) } ?? false || PlainTextHeadings.parse(text) != nil
    }
    let others = sections.titles.dropFirst().filter { $0.level <= first.level }
    guard others.isEmpty || !headsChapter(first) && others.count(where: headsChapter) * 2 >= others.count else {
      return
    }
    title = sections.title(on: first.line, source)
  }

  /// The first line with words, where it stands alone, is no paragraph and ends no sentence.
  private mutating func findTitleAlone(_ visible: [TitleLine]) {
    guard title.isEmpty, let first = visible.first(where: { $0.text.contains(where: \.isLetter) }),
      visible.count + chapters.count > 1, source.lines[first.line].width <= 72, source.standsAlone(first.line),
      first.line + 1 < source.lines.count, let last = first.text.last,
      last.isLetter || last.isNumber || ")）".contains(last) && first.text.first?.isLetter == true
    else { return }
    title = first.text
    front.title = first.line
  }

  private mutating func setTitle(_ title: TitleLine, author: TitleLine, named name: Substring) {
    self.title = title.text
    front.title = title.line
    self.author = String(name)
    front.author = author.line
  }

  /// Finds the verse among the lines that are neither headings nor of notices.
  mutating func findVerse() {
    guard !style.isAozora else { return }
    var isText = source.lines.map { !$0.isBlank }
    func clear(_ line: Int?) {
      if let line { isText[line] = false }
    }
    for notice in notices.all {
      for line in notice.lines { clear(line) }
    }
    for heading in chapters.lazy.flatMap(\.headingLines) {
      clear(heading.line)
      for line in heading.subtitle { clear(line) }
    }
    clear(front.title)
    clear(front.author)
    for line in blocks.tables.lines { clear(line) }
    for line in blocks.items.lines { clear(line) }
    for line in blocks.contents.lines { clear(line) }
    for line in source.lines.indices where isText[line] && isBreak(line) { isText[line] = false }
    blocks.verse = PlainTextVerse(source, style: style) { isText[$0] }
  }
}
