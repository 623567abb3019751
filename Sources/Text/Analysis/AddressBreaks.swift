/// Breaks within addresses and paths, which have no spaces: behind `/`, `.`, `_`, `-`, `?`, `&`, `=` and `@`, three
/// characters or more from either end, so that the line before them need not be spread.
struct AddressBreaks {
  /// The word that was looked at last, and whether it is an address.
  private var word = 0..<0
  private var isAddress = false

  /// Characters between a break and the end of its word.
  private static let leastPart = 3

  /// A line may begin with a character of U+0021 to U+007F that follows another such one.
  mutating func allowsBreak(before index: Int, in units: Span<UInt16>) -> Bool {
    let last = units[index - 1]
    guard Self.isSeparator(last), Self.isLetterOrDigit(units[index]) else { return false }
    if !word.contains(index) { look(at: index, in: units) }
    guard isAddress, index - word.lowerBound >= Self.leastPart, word.upperBound - index >= Self.leastPart else {
      return false
    }
    // A point before a digit belongs to its number.
    return last != 0x2E || !Self.isDigit(units[index])
  }

  /// Finds the word around a place.
  private mutating func look(at index: Int, in units: Span<UInt16>) {
    var start = index
    while start > 0, Self.isPart(units[start - 1]) { start -= 1 }
    var end = index
    while end < units.count, Self.isPart(units[end]) { end += 1 }
    word = start..<end
    var slashes = 0
    var hasAt = false
    for place in word {
      if units[place] == 0x2F { slashes += 1 }
      hasAt = hasAt || units[place] == 0x40
    }
    isAddress =
      hasAt || slashes >= 2 || slashes == 1 && units[start] == 0x2F
      || end - start >= 4 && "www.".utf16.enumerated().allSatisfy { units[start + $0.offset] == $0.element }
  }

  /// The character is none of those that end a word.
  private static func isPart(_ unit: UInt16) -> Bool { unit > 0x20 && unit < 0x7F || unit >= 0xC0 && unit < 0x2000 }

  private static func isSeparator(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x26, 0x2D, 0x2E, 0x2F, 0x3D, 0x3F, 0x40, 0x5F: true
    default: false
    }
  }

  private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }
  private static func isLetterOrDigit(_ unit: UInt16) -> Bool {
    isDigit(unit) || (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit)
  }
}
