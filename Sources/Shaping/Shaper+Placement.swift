import CSS
import Fonts
import Primitives
import Text

/// Words, spaces and what has no glyphs, as clusters and runs.
extension Shaper {
  /// A word with nothing but spaces around it: from the cache, or shaped and kept.
  @inline(__always)
  func placeWord(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, key: UInt32, hash: UInt64) {
    counters.words += 1
    let word = unsafe paragraph.units.base + start
    let found = unsafe cache.find(word, count: end - start, key: key, hash: hash)
    guard found >= 0 else {
      shapeNewWord(start, end, style, level, key: key, hash: hash)
      return
    }
    let entry = cache.entries[found]
    if entry.hasBrackets || entry.isMixed {
      let isSimple =
        !paragraph.scripts.isMixed
        && (paragraph.scripts.current == .common || paragraph.scripts.current == entry.endScript)
      if entry.hasBrackets, !isSimple {
        shapeNewWord(start, end, style, level, key: key, hash: nil)
        return
      }
      passOver(start, end)
    } else {
      paragraph.scripts.advance(to: entry.endScript)
    }
    counters.hits += 1
    if entry.hasIdeographs { paragraph.hasIdeographs = true }
    if entry.leading != 0 { widenLastSpace(by: entry.leading) }
    let kind = startKind(at: start, style)
    paragraph.posture = entry.posture
    openRun(
      Int(entry.face), Script(rawValue: UInt8(truncatingIfNeeded: entry.script)), style, level,
      mapsLetters: entry.mapsLetters)
    let clusterCount = Int(entry.clusterCount)
    let glyphCount = Int(entry.glyphCount)
    let glyphStart = UInt32(truncatingIfNeeded: glyphs.count)
    let source = unsafe cache.clusters.base + Int(entry.clusterStart)
    let target = unsafe clusters.extend(by: clusterCount)
    let textStart = UInt32(truncatingIfNeeded: start)
    var index = 0
    while index < clusterCount {
      var cluster = unsafe source[index]
      cluster.text &+= textStart
      cluster.glyph &+= glyphStart
      unsafe (target + index).initialize(to: cluster)
      index += 1
    }
    unsafe target.pointee.flags.formUnion(Self.flags(kind))
    unsafe glyphs.extend(by: glyphCount).initialize(from: cache.glyphs.base + Int(entry.glyphStart), count: glyphCount)
    paragraph.posture = style.posture
  }

  /// Tells the script resolver of characters that are not shaped anew.
  func passOver(_ start: Int, _ end: Int) {
    var index = start
    while index < end {
      let (scalar, length) = paragraph.units.scalar(at: index)
      _ = paragraph.scripts.resolve(scalar, CharacterProperties(scalar))
      index += length
    }
  }

  /// Shapes a word, and keeps the result under a hash.
  @inline(never)
  func shapeNewWord(
    _ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, key: UInt32, hash: UInt64?
  ) {
    let scriptBefore = paragraph.scripts.current
    let wasMixed = paragraph.scripts.isMixed
    let known = paragraph.analyzedEnd
    analyze(from: start, to: end, style)
    paragraph.analyzedEnd = known
    let clusterStart = clusters.count
    let glyphStart = glyphs.count
    piece.runChanges = 0
    let missedBefore = counters.missingGlyphs
    let hadIdeographs = paragraph.hasIdeographs
    paragraph.hasIdeographs = false
    defer { if hadIdeographs { paragraph.hasIdeographs = true } }
    shapePiece(start, end, style, level, hasContext: false)
    let clusterCount = clusters.count - clusterStart
    let glyphCount = glyphs.count - glyphStart
    var hasBrackets = false
    for index in start..<end where CharacterProperties(UInt32(paragraph.units[index])).bracketType != 0 {
      hasBrackets = true
    }
    if hasBrackets, wasMixed || scriptBefore != .common && scriptBefore != paragraph.scripts.current { return }
    // Words of several faces, and words with missing glyphs (which are counted), are made anew each time.
    guard let hash, piece.runChanges == 1, runs.count > 0, counters.missingGlyphs == missedBefore, clusterCount > 0,
      clusterCount < 0xFFFF,
      glyphCount < 0xFFFF, runs[runs.count - 1].face < 0xFFFF
    else { return }
    let run = runs[runs.count - 1]
    let entry = ShapeCache.Entry(
      key: key, unitStart: 0, clusterStart: 0, glyphStart: 0, script: UInt32(run.script.rawValue),
      unitCount: UInt16(end - start), clusterCount: UInt16(clusterCount), glyphCount: UInt16(glyphCount),
      face: UInt16(run.face), leading: piece.leading, mapsLetters: run.mapsLetters, posture: run.posture,
      endScript: paragraph.scripts.current,
      isMixed: paragraph.scripts.isMixed && !wasMixed, hasBrackets: hasBrackets,
      hasIdeographs: paragraph.hasIdeographs)
    let first = clusters[clusterStart]
    clusters[clusterStart].flags.subtract([.breakBefore, .mandatoryBreakBefore, .hyphenBreakBefore, .automaticHyphen])
    counters.kept += 1
    unsafe cache.insert(
      paragraph.units.base + start, hash: hash, entry: entry,
      clusters: clusters.base + clusterStart,
      glyphs: glyphs.base + glyphStart, textStart: UInt32(start), glyphStart: UInt32(glyphStart))
    clusters[clusterStart] = first
  }

