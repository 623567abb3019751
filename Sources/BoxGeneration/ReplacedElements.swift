import CSS
import Markup
import Primitives
import Styling
import Text

/// Replaced content of a box, instead of its children.
struct ReplacedContent {
  /// `.none` for one that could not be loaded or has no file.
  var image: ImageID
  /// An image without a file.
  var drawn: ImageValue?
  /// Alternative text of a missing image, or the text of a form control.
  var alternative = ""
  var isControl = false
  /// It is an inline `<svg>`, whose text elements are kept beside the picture.
  var hasText = false
}

/// What stands in the place of an element of HTML that is replaced (CSS 2.2, section 3.1; HTML, section 15.4).
struct ReplacedElements {
  enum Replacement {
    case replaced(ReplacedContent)
    /// A picture that cannot be shown: its URL and its alternative text.
    case missing(String, alternative: String)
    /// The element's children stand for it.
    case children
    case nothing
  }

  let document: Document
  let resources: BoxResources

  func replacement(of node: NodeID, _ name: Atom) -> Replacement {
    switch name {
    case .img, .image:
      let source = document.attributeValue(.src, of: node) ?? document.attributeValue(.href, of: node) ?? ""
      return image(source, of: node)
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

  private func image(_ source: String, of node: NodeID) -> Replacement {
    if !source.isEmpty, let image = resources.image(source) { return .replaced(ReplacedContent(image: image)) }
    if let image = imageOfSet(of: node) { return .replaced(ReplacedContent(image: image)) }
    return .missing(source, alternative: document.attributeValue(.alt, of: node) ?? "")
  }

  /// The first image there is of those that `srcset` names, or the `source` elements of a `picture` before the element,
  /// which ask for no medium (HTML, section 4.8.4.2).
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
  private func input(_ node: NodeID) -> Replacement {
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

extension Document {
  /// The element is one whose children stand for what it embeds (HTML, section 4.8).
  func isEmbedded(_ node: NodeID) -> Bool {
    guard nodes[node.index].namespace == .html else { return false }
    switch nodes[node.index].name {
    case .object, .applet, .video, .audio, .iframe, .canvas: return true
    default: return false
    }
  }
}
