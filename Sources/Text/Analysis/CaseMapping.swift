import CUnicode
import Primitives

/// Single-character mappings.
package enum CharacterMapping {
  /// The closing bracket of an opening one, and the reverse (UAX #9, Bidi_Paired_Bracket).
  package static func pairedBracket(_ scalar: UInt32) -> UInt32 { cu_paired_bracket(scalar) }
  /// The capital of a letter, where it is one character.
  package static func upper(_ scalar: UInt32) -> UInt32 {
    UInt16(exactly: scalar).flatMap { CaseMapping.latin($0, .upper) }.map(UInt32.init) ?? cu_simple_upper(scalar)
  }
  /// The mirrored character (UAX #9, rule L4).
  package static func mirror(_ scalar: UInt32) -> UInt32 { cu_mirror(scalar) }
  /// The script is among those a character is used in (UAX #24, Script_Extensions); a character of all scripts is used
  /// in `common` or `inherited` only.
  package static func isUsed(_ scalar: UInt32, in script: Script) -> Bool {
    cu_has_script(scalar, UInt32(script.rawValue)) != 0
  }
}

/// Full case mapping by language (Unicode, section 3.13; CSS Text 3, section 2.1): Turkish dotted i, Greek accents,
/// Lithuanian dots, Dutch IJ.
package enum CaseMapping {
  package enum Mapping: Int32, Hashable, Sendable {
    case upper, lower, title
    /// Case folding, for comparisons without regard to case.
    case fold
  }

  /// Appends the mapped text. When as many units were added as read, unit maps to unit.
  package static func map(
    _ units: Span<UInt16>, to mapping: Mapping, language: String, into result: inout [UInt16]
  ) {
    guard !units.isEmpty, units.count < 1 << 28 else { return }
    let start = result.count
    if mapping != .title, !hasOwnLatinRules(language) {
      result.append(contentsOf: repeatElement(0, count: units.count))
      var span = result.mutableSpan
      if mapLatin(units, to: mapping, into: &span, at: start) { return }
      result.removeLast(units.count)
    }
    var capacity = units.count + 16
    // The first try nearly always has room; ICU says how much the second one needs.
    for _ in 0..<2 {
      result.append(contentsOf: repeatElement(0, count: capacity))
      let length = unsafe units.withUnsafeBufferPointer { units in
        unsafe result.withUnsafeMutableBufferPointer { buffer in
          unsafe Int(
            cu_map_case(
              mapping.rawValue, language, units.baseAddress, Int32(units.count),
              buffer.baseAddress.map { unsafe $0 + start }, Int32(capacity)))
        }
      }
      if length >= 0, length <= capacity {
        result.removeLast(capacity - length)
        return
      }
      result.removeLast(capacity)
      if length < 0 { break }
      capacity = length
    }
    result.append(contentsOf: units)
  }

  /// Maps the characters that `latin` knows, in a language without own rules for them; false where another one is met.
  ///
  /// - Parameters:
  ///   - result: Receives as many units.
  ///   - start: Where it receives them.
  static func mapLatin(
    _ units: Span<UInt16>, to mapping: Mapping, into result: inout MutableSpan<UInt16>, at start: Int = 0
  ) -> Bool {
    for index in units.indices {
      guard let mapped = latin(units[index], mapping) else { return false }
      result[start + index] = mapped
    }
    return true
  }

  /// The mapped text.
  package static func map(_ units: [UInt16], to mapping: Mapping, language: String) -> [UInt16] {
    var result: [UInt16] = []
    map(units.span, to: mapping, language: language, into: &result)
    return result
  }

  /// `text-transform: capitalize`: the first letter of each word in title case, the rest as it is.
  ///
  /// - Parameter continuesWord: `true` if the text before ends in a letter, so that the first word is not a new one.
  package static func capitalize(
    _ units: Span<UInt16>, language: String, continuesWord: Bool = false, into result: inout [UInt16]
  ) {
    var isInWord = continuesWord
    var index = 0
    let isDutch = language == "nl" || language.hasPrefix("nl-")
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      let properties = CharacterProperties(scalar)
      let category = properties.category
      let isLetter = category.isLetter || category.isNumber || category.isMark
      if isLetter, !isInWord {
        var end = index + length
        if isDutch, scalar | 0x20 == 0x69, end < units.count, units[end] | 0x20 == 0x6A { end += 1 }
        let piece = units.extracting(index..<end)
        map(piece, to: end > index + length ? .upper : .title, language: language, into: &result)
        index = end
        isInWord = true
        continue
      }
      // An apostrophe or a full stop between letters does not end a word (UAX #29, WB6).
      if !isLetter {
        let isInside =
          isInWord && (scalar == 0x27 || scalar == 0x2019 || scalar == 0xB7 || scalar == 0xAD)
          && index + length < units.count
          && CharacterProperties(UTF16Text.scalar(units, at: index + length).value).category.isLetter
        if !isInside { isInWord = false }
      }
      result.append(contentsOf: units.extracting(index..<index + length))
      index += length
    }
  }

  /// The one character that one of Latin-1 or of General Punctuation becomes; nil for three of them and for all others, which ICU knows,
  /// a library that most books never load.
  @inline(__always)
  fileprivate static func latin(_ unit: UInt16, _ mapping: Mapping) -> UInt16? {
    switch unit {
    case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE: mapping == .upper ? unit : unit + 0x20
    case 0x61...0x7A, 0xE0...0xF6, 0xF8...0xFE: mapping == .upper ? unit - 0x20 : unit
    // The micro sign is a Greek letter, the capital of sharp s is two letters, that of y with diaeresis is in Latin Extended-A.
    case 0xB5, 0xDF: mapping == .lower ? unit : nil
    case 0xFF: mapping == .upper ? nil : unit
    case 0..<0x100, 0x2000..<0x2070: unit
    default: nil
    }
  }

  /// The language maps some letter of Latin-1 in a way of its own.
  static func hasOwnLatinRules(_ language: String) -> Bool {
    var bytes = language.utf8.makeIterator()
    return switch (bytes.next(), bytes.next()) {
    // tr, az, lt
    case (0x74, 0x72), (0x61, 0x7A), (0x6C, 0x74): true
    default: false
    }
  }
}
