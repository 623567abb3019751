import BoxGeneration
import Markup
import PDFRendering
package import Primitives
package import Styling

/// A heading of HTML.
package struct Heading: Sendable {
  package var node: NodeID
  /// From 1.
  package var level: Int
  /// Its words.
  package var title: String

  /// Characters of a heading beyond which it is cut.
  private static let longestTitle = 1000

  /// The headings of a document that have words, in order.
  package static func all(in styles: StyledTree) -> [Heading] {
    let document = styles.document
    let levels: [Atom: Int] = [.h1: 1, .h2: 2, .h3: 3, .h4: 4, .h5: 5, .h6: 6]
    var headings: [Heading] = []
    for index in document.nodes.indices where document.nodes[index].namespace == .html {
      guard document.nodes[index].kind == .element, let level = levels[document.nodes[index].name] else { continue }
      let title = styles.words(of: NodeID(index), limit: longestTitle)
      if !title.isEmpty { headings.append(Heading(node: NodeID(index), level: level, title: title)) }
    }
    return headings
  }
}

/// Outline entries of a chapter for a PDF: the bookmarks that its styles ask for (CSS Generated Content 3, section 7),
/// and its headings.
struct ChapterOutline: Sendable {
  private(set) var bookmarks: [PDFOutlineEntry] = []
  private(set) var headings: [PDFOutlineEntry] = []
  /// Names made for places that no fragment leads to.
  private(set) var madeNames: [NodeID: String] = [:]

  /// - Parameter fragments: The elements that fragments lead to.
  init(
    _ tree: BoxTree, _ styles: StyledTree, _ fragments: [String: NodeID], chapter: Int, takesHeadings: Bool
  ) {
    func name(_ node: NodeID) -> String {
      // An id that another element has, too, leads there.
      if let known = styles.document.fragments(of: node).first(where: { fragments[$0] == node }) {
        return DestinationName.name(chapter: chapter, fragment: known)
      }
      // No fragment begins so that a link could mean.
      let name = DestinationName.name(chapter: chapter, fragment: "\u{1}\(node.index)")
      madeNames[node] = name
      return name
    }
    for bookmark in tree.bookmarks where !bookmark.label.isEmpty {
      bookmarks.append(
        PDFOutlineEntry(
          title: bookmark.label, destination: name(bookmark.node), level: bookmark.level - 1, isOpen: bookmark.isOpen))
    }
    guard takesHeadings else { return }
    for heading in Heading.all(in: styles) {
      headings.append(
        PDFOutlineEntry(title: heading.title, destination: name(heading.node), level: heading.level - 1))
    }
  }
}
