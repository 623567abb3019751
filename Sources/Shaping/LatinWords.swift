import Text

/// The tables by which words of Latin letters are placed that need neither shaping nor breaking.
@safe final class LatinWords {
  /// The letters and marks that a word may be set of without more ado, by `LatinUnit.index`.
  let units: UnsafePointer<LatinUnit>
  let pairs: PairTable
  /// nil for text that is not hyphenated, or does not wrap. Unmanaged, since each word would count references to it.
  let divider: Unmanaged<WordDivider>?
  /// Keeps it.
  private let ownDivider: WordDivider?

  /// - Parameter isOwn: The face of the pairs is the one that a character is taken from as it is.
  init(pairs: PairTable, divider: WordDivider?, isOwn: (UInt16) -> Bool) {
    self.pairs = pairs
    ownDivider = divider
    unsafe self.divider = unsafe divider.map { unsafe Unmanaged.passUnretained($0) }
    let units = UnsafeMutablePointer<LatinUnit>.allocate(capacity: LatinUnit.count)
    for index in 0..<LatinUnit.count {
      let unit = LatinUnit.unit(at: index)
      var made = LatinUnit()
      let kind = LatinUnit.kind(unit)
      let glyph = pairs.glyph(unit)
      if kind != 0, glyph.isPlain, isOwn(unit) {
        made.kind = kind
        made.glyph = glyph
      }
      unsafe (units + index).initialize(to: made)
    }
    unsafe self.units = unsafe UnsafePointer(units)
  }

  deinit { unsafe units.deallocate() }
}

/// A character of Latin words in which no line may break, and its glyph.
struct LatinUnit {
  /// A letter, a digit, or a mark that goes with any of these.
  static let letter: UInt8 = 1
  /// A mark of ASCII that keeps to its neighbours in ASCII words only.
  static let mark: UInt8 = 2
  /// A letter beyond ASCII or a quotation mark.
  static let other: UInt8 = 4

  static let count = 0x250 + 0x18

  /// The kind of the character; 0 when it needs the general way.
  var kind: UInt8 = 0
  var glyph = PlainGlyph.none

  /// The place of a character: U+0000 to U+024F, then U+2010 to U+2027; -1 for others.
  @inline(__always)
  static func index(_ unit: UInt16) -> Int {
    unit < 0x250 ? Int(unit) : unit &- 0x2010 < 0x18 ? 0x250 + Int(unit &- 0x2010) : -1
  }

  /// The character at a place.
  static func unit(at index: Int) -> UInt16 { UInt16(index < 0x250 ? index : index - 0x250 + 0x2010) }

  /// The kind of a character by what line breaking makes of it beside the others (`ASCIIBreaks`; UAX #14, LB13 to LB30).
  static func kind(_ unit: UInt16) -> UInt8 {
    switch unit {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x22, 0x27, 0x2C, 0x2E, 0x3A, 0x3B: letter
    case 0x21, 0x23...0x26, 0x2A, 0x2B, 0x2F, 0x3D, 0x3E, 0x40, 0x5C, 0x5E...0x60, 0x7C, 0x7E: mark
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x2018, 0x2019, 0x201C, 0x201D: other
    default: 0
    }
  }
}
