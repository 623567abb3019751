import CSS
import Markup
import Primitives
import Publications
import Styling
import Text

/// What a book uses, by names that runs are chosen by: `ruby`, `vertical`, `floats`, `tables`, `flex`, `grid`,
/// `mathml`, `svg`, `images`, `notes`, `bidi`, `fonts`; `script:Arab` for each script (ISO 15924); `css:hyphens` for
/// each property, `css:@page` for each rule, and `css:::first-line` for each pseudo-element beyond the common ones.
///
/// It is what stands in the book, whether it comes to bear or not: rather a name too many than one too few. Properties
/// are physical longhands, by whatever name they are set and be it by the engine's own sheets, and those shorthands
/// that set no common property.
struct BookFeatures {
  private(set) var names: Set<String> = []
  /// Bytes of text and markup: what most of the work is done on.
  private(set) var textBytes = 0
  private let defaults = DefaultProperties()
  /// Names with escapes are rare enough to count as any property.
  static let unreadableProperty = "css:other"

  private static let commonRules: Set<String> = ["charset", "namespace", "import", "media"]
  private static let asciiScripts = CharacterProperties(0x41).script

  init(of book: Publication) {
    var scanned: Set<String> = []
    for index in book.spine.indices {
      if book.spine[index].mediaType.hasPrefix("image/") {
        names.insert("images")
        // A drawing is a document, which sheets may speak of as of any other.
        guard book.spine[index].mediaType == "image/svg+xml" else { continue }
        names.insert("svg")
      }
      let document = book.document(at: index).document
      take(document, usesHouseStyle: book.kind.isPlain)
      for sheet in document.styleSheets { take(sheet: sheet.href, at: book.spine[index].path, of: book, &scanned) }
      for href in links(of: document) { take(sheet: href, at: book.spine[index].path, of: book, &scanned) }
    }
    for item in book.manifest.items {
      switch item.mediaType {
      case "text/css": take(sheet: item.path, at: "", of: book, &scanned)
      case "image/svg+xml": names.formUnion(["svg", "images"])
      case let type where type.hasPrefix("image/"): names.insert("images")
      case let type where type.hasPrefix("font/") || type.contains("font") || type.contains("opentype"):
        names.insert("fonts")
      default: break
      }
    }
  }

  // MARK: Style sheets

  private mutating func take(sheet href: String, at base: String, of book: Publication, _ scanned: inout Set<String>) {
    guard let place = base.isEmpty ? href : book.resolve(href, relativeTo: base)?.path,
      scanned.insert(place).inserted, scanned.count < 1000, let bytes = try? book.resource(at: place)
    else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    for part in take(css: text) where part.text.lowercased().hasPrefix("@import") {
      // The address is the first string, or stands in `url()`.
      let words = part.text.split { "\"'() \t\n".contains($0) }.dropFirst()
      if let address = words.first(where: { $0.lowercased() != "url" }) {
        take(sheet: String(address), at: place, of: book, &scanned)
      }
    }
  }

  /// - Returns: The statements of the sheet.
  @discardableResult private mutating func take(css text: String) -> [StyleText.Part] {
    textBytes += text.utf8.count
    let style = StyleText(text)
    var statements: [StyleText.Part] = []
    for part in style.parts {
      switch part.kind {
      case .declaration: take(declaration: part.text)
      case .statement:
        statements.append(part)
        take(rule: part.text)
      case .rule, .group: take(rule: part.text)
      }
    }
    return statements
  }

  /// The name of an at-rule, or the pseudo-elements of a selector.
  private mutating func take(rule text: String) {
    if text.hasPrefix("@") {
      let name = text.dropFirst().prefix { $0.isLetter || $0 == "-" }.lowercased()
      if name == "font-face" { names.insert("fonts") }
      if !Self.commonRules.contains(name), !name.isEmpty { names.insert("css:@" + name) }
      return
    }
    for piece in text.lowercased().split(separator: ":").dropFirst() {
      let name = piece.prefix { $0.isLetter || $0 == "-" }
      if ["first-letter", "first-line", "before", "after", "marker"].contains(name) { names.insert("css:::" + name) }
    }
  }

