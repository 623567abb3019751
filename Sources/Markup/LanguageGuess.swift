extension Document {
  /// The language that the document's text looks like, a BCP 47 tag; empty when nothing can be told.
  package func guessedLanguage() -> String {
    var sample: [UInt8] = []
    for node in nodes where node.kind == .text {
      sample += bytes(node.range)
      if sample.count > 1 << 16 { break }
    }
    return LanguageGuess.language(of: sample[...])
  }
}

/// Guesses the language of a text from its characters and commonest words.
package enum LanguageGuess {
  /// A BCP 47 tag, empty when nothing can be told.
  package static func language(of utf8: ArraySlice<UInt8>) -> String {
    var counts = Counts()
    for scalar in Substring(decoding: utf8, as: UTF8.self).unicodeScalars { counts.add(scalar) }
    let letters =
      counts.latin + counts.cyrillic + counts.han + counts.kana + counts.hangul
      + counts.others.reduce(0) { $0 + $1.count }
    guard letters > 0 else { return "" }
    if counts.kana * 20 > counts.han + counts.kana, counts.kana * 10 > counts.latin { return "ja" }
    if counts.hangul * 3 > letters { return "ko" }
    // Two ideographs say as much as six letters.
    if counts.han * 3 > counts.latin, counts.han > counts.cyrillic {
      return counts.traditional > counts.simplified ? "zh-Hant" : "zh-Hans"
    }
    if let other = counts.others.max(by: { $0.count < $1.count }), other.count * 2 > letters { return other.language }
    if counts.cyrillic > counts.latin { return counts.ukrainian * 50 > counts.cyrillic ? "uk" : "ru" }
    return latin(utf8)
  }

  private struct Counts {
    var latin = 0
    var cyrillic = 0
    var ukrainian = 0
    var han = 0
    var simplified = 0
    var traditional = 0
    var kana = 0
    var hangul = 0
    var others: [(language: String, count: Int)] = [
      ("ar", 0), ("he", 0), ("el", 0), ("th", 0), ("hi", 0), ("ka", 0), ("hy", 0),
    ]

    mutating func add(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0xC0..<0x250: latin += 1
      case 0x370..<0x400: others[2].count += 1
      case 0x400..<0x530:
        cyrillic += 1
        if [0x0404, 0x0406, 0x0407, 0x0454, 0x0456, 0x0457].contains(scalar.value) { ukrainian += 1 }
      case 0x530..<0x590: others[6].count += 1
      case 0x590..<0x600: others[1].count += 1
      case 0x600..<0x780: others[0].count += 1
      case 0x900..<0x980: others[4].count += 1
      case 0xE00..<0xE80: others[3].count += 1
      case 0x10A0..<0x1100: others[5].count += 1
      case 0x3041..<0x3100: kana += 1
      case 0x4E00..<0xA000:
        han += 1
        if LanguageGuess.simplified.contains(scalar) { simplified += 1 }
        if LanguageGuess.traditional.contains(scalar) { traditional += 1 }
      case 0xAC00..<0xD7A4: hangul += 1
      default: break
      }
    }
  }

  private static let simplified = Set("们国来这说时为个对过会后还学见问门东车书马头长开无从关实现发当样动点话进两将应让气应体声买卖红给经统义乐云万与亲义".unicodeScalars)
  private static let traditional = Set("們國來這說時為個對過會後還學見問門東車書馬頭長開無從關實現發當樣動點話進兩將應讓氣體聲買賣紅給經統義樂雲萬與親".unicodeScalars)

  private static func latin(_ utf8: ArraySlice<UInt8>) -> String {
    let stopWords: [(String, Set<String>)] = [
      ("en", ["the", "and", "of", "to", "was", "that", "with", "his", "you"]),
      ("fr", ["le", "la", "les", "et", "des", "une", "est", "que", "dans"]),
      ("de", ["der", "die", "und", "das", "nicht", "ich", "ein", "mit", "den"]),
      ("es", ["el", "los", "las", "que", "y", "una", "por", "con", "del"]),
      ("it", ["il", "che", "di", "non", "una", "per", "gli", "della", "è"]),
      ("pt", ["o", "os", "que", "não", "uma", "com", "da", "do", "em"]),
      ("pl", ["i", "się", "nie", "na", "jest", "że", "do", "jak", "to"]),
    ]
    var scores = [Int](repeating: 0, count: stopWords.count)
    var words = 0
    for word in Substring(decoding: utf8.prefix(1 << 16), as: UTF8.self).split(whereSeparator: { !$0.isLetter }) {
      words += 1
      let word = word.lowercased()
      for index in stopWords.indices where stopWords[index].1.contains(word) { scores[index] += 1 }
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] * 12 > words else { return "" }
    return stopWords[best].0
  }
}
