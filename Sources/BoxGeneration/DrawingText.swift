import CSS
import Markup
import Primitives
import Styling
import Text

/// Pictures that are drawings (SVG 2, section 5.1): their images, and their text for records and search.
extension BoxGenerator {
  /// An `<svg>` element as an image; nil when nothing can be shown.
  mutating func inlineSVG(_ node: NodeID, style: ComputedStyle) -> ReplacedContent? {
    let (drawing, text, faults) = drawings.drawing(node, isFile: false, &attributes)
    if !text.lines.isEmpty { boxTree.drawnTexts[node] = text }
    for fault in faults { boxTree.diagnostics.warn("undrawn-element", line: fault.line, fault.message) }
    guard let image = resources.inlineSVG(drawing) else {
      warnMissing(.drawing, node)
      return ReplacedContent(image: .none)
    }
    return ReplacedContent(image: image, hasText: true)
  }

  /// The text that an `<svg>` shows, a line for each of its `<text>` elements: what the picture says, for records and
  /// search. Layout does not set it.
  mutating func svgText(of root: NodeID, box: BoxID) {
    var builder = pictureTextBuilder(root, box)
    let attribute = attributes.attributes(of: tree.styles[root.index], decorations: 0)
    drawings.forEachText(of: root) { node, beginsLine in
      if beginsLine, builder.count > builder.lastBreakEnd {
        builder.append(.lineBreak, unit: 0x0A, attribute, node: node)
      }
      let text = document.bytes(document.nodes[node.index].range)
      builder.appendText(
        text.span,
        TextSource(node: node, offset: 0, isAtomic: false, collapse: .collapse, wraps: true, attributes: attribute))
    }
    if builder.count > 0 { boxTree.boxes[box.index].text = builder.finish(into: &boxTree.texts) }
  }

  /// The text that a drawing in a file shows, as `svgText`.
  mutating func pictureText(_ lines: [String], of node: NodeID, box: BoxID) {
    guard !lines.isEmpty else { return }
    var builder = pictureTextBuilder(node, box)
    let attribute = attributes.attributes(of: tree.styles[node.index], decorations: 0)
    for line in lines {
      if builder.count > builder.lastBreakEnd { builder.append(.lineBreak, unit: 0x0A, attribute, node: node) }
      builder.appendText(
        line.utf8Span.span,
        TextSource(node: node, offset: 0, isAtomic: true, collapse: .collapse, wraps: true, attributes: attribute))
    }
    if builder.count > 0 { boxTree.boxes[box.index].text = builder.finish(into: &boxTree.texts) }
  }

  private func pictureTextBuilder(_ node: NodeID, _ box: BoxID) -> InlineBuilder {
    var builder = InlineBuilder()
    builder.begin(
      container: box, direction: tree.table.paragraphs[tree.styles[node.index].paragraph.index].direction)
    return builder
  }
}
