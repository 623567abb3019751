import Fonts
import Markup
import Platform
public import Primitives
package import Publications

/// A book that has been opened: what it says about itself and its reading order. No chapter is parsed yet.
///
/// EPUBs (packed or as folders), FictionBooks, Kindle books, pages of HTML, Markdown and plain texts are all books. All functions may
/// be called from any thread.
///
/// A process that is forked (`fork()`) uses books and typesetters of its parent, and new ones, as long as no function was at work when
/// it was. Otherwise opening a book throws ``BookError/Kind/unavailable`` at once, and a typesetter gives no pages. In a forked process
/// asynchronous functions block the caller's thread, since Swift's own threads are not there: call them from one that waits for nothing
/// else, or use `Book.init(contentsOf:limits:decryption:)` that is not asynchronous.
public struct Book: Sendable {
  /// Formats that a book is opened from.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// An EPUB publication, packed or as a folder.
    case epub
    /// One page of HTML or XHTML.
    case html
    /// Plain text.
    case text
    /// A FictionBook 2, also in an archive.
    case fictionBook = "fb2"
    /// A text of GitHub Flavored Markdown.
    case markdown
    /// A MOBI or AZW3 book without protection.
    case kindle = "mobi"
  }

  /// The extensions that files of these formats have, in lower case and without a dot. A file is opened by what is in it, whatever it is
  /// called; these are for who looks for books in a folder.
  public static let fileExtensions: Set<String> = [
    "epub", "fb2", "fb2.zip", "fbz", "mobi", "azw", "azw3", "prc", "md", "markdown", "html", "htm", "xhtml", "xht",
    "txt",
  ]

  /// Someone who made the book, and as what.
  public struct Contributor: Hashable, Sendable, Codable {
    /// As it is to be shown.
    public var name: String
    /// A MARC relator code such as `aut`.
    public var role: String?
    /// The base direction of the name; nil where the book says none, and its first letters decide.
    public var direction: Direction?

    init(_ creator: Publications.Metadata.Creator) {
      name = creator.name
      role = creator.role
      direction = creator.direction.map(Direction.init)
    }
  }

  /// Metadata of the package document (EPUB 3.3, section 5.5).
  public struct Metadata: Hashable, Sendable, Codable {
    /// Empty when the book has none.
    public var title: String
    /// The base direction of the title; nil where the book says none, and its first letters decide.
    public var titleDirection: Direction?
    /// Authors, in order.
    public var creators: [Contributor]
    /// Translators, illustrators, editors and others.
    public var contributors: [Contributor]
    /// BCP 47 tag; empty when unknown.
    public var language: String
    /// The unique identifier, such as an ISBN or UUID; empty when the package has none.
    public var identifier: String
    /// When it was published, as the book writes it.
    public var date: String?
    /// Its publisher.
    public var publisher: String?
    /// Its copyright.
    public var rights: String?
    /// A description by the publisher; may hold HTML.
    public var description: String?
    /// Subjects of the book, in key words.
    public var subjects: [String]
    /// The EPUB version; empty for other books.
    public var version: String
    /// The narrators of the recordings, in books with media overlays.
    public var narrators: [String]
    /// Seconds that the recordings take together; nil where there are none, or the book does not say.
    public var duration: Double?
    /// The class that a book with media overlays styles by while an element is read aloud; nil where it has none.
    public var activeClass: String?
    /// The class of the document's root while any of it is read aloud; nil where the book has none.
    public var playbackActiveClass: String?
    /// The book's rendition properties.
    public var rendition: Rendition
    /// Pages of the book are of fixed layout.
    public var isFixedLayout: Bool
    /// The page progression direction is from right to left.
    public var isRightToLeft: Bool
  }

  /// One document of the reading order.
  public struct Chapter: Hashable, Sendable, Codable {
    /// Path in the container.
    public var href: String
    /// Such as `application/xhtml+xml`.
    public var mediaType: String
    /// From the table of contents, or the document's own; nil when neither has one.
    public var title: String?
    /// The chapter belongs to the main reading order.
    public var isLinear: Bool
    /// Rendition properties: those of the book, but for what its place in the spine overrides.
    public var rendition: Rendition
  }

  /// A line of the table of contents.
  public struct ContentsEntry: Hashable, Sendable, Codable {
    /// As it is to be shown.
    public var title: String
    /// Path in the container and fragment; nil for a heading without a place.
    public var href: String?
    /// Position of the chapter it leads to; nil when that is not in the reading order.
    public var chapter: Int?
    /// From 0.
    public var level: Int
    /// `epub:type` of a landmark, such as `bodymatter`.
    public var kind: String?
    /// The element it leads to, where no fragment does.
    var element: NodeID?

    private enum CodingKeys: CodingKey { case title, href, chapter, level, kind }
  }

  package let publication: Publication
  let sources = ChapterSources()
  let extents = ChapterExtents()
  /// The path the book was opened at; the name of a book in memory.
  public let path: String

  /// Opens the book at a path: an EPUB file or folder, a FictionBook (also in an archive), a MOBI or AZW3 book, an HTML or XHTML
  /// page, a text of Markdown or a plain one. The package and the table of contents are read, no chapter is, on a thread of the
  /// library's own.
  ///
  /// - Parameters:
  ///   - path: Of the file or folder.
  ///   - limits: Bounds against hostile books.
  ///   - encoding: The encoding of a plain text, a text of Markdown, a page or a FictionBook, by any label of the Encoding Standard;
  ///     nil where it is to be found out. What is known by no such label is treated as nil; ``Encoding/names`` has all.
  ///   - chapterPatterns: What the lines match that begin chapters of a plain text, those of the outermost level first.
  ///     Without any, or where no line matches, chapters are found out.
  ///   - decryption: The decryption of the files that `META-INF/encryption.xml` of an EPUB names, for programs that have the keys of a
  ///     shop or a library. Without it a book whose chapters are encrypted is an error that names the protection.
  /// - Throws: ``BookError`` for what is missing, protected, damaged or no book.
  public init(
    contentsOf path: String, limits: Limits = Limits(), encoding: String? = nil,
    chapterPatterns: [ChapterPattern] = [], decryption: Decryption? = nil
  ) async throws(BookError) {
    try Self.checkProcess(path)
    let hints = Self.hints(encoding, chapterPatterns)
    try self.init(await Worker.perform { Self.open(path, limits, hints, decryption) }, path: path)
  }

  /// Opens the book at a path, and blocks the caller's thread meanwhile: for code that is not asynchronous.
  public init(
    contentsOf path: String, limits: Limits = Limits(), encoding: String? = nil,
    chapterPatterns: [ChapterPattern] = [], decryption: Decryption? = nil
  ) throws(BookError) {
    try Self.checkProcess(path)
    let hints = Self.hints(encoding, chapterPatterns)
    try self.init(Worker.run { Self.open(path, limits, hints, decryption) }, path: path)
  }

  /// Opens a book that is in memory, as of a file without any beside it, on a thread of the library's own.
  ///
  /// - Parameters:
  ///   - bytes: Of the file, whatever its format, as `Data` or an array; they are kept while the book is.
  ///   - name: The name of the file: it tells a Markdown text from a plain one, and is the title of what has none.
  ///   - limits: Bounds against hostile books.
  ///   - encoding: As for a file.
  ///   - chapterPatterns: As for a file.
  ///   - decryption: As for a file.
  /// - Throws: ``BookError`` for what is protected, damaged or no book.
  public init(
    _ bytes: some Sequence<UInt8>, name: String, limits: Limits = Limits(), encoding: String? = nil,
    chapterPatterns: [ChapterPattern] = [], decryption: Decryption? = nil
  ) async throws(BookError) {
    try Self.checkProcess(name)
    let (bytes, hints) = (Array(bytes), Self.hints(encoding, chapterPatterns))
    try self.init(await Worker.perform { Self.open(bytes, name, limits, hints, decryption) }, path: name)
  }

  /// Opens a book that is in memory, and blocks the caller's thread meanwhile.
  public init(
    _ bytes: some Sequence<UInt8>, name: String, limits: Limits = Limits(), encoding: String? = nil,
    chapterPatterns: [ChapterPattern] = [], decryption: Decryption? = nil
  ) throws(BookError) {
    try Self.checkProcess(name)
    let (bytes, hints) = (Array(bytes), Self.hints(encoding, chapterPatterns))
    try self.init(Worker.run { Self.open(bytes, name, limits, hints, decryption) }, path: name)
  }

  /// Opens an EPUB whose files the program reads itself, on a thread of the library's own.
  ///
  /// - Parameters:
  ///   - container: The files; it is kept while the book is, and what is read of it is not.
  ///   - name: The book's name, as ``path`` has it.
  ///   - limits: Bounds against hostile books.
  ///   - decryption: As for a file, where the container does not decrypt what it reads.
  /// - Throws: ``BookError`` for what is protected, damaged or no book.
  public init(
    _ container: any BookContainer, name: String, limits: Limits = Limits(), decryption: Decryption? = nil
  ) async throws(BookError) {
    try Self.checkProcess(name)
    try self.init(await Worker.perform { Self.open(container, limits, decryption) }, path: name)
  }

  /// Opens an EPUB whose files the program reads itself, and blocks the caller's thread meanwhile.
  public init(
    _ container: any BookContainer, name: String, limits: Limits = Limits(), decryption: Decryption? = nil
  ) throws(BookError) {
    try Self.checkProcess(name)
    try self.init(Worker.run { Self.open(container, limits, decryption) }, path: name)
  }

  /// Decrypts a file of a book: gets its path in the container, the algorithm's URL and the file's bytes, and returns the bytes
  /// before they were encrypted; nil where it has no key to them. It is called from any thread.
  public typealias Decryption = @Sendable (_ path: String, _ algorithm: String, _ bytes: [UInt8]) -> [UInt8]?

  private static func checkProcess(_ path: String) throws(BookError) {
    guard Worker.isOrphan else { return }
    throw BookError(
      .unavailable, part: path,
      "the process was forked while books were being set, and cannot set any; fork when none is, or before the first")
  }

  private init(_ opened: Result<Publication, PublicationError>, path: String) throws(BookError) {
    switch opened {
    case .success(let publication): self.publication = publication
    case .failure(let error): throw BookError(error)
    }
    self.path = path
  }

  private static func hints(_ encoding: String?, _ chapterPatterns: [ChapterPattern]) -> TextHints {
    TextHints(
      encoding: encoding.flatMap(EncodingLabels.name), chapterPatterns: chapterPatterns.map(\.expression))
  }

  private static func open(
    _ path: String, _ limits: Limits, _ hints: TextHints, _ decryption: Decryption?
  ) -> Result<Publication, PublicationError> {
    Result { () throws(PublicationError) in
      try Publication.openForReading(path: path, limits: limits, hints: hints, decryption: decryption)
    }
  }

  private static func open(
    _ bytes: [UInt8], _ name: String, _ limits: Limits, _ hints: TextHints, _ decryption: Decryption?
  ) -> Result<Publication, PublicationError> {
    Result { () throws(PublicationError) in
      try Publication.openForReading(bytes: bytes, name: name, limits: limits, hints: hints, decryption: decryption)
    }
  }

  private static func open(
    _ container: any BookContainer, _ limits: Limits, _ decryption: Decryption?
  ) -> Result<Publication, PublicationError> {
    Result { () throws(PublicationError) in
      try Publication.openForReading(
        container: HostedContainer(container.paths, size: container.size, read: container.read), limits: limits,
        decryption: decryption)
    }
  }

  /// The encoding of a text, and how it was found.
  public struct Encoding: Hashable, Sendable {
    /// As the Encoding Standard has it, or IANA.
    public var name: String
    /// Nothing says it: it is what the text reads like.
    public var isGuessed: Bool
    /// Names of all encodings that are known.
    public static var names: [String] { EncodingLabels.names }
    /// The name of the encoding that a label stands for; nil where nothing is known by it.
    public static func name(for label: String) -> String? { EncodingLabels.name(for: label) }
  }

  /// The encoding that the file was read in, where it is a text, a page or a FictionBook.
  public var encoding: Encoding? {
    publication.encoding.map { Encoding(name: $0.name, isGuessed: $0.guess != .none) }
  }

  /// The format that the book was opened from.
  public var kind: Kind {
    switch publication.kind {
    case .epub: .epub
    case .html: .html
    case .text: .text
    case .fictionBook: .fictionBook
    case .markdown: .markdown
    case .kindle: .kindle
    }
  }

  /// Metadata of the package document.
  public var metadata: Metadata {
    let source = publication.metadata
    return Metadata(
      title: source.title, titleDirection: source.titleDirection.map(Direction.init),
      creators: source.creators.map(Contributor.init), contributors: source.contributors.map(Contributor.init),
      language: source.language,
      identifier: source.identifier, date: source.date, publisher: source.publisher, rights: source.rights,
      description: source.description, subjects: source.subjects, version: source.version,
      narrators: source.narrators, duration: source.duration.flatMap(ClockValue.seconds),
      activeClass: source.activeClass, playbackActiveClass: source.playbackActiveClass, rendition: Rendition(source),
      isFixedLayout: source.layout == .prePaginated, isRightToLeft: source.pageProgression == .rightToLeft)
  }

  /// The reading order.
  public var chapters: [Chapter] {
    publication.spine.map {
      Chapter(
        href: $0.href, mediaType: $0.mediaType, title: $0.title, isLinear: $0.isLinear,
        rendition: Rendition($0, in: publication))
    }
  }

  /// The table of contents, flattened: `level` says how deep an entry lies. That of a page of HTML is its headings.
  public var tableOfContents: [ContentsEntry] {
    publication.kind == .html ? headings : entries(publication.navigation.tableOfContents)
  }

  /// The fonts the book brings along, as paths in it.
  public var fontFiles: [String] {
    publication.manifest.items.filter {
      $0.mediaType.hasPrefix("font/") || $0.mediaType.contains("font") || $0.mediaType.contains("opentype")
        || [".ttf", ".otf", ".woff", ".woff2"].contains(where: $0.path.lowercased().hasSuffix)
    }.map(\.path)
  }

  /// The path of the cover image; nil when the book has none.
  public var coverPath: String? { publication.coverPath }

  /// Faults of the package that had to be recovered from.
  public var diagnostics: [Diagnostic] { publication.diagnostics.diagnostics }

  /// `diagnostics`, equal ones once, with how often each was found.
  package var countedDiagnostics: [(diagnostic: Diagnostic, count: Int)] { publication.diagnostics.counted }
}
