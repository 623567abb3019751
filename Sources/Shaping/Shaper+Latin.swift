import Primitives
import Text

extension Shaper {
  /// Makes a style's table of Latin characters when it is first used; whether it has one.
  @inline(__always)
  func prepareLatin(_ style: ShapingStyle) -> Bool {
    if !style.tables.hasLatin {
      style.makeLatin { unit in
        let traits = ClusterTraits(UInt32(unit), CharacterProperties(UInt32(unit)))
        return selectFace(traits, 0, 0, style, script: .latin, neighbour: -1)
      }
    }
    return style.tables.latin != nil
  }

  /// Places a word of Latin letters that needs neither shaping nor breaking, straight from the style's table.
  ///
  /// - Returns: Where the word ends; `start` when it has to go another way.
  func placeLatinWord(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, leadingSpace: Bool) -> Int {
    guard let latin = style.tables.latin, let table = style.tables.latinTable else { return start }
    let before = scripts.current
    guard before == .latin || before == .common && style.defaultScript == .latin || Self.isLatinLetter(units[start])
    else {
      return start
    }
    let text = units.baseAddress.unsafelyUnwrapped
    var stop = start
    var kinds: UInt8 = 0
    while stop < end {
      let unit = text[stop]
      if unit <= 0x20 { break }
      let index = LatinUnit.index(unit)
      guard index >= 0 else { return start }
      let kind = latin[index].kind
      guard kind != 0 else { return start }
      kinds |= kind
      stop += 1
    }
    guard stop == units.count || Self.isSeparator(text[stop]), kinds & 6 != 6 else { return start }

    openRun(style.primary, .latin, style, level, isSmallCaps: false)
    let kernsSpaces = style.space == .kerning
    let kernsNextSpace = kernsSpaces && stop < end && text[stop] == 0x20
    var current = latin[LatinUnit.index(text[start])].glyph
    let clusterCount = stop - start
    let glyphStart = glyphs.count
    let newClusters = clusters.extend(by: clusterCount)
    let newGlyphs = glyphs.extend(by: clusterCount)
    var flags: ClusterFlags = [.graphemeStart]
    var index = start
    while index < stop {
      var advance = current.advance
      var next = current
      var nextFlags: ClusterFlags = [.graphemeStart]
      if index + 1 < stop {
        next = latin[LatinUnit.index(text[index + 1])].glyph
        let effect = table.quickEffect(text[index], current, text[index + 1], next)
        if effect.startsLigature {
          clusters.removeLast(clusterCount)
          glyphs.removeLast(clusterCount)
          return start
        }
        advance &+= effect.first
        if effect.isUnsafe { nextFlags.insert(.unsafeToBreakBefore) }
      } else if kernsNextSpace {
        advance &+= table.quickEffect(text[index], current, 0x20, table.glyph(0x20)).first
      }
      let offset = index - start
      (newClusters + offset).initialize(
        to: Cluster(
          text: UInt32(truncatingIfNeeded: index), glyph: UInt32(truncatingIfNeeded: glyphStart + offset),
          advance: advance,
          flags: flags))
      (newGlyphs + offset).initialize(to: ShapedGlyph(id: current.id, advance: advance, xOffset: 0, yOffset: 0))
      flags = nextFlags
      current = next
      index += 1
    }
    newClusters.pointee.flags.formUnion(Self.flags(startKind(at: start, style)))
    if leadingSpace, text[start - 1] == 0x20, clusters.count > clusterCount {
      let effect = table.quickEffect(0x20, table.glyph(0x20), text[start], latin[LatinUnit.index(text[start])].glyph)
      if effect.first != 0 { widenSpace(at: clusters.count - clusterCount - 1, by: effect.first) }
    }
    countLatinWord()
    scripts.advance(to: .latin)
    return stop
  }

  @inline(__always)
  private static func isLatinLetter(_ unit: UInt16) -> Bool {
    unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A || unit >= 0xC0 && unit < 0x250 && unit != 0xD7 && unit != 0xF7
  }
}
