import BoxGeneration
import CSS
import Fonts
import Platform
import Primitives
import Shaping
import Text

/// Shapes the texts of drawings with the fonts of their chapter.
struct DrawingText {
  let fonts: FontBook
  let resources: ShapingResources
  let rootFontSize: Float
  private let glyphs = GlyphOutlines()

  func outlines(of text: TextID, in store: AttributedTextStore) -> [OutlinedCluster] {
    let shaper = Shaper(fonts: fonts, settings: ShapingSettings(rootFontSize: rootFontSize), resources: resources)
    var shaped = ShapedText()
    shaper.shape(text, in: store, into: &shaped)
    var result: [OutlinedCluster] = []
    result.reserveCapacity(shaped.clusterCount)
    for run in shaped.runs {
      guard let face = fonts.face(run.font) else { continue }
      let values = store.attributes[run.attributes]
      let basis = LengthBasis(fontSize: run.size, rootFontSize: rootFontSize, face: face)
      let letterSpacing = basis.spacing(values.letterSpacing) ?? 0
      let wordSpacing = basis.spacing(values.wordSpacing) ?? 0
      let lean = Float(tan(Double(face.syntheticSlant) * .pi / 180))
      for index in run.clusters {
        let cluster = shaped.clusters[index]
        var advance = Float(cluster.advance) * run.scale
        if advance != 0 || cluster.flags.contains(.space) { advance += letterSpacing }
        if cluster.flags.contains(.wordSeparator) { advance += wordSpacing }
        var steps: [OutlineStep] = []
        var pen: Float = 0
        let range = Int(cluster.glyph)..<Int(shaped.clusters[index + 1].glyph)
        for position in range {
          let glyph = shaped.glyphs[position]
          let origin = SIMD2(pen + Float(glyph.xOffset), Float(glyph.yOffset - run.lowering))
          pen += Float(glyph.advance)
          func place(_ point: SIMD2<Float>) -> SIMD2<Float> {
            SIMD2(point.x + point.y * lean + origin.x, -point.y - origin.y) * run.scale
          }
          for step in glyphs.outline(of: glyph.id, in: face) {
            switch step {
            case .move(let a): steps.append(.move(place(a)))
            case .line(let a): steps.append(.line(place(a)))
            case .quadratic(let a, let b): steps.append(.quadratic(place(a), place(b)))
            case .cubic(let a, let b, let c): steps.append(.cubic(place(a), place(b), place(c)))
            case .close: steps.append(.close)
            }
          }
        }
        result.append(
          OutlinedCluster(
            unit: Int(cluster.text), advance: advance, level: run.level, steps: steps, font: run.font,
            glyph: range.isEmpty ? 0 : shaped.glyphs[range.lowerBound].id,
            ascent: face.metrics.scaled(face.metrics.ascent, size: run.size),
            descent: face.metrics.scaled(face.metrics.descent, size: run.size),
            xHeight: face.metrics.scaled(face.metrics.xHeight, size: run.size), size: run.size))
      }
    }
    return result
  }
}

/// The outlines of a chapter's glyphs, each read from its face once.
private final class GlyphOutlines {
  private struct Key: Hashable {
    var face: FontID
    var glyph: UInt16
  }
  private var outlines: [Key: [OutlineStep]] = [:]

  func outline(of glyph: UInt16, in face: FontFace) -> [OutlineStep] {
    let key = Key(face: face.id, glyph: glyph)
    if let known = outlines[key] { return known }
    let steps = face.outline(glyph)
    outlines[key] = steps
    return steps
  }
}
