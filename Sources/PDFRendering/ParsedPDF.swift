/// A PDF file that is read: with a cross-reference table, as cairo writes it, or with a cross-reference stream
/// (ISO 32000-1, sections 7.5.4, 7.5.7 and 7.5.8).
package struct ParsedPDF {
  private let bytes: [UInt8]
  /// By object: the byte where it begins.
  private var offsets: [Int: Int] = [:]
  /// By object: what an object stream has of it.
  private var packed: [Int: ArraySlice<UInt8>] = [:]
  private var trailer = PDFValue.dictionary([])

  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let tail = Swift.max(0, bytes.count - 64)
    let mark = Array("startxref".utf8)
    guard let start = (tail..<bytes.count).last(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    var scanner = PDFScanner(bytes, at: start + mark.count)
    guard let table = scanner.value()?.number.flatMap({ Int(exactly: $0) }) else { return nil }
    scanner = PDFScanner(bytes, at: table)
    guard case .word(let word)? = scanner.value(), word.elementsEqual("xref") else {
      guard readStream(at: table) else { return nil }
      return
    }
    while let first = scanner.token() {
      if first.kind == .keyword { break }
      guard let start = scanner.integer(first.range), (0..<bytes.count).contains(start),
        let range = scanner.token()?.range, let count = scanner.integer(range), count >= 0
      else { return nil }
      for number in start..<start + Swift.min(count, bytes.count) {
        guard let offset = scanner.token(), scanner.token() != nil, let use = scanner.token() else { return nil }
        if bytes[use.range].elementsEqual("n") { offsets[number] = scanner.integer(offset.range) }
      }
    }
    guard let trailer = scanner.value() else { return nil }
    self.trailer = trailer
  }

  /// Reads a cross-reference stream and what stands in object streams.
  private mutating func readStream(at offset: Int) -> Bool {
    guard let (dictionary, data) = object(at: offset), let data, var rows = Inflater.decompress(data),
      let widths = dictionary["W"]?.elements?.compactMap({ $0.number.flatMap { Int(exactly: $0) } }), widths.count == 3,
      widths.allSatisfy({ (0...8).contains($0) })
    else { return false }
    let width = widths.reduce(0, +)
    if dictionary["DecodeParms"] != nil { rows = Self.unpredicted(rows, columns: width) }
    guard width > 0 else { return false }
    trailer = dictionary
    var streams: Set<Int> = []
    for (number, start) in stride(from: 0, through: rows.count - width, by: width).enumerated() {
      var fields: [Int] = []
      var place = start
      for width in widths {
        fields.append(rows[place..<place + width].reduce(0) { $0 << 8 | Int($1) })
        place += width
      }
      if fields[0] == 1 { offsets[number] = fields[1] }
      if fields[0] == 2 { streams.insert(fields[1]) }
    }
    for stream in streams { unpack(stream) }
    return true
  }

  /// Rows that the filter "up" of PNG was applied to.
  private static func unpredicted(_ bytes: [UInt8], columns: Int) -> [UInt8] {
    var rows: [UInt8] = []
    var previous = [UInt8](repeating: 0, count: columns)
    for start in stride(from: 0, through: bytes.count - columns - 1, by: columns + 1) {
      for column in 0..<columns { previous[column] &+= bytes[start + 1 + column] }
      rows += previous
    }
    return rows
  }

  /// Takes the objects of an object stream.
  private mutating func unpack(_ number: Int) {
    guard let offset = offsets[number], let stream = object(at: offset), let content = decoded(stream),
      let count = stream.value["N"]?.number.flatMap({ Int(exactly: $0) }),
      let first = stream.value["First"]?.number.flatMap({ Int(exactly: $0) }), first <= content.count
    else { return }
    var scanner = PDFScanner(content)
    var places: [(number: Int, start: Int)] = []
    while places.count < count, let number = scanner.token().flatMap({ scanner.integer($0.range) }),
      let start = scanner.token().flatMap({ scanner.integer($0.range) }), first + start <= content.count
    {
      places.append((number, first + start))
    }
    for (index, place) in places.enumerated() {
      let end = index + 1 < places.count ? places[index + 1].start : content.count
      if place.start <= end { packed[place.number] = content[place.start..<end] }
    }
  }

  /// An indirect object: its value, and the bytes of a stream as they are stored.
  package func object(_ number: Int) -> (value: PDFValue, data: ArraySlice<UInt8>?)? {
    if let bytes = packed[number] {
      var scanner = PDFScanner(bytes)
      return scanner.value().map { ($0, nil) }
    }
    guard let offset = offsets[number] else { return nil }
    return object(at: offset)
  }

  private func object(at offset: Int) -> (value: PDFValue, data: ArraySlice<UInt8>?)? {
    guard offset >= 0, offset < bytes.count else { return nil }
    var scanner = PDFScanner(bytes, at: offset)
    guard scanner.token() != nil, scanner.token() != nil, scanner.token() != nil, let value = scanner.value() else {
      return nil
    }
    guard let keyword = scanner.token(), bytes[keyword.range].elementsEqual("stream") else { return (value, nil) }
    var start = scanner.position
    if start < bytes.count, bytes[start] == 0x0D { start += 1 }
    if start < bytes.count, bytes[start] == 0x0A { start += 1 }
    guard let length = resolved(value["Length"])?.number.flatMap({ Int(exactly: $0) }), length >= 0,
      length <= bytes.count - start
    else { return nil }
    return (value, bytes[start..<start + length])
  }

  /// A value, or the one that a reference names.
  package func resolved(_ value: PDFValue?) -> PDFValue? {
    guard case .reference(let number)? = value else { return value }
    guard let target = object(number)?.value else { return nil }
    if case .reference = target { return nil }
    return target
  }

  /// The data of a stream without its filters; nil where it has another than `/FlateDecode`.
  package func decoded(_ stream: (value: PDFValue, data: ArraySlice<UInt8>?)) -> [UInt8]? {
    guard let data = stream.data else { return nil }
    guard let filter = stream.value["Filter"] else { return Array(data) }
    guard filter.isName("FlateDecode"), stream.value["DecodeParms"] == nil else { return nil }
    return Inflater.decompress(data)
  }

  /// The stream that a value refers to, without its filters.
  package func stream(_ value: PDFValue?) -> [UInt8]? {
    guard case .reference(let number)? = value, let object = object(number) else { return nil }
    return decoded(object)
  }

  /// The catalog, and the document information dictionary.
  package var root: PDFValue? { resolved(trailer["Root"]) }
  package var information: PDFValue? { resolved(trailer["Info"]) }

  /// The first page.
  var page: PDFValue? {
    let pages = resolved(root?["Pages"])
    return resolved(resolved(pages?["Kids"])?.elements?.first)
  }
}
