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
  private(set) var text: TextID
  /// Its place in the pool.
  fileprivate let slot: Int
  var shaped = ShapedText()
  /// Pieces at the ends of the line at hand that had to be shaped anew.
  var reshaped = ShapedText()
  /// The lines chosen for it as a whole, if they were.
  private var plan: LinePlan?
  /// The lines chosen for the part that is left after a line set otherwise.
  private var planOfRest: LinePlan?
  /// The lines chosen last for it, or for its rest, where there are more or fewer of them than need be.
  private var loosePlan: LinePlan?
  /// The room for adjustment of its lines, where justification in steps is asked for.
  fileprivate var adjustmentRoom: AdjustmentRoom?

  fileprivate init(_ text: TextID, slot: Int) {
    self.text = text
    self.slot = slot
  }

  /// Bytes allocated, about.
  var byteCount: Int {
    shaped.byteCount + reshaped.byteCount
      + (adjustmentRoom.map { $0.entries.capacity * MemoryLayout<AdjustmentRoom.Entry>.stride } ?? 0)
  }

  /// Another text takes the place of one that nobody has in hand.
  fileprivate func begin(_ text: TextID, longestKept: Int) {
    self.text = text
    if shaped.clusters.capacity > longestKept { shaped = ShapedText() }
    plan = nil
    planOfRest = nil
    loosePlan = nil
    adjustmentRoom = nil
  }

  /// The lines that were chosen under a key from a cluster on.
  func plan(_ key: LinePlan.Key, first: Int) -> LinePlan? {
    let known = key.looseness != 0 ? loosePlan : first == 0 ? plan : planOfRest
    guard let known, known.first == first, known.key == key else { return nil }
    return known
  }
  /// Remembers chosen lines.
  func keep(_ chosen: LinePlan) {
    if chosen.key.looseness != 0 {
      loosePlan = chosen
    } else if chosen.first == 0 {
      plan = chosen
    } else {
      planOfRest = chosen
    }
  }

  // Clusters of an item of a line: single arrays, for a copy of the whole would count references to each.
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

/// The spacing of the clusters of one set of shaping attributes in lines.
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

/// The pool that inline layout keeps between paragraphs: shaped texts and scratch arrays.
final class InlinePool {
  private var paragraphs: [InlineParagraph] = []
  /// The key of each of them, in the same order: the search reads no reference.
  private var slots: [Slot] = []
  /// The slot that a text was put into last.
  private var slotOfText: [UInt8]
  /// The slot that was taken last.
  private var hand = 0
  private var lines: [LineScratch] = []

  private struct Slot {
    var text: TextID
    var writingMode: WritingMode
    /// Layouts that have it in hand.
    var users: Int
    /// It was asked for again since the hand passed.
    var isRecent = false
  }

  /// Paragraphs kept: what stands on a page or two.
  private static let capacity = 48
  /// Of a text that was put into none, or into one too far back to be found.
  private static let noSlot = UInt8.max
  /// A longer text gives its memory back when another takes its place.
  private static let longestKept = 20_000

  init(texts: Int) { slotOfText = Array(repeating: Self.noSlot, count: texts) }

  /// About the memory that shaped paragraphs take, in bytes.
  var byteCount: Int { paragraphs.reduce(0) { $0 + $1.byteCount } }

  /// The paragraph of `text` and whether it is shaped already.
  fileprivate func acquire(_ text: TextID, _ writingMode: WritingMode) -> (paragraph: InlineParagraph, isShaped: Bool) {
    let known = Int(slotOfText[text.index])
    if known < slots.count, slots[known].text == text, slots[known].writingMode == writingMode {
      slots[known].users += 1
      slots[known].isRecent = true
      return (paragraphs[known], true)
    }
    let slot = Slot(text: text, writingMode: writingMode, users: 1)
    let index = freeSlot()
    slotOfText[text.index] = UInt8(exactly: index) ?? Self.noSlot
    if index < slots.count {
      slots[index] = slot
      paragraphs[index].begin(text, longestKept: Self.longestKept)
    } else {
      slots.append(slot)
      paragraphs.append(InlineParagraph(text, slot: index))
    }
    return (paragraphs[index], false)
  }

  /// A slot whose paragraph nobody has in hand and was not asked for again (the clock algorithm); a new one where there are few, or
  /// all are in hand.
  private func freeSlot() -> Int {
    guard slots.count >= Self.capacity else { return slots.count }
    for _ in 0..<2 * slots.count {
      hand = hand + 1 < slots.count ? hand + 1 : 0
      guard slots[hand].users == 0 else { continue }
      if !slots[hand].isRecent { return hand }
      slots[hand].isRecent = false
    }
    return slots.count
  }

