package import Primitives

extension Document {
  /// The document without some nodes and what is in them. Text and attributes are shared with this one; ids are new.
  package func filtered(_ keeps: (NodeID) -> Bool) -> Document {
    var result = self
    result.nodes = []
    var newIDs = [NodeID](repeating: .none, count: nodes.count)
    // The end here of each open node, and its new id.
    var open: [(end: Int, id: NodeID)] = []
    var index = 0
    while index < nodes.count {
      while let last = open.last, index >= last.end {
        result.nodes[last.id.index].subtreeEnd = NodeID(result.nodes.count)
        open.removeLast()
      }
      var node = nodes[index]
      let end = node.kind == .text ? index + 1 : Swift.max(index + 1, Swift.min(node.subtreeEnd.index, nodes.count))
      guard index == 0 || keeps(NodeID(index)) else {
        index = end
        continue
      }
      let id = NodeID(result.nodes.count)
      newIDs[index] = id
      node.parent = node.parent.isNone ? .none : newIDs[node.parent.index]
      node.firstChild = .none
      node.lastChild = .none
      node.nextSibling = .none
      node.previousSibling = node.parent.isNone ? .none : result.nodes[node.parent.index].lastChild
      if !node.previousSibling.isNone { result.nodes[node.previousSibling.index].nextSibling = id }
      if !node.parent.isNone {
        if result.nodes[node.parent.index].firstChild.isNone { result.nodes[node.parent.index].firstChild = id }
        result.nodes[node.parent.index].lastChild = id
      }
      result.nodes.append(node)
      open.append((end, id))
      index += 1
    }
    for entry in open { result.nodes[entry.id.index].subtreeEnd = NodeID(result.nodes.count) }
    return result
  }
}
