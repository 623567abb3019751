/// The items of a plain text's lists: lines that begin with a bullet, or with a sign or a number and go on under their
/// text, and those beside them that begin in the same way.
struct PlainTextItems: Sendable {
  struct Item {
    var lines: Range<Int>
    var marker: Marker
  }

  /// The bullet, sign or number that an item begins with, and the space behind it.
  struct Marker {
    /// Columns to the text.
    var columns: Int
    /// Bytes to the text.
    var length: Int
    var isBullet: Bool
    /// The same for all items of a list: the sign, or what stands behind a number.
    fileprivate var kind: Unicode.Scalar
    fileprivate var isStar: Bool { kind == "*" }
  }

  private var items: [Int: Item] = [:]

  init() {}

  init(_ source: PlainTextLines) {
    var line = 0
    var previous: Item?
    while line < source.lines.count {
      guard let item = Self.item(from: line, source) else {
        if !source.lines[line].isBlank { previous = nil }
        line += 1
        continue
      }
      if let before = previous, item.marker.isStar, before.marker.isStar {
        (items[before.lines.lowerBound], items[line]) = (before, item)
      } else if item.marker.isBullet || item.lines.count > 1 {
        items[line] = item
      }
      previous = item
      line = item.lines.upperBound
    }
    addNeighbours(source)
  }

  /// Lines alone are items where the item before or after them begins in the same way at the same margin; what is set
  /// in deeper belongs to items.
  private mutating func addNeighbours(_ source: PlainTextLines) {
    for item in items.values.sorted(by: { $0.lines.lowerBound < $1.lines.lowerBound }) {
      let margin = source.lines[item.lines.lowerBound].indent
      func isBeside(_ line: PlainTextLine) -> Bool { !line.isBlank && line.indent <= margin }
      func add(_ line: Int) -> Bool {
        guard items[line] == nil, source.lines[line].indent == margin, let marker = Self.marker(of: line, source),
          marker.kind == item.marker.kind
        else { return false }
        items[line] = Item(lines: line..<line + 1, marker: marker)
        return true
      }
      var line = item.lines.upperBound
      while let next = source.lines[line...].firstIndex(where: isBeside), add(next) { line = next + 1 }
      line = item.lines.lowerBound
      while let previous = source.lines[..<line].lastIndex(where: isBeside), add(previous) { line = previous }
    }
  }

  /// The item that begins on a line.
  func item(from line: Int) -> Item? { items[line] }

  /// All lines of items.
  var lines: some Sequence<Int> { items.values.lazy.flatMap(\.lines) }

  private static func item(from line: Int, _ source: PlainTextLines) -> Item? {
    guard let marker = marker(of: line, source) else { return nil }
    let text = source.lines[line].indent + marker.columns
    var next = line + 1
    while next < source.lines.count, !source.lines[next].isBlank, source.lines[next].indent == text,
      self.marker(of: next, source) == nil, !beginsWithNumbers(next, source)
    {
      next += 1
    }
    // Dashes begin what is said, and numbers may be those of years: only lines under the text tell an item. Stars may
    // be signs of notes, unless another item is before or after them.
    return next > line + 1 || marker.isBullet || marker.isStar
      ? Item(lines: line..<next, marker: marker) : nil
  }

  /// The line begins with the number of a section (2.1).
  private static func beginsWithNumbers(_ line: Int, _ source: PlainTextLines) -> Bool {
    let number = source[line].prefix { $0 == "." || ("0"..."9").contains($0) }
    return number.first != "." && number.dropLast().contains(".") && source[line][number.endIndex...].first == " "
  }

  private static func marker(of line: Int, _ source: PlainTextLines) -> Marker? {
    var scalars = source[line][...]
    guard let first = scalars.first else { return nil }
    var columns = 0
    var kind = first
    let isBullet = bullets.contains(first)
    if isBullet || signs.contains(first) {
      scalars = scalars.dropFirst()
      columns = TerminalColumns.count(of: first.value)
    } else {
      let isOpen = first == "("
      if isOpen { scalars = scalars.dropFirst() }
      let number = scalars.prefix { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }
      guard (1...3).contains(number.count), number.count == 1 || number.allSatisfy({ ("0"..."9").contains($0) }) else {
        return nil
      }
      scalars = scalars.dropFirst(number.count)
      guard let end = scalars.first, isOpen ? end == ")" : end == "." || end == ")" else { return nil }
      scalars = scalars.dropFirst()
      kind = isOpen ? "(" : end
      columns = number.count + (isOpen ? 2 : 1)
    }
    let spaces = scalars.prefix { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
    guard (1...4).contains(spaces.count), scalars.count > spaces.count,
      kind != "*" || scalars.contains(where: { $0.properties.isAlphabetic })
    else { return nil }
    let length = source[line][..<scalars.dropFirst(spaces.count).startIndex].reduce(0) { $0 + UTF8.width($1) }
    return Marker(
      columns: columns + spaces.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }, length: length, isBullet: isBullet, kind: kind)
  }

  private static let bullets: Set<Unicode.Scalar> = ["•", "‣", "◦", "▪", "▸", "⁃"]
  private static let signs: Set<Unicode.Scalar> = ["-", "*", "+", "–", "—", "·", "o"]
}