  /// Kerning between a space and the word after it changes the space.
  func widenLastSpace(by amount: Int32) { widenSpace(at: clusters.count - 1, by: amount) }

  func widenSpace(at index: Int, by amount: Int32) {
    guard index >= 0 else { return }
    let glyph = Int(clusters[index].glyph)
    guard clusters[index].flags.contains(.space), glyph < glyphs.count else { return }
    clusters[index].advance &+= amount
    glyphs[glyph].advance &+= amount
  }

  @inline(__always) func countLatinWord() {
    counters.words += 1
    counters.plainWords += 1
  }

  @inline(__always)
  func placeSpace(at index: Int, _ style: ShapingStyle, _ level: UInt8) {
    openRun(style.primary, .common, style, level, mapsLetters: false)
    var flags: ClusterFlags = [.space, .wordSeparator, .graphemeStart]
    if index > 0 {
      let before = paragraph.units[index - 1]
      if before < 0x20 && before != 0x09 || before == 0x2028 {
        flags.formUnion(Self.flags(startKind(at: index, style)))
      } else if style.tailoring.breaksEverySpace, !style.isNowrap,
        LineBreakTailoring.isSpace(before) || style.tailoring.strictness == .anywhere
      {
        flags.insert(.breakBefore)
      }
    }
    clusters.append(
      Cluster(
        text: UInt32(truncatingIfNeeded: index), glyph: UInt32(truncatingIfNeeded: glyphs.count),
        advance: style.spaceAdvance, flags: flags))
    glyphs.append(ShapedGlyph(id: style.spaceGlyph, advance: style.spaceAdvance, xOffset: 0, yOffset: 0))
  }

