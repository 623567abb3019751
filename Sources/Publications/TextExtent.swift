import Markup
import Primitives

/// The room that the text of a chapter takes, told from its characters and blocks without styles, boxes or fonts: what a number of
/// pages is estimated by. Markup, heads, scripts, annotations of formulas and ruby take none.
package struct TextExtent: Hashable, Sendable {
  /// Blocks of text (paragraphs, items, rows, lines that are broken by hand) of one class of width.
  private struct BlockClass: Hashable, Sendable {
    var count = 0
    /// The widths of the blocks together, in tenths of an em.
    var width = 0
  }
  /// By the binary logarithm of a block's width in em: most books have blocks of few classes.
  private var classes = [BlockClass](repeating: BlockClass(), count: 16)
  /// Pictures, drawings and embedded media that stand in no line of text.
  package private(set) var pictures = 0
  package private(set) var headings = 0
  /// The width of ideographs, kana and Hangul, of that of all text, each in tenths of an em.
  private var wide = 0
  private var all = 0
  /// The width of the block that is being read, in tenths of an em.
  private var width = 0
  /// Pictures of the block that is being read.
  private var blockPictures = 0

  package init() {}

  /// The lines that the text takes, each of a width in em.
  package func lines(ofWidth measure: Double) -> Double {
    // Words do not fill their lines: half of one stays out.
    let filled = Swift.max(1, measure - (1 - wideShare) * Self.halfWord)
    var lines = 0.0
    for kind in classes where kind.count > 0 {
      let width = Double(kind.width) / 10
      // A last line is full by half on the average.
      lines +=
        width / Double(kind.count) <= measure
        ? Double(kind.count) : width / filled + Double(kind.count) * (0.5 + Self.paragraphGap)
    }
    return lines
  }

  /// Half the width of a word, in em.
  private static let halfWord = 1.2
  /// Between paragraphs, in lines: some books have a blank line there, and others none.
  private static let paragraphGap = 0.3

  /// The share of ideographs, kana and Hangul, 0 to 1: their lines are set farther apart.
  package var wideShare: Double { all > 0 ? Double(wide) / Double(all) : 0 }

  // MARK: Reading

  /// Averages of faces for text: an em for what is as wide as high, less than half of it for letters and spaces.
  private mutating func addCharacter(from byte: UInt8) {
    // From U+2E80 on nearly all are ideographs, kana or Hangul; a byte that continues a character adds nothing.
    switch byte {
    case ..<0x80: width += 4
    case ..<0xC0: break
    case ..<0xE2: width += 5
    case 0xE2: width += 4
    default:
      width += 10
      wide += 10
    }
  }

  private mutating func endBlock() {
    defer { blockPictures = 0 }
    guard width > 0 else {
      pictures += blockPictures
      return
    }
    // Marks of notes and signs in a line take the room of a letter.
    width += blockPictures * 10
    let kind = min(classes.count - 1, Int.bitWidth - (width / 10).leadingZeroBitCount)
    classes[kind].count += 1
    classes[kind].width += width
    all += width
    width = 0
  }

  private mutating func addPicture() { blockPictures += 1 }

  private enum Role {
    case inline, block, lineBreak, heading, preformatted, picture, drawing, hidden
  }

  private static let roles: [String: Role] = {
    var roles: [String: Role] = [:]
    for name in [
      "p", "div", "li", "tr", "mtr", "mlabeledtr", "blockquote", "dt", "dd", "section", "article", "aside", "figure",
      "figcaption",
      "caption", "hr", "ul", "ol", "dl", "table", "header", "footer", "main", "nav", "body", "address", "center",
      "details", "summary",
    ] { roles[name] = .block }
    for name in ["h1", "h2", "h3", "h4", "h5", "h6"] { roles[name] = .heading }
    for name in ["img", "image", "object", "video", "iframe", "embed", "canvas"] { roles[name] = .picture }
    for name in ["head", "script", "style", "template", "annotation", "annotation-xml", "rt", "rp", "title"] {
      roles[name] = .hidden
    }
    roles["br"] = .lineBreak
    roles["pre"] = .preformatted
    roles["svg"] = .drawing
    return roles
  }()

  /// The extent of a document.
  init(_ document: Document) {
    var index = 0
    /// Where blocks and preformatted text end that have begun, the innermost last.
    var ends: [Int] = []
    var preformattedEnd = 0
    var isAfterSpace = true
    while index < document.nodes.count {
      while let end = ends.last, index >= end {
        ends.removeLast()
        endBlock()
      }
      let node = document.nodes[index]
      if node.kind == .text {
        for byte in document.bytes(node.range) { add(byte, index < preformattedEnd, &isAfterSpace) }
      } else if node.kind == .element {
        let end = node.subtreeEnd.index
        let role = Self.roles[document.localName(of: NodeID(index))] ?? .inline
        switch role {
        case .inline: break
        case .hidden:
          index = end
          continue
        case .drawing, .picture:
          addPicture()
          index = end
          continue
        case .lineBreak: endBlock()
        case .preformatted:
          preformattedEnd = max(preformattedEnd, end)
          endBlock()
          ends.append(end)
        case .heading, .block:
          if role == .heading { headings += 1 }
          endBlock()
          ends.append(end)
        }
      }
      index += 1
    }
    endBlock()
  }

  /// The extent of a document as it lies in the book, in an encoding that is ASCII's for ASCII.
  init(markup bytes: [UInt8]) {
    var at = 0
    var preformatted = 0
    var isAfterSpace = true
    while at < bytes.count {
      let byte = bytes[at]
      if byte == 0x26 {
        // A reference to a character.
        let end = bytes[at...].prefix(12).firstIndex(of: 0x3B)
        add(0x61, preformatted > 0, &isAfterSpace)
        at = end.map { $0 + 1 } ?? at + 1
        continue
      }
      guard byte == 0x3C, at + 1 < bytes.count else {
        add(byte, preformatted > 0, &isAfterSpace)
        at += 1
        continue
      }
      if bytes[at + 1] == 0x21 || bytes[at + 1] == 0x3F {
        at = Self.endOfDeclaration(at, in: bytes)
        continue
      }
      let isEnd = bytes[at + 1] == 0x2F
      let tag = Self.tag(isEnd ? at + 2 : at + 1, in: bytes)
      switch Self.roles[tag.name] ?? .inline {
      case .inline: break
      case .hidden: if !isEnd, !tag.isEmpty { at = Self.endTag(of: tag.name, from: tag.end, in: bytes) }
      case .drawing:
        if !isEnd { addPicture() }
        if !isEnd, !tag.isEmpty { at = Self.endTag(of: tag.name, from: tag.end, in: bytes) }
      case .picture: if !isEnd { addPicture() }
      case .preformatted:
        if !tag.isEmpty { preformatted = max(0, preformatted + (isEnd ? -1 : 1)) }
        endBlock()
      case .heading:
        if !isEnd { headings += 1 }
        endBlock()
      case .block, .lineBreak: endBlock()
      }
      at = max(at, tag.end)
    }
    endBlock()
  }

  private mutating func add(_ byte: UInt8, _ isPreformatted: Bool, _ isAfterSpace: inout Bool) {
    guard byte <= 0x20 else {
      addCharacter(from: byte)
      isAfterSpace = false
      return
    }
    if isPreformatted, byte == 0x0A { return endBlock() }
    if !isAfterSpace || isPreformatted, width > 0 { width += 3 }
    isAfterSpace = true
  }

  /// Behind a comment, a section of character data, a declaration or a processing instruction.
  private static func endOfDeclaration(_ start: Int, in bytes: [UInt8]) -> Int {
    func end(_ mark: String, from: Int) -> Int {
      let mark = Array(mark.utf8)
      var at = from
      while let found = bytes[min(at, bytes.count)...].firstIndex(of: mark[0]) {
        if bytes[found...].starts(with: mark) { return found + mark.count }
        at = found + 1
      }
      return bytes.count
    }
    let rest = bytes[start...]
    if rest.starts(with: "<!--".utf8) { return end("-->", from: start + 4) }
    // What stands in it is text.
    if rest.starts(with: "<![CDATA[".utf8) { return start + 9 }
    return end(rest.starts(with: "<?".utf8) ? "?>" : ">", from: start + 2)
  }

  /// The local name of a tag in lower case, and where the tag ends.
  private static func tag(_ start: Int, in bytes: [UInt8]) -> (name: String, end: Int, isEmpty: Bool) {
    var at = start
    var nameStart = start
    while at < bytes.count, bytes[at] > 0x20, bytes[at] != 0x3E, bytes[at] != 0x2F {
      if bytes[at] == 0x3A { nameStart = at + 1 }
      at += 1
    }
    let name = String(
      decoding: bytes[nameStart..<max(nameStart, min(at, nameStart + 15))].lazy.map {
        0x41...0x5A ~= $0 ? $0 | 0x20 : $0
      },
      as: UTF8.self)
    guard let end = StartTag.end(in: bytes, from: at) else { return (name, bytes.count, true) }
    return (name, end, bytes[end - 2] == 0x2F)
  }

  /// Behind the end tag of an element whose content counts for nothing.
  private static func endTag(of name: String, from start: Int, in bytes: [UInt8]) -> Int {
    var at = start
    while let found = bytes[min(at, bytes.count)...].firstIndex(of: 0x3C) {
      guard found + 1 < bytes.count, bytes[found + 1] == 0x2F else {
        at = found + 1
        continue
      }
      let tag = tag(found + 2, in: bytes)
      if tag.name == name { return tag.end }
      at = tag.end
    }
    return bytes.count
  }
}

extension Publication {
  /// The extent of a chapter's text. Where the chapter cannot be read there is none.
  package func textExtent(of index: Int) -> TextExtent {
    guard spine.indices.contains(index) else { return TextExtent() }
    if isOneDocument || spine[index].mediaType.hasPrefix("image/") { return TextExtent(document(at: index).document) }
    guard let bytes = try? chapterBytes(at: index) else { return TextExtent() }
    // UTF-16 has zeros beside its ASCII.
    if bytes.prefix(64).contains(0) { return TextExtent(document(at: index).document) }
    return TextExtent(markup: bytes)
  }
}
