import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// The changes at the ends of a line: full-width marks give up their blank half or get it back, gaps vanish, punctuation hangs
/// (CSS Text 4, sections 8.2, 8.5 and 8.6).
struct LineEdges {
  /// The first visible cluster, and what it is moved by from the line's start on.
  var startCluster = -1
  var start: Advance = 0
  /// The last visible cluster, and what the line is longer by after it.
  var endCluster = -1
  var end: Advance = 0
  /// The first cluster stands out of the line whole: its box goes with it.
  var protrudes = false
}

/// The widths by which the end of a line at some place may be longer: at best, and when room is short.
struct LineEndRoom {
  var cluster = -1
  var best: Advance = 0
  var least: Advance = 0
}

extension LayoutContext {
  /// The ends of a paragraph's lines differ from their middle.
  func hasEdges(_ paragraph: InlineParagraph, _ style: ParagraphStyle) -> Bool {
    !paragraph.shaped.spaced.isEmpty || !style.hangingPunctuation.isEmpty || style.hasOpticalMargins
  }

  /// The punctuation that hangs where the page ends less than an em beside the block: a mark may leave the block, and not the
  /// page.
  func hangingPunctuation(_ style: ParagraphStyle, of box: BoxID, in space: InlineSpace) -> HangingPunctuation {
    var hanging = style.hangingPunctuation
    guard !hanging.isEmpty else { return hanging }
    let em = LayoutUnit(fontSize(tree.boxes[box.index].style.font))
    let page = pageBox.flowMargins(in: writingMode)
    let left = space.fragmentainer.inlineOffset + space.bfcOffset.inline
    let right = contentAreaSize.inline - left - space.contentInline
    let isLeftToRight = style.direction == .ltr
    if (isLeftToRight ? left + page.lineLeft : right + page.lineRight) < em { hanging.remove(.first) }
    if (isLeftToRight ? right + page.lineRight : left + page.lineLeft) < em {
      hanging.subtract([.last, .allowEnd, .forceEnd])
    }
    // The number of an item stands there.
    if hanging.contains(.first), beginsListItem(box) { hanging.remove(.first) }
    return hanging
  }

  private func run(of cluster: Int, in paragraph: InlineParagraph) -> ShapedRun? {
    var low = 0
    var high = paragraph.shaped.runs.count
    if high == 1 { return paragraph.shaped.runs[0] }
    while low < high {
      let middle = (low + high) / 2
      if paragraph.shaped.runs[middle].clusters.upperBound <= cluster { low = middle + 1 } else { high = middle }
    }
    return low < paragraph.shaped.runs.count ? paragraph.shaped.runs[low] : nil
  }

  private func scalar(of cluster: Int, in paragraph: InlineParagraph) -> UInt32 {
    let range = tree.texts.texts[paragraph.text.index].units
    let index = Int(paragraph.shaped.clusters[cluster].text)
    guard index < range.count else { return 0 }
    return unsafe tree.texts.units.withUnsafeBufferPointer {
      unsafe UTF16Text.scalar(UnsafeBufferPointer(rebasing: $0[range]), at: index).value
    }
  }

  /// The start of a line.
  ///
  /// - Parameters:
  ///   - isFirst: It is the first line of its block.
  ///   - afterBreak: It follows a forced break.
  func lineStart(
    at cluster: Int, in paragraph: InlineParagraph, _ style: ParagraphStyle, isFirst: Bool, afterBreak: Bool
  ) -> LineEdges {
    var index = cluster
    while index < paragraph.clusterCount,
      paragraph.shaped.clusters[index].flags.contains(.ignorable)
        || paragraph.shaped.clusters[index].flags.contains(.space) && scalar(of: index, in: paragraph) == 0x20
    {
      index += 1
    }
    var edges = LineEdges()
    guard index < paragraph.clusterCount else { return edges }
    edges.startCluster = index
    let mark = paragraph.spacing(of: index)
    guard mark != nil || style.hangingPunctuation.contains(.first) || style.hasOpticalMargins,
      let run = run(of: index, in: paragraph),
      run.level & 1 == 0
    else { return edges }
    if style.hasOpticalMargins, mark == nil {
      edges.start = -protrusion(OpticalMargins.start(scalar(of: index, in: paragraph)), of: index, run, in: paragraph)
      edges.protrudes = edges.start != 0
    }
    if isFirst, style.hangingPunctuation.contains(.first), HangingMarks.isFirst(scalar(of: index, in: paragraph)) {
      edges.start = -run.fixedScale.advance(paragraph.shaped.clusters[index].advance)
      return edges
    }
    guard let mark, mark.mark == .opening else { return edges }
    let wanted: Bool
    switch spacing(run.attributes).trim {
    case .trimStart, .trimBoth, .trimAll: wanted = true
    case .spaceFirst: wanted = !isFirst && !afterBreak
    case .normal, .auto, .spaceAll: wanted = false
    }
    if wanted != mark.isTrimmed { edges.start = wanted ? -halfEm(run) : halfEm(run) }
    return edges
  }

