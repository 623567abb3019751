import CSS
import Markup
import Primitives

/// Scopes (CSS Cascade 6, section 2.5): their roots, their limits, and how near a root is.
extension SelectorMatcher {
  /// Generations between an element and the nearest root of a scope in which a selector matches it, nil when there is none (CSS
  /// Cascade 6, section 2.5).
  mutating func proximity(of complex: UInt32, in scope: UInt32, _ node: NodeID, _ document: Document) -> Int? {
    var (root, generations) = (node, 0)
    defer { setScopeRoot(.none) }
    while !root.isNone {
      if isRoot(root, of: scope, document), !isLimited(node, scope, root, document) {
        setScopeRoot(root)
        if matches(complex, node, document) { return generations }
      }
      (root, generations) = (parentElement(root, document), generations + 1)
    }
    return nil
  }

  /// The element is a root of the scope: what the scope starts with, in a scope of the one around.
  private mutating func isRoot(_ node: NodeID, of scope: UInt32, _ document: Document) -> Bool {
    let key = UInt64(scope) << 32 | UInt64(node.rawValue)
    if let known = scopeRootMemo[key] { return known }
    let own = rules.scopes[Int(scope) - 1]
    var result = false
    if own.outer == 0 {
      result = isStart(node, of: own, in: .none, document)
    } else {
      var outer = node
      while !outer.isNone, !result {
        result =
          isRoot(outer, of: own.outer, document) && !isLimited(node, own.outer, outer, document)
          && isStart(node, of: own, in: outer, document)
        outer = parentElement(outer, document)
      }
    }
    scopeRootMemo[key] = result
    return result
  }

  private mutating func isStart(
    _ node: NodeID, of scope: RuleSet.Scope, in outer: NodeID, _ document: Document
  ) -> Bool {
    guard let start = scope.start else {
      let own = Int(scope.sheet) < scopeRoots.count ? scopeRoots[Int(scope.sheet)] : .none
      return node == (own.isNone ? document.root : own)
    }
    setScopeRoot(outer)
    return matchesElement(start, node, document)
  }

  /// An element that ends the scope stands between the root and `node`, or is one of them.
  private mutating func isLimited(_ node: NodeID, _ scope: UInt32, _ root: NodeID, _ document: Document) -> Bool {
    let end = rules.scopes[Int(scope) - 1].end
    guard !end.isEmpty else { return false }
    setScopeRoot(root)
    var element = node
    while !element.isNone {
      if matchesElement(end, element, document) { return true }
      if element == root { break }
      element = parentElement(element, document)
    }
    return false
  }

  /// One of the selectors matches the element itself, not a pseudo-element.
  private mutating func matchesElement(_ list: Range<UInt32>, _ node: NodeID, _ document: Document) -> Bool {
    list.contains { rules.complex[Int($0)].pseudo == .none && matches($0, node, document) }
  }

  private mutating func setScopeRoot(_ root: NodeID) {
    guard root != scopeRoot else { return }
    scopeRoot = root
    guard rules.asksForScope else { return }
    siblingMemos.removeAll(keepingCapacity: true)
    nestedMemo.removeAll(keepingCapacity: true)
    hasMemo.removeAll(keepingCapacity: true)
    wayMemo.removeAll(keepingCapacity: true)
    lastSiblings.removeAll(keepingCapacity: true)
    countedPositions.removeAll(keepingCapacity: true)
  }
}
