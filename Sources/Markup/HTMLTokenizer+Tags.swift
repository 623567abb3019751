import Primitives

extension HTMLTokenizer {
  /// The token that the `<` at the position begins (HTML, section 13.2.5.6).
  mutating func markup(_ bytes: Span<UInt8>, isForeign: Bool) -> Step {
    let next = position + 1
    guard next < bytes.count else {
      position = next
      return .text
    }
    switch bytes[next] {
    case UInt8(ascii: "!"):
      return declaration(bytes, isForeign: isForeign)
    case UInt8(ascii: "/"):
      let name = next + 1
      if name < bytes.count {
        if ASCII.isLetter(bytes[name]) { return endTag(bytes) }
        if !isXHTML, bytes[name] == UInt8(ascii: ">") {
          position = name + 1
          return .passed
        }
        if !isXHTML { return bogusComment(from: name, in: bytes) }
      }
    case UInt8(ascii: "?"):
      return instruction(bytes)
    case let byte where ASCII.isLetter(byte):
      return startTag(bytes)
    default:
      break
    }
    position = next
    return .text
  }

  private mutating func startTag(_ bytes: Span<UInt8>) -> Step {
    let range = tagName(from: position + 1, in: bytes)
    var attributes: [HTMLTag.Attribute] = []
    position = range.upperBound
    guard let isSelfClosing = self.attributes(bytes, into: &attributes, keeps: true) else { return .passed }
    let name = names.element(range, in: bytes)
    return .token(
      .startTag(
        HTMLTag(
          name: name.atom, attributes: attributes, isSelfClosing: isSelfClosing, namespace: name.namespace,
          line: line(bytes))))
  }

  /// The end tag whose `<` is at the position. Its attributes are nothing.
  mutating func endTag(_ bytes: Span<UInt8>) -> Step {
    let range = tagName(from: position + 2, in: bytes)
    var attributes: [HTMLTag.Attribute] = []
    position = range.upperBound
    guard self.attributes(bytes, into: &attributes, keeps: false) != nil else { return .passed }
    return .token(.endTag(names.element(range, in: bytes).atom))
  }

  private func tagName(from start: Int, in bytes: Span<UInt8>) -> Range<Int> {
    var end = start
    while end < bytes.count, !isTagNameEnd(bytes[end]), !endsUnclosedTag(bytes[end]) { end += 1 }
    return start..<end
  }

  /// The byte begins the next tag, before which the one that is read was meant to end.
  private func endsUnclosedTag(_ byte: UInt8) -> Bool { isXHTML && byte == UInt8(ascii: "<") }

  // MARK: Attributes

  /// Reads what follows a tag's name, with the tag's end (HTML, sections 13.2.5.32 to 13.2.5.40).
  ///
  /// - Returns: The tag closes itself; nil if the source ends in it, which makes it nothing.
  private mutating func attributes(
    _ bytes: Span<UInt8>, into attributes: inout [HTMLTag.Attribute], keeps: Bool
  ) -> Bool? {
    var seen = AttributeNames()
    var cursor = position
    defer { position = cursor }
    while true {
      cursor = ASCII.endOfSpace(from: cursor, in: bytes)
      guard cursor < bytes.count else { return isXHTML ? false : nil }
      if bytes[cursor] == UInt8(ascii: ">") {
        cursor += 1
        return false
      }
      if bytes[cursor] == UInt8(ascii: "/") {
        cursor += 1
        guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: ">") else { continue }
        cursor += 1
        return true
      }
      if endsUnclosedTag(bytes[cursor]) { return false }
      let name = attributeName(bytes, &cursor)
      cursor = ASCII.endOfSpace(from: cursor, in: bytes)
      var value = AttributeValue(range: cursor..<cursor)
      if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "=") {
        cursor += 1
        value = attributeValue(bytes, &cursor)
      }
      guard keeps else { continue }
      let found = names.attribute(name, in: bytes)
      guard !found.isDeclaration, seen.insert(found.atom, among: attributes) else { continue }
      attributes.append(
        HTMLTag.Attribute(
          name: found.atom, namespace: found.namespace ?? .none,
          value: value.isPlain
            ? copy(value.range, of: bytes) : text(value.range, of: bytes, resolvesReferences: true, isInAttribute: true)
        ))
    }
  }

  private func attributeName(_ bytes: Span<UInt8>, _ cursor: inout Int) -> Range<Int> {
    let start = cursor
    // A name may begin with what else ends it.
    cursor += 1
    while cursor < bytes.count, bytes[cursor] != UInt8(ascii: "="), !isTagNameEnd(bytes[cursor]),
      !endsUnclosedTag(bytes[cursor])
    {
      cursor += 1
    }
    return start..<cursor
  }

  /// Where the source has an attribute's value.
  private struct AttributeValue {
    var range: Range<Int>
    /// The value is those bytes.
    var isPlain = true
  }

  /// The value at or after `cursor`, which goes behind it.
  private mutating func attributeValue(_ bytes: Span<UInt8>, _ cursor: inout Int) -> AttributeValue {
    cursor = ASCII.endOfSpace(from: cursor, in: bytes)
    guard cursor < bytes.count else { return AttributeValue(range: cursor..<cursor) }
    let quote = bytes[cursor]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return unquotedValue(bytes, &cursor) }
    cursor += 1
    var value = AttributeValue(range: cursor..<cursor)
    var end = missing.quotes.contains(quote) ? bytes.count : cursor
    while end < bytes.count, bytes[end] != quote {
      if isReplaced(bytes[end]) { value.isPlain = false }
      end += 1
    }
    if isXHTML, end == bytes.count {
      // The quote is never closed: the value ends with the tag.
      missing.quotes.insert(quote)
      end = cursor
      while end < bytes.count, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<") { end += 1 }
      value = AttributeValue(range: cursor..<end, isPlain: false)
      cursor = end
      return value
    }
    value.range = cursor..<end
    cursor = min(end + 1, bytes.count)
    return value
  }

  private func unquotedValue(_ bytes: Span<UInt8>, _ cursor: inout Int) -> AttributeValue {
    var value = AttributeValue(range: cursor..<cursor)
    let start = cursor
    while cursor < bytes.count, bytes[cursor] != UInt8(ascii: ">"), !ASCII.isSpace(bytes[cursor]) {
      if isReplaced(bytes[cursor]) { value.isPlain = false }
      cursor += 1
    }
    // `<a href=x/>`: the slash belongs to the tag where the source was meant as XHTML.
    let isClosed = cursor < bytes.count && bytes[cursor] == UInt8(ascii: ">")
    if isXHTML, isClosed, cursor > start, bytes[cursor - 1] == UInt8(ascii: "/") { cursor -= 1 }
    value.range = start..<cursor
    return value
  }

  private func isReplaced(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "&") || byte == 0 || byte == 0x0D }
}

/// The names of a tag's attributes, in a set once they are many.
private struct AttributeNames {
  private var many: Set<Atom> = []

  /// The name is new among those of `attributes`.
  mutating func insert(_ name: Atom, among attributes: [HTMLTag.Attribute]) -> Bool {
    if attributes.count < 16 { return !attributes.contains { $0.name == name } }
    if many.isEmpty { many = Set(attributes.map(\.name)) }
    return many.insert(name).inserted
  }
}
