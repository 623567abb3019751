import RasterRendering

/// A CID-keyed font program (Compact Font Format, Adobe Technical Note 5176) made of outlines: one for faces of every kind,
/// variable ones and those with synthetic styles, too. Characters are named by any 16-bit numbers, so that pages can be
/// written before it is known which glyphs the book uses.
struct CompactFont {
  struct Glyph {
    /// The character identifier, not 0.
    var cid: UInt16
    /// In thousandths of an em.
    var width: Int
    var outline: [GlyphShapes.Step]
  }

  private(set) var bytes: [UInt8] = []
  /// The ink of all glyphs, in thousandths of an em: left, bottom, right, top.
  private(set) var bounds = [0, 0, 0, 0]

  /// - Parameter glyphs: In the order of their identifiers.
  init(name: String, glyphs: [Glyph]) {
    let defaultWidth = Self.mostFrequent(glyphs.map(\.width))
    var charStrings: [[UInt8]] = [CharString([], width: nil).bytes]
    var ink: (left: Int, bottom: Int, right: Int, top: Int)?
    for glyph in glyphs {
      let charString = CharString(glyph.outline, width: glyph.width == defaultWidth ? nil : glyph.width)
      charStrings.append(charString.bytes)
      guard let own = charString.bounds else { continue }
      let known = ink ?? own
      ink = (
        Swift.min(known.left, own.left), Swift.min(known.bottom, own.bottom), Swift.max(known.right, own.right),
        Swift.max(known.top, own.top)
      )
    }
    if let ink { bounds = [ink.left, ink.bottom, ink.right, ink.top] }

    let charSet = Self.charSet(glyphs.map(\.cid))
    // One range: all glyphs belong to the only font dictionary.
    let selection: [UInt8] = [3, 0, 1, 0, 0, 0] + Self.half(charStrings.count)
    var privateDictionary: [UInt8] = []
    CFFNumber.append(defaultWidth, to: &privateDictionary)
    privateDictionary += [20]

    bytes = [1, 0, 4, 4]
    bytes += Self.index([Array(name.utf8)])
    var top: [UInt8] = []
    // Strings behind the 391 standard ones.
    for value in [391, 392, 0] { CFFNumber.append(value, to: &top) }
    top += [12, 30]
    for value in bounds { CFFNumber.append(value, to: &top) }
    top += [5]
    top += Self.long(65536) + [12, 34]
    let strings = Self.index([Array("Adobe".utf8), Array("Identity".utf8)])
    // Four offsets of five bytes each behind what stands so far, with their operators.
    let topLength = top.count + 4 * 5 + 6
    let charSetOffset = bytes.count + 2 + 1 + 8 + topLength + strings.count + 2
    let selectionOffset = charSetOffset + charSet.count
    let charStringsOffset = selectionOffset + selection.count
    let charStringsIndex = Self.index(charStrings)
    let privateOffset = charStringsOffset + charStringsIndex.count
    let fontsOffset = privateOffset + privateDictionary.count
    top += Self.long(charSetOffset) + [15] + Self.long(charStringsOffset) + [17]
    top += Self.long(fontsOffset) + [12, 36] + Self.long(selectionOffset) + [12, 37]
    // An index of one element with offsets of four bytes.
    bytes += [0, 1, 4] + Self.word(1) + Self.word(topLength + 1) + top
    bytes += strings
    bytes += [0, 0]
    bytes += charSet + selection + charStringsIndex + privateDictionary
    var font: [UInt8] = []
    CFFNumber.append(privateDictionary.count, to: &font)
    font += Self.long(privateOffset) + [18]
    bytes += Self.index([font])
  }

  private static func mostFrequent(_ widths: [Int]) -> Int {
    var counts: [Int: Int] = [:]
    for width in widths { counts[width, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  /// The identifiers of all glyphs but the first, one by one or as ranges.
  private static func charSet(_ cids: [UInt16]) -> [UInt8] {
    var ranges: [(first: UInt16, rest: Int)] = []
    for cid in cids {
      if let last = ranges.last, Int(last.first) + last.rest + 1 == Int(cid) {
        ranges[ranges.count - 1].rest += 1
      } else {
        ranges.append((cid, 0))
      }
    }
    if ranges.count * 4 < cids.count * 2 {
      return [2] + ranges.flatMap { half(Int($0.first)) + half($0.rest) }
    }
    return [0] + cids.flatMap { half(Int($0)) }
  }

  private static func index(_ elements: [[UInt8]]) -> [UInt8] {
    let size = elements.reduce(1) { $0 + $1.count }
    var width = 1
    while size >> (width * 8) != 0 { width += 1 }
    var bytes = half(elements.count) + [UInt8(width)]
    var offset = 1
    func append(_ value: Int) {
      for place in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (place * 8))) }
    }
    append(offset)
    for element in elements {
      offset += element.count
      append(offset)
    }
    for element in elements { bytes += element }
    return bytes
  }

  private static func half(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
  private static func word(_ value: Int) -> [UInt8] { half(value >> 16) + half(value) }
  /// An integer of a dictionary that always takes five bytes.
  private static func long(_ value: Int) -> [UInt8] { [29] + word(value) }
}
