import CHarfBuzz
import CSS
import Fonts
import Primitives
import Text

extension Shaper {
  /// HarfBuzz gets at most about this many units at once.
  static let longestItem = 8000
  /// A cluster of more scalars is cut, so that marks piled on one letter stay linear.
  private static let longestCluster = 64
  /// After so many ignorable characters in a row the rest bypasses HarfBuzz, whose lookups would step over them one by one.
  private static let longestIgnorables = 16

  /// The attributes that the units since `start` have in common.
  private struct Item {
    var start: Int
    var face = -1
    var script = Script.common
    var mapsLetters = false
    /// Each cluster is one unit.
    var isSimple = true
    var posture = Posture.upright
  }

  /// Shapes units of one level and one set of attributes, whose `marks` are known.
  ///
  /// - Parameter hasContext: `true` if letters join those before and after the piece.
  func shapePiece(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, hasContext: Bool) {
    var graphemes = GraphemeClusters.State()
    var item = Item(start: start)
    let orientation = style.orientation
    // Upright glyphs in vertical lines are as tall as the face says there; kerning is for lines along the glyphs.
    item.posture = style.posture
    defer { paragraph.posture = style.posture }
    piece.start = start
    piece.end = end
    piece.leading = 0
    var ignorables = 0
    var index = start
    let usesDirectWay = level & 1 == 0 && !isExhaustive

    var (scalar, length) = paragraph.units.scalar(at: start)
    var properties = CharacterProperties(scalar)
    _ = graphemes.startsCluster(properties)
    while index < end {
      var traits = ClusterTraits(scalar, properties)
      var clusterEnd = index + length
      marks[index] |= Mark.graphemeStart
      while clusterEnd < end {
        (scalar, length) = paragraph.units.scalar(at: clusterEnd)
        properties = CharacterProperties(scalar)
        if graphemes.startsCluster(properties) { break }
        if traits.count == Self.longestCluster { break }
        traits.add(scalar, properties)
        clusterEnd += length
      }

      let base = traits.base
      let isIgnorable = traits.count == 1 && Self.isInvisible(base, traits.properties)
      if isIgnorable {
        ignorables += 1
        if ignorables > Self.longestIgnorables || base < 0x20 || base == 0x7F {
          flush(item, index, style, level, hasContext)
          let face = item.face >= 0 ? item.face : style.primary
          item = Item(start: clusterEnd, face: item.face, script: item.script, posture: item.posture)
          paragraph.posture = item.posture
          openRun(face, .common, style, level, mapsLetters: false)
          appendCluster(index, glyph: glyphs.count, advance: 0, Self.invisibleFlags, style)
          index = clusterEnd
          continue
        }
      } else {
        ignorables = 0
      }
      let script = paragraph.scripts.resolve(base, traits.properties)
      let face =
        isIgnorable
        ? item.face >= 0 ? item.face : style.primary
        : selectFace(traits, index, clusterEnd, style, script: script, neighbour: item.face)
      let isSmall = isMapped(traits, face, style)
      var stance = Posture.upright
      if let orientation { stance = isIgnorable ? item.posture : self.stance(traits, face, orientation, script) }

      // An ideograph or mark that no lookup touches.
      if usesDirectWay, clusterEnd == index + 1, !isSmall, base >= 0x2E80, !isIgnorable,
        EastAsianSpacing.isIdeographic(base, traits.properties)
      {
        let real = script.isReal ? script : style.defaultScript
        let glyph =
          ShapingStyle.isSimple(real)
          ? style.pairTable(of: faces[face], at: face, script: real).glyph(UInt16(base)) : PlainGlyph.none
        if glyph.isFree, orientation == nil || stance == .sideways || !faces[face].hasVerticalForm(glyph.id) {
          flush(item, index, style, level, hasContext)
          if orientation != nil {
            paragraph.posture = stance
            item = Item(start: clusterEnd, posture: stance)
            if stance == .upright {
              openRun(face, .common, style, level, mapsLetters: false)
              placeUpright(glyph.id, at: index, baseFlags(base, traits.properties, script), face, style)
              index = clusterEnd
              continue
            }
          }
          openRun(face, .common, style, level, mapsLetters: false)
          appendCluster(
            index, glyph: glyphs.count, advance: glyph.advance, baseFlags(base, traits.properties, script), style)
          glyphs.append(ShapedGlyph(id: glyph.id, advance: glyph.advance, xOffset: 0, yOffset: 0))
          index = clusterEnd
          if script == .han, index < end, orientation == nil { placeIdeographs(&index, end, face, style, level) }
          item = Item(start: index, posture: stance)
          if index > clusterEnd, index < end {
            (scalar, length) = paragraph.units.scalar(at: index)
            properties = CharacterProperties(scalar)
            graphemes = GraphemeClusters.State()
            _ = graphemes.startsCluster(properties)
          }
          continue
        }
      }

      if item.face < 0 {
        let isSimple = item.isSimple && item.start == index
        item = Item(
          start: item.start, face: face, script: script, mapsLetters: isSmall, isSimple: isSimple, posture: stance)
      } else if stance != item.posture || face != item.face || isSmall != item.mapsLetters
        || index - item.start >= Self.longestItem
        || (script.isReal && item.script.isReal && script != item.script) || traits.count == Self.longestCluster
      {
        flush(item, index, style, level, hasContext)
        item = Item(start: index, face: face, script: script, mapsLetters: isSmall, posture: stance)
      } else if script.isReal {
        item.script = script
      }
      if clusterEnd != index + 1 || isIgnorable { item.isSimple = false }
      index = clusterEnd
    }
    flush(item, end, style, level, hasContext)
  }

