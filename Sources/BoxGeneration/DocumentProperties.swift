import CSS
import Markup
import Primitives
import Styling

extension Document {
  /// The images that filters of the document show (Filter Effects 1, section 9.14).
  func filterImages(_ resources: BoxResources) -> [NodeID: ImageID] {
    let names = ["feImage", "feimage"].compactMap { self.names.lookup($0) }
    guard !names.isEmpty else { return [:] }
    var images: [NodeID: ImageID] = [:]
    for index in nodes.indices {
      let node = nodes[index]
      guard node.kind == .element, node.namespace == .svg, names.contains(node.name) else { continue }
      let id = NodeID(index)
      let reference = drawingAttribute("href", of: id) ?? drawingAttribute("xlink:href", of: id)
      if let reference, let image = resources.image(reference) { images[id] = image }
    }
    return images
  }

  /// A text node of nothing but white space.
  func isBlankText(_ node: NodeID) -> Bool {
    let text = bytes(nodes[node.index].range)
    return BoxGeneration.isBlank(text.span)
  }
}

extension StyledTree {
  /// That of the body, which is the page's (CSS Writing Modes 4, section 8).
  var principalWritingMode: WritingMode {
    let root = document.root
    guard !root.isNone else { return .horizontalTB }
    let body = document.children(of: root).first { document.isElement($0, .body) }
    return table.paragraphs[styles[(body ?? root).index].paragraph.index].writingMode
  }
}
