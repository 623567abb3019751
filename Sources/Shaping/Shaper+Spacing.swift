import CSS
import Fonts
import Primitives
import Text

/// A full-width mark, or a cluster with a gap after it: what the end of a line changes in a text's advances
/// (CSS Text 4, sections 8.5 and 8.6).
package struct SpacedCluster: Sendable, Hashable {
  /// Marks by the half that is blank: the first of opening ones, the second of closing brackets and quotation marks, and of
  /// stops and colons.
  /// Those of middle ones, interpuncts and centred stops, lie on both sides.
  package enum Mark: UInt8, Sendable { case none, opening, closing, stop, middle }
  package var cluster: Int
  package var mark = Mark.none
  /// The blank half has been taken off the cluster's advance, because of its neighbours or of `trim-all`.
  package var isTrimmed = false
  /// Space that `text-autospace` has added to the cluster's advance, in font units.
  package var gap: Int32 = 0
}

extension [SpacedCluster] {
  /// The spacing of a cluster, if it has any.
  ///
  /// - Complexity: O(log n).
  package func entry(of cluster: Int) -> SpacedCluster? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].cluster < cluster { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].cluster == cluster ? self[low] : nil
  }
}

/// `text-spacing-trim` and `text-autospace`, once a paragraph is shaped: neighbours are known across runs and faces.
extension Shaper {
  /// The side of a glyph that is blank, from its ink.
  enum Blank: UInt8 { case none, start, end, both }

  private struct Neighbour {
    var cluster = -1
    var kind = EastAsianSpacing.CharacterClass.other
    var run = 0
    var isStop = false

    // A comparison of the whole enumeration goes through its witness table in another module.
    @inline(__always) var isWide: Bool { if case .wide = kind { true } else { false } }
    @inline(__always) var isOpening: Bool { if case .opening = kind { true } else { false } }
    @inline(__always) var isMiddle: Bool { if case .middle = kind { true } else { false } }
    @inline(__always) var isClosing: Bool { if case .closing = kind { true } else { false } }
  }

  /// Takes the blank halves of adjacent marks away, and sets ideographs apart from letters and digits.
  func space(_ shaped: inout ShapedText) {
    let text = unsafe paragraph.units.base
    var last = Neighbour()
    // A single space between the last neighbour and the next one, which `replace` gives the width of a gap.
    var space = -1
    for number in shaped.runs.indices {
      let run = shaped.runs[number]
      guard let style = styles[run.attributes], run.level & 1 == 0,
        style.trim != .spaceAll || !style.autospace.isEmpty
      else {
        last = Neighbour()
        space = -1
        continue
      }
      let trims: Bool = if case .spaceAll = style.trim { false } else { true }
      let em = Int32(fonts.face(run.font)?.metrics.unitsPerEm ?? 0)
      let replaces = style.autospace.contains(.replace)
      var index = run.clusters.lowerBound - 1
      while index + 1 < run.clusters.upperBound {
        index += 1
        if last.isWide {
          // Ideographs in a row ask for nothing.
          let first = index
          let upper = run.clusters.upperBound
          index = unsafe shaped.clusters.withUnsafeBufferPointer { clusters in
            var position = first
            while position < upper, unsafe text[Int(clusters[position].text)] &- 0x4E00 < 0x5200 { position &+= 1 }
            return position
          }
          if index > first {
            last.cluster = index - 1
            last.run = number
            guard index < upper else { break }
          }
        }
        let unit = unsafe text[Int(shaped.clusters[index].text)]
        if unit == 0x20, replaces, last.cluster == index - 1, last.cluster >= 0 {
          space = index
          continue
        }
        guard let next = neighbour(index, in: number, run, em: em, of: shaped, style) else { continue }
        if trims { trim(&shaped, last, next, style) }
        if unit == 0xFF1F || unit == 0xFF01, case .trimBoth = style.trim, case .other = next.kind,
          style.tailoring.language.isChinese
        {
          narrowQuestions(&shaped, from: index, in: run, em: em)
        }
        if last.isWide != next.isWide, last.cluster >= 0, needsGap(last, next, style),
          let before = styles[shaped.runs[last.run].attributes],
          number == last.run || needsGap(last, next, before)
        {
          addGap(&shaped, after: last, space: space, before)
        }
        last = next
        space = -1
      }
    }
  }

