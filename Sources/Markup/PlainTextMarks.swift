/// The marks of digitised classics, which tell a program what a line is: `<目录>` the volume, `<篇名>` the chapter,
/// `属性：` its text, `\x` the ends of what is set apart. They are kept, so that the text stays whole, and not seen.
struct PlainTextMarks: Sendable {
  /// The text has such marks.
  private(set) var isMarked = false
  /// Lines that only say again which volume this is.
  private(set) var hiddenLines: Set<Int> = []

  init() {}

  init(_ source: PlainTextLines) {
    var volume: String?
    for line in source.lines.indices where !source.lines[line].isBlank {
      guard let marker = Self.marker(of: source[line]) else { continue }
      isMarked = true
      guard marker.isVolume else { continue }
      if marker.title.isEmpty || marker.title == volume { hiddenLines.insert(line) }
      volume = marker.title
    }
  }

  /// The mark that a line begins with: what it says of the line, how many characters it has, and the title behind it.
  /// The title of a volume is the first part of its path.
  static func marker(of line: some Sequence<Unicode.Scalar>) -> (isVolume: Bool, length: Int, title: String)? {
    let start = Array(line.prefix(4))
    guard start.count == 4, "<‹＜".unicodeScalars.contains(start[0]), ">›＞".unicodeScalars.contains(start[3]) else {
      return nil
    }
    let name = String(String.UnicodeScalarView(start[1...2]))
    guard ["篇名", "目录", "目錄"].contains(name) else { return nil }
    let isVolume = name != "篇名"
    let rest = line.dropFirst(4).drop { $0.properties.isWhitespace }
    let title = isVolume ? Array(rest.prefix { $0 != "\\" }) : Array(rest)
    return (isVolume, 4, String(String.UnicodeScalarView(title)))
  }

  /// The marks among the bytes of a range of a line, in order.
  func marks(in range: Range<Int>, of source: PlainTextLines) -> [Range<Int>] {
    guard isMarked else { return [] }
    let text = Substring(decoding: source.text[range], as: UTF8.self).unicodeScalars
    var marks: [Range<Int>] = []
    var index = range.lowerBound
    if let marker = Self.marker(of: text) {
      let length = text.prefix(marker.length).reduce(0) { $0 + UTF8.width($1) }
      marks.append(index..<index + length)
      index += length
    } else if text.starts(with: "属性：".unicodeScalars) || text.starts(with: "屬性：".unicodeScalars) {
      marks.append(index..<index + 9)
      index += 9
    }
    while index + 1 < range.upperBound {
      if source.text[index] == UInt8(ascii: "\\"), source.text[index + 1] == UInt8(ascii: "x") {
        marks.append(index..<index + 2)
        index += 1
      }
      index += 1
    }
    return marks
  }
}
