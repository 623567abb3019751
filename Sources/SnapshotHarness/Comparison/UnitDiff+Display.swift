import Primitives
import RasterRendering

/// Differences of pages whose records do not tell them: pixels and display lists (4.5).
extension UnitDiff {
  /// Level B differs and level C finds nothing: the pixels decide whether, and the display lists what (4.5).
  mutating func compareEqualRecords(_ changes: inout ChapterChanges, _ pairs: SharedPairs) {
    let chapter = changes.chapter
    for (index, slot) in chapter.pages.slots.enumerated() where changes.isQuiet(slot: index) {
      guard let i = slot.old, let j = slot.new else { continue }
      let (a, b) = (chapter.oldPages[i], chapter.newPages[j])
      let (oldHash, newHash) = (old.result.pages[a.number - 1].display, new.result.pages[b.number - 1].display)
      let hidden = oldHidden[a.number, default: []] + newHidden[b.number, default: []]
      if oldHash == newHash {
        if oldHash != 0, hidden.isEmpty { compareRecordTexts(a.number, b.number, slot: index, to: &changes) }
        continue
      }
      let (oldDisplay, newDisplay) = (old.displayList(of: a.number), Self.display(b.number, of: new, newFaceKeys))
      // Old pages may be drawn from the font that is there now.
      let hasOtherOutlines = newDisplay.flatMap { new in oldDisplay.map { !new.facesDrawnOtherwise(than: $0).isEmpty } }
      var pixelBoxes: [RecordBox]?
      if hasOtherOutlines != true, let before = old.bitmap(of: a.number), let after = new.bitmap(of: b.number) {
        let scale = settings.scale
        let difference = PixelDifference(
          before, after, tolerance: settings.tolerance,
          masks: hidden.map {
            RecordBox(x: $0.x * scale, y: $0.y * scale, width: $0.width * scale, height: $0.height * scale)
          })
        if difference.isWithin(settings.tolerance) {
          if before.pixels != after.pixels { toleratedPages += 1 }
          continue
        }
        pixelBoxes = difference.boxes.map {
          RecordBox(x: $0.x / scale, y: $0.y / scale, width: $0.width / scale, height: $0.height / scale)
        }
      }
      var findings: [DisplayDiff.Finding] = []
      if let before = oldDisplay, let after = newDisplay, let known = pairs.known {
        findings = DisplayDiff(before, after, pairs: known).findings.filter { finding in
          guard let box = finding.newBox ?? finding.oldBox else { return true }
          return !hidden.contains { $0.contains(box) }
        }
      }
      var isKnown = !findings.isEmpty
      if let before = oldDisplay, let after = newDisplay {
        let moved = changes.compare(
          AttachedText(before, a), on: a, AttachedText(after, b), on: b, slot: index)
        if !moved.isEmpty { isKnown = true }
        findings.removeAll { $0.isPlace(of: moved) }
      }
      explainSpacing(&findings, on: b, chapter)
      if findings.isEmpty, !isKnown {
        let element = (pixelBoxes?.first).flatMap { box in Self.line(at: box, of: b) }.map(chapter.kind) ?? .page
        let key = ChangeKey(kind: .pixelsOnly, a: changes.table.string(""), element: element)
        for box in pixelBoxes ?? [] { changes.add(key, slot: index, old: box, new: box) }
        if pixelBoxes?.isEmpty ?? true { changes.add(key, slot: index, old: nil, new: nil) }
      }
      for finding in findings { add(finding, slot: index, page: b, letters: pairs.known?.letters ?? [:], to: &changes) }
    }
  }

  /// Names what the records of two pages tell otherwise beside lines, pictures and links, which are compared before.
  private func compareRecordTexts(_ a: Int, _ b: Int, slot: Int, to changes: inout ChapterChanges) {
    guard settings.comparesRecords, old.result.pages[a - 1].record != new.result.pages[b - 1].record else { return }
    let field = old.recordText(of: a).flatMap { before in
      new.recordText(of: b).flatMap { RecordHash.firstDifference(before, $0) }
    }
    changes.add(
      ChangeKey(kind: .recordChanged, a: changes.table.string(field ?? "")), slot: slot, old: nil, new: nil)
  }

  /// Takes out what spaces do in blocks with other glyphs: they make up for these.
  func explainSpacing(_ findings: inout [DisplayDiff.Finding], on page: PageRecord, _ chapter: ChapterDiff) {
    func node(_ finding: DisplayDiff.Finding) -> String? {
      finding.baseline.flatMap { baseline in page.lines.first { GlyphPairs.baseline($0) == baseline } }?.source.node
    }
    let others = Set(
      findings.compactMap { finding in if case .glyph = finding.kind { node(finding) } else { nil } })
    findings.removeAll { finding in
      guard case .spacing = finding.kind, let node = node(finding) else { return false }
      let flags = chapter.lines.blocks[node].map { chapter.blockFlags[Int($0)] } ?? []
      return others.contains(node) || !flags.isDisjoint(with: .deep)
    }
  }

