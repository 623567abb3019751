import BoxGeneration
import ChapterEngine
public import FoundationEssentials
public import Graphics
import Images
import Layout
import Markup
import Painting
import Platform
public import Primitives
import Publications
import RasterRendering
import Synchronization

/// A footnote or endnote, set by itself at a given width: what a reader sees in a pop-up.
public struct Note: Sendable {
  /// The source of the note in the book: its element, or its mark's when the note is told by the mark itself.
  public let source: Locator
  /// The note's text, without the way back.
  public let text: String
  /// The display list, in a space from the note's top left corner.
  public let displayList: DisplayList
  let engine: BookResources

  /// The width asked for, and the height of the note in CSS px.
  public var size: Size { displayList.size }

  /// The note as a PNG file.
  ///
  /// - Parameter scale: Device pixels per CSS px; nil for the settings'.
  public func png(scale: Double? = nil) -> Data {
    let renderer = engine.renderer()
    return Data(PNGEncoder().encode(renderer.render(displayList, scale: scale ?? engine.settings.scale)))
  }
}

extension Typesetter {
  /// The note that a link leads to; nil when the link leads to no note but to another part of the book.
  ///
  /// Notes are told by their semantics (`epub:type`, ARIA roles) and by what books do without them: a mark that is small, in
  /// brackets or a picture, a target that is named as a note or links back to the mark.
  ///
  /// - Parameters:
  ///   - link: A link of a page.
  ///   - width: CSS px; margins are none.
  public func note(for link: Page.Link, width: LayoutUnit) async -> Note? { await note(at: link.source, width: width) }

  /// The note whose mark is a picture: one inside a link, or one whose text is the note.
  public func note(for picture: Page.Picture, width: LayoutUnit) async -> Note? {
    await note(at: picture.source, width: width)
  }

  /// The note whose mark stands at a place: the source of a link or of a picture.
  public func note(at mark: Locator, width: LayoutUnit) async -> Note? {
    let resources = state.withLock(\.resources)
    guard book.publication.spine.indices.contains(mark.chapter) else { return nil }
    return await Worker.perform {
      guard let found = NoteFinder(book: self.book).note(at: mark) else { return nil }
      return NoteSetter(resources: resources, width: width).set(found)
    }
  }
}

/// A note in its document.
struct FoundNote {
  enum Content {
    /// Elements one after the other, and links in them that lead back.
    case elements([NodeID], backLinks: Set<NodeID>)
    case text(String)
  }
  var chapter: Int
  var source: ChapterSource
  var content: Content
}

/// Tells marks of notes from other links.
struct NoteFinder {
  let book: Book

  func note(at mark: Locator) -> FoundNote? {
    let source = book.source(of: mark.chapter)
    let document = source.document
    guard source.contains(mark.node), document[mark.node].kind == .element else { return nil }
    // A picture may stand in a link.
    var link = mark.node
    while !link.isNone, !document.isElement(link, .a) || document.attribute(.href, of: link) == nil {
      link = document[link].parent
    }
    if !link.isNone, let note = target(of: link, in: document, chapter: mark.chapter) { return note }
    return textOfPicture(mark.node, in: document).map { text in
      FoundNote(chapter: mark.chapter, source: source, content: .text(text))
    }
  }

  // MARK: Pictures that hold their note

  /// The text of a picture that is a mark by its class, as some Chinese readers have it.
  private func textOfPicture(_ node: NodeID, in document: Document) -> String? {
    var pictures = [node]
    if document[node].name != .img {
      pictures = (node.index..<document[node].subtreeEnd.index).map { NodeID($0) }.filter {
        document.isElement($0, .img)
      }
    }
    guard pictures.count == 1, let picture = pictures.first else { return nil }
    for index in document[picture].range {
      let attribute = document.attributes[Int(index)]
      let name = document.names.name(of: attribute.name)
      if name == "zy-footnote" || name == "data-footnote" || name == "data-wr-footernote" {
        let text = document.string(attribute.value)
        if !text.isEmpty { return text }
      }
    }
    guard Self.isNamedAsNote(document.attributeValue(.class, of: picture) ?? ""),
      let text = document.attributeValue(.alt, of: picture), text.count > 2
    else { return nil }
    return text
  }

