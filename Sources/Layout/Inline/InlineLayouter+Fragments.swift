import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// The fragments of a finished line, and the boxes that take their place from it: positioned ones and markers.
extension InlineLayouter {
  private func offsetInParent(_ top: LayoutUnit) -> LayoutUnit { contentOffset.block + top - space.bfcOffset.block }

  mutating func place(
    _ end: LineEnd, top: LayoutUnit, room: (left: LayoutUnit, right: LayoutUnit), indent: LayoutUnit
  ) {
    var end = end
    let available = room.right - room.left - indent
    let overflows = end.width > available.advance
    let ellipsis = endsInEllipsis || space.linesLeft != nil ? cutForEllipsis(&end, available: available) : nil
    var (align, justifies) = alignment(isLast: end.isLast || end.isForced)
    if ellipsis != nil {
      justifies = false
      if overflows { align = baseDirection == .ltr ? .left : .right }
    }
    let (used, expansion) = justify(end, available: available, justifies: justifies)
    let free = Swift.max(.zero, available - used)
    var shift = LayoutUnit.zero
    switch align {
    case .left: shift = .zero
    case .right: shift = free
    case .center: shift = free / 2
    default: shift = baseDirection == .ltr ? .zero : free
    }
    // Content that is too wide sticks out at its end (CSS Text 3, section 6.1).
    let origin = baseDirection == .ltr ? indent + shift : Swift.min(.zero, available - used) + shift

    let lineOffset = LogicalOffset(
      inline: contentOffset.inline + room.left - space.bfcOffset.inline, block: offsetInParent(top))
    let page = context.page
    let fragment = page.appendLine(
      line(endingAt: end, origin: origin, width: used), of: box,
      size: LogicalSize(inline: room.right - room.left, block: builder.measures.height))
    page.attach(fragment, to: parent, at: lineOffset)
    self.last.fragment = fragment
    if used > context.contentAreaSize.inline + .epsilon || isTooHigh(top) { page.insert(.overflows, into: fragment) }

    var positioned: [(BoxID, LogicalOffset)] = []
    builder.edges = end.edges
    var left = origin.advance - (baseDirection == .rtl ? end.hanging : 0)
    if let ellipsis, baseDirection == .rtl { left += ellipsis.advance }
    let right = builder.emit(
      into: fragment, origin: left, top: .zero, expansion: expansion, hyphenated: end.isHyphenated,
      positioned: { positioned.append(($0, $1)) })
    if let ellipsis { draw(ellipsis, at: baseDirection == .ltr ? LayoutUnit(right) : origin, in: fragment) }
    builder.flip(fragment)
    takeResults(of: fragment, at: lineOffset)
    for (entry, offset) in positioned {
      addPositioned(entry, at: lineOffset + offset, lineHeight: builder.measures.height, origin: origin)
    }

    result.baselines.take(builder.baselines(at: lineOffset.block))
    result.inlineExtent = Swift.max(result.inlineExtent, room.left - space.bfcOffset.inline + indent + used)
    let measures = builder.measures
    flow.spaceAbove = Swift.max(-measures.lent, measures.height - measures.baseline - measures.depth)
  }

  /// Makes a line as wide as its room, where it is justified or has to give way. Returns the width that it takes, and what is
  /// left to the gaps between its clusters.
  private mutating func justify(
    _ end: LineEnd, available: LayoutUnit, justifies: Bool
  ) -> (used: LayoutUnit, expansion: Expansion) {
    let width = LayoutUnit(end.width)
    var expansion = Expansion.none
    builder.changes = LineChanges()
    builder.glyphFit = .none
    builder.looseness = 0
    if let room = breaker.adjustmentRoom {
      // A last line gives way all the same when it has to.
      guard justifies && width != available || width > available else { return (width, expansion) }
      let change = builder.adjust(by: available.advance - end.width, room)
      if builder.changes.hasLooseSpaces, staysRaggedIfLoose(end) {
        builder.changes = LineChanges()
        builder.looseness = 0
        return (width, expansion)
      }
      return (LayoutUnit(end.width + change), expansion)
    }
    guard justifies, width < available || breaker.request.target != .max && width > available else {
      return (width, expansion)
    }
    // Only word spaces are narrowed.
    expansion.mode = width > available ? .interWord : style.justify
    expansion.opportunities = style.justify == .none ? 0 : builder.numberExpansions(style.justify)
    guard expansion.opportunities > 0 else { return (width, expansion) }
    expansion.total = available.advance - end.width
    if context.settings.composition.fitsGlyphs, style.justify != .interCharacter {
      builder.fitGlyphs(&expansion, after: start.expansion, hyphenated: end.isHyphenated)
    }
    let em = context.fontSize(context.tree.boxes[box.index].style.font)
    builder.looseness = LayoutUnit(expansion.total / Advance(expansion.opportunities)).float / Swift.max(1, em)
    if isLoose, staysRaggedIfLoose(end) {
      builder.glyphFit = .none
      builder.looseness = 0
      return (width, .none)
    }
    return (available, expansion)
  }

