import Primitives

/// The kinds of token a style sheet is made of (CSS Syntax 3, section 4).
package enum TokenKind: UInt8, Hashable, Sendable {
  case ident, function, atKeyword
  /// A hash token whose name could be an identifier, and one whose could not (`#123`).
  case hashID, hashUnrestricted
  case string, badString, url, badURL, delim
  case number, percentage, dimension
  case whitespace, cdo, cdc, colon, semicolon, comma
  case openSquare, closeSquare, openParen, closeParen, openCurly, closeCurly
  /// End of input, which a cursor gives beyond its last token; never stored.
  case eof
}

/// One token: a trivial value that points into the text of its `TokenBuffer`.
package struct Token: Sendable {
  /// The number, or the link of a bracket, or the scalar of a delim.
  var payload: UInt64
  /// The offset of the token in the buffer's text.
  package var start: UInt32
  /// Unescaped text: the name of an ident, function (without parenthesis), at-keyword or hash; the contents of a string or
  /// url; the unit of a dimension; the digits as written of a number or percentage.
  package var text: Range<UInt32>
  package var kind: TokenKind
  /// Number, percentage, dimension: whether it was written without fraction and exponent.
  package var isInteger: Bool
  /// Number, percentage, dimension: whether it was written with `+` or `-`.
  package var hasSign: Bool

  init(
    _ kind: TokenKind, start: UInt32, text: Range<UInt32>, payload: UInt64 = 0, isInteger: Bool = false,
    hasSign: Bool = false
  ) {
    self.kind = kind
    self.isInteger = isInteger
    self.hasSign = hasSign
    self.payload = payload
    self.start = start
    self.text = text
  }

  package static let eof = Token(.eof, start: 0, text: 0..<0)

  /// The value of a number, percentage (50 for `50%`) or dimension; always finite.
  package var number: Double { Double(bitPattern: payload) }
  /// The value of an integer token, held to what an `Int32` can say.
  package var integer: Int { Int(max(-2_147_483_648, min(2_147_483_647, number))) }
  /// The character of a delim; U+0000 for every other kind.
  package var delim: UnicodeScalar { kind == .delim ? UnicodeScalar(UInt32(payload & 0x1F_FFFF)) ?? "\0" : "\0" }
  /// Function or opening bracket: the index, in the same buffer, of the closing token; the end of the buffer (or of the
  /// declaration list it stands in) when it was never closed.
  package var blockEnd: Int { Int(payload) }
  /// The token is a function or an opening bracket, and so has a `blockEnd`.
  package var opensBlock: Bool {
    kind == .function || kind == .openParen || kind == .openSquare || kind == .openCurly
  }
}

/// Tokens and the text they point into. A style sheet owns one; substituting `var()` builds a new one.
package struct TokenBuffer: Sendable {
  package internal(set) var tokens: [Token] = []
  /// UTF-8: the source, followed by the contents of those tokens that were written with escapes.
  package internal(set) var text: [UInt8] = []

  package init() {}

  package func bytes(_ range: Range<UInt32>) -> ArraySlice<UInt8> {
    text[Int(range.lowerBound)..<Int(range.upperBound)]
  }
  package func string(_ range: Range<UInt32>) -> String { String(decoding: bytes(range), as: UTF8.self) }
  /// The text in ASCII lower case.
  package func lowercased(_ range: Range<UInt32>) -> String {
    String(decoding: bytes(range).map { asciiLowercased($0) }, as: UTF8.self)
  }

  /// The text equals `keyword` (lower case) but for ASCII case.
  package func text(_ range: Range<UInt32>, is keyword: StaticString) -> Bool {
    let count = Int(range.upperBound) - Int(range.lowerBound)
    let letters = keyword.bytes
    guard count == letters.count else { return false }
    let start = Int(range.lowerBound)
    for index in letters.indices where asciiLowercased(text[start + index]) != letters[index] { return false }
    return true
  }

  /// Appends tokens of another buffer with their text, as `var()` does. `linkBlocks` must follow before they are parsed.
  package mutating func append(_ range: Range<Int>, of other: TokenBuffer) {
    for index in range {
      var token = other.tokens[index]
      let start = UInt32(truncatingIfNeeded: text.count)
      text += other.bytes(token.text)
      token.text = start..<UInt32(truncatingIfNeeded: text.count)
      token.start = start
      tokens.append(token)
    }
  }

  /// Points every function and opening bracket at its closing token.
  package mutating func linkBlocks(from first: Int = 0) {
    var open: [Int] = []
    for index in first..<tokens.count { linkBlock(at: index, open: &open) }
    closeBlocks(&open)
  }

  /// Takes one token into account: an opening one is remembered, a closing one linked to the innermost open block if it
  /// closes that; otherwise it is a stray token (CSS Syntax 3, section 5.4.9).
  mutating func linkBlock(at index: Int, open: inout [Int]) {
    switch tokens[index].kind {
    case .function, .openParen, .openSquare, .openCurly:
      open.append(index)
    case .closeParen, .closeSquare, .closeCurly:
      guard let last = open.last, tokens[last].kind.closing == tokens[index].kind else { return }
      tokens[last].payload = UInt64(index)
      open.removeLast()
    default: break
    }
  }
  mutating func closeBlocks(_ open: inout [Int]) {
    for index in open { tokens[index].payload = UInt64(tokens.count) }
    open.removeAll()
  }
}

extension TokenKind {
  /// The kind that closes this opening one.
  var closing: TokenKind {
    switch self {
    case .function, .openParen: .closeParen
    case .openSquare: .closeSquare
    case .openCurly: .closeCurly
    default: .eof
    }
  }
}

@inline(__always)
package func asciiLowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
