import Primitives

/// Reads the JSON Lines of `--layout` into records.
///
/// A run of a corpus holds tens of thousands of pages, so the bytes are read directly: fields that records do not keep are
/// passed over, and a text that is that of the line before is the same string.
package struct LayoutRecordReader: ~Escapable {
  /// The description of the book in the first line.
  package struct BookRecord: Hashable, Sendable {
    package var title = ""
    package var language = ""
    package var faces: [FaceRecord] = []
  }

  /// The book and the pages of a whole file; nil when a line of it cannot be read.
  package static func read(_ bytes: [UInt8]) -> (book: BookRecord, pages: [PageRecord])? {
    var book = BookRecord()
    var pages: [PageRecord] = []
    let file = bytes.span
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = file.extracting(start..<end)
      start = end + 1
      if line.isEmpty { continue }
      if let page = page(line) {
        pages.append(page)
      } else if let found = self.book(line) {
        book = found
      } else {
        return nil
      }
    }
    return (book, pages)
  }

  /// A line of type `page`; nil for any other.
  package static func page(_ line: Span<UInt8>) -> PageRecord? {
    var reader = LayoutRecordReader(line)
    return reader.readPage()
  }

  /// A line of type `book`; nil for any other.
  package static func book(_ line: Span<UInt8>) -> BookRecord? {
    var reader = LayoutRecordReader(line)
    return reader.readBook()
  }

  private var json: JSONScanner
  private var node = RepeatedText()
  private var role = RepeatedText()
  private var language = RepeatedText()
  private var direction = RepeatedText()
  private var writing = RepeatedText()
  private var style = RepeatedText()
  private var table = RepeatedText()
  private var color = RepeatedText()
  private var runText = RepeatedText()

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>) { json = JSONScanner(bytes) }

  private mutating func readPage() -> PageRecord? {
    var page = PageRecord(number: 0, chapter: 0, href: "", size: [], lines: [])
    var isPage = false
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "type") {
        isPage = json.string() == "page"
        guard isPage else { return nil }
      } else if json.matches(key, "number") {
        page.number = json.integer()
      } else if json.matches(key, "chapter") {
        page.chapter = json.integer()
      } else if json.matches(key, "href") {
        page.href = json.string()
      } else if json.matches(key, "size") {
        json.beginArray()
        while json.nextElement() { page.size.append(json.number()) }
      } else if json.matches(key, "lines") {
        json.beginArray()
        while json.nextElement() {
          if let line = readLine() { page.lines.append(line) }
        }
      } else if json.matches(key, "images") {
        json.beginArray()
        while json.nextElement() { page.images.append(readPlaced()) }
      } else if json.matches(key, "links") {
        json.beginArray()
        while json.nextElement() { page.links.append(readPlaced()) }
      } else {
        json.skipValue()
      }
    }
    return isPage && !json.isBroken ? page : nil
  }

  private mutating func readBook() -> BookRecord? {
    var book = BookRecord()
    var isBook = false
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "type") {
        isBook = json.string() == "book"
        guard isBook else { return nil }
      } else if json.matches(key, "title") {
        book.title = json.string()
      } else if json.matches(key, "language") {
        book.language = json.string()
      } else if json.matches(key, "fonts") {
        json.beginArray()
        while json.nextElement() { book.faces.append(readFace()) }
      } else {
        json.skipValue()
      }
    }
    return isBook && !json.isBroken ? book : nil
  }

  private mutating func readFace() -> FaceRecord {
    var face = FaceRecord(id: 0, family: "", style: "", weight: 0, file: "")
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "id") {
        face.id = json.integer()
      } else if json.matches(key, "family") {
        face.family = json.string()
      } else if json.matches(key, "style") {
        face.style = json.string()
      } else if json.matches(key, "weight") {
        face.weight = json.integer()
      } else if json.matches(key, "file") {
        face.file = json.string()
      } else {
        json.skipValue()
      }
    }
    return face
  }

  /// A line of the content; nil for one of a margin box, which has no place in the source.
  private mutating func readLine() -> LineRecord? {
    var isOfContent = true
    var line = LineRecord(
      text: "", box: RecordBox(x: 0, y: 0, width: 0, height: 0), baseline: 0,
      source: RecordSource(node: "", start: 0, end: 0), role: "")
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "text") {
        line.text = json.string()
      } else if json.matches(key, "box") {
        line.box = readBox()
      } else if json.matches(key, "baseline") {
        line.baseline = json.number()
      } else if json.matches(key, "dir") {
        line.dir = json.string(&direction)
      } else if json.matches(key, "writing") {
        line.writing = json.string(&writing)
      } else if json.matches(key, "hyphenated") {
        line.hyphenated = json.flag()
      } else if json.matches(key, "source") {
        line.source = readSource()
      } else if json.matches(key, "role") {
        line.role = json.string(&role)
      } else if json.matches(key, "level") {
        line.level = json.integer()
      } else if json.matches(key, "lang") {
        line.lang = json.string(&language)
      } else if json.matches(key, "marker") {
        line.marker = json.string()
      } else if json.matches(key, "style") {
        line.style = json.string(&style)
      } else if json.matches(key, "primary") {
        line.primary = json.integer()
      } else if json.matches(key, "table") {
        line.table = json.string(&table)
      } else if json.matches(key, "scale") {
        line.scale = json.number()
      } else if json.matches(key, "runs") {
        json.beginArray()
        while json.nextElement() { line.runs.append(readRun(of: line.text)) }
      } else if json.matches(key, "marginBox") {
        isOfContent = !json.flag()
      } else {
        json.skipValue()
      }
    }
    return isOfContent ? line : nil
  }

  private mutating func readSource() -> RecordSource {
    var source = RecordSource(node: "", start: 0, end: 0)
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "node") {
        source.node = json.string(&node)
      } else if json.matches(key, "start") {
        source.start = json.integer()
      } else if json.matches(key, "end") {
        source.end = json.integer()
      } else {
        json.skipValue()
      }
    }
    return source
  }

  private mutating func readRun(of line: String) -> RunRecord {
    var run = RunRecord(font: 0, size: 0, color: "", text: "", x: 0, width: 0)
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "font") {
        run.font = json.integer()
      } else if json.matches(key, "size") {
        run.size = json.number()
      } else if json.matches(key, "color") {
        run.color = json.string(&color)
      } else if json.matches(key, "text") {
        // Most lines are one run.
        run.text = json.string()
        if run.text == line { run.text = line }
      } else if json.matches(key, "x") {
        run.x = json.number()
      } else if json.matches(key, "width") {
        run.width = json.number()
      } else if json.matches(key, "y") {
        run.y = json.number()
      } else if json.matches(key, "height") {
        run.height = json.number()
      } else {
        json.skipValue()
      }
    }
    return run
  }

  private mutating func readPlaced() -> PlacedRecord {
    var placed = PlacedRecord(href: "", box: RecordBox(x: 0, y: 0, width: 0, height: 0))
    json.beginObject()
    while let key = json.nextKey() {
      if json.matches(key, "href") {
        placed.href = json.string()
      } else if json.matches(key, "box") {
        placed.box = readBox()
      } else if json.matches(key, "missing") {
        placed.missing = json.flag()
      } else if json.matches(key, "alt") {
        placed.alt = json.string()
      } else if json.matches(key, "source") {
        placed.source = json.string()
      } else {
        json.skipValue()
      }
    }
    return placed
  }

  private mutating func readBox() -> RecordBox {
    var values = (0.0, 0.0, 0.0, 0.0)
    var index = 0
    json.beginArray()
    while json.nextElement() {
      let value = json.number()
      switch index {
      case 0: values.0 = value
      case 1: values.1 = value
      case 2: values.2 = value
      case 3: values.3 = value
      default: break
      }
      index += 1
    }
    return RecordBox(x: values.0, y: values.1, width: values.2, height: values.3)
  }
}

