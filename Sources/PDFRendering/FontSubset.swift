import Fonts
import Platform
import Primitives
import RasterRendering

/// The part of a face that a book uses, as a composite font (ISO 32000-1, section 9.7). Codes are the face's own glyph numbers,
/// so that pages need not wait for each other.
struct FontSubset {
  /// The text of a code by itself, in UTF-16.
  private(set) var texts: [UInt16: [UInt16]] = [:]
  /// Codes of glyphs that are drawn, and those of glyphs that no page draws.
  private var codes: Set<UInt16> = []
  private var unseenCodes: Set<UInt16> = []
  let face: FontFace
  /// The font for horizontal lines and that for vertical ones.
  var horizontal: PDFObjectID?
  var vertical: PDFObjectID?

  /// The code for glyph 0, which no page may name.
  static let missingGlyphCode: UInt16 = 0xFFFE

  init(face: FontFace) { self.face = face }

  mutating func add(_ codes: [UInt16], unseen: [UInt16], _ texts: [UInt16: [UInt16]]) {
    self.codes.formUnion(codes)
    unseenCodes.formUnion(unseen)
    self.texts.merge(texts) { known, _ in known }
  }

  /// The codes of a page stand for what they stood for before.
  func agrees(with texts: [UInt16: [UInt16]]) -> Bool {
    texts.allSatisfy { code, text in self.texts[code].map { $0 == text } ?? true }
  }

  /// The advance of a glyph in thousandths of an em, to two decimals.
  static func width(of glyph: UInt16, in face: FontFace) -> Double {
    (Double(face.advance(glyph)) * 100_000 / Double(Swift.max(1, face.unitsPerEm))).rounded() / 100
  }

  static func glyph(of code: UInt16) -> UInt16 { code == missingGlyphCode ? 0 : code }

  /// Writes the fonts, with their program and the characters of their codes.
  ///
  /// - Parameter shapes: The outlines of glyphs; nil leaves them out.
  func write(to file: inout PDFFile, shapes: GlyphShapes?) {
    let sorted = codes.union(unseenCodes).sorted()
    let name = Self.tag(sorted) + "+" + postScriptName
    let glyphs = sorted.map { code in
      let glyph = Self.glyph(of: code)
      return CompactFont.Glyph(
        cid: code, width: Int(Self.width(of: glyph, in: face).rounded()),
        // The text of a face that may not be embedded is unseen, over outlines that are drawn.
        outline: face.isEmbeddable && codes.contains(code) ? shapes?.outline(of: glyph, in: face.id) ?? [] : [])
    }
    let program = CompactFont(name: name, glyphs: glyphs)
    let stream = file.allocate()
    file.add(stream: program.bytes, PDFBytes("/Subtype/CIDFontType0C"), as: stream)
    let descriptor = file.add(descriptor(name: name, program: stream, bounds: program.bounds))
    let descendant = file.add(descendant(name: name, descriptor: descriptor, sorted))
    let map = file.allocate()
    file.add(stream: CharacterMap.bytes(sorted.map { ($0, text(of: $0)) }), as: map)
    for (id, isVertical) in [(horizontal, false), (vertical, true)] {
      guard let id else { continue }
      var font = PDFBytes("<</Type/Font/Subtype/Type0/BaseFont")
      font.name(name)
      font.raw(isVertical ? "/Encoding/Identity-V" : "/Encoding/Identity-H")
      font.raw("/DescendantFonts[")
      font.reference(descendant)
      font.raw("]/ToUnicode")
      font.reference(map)
      font.raw(">>")
      file.add(font, as: id)
    }
  }

  private func descriptor(name: String, program: PDFObjectID, bounds: [Int]) -> PDFBytes {
    let em = Double(Swift.max(1, face.metrics.unitsPerEm))
    var bytes = PDFBytes("<</Type/FontDescriptor/FontName")
    bytes.name(name)
    bytes.raw("/Flags")
    bytes.integer(4 | (face.isMonospace ? 1 : 0) | (face.slant == .normal && !face.isSyntheticOblique ? 0 : 64))
    bytes.raw("/FontBBox[")
    for value in bounds { bytes.integer(value) }
    bytes.raw("]/ItalicAngle")
    bytes.integer(face.slant == .normal && !face.isSyntheticOblique ? 0 : -12)
    bytes.raw("/Ascent")
    bytes.integer(Int((Double(face.metrics.ascent) * 1000 / em).rounded()))
    bytes.raw("/Descent")
    bytes.integer(-Int((Double(face.metrics.descent) * 1000 / em).rounded()))
    bytes.raw("/CapHeight 700/StemV")
    bytes.integer(50 + Int(face.weight) / 8)
    bytes.raw("/FontFile3")
    bytes.reference(program)
    bytes.raw(">>")
    return bytes
  }

