import Primitives
import Testing

/// Copying of text as UTF-16 units, several characters at a time.
@Suite struct UTF8SequenceTests {
  private func copied(
    _ text: String, from start: Int,
    by copy: (Int, Span<UInt8>, inout MutableSpan<UInt16>) -> Int
  ) -> [UInt16] {
    let bytes = Array(text.utf8)
    var units = [UInt16](repeating: 0, count: bytes.count + 1)
    var output = units.mutableSpan
    let count = copy(start, bytes.span, &output)
    return Array(units[..<count])
  }

  @Test(arguments: [
    // Eight characters and more, spaces in every place; the rest of an eight is left to the caller.
    ("abcdefgh", "abcdefgh"), ("abcdefghi", "abcdefgh"), ("abcdefg", ""), ("a bcd ef", "a bcd ef"),
    ("abc defg hij klmn", "abc defg hij klm"),
    // No space at the end, and none beside another one, across the eights too.
    ("abcdefg hijklmno", "abcdefg hijklmno"), ("abcdefg  ijklmno", "abcdefg"), ("abc  fgh", ""),
    ("abcdefg ", "abcdefg"),
    // Line feeds, tabs and characters beyond ASCII stop it.
    ("abcdefghijkl\nnop", "abcdefgh"), ("abcdefg\u{E9}ij", ""), ("abcdefghi\tklmnop", "abcdefgh"),
    ("~}|{!\"#$", "~}|{!\"#$"),
  ]) func `Sequences are decoded a word at a time`(text: String, expected: String) {
    let units = copied(text, from: 0) { UTF8Sequence.widenWords(at: $0, in: $1, to: &$2, at: 0) }
    #expect(String(decoding: units, as: UTF16.self) == expected)
  }

  @Test(arguments: [
    ("\u{4E00}\u{9FFF}ab", "\u{4E00}\u{9FFF}"), ("\u{4E00}\u{9FFF}a", ""),
    ("\u{0800}\u{FFFD}\u{3042}\u{AC00}--", "\u{0800}\u{FFFD}\u{3042}\u{AC00}"), ("\u{4E00}\u{E9}\u{4E00}\u{4E00}", ""),
    ("\u{4E00}\u{4E01}\u{4E02}\u{1F600}", "\u{4E00}\u{4E01}"),
  ]) func `Surrogate pairs are one character`(text: String, expected: String) {
    let units = copied(text, from: 0) { UTF8Sequence.widenPairs(ofThreeBytesAt: $0, in: $1, to: &$2, at: 0) }
    #expect(String(decoding: units, as: UTF16.self) == expected)
  }

  @Test func `Halves of surrogates and long forms are no pairs`() {
    for bytes: [UInt8] in [
      [0xED, 0xA0, 0x80, 0xE4, 0xB8, 0x80, 0x20, 0x20], [0xE4, 0xB8, 0x80, 0xE0, 0x80, 0x80, 0x20, 0x20],
    ] {
      var units = [UInt16](repeating: 0, count: 8)
      var output = units.mutableSpan
      #expect(UTF8Sequence.widenPairs(ofThreeBytesAt: 0, in: bytes.span, to: &output, at: 0) == 0)
    }
  }
}
