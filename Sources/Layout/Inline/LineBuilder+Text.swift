import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// The glyphs of a line.
extension LineBuilder {
  /// Appends the glyphs of one item and their fragment.
  mutating func emitText(
    _ index: Int, pen: inout Advance, target: FragmentID, top: LayoutUnit, expansion: Expansion
  ) {
    let page = context.page
    let item = line.items[index]
    let startsLine = item.start == edges.startCluster && !item.isReshaped
    if startsLine, edges.protrudes { pen += edges.start }
    let start = pen
    if startsLine, !edges.protrudes { pen += edges.start }
    let firstGlyph = UInt32(page.glyphCount)
    let firstCluster = UInt32(page.clusterCount)
    emitGlyphs(of: index, from: LayoutUnit(start), pen: &pen, expansion: expansion)
    guard Int(firstGlyph) < page.glyphCount || pen != start else { return }

    let run = paragraph.run(of: item)
    let entry = line.boxes[item.parent]
    let clusters = paragraph.clusters(of: item)
    let (ascent, descent) =
      isAnnotation
      ? context.faceMetrics(run.font).content(run.size) : (entry.metrics.ascent, entry.metrics.descent)
    var content = TextFragment(
      text: text, range: clusters[item.start].text..<clusters[item.end].text,
      attributes: context.tree.texts.runs[item.run].attributes, font: run.font, size: run.size, baseline: ascent,
      level: run.level, isSideways: run.isSideways, glyphs: firstGlyph..<UInt32(page.glyphCount),
      isAnnotation: isAnnotation)
    content.compression = run.compression
    if item.justification.fitsGlyphs { content.expansion = glyphFit.expansion }
    content.clusters = firstCluster..<UInt32(page.clusterCount)
    if context.inputs.hasEmphasis { reserveEmphasis(&content, around: item.parent) }
    let fragment = page.appendText(
      content, of: entry.box,
      size: LogicalSize(inline: LayoutUnit(pen) - LayoutUnit(start), block: ascent + descent))
    let block = top + line.subtrees[entry.alignment.subtree].baseline + entry.alignment.baseline - ascent
    page.attach(
      fragment, to: target, at: LogicalOffset(inline: LayoutUnit(start), block: block) + entry.alignment.shift)
  }

  /// Appends the glyphs of one item, and the hyphen if the line ends with it. `left` is the fragment's line-left edge.
  private mutating func emitGlyphs(of index: Int, from left: LayoutUnit, pen: inout Advance, expansion: Expansion) {
    let page = context.page
    let item = line.items[index]
    let run = paragraph.run(of: item)
    let isRTL = run.level & 1 == 1
    let fit = item.justification.fitsGlyphs ? glyphFit : .none
    var hyphen = index == hyphenLeaf ? context.hyphen(of: run) : nil
    if let natural = hyphen?.advance { hyphen?.advance = fit.expanded(natural) }
    let clusters = paragraph.clusters(of: item)
    let shapedGlyphs = paragraph.glyphs(of: item)
    var (each, opportunities) = (spread, opportunities)
    let base = line.boxes[item.parent].ruby.around
    if base > 0 {
      let gap = rubyGap(line.boxes[base])
      (each, opportunities) = (gap.spread.each, gap.opportunities)
    }
    let spreading = Spreading(
      isRTL: isRTL, each: each, fit: fit.space(run), opportunities: opportunities,
      spacing: context.spacing(run.attributes),
      expansion: !expansion.isEmpty && item.justification.firstOpportunity >= 0 ? expansion : nil)
    let mostGlyphs = Int(clusters[item.end].glyph) - Int(clusters[item.start].glyph) + (hyphen?.glyphs.count ?? 0)
    unsafe withUnsafeTemporaryAllocation(of: FragmentGlyph.self, capacity: Swift.max(1, mostGlyphs)) { buffer in
      var glyphs = unsafe GlyphWriter(
        buffer, from: left, scale: fit.expanded(run.fixedScale), scaleAcross: run.fixedScale)
      if isRTL, let hyphen { glyphs.draw(hyphen, pen: &pen) }
      unsafe clusters.withUnsafeBufferPointer { clusters in
        unsafe shapedGlyphs.withUnsafeBufferPointer { shapedGlyphs in
          if context.settings.recordsClusters {
            var places = ClusterPlaces(left: left)
            unsafe emit(clusters, shapedGlyphs, of: item, spreading, pen: &pen, into: &glyphs, noting: &places)
            page.append(places.all)
          } else {
            var nothing = NoPlaces()
            unsafe emit(clusters, shapedGlyphs, of: item, spreading, pen: &pen, into: &glyphs, noting: &nothing)
          }
        }
      }
      if item.end == edges.endCluster + 1, !item.isReshaped { pen += edges.end }
      if !isRTL, let hyphen { glyphs.draw(hyphen, pen: &pen) }
      unsafe page.append(glyphs.written)
    }
  }

