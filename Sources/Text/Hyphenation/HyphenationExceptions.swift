/// Words that a reader wants divided at certain places, or not at all, whatever the patterns say.
///
/// The list has one word a line, with hyphens where it may be divided: `as-so-ciate`; a word without hyphens is not divided.
/// A tag in square brackets begins the words of a language, `[de]` or `[en-GB]`; those before the first one are for all
/// languages. What follows `#` or `%` on a line is a comment.
package struct HyphenationExceptions: Sendable, Hashable {
  private struct Section: Sendable, Hashable {
    var language: String
    var words: [String] = []
  }
  private var sections: [Section] = []

  package init(_ text: String = "") {
    var section = Section(language: "")
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.prefix { $0 != "#" && $0 != "%" }
      for word in line.split(whereSeparator: \.isWhitespace) {
        if word.first == "[", word.last == "]" {
          sections.append(section)
          section = Section(language: word.dropFirst().dropLast().lowercased())
        } else {
          section.words.append(String(word))
        }
      }
    }
    sections.append(section)
    sections.removeAll { $0.words.isEmpty }
  }

  /// The words for a language, lower-case and without hyphens, with the offsets in units before which each may be divided.
  /// Later ones go before earlier ones.
  func words(for language: String) -> [[UInt16]: [Int]] {
    let language = language.lowercased()
    var found: [[UInt16]: [Int]] = [:]
    for section in sections
    where section.language.isEmpty || language == section.language || language.hasPrefix(section.language + "-") {
      for word in section.words {
        var letters: [UInt16] = []
        var points: [Int] = []
        for unit in CaseMapping.map(Array(word.utf16), to: .lower, language: language) {
          if unit != 0x2D && unit != 0x2010 && unit != 0xAD {
            letters.append(unit)
          } else if !letters.isEmpty {
            points.append(letters.count)
          }
        }
        found[letters] = points.filter { $0 < letters.count }
      }
    }
    return found
  }
}
