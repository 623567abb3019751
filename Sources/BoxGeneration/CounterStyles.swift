/// The predefined counter styles (CSS Counter Styles 3, sections 6 and 7; CSS Lists 3).
enum CounterStyles {
  /// The counter's representation without prefix and suffix. A number outside a style's range, and an unknown style,
  /// are shown as decimal.
  static func representation(of value: Int32, style: String) -> String {
    let value = Int(value)
    switch style {
    case "decimal": return String(value)
    case "disc": return "•"
    case "circle": return "◦"
    case "square": return "■"
    case "disclosure-open": return "▾"
    case "disclosure-closed": return "▸"
    case "decimal-leading-zero":
      // The sign counts towards the two characters.
      return (0...9).contains(value) ? "0\(value)" : String(value)
    default: break
    }
    if let digits = numericDigits[style] {
      return style.hasPrefix("cjk-") ? chineseDigits(value) : numeric(value, digits)
    }
    if let symbols = alphabets[style] { return alphabetic(value, symbols) ?? String(value) }
    if let symbols = fixedSymbols[style] {
      let all = Array(symbols)
      return value >= 1 && value <= all.count
        ? String(all[value - 1]) : style.hasPrefix("cjk-") ? chineseDigits(value) : String(value)
    }
    if let system = additiveSystems[style] { return system.representation(of: value) ?? String(value) }
    if let system = chineseSystems[style] { return system.representation(of: value) ?? chineseDigits(value) }
    switch style {
    case "hebrew": return hebrew(value) ?? String(value)
    case "ethiopic-numeric": return ethiopic(value) ?? String(value)
    default: return String(value)
    }
  }

  /// The suffix of a marker of the style (CSS Counter Styles 3, `suffix`). A no-break space, which no line end takes
  /// away.
  static func suffix(of style: String) -> String {
    switch style {
    case "disc", "circle", "square", "disclosure-open", "disclosure-closed": return "\u{A0}"
    case "ethiopic-numeric": return "/\u{A0}"
    case "hiragana", "hiragana-iroha", "katakana", "katakana-iroha": return "、"
    case _ where style.hasPrefix("cjk-"): return "、"
    case "korean-hangul-formal", "korean-hanja-informal", "korean-hanja-formal": return ",\u{A0}"
    case _ where chineseSystems[style] != nil: return "、"
    default: return ".\u{A0}"
    }
  }

  private static func numeric(_ value: Int, _ digits: String) -> String {
    let symbols = Array(digits)
    var result = ""
    for character in String(abs(value)) { result.append(symbols[character.wholeNumberValue ?? 0]) }
    return (value < 0 ? "-" : "") + result
  }

  private static func chineseDigits(_ value: Int) -> String {
    value < 0 ? String(value) : numeric(value, "〇一二三四五六七八九")
  }

  /// The numbers that a style has of its own; others fall back.
  static func range(of style: String) -> ClosedRange<Int32> {
    if alphabets[style] != nil { return 1...Int32.max }
    if let symbols = fixedSymbols[style] { return 1...Int32(symbols.count) }
    if let system = additiveSystems[style] {
      return Int32(clamping: system.range.lowerBound)...Int32(clamping: system.range.upperBound)
    }
    if let system = chineseSystems[style] { return system.range }
    switch style {
    case "cjk-decimal": return 0...Int32.max
    case "hebrew": return 1...10999
    case "ethiopic-numeric": return 1...Int32.max
    default: return Int32.min...Int32.max
    }
  }

  private static func alphabetic(_ value: Int, _ symbols: String) -> String? {
    guard value >= 1 else { return nil }
    let letters = Array(symbols)
    var rest = value
    var result: [Character] = []
    while rest > 0 {
      rest -= 1
      result.append(letters[rest % letters.count])
      rest /= letters.count
    }
    return String(result.reversed())
  }

  /// A system that adds up weights, largest first.
  struct Additive {
    var range: ClosedRange<Int>
    var weights: [(Int, String)]

    func representation(of value: Int) -> String? {
      guard range.contains(value) else { return nil }
      if value == 0 { return weights.last.flatMap { $0.0 == 0 ? $0.1 : nil } }
      var rest = value
      var result = ""
      for (weight, symbol) in weights where weight > 0 {
        while rest >= weight {
          result += symbol
          rest -= weight
        }
      }
      return rest == 0 ? result : nil
    }
  }

