import Primitives
import RasterRendering

/// The settings by which two runs are compared.
package struct ComparisonSettings: Hashable, Sendable {
  package var tolerance: PixelTolerance
  package var masks: [Mask]
  /// Device pixels per CSS px of the bitmaps.
  package var scale: Double
  /// The book itself is another, which explains all that differs.
  package var isOtherBook: Bool
  /// Pages of equal display lists are compared by the hashes of their records.
  package var comparesRecords = true

  package init(tolerance: PixelTolerance = .exact, masks: [Mask] = [], scale: Double = 1, isOtherBook: Bool = false) {
    self.tolerance = tolerance
    self.masks = masks
    self.scale = scale
    self.isOtherBook = isOtherBook
  }
}

/// Compares a unit of two runs, level by level (4).
package struct UnitDiff {
  let old: any UnitSource
  let new: any UnitSource
  let settings: ComparisonSettings
  var table = ChangeTable()
  private var oldFaces: [Int: Int32] = [:]
  var newFaces: [Int: Int32] = [:]
  var comparison: UnitComparison
  /// The changes of the unit that another style explains, and whether styles are known.
  private var styled: Set<Int32> = []
  private var knowsStyles = false
  /// Pages whose pixels differ within the tolerance.
  var toleratedPages = 0
  /// Lines of the unit differ in some way.
  private var hasLineChanges = false
  /// By page: what the masks hide of it, in CSS px.
  var oldHidden: [Int: [RecordBox]] = [:]
  var newHidden: [Int: [RecordBox]] = [:]
  /// By key of a face of the new run: the key of the same font in the old run, where that is another.
  let newFaceKeys: [UInt64: UInt64]
  /// By key of a face: its name in the table.
  var faceNames: [UInt64: Int32] = [:]

  private static let maximumBoxes = 64

  /// The differences, and the masks that hide nothing of the unit (a warning, 4.6).
  package struct Result: Codable, Sendable {
    package var comparison: UnitComparison
    package var unusedMasks: [Mask]
    /// Pages whose pixels differ, and no more than the tolerance allows.
    package var toleratedPages = 0
  }

  package static func compare(
    _ old: any UnitSource, _ new: any UnitSource, settings: ComparisonSettings = ComparisonSettings()
  ) -> Result {
    var diff = UnitDiff(old, new, settings)
    diff.run()
    if settings.isOtherBook { diff.comparison.tellOfOtherBook() }
    return Result(
      comparison: diff.comparison, unusedMasks: Mask.unused(settings.masks, in: [new, old]),
      toleratedPages: diff.toleratedPages)
  }

  /// A unit of the baseline whose book the corpus no longer has.
  package static func gone(_ old: UnitResult) -> UnitComparison {
    var comparison = UnitComparison(
      key: old.key, title: old.title, language: old.language, oldPages: old.pages.count, newPages: 0)
    let table = ChangeTable()
    let change = ChangeKey(kind: .bookGone)
    comparison.changes = [
      Change(
        kind: .bookGone, severity: ChangeClass.bookGone.severity, signature: table.signature(change),
        summary: table.summary(change))
    ]
    return comparison
  }

  /// Tells that the baseline knows the book of a unit by another name: what was renamed is the part of the path in which the
  /// names differ.
  package static func rename(_ comparison: inout UnitComparison, from old: String) {
    var (before, after) = (old.split(separator: "/")[...], comparison.key.book.split(separator: "/")[...])
    while before.count > 1, after.count > 1, before.last == after.last {
      before.removeLast()
      after.removeLast()
    }
    var table = ChangeTable()
    let change = ChangeKey(
      kind: .bookRenamed, a: table.string(before.joined(separator: "/")), b: table.string(after.joined(separator: "/")))
    comparison.oldBook = old
    comparison.changes.append(
      Change(
        kind: .bookRenamed, severity: ChangeClass.bookRenamed.severity, signature: table.signature(change),
        summary: table.summary(change)))
  }

  private init(_ old: any UnitSource, _ new: any UnitSource, _ settings: ComparisonSettings) {
    self.old = old
    self.new = new
    self.settings = settings
    newFaceKeys = Self.equalFaces(old.faces, new.faces)
    let result = new.result
    comparison = UnitComparison(
      key: result.key, title: result.title, language: result.language, oldPages: old.result.pages.count,
      newPages: result.pages.count)
  }

  private mutating func run() {
    compareOutcomes()
    guard old.result.outcome.isSuccess, new.result.outcome.isSuccess else { return }
    compareMetadata()
    let (before, after) = (old.result.pages.map(identity), new.result.pages.map(identity))
    if !before.contains(where: \.isUnknown), before == after { return }
    comparePages()
    compareRivers()
    // The change that everything else is to follow from has to be named.
    if hasLineChanges, comparison.isEqual { addUnitChange(ChangeKey(kind: .pixelsOnly, a: table.string(""))) }
    if comparison.pages.isEmpty, old.result.pages.count != new.result.pages.count {
      addUnitChange(ChangeKey(kind: .pageCount))
    }
  }

  /// What pages are known to be equal by.
  struct PageIdentity: Hashable {
    var display: UInt64
    var record: UInt64
    /// A display hash of zero is one that nobody made: such pages are compared by their records.
    var isUnknown: Bool { display == 0 }
  }

  func identity(_ page: PageHashes) -> PageIdentity {
    PageIdentity(display: page.display, record: settings.comparesRecords ? page.record : 0)
  }

  /// What a decision on changes of the page holds for: as long as it stays the same.
  private func fingerprint(of page: PageHashes?) -> UInt64 {
    guard let page else { return 0 }
    var fingerprint = page.display
    if settings.comparesRecords {
      var hasher = StableHasher()
      hasher.combine(page.display)
      hasher.combine(page.record)
      fingerprint = hasher.value
    }
    return fingerprint & 0xFFFF_FFFF_FFFF
  }

  // MARK: Pages

  /// Pages of the unit, by index, that are not known to be equal.
  private struct ChangedPages {
    var old: [Int] = []
    var new: [Int] = []
  }

  private func changedPages() -> ChangedPages {
    let (a, b) = (old.result.pages.map(identity), new.result.pages.map(identity))
    func isEqual(_ i: Int, _ j: Int) -> Bool { a[i] == b[j] && !a[i].isUnknown }
    var start = 0
    while start < a.count, start < b.count, isEqual(start, start) { start += 1 }
    var end = 0
    while end < a.count - start, end < b.count - start, isEqual(a.count - 1 - end, b.count - 1 - end) { end += 1 }
    // In between, pages that occur once in both runs and come in the same order.
    var places: [PageIdentity: (old: Int, new: Int)] = [:]
    for index in start..<a.count - end { places[a[index]] = (places[a[index]] == nil ? index : -1, -2) }
    for index in start..<b.count - end {
      guard let known = places[b[index]] else { continue }
      places[b[index]]?.new = known.new == -2 ? index : -1
    }
    var pairs = places.filter { !$0.key.isUnknown && $0.value.old >= 0 && $0.value.new >= 0 }.map(\.value)
    pairs.sort { $0.old < $1.old }
    // A page may look like one of another place.
    if !settings.comparesRecords { pairs.removeAll { !isOfOnePlace($0.old, $0.new) } }
    let inOrder = ChapterDiff.longestIncreasing(pairs.map { Int32(clamping: $0.new) })
    var equalOld: Set<Int> = []
    var equalNew: Set<Int> = []
    for (index, pair) in pairs.enumerated() where inOrder[index] {
      equalOld.insert(pair.old)
      equalNew.insert(pair.new)
    }
    return ChangedPages(
      old: (start..<a.count - end).filter { !equalOld.contains($0) },
      new: (start..<b.count - end).filter { !equalNew.contains($0) })
  }

  /// Pages of both runs, by index, show the same part of the same document, as far as their records are kept here.
  private func isOfOnePlace(_ i: Int, _ j: Int) -> Bool {
    guard let before = old.record(of: i + 1), let after = new.record(of: j + 1) else { return true }
    return before.href == after.href && before.lines.first?.source == after.lines.first?.source
      && before.lines.last?.source == after.lines.last?.source
  }

  private mutating func comparePages() {
    for face in old.faces { oldFaces[face.id] = table.face(Self.name(face), of: face.family) }
    for face in new.faces { newFaces[face.id] = table.face(Self.name(face), of: face.family) }
    var changed = changedPages()
    if settings.tolerance.decides == true { takeOutEqualPixels(&changed) }
    guard changed.old.allSatisfy({ old.record(of: $0 + 1) != nil }) else {
      compareHashes(of: changed)
      return
    }
    var oldRecords: [PageRecord] = []
    var newRecords: [PageRecord] = []
    for index in changed.old { oldRecords.append(record(index, of: old, hidden: &oldHidden)) }
    for index in changed.new { newRecords.append(record(index, of: new, hidden: &newHidden)) }
    var unmovedLines = 0
    let pairs = SharedPairs()
    var faceNames: [UInt64: Int32] = [:]
    for face in old.faces + new.faces { if let key = face.key { faceNames[key] = table.string(Self.name(face)) } }
    self.faceNames = faceNames
    let display: (Int) -> PageDisplay? = { [new, newFaceKeys] in Self.display($0, of: new, newFaceKeys) }
    pairs.make = { [old, oldRecords, newRecords] in
      guard let first = newRecords.first, display(first.number) != nil else { return nil }
      return GlyphPairs(
        old: GlyphPairs.Pages(records: oldRecords) { old.displayList(of: $0.number) },
        new: GlyphPairs.Pages(records: newRecords) { display($0.number) })
    }
    var diffs: [ChapterDiff] = []
    for pair in Self.chapters(oldRecords, newRecords) {
      var chapter = ChapterDiff(
        old: pair.old, new: pair.new, table: table, oldFaces: oldFaces, newFaces: newFaces,
        glyphChanges: { page in
          guard let known = pairs.known, let list = display(page.number) else { return nil }
          return ChapterDiff.LineGlyphs(
            faces: known.baselines(of: list).compactMapValues { face in
              faceNames[face].map { ($0, known.letters[face] ?? GlyphPairs.Letters()) }
            })
        })
      chapter.compare()
      table = chapter.table
      diffs.append(chapter)
    }
    let hasGlyphChange = diffs.contains(where: \.hasGlyphChange)
    for index in diffs.indices {
      diffs[index].table = table
      diffs[index].resolve(hasGlyphChange: hasGlyphChange)
      table = diffs[index].table
      unmovedLines += diffs[index].unmovedLines
      if !diffs[index].entries.isEmpty || diffs[index].slotFlags.contains(where: { !$0.isEmpty }) {
        hasLineChanges = true
      }
    }
    let hasOtherGlyphs = hasGlyphChange || diffs.contains { $0.blockFlags.contains { $0.contains(.font) } }
    let displacements = Self.displacements(diffs)
    let moves = Self.moves(diffs, table)
    let causes = FlowCauses(
      diffs.flatMap { chapter in
        chapter.flowEvents.filter { !chapter.isOfImage($0) && !$0.isDisplacement(displacements) }
      })
    var found: [(chapter: ChapterDiff, changes: [ChapterChanges.Page])] = []
    for chapter in diffs {
      var changes = ChapterChanges(
        chapter, table: table, displacements: displacements, moves: moves, causes: causes,
        hasOtherGlyphs: hasOtherGlyphs)
      changes.addCauses()
      compareShapes(&changes)
      compareEqualRecords(&changes, pairs)
      let pages = changes.folded()
      table = changes.table
      styled.formUnion(changes.styled)
      if chapter.knowsStyles { knowsStyles = true }
      found.append((chapter, pages))
    }
    let movesAll = unmovedLines == 0 && changed.new.count == new.result.pages.count
    for (chapter, pages) in found {
      for page in pages {
        comparison.pages.append(pageChange(page, in: chapter, movesAll: movesAll))
      }
    }
    comparison.pages.sort {
      ($0.newPage ?? $0.oldPage ?? 0, $0.oldPage ?? 0) < ($1.newPage ?? $1.oldPage ?? 0, $1.oldPage ?? 0)
    }
  }

  /// Takes out pages of one number whose text is the same and whose pixels are within the tolerance.
  private mutating func takeOutEqualPixels(_ changed: inout ChangedPages) {
    let newPages = Set(changed.new)
    func text(_ index: Int, of source: any UnitSource) -> [String]? { source.record(of: index + 1)?.lines.map(\.text) }
    let equal = Set(
      changed.old.filter { index in
        guard newPages.contains(index), let before = text(index, of: old), before == text(index, of: new),
          let oldPage = old.bitmap(of: index + 1), let newPage = new.bitmap(of: index + 1)
        else { return false }
        return PixelDifference(oldPage, newPage, tolerance: settings.tolerance).isWithin(settings.tolerance)
      })
    toleratedPages += equal.count
    changed.old.removeAll { equal.contains($0) }
    changed.new.removeAll { equal.contains($0) }
  }

  /// The signature of pages that are known to differ and not how.
  package static let unknownSignature = "pixels-only|unknown"

  /// Pages of a baseline that has nothing but their hashes here.
  private mutating func compareHashes(of changed: ChangedPages) {
    let oldPages = Set(changed.old)
    func add(old: Int?, new: Int?) {
      let record = new.flatMap { self.new.record(of: $0 + 1) }
      let (before, after) = (old.map { self.old.result.pages[$0] }, new.map { self.new.result.pages[$0] })
      let looksEqual = before != nil && before?.display == after?.display && before?.display != 0
      let change =
        looksEqual
        ? change(
          .recordChanged, "\(ChangeClass.recordChanged.rawValue)|unknown",
          "links, alternatives, roles, languages or places of text changed; which is not known, since the old page is "
            + "not kept here")
        : Change(
          kind: .pixelsOnly, severity: .medium, signature: Self.unknownSignature,
          summary: "page changed; how is not known, since the old page is not kept here")
      comparison.pages.append(
        PageChange(
          oldPage: old.map { $0 + 1 }, newPage: new.map { $0 + 1 }, chapter: record?.chapter ?? 0,
          href: record?.href ?? "", changes: [change], fingerprint: fingerprint(of: after ?? before)))
    }
    for page in changed.new { add(old: oldPages.contains(page) ? page : nil, new: page) }
    let newPages = Set(changed.new)
    for page in changed.old where !newPages.contains(page) { add(old: page, new: nil) }
  }

  /// The pages of each document of both runs. One that is read several times is as many chapters, paired by their numbers.
  private static func chapters(
    _ old: [PageRecord], _ new: [PageRecord]
  ) -> [(old: [PageRecord], new: [PageRecord])] {
    var names: [String] = []
    var oldPages: [String: [PageRecord]] = [:]
    var newPages: [String: [PageRecord]] = [:]
    for page in new {
      if newPages[page.href] == nil { names.append(page.href) }
      newPages[page.href, default: []].append(page)
    }
    for page in old {
      if newPages[page.href] == nil, oldPages[page.href] == nil { names.append(page.href) }
      oldPages[page.href, default: []].append(page)
    }
    return names.flatMap { name -> [(old: [PageRecord], new: [PageRecord])] in
      let (before, after) = (oldPages[name] ?? [], newPages[name] ?? [])
      let (oldNumbers, newNumbers) = (Set(before.map(\.chapter)), Set(after.map(\.chapter)))
      // Once in each, whatever its number is now; so are chapters none of whose numbers is common.
      if oldNumbers.count <= 1 && newNumbers.count <= 1 || oldNumbers.isDisjoint(with: newNumbers) {
        return [(before, after)]
      }
      return oldNumbers.union(newNumbers).sorted().map { number in
        (before.filter { $0.chapter == number }, after.filter { $0.chapter == number })
      }
    }
  }

  /// The distances by which more blocks moved alone than took what follows along.
  private static func displacements(_ chapters: [ChapterDiff]) -> Set<Int32> {
    var votes: [Int32: Int] = [:]
    for chapter in chapters {
      for event in chapter.flowEvents {
        if let isAlone = event.isAlone { votes[ChangeTable.normalized(event.delta), default: 0] += isAlone ? 1 : -1 }
      }
    }
    return Set(votes.filter { $0.value > 0 }.keys)
  }

  /// The distances by which lines outside of tables moved in their own direction.
  private static func moves(_ chapters: [ChapterDiff], _ table: ChangeTable) -> Set<Int32> {
    var moves: Set<Int32> = []
    for entry in chapters.lazy.flatMap(\.entries) {
      let key = table.keys[Int(entry.key)]
      if key.kind == .moved, key.element != .table, !key.isAcrossLines { moves.insert(key.a) }
    }
    return moves
  }

  private func record(_ index: Int, of source: any UnitSource, hidden: inout [Int: [RecordBox]]) -> PageRecord {
    guard var record = source.record(of: index + 1) else {
      return PageRecord(number: index + 1, chapter: 0, href: "", size: [], lines: [])
    }
    record.number = index + 1
    for mask in settings.masks {
      if let boxes = mask.apply(to: &record) { hidden[index + 1, default: []] += boxes }
    }
    return record
  }

  private static func name(_ face: FaceRecord) -> String {
    let style = face.style.isEmpty || face.style == "Regular" ? "" : " " + face.style
    return face.family + style + " (\(face.file))"
  }

  /// The glyphs of both runs, paired when they are first needed.
  final class SharedPairs {
    var make: () -> GlyphPairs? = { nil }
    lazy var known: GlyphPairs? = make()
  }

  /// A page of the new run whose faces are named as in the old one.
  static func display(_ page: Int, of source: any UnitSource, _ keys: [UInt64: UInt64]) -> PageDisplay? {
    guard var display = source.displayList(of: page) else { return nil }
    if !keys.isEmpty { display.faces = display.faces.map { keys[$0] ?? $0 } }
    return display
  }

  /// By key of a new face that the old run does not have: that of the face of the same name that the new run does not have.
  /// Another version of a font is another file, but the same font.
  private static func equalFaces(_ old: [FaceRecord], _ new: [FaceRecord]) -> [UInt64: UInt64] {
    let (oldKeys, newKeys) = (Set(old.compactMap(\.key)), Set(new.compactMap(\.key)))
    var waiting: [String: [UInt64]] = [:]
    for face in old { if let key = face.key, !newKeys.contains(key) { waiting[name(face), default: []].append(key) } }
    var equal: [UInt64: UInt64] = [:]
    for face in new {
      guard let key = face.key, !oldKeys.contains(key), let other = waiting[name(face)], other.count == 1 else {
        continue
      }
      equal[key] = other[0]
    }
    return equal
  }

  // MARK: Results

  private mutating func pageChange(_ page: ChapterChanges.Page, in chapter: ChapterDiff, movesAll: Bool) -> PageChange {
    let slot = chapter.pages.slots[page.slot]
    let old = slot.old.map { chapter.oldPages[$0] }
    let new = slot.new.map { chapter.newPages[$0] }
    var changes: [Change] = []
    var positions: [Int32: Int] = [:]
    // By change: what all of its entries say.
    var details: [Int32] = []
    for entry in page.entries {
      var number = entry.key
      let origin: ChangeOrigin? = knowsStyles ? styled.contains(number) ? .style : .layout : nil
      if movesAll, table.keys[Int(number)].kind == .moved, table.keys[Int(number)].variant == .paragraph {
        // All that the book has moved at once.
        var key = table.keys[Int(number)]
        key.element = .page
        number = table.number(of: key)
      }
      let position: Int
      if let known = positions[number] {
        position = known
      } else {
        let key = table.keys[Int(number)]
        position = changes.count
        positions[number] = position
        changes.append(
          Change(
            kind: key.kind, severity: key.kind.severity,
            signature: table.signature(key) + (origin.map { "|" + $0.rawValue } ?? ""), summary: table.summary(key),
            source: entry.source, origin: origin))
        details.append(entry.detail)
      }
      if details[position] != entry.detail { details[position] = ChapterDiff.Entry.noDetail }
      if let box = entry.oldBox, changes[position].oldBoxes.count < Self.maximumBoxes {
        changes[position].oldBoxes.append(box)
      }
      if let box = entry.newBox, changes[position].newBoxes.count < Self.maximumBoxes {
        changes[position].newBoxes.append(box)
      }
    }
    for (index, detail) in details.enumerated() where detail != ChapterDiff.Entry.noDetail {
      changes[index].general = changes[index].summary
      changes[index].summary = table.strings[Int(detail)]
    }
    let order = Dictionary(uniqueKeysWithValues: ChangeClass.allCases.enumerated().map { ($1, $0) })
    changes.sort { (order[$0.kind] ?? 0, $0.signature) < (order[$1.kind] ?? 0, $1.signature) }
    let hashes =
      new.map { self.new.result.pages[$0.number - 1] } ?? old.map { self.old.result.pages[$0.number - 1] }
    return PageChange(
      oldPage: old?.number, newPage: new?.number, chapter: new?.chapter ?? old?.chapter ?? 0,
      href: new?.href ?? old?.href ?? "", changes: changes, consequences: page.consequences,
      fingerprint: fingerprint(of: hashes))
  }
}
