import CSS
import Primitives
import Text

/// Stretches of equal attributes, cut into words, and where lines may break in them.
extension Shaper {
  /// A stretch of one set of attributes, cut where the bidi level changes.
  func shapeStretch(_ start: Int, _ end: Int, _ style: ShapingStyle?) {
    guard let style else {
      // Text without attributes cannot be drawn, yet every unit has its cluster.
      for index in start..<end {
        clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: [.ignorable]))
      }
      return
    }
    paragraph.stretchStart = start
    if style.hasSpacing { paragraph.wantsSpacing = true }
    if levels.count == 0 {
      shapeLevel(start, end, style, 0)
    } else {
      var index = start
      while index < end {
        let level = levels[index]
        var next = index + 1
        while next < end, levels[next] == level { next += 1 }
        shapeLevel(index, next, style, level)
        index = next
      }
    }
  }

  func shapeLevel(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    paragraph.posture = style.posture
    if style.combines != .none {
      shapeCombined(start, end, style, level)
    } else {
      shapeUncombined(start, end, style, level)
    }
  }

  func shapeUncombined(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    if style.space != .unknown, !isExhaustive {
      shapeWords(start, end, style, level)
    } else {
      shapeWhole(start, end, style, level)
    }
  }

  /// Word by word: nothing but kerning reaches across a space.
  func shapeWords(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    let base = unsafe paragraph.units.base
    let count = paragraph.units.count
    let kernsSpaces = style.space == .kerning && level & 1 == 0
    let latinWords =
      level & 1 == 0 && style.orientation != .upright ? latinWords(of: style, count: end - start) : nil
    // Taken out of its optional for each word, without being counted.
    let unmanagedWords = unsafe latinWords.map { unsafe Unmanaged.passUnretained($0) }
    defer { withExtendedLifetime(latinWords) {} }
    let baseKey = style.key << 11 | UInt32(level & 1)
    let baseSeed = ShapeCache.seed(baseKey)
    var index = start
    while index < end {
      let unit = unsafe base[index]
      if unit == 0x20, unsafe index + 1 == end || base[index + 1] < 0x300 || !Self.extendsCluster(base[index + 1]) {
        placeSpace(at: index, style, level)
        index += 1
        continue
      }
      if unit < 0x20 {
        placeControl(at: index, style, level)
        index += 1
        continue
      }
      if let words = unsafe unmanagedWords, index >= paragraph.analyzedEnd,
        unsafe index == 0 || Self.isSeparator(base[index - 1])
      {
        let stop = unsafe words._withUnsafeGuaranteedRef {
          placeLatinWord(index, end, style, level, by: $0, leadingSpace: kernsSpaces && index > start)
        }
        if stop > index {
          index = stop
          continue
        }
      }
      var key = baseKey
      var seed = baseSeed
      if !Self.hasOwnScript(unit) {
        // Marks and digits take the script before them.
        key |= (UInt32(paragraph.scripts.current.rawValue) + 1) << 1
        seed = ShapeCache.seed(key)
      }
      let limit = Swift.min(end, index + ShapeCache.longestWord)
      var hash = ShapeCache.combine(seed, unit)
      var stop = index + 1
      while stop < limit {
        let next = unsafe base[stop]
        if next <= 0x20 { break }
        hash = ShapeCache.combine(hash, next)
        stop += 1
      }
      // A word is shaped alone when spaces or the paragraph's ends are on both sides.
      let isWhole =
        unsafe (stop == count || Self.isSeparator(base[stop])) && (index == 0 || Self.isSeparator(base[index - 1]))
        && unit != 0x20 && index >= paragraph.analyzedEnd
      piece.kernsSpaceBefore = unsafe kernsSpaces && index > start && base[index - 1] == 0x20
      piece.kernsSpaceAfter = unsafe kernsSpaces && stop < end && base[stop] == 0x20
      if isWhole {
        if kernsSpaces {
          let sides = (piece.kernsSpaceBefore ? 1 : 0) | (piece.kernsSpaceAfter ? 2 : 0) as UInt32
          key |= sides << 9
          hash = ShapeCache.combine(hash, UInt16(sides))
        }
        placeWord(index, stop, style, level, key: key, hash: ShapeCache.finish(hash))
        index = stop
        continue
      }
      while stop < end, unsafe base[stop] > 0x20 { stop += 1 }
      piece.kernsSpaceAfter = unsafe kernsSpaces && stop < end && base[stop] == 0x20
      analyze(from: index, to: stop, style)
      shapePiece(index, stop, style, level, hasContext: true)
      index = stop
    }
  }

  /// The unit is a mark or joiner that belongs to the character before it.
  static func extendsCluster(_ unit: UInt16) -> Bool {
    let properties = CharacterProperties(UInt32(unit))
    return properties.category.isMark || properties.graphemeBreak == 3
  }

  /// The word's first unit is a letter of some script.
  @inline(__always)
  static func hasOwnScript(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A }
    return unit & 0xF800 != 0xD800 && CharacterProperties(UInt32(unit)).script.isReal
  }

  /// With the spaces inside the runs that HarfBuzz sees.
  func shapeWhole(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    analyze(from: start, to: end, style)
    piece.leaveSpaces()
    var index = start
    while index < end {
      if paragraph.units[index] < 0x20 {
        placeControl(at: index, style, level)
        index += 1
        continue
      }
      var stop = index + 1
      while stop < end, paragraph.units[stop] >= 0x20 { stop += 1 }
      shapePiece(index, stop, style, level, hasContext: true)
      index = stop
    }
  }

  @inline(__always) static func isSeparator(_ unit: UInt16) -> Bool { unit <= 0x20 || unit == 0x2028 || unit == 0x2029 }

  // MARK: Break opportunities

  /// Fills `marks` from where they end at least up to `end`, and on to the end of the word that goes beyond it.
  func analyze(from start: Int, to end: Int, _ style: ShapingStyle) {
    // An element that begins within a word has breaks of its own in the rest of it (CSS Text 3, section 5.2).
    let isRest = start < paragraph.analyzedEnd && style.tailoring.wordBreak != paragraph.analyzedWordBreak
    guard isRest || paragraph.analyzedEnd < end else { return }
    let first = isRest ? start : Swift.max(paragraph.analyzedEnd, start)
    var stop = end
    while stop < paragraph.units.count, !Self.isSeparator(paragraph.units[stop]) { stop += 1 }
    guard stop > first else { return }
    let text = paragraph.units
    let units = text.span.extracting(first..<stop)
    let before = marks[first]
    marks.withMutableSpan(first..<stop) {
      resources.analyzer.lineBreaks(units, tailoring: style.tailoring, into: &$0)
    }
    if let divider = style.divider { hyphenate(first, stop, divider) }
    if !paragraph.raised.isEmpty { bindRaised(first, stop) }
    marks[first] = isRest ? before : startKind(at: first, style)
    paragraph.analyzedEnd = stop
    paragraph.analyzedWordBreak = style.tailoring.wordBreak
  }

  /// A note mark or exponent stays with the character before it, and is not divided (JLREQ 3.1.10).
  private func bindRaised(_ start: Int, _ end: Int) {
    for range in paragraph.raised {
      for index in range.clamped(to: start..<Swift.max(start, end))
      where marks[index] & Mark.kindMask != BreakKind.mandatory && isBound(index) {
        marks[index] &= ~Mark.kindMask
      }
    }
  }

  /// A raised character that stays with the one before it.
  func isBoundRaised(_ index: Int) -> Bool { paragraph.raised.contains { $0.contains(index) } && isBound(index) }

  /// A character of raised text that is no word's first one.
  private func isBound(_ index: Int) -> Bool { index > 0 && !Self.isSeparator(paragraph.units[index - 1]) }

  /// The break opportunity before the first unit of a word or a space.
  @inline(__always)
  func startKind(at index: Int, _ style: ShapingStyle) -> UInt8 {
    guard index > 0 else { return BreakKind.none }
    let before = paragraph.units[index - 1]
    if before == 0x20 || before == 0x09 {
      let text = paragraph.units
      return style.isNowrap && index > paragraph.stretchStart
        || style.tailoring.strictness.isHouse && style.tailoring.keepsSpace(before: index, in: text.span)
        ? BreakKind.none : BreakKind.allowed
    }
    if before == 0x0A || before == 0x2028 || before == 0x2029 || before == 0x0D || before == 0x0C || before == 0x0B {
      return before == 0x0D && paragraph.units[index] == 0x0A ? BreakKind.none : BreakKind.mandatory
    }
    return BreakKind.none
  }

  /// The break opportunity before a unit of a piece, with `text-wrap-mode` and spaces taken into account.
  @inline(__always)
  func kind(at index: Int, _ style: ShapingStyle) -> UInt8 {
    let kind = marks[index] & Mark.kindMask
    if kind == BreakKind.none || kind == BreakKind.mandatory { return kind }
    if style.isNowrap, index > paragraph.stretchStart { return BreakKind.none }
    if paragraph.units[index] == 0x20, !style.tailoring.breaksEverySpace { return BreakKind.none }
    return kind
  }

  /// Marks the points of automatic hyphenation in the words between two positions.
  private func hyphenate(_ start: Int, _ end: Int, _ divider: WordDivider) {
    var index = start
    while index < end {
      while index < end, paragraph.units[index] <= 0x20 { index += 1 }
      var stop = index
      while stop < end, paragraph.units[stop] > 0x20 { stop += 1 }
      let (first, points) = hyphenationPoints(index, stop, divider)
      for point in points where marks[first + point] == BreakKind.none { marks[first + point] = BreakKind.hyphen }
      index = stop
    }
  }

  /// The points of automatic hyphenation in a word with the marks around it.
  ///
  /// - Returns: The position of its first letter, and the points from there on.
  func hyphenationPoints(
    _ start: Int, _ end: Int, _ divider: WordDivider
  ) -> (first: Int, points: HyphenationPoints) {
    let text = unsafe paragraph.units.base
    let isOfOneLanguage = end <= paragraph.languageEnd || start >= paragraph.languageEnd
    // Most words are a few letters of ASCII, with marks behind them or none.
    if isOfOneLanguage, start + ShortWord.capacity <= paragraph.units.count,
      let word = unsafe ShortWord(lettersAt: text + start)
    {
      var rest = start + word.count
      while rest < end, unsafe !isLetter(text[rest]) && !isTechnical(text[rest]) { rest += 1 }
      if rest == end { return (start, word.count >= 4 ? divider.points(in: word) : HyphenationPoints()) }
    }
    // The letters between the marks around the word; one other character inside, and it is left alone.
    var first = start
    var last = end
    while first < last, unsafe !isLetter(text[first]) { first += 1 }
    while last > first, unsafe !isLetter(text[last - 1]) { last -= 1 }
    let count = last - first
    guard count >= 4, count <= WordDivider.longestWord, isOfOneLanguage else { return (first, HyphenationPoints()) }
    var index = start
    while index < end {
      let unit = unsafe text[index]
      let isOrdinary = index >= first && index < last ? isWordPart(unit) : !isTechnical(unit)
      guard isOrdinary else { return (first, HyphenationPoints()) }
      index += 1
    }
    return unsafe (first, divider.points(in: UnsafeBufferPointer(start: text + first, count: count).span))
  }

  @inline(__always)
  func isLetter(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A }
    let category = CharacterProperties(UInt32(unit)).category
    return category.isLetter || category.isMark
  }
  /// The unit may stand in a word that is divided by a hyphen: scripts without spaces between words have none.
  @inline(__always)
  func isWordPart(_ unit: UInt16) -> Bool {
    unit == 0x27 || unit == 0x2019
      || isLetter(unit) && (unit < 0x0E00 || CharacterProperties(UInt32(unit)).lineBreak != .sa)
  }
  /// Digits and signs of which a number, an address or a name in a program is made: words with them are not divided.
  private func isTechnical(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x30...0x39, 0x23, 0x25, 0x26, 0x2B, 0x2F, 0x3D, 0x40, 0x5C, 0x5F, 0x7E: true
    default: unit >= 0x80 && CharacterProperties(UInt32(unit)).category == .decimalNumber
    }
  }
}
