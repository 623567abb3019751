package import Markup
import Platform
package import Primitives

extension Publication {
  /// Opens a book: an EPUB, packed or unpacked, a FictionBook, a Kindle book, a page of HTML or XHTML, a text of Markdown or a
  /// plain one. The kind is taken from the content first and the name second.
  ///
  /// - Parameters:
  ///   - hints: What the reader knows of a plain text, a text of Markdown, a page or a FictionBook.
  ///   - decryption: The keys of encrypted files; without it a book whose chapters are encrypted is an error.
  package static func open(
    path: String, limits: Limits = Limits(), hints: TextHints = TextHints(), decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    switch SystemFile.kind(of: path) {
    case nil: throw PublicationError(.noSuchInput, "there is no such file")
    case .other: throw PublicationError(.notABook, "it is neither a file nor a folder")
    case .folder:
      guard let container = DirectoryContainer(folder: path) else {
        throw PublicationError(.noSuchInput, "the folder cannot be read")
      }
      return try openPackage(container, limits: limits, decryption)
    case .file:
      return try openFile(.atPath(path), limits: limits, hints, decryption)
    }
  }

  /// Opens a book of which there are bytes and a name, as of a file without any beside it.
  package static func open(
    bytes: [UInt8], name: String, limits: Limits = Limits(), hints: TextHints = TextHints(),
    decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    try openFile(.inMemory(bytes, name: name), limits: limits, hints, decryption)
  }

  /// Opens an EPUB whose files lie in a container of the program's.
  package static func open(
    container: any Container, limits: Limits = Limits(), decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    try openPackage(container, limits: limits, decryption)
  }

  private static func openPackage(
    _ container: any Container, limits: Limits, _ decryption: Decryption?
  ) throws(PublicationError) -> Publication {
    var diagnostics = DiagnosticSink()
    let package = try PackageDocument(
      container: container, decrypts: decryption != nil, limits: limits, diagnostics: &diagnostics)
    return Publication(
      package: package, container: container, decryption: decryption, limits: limits, diagnostics: diagnostics)
  }

  private static func openFile(
    _ file: BookFile, limits: Limits, _ hints: TextHints, _ decryption: Decryption?
  ) throws(PublicationError) -> Publication {
    let name = file.name
    let start = try file.beginning(count: 1024)
    if start.isEmpty { throw PublicationError(.notABook, "the file is empty") }
    let content = ContentKind(start, name: name)
    switch content {
    case .zip: return try openArchive(file, limits: limits, hints, decryption)
    case .other(let what): throw PublicationError(.notABook, "it is \(what), not a book")
    case .protected:
      throw PublicationError(
        .protected(.amazon), "the book is protected by Amazon's digital rights management and cannot be read")
    case .markup, .text, .fictionBook, .kindle, .markdown: break
    }
    let isText = content != .fictionBook && content != .kindle
    let bytes: [UInt8]
    do {
      bytes = try file.read(limit: isText ? limits.bytesPerText : limits.bytesPerEntry)
    } catch {
      throw PublicationError(error.isLimit ? .limit : .noSuchInput, error.reason)
    }
    switch content {
    case .fictionBook: return try openFictionBook(bytes, name: name, hints, limits: limits)
    case .kindle: return try openKindleBook(bytes, limits: limits)
    case .markdown where MarkdownReader.isAvailable:
      guard let book = try MarkdownReader.read(bytes, name: name, encoding: hints.encoding, limits: limits) else {
        throw PublicationError(.notABook, "it is no text in any known encoding")
      }
      return Publication(
        converted: book, kind: .markdown, beside: file.folder, limits: limits)
    default: break
    }
    if content == .markup {
      guard let container = file.folder else {
        throw PublicationError(.noSuchInput, "its folder cannot be read")
      }
      let page = MarkupReader.read(
        bytes, as: ContentKind.isXML(start, name: name) ? .xml : .html, resource: name, encoding: hints.encoding,
        limits: limits)
      return Publication(page: page, name: name, container: container, limits: limits)
    }
    guard let text = PlainTextReader.read(bytes, name: name, hints: hints, limits: limits) else {
      // An archive may begin with bytes that are none of it.
      if let container = ScannedZipContainer(bytes: bytes) {
        return try openPackage(container, limits: limits, decryption)
      }
      throw PublicationError(.notABook, "it is neither an archive nor text in any known encoding")
    }
    // Markdown that cannot be read as such can be read as it is.
    let missing =
      content == .markdown
      ? "cmark-gfm is not installed: the Markdown is set as plain text\(OptionalLibrary.cmark.advice)" : nil
    return Publication(text: text, name: name, limits: limits, warning: missing)
  }

