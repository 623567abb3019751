import BoxGeneration
import Primitives
import Styling
import Text

/// Atomic inlines that are higher than a page. They are broken as blocks are: the line is cut at the page's end, what is left of
/// them stands at the top of the next page, and the text beside them stands with the part that the line's baseline falls in, the
/// first or the last. Text that stands with the first part goes on below the rest of them.
extension InlineLayouter {
  /// The line after `count` others, which has just been set and does not fit, is set again with its atomic inlines in parts;
  /// false where they fit another page, or the next one is the better place for them to begin.
  mutating func setsInParts(line count: Int) -> Bool {
    guard let size = space.fragmentainer.size, !context.settings.isFixedPage else { return false }
    let page = Swift.max(size, context.contentAreaSize.block)
    let isTall = builder.line.items.contains { item in
      guard item.kind == .object else { return false }
      let atomic = builder.atomics[item.index]
      // The rest of one has been seen to fit but for its margin.
      return !atomics.rests.contains { $0.token.box == atomic.box }
        && mayBreak(atomic.box, blockSize: atomic.result.size.block)
        && atomic.result.size.block + atomic.margins.blockSum > page
    }
    guard isTall else { return false }
    let isFirst = space.fragmentainer.isAtStart && count == 0 && !atomics.hasRest
    guard isFirst || pageBlock(records[count].block) <= size - size / Fragmentainer.tailPart else { return false }
    if isBaselineBelowPage { return placeBeforeText(line: count) }
    rewind(to: count)
    atomics.partsTop = .zero
    while !last.isLast, !setLine() {}
    atomics.partsTop = nil
    if result.lineCount > count, isFirst || !result.parts.isEmpty {
      records.append(record())
      return true
    }
    setAgain(line: count)
    return false
  }

  /// Nothing of the line's atomic inlines fits: it is set whole again.
  private mutating func setAgain(line count: Int) {
    rewind(to: count)
    while !last.isLast, !setLine() {}
  }

  // MARK: Text that stands with the first part

  /// Lays out an atomic inline met on a line whose boxes are broken at the page's end; nil where this one is not.
  mutating func layoutPart(of object: BoxID) -> AtomicInline? {
    guard let top = atomics.partsTop, mayBreak(object, blockSize: .max) else { return nil }
    let savepoint = context.page.savepoint()
    let before = flow.progress
    var atomic = context.layoutAtomic(object, in: space, progress: &flow.progress)
    let start = pageBlock(top - space.bfcOffset.block) + atomic.margins.blockStart
    guard let size = partSize, start + atomic.result.size.block > size,
      mayBreak(object, blockSize: atomic.result.size.block)
    else { return atomic }
    context.page.rollBack(to: savepoint)
    flow.progress.rollBack(to: before)
    let result = context.layoutAtomicInline(
      object, in: space,
      part: PartSpace(size: size, offset: start, isAtPageStart: space.fragmentainer.isAtStart && result.lineCount == 0),
      progress: &flow.progress)
    guard !result.fragment.isNone else {
      flow.progress.rollBack(to: before)
      return context.layoutAtomic(object, in: space, progress: &flow.progress)
    }
    atomic.result = result
    atomic.next = result.rest
    atomic.isPart = true
    if result.next != nil {
      atomic.margins.blockEnd = .zero
      // The space that a table has below its last row lies beyond the page.
      atomic.result.size.block = Swift.min(result.size.block, size - start)
    }
    return atomic
  }

  // MARK: Text that stands with the last part

  /// The text of the line set last would stand below the page's end.
  private var isBaselineBelowPage: Bool {
    guard let size = space.fragmentainer.size, let baseline = result.baselines.last else { return false }
    let below = context.lineMetrics(context.tree.boxes[box.index].style.font).below
    return pageBlock(baseline - contentOffset.block) + below > size
  }

  /// Places the atomic inlines of a line without it: where they stand on the line, or at the top of the page where they go on.
  private mutating func placeBeforeText(line count: Int) -> Bool {
    guard let size = partSize else { return false }
    var begun: [(token: BreakToken, place: LogicalOffset)] = []
    let line = context.page[last.fragment]
    var child = line.firstChild
    while !child.isNone {
      let fragment = context.page[child]
      let place = line.offset + fragment.offset - contentOffset
      if let rest = atomics.rests.first(where: { $0.token.box == fragment.box }) {
        begun.append((rest.token, LogicalOffset(inline: rest.lineOffset, block: .zero)))
      } else if fragment.kind == .box, mayBreak(fragment.box, blockSize: fragment.size.block),
        pageBlock(place.block) < size
      {
        begun.append((.before(fragment.box), place))
      }
      child = fragment.nextSibling
    }
    rewind(to: count)
    var end = block
    let isAtPageStart = space.fragmentainer.isAtStart && count == 0
    let parts = begun.compactMap { token, place -> BreakToken.AtomicPart? in
      guard !token.isEmpty else { return BreakToken.AtomicPart(token: token, lineOffset: place.inline) }
      let rest = placePart(token, at: place, isAtPageStart: isAtPageStart, end: &end)
      return rest.map { BreakToken.AtomicPart(token: $0, lineOffset: place.inline) }
    }
    guard parts.contains(where: { !$0.token.isEmpty }) else {
      setAgain(line: count)
      return false
    }
    result.parts = parts
    block = end
    return true
  }

