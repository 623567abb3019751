import BoxGeneration
import Fonts
import Primitives
import Shaping
import Text

/// Tone marks of bopomofo in vertical lines: right of the last letter of their syllable, the dot of the neutral tone above the
/// first (CLREQ, positioning of bopomofo).
enum ToneMarks {
  /// The width of the column right of the letters, in em.
  static let room = 2.0 / 3

  /// ˇ ˊ ˋ, the neutral ˙, and ˪ ˫ of Taiwanese.
  static func isTone(_ unit: UInt16) -> Bool {
    unit == 0x2C7 || unit == neutral || 0x2CA...0x2CB ~= unit || 0x2EA...0x2EB ~= unit
  }
  static let neutral: UInt16 = 0x2D9
}

extension LayoutContext {
  /// Takes the tone marks of an upright vertical text out of its column.
  func placeToneMarks(_ shaped: inout ShapedText, of text: TextID) {
    let units = tree.texts.texts[text.index].units
    // The letters of the syllable before the mark, in em: they may be of another run.
    var letters = 0.0
    for run in shaped.runs where tree.texts.attributes[run.attributes].setsTonesBeside && !run.isSideways {
      guard let face = fonts.face(run.font) else { continue }
      let em = Double(face.unitsPerEm)
      for cluster in run.clusters {
        let index = units.lowerBound + Int(shaped.clusters[cluster].text)
        guard index < units.upperBound else { break }
        let unit = tree.texts.units[index]
        guard ToneMarks.isTone(unit) else {
          letters += Double(shaped.clusters[cluster].advance) / em
          continue
        }
        let glyph = Int(shaped.clusters[cluster].glyph)
        guard glyph < shaped.glyphs.count else { continue }
        let ink = face.extents(shaped.glyphs[glyph].id) ?? (0, 0, 0, 0)
        // The middle of the ink comes to lie along the line and to its right, from the pen.
        let isNeutral = unit == ToneMarks.neutral
        let along = isNeutral ? -letters - 0.125 : letters == 0 ? 0.125 : 0.125 - 1
        let right = isNeutral ? 0 : 0.5 + ToneMarks.room / 2
        letters = 0
        shaped.clusters[cluster].advance = 0
        shaped.glyphs[glyph].advance = 0
        shaped.glyphs[glyph].xOffset = Int32(along * em) &+ ink.y &+ ink.height / 2
        shaped.glyphs[glyph].yOffset = Int32(right * em) &- ink.x &- ink.width / 2
      }
    }
  }
}
