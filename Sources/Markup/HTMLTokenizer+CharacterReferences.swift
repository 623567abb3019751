import Primitives

extension HTMLTokenizer {
  /// The bytes in a range as they are.
  func copy(_ range: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
    Array(bytes.extracting(range))
  }

  /// The bytes in a range with line ends unified and U+0000 replaced.
  package func text(
    _ range: Range<Int>, of bytes: Span<UInt8>, resolvesReferences: Bool, isInAttribute: Bool = false
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "&") where resolvesReferences:
        if let found = reference(at: index, in: bytes, end: range.upperBound, isInAttribute: isInAttribute) {
          result += found.characters.utf8
          index = found.end
          continue
        }
        result.append(bytes[index])
      case 0:
        result += "\u{FFFD}".utf8
      case 0x0D:
        if index + 1 == range.upperBound || bytes[index + 1] != 0x0A { result.append(0x0A) }
      default:
        result.append(bytes[index])
      }
      index += 1
    }
    return result
  }

  /// The characters that the ampersand at `index` and some of the bytes after it, before `end`, stand for (HTML, section 13.2.5.72 and
  /// on); nil if they are text.
  func reference(
    at index: Int, in bytes: Span<UInt8>, end: Int, isInAttribute: Bool
  ) -> (characters: String, end: Int)? {
    let start = index + 1
    guard start < end else { return nil }
    if bytes[start] == UInt8(ascii: "#") { return numericReference(at: start, in: bytes, end: end) }
    var cursor = start
    while cursor < end, cursor - start < 64, ASCII.isAlphanumeric(bytes[cursor]) { cursor += 1 }
    guard cursor > start else { return nil }
    let name = String(decoding: bytes.extracting(start..<cursor))
    if cursor < end, bytes[cursor] == UInt8(ascii: ";"),
      let characters = xhtml?.entities[name] ?? NamedCharacterReferences.characters(of: name)
    {
      return (characters, cursor + 1)
    }
    guard let legacy = NamedCharacterReferences.legacyPrefix(of: name) else { return nil }
    let after = start + legacy.length
    let isQueryPart =
      isInAttribute && after < end && (bytes[after] == UInt8(ascii: "=") || ASCII.isAlphanumeric(bytes[after]))
    if isQueryPart { return nil }
    return (legacy.characters, after)
  }

  private func numericReference(at mark: Int, in bytes: Span<UInt8>, end: Int) -> (characters: String, end: Int)? {
    guard let (number, after) = NumericCharacterReferences.number(at: mark, in: bytes, end: end) else { return nil }
    let character = NumericCharacterReferences.windows1252(number) ?? Unicode.Scalar(number) ?? "\u{FFFD}"
    return (String(character == "\0" ? "\u{FFFD}" : character), after)
  }
}
