import CSS

/// Spaces that the house style does not break at: before marks that start no line and after those that end none, where
/// a text has a plain space for the narrow one that its printers use, after short words that lean on the next one, and
/// after what a line of code is set in by. A full-width mark or small kana is kept whatever follows it, since Chinese and
/// Japanese write it on without a space.
///
/// A word of many such marks can still be divided, so that rows of dots or letters do not run out of the measure.
extension LineBreakTailoring {
  /// The space before a unit stays within its line.
  ///
  /// - Parameter index: A unit that follows a space.
  package func keepsSpace(before index: Int, in units: Span<UInt16>) -> Bool {
    guard strictness.isHouse, index > 0, index < units.count, units[index - 1] == 0x20 else { return false }
    if isIndentation(before: index, units) { return true }
    guard index >= 2 else { return false }
    let next = CharacterProperties(UInt32(units[index]))
    if isWideMark(next) || isSpacedStop(at: index, next, units) {
      return hasLetter(before: index, units)
    }
    let last = units[index - 2]
    if last <= 0x20 { return false }
    let previous = CharacterProperties(UInt32(last))
    let standsAlone = index == 2 || units[index - 3] <= 0x20
    switch previous.category {
    case .initialPunctuation, .openPunctuation: return standsAlone && (next.category.isLetter || next.category.isNumber)
    case .lowercaseLetter, .uppercaseLetter:
      return language == .slavic && standsAlone && last != 0x44F && last != 0x42F
        && !followsShortWords(index - 2, units)
    default: return false
    }
  }

  /// Nothing but spaces stands before the unit on its line, as in code: a break there would leave a blank line.
  private func isIndentation(before index: Int, _ units: Span<UInt16>) -> Bool {
    var start = index - 1
    while start > 0, units[start - 1] == 0x20 { start -= 1 }
    return start == 0 || units[start - 1] == 0x0A
  }

  /// The character is of Chinese and Japanese, and starts no line.
  private func isWideMark(_ properties: CharacterProperties) -> Bool {
    guard properties.eastAsianWidth.isEastAsian else { return false }
    switch properties.lineBreak {
    case .cl, .ex, .is, .ns, .cj: return true
    default: return false
    }
  }

  /// The word is one mark that belongs to what precedes it.
  private func isSpacedStop(
    at index: Int, _ properties: CharacterProperties, _ units: Span<UInt16>
  ) -> Bool {
    switch units[index] {
    // Signs that repeat a word or stand for its rest, and the stops of Brahmic scripts.
    case 0xE2F, 0xE46, 0xEAF, 0xEC6, 0x17D4...0x17D7, 0x964, 0x965, 0x104A, 0x104B: return true
    // Paseq and sof pasuq.
    case 0x5C0, 0x5C3: return true
    case 0x2013, 0x2014:
      return language != .french && !language.isEastAsian && index + 1 < units.count && units[index + 1] <= 0x20
    default: break
    }
    switch properties.lineBreak {
    case .ex, .cl, .cp, .is, .in, .qu: break
    default: return false
    }
    if properties.lineBreak == .qu, properties.category != .finalPunctuation { return false }
    var end = index
    while end < units.count, units[end] > 0x20, units[end] != 0xA0 {
      let properties = CharacterProperties(UInt32(units[end]))
      guard properties.category.isPunctuation, end - index < Self.longestMark else { return false }
      end += 1
    }
    return true
  }

  private func hasLetter(before index: Int, _ units: Span<UInt16>) -> Bool {
    for unit in Swift.max(0, index - Self.reach)..<index {
      let category = CharacterProperties(UInt32(units[unit])).category
      if category.isLetter || category.isNumber || category.isMark || units[unit] & 0xF800 == 0xD800 { return true }
    }
    return false
  }

  /// The two words before a word have one letter, too.
  private func followsShortWords(_ index: Int, _ units: Span<UInt16>) -> Bool {
    index >= 4 && units[index - 1] <= 0x20 && units[index - 3] <= 0x20
      && (index == 4 || units[index - 5] <= 0x20)
  }

  private static let longestMark = 4
  /// As far as three dots with spaces between them are wide.
  private static let reach = 6
}
