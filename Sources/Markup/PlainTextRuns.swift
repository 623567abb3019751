/// Lines of an East Asian text that fill the column at which those around them were broken. A text that was put
/// together from several files has several such columns, so that each run of lines is judged by itself.
struct PlainTextRuns: Sendable {
  /// By lines: the line fills the column of its run.
  private var isFull: [Bool] = []

  /// Lines that are looked at together.
  private static let length = 16
  /// Such a part of them, three fifths, reach the column of a run.
  private static let leastFull = 10
  /// A narrower column may be that of verse.
  private static let leastColumn = 36
  /// Columns by which a line may be shorter: marks that begin no line take characters along.
  static let shortfall = 6

  init() {}

  /// - Parameter inner: The lines that another one of their paragraph may follow, in order.
  init(_ source: PlainTextLines, inner: [Int]) {
    guard inner.count >= Self.length else { return }
    isFull = [Bool](repeating: false, count: source.lines.count)
    let extents = inner.map { source.lines[$0].indent + source.lines[$0].width }
    let isOpen = inner.map { !PlainTextLines.endsSentence(source[$0].last) }
    for start in 0...(inner.count - Self.length) {
      let run = start..<start + Self.length
      // One line may exceed the margin of all others.
      let column = extents[run].sorted()[Self.length - 2]
      guard column >= Self.leastColumn else { continue }
      let full = run.filter { extents[$0] >= column - Self.shortfall }
      guard full.count >= Self.leastFull, full.count(where: { isOpen[$0] }) * 4 >= full.count * 3 else { continue }
      for place in full { isFull[inner[place]] = true }
    }
  }

  /// The line was broken at the column of its run.
  func fills(_ line: Int) -> Bool { isFull.isEmpty ? false : isFull[line] }
}
