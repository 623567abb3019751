package import CSS

/// The languages whose line breaking rules differ (CSS Text 3, section 5.3).
package enum LineBreakLanguage: UInt8, Hashable, Sendable {
  case other, chinese, traditionalChinese, japanese, korean
  /// Those of Slavs, whose words of one letter keep to the word that follows.
  case slavic
  /// Whose dashes open and close like brackets.
  case french

  /// The rules for a BCP 47 tag in lower case.
  package init(tag: String) {
    let subtags = tag.split(separator: "-")
    switch subtags.first ?? "" {
    case "zh", "yue", "wuu", "nan", "hak", "cmn", "lzh":
      let isTraditional = subtags.contains { $0 == "hant" || $0 == "tw" || $0 == "hk" || $0 == "mo" }
      self = isTraditional && !subtags.contains("hans") ? .traditionalChinese : .chinese
    case "ja": self = .japanese
    case "ko": self = .korean
    case "be", "cs", "pl", "ru", "sk", "uk": self = .slavic
    case "fr": self = .french
    default: self = .other
    }
  }

  var isEastAsian: Bool {
    switch self {
    case .chinese, .traditionalChinese, .japanese, .korean: true
    case .other, .slavic, .french: false
    }
  }

  package var isChinese: Bool {
    switch self {
    case .chinese, .traditionalChinese: true
    default: false
    }
  }

  package var isChineseOrJapanese: Bool {
    switch self {
    case .chinese, .traditionalChinese, .japanese: true
    default: false
    }
  }
}

/// Tailoring of UAX #14 by CSS: `line-break`, `word-break`, `white-space` and the language (CSS Text 3, section 5).
///
/// `line-break: auto` is what browsers do: small kana and U+30FC may start a line, other marks keep their class; Chinese is as
/// with `normal`, and the simplified one keeps a solidus from the end of its lines. The house style is strict about kana in text of
/// any language, and about marks beside spaces and atomic inlines.
package struct LineBreakTailoring: Hashable, Sendable {
  package var strictness = LineBreakStrictness.auto
  package var wordBreak = WordBreak.normal
  package var language = LineBreakLanguage.other
  /// `white-space-collapse: break-spaces`: a break after every space, not only after a sequence of them.
  package var breaksEverySpace = false
  /// U+00AD breaks (`hyphens` other than `none`).
  package var honoursSoftHyphens = true
  /// The algorithm is UAX #14 alone, as its test file has it, without what CSS and browsers add.
  package var isPlain = false

  package init() {}

  /// The character is a space, tab or other space separator after which `break-spaces` lets a line end (CSS Text 3,
  /// section 3).
  @inline(__always)
  package static func isSpace(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x20, 0x09, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: true
    default: false
    }
  }

  /// UAX #14 of Unicode 15 without tailoring.
  package static let plain = { () -> Self in
    var tailoring = Self()
    tailoring.isPlain = true
    tailoring.strictness = .strict
    return tailoring
  }()

  /// The class to use for a character: LB1, then the tailorings.
  @inline(__always)
  func resolve(_ scalar: UInt32, _ properties: CharacterProperties) -> LineBreakClass {
    let original = properties.lineBreak
    switch original {
    // By frequency: letters, ideographs and spaces are never tailored unless words are broken.
    case .al, .hl: return wordBreak == .breakAll ? .id : original
    case .id: return scalar == 0xFF0F || scalar == 0xFF5E ? resolveWideMark(scalar) : original
    case .sp, .op, .cl, .cp, .cm: return original
    case .qu: return setsMarksFree && !isPlain ? resolveQuotationMark(scalar) : original
    case .nu: return wordBreak == .breakAll ? .id : original
    case .ai, .sg, .xx: return wordBreak == .breakAll ? .id : .al
    case .sa:
      if properties.category.isMark, properties.category != GeneralCategory(rawValue: 7) { return .cm }
      return wordBreak == .breakAll ? .id : .al
    case .cj: return strictness == .strict || strictness == .house ? .ns : .id
    // A dash does not start a line of strict Chinese.
    case .b2: return language.isChinese && strictness == .strict ? .ns : original
    case .ns, .ex, .is: return isPlain ? original : resolveMark(scalar, original)
    default: return original
    }
  }

  /// The marks of Chinese and Japanese are told from those of other languages. As in browsers, `auto` does so in
  /// Chinese only.
  private var setsMarksFree: Bool {
    switch language {
    case .chinese, .traditionalChinese: strictness != .strict
    case .japanese: strictness == .normal || strictness == .houseNormal || strictness == .loose
    case .korean, .other, .slavic, .french: false
    }
  }

  /// No line may end with a solidus: what CLREQ calls the GB-style, the default of simplified Chinese.
  var keepsSolidus: Bool {
    switch strictness {
    case .auto, .house: language == .chinese && !isPlain
    case .strict: language.isChinese && !isPlain
    case .normal, .houseNormal, .loose, .anywhere: false
    }
  }

  /// Marks that are ideographs to UAX #14. Connectors start no line of Chinese, Japanese and Korean.
  private func resolveWideMark(_ scalar: UInt32) -> LineBreakClass {
    if scalar == 0xFF0F { return keepsSolidus ? .bb : .id }
    return !language.isEastAsian || strictness == .loose || isPlain ? .id : .ns
  }

  /// An interpunct, which is a letter to UAX #14, starts no line.
  var keepsInterpunct: Bool { language.isEastAsian && !isPlain }

  /// In Chinese and Japanese the side of a quotation mark is certain.
  private func resolveQuotationMark(_ scalar: UInt32) -> LineBreakClass {
    switch scalar {
    case 0x2018, 0x201C: .op
    case 0x2019, 0x201D: .cl
    default: .qu
    }
  }

  /// Marks that levels other than `strict` set free (CSS Text 3, section 5.3).
  private func resolveMark(_ scalar: UInt32, _ original: LineBreakClass) -> LineBreakClass {
    switch scalar {
    // Wave dashes and double hyphens.
    case 0x301C, 0x30A0: return setsMarksFree ? .id : original
    // Iteration marks.
    case 0x3005, 0x303B, 0x309D, 0x309E, 0x30FD, 0x30FE: return strictness == .loose ? .id : original
    // Centred punctuation.
    case 0x30FB, 0xFF1A, 0xFF1B, 0xFF65, 0x203C, 0x2047, 0x2048, 0x2049, 0xFF01, 0xFF1F:
      return strictness == .loose && language.isChineseOrJapanese ? .id : original
    default: return original
    }
  }

  /// The break is allowed before a suffix such as ％ and after a prefix such as ￥ (`loose` in Chinese and Japanese, for
  /// those of ambiguous or full width).
  @inline(__always)
  func freesAffix(_ properties: CharacterProperties) -> Bool {
    guard strictness == .loose, !isPlain, language.isChineseOrJapanese else { return false }
    let width = properties.eastAsianWidth
    return width == .ambiguous || width == .fullwidth || width == .wide
  }

  /// The hyphen may start a line, which `loose` allows after ideographs.
  @inline(__always)
  func freesHyphen(_ unit: UInt16, after previous: LineBreakClass) -> Bool {
    strictness == .loose && !isPlain && previous == .id && (unit == 0x2010 || unit == 0x2013)
  }

  /// `word-break: keep-all` forbids the break between two characters: both are letters or numbers of scripts that are
  /// not broken by a dictionary.
  @inline(__always)
  static func keepsTogether(_ first: CharacterProperties, _ second: CharacterProperties) -> Bool {
    (first.category.isLetter || first.category.isNumber) && first.lineBreak != .sa
      && (second.category.isLetter || second.category.isNumber) && second.lineBreak != .sa
  }
}

