import BoxGeneration
import CSS
import Primitives
import Styling

/// The area of footnotes on one page, not attached yet.
struct FootnoteArea {
  /// `.none` where it holds nothing.
  var fragment = FragmentID.none
  /// From the page area's line-left edge.
  var inline = LayoutUnit.zero
  /// With its margins.
  var size = LayoutUnit.zero
  var marginStart = LayoutUnit.zero
  /// Notes, and the rest of one, that it has no room for.
  var left: [FootnotePart] = []
  var outOfFlow: [OutOfFlowBox] = []
}

/// Lays the area of footnotes out, as wide as the text of the page (CSS GCPM 3, section 2.5): a rule, and the notes below it, one
/// under the other or, if `footnote-display` asks for it, one after the other on a line.
struct FootnoteAreaLayout {
  private let context: LayoutContext
  private let measure: (start: LayoutUnit, size: LayoutUnit)
  private let margins: FlowEdges
  private let geometry: BoxGeometry
  /// Border and padding around the notes.
  private let edges: FlowEdges
  /// The notes' measure.
  private let content: LayoutUnit
  /// The height that they may take, nil for as much as they need.
  private let room: LayoutUnit?
  private let space: ConstraintSpace
  private let fragment: FragmentID

  private var progress: FlowProgress
  private var outOfFlow: [OutOfFlowBox] = []
  /// The end of the last note, from the content edge, and the margins below it.
  private var end = LayoutUnit.zero
  private var strut = MarginStrut()
  private var exclusions = ExclusionSpace()
  private var hasContent = false
  /// The part of the measure that the last line of the note before takes, where the next one may go on there.
  private var line: LogicalRect?

  /// - Parameter room: Its height at most, nil for as much as it needs.
  static func layout(
    _ parts: [FootnotePart], room: LayoutUnit?, _ context: LayoutContext, _ progress: inout FlowProgress
  ) -> FootnoteArea {
    var layout = FootnoteAreaLayout(context, room: room, progress: progress)
    let area = layout.run(parts)
    progress = layout.progress
    return area
  }

  private init(_ context: LayoutContext, room: LayoutUnit?, progress: FlowProgress) {
    self.context = context
    self.progress = progress
    let box = context.tree.footnoteArea
    measure = context.footnoteMeasure()
    margins = context.margins(of: box, availableInline: measure.size)
    geometry = context.borderAndPadding(of: box, availableInline: measure.size)
    edges = geometry.border + geometry.padding
    content = Swift.max(.zero, measure.size - margins.inlineSum - edges.inlineSum)
    let around = margins.blockSum + edges.blockSum
    self.room = room.map { $0 - around }
    var space = ConstraintSpace(
      mode: context.mode, availableInline: content,
      direction: context.styles.paragraphs[context.tree.boxes[box.index].style.paragraph.index].direction)
    space.fragmentainer.size = self.room
    space.fragmentainer.isAtStart = true
    space.fragmentainer.inlineOffset = measure.start + margins.lineLeft + edges.lineLeft
    self.space = space
    fragment = context.page.appendBox(box, size: .zero, geometry: geometry)
  }

  private mutating func run(_ parts: [FootnotePart]) -> FootnoteArea {
    // The rule, unless the area has a border of its own.
    if geometry.border.blockStart == .zero { placeSeparator() }
    var area = FootnoteArea(left: parts)
    if let room, end >= room { return area }
    var done = 0
    var rest: FootnotePart?
    for part in parts {
      if let room, end + strut.sum >= room { break }
      guard let result = place(part) else { break }
      done += 1
      if let next = result.next {
        rest = FootnotePart(note: part.note, token: next)
        break
      }
    }
    area.left = (rest.map { [$0] } ?? []) + parts[done...]
    guard hasContent else { return area }
    let floats = exclusions.blockClearance(left: true, right: true)
    if floats > .min { end = Swift.max(end, floats) }
    if let room { end = Swift.min(end, room) }
    area.fragment = fragment
    area.inline = measure.start + margins.lineLeft
    area.marginStart = margins.blockStart
    area.size = end + edges.blockSum + margins.blockSum
    area.outOfFlow = outOfFlow
    let inline = Swift.max(.zero, measure.size - margins.inlineSum)
    context.page.setSize(LogicalSize(inline: inline, block: end + edges.blockSum), of: fragment)
    return area
  }

  private mutating func placeSeparator() {
    let separator = context.tree.footnoteSeparator
    let own = context.margins(of: separator, availableInline: content)
    var child = space
    child.fragmentainer.size = nil
    child.imposed.inline = context.outOfFlowInline(separator, available: content, containing: content)
    let result = context.layout(separator, in: child, from: nil, &progress)
    let start = space.direction == .rtl ? content - result.size.inline : .zero
    context.page.attach(
      result.fragment, to: fragment,
      at: LogicalOffset(inline: edges.lineLeft + start, block: edges.blockStart + own.blockStart))
    end = own.blockSum + result.size.block
  }

