import Markup
import Primitives

/// The files of a publication (EPUB 3.3, section 5.6).
package struct Manifest: Sendable {
  package struct Item: Hashable, Sendable {
    package var id: String
    /// Path in the container.
    package var path: String
    package var mediaType: String
    package var properties: [String]
    /// The item to use where this one cannot be shown.
    package var fallback: String?
    package var mediaOverlay: String?
  }

  package private(set) var items: [Item] = []
  private var byID: [String: Int] = [:]
  private var byPath: [String: Int] = [:]

  package init() {}

  mutating func append(_ item: Item) {
    if !item.id.isEmpty, byID[item.id] == nil { byID[item.id] = items.count }
    if byPath[item.path] == nil { byPath[item.path] = items.count }
    items.append(item)
  }

  package func item(id: String) -> Item? { byID[id].map { items[$0] } }
  package func item(path: String) -> Item? { byPath[path].map { items[$0] } }
  /// The first item with this property, such as `nav`.
  package func item(property: String) -> Item? { items.first { $0.properties.contains(property) } }

  /// The item and those it falls back to, in order (EPUB 3.3, section 3.5.1).
  package func fallbackChain(of item: Item) -> [Item] {
    var chain = [item]
    while let next = chain[chain.count - 1].fallback.flatMap({ self.item(id: $0) }), chain.count < 16 {
      guard !chain.contains(where: { $0.path == next.path }) else { break }
      chain.append(next)
    }
    return chain
  }

  /// The paths to look for a picture at: first those of its chain of fallbacks whose type can be drawn, then the others.
  package func picturePaths(for path: String) -> [String] {
    guard let item = item(path: path), item.fallback != nil else { return [path] }
    let chain = fallbackChain(of: item)
    return chain.filter { MediaType.isPicture($0.mediaType) }.map(\.path)
      + chain.filter { !MediaType.isPicture($0.mediaType) }.map(\.path)
  }

  /// Reads `item` elements. Items that name nothing in the book (remote ones) are left out.
  init(package document: Document, root: NodeID, path: String, diagnostics: inout DiagnosticSink) {
    let names = document.names
    let (id, properties) = (names.lookup("id"), names.lookup("properties"))
    let (href, mediaType) = (names.lookup("href"), names.lookup("media-type"))
    let (fallback, mediaOverlay) = (names.lookup("fallback"), names.lookup("media-overlay"))
    for element in document.descendants(of: root, named: "item") {
      guard let href = document.value(of: href, on: element),
        let target = ResourcePath.resolve(href, relativeTo: path)
      else { continue }
      append(
        Item(
          id: document.value(of: id, on: element) ?? "", path: target.path,
          mediaType: (document.value(of: mediaType, on: element) ?? "").lowercased(),
          properties: (document.value(of: properties, on: element) ?? "").words.map(String.init),
          fallback: document.value(of: fallback, on: element),
          mediaOverlay: document.value(of: mediaOverlay, on: element)))
    }
    if items.isEmpty {
      diagnostics.warn("empty-manifest", resource: path, "the package lists no files")
    }
  }
}

/// The media types that the engine can show.
enum MediaType {
  static let svg = "image/svg+xml"
  static let xhtml = "application/xhtml+xml"

  /// Files of the type can be drawn as pictures.
  static func isPicture(_ type: String) -> Bool {
    switch type {
    case svg, "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/jxl",
      "image/bmp", "image/x-ms-bmp", "image/vnd.microsoft.icon", "image/x-icon":
      true
    default: false
    }
  }

  /// Files of the type can stand in the reading order (EPUB 3.3, section 3.2; of EPUB 2 and older the documents).
  static func isContent(_ type: String) -> Bool {
    switch type {
    case "", "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document": true
    default: isPicture(type)
    }
  }

  /// Files of the type may hide a document that can be read, for want of a better one.
  static func isMarkup(_ type: String) -> Bool { type == "application/xml" || type == "text/xml" }
}
