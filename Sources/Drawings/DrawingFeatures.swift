import Primitives

/// What a drawing in a file of its own asks for that the engine does better than librsvg, or alone, found in its
/// source.
package enum DrawingFeatures {
  /// The document has text, or style rules, functions or elements beyond SVG 1.1: the engine's own cascade and text are
  /// needed. Other drawings stay as they are.
  package static func areBeyondLibrary(_ source: [UInt8]) -> Bool {
    hasUnknownFunction(source) || hasUnknownMarkup(source)
  }

  /// Functions of values, and of selectors, that librsvg knows.
  private static let functions: Set<String> = [
    "url", "rgb", "rgba", "hsl", "hsla", "matrix", "translate", "scale", "rotate", "skewx", "skewy", "local", "format",
  ]

  private static func hasUnknownFunction(_ source: [UInt8]) -> Bool {
    var from = 0
    while let open = source.firstIndex(of: UInt8(ascii: "("), from: from) {
      from = open + 1
      var start = open
      while start > 0, open - start < 32, isNamePart(source[start - 1]) { start -= 1 }
      guard start < open else { continue }
      if !functions.contains(String(decoding: source[start..<open], as: UTF8.self).lowercased()) { return true }
    }
    return false
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  /// Elements that librsvg leaves out, and text: it stands in the faces that the rest of the book has, and is found
  /// there.
  private static let elements: [[UInt8]] = [
    "foreignObject", "text", "textPath", "tref", "altGlyph", "mesh", "hatch", "video", "audio", "canvas", "iframe",
  ].map { Array($0.utf8) }

  private static func hasUnknownMarkup(_ source: [UInt8]) -> Bool {
    var from = 0
    while let open = source.firstIndex(of: UInt8(ascii: "<"), from: from) {
      from = open + 1
      var name = source[from...].prefix(32).prefix { isNamePart($0) || $0 == 0x3A || $0 == 0x3F }
      if name.elementsEqual("?xml-stylesheet".utf8) { return true }
      if let colon = name.firstIndex(of: 0x3A) { name = name[(colon + 1)...] }
      guard let first = name.first else { continue }
      if elements.contains(where: { $0[0] == first && name.starts(with: $0) }) { return true }
      if name.elementsEqual("use".utf8), refersToFile(source, open) { return true }
      guard name.elementsEqual("style".utf8) else { continue }
      let end = endOfStyle(source, from: name.endIndex)
      if hasUnknownRules(source[name.endIndex..<end]) { return true }
      from = end
    }
    return false
  }

  /// The start tag of a `use` names an element of another file.
  private static func refersToFile(_ source: [UInt8], _ start: Int) -> Bool {
    guard let end = StartTag.end(in: source, from: start) else { return false }
    return ["href", "xlink:href"].contains { name in
      SVGRoot.value(of: name, in: source, start..<end).map { source[$0].first != UInt8(ascii: "#") } ?? false
    }
  }

  private static func endOfStyle(_ source: [UInt8], from start: Int) -> Int {
    var from = start
    while let open = source.firstIndex(of: UInt8(ascii: "<"), from: from) {
      if source[open...].starts(with: "</".utf8) { return open }
      from = open + 1
    }
    return source.count
  }

  /// Rules of a sheet that librsvg passes over: those with an `@`, nested ones, and units, keywords and shorthands that
  /// came later.
  private static func hasUnknownRules(_ sheet: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var at = sheet.startIndex
    while at < sheet.endIndex {
      switch sheet[at] {
      case UInt8(ascii: "@"): return true
      case UInt8(ascii: "{"):
        depth += 1
        if depth > 1 { return true }
      case UInt8(ascii: "}"): depth -= 1
      case 0x30...0x39 where words.contains(where: { sheet[(at + 1)...].starts(with: $0) }): return true
      case UInt8(ascii: ":") where words.contains(where: { sheet[(at + 1)...].drop { $0 <= 0x20 }.starts(with: $0) }):
        return true
      default: break
      }
      at += 1
    }
    return false
  }

  /// Units behind a digit, and values behind a colon.
  private static let words: [[UInt8]] = ["rem", "vw", "vh", "vmin", "vmax", "ch", "unset", "revert", "initial"].map {
    Array($0.utf8)
  }
}

/// A drawing in a file, made ready for librsvg by the engine.
package struct PreparedDrawing: Sendable {
  /// What it lacks of its texts is added when it is first drawn.
  package var source: [UInt8]
  package var complete: @Sendable ([UInt8]) -> [UInt8]
  /// The lines of text that it shows.
  package var texts: [String]
  /// What of it cannot be drawn, as clauses.
  package var faults: [String]

  package init(
    source: [UInt8], texts: [String], faults: [String], complete: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    self.source = source
    self.complete = complete
    self.texts = texts
    self.faults = faults
  }
}
