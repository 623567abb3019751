import Markup
import Primitives

/// Reads FictionBook 2 (FB2): one XML file of metadata, bodies of sections, and pictures in base64.
///
/// The sections of the first body are the chapters; parts that hold nothing but sections have each of these as one. Bodies behind it
/// hold notes, which links of the type `note` name.
struct FictionBookReader {
  private let document: Document
  private let root: NodeID
  private let limits: Limits
  private var book = ConvertedBook()
  /// The path and fragment of elements with an id.
  private var places: [String: String] = [:]
  /// By id of a note: whether it is one.
  private var notes: Set<String> = []
  private var images: [String: String] = [:]
  private var madeIDs = 0

  /// A part of a body that is one document.
  private struct Part {
    var path: String
    var title: String?
    /// Its elements, and how deep they lie.
    var nodes: [(node: NodeID, level: Int)] = []
    var isOfNotes = false
  }

  /// Takes a file apart; nil where it has no text.
  static func read(_ bytes: [UInt8], name: String, encoding: String? = nil, limits: Limits) -> ConvertedBook? {
    var sink = DiagnosticSink()
    let decoded = EncodingSniffer.decodeMarkup(bytes, resource: name, encoding: encoding, diagnostics: &sink)
    let outcome = XMLReader.read(decoded.bytes, limits: limits, recovering: true)
    guard let root = outcome.document.firstDescendant(of: Document.documentNode, named: "FictionBook") else {
      return nil
    }
    if let fault = outcome.fault {
      sink.warn("markup-not-well-formed", resource: name, line: fault.line, fault.message)
    }
    var reader = FictionBookReader(document: outcome.document, root: root, limits: limits)
    reader.book.diagnostics = sink
    reader.book.encoding = decoded.textEncoding
    reader.convert()
    return reader.book.spine.isEmpty ? nil : reader.book
  }

  private init(document: Document, root: NodeID, limits: Limits) {
    self.document = document
    self.root = root
    self.limits = limits
  }

  // MARK: The book

  private mutating func convert() {
    readMetadata()
    readBinaries()
    let bodies = children(of: root, named: "body")
    var parts: [Part] = []
    for (index, body) in bodies.enumerated() {
      let isOfNotes = index > 0 && document.value(of: "name", on: body) != nil
      parts += self.parts(of: body, number: index + 1, isOfNotes: isOfNotes)
    }
    for part in parts {
      for (node, _) in part.nodes { notePlaces(node, in: part.path, isOfNotes: part.isOfNotes) }
    }
    book.add(Array(Self.styleSheet.utf8), at: "style.css", mediaType: "text/css")
    if !(parts.first.map(beginsWithCover) ?? false) { addCover() }
    for part in parts { add(part) }
  }

  private func parts(of body: NodeID, number: Int, isOfNotes: Bool) -> [Part] {
    let prefix = number == 1 ? "" : "body-\(number)-"
    if isOfNotes {
      let name = document.value(of: "name", on: body) ?? ""
      var part = Part(path: "\(prefix)notes.xhtml", title: title(of: body) ?? (name == "notes" ? nil : name))
      part.nodes = children(of: body).map { ($0, 0) }
      part.isOfNotes = true
      return part.nodes.isEmpty ? [] : [part]
    }
    var parts: [Part] = []
    var sections = 0
    // Content between sections, such as the body's title.
    var loose = Part(path: "\(prefix)title.xhtml")
    for child in children(of: body) {
      guard document.localName(of: child) == "section" else {
        loose.nodes.append((child, 0))
        continue
      }
      if !loose.nodes.isEmpty {
        parts.append(loose)
        loose.nodes = []
      }
      sections += 1
      parts += chapters(child, path: "\(prefix)section-\(sections)", level: 1)
      loose.path = "\(prefix)after-\(sections).xhtml"
    }
    if !loose.nodes.isEmpty { parts.append(loose) }
    return parts
  }