  /// The atomic inlines of which the page before has left a rest are those of the line that is set next.
  private func isBesideText(_ parts: [BreakToken.AtomicPart]) -> Bool {
    context.tree.texts.runs[Swift.min(start.run, runs.upperBound)..<runs.upperBound].contains { run in
      run.kind == .object && parts.contains { $0.token.box == run.box }
    }
  }

  /// The rest of an atomic inline, which is met on its line; nil where it begins there.
  mutating func layoutRest(of object: BoxID) -> AtomicInline? {
    guard let part = atomics.rests.first(where: { $0.token.box == object }) else { return nil }
    var margins = context.margins(of: object, availableInline: space.contentInline)
    margins.blockStart = .zero
    let result: LayoutResult
    if part.token.isEmpty {
      margins.blockEnd = .zero
      let inline = context.outOfFlowInline(
        object, available: Swift.max(.zero, space.contentInline - margins.inlineSum), containing: space.contentInline,
        percentageBlock: space.percentageBlock)
      let size = LogicalSize(inline: inline, block: .zero)
      result = LayoutResult(
        fragment: context.page.appendBox(
          object, size: size, geometry: BoxGeometry(), flags: [.continuesBefore, .paintsNothing]), size: size)
    } else {
      result = context.layoutAtomicInline(
        object, in: space,
        part: PartSpace(size: nil, offset: pageBlock(block), isAtPageStart: true, token: part.token),
        progress: &flow.progress)
    }
    return AtomicInline(box: object, result: result, margins: margins, above: .zero, below: .zero)
  }

  // MARK: Parts

  /// Places what atomic inlines of the page before have left; whether they go on on the next one. The text of their line, if it
  /// is still to be set, takes them along where they end.
  mutating func placeRest(of parts: [BreakToken.AtomicPart]) -> Bool {
    atomics.hasRest = true
    let isBesideText = isBesideText(parts)
    if isBesideText { records.append(record()) }
    var end = LayoutUnit.zero
    for part in parts {
      var rest = part.token
      if !rest.isEmpty {
        let place = LogicalOffset(inline: part.lineOffset, block: .zero)
        guard let next = placePart(rest, at: place, isAtPageStart: true, end: &end) else { continue }
        rest = next
      }
      result.parts.append(BreakToken.AtomicPart(token: rest, lineOffset: part.lineOffset))
    }
    block = end
    let goesOn = result.parts.contains { !$0.token.isEmpty }
    if isBesideText, !goesOn {
      rewind(to: 0)
      records.removeAll(keepingCapacity: true)
      atomics.rests = parts
      // The line is the first thing on the page.
      atomics.hasRest = false
    }
    if !isBesideText { result.parts.removeAll { $0.token.isEmpty } }
    return goesOn
  }

  /// Places a part of an atomic inline at a place of the content, without its line. Returns where the box goes on, a token at its
  /// end if it does not; nil where nothing of it fits.
  private mutating func placePart(
    _ token: BreakToken, at place: LogicalOffset, isAtPageStart: Bool, end: inout LayoutUnit
  ) -> BreakToken? {
    let part = context.layoutAtomicInline(
      token.box, in: space,
      part: PartSpace(size: partSize, offset: pageBlock(place.block), isAtPageStart: isAtPageStart, token: token),
      progress: &flow.progress)
    guard !part.fragment.isNone else { return nil }
    let offset = contentOffset + place
    context.page.attach(part.fragment, to: parent, at: offset)
    result.outOfFlow.append(contentsOf: part.outOfFlow, movedBy: offset)
    result.baselines.take(part.baselines, at: offset.block)
    let margin = context.margins(of: token.box, availableInline: space.contentInline).blockEnd
    end = Swift.max(end, place.block + part.size.block + (part.next == nil ? margin : .zero))
    return part.rest ?? BreakToken(box: token.box, .ended)
  }

  private func pageBlock(_ block: LayoutUnit) -> LayoutUnit {
    space.fragmentainer.offset + space.bfcOffset.block + block
  }
  /// The end of the page for the content of the lines.
  var partSize: LayoutUnit? { space.fragmentainer.size }

  /// Pictures, but those that are sliced, and boxes whose lines turn stay whole.
  private mutating func mayBreak(_ box: BoxID, blockSize: LayoutUnit) -> Bool {
    let value = context.tree.boxes[box.index]
    if value.content == .replaced { return context.isSliced(box, blockSize: blockSize) }
    return !value.flags.contains(.formula) && !context.isOrthogonal(value)
  }
}

/// The place of a part of an atomic inline.
struct PartSpace {
  /// The page's size; nil where the rest of the box stays whole.
  var size: LayoutUnit?
  /// Place of the part on the page.
  var offset: LayoutUnit
  var isAtPageStart: Bool
  var token: BreakToken?
}
