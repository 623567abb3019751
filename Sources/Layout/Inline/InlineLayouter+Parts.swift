import BoxGeneration
import Primitives
import Styling

/// Atomic inlines that are higher than a page. They are broken as blocks are: their parts begin at the top of their line, what is
/// left of them stands at the top of the next page, beside each other as on the first, and the text goes on below.
extension InlineLayouter {
  /// Whether the line after `count` others, which has just been set and does not fit, is set again with its atomic inlines in
  /// parts; false where they fit another page, or the next one is the better place for them to begin.
  mutating func setsInParts(line count: Int) -> Bool {
    guard let size = space.fragmentainer.size, !context.settings.isFixedPage else { return false }
    let page = Swift.max(size, context.contentAreaSize.block)
    let isTall = builder.line.items.contains { item in
      guard item.kind == .object else { return false }
      let atomic = builder.atomics[item.index]
      return mayBreak(atomic.box) && atomic.result.size.block + atomic.margins.blockSum > page
    }
    guard isTall else { return false }
    let isFirst = space.fragmentainer.isAtStart && count == 0 && !atomics.hasRest
    guard isFirst || pageBlock(records[count].block) <= size - size / Fragmentainer.tailPart else { return false }
    rewind(to: count)
    atomics.partsTop = .zero
    while !last.isLast, !setLine() {}
    atomics.partsTop = nil
    if result.lineCount > count, isFirst || !result.parts.isEmpty {
      records.append(record())
      return true
    }
    // Nothing of it fits.
    rewind(to: count)
    while !last.isLast, !setLine() {}
    return false
  }

  /// Lays out an atomic inline met on a line whose boxes are broken at the page's end; nil where this one is not.
  mutating func layoutPart(of object: BoxID) -> AtomicInline? {
    guard let top = atomics.partsTop, mayBreak(object) else { return nil }
    let savepoint = context.page.savepoint()
    let before = flow.progress
    var atomic = context.layoutAtomic(object, in: space, progress: &flow.progress)
    let start = pageBlock(top - space.bfcBlock) + atomic.margins.blockStart
    guard let size = partSize, start + atomic.result.size.block > size else { return atomic }
    context.page.goBack(to: savepoint)
    flow.progress.giveUp(to: before)
    let result = context.layoutAtomicInline(
      object, in: space,
      part: PartSpace(size: size, offset: start, isAtPageStart: space.fragmentainer.isAtStart && result.lineCount == 0),
      progress: &flow.progress)
    guard !result.fragment.isNone else {
      flow.progress.giveUp(to: before)
      return context.layoutAtomic(object, in: space, progress: &flow.progress)
    }
    atomic.result = result
    atomic.next = result.next
    atomic.isPart = true
    if result.next != nil { atomic.margins.blockEnd = .zero }
    return atomic
  }

  /// Places what atomic inlines of earlier pages have left; whether they go on on the next one.
  mutating func placeRest(of parts: [BreakToken.AtomicPart]) -> Bool {
    atomics.hasRest = true
    var end = LayoutUnit.zero
    for part in parts {
      let box = part.token.box
      let rest = context.layoutAtomicInline(
        box, in: space,
        part: partSize.map { PartSpace(size: $0, offset: pageBlock(.zero), isAtPageStart: true, token: part.token) },
        progress: &flow.progress)
      guard !rest.fragment.isNone else { continue }
      let place = LogicalOffset(inline: contentOffset.inline + part.lineOffset, block: contentOffset.block)
      context.page.attach(rest.fragment, to: parent, at: place)
      result.outOfFlow.append(contentsOf: rest.outOfFlow, movedBy: place)
      if let baseline = rest.firstBaseline, result.firstBaseline == nil {
        result.firstBaseline = place.block + baseline
      }
      if let baseline = rest.lastBaseline { result.lastBaseline = place.block + baseline }
      let margin = context.margins(of: box, availableInline: space.contentInline).blockEnd
      end = Swift.max(end, rest.size.block + (rest.next == nil ? margin : .zero))
      if let next = rest.next {
        result.parts.append(BreakToken.AtomicPart(token: next, lineOffset: part.lineOffset))
      }
    }
    block = end
    return !result.parts.isEmpty
  }

  private func pageBlock(_ block: LayoutUnit) -> LayoutUnit { space.fragmentainer.offset + space.bfcBlock + block }
  private var partSize: LayoutUnit? { space.fragmentainer.size.map { $0 - space.blockEndReserve } }

  /// Pictures and boxes whose lines turn stay whole.
  private func mayBreak(_ box: BoxID) -> Bool {
    let value = context.tree.boxes[box.index]
    return value.content != .replaced && !value.flags.contains(.formula) && !context.crosses(value)
  }
}

/// Where a part of an atomic inline stands.
struct PartSpace {
  /// The page's size, and the place of the part on it.
  var size: LayoutUnit
  var offset: LayoutUnit
  var isAtPageStart: Bool
  var token: BreakToken?
}