  /// A section as one document, or, where it is a part of the book with no text of its own, what it begins with and each section.
  private func chapters(_ section: NodeID, path: String, level: Int) -> [Part] {
    let content = children(of: section)
    let heads: Set = ["title", "epigraph", "image", "annotation", "section"]
    let inner = content.filter { document.localName(of: $0) == "section" }
    guard level == 1, inner.count > 1, content.allSatisfy({ heads.contains(document.localName(of: $0)) }),
      inner.contains(where: { title(of: $0) != nil })
    else { return [Part(path: path + ".xhtml", title: title(of: section), nodes: [(section, level)])] }
    var head = Part(path: path + ".xhtml", title: title(of: section))
    head.nodes = content.filter { document.localName(of: $0) != "section" }.map { ($0, level) }
    var parts = head.nodes.isEmpty ? [] : [head]
    for (index, section) in inner.enumerated() {
      parts.append(
        Part(path: "\(path)-\(index + 1).xhtml", title: title(of: section), nodes: [(section, level + 1)]))
    }
    return parts
  }

  private mutating func notePlaces(_ node: NodeID, in path: String, isOfNotes: Bool) {
    for index in node.index..<document[node].subtreeEnd.index where document.nodes[index].kind == .element {
      let id = NodeID(index)
      guard let name = document.attributeValue(.id, of: id), places[name] == nil else { continue }
      places[name] = path
      if isOfNotes, document.localName(of: id) == "section" { notes.insert(name) }
    }
  }

  /// The part begins with the picture of the cover itself, which needs no page of its own then.
  private func beginsWithCover(_ part: Part) -> Bool {
    guard let cover = book.coverPath, var node = part.nodes.first?.node else { return false }
    while document.localName(of: node) != "image" {
      guard let first = children(of: node).first(where: { !isBlank($0) }),
        ["section", "p", "image"].contains(document.localName(of: first))
      else { return false }
      node = first
    }
    return reference(of: node).flatMap { images[$0] } == cover
  }

  /// The element has neither text nor pictures.
  private func isBlank(_ node: NodeID) -> Bool {
    document.collapsedText(of: node).isEmpty && document.firstDescendant(of: node, named: "image") == nil
      && document.localName(of: node) != "image"
  }

  private mutating func addCover() {
    guard let path = book.coverPath else { return }
    var body = XHTMLWriter()
    body.start("div", [("class", "cover")])
    body.start("img", [("src", path), ("alt", book.metadata.title)])
    body.end("img")
    body.end("div")
    let bytes = XHTMLWriter.document(
      title: book.metadata.title, language: book.metadata.language, head: Self.link, body: body.bytes)
    book.addDocument(bytes, at: "cover.xhtml")
  }

  private mutating func add(_ part: Part) {
    var writer = XHTMLWriter()
    if part.isOfNotes { writer.start("section", [("epub:type", "endnotes"), ("class", "notes")]) }
    var followsHead = false
    for (node, level) in part.nodes {
      if document.localName(of: node) == "title", level > 0 {
        heading(node, level: level, path: part.path, to: &writer)
      } else {
        write(node, level: level, path: part.path, to: &writer, isNote: part.isOfNotes)
      }
      followsHead = true
    }
    guard followsHead else { return }
    if part.isOfNotes { writer.end("section") }
    let bytes = XHTMLWriter.document(
      title: part.title ?? book.metadata.title, language: book.metadata.language, head: Self.link, body: writer.bytes)
    book.addDocument(bytes, at: part.path, title: part.title, isLinear: !part.isOfNotes)
  }

  // MARK: Content

  private static let containers: Set = ["epigraph", "cite", "annotation", "poem", "stanza"]
  /// Inline elements, and what they are in HTML.
  private static let inlines = [
    "strong": "strong", "emphasis": "em", "strikethrough": "s", "sub": "sub", "sup": "sup", "code": "code",
  ]

