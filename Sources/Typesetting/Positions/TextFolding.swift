import CTransliteration
import Text

/// Text as a search compares it: letters folded by the options, white space as single spaces, with the way back to the units it
/// was made of.
struct FoldedText {
  private(set) var units: [UInt16] = []
  /// By folded unit: the unit it was made of, and one entry behind the last.
  private(set) var origins: [UInt32] = []

  init() {}

  /// Folds a range of units.
  ///
  /// - Parameter isLeftOut: `true` if a unit is no text of the book.
  mutating func fold(_ text: [UInt16], _ range: Range<Int>, with folding: inout Folding, isLeftOut: (Int) -> Bool) {
    units.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    var index = range.lowerBound
    while index < range.upperBound {
      let unit = text[index]
      guard !isLeftOut(index) else {
        index += 1
        continue
      }
      if unit < 0x80 {
        if unit <= 0x20 {
          append(space: index)
        } else if let folded = folding.ascii(unit) {
          append(folded, index)
        }
        index += 1
        continue
      }
      var scalar = UInt32(unit)
      var length = 1
      if UTF16.isLeadSurrogate(unit), index + 1 < range.upperBound, UTF16.isTrailSurrogate(text[index + 1]) {
        scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(text[index + 1] & 0x3FF)
        length = 2
      }
      if Folding.isSpace(scalar) {
        append(space: index)
      } else {
        for folded in folding.folded(scalar) { append(folded, index) }
      }
      index += length
    }
    origins.append(UInt32(clamping: range.upperBound))
  }

  private mutating func append(_ unit: UInt16, _ origin: Int) {
    units.append(unit)
    origins.append(UInt32(clamping: origin))
  }

  private mutating func append(space origin: Int) {
    if units.last != 0x20 { append(0x20, origin) }
  }

  /// Matches of a pattern, each once, from left to right.
  func places(of pattern: [UInt16]) -> [Range<Int>] {
    guard let first = pattern.first, pattern.count <= units.count else { return [] }
    var found: [Range<Int>] = []
    let (text, pattern) = (units.span, pattern.span)
    var start = 0
    while start <= text.count - pattern.count {
      guard text[start] == first else {
        start += 1
        continue
      }
      var length = 1
      while length < pattern.count, text[start + length] == pattern[length] { length += 1 }
      if length == pattern.count {
        found.append(start..<start + length)
        start += length
      } else {
        start += 1
      }
    }
    return found
  }
}

/// Folding of characters, with a memory of those met.
struct Folding {
  let options: SearchOptions
  private var known: [UInt32: [UInt16]] = [:]

  init(_ options: SearchOptions) { self.options = options }

  static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// The folded form of a character of ASCII; nil when it is left out.
  func ascii(_ unit: UInt16) -> UInt16? {
    if unit == 0x2D, options.contains(.ignoringHyphens) { return nil }
    return options.contains(.ignoringCase) && unit >= 0x41 && unit <= 0x5A ? unit + 0x20 : unit
  }

  mutating func folded(_ scalar: UInt32) -> [UInt16] {
    if let folded = known[scalar] { return folded }
    let folded = fold(scalar)
    known[scalar] = folded
    return folded
  }

