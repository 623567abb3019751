import Primitives

extension PlainTextBook {
  /// The document of a chapter: headings and paragraphs of HTML, with a style sheet of its own.
  package func document(at index: Int) -> Document {
    var builder = DocumentBuilder()
    guard chapters.indices.contains(index) else { return builder.finish() }
    let chapter = chapters[index]
    builder.start(.html, attributes: language.isEmpty ? [] : [(.lang, language)])
    builder.start(.head)
    builder.start(.title)
    builder.text(chapter.title ?? title)
    builder.end()
    builder.start(.style)
    builder.text(styleSheet)
    builder.end()
    builder.end()
    builder.start(.body)
    var line = chapter.lines.lowerBound
    var headings = chapter.headingLines[...]
    while line < chapter.lines.upperBound {
      if let heading = headings.first, heading.line == line {
        headings = headings.dropFirst()
        line = addHeading(heading, to: &builder)
      } else if let notice = notices.notice(at: line) {
        let end = min(notice.lines.upperBound, chapter.lines.upperBound)
        builder.start(.div, attributes: [(.`class`, notice.kind == .license ? "license" : "legend")])
        while line < end { line = addBlock(from: line, before: end, chapter, to: &builder) }
        builder.end()
      } else if line == front.title {
        addTitle(line, to: &builder)
        line += 1
      } else if line == front.author {
        builder.setLine(source.lines[line].number)
        paragraph("author", [line], to: &builder)
        line += 1
      } else {
        line = addBlock(from: line, before: headings.first?.line ?? chapter.lines.upperBound, chapter, to: &builder)
      }
    }
    return builder.finish()
  }

  /// Adds the book's title; an author behind it in the same line stands under it.
  private func addTitle(_ line: Int, to builder: inout DocumentBuilder) {
    builder.setLine(source.lines[line].number)
    let text = String(source[line])
    let end = text.hasPrefix("《") ? text.firstIndex(of: "》").map { text.index(after: $0) } : nil
    builder.start(.h1)
    if let end { builder.text(String(text[..<end])) } else { add(line, to: &builder) }
    builder.end()
    guard let end, end < text.endIndex else { return }
    builder.start(.p, attributes: [(.`class`, "author")])
    builder.text(String(text[end...]))
    builder.end()
  }

  /// Adds what begins on a line, a paragraph, a stanza, a rule or nothing, and returns the line after it.
  private func addBlock(from line: Int, before end: Int, _ chapter: Chapter, to builder: inout DocumentBuilder) -> Int {
    if source.lines[line].isBlank { return line + 1 }
    builder.setLine(source.lines[line].number)
    if style.marks.hiddenLines.contains(line) || blocks.sections.rules.contains(line) {
      builder.start(.p, attributes: [(.`class`, "mark")])
      addText(source.lines[line].range, to: &builder)
      builder.end()
      return line + 1
    }
    if let table = blocks.tables.table(from: line), table.upperBound <= end {
      addTable(table, to: &builder)
      return table.upperBound
    }
    if source.isRule(line) {
      builder.start(.p, attributes: [(.`class`, "rule")])
      builder.start(.span, attributes: [(.`class`, "mark")])
      add(line, to: &builder)
      builder.end()
      builder.end()
      return line + 1
    }
    if let entry = blocks.contents.entry(from: line) {
      addEntry(entry.clamped(to: line..<end), to: &builder)
      return min(entry.upperBound, end)
    }
    if let stanza = blocks.verse.stanza(from: line), stanza.upperBound <= end {
      addStanza(Array(stanza), to: &builder)
      return stanza.upperBound
    }
    if blocks.verse.titles.contains(line), !isAlone(line, in: chapter) {
      builder.start(.h3)
      add(line, to: &builder)
      builder.end()
      return line + 1
    }
    if let item = blocks.items.item(from: line), item.lines.upperBound <= end {
      addItem(item, to: &builder)
      return item.lines.upperBound
    }
    return addParagraph(from: line, before: end, chapter, to: &builder)
  }