  private mutating func write(
    _ node: NodeID, level: Int, path: String, to writer: inout XHTMLWriter, isNote: Bool = false
  ) {
    if document[node].kind == .text {
      writer.text(document.bytes(document[node].range))
      return
    }
    let name = document.localName(of: node)
    var attributes: [(name: String, value: String)] = []
    if let id = document.attributeValue(.id, of: node) { attributes.append(("id", id)) }
    if let language = document.attributeValue(.xmlLang, of: node) { attributes.append(("lang", language)) }
    func content(_ writer: inout XHTMLWriter, level: Int, _ reader: inout Self) {
      reader.writeChildren(of: node, level: level, path: path, to: &writer)
    }
    switch name {
    case "section":
      writer.start(isNote ? "aside" : "section", attributes + (isNote ? [("epub:type", "footnote")] : []))
      content(&writer, level: isNote ? 0 : level, &self)
      writer.end(isNote ? "aside" : "section")
    case "title": title(node, attributes, level: level, to: &writer, path: path)
    case "subtitle", "v", "text-author", "date":
      writer.start("p", attributes + [("class", name)])
      content(&writer, level: level, &self)
      writer.end("p")
    case "p":
      let style = document.value(of: "style", on: node).map { [(name: "class", value: $0)] } ?? []
      writer.start("p", attributes + style)
      content(&writer, level: level, &self)
      writer.end("p")
    case "empty-line": writer.raw("<div class=\"empty-line\"></div>")
    case "image": image(node, attributes, to: &writer)
    case "a": link(node, attributes, level: level, path: path, to: &writer)
    case "style":
      writer.start("span", attributes + [("class", document.value(of: "name", on: node) ?? "style")])
      content(&writer, level: level, &self)
      writer.end("span")
    case "table", "tr", "th", "td":
      for key in ["colspan", "rowspan", "align", "valign"] {
        if let value = document.value(of: key, on: node) { attributes.append((key, value)) }
      }
      writer.start(name, attributes)
      content(&writer, level: level, &self)
      writer.end(name)
    case _ where Self.containers.contains(name):
      let isQuoted = name == "epigraph" || name == "cite"
      writer.start(
        isQuoted ? "blockquote" : "div",
        attributes + [("class", name)] + (name == "epigraph" ? [("epub:type", "epigraph")] : []))
      content(&writer, level: 0, &self)
      writer.end(isQuoted ? "blockquote" : "div")
    default:
      let tag = Self.inlines[name] ?? "span"
      writer.start(tag, attributes)
      content(&writer, level: level, &self)
      writer.end(tag)
    }
  }

  private mutating func writeChildren(of node: NodeID, level: Int, path: String, to writer: inout XHTMLWriter) {
    var child = document[node].firstChild
    while !child.isNone {
      let isSection = document.localName(of: child) == "section"
      let isTitle = document[child].kind == .element && document.localName(of: child) == "title"
      if isTitle, level > 0, document.localName(of: node) == "section" {
        heading(child, level: level, path: path, to: &writer)
      } else {
        write(child, level: isSection ? level + 1 : level, path: path, to: &writer)
      }
      child = document[child].nextSibling
    }
  }

  /// The title of a section, which is a line of the contents.
  private mutating func heading(_ title: NodeID, level: Int, path: String, to writer: inout XHTMLWriter) {
    madeIDs += 1
    let id = "fb2-heading-\(madeIDs)"
    let text = Self.joined(lines(of: title))
    if !text.isEmpty {
      book.navigation.tableOfContents.append(
        NavigationEntry(title: text, target: ResourcePath(path: path, fragment: id), level: level - 1))
    }
    let name = "h\(min(level + 1, 6))"
    writer.start(name, [("id", id)])
    writeLines(of: title, path: path, to: &writer)
    writer.end(name)
  }

  /// The title of a body, poem, stanza or note.
  private mutating func title(
    _ node: NodeID, _ attributes: [(name: String, value: String)], level: Int, to writer: inout XHTMLWriter,
    path: String
  ) {
    let isOfBody = document[node].parent.isNone ? false : document.localName(of: document[node].parent) == "body"
    writer.start(isOfBody ? "h1" : "p", attributes + (isOfBody ? [] : [("class", "title")]))
    writeLines(of: node, path: path, to: &writer)
    writer.end(isOfBody ? "h1" : "p")
  }

