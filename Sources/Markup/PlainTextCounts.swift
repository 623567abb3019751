/// Lines that count the parts of a text otherwise than by a known word and a number behind it: those that begin with a
/// number (5. Kapitel, 5장.), those that say it (Erstes Kapitel), and those with a word that only the text knows.
///
/// One such line says nothing, since sentences begin like that, too: only lines that stand apart and count up, or of
/// which several are alike, are headings.
struct PlainTextCounts {
  /// In order of their lines.
  private(set) var headings: [(line: Int, heading: PlainTextHeading)] = []

  private struct Entry {
    var line: Int
    var heading: PlainTextHeading

    init(_ line: Int, _ heading: PlainTextHeading) { (self.line, self.heading) = (line, heading) }
  }

  /// What entries have in common: their word, and whether it is before what differs.
  private struct Kind: Hashable {
    var unit: String
    var isFirst: Bool
    /// Words say the number.
    var isSaid: Bool
  }

  private static let leastRun = 3
  private static let mostColumns = 100

  /// - Parameter others: The headings by a known word and a number behind it.
  /// - Parameter isText: Lines that may be headings.
  init(_ source: PlainTextLines, others: [(line: Int, heading: PlainTextHeading)], isText: (Int) -> Bool) {
    var entries: [Kind: [Entry]] = [:]
    // Some words for numbers are known, too.
    for (line, heading) in others {
      guard let count = heading.count, count.number == nil else { continue }
      entries[Kind(unit: count.unit, isFirst: true, isSaid: true), default: []].append(Entry(line, heading))
    }
    for line in source.lines.indices where line == 0 || source.lines[line - 1].isBlank {
      guard !source.lines[line].isBlank, source.lines[line].width <= Self.mostColumns, isText(line),
        let (kind, heading) = Self.parse(line, source)
      else { continue }
      entries[kind, default: []].append(Entry(line, heading))
    }
    let chapters = others.filter { $0.heading.level == 1 && $0.heading.count != nil }
    let found = Self.headings(
      among: entries, chapters: chapters.map { Entry($0.line, $0.heading) }, lineCount: source.lines.count)
    let lines = Set(others.map(\.line))
    headings = found.filter { !lines.contains($0.line) }.map { ($0.line, $0.heading) }.sorted { $0.0 < $1.0 }
  }

  private static func headings(among entries: [Kind: [Entry]], chapters: [Entry], lineCount: Int) -> [Entry] {
    let hasChapters = chapters.count { $0.heading.count?.number != nil } >= leastRun
    let known = entries.filter { PlainTextUnits.level(of: $0.key.unit) != nil }
    var found = known.filter { !$0.key.isSaid && countsUp($0.value, least: 2, over: lineCount / 50) }
    let said = known.filter { kind, entries in
      kind.isSaid && distinct(entries) >= 2 && (!hasChapters || areOver(chapters, entries))
    }
    let all = said.values.flatMap(\.self).sorted { $0.line < $1.line }
    if hasChapters || distinct(all) >= leastRun && isSpread(all, over: lineCount / 5) {
      found.merge(said) { first, _ in first }
    }
    if !hasChapters, !found.keys.contains(where: { PlainTextUnits.level(of: $0.unit) == 1 }) {
      let unknown = entries.filter { kind, entries in
        PlainTextUnits.level(of: kind.unit) == nil && countsUp(entries, least: leastRun, over: lineCount / 5)
      }
      // Chapters come before what stands in them.
      if let (kind, entries) = unknown.min(by: { $0.value[0].line < $1.value[0].line }) { found[kind] = entries }
    }
    return found.values.flatMap(\.self)
  }

  // MARK: Runs

  /// The numbers count up from one over a number of lines: a list is short.
  private static func countsUp(_ entries: [Entry], least: Int, over lines: Int) -> Bool {
    var (first, last, count) = (0, 0, 0)
    for entry in entries {
      guard let number = entry.heading.count?.number else { continue }
      if number == 1 { (first, last, count) = (entry.line, 0, 0) }
      guard 1...2 ~= number - last else { continue }
      (last, count) = (number, count + 1)
      if count >= least, entry.line - first >= lines { return true }
    }
    return false
  }

  /// How many say different numbers.
  private static func distinct(_ entries: [Entry]) -> Int { Set(entries.map(\.heading.key)).count }

  private static func isSpread(_ entries: [Entry], over lines: Int) -> Bool {
    guard let first = entries.first, let last = entries.last else { return false }
    return last.line - first.line >= lines
  }

  /// The lines are those of parts: chapters follow most of them at once.
  private static func areOver(_ chapters: [Entry], _ entries: [Entry]) -> Bool {
    guard entries.count >= 2, entries.allSatisfy({ $0.heading.level == 0 }) else { return false }
    let lines = Set(chapters.map(\.line))
    return entries.count { entry in (1...mostGap).contains { lines.contains(entry.line + $0) } } * 3 >= entries.count
      * 2
  }

  /// Lines from a part to its first chapter.
  private static let mostGap = 8

  // MARK: Lines

