/// The lines of a chapter one by one.
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
    let small = smallText(in: block)
    let isSmall = !record.runs.isEmpty && record.runs.allSatisfy { (isLost ? small.old : small.new).contains($0) }
    addText(
      lost: isLost ? record.text : "", added: isLost ? "" : record.text,
      variant: record.source.start == record.source.end ? .generated : isSmall ? .small : .none, like: record,
      slot: slot, block: block,
      old: isLost ? [record.box] : [], new: isLost ? [] : [record.box])
    blockFlags[Int(block)].insert(.lineCount)
  }

  mutating func addText(
    lost: String, added: String, variant: ChangeKey.Variant, like record: LineRecord, slot: Int32, block: Int32,
    old: [RecordBox], new: [RecordBox]
  ) {
    let element = kinds[Int(block)]
    var key = ChangeKey(kind: lost.isEmpty ? .textAdded : .textLost, variant: variant, element: element)
    let classes = (TextClass(lost), TextClass(added))
    var detail: String?
    if variant == .small {
      // One rule sets them all, whatever they say and wherever they stand.
      key.element = .page
      detail = TextClass.detail(lost: lost, added: added, variant: variant, in: element)
    } else if classes.0 == .passage || classes.1 == .passage {
      key.variant = .whole
    } else {
      if !lost.isEmpty, !added.isEmpty { key.variant = .became }
      // Marks of notes and numbers are of one kind wherever they stand.
      if variant != .marker, classes.0 == .number && added.isEmpty || classes.1 == .number && lost.isEmpty {
        key.element = .page
      }
      detail = TextClass.detail(lost: lost, added: added, variant: variant, in: element)
    }
    let isOfClass = key.variant != .whole && key.variant != .small
    key.a = table.string(isOfClass ? classes.0.rawValue : "")
    key.b = table.string(isOfClass ? classes.1.rawValue : "")
    for index in 0..<max(old.count, new.count) {
      add(
        key, slot: slot, block: block, old: index < old.count ? old[index] : nil,
        new: index < new.count ? new[index] : nil, source: record.source, detail: detail)
    }
    blockFlags[Int(block)].insert(.text)
    slotFlags[Int(slot)].insert(.text)
  }

  /// The text without what depends on where lines break.
  static func essence(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { !$0.properties.isWhitespace && $0.value != 0xAD && $0.value != 0x200B }
  }

  /// Text that only one of two runs has.
  struct TextChange {
    var lost = ""
    var added = ""
    var variant = ChangeKey.Variant.none
    var isEmpty: Bool { lost.isEmpty && added.isEmpty }
  }

  /// The text that only one run has of the same lines, whose ends do not count.
  mutating func textChange(_ olds: [LineRecord], _ news: [LineRecord], block: Int32) -> TextChange {
    let (before, after) = (olds.flatMap { Self.essence($0.text) }, news.flatMap { Self.essence($0.text) })
    if before == after { return TextChange() }
    let (oldRuns, newRuns) = (olds.flatMap(\.runs), news.flatMap(\.runs))
    let small = smallText(in: block)
    if let lost = small.old.lost(from: oldRuns, leaving: newRuns) { return TextChange(lost: lost, variant: .small) }
    if let added = small.new.lost(from: newRuns, leaving: oldRuns) { return TextChange(added: added, variant: .small) }
    let (lost, added) = Self.difference(before, after)
    return TextChange(lost: lost, added: added)
  }

  /// The parts of the one text that the other does not have, between their common beginning and end. A character that is missing
  /// in several places, with nothing else between them changed, is told once.
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
    if let numbers = onlyNumbers(of: lost, without: added) { return (numbers, "") }
    if let numbers = onlyNumbers(of: added, without: lost) { return ("", numbers) }
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

  /// The numbers and marks that are left out of `text` to have `rest`, each in its place; nil where anything else is.
  private static func onlyNumbers(
    of text: ArraySlice<Unicode.Scalar>, without rest: ArraySlice<Unicode.Scalar>
  ) -> String? {
    var rest = rest
    var numbers = String.UnicodeScalarView()
    for scalar in text {
      if scalar == rest.first {
        rest = rest.dropFirst()
      } else if TextClass.isOfNumbers(scalar) {
        if numbers.count < TextClass.longest { numbers.append(scalar) }
      } else {
        return nil
      }
    }
    return rest.isEmpty ? String(numbers) : nil
  }

  private mutating func compare(_ old: LineRecord, _ new: LineRecord, line: Int, slot: Int32, block: Int32) {
    var found = Flags()
    let element = kinds[Int(block)]
    if let before = old.style, let after = new.style {
      knowsStyles = true
      if before != after { changedStyles.insert(new.source.node) }
    }
    if old.text != new.text {
      var change = textChange([old], [new], block: block)
      if change.isEmpty {
        (change.lost, change.added) = Self.difference(Array(old.text.unicodeScalars), Array(new.text.unicodeScalars))
      }
      if !change.isEmpty {
        addText(
          lost: change.lost, added: change.added, variant: change.variant, like: new, slot: slot, block: block,
          old: [old.box], new: [new.box])
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
    if old.dir == new.dir, old.writing != new.writing, old.isTurnedWithTable(to: new) {
      change(ChangeKey(kind: .tableGeometry, variant: .turned, element: .table))
      found.insert(.text)
    } else if old.dir != new.dir || old.writing != new.writing {
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
      let (key, detail) = breakKey(breakClass(old, next: nil), breakClass(new, next: nil), element)
      add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source, detail: detail)
      found.insert(.lineBreak)
    }
    // The pieces of another text do not lie side by side.
    if !found.contains(.text) { compareRuns(old, new, slot: slot, block: block, &found) }
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

  /// Lines of a block get their least height from another face.
  mutating func comparePrimaryFaces(_ old: LineRecord, _ new: LineRecord, block: Int32) -> Bool {
    guard let a = old.primary, let b = new.primary, let from = oldFaces[a], let to = newFaces[b], from != to else {
      return false
    }
    if primaryChanges[block] == nil {
      primaryChanges[block] = table.fontKey(from, to).key
    }
    return true
  }

  /// The sizes in 1/64 px that the styles give the text of two runs, as `ChangeKey` tells them; nil where they are equal, which is
  /// told as far as rounding lets it: a table is scaled after its text was sized.
  private static func sizes(
    of a: RunRecord, in old: LineRecord, and b: RunRecord, in new: LineRecord
  ) -> (old: Int32, new: Int32)? {
    let scales = (old: old.scale ?? 1, new: new.scale ?? 1)
    guard scales.old > 0, scales.new > 0 else { return nil }
    let sizes = (old: a.size / scales.old, new: b.size / scales.new)
    // Sizes are written in steps of 1/64, scales in thousandths.
    let rounding = (1.0 / 64 + max(sizes.old, sizes.new) / 1000) / min(scales.old, scales.new)
    if scales != (1, 1), abs(sizes.old - sizes.new) <= rounding { return nil }
    let (from, to) = (ChangeTable.normalized(sizes.old), ChangeTable.normalized(sizes.new))
    // Of text that is made to fit, each piece may have a size of its own.
    return from == to ? (0, sizes.old < sizes.new ? 1 : -1) : (from, to)
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
        func report(_ key: ChangeKey, _ detail: String? = nil) {
          let number = table.number(of: key)
          if reported.insert(number).inserted {
            add(key, slot: slot, block: block, old: old.box, new: new.box, source: new.source, detail: detail)
          }
        }
        if let from = oldFaces[a.font], let to = newFaces[b.font], from != to {
          let (key, detail) = table.fontKey(from, to)
          report(key, detail)
          found.insert(.font)
        }
        // Another face may need other sizes, as small capitals that it does not have.
        if a.size != b.size, !found.contains(.font) {
          if old.scale != new.scale {
            report(ChangeKey(kind: .tableGeometry, variant: .scaled, element: .table))
          }
          if let sizes = Self.sizes(of: a, in: old, and: b, in: new) {
            report(ChangeKey(kind: .sizeChanged, a: sizes.old, b: sizes.new, element: kinds[Int(block)]))
          }
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
}
