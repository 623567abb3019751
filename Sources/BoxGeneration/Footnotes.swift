import CSS
import Markup
package import Primitives
import Styling
import Text

/// A note that stands at the foot of the page of its mark (CSS GCPM 3, section 2).
package struct Footnote: Sendable {
  package var box: BoxID
  /// The paragraph of the mark; `.none` where no mark is left.
  package var text = TextID.none
  /// A UTF-16 unit of the mark in that paragraph.
  package var unit: UInt32 = 0
}

/// The footnotes met so far.
struct FootnoteState {
  var notes: [Footnote] = []
  var area = BoxID.none
  var separator = BoxID.none
  /// A note is being filled whose marker has not been placed, and the frame its content is in.
  var pendingMarker: (node: NodeID, frame: Int)?
  /// Notes do not stand at the foot of notes.
  var isInNote = false
  /// The notes of the book that have been set aside.
  var moved: Set<NodeID> = []
}

extension BoxGenerator {
  // MARK: float: footnote

  /// Leaves the mark of a note in the text and sets the note aside.
  mutating func footnote(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display,
    _ replaced: ReplacedContent?
  ) {
    guard pseudo == nil, !footnotes.isInNote, rubies.annotationDepth == 0 else {
      if let replaced {
        atomicInline(node, pseudo, style, traits, display, replaced)
      } else {
        inlineBox(node, pseudo, style, traits)
      }
      return
    }
    let isCounted = tree.table.boxes[style.box.index].counterIncrement.contains { $0.name == "footnote" }
    if !isCounted { numbering.counters.increment("footnote", by: 1, level: openBoxes.depth) }
    if let style = tree.style(of: node, .footnoteCall) {
      place(node, .footnoteCall, style, boxTraits[style.box.index], nil)
    }
    makeNote(node, style, traits, display.blockified, replaced, isMarked: true)
  }

  /// Makes the box of a note whose mark has just been placed.
  private mutating func makeNote(
    _ node: NodeID, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display, _ replaced: ReplacedContent?,
    isMarked: Bool
  ) {
    var note = Footnote(box: .none)
    var parent = BoxID(0)
    if !openBoxes.frames.isEmpty {
      guard enter(.inline) else { return }
      let builder = inlineContext()
      parent = openBoxes.builders[builder].container
      note.unit = UInt32(max(0, openBoxes.builders[builder].count - 1))
      openBoxes.builders[builder].footnotes.append(footnotes.notes.count)
    }
    let number = footnotes.notes.count
    footnotes.notes.append(note)
    let kind = kinds.kind(display, traits)
    var flags: BoxFlags = .footnote
    if kind != .block || display == .flowRoot { flags.insert(.formattingContext) }
    let box = makeBox(kind, node, nil, style, flags, parent: parent)
    footnotes.notes[number].box = box
    let savedDecorations = openBoxes.decorations
    let savedMarker = footnotes.pendingMarker
    openBoxes.decorations = 0
    decorate(style, traits, box: box)
    footnotes.isInNote = true
    // A list item shows its number inside: there is no list around it to make room.
    if isMarked || display.isBlockListItem { footnotes.pendingMarker = (node, openBoxes.frames.count) }
    letterScope(node, nil, isBlockContainer: kind == .block || kind == .columns) {
      $0.complete(box, display.isBlockListItem ? .block : display, node, nil, style, replaced)
    }
    footnotes.isInNote = false
    footnotes.pendingMarker = savedMarker
    openBoxes.decorations = savedDecorations
  }

  /// Begins the first line of a note with its marker.
  mutating func footnoteMarker() {
    guard let (node, frame) = footnotes.pendingMarker, openBoxes.frames.count > frame else { return }
    footnotes.pendingMarker = nil
    guard let style = tree.style(of: node, .footnoteMarker) else {
      insideMarker(node, nil, tree.styles[node.index])
      return
    }
    let builder = inlineContext()
    let box = makeBox(.inline, node, .footnoteMarker, style, [], parent: inlineParent(builder))
    let attribute = attributes.attributes(of: style, decorations: openBoxes.decorations)
    openBoxes.builders[builder].mark(.open, attribute, box)
    generatedContent(node, .footnoteMarker, style)
    openBoxes.builders[builder].mark(.close, attribute, box)
  }

  /// Remembers where the marks of notes are in a text that has just been finished.
  mutating func anchorFootnotes(of builder: Int, in text: TextID) {
    let count = boxTree.texts.texts[text.index].units.count
    for note in openBoxes.builders[builder].footnotes {
      footnotes.notes[note].text = text
      footnotes.notes[note].unit = min(footnotes.notes[note].unit, UInt32(max(0, count - 1)))
    }
  }

  /// Places notes that no mark has asked for, and makes the boxes around notes.
  mutating func finishFootnotes() {
    for note in documentNotes.targets.values.sorted() { moveNote(note) }
    guard !footnotes.notes.isEmpty, let styles = tree.footnotes else { return }
    // They are no boxes of the root element, to which they belong for want of another.
    footnotes.area = makeBox(
      .block, document.root, .footnoteMarker, styles.area, .formattingContext, parent: BoxTree.root)
    footnotes.separator = makeBox(
      .block, document.root, .footnoteMarker, styles.separator, .formattingContext, parent: footnotes.area)
  }

  // MARK: The book's own notes

  /// Sets a note of the book aside, whose reference has just been placed.
  mutating func moveNote(_ node: NodeID) {
    guard !footnotes.isInNote, rubies.annotationDepth == 0, footnotes.moved.insert(node).inserted else { return }
    let style = tree.styles[node.index]
    let traits = boxTraits[style.box.index]
    let mark = numbering.counters.nestedMark
    let display = traits.role == .none || traits.role.isTablePart ? Display.block : traits.display.blockified
    if display.isBlockListItem { countItem(node) }
    makeNote(node, style, traits, display, nil, isMarked: false)
    numbering.counters.closeNested(to: mark)
  }

  /// Sets the counter of list items to an item's place in its list, wherever the item is shown.
  private mutating func countItem(_ node: NodeID) {
    numbering.counters.reset("list-item", to: document.ordinal(ofItem: node), level: openBoxes.depth + 1)
  }
}
