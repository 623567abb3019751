import BoxGeneration
import Primitives
import Shaping

/// An inline distance while a line is filled, in 1/65536 px: sums of glyph advances stay exact in any order, and are rounded
/// to layout units once, where a glyph is placed.
typealias Advance = Int64

/// Tolerances of line widths: places on a page are layout units of 1/64 px.
enum LineTolerance {
  /// A line that is too wide by no more still fits, as in browsers: 1/64 px.
  static let fit: Advance = 1 << 10
  /// A line that lacks no more is full: 1/32 px, so that one that just fits counts as full after rounding.
  static let full: Advance = 2 * fit
}

extension LayoutUnit {
  /// The nearest layout unit.
  init(_ advance: Advance) {
    let units = (advance &+ 512) >> 10
    self.init(rawValue: units > 2_147_483_647 ? .max : units < -2_147_483_647 ? -2_147_483_647 : Int32(units))
  }
  /// The smallest layout unit that is not less.
  init(roundingUp advance: Advance) { self.init(advance &+ 511) }
  var advance: Advance { Int64(rawValue) << 10 }
}

/// A piece of a line, in logical order.
struct LineItem {
  enum Kind: UInt8 {
    /// Clusters `start ..< end` of one shaped run and one run of the text.
    case text
    case tab
    /// An atomic inline; `index` is its place in the line's atomic boxes.
    case object
    /// The edges of an inline box.
    case open, close
    /// The edges of a ruby base; `width` of the closing one is what the annotation is wider than the base. Of bases whose
    /// annotations are merged each opening edge takes back what was given before it, and the last closing one counts.
    /// A closing one with clusters is of that part of its annotation.
    case openRuby, closeRuby
    /// An absolutely positioned box whose static position is here.
    case positioned
    case marker
  }
  /// Justification of a piece of content on its line.
  struct Justification {
    /// Number of the first expansion opportunity of the item, counted along the line.
    var firstOpportunity = 0
    /// Content that ends its line: the last piece of it.
    var isLastContent = false
    /// Ideograph as the first cluster of the next content on the line: the gap before it may be widened.
    var precedesIdeograph = false
    /// The fit of the line holds for it.
    var fitsGlyphs = false
  }
  /// Justification of a text, tab or object.
  var justification = Justification()
  let kind: Kind
  /// Bidi embedding level of a text, tab or object.
  var level: UInt8 = 0
  /// Preserved spaces at the line's end, which hang: they are drawn but take no part in alignment.
  var isHanging = false
  /// Clusters and run are those of the paragraph's `reshaped` text.
  var isReshaped = false
  /// Index in the chapter's runs.
  let run: Int
  var shapedRun = 0
  var start = 0
  var end = 0
  var width: Advance = 0
  /// Of a closing ruby edge: how far the annotation reaches over what stands before and after the base, as `Advance`.
  var overhang = SIMD2<Int32>()
  var index = 0
  /// The innermost inline box around the item: its place in the line's boxes.
  var parent = 0
}

/// The start of a line.
struct LineStart {
  /// Index in the chapter's runs.
  var run: Int
  var cluster: Int
  var shapedRun: Int
  var afterForcedBreak = false
  /// Lines before this one, on all pages.
  var line = 0
  /// Hyphenated lines in a row before this one.
  var hyphens = 0
  /// Expansion of the glyphs of the line before this one on its page, in thousandths.
  var expansion: Int16 = 0
  /// The innermost inline box that is open there, or the container.
  var innermost: BoxID
}

/// The end of a line, and its measures.
struct LineEnd {
  var run: Int
  var cluster: Int
  var shapedRun: Int
  var isForced = false
  var isHyphenated = false
  /// The next line begins with marks that may not begin one.
  var breaksRule = false
  /// The text ends with this line.
  var isLast = false
  /// The line box exists: content, a forced break, an edge of an inline box (CSS 2.2, section 9.4.2).
  var exists = false
  /// Width of the content, spaces that hang or vanish left out, the hyphen included.
  var width: Advance = 0
  /// Width of the preserved spaces that hang at the end.
  var hanging: Advance = 0
  var edges = LineEdges()
  /// The `<br>` that ended the line, whose `clear` counts.
  var breakBox = BoxID.none
}

/// An atomic inline of a line, laid out.
struct AtomicInline {
  var box: BoxID
  var result: LayoutResult
  var margins: FlowEdges
  /// Margin box above and below its baseline.
  var above: LayoutUnit
  var below: LayoutUnit
  /// Its baseline below the line's baseline subtree's, set by alignment.
  var baseline = LayoutUnit.zero
  var subtree = 0
  /// It is broken at the page's end, so that its top stands at the line's, and goes on at `next`.
  var isPart = false
  var next: BreakToken?
  /// Of a leader: its fragments beside the first one.
  var copies: [FragmentID] = []
}

/// The flags that decide in the loops over clusters, as plain bits: calls into another module for each of them would take
/// longer than the rest of the loops.
struct ClusterMasks: Sendable {
  let breaks = (.breakBefore | .hyphenBreakBefore | .mandatoryBreakBefore as ClusterFlags).rawValue
  let special = (.space | .wordSeparator | .tab | .ignorable | .cursive | .object as ClusterFlags).rawValue
  /// Clusters that the line breaker has to think about.
  let remarkable = (.mandatoryBreakBefore | .tab | .ignorable | .object as ClusterFlags).rawValue
  let hyphenBreakBefore = ClusterFlags.hyphenBreakBefore.rawValue
  let breakBefore = ClusterFlags.breakBefore.rawValue
  let glyphless = (.space | .ignorable | .object | .tab as ClusterFlags).rawValue
  let graphemeStart = ClusterFlags.graphemeStart.rawValue
  let space = ClusterFlags.space.rawValue
  let wordSeparator = ClusterFlags.wordSeparator.rawValue
  let spaces = (.space | .wordSeparator as ClusterFlags).rawValue
  let tab = ClusterFlags.tab.rawValue
  let ignorable = ClusterFlags.ignorable.rawValue
  let cursive = ClusterFlags.cursive.rawValue
  let ideographic = ClusterFlags.ideographic.rawValue
  let expandable = (.space | .wordSeparator | .ideographic as ClusterFlags).rawValue
  static let shared = ClusterMasks()
}
