/// Lists of contents, and others of numbered lines: each entry is a line of its own, however full the one before it is.
struct PlainTextContents: Sendable {
  /// The lines of an entry, by the first.
  private var ends: [Int: Int] = [:]

  private static let fewEntries = 3
  /// Lines of an entry, at most, but for one in ten; longer ones are paragraphs with numbers.
  private static let mostLines = 3

  init() {}

  init(_ source: PlainTextLines) {
    var list = List()
    var line = 0
    while line < source.lines.count {
      guard !source.lines[line].isBlank else {
        line += 1
        continue
      }
      let block = line..<(source.lines[line...].firstIndex(where: \.isBlank) ?? source.lines.count)
      line = block.upperBound
      let numbers = block.map { source.sectionNumber(of: $0)?.count ?? 0 }
      let starts = zip(block, numbers).filter { $0.1 > 0 }.map(\.0)
      let longEntries = zip(starts, starts.dropFirst() + [block.upperBound]).count { $1 - $0 > Self.mostLines }
      let isNumbered = longEntries * 10 <= starts.count && starts.count * 5 >= block.count * 2
      // What stands above the first number is a title.
      if !isNumbered || starts.first != block.lowerBound {
        add(list)
        list = List()
      }
      guard isNumbered else { continue }
      list.starts += starts
      list.end = block.upperBound
      list.hasSections = list.hasSections || numbers.contains { $0 > 1 }
    }
    add(list)
  }

  /// The first lines of entries in blocks that follow each other.
  private struct List {
    var starts: [Int] = []
    var end = 0
    /// Some number has parts: others are those of steps.
    var hasSections = false
  }

  private mutating func add(_ list: List) {
    guard list.starts.count >= Self.fewEntries, list.hasSections else { return }
    for (start, next) in zip(list.starts, list.starts.dropFirst() + [list.end]) { ends[start] = next }
  }

  /// The entry that begins on a line, blank lines behind it included.
  func entry(from line: Int) -> Range<Int>? { ends[line].map { line..<$0 } }

  /// All lines of entries.
  var lines: some Sequence<Int> { ends.lazy.flatMap { $0.key..<$0.value } }
}

extension PlainTextLines {
  /// The parts of a number such as 2., 2.1 or A.1.1 that a line begins with, with words behind it; letters have the
  /// values of their bytes.
  func sectionNumber(of line: Int) -> [Int]? {
    let bytes = text[lines[line].range]
    guard let first = bytes.first, ASCII.isAlphanumeric(first) else { return nil }
    let head = bytes.prefix { $0 != 0x20 && $0 != 0xC2 }
    guard head.count < bytes.count, head.count <= 16, head.contains(Self.stop) else { return nil }
    let parts = (head.last == Self.stop ? head.dropLast() : head).split(
      separator: Self.stop, omittingEmptySubsequences: false)
    let isLetter = (0x41...0x5A).contains(first) && parts[0].count == 1
    guard parts.dropFirst(isLetter ? 1 : 0).allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(ASCII.isDigit) })
    else { return nil }
    return parts.map { part in part.reduce(0) { $0 * 10 + Int(ASCII.isDigit($1) ? $1 - 0x30 : $1) } }
  }

  private static let stop = UInt8(ascii: ".")
}
