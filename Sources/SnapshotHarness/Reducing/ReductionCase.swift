import CSS
import FoundationEssentials
import Markup
import Primitives
import Publications
import Typesetting

/// A book that gets smaller: a page or a whole EPUB, and what can be left out of it. A valid input whatever is left out.
struct ReductionCase: Codable, Sendable {
  /// A part that can be left out.
  enum Part: Hashable, Sendable {
    case element(Int)
    /// The element's children take its place.
    case tag(Int)
    case attribute(element: Int, Int)
    case style(Int)
    /// Words of a text, by position; of a line, where lines are all there is.
    case word(text: Int, Int)
    /// A line of a plain text, or a piece of a document that nobody can read.
    case line(Int)
    /// A file beside the page.
    case file(Int)
    /// A chapter of the package.
    case chapter(Int)
  }

  struct File: Codable, Sendable {
    /// In the book as it was.
    var source: String
    var name: String
    var bytes: [UInt8]
    var isRemoved = false

    private enum CodingKeys: String, CodingKey { case source, name, bytes }

    init(source: String, name: String, bytes: [UInt8]) {
      self.source = source
      self.name = name
      self.bytes = bytes
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      source = try values.decode(String.self, forKey: .source)
      name = try values.decode(String.self, forKey: .name)
      bytes = Array(try values.decode(Data.self, forKey: .bytes))
    }

