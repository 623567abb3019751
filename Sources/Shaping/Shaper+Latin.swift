import Primitives
import Text

extension Shaper {
  /// The style's tables of Latin words, which are made when enough text is to be shaped; nil when it has none.
  ///
  /// - Parameter count: Characters of a stretch of text. Words that are longer than an item of HarfBuzz are always the table's, so that
  ///   the pairs where items meet are kerned.
  @inline(__always)
  func latinWords(of style: ShapingStyle, count: Int) -> LatinWords? {
    if !style.tables.hasLatinWords {
      style.makeLatinWords(isLong: count >= Self.longestItem) { unit in
        let traits = ClusterTraits(UInt32(unit), CharacterProperties(UInt32(unit)))
        let face = selectFace(traits, 0, 0, style, script: .latin, neighbour: -1)
        return isMapped(traits, face, style) ? -1 : face
      }
    }
    return style.tables.latinWords
  }

  /// Places a word of Latin letters that needs neither shaping nor breaking, straight from tables.
  ///
  /// - Returns: Where the word ends; `start` when it has to go another way.
  func placeLatinWord(
    _ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, by words: LatinWords, leadingSpace: Bool
  ) -> Int {
    let latin = unsafe words.units
    let before = paragraph.scripts.current
    let text = unsafe paragraph.units.base
    guard
      unsafe before == .latin || before == .common && style.defaultScript == .latin || Self.isLatinLetter(text[start])
    else {
      return start
    }
    var stop = start
    var kinds: UInt8 = 0
    var bits: UInt16 = 0
    while stop < end {
      let unit = unsafe text[stop]
      if unit <= 0x20 { break }
      let index = LatinUnit.index(unit)
      guard index >= 0 else { return start }
      let kind = unsafe latin[index].kind
      guard kind != 0 else { return start }
      kinds |= kind
      bits |= unit
      stop += 1
    }
    guard unsafe stop == paragraph.units.count || Self.isSeparator(text[stop]), kinds & 6 != 6 else { return start }

    openRun(style.primary, .latin, style, level, mapsLetters: false)
    let kernsSpaces = style.space == .kerning
    let kernsNextSpace = unsafe kernsSpaces && stop < end && text[stop] == 0x20
    let clusterCount = stop - start
    let glyphStart = glyphs.count
    let newClusters = unsafe clusters.extend(by: clusterCount)
    let newGlyphs = unsafe glyphs.extend(by: clusterCount)
    let isASCII = bits < 0x80
    let settled =
      unsafe isASCII
      ? Self.placePlain(
        (text + start, clusterCount), latin, words.pairs.asciiPairs.base, to: newClusters, newGlyphs,
        firstUnit: UInt32(truncatingIfNeeded: start), firstGlyph: UInt32(truncatingIfNeeded: glyphStart))
      : 0
    // Pairs that change something, from the first of them on; and the last letter, which a space may follow closer.
    var index = settled < clusterCount ? start + settled : stop - 1
    var flags = ClusterFlags.graphemeStart
    while settled < clusterCount || kernsNextSpace {
      let unit = unsafe text[index]
      let glyph = unsafe (latin + LatinUnit.index(unit)).pointee.glyph
      var advance = glyph.advance
      var nextFlags = ClusterFlags.graphemeStart
      if index + 1 < stop {
        let effect = unsafe words.pairs.quickEffect(
          unit, glyph, text[index + 1], latin[LatinUnit.index(text[index + 1])].glyph)
        if effect.startsLigature {
          clusters.removeLast(clusterCount)
          glyphs.removeLast(clusterCount)
          return start
        }
        advance &+= effect.first
        if effect.isUnsafe { nextFlags.formUnion(.unsafeToBreakBefore) }
      } else if kernsNextSpace {
        advance &+= words.pairs.quickEffect(unit, glyph, 0x20, words.pairs.glyph(0x20)).first
      }
      let offset = index - start
      unsafe newClusters[offset] = Cluster(
        text: UInt32(truncatingIfNeeded: index), glyph: UInt32(truncatingIfNeeded: glyphStart + offset),
        advance: advance, flags: flags)
      unsafe newGlyphs[offset] = ShapedGlyph(id: glyph.id, advance: advance, xOffset: 0, yOffset: 0)
      index += 1
      if index == stop { break }
      flags = nextFlags
    }
    unsafe newClusters.pointee.flags.formUnion(Self.flags(startKind(at: start, style)))
    if leadingSpace, unsafe text[start - 1] == 0x20, clusters.count > clusterCount {
      let effect = unsafe words.pairs.quickEffect(
        0x20, words.pairs.glyph(0x20), text[start], latin[LatinUnit.index(text[start])].glyph)
      if effect.first != 0 { widenSpace(at: clusters.count - clusterCount - 1, by: effect.first) }
    }
    if clusterCount >= 4, let divider = unsafe words.divider {
      let (first, points) = unsafe divider._withUnsafeGuaranteedRef { hyphenationPoints(start, stop, $0) }
      for point in points where !isBoundRaised(first + point) {
        unsafe newClusters[first + point - start].flags.formUnion(Self.flags(BreakKind.hyphen))
      }
    }
    countLatinWord()
    paragraph.scripts.advance(to: .latin)
    return stop
  }

  /// Places the letters of an ASCII word up to the first that does something to the next one. Returns how many.
  ///
  /// A function of its own, so that its few values stay in registers.
  @inline(never)
  private static func placePlain(
    _ word: (units: UnsafePointer<UInt16>, count: Int), _ latin: UnsafePointer<LatinUnit>,
    _ pairs: UnsafePointer<UInt8>, to clusters: UnsafeMutablePointer<Cluster>,
    _ glyphs: UnsafeMutablePointer<ShapedGlyph>, firstUnit: UInt32, firstGlyph: UInt32
  ) -> Int {
    var unit = unsafe Int(word.units[0])
    var index = 0
    while true {
      var nextUnit = 0
      if unsafe index &+ 1 < word.count {
        nextUnit = unsafe Int(word.units[index &+ 1])
        if unsafe pairs[unit << 7 | nextUnit] != 0 { return index }
      }
      let advance = unsafe latin[unit].glyph.advance
      unsafe (clusters + index).initialize(
        to: Cluster(
          text: firstUnit &+ UInt32(truncatingIfNeeded: index), glyph: firstGlyph &+ UInt32(truncatingIfNeeded: index),
          advance: advance, flags: .graphemeStart))
      unsafe (glyphs + index).initialize(
        to: ShapedGlyph(id: latin[unit].glyph.id, advance: advance, xOffset: 0, yOffset: 0))
      index &+= 1
      if unsafe index == word.count { return index }
      unit = nextUnit
    }
  }

  @inline(__always)
  private static func isLatinLetter(_ unit: UInt16) -> Bool {
    unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A || unit >= 0xC0 && unit < 0x250 && unit != 0xD7 && unit != 0xF7
  }
}
