import Primitives

/// The tokenization stage of HTML's parser (HTML, section 13.2.5), on UTF-8.
///
/// It is asked for one token after the other, since tree construction has a say in what comes next. The source is an
/// argument, always the same, so that the tokenizer is a plain value. Text is handed out as ranges of the source wherever it
/// stands there as it is. Parse errors are not told. Every source is read in a time linear in its length.
///
/// A source that was meant as XHTML and is not well formed is read with rules that lose no text: see `XHTML`.
package struct HTMLTokenizer {
  /// The kind of text at a place of the source: the states that tree construction may switch to.
  package enum Content: Sendable {
    case data
    /// RCDATA: text and character references.
    case characterData
    /// RAWTEXT: text alone.
    case rawText
    case scriptData
    /// Text to the end of the source.
    case plaintext
    /// A CDATA section.
    case section
  }

  /// Knowledge of a source that was meant as XHTML.
  ///
  /// CDATA sections and processing instructions are those of XML; markup that nothing ends, and that would take the rest of
  /// the source with it, ends where a reader would see its end.
  package struct XHTML: Sendable {
    /// The entities its internal subset declares, by name.
    var entities: [String: String] = [:]
    /// Where the document type declaration with its internal subset stands.
    var documentType: Range<Int>?

    package init() {}
  }

  /// A part of a script that looks like a comment, and a script in that (HTML, section 13.2.5.20 and on).
  enum ScriptEscape { case none, single, double }

  package var names = HTMLNames()
  let xhtml: XHTML?
  /// Everything before this has been handed out.
  var position = 0
  private var content = Content.data
  private var escape = ScriptEscape.none
  /// The element whose end tag ends text without markup, in lower case.
  private var textElement: [UInt8] = []
  /// The marks of CDATA sections in raw text are left out.
  private var dropsSectionMarks = false
  /// Elements of text only that the rest of the source does not end.
  private var unended: [Atom] = []
  /// Bytes and words that the rest of the source does not have.
  var missing = MissingEnds()
  /// Line feeds, and carriage returns that stand for them, before `countedPosition`.
  private var lineFeeds: UInt32 = 0
  private var countedPosition = 0

  package init(xhtml: XHTML? = nil) { self.xhtml = xhtml }

  /// Begins in another state, as if `lastStartTag` had just been read.
  package init(content: Content, lastStartTag: String) {
    self.init()
    self.content = content
    textElement = Array(lastStartTag.utf8)
  }

  var isXHTML: Bool { xhtml != nil }

  // MARK: Tokens

  /// The token that stands at a place of the source.
  enum Step {
    case token(HTMLToken)
    /// Something that is nothing to tree construction.
    case passed
    /// Text: the position is behind the first byte of it.
    case text
  }

  /// The next token, nil at the end of the source.
  ///
  /// - Parameter isForeign: the adjusted current node is an element of SVG or MathML.
  package mutating func next(_ bytes: Span<UInt8>, isForeign: Bool) -> HTMLToken? {
    while position < bytes.count {
      let start = position
      switch step(bytes, isForeign: isForeign) {
      case .token(let token): return token
      case .passed: continue
      case .text:
        position = endOfText(from: position, in: bytes)
        return .text(start..<position)
      }
    }
    return nil
  }

  private mutating func step(_ bytes: Span<UInt8>, isForeign: Bool) -> Step {
    switch bytes[position] {
    case UInt8(ascii: "<"):
      switch content {
      case .data: return markup(bytes, isForeign: isForeign)
      case .characterData, .rawText, .scriptData: return textEnd(bytes)
      case .plaintext, .section: break
      }
    case UInt8(ascii: "&") where content == .data || content == .characterData:
      if let reference = reference(at: position, in: bytes, end: bytes.count, isInAttribute: false) {
        position = reference.end
        return .token(.characters(reference.characters))
      }
    case UInt8(ascii: "]") where content == .section || dropsSectionMarks:
      if ASCII.stands("]]>", at: position, in: bytes) {
        position += 3
        if content == .section { content = .data }
        return .passed
      }
    case UInt8(ascii: "-") where escape != .none && ASCII.stands("-->", at: position, in: bytes):
      escape = .none
    case 0x0D:
      position += 1
      if position < bytes.count, bytes[position] == 0x0A { return .passed }
      lineFeeds += 1
      return .token(.characters("\n"))
    case 0:
      position += 1
      return .token(content == .data || content == .section ? .null : .characters("\u{FFFD}"))
    default:
      break
    }
    position += 1
    return .text
  }

  // MARK: Text

  /// The first byte at or after `start` that may be more than text.
  private func endOfText(from start: Int, in bytes: Span<UInt8>) -> Int {
    var index = start
    if escape != .none {
      while index < bytes.count, bytes[index] != UInt8(ascii: "-"), !maybeMore(bytes[index]) { index += 1 }
      return index
    }
    while index + 8 <= bytes.count {
      let eight = bytes.littleEndian(at: index, as: UInt64.self)
      let found =
        ByteSearch.find(0x3C, in: eight) | ByteSearch.find(0x26, in: eight) | ByteSearch.find(0x5D, in: eight)
        | ByteSearch.find(0x0D, in: eight) | ByteSearch.find(0, in: eight)
      let marks = found & ByteSearch.highBits
      guard marks != 0 else {
        index += 8
        continue
      }
      index += marks.trailingZeroBitCount / 8
      if maybeMore(bytes[index]) { return index }
      index += 1
    }
    while index < bytes.count, !maybeMore(bytes[index]) { index += 1 }
    return index
  }

  private func maybeMore(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"): content != .plaintext && content != .section
    case UInt8(ascii: "&"): content == .data || content == .characterData
    case UInt8(ascii: "]"): content == .section || dropsSectionMarks
    case 0x0D, 0: true
    default: false
    }
  }

  /// The `<` at the position in an element of text only: its end tag, or text.
  private mutating func textEnd(_ bytes: Span<UInt8>) -> Step {
    if escape == .double {
      if isTag("</script", at: position, in: bytes) { escape = .single }
    } else if isTextEnd(at: position, in: bytes) {
      content = .data
      escape = .none
      dropsSectionMarks = false
      return endTag(bytes)
    } else if content == .scriptData {
      if escape == .none, ASCII.stands("<!--", at: position, in: bytes) {
        escape = .single
        // Its hyphens may be those of the end, too.
        position += 1
      } else if escape == .single, isTag("<script", at: position, in: bytes) {
        escape = .double
      }
    } else if dropsSectionMarks, ASCII.stands("<![cdata[", at: position, in: bytes) {
      position += 9
      return .passed
    }
    position += 1
    return .text
  }

  /// An appropriate end tag token begins at `index`.
  private func isTextEnd(at index: Int, in bytes: Span<UInt8>) -> Bool {
    let name = index + 2
    let end = name + textElement.count
    guard end < bytes.count, bytes[index + 1] == UInt8(ascii: "/"), isTagNameEnd(bytes[end]), !textElement.isEmpty
    else {
      return false
    }
    for offset in textElement.indices where ASCII.lowercase(bytes[name + offset]) != textElement[offset] {
      return false
    }
    return true
  }

  private func isTag(_ tag: StaticString, at index: Int, in bytes: Span<UInt8>) -> Bool {
    let end = index + tag.utf8CodeUnitCount
    return end < bytes.count && isTagNameEnd(bytes[end]) && ASCII.stands(tag, at: index, in: bytes)
  }

  func isTagNameEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || ASCII.isSpace(byte)
  }

  // MARK: Switching

  mutating func enterSection() { content = .section }

  /// Goes on in the state of an element of text only, whose start tag was the last token.
  ///
  /// - Returns: false if its content is nothing, since the source was meant as XHTML and has no end tag for it.
  mutating func enter(_ content: Content, of element: Atom, in bytes: Span<UInt8>) -> Bool {
    textElement = Array(names.atoms.name(of: element).utf8)
    self.content = content
    guard isXHTML else { return true }
    guard !unended.contains(element), hasTextEnd(bytes) else {
      if !unended.contains(element) { unended.append(element) }
      self.content = .data
      return false
    }
    if content == .scriptData { self.content = .rawText }
    dropsSectionMarks = self.content == .rawText && (element == .script || element == .style)
    return true
  }

  private func hasTextEnd(_ bytes: Span<UInt8>) -> Bool {
    for index in position..<bytes.count where bytes[index] == UInt8(ascii: "<") && isTextEnd(at: index, in: bytes) {
      return true
    }
    return false
  }

  // MARK: Lines

  /// The line of the position, from 1.
  mutating func line(_ bytes: Span<UInt8>) -> UInt32 {
    for index in countedPosition..<position where bytes[index] == 0x0A { lineFeeds += 1 }
    countedPosition = position
    return lineFeeds + 1
  }
}
