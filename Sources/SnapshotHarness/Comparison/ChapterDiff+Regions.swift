/// The same text broken otherwise.
extension ChapterDiff {
  mutating func compareRegions() {
    for region in lines.regions {
      guard let first = region.new.first, let oldFirst = region.old.first else { continue }
      let olds = region.old.map { oldLine(Int($0)) }
      let news = region.new.map { newLine(Int($0)) }
      let block = lines.newBlock[Int(first)]
      let slot = slot(ofNew: Int(first))
      for line in region.new { slotFlags[pages.slotOfNew[Int(lines.new[Int(line)].page)]].insert(.lineBreak) }
      for line in region.old { slotFlags[pages.slotOfOld[Int(lines.old[Int(line)].page)]].insert(.lineBreak) }
      if olds.count != news.count { blockFlags[Int(block)].insert(.lineCount) }

      let change = textChange(olds, news, block: block)
      if !change.isEmpty {
        addText(
          lost: change.lost, added: change.added, variant: change.variant, like: news[0], slot: slot, block: block,
          old: olds.map(\.box), new: news.map(\.box))
        continue
      }
      if let table = news[0].table, olds[0].table != nil { tables[block] = table }
      // Faces and sizes that only one of the runs uses explain the breaks.
      if compareStyles(olds, news, region, block: block) { continue }
      if comparePrimaryFaces(olds[0], news[0], block: block) { blockFlags[Int(block)].insert(.primaryFace) }
      blockFlags[Int(block)].insert(.lineBreak)
      let oldBreak = breakClass(olds[0], next: olds.count > 1 ? olds[1] : following(old: Int(region.old[0])))
      let newBreak = breakClass(news[0], next: news.count > 1 ? news[1] : following(new: Int(region.new[0])))
      if isBreakAtPageEnd(olds[0], news[0], Int(oldFirst), Int(first)) {
        slotFlags[Int(slot)].insert(.reflow)
        continue
      }
      if let shift = shift(of: region, olds, news) {
        // The block became narrower or wider at its start.
        blockFlags[Int(block)].insert(.moved)
        addMove(shift, olds[0], news[0], line: Int(first), slot: slot)
        continue
      }
      let hyphens = Hyphens(olds, next: region.old.last.flatMap { following(old: Int($0)) }).difference(
        to: Hyphens(news, next: region.new.last.flatMap { following(new: Int($0)) }))
      let (key, detail) = breakChange(olds, news, oldBreak, newBreak, kinds[Int(block)], hyphens)
      // Each page that has a part of it shows that part; the change stands on the first of both.
      let oldSlot = self.slot(ofOld: Int(oldFirst))
      for index in 0..<max(olds.count, news.count) {
        let oldBox = index < olds.count && self.slot(ofOld: Int(region.old[index])) == oldSlot ? olds[index].box : nil
        let newBox = index < news.count && self.slot(ofNew: Int(region.new[index])) == slot ? news[index].box : nil
        if oldBox != nil || newBox != nil {
          add(key, slot: slot, block: block, old: oldBox, new: newBox, source: news[0].source, detail: detail)
        }
      }
    }
  }

  /// The change that lines that break elsewhere are reported as: a fault of typography that the old ones did not have, or else
  /// that they do.
  private mutating func breakChange(
    _ olds: [LineRecord], _ news: [LineRecord], _ oldBreak: String, _ newBreak: String, _ element: ElementKind,
    _ hyphens: Hyphens.Difference?
  ) -> (ChangeKey, detail: String?) {
    if lineEnds == nil { lineEnds = LineEnds(of: oldPages, beside: newPages) }
    if let fault = lineEnds?.newFault(in: news) {
      return (
        ChangeKey(kind: .forbiddenBreak, variant: fault.isAtStart ? .start : .end, a: table.string(fault.name)),
        fault.detail
      )
    }
    func ladder(_ lines: [LineRecord]) -> Int {
      var (longest, count) = (0, 0)
      for line in lines {
        count = line.hyphenated ? count + 1 : 0
        longest = max(longest, count)
      }
      return longest
    }
    let steps = ladder(news)
    if steps >= Self.ladderLength, steps > ladder(olds) {
      return (ChangeKey(kind: .hyphenLadder), "\(steps) hyphens below each other in \(element.name) lines")
    }
    if news.contains(where: { lineEnds?.isOverfull($0) == true }) {
      return (ChangeKey(kind: .overfullLine), "\(element.name) lines go beyond their measure")
    }
    if let hyphens {
      let variant =
        hyphens.amount == .more ? ChangeKey.Variant.added : lineEnds?.keepsHyphens == true ? .lost : .whole
      return (ChangeKey(kind: .hyphensChanged, variant: variant, a: table.string(hyphens.rule)), nil)
    }
    return breakKey(oldBreak, newBreak, element)
  }

