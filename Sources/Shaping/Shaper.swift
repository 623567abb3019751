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
/// Each distinct word is shaped once where the face shows that nothing reaches across its space glyph, and copied from
/// then on, together with its break opportunities; ideographs that no lookup touches take their glyph and advance
/// directly; everything else is shaped in runs. Belongs to one thread, and none of its methods is given one of its
/// variables to change, so that checks for overlapping access would find nothing.
package final class Shaper {
  package let fonts: FontBook
  @exclusivity(unchecked) package private(set) var settings: ShapingSettings
  package let resources: ShapingResources
  /// Characters that no font has, each once, in the order met.
  @exclusivity(unchecked) package internal(set) var missingGlyphs: [MissingGlyph] = []
  /// Languages that asked for hyphenation and have no patterns, each once, in the order met.
  @exclusivity(unchecked) package internal(set) var languagesWithoutPatterns: [String] = []

  let store: ShapeStore
  /// The shapes of words.
  let cache: ShapeCache
  @inline(__always) var faces: [ShapingFace] { store.faces }

  // Styles, by attributes.
  @exclusivity(unchecked) var styles: [ShapingStyle?] = []
  /// The styles of the other kinds of lines: horizontal, vertical, lying.
  @exclusivity(unchecked) private var otherStyles: [[ShapingStyle?]] = [[], [], []]
  @exclusivity(unchecked) var missing: Set<UInt32> = []

  // The paragraph being shaped.
  @exclusivity(unchecked) var units = UnsafeBufferPointer<UInt16>(start: nil, count: 0)
  @exclusivity(unchecked) var textID = TextID.none
  @exclusivity(unchecked) private(set) var writingMode = WritingMode.horizontalTB
  /// The posture of the text at hand in its line.
  @exclusivity(unchecked) var posture = Posture.upright
  /// For each unit a `BreakKind`, and `Mark` flags.
  let marks = GrowableBuffer<UInt8>(capacity: 1024)
  let levels = GrowableBuffer<UInt8>(capacity: 1024)
  /// The end of the analysed part of `marks`.
  @exclusivity(unchecked) var analyzedEnd = 0
  /// The script of what precedes the position.
  @exclusivity(unchecked) var scripts = ScriptResolver()
  /// The start of the current attributes, and whether the ones before them do not wrap.
  @exclusivity(unchecked) var stretchStart = 0
  @exclusivity(unchecked) var followsNowrap = false
  /// The end of the language, where it changes in the middle of a word.
  @exclusivity(unchecked) var languageEnd = Int.max
  /// Ideographs or syllables that keep a distance have been met, in a style that asks for it.
  @exclusivity(unchecked) var hasIdeographs = false
  @exclusivity(unchecked) var wantsSpacing = false
  /// Blanks of marks, by the lower bits of the glyph.
  @exclusivity(unchecked) var blanks = [(key: UInt64, blank: Blank)](repeating: (.max, .none), count: 64)

  // The runs made of it.
  let runs = GrowableBuffer<PendingRun>(capacity: 64)
  /// The edges of inline boxes with margins, borders or paddings, in UTF-16 units.
  @exclusivity(unchecked) var edges: [UInt32] = []
  /// The units of superscripts and subscripts, which stay with what is before them.
  @exclusivity(unchecked) var raised: [Range<Int>] = []
  let clusters = GrowableBuffer<Cluster>(capacity: 1024)
  let glyphs = GrowableBuffer<ShapedGlyph>(capacity: 1024)

  @exclusivity(unchecked) var hyphens: [HyphenKey: HyphenGlyphs] = [:]
  let buffer: OpaquePointer
  /// The number of changes that `openRun` saw since a cached word was begun.
  @exclusivity(unchecked) var runChanges = 0
  /// Kerning with the spaces around the piece being shaped is wanted, and what it adds to the one before.
  @exclusivity(unchecked) var kernsSpaceBefore = false
  @exclusivity(unchecked) var kernsSpaceAfter = false
  @exclusivity(unchecked) var leading: Int32 = 0
  @exclusivity(unchecked) var pieceStart = 0
  @exclusivity(unchecked) var pieceEnd = 0
  /// Turns the cache and the direct way of ideographs off, to compare.
  @exclusivity(unchecked) package var isExhaustive = false

  @exclusivity(unchecked) var paragraphCount = 0
  @exclusivity(unchecked) var wordCount = 0
  @exclusivity(unchecked) var hitCount = 0
  @exclusivity(unchecked) var latinCount = 0
  @exclusivity(unchecked) var unitCount = 0
  @exclusivity(unchecked) var shapeCalls = 0
  @exclusivity(unchecked) var missingCount = 0
  @exclusivity(unchecked) var keptCount = 0

  struct PendingRun {
    var face: Int
    var attributes: ShapingAttributesID
    var level: UInt8
    var script: Script
    var isSmallCaps: Bool
    var posture: Posture
    var compression: Float = 1
    var clusterStart: Int
    var glyphStart: Int
    var scale: Float
    var size: Float
  }

  /// The posture of glyphs in their line. Horizontal lines know only `upright`.
  enum Posture: UInt8 {
    case upright
    /// Turned by a quarter.
    case sideways
    /// A horizontal stretch in a vertical line (CSS Writing Modes 4, section 9.1), which no other text joins.
    case combined
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
    store = resources.store(for: fonts)
    cache = store.words
    buffer = hb_buffer_create()
  }

  deinit {
    hb_buffer_destroy(buffer)
    marks.deallocate()
    levels.deallocate()
    runs.deallocate()
    clusters.deallocate()
    glyphs.deallocate()
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
    statistics.add("shaping.cachedWords", keptCount)
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
      sink.warn("missing-glyph", resource: resource, line: node.map(line) ?? 0, "no font has U+\(code)", isOfBook: true)
    }
    for language in languagesWithoutPatterns {
      // It is the machine that has none, whatever the chapter.
      sink.warn("no-hyphenation", "there are no hyphenation patterns for the language \(language)", isOfBook: true)
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
    shaped.writingMode = writingMode
    setWritingMode(writingMode)
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
      if hasIdeographs, settings.alignsToGrid {
        alignToGrid(&shaped)
      } else if wantsSpacing, hasIdeographs {
        space(&shaped)
      }
      units = UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  /// Goes over to other settings. Words stay shaped: shapes are in font units.
  package func use(_ settings: ShapingSettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    styles = []
    otherStyles = [[], [], []]
  }

  func setWritingMode(_ mode: WritingMode) {
    guard mode != writingMode else { return }
    func kind(_ mode: WritingMode) -> Int { mode.isHorizontal ? 0 : mode.isCentral ? 1 : 2 }
    swap(&styles, &otherStyles[kind(writingMode)])
    swap(&styles, &otherStyles[kind(mode)])
    writingMode = mode
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
    hasIdeographs = false
    edges.removeAll(keepingCapacity: true)
    raised.removeAll(keepingCapacity: true)
    languageEnd = Int.max
    wantsSpacing = false
    scripts.reset()
  }

  private func findRaised(in textRuns: Slice<UnsafeBufferPointer<Run>>) {
    var depth = 0
    var start = 0
    for run in textRuns where run.isRaised {
      let end = Swift.min(Int(run.end), units.count)
      depth += run.kind == .open ? 1 : -1
      if run.kind == .open, depth == 1 { start = end }
      // Whole sentences are no note marks.
      if depth == 0, end > start, end - start <= 12 { raised.append(start..<end) }
    }
  }

  /// Joins neighbours with equal attributes, also across the edges of inline boxes, and shapes them.
  func shapeRuns(_ textRuns: Slice<UnsafeBufferPointer<Run>>, _ store: AttributedTextStore, _ base: UInt8) {
    if textRuns.contains(where: \.isRaised) { findRaised(in: textRuns) }
    var position = 0
    var pendingStart = 0
    var pending = ShapingAttributesID.none
    for run in textRuns {
      let end = Swift.min(Int(run.end), units.count)
      guard end > position else {
        if run.hasEdge { edges.append(UInt32(position)) }
        // Text joined by `text-combine-upright` does not reach beyond an inline box.
        if !writingMode.isHorizontal, position > pendingStart, store.attributes[pending].textCombineUpright != .none {
          shapeStretch(pendingStart, position, style(pending, store))
          pending = .none
          pendingStart = position
        }
        continue
      }
      let attributes = store.attributes[run.attributes].shaping
      if run.kind == .text {
        if attributes != pending {
          if position > pendingStart {
            languageEnd = Int.max
            if !Self.isSeparator(units[position]), !Self.isSeparator(units[position - 1]),
              store.attributes[attributes].language != store.attributes[pending].language
            {
              languageEnd = position
            }
            shapeStretch(pendingStart, position, style(pending, store))
          }
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
}