  /// Adds an item of a list: its sign stands out from the text, which is set in as deep as the item is.
  private func addItem(_ item: PlainTextItems.Item, to builder: inout DocumentBuilder) {
    // Two columns of a typewriter are about an em.
    let hanging = Double(item.marker.columns) / 2
    let depth = Double(Swift.min(16, max(0, source.lines[item.lines.lowerBound].indent - style.indent))) / 2
    let layout = "margin-inline-start: \(hanging + depth)em; text-indent: -\(hanging)em"
    builder.start(.p, attributes: [(.`class`, "item"), (.style, layout)])
    let start = source.lines[item.lines.lowerBound].range.lowerBound
    builder.start(.span, attributes: [(.`class`, "sign"), (.style, "min-inline-size: \(hanging)em")])
    builder.text(source.text.span.extracting(start..<start + item.marker.length))
    builder.end()
    addLines(Array(item.lines), from: start + item.marker.length, to: &builder)
    builder.end()
  }

  /// Adds an entry of a list of contents, set in as deep as it is; the lines after its first hang.
  private func addEntry(_ lines: Range<Int>, to builder: inout DocumentBuilder) {
    // Two columns of a typewriter are about an em.
    let depth = Double(Swift.min(24, source.lines[lines.lowerBound].indent)) / 2
    builder.start(
      .p, attributes: [(.`class`, "item"), (.style, "margin-inline-start: \(depth + 2)em; text-indent: -2em")])
    addLines(lines.filter { !source.lines[$0].isBlank }, to: &builder)
    builder.end()
  }

  /// Adds a heading and returns the line after it.
  private func addHeading(_ heading: (line: Int, level: Int, subtitle: Range<Int>), to builder: inout DocumentBuilder)
    -> Int
  {
    builder.setLine(source.lines[heading.line].number)
    let name: Atom = heading.level == 0 ? .h1 : heading.level == 1 ? .h2 : .h3
    let isInner = chapterPatterns.isEmpty && heading.level >= Self.levelOfSections
    let isSection = isInner || !blocks.sections.titles.isEmpty
    builder.start(name, attributes: isSection ? [(.`class`, "section"), (.id, Self.id(ofLine: heading.line))] : [])
    addTitle(of: heading.line, to: &builder)
    for line in heading.subtitle {
      if let separator = separator(before: line) {
        builder.text(separator)
      } else {
        builder.start(.br)
        builder.end()
      }
      add(line, to: &builder)
    }
    builder.end()
    return heading.subtitle.isEmpty ? heading.line + 1 : heading.subtitle.upperBound
  }

  /// What stands between the lines of a title that was broken at the margin; nil where they are lines of their own.
  private func separator(before line: Int) -> String? {
    guard style.continues(line - 1, source) else { return nil }
    return joinsWithoutSpace(line - 1, line) ? "" : " "
  }

  /// The title on some lines, for a table of contents.
  func title(on lines: Range<Int>) -> String {
    var title = String(source[lines.lowerBound])
    for line in lines.dropFirst() where !source.lines[line].isBlank {
      title += (separator(before: line) ?? " ") + String(source[line])
    }
    return title
  }

  /// Adds the words of a heading; signs around them are not seen.
  private func addTitle(of line: Int, to builder: inout DocumentBuilder) {
    guard let words = blocks.sections.words[line] else { return add(line, to: &builder) }
    let range = source.lines[line].range
    addMark(range.lowerBound..<words.lowerBound, to: &builder)
    addText(words, to: &builder)
    addMark(words.upperBound..<range.upperBound, to: &builder)
  }

  /// Adds what is text and is not seen.
  private func addMark(_ range: Range<Int>, to builder: inout DocumentBuilder) {
    builder.start(.span, attributes: [(.`class`, "mark")])
    addText(range, to: &builder)
    builder.end()
  }

