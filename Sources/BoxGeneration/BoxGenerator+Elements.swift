import CSS
import Markup
import Primitives
import Styling
import Text

extension BoxGenerator {
  // MARK: Walking

  /// Generates the content of an element or pseudo-element into the top frame.
  mutating func content(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    if pseudo != nil { return generatedContent(node, pseudo, style) }
    let mark = numbering.counters.mark
    openBoxes.depth += 1
    if boxTraits[style.box.index].isRuby {
      rubyContent(node, style)
      openBoxes.depth -= 1
      numbering.counters.close(to: mark)
      return
    }
    let hasPseudos = blocks.hasPseudoElements(node)
    if hasPseudos, let style = tree.style(of: node, .before) { pseudoElement(node, .before, style) }
    let value = document.nodes[node.index]
    if value.namespace == .mathML {
      mathContent(node, style)
    } else {
      children(of: node)
    }
    if hasPseudos, let style = tree.style(of: node, .after) {
      pseudoElement(node, .after, style)
    }
    openBoxes.depth -= 1
    // Counters made in an element without a box last for what follows it, as in browsers.
    if boxTraits[style.box.index].role != .contents { numbering.counters.close(to: mark) }
  }

  mutating func children(of node: NodeID) {
    var child = document.nodes[node.index].firstChild
    while !child.isNone, !resources.cancellation.isRequested {
      generate(child)
      if !rubies.strayEnd.isNone {
        if document.nodes[rubies.strayEnd.index].parent == node { child = rubies.strayEnd }
        rubies.strayEnd = .none
      }
      child = document.nodes[child.index].nextSibling
    }
  }

  mutating func generate(_ node: NodeID) {
    switch document.nodes[node.index].kind {
    case .text: text(node)
    case .element: element(node)
    case .document: break
    }
  }

  // MARK: Text

  private mutating func text(_ node: NodeID) {
    let range = document.nodes[node.index].range
    guard !range.isEmpty else { return }
    let text = document.bytes(range)
    let slice = text.span
    let style = tree.styles[node.index]
    if slice[0] <= 0x20, isBlank(slice) {
      let top = openBoxes.frames.count - 1
      // White space makes no box of its own between blocks and table parts.
      switch openBoxes.frames[openBoxes.realFrame].kind {
      case .block:
        guard top == openBoxes.realFrame else { return }
        if openBoxes.frames[top].builder < 0 {
          switch textTraits[style.text.index].collapse {
          case .collapse: return
          case .preserveBreaks where !text.contains(0x0A): return
          default: break
          }
        }
      default:
        guard openBoxes.frames[top].kind == .block, openBoxes.frames[top].builder >= 0 else { return }
      }
    }
    guard enter(.inline) else { return }
    if boxTraits[style.box.index].role == .contents {
      // The styles of the element hold for an anonymous inline box around its text (CSS Display 3, section 2.5).
      let parent = document.nodes[node.index].parent
      return inlineBox(parent, nil, style.anonymousChild, boxTraits[0]) { $0.appendText(of: node, style) }
    }
    appendText(of: node, style)
  }

  private mutating func appendText(of node: NodeID, _ style: ComputedStyle) {
    let text = document.bytes(document.nodes[node.index].range)
    if lineStarts.firstLetter != nil, firstLetterText(text.span, node, style) { return }
    appendText(text.span, node, style)
  }

  /// Appends a stretch of a text node to the inline formatting context.
  mutating func appendText(_ bytes: Span<UInt8>, _ node: NodeID, _ style: ComputedStyle, offset: Int = 0) {
    let builder = inlineContext()
    appendText(bytes, to: builder, node, style, offset: offset, isAtomic: false)
  }

