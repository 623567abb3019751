import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// The measures of a formula's scripts (MathML Core, section 2.2 and section 3.4.1): those of the face's MATH table, or those that
/// browsers take from the x-height for faces without one.
struct ScriptMeasures {
  /// The least distances of the scripts' baselines from that of the base.
  let superscriptShift: LayoutUnit
  let subscriptShift: LayoutUnit
  /// The distance that the superscript's baseline may lie below the top of the base, and the subscript's has to lie below its foot.
  let superscriptDrop: LayoutUnit
  let subscriptDrop: LayoutUnit
}

extension LayoutContext {
  func scriptMeasures(_ font: Identifier<FontStyleTag>) -> ScriptMeasures {
    guard let face = primaryFace(font), let constants = face.mathScripts else {
      let height = lineMetrics(font).xHeight
      return ScriptMeasures(
        superscriptShift: height, subscriptShift: height / 3, superscriptDrop: height / 2, subscriptDrop: height / 2)
    }
    let size = fontSize(font)
    func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(face.metrics.scaled(units, size: size)) }
    return ScriptMeasures(
      superscriptShift: pixels(constants.superscriptShift), subscriptShift: pixels(constants.subscriptShift),
      superscriptDrop: pixels(constants.superscriptDrop), subscriptDrop: pixels(constants.subscriptDrop))
  }
}

extension LayoutContext {
  /// The reach of a script's text above and below its baseline: lines of text make room for it to the next whole px.
  func scriptReach(_ font: Identifier<FontStyleTag>) -> (above: LayoutUnit, below: LayoutUnit) {
    guard let metrics = primaryFace(font)?.metrics else { return (.zero, .zero) }
    let size = fontSize(font)
    return (
      LayoutUnit(metrics.scaled(metrics.ascent, size: size)), LayoutUnit(metrics.scaled(metrics.descent, size: size))
    )
  }
}

extension LineBuilder {
  /// The extent of a script's base: what stands before the script in their element.
  private struct Base {
    var above = LayoutUnit.zero
    var below = LayoutUnit.zero
    /// Part of it is a box.
    var isTall = false
  }

  /// The distance by which a script of a formula is lowered below the baseline of its base; nil for any other box.
  ///
  /// - Parameters:
  ///   - parent: The box around base and script.
  ///   - item: The place of the script's start among the items of the line.
  /// - Returns: also whether the line makes room for the script: where the base is a box, in a line that is none of text but stands
  ///   under a root, say, and where lines are those of browsers.
  func scriptShift(_ box: Box, _ alignment: VerticalAlign, in parent: Int, at item: Int) -> (
    lower: LayoutUnit, hasRoom: Bool
  )? {
    guard alignment == .super || alignment == .sub, box.flags.contains(.formula),
      context.tree.boxes[line.boxes[parent].box.index].flags.contains(.formula)
    else { return nil }
    let base = base(in: parent, before: item)
    let measures = context.scriptMeasures(context.tree.boxes[line.boxes[parent].box.index].style.font)
    let lower =
      alignment == .super
      ? -Swift.max(measures.superscriptShift, base.above - measures.superscriptDrop)
      : Swift.max(measures.subscriptShift, base.below + measures.subscriptDrop)
    return (lower, base.isTall || makesRoomForSigns)
  }

  /// The line is as high as what stands in it: it is none of text but stands under a root, say, or lines are those of browsers.
  var makesRoomForSigns: Bool {
    context.tree.boxes[container.index].flags.contains(.formula) || !context.settings.departures.keepsLineDistance
  }

  /// The content area of an inline box (CSS 2.2, section 10.6.1): that of its font, or in a formula the reach of what is seen in it
  /// where that is marked off.
  func contentArea(_ index: Int) -> (above: LayoutUnit, below: LayoutUnit) {
    let entry = line.boxes[index]
    let value = context.tree.boxes[entry.box.index]
    let isMarked = value.style.background.index != 0 || value.style.border.index != 0
    return value.flags.contains(.formula) && isMarked
      ? reach(of: index) : (entry.metrics.ascent, entry.metrics.descent)
  }

  /// The reach of a formula's element above and below its baseline: that of the ink in it (MathML Core, section 3.2.2).
  private func reach(of box: Int) -> (above: LayoutUnit, below: LayoutUnit) {
    var reach = Base()
    for item in line.items where isInside(item.parent, box) { include(item, in: &reach, line.boxes[box].alignment) }
    return (reach.above, reach.below)
  }

