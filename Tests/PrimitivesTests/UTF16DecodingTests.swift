import Primitives
import Testing

/// UTF-16 code units as text, against the decoder of the standard library.
@Suite struct UTF16DecodingTests {
  @Test func `Units of all lengths are decoded`() {
    let text = "a\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{1F600}\u{10FFFF}z"
    #expect(String(utf16: Array(text.utf16)) == text)
    #expect(String(utf16: Array(text.utf16)[1...8]) == "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{FFFD}")
    #expect(String(utf16: []) == "")
  }

  @Test func `Halves of pairs are replaced`() {
    // Three places, each a letter or one of the two halves of a pair, at both bounds of their ranges.
    let units: [UInt16] = [0x61, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000]
    for first in units {
      for second in units {
        for third in units {
          let all = [first, second, third]
          #expect(String(utf16: all) == String(decoding: all, as: UTF16.self))
        }
      }
    }
  }
}
