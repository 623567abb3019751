/// A place in a run of tokens, for parsers that read forwards. Going back is assigning an earlier `position`.
package struct TokenCursor: Sendable {
  package let buffer: TokenBuffer
  package var position: Int
  package let end: Int

  package init(_ buffer: TokenBuffer, _ range: Range<Int>) {
    self.buffer = buffer
    position = max(0, min(range.lowerBound, buffer.tokens.count))
    end = max(position, min(range.upperBound, buffer.tokens.count))
  }
  package init(_ buffer: TokenBuffer, _ range: Range<UInt32>) {
    self.init(buffer, Int(range.lowerBound)..<Int(range.upperBound))
  }
  package init(_ buffer: TokenBuffer) { self.init(buffer, 0..<buffer.tokens.count) }

  package var isAtEnd: Bool { position >= end }
  /// The token at the cursor; `.eof` at the end.
  package var token: Token { position < end ? buffer.tokens[position] : .eof }
  package var kind: TokenKind { position < end ? buffer.tokens[position].kind : .eof }
  /// The token `distance` after the cursor.
  package func peek(_ distance: Int = 1) -> Token {
    let index = position + distance
    return index < end ? buffer.tokens[index] : .eof
  }

  /// The token at the cursor, which moves past it. Of a function or block only the opening token is passed.
  package mutating func next() -> Token {
    guard position < end else { return .eof }
    defer { position += 1 }
    return buffer.tokens[position]
  }
  package mutating func advance() { if position < end { position += 1 } }
  package mutating func skipWhitespace() {
    while position < end, buffer.tokens[position].kind == .whitespace { position += 1 }
  }
  /// Moves past one component value: a token, or a whole function or block.
  package mutating func skipComponentValue() {
    guard position < end else { return }
    let token = buffer.tokens[position]
    position = token.opensBlock ? min(end, token.blockEnd + 1) : position + 1
  }
  /// The contents of the function or block that opens at the cursor, which moves past its end. O(1).
  package mutating func enterBlock() -> TokenCursor {
    guard position < end, buffer.tokens[position].opensBlock else { return TokenCursor(buffer, position..<position) }
    let close = min(end, buffer.tokens[position].blockEnd)
    let contents = TokenCursor(buffer, position + 1..<max(position + 1, close))
    position = min(end, close + 1)
    return contents
  }

  /// The ident that equals `keyword` (lower case) but for ASCII case is at the cursor.
  package func isIdent(_ keyword: StaticString) -> Bool {
    kind == .ident && buffer.text(buffer.tokens[position].text, is: keyword)
  }
  package func isFunction(_ name: StaticString) -> Bool {
    kind == .function && buffer.text(buffer.tokens[position].text, is: name)
  }
  package func isDelim(_ character: UnicodeScalar) -> Bool {
    kind == .delim && buffer.tokens[position].delim == character
  }
  package mutating func consumeIdent(_ keyword: StaticString) -> Bool { consume(if: isIdent(keyword)) }
  package mutating func consumeDelim(_ character: UnicodeScalar) -> Bool { consume(if: isDelim(character)) }
  package mutating func consumeComma() -> Bool { consume(if: kind == .comma) }
  private mutating func consume(if condition: Bool) -> Bool {
    if condition { position += 1 }
    return condition
  }

  /// The unescaped text of the token at the cursor, as written and in ASCII lower case.
  package var text: String { buffer.string(token.text) }
  package var lowercasedText: String { buffer.lowercased(token.text) }

  /// The same tokens without white space at their ends.
  package var trimmed: TokenCursor {
    var first = position
    var last = end
    while first < last, buffer.tokens[first].kind == .whitespace { first += 1 }
    while last > first, buffer.tokens[last - 1].kind == .whitespace { last -= 1 }
    return TokenCursor(buffer, first..<last)
  }
  /// The tokens in a buffer of their own, with their text. Its `source` is theirs; `linkBlocks` must follow before it is parsed.
  package var copy: TokenBuffer {
    var result = TokenBuffer()
    result.append(position..<end, of: buffer)
    return result
  }
  /// The runs between the commas that stand outside blocks, trimmed. Empty for no tokens at all.
  package func splitAtCommas() -> [TokenCursor] {
    if trimmed.isAtEnd { return [] }
    var parts: [TokenCursor] = []
    var cursor = self
    var start = cursor.position
    while !cursor.isAtEnd {
      if cursor.kind == .comma {
        parts.append(TokenCursor(buffer, start..<cursor.position).trimmed)
        start = cursor.position + 1
      }
      cursor.skipComponentValue()
    }
    parts.append(TokenCursor(buffer, start..<end).trimmed)
    return parts
  }
}
