import Markup
package import Primitives

/// Stable hashes of the looks of elements: equal ones on every run and machine where all computed values of an element and of
/// what it stands in are equal. Values that no rule changed do not enter, so a property that the engine learns changes no hash
/// of an element that does not use it.
package struct StyleFingerprints: Sendable {
  private let tree: StyledTree
  /// By node: the hash of the element and its ancestors.
  private var chains: [NodeID: UInt64] = [:]
  /// By kind of group and place in the table.
  private var groups: [Group: UInt64] = [:]

  private struct Group: Hashable {
    var kind: UInt8
    var place: Int
  }

  package init(_ tree: StyledTree) { self.tree = tree }

  /// The hash of an element's own values and those of its ancestors.
  package mutating func fingerprint(of element: NodeID) -> UInt64 {
    let document = tree.document
    var path: [NodeID] = []
    var node = element
    var value: UInt64 = 0
    while !node.isNone, node.index < document.nodes.count, document[node].kind == .element {
      if let known = chains[node] {
        value = known
        break
      }
      path.append(node)
      node = document[node].parent
    }
    for node in path.reversed() {
      var hasher = StableHasher()
      hasher.combine(value)
      hasher.combine(own(node))
      value = hasher.value
      chains[node] = value
    }
    return value
  }

  private mutating func own(_ node: NodeID) -> UInt64 {
    let style = tree.styles[node.index]
    let table = tree.table
    var hasher = StableHasher()
    func add<Value>(_ kind: UInt8, _ place: Int, _ value: Value, _ initial: Value) {
      let group = Group(kind: kind, place: place)
      if groups[group] == nil {
        var own = StableHasher()
        for value in tree.values(of: value, initial: initial) { own.combine(value) }
        groups[group] = own.value
      }
      hasher.combine(groups[group] ?? 0)
    }
    add(0, style.font.index, table[style.font], FontStyle())
    add(1, style.text.index, table[style.text], TextStyle())
    add(2, style.paragraph.index, table[style.paragraph], ParagraphStyle())
    add(3, style.list.index, table[style.list], ListStyle())
    add(4, style.box.index, table[style.box], BoxStyle())
    add(5, style.border.index, table[style.border], BorderGroup())
    add(6, style.background.index, table[style.background], BackgroundGroup())
    add(7, style.page.index, table[style.page], PageGroup())
    return hasher.value
  }
}
