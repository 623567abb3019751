import CImageCodecs

/// The natural size of an SVG document that is certainly well-formed, read without librsvg, which takes longer to load than most
/// books to lay out.
///
/// A document is plain when librsvg cannot refuse it: a root `svg` in its namespace, tags that match, attributes in quotes
/// and each once, characters and references that XML 1.0 allows, no declarations but that of the document type, no inclusions;
/// and when its size can stand nowhere but in the attributes of the root. Of any other document there is no `PlainSVG`: it may
/// be quite as good.
struct PlainSVG {
  private(set) var dimensions = VectorImage.Dimensions()
  /// The rectangle that fills the picture, of a document that has one.
  private(set) var viewBox: (corner: SIMD2<Float>, size: SIMD2<Float>)?
  private(set) var content = PlainContent()

  private static let namespace: StaticString = "http://www.w3.org/2000/svg"
  /// Far below what libxml2 and librsvg take: levels, elements, attributes of an element, bytes of a name.
  private static let limits = (depth: 200, elements: 200_000, attributes: 200, name: 200)
  /// Bytes of a document: no text in it is too long.
  private static let greatestSize = 8 << 20

  init?(_ data: [UInt8]) {
    guard data.count <= Self.greatestSize, (try? UTF8Span(validating: data.span)) != nil else { return nil }
    var scanner = Scanner(bytes: data)
    guard scanner.scan() else { return nil }
    content = scanner.content
    guard measure(scanner.root, data) else { return nil }
  }

  /// The size by the root's attributes; false where one of them is written in an unusual way.
  private mutating func measure(_ attributes: [Scanner.Attribute], _ bytes: [UInt8]) -> Bool {
    for attribute in attributes {
      let value = bytes[attribute.value]
      switch Scanner.text(bytes, attribute.name) {
      case "width":
        guard let length = Self.length(value) else { return false }
        dimensions.width = length
      case "height":
        guard let length = Self.length(value) else { return false }
        dimensions.height = length
      case "viewBox":
        guard let box = Self.viewBox(value) else { return false }
        dimensions.setViewBox(width: Double(box.size.x), height: Double(box.size.y))
        viewBox = dimensions.hasViewBox ? box : nil
      case "style":
        guard !Scanner.namesSize(bytes, attribute.value) else { return false }
      default: break
      }
    }
    dimensions.settle()
    return true
  }

  /// A number with a unit that CSS knows, in px; nil inside for per cent, nil for anything else.
  private static func length(_ value: ArraySlice<UInt8>) -> Float?? {
    var at = value.startIndex
    guard let number = number(value, &at) else { return nil }
    let unit = String(decoding: value[at...], as: UTF8.self)
    if unit == "%" { return .some(nil) }
    let units = ["", "px", "em", "ex", "in", "cm", "mm", "pt", "pc"]
    guard let place = units.firstIndex(of: unit) else { return nil }
    return .some(VectorImage.Dimensions.pixels(number, unit: Int32(Swift.max(place, 1))))
  }

  /// The document may be drawn without librsvg: a picture, or paths in a `viewBox`.
  var isSimple: Bool { !content.hasOthers && (viewBox != nil || content.picture != nil) }

  /// A length of the element `image`; nil for one in units that need a font, and for what is none.
  static func length(ofPicture value: ArraySlice<UInt8>) -> PictureFrame.Length? {
    if value.elementsEqual("auto".utf8) { return .natural }
    let isNegative = value.first == UInt8(ascii: "-")
    var at = isNegative ? value.startIndex + 1 : value.startIndex
    guard let number = number(value, &at) else { return nil }
    let used = Float(isNegative ? -number : number)
    return switch String(decoding: value[at...], as: UTF8.self) {
    case "", "px": .units(used)
    case "%": .share(used / 100)
    default: nil
    }
  }

  /// Four numbers with spaces or commas between them.
  private static func viewBox(
    _ value: ArraySlice<UInt8>
  ) -> (corner: SIMD2<Float>, size: SIMD2<Float>)? {
    var numbers: [Float] = []
    var at = value.startIndex
    while at < value.endIndex {
      if !numbers.isEmpty {
        let start = at
        while at < value.endIndex, value[at] == 0x20 { at += 1 }
        if at < value.endIndex, value[at] == 0x2C { at += 1 }
        while at < value.endIndex, value[at] == 0x20 { at += 1 }
        guard at > start else { return nil }
      }
      let isNegative = numbers.count < 2 && at < value.endIndex && value[at] == 0x2D
      if isNegative { at += 1 }
      guard let number = number(value, &at) else { return nil }
      numbers.append(Float(isNegative ? -number : number))
    }
    return numbers.count == 4 ? (SIMD2(numbers[0], numbers[1]), SIMD2(numbers[2], numbers[3])) : nil
  }

