import Primitives

extension MarkupNormalizer {
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
      if dialect == .xml, isInProlog { styleSheetInstruction(index..<end) }
      // The XML declaration must vanish: the bytes are UTF-8 now, whatever it says.
      if output.isEmpty && copied == index {
        replaceKeepingLines(index..<end, with: "")
      } else {
        replaceByComment(index..<end)
      }
      return end
    }
    if next == UInt8(ascii: "/") {
      if isNameStart(byte(index + 2)) { return endTag(at: index) }
      if dialect == .html, !isBrokenXHTML, unsafe index + 2 < input.count { return bogusComment(at: index) }
      replace(index..<index + 1, with: "&#60;")
      return index + 1
    }
    guard isNameStart(next) else {
      replace(index..<index + 1, with: "&#60;")
      return index + 1
    }
    return startTag(at: index)
  }

  private mutating func styleSheetInstruction(_ range: Range<Int>) {
    let name: StaticString = "<?xml-stylesheet"
    let start = range.lowerBound + name.utf8CodeUnitCount
    guard stands(name, at: range.lowerBound), isSpace(byte(start)), start + 2 <= range.upperBound,
      styleSheets.count < 100
    else { return }
    let data = unsafe String(
      decoding: UnsafeBufferPointer(rebasing: input[start..<range.upperBound - 2]), as: UTF8.self)
    if let instruction = StyleSheetInstruction(data, line: line(of: range.lowerBound)) {
      styleSheets.append(instruction)
    }
  }

  private mutating func declaration(at index: Int) -> Int {
    if stands("<!--", at: index) {
      // Also `<!-->` ends a comment in HTML; one that never ends is taken to end with its tag.
      let end: Int
      let plain = find("-->", from: index + 2).map { $0 + 3 }
      let odd = dialect == .html ? find("--!>", from: index + 2).map { $0 + 4 } : nil
      if let close = plain.map({ min($0, odd ?? $0) }) ?? odd {
        end = close
      } else if let close = find(">", from: index + 4) {
        end = close + 1
      } else {
        end = unsafe input.count
      }
      replaceByComment(index..<end)
      return end
    }
    if stands("<![cdata[", at: index), dialect == .xml || isBrokenXHTML || foreignDepth > 0 {
      replace(index..<index + 9, with: "")
      let close = find("]]>", from: index + 9)
      unsafe writeEscaped(index + 9..<(close ?? input.count), resolvingReferences: false)
      guard let close else { return unsafe input.count }
      replace(close..<close + 3, with: "")
      return close + 3
    }
    if stands("<!doctype", at: index) { return doctype(at: index) }
    return bogusComment(at: index)
  }

  private mutating func bogusComment(at index: Int) -> Int {
    let end = unsafe find(">", from: index + 2).map { $0 + 1 } ?? input.count
    replaceByComment(index..<end)
    return end
  }

  private mutating func endTag(at index: Int) -> Int {
    var end = index + 2
    while unsafe end < input.count, unsafe input[end] != 0x3E, unsafe input[end] != 0x3C { end += 1 }
    let isClosed = unsafe end < input.count && input[end] == 0x3E
    let after = isClosed ? end + 1 : end
    guard dialect == .html else { return after }
    let name = nameRange(at: index + 2)
    if unsafe end == input.count, !isBrokenXHTML {
      replaceKeepingLines(index..<end, with: "")
      return end
    }
    if foreignDepth > 0, equals(name, "svg") || equals(name, "math") { foreignDepth -= 1 }
    replace(index..<name.lowerBound, with: "<e-")
    flush(to: name.upperBound)
    replaceKeepingLines(name.upperBound..<after, with: " />")
    return after
  }

  func nameRange(at start: Int) -> Range<Int> {
    var end = start
    while unsafe end < input.count, unsafe !isSpace(input[end]), unsafe input[end] != 0x2F, unsafe input[end] != 0x3E,
      unsafe input[end] != 0x3C
    {
      end += 1
    }
    return start..<end
  }

  func equals(_ range: Range<Int>, _ name: StaticString) -> Bool {
    range.count == name.utf8CodeUnitCount && stands(name, at: range.lowerBound)
  }

  private mutating func startTag(at index: Int) -> Int {
    isInProlog = false
    guard dialect == .html else { return xmlStartTag(at: index) }
    let name = nameRange(at: index + 1)
    // Every tag becomes an empty element, `s-` for a start, `v-` for one that ends itself, `e-` for an end: what
    // libxml2 closes, drops or moves by itself is then nothing.
    let outputStart = output.count + (index - copied)
    replace(index..<index + 1, with: "<s-")
    flush(to: name.upperBound)
    var cursor = name.upperBound
    var isEmpty = false
    tag: while true {
      guard unsafe cursor < input.count else {
        if isBrokenXHTML {
          flush(to: cursor)
          output.append(contentsOf: " />".utf8)
        } else {
          // As in browsers, a tag the file ends in is nothing.
          copied = unsafe input.count
          output.removeLast(output.count - outputStart)
        }
        return cursor
      }
      switch unsafe input[cursor] {
      case 0x3E:
        isEmpty = byte(cursor - 1) == 0x2F
        break tag
      case 0x3C where isBrokenXHTML:
        // The tag was never closed before the next began.
        flush(to: cursor)
        output.append(contentsOf: " />".utf8)
        return cursor
      case 0x3D where cursor > name.upperBound:
        cursor = attributeValue(at: cursor + 1)
      case 0x2F:
        replace(cursor..<cursor + 1, with: " ")
        cursor += 1
      case 0..<0x20:
        cursor = control(inTagAt: cursor)
      default:
        cursor += 1
      }
    }
    replace(cursor..<cursor + 1, with: " />")
    let end = cursor + 1
    let marksEmpty = content(after: end, of: name, isEmpty: isEmpty)
    if isEmpty || marksEmpty { output[outputStart + 1] = UInt8(ascii: "v") }
    if !isEmpty, equals(name, "svg") || equals(name, "math") { foreignDepth += 1 }
    return contentEnd ?? end
  }

  private mutating func xmlStartTag(at index: Int) -> Int {
    var cursor = nameRange(at: index + 1).upperBound
    while unsafe cursor < input.count {
      switch unsafe input[cursor] {
      case 0x3E: return cursor + 1
      case 0x3D: cursor = attributeValue(at: cursor + 1)
      case 0..<0x20: cursor = control(inTagAt: cursor)
      default: cursor += 1
      }
    }
    return cursor
  }

  private mutating func control(inTagAt index: Int) -> Int {
    let byte = unsafe input[index]
    if byte == 0x09 || byte == 0x0A || byte == 0x0D { return index + 1 }
    replace(index..<index + 1, with: byte == 0x0C ? " " : "")
    return index + 1
  }

  /// Rewrites the attribute value that begins at or after `start` and returns the position after it.
  private mutating func attributeValue(at start: Int) -> Int {
    var cursor = start
    while unsafe cursor < input.count, unsafe isSpace(input[cursor]) { cursor += 1 }
    let quote = byte(cursor)
    guard quote == 0x22 || quote == 0x27 else { return unquotedValue(at: cursor) }
    cursor += 1
    var end = cursor
    if missingQuotes.contains(quote) {
      end = unsafe input.count
    } else {
      while unsafe end < input.count, unsafe input[end] != quote { end += 1 }
    }
    if unsafe end >= input.count {
      if !missingQuotes.contains(quote) { missingQuotes.append(quote) }
      // The quote is never closed: the value ends with the tag.
      guard dialect == .html else { return unsafe input.count }
      end = cursor
      while unsafe end < input.count, unsafe input[end] != 0x3E, unsafe input[end] != 0x3C { end += 1 }
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
    while unsafe end < input.count, unsafe !isSpace(input[end]), unsafe input[end] != 0x3E { end += 1 }
    // `<a href=x/>`: the slash belongs to the tag where the source was XHTML.
    if isBrokenXHTML, end > start, byte(end) == 0x3E, unsafe input[end - 1] == 0x2F { end -= 1 }
    if dialect == .html {
      // Quoting it keeps the parser from guessing.
      replace(start..<start, with: "\"")
      var cursor = start
      while cursor < end {
        if unsafe input[cursor] == 0x22 {
          replace(cursor..<cursor + 1, with: "&#34;")
          cursor += 1
        } else {
          let next = cursor + 1
          if unsafe input[cursor] == 0x26 || input[cursor] == 0x3C {
            var stop = next
            while stop < end, unsafe input[stop] != 0x22 { stop += 1 }
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
      switch unsafe input[index] {
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

  /// Handles elements whose content is not markup: scripts, style sheets, titles, text areas. Returns whether the
  /// element must count as empty because nothing ends it; `contentEnd` is set to where the content ends.
  private mutating func content(after end: Int, of name: Range<Int>, isEmpty: Bool) -> Bool {
    contentEnd = nil
    guard foreignDepth == 0, let element = TextElement(name, in: self) else { return false }
    if isBrokenXHTML, isEmpty { return true }
    if element == .plaintext {
      guard !isBrokenXHTML else { return false }
      unsafe writeEscaped(end..<input.count, resolvingReferences: false)
      contentEnd = unsafe input.count
      return false
    }
    var close = end
    if element == .script, !isBrokenXHTML {
      close = scriptEnd(from: end)
    }
    while unsafe close < input.count {
      guard let found = find(element.endTag, from: close) else {
        // The rest would be lost in it.
        if isBrokenXHTML { return true }
        close = unsafe input.count
        break
      }
      close = found
      let after = byte(found + element.endTag.utf8CodeUnitCount)
      if after == 0x3E || after == 0x2F || isSpace(after) { break }
      close += 1
    }
    if isBrokenXHTML, element == .style || element == .script { dropCDATAMarks(end..<close) }
    writeEscaped(copied..<close, resolvingReferences: element == .title || element == .textarea)
    contentEnd = close
    return false
  }

  /// The end of a script: in a comment, a script inside the script does not end it (HTML, section 4.12.1.3).
  private func scriptEnd(from start: Int) -> Int {
    var index = start
    var isEscaped = false
    var isNested = false
    func isTag(_ length: Int) -> Bool {
      let after = byte(index + length)
      return after == 0x3E || after == 0x2F || isSpace(after)
    }
    while unsafe index < input.count {
      if unsafe input[index] == 0x3C {
        if stands("<!--", at: index), !isEscaped {
          isEscaped = true
          index += 2
        } else if stands("</script", at: index), isTag(8) {
          if !isNested { return index }
          isNested = false
        } else if isEscaped, stands("<script", at: index), isTag(7) {
          isNested = true
        }
      } else if unsafe input[index] == 0x2D, stands("-->", at: index) {
        isEscaped = false
        isNested = false
      }
      index += 1
    }
    return index
  }

  /// Passes over white space and the beginning of a CDATA section, which a style sheet must not see.
  private mutating func dropCDATAMarks(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if stands("<![cdata[", at: index), dialect == .xml || isBrokenXHTML || foreignDepth > 0 {
        writeEscaped(copied..<index, resolvingReferences: false)
        replace(index..<index + 9, with: "")
        index += 9
      } else if stands("]]>", at: index) {
        writeEscaped(copied..<index, resolvingReferences: false)
        replace(index..<index + 3, with: "")
        index += 3
      } else {
        index += 1
      }
    }
  }
}

/// An element of HTML whose content is text.
private enum TextElement {
  case title, textarea, style, script, xmp, iframe, noembed, plaintext

  init?(_ name: Range<Int>, in source: MarkupNormalizer) {
    if source.equals(name, "title") {
      self = .title
    } else if source.equals(name, "textarea") {
      self = .textarea
    } else if source.equals(name, "style") {
      self = .style
    } else if source.equals(name, "script") {
      self = .script
    } else if source.equals(name, "xmp") {
      self = .xmp
    } else if source.equals(name, "iframe") {
      self = .iframe
    } else if source.equals(name, "noembed") {
      self = .noembed
    } else if source.equals(name, "plaintext") {
      self = .plaintext
    } else {
      return nil
    }
  }

  var endTag: StaticString {
    switch self {
    case .title: "</title"
    case .textarea: "</textarea"
    case .style: "</style"
    case .script: "</script"
    case .xmp: "</xmp"
    case .iframe: "</iframe"
    case .noembed: "</noembed"
    case .plaintext: "</plaintext"
    }
  }
}
