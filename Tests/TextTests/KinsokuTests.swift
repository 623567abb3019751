import CSS
import Testing

@testable import Text

/// Rules C1 to C10 of the typography checklist: what may start and end the lines of Chinese, Japanese and Korean.
@Suite struct KinsokuTests {
  private static let languages = ["zh-hans", "zh-hant", "ja", "ko", "en"]
  private static let levels: [LineBreakStrictness] = [.auto, .loose, .normal, .strict, .anywhere]

  /// The text with a bar at every opportunity.
  private func bars(_ text: String, _ language: String, _ level: LineBreakStrictness = .auto) -> String {
    var tailoring = LineBreakTailoring()
    tailoring.language = LineBreakLanguage(tag: language)
    tailoring.strictness = level
    let units = Array(text.utf16)
    var breaks = [UInt8](repeating: 0, count: units.count)
    var span = breaks.mutableSpan
    TextAnalyzer().lineBreaks(units.span, tailoring: tailoring, into: &span)
    var result: [UInt16] = []
    for (index, unit) in units.enumerated() {
      if breaks[index] != 0 { result.append(0x7C) }
      result.append(unit)
    }
    return String(decoding: result, as: UTF16.self)
  }

  @Test(arguments: languages, levels)
  func `C1 No line starts with a stop, a closing bracket, a connector or an interpunct`(
    _ language: String, _ level: LineBreakStrictness
  ) {
    // Line starts allowed by `loose` and, for the wave dash, `normal` are C5's.
    let isFree = level == .loose && language != "ko" && language != "en"
    for mark in "、。，．」』）》〉】〗〕］｝‧" + (isFree ? "" : "：；！？・") + (level == .loose ? "" : "–")
      + (language == "en" ? "" : "·") + (language == "en" || level == .loose ? "" : "～")
    {
      let found = bars("文\(mark)字", language, level)
      #expect(found.hasPrefix("文|") == (level == .anywhere), "\(mark) \(found)")
    }
    // Quotation marks close by what surrounds them.
    if level != .anywhere { #expect(!bars("道：“文字。”他‘是’的", language, level).contains("|”")) }
  }

  @Test(arguments: languages, levels)
  func `C2 No line ends with an opening quotation mark or bracket`(_ language: String, _ level: LineBreakStrictness) {
    for mark in "「『（《〈【〖〔［｛" {
      #expect(bars("文\(mark)字", language, level) == (level == .anywhere ? "文|\(mark)|字" : "文|\(mark)字"))
    }
    if level != .anywhere { #expect(!bars("道：“文字。”他‘是’的", language, level).contains("“|")) }
  }

  @Test func `C3 Strict Japanese keeps small kana, iteration marks and double marks from the line's start`() {
    for mark in "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶㇰㇿー々〻ゝゞヽヾ‼⁇⁈⁉〜゠" {
      #expect(bars("文\(mark)字", "ja", .strict) == "文\(mark)|字", "\(mark)")
    }
  }

  @Test func `C4 Chinese lines do not end with a solidus, strict ones do not start with a dash or an ellipsis`() {
    for solidus in ["／", "/"] {
      #expect(!bars("上\(solidus)下", "zh-hans").contains("\(solidus)|"))
      #expect(!bars("上\(solidus)下", "zh-hant", .strict).contains("\(solidus)|"))
      #expect(bars("上\(solidus)下", "zh-hant").contains("\(solidus)|"))
      #expect(bars("上\(solidus)下", "ja").contains("\(solidus)|"))
    }
    #expect(bars("天——地……人", "zh-hans") == "天|——|地……|人")
    #expect(bars("天——地……人", "zh-hans", .strict) == "天——|地……|人")
    #expect(bars("天——地", "ja", .strict) == "天|——|地")
  }

  /// Characters that may stand at a line's start at the levels loose, normal and strict: in Chinese and Japanese, and in other languages.
  private static let starters: [(marks: String, inCJ: [Bool], inOthers: [Bool])] = [
    ("ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶーｧｯｰ", [true, true, false], [true, true, false]),
    ("々〻ゝゞヽヾ", [true, false, false], [true, false, false]),
    ("〜゠", [true, true, false], [false, false, false]),
    ("\u{2010}\u{2013}", [true, false, false], [true, false, false]),
    ("・：；･‼⁇⁈⁉！？", [true, false, false], [false, false, false]),
    ("％￠℃‰′″°", [true, false, false], [false, false, false]),
    ("%、。，．」）", [false, false, false], [false, false, false]),
    ("＄￥№$字あー", [true, true, true], [true, true, true]),
  ]

  @Test(arguments: languages, Array(levels.dropFirst()))
  func `C5 Each mark starts a line where its level and language allow it`(
    _ language: String, _ level: LineBreakStrictness
  ) {
    let isCJ = language != "ko" && language != "en"
    for (marks, inCJ, inOthers) in Self.starters {
      for mark in marks where !(mark == "ー" && marks.contains("字")) {
        let index: Int? = [.loose: 0, .normal: 1, .strict: 2][level]
        let isAllowed = index.map { (isCJ ? inCJ : inOthers)[$0] } ?? true
        let found = bars("文\(mark)字", language, level)
        #expect(found.hasPrefix("文|") == isAllowed, "U+\(String(mark.unicodeScalars.first!.value, radix: 16)) \(found)")
      }
    }
  }

  @Test(arguments: languages, Array(levels.dropFirst()))
  func `C5 Lines end inside ellipses and after wide prefixes where loose allows it`(
    _ language: String, _ level: LineBreakStrictness
  ) {
    let isAnywhere = level == .anywhere
    for mark in "…‥" {
      let found = bars("文\(mark)\(mark)字", language, level)
      #expect(found.contains("\(mark)|\(mark)") == (level == .loose || isAnywhere), "\(found)")
    }
    for mark in "￥＄№€" {
      let found = bars("\(mark)字", language, level)
      let isFree = level == .loose && language != "ko" && language != "en"
      #expect(found == (isFree || isAnywhere ? "\(mark)|字" : "\(mark)字"))
    }
    #expect(bars("$字", language, level) == (isAnywhere ? "$|字" : "$字"))
  }

  @Test func `C1 An interpunct stays with the name before it and lets it go on after`() {
    #expect(bars("约翰·史密斯", "zh-hans") == "约|翰·|史|密|斯")
    #expect(bars("a·b 1·2", "zh-hans") == "a·b |1·2")
  }

  @Test func `C5 Automatic breaking is normal in Chinese, and lets small kana start a line in Japanese`() {
    #expect(bars("文〜字", "zh") == "文|〜|字")
    #expect(bars("文〜字", "ja") == "文〜|字")
    #expect(bars("きゃー", "ja") == "き|ゃ|ー")
    #expect(bars("人々", "zh") == "人々" && bars("人々", "ja") == "人々")
  }

  @Test(arguments: ["zh-hans", "zh-hant", "ja", "ko"])
  func `C8 Dashes and ellipses are not divided`(_ language: String) {
    for unit in ["——", "⸺", "……", "⋯⋯"] {
      for level in [LineBreakStrictness.auto, .normal, .strict] {
        #expect(bars("文\(unit)字", language, level).contains(unit), "\(unit) \(level)")
      }
    }
  }

  @Test(arguments: ["zh-hans", "ja", "ko", "en"])
  func `C9 Numbers keep their separators, prefixes and suffixes`(_ language: String) {
    for piece in ["1,234.5", "3.14", "￥100", "$9.90", "№7", "第3", "第12", "50%", "3‰", "20℃", "50％", "x²", "H₂O"] {
      #expect(bars("文\(piece)", language).hasSuffix(piece), "\(bars("文\(piece)", language))")
    }
  }

  @Test(arguments: languages)
  func `C10 Western words are not divided among ideographs`(_ language: String) {
    #expect(bars("文Typesetting字don’t文", language) == "文|Typesetting|字|don’t|文")
    #expect(bars("文naïve字", language) == "文|naïve|字")
  }
}