  /// Makes what stands between characters of an em a whole number of ems wide, with equal white before and behind it, and no
  /// less than `text-autospace` asks for: the characters of all lines stand in columns (CLREQ, handling of grid alignment).
  func alignToGrid(_ shaped: inout ShapedText) {
    /// The clusters met since the last character of an em, and their width in px.
    var between: Range<Int>?
    var width: Float = 0
    var style: ShapingStyle?
    for run in shaped.runs {
      guard let own = styles[run.attributes], run.level & 1 == 0, own.tailoring.language.isChineseOrJapanese
      else {
        between = nil
        continue
      }
      let em = Int32(fonts.face(run.font)?.metrics.unitsPerEm ?? 0)
      for index in run.clusters {
        let cluster = shaped.clusters[index]
        let (scalar, _) = paragraph.units.scalar(at: Int(cluster.text))
        if cluster.advance == em, scalar >= 0x2010 || isUpright(run) {
          if let between, let style { pad(&shaped, between, width: width, style) }
          between = index + 1..<index + 1
          (width, style) = (0, own)
        } else if !cluster.flags.isDisjoint(with: [.object, .tab, .mandatoryBreakBefore]) {
          between = nil
        } else if let known = between {
          between = known.lowerBound..<index + 1
          width += Float(cluster.advance) * run.scale
        }
      }
    }
  }

  private func pad(_ shaped: inout ShapedText, _ clusters: Range<Int>, width: Float, _ style: ShapingStyle) {
    guard !clusters.isEmpty, let first = run(of: clusters.lowerBound, in: shaped),
      let last = run(of: clusters.upperBound - 1, in: shaped), first.scale > 0, last.scale > 0
    else { return }
    let cell = style.cascade.primary.metrics.scaled(style.cascade.primary.metrics.icAdvance, size: style.size)
    let least = width + (style.autospace.isEmpty ? 0 : 2 * cell * style.gap)
    guard cell > 0, width > 0 else { return }
    let white = (least / cell - 0.001).rounded(.up) * cell - width
    let before = Int32((white / 2 / first.scale).rounded())
    shaped.clusters[clusters.lowerBound].advance += before
    let glyphs =
      Int(shaped.clusters[clusters.lowerBound].glyph)..<Int(shaped.clusters[clusters.lowerBound + 1].glyph)
    for glyph in glyphs { shaped.glyphs[glyph].xOffset += before }
    shaped.clusters[clusters.upperBound - 1].advance += Int32((white / 2 / last.scale).rounded())
  }

  /// A cluster with its class in its face; nil for marks on letters, which count as part of what is before them.
  @inline(__always)
  private func neighbour(
    _ index: Int, in number: Int, _ run: ShapedRun, em: Int32, of shaped: ShapedText, _ style: ShapingStyle
  ) -> Neighbour? {
    let cluster = shaped.clusters[index]
    let (scalar, _) = paragraph.units.scalar(at: Int(cluster.text))
    let properties = CharacterProperties(scalar)
    if properties.category.isMark { return nil }
    var next = Neighbour(cluster: index, run: number)
    if !cluster.flags.isDisjoint(with: [.object, .ignorable]) { return next }
    let kind = EastAsianSpacing.classify(scalar, properties)
    switch kind {
    case .conditional: next.kind = style.tailoring.language.isChinese ? .letter : .other
    // A box has no blank half.
    case .opening, .closing:
      next.kind = cluster.advance == em && !cluster.flags.contains(.missingGlyph) ? kind : .other
    case .stop, .colon:
      next.isStop = true
      switch blank(of: cluster, in: shaped, run, em: em) {
      case .none, .start: next.kind = .other
      case .end: next.kind = .closing
      case .both: next.kind = .middle
      }
    case .openingQuote: next.kind = blank(of: cluster, in: shaped, run, em: em) == .start ? .opening : .narrowOpening
    case .closingQuote: next.kind = blank(of: cluster, in: shaped, run, em: em) == .end ? .closing : .narrowClosing
    // Upright characters in a vertical line are set like ideographs.
    case .letter, .numeral: next.kind = isUpright(run) ? .other : kind
    default: next.kind = kind
    }
    return next
  }

