/// The letters of the patterns of a trie, as digits from 0 to 63: the most frequent letters are one digit, others of large
/// alphabets two or three, of which the first says so.
struct PatternAlphabet: ~Escapable {
  /// Digits of a letter.
  static let longestLetter = 3
  /// No digit: of letters that no pattern has.
  private static let none: UInt8 = 0xFF

  /// By the upper byte of a letter: a page of `places`, from 1; 0 for none.
  private let pages: Span<UInt8>
  /// By the lower byte: the place of the letter in the alphabet, from 1; 0 for none.
  private let places: Span<UInt16>

  @_lifetime(copy pages, copy places)
  init(pages: Span<UInt8>, places: Span<UInt16>) {
    self.pages = pages
    self.places = places
  }

  /// Writes the digits of a letter; the result is how many they are.
  @inline(__always)
  func write(_ letter: UInt16, to digits: inout MutableSpan<UInt8>, at index: Int) -> Int {
    let page = Int(pages[Int(letter >> 8)])
    let place = page == 0 ? 0 : Int(places[(page &- 1) &<< 8 &+ Int(letter & 0xFF)])
    guard place > 0 else {
      digits[index] = Self.none
      return 1
    }
    return Self.write(place - 1, to: &digits, at: index)
  }

  /// Letters of one digit.
  static let singles = 60
  private static let pairs = 3 * 64
  /// Letters that have digits.
  static let capacity = singles + pairs + 64 * 64

  /// Writes the digits of the letter at a place in an alphabet, from 0.
  @inline(__always)
  static func write(_ place: Int, to digits: inout MutableSpan<UInt8>, at index: Int) -> Int {
    if place < singles {
      digits[index] = UInt8(truncatingIfNeeded: place)
      return 1
    }
    let rest = place - singles
    if rest < pairs {
      digits[index] = UInt8(truncatingIfNeeded: singles + rest >> 6)
      digits[index + 1] = UInt8(truncatingIfNeeded: rest & 63)
      return 2
    }
    digits[index] = 63
    digits[index + 1] = UInt8(truncatingIfNeeded: (rest - pairs) >> 6)
    digits[index + 2] = UInt8(truncatingIfNeeded: (rest - pairs) & 63)
    return 3
  }
}
