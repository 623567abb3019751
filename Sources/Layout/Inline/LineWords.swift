import Primitives

/// The words that lines begin and end with.
package enum LineWords {
  /// The unit is part of a word; ideographs and kana are no words.
  package static func isLetter(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit >= 0x30 && unit <= 0x39 || unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A }
    return unit >= 0xC0 && !(0x2000...0x206F).contains(unit) && !(0x2E80...0xA4CF).contains(unit) && unit < 0xF900
  }

  /// Marks between a word and the edge of its line, at most.
  private static let mostMarks = 8
  private static let longestWord = 64

  /// The hash of the last word before a unit; 0 where there is none.
  static func hash(endingBefore unit: Int, in units: [UInt16], _ text: Range<Int>) -> UInt64 {
    var end = unit
    while end > text.lowerBound, unit - end < mostMarks, !isLetter(units[end - 1]) { end -= 1 }
    var start = end
    while start > text.lowerBound, end - start < longestWord, isLetter(units[start - 1]) { start -= 1 }
    return hash(of: units[start..<end])
  }

  /// The hash of the first word from a unit on; 0 where there is none.
  static func hash(beginningAt unit: Int, in units: [UInt16], _ text: Range<Int>) -> UInt64 {
    var start = unit
    while start < text.upperBound, start - unit < mostMarks, !isLetter(units[start]) { start += 1 }
    var end = start
    while end < text.upperBound, end - start < longestWord, isLetter(units[end]) { end += 1 }
    return hash(of: units[start..<end])
  }

  private static func hash(of word: ArraySlice<UInt16>) -> UInt64 {
    guard !word.isEmpty else { return 0 }
    var hasher = StableHasher()
    for unit in word { hasher.combine(UInt32(unit)) }
    return hasher.value
  }
}
