import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// One line: its room beside floats, what the breaker puts on it, and its place (CSS 2.2, sections 9.4.2 and 9.5).
extension InlineLayouter {
  /// The room in which a line is tried.
  private struct LineRoom {
    /// Its block-start edge, in BFC coordinates.
    var top: LayoutUnit
    /// The height that is known to be free beside floats.
    var probe = LayoutUnit.zero
    /// Its edges, in BFC coordinates.
    var room: (left: LayoutUnit, right: LayoutUnit)
    var indent: LayoutUnit
    /// Floats met on the line that do not fit beside it.
    var deferred: [BoxID] = []

    var width: LayoutUnit { room.right - room.left }
  }

  /// Sets the next line at `block`. False when the text ended without another line box; floats met are placed all the same.
  mutating func setLine() -> Bool {
    let indents =
      (start.line == 0 && ownsFirstLine || style.indentEachLine && start.afterForcedBreak) != style.indentHanging
    var line = LineRoom(
      top: space.bfcOffset.block + block, room: (space.bfcOffset.inline, space.bfcOffset.inline + space.contentInline),
      indent: indents ? indent : .zero)
    if let initial = letter.placed, start.line == 0, isInitialLetter(initial.box) { line.indent = .zero }
    last.leadingFloats = 0
    fit(&line)
    context.trials.countLine()
    var end = breaker.end
    if context.inputs.hasLeaders, end.exists { stretchLeaders(&end, available: line.width - line.indent) }
    if isOnGrid, end.exists { line.top += shiftToGrid(from: line.top) }
    let wasFirst = start.line == 0
    if wasFirst, end.exists, let textBox, textBox.trimsStart {
      let measures = builder.measures
      line.top -= builder.isFlipped ? textBox.trimmed(underOf: measures) : textBox.trimmed(overOf: measures)
    }
    if end.exists {
      last.excess = (line.width - line.indent).advance - end.width
      place(end, top: line.top, room: line.room, indent: line.indent)
      if wasFirst { placeMarkers() }
      block = line.top - space.bfcOffset.block + builder.measures.height
      result.lineCount += 1
      if isClamped(end) {
        result.clampedBlock = block - (textBox.map { $0.trimsEnd ? trimmedEnd($0) : .zero } ?? .zero)
      }
    } else {
      placeOutOfFlow(top: line.top)
    }
    start = LineStart(
      run: end.run, cluster: end.cluster, shapedRun: end.shapedRun, afterForcedBreak: end.isForced,
      line: start.line + (end.exists ? 1 : 0), hyphens: end.isHyphenated ? start.hyphens + 1 : 0,
      expansion: end.exists ? builder.glyphFit.expansion : start.expansion, innermost: breaker.innermost)
    for float in line.deferred {
      _ = place(float: float, at: space.bfcOffset.block + block)
    }
    last.clearance = .min
    clear(end.breakBox)
    last.isLast = end.isLast
    if isOnFirstLine, end.exists { leaveFirstLine() }
    return end.exists
  }

  /// Finds the first place from the line's top on where it fits beside floats, breaks it there and measures it.
  private mutating func fit(_ line: inout LineRoom) {
    let left = space.bfcOffset.inline
    let right = space.bfcOffset.inline + space.contentInline
    while true {
      line.room =
        flow.exclusions.isEmpty
        ? (left, right)
        : flow.exclusions.room(at: line.top, height: line.probe, left: left, right: right, isLine: true)
      line.deferred.removeAll(keepingCapacity: true)
      breaker.begin(
        start, available: line.width - line.indent,
        origin: line.room.left - left + (baseDirection == .ltr ? line.indent : .zero))
      breaker.request.target = flow.exclusions.isEmpty ? choice.plan?.end(after: start.cluster) ?? .max : .max
      fill(&line)
      if let rise = letter.rise {
        letter.rise = nil
        line.top += rise
        if let initial = letter.placed, isInitialLetter(initial.box) { line.indent = .zero }
        continue
      }
      guard breaker.end.exists else { return }
      let width = LayoutUnit(breaker.end.width) + line.indent
      // A shortened line that holds nothing goes below the floats (CSS 2.2, section 9.5).
      if width > line.width + .epsilon, !breaker.hasRoom, line.room.left > left || line.room.right < right,
        let below = flow.exclusions.nextChange(below: line.top, isLine: true)
      {
        line.top = below
        line.probe = .zero
        continue
      }
      // Both write to their items: they change hands, and none is copied.
      swap(&builder.line.items, &breaker.items)
      builder.atomics = atomics.laidOut
      builder.measure(open: builder.openBoxes(at: start), spaceAbove: flow.spaceAbove)
      guard !flow.exclusions.isEmpty, builder.measures.height > line.probe else { return }
      // The whole height of the line has to be free.
      let full = flow.exclusions.room(
        at: line.top, height: builder.measures.height, left: left, right: right, isLine: true)
      if full.left <= line.room.left && full.right >= line.room.right { return }
      if width <= full.right - full.left + .epsilon {
        line.room = full
        return
      }
      line.probe = builder.measures.height
    }
  }

