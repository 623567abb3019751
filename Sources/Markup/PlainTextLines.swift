/// A line of a plain text, white space at both ends taken off.
struct PlainTextLine {
  /// Bytes in the text.
  var range: Range<Int>
  /// Columns of white space before it; a wide character has two.
  var indent: Int
  /// Columns it fills.
  var width: Int
  /// From 1.
  var number: Int

  var isBlank: Bool { range.isEmpty }
}

/// A plain text as lines.
struct PlainTextLines {
  /// UTF-8 without control characters.
  private(set) var text: [UInt8] = []
  private(set) var lines: [PlainTextLine] = []

  /// Splits at every kind of line end: LF, CR, CRLF, VT, FF, NEL, LS, PS (UAX #14, class BK).
  init(_ utf8: [UInt8]) {
    text.reserveCapacity(utf8.count)
    let bytes = utf8.span
    var start = 0
    var index = 0
    func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    while index < bytes.count {
      switch bytes[index] {
      case 0x0D where byte(1) == 0x0A:
        endLine(from: &start)
        index += 2
      case 0x0A, 0x0B, 0x0C, 0x0D:
        endLine(from: &start)
        index += 1
      case 0xC2 where byte(1) == 0x85:
        endLine(from: &start)
        index += 2
      case 0xE2 where byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9):
        endLine(from: &start)
        index += 3
      case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF || byte(1) == 0xBF && (byte(2) == 0xBE || byte(2) == 0xBF):
        // Marks inside the text and code points that are no characters.
        index += 3
      case 0..<0x09, 0x0E..<0x20, 0x7F:
        index += 1
      default:
        text.append(bytes[index])
        index += 1
      }
    }
    if start < text.count { endLine(from: &start) }
  }

  subscript(line: Int) -> Substring.UnicodeScalarView {
    Substring(decoding: text[lines[line].range], as: UTF8.self).unicodeScalars
  }

  /// Adds the line from `start` to the end of the text, and begins the next one there.
  private mutating func endLine(from start: inout Int) {
    var line = PlainTextLine(range: start..<start, indent: 0, width: 0, number: lines.count + 1)
    var end = start
    var index = start
    var column = 0
    var isInside = false
    var contentStart = start
    while index < text.count {
      let (value, length) = Self.scalar(text, index)
      let isSpace = value == 0x20 || value == 0x09 || value == 0x3000 || value == 0xA0
      let columns = value == 0x09 ? 4 : TerminalColumns.count(of: value)
      if isSpace {
        if !isInside { line.indent += columns }
      } else {
        if !isInside {
          isInside = true
          contentStart = index
          column = 0
        }
        end = index + length
      }
      if isInside {
        column += columns
        if !isSpace { line.width = column }
      }
      index += length
    }
    line.range = isInside ? contentStart..<end : start..<start
    lines.append(line)
    start = text.count
  }

  /// A line that ends with a character ends a sentence, or something said in one; so does a line without any.
  static func endsSentence(_ last: Unicode.Scalar?) -> Bool {
    last.map { "。！？…：.!?:”’\"'»」』）)》〉】".unicodeScalars.contains($0) } ?? true
  }

  /// The scalar at `index` of valid UTF-8 and how many bytes it takes.
  static func scalar(_ bytes: [UInt8], _ index: Int) -> (value: UInt32, length: Int) {
    let first = bytes[index]
    if first < 0x80 { return (UInt32(first), 1) }
    func next(_ offset: Int) -> UInt32 { index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : 0 }
    if first < 0xE0 { return (UInt32(first & 0x1F) << 6 | next(1), min(2, bytes.count - index)) }
    if first < 0xF0 { return (UInt32(first & 0x0F) << 12 | next(1) << 6 | next(2), min(3, bytes.count - index)) }
    return (UInt32(first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), min(4, bytes.count - index))
  }
}
