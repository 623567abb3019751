import CImageCodecs
import Primitives

/// Goes through an SVG document once, and gives up where it is not plain (`PlainSVG`).
struct SVGScanner {
  private(set) var tree: SVGTree
  private var at = 0
  /// The places of the open elements.
  private var open: [Int] = []
  /// The attributes of the tag read last.
  private var attributes: [SVGTree.Attribute] = []
  private var bytes: [UInt8] { tree.bytes }

  private static let namespace: StaticString = "http://www.w3.org/2000/svg"
  /// Far below what libxml2 and librsvg take: levels, elements, attributes of an element, bytes of a name.
  private static let limits = (depth: 200, elements: 200_000, attributes: 200, name: 200)

  init(bytes: [UInt8]) { tree = SVGTree(bytes: bytes) }

  /// The document is plain.
  mutating func scan() -> Bool {
    if starts(with: "\u{FEFF}") { at = 3 }
    guard !starts(with: "<?xml") || skipDeclaration() else { return false }
    while at < bytes.count {
      guard bytes[at] == 0x3C else {
        guard skipText() else { return false }
        continue
      }
      if starts(with: "<!--") {
        guard skipComment() else { return false }
      } else if starts(with: "<![CDATA[") {
        guard !open.isEmpty, skip(past: "]]>", from: at + 9) else { return false }
      } else if starts(with: "<!DOCTYPE") {
        guard tree.elements.isEmpty, skipDoctype() else { return false }
      } else if starts(with: "</") {
        guard closeElement() else { return false }
      } else {
        guard openElement() else { return false }
      }
    }
    return !tree.elements.isEmpty && open.isEmpty
  }

  // MARK: Parts

  /// `<?xml version="1.0" encoding="UTF-8"?>`, with any of its parts left out but the version.
  private mutating func skipDeclaration() -> Bool {
    at += 5
    while readAttribute() {}
    guard starts(with: "?>") else { return false }
    at += 2
    defer { attributes.removeAll(keepingCapacity: true) }
    guard let first = attributes.first, tree.text(first.name) == "version" else { return false }
    return attributes.allSatisfy { attribute in
      let value = tree.text(attribute.value)
      return switch tree.text(attribute.name) {
      case "version": value == "1.0"
      case "encoding": value == "UTF-8" || value == "utf-8"
      case "standalone": value == "yes" || value == "no"
      default: false
      }
    } && attributes.count <= 2
  }

  /// A declaration of the document type without declarations of its own.
  private mutating func skipDoctype() -> Bool {
    at += 9
    guard skipSpace() else { return false }
    guard starts(with: "svg PUBLIC ") || starts(with: "svg>") else { return false }
    var quotes = 0
    while at < bytes.count, bytes[at] != 0x3E {
      switch bytes[at] {
      case 0x22: quotes += 1
      case 0x20, 0x09, 0x0A, 0x0D, 0x2B...0x3A, 0x41...0x5A, 0x61...0x7A: break
      default: return false
      }
      at += 1
    }
    at += 1
    return at <= bytes.count && (quotes == 0 || quotes == 4)
  }

  private mutating func skipComment() -> Bool {
    at += 4
    while let dash = find(0x2D, from: at) {
      at = dash + 1
      guard at < bytes.count, bytes[at] == 0x2D else { continue }
      at += 2
      return at <= bytes.count && bytes[at - 1] == 0x3E
    }
    return false
  }

  private mutating func skipText() -> Bool {
    let isInside = !open.isEmpty
    while at < bytes.count, bytes[at] != 0x3C {
      switch bytes[at] {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      case 0x26: guard isInside, skipReference() else { return false }
      case 0x5D:
        guard isInside, !starts(with: "]]>") else { return false }
        at += 1
      default:
        guard isInside, isCharacter else { return false }
        at += 1
        _ = skipOrdinary()
      }
    }
    return true
  }

