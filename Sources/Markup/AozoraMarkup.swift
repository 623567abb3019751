/// The ruby and notes of Aozora Bunko's plain texts.
enum AozoraMarkup {
  enum Piece: Equatable {
    case text(String)
    /// `mark` is the bar that began the base, empty where there was none.
    case ruby(mark: String, base: String, annotation: String)
    case note(String)
    /// Text that a note behind it puts dots beside.
    case emphasis(String)
  }

  /// The place of a paragraph: ems from the line's start and end, and how much more its first line is set in.
  struct Layout: Equatable, Sendable {
    var start = 0
    var end = 0
    var first = 0
    var isAtEnd = false
    var startsPage = false

    var declarations: String {
      var all = "text-indent: \(first)em; margin-inline: \(start)em \(end)em"
      if isAtEnd { all += "; text-align: end" }
      if startsPage { all += "; break-before: page" }
      return all
    }
  }

  /// Splits a line at ruby (漢字《かんじ》, ｜東京《とうきょう》) and notes (［＃…］).
  static func pieces(of line: String) -> [Piece] {
    var pieces: [Piece] = []
    let scalars = Array(line.unicodeScalars)
    // The start of the text not yet written, and where the base of ruby would begin.
    var start = 0
    var bar: Int?
    var index = 0
    func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    while index < scalars.count {
      switch scalars[index] {
      case "｜", "|":
        bar = index
        index += 1
      case "《":
        guard let close = scalars[index...].firstIndex(of: "》"), close > index + 1, close - index <= 60 else {
          index += 1
          continue
        }
        var base = index
        if let bar, bar >= start, bar + 1 < index {
          base = bar + 1
        } else {
          base = baseStart(scalars, before: index, from: start)
        }
        guard base < index else {
          index += 1
          continue
        }
        let mark = bar.map { $0 == base - 1 && $0 >= start } ?? false
        let textEnd = mark ? base - 1 : base
        if start < textEnd { pieces.append(.text(string(start..<textEnd))) }
        pieces.append(
          .ruby(
            mark: mark ? string(base - 1..<base) : "", base: string(base..<index), annotation: string(index + 1..<close)
          ))
        index = close + 1
        start = index
        bar = nil
      case "［" where index + 1 < scalars.count && scalars[index + 1] == "＃":
        guard let close = scalars[index...].firstIndex(of: "］") else {
          index += 1
          continue
        }
        if start < index { pieces.append(.text(string(start..<index))) }
        let note = string(index..<close + 1)
        emphasize(note, in: &pieces)
        pieces.append(.note(note))
        index = close + 1
        start = index
        bar = nil
      default:
        index += 1
      }
    }
    if start < scalars.count { pieces.append(.text(string(start..<scalars.count))) }
    return pieces
  }

  /// The layout that the notes of a line ask for; nil when they ask for none.
  static func layout(of line: String) -> Layout? {
    guard line.hasPrefix("［＃"), !line.hasPrefix("［＃ここ"), case .note(let note)? = pieces(of: line).first else {
      return nil
    }
    return layout(ofNote: note)
  }

  /// The line is nothing but notes on layout.
  static func isOnlyLayout(_ line: String) -> Bool {
    pieces(of: line).allSatisfy { if case .note(let note) = $0 { isObeyed(note, atStart: true) } else { false } }
  }

  /// The note is obeyed and not shown: one on the place of lines only where it begins one.
  static func isObeyed(_ note: String, atStart: Bool) -> Bool {
    atStart && layout(ofNote: note) != nil || note.hasSuffix("終わり］") || note.hasSuffix("見出し］") || note.hasSuffix("傍点］")
  }

  /// `［＃２字下げ］`, `［＃地から１字上げ］`, `［＃ここから２字下げ、折り返して３字下げ］`, `［＃改ページ］` and their kin.
  private static func layout(ofNote note: String) -> Layout? {
    if note == "［＃改ページ］" || note == "［＃改丁］" { return Layout(startsPage: true) }
    if note.contains("地付き］") { return Layout(isAtEnd: true) }
    if note.contains("字上げ］"), let count = numbers(in: note).first { return Layout(end: count, isAtEnd: true) }
    guard note.hasSuffix("字下げ］") else { return nil }
    let counts = numbers(in: note)
    guard let first = counts.first else { return nil }
    guard counts.count > 1 else { return Layout(start: first) }
    return Layout(start: counts[1], first: first - counts[1])
  }

  /// Numbers of either width, of which more than 20 are held to be 20.
  private static func numbers(in note: String) -> [Int] {
    var numbers: [Int] = []
    var isInNumber = false
    for scalar in note.unicodeScalars {
      let digit: UInt32? =
        switch scalar.value {
        case 0x30...0x39: scalar.value - 0x30
        case 0xFF10...0xFF19: scalar.value - 0xFF10
        default: nil
        }
      guard let digit else {
        isInNumber = false
        continue
      }
      numbers.append(min(20, (isInNumber ? numbers.removeLast() * 10 : 0) + Int(digit)))
      isInNumber = true
    }
    return numbers
  }

  /// The lines between notes that begin a block (ここから) and those that end one.
  static func blocks(in source: PlainTextLines) -> [Int: Layout] {
    var blocks: [Int: Layout] = [:]
    var open: Layout?
    for index in source.lines.indices where !source.lines[index].isBlank {
      let text = String(source[index])
      if text.hasPrefix("［＃ここで"), text.hasSuffix("終わり］") { open = nil }
      if text.hasPrefix("［＃ここから"), let layout = layout(ofNote: text) { open = layout }
      if let open { blocks[index] = open }
    }
    return blocks
  }

  /// The text of a line without its notes and readings.
  static func removingNotes(_ line: String) -> String {
    pieces(of: line).map { piece in
      switch piece {
      case .text(let text): text
      case .ruby(_, let base, _): base
      case .note: ""
      case .emphasis(let text): text
      }
    }.joined()
  }

  /// Parts the text that `［＃「…」に傍点］` names from what stands before it.
  private static func emphasize(_ note: String, in pieces: inout [Piece]) {
    guard note.hasSuffix("傍点］"), note.hasPrefix("［＃「"), let close = note.firstRange(of: "」に"),
      case .text(let text)? = pieces.last
    else { return }
    let named = note[note.index(note.startIndex, offsetBy: 3)..<close.lowerBound]
    guard !named.isEmpty, text.hasSuffix(named) else { return }
    pieces.removeLast()
    if text.count > named.count { pieces.append(.text(String(text.dropLast(named.count)))) }
    pieces.append(.emphasis(String(named)))
  }

  /// Without a bar the base is the run of characters of one kind before the reading: ideographs, or kana, or Latin.
  private static func baseStart(_ scalars: [Unicode.Scalar], before end: Int, from start: Int) -> Int {
    guard end > start else { return end }
    let kind = kind(scalars[end - 1])
    guard kind != 0 else { return end }
    var index = end
    while index > start, self.kind(scalars[index - 1]) == kind { index -= 1 }
    return index
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x3400..<0xA000, 0x3005...0x3007, 0x303B, 0xF900..<0xFB00, 0x20000..<0x40000, 0x30F6, 0x30F5: 1
    case 0x30A1..<0x3100: 2
    case 0x3041..<0x3097: 3
    case 0x41...0x5A, 0x61...0x7A, 0xC0..<0x250: 4
    default: 0
    }
  }
}