  /// Places the ideographs of the common block that follow one, as long as the face has them and nothing touches them.
  private func placeIdeographs(_ index: inout Int, _ end: Int, _ face: Int, _ style: ShapingStyle, _ level: UInt8) {
    let table = style.pairTable(of: faces[face], at: face, script: .han)
    let tables = style.tables
    let text = unsafe paragraph.units.base
    let marks = unsafe self.marks.base
    let start = index
    let room = end - start
    let firstGlyph = glyphs.count
    let newClusters = unsafe clusters.extend(by: room)
    let newGlyphs = unsafe glyphs.extend(by: room)
    let plain = ClusterFlags.ideographic.union(.graphemeStart)
    let breaking = style.isNowrap ? plain : plain.union(.breakBefore)
    var count = 0
    while count < room {
      let position = start &+ count
      let unit = unsafe text[position]
      guard unit >= 0x4E00, unit < 0xA000, tables.knownFace(UInt32(unit)) == face else { break }
      let glyph = table.glyph(unit)
      guard glyph.isFree, unsafe count &+ 1 == room || Self.startsCluster(text[position &+ 1]) else { break }
      let mark = unsafe marks[position]
      unsafe marks[position] = mark | Mark.graphemeStart
      // After an ideograph no break is forced, and none takes a hyphen.
      let flags = mark & Mark.kindMask == BreakKind.none ? plain : breaking
      unsafe (newClusters + count).initialize(
        to: Cluster(
          text: UInt32(truncatingIfNeeded: position), glyph: UInt32(truncatingIfNeeded: firstGlyph &+ count),
          advance: glyph.advance, flags: flags))
      unsafe (newGlyphs + count).initialize(
        to: ShapedGlyph(id: glyph.id, advance: glyph.advance, xOffset: 0, yOffset: 0))
      count &+= 1
    }
    clusters.removeLast(room - count)
    glyphs.removeLast(room - count)
    index = start + count
  }

  /// The unit that follows an ideograph certainly starts a cluster: no mark, no variation selector.
  @inline(__always)
  private static func startsCluster(_ unit: UInt16) -> Bool {
    unit >= 0x4E00 && unit < 0xA000 || unit < 0x300 || unit >= 0x3000 && unit < 0x302A
      || unit >= 0x3040 && unit < 0x3099
      || unit >= 0x309B && unit < 0x4E00 || unit >= 0xFF01 && unit < 0xFF9E
  }

  private func flush(_ item: Item, _ end: Int, _ style: ShapingStyle, _ level: UInt8, _ hasContext: Bool) {
    guard end > item.start else { return }
    let face = item.face >= 0 ? item.face : style.primary
    let script = item.script.isReal ? item.script : style.defaultScript
    paragraph.posture = item.posture
    if item.isSimple, paragraph.posture == style.posture, style.orientation != .upright, level & 1 == 0,
      !item.mapsLetters,
      !isExhaustive, ShapingStyle.isSimple(script),
      placePlain(item.start, end, face, script, style, level)
    {
      return
    }
    shapeItem(
      item.start, end, face: face, script: script, mapsLetters: item.mapsLetters, style, level, hasContext: hasContext)
  }

  /// Places characters glyph by glyph with kerning between, if that is all they need.
  private func placePlain(
    _ start: Int, _ end: Int, _ position: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8
  ) -> Bool {
    let table = style.pairTable(of: faces[position], at: position, script: script)
    guard table.isWorthwhile(for: end - start) else { return false }
    let text = unsafe paragraph.units.base
    var index = start
    var current = unsafe table.glyph(text[start])
    var last = current
    while index < end {
      let glyph = unsafe table.glyph(text[index])
      guard glyph.isPlain else { return false }
      if index > start, unsafe table.effect(text[index - 1], last, text[index], glyph).startsLigature { return false }
      last = glyph
      index += 1
    }
    openRun(position, script, style, level, mapsLetters: false)
    let space = table.glyph(0x20)
    var before = PairEffect()
    if piece.kernsSpaceBefore, start == piece.start, position == style.primary {
      before = unsafe table.effect(0x20, space, text[start], current)
      before.isUnsafe = false
      if before.first != 0 {
        piece.leading = before.first
        widenLastSpace(by: before.first)
      }
    }
    index = start
    while index < end {
      var after = PairEffect()
      var next = space
      if index + 1 < end {
        next = unsafe table.glyph(text[index + 1])
        after = unsafe table.effect(text[index], current, text[index + 1], next)
      } else if piece.kernsSpaceAfter, end == piece.end, position == style.primary {
        after = unsafe table.effect(text[index], current, 0x20, space)
      }
      let advance = current.advance &+ before.second &+ after.first
      let unit = unsafe text[index]
      var flags: ClusterFlags = before.isUnsafe ? .unsafeToBreakBefore : []
      if unit >= 0x1680 || unit == 0x20 {
        flags.formUnion(baseFlags(UInt32(unit), CharacterProperties(UInt32(unit)), script))
      }
      appendCluster(index, glyph: glyphs.count, advance: advance, flags, style)
      glyphs.append(ShapedGlyph(id: current.id, advance: advance, xOffset: before.second, yOffset: 0))
      before = after
      current = next
      index += 1
    }
    return true
  }

