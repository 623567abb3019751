import CSS
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
    var kind: PropertyID.Group
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
    for group in PropertyID.Group.allCases {
      let key = Group(kind: group, place: style.place(of: group))
      if groups[key] == nil {
        var own = StableHasher()
        for (name, value) in table.values(of: group, style) {
          own.combine(name)
          own.combine(value)
        }
        groups[key] = own.value
      }
      hasher.combine(groups[key] ?? 0)
    }
    return hasher.value
  }
}

extension ComputedStyle {
  /// The index of a group of the style in its table.
  fileprivate func place(of group: PropertyID.Group) -> Int {
    switch group {
    case .font: font.index
    case .paragraph: paragraph.index
    case .text: text.index
    case .list: list.index
    case .box: box.index
    case .border: border.index
    case .background: background.index
    case .page: page.index
    }
  }
}