  /// The place of the emphasis marks of a text: beyond the annotations around it.
  private func reserveEmphasis(_ content: inout TextFragment, around parent: Int) {
    let table = context.tree.texts.attributes
    let emphasis = table[content.attributes].emphasis
    guard emphasis != 0 else { return }
    content.annotationReach = annotationReach(
      around: parent,
      isUnder: context.inputs.isUnder(table.emphases[Int(emphasis)].position, isCentral: context.isCentral))
  }

  /// Writes the glyphs of an item's clusters, in visual order.
  private func emit<Places: ClusterPlaceNoting>(
    _ clusters: UnsafeBufferPointer<Cluster>, _ shapedGlyphs: UnsafeBufferPointer<ShapedGlyph>, of item: LineItem,
    _ spreading: Spreading, pen: inout Advance, into glyphs: inout GlyphWriter, noting places: inout Places
  ) {
    let (isRTL, each, spacing, expansion) =
      (spreading.isRTL, spreading.each, spreading.spacing, spreading.expansion)
    let masks = ClusterMasks.shared
    let scale = glyphs.scale
    // Right-to-left text takes its expansion opportunities from the last one on.
    var number = item.justification.firstOpportunity
    if isRTL, let expansion {
      for cluster in item.start..<item.end where unsafe isExpandable(clusters, cluster, item, expansion, masks) {
        number += 1
      }
    }
    var share = ExpansionShare(expansion ?? .none, from: number)
    let adjusts = !changes.isEmpty && !item.isReshaped && !isRTL
    let fit = spreading.fit
    let widensSome = each != 0 || spacing.letter != 0 || spacing.word != 0 || fit != 0
    var isInterCharacter = false
    if case .interCharacter? = expansion?.mode { isInterCharacter = true }
    if !Places.keepsPlaces, !isRTL, !adjusts, !widensSome, !isInterCharacter {
      unsafe emitPlain(clusters, shapedGlyphs, of: item, expansion: expansion, share: &share, pen: &pen, into: &glyphs)
      return
    }
    let count = item.end - item.start
    var step = 0
    while step < count {
      let position = isRTL ? item.end - 1 - step : item.start + step
      step += 1
      let cluster = unsafe clusters[position]
      let flags = cluster.flags.rawValue
      let start = pen
      let firstGlyph = glyphs.count
      var gap: Advance = 0
      if widensSome, flags & masks.ignorable == 0 {
        if each != 0, spreading.opportunities.follow(position, flags) { gap = each }
        if flags & masks.cursive == 0 { gap += spacing.letter }
        if flags & masks.wordSeparator != 0 { gap += spacing.word }
        if fit != 0, unsafe GlyphFit.isMoved(after: position, in: clusters, end: item.end, masks) { gap += fit }
      }
      if let expansion, unsafe isExpandable(clusters, position, item, expansion, masks) {
        gap += isRTL ? share.previous() : share.next()
      }
      if adjusts {
        let change = changes[position]
        pen += change.before
        gap += change.after
      }
      if isRTL { pen += gap }
      unsafe glyphs.draw(cluster, to: clusters[position + 1], of: shapedGlyphs, at: pen, masks)
      pen += scale.advance(cluster.advance)
      if !isRTL { pen += gap }
      places.note(cluster.text, firstGlyph..<glyphs.count, from: start, to: pen)
    }
  }

  /// The usual case where no places are kept: left to right, with nothing between clusters but what justification puts there.
  private func emitPlain(
    _ clusters: UnsafeBufferPointer<Cluster>, _ shapedGlyphs: UnsafeBufferPointer<ShapedGlyph>, of item: LineItem,
    expansion: Expansion?, share: inout ExpansionShare, pen: inout Advance, into glyphs: inout GlyphWriter
  ) {
    let masks = ClusterMasks.shared
    let widened = expansion?.flags(masks) ?? (0, 0)
    let last = item.end - 1
    pen = unsafe Self.draw(
      clusters, item.start..<last, shapedGlyphs, widened: widened, masks, &share, from: pen, into: &glyphs)
    unsafe glyphs.draw(clusters[last], to: clusters[item.end], of: shapedGlyphs, at: pen, masks)
    unsafe pen &+= glyphs.scale.advance(clusters[last].advance)
    if let expansion, unsafe isExpandable(clusters, last, item, expansion, masks) { pen &+= share.next() }
  }

  /// Draws clusters of a range, each followed by another one. Returns where the pen ends.
  ///
  /// A function of its own, so that its values stay in registers.
  @inline(never)
  private static func draw(
    _ clusters: UnsafeBufferPointer<Cluster>, _ range: Range<Int>, _ shapedGlyphs: UnsafeBufferPointer<ShapedGlyph>,
    widened: (after: UInt16, before: UInt16), _ masks: ClusterMasks, _ share: inout ExpansionShare,
    from pen: Advance, into glyphs: inout GlyphWriter
  ) -> Advance {
    guard !range.isEmpty else { return pen }
    var writer = glyphs
    var x = pen
    var cluster = unsafe clusters[range.lowerBound]
    for position in range {
      let next = unsafe clusters[position &+ 1]
      let flags = cluster.flags.rawValue
      unsafe writer.draw(cluster, to: next, of: shapedGlyphs, at: x, masks)
      x &+= writer.scale.advance(cluster.advance)
      if flags & widened.after | (flags & masks.ignorable == 0 ? next.flags.rawValue & widened.before : 0) != 0 {
        x &+= share.next()
      }
      cluster = next
    }
    glyphs = writer
    return x
  }

