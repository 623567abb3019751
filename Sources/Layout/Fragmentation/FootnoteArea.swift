import BoxGeneration
import CSS
import Primitives
import Styling

/// A footnote on its way to a page, or what is left of one.
struct FootnotePart {
  /// In `BoxTree.footnotes`.
  var note: Int
  /// Where to go on with it; nil to start.
  var token: BreakToken?
}

/// The footnotes of a chapter as its pages are made (CSS GCPM 3, section 2).
struct FootnoteFlow {
  /// The share of a page that notes may take from text that has room above them.
  static let mostOfPage = 0.6
  /// Tries at one page; each but the first leaves its text less room.
  static let mostRounds = 12

  /// Notes that earlier pages had no room for, in order.
  var pending: [FootnotePart] = []
  /// By note: whether its mark has been on a page.
  var placed: [Bool]
  /// Where the text of the page being made ends at the latest; nil at the page's end.
  var textEnd: LayoutUnit?
  /// Whether notes are at the foot of the page made last.
  var areOnPage = false

  init(_ tree: BoxTree) {
    placed = [Bool](repeating: false, count: tree.footnotes.count)
  }

  /// Whether the chapter has none.
  var isEmpty: Bool { placed.isEmpty }

  /// Whether the notes to come are the same as before a page.
  func isStalled(since old: [FootnotePart]) -> Bool {
    guard pending.count == old.count else { return false }
    return zip(pending, old).allSatisfy { now, old in
      guard now.note == old.note else { return false }
      guard let token = now.token, let before = old.token else { return now.token == nil && old.token == nil }
      return token.isSamePlace(as: before)
    }
  }
}

/// The mark of a note on the page being made.
struct FootnoteCall {
  /// In `BoxTree.footnotes`.
  var note: Int
  /// Where the lines down to that of the mark end, from the top of the page's area.
  var end: LayoutUnit
}

extension LayoutContext {
  /// Marks on the page being made whose notes have not been on one, in the order of the notes, and where the page's text and
  /// pictures end.
  func footnoteCalls(except placed: [Bool]) -> (calls: [FootnoteCall], textEnd: LayoutUnit) {
    var calls: [FootnoteCall] = []
    var textEnd = LayoutUnit.zero
    func visit(_ id: FragmentID, _ block: LayoutUnit) {
      let fragment = page[id]
      let end = block + fragment.size.block
      if fragment.kind == .line {
        textEnd = Swift.max(textEnd, end)
        let line = page.lines[Int(fragment.payload)]
        var index = footnoteIndex.firstIndex(in: line.text, from: line.range.lowerBound, of: tree)
        while index < footnoteIndex.notes.count {
          let number = footnoteIndex.notes[index]
          let note = tree.footnotes[number]
          guard note.text == line.text, note.unit < line.range.upperBound else { break }
          if !placed[number], !fragment.flags.contains(.repeated) { calls.append(FootnoteCall(note: number, end: end)) }
          index += 1
        }
      } else if fragment.kind == .box, tree.boxes[fragment.box.index].content == .replaced {
        textEnd = Swift.max(textEnd, end)
      }
      var child = fragment.firstChild
      while !child.isNone {
        visit(child, block + page[child].offset.block)
        child = page[child].nextSibling
      }
    }
    if !page.root.isNone { visit(page.root, page[page.root].offset.block) }
    calls.sort { ($0.note, $0.end) < ($1.note, $1.end) }
    var last = LayoutUnit.zero
    var kept: [FootnoteCall] = []
    for var call in calls where kept.last?.note != call.note {
      last = Swift.max(last, call.end)
      call.end = last
      kept.append(call)
    }
    return (kept, textEnd)
  }

  /// The height of the area of some notes, a page's where they need more.
  func heightOfFootnotes(_ parts: [FootnotePart], page: LayoutUnit) -> LayoutUnit {
    let mark = mark()
    defer { rewind(to: mark) }
    let area = layoutFootnotes(parts, room: page)
    return area.left.isEmpty ? area.size : page
  }

