import Platform

extension TokenBuffer {
  /// The tokens of `source`, which is UTF-8 (CSS Syntax 3, section 4.3).
  package init(tokenizing source: ArraySlice<UInt8>) {
    appendTokens(of: source)
  }

  /// Reads `source`, which is UTF-8, and appends its tokens; blocks it leaves open end with it.
  ///
  /// - Complexity: O(bytes), whatever is nested in what.
  package mutating func appendTokens(of source: ArraySlice<UInt8>) {
    let start = text.count
    // Ranges are 32 bits; nothing a book holds comes near.
    let source = source.prefix(Int(Int32.max) - min(start, Int(Int32.max)))
    if source.contains(0) {
      for byte in source {
        if byte == 0 { text += [0xEF, 0xBF, 0xBD] } else { text.append(byte) }
      }
    } else {
      text += source
    }
    let end = text.count
    // Only once: an exact reservation for each of many style attributes would move all tokens each time.
    if tokens.isEmpty { tokens.reserveCapacity((end - start) / 2) }
    var tokenizer = Tokenizer(tokens: tokens, position: start, end: end)
    tokens = []
    tokenizer.run(text.span)
    tokens = tokenizer.tokens
    text += tokenizer.unescaped
  }
}

/// Turns bytes into tokens. Text with escapes is collected in `unescaped`, which follows the source in the buffer.
private struct Tokenizer {
  var tokens: [Token]
  var position: Int
  let end: Int
  var unescaped: [UInt8] = []
  /// Functions and brackets not yet closed.
  private var open: [Int] = []

  init(tokens: [Token], position: Int, end: Int) {
    self.tokens = tokens
    self.position = position
    self.end = end
  }

  mutating func run(_ bytes: Span<UInt8>) {
    while position < end { consumeToken(bytes) }
    for index in open { tokens[index].payload = UInt64(tokens.count) }
  }

  // MARK: Tokens

