import CMarkdown
import Markup
import Primitives

/// Reads a text of GitHub Flavored Markdown by cmark-gfm: one chapter, whose headings are the contents. Title, author, language and
/// the like come from its front matter, as Pandoc, Jekyll and Hugo write it.
enum MarkdownReader {
  /// Names that such texts have.
  static func isName(_ name: String) -> Bool {
    [".md", ".markdown", ".mdown", ".mkd"].contains { name.lowercased().hasSuffix($0) }
  }

  /// The library cmark-gfm is installed.
  static var isAvailable: Bool { markdown_available() != 0 }

  /// The book of a text; nil for bytes that are no text.
  static func read(
    _ bytes: [UInt8], name: String, encoding: String? = nil, limits: Limits
  ) throws(PublicationError) -> ConvertedBook? {
    guard let decoded = EncodingSniffer.decodePlainText(bytes, encoding: encoding) else { return nil }
    var book = ConvertedBook()
    book.encoding = decoded.textEncoding
    let (front, text) = FrontMatter.take(from: decoded.bytes[...])
    front.apply(to: &book)
    var headings = MarkdownHeadings()
    guard let html = html(of: text, limits: limits) else {
      throw PublicationError(.limit, "the Markdown takes more time or memory than it may")
    }
    let body = headings.mark(marked(html))
    if book.metadata.title.isEmpty { book.metadata.title = headings.title ?? String(name.prefix { $0 != "." }) }
    if book.metadata.language.isEmpty {
      book.metadata.language = LanguageGuess.language(of: text.prefix(1 << 18))
    }
    book.metadata.decideProgression(direction: front.values["dir"])
    decoded.report(name, to: &book.diagnostics)
    let document = XHTMLWriter.document(
      title: book.metadata.title, language: book.metadata.language, body: front.titleBlock(unless: headings) + body)
    // The path of the page, beside its pictures; the text itself is no file that may be asked for.
    let path = name + ".html"
    book.addDocument(
      Array("<!DOCTYPE html>".utf8) + document, at: path, mediaType: "text/html", title: book.metadata.title)
    book.navigation.tableOfContents = headings.entries.map {
      NavigationEntry(title: $0.text, target: ResourcePath(path: path, fragment: $0.id), level: $0.level - 1)
    }
    return book
  }

  /// Seconds and bytes that cmark-gfm may take.
  private static let seconds: UInt32 = 30
  private static let memory = 1 << 30

