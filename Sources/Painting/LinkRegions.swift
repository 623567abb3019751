import BoxGeneration
import Layout
import Markup
import Primitives

/// The link that each node of a document lies in.
struct LinkMap {
  /// By node: the nearest `a` with a reference, itself included; empty for a document without links.
  private var links: [NodeID] = []
  private let document: Document

  init(document: Document) {
    self.document = document
    let hasLinks = document.nodes.indices.contains { Self.isLink(NodeID($0), document) }
    guard hasLinks else { return }
    links = [NodeID](repeating: .none, count: document.nodes.count)
    for index in document.nodes.indices {
      let parent = document.nodes[index].parent
      if !parent.isNone, parent.index < index { links[index] = links[parent.index] }
      if Self.isLink(NodeID(index), document) { links[index] = NodeID(index) }
    }
  }

  var isEmpty: Bool { links.isEmpty }

  private static func isLink(_ node: NodeID, _ document: Document) -> Bool {
    document.isElement(node, .a) && document.attribute(.href, of: node) != nil
  }

  func link(around node: NodeID) -> NodeID {
    node.isNone || node.index >= links.count ? .none : links[node.index]
  }

  func href(of link: NodeID) -> String { document.attributeValue(.href, of: link) ?? "" }
}

extension PagePainting {
  /// The stretches of lines, and the images, that lie in links.
  func linkRegions() -> [LinkRegion] {
    var regions: [LinkRegion] = []
    collectLinks(in: page.root, at: page[page.root].offset, into: &regions)
    return regions
  }

  private func collectLinks(in id: FragmentID, at offset: LogicalOffset, into regions: inout [LinkRegion]) {
    let isLine = page[id].kind == .line
    var lastLink = NodeID.none
    for child in children(of: id) {
      let fragment = page[child]
      let childOffset = offset + fragment.offset
      let node = fragment.box.isNone ? NodeID.none : tree[fragment.box].node
      let link = painter.links.link(around: node)
      let isLeaf =
        fragment.kind == .text || fragment.kind == .box && (isLine || tree[fragment.box].content == .replaced)
      if isLeaf, !link.isNone {
        let rect = map.rect(childOffset, fragment.size)
        if isLine, link == lastLink, let last = regions.indices.last {
          regions[last].rect = regions[last].rect.union(rect)
        } else if !rect.isEmpty {
          regions.append(LinkRegion(href: painter.links.href(of: link), rect: rect, node: link))
          lastLink = link
        }
      } else if isLeaf {
        lastLink = .none
      }
      // The content of an atomic inline in a link is covered by its box.
      if fragment.kind == .line || fragment.kind == .box && !(isLeaf && !link.isNone) {
        collectLinks(in: child, at: childOffset, into: &regions)
      }
    }
  }
}
