import CHarfBuzz
import CSS
package import Fonts
package import Primitives
package import Text

/// A character that no font has.
package struct MissingGlyph: Sendable, Hashable {
  package var scalar: UInt32
  /// The first place.
  package var text: TextID
  package var offset: Int
}

/// Shapes the texts of one chapter: itemises, chooses faces, finds break opportunities, and calls HarfBuzz.
///
/// Where the face shows that nothing reaches across its space glyph, each distinct word is shaped once and copied from
/// then on, together with its break opportunities; ideographs that no lookup touches take their glyph and advance
/// directly; everything else is shaped in runs. Belongs to one thread.
package final class Shaper {
  package let fonts: FontBook
  package let settings: ShapingSettings
  package let resources: ShapingResources
  /// Characters that no font has, each once, in the order met.
  package private(set) var missingGlyphs: [MissingGlyph] = []
  /// Languages that asked for hyphenation and have no patterns, each once, in the order met.
  package private(set) var languagesWithoutPatterns: [String] = []

  // Faces and styles, by number and by attributes.
  var faces: [ShapingFace] = []
  var facePositions: [Int] = []
  private var styles: [ShapingStyle?] = []
  private var keys: [ShapeKey: UInt32] = [:]
  private var tables: [StyleTables] = []
  private var missing: Set<UInt32> = []

  // The paragraph being shaped.
  var units = UnsafeBufferPointer<UInt16>(start: nil, count: 0)
  private var textID = TextID.none
  /// For each unit a `BreakKind`, and `Mark` flags.
  let marks = GrowableBuffer<UInt8>(capacity: 1024)
  private let levels = GrowableBuffer<UInt8>(capacity: 1024)
  /// How far `marks` are known.
  private var analyzedEnd = 0
  /// The script of what precedes the position.
  var scripts = ScriptResolver()
  /// Where the current attributes begin, and whether the ones before them do not wrap.
  var stretchStart = 0
  var followsNowrap = false

  // What has been made of it.
  let runs = GrowableBuffer<PendingRun>(capacity: 64)
  let clusters = GrowableBuffer<Cluster>(capacity: 1024)
  let glyphs = GrowableBuffer<ShapedGlyph>(capacity: 1024)

  let cache = ShapeCache()
  var hyphens: [HyphenKey: HyphenGlyphs] = [:]
  let buffer: OpaquePointer
  /// How often `openRun` was told something new since a cached word was begun.
  var runChanges = 0
  /// Whether kerning with the spaces around the piece being shaped is wanted, and what it adds to the one before.
  var kernsSpaceBefore = false
  var kernsSpaceAfter = false
  var leading: Int32 = 0
  var pieceStart = 0
  var pieceEnd = 0
  /// Turns the cache and the direct way of ideographs off, to compare.
  package var isExhaustive = false

  private var paragraphCount = 0
  private var wordCount = 0
  private var hitCount = 0
  private var latinCount = 0
  private var unitCount = 0
  var shapeCalls = 0
  private var missingCount = 0

  struct PendingRun {
    var face: Int
    var attributes: ShapingAttributesID
    var level: UInt8
    var script: Script
    var isSmallCaps: Bool
    var isSideways: Bool
    var clusterStart: Int
    var glyphStart: Int
    var scale: Float
    var size: Float
  }

  /// Flags beside a `BreakKind` in `marks`.
  enum Mark {
    static let kindMask: UInt8 = 3
    static let graphemeStart: UInt8 = 4
  }

  package init(fonts: FontBook, settings: ShapingSettings, resources: ShapingResources = ShapingResources()) {
    self.fonts = fonts
    self.settings = settings
    self.resources = resources
    buffer = hb_buffer_create()
  }

  deinit {
    hb_buffer_destroy(buffer)
    marks.deallocate()
    levels.deallocate()
    runs.deallocate()
    clusters.deallocate()
    glyphs.deallocate()
    cache.deallocate()
  }

  /// Counters for `--stats`.
  package var statistics: StageStatistics {
    var statistics = StageStatistics()
    statistics.add("shaping.paragraphs", paragraphCount)
    statistics.add("shaping.units", unitCount)
    statistics.add("shaping.words", wordCount)
    statistics.add("shaping.cacheHits", hitCount)
    statistics.add("shaping.plainWords", latinCount)
    statistics.add("shaping.calls", shapeCalls)
    statistics.add("shaping.cachedWords", cache.entries.count)
    statistics.add("shaping.faces", faces.count)
    statistics.add("glyphs.missing", missingCount)
    return statistics
  }

  /// A warning for each character that no font has and each language without hyphenation patterns.
  ///
  /// - Parameter line: The line in the resource that a node stands on.
  package func diagnostics(
    in store: AttributedTextStore, resource: String, line: (NodeID) -> Int
  ) -> DiagnosticSink {
    var sink = DiagnosticSink()
    for missing in missingGlyphs {
      let node = store.sourcePosition(of: missing.offset, in: missing.text)?.node
      var code = String(missing.scalar, radix: 16, uppercase: true)
      while code.count < 4 { code = "0" + code }
      sink.warn("missing-glyph", resource: resource, line: node.map(line) ?? 0, "no font has U+\(code)")
    }
    for language in languagesWithoutPatterns {
      sink.warn("no-hyphenation", resource: resource, "there are no hyphenation patterns for the language \(language)")
    }
    return sink
  }

  /// Shapes one text, replacing what `shaped` holds.
  ///
  /// - Complexity: Linear in the text, whatever it holds: calls of HarfBuzz are bounded in length.
  package func shape(
    _ id: TextID, in store: AttributedTextStore, writingMode: WritingMode = .horizontalTB, into shaped: inout ShapedText
  ) {
    shaped.removeAll()
    let text = store[id]
    paragraphCount += 1
    unitCount += text.units.count
    store.units.withUnsafeBufferPointer { all in
      begin(UnsafeBufferPointer(rebasing: all[text.units]), id)
      var base: UInt8 = text.direction == .rtl ? 1 : 0
      let hasLevels = text.needsBidi || text.direction == .rtl
      if hasLevels {
        levels.resize(units.count)
        base = resources.analyzer.bidiLevels(units, direction: BidiDirection(text.direction), into: levels.base)
      } else {
        levels.removeAll()
      }
      shaped.baseLevel = base
      store.runs.withUnsafeBufferPointer { shapeRuns($0[text.runs], store, base) }
      finish(into: &shaped)
      units = UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  func begin(_ text: UnsafeBufferPointer<UInt16>, _ id: TextID) {
    units = text
    textID = id
    runs.removeAll()
    clusters.removeAll()
    glyphs.removeAll()
    marks.resize(text.count)
    analyzedEnd = 0
    followsNowrap = false
    scripts.reset()
  }

  /// Joins neighbours with equal attributes, also across the edges of inline boxes, and shapes them.
  private func shapeRuns(_ textRuns: Slice<UnsafeBufferPointer<Run>>, _ store: AttributedTextStore, _ base: UInt8) {
    var position = 0
    var pendingStart = 0
    var pending = ShapingAttributesID.none
    for run in textRuns {
      let end = Swift.min(Int(run.end), units.count)
      guard end > position else { continue }
      let attributes = store.attributes[run.attributes].shaping
      if run.kind == .text {
        if attributes != pending {
          if position > pendingStart { shapeStretch(pendingStart, position, style(pending, store)) }
          pending = attributes
          pendingStart = position
        }
      } else {
        if position > pendingStart { shapeStretch(pendingStart, position, style(pending, store)) }
        for index in position..<end { placeSpecial(run.kind, at: index, style(attributes, store), base) }
        pending = .none
        pendingStart = end
      }
      position = end
    }
    if position > pendingStart { shapeStretch(pendingStart, position, style(pending, store)) }
  }

  // MARK: Stretches of equal attributes

  /// A stretch of one set of attributes, cut where the bidi level changes.
  private func shapeStretch(_ start: Int, _ end: Int, _ style: ShapingStyle?) {
    guard let style else {
      // Without a single font nothing can be drawn, yet every unit has its cluster.
      for index in start..<end {
        clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: [.ignorable]))
      }
      return
    }
    stretchStart = start
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
    followsNowrap = style.isNowrap
  }

  private func shapeLevel(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    if style.space != .unknown, !isExhaustive {
      shapeWords(start, end, style, level)
    } else {
      shapeWhole(start, end, style, level)
    }
  }

  /// Word by word: nothing but kerning reaches across a space.
  private func shapeWords(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    let base = units.baseAddress.unsafelyUnwrapped
    let count = units.count
    let kernsSpaces = style.space == .kerning && level & 1 == 0
    let usesLatin = level & 1 == 0 && prepareLatin(style)
    let baseKey = style.key << 11 | UInt32(level & 1)
    let baseSeed = ShapeCache.seed(baseKey)
    var index = start
    while index < end {
      let unit = base[index]
      if unit == 0x20, index + 1 == end || base[index + 1] < 0x300 || !Self.extendsCluster(base[index + 1]) {
        placeSpace(at: index, style, level)
        index += 1
        continue
      }
      if unit < 0x20 {
        placeControl(at: index, style, level)
        index += 1
        continue
      }
      if usesLatin, index >= analyzedEnd, index == 0 || Self.isSeparator(base[index - 1]) {
        let stop = placeLatinWord(index, end, style, level, leadingSpace: kernsSpaces && index > start)
        if stop > index {
          index = stop
          continue
        }
      }
      var key = baseKey
      var seed = baseSeed
      if !Self.hasOwnScript(unit) {
        // Marks and digits take the script before them.
        key |= (UInt32(scripts.current.rawValue) + 1) << 1
        seed = ShapeCache.seed(key)
      }
      let limit = Swift.min(end, index + ShapeCache.longestWord)
      var hash = ShapeCache.combine(seed, unit)
      var stop = index + 1
      while stop < limit {
        let next = base[stop]
        if next <= 0x20 { break }
        hash = ShapeCache.combine(hash, next)
        stop += 1
      }
      // A word is shaped alone when spaces or the paragraph's ends are on both sides.
      let isWhole =
        (stop == count || Self.isSeparator(base[stop])) && (index == 0 || Self.isSeparator(base[index - 1]))
        && unit != 0x20
        && index >= analyzedEnd
      kernsSpaceBefore = kernsSpaces && index > start && base[index - 1] == 0x20
      if isWhole {
        if kernsSpaces {
          kernsSpaceAfter = stop < end && base[stop] == 0x20
          let sides = (kernsSpaceBefore ? 1 : 0) | (kernsSpaceAfter ? 2 : 0) as UInt32
          key |= sides << 9
          hash = ShapeCache.combine(hash, UInt16(sides))
        }
        placeWord(index, stop, style, level, key: key, hash: ShapeCache.finish(hash))
        index = stop
        continue
      }
      while stop < end, base[stop] > 0x20 { stop += 1 }
      kernsSpaceAfter = kernsSpaces && stop < end && base[stop] == 0x20
      analyze(from: index, to: stop, style)
      shapePiece(index, stop, style, level, hasContext: true)
      index = stop
    }
  }

  /// Whether a unit is a mark or joiner that belongs to the character before it.
  private static func extendsCluster(_ unit: UInt16) -> Bool {
    let properties = CharacterProperties(UInt32(unit))
    return properties.category.isMark || properties.graphemeBreak == 3
  }

  /// Whether a word's first unit is a letter of some script.
  @inline(__always)
  private static func hasOwnScript(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A }
    return unit & 0xF800 != 0xD800 && CharacterProperties(UInt32(unit)).script.isReal
  }

  /// With the spaces inside the runs that HarfBuzz sees.
  private func shapeWhole(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8) {
    analyze(from: start, to: end, style)
    kernsSpaceBefore = false
    kernsSpaceAfter = false
    var index = start
    while index < end {
      if units[index] < 0x20 {
        placeControl(at: index, style, level)
        index += 1
        continue
      }
      var stop = index + 1
      while stop < end, units[stop] >= 0x20 { stop += 1 }
      shapePiece(index, stop, style, level, hasContext: true)
      index = stop
    }
  }

  @inline(__always) static func isSeparator(_ unit: UInt16) -> Bool { unit <= 0x20 || unit == 0x2028 || unit == 0x2029 }

  // MARK: Break opportunities

  /// Fills `marks` from where they end at least up to `end`, and on to the end of the word that goes beyond it.
  private func analyze(from start: Int, to end: Int, _ style: ShapingStyle) {
    guard analyzedEnd < end else { return }
    let first = Swift.max(analyzedEnd, start)
    var stop = end
    while stop < units.count, !Self.isSeparator(units[stop]) { stop += 1 }
    guard stop > first else { return }
    resources.analyzer.lineBreaks(
      UnsafeBufferPointer(rebasing: units[first..<stop]), tailoring: style.tailoring, into: marks.base + first)
    if style.dictionary != nil { hyphenate(first, stop, style) }
    marks[first] = startKind(at: first, style)
    analyzedEnd = stop
  }

  /// What may happen before the first unit of a word or a space.
  @inline(__always)
  func startKind(at index: Int, _ style: ShapingStyle) -> UInt8 {
    guard index > 0 else { return BreakKind.none }
    let before = units[index - 1]
    if before == 0x20 || before == 0x09 {
      return style.isNowrap && (index > stretchStart || followsNowrap) ? BreakKind.none : BreakKind.allowed
    }
    if before == 0x0A || before == 0x2028 || before == 0x2029 || before == 0x0D || before == 0x0C || before == 0x0B {
      return before == 0x0D && units[index] == 0x0A ? BreakKind.none : BreakKind.mandatory
    }
    return BreakKind.none
  }

  /// What may happen before a unit of a piece, with `text-wrap-mode` and spaces taken into account.
  @inline(__always)
  func kind(at index: Int, _ style: ShapingStyle) -> UInt8 {
    let kind = marks[index] & Mark.kindMask
    if kind == BreakKind.none || kind == BreakKind.mandatory { return kind }
    if style.isNowrap, index > stretchStart || followsNowrap { return BreakKind.none }
    if units[index] == 0x20, !style.tailoring.breaksEverySpace { return BreakKind.none }
    return kind
  }

  /// Marks the points of automatic hyphenation in the words between two positions.
  private func hyphenate(_ start: Int, _ end: Int, _ style: ShapingStyle) {
    guard let dictionary = style.dictionary else { return }
    var index = start
    while index < end {
      while index < end, units[index] <= 0x20 { index += 1 }
      var stop = index
      while stop < end, units[stop] > 0x20 { stop += 1 }
      guard stop - index >= 4 else {
        index = stop
        continue
      }
      // The letters between the marks around a word; one other character inside, and it is left alone.
      var first = index
      var last = stop
      while first < last, !isLetter(units[first]) { first += 1 }
      while last > first, !isLetter(units[last - 1]) { last -= 1 }
      if last - first >= 4, last - first <= 96, (first..<last).allSatisfy({ isWordPart(units[$0]) }) {
        let word = UnsafeBufferPointer(rebasing: units[first..<last])
        for point in resources.hyphenator.points(in: word, dictionary: dictionary, limits: style.limits)
        where marks[first + Int(point)] == BreakKind.none {
          marks[first + Int(point)] = BreakKind.hyphen
        }
      }
      index = stop
    }
  }

  private func isLetter(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7A }
    let category = CharacterProperties(UInt32(unit)).category
    return category.isLetter || category.isMark
  }
  private func isWordPart(_ unit: UInt16) -> Bool { isLetter(unit) || unit == 0x27 || unit == 0x2019 }

  // MARK: Placing clusters

  /// A word with nothing but spaces around it: from the cache, or shaped and kept.
  @inline(__always)
  private func placeWord(_ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, key: UInt32, hash: UInt64) {
    wordCount += 1
    let word = units.baseAddress.unsafelyUnwrapped + start
    let found = cache.find(word, count: end - start, key: key, hash: hash)
    guard found >= 0 else {
      shapeNewWord(start, end, style, level, key: key, hash: hash)
      return
    }
    let entry = cache.entries[found]
    if entry.hasBrackets || entry.isMixed {
      let isSimple = !scripts.isMixed && (scripts.current == .common || scripts.current == entry.endScript)
      if entry.hasBrackets, !isSimple {
        shapeNewWord(start, end, style, level, key: key, hash: nil)
        return
      }
      passOver(start, end)
    } else {
      scripts.advance(to: entry.endScript)
    }
    hitCount += 1
    if entry.leading != 0 { widenLastSpace(by: entry.leading) }
    let kind = startKind(at: start, style)
    openRun(
      Int(entry.face), Script(rawValue: UInt8(truncatingIfNeeded: entry.script)), style, level,
      isSmallCaps: entry.isSmallCaps)
    let clusterCount = Int(entry.clusterCount)
    let glyphCount = Int(entry.glyphCount)
    let glyphStart = UInt32(truncatingIfNeeded: glyphs.count)
    let source = cache.clusters.base + Int(entry.clusterStart)
    let target = clusters.extend(by: clusterCount)
    let textStart = UInt32(truncatingIfNeeded: start)
    var index = 0
    while index < clusterCount {
      var cluster = source[index]
      cluster.text &+= textStart
      cluster.glyph &+= glyphStart
      (target + index).initialize(to: cluster)
      index += 1
    }
    target.pointee.flags.formUnion(Self.flags(kind))
    glyphs.extend(by: glyphCount).initialize(from: cache.glyphs.base + Int(entry.glyphStart), count: glyphCount)
  }

  /// Tells the script resolver of characters that are not shaped anew.
  private func passOver(_ start: Int, _ end: Int) {
    var index = start
    while index < end {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      _ = scripts.resolve(scalar, CharacterProperties(scalar))
      index += length
    }
  }

  /// Shapes a word, and keeps the result under a hash.
  @inline(never)
  private func shapeNewWord(
    _ start: Int, _ end: Int, _ style: ShapingStyle, _ level: UInt8, key: UInt32, hash: UInt64?
  ) {
    let scriptBefore = scripts.current
    let wasMixed = scripts.isMixed
    let known = analyzedEnd
    analyze(from: start, to: end, style)
    analyzedEnd = known
    let clusterStart = clusters.count
    let glyphStart = glyphs.count
    runChanges = 0
    let missedBefore = missingCount
    shapePiece(start, end, style, level, hasContext: false)
    let clusterCount = clusters.count - clusterStart
    let glyphCount = glyphs.count - glyphStart
    var hasBrackets = false
    for index in start..<end where CharacterProperties(UInt32(units[index])).bracketType != 0 { hasBrackets = true }
    if hasBrackets, wasMixed || scriptBefore != .common && scriptBefore != scripts.current { return }
    // Words of several faces, and words with missing glyphs (which are counted), are made anew each time.
    guard let hash, runChanges == 1, runs.count > 0, missingCount == missedBefore, clusterCount > 0,
      clusterCount < 0xFFFF,
      glyphCount < 0xFFFF, runs[runs.count - 1].face < 0xFFFF
    else { return }
    let run = runs[runs.count - 1]
    let entry = ShapeCache.Entry(
      key: key, unitStart: 0, clusterStart: 0, glyphStart: 0, script: UInt32(run.script.rawValue),
      unitCount: UInt16(end - start), clusterCount: UInt16(clusterCount), glyphCount: UInt16(glyphCount),
      face: UInt16(run.face), leading: leading, isSmallCaps: run.isSmallCaps, endScript: scripts.current,
      isMixed: scripts.isMixed && !wasMixed, hasBrackets: hasBrackets)
    let first = clusters[clusterStart]
    clusters[clusterStart].flags.subtract([.breakBefore, .mandatoryBreakBefore, .hyphenBreakBefore, .automaticHyphen])
    cache.insert(
      units.baseAddress.unsafelyUnwrapped + start, hash: hash, entry: entry, clusters: clusters.base + clusterStart,
      glyphs: glyphs.base + glyphStart, textStart: UInt32(start), glyphStart: UInt32(glyphStart))
    clusters[clusterStart] = first
  }

  /// Kerning between a space and the word after it changes the space.
  func widenLastSpace(by amount: Int32) { widenSpace(at: clusters.count - 1, by: amount) }

  func widenSpace(at index: Int, by amount: Int32) {
    guard index >= 0 else { return }
    let space = clusters.base + index
    guard space.pointee.flags.contains(.space), Int(space.pointee.glyph) < glyphs.count else { return }
    space.pointee.advance &+= amount
    glyphs.base[Int(space.pointee.glyph)].advance &+= amount
  }

  @inline(__always) func countLatinWord() {
    wordCount += 1
    latinCount += 1
  }

  @inline(__always)
  private func placeSpace(at index: Int, _ style: ShapingStyle, _ level: UInt8) {
    openRun(style.primary, .common, style, level, isSmallCaps: false)
    var flags: ClusterFlags = [.space, .wordSeparator, .graphemeStart]
    if index > 0 {
      let before = units[index - 1]
      if before <= 0x20 || before == 0x2028 {
        if before != 0x20 && before != 0x09 {
          flags.formUnion(Self.flags(startKind(at: index, style)))
        } else if style.tailoring.breaksEverySpace, !style.isNowrap {
          flags.insert(.breakBefore)
        }
      }
    }
    clusters.append(
      Cluster(
        text: UInt32(truncatingIfNeeded: index), glyph: UInt32(truncatingIfNeeded: glyphs.count),
        advance: style.spaceAdvance, flags: flags))
    glyphs.append(ShapedGlyph(id: style.spaceGlyph, advance: style.spaceAdvance, xOffset: 0, yOffset: 0))
  }

  /// A preserved tab, or a control character, which is not shown.
  private func placeControl(at index: Int, _ style: ShapingStyle, _ level: UInt8) {
    openRun(style.primary, .common, style, level, isSmallCaps: false)
    var flags: ClusterFlags = units[index] == 0x09 ? [.space, .tab, .graphemeStart] : [.ignorable, .graphemeStart]
    let kind = startKind(at: index, style)
    if kind == BreakKind.mandatory || units[index] != 0x09 || style.tailoring.breaksEverySpace {
      flags.formUnion(Self.flags(kind))
    }
    clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: flags))
  }

  /// An atomic inline, a forced break or a bidi control.
  private func placeSpecial(_ kind: RunKind, at index: Int, _ style: ShapingStyle?, _ base: UInt8) {
    guard let style else {
      clusters.append(
        Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: [.object, .graphemeStart]))
      return
    }
    let level = levels.count == 0 ? 0 : levels[index]
    stretchStart = index
    if analyzedEnd <= index, !Self.isSeparator(units[index]) { analyze(from: index, to: index + 1, style) }
    var flags: ClusterFlags = kind == .bidiControl ? [.ignorable] : [.object, .graphemeStart]
    let isFresh = index == 0 || Self.isSeparator(units[index - 1])
    let mark = isFresh || Self.isSeparator(units[index]) ? startKind(at: index, style) : self.kind(at: index, style)
    // A forced break after a space does not itself start a line.
    if kind != .lineBreak || mark == BreakKind.mandatory { flags.formUnion(Self.flags(mark)) }
    openRun(style.primary, .common, style, level, isSmallCaps: false)
    clusters.append(Cluster(text: UInt32(index), glyph: UInt32(glyphs.count), advance: 0, flags: flags))
    followsNowrap = style.isNowrap
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
  func openRun(_ face: Int, _ script: Script, _ style: ShapingStyle, _ level: UInt8, isSmallCaps: Bool) {
    // OpenType has one script for both kinds of kana.
    let script = script == .hiragana ? Script.katakana : script
    if runs.count > 0 {
      let last = runs.base + (runs.count - 1)
      if last.pointee.face == face, last.pointee.level == level, last.pointee.attributes == style.id,
        last.pointee.isSmallCaps == isSmallCaps
      {
        if last.pointee.script == script || script == .common {
          if runChanges == 0 { runChanges = 1 }
          return
        }
        if last.pointee.script == .common {
          last.pointee.script = script
          if runChanges == 0 { runChanges = 1 }
          return
        }
      }
    }
    runChanges += 1
    let (scale, size) = scale(of: face, style, isSmallCaps: isSmallCaps)
    runs.append(
      PendingRun(
        face: face, attributes: style.id, level: level, script: script, isSmallCaps: isSmallCaps, isSideways: false,
        clusterStart: clusters.count, glyphStart: glyphs.count, scale: scale, size: size))
  }

  /// CSS px in a font unit, and the size drawn: with `font-size-adjust` (CSS Fonts 5) and small capitals.
  func scale(of position: Int, _ style: ShapingStyle, isSmallCaps: Bool) -> (Float, Float) {
    let metrics = faces[position].face.metrics
    let em = Float(Swift.max(1, metrics.unitsPerEm))
    var size = style.size
    if let adjust = style.sizeAdjust, metrics.xHeight > 0 { size *= adjust / (Float(metrics.xHeight) / em) }
    if isSmallCaps { size *= Self.smallCapsScale }
    return (size / em, size)
  }

  /// The size of synthesised small capitals, as browsers have it.
  private static let smallCapsScale: Float = 0.7

  func finish(into shaped: inout ShapedText) {
    clusters.append(
      Cluster(
        text: UInt32(units.count), glyph: UInt32(glyphs.count), advance: 0,
        flags: units.isEmpty || !Self.isForcedBreak(units[units.count - 1])
          ? [] : [.mandatoryBreakBefore, .breakBefore]))
    appendRuns(to: &shaped, clusterOffset: 0, glyphOffset: 0, clusterEnd: clusters.count - 1)
    shaped.clusters.append(contentsOf: clusters.all)
    shaped.glyphs.append(contentsOf: glyphs.all)
  }

  func appendRuns(to shaped: inout ShapedText, clusterOffset: Int, glyphOffset: Int, clusterEnd: Int) {
    for index in 0..<runs.count {
      let run = runs[index]
      let isLast = index + 1 == runs.count
      let clusterStop = isLast ? clusterEnd : runs[index + 1].clusterStart
      let glyphStop = isLast ? glyphs.count : runs[index + 1].glyphStart
      shaped.runs.append(
        ShapedRun(
          font: faces[run.face].face.id, attributes: run.attributes, level: run.level,
          script: (run.script.isReal ? run.script : styles[run.attributes.index]?.defaultScript ?? .latin).tag,
          scale: run.scale, size: run.size,
          isSideways: run.isSideways, clusters: run.clusterStart + clusterOffset..<clusterStop + clusterOffset,
          glyphs: run.glyphStart + glyphOffset..<glyphStop + glyphOffset))
    }
  }

  private static func isForcedBreak(_ unit: UInt16) -> Bool { unit == 0x0A || unit == 0x2028 || unit == 0x2029 }

  /// Counts a cluster that no face draws, and notes its character once.
  func noteMissing(_ scalar: UInt32, at offset: Int) {
    missingCount += 1
    if missing.insert(scalar).inserted {
      missingGlyphs.append(MissingGlyph(scalar: scalar, text: textID, offset: offset))
    }
  }

  // MARK: Styles

  /// A set of attributes with its faces and features; nil when there is no font at all.
  func style(_ id: ShapingAttributesID, _ store: AttributedTextStore) -> ShapingStyle? {
    guard !id.isNone else { return nil }
    if id.index < styles.count, let known = styles[id.index] { return known }
    while styles.count <= id.index { styles.append(nil) }
    let attributes = store.attributes[id]
    let request = store.attributes[attributes.font]
    let language = store.attributes.language(attributes.language)
    guard let cascade = fonts.cascade(for: request.description, language: language.isEmpty ? nil : language) else {
      return nil
    }
    var tailoring = LineBreakTailoring()
    tailoring.strictness = attributes.lineBreak
    tailoring.wordBreak = attributes.wordBreak
    tailoring.language = LineBreakLanguage(tag: language)
    tailoring.breaksEverySpace = attributes.whiteSpaceCollapse == .breakSpaces
    tailoring.honoursSoftHyphens = attributes.hyphens != .none
    var features: [FontSetting] = []
    if request.kerning == .none { features.append(FontSetting(tag: HarfBuzzTag.kern, value: 0)) }
    if attributes.letterSpacing.value != 0 {
      features.append(FontSetting(tag: HarfBuzzTag.liga, value: 0))
      features.append(FontSetting(tag: HarfBuzzTag.clig, value: 0))
    }
    features += request.features
    let dictionary = hyphenation(attributes.hyphens, language)
    let key = ShapeKey(
      cascade: cascade.index, language: language, features: features, caps: request.caps,
      synthesizesSmallCaps: request.synthesizesSmallCaps, tailoring: tailoring, hyphenation: dictionary,
      limits: attributes.hyphenateLimitChars, isNowrap: attributes.wrapMode == .nowrap)
    let number = keys[key] ?? UInt32(keys.count)
    keys[key] = number
    if Int(number) == tables.count { tables.append(StyleTables()) }
    let made = ShapingStyle(
      id: id, key: number, cascade: cascade, primary: position(of: cascade.primary), request: request,
      language: language,
      size: request.size.resolved(rootFontSize: settings.rootFontSize), features: features, tailoring: tailoring,
      dictionary: dictionary, limits: attributes.hyphenateLimitChars, isNowrap: key.isNowrap, resources: resources,
      tables: tables[Int(number)])
    styles[id.index] = made
    return made
  }

  private func hyphenation(_ hyphens: Hyphens, _ language: String) -> Int? {
    switch settings.hyphenation {
    case .off: return nil
    case .author: guard hyphens == .auto else { return nil }
    case .on: guard hyphens != .none else { return nil }
    }
    guard !language.isEmpty else { return nil }
    let dictionary = resources.hyphenator.dictionary(for: language)
    if dictionary == nil, hyphens == .auto, !languagesWithoutPatterns.contains(language) {
      languagesWithoutPatterns.append(language)
    }
    return dictionary
  }
}
