package import BoxGeneration
package import CSS
package import Primitives
package import Styling

/// The state of a book from page to page: the number of pages, counters and named strings (CSS Paged Media 3, section
/// 6.1; CSS Generated Content for Paged Media 3, section 1).
package struct PageState: Hashable, Sendable {
  package var pages = 0
  package var counters: [String: Int32] = ["page": 0]
  package var strings: [String: String] = [:]
  /// The running elements of the chapter's document.
  package var elements: [String: NodeID] = [:]

  package init() {}
}

/// Facts that the margin boxes of one page can show.
package struct PageFacts: Sendable {
  package var counters: [String: Int32] = [:]
  /// The values at the start and the end of the page, and of the first assignment on it.
  struct Named<Value: Sendable>: Sendable {
    var entry: Value?
    var first: Value
    var last: Value
    /// The first assignment comes before any text of the page.
    var isAtStart: Bool
  }
  /// The assignments of a name: on the page, or before it.
  struct Assignments<Value: Sendable>: Sendable {
    var entries: [String: Value] = [:]
    private(set) var named: [String: Named<Value>] = [:]

    mutating func assign(_ value: Value, to name: String, isAtStart: Bool) {
      if named[name] == nil {
        named[name] = Named(entry: entries[name], first: value, last: value, isAtStart: isAtStart)
      } else {
        named[name]?.last = value
      }
    }
    func value(_ name: String, _ position: NamedStringPosition) -> Value? {
      guard let own = named[name] else { return entries[name] }
      switch position {
      case .first: return own.first
      case .start: return own.isAtStart ? own.first : own.entry
      case .last: return own.last
      case .firstExcept: return nil
      }
    }
  }
  var strings = Assignments<String>()
  var elements = Assignments<NodeID>()

  package init() {}

  /// The value of `string()`.
  package func string(_ name: String, _ position: NamedStringPosition) -> String { strings.value(name, position) ?? "" }
  /// The element that `element()` shows, in the chapter's document.
  package func element(_ name: String, _ position: NamedStringPosition) -> NodeID? { elements.value(name, position) }
}

extension PageState {
  /// Goes on over a page.
  ///
  /// - Parameter style: The page context's style, whose counter properties come before those of the content.
  package mutating func advance(over page: PageLayout, marks: PageMarkIndex, style: BoxStyle?) -> PageFacts {
    pages += 1
    let resets = style?.counterReset ?? []
    let increments = style?.counterIncrement ?? []
    for operation in resets { counters[operation.name] = operation.value }
    if !increments.contains(where: { $0.name == "page" }) { increment("page", by: 1) }
    for operation in increments { increment(operation.name, by: operation.value) }
    for operation in style?.counterSet ?? [] { counters[operation.name] = operation.value }
    var facts = PageFacts()
    facts.strings.entries = strings
    facts.elements.entries = elements
    if !marks.isEmpty, !page.root.isNone {
      var hasText = false
      apply(page, page.root, marks, &facts, &hasText)
    }
    facts.counters = counters
    return facts
  }

  /// Goes on over a chapter that ended in `state`, counted from the start of the book or from the chapter's own.
  package mutating func advance(over state: PageState, isAbsolute: Bool) {
    guard !isAbsolute else {
      self = state
      return
    }
    pages += state.pages
    increment("page", by: state.counters["page"] ?? 0)
  }

  private mutating func increment(_ name: String, by value: Int32) {
    let (sum, overflow) = (counters[name] ?? 0).addingReportingOverflow(value)
    if !overflow { counters[name] = sum }
  }

  private mutating func apply(
    _ page: PageLayout, _ id: FragmentID, _ marks: PageMarkIndex, _ facts: inout PageFacts, _ hasText: inout Bool
  ) {
    let fragment = page[id]
    guard !fragment.flags.contains(.repeated) else { return }
    if fragment.kind == .text { hasText = true }
    if fragment.kind == .box || fragment.kind == .inlineBox, !fragment.flags.contains(.continuesBefore),
      let mark = marks[fragment.box]
    {
      for operation in mark.resets { counters[operation.name] = operation.value }
      for operation in mark.increments { increment(operation.name, by: operation.value) }
      for operation in mark.sets { counters[operation.name] = operation.value }
      for (name, value) in mark.strings {
        facts.strings.assign(value, to: name, isAtStart: !hasText)
        strings[name] = value
      }
      for (name, node) in mark.elements {
        facts.elements.assign(node, to: name, isAtStart: !hasText)
        elements[name] = node
      }
    }
    var child = fragment.firstChild
    while !child.isNone {
      apply(page, child, marks, &facts, &hasText)
      child = page[child].nextSibling
    }
  }
}

/// The page marks of a chapter, by box.
package struct PageMarkIndex: Sendable {
  private var marks: [BoxID: PageMark] = [:]

  package init(_ tree: BoxTree) {
    guard !tree.pageMarks.isEmpty else { return }
    var byNode: [NodeID: PageMark] = [:]
    for mark in tree.pageMarks { byNode[mark.node] = mark }
    for (index, box) in tree.boxes.enumerated() where box.pseudo == nil && !box.flags.contains(.anonymous) {
      // The first box of an element speaks for it.
      if let mark = byNode.removeValue(forKey: box.node) { marks[BoxID(index)] = mark }
    }
  }
  var isEmpty: Bool { marks.isEmpty }
  subscript(box: BoxID) -> PageMark? { marks[box] }
}
