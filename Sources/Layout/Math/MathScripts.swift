import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling

/// Scripts and limits.
extension MathLayout {
  // MARK: Scripts

  /// A subscript and a superscript that stand above each other.
  private struct Pair {
    var lower: MathItem?
    var upper: MathItem?
    var width: LayoutUnit { Swift.max(lower?.inline ?? .zero, upper?.inline ?? .zero) }
  }

  /// `msub`, `msup`, `msubsup` and `mmultiscripts` (MathML Core, section 3.4.1 to 3.4.3).
  mutating func scripts(_ box: BoxID, _ made: MathBox, _ stretch: MathStretch?) -> MathItem {
    let parts = children(of: box)
    guard let first = parts.first else { return row(box, stretch) }
    let base = lay(first, stretch: stretch)
    var before: [Pair] = []
    var after: [Pair] = []
    switch made.scripts {
    case .sub: after = [Pair(lower: parts.count > 1 ? lay(parts[1]) : nil)]
    case .sup: after = [Pair(upper: parts.count > 1 ? lay(parts[1]) : nil)]
    case .both, .several:
      let middle = Swift.min(made.firstPrescript, parts.count)
      after = pairs(parts[1..<Swift.max(1, middle)])
      if middle < parts.count { before = pairs(parts[(middle + 1)...]) }
    }
    return place(before, base, after, in: frame(of: box))
  }

  private mutating func pairs(_ parts: ArraySlice<BoxID>) -> [Pair] {
    stride(from: parts.startIndex, to: parts.endIndex, by: 2).map { index in
      Pair(lower: lay(parts[index]), upper: index + 1 < parts.endIndex ? lay(parts[index + 1]) : nil)
    }
  }

  private mutating func place(_ before: [Pair], _ base: MathItem, _ after: [Pair], in empty: MathFrame) -> MathItem {
    var frame = empty
    let measures = measures(frame.box)
    let isCramped = context.styles.texts[value(frame.box).style.text.index].mathShift == .compact
    let shift = shifts(of: before + after, base, measures, isCramped: isCramped)
    let space = measures.spaceAfterScript
    var width = LayoutUnit.zero
    var placed: [(item: MathItem, at: LayoutUnit, lower: LayoutUnit)] = []
    for pair in before {
      width += space
      if let lower = pair.lower { placed.append((lower, width + pair.width - lower.inline, shift.down)) }
      if let upper = pair.upper { placed.append((upper, width + pair.width - upper.inline, -shift.up)) }
      width += pair.width
    }
    frame.place(base, at: width)
    width += base.inline
    for (index, pair) in after.enumerated() {
      // A large operator's subscript stands below its lean, any other's superscript beyond it.
      let leans = index == 0
      var end = width
      if let lower = pair.lower {
        let kern = leans ? self.kern(base, lower, shift: -shift.down, isUpper: false) : .zero
        let start = width + kern - (leans && base.isLarge ? base.italic : .zero)
        placed.append((lower, start, shift.down))
        end = Swift.max(end, start + lower.inline)
      }
      if let upper = pair.upper {
        let kern = leans ? self.kern(base, upper, shift: shift.up, isUpper: true) : .zero
        let start = width + kern + (leans && !base.isLarge ? base.italic : .zero)
        placed.append((upper, start, -shift.up))
        end = Swift.max(end, start + upper.inline)
      }
      width = end + space
    }
    for entry in placed { frame.place(entry.item, at: entry.at, lower: entry.lower) }
    frame.width = width
    return finish(frame)
  }

  /// The distances of all superscripts and subscripts from the baseline.
  private func shifts(of pairs: [Pair], _ base: MathItem, _ measures: MathMeasures, isCramped: Bool) -> (
    up: LayoutUnit, down: LayoutUnit
  ) {
    var up = LayoutUnit.zero
    var down = LayoutUnit.zero
    for pair in pairs {
      if let lower = pair.lower {
        down = Swift.max(
          down, measures.subscriptShift, lower.above - measures.subscriptTop, base.below + measures.subscriptDrop)
      }
      if let upper = pair.upper {
        up = Swift.max(
          up, measures.superscriptShift(isCramped: isCramped), measures.superscriptBottom + upper.below,
          base.above - measures.superscriptDrop)
      }
    }
    for pair in pairs {
      guard let lower = pair.lower, let upper = pair.upper else { continue }
      var missing = measures.scriptGap - (up - upper.below - lower.above + down)
      guard missing > .zero else { continue }
      let raise = Swift.min(missing, measures.superscriptBottomWithSubscript - (up - upper.below))
      if raise > .zero {
        up += raise
        missing -= raise
      }
      down += missing
    }
    return (up, down)
  }

