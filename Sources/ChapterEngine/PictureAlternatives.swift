import BoxGeneration
import Markup
package import Primitives
import Publications
import Shaping
import Text

/// Alternative texts of the pictures of a chapter where they are not seen.
struct PictureAlternatives: Sendable {
  private let tree: BoxTree
  private let document: Document
  private let formatted: FormattedText

  /// The fault of a picture without alternative text (ISO 14289-1, section 7.3).
  static let lack = "a picture has no text, which PDF/UA-1 asks for"

  init(tree: BoxTree, document: Document) {
    self.tree = tree
    self.document = document
    formatted = FormattedText(tree: tree, document: document)
  }

  /// The pictures that nothing stands for and that the book does not call decoration.
  var missing: [NodeID] {
    tree.boxes.compactMap { box in
      guard box.content == .replaced, box.pseudo == nil, !box.node.isNone, !box.flags.contains(.anonymous),
        alternative(of: box) == nil, !isDecoration(box.node)
      else { return nil }
      return box.node
    }
  }

  /// The picture is a decoration by the book's own markup.
  func isDecoration(_ node: NodeID) -> Bool {
    let role = document.attributeValue(.role, of: node)
    return role == "presentation" || role == "none" || document.attributeValue(.ariaHidden, of: node) == "true"
  }

  /// The alternative text of a picture; empty for one that says nothing.
  func alternative(of box: Box) -> String? {
    for name in [Atom.alt, .ariaLabel, .title] {
      if let text = document.attributeValue(name, of: box.node) {
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    }
    if let title = document.children(of: box.node).first(where: {
      document.isElement($0, .title, in: .svg) || document.isElement($0, .desc, in: .svg)
    }) {
      let text = document.textContent(of: title).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !text.isEmpty { return text }
    }
    if let image = nestedImage(of: box.node) { return image }
    guard !box.text.isNone else { return nil }
    var marker = ""
    let length = UInt32(clamping: tree.texts[box.text].units.count)
    let text = formatted.string(box.text, 0..<length, generated: .kept, marker: &marker)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// The alternative text of an `<svg>` that only wraps a picture.
  private func nestedImage(of node: NodeID) -> String? {
    for index in node.index..<document[node].subtreeEnd.index where document.nodes[index].kind == .element {
      if let text = document.attributeValue(.alt, of: NodeID(index))
        ?? document.attributeValue(.ariaLabel, of: NodeID(index))
      {
        return text
      }
    }
    return nil
  }
}

extension BookResources {
  /// Faults that keep the book from PDF/UA-1 (ISO 14289-1), chapter by chapter.
  package func accessibilityFaults(_ cancellation: Cancellation = Cancellation()) -> [Diagnostic] {
    let shaping = ShapingResources(hyphenator: settings.hyphenator())
    return publication.accessibilityFaults
      + publication.spine.indices.flatMap { index -> [Diagnostic] in
        guard !cancellation.isRequested else { return [] }
        // References to pages are none of a picture's text: nothing is counted.
        let chapter = StyledChapter(
          self, index: index, shapingResources: shaping, cancellation: cancellation, counting: PageReferences())
        return PictureAlternatives(tree: chapter.tree, document: chapter.document).missing.map { node in
          Diagnostic(
            .error, code: "no-alternative", resource: chapter.item.path, line: Int(chapter.document[node].line),
            message: PictureAlternatives.lack)
        }
      }
  }
}