/// The string that was read last, and where: equal bytes give the same string again.
struct RepeatedText {
  var range = 0..<0
  var text = ""
}

/// Walks through the bytes of one JSON value (RFC 8259). What is malformed sets `isBroken` and ends every loop.
struct JSONScanner: ~Escapable {
  private let bytes: Span<UInt8>
  private var at = 0
  private(set) var isBroken = false

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  private mutating func next() -> UInt8 {
    while at < bytes.count {
      let byte = bytes[at]
      if byte != 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return byte }
      at += 1
    }
    return 0
  }
  private mutating func fail() {
    isBroken = true
    at = bytes.count
  }
  private mutating func expect(_ byte: UInt8) {
    if next() == byte { at += 1 } else { fail() }
  }

  mutating func beginObject() { expect(0x7B) }
  mutating func beginArray() { expect(0x5B) }

  /// The range of the next key's text; nil at the end of the object.
  mutating func nextKey() -> Range<Int>? {
    if next() == 0x2C { at += 1 }
    switch next() {
    case 0x22:
      let range = stringRange().range
      expect(0x3A)
      return isBroken ? nil : range
    case 0x7D:
      at += 1
      return nil
    default:
      fail()
      return nil
    }
  }

  /// The array has another element, which then has to be read.
  mutating func nextElement() -> Bool {
    if next() == 0x2C { at += 1 }
    switch next() {
    case 0x5D:
      at += 1
      return false
    case 0:
      fail()
      return false
    default: return true
    }
  }

  func matches(_ key: Range<Int>, _ name: StaticString) -> Bool {
    let letters = name.bytes
    guard bytes.extracting(key).elementsEqual(letters) else { return false }
    return true
  }

  mutating func string() -> String {
    let found = stringRange()
    if !found.hasEscapes {
      return String(decoding: bytes.extracting(found.range))
    }
    return unescaped(found.range)
  }

  mutating func string(_ last: inout RepeatedText) -> String {
    let found = stringRange()
    if found.range.count == last.range.count {
      var index = 0
      while index < found.range.count,
        bytes[found.range.lowerBound + index] == bytes[last.range.lowerBound + index]
      {
        index += 1
      }
      if index == found.range.count { return last.text }
    }
    let text =
      found.hasEscapes
      ? unescaped(found.range) : String(decoding: bytes.extracting(found.range))
    last = RepeatedText(range: found.range, text: text)
    return text
  }

  private mutating func stringRange() -> (range: Range<Int>, hasEscapes: Bool) {
    guard next() == 0x22 else {
      fail()
      return (0..<0, false)
    }
    let start = at + 1
    var index = start
    var hasEscapes = false
    while index < bytes.count, bytes[index] != 0x22 {
      if bytes[index] == 0x5C {
        hasEscapes = true
        index += 1
      }
      index += 1
    }
    guard index < bytes.count else {
      fail()
      return (0..<0, false)
    }
    at = index + 1
    return (start..<index, hasEscapes)
  }

  private mutating func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt16] = []
    var text = ""
    var plain = range.lowerBound
    var index = range.lowerBound
    func flush(_ end: Int) {
      if !units.isEmpty {
        text += String(utf16: units)
        units.removeAll()
      }
      if plain < end {
        text += String(decoding: bytes.extracting(plain..<end))
      }
    }
    while index < range.upperBound {
      guard bytes[index] == 0x5C, index + 1 < range.upperBound else {
        index += 1
        continue
      }
      if plain < index { flush(index) }
      switch bytes[index + 1] {
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x62: units.append(0x08)
      case 0x66: units.append(0x0C)
      case 0x75:
        var unit: UInt16 = 0
        for place in 2..<6 {
          guard index + place < range.upperBound, let digit = Self.hexDigit(bytes[index + place]) else {
            fail()
            return ""
          }
          unit = unit << 4 | digit
        }
        units.append(unit)
        index += 4
      case let byte: units.append(UInt16(byte))
      }
      index += 2
      plain = index
    }
    flush(range.upperBound)
    return text
  }

  private static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case 0x30...0x39: UInt16(byte - 0x30)
    case 0x41...0x46: UInt16(byte - 0x37)
    case 0x61...0x66: UInt16(byte - 0x57)
    default: nil
    }
  }

  mutating func flag() -> Bool {
    let isTrue = next() == 0x74
    skipValue()
    return isTrue
  }

  mutating func integer() -> Int {
    let value = number()
    return abs(value) < 9e15 ? Int(value) : 0
  }

  mutating func number() -> Double {
    var isNegative = false
    if next() == 0x2D {
      isNegative = true
      at += 1
    }
    let start = at
    var digits: UInt64 = 0
    var decimals = 0
    var seesPoint = false
    while at < bytes.count {
      let byte = bytes[at]
      if byte >= 0x30, byte <= 0x39 {
        // More digits than a record has (1/64 px) are no loss.
        if digits < 1_000_000_000_000_000 {
          digits = digits * 10 + UInt64(byte - 0x30)
          if seesPoint { decimals += 1 }
        } else if !seesPoint {
          decimals -= 1
        }
      } else if byte == 0x2E, !seesPoint {
        seesPoint = true
      } else {
        break
      }
      at += 1
    }
    guard at > start else {
      fail()
      return 0
    }
    if at < bytes.count, bytes[at] == 0x65 || bytes[at] == 0x45 {
      at += 1
      var exponentIsNegative = false
      if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D {
        exponentIsNegative = bytes[at] == 0x2D
        at += 1
      }
      var exponent = 0
      while at < bytes.count, bytes[at] >= 0x30, bytes[at] <= 0x39 {
        exponent = min(exponent * 10 + Int(bytes[at] - 0x30), 400)
        at += 1
      }
      decimals -= exponentIsNegative ? -exponent : exponent
    }
    var value = Double(digits)
    if decimals > 0, decimals < Self.powers.count {
      value /= Self.powers[decimals]
    } else {
      while decimals > 0, value != 0 {
        value /= 10
        decimals -= 1
      }
      while decimals < 0, value != 0, value.isFinite {
        value *= 10
        decimals += 1
      }
    }
    return isNegative ? -value : value
  }
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Passes over a value of any kind.
  mutating func skipValue() {
    switch next() {
    case 0x22: _ = stringRange()
    case 0x7B, 0x5B:
      var depth = 0
      repeat {
        switch next() {
        case 0x22:
          _ = stringRange()
          continue
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D: depth -= 1
        case 0: if at >= bytes.count { return fail() }
        default: break
        }
        at += 1
      } while depth > 0 && at < bytes.count
      if depth > 0 { fail() }
    default:
      let start = at
      while at < bytes.count, bytes[at] != 0x2C, bytes[at] != 0x7D, bytes[at] != 0x5D {
        at += 1
      }
      if at == start { fail() }
    }
  }
}
