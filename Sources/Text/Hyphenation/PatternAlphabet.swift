/// The letters of the patterns of a trie, as digits from 0 to 63: the most frequent letters are one digit, others of large
/// alphabets two or three, of which the first says so.
@safe struct PatternAlphabet: @unchecked Sendable {
  /// Digits of a letter.
  static let longestLetter = 3
  /// No digit: of letters that no pattern has.
  private static let none: UInt8 = 0xFF

  /// By the upper byte of a letter: a page of `places`, from 1; 0 for none.
  private let pages: UnsafeBufferPointer<UInt8>
  /// By the lower byte: the place of the letter in the alphabet, from 1; 0 for none.
  private let places: UnsafeBufferPointer<UInt16>

  /// The alphabet that comes next in an index.
  init(_ index: PatternIndex) {
    unsafe pages = index.next(UInt8.self)
    unsafe places = index.next(UInt16.self)
  }

  /// Writes the digits of a letter; the result is how many they are.
  @inline(__always)
  func write(_ letter: UInt16, to digits: UnsafeMutablePointer<UInt8>) -> Int {
    let page = unsafe Int(pages[Int(letter >> 8)])
    let place = page == 0 ? 0 : unsafe Int(places[(page &- 1) &<< 8 &+ Int(letter & 0xFF)])
    guard place > 0 else {
      unsafe digits[0] = Self.none
      return 1
    }
    return unsafe Self.write(place - 1, to: digits)
  }

  /// Letters of one digit.
  static let singles = 60
  private static let pairs = 3 * 64
  /// Letters that have digits.
  static let capacity = singles + pairs + 64 * 64

  /// Writes the digits of the letter at a place in an alphabet, from 0.
  @inline(__always)
  static func write(_ place: Int, to digits: UnsafeMutablePointer<UInt8>) -> Int {
    if place < singles {
      unsafe digits[0] = UInt8(truncatingIfNeeded: place)
      return 1
    }
    let rest = place - singles
    if rest < pairs {
      unsafe digits[0] = UInt8(truncatingIfNeeded: singles + rest >> 6)
      unsafe digits[1] = UInt8(truncatingIfNeeded: rest & 63)
      return 2
    }
    unsafe digits[0] = 63
    unsafe digits[1] = UInt8(truncatingIfNeeded: (rest - pairs) >> 6)
    unsafe digits[2] = UInt8(truncatingIfNeeded: (rest - pairs) & 63)
    return 3
  }
}
