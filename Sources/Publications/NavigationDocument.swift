import Markup
import Primitives

/// One line of a table of contents, page list or list of landmarks.
///
/// Lists are flat, in order; `level` gives the tree.
package struct NavigationEntry: Hashable, Sendable {
  package var title: String
  /// The target of the link; nil for a mere heading or a place outside the book.
  package var target: ResourcePath?
  /// From 0.
  package var level: Int
  /// `epub:type` of a landmark.
  package var type: String?

  package init(title: String, target: ResourcePath?, level: Int, type: String? = nil) {
    self.title = title
    self.target = target
    self.level = level
    self.type = type
  }
}

/// The lists a publication offers to move about in it.
package struct Navigation: Sendable {
  package var tableOfContents: [NavigationEntry] = []
  package var pageList: [NavigationEntry] = []
  package var landmarks: [NavigationEntry] = []

  package init() {}

  /// Takes the lists of another that this lacks.
  mutating func fill(from other: Navigation) {
    if tableOfContents.isEmpty { tableOfContents = other.tableOfContents }
    if pageList.isEmpty { pageList = other.pageList }
    if landmarks.isEmpty { landmarks = other.landmarks }
  }
}

enum NavigationDocument {
  /// Reads the `nav` elements of an EPUB 3 navigation document (EPUB 3.3, section 7).
  static func read(_ document: Document, path: String) -> Navigation {
    var navigation = Navigation()
    let lists = document.descendants(of: Document.documentNode, named: "nav")
    for list in lists {
      let types = (document.attributeValue(.epubType, of: list) ?? document.value(of: "role", on: list) ?? "").words
      if types.contains("toc") || types.contains("doc-toc") {
        if navigation.tableOfContents.isEmpty { navigation.tableOfContents = entries(document, list, path: path) }
      } else if types.contains("page-list") || types.contains("doc-pagelist") {
        navigation.pageList = entries(document, list, path: path)
      } else if types.contains("landmarks") {
        navigation.landmarks = entries(document, list, path: path)
      }
    }
    if navigation.tableOfContents.isEmpty, let first = lists.first {
      let types = document.attributeValue(.epubType, of: first) ?? ""
      if types.isEmpty { navigation.tableOfContents = entries(document, first, path: path) }
    }
    return navigation
  }

  private static func entries(_ document: Document, _ list: NodeID, path: String) -> [NavigationEntry] {
    var entries: [NavigationEntry] = []
    // The end of each open `ol`.
    var levels: [Int] = []
    var index = list.index + 1
    let end = document[list].subtreeEnd.index
    while index < end {
      while let last = levels.last, index >= last { levels.removeLast() }
      let node = document.nodes[index]
      let id = NodeID(index)
      if node.kind == .element {
        let isLink = node.name == .a
        let isHeading = node.name == .span && document.nodes[node.parent.index].name == .li
        if node.name == .ol || node.name == .ul {
          levels.append(node.subtreeEnd.index)
        } else if isLink || isHeading, !levels.isEmpty {
          let target = document.attributeValue(.href, of: id).flatMap { ResourcePath.resolve($0, relativeTo: path) }
          let label = label(document, id)
          entries.append(
            NavigationEntry(
              title: label, target: isLink ? target : nil, level: levels.count - 1,
              type: document.attributeValue(.epubType, of: id)))
          index = node.subtreeEnd.index
          continue
        }
      }
      index += 1
    }
    return entries
  }

  private static func label(_ document: Document, _ id: NodeID) -> String {
    let text = document.collapsedText(of: id)
    return text.isEmpty ? document.value(of: "title", on: id) ?? "" : text
  }
}
