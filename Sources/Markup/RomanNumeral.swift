/// Numbers as the Romans wrote them, with one smaller letter at most before a greater one.
enum RomanNumeral {
  private static let letters = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
  ]

  /// A number in capitals; what is over 3999 as that.
  static func text(of number: Int) -> String {
    var text = ""
    var rest = min(number, 3999)
    for (value, letters) in letters {
      while rest >= value {
        text += letters
        rest -= value
      }
    }
    return text
  }

  /// Those up to 399 by their text.
  private static let values = Dictionary(uniqueKeysWithValues: (1...399).map { (text(of: $0), $0) })

  /// The number from 1 to 399 that is written so; nil for all else.
  static func value(of text: String) -> Int? { values[text] }
}
