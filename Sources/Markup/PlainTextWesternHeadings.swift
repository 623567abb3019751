/// Headings of languages that write words apart: a word and a number (Chapter 5), a number and a word (5. Kapitel), a
/// word and one that says the number (Erstes Kapitel), or a word alone (Prologue).
extension PlainTextHeadings {
  private static let standingWords: Set<String> = [
    "prologue", "epilogue", "introduction", "preface", "foreword", "afterword", "appendix", "conclusion", "postscript",
    "prelude", "interlude", "acknowledgements", "acknowledgments", "the end",
    "пролог", "эпилог", "предисловие", "введение", "послесловие", "заключение", "от автора", "приложение",
    "prolog", "epilog", "vorwort", "nachwort", "einleitung", "préface", "épilogue", "prólogo", "epílogo",
    "prefazione", "prefacio", "prefácio", "voorwoord", "nawoord", "förord", "efterord", "forord", "esipuhe",
    "předmluva", "doslov", "przedmowa", "posłowie", "előszó", "utószó", "önsöz", "anhang",
  ]
  private static let numberWords: Set<String> = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last", "the",
    "первая", "вторая", "третья", "четвертая", "четвёртая", "пятая", "шестая", "седьмая", "восьмая", "девятая",
    "десятая", "первый", "второй", "третий", "четвертый", "пятый", "последняя", "premier", "première", "erstes",
    "zweites", "primero", "primera", "primo", "prima", "primeiro", "primeira", "primer", "primul", "întâi", "pierwszy",
    "pierwsza", "první", "prvi", "prva", "перший", "перша", "първа", "πρώτο", "unua",
  ]

  static func western(_ line: Scalars) -> PlainTextHeading? {
    guard line.count <= 90, let first = line.first, first.properties.isAlphabetic, !first.properties.isLowercase else {
      return nil
    }
    let text = String(String.UnicodeScalarView(line))
    if line.count <= 20, let heading = standing(text) { return heading }
    // Some converters put no-break spaces before numbers.
    var parts = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard var word = parts.first?.lowercased(), parts.count == 2 else { return nil }
    if PlainTextUnits.isFirst(word) {
      parts = parts[1].split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard parts.count == 2 else { return nil }
      word += " \(parts[0].lowercased())"
    }
    guard PlainTextUnits.level(of: word) != nil else { return nil }
    let rest = parts[1].drop(while: \.isWhitespace)
    let number = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    guard isNumber(number, ofAppendix: PlainTextUnits.isAppendix(word)) else { return nil }
    // “CHAPTER I, in which …” is no sentence.
    let isCapitals = parts[0].allSatisfy { !$0.isLowercase }
    return heading(word, number, rest[number.endIndex...], mayGoOn: isCapitals)
  }

  private static func standing(_ text: String) -> PlainTextHeading? {
    let trimmed = text.last == "." ? String(text.dropLast()) : text
    let word = trimmed.lowercased()
    // “PostScript” is no postscript.
    guard standingWords.contains(word), word != "the end",
      trimmed == trimmed.uppercased() || trimmed.dropFirst() == word.dropFirst()
    else { return nil }
    return PlainTextHeading(level: 1, key: word, hasTitle: true)
  }

  /// A heading by what it counts, its number and what stands behind that; nil for sentences.
  ///
  /// - Parameter mayGoOn: Small letters may follow a comma.
  static func heading(
    _ unit: String, _ number: Substring, _ rest: Substring, mayGoOn: Bool = false
  ) -> PlainTextHeading? {
    var rest = rest
    // Sections of sections have parts in their numbers.
    let parts = rest.first == "." ? rest.prefix { $0 == "." || $0.isNumber } : ""
    let hasParts = parts.contains(where: \.isNumber)
    if hasParts { rest = rest[(parts.last == "." ? parts.dropLast() : parts).endIndex...] }
    let level = PlainTextUnits.level(of: unit) ?? 1
    guard let title = title(rest, mayGoOn: mayGoOn), !hasParts || level > 0 && rest.first != "," else { return nil }
    let key = "\(unit) \(number.lowercased())\(hasParts ? parts[...] : "")"
    let value = hasParts ? nil : value(of: number, ofAppendix: PlainTextUnits.isAppendix(unit))
    return PlainTextHeading(
      level: level, key: number == "the" ? key + title : key, hasTitle: !title.isEmpty,
      count: .init(unit: unit, number: value, delimiter: rest.unicodeScalars.first))
  }

  /// The title behind a number, which may be empty; nil where a sentence goes on there.
  static func title(_ rest: Substring, mayGoOn: Bool = false) -> Substring? {
    let hasSeparator = rest.first.map { separatorsOfTitles.contains($0) } ?? false
    let title = rest.drop { separatorsOfTitles.contains($0) || $0.isWhitespace }
    guard let first = title.first, let last = title.last else { return title }
    guard hasSeparator || rest.first?.isWhitespace == true, title.count <= 70 else { return nil }
    // A title begins with a capital; “Chapter 5 says …” is a sentence.
    guard !first.isLowercase || mayGoOn && rest.first == ",", !",;".contains(last), !closesTooMuch(title) else {
      return nil
    }
    return !hasSeparator && last == "." && title.contains(" ") ? nil : title
  }

  /// What stands between a number and its title.
  static let separatorsOfTitles: Set<Character> = [".", ":", "—", "–", "-", ",", ")"]

  /// Brackets are closed that nothing opened: the line is the end of a sentence.
  private static func closesTooMuch(_ title: Substring) -> Bool {
    var open = 0
    for character in title where open >= 0 {
      if "(（[".contains(character) { open += 1 }
      if ")）]".contains(character) { open -= 1 }
    }
    return open < 0
  }

  private static func isNumber(_ word: Substring, ofAppendix isAppendix: Bool) -> Bool {
    guard !word.isEmpty, word.count <= 20 else { return false }
    if word.allSatisfy(\.isNumber) || isRoman(word) { return true }
    if isAppendix, word.count == 1, word.first?.isLowercase == false { return true }
    return word.lowercased().split(separator: "-").allSatisfy { numberWords.contains(String($0)) }
  }

  private static func isRoman(_ word: Substring) -> Bool {
    word.allSatisfy { "IVXLCDM".contains($0) } || word.allSatisfy { "ivxlcdm".contains($0) }
  }

  /// The value of digits, of a Roman number, or of an appendix's letter.
  static func value(of number: Substring, ofAppendix isAppendix: Bool = false) -> Int? {
    if number.allSatisfy(\.isNumber) {
      return number.count <= 6 ? number.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) } : nil
    }
    if isAppendix, number.count == 1, let letter = number.unicodeScalars.first, !"IVX".unicodeScalars.contains(letter) {
      return Int(letter.value & 0x1F)
    }
    return RomanNumeral.value(of: number.uppercased())
  }
}
