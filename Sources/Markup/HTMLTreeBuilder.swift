import Primitives

/// The tree construction stage of HTML's parser (HTML, section 13.2.6), fed with the tokens of `HTMLTokenizer`.
///
/// Not followed: frames (a frame set is passed over and its alternative content shown), scripts (none runs, so
/// `noscript` counts), and the separate content of `template`, which stays below its element.
struct HTMLTreeBuilder {
  enum Mode {
    case beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, afterBody
    case inTable, inCaption, inColumnGroup, inTableBody, inRow, inCell
  }

  var tree = HTMLTree()
  var mode = Mode.beforeHTML
  var stack: [Int] = []
  /// Active formatting elements; -1 is a marker.
  var formatting: [Int] = []
  /// The number of open elements by static name, so that most questions for scopes need no search.
  var openCounts = [Int32](repeating: 0, count: Int(Atom.staticCount))
  var head = -1
  var form = -1
  var isFostering = false
  /// A line feed right after the start of `pre` is not text.
  var ignoresLineFeed = false
  /// The mode the first document type declaration gives the page.
  var documentMode: Document.Mode?
  /// Text right inside a table or its rows, kept until something else follows: it stays there only if all of it is white
  /// space.
  var tableText: [UInt8] = []
  /// `/>` ends any element.
  let isXHTML: Bool
  let mostNodes: Int
  /// Names of SVG with capitals, by lower-case atom; empty before the first drawing.
  private var correctedNames: [Atom: Atom] = [:]
  /// Names this stage speaks of that are not static.
  let mglyph: Atom
  let malignmark: Atom
  let encodingName: Atom
  /// MathML's one name with capitals.
  let definitionURL: (lowercase: Atom, name: Atom)

  init(isXHTML: Bool, mostNodes: Int, names: inout AtomTable) {
    self.isXHTML = isXHTML
    self.mostNodes = mostNodes
    mglyph = names.intern("mglyph")
    malignmark = names.intern("malignmark")
    encodingName = names.intern("encoding")
    definitionURL = (names.intern("definitionurl"), names.intern("definitionURL"))
  }

  /// A drawing begins.
  mutating func expectSVG(names: inout AtomTable) {
    if correctedNames.isEmpty { correctedNames = SVGNames.corrected(in: &names) }
  }

  var isFull: Bool { tree.nodes.count >= mostNodes }
  /// The mode of the page.
  var pageMode: Document.Mode { isXHTML ? .noQuirks : documentMode ?? .quirks }

  // MARK: The stack of open elements

  /// The innermost open element, the root when there is none.
  var current: Int { stack.last ?? 0 }
  func tag(_ node: Int) -> Atom { tree[node].tag }
  func isHTML(_ node: Int, _ name: Atom) -> Bool { tree[node].tag == name && tree[node].namespace == .html && node > 0 }
  func elementClass(_ node: Int) -> HTMLElementClass {
    tree[node].namespace == .html ? HTMLElementClass(tree[node].tag) : foreignClass(node)
  }
  /// Elements of MathML and SVG that bound scopes and are special.
  private func foreignClass(_ node: Int) -> HTMLElementClass {
    let (name, namespace) = (tree[node].tag, tree[node].namespace)
    let bounds =
      namespace == .mathML && [.mi, .mo, .mn, .ms, .mtext, .annotationXml].contains(name)
      || namespace == .svg && isHTMLIntegrationPoint(node)
    return bounds ? [.special, .scope] : []
  }

  mutating func push(_ node: Int) {
    stack.append(node)
    count(node, 1)
  }

  mutating func pop() {
    guard let node = stack.popLast() else { return }
    count(node, -1)
  }

  mutating func removeFromStack(_ node: Int) {
    guard let index = stack.lastIndex(of: node) else { return }
    stack.remove(at: index)
    count(node, -1)
  }

  mutating func count(_ node: Int, _ change: Int32) {
    tree[node].isOpen = change > 0
    let name = tree[node].tag
    if name.isStatic, tree[node].namespace == .html { openCounts[Int(name.rawValue)] += change }
  }

  mutating func pop(until name: Atom) {
    while let node = stack.last {
      pop()
      if isHTML(node, name) { return }
    }
  }

  func isOpen(_ name: Atom) -> Bool { !name.isStatic || openCounts[Int(name.rawValue)] > 0 }

  enum Scope { case plain, button, listItem, table }

