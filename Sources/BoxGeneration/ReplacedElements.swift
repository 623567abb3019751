import CSS
import Images
import Markup
import Primitives
import Styling
import Text

/// Replaced elements (CSS 2.2, section 3.1; HTML, section 15.4).
extension BoxGenerator {
  enum Replacement {
    case replaced(ReplacedContent)
    /// The element's children stand for it.
    case children
    case nothing
  }

  mutating func replacement(of node: NodeID, _ name: Atom) -> Replacement {
    switch name {
    case .img, .image:
      let source = document.attributeValue(.src, of: node) ?? document.attributeValue(.href, of: node) ?? ""
      return .replaced(image(source, of: node))
    case .object, .applet:
      guard let source = document.attributeValue(.data, of: node), !source.isEmpty, let image = resources.image(source)
      else {
        return .children
      }
      return .replaced(ReplacedContent(image: image))
    case .embed:
      guard let source = document.attributeValue(.src, of: node), let image = resources.image(source) else {
        return .nothing
      }
      return .replaced(ReplacedContent(image: image))
    case .video:
      guard let source = document.attributeValue(.poster, of: node), let image = resources.image(source) else {
        return .children
      }
      return .replaced(ReplacedContent(image: image))
    case .iframe:
      // A picture or drawing of the book's own; other documents are for reading apps to show.
      guard let source = document.attributeValue(.src, of: node), Self.isPictureName(source),
        let image = resources.image(source)
      else { return .children }
      return .replaced(ReplacedContent(image: image))
    case .input: return input(node)
    default: return .children
    }
  }

  /// The URL is one of a picture by its name.
  private static func isPictureName(_ source: String) -> Bool {
    let path = source.prefix { $0 != "#" && $0 != "?" }.lowercased()
    return [".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".jxl"].contains(where: path.hasSuffix)
  }

  /// The element is one whose children stand for what it embeds (HTML, section 4.8).
  func isEmbedded(_ node: NodeID) -> Bool {
    guard document.nodes[node.index].namespace == .html else { return false }
    switch document.nodes[node.index].name {
    case .object, .applet, .video, .audio, .iframe, .canvas: return true
    default: return false
    }
  }

  private mutating func image(_ source: String, of node: NodeID) -> ReplacedContent {
    if !source.isEmpty, let image = resources.image(source) { return ReplacedContent(image: image) }
    if let image = imageOfSet(of: node) { return ReplacedContent(image: image) }
    warnMissing(.href(source), node)
    return ReplacedContent(image: .none, alternative: document.attributeValue(.alt, of: node) ?? "")
  }

  /// The first image there is of those that `srcset` names, or the `source` elements of a `picture` before the element, which ask
  /// for no medium (HTML, section 4.8.4.2).
  private func imageOfSet(of node: NodeID) -> ImageID? {
    var sets = [document.attributeValue(.srcset, of: node)]
    let parent = document.nodes[node.index].parent
    if !parent.isNone, document.isElement(parent, .picture) {
      for child in document.children(of: parent) {
        if child == node { break }
        guard document.isElement(child, .source), document.attribute(.media, of: child) == nil else { continue }
        sets.append(document.attributeValue(.srcset, of: child))
      }
    }
    return sets.lazy.compactMap { $0 }.flatMap { Self.candidates(ofSet: $0) }
      .compactMap { resources.image($0) }.first
  }

  /// The URLs of an image set, without their descriptors.
  private static func candidates(ofSet set: String) -> [String] {
    var urls: [String] = []
    var rest = Substring(set)
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty else { return urls }
      let url = rest.prefix { !$0.isWhitespace }
      rest = rest[url.endIndex...]
      if url.hasSuffix(",") {
        urls.append(String(url.dropLast()))
      } else {
        urls.append(String(url))
        rest = rest.drop { $0 != "," }
      }
    }
  }

  /// The text that a form control shows.
  private mutating func input(_ node: NodeID) -> Replacement {
    let type = (document.attributeValue(.type, of: node) ?? "text").lowercased()
    var text = ""
    switch type {
    case "hidden": return .nothing
    case "image":
      if let source = document.attributeValue(.src, of: node), let image = resources.image(source) {
        return .replaced(ReplacedContent(image: image))
      }
      text = document.attributeValue(.alt, of: node) ?? ""
    // Empty boxes; the user agent's sheet puts a mark into those that are ticked.
    case "checkbox", "radio", "range", "color": return .children
    case "file": return .nothing
    case "submit": text = document.attributeValue(.value, of: node) ?? "Submit"
    case "reset": text = document.attributeValue(.value, of: node) ?? "Reset"
    case "password": text = String(repeating: "•", count: document.attributeValue(.value, of: node)?.count ?? 0)
    default: text = document.attributeValue(.value, of: node) ?? ""
    }
    // A field to be filled in shows its frame.
    return text.isEmpty ? .children : .replaced(ReplacedContent(image: .none, alternative: text, isControl: true))
  }

