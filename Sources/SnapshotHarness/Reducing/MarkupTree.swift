import Markup
import Primitives

extension Namespace: Codable {}

/// A document that loses parts one by one and is well-formed XHTML after each.
struct MarkupTree: Codable, Sendable {
  struct Attribute: Codable, Sendable {
    var name: String
    var value: String
    var isRemoved = false
  }

  struct Node: Codable, Sendable {
    /// Empty for text.
    var name = ""
    var namespace = Namespace.html
    var attributes: [Attribute] = []
    var text = ""
    var parent: Int
    var children: [Int] = []
    var depth: Int
    var isRemoved = false
    /// The children stand in its place.
    var isUnwrapped = false

    var isElement: Bool { !name.isEmpty }
  }

  /// In preorder; the root is the first.
  var nodes: [Node] = []
  /// The tree is written with a document type, as pages that are not read in quirks mode are.
  var hasDoctype = true

  init(_ document: Document) {
    hasDoctype = document.mode != .quirks
    let root = document.root
    guard !root.isNone else { return }
    var numbers: [NodeID: Int] = [:]
    for place in root.index..<max(root.index + 1, document[root].subtreeEnd.index) {
      let source = document.nodes[place]
      let parent = numbers[source.parent] ?? -1
      var node = Node(parent: parent, depth: parent < 0 ? 0 : nodes[parent].depth + 1)
      switch source.kind {
      case .document: continue
      case .text: node.text = document.string(source.range)
      case .element:
        node.name = document.names.name(of: source.name)
        node.namespace = source.namespace
        node.attributes = document.attributes[Int(source.range.lowerBound)..<Int(source.range.upperBound)].map {
          Attribute(name: document.names.name(of: $0.name), value: document.string($0.value))
        }
      }
      if parent >= 0 { nodes[parent].children.append(nodes.count) }
      numbers[NodeID(place)] = nodes.count
      nodes.append(node)
    }
  }

  // MARK: Finding

  func first(_ name: String) -> Int? { nodes.firstIndex { $0.name == name && !$0.isRemoved } }

  /// A node and all it stands in are still there.
  func isThere(_ index: Int) -> Bool {
    var place = index
    while place >= 0 {
      if nodes[place].isRemoved { return false }
      place = nodes[place].parent
    }
    return true
  }

  func isInside(_ index: Int, _ ancestor: Int) -> Bool {
    var place = nodes[index].parent
    while place >= 0, place != ancestor { place = nodes[place].parent }
    return place == ancestor
  }

  func attribute(_ name: String, of index: Int) -> String? {
    nodes[index].attributes.first { $0.name == name && !$0.isRemoved }?.value
  }

  mutating func set(_ name: String, _ value: String, of index: Int) {
    if let place = nodes[index].attributes.firstIndex(where: { $0.name == name }) {
      nodes[index].attributes[place] = Attribute(name: name, value: value)
    } else {
      nodes[index].attributes.append(Attribute(name: name, value: value))
    }
  }

  /// Adds an element or text behind the children of another.
  @discardableResult
  mutating func append(_ node: Node, to parent: Int) -> Int {
    var node = node
    node.parent = parent
    node.depth = nodes[parent].depth + 1
    nodes[parent].children.append(nodes.count)
    nodes.append(node)
    return nodes.count - 1
  }

  // MARK: Writing

  private static let namespaces: [Namespace: String] = [
    .html: "http://www.w3.org/1999/xhtml", .svg: "http://www.w3.org/2000/svg",
    .mathML: "http://www.w3.org/1998/Math/MathML", .opf: "http://www.idpf.org/2007/opf",
    .dublinCore: "http://purl.org/dc/elements/1.1/", .ncx: "http://www.daisy.org/z3986/2005/ncx/",
    .container: "urn:oasis:names:tc:opendocument:xmlns:container",
  ]
  private static let empty: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
  ]

  /// The document as text.
  ///
  /// - Parameters:
  ///   - isHTML: `true` if it is to be read as HTML, where style is no markup and an XML declaration is an error.
  ///   - comment: a line before the root.
  func text(isHTML: Bool = false, comment: String? = nil) -> String {
    var text = isHTML ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    if nodes.first?.namespace == .html, hasDoctype { text += "<!DOCTYPE html>\n" }
    if let comment {
      text += "<!-- \(comment.split(separator: "-", omittingEmptySubsequences: true).joined(separator: "-")) -->\n"
    }
    guard !nodes.isEmpty else { return text }
    write(0, in: nil, isHTML, &text)
    return text + "\n"
  }

  /// Documents are no deeper than `Limits.depth`.
  private func write(_ index: Int, in namespace: Namespace?, _ isHTML: Bool, _ text: inout String) {
    let node = nodes[index]
    if node.isRemoved { return }
    guard node.isElement else {
      let parent = node.parent >= 0 ? nodes[node.parent].name : ""
      text += isHTML && (parent == "style" || parent == "script") ? node.text : XMLEscaping.escaped(node.text)
      return
    }
    if node.isUnwrapped {
      for child in node.children { write(child, in: namespace, isHTML, &text) }
      return
    }
    text += "<" + node.name
    if node.namespace != namespace, !isHTML, let address = Self.namespaces[node.namespace] {
      text += " xmlns=\"\(address)\""
    }
    if namespace == nil, !isHTML {
      let names = nodes.indices.filter(isThere).flatMap { nodes[$0].attributes.filter { !$0.isRemoved }.map(\.name) }
      if names.contains(where: { $0.hasPrefix("epub:") }) {
        text += " xmlns:epub=\"http://www.idpf.org/2007/ops\""
      }
      if names.contains(where: { $0.hasPrefix("xlink:") }) { text += " xmlns:xlink=\"http://www.w3.org/1999/xlink\"" }
    }
    for attribute in node.attributes where !attribute.isRemoved && Self.isName(attribute.name) {
      text += " \(attribute.name)=\"\(XMLEscaping.escaped(attribute.value))\""
    }
    let children = node.children.filter { !nodes[$0].isRemoved }
    if children.isEmpty, node.namespace != .html || Self.empty.contains(node.name) {
      text += "/>"
    } else {
      text += ">"
      for child in children { write(child, in: node.namespace, isHTML, &text) }
      text += "</\(node.name)>"
    }
    if ["head", "style", "title", "body", "p", "div", "li", "tr", "link", "meta"].contains(node.name) { text += "\n" }
  }

  /// A name may be written: HTML's reader takes names that XML has not.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && ["xml", "epub", "xlink"].contains(parts[0]) else { return false }
    return parts.allSatisfy { part in
      part.first.map { $0.isLetter || $0 == "_" } ?? false
        && part.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    } && name != "xmlns"
  }
}