  /// The end of a line before `cluster`.
  ///
  /// - Parameter isLast: The block's text ends here.
  func lineEnd(
    before cluster: Int, from start: Int, in paragraph: InlineParagraph, _ style: ParagraphStyle, isLast: Bool
  ) -> LineEndRoom {
    var room = LineEndRoom()
    let start = Swift.max(0, start)
    var index = Swift.min(cluster, paragraph.clusterCount) - 1
    while index >= start, !paragraph.shaped.clusters[index].flags.isDisjoint(with: .space | .ignorable) { index -= 1 }
    guard index >= start else { return room }
    let mark = paragraph.spacing(of: index)
    guard mark != nil || !style.hangingPunctuation.isEmpty || style.hasOpticalMargins,
      let run = run(of: index, in: paragraph), run.level & 1 == 0
    else { return room }
    if style.hasOpticalMargins, mark == nil {
      room.best = -protrusion(OpticalMargins.end(scalar(of: index, in: paragraph)), of: index, run, in: paragraph)
      room.least = room.best
      if room.best != 0 { return room }
    }
    room.cluster = index
    if let mark, mark.gap != 0 {
      room.best = -run.fixedScale.advance(mark.gap)
      room.least = room.best
      return room
    }
    if let mark, mark.mark == .closing || mark.mark == .stop {
      let half = halfEm(run)
      let policy = spacing(run.attributes).trim
      room.least = mark.isTrimmed ? 0 : -half
      if policy == .trimBoth || policy == .trimAll {
        room.best = room.least
      } else {
        room.best = mark.isTrimmed ? half : 0
        // As in browsers, stops and what spaces follow give nothing up.
        if mark.mark == .stop && style.steps == nil || index + 1 < cluster {
          room.least = mark.isTrimmed ? 0 : room.best
        }
      }
    }
    // A mark in the middle of its em has a quarter on each side.
    if let mark, mark.mark == .middle, style.steps != nil { room.least = -halfEm(run) / 2 }
    let hanging = style.hangingPunctuation
    guard !hanging.isEmpty else { return room }
    let scalar = scalar(of: index, in: paragraph)
    let hung = -run.fixedScale.advance(paragraph.shaped.clusters[index].advance)
    if isLast, hanging.contains(.last), HangingMarks.isLast(scalar) {
      room.best = hung
      room.least = hung
    } else if HangingMarks.isStop(scalar), hanging.contains(.forceEnd) || hanging.contains(.allowEnd),
      index == 0 || !HangingMarks.isStop(self.scalar(of: index - 1, in: paragraph)),
      // Centred marks would hang with half of their blank only (CLREQ, hanging punctuation at line end).
      scalar < 0x3000 || !writingMode.isHorizontal || !spacing(run.attributes).centresStops
    {
      room.least = hung
      if hanging.contains(.forceEnd) { room.best = hung }
    }
    return room
  }

  /// The width by which a mark stands out of the line, never farther than to the page's edge.
  private func protrusion(
    _ share: Float, of cluster: Int, _ run: ShapedRun, in paragraph: InlineParagraph
  ) -> Advance {
    guard share > 0 else { return 0 }
    let advance = Double(run.fixedScale.advance(paragraph.shaped.clusters[cluster].advance))
    return protrusion(Advance(advance * Double(share)))
  }

  func protrusion(_ wanted: Advance) -> Advance {
    Swift.max(0, Swift.min(wanted, pageBox.protrusionLimit(in: writingMode).advance))
  }

  /// The blank half of a full-width mark.
  private func halfEm(_ run: ShapedRun) -> Advance {
    guard let face = fonts.face(run.font) else { return 0 }
    return run.fixedScale.advance(Int32(face.metrics.unitsPerEm) / 2)
  }
}

/// The share of a Western mark that stands out of the line at its ends, so that the edge looks straight. Full-width marks have
/// rules of their own.
enum OpticalMargins {
  static func start(_ scalar: UInt32) -> Float {
    switch scalar {
    case 0x22, 0x27, 0xAB, 0x2018...0x201F, 0x2039: 0.5
    default: 0
    }
  }
  static func end(_ scalar: UInt32) -> Float {
    switch scalar {
    case 0x2C, 0x2E, 0x2D, 0x2010: hyphen
    case 0x22, 0x27, 0xBB, 0x2018...0x201F, 0x203A: 0.5
    case 0x3A, 0x3B: 0.3
    default: 0
    }
  }
  static let hyphen: Float = 0.6
}

extension ParagraphStyle {
  var hasOpticalMargins: Bool { conventions == .western }
}

/// The marks that `hanging-punctuation` moves out of the line (CSS Text 4, section 8.2).
enum HangingMarks {
  static func isFirst(_ scalar: UInt32) -> Bool {
    switch CharacterProperties(scalar).category {
    case .openPunctuation, .initialPunctuation, .finalPunctuation: true
    default: scalar == 0x22 || scalar == 0x27
    }
  }

  static func isLast(_ scalar: UInt32) -> Bool {
    switch CharacterProperties(scalar).category {
    case .closePunctuation, .initialPunctuation, .finalPunctuation: true
    default: scalar == 0x22 || scalar == 0x27
    }
  }

  static func isStop(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2C, 0x2E, 0x060C, 0x06D4, 0x3001, 0x3002, 0xFE50, 0xFE51, 0xFE52, 0xFF0C, 0xFF0E, 0xFF61, 0xFF64: true
    default: false
    }
  }
}