  /// The place of a note's border box below the others, and the state of the flow after it.
  private struct Candidate {
    var top: LayoutUnit
    var strut: MarginStrut
    var exclusions: ExclusionSpace
  }

  /// Places a note, or as much of it as there is room for; nil where there is none.
  private mutating func place(_ part: FootnotePart) -> LayoutResult? {
    let note = context.tree.footnotes[part.note].box
    let sizing = context.inlineSizing(of: note, available: content, space: space)
    var child = space
    child.imposed.inline = sizing.inlineSize
    child.geometry = sizing.geometry
    let savepoint = context.page.savepoint()
    var inside = progress
    inside.forgetBreaks()
    var candidate = Candidate(top: end, strut: strut, exclusions: exclusions)
    let result = context.layoutAtBestBreak(&inside) { place, inside in
      child.fragmentainer.earlyBreak = place
      return layout(note, in: child, lineLeft: sizing.lineLeft, from: part.token, to: &candidate, &inside)
    }
    let overflows = room.map { candidate.top + result.size.block > $0 + .epsilon } ?? false
    guard !result.fragment.isNone, !overflows else {
      context.page.rollBack(to: savepoint)
      return nil
    }
    progress.takeOver(inside)
    strut = candidate.strut
    exclusions = candidate.exclusions
    let place = LogicalOffset(inline: edges.lineLeft + sizing.lineLeft, block: edges.blockStart + candidate.top)
    context.page.attach(result.fragment, to: fragment, at: place)
    outOfFlow.append(contentsOf: result.outOfFlow, movedBy: place)
    end = Swift.max(end, candidate.top + result.size.block)
    line = lastLine(of: note, result.fragment, at: LogicalOffset(inline: sizing.lineLeft, block: candidate.top))
    hasContent = true
    return result
  }

  private func layout(
    _ note: BoxID, in space: ConstraintSpace, lineLeft: LayoutUnit, from token: BreakToken?,
    to candidate: inout Candidate, _ progress: inout FlowProgress
  ) -> LayoutResult {
    var child = space
    child.fragmentainer.isAtStart = !hasContent
    let value = context.tree.boxes[note.index]
    if value.establishesFormattingContext || value.content == .replaced {
      var above = strut
      if hasContent { context.appendStartMargins(of: note, availableInline: content, to: &above) }
      let top = end + above.sum
      child.fragmentainer.offset = top
      let result = context.layout(note, in: child, from: token, &progress)
      var below = MarginStrut()
      below.append(context.endMargin(of: note, availableInline: content))
      candidate = Candidate(top: top, strut: below, exclusions: exclusions)
      return result
    }
    var position = FlowPosition(inline: lineLeft)
    let joined = token == nil ? line.flatMap { joins(note, $0) ? $0 : nil } : nil
    if let joined {
      child.fragmentainer.isAtStart = true
      position.block = joined.offset.block
      position.exclusions.add(joined, isLeft: space.direction == .ltr)
      position.startBreak = .trimmed
    } else {
      position.block = end
      position.strut = strut
      position.exclusions = exclusions
      position.startBreak = hasContent ? .none : .trimmed
    }
    child.flow = position
    let result = BlockFlow.layout(note, in: child, from: token, context, &progress)
    candidate = Candidate(
      top: result.bfcBlock ?? position.block, strut: result.end.strut,
      exclusions: joined == nil ? result.exclusions : exclusions)
    return result
  }

  /// A note begins on the last line of the note before it (`footnote-display`): `compact` ones do if they end there.
  private func joins(_ note: BoxID, _ line: LogicalRect) -> Bool {
    switch context.styles.pages[context.tree.boxes[note.index].style.page.index].footnoteDisplay {
    case .block: false
    case .inline: true
    case .compact: context.intrinsicSizes(of: note).maximum <= content - line.size.inline
    }
  }

  /// The part of the measure that the last line of a note takes, with the distance to a note that goes on there; nil for a note
  /// that stands alone.
  private func lastLine(of note: BoxID, _ fragment: FragmentID, at place: LogicalOffset) -> LogicalRect? {
    let style = context.tree.boxes[note.index].style
    guard context.styles.pages[style.page.index].footnoteDisplay != .block else { return nil }
    let page = context.page
    var last: (id: FragmentID, place: LogicalOffset)?
    var open = [(fragment, place)]
    while let (id, place) = open.popLast() {
      if page[id].kind == .line {
        if last.map({ $0.place.block < place.block }) ?? true { last = (id, place) }
        continue
      }
      var child = page[id].firstChild
      while !child.isNone {
        open.append((child, place + page[child].offset))
        child = page[child].nextSibling
      }
    }
    guard let last else { return nil }
    let line = page.line(of: last.id)
    let start = last.place.inline + line.contentOffset
    let gap = LayoutUnit(context.fontSize(style.font))
    let (left, right) =
      space.direction == .ltr ? (.zero, start + line.contentWidth + gap) : (start - gap, content)
    return LogicalRect(
      offset: LogicalOffset(inline: left, block: last.place.block),
      size: LogicalSize(inline: right - left, block: page[last.id].size.block))
  }
}

