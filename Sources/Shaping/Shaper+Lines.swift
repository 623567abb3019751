import CHarfBuzz
import CSS
import Fonts
package import Primitives
package import Text

/// The glyphs that show a break inside a word, in a run's face.
package struct HyphenGlyphs: Sendable, Hashable {
  package var font: FontID
  package var glyphs: [ShapedGlyph]
  /// Sum of the advances in font units; `scale` turns them into CSS px.
  package var advance: Int32
  package var scale: Float
  package var size: Float
  package var text: [UInt16]
}

/// Questions of line breaking about a shaped paragraph.
extension Shaper {
  /// Shapes a slice of a shaped paragraph again, for a line whose end is `unsafeToBreakBefore`: ligatures across the
  /// ends are taken apart, joined letters keep the forms they have in the unbroken word (CSS Text 3, section 5.6).
  ///
  /// - Parameters:
  ///   - range: Text units, counted from the start of the text; ends must be cluster starts.
  ///   - source: The whole paragraph, as `shape` made it.
  ///   - result: Gets runs, glyphs and clusters appended, and a closing cluster for each slice.
  /// - Returns: The range of the new clusters in `result`.
  @discardableResult
  package func reshape(
    _ range: Range<Int>, of id: TextID, in store: AttributedTextStore, from source: ShapedText,
    into result: inout ShapedText
  ) -> Range<Int> {
    let clusterOffset = result.clusters.count
    let glyphOffset = result.glyphs.count
    styles.use(source.writingMode)
    unsafe store.units.withUnsafeBufferPointer { all in
      unsafe begin(LentText(UnsafeBufferPointer(rebasing: all[store[id].units])), id)
      let range = range.clamped(to: 0..<paragraph.units.count)
      for run in source.runs {
        let first = Int(source.clusters[run.clusters.lowerBound].text)
        let last = Int(source.clusters[run.clusters.upperBound].text)
        let part = range.clamped(to: first..<Swift.max(first, last))
        guard !part.isEmpty, let style = style(run.attributes, store), let face = fonts.face(run.font) else {
          continue
        }
        reshape(part, of: run, in: source, face: position(of: face), style)
      }
      clusters.append(Cluster(text: UInt32(range.upperBound), glyph: UInt32(glyphs.count), advance: 0, flags: []))
      appendRuns(to: &result, clusterOffset: clusterOffset, glyphOffset: glyphOffset, clusterEnd: clusters.count - 1)
      for index in 0..<clusters.count {
        var cluster = clusters[index]
        cluster.glyph += UInt32(glyphOffset)
        result.clusters.append(cluster)
      }
      unsafe result.glyphs.append(contentsOf: glyphs.all)
      paragraph.end()
    }
    return clusterOffset..<result.clusters.count - 1
  }

  private func reshape(_ part: Range<Int>, of run: ShapedRun, in source: ShapedText, face: Int, _ style: ShapingStyle) {
    // The opportunities are known from the paragraph; objects, tabs and controls are taken over as they are.
    paragraph.posture = run.isSideways ? .sideways : .upright
    piece.leaveSpaces()
    paragraph.stretchStart = part.lowerBound
    for index in part { marks[index] = 0 }
    var low = run.clusters.lowerBound
    var high = run.clusters.upperBound
    while low < high {
      let middle = (low + high) / 2
      if Int(source.clusters[middle].text) < part.lowerBound { low = middle + 1 } else { high = middle }
    }
    let script = ShapingStyle.script(tag: run.script)
    let mapsLetters =
      style.mathAlphabet != nil
      || style.caps != .normal && run.size < scale(of: face, style, mapsLetters: false).1 * 0.99
    var start = part.lowerBound
    func flush(_ end: Int) {
      if end > start {
        shapeItem(
          start, end, face: face, script: script, mapsLetters: mapsLetters, style, run.level, hasContext: true)
      }
      start = end
    }
    for index in low..<run.clusters.upperBound {
      let cluster = source.clusters[index]
      let text = Int(cluster.text)
      guard text < part.upperBound else { break }
      if cluster.flags.contains(.graphemeStart) { marks[text] |= Mark.graphemeStart }
      marks[text] |= Self.kind(cluster.flags)
      if !cluster.flags.isDisjoint(with: [.object, .tab]) || text - start > 8000 {
        flush(text)
        if !cluster.flags.isDisjoint(with: [.object, .tab]) {
          openRun(face, script, style, run.level, mapsLetters: mapsLetters)
          var copy = cluster
          copy.glyph = UInt32(glyphs.count)
          clusters.append(copy)
          start = Int(source.clusters[index + 1].text)
        }
      }
    }
    flush(part.upperBound)
  }

  private static func kind(_ flags: ClusterFlags) -> UInt8 {
    if flags.contains(.mandatoryBreakBefore) { return BreakKind.mandatory }
    if flags.contains(.automaticHyphen) { return BreakKind.hyphen }
    return flags.contains(.breakBefore) ? BreakKind.allowed : BreakKind.none
  }

  /// The hyphen of a run: `hyphenate-character`, else U+2010, else U+002D (CSS Text 4, section 6.3).
  package func hyphen(for run: ShapedRun, in store: AttributedTextStore) -> HyphenGlyphs {
    let key = HyphenKey(run)
    if var known = hyphens.glyphs[key] {
      known.scale = run.scale
      known.size = run.size
      return known
    }
    let character = store.attributes[run.attributes].hyphenateCharacter
    var text = Array(store.attributes.hyphenCharacters[Int(character)].utf16)
    guard let face = fonts.face(run.font), let style = style(run.attributes, store) else {
      return HyphenGlyphs(font: run.font, glyphs: [], advance: 0, scale: run.scale, size: run.size, text: text)
    }
    if character == 0 { text = [face.covers(0x2010) ? 0x2010 : 0x2D] }
    buffer.begin(
      run.level & 1 == 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR, script: run.script, style.hbLanguage)
    buffer.append(text.span)
    buffer.shape(face.hbFont, style.features(of: faces[position(of: face)]))
    var made = HyphenGlyphs(font: run.font, glyphs: [], advance: 0, scale: run.scale, size: run.size, text: text)
    for index in 0..<buffer.count {
      var glyph = buffer.glyph(index)
      glyph.yOffset &-= run.lowering
      made.glyphs.append(glyph)
      made.advance &+= glyph.advance
    }
    hyphens.glyphs[key] = made
    return made
  }

  /// The advance of a run's hyphen in font units. Asked for each place where a word may be divided, most of one run.
  package func hyphenAdvance(for run: ShapedRun, in store: AttributedTextStore) -> Int32 {
    let key = HyphenKey(run)
    if let last = hyphens.last, last.key == key { return last.advance }
    let advance = hyphen(for: run, in: store).advance
    hyphens.last = (key, advance)
    return advance
  }
}

/// What the glyphs of a hyphen depend on.
struct HyphenKey: Hashable {
  var font: FontID
  var attributes: ShapingAttributesID
  var level: UInt8
  var script: UInt32
  var lowering: Int32

  init(_ run: ShapedRun) {
    font = run.font
    attributes = run.attributes
    level = run.level & 1
    script = run.script
    lowering = run.lowering
  }
}
