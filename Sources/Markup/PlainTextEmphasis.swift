/// Emphasised words of a paragraph: between signs `_`, as typists write what is to be italic.
struct PlainTextEmphasis {
  /// The signs, beginning and end by turns.
  private var places: [Int] = []
  private var passed = 0
  /// The text at hand is emphasised.
  var isOpen: Bool { passed & 1 == 1 }

  /// The longest text that is taken for emphasised, in bytes.
  private static let longest = 1000

  init(in lines: [Int], of source: PlainTextLines) {
    guard lines.contains(where: { source.text[source.lines[$0].range].contains(Self.sign) }) else { return }
    var open: Int?
    for line in lines {
      let range = source.lines[line].range
      for place in range where source.text[place] == Self.sign {
        if let start = open {
          guard !Self.isBlank(place - 1, range, source) else { continue }
          if place - start <= Self.longest { places += [start, place] }
          open = nil
        } else if !Self.endsWord(place - 1, range, source), !Self.isBlank(place + 1, range, source) {
          // One behind a letter belongs to a name.
          open = place
        }
      }
    }
  }

  /// The next sign, if it stands before `end`.
  func next(before end: Int) -> Int? { passed < places.count && places[passed] < end ? places[passed] : nil }
  mutating func pass() { passed += 1 }

  private static let sign = UInt8(ascii: "_")
  /// The character that ends at a byte is a letter, a digit or another sign.
  private static func endsWord(_ place: Int, _ range: Range<Int>, _ source: PlainTextLines) -> Bool {
    guard range.contains(place) else { return false }
    let byte = source.text[place]
    if byte >= 0x80 {
      // Dashes and quotation marks: U+2010 to U+203F.
      return !(place - 2 >= range.lowerBound && source.text[place - 2] == 0xE2 && source.text[place - 1] == 0x80)
    }
    return byte == sign || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
  private static func isBlank(_ place: Int, _ range: Range<Int>, _ source: PlainTextLines) -> Bool {
    !range.contains(place) || source.text[place] <= 0x20 || source.text[place] == sign
  }
}