  /// A line whose word spaces would be three times as wide as they are is not justified.
  private func staysRaggedIfLoose(_ end: LineEnd) -> Bool {
    context.settings.deviations.leavesLooseLinesRagged && style.justify != .interCharacter && !end.isLast
      && !end.isForced
  }

  /// The looseness from which on a line is told to be loose: a quarter of an em between letters, or a word space three times as
  /// wide as it is.
  private var mostLooseness: Float {
    guard breaker.adjustmentRoom == nil else { return 0.25 }
    let em = context.fontSize(context.tree.boxes[box.index].style.font)
    return 2 * context.wordSpace(of: box).float / Swift.max(1, em)
  }
  private var isLoose: Bool {
    // Lines that are not opened need no measure.
    builder.looseness > Self.loosenessTolerance && builder.looseness > mostLooseness + Self.loosenessTolerance
  }
  /// Rounding of widths to layout units, in em.
  private static let loosenessTolerance: Float = 0.001

  /// The record of the line set last, for positions, search and layout records.
  private mutating func line(endingAt end: LineEnd, origin: LayoutUnit, width: LayoutUnit) -> LineFragment {
    let first = unit(at: start)
    let last = paragraph.shaped.clusters.isEmpty ? 0 : paragraph.shaped.clusters[end.cluster].text
    var line = LineFragment(
      text: ownText, range: first..<Swift.max(first, last), baseline: builder.measures.baseline,
      isHyphenated: end.isHyphenated, contentOffset: origin, contentWidth: width, direction: baseDirection,
      writingMode: context.writingMode)
    line.breaksLineStartRule = end.breaksRule
    line.glyphFit = builder.glyphFit
    if isLoose { line.looseness = builder.looseness }
    return line
  }

  /// Positioned boxes inside the atomic inlines that the line now holds.
  private mutating func takeResults(of fragment: FragmentID, at lineOffset: LogicalOffset) {
    for index in builder.atomics.indices where builder.atomics[index].result.fragment.isNone {
      let known = atomics.laidOut[index].result
      guard !known.fragment.isNone else { continue }
      let offset = context.page[known.fragment].offset
      if let next = atomics.laidOut[index].next {
        let inline = lineOffset.inline + offset.inline - contentOffset.inline
        result.parts.append(BreakToken.AtomicPart(token: next, lineOffset: inline))
      }
      for var entry in known.outOfFlow {
        entry.staticOffset = entry.staticOffset + lineOffset + offset
        result.outOfFlow.append(entry)
      }
      atomics.laidOut[index].result.fragment = .none
    }
    atomics.laidOut.removeAll { $0.result.fragment.isNone }
  }

  /// No page, not even an empty one, holds the line that has been measured.
  private mutating func isTooHigh(_ top: LayoutUnit) -> Bool {
    guard result.lineCount == 0, space.fragmentainer.isAtStart, let size = partSize else { return false }
    return space.fragmentainer.offset + top + builder.measures.height > size
  }

  /// A line is the last one that its clamping box shows.
  mutating func isClamped(_ end: LineEnd) -> Bool {
    guard let linesLeft = space.linesLeft, start.line + 1 == linesLeft else { return false }
    if !end.isLast, !paragraph.shaped.clusters.isEmpty {
      let unit = paragraph.shaped.clusters[end.cluster].text
      if context.hasLines(paragraph.text, from: (end.run, unit)) { return true }
    }
    return context.hasClampedLines(after: box)
  }