  /// Makes generated text that stands for `node` the content of a box.
  mutating func fill(_ box: BoxID, with text: String, _ node: NodeID, _ style: ComputedStyle) {
    let savedReal = openBoxes.realFrame
    pushFrame(box, wrapsInline: false, style: style, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    appendGenerated(text, node, style)
    closeFrame()
    openBoxes.realFrame = savedReal
  }

  /// Appends generated text that stands for `node`.
  mutating func appendGenerated(_ string: String, _ node: NodeID, _ style: ComputedStyle) {
    amounts.generatedBytes += string.utf8.count
    if amounts.generatedBytes > Self.mostGeneratedBytes {
      boxTree.diagnostics.warn(
        "generated-content-limit", line: Int(document.nodes[node.index].line),
        "too much generated content; the rest is left out")
      return
    }
    guard !string.isEmpty, enter(.inline) else { return }
    let text = string.utf8Span
    if lineStarts.firstLetter != nil, firstLetterText(text.span, node, style, isAtomic: true) { return }
    appendText(text.span, to: inlineContext(), node, style, offset: 0, isAtomic: true)
  }

  mutating func appendText(
    _ bytes: Span<UInt8>, to builder: Int, _ node: NodeID, _ style: ComputedStyle, offset: Int,
    isAtomic: Bool
  ) {
    let traits = textTraits[style.text.index]
    let start = openBoxes.builders[builder].count
    openBoxes.builders[builder].appendText(
      bytes,
      TextSource(
        node: node, offset: offset, isAtomic: isAtomic, collapse: traits.collapse, wraps: traits.wraps,
        attributes: attributes.attributes(of: style, decorations: openBoxes.decorations)))
    if traits.transforms {
      let text = tree.table.texts[style.text.index]
      openBoxes.builders[builder].transform(
        from: start, text.transform, language: text.language.isEmpty ? resources.language : text.language)
    }
  }

  // MARK: Elements

  private mutating func element(_ node: NodeID) {
    let style = tree.styles[node.index]
    let traits = boxTraits[style.box.index]
    guard traits.role != .none, !takesOut(node, style) else { return }
    if traits.isRubyPart { return strayRuby(node) }
    let mark = numbering.counters.nestedMark
    element(node, style, traits)
    numbering.counters.closeNested(to: mark)
  }

  private mutating func element(_ node: NodeID, _ style: ComputedStyle, _ traits: BoxTraits) {
    let value = document.nodes[node.index]
    if value.namespace == .html {
      switch value.name {
      case .br:
        lineBreak(node, style, traits)
        return
      case .wbr:
        guard enter(.inline) else { return }
        appendGenerated("\u{200B}", node, style)
        return
      case .img, .image, .object, .embed, .video, .iframe, .input, .applet:
        applyCounters(of: node, pseudo: nil, style, traits)
        if traits.hasContent, let content = contentImage(style) { return place(node, nil, style, traits, content) }
        switch replacedElements.replacement(of: node, value.name) {
        case .replaced(let content): place(node, nil, style, traits, content)
        case .missing(let source, let alternative):
          warnMissing(.href(source), node)
          place(node, nil, style, traits, ReplacedContent(image: .none, alternative: alternative))
        case .nothing: break
        case .children: place(node, nil, style, traits, nil)
        }
        return
      default: break
      }
    } else if value.namespace == .svg {
      applyCounters(of: node, pseudo: nil, style, traits)
      if value.name == .svg {
        if let content = inlineSVG(node, style: style) { place(node, nil, style, traits, content) }
        return
      }
    }
    if !documentNotes.leftOut.isEmpty, documentNotes.leftOut.contains(node) { return }
    applyCounters(of: node, pseudo: nil, style, traits)
    if traits.hasContent, let content = contentImage(style) {
      place(node, nil, style, traits, content)
    } else {
      place(node, nil, style, traits, nil)
    }
    if !documentNotes.targets.isEmpty, let note = documentNotes.targets[node] { moveNote(note) }
  }

  mutating func pseudoElement(_ node: NodeID, _ pseudo: PseudoElement, _ style: ComputedStyle) {
    let traits = boxTraits[style.box.index]
    guard traits.role != .none, traits.hasContent else { return }
    let mark = numbering.counters.nestedMark
    applyCounters(of: node, pseudo: pseudo, style, traits)
    place(node, pseudo, style, traits, nil)
    numbering.counters.closeNested(to: mark)
  }

  private mutating func lineBreak(_ node: NodeID, _ style: ComputedStyle, _ traits: BoxTraits) {
    guard enter(.inline) else { return }
    let builder = inlineContext()
    // A box carries `clear` to layout; other properties of a line break have no effect.
    var box = BoxID.none
    if traits.clears { box = makeBox(.inline, node, nil, style, [], parent: inlineParent(builder)) }
    openBoxes.builders[builder].append(
      .lineBreak, unit: 0x2028, attributes.attributes(of: style, decorations: openBoxes.decorations), node: node,
      box: box)
  }

  // MARK: Placing

  /// Places the box of an element or pseudo-element by its display, position and float.
  mutating func place(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ replaced: ReplacedContent?
  ) {
    var role = traits.role
    var display = traits.display
    if replaced != nil, role.isTablePart {
      // No table part can be a picture: it is a block, as in browsers.
      display = display.blockified
      role = .block
    }
    if document.nodes[node.index].namespace == .mathML, pseudo == nil, replaced == nil,
      placeFormula(node, style, traits)
    {
      return
    }
    if openBoxes.frames[openBoxes.realFrame].kind == .flex, role != .contents, role != .positioned {
      // Flex items are block-level and do not float (CSS Flexbox 1, section 4).
      display = display.blockified
      role = .block
    }
    if role == .block, rubies.frame == openBoxes.frames.count - 1 {
      // Blocks inside a ruby are inlinized (CSS Ruby 1, section 2.1.2).
      role = .atomic
    }
    switch role {
    case .none: return
    case .contents:
      if replaced == nil { content(node, pseudo, style) }
    case .inline:
      if let replaced {
        atomicInline(node, pseudo, style, traits, display, replaced)
      } else if traits.isInitialLetter, pseudo == nil, isAtTextStart {
        outOfFlowBox(node, pseudo, style, traits, .block, .float, nil)
      } else {
        inlineBox(node, pseudo, style, traits)
      }
    case .atomic: atomicInline(node, pseudo, style, traits, display, replaced)
    case .block: blockBox(node, pseudo, style, traits, display, replaced)
    case .rowGroup, .row, .cell, .columnGroup, .column, .caption: tablePart(node, pseudo, style, traits, display, role)
    case .float where traits.isFootnote: footnote(node, pseudo, style, traits, display, replaced)
    case .float, .positioned: outOfFlowBox(node, pseudo, style, traits, display.blockified, role, replaced)
    }
  }

  /// The place at hand is the start of its block container.
  private var isAtTextStart: Bool {
    let frame = openBoxes.frames[openBoxes.frames.count - 1]
    return frame.builder < 0 ? frame.lastChild.isNone : openBoxes.builders[frame.builder].count == 0
  }

  /// - Parameter body: Generates what the box holds; nil for the content of its element.
  mutating func inlineBox(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits,
    _ body: ((inout BoxGenerator) -> Void)? = nil
  ) {
    guard enter(.inline) else { return }
    let top = openBoxes.frames.count - 1
    let savedReal = openBoxes.realFrame
    let savedDecorations = openBoxes.decorations
    openBoxes.realFrame = top
    let index = openBoxes.inlineStack.count
    openBoxes.inlineStack.append(
      OpenInline(node: node, pseudo: pseudo, style: style, decorations: openBoxes.decorations))
    let mayHoldBlocks = pseudo == nil && openBoxes.frames[top].wrapsInline && blocks.containsBlock(node)
    if openBoxes.frames[top].builder >= 0 || !mayHoldBlocks { _ = inlineContext() }
    if !openBoxes.inlineStack[index].hasOwnDecorations {
      openBoxes.inlineStack[index].hasOwnDecorations = true
      if traits.hasDecoration {
        openBoxes.inlineStack[index].decorations = decorated(
          openBoxes.decorations, style, box: openBoxes.frames[top].box)
      }
    }
    openBoxes.decorations = openBoxes.inlineStack[index].decorations

    if traits.isListItem { insideMarker(node, pseudo, style) }
    if let body { body(&self) } else { content(node, pseudo, style) }
    popFrames(to: top)
    if document.nodes[node.index].namespace == .mathML, !openBoxes.inlineStack[index].box.isNone {
      boxTree.boxes[openBoxes.inlineStack[index].box.index].flags.insert(.formula)
    }
    if openBoxes.inlineStack[index].box.isNone, style.hasInlineEdge(atStart: false, tree.table) {
      // The last part, behind a block, shows the box's end edge.
      _ = inlineContext()
    }
    closeInline(index, in: top, continues: false)
    openBoxes.inlineStack.removeLast()
    openBoxes.frames[top].opened = min(openBoxes.frames[top].opened, index)
    openBoxes.realFrame = savedReal
    openBoxes.decorations = savedDecorations
  }

  /// Sets the content of a new box: an image, alternative text, or what its element holds.
  mutating func complete(
    _ box: BoxID, _ display: Display, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle,
    _ replaced: ReplacedContent?
  ) {
    guard let replaced else {
      if pseudo == nil, document.isEmbedded(node) { boxTree.fallbacks.insert(box) }
      fill(box, display, node, pseudo, style)
      return
    }
    boxTree.boxes[box.index].flags.insert(.formattingContext)
    boxTree.boxes[box.index].kind = .block
    if let drawn = replaced.drawn {
      boxTree.boxes[box.index].content = .replaced
      boxTree.drawnImages[box] = drawn
    } else if replaced.image.isNone {
      if !replaced.isControl { boxTree.boxes[box.index].flags.insert(.missing) }
      // A page of nothing but a picture is a page also where that lacks a decoder.
      let room = "\u{A0}\u{A0}\u{A0}\u{A0}"
      let alternative =
        replaced.alternative.isEmpty && boxTree.undrawn[node]?.lacksDecoder == true ? room : replaced.alternative
      guard !alternative.isEmpty else { return }
      fill(box, with: alternative, node, style)
    } else {
      boxTree.boxes[box.index].content = .replaced
      boxTree.boxes[box.index].image = presented(replaced.image, style)
      if replaced.hasText {
        svgText(of: node, box: box)
      } else {
        pictureText(resources.imageTexts(replaced.image), of: node, box: box)
      }
    }
  }

  mutating func atomicInline(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display,
    _ replaced: ReplacedContent?
  ) {
    guard enter(.inline) else { return }
    lineStarts.firstLetter = nil
    let builder = inlineContext()
    let kind = kinds.kind(display, traits)
    let box = makeBox(
      kind, node, pseudo, style, [.atomicInline, .formattingContext, kinds.formulaFlags(node)],
      parent: inlineParent(builder))
    openBoxes.builders[builder].append(
      .object, unit: 0xFFFC, attributes.attributes(of: style, decorations: openBoxes.decorations), node: node, box: box)
    let savedDecorations = openBoxes.decorations
    openBoxes.decorations = 0
    decorate(style, traits, box: box)
    letterScope(node, pseudo, isBlockContainer: kind == .block || kind == .columns) {
      $0.complete(box, display, node, pseudo, style, replaced)
    }
    openBoxes.decorations = savedDecorations
  }

  private mutating func blockBox(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display,
    _ replaced: ReplacedContent?
  ) {
    guard enter(.block) else { return }
    breakInline()
    let top = openBoxes.frames.count - 1
    let kind = kinds.kind(display, traits)
    var flags = kinds.flags(kind, display, style, traits, node)
    if openBoxes.frames[top].kind == .flex { flags.insert(.formattingContext) }
    let box = makeBox(kind, node, pseudo, style, flags, parent: openBoxes.frames[top].box)
    link(box, to: top)
    noteRelativeInlines(around: box)
    let savedDecorations = openBoxes.decorations
    decorate(style, traits, box: box)
    if kind == .block || kind == .columns, replaced == nil {
      // The first line of a block in flow is also that of its ancestors.
      let own =
        pseudo == nil && blocks.hasPseudoElements(node) ? tree.style(of: node, .firstLetter) : nil
      let saved = lineStarts.firstLetter
      if let own { lineStarts.firstLetter = PendingFirstLetter(node: node, style: own) }
      let savedLine = lineStarts.awaitsFirstLine
      lineStarts.awaitsFirstLine = hasFirstLine(node, pseudo)
      complete(box, display, node, pseudo, style, replaced)
      if own != nil { lineStarts.firstLetter = lineStarts.firstLetter == nil ? nil : saved }
      lineStarts.awaitsFirstLine = lineStarts.awaitsFirstLine && savedLine
    } else {
      lineStarts = LineStarts()
      complete(box, display, node, pseudo, style, replaced)
      lineStarts = LineStarts()
    }
    openBoxes.decorations = savedDecorations
  }

  private mutating func tablePart(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display,
    _ role: FlowRole
  ) {
    guard enter(FlowItem(role)) else { return }
    let top = openBoxes.frames.count - 1
    let kind = kinds.kind(display, traits)
    let box = makeBox(
      kind, node, pseudo, style, kinds.flags(kind, display, style, traits, node),
      parent: openBoxes.frames[top].box)
    link(box, to: top)
    if pseudo == nil {
      if kind == .tableCell {
        let isFormula = document.nodes[node.index].namespace == .mathML
        boxTree.boxes[box.index].columnSpan = span(isFormula ? .columnspan : .colspan, of: node, lowest: 1)
        boxTree.boxes[box.index].rowSpan = span(.rowspan, of: node, lowest: 0)
      } else if kind == .tableColumn || kind == .tableColumnGroup {
        boxTree.boxes[box.index].columnSpan = span(.span, of: node, lowest: 1)
      }
    }
    let savedDecorations = openBoxes.decorations
    decorate(style, traits, box: box)
    letterScope(node, pseudo, isBlockContainer: kind == .tableCell || kind == .tableCaption) {
      $0.fill(box, display, node, pseudo, style)
    }
    lineStarts = LineStarts()
    openBoxes.decorations = savedDecorations
  }

  private mutating func outOfFlowBox(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits, _ display: Display,
    _ role: FlowRole,
    _ replaced: ReplacedContent?
  ) {
    guard enter(.inline) else { return }
    // What an annotation holds out of flow stands beside its base.
    var top = openBoxes.frames.count - 1
    while openBoxes.frames[top].isInlineOnly, top > 0 { top -= 1 }
    let isFloat = role == .float
    let kind = kinds.kind(display, traits)
    var flags: BoxFlags = [isFloat ? .float : .outOfFlow, .formattingContext]
    if isFloat, traits.isInitialLetter { flags.insert(.initialLetter) }
    let box: BoxID
    if openBoxes.frames[top].builder >= 0 || flags.contains(.initialLetter) {
      let builder = top == openBoxes.frames.count - 1 ? inlineContext() : openBoxes.frames[top].builder
      box = makeBox(kind, node, pseudo, style, flags, parent: inlineParent(builder, in: top))
      openBoxes.builders[builder].mark(
        isFloat ? .float : .positioned, attributes.attributes(of: style, decorations: 0), box)
    } else {
      box = makeBox(kind, node, pseudo, style, flags, parent: openBoxes.frames[top].box)
      link(box, to: top)
      if isFloat { noteRelativeInlines(around: box) }
    }
    if isFloat { noteFloat(in: boxTree.boxes[box.index].parent) }
    let savedDecorations = openBoxes.decorations
    openBoxes.decorations = 0
    decorate(style, traits, box: box)
    letterScope(node, pseudo, isBlockContainer: kind == .block || kind == .columns) {
      $0.complete(box, display, node, pseudo, style, replaced)
    }
    if openBoxes.frames[top].builder >= 0 { keepSpace(after: box, in: openBoxes.frames[top].builder) }
    openBoxes.decorations = savedDecorations
  }

  /// Records the relatively positioned inline boxes that a box of the top frame splits.
  private mutating func noteRelativeInlines(around box: BoxID) {
    let base = openBoxes.frames[openBoxes.frames.count - 1].inlineBase
    guard openBoxes.inlineStack.count > base else { return }
    let styles = openBoxes.inlineStack[base...].reversed().map(\.style).filter {
      tree.table.boxes[$0.box.index].position == .relative
    }
    if !styles.isEmpty { boxTree.relativeInlines[box] = styles }
  }

  /// Runs `body` for a box whose lines are not those of its ancestors: a pending first letter waits outside.
  mutating func letterScope(
    _ node: NodeID, _ pseudo: PseudoElement?, isBlockContainer: Bool, _ body: (inout BoxGenerator) -> Void
  ) {
    let saved = lineStarts
    lineStarts = LineStarts()
    lineStarts.awaitsFirstLine = isBlockContainer && hasFirstLine(node, pseudo)
    if isBlockContainer, pseudo == nil, blocks.hasPseudoElements(node),
      let style = tree.style(of: node, .firstLetter)
    {
      lineStarts.firstLetter = PendingFirstLetter(node: node, style: style)
    }
    body(&self)
    lineStarts = saved
  }

  /// The block container begins with a line that a `::first-line` of its own or of a block around it styles.
  func hasFirstLine(_ node: NodeID, _ pseudo: PseudoElement?) -> Bool {
    pseudo == nil && tree.firstLineStyle(of: node, .none) != nil
  }

  /// A span attribute (HTML, section 4.9.11), held to the limit.
  private func span(_ name: Atom, of node: NodeID, lowest: Int) -> UInt16 {
    // A number too large to be read is large all the same.
    let value = document.integer(name, of: node, clamps: true) ?? 1
    guard value >= lowest else { return 1 }
    return UInt16(clamping: min(Int(value), resources.limits.tableSpan))
  }
}
