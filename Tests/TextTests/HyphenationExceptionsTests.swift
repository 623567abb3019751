import TestSupport
import Testing

@testable import Text

@Suite struct HyphenationExceptionsTests {
  private func parts(_ word: String, _ hyphenator: Hyphenator, language: String = "en-us") -> [String] {
    guard let dictionary = hyphenator.dictionary(for: language),
      let divider = hyphenator.divider(dictionary: dictionary)
    else { return [] }
    let units = Array(word.utf16)
    let points = Array(divider.points(in: units.span))
    return zip([0] + points, points + [units.count]).map { String(decoding: units[$0..<$1], as: UTF16.self) }
  }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `Y6 Words of a list are divided as it says, by language, and others by the patterns`() {
    let list = "remem-bering # a comment\n[en]\ncon-sider\ntable\n[de]\ncons-ider\n"
    let plain = Hyphenator()
    let listed = Hyphenator(exceptions: HyphenationExceptions(list))
    #expect(parts("remembering", plain) == ["re", "mem", "ber", "ing"])
    #expect(parts("Remembering", listed) == ["Remem", "bering"])
    #expect(parts("consider", listed) == ["con", "sider"])
    #expect(parts("consider", listed, language: "de") == ["cons", "ider"])
    #expect(parts("complicated", plain).count > 1 && parts("complicated", listed) == parts("complicated", plain))
    #expect(parts("complicated", Hyphenator(exceptions: HyphenationExceptions("complicated"))) == ["complicated"])
  }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `Y5 Words in capitals are divided by option only`() {
    #expect(parts("CONSIDERATION", Hyphenator()) == ["CONSIDERATION"])
    #expect(parts("CONSIDERATION", Hyphenator(dividesCapitals: true)).count > 1)
  }
}