  private static func openFictionBook(
    _ bytes: [UInt8], name: String, _ hints: TextHints, limits: Limits
  ) throws(PublicationError) -> Publication {
    guard let book = FictionBookReader.read(bytes, name: name, encoding: hints.encoding, limits: limits) else {
      throw PublicationError(.notABook, "the FictionBook has no text")
    }
    return Publication(converted: book, kind: .fictionBook, limits: limits)
  }

  private static func openKindleBook(_ bytes: [UInt8], limits: Limits) throws(PublicationError) -> Publication {
    let container = MemoryContainer(try KindleReader.files(of: bytes, limits: limits))
    var diagnostics = DiagnosticSink()
    let package = try PackageDocument(container: container, limits: limits, diagnostics: &diagnostics)
    return Publication(package: package, kind: .kindle, container: container, limits: limits, diagnostics: diagnostics)
  }

  private static func openArchive(
    _ file: BookFile, limits: Limits, _ hints: TextHints, _ decryption: Decryption?
  ) throws(PublicationError) -> Publication {
    let container: ZipContainer
    do {
      container = try file.archive()
    } catch {
      // Cut off, or with bytes before its beginning: the entries are looked for one by one.
      let bytes = try? file.read(limit: 1 << 30)
      guard let bytes, let scanned = ScannedZipContainer(bytes: bytes) else {
        throw PublicationError(.notABook, "the archive cannot be read: \(error.reason)")
      }
      return try openPackage(scanned, limits: limits, decryption)
    }
    if let size = file.size, container.packedBytes > size {
      throw PublicationError(.limit, "its entries share the same data, so that it unpacks without measure")
    }
    if container.paths.isEmpty { throw PublicationError(.notABook, "the archive is empty") }
    do {
      return try openPackage(container, limits: limits, decryption)
    } catch {
      // An archive that holds nothing but the book's archive, or a FictionBook, which is usual.
      let books = container.paths.filter { [".epub", ".fb2"].contains(where: $0.lowercased().hasSuffix) }
      guard error.kind == .notABook, books.count == 1,
        let entry = try? container.read(books[0], limit: limits.bytesPerEntry)
      else { throw error }
      if books[0].lowercased().hasSuffix(".fb2") {
        return try openFictionBook(entry.bytes, name: books[0], hints, limits: limits)
      }
      guard let inner = try? ZipContainer(bytes: entry.bytes) else { throw error }
      return try openPackage(inner, limits: limits, decryption)
    }
  }
}

/// The file that a book is opened from.
private enum BookFile {
  case atPath(String)
  case inMemory([UInt8], name: String)

