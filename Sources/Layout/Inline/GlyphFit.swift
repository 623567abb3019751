import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping

/// The microtypography of a line of Western text that is justified (rules B12 and B13): its glyphs are set a little wider or
/// narrower, and its letters a little apart or together, so that its word spaces keep near their natural width.
package struct GlyphFit: Hashable, Sendable {
  /// Thousandths by which each glyph is wider.
  package var expansion: Int16 = 0
  /// Space added after each letter, in ten-thousandths of an em.
  package var letterFit: Int16 = 0

  package static let none = GlyphFit()

  /// Glyphs are expanded in steps, so that few forms of each are drawn.
  static let expansionStep: Advance = 5
  static let mostExpansion: Advance = 20
  /// Lines one below the other are no farther apart than this where their word spaces allow it.
  private static let mostDifference: Advance = 15
  static let mostLetterFit: Advance = 100

  /// The width of letters whose glyphs are expanded.
  func expanded(_ advance: Advance) -> Advance {
    expansion == 0 ? advance : (advance * (1000 + Advance(expansion)) + 500) / 1000
  }
  func expanded(_ scale: FixedScale) -> FixedScale { FixedScale(value: expanded(scale.value)) }
  /// The space after each letter of a run.
  func space(_ run: ShapedRun) -> Advance {
    letterFit == 0 ? 0 : Advance((Double(letterFit) * Double(run.size) * 65536 / 10_000).rounded())
  }

  /// The fit of a line: glyphs are expanded so that word spaces come nearest to their natural width; what is left over is shared by
  /// letters and word spaces. Letters are moved little where little is left over: they are seen to be, and word spaces are not.
  ///
  /// - Parameters:
  ///   - excess: The room that the line has left over, or lacks where it is negative.
  ///   - before: The expansion of the line before.
  init(_ excess: Advance, of line: LetterMeasure, spaces: Advance, after before: Int16) {
    guard line.width > 0 else { return }
    let step = Self.expansionStep
    let spaceRoom = excess < 0 ? spaces / 5 : spaces / 3
    func rest(_ expansion: Advance) -> Advance { excess - line.width * expansion / 1000 }
    let steps = (Double(excess) * 1000 / Double(line.width * step)).rounded()
    let mostSteps = Double(Self.mostExpansion / step)
    let wanted = Advance(Swift.max(-mostSteps, Swift.min(mostSteps, steps))) * step
    let before = Advance(before)
    var chosen = Swift.max(before - Self.mostDifference, Swift.min(before + Self.mostDifference, wanted))
    while chosen != wanted, abs(rest(chosen)) > spaceRoom + line.fitRoom { chosen += chosen < wanted ? step : -step }
    expansion = Int16(chosen)
    let room = spaceRoom + line.fitRoom
    guard room > 0, line.fitRoom > 0 else { return }
    let share = Swift.max(-1, Swift.min(1, Double(rest(chosen)) / Double(room)))
    letterFit = Int16((share * abs(share) * Double(Self.mostLetterFit)).rounded(.towardZero))
  }

  package init() {}
}

/// The letters of a line, or of a text, that may be expanded and fitted.
struct LetterMeasure {
  /// Width of the letters.
  var width: Advance = 0
  /// The most that letters may be moved apart.
  var fitRoom: Advance = 0

  /// The most that expansion and letter fit add to a line, or take from it.
  var room: Advance { width * GlyphFit.mostExpansion / 1000 + fitRoom }

  /// Adds the letters among some clusters of a run.
  mutating func add(_ clusters: [Cluster], in range: Range<Int>, of run: ShapedRun) {
    let masks = ClusterMasks.shared
    let scale = run.fixedScale
    let space = GlyphFit.mostSpace(run)
    unsafe clusters.withUnsafeBufferPointer { clusters in
      for index in range where unsafe GlyphFit.isLetter(clusters[index].flags.rawValue, masks) {
        unsafe width += scale.advance(clusters[index].advance)
        if unsafe GlyphFit.isMoved(after: index, in: clusters, end: range.upperBound, masks) { fitRoom += space }
      }
    }
  }
}

