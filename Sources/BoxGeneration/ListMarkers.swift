import CSS
import Markup
import Primitives
import Styling
import Text

/// Markers of list items (CSS Lists 3, section 3).
extension BoxGenerator {
  /// Makes the marker of a list item whose frame is on top: a box of its own beside the item, or inline text at its start.
  mutating func listMarker(of item: BoxID, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    if tree.table.lists[style.list.index].position == .inside {
      insideMarker(node, pseudo, style)
      return
    }
    let marker = markerStyle(node, pseudo, style)
    guard let content = markerContent(style, marker) else { return }
    let savedDecorations = decorations
    let savedLetter = firstLetter
    let savedLine = firstLine
    let savedReal = realFrame
    decorations = 0
    firstLetter = nil
    firstLine = nil
    let box = makeBox(.marker, node, .marker, marker, .formattingContext, parent: item)
    boxes[item.index].marker = box
    pushFrame(box, wrapsInline: false, style: marker, node: node)
    realFrame = frames.count - 1
    append(content, node, marker)
    closeFrame()
    decorations = savedDecorations
    firstLetter = savedLetter
    firstLine = savedLine
    realFrame = savedReal
  }

  mutating func insideMarker(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    let marker = markerStyle(node, pseudo, style)
    guard let content = markerContent(style, marker), enter(.inline) else { return }
    let savedLetter = firstLetter
    let savedLine = firstLine
    firstLetter = nil
    firstLine = nil
    let builder = inlineContext()
    let box = makeBox(.inline, node, .marker, marker, [], parent: inlineParent(builder))
    let attribute = attributes.attributes(of: marker, decorations: decorations)
    builders[builder].mark(.open, attribute, box)
    append(content, node, marker)
    builders[builder].mark(.close, attribute, box)
    firstLetter = savedLetter
    firstLine = savedLine
  }

  private enum MarkerContent {
    case image(ImageID)
    case text(String)
    case items
  }

  private func markerStyle(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) -> ComputedStyle {
    guard pseudo == nil, nodeFlags[node.index].contains(.hasPseudoElements) else { return style.anonymousChild }
    return tree.style(of: node, .marker) ?? style.anonymousChild
  }

  /// nil when the item has no marker.
  private mutating func markerContent(_ style: ComputedStyle, _ marker: ComputedStyle) -> MarkerContent? {
    switch tree.table.boxes[marker.box.index].content {
    case .none: return nil
    case .items: return .items
    case .normal: break
    }
    if case .url(let path) = tree.table.lists[style.list.index].image, let image = resources.styleImage(path) {
      return .image(image)
    }
    switch tree.table.lists[style.list.index].type {
    case .none: return nil
    case .string(let string): return string.isEmpty ? nil : .text(string)
    case .named(let name):
      let number = counters.value("list-item")
      let isInside = tree.table.lists[style.list.index].position == .inside
      return .text(counterFormatter.marker(of: number, style: name, isInside: isInside))
    }
  }

  private mutating func append(_ content: MarkerContent, _ node: NodeID, _ style: ComputedStyle) {
    switch content {
    case .image(let image):
      generatedImage(image, node, .marker, style)
      // A gap of 7 px at the default size, as browsers have it.
      appendGenerated("\u{A0}\u{2006}", node, style)
    case .text(let text): appendGenerated(text, node, style)
    case .items: generatedContent(node, .marker, style)
    }
  }
}
