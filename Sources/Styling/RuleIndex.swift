package import CSS
package import Markup
package import Primitives

/// A rule that applies to an element or one of its pseudo-elements.
package struct MatchedRule: Sendable {
  package var pseudo: PseudoElement
  package var origin: CascadeOrigin
  /// The rank of the rule's layer.
  package var layer: UInt8
  /// The weight of the selector that matched.
  package var specificity: Specificity
  /// The rule's place among all rules of the index.
  package var order: UInt32
  /// The sheet, by its place in the list the rule set was made of.
  package var sheet: UInt32
  /// The rule's declarations in that sheet.
  package var declarations: Range<UInt32>
}

/// The rules of a `RuleSet`, ready to be found for the elements of one document.
package struct RuleIndex: Sendable {
  private var matcher: SelectorMatcher
  package var rules: RuleSet { matcher.rules }
  /// The ancestors of the element asked for last, and itself, with the names found from the root to each.
  private var path: [(node: NodeID, filter: NameFilter)] = []
  /// The keys of the entries that matched.
  private var found: [UInt64] = []
  /// Generations between the element and the scoping root, by the keys in `found` of rules in scopes.
  private var proximities: [UInt64: Int] = [:]

  /// The matches being found hold for like siblings as well.
  private var isLocal = false
  /// The matches of the last child, by depth, when it holds for like siblings.
  private var shared: [SharedMatches] = []

  private struct SharedMatches: Sendable {
    var parent = NodeID.none
    var name = Atom.none
    var namespace = Markup.Namespace.none
    var id: UInt32 = 0
    var classes = 0..<0
    var keys: [UInt64] = []
  }

  /// - Parameters:
  ///   - language: That of elements that say none, in lower case.
  ///   - scopeRoots: By sheet, the element around the one the sheet is of; the root element where there is none.
  package init(_ rules: RuleSet, document: Document, language: String = "", scopeRoots: [NodeID] = []) {
    matcher = SelectorMatcher(rules, document: document, language: language)
    matcher.scopeRoots = scopeRoots
  }

  /// The rules for `node` and its pseudo-elements, sorted by pseudo-element, then origin, layer, specificity, proximity
  /// to the scoping root and order, so the last of each group wins among normal declarations of one origin. Replaces the contents of `matches`.
  ///
  /// A rule that applies by several of its selectors may be there once for each. Fast when called for elements in document
  /// order; any order is right.
  package mutating func collectMatches(for node: NodeID, in document: Document, into matches: inout [MatchedRule]) {
    matches.removeAll(keepingCapacity: true)
    guard node.index < document.nodes.count, document.nodes[node.index].kind == .element else { return }
    let ancestors = enter(node, document)
    found.removeAll(keepingCapacity: true)
    isLocal = path.count > 1 && matcher.isKnownByNames(node, document)
    if isLocal, takeShared(node, document) {
      appendFound(to: &matches)
      return
    }
    findAll(node, document, ancestors)
    if isLocal { share(node, document) }
    appendFound(to: &matches)
  }

  /// Puts the keys of all entries that match into `found`, in order.
  private mutating func findAll(_ node: NodeID, _ document: Document, _ ancestors: NameFilter) {
    let names = matcher.names(of: node)
    if let id = names.id {
      let folded = matcher.rules.names.folded[Int(id)]
      collect(matcher.rules.byID, folded, isExact: folded == id, node, document, ancestors)
    }
    for index in names.classes {
      let name = matcher.classNames[index]
      let folded = matcher.rules.names.folded[Int(name)]
      collect(matcher.rules.byClass, folded, isExact: folded == name, node, document, ancestors)
    }
    for index in document.nodes[node.index].range {
      if let name = matcher.attributeName(of: document.attributes[Int(index)].name) {
        collect(matcher.rules.byAttribute, name, isExact: false, node, document, ancestors)
      }
    }
    if let type = names.type {
      let isExact = matcher.isAtom(document.nodes[node.index].name, of: type)
      collect(matcher.rules.byType, type, isExact: isExact, node, document, ancestors)
    }
    let universal = matcher.rules.universal
    for index in universal.indices { check(universal[index], isExact: true, node, document, ancestors) }
    if found.count > 1 { found.sort() }
    if !proximities.isEmpty { sortByProximity() }
  }

  /// Puts rules with scoping roots nearer to the element behind those with others of the same specificity, and these behind rules
  /// without (CSS Cascade 6, section 2.1).
  private mutating func sortByProximity() {
    let proximities = proximities
    found.sort { one, other in
      let weights = (one >> RuleSet.ruleBits, other >> RuleSet.ruleBits)
      if weights.0 != weights.1 { return weights.0 < weights.1 }
      let distances = (proximities[one] ?? .max, proximities[other] ?? .max)
      return distances.0 == distances.1 ? one < other : distances.0 > distances.1
    }
    self.proximities.removeAll(keepingCapacity: true)
  }

  private func appendFound(to matches: inout [MatchedRule]) {
    for key in found {
      let order = UInt32(truncatingIfNeeded: key & (1 << RuleSet.ruleBits - 1))
      let rule = matcher.rules.rules[Int(order)]
      matches.append(
        MatchedRule(
          pseudo: PseudoElement(rawValue: UInt8(key >> 61)) ?? .none, origin: rule.origin, layer: rule.layer,
          specificity: Specificity(rawValue: UInt32(truncatingIfNeeded: key >> RuleSet.ruleBits & 0x3FFF_FFFF)),
          order: order, sheet: rule.sheet, declarations: rule.declarations))
    }
  }

  private mutating func collect(
    _ buckets: NameBuckets, _ name: UInt32, isExact: Bool, _ node: NodeID, _ document: Document, _ ancestors: NameFilter
  ) {
    let entries = buckets.entries
    for index in buckets[name] { check(entries[index], isExact: isExact, node, document, ancestors) }
  }

  @inline(__always)
  private mutating func check(
    _ entry: RuleSet.Entry, isExact: Bool, _ node: NodeID, _ document: Document, _ ancestors: NameFilter
  ) {
    guard entry.ancestors.isSubset(of: ancestors) else { return }
    if !entry.isLocal { isLocal = false }
    if entry.isScoped { return checkScoped(entry, node, document) }
    if (entry.isPlain && isExact) || matcher.matches(entry.complex, node, document) { found.append(entry.key) }
  }

  @inline(never)
  private mutating func checkScoped(_ entry: RuleSet.Entry, _ node: NodeID, _ document: Document) {
    let order = Int(truncatingIfNeeded: entry.key & (1 << RuleSet.ruleBits - 1))
    let scope = matcher.rules.rules[order].scope
    guard let proximity = matcher.proximity(of: entry.complex, in: scope, node, document) else { return }
    found.append(entry.key)
    proximities[entry.key] = min(proximity, proximities[entry.key] ?? .max)
  }

  /// Takes what was found for the child before, when `node` is its like.
  private mutating func takeShared(_ node: NodeID, _ document: Document) -> Bool {
    let depth = path.count
    guard depth < shared.count else { return false }
    let element = document.nodes[node.index]
    let names = matcher.names(of: node)
    guard shared[depth].parent == element.parent, shared[depth].name == element.name,
      shared[depth].namespace == element.namespace, shared[depth].id == names.id ?? SelectorMatcher.noName,
      shared[depth].classes.count == names.classes.count
    else { return false }
    for (one, other) in zip(shared[depth].classes, names.classes)
    where matcher.classNames[one] != matcher.classNames[other] { return false }
    found += shared[depth].keys
    return true
  }

  private mutating func share(_ node: NodeID, _ document: Document) {
    let depth = path.count
    while shared.count <= depth { shared.append(SharedMatches()) }
    let element = document.nodes[node.index]
    let names = matcher.names(of: node)
    shared[depth].parent = element.parent
    shared[depth].name = element.name
    shared[depth].namespace = element.namespace
    shared[depth].id = names.id ?? SelectorMatcher.noName
    shared[depth].classes = names.classes
    shared[depth].keys.removeAll(keepingCapacity: true)
    shared[depth].keys += found
  }

  /// Makes `node` the end of the path and returns the names among its ancestors.
  private mutating func enter(_ node: NodeID, _ document: Document) -> NameFilter {
    let parent = document.nodes[node.index].parent
    while let last = path.last, last.node != parent { path.removeLast() }
    if path.isEmpty, !parent.isNone {
      var ancestors: [NodeID] = []
      var ancestor = parent
      while !ancestor.isNone, document.nodes[ancestor.index].kind == .element {
        ancestors.append(ancestor)
        ancestor = document.nodes[ancestor.index].parent
      }
      for ancestor in ancestors.reversed() { push(ancestor) }
    }
    let filter = path.last?.filter ?? NameFilter()
    push(node)
    return filter
  }

  private mutating func push(_ node: NodeID) {
    var filter = path.last?.filter ?? NameFilter()
    let names = matcher.names(of: node)
    if let id = names.id { filter.insert(id: matcher.rules.names.folded[Int(id)]) }
    for index in names.classes {
      filter.insert(className: matcher.rules.names.folded[Int(matcher.classNames[index])])
    }
    if let type = names.type { filter.insert(type: type) }
    path.append((node, filter))
  }
}
