package import ChapterEngine
import Markup
import Platform
package import Primitives
import Publications
import Styling
package import Typesetting

/// The place of an element in a book and the declarations behind its looks: for reports.
package struct ElementReport: Hashable, Codable, Sendable {
  package struct Rule: Hashable, Codable, Sendable {
    /// `book`, `reader` or `engine`.
    package var origin: String
    /// The sheet's path in the book and the line; empty for sheets that are not the book's.
    package var place: String
    /// `selector { declarations }`.
    package var text: String
  }

  package var href: String
  /// The steps of an EPUB CFI from the root element.
  package var node: String
  /// Line of the document, from 1.
  package var line: Int
  /// `html > body.novel > p#start.first`.
  package var path: String
  /// The beginning of its source, put together again from what was read.
  package var source: String
  /// The rules that apply to it, the weakest first; those of the engine's own sheet are left out.
  package var rules: [Rule]
  /// Its computed values that are not initial, and behind them those of what it stands in, each as `name: value` with the
  /// name of the element before it: `body: margin-left: 8px`.
  package var values: [String]
}

/// Barriers that keep a book from being read by all.
package enum AccessibilityReport {
  /// Faults that a PDF of the book that conforms to PDF/UA-1 would lack.
  package static func faults(of book: Book) -> [Diagnostic] {
    let publication = book.publication
    return Worker.run { BookResources(publication: publication, settings: TypesettingSettings()).accessibilityFaults() }
  }
}

/// Looks up elements of a book's chapters.
package struct ChapterInspection {
  private let resources: BookResources

  package init(_ book: Book, settings: TypesettingSettings) {
    resources = BookResources(publication: book.publication, settings: settings)
  }

  private static let maximumSource = 240

  /// - Parameter nodes: steps of EPUB CFIs.
  /// - Returns: a report for each node that there is.
  package func reports(on nodes: [String], in href: String) -> [ElementReport] {
    guard let index = resources.publication.spineIndex(of: href) else { return [] }
    let chapter = StyledChapter(resources, index: index)
    let document = chapter.document
    let elements = nodes.compactMap { node in Self.element(at: node, in: document).map { (node, $0) } }
    let language = ChapterStyles.language(of: document, resources: resources)
    let (collection, settings) = ChapterStyles.sheets(
      of: document, path: chapter.item.path, resources: resources, language: language,
      pageSize: chapter.viewport ?? resources.settings.pageSize, isFixedLayout: chapter.isFixedLayout)
    let rules = StyleResolver.rules(
      for: elements.map(\.1), of: document, path: chapter.item.path, sheets: collection.sheets,
      userSheets: resources.userSheets, settings: settings, ruleSets: resources.ruleSets)
    return zip(elements, rules).map { element, rules in
      ElementReport(
        href: href, node: element.0, line: Int(document[element.1].line), path: Self.path(to: element.1, in: document),
        source: Self.source(of: element.1, in: document),
        rules: rules.filter { $0.origin != .userAgent }.map {
          ElementReport.Rule(
            origin: $0.origin == .author ? "book" : "reader", place: $0.path.isEmpty ? "" : "\($0.path):\($0.line)",
            text: $0.text)
        }, values: Self.values(of: element.1, in: chapter.styles))
    }
  }

  private static func element(at node: String, in document: Document) -> NodeID? {
    var place = document.root
    for step in node.split(separator: "/") {
      guard let number = Int(step), number > 0, number % 2 == 0, !place.isNone else { return nil }
      let children = document.children(of: place).filter { document[$0].kind == .element }
      guard number / 2 <= children.count else { return nil }
      place = children[number / 2 - 1]
    }
    return place.isNone ? nil : place
  }

  private static func ancestry(of element: NodeID, in document: Document) -> [NodeID] {
    var path: [NodeID] = []
    var node = element
    while !node.isNone, document[node].kind == .element {
      path.append(node)
      node = document[node].parent
    }
    return path
  }

  private static func name(of element: NodeID, in document: Document) -> String {
    var name = document.names.name(of: document[element].name)
    if let id = document.attributeValue(.id, of: element), !id.isEmpty { name += "#" + id.prefix(40) }
    let classes = (document.attributeValue(.class, of: element) ?? "").split { $0.isWhitespace }
    return name + classes.prefix(4).map { "." + $0.prefix(40) }.joined()
  }

  private static func path(to element: NodeID, in document: Document) -> String {
    ancestry(of: element, in: document).reversed().map { name(of: $0, in: document) }.joined(separator: " > ")
  }

  private static func source(of element: NodeID, in document: Document) -> String {
    var text = ""
    var index = element.index
    let end = document[element].subtreeEnd.index
    var open: [(name: String, end: Int)] = []
    func close(at index: Int) {
      while let last = open.last, last.end <= index {
        text += "</\(last.name)>"
        open.removeLast()
      }
    }
    while index < end, text.count < maximumSource {
      close(at: index)
      let node = document.nodes[index]
      switch node.kind {
      case .element:
        let name = document.names.name(of: node.name)
        text += "<" + name
        for attribute in document.attributes[Int(node.range.lowerBound)..<Int(node.range.upperBound)] {
          text += " \(document.names.name(of: attribute.name))=\"\(document.string(attribute.value).prefix(120))\""
        }
        let nodeEnd = node.subtreeEnd.index
        text += nodeEnd == index + 1 ? "/>" : ">"
        if nodeEnd > index + 1 { open.append((name, nodeEnd)) }
      case .text:
        let string = document.string(node.range)
        if string.first?.isWhitespace == true { text += " " }
        text += string.split { $0.isWhitespace }.joined(separator: " ").prefix(maximumSource)
        if string.last?.isWhitespace == true, text.last != " " { text += " " }
      case .document: break
      }
      index += 1
    }
    if index >= end { close(at: end) }
    return text.count > maximumSource || index < end ? String(text.prefix(maximumSource)) + "…" : text
  }

  private static func values(of element: NodeID, in styles: StyledTree) -> [String] {
    ancestry(of: element, in: styles.document).flatMap { node in
      let name = styles.document.names.name(of: styles.document[node].name)
      return styles.values(of: styles.styles[node.index]).map { node == element ? $0 : "\(name): \($0)" }
    }
  }
}
