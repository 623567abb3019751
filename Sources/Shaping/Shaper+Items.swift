import Text

/// Short items between others: words in a script that the style's own face lacks, and marks in vertical lines. They are shaped once,
/// as words are that stand between spaces.
extension Shaper {
  /// The item is short, and what stands around it does not change its shape: no letters are joined across its ends.
  @inline(__always)
  func isRepeated(_ start: Int, _ end: Int, _ script: Script) -> Bool {
    // The scripts beyond the first plane are among them some that join their letters.
    end - start <= ShapeCache.longestItem && !script.isCursive && !isExhaustive
      && paragraph.units[start] & 0xF800 != 0xD800
  }

  /// An item whose run is open: from the cache, or shaped and kept. Where lines may break in it is told by the text around.
  func placeItem(
    _ start: Int, _ end: Int, face: Int, script: Script, _ style: ShapingStyle, _ level: UInt8
  ) {
    let items = store.items
    let text = unsafe paragraph.units.base + start
    let count = end - start
    let key = style.key << 1 | UInt32(level & 1)
    var hash = ShapeCache.seed(key)
    hash = ShapeCache.combine(hash, UInt16(truncatingIfNeeded: face))
    hash = ShapeCache.combine(hash, UInt16(script.rawValue) << 8 | UInt16(paragraph.posture.rawValue))
    for index in 0..<count { hash = unsafe ShapeCache.combine(hash, text[index]) }
    hash = ShapeCache.finish(hash)
    let found = unsafe items.find(text, count: count, key: key, hash: hash)
    guard found >= 0 else {
      shapeNewItem(start, end, face: face, script: script, style, level, key: key, hash: hash)
      return
    }
    let entry = items.entries[found]
    guard Int(entry.face) == face, entry.script == UInt32(script.rawValue), entry.posture == paragraph.posture else {
      shapeAnew(start, end, face: face, script: script, mapsLetters: false, style, level, hasContext: false)
      return
    }
    if entry.hasIdeographs { paragraph.hasIdeographs = true }
    let firstGlyph = glyphs.count
    let source = unsafe items.clusters.base + Int(entry.clusterStart)
    for index in 0..<Int(entry.clusterCount) {
      let cluster = unsafe source[index]
      appendCluster(
        start + Int(cluster.text), glyph: firstGlyph + Int(cluster.glyph), advance: cluster.advance, cluster.flags,
        style)
    }
    let glyphCount = Int(entry.glyphCount)
    unsafe glyphs.extend(by: glyphCount).initialize(from: items.glyphs.base + Int(entry.glyphStart), count: glyphCount)
  }

  @inline(never)
  private func shapeNewItem(
    _ start: Int, _ end: Int, face: Int, script: Script, _ style: ShapingStyle, _ level: UInt8, key: UInt32,
    hash: UInt64
  ) {
    let firstCluster = clusters.count
    let firstGlyph = glyphs.count
    let missedBefore = counters.missingGlyphs
    let hadIdeographs = paragraph.hasIdeographs
    paragraph.hasIdeographs = false
    defer { if hadIdeographs { paragraph.hasIdeographs = true } }
    shapeAnew(start, end, face: face, script: script, mapsLetters: false, style, level, hasContext: false)
    let clusterCount = clusters.count - firstCluster
    let glyphCount = glyphs.count - firstGlyph
    // Items with missing glyphs, which are counted, are made anew each time.
    guard counters.missingGlyphs == missedBefore, clusterCount > 0, clusterCount < 0xFFFF, glyphCount < 0xFFFF,
      face < 0xFFFF
    else { return }
    let entry = ShapeCache.Entry(
      key: key, unitStart: 0, clusterStart: 0, glyphStart: 0, script: UInt32(script.rawValue),
      unitCount: UInt16(end - start), clusterCount: UInt16(clusterCount), glyphCount: UInt16(glyphCount),
      face: UInt16(face), leading: 0, mapsLetters: false, posture: paragraph.posture, endScript: script, isMixed: false,
      hasBrackets: false, hasIdeographs: paragraph.hasIdeographs)
    let made = unsafe clusters.base + firstCluster
    unsafe store.items.insert(
      paragraph.units.base + start, hash: hash, entry: entry, clusters: made,
      glyphs: glyphs.base + firstGlyph, textStart: UInt32(start), glyphStart: UInt32(firstGlyph),
      without: Self.textFlags)
  }

  /// The flags that clusters have from the text around them (`appendCluster`).
  private static let textFlags: ClusterFlags = [
    .graphemeStart, .breakBefore, .mandatoryBreakBefore, .hyphenBreakBefore, .automaticHyphen,
  ]
}
