import CFreeType
import CHarfBuzz
import CSS
import Foundation
import Primitives
import TestSupport
import Testing
import Text

@testable import Fonts
@testable import RasterRendering
@testable import Shaping

/// Unicode's text rendering tests, where they lie beside the package: glyphs, places and outlines of 744 texts.
@Suite struct TextRenderingTests {
  private static let folder = URL(filePath: SharedData.path("conformance/text-rendering"), directoryHint: .isDirectory)
  private static var isPresent: Bool { SharedData.isThere("conformance/text-rendering") }

  private struct Case: Decodable {
    var id: String
    var font: String
    var text: String
    var `var`: String?
    var glyphs: [Glyph]
    var outlines: [String: String]
  }

  /// `[name, x, y]`
  private struct Glyph: Decodable, CustomStringConvertible {
    var name: String
    var x: Double
    var y: Double

    init(name: String, x: Double, y: Double) {
      self.name = name
      self.x = x
      self.y = y
    }
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      name = try container.decode(String.self)
      x = try container.decode(Double.self)
      y = try container.decode(Double.self)
    }
    var description: String { "\(name)@\(Int(x.rounded())),\(Int(y.rounded()))" }
    func isNear(_ other: Glyph) -> Bool { name == other.name && abs(x - other.x) <= 1 && abs(y - other.y) <= 1 }
  }

  /// Cases that are not expected to agree, by the start of their id, with the reason.
  private static let exceptions: [(prefix: String, reason: String)] = [
    (
      "CMAP-1/4", "a variation sequence that the font lacks is drawn without the selector, which HarfBuzz gives a space"
    ),
    ("CMAP-3/", "HarfBuzz reads no cmap of the Mac platform but the Roman one"),
    ("SHKNDA-3/31", "a joiner at the end has no glyph with us"),
    ("SHLANA-", "HarfBuzz shapes Tai Tham by its general rules of South-East Asia, with dotted circles"),
  ]

  @Test(.enabled(if: isPresent, "the conformance data are not beside the project"))
  func `Glyphs and outlines are those of the face`() throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "cases.json"))
    let cases = try JSONDecoder().decode([Case].self, from: data)
    let library = FontLibrary(usesSystemFonts: false)
    let faces = GlyphFaces(fonts: library)
    var failures: [String] = []
    var tolerated: Set<String> = []
    var unsupported = 0
    for item in cases {
      guard let problem = try check(item, library, faces) else { continue }
      if let known = Self.exceptions.first(where: { item.id.hasPrefix($0.prefix) }) {
        tolerated.insert(known.prefix)
        unsupported += 1
      } else {
        failures.append("\(item.id) \(item.font): \(problem)")
      }
    }
    print("text rendering: \(cases.count - failures.count - unsupported) of \(cases.count) cases, not supported:")
    for (prefix, reason) in Self.exceptions { print("  \(prefix): \(reason)") }
    #expect(failures.isEmpty, "\(failures.count) of \(cases.count):\n\(failures.joined(separator: "\n"))")
    #expect(tolerated.count == Self.exceptions.count, "an exception is no longer needed")
  }

  private func check(_ item: Case, _ library: FontLibrary, _ faces: GlyphFaces) throws -> String? {
    let url = Self.folder.appending(path: item.font)
    let rule = FontFaceDefinition(
      family: "Test", sources: [.data(key: item.font) { try? [UInt8](Data(contentsOf: url)) }])
    let settings = (item.var ?? "").split(separator: ";").compactMap { part -> FontSetting? in
      let fields = part.split(separator: ":")
      guard fields.count == 2, let value = Float(fields[1]) else { return nil }
      let tag = Array(fields[0].utf8) + [UInt8](repeating: 0x20, count: 4 - fields[0].utf8.count)
      return FontSetting(tag: tag.reduce(0) { $0 << 8 | UInt32($1) }, value: value)
    }
    let shaper = Shaper(fonts: FontBook(library: library, rules: [rule]), settings: ShapingSettings())
    var store = AttributedTextStore()
    store.attributes.fonts.append(
      FontRequest(
        description: FontDescription(families: [.named("Test")], variations: settings), size: FontSize()))
    var attributes = TextAttributes()
    attributes.shaping = store.attributes.shaping.intern(ShapingAttributes())
    let id = store.attributes.attributes.intern(attributes)
    store.units = Array(item.text.utf16)
    store.runs = [Run(end: UInt32(store.units.count), attributes: id, kind: .text)]
    store.texts = [
      AttributedText(
        units: 0..<store.units.count, runs: 0..<1, source: 0..<0, direction: nil, needsBidi: true, isSimple: false)
    ]
    var shaped = ShapedText()
    shaper.shape(TextID(0), in: store, into: &shaped)
    guard let font = shaped.runs.first?.font, let face = library.face(font) else { return "the font is not used" }

    var found: [Glyph] = []
    var pen = 0.0
    let scale = 1000 / Double(face.unitsPerEm)
    var name = [CChar](repeating: 0, count: 128)
    for run in Bidi.visualOrder(levels: shaped.runs.map(\.level)).map({ shaped.runs[$0] }) {
      for cluster in run.level & 1 == 1 ? Array(run.clusters.reversed()) : Array(run.clusters) {
        for glyph in shaped.glyphs[Int(shaped.clusters[cluster].glyph)..<Int(shaped.clusters[cluster + 1].glyph)] {
          hb_font_glyph_to_string(face.hbFont.pointer, UInt32(glyph.id), &name, UInt32(name.count))
          found.append(
            Glyph(
              name: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
              x: (pen + Double(glyph.xOffset)) * scale, y: Double(glyph.yOffset) * scale))
          if let problem = outline(glyph.id, named: found[found.count - 1].name, font, item, faces) { return problem }
          pen += Double(glyph.advance)
        }
      }
    }
    let agrees = found.count == item.glyphs.count && zip(found, item.glyphs).allSatisfy { $0.isNear($1) }
    return agrees ? nil : "\(found) for \(item.glyphs)"
  }

  /// Compares the extents of all points of an outline.
  private func outline(
    _ glyph: UInt16, named name: String, _ font: FontID, _ item: Case, _ faces: GlyphFaces
  ) -> String? {
    guard let path = item.outlines[name] else { return nil }
    var xs: [Double] = []
    var ys: [Double] = []
    for pair in path.split(whereSeparator: { $0 == " " || $0.isLetter }) {
      let values = pair.split(separator: ",").compactMap { Double($0) }
      guard values.count == 2 else { continue }
      xs.append(values[0])
      ys.append(values[1])
    }
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max() else { return nil }
    guard let entry = faces.entry(font), faces.setSize(1000 * 64, of: entry),
      let outline = faces.outline(glyph, of: entry)
    else { return "\(name) has no outline" }
    var box = FT_BBox()
    FT_Outline_Get_CBox(outline, &box)
    let extents = [box.xMin, box.xMax, box.yMin, box.yMax].map { Double($0) / 64 }
    let agrees = zip(extents, [left, right, bottom, top]).allSatisfy { abs($0 - $1) <= 1.5 }
    return agrees ? nil : "\(name) reaches \(extents), not \([left, right, bottom, top])"
  }
}