  // MARK: Targets of links

  private func target(of link: NodeID, in document: Document, chapter: Int) -> FoundNote? {
    let href = document.attributeValue(.href, of: link) ?? ""
    let path = book.publication.spine[chapter].path
    guard let target = book.publication.resolve(href, relativeTo: path), let fragment = target.fragment,
      let index = book.publication.spineIndex(of: target.path)
    else { return nil }
    let source = index == chapter ? book.source(of: chapter) : book.source(of: index)
    guard let element = source.element(fragment: fragment) else { return nil }
    let place = source.document
    guard !place.isMetadata(element) else { return nil }
    let back = backLinks(to: link, in: document, chapter: chapter, from: place, path: target.path)
    let types = Self.types(of: link, in: document)
    let isReference = types.contains("noteref") || types.contains("doc-noteref")
    let isBack = types.contains("backlink") || types.contains("referrer") || types.contains("doc-backlink")
    guard !isBack else { return nil }
    let root = noteElement(around: element, in: place)
    let isNote = root.isSemantic
    let linksBack = back.contains { $0 >= root.node && $0 < place[root.node].subtreeEnd }
    let isNamed = Self.isNamedAsNote(fragment) || Self.isNamedAsNote(place.attributeValue(.class, of: root.node) ?? "")
    let looksLikeMark = isMark(link, in: document)
    // The way back from a note looks like a mark too, but leads to a mark: what it leads to is a link itself.
    let leadsToMark =
      !isNote && !isReference
      && (place.isElement(element, .a) || place[element].name == .sup || place[element].name == .span)
      && isMark(element, in: place) && isInNote(link, in: document)
    guard !leadsToMark, isReference || isNote || looksLikeMark && (linksBack || isNamed) else { return nil }
    return FoundNote(
      chapter: index, source: source, content: .elements(extent(of: root.node, in: place), backLinks: Set(back)))
  }

  static func types(of node: NodeID, in document: Document) -> [Substring] {
    let text =
      (document.attributeValue(.epubType, of: node) ?? "") + " " + (document.attributeValue(.role, of: node) ?? "")
    return text.split(whereSeparator: \.isWhitespace)
  }

  private static let noteTypes: Set<String> = [
    "footnote", "endnote", "rearnote", "note", "doc-footnote", "doc-endnote", "annotation",
  ]

  /// The block that a target stands in or begins, and whether it says that it is a note.
  private func noteElement(around target: NodeID, in document: Document) -> (node: NodeID, isSemantic: Bool) {
    var node = target
    var block: NodeID?
    while !node.isNone, document[node].kind == .element, node != document.root {
      if Self.types(of: node, in: document).contains(where: { Self.noteTypes.contains(String($0)) }) {
        return (node, true)
      }
      let name = document[node].name
      if block == nil,
        [.li, .p, .div, .aside, .dt, .dd, .tr, .section].contains(name)
      {
        block = node
      }
      if name == .body { break }
      node = document[node].parent
    }
    return (block ?? target, false)
  }

  /// All of a note: its element, with the paragraphs that follow in the same list item or before the next note's number.
  private func extent(of root: NodeID, in document: Document) -> [NodeID] {
    // A term leads to its description.
    if document[root].name == .dt {
      var next = document[root].nextSibling
      while !next.isNone, document[next].kind != .element { next = document[next].nextSibling }
      if !next.isNone, document[next].name == .dd { return [next] }
    }
    return [root]
  }

  /// Links in a document that lead to a mark or something right around it.
  private func backLinks(
    to mark: NodeID, in document: Document, chapter: Int, from place: Document, path: String
  ) -> [NodeID] {
    var ids: Set<String> = []
    var node = mark
    for _ in 0..<3 where !node.isNone && document[node].kind == .element {
      ids.formUnion(document.fragments(of: node))
      node = document[node].parent
    }
    for child in mark.index..<document[mark].subtreeEnd.index {
      ids.formUnion(document.fragments(of: NodeID(child)))
    }
    // An anchor right before the mark.
    let previous = document[mark].previousSibling
    if !previous.isNone { ids.formUnion(document.fragments(of: previous)) }
    guard !ids.isEmpty else { return [] }
    return place.nodes.indices.map { NodeID($0) }.filter { node in
      guard place.isElement(node, .a), let href = place.attributeValue(.href, of: node),
        let target = book.publication.resolve(href, relativeTo: path), let fragment = target.fragment
      else { return false }
      return ids.contains(fragment) && book.publication.spineIndex(of: target.path) == chapter
    }
  }

