/// The file of the last-resort face, drawn when it is first needed: TrueType outlines (OpenType 1.9, "Font Tables").
///
/// A box is made of several glyphs, so that few show any code point: a frame one em wide, and hexadecimal digits of
/// straight bars, wide ones for code points of four digits and narrow ones for six. Beside them the face has what lines
/// cannot do without: spaces, the hyphen, and the full stop for ellipses.
struct LastResortFile {
  private struct Bar {
    var left: Int16
    var bottom: Int16
    var right: Int16
    var top: Int16
  }

  /// Outer contours, and the holes in them.
  private struct Glyph {
    var advance: Int16
    var bars: [Bar] = []
    var holes: [Bar] = []
  }

  private static let unitsPerEm: Int16 = 1000
  private static let ascent: Int16 = 880
  private static let descent: Int16 = -120
  private static let digitHeight: Int16 = 300
  private static let stroke: Int16 = 60

  /// By glyph id: those that `LastResort` names.
  private let glyphs: [Glyph]
  private static let space = 1
  private static let hyphen = 2

  static var bytes: [UInt8] { LastResortFile().file }

  private init() {
    let frame = Glyph(
      advance: Self.unitsPerEm, bars: [Bar(left: 60, bottom: -60, right: 940, top: 820)],
      holes: [Bar(left: 100, bottom: -20, right: 900, top: 780)])
    var glyphs = [
      frame, Glyph(advance: 250), Glyph(advance: 350, bars: [Bar(left: 50, bottom: 250, right: 300, top: 310)]), frame,
    ]
    for (width, stroke) in [(300, 60), (200, 40)] as [(Int16, Int16)] {
      glyphs += Self.digits.map { Self.digit($0, width: width, stroke: stroke) }
    }
    glyphs.append(Glyph(advance: 250, bars: [Bar(left: 80, bottom: 0, right: 170, top: 90)]))
    self.glyphs = glyphs
  }

  // MARK: Digits

  /// The bars of each digit: a, d and g are the upper, middle and lower horizontal ones; b and c the upper vertical
  /// ones, left and right, e and f the lower ones.
  private static let digits: [StaticString] = [
    "abcefg", "cf", "acdeg", "acdfg", "bcdf", "abdfg", "abdefg", "acf", "abcdefg", "abcdfg", "abcdef", "bdefg", "abeg",
    "cdefg", "abdeg", "abde",
  ]

  /// - Parameter stroke: How wide the upright bars are.
  private static func digit(_ names: StaticString, width: Int16, stroke: Int16) -> Glyph {
    let height = digitHeight
    let middle = (height - Self.stroke) / 2
    return Glyph(
      advance: width,
      bars: names.description.utf8.map { name in
        let isLeft = name == UInt8(ascii: "b") || name == UInt8(ascii: "e")
        let (left, right) = isLeft ? (0, stroke) : (width - stroke, width)
        switch name {
        case UInt8(ascii: "a"): return Bar(left: 0, bottom: height - Self.stroke, right: width, top: height)
        case UInt8(ascii: "d"): return Bar(left: 0, bottom: middle, right: width, top: middle + Self.stroke)
        case UInt8(ascii: "g"): return Bar(left: 0, bottom: 0, right: width, top: Self.stroke)
        case UInt8(ascii: "b"), UInt8(ascii: "c"): return Bar(left: left, bottom: middle, right: right, top: height)
        default: return Bar(left: left, bottom: 0, right: right, top: middle + Self.stroke)
        }
      })
  }

  // MARK: Tables

