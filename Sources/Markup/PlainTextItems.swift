/// The items of a plain text's lists: lines that begin with a bullet, or with a sign or a number and go on under their
/// text.
struct PlainTextItems: Sendable {
  struct Item {
    var lines: Range<Int>
    /// Columns from the sign to the text.
    var markerColumns: Int
  }

  private var items: [Int: Item] = [:]

  init() {}

  init(_ source: PlainTextLines) {
    var line = 0
    while line < source.lines.count {
      if let item = Self.item(from: line, source) {
        items[line] = item
        line = item.lines.upperBound
      } else {
        line += 1
      }
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
      self.marker(of: next, source) == nil
    {
      next += 1
    }
    // Dashes begin what is said, and numbers may be those of years: only lines under the text tell an item.
    return next > line + 1 || marker.isBullet
      ? Item(lines: line..<next, markerColumns: marker.columns) : nil
  }

  /// The bullet, sign or number at the start of a line, with the space behind it.
  private static func marker(of line: Int, _ source: PlainTextLines) -> (columns: Int, isBullet: Bool)? {
    var scalars = source[line][...]
    guard let first = scalars.first else { return nil }
    var columns = 0
    let isBullet = bullets.contains(first)
    if isBullet || signs.contains(first) {
      scalars = scalars.dropFirst()
      columns = PlainTextLines.columns(first.value)
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
      columns = number.count + (isOpen ? 2 : 1)
    }
    let spaces = scalars.prefix { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
    guard (1...4).contains(spaces.count), scalars.count > spaces.count else { return nil }
    return (columns + spaces.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }, isBullet)
  }

  private static let bullets: Set<Unicode.Scalar> = ["•", "‣", "◦", "▪", "▸", "⁃"]
  private static let signs: Set<Unicode.Scalar> = ["-", "*", "+", "–", "—", "·", "o"]
}