  /// Adds the paragraph that begins on a line and returns the line after it.
  private func addParagraph(from first: Int, before end: Int, _ chapter: Chapter, to builder: inout DocumentBuilder)
    -> Int
  {
    if isBreak(first) {
      paragraph("break", [first], to: &builder)
      return first + 1
    }
    var last = first
    let isLicense = notices.notice(at: first)?.kind == .license
    func continues(_ line: Int) -> Bool {
      isLicense ? source.lines[line].width >= 50 && !source.lines[line + 1].isBlank : style.continues(line, source)
    }
    while last + 1 < end, continues(last), !isBreak(last + 1), blocks.verse.stanza(from: last + 1) == nil,
      !beginsBlock(last + 1)
    {
      last += 1
    }
    if style.isAozora, let layout = aozoraLayout(first) {
      builder.start(.p, attributes: [(.style, layout)])
      add(first, to: &builder)
      builder.end()
      return first + 1
    }
    if last > first || style.wrapColumn == nil || style.hasShortParagraphs {
      let isDeep = source.lines[first].indent >= style.indent + (style.isEastAsian ? 6 : 4) && last == first
      paragraph(isDeep ? "verse" : followsGap(first, in: chapter) ? "gap" : nil, Array(first...last), to: &builder)
      return last + 1
    }
    // In a text of broken lines, neighbours that were not broken by the margin are lines of verse, or of a title page.
    var lines = [first]
    while let line = lines.last, line + 1 < end, !source.lines[line + 1].isBlank, !style.continues(line + 1, source),
      !isBreak(line + 1), !beginsBlock(line + 1)
    {
      lines.append(line + 1)
    }
    if lines.count == 1 {
      paragraph(isAlone(first, in: chapter) ? "center" : nil, lines, to: &builder)
    } else {
      addStanza(lines, to: &builder)
    }
    return first + lines.count
  }

  /// An item, an entry of contents or a table begins on the line.
  private func beginsBlock(_ line: Int) -> Bool {
    blocks.items.item(from: line) != nil || blocks.contents.entry(from: line) != nil
      || blocks.tables.table(from: line) != nil
  }

  /// Lines that stand alone before the first heading, as on a title page; a list of contents, which may stand there,
  /// too, is longer.
  private func isAlone(_ line: Int, in chapter: Chapter) -> Bool {
    chapter.headingLines.isEmpty && chapter.lines.lowerBound == 0 && chapters.count > 1
      && chapter.lines.count <= Self.mostTitlePageLines
      && notices.notice(at: line) == nil
      && source.lines[line].width <= 50
  }

  private static let mostTitlePageLines = 2000

  /// Adds lines that end where the author ends them: set in by what they are set in more than the others, their numbers at the right.
  private func addStanza(_ lines: [Int], to builder: inout DocumentBuilder) {
    builder.start(.p, attributes: [(.`class`, lines.count <= 6 ? "verse stanza" : "verse")])
    let margin = lines.map { source.lines[$0].indent }.min() ?? 0
    var emphasis = PlainTextEmphasis(in: lines, of: source)
    for (position, line) in lines.enumerated() {
      if position > 0 {
        builder.start(.br)
        builder.end()
      }
      // Two columns of a typewriter are about an em.
      let inset = Swift.min(40, source.lines[line].indent - margin)
      if inset > 0 { builder.text(String(repeating: "\u{2002}", count: inset)) }
      let (range, _, number) = source.withoutLineNumber(line)
      add(range, emphasis: &emphasis, to: &builder)
      guard let number else { continue }
      builder.start(.span, attributes: [(.`class`, "number")])
      builder.text(" ")
      builder.text(source.text.span.extracting(number))
      builder.end()
    }
    builder.end()
  }

  /// The place that notes at the start of a line, or around it, ask for, as declarations; nil when there are none.
  private func aozoraLayout(_ line: Int) -> String? {
    let own = AozoraMarkup.layout(of: String(source[line]))
    let around = aozoraBlocks[line]
    guard own != nil || around != nil else { return nil }
    // A line that only says how others stand takes no room.
    let room = AozoraMarkup.isOnlyLayout(String(source[line])) ? "; font-size: 0" : ""
    return (own ?? around).map { $0.declarations + room }
  }

