import BoxGeneration
import Graphics
package import Layout
package import Markup
package import PDFRendering
package import Painting
import Platform
package import Primitives
import Publications
import Styling
import Synchronization

/// Tags pages of a chapter one by one, in any order and from any thread, as they are tagged for a PDF. Nothing is made
/// before a page is asked for.
package final class PageTagging: Sendable {
  package let document: Document
  /// The language of the chapter; empty when unknown.
  package let language: String
  private let inputs: LayoutInputs
  private let styles: StyledTree
  private let publication: Publication
  private let chapter: Int
  private let fit: PageFit
  private let tools = Lock<Tools?>(nil)

  /// What is made once for all pages.
  private struct Tools: Sendable {
    /// A tagger that has tagged no page.
    let tagger: PageTagger
    let pageBreaks: [NodeID]
  }

  init(_ chapter: StyledChapter, _ inputs: LayoutInputs) {
    document = chapter.document
    language = chapter.language
    self.inputs = inputs
    styles = chapter.styles
    publication = chapter.resources.publication
    self.chapter = chapter.index
    fit = chapter.fit
  }

  /// A page with its structure, as if the chapter had no other page; clusters have to be recorded.
  ///
  /// - Parameters:
  ///   - painted: What its display list was painted from.
  ///   - links: Its links, on the reader's page.
  package func tag(_ page: PageLayout, _ painted: PaintedContents, links: [LinkRegion]) -> StructuredPage {
    let tools = tools.withLock { tools in
      let made = tools ?? makeTools()
      tools = made
      return made
    }
    var tagger = tools.tagger
    let tagged = tagger.tag(DisplayList(size: page.size), of: page, painted, links: links)
    let pieces = PagePieces(page, inputs.tree, fit)
    let breaks = tools.pageBreaks.filter { pieces.elements[$0]?.continuesBefore == false }.map { node in
      let place = SourceOrder(node: node.rawValue, offset: 0)
      return TaggedContent(element: tagger.pageBreak(node), place: place, kind: .mark)
    }
    let contents = tagged.contents(partedAt: breaks.map(\.place)) + breaks
    var structure = tagger.structure
    structure.append(page: 0, content: contents.map { ($0.element, $0.place) }, links: tagged.links)
    return StructuredPage(tagged: tagged, structure: structure, contents: contents, pieces: pieces)
  }

  private func makeTools() -> Tools {
    Tools(
      tagger: PageTagger(
        inputs, styles: styles, fit: fit, publication: publication, chapter: chapter, language: nil,
        hasDestinations: false),
      pageBreaks: document.pageBreaks)
  }
}

/// A page with the part of its chapter's structure that is on it.
package struct StructuredPage: Sendable {
  package let tagged: TaggedPage
  /// Filled by this page alone.
  package let structure: ChapterStructure
  /// By marked content of the structure.
  package let contents: [TaggedContent]
  package let pieces: PagePieces
}

/// The places of elements and of their text on a page, on the reader's page. What layout repeats counts once.
package struct PagePieces: Sendable {
  /// What is on the page of one box.
  package struct Piece: Sendable {
    package fileprivate(set) var rects: [Rect] = []
    /// It began on an earlier page, or goes on on a later one.
    package fileprivate(set) var continuesBefore: Bool
    package fileprivate(set) var continuesAfter = false
  }

  package private(set) var elements: [NodeID: Piece] = [:]
  /// The containers of texts.
  package private(set) var texts: [TextID: Piece] = [:]
  /// By fragment of `PageLayout.texts`; nil for those that are repeated.
  package private(set) var fragments: [Rect?]

  init(_ page: PageLayout, _ tree: BoxTree, _ fit: PageFit) {
    fragments = Array(repeating: nil, count: page.texts.count)
    if !page.root.isNone { take(page.root, at: page[page.root].offset, on: page, tree, fit) }
  }

  private mutating func take(
    _ id: FragmentID, at offset: LogicalOffset, on page: PageLayout, _ tree: BoxTree, _ fit: PageFit
  ) {
    let fragment = page[id]
    if fragment.flags.contains(.repeated) { return }
    switch fragment.kind {
    case .text:
      fragments[Int(fragment.payload)] = fit(page.physicalRect(offset, fragment.size))
    case .box, .inlineBox:
      guard !fragment.box.isNone else { break }
      let box = tree[fragment.box]
      let rect = fit(page.physicalRect(offset, fragment.size))
      if !box.node.isNone, box.pseudo == nil, !box.flags.contains(.anonymous) {
        Self.add(rect, fragment.flags, to: &elements[box.node])
      }
      if !box.text.isNone { Self.add(rect, fragment.flags, to: &texts[box.text]) }
    case .line: break
    }
    var child = fragment.firstChild
    while !child.isNone {
      take(child, at: offset + page[child].offset, on: page, tree, fit)
      child = page[child].nextSibling
    }
  }

  private static func add(_ rect: Rect, _ flags: FragmentFlags, to piece: inout Piece?) {
    var whole = piece ?? Piece(continuesBefore: flags.contains(.continuesBefore))
    whole.rects.append(rect)
    whole.continuesAfter = flags.contains(.continuesAfter)
    piece = whole
  }
}
