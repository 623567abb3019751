package import CSS
import Markup
package import Primitives
import Styling

/// References of content to other elements of the book and to its pages, which may stand behind it.
package struct ContentReferences {
  /// The element that a URL leads to, relative to the document; nil when there is none.
  package var target: (_ url: String) -> ReferenceTarget? = { _ in nil }
  /// The number of pages of the book, for `counter(pages)`.
  package var pageTotal: () -> Int = { 0 }
  /// The counters of the page that a box of the document begins on, for `counter(page)`; nil in margin boxes, around
  /// which the counters of their page are in scope.
  package var pageCounters: ((PagePlace) -> [String: Int32])?
  /// Elements that URLs can lead to are noted, in `BoxTree.targets`.
  package var notesTargets = false

  package init() {}
}

/// A box that content asks for the page of: that of an element or pseudo-element.
package struct PagePlace: Hashable, Sendable {
  package var node: NodeID
  package var pseudo: PseudoElement?

  package init(_ node: NodeID, _ pseudo: PseudoElement? = nil) {
    self.node = node
    self.pseudo = pseudo
  }
}

/// The target of a cross reference, with all that content can show of it (CSS Generated Content 3, "Cross references").
package struct ReferenceTarget: Hashable, Sendable {
  /// The values of the counters in scope, the outermost first; `page` is the one at the end of the page that the
  /// element begins on.
  package var counters: [String: [Int32]]
  /// By raw value of `ElementText`.
  package var texts: [String]

  package init(counters: [String: [Int32]] = [:], texts: [String] = []) {
    self.counters = counters
    self.texts = texts
  }

  func values(_ name: String) -> [Int32] { counters[name] ?? [0] }
  func text(_ part: ElementText) -> String {
    texts.indices.contains(Int(part.rawValue)) ? texts[Int(part.rawValue)] : ""
  }
}

/// An element that URLs can lead to.
package struct NotedTarget: Sendable {
  package var node: NodeID
  /// The fragment that leads to it; nil for the root element, which URLs without one lead to.
  package var fragment: String?
  package var target: ReferenceTarget
}

extension BoxGenerator {
  /// Notes what other elements can show of this one.
  mutating func noteTarget(_ node: NodeID) {
    let fragments = fragments[node] ?? []
    guard node == document.root || !fragments.isEmpty else { return }
    let target = ReferenceTarget(
      counters: numbering.counters.all,
      texts: [ElementText.text, .before, .after, .firstLetter].map { string(.elementText($0), node) })
    if node == document.root { boxTree.targets.append(NotedTarget(node: node, fragment: nil, target: target)) }
    for fragment in fragments { boxTree.targets.append(NotedTarget(node: node, fragment: fragment, target: target)) }
  }

  /// The values that a counter has at an element that content refers to.
  func values(_ name: String, at target: ContentTarget, of node: NodeID) -> [Int32] {
    guard let target = self.target(target, of: node) else { return [] }
    return name == "pages" && target.counters[name] == nil ? [pageTotal] : target.values(name)
  }

  /// The values of a counter in the content of a box, the outermost first. The page that the box begins on has counters
  /// of its own (CSS Paged Media 3, section 4): `page`, whatever elements do, since what they do to it they do to the
  /// page, and those of the page context that no element has made. That of `pages`, which no element makes, is how many
  /// the book has.
  func values(_ name: String, of node: NodeID, _ pseudo: PseudoElement?) -> [Int32] {
    if name == "page" || !numbering.counters.isInScope(name) {
      if name == "pages" { return [pageTotal] }
      if let pageCounters = resources.references.pageCounters, pageCounterNames.contains(name) {
        return [pageCounters(PagePlace(node, pseudo))[name] ?? 0]
      }
    }
    return numbering.counters.values(name)
  }

  private var pageTotal: Int32 { Int32(clamping: resources.references.pageTotal()) }

  /// The element that an item of an element's content refers to; nil when there is none.
  func target(_ target: ContentTarget, of node: NodeID) -> ReferenceTarget? {
    switch target {
    case .attribute(let name): attributeValue(named: name, of: node).flatMap { resources.references.target($0) }
    case .url(let url): resources.references.target(url)
    }
  }
}
