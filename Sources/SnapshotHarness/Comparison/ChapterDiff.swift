/// Level C for one chapter: which lines differ and how, which of it is cause and which consequence (4.2, 4.3).
///
/// Every changed line gives entries: a `ChangeKey` at a place. Within a block the deepest class explains the others (a
/// paragraph in another font breaks its lines elsewhere), and what only follows from blocks before it, the place on the page
/// and the page itself, is no change of its own.
struct ChapterDiff {
  /// A change at a line or an object.
  struct Entry {
    var key: Int32
    /// The slot of the page pair.
    var slot: Int32
    /// The block, or none for what belongs to no block's lines.
    var block: Int32
    var oldBox: RecordBox?
    var newBox: RecordBox?
    var source: RecordSource?
  }

  /// What is known of the lines of a block or of a pair of pages.
  struct Flags: OptionSet {
    var rawValue: UInt16
    static let text = Flags(rawValue: 1)
    static let font = Flags(rawValue: 2)
    static let size = Flags(rawValue: 4)
    static let advance = Flags(rawValue: 8)
    static let lineBreak = Flags(rawValue: 16)
    static let moved = Flags(rawValue: 32)
    static let glyph = Flags(rawValue: 64)
    static let spacing = Flags(rawValue: 128)
    /// The block has more or fewer lines.
    static let lineCount = Flags(rawValue: 256)
    static let image = Flags(rawValue: 512)
    static let reflow = Flags(rawValue: 1024)
    static let membership = Flags(rawValue: 2048)
  }

  let oldPages: [PageRecord]
  let newPages: [PageRecord]
  let lines: LineAlignment
  let pages: PageAlignment
  /// The table of the unit.
  var table: ChangeTable
  /// By `RunRecord.font`: the number of the face's name in the table.
  let oldFaces: [Int: Int32]
  let newFaces: [Int: Int32]
  /// What the display lists tell of a pair of pages: the faces (names in the table) whose glyphs or distances differ.
  let glyphChanges: (_ old: PageRecord, _ new: PageRecord) -> GlyphChanges?

  /// By block: its kind, that of the heading, table or note it stands in where it has none of its own.
  private var kinds: [ElementKind]

  private(set) var entries: [Entry] = []
  private(set) var blockFlags: [Flags]
  private(set) var slotFlags: [Flags]
  /// Lines with equal text and place in the line direction, and those that moved in it.
  private(set) var unmovedLines = 0
  private(set) var flowEvents: [FlowEvent] = []

  /// A distance between two lines of one page, or from the top of the page, that changed.
  struct FlowEvent {
    var slot: Int32
    var delta: Double
    var element: ElementKind
    var before: ElementKind?
    var variant: ChangeKey.Variant
    var oldBox: RecordBox
    var newBox: RecordBox
    var source: RecordSource
    /// How far the line moved on the page, to the right in vertical lines, else down.
    var offset: Double
    var isVertical: Bool
    /// Whether what comes after the block stands where it stood before: the block alone was moved. Nil where nothing comes
    /// after it on the page.
    var isAlone: Bool?
  }

  init(
    old: [PageRecord], new: [PageRecord], table: ChangeTable, oldFaces: [Int: Int32], newFaces: [Int: Int32],
    glyphChanges: @escaping (_ old: PageRecord, _ new: PageRecord) -> GlyphChanges? = { _, _ in nil }
  ) {
    oldPages = old
    newPages = new
    lines = LineAlignment(old: old, new: new)
    pages = PageAlignment(lines, oldCount: old.count, newCount: new.count)
    self.table = table
    self.oldFaces = oldFaces
    self.newFaces = newFaces
    self.glyphChanges = glyphChanges
    blockFlags = [Flags](repeating: [], count: lines.blockCount)
    kinds = Self.kinds(lines, old, new)
    slotFlags = [Flags](repeating: [], count: pages.slots.count)
  }

