/// The lines of a chapter one by one, and the same text broken otherwise.
extension ChapterDiff {
  // MARK: Lines

  mutating func compareLines() {
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
      compare(oldLine(Int(partner)), newLine(line), line: line, slot: slot, block: block)
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

  mutating func addText(
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

  /// What is in the one text and not in the other, between what they begin and end with alike. A character that is missing in
  /// several places, with nothing else between them changed, is told once.
  static func difference(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) -> (lost: String, added: String) {
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
    let (lost, added) = (old[start..<old.count - end], new[start..<new.count - end])
    if let one = onlyScalar(of: lost, without: added) { return (String(one), "") }
    if let one = onlyScalar(of: added, without: lost) { return ("", String(one)) }
    return (text(lost), text(added))
  }

  /// The one scalar that is left out of `text`, wherever it is, to have `rest`; nil where it takes more.
  private static func onlyScalar(
    of text: ArraySlice<Unicode.Scalar>, without rest: ArraySlice<Unicode.Scalar>
  ) -> Unicode.Scalar? {
    var rest = rest
    var only: Unicode.Scalar?
    for scalar in text {
      if scalar == rest.first {
        rest = rest.dropFirst()
      } else if only == nil || only == scalar {
        only = scalar
      } else {
        return nil
      }
    }
    return rest.isEmpty ? only : nil
  }

  private mutating func compare(_ old: LineRecord, _ new: LineRecord, line: Int, slot: Int32, block: Int32) {
    var found = Flags()
    let element = kinds[Int(block)]
    if let before = old.style, let after = new.style {
      knowsStyles = true
      if before != after { changedStyles.insert(new.source.node) }
    }
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
    if let table = new.table, old.table != nil { tables[block] = table }
    if comparePrimaryFaces(old, new, block: block) {
      found.insert(.primaryFace)
      if !found.contains(.font), old.box.height != new.box.height || old.ascent != new.ascent,
        let key = primaryChanges[block]
      {
        change(key)
      }
    }
    let inline = new.inlineShift(from: old)
    if inline != 0, !isMovedByLength(old, new, line: line) {
      found.insert(.moved)
    } else {
      unmovedLines += 1
    }
    blockFlags[Int(block)].formUnion(found)
    slotFlags[Int(slot)].formUnion(found.subtracting(.moved))
  }

  /// Whether lines of a block get their least height from another face.
  private mutating func comparePrimaryFaces(_ old: LineRecord, _ new: LineRecord, block: Int32) -> Bool {
    guard let a = old.primary, let b = new.primary, let from = oldFaces[a], let to = newFaces[b], from != to else {
      return false
    }
    if primaryChanges[block] == nil {
      primaryChanges[block] = ChangeKey(kind: .fontChanged, variant: .line, a: from, b: to)
    }
    return true
  }

  mutating func compareRuns(
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
          let (from, to) = (ChangeTable.normalized(a.size), ChangeTable.normalized(b.size))
          // Of text that is scaled to fit, each piece may have a size of its own.
          let sizes = from == to ? (0, a.size < b.size ? 1 : -1) : (from, to)
          report(ChangeKey(kind: .sizeChanged, a: sizes.0, b: sizes.1, element: kinds[Int(block)]))
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

      let (lost, added) = Self.difference(
        olds.flatMap { Self.essence($0.text) }, news.flatMap { Self.essence($0.text) })
      if !lost.isEmpty || !added.isEmpty {
        addText(
          lost: lost, added: added, variant: .none, like: news[0], slot: slot, block: block, old: olds.map(\.box),
          new: news.map(\.box))
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

  /// How far all lines of a region moved in their own direction; nil where they begin where they did, or not all alike, as
  /// ragged ones that are as long as their text.
  private func shift(of region: LineAlignment.Region, _ olds: [LineRecord], _ news: [LineRecord]) -> Double? {
    guard let old = olds.first, let new = news.first, old.source.start == new.source.start, olds.count > 1,
      news.count > 1
    else { return nil }
    let shift = new.inlineShift(from: old)
    guard shift != 0, zip(olds, news).allSatisfy({ $1.inlineShift(from: $0) == shift }) else { return nil }
    return shift
  }

  /// Whether a word was not divided in one of the runs only because the page ends there, and the line had come there, or
  /// left, by what was before it.
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
        add(
          ChangeKey(kind: .fontChanged, a: from, b: to, script: Script(news[0].text)), slot: slot, block: block,
          source: news[0].source)
        found.insert(.font)
      }
    }
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
