import BoxGeneration
import CSS
import Primitives
import Shaping

/// Ruby bases of a line: what their annotations are wider than they is shared among those that are set together.
extension LineBuilder {
  mutating func openRuby(_ index: Int, pen: inout Advance) {
    let group = line.boxes[index].rubyGroup
    if line.boxes[group].rubiesOpened == 0 {
      line.boxes[group].rubyStart = pen
      pen += rubyGap(line.boxes[index]).lead
    }
    line.boxes[group].rubiesOpened += 1
    line.boxes[index].start = pen
  }

  mutating func closeRuby(_ index: Int, pen: inout Advance, target: FragmentID, top: LayoutUnit) {
    line.boxes[index].end = pen
    let group = line.boxes[index].rubyGroup
    line.boxes[group].rubiesClosed += 1
    let lead = line.boxes[group]
    guard lead.rubiesClosed == lead.rubyCount else { return }
    let gap = rubyGap(lead)
    pen += lead.rubyExcess - gap.lead - gap.each * Advance(gap.count)
    func baseline(_ entry: LineBox) -> LayoutUnit {
      top + line.subtrees[entry.subtree].baseline + entry.baseline + entry.shift.block
    }
    if context.isAnnotationBeside(lead.box) {
      context.emitAnnotationBeside(
        of: lead.box, into: target, right: pen - lead.rubyExcess + lead.shift.inline.advance, baseline: baseline(lead),
        fontSize: lead.metrics.fontSize)
      return
    }
    let shift = lead.shift.inline.advance
    let left = lead.rubyStart + shift - lead.rubyOverhang.before
    let width = pen - lead.rubyStart + lead.rubyOverhang.before + lead.rubyOverhang.after
    guard lead.rubyCount > 1 else {
      context.emitAnnotations(
        [PlacedBase(box: lead.box, baseline: baseline(lead), offset: lead.annotationOffset)], into: target, left: left,
        width: width)
      return
    }
    // In visual order.
    let members = line.boxes.filter { $0.isRuby && $0.rubyGroup == group }.sorted { $0.start < $1.start }
    let isApart =
      context.rubyMerge(of: lead.box) == .auto
      && members.allSatisfy { context.annotationWidth($0.box) <= $0.end - $0.start }
    let offset = members.reduce(LayoutUnit.zero) { Swift.max($0, $1.annotationOffset) }
    let bases = members.map { PlacedBase(box: $0.box, baseline: baseline($0), offset: offset) }
    guard isApart else {
      context.emitAnnotations(bases, into: target, left: left, width: width)
      return
    }
    for (base, member) in zip(bases, members) {
      context.emitAnnotations([base], into: target, left: member.start + shift, width: member.end - member.start)
    }
  }

  /// How a base that is narrower than its annotation is spaced.
  func rubyGap(_ member: LineBox) -> RubySpread {
    let entry = line.boxes[member.rubyGroup]
    guard entry.rubyExcess > 0, !context.isAnnotationBeside(entry.box) else { return RubySpread() }
    var count = 0
    var isIdeographic = true
    for leaf in line.leaves {
      let parent = line.boxes[line.items[leaf].parent]
      guard parent.isRuby, parent.rubyGroup == member.rubyGroup else { continue }
      let item = line.items[leaf]
      guard item.kind == .text else {
        isIdeographic = false
        break
      }
      for cluster in item.start..<item.end {
        if !paragraph.clusters(of: item)[cluster].flags.contains(.ideographic) { isIdeographic = false }
        count += 1
      }
    }
    let align = context.rubyAlign(of: entry.box)
    var spread = RubySpread(entry.rubyExcess, over: isIdeographic ? count : 0, align: align)
    // A base that stays whole keeps to the middle of its annotation.
    if spread.count == 0, align != .start {
      spread.lead += (entry.rubyOverhang.after - entry.rubyOverhang.before) / 2
    }
    return spread
  }
}
