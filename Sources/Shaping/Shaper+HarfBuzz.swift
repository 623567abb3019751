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
    unsafe hb_buffer_clear_contents(buffer)
    var map: [UInt32] = []
    // Spaces that are kerned with the word go in with it.
    let kernsSpaces = !isVertical && position == style.primary && !mapsLetters
    let hasSpaceBefore = piece.kernsSpaceBefore && start == piece.start && kernsSpaces
    let hasSpaceAfter = piece.kernsSpaceAfter && end == piece.end && kernsSpaces
    if hasSpaceBefore || hasSpaceAfter {
      let from = hasSpaceBefore ? start - 1 : start
      let to = hasSpaceAfter ? end + 1 : end
      unsafe hb_buffer_add_utf16(buffer, paragraph.units.base, Int32(to), UInt32(from), Int32(to - from))
    } else if mapsLetters {
      map = addMapped(start, end, face.face, style)
    } else if hasContext {
      unsafe hb_buffer_add_utf16(
        buffer, paragraph.units.base, Int32(paragraph.units.count), UInt32(start), Int32(end - start))
    } else {
      unsafe hb_buffer_add_utf16(
        buffer, paragraph.units.base + start, Int32(end - start), 0, Int32(end - start))
    }
    unsafe hb_buffer_set_direction(
      buffer, isVertical ? HB_DIRECTION_TTB : isRTL ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_from_iso15924_tag(script.tag))
    if let language = unsafe style.hbLanguage { unsafe hb_buffer_set_language(buffer, language) }
    counters.calls += 1
    unsafe style.features(of: face).withUnsafeBufferPointer {
      unsafe hb_shape(face.hbFont, buffer, $0.baseAddress, UInt32($0.count))
    }
    var count: UInt32 = 0
    guard var infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      var positions = unsafe hb_buffer_get_glyph_positions(buffer, &count),
      count > 0
    else {
      for index in start..<end where marks[index] & Mark.graphemeStart != 0 {
        appendCluster(index, glyph: glyphs.count, advance: 0, .ignorable, style)
      }
      return
    }
    var glyphCount = Int(count)
    if isVertical { unsafe Self.turn(infos, positions, glyphCount, face) }
    if hasSpaceAfter, glyphCount > 1, unsafe Int(infos[glyphCount - 1].cluster) == end { glyphCount -= 1 }
    if hasSpaceBefore, glyphCount > 1, unsafe (Int(infos[0].cluster), Int(infos[1].cluster)) == (start - 1, start) {
      piece.leading = unsafe positions[0].x_advance &- style.spaceAdvance
      if piece.leading != 0 { widenLastSpace(by: piece.leading) }
      unsafe infos += 1
      unsafe positions += 1
      glyphCount -= 1
      unsafe infos[0].mask &= ~HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue
    }
    if mapsLetters {
      for index in 0..<glyphCount {
        unsafe infos[index].cluster = unsafe map[Swift.min(Int(infos[index].cluster), map.count - 1)]
      }
    }
    let shift = hasContext || mapsLetters || hasSpaceBefore || hasSpaceAfter ? 0 : start
    /// The start of the cluster of a glyph in the text.
    @inline(__always) func textStart(_ glyph: Int) -> Int { unsafe Int(infos[glyph].cluster) + shift }
    if isRTL {
      var upper = glyphCount
      while upper > 0 {
        var lower = upper - 1
        let from = upper == glyphCount ? start : textStart(lower)
        let cluster = unsafe infos[lower].cluster
        while lower > 0, unsafe infos[lower - 1].cluster == cluster { lower -= 1 }
        continueRun(position, script, style, level, mapsLetters: mapsLetters)
        unsafe appendGroup(
          from, lower > 0 ? textStart(lower - 1) : end, infos + lower, positions + lower, upper - lower, script, style,
          level, isRTL: true)
        upper = lower
      }
    } else {
      var lower = 0
      while lower < glyphCount {
        let from = lower == 0 ? start : textStart(lower)
        let cluster = unsafe infos[lower].cluster
        var upper = lower + 1
        while upper < glyphCount, unsafe infos[upper].cluster == cluster { upper += 1 }
        continueRun(position, script, style, level, mapsLetters: mapsLetters)
        unsafe appendGroup(
          from, upper < glyphCount ? textStart(upper) : end, infos + lower, positions + lower, upper - lower, script,
          style, level, isRTL: false)
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
    unsafe letters.withUnsafeBufferPointer {
      unsafe hb_buffer_add_utf16(buffer, $0.baseAddress, Int32($0.count), 0, Int32($0.count))
    }
    return map
  }

  /// Appends the clusters of one HarfBuzz cluster: one for each grapheme cluster in it. A ligature's advance is shared
  /// out evenly and its glyphs stay with the part that is drawn leftmost. What the face has no glyph for is a box, but a
  /// mark, which is left out.
  private func appendGroup(
    _ start: Int, _ end: Int, _ infos: UnsafePointer<hb_glyph_info_t>, _ positions: UnsafePointer<hb_glyph_position_t>,
    _ count: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8, isRTL: Bool
  ) {
    let unit = paragraph.units[start]
    let isUnsafe = unsafe infos.pointee.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0
    // One Latin letter and one glyph.
    if end == start + 1, count == 1, unit > 0x20, unit < 0x250, unit != 0xAD, unit != 0xA0,
      unsafe infos.pointee.codepoint != 0,
      unit < 0x7F || unit > 0xA0
    {
      unsafe appendCluster(
        start, glyph: glyphs.count, advance: positions.pointee.x_advance, isUnsafe ? .unsafeToBreakBefore : [], style)
      unsafe glyphs.append(glyph(infos.pointee, positions.pointee))
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
    for index in 0..<count where unsafe infos[index].codepoint != 0 {
      unsafe advance &+= positions[index].x_advance
      found += 1
    }
    var showsMissing = false
    if found < count {
      let face = faces[runs[runs.count - 1].face].face
      noteMissing(start, end, face)
      showsMissing = showsMissingGlyph(of: face)
      if !showsMissing, found == 0 || needsBox(start, end, face) {
        placeBoxes(start, end, script, style, level, isUnsafe: isUnsafe)
        return
      }
      flags.insert(.missingGlyph)
      if showsMissing { advance = (0..<count).reduce(0) { unsafe $0 &+ positions[$1].x_advance } }
    }
    func appendGlyphs() {
      for index in 0..<count where unsafe showsMissing || infos[index].codepoint != 0 {
        unsafe glyphs.append(glyph(infos[index], positions[index]))
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

  @inline(__always)
  private func glyph(_ info: hb_glyph_info_t, _ position: hb_glyph_position_t) -> ShapedGlyph {
    ShapedGlyph(
      id: UInt16(truncatingIfNeeded: info.codepoint), advance: position.x_advance, xOffset: position.x_offset,
      yOffset: position.y_offset)
  }
}
