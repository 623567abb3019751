import Platform
import Primitives

/// A bound of the font sizes that text in an SVG document can have, by a look at its source.
///
/// librsvg 2.54 ends the process with a failed assertion where text is higher than the largest length of Pango, 2^31 /
/// 1024 px. So a document with text is refused where the sizes it names may come near: the largest one, times what
/// relative sizes make of it along the deepest chain of elements. The sheet, the cascade and inheritance are not looked
/// at, so that the bound is never below the true size; where sizes could come from other places than attributes and
/// sheets, the document is refused too.
struct SVGFontSizes {
  /// The largest bound of documents that are drawn, in px: half of what Pango can hold.
  private static let largest = 1_000_000.0

  /// The largest size in px, `medium` at first.
  private var absolute = 16.0
  /// The factor by which an element can be larger than the root, by relative sizes.
  private var growth = 1.0
  /// The same for one element, by the rules of sheets.
  private var sheetGrowth = 1.0
  private var hasText = false
  private var uses = 0
  private var isUncertain = false

  /// Text in the document may be too large to be drawn.
  static func mayOverflow(_ source: [UInt8]) -> Bool {
    guard source.contains("text") || source.contains("include") || source.contains("encoding") else { return false }
    var sizes = SVGFontSizes()
    sizes.read(source)
    guard sizes.hasText else { return false }
    if sizes.isUncertain { return true }
    var bound = sizes.absolute
    // A used element inherits from where it is used, which may be in what is used itself.
    for _ in 0...Swift.min(sizes.uses, 8) { bound *= sizes.growth }
    return !(bound <= largest)
  }

  // MARK: Markup

  private mutating func read(_ source: [UInt8]) {
    var scanner = SVGTagScanner(source)
    var tags: [SVGTagScanner.Tag] = []
    while let tag = scanner.next() { tags.append(tag) }
    isUncertain = Self.areUncertain(scanner.declarations)
    // Text may come from an entity.
    hasText = scanner.declarations.contains { $0.contains("<!ENTITY") && $0.contains("text") }
    if scanner.declarations.contains(where: { $0.hasPrefix("?xml ") && Self.hidesMarkup($0.lowercased()) }) {
      hasText = true
    }
    for tag in tags where tag.name == "style" { readSheet(tag.text) }
    var chain = [1.0]
    for tag in tags {
      if tag.isEnd {
        if chain.count > 1 { chain.removeLast() }
        continue
      }
      switch tag.name {
      case "text": hasText = true
      case "use": uses += 1
      case "include" where tag.attributes.contains { $0.name == "href" && $0.value.contains("data:") }:
        hasText = true
        isUncertain = true
      default: break
      }
      var own = sheetGrowth
      for (name, value) in tag.attributes {
        switch name {
        case "font-size", "font": own *= note(value)
        case "style": own *= note(declarations: Self.unescaped(value)[...])
        default: break
        }
      }
      let product = chain[chain.count - 1] * own
      growth = Swift.max(growth, product)
      if !tag.isEmpty { chain.append(product) }
    }
  }

  /// The document type or an instruction may name sizes: by default values of attributes, by entities that are or hold
  /// large or relative lengths or markup, by sheets in the instruction itself, or in an encoding that is not read here.
  private static func areUncertain(_ declarations: [String]) -> Bool {
    declarations.contains { declaration in
      if declaration.hasPrefix("?xml-stylesheet") { return declaration.contains("data:") }
      if declaration.hasPrefix("?xml ") { return hidesMarkup(declaration.lowercased()) }
      if declaration.contains("<!ATTLIST"), declaration.contains("font") || declaration.contains("style") {
        return true
      }
      guard declaration.contains("<!ENTITY") else { return false }
      return declaration.split(separator: "<!ENTITY").dropFirst().contains { entity in
        guard let quote = entity.firstIndex(where: { $0 == "\"" || $0 == "'" }) else { return true }
        let value = entity[entity.index(after: quote)...].prefix { $0 != entity[quote] }
        if value.contains("<") || value.contains("&") || value.contains("%") { return true }
        var sizes = SVGFontSizes()
        return sizes.note(String(value)) > 1 || sizes.absolute > 10_000
      }
    }
  }

  /// The encoding that an XML declaration names writes markup in other bytes than ASCII does.
  private static func hidesMarkup(_ declaration: String) -> Bool {
    // As nearly all documents have it.
    if declaration == #"?xml version="1.0" encoding="utf-8"?>"# { return false }
    return ["utf-7", "utf7", "utf-16", "utf-32", "ucs", "iso-2022", "hz", "ebcdic", "ibm", "cp0", "cp1"].contains {
      declaration.contains($0)
    } && !declaration.contains("cp125")
  }

  // MARK: Sheets

