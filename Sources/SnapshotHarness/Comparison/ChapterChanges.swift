/// The changes of a chapter at their causes, what follows from them folded under them (4.3).
struct ChapterChanges {
  let chapter: ChapterDiff
  var table: ChangeTable
  private let displacements: Set<Int32>
  private let moves: Set<Int32>
  private let hasOtherGlyphs: Bool
  private let causes: FlowCauses
  /// The keys of changes that another style explains somewhere in the chapter.
  private(set) var styled: Set<Int32> = []
  /// Lines of a table of the chapter moved to the new places of its columns: others break elsewhere in theirs.
  private let hasOtherColumns: Bool
  /// By slot.
  private var entries: [[ChapterDiff.Entry]]

  /// A page at which something changes.
  struct Page {
    var slot: Int
    var entries: [ChapterDiff.Entry]
    var consequences = 0
  }

  /// - Parameters:
  ///   - displacements: Distances, normalised, by which blocks of the unit moved alone.
  ///   - moves: Distances, normalised, by which lines outside of tables moved in their own direction.
  ///   - hasOtherGlyphs: `true` if glyphs or faces of the unit changed.
  ///   - causes: The causes of the other distances that changed in the unit.
  init(
    _ chapter: ChapterDiff, table: ChangeTable, displacements: Set<Int32>, moves: Set<Int32>, causes: FlowCauses,
    hasOtherGlyphs: Bool
  ) {
    self.chapter = chapter
    self.table = table
    self.displacements = displacements
    self.moves = moves
    self.hasOtherGlyphs = hasOtherGlyphs
    hasOtherColumns = chapter.tableFlags.values.contains { $0.contains(.moved) }
    self.causes = causes
    entries = [[ChapterDiff.Entry]](repeating: [], count: chapter.pages.slots.count)
  }

  mutating func add(
    _ key: ChangeKey, slot: Int, old: RecordBox?, new: RecordBox?, source: RecordSource? = nil, nodeBefore: String = "",
    detail: String? = nil
  ) {
    var entry = ChapterDiff.Entry(
      key: table.number(of: key), slot: Int32(slot), block: LineAlignment.none, oldBox: old, newBox: new, source: source
    )
    if let detail { entry.detail = table.string(detail) }
    entries[slot].append(entry)
    noteStyle(of: entry, nodeBefore)
  }

  /// Takes out links that cover another area only because of what moved in it.
  mutating func removeLinkAreas(at box: RecordBox, slot: Int) {
    entries[slot].removeAll { entry in
      let key = table.keys[Int(entry.key)]
      return key.kind == .link && key.variant == .none && entry.newBox?.overlaps(box) == true
    }
  }

  /// Notes where a change is one of style. What belongs to no line is one where any style of the chapter is another.
  private mutating func noteStyle(of entry: ChapterDiff.Entry, _ nodeBefore: String = "") {
    guard !chapter.changedStyles.isEmpty else { return }
    let isStyled =
      entry.source.map { chapter.changedStyles.contains($0.node) || chapter.changedStyles.contains(nodeBefore) } ?? true
    if isStyled { styled.insert(entry.key) }
  }

  /// The chapter has such a change.
  func has(_ key: ChangeKey) -> Bool {
    entries.contains { $0.contains { table.keys[Int($0.key)] == key } }
  }

  /// The records of a page are equal.
  func isQuiet(slot: Int) -> Bool {
    entries[slot].isEmpty && chapter.slotFlags[slot].isDisjoint(with: [.reflow, .membership, .lineBreak])
  }

  /// That the face that gives a line its height is another; nil where it is not.
  func primaryChange(of line: LineRecord) -> ChangeKey? {
    chapter.lines.blocks[line.source.node].flatMap { chapter.primaryChanges[$0] }
  }

  /// Takes over what no deeper change of its block explains, and the first of the distances that changed alike.
  mutating func addCauses() {
    for var entry in chapter.entries where !isExplained(entry) {
      if let cause = primaryChange(of: entry) ?? columnChange(of: entry) {
        entry.key = table.number(of: cause)
        entry.detail = ChapterDiff.Entry.noDetail
      }
      entries[Int(entry.slot)].append(entry)
      noteStyle(of: entry)
    }
    addFlow()
  }

