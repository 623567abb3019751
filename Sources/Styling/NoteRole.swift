package import Markup
package import Primitives

/// The role of an element in a note (EPUB 3 Structural Semantics; DPUB-ARIA).
package enum NoteRole: Hashable, Sendable {
  /// The mark in the text.
  case reference
  case note

  package init?(of id: NodeID, in document: Document) {
    for index in document[id].range {
      let attribute = document.attributes[Int(index)]
      guard attribute.name == .epubType || attribute.name == .role else { continue }
      for word in document.bytes(attribute.value).split(separator: 0x20) {
        switch String(decoding: word, as: UTF8.self) {
        case "noteref", "doc-noteref": self = .reference
        case "footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote": self = .note
        default: continue
        }
        if document.isMetadata(id) { return nil }
        return
      }
    }
    return nil
  }
}

extension Document {
  /// The link of a note's reference: the element itself or a child of it.
  package func noteLink(of reference: NodeID) -> NodeID? {
    isElement(reference, .a) ? reference : children(of: reference).first { isElement($0, .a) }
  }

  /// The most characters of a note's mark, brackets included: what is longer are words.
  private static let longestNoteMark = 5

  /// The element is a note's reference and holds a number or a sign alone.
  package func isNoteMark(_ id: NodeID) -> Bool {
    let child = nodes[id.index].firstChild
    guard !child.isNone, nodes[child.index].kind == .text, nodes[child.index].nextSibling.isNone,
      NoteRole(of: id, in: self) == .reference
    else { return false }
    let mark = String(decoding: bytes(nodes[child.index].range), as: UTF8.self)
    return mark.count <= Self.longestNoteMark && !mark.contains(where: \.isWhitespace)
  }

  /// The note that an element is, or lies in.
  package func note(around node: NodeID) -> NodeID? {
    var node = node
    while !node.isNone, nodes[node.index].kind == .element {
      if NoteRole(of: node, in: self) == .note { return node }
      node = nodes[node.index].parent
    }
    return nil
  }

  /// The note that a reference means: the one its target is in, or else the target itself where it holds a note of its own.
  package func note(at target: NodeID) -> NodeID? {
    if let note = note(around: target) { return note }
    let isItem = [Atom.li, .aside, .dd, .div].contains { isElement(target, $0) }
    return isItem ? target : nil
  }

  /// The number of an item (HTML, section 4.4.8): its `value`, or its place in its list, which counts from the list's `start`.
  package func ordinal(ofItem node: NodeID) -> Int32 {
    if let value = integer(.value, of: node) { return value }
    let parent = nodes[node.index].parent
    var place: Int32 = 0
    for child in children(of: parent) where isElement(child, .li) {
      place += 1
      if child == node { break }
    }
    return (integer(.start, of: parent) ?? 1) &+ place &- 1
  }
}
