import Primitives

extension EntityNormalizer {
  /// Rewrites what the `<` at `index` begins and returns where to go on.
  mutating func markup(at index: Int) -> Int {
    let next = byte(index + 1)
    if next == UInt8(ascii: "!") { return declaration(at: index) }
    if next == UInt8(ascii: "?") {
      let end: Int
      if let close = dialect == .xml || isBrokenXHTML ? find("?>", from: index + 2) : nil {
        end = close + 2
      } else if let close = find(">", from: index + 2) {
        end = close + 1
      } else {
        replace(index..<index + 1, with: "&#60;")
        return index + 1
      }
      // The XML declaration must vanish: the bytes are UTF-8 now, whatever it says.
      replaceKeepingLines(index..<end, with: output.isEmpty && copied == index ? "" : "<!---->")
      return end
    }
    if next == UInt8(ascii: "/") {
      guard isNameStart(byte(index + 2)) else {
        replace(index..<index + 1, with: "&#60;")
        return index + 1
      }
      return endTag(at: index)
    }
    guard isNameStart(next) else {
      replace(index..<index + 1, with: "&#60;")
      return index + 1
    }
    return startTag(at: index)
  }

  private mutating func declaration(at index: Int) -> Int {
    if stands("<!--", at: index) {
      // Also `<!-->` ends a comment in HTML; one that never ends is taken to end with its tag.
      let end: Int
      if let close = find("-->", from: index + 2) {
        end = close + 3
      } else if let close = find(">", from: index + 4) {
        end = close + 1
      } else {
        end = input.count
      }
      replaceKeepingLines(index..<end, with: "<!---->")
      return end
    }
    if stands("<![cdata[", at: index) {
      replace(index..<index + 9, with: "")
      let close = find("]]>", from: index + 9)
      writeEscaped(index + 9..<(close ?? input.count), resolvingReferences: false)
      guard let close else { return input.count }
      replace(close..<close + 3, with: "")
      return close + 3
    }
    if stands("<!doctype", at: index) { return doctype(at: index) }
    let end = find(">", from: index + 2).map { $0 + 1 } ?? input.count
    replaceKeepingLines(index..<end, with: "<!---->")
    return end
  }

  private mutating func endTag(at index: Int) -> Int {
    var end = index + 2
    while end < input.count, input[end] != 0x3E, input[end] != 0x3C { end += 1 }
    if dialect == .xml { return end < input.count && input[end] == 0x3E ? end + 1 : end }
    let name = nameRange(at: index + 2)
    let isClosed = end < input.count && input[end] == 0x3E
    let after = isClosed ? end + 1 : end
    if equals(name, "html") || equals(name, "head") || equals(name, "body") {
      replaceKeepingLines(index..<after, with: "")
    } else if !isClosed {
      flush(to: end)
      output.append(0x3E)
    }
    return after
  }

  func nameRange(at start: Int) -> Range<Int> {
    var end = start
    while end < input.count, !isSpace(input[end]), input[end] != 0x2F, input[end] != 0x3E, input[end] != 0x3C {
      end += 1
    }
    return start..<end
  }

  func equals(_ range: Range<Int>, _ name: StaticString) -> Bool {
    range.count == name.utf8CodeUnitCount && stands(name, at: range.lowerBound)
  }

