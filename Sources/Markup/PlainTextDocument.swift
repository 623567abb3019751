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
      } else if line == titleLine {
        builder.setLine(source.lines[line].number)
        builder.start(.h1)
        add(line, to: &builder)
        builder.end()
        line += 1
      } else if line == authorLine {
        builder.setLine(source.lines[line].number)
        paragraph("author", [line], to: &builder)
        line += 1
      } else if source.lines[line].isBlank {
        line += 1
      } else {
        line = addParagraph(from: line, before: headings.first?.line ?? chapter.lines.upperBound, chapter, to: &builder)
      }
    }
    return builder.finish()
  }

  /// Adds a heading and returns the line after it.
  private func addHeading(_ heading: (line: Int, level: Int, subtitle: Int?), to builder: inout DocumentBuilder) -> Int
  {
    builder.setLine(source.lines[heading.line].number)
    builder.start(heading.level == 0 ? .h1 : .h2)
    add(heading.line, to: &builder)
    if let subtitle = heading.subtitle {
      builder.start(.br)
      builder.end()
      add(subtitle, to: &builder)
    }
    builder.end()
    return (heading.subtitle ?? heading.line) + 1
  }

  /// Adds the paragraph that begins on a line and returns the line after it.
  private func addParagraph(from first: Int, before end: Int, _ chapter: Chapter, to builder: inout DocumentBuilder)
    -> Int
  {
    builder.setLine(source.lines[first].number)
    if isBreak(first) {
      paragraph("break", [first], to: &builder)
      return first + 1
    }
    var last = first
    while last + 1 < end, style.continues(last, source), !isBreak(last + 1) { last += 1 }
    if style.isAozora, let layout = aozoraLayout(first) {
      builder.start(.p, attributes: [(.style, layout)])
      add(first, to: &builder)
      builder.end()
      return first + 1
    }
    if last > first || style.wrapColumn == nil || style.hasShortParagraphs {
      let isDeep = source.lines[first].indent >= style.indent + 4 && last == first
      paragraph(isDeep ? "verse" : followsGap(first, in: chapter) ? "gap" : nil, Array(first...last), to: &builder)
      return last + 1
    }
    // In a text of broken lines, neighbours that were not broken by the margin are lines of verse, or of a title page.
    var lines = [first]
    while let line = lines.last, line + 1 < end, !source.lines[line + 1].isBlank, !style.continues(line + 1, source),
      !isBreak(line + 1)
    {
      lines.append(line + 1)
    }
    if lines.count == 1 {
      paragraph(nil, lines, to: &builder)
    } else {
      builder.start(.p, attributes: [(.`class`, "verse")])
      let margin = lines.map { source.lines[$0].indent }.min() ?? 0
      for (position, line) in lines.enumerated() {
        if position > 0 {
          builder.start(.br)
          builder.end()
        }
        // Two columns of a typewriter are about an em.
        let inset = Swift.min(40, source.lines[line].indent - margin)
        if inset > 0 { builder.text(String(repeating: "\u{2002}", count: inset)) }
        var stress = Stress(in: [line], of: source)
        add(line, stress: &stress, to: &builder)
      }
      builder.end()
    }
    return first + lines.count
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
    builder.start(.p, attributes: className.map { [(.`class`, $0)] } ?? [])
    var stress = Stress(in: lines, of: source)
    for (position, line) in lines.enumerated() {
      if position > 0, !joinsWithoutSpace(lines[position - 1], line) { builder.text(" ") }
      add(line, stress: &stress, to: &builder)
    }
    builder.end()
  }

  /// Whether two pieces of a broken line meet between East Asian characters.
  private func joinsWithoutSpace(_ line: Int, _ next: Int) -> Bool {
    guard style.isEastAsian else { return false }
    guard let last = source[line].last, let first = source[next].first else { return true }
    return last.value >= 0x2000 || first.value >= 0x2000
  }

  /// A line of signs that separates scenes.
  private func isBreak(_ line: Int) -> Bool {
    guard source.lines[line].width <= 60 else { return false }
    return source[line].allSatisfy { "*＊-－—─=＝_~～#＃◇◆○●☆★※·・•§ \u{3000}".unicodeScalars.contains($0) }
  }

  /// Whether more blank lines than usual stand before a paragraph.
  private func followsGap(_ line: Int, in chapter: Chapter) -> Bool {
    guard style.wrapColumn == nil, line >= 3, line - 3 > (chapter.headingLines.last?.line ?? chapter.lines.lowerBound)
    else { return false }
    return (1...3).allSatisfy { source.lines[line - $0].isBlank }
  }

  /// A line of a paragraph; what is `_stressed_` is slanted. The signs are kept, so that the text stays whole, and not seen.
  private func add(_ line: Int, stress: inout Stress, to builder: inout DocumentBuilder) {
    let range = source.lines[line].range
    guard stress.next(before: range.upperBound) != nil || stress.isOpen else { return add(line, to: &builder) }
    var at = range.lowerBound
    func text(upTo end: Int, _ builder: inout DocumentBuilder) {
      if at < end { source.text[at..<end].withUnsafeBufferPointer { builder.text($0) } }
      at = end
    }
    if stress.isOpen { builder.start(.i) }
    while let place = stress.next(before: range.upperBound) {
      text(upTo: place, &builder)
      if stress.isOpen { builder.end() }
      builder.start(.span, attributes: [(.`class`, "mark")])
      text(upTo: place + 1, &builder)
      builder.end()
      stress.pass()
      if stress.isOpen { builder.start(.i) }
    }
    text(upTo: range.upperBound, &builder)
    if stress.isOpen { builder.end() }
  }

  private func add(_ line: Int, to builder: inout DocumentBuilder) {
    let range = source.lines[line].range
    guard style.isAozora, source.text[range].contains(0xE3) || source.text[range].contains(0xEF) else {
      source.text[range].withUnsafeBufferPointer { builder.text($0) }
      return
    }
    for (place, piece) in AozoraMarkup.pieces(of: String(decoding: source.text[range], as: UTF8.self)).enumerated() {
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
    // Chinese, Japanese and Korean paragraphs are indented by the house style, which plain texts are set in.
    let isIndentedByHouse = language == "ja" || language == "ko" || language.hasPrefix("zh")
    // Texts are long, and total fit takes several times as long as setting them line by line.
    return """
      p { margin: 0; text-wrap-style: auto }
      \(isIndentedByHouse ? "" : "p { text-indent: 1.5em }")
      \(style.isAozora ? "body { line-height: 1.75 }" : "")
      h1, h2 { text-align: center; margin: 2em 0 1.5em; line-height: 1.4 }
      h2 { font-size: 1.3em }
      \(style.isEastAsian ? "" : "h1 + p, h2 + p, .break + p, .gap { text-indent: 0 }")
      .gap { margin-top: 1em }
      .verse { margin: 1em 0 1em 2em; text-indent: 0 }
      .verse + .verse { margin-top: 0 }
      .break { margin: 1em 0; text-indent: 0; text-align: center }
      .note { font-size: 0.7em; color: #666 }
      .mark { font-size: 0 }
      .author { text-align: center; text-indent: 0; margin: 1em 0 2em }
      \(style.isAozora ? "em { font-style: normal; text-emphasis: filled sesame }" : "")
      """
  }
}