  private mutating func readSheet(_ text: String) {
    let text = Self.unescaped(text)
    if text.utf8.contains(UInt8(ascii: "@")), text.contains("@import"), text.contains("data:") || text.contains("DATA:")
    {
      isUncertain = true
    }
    for rule in text.utf8.split(separator: UInt8(ascii: "{")).dropFirst() {
      let declarations = Substring(rule.prefix { $0 != UInt8(ascii: "}") })
      sheetGrowth = Swift.max(sheetGrowth, note(declarations: declarations))
    }
  }

  /// The growth by declarations of a rule or a `style` attribute.
  private mutating func note(declarations text: Substring) -> Double {
    var own = 1.0
    guard Self.mayNameFont(text) else { return own }
    for declaration in text.utf8.split(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      guard Self.namesFontSize(declaration[..<colon]) else { continue }
      own = Swift.max(own, note(String(Substring(declaration[declaration.index(after: colon)...]))))
    }
    return own
  }

  /// A name ends in `font` or `font-size`, whatever white space and characters beyond ASCII stand in it.
  private static func namesFontSize(_ name: Substring.UTF8View) -> Bool {
    let (font, size): (StaticString, StaticString) = ("font", "font-size")
    func isEnding(_ byte: UInt8, _ left: Int, of word: StaticString) -> Bool {
      let letters = word.bytes
      return left <= letters.count && byte | 0x20 == letters[letters.count - left]
    }
    var left = 0
    var (mayBeFont, mayBeSize) = (true, true)
    for byte in name.reversed() where byte > 0x20 && byte < 0x80 {
      left += 1
      mayBeFont = mayBeFont && isEnding(byte, left, of: font)
      mayBeSize = mayBeSize && isEnding(byte, left, of: size)
      if mayBeFont && left == font.utf8CodeUnitCount || mayBeSize && left == size.utf8CodeUnitCount { return true }
      if !mayBeFont && !mayBeSize { return false }
    }
    return false
  }

  /// The letters of `font` stand in a text one behind the other, with nothing but white space or characters beyond
  /// ASCII between.
  private static func mayNameFont(_ text: Substring) -> Bool {
    let name: StaticString = "font"
    let word = name.bytes
    var matched = 0
    for byte in text.utf8 where byte > 0x20 && byte < 0x80 {
      if byte | 0x20 == word[matched] {
        matched += 1
        if matched == word.count { return true }
      } else {
        matched = byte | 0x20 == word[0] ? 1 : 0
      }
    }
    return false
  }

