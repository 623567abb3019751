import CHarfBuzz
import CSS
package import Fonts
package import Primitives
package import Text

/// Shapes the texts of one chapter: itemises, chooses faces, finds break opportunities, and calls HarfBuzz.
///
/// Each distinct word is shaped once where the face shows that nothing reaches across its space glyph, and copied from
/// then on, together with its break opportunities; ideographs that no lookup touches take their glyph and advance
/// directly; everything else is shaped in runs. Belongs to one thread.
@safe package final class Shaper {
  package let fonts: FontBook
  package private(set) var settings: ShapingSettings
  package let resources: ShapingResources
  /// Languages that asked for hyphenation and have no patterns, each once, in the order met.
  package internal(set) var languagesWithoutPatterns: [String] = []

  let store: ShapeStore
  /// The shapes of words.
  let cache: ShapeCache
  @inline(__always) var faces: [ShapingFace] { store.faces }

  var styles = ShapingStyleTable()
  /// The position in `faces` of the last-resort face.
  private(set) lazy var lastResort = position(of: fonts.library.lastResort)
  var missing = MissingCharacters()
  /// Blanks of marks, by the lower bits of the glyph.
  var blanks = [(key: UInt64, blank: Blank)](repeating: (.max, .none), count: 64)
  var hyphens = HyphenMemo()
  /// Turns the cache and the direct way of ideographs off, to compare.
  package var isExhaustive = false

  var paragraph = ParagraphState()
  var piece = PieceState()
  var counters = ShapingCounters()

  /// For each unit of the paragraph a `BreakKind`, and `Mark` flags.
  let marks = GrowableBuffer<UInt8>(capacity: 1024)
  let levels = GrowableBuffer<UInt8>(capacity: 1024)
  // What is made of it.
  let runs = GrowableBuffer<PendingRun>(capacity: 64)
  let clusters = GrowableBuffer<Cluster>(capacity: 1024)
  let glyphs = GrowableBuffer<ShapedGlyph>(capacity: 1024)
  let buffer = GlyphBuffer()

  struct PendingRun {
    var face: Int
    var attributes: ShapingAttributesID
    var level: UInt8
    var script: Script
    /// Letters are shaped as others: small capitals, or italics of formulas.
    var mapsLetters: Bool
    var posture: Posture
    var compression: Float = 1
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
    store = resources.store(for: fonts)
    cache = store.words
  }

  /// Bytes allocated, about, with those of its resources.
  package var byteCount: Int {
    resources.byteCount + marks.byteCount + levels.byteCount + runs.byteCount + clusters.byteCount + glyphs.byteCount
  }

  /// Counters for `--stats`.
  package var statistics: StageStatistics {
    var statistics = StageStatistics()
    statistics.add("shaping.paragraphs", counters.paragraphs)
    statistics.add("shaping.units", counters.units)
    statistics.add("shaping.words", counters.words)
    statistics.add("shaping.cacheHits", counters.hits)
    statistics.add("shaping.plainWords", counters.plainWords)
    statistics.add("shaping.calls", counters.calls)
    statistics.add("shaping.cachedWords", counters.kept)
    statistics.add("shaping.faces", faces.count)
    return statistics
  }

  /// A warning for each language without hyphenation patterns.
  package var diagnostics: DiagnosticSink {
    var sink = DiagnosticSink()
    for language in languagesWithoutPatterns {
      // It is the machine that has none, whatever the chapter.
      let packages = SystemPackages.current
      let advice = packages.patterns(language).map(packages.advice) ?? ""
      sink.warn(
        "no-hyphenation", "there are no hyphenation patterns for the language \(language)\(advice)", isOfBook: true)
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
    styles.use(writingMode)
    missing.forget(id)
    missing.isNoted = true
    defer { missing.isNoted = false }
    let text = store[id]
    counters.paragraphs += 1
    counters.units += text.units.count
    unsafe store.units.withUnsafeBufferPointer { all in
      unsafe begin(LentText(UnsafeBufferPointer(rebasing: all[text.units])), id)
      var base: UInt8 = text.direction == .rtl ? 1 : 0
      let hasLevels = text.needsBidi || text.direction == .rtl
      if hasLevels {
        levels.resize(paragraph.units.count)
        let controls = store.runs[text.runs].lazy.filter { $0.kind == .bidiControl }.map { Int($0.end) - 1 }
        base = levels.withMutableSpan(0..<levels.count) {
          resources.analyzer.bidiLevels(
            store.units.span.extracting(text.units), direction: BidiDirection(text.direction),
            controls: Array(controls), into: &$0)
        }
      } else {
        levels.removeAll()
      }
      shaped.baseLevel = base
      unsafe store.runs.withUnsafeBufferPointer { unsafe shapeRuns($0[text.runs], store, base) }
      finish(into: &shaped)
      if paragraph.hasIdeographs, settings.alignsToGrid {
        alignToGrid(&shaped)
      } else if paragraph.wantsSpacing, paragraph.hasIdeographs {
        space(&shaped)
      }
      paragraph.end()
    }
  }

  /// Goes over to other settings. Words stay shaped: shapes are in font units.
  package func use(_ settings: ShapingSettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    styles.removeAll()
  }

  func begin(_ text: LentText, _ id: TextID) {
    paragraph.begin(text, id)
    runs.removeAll()
    clusters.removeAll()
    glyphs.removeAll()
    marks.resize(text.count)
  }

  private func findRaised(in textRuns: Slice<UnsafeBufferPointer<Run>>) {
    var depth = 0
    var start = 0
    for index in unsafe textRuns.startIndex..<textRuns.endIndex {
      let run = unsafe textRuns[index]
      guard run.isRaised else { continue }
      let end = Swift.min(Int(run.end), paragraph.units.count)
      depth += run.kind == .open ? 1 : -1
      if run.kind == .open, depth == 1 { start = end }
      // Whole sentences are no note marks.
      if depth == 0, end > start, end - start <= 12 { paragraph.raised.append(start..<end) }
    }
  }

  /// An edge of an inline box parts text of equal attributes. Text joined by `text-combine-upright` does not reach
  /// beyond an inline box. Between two boxes whose text does not wrap the text around them may, but not within a word,
  /// whose letters are shaped as one (CSS Text 3, sections 5.1 and 7.3).
  private func endsStretch(_ attributes: ShapingAttributes, at position: Int, _ isBetweenBoxes: Bool) -> Bool {
    if !styles.writingMode.isHorizontal, attributes.textCombineUpright != .none { return true }
    guard isBetweenBoxes, attributes.wrapMode == .nowrap else { return false }
    let keepsWords = attributes.wordBreak != .breakAll && attributes.lineBreak != .anywhere
    guard keepsWords, position < paragraph.units.count else { return true }
    return !(Self.isOfWord(paragraph.units[position - 1]) && Self.isOfWord(paragraph.units[position]))
  }

  /// A letter or digit of a script whose words lines do not part by themselves.
  private static func isOfWord(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC0...0x1FFF, 0x2C00...0x2E7F: true
    default: false
    }
  }

  /// Joins neighbours with equal attributes, also across the edges of inline boxes, and shapes them.
  func shapeRuns(_ textRuns: Slice<UnsafeBufferPointer<Run>>, _ store: AttributedTextStore, _ base: UInt8) {
    if unsafe textRuns.contains(where: \.isRaised) { unsafe findRaised(in: textRuns) }
    var position = 0
    var pendingStart = 0
    var pending = ShapingAttributesID.none
    for index in unsafe textRuns.startIndex..<textRuns.endIndex {
      let run = unsafe textRuns[index]
      let end = Swift.min(Int(run.end), paragraph.units.count)
      guard end > position else {
        if run.hasEdge { paragraph.edges.append(UInt32(position)) }
        let isBetweenBoxes =
          unsafe run.kind == .open && index > textRuns.startIndex && textRuns[index - 1].kind == .close
        if position > pendingStart, endsStretch(store.attributes[pending], at: position, isBetweenBoxes) {
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
            paragraph.languageEnd = Int.max
            if !Self.isSeparator(paragraph.units[position]),
              !Self.isSeparator(paragraph.units[position - 1]),
              store.attributes[attributes].language != store.attributes[pending].language
            {
              paragraph.languageEnd = position
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