  func hasInScope(_ name: Atom, _ scope: Scope = .plain) -> Bool {
    guard isOpen(name) else { return false }
    for node in stack.reversed() {
      if isHTML(node, name) { return true }
      let element = elementClass(node)
      switch scope {
      case .table: if element.contains(.tableScope) { return false }
      case .plain: if element.contains(.scope) { return false }
      case .button: if element.contains(.scope) || isHTML(node, .button) { return false }
      case .listItem: if element.contains(.scope) || isHTML(node, .ol) || isHTML(node, .ul) { return false }
      }
    }
    return false
  }

  func hasClassInScope(_ wanted: HTMLElementClass, table: Bool = false) -> Bool {
    for node in stack.reversed() {
      let element = elementClass(node)
      if !element.isDisjoint(with: wanted) { return true }
      if element.contains(table ? .tableScope : .scope) { return false }
    }
    return false
  }

  mutating func generateImpliedEnds(except name: Atom = .none) {
    while elementClass(current).contains(.impliedEnd), tag(current) != name { pop() }
  }

  /// Ends a paragraph that is open in button scope.
  mutating func closeParagraph() {
    guard hasInScope(.p, .button) else { return }
    generateImpliedEnds(except: .p)
    pop(until: .p)
  }

  /// Pops down to an element of these classes, or the root.
  mutating func clearStack(to wanted: HTMLElementClass, or name: Atom = .none) {
    while let node = stack.last, elementClass(node).isDisjoint(with: wanted), !isHTML(node, name), !isHTML(node, .html),
      !isHTML(node, .template)
    {
      pop()
    }
  }

  // MARK: Insertion

  /// The appropriate place for inserting a node (HTML, section 13.2.6.1): into the innermost element, or before the
  /// table that does not take it.
  func place(_ target: Int? = nil) -> (parent: Int, before: Int) {
    let target = target ?? current
    guard isFostering, tree[target].namespace == .html, elementClass(target).contains(.fosters) else {
      return (target, -1)
    }
    guard let position = stack.lastIndex(where: { isHTML($0, .table) }) else { return (target, -1) }
    let table = stack[position]
    if tree[table].parent >= 0 { return (tree[table].parent, table) }
    return (position > 0 ? stack[position - 1] : 0, -1)
  }

  @discardableResult
  mutating func insert(_ tag: HTMLTag, in namespace: Namespace = .html) -> Int {
    var name = tag.name
    var attributes = tag.attributes
    if namespace == .svg, let corrected = correctedNames[name] { name = corrected }
    switch namespace {
    case .svg:
      for index in attributes.indices {
        if let corrected = correctedNames[attributes[index].name] { attributes[index].name = corrected }
      }
    case .mathML:
      for index in attributes.indices where attributes[index].name == definitionURL.lowercase {
        attributes[index].name = definitionURL.name
      }
    default:
      break
    }
    let node = tree.make(
      HTMLTree.Node(
        kind: .element, namespace: namespace, name: name, tag: tag.name, attributes: attributes, line: tag.line))
    let (parent, sibling) = place()
    tree.insert(node, in: parent, before: sibling)
    push(node)
    return node
  }

  @discardableResult
  mutating func insert(_ name: Atom, line: UInt32) -> Int { insert(HTMLTag(name: name, line: line)) }

  mutating func insertText(_ bytes: Span<UInt8>, line: UInt32) {
    guard !bytes.isEmpty else { return }
    let (parent, sibling) = place()
    guard parent > 0 else { return }
    tree.insertText(bytes, in: parent, before: sibling, line: line)
  }

  /// Adds attributes an element does not have yet.
  mutating func mergeAttributes(_ attributes: [HTMLTag.Attribute], into node: Int) {
    guard !attributes.isEmpty else { return }
    var names = Set(tree[node].attributes.map(\.name))
    for attribute in attributes where names.insert(attribute.name).inserted { tree[node].attributes.append(attribute) }
  }

  // MARK: Active formatting elements

  /// Adds an element to the list; of more than three alike, and of more than 64, the oldest goes.
  mutating func pushFormatting(_ node: Int) {
    var alike = 0
    for index in formatting.indices.reversed() {
      let other = formatting[index]
      if other < 0 { break }
      guard tree[other].tag == tree[node].tag, sameAttributes(other, node) else { continue }
      alike += 1
      if alike == 3 {
        formatting.remove(at: index)
        break
      }
    }
    if formatting.count >= 64 { formatting.removeFirst() }
    formatting.append(node)
  }

