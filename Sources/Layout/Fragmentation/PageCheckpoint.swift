package import BoxGeneration
import CSS
import Primitives
import Text

extension PageComposer {
  /// A checkpoint: the start of the next page, and what earlier pages hand on to it: all that a composer of the same
  /// chapter under the same settings needs to go on from there.
  package struct Checkpoint {
    /// Nil before the first page and after the last.
    var token: BreakToken?
    var pushed: [PushedFloat] = []
    var pushedPositioned = PositionedQueue()
    /// Page boxes by the place of their style; nil where none of its pages was made.
    var geometries: [PageGeometry?]
    var footnotes: FootnoteFlow
    var counts = Counts()
    /// Pages in a row that end where they began, whatever they show.
    var stalled = 0
    var hasMadePage = false
    var isFinished = false
    /// The side that the next page must be on.
    var wanted = ForcedBreak.none
  }
}

extension PageComposer.Checkpoint {
  /// Numbers of pages that have been made.
  struct Counts {
    /// Pages of the book before the next one, and those of the chapter.
    var number = 0
    var pages = 0
    /// Pages that the chapter shows so far, and those of them that have the name of the last one, in a row.
    var shown = 0
    var inGroup = 0
    var groupName = ""
  }
}

/// The bounds of a saved checkpoint: all that is read from one must be of this chapter.
package struct CheckpointBounds {
  /// The boxes of the chapter and their texts.
  package var tree: BoxTree
  /// Footnotes and page styles of the chapter.
  package var notes: Int
  package var styles: Int
  package init(tree: BoxTree, notes: Int, styles: Int) {
    self.tree = tree
    self.notes = notes
    self.styles = styles
  }

  /// The box is another one or stands in it.
  func holds(_ outer: BoxID, _ inner: BoxID) -> Bool {
    // In preorder a box comes after those that it stands in.
    var box = inner
    while !box.isNone, box.index > outer.index { box = tree[box].parent }
    return box == outer
  }

  /// The token goes on with content of its box, as boxes of its kind do: boxes in it stand in the box, rows and items
  /// are those that it has, and the next line begins in the text.
  func holds(_ token: BreakToken) -> Bool {
    let box = tree[token.box]
    guard token.consumedBlockSize >= .zero, token.positioned.allSatisfy({ holds(token.box, $0.box) }),
      token.children.allSatisfy({ holds(token.box, $0.box) }),
      token.floats.allSatisfy({ $0.box != token.box && holds(token.box, $0.box) })
    else { return false }
    func isWithin(_ child: BoxID) -> Bool { child != token.box && holds(token.box, child) }
    switch token.place {
    case .before, .end, .ended: return true
    case .slice: return box.content == .replaced
    case .blocks(let resumed, let next, _):
      return box.content == .boxes && (next.isNone || isWithin(next)) && resumed.map { isWithin($0.box) } ?? true
    case .lines(let place, let parts):
      guard box.content == .text, parts.allSatisfy({ isWithin($0.token.box) }) else { return false }
      guard let place else { return true }
      let attributed = tree.texts.texts[box.text.index]
      return place.unit <= attributed.units.count && place.run <= attributed.runs.count
        && place.hyphensInARow <= place.linesBefore
    case .tableRow(let row, let cells, _, _):
      return box.kind == .table && cells.allSatisfy { [.tableCell, .tableCaption].contains(tree[$0.box].kind) }
        && row <= count(.tableRow, in: token.box)
    case .itemRow(let row, let items, _, _):
      return box.kind.holdsItems && items.allSatisfy { tree[$0.box].parent == token.box }
        && row <= tree.boxes.count
    case .items(let tracks, _, _):
      return box.kind.holdsItems
        && tracks.allSatisfy { $0.row <= tree.boxes.count && $0.items.allSatisfy { tree[$0.box].parent == token.box } }
    case .columns(let spanner, let rest, _, _):
      return (box.kind == .columns || box.kind == .tableCell) && rest.map { $0.box == token.box } ?? true
        && spanner.map { isWithin($0.box) } ?? true
    }
  }

  /// The number of boxes of a kind in a box.
  private func count(_ kind: BoxKind, in box: BoxID) -> Int {
    tree.boxes.indices.dropFirst(box.index + 1).prefix { holds(box, BoxID($0)) }.count { tree.boxes[$0].kind == kind }
  }
}

