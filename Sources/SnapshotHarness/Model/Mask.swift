/// The parts that a comparison leaves out of consideration (4.6).
package struct Mask: Hashable, Codable, Sendable {
  /// A part of every page, in CSS px.
  package var box: RecordBox?
  /// A chapter's path in the book; nil for all. Alone, it hides the chapter.
  package var href: String?
  /// CFI steps of an element: lines in it are left out.
  package var node: String?

  package init(box: RecordBox? = nil, href: String? = nil, node: String? = nil) {
    self.box = box
    self.href = href
    self.node = node
  }
}
