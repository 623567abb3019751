import Layout
import Primitives
import TestSupport

extension WordDocument {
  /// What is wrong with the pages of the document, by the document alone.
  var faults: [String] {
    let inventory = PageInventory(
      of: markup, page: Size(width: LayoutUnit(page.width), height: LayoutUnit(page.height)), isPrinted: isPrinted,
      mostPages: Self.mostPages)
    guard inventory.areas.count < Self.mostPages else { return ["endless: \(Self.mostPages) pages"] }
    let audit = WordDocumentAudit(
      outline: WordDocumentOutline(of: body), inventory: inventory, height: LayoutUnit(page.height),
      isPrinted: isPrinted)
    return inventory.messages.map { "layout: \($0)" } + audit.faults
  }

  /// More than any of the documents has.
  private static let mostPages = 400
}

/// Holds the pages of a document against what is in it.
private struct WordDocumentAudit {
  private let outline: WordDocumentOutline
  private let inventory: PageInventory
  private let height: LayoutUnit
  private let isPrinted: Bool
  /// Where words stand, those of repeated headers left out.
  private let places: [String: [PageInventory.Text]]
  /// The parts of boxes in order, by their names; parts that are repeated left out.
  private let parts: [String: [PageInventory.Part]]

  init(outline: WordDocumentOutline, inventory: PageInventory, height: LayoutUnit, isPrinted: Bool) {
    self.outline = outline
    self.inventory = inventory
    self.height = height
    self.isPrinted = isPrinted
    places = Self.places(of: Set(outline.words.map(\.string)), in: inventory.texts.filter { !$0.isRepeated })
    // A table and the box that holds it with its captions have one name, and the frame is that of the table. What sticks out of a
    // box that has ended stands in a part of it without a frame.
    parts = Dictionary(
      grouping: inventory.parts.filter {
        !$0.isRepeated && !$0.flags.contains(.paintsNothing)
          && ($0.geometry.border != .zero || outline.boxes[$0.id]?.hasFrame != true)
      }, by: \.id)
  }

  /// Where words begin: a word in a narrow column may go on on the lines that follow.
  private static func places(of words: Set<String>, in texts: [PageInventory.Text]) -> [String: [PageInventory.Text]] {
    var places: [String: [PageInventory.Text]] = [:]
    var divided: (start: PageInventory.Text, letters: String)?
    for text in texts {
      let letters = text.string.filter(\.isLetter)
      let (start, word) = divided.map { ($0.start, $0.letters + letters) } ?? (text, letters)
      if words.contains(letters) {
        places[letters, default: []].append(text)
        divided = nil
      } else if words.contains(word) {
        places[word, default: []].append(start)
        divided = nil
      } else if !letters.isEmpty {
        divided = words.contains { $0.hasPrefix(word) } ? (start, word) : (text, letters)
      }
    }
    return places
  }

  var faults: [String] { lostWords + wordsOutside + wordsInDisorder + openFrames + framesWithoutWords + emptyPages }

  private func place(of word: WordDocumentOutline.Word) -> PageInventory.Text? { places[word.string]?.first }

  private var lostWords: [String] {
    outline.words.compactMap { word in
      let count = places[word.string]?.count ?? 0
      return count == 1 ? nil : count == 0 ? "lost: \(word.string)" : "doubled: \(word.string)"
    }
  }

  private var wordsOutside: [String] {
    outline.words.compactMap { word in
      guard let text = place(of: word), text.place.offset.block < .zero || text.place.blockEnd > height,
        !isMovedBeyondStart(text.around, on: text.page)
      else { return nil }
      return
        "outside: \(word.string) on page \(text.page + 1) from \(text.place.offset.block) to \(text.place.blockEnd)"
    }
  }

  /// It stands in a box that its `bottom` puts above the first page, farther up than the page before, or over the start of
  /// its page, which cuts it.
  private func isMovedBeyondStart(_ around: [Int], on page: Int) -> Bool {
    around.contains { number in
      let part = inventory.parts[number]
      guard outline.movedUp.contains(part.id), part.place.offset.block < .zero else { return false }
      return page == 0 || part.place.offset.block < -height || part.place.blockEnd > .zero
    }
  }

  // MARK: Order

  /// Words of a flow follow each other down the pages, and in columns from one to the next.
  private var wordsInDisorder: [String] {
    var last: [Int: (word: WordDocumentOutline.Word, text: PageInventory.Text)] = [:]
    var faults: [String] = []
    for word in outline.words where !word.isRepeated {
      guard let text = place(of: word) else { continue }
      if let before = last[word.flow], !isOrdered((before.word, before.text), (word, text)) {
        faults.append(
          "disorder: \(word.string) on page \(text.page + 1) behind \(before.word.string) on page \(before.text.page + 1)"
        )
      }
      last[word.flow] = (word, text)
    }
    return faults
  }

