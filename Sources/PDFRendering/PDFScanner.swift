import Primitives

/// A value of PDF syntax (ISO 32000-1, section 7.3), read from a file.
package indirect enum PDFValue: Sendable {
  /// A number, a truth value or `null`, as it is written.
  case word(ArraySlice<UInt8>)
  /// Without its slash, escapes as they are written.
  case name(ArraySlice<UInt8>)
  /// With its brackets, as it is written.
  case string(ArraySlice<UInt8>)
  case array([PDFValue])
  case dictionary([(key: ArraySlice<UInt8>, value: PDFValue)])
  /// The number of an indirect object.
  case reference(Int)

  package var number: Double? {
    guard case .word(let bytes) = self else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  package var elements: [PDFValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  /// The value is this name.
  package func isName(_ name: StaticString) -> Bool {
    guard case .name(let bytes) = self else { return false }
    return bytes.elementsEqual(name)
  }

  /// The value of a key of a dictionary.
  package subscript(_ key: StaticString) -> PDFValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key.elementsEqual(key) }?.value
  }

  /// The value of a key of a dictionary.
  package subscript(_ key: ArraySlice<UInt8>) -> PDFValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

extension ArraySlice<UInt8> {
  /// The bytes are these characters.
  package func elementsEqual(_ text: StaticString) -> Bool {
    let letters = text.bytes
    return count == letters.count && letters.indices.allSatisfy { self[startIndex + $0] == letters[$0] }
  }
}

/// Reads PDF syntax (ISO 32000-1, section 7.2): the values of a file, or the tokens of a content stream.
package struct PDFScanner {
  package enum Token: Sendable {
    case number, name, string
    /// An operator, or a keyword of a file.
    case keyword
    case openArray, closeArray, openDictionary, closeDictionary
  }

  package let bytes: ArraySlice<UInt8>
  /// The index of the next byte to be read.
  package var position: Int
  /// Arrays and dictionaries in each other.
  private static let deepest = 64

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes[...]
    self.position = Swift.max(0, position)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0 }

  private static func isRegular(_ byte: UInt8) -> Bool {
    if isSpace(byte) { return false }
    switch byte {
    case 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D, 0x2F, 0x25: return false
    default: return true
    }
  }

  mutating func skipSpace() {
    while position < bytes.endIndex {
      if bytes[position] == 0x25 {
        while position < bytes.endIndex, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      } else if Self.isSpace(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  /// The next token and where it stands; nil at the end, and where the syntax is broken.
  package mutating func token() -> (kind: Token, range: Range<Int>)? {
    skipSpace()
    guard position < bytes.endIndex else { return nil }
    let start = position
    position += 1
    let next = position < bytes.endIndex ? bytes[position] : 0
    switch bytes[start] {
    case 0x5B: return (.openArray, start..<position)
    case 0x5D: return (.closeArray, start..<position)
    case 0x3C where next == 0x3C, 0x3E where next == 0x3E:
      position += 1
      return (bytes[start] == 0x3C ? .openDictionary : .closeDictionary, start..<position)
    case 0x3C:
      while position < bytes.endIndex, bytes[position] != 0x3E { position += 1 }
      guard position < bytes.endIndex else { return nil }
      position += 1
      return (.string, start..<position)
    case 0x28: return skipLiteral() ? (.string, start..<position) : nil
    case 0x2F:
      skipRegular()
      return (.name, start..<position)
    case let first where Self.isRegular(first):
      skipRegular()
      switch first {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E: return (.number, start..<position)
      default: return (.keyword, start..<position)
      }
    default: return nil
    }
  }

  private mutating func skipRegular() {
    while position < bytes.endIndex, Self.isRegular(bytes[position]) { position += 1 }
  }

  /// Skips a string whose opening bracket has been read.
  private mutating func skipLiteral() -> Bool {
    var depth = 1
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x5C: position += 1
      case 0x28: depth += 1
      case 0x29: depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return position <= bytes.endIndex }
    }
    return false
  }

  /// The next value; nil at the end, and where the syntax is broken.
  package mutating func value(depth: Int = 0) -> PDFValue? {
    guard depth < Self.deepest, let (kind, range) = token() else { return nil }
    switch kind {
    case .number: return reference(range) ?? .word(bytes[range])
    case .keyword: return .word(bytes[range])
    case .name: return .name(bytes[range].dropFirst())
    case .string: return .string(bytes[range])
    case .closeArray, .closeDictionary: return nil
    case .openArray:
      var elements: [PDFValue] = []
      while true {
        skipSpace()
        guard position < bytes.endIndex else { return nil }
        if bytes[position] == 0x5D {
          position += 1
          return .array(elements)
        }
        guard let element = value(depth: depth + 1) else { return nil }
        elements.append(element)
      }
    case .openDictionary:
      var entries: [(key: ArraySlice<UInt8>, value: PDFValue)] = []
      while let (kind, range) = token() {
        if kind == .closeDictionary { return .dictionary(entries) }
        guard kind == .name, let value = value(depth: depth + 1) else { return nil }
        entries.append((bytes[range].dropFirst(), value))
      }
      return nil
    }
  }

  /// The rest of an indirect reference, `0 R`, behind a number.
  private mutating func reference(_ number: Range<Int>) -> PDFValue? {
    let start = position
    if let object = integer(number), let generation = token(), generation.kind == .number,
      let end = token(), end.kind == .keyword, bytes[end.range].elementsEqual("R")
    {
      return .reference(object)
    }
    position = start
    return nil
  }

  package func integer(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }

  /// The bytes that a string stands for (section 7.3.4); nil for hexadecimal digits that are none.
  package static func decoded(_ string: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = string.dropFirst().dropLast()
    if string.first == 0x3C {
      let digits = rest.filter { !isSpace($0) }.map { UInt8(String(Unicode.Scalar($0)), radix: 16) }
      for at in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[at], let low = at + 1 < digits.count ? digits[at + 1] : 0 else { return nil }
        result.append(high << 4 | low)
      }
      return result
    }
    while let byte = rest.popFirst() {
      guard byte == 0x5C, let escaped = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch escaped {
      case 0x6E: result.append(0x0A)
      case 0x72: result.append(0x0D)
      case 0x74: result.append(0x09)
      case 0x62: result.append(0x08)
      case 0x66: result.append(0x0C)
      case 0x0A: break
      case 0x30...0x37:
        var value = Int(escaped - 0x30)
        for _ in 0..<2 {
          guard let digit = rest.first, (0x30...0x37).contains(digit) else { break }
          value = value * 8 + Int(digit - 0x30)
          rest.removeFirst()
        }
        result.append(UInt8(truncatingIfNeeded: value))
      default: result.append(escaped)
      }
    }
    return result
  }
}
