import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// The positions of a measured line's items, in visual order.
extension LineBuilder {
  /// Attaches the line's content to `target`, the first piece at `origin` from its line-left edge and the line's top at `top`.
  /// Returns where the content ends.
  mutating func emit(
    into target: FragmentID, origin: Advance, top: LayoutUnit, expansion: Expansion, hyphenated: Bool,
    positioned: (BoxID, LogicalOffset) -> Void
  ) -> Advance {
    if hasMixedLevels { reorder() }
    if hyphenated, let last = line.leaves.indices.max(by: { line.leaves[$0] < line.leaves[$1] }) {
      hyphenLeaf = line.leaves[last]
    } else {
      hyphenLeaf = -1
    }
    var pen = origin
    var current = 0
    for leaf in line.leaves {
      let item = line.items[leaf]
      if item.parent != current {
        move(from: &current, to: item.parent, pen: &pen, target: target, top: top)
      }
      switch item.kind {
      case .text: emitText(leaf, pen: &pen, target: target, top: top, expansion: expansion)
      case .tab: pen += item.width
      case .object: emitObject(item, pen: &pen, target: target, top: top, expansion: expansion)
      case .positioned:
        let shift = line.boxes[item.parent].alignment.shift
        positioned(
          context.tree.texts.runs[item.run].box, LogicalOffset(inline: LayoutUnit(pen), block: top) + shift)
      default: break
      }
    }
    move(from: &current, to: 0, pen: &pen, target: target, top: top)
    return pen
  }

  /// Gives the content of a line its place from the line's block-start side, where that is the under side.
  func flip(_ fragment: FragmentID) {
    guard isFlipped else { return }
    var child = context.page[fragment].firstChild
    while !child.isNone {
      let piece = context.page[child]
      context.page.setBlockOffset(measures.height - piece.offset.block - piece.size.block, of: child)
      child = piece.nextSibling
    }
  }

  /// The baseline of a line that begins at `block`. Sideways text has an alphabetic one (CSS Writing Modes 4, section
  /// 4.2).
  func baselines(at block: LayoutUnit) -> Baselines {
    func place(_ under: LayoutUnit) -> LayoutUnit { block + (isFlipped ? measures.height - under : under) }
    let baseline = place(measures.baseline)
    var found = Baselines(first: baseline, last: baseline)
    if context.isCentral, !context.hasCentralBaseline(container) {
      let style = context.tree.boxes[container.index].style
      found.alignedFirst = place(measures.baseline + context.alphabeticDepth(style.font))
      found.alignedLast = found.alignedFirst
    }
    return found
  }

  /// A positioned box is neutral: it goes with what stands on both its sides if that runs one way, or with the line (UAX #9, rules
  /// N1 and N2).
  private mutating func levelPositioned() {
    for place in line.leaves.indices where line.items[line.leaves[place]].kind == .positioned {
      func level(_ leaves: some Sequence<Int>) -> UInt8? {
        leaves.first { line.items[$0].kind != .positioned }.map { line.items[$0].level }
      }
      let before = level(line.leaves[..<place].reversed())
      if let before, before == level(line.leaves[place...]) { line.items[line.leaves[place]].level = before }
    }
  }

  private mutating func reorder() {
    levelPositioned()
    let items = line.items
    Bidi.reorder(&line.leaves) { items[$0].level }
    // Count the visual pieces of each inline box.
    for index in line.boxes.indices { line.boxes[index].pieces.count = 0 }
    var current = 0
    for leaf in line.leaves {
      let target = line.items[leaf].parent
      guard target != current else { continue }
      let common = commonAncestor(current, target)
      var box = target
      while box != common {
        line.boxes[box].pieces.count += 1
        box = line.boxes[box].parent
      }
      current = target
    }
  }

  private func commonAncestor(_ a: Int, _ b: Int) -> Int {
    var a = a
    var b = b
    while a != b {
      if line.boxes[a].depth >= line.boxes[b].depth { a = line.boxes[a].parent } else { b = line.boxes[b].parent }
    }
    return a
  }

  private mutating func move(
    from current: inout Int, to target: Int, pen: inout Advance, target fragment: FragmentID, top: LayoutUnit
  ) {
    guard current != target else { return }
    let common = commonAncestor(current, target)
    while current != common {
      closePiece(current, pen: &pen, target: fragment, top: top)
      current = line.boxes[current].parent
    }
    line.path.removeAll(keepingCapacity: true)
    var box = target
    while box != common {
      line.path.append(box)
      box = line.boxes[box].parent
    }
    while let next = line.path.popLast() { openPiece(next, pen: &pen, target: fragment, top: top) }
    current = target
  }

  private func isLeftToRight(_ box: BoxID) -> Bool {
    context.styles.paragraphs[context.tree.boxes[box.index].style.paragraph.index].direction == .ltr
  }

