import CSS
import Markup
import Primitives
import Styling

/// The counters in scope while the document is walked (CSS Lists 3, section 4).
///
/// An instance that has none of its name around it lasts for the siblings after the element that made it; a nested one
/// lasts for that element only.
struct CounterScopes {
  private struct Instance {
    var value: Int32
    var level: Int
  }
  private var indices: [String: Int] = ["list-item": 0]
  private var stacks: [[Instance]] = [[]]
  /// The counters made, in order: the end of an element takes back the outermost ones its children made, and the nested
  /// ones that it made itself.
  private var made: [Int] = []
  private var nested: [Int] = []

  /// A place to return to when the children of an element end.
  var mark: Int { made.count }
  /// A place to return to when an element ends.
  var nestedMark: Int { nested.count }

  mutating func close(to mark: Int) {
    while made.count > mark { stacks[made.removeLast()].removeLast() }
  }
  mutating func closeNested(to mark: Int) {
    while nested.count > mark { stacks[nested.removeLast()].removeLast() }
  }

  private mutating func index(_ name: String) -> Int {
    if let known = indices[name] { return known }
    indices[name] = stacks.count
    stacks.append([])
    return stacks.count - 1
  }

  /// - Parameter level: The depth of the element that carries the declaration.
  mutating func reset(_ name: String, to value: Int32, level: Int) {
    let index = index(name)
    if let last = stacks[index].last, last.level == level {
      stacks[index][stacks[index].count - 1].value = value
    } else {
      if stacks[index].isEmpty { made.append(index) } else { nested.append(index) }
      stacks[index].append(Instance(value: value, level: level))
    }
  }
  mutating func increment(_ name: String, by value: Int32, level: Int) {
    let index = index(name)
    if stacks[index].isEmpty { reset(name, to: 0, level: level) }
    let last = stacks[index].count - 1
    let (sum, overflow) = stacks[index][last].value.addingReportingOverflow(value)
    // A counter stays where it is rather than overflow.
    if !overflow { stacks[index][last].value = sum }
  }
  mutating func set(_ name: String, to value: Int32, level: Int) {
    let index = index(name)
    if stacks[index].isEmpty { reset(name, to: 0, level: level) }
    stacks[index][stacks[index].count - 1].value = value
  }

  /// The innermost value; a counter nobody made is 0.
  func value(_ name: String) -> Int32 { indices[name].flatMap { stacks[$0].last?.value } ?? 0 }
  func isInScope(_ name: String) -> Bool { indices[name].map { !stacks[$0].isEmpty } ?? false }
  /// The values of all counters in scope, by name.
  var all: [String: [Int32]] {
    indices.compactMapValues { stacks[$0].isEmpty ? nil : stacks[$0].map(\.value) }
  }
  /// All values in scope, outermost first.
  func values(_ name: String) -> [Int32] {
    let values = indices[name].map { stacks[$0].map(\.value) } ?? []
    return values.isEmpty ? [0] : values
  }
}

extension BoxGenerator {
  /// Applies the counters of an element or pseudo-element, and notes what the element means to its page and to others.
  mutating func applyCounters(of node: NodeID, pseudo: PseudoElement?, _ style: ComputedStyle, _ traits: BoxTraits) {
    numbering.counters.apply(style, traits, of: node, pseudo: pseudo, level: openBoxes.depth, in: tree)
    guard pseudo == nil else { return }
    if style.page.index != 0 { noteBookmark(node, style) }
    if marksPages { markPage(node, style, traits) }
    if resources.references.notesTargets { noteTarget(node) }
  }
}

extension CounterScopes {
  /// Applies `counter-reset`, `-increment` and `-set`, and the list-item counter that lists imply (CSS Lists 3, section
  /// 4.6).
  ///
  /// - Parameter level: The depth of the element.
  mutating func apply(
    _ style: ComputedStyle, _ traits: BoxTraits, of node: NodeID, pseudo: PseudoElement?, level: Int,
    in tree: StyledTree
  ) {
    let document = tree.document
    let isHTML = pseudo == nil && document.nodes[node.index].namespace == .html
    let name = isHTML ? document.nodes[node.index].name : .none
    let isList = name == .ol || name == .ul || name == .menu || name == .dir
    guard traits.hasCounters || traits.isListItem || isList else { return }
    var resetsListItem = false
    var incrementsListItem = false
    if traits.hasCounters {
      for operation in tree.table.boxes[style.box.index].counterReset {
        if operation.name == "list-item" {
          resetsListItem = true
          // The user-agent sheet resets to 0; `start` and `reversed` are said by attributes.
          if operation.value == 0, isList { continue }
        }
        reset(operation.name, to: operation.value, level: level)
      }
      if resetsListItem, isList,
        tree.table.boxes[style.box.index].counterReset.contains(where: { $0.name == "list-item" && $0.value == 0 })
      {
        reset("list-item", to: document.listStart(node, name), level: level)
      }
      for operation in tree.table.boxes[style.box.index].counterIncrement {
        if operation.name == "list-item" { incrementsListItem = true }
        increment(operation.name, by: operation.value, level: level)
      }
    }
    if isList, !resetsListItem {
      reset("list-item", to: document.listStart(node, name), level: level)
    }
    if traits.isListItem {
      if !incrementsListItem {
        increment("list-item", by: document.isReversedItem(node) ? -1 : 1, level: level)
      }
      if name == .li, let value = document.integer(.value, of: node) {
        set("list-item", to: value, level: level)
      }
    }
    if traits.hasCounters {
      for operation in tree.table.boxes[style.box.index].counterSet {
        set(operation.name, to: operation.value, level: level)
      }
    }
  }
}

extension Document {
  /// The number before a list's first item (HTML, section 4.4.5).
  fileprivate func listStart(_ node: NodeID, _ name: Atom) -> Int32 {
    guard name == .ol else { return 0 }
    let isReversed = attribute(.reversed, of: node) != nil
    if let start = integer(.start, of: node) {
      return isReversed
        ? start.addingReportingOverflow(1).partialValue : start.subtractingReportingOverflow(1).partialValue
    }
    guard isReversed else { return 0 }
    var items: Int32 = 0
    for child in children(of: node) where isElement(child, .li) { items += 1 }
    return items + 1
  }

  /// The item stands in a list that counts down.
  fileprivate func isReversedItem(_ node: NodeID) -> Bool {
    let parent = nodes[node.index].parent
    return !parent.isNone && isElement(parent, .ol) && attribute(.reversed, of: parent) != nil
  }
}
