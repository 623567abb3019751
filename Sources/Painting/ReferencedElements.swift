import CSS
import Markup
import Primitives

/// Elements of drawings that boxes refer to: `<clipPath>` and `<filter>`.
extension PagePainting {
  var document: Document { painter.document }

  /// The element of the document that the fragment of a URL names; nil where there is none.
  mutating func referencedElement(_ url: String) -> NodeID? {
    guard let hash = url.lastIndex(of: "#") else { return nil }
    let elements = self.elements ?? document.elementsByID()
    self.elements = elements
    return elements[String(url[url.index(after: hash)...])]
  }

  /// The first numbers of an attribute.
  func numbers(_ name: String, of element: NodeID, most: Int = 64) -> [Float] {
    var reader = PathReader((document.drawingAttribute(name, of: element) ?? "").utf8)
    var numbers: [Float] = []
    while numbers.count < most, let number = reader.number() { numbers.append(number) }
    return numbers
  }
}