  /// Notes all lengths of a value of `font-size` or `font`; the growth by its relative ones.
  private mutating func note(_ value: String) -> Double {
    if let length = Self.plainLength(value) { return note(length.number, length.unit) }
    var own = 1.0
    if value.utf8.contains(where: { $0 | 0x20 == 0x6C }), value.lowercased().contains("larger") { own = 1.2 }
    // The names of families are no sizes.
    var rest = value.split(omittingEmptySubsequences: false) { $0 == "'" || $0 == "\"" }.enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")[...]
    while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      rest = rest[start...]
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...]
      var text = String(digits)
      if let mark = rest.first, mark == "e" || mark == "E" {
        let exponent = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == "+" || $0 == "-") }
        if exponent.contains(where: \.isNumber) {
          text += "e" + exponent
          rest = rest[exponent.endIndex...]
        }
      }
      let number = Double(text) ?? .infinity
      let unit = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "%") }.lowercased()
      rest = rest[rest.index(rest.startIndex, offsetBy: unit.count)...]
      own = Swift.max(own, note(number, unit))
    }
    return own
  }

  /// Notes a length; the growth by a relative one.
  private mutating func note(_ number: Double, _ unit: String) -> Double {
    switch unit {
    case "em", "ex", "ch", "rem": return Swift.max(1, number)
    case "%": return Swift.max(1, number / 100)
    case "", "px", "q": absolute = Swift.max(absolute, number)
    default: absolute = Swift.max(absolute, number * 96)
    }
    return 1
  }

  /// The number and the unit of a value that is nothing else, as nearly all are; nil for others.
  private static func plainLength(_ value: String) -> (number: Double, unit: String)? {
    let bytes = Array(value.utf8)[...]
    var start = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
    guard let number = PlainSVG.number(bytes, &start) else { return nil }
    var end = start
    while end < bytes.endIndex, bytes[end] &- 0x61 < 26 || bytes[end] == 0x25 { end += 1 }
    guard bytes[end...].allSatisfy({ $0 == 0x20 }) else { return nil }
    return (number, String(decoding: bytes[start..<end], as: UTF8.self))
  }

  /// A text of CSS with its escapes resolved and without comments (CSS Syntax 3, section 4.3.7).
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x2A }) else { return text }
    var result = ""
    var rest = Substring(text)
    while let mark = rest.first {
      if rest.hasPrefix("/*") {
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
      } else if mark == "\\" {
        let digits = rest.dropFirst().prefix(6).prefix(while: \.isHexDigit)
        rest = rest[(digits.isEmpty ? rest.index(after: rest.startIndex) : digits.endIndex)...]
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
          result.unicodeScalars.append(scalar)
          if rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        }
      } else {
        result.append(mark)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

/// The tags of an SVG document in the order of its source, with what stands in `<style>` elements.
private struct SVGTagScanner {
  struct Tag {
    /// Without a prefix.
    var name = ""
    /// Those that can name a size or something to be included.
    var attributes: [(name: String, value: String)] = []
    var isEnd = false
    var isEmpty = false
    /// The character data behind the start tag of a `<style>`.
    var text = ""
  }

  private static let keptAttributes: Set<String> = ["font", "font-size", "style", "href"]
  private static let lastLetters: [UInt8] = Set(keptAttributes.compactMap(\.utf8.last)).sorted()
  private let source: [UInt8]
  private var at = 0
  /// Document types and processing instructions met so far.
  private(set) var declarations: [String] = []

  init(_ source: [UInt8]) { self.source = source }

  mutating func next() -> Tag? {
    while let start = source.firstIndex(of: 0x3C, from: at) {
      at = start
      switch start + 1 < source.count ? source[start + 1] : 0 {
      case 0x3F: declarations.append(take(to: end(of: "?>"), from: at + 1))
      case 0x21:
        if skip("<!--", "-->") || skip("<![CDATA[", "]]>") { continue }
        declarations.append(take(to: endOfDeclaration(), from: at))
      default: return tag()
      }
    }
    at = source.count
    return nil
  }

  private func end(of mark: String) -> Int {
    let mark = Array(mark.utf8)
    var index = at
    while index < source.count {
      if source[index] == mark[0], source[index...].starts(with: mark) { return index + mark.count }
      index += 1
    }
    return source.count
  }

  private mutating func skip(_ start: String, _ mark: String) -> Bool {
    guard source[at...].starts(with: start.utf8) else { return false }
    at = end(of: mark)
    return true
  }

  private mutating func take(to end: Int, from start: Int) -> String {
    defer { at = end }
    return String(decoding: source[Swift.min(start, end)..<end], as: UTF8.self)
  }

  /// Behind a document type and its internal subset.
  private func endOfDeclaration() -> Int {
    var depth = 0
    var quote: UInt8 = 0
    for index in at..<source.count {
      let byte = source[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else {
        switch byte {
        case 0x22, 0x27: quote = byte
        case 0x3C, 0x5B: depth += 1
        case 0x5D: depth -= 1
        case 0x3E:
          depth -= 1
          if depth <= 0 { return index + 1 }
        default: break
        }
      }
    }
    return source.count
  }

  private mutating func tag() -> Tag {
    var tag = Tag()
    at += 1
    if at < source.count, source[at] == 0x2F {
      tag.isEnd = true
      at += 1
    }
    tag.name = Self.local(name())
    while at < source.count, source[at] != 0x3E {
      if source[at] <= 0x20 || source[at] == 0x2F {
        tag.isEmpty = source[at] == 0x2F
        at += 1
        continue
      }
      tag.isEmpty = false
      let name = name()
      while at < source.count, source[at] <= 0x20 || source[at] == 0x3D { at += 1 }
      guard at < source.count, source[at] == 0x22 || source[at] == 0x27 else {
        if name.isEmpty { at += 1 }
        continue
      }
      let quote = source[at]
      let end = source.firstIndex(of: quote, from: at + 1) ?? source.count
      // Most names end in other letters.
      if let last = name.last, Self.lastLetters.contains(last) {
        let name = Self.local(name)
        if Self.keptAttributes.contains(name) { tag.attributes.append((name, Self.resolved(source[(at + 1)..<end]))) }
      }
      at = Swift.min(end + 1, source.count)
    }
    at = Swift.min(at + 1, source.count)
    if tag.name == "style", !tag.isEnd, !tag.isEmpty {
      let end = end(of: "</")
      tag.text = Self.resolved(source[at..<end])
      at = Swift.max(at, source[..<end].suffix(2).elementsEqual("</".utf8) ? end - 2 : end)
    }
    return tag
  }

  private mutating func name() -> ArraySlice<UInt8> {
    let start = at
    unsafe source.withUnsafeBufferPointer { bytes in
      while at < bytes.count, unsafe bytes[at] > 0x20 {
        switch unsafe bytes[at] {
        case 0x2F, 0x3D, 0x3E, 0x22, 0x27: return
        default: at += 1
        }
      }
    }
    return source[start..<at]
  }

  private static func local(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name[((name.lastIndex(of: 0x3A) ?? name.startIndex - 1) + 1)...], as: UTF8.self)
  }

  /// With references to characters resolved; those to entities stay.
  private static func resolved(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&#") else { return text }
    let parts = text.split(separator: "&#", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
      let reference = part.prefix { $0 != ";" }
      let code =
        reference.first == "x" ? UInt32(reference.dropFirst(), radix: 16) : UInt32(reference, radix: 10)
      result.unicodeScalars.append(code.flatMap(Unicode.Scalar.init) ?? " ")
      result += part.dropFirst(reference.count + 1)
    }
  }
}
