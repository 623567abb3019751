/// The characters that lines of a chapter begin and end with, and how far they reach: what other breaks of the same text are
/// measured by.
struct LineEnds {
  private var starts: Set<Unicode.Scalar> = []
  private var ends: Set<Unicode.Scalar> = []
  /// The farthest end of any line, in CSS px from the page's edge where the lines begin; those of vertical lines apart.
  private var reach: [Bool: Double] = [:]
  /// Lines of the other run end in hyphens.
  let keepsHyphens: Bool

  init(of pages: [PageRecord], beside others: [PageRecord]) {
    keepsHyphens = others.contains { $0.lines.contains(where: \.hyphenated) }
    for line in pages.lazy.flatMap(\.lines) {
      if let first = Self.first(of: line) { starts.insert(first) }
      if let last = Self.last(of: line) { ends.insert(last) }
      reach[line.isVertical] = max(reach[line.isVertical] ?? 0, line.end)
    }
  }

  /// A character where no line of the chapter had it.
  struct Fault {
    var isAtStart: Bool
    /// The name of characters of the kind.
    var name: String
    var scalar: Unicode.Scalar

    var detail: String { "lines may \(isAtStart ? "begin" : "end") with \(scalar)" }
  }

  /// A line that begins with a character which no line may begin with, or ends with one which none may end with, by the common rules
  /// of all languages (UAX #14, JLREQ, CLREQ), and as none of the chapter did.
  func newFault(in lines: [LineRecord]) -> Fault? {
    for (index, line) in lines.enumerated() {
      if line.source.start > 0, let first = Self.first(of: line), let name = Self.nameOfNonStarter(first),
        !starts.contains(first)
      {
        return Fault(isAtStart: true, name: name, scalar: first)
      }
      if index + 1 < lines.count, let last = Self.last(of: line), last.properties.generalCategory == .openPunctuation,
        !ends.contains(last)
      {
        return Fault(isAtStart: false, name: "opening brackets", scalar: last)
      }
    }
    return nil
  }

  /// A line goes beyond all lines of the chapter. Those of tables go where their columns do.
  func isOverfull(_ line: LineRecord) -> Bool {
    line.table == nil && line.end > (reach[line.isVertical] ?? .infinity) + 1
  }

  private static func first(of line: LineRecord) -> Unicode.Scalar? {
    line.text.unicodeScalars.first { !$0.properties.isWhitespace }
  }

  private static func last(of line: LineRecord) -> Unicode.Scalar? {
    line.text.unicodeScalars.last { !$0.properties.isWhitespace }
  }

  /// The name of characters that no line may begin with; nil for others. Quotation marks are not among them, whose side is
  /// another in each language.
  private static func nameOfNonStarter(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "!", "?", "！", "？", "‼", "⁇", "⁈", "⁉": "question and exclamation marks"
    case ",", ";", "、", "。", "，", "．", "｡", "､": "commas and stops"
    case "：", "；", "・", "･": "colons and middle dots"
    case "々", "〻", "ヽ", "ヾ", "ゝ", "ゞ": "marks of repetition"
    default: scalar.properties.generalCategory == .closePunctuation ? "closing brackets" : nil
    }
  }
}

extension ChapterDiff {
  /// Lines that a page end has left alone, in chapters that had none: the last line of a block at the top of a page (widow), or its
  /// first at the foot (orphan).
  mutating func findWidows() {
    // Text of another length, and blocks at other distances, leave what they leave.
    guard flowEvents.isEmpty, entries.allSatisfy({ table.keys[Int($0.key)].kind.isOfLineBreaks }) else { return }
    guard Self.aloneLines(lines.old, lines.oldBlock).isEmpty else { return }
    for (line, isWidow) in Self.aloneLines(lines.new, lines.newBlock) {
      let record = newLine(line)
      // A row that goes over the page end parts the lines of its cells as it can.
      if record.table != nil { continue }
      add(
        ChangeKey(kind: .widow, variant: isWidow ? .widow : .orphan), slot: slot(ofNew: line), new: record.box,
        source: record.source)
    }
  }

  private static func aloneLines(_ places: [LinePlace], _ blocks: [Int32]) -> [(line: Int, isWidow: Bool)] {
    var found: [(line: Int, isWidow: Bool)] = []
    func goesOver(_ line: Int) -> Bool {
      line > 0 && line < places.count && blocks[line] == blocks[line - 1] && places[line].page != places[line - 1].page
    }
    for line in places.indices where goesOver(line) {
      if line + 1 >= places.count || blocks[line + 1] != blocks[line] { found.append((line, true)) }
      if line < 2 || blocks[line - 2] != blocks[line] { found.append((line - 1, false)) }
    }
    return found
  }
}
