import RasterRendering

/// A font of a PDF file whose glyphs are drawn as outlines (ISO 32000-1, sections 9.6 and 9.7).
struct DrawingFont {
  private let program: FontProgram
  /// Codes have two bytes, and are glyph numbers.
  private let isComposite: Bool
  /// By code: the advance in thousandths of an em.
  private var widths: [Int: Double] = [:]
  private var defaultWidth = 0.0
  /// By code: the operators that fill the glyph, in thousandths of an em.
  private var paths: [Int: [UInt8]] = [:]

  /// Fails for fonts whose codes cannot be told from their dictionary, and for those of pictures.
  init?(_ font: PDFValue, in file: ParsedPDF) {
    let isComposite = font["Subtype"]?.isName("Type0") == true
    self.isComposite = isComposite
    guard font["Encoding"]?.isName(isComposite ? "Identity-H" : "WinAnsiEncoding") == true else { return nil }
    let holder = isComposite ? file.resolved(file.resolved(font["DescendantFonts"])?.elements?.first) : font
    guard let holder, let descriptor = file.resolved(holder["FontDescriptor"]) else { return nil }
    if let map = holder["CIDToGIDMap"], !map.isName("Identity") { return nil }
    let stream = descriptor["FontFile2"] ?? descriptor["FontFile3"] ?? descriptor["FontFile"]
    guard let data = file.stream(stream), let program = FontProgram(data) else { return nil }
    self.program = program
    if isComposite {
      defaultWidth = holder["DW"]?.number ?? 1000
      var elements = file.resolved(holder["W"])?.elements?[...] ?? []
      while let first = elements.popFirst()?.number.flatMap({ UInt16(exactly: $0) }) {
        // The first of some codes and the widths of all; ranges of one width are not cairo's.
        guard let list = elements.popFirst()?.elements else { return nil }
        for (index, width) in list.enumerated() { widths[Int(first) + index] = width.number }
      }
    } else {
      let first = font["FirstChar"]?.number.flatMap { UInt16(exactly: $0) } ?? 0
      for (index, width) in (file.resolved(font["Widths"])?.elements ?? []).enumerated() {
        widths[Int(first) + index] = width.number
      }
    }
  }

  func codes(_ string: [UInt8]) -> [Int] {
    guard isComposite else { return string.map { Int($0) } }
    return stride(from: 0, to: string.count - 1, by: 2).map { Int(string[$0]) << 8 | Int(string[$0 + 1]) }
  }

  func width(of code: Int) -> Double { widths[code] ?? defaultWidth }

  mutating func path(of code: Int) -> [UInt8] {
    if let known = paths[code] { return known }
    let glyph = isComposite ? UInt32(code) : program.glyph(of: Self.scalar(UInt8(truncatingIfNeeded: code)))
    let path = GlyphPath(program.outline(of: glyph)).operators.bytes
    paths[code] = path
    return path
  }

  /// The character of a code of `WinAnsiEncoding` (annex D).
  private static func scalar(_ code: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(code) else { return Unicode.Scalar(code) }
    let others: [UInt16] = [
      0x20AC, 0x2022, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x2022,
      0x017D, 0x2022, 0x2022, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
      0x0153, 0x2022, 0x017E, 0x0178,
    ]
    return Unicode.Scalar(others[Int(code - 0x80)]) ?? "\u{2022}"
  }
}
