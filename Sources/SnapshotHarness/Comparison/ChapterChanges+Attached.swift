/// The attached text of the pages of a chapter whose lines are not all as they were, by page.
struct AttachedTexts {
  var old: [Int: AttachedText] = [:]
  var new: [Int: AttachedText] = [:]
}

extension ChapterChanges {
  /// Adds what stands otherwise by lines that have a partner on the pages of `texts`.
  mutating func compare(_ texts: AttachedTexts) {
    let lines = chapter.lines
    for line in lines.new.indices where lines.newPartner[line] != LineAlignment.none {
      let (before, after) = (lines.old[Int(lines.newPartner[line])], lines.new[line])
      guard let old = texts.old[Int(before.page)]?.pieces[Int(before.line)],
        let new = texts.new[Int(after.page)]?.pieces[Int(after.line)]
      else { continue }
      let (oldLine, newLine) = (chapter.oldLine(Int(lines.newPartner[line])), chapter.newLine(line))
      let moves = AttachedText.moves(from: old, in: oldLine, to: new, in: newLine)
      add(moves, slot: Int(chapter.slot(ofNew: line)), newLine)
    }
  }

  /// Adds what stands otherwise on a page whose record is equal.
  ///
  /// - Returns: where that is on the new page.
  mutating func compare(
    _ old: AttachedText, on oldPage: PageRecord, _ new: AttachedText, on newPage: PageRecord, slot: Int
  ) -> [RecordBox] {
    guard oldPage.lines.count == newPage.lines.count else { return [] }
    var boxes: [RecordBox] = []
    for index in newPage.lines.indices {
      guard let before = old.pieces[index], let after = new.pieces[index] else { continue }
      let moves = AttachedText.moves(from: before, in: oldPage.lines[index], to: after, in: newPage.lines[index])
      add(moves, slot: slot, newPage.lines[index])
      boxes += moves.map(\.runBox)
    }
    return boxes
  }

  private mutating func add(_ moves: [AttachedText.Move], slot: Int, _ line: LineRecord) {
    for move in moves {
      removeLinkAreas(at: move.newBox, slot: slot)
      add(
        ChangeKey(
          kind: .moved, variant: .attached, a: ChangeTable.normalized(Double(move.distance) / 64),
          element: move.element, isDown: move.isDown), slot: slot, old: move.oldBox, new: move.newBox,
        source: line.source)
    }
  }
}
