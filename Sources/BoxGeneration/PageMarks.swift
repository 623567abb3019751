package import CSS
import Markup
package import Primitives
import Styling

/// The mark of an element on the page it begins on: named strings, running elements and counters that margin boxes can
/// show.
package struct PageMark: Sendable {
  package var node: NodeID
  package var strings: [(name: String, value: String)]
  /// The running elements that stand right before it (CSS GCPM 3, section 1.2).
  package var elements: [(name: String, node: NodeID)]
  package var resets: [CounterOperation]
  package var increments: [CounterOperation]
  package var sets: [CounterOperation]
}

/// An entry that an element adds to the outline of a PDF (CSS Generated Content 3, section 7).
package struct Bookmark: Sendable {
  package var node: NodeID
  /// From 1.
  package var level: Int
  package var label: String
  package var isOpen: Bool
}

extension BoxGenerator {
  mutating func noteBookmark(_ node: NodeID, _ style: ComputedStyle) {
    let page = tree.table.pages[style.page.index]
    guard let level = page.bookmarkLevel else { return }
    boxTree.bookmarks.append(
      Bookmark(
        node: node, level: Int(level), label: namedString(page.bookmarkLabel, node),
        isOpen: page.bookmarkState == .open))
  }

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
      node: node, strings: named.map { ($0.name, namedString($0.items, node)) }, elements: runningElements,
      resets: traits.hasCounters ? relevant(box.counterReset) : [],
      increments: traits.hasCounters ? relevant(box.counterIncrement) : [],
      sets: traits.hasCounters ? relevant(box.counterSet) : [])
    runningElements = []
    if mark.strings.isEmpty, mark.elements.isEmpty, mark.resets.isEmpty, mark.increments.isEmpty, mark.sets.isEmpty {
      return
    }
    boxTree.pageMarks.append(mark)
  }

  /// The element is out of the flow, for margin boxes to show.
  mutating func takesOut(_ node: NodeID, _ style: ComputedStyle) -> Bool {
    guard style.page.index != 0, node != document.root else { return false }
    let name = tree.table.pages[style.page.index].running
    guard !name.isEmpty else { return false }
    if marksPages { runningElements.append((name, node)) }
    return true
  }

  /// Running elements behind all others belong to the last that has something to say.
  mutating func finishRunningElements() {
    guard !runningElements.isEmpty, let last = boxTree.boxes.last?.node else { return }
    let place = boxTree.pageMarks.indices.last { boxTree.pageMarks[$0].node == last }
    if let place {
      boxTree.pageMarks[place].elements += runningElements
    } else {
      boxTree.pageMarks.append(
        PageMark(node: last, strings: [], elements: runningElements, resets: [], increments: [], sets: []))
    }
  }

  private func namedString(_ items: [ContentItem], _ node: NodeID) -> String {
    let text = items.map { string($0, node) }.joined()
    return text.count > Self.longestNamedString ? String(text.prefix(Self.longestNamedString)) : text
  }

  /// One item of a content list as plain text.
  func string(_ item: ContentItem, _ node: NodeID, _ pseudo: PseudoElement? = nil) -> String {
    switch item {
    case .string(let string): string
    case .ornament: "*\u{2003}*\u{2003}*"
    case .counter(let name, let type): representation(values(name, of: node, pseudo).last ?? 0, type)
    case .counters(let name, let separator, let type):
      values(name, of: node, pseudo).map { representation($0, type) }.joined(separator: separator)
    case .attribute(let name): attributeValue(named: name, of: node) ?? ""
    case .elementText(.text): elementText(node)
    case .elementText(.firstLetter): elementText(node).first.map(String.init) ?? ""
    case .elementText(.before): pseudoText(node, .before)
    case .elementText(.after): pseudoText(node, .after)
    case .targetCounter(let target, let name, let type):
      values(name, at: target, of: node).last.map { representation($0, type) } ?? ""
    case .targetCounters(let target, let name, let separator, let type):
      values(name, at: target, of: node).map { representation($0, type) }.joined(separator: separator)
    case .targetText(let target, let part): self.target(target, of: node)?.text(part) ?? ""
    case .namedString(let name, let position): resources.namedString(name, position)
    case .url, .image, .element, .leader, .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote, .elementText(.marker):
      ""
    }
  }

  /// The text of an element in one line.
  private func elementText(_ node: NodeID) -> String { tree.words(of: node, limit: Self.longestNamedString) }

  private func pseudoText(_ node: NodeID, _ pseudo: PseudoElement) -> String {
    guard let style = tree.style(of: node, pseudo), case .items(let items) = tree.table.boxes[style.box.index].content
    else { return "" }
    return items.map { item in
      if case .elementText = item { "" } else { string(item, node, pseudo) }
    }.joined()
  }
}
