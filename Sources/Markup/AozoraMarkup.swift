/// The ruby and notes of Aozora Bunko's plain texts.
enum AozoraMarkup {
  enum Piece: Equatable {
    case text(String)
    /// `mark` is the bar that began the base, empty where there was none.
    case ruby(mark: String, base: String, annotation: String)
    case note(String)
  }

  /// Splits a line at ruby (漢字《かんじ》, ｜東京《とうきょう》) and notes (［＃…］).
  static func pieces(of line: String) -> [Piece] {
    var pieces: [Piece] = []
    let scalars = Array(line.unicodeScalars)
    // Where the text not yet written begins, and where the base of ruby would begin.
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
        pieces.append(.note(string(index..<close + 1)))
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

  /// The text of a line without its notes and readings.
  static func removingNotes(_ line: String) -> String {
    pieces(of: line).map { piece in
      switch piece {
      case .text(let text): text
      case .ruby(_, let base, _): base
      case .note: ""
      }
    }.joined()
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