  private static func kinds(_ lines: LineAlignment, _ old: [PageRecord], _ new: [PageRecord]) -> [ElementKind] {
    var kinds = [ElementKind](repeating: .text, count: lines.blockCount)
    var nodes = [String](repeating: "", count: lines.blockCount)
    var special: [String: ElementKind] = [:]
    func take(_ places: [LinePlace], _ blocks: [Int32], _ pages: [PageRecord]) {
      for (line, place) in places.enumerated() {
        let block = Int(blocks[line])
        guard nodes[block].isEmpty else { continue }
        let record = pages[Int(place.page)].lines[Int(place.line)]
        nodes[block] = record.source.node
        kinds[block] = ElementKind(record)
        if kinds[block] != .text { special[record.source.node] = kinds[block] }
      }
    }
    take(lines.old, lines.oldBlock, old)
    take(lines.new, lines.newBlock, new)
    if special.isEmpty { return kinds }
    for block in kinds.indices where kinds[block] == .text {
      var path = nodes[block][...]
      while let slash = path.lastIndex(of: "/") {
        path = path[..<slash]
        if let kind = special[String(path)] {
          kinds[block] = kind
          break
        }
      }
    }
    return kinds
  }

  /// The kind of the block that a line belongs to.
  func kind(ofNew line: Int) -> ElementKind { kinds[Int(lines.newBlock[line])] }

  func oldLine(_ index: Int) -> LineRecord { oldPages[Int(lines.old[index].page)].lines[Int(lines.old[index].line)] }
  func newLine(_ index: Int) -> LineRecord { newPages[Int(lines.new[index].page)].lines[Int(lines.new[index].line)] }
  private func slot(ofOld line: Int) -> Int32 { Int32(pages.slotOfOld[Int(lines.old[line].page)]) }
  private func slot(ofNew line: Int) -> Int32 { Int32(pages.slotOfNew[Int(lines.new[line].page)]) }

  /// All changes of the chapter's pages, in order, with their consequences counted.
  mutating func run() {
    compareLines()
    compareRegions()
    resolveAdvances()
    compareFlow()
    compareOrder()
    compareObjects()
    findOverflows()
    findEmptyPages()
  }

  private mutating func add(
    _ key: ChangeKey, slot: Int32, block: Int32 = LineAlignment.none, old: RecordBox? = nil, new: RecordBox? = nil,
    source: RecordSource? = nil
  ) {
    entries.append(
      Entry(key: table.number(of: key), slot: slot, block: block, oldBox: old, newBox: new, source: source))
  }

  // MARK: Lines

  private mutating func compareLines() {
    for line in lines.new.indices {
      let block = lines.newBlock[line]
      let slot = slot(ofNew: line)
      let partner = lines.newPartner[line]
      if partner == LineAlignment.none {
        if lines.newRegion[line] == LineAlignment.none {
          slotFlags[Int(slot)].insert(.membership)
          if !lines.newRepeats[line] { addWhole(newLine(line), isLost: false, slot: slot, block: block) }
        }
        continue
      }
      let oldSlot = self.slot(ofOld: Int(partner))
      if oldSlot != slot {
        slotFlags[Int(slot)].insert(.membership)
        slotFlags[Int(oldSlot)].insert(.membership)
      }
      compare(oldLine(Int(partner)), newLine(line), slot: slot, block: block)
    }
    for line in lines.old.indices where lines.oldPartner[line] == LineAlignment.none {
      let slot = slot(ofOld: line)
      guard lines.oldRegion[line] == LineAlignment.none else { continue }
      slotFlags[Int(slot)].insert(.membership)
      if !lines.oldRepeats[line] { addWhole(oldLine(line), isLost: true, slot: slot, block: lines.oldBlock[line]) }
    }
    for line in lines.relocated {
      let record = newLine(Int(line))
      add(
        ChangeKey(kind: .link, variant: .source, a: table.string(""), b: table.string("")),
        slot: slot(ofNew: Int(line)),
        block: lines.newBlock[Int(line)], new: record.box, source: record.source)
    }
  }

  /// A line that only one run has.
  private mutating func addWhole(_ record: LineRecord, isLost: Bool, slot: Int32, block: Int32) {
    guard Self.essence(record.text).isEmpty == false else {
      slotFlags[Int(slot)].insert(.reflow)
      return
    }
    addText(
      lost: isLost ? record.text : "", added: isLost ? "" : record.text,
      variant: record.source.start == record.source.end ? .generated : .none, like: record, slot: slot, block: block,
      old: isLost ? [record.box] : [], new: isLost ? [] : [record.box])
    blockFlags[Int(block)].insert(.lineCount)
  }

