import Fonts
public import Primitives
package import Publications

/// A book that has been opened: what it says about itself and its reading order. No chapter is parsed yet.
///
/// EPUBs (packed or as folders), pages of HTML and plain texts are all books. All functions may be called from any thread.
public struct Book: Sendable {
  public enum Kind: String, Hashable, Sendable { case epub, html, text }

  public struct Contributor: Hashable, Sendable {
    public var name: String
    /// A MARC relator code such as `aut`.
    public var role: String?
  }

  public struct Metadata: Hashable, Sendable {
    public var title: String
    public var creators: [Contributor]
    public var contributors: [Contributor]
    /// BCP 47 tag; empty when unknown.
    public var language: String
    public var identifier: String
    public var date: String?
    public var publisher: String?
    public var rights: String?
    public var description: String?
    public var subjects: [String]
    /// The EPUB version; empty for other books.
    public var version: String
    public var isFixedLayout: Bool
    public var isRightToLeft: Bool
  }

  /// One document of the reading order.
  public struct Chapter: Hashable, Sendable {
    public var href: String
    public var mediaType: String
    public var title: String?
    /// Whether it belongs to the main reading order.
    public var isLinear: Bool
  }

  /// A line of the table of contents.
  public struct ContentsEntry: Hashable, Sendable {
    public var title: String
    /// Path in the container and fragment; nil for a heading without a place.
    public var href: String?
    /// Position of the chapter it leads to; nil when that is not in the reading order.
    public var chapter: Int?
    /// From 0.
    public var level: Int
    /// `epub:type` of a landmark, such as `bodymatter`.
    public var kind: String?
  }

  package let publication: Publication
  let sources = ChapterSources()
  /// The path the book was opened at.
  public let path: String

  /// Opens the book at a path: an EPUB file or folder, an HTML or XHTML page, or a plain text.
  public init(contentsOf path: String, limits: Limits = Limits()) throws(BookError) {
    let opened: Result<Publication, PublicationError> = Worker.run {
      do throws(PublicationError) { return .success(try Publication.open(path: path, limits: limits)) } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success(let publication): self.publication = publication
    case .failure(let error): throw BookError(error)
    }
    self.path = path
  }

  public var kind: Kind {
    switch publication.kind {
    case .epub: .epub
    case .html: .html
    case .text: .text
    }
  }

  public var metadata: Metadata {
    let source = publication.metadata
    return Metadata(
      title: source.title, creators: source.creators.map { Contributor(name: $0.name, role: $0.role) },
      contributors: source.contributors.map { Contributor(name: $0.name, role: $0.role) }, language: source.language,
      identifier: source.identifier, date: source.date, publisher: source.publisher, rights: source.rights,
      description: source.description, subjects: source.subjects, version: source.version,
      isFixedLayout: source.layout == .prePaginated, isRightToLeft: source.pageProgression == .rightToLeft)
  }

  public var chapters: [Chapter] {
    publication.spine.map { Chapter(href: $0.href, mediaType: $0.mediaType, title: $0.title, isLinear: $0.isLinear) }
  }

  public var tableOfContents: [ContentsEntry] { entries(publication.navigation.tableOfContents) }

  /// The fonts the book brings along, as paths in it.
  public var fontFiles: [String] {
    publication.manifest.items.filter {
      $0.mediaType.hasPrefix("font/") || $0.mediaType.contains("font") || $0.mediaType.contains("opentype")
        || [".ttf", ".otf", ".woff", ".woff2"].contains(where: $0.path.lowercased().hasSuffix)
    }.map(\.path)
  }

  public var coverPath: String? { publication.coverPath }

  /// What was wrong with the package and had to be recovered from.
  public var diagnostics: [Diagnostic] { publication.diagnostics.diagnostics }
}