  private mutating func openPiece(_ index: Int, pen: inout Advance, target: FragmentID, top: LayoutUnit) {
    var entry = line.boxes[index]
    let isFirst = entry.pieces.done == 0
    entry.pieces.done += 1
    let isLast = entry.pieces.done >= entry.pieces.count
    guard !entry.ruby.isBase else {
      line.boxes[index] = entry
      openRuby(index, pen: &pen)
      return
    }
    let isLTR = isLeftToRight(entry.box)
    let hasLeft = isFirst && (isLTR ? entry.edges.opens : entry.edges.closes)
    let hasRight = isLast && (isLTR ? entry.edges.closes : entry.edges.opens)
    var geometry = entry.edges.geometry
    if !hasLeft {
      geometry.border.lineLeft = .zero
      geometry.padding.lineLeft = .zero
    }
    if !hasRight {
      geometry.border.lineRight = .zero
      geometry.padding.lineRight = .zero
    }
    geometry.relativeShift = entry.alignment.shift
    if hasLeft { pen += entry.edges.margins.lineLeft.advance }
    entry.pieces.start = pen
    let edges = geometry.border + geometry.padding
    var flags: FragmentFlags = []
    if !(isLTR ? hasLeft : hasRight) { flags.insert(.continuesBefore) }
    if !(isLTR ? hasRight : hasLeft) { flags.insert(.continuesAfter) }
    let content = entry.metrics
    let size = LogicalSize(block: content.ascent + content.descent + edges.blockSum)
    let page = context.page
    entry.pieces.fragment = page.appendBox(entry.box, kind: .inlineBox, size: size, geometry: geometry, flags: flags)
    let baseline = top + line.subtrees[entry.alignment.subtree].baseline + entry.alignment.baseline
    let block = baseline - content.ascent - over(edges)
    page.attach(
      entry.pieces.fragment, to: target,
      at: LogicalOffset(inline: LayoutUnit(pen), block: block) + entry.alignment.shift)
    pen += edges.lineLeft.advance
    line.boxes[index] = entry
  }

  private mutating func closePiece(_ index: Int, pen: inout Advance, target: FragmentID, top: LayoutUnit) {
    let entry = line.boxes[index]
    guard !entry.ruby.isBase else {
      closeRuby(index, pen: &pen, target: target, top: top)
      return
    }
    let geometry = context.page.geometry(of: entry.pieces.fragment)
    pen += (geometry.border.lineRight + geometry.padding.lineRight).advance
    context.page.setInlineSize(LayoutUnit(pen) - LayoutUnit(entry.pieces.start), of: entry.pieces.fragment)
    let isLTR = isLeftToRight(entry.box)
    if entry.pieces.done >= entry.pieces.count, isLTR ? entry.edges.closes : entry.edges.opens {
      pen += entry.edges.margins.lineRight.advance
    }
  }

  private mutating func emitObject(
    _ item: LineItem, pen: inout Advance, target: FragmentID, top: LayoutUnit, expansion: Expansion
  ) {
    let atomic = atomics[item.index]
    let entry = line.boxes[item.parent]
    guard !atomic.result.fragment.isNone else {
      pen += item.width
      return
    }
    let block =
      top + line.subtrees[atomic.subtree].baseline + atomic.baseline - atomic.above + over(atomic.margins)
    let offset =
      LogicalOffset(inline: LayoutUnit(pen + atomic.margins.lineLeft.advance), block: block) + entry.alignment.shift
    if context.tree[atomic.box].symbol == .leader {
      emitLeader(atomic, room: item.width, at: offset, target: target)
      atomics[item.index].result.fragment = .none
      pen += item.width
      return
    }
    let own = context.relativeShift(of: atomic.box, containing: containing, direction: .ltr)
    context.page.attach(atomic.result.fragment, to: target, at: offset, shift: own)
    atomics[item.index].result.fragment = .none
    pen += item.width
    let justification = item.justification
    if justification.precedesIdeograph, justification.firstOpportunity >= 0, !justification.isLastContent,
      expansion.mode == .auto, !expansion.isEmpty
    {
      pen += expansion.amount(at: justification.firstOpportunity)
    }
  }

  /// Attaches the copies of a leader. They stand on a grid from the end of the line, so that those of lines below each other do
  /// as well.
  private func emitLeader(_ atomic: AtomicInline, room: Advance, at offset: LogicalOffset, target: FragmentID) {
    let unit = atomic.result.size.inline
    guard unit > .epsilon else { return }
    let end = offset.inline + LayoutUnit(room)
    let width = context.page[target].size.inline
    let isRTL = paragraph.shaped.baseLevel & 1 == 1
    // The grid's first place in the room.
    let base = isRTL ? LayoutUnit.zero : width
    let distance = (offset.inline - base).rawValue % unit.rawValue
    var place = offset
    if distance != 0 { place.inline += LayoutUnit(rawValue: distance > 0 ? unit.rawValue - distance : -distance) }
    for fragment in [atomic.result.fragment] + atomic.copies where !fragment.isNone {
      guard place.inline + unit <= end + .epsilon else { break }
      context.page.attach(fragment, to: target, at: place)
      context.page.insert(.repeated, into: fragment)
      place.inline += unit
    }
  }
}