  private func sameAttributes(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (tree[a].attributes, tree[b].attributes)
    guard first.count == second.count else { return false }
    if zip(first, second).allSatisfy({ $0.name == $1.name && $0.value == $1.value }) { return true }
    let values = Dictionary(uniqueKeysWithValues: second.map { ($0.name, $0.value) })
    return first.allSatisfy { values[$0.name] == $0.value }
  }

  mutating func clearFormattingToMarker() {
    while let last = formatting.popLast(), last >= 0 {}
  }

  mutating func reconstructFormatting() {
    guard let last = formatting.last, last >= 0, !tree[last].isOpen else { return }
    var index = formatting.count - 1
    while index > 0 {
      let entry = formatting[index - 1]
      if entry < 0 || tree[entry].isOpen { break }
      index -= 1
    }
    while index < formatting.count, !isFull {
      let entry = tree[formatting[index]]
      formatting[index] = insert(HTMLTag(name: entry.tag, attributes: entry.attributes, line: entry.line))
      index += 1
    }
  }

  /// The adoption agency algorithm: what an end tag of a formatting element does (HTML, section 13.2.6.4.7).
  mutating func adopt(_ subject: Atom, line: UInt32) {
    if isHTML(current, subject), !formatting.contains(current) {
      pop()
      return
    }
    for _ in 0..<8 {
      guard !isFull else { return }
      var position = formatting.count - 1
      while position >= 0, formatting[position] >= 0, tree[formatting[position]].tag != subject { position -= 1 }
      guard position >= 0, formatting[position] >= 0 else {
        endAnyOther(subject)
        return
      }
      let element = formatting[position]
      guard let stackPosition = stack.lastIndex(of: element) else {
        formatting.remove(at: position)
        return
      }
      guard hasInScope(subject) else { return }
      guard let furthest = stack[(stackPosition + 1)...].firstIndex(where: { elementClass($0).contains(.special) })
      else {
        while let node = stack.last {
          pop()
          if node == element { break }
        }
        formatting.remove(at: position)
        return
      }
      let block = stack[furthest]
      let ancestor = stackPosition > 0 ? stack[stackPosition - 1] : 0
      var bookmark = position
      var last = block
      var index = furthest
      var steps = 0
      while true {
        steps += 1
        index -= 1
        let node = stack[index]
        if node == element { break }
        var entry = formatting.firstIndex(of: node)
        if steps > 3, let found = entry {
          formatting.remove(at: found)
          if found < bookmark { bookmark -= 1 }
          entry = nil
        }
        guard let entry else {
          count(node, -1)
          stack.remove(at: index)
          continue
        }
        let clone = tree.make(copy(of: node))
        formatting[entry] = clone
        stack[index] = clone
        tree[node].isOpen = false
        tree[clone].isOpen = true
        if last == block { bookmark = entry + 1 }
        tree.remove(last)
        tree.insert(last, in: clone)
        last = clone
      }
      tree.remove(last)
      let wasFostering = isFostering
      isFostering = true
      let (parent, sibling) = place(ancestor)
      isFostering = wasFostering
      tree.insert(last, in: parent, before: sibling)
      let clone = tree.make(copy(of: element))
      tree.moveChildren(of: block, to: clone)
      tree.insert(clone, in: block)
      if let found = formatting.firstIndex(of: element) {
        formatting.remove(at: found)
        if found < bookmark { bookmark -= 1 }
      }
      formatting.insert(clone, at: min(max(bookmark, 0), formatting.count))
      removeFromStack(element)
      if let found = stack.lastIndex(of: block) {
        stack.insert(clone, at: found + 1)
        count(clone, 1)
      }
    }
  }

  private func copy(of node: Int) -> HTMLTree.Node {
    let original = tree[node]
    return HTMLTree.Node(
      kind: .element, namespace: original.namespace, name: original.name, tag: original.tag,
      attributes: original.attributes, line: original.line)
  }

  /// The end of an element no rule speaks of.
  mutating func endAnyOther(_ name: Atom) {
    guard isOpen(name) else { return }
    for node in stack.reversed() {
      if isHTML(node, name) {
        generateImpliedEnds(except: name)
        while let popped = stack.last {
          pop()
          if popped == node { return }
        }
        return
      }
      if elementClass(node).contains(.special) { return }
    }
  }
}
