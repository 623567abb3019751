import Fonts
import Primitives

/// An inline `<svg>` as a document of its own. Its texts are written as paths when it is drawn, which most are not
/// while a book is laid out.
package struct InlineSVG: Sendable {
  /// The document. A comment with a number stands in the place of the paths of a text.
  package let markup: [UInt8]
  private let texts: [GlyphPaths]
  private let outlines: @Sendable (FontID, _ glyph: UInt16) -> [OutlineStep]

  init(
    markup: [UInt8], texts: [GlyphPaths] = [],
    outlines: @escaping @Sendable (FontID, _ glyph: UInt16) -> [OutlineStep] = { _, _ in [] }
  ) {
    self.markup = markup
    self.texts = texts
    self.outlines = outlines
  }

  /// Bytes that are the same for texts that are drawn the same with the fonts of a library; empty without texts.
  package var identity: [UInt8] {
    var bytes: [UInt8] = []
    for text in texts { text.write(to: &bytes) }
    return bytes
  }

  static func placeholder(of text: Int) -> String { "<!--\(text)-->" }

  /// The markup, or what it has been made into, with the paths in the place of the comments.
  package func completed(_ markup: [UInt8]) -> [UInt8] {
    struct Glyph: Hashable {
      var font: FontID
      var id: UInt16
    }
    var known: [Glyph: [OutlineStep]] = [:]
    let paths = texts.map { text in
      text.markup { font, id in
        let glyph = Glyph(font: font, id: id)
        if let steps = known[glyph] { return steps }
        let steps = outlines(font, id)
        known[glyph] = steps
        return steps
      }
    }
    guard !paths.isEmpty else { return markup }
    var result: [UInt8] = []
    result.reserveCapacity(markup.count + paths.reduce(0) { $0 + $1.count })
    var rest = markup[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<start]
      rest = rest[start...]
      guard rest.starts(with: "<!--".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
        result.append(rest.removeFirst())
        continue
      }
      // The serialiser writes no other comments.
      let number = Int(String(decoding: rest[(start + 4)..<(end - 2)], as: UTF8.self))
      if let number, paths.indices.contains(number) { result += paths[number] }
      rest = rest[(end + 1)...]
    }
    result += rest
    return result
  }
}