extension GlyphFit {
  fileprivate static func mostSpace(_ run: ShapedRun) -> Advance {
    var fit = GlyphFit()
    fit.letterFit = Int16(mostLetterFit)
    return fit.space(run)
  }

  /// The cluster is no space.
  @inline(__always)
  static func isLetter(_ flags: UInt16, _ masks: ClusterMasks) -> Bool {
    flags & (masks.glyphless | masks.wordSeparator | masks.cursive | masks.ideographic) == 0
  }

  /// Letter fit sets a cluster and the one after it apart: both are letters of one piece of the line, which `end` ends.
  @inline(__always)
  static func isMoved(
    after index: Int, in clusters: UnsafeBufferPointer<Cluster>, end: Int, _ masks: ClusterMasks
  ) -> Bool {
    guard index + 1 < end else { return false }
    return unsafe isLetter(clusters[index].flags.rawValue, masks) && isLetter(clusters[index + 1].flags.rawValue, masks)
  }
}

extension LayoutContext {
  /// Runs of Latin, Greek and Cyrillic take part, neither preformatted nor in a face whose glyphs are of one width.
  func fitsGlyphs(of run: ShapedRun, in text: ShapedText) -> Bool {
    switch run.script {
    case 0x4C61_746E, 0x4772_656B, 0x4379_726C: break  // Latn, Grek, Cyrl
    default: return false
    }
    guard run.level & 1 == 0, !run.isSideways, run.compression == 1, text.writingMode.isHorizontal,
      spacing(run.attributes).collapses, let face = inputs.fonts.face(run.font)
    else { return false }
    return !face.isMonospace && !face.isColor
  }
}

extension LineBuilder {
  /// Fits the glyphs and letters of the measured line, whose opportunities are numbered, and takes what they gain from the expansion.
  ///
  /// - Parameter before: The expansion of the line before.
  mutating func fitGlyphs(_ expansion: inout Expansion, after before: Int16, hyphenated: Bool) {
    var letters = LetterMeasure()
    var spaces: Advance = 0
    for index in line.leaves {
      let item = line.items[index]
      guard item.kind == .text, !item.isHanging, item.start < item.end else { continue }
      let run = paragraph.run(of: item)
      let clusters = paragraph.clusters(of: item)
      for cluster in clusters[item.start..<item.end] where !cluster.flags.isDisjoint(with: .space | .wordSeparator) {
        spaces += run.fixedScale.advance(cluster.advance) + context.spacing(run.attributes).word
      }
      let box = line.boxes[item.parent]
      let fits =
        item.justification.firstOpportunity >= 0 && box.ruby.around == 0
        && !context.tree.boxes[box.box.index].flags.contains(.formula)
        && context.fitsGlyphs(of: run, in: item.isReshaped ? paragraph.reshaped : paragraph.shaped)
      line.items[index].justification.fitsGlyphs = fits
      if fits { letters.add(clusters, in: item.start..<item.end, of: run) }
    }
    glyphFit = GlyphFit(expansion.total, of: letters, spaces: spaces, after: before)
    guard glyphFit != .none else { return }
    for index in line.leaves where line.items[index].justification.fitsGlyphs {
      expansion.total -= gain(of: line.items[index], endsInHyphen: hyphenated && index == line.leaves.max())
    }
  }

  /// What the fit of the line adds to the width of an item.
  private func gain(of item: LineItem, endsInHyphen: Bool) -> Advance {
    let run = paragraph.run(of: item)
    let masks = ClusterMasks.shared
    let (natural, expanded) = (run.fixedScale, glyphFit.expanded(run.fixedScale))
    let space = glyphFit.space(run)
    var gain: Advance = 0
    unsafe paragraph.clusters(of: item).withUnsafeBufferPointer { clusters in
      for index in item.start..<item.end {
        unsafe gain += expanded.advance(clusters[index].advance) - natural.advance(clusters[index].advance)
        if unsafe GlyphFit.isMoved(after: index, in: clusters, end: item.end, masks) { gain += space }
      }
    }
    if endsInHyphen {
      let hyphen = context.hyphenAdvance(of: run)
      gain += glyphFit.expanded(hyphen) - hyphen
    }
    return gain
  }
}
