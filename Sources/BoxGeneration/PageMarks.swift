package import CSS
import Markup
package import Primitives
import Styling

/// What an element does to the page it begins on: named strings and counters that margin boxes can show.
package struct PageMark: Sendable {
  package var node: NodeID
  package var strings: [(name: String, value: String)]
  package var resets: [CounterOperation]
  package var increments: [CounterOperation]
  package var sets: [CounterOperation]
}

extension BoxGenerator {
  /// Characters of a named string beyond which it is cut.
  static let longestNamedString = 1000

  /// Records what an element means to its page.
  mutating func markPage(_ node: NodeID, _ style: ComputedStyle, _ traits: BoxTraits) {
    let box = tree.table.boxes[style.box.index]
    let named = tree.table.pages[style.page.index].stringSet
    func relevant(_ operations: [CounterOperation]) -> [CounterOperation] {
      operations.filter { $0.name != "list-item" }
    }
    let mark = PageMark(
      node: node, strings: named.map { ($0.name, namedString($0.items, node)) },
      resets: traits.hasCounters ? relevant(box.counterReset) : [],
      increments: traits.hasCounters ? relevant(box.counterIncrement) : [],
      sets: traits.hasCounters ? relevant(box.counterSet) : [])
    if mark.strings.isEmpty, mark.resets.isEmpty, mark.increments.isEmpty, mark.sets.isEmpty { return }
    pageMarks.append(mark)
  }

  private func namedString(_ items: [ContentItem], _ node: NodeID) -> String {
    let text = items.map { string($0, node) }.joined()
    return text.count > Self.longestNamedString ? String(text.prefix(Self.longestNamedString)) : text
  }

  /// One item of a content list as plain text.
  private func string(_ item: ContentItem, _ node: NodeID) -> String {
    switch item {
    case .string(let string): string
    case .counter(let name, let type): representation(counters.value(name), type)
    case .counters(let name, let separator, let type):
      counters.values(name).map { representation($0, type) }.joined(separator: separator)
    case .attribute(let name): attributeValue(named: name, of: node) ?? ""
    case .elementText(.text): elementText(node)
    case .elementText(.firstLetter): elementText(node).first.map(String.init) ?? ""
    case .elementText(.before): pseudoText(node, .before)
    case .elementText(.after): pseudoText(node, .after)
    case .url, .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote, .namedString, .elementText(.marker): ""
    }
  }

  /// The text of an element in one line.
  private func elementText(_ node: NodeID) -> String {
    document.textContent(of: node).split(whereSeparator: { $0 == " " || $0.isNewline || $0 == "\t" })
      .joined(separator: " ")
  }

  private func pseudoText(_ node: NodeID, _ pseudo: PseudoElement) -> String {
    guard let style = tree.style(of: node, pseudo), case .items(let items) = tree.table.boxes[style.box.index].content
    else { return "" }
    return items.map { item in
      if case .elementText = item { "" } else { string(item, node) }
    }.joined()
  }
}
