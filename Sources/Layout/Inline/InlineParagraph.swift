import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// A shaped paragraph, kept while its lines are made and for some time after: the next page, a second try at this one, or the
/// layout that follows a measurement need it again.
final class InlineParagraph {
  @exclusivity(unchecked) fileprivate(set) var text = TextID.none
  @exclusivity(unchecked) fileprivate(set) var writingMode = WritingMode.horizontalTB
  @exclusivity(unchecked) var shaped = ShapedText()
  /// Pieces at the ends of the line at hand that had to be shaped anew.
  @exclusivity(unchecked) var reshaped = ShapedText()
  /// The lines chosen for it as a whole, if they were.
  @exclusivity(unchecked) var plan: LinePlan?
  /// The lines chosen for the part that is left after a line set otherwise.
  @exclusivity(unchecked) var planOfRest: LinePlan?
  /// What its lines can be adjusted by, where a ladder is asked for.
  @exclusivity(unchecked) fileprivate var ladderRoom: LadderRoom?
  @exclusivity(unchecked) fileprivate var users = 0
  @exclusivity(unchecked) fileprivate var stamp = 0

  // What an item of a line refers to: single arrays, for a copy of the whole would count references to each.
  @inline(__always)
  func clusters(of item: LineItem) -> [Cluster] { item.isReshaped ? reshaped.clusters : shaped.clusters }
  @inline(__always)
  func glyphs(of item: LineItem) -> [ShapedGlyph] { item.isReshaped ? reshaped.glyphs : shaped.glyphs }
  @inline(__always)
  var clusterCount: Int { Swift.max(0, shaped.clusters.count - 1) }
  @inline(__always)
  func spacing(of cluster: Int) -> SpacedCluster? { shaped.spaced.entry(of: cluster) }
  @inline(__always)
  func run(of item: LineItem) -> ShapedRun {
    item.isReshaped ? reshaped.runs[item.shapedRun] : shaped.runs[item.shapedRun]
  }
}

/// How the clusters of one set of shaping attributes behave in lines.
struct ClusterSpacing {
  var letter: Advance = 0
  var word: Advance = 0
  var wraps = true
  /// Spaces vanish at the start and end of lines.
  var collapses = true
  /// Spaces at a line's end take no room: they vanish or hang (CSS Text 3, section 4.1.3).
  var trims = true
  /// A line may break anywhere between graphemes when nothing else helps (CSS Text 3, section 5.5).
  var breaksAnywhere = false
  /// Such breaks count for the min-content size.
  var shrinksAnywhere = false
  var trim = TextSpacingTrim.spaceAll
  /// Its stops stand in the middle of their em: traditional Chinese.
  var centresStops = false
}

/// Hyphen glyphs as a run shows them.
struct Hyphen {
  var glyphs: [ShapedGlyph] = []
  var advance: Advance = 0
}

/// What inline layout keeps between paragraphs: shaped texts, scratch arrays, hyphens of fonts.
struct InlinePool {
  private var paragraphs: [InlineParagraph] = []
  private var clock = 0
  fileprivate var hyphens: [HyphenKey: Hyphen] = [:]
  private var lines: [LineScratch] = []

  fileprivate struct HyphenKey: Hashable {
    var font: FontID
    var size: Float
    var attributes: ShapingAttributesID
    var isRightToLeft: Bool
  }

  /// Paragraphs kept: what stands on a page or two.
  private static let capacity = 48
  /// A longer text gives its memory back when another takes its place.
  private static let longestKept = 20_000

  init() {}

  /// About the memory that shaped paragraphs take, in bytes.
  var byteCount: Int { paragraphs.reduce(0) { $0 + $1.shaped.byteCount } }

  /// The paragraph of `text` and whether it is shaped already.
  fileprivate mutating func acquire(
    _ text: TextID, _ writingMode: WritingMode
  ) -> (paragraph: InlineParagraph, isShaped: Bool) {
    clock += 1
    var oldest: InlineParagraph?
    for paragraph in paragraphs {
      if paragraph.text == text, paragraph.writingMode == writingMode {
        paragraph.users += 1
        paragraph.stamp = clock
        return (paragraph, true)
      }
      if paragraph.users == 0, paragraph.stamp < oldest?.stamp ?? .max { oldest = paragraph }
    }
    let paragraph: InlineParagraph
    if let oldest, paragraphs.count >= Self.capacity {
      paragraph = oldest
      if paragraph.shaped.clusters.capacity > Self.longestKept { paragraph.shaped = ShapedText() }
    } else {
      paragraph = InlineParagraph()
      paragraphs.append(paragraph)
    }
    paragraph.text = text
    paragraph.writingMode = writingMode
    paragraph.plan = nil
    paragraph.ladderRoom = nil
    paragraph.planOfRest = nil
    paragraph.users = 1
    paragraph.stamp = clock
    return (paragraph, false)
  }

  fileprivate func release(_ paragraph: InlineParagraph) { paragraph.users -= 1 }