  private mutating func consumeToken(_ bytes: Span<UInt8>) {
    let start = position
    let byte = bytes[start]
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
      skipWhitespace(bytes)
      append(.whitespace, start)
    case 0x22, 0x27:
      consumeString(bytes)
    case 0x23:  // #
      if start + 1 < end, isNameByte(bytes[start + 1]) || isEscape(bytes, start + 1) {
        let kind: TokenKind = startsIdent(bytes, start + 1) ? .hashID : .hashUnrestricted
        position += 1
        let name = consumeName(bytes)
        append(kind, start, text: name)
      } else {
        appendDelim(byte, start)
      }
    case 0x28: appendOpening(.openParen, start)
    case 0x29: appendClosing(.closeParen, start)
    case 0x5B: appendOpening(.openSquare, start)
    case 0x5D: appendClosing(.closeSquare, start)
    case 0x7B: appendOpening(.openCurly, start)
    case 0x7D: appendClosing(.closeCurly, start)
    case 0x2B, 0x2E:  // + .
      if startsNumber(bytes, start) { consumeNumeric(bytes) } else { appendDelim(byte, start) }
    case 0x30...0x39: consumeNumeric(bytes)
    case 0x2D:  // -
      if startsNumber(bytes, start) {
        consumeNumeric(bytes)
      } else if start + 2 < end, bytes[start + 1] == 0x2D, bytes[start + 2] == 0x3E {
        position += 3
        append(.cdc, start)
      } else if startsIdent(bytes, start) {
        consumeIdentLike(bytes)
      } else {
        appendDelim(byte, start)
      }
    case 0x2C:
      position += 1
      append(.comma, start)
    case 0x3A:
      position += 1
      append(.colon, start)
    case 0x3B:
      position += 1
      append(.semicolon, start)
    case 0x2F:  // /
      if start + 1 < end, bytes[start + 1] == 0x2A { skipComment(bytes) } else { appendDelim(byte, start) }
    case 0x3C:  // <
      if start + 3 < end, bytes[start + 1] == 0x21, bytes[start + 2] == 0x2D, bytes[start + 3] == 0x2D {
        position += 4
        append(.cdo, start)
      } else {
        appendDelim(byte, start)
      }
    case 0x40:  // @
      if startsIdent(bytes, start + 1) {
        position += 1
        let name = consumeName(bytes)
        append(.atKeyword, start, text: name)
      } else {
        appendDelim(byte, start)
      }
    case 0x5C:
      if isEscape(bytes, start) { consumeIdentLike(bytes) } else { appendDelim(byte, start) }
    default:
      if isNameByte(byte) { consumeIdentLike(bytes) } else { appendDelim(byte, start) }
    }
  }

  private mutating func append(_ kind: TokenKind, _ start: Int, text: Range<UInt32>? = nil) {
    tokens.append(Token(kind, start: UInt32(start), text: text ?? UInt32(start)..<UInt32(start)))
  }
  private mutating func appendDelim(_ byte: UInt8, _ start: Int) {
    position = start + 1
    tokens.append(Token(.delim, start: UInt32(start), text: UInt32(start)..<UInt32(start + 1), payload: UInt64(byte)))
  }
  private mutating func appendOpening(_ kind: TokenKind, _ start: Int) {
    position = start + 1
    open.append(tokens.count)
    append(kind, start)
  }
  /// A closing token ends the innermost open block if it is of its kind, and is a stray one otherwise (section 5.4.9).
  private mutating func appendClosing(_ kind: TokenKind, _ start: Int) {
    position = start + 1
    if let last = open.last, tokens[last].kind.closing == kind {
      tokens[last].payload = UInt64(tokens.count)
      open.removeLast()
    }
    append(kind, start)
  }

  // MARK: Names, urls

  /// Section 4.3.4.
  private mutating func consumeIdentLike(_ bytes: Span<UInt8>) {
    let start = position
    let name = consumeName(bytes)
    guard position < end, bytes[position] == 0x28 else { return append(.ident, start, text: name) }
    position += 1
    let isPlainURL =
      position - start == 4 && bytes[start] | 0x20 == 0x75 && bytes[start + 1] | 0x20 == 0x72
      && bytes[start + 2] | 0x20 == 0x6C
    if isPlainURL || isURLWithEscapes(name, bytes) {
      var next = position
      while next < end, isWhitespace(bytes[next]) { next += 1 }
      if next >= end || (bytes[next] != 0x22 && bytes[next] != 0x27) {
        position = next
        return consumeURL(bytes, start)
      }
    }
    open.append(tokens.count)
    append(.function, start, text: name)
  }

  /// The name written with escapes is `url`.
  private func isURLWithEscapes(_ name: Range<UInt32>, _ bytes: Span<UInt8>) -> Bool {
    guard name.count == 3, Int(name.lowerBound) >= end else { return false }
    let first = Int(name.lowerBound) - end
    return unescaped[first] | 0x20 == 0x75 && unescaped[first + 1] | 0x20 == 0x72 && unescaped[first + 2] | 0x20 == 0x6C
  }

  /// Section 4.3.6; the cursor stands behind the white space after `url(`.
  private mutating func consumeURL(_ bytes: Span<UInt8>, _ start: Int) {
    let first = position
    var copied: Int?
    while position < end {
      let byte = bytes[position]
      if byte == 0x29 {
        let text = finish(first, position, copied)
        position += 1
        return append(.url, start, text: text)
      }
      if isWhitespace(byte) {
        let text = finish(first, position, copied)
        skipWhitespace(bytes)
        if position >= end { return append(.url, start, text: text) }
        if bytes[position] == 0x29 {
          position += 1
          return append(.url, start, text: text)
        }
        return consumeBadURL(bytes, start)
      }
      if byte == 0x22 || byte == 0x27 || byte == 0x28 || byte < 0x20 || byte == 0x7F {
        return consumeBadURL(bytes, start)
      }
      if byte == 0x5C {
        guard isEscape(bytes, position) else { return consumeBadURL(bytes, start) }
        if copied == nil { copied = beginCopy(bytes, first, position) }
        consumeEscape(bytes)
        continue
      }
      if copied != nil { unescaped.append(byte) }
      position += 1
    }
    append(.url, start, text: finish(first, position, copied))
  }

  /// Section 4.3.14.
  private mutating func consumeBadURL(_ bytes: Span<UInt8>, _ start: Int) {
    while position < end {
      if bytes[position] == 0x29 {
        position += 1
        break
      }
      position += isEscape(bytes, position) ? min(2, end - position) : 1
    }
    append(.badURL, start)
  }

  /// Section 4.3.5.
  private mutating func consumeString(_ bytes: Span<UInt8>) {
    let start = position
    let quote = bytes[start]
    position += 1
    let first = position
    var copied: Int?
    while position < end {
      let byte = bytes[position]
      if byte == quote {
        let text = finish(first, position, copied)
        position += 1
        return append(.string, start, text: text)
      }
      if isNewline(byte) { return append(.badString, start) }
      if byte == 0x5C {
        if copied == nil { copied = beginCopy(bytes, first, position) }
        if position + 1 >= end {
          position += 1
        } else if isNewline(bytes[position + 1]) {
          position += bytes[position + 1] == 0x0D && position + 2 < end && bytes[position + 2] == 0x0A ? 3 : 2
        } else {
          consumeEscape(bytes)
        }
        continue
      }
      if copied != nil { unescaped.append(byte) }
      position += 1
    }
    append(.string, start, text: finish(first, position, copied))
  }

  /// Section 4.3.12.
  private mutating func consumeName(_ bytes: Span<UInt8>) -> Range<UInt32> {
    let first = position
    while position < end, isNameByte(bytes[position]) { position += 1 }
    guard position < end, isEscape(bytes, position) else { return UInt32(first)..<UInt32(position) }
    let copied = beginCopy(bytes, first, position)
    while position < end {
      if isNameByte(bytes[position]) {
        unescaped.append(bytes[position])
        position += 1
      } else if isEscape(bytes, position) {
        consumeEscape(bytes)
      } else {
        break
      }
    }
    return finish(first, position, copied)
  }

  private mutating func beginCopy(_ bytes: Span<UInt8>, _ first: Int, _ last: Int) -> Int {
    let start = unescaped.count
    for index in first..<last { unescaped.append(bytes[index]) }
    return start
  }
  private func finish(_ first: Int, _ last: Int, _ copied: Int?) -> Range<UInt32> {
    guard let copied else { return UInt32(first)..<UInt32(last) }
    return UInt32(truncatingIfNeeded: end + copied)..<UInt32(truncatingIfNeeded: end + unescaped.count)
  }

  /// Section 4.3.7; the cursor stands at the backslash of a valid escape. Appends the character to `unescaped`.
  private mutating func consumeEscape(_ bytes: Span<UInt8>) {
    position += 1
    guard position < end else {
      unescaped += [0xEF, 0xBF, 0xBD]
      return
    }
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, position < end, let digit = hexValue(bytes[position]) {
      value = value << 4 | UInt32(digit)
      digits += 1
      position += 1
    }
    guard digits > 0 else {
      // The lead byte; bytes that continue a character are name bytes and follow as such.
      unescaped.append(bytes[position])
      position += 1
      while position < end, bytes[position] & 0xC0 == 0x80 {
        unescaped.append(bytes[position])
        position += 1
      }
      return
    }
    if position < end, isWhitespace(bytes[position]) {
      position += bytes[position] == 0x0D && position + 1 < end && bytes[position + 1] == 0x0A ? 2 : 1
    }
    let scalar = value == 0 ? "\u{FFFD}" : UnicodeScalar(value) ?? "\u{FFFD}"
    unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  // MARK: Numbers

  /// Sections 4.3.3, 4.3.13.
  private mutating func consumeNumeric(_ bytes: Span<UInt8>) {
    let start = position
    var isInteger = true
    var isNegative = false
    var hasSign = false
    var mantissa: UInt64 = 0
    var exponent = 0
    if bytes[position] == 0x2B || bytes[position] == 0x2D {
      isNegative = bytes[position] == 0x2D
      hasSign = true
      position += 1
    }
    func take(_ byte: UInt8, isFraction: Bool) {
      if mantissa < 100_000_000_000_000_000 {
        mantissa = mantissa * 10 + UInt64(byte & 0x0F)
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    }
    while position < end, isDigit(bytes[position]) {
      take(bytes[position], isFraction: false)
      position += 1
    }
    if position + 1 < end, bytes[position] == 0x2E, isDigit(bytes[position + 1]) {
      isInteger = false
      position += 1
      while position < end, isDigit(bytes[position]) {
        take(bytes[position], isFraction: true)
        position += 1
      }
    }
    if position + 1 < end, bytes[position] | 0x20 == 0x65 {
      var next = position + 1
      let isNegativeExponent = bytes[next] == 0x2D
      if isNegativeExponent || bytes[next] == 0x2B { next += 1 }
      if next < end, isDigit(bytes[next]) {
        isInteger = false
        var written = 0
        while next < end, isDigit(bytes[next]) {
          written = min(99_999, written * 10 + Int(bytes[next] & 0x0F))
          next += 1
        }
        exponent += isNegativeExponent ? -written : written
        position = next
      }
    }
    let magnitude = Self.scaled(mantissa, exponent)
    let payload = (isNegative ? -magnitude : magnitude).bitPattern
    let digits = UInt32(start)..<UInt32(position)
    if position < end, bytes[position] == 0x25 {
      position += 1
      tokens.append(
        Token(.percentage, start: UInt32(start), text: digits, payload: payload, isInteger: isInteger, hasSign: hasSign)
      )
    } else if startsIdent(bytes, position) {
      let unit = consumeName(bytes)
      tokens.append(
        Token(.dimension, start: UInt32(start), text: unit, payload: payload, isInteger: isInteger, hasSign: hasSign))
    } else {
      tokens.append(
        Token(.number, start: UInt32(start), text: digits, payload: payload, isInteger: isInteger, hasSign: hasSign))
    }
  }

  /// `mantissa` times ten to `exponent`, held to what a `Float` can say so that arithmetic on it stays finite.
  private static func scaled(_ mantissa: UInt64, _ exponent: Int) -> Double {
    if mantissa == 0 { return 0 }
    var value = Double(mantissa)
    if exponent > 0 {
      value *= pow(10, Double(min(exponent, 300)))
    } else if exponent < 0 {
      // Dividing by an exact power rounds once; smaller ones take two steps.
      let exponent = min(-exponent, 600)
      value = exponent <= 300 ? value / pow(10, Double(exponent)) : value / 1e300 / pow(10, Double(exponent - 300))
    }
    return min(value, Double(Float.greatestFiniteMagnitude))
  }

  // MARK: Looking ahead

  /// Section 4.3.9.
  private func startsIdent(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    guard index < end else { return false }
    let byte = bytes[index]
    if byte == 0x2D {
      guard index + 1 < end else { return false }
      let next = bytes[index + 1]
      return next == 0x2D || isNameStart(next) || isEscape(bytes, index + 1)
    }
    return isNameStart(byte) || isEscape(bytes, index)
  }

  /// Section 4.3.10.
  private func startsNumber(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    var index = index
    if bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
    guard index < end else { return false }
    if isDigit(bytes[index]) { return true }
    return bytes[index] == 0x2E && index + 1 < end && isDigit(bytes[index + 1])
  }

  /// Section 4.3.8. A backslash at the very end is a valid escape.
  private func isEscape(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    guard index < end, bytes[index] == 0x5C else { return false }
    return index + 1 >= end || !isNewline(bytes[index + 1])
  }

  private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
    while position < end, isWhitespace(bytes[position]) { position += 1 }
  }
  private mutating func skipComment(_ bytes: Span<UInt8>) {
    position += 2
    while position < end {
      if bytes[position] == 0x2A, position + 1 < end, bytes[position + 1] == 0x2F {
        position += 2
        return
      }
      position += 1
    }
  }
}

@inline(__always)
private func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }
@inline(__always)
func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isNewline(byte) }
@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
@inline(__always)
private func isNameStart(_ byte: UInt8) -> Bool { byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F }
@inline(__always)
private func isNameByte(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) || byte == 0x2D }
@inline(__always)
private func hexValue(_ byte: UInt8) -> UInt8? {
  if isDigit(byte) { return byte & 0x0F }
  let letter = (byte | 0x20) &- 0x61
  return letter < 6 ? letter + 10 : nil
}
