/// The parts of a plain text that speak of the file and not of its subject: the header and the licence of Project Gutenberg, the
/// legend of signs and the colophon of Aozora Bunko.
struct PlainTextNotices: Sendable {
  enum Kind: Sendable {
    /// Stands before or after all of the text, on pages of its own.
    case license
    /// Explains the signs of the text, or names the printed edition.
    case legend
  }

  struct Notice: Sendable {
    var lines: Range<Int>
    var kind: Kind
  }

  /// In order of lines; none overlap.
  private(set) var all: [Notice] = []

  init() {}

  init(_ source: PlainTextLines) {
    findLicense(source)
    findLegend(source)
    all.sort { $0.lines.lowerBound < $1.lines.lowerBound }
  }

  /// The notice that a line belongs to.
  func notice(at line: Int) -> Notice? { all.first { $0.lines.contains(line) } }

  // MARK: Project Gutenberg

  /// Lines that are searched from either end.
  private static let headerLines = 600
  private static let licenseLines = 1200

  private mutating func findLicense(_ source: PlainTextLines) {
    let count = source.lines.count
    if let start = (0..<min(count, Self.headerLines)).first(where: { Self.isMarker(source, $0, "START") }) {
      all.append(Notice(lines: 0..<start + 1, kind: .license))
    }
    if let end = (max(0, count - Self.licenseLines)..<count).first(where: { Self.isMarker(source, $0, "END") }) {
      // Some files say in a line of prose, too, that the text has ended.
      let before = (max(0, end - 4)..<end).first { String(source[$0]).hasPrefix("End of ") && isGutenberg(source, $0) }
      all.append(Notice(lines: (before ?? end)..<count, kind: .license))
    }
  }

  /// `*** START OF THE PROJECT GUTENBERG EBOOK …` and its kin.
  private static func isMarker(_ source: PlainTextLines, _ line: Int, _ word: String) -> Bool {
    let range = source.lines[line].range
    guard range.count > 20, source.text[range].prefix(3).allSatisfy({ $0 == UInt8(ascii: "*") }) else { return false }
    let text = String(source[line]).uppercased()
    return text.contains("\(word) OF TH") && text.contains("PROJECT GUTENBERG")
  }

  private func isGutenberg(_ source: PlainTextLines, _ line: Int) -> Bool {
    String(source[line]).contains("Project Gutenberg")
  }

  // MARK: Aozora Bunko

  private mutating func findLegend(_ source: PlainTextLines) {
    let count = source.lines.count
    let head = 0..<min(count, 80)
    if let start = head.first(where: { source.isRule($0) }),
      let text = (start + 1..<count).prefix(3).first(where: { !source.lines[$0].isBlank }),
      String(source[text]).contains("記号について"),
      let end = (text + 1..<count).prefix(60).first(where: { source.isRule($0) })
    {
      all.append(Notice(lines: start..<end + 1, kind: .legend))
    }
    let tail = max(0, count - 200)..<count
    if let start = tail.first(where: { String(source[$0].prefix(3)) == "底本：" }) {
      all.append(Notice(lines: start..<count, kind: .legend))
    }
  }
}

extension PlainTextLines {
  /// A line of one and the same sign, ten times or more: a rule across the page.
  func isRule(_ line: Int) -> Bool {
    let scalars = self[line]
    guard lines[line].width >= 10, let first = scalars.first,
      "-—–─━═=＝_＿~～*＊－".unicodeScalars.contains(first)
    else { return false }
    return scalars.allSatisfy { $0 == first } && scalars.count >= 5
  }
}
