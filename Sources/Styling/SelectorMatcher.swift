import CSS
import Markup
import Primitives

/// Matches the selectors of a rule set against the elements of one document, right to left (Selectors 4, section 17.1).
///
/// Properties of an element that are asked for often are worked out once a document: its id and classes as names of the
/// rule set, its position among siblings, its language. Answers that depend on more than an element's surroundings are
/// remembered, so no selector costs more than elements times compounds times depth.
struct SelectorMatcher: Sendable {
  let rules: RuleSet

  /// The document's atom of each name; `Atom.none` when it has none.
  let atoms: [Atom]
  /// The lower-case name, or `noName`, of each atom as an element's and as an attribute's name.
  private var typeNamesByAtom: [UInt32]
  private var attributeNamesByAtom: [UInt32]
  static let noName = UInt32.max

  /// Element ids, by node; `noName` where no selector asks for it.
  private var ids: [UInt32]
  private var types: [UInt32]
  /// Classes that selectors ask for: those of a node lie between its start and that of the next.
  private(set) var classNames: [UInt32] = []
  private var classStarts: [UInt32]
  /// Names in lower case are compared (quirks mode).
  private let ignoresNameCase: Bool
  let isHTML: Bool

  private var positions: SiblingPositions?
  /// With that of the publication, for the rules of the user agent; and by the document alone, as authors mean it.
  private var languages: ElementLanguages?
  private var authorLanguages: ElementLanguages?
  private let defaultLanguage: String
  private var directions: ElementDirections?
  var formAtoms: (disabled: Atom?, checked: Atom?, selected: Atom?)

  /// Matches among the earlier siblings, by compound and parent.
  var siblingMemos: [UInt64: SiblingMemo] = [:]
  /// By sheet, the root of scopes that name none.
  var scopeRoots: [NodeID] = []
  /// The element that `:scope` is; none outside of scopes, where it is the root element.
  var scopeRoot = NodeID.none
  /// Elements that are roots of a scope, by it and the element.
  var scopeRootMemo: [UInt64: Bool] = [:]
  /// Matches of a nested selector or a `:has()`, by it and the element.
  var nestedMemo: [UInt64: Bool] = [:]
  var hasMemo: [UInt64: Bool] = [:]
  /// Elements that `:has()` looks for on its way, by compound and element, and the last such sibling, by compound and
  /// parent.
  var wayMemo: [UInt64: Bool] = [:]
  var lastSiblings: [UInt64: NodeID] = [:]
  /// Positions among the siblings a selector list matches, by simple selector.
  var countedPositions: [UInt32: SiblingPositions.Counted] = [:]
  struct SiblingMemo {
    /// Siblings before this one have been tried.
    var upcoming: NodeID
    var firstMatch = NodeID.none
    var failsCompletely = false
  }

  init(_ rules: RuleSet, document: Document, language: String) {
    self.rules = rules
    defaultLanguage = language
    isHTML = !document.isXML
    ignoresNameCase = document.mode == .quirks
    formAtoms = (
      document.names.lookup("disabled"), document.names.lookup("checked"), document.names.lookup("selected")
    )
    var atoms = [Atom](repeating: .none, count: rules.names.count)
    var highest = Int(Atom.staticCount)
    for node in document.nodes where node.kind == .element && node.name != .none {
      highest = max(highest, Int(node.name.rawValue))
    }
    for attribute in document.attributes where attribute.name != .none {
      highest = max(highest, Int(attribute.name.rawValue))
    }
    typeNamesByAtom = [UInt32](repeating: Self.noName, count: highest + 1)
    attributeNamesByAtom = typeNamesByAtom
    func translate(_ names: [UInt32], into byAtom: inout [UInt32]) {
      for name in names {
        for form in [name, rules.names.folded[Int(name)]] {
          let found =
            rules.staticAtoms[Int(form)]
            ?? (document.names.hasOwnNames ? document.names.lookup(rules.names.name(form)) : nil)
          guard let atom = found else { continue }
          atoms[Int(form)] = atom
          if Int(atom.rawValue) <= highest { byAtom[Int(atom.rawValue)] = rules.names.folded[Int(name)] }
        }
      }
    }
    translate(rules.typeNames, into: &typeNamesByAtom)
    translate(rules.attributeNames, into: &attributeNamesByAtom)
    self.atoms = atoms

    ids = [UInt32](repeating: Self.noName, count: document.nodes.count)
    types = ids
    classStarts = []
    classStarts.reserveCapacity(document.nodes.count + 1)
    for (index, node) in document.nodes.enumerated() {
      classStarts.append(UInt32(classNames.count))
      guard node.kind == .element else { continue }
      if node.name != .none { types[index] = typeNamesByAtom[Int(node.name.rawValue)] }
      for attribute in node.range {
        let attribute = document.attributes[Int(attribute)]
        guard attribute.namespace == .none else { continue }
        if attribute.name == .id {
          ids[index] = name(document.bytes(attribute.value)) ?? Self.noName
        } else if attribute.name == .class {
          addClasses(document.bytes(attribute.value))
        }
      }
    }
    classStarts.append(UInt32(classNames.count))
  }