    /// Bytes as base 64: books have images.
    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(source, forKey: .source)
      try values.encode(name, forKey: .name)
      try values.encode(Data(bytes), forKey: .bytes)
    }
  }

  enum Form: Hashable, Codable, Sendable {
    /// One page as XHTML, or as HTML where it is none otherwise, and files beside it.
    case page(isHTML: Bool)
    /// A folder with a package.
    case package
    /// A file that is read by lines alone, with its ending.
    case lines(ending: String)
  }

  private(set) var form: Form
  private(set) var tree: MarkupTree?
  private(set) var style = StyleText()
  private(set) var files: [File] = []
  /// Words of texts that have lost some: by node.
  private var words: [Int: [String]] = [:]
  private var lines: [[UInt8]?] = []
  /// The package document, its place, and that of the chapter.
  private var package: MarkupTree?
  private var packagePath = ""
  private var chapterPath = ""

  // MARK: Making one

  /// A plain text, or what nobody can read.
  init(lines bytes: [UInt8], ending: String) {
    form = .lines(ending: ending)
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// One chapter as a page of its own. nil where the chapter is no document.
  init?(page index: Int, of book: Publication, isHTML: Bool) {
    guard book.spine.indices.contains(index), !book.spine[index].mediaType.hasPrefix("image/") else { return nil }
    form = .page(isHTML: isHTML)
    chapterPath = book.spine[index].path
    take(book.document(at: index).document, of: book)
    guard var tree, !tree.nodes.isEmpty else { return nil }
    if tree.attribute("lang", of: 0) == nil, tree.attribute("xml:lang", of: 0) == nil, !book.metadata.language.isEmpty {
      tree.set("lang", book.metadata.language, of: 0)
    }
    self.tree = tree
  }

  /// The whole of an EPUB.
  ///
  /// - Parameter index: the chapter that is taken apart; nil leaves all chapters as they are.
  init?(package book: Publication, chapter index: Int?) {
    guard book.kind == .epub, let container = try? book.resource(at: "META-INF/container.xml") else { return nil }
    let locator = MarkupTree(MarkupReader.read(container, as: .xml).document)
    guard let root = locator.first("rootfile"), let path = locator.attribute("full-path", of: root),
      let bytes = try? book.resource(at: path)
    else { return nil }
    form = .package
    packagePath = path
    package = MarkupTree(MarkupReader.read(bytes, as: .xml).document)
    files.append(File(source: "META-INF/container.xml", name: "META-INF/container.xml", bytes: container))
    for item in book.manifest.items where item.path != path && !files.contains(where: { $0.name == item.path }) {
      guard let bytes = try? book.resource(at: item.path) else { continue }
      files.append(File(source: item.path, name: item.path, bytes: bytes))
    }
    guard let index, book.spine.indices.contains(index) else { return }
    chapterPath = book.spine[index].path
    take(book.document(at: index).document, of: book)
  }

  /// Takes a document, with all its sheets in one style element, and in a page the files that it shows.
  private mutating func take(_ document: Document, of book: Publication) {
    var tree = MarkupTree(document)
    guard !tree.nodes.isEmpty, tree.nodes[0].name == "html" else { return }
    var sheet = StyleText()
    var base = chapterPath
    if let element = tree.first("base"), let href = tree.attribute("href", of: element),
      let place = ResourcePath.resolve(href, relativeTo: chapterPath)
    {
      base = place.path
      tree.nodes[element].isRemoved = true
    }
    for index in tree.nodes.indices {
      let media = tree.attribute("media", of: index) ?? ""
      switch tree.nodes[index].name {
      case "style":
        let text = tree.nodes[index].children.map { tree.nodes[$0].text }.joined()
        append(text, from: base, media: media, to: &sheet, book, depth: 0)
        tree.nodes[index].isRemoved = true
      case "link":
        let relation = (tree.attribute("rel", of: index) ?? "").lowercased().split(separator: " ")
        tree.nodes[index].isRemoved = true
        guard relation.contains("stylesheet"), !relation.contains("alternate"),
          let place = ResourcePath.resolve(tree.attribute("href", of: index) ?? "", relativeTo: base),
          let bytes = try? book.resource(at: place.path)
        else { continue }
        append(Self.text(of: bytes), from: place.path, media: media, to: &sheet, book, depth: 0)
      case "script": tree.nodes[index].isRemoved = true
      default: break
      }
    }
    style = sheet
    if let head = tree.first("head"), !style.parts.isEmpty {
      let element = tree.append(MarkupTree.Node(name: "style", parent: head, depth: 0), to: head)
      tree.append(MarkupTree.Node(parent: element, depth: 0), to: element)
    }
    for index in tree.nodes.indices where tree.nodes[index].isElement {
      for (place, attribute) in tree.nodes[index].attributes.enumerated() {
        guard ["src", "href", "xlink:href", "data", "poster", "background"].contains(attribute.name),
          tree.nodes[index].name != "a", !attribute.value.hasPrefix("#"),
          let name = name(of: attribute.value, from: base, book)
        else { continue }
        tree.nodes[index].attributes[place].value = name
      }
      if let value = tree.attribute("style", of: index), value.contains("url(") {
        tree.set("style", rewriteAddresses(in: value, from: base, book), of: index)
      }
    }
    self.tree = tree
  }

  private static func text(of bytes: [UInt8]) -> String {
    String(decoding: decodeStylesheet(bytes, environmentEncoding: "UTF-8"), as: UTF8.self)
  }

  private static let maximumImports = 16

  /// Adds a sheet with what it imports before it, and with addresses that hold in the page.
  private mutating func append(
    _ text: String, from path: String, media: String, to sheet: inout StyleText, _ book: Publication, depth: Int
  ) {
    var own = StyleText(text)
    for index in own.parts.indices where own.parts[index].kind == .statement && own.parts[index].parent < 0 {
      let words = own.parts[index].text
      if words.lowercased().hasPrefix("@charset") { own.remove(index) }
      guard words.lowercased().hasPrefix("@import") else { continue }
      own.remove(index)
      let rest = words.dropFirst(7)
      let marks = Set<Character>(["\"", "'", "(", ")"])
      let parts = rest.split(maxSplits: 2, omittingEmptySubsequences: true) { marks.contains($0) || $0.isWhitespace }
      guard depth < Self.maximumImports,
        let address = parts.first(where: { $0.lowercased() != "url" }),
        let place = ResourcePath.resolve(String(address), relativeTo: path),
        let bytes = try? book.resource(at: place.path)
      else { continue }
      let condition = String(rest[address.endIndex...].drop { marks.contains($0) || $0.isWhitespace })
      append(Self.text(of: bytes), from: place.path, media: condition, to: &sheet, book, depth: depth + 1)
    }
    own.rewrite { rewriteAddresses(in: $0, from: path, book) }
    sheet.add(own.text, media: media)
  }

  /// The name of a file of the book from the page; takes the file where it is a page's. nil for a file that is elsewhere.
  private mutating func name(of href: String, from base: String, _ book: Publication) -> String? {
    guard let place = ResourcePath.resolve(href, relativeTo: base) else { return nil }
    let fragment = place.fragment.map { "#" + $0 } ?? ""
    if form == .package {
      let folder = chapterPath.split(separator: "/").dropLast()
      let target = place.path.split(separator: "/")
      var common = 0
      while common < folder.count, common < target.count - 1, folder[common] == target[common] { common += 1 }
      return (Array(repeating: "..", count: folder.count - common) + target.dropFirst(common).map(String.init))
        .joined(separator: "/") + fragment
    }
    if let known = files.first(where: { $0.source == place.path }) { return known.name + fragment }
    guard let bytes = try? book.resource(at: place.path) else { return nil }
    var name = String(
      (place.path.split(separator: "/").last ?? "file").map {
        $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-"
      })
    while files.contains(where: { $0.name == name }) || name.hasPrefix("case.") || name.hasPrefix(".") {
      name = "x" + name
    }
    files.append(File(source: place.path, name: name, bytes: bytes))
    return name + fragment
  }

  private mutating func rewriteAddresses(in text: String, from base: String, _ book: Publication) -> String {
    guard text.contains("url(") else { return text }
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstRange(of: "url(") {
      result += rest[..<open.upperBound]
      rest = rest[open.upperBound...]
      guard let close = rest.firstIndex(of: ")") else { break }
      let marks: Set<Character> = ["\"", "'", " ", "\n", "\t"]
      var address = rest[..<close]
      while let first = address.first, marks.contains(first) { address.removeFirst() }
      while let last = address.last, marks.contains(last) { address.removeLast() }
      if !address.hasPrefix("#"), let name = name(of: String(address), from: base, book) {
        result += "\"\(name)\")"
        rest = rest[rest.index(after: close)...]
      }
    }
    return result + rest
  }

  /// Takes a chapter of the package apart without reading it: a piece ends with a line or a tag.
  mutating func takePieces(of path: String) {
    guard form == .package, tree == nil, let file = files.first(where: { $0.name == path }) else { return }
    chapterPath = path
    lines = []
    var piece: [UInt8] = []
    for byte in file.bytes {
      if byte == 0x3C, !piece.isEmpty {
        lines.append(piece)
        piece = []
      }
      piece.append(byte)
      if byte == 0x3E || byte == 0x0A {
        lines.append(piece)
        piece = []
      }
    }
    if !piece.isEmpty { lines.append(piece) }
  }

  // MARK: Parts

  /// The parts that are still there, in groups to try one after another: the coarse ones first.
  ///
  /// - Parameter depth: of elements; others come with depth 0.
  func parts(depth: Int) -> [[Part]] {
    var groups: [[Part]] = []
    if depth == 0 {
      if let package, let spine = package.first("spine") {
        groups.append(
          package.nodes.indices.filter { package.nodes[$0].name == "itemref" && package.isInside($0, spine) }
            .filter { package.isThere($0) && !isChapter($0, package) }.map { .chapter($0) })
      }
      groups.append(files.indices.filter { !files[$0].isRemoved && isOptional(files[$0]) }.map { .file($0) })
      groups.append(lines.indices.filter { lines[$0] != nil }.map { .line($0) })
      return groups
    }
    guard let tree else { return [] }
    return [tree.nodes.indices.filter { tree.nodes[$0].depth == depth && isOptional($0, tree) }.map { .element($0) }]
  }

  /// The depth of the deepest element that is there.
  var depth: Int {
    guard let tree else { return 0 }
    return tree.nodes.indices.reduce(0) { tree.isThere($1) ? max($0, tree.nodes[$1].depth) : $0 }
  }

  /// Parts of what is left: rules, then declarations, tags, attributes, and words.
  var fineParts: [[Part]] {
    if case .lines = form {
      return lines.indices.compactMap { index in
        guard let line = lines[index] else { return nil }
        let count = words[index]?.count ?? Self.words(of: String(decoding: line, as: UTF8.self)).count
        return count > 1 ? (0..<count).map { .word(text: index, $0) } : nil
      }
    }
    var groups: [[Part]] = []
    let rules = style.parts.indices.filter { style.isThere($0) && style.parts[$0].kind != .declaration }
    let declarations = style.parts.indices.filter { style.isThere($0) && style.parts[$0].kind == .declaration }
    groups.append(rules.map { .style($0) })
    groups.append(declarations.map { .style($0) })
    guard let tree else { return groups }
    let there = tree.nodes.indices.filter { tree.isThere($0) }
    groups.append(
      there.filter { Self.transparent.contains(tree.nodes[$0].name) && !tree.nodes[$0].isUnwrapped }.map { .tag($0) })
    groups.append(
      there.flatMap { index in
        tree.nodes[index].attributes.indices.filter { !tree.nodes[index].attributes[$0].isRemoved }
          .map { .attribute(element: index, $0) }
      })
    for index in there where !tree.nodes[index].isElement && isOptional(index, tree) {
      let count = words[index]?.count ?? Self.words(of: tree.nodes[index].text).count
      if count > 1 { groups.append((0..<count).map { .word(text: index, $0) }) }
    }
    return groups
  }

  /// Elements that may be left out where their content is not.
  private static let transparent: Set<String> = [
    "div", "section", "article", "main", "header", "footer", "aside", "nav", "blockquote", "span", "a", "b", "i", "em",
    "strong", "small", "big", "u", "s", "sub", "sup", "font", "center", "cite", "q", "code", "tt", "abbr", "bdi", "bdo",
    "ins", "del", "mark", "label", "figure",
  ]

  private func isOptional(_ index: Int, _ tree: MarkupTree) -> Bool {
    guard tree.isThere(index) else { return false }
    let node = tree.nodes[index]
    if ["html", "head", "title", "body", "style"].contains(node.name), node.namespace == .html { return false }
    let parent = node.parent < 0 ? "" : tree.nodes[node.parent].name
    return parent != "style" && parent != "title"
  }

  private func isOptional(_ file: File) -> Bool {
    file.name != "META-INF/container.xml" && file.name != "mimetype" && file.name != chapterPath
      && !(package.map { isNamedBySpine(file.name, $0) } ?? false)
  }

  /// The path of a manifest item's file.
  private func path(ofItem index: Int, _ package: MarkupTree) -> String? {
    package.attribute("href", of: index).flatMap { ResourcePath.resolve($0, relativeTo: packagePath)?.path }
  }

  private func items(_ package: MarkupTree) -> [Int] {
    package.nodes.indices.filter { package.nodes[$0].name == "item" }
  }

  private func isChapter(_ reference: Int, _ package: MarkupTree) -> Bool {
    let id = package.attribute("idref", of: reference)
    guard !chapterPath.isEmpty, let item = items(package).first(where: { package.attribute("id", of: $0) == id }) else {
      return false
    }
    return path(ofItem: item, package) == chapterPath
  }

  /// The path of the one chapter that is left of a package; nil where there are more.
  var onlyChapter: String? {
    guard let package else { return nil }
    let left = package.nodes.indices.filter { package.nodes[$0].name == "itemref" && package.isThere($0) }
    guard left.count == 1, let id = package.attribute("idref", of: left[0]),
      let item = items(package).first(where: { package.attribute("id", of: $0) == id })
    else { return nil }
    return path(ofItem: item, package)
  }

  private func isNamedBySpine(_ name: String, _ package: MarkupTree) -> Bool {
    guard let item = items(package).first(where: { path(ofItem: $0, package) == name }) else { return false }
    let id = package.attribute("id", of: item)
    return package.nodes.indices.contains {
      package.nodes[$0].name == "itemref" && package.isThere($0) && package.attribute("idref", of: $0) == id
    }
  }

  private static func words(of text: String) -> [String] {
    text.split { $0.isWhitespace }.flatMap { word -> [String] in
      // Scripts without spaces are taken apart by characters.
      let isIdeographic = word.unicodeScalars.contains { $0.value >= 0x2E80 }
      return isIdeographic ? word.map { String($0) } : [String(word) + " "]
    }
  }

  /// A line of the words that are left of it.
  private static func line(_ words: [String]) -> [UInt8] {
    var text = words.joined()
    while text.last == " " { text.removeLast() }
    return Array(text.utf8)
  }

  mutating func remove(_ part: Part) {
    switch part {
    case .element(let index): tree?.nodes[index].isRemoved = true
    case .tag(let index): tree?.nodes[index].isUnwrapped = true
    case .attribute(let element, let place): tree?.nodes[element].attributes[place].isRemoved = true
    case .style(let index): style.remove(index)
    case .word(let text, let place):
      let whole = tree?.nodes[text].text ?? lines[text].map { String(decoding: $0, as: UTF8.self) } ?? ""
      var list = words[text] ?? Self.words(of: whole)
      if place < list.count { list[place] = "" }
      words[text] = list
    case .line(let index): lines[index] = nil
    case .file(let index):
      files[index].isRemoved = true
      if let package {
        for item in items(package) where path(ofItem: item, package) == files[index].name {
          self.package?.nodes[item].isRemoved = true
        }
      }
    case .chapter(let index): package?.nodes[index].isRemoved = true
    }
  }

  /// Forgets the words that are gone, so that positions are those of the words that are left.
  mutating func settle() {
    words = words.mapValues { list in list.filter { !$0.isEmpty } }
  }

  // MARK: Writing

  /// The bytes of all that is left, which is what gets smaller.
  var size: Int { contents().reduce(0) { $0 + $1.bytes.count } }

  /// The files that are left.
  ///
  /// - Parameter comment: The text of the page on itself.
  func contents(comment: String? = nil) -> [(name: String, bytes: [UInt8])] {
    if case .lines(let ending) = form {
      let left = lines.indices.compactMap { index in
        lines[index].map { line in words[index].map { Self.line($0) } ?? line }
      }
      return [("case." + ending, Array(left.joined(separator: [0x0A])))]
    }
    var contents: [(String, [UInt8])] = []
    let text =
      tree.map { Array(page($0, comment: comment).utf8) }
      ?? (lines.isEmpty ? nil : Array(lines.compactMap { $0 }.joined()))
    if case .page(let isHTML) = form { contents.append((isHTML ? "case.html" : "case.xhtml", text ?? [])) }
    for file in files where !file.isRemoved {
      contents.append((file.name, file.name == chapterPath ? text ?? file.bytes : file.bytes))
    }
    if let package {
      contents.append((packagePath, Array(package.text().utf8)))
      contents.removeAll { $0.0 == "mimetype" }
      contents.insert(("mimetype", Array("application/epub+zip".utf8)), at: 0)
    }
    return contents
  }

  private func page(_ tree: MarkupTree, comment: String?) -> String {
    var tree = tree
    for (index, list) in words { tree.nodes[index].text = list.joined() }
    // The style element that was put in is the last.
    if let element = tree.nodes.lastIndex(where: { $0.name == "style" && !$0.isRemoved }) {
      let text = style.text
      if text.isEmpty {
        tree.nodes[element].isRemoved = true
      } else if let inner = tree.nodes[element].children.first {
        tree.nodes[inner].text = "\n" + text
      }
    }
    if let title = tree.first("title") {
      for child in tree.nodes[title].children { tree.nodes[child].isRemoved = true }
      tree.append(MarkupTree.Node(text: "Reduced", parent: title, depth: 0), to: title)
    }
    if case .page(true) = form { return tree.text(isHTML: true, comment: comment) }
    return tree.text(comment: comment)
  }

  /// Writes it into a folder.
  ///
  /// - Returns: The name that a corpus has for it.
  func write(into folder: String, comment: String? = nil) throws(HarnessError) -> String {
    let contents = contents(comment: comment)
    for file in contents { try Files.write(file.bytes, to: Files.join(folder, file.name)) }
    return form == .package ? folder : Files.join(folder, contents[0].name)
  }
}