  private typealias PlacedWord = (word: WordDocumentOutline.Word, text: PageInventory.Text)

  private func isOrdered(_ first: PlacedWord, _ second: PlacedWord) -> Bool {
    guard first.text.page == second.text.page else { return first.text.page < second.text.page }
    for box in first.word.multicols where second.word.multicols.contains(box) {
      // A positioned box may have its containing block around the columns.
      guard let column = self.column(of: first.text, in: box), let other = self.column(of: second.text, in: box) else {
        continue
      }
      if column != other { return column < other }
    }
    return first.text.place.offset.block <= second.text.place.offset.block
  }

  /// The number of the column of a box that a text stands in; nil where the part on its page is not around it.
  private func column(of text: PageInventory.Text, in box: String) -> Int? {
    guard let part = text.around.map({ inventory.parts[$0] }).first(where: { $0.id == box }) else { return nil }
    let edges = part.geometry.border + part.geometry.padding
    let pitch = (part.place.size.inline - edges.inlineSum).pixels / 2
    return Int(((text.place.offset.inline - part.place.offset.inline - edges.lineLeft).pixels / pitch).rounded(.down))
  }

  // MARK: Frames

  /// The frame of a box begins with its start edge, ends with its end edge, stands on every page between, and over no page's end.
  private var openFrames: [String] {
    var faults: [String] = []
    for (id, parts) in parts.sorted(by: { $0.key < $1.key }) where outline.boxes[id]?.hasFrame == true {
      for (number, part) in parts.enumerated() {
        let (isFirst, isLast) = (number == 0, number == parts.count - 1)
        if part.flags.contains(.continuesBefore) == isFirst {
          faults.append("open: \(id) \(isFirst ? "has no start edge" : "begins again") on page \(part.page + 1)")
        }
        if part.flags.contains(.continuesAfter) == isLast {
          faults.append("open: \(id) \(isLast ? "has no end edge" : "ends and goes on") on page \(part.page + 1)")
        }
        if part.place.offset.block < .zero || part.place.blockEnd > height,
          !isMovedBeyondStart(part.around, on: part.page)
        {
          faults.append(
            "open: \(id) stands from \(part.place.offset.block) to \(part.place.blockEnd) on page \(part.page + 1)")
        }
        if !isLast, parts[number + 1].page > part.page + 1,
          (part.page + 1..<parts[number + 1].page).contains(where: { inventory.areas[$0] != nil })
        {
          faults.append("open: \(id) is on page \(part.page + 1), and then on \(parts[number + 1].page + 1)")
        }
      }
    }
    return faults
  }

  /// Borders of a table that is made smaller stay a pixel wide, and cover that much more of it.
  private static let slack = LayoutUnit(0.5)

  /// Words stand between the edges of the frames that hold them.
  private var framesWithoutWords: [String] {
    outline.words.compactMap { word in
      guard !word.isRepeated, let text = place(of: word) else { return nil }
      for id in word.frames {
        guard let part = text.around.map({ inventory.parts[$0] }).last(where: { $0.id == id }) else {
          return "unframed: \(word.string) on page \(text.page + 1), where \(id) is not"
        }
        let isClone = outline.boxes[id]?.value(of: "box-decoration-break") == "clone"
        let edges = part.geometry.border + part.geometry.padding
        let start = isClone || !part.flags.contains(.continuesBefore) ? edges.blockStart : .zero
        // On a screen padding at the end may be cut off with the page: no page is begun for it.
        let last = isPrinted ? edges.blockEnd : part.geometry.border.blockEnd
        let end = isClone || !part.flags.contains(.continuesAfter) ? last : .zero
        if text.place.offset.block < part.place.offset.block + start - Self.slack
          || text.place.blockEnd > part.place.blockEnd - end + Self.slack
        {
          return "unframed: \(word.string) on page \(text.page + 1) sticks out of \(id)"
        }
      }
      return nil
    }
  }

  // MARK: Pages

  private var emptyPages: [String] {
    let shown =
      inventory.texts.filter { !$0.isRepeated }.map(\.page)
      + inventory.parts.filter {
        !$0.isRepeated && $0.place.size.block > .zero && outline.boxes[$0.id]?.hasExtent == true
      }.map(\.page)
    let withContent = Set(shown)
    return inventory.areas.indices.compactMap { page in
      withContent.contains(page) || inventory.areas[page] == nil && outline.asksForSides
        ? nil : "empty: page \(page + 1)"
    }
  }
}