  /// The paragraphs of a title, each in its line.
  private mutating func writeLines(of title: NodeID, path: String, to writer: inout XHTMLWriter) {
    var isFirst = true
    for line in children(of: title) where document.localName(of: line) != "empty-line" {
      if !isFirst { writer.raw("<br/>") }
      isFirst = false
      writeChildren(of: line, level: 0, path: path, to: &writer)
    }
    // Text that stands in no paragraph.
    if isFirst { writer.text(document.collapsedText(of: title)) }
  }

  private func image(
    _ node: NodeID, _ attributes: [(name: String, value: String)], to writer: inout XHTMLWriter
  ) {
    guard let path = reference(of: node).flatMap({ images[$0] }) else { return }
    let parent = document[node].parent
    let name = parent.isNone ? "" : document.localName(of: parent)
    let isBlock = ["section", "body", "annotation", "cite", "epigraph"].contains(name)
    if isBlock { writer.start("div", [("class", "image")]) }
    let alternative = document.value(of: "alt", on: node) ?? document.value(of: "title", on: node) ?? ""
    writer.start("img", attributes + [("src", path), ("alt", alternative)])
    writer.end("img")
    if isBlock { writer.end("div") }
  }

  private mutating func link(
    _ node: NodeID, _ attributes: [(name: String, value: String)], level: Int, path: String,
    to writer: inout XHTMLWriter
  ) {
    var attributes = attributes
    if let target = reference(of: node), let place = places[target] {
      attributes.append(("href", place == path ? "#\(target)" : "\(place)#\(target)"))
      if notes.contains(target) || document.value(of: "type", on: node) == "note" {
        attributes += [("epub:type", "noteref"), ("class", "noteref")]
      }
    } else if let address = document.attributeValue(.xlinkHref, of: node) ?? document.value(of: "href", on: node) {
      attributes.append(("href", address))
    }
    writer.start("a", attributes)
    writeChildren(of: node, level: level, path: path, to: &writer)
    writer.end("a")
  }

  /// The target of a reference into the file; nil for others.
  private func reference(of node: NodeID) -> String? {
    guard let address = document.attributeValue(.xlinkHref, of: node) ?? document.value(of: "href", on: node),
      address.hasPrefix("#")
    else { return nil }
    return PercentEncoding.decoded(String(address.dropFirst()))
  }

  // MARK: Metadata and pictures

  private mutating func readMetadata() {
    guard let description = children(of: root, named: "description").first else { return }
    let info = children(of: description, named: "title-info").first ?? description
    book.metadata.title = text(in: info, "book-title") ?? ""
    book.metadata.language = text(in: info, "lang") ?? ""
    if !book.metadata.language.isEmpty { book.metadata.languages = [book.metadata.language] }
    for (name, role) in [("author", "aut"), ("translator", "trl")] {
      for person in children(of: info, named: name) {
        let parts = ["first-name", "middle-name", "last-name"].compactMap { text(in: person, $0) }
        let full = parts.isEmpty ? text(in: person, "nickname") ?? "" : parts.joined(separator: " ")
        guard !full.isEmpty else { continue }
        let creator = Metadata.Creator(name: full, role: role)
        if role == "aut" { book.metadata.creators.append(creator) } else { book.metadata.contributors.append(creator) }
      }
    }
    book.metadata.subjects = children(of: info, named: "genre").map { document.collapsedText(of: $0) }
    if let keywords = text(in: info, "keywords") {
      book.metadata.subjects += keywords.split(separator: ",").map { String($0).collapsed }
    }
    book.metadata.description = text(in: info, "annotation")
    if let document = children(of: description, named: "document-info").first, let id = text(in: document, "id") {
      book.metadata.identifier = id
    }
    if let publisher = children(of: description, named: "publish-info").first {
      book.metadata.publisher = text(in: publisher, "publisher")
      book.metadata.date = text(in: publisher, "year")
      if let number = text(in: publisher, "isbn") {
        book.metadata.identifiers.append(number)
        if book.metadata.identifier.isEmpty { book.metadata.identifier = number }
      }
    }
    book.metadata.date = book.metadata.date ?? text(in: info, "date")
    book.metadata.decideProgression()
  }

