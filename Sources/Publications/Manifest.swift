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
  /// By id, which packages give to several items against the rule.
  private var byID: [String: [Int]] = [:]
  private var byPath: [String: Int] = [:]

  package init() {}

  mutating func append(_ item: Item) {
    if !item.id.isEmpty { byID[item.id, default: []].append(items.count) }
    if byPath[item.path] == nil { byPath[item.path] = items.count }
    items.append(item)
  }

  /// Changes where an item lies and what it is.
  mutating func correct(_ item: Item, path: String, mediaType: String) {
    guard let position = items.firstIndex(of: item) else { return }
    items[position].path = path
    items[position].mediaType = mediaType
    if byPath[path] == nil { byPath[path] = position }
  }

  /// The items of an id, mostly one.
  func items(id: String) -> [Item] { byID[id, default: []].map { items[$0] } }
  /// The first item of an id that suits, or else its first.
  func item(id: String, where suits: (Item) -> Bool) -> Item? {
    let items = items(id: id)
    return items.first(where: suits) ?? items.first
  }
  package func item(id: String) -> Item? { byID[id]?.first.map { items[$0] } }
  package func item(path: String) -> Item? { byPath[path].map { items[$0] } }
  /// The items with this property, such as `nav`.
  package func items(property: String) -> [Item] { items.filter { $0.properties.contains(property) } }

  /// The item and those it falls back to, in order (EPUB 3.3, section 3.5.1).
  package func fallbackChain(of item: Item) -> [Item] {
    var chain = [item]
    var index = 0
    while index < chain.count, chain.count < 16 {
      if let id = chain[index].fallback {
        for next in items(id: id) where !chain.contains(where: { $0.path == next.path }) { chain.append(next) }
      }
      index += 1
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
    let hasBases = names.lookup("xml:base") != nil
    for element in document.descendants(of: root, named: "item") {
      guard let href = (document.value(of: href, on: element) ?? document.value(of: "href", ignoringCaseOn: element)),
        !href.utf8.allSatisfy({ $0 <= 0x20 })
      else {
        diagnostics.warn(
          "item-without-file", resource: path, line: Int(document[element].line), "an item of the manifest has no href")
        continue
      }
      let base = hasBases ? document.base(of: element, in: path) : path
      guard let base, let target = ResourcePath.resolve(href, relativeTo: base) else { continue }
      // Values of white space around them are those of a parser that knows their types.
      func value(_ name: Atom?) -> String? { document.value(of: name, on: element)?.collapsed }
      append(
        Item(
          id: value(id) ?? document.value(of: "id", ignoringCaseOn: element)?.collapsed ?? "", path: target.path,
          mediaType: MediaType.named(value(mediaType) ?? "", path: target.path),
          properties: (document.value(of: properties, on: element) ?? "").lowercased().words.map(String.init),
          fallback: value(fallback), mediaOverlay: value(mediaOverlay)))
    }
    if items.isEmpty {
      diagnostics.warn("empty-manifest", resource: path, "the package lists no files")
    }
  }
}