  /// Lines that break elsewhere have one cause in whatever blocks they stand.
  func breakKey(_ old: String, _ new: String, _ element: ElementKind) -> (ChangeKey, detail: String?) {
    (
      ChangeKey(kind: .lineBreakChanged),
      "\(element.name) lines break elsewhere" + (old == new ? ", \(old)" : ": \(new), not \(old)")
    )
  }

  /// Hyphens below each other that are a ladder.
  private static let ladderLength = 3

  /// Distance by which all lines of a region moved in their own direction; nil where they begin at the same place, or not all
  /// alike, as ragged ones that are as long as their text.
  private func shift(of region: LineAlignment.Region, _ olds: [LineRecord], _ news: [LineRecord]) -> Double? {
    guard let old = olds.first, let new = news.first, old.source.start == new.source.start, olds.count > 1,
      news.count > 1
    else { return nil }
    let shift = new.inlineShift(from: old)
    guard shift != 0, zip(olds, news).allSatisfy({ $1.inlineShift(from: $0) == shift }) else { return nil }
    return shift
  }

  /// A word was not divided in one of the runs only because the page ends there, and the line had come there, or left, by the
  /// content before it.
  private func isBreakAtPageEnd(_ a: LineRecord, _ b: LineRecord, _ old: Int, _ new: Int) -> Bool {
    guard a.hyphenated != b.hyphenated else { return false }
    let isMoved =
      pages.slotOfOld[Int(lines.old[old].page)] != pages.slotOfNew[Int(lines.new[new].page)]
      || a.blockPosition != b.blockPosition
    func isLast(_ place: Int, _ places: [LinePlace]) -> Bool {
      place + 1 < places.count && places[place + 1].page != places[place].page
    }
    return isMoved && (a.hyphenated ? isLast(new, lines.new) : isLast(old, lines.old))
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
    let slot = slot(ofNew: Int(region.new[0]))
    compareRuns(joined(olds), joined(news), slot: slot, block: block, &found)
    // Spaces, which do not count where lines break, may be all that has another face.
    func facesOfSpaces(_ lines: [LineRecord], _ faces: [Int: Int32]) -> [Int32] {
      lines.flatMap(\.runs).filter { Self.essence($0.text).isEmpty }.compactMap { faces[$0.font] }
    }
    if !found.contains(.font) {
      let (before, after) = (facesOfSpaces(olds, oldFaces), facesOfSpaces(news, newFaces))
      if let from = before.first(where: { !after.contains($0) }), let to = after.first(where: { !before.contains($0) })
      {
        let (key, detail) = table.fontKey(from, to)
        add(key, slot: slot, block: block, source: news[0].source, detail: detail)
        found.insert(.font)
      }
    }
    if found.contains(.font), takeOutSwaps(from: count) { found.remove(.font) }
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

  /// Takes out faces that became each other, among the entries from a place on: the pieces of a formula stand in another order where
  /// it is broken elsewhere.
  ///
  /// - Returns: `true` if no other face is left.
  private mutating func takeOutSwaps(from start: Int) -> Bool {
    func key(_ entry: Entry) -> ChangeKey { table.keys[Int(entry.key)] }
    let faces = Set(entries[start...].map(key).filter { $0.kind == .fontChanged })
    let swaps = faces.filter { face in faces.contains { $0.a == face.b && $0.b == face.a } }
    entries = entries[..<start] + entries[start...].filter { !swaps.contains(key($0)) }
    return swaps == faces
  }

  /// The class of a line's end (UAX #14 in rough classes).
  func breakClass(_ line: LineRecord, next: LineRecord?) -> String {
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
}