/// Breaks between two ASCII characters, where browsers keep to an older practice than UAX #14: before an opening bracket
/// that follows a mark, and after `-` and `?`, but not after `/`.
enum ASCIIBreaks {
  /// For each character from U+0021 on, a set of those that may start a line after it.
  private static let table: [(UInt64, UInt64)] = {
    var rows = [(UInt64, UInt64)](repeating: (0, 0), count: 128)
    func allow(_ first: UInt8, _ second: UInt8) {
      if second < 64 {
        rows[Int(first)].0 |= 1 << UInt64(second)
      } else {
        rows[Int(first)].1 |= 1 << UInt64(second - 64)
      }
    }
    for first in "!\"#%&)*+,.:;=>\\]|}~".utf8 {
      for second in "(<[{".utf8 { allow(first, second) }
    }
    let neverFirst = Set("!),./:;?]}".utf8)
    for second in UInt8(0x21)...0x7E where !neverFirst.contains(second) {
      if second != UInt8(ascii: "$") { allow(UInt8(ascii: "-"), second) }
      if second != UInt8(ascii: "\"") && second != UInt8(ascii: "'") { allow(UInt8(ascii: "?"), second) }
    }
    return rows
  }()

  /// The line may break between two characters of U+0021 to U+007F, the third being the one before them.
  @inline(__always)
  static func allows(_ first: UInt16, _ second: UInt16, after before: UInt16) -> Bool {
    if first >= 0x30, first != 0x3F, first < 0x3A || first > 0x40 && first < 0x5B || first > 0x60 && first < 0x7B {
      return false
    }
    if first == 0x2D, second >= 0x30, second <= 0x39 {
      // A minus sign stays with its number; a hyphen between letters and digits does not.
      return before >= 0x30 && before <= 0x39 || before | 0x20 >= 0x61 && before | 0x20 <= 0x7A
    }
    let row = table[Int(first & 127)]
    return (second < 64 ? row.0 >> UInt64(second) : row.1 >> UInt64(second & 63)) & 1 != 0
  }
}
