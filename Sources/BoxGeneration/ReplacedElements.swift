import CSS
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
    return [".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".jxl", ".bmp", ".ico"].contains(
      where: path.hasSuffix)
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
}