  func name(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard ignoresNameCase, bytes.contains(where: NameTable.isUpper) else { return rules.names.lookup(bytes) }
    return rules.names.lookup(bytes.map { NameTable.isUpper($0) ? $0 | 0x20 : $0 }[...])
  }

  private mutating func addClasses(_ value: ArraySlice<UInt8>) {
    let first = classNames.count
    var index = value.startIndex
    while index < value.endIndex {
      while index < value.endIndex, isWhitespace(value[index]) { index += 1 }
      let start = index
      while index < value.endIndex, !isWhitespace(value[index]) { index += 1 }
      if index > start, let id = name(value[start..<index]) { classNames.append(id) }
    }
    if classNames.count - first > 1 {
      // Each once, or its rules would be found twice.
      classNames[first...].sort()
      var last = first
      for index in first + 1..<classNames.count where classNames[index] != classNames[last] {
        last += 1
        classNames[last] = classNames[index]
      }
      classNames.removeSubrange((last + 1)...)
    }
  }

  /// The names of an element, in names of the rule set. Type and id are there only if a selector asks for them; the
  /// type is in lower case.
  func names(of node: NodeID) -> (id: UInt32?, type: UInt32?, classes: Range<Int>) {
    let (id, type) = (ids[node.index], types[node.index])
    return (
      id == Self.noName ? nil : id, type == Self.noName ? nil : type,
      Int(classStarts[node.index])..<Int(classStarts[node.index + 1])
    )
  }

  /// The atom is the very name, not one that equals it but for case.
  func isAtom(_ atom: Atom, of name: UInt32) -> Bool { atoms[Int(name)] == atom }

  /// Name, id and classes alone tell the element from its siblings.
  func isKnownByNames(_ node: NodeID, _ document: Document) -> Bool {
    for index in document.nodes[node.index].range {
      let name = document.attributes[Int(index)].name
      guard name == .class || name == .id || name == .style, attributeName(of: name) == nil else { return false }
    }
    return true
  }

  func attributeName(of atom: Atom) -> UInt32? {
    guard atom != .none else { return nil }
    let name = attributeNamesByAtom[Int(atom.rawValue)]
    return name == Self.noName ? nil : name
  }

  // MARK: Complex selectors

  /// The reach of a failure: a caller that tries other elements stops where they must fail as well.
  enum Outcome {
    case matches
    /// Another element may do.
    case failsLocally
    /// No earlier sibling will do.
    case failsAllSiblings
    /// No element in the path to the root, or before it, will do.
    case failsCompletely
  }

  mutating func matches(_ complex: UInt32, _ node: NodeID, _ document: Document) -> Bool {
    match(rules.complex[Int(complex)].compounds.lowerBound, node, document) == .matches
  }