  private func isUpright(_ run: ShapedRun) -> Bool { !styles.writingMode.isHorizontal && !run.isSideways }

  private func run(of cluster: Int, in shaped: ShapedText) -> ShapedRun? {
    var low = 0
    var high = shaped.runs.count
    while low < high {
      let middle = (low + high) / 2
      if shaped.runs[middle].clusters.upperBound <= cluster { low = middle + 1 } else { high = middle }
    }
    return low < shaped.runs.count ? shaped.runs[low] : nil
  }

  /// The blank part of a full-width glyph: browsers decide by its ink, which differs between the languages of one face.
  @inline(__always)
  private func blank(of cluster: Cluster, in shaped: ShapedText, _ run: ShapedRun, em: Int32) -> Blank {
    guard cluster.advance == em, em > 0 else { return .none }
    let glyph = shaped.glyphs[Int(cluster.glyph)]
    let key = UInt64(run.font.rawValue) << 17 | UInt64(glyph.id) << 1 | (run.isSideways ? 1 : 0)
    let slot = Int(truncatingIfNeeded: glyph.id) & 63
    if blanks[slot].key == key { return blanks[slot].blank }
    let found = findBlank(of: glyph, run, half: em / 2)
    blanks[slot] = (key, found)
    return found
  }

  @inline(never)
  private func findBlank(of glyph: ShapedGlyph, _ run: ShapedRun, half: Int32) -> Blank {
    var found = Blank.none
    if let ink = fonts.face(run.font)?.extents(glyph.id) {
      let isUpright = isUpright(run)
      let left = glyph.xOffset + (isUpright ? -ink.y : ink.x)
      let width = isUpright ? -ink.height : ink.width
      let right = left + width
      if right <= half {
        found = .end
      } else if left >= half {
        found = .start
      } else if width <= half, left >= half / 2 {
        found = .both
      }
    }
    return found
  }

  private func halfEm(_ run: ShapedRun) -> Int32 { Int32((fonts.face(run.font)?.metrics.unitsPerEm ?? 0) / 2) }

