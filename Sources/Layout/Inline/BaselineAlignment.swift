import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling

/// The vertical measures of one font group: content area and line height (CSS 2.2, section 10.8.1).
struct LineMetrics {
  /// Content area: ascent and descent of the first available face, each rounded to whole px.
  var ascent = LayoutUnit.zero
  var descent = LayoutUnit.zero
  /// The inline box: content area with half the leading on each side, the upper half rounded down to whole px.
  var above = LayoutUnit.zero
  var below = LayoutUnit.zero
  var lineHeight = LayoutUnit.zero
  /// `line-height: normal`: other faces used in the line count with their own measures.
  var isNormal = true
  var xHeight = LayoutUnit.zero
  var fontSize = LayoutUnit.zero
  /// The depth of the dominant baseline of a box with the font, which is the alphabetic one where text is sideways,
  /// below a central baseline of lines (CSS Writing Modes 4, section 4.2).
  var dominantDepth: LayoutUnit?
  /// The first available face.
  var font = FontID.none
}

/// The measures of a face in font units.
struct FaceMetrics {
  var ascent: Double
  var descent: Double
  var lineGap: Double
  /// The em box above the baseline, in em.
  var emAscent = ideographicAscent
  /// The baseline lies in the middle of the content area.
  var isCentral = false

  /// The em box of ideographs above the alphabetic baseline, in em, as CJK faces draw it: their ascents are more generous.
  static let ideographicAscent = 0.88

  /// Measures of text without a face.
  static func unknown(isCentral: Bool) -> FaceMetrics {
    FaceMetrics(ascent: 0.8, descent: 0.2, lineGap: 0, isCentral: isCentral)
  }

  /// `line-height: normal` of the face: rounded ascent, descent and gap, the gap shared as leading.
  func normalLine(size: Float) -> (above: LayoutUnit, below: LayoutUnit) {
    let content = content(size)
    let leading = leading(content.ascent + content.descent + gap(size), content.ascent, content.descent)
    return (content.ascent + leading.above, content.descent + leading.below)
  }
  /// The content area above and below the baseline: ascent and descent, each rounded to whole px.
  func content(_ size: Float) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    let ascent = rounded(ascent, size)
    let descent = rounded(descent, size)
    guard isCentral else { return (ascent, descent) }
    let half = (ascent + descent) / 2
    return (half, ascent + descent - half)
  }
  /// The depth of the alphabetic baseline below that of lines.
  func alphabeticDepth(_ size: Float) -> LayoutUnit { rounded(ascent, size) - content(size).ascent }
  func gap(_ size: Float) -> LayoutUnit { rounded(lineGap, size) }
  private func rounded(_ measure: Double, _ size: Float) -> LayoutUnit {
    LayoutUnit((measure * Double(size)).rounded())
  }
}

/// Half-leadings above and below a content area.
private func leading(_ lineHeight: LayoutUnit, _ ascent: LayoutUnit, _ descent: LayoutUnit) -> (
  above: LayoutUnit, below: LayoutUnit
) {
  let leading = lineHeight - ascent - descent
  let above = LayoutUnit(rawValue: leading.rawValue >> 1).floor
  return (above, leading - above)
}

extension LayoutContext {
  /// The depth of the alphabetic baseline of a font group below the baseline of lines.
  func alphabeticDepth(_ font: Identifier<FontStyleTag>) -> LayoutUnit {
    faceMetrics(primaryFace(font).metrics).alphabeticDepth(inputs.faceSize(font))
  }

  /// The vertical measures of an inline box, or of a block container's root inline box.
  func lineMetrics(of box: BoxID) -> LineMetrics {
    let font = tree.boxes[box.index].style.font
    var metrics = lineMetrics(font)
    if isCentral, !hasCentralBaseline(box) { metrics.dominantDepth = alphabeticDepth(font) }
    return metrics
  }