extension FootnoteAreaLayout {
  /// The height of the area of some notes, a page's where they need more.
  static func height(of parts: [FootnotePart], page height: LayoutUnit, _ context: LayoutContext) -> LayoutUnit {
    let area = measure(parts, room: height, context)
    return area.left.isEmpty ? area.size : height
  }

  /// The area of some notes, of which nothing stays on the page.
  private static func measure(_ parts: [FootnotePart], room: LayoutUnit, _ context: LayoutContext) -> FootnoteArea {
    let savepoint = context.page.savepoint()
    defer { context.page.rollBack(to: savepoint) }
    var nothing = FlowProgress()
    return layout(parts, room: room, context, &nothing)
  }

  /// The number of the page's footnote calls that can stay on it: all notes but that of the last call must be whole there, and
  /// that one must have begun, or be whole, too, as its `footnote-policy` asks.
  static func countThatFits(
    _ calls: [FootnoteCall], after pending: [FootnotePart], page: LayoutUnit, _ context: LayoutContext
  ) -> Int {
    func fits(_ count: Int) -> Bool {
      let parts = pending + calls[..<count].map { FootnotePart(note: $0.note) }
      let area = measure(parts, room: page - calls[count - 1].end, context)
      guard let left = area.left.first else { return true }
      guard area.left.count == 1, left.token != nil, left.note == parts.last?.note else { return false }
      let style = context.tree.boxes[context.tree.footnotes[left.note].box.index].style
      return context.styles.pages[style.page.index].footnotePolicy == .auto
        || height(of: [FootnotePart(note: left.note)], page: page, context) >= page
    }
    var low = 0
    var high = calls.count
    while low < high {
      let middle = (low + high + 1) / 2
      if fits(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Sets notes at the foot of the page being made, in the room that its text leaves.
  ///
  /// - Parameter height: Of the page but for the floats at its end, which stand above the notes.
  /// - Returns: The rest of them.
  static func place(
    _ parts: [FootnotePart], below textEnd: LayoutUnit, room height: LayoutUnit, _ context: LayoutContext,
    _ progress: inout FlowProgress
  ) -> [FootnotePart] {
    let page = context.page
    let start = page.savepoint()
    var area = layout(parts, room: height - textEnd, context, &progress)
    if area.fragment.isNone, textEnd == .zero {
      // Not even an empty page can hold the first of them.
      area = layout([parts[0]], room: nil, context, &progress)
      page.insert(.overflows, into: area.fragment)
      area.left = Array(parts.dropFirst())
    }
    guard !area.fragment.isNone else {
      page.rollBack(to: start)
      return parts
    }
    let root = page[page.root].offset
    let top = context.contentAreaSize.block - area.size + area.marginStart
    page.attach(
      area.fragment, to: page.root, at: LogicalOffset(inline: area.inline - root.inline, block: top - root.block))
    var outOfFlow: [OutOfFlowBox] = []
    outOfFlow.append(contentsOf: area.outOfFlow, movedBy: page[area.fragment].offset)
    context.layoutInitialContainingBlock(
      outOfFlow, root: page.root, size: context.contentAreaSize, progress: &progress)
    return area.left
  }
}

extension LayoutContext {
  /// The line-left edge and the width of the body's content, which the notes share.
  fileprivate func footnoteMeasure() -> (start: LayoutUnit, size: LayoutUnit) {
    var start = LayoutUnit.zero
    var size = contentAreaSize.inline
    var box = BoxTree.root
    for _ in 0..<2 where !box.isNone {
      let value = tree.boxes[box.index]
      guard value.kind == .block, value.content == .boxes, !value.flags.isOutOfNormalFlow else { break }
      let direction = styles.paragraphs[value.style.paragraph.index].direction
      let space = ConstraintSpace(mode: mode, availableInline: size, direction: direction)
      let sizing = inlineSizing(of: box, available: size, space: space)
      start += sizing.lineLeft + sizing.geometry.border.lineLeft + sizing.geometry.padding.lineLeft
      size = Swift.max(
        .zero, sizing.inlineSize - sizing.geometry.border.inlineSum - sizing.geometry.padding.inlineSum)
      // The body: the only child of the root.
      let child = firstInFlowChild(of: box)
      box = box == BoxTree.root && tree.boxes[child.isNone ? box.index : child.index].nextSibling.isNone ? child : .none
    }
    return (start, size)
  }
}