  /// Notes a mark, and takes the blank between it and its neighbour away: two marks are one em and a half together.
  private func trim(_ shaped: inout ShapedText, _ last: Neighbour, _ next: Neighbour, _ style: ShapingStyle) {
    guard last.isClosing || next.isOpening || next.isClosing || next.isMiddle else { return }
    let areAdjacent =
      last.cluster == next.cluster - 1
      && (paragraph.edges.isEmpty || !paragraph.edges.contains(shaped.clusters[next.cluster].text))
    // The larger of two marks does not give way to the smaller one.
    let (lastSize, nextSize) = last.cluster >= 0 ? (shaped.runs[last.run].size, shaped.runs[next.run].size) : (0, 0)
    if last.isClosing, areAdjacent, lastSize <= nextSize, let known = shaped.spaced.indices.last,
      shaped.spaced[known].cluster == last.cluster, !shaped.spaced[known].isTrimmed
    {
      switch next.kind {
      case .closing, .middle, .narrowClosing:
        shaped.spaced[known].isTrimmed = true
        shaped.clusters[last.cluster].advance -= halfEm(shaped.runs[last.run])
      default: break
      }
    }
    guard next.isOpening || next.isClosing else {
      // An ideographic space is as blank, and no mark.
      if next.isMiddle, shaped.clusters[next.cluster].flags.isDisjoint(with: [.space, .wordSeparator]),
        shaped.clusters[next.cluster].advance == 2 * halfEm(shaped.runs[next.run])
      {
        shaped.spaced.append(SpacedCluster(cluster: next.cluster, mark: .middle))
      }
      return
    }
    var entry = SpacedCluster(cluster: next.cluster, mark: next.isOpening ? .opening : next.isStop ? .stop : .closing)
    if case .trimAll = style.trim { entry.isTrimmed = true }
    if next.isOpening, areAdjacent, nextSize <= lastSize {
      switch last.kind {
      case .opening, .closing, .middle, .narrowOpening: entry.isTrimmed = true
      default: break
      }
    }
    // As `narrowQuestions`, for marks that stand at the start of their em.
    if areAdjacent, next.isStop, !entry.isTrimmed, case .trimBoth = style.trim, style.tailoring.language.isChinese,
      isQuestion(next.cluster, shaped), isQuestion(last.cluster, shaped), !isQuestion(last.cluster - 1, shaped)
    {
      entry.isTrimmed = true
    }
    if entry.isTrimmed {
      let half = halfEm(shaped.runs[next.run])
      shaped.clusters[next.cluster].advance -= half
      if next.isOpening {
        let first = Int(shaped.clusters[next.cluster].glyph)
        for glyph in first..<Int(shaped.clusters[next.cluster + 1].glyph) { shaped.glyphs[glyph].xOffset -= half }
      }
    }
    shaped.spaced.append(entry)
  }

  /// Two marks whose ink stands in the middle of their em are one em together, three are two (GB/T 15834, section 5.1.5).
  private func narrowQuestions(_ shaped: inout ShapedText, from first: Int, in run: ShapedRun, em: Int32) {
    guard !isQuestion(first - 1, shaped) else { return }
    var end = first + 1
    while end < run.clusters.upperBound, end - first < 4, isQuestion(end, shaped) { end += 1 }
    guard end - first == 2 || end - first == 3, let face = fonts.face(run.font) else { return }
    let width = end - first == 2 ? em / 2 : em * 2 / 3
    for cluster in first..<end where shaped.clusters[cluster].advance == em {
      let glyph = Int(shaped.clusters[cluster].glyph)
      guard let ink = face.extents(shaped.glyphs[glyph].id) else { continue }
      let middle = isUpright(run) ? em / 2 : ink.x + ink.width / 2
      shaped.glyphs[glyph].xOffset += width / 2 - middle
      shaped.clusters[cluster].advance = width
    }
  }

  /// The cluster is ？ or ！.
  private func isQuestion(_ cluster: Int, _ shaped: ShapedText) -> Bool {
    guard cluster >= 0 else { return false }
    let unit = paragraph.units[Int(shaped.clusters[cluster].text)]
    return unit == 0xFF1F || unit == 0xFF01
  }

  private func needsGap(_ first: Neighbour, _ second: Neighbour, _ style: ShapingStyle) -> Bool {
    switch first.isWide ? second.kind : first.kind {
    case .letter: style.autospace.contains(.ideographAlpha)
    case .numeral: style.autospace.contains(.ideographNumeric)
    default: false
    }
  }

  private func addGap(_ shaped: inout ShapedText, after last: Neighbour, space: Int, _ style: ShapingStyle) {
    let cluster = space >= 0 ? space : last.cluster
    guard let run = run(of: cluster, in: shaped) else { return }
    let pixels = style.cascade.primary.metrics.scaled(style.cascade.primary.metrics.icAdvance, size: style.size)
    let gap = Int32((pixels * style.gap / Swift.max(run.scale, 1e-6)).rounded())
    if space >= 0 {
      shaped.clusters[cluster].advance = gap
      return
    }
    shaped.clusters[cluster].advance += gap
    shaped.spaced.append(SpacedCluster(cluster: cluster, gap: gap))
  }
}