  /// Compares what is drawn besides the text of lines on pages whose lines changed or moved.
  func compareShapes(_ changes: inout ChapterChanges) {
    let chapter = changes.chapter
    var styles = ShapeStyles()
    var texts = AttachedTexts()
    for (index, slot) in chapter.pages.slots.enumerated() where !changes.isQuiet(slot: index) {
      if let page = slot.old {
        guard let display = old.displayList(of: chapter.oldPages[page].number) else { return }
        styles.addOld(display, slot: index)
        texts.old[page] = AttachedText(display, chapter.oldPages[page])
      }
      if let page = slot.new {
        guard let display = Self.display(chapter.newPages[page].number, of: new, newFaceKeys) else { return }
        styles.addNew(display, slot: index)
        texts.new[page] = AttachedText(display, chapter.newPages[page])
      }
    }
    let explainsThickness = chapter.blockFlags.contains { !$0.isDisjoint(with: [.font, .size]) }
    for finding in styles.findings(explainsThickness: explainsThickness) {
      let key: ChangeKey
      switch finding.kind {
      case .color(let before, let after):
        let (a, b) = (changes.table.string(before.description), changes.table.string(after.description))
        // Lines and borders have the colour of their text where they have none of their own.
        if changes.has(ChangeKey(kind: .colour, a: a, b: b)) { continue }
        key = ChangeKey(kind: .colour, variant: .box, a: a, b: b)
      case .box: key = ChangeKey(kind: .pixelsOnly, variant: .box, a: changes.table.string(""))
      default: key = ChangeKey(kind: .pixelsOnly, variant: .shape, a: changes.table.string(""))
      }
      changes.add(key, slot: finding.slot, old: finding.oldBox, new: finding.newBox)
    }
    changes.compare(texts)
  }

  static func line(at box: RecordBox, of page: PageRecord) -> LineRecord? {
    let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
    return page.lines.first {
      y >= $0.box.y && y <= $0.box.y + $0.box.height && x >= $0.box.x - 1 && x <= $0.box.x + $0.box.width + 1
    } ?? page.lines.first { y >= $0.box.y && y <= $0.box.y + $0.box.height }
  }

  mutating func add(
    _ finding: DisplayDiff.Finding, slot: Int, page: PageRecord, letters: [UInt64: GlyphPairs.Letters],
    to changes: inout ChapterChanges
  ) {
    let box = finding.newBox ?? finding.oldBox
    let line =
      finding.baseline.flatMap { baseline in page.lines.first { GlyphPairs.baseline($0) == baseline } }
      ?? box.flatMap { Self.line(at: $0, of: page) }
    let element = line.map(changes.chapter.kind) ?? .page
    let run = line?.runs.last { run in box.map { run.x <= $0.x + 0.5 } ?? true } ?? line?.runs.first
    let face = run.flatMap { newFaces[$0.font] } ?? changes.table.string("")
    func string(_ text: String) -> Int32 { changes.table.string(text) }
    let key: ChangeKey
    var detail: String?
    switch finding.kind {
    case .font(let before, let after):
      let (from, to) = (faceNames[before] ?? face, faceNames[after] ?? face)
      // One name is one file: its instance, palette or slant is another, or its content.
      (key, detail) =
        from == to ? changes.table.glyphKey(face: to, GlyphPairs.Letters()) : changes.table.fontKey(from, to)
    case .glyph:
      let own = finding.face.flatMap { letters[$0] } ?? GlyphPairs.Letters()
      (key, detail) = changes.table.glyphKey(face: finding.face.flatMap { faceNames[$0] } ?? face, own)
    case .spacing: key = ChangeKey(kind: .spacing, element: element)
    case .color(let old, let new):
      key = ChangeKey(
        kind: .colour, variant: finding.baseline == nil ? .box : .none, a: string(old.description),
        b: string(new.description))
    case .image: key = ChangeKey(kind: .image, variant: .scaled, element: .figure)
    case .box:
      // The boxes of inline elements are as high as their first face.
      key =
        line.flatMap { changes.primaryChange(of: $0) }
        ?? ChangeKey(kind: .pixelsOnly, variant: .box, a: string(""), element: element)
    case .shape: key = ChangeKey(kind: .pixelsOnly, variant: .shape, a: string(""), element: element)
    }
    changes.add(key, slot: slot, old: finding.oldBox, new: finding.newBox, source: line?.source, detail: detail)
  }
}
