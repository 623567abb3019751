import Primitives

/// Tables, boxes and trees that are drawn with characters: lines whose columns stand under each other, so that they are
/// neither joined nor set in letters of several widths.
struct PlainTextTables: Sendable {
  /// The lines of each, by the first.
  private var ends: [Int: Int] = [:]

  init() {}

  init(_ source: PlainTextLines) {
    var line = 0
    while line < source.lines.count {
      let start = line
      var (drawn, borders) = (0, 0)
      while line < source.lines.count, let kind = Self.kind(of: line, source) {
        if kind != .piped { drawn += 1 }
        if kind == .border { borders += 1 }
        line += 1
      }
      if line - start >= 3 || drawn >= 2 || borders >= 1 && line - start >= 2 {
        ends[Self.isRoot(start - 1, of: start, source) ? start - 1 : start] = line
      }
      if line == start { line += 1 }
    }
  }

  /// A line alone right above the branches of a tree is its root.
  private static func isRoot(_ line: Int, of branch: Int, _ source: PlainTextLines) -> Bool {
    guard line >= 0, !source.lines[line].isBlank, line == 0 || source.lines[line - 1].isBlank else { return false }
    return source[branch].first.map { "├└│┣┗┃╠╚║".unicodeScalars.contains($0) } ?? false
  }

  /// The table that begins on a line.
  func table(from line: Int) -> Range<Int>? { ends[line].map { line..<$0 } }

  /// All lines of tables.
  var lines: some Sequence<Int> { ends.lazy.flatMap { $0.key..<$0.value } }

  private enum Kind {
    /// Between `|` or `+`.
    case piped
    /// Of `+`, `-`, `=` and the like alone.
    case border
    /// With characters of the block Box Drawing that are more than a rule.
    case boxed
  }

  private static func kind(of line: Int, _ source: PlainTextLines) -> Kind? {
    let entry = source.lines[line]
    guard !entry.isBlank, entry.width >= 3 else { return nil }
    let scalars = source[line]
    if source.text[entry.range].contains(0xE2), scalars.contains(where: isBoxed) { return .boxed }
    guard let first = scalars.first, let last = scalars.last, edges.contains(first), edges.contains(last) else {
      return nil
    }
    let isBorder = scalars.contains("-") || scalars.contains("=")
    return isBorder && scalars.allSatisfy { "+|-=: ".unicodeScalars.contains($0) } ? .border : .piped
  }

  private static let edges: Set<Unicode.Scalar> = ["|", "+"]

  /// A vertical stroke, a corner or a crossing; strokes from left to right may be rules.
  private static func isBoxed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550, 0x2571...0x2574, 0x2576, 0x2578,
      0x257A,
      0x257C, 0x257E:
      false
    case 0x2500...0x257F: true
    default: false
    }
  }
}

extension PlainTextBook {
  /// Adds a drawn table: letters of one width, so small that its widest line has room; wide characters take two
  /// columns.
  func addTable(_ lines: Range<Int>, to builder: inout DocumentBuilder) {
    let margin = lines.map { source.lines[$0].indent }.min() ?? 0
    let columns = lines.map { source.lines[$0].indent - margin + source.lines[$0].width }.max() ?? 1
    builder.start(.div, attributes: [(.`class`, "drawn")])
    // Letters are 0.6 em wide, and a little more in some faces; an East Asian measure may be whole ems of its
    // container.
    let room = (Double(columns) * 0.635 * 10).rounded() / 10
    builder.start(.pre, attributes: [(.style, "font-size: min(0.8em, 100cqi / \(room))")])
    for line in lines {
      if line > lines.lowerBound { builder.text("\n") }
      builder.text(String(repeating: " ", count: source.lines[line].indent - margin))
      addColumns(source.lines[line].range, to: &builder)
    }
    builder.end()
    builder.end()
  }

  private func addColumns(_ range: Range<Int>, to builder: inout DocumentBuilder) {
    var start = range.lowerBound
    while start < range.upperBound {
      let isWide = isWide(start)
      var end = start
      while end < range.upperBound, self.isWide(end) == isWide { end += PlainTextLines.scalar(source.text, end).length }
      if isWide { builder.start(.span, attributes: [(.`class`, "wide")]) }
      builder.text(source.text.span.extracting(start..<end))
      if isWide { builder.end() }
      start = end
    }
  }

  private func isWide(_ index: Int) -> Bool {
    TerminalColumns.count(of: PlainTextLines.scalar(source.text, index).value) == 2
  }
}
