import Primitives

/// The elements of a document that `SVGScanner` has read, in their order. Ranges are those of bytes in the document.
struct SVGTree {
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  struct Element {
    var name: Range<Int>
    /// Places in `attributes`.
    var attributes: Range<Int>
    /// The place of the element that it is in; that of itself for the root.
    var parent: Int
    /// The place behind its last descendant.
    var end: Int
    /// What stands between its tags.
    var content: Range<Int>
  }

  let bytes: [UInt8]
  var elements: [Element] = []
  var attributes: [Attribute] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The attributes of an element.
  func attributes(of element: Int) -> ArraySlice<Attribute> { attributes[elements[element].attributes] }

  /// The places of the children of an element.
  func children(of element: Int) -> [Int] {
    var children: [Int] = []
    var next = element + 1
    while next < elements[element].end {
      children.append(next)
      next = elements[next].end
    }
    return children
  }

  /// The value of an attribute of an element, by its name as it is written; nil without it.
  func value(of name: StaticString, of element: Int) -> ArraySlice<UInt8>? {
    attributes(of: element).first { equals($0.name, name) }.map { bytes[$0.value] }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    let letters = text.bytes
    return range.count == letters.count && letters.indices.allSatisfy { bytes[range.lowerBound + $0] == letters[$0] }
  }

  func starts(_ range: Range<Int>, with prefix: StaticString) -> Bool {
    let count = prefix.utf8CodeUnitCount
    return range.count > count && equals(range.prefix(count), prefix)
  }

  /// What stands behind the colon of a name, or all of it.
  func localName(_ name: Range<Int>) -> Range<Int> {
    name.first { bytes[$0] == 0x3A }.map { $0 + 1..<name.upperBound } ?? name
  }

  /// An attribute that does not bear on how an element without style rules is drawn.
  func changesNothing(_ name: Range<Int>, isRoot: Bool) -> Bool {
    func isOne(of names: [StaticString]) -> Bool { names.contains { equals(name, $0) } }
    return isOne(of: [
      "id", "class", "role", "lang", "xml:lang", "xml:space", "alt", "title", "xlink:title", "xlink:type",
    ])
      || starts(name, with: "aria-") || starts(name, with: "data-") || starts(name, with: "xmlns:")
      || isRoot && isOne(of: ["xmlns", "version", "baseProfile", "viewBox", "width", "height"])
  }
}
