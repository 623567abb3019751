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
    /// The detail of the change here, where its key tells only its kind: the number of a text of the table, or `noDetail`.
    var detail = noDetail

    static let noDetail: Int32 = -1
  }

  /// The findings on the lines of a block or of a pair of pages.
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
    /// The lines get their least height, and lengths such as `ex`, from another face.
    static let primaryFace = Flags(rawValue: 4096)

    /// The findings that make text of another length or height of itself.
    static let deep: Flags = [.text, .font, .size, .glyph]
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
  /// The findings of the display lists on a page of the new run; nil where there are none.
  let glyphChanges: (_ new: PageRecord) -> LineGlyphs?

  /// Lines with glyphs at other distances.
  struct LineGlyphs {
    /// By baseline in 1/64 px: the name of the face, in the table, and what its glyphs have in common.
    var faces: [Int32: (name: Int32, letters: GlyphPairs.Letters)]
  }

  /// Glyphs changed in lines that break where they did.
  var hasGlyphChange = false
  /// By block: its kind, that of the heading, table or note it stands in where it has none of its own.
  var kinds: [ElementKind]

  /// The beginnings and ends of lines of the old run; nil until a line breaks elsewhere.
  var lineEnds: LineEnds?

  /// By block; nil until a text is another.
  var smallTexts: (old: [SmallText], new: [SmallText])?

  var entries: [Entry] = []
  var blockFlags: [Flags]
  /// By block: that its least height comes from another face.
  var primaryChanges: [Int32: ChangeKey] = [:]
  /// By CFI steps of a table: what is known of all lines in it. Columns are as wide as any cell makes them.
  var tableFlags: [String: Flags] = [:]
  /// By block: the table it stands in.
  var tables: [Int32: String] = [:]
  /// The tables whose cells stand elsewhere among themselves, before the table is scaled.
  var reshapedTables: Set<String> = []
  var slotFlags: [Flags]
  /// Lines with equal text and place in the line direction, and those that moved in it.
  var unmovedLines = 0
  var flowEvents: [FlowEvent] = []
  /// The nodes of blocks whose style is another, and whether the styles are known.
  var changedStyles: Set<String> = []
  var knowsStyles = false

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
    /// The node of the line before it.
    var nodeBefore: String
    /// Distance by which the line moved on the page, to the right in vertical lines, else down.
    var offset: Double
    var isVertical: Bool
    /// The distance is that from the top of a page behind one whose lines changed: content that stood between it and the page
    /// before, be it empty, may have come over with them.
    var isAfterFlow = false
    /// The content after the block stands where it stood before: the block alone was moved. Nil where nothing comes after it on
    /// the page.
    var isAlone: Bool?

    /// The block was moved alone, by one of the distances that blocks of the unit were moved by.
    func isDisplacement(_ distances: Set<Int32>) -> Bool {
      variant != .lineSpacing && isAlone ?? true && distances.contains(ChangeTable.normalized(delta))
    }
  }

  /// An image of another size on its page explains the event.
  func isOfImage(_ event: FlowEvent) -> Bool { slotFlags[Int(event.slot)].contains(.image) }

  init(
    old: [PageRecord], new: [PageRecord], table: ChangeTable, oldFaces: [Int: Int32], newFaces: [Int: Int32],
    glyphChanges: @escaping (_ new: PageRecord) -> LineGlyphs? = { _ in nil }
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
        // Content of a cell stands where its row and column do.
        if record.table != nil, kinds[block] == .text || kinds[block] == .listItem { kinds[block] = .table }
        if kinds[block] != .text, record.table == nil { special[record.source.node] = kinds[block] }
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

  /// The same by its record.
  func kind(of line: LineRecord) -> ElementKind {
    lines.blocks[line.source.node].map { kinds[Int($0)] } ?? ElementKind(line)
  }

  func oldLine(_ index: Int) -> LineRecord { oldPages[Int(lines.old[index].page)].lines[Int(lines.old[index].line)] }
  func newLine(_ index: Int) -> LineRecord { newPages[Int(lines.new[index].page)].lines[Int(lines.new[index].line)] }
  func slot(ofOld line: Int) -> Int32 { Int32(pages.slotOfOld[Int(lines.old[line].page)]) }
  func slot(ofNew line: Int) -> Int32 { Int32(pages.slotOfNew[Int(lines.new[line].page)]) }

  /// Finds the differences, line by line.
  mutating func compare() {
    compareLines()
    compareRegions()
    findGlyphChanges(inBrokenBlocks: false)
  }

  /// Resolves the causes of those differences, and finds the others.
  ///
  /// - Parameter hasGlyphChange: `true` if glyphs of the unit changed.
  mutating func resolve(hasGlyphChange: Bool) {
    if hasGlyphChange { findGlyphChanges(inBrokenBlocks: true) }
    resolveMoves()
    findReshapedTables()
    for (block, table) in tables { tableFlags[table, default: []].formUnion(blockFlags[Int(block)]) }
    compareFlow()
    compareOrder()
    compareObjects()
    findOverflows()
    findEmptyPages()
    findWidows()
  }

  mutating func add(
    _ key: ChangeKey, slot: Int32, block: Int32 = LineAlignment.none, old: RecordBox? = nil, new: RecordBox? = nil,
    source: RecordSource? = nil, detail: String? = nil
  ) {
    var entry = Entry(key: table.number(of: key), slot: slot, block: block, oldBox: old, newBox: new, source: source)
    if let detail { entry.detail = table.string(detail) }
    entries.append(entry)
  }
}

extension LineRecord {
  var isVertical: Bool { !writing.hasPrefix("horizontal") }

  /// A table too wide for its page stands sideways on it: its lines run otherwise than before, and no style says so.
  func isTurnedWithTable(to new: LineRecord) -> Bool {
    table != nil && new.table != nil && style != nil && style == new.style
  }

  /// Its distance from the old place of another line, in the direction of their text.
  func inlineShift(from old: LineRecord) -> Double { isVertical ? box.y - old.box.y : box.x - old.box.x }

  /// From the line's edge to its baseline.
  var ascent: Double { baseline - (isVertical ? box.x : box.y) }

  /// The place of the baseline in the direction in which lines follow each other.
  var blockPosition: Double {
    writing.hasSuffix("-rl") && isVertical ? -baseline : baseline
  }
}