  /// The vertical measures of a font group.
  func lineMetrics(_ font: Identifier<FontStyleTag>) -> LineMetrics {
    let place = font.index
    if place < measurements.fonts.lineMetrics.count, let known = measurements.fonts.lineMetrics[place] { return known }
    let size = fontSize(font)
    var metrics = LineMetrics()
    metrics.fontSize = LayoutUnit(size)
    metrics.xHeight = LayoutUnit(lengthBasis(font).xHeight)
    let primary = primaryFace(font)
    metrics.font = primary.id
    let face = faceMetrics(primary.metrics)
    let faceSize = inputs.faceSize(font)
    (metrics.ascent, metrics.descent) = face.content(faceSize)
    switch styles.fonts[font.index].lineHeight {
    case .normal:
      metrics.lineHeight = metrics.ascent + metrics.descent + face.gap(faceSize)
    case .number(let factor):
      metrics.isNormal = false
      metrics.lineHeight = LayoutUnit(rawValue: roundedDown(factor * size))
    case .length(let length):
      metrics.isNormal = false
      metrics.lineHeight = Swift.max(.zero, resolve(length, font: font, percentage: LayoutUnit(size)))
    }
    let leading = leading(metrics.lineHeight, metrics.ascent, metrics.descent)
    metrics.above = metrics.ascent + leading.above
    metrics.below = metrics.descent + leading.below
    while measurements.fonts.lineMetrics.count <= place { measurements.fonts.lineMetrics.append(nil) }
    measurements.fonts.lineMetrics[place] = metrics
    return metrics
  }

  private func roundedDown(_ pixels: Float) -> Int32 {
    let units = (pixels * 64).rounded(.down)
    return units >= 2e9 ? 2_000_000_000 : units > 0 ? Int32(units) : 0
  }

  private func faceMetrics(_ metrics: FontMetrics) -> FaceMetrics {
    let em = Double(Swift.max(1, metrics.unitsPerEm))
    return FaceMetrics(
      ascent: Double(metrics.ascent) / em, descent: Double(metrics.descent) / em, lineGap: Double(metrics.lineGap) / em,
      emAscent: Double(metrics.emAscent) / em, isCentral: isCentral)
  }

  /// The measures of a face that text was shaped with.
  func faceMetrics(_ font: FontID) -> FaceMetrics {
    let place = font.index
    if place < measurements.fonts.faceMetrics.count, let known = measurements.fonts.faceMetrics[place] { return known }
    guard let face = fonts.face(font) else { return .unknown(isCentral: isCentral) }
    let metrics = faceMetrics(face.metrics)
    while measurements.fonts.faceMetrics.count <= place { measurements.fonts.faceMetrics.append(nil) }
    measurements.fonts.faceMetrics[place] = metrics
    return metrics
  }
}

/// An inline box on a line, or the root inline box, entry 0.
struct LineBox {
  /// Alignment of an inline box on its line (CSS 2.2, section 10.8.1).
  struct Alignment {
    /// Index of the aligned subtree.
    var subtree = 0
    /// Baseline of the box, below that of the subtree.
    var baseline = LayoutUnit.zero
    /// Shift of `position: relative`, ancestors' included.
    var shift = LogicalOffset.zero
  }
  /// Edges of an inline box.
  struct Edges {
    /// Start of the box: it is on this line.
    var opens = false
    /// End of the box: it is on this line.
    var closes = false
    /// Margins of the whole box.
    var margins = FlowEdges.zero
    /// Borders and padding of the whole box.
    var geometry = BoxGeometry()
  }
  /// Ruby base, and the bases on the line whose annotations are set together with its own. The first of them keeps what
  /// concerns them all, from `count` on.
  struct Ruby {
    /// Ruby base, unlike other inline boxes.
    var isBase = false
    /// The end of the base, or of its part on the line, is there: the annotation stands on it.
    var isClosed = false
    /// Clusters of the annotation that go with the part of the base; nil for all of it.
    var part: Range<Int>?
    /// The innermost base that the box is, or lies in; 0 for none.
    var around = 0
    /// First of the bases; mostly the box itself.
    var group = 0
    /// Number of the bases.
    var count = 0
    /// Number of bases whose start has been placed.
    var opened = 0
    /// Number of bases whose end has been placed.
    var closed = 0
    /// Inline position where they start.
    var start: Advance = 0
    /// Width of the annotation beyond that of the bases.
    var excess: Advance = 0
    /// Overhang of the annotation over the text before and after the bases.
    var overhang: (before: Advance, after: Advance) = (0, 0)