  private mutating func startTag(at index: Int) -> Int {
    let name = nameRange(at: index + 1)
    // A structural tag of HTML becomes an empty element of another name: libxml2 drops or moves misplaced ones.
    let isStructural = dialect == .html && (equals(name, "html") || equals(name, "head") || equals(name, "body"))
    if isStructural {
      replace(index + 1..<index + 1, with: "x-")
    }
    var cursor = name.upperBound
    var isEmpty = false
    tag: while true {
      guard cursor < input.count else {
        if dialect == .html {
          flush(to: cursor)
          output.append(0x3E)
        }
        return cursor
      }
      switch input[cursor] {
      case 0x3E:
        isEmpty = byte(cursor - 1) == 0x2F
        break tag
      case 0x3C where dialect == .html:
        // The tag was never closed before the next began.
        flush(to: cursor)
        output.append(0x3E)
        return cursor
      case 0x3D:
        cursor = attributeValue(at: cursor + 1)
      case 0..<0x20:
        cursor = control(inTagAt: cursor)
      default:
        cursor += 1
      }
    }
    let end = cursor + 1
    guard dialect == .html else { return end }
    if isStructural {
      replace((isEmpty ? cursor - 1 : cursor)..<end, with: " />")
      return end
    }
    return content(after: end, of: name, isEmpty: isEmpty && isBrokenXHTML)
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
    guard quote == 0x22 || quote == 0x27 else { return unquotedValue(at: cursor) }
    cursor += 1
    var end = cursor
    if missingQuotes.contains(quote) {
      end = input.count
    } else {
      while end < input.count, input[end] != quote { end += 1 }
    }
    if end >= input.count {
      if !missingQuotes.contains(quote) { missingQuotes.append(quote) }
      // The quote is never closed: the value ends with the tag.
      guard dialect == .html else { return input.count }
      end = cursor
      while end < input.count, input[end] != 0x3E, input[end] != 0x3C { end += 1 }
      rewriteValue(cursor..<end)
      flush(to: end)
      output.append(quote)
      return end
    }
    rewriteValue(cursor..<end)
    return end + 1
  }

  private mutating func unquotedValue(at start: Int) -> Int {
    var end = start
    while end < input.count, !isSpace(input[end]), input[end] != 0x3E { end += 1 }
    // `<a href=x/>`: the slash belongs to the tag where the source was XHTML.
    if isBrokenXHTML, end > start, byte(end) == 0x3E, input[end - 1] == 0x2F { end -= 1 }
    if dialect == .html {
      // Quoting it keeps the parser from guessing.
      replace(start..<start, with: "\"")
      var cursor = start
      while cursor < end {
        if input[cursor] == 0x22 {
          replace(cursor..<cursor + 1, with: "&#34;")
          cursor += 1
        } else {
          let next = cursor + 1
          if input[cursor] == 0x26 || input[cursor] == 0x3C {
            var stop = next
            while stop < end, input[stop] != 0x22 { stop += 1 }
            rewriteValue(cursor..<stop)
            cursor = stop
          } else {
            cursor = next
          }
        }
      }
      flush(to: end)
      output.append(0x22)
    }
    return end
  }

  private mutating func rewriteValue(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      switch input[index] {
      case UInt8(ascii: "&"): index = reference(at: index, inAttribute: true)
      case UInt8(ascii: "<"):
        replace(index..<index + 1, with: "&#60;")
        index += 1
      case 0..<0x20:
        index = control(inTagAt: index)
      default: index += 1
      }
    }
  }

  /// Handles elements whose content is not markup: scripts, style sheets, titles, text areas.
  private mutating func content(after end: Int, of name: Range<Int>, isEmpty: Bool) -> Int {
    let close: Int?
    let isRaw: Bool
    var resolves = false
    if equals(name, "script") {
      close = find("</script", from: end)
      isRaw = true
    } else if equals(name, "style") {
      close = find("</style", from: end)
      isRaw = true
    } else if equals(name, "title") {
      close = find("</title", from: end)
      isRaw = false
      resolves = true
    } else if equals(name, "textarea") {
      close = find("</textarea", from: end)
      isRaw = false
      resolves = true
    } else if equals(name, "xmp") {
      close = find("</xmp", from: end)
      isRaw = false
    } else if equals(name, "iframe") {
      close = find("</iframe", from: end)
      isRaw = false
    } else {
      return end
    }
    guard !isEmpty, let close else {
      // Nothing ends it: it has no content, or the rest of the book would be lost in it.
      flush(to: end)
      output.append(contentsOf: "</".utf8)
      output.append(contentsOf: input[name])
      output.append(0x3E)
      return end
    }
    if isRaw {
      writeRaw(end..<close)
    } else {
      writeEscaped(end..<close, resolvingReferences: resolves)
    }
    return close
  }

  private mutating func writeRaw(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if input[index] < 0x20 {
        index = control(inTagAt: index)
      } else if isBrokenXHTML, stands("<![cdata[", at: index) {
        replace(index..<index + 9, with: "")
        index += 9
      } else if isBrokenXHTML, stands("]]>", at: index) {
        replace(index..<index + 3, with: "")
        index += 3
      } else {
        index += 1
      }
    }
    flush(to: range.upperBound)
  }
}
