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
    boxes.append(box)
    return BoxID(boxes.count - 1)
  }

  /// Makes `box` the last child of a frame's box.
  mutating func link(_ box: BoxID, to frame: Int) {
    let last = frames[frame].lastChild
    if last.isNone {
      boxes[frames[frame].box.index].firstChild = box
    } else {
      boxes[last.index].nextSibling = box
    }
    frames[frame].lastChild = box
  }

  /// Records that a float lies in `parent`, up to the formatting context that holds it.
  mutating func noteFloat(in parent: BoxID) {
    var box = parent
    while !box.isNone, !boxes[box.index].flags.contains(.hasFloats) {
      boxes[box.index].flags.insert(.hasFloats)
      if boxes[box.index].flags.contains(.formattingContext) { return }
      box = boxes[box.index].parent
    }
  }

  func boxKind(_ display: Display, _ traits: BoxTraits) -> BoxKind {
    switch display {
    case .table, .inlineTable: .table
    case .flex, .inlineFlex: .flex
    case .grid, .inlineGrid: .grid
    case .tableRowGroup: .tableRowGroup
    case .tableHeaderGroup: .tableHeaderGroup
    case .tableFooterGroup: .tableFooterGroup
    case .tableRow: .tableRow
    case .tableCell: .tableCell
    case .tableCaption: .tableCaption
    case .tableColumnGroup: .tableColumnGroup
    case .tableColumn: .tableColumn
    default: traits.isColumns ? .columns : .block
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
    frames.append(
      OpenBox(
        box: box, kind: openBoxKind(boxes[box.index].kind), wrapsInline: wrapsInline, inlineBase: inlineStack.count,
        opened: inlineStack.count, style: style, node: node))
  }

  /// Generates an element's or pseudo-element's content into its box.
  mutating func fill(_ box: BoxID, _ display: Display, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle)
  {
    let savedReal = realFrame
    let kind = boxes[box.index].kind
    let wraps =
      kind == .flex || kind == .grid || kind == .math || holdsColumns(kind, style)
      || (pseudo == nil && nodeFlags[node.index].contains(.containsBlock))
    pushFrame(box, wrapsInline: wraps, style: style, node: node)
    realFrame = frames.count - 1
    if display.isBlockListItem { listMarker(of: box, node, pseudo, style) }
    if kind == .table, document.nodes[node.index].namespace == .mathML {
      mathTables[box] = MathTableAlignment(attribute: document.attributeValue(.align, of: node))
    }
    content(node, pseudo, style)
    popFrames(to: realFrame)
    if display.isBlockListItem { markEmptyItem(box) }
    closeFrame()
    realFrame = savedReal
  }

  /// Gives a list item without content a line for its marker to stand beside.
  private mutating func markEmptyItem(_ box: BoxID) {
    let top = frames.count - 1
    let marker = boxes[box.index].marker
    guard !marker.isNone, frames[top].builder < 0, frames[top].lastChild.isNone || !frames[top].wrapsInline else {
      return
    }
    let builder = inlineContext()
    boxes[box.index].marker = .none
    builders[builder].mark(
      .marker, attributes.attributes(of: frames[top].style, decorations: decorations), marker)
  }

  /// Closes the frames above `frame`.
  mutating func popFrames(to frame: Int) {
    while frames.count - 1 > frame { closeFrame() }
  }

  /// The content of a box is set in columns: that of a cell may be, too.
  private func holdsColumns(_ kind: BoxKind, _ style: ComputedStyle) -> Bool {
    kind == .columns || kind == .tableCell && boxTraits[style.box.index].isColumns
  }

  mutating func closeFrame() {
    let top = frames.count - 1
    endContext(top)
    let frame = frames.removeLast()
    // A container whose only child is its own text holds the text itself.
    let first = boxes[frame.box.index].firstChild
    guard frame.kind == .block, frame.wrapsInline, !first.isNone, first == frame.lastChild else { return }
    let kind = boxes[frame.box.index].kind
    guard !holdsColumns(kind, frame.style), boxes[first.index].flags.contains(.anonymous),
      boxes[first.index].content == .text
    else {
      return
    }
    boxes[frame.box.index].content = .text
    boxes[frame.box.index].text = boxes[first.index].text
    boxes[frame.box.index].firstChild = .none
  }

  // MARK: Inline formatting contexts

  /// The open inline formatting context of the top frame with all inline elements opened in it; begins one when there is none.
  mutating func inlineContext() -> Int {
    let top = frames.count - 1
    if frames[top].builder < 0 {
      beginContext(top)
      if footnotes.pendingMarker != nil { footnoteMarker() }
    }
    if frames[top].opened < inlineStack.count { openInlines(top) }
    return frames[top].builder
  }

  private mutating func beginContext(_ top: Int) {
    let builder: Int
    if let free = freeBuilders.popLast() {
      builder = free
    } else {
      builder = builders.count
      builders.append(InlineBuilder())
    }
    frames[top].builder = builder
    let frame = frames[top]
    var container = frame.box
    var early = BoxID.none
    if frame.wrapsInline {
      container = makeBox(.block, frame.node, nil, frame.style.anonymousChild, .anonymous, parent: frame.box)
      if frame.kind == .flex { boxes[container.index].flags.insert(.formattingContext) }
      link(container, to: top)
    } else {
      // Floats and positioned boxes met before the text become part of its context.
      early = boxes[frame.box.index].firstChild
      boxes[frame.box.index].firstChild = .none
      frames[top].lastChild = .none
    }
    let bidi = frame.isInlineOnly ? .normal : boxTraits[frame.style.box.index].unicodeBidi
    let direction = tree.table.paragraphs[frame.style.paragraph.index].direction
    builders[builder].begin(container: container, direction: bidi == .plaintext ? nil : direction)
    let attribute = attributes.attributes(of: frame.style, decorations: decorations)
    if bidi == .bidiOverride || bidi == .isolateOverride {
      builders[builder].append(
        .bidiControl, unit: direction == .rtl ? 0x202E : 0x202D, attribute, node: frame.node)
      builders[builder].closingControls = [0x202C]
    }
    while !early.isNone {
      let next = boxes[early.index].nextSibling
      boxes[early.index].nextSibling = .none
      builders[builder].mark(boxes[early.index].flags.contains(.float) ? .float : .positioned, attribute, early)
      keepSpace(after: early, in: builder)
      early = next
    }
  }

  /// Keeps the space behind an initial that is a word of its own (`I`, `A`). It vanishes from the line as any space at a line's
  /// start, and parts the words in the text all the same.
  mutating func keepSpace(after float: BoxID, in builder: Int) {
    let box = boxes[float.index]
    guard builders[builder].count == 0, box.flags.contains(.float), box.content == .text,
      1...4 ~= store.texts[box.text.index].units.count
    else { return }
    func size(_ style: ComputedStyle) -> Float { tree.table.fonts[style.font.index].size.resolved(rootFontSize: 16) }
    let around = boxes[builders[builder].container.index].style
    guard box.flags.contains(.initialLetter) || size(box.style) > 1.5 * size(around) else { return }
    builders[builder].suppressesSpace = false
  }

  /// Opens the boxes of inline elements that the context does not have yet.
  private mutating func openInlines(_ top: Int) {
    let builder = frames[top].builder
    while frames[top].opened < inlineStack.count {
      let index = frames[top].opened
      let entry = inlineStack[index]
      frames[top].opened = index + 1
      if entry.hasPart {
        continuedParts += 1
        if continuedParts > Self.mostContinuedParts { continue }
      }
      var around = index - 1
      while around >= frames[top].inlineBase, inlineStack[around].box.isNone { around -= 1 }
      let parent = around >= frames[top].inlineBase ? inlineStack[around].box : builders[builder].container
      let box = makeBox(
        .inline, entry.node, entry.pseudo, entry.style, entry.hasPart ? .continuesBefore : [], parent: parent)
      inlineStack[index].box = box
      if !entry.hasOwnDecorations {
        inlineStack[index].hasOwnDecorations = true
        let traits = boxTraits[entry.style.box.index]
        if traits.hasDecoration {
          inlineStack[index].decorations = decorated(entry.decorations, entry.style, box: box)
        }
      }
      let attribute = attributes.attributes(of: entry.style, decorations: inlineStack[index].decorations)
      builders[builder].mark(
        .open, attribute, box, hasEdge: hasEdge(entry.style), isRaised: boxTraits[entry.style.box.index].isRaised)
      for control in openingControls(entry.style) {
        builders[builder].append(.bidiControl, unit: control, attribute, node: entry.node, box: box)
      }
    }
  }

  private func hasEdge(_ style: ComputedStyle) -> Bool {
    style.border.index != 0 || boxTraits[style.box.index].hasEdge
  }

  /// Ends the part of the innermost open inline element in the context.
  mutating func closeInline(_ index: Int, in top: Int, continues: Bool) {
    let entry = inlineStack[index]
    let builder = frames[top].builder
    guard !entry.box.isNone, builder >= 0 else { return }
    let attribute = attributes.attributes(of: entry.style, decorations: entry.decorations)
    for control in closingControls(entry.style) {
      builders[builder].append(.bidiControl, unit: control, attribute, node: entry.node, box: entry.box)
    }
    builders[builder].mark(
      .close, attribute, entry.box, hasEdge: hasEdge(entry.style), isRaised: boxTraits[entry.style.box.index].isRaised)
    if continues { boxes[entry.box.index].flags.insert(.continuesAfter) }
    inlineStack[index].box = .none
    inlineStack[index].hasPart = true
    frames[top].opened = index
  }

  /// Ends the open context of a frame: its text is complete.
  mutating func endContext(_ top: Int) {
    let builder = frames[top].builder
    guard builder >= 0 else { return }
    var index = inlineStack.count - 1
    while index >= frames[top].inlineBase {
      closeInline(index, in: top, continues: true)
      index -= 1
    }
    if !builders[builder].closingControls.isEmpty {
      let attribute = attributes.attributes(of: frames[top].style, decorations: decorations)
      for control in builders[builder].closingControls {
        builders[builder].append(.bidiControl, unit: control, attribute, node: frames[top].node)
      }
    }
    let container = builders[builder].container
    let text = builders[builder].finish(into: &store)
    if !builders[builder].footnotes.isEmpty { anchorFootnotes(of: builder, in: text) }
    boxes[container.index].text = text
    if boxes[container.index].kind != .rubyBase { boxes[container.index].content = .text }
    switch boxes[container.index].kind {
    case .marker, .rubyBase: break
    default:
      paragraphs += 1
      if awaitsFirstLine { makeFirstLine(of: text, container: container) }
    }
    freeBuilders.append(builder)
    frames[top].builder = -1
    frames[top].opened = frames[top].inlineBase
  }

  /// Makes room for a block-level child of the top frame: inline content before it ends, and inline boxes around it are split
  /// (CSS 2.2, section 9.2.1.1).
  mutating func breakInline() {
    let top = frames.count - 1
    if inlineStack.count > frames[top].inlineBase {
      // The part before the block is made when it shows something of itself.
      let hasEdges = inlineStack[frames[top].inlineBase...].contains {
        !$0.hasPart && $0.box.isNone && hasInlineEdge($0.style, atStart: true)
      }
      if hasEdges { _ = inlineContext() }
    }
    if !frames[top].wrapsInline {
      frames[top].wrapsInline = true
      if frames[top].builder >= 0, builders[frames[top].builder].container == frames[top].box {
        let anonymous = makeBox(
          .block, frames[top].node, nil, frames[top].style.anonymousChild, .anonymous, parent: frames[top].box)
        link(anonymous, to: top)
        builders[frames[top].builder].container = anonymous
      }
    }
    endContext(top)
  }

  /// The inline box has a margin, border or padding at its start, or at its end.
  func hasInlineEdge(_ style: ComputedStyle, atStart: Bool) -> Bool {
    let isLTR = tree.table.paragraphs[style.paragraph.index].direction == .ltr
    let isLeft = atStart == isLTR
    let margin = tree.table.boxes[style.box.index].margin
    let padding = tree.table.boxes[style.box.index].padding
    let border = tree.table.borders[style.border.index].style
    let isHorizontal = tree.table.paragraphs[style.paragraph.index].writingMode.isHorizontal
    func side<Value>(_ sides: Sides<Value>) -> Value {
      isHorizontal ? (isLeft ? sides.left : sides.right) : (isLeft ? sides.top : sides.bottom)
    }
    if case .length(let length) = side(margin), !length.isZero { return true }
    return !side(padding).isZero || (side(border) != .none && side(border) != .hidden)
  }

  /// The box that an atomic inline or float in the context is a child of.
  ///
  /// - Parameter frame: The context's, if it is not the top one.
  func inlineParent(_ builder: Int, in frame: Int? = nil) -> BoxID {
    let end = frame.map { $0 + 1 < frames.count ? frames[$0 + 1].inlineBase : inlineStack.count } ?? inlineStack.count
    let base = frames[frame ?? frames.count - 1].inlineBase
    return inlineStack[base..<end].last { !$0.box.isNone }?.box ?? builders[builder].container
  }

  // MARK: Bidi

  /// CSS Writing Modes 4, section 2.4.
  private func openingControls(_ style: ComputedStyle) -> [UInt16] {
    let isRTL = tree.table.paragraphs[style.paragraph.index].direction == .rtl
    switch boxTraits[style.box.index].unicodeBidi {
    case .normal: return []
    case .embed: return [isRTL ? 0x202B : 0x202A]
    case .isolate: return [isRTL ? 0x2067 : 0x2066]
    case .bidiOverride: return [isRTL ? 0x202E : 0x202D]
    case .isolateOverride: return [0x2068, isRTL ? 0x202E : 0x202D]
    case .plaintext: return [0x2068]
    }
  }
  private func closingControls(_ style: ComputedStyle) -> [UInt16] {
    switch boxTraits[style.box.index].unicodeBidi {
    case .normal: []
    case .embed, .bidiOverride: [0x202C]
    case .isolate, .plaintext: [0x2069]
    case .isolateOverride: [0x202C, 0x2069]
    }
  }

  // MARK: Decorations

  /// The decorations in force with those that a box declares.
  func makeDecoration(_ style: ComputedStyle, box: BoxID) -> TextDecoration {
    let declared = tree.table.boxes[style.box.index]
    let text = tree.table.texts[style.text.index]
    var decoration = TextDecoration(
      line: declared.decorationLine, style: declared.decorationStyle,
      color: declared.decorationColor.resolved(text.color),
      thickness: declared.decorationThickness, underlineOffset: text.underlineOffset,
      underlinePosition: text.underlinePosition, box: box)
    // Vertical Japanese and Korean have their lines on the right (CSS Text Decoration 3, appendix A).
    if tree.table.paragraphs[style.paragraph.index].writingMode.isCentral {
      let isRight = text.language.hasPrefix("ja") || text.language.hasPrefix("ko")
      decoration.isUnderlineOver =
        text.underlinePosition.contains(.right) || isRight && !text.underlinePosition.contains(.left)
    }
    return decoration
  }
  mutating func decorated(_ parent: UInt32, _ style: ComputedStyle, box: BoxID) -> UInt32 {
    attributes.decorations(parent, adding: makeDecoration(style, box: box))
  }
  mutating func decorate(_ style: ComputedStyle, _ traits: BoxTraits, box: BoxID) {
    if traits.hasDecoration { decorations = decorated(decorations, style, box: box) }
  }
}