  private static func parse(_ line: Int, _ source: PlainTextLines) -> (Kind, PlainTextHeading)? {
    switch shape(of: line, source) {
    case .numberFirst: numberFirst(String(source[line])) ?? said(String(source[line]))
    case .wordFirst: wordFirst(String(source[line])) ?? said(String(source[line]))
    case .fewWords: said(String(source[line]))
    case nil: nil
    }
  }

  private enum Shape { case numberFirst, wordFirst, fewWords }

  /// What a line may be, told from its bytes: most lines are nothing of this kind.
  private static func shape(of line: Int, _ source: PlainTextLines) -> Shape? {
    let bytes = source.text[source.lines[line].range]
    guard let first = bytes.first else { return nil }
    if ASCII.isDigit(first) { return .numberFirst }
    guard first >= 0x80 || isCapital(first) else { return nil }
    var words = 1
    for (index, byte) in zip(bytes.indices, bytes) {
      let isNoBreakSpace = byte == 0xA0 && bytes[index - 1] == 0xC2
      if byte == 0x20 || isNoBreakSpace {
        guard index + 1 < bytes.endIndex else { break }
        if index == bytes.startIndex + 1 { return .numberFirst }
        if words == 1, ASCII.isDigit(bytes[index + 1]) || isRomanDigit(bytes[index + 1]) { return .wordFirst }
        words += 1
        if words > mostWords { return nil }
      } else if words == 1, byte == UInt8(ascii: "."),
        index == bytes.startIndex + 1 || bytes[..<index].allSatisfy(isRomanDigit)
      {
        return .numberFirst
      } else if words > 1, byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") {
        break
      }
    }
    return words > 1 ? .fewWords : nil
  }

  private static let mostWords = 4
  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isRomanDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "I"), UInt8(ascii: "V"), UInt8(ascii: "X"), UInt8(ascii: "L"), UInt8(ascii: "C"): true
    default: false
    }
  }

  /// `5. fejezet`, `XII. luku: …`, `5장. …`, `A függelék`; the number may have the ending of an ordinal.
  private static func numberFirst(_ text: String) -> (Kind, PlainTextHeading)? {
    let isLetter = text.first?.isNumber == false
    let number = text.prefix { isLetter ? $0.isLetter : $0.isNumber }
    var rest = text[number.endIndex...]
    if let sign = rest.first, ".ºª".contains(sign) { rest = rest.dropFirst() }
    if rest.first == "-" { rest = rest.drop { $0 == "-" || $0.isLetter } }
    rest = rest.drop(while: \.isWhitespace)
    let word = rest.prefix(while: \.isLetter)
    return counted(word, number, rest[word.endIndex...], isWordFirst: false)
  }

  /// `Stanza 5. …`, `Stanza V`.
  private static func wordFirst(_ text: String) -> (Kind, PlainTextHeading)? {
    let word = text.prefix { !$0.isWhitespace }
    // What follows a known word is looked at on all lines.
    guard PlainTextUnits.level(of: word.lowercased()) == nil else { return nil }
    let rest = text[word.endIndex...].drop(while: \.isWhitespace)
    let number = rest.prefix { $0.isLetter || $0.isNumber }
    return counted(word.last == "." ? word.dropLast() : word, number, rest[number.endIndex...], isWordFirst: true)
  }

  private static func counted(
    _ word: Substring, _ number: Substring, _ rest: Substring, isWordFirst: Bool
  ) -> (Kind, PlainTextHeading)? {
    let unit = word.lowercased()
    let isKnown = PlainTextUnits.level(of: unit) != nil
    guard isKnown || word.count >= 2 && word.allSatisfy(\.isLetter) && !PlainTextUnits.isSmall(unit),
      let value = PlainTextHeadings.value(of: number, ofAppendix: PlainTextUnits.isAppendix(unit)), value > 0,
      let heading = PlainTextHeadings.heading(unit, number, rest)
    else { return nil }
    // A word that nobody knows, before others: “3. Open the gate”.
    guard isKnown || isWordFirst || !heading.hasTitle || rest.first?.isWhitespace == false else { return nil }
    return (Kind(unit: unit, isFirst: isWordFirst, isSaid: false), heading)
  }

  /// `Erstes Kapitel`, `Capítulo primero. …`, `Das erste Kapitel`: a few words, the first or last of which is known.
  private static func said(_ text: String) -> (Kind, PlainTextHeading)? {
    let label = text.prefix { !".:—–".contains($0) }
    let words = label.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    guard (2...mostWords).contains(words.count), let first = words.first, let last = words.last else { return nil }
    // In Spanish, “del” begins other lines.
    let isFirst = first != "del" && PlainTextUnits.level(of: first) != nil
    let unit = isFirst ? first : last
    let rest = text[label.endIndex...]
    guard let level = PlainTextUnits.level(of: unit), let title = PlainTextHeadings.title(rest),
      words.allSatisfy({ $0.allSatisfy { $0.isLetter || "-'’".contains($0) } })
    else { return nil }
    return (
      Kind(unit: unit, isFirst: isFirst, isSaid: true),
      PlainTextHeading(
        level: level, key: words.joined(separator: " "), hasTitle: !title.isEmpty,
        count: .init(unit: unit, number: nil, delimiter: rest.unicodeScalars.first))
    )
  }
}