extension PageComposer.Checkpoint {
  /// The checkpoint, and what runs on through the book, as bytes, some dozens of them; nil where positioned boxes reach over the
  /// page's end, which pages before must be laid out for.
  package func encoded(with state: PageState) -> [UInt8]? {
    guard pushedPositioned.isEmpty else { return nil }
    var writer = CheckpointWriter()
    writer.write(token)
    writer.write(pushed) { $0.write($1) }
    writer.write(geometries) { writer, geometry in
      writer.write(geometry != nil)
      guard let geometry else { return }
      for length in [geometry.size.width, geometry.size.height] { writer.write(length) }
      for sides in [geometry.margin, geometry.border, geometry.padding] {
        for length in [sides.top, sides.right, sides.bottom, sides.left] { writer.write(length) }
      }
    }
    writer.write(footnotes.pending) { writer, part in
      writer.write(part.note)
      writer.write(part.token)
    }
    writer.write(footnotes.placed) { $0.write($1) }
    writer.write(footnotes.areOnPage)
    for count in [counts.number, counts.pages, stalled, counts.shown, counts.inGroup] { writer.write(count) }
    writer.write(counts.groupName)
    writer.write(hasMadePage)
    writer.write(isFinished)
    writer.write(Int(wanted.rawValue))
    writer.write(state.pages)
    writer.write(state.counters.sorted { $0.key < $1.key }) { writer, counter in
      writer.write(counter.key)
      writer.write(Int(counter.value))
    }
    writer.write(state.strings.sorted { $0.key < $1.key }) { writer, string in
      writer.write(string.key)
      writer.write(string.value)
    }
    writer.write(state.elements.sorted { $0.key < $1.key }) { writer, element in
      writer.write(element.key)
      writer.write(element.value.index)
    }
    return writer.bytes
  }

  /// Reads what `encoded(with:)` wrote; nil when it is damaged or of another chapter.
  package static func decode(_ bytes: [UInt8], bounds: CheckpointBounds) -> (Self, PageState)? {
    var reader = CheckpointReader(bytes: bytes, bounds: bounds)
    guard let checkpoint = reader.checkpoint(), let state = reader.state(), reader.isAtEnd else { return nil }
    return (checkpoint, state)
  }
}