  /// The bounds of a glyph's ink; all zero for one without.
  private static func bounds(_ glyph: Glyph) -> Bar {
    Bar(
      left: glyph.bars.map(\.left).min() ?? 0, bottom: glyph.bars.map(\.bottom).min() ?? 0,
      right: glyph.bars.map(\.right).max() ?? 0, top: glyph.bars.map(\.top).max() ?? 0)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  private static func appendHalves(_ values: [Int16], to bytes: inout [UInt8]) {
    for value in values { append(value, to: &bytes) }
  }

  private static func appendWords(_ values: [UInt32], to bytes: inout [UInt8]) {
    for value in values { append(value, to: &bytes) }
  }

  private static func table(_ values: [Int16]) -> [UInt8] {
    var bytes: [UInt8] = []
    appendHalves(values, to: &bytes)
    return bytes
  }

  /// All points of a glyph are on the curve, and their distances two bytes long.
  private static func outline(_ glyph: Glyph) -> [UInt8] {
    guard !glyph.bars.isEmpty else { return [] }
    // Clockwise, and holes the other way round.
    let contours =
      glyph.bars.map { [($0.left, $0.bottom), ($0.left, $0.top), ($0.right, $0.top), ($0.right, $0.bottom)] }
      + glyph.holes.map { [($0.right, $0.bottom), ($0.right, $0.top), ($0.left, $0.top), ($0.left, $0.bottom)] }
    let ink = bounds(glyph)
    var bytes = table([Int16(contours.count), ink.left, ink.bottom, ink.right, ink.top])
    appendHalves(contours.indices.map { Int16($0 * 4 + 3) }, to: &bytes)
    appendHalves([0], to: &bytes)
    let points = contours.flatMap { $0 }
    bytes += points.map { _ in 1 }
    func distances(_ values: [Int16]) -> [Int16] { zip(values, [0] + values).map { $0 - $1 } }
    appendHalves(distances(points.map(\.0)), to: &bytes)
    appendHalves(distances(points.map(\.1)), to: &bytes)
    return bytes
  }

  private var head: [UInt8] {
    let ink = glyphs.map(Self.bounds)
    var bytes: [UInt8] = []
    // Version, revision, the adjustment of the file's sum, the magic number.
    Self.appendWords([0x0001_0000, 0x0001_0000, 0, 0x5F0F_3CF5], to: &bytes)
    Self.appendHalves([3, Self.unitsPerEm], to: &bytes)
    // When it was made and changed.
    Self.appendWords([0, 0, 0, 0], to: &bytes)
    Self.appendHalves(
      [
        ink.map(\.left).min() ?? 0, ink.map(\.bottom).min() ?? 0, ink.map(\.right).max() ?? 0,
        ink.map(\.top).max() ?? 0, 0, 3, 2, 1, 0,
      ], to: &bytes)
    return bytes
  }

  private var hhea: [UInt8] {
    let widest = glyphs.map(\.advance).max() ?? 0
    return Self.table([
      1, 0, Self.ascent, Self.descent, 0, widest, 0, 0, 940, 1, 0, 0, 0, 0, 0, 0, 0, Int16(glyphs.count),
    ])
  }

  private var maxp: [UInt8] {
    let contours = glyphs.map { Int16($0.bars.count + $0.holes.count) }.max() ?? 0
    return Self.table([1, 0, Int16(glyphs.count), contours * 4, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  private var os2: [UInt8] {
    var bytes = Self.table([
      // Version, mean advance, weight, width, rights to embed; subscripts, superscripts and strike-outs; class.
      3, 293, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0, 0, 0, 0, 0, 0,
    ])
    // Ranges of Unicode, and the vendor.
    Self.appendWords([1, 0, 0, 0, 0x2020_2020], to: &bytes)
    Self.appendHalves(
      [0x40, 0x20, 0x2011, Self.ascent, Self.descent, 0, Self.ascent, -Self.descent, 0, 0, 0, 0, 500, 700, 0, 0x20, 0],
      to: &bytes)
    return bytes
  }

  /// A subtable of format 12.
  private var cmap: [UInt8] {
    let period = glyphs.count - 1
    let mapped: [(scalar: UInt32, glyph: Int)] = [
      (0x20, Self.space), (0x2D, Self.hyphen), (0x2E, period), (0xA0, Self.space), (0x2010, Self.hyphen),
      (0x2011, Self.hyphen),
    ]
    var bytes = Self.table([0, 1, 3, 10])
    Self.appendWords([12], to: &bytes)
    Self.appendHalves([12, 0], to: &bytes)
    Self.appendWords([16 + 12 * UInt32(mapped.count), 0, UInt32(mapped.count)], to: &bytes)
    for (scalar, glyph) in mapped { Self.appendWords([scalar, scalar, UInt32(glyph)], to: &bytes) }
    return bytes
  }

  private static var name: [UInt8] {
    let names: [(id: Int16, text: String)] = [(1, LastResort.familyName), (2, "Regular"), (6, "LastResort")]
    var records = table([0, Int16(names.count), 6 + 12 * Int16(names.count)])
    var text: [UInt8] = []
    for (id, name) in names {
      // Windows, UTF-16, English of the United States.
      appendHalves([3, 1, 0x409, id, Int16(name.utf16.count * 2), Int16(text.count)], to: &records)
      appendHalves(name.utf16.map(Int16.init), to: &text)
    }
    return records + text
  }

  private static var post: [UInt8] {
    var bytes: [UInt8] = []
    appendWords([0x0003_0000, 0], to: &bytes)
    appendHalves([-100, 50], to: &bytes)
    appendWords([0, 0, 0, 0, 0], to: &bytes)
    return bytes
  }

  // MARK: The file

  private var file: [UInt8] {
    var glyf: [UInt8] = []
    var loca: [UInt32] = [0]
    for glyph in glyphs {
      glyf += Self.outline(glyph)
      glyf += repeatElement(0, count: -glyf.count & 3)
      loca.append(UInt32(glyf.count))
    }
    var places: [UInt8] = []
    Self.appendWords(loca, to: &places)
    var hmtx: [UInt8] = []
    for glyph in glyphs { Self.appendHalves([glyph.advance, Self.bounds(glyph).left], to: &hmtx) }
    // In the order of their tags.
    return Self.file([
      ("OS/2", os2), ("cmap", cmap), ("glyf", glyf), ("head", head), ("hhea", hhea), ("hmtx", hmtx), ("loca", places),
      ("maxp", maxp), ("name", Self.name), ("post", Self.post),
    ])
  }

  private static func sum(_ bytes: some Collection<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for (index, byte) in bytes.enumerated() { sum &+= UInt32(byte) << UInt32(24 - index % 4 * 8) }
    return sum
  }

  private static func file(_ tables: [(tag: StaticString, bytes: [UInt8])]) -> [UInt8] {
    let power = Int.bitWidth - 1 - tables.count.leadingZeroBitCount
    var bytes: [UInt8] = []
    appendWords([0x0001_0000], to: &bytes)
    let searched = 16 << power
    appendHalves([tables.count, searched, power, tables.count * 16 - searched].map(Int16.init), to: &bytes)
    var body: [UInt8] = []
    var headPlace = 0
    let start = 12 + 16 * tables.count
    for (tag, table) in tables {
      bytes += tag.description.utf8
      appendWords([sum(table), UInt32(start + body.count), UInt32(table.count)], to: &bytes)
      if tag.description == "head" { headPlace = start + body.count }
      body += table
      body += repeatElement(0, count: -body.count & 3)
    }
    bytes += body
    var adjustment: [UInt8] = []
    appendWords([0xB1B0_AFBA &- sum(bytes)], to: &adjustment)
    bytes.replaceSubrange(headPlace + 8..<headPlace + 12, with: adjustment)
    return bytes
  }
}