  var name: String {
    switch self {
    case .atPath(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .inMemory(_, let name): name.split(separator: "/").last.map(String.init) ?? "book"
    }
  }

  var size: Int? {
    switch self {
    case .atPath(let path): SystemFile.size(of: path)
    case .inMemory(let bytes, _): bytes.count
    }
  }

  /// The files beside it; nil where they cannot be read.
  var folder: (any Container)? {
    switch self {
    case .atPath(let path): DirectoryContainer(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    case .inMemory: MemoryContainer([])
    }
  }

  func beginning(count: Int) throws(PublicationError) -> [UInt8] {
    guard case .atPath(let path) = self else {
      guard case .inMemory(let bytes, _) = self else { return [] }
      return Array(bytes.prefix(count))
    }
    do throws(SystemFile.Failure) {
      return try SystemFile.start(of: path, count: count)
    } catch {
      throw PublicationError(.noSuchInput, error.reason)
    }
  }

  func read(limit: Int) throws(ContainerError) -> [UInt8] {
    switch self {
    case .atPath(let path): return try FileAccess.read(path, limit: limit)
    case .inMemory(let bytes, _):
      guard bytes.count <= limit else { throw .tooLarge(limit) }
      return bytes
    }
  }

  func archive() throws(ContainerError) -> ZipContainer {
    switch self {
    case .atPath(let path): try ZipContainer(file: path)
    case .inMemory(let bytes, _): try ZipContainer(bytes: bytes)
    }
  }
}

extension ContainerError {
  var isLimit: Bool { if case .tooLarge = self { true } else { false } }
}

/// The format of a file by its first bytes.
enum ContentKind: Equatable {
  case zip, markup, text, fictionBook, kindle, markdown
  /// A book that nobody but Amazon's own reader can open.
  case protected
  /// Something that is no book, with its name.
  case other(String)

  init(_ start: [UInt8], name: String) {
    let lowerName = name.lowercased()
    if start.starts(with: [0x50, 0x4B, 3, 4]) || start.starts(with: [0x50, 0x4B, 5, 6])
      || start.starts(with: [0x50, 0x4B, 7, 8])
    {
      self = .zip
      return
    }
    for (magic, what) in Self.others where start.starts(with: magic) {
      self = .other(what)
      return
    }
    if start.count >= 68, ["BOOKMOBI", "TEXtREAd"].contains(where: { start[60..<68].elementsEqual($0.utf8) }) {
      self = .kindle
      return
    }
    if start.starts(with: [0xEA] + Array("DRMION".utf8) + [0xEE]) {
      self = .protected
      return
    }
    let text = Self.opening(start)
    if text.contains("<fictionbook") || lowerName.hasSuffix(".fb2") && text.hasPrefix("<") {
      self = .fictionBook
      return
    }
    if MarkdownReader.isName(lowerName) {
      self = .markdown
      return
    }
    if Self.tags.contains(where: { text.hasPrefix($0) }) || Self.isMarkupName(lowerName) && text.hasPrefix("<") {
      self = .markup
    } else if Self.isMarkupName(lowerName) {
      self = .markup
    } else if lowerName.hasSuffix(".epub") {
      self = .zip
    } else {
      self = .text
    }
  }

  /// The page is to be read as XML: by its declaration or namespace, or else by its name.
  static func isXML(_ start: [UInt8], name: String) -> Bool {
    let text = opening(start)
    let lowerName = name.lowercased()
    return text.hasPrefix("<?xml") || text.contains("xmlns=") || lowerName.hasSuffix(".xhtml")
      || lowerName.hasSuffix(".xht")
  }

  private static let tags = ["<?xml", "<!doctype html", "<html", "<head", "<body", "<!--"]
  private static func isMarkupName(_ name: String) -> Bool {
    [".html", ".htm", ".xhtml", ".xht"].contains { name.hasSuffix($0) }
  }

  private static let others: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
    (Array("GIF8".utf8), "a GIF image"),
    (Array("%PDF".utf8), "a PDF document"), (Array("RIFF".utf8), "a media file"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ([0x1F, 0x8B], "a gzip archive"), (Array("Rar!".utf8), "a RAR archive"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an office document"),
    (Array("CONT".utf8) + [2, 0], "a Kindle book of a kind that cannot be read (KFX)"),
    (Array("TPZ".utf8), "a Kindle book of a kind that cannot be read (Topaz)"),
    (Array("ITOLITLS".utf8), "a book for Microsoft Reader"),
  ]

  /// The first characters in lower case, without byte order mark, zero bytes and white space.
  private static func opening(_ start: [UInt8]) -> String {
    var bytes = start[...]
    for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] where bytes.starts(with: mark) {
      bytes = bytes.dropFirst(mark.count)
      break
    }
    let visible = bytes.filter { $0 != 0 }.drop { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
    return String(decoding: visible, as: UTF8.self).lowercased()
  }
}
