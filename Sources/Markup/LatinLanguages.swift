/// Tells languages in Latin letters apart by their commonest words and by letters that few of them have.
final class LatinLanguages: Sendable {
  static let shared = LatinLanguages()

  /// By index: the language, a BCP 47 tag, and its letters beyond ASCII, as far as they are known.
  private let languages: [(tag: String, letters: Set<Unicode.Scalar>)]
  /// The languages that a common word is of.
  private let words: [String: [Int]]
  /// The languages that a letter is common in, where these are few.
  private let letters: [Unicode.Scalar: [Int]]

  private static let fewLanguages = 3
  /// Steps of half a power of two in `LetterFrequencies` to the letters of a language that are no longer common.
  private static let rareLetters = 16

  private init() {
    var languages: [(tag: String, letters: Set<Unicode.Scalar>)] = []
    var words: [String: [Int]] = [:]
    var letters: [Unicode.Scalar: [Int]] = [:]
    for (index, (tag, list)) in LatinWords.languages.enumerated() {
      for word in list.split(separator: " ") { words[String(word), default: []].append(index) }
      let entry = LetterFrequencies.languages.first { $0.language.description == tag }
      // Marks are apart there, and mostly one with their letters in texts.
      let marked = tag == "vi" ? "àáâãèéêìíòóôõùúýăđĩũơư" : ""
      languages.append((tag, Set("\(entry?.letters ?? "")\(marked)".unicodeScalars.filter { !$0.isASCII })))
      let common = entry?.letters.split(separator: " ", omittingEmptySubsequences: false).prefix(Self.rareLetters) ?? []
      for scalar in common.joined().flatMap(\.unicodeScalars) where !scalar.isASCII {
        letters[scalar, default: []].append(index)
      }
    }
    self.languages = languages
    self.words = words
    self.letters = letters.filter { $0.value.count <= Self.fewLanguages }
  }

  /// A BCP 47 tag, empty when nothing can be told.
  func language(of utf8: ArraySlice<UInt8>) -> String {
    var evidence = Evidence(count: languages.count)
    for word in Substring(decoding: utf8, as: UTF8.self).split(whereSeparator: { !$0.isLetter }) {
      add(word, to: &evidence)
    }
    return best(evidence)
  }

  private struct Evidence {
    var words = 0
    /// Words like “Anna”, which are many where names are listed.
    var capitalised = 0
    /// By language: what its words and letters say, those of several languages less.
    var scores: [Double]
    /// By language: how many words say so, and which.
    var hits: [Int]
    var distinct: [Set<String>]
    /// By letter beyond ASCII: how many words have it.
    var foreign: [Unicode.Scalar: Int] = [:]

    init(count: Int) {
      scores = Array(repeating: 0, count: count)
      hits = Array(repeating: 0, count: count)
      distinct = Array(repeating: [], count: count)
    }
  }

  private func add(_ word: Substring, to evidence: inout Evidence) {
    let lower = word.lowercased()
    guard lower.utf8.count >= 2 else { return }
    evidence.words += 1
    if word.first?.isUppercase == true, word.dropFirst().contains(where: \.isLowercase) { evidence.capitalised += 1 }
    var said = words[lower] ?? []
    if lower.utf8.contains(where: { $0 >= 0x80 }) {
      let scalars = Set(lower.unicodeScalars.filter { !$0.isASCII }.map(Self.folded))
      for scalar in scalars { evidence.foreign[scalar, default: 0] += 1 }
      if said.isEmpty { said = scalars.compactMap { letters[$0] }.min { $0.count < $1.count } ?? [] }
    }
    for language in said {
      evidence.scores[language] += 1 / Double(said.count)
      evidence.hits[language] += 1
      if evidence.distinct[language].count < Self.leastWords { evidence.distinct[language].insert(lower) }
    }
  }

  /// A letter as `LetterFrequencies` has it: with a cedilla, and a mark of Vietnamese for the letters that bear two.
  private static func folded(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    switch letter.value {
    case 0x219: "ş"
    case 0x21B: "ţ"
    case 0x1EA0..<0x1EFA: "\u{323}"
    default: letter
    }
  }

  private static let leastWords = 3
  /// By which the best must be better than the next.
  private static let margin = 1.2

  private func best(_ evidence: Evidence) -> String {
    guard evidence.capitalised * 5 < evidence.words * 3 else { return "" }
    let scores = languages.indices.map { language in
      evidence.scores[language] * likelihood(of: evidence.foreign, in: language, words: evidence.words)
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), evidence.hits[best] * 12 > evidence.words,
      evidence.distinct[best].count >= Self.leastWords
    else { return "" }
    let next = scores.indices.filter { $0 != best }.map { scores[$0] }.max() ?? 0
    return scores[best] > next * Self.margin ? languages[best].tag : ""
  }

  /// Less than one where words have letters that the language has not.
  private func likelihood(of foreign: [Unicode.Scalar: Int], in language: Int, words: Int) -> Double {
    let own = languages[language].letters
    let others = foreign.reduce(0) { $0 + (own.contains($1.key) ? 0 : $1.value) }
    return max(0, 1 - 3 * Double(others) / Double(max(1, words)))
  }
}
