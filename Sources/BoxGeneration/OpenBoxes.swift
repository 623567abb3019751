import CSS
import Markup
import Primitives
import Styling
import Text

/// A box that is being filled: its children so far, and its open inline formatting context.
struct OpenBox {
  enum Kind: UInt8 {
    case block
    /// The frame of a flex or grid container or of a part of a formula, whose children are blockified items.
    case flex
    case table, rowGroup, row, columnGroup, column
  }
  var box: BoxID
  var kind: Kind
  /// Inline content stands among blocks, so it goes into anonymous block boxes.
  var wrapsInline: Bool
  /// Block-level boxes are treated as inline ones: the annotation of a ruby base.
  var isInlineOnly = false
  /// Index of the open inline formatting context in `builders`; negative when there is none.
  var builder = -1
  var lastChild = BoxID.none
  /// The start in `inlineStack` of the inline boxes open in this frame, and up to where they have been opened in the
  /// context.
  var inlineBase: Int
  var opened: Int
  var style: ComputedStyle
  var node: NodeID
}

/// An inline element whose end has not been met.
struct OpenInline {
  var node: NodeID
  var pseudo: PseudoElement?
  var style: ComputedStyle
  /// Its box in the open inline formatting context.
  var box = BoxID.none
  /// An earlier context holds a part of it.
  var hasPart = false
  /// The decorations of its content once known: an index of `AttributeTable.decorations`.
  var decorations: UInt32
  var hasOwnDecorations = false
}

extension BoxGenerator {
  // MARK: Boxes

  mutating func makeBox(
    _ kind: BoxKind, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ flags: BoxFlags, parent: BoxID
  ) -> BoxID {
    var box = Box(kind: kind, flags: flags, style: style, node: node, parent: parent)
    box.pseudo = pseudo
    boxTree.boxes.append(box)
    return BoxID(boxTree.boxes.count - 1)
  }

  /// Makes `box` the last child of a frame's box.
  mutating func link(_ box: BoxID, to frame: Int) {
    let last = openBoxes.frames[frame].lastChild
    if last.isNone {
      boxTree.boxes[openBoxes.frames[frame].box.index].firstChild = box
    } else {
      boxTree.boxes[last.index].nextSibling = box
    }
    openBoxes.frames[frame].lastChild = box
  }

  /// Records that a float lies in `parent`, up to the formatting context that holds it.
  mutating func noteFloat(in parent: BoxID) {
    var box = parent
    while !box.isNone, !boxTree.boxes[box.index].flags.contains(.hasFloats) {
      boxTree.boxes[box.index].flags.insert(.hasFloats)
      if boxTree.boxes[box.index].flags.contains(.formattingContext) { return }
      box = boxTree.boxes[box.index].parent
    }
  }

  private func openBoxKind(_ kind: BoxKind) -> OpenBox.Kind {
    switch kind {
    case .table: .table
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: .rowGroup
    case .tableRow: .row
    case .tableColumnGroup: .columnGroup
    case .tableColumn: .column
    case .flex, .grid, .math: .flex
    case .block, .inline, .rubyBase, .tableCaption, .tableCell, .columns, .marker: .block
    }
  }

  // MARK: Filling

  mutating func pushFrame(_ box: BoxID, wrapsInline: Bool, style: ComputedStyle, node: NodeID) {
    openBoxes.frames.append(
      OpenBox(
        box: box, kind: openBoxKind(boxTree.boxes[box.index].kind), wrapsInline: wrapsInline,
        inlineBase: openBoxes.inlineStack.count,
        opened: openBoxes.inlineStack.count, style: style, node: node))
  }

