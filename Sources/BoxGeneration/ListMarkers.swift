import CSS
import Markup
import Primitives
import Styling
import Text

/// Markers of list items (CSS Lists 3, section 3).
extension BoxGenerator {
  /// Makes the marker of a list item whose frame is on top: a box of its own beside the item, or inline text at its
  /// start.
  mutating func listMarker(of item: BoxID, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    if tree.table.lists[style.list.index].position == .inside {
      insideMarker(node, pseudo, style)
      return
    }
    let marker = markerStyle(node, pseudo, style)
    guard let content = markerContent(style, marker) else { return }
    let savedDecorations = openBoxes.decorations
    let savedStarts = lineStarts
    let savedReal = openBoxes.realFrame
    openBoxes.decorations = 0
    lineStarts = LineStarts()
    let box = makeBox(.marker, node, .marker, marker, .formattingContext, parent: item)
    boxTree.boxes[item.index].marker = box
    boxTree.boxes[box.index].symbol = symbol(of: content)
    pushFrame(box, wrapsInline: false, style: marker, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    append(content, node, marker, isInside: false)
    closeFrame()
    openBoxes.decorations = savedDecorations
    lineStarts = savedStarts
    openBoxes.realFrame = savedReal
  }

  mutating func insideMarker(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    let marker = markerStyle(node, pseudo, style)
    guard let content = markerContent(style, marker), enter(.inline) else { return }
    let savedStarts = lineStarts
    lineStarts = LineStarts()
    let builder = inlineContext()
    let box = makeBox(.inline, node, .marker, marker, [], parent: inlineParent(builder))
    boxTree.boxes[box.index].symbol = symbol(of: content)
    let attribute = attributes.attributes(of: marker, decorations: openBoxes.decorations)
    openBoxes.builders[builder].mark(.open, attribute, box)
    let isIsolated = isIsolated(node, pseudo) && mayReorder(content, marker)
    if isIsolated {
      let control = BidiControls.isolate(tree.table.paragraphs[marker.paragraph.index].direction)
      openBoxes.builders[builder].append(.bidiControl, unit: control, attribute, node: node, box: box)
    }
    append(content, node, marker, isInside: true)
    if isIsolated {
      openBoxes.builders[builder].append(
        .bidiControl, unit: BidiControls.popDirectionalIsolate, attribute, node: node, box: box)
    }
    openBoxes.builders[builder].mark(.close, attribute, box)
    lineStarts = savedStarts
  }

  private func isIsolated(_ node: NodeID, _ pseudo: PseudoElement?) -> Bool {
    guard pseudo == nil, blocks.hasPseudoElements(node), let style = tree.style(of: node, .marker)
    else { return true }
    return boxTraits[style.box.index].unicodeBidi == .isolate
  }

  /// Isolation of a marker from the text that follows makes a difference (CSS Lists 3, section 3.1: `unicode-bidi:
  /// isolate`): letters of both directions may meet.
  private func mayReorder(_ content: MarkerContent, _ style: ComputedStyle) -> Bool {
    if tree.table.paragraphs[style.paragraph.index].direction == .rtl { return true }
    return switch content {
    case .image, .drawnImage, .bullet: false
    case .text(let text): text.unicodeScalars.contains { $0.value >= 0x590 }
    case .items: true
    }
  }

  private enum MarkerContent {
    case image(ImageID)
    case drawnImage(ImageValue)
    case bullet(MarkerSymbol)
    case text(String)
    case items
  }

  /// No line end takes spaces of a marker away (CSS Lists 3, section 3.1: `white-space: pre`).
  static func keepingSpaces(_ text: String) -> String { String(text.map { $0 == " " ? "\u{A0}" : $0 }) }

  private func symbol(of content: MarkerContent) -> MarkerSymbol {
    switch content {
    case .image, .drawnImage: .image
    case .bullet(let symbol): symbol
    case .text, .items: .none
    }
  }

  private func markerStyle(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) -> ComputedStyle {
    guard pseudo == nil, blocks.hasPseudoElements(node) else { return style.anonymousChild }
    return tree.style(of: node, .marker) ?? style.anonymousChild
  }

  /// nil when the item has no marker.
  private mutating func markerContent(_ style: ComputedStyle, _ marker: ComputedStyle) -> MarkerContent? {
    switch tree.table.boxes[marker.box.index].content {
    case .none: return nil
    case .items: return .items
    case .normal: break
    }
    switch tree.table.lists[style.list.index].image {
    case .none: break
    case .url(let path): if let image = resources.styleImage(path) { return .image(image) }
    case .gradient, .crossFade: return .drawnImage(tree.table.lists[style.list.index].image)
    }
    switch tree.table.lists[style.list.index].type {
    case .none: return nil
    case .string(let string): return string.isEmpty ? nil : .text(Self.keepingSpaces(string))
    case .named(let name):
      if let bullet = counterFormatter.bullet(name) { return .bullet(bullet) }
      return .text(counterFormatter.marker(of: numbering.counters.value("list-item"), style: name))
    }
  }

  private mutating func append(_ content: MarkerContent, _ node: NodeID, _ style: ComputedStyle, isInside: Bool) {
    switch content {
    case .image(let image):
      generatedImage(image, node, .marker, style)
      // Outside, layout keeps the distance.
      if isInside { appendGenerated("\u{A0}\u{A0}", node, style) }
    case .drawnImage(let image):
      generatedImage(image, node, .marker, style)
      if isInside { appendGenerated("\u{A0}\u{A0}", node, style) }
    case .bullet(let symbol):
      let character = symbol == .circle ? "◦" : symbol == .square ? "▪" : "•"
      guard isInside else { return appendGenerated(character + "\u{A0}\u{A0}\u{A0}", node, style) }
      // Text behind an inside bullet starts where it does in browsers: 1 em and 1 px behind the bullet they draw, which
      // is about 0.3 em wide, while the character is 0.35 em wide in the usual faces and the spaces are 1 em. An em
      // space is less in some.
      appendSpaced(character, Length(1.2), node, style)
      appendSpaced("\u{A0}\u{A0}\u{A0}\u{A0}", Length(-0.053 / 4, .em), node, style)
    case .text(let text): appendGenerated(text, node, style)
    case .items: generatedContent(node, .marker, style)
    }
  }

  private mutating func appendSpaced(_ text: String, _ spacing: Length, _ node: NodeID, _ style: ComputedStyle) {
    let builder = inlineContext()
    let attribute = attributes.spaced(attributes.attributes(of: style, decorations: openBoxes.decorations), by: spacing)
    openBoxes.builders[builder].appendText(
      text.utf8Span.span,
      TextSource(node: node, offset: 0, isAtomic: true, collapse: .collapse, wraps: true, attributes: attribute))
  }
}