    /// Ends the base, or its part on the line, with its closing edge.
    mutating func close(_ edge: LineItem) {
      isClosed = true
      if edge.end > edge.start { part = edge.start..<edge.end }
    }
  }
  /// Ruby annotations in an inline box, measured from its baseline.
  struct Annotations {
    /// Reach above the baseline.
    var above = LayoutUnit.zero
    /// Reach below the baseline.
    var below = LayoutUnit.zero
    /// Distance of a ruby base's own annotation.
    var offset = LayoutUnit.zero
    /// Height of the annotation of a base that has none itself: it stands beyond the line.
    var roomBeyondLine: LayoutUnit?
  }
  /// Visual pieces of an inline box on the line.
  struct Pieces {
    /// Number of items in the box that have a place on the line.
    var leaves = 0
    /// Number of pieces.
    var count = 0
    /// Number of pieces that have been placed, the open one included.
    var done = 0
    /// Fragment of the piece that is open.
    var fragment = FragmentID.none
    /// Inline position where the piece that is open, or a ruby base, starts.
    var start: Advance = 0
    /// Inline position where a ruby base ends.
    var end: Advance = 0
  }
  let box: BoxID
  let parent: Int
  let depth: Int
  let metrics: LineMetrics
  /// Alignment of the box on the line.
  var alignment = Alignment()
  /// Edges of the box, and those of them that are on the line.
  var edges = Edges()
  /// Ruby that the box is a base of.
  var ruby = Ruby()
  /// Annotations in the box, and of a ruby base its own.
  var annotations = Annotations()
  /// Pieces of the box, which are more than one where bidirectional text divides it.
  var pieces = Pieces()
}

/// Boxes whose baselines are fixed to each other: all of a line, or a box aligned to its top or bottom with its descendants.
struct AlignedSubtree {
  enum Alignment { case baseline, top, bottom }
  var alignment: Alignment
  var above = LayoutUnit.min
  var below = LayoutUnit.min
  /// Below the line's top, once the line is complete.
  var baseline = LayoutUnit.zero

  mutating func include(above: LayoutUnit, below: LayoutUnit) {
    self.above = Swift.max(self.above, above)
    self.below = Swift.max(self.below, below)
  }
  var isEmpty: Bool { above == .min }
}

extension LayoutContext {
  /// Distance by which `vertical-align` lowers a box below its parent's baseline of lines; nil for `top` and `bottom`.
  ///
  /// - Parameter depth: That of the baseline of the box, which is aligned with its parent's dominant one.
  func baselineShift(
    _ value: VerticalAlign, above: LayoutUnit, below: LayoutUnit, depth: LayoutUnit = .zero, parent: LineMetrics,
    font: Identifier<FontStyleTag>
  ) -> LayoutUnit? {
    let baseline = parent.dominantDepth ?? .zero
    return switch value {
    case .baseline: baseline - depth
    case .sub: baseline - depth + parent.fontSize / 5 + LayoutUnit(1)
    case .super: baseline - depth - (parent.fontSize / 3 + LayoutUnit(1))
    case .middle: baseline + (above - below) / 2 - parent.xHeight / 2
    case .textTop: above - parent.ascent
    case .textBottom: parent.descent - below
    case .length(let length): baseline - depth - resolve(length, font: font, percentage: lineMetrics(font).lineHeight)
    case .top, .bottom: nil
    }
  }
}