  mutating func takeLine() -> LineScratch { lines.popLast() ?? LineScratch() }
  mutating func giveBack(_ line: consuming LineScratch) { lines.append(line) }
}

extension LayoutContext {
  /// The shaped paragraph; `release` it when its lines are made.
  func acquireParagraph(_ text: TextID) -> InlineParagraph {
    let (paragraph, isShaped) = workspace.inline.acquire(text, writingMode)
    if !isShaped {
      paragraph.shaped.removeAll()
      let start = wallTime()
      workspace.shaper.shape(text, in: tree.texts, writingMode: writingMode, into: &paragraph.shaped)
      if !writingMode.isHorizontal { placeToneMarks(&paragraph.shaped, of: text) }
      workspace.shapingTime += wallTime() - start
    }
    return paragraph
  }
  func release(_ paragraph: InlineParagraph) { workspace.inline.release(paragraph) }

  /// What a paragraph's lines can be adjusted by; nil where CSS alone decides.
  func ladderRoom(_ paragraph: InlineParagraph, _ style: ParagraphStyle) -> LadderRoom? {
    guard style.conventions != .none, var ladder = style.ladder else { return nil }
    if let known = paragraph.ladderRoom { return known }
    let range = tree.texts.texts[paragraph.text.index].units
    if !settings.reducesStops { ladder = ladder.keepingStops }
    let room = tree.texts.units.withUnsafeBufferPointer {
      LadderRoom(paragraph, UnsafeBufferPointer(rebasing: $0[range]), ladder) { cluster, run in
        // In vertical lines they stand in the middle (CLREQ, punctuation adjustment space).
        guard writingMode.isHorizontal, !spacing(run.attributes).centresStops, let face = fonts.face(run.font),
          paragraph.shaped.clusters[cluster].advance == Int32(face.metrics.unitsPerEm),
          let ink = face.extents(paragraph.shaped.glyphs[Int(paragraph.shaped.clusters[cluster].glyph)].id)
        else { return false }
        return ink.x + ink.width <= Int32(face.metrics.unitsPerEm) / 2
      }
    }
    paragraph.ladderRoom = room
    return room
  }

  /// How clusters of these attributes are spaced and broken.
  func spacing(_ attributes: ShapingAttributesID) -> ClusterSpacing {
    if attributes.index < measurements.spacings.count, let known = measurements.spacings[attributes.index] { return known }
    let values = tree.texts.attributes[attributes]
    let request = tree.texts.attributes[values.font]
    let size = request.size.resolved(rootFontSize: settings.rootFontSize)
    let basis = LengthBasis(
      fontSize: size, rootFontSize: settings.rootFontSize, face: fonts.cascade(for: request.description)?.primary)
    func resolved(_ length: Length) -> Advance {
      let pixels = basis.spacing(length) ?? self.pixels(length, font: Identifier<FontStyleTag>(0), percentage: 0)
      return LayoutUnit(pixels).advance
    }
    var spacing = ClusterSpacing()
    spacing.letter = resolved(values.letterSpacing)
    spacing.word = resolved(values.wordSpacing)
    spacing.trim = values.spacingTrim
    let language = LineBreakLanguage(tag: tree.texts.attributes.language(values.language))
    if case .traditionalChinese = language { spacing.centresStops = true }
    spacing.wraps = values.wrapMode == .wrap
    spacing.collapses = values.whiteSpaceCollapse == .collapse || values.whiteSpaceCollapse == .preserveBreaks
    spacing.trims = spacing.collapses || (spacing.wraps && values.whiteSpaceCollapse == .preserve)
    spacing.shrinksAnywhere = values.overflowWrap == .anywhere || values.wordBreak == .breakWord
    spacing.breaksAnywhere =
      spacing.shrinksAnywhere || values.overflowWrap == .breakWord || values.lineBreak == .anywhere
    while measurements.spacings.count <= attributes.index { measurements.spacings.append(nil) }
    measurements.spacings[attributes.index] = spacing
    return spacing
  }

  /// The hyphen that a run shows at the end of a line.
  func hyphen(of run: ShapedRun) -> Hyphen {
    let key = InlinePool.HyphenKey(
      font: run.font, size: run.size, attributes: run.attributes, isRightToLeft: run.level & 1 == 1)
    if let known = workspace.inline.hyphens[key] { return known }
    let made = workspace.shaper.hyphen(for: run, in: tree.texts)
    let hyphen = Hyphen(glyphs: made.glyphs, advance: run.fixedScale.advance(made.advance))
    workspace.inline.hyphens[key] = hyphen
    return hyphen
  }
}

/// CSS px in one font unit, with 32 fraction bits.
struct FixedScale {
  var value: Int64
  @inline(__always)
  func advance(_ units: Int32) -> Advance { (Int64(units) &* value &+ 0x8000) >> 16 }
}

extension ShapedRun {
  var fixedScale: FixedScale {
    let scaled = (Double(scale) * 4_294_967_296).rounded()
    return FixedScale(value: scaled.isFinite && abs(scaled) < 1e15 ? Int64(scaled) : 0)
  }
}