  /// How many of the page's marks can stay on it: all notes but that of the last mark must be whole there, and that one must
  /// have begun, or be whole, too, as its `footnote-policy` asks.
  func footnotesThatFit(_ calls: [FootnoteCall], after pending: [FootnotePart], page: LayoutUnit) -> Int {
    func fits(_ count: Int) -> Bool {
      let parts = pending + calls[..<count].map { FootnotePart(note: $0.note) }
      let mark = mark()
      defer { rewind(to: mark) }
      let area = layoutFootnotes(parts, room: page - calls[count - 1].end)
      guard let left = area.left.first else { return true }
      guard area.left.count == 1, left.token != nil, left.note == parts.last?.note else { return false }
      let style = tree.boxes[tree.footnotes[left.note].box.index].style
      return styles.pages[style.page.index].footnotePolicy == .auto
        || heightOfFootnotes([FootnotePart(note: left.note)], page: page) >= page
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
  /// - Returns: what is left of them.
  func placeFootnotes(_ parts: [FootnotePart], below textEnd: LayoutUnit, page height: LayoutUnit) -> [FootnotePart] {
    let start = mark()
    var area = layoutFootnotes(parts, room: height - textEnd)
    if area.fragment.isNone, textEnd == .zero {
      // Not even an empty page can hold the first of them.
      area = layoutFootnotes([parts[0]], room: nil)
      area.left = Array(parts.dropFirst())
    }
    guard !area.fragment.isNone else {
      rewind(to: start)
      return parts
    }
    let root = page[page.root].offset
    page.attach(
      area.fragment, to: page.root,
      at: LogicalOffset(inline: area.inline - root.inline, block: height - area.size + area.marginStart - root.block))
    layoutInitialContainingBlock(
      area.outOfFlow.map { entry in
        var entry = entry
        entry.staticOffset = entry.staticOffset + page[area.fragment].offset
        return entry
      }, root: page.root, size: contentAreaSize)
    return area.left
  }

  private struct FootnoteArea {
    var fragment = FragmentID.none
    /// From the page area's line-left edge.
    var inline = LayoutUnit.zero
    /// With its margins.
    var size = LayoutUnit.zero
    var marginStart = LayoutUnit.zero
    var left: [FootnotePart] = []
    var outOfFlow: [OutOfFlowBox] = []
  }

  /// Lays the area of footnotes out, as wide as the text of the page.
  ///
  /// - Parameter room: Its height at most, nil for as much as it needs.
  private func layoutFootnotes(_ parts: [FootnotePart], room: LayoutUnit?) -> FootnoteArea {
    let box = tree.footnoteArea
    var area = FootnoteArea(left: parts)
    let measure = footnoteMeasure()
    let margins = margins(of: box, availableInline: measure.size)
    let geometry = borderAndPadding(of: box, availableInline: measure.size)
    let inline = Swift.max(.zero, measure.size - margins.inlineSum)
    let content = Swift.max(.zero, inline - geometry.border.inlineSum - geometry.padding.inlineSum)
    let edges = FlowEdges(
      blockStart: geometry.border.blockStart + geometry.padding.blockStart,
      lineRight: .zero, blockEnd: geometry.border.blockEnd + geometry.padding.blockEnd,
      lineLeft: geometry.border.lineLeft + geometry.padding.lineLeft)
    let room = room.map { $0 - margins.blockSum - edges.blockSum }
    let fragment = page.appendBox(box, size: .zero, geometry: geometry)
    var space = ConstraintSpace(
      availableInline: content, direction: styles.paragraphs[tree.boxes[box.index].style.paragraph.index].direction,
      isNewFormattingContext: false)
    space.fragmentainerSize = room
    space.isAtPageStart = true
    space.pageInline = measure.start + margins.lineLeft + edges.lineLeft

    // The rule, unless the area has a border of its own.
    var end = LayoutUnit.zero
    if geometry.border.blockStart == .zero {
      let separator = tree.footnoteSeparator
      let own = self.margins(of: separator, availableInline: content)
      var child = space
      child.isNewFormattingContext = true
      child.fragmentainerSize = nil
      child.fixedInline = outOfFlowInline(separator, available: content, containing: content)
      let result = layout(separator, in: child)
      let isRightToLeft = space.direction == .rtl
      page.attach(
        result.fragment, to: fragment,
        at: LogicalOffset(
          inline: edges.lineLeft + (isRightToLeft ? content - result.size.inline : .zero),
          block: edges.blockStart + own.blockStart))
      end = own.blockSum + result.size.block
    }
    if let room, end >= room { return area }

    var exclusions = ExclusionSpace()
    var strut = MarginStrut()
    var hasContent = false
    var line: LogicalRect?
    var done = 0
    var rest: FootnotePart?
    for part in parts {
      let note = tree.footnotes[part.note].box
      let value = tree.boxes[note.index]
      if let room, end + strut.sum >= room { break }
      var child = space
      let sizing = inlineSizing(of: note, available: content, space: child)
      child.fixedInline = sizing.inlineSize
      child.geometry = sizing.geometry
      let mark = mark()
      let result: LayoutResult
      let top: LayoutUnit
      if value.establishesFormattingContext || value.content == .replaced {
        if hasContent { appendStartMargins(of: note, availableInline: content, to: &strut) }
        top = end + strut.sum
        child.isNewFormattingContext = true
        child.fragmentainerOffset = top
        child.isAtPageStart = !hasContent
        result = layout(note, in: child, from: part.token)
        strut = MarginStrut()
        strut.append(endMargin(of: note, availableInline: content))
      } else if let line, part.token == nil, joins(note, line, in: child) {
        child.bfcInline = sizing.lineLeft
        child.bfcBlock = line.offset.block
        child.exclusions.add(line, isLeft: child.direction == .ltr)
        child.discardsStartMargin = true
        result = layoutBlock(note, in: child, from: nil)
        top = result.bfcBlock ?? line.offset.block
        strut = result.endStrut
      } else {
        child.bfcInline = sizing.lineLeft
        child.bfcBlock = end
        child.strut = strut
        child.exclusions = exclusions
        child.discardsStartMargin = !hasContent
        child.isAtPageStart = !hasContent
        result = layoutBlock(note, in: child, from: part.token)
        top = result.bfcBlock ?? end
        exclusions = result.exclusions
        strut = result.endStrut
      }
      let overflows = room.map { top + result.size.block > $0 + .epsilon } ?? false
      guard !result.fragment.isNone, !overflows else {
        rewind(to: mark)
        break
      }
      let place = LogicalOffset(inline: edges.lineLeft + sizing.lineLeft, block: edges.blockStart + top)
      attach(result.fragment, to: fragment, at: place, shift: .zero)
      for var entry in result.outOfFlow + pendingOutOfFlow {
        entry.staticOffset = entry.staticOffset + place
        area.outOfFlow.append(entry)
      }
      pendingOutOfFlow = []
      end = Swift.max(end, top + result.size.block)
      line = lastLine(
        of: note, result.fragment, at: LogicalOffset(inline: sizing.lineLeft, block: top), direction: child.direction,
        measure: content)
      hasContent = true
      done += 1
      if let next = result.next {
        rest = FootnotePart(note: part.note, token: next)
        break
      }
    }
    area.left = (rest.map { [$0] } ?? []) + parts[done...]
    guard hasContent else { return area }
    let floats = exclusions.clearance(left: true, right: true)
    if floats > .min { end = Swift.max(end, floats) }
    if let room { end = Swift.min(end, room) }
    area.fragment = fragment
    area.inline = measure.start + margins.lineLeft
    area.marginStart = margins.blockStart
    area.size = end + edges.blockSum + margins.blockSum
    page[fragment].size = LogicalSize(inline: inline, block: end + edges.blockSum)
    return area
  }

  /// Whether a note begins on the last line of the note before it (`footnote-display`): `compact` ones do if they end there.
  private func joins(_ note: BoxID, _ line: LogicalRect, in space: ConstraintSpace) -> Bool {
    switch styles.pages[tree.boxes[note.index].style.page.index].footnoteDisplay {
    case .block: false
    case .inline: true
    case .compact: intrinsicSizes(of: note).maximum <= space.availableInline - line.size.inline
    }
  }

  /// What the last line of a note takes of the measure, with the distance to a note that goes on there; nil for a note that
  /// stands alone.
  private func lastLine(
    of note: BoxID, _ fragment: FragmentID, at place: LogicalOffset, direction: TextDirection, measure: LayoutUnit
  ) -> LogicalRect? {
    let style = tree.boxes[note.index].style
    guard styles.pages[style.page.index].footnoteDisplay != .block else { return nil }
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
    let line = page.lines[Int(page[last.id].payload)]
    let start = last.place.inline + line.contentOffset
    let gap = LayoutUnit(fontSize(style.font))
    let (left, right) = direction == .ltr ? (.zero, start + line.contentWidth + gap) : (start - gap, measure)
    return LogicalRect(
      offset: LogicalOffset(inline: left, block: last.place.block),
      size: LogicalSize(inline: right - left, block: page[last.id].size.block))
  }

  /// The line-left edge and the width of the body's content, which the notes share.
  private func footnoteMeasure() -> (start: LayoutUnit, size: LayoutUnit) {
    var start = LayoutUnit.zero
    var size = contentAreaSize.inline
    var box = BoxTree.root
    for _ in 0..<2 where !box.isNone {
      let value = tree.boxes[box.index]
      guard value.kind == .block, value.content == .boxes, !value.flags.isOutOfNormalFlow else { break }
      let direction = styles.paragraphs[value.style.paragraph.index].direction
      let space = ConstraintSpace(availableInline: size, direction: direction, isNewFormattingContext: false)
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

/// The notes of a chapter by the place of their marks.
struct FootnoteIndex {
  let notes: [Int]

  init(_ tree: BoxTree) {
    notes = tree.footnotes.indices.filter { !tree.footnotes[$0].text.isNone }.sorted {
      let (a, b) = (tree.footnotes[$0], tree.footnotes[$1])
      return (a.text.index, a.unit, $0) < (b.text.index, b.unit, $1)
    }
  }

  /// The first note with its mark at a unit of a text or behind it.
  func firstIndex(in text: TextID, from unit: UInt32, of tree: BoxTree) -> Int {
    var low = 0
    var high = notes.count
    while low < high {
      let middle = (low + high) / 2
      let note = tree.footnotes[notes[middle]]
      if (note.text.index, note.unit) < (text.index, unit) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