  /// A reference to one of the five entities of XML, or to a character of ASCII or the Basic Multilingual Plane below
  /// the surrogates.
  private mutating func skipReference() -> Bool {
    for name: StaticString in ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"] where starts(with: name) {
      at += name.utf8CodeUnitCount
      return true
    }
    guard starts(with: "&#") else { return false }
    at += 2
    let isHexadecimal = at < bytes.count && bytes[at] == 0x78
    if isHexadecimal { at += 1 }
    var number = 0
    var digits = 0
    while at < bytes.count, bytes[at] != 0x3B {
      let digit: Int
      switch bytes[at] {
      case 0x30...0x39: digit = Int(bytes[at]) - 0x30
      case 0x41...0x46 where isHexadecimal: digit = Int(bytes[at]) - 0x37
      case 0x61...0x66 where isHexadecimal: digit = Int(bytes[at]) - 0x57
      default: return false
      }
      number = number * (isHexadecimal ? 16 : 10) + digit
      digits += 1
      guard digits <= 5 else { return false }
      at += 1
    }
    at += 1
    return digits > 0 && at <= bytes.count && (0x20..<0xD800).contains(number)
  }

  private mutating func closeElement() -> Bool {
    let contentEnd = at
    at += 2
    guard let element = open.popLast() else { return false }
    let name = tree.elements[element].name
    guard at + name.count <= bytes.count, bytes[at..<at + name.count].elementsEqual(bytes[name]) else { return false }
    at += name.count
    _ = skipSpace()
    guard at < bytes.count, bytes[at] == 0x3E else { return false }
    at += 1
    tree.elements[element].end = tree.elements.count
    tree.elements[element].content = tree.elements[element].content.lowerBound..<contentEnd
    return true
  }

  private mutating func openElement() -> Bool {
    at += 1
    guard let name = readName() else { return false }
    attributes.removeAll(keepingCapacity: true)
    while readAttribute() {}
    let isEmpty = at < bytes.count && bytes[at] == 0x2F
    if isEmpty { at += 1 }
    guard at < bytes.count, bytes[at] == 0x3E, tree.elements.count < Self.limits.elements, areUnique else {
      return false
    }
    at += 1
    let place = tree.elements.count
    guard place == 0 ? isSVG(name) : !open.isEmpty else { return false }
    let local = tree.localName(name)
    if tree.equals(local, "include") { return false }
    let start = tree.attributes.count
    tree.attributes += attributes
    tree.elements.append(
      SVGTree.Element(
        name: name, attributes: start..<tree.attributes.count, parent: open.last ?? 0, end: place + 1, content: at..<at)
    )
    if isEmpty { return true }
    if tree.equals(local, "style"), let end = find(0x3C, from: at),
      Self.namesSize(bytes, at..<end) || starts(with: "<!", at: end)
    {
      return false
    }
    open.append(place)
    return open.count <= Self.limits.depth
  }

  /// Reads an attribute with white space before it; false where none follows or it is not plain.
  private mutating func readAttribute() -> Bool {
    let start = at
    guard skipSpace(), let name = readName() else {
      // White space before the end of a tag.
      return false
    }
    guard at + 1 < bytes.count, bytes[at] == 0x3D, bytes[at + 1] == 0x22 || bytes[at + 1] == 0x27
    else {
      at = start
      return false
    }
    let quote = bytes[at + 1]
    at += 2
    let valueStart = at
    while skipOrdinary(), bytes[at] != quote {
      switch bytes[at] {
      case 0x26: guard skipReference() else { return false }
      case 0x3C: return false
      case 0x09, 0x0A, 0x0D: at += 1
      default:
        guard isCharacter else { return false }
        at += 1
      }
    }
    guard at < bytes.count else { return false }
    attributes.append(SVGTree.Attribute(name: name, value: valueStart..<at))
    at += 1
    return attributes.count <= Self.limits.attributes
  }

  /// Skips bytes that may stand anywhere in text and in values; false at the end.
  private mutating func skipOrdinary() -> Bool {
    guard at < bytes.count else { return false }
    at += unsafe bytes[at...].withUnsafeBufferPointer { unsafe codec_plain_length($0.baseAddress, $0.count) }
    return at < bytes.count
  }

  /// The attributes have no name in common.
  private var areUnique: Bool {
    for (index, attribute) in attributes.enumerated() {
      for other in attributes[..<index]
      where other.name.count == attribute.name.count && bytes[other.name].elementsEqual(bytes[attribute.name]) {
        return false
      }
    }
    return true
  }

  /// The root is the element `svg` of the namespace.
  private func isSVG(_ name: Range<Int>) -> Bool {
    let local = tree.localName(name)
    guard tree.equals(local, "svg") else { return false }
    let declaration =
      "xmlns" + (local == name ? "" : ":" + tree.text(name.lowerBound..<local.lowerBound - 1))
    return attributes.contains { attribute in
      tree.text(attribute.name) == declaration && tree.equals(attribute.value, Self.namespace)
    }
  }

  // MARK: Tokens

  /// A name of ASCII letters, digits and marks, with one colon at most.
  private mutating func readName() -> Range<Int>? {
    let start = at
    var colons = 0
    while at < bytes.count {
      switch bytes[at] {
      case 0x41...0x5A, 0x61...0x7A, 0x5F: break
      case 0x2D, 0x2E, 0x30...0x39:
        guard at > start, bytes[at - 1] != 0x3A else { return nil }
      case 0x3A:
        colons += 1
        guard at > start, colons == 1 else { return nil }
      default:
        return at > start && at - start <= Self.limits.name && bytes[at - 1] != 0x3A ? start..<at : nil
      }
      at += 1
    }
    return nil
  }

  /// Skips white space; whether there is any.
  private mutating func skipSpace() -> Bool {
    let start = at
    while at < bytes.count,
      bytes[at] == 0x20 || bytes[at] == 0x09 || bytes[at] == 0x0A || bytes[at] == 0x0D
    {
      at += 1
    }
    return at > start
  }

  /// The byte at hand is part of a character of XML; U+FFFE and U+FFFF are none.
  private var isCharacter: Bool {
    bytes[at] >= 0x20
      && !(bytes[at] == 0xEF && at + 2 < bytes.count && bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE)
  }

  private func starts(with text: StaticString, at place: Int? = nil) -> Bool {
    let start = place ?? at
    let count = text.utf8CodeUnitCount
    return start + count <= bytes.count && tree.equals(start..<start + count, text)
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    start <= bytes.count ? bytes[start...].firstIndex(of: byte) : nil
  }

  private mutating func skip(past end: StaticString, from start: Int) -> Bool {
    at = start
    while at < bytes.count {
      if starts(with: end) {
        at += end.utf8CodeUnitCount
        return true
      }
      guard bytes[at] == 0x09 || bytes[at] == 0x0A || bytes[at] == 0x0D || isCharacter else { return false }
      at += 1
    }
    return false
  }

  /// Style rules in a stretch may give an element a width or a height, which `stroke-width` does not.
  static func namesSize(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    for word: StaticString in ["width", "height", "\\", "@import", "@charset", "all"] {
      let letters = word.bytes
      let count = letters.count
      var at = range.lowerBound
      while at + count <= range.upperBound {
        if letters.indices.allSatisfy({ bytes[at + $0] | 0x20 == letters[$0] | 0x20 }),
          at == 0 || bytes[at - 1] != 0x2D
        {
          return true
        }
        at += 1
      }
    }
    return false
  }
}
