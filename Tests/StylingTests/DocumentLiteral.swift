import Markup
import Primitives

/// A document written as tags: `<p id=a class="b c">text</p><br/>`. Elements are HTML's unless the name has a prefix
/// (`svg:a`), attributes may have one too (`epub:type`, `xml:lang`).
func document(_ source: String, isXML: Bool = true, mode: Document.Mode = .noQuirks) -> Document {
  var document = Document()
  document.isXML = isXML
  document.mode = mode
  document.nodes.append(Node(kind: .document, parent: .none, range: 0..<0, line: 1))
  var open = [Document.documentNode]

  func append(_ node: Node) -> NodeID {
    let id = NodeID(document.nodes.count)
    var node = node
    let parent = node.parent.index
    let last = document.nodes[parent].lastChild
    node.previousSibling = last
    if last.isNone { document.nodes[parent].firstChild = id } else { document.nodes[last.index].nextSibling = id }
    document.nodes[parent].lastChild = id
    document.nodes.append(node)
    return id
  }
  func store(_ text: Substring) -> Range<UInt32> {
    let start = UInt32(document.text.count)
    document.text += text.utf8
    return start..<UInt32(document.text.count)
  }
  func close() {
    let id = open.removeLast()
    document.nodes[id.index].subtreeEnd = NodeID(document.nodes.count)
  }

  var rest = source[...]
  while let character = rest.first {
    guard character == "<", let end = rest.firstIndex(of: ">") else {
      let end = rest.firstIndex(of: "<") ?? rest.endIndex
      _ = append(Node(kind: .text, parent: open[open.count - 1], range: store(rest[..<end]), line: 1))
      rest = rest[end...]
      continue
    }
    var tag = rest[rest.index(after: rest.startIndex)..<end]
    rest = rest[rest.index(after: end)...]
    if tag.first == "/" {
      close()
      continue
    }
    let isEmpty = tag.last == "/"
    if isEmpty { tag.removeLast() }
    let nameEnd = tag.firstIndex(of: " ") ?? tag.endIndex
    var name = tag[..<nameEnd]
    tag = tag[nameEnd...]
    var namespace = Markup.Namespace.html
    if name.hasPrefix("svg:") {
      namespace = .svg
      name = name.dropFirst(4)
    }
    let first = UInt32(document.attributes.count)
    while let start = tag.firstIndex(where: { $0 != " " }) {
      tag = tag[start...]
      let nameEnd = tag.firstIndex(where: { $0 == "=" || $0 == " " }) ?? tag.endIndex
      let attribute = tag[..<nameEnd]
      tag = tag[nameEnd...]
      var value: Substring = ""
      if tag.first == "=" {
        tag = tag.dropFirst()
        let isQuoted = tag.first == "\""
        if isQuoted { tag = tag.dropFirst() }
        let valueEnd = tag.firstIndex(of: isQuoted ? "\"" : " ") ?? tag.endIndex
        value = tag[..<valueEnd]
        tag = isQuoted ? tag[valueEnd...].dropFirst() : tag[valueEnd...]
      }
      let attributeNamespace: Markup.Namespace =
        attribute.hasPrefix("epub:") ? .epub : attribute.hasPrefix("xml:") ? .xml : .none
      document.attributes.append(
        Attribute(namespace: attributeNamespace, name: document.names.intern(String(attribute)), value: store(value)))
    }
    let id = append(
      Node(
        kind: .element, namespace: namespace, name: document.names.intern(String(name)), parent: open[open.count - 1],
        range: first..<UInt32(document.attributes.count), line: 1))
    open.append(id)
    if isEmpty { close() }
  }
  while !open.isEmpty { close() }
  return document
}

/// The `id` of an element, or its name.
func label(_ id: NodeID, _ document: Document) -> String {
  document.attributeValue(.id, of: id) ?? document.names.name(of: document[id].name)
}
