import Primitives

extension MarkupNormalizer {
  /// Rewrites the reference at `index` (an ampersand) and returns where to go on.
  mutating func reference(at index: Int, isInAttribute: Bool) -> Int {
    if byte(index + 1) == UInt8(ascii: "#") { return numericReference(at: index, isInAttribute: isInAttribute) }
    var end = index + 1
    while end < input.count, end - index <= 64, isNameByte(input[end]) { end += 1 }
    let name = String(decoding: input[index + 1..<end], as: UTF8.self)
    if !name.isEmpty, byte(end) == UInt8(ascii: ";") {
      if let characters = xhtml.entities[name] ?? NamedCharacterReferences.characters(of: name) {
        write(characters, instead: index..<end + 1, isInAttribute: isInAttribute)
        return end + 1
      }
    }
    if !name.isEmpty, byte(end) == UInt8(ascii: ";"), unknownReferences.count < 100 {
      unknownReferences.append((line(of: index), name))
    }
    replace(index..<index + 1, with: "&#38;")
    return index + 1
  }

  private mutating func numericReference(at index: Int, isInAttribute: Bool) -> Int {
    guard
      let (number, end) = NumericCharacterReferences.number(at: index + 1, in: input.span, end: input.count)
    else {
      replace(index..<index + 1, with: "&#38;")
      return index + 1
    }
    write(character(numbered: number), instead: index..<end, isInAttribute: isInAttribute)
    return end
  }

  /// The character of a numeric reference, corrected as HTML does (section 13.2.5.80).
  private func character(numbered value: UInt32) -> String {
    if let character = NumericCharacterReferences.windows1252(value) { return String(character) }
    if value == 0x0C { return " " }
    if value > 0, value < 0x20, value != 0x09, value != 0x0A, value != 0x0D { return "" }
    if value == 0 || value & 0xFFFE == 0xFFFE { return "\u{FFFD}" }
    return Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
  }

  /// Writes characters so that the parser takes them for text.
  private mutating func write(_ characters: String, instead range: Range<Int>, isInAttribute: Bool) {
    replace(range, with: "")
    for scalar in characters.unicodeScalars {
      switch scalar {
      case "\u{7F}" where !isInAttribute: writeStandInCharacter()
      case "&", "<", "\r": output.append(contentsOf: "&#\(scalar.value);".utf8)
      case ">", "\"", "'", "\n", "\t":
        if isInAttribute || scalar == ">" {
          output.append(contentsOf: "&#\(scalar.value);".utf8)
        } else {
          output.append(UInt8(truncatingIfNeeded: scalar.value))
        }
      default: output.append(contentsOf: Array(String(scalar).utf8))
      }
    }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || byte == 0x2E || byte == 0x2D || byte == 0x5F
  }

  // MARK: DOCTYPE

  /// Reads the document type declaration at `index`, drops it, and returns where to go on.
  mutating func doctype(at index: Int) -> Int {
    var cursor = index + 9
    while cursor < input.count, input[cursor] != 0x3E, input[cursor] != 0x5B {
      let isQuote = input[cursor] == 0x22 || input[cursor] == 0x27
      if !isQuote || literal(&cursor) == nil { cursor += 1 }
    }
    if byte(cursor) == 0x5B {
      let subset = cursor
      if let end = internalSubset(&cursor) {
        cursor = end
      } else {
        cursor = subset
      }
      while cursor < input.count, input[cursor] != 0x3E { cursor += 1 }
    }
    let end = min(cursor + 1, input.count)
    if xhtml.documentType == nil { xhtml.documentType = index..<end }
    replaceKeepingLines(index..<end, with: "")
    return end
  }

  private func skipSpace(_ cursor: inout Int) {
    while cursor < input.count, isSpace(input[cursor]) { cursor += 1 }
  }

  private func literal(_ cursor: inout Int) -> String? {
    skipSpace(&cursor)
    let quote = byte(cursor)
    guard quote == 0x22 || quote == 0x27 else { return nil }
    let start = cursor + 1
    var end = start
    while end < input.count, input[end] != quote { end += 1 }
    guard end < input.count else { return nil }
    cursor = end + 1
    return String(decoding: input[start..<end], as: UTF8.self)
  }

  /// Reads the internal subset, whose `[` is at `cursor`, for entities of plain text; returns the position after its `]`.
  ///
  /// Entities that refer to others or to files stay unknown, hence cannot expand.
  private mutating func internalSubset(_ cursor: inout Int) -> Int? {
    cursor += 1
    while cursor < input.count {
      if input[cursor] == 0x5D { return cursor + 1 }
      guard input[cursor] == 0x3C else {
        cursor += 1
        continue
      }
      if stands("<!--", at: cursor) {
        guard let end = find("-->", from: cursor + 4) else { return nil }
        cursor = end + 3
        continue
      }
      let isEntity = stands("<!entity", at: cursor)
      var end = cursor + 2
      while end < input.count, input[end] != 0x3E {
        if input[end] == 0x22 || input[end] == 0x27 {
          let quote = input[end]
          end += 1
          while end < input.count, input[end] != quote { end += 1 }
        }
        end += 1
      }
      guard end < input.count else { return nil }
      if isEntity { declareEntity(cursor + 8..<end) }
      cursor = end + 1
    }
    return nil
  }

  private mutating func declareEntity(_ range: Range<Int>) {
    var cursor = range.lowerBound
    skipSpace(&cursor)
    let start = cursor
    while cursor < range.upperBound, !isSpace(input[cursor]) { cursor += 1 }
    let name = String(decoding: input[start..<cursor], as: UTF8.self)
    guard name != "%", xhtml.entities.count < 1000, xhtml.entities[name] == nil, let value = literal(&cursor) else {
      return
    }
    guard value.utf8.count <= 200, cursor <= range.upperBound, !value.utf8.contains(0x3C) else { return }
    var characters = ""
    var rest = value.utf8[...]
    while let ampersand = rest.firstIndex(of: 0x26) {
      characters += String(Substring(rest[..<ampersand]))
      guard let semicolon = rest[ampersand...].firstIndex(of: 0x3B),
        let scalar = numbered(rest[rest.index(after: ampersand)..<semicolon])
      else { return }
      characters.unicodeScalars.append(scalar)
      rest = rest[rest.index(after: semicolon)...]
    }
    xhtml.entities[name] = characters + String(Substring(rest))
  }

  private func numbered(_ digits: Substring.UTF8View) -> Unicode.Scalar? {
    guard digits.first == 0x23 else { return nil }
    let digits = digits.dropFirst()
    if let first = digits.first, first | 0x20 == 0x78 {
      return UInt32(Substring(digits.dropFirst()), radix: 16).flatMap(Unicode.Scalar.init)
    }
    return UInt32(Substring(digits)).flatMap(Unicode.Scalar.init)
  }
}