  private mutating func take(declaration text: String) {
    // A rule in a rule is a declaration to `StyleText`.
    if let open = text.firstIndex(of: "{") {
      take(rule: String(text[..<open]))
      for inner in text[text.index(after: open)...].split(whereSeparator: { ";{}".contains($0) }) {
        take(declaration: String(inner))
      }
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    var name = text[..<colon].filter { !$0.isWhitespace }.lowercased()
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    else {
      names.insert(Self.unreadableProperty)
      return
    }
    if name.hasPrefix("--") { name = "custom" }
    let value = text[text.index(after: colon)...].lowercased()
    if name == "display" { take(display: value) }
    if value.contains("var(") { names.insert("css:custom") }
    take(property: name, of: text)
  }

  /// - Parameter declaration: The whole of it, with the name as it stands in the sheet.
  private mutating func take(property name: String, of declaration: String) {
    let table = PropertyTable.standard
    guard let place = table.place(of: name) else {
      let prefix = PropertyTable.prefixes.first { name.hasPrefix($0) } ?? ""
      names.insert("css:" + name.dropFirst(prefix.count))
      return
    }
    let values = TypedStylesheet.declarations(declaration)
    let longhands = table.physicalLonghands(place)
    if !table.isShorthand(place) || values.isEmpty {
      // A longhand that is named counts whatever its value, and so does a value that the engine may come to know.
      names.formUnion(PropertyNames.names(of: longhands))
    } else if longhands.isDisjoint(with: PropertyNames.common) {
      names.insert("css:" + table.name(place))
    }
    for value in values where value.hasValueOfItsOwn { take(used: value.property.physicalCandidates) }
  }

  private mutating func take(used longhands: Set<PropertyID>) {
    names.formUnion(PropertyNames.names(of: longhands))
    if longhands.contains(.box(.float)) { names.insert("floats") }
    if longhands.contains(.paragraph(.writingMode)) { names.insert("vertical") }
    if longhands.contains(.paragraph(.direction)) { names.insert("bidi") }
  }

  private mutating func take(display value: String) {
    for (word, name) in [("table", "tables"), ("flex", "flex"), ("grid", "grid"), ("ruby", "ruby")]
    where value.contains(word) { names.insert(name) }
    if value.contains("var(") { names.formUnion(["tables", "flex", "grid", "ruby"]) }
  }

  // MARK: Documents

  private func links(of document: Document) -> [String] {
    document.nodes.indices.compactMap { index in
      let node = document.nodes[index]
      guard node.kind == .element, document.names.name(of: node.name) == "link" else { return nil }
      return attributes(of: node, document).first { $0.name == "href" }?.value
    }
  }

  private func attributes(of node: Node, _ document: Document) -> [(name: String, value: String)] {
    document.attributes[Int(node.range.lowerBound)..<Int(node.range.upperBound)].map {
      (document.names.name(of: $0.name), document.string($0.value))
    }
  }

  private mutating func take(_ document: Document, usesHouseStyle: Bool) {
    textBytes += document.text.count
    take(used: defaults.used(in: document, usesHouseStyle: usesHouseStyle))
    var scripts: Set<UInt8> = []
    for index in document.nodes.indices {
      let node = document.nodes[index]
      switch node.kind {
      case .document: break
      case .text:
        if document.names.name(of: document[node.parent].name) == "style" {
          take(css: document.string(node.range))
        } else {
          take(text: document.bytes(node.range), &scripts)
        }
      case .element: take(element: node, document)
      }
    }
    for script in scripts { names.insert("script:" + Text.Script(rawValue: script).code) }
  }

  private mutating func take(element node: Node, _ document: Document) {
    let name = document.names.name(of: node.name).lowercased()
    switch node.namespace {
    case .svg: names.insert("svg")
    case .mathML: names.insert("mathml")
    default: break
    }
    switch name {
    case "ruby", "rt", "rb": names.insert("ruby")
    case "table": names.insert("tables")
    case "math": names.insert("mathml")
    case "svg": names.formUnion(["svg", "images"])
    case "img", "image", "picture", "object", "video", "embed", "input": names.insert("images")
    case "bdo", "bdi": names.insert("bidi")
    default: break
    }
    for (name, value) in attributes(of: node, document) {
      switch name {
      case "style": take(css: "x{\(value)}")
      case "dir" where value.lowercased() != "ltr": names.insert("bidi")
      case "epub:type", "type", "role":
        if value.lowercased().contains("note") { names.insert("notes") }
      default: break
      }
    }
  }

  private mutating func take(text: ArraySlice<UInt8>, _ scripts: inout Set<UInt8>) {
    guard text.contains(where: { $0 >= 0x80 }) else {
      if text.contains(where: { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) { scripts.insert(Self.asciiScripts.rawValue) }
      return
    }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let properties = CharacterProperties(scalar.value)
      if properties.script.isReal { scripts.insert(properties.script.rawValue) }
      // R, AN, AL and the controls that embed and isolate from right to left.
      if [1, 5, 13, 14, 15, 19, 21].contains(properties.bidiClass) { names.insert("bidi") }
    }
  }
}