  private func paragraph(_ className: String?, _ lines: [Int], to builder: inout DocumentBuilder) {
    paragraph(className.map { [(.`class`, $0)] } ?? [], lines, to: &builder)
  }

  private func paragraph(_ attributes: [(Atom, String)], _ lines: [Int], to builder: inout DocumentBuilder) {
    builder.start(.p, attributes: attributes)
    addLines(lines, to: &builder)
    builder.end()
  }

  /// Lines that were broken at the margin.
  ///
  /// - Parameter start: The byte in the first of them from which on.
  private func addLines(_ lines: [Int], from start: Int = 0, to builder: inout DocumentBuilder) {
    var emphasis = PlainTextEmphasis(in: lines, of: source)
    for (position, line) in lines.enumerated() {
      if position > 0, !joinsWithoutSpace(lines[position - 1], line) { builder.text(" ") }
      let range = source.lines[line].range
      add(Swift.max(start, range.lowerBound)..<range.upperBound, emphasis: &emphasis, to: &builder)
    }
  }

  /// Two pieces of a broken line meet between East Asian characters, or within a word of Korean.
  private func joinsWithoutSpace(_ line: Int, _ next: Int) -> Bool {
    guard style.isEastAsian || style.breaksInsideWords else { return false }
    guard let last = source[line].last, let first = source[next].first else { return true }
    if style.isEastAsian { return last.value >= 0x2000 || first.value >= 0x2000 }
    func isHangul(_ scalar: Unicode.Scalar) -> Bool { (0xAC00..<0xD7A4).contains(scalar.value) }
    let between = source.lines[line].range.upperBound..<source.lines[next].range.lowerBound
    return isHangul(last) && isHangul(first) && between.isEmpty
  }

  /// A line of signs that separates scenes.
  func isBreak(_ line: Int) -> Bool {
    guard source.lines[line].width <= 60 else { return false }
    return source[line].allSatisfy { "*＊-－—─=＝_~～#＃◇◆○●☆★※·・•§ \u{3000}".unicodeScalars.contains($0) }
  }

  /// More blank lines than usual stand before a paragraph.
  private func followsGap(_ line: Int, in chapter: Chapter) -> Bool {
    guard style.wrapColumn == nil, line >= 3, line - 3 > chapter.lines.lowerBound,
      (1...3).allSatisfy({ source.lines[line - $0].isBlank }),
      let previous = source.lines[..<line].lastIndex(where: { !$0.isBlank })
    else { return false }
    return !chapter.headingLines.contains { $0.line == previous || $0.subtitle.contains(previous) }
  }

  /// A line of a paragraph; what is `_emphasised_` is slanted. The signs are kept, so that the text stays whole, and not seen.
  private func add(_ range: Range<Int>, emphasis: inout PlainTextEmphasis, to builder: inout DocumentBuilder) {
    guard emphasis.next(before: range.upperBound) != nil || emphasis.isOpen else { return add(range, to: &builder) }
    var at = range.lowerBound
    func text(upTo end: Int, _ builder: inout DocumentBuilder) {
      if at < end { builder.text(source.text.span.extracting(at..<end)) }
      at = end
    }
    if emphasis.isOpen { builder.start(.i) }
    while let place = emphasis.next(before: range.upperBound) {
      text(upTo: place, &builder)
      if emphasis.isOpen { builder.end() }
      builder.start(.span, attributes: [(.`class`, "mark")])
      text(upTo: place + 1, &builder)
      builder.end()
      emphasis.pass()
      if emphasis.isOpen { builder.start(.i) }
    }
    text(upTo: range.upperBound, &builder)
    if emphasis.isOpen { builder.end() }
  }

  private func add(_ line: Int, to builder: inout DocumentBuilder) { add(source.lines[line].range, to: &builder) }

  private func add(_ range: Range<Int>, to builder: inout DocumentBuilder) {
    var range = range
    for mark in style.marks.marks(in: range, of: source) {
      addText(range.lowerBound..<mark.lowerBound, to: &builder)
      addMark(mark, to: &builder)
      range = mark.upperBound..<range.upperBound
    }
    addText(range, to: &builder)
  }