  /// Side that the line is set to, and whether it is justified first (CSS Text 3, section 6).
  private mutating func alignment(isLast: Bool) -> (TextAlign, justifies: Bool) {
    func physical(_ value: TextAlign) -> TextAlign {
      switch value.edge(in: baseDirection) {
      case .start: .left
      case .end: .right
      default: .center
      }
    }
    guard isLast else { return (physical(style.align), style.align == .justify || style.align == .justifyAll) }
    switch style.alignLast {
    case .auto:
      if style.align == .justifyAll { return (physical(.start), true) }
      return (physical(style.align), false)
    case .start, .matchParent: return (physical(.start), false)
    case .end: return (physical(.end), false)
    case .left: return (.left, false)
    case .right: return (.right, false)
    case .center: return (.center, false)
    case .justify: return (physical(.start), true)
    }
  }

  // MARK: Positioned boxes and markers

  private mutating func addPositioned(
    _ entry: BoxID, at offset: LogicalOffset, lineHeight: LayoutUnit, origin: LayoutUnit
  ) {
    var offset = offset
    // One of the line's level stands at its place in the line, on the side of it that the line comes from.
    var size = LayoutUnit.zero
    if !context.isInlineLevelOutOfFlow(entry) {
      // A block would start a line of its own, below what stands on this one.
      if offset.inline > contentOffset.inline + origin { offset.block += lineHeight }
      offset.inline = contentOffset.inline
      size = space.contentInline
    }
    result.outOfFlow.append(
      OutOfFlowBox(box: entry, staticOffset: offset, staticInlineSize: size, staticDirection: baseDirection))
  }

  /// Positioned boxes where no line stands.
  mutating func placeOutOfFlow(top: LayoutUnit) {
    for item in breaker.items where item.kind == .positioned {
      var entry = OutOfFlowBox(
        box: context.tree.texts.runs[item.run].box,
        staticOffset: LogicalOffset(inline: contentOffset.inline, block: offsetInParent(top)),
        staticInlineSize: space.contentInline, staticDirection: baseDirection)
      if context.isInlineLevelOutOfFlow(entry.box) {
        var place = space
        place.bfcOffset.block = top
        place.exclusions = flow.exclusions
        entry.standInEmptyLine(of: place, align: style.align)
      }
      result.outOfFlow.append(entry)
    }
  }

  /// Outside markers of the list items whose first line this is: beside the line, on its baseline (CSS Lists 3, section 3.2).
  mutating func placeMarkers() {
    for item in builder.line.items where item.kind == .marker {
      place(marker: context.tree.texts.runs[item.run].box, of: box, inset: .zero)
    }
    // The item's own box, or boxes around this one that begin with it.
    var owner = box
    var inset = FlowEdges.zero
    var steps = 0
    while steps < LayoutContext.mostBoxesBegun {
      steps += 1
      let marker = context.tree.boxes[owner.index].marker
      if !marker.isNone { place(marker: marker, of: owner, inset: inset) }
      guard let outer = context.boxBegun(by: owner) else { break }
      let geometry = context.borderAndPadding(of: owner, availableInline: space.contentInline)
      inset =
        inset + geometry.border + geometry.padding + context.margins(of: owner, availableInline: space.contentInline)
      owner = outer
    }
  }

  /// Places a marker outside its item's border, floats beside the line or not; `inset` is what lies between the item's content
  /// and that of this box.
  mutating func place(marker: BoxID, of item: BoxID, inset: FlowEdges) {
    guard let lineBaseline = result.baselines.last else { return }
    guard
      let set = Self.layoutMarker(
        marker, direction: baseDirection, isMeasuring: space.fragmentainer.isMeasuring, context)
    else {
      return
    }
    let own = context.borderAndPadding(of: item, availableInline: space.contentInline)
    let around = inset + own.border + own.padding
    let inline =
      baseDirection == .ltr
      ? contentOffset.inline - around.lineLeft - set.width
      : contentOffset.inline + space.contentInline + around.lineRight + set.gap
    context.page.attach(set.fragment, to: parent, at: LogicalOffset(inline: inline, block: lineBaseline - set.baseline))
    if context.page[last.fragment].flags.contains(.overflows) { context.page.insert(.overflows, into: set.fragment) }
  }
}
