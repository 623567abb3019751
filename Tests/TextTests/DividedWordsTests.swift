import Testing

@testable import Text

@Suite struct DividedWordsTests {
  /// Points that tell words apart: by the letters.
  private func points(of word: Span<UInt16>) -> [Int] {
    word.indices.dropFirst().filter { (Int(word[$0]) &+ $0) % 3 == 0 }
  }

  private func look(for word: [UInt16], in words: inout DividedWords, divided: inout Int) -> [Int] {
    Array(
      words.points(in: word.span) { word in
        divided += 1
        var made = HyphenationPoints()
        for point in points(of: word) { made.insert(point) }
        return made
      })
  }

  @Test func `Each word is divided once, and keeps its own points`() {
    var words = DividedWords()
    var divided = 0
    var texts: [[UInt16]] = (0..<5000).map { Array("word\($0 * 7919)".utf16) }
    // Of all lengths, alike but for one letter.
    for count in 1...96 {
      texts.append([UInt16](repeating: 0x61, count: count))
      texts.append([UInt16](repeating: 0x61, count: count - 1) + [0x62])
    }
    // Of other blocks and of several, with a letter whose lower byte is zero.
    for count in 1...14 {
      texts.append([UInt16](repeating: 0x400, count: count))
      texts.append([UInt16](repeating: 0x500, count: count))
      texts.append([0x61] + [UInt16](repeating: 0x400, count: count))
    }
    for _ in 1...3 {
      for text in texts {
        #expect(
          look(for: text, in: &words, divided: &divided) == points(of: text.span))
      }
      #expect(divided == texts.count)
    }
  }

  @Test func `Words are forgotten when there are too many`() {
    var words = DividedWords()
    var divided = 0
    let count = 70_000
    for number in 0..<count { _ = look(for: Array("\(number)".utf16), in: &words, divided: &divided) }
    #expect(divided == count)
    _ = look(for: Array("\(count - 1)".utf16), in: &words, divided: &divided)
    #expect(divided == count)
    _ = look(for: Array("0".utf16), in: &words, divided: &divided)
    #expect(divided == count + 1)
  }

  @Test func `A short word is the letters of ASCII that a text begins with`() {
    for count in 0...14 {
      for (letter, other) in [(0x61, 0x60), (0x7A, 0x7B), (0x41, 0x40), (0x5A, 0x5B), (0x6D, 0x161), (0x6D, 0xFFFF)] {
        let letters = (0..<count).map { UInt16($0 % 3 == 0 ? letter : 0x62 + $0) }
        let text = letters + [UInt16](repeating: UInt16(other), count: 1) + [UInt16](repeating: 0x65, count: 12)
        let found = text.withUnsafeBufferPointer { ShortWord(lettersAt: $0.baseAddress!) }
        let expected = count < 12 ? ShortWord(letters.span) : nil
        #expect(found == expected, "\(text)")
        guard let found else { continue }
        var units = [UInt16](repeating: 0, count: ShortWord.capacity)
        var span = units.mutableSpan
        found.write(to: &span)
        #expect(found.count == count && Array(units[..<count]) == letters)
      }
    }
  }

  @Test func `Points come in order`() {
    var points = HyphenationPoints()
    #expect(points.isEmpty)
    for point in [127, 1, 64, 63, 65, 2] { points.insert(point) }
    #expect(!points.isEmpty)
    #expect(Array(points) == [1, 2, 63, 64, 65, 127])
  }
}
