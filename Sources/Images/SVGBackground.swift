/// The background that the root of a drawing gives itself in its `style` attribute, which librsvg does not paint: CSS makes the root
/// of an SVG document a box with a background as any (SVG 2, section 6.7).
enum SVGBackground {
  /// The document with a rectangle of the background's colour under everything, or as it is.
  static func painted(_ document: [UInt8]) -> [UInt8] {
    guard let root = rootTag(document), document[root.upperBound - 2] != UInt8(ascii: "/"),
      let style = attribute("style", in: document[root]), let color = color(in: style)
    else { return document }
    // Larger than any part of the drawing that a `viewBox` leaves free beside it.
    let shape = #"<rect x="-1000%" y="-1000%" width="2100%" height="2100%" stroke="none" fill=""# + color + #""/>"#
    return document[..<root.upperBound] + Array(shape.utf8) + document[root.upperBound...]
  }

  /// The start tag of the root, where it is `svg` without a prefix.
  private static func rootTag(_ bytes: [UInt8]) -> Range<Int>? {
    var index = 0
    func starts(with text: StaticString, at index: Int) -> Bool {
      let count = text.utf8CodeUnitCount
      guard index + count <= bytes.count else { return false }
      return text.description.utf8.elementsEqual(bytes[index..<index + count])
    }
    func end(_ text: StaticString, from start: Int) -> Int? {
      var at = start
      while at < bytes.count {
        if starts(with: text, at: at) { return at + text.utf8CodeUnitCount }
        at += 1
      }
      return nil
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      var next: Int?
      if starts(with: "<!--", at: index) {
        next = end("-->", from: index)
      } else if starts(with: "<?", at: index) {
        next = end("?>", from: index)
      } else if starts(with: "<!", at: index) {
        next = end(">", from: index)
      } else {
        guard starts(with: "<svg", at: index) else { return nil }
        return tagEnd(bytes, from: index + 4).map { index..<$0 }
      }
      guard let next else { return nil }
      index = next
    }
    return nil
  }

  private static func tagEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return nil
  }

  private static func attribute(_ name: String, in tag: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: tag, as: UTF8.self)
    var rest = text[...]
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
      let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = value.first, quote == "\"" || quote == "'",
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      if key == name { return String(value[value.index(after: value.startIndex)..<end]) }
      rest = value[value.index(after: end)...]
    }
    return nil
  }

  /// A colour alone: pictures under drawings are not painted.
  private static func color(in style: String) -> String? {
    var color: String?
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = parts[0].filter { !$0.isWhitespace }.lowercased()
      guard name == "background" || name == "background-color" else { continue }
      let value = parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let isFunction = value.contains("(")
      let isColor = isFunction ? value.hasPrefix("rgb") || value.hasPrefix("hsl") : !value.contains(" ")
      color = isColor && !value.contains("\"") && value != "none" && value != "transparent" ? value : nil
    }
    return color
  }
}
