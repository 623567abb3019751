import CHarfBuzz
import CSS
import Fonts
import Primitives
import Text

/// Characters in vertical lines (CSS Writing Modes 4, sections 5 and 9; UAX #50).
///
/// Glyphs keep the terms of a horizontal line: `advance` and `xOffset` run along it, `yOffset` towards its over side.
extension Shaper {
  /// The posture of a cluster in a vertical line.
  func stance(_ traits: ClusterTraits, _ face: Int, _ orientation: TextOrientation, _ script: Script) -> Posture {
    // Tone marks go with the letters; on their side one would mean another.
    if script == .bopomofo, orientation == .mixed { return .upright }
    var vertical = traits.properties.verticalOrientation
    // ‘ ’ “ ” are other marks in vertical Chinese (GB/T 15834, section 5.2), which faces have where they are wanted.
    switch traits.base {
    case 0x2018, 0x2019, 0x201C, 0x201D: vertical = .transformedRotated
    default: break
    }
    // A glyph for vertical lines is looked for only where it decides.
    let hasForm =
      vertical == .transformedRotated && orientation == .mixed
      && faces[face].hasVerticalForm(faces[face].face.glyph(traits.base))
    return vertical.isUpright(orientation, hasVerticalForm: hasForm) ? .upright : .sideways
  }

  /// Places an upright glyph that no lookup touches.
  func placeUpright(_ glyph: UInt16, at index: Int, _ flags: ClusterFlags, _ face: Int, _ style: ShapingStyle) {
    let metrics = faces[face].verticalMetrics(glyph)
    appendCluster(index, glyph: glyphs.count, advance: metrics.advance, flags, style)
    glyphs.append(
      ShapedGlyph(id: glyph, advance: metrics.advance, xOffset: metrics.originY, yOffset: -metrics.originX))
  }

  /// Turns the positions of glyphs shaped from top to bottom into those of a line. A face without vertical metrics gives each
  /// glyph one em.
  func turn(_ face: ShapingFace) {
    let hasMetrics = face.face.metrics.hasVerticalMetrics
    for index in 0..<buffer.count {
      var position = buffer.position(index)
      var advance = 0 &- position.y_advance
      var along = 0 &- position.y_offset
      if !hasMetrics {
        let glyph = buffer.info(index).codepoint
        let metrics = face.verticalMetrics(UInt16(truncatingIfNeeded: glyph))
        if advance != 0 { advance &+= metrics.advance &+ face.face.hbFont.verticalAdvance(glyph) }
        along &+= metrics.originY &- face.face.hbFont.verticalOrigin(glyph).y
      }
      position.y_offset = position.x_offset
      position.x_offset = along
      position.x_advance = advance
      position.y_advance = 0
      buffer.setPosition(index, position)
    }
  }

  /// Gives a run that is not upright its place across the line.
  func settle(_ made: inout ShapedRun, _ run: PendingRun, _ range: Range<Int>) {
    made.compression = run.compression
    guard run.posture == .sideways, styles.writingMode.isCentral, let style = styles[run.attributes], run.scale > 0
    else {
      return
    }
    // All faces of a line share the alphabetic baseline of the first available one.
    let metrics = style.cascade.primary.metrics
    let middle = Float(metrics.ascent - metrics.descent) / 2 / Float(Swift.max(1, metrics.unitsPerEm)) * style.size
    let lowering = (middle / run.scale).rounded()
    guard abs(lowering) < 100_000 else { return }
    made.lowering = Int32(lowering)
    for index in range { glyphs[index].yOffset &-= made.lowering }
  }

  // MARK: text-combine-upright

  /// Longer stretches are no one-em composites, whatever the style says: they could not be read.
  private static let longestCombination = 8

  /// A stretch that stands horizontally in the line, or digits in it that do (CSS Writing Modes 4, section 9.1).
  func shapeCombined(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    let longest: Int
    switch style.combines {
    case .none, .all:
      if end - start > Self.longestCombination || !combine(start, end, style, level) {
        shapeUncombined(start, end, style, level)
      }
      return
    case .digits2: longest = 2
    case .digits3: longest = 3
    case .digits4: longest = 4
    }
    var index = start
    var pending = start
    while index < end {
      var stop = index
      while stop < paragraph.units.count, paragraph.units[stop] &- 0x30 < 10 { stop += 1 }
      let isWhole = index == 0 || paragraph.units[index - 1] &- 0x30 >= 10
      if stop > index, stop <= end, stop - index <= longest, isWhole {
        if index > pending { shapeUncombined(pending, index, style, level) }
        if !combine(index, stop, style, level) { shapeUncombined(index, stop, style, level) }
        pending = stop
      }
      index = Swift.max(stop, index + 1)
    }
    if end > pending { shapeUncombined(pending, end, style, level) }
  }

  /// Sets units side by side in one em; false when no one face has them all.
  private func combine(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) -> Bool {
    guard end > start else { return false }
    let (first, length) = paragraph.units.scalar(at: start)
    let position = selectFace(
      ClusterTraits(first, CharacterProperties(first)), start, start + length, style, script: paragraph.scripts.current,
      neighbour: -1)
    let face = faces[position]
    var index = start
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      guard scalar > 0x20, face.face.covers(scalar) else { return false }
      index += length
    }
    let em = face.face.unitsPerEm
    var shaped = shapeAcross(start, end, face, style, [])
    if shaped.width > em {
      let tag = end - start == 2 ? HarfBuzzTag.hwid : end - start == 3 ? HarfBuzzTag.twid : HarfBuzzTag.qwid
      if face.hasFeature(tag) { shaped = shapeAcross(start, end, face, style, [ShapingStyle.feature(tag, 1)]) }
    }
    analyze(from: start, to: end, style)
    paragraph.posture = .combined
    openRun(position, .common, style, level & ~1, mapsLetters: false)
    paragraph.posture = style.posture
    if shaped.width > em { runs[runs.count - 1].compression = Float(em) / Float(shaped.width) }
    marks[start] |= Mark.graphemeStart
    appendCluster(start, glyph: glyphs.count, advance: em, .ideographic, style)
    let metrics = face.face.metrics
    let baseline = (em + metrics.ascent - metrics.descent) / 2
    for glyph in shaped.glyphs {
      glyphs.append(
        ShapedGlyph(
          id: glyph.id, advance: 0, xOffset: baseline &- glyph.yOffset, yOffset: glyph.xOffset &- shaped.width / 2))
    }
    return true
  }

  /// Shapes a few units as a horizontal line: glyphs with their offsets from its start.
  private func shapeAcross(
    _ start: Int, _ end: Int, _ face: ShapingFace, _ style: ShapingStyle, _ features: [hb_feature_t]
  ) -> (glyphs: [ShapedGlyph], width: Int32) {
    let text = paragraph.units
    buffer.begin(HB_DIRECTION_LTR, script: Script.latin.tag, style.hbLanguage)
    buffer.append(text.span.extracting(start..<end))
    counters.calls += 1
    buffer.shape(face.face.hbFont, features + style.features)
    var made: [ShapedGlyph] = []
    var pen: Int32 = 0
    for index in 0..<buffer.count {
      var glyph = buffer.glyph(index)
      let advance = glyph.advance
      glyph.advance = 0
      glyph.xOffset &+= pen
      made.append(glyph)
      pen &+= advance
    }
    return (made, pen)
  }
}
