package import Markup
package import Primitives

/// An opened book: what it says about itself, its reading order, and the way to its parts.
///
/// EPUBs (packed or as folders), FictionBooks, Kindle books, single pages of HTML, Markdown and plain texts all come out as this. Opening reads the package and
/// the navigation; chapters are parsed when asked for. All functions may be called from any thread.
package final class Publication: Sendable {
  package enum Kind: Hashable, Sendable {
    case epub, html, text, fictionBook, markdown, kindle

    /// The format has no styles of its own.
    package var isPlain: Bool { self == .text || self == .fictionBook || self == .markdown }
  }

  package let kind: Kind
  package let metadata: Metadata
  package let manifest: Manifest
  package let spine: [SpineItem]
  package let navigation: Navigation
  /// Path of the cover image.
  package let coverPath: String?
  /// Faults met while opening.
  package let diagnostics: DiagnosticSink
  /// The encoding of the file, where the book is one of text.
  package let encoding: TextEncoding?
  package let limits: Limits
  private let container: any Container
  private let encryption: Encryption
  private let decryption: Decryption?
  private let text: PlainTextBook?
  /// The page of a single HTML file, parsed while opening for its title.
  private let page: (document: Document, diagnostics: DiagnosticSink)?
  private let spineIndices: [String: Int]
  private let foldedIndices: [String: Int]

  package var tableOfContents: [NavigationEntry] { navigation.tableOfContents }

  init(
    package: PackageDocument, kind: Kind = .epub, container: any Container, decryption: Decryption? = nil,
    limits: Limits,
    diagnostics: DiagnosticSink
  ) {
    self.kind = kind
    metadata = package.metadata
    manifest = package.manifest
    spine = package.spine
    navigation = package.navigation
    coverPath = package.coverPath
    encryption = package.encryption
    self.decryption = decryption
    self.container = container
    self.limits = limits
    self.diagnostics = diagnostics
    encoding = nil
    text = nil
    page = nil
    (spineIndices, foldedIndices) = Self.indices(of: spine)
  }

  /// The same book whose pages follow each other in a way that it does not say itself.
  package init(_ other: Publication, pageProgression: Metadata.PageProgression) {
    kind = other.kind
    var metadata = other.metadata
    metadata.pageProgression = pageProgression
    self.metadata = metadata
    manifest = other.manifest
    spine = other.spine
    navigation = other.navigation
    coverPath = other.coverPath
    diagnostics = other.diagnostics
    self.encoding = other.encoding
    limits = other.limits
    container = other.container
    encryption = other.encryption
    decryption = other.decryption
    text = other.text
    page = other.page
    spineIndices = other.spineIndices
    foldedIndices = other.foldedIndices
  }

  /// The language that a document says of itself: the root element's, or else that of the outermost element around more than half of its
  /// nodes that has one.
  private static func language(of document: Document) -> String {
    let half = document.nodes.count / 2
    var element = document.root
    while !element.isNone {
      if let own = document.attributeValue(.lang, of: element) ?? document.attributeValue(.xmlLang, of: element) {
        return own
      }
      element =
        document.children(of: element).first {
          document[$0].kind == .element && document[$0].subtreeEnd.index - $0.index > half
        } ?? .none
    }
    return ""
  }

  /// A single page whose resources lie beside it.
  init(page: (document: Document, diagnostics: DiagnosticSink), name: String, container: any Container, limits: Limits)
  {
    kind = .html
    var metadata = Metadata()
    let document = page.document
    if let title = document.firstDescendant(of: Document.documentNode, named: "title") {
      metadata.title = String(document.collapsedText(of: title).prefix(300))
    }
    let root = document.root
    metadata.language = Self.language(of: document)
    metadata.decideProgression(direction: root.isNone ? nil : document.attributeValue(.dir, of: root))
    self.metadata = metadata
    let type = document.isXML ? "application/xhtml+xml" : "text/html"
    var manifest = Manifest()
    manifest.append(.init(id: "page", path: name, mediaType: type, properties: [], fallback: nil, mediaOverlay: nil))
    self.manifest = manifest
    spine = [SpineItem(path: name, mediaType: type, title: metadata.title.isEmpty ? nil : metadata.title, id: "page")]
    navigation = Navigation()
    coverPath = nil
    encryption = Encryption()
    decryption = nil
    self.container = container
    self.limits = limits
    diagnostics = DiagnosticSink()
    encoding = document.encoding
    text = nil
    self.page = page
    (spineIndices, foldedIndices) = Self.indices(of: spine)
  }

  /// A book of another format.
  ///
  /// - Parameter others: The files that stand beside it, where it may name them.
  init(converted book: ConvertedBook, kind: Kind, beside others: (any Container)? = nil, limits: Limits) {
    self.kind = kind
    metadata = book.metadata
    manifest = book.manifest
    spine = book.spine
    navigation = book.navigation
    coverPath = book.coverPath
    encryption = Encryption()
    decryption = nil
    container = MemoryContainer(book.files, before: others)
    self.limits = limits
    diagnostics = book.diagnostics
    encoding = book.encoding
    text = nil
    page = nil
    (spineIndices, foldedIndices) = Self.indices(of: spine)
  }

  /// A plain text, one spine item a chapter.
  init(text: PlainTextBook, name: String, limits: Limits, warning: String? = nil) {
    kind = .text
    var metadata = Metadata()
    metadata.title = text.title
    metadata.language = text.language
    metadata.decideProgression()
    if let author = text.author { metadata.creators = [.init(name: author, role: "aut", fileAs: nil)] }
    self.metadata = metadata
    manifest = Manifest()
    spine = text.chapters.indices.map { index in
      SpineItem(
        path: "\(name)/\(index + 1)", mediaType: "text/plain", title: text.chapters[index].title,
        id: "chapter-\(index + 1)")
    }
    var navigation = Navigation()
    for chapter in text.chapters.indices {
      for heading in text.chapters[chapter].headings {
        navigation.tableOfContents.append(
          NavigationEntry(
            title: heading.title, target: ResourcePath(path: "\(name)/\(chapter + 1)", fragment: heading.id),
            level: heading.level))
      }
    }
    self.navigation = navigation
    coverPath = nil
    encryption = Encryption()
    decryption = nil
    container = EmptyContainer()
    self.limits = limits
    var sink = DiagnosticSink()
    if let warning { sink.warn("missing-library", resource: name, warning) }
    sink.append(contentsOf: text.diagnostics)
    diagnostics = sink
    encoding = text.encoding
    self.text = text
    page = nil
    (spineIndices, foldedIndices) = Self.indices(of: spine)
  }

  private static func indices(of spine: [SpineItem]) -> ([String: Int], [String: Int]) {
    var indices = Dictionary(spine.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, item) in spine.enumerated() {
      for path in item.otherPaths where indices[path] == nil { indices[path] = index }
    }
    let folded = Dictionary(indices.map { (EntryIndex.fold($0), $1) }, uniquingKeysWith: { min($0, $1) })
    return (indices, folded)
  }

  // MARK: Documents

  /// The document of a spine item and what was wrong with it. Never fails: what cannot be read is a page that says so.
  package func document(at index: Int) -> (document: Document, diagnostics: DiagnosticSink) {
    var sink = DiagnosticSink()
    if let text {
      return (text.document(at: index), sink)
    }
    if let page { return page }
    guard spine.indices.contains(index) else { return (NoticePage.document("There is no such chapter."), sink) }
    let item = spine[index]
    if item.mediaType.hasPrefix("image/"), item.mediaType != MediaType.svg {
      return (NoticePage.image(path: item.path, title: item.title), sink)
    }
    let entry: ContainerEntry
    do {
      entry = try read(item.path, limit: limits.bytesPerText)
    } catch {
      let code = if case .tooLarge = error { "limit-entry-size" } else { "unreadable-chapter" }
      sink.append(Diagnostic(.error, code: code, resource: item.path, message: error.reason))
      return (NoticePage.document("This chapter cannot be read: \(error.reason) (\(item.path))."), sink)
    }
    if let damage = entry.damage {
      sink.warn("damaged-entry", resource: item.path, "the file is damaged (\(damage)); what can be read is kept")
    }
    guard !entry.bytes.isEmpty else {
      sink.warn("empty-chapter", resource: item.path, "the chapter is empty")
      return (NoticePage.document(nil), sink)
    }
    let isHTML = kind == .markdown
    let (document, faults) = MarkupReader.read(
      entry.bytes, as: isHTML ? .html : .xml, resource: item.path, limits: limits)
    // The output of libmobi was never well-formed, and is none of its author's.
    if kind == .kindle {
      for fault in faults.diagnostics where fault.code != "markup-not-well-formed" { sink.append(fault) }
    } else {
      sink.append(contentsOf: faults)
    }
    return (document, sink)
  }

  /// Chapters are no files: the book is a plain text, or one page.
  var isOneDocument: Bool { text != nil || page != nil }

  /// The file of a chapter as it lies in the book.
  func chapterBytes(at index: Int) throws(ContainerError) -> [UInt8] {
    try read(spine[index].path, limit: limits.bytesPerText).bytes
  }

  /// The document of a spine item without what stands in its body; nil where it is not plain where the body begins, or there is
  /// none.
  package func documentWithoutContent(at index: Int) -> Document? {
    guard text == nil, page == nil, spine.indices.contains(index), spine[index].mediaType == "application/xhtml+xml",
      let entry = try? read(spine[index].path, limit: limits.bytesPerText), entry.damage == nil,
      let end = Self.endOfBodyTag(in: entry.bytes)
    else { return nil }
    let (document, faults) = MarkupReader.read(
      entry.bytes[..<end] + Array("</body></html>".utf8), as: .xml, resource: spine[index].path, limits: limits)
    return faults.diagnostics.isEmpty && document.nodes.indices.contains { document.isElement(NodeID($0), .body) }
      ? document : nil
  }

  /// Behind the first start tag of a body, in an encoding that is ASCII's for ASCII.
  private static func endOfBodyTag(in bytes: [UInt8]) -> Int? {
    let name = Array("<body".utf8)
    var at = 0
    while let start = bytes[at...].firstIndex(of: name[0]) {
      at = start + 1
      guard bytes[start...].starts(with: name), start + name.count < bytes.count,
        bytes[start + name.count] <= 0x20 || bytes[start + name.count] == 0x3E
      else { continue }
      if let end = StartTag.end(in: bytes, from: start) { return bytes[end - 2] == 0x2F ? nil : end }
    }
    return nil
  }

  // MARK: Resources

  /// The book has a file of this path.
  package func contains(_ path: String) -> Bool { container.contains(path) }

  /// By path in the folder of a page or of a text of Markdown: the files that were asked for so far; nil for one that
  /// is missing.
  package var filesBeside: [String: String?] { kind == .html || kind == .markdown ? container.asked : [:] }

  /// Bytes of a chapter as it lies in the book; nothing is read.
  package func size(of index: Int) -> ContainerEntrySize {
    if let text {
      let size = text.size(of: index)
      return ContainerEntrySize(unpacked: size, packed: size)
    }
    return container.size(of: spine[index].path) ?? ContainerEntrySize(unpacked: 0, packed: 0)
  }

  /// Of all files of the book, as far as that is known without reading them: those of a plain text itself, checksums of an
  /// archive, sizes and times of change in a folder. A folder that a single page stands in may hold far more than the page needs:
  /// some thousand files of it are looked at.
  package var contentDigest: UInt64 {
    var hasher = StableHasher()
    if let text { text.combineContents(into: &hasher) }
    // Decides what the bytes stand for, and may be the reader's.
    if let page { hasher.combine(page.document.encoding.name) }
    container.combineContents(into: &hasher, limit: kind == .html || kind == .markdown ? 4000 : 100_000)
    return hasher.value
  }

  /// The bytes of a file as the container has it, or decrypted by whoever has the key.
  private func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    let entry = try container.read(path, limit: limit)
    guard let file = encryption.encrypted[path] else { return entry }
    guard let plain = decryption?(path, file.algorithm, entry.bytes) else {
      throw .unreadable("the file is encrypted, and there is no key to it")
    }
    guard let size = file.packedFrom else { return ContainerEntry(bytes: plain, damage: entry.damage) }
    guard size <= limit else { throw .tooLarge(limit) }
    guard size >= 0, let unpacked = Deflate.unpacked(plain, count: size) else {
      throw .unreadable("the file is not what it was before it was encrypted")
    }
    return ContainerEntry(bytes: unpacked, damage: entry.damage)
  }

  /// The bytes of a file of the book, scrambled fonts restored.
  package func resource(at path: String) throws(PublicationError) -> [UInt8] {
    if encryption.encrypted[path] != nil, decryption == nil {
      throw PublicationError(.protected(.unknown), part: path, "the file is encrypted")
    }
    let entry: ContainerEntry
    do {
      entry = try read(path, limit: limits.bytesPerEntry)
    } catch {
      switch error {
      case .encrypted: throw PublicationError(.protected(.password), part: path, error.reason)
      case .tooLarge: throw PublicationError(.limit, part: path, error.reason)
      case .missing: throw PublicationError(.noSuchInput, part: path, error.reason)
      case .unreadable: throw PublicationError(.notABook, part: path, error.reason)
      }
    }
    guard let kind = encryption.obfuscated[path] else { return entry.bytes }
    let identifiers = [metadata.identifier] + metadata.identifiers.filter { $0 != metadata.identifier }
    return kind.restore(entry.bytes, identifiers: identifiers)
  }

  /// The place a URL in a file of the book means; nil when it is outside the book.
  package func resolve(_ href: String, relativeTo base: String) -> ResourcePath? {
    ResourcePath.resolve(href, relativeTo: base)
  }

  /// The position in the spine of a path, nil for files that are not in it. Of several the first. It is found also where it is spelt
  /// otherwise, as files are.
  package func spineIndex(of path: String) -> Int? { spineIndices[path] ?? foldedIndices[EntryIndex.fold(path)] }
}

/// The container of a book that is all text.
private struct EmptyContainer: Container {
  var paths: [String] { [] }
  func contains(_ path: String) -> Bool { false }
  func size(of path: String) -> ContainerEntrySize? { nil }
  func combineContents(into hasher: inout StableHasher, limit: Int) {}
  func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry { throw .missing }
}
