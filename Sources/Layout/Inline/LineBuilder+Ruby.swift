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
    guard lead.ruby.closed == lead.ruby.count else { return }
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
        [PlacedBase(box: lead.box, baseline: baseline(lead), offset: lead.annotations.offset)], into: target,
        left: left, width: width)
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

  /// The em box of the text of the base closed last.
  func emBox(ofBase base: Int) -> EmBox {
    var box = EmBox(isCentral: context.isCentral)
    for leaf in line.leaves.reversed() {
      var parent = line.items[leaf].parent
      while parent > base { parent = line.boxes[parent].parent }
      guard parent == base else { break }
      if line.items[leaf].kind == .text { box.include(context.faceMetrics(paragraph.run(of: line.items[leaf]).font)) }
    }
    return box
  }

  /// The reach of the boxes in the base closed last above and below its baseline.
  func boxReach(ofBase base: Int) -> (above: LayoutUnit, below: LayoutUnit) {
    var reach = (above: LayoutUnit.zero, below: LayoutUnit.zero)
    let origin = line.boxes[base].alignment
    for leaf in line.leaves.reversed() {
      var parent = line.items[leaf].parent
      while parent > base { parent = line.boxes[parent].parent }
      guard parent == base else { break }
      guard line.items[leaf].kind == .object,
        let object = self.reach(of: atomics[line.items[leaf].index], from: origin)
      else { continue }
      reach.above = Swift.max(reach.above, object.above)
      reach.below = Swift.max(reach.below, object.below)
    }
    return reach
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