/// Numbers of any sign in as few bytes as they need, seven bits in each.
private struct CheckpointWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> (Int.bitWidth - 1)))
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
  mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes += text.utf8
  }
  mutating func write(_ length: LayoutUnit) { write(Int(length.rawValue)) }
  mutating func write(_ box: BoxID) { write(box.isNone ? -1 : box.index) }
  mutating func write<Element>(_ list: [Element], _ each: (inout Self, Element) -> Void) {
    write(list.count)
    for element in list { each(&self, element) }
  }
  mutating func write(_ float: PushedFloat) {
    write(float.box)
    write(float.token)
    write(float.left)
    write(float.right)
  }
  mutating func write(_ positioned: OutOfFlowBox) {
    write(positioned.box)
    write(positioned.staticOffset.inline)
    write(positioned.staticOffset.block)
    write(positioned.staticInlineSize)
    write(positioned.staticDirection == .rtl)
    write(positioned.inlineEdge.map { Int($0.rawValue) } ?? -1)
    write(Int(positioned.blockEdge.rawValue))
    write(positioned.staticBlockSize)
    write(positioned.area != nil)
    if let area = positioned.area {
      for edge in [area.lineLeft, area.lineRight, area.blockStart, area.blockEnd] {
        write(edge != nil)
        if let edge { write(edge) }
      }
    }
    write(positioned.strip != nil)
    if let strip = positioned.strip { write(strip) }
  }
  mutating func write(_ strip: PositionedStrip) {
    let (offset, size) = (strip.rect.offset, strip.rect.size)
    for length in [offset.inline, offset.block, size.inline, size.block, strip.shift.inline, strip.shift.block] {
      write(length)
    }
    write(strip.direction == .rtl)
  }
  mutating func write(_ place: InlineBreak?) {
    write(place != nil)
    guard let place else { return }
    write(Int(place.unit))
    write(Int(place.run))
    write(place.afterForcedBreak)
    write(Int(place.linesBefore))
    write(Int(place.hyphensInARow))
    write(Int(place.looseness))
  }
  mutating func write(_ place: BreakToken.Place) {
    switch place {
    case .before(let forced):
      write(0)
      write(Int(forced.rawValue))
    case .blocks(let resumed, let next, let forced):
      write(1)
      write(resumed)
      write(next)
      write(Int(forced.rawValue))
    case .lines(let place, let parts):
      write(2)
      write(place)
      write(parts) { writer, part in
        writer.write(part.token)
        writer.write(part.lineOffset)
      }
    case .tableRow(let row, let cells, let isInRow, let forced):
      write(3)
      write(row)
      write(cells) { $0.write($1) }
      write(isInRow)
      write(Int(forced.rawValue))
    case .itemRow(let row, let items, let inline, let forced):
      write(4)
      write(row)
      write(items) { $0.write($1) }
      write(inline)
      write(Int(forced.rawValue))
    case .columns(let spanner, let rest, let floats, let forced):
      write(5)
      write(spanner)
      write(rest)
      write(floats) { $0.write($1) }
      write(Int(forced.rawValue))
    case .end(let held):
      write(6)
      write(held)
    case .slice: write(7)
    case .ended: write(9)
    case .items(let tracks, let inline, let forced):
      write(8)
      write(tracks) { writer, track in
        writer.write(track.row)
        writer.write(track.items) { $0.write($1) }
        for flag in [track.isInRow, track.startsColumn, track.isFinished] { writer.write(flag) }
        writer.write(track.shift)
      }
      write(inline)
      write(Int(forced.rawValue))
    }
  }
  mutating func write(_ token: BreakToken?) {
    write(token != nil)
    guard let token else { return }
    write(token.box)
    write(token.consumedBlockSize)
    write(token.place)
    write(token.positioned) { $0.write($1) }
    write(token.parallel) { $0.write($1) }
    write(token.floats) { $0.write($1) }
  }
}

private struct CheckpointReader {
  let bytes: [UInt8]
  let bounds: CheckpointBounds
  private var index = 0
  private var depth = 0
  /// Tokens in tokens: boxes are not nested deeper.
  private static let mostNested = 2000

  init(bytes: [UInt8], bounds: CheckpointBounds) {
    self.bytes = bytes
    self.bounds = bounds
  }

  var isAtEnd: Bool { index == bytes.count }

