import CSS
import Fonts
package import Primitives
import Text

/// Characters that no font has. They are shown as boxes with their code points, an em wide, in the last-resort face.
extension Shaper {
  /// Texts have characters that no font has.
  package var lacksCharacters: Bool { !missing.offsets.isEmpty }

  /// The offsets of the characters in a part of a text that no font has, in order. The text has been shaped.
  package func missingCharacters(in text: TextID, within range: Range<UInt32>) -> ArraySlice<UInt32> {
    guard !missing.offsets.isEmpty, let offsets = missing.offsets[text] else { return [] }
    return offsets[Self.place(of: range.lowerBound, in: offsets)..<Self.place(of: range.upperBound, in: offsets)]
  }

  /// The place of the first offset that is not smaller.
  private static func place(of offset: UInt32, in offsets: [UInt32]) -> Int {
    var low = 0
    var high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Notes the characters of a cluster that a face lacks.
  func noteMissing(_ start: Int, _ end: Int, _ face: FontFace) {
    counters.missingGlyphs += 1
    guard missing.isNoted else { return }
    var offsets = missing.offsets.removeValue(forKey: paragraph.id) ?? []
    let before = offsets.count
    func note(_ index: Int) {
      let offset = UInt32(index)
      if let last = offsets.last, last >= offset {
        let place = Self.place(of: offset, in: offsets)
        if offsets[place] != offset { offsets.insert(offset, at: place) }
      } else {
        offsets.append(offset)
      }
    }
    forEachVisible(start, end) { index, scalar, _ in if !face.covers(scalar) { note(index) } }
    // A face may have a glyph for a character and lose it by its lookups.
    if offsets.count == before { note(start) }
    missing.offsets[paragraph.id] = offsets
  }

  /// What a face lacks is shown by its own glyph for missing characters.
  func showsMissingGlyph(of face: FontFace) -> Bool {
    settings.showsMissingGlyphs && (face.extents(0)?.width ?? 0) != 0
  }

  /// The cluster is more than a letter whose marks are missing: without what its face lacks it would be another text.
  func needsBox(_ start: Int, _ end: Int, _ face: FontFace) -> Bool {
    var isFirst = true
    var needsBox = false
    forEachVisible(start, end) { _, scalar, properties in
      if isFirst || !properties.category.isMark && !properties.isEmojiModifier, !face.covers(scalar) { needsBox = true }
      isFirst = false
    }
    return needsBox
  }

  /// Appends a box for each grapheme cluster. Marks by themselves, and what is never seen, take no room.
  func placeBoxes(
    _ start: Int, _ end: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8, isUnsafe: Bool
  ) {
    // A run that nothing has been placed in.
    if runs[runs.count - 1].clusterStart == clusters.count { runs.removeLast(1) }
    openRun(lastResort, script, style, level, mapsLetters: false)
    var index = start
    while index < end {
      var next = index + 1
      while next < end, marks[next] & Mark.graphemeStart == 0 { next += 1 }
      var base: (scalar: UInt32, properties: CharacterProperties)?
      forEachVisible(index, next) { _, scalar, properties in
        if base == nil, !properties.category.isMark { base = (scalar, properties) }
      }
      var flags: ClusterFlags = isUnsafe && index == start ? .unsafeToBreakBefore : []
      if let base {
        flags.formUnion(baseFlags(base.scalar, base.properties, script).union(.missingGlyph))
        placeBox(base.scalar, at: index, flags, style)
      } else {
        appendCluster(index, glyph: glyphs.count, advance: 0, flags.union(.ignorable), style)
      }
      index = next
    }
  }

  private func placeBox(_ scalar: UInt32, at index: Int, _ flags: ClusterFlags, _ style: ShapingStyle) {
    let face = faces[lastResort]
    let em = face.face.unitsPerEm
    let isUpright = style.orientation != nil && paragraph.posture == .upright
    let origin = isUpright ? face.verticalMetrics(LastResort.box) : nil
    appendCluster(index, glyph: glyphs.count, advance: em, flags, style)
    func append(_ glyph: UInt16, _ x: Int32, _ y: Int32, at pen: Int32, advance: Int32) {
      let (along, up) = origin.map { ($0.originY - y, x - $0.originX) } ?? (x, y)
      glyphs.append(ShapedGlyph(id: glyph, advance: advance, xOffset: along - pen, yOffset: up))
    }
    // The frame comes first: by its ink others judge the whole.
    append(LastResort.box, 0, 0, at: 0, advance: em)
    LastResort.forEachDigit(of: scalar) { glyph, x, y in append(glyph, x, y, at: em, advance: 0) }
  }

  /// Goes over to a run of a face again where boxes have come between.
  @inline(__always)
  func continueRun(_ face: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8, mapsLetters: Bool) {
    if runs[runs.count - 1].face != face {
      openRun(face, script, style, level, mapsLetters: mapsLetters)
    }
  }

  /// Tells the characters that are to be seen.
  private func forEachVisible(_ start: Int, _ end: Int, _ body: (Int, UInt32, CharacterProperties) -> Void) {
    var index = start
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      let properties = CharacterProperties(scalar)
      if !Self.isInvisible(scalar, properties), properties.category != .spaceSeparator {
        body(index, scalar, properties)
      }
      index += length
    }
  }
}
