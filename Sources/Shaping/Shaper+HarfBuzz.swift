import CHarfBuzz
import CSS
import Fonts
import Primitives
import Text

extension Shaper {
  /// Shapes units of one face, script and direction, and appends their clusters in logical order.
  func shapeItem(
    _ start: Int, _ end: Int, face: Int, script: Script, mapsLetters: Bool, _ style: ShapingStyle, _ level: UInt8,
    hasContext: Bool
  ) {
    openRun(face, script, style, level, mapsLetters: mapsLetters)
    // A word between spaces that is one item is kept as a word.
    let isWord = !hasContext && start == piece.start && end == piece.end
    guard !isWord, !mapsLetters, !piece.kernsSpaceBefore, !piece.kernsSpaceAfter, isRepeated(start, end, script) else {
      shapeAnew(start, end, face: face, script: script, mapsLetters: mapsLetters, style, level, hasContext: hasContext)
      return
    }
    placeItem(start, end, face: face, script: script, style, level)
  }

  /// Calls HarfBuzz for an item, whose run is open.
  func shapeAnew(
    _ start: Int, _ end: Int, face position: Int, script: Script, mapsLetters: Bool, _ style: ShapingStyle,
    _ level: UInt8, hasContext: Bool
  ) {
    let face = faces[position]
    let isVertical = style.orientation != nil && paragraph.posture == .upright
    let isRTL = level & 1 == 1 && !isVertical
    buffer.begin(
      isVertical ? HB_DIRECTION_TTB : isRTL ? HB_DIRECTION_RTL : HB_DIRECTION_LTR, script: script.tag, style.hbLanguage)
    let text = paragraph.units
    let units = text.span
    var map: [UInt32] = []
    // Spaces that are kerned with the word go in with it.
    let kernsSpaces = !isVertical && position == style.primary && !mapsLetters
    let hasSpaceBefore = piece.kernsSpaceBefore && start == piece.start && kernsSpaces
    let hasSpaceAfter = piece.kernsSpaceAfter && end == piece.end && kernsSpaces
    if hasSpaceBefore || hasSpaceAfter {
      let from = hasSpaceBefore ? start - 1 : start
      let to = hasSpaceAfter ? end + 1 : end
      buffer.append(units.extracting(first: to), from..<to)
    } else if mapsLetters {
      map = addMapped(start, end, face.face, style)
    } else if hasContext {
      buffer.append(units, start..<end)
    } else {
      buffer.append(units.extracting(start..<end))
    }
    counters.calls += 1
    buffer.shape(face.face.hbFont, style.features(of: face))
    guard buffer.count > 0 else {
      for index in start..<end where marks[index] & Mark.graphemeStart != 0 {
        appendCluster(index, glyph: glyphs.count, advance: 0, .ignorable, style)
      }
      return
    }
    /// The glyphs of the item, without those of the spaces beside it.
    var first = 0
    var last = buffer.count
    if isVertical { turn(face) }
    if hasSpaceAfter, last > 1, Int(buffer.info(last - 1).cluster) == end { last -= 1 }
    if hasSpaceBefore, last > 1, (Int(buffer.info(0).cluster), Int(buffer.info(1).cluster)) == (start - 1, start) {
      piece.leading = buffer.position(0).x_advance &- style.spaceAdvance
      if piece.leading != 0 { widenLastSpace(by: piece.leading) }
      first = 1
      buffer.allowBreak(first)
    }
    if mapsLetters {
      for index in first..<last {
        buffer.setCluster(index, map[Swift.min(Int(buffer.info(index).cluster), map.count - 1)])
      }
    }
    let shift = hasContext || mapsLetters || hasSpaceBefore || hasSpaceAfter ? 0 : start
    /// The start of the cluster of a glyph in the text.
    @inline(__always) func textStart(_ glyph: Int) -> Int { Int(buffer.info(glyph).cluster) + shift }
    if isRTL {
      var upper = last
      while upper > first {
        var lower = upper - 1
        let from = upper == last ? start : textStart(lower)
        let cluster = buffer.info(lower).cluster
        while lower > first, buffer.info(lower - 1).cluster == cluster { lower -= 1 }
        continueRun(position, script, style, level, mapsLetters: mapsLetters)
        appendGroup(
          from, lower > first ? textStart(lower - 1) : end, lower..<upper, script, style, level, isRTL: true)
        upper = lower
      }
    } else {
      var lower = first
      while lower < last {
        let from = lower == first ? start : textStart(lower)
        let cluster = buffer.info(lower).cluster
        var upper = lower + 1
        while upper < last, buffer.info(upper).cluster == cluster { upper += 1 }
        continueRun(position, script, style, level, mapsLetters: mapsLetters)
        appendGroup(from, upper < last ? textStart(upper) : end, lower..<upper, script, style, level, isRTL: false)
        lower = upper
      }
    }
  }