  @inline(__always)
  private func isExpandable(
    _ clusters: UnsafeBufferPointer<Cluster>, _ position: Int, _ item: LineItem, _ expansion: Expansion,
    _ masks: ClusterMasks
  ) -> Bool {
    let isEnd = position == item.end - 1
    if isEnd, item.justification.isLastContent { return false }
    let follows =
      unsafe isEnd
      ? item.justification.precedesIdeograph : clusters[position + 1].flags.rawValue & masks.ideographic != 0
    return unsafe expansion.isOpportunity(after: clusters[position].flags.rawValue, before: follows, masks)
  }
}

/// Spacing between the clusters of an item, beside their advances.
private struct Spreading {
  let isRTL: Bool
  /// Room at each of the opportunities of a ruby.
  let each: Advance
  /// Room after each letter.
  let fit: Advance
  let opportunities: RubyOpportunities
  let spacing: ClusterSpacing
  /// The share of justification.
  let expansion: Expansion?
}

/// Takes the place of each cluster that is drawn, or does without.
private protocol ClusterPlaceNoting {
  static var keepsPlaces: Bool { get }
  mutating func note(_ unit: UInt32, _ glyphs: Range<Int>, from start: Advance, to end: Advance)
}

private struct NoPlaces: ClusterPlaceNoting {
  static var keepsPlaces: Bool { false }
  /// Empty memory has no address to be passed by, and the thread sanitizer asks for one.
  private let byte: UInt8 = 0
  @inline(__always) mutating func note(_ unit: UInt32, _ glyphs: Range<Int>, from start: Advance, to end: Advance) {}
}

private struct ClusterPlaces: ClusterPlaceNoting {
  static var keepsPlaces: Bool { true }
  /// The fragment's line-left edge.
  let left: LayoutUnit
  var all: [ClusterPlace] = []
  mutating func note(_ unit: UInt32, _ glyphs: Range<Int>, from start: Advance, to end: Advance) {
    all.append(
      ClusterPlace(
        unit: unit, glyphs: UInt32(glyphs.lowerBound)..<UInt32(glyphs.upperBound), left: LayoutUnit(start) - left,
        right: LayoutUnit(end) - left))
  }
}

/// Places glyphs along a pen, from a fragment's line-left edge on. Its memory has room for all that will come.
@safe private struct GlyphWriter {
  let scale: FixedScale
  private let scaleAcross: FixedScale
  private let left: LayoutUnit
  private let base: UnsafeMutablePointer<FragmentGlyph>
  private let capacity: Int
  private(set) var count = 0

  init(
    _ buffer: UnsafeMutableBufferPointer<FragmentGlyph>, from left: LayoutUnit, scale: FixedScale,
    scaleAcross: FixedScale
  ) {
    unsafe base = unsafe buffer.baseAddress.unsafelyUnwrapped
    capacity = buffer.count
    self.left = left
    self.scale = scale
    self.scaleAcross = scaleAcross
  }

  var written: UnsafeBufferPointer<FragmentGlyph> { unsafe UnsafeBufferPointer(start: base, count: count) }

  @inline(__always)
  mutating func draw(_ glyph: ShapedGlyph, at pen: Advance) {
    precondition(count < capacity, "more glyphs than the clusters have")
    unsafe (base + count).initialize(
      to: FragmentGlyph(
        id: glyph.id, x: LayoutUnit(glyph.xOffset == 0 ? pen : pen + scale.advance(glyph.xOffset)) - left,
        y: glyph.yOffset == 0 ? .zero : -LayoutUnit(scaleAcross.advance(glyph.yOffset))))
    count += 1
  }

  /// Draws what a cluster shows; its glyphs reach to those of the next one.
  @inline(__always)
  mutating func draw(
    _ cluster: Cluster, to next: Cluster, of glyphs: UnsafeBufferPointer<ShapedGlyph>, at pen: Advance,
    _ masks: ClusterMasks
  ) {
    guard cluster.flags.rawValue & masks.glyphless == 0 else { return }
    unsafe draw(glyphs, from: Int(cluster.glyph), to: Int(next.glyph), at: pen)
  }

  /// Draws a hyphen and moves the pen behind it.
  mutating func draw(_ hyphen: Hyphen, pen: inout Advance) {
    unsafe hyphen.glyphs.withUnsafeBufferPointer { unsafe draw($0, from: 0, to: $0.count, at: pen) }
    pen += hyphen.advance
  }

  /// Draws glyphs, each at the end of the one before.
  @inline(__always)
  mutating func draw(_ glyphs: UnsafeBufferPointer<ShapedGlyph>, from start: Int, to end: Int, at pen: Advance) {
    guard start < end else { return }
    unsafe draw(glyphs[start], at: pen)
    var x = pen
    var index = start
    while index &+ 1 < end {
      unsafe x &+= scale.advance(glyphs[index].advance)
      index &+= 1
      unsafe draw(glyphs[index], at: x)
    }
  }
}
