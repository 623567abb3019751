import Layout
import Primitives
import Text

/// Lines that repeat, at their start or end, the word that the two lines before them have there: a stack that the eye slips on.
enum WordStacks {
  /// The number of lines of a page in word stacks.
  static func count(in lines: [LineFragment], of texts: AttributedTextStore) -> Int {
    guard lines.count > 2 else { return 0 }
    let units = texts.units.span
    var found = 0
    for index in 2..<lines.count {
      let line = lines[index]
      guard !line.text.isNone, lines[index - 1].text == line.text, lines[index - 2].text == line.text else { continue }
      let base = texts.texts[line.text.index].units.lowerBound
      func isStack(_ isEnd: Bool) -> Bool {
        let word = word(of: line, in: units, base, isEnd)
        guard !word.isEmpty else { return false }
        return (1...2).allSatisfy {
          let other = self.word(of: lines[index - $0], in: units, base, isEnd)
          return other.count == word.count
            && zip(word, other).allSatisfy { units[$0] == units[$1] }
        }
      }
      if isStack(false) || isStack(true) { found += 1 }
    }
    return found
  }

  /// The letters and digits that a line begins or ends with; nothing where a word is as long as the line, or divided.
  private static func word(of line: LineFragment, in units: Span<UInt16>, _ base: Int, _ isEnd: Bool) -> Range<Int> {
    var start = base + Int(line.range.lowerBound)
    var end = Swift.min(base + Int(line.range.upperBound), units.count)
    guard start < end, !(isEnd && line.isHyphenated) else { return 0..<0 }
    while start < end, !LineWords.isLetter(units[start]) { start += 1 }
    while end > start, !LineWords.isLetter(units[end - 1]) { end -= 1 }
    if isEnd {
      var first = end
      while first > start, LineWords.isLetter(units[first - 1]) { first -= 1 }
      return first > start ? first..<end : 0..<0
    }
    var last = start
    while last < end, LineWords.isLetter(units[last]) { last += 1 }
    return last < end ? start..<last : 0..<0
  }
}