  /// The letter of a style's mathematical alphabet that a letter is shaped as; nil where the face does not have it.
  func mathLetter(of letter: UInt32, _ face: FontFace, _ style: ShapingStyle) -> UInt32? {
    guard let form = style.mathAlphabet?.form(of: letter), form != letter, face.covers(form) else { return nil }
    return form
  }

  /// The letter is shaped as another: as a small capital that the face does not have (CSS Fonts 4, section 6.8), or as
  /// a letter of formulas that the face has.
  func isMapped(_ traits: ClusterTraits, _ position: Int, _ style: ShapingStyle) -> Bool {
    // Most styles change no letters.
    guard style.mathAlphabet != nil || style.synthesizesSmallCaps else { return false }
    let face = faces[position]
    if style.mathAlphabet != nil { return traits.count == 1 && mathLetter(of: traits.base, face.face, style) != nil }
    let category = traits.properties.category
    let isPetite = style.caps == .petiteCaps || style.caps == .allPetiteCaps
    if category == .lowercaseLetter, style.caps != .unicase {
      if face.hasFeature(HarfBuzzTag.smcp) || isPetite && face.hasFeature(HarfBuzzTag.pcap) { return false }
      // ß is two capitals. A letter whose capital the face lacks stays as it is.
      let capital = traits.base == 0xDF ? 0x53 : CharacterMapping.upper(traits.base)
      return capital != traits.base && face.face.covers(capital)
    }
    if style.caps == .unicase {
      return category == .uppercaseLetter && !face.hasFeature(HarfBuzzTag.unic) && !face.hasFeature(HarfBuzzTag.c2sc)
    }
    guard style.caps == .allSmallCaps || style.caps == .allPetiteCaps else { return false }
    if face.hasFeature(HarfBuzzTag.c2sc) || isPetite && face.hasFeature(HarfBuzzTag.c2pc) { return false }
    // Figures and spaces go with the letters.
    return true
  }

  /// The character has no glyph of its own: default ignorables and controls.
  @inline(__always)
  static func isInvisible(_ scalar: UInt32, _ properties: CharacterProperties) -> Bool {
    properties.isDefaultIgnorable || properties.category == .control
      || scalar == 0x2028 || scalar == 0x2029
  }

  static let invisibleFlags: ClusterFlags = [.ignorable]

  /// The flags that a cluster has from its first character.
  @inline(__always)
  func baseFlags(_ scalar: UInt32, _ properties: CharacterProperties, _ script: Script) -> ClusterFlags {
    if scalar < 0x0250 {
      return scalar == 0x20 ? [.space, .wordSeparator] : scalar == 0xA0 ? .wordSeparator : []
    }
    var flags: ClusterFlags = []
    switch scalar {
    case 0x1361, 0x10100, 0x10101, 0x1039F, 0x1091F: flags = .wordSeparator
    case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F: flags = .space
    case 0x3000: flags = [.space, .ideographic]
    default:
      if EastAsianSpacing.isIdeographic(scalar, properties) {
        flags = .ideographic
        paragraph.hasIdeographs = true
      } else if script == .hangul {
        paragraph.hasIdeographs = true
      }
    }
    if script.isCursive, properties.category.isLetter || properties.category.isMark || properties.category.isNumber {
      flags.insert(.cursive)
    }
    return flags
  }

  /// Appends a cluster that starts at a unit, with the flags of what may happen before it.
  @inline(__always)
  func appendCluster(_ start: Int, glyph: Int, advance: Int32, _ flags: ClusterFlags, _ style: ShapingStyle) {
    var flags = flags
    let mark = marks[start]
    if mark & Mark.graphemeStart != 0 { flags.insert(.graphemeStart) }
    if mark & Mark.kindMask != 0 {
      let kind = kind(at: start, style)
      flags.formUnion(Self.flags(kind))
      if kind == BreakKind.allowed, start > 0, paragraph.units[start - 1] == 0xAD {
        flags.insert(.hyphenBreakBefore)
      }
    }
    clusters.append(
      Cluster(
        text: UInt32(truncatingIfNeeded: start), glyph: UInt32(truncatingIfNeeded: glyph), advance: advance,
        flags: flags))
  }
}