  /// Generates an element's or pseudo-element's content into its box.
  mutating func fill(_ box: BoxID, _ display: Display, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle)
  {
    let savedReal = openBoxes.realFrame
    let kind = boxTree.boxes[box.index].kind
    let wraps =
      kind.holdsItems || kind == .math || holdsColumns(kind, style)
      || (pseudo == nil && blocks.containsBlock(node))
    pushFrame(box, wrapsInline: wraps, style: style, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    if display.isBlockListItem { listMarker(of: box, node, pseudo, style) }
    if kind == .table, document.nodes[node.index].namespace == .mathML {
      boxTree.mathTables[box] = MathTableAlignment(attribute: document.attributeValue(.align, of: node))
    }
    content(node, pseudo, style)
    popFrames(to: openBoxes.realFrame)
    if display.isBlockListItem { markEmptyItem(box) }
    closeFrame()
    openBoxes.realFrame = savedReal
  }

  /// Gives a list item without content a line for its marker to stand beside.
  private mutating func markEmptyItem(_ box: BoxID) {
    let top = openBoxes.frames.count - 1
    let marker = boxTree.boxes[box.index].marker
    guard !marker.isNone, openBoxes.frames[top].builder < 0,
      openBoxes.frames[top].lastChild.isNone || !openBoxes.frames[top].wrapsInline
    else {
      return
    }
    let builder = inlineContext()
    boxTree.boxes[box.index].marker = .none
    openBoxes.builders[builder].mark(
      .marker, attributes.attributes(of: openBoxes.frames[top].style, decorations: openBoxes.decorations), marker)
  }

  /// Closes the frames above `frame`.
  mutating func popFrames(to frame: Int) {
    while openBoxes.frames.count - 1 > frame { closeFrame() }
  }

  /// The content of a box is set in columns: that of a cell may be, too.
  private func holdsColumns(_ kind: BoxKind, _ style: ComputedStyle) -> Bool {
    kind == .columns || kind == .tableCell && boxTraits[style.box.index].isColumns
  }

  mutating func closeFrame() {
    let top = openBoxes.frames.count - 1
    endContext(top)
    let frame = openBoxes.frames.removeLast()
    // A container whose only child is its own text holds the text itself.
    let first = boxTree.boxes[frame.box.index].firstChild
    guard frame.kind == .block, frame.wrapsInline, !first.isNone, first == frame.lastChild else { return }
    let kind = boxTree.boxes[frame.box.index].kind
    guard !holdsColumns(kind, frame.style), boxTree.boxes[first.index].flags.contains(.anonymous),
      boxTree.boxes[first.index].content == .text
    else {
      return
    }
    boxTree.boxes[frame.box.index].content = .text
    boxTree.boxes[frame.box.index].text = boxTree.boxes[first.index].text
    boxTree.boxes[frame.box.index].firstChild = .none
  }

  // MARK: Inline formatting contexts

  /// The open inline formatting context of the top frame with all inline elements opened in it; begins one when there
  /// is none.
  mutating func inlineContext() -> Int {
    let top = openBoxes.frames.count - 1
    if openBoxes.frames[top].builder < 0 {
      beginContext(top)
      if footnotes.pendingMarker != nil { footnoteMarker() }
    }
    if openBoxes.frames[top].opened < openBoxes.inlineStack.count { openInlines(top) }
    return openBoxes.frames[top].builder
  }

  private mutating func beginContext(_ top: Int) {
    let builder: Int
    if let free = openBoxes.freeBuilders.popLast() {
      builder = free
    } else {
      builder = openBoxes.builders.count
      openBoxes.builders.append(InlineBuilder())
    }
    openBoxes.frames[top].builder = builder
    let frame = openBoxes.frames[top]
    var container = frame.box
    var early = BoxID.none
    if frame.wrapsInline {
      container = makeBox(.block, frame.node, nil, frame.style.anonymousChild, .anonymous, parent: frame.box)
      if frame.kind == .flex { boxTree.boxes[container.index].flags.insert(.formattingContext) }
      link(container, to: top)
    } else {
      // Floats and positioned boxes met before the text become part of its context.
      early = boxTree.boxes[frame.box.index].firstChild
      boxTree.boxes[frame.box.index].firstChild = .none
      openBoxes.frames[top].lastChild = .none
    }
    let bidi = frame.isInlineOnly ? .normal : boxTraits[frame.style.box.index].unicodeBidi
    let direction = tree.table.paragraphs[frame.style.paragraph.index].direction
    openBoxes.builders[builder].begin(container: container, direction: bidi == .plaintext ? nil : direction)
    let attribute = attributes.attributes(of: frame.style, decorations: openBoxes.decorations)
    if bidi == .bidiOverride || bidi == .isolateOverride {
      openBoxes.builders[builder].append(
        .bidiControl, unit: BidiControls.override(direction), attribute, node: frame.node)
      openBoxes.builders[builder].closingControls = [BidiControls.popDirectionalFormatting]
    }
    while !early.isNone {
      let next = boxTree.boxes[early.index].nextSibling
      boxTree.boxes[early.index].nextSibling = .none
      openBoxes.builders[builder].mark(
        boxTree.boxes[early.index].flags.contains(.float) ? .float : .positioned, attribute, early)
      keepSpace(after: early, in: builder)
      early = next
    }
  }

  /// Keeps the space behind an initial that is a word of its own (`I`, `A`). It vanishes from the line as any space at
  /// a line's start, and parts the words in the text all the same.
  mutating func keepSpace(after float: BoxID, in builder: Int) {
    let box = boxTree.boxes[float.index]
    guard openBoxes.builders[builder].count == 0, box.flags.contains(.float), box.content == .text,
      1...4 ~= boxTree.texts.texts[box.text.index].units.count
    else { return }
    func size(_ style: ComputedStyle) -> Float { tree.table.fonts[style.font.index].size.resolved(rootFontSize: 16) }
    let around = boxTree.boxes[openBoxes.builders[builder].container.index].style
    guard box.flags.contains(.initialLetter) || size(box.style) > 1.5 * size(around) else { return }
    openBoxes.builders[builder].suppressesSpace = false
  }

  /// Opens the boxes of inline elements that the context does not have yet.
  private mutating func openInlines(_ top: Int) {
    let builder = openBoxes.frames[top].builder
    while openBoxes.frames[top].opened < openBoxes.inlineStack.count {
      let index = openBoxes.frames[top].opened
      let entry = openBoxes.inlineStack[index]
      openBoxes.frames[top].opened = index + 1
      if entry.hasPart {
        amounts.continuedParts += 1
        if amounts.continuedParts > Self.mostContinuedParts { continue }
      }
      var around = index - 1
      while around >= openBoxes.frames[top].inlineBase, openBoxes.inlineStack[around].box.isNone { around -= 1 }
      let parent =
        around >= openBoxes.frames[top].inlineBase
        ? openBoxes.inlineStack[around].box : openBoxes.builders[builder].container
      let box = makeBox(
        .inline, entry.node, entry.pseudo, entry.style, entry.hasPart ? .continuesBefore : [], parent: parent)
      openBoxes.inlineStack[index].box = box
      if !entry.hasOwnDecorations {
        openBoxes.inlineStack[index].hasOwnDecorations = true
        let traits = boxTraits[entry.style.box.index]
        if traits.hasDecoration {
          openBoxes.inlineStack[index].decorations = decorated(entry.decorations, entry.style, box: box)
        }
      }
      let attribute = attributes.attributes(of: entry.style, decorations: openBoxes.inlineStack[index].decorations)
      openBoxes.builders[builder].mark(
        .open, attribute, box, hasEdge: hasEdge(entry.style), isRaised: boxTraits[entry.style.box.index].isRaised)
      let direction = tree.table.paragraphs[entry.style.paragraph.index].direction
      for control in BidiControls.opening(boxTraits[entry.style.box.index].unicodeBidi, direction) {
        openBoxes.builders[builder].append(.bidiControl, unit: control, attribute, node: entry.node, box: box)
      }
    }
  }

  private func hasEdge(_ style: ComputedStyle) -> Bool {
    style.border.index != 0 || boxTraits[style.box.index].hasEdge
  }

  /// Ends the part of the innermost open inline element in the context.
  mutating func closeInline(_ index: Int, in top: Int, continues: Bool) {
    let entry = openBoxes.inlineStack[index]
    let builder = openBoxes.frames[top].builder
    guard !entry.box.isNone, builder >= 0 else { return }
    let attribute = attributes.attributes(of: entry.style, decorations: entry.decorations)
    for control in BidiControls.closing(boxTraits[entry.style.box.index].unicodeBidi) {
      openBoxes.builders[builder].append(.bidiControl, unit: control, attribute, node: entry.node, box: entry.box)
    }
    openBoxes.builders[builder].mark(
      .close, attribute, entry.box, hasEdge: hasEdge(entry.style), isRaised: boxTraits[entry.style.box.index].isRaised)
    if continues { boxTree.boxes[entry.box.index].flags.insert(.continuesAfter) }
    openBoxes.inlineStack[index].box = .none
    openBoxes.inlineStack[index].hasPart = true
    openBoxes.frames[top].opened = index
  }

  /// Ends the open context of a frame: its text is complete.
  mutating func endContext(_ top: Int) {
    let builder = openBoxes.frames[top].builder
    guard builder >= 0 else { return }
    var index = openBoxes.inlineStack.count - 1
    while index >= openBoxes.frames[top].inlineBase {
      closeInline(index, in: top, continues: true)
      index -= 1
    }
    if !openBoxes.builders[builder].closingControls.isEmpty {
      let attribute = attributes.attributes(of: openBoxes.frames[top].style, decorations: openBoxes.decorations)
      for control in openBoxes.builders[builder].closingControls {
        openBoxes.builders[builder].append(.bidiControl, unit: control, attribute, node: openBoxes.frames[top].node)
      }
    }
    let container = openBoxes.builders[builder].container
    let text = openBoxes.builders[builder].finish(into: &boxTree.texts)
    if !openBoxes.builders[builder].footnotes.isEmpty { anchorFootnotes(of: builder, in: text) }
    boxTree.boxes[container.index].text = text
    if boxTree.boxes[container.index].kind != .rubyBase { boxTree.boxes[container.index].content = .text }
    switch boxTree.boxes[container.index].kind {
    case .marker, .rubyBase: break
    default:
      amounts.paragraphs += 1
      if lineStarts.awaitsFirstLine { makeFirstLine(of: text, container: container) }
    }
    openBoxes.freeBuilders.append(builder)
    openBoxes.frames[top].builder = -1
    openBoxes.frames[top].opened = openBoxes.frames[top].inlineBase
  }

  /// Makes room for a block-level child of the top frame: inline content before it ends, and inline boxes around it are
  /// split (CSS 2.2, section 9.2.1.1).
  mutating func breakInline() {
    let top = openBoxes.frames.count - 1
    if openBoxes.inlineStack.count > openBoxes.frames[top].inlineBase {
      // The part before the block is made when it shows something of itself.
      let hasEdges = openBoxes.inlineStack[openBoxes.frames[top].inlineBase...].contains {
        !$0.hasPart && $0.box.isNone && $0.style.hasInlineEdge(atStart: true, tree.table)
      }
      if hasEdges { _ = inlineContext() }
    }
    if !openBoxes.frames[top].wrapsInline {
      openBoxes.frames[top].wrapsInline = true
      if openBoxes.frames[top].builder >= 0,
        openBoxes.builders[openBoxes.frames[top].builder].container == openBoxes.frames[top].box
      {
        let anonymous = makeBox(
          .block, openBoxes.frames[top].node, nil, openBoxes.frames[top].style.anonymousChild, .anonymous,
          parent: openBoxes.frames[top].box)
        link(anonymous, to: top)
        openBoxes.builders[openBoxes.frames[top].builder].container = anonymous
      }
    }
    endContext(top)
  }

  /// The box that an atomic inline or float in the context is a child of.
  ///
  /// - Parameter frame: The context's, if it is not the top one.
  func inlineParent(_ builder: Int, in frame: Int? = nil) -> BoxID {
    let end =
      frame.map { $0 + 1 < openBoxes.frames.count ? openBoxes.frames[$0 + 1].inlineBase : openBoxes.inlineStack.count }
      ?? openBoxes.inlineStack.count
    let base = openBoxes.frames[frame ?? openBoxes.frames.count - 1].inlineBase
    return openBoxes.inlineStack[base..<end].last { !$0.box.isNone }?.box ?? openBoxes.builders[builder].container
  }

  // MARK: Decorations

  mutating func decorated(_ parent: UInt32, _ style: ComputedStyle, box: BoxID) -> UInt32 {
    attributes.decorations(parent, adding: TextDecoration(style, tree.table, box: box))
  }
  mutating func decorate(_ style: ComputedStyle, _ traits: BoxTraits, box: BoxID) {
    if traits.hasDecoration { openBoxes.decorations = decorated(openBoxes.decorations, style, box: box) }
  }
}
