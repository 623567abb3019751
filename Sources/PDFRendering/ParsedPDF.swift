/// A PDF file with a cross-reference table (ISO 32000-1, section 7.5.4), as cairo writes it.
struct ParsedPDF {
  private let bytes: [UInt8]
  /// By object: the byte where it begins.
  private var offsets: [Int: Int] = [:]
  private var trailer = PDFValue.dictionary([])

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let tail = Swift.max(0, bytes.count - 64)
    let mark = Array("startxref".utf8)
    guard let start = (tail..<bytes.count).last(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    var scanner = PDFScanner(bytes, at: start + mark.count)
    guard let table = scanner.value()?.number.flatMap({ Int(exactly: $0) }) else { return nil }
    scanner = PDFScanner(bytes, at: table)
    guard case .word(let word)? = scanner.value(), word.elementsEqual("xref") else { return nil }
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

  /// An indirect object: its value, and the bytes of a stream as they are stored.
  func object(_ number: Int) -> (value: PDFValue, data: ArraySlice<UInt8>?)? {
    guard let offset = offsets[number], offset < bytes.count else { return nil }
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
  func resolved(_ value: PDFValue?) -> PDFValue? {
    guard case .reference(let number)? = value else { return value }
    guard let target = object(number)?.value else { return nil }
    if case .reference = target { return nil }
    return target
  }

  /// The data of a stream without its filters; nil where it has another than `/FlateDecode`.
  func decoded(_ stream: (value: PDFValue, data: ArraySlice<UInt8>?)) -> [UInt8]? {
    guard let data = stream.data else { return nil }
    guard let filter = stream.value["Filter"] else { return Array(data) }
    guard filter.isName("FlateDecode"), stream.value["DecodeParms"] == nil else { return nil }
    return Inflater.decompress(data)
  }

  /// The stream that a value refers to, without its filters.
  func stream(_ value: PDFValue?) -> [UInt8]? {
    guard case .reference(let number)? = value, let object = object(number) else { return nil }
    return decoded(object)
  }

  /// The first page.
  var page: PDFValue? {
    let pages = resolved(resolved(trailer["Root"])?["Pages"])
    return resolved(resolved(pages?["Kids"])?.elements?.first)
  }
}
