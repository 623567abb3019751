extension TokenCursor {
  /// Reads `An+B`, `odd` or `even` (CSS Syntax 3, section 6) at the cursor; nil, with the cursor anywhere, when it is not.
  package mutating func parseAnPlusB() -> (a: Int32, b: Int32)? {
    let token = next()
    switch token.kind {
    case .number:
      return token.isInteger ? (0, Int32(clamping: token.integer)) : nil
    case .ident:
      if buffer.text(token.text, is: "odd") { return (2, 1) }
      if buffer.text(token.text, is: "even") { return (2, 0) }
      let isNegative = buffer.bytes(token.text).first == 0x2D
      return parseB(isNegative ? -1 : 1, afterN: buffer.bytes(token.text).dropFirst(isNegative ? 1 : 0))
    case .delim where token.delim == "+":
      // The sign of `+n` stands directly before its name.
      guard kind == .ident else { return nil }
      return parseB(1, afterN: buffer.bytes(next().text))
    case .dimension:
      guard token.isInteger else { return nil }
      return parseB(Int32(clamping: token.integer), afterN: buffer.bytes(token.text))
    default:
      return nil
    }
  }

  /// Reads what follows A; `name` is the part of its token from `n` on: `n`, `n-` or `n-3`.
  private mutating func parseB(_ a: Int32, afterN name: ArraySlice<UInt8>) -> (a: Int32, b: Int32)? {
    guard let first = name.first, first | 0x20 == 0x6E else { return nil }
    let rest = name.dropFirst()
    if rest.isEmpty {
      let start = position
      skipWhitespace()
      if kind == .number, token.hasSign {
        let number = next()
        return number.isInteger ? (a, Int32(clamping: number.integer)) : nil
      }
      if isDelim("+") || isDelim("-") {
        let sign: Int = isDelim("-") ? -1 : 1
        advance()
        return parseUnsigned().map { (a, Int32(clamping: sign * $0)) }
      }
      position = start
      return (a, 0)
    }
    guard rest.first == 0x2D else { return nil }
    let digits = rest.dropFirst()
    if digits.isEmpty { return parseUnsigned().map { (a, Int32(clamping: -$0)) } }
    var value = 0
    for byte in digits {
      guard byte &- 0x30 < 10 else { return nil }
      value = min(value * 10 + Int(byte & 0x0F), Int(Int32.max))
    }
    return (a, Int32(-value))
  }

  private mutating func parseUnsigned() -> Int? {
    skipWhitespace()
    let token = next()
    return token.kind == .number && token.isInteger && !token.hasSign ? token.integer : nil
  }
}
