import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling

/// Ruby bases of a line: what their annotations are wider than they is shared among those that are set together.
extension LineBuilder {
  mutating func openRuby(_ index: Int, pen: inout Advance) {
    let group = line.boxes[index].ruby.group
    if line.boxes[group].ruby.opened == 0 {
      line.boxes[group].ruby.start = pen
      pen += rubyGap(line.boxes[index]).spread.lead
    }
    line.boxes[group].ruby.opened += 1
    line.boxes[index].pieces.start = pen
  }

  mutating func closeRuby(_ index: Int, pen: inout Advance, target: FragmentID, top: LayoutUnit) {
    line.boxes[index].pieces.end = pen
    let group = line.boxes[index].ruby.group
    line.boxes[group].ruby.closed += 1
    let lead = line.boxes[group]
    guard lead.ruby.closed == lead.ruby.count, lead.ruby.isClosed else { return }
    let gap = rubyGap(lead)
    pen += lead.ruby.excess - gap.spread.lead - gap.spread.each * Advance(gap.opportunities.count)
    func baseline(_ entry: LineBox) -> LayoutUnit {
      top + line.subtrees[entry.alignment.subtree].baseline + entry.alignment.baseline + entry.alignment.shift.block
    }
    if context.isAnnotationBeside(lead.box) {
      context.emitAnnotationBeside(
        of: lead.box, into: target, right: pen - lead.ruby.excess + lead.alignment.shift.inline.advance,
        baseline: baseline(lead), fontSize: lead.metrics.fontSize)
      return
    }
    let shift = lead.alignment.shift.inline.advance
    let left = lead.ruby.start + shift - lead.ruby.overhang.before
    let width = pen - lead.ruby.start + lead.ruby.overhang.before + lead.ruby.overhang.after
    guard lead.ruby.count > 1 else {
      context.emitAnnotations(
        [
          PlacedBase(
            box: lead.box, part: lead.ruby.part, baseline: baseline(lead), offset: lead.annotations.offset)
        ], into: target, left: left, width: width)
      return
    }
    // In visual order.
    let members = line.boxes.filter { $0.ruby.isBase && $0.ruby.group == group }
      .sorted { $0.pieces.start < $1.pieces.start }
    let isApart =
      context.rubyMerge(of: lead.box) == .auto
      && members.allSatisfy { context.annotationWidth($0.box) <= $0.pieces.end - $0.pieces.start }
    let offset = members.reduce(LayoutUnit.zero) { Swift.max($0, $1.annotations.offset) }
    let bases = members.map { PlacedBase(box: $0.box, baseline: baseline($0), offset: offset) }
    guard isApart else {
      context.emitAnnotations(bases, into: target, left: left, width: width)
      return
    }
    for (base, member) in zip(bases, members) {
      context.emitAnnotations(
        [base], into: target, left: member.pieces.start + shift, width: member.pieces.end - member.pieces.start)
    }
  }

  /// The reach of the base closed last above and below its baseline: of the em boxes of its text, and of the boxes in
  /// it. nil for one that has no height.
  func reach(ofBase base: Int) -> (above: LayoutUnit, below: LayoutUnit)? {
    var reach: (above: LayoutUnit, below: LayoutUnit)?
    let origin = line.boxes[base].alignment
    for leaf in line.leaves.reversed() {
      let item = line.items[leaf]
      var parent = item.parent
      while parent > base { parent = line.boxes[parent].parent }
      guard parent == base else { break }
      let own: (above: LayoutUnit, below: LayoutUnit)?
      switch item.kind {
      case .text: own = emReach(of: item, from: origin)
      case .object: own = self.reach(of: atomics[item.index], from: origin)
      default: own = nil
      }
      guard let own else { continue }
      reach = (Swift.max(reach?.above ?? own.above, own.above), Swift.max(reach?.below ?? own.below, own.below))
    }
    return reach.flatMap {
      $0.above + $0.below > .zero ? (Swift.max(.zero, $0.above), Swift.max(.zero, $0.below)) : nil
    }
  }

