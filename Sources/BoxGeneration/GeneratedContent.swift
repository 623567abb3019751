import CSS
import Markup
import Primitives
import Styling
import Text

/// The content of `::before`, `::after` and `::marker` (CSS Generated Content 3, section 2).
extension BoxGenerator {
  mutating func generatedContent(_ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    let items: [ContentItem]
    switch tree.table.boxes[style.box.index].content {
    case .items(let own): items = own
    case .normal where pseudo == .footnoteCall: items = [.counter(name: "footnote", style: .named("decimal"))]
    case .normal where pseudo == .footnoteMarker:
      items = [.counter(name: "footnote", style: .named("decimal")), .string(".\u{A0}")]
    case .normal, .none: return
    }
    // A mark stays with the word before it.
    if pseudo == .footnoteCall, !items.isEmpty { appendGenerated("\u{2060}", node, style) }
    for item in items {
      switch item {
      case .string(let string):
        appendGenerated(pseudo == .marker ? Self.keepingSpaces(string) : string, node, style)
      case .url(let path):
        if let image = resources.styleImage(path) {
          generatedImage(image, node, pseudo, style)
        } else {
          warnMissing(path, node)
        }
      case .openQuote:
        appendGenerated(quote(style, level: quoteDepth, isOpening: true), node, style)
        quoteDepth += 1
      case .closeQuote:
        guard quoteDepth > 0 else { continue }
        quoteDepth -= 1
        appendGenerated(quote(style, level: quoteDepth, isOpening: false), node, style)
      case .noOpenQuote: quoteDepth += 1
      case .noCloseQuote: quoteDepth = max(0, quoteDepth - 1)
      case .leader(let text): leader(text, node, pseudo, style)
      case .elementText, .element: break
      case .counter, .counters, .attribute, .namedString, .targetCounter, .targetCounters, .targetText:
        appendGenerated(string(item, node), node, style)
      }
    }
  }

  /// An anonymous atomic inline box among the text; nil where no box may stand.
  private mutating func generatedAtomicInline(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle
  ) -> BoxID? {
    guard enter(.inline) else { return nil }
    firstLetter = nil
    let builder = inlineContext()
    let box = makeBox(
      .block, node, pseudo, style.anonymousChild, [.anonymous, .atomicInline, .formattingContext],
      parent: inlineParent(builder))
    builders[builder].append(
      .object, unit: 0xFFFC, attributes.attributes(of: style, decorations: decorations), node: node, box: box)
    return box
  }

  /// An image as an anonymous replaced inline box.
  mutating func generatedImage(_ image: ImageID, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxes[box.index].content = .replaced
    boxes[box.index].image = image
  }

  /// One copy of a leader as an atomic inline box: lines repeat it (CSS Generated Content 3, "Leaders").
  private mutating func leader(_ text: String, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxes[box.index].symbol = .leader
    let saved = (realFrame, decorations)
    decorations = 0
    pushFrame(box, wrapsInline: false, style: style.anonymousChild, node: node)
    realFrame = frames.count - 1
    // Its spaces are part of it.
    appendGenerated(String(text.map { $0 == " " ? "\u{A0}" : $0 }), node, style.anonymousChild)
    popFrames(to: realFrame)
    closeFrame()
    (realFrame, decorations) = saved
    // U+2060 keeps what follows on its line.
    appendGenerated("\u{2060}", node, style)
  }

  /// `content: url()` on an element replaces it.
  func contentImage(_ style: ComputedStyle) -> ReplacedContent? {
    guard case .items(let items) = tree.table.boxes[style.box.index].content, items.count == 1,
      case .url(let path) = items[0],
      let image = resources.styleImage(path)
    else { return nil }
    return ReplacedContent(image: image)
  }

  func representation(_ value: Int32, _ type: ListStyleType) -> String {
    switch type {
    case .none: ""
    case .named(let name): counterFormatter.representation(of: value, style: name)
    case .string(let string): string
    }
  }

  func attributeValue(named name: String, of node: NodeID) -> String? {
    guard let atom = document.names.lookup(document.isXML ? name : name.lowercased()) else { return nil }
    return document.attributeValue(atom, of: node)
  }

  private func quote(_ style: ComputedStyle, level: Int, isOpening: Bool) -> String {
    let pairs: [[String]]
    switch tree.table.lists[style.list.index].quotes {
    case .none: return ""
    case .pairs(let declared): pairs = declared
    case .auto:
      let language = tree.table.texts[style.text.index].language
      // The package's language is none of the document's (EPUB 3.3, section 5.5.3.1.3).
      let marks = DefaultQuotes.marks(language: language)
      return String(marks[min(level, 1) * 2 + (isOpening ? 0 : 1)])
    }
    guard !pairs.isEmpty else { return "" }
    let pair = pairs[min(level, pairs.count - 1)]
    guard pair.count == 2 else { return "" }
    return isOpening ? pair[0] : pair[1]
  }

  mutating func warnMissing(_ reference: String, _ node: NodeID) {
    diagnostics.warn(
      "missing-image", line: Int(document.nodes[node.index].line), "the image \(reference.prefix(200)) cannot be shown")
  }
}

/// Quotation marks by language, for `quotes: auto` (Unicode CLDR, delimiters): outer pair, inner pair.
enum DefaultQuotes {
  static func marks(language: String) -> [Character] {
    let tag = language.lowercased()
    if let marks = byTag[tag] { return marks }
    let parts = tag.split(separator: "-")
    if parts.first == "zh",
      parts.dropFirst().contains(where: { $0 == "hant" || $0 == "tw" || $0 == "hk" || $0 == "mo" })
    {
      return corner
    }
    return parts.first.flatMap { byTag[String($0)] } ?? english
  }

  private static let english: [Character] = Array("“”‘’")
  private static let corner: [Character] = Array("「」『』")
  private static let byTag: [String: [Character]] = {
    var table: [String: [Character]] = [:]
    func add(_ marks: String, _ languages: String) {
      for language in languages.split(separator: " ") { table[String(language)] = Array(marks) }
    }
    add("「」『』", "ja yue")
    add("„“‚‘", "de cs sk sl hr-ba is lb dsb hsb")
    add("„“„“", "bg lt")
    add("„“‘’", "mk")
    add("„”’’", "sr bs")
    add("„”‚’", "hr")
    add("„”«»", "pl ro af-na")
    add("„”»«", "hu")
    add("„“«»", "et ka")
    add("«»“”", "es it pt-pt ca gl el eu an")
    add("«»„“", "ru uk be")
    add("«»‹›", "fr-ch fa")
    add("«»«»", "fr kab")
    add("«»‘’", "nb no nn")
    add("«»“”", "hy sq")
    add("””’’", "sv fi he")
    add("”“’‘", "ar ur")
    add("‘’“”", "cy gsw-li")
    return table
  }()
}