  mutating func match(_ compound: UInt32, _ node: NodeID, _ document: Document) -> Outcome {
    guard matchesCompound(compound, node, document) else { return .failsLocally }
    switch rules.compounds[Int(compound)].combinator {
    case .none:
      return .matches
    case .child:
      let parent = parentElement(node, document)
      if parent.isNone { return .failsCompletely }
      let outcome = match(compound + 1, parent, document)
      return outcome == .matches || outcome == .failsCompletely ? outcome : .failsAllSiblings
    case .descendant:
      var ancestor = parentElement(node, document)
      while !ancestor.isNone {
        let outcome = match(compound + 1, ancestor, document)
        if outcome == .matches || outcome == .failsCompletely { return outcome }
        ancestor = parentElement(ancestor, document)
      }
      return .failsCompletely
    case .nextSibling:
      let sibling = previousElement(node, document)
      return sibling.isNone ? .failsAllSiblings : match(compound + 1, sibling, document)
    case .subsequentSibling:
      return matchEarlierSibling(compound + 1, node, document)
    }
  }

  private mutating func matchEarlierSibling(_ compound: UInt32, _ node: NodeID, _ document: Document) -> Outcome {
    let parent = document.nodes[node.index].parent
    let first = parent.isNone ? NodeID.none : document.nodes[parent.index].firstChild
    let key = UInt64(compound) << 32 | UInt64(parent.rawValue)
    var memo = siblingMemos[key] ?? SiblingMemo(upcoming: first)
    while memo.firstMatch.isNone, !memo.failsCompletely, !memo.upcoming.isNone, memo.upcoming < node {
      let sibling = memo.upcoming
      memo.upcoming = document.nodes[sibling.index].nextSibling
      guard document.nodes[sibling.index].kind == .element else { continue }
      switch match(compound, sibling, document) {
      case .matches: memo.firstMatch = sibling
      case .failsCompletely: memo.failsCompletely = true
      case .failsLocally, .failsAllSiblings: break
      }
    }
    siblingMemos[key] = memo
    if !memo.firstMatch.isNone, memo.firstMatch < node { return .matches }
    return memo.failsCompletely ? .failsCompletely : .failsAllSiblings
  }

  func parentElement(_ node: NodeID, _ document: Document) -> NodeID {
    let parent = document.nodes[node.index].parent
    return !parent.isNone && document.nodes[parent.index].kind == .element ? parent : .none
  }
  private func previousElement(_ node: NodeID, _ document: Document) -> NodeID {
    var sibling = document.nodes[node.index].previousSibling
    while !sibling.isNone, document.nodes[sibling.index].kind != .element {
      sibling = document.nodes[sibling.index].previousSibling
    }
    return sibling
  }

  // MARK: Compound selectors

  private mutating func matchesCompound(_ compound: UInt32, _ node: NodeID, _ document: Document) -> Bool {
    for index in rules.compounds[Int(compound)].simples {
      if !matchesSimple(index, node, document) { return false }
    }
    return true
  }