  /// Digits, with a fraction or without, as exact as the parser that librsvg uses reads them.
  static func number(_ value: ArraySlice<UInt8>, _ at: inout Int) -> Double? {
    var number = 0.0
    let start = at
    while at < value.endIndex, value[at] &- 0x30 < 10 {
      number = number * 10 + Double(value[at] - 0x30)
      at += 1
    }
    guard at > start, at - start < 9 else { return nil }
    if at < value.endIndex, value[at] == 0x2E {
      at += 1
      let start = at
      var factor = 0.1
      var fraction = 0.0
      while at < value.endIndex, value[at] &- 0x30 < 10 {
        fraction += Double(value[at] - 0x30) * factor
        factor *= 0.1
        at += 1
      }
      guard at > start else { return nil }
      number += fraction
    }
    return Double(Float(number))
  }
}

extension PlainSVG {
  /// Goes through a document once.
  struct Scanner {
    struct Attribute {
      var name: Range<Int>
      var value: Range<Int>
    }

    let bytes: [UInt8]
    private var at = 0
    /// The names of the open elements.
    private var open: [Range<Int>] = []
    /// The attributes of the tag read last.
    private var attributes: [Attribute] = []
    private(set) var root: [Attribute] = []
    private(set) var content = PlainContent()
    private var elements = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
      String(decoding: bytes[range], as: UTF8.self)
    }

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
          guard elements == 0, skipDoctype() else { return false }
        } else if starts(with: "</") {
          guard closeElement() else { return false }
        } else {
          guard openElement() else { return false }
        }
      }
      return elements > 0 && open.isEmpty
    }

    // MARK: Parts

    /// `<?xml version="1.0" encoding="UTF-8"?>`, with any of its parts left out but the version.
    private mutating func skipDeclaration() -> Bool {
      at += 5
      while readAttribute() {}
      guard starts(with: "?>") else { return false }
      at += 2
      defer { attributes.removeAll(keepingCapacity: true) }
      guard let first = attributes.first, Self.text(bytes, first.name) == "version" else { return false }
      return attributes.allSatisfy { attribute in
        let value = Self.text(bytes, attribute.value)
        return switch Self.text(bytes, attribute.name) {
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

    /// A reference to one of the five entities of XML, or to a character of ASCII or the Basic Multilingual Plane below the
    /// surrogates.
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
      at += 2
      guard let name = open.popLast(), at + name.count <= bytes.count,
        bytes[at..<at + name.count].elementsEqual(bytes[name])
      else { return false }
      at += name.count
      _ = skipSpace()
      guard at < bytes.count, bytes[at] == 0x3E else { return false }
      at += 1
      return true
    }

    private mutating func openElement() -> Bool {
      at += 1
      guard let name = readName() else { return false }
      elements += 1
      attributes.removeAll(keepingCapacity: true)
      while readAttribute() {}
      let isEmpty = at < bytes.count && bytes[at] == 0x2F
      if isEmpty { at += 1 }
      guard at < bytes.count, bytes[at] == 0x3E, elements <= PlainSVG.limits.elements, areUnique else {
        return false
      }
      at += 1
      if elements == 1 {
        root = attributes
        guard isSVG(name) else { return false }
      } else if open.isEmpty {
        return false
      }
      let local = localName(name)
      if equals(local, "include") { return false }
      content.add(name, attributes, in: open.last, of: bytes)
      if isEmpty { return true }
      if equals(local, "style"), let end = find(0x3C, from: at),
        Self.namesSize(bytes, at..<end) || starts(with: "<!", at: end)
      {
        return false
      }
      open.append(name)
      return open.count <= PlainSVG.limits.depth
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
      attributes.append(Attribute(name: name, value: valueStart..<at))
      at += 1
      return attributes.count <= PlainSVG.limits.attributes
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
      let local = localName(name)
      guard equals(local, "svg") else { return false }
      let declaration =
        "xmlns" + (local == name ? "" : ":" + Self.text(bytes, name.lowerBound..<local.lowerBound - 1))
      return root.contains { attribute in
        Self.text(bytes, attribute.name) == declaration && equals(attribute.value, PlainSVG.namespace)
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
          return at > start && at - start <= PlainSVG.limits.name && bytes[at - 1] != 0x3A ? start..<at : nil
        }
        at += 1
      }
      return nil
    }

    private func localName(_ name: Range<Int>) -> Range<Int> {
      name.first { bytes[$0] == 0x3A }.map { $0 + 1..<name.upperBound } ?? name
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
      return start + count <= bytes.count && equals(start..<start + count, text)
    }

    private func equals(_ range: Range<Int>, _ text: StaticString) -> Bool { Self.equals(bytes, range, text) }

    static func equals(_ bytes: [UInt8], _ range: Range<Int>, _ text: StaticString) -> Bool {
      unsafe range.count == text.utf8CodeUnitCount
        && bytes[range].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: range.count))
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
        let count = word.utf8CodeUnitCount
        let letters = unsafe UnsafeBufferPointer(start: word.utf8Start, count: count)
        var at = range.lowerBound
        while at + count <= range.upperBound {
          if unsafe bytes[at] | 0x20 == letters[0] | 0x20,
            unsafe bytes[at..<at + count].elementsEqual(letters, by: { $0 | 0x20 == $1 | 0x20 }),
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
}
