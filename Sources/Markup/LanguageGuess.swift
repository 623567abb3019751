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
      counts.latin + counts.cyrillic.count + counts.han + counts.kana + counts.hangul
      + counts.others.reduce(0) { $0 + $1.count }
    guard letters > 0 else { return "" }
    if counts.kana * 20 > counts.han + counts.kana, counts.kana * 10 > counts.latin { return "ja" }
    // Two ideographs, or two syllables, say as much as six letters.
    if counts.hangul * 3 > letters - counts.hangul { return "ko" }
    if counts.han * 3 > counts.latin, counts.han > counts.cyrillic.count {
      return counts.traditional > counts.simplified ? "zh-Hant" : "zh-Hans"
    }
    // Names, commands and addresses are in Latin letters whatever the language.
    if let other = counts.others.max(by: { $0.count < $1.count }), other.count * 3 > letters {
      return other.language == "hi" && !isHindi(utf8) ? "" : other.language
    }
    if counts.cyrillic.count * 2 > counts.latin { return counts.cyrillic.language }
    return LatinLanguages.shared.language(of: utf8.prefix(1 << 16))
  }

  /// One word in twenty is a common one: Sanskrit, Marathi and Nepali have the same letters.
  private static func isHindi(_ utf8: ArraySlice<UInt8>) -> Bool {
    var (common, words) = (0, 0)
    for word in Substring(decoding: utf8.prefix(1 << 14), as: UTF8.self).split(separator: " ") {
      words += 1
      if ["है", "हैं", "में", "का", "के", "की", "को", "और", "से", "था", "थी"].contains(word) { common += 1 }
    }
    return common * 20 >= words
  }

  private struct Counts {
    var latin = 0
    var cyrillic = CyrillicCounts()
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
      case 0x41...0x5A, 0x61...0x7A, 0xC0..<0x250, 0x1E00..<0x1F00: latin += 1
      case 0x370..<0x400: others[2].count += 1
      case 0x400..<0x530: cyrillic.add(scalar.value)
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
}

/// How often Cyrillic letters stand in a text, which tells its language.
private struct CyrillicCounts {
  private(set) var count = 0
  /// By small letter, from U+0430.
  private var letters = [Int](repeating: 0, count: 0x30)

  mutating func add(_ value: UInt32) {
    count += 1
    // Capitals stand 0x50 or 0x20 before small letters.
    let small = value < 0x410 ? value + 0x50 : value < 0x430 ? value + 0x20 : value
    if small < 0x460 { letters[Int(small) - 0x430] += 1 }
  }

  private func share(of wanted: String) -> Double {
    Double(wanted.unicodeScalars.reduce(0) { $0 + letters[Int($1.value) - 0x430] }) / Double(max(1, count))
  }

  var language: String {
    if share(of: "јљњћђџѓќ") > 0.01 { return share(of: "ѓќ") > share(of: "ћђ") ? "mk" : "sr" }
    if share(of: "ў") > 0.003 { return "be" }
    if share(of: "ы") < 0.002, share(of: "іїє") > 0.02 { return "uk" }
    if share(of: "ыэ") < 0.001, share(of: "ъ") > 0.005 { return "bg" }
    return "ru"
  }
}
