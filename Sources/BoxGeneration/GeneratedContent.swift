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
          warnMissing(.path(path), node)
        }
      case .image(let image): generatedImage(image, node, pseudo, style)
      case .openQuote:
        appendGenerated(quote(style, level: numbering.quoteDepth, isOpening: true), node, style)
        numbering.quoteDepth += 1
      case .closeQuote:
        guard numbering.quoteDepth > 0 else { continue }
        numbering.quoteDepth -= 1
        appendGenerated(quote(style, level: numbering.quoteDepth, isOpening: false), node, style)
      case .noOpenQuote: numbering.quoteDepth += 1
      case .noCloseQuote: numbering.quoteDepth = max(0, numbering.quoteDepth - 1)
      case .leader(let text): leader(text, node, pseudo, style)
      case .elementText, .element: break
      case .counter, .counters, .attribute, .namedString, .targetCounter, .targetCounters, .targetText:
        appendGenerated(string(item, node, pseudo), node, style)
      }
    }
  }

  /// An anonymous atomic inline box among the text; nil where no box may stand.
  private mutating func generatedAtomicInline(
    _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle
  ) -> BoxID? {
    guard enter(.inline) else { return nil }
    lineStarts.firstLetter = nil
    let builder = inlineContext()
    let box = makeBox(
      .block, node, pseudo, style.anonymousChild, [.anonymous, .atomicInline, .formattingContext],
      parent: inlineParent(builder))
    openBoxes.builders[builder].append(
      .object, unit: 0xFFFC, attributes.attributes(of: style, decorations: openBoxes.decorations), node: node, box: box)
    return box
  }

  /// An image as an anonymous replaced inline box.
  mutating func generatedImage(_ image: ImageID, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].content = .replaced
    if pseudo == .marker { boxTree.boxes[box.index].symbol = .image }
    boxTree.boxes[box.index].image = oriented(image, style)
  }

  /// An image without a file as an anonymous replaced inline box; in a marker it is as large as an em (CSS Lists 3, section 3.3).
  mutating func generatedImage(_ image: ImageValue, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].content = .replaced
    if pseudo == .marker { boxTree.boxes[box.index].symbol = .image }
    boxTree.drawnImages[box] = image
  }

  /// The image as `image-orientation` wants it (CSS Images 3, section 6.3).
  func oriented(_ image: ImageID, _ style: ComputedStyle) -> ImageID {
    tree.table.lists[style.list.index].imageOrientation == .none ? resources.storedImage(image) : image
  }

  /// One copy of a leader as an atomic inline box: lines repeat it (CSS Generated Content 3, "Leaders").
  private mutating func leader(_ text: String, _ node: NodeID, _ pseudo: PseudoElement?, _ style: ComputedStyle) {
    guard let box = generatedAtomicInline(node, pseudo, style) else { return }
    boxTree.boxes[box.index].symbol = .leader
    let saved = (openBoxes.realFrame, openBoxes.decorations)
    openBoxes.decorations = 0
    pushFrame(box, wrapsInline: false, style: style.anonymousChild, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    // Its spaces are part of it.
    appendGenerated(String(text.map { $0 == " " ? "\u{A0}" : $0 }), node, style.anonymousChild)
    popFrames(to: openBoxes.realFrame)
    closeFrame()
    (openBoxes.realFrame, openBoxes.decorations) = saved
    // U+2060 keeps what follows on its line.
    appendGenerated("\u{2060}", node, style)
  }

  /// An image that is all the `content` of an element replaces it.
  func contentImage(_ style: ComputedStyle) -> ReplacedContent? {
    guard case .items(let items) = tree.table.boxes[style.box.index].content, items.count == 1 else { return nil }
    switch items[0] {
    case .url(let path): return resources.styleImage(path).map { ReplacedContent(image: $0) }
    case .image(let image): return ReplacedContent(image: .none, drawn: image)
    default: return nil
    }
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

  /// Tells of a picture that cannot be shown; of one that only lacks a decoder the book is told once.
  mutating func warnMissing(_ reference: BoxResources.PictureReference, _ node: NodeID) {
    if let decoder = resources.missingDecoder(reference) {
      boxTree.undrawn[node] = .decoder(decoder)
      return
    }
    let message =
      switch reference {
      case .href(let name), .path(let name): "the image \(name.prefix(200)) cannot be shown"
      case .drawing: "an inline SVG cannot be drawn"
      }
    boxTree.undrawn[node] = .broken(message)
    boxTree.diagnostics.warn("missing-image", line: Int(document.nodes[node.index].line), message)
  }
}

/// Quotation marks by language, for `quotes: auto` (Unicode CLDR 42, delimiters): outer pair, inner pair.
enum DefaultQuotes {
  /// The marks of the longest beginning of the tag that has any (RFC 4647, section 3.4).
  static func marks(language: String) -> [Character] {
    var tag = Substring(language.lowercased())
    while true {
      if let marks = byTag[tag] { return marks }
      guard let end = tag.lastIndex(of: "-") else { return english }
      tag = tag[..<end]
    }
  }

  private static let english: [Character] = Array("“”‘’")
  private static let byTag: [Substring: [Character]] = {
    var table: [Substring: [Character]] = [:]
    func add(_ marks: String, _ languages: String) {
      for language in languages.split(separator: " ") { table[language] = Array(marks) }
    }
    add("«»«»", "fr hy yav")
    add("«»‘’", "dua ksf nb nn no rw")
    add("«»“”", "an ast bm br ca dyo el es eu ewo it kab kk mg mua nnh sc sg sq ti")
    add("«»“”", "pt-ao pt-ch pt-cv pt-gq pt-gw pt-lu pt-mo pt-mz pt-pt pt-st pt-tl")
    add("«»”“", "fr-ca")
    add("«»„“", "bas be cv ky os ru sah uk")
    add("«»„”", "shi zgh")
    add("«»‹›", "am az-cyrl fa fr-ch gsw jgo kkj mzn rm wae")
    add("»«›‹", "ug")
    add("‘’‘’", "nl")
    add("‘’“”", "fur gsw-li ia ti-er")
    add("“”‘’", "es-419 es-ar es-bo es-br es-bz es-cl es-co es-cr es-cu es-do es-ec es-gt es-hn es-mx es-ni")
    add("“”‘’", "es-pa es-pe es-pr es-py es-sv es-uy es-ve ff-adlm uz-arab uz-cyrl yue-hans")
    add("“”’‘", "uz")
    add("“”“”", "tk")
    add("”“’‘", "ar ur")
    add("””’’", "fi he lag rn se sn sv yi")
    add("„“«»", "ka")
    add("„“‘‘", "sr")
    add("„“‚‘", "bs-cyrl cs de dsb et hr hsb is ksh lb luy mk sk sl")
    add("„“„“", "bg lt")
    add("„”«»", "nmg pl ro")
    add("„”»«", "hu")
    add("„”‘’", "bs")
    add("„”‚’", "agq ff")
    add("「」『』", "ja yue zh-hant zh-hk zh-mo zh-tw")
    return table
  }()
}