  private func isExplained(_ entry: ChapterDiff.Entry) -> Bool {
    guard entry.block != LineAlignment.none else { return false }
    let flags = chapter.blockFlags[Int(entry.block)]
    let key = table.keys[Int(entry.key)]
    // Text of another size or direction is what such a table has, and no cause of it.
    if key.isOfTableFit { return false }
    let isExplained =
      switch key.kind {
      case .lineBreakChanged, .hyphensChanged, .forbiddenBreak, .hyphenLadder, .overfullLine:
        !flags.isDisjoint(with: ChapterDiff.Flags.deep.union(.moved))
      // Spaces make up for what became wider or narrower, be it a space itself.
      case .spacing:
        hasOtherGlyphs || !flags.isDisjoint(with: ChapterDiff.Flags.deep.union([.moved, .lineBreak]))
          || hasReshapedTable(in: entry)
      case .glyphChanged: !flags.isDisjoint(with: [.text, .font, .size])
      case .moved, .noteMoved, .tableGeometry: !flags.isDisjoint(with: .deep)
      default: false
      }
    if isExplained { return true }
    switch key.kind {
    case .lineBreakChanged, .hyphensChanged, .forbiddenBreak, .hyphenLadder, .overfullLine, .spacing, .moved,
      .tableGeometry:
      // Columns are as wide as the text of another cell wants.
      guard let place = chapter.tables[entry.block] else { return false }
      let ofTable = chapter.tableFlags[place, default: []]
      if hasOtherGlyphs, ofTable.contains(.advance) { return true }
      if ofTable.isDisjoint(with: .deep) {
        return key.kind != .moved && key.kind != .tableGeometry && hasOtherColumns
      }
      return true
    default: return false
    }
  }

  /// Spaces make up for a table that stands in the line and became wider or narrower, too, as the matrix of a formula.
  private func hasReshapedTable(in entry: ChapterDiff.Entry) -> Bool {
    guard let node = entry.source?.node else { return false }
    return chapter.reshapedTables.contains { $0.hasPrefix(node + "/") }
  }

  /// That the face that gives the lines of a block their height is another, where that explains a change.
  private func primaryChange(of entry: ChapterDiff.Entry) -> ChangeKey? {
    let key = table.keys[Int(entry.key)]
    if key.isOfTableFit { return nil }
    return switch key.kind {
    case .lineBreakChanged, .hyphensChanged, .spacing, .moved, .noteMoved, .tableGeometry, .glyphChanged:
      chapter.primaryChanges[entry.block]
    default: nil
    }
  }

  /// That the columns of a table are others, where that explains what moved in it, as what stands outside did not, or that it is scaled
  /// otherwise.
  private func columnChange(of entry: ChapterDiff.Entry) -> ChangeKey? {
    let key = table.keys[Int(entry.key)]
    if key.isOfTableFit, let place = chapter.tables[entry.block], chapter.reshapedTables.contains(place) {
      return ChangeKey(kind: .tableGeometry, element: .table)
    }
    guard key.kind == .moved, key.element == .table, !moves.contains(key.a) else { return nil }
    return ChangeKey(kind: .tableGeometry, element: .table)
  }

