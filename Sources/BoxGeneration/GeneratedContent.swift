import CSS
import Markup
import Primitives
import Styling
import Text

/// The content of `::before`, `::after` and `::marker` (CSS Generated Content 3, section 2).
extension BoxGenerator {
  mutating func generatedContent(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    let items: [ContentItem]
    switch tree.table.boxes[style.box.index].content {
    case .items(let own): items = own
    case .normal where pseudo == .footnoteCall: items = [.counter(name: "footnote", style: .named("decimal"))]
    case .normal where pseudo == .footnoteMarker:
      items = [.counter(name: "footnote", style: .named("decimal")), .string(".\u{A0}")]
    case .normal, .none: return
    }
    // A mark stays with the word before it.
    if pseudo == .footnoteCall, !items.isEmpty { appendGenerated("\u{2060}", node, style) }
    for item in items {
      switch item {
      case .string(let string):
        appendGenerated(pseudo == .marker ? Self.keepingSpaces(string) : string, node, style)
      case .url(let path):
        if let image = resources.styleImage(path) {
          generatedImage(image, node, pseudo, style)
        } else {
          warnMissing(.path(path), node)
        }
      case .image(let image): generatedImage(image, node, pseudo, style)
      case .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote:
        if let mark = numbering.quotes.mark(for: item, style, tree.table) { appendGenerated(mark, node, style) }
      case .leader(let text): leader(text, node, pseudo, style)
      case .elementText, .element: break
      case .ornament, .counter, .counters, .attribute, .namedString, .targetCounter, .targetCounters, .targetText:
        appendGenerated(string(item, node, pseudo), node, style)
      }
    }
  }

  /// An anonymous atomic inline box among the text; nil where no box may stand.
  private mutating func generatedAtomicInline(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle
  ) -> BoxID? {
    guard enter(.inline) else { return nil }
    lineStarts.firstLetter = nil
    let builder = inlineContext()
    let box = makeBox(
      .block, node, pseudo, style.anonymousChild, [.anonymous, .atomicInline, .formattingContext],
      parent: inlineParent(builder))
    openBoxes.builders[builder].append(
      .object, unit: 0xFFFC, attributes.attributes(of: style, decorations: openBoxes.decorations), node: node, box: box)
    return box
  }

  /// An image as an anonymous replaced inline box.
  mutating func generatedImage(_ image: ImageID, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].content = .replaced
    if pseudo == .marker { boxTree.boxes[box.index].symbol = .image }
    boxTree.boxes[box.index].image = presented(image, style)
  }

  /// An image without a file as an anonymous replaced inline box; in a marker it is as large as an em (CSS Lists 3,
  /// section 3.3).
  mutating func generatedImage(_ image: ImageValue, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].content = .replaced
    if pseudo == .marker { boxTree.boxes[box.index].symbol = .image }
    boxTree.drawnImages[box] = image
  }

  /// The image as `image-orientation` and `image-rendering` want it (CSS Images 3, section 6).
  func presented(_ image: ImageID, _ style: ComputedStyle) -> ImageID {
    resources.presentedImage(image, tree.table.lists[style.list.index].imagePresentation)
  }

  /// One copy of a leader as an atomic inline box: lines repeat it (CSS Generated Content 3, "Leaders").
  private mutating func leader(_ text: String, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].symbol = .leader
    let saved = (openBoxes.realFrame, openBoxes.decorations)
    openBoxes.decorations = 0
    pushFrame(box, wrapsInline: false, style: style.anonymousChild, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    // Its spaces are part of it.
    appendGenerated(String(text.map { $0 == " " ? "\u{A0}" : $0 }), node, style.anonymousChild)
    popFrames(to: openBoxes.realFrame)
    closeFrame()
    (openBoxes.realFrame, openBoxes.decorations) = saved
    // U+2060 keeps what follows on its line.
    appendGenerated("\u{2060}", node, style)
  }

  /// An image that is all the `content` of an element replaces it.
  func contentImage(_ style: ComputedStyle) -> ReplacedContent? {
    guard case .items(let items) = tree.table.boxes[style.box.index].content, items.count == 1 else { return nil }
    switch items[0] {
    case .url(let path): return resources.styleImage(path).map { ReplacedContent(image: $0) }
    case .image(let image): return ReplacedContent(image: .none, drawn: image)
    default: return nil
    }
  }

  func representation(_ value: Int32, _ type: ListStyleType) -> String {
    switch type {
    case .none: ""
    case .named(let name): counterFormatter.representation(of: value, style: name)
    case .string(let string): string
    }
  }

  func attributeValue(named name: String, of node: NodeID) -> String? {
    guard let atom = document.names.lookup(document.isXML ? name : name.lowercased()) else { return nil }
    return document.attributeValue(atom, of: node)
  }

  /// Tells of a picture that cannot be shown; of one that only lacks a decoder the book is told once.
  mutating func warnMissing(_ reference: BoxResources.PictureReference, _ node: NodeID) {
    if let decoder = resources.missingDecoder(reference) {
      boxTree.undrawn[node] = .decoder(decoder)
      return
    }
    let message =
      switch reference {
      case .href(let name), .path(let name): "the image \(name.prefix(200)) cannot be shown"
      case .drawing: "an inline SVG cannot be drawn"
      }
    boxTree.undrawn[node] = .broken(message)
    boxTree.diagnostics.warn("missing-image", line: Int(document.nodes[node.index].line), message)
  }
}
