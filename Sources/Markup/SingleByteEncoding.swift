import Platform

/// The upper half of an encoding of one byte a character, and what each byte costs in a guess.
///
/// Costs are in bits: the logarithm of the improbability of a character in a text.
struct SingleByteEncoding: Sendable {
  /// The part that a character has in words.
  enum Part: UInt8 {
    /// What stands between words, ASCII's and that of every text.
    case separator
    case capital, small, letter, mark
    /// What is rare in texts, and rarest beside a letter.
    case symbol
    case invalid
  }

  let name: String
  /// What the encoding costs of itself, for it is rarer than others.
  let prior: Float
  let scalars: [Unicode.Scalar]
  /// By byte, those of ASCII too.
  let parts: [Part]
  /// By byte from 0x80: the index of its letter in `LetterCosts`; -1 for others.
  let letters: [Int16]
  /// By byte from 0x80: the cost where it is no letter of the language.
  let costs: [Float]
  /// By byte from 0x80: it is a mark that stands between words, not in them; it is a letter, and not one of the Latin script.
  let separates: [Bool]
  let isOtherScript: [Bool]
  /// The languages that can be written in it, as indices.
  let languages: [Int]

  /// Nil where ICU lacks it.
  init?(_ name: String, prior: Float) {
    // Line ends keep apart what would be composed.
    guard let decoded = TextDecoder.decode((0x80...0xFF).flatMap { [$0, 0x0A] as [UInt8] }[...], from: name) else {
      return nil
    }
    let scalars = String(decoding: decoded.utf8, as: UTF8.self).unicodeScalars.filter { $0 != "\n" }
    guard scalars.count == 128 else { return nil }
    self.name = name
    self.prior = prior
    self.scalars = Array(scalars)
    parts = (0..<0x80).map { Self.part(of: Unicode.Scalar($0)) } + self.scalars.map(Self.part)
    let letterCosts = LetterCosts.shared
    letters = self.scalars.map { letterCosts.index(of: $0) }
    costs = self.scalars.map(Self.cost)
    separates = self.scalars.map { "„“”«»‚‘–—…".unicodeScalars.contains($0) }
    isOtherScript = zip(self.scalars, letters).map { scalar, letter in
      letter >= 0 && scalar.value >= 0x370 && !(0x1E00..<0x1F00).contains(scalar.value)
    }
    let has = Set(letters)
    languages = letterCosts.languages.indices.filter { letterCosts.isCovered($0, by: has) }
  }

  /// Every encoding that texts were written in; loaded when first asked for.
  static let all: [SingleByteEncoding] = candidates.compactMap { SingleByteEncoding($0.name, prior: $0.prior) }

  private static let candidates: [(name: String, prior: Float)] = [
    ("windows-1252", 0), ("windows-1251", 1), ("windows-1250", 2), ("windows-1253", 3),
    ("windows-1254", 3), ("windows-1255", 3), ("windows-1256", 3), ("windows-1257", 4),
    ("windows-1258", 5), ("windows-874", 3), ("KOI8-R", 3), ("KOI8-U", 4),
    ("IBM866", 4), ("ISO-8859-2", 2.5), ("ISO-8859-15", 4), ("ISO-8859-5", 5),
    ("ISO-8859-7", 4), ("ISO-8859-8", 5), ("ISO-8859-6", 5), ("ISO-8859-13", 6),
    ("ISO-8859-4", 7), ("ISO-8859-16", 7), ("ISO-8859-10", 8), ("ISO-8859-3", 7),
    ("ISO-8859-14", 8), ("x-mac-cyrillic", 4), ("macintosh", 5), ("x-mac-ce", 7),
    ("x-mac-greek", 7), ("x-mac-turkish", 8), ("IBM850", 5), ("IBM437", 6),
    ("IBM852", 6), ("IBM855", 7), ("IBM737", 7), ("IBM857", 7),
    ("IBM862", 6), ("IBM720", 7), ("IBM775", 7),
  ]