  /// The link looks like the mark of a note: a picture, or a number or sign that is raised, bracketed or very short.
  private func isMark(_ node: NodeID, in document: Document) -> Bool {
    let text = document.textContent(of: node).filter { !$0.isWhitespace }
    if text.isEmpty {
      return (node.index..<document[node].subtreeEnd.index).contains { document.isElement(NodeID($0), .img) }
    }
    guard text.count <= 8 else { return false }
    let core = text.filter { !NoteBrackets.isBracket($0) }
    if core.allSatisfy({ $0.isNumber || "*†‡§¶#⁎※".contains($0) }) { return true }
    if core.hasPrefix("注") || core.hasPrefix("註") || core.hasPrefix("注释") || core.lowercased().hasPrefix("note") {
      return true
    }
    let isRaised =
      document[node].name == .sup || document[document[node].parent].name == .sup
      || (node.index..<document[node].subtreeEnd.index).contains { document[NodeID($0)].name == .sup }
    return core.count <= 3 && (isRaised || core != text)
  }

  /// The link stands in an element that is named as a note.
  private func isInNote(_ node: NodeID, in document: Document) -> Bool {
    var node = node
    while !node.isNone, document[node].kind == .element {
      if Self.types(of: node, in: document).contains(where: { Self.noteTypes.contains(String($0)) }) { return true }
      if Self.isNamedAsNote(document.attributeValue(.class, of: node) ?? "")
        || Self.isNamedAsNote(document.attributeValue(.id, of: node) ?? "")
      {
        return true
      }
      node = document[node].parent
    }
    return false
  }

  /// The class or id speaks of notes.
  static func isNamedAsNote(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["note", "zhushi", "zhu_", "annot", "fn"].contains { name.contains($0) } || name.contains("注")
  }
}

/// Sets a note by itself.
struct NoteSetter {
  let resources: BookResources
  let width: LayoutUnit

  func set(_ note: FoundNote) -> Note? {
    let place: NodeID
    let text: String
    let document: Document
    switch note.content {
    case .text(let string):
      text = string
      place = NodeID(0)
      document = Self.document(string, language: resources.publication.metadata.language)
    case .elements(let elements, let backLinks):
      guard let first = elements.first else { return nil }
      place = first
      document = Self.document(elements, without: backLinks, of: note.source.document)
      text = Self.text(of: document)
    }
    guard !text.isEmpty || document.nodes.contains(where: { $0.name == .img }) else { return nil }
    var settings = resources.settings
    settings.pageSize = Size(width: Swift.max(LayoutUnit(40), width), height: LayoutUnit(100_000))
    settings.marginTop = .zero
    settings.marginRight = .zero
    settings.marginBottom = .zero
    settings.marginLeft = .zero
    settings.pageDesign = []
    settings.userStyleSheet = (settings.userStyleSheet ?? "") + Self.style(of: note)
    let own = BookResources(resources, settings: settings)
    var pages = PagedChapter(StyledChapter(own, index: note.chapter, parsed: ParsedChapter(document)))
    guard let page = pages.nextPage() else { return nil }
    var list = settings.theme.recolored(pages.drawing.paint(page))
    list.size = Size(width: settings.pageSize.width, height: Self.height(of: page.layout))
    return Note(
      source: Locator(chapter: note.chapter, node: place, offset: 0), text: text, displayList: list, engine: own)
  }

