import Markup
import Platform
import Primitives
import Publications
import Styling
import Synchronization

/// The documents of a book that hold notes of its other documents: kept, since each chapter asks for its own.
final class EndnoteDocuments: Sendable {
  /// Well-made novels have one such document; collections have one a part.
  private static let capacity = 4
  private let documents = Lock<[(index: Int, document: Document)]>([])

  func document(at index: Int, of publication: Publication) -> Document {
    if let known = documents.withLock({ $0.first { $0.index == index }?.document }) { return known }
    let document = publication.document(at: index).document
    documents.withLock {
      if $0.count == Self.capacity { $0.removeFirst() }
      $0.append((index, document))
    }
    return document
  }
}

/// The notes of a chapter that stand in other documents of its book, as children of the chapter's own body.
struct ImportedEndnotes {
  /// The chapter's document and the notes.
  var document: Document
  /// Notes by the links that name them.
  var notes: [NodeID: NodeID]

  /// Finds the references (`NoteRole`) that name notes of other documents; nil where there are none.
  init?(_ document: Document, path: String, index: Int, resources: BookResources) {
    let publication = resources.publication
    var links: [NodeID] = []
    var fragments: [Document.Fragment] = []
    var taken: Set<String> = []
    var elements: [Int: [String: NodeID]] = [:]
    var body = NodeID.none
    for position in document.nodes.indices where document.nodes[position].kind == .element {
      let node = NodeID(position)
      if body.isNone, document.isElement(node, .body) { body = node }
      guard NoteRole(of: node, in: document) == .reference, let link = document.noteLink(of: node),
        let href = document.attributeValue(.href, of: link), !href.hasPrefix("#"),
        let target = publication.resolve(href, relativeTo: path), let id = target.fragment,
        let spineIndex = publication.spineIndex(of: target.path), spineIndex != index
      else { continue }
      let source = resources.endnotes.document(at: spineIndex, of: publication)
      let ids = elements[spineIndex] ?? source.elementsByFragment()
      elements[spineIndex] = ids
      // A note that is named twice belongs to the first reference.
      guard let element = ids[id], let note = source.note(at: element),
        taken.insert("\(spineIndex)#\(note.index)").inserted
      else { continue }
      links.append(link)
      guard source.isElement(note, .li) else {
        fragments.append(Document.Fragment(document: source, root: note))
        continue
      }
      // The list says how its items are numbered.
      fragments.append(
        Document.Fragment(
          document: source, root: note, addedAttributes: [(.value, String(source.ordinal(ofItem: note)))],
          parent: source.nodes[note.index].parent))
    }
    guard !links.isEmpty, !body.isNone else { return nil }
    let (extended, roots) = document.importing(fragments, into: body)
    self.document = extended
    notes = Dictionary(uniqueKeysWithValues: zip(links, roots))
  }
}