  private func descendant(name: String, descriptor: PDFObjectID, _ codes: [UInt16]) -> PDFBytes {
    var bytes = PDFBytes("<</Type/Font/Subtype/CIDFontType0/BaseFont")
    bytes.name(name)
    bytes.raw("/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor")
    bytes.reference(descriptor)
    // The default is 1000, which most ideographs have.
    bytes.raw("/W[")
    var last = -2
    for code in codes {
      let width = Self.width(of: Self.glyph(of: code), in: face)
      if width == 1000 { continue }
      if Int(code) != last + 1 {
        if last >= 0 { bytes.raw("]") }
        bytes.integer(Int(code))
        bytes.raw("[")
      }
      bytes.real(width, decimals: 2)
      last = Int(code)
    }
    if last >= 0 { bytes.raw("]") }
    bytes.raw("]>>")
    return bytes
  }

  /// The text that a code is copied as where no text of the book is known for it.
  private func text(of code: UInt16) -> [UInt16] {
    if let known = texts[code], let first = known.first, first != 0, first != 0xFEFF { return known }
    return face.scalar(ofGlyph: Self.glyph(of: code)).map { Array(String($0).utf16) } ?? [0xFFFD]
  }

  /// Six letters that say which part of the face it is (section 9.6.4).
  private static func tag(_ codes: [UInt16]) -> String {
    var hasher = StableHasher()
    for code in codes { hasher.combine(UInt64(code)) }
    var hash = hasher.value
    return String(
      (0..<6).map { _ -> Character in
        defer { hash /= 26 }
        return Character(Unicode.Scalar(UInt8(0x41 + hash % 26)))
      })
  }

  private var postScriptName: String {
    let name = (face.familyName + "-" + face.styleName).filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
    }
    return name == "-" ? "Font" : name
  }
}

/// The character map that tells text from codes (ISO 32000-1, section 9.10.3).
enum CharacterMap {
  static func bytes(_ characters: [(code: UInt16, text: [UInt16])]) -> [UInt8] {
    var bytes = PDFBytes(
      """
      /CIDInit/ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def
      /CMapName/Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000><FFFF>
      endcodespacerange

      """)
    let ranges = Self.ranges(characters)
    section(ranges.filter { $0.count > 1 }, "range", to: &bytes)
    section(ranges.filter { $0.count == 1 }, "char", to: &bytes)
    bytes.raw(
      """
      endcmap
      CMapName currentdict/CMap defineresource pop
      end
      end

      """)
    return bytes.bytes
  }

  /// Codes that follow each other, and so do their characters. The last byte alone may count in a range.
  private static func ranges(_ characters: [(code: UInt16, text: [UInt16])]) -> [(
    first: UInt16, text: [UInt16], count: Int
  )] {
    var ranges: [(first: UInt16, text: [UInt16], count: Int)] = []
    for (code, text) in characters {
      if let last = ranges.last, text.count == 1, last.text.count == 1, Int(code) == Int(last.first) + last.count,
        Int(text[0]) == Int(last.text[0]) + last.count, code >> 8 == last.first >> 8, text[0] >> 8 == last.text[0] >> 8
      {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((code, text, 1))
      }
    }
    return ranges
  }

  private static func section(
    _ ranges: [(first: UInt16, text: [UInt16], count: Int)], _ kind: StaticString, to bytes: inout PDFBytes
  ) {
    var start = 0
    while start < ranges.count {
      let part = ranges[start..<Swift.min(start + 100, ranges.count)]
      start += part.count
      bytes.integer(part.count)
      bytes.raw(" beginbf")
      bytes.raw(kind)
      bytes.raw("\n")
      for range in part {
        bytes.hexadecimal([range.first])
        if range.count > 1 {
          bytes.raw(" ")
          bytes.hexadecimal([range.first + UInt16(range.count - 1)])
        }
        // Some readers want the target apart.
        bytes.raw(" ")
        bytes.hexadecimal(range.text)
        bytes.raw("\n")
      }
      bytes.raw("endbf")
      bytes.raw(kind)
      bytes.raw("\n")
    }
  }
}