  /// Nil where the text takes too long.
  private static func html(of text: [UInt8], limits: Limits) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var html: UnsafeMutablePointer<UInt8>?
    var size = 0
    let isDone = unsafe text.withUnsafeBytes { text in
      unsafe markdown_html(
        text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, limits.bytesPerText, seconds, memory, &html,
        &size)
    }
    defer { unsafe markdown_free(html) }
    guard isDone != 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: html, count: size))
  }

  private static let marks: [(mark: [UInt8], replacement: [UInt8])] = [
    ("<input type=\"checkbox\" checked=\"\" disabled=\"\" />", "☑"),
    ("<input type=\"checkbox\" disabled=\"\" />", "☐"),
    (" data-footnote-ref>", " role=\"doc-noteref\">"), (" data-footnotes>", " role=\"doc-endnotes\">"),
    (" data-footnote-backref ", " role=\"doc-backlink\" "), (" data-footnote-backref>", " role=\"doc-backlink\">"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// With footnotes in the roles of DPUB-ARIA, by which they are known, and boxes of tasks as characters.
  private static func marked(_ html: [UInt8]) -> [UInt8] {
    let starts: [(UInt8, UInt8)] = [(0x3C, 0x69), (0x20, 0x64)]
    var result: [UInt8] = []
    result.reserveCapacity(html.count)
    var copied = 0
    var at = 0
    while at + 1 < html.count {
      guard starts.contains(where: { $0.0 == html[at] && $0.1 == html[at + 1] }),
        let found = marks.first(where: { html[at...].starts(with: $0.mark) })
      else {
        at += 1
        continue
      }
      result += html[copied..<at]
      result += found.replacement
      at += found.mark.count
      copied = at
    }
    return copied == 0 ? html : result + html[copied...]
  }
}

/// The headings of HTML as cmark-gfm writes it, given ids as GitHub makes them.
struct MarkdownHeadings {
  private(set) var entries: [(id: String, text: String, level: Int)] = []
  private var uses: [String: Int] = [:]

  /// The first heading of the first level.
  var title: String? { entries.first { $0.level == 1 }?.text }

  /// The same markup with an `id` on each heading.
  mutating func mark(_ html: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(html.count + 1024)
    var at = 0
    var isAtLineStart = true
    while at < html.count {
      if isAtLineStart, let (level, content) = Self.heading(in: html, at: at) {
        let text = Self.text(html[content])
        let id = slug(text)
        entries.append((id, text, level))
        var writer = XHTMLWriter()
        writer.start("h\(level)", [("id", id)])
        result += writer.bytes
        at = content.lowerBound
      }
      isAtLineStart = html[at] == 0x0A
      result.append(html[at])
      at += 1
    }
    return result
  }

  /// The level and the content of a heading that begins at a place; nil where none does.
  private static func heading(in html: [UInt8], at place: Int) -> (level: Int, content: Range<Int>)? {
    guard place + 9 <= html.count, html[place] == 0x3C, html[place + 1] == 0x68, html[place + 3] == 0x3E,
      (0x31...0x36).contains(html[place + 2])
    else { return nil }
    let closing: [UInt8] = [0x3C, 0x2F, 0x68, html[place + 2], 0x3E]
    // Not further than any heading is long, since those of raw markup may never end.
    for end in (place + 4)..<min(html.count, place + 10_000)
    where html[end] == 0x3C && html[end...].starts(with: closing) {
      return (Int(html[place + 2]) - 0x30, (place + 4)..<end)
    }
    return nil
  }

  /// The text of markup, references to characters resolved.
  private static func text(_ markup: ArraySlice<UInt8>) -> String {
    let document = MarkupReader.read(Array(markup), as: .html).document
    return document.collapsedText(of: Document.documentNode)
  }

  /// Lower-case words joined by hyphens; a number behind them where there was the same before.
  private mutating func slug(_ text: String) -> String {
    var slug = ""
    for character in text.lowercased() {
      if character.isLetter || character.isNumber || character == "_" || character == "-" {
        slug.append(character)
      } else if character == " " {
        slug.append("-")
      }
    }
    if slug.isEmpty { slug = "section" }
    let count = uses[slug, default: 0]
    uses[slug] = count + 1
    return count == 0 ? slug : "\(slug)-\(count)"
  }
}

/// Front matter: metadata of a text before it begins: lines of YAML between `---`, of which keys with words or lists of
/// words are read, or Pandoc's lines after `%`.
struct FrontMatter {
  private(set) var values: [String: String] = [:]
  private(set) var lists: [String: [String]] = [:]

  /// Takes it off the beginning of a text.
  static func take(from text: ArraySlice<UInt8>) -> (FrontMatter, text: [UInt8]) {
    var front = FrontMatter()
    var lines = Lines(rest: text)
    guard let first = lines.next() else { return (front, []) }
    if first == "---" {
      var inner: [String] = []
      while let line = lines.next() {
        if line == "---" || line == "..." {
          front.read(inner)
          return (front, Array(lines.rest))
        }
        inner.append(line)
      }
      return (front, Array(text))
    }
    guard first.hasPrefix("% ") else { return (front, Array(text)) }
    var rest = lines.rest
    front.values["title"] = String(first.dropFirst(2)).collapsed
    if let line = lines.next(), line.hasPrefix("%") {
      rest = lines.rest
      front.lists["author"] = line.dropFirst().split(separator: ";").map { String($0).collapsed }
      if let line = lines.next(), line.hasPrefix("%") {
        rest = lines.rest
        front.values["date"] = String(line.dropFirst()).collapsed
      }
    }
    return (front, Array(rest))
  }

  private struct Lines {
    var rest: ArraySlice<UInt8>

    mutating func next() -> String? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
  }

  private mutating func read(_ lines: [String]) {
    var key = ""
    for line in lines {
      let text = line.collapsed
      if text.isEmpty || text.hasPrefix("#") { continue }
      if text.hasPrefix("- "), !key.isEmpty {
        // People may be mappings with a name.
        let item = String(text.dropFirst(2))
        lists[key, default: []].append(Self.unquoted(item.hasPrefix("name:") ? String(item.dropFirst(5)) : item))
        continue
      }
      guard !line.hasPrefix(" "), let colon = text.firstIndex(of: ":") else { continue }
      key = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...]).collapsed
      if value.hasPrefix("["), value.hasSuffix("]") {
        lists[key] = value.dropFirst().dropLast().split(separator: ",").map { Self.unquoted(String($0)) }
      } else if !value.isEmpty {
        values[key] = Self.unquoted(value)
      }
    }
  }

  private static func unquoted(_ text: String) -> String {
    let text = text.collapsed
    guard text.count >= 2, let first = text.first, first == text.last, first == "\"" || first == "'" else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  private func all(_ keys: String...) -> [String] {
    keys.lazy.map { lists[$0] ?? values[$0].map { [$0] } ?? [] }.first { !$0.isEmpty } ?? []
  }

  func apply(to book: inout ConvertedBook) {
    book.metadata.title = all("title").first ?? ""
    book.metadata.creators = all("author", "authors", "creator").map { Metadata.Creator(name: $0, role: "aut") }
    book.metadata.language = all("lang", "language").first ?? ""
    book.metadata.date = all("date").first
    book.metadata.publisher = all("publisher").first
    book.metadata.rights = all("rights", "license").first
    book.metadata.description = all("description", "abstract").first
    book.metadata.subjects = all("subject", "keywords", "tags")
    book.metadata.identifier = all("identifier", "isbn").first ?? ""
    if let cover = all("cover-image", "cover").first, let path = ResourcePath.resolve(cover, relativeTo: "") {
      book.coverPath = path.path
    }
  }

  /// Title and authors above a text that does not begin with its title.
  func titleBlock(unless headings: MarkdownHeadings) -> [UInt8] {
    guard let title = values["title"], headings.title == nil else { return [] }
    var writer = XHTMLWriter()
    writer.start("h1")
    writer.text(title)
    writer.end("h1")
    for author in all("author", "authors", "creator") {
      writer.start("p", [("class", "author")])
      writer.text(author)
      writer.end("p")
    }
    return writer.bytes
  }
}
