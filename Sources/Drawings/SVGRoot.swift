import Primitives

/// The root of an SVG document, in its source.
enum SVGRoot {
  /// The start tag of the root, where it is `svg` without a prefix.
  static func tag(of bytes: [UInt8]) -> Range<Int>? {
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
        return StartTag.end(in: bytes, from: index + 4).map { index..<$0 }
      }
      guard let next else { return nil }
      index = next
    }
    return nil
  }

  /// The range of the value of an attribute in a start tag.
  static func value(of name: String, in bytes: [UInt8], _ tag: Range<Int>) -> Range<Int>? {
    let name = name.utf8
    var at = tag.lowerBound
    while let equals = bytes[at..<tag.upperBound].firstIndex(of: UInt8(ascii: "=")) {
      let key = bytes[at..<equals].split(whereSeparator: { $0 <= 0x20 }).last
      guard let quote = bytes[(equals + 1)..<tag.upperBound].firstIndex(where: { $0 > 0x20 }),
        bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'"),
        let end = bytes[(quote + 1)..<tag.upperBound].firstIndex(of: bytes[quote])
      else { return nil }
      if let key, key.elementsEqual(name) { return (quote + 1)..<end }
      at = end + 1
    }
    return nil
  }

  /// The document with a root as large as what it is drawn into: a size that the document names in part only is but a
  /// hint for the size of the image, whose parts are those of the image's own box (CSS Images 3, section 5.1).
  static func filling(_ document: [UInt8]) -> [UInt8] {
    guard let root = tag(of: document) else { return document }
    let sizes = [value(of: "width", in: document, root), value(of: "height", in: document, root)].compactMap(\.self)
    var result = document
    for size in sizes.sorted(by: { $0.lowerBound > $1.lowerBound }) { result.replaceSubrange(size, with: "100%".utf8) }
    return result
  }

  /// The document in coordinates of an area, which it fills: a document without a `viewBox` that CSS gives its size.
  ///
  /// - Parameter area: In user units.
  static func filling(_ document: [UInt8], area: SIMD2<Float>) -> [UInt8] {
    var result = filling(document)
    for (name, text) in [("viewBox", "0 0 \(area.x) \(area.y)"), ("preserveAspectRatio", "none")] {
      guard let root = tag(of: result) else { return document }
      if let known = value(of: name, in: result, root) {
        result.replaceSubrange(known, with: text.utf8)
      } else {
        result.insert(contentsOf: " \(name)=\"\(text)\"".utf8, at: root.lowerBound + "<svg".utf8.count)
      }
    }
    return result
  }
}
