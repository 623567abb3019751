package import Primitives

extension Document {
  /// A prefix of a long document as a document of its own, for those who want its first pages only: about
  /// `textBytes` of text, up to a place between two children of one element. The nodes keep their ids.
  ///
  /// - Returns: The prefix, and the element whose later children it lacks; nil for a document that is not several times as
  ///   long, has no such place, or has style sheets behind it.
  package func prefix(textBytes: Int) -> (document: Document, container: NodeID)? {
    guard text.count / 4 > textBytes, !root.isNone else { return nil }
    guard let target = nodes.firstIndex(where: { $0.kind == .text && Int($0.range.lowerBound) >= textBytes }) else {
      return nil
    }
    var path = [NodeID(target)]
    while let parent = path.last.map({ nodes[$0.index].parent }), !parent.isNone { path.append(parent) }
    // From the document inwards: the first element around the target that is small itself ends the part.
    let last = path.indices.reversed().first { place in
      let end = nodes[path[place].index].subtreeEnd.index
      let next = nodes[end...].first { $0.kind == .text }
      return next.map { Int($0.range.lowerBound) <= textBytes * 2 } ?? false
    }
    guard let last, last + 1 < path.count, path[last + 1] != Self.documentNode else { return nil }
    let end = nodes[path[last].index].subtreeEnd
    guard !nodes[end.index...].contains(where: { $0.name == .style || $0.name == .link }) else { return nil }

    var part = self
    part.nodes.removeSubrange(end.index...)
    part.nodes[path[last].index].nextSibling = .none
    for place in (last + 1)..<path.count {
      part.nodes[path[place].index].subtreeEnd = end
      part.nodes[path[place].index].lastChild = path[place - 1]
      part.nodes[path[place].index].nextSibling = .none
    }
    let attributeEnd = part.nodes.last { $0.kind == .element }.map { Int($0.range.upperBound) } ?? 0
    part.attributes = Array(attributes[..<attributeEnd])
    let textEnd = Swift.max(
      part.nodes.last { $0.kind == .text }?.range.upperBound ?? 0, part.attributes.last?.value.upperBound ?? 0)
    part.text = Array(text[..<Int(textEnd)])
    return (part, path[last + 1])
  }
}
