import CSS
import Markup
import Primitives

/// The elements that the first formatted lines of block containers with a `::first-line` may reach, found while a document is
/// walked in its order (CSS Pseudo-elements 4, section 2.1.1). Empty, and without cost, until the first such rule matches.
struct FirstLineScopes {
  /// The first line around an element.
  struct Scope {
    /// The declarations of the containers whose first line it is, the outermost first, in `rules`; only a block's count.
    var rules: Range<Int>
    /// The element is inline on the line.
    var isInline: Bool
    /// Content in flow precedes: no block inside begins with the line any more.
    var isTaken = false
  }

  /// Of more containers that begin with one line, the innermost count.
  private static let mostContainers = 32

  private var scopes: [NodeID: Scope] = [:]
  private(set) var rules: [[MatchedRule]] = []
  /// The styles on first lines.
  var styles: [NodeID: ComputedStyle] = [:]

  var isEmpty: Bool { scopes.isEmpty }

  /// An element begins whose own `::first-line` rules are given. Returns the first line that reaches it, if any does.
  mutating func enter(
    _ id: NodeID, _ node: Node, _ box: BoxStyle, _ own: [MatchedRule], in document: Document
  ) -> Scope? {
    var outer = scopes[node.parent]
    let isInFlow = box.float == .none && box.position != .absolute && box.position != .fixed
    guard box.display != .none else { return nil }
    if isInFlow, outer != nil, !isInline(box.display) {
      if scopes[node.parent]?.isTaken == true { outer = nil }
      scopes[node.parent]?.isTaken = true
    }
    switch box.display {
    case .inline, .contents, .ruby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer:
      guard isInFlow, let outer else { return nil }
      let scope = Scope(rules: outer.rules, isInline: true, isTaken: outer.isTaken)
      scopes[id] = scope
      return scope
    case .block, .listItem, .flowRoot, .flowRootListItem, .inlineBlock, .inlineBlockListItem, .tableCell, .tableCaption,
      .blockRuby:
      let isBlock = isInFlow && [.block, .listItem, .flowRoot, .flowRootListItem, .blockRuby].contains(box.display)
      let inherited = isBlock ? outer?.rules : nil
      guard !own.isEmpty || inherited != nil else { return nil }
      let start = rules.count
      if let inherited { for index in inherited.suffix(Self.mostContainers - 1) { rules.append(rules[index]) } }
      if !own.isEmpty { rules.append(own) }
      let scope = Scope(rules: start..<rules.count, isInline: false)
      scopes[id] = scope
      return scope
    default: return nil
    }
  }

  /// Text that shows something takes the first line from the blocks after it.
  mutating func passText(_ node: Node, in document: Document) {
    guard scopes[node.parent]?.isTaken == false else { return }
    let isBlank = document.bytes(node.range).allSatisfy { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    guard !isBlank else { return }
    var element = node.parent
    while let scope = scopes[element] {
      scopes[element]?.isTaken = true
      guard scope.isInline else { return }
      element = document.nodes[element.index].parent
    }
  }

  private func isInline(_ display: Display) -> Bool {
    switch display {
    case .inline, .contents, .ruby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer: true
    default: false
    }
  }
}
