import BoxGeneration
import CSS
import Fonts
import Platform
import Primitives
import Shaping
import Text

/// Shapes the texts of drawings with the fonts of their chapter.
struct DrawingShaper {
  let fonts: FontBook
  let resources: ShapingResources
  let rootFontSize: Float

  func shape(_ text: TextID, in store: AttributedTextStore) -> ShapedDrawingText {
    let shaper = Shaper(fonts: fonts, settings: ShapingSettings(rootFontSize: rootFontSize), resources: resources)
    var shaped = ShapedText()
    shaper.shape(text, in: store, into: &shaped)
    var result = ShapedDrawingText()
    result.clusters.reserveCapacity(shaped.clusterCount)
    for run in shaped.runs {
      guard let font = fonts.face(run.font) else { continue }
      let values = store.attributes[run.attributes]
      let basis = LengthBasis(fontSize: run.size, rootFontSize: rootFontSize, face: font)
      let letterSpacing = basis.spacing(values.letterSpacing) ?? 0
      let wordSpacing = basis.spacing(values.wordSpacing) ?? 0
      let metrics = font.metrics
      let face = ShapedDrawingText.Face(
        font: run.font, size: run.size, scale: run.scale, lean: Float(tan(Double(font.syntheticSlant) * .pi / 180)),
        ascent: metrics.scaled(metrics.ascent, size: run.size),
        descent: metrics.scaled(metrics.descent, size: run.size),
        xHeight: metrics.scaled(metrics.xHeight, size: run.size))
      for index in run.clusters {
        let cluster = shaped.clusters[index]
        var advance = Float(cluster.advance) * run.scale
        if advance != 0 || cluster.flags.contains(.space) { advance += letterSpacing }
        if cluster.flags.contains(.wordSeparator) { advance += wordSpacing }
        let first = result.glyphs.count
        var pen: Float = 0
        for position in Int(cluster.glyph)..<Int(shaped.clusters[index + 1].glyph) {
          let glyph = shaped.glyphs[position]
          let origin = SIMD2(pen + Float(glyph.xOffset), Float(glyph.yOffset - run.lowering))
          pen += Float(glyph.advance)
          result.glyphs.append(.init(id: glyph.id, origin: origin))
        }
        result.clusters.append(
          .init(
            unit: Int(cluster.text), advance: advance, level: run.level, glyphs: first..<result.glyphs.count,
            face: face))
      }
    }
    return result
  }
}
