import Markup
import Primitives
import Styling

/// The notes that a document has itself, by the references that lead to them (CSS GCPM 3, section 2): found before
/// boxes are generated, because a note may stand before its reference.
struct DocumentNotes {
  /// By the links of references; a note belongs to the first one.
  private(set) var targets: [NodeID: NodeID] = [:]
  /// Elements without a place in the flow: notes that stand at the foot of a page, and sections that hold nothing else.
  private(set) var leftOut: Set<NodeID> = []

  /// No notes: they stay where they are.
  init() {}

  /// Finds the notes that references in the text name.
  ///
  /// - Complexity: O(nodes)
  init(in document: Document, _ resources: BoxResources) {
    self.init()
    var references: [(node: NodeID, id: String)] = []
    let elements = document.elementsByFragment()
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      let node = NodeID(index)
      guard NoteRole(of: node, in: document) == .reference else { continue }
      if let link = document.noteLink(of: node), let href = document.attributeValue(.href, of: link),
        let id = Self.fragment(of: href, in: resources.documentName)
      {
        references.append((link, id))
      }
    }
    for reference in references {
      guard let target = elements[reference.id], let note = document.note(at: target),
        document.note(around: reference.node) == nil,
        !(note.index..<document.nodes[note.index].subtreeEnd.index ~= reference.node.index),
        leftOut.insert(note).inserted
      else { continue }
      targets[reference.node] = note
    }
    for (link, note) in resources.importedNotes where leftOut.insert(note).inserted {
      targets[link] = note
      // The list that an item was taken from comes with it, and holds nothing else.
      let parent = document.nodes[note.index].parent
      if !parent.isNone, !document.isElement(parent, .body) { leftOut.insert(parent) }
    }
    for index in document.nodes.indices where isOnlyNotes(NodeID(index), document) { leftOut.insert(NodeID(index)) }
  }

  /// The fragment of a link within the document.
  private static func fragment(of href: String, in documentName: String) -> String? {
    guard let hash = href.firstIndex(of: "#") else { return nil }
    let file = href[..<hash].split(separator: "/").last ?? ""
    guard href.first == "#" || file == documentName else { return nil }
    return PercentEncoding.decoded(String(href[href.index(after: hash)...]))
  }

  /// The element is a section of notes all of which stand elsewhere, so that no more than its heading is left.
  private func isOnlyNotes(_ node: NodeID, _ document: Document) -> Bool {
    guard !leftOut.isEmpty, document.nodes[node.index].kind == .element else { return false }
    let types =
      (document.attributeValue(.epubType, of: node) ?? "") + " " + (document.attributeValue(.role, of: node) ?? "")
    guard
      types.split(separator: " ").contains(where: {
        ["footnotes", "endnotes", "rearnotes", "doc-endnotes"].contains($0)
      })
    else { return false }
    var index = node.index + 1
    let end = document.nodes[node.index].subtreeEnd.index
    while index < end {
      let inner = document.nodes[index]
      if inner.kind == .element {
        let isHeading = [Atom.h1, .h2, .h3, .h4, .h5, .h6, .header, .hr].contains(inner.name)
        if isHeading || leftOut.contains(NodeID(index)) {
          index = inner.subtreeEnd.index
          continue
        }
        if inner.name == .img || inner.name == .svg { return false }
      } else if inner.kind == .text {
        if document.bytes(inner.range).contains(where: { $0 > 0x20 }) { return false }
      }
      index += 1
    }
    return true
  }
}
