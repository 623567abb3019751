/// Places of lines: in their own direction, in that in which they follow each other, and in reading order.
extension ChapterDiff {
  // MARK: Widths and places in the line direction

  /// Finds out whether lines that became wider or narrower have other glyphs or only other spaces.
  ///
  /// Lines that break elsewhere are justified otherwise, which may look like other glyphs: these count where lines that break as they
  /// did have them too.
  mutating func findGlyphChanges(inBrokenBlocks isBroken: Bool) {
    // Display lists are asked only where records leave the cause open.
    var asked: [Int32: LineGlyphs?] = [:]
    for line in lines.new.indices {
      let flags = blockFlags[Int(lines.newBlock[line])]
      guard flags.contains(.lineBreak) == isBroken, !flags.isDisjoint(with: [.advance, .lineBreak]),
        flags.isDisjoint(with: [.text, .font, .size]),
        lines.newPartner[line] != LineAlignment.none || lines.newRegion[line] != LineAlignment.none
      else { continue }
      if findGlyphChange(line, &asked) { hasGlyphChange = true }
    }
  }

  /// Finds out whether a line has other glyphs or other distances between them.
  private mutating func findGlyphChange(_ line: Int, _ asked: inout [Int32: LineGlyphs?]) -> Bool {
    let block = Int(lines.newBlock[line])
    let slot = slot(ofNew: line)
    guard let new = pages.slots[Int(slot)].new else { return false }
    let record = newLine(line)
    if asked[slot] == nil { asked[slot] = .some(glyphChanges(newPages[new])) }
    let partner = lines.newPartner[line]
    var face: Int32 = 0
    var letters = GlyphPairs.Letters()
    if let changes = asked[slot] ?? nil {
      guard let changed = changes.faces[GlyphPairs.baseline(record)] else { return false }
      (face, letters) = changed
    } else {
      guard partner != LineAlignment.none, let run = record.runs.first,
        isRagged(oldLine(Int(partner)), record, line: line)
      else { return false }
      face = newFaces[run.font] ?? 0
    }
    blockFlags[block].insert(.glyph)
    let (key, detail) = table.glyphKey(face: face, letters)
    add(
      key, slot: slot, block: Int32(block), old: partner == LineAlignment.none ? nil : oldLine(Int(partner)).box,
      new: record.box, source: record.source, detail: detail)
    return true
  }

  /// Lines that moved in their own direction, and other spaces in them.
  mutating func resolveMoves() {
    for line in lines.new.indices where lines.newPartner[line] != LineAlignment.none {
      let block = Int(lines.newBlock[line])
      let flags = blockFlags[block]
      guard !flags.isDisjoint(with: [.advance, .moved]), flags.isDisjoint(with: [.text, .font, .size, .glyph]) else {
        continue
      }
      let old = oldLine(Int(lines.newPartner[line]))
      let new = newLine(line)
      let inline = new.inlineShift(from: old)
      let slot = slot(ofNew: line)
      if inline != 0, !isMovedByLength(old, new, line: line) {
        addMove(inline, old, new, line: line, slot: slot)
      } else if flags.contains(.advance), flags.isDisjoint(with: [.moved, .lineBreak]), Self.differs(old, new) {
        add(
          ChangeKey(kind: .spacing, element: kinds[block]), slot: slot, block: Int32(block), old: old.box,
          new: new.box, source: new.source)
        blockFlags[block].insert(.spacing)
      }
    }
  }

  /// A line stands elsewhere in its own direction because it became longer or shorter: one that is centred, or set at the far
  /// side. Justified lines look alike where their block became wider, so lines that may be such are none.
  func isMovedByLength(_ old: LineRecord, _ new: LineRecord, line: Int) -> Bool {
    func length(_ line: LineRecord) -> Double { line.isVertical ? line.box.height : line.box.width }
    let growth = length(new) - length(old)
    let shift = new.inlineShift(from: old)
    guard growth != 0, abs(shift * 2 + growth) < 0.05 || abs(shift + growth) < 0.05 else { return false }
    let isLast = line + 1 >= lines.new.count || lines.newBlock[line + 1] != lines.newBlock[line]
    return isLast
      || [line - 1, line + 1].allSatisfy { neighbour in
        guard neighbour >= 0, lines.newBlock[neighbour] == lines.newBlock[line] else { return true }
        return abs(length(newLine(neighbour)) - length(new)) > 0.05
      }
  }

