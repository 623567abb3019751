import Primitives

extension MarkupNormalizer {
  /// Rewrites what the `<` at `index` begins and returns where to go on.
  mutating func markup(at index: Int) -> Int {
    let next = byte(index + 1)
    if next == UInt8(ascii: "!") { return declaration(at: index) }
    if next == UInt8(ascii: "?") { return instruction(at: index) }
    if next == UInt8(ascii: "/"), isNameStart(byte(index + 2)) { return endTag(at: index) }
    if isNameStart(next) { return startTag(at: index) }
    replace(index..<index + 1, with: "&#60;")
    return index + 1
  }

  private mutating func instruction(at index: Int) -> Int {
    let end: Int
    if let close = find("?>", from: index + 2) {
      end = close + 2
    } else if let close = find(">", from: index + 2) {
      end = close + 1
    } else {
      replace(index..<index + 1, with: "&#60;")
      return index + 1
    }
    if isInProlog { styleSheetInstruction(index..<end) }
    // The XML declaration must vanish: the bytes are UTF-8 now, whatever it says.
    if output.isEmpty && copied == index {
      replaceKeepingLines(index..<end, with: "")
    } else {
      replaceByComment(index..<end)
    }
    return end
  }

  private mutating func styleSheetInstruction(_ range: Range<Int>) {
    let name: StaticString = "<?xml-stylesheet"
    let start = range.lowerBound + name.utf8CodeUnitCount
    guard stands(name, at: range.lowerBound), isSpace(byte(start)), start + 2 <= range.upperBound,
      styleSheets.count < 100
    else { return }
    let data = String(decoding: input[start..<range.upperBound - 2], as: UTF8.self)
    if let instruction = StyleSheetInstruction(data, line: line(of: range.lowerBound)) {
      styleSheets.append(instruction)
    }
  }

  private mutating func declaration(at index: Int) -> Int {
    if stands("<!--", at: index) {
      // One that never ends is taken to end with its tag.
      let end: Int
      if let close = find("-->", from: index + 2) {
        end = close + 3
      } else if let close = find(">", from: index + 4) {
        end = close + 1
      } else {
        end = input.count
      }
      replaceByComment(index..<end)
      return end
    }
    if stands("<![cdata[", at: index) {
      replace(index..<index + 9, with: "")
      let close = find("]]>", from: index + 9)
      writeEscaped(index + 9..<(close ?? input.count))
      guard let close else { return input.count }
      replace(close..<close + 3, with: "")
      return close + 3
    }
    if stands("<!doctype", at: index) { return doctype(at: index) }
    let end = find(">", from: index + 2).map { $0 + 1 } ?? input.count
    replaceByComment(index..<end)
    return end
  }

  private mutating func endTag(at index: Int) -> Int {
    var end = index + 2
    while end < input.count, input[end] != 0x3E, input[end] != 0x3C { end += 1 }
    return end < input.count && input[end] == 0x3E ? end + 1 : end
  }

  private mutating func startTag(at index: Int) -> Int {
    isInProlog = false
    var cursor = index + 1
    while cursor < input.count, !isSpace(input[cursor]), input[cursor] != 0x2F,
      input[cursor] != 0x3E, input[cursor] != 0x3C
    {
      cursor += 1
    }
    while cursor < input.count {
      switch input[cursor] {
      case 0x3E: return cursor + 1
      case 0x3D: cursor = attributeValue(at: cursor + 1)
      case 0..<0x20: cursor = control(inTagAt: cursor)
      default: cursor += 1
      }
    }
    return cursor
  }

  private mutating func control(inTagAt index: Int) -> Int {
    let byte = input[index]
    if byte == 0x09 || byte == 0x0A || byte == 0x0D { return index + 1 }
    replace(index..<index + 1, with: byte == 0x0C ? " " : "")
    return index + 1
  }

  /// Rewrites the attribute value that begins at or after `start` and returns the position after it.
  private mutating func attributeValue(at start: Int) -> Int {
    var cursor = start
    while cursor < input.count, isSpace(input[cursor]) { cursor += 1 }
    let quote = byte(cursor)
    guard quote == 0x22 || quote == 0x27 else {
      while cursor < input.count, !isSpace(input[cursor]), input[cursor] != 0x3E { cursor += 1 }
      return cursor
    }
    cursor += 1
    var end = cursor
    while end < input.count, input[end] != quote { end += 1 }
    // One that is never closed takes the rest with it.
    guard end < input.count else { return end }
    rewriteValue(cursor..<end)
    return end + 1
  }

  private mutating func rewriteValue(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      switch input[index] {
      case UInt8(ascii: "&"): index = reference(at: index, isInAttribute: true)
      case UInt8(ascii: "<"):
        replace(index..<index + 1, with: "&#60;")
        index += 1
      case 0..<0x20:
        index = control(inTagAt: index)
      default: index += 1
      }
    }
  }
}