  /// The cut-in kern between a base and a script of one glyph each, at the corners where they come near (OpenType `MATH`,
  /// MathKernInfo).
  private func kern(_ base: MathItem, _ script: MathItem, shift: LayoutUnit, isUpper: Bool) -> LayoutUnit {
    guard let glyph = base.glyph, glyph.size > 0, direction(base.box) == .ltr else { return .zero }
    let reach = isUpper ? shift - script.below : shift + script.above
    let units = reach.float / glyph.size * Float(glyph.face.unitsPerEm)
    guard units.isFinite, abs(units) < 1e6 else { return .zero }
    let kern = glyph.face.mathKern(glyph.id, isUpper: isUpper, height: Int32(units))
    return kern == 0 ? .zero : LayoutUnit(glyph.face.metrics.scaled(kern, size: glyph.size))
  }

  // MARK: Limits

  /// `munder`, `mover` and `munderover` (MathML Core, section 3.4.2).
  mutating func limits(_ box: BoxID, _ made: MathBox, _ stretch: MathStretch?) -> MathItem {
    let parts = children(of: box)
    guard parts.count == 1 + (made.hasUnder ? 1 : 0) + (made.hasOver ? 1 : 0) else { return row(box, stretch) }
    let measures = measures(box)
    if made.operation?.movesLimits == true, !measures.isDisplayed {
      let base = lay(parts[0], stretch: stretch)
      let pair = Pair(
        lower: made.hasUnder ? lay(parts[1]) : nil, upper: made.hasOver ? lay(parts[parts.count - 1]) : nil)
      return place([], base, [pair], in: frame(of: box))
    }
    let items = stretched(parts, stretch)
    var frame = frame(of: box)
    frame.isCentered = true
    let base = items[0]
    let under = made.hasUnder ? items[1] : nil
    let over = made.hasOver ? items[items.count - 1] : nil
    let operation = made.operation
    let kind: MathMeasures.LimitKind =
      operation?.isStretchy == true && operation?.isHorizontal == true
      ? .stretchy : operation?.isLarge == true ? .largeOperator : .other
    // Limits of a large operator follow its lean, an accent stands where its base has it.
    let lean = base.isLarge ? base.italic / 2 : .zero
    let middle = base.inline / 2
    var places: [(item: MathItem, at: LayoutUnit, lower: LayoutUnit)] = [(base, .zero, .zero)]
    if let under {
      let limit = measures.under(kind)
      let lower =
        made.underIsAccent && kind == .other
        ? base.below + under.above : Swift.max(base.below + limit.shift, base.below + limit.gap + under.above)
      places.append((under, middle - under.inline / 2 - lean, lower))
      frame.extraBelow = under.below + lower + (made.underIsAccent ? .zero : limit.extra)
    }
    if let over {
      let limit = measures.over(kind)
      let rise: LayoutUnit
      var at = middle - over.inline / 2 + lean
      if made.overIsAccent, kind == .other {
        let raised = Swift.max(.zero, base.above - measures.accentBase)
        // Signs that are no accents by their shape stand clear of the base.
        rise =
          context.settings.deviations.extendsFormulas
          ? Swift.max(raised, base.above + over.below + measures.fractionRule) : raised
        if let attachment = base.attachment {
          at = base.margins.lineLeft + attachment - over.margins.lineLeft - (over.attachment ?? over.size.inline / 2)
        }
      } else {
        rise = Swift.max(base.above + limit.shift, base.above + limit.gap + over.below)
      }
      places.append((over, at, -rise))
      frame.extraAbove = over.above + rise + (made.overIsAccent ? .zero : limit.extra)
    }
    let start = places.map(\.at).min() ?? .zero
    for place in places { frame.place(place.item, at: place.at - start, lower: place.lower) }
    frame.width = places.map { $0.at - start + $0.item.inline }.max() ?? .zero
    frame.above = Swift.max(frame.above, frame.extraAbove)
    frame.below = Swift.max(frame.below, frame.extraBelow)
    frame.isLarge = base.isLarge
    return finish(frame)
  }

  /// Lays out a base and its limits; those that are operators along the line become as long as the longest of the others.
  private mutating func stretched(_ parts: [BoxID], _ stretch: MathStretch?) -> [MathItem] {
    func stretches(_ box: BoxID) -> Bool {
      guard let operation = core(box) else { return false }
      return operation.isStretchy && operation.isHorizontal
    }
    var items = [MathItem?](repeating: nil, count: parts.count)
    var width = LayoutUnit.zero
    for index in parts.indices where !stretches(parts[index]) {
      let item = lay(parts[index], stretch: index == 0 ? stretch : nil)
      width = Swift.max(width, item.inline)
      items[index] = item
    }
    if !isMeasuring, items.allSatisfy({ $0 == nil }) {
      for part in parts { width = Swift.max(width, measure(part).inline) }
    }
    if case .inline(let outer)? = stretch { width = Swift.max(width, outer) }
    for index in parts.indices where items[index] == nil { items[index] = lay(parts[index], stretch: .inline(width)) }
    return items.compactMap { $0 }
  }
}