  private func addText(_ range: Range<Int>, to builder: inout DocumentBuilder) {
    guard !range.isEmpty else { return }
    guard style.isAozora, source.text[range].contains(0xE3) || source.text[range].contains(0xEF) else {
      builder.text(source.text.span.extracting(range))
      return
    }
    let text = AozoraMarkup.resolvingGaiji(in: String(decoding: source.text[range], as: UTF8.self))
    for (place, piece) in AozoraMarkup.pieces(of: text).enumerated() {
      switch piece {
      case .text(let text):
        builder.text(text)
      case .note(let note) where AozoraMarkup.isObeyed(note, atStart: place == 0):
        builder.start(.span, attributes: [(.`class`, "mark")])
        builder.text(note)
        builder.end()
      case .emphasis(let text):
        builder.start(.em)
        builder.text(text)
        builder.end()
      case .note(let note):
        builder.start(.span, attributes: [(.`class`, "note")])
        builder.text(note)
        builder.end()
      case .ruby(let mark, let base, let annotation):
        if !mark.isEmpty {
          // Kept, so that the text stays whole, and not seen.
          builder.start(.span, attributes: [(.`class`, "mark")])
          builder.text(mark)
          builder.end()
        }
        builder.start(.ruby)
        builder.text(base)
        builder.start(.rt)
        builder.text(annotation)
        builder.end()
        builder.end()
      }
    }
  }

  private var styleSheet: String {
    // The house style, which plain texts are set in, has all that is not of plain texts alone. Texts are long, and total fit takes
    // several times as long as setting them line by line.
    return """
      p { text-wrap-style: auto }
      \(style.isAozora ? "body { line-height: 1.75 }" : "")
      h1, h2 { margin-bottom: 1.5em }
      h2 { font-size: 1.3em; text-align: center }
      h1:has(+ .author) { text-align: center; margin-inline-start: 0 }
      \(style.isEastAsian ? "" : ".break + p, .gap { text-indent: 0 }")
      .gap { margin-top: 1em\(style.isEastAsian ? "; text-indent: \(language == "ja" ? 1 : 2)em" : "") }
      .verse { margin: 1em 0 1em 2em; text-indent: 1.5em hanging each-line; text-align: start; hyphens: none }
      .stanza { break-inside: avoid }
      .item { text-align: start }
      .sign { display: inline-block; text-indent: 0; white-space: pre }
      .drawn { container-type: inline-size; margin: 1em 0; break-inside: avoid }
      .drawn pre { margin: 0; padding: 0; background: none; line-height: 1.2; white-space: pre }
      .wide { letter-spacing: 0.2em }
      .number { float: inline-end; text-indent: 0; font-size: 0.75em }
      h3 { font-size: 1.1em; margin: 1.5em 0 1em\(style.isEastAsian ? "; text-align: center" : " 2em") }
      .section { text-align: start; margin-inline-start: 0; margin-block: 1.5em 0.75em }
      .rule { width: 8em; margin: 1.5em auto; text-indent: 0; border-top: thin solid; break-after: avoid }
      .center { text-align: center; text-indent: 0; margin: 1em 0 }
      .license, .legend { font-size: 0.8em; line-height: 1.4 }
      .license p:not(.verse), .legend p:not(.verse) { text-indent: 0; margin: 0.5em 0 }
      .legend { margin: 2em 0 }
      .legend .rule { margin: 1em auto }
      .legend .rule:last-child { break-before: avoid; break-after: auto }
      .license { break-before: page; break-after: page }
      .break { margin: 1em 0; text-indent: 0; text-align: center }
      .note { font-size: 0.7em; color: #666 }
      .mark { font-size: 0 }
      .author { text-align: center; text-indent: 0; margin: 1em 0 2em }
      \(style.isAozora ? "em { font-style: normal; text-emphasis: filled sesame }" : "")
      """
  }
}