  fileprivate func release(_ paragraph: InlineParagraph) { slots[paragraph.slot].users -= 1 }

  func takeLine() -> LineScratch { lines.popLast() ?? LineScratch() }
  func giveBack(_ line: consuming LineScratch) { lines.append(consume line) }
}

extension LayoutContext {
  /// The shaped paragraph; `release` it when its lines are made.
  func acquireParagraph(_ text: TextID) -> InlineParagraph {
    let (paragraph, isShaped) = inline.acquire(text, writingMode)
    if !isShaped {
      paragraph.shaped.removeAll()
      let start = wallTime()
      shaper.shape(text, in: tree.texts, writingMode: writingMode, into: &paragraph.shaped)
      if !writingMode.isHorizontal { placeToneMarks(&paragraph.shaped, of: text) }
      workspace.shapingTime += wallTime() - start
    }
    return paragraph
  }
  func release(_ paragraph: InlineParagraph) { inline.release(paragraph) }

  /// The face that most of a text falls back to; nil where that is the face of its container, or one that its elements name.
  func mainFallback(_ shaped: ShapedText, in container: FontID) -> FontID? {
    guard settings.deviations.keepsLineDistance, var main = shaped.runs.first else { return nil }
    var (all, own) = (0, 0)
    for run in shaped.runs {
      all += run.clusters.count
      if run.font == container { own += run.clusters.count }
    }
    if own * 2 > all { return nil }
    if shaped.runs.contains(where: { $0.font != main.font }) {
      // A text has few faces: a list is searched faster than a table.
      var faces: [(font: FontID, first: Int, count: Int)] = []
      for (index, run) in shaped.runs.enumerated() {
        if let face = faces.firstIndex(where: { $0.font == run.font }) {
          faces[face].count += run.clusters.count
        } else {
          faces.append((run.font, index, run.clusters.count))
        }
      }
      var most = faces[0]
      for face in faces where face.count > most.count { most = face }
      main = shaped.runs[most.first]
    }
    guard main.font != container else { return nil }
    let request = tree.texts.attributes[tree.texts.attributes[main.attributes].font]
    return fonts.cascade(for: request.description).primary.id != main.font ? main.font : nil
  }

  /// The room for adjustment of a paragraph's lines; nil where CSS alone decides.
  func adjustmentRoom(_ paragraph: InlineParagraph, _ style: ParagraphStyle) -> AdjustmentRoom? {
    guard style.conventions != .none, var steps = style.steps else { return nil }
    if let known = paragraph.adjustmentRoom { return known }
    let range = tree.texts.texts[paragraph.text.index].units
    if !settings.deviations.reducesStops { steps = steps.keepingStops }
    let room = unsafe tree.texts.units.withUnsafeBufferPointer {
      unsafe AdjustmentRoom(paragraph, UnsafeBufferPointer(rebasing: $0[range]), steps) { cluster, run in
        // In vertical lines they stand in the middle (CLREQ, punctuation adjustment space).
        guard writingMode.isHorizontal, !spacing(run.attributes).centresStops, let face = fonts.face(run.font),
          paragraph.shaped.clusters[cluster].advance == Int32(face.metrics.unitsPerEm),
          let ink = face.extents(paragraph.shaped.glyphs[Int(paragraph.shaped.clusters[cluster].glyph)].id)
        else { return false }
        return ink.x + ink.width <= Int32(face.metrics.unitsPerEm) / 2
      }
    }
    paragraph.adjustmentRoom = room
    return room
  }

  /// The spacing and breaking of clusters of these attributes.
  func spacing(_ attributes: ShapingAttributesID) -> ClusterSpacing {
    if attributes.index < measurements.fonts.spacings.count, let known = measurements.fonts.spacings[attributes.index] {
      return known
    }
    let values = tree.texts.attributes[attributes]
    let request = tree.texts.attributes[values.font]
    let size = request.size.resolved(rootFontSize: settings.rootFontSize)
    let basis = LengthBasis(
      fontSize: size, rootFontSize: settings.rootFontSize, cascade: fonts.cascade(for: request.description))
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
    while measurements.fonts.spacings.count <= attributes.index { measurements.fonts.spacings.append(nil) }
    measurements.fonts.spacings[attributes.index] = spacing
    return spacing
  }

  /// The hyphen that a run shows at the end of a line.
  func hyphen(of run: ShapedRun) -> Hyphen {
    let made = shaper.hyphen(for: run, in: tree.texts)
    return Hyphen(glyphs: made.glyphs, advance: run.fixedScale.advance(made.advance))
  }

  /// The advance of `hyphen(of:)`.
  func hyphenAdvance(of run: ShapedRun) -> Advance {
    run.fixedScale.advance(shaper.hyphenAdvance(for: run, in: tree.texts))
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
