import CSS
import Markup
package import Primitives
import Styling

/// References of content to other elements of the book and to its pages, which may stand behind it.
package struct ContentReferences {
  /// The element that a URL leads to, relative to the document; nil when there is none.
  package var target: (_ url: String) -> ReferenceTarget? = { _ in nil }
  /// The number of pages of the book, for `counter(pages)`.
  package var pageTotal: () -> Int = { 0 }
  /// Elements that URLs can lead to are noted, in `BoxTree.targets`.
  package var notesTargets = false

  package init() {}
}

/// The target of a cross reference, with all that content can show of it (CSS Generated Content 3, "Cross references").
package struct ReferenceTarget: Hashable, Sendable {
  /// The values of the counters in scope, the outermost first; `page` is the one at the end of the page that the element begins
  /// on.
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
  /// Its `id`; nil for the root element, which URLs without a fragment lead to.
  package var fragment: String?
  package var target: ReferenceTarget
}

extension BoxGenerator {
  /// Notes what other elements can show of this one.
  mutating func noteTarget(_ node: NodeID) {
    let fragment = document.attributeValue(.id, of: node)
    guard node == document.root || fragment?.isEmpty == false else { return }
    let target = ReferenceTarget(
      counters: counters.all,
      texts: [ElementText.text, .before, .after, .firstLetter].map { string(.elementText($0), node) })
    if node == document.root { targets.append(NotedTarget(node: node, fragment: nil, target: target)) }
    if let fragment { targets.append(NotedTarget(node: node, fragment: fragment, target: target)) }
  }

  /// The element that an item of an element's content refers to; nil when there is none.
  func target(_ target: ContentTarget, of node: NodeID) -> ReferenceTarget? {
    switch target {
    case .attribute(let name): attributeValue(named: name, of: node).flatMap { resources.references.target($0) }
    case .url(let url): resources.references.target(url)
    }
  }
}