  private static func part(of scalar: Unicode.Scalar) -> Part {
    if scalar.value == 0xFFFD { return .invalid }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return .mark
    case .uppercaseLetter, .titlecaseLetter: return .capital
    case .lowercaseLetter: return .small
    case .otherLetter, .modifierLetter: return .letter
    default:
      return scalar.value < 0x80 || usual.contains(scalar) || scalar == "·" || scalar == "´" ? .separator : .symbol
    }
  }

  private static func cost(of scalar: Unicode.Scalar) -> Float {
    if scalar.value == 0xFFFD { return 24 }
    if scalar.value < 0xA0 { return 20 }
    if usual.contains(scalar) { return 7 }
    if known.contains(scalar) { return 10 }
    switch part(of: scalar) {
    case .mark: return 16
    case .capital, .small, .letter: return 15
    default: return (0x2500..<0x2600).contains(scalar.value) ? 18 : 14
    }
  }

  private static let usual = Set("«»„“”‘’‚–—…\u{A0}".unicodeScalars)
  private static let known = Set(
    "\u{200C}\u{200D}\u{200E}\u{200F}،؛؟·†•‹›€°§№©®™ªº¡¿´".unicodeScalars)
}

/// What letters cost in each language: the logarithms of how rare they are.
final class LetterCosts: Sendable {
  struct Language: Sendable {
    /// By letter, in bits; nil for those it does not have.
    var costs: [Float?]
    /// By byte of ASCII.
    var ascii: [Float]
    /// The least cost of a mark that is not among its letters: vowel points are written or left out as a whole.
    var mark: Float?
  }

  static let shared = LetterCosts()
  let languages: [Language]
  /// The language whose words stand in texts of all others.
  let english: Int
  private let indices: [UInt32: Int16]
  /// By letter: what it costs where any language may stand.
  let least: [Float]

  /// The index of a letter whatever its case; -1 where no language has it.
  func index(of scalar: Unicode.Scalar) -> Int16 {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    return indices[(Self.older[lower] ?? lower).value] ?? -1
  }

  /// The letters are all of a language but rare ones.
  func isCovered(_ language: Int, by letters: Set<Int16>) -> Bool {
    var share = Float(0)
    for (letter, cost) in languages[language].costs.enumerated() {
      guard let cost, asciiLetters.contains(Int16(letter)) || letters.contains(Int16(letter)) else { continue }
      share += exp2f(-cost)
    }
    return share > languages[language].costs.reduce(0) { $0 + ($1.map { exp2f(-$0) } ?? 0) } * 0.998
  }
  private let asciiLetters: Set<Int16>

  private init() {
    var indices: [UInt32: Int16] = [:]
    var counted: [[(letter: Int16, cost: Float)]] = []
    for (_, letters) in LetterFrequencies.languages {
      var costs: [(Int16, Float)] = []
      for (step, group) in letters.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        for scalar in group {
          let index = indices[scalar.value] ?? Int16(indices.count)
          indices[scalar.value] = index
          costs.append((index, Float(step) / 2 + 1))
        }
      }
      counted.append(costs)
    }
    let tables = counted.map { costs in
      var table = [Float?](repeating: nil, count: indices.count)
      for (letter, cost) in costs { table[Int(letter)] = cost }
      return table
    }
    let english = LetterFrequencies.languages.firstIndex { $0.language.description == "en" } ?? 0
    let a = Int(indices[0x61] ?? 0)
    func ascii(_ table: [Float?], foreign: (Int) -> Float) -> [Float] {
      (0..<0x80).map { byte in
        guard let letter = indices[UInt32(byte | 0x20)], byte >= 0x41, byte <= 0x7A else { return 0 }
        return table[Int(letter)] ?? foreign(Int(letter))
      }
    }
    languages = zip(LetterFrequencies.languages, tables).map { language, table in
      let isLatin = table[a] != nil
      let hasPoints = ["he", "yi", "ar", "fa"].contains(language.language.description)
      return Language(
        costs: table, ascii: ascii(table) { isLatin ? 11 : (tables[english][$0] ?? 10) + 1 },
        mark: hasPoints ? 6.5 : nil)
    }
    least = indices.values.sorted().map { letter in tables.compactMap { $0[Int(letter)] }.min() ?? 15 }
    self.indices = indices
    self.english = english
    asciiLetters = Set((0x61...0x7A).compactMap { indices[$0] })
  }

  private static let older: [Unicode.Scalar: Unicode.Scalar] = ["ș": "ş", "ț": "ţ", "ی": "ي", "ک": "ك"]
}
