import BoxGeneration
import Markup
import PDFRendering
import Primitives

/// Outline entries of a chapter for a PDF: the bookmarks that its styles ask for (CSS Generated Content 3, section 7),
/// and its headings.
struct ChapterOutline {
  private(set) var bookmarks: [PDFOutlineEntry] = []
  private(set) var headings: [PDFOutlineEntry] = []
  /// The names of the places that these lead to.
  private(set) var names: [NodeID: String] = [:]

  /// Characters of a heading beyond which it is cut.
  private static let longestTitle = 1000

  init(_ tree: BoxTree, _ document: Document, chapter: Int, takesHeadings: Bool) {
    func name(_ node: NodeID) -> String {
      let id = document.attributeValue(.id, of: node) ?? ""
      // No `id` begins so that a link could mean.
      let name = DestinationName.name(chapter: chapter, fragment: id.isEmpty ? "\u{1}\(node.index)" : id)
      names[node] = name
      return name
    }
    for bookmark in tree.bookmarks where !bookmark.label.isEmpty {
      bookmarks.append(
        PDFOutlineEntry(
          title: bookmark.label, destination: name(bookmark.node), level: bookmark.level - 1, isOpen: bookmark.isOpen))
    }
    guard takesHeadings else { return }
    let levels: [Atom: Int] = [.h1: 0, .h2: 1, .h3: 2, .h4: 3, .h5: 4, .h6: 5]
    for index in document.nodes.indices where document.nodes[index].namespace == .html {
      guard document.nodes[index].kind == .element, let level = levels[document.nodes[index].name] else { continue }
      let title = document.textContent(of: NodeID(index), limit: Self.longestTitle)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !title.isEmpty else { continue }
      headings.append(PDFOutlineEntry(title: title, destination: name(NodeID(index)), level: level))
    }
  }
}
