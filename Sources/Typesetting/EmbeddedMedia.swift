import Markup
import Platform
public import Primitives
import Publications

/// Embedded content that a page cannot show: sound, film, or another document. A reading app may play or show it in its
/// place, where the page has what the book gives for it otherwise (its fallback content, or the poster of a film).
///
/// `ChapterLayout.page(containing:)` tells the page of its `range`, and `selectionRectangles(_:on:)` where that stands.
public struct EmbeddedMedia: Hashable, Sendable {
  /// Kinds of embedded content.
  public enum Kind: String, Hashable, Sendable {
    /// An `<audio>` element.
    case audio
    /// A `<video>` element.
    case video
    /// An `<iframe>` element.
    case frame = "iframe"
  }
  /// A file of it.
  public struct Source: Hashable, Sendable {
    /// The path in the book, with a fragment where it has one (`Book.resource(at:)`); a URL for what lies elsewhere.
    public var href: String
    /// As the element says, or else the manifest; empty when unknown.
    public var mediaType: String
    /// The file is in the book.
    public var isInBook: Bool
  }
  /// The kind of content.
  public var kind: Kind
  /// The element.
  public var range: Range<Locator>
  /// Its files, of which the first that can be played counts.
  public var sources: [Source]
  /// The path of the picture that stands for a film; nil where there is none.
  public var poster: String?
  /// The accessible name: its `title` or `aria-label`; nil where it has neither.
  public var title: String?
  /// The `controls` attribute: the book wants buttons to be shown.
  public var showsControls: Bool
  /// The `autoplay` attribute: it is to begin when its page is shown.
  public var startsAtOnce: Bool
  /// The `loop` attribute: it begins again when it ends.
  public var isLooped: Bool
  /// The width and height that the element asks for in CSS px; nil where it asks for none.
  public var size: Size?
}

extension Book {
  /// Embedded media of a chapter, in order; empty where there is none, and for a chapter that the book does not have.
  public func embeddedMedia(of chapter: Int) async -> [EmbeddedMedia] {
    guard publication.spine.indices.contains(chapter) else { return [] }
    return await Worker.perform {
      let document = source(of: chapter).document
      return document.nodes.indices.compactMap { media(NodeID($0), in: document, chapter: chapter) }
    }
  }

  private func media(_ node: NodeID, in document: Document, chapter: Int) -> EmbeddedMedia? {
    guard document[node].kind == .element, document[node].namespace == .html else { return nil }
    let kind: EmbeddedMedia.Kind
    switch document[node].name {
    case .audio: kind = .audio
    case .video: kind = .video
    case .iframe: kind = .frame
    default: return nil
    }
    let path = publication.spine[chapter].path
    func value(_ name: String, of node: NodeID) -> String? {
      document.names.lookup(name).flatMap { document.attributeValue($0, of: node) }
    }
    func source(_ href: String, type: String?) -> EmbeddedMedia.Source {
      let target = publication.resolve(href, relativeTo: path)
      let known = target.flatMap { publication.manifest.item(path: $0.path)?.mediaType }
      return EmbeddedMedia.Source(
        href: target?.description ?? href, mediaType: type ?? known ?? "",
        isInBook: target.map { publication.contains($0.path) } ?? false)
    }
    var sources: [EmbeddedMedia.Source] = []
    if let href = document.attributeValue(.src, of: node), !href.isEmpty { sources.append(source(href, type: nil)) }
    for index in node.index..<document[node].subtreeEnd.index where document.isElement(NodeID(index), .source) {
      guard let href = document.attributeValue(.src, of: NodeID(index)) else { continue }
      sources.append(source(href, type: value("type", of: NodeID(index))))
    }
    var size: Size?
    if let width = document.integer(.width, of: node), let height = document.integer(.height, of: node) {
      size = Size(width: LayoutUnit(Double(width)), height: LayoutUnit(Double(height)))
    }
    let end = Locator(chapter: chapter, node: document[node].subtreeEnd, offset: 0)
    return EmbeddedMedia(
      kind: kind, range: Locator(chapter: chapter, node: node, offset: 0)..<end, sources: sources,
      poster: value("poster", of: node).flatMap { publication.resolve($0, relativeTo: path)?.path },
      title: document.attributeValue(.title, of: node) ?? value("aria-label", of: node),
      showsControls: value("controls", of: node) != nil, startsAtOnce: value("autoplay", of: node) != nil,
      isLooped: value("loop", of: node) != nil, size: size)
  }
}
