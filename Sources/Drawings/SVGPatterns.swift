/// Rewrites patterns that librsvg draws in the wrong place or not at all: it scales the shift by which a `viewBox` is
/// aligned in its tile together with the content, so that tiles of another shape than their `viewBox`, and ones whose
/// `viewBox` begins elsewhere than at the origin, show a part of the content or nothing (SVG 2, section 14.3).
enum SVGPatterns {
  /// The document with patterns whose `viewBox` begins at the origin and is not shifted. Where the tile's size is
  /// known, its content is shifted instead; where it depends on what is filled, the tiles begin with their content.
  static func rewrite(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var at = 0
    while let start = data.firstIndex(of: 0x3C, from: at) {
      at = start + 1
      guard let name = patternName(data, start), let tag = Tag(data, start, name),
        let replacement = rewritten(tag, data, name)
      else { continue }
      var end = tag.end
      if !replacement.end.isEmpty {
        // The document ends in a pattern where no end tag is left.
        guard let close = closingTag(of: name, in: data, from: tag.end) else { break }
        end = close
      }
      result += data[copied..<start] + replacement.start + data[tag.end..<end] + replacement.end
      copied = end
      at = end
    }
    if copied == 0 { return data }
    return result + data[copied...]
  }

  /// The qualified name of a `<pattern>` start tag; nil for any other markup.
  private static func patternName(_ data: [UInt8], _ start: Int) -> ArraySlice<UInt8>? {
    let name = data[(start + 1)...].prefix(64).prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
    let local = name.lastIndex(of: 0x3A).map { name[($0 + 1)...] } ?? name
    return local.elementsEqual("pattern".utf8) ? name : nil
  }

  /// A start tag with its attributes.
  private struct Tag {
    var attributes: [(name: String, value: String, range: Range<Int>)] = []
    /// Behind its bracket.
    var end: Int
    var isEmpty: Bool

    /// Nil where the tag does not end.
    init?(_ data: [UInt8], _ start: Int, _ name: ArraySlice<UInt8>) {
      var at = name.endIndex
      var nameStart = at
      while at < data.count, data[at] != 0x3E {
        let byte = data[at]
        if byte <= 0x20 || byte == 0x2F { nameStart = at + 1 }
        if byte == 0x22 || byte == 0x27 {
          guard let quote = data.firstIndex(of: byte, from: at + 1) else { return nil }
          let name = data[nameStart..<at].prefix { $0 != 0x3D && $0 > 0x20 }
          attributes.append(
            (
              String(decoding: name, as: UTF8.self), String(decoding: data[(at + 1)..<quote], as: UTF8.self),
              nameStart..<(quote + 1)
            ))
          at = quote
          nameStart = quote + 1
        }
        at += 1
      }
      guard at < data.count else { return nil }
      end = at + 1
      isEmpty = data[at - 1] == 0x2F
    }

    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  private static func rewritten(
    _ tag: Tag, _ data: [UInt8], _ name: ArraySlice<UInt8>
  ) -> (start: [UInt8], end: [UInt8])? {
    guard let viewBox = tag.value("viewBox") else { return nil }
    let numbers = viewBox.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
    let alignment = (tag.value("preserveAspectRatio") ?? "xMidYMid").split(whereSeparator: \.isWhitespace)
    let align = alignment.first { $0 != "defer" } ?? "xMidYMid"
    let slices = alignment.contains("slice")
    var shift = (x: -numbers[0], y: -numbers[1])
    if align != "none", tag.value("patternUnits") == "userSpaceOnUse",
      let width = tag.value("width").flatMap(length), let height = tag.value("height").flatMap(length)
    {
      let (across, down) = (width / numbers[2], height / numbers[3])
      let scale = slices ? max(across, down) : min(across, down)
      func share(_ least: String, _ most: String) -> Double {
        align.contains(least) ? 0 : align.contains(most) ? 1 : 0.5
      }
      shift.x += (width / scale - numbers[2]) * share("xMin", "xMax")
      shift.y += (height / scale - numbers[3]) * share("YMin", "YMax")
    }
    guard shift.x != 0 || shift.y != 0 || align != "none" && align != "xMinYMin" else { return nil }
    var start: [UInt8] = [0x3C] + name
    for attribute in tag.attributes where attribute.name != "viewBox" && attribute.name != "preserveAspectRatio" {
      start += [0x20] + data[attribute.range]
    }
    start += Array(" viewBox=\"0 0 \(numbers[2]) \(numbers[3])\"".utf8)
    let kept = align == "none" ? "none" : "xMinYMin \(slices ? "slice" : "meet")"
    start += Array(" preserveAspectRatio=\"\(kept)\"\(tag.isEmpty ? "/" : "")>".utf8)
    guard !tag.isEmpty, shift.x != 0 || shift.y != 0 else { return (start, []) }
    let prefix = String(decoding: name.dropLast("pattern".utf8.count), as: UTF8.self)
    start += Array("<\(prefix)g transform=\"translate(\(shift.x) \(shift.y))\">".utf8)
    return (start, Array("</\(prefix)g>".utf8))
  }

  /// A length in user units; nil for any other.
  private static func length(_ text: String) -> Double? {
    let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
    return Double(number).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// The start of the end tag of a pattern; patterns do not stand in each other.
  private static func closingTag(of name: ArraySlice<UInt8>, in data: [UInt8], from start: Int) -> Int? {
    let tag = Array("</".utf8) + name
    var at = start
    while let place = data.firstIndex(of: 0x3C, from: at) {
      if data[place...].starts(with: tag) { return place }
      at = place + 1
    }
    return nil
  }
}