  private static func differs(_ old: LineRecord, _ new: LineRecord) -> Bool {
    old.box.width != new.box.width || old.box.height != new.box.height
      || !zip(old.runs, new.runs).allSatisfy { $0.x == $1.x && $0.width == $1.width }
  }

  /// A line whose length changed is not a justified one: without glyphs at hand, a line is taken for justified when the line
  /// before or after it in the block is as long, in both runs.
  private func isRagged(_ old: LineRecord, _ new: LineRecord, line: Int) -> Bool {
    func length(_ line: LineRecord) -> Double { line.isVertical ? line.box.height : line.box.width }
    guard length(old) != length(new) else { return false }
    for neighbour in [line - 1, line + 1]
    where neighbour >= 0 && neighbour < lines.new.count && lines.newBlock[neighbour] == lines.newBlock[line] {
      let partner = lines.newPartner[neighbour]
      if partner != LineAlignment.none, length(oldLine(Int(partner))) == length(old),
        length(newLine(neighbour)) == length(new)
      {
        return false
      }
    }
    // A box that became narrower by what its line moved is not of other glyphs.
    let shift = new.inlineShift(from: old)
    return shift == 0 || abs(length(new) - length(old) + shift * 2) < 0.05
  }

  mutating func addMove(_ delta: Double, _ old: LineRecord, _ new: LineRecord, line: Int, slot: Int32) {
    let element = kind(ofNew: line)
    let along = new.isVertical ? new.blockPosition - old.blockPosition : new.baseline - old.baseline
    // Sums of 1/64 px may be rounded otherwise where text is of another length.
    if abs(delta) <= 1.0 / 64, blockFlags.contains(where: { !$0.isDisjoint(with: .deep) }) {
      slotFlags[Int(slot)].insert(.reflow)
      return
    }
    // A line that went to another column, or to another page and the other side of a float, has only flowed there.
    if abs(delta) > 40, along != 0 {
      slotFlags[Int(slot)].insert(.reflow)
      return
    }
    var variant = ChangeKey.Variant.paragraph
    let block = lines.newBlock[line]
    func shift(_ other: Int) -> Double? {
      guard other >= 0, other < lines.new.count, lines.newBlock[other] == block,
        lines.newPartner[other] != LineAlignment.none
      else { return nil }
      return newLine(other).inlineShift(from: oldLine(Int(lines.newPartner[other])))
    }
    if let next = shift(line + 1), next != delta {
      variant = new.source.start == 0 ? .firstLine : .line
    } else if let before = shift(line - 1), before != delta {
      variant = .line
    }
    let kind: ChangeClass = element == .table ? .tableGeometry : element == .note ? .noteMoved : .moved
    var key = ChangeKey(
      kind: kind, variant: variant, a: ChangeTable.normalized(delta), element: element, isDown: new.isVertical)
    if kind == .tableGeometry { key = ChangeKey(kind: kind, variant: .none, element: element) }
    add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source)
    slotFlags[Int(slot)].insert(.moved)
  }

  // MARK: Tables

  /// Finds the tables whose columns or rows are others.
  mutating func findReshapedTables() {
    /// Distances are those on one page.
    struct Part: Hashable {
      var table: String
      var old: Int32
      var new: Int32
    }
    var parts: [Part: [(old: LineRecord, new: LineRecord)]] = [:]
    for line in lines.new.indices where lines.newPartner[line] != LineAlignment.none {
      let partner = Int(lines.newPartner[line])
      let (old, new) = (oldLine(partner), newLine(line))
      guard let place = new.table, old.table != nil else { continue }
      parts[Part(table: place, old: lines.old[partner].page, new: lines.new[line].page), default: []].append((old, new))
    }
    reshapedTables = Set(parts.filter { Self.hasOtherPlaces($0.value) }.keys.map(\.table))
  }

  /// The distances of a table's lines from one of them, before it is scaled, are others, as far as rounding tells.
  private static func hasOtherPlaces(_ lines: [(old: LineRecord, new: LineRecord)]) -> Bool {
    guard let first = lines.first else { return false }
    // Columns alone make a table too wide for its page.
    let isFitted = lines.contains { $0.old.scale != $0.new.scale }
    func distances(_ line: LineRecord, from first: LineRecord) -> [(value: Double, rounding: Double)] {
      // Scales are written in thousandths, places in steps of 1/64.
      let scale = max(line.scale ?? 1, 0.001)
      return [line.box.x - first.box.x, isFitted ? 0 : line.baseline - first.baseline].map {
        ($0 / scale, 2.0 / 64 / scale + abs($0) / scale * (line.scale == nil ? 0 : 0.0005 / scale))
      }
    }
    return lines.dropFirst().contains { line in
      zip(distances(line.old, from: first.old), distances(line.new, from: first.new)).contains { old, new in
        abs(old.value - new.value) > old.rounding + new.rounding
      }
    }
  }

  // MARK: Places in the block direction

  mutating func compareFlow() {
    var seen: Set<Double> = [0]
    var current: (old: Int32, new: Int32) = (-1, -1)
    var mayFlow = false
    var last: (old: Int, new: Int, shift: Double, element: ElementKind)? = nil
    /// The event whose block is not left yet.
    var open: (event: Int, block: Int, before: Double)? = nil
    for line in lines.new.indices {
      let partner = Int(lines.newPartner[line])
      let slot = Int(slot(ofNew: line))
      let block = Int(lines.newBlock[line])
      guard partner >= 0 else {
        mayFlow = true
        continue
      }
      let pair = (old: lines.old[partner].page, new: lines.new[line].page)
      if pair != current {
        current = pair
        seen = [0]
        mayFlow = false
        last = nil
        open = nil
      }
      let old = oldLine(partner)
      let new = newLine(line)
      // Generated text may stand anywhere; what it moves shows in the lines of the document.
      if new.source.start == new.source.end, let known = last {
        last = (partner, line, known.shift, known.element)
        continue
      }
      let shift = new.blockPosition - old.blockPosition
      if shift != 0 { slotFlags[slot].insert(.reflow) }
      if let current = open, current.block != block {
        flowEvents[current.event].isAlone = shift == current.before
        open = nil
      }
      let isExplained = !blockFlags[block].isDisjoint(
        with: Flags.deep.union([.lineCount, .lineBreak, .primaryFace]))
      if isExplained { mayFlow = true }
      let element = kinds[block]
      defer {
        seen.insert(shift)
        last = (partner, line, shift, element)
      }
      guard !isExplained, !mayFlow, !seen.contains(shift) else { continue }
      var before: ElementKind?
      var nodeBefore = ""
      var variant = ChangeKey.Variant.top
      var delta = shift
      var isAfterFlow = false
      if let last {
        guard last.old + 1 == partner, last.new + 1 == line else { continue }
        delta = shift - last.shift
        before = last.element
        nodeBefore = newLine(last.new).source.node
        variant = lines.newBlock[last.new] == lines.newBlock[line] ? .lineSpacing : .gap
      } else {
        guard lines.old[partner].line == 0, lines.new[line].line == 0 else { continue }
        isAfterFlow = slot > 0 && !slotFlags[slot - 1].isDisjoint(with: [.reflow, .membership])
      }
      flowEvents.append(
        FlowEvent(
          slot: Int32(slot), delta: delta, element: element, before: before, variant: variant, oldBox: old.box,
          newBox: new.box, source: new.source, nodeBefore: nodeBefore, offset: new.baseline - old.baseline,
          isVertical: new.isVertical, isAfterFlow: isAfterFlow))
      if variant != .lineSpacing { open = (flowEvents.count - 1, block, shift - delta) }
    }
  }

  /// Reading order within a page, where both runs have the same lines on it.

  mutating func compareOrder() {
    var line = 0
    while line < lines.new.count {
      let page = lines.new[line].page
      var sequence: [(old: Int32, new: Int)] = []
      var isSorted = true
      while line < lines.new.count, lines.new[line].page == page {
        let partner = lines.newPartner[line]
        if partner != LineAlignment.none, !lines.newRepeats[line],
          pages.slotOfOld[Int(lines.old[Int(partner)].page)] == pages.slotOfNew[Int(page)]
        {
          if let last = sequence.last, last.old > partner { isSorted = false }
          sequence.append((partner, line))
        }
        line += 1
      }
      if isSorted { continue }
      let inOrder = Self.longestIncreasing(sequence.map(\.old))
      for (index, pair) in sequence.enumerated() where !inOrder[index] {
        let new = newLine(pair.new)
        add(
          ChangeKey(kind: .textOrder, element: kind(ofNew: pair.new)), slot: slot(ofNew: pair.new),
          block: lines.newBlock[pair.new], old: oldLine(Int(pair.old)).box, new: new.box, source: new.source)
      }
    }
  }

  /// True for members that belong to a longest increasing subsequence.
  static func longestIncreasing(_ values: [Int32]) -> [Bool] {
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result = [Bool](repeating: false, count: values.count)
    var index = tails.last ?? -1
    while index >= 0 {
      result[index] = true
      index = before[index]
    }
    return result
  }
}
