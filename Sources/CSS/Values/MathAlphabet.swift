/// An alphabet of the mathematical alphanumeric symbols (Unicode, section 22.2) that letters are shown in: the italic
/// one of `text-transform: math-auto` (MathML Core, section 4.2 and appendix C.13), and those that `mathvariant` names
/// and a font's style does not show as well, as it does bold and italic (MathML 3, section 3.2.2).
package enum MathAlphabet: UInt8, CaseIterable, Hashable, Sendable {
  case italic
  case doubleStruck, script, boldScript, fraktur, boldFraktur
  case sansSerif, boldSansSerif, italicSansSerif, boldItalicSansSerif, monospace
  case initial, tailed, looped, stretched

  /// - Parameter name: A value of `mathvariant`; those that are a font's style are no alphabets.
  package init?(name: String) {
    let name = name.filter { !$0.isWhitespace }.lowercased()
    guard let named = Self.allCases.first(where: { $0 != .italic && $0.name.description == name }) else { return nil }
    self = named
  }

  /// The value of `mathvariant`.
  package var name: StaticString {
    switch self {
    case .italic: "italic"
    case .doubleStruck: "double-struck"
    case .script: "script"
    case .boldScript: "bold-script"
    case .fraktur: "fraktur"
    case .boldFraktur: "bold-fraktur"
    case .sansSerif: "sans-serif"
    case .boldSansSerif: "bold-sans-serif"
    case .italicSansSerif: "sans-serif-italic"
    case .boldItalicSansSerif: "sans-serif-bold-italic"
    case .monospace: "monospace"
    case .initial: "initial"
    case .tailed: "tailed"
    case .looped: "looped"
    case .stretched: "stretched"
    }
  }

  /// Letters of the alphabet: a face that has these is taken to have all.
  package var samples: [UInt32] {
    switch self {
    case .italic: [0x1D465, 0x1D6FC, 0x1D715]
    case .initial, .tailed, .looped, .stretched: [form(of: 0x62C)]
    default: [form(of: 0x41)]
    }
  }

  /// The letters are as those of a bold font.
  package var isBold: Bool {
    switch self {
    case .boldScript, .boldFraktur, .boldSansSerif, .boldItalicSansSerif: true
    default: false
    }
  }

  /// The letters are as those of an italic font.
  package var isItalic: Bool {
    switch self {
    case .italic, .script, .boldScript, .italicSansSerif, .boldItalicSansSerif: true
    default: false
    }
  }

  /// The form of a letter or digit; the letter itself where there is none.
  package func form(of letter: UInt32) -> UInt32 {
    switch letter {
    case 0x41...0x5A:
      guard let first = latin else { return letter }
      return exception(letter) ?? first + letter - 0x41
    case 0x61...0x7A:
      guard let first = latin else { return letter }
      return exception(letter) ?? first + 26 + letter - 0x61
    case 0x30...0x39: return digits.map { $0 + letter - 0x30 } ?? letter
    case 0x131, 0x237: return self == .italic ? letter == 0x131 ? 0x1D6A4 : 0x1D6A5 : letter
    case 0x391...0x3A9 where letter != 0x3A2: return greek.map { $0 + letter - 0x391 } ?? letter
    case 0x3F4: return greek.map { $0 + 17 } ?? letter
    case 0x2207: return greek.map { $0 + 25 } ?? letter
    case 0x3B1...0x3C9: return greek.map { $0 + 26 + letter - 0x3B1 } ?? letter
    case 0x2202, 0x3F5, 0x3D1, 0x3F0, 0x3D5, 0x3F1, 0x3D6:
      let places: [UInt32] = [0x2202, 0x3F5, 0x3D1, 0x3F0, 0x3D5, 0x3F1, 0x3D6]
      return greek.flatMap { first in places.firstIndex(of: letter).map { first + 51 + UInt32($0) } } ?? letter
    case 0x627...0x6BA: return arabic(letter)
    case 0x393 where self == .doubleStruck: return 0x213E
    default: return letter
    }
  }

  /// The capital A.
  private var latin: UInt32? {
    switch self {
    case .italic: 0x1D434
    case .script: 0x1D49C
    case .boldScript: 0x1D4D0
    case .fraktur: 0x1D504
    case .doubleStruck: 0x1D538
    case .boldFraktur: 0x1D56C
    case .sansSerif: 0x1D5A0
    case .boldSansSerif: 0x1D5D4
    case .italicSansSerif: 0x1D608
    case .boldItalicSansSerif: 0x1D63C
    case .monospace: 0x1D670
    case .initial, .tailed, .looped, .stretched: nil
    }
  }

  /// The capital alpha.
  private var greek: UInt32? {
    switch self {
    case .italic: 0x1D6E2
    case .boldSansSerif: 0x1D756
    case .boldItalicSansSerif: 0x1D790
    default: nil
    }
  }

  private var digits: UInt32? {
    switch self {
    case .doubleStruck: 0x1D7D8
    case .sansSerif, .italicSansSerif: 0x1D7E2
    case .boldSansSerif, .boldItalicSansSerif: 0x1D7EC
    case .monospace: 0x1D7F6
    default: nil
    }
  }

  /// The letters that Unicode had before the alphabets.
  private func exception(_ letter: UInt32) -> UInt32? {
    switch (self, letter) {
    case (.italic, 0x68): 0x210E
    case (.doubleStruck, 0x43): 0x2102
    case (.doubleStruck, 0x48): 0x210D
    case (.doubleStruck, 0x4E): 0x2115
    case (.doubleStruck, 0x50): 0x2119
    case (.doubleStruck, 0x51): 0x211A
    case (.doubleStruck, 0x52): 0x211D
    case (.doubleStruck, 0x5A): 0x2124
    case (.script, 0x42): 0x212C
    case (.script, 0x45): 0x2130
    case (.script, 0x46): 0x2131
    case (.script, 0x48): 0x210B
    case (.script, 0x49): 0x2110
    case (.script, 0x4C): 0x2112
    case (.script, 0x4D): 0x2133
    case (.script, 0x52): 0x211B
    case (.script, 0x65): 0x212F
    case (.script, 0x67): 0x210A
    case (.script, 0x6F): 0x2134
    case (.fraktur, 0x43): 0x212D
    case (.fraktur, 0x48): 0x210C
    case (.fraktur, 0x49): 0x2111
    case (.fraktur, 0x52): 0x211C
    case (.fraktur, 0x5A): 0x2128
    default: nil
    }
  }

  /// Arabic letters in the order of the mathematical ones, the abjad: a row of 32 for each alphabet, with gaps.
  private func arabic(_ letter: UInt32) -> UInt32 {
    guard let place = Self.abjad.firstIndex(of: letter) else { return letter }
    let (row, places): (UInt32, UInt32)
    switch self {
    case .initial: (row, places) = (0x1EE20, 0x0AF7_FE96)
    case .tailed: (row, places) = (0x1EE40, 0xAA96_EA84)
    case .stretched: (row, places) = (0x1EE60, 0x5EF7_F796)
    case .looped: (row, places) = (0x1EE80, 0x0FFF_FBFF)
    case .doubleStruck: (row, places) = (0x1EEA0, 0x0FFF_FBEE)
    default: return letter
    }
    return places >> UInt32(place) & 1 == 1 ? row + UInt32(place) : letter
  }
  private static let abjad: [UInt32] = [
    0x627, 0x628, 0x62C, 0x62F, 0x647, 0x648, 0x632, 0x62D, 0x637, 0x64A, 0x643, 0x644, 0x645, 0x646, 0x633, 0x639,
    0x641,
    0x635, 0x642, 0x631, 0x634, 0x62A, 0x62B, 0x62E, 0x630, 0x636, 0x638, 0x63A, 0x66E, 0x6BA, 0x6A1, 0x66F,
  ]
}
