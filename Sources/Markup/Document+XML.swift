package import Primitives

extension Document {
  /// An element with what is in it as XML that stands by itself. Attributes of other vocabularies than the element's
  /// own are left out.
  package func xml(of element: NodeID) -> String {
    var output: [UInt8] = []
    append(element, in: .none, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func append(_ id: NodeID, in outer: Namespace, to output: inout [UInt8]) {
    let node = nodes[id.index]
    guard node.kind == .element else { return XMLEscaping.append(bytes(node.range), to: &output) }
    let name = names.name(of: node.name)
    output += "<\(name)".utf8
    if node.namespace != outer, let uri = node.namespace.uri { output += " xmlns=\"\(uri)\"".utf8 }
    for index in node.range where attributes[Int(index)].namespace == .none {
      let attribute = attributes[Int(index)]
      output += " \(names.name(of: attribute.name))=\"".utf8
      XMLEscaping.append(bytes(attribute.value), to: &output, keepsSpaces: true)
      output += "\"".utf8
    }
    guard !node.firstChild.isNone else {
      output += "/>".utf8
      return
    }
    output += ">".utf8
    for child in children(of: id) { append(child, in: node.namespace, to: &output) }
    output += "</\(name)>".utf8
  }
}

extension Namespace {
  /// The URI of a vocabulary that markup of chapters consists of.
  fileprivate var uri: String? {
    switch self {
    case .html: "http://www.w3.org/1999/xhtml"
    case .svg: "http://www.w3.org/2000/svg"
    case .mathML: "http://www.w3.org/1998/Math/MathML"
    default: nil
    }
  }
}