  /// Each cause of changed distances is named once, where it first shows.
  private mutating func addFlow() {
    var first: [FlowCauses.Cause: Int32] = [:]
    for event in chapter.flowEvents where !chapter.isOfImage(event) {
      // Lines in the middle of a cell move by half of what its row grew.
      let isOfRow = event.element == .table && causes.cause(of: event) != nil
      if event.isDisplacement(displacements), !isOfRow {
        // A block that was moved without the content that follows it is reported wherever it is.
        add(
          ChangeKey(
            kind: .moved, variant: .paragraph, a: ChangeTable.normalized(event.offset), element: event.element,
            isDown: !event.isVertical), slot: Int(event.slot), old: event.oldBox, new: event.newBox,
          source: event.source,
          nodeBefore: event.nodeBefore)
        continue
      }
      guard let cause = causes.cause(of: event), first[cause, default: event.slot] == event.slot else { continue }
      first[cause] = event.slot
      let kind: ChangeClass = cause.element == .table ? .tableGeometry : cause.element == .note ? .noteMoved : .moved
      let key = ChangeKey(
        kind: kind, variant: kind == .tableGeometry ? .gap : cause.variant,
        a: kind == .tableGeometry ? 0 : cause.delta, element: cause.element)
      add(
        key, slot: Int(event.slot), old: event.oldBox, new: event.newBox, source: event.source,
        nodeBefore: event.nodeBefore)
    }
  }

  /// The pages with changes of their own, and after each how many only follow.
  mutating func folded() -> [Page] {
    var pages: [Page] = []
    /// The page that what only flowed is counted under.
    var cause: Int?
    /// Pages that flowed before any cause: the next page may be it, when it pulls lines over or pushes them back.
    var waiting: [Int] = []
    func takeWaiting(under next: Int?) {
      if let next {
        pages[next].consequences += waiting.count
      } else if let first = waiting.first {
        pages.append(Page(slot: first, entries: [breakEntry(first)], consequences: waiting.count - 1))
        cause = pages.count - 1
      }
      waiting.removeAll()
    }
    for slot in entries.indices {
      let own = entries[slot]
      let flags = chapter.slotFlags[slot]
      if own.isEmpty {
        guard !flags.isDisjoint(with: [.reflow, .membership, .lineBreak]) else { continue }
        if let cause {
          pages[cause].consequences += 1
        } else {
          waiting.append(slot)
          if waiting.count > 1 { takeWaiting(under: nil) }
        }
        continue
      }
      let moves = own.contains { table.keys[Int($0.key)].movesWhatFollows }
      if !moves, cause == nil { takeWaiting(under: nil) }
      pages.append(Page(slot: slot, entries: own))
      if moves {
        if cause == nil { takeWaiting(under: pages.count - 1) }
        cause = pages.count - 1
      }
    }
    takeWaiting(under: nil)
    return pages.sorted { $0.slot < $1.slot }
  }

  /// The entry that names a page that only flowed, when nothing before it explains it.
  private mutating func breakEntry(_ slot: Int) -> ChapterDiff.Entry {
    let lines = chapter.lines
    var key = ChangeKey(kind: .pageBreakMoved, variant: .later)
    var old: LineRecord?
    var new: LineRecord?
    if let page = chapter.pages.slots[slot].new,
      let last = lines.new.lastIndex(where: { Int($0.page) == page })
    {
      let next = last + 1 < lines.new.count ? last + 1 : last
      new = chapter.newLine(next)
      // A line that stood on this page now begins the next one.
      let partner = lines.newPartner[next]
      if next > last, partner != LineAlignment.none,
        chapter.pages.slotOfOld[Int(lines.old[Int(partner)].page)] == slot
      {
        key.variant = .earlier
        old = chapter.oldLine(Int(partner))
      }
    }
    if !chapter.slotFlags[slot].contains(.membership),
      let moved = lines.new.indices.first(where: { line in
        chapter.pages.slotOfNew[Int(lines.new[line].page)] == slot && lines.newPartner[line] != LineAlignment.none
          && chapter.newLine(line).blockPosition != chapter.oldLine(Int(lines.newPartner[line])).blockPosition
      })
    {
      let (a, b) = (chapter.oldLine(Int(lines.newPartner[moved])), chapter.newLine(moved))
      key = ChangeKey(kind: .moved, variant: .top, a: ChangeTable.normalized(b.blockPosition - a.blockPosition))
      (old, new) = (a, b)
    }
    if let new { key.element = ElementKind(new) }
    return ChapterDiff.Entry(
      key: table.number(of: key), slot: Int32(slot), block: LineAlignment.none, oldBox: old?.box, newBox: new?.box,
      source: new?.source)
  }
}
