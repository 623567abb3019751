import BoxGeneration
import Primitives
import Styling

/// Fractions and radicals.
extension MathLayout {
  // MARK: Fractions

  /// `mfrac` (MathML Core, section 3.3.2).
  mutating func fraction(_ box: BoxID, _ made: MathBox, _ stretch: MathStretch?) -> MathItem {
    let parts = children(of: box)
    guard parts.count == 2 else { return row(box, stretch) }
    var frame = frame(of: box)
    frame.isCentered = true
    let measures = measures(box)
    let top = lay(parts[0], stretch: stretch)
    let bottom = lay(parts[1])
    frame.width = Swift.max(top.inline, bottom.inline)
    let thickness = thickness(of: box, made, measures)
    var up: LayoutUnit
    var down: LayoutUnit
    if thickness > .zero {
      let axis = measures.axis
      up = Swift.max(measures.numeratorShift, axis + thickness / 2 + measures.numeratorGap + top.below)
      down = Swift.max(measures.denominatorShift, thickness / 2 - axis + measures.denominatorGap + bottom.above)
      frame.rule(at: .zero, rise: axis + thickness / 2, length: frame.width, thickness: thickness)
    } else {
      up = measures.stackTopShift
      down = measures.stackBottomShift
      let missing = measures.stackGap - (up - top.below + down - bottom.above)
      if missing > .zero {
        up += missing / 2
        down += missing - missing / 2
      }
    }
    frame.place(top, at: aligned(top, made.numeratorAlignment, in: frame.width), lower: -up)
    frame.place(bottom, at: aligned(bottom, made.denominatorAlignment, in: frame.width), lower: down)
    frame.above = Swift.max(up + top.above, bottom.above - down)
    frame.below = Swift.max(down + bottom.below, top.below - up)
    return finish(frame)
  }

  private func aligned(_ item: MathItem, _ alignment: MathBox.Alignment, in width: LayoutUnit) -> LayoutUnit {
    switch alignment {
    case .start: .zero
    case .center: (width - item.inline) / 2
    case .end: width - item.inline
    }
  }

  /// `linethickness`: a length, or a multiple of the usual thickness.
  private func thickness(of box: BoxID, _ made: MathBox, _ measures: MathMeasures) -> LayoutUnit {
    let usual = measures.fractionRule
    guard let own = made.thickness else { return Swift.max(.zero, usual) }
    // Numbers without a unit are MathML 3's (section 3.3.2.2), those of browsers none.
    guard let length = own.length else {
      return context.settings.deviations.extendsFormulas
        ? LayoutUnit(Swift.max(0, usual.float * own.value)) : Swift.max(.zero, usual)
    }
    return Swift.max(.zero, context.resolve(length, font: value(box).style.font, percentage: usual))
  }

  // MARK: Radicals

  /// `msqrt` and `mroot` (MathML Core, section 3.3.3): an index, the sign, and what stands under its bar.
  mutating func radical(_ box: BoxID, _ made: MathBox) -> MathItem {
    var parts = children(of: box)
    guard parts.count > (made.hasIndex ? 1 : 0) else { return row(box, nil) }
    let measures = measures(box)
    var frame = frame(of: box)
    let index = made.hasIndex ? lay(parts.removeFirst()) : nil
    let sign = parts.removeFirst()
    var base = MathFrame(content: box)
    place(parts, in: &base, nil)
    let rule = measures.radicalRule
    var gap = measures.radicalGap
    let height = base.above + base.below
    let isTurned = direction(box) == .rtl && !isMirrored(sign)
    let surd = lay(sign, stretch: .block(above: height + gap + rule, below: .zero))
    if isTurned { mirror(surd) }
    let surdHeight = surd.above + surd.below
    gap = Swift.max(gap, (surdHeight - rule - height + gap) / 2)
    let extra = measures.radicalExtraAscender
    let top = base.above + gap + rule
    var start = LayoutUnit.zero
    var above = top + extra
    let below = Swift.max(base.below, surdHeight - top)
    if let index {
      let before = Swift.max(.zero, measures.radicalKernBefore)
      let after = Swift.max(-index.inline, measures.radicalKernAfter)
      // The index stands on its foot above the foot of the sign.
      let rise = LayoutUnit(measures.radicalRaise * surdHeight.float) - (surdHeight - top) + index.below
      frame.place(index, at: before, lower: -rise)
      above = Swift.max(above, rise + index.above)
      start = before + index.inline + after
    }
    frame.place(surd, at: start, lower: surd.above - top)
    frame.rule(at: start + surd.inline, rise: top, length: base.width, thickness: rule)
    frame.take(base, at: start + surd.inline)
    frame.width = start + surd.inline + base.width
    frame.above = above
    frame.below = below
    return finish(frame)
  }
}