  private mutating func readBinaries() {
    for binary in children(of: root, named: "binary") {
      guard let id = document.attributeValue(.id, of: binary), images[id] == nil else { continue }
      let bytes = Base64.decode(document.textContent(of: binary).utf8, leniency: .others) ?? []
      guard !bytes.isEmpty else { continue }
      let type = (document.value(of: "content-type", on: binary) ?? "image/jpeg").lowercased()
      // Names are the file's own: its ids may hold anything.
      let ending =
        type.split(separator: "/").last.map { $0 == "jpeg" ? "jpg" : String($0.prefix { $0.isLetter }) } ?? "bin"
      let path = "images/\(images.count + 1).\(ending)"
      images[id] = path
      book.add(bytes, at: path, mediaType: type)
    }
    let covers = document.descendants(of: root, named: "coverpage").first.map { children(of: $0, named: "image") } ?? []
    for cover in covers where book.coverPath == nil { book.coverPath = reference(of: cover).flatMap { images[$0] } }
  }

  private func children(of node: NodeID, named name: String? = nil) -> [NodeID] {
    var found: [NodeID] = []
    var child = document[node].firstChild
    while !child.isNone {
      if document[child].kind == .element, name == nil || document.localName(of: child) == name { found.append(child) }
      child = document[child].nextSibling
    }
    return found
  }

  private func text(in node: NodeID, _ name: String) -> String? {
    children(of: node, named: name).first.map { document.collapsedText(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func title(of section: NodeID) -> String? {
    guard let title = children(of: section, named: "title").first else { return nil }
    let text = Self.joined(lines(of: title))
    return text.isEmpty ? nil : text
  }

  private func lines(of title: NodeID) -> [String] {
    let lines = children(of: title).map { words(of: $0) }.filter { !$0.isEmpty }
    return lines.isEmpty ? [words(of: title)] : lines
  }

  /// The words of an element; marks of notes are none.
  private func words(of node: NodeID) -> String {
    document.words(of: node) { node in
      document.localName(of: node) == "a" && document.value(of: "type", on: node) == "note"
        ? .hidden : document.placement(of: node)
    }
  }

  /// The lines of a title as one, with a stop between those that end with none.
  private static func joined(_ lines: [String]) -> String {
    lines.reduce("") { whole, line in
      guard let last = whole.last else { return line }
      return whole + (last.isPunctuation ? " " : ". ") + line
    }
  }

  private static let link = "<link rel=\"stylesheet\" href=\"style.css\"/>"
  private static let styleSheet = """
    .cover { text-align: center; margin: 0 } .cover img { max-width: 100%; max-height: 100vh }
    h1, h2, h3, .title, .subtitle { text-align: center; text-indent: 0; break-after: avoid }
    .title { font-weight: bold; margin: 1em 0 0.5em } .subtitle { margin: 1em 0 }
    sup img, sub img { height: 1em; width: auto }
    .image { text-align: center; margin: 1em 0; text-indent: 0 }
    .empty-line { height: 1em }
    .epigraph { margin: 1em 0 1em 40%; font-style: italic } .cite { margin: 1em 2em }
    .poem { margin: 1em 2em } .stanza { margin: 0.75em 0; break-inside: avoid }
    .v { margin: 0 0 0 2em; text-indent: -2em; text-align: start }
    .text-author, .date { text-align: end; text-indent: 0; margin: 0.25em 0 } .annotation { margin: 1em 2em }
    aside > .title:first-child { float: inline-start; margin: 0 0.5em 0 0 } aside > .title:first-child + p { text-indent: 0 }
    .noteref { vertical-align: super; font-size: 0.75em; line-height: 0 } sup .noteref { vertical-align: baseline; font-size: 1em }
    """
}
