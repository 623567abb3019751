/// Images and links, and the faults of a page.
extension ChapterDiff {
  // MARK: Images and links

  mutating func compareObjects() {
    let lineEntries = Dictionary(grouping: entries.indices, by: { entries[$0].slot })
    // Of a chapter with vertical lines, pages of images alone are taken for vertical ones too.
    let isVertical = newPages.contains { $0.lines.contains(where: \.isVertical) }
    let oldImages = gather(oldPages, pages.slotOfOld, \.images)
    let newImages = gather(newPages, pages.slotOfNew, \.images)
    // Those of the same element belong together; what is left, as far as it is the same image, in order.
    func element(_ image: Placed) -> String { "\(image.record.source ?? "") \(image.record.href)" }
    var waiting: [String: [Placed]] = [:]
    for image in oldImages.reversed() { waiting[element(image), default: []].append(image) }
    let partners = newImages.map { waiting[element($0)]?.popLast() }
    let left = Dictionary(grouping: waiting.values.joined(), by: \.record.href)
    waiting = left.mapValues { $0.sorted { ($0.slot, $0.record.box.y) > ($1.slot, $1.record.box.y) } }
    for (image, partner) in zip(newImages, partners) {
      guard let old = partner ?? waiting[image.record.href]?.popLast() else {
        addImage(.added, slot: image.slot, new: image.record)
        continue
      }
      let (a, b) = (old.record, image.record)
      if old.slot != image.slot { slotFlags[Int(image.slot)].insert(.membership) }
      if a.missing != b.missing {
        addImage(b.missing == true ? .missing : .found, slot: image.slot, old: a, new: b)
      } else if a.box.width != b.box.width || a.box.height != b.box.height {
        // Content that stands for a missing image is text.
        let isText = b.missing == true && isMovedWithText(b)
        if isText || isFitted(a.box, b.box, isVertical: isVertical) {
          slotFlags[Int(image.slot)].insert(.reflow)
          continue
        }
        addImage(.scaled, slot: image.slot, old: a, new: b)
      } else if a.alt != b.alt {
        addImage(b.alt == nil ? .alternativeLost : .alternative, slot: image.slot, old: a, new: b)
      } else {
        let (x, y) = (b.box.x - a.box.x, b.box.y - a.box.y)
        if (isVertical ? x : y) != 0 { slotFlags[Int(image.slot)].insert(.reflow) }
        let delta = isVertical ? y : x
        if delta != 0, !isMovedWithText(b), !isExplained(delta, a.box, b.box, lineEntries[image.slot] ?? []) {
          if isMarker(image) {
            add(
              ChangeKey(
                kind: .moved, variant: .attached, a: ChangeTable.normalized(delta), element: .marker,
                isDown: isVertical), slot: image.slot, old: a.box, new: b.box)
          } else {
            addImage(.displaced, slot: image.slot, old: a, new: b, delta: delta, isDown: isVertical)
          }
        }
      }
    }
    for image in oldImages {
      // An image left in the waiting list was lost; it is named once for each.
      guard waiting[image.record.href]?.popLast() != nil else { continue }
      addImage(.lost, slot: image.slot, old: image.record)
    }

    compareLinks()
    compareLinkAreas()
  }

  /// An image of no element, beside a line of a list item.
  private func isMarker(_ image: Placed) -> Bool {
    guard image.record.source == nil, let page = pages.slots[Int(image.slot)].new else { return false }
    return newPages[page].lines.contains {
      ($0.marker != nil || kind(of: $0) == .listItem) && $0.isBeside(image.record.box)
    }
  }

  /// An image or a link on the page pair of a slot.
  private struct Placed {
    var slot: Int32
    var record: PlacedRecord
  }

  private func gather(
    _ records: [PageRecord], _ slots: [Int], _ list: (PageRecord) -> [PlacedRecord]
  ) -> [Placed] {
    records.enumerated().flatMap { page, record in
      list(record).map { Placed(slot: Int32(slots[page]), record: $0) }
    }
  }

  private mutating func compareLinks() {
    let retargeted = compareTargets()
    var oldLinks: [String: Placed] = [:]
    for link in gather(oldPages, pages.slotOfOld, \.links) where oldLinks[link.record.href] == nil {
      oldLinks[link.record.href] = link
    }
    var newLinks: Set<String> = []
    for link in gather(newPages, pages.slotOfNew, \.links) where newLinks.insert(link.record.href).inserted {
      if oldLinks[link.record.href] == nil, !retargeted.contains(link.record) {
        addLink(.added, link.record, slot: link.slot)
      }
    }
    for link in oldLinks.values.filter({ !newLinks.contains($0.record.href) && !retargeted.contains($0.record) })
      .sorted(by: { ($0.slot, $0.record.href) < ($1.slot, $1.record.href) })
    {
      addLink(.lost, link.record, slot: link.slot)
    }
  }

