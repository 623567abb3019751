import BoxGeneration
import CSS
import Primitives
import Styling

/// A footnote on its way to a page, or what is left of one.
struct FootnotePart {
  /// In `BoxTree.footnotes`.
  var note: Int
  /// The continuation; nil to start.
  var token: BreakToken?
}

/// The footnotes of a chapter as its pages are made (CSS GCPM 3, section 2).
struct FootnoteFlow {
  /// The share of a page that notes may take from text that has room above them.
  static let mostOfPage = 0.6
  /// Tries at one page; each but the first leaves its text less room.
  static let mostRounds = 12

  /// Notes that earlier pages had no room for, in order.
  var pending: [FootnotePart] = []
  /// By note: whether its mark has been on a page.
  var placed: [Bool]
  /// The latest end of the text of the page being made; nil at the page's end.
  var textEnd: LayoutUnit?
  /// Notes are at the foot of the page made last.
  var areOnPage = false

  init(_ tree: BoxTree) {
    placed = [Bool](repeating: false, count: tree.footnotes.count)
  }

  /// The chapter has no notes.
  var isEmpty: Bool { placed.isEmpty }

  /// The notes to come are the same as before a page.
  func isStalled(since old: [FootnotePart]) -> Bool {
    guard pending.count == old.count else { return false }
    return zip(pending, old).allSatisfy { now, old in
      guard now.note == old.note else { return false }
      guard let token = now.token, let before = old.token else { return now.token == nil && old.token == nil }
      return token.isSamePlace(as: before)
    }
  }
}

/// The mark of a note on the page being made.
struct FootnoteCall {
  /// In `BoxTree.footnotes`.
  var note: Int
  /// The end of the lines down to that of the mark, from the top of the page's area.
  var end: LayoutUnit
}

extension LayoutContext {
  /// Marks on the page being made whose notes have not been on one, in the order of the notes, and where the page's text and
  /// pictures end.
  func footnoteCalls(except placed: [Bool]) -> (calls: [FootnoteCall], textEnd: LayoutUnit) {
    footnoteCalls(in: page.root, except: placed)
  }

  /// The notes of the marks in a float at the edge of a page that have not been on one.
  func footnotes(inPageFloat box: BoxID, except placed: [Bool]) -> [Int] {
    let savepoint = page.savepoint()
    defer { page.rollBack(to: savepoint) }
    var nothing = FlowProgress()
    return footnoteCalls(in: layoutPageFloat(box, in: contentAreaSize, &nothing).result.fragment, except: placed).calls
      .map(\.note)
  }

  private func footnoteCalls(
    in root: FragmentID, except placed: [Bool]
  ) -> (calls: [FootnoteCall], textEnd: LayoutUnit) {
    var calls: [FootnoteCall] = []
    var textEnd = LayoutUnit.zero
    func visit(_ id: FragmentID, _ block: LayoutUnit) {
      let fragment = page[id]
      let end = block + fragment.size.block
      if fragment.kind == .line {
        textEnd = Swift.max(textEnd, end)
        let line = page.line(of: id)
        var index = inputs.footnoteIndex.firstIndex(in: line.text, from: line.range.lowerBound, of: tree)
        while index < inputs.footnoteIndex.notes.count {
          let number = inputs.footnoteIndex.notes[index]
          let note = tree.footnotes[number]
          guard note.text == line.text, note.unit < line.range.upperBound else { break }
          if !placed[number], !fragment.flags.contains(.repeated) { calls.append(FootnoteCall(note: number, end: end)) }
          index += 1
        }
      } else if fragment.kind == .box, tree.boxes[fragment.box.index].content == .replaced {
        textEnd = Swift.max(textEnd, end)
      }
      var child = fragment.firstChild
      while !child.isNone {
        visit(child, block + page[child].offset.block)
        child = page[child].nextSibling
      }
    }
    if !root.isNone { visit(root, page[root].offset.block) }
    calls.sort { ($0.note, $0.end) < ($1.note, $1.end) }
    var last = LayoutUnit.zero
    var kept: [FootnoteCall] = []
    for var call in calls where kept.last?.note != call.note {
      last = Swift.max(last, call.end)
      call.end = last
      kept.append(call)
    }
    return (kept, textEnd)
  }
}

/// The notes of a chapter by the place of their marks.
struct FootnoteIndex {
  let notes: [Int]

  init(_ tree: BoxTree) {
    notes = tree.footnotes.indices.filter { !tree.footnotes[$0].text.isNone }.sorted {
      let (a, b) = (tree.footnotes[$0], tree.footnotes[$1])
      return (a.text.index, a.unit, $0) < (b.text.index, b.unit, $1)
    }
  }

  /// The first note with its mark at a unit of a text or behind it.
  func firstIndex(in text: TextID, from unit: UInt32, of tree: BoxTree) -> Int {
    var low = 0
    var high = notes.count
    while low < high {
      let middle = (low + high) / 2
      let note = tree.footnotes[notes[middle]]
      if (note.text.index, note.unit) < (text.index, unit) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
