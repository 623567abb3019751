import Foundation
import TestSupport
import Testing

@testable import Text

/// Patterns from bytes in the format of the `.dic` files, and known words by the patterns that the system has.
@Suite struct HyphenationDictionaryTests {
  /// The word with hyphens where the patterns divide it.
  private func divide(
    _ word: String, _ dictionary: HyphenationDictionary, before: Int? = nil, after: Int? = nil
  ) -> String {
    let units = Array(word.utf16)
    let points = dictionary.points(
      in: units.span, minimumBefore: before ?? dictionary.minimumBefore,
      minimumAfter: after ?? dictionary.minimumAfter)
    return marked(units, at: Array(points))
  }
  private func marked(_ units: [UInt16], at points: [Int]) -> String {
    var result: [UInt16] = []
    for (index, unit) in units.enumerated() {
      if points.contains(index) { result.append(UInt16(UInt8(ascii: "="))) }
      result.append(unit)
    }
    return String(decoding: result, as: UTF16.self)
  }
  private func dictionary(_ text: String) -> HyphenationDictionary { HyphenationDictionary(bytes: Array(text.utf8)) }

  @Test(arguments: [10, 60, 61, 252, 253, 700])
  func `Alphabets of any size`(_ size: Int) {
    let letters = (0..<size).map { String(Unicode.Scalar(UInt16(0x4E00 + $0 * 3))!) }
    // Each letter divides before it, but behind the next one in the alphabet, and there is an exception of three letters.
    var source = "UTF-8\nLEFTHYPHENMIN 1\nRIGHTHYPHENMIN 1\n"
    for (index, letter) in letters.enumerated() { source += "1\(letter)\n\(letters[(index + 1) % size])2\(letter)\n" }
    source += "\(letters[0])3\(letters[size - 1])4\(letters[3])\n"
    let patterns = dictionary(source)
    for start in 0..<size where start + 2 < size && start != 3 {
      let word = [letters[start], letters[start + 2], letters[start + 1]]
      #expect(divide(word.joined() + "x", patterns, before: 1, after: 1) == "\(word[0])=\(word[1])\(word[2])x")
    }
    let exception = [letters[0], letters[size - 1], letters[3]]
    #expect(
      divide(exception.joined(), patterns, before: 1, after: 1) == "\(exception[0])=\(exception[1])\(exception[2])")
    #expect(divide("xyz", patterns) == "xyz")
  }

  @Test func `Patterns kept in a file divide as those read from their source, and a damaged file counts for nothing`()
    throws
  {
    let source =
      "UTF-8\nNOHYPHEN -,x\nNEXTLEVEL\nhy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\nschif1fahrt/ff=f,5,2\n"
    let bytes = HyphenationFile(bytes: Array(source.utf8)).index()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("patterns-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let kept = HyphenationDictionary(index: try #require(PatternIndex(path: file.path)))
    for word in ["hyphenation", "hyphenxation", "schiffahrt"] {
      #expect(divide(word, kept) == divide(word, dictionary(source)))
    }
    #expect(divide("hyphenation", kept) == "hy=phen=ation")
    for position in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[position] ^= 0x10
      try Data(damaged).write(to: file)
      #expect(PatternIndex(path: file.path) == nil)
    }
    for length in [0, 31, 32, 33, bytes.count - 1] {
      try Data(bytes[..<length]).write(to: file)
      #expect(PatternIndex(path: file.path) == nil)
    }
    #expect(PatternIndex(path: file.path + "-none") == nil)
  }

  @Test func `The patterns that Liang divides the word hyphenation with`() {
    let patterns = dictionary("UTF-8\n% from the thesis\nhy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\n")
    #expect(divide("hyphenation", patterns) == "hy=phen=ation")
    #expect(patterns.minimumBefore == 2 && patterns.minimumAfter == 2)
  }

  @Test func `Full stops are the ends of the word, and a pattern of them all is an exception`() {
    let patterns = dictionary("UTF-8\n1b\n.ab4\n.ca2ba1ba.\n4bd.\nxx1yy\nxx2yyz\n")
    #expect(divide("ababa", patterns) == "aba=ba")
    #expect(divide("cababa", patterns) == "caba=ba")
    #expect(divide("ecababa", patterns) == "eca=ba=ba")
    #expect(divide("acabd", patterns) == "acabd")
    #expect(divide("axxyya", patterns) == "axx=yya")
    #expect(divide("axxyyz", patterns) == "axxyyz")
  }

  @Test func `Of patterns that begin elsewhere the longest counts, finished or not`() {
    let patterns = dictionary("UTF-8\nabcdefg2h\nd1e\n")
    #expect(divide("xxdexx", patterns) == "xxd=exx")
    #expect(divide("abcdex", patterns) == "abcdex")
  }

  @Test func `Minima of the file and of the caller`() {
    let patterns = dictionary("UTF-8\nLEFTHYPHENMIN 3\nRIGHTHYPHENMIN 4\n1a1\n")
    #expect(patterns.minimumBefore == 3 && patterns.minimumAfter == 4)
    #expect(divide("xaxaxxaxax", patterns) == "xax=a=xx=axax")
    #expect(divide("xaxaxxaxax", patterns, before: 5, after: 2) == "xaxaxx=axax")
    #expect(divide("xaxaxx𝒳axax", patterns, after: 5) == "xax=a=xx𝒳axax")
  }

  @Test func `Compounds are parted first, with minima of their own`() {
    let patterns = dictionary(
      "UTF-8\nCOMPOUNDLEFTHYPHENMIN 2\nCOMPOUNDRIGHTHYPHENMIN 3\nhaus1tür\nNEXTLEVEL\n1ü\n1u\n1s\n")
    #expect(divide("haustüren", patterns) == "haus=türen")
    #expect(divide("haussuren", patterns) == "ha=u=s=s=uren")
  }

  @Test func `Hyphens and apostrophes part words, and no break is beside them`() {
    let patterns = dictionary("UTF-8\n1ba\n")
    #expect(divide("ababa-bababa’ababa", patterns) == "ababa-bababa’aba=ba")
  }

  @Test func `NOHYPHEN keeps breaks away`() {
    let rules = "1a\nb1\n"
    #expect(divide("xxaxxbxx", dictionary("UTF-8\nNEXTLEVEL\n" + rules)) == "xx=axxb=xx")
    #expect(divide("xxaxxbxx", dictionary("UTF-8\nNOHYPHEN a,xb\nNEXTLEVEL\n" + rules)) == "xxaxxbxx")
    #expect(divide("xxaxxbxx", dictionary("UTF-8\r\nNOHYPHEN q,a\r\nNEXTLEVEL\r\n" + rules)) == "xxaxxb=xx")
  }

  @Test func `A break that changes the spelling is none, but parts a compound by it`() {
    #expect(divide("schiffahrt", dictionary("UTF-8\nf1f/ff=f,1,2\ni1f\n")) == "schi=ffahrt")
    #expect(divide("schiffahrt", dictionary("UTF-8\nf1f\n")) == "schif=fahrt")
    // The first part is then "schiff".
    #expect(divide("schiffahrt", dictionary("UTF-8\nf1fahrt/ff=f,1,2\nNEXTLEVEL\nsch1iff.\n")) == "sch=iffahrt")
    #expect(divide("schiffahrt", dictionary("UTF-8\nf1fahrt\nNEXTLEVEL\nsch1iff.\n")) == "schif=fahrt")
  }

  @Test(arguments: [
    ("ISO8859-1", [0xFC], "ü"), ("ISO8859-2", [0xF9], "ů"), ("KOI8-R", [0xC0], "ю"), ("microsoft-cp1251", [0xFE], "ю"),
    ("UTF-8", [0xD1, 0x8E], "ю"),
  ])
  func `Dictionaries of every encoding are read`(_ name: String, _ letter: [UInt8], _ character: String) {
    let patterns = HyphenationDictionary(bytes: Array((name + "\n1").utf8) + letter + Array("\n".utf8))
    #expect(divide("xxx\(character)xx", patterns) == "xxx=\(character)xx")
    // A character outside of the encoding: not a word of this language.
    #expect(divide("xxx\(character)xx漢", patterns) == (name == "UTF-8" ? "xxx=юxx漢" : "xxx\(character)xx漢"))
  }

  @Test func `Lines in other letters stand beside those in Latin ones`() {
    let patterns = dictionary(
      "UTF-8\n% œuvre\n1œb\na1b\né2b1c\n\u{10400}1b\n" + String(repeating: "x", count: 2000) + "1y\n")
    #expect(divide("xxœbxx", patterns) == "xx=œbxx")
    #expect(divide("xxabxx", patterns) == "xxa=bxx")
    #expect(divide("xxébcxx", patterns) == "xxéb=cxx")
    #expect(divide("xx\u{10400}bxx", patterns) == "xx\u{10400}=bxx")
  }

  @Test func `UTF-8 that is not well-formed spoils its own line alone`() {
    for bytes: [UInt8] in [
      [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE0, 0x80, 0xAF],
    ] {
      let patterns = HyphenationDictionary(
        bytes: Array("UTF-8\nx".utf8) + bytes + Array("1b\né1b\n".utf8) + bytes + Array("\na1b\n".utf8))
      #expect(divide("xxébxx", patterns) == "xxé=bxx")
      #expect(divide("xxabxx", patterns) == "xxa=bxx")
      #expect(divide("xxcbxx", patterns) == "xxcbxx")
    }
  }

  @Test func `Anything may be in a file`() {
    for text in ["", "UTF-8", "\n", "UTF-8\n/\n1/=,9,9\n.1/a=b,0,0\na1b/,,\n1\n.\nLEFTHYPHENMIN x\nNOHYPHEN ,,\n%"] {
      #expect(divide("ababab", dictionary(text)) == "ababab")
    }
    #expect(divide("xaxax", dictionary("UTF-8\nNEXTLEVEL\n1a\nNEXTLEVEL\n1x")) == "xax=ax")
  }

  private static let knownWords = [
    ("en", "hyphenation", "hy=phen=ation"), ("en", "extraordinary", "ex=tra=or=di=nary"),
    ("de", "donaudampfschifffahrt", "do=nau=dampf=schiff=fahrt"), ("de", "silbentrennung", "sil=ben=tren=nung"),
    ("fr", "césure", "cé=sure"), ("fr", "l'anticonstitutionnellement", "l'an=ti=cons=ti=tu=tion=nel=le=ment"),
    ("hu", "asszonnyal", "asszonnyal"), ("hu", "elválasztás", "el=vá=lasz=tás"),
    ("ru", "переносится", "пе=ре=но=сит=ся"),
  ].filter { InstalledPatterns.include($0.0) }

  @Test(.enabled(if: !knownWords.isEmpty, "no hyphenation patterns are installed"), arguments: knownWords)
  func `Words are divided by the patterns of their language`(_ language: String, _ word: String, _ expected: String)
    throws
  {
    let hyphenator = Hyphenator()
    let dictionary = try #require(hyphenator.dictionary(for: language))
    let units = Array(word.utf16)
    let divider = try #require(hyphenator.divider(dictionary: dictionary))
    let points = divider.points(in: units.span)
    #expect(marked(units, at: Array(points)) == expected)
  }

  @Test(.enabled(if: InstalledPatterns.include("en-US"), "no hyphenation patterns for English are installed"))
  func `Hyphenators share a language's patterns`() throws {
    let path = try #require(Hyphenator().path(for: "en-US"))
    let first = try #require(HyphenationDictionary.shared(path: path))
    #expect(first === HyphenationDictionary.shared(path: path))
    #expect(HyphenationDictionary.shared(path: "/nowhere/hyph_xx.dic") == nil)
  }
}