  /// A preserved tab, or a control character, which is not shown.
  func placeControl(at index: Int, _ style: ShapingStyle, _ level: UInt8) {
    openRun(style.primary, .common, style, level, mapsLetters: false)
    var flags: ClusterFlags =
      paragraph.units[index] == 0x09 ? [.space, .tab, .graphemeStart] : [.ignorable, .graphemeStart]
    let kind = startKind(at: index, style)
    if kind == BreakKind.mandatory || paragraph.units[index] != 0x09 || style.tailoring.breaksEverySpace {
      flags.formUnion(Self.flags(kind))
    }
    clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: flags))
  }

  /// An atomic inline, a forced break or a bidi control.
  func placeSpecial(_ kind: RunKind, at index: Int, _ style: ShapingStyle?, _ base: UInt8) {
    guard let style else {
      clusters.append(
        Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: [.object, .graphemeStart]))
      return
    }
    let level = levels.count == 0 ? 0 : levels[index]
    paragraph.stretchStart = index
    if paragraph.analyzedEnd <= index, !Self.isSeparator(paragraph.units[index]) {
      analyze(from: index, to: index + 1, style)
    }
    var flags: ClusterFlags = kind == .bidiControl ? [.ignorable] : [.object, .graphemeStart]
    let isFresh = index == 0 || Self.isSeparator(paragraph.units[index - 1])
    let mark =
      isFresh || Self.isSeparator(paragraph.units[index])
      ? startKind(at: index, style) : self.kind(at: index, style)
    // A forced break after a space does not itself start a line.
    if kind != .lineBreak || mark == BreakKind.mandatory { flags.formUnion(Self.flags(mark)) }
    openRun(style.primary, .common, style, level, mapsLetters: false)
    clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: flags))
  }

  /// The flags of a `BreakKind`.
  @inline(__always)
  static func flags(_ kind: UInt8) -> ClusterFlags {
    switch kind {
    case BreakKind.none: []
    case BreakKind.allowed: .breakBefore
    case BreakKind.mandatory: [.mandatoryBreakBefore, .breakBefore]
    default: [.breakBefore, .hyphenBreakBefore, .automaticHyphen]
    }
  }

  /// Makes the last run one of these values. A common script joins what it stands beside.
  @inline(__always)
  func openRun(_ face: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8, mapsLetters: Bool) {
    // OpenType has one script for both kinds of kana.
    let script = script == .hiragana ? Script.katakana : script
    if runs.count > 0 {
      let last = runs.count - 1
      if runs[last].face == face, runs[last].level == level, runs[last].attributes == style.id,
        runs[last].mapsLetters == mapsLetters, runs[last].posture == paragraph.posture
      {
        if runs[last].script == script || script == .common {
          if piece.runChanges == 0 { piece.runChanges = 1 }
          return
        }
        if runs[last].script == .common {
          runs[last].script = script
          if piece.runChanges == 0 { piece.runChanges = 1 }
          return
        }
      }
    }
    piece.runChanges += 1
    let (scale, size) = scale(of: face, style, mapsLetters: mapsLetters)
    runs.append(
      PendingRun(
        face: face, attributes: style.id, level: level, script: script, mapsLetters: mapsLetters,
        posture: paragraph.posture,
        clusterStart: clusters.count, glyphStart: glyphs.count, scale: scale, size: size))
  }

  /// CSS px in a font unit, and the size drawn: with `font-size-adjust` (CSS Fonts 5), small capitals and subscripts.
  func scale(of position: Int, _ style: ShapingStyle, mapsLetters: Bool) -> (Float, Float) {
    let face = faces[position].face
    let metrics = face.metrics
    let em = Float(Swift.max(1, metrics.unitsPerEm))
    var size = style.size
    if let adjust = style.sizeAdjust { size *= adjust.scale(of: metrics, primary: style.cascade.primary.metrics) }
    if mapsLetters, style.mathAlphabet == nil { size = Swift.max(1, (size * Self.smallCapsScale).rounded()) }
    if let synthesis = faces[position].synthesis(of: style.position) { size *= synthesis.size }
    return (size / em, size * face.sizeAdjust)
  }

  /// The size of synthesised small capitals, to be rounded to whole px as browsers do.
  private static let smallCapsScale: Float = 0.7

  func finish(into shaped: inout ShapedText) {
    clusters.append(
      Cluster(
        text: UInt32(paragraph.units.count), glyph: UInt32(glyphs.count), advance: 0,
        flags: paragraph.units.isEmpty || !Self.isForcedBreak(paragraph.units[paragraph.units.count - 1])
          ? [] : [.mandatoryBreakBefore, .breakBefore]))
    appendRuns(to: &shaped, clusterOffset: 0, glyphOffset: 0, clusterEnd: clusters.count - 1)
    unsafe shaped.clusters.append(contentsOf: clusters.all)
    unsafe shaped.glyphs.append(contentsOf: glyphs.all)
  }

  func appendRuns(to shaped: inout ShapedText, clusterOffset: Int, glyphOffset: Int, clusterEnd: Int) {
    for index in 0..<runs.count {
      let run = runs[index]
      let isLast = index + 1 == runs.count
      let clusterStop = isLast ? clusterEnd : runs[index + 1].clusterStart
      let glyphStop = isLast ? glyphs.count : runs[index + 1].glyphStart
      var made = ShapedRun(
        font: faces[run.face].face.id, attributes: run.attributes, level: run.level,
        script: (run.script.isReal ? run.script : styles[run.attributes]?.defaultScript ?? .latin).tag,
        scale: run.scale, size: run.size, isSideways: run.posture == .sideways,
        clusters: run.clusterStart + clusterOffset..<clusterStop + clusterOffset,
        glyphs: run.glyphStart + glyphOffset..<glyphStop + glyphOffset)
      if run.posture != .upright { settle(&made, run, run.glyphStart..<glyphStop) }
      raise(&made, run, run.glyphStart..<glyphStop)
      shaped.runs.append(made)
    }
  }

  /// Moves glyphs that are made subscripts or superscripts; the line does not follow them.
  private func raise(_ made: inout ShapedRun, _ run: PendingRun, _ range: Range<Int>) {
    guard let style = styles[run.attributes], style.position != .normal,
      style.orientation == nil || run.posture == .sideways,
      let synthesis = faces[run.face].synthesis(of: style.position)
    else { return }
    let height = (synthesis.raise / synthesis.size * Float(faces[run.face].face.metrics.unitsPerEm)).rounded()
    made.lowering &-= Int32(height)
    for index in range { glyphs[index].yOffset &+= Int32(height) }
  }

  static func isForcedBreak(_ unit: UInt16) -> Bool { unit == 0x0A || unit == 0x2028 || unit == 0x2029 }
}