  /// Finds links that lead elsewhere from the same area of a page.
  ///
  /// - Returns: Those of both runs.
  private mutating func compareTargets() -> Set<PlacedRecord> {
    var found: Set<PlacedRecord> = []
    for (index, slot) in pages.slots.enumerated() {
      guard let old = slot.old, let new = slot.new, oldPages[old].links != newPages[new].links else { continue }
      let before = Dictionary(oldPages[old].links.map { ($0.box, $0) }, uniquingKeysWith: { first, _ in first })
      for link in newPages[new].links {
        guard let other = before[link.box], other.href != link.href else { continue }
        found.formUnion([other, link])
        let empty = table.string("")
        add(
          ChangeKey(kind: .link, variant: .became, a: empty, b: empty), slot: Int32(index), old: other.box,
          new: link.box, detail: "link to \(other.href) leads to \(link.href)")
      }
    }
    return found
  }

  /// A link that came or went for another reason than its text.
  private mutating func addLink(_ variant: ChangeKey.Variant, _ link: PlacedRecord, slot: Int32) {
    let isLost = variant == .lost
    let isOfText = entries.contains { entry in
      guard abs(entry.slot - slot) <= 1, [.textLost, .textAdded].contains(table.keys[Int(entry.key)].kind),
        let box = isLost ? entry.oldBox : entry.newBox
      else { return false }
      return box.y < link.box.y + link.box.height && link.box.y < box.y + box.height
    }
    if isOfText { return }
    let empty = table.string("")
    add(
      ChangeKey(kind: .link, variant: variant, a: empty, b: empty), slot: slot, old: isLost ? link.box : nil,
      new: isLost ? nil : link.box, detail: "link to \(link.href) \(isLost ? "gone" : "added")")
  }

  private mutating func addImage(
    _ variant: ChangeKey.Variant, slot: Int32, old: PlacedRecord? = nil, new: PlacedRecord? = nil, delta: Double = 0,
    isDown: Bool = false
  ) {
    add(
      ChangeKey(
        kind: .image, variant: variant, a: ChangeTable.normalized(delta), element: .figure, isDown: isDown),
      slot: slot, old: old?.box, new: new?.box)
    if ![.displaced, .alternative, .alternativeLost].contains(variant) { slotFlags[Int(slot)].insert(.image) }
  }

  /// An image stands in a line of a block whose text is another, stands otherwise or breaks elsewhere, or in a table with columns
  /// of other widths.
  private func isMovedWithText(_ image: PlacedRecord) -> Bool {
    var path = (image.source ?? "")[...]
    while let slash = path.lastIndex(of: "/") {
      let place = path
      path = path[..<slash]
      guard let block = lines.blocks[String(place)] else { continue }
      let flags = blockFlags[Int(block)].union(tables[block].flatMap { tableFlags[$0] } ?? [])
      return !flags.isDisjoint(
        with: Flags.deep.union([.advance, .lineBreak, .moved, .spacing, .lineCount, .primaryFace]))
    }
    return false
  }

  /// An image only takes the room that is left on its page: one that begins elsewhere and ends where it ended, of the same shape.
  private func isFitted(_ old: RecordBox, _ new: RecordBox, isVertical: Bool) -> Bool {
    guard old.height > 0, new.height > 0, abs(old.width / old.height - new.width / new.height) < 0.01 else {
      return false
    }
    func ends(_ box: RecordBox) -> (start: Double, end: Double) {
      isVertical ? (box.x + box.width, box.x) : (box.y, box.y + box.height)
    }
    let (a, b) = (ends(old), ends(new))
    return a.start != b.start && abs(a.end - b.end) < 0.5
  }

  /// Lines at the height of an object moved as it did, or changed otherwise.
  private func isExplained(_ delta: Double, _ old: RecordBox, _ new: RecordBox, _ candidates: [Int]) -> Bool {
    candidates.contains { index in
      let entry = entries[index]
      func overlaps(_ a: RecordBox?, _ b: RecordBox) -> Bool {
        guard let a else { return false }
        return a.y < b.y + b.height && b.y < a.y + a.height
      }
      if overlaps(entry.oldBox, old) || overlaps(entry.newBox, new) { return true }
      if table.keys[Int(entry.key)].kind == .moved, let a = entry.oldBox, let b = entry.newBox {
        return b.x - a.x == delta || b.y - a.y == delta
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

  mutating func findOverflows() {
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

  mutating func findEmptyPages() {
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