  /// Fills the buffer with the letters that stand for those of the text, and returns the unit each of their units came from.
  private func addMapped(_ start: Int, _ end: Int, _ face: FontFace, _ style: ShapingStyle) -> [UInt32] {
    var letters: [UInt16] = []
    var map: [UInt32] = []
    var index = start
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      if style.mathAlphabet != nil {
        let letter = Unicode.Scalar(mathLetter(of: scalar, face, style) ?? scalar) ?? "\u{FFFD}"
        letters.append(contentsOf: letter.utf16)
      } else {
        let units = paragraph.units
        CaseMapping.map(
          units.span.extracting(index..<index + length), to: .upper, language: style.language,
          into: &letters)
      }
      while map.count < letters.count { map.append(UInt32(index)) }
      index += length
    }
    buffer.append(letters.span)
    return map
  }

  /// Appends the clusters of one HarfBuzz cluster: one for each grapheme cluster in it. A ligature's advance is shared
  /// out evenly and its glyphs stay with the part that is drawn leftmost. What the face has no glyph for is a box, but a
  /// mark, which is left out.
  private func appendGroup(
    _ start: Int, _ end: Int, _ range: Range<Int>, _ script: Script, _ style: ShapingStyle, _ level: UInt8, isRTL: Bool
  ) {
    let unit = paragraph.units[start]
    let isUnsafe = buffer.isUnsafeToBreak(range.lowerBound)
    // One Latin letter and one glyph.
    if end == start + 1, range.count == 1, unit > 0x20, unit < 0x250, unit != 0xAD, unit != 0xA0,
      buffer.info(range.lowerBound).codepoint != 0, unit < 0x7F || unit > 0xA0
    {
      let glyph = buffer.glyph(range.lowerBound)
      appendCluster(
        start, glyph: glyphs.count, advance: glyph.advance, isUnsafe ? .unsafeToBreakBefore : [], style)
      glyphs.append(glyph)
      return
    }

    var flags: ClusterFlags = isUnsafe ? .unsafeToBreakBefore : []
    var parts = 0
    var isVisible = false
    var index = start
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      let properties = CharacterProperties(scalar)
      if index == start { flags.formUnion(baseFlags(scalar, properties, script)) }
      if index == start || marks[index] & Mark.graphemeStart != 0 { parts += 1 }
      if !Self.isInvisible(scalar, properties) { isVisible = true }
      index += length
    }
    guard isVisible else {
      flags = flags.intersection(.unsafeToBreakBefore)
      flags.insert(.ignorable)
      index = start
      while index < end {
        if index == start || marks[index] & Mark.graphemeStart != 0 {
          appendCluster(index, glyph: glyphs.count, advance: 0, flags, style)
        }
        index += 1
      }
      return
    }
    var advance: Int32 = 0
    var found = 0
    for index in range where buffer.info(index).codepoint != 0 {
      advance &+= buffer.position(index).x_advance
      found += 1
    }
    var showsMissing = false
    if found < range.count {
      let face = faces[runs[runs.count - 1].face].face
      noteMissing(start, end, face)
      showsMissing = showsMissingGlyph(of: face)
      if !showsMissing, found == 0 || needsBox(start, end, face) {
        placeBoxes(start, end, script, style, level, isUnsafe: isUnsafe)
        return
      }
      flags.insert(.missingGlyph)
      if showsMissing { advance = range.reduce(0) { $0 &+ buffer.position($1).x_advance } }
    }
    func appendGlyphs() {
      for index in range where showsMissing || buffer.info(index).codepoint != 0 {
        glyphs.append(buffer.glyph(index))
      }
    }
    if parts == 1 {
      appendCluster(start, glyph: glyphs.count, advance: advance, flags, style)
      appendGlyphs()
      return
    }
    let share = advance / Int32(parts)
    var part = 0
    index = start
    while index < end {
      if index == start || marks[index] & Mark.graphemeStart != 0 {
        let isLast = part == parts - 1
        let holdsGlyphs = isRTL ? isLast : part == 0
        appendCluster(
          index, glyph: glyphs.count, advance: isLast ? advance - share * Int32(parts - 1) : share,
          part == 0 ? flags : flags.union(.unsafeToBreakBefore).subtracting(.missingGlyph), style)
        if holdsGlyphs { appendGlyphs() }
        part += 1
      }
      index += 1
    }
  }
}
