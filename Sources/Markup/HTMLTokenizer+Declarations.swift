import Primitives

/// Comments, declarations and what is taken for them.
extension HTMLTokenizer {
  /// Ends of markup that were once sought in vain, and are so no second time.
  struct MissingEnds {
    var quotes: Set<UInt8> = []
    var ofComment = false
    var ofInstruction = false
    var ofTag = false
  }

  /// The token that the `<!` at the position begins (HTML, section 13.2.5.42).
  mutating func declaration(_ bytes: Span<UInt8>, isForeign: Bool) -> Step {
    if ASCII.stands("<!--", at: position, in: bytes) { return comment(bytes) }
    if ASCII.stands("<!doctype", at: position, in: bytes) {
      if let range = xhtml?.documentType, range.lowerBound == position {
        position = min(range.upperBound, bytes.count)
        return .passed
      }
      position += 9
      return .token(.documentType(documentType(bytes)))
    }
    if isForeign || isXHTML, ASCII.stands("<![cdata[", at: position, in: bytes) {
      // The one word of HTML whose case counts.
      let letters = position + 3..<position + 8
      if letters.allSatisfy({ bytes[$0] < 0x60 }) {
        position += 9
        enterSection()
        return .passed
      }
    }
    return bogusComment(from: position + 2, in: bytes)
  }

  /// A comment that begins at `start` and ends with a `>`.
  mutating func bogusComment(from start: Int, in bytes: Span<UInt8>) -> Step {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: ">") { end += 1 }
    position = min(end + 1, bytes.count)
    return .token(.comment(start..<end))
  }

  /// The processing instruction at the position, which is a comment to HTML.
  mutating func instruction(_ bytes: Span<UInt8>) -> Step {
    guard isXHTML else { return bogusComment(from: position + 1, in: bytes) }
    let start = position + 2
    if !missing.ofInstruction, start < bytes.count {
      for index in start..<bytes.count where ASCII.stands("?>", at: index, in: bytes) {
        position = index + 2
        return .token(.comment(start..<index))
      }
    }
    missing.ofInstruction = true
    if let close = tagEnd(from: start, in: bytes) {
      position = close + 1
      return .token(.comment(start..<close))
    }
    position += 1
    return .text
  }

  /// The next `>`.
  private mutating func tagEnd(from start: Int, in bytes: Span<UInt8>) -> Int? {
    guard !missing.ofTag, start < bytes.count else { return nil }
    for index in start..<bytes.count where bytes[index] == UInt8(ascii: ">") { return index }
    missing.ofTag = true
    return nil
  }

  // MARK: Comments

  /// The comment whose `<!--` is at the position (HTML, sections 13.2.5.43 to 13.2.5.52).
  private mutating func comment(_ bytes: Span<UInt8>) -> Step {
    let start = position + 4
    if let close = commentEnd(from: start, in: bytes) {
      position = close.end
      return .token(.comment(start..<close.data))
    }
    if isXHTML, let close = tagEnd(from: start, in: bytes) {
      position = close + 1
      return .token(.comment(start..<close))
    }
    // A possible beginning of the end of a section is no part of it.
    var end = bytes.count
    for mark in ["--!", "--", "-"] as [StaticString] {
      let place = end - mark.utf8CodeUnitCount
      if place >= start, ASCII.stands(mark, at: place, in: bytes) {
        end = place
        break
      }
    }
    position = bytes.count
    return .token(.comment(start..<end))
  }

  /// The ends of the data and of the mark of a comment whose data begin at `start`.
  private mutating func commentEnd(from start: Int, in bytes: Span<UInt8>) -> (data: Int, end: Int)? {
    guard !missing.ofComment else { return nil }
    let hyphen = UInt8(ascii: "-")
    // The hyphens of the beginning may be those of the end.
    var index = start - 2
    while index + 2 < bytes.count {
      if bytes[index] == hyphen, bytes[index + 1] == hyphen {
        if bytes[index + 2] == UInt8(ascii: ">") { return (max(index, start), index + 3) }
        if index >= start, ASCII.stands("--!>", at: index, in: bytes) { return (index, index + 4) }
      }
      index += 1
    }
    missing.ofComment = true
    return nil
  }

  // MARK: DOCTYPE

  /// Reads a document type declaration from behind its keyword to its end (HTML, sections 13.2.5.53 to 13.2.5.68).
  private mutating func documentType(_ bytes: Span<UInt8>) -> DocumentType {
    var type = DocumentType()
    position = ASCII.endOfSpace(from: position, in: bytes)
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ">"), !ASCII.isSpace(bytes[position]) {
      position += 1
    }
    let name = text(start..<position, of: bytes, resolvesReferences: false)
    type.name = String(decoding: name.map(ASCII.lowercase), as: UTF8.self)
    type.forcesQuirks = name.isEmpty
    position = ASCII.endOfSpace(from: position, in: bytes)
    var isComplete = true
    if ASCII.stands("public", at: position, in: bytes) {
      position += 6
      type.publicIdentifier = identifier(bytes, isComplete: &isComplete)
      isComplete = isComplete && type.publicIdentifier != nil
      if isComplete { type.systemIdentifier = identifier(bytes, isComplete: &isComplete) }
    } else if ASCII.stands("system", at: position, in: bytes) {
      position += 6
      type.systemIdentifier = identifier(bytes, isComplete: &isComplete)
      isComplete = isComplete && type.systemIdentifier != nil
    }
    position = ASCII.endOfSpace(from: position, in: bytes)
    let isClosed = position < bytes.count && bytes[position] == UInt8(ascii: ">")
    // Text after a system identifier is passed over without consequence.
    if !isComplete || !isClosed && (type.systemIdentifier == nil || position == bytes.count) {
      type.forcesQuirks = true
    }
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
    position = min(position + 1, bytes.count)
    return type
  }

  /// The quoted identifier at the position, nil if there is none. It is not complete if it ends with the declaration.
  private mutating func identifier(_ bytes: Span<UInt8>, isComplete: inout Bool) -> String? {
    position = ASCII.endOfSpace(from: position, in: bytes)
    guard position < bytes.count else { return nil }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: ">") { position += 1 }
    let value = text(start..<position, of: bytes, resolvesReferences: false)
    if position < bytes.count, bytes[position] == quote { position += 1 } else { isComplete = false }
    return String(decoding: value, as: UTF8.self)
  }
}