  /// Distance by which the line measured last moves so that it stands on the page's grid.
  private mutating func shiftToGrid(from top: LayoutUnit) -> LayoutUnit {
    let metrics = context.lineMetrics(context.tree.boxes[box.index].style.font)
    // Lines of another pitch, those of headings and notes, stand free: what follows them is on the grid again.
    guard isOnGrid, let pitch = context.workspace.gridPitch, metrics.lineHeight == pitch else { return .zero }
    // Lines that a superscript or the like has opened close up again, as far as letters keep apart.
    let slack = result.lineCount > 0 ? flow.spaceAbove + Swift.max(.zero, metrics.above - metrics.ascent) : .zero
    return context.shiftToGrid(baseline: space.fragmentainer.offset + top + builder.measures.baseline, slack: slack)
  }

  /// Runs the breaker, placing floats and laying out atomic inlines on the way.
  private mutating func fill(_ line: inout LineRoom) {
    let left = space.bfcOffset.inline
    let right = space.bfcOffset.inline + space.contentInline
    atomics.taken = 0
    if atomics.partsTop != nil { atomics.partsTop = line.top }
    while true {
      switch breaker.next() {
      case .line:
        line.deferred += breaker.floatsPassed()
        return
      case .object(let object):
        let index = laidOutIndex(of: object)
        breaker.supplyObject(
          index: index, width: atomics.laidOut[index].result.size.inline + atomics.laidOut[index].margins.inlineSum)
      case .float(let float):
        let run = breaker.floatRun
        let used = breaker.contentWidth
        let fits =
          line.deferred.isEmpty
          && (!breaker.hasContent
            || LayoutUnit(roundingUp: used) + line.indent
              + context.floatInlineSize(float, availableInline: space.contentInline) <= line.width)
        if fits {
          let isFirst = start.line == 0 && !breaker.hasContent
          let isPlaced = place(float: float, at: line.top, isFirst: isFirst)
          breaker.yielded.floatsDone = run + 1
          if !breaker.hasContent { last.leadingFloats = run + 1 }
          if letter.rise != nil { return }
          letter.isPushed = !isPlaced && isFirst && context.mayBeInitial(float)
          line.room = flow.exclusions.room(
            at: line.top, height: line.probe, left: left, right: right, isLine: true)
          breaker.setAvailable(line.width - line.indent)
        } else {
          line.deferred.append(float)
        }
        breaker.resolveFloat()
      }
    }
  }

  /// An atomic inline met on the line; those of earlier tries at it are taken again, in the same order.
  private mutating func laidOutIndex(of object: BoxID) -> Int {
    while atomics.taken < atomics.laidOut.count, atomics.laidOut[atomics.taken].result.fragment.isNone {
      atomics.taken += 1
    }
    if atomics.taken < atomics.laidOut.count, atomics.laidOut[atomics.taken].box == object {
      atomics.taken += 1
      return atomics.taken - 1
    }
    atomics.laidOut.append(
      layoutRest(of: object) ?? layoutPart(of: object)
        ?? context.layoutAtomic(object, in: space, progress: &flow.progress))
    atomics.taken = atomics.laidOut.count
    return atomics.laidOut.count - 1
  }