  private mutating func matchesSimple(_ index: UInt32, _ node: NodeID, _ document: Document) -> Bool {
    let simple = rules.simples[Int(index)]
    switch simple.kind {
    case .type:
      let element = document.nodes[node.index]
      guard accepts(simple.namespace, element.namespace) else { return false }
      return element.name == atoms[Int(isHTML && element.namespace == .html ? simple.foldedName : simple.name)]
    case .namespace:
      return accepts(simple.namespace, document.nodes[node.index].namespace)
    case .className:
      let name = ignoresNameCase ? simple.foldedName : simple.name
      for index in classStarts[node.index]..<classStarts[node.index + 1] where classNames[Int(index)] == name {
        return true
      }
      return false
    case .id:
      return ids[node.index] == (ignoresNameCase ? simple.foldedName : simple.name)
    case .attribute:
      return matchesAttribute(simple, node, document)
    case .root:
      return node == document.root
    case .scope:
      return node == (scopeRoot.isNone ? document.root : scopeRoot)
    case .anchor:
      // The start of `:has()` is known to it; nothing else asks.
      return true
    case .empty:
      var child = document.nodes[node.index].firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element || !document.nodes[child.index].range.isEmpty { return false }
        child = document.nodes[child.index].nextSibling
      }
      return true
    case .nthChild, .nthLastChild:
      let position =
        simple.list.isEmpty
        ? position(node, document, ofType: false) : countedPosition(index, simple.list, node, document)
      guard let position else { return false }
      return Self.isNth(simple.kind == .nthChild ? position.start : position.end, simple.a, simple.b)
    case .nthOfType, .nthLastOfType:
      guard let position = position(node, document, ofType: true) else { return false }
      return Self.isNth(simple.kind == .nthOfType ? position.start : position.end, simple.a, simple.b)
    case .onlyChild:
      guard let position = position(node, document, ofType: false) else { return false }
      return position.start == 1 && position.end == 1
    case .onlyOfType:
      guard let position = position(node, document, ofType: true) else { return false }
      return position.start == 1 && position.end == 1
    case .anyLink: return linkTarget(node, document) != nil
    case .link: return linkTarget(node, document)?.isEmpty == false
    case .visited: return linkTarget(node, document)?.isEmpty == true
    case .lang:
      let range = Int(simple.list.lowerBound)..<Int(simple.list.upperBound)
      if simple.list.lowerBound >= rules.firstAuthorLanguage {
        if authorLanguages == nil { authorLanguages = ElementLanguages(document, default: "") }
        return authorLanguages?.matches(node, simple: index, ranges: rules.languageRanges[range]) ?? false
      }
      if languages == nil { languages = ElementLanguages(document, default: defaultLanguage) }
      return languages?.matches(node, simple: index, ranges: rules.languageRanges[range]) ?? false
    case .directionLTR, .directionRTL:
      if directions == nil { directions = ElementDirections(document) }
      return directions?.isRightToLeft(node) == (simple.kind == .directionRTL)
    case .enabled: return formState(node, document) == .enabled
    case .disabled: return formState(node, document) == .disabled
    case .checked: return isChecked(node, document)
    case .matchesAny, .matchesNone: return matchesList(simple.list, node, document) == (simple.kind == .matchesAny)
    case .has: return matchesHas(index, simple.list, node, document)
    case .holdsOnly: return document.onlyChild(of: node).map { matchesList(simple.list, $0, document) } ?? false
    case .never: return false
    }
  }

  private func accepts(_ test: RuleSet.NamespaceTest, _ namespace: Markup.Namespace) -> Bool {
    switch test {
    case .any: true
    case .exactly(let wanted): wanted == namespace
    }
  }

  /// There is an n ≥ 0 with a·n + b = position.
  private static func isNth(_ position: Int32, _ a: Int32, _ b: Int32) -> Bool {
    let distance = Int64(position) - Int64(b)
    if a == 0 { return distance == 0 }
    return distance % Int64(a) == 0 && distance / Int64(a) >= 0
  }

  private mutating func position(
    _ node: NodeID, _ document: Document, ofType: Bool
  ) -> SiblingPositions.Position? {
    if positions == nil { positions = SiblingPositions(document) }
    return ofType
      ? positions?.ofType(node, document) : positions?.all[node.index]
  }

  // MARK: Functions

  private mutating func matchesList(_ list: Range<UInt32>, _ node: NodeID, _ document: Document) -> Bool {
    for complex in list {
      guard rules.complex[Int(complex)].looksAround else {
        if matches(complex, node, document) { return true }
        continue
      }
      let key = UInt64(complex) << 32 | UInt64(node.rawValue)
      let result: Bool
      if let known = nestedMemo[key] {
        result = known
      } else {
        result = matches(complex, node, document)
        nestedMemo[key] = result
      }
      if result { return true }
    }
    return false
  }

  /// `:nth-child(An+B of S)`: the position among the siblings that match S, nil when the element does not.
  private mutating func countedPosition(
    _ simple: UInt32, _ list: Range<UInt32>, _ node: NodeID, _ document: Document
  ) -> SiblingPositions.Position? {
    if let known = countedPositions[simple]?.position(of: node) { return known.start > 0 ? known : nil }
    let parent = document.nodes[node.index].parent
    var matching: [NodeID] = []
    var others: [NodeID] = []
    var child = parent.isNone ? node : document.nodes[parent.index].firstChild
    while !child.isNone {
      if document.nodes[child.index].kind == .element {
        if matchesList(list, child, document) { matching.append(child) } else { others.append(child) }
      }
      child = document.nodes[child.index].nextSibling
    }
    countedPositions[simple, default: SiblingPositions.Counted()].record(matching, others: others)
    let position = countedPositions[simple]?.position(of: node)
    return position.flatMap { $0.start > 0 ? $0 : nil }
  }

  /// `:has()` (Selectors 4, section 4.5): whether a relative selector finds an element from here.
  private mutating func matchesHas(
    _ simple: UInt32, _ list: Range<UInt32>, _ node: NodeID, _ document: Document
  ) -> Bool {
    let key = UInt64(simple) << 32 | UInt64(node.rawValue)
    if let known = hasMemo[key] { return known }
    var result = false
    for complex in list {
      let compounds = rules.complex[Int(complex)].compounds
      // The last compound stands for `node` itself.
      if leads(from: compounds.upperBound - 1, to: compounds.lowerBound, node, document) {
        result = true
        break
      }
    }
    hasMemo[key] = result
    return result
  }

  /// The compounds from the one before `compound` to `subject` match some chain of elements that starts at `node`,
  /// which matches `compound`. Left to right, so that answers can be remembered whatever asked.
  mutating func leads(
    from compound: UInt32, to subject: UInt32, _ node: NodeID, _ document: Document
  ) -> Bool {
    if compound <= subject { return true }
    let next = compound - 1
    switch rules.compounds[Int(next)].combinator {
    case .none: return false
    case .child:
      var child = document.nodes[node.index].firstChild
      while !child.isNone {
        if document.nodes[child.index].kind == .element, isOnWay(next, to: subject, child, document) { return true }
        child = document.nodes[child.index].nextSibling
      }
      return false
    case .descendant:
      var descendant = NodeID(rawValue: node.rawValue + 1)
      let end = document.nodes[node.index].subtreeEnd
      while descendant < end, descendant.index < document.nodes.count {
        if document.nodes[descendant.index].kind == .element, isOnWay(next, to: subject, descendant, document) {
          return true
        }
        descendant = NodeID(rawValue: descendant.rawValue + 1)
      }
      return false
    case .nextSibling:
      var sibling = document.nodes[node.index].nextSibling
      while !sibling.isNone, document.nodes[sibling.index].kind != .element {
        sibling = document.nodes[sibling.index].nextSibling
      }
      return !sibling.isNone && isOnWay(next, to: subject, sibling, document)
    case .subsequentSibling:
      return lastOnWay(next, to: subject, siblingOf: node, document) > node
    }
  }

  /// The element `node` matches a compound of a relative selector, and those after it lead on from there.
  private mutating func isOnWay(
    _ compound: UInt32, to subject: UInt32, _ node: NodeID, _ document: Document
  ) -> Bool {
    guard compound > subject else { return matchesCompound(compound, node, document) }
    let key = UInt64(compound) << 32 | UInt64(node.rawValue)
    if let known = wayMemo[key] { return known }
    let result = matchesCompound(compound, node, document) && leads(from: compound, to: subject, node, document)
    wayMemo[key] = result
    return result
  }

  /// The last of the siblings of `node` for which `isOnWay` holds; the document when there is none.
  private mutating func lastOnWay(
    _ compound: UInt32, to subject: UInt32, siblingOf node: NodeID, _ document: Document
  ) -> NodeID {
    let parent = document.nodes[node.index].parent
    guard !parent.isNone else { return Document.documentNode }
    let key = UInt64(compound) << 32 | UInt64(parent.rawValue)
    if let known = lastSiblings[key] { return known }
    var sibling = document.nodes[parent.index].lastChild
    while !sibling.isNone {
      if document.nodes[sibling.index].kind == .element, isOnWay(compound, to: subject, sibling, document) { break }
      sibling = document.nodes[sibling.index].previousSibling
    }
    let last = sibling.isNone ? Document.documentNode : sibling
    lastSiblings[key] = last
    return last
  }
}