  private mutating func addText(
    lost: String, added: String, variant: ChangeKey.Variant, like record: LineRecord, slot: Int32, block: Int32,
    old: [RecordBox], new: [RecordBox]
  ) {
    var key = ChangeKey(kind: lost.isEmpty ? .textAdded : .textLost, variant: variant, element: kinds[Int(block)])
    if lost.unicodeScalars.count > 12 || added.unicodeScalars.count > 12 {
      // Long texts are all different: they cluster by their element.
      key.variant = .whole
      key.a = table.string("")
      key.b = key.a
    } else {
      if !lost.isEmpty, !added.isEmpty { key.variant = .became }
      key.a = table.string(lost)
      key.b = table.string(added)
    }
    for index in 0..<max(old.count, new.count) {
      add(
        key, slot: slot, block: block, old: index < old.count ? old[index] : nil,
        new: index < new.count ? new[index] : nil, source: record.source)
    }
    blockFlags[Int(block)].insert(.text)
    slotFlags[Int(slot)].insert(.text)
  }

  /// The text without what depends on where lines break.
  static func essence(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { !$0.properties.isWhitespace && $0.value != 0xAD && $0.value != 0x200B }
  }

  /// What is in the one text and not in the other, between what they begin and end with alike.
  private static func difference(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) -> (lost: String, added: String) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var end = 0
    while end < old.count - start, end < new.count - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
      end += 1
    }
    func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    return (text(old[start..<old.count - end]), text(new[start..<new.count - end]))
  }

  private mutating func compare(_ old: LineRecord, _ new: LineRecord, slot: Int32, block: Int32) {
    var found = Flags()
    let element = kinds[Int(block)]
    if old.text != new.text {
      var (lost, added) = Self.difference(Self.essence(old.text), Self.essence(new.text))
      if lost.isEmpty, added.isEmpty {
        (lost, added) = Self.difference(Array(old.text.unicodeScalars), Array(new.text.unicodeScalars))
      }
      if !lost.isEmpty || !added.isEmpty {
        addText(
          lost: lost, added: added, variant: .none, like: new, slot: slot, block: block, old: [old.box], new: [new.box])
      }
      found.insert(.text)
    }
    if old.marker != new.marker {
      addText(
        lost: old.marker ?? "", added: new.marker ?? "", variant: .marker, like: new, slot: slot, block: block,
        old: [old.box], new: [new.box])
    }
    func change(_ key: ChangeKey) {
      add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source)
    }
    if old.dir != new.dir || old.writing != new.writing {
      change(ChangeKey(kind: .textOrder, variant: .direction, element: element))
      found.insert(.text)
    }
    if old.role != new.role || old.level != new.level {
      let name = { (line: LineRecord) in line.role + (line.level.map { " \($0)" } ?? "") }
      change(ChangeKey(kind: .metadata, variant: .role, a: table.string(name(old)), b: table.string(name(new))))
    }
    if old.lang != new.lang {
      change(ChangeKey(kind: .metadata, variant: .language, a: table.string(old.lang), b: table.string(new.lang)))
    }
    if old.hyphenated != new.hyphenated, !found.contains(.text) {
      change(
        ChangeKey(
          kind: .lineBreakChanged, a: table.string(breakClass(old, next: nil)),
          b: table.string(breakClass(new, next: nil)),
          element: element))
      found.insert(.lineBreak)
    }
    compareRuns(old, new, slot: slot, block: block, &found)
    let inline = new.isVertical ? new.box.y - old.box.y : new.box.x - old.box.x
    if inline != 0 {
      found.insert(.moved)
    } else {
      unmovedLines += 1
    }
    blockFlags[Int(block)].formUnion(found)
    slotFlags[Int(slot)].formUnion(found.subtracting(.moved))
  }

  private mutating func compareRuns(
    _ old: LineRecord, _ new: LineRecord, slot: Int32, block: Int32, _ found: inout Flags
  ) {
    let hasOneRun = old.runs.count == 1 && new.runs.count == 1
    var i = 0
    var j = 0
    var oldLeft = old.runs.first?.text.utf8.count ?? 0
    var newLeft = new.runs.first?.text.utf8.count ?? 0
    var reported: Set<Int32> = []
    while i < old.runs.count, j < new.runs.count {
      let a = old.runs[i]
      let b = new.runs[j]
      if a.size != b.size || a.color != b.color || oldFaces[a.font] != newFaces[b.font] {
        // The piece of text that both runs share.
        var script = Script(newLeft <= oldLeft ? b.text : a.text)
        // Marks and digits go with the text around them.
        if script == .other { script = Script(new.text) }
        func report(_ key: ChangeKey) {
          let number = table.number(of: key)
          if reported.insert(number).inserted {
            add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source)
          }
        }
        if let from = oldFaces[a.font], let to = newFaces[b.font], from != to {
          report(ChangeKey(kind: .fontChanged, a: from, b: to, script: script))
          found.insert(.font)
        }
        // Another face may need other sizes, as small capitals that it does not have.
        if a.size != b.size, !found.contains(.font) {
          report(
            ChangeKey(
              kind: .sizeChanged, a: ChangeTable.normalized(a.size), b: ChangeTable.normalized(b.size),
              element: kinds[Int(block)]))
          found.insert(.size)
        }
        if a.color != b.color {
          report(ChangeKey(kind: .colour, a: table.string(a.color), b: table.string(b.color)))
        }
      } else if !hasOneRun, oldLeft == newLeft,
        a.width != b.width || a.x - old.box.x != b.x - new.box.x && !new.isVertical
      {
        found.insert(.advance)
      }
      let step = min(oldLeft, newLeft)
      oldLeft -= step
      newLeft -= step
      if oldLeft == 0 {
        i += 1
        if i < old.runs.count { oldLeft = old.runs[i].text.utf8.count }
      }
      if newLeft == 0 {
        j += 1
        if j < new.runs.count { newLeft = new.runs[j].text.utf8.count }
      }
    }
    let length = new.isVertical ? new.box.height - old.box.height : new.box.width - old.box.width
    if length != 0 { found.insert(.advance) }
  }

  // MARK: Regions

  private mutating func compareRegions() {
    for region in lines.regions {
      guard let first = region.new.first, let oldFirst = region.old.first else { continue }
      let olds = region.old.map { oldLine(Int($0)) }
      let news = region.new.map { newLine(Int($0)) }
      let block = lines.newBlock[Int(first)]
      let slot = slot(ofNew: Int(first))
      for line in region.new { slotFlags[pages.slotOfNew[Int(lines.new[Int(line)].page)]].insert(.lineBreak) }
      for line in region.old { slotFlags[pages.slotOfOld[Int(lines.old[Int(line)].page)]].insert(.lineBreak) }
      if olds.count != news.count { blockFlags[Int(block)].insert(.lineCount) }

      let (lost, added) = Self.difference(
        olds.flatMap { Self.essence($0.text) }, news.flatMap { Self.essence($0.text) })
      if !lost.isEmpty || !added.isEmpty {
        addText(
          lost: lost, added: added, variant: .none, like: news[0], slot: slot, block: block, old: olds.map(\.box),
          new: news.map(\.box))
        continue
      }
      // Faces and sizes that only one of the runs uses explain the breaks.
      if compareStyles(olds, news, region, block: block) { continue }
      blockFlags[Int(block)].insert(.lineBreak)
      let oldBreak = breakClass(olds[0], next: olds.count > 1 ? olds[1] : following(old: Int(region.old[0])))
      let newBreak = breakClass(news[0], next: news.count > 1 ? news[1] : following(new: Int(region.new[0])))
      let key = ChangeKey(
        kind: .lineBreakChanged, a: table.string(oldBreak), b: table.string(newBreak), element: kinds[Int(block)])
      // Each page that has a part of it shows that part; the change stands on the first of both.
      let oldSlot = self.slot(ofOld: Int(oldFirst))
      for index in 0..<max(olds.count, news.count) {
        let oldBox = index < olds.count && self.slot(ofOld: Int(region.old[index])) == oldSlot ? olds[index].box : nil
        let newBox = index < news.count && self.slot(ofNew: Int(region.new[index])) == slot ? news[index].box : nil
        if oldBox != nil || newBox != nil {
          add(key, slot: slot, block: block, old: oldBox, new: newBox, source: news[0].source)
        }
      }
    }
  }

  private func following(old line: Int) -> LineRecord? {
    line + 1 < lines.old.count && lines.oldBlock[line + 1] == lines.oldBlock[line] ? oldLine(line + 1) : nil
  }
  private func following(new line: Int) -> LineRecord? {
    line + 1 < lines.new.count && lines.newBlock[line + 1] == lines.newBlock[line] ? newLine(line + 1) : nil
  }

  /// The runs of a region by their text, since its lines have no partners.
  private mutating func compareStyles(
    _ olds: [LineRecord], _ news: [LineRecord], _ region: LineAlignment.Region, block: Int32
  ) -> Bool {
    var found = Flags()
    func joined(_ lines: [LineRecord]) -> LineRecord {
      var line = lines[0]
      line.runs = lines.flatMap(\.runs)
      for index in line.runs.indices {
        line.runs[index].text = String(String.UnicodeScalarView(Self.essence(line.runs[index].text)))
        line.runs[index].x = 0
        line.runs[index].width = 0
      }
      line.runs.removeAll { $0.text.isEmpty }
      return line
    }
    let count = entries.count
    compareRuns(joined(olds), joined(news), slot: slot(ofNew: Int(region.new[0])), block: block, &found)
    if entries.count > count {
      for index in count..<entries.count {
        entries[index].oldBox = olds[0].box
        entries[index].newBox = news[0].box
      }
    }
    found.remove(.advance)
    blockFlags[Int(block)].formUnion(found)
    return found.contains(.font) || found.contains(.size)
  }

  /// Where a line ends (UAX #14 in rough classes).
  private func breakClass(_ line: LineRecord, next: LineRecord?) -> String {
    if line.hyphenated { return "at a hyphenation" }
    guard let last = line.text.unicodeScalars.last else { return "at its end" }
    switch last.value {
    case 0x2D, 0x2010, 0x2012...0x2015, 0x58A: return "after a hyphen"
    case 0x2E80...0x303F: return "between ideographs"
    default: break
    }
    switch Script(String(last)) {
    case .han, .kana, .hangul: return "between ideographs"
    default: break
    }
    guard let next else { return "at the paragraph's end" }
    if next.source.start < line.source.end || line.source.end - line.source.start > line.text.utf16.count {
      return "at a space"
    }
    if let first = next.text.unicodeScalars.first {
      switch Script(String(first)) {
      case .han, .kana, .hangul: return "between ideographs"
      default: break
      }
    }
    return "at a space"
  }

  // MARK: Widths and places in the line direction

  /// Whether lines that became wider or narrower have other glyphs or only other spaces, and what moved within its line.
  private mutating func resolveAdvances() {
    // Display lists are asked only where records leave the cause open.
    var asked: [Int32: GlyphChanges] = [:]
    for line in lines.new.indices {
      let block = Int(lines.newBlock[line])
      let flags = blockFlags[block]
      guard !flags.isDisjoint(with: [.advance, .lineBreak]),
        flags.isDisjoint(with: [.text, .font, .size]),
        lines.newPartner[line] != LineAlignment.none || lines.newRegion[line] != LineAlignment.none
      else { continue }
      let slot = slot(ofNew: line)
      guard let old = pages.slots[Int(slot)].old, let new = pages.slots[Int(slot)].new else { continue }
      let record = newLine(line)
      if asked[slot] == nil { asked[slot] = glyphChanges(oldPages[old], newPages[new]) ?? GlyphChanges() }
      guard let changes = asked[slot] else { continue }
      var isGlyph = false
      var face: Int32 = 0
      if changes.isKnown {
        if let changed = record.runs.first(where: {
          changes.baselines.contains(GlyphChanges.baseline(record)) && newFaces[$0.font] != nil
        }) {
          isGlyph = true
          face = newFaces[changed.font] ?? 0
        }
      } else if lines.newPartner[line] != LineAlignment.none, let run = record.runs.first {
        let partner = oldLine(Int(lines.newPartner[line]))
        isGlyph = isRagged(partner, record, line: line)
        face = newFaces[run.font] ?? 0
      }
      if isGlyph {
        blockFlags[block].insert(.glyph)
        let oldBox = lines.newPartner[line] == LineAlignment.none ? nil : oldLine(Int(lines.newPartner[line])).box
        add(
          ChangeKey(kind: .glyphChanged, a: face, script: Script(record.text)), slot: slot, block: Int32(block),
          old: oldBox, new: record.box, source: record.source)
      }
    }
    for line in lines.new.indices where lines.newPartner[line] != LineAlignment.none {
      let block = Int(lines.newBlock[line])
      let flags = blockFlags[block]
      guard !flags.isDisjoint(with: [.advance, .moved]), flags.isDisjoint(with: [.text, .font, .size, .glyph]) else {
        continue
      }
      let old = oldLine(Int(lines.newPartner[line]))
      let new = newLine(line)
      let inline = new.isVertical ? new.box.y - old.box.y : new.box.x - old.box.x
      let slot = slot(ofNew: line)
      if inline != 0 {
        addMove(inline, old, new, line: line, slot: slot)
      } else if flags.contains(.advance), flags.isDisjoint(with: [.moved, .lineBreak]), Self.differs(old, new) {
        add(
          ChangeKey(kind: .spacing, element: kinds[block]), slot: slot, block: Int32(block), old: old.box,
          new: new.box, source: new.source)
        blockFlags[block].insert(.spacing)
      }
    }
  }

  private static func differs(_ old: LineRecord, _ new: LineRecord) -> Bool {
    old.box.width != new.box.width || old.box.height != new.box.height
      || !zip(old.runs, new.runs).allSatisfy { $0.x == $1.x && $0.width == $1.width }
  }

  /// Whether a line whose length changed is not a justified one: without glyphs at hand, a line is taken for justified when
  /// the line before or after it in the block is as long, in both runs.
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
    let shift = new.isVertical ? new.box.y - old.box.y : new.box.x - old.box.x
    return shift == 0 || abs(length(new) - length(old) + shift * 2) < 0.05
  }

  private mutating func addMove(_ delta: Double, _ old: LineRecord, _ new: LineRecord, line: Int, slot: Int32) {
    let element = kind(ofNew: line)
    let along = new.isVertical ? new.blockPosition - old.blockPosition : new.baseline - old.baseline
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
      let (a, b) = (oldLine(Int(lines.newPartner[other])), newLine(other))
      return b.isVertical ? b.box.y - a.box.y : b.box.x - a.box.x
    }
    if let next = shift(line + 1), next != delta {
      variant = new.source.start == 0 ? .firstLine : .line
    } else if let before = shift(line - 1), before != delta {
      variant = .line
    }
    let kind: ChangeClass = element == .table ? .tableGeometry : element == .note ? .noteMoved : .moved
    var key = ChangeKey(kind: kind, variant: variant, a: ChangeTable.normalized(delta), element: element)
    if kind == .tableGeometry { key = ChangeKey(kind: kind, variant: .none, element: element) }
    add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source)
    slotFlags[Int(slot)].insert(.moved)
  }

  // MARK: Places in the block direction

  private mutating func compareFlow() {
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
      let shift = new.blockPosition - old.blockPosition
      if shift != 0 { slotFlags[slot].insert(.reflow) }
      if let current = open, current.block != block {
        flowEvents[current.event].isAlone = shift == current.before
        open = nil
      }
      let isExplained = !blockFlags[block].isDisjoint(with: [.text, .font, .size, .glyph, .lineCount, .lineBreak])
      if isExplained { mayFlow = true }
      let element = kinds[block]
      defer {
        seen.insert(shift)
        last = (partner, line, shift, element)
      }
      guard !isExplained, !mayFlow, !seen.contains(shift) else { continue }
      var before: ElementKind?
      var variant = ChangeKey.Variant.top
      var delta = shift
      if let last {
        guard last.old + 1 == partner, last.new + 1 == line else { continue }
        delta = shift - last.shift
        before = last.element
        variant = lines.newBlock[last.new] == lines.newBlock[line] ? .lineSpacing : .gap
      } else {
        guard lines.old[partner].line == 0, lines.new[line].line == 0 else { continue }
      }
      flowEvents.append(
        FlowEvent(
          slot: Int32(slot), delta: delta, element: element, before: before, variant: variant, oldBox: old.box,
          newBox: new.box, source: new.source, offset: new.baseline - old.baseline, isVertical: new.isVertical))
      if variant != .lineSpacing { open = (flowEvents.count - 1, block, shift - delta) }
    }
  }

  /// Reading order within a page, where both runs have the same lines on it.
  private mutating func compareOrder() {
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

  /// Which members belong to a longest increasing subsequence.
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

  // MARK: Images and links

  private mutating func compareObjects() {
    let lineEntries = Dictionary(grouping: entries.indices, by: { entries[$0].slot })
    struct Placed {
      var slot: Int32
      var record: PlacedRecord
    }
    func gather(_ records: [PageRecord], _ slots: [Int], _ list: (PageRecord) -> [PlacedRecord]) -> [Placed] {
      records.enumerated().flatMap { page, record in
        list(record).map { Placed(slot: Int32(slots[page]), record: $0) }
      }
    }
    let oldImages = gather(oldPages, pages.slotOfOld, \.images)
    let newImages = gather(newPages, pages.slotOfNew, \.images)
    var waiting: [String: [Placed]] = [:]
    for image in oldImages.reversed() { waiting[image.record.href, default: []].append(image) }
    for image in newImages {
      guard let old = waiting[image.record.href]?.popLast() else {
        addImage(.added, slot: image.slot, new: image.record)
        continue
      }
      let (a, b) = (old.record, image.record)
      if old.slot != image.slot { slotFlags[Int(image.slot)].insert(.membership) }
      if a.missing != b.missing {
        addImage(b.missing == true ? .missing : .found, slot: image.slot, old: a, new: b)
      } else if a.box.width != b.box.width || a.box.height != b.box.height {
        addImage(.scaled, slot: image.slot, old: a, new: b)
      } else if a.alt != b.alt {
        addImage(.alternative, slot: image.slot, old: a, new: b)
      } else {
        if a.box.y != b.box.y { slotFlags[Int(image.slot)].insert(.reflow) }
        let delta = b.box.x - a.box.x
        if delta != 0, !isExplained(delta, a.box, b.box, lineEntries[image.slot] ?? []) {
          addImage(.displaced, slot: image.slot, old: a, new: b, delta: delta)
        }
      }
    }
    for image in oldImages {
      // What is left in the waiting list was lost; it is named once for each.
      guard waiting[image.record.href]?.popLast() != nil else { continue }
      addImage(.lost, slot: image.slot, old: image.record)
    }

    var oldLinks: [String: Placed] = [:]
    for link in gather(oldPages, pages.slotOfOld, \.links) where oldLinks[link.record.href] == nil {
      oldLinks[link.record.href] = link
    }
    var newLinks: Set<String> = []
    for link in gather(newPages, pages.slotOfNew, \.links) where newLinks.insert(link.record.href).inserted {
      if oldLinks[link.record.href] == nil {
        add(
          ChangeKey(kind: .link, variant: .added, a: table.string(""), b: table.string(link.record.href)),
          slot: link.slot, new: link.record.box)
      }
    }
    for link in oldLinks.values.filter({ !newLinks.contains($0.record.href) })
      .sorted(by: { ($0.slot, $0.record.href) < ($1.slot, $1.record.href) })
    {
      add(
        ChangeKey(kind: .link, variant: .lost, a: table.string(link.record.href), b: table.string("")),
        slot: link.slot, old: link.record.box)
    }
    compareLinkAreas()
  }

  private mutating func addImage(
    _ variant: ChangeKey.Variant, slot: Int32, old: PlacedRecord? = nil, new: PlacedRecord? = nil, delta: Double = 0
  ) {
    add(
      ChangeKey(kind: .image, variant: variant, a: ChangeTable.normalized(delta), element: .figure), slot: slot,
      old: old?.box, new: new?.box)
    if variant != .displaced, variant != .alternative {
      slotFlags[Int(slot)].insert(.image)
    }
  }

  /// Whether lines at the height of an object moved as it did, or changed otherwise.
  private func isExplained(_ delta: Double, _ old: RecordBox, _ new: RecordBox, _ candidates: [Int]) -> Bool {
    candidates.contains { index in
      let entry = entries[index]
      func overlaps(_ a: RecordBox?, _ b: RecordBox) -> Bool {
        guard let a else { return false }
        return a.y < b.y + b.height && b.y < a.y + a.height
      }
      if overlaps(entry.oldBox, old) || overlaps(entry.newBox, new) { return true }
      if table.keys[Int(entry.key)].kind == .moved, let a = entry.oldBox, let b = entry.newBox {
        return b.x - a.x == delta
      }
      return false
    }
  }

  /// On pages whose lines are the same in the same places, links cover the same places.
  private mutating func compareLinkAreas() {
    let changed = Set(entries.map(\.slot))
    for (index, slot) in pages.slots.enumerated() {
      guard let old = slot.old, let new = slot.new, slotFlags[index].isEmpty, !changed.contains(Int32(index)) else {
        continue
      }
      let (a, b) = (oldPages[old].links, newPages[new].links)
      guard a != b, a.count == b.count else { continue }
      for (left, right) in zip(a, b) where left != right && left.href == right.href {
        let empty = table.string("")
        add(ChangeKey(kind: .link, a: empty, b: empty), slot: Int32(index), old: left.box, new: right.box)
      }
    }
  }

  // MARK: Faults of a page

  private static func sticksOut(_ box: RecordBox, _ page: PageRecord) -> Bool {
    guard page.size.count == 2 else { return false }
    return box.x < -0.5 || box.y < -0.5 || box.x + box.width > page.size[0] + 0.5
      || box.y + box.height > page.size[1] + 0.5
  }

  private mutating func findOverflows() {
    for line in lines.new.indices {
      let record = newLine(line)
      guard Self.sticksOut(record.box, newPages[Int(lines.new[line].page)]) else { continue }
      var others: [Int32] = []
      if lines.newPartner[line] != LineAlignment.none { others = [lines.newPartner[line]] }
      if lines.newRegion[line] != LineAlignment.none { others = lines.regions[Int(lines.newRegion[line])].old }
      if others.contains(where: { Self.sticksOut(oldLine(Int($0)).box, oldPages[Int(lines.old[Int($0)].page)]) }) {
        continue
      }
      add(
        ChangeKey(kind: .overflowNew, element: kind(ofNew: line)), slot: slot(ofNew: line), new: record.box,
        source: record.source)
    }
    for (page, record) in newPages.enumerated() {
      let slot = pages.slots[pages.slotOfNew[page]]
      for image in record.images where Self.sticksOut(image.box, record) {
        if let old = slot.old,
          oldPages[old].images.contains(where: { $0.href == image.href && Self.sticksOut($0.box, oldPages[old]) })
        {
          continue
        }
        add(ChangeKey(kind: .overflowNew, element: .figure), slot: Int32(pages.slotOfNew[page]), new: image.box)
      }
    }
  }

  private mutating func findEmptyPages() {
    func isEmpty(_ page: PageRecord) -> Bool { page.lines.isEmpty && page.images.isEmpty }
    var spare = oldPages.count(where: isEmpty)
    for (page, record) in newPages.enumerated() where isEmpty(record) {
      if spare > 0 {
        spare -= 1
      } else {
        add(ChangeKey(kind: .emptyPage), slot: Int32(pages.slotOfNew[page]))
      }
    }
  }
}

extension LineRecord {
  var isVertical: Bool { !writing.hasPrefix("horizontal") }

  /// The place of the baseline in the direction in which lines follow each other.
  var blockPosition: Double {
    writing.hasSuffix("-rl") && isVertical ? -baseline : baseline
  }
}