  /// Gives what the line has left to its leaders, and makes the copies that they have room for (CSS Generated Content 3, "Leaders").
  private mutating func stretchLeaders(_ end: inout LineEnd, available: LayoutUnit) {
    let leaders = builder.line.items.indices.filter { index in
      let item = builder.line.items[index]
      return item.kind == .object && context.tree[builder.atomics[item.index].box].symbol == .leader
    }
    let free = available.advance - end.width
    guard !leaders.isEmpty, free > 0 else { return }
    let share = free / Advance(leaders.count)
    for index in leaders {
      builder.line.items[index].width += share
      end.width += share
      let atomic = builder.line.items[index].index
      let unit = builder.atomics[atomic].result.size.inline
      guard unit > .epsilon else { continue }
      let count = Swift.min(Self.mostCopies, Int(LayoutUnit(builder.line.items[index].width).rawValue / unit.rawValue))
      for _ in 0..<Swift.max(0, count - 1) {
        let copy = context.layoutAtomic(builder.atomics[atomic].box, in: space, progress: &flow.progress)
        builder.atomics[atomic].copies.append(copy.result.fragment)
      }
    }
  }

  /// A leader of a line longer than that is none that anybody sees.
  private static let mostCopies = 1000

  /// Places a float met on the line at hand. `isFirst`: nothing of the text stands before it.
  mutating func place(float: BoxID, at block: LayoutUnit, isFirst: Bool = false) -> Bool {
    let origin = LogicalOffset(
      inline: space.bfcOffset.inline - contentOffset.inline, block: space.bfcOffset.block - contentOffset.block)
    var space = space
    space.fragmentainer.isAtStart = space.fragmentainer.isAtStart && result.lineCount == 0
    space.isFirstLine = isFirst
    space.initialLowering = letter.lowering
    if isFirst, ownsFirstLine, !style.indentHanging, isInitialLetter(float) {
      // The letter is indented, not the text beside it.
      if baseDirection == .ltr { space.bfcOffset.inline += indent }
      space.contentInline -= indent
    }
    if isFirst, breaker.isBeforeSpace { space.wordSpace = context.wordSpace(of: box) }
    let placed = context.placeFloat(
      float, at: block, space: space, exclusions: &flow.exclusions, parent: parent, parentOrigin: origin,
      progress: &flow.progress)
    result.outOfFlow += placed.outOfFlow
    if isFirst, let initial = placed.initial {
      letter.placed = (float, initial.end)
      letter.rise = initial.rise
    }
    return placed.isPlaced
  }

  /// Places the floats that stand before any content of the next line, and begins that behind them.
  mutating func placeLeadingFloats() {
    breaker.begin(start, available: space.contentInline, origin: .zero)
    while case .float(let float) = breaker.next(), !breaker.hasContent {
      let run = breaker.floatRun
      _ = place(float: float, at: space.bfcOffset.block + block)
      breaker.yielded.floatsDone = run + 1
      breaker.resolveFloat()
    }
    start.run = Swift.max(start.run, breaker.yielded.floatsDone)
  }

  func isInitialLetter(_ box: BoxID) -> Bool { context.tree.boxes[box.index].flags.contains(.initialLetter) }

  /// `<br clear>` (HTML, section 15.3.4): what follows starts below floats.
  private mutating func clear(_ breakBox: BoxID) {
    guard !breakBox.isNone, context.tree.boxes[breakBox.index].style.box.index != 0 else { return }
    let value = context.styles.boxes[context.tree.boxes[breakBox.index].style.box.index].clear
    let sides = context.clearSides(value, direction: baseDirection)
    guard sides.left || sides.right else { return }
    last.clearance = flow.exclusions.clearance(left: sides.left, right: sides.right) - space.bfcOffset.block
    block = Swift.max(block, last.clearance)
  }
}

extension LayoutContext {
  /// An atomic inline, laid out and not yet aligned.
  func layoutAtomic(_ box: BoxID, in space: InlineSpace, progress: inout FlowProgress) -> AtomicInline {
    AtomicInline(
      box: box, result: layoutAtomicInline(box, in: space, progress: &progress),
      margins: margins(of: box, availableInline: space.contentInline), above: .zero, below: .zero)
  }
}