  private func fold(_ scalar: UInt32) -> [UInt16] {
    switch scalar {
    // Marks without a shape, soft hyphens, pictures.
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFE00...0xFE0F, 0xFEFF, 0xFFFC: return []
    case 0x2010, 0x2011: return hyphen
    default: break
    }
    if options.contains(.ignoringPunctuationForms), let sign = Self.plainSign(scalar) {
      return sign == 0x2D ? hyphen : [sign]
    }
    guard let character = Unicode.Scalar(scalar) else { return [] }
    var units = Array(String(character).utf16)
    // Without regard to width compatible characters are one; else one character may still be written in two ways.
    units = Decomposition.decomposed(units, isCompatible: options.contains(.ignoringWidth))
    if options.contains(.ignoringCase) { units = CaseMapping.map(units, to: .fold, language: "") }
    if options.contains(.ignoringWidth) { units = units.flatMap { Self.parts(of: $0) ?? [$0] } }
    if options.contains(.ignoringHyphens) { units.removeAll { $0 == 0x2D } }
    if options.contains(.ignoringDiacritics) {
      units.removeAll { Self.isDiacritic($0) }
      units = units.map { Self.withoutStroke($0) }
    }
    if options.contains(.ignoringChineseForms) { units = units.map(ChineseForms.simplified) }
    if options.contains(.ignoringKana) {
      units = units.map { ($0 >= 0x30A1 && $0 <= 0x30F6) || $0 == 0x30FD || $0 == 0x30FE ? $0 - 0x60 : $0 }
    }
    return units
  }

  private var hyphen: [UInt16] { options.contains(.ignoringHyphens) ? [] : [0x2D] }

  /// The sign of ASCII that a keyboard has for a mark of punctuation.
  private static func plainSign(_ scalar: UInt32) -> UInt16? {
    switch scalar {
    // Apostrophes and single quotation marks, what is written for them, and their relatives in Hawaiian and Hebrew.
    case 0xB4, 0x2B9, 0x2BB...0x2BD, 0x2C8, 0x5F3, 0x2018...0x201B, 0x2032, 0x2035, 0x2039, 0x203A, 0xFF07: 0x27
    case 0xAB, 0xBB, 0x2BA, 0x2EE, 0x5F4, 0x201C...0x201F, 0x2033, 0x2036, 0x301D...0x301F, 0xFF02: 0x22
    case 0x5BE, 0x2012...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: 0x2D
    default: nil
    }
  }

  /// The letters that one is joined of: those that the collation of Unicode (UTS #10) tells from them at its third level only,
  /// though no decomposition does.
  private static func parts(of unit: UInt16) -> [UInt16]? {
    switch unit {
    case 0xC6: [0x41, 0x45]
    case 0xE6: [0x61, 0x65]
    case 0x152: [0x4F, 0x45]
    case 0x153: [0x6F, 0x65]
    default: nil
    }
  }

  /// The letter without the stroke, or with the dot, that no decomposition knows.
  private static func withoutStroke(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0xD8: 0x4F
    case 0xF8: 0x6F
    case 0x110: 0x44
    case 0x111: 0x64
    case 0x126: 0x48
    case 0x127: 0x68
    case 0x131: 0x69
    case 0x141: 0x4C
    case 0x142: 0x6C
    case 0x166: 0x54
    case 0x167: 0x74
    default: unit
    }
  }

  /// Marks over and under letters; those that make another syllable of a kana stay.
  static func isDiacritic(_ unit: UInt16) -> Bool {
    unit >= 0x300 && unit != 0x3099 && unit != 0x309A && !UTF16.isSurrogate(unit)
      && CharacterProperties(UInt32(unit)).category.isMark && CharacterProperties(UInt32(unit)).category != .spacingMark
  }

  /// Marks of any kind that belong to the letter before.
  static func isMark(_ unit: UInt16) -> Bool { isDiacritic(unit) || unit == 0x3099 || unit == 0x309A }
}

/// Chinese characters as they are simplified.
private enum ChineseForms {
  private static let first: UInt16 = 0x3400
  private static let last: UInt16 = 0x9FFF

  /// From `first` to `last`; empty where ICU is not installed.
  private static let forms: [UInt16] = {
    var forms = [UInt16](repeating: 0, count: Int(last - first) + 1)
    return unsafe ctransliteration_simplified(first, forms.count, &forms) != 0 ? forms : []
  }()

  static func simplified(_ unit: UInt16) -> UInt16 {
    guard unit >= first, unit <= last, !forms.isEmpty else { return unit }
    return forms[Int(unit - first)]
  }
}

extension UTF16 {
  static func isSurrogate(_ unit: UInt16) -> Bool { unit & 0xF800 == 0xD800 }
}
