import CSS
import Primitives
import Text

/// The posture of glyphs in their line. Horizontal lines know only `upright`.
enum Posture: UInt8 {
  case upright
  /// Turned by a quarter.
  case sideways
  /// A horizontal stretch in a vertical line (CSS Writing Modes 4, section 9.1), which no other text joins.
  case combined
}

/// The paragraph that a shaper is at, and what is known of it so far.
struct ParagraphState {
  private(set) var units = LentText()
  var id = TextID.none
  /// The posture of the text at hand in its line.
  var posture = Posture.upright
  /// The end of the analysed part of the marks.
  var analyzedEnd = 0
  /// What the last of them was analysed for.
  var analyzedWordBreak = WordBreak.normal
  /// The script of what precedes the position.
  var scripts = ScriptResolver()
  /// The start of the current attributes.
  var stretchStart = 0
  /// The end of the language, where it changes in the middle of a word.
  var languageEnd = Int.max
  /// Ideographs or syllables that keep a distance have been met, in a style that asks for it.
  var hasIdeographs = false
  var wantsSpacing = false
  /// The edges of inline boxes with margins, borders or paddings, in UTF-16 units.
  var edges: [UInt32] = []
  /// The units of superscripts and subscripts, which stay with what is before them.
  var raised: [Range<Int>] = []

  /// Begins another one.
  mutating func begin(_ units: LentText, _ id: TextID) {
    self.units = units
    self.id = id
    analyzedEnd = 0
    hasIdeographs = false
    edges.removeAll(keepingCapacity: true)
    raised.removeAll(keepingCapacity: true)
    languageEnd = Int.max
    wantsSpacing = false
    scripts.reset()
  }

  /// Its characters are no longer at hand.
  mutating func end() { units = LentText() }
}

/// The piece of a paragraph that one call of HarfBuzz shapes.
struct PieceState {
  var start = 0
  var end = 0
  /// Kerning with the spaces around the piece is wanted, and what it adds to the one before.
  var kernsSpaceBefore = false
  var kernsSpaceAfter = false
  var leading: Int32 = 0
  /// The number of changes that `openRun` saw since a cached word was begun.
  var runChanges = 0

  mutating func leaveSpaces() {
    kernsSpaceBefore = false
    kernsSpaceAfter = false
  }
}

/// The styles that attributes make in one kind of line: horizontal, vertical, lying.
struct ShapingStyleTable {
  /// By attributes.
  private(set) var current: [ShapingStyle?] = []
  private var others: [[ShapingStyle?]] = [[], [], []]
  private(set) var writingMode = WritingMode.horizontalTB

  @inline(__always)
  subscript(id: ShapingAttributesID) -> ShapingStyle? {
    get { id.index < current.count ? current[id.index] : nil }
    set {
      while current.count <= id.index { current.append(nil) }
      current[id.index] = newValue
    }
  }

  mutating func use(_ mode: WritingMode) {
    guard mode != writingMode else { return }
    func kind(_ mode: WritingMode) -> Int { mode.isHorizontal ? 0 : mode.isCentral ? 1 : 2 }
    swap(&current, &others[kind(writingMode)])
    swap(&current, &others[kind(mode)])
    writingMode = mode
  }

  mutating func removeAll() {
    current = []
    others = [[], [], []]
  }
}

/// The characters that no font has.
struct MissingCharacters {
  /// By text: their offsets, in order.
  var offsets: [TextID: [UInt32]] = [:]
  /// A whole text is shaped, and not once more a part of one.
  var isNoted = false

  mutating func forget(_ text: TextID) {
    if !offsets.isEmpty { offsets[text] = nil }
  }
}

/// The hyphens made so far, by style.
struct HyphenMemo {
  var glyphs: [HyphenKey: HyphenGlyphs] = [:]
  /// The advance asked for last.
  var last: (key: HyphenKey, advance: Int32)?
}

/// What a shaper has done, for `--stats`.
struct ShapingCounters {
  var paragraphs = 0
  var units = 0
  var words = 0
  /// Words that were copied.
  var hits = 0
  /// Words whose glyphs come without HarfBuzz.
  var plainWords = 0
  /// Calls of HarfBuzz.
  var calls = 0
  /// Words that were kept.
  var kept = 0
  var missingGlyphs = 0
}
