import BoxGeneration
import Drawings
import Graphics
import Images
import PDFRendering
import Platform
import Primitives

/// The text of a drawing over its picture.
extension TaggedPicture {
  /// - Parameter natural: The drawing's own size; nil where it has none.
  mutating func addTexts(_ drawn: DrawnText, natural: SIMD2<Float>?, to page: inout TaggedPage) {
    let area = SIMD2(Float(rect.width.pixels), Float(rect.height.pixels))
    let viewport = drawn.viewport.map(to: area, natural: natural)
      .concatenating(AffineTransform(tx: Float(rect.x.pixels), ty: Float(rect.y.pixels)))
    for line in drawn.lines { add(line, through: line.map.concatenating(viewport), to: &page) }
  }

  private mutating func add(_ line: DrawnText.Line, through map: AffineTransform, to page: inout TaggedPage) {
    guard let first = line.clusters.first else { return }
    let angle = line.angle * .pi / 180
    let along = map.direction(SIMD2(cosf(angle), sinf(angle)))
    let scale = (along.x * along.x + along.y * along.y).squareRoot()
    let size = line.size * scale
    let origin = map.point(first.pen)
    guard size.isFinite, size > 0, size < 10_000, origin.x.isFinite, origin.y.isFinite else { return }
    let way = along / scale
    let isUpright = way.x > 0.9999
    let firstGlyph = page.list.glyphs.count
    let firstCluster = page.clusters.count
    for cluster in line.clusters {
      var place = map.point(cluster.pen)
      if !isUpright {
        place -= origin
        place = SIMD2(place.x * way.x + place.y * way.y, place.y * way.x - place.x * way.y)
      }
      let start = page.units.count
      page.units += cluster.units
      page.clusters.append(
        TaggedCluster(
          glyphs: page.list.glyphs.count..<page.list.glyphs.count + 1, units: start..<page.units.count,
          left: .zero))
      page.list.glyphs.append(
        PositionedGlyph(
          glyph: cluster.glyph, x: LayoutUnit(Double(place.x)), y: LayoutUnit(Double(place.y))))
    }
    let run = TaggedRun(
      glyphs: firstGlyph..<page.list.glyphs.count, clusters: firstCluster..<page.clusters.count, element: element,
      origin: page.list.glyphs[firstGlyph].origin, axis: .right, isRightToLeft: false, place: place)
    texts.append(
      UnseenText(
        run: run, font: line.font, size: LayoutUnit(Double(size)),
        transform: isUpright
          ? nil : AffineTransform(a: way.x, b: way.y, c: -way.y, d: way.x, tx: origin.x, ty: origin.y)))
  }
}

extension PositionedGlyph {
  fileprivate var origin: Point { Point(x: x, y: y) }
}