  // MARK: SVG

  /// An `<svg>` element as an image; nil when nothing can be shown.
  mutating func inlineSVG(_ node: NodeID, style: ComputedStyle) -> ReplacedContent? {
    // A cover page often wraps its picture in an <svg>: that is the picture.
    if let source = soleImage(of: node), let image = resources.image(source) {
      return ReplacedContent(image: image, flags: .fitsContain)
    }
    let serializer = SVGSerializer(tree: tree, texts: svgTexts(of: node))
    var paths: [GlyphPaths] = []
    let markup = serializer.markup(of: node, color: tree.table.texts[style.text.index].color, paths: &paths)
    let drawing = InlineSVG(markup: markup, texts: paths, outlines: resources.outlines)
    guard let image = resources.inlineSVG(drawing) else {
      warnMissing(.drawing, node)
      return ReplacedContent(image: .none)
    }
    return ReplacedContent(image: image, hasText: true)
  }

  /// The text that an `<svg>` shows, a line for each of its `<text>` elements: what the picture says, for records and search.
  /// Layout does not set it.
  mutating func svgText(of root: NodeID, box: BoxID) {
    let style = tree.styles[root.index]
    let attribute = attributes.attributes(of: style, decorations: 0)
    var builder = InlineBuilder()
    defer { builder.deallocate() }
    builder.begin(container: box, direction: tree.table.paragraphs[style.paragraph.index].direction)
    let end = min(document.nodes[root.index].subtreeEnd.index, document.nodes.count)
    var index = root.index
    var lineEnd = index
    while index < end {
      let node = document.nodes[index]
      if node.kind == .element, node.namespace == .svg {
        switch node.name {
        case .title, .desc, .metadata, .style, .script, .defs:
          index = max(index + 1, node.subtreeEnd.index)
          continue
        case _ where index >= lineEnd && (node.name == .text || node.name == .foreignObject):
          if builder.count > builder.lastBreakEnd {
            builder.append(.lineBreak, unit: 0x0A, attribute, node: NodeID(index))
          }
          lineEnd = node.subtreeEnd.index
        default: break
        }
      } else if node.kind == .text, index < lineEnd {
        let slice = unsafe UnsafeBufferPointer(rebasing: bytes[Int(node.range.lowerBound)..<Int(node.range.upperBound)])
        unsafe builder.appendText(
          slice,
          TextSource(
            node: NodeID(index), offset: 0, isAtomic: false, collapse: .collapse, wraps: true, attributes: attribute))
      }
      index += 1
    }
    if builder.count > 0 { boxes[box.index].text = builder.finish(into: &store) }
  }

  /// The reference of the one `<image>` that an `<svg>` consists of, when nothing else is drawn or transformed and the image fills it.
  private func soleImage(of node: NodeID) -> String? {
    var found: NodeID?
    for child in document.children(of: node) {
      let value = document.nodes[child.index]
      if value.kind == .text {
        let slice = unsafe bytes[Int(value.range.lowerBound)..<Int(value.range.upperBound)]
        guard unsafe isBlank(UnsafeBufferPointer(rebasing: slice))
        else { return nil }
        continue
      }
      switch value.name {
      case .title, .desc, .metadata: continue
      case .image where found == nil && value.namespace == .svg: found = child
      default: return nil
      }
    }
    guard let found, !document.names.has("transform", in: document, of: found), isFilled(node, by: found) else {
      return nil
    }
    return document.attributeValue(.xlinkHref, of: found) ?? document.attributeValue(.href, of: found)
  }

  /// An `<image>` has the place of the whole `<svg>`, its size if it names one, and both keep the ratio of its picture.
  private func isFilled(_ svg: NodeID, by image: NodeID) -> Bool {
    let viewport = viewport(of: svg)
    if [viewport, self.viewport(of: image)].contains(where: { $0.align == nil || $0.isSliced }) { return false }
    if document.names.has("x", in: document, of: image) || document.names.has("y", in: document, of: image) {
      return false
    }
    guard let box = viewport.box else { return document.drawingAttribute("viewBox", of: svg) == nil }
    guard box.corner == .zero else { return false }
    return [("width", box.size.x), ("height", box.size.y)].allSatisfy { name, side in
      guard let length = document.drawingAttribute(name, of: image), length != "100%" else { return true }
      return Float(length.hasSuffix("px") ? length.dropLast(2) : length[...]) == side
    }
  }
}

extension AtomTable {
  fileprivate func has(_ name: String, in document: Document, of node: NodeID) -> Bool {
    guard let atom = lookup(name), let value = document.attributeValue(atom, of: node) else { return false }
    return value != "0"
  }
}