  /// Places the scripts of a base that has both: the box around them stands on its baseline, and each of them in the box as it
  /// would stand alone.
  ///
  /// - Parameter item: The place of the box among the items of the line.
  /// - Returns: false for any other box.
  mutating func alignScripts(_ index: Int, in parent: Int, at item: Int) -> Bool {
    guard isScripts(atomics[index].box), !atomics[index].result.fragment.isNone else { return false }
    let page = context.page
    let result = atomics[index].result
    let lower = page[result.fragment].firstChild
    guard !lower.isNone else { return false }
    let origin = line.boxes[parent].alignment
    let base = base(in: parent, before: item)
    let measures = context.scriptMeasures(context.tree.boxes[line.boxes[parent].box.index].style.font)
    let lowerSize = page[lower].size.block
    let lowerBaseline = result.baselines.first ?? lowerSize
    let upper = page[lower].nextSibling
    let hasBoth = !upper.isNone && lowerSize > .zero && page[upper].size.block > .zero
    var shift = Swift.max(measures.subscriptShift, base.below + measures.subscriptDrop)
    if hasBoth { shift += excess(of: lower, lowerBaseline, isAbove: true) }
    var above = lowerBaseline - shift
    let below = lowerSize - lowerBaseline + shift
    if !upper.isNone {
      let isEmpty = page[upper].size.block == .zero
      let upperBaseline = isEmpty ? .zero : (result.baselines.last ?? lowerSize) - lowerSize
      var rise = Swift.max(measures.superscriptShift, base.above - measures.superscriptDrop)
      if hasBoth { rise += excess(of: upper, page[upper].size.block - upperBaseline, isAbove: false) }
      let reach = isEmpty ? .zero : context.scriptReach(context.tree.boxes[page[upper].box.index].style.font).above
      above = Swift.max(above, (rise + Swift.max(upperBaseline, reach)).ceiling)
      page.setBlockOffset(above - rise - upperBaseline, of: upper)
    }
    page.setBlockOffset(above + shift - lowerBaseline, of: lower)
    atomics[index].above = above
    atomics[index].below = below
    atomics[index].subtree = origin.subtree
    atomics[index].baseline = origin.baseline
    if base.isTall || makesRoomForSigns {
      line.subtrees[origin.subtree].include(above: above - origin.baseline, below: below + origin.baseline)
    }
    return true
  }

  /// The part of a script's reach towards the other one that a line of its font has not: the scripts in it, which would stand in the
  /// other one (MathML Core, section 3.4.1.4, `subSuperscriptGapMin`).
  ///
  /// - Parameter reach: From its baseline.
  private func excess(of script: FragmentID, _ reach: LayoutUnit, isAbove: Bool) -> LayoutUnit {
    let metrics = context.lineMetrics(context.tree.boxes[context.page[script].box.index].style.font)
    return Swift.max(.zero, reach - (isAbove ? metrics.above : metrics.below))
  }

  private func base(in parent: Int, before end: Int) -> Base {
    let origin = line.boxes[parent].alignment
    var base = Base()
    for item in line.items[..<end].reversed() {
      if item.kind == .open, context.tree.texts.runs[item.run].box == line.boxes[parent].box { break }
      // Scripts before the base, and those of an earlier pair, are no part of it.
      if item.kind != .object || !isScripts(atomics[item.index].box) { include(item, in: &base, origin) }
    }
    return base
  }

  /// The box holds the two scripts of a base.
  private func isScripts(_ box: BoxID) -> Bool {
    let value = context.tree.boxes[box.index]
    return value.flags.contains(.formula) && value.kind == .flex && value.pseudo == .after
  }

  private func include(_ item: LineItem, in base: inout Base, _ origin: LineBox.Alignment) {
    switch item.kind {
    case .object:
      guard let object = reach(of: atomics[item.index], from: origin) else { return }
      base.above = Swift.max(base.above, object.above)
      base.below = Swift.max(base.below, object.below)
      base.isTall = true
    case .text:
      let ink = ink(of: item)
      let lower = line.boxes[item.parent].alignment.baseline - origin.baseline
      base.above = Swift.max(base.above, ink.above - lower)
      base.below = Swift.max(base.below, ink.below + lower)
    default: break
    }
  }

  /// The reach of the glyphs of a text above and below its baseline.
  func ink(of item: LineItem) -> (above: LayoutUnit, below: LayoutUnit) {
    let run = paragraph.run(of: item)
    guard let face = context.fonts.face(run.font) else { return (.zero, .zero) }
    let clusters = paragraph.clusters(of: item)
    let glyphs = paragraph.glyphs(of: item)
    var (top, foot) = (Int32(0), Int32(0))
    for glyph in Int(clusters[item.start].glyph)..<Int(clusters[item.end].glyph) {
      guard let ink = face.extents(glyphs[glyph].id) else { continue }
      let rise = glyphs[glyph].yOffset
      top = Swift.max(top, ink.y &+ rise)
      foot = Swift.min(foot, ink.y &+ ink.height &+ rise)
    }
    func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(Float(units) * run.scale) }
    return (pixels(top), -pixels(foot))
  }
}