  /// Declarations that set a note free of its place: margins around it, and what hides it there.
  private static func style(of note: FoundNote) -> String {
    var style = "\nhtml, body { margin: 0 !important; padding: 0 !important }"
    guard case .elements(let elements, _) = note.content, let root = elements.first else { return style }
    let document = note.source.document
    if let id = document.attributeValue(.id, of: root) {
      let name = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").filter { !$0.isNewline }
      style += "\n[id=\"\(name)\"] { display: block !important; margin: 0 !important }"
    }
    // The number of an item is known only in its list.
    if document[root].name == .li {
      style += "\nol, ul { list-style: none !important; margin: 0 !important; padding: 0 !important }"
    }
    return style
  }

  /// The depth of what stands on a page.
  private static func height(of page: PageLayout) -> LayoutUnit {
    var bottom = LayoutUnit(1)
    func visit(_ id: FragmentID, _ offset: LogicalOffset) {
      let fragment = page[id]
      if fragment.kind == .line || fragment.firstChild.isNone {
        bottom = Swift.max(bottom, page.physicalRect(offset, fragment.size).maxY)
      }
      var child = fragment.firstChild
      while !child.isNone {
        visit(child, offset + page[child].offset)
        child = page[child].nextSibling
      }
    }
    if !page.root.isNone { visit(page.root, page[page.root].offset) }
    return bottom.ceiling
  }

  private static func text(of document: Document) -> String {
    guard let body = document.nodes.indices.first(where: { document.isElement(NodeID($0), .body) }) else { return "" }
    return document.words(of: NodeID(body))
  }

  private static func document(_ text: String, language: String) -> Document {
    let source =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"\(XMLEscaping.escaped(language))\"><head><title/></head><body><p>\(XMLEscaping.escaped(text))</p></body></html>"
    return MarkupReader.read(Array(source.utf8), as: .xml).document
  }

  /// The chapter's document with nothing in its body but the note: what is around it stays, for the style sheets' sake.
  private static func document(_ elements: [NodeID], without removed: Set<NodeID>, of original: Document) -> Document {
    var source = original
    for link in removed.sorted() { NoteBrackets.remove(around: link, in: &source) }
    var kept = Set<NodeID>()
    for element in elements {
      var node = element
      while !node.isNone {
        kept.insert(node)
        node = source[node].parent
      }
    }
    return source.filtered { id in
      if removed.contains(id) { return false }
      if kept.contains(id) || elements.contains(where: { id > $0 && id < source[$0].subtreeEnd }) { return true }
      // The head, and nothing else outside the note.
      var node = id
      while !node.isNone {
        if source.isElement(node, .head) { return true }
        node = source[node].parent
      }
      return false
    }
  }
}

/// The brackets that marks of notes stand in.
enum NoteBrackets {
  private static let pairs: [(open: Character, close: Character)] = [
    ("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("（", "）"), ("［", "］"), ("〔", "〕"), ("【", "】"), ("〈", "〉"),
  ]

  static func isBracket(_ character: Character) -> Bool {
    pairs.contains { $0.open == character || $0.close == character }
  }

  /// Takes brackets right around an element out of the text: without the element there would be nothing in them.
  static func remove(around element: NodeID, in document: inout Document) {
    var element = element
    var node = document[element]
    // An element with nothing else in it goes for what it holds.
    while node.previousSibling.isNone, node.nextSibling.isNone, !node.parent.isNone, document[node.parent].name == .sup
    {
      element = node.parent
      node = document[element]
    }
    let (before, after) = (node.previousSibling, node.nextSibling)
    guard !before.isNone, !after.isNone, document[before].kind == .text, document[after].kind == .text else { return }
    let (head, tail) = (document.string(document[before].range), document.string(document[after].range))
    guard let open = head.lastIndex(where: { !$0.isWhitespace }),
      let close = tail.firstIndex(where: { !$0.isWhitespace }),
      pairs.contains(where: { $0.open == head[open] && $0.close == tail[close] })
    else { return }
    document.nodes[before.index].range = cut(document[before].range, end: head[open...].utf8.count)
    document.nodes[after.index].range = cut(document[after].range, start: tail[...close].utf8.count)
  }

  private static func cut(_ range: Range<UInt32>, start: Int = 0, end: Int = 0) -> Range<UInt32> {
    let lower = range.lowerBound + UInt32(start)
    return lower..<Swift.max(lower, range.upperBound - UInt32(end))
  }
}