  /// Chinese, Japanese and Korean numbering: digits, and markers for tens, hundreds and thousands in groups of four
  /// digits (CSS Counter Styles 3, section 7.2).
  struct Chinese {
    var digits: [Character]
    /// Ten, hundred, thousand.
    var markers: [Character]
    var negative: String
    /// A digit one before a marker is left out: always, only for ten at the start (`informal` Chinese), or never.
    enum OneElision { case always, leadingTen, never }
    var elidesOne: OneElision
    /// Runs of zeros inside are written as one zero.
    var writesZeros: Bool
    /// Ten thousand and a hundred million, as browsers go on; a style without them ends before.
    var groups: [Character] = []
    /// Between two groups.
    var separator = ""

    var range: ClosedRange<Int32> { groups.isEmpty ? -9999...9999 : -Int32.max...Int32.max }

    func representation(of value: Int) -> String? {
      guard let value = Int32(exactly: value), range.contains(value) else { return nil }
      if value == 0 { return String(digits[0]) }
      var result = value < 0 ? negative : ""
      var rest = Int(value.magnitude)
      var state = (hasDigits: false, hasZero: false)
      for (place, weight) in [(2, 100_000_000), (1, 10_000), (0, 1)] {
        let group = rest / weight
        rest %= weight
        append(group, isMarked: place > 0, to: &result, &state)
        guard place > 0, group > 0 else { continue }
        result.append(groups[place - 1])
        if rest > 0 { result += separator }
      }
      return result
    }

    /// Appends up to four digits with their markers.
    private func append(
      _ group: Int, isMarked: Bool, to result: inout String, _ state: inout (hasDigits: Bool, hasZero: Bool)
    ) {
      let places = [group / 1000, group / 100 % 10, group / 10 % 10, group % 10]
      for (index, digit) in places.enumerated() {
        let power = 3 - index
        if digit == 0 {
          state.hasZero = state.hasDigits
          continue
        }
        if state.hasZero, writesZeros { result.append(digits[0]) }
        let isDropped =
          switch elidesOne {
          case .always: digit == 1 && (power > 0 || isMarked && group == 1)
          case .leadingTen: group < 20 && power == 1 && !state.hasDigits
          case .never: false
          }
        if !isDropped { result.append(digits[digit]) }
        if power > 0 { result.append(markers[power - 1]) }
        state = (true, false)
      }
    }
  }

  private static func hebrew(_ value: Int) -> String? {
    guard value >= 1, value <= 10999 else { return nil }
    var result = ""
    var rest = value
    if rest >= 1000 {
      let thousands = rest / 1000
      result = (hebrewBelowThousand(thousands) ?? "") + "׳"
      rest %= 1000
    }
    return result + (rest == 0 ? "" : hebrewBelowThousand(rest) ?? "")
  }
  private static func hebrewBelowThousand(_ value: Int) -> String? {
    let system = Additive(
      range: 1...999,
      weights: [
        (400, "ת"), (300, "ש"), (200, "ר"), (100, "ק"), (90, "צ"), (80, "פ"), (70, "ע"), (60, "ס"), (50, "נ"),
        (40, "מ"), (30, "ל"),
        (20, "כ"), (19, "יט"), (18, "יח"), (17, "יז"), (16, "טז"), (15, "טו"), (10, "י"), (9, "ט"), (8, "ח"), (7, "ז"),
        (6, "ו"),
        (5, "ה"), (4, "ד"), (3, "ג"), (2, "ב"), (1, "א"),
      ])
    return system.representation(of: value)
  }

  private static func ethiopic(_ value: Int) -> String? {
    guard value >= 1 else { return nil }
    if value == 1 { return "፩" }
    let tens = Array("፲፳፴፵፶፷፸፹፺")
    let units = Array("፩፪፫፬፭፮፯፰፱")
    var groups: [Int] = []
    var rest = value
    while rest > 0 {
      groups.append(rest % 100)
      rest /= 100
    }
    var result = ""
    for index in groups.indices.reversed() {
      let group = groups[index]
      let isOdd = index % 2 == 1
      let hidesDigits = group == 0 || (group == 1 && index == groups.count - 1) || (group == 1 && isOdd)
      if !hidesDigits {
        if group >= 10 { result.append(tens[group / 10 - 1]) }
        if group % 10 > 0 { result.append(units[group % 10 - 1]) }
      }
      if isOdd {
        if group != 0 { result += "፻" }
      } else if index != 0 {
        result += "፼"
      }
    }
    return result
  }
}