  private mutating func number(_ range: ClosedRange<Int> = Int(Int32.min)...Int(Int32.max)) -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        let number = Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
        return range.contains(number) ? number : nil
      }
      shift += 7
    }
    return nil
  }
  private mutating func flag() -> Bool? {
    guard index < bytes.count, bytes[index] <= 1 else { return nil }
    index += 1
    return bytes[index - 1] == 1
  }
  private mutating func length() -> LayoutUnit? { number().map { LayoutUnit(rawValue: Int32($0)) } }
  private mutating func box(mayBeNone: Bool = false) -> BoxID? {
    guard !bounds.tree.boxes.isEmpty, let number = number((mayBeNone ? -1 : 0)...bounds.tree.boxes.count - 1) else {
      return nil
    }
    return number < 0 ? BoxID.none : BoxID(number)
  }
  private mutating func list<Element>(_ each: (inout Self) -> Element?) -> [Element]? {
    // Each element takes a byte at least.
    guard let count = number(0...bytes.count) else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = each(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }
  /// A value that may be missing: nil when what is written is damaged.
  private mutating func optional<Value>(_ read: (inout Self) -> Value?) -> Value?? {
    guard let isThere = flag() else { return nil }
    guard isThere else { return .some(nil) }
    return read(&self).map { .some($0) }
  }

  private mutating func float() -> PushedFloat? {
    guard let box = box(), let token = optional({ $0.token() }), let left = length(), let right = length() else {
      return nil
    }
    if let token, !bounds.holds(box, token.box) { return nil }
    return PushedFloat(box: box, token: token, left: left, right: right)
  }

  private mutating func positioned() -> OutOfFlowBox? {
    guard let box = box(), let inline = length(), let block = length(), let size = length(), let isRTL = flag(),
      let inlineEdge = number(-1...6), let blockEdge = number(0...6), let blockSize = length()
    else { return nil }
    var positioned = OutOfFlowBox(
      box: box, staticOffset: LogicalOffset(inline: inline, block: block), staticInlineSize: size,
      staticDirection: isRTL ? .rtl : .ltr)
    positioned.inlineEdge = inlineEdge < 0 ? nil : StaticEdge(rawValue: UInt8(inlineEdge))
    positioned.blockEdge = StaticEdge(rawValue: UInt8(blockEdge)) ?? .start
    positioned.staticBlockSize = blockSize
    guard let hasArea = flag() else { return nil }
    if hasArea {
      guard let lineLeft = edge(), let lineRight = edge(), let blockStart = edge(), let blockEnd = edge() else {
        return nil
      }
      positioned.area = PositionedArea(
        lineLeft: lineLeft, lineRight: lineRight, blockStart: blockStart, blockEnd: blockEnd)
    }
    guard let strip = optional({ $0.strip() }) else { return nil }
    positioned.strip = strip
    return positioned
  }

  private mutating func strip() -> PositionedStrip? {
    guard let inline = length(), let block = length(), let inlineSize = length(), let blockSize = length(),
      let shiftInline = length(), let shiftBlock = length(), let isRTL = flag()
    else { return nil }
    return PositionedStrip(
      rect: LogicalRect(
        offset: LogicalOffset(inline: inline, block: block),
        size: LogicalSize(inline: inlineSize, block: blockSize)),
      direction: isRTL ? .rtl : .ltr, shift: LogicalOffset(inline: shiftInline, block: shiftBlock))
  }

  /// An edge of an area, which may be that of the padding.
  private mutating func edge() -> LayoutUnit?? {
    guard let isKnown = flag() else { return nil }
    guard isKnown else { return .some(nil) }
    return length().map { .some($0) }
  }

  private mutating func place() -> InlineBreak? {
    let counts = 0...Int(Int32.max)
    guard let unit = number(counts), let run = number(counts), let afterForcedBreak = flag(),
      let lines = number(counts),
      let hyphens = number(0...Int(UInt16.max)), let looseness = number(-1...1)
    else { return nil }
    return InlineBreak(
      unit: UInt32(unit), run: UInt32(run), afterForcedBreak: afterForcedBreak, linesBefore: UInt32(lines),
      hyphensInARow: UInt16(hyphens), looseness: Int8(looseness))
  }

  private mutating func forcedBreak() -> ForcedBreak? { number(0...4).flatMap { ForcedBreak(rawValue: UInt8($0)) } }
  private mutating func row() -> Int? { number(0...Int(Int32.max)) }
  private mutating func tokens() -> [BreakToken]? { list { $0.wholeToken() } }
  /// A token that is there.
  private mutating func wholeToken() -> BreakToken? { optional { $0.token() }.flatMap { $0 } }

  private mutating func part() -> BreakToken.AtomicPart? {
    guard let token = wholeToken(), let lineOffset = length() else { return nil }
    return BreakToken.AtomicPart(token: token, lineOffset: lineOffset)
  }

  private mutating func track() -> ItemTrack? {
    guard let row = row(), let items = tokens(), let isInRow = flag(), let startsColumn = flag(),
      let isFinished = flag(), let shift = length()
    else { return nil }
    return ItemTrack(
      row: row, items: items, isInRow: isInRow, shift: shift, startsColumn: startsColumn, isFinished: isFinished)
  }

  private mutating func tokenPlace() -> BreakToken.Place? {
    switch number() {
    case 0: return forcedBreak().map { .before(forced: $0) }
    case 1:
      guard let resumed = optional({ $0.token() }), let next = box(mayBeNone: true), let forced = forcedBreak() else {
        return nil
      }
      return .blocks(resumed: resumed, next: next, forced: forced)
    case 2:
      guard let line = optional({ $0.place() }), let parts = list({ $0.part() }) else { return nil }
      return .lines(at: line, parts: parts)
    case 3:
      guard let row = row(), let cells = tokens(), let isInRow = flag(), let forced = forcedBreak() else { return nil }
      return .tableRow(row, cells: cells, isInRow: isInRow, forced: forced)
    case 4:
      guard let row = row(), let items = tokens(), let inline = length(), let forced = forcedBreak() else { return nil }
      return .itemRow(row, items: items, inline: inline, forced: forced)
    case 5:
      guard let spanner = optional({ $0.token() }), let rest = optional({ $0.token() }),
        let floats = list({ $0.float() }),
        let forced = forcedBreak()
      else { return nil }
      return .columns(spanner: spanner, rest: rest, floats: floats, forced: forced)
    case 6: return optional { $0.token() }.map { .end(held: $0) }
    case 7: return .slice
    case 8:
      guard let tracks = list({ $0.track() }), let inline = length(), let forced = forcedBreak() else { return nil }
      return .items(tracks, inline: inline, forced: forced)
    case 9: return .ended
    default: return nil
    }
  }

  private mutating func token() -> BreakToken? {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.mostNested, let box = box(), let consumed = length(), let place = tokenPlace(),
      let positioned = list({ $0.positioned() }), let parallel = tokens(), let floats = list({ $0.float() })
    else { return nil }
    let token = BreakToken(
      box: box, consumedBlockSize: consumed, place, positioned: positioned, parallel: parallel, floats: floats)
    return bounds.holds(token) ? token : nil
  }

  private mutating func sides() -> Sides<LayoutUnit>? {
    guard let top = length(), let right = length(), let bottom = length(), let left = length() else { return nil }
    return Sides(top: top, right: right, bottom: bottom, left: left)
  }

  private mutating func geometry() -> PageGeometry? {
    guard let width = length(), let height = length(), width > .zero, height > .zero, let margin = sides(),
      let border = sides(), let padding = sides()
    else { return nil }
    var geometry = PageGeometry(size: Size(width: width, height: height), margin: margin)
    geometry.border = border
    geometry.padding = padding
    return geometry
  }

  private mutating func text() -> String? {
    guard let count = number(0...bytes.count), count <= bytes.count - index else { return nil }
    index += count
    return String(decoding: bytes[index - count..<index], as: UTF8.self)
  }

  mutating func state() -> PageState? {
    var state = PageState()
    guard let pages = number(0...Int(Int32.max)),
      let counters = list({ reader in reader.text().flatMap { name in reader.number().map { (name, Int32($0)) } } }),
      let strings = list({ reader in reader.text().flatMap { name in reader.text().map { (name, $0) } } }),
      let elements = list({ reader in
        reader.text().flatMap { name in reader.number(0...Int(Int32.max)).map { (name, NodeID($0)) } }
      })
    else { return nil }
    state.pages = pages
    state.counters = Dictionary(counters) { $1 }
    state.strings = Dictionary(strings) { $1 }
    state.elements = Dictionary(elements) { $1 }
    return state
  }

  mutating func checkpoint() -> PageComposer.Checkpoint? {
    let notes = bounds.notes
    let counts = 0...Int(Int32.max)
    guard !bounds.tree.boxes.isEmpty, let token = optional({ $0.token() }), let pushed = list({ $0.float() }),
      let geometries = list({ $0.optional { $0.geometry() } }), geometries.count == bounds.styles,
      let pending = list({ reader in
        reader.number(0...Swift.max(0, notes - 1)).flatMap { note in
          reader.optional { $0.token() }.map { FootnotePart(note: note, token: $0) }
        }
      }), notes > 0 || pending.isEmpty, let placed = list({ $0.flag() }), placed.count == notes,
      let areOnPage = flag(), let number = number(counts), let pages = self.number(counts),
      let stalled = self.number(counts), let shown = self.number(counts), let inGroup = self.number(counts),
      let groupName = text(),
      let hasMadePage = flag(), let isFinished = flag(),
      let wanted = self.number(0...4).flatMap({ ForcedBreak(rawValue: UInt8($0)) })
    else { return nil }
    var footnotes = FootnoteFlow(bounds.tree)
    footnotes.pending = pending
    footnotes.placed = placed
    footnotes.areOnPage = areOnPage
    return PageComposer.Checkpoint(
      token: token, pushed: pushed, geometries: geometries, footnotes: footnotes,
      counts: .init(number: number, pages: pages, shown: shown, inGroup: inGroup, groupName: groupName),
      stalled: stalled, hasMadePage: hasMadePage,
      isFinished: isFinished, wanted: wanted)
  }
}