  /// The reach of the em box of a text above and below the baseline of `origin`; nil where it is aligned with another
  /// one.
  private func emReach(
    of item: LineItem, from origin: LineBox.Alignment
  ) -> (above: LayoutUnit, below: LayoutUnit)? {
    let alignment = line.boxes[item.parent].alignment
    guard alignment.subtree == origin.subtree else { return nil }
    let run = paragraph.run(of: item)
    var em = EmBox(isCentral: context.isCentral)
    em.include(context.faceMetrics(run.font))
    let size = LayoutUnit(run.size)
    let lower = alignment.baseline - origin.baseline
    return (size * em.ascent - lower, size * em.descent + lower)
  }

  /// Bases without a height have their annotations beyond the line, as in browsers.
  mutating func placeAnnotationsOfFlatBases() {
    for index in line.boxes.indices {
      let entry = line.boxes[index]
      guard let room = entry.annotations.roomBeyondLine else { continue }
      let subtree = line.subtrees[entry.alignment.subtree]
      let lower = entry.alignment.baseline
      if context.isAnnotationUnder(entry.box) {
        line.boxes[index].annotations.offset = Swift.max(.zero, subtree.below - lower)
        let below = line.boxes[index].annotations.offset + room + lower
        if entry.alignment.subtree == 0 {
          line.boxes[0].annotations.below = Swift.max(line.boxes[0].annotations.below, below)
        }
      } else {
        line.boxes[index].annotations.offset = Swift.max(.zero, subtree.above + lower)
        let above = line.boxes[index].annotations.offset + room - lower
        if entry.alignment.subtree == 0 {
          line.boxes[0].annotations.above = Swift.max(line.boxes[0].annotations.above, above)
        }
      }
    }
  }

  /// The reach of an atomic inline above and below the baseline of `origin`; nil where it is aligned with another one.
  func reach(of object: AtomicInline, from origin: LineBox.Alignment) -> (above: LayoutUnit, below: LayoutUnit)? {
    guard object.subtree == origin.subtree else { return nil }
    let lower = object.baseline - origin.baseline
    return (object.above - lower, object.below + lower)
  }

  /// `ruby-align` of the base in an entry: that of its element, or of the text around an anonymous one.
  private func rubyAlign(ofBase entry: Int) -> RubyAlign {
    func align(_ box: BoxID) -> RubyAlign {
      context.styles.texts[context.tree.boxes[box.index].style.text.index].rubyAlign
    }
    for inner in line.boxes[(entry + 1)...] where inner.parent == entry {
      let style = context.tree.boxes[inner.box.index].style
      if context.styles.boxes[style.box.index].display == .rubyBase { return align(inner.box) }
    }
    var outer = line.boxes[entry].parent
    while line.boxes[outer].ruby.isBase { outer = line.boxes[outer].parent }
    return align(line.boxes[outer].box)
  }

  /// Spacing of a base that is narrower than its annotation.
  func rubyGap(_ member: LineBox) -> (spread: RubySpread, opportunities: RubyOpportunities) {
    let group = member.ruby.group
    let entry = line.boxes[group]
    guard entry.ruby.excess > 0, !context.isAnnotationBeside(entry.box) else {
      return (RubySpread(), RubyOpportunities())
    }
    let opportunities = rubyOpportunities {
      let base = line.boxes[$0.parent].ruby.around
      return base > 0 && line.boxes[base].ruby.group == group
    }
    let align = rubyAlign(ofBase: group)
    var spread = RubySpread(entry.ruby.excess, over: opportunities.parts, align: align)
    // A base that stays whole keeps to the middle of its annotation.
    if spread.each == 0, align != .start {
      spread.lead += (entry.ruby.overhang.after - entry.ruby.overhang.before) / 2
    }
    return (spread, opportunities)
  }
}
