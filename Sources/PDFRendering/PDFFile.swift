import Primitives

/// The syntax of one file (ISO 32000-1, section 7.5): objects are written as they are done, small ones together in compressed
/// object streams, and a cross-reference stream ends it. What is kept of a written object is where it stands.
package struct PDFFile {
  /// Bytes to be written next.
  private var output: [UInt8] = []
  private var offset = 0
  /// By object: how it is found, as a cross-reference stream tells it.
  private var entries: [Entry] = [Entry(kind: 0, first: 0, second: 65535)]
  private var pending = ObjectStream()
  private var hashers = (StableHasher(), StableHasher())
  private let deflater: Deflater

  private struct Entry {
    /// 0 free, 1 at an offset, 2 in an object stream.
    var kind: UInt8
    /// The offset, or the number of the object stream.
    var first: UInt64
    /// The position in the object stream.
    var second: UInt16
  }

  private struct ObjectStream {
    var numbers: [Int] = []
    var offsets: [Int] = []
    var bodies: [UInt8] = []
    static let mostObjects = 200
    static let mostBytes = 1 << 16
  }

  package init(deflater: Deflater) {
    self.deflater = deflater
    hashers.1.combine(1)
    emit(Array("%PDF-1.7\n%\u{E2}\u{E3}\u{CF}\u{D3}\n".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
  }

  /// Hands over the bytes that have been added since the last call.
  package mutating func takeOutput() -> [UInt8] {
    defer { output.removeAll(keepingCapacity: true) }
    return output
  }

  private mutating func emit(_ bytes: some Collection<UInt8>) {
    output.append(contentsOf: bytes)
    offset += bytes.count
  }

  /// A number for an object that is written later.
  package mutating func allocate() -> PDFObjectID {
    entries.append(Entry(kind: 0, first: 0, second: 0))
    return PDFObjectID(number: entries.count - 1)
  }

  /// Adds an object that is no stream.
  package mutating func add(_ body: PDFBytes, as id: PDFObjectID) {
    pending.numbers.append(id.number)
    pending.offsets.append(pending.bodies.count)
    pending.bodies.append(contentsOf: body.bytes)
    pending.bodies.append(0x0A)
    if pending.numbers.count >= ObjectStream.mostObjects || pending.bodies.count >= ObjectStream.mostBytes { flush() }
  }

  @discardableResult
  package mutating func add(_ body: PDFBytes) -> PDFObjectID {
    let id = allocate()
    add(body, as: id)
    return id
  }

  /// Adds a stream.
  ///
  /// - Parameters:
  ///   - dictionary: Its entries but for the length, and the filter of data that is not encoded yet.
  ///   - isEncoded: `true` if `dictionary` names the filter; else the data is deflated where that makes it smaller.
  package mutating func add(
    stream data: [UInt8], _ dictionary: PDFBytes = PDFBytes(), isEncoded: Bool = false, as id: PDFObjectID
  ) {
    var data = data
    var head = PDFBytes()
    var isDeflated = false
    if !isEncoded {
      let deflated = deflater.compress(data)
      isDeflated = deflated.count + 20 < data.count
      if isDeflated { data = deflated }
    }
    entries[id.number] = Entry(kind: 1, first: UInt64(offset), second: 0)
    head.integer(id.number)
    head.raw(" 0 obj\n<<")
    head.raw(dictionary)
    if isDeflated { head.raw("/Filter/FlateDecode") }
    head.raw("/Length")
    head.integer(data.count)
    head.raw(">>stream\n")
    emit(head.bytes)
    hashers.0.combine(data)
    hashers.1.combine(data)
    emit(data)
    // The end of line before the keyword is no data: data that ends in half of one gets the whole of another.
    if data.last == 0x0D { emit([0x0D]) }
    emit(Array("\nendstream\nendobj\n".utf8))
  }

  /// Writes the objects that wait for an object stream.
  private mutating func flush() {
    guard !pending.numbers.isEmpty else { return }
    let stream = allocate()
    var index = PDFBytes()
    for (position, number) in pending.numbers.enumerated() {
      entries[number] = Entry(kind: 2, first: UInt64(stream.number), second: UInt16(position))
      index.integer(number)
      index.integer(pending.offsets[position])
    }
    index.raw("\n")
    var dictionary = PDFBytes("/Type/ObjStm/N")
    dictionary.integer(pending.numbers.count)
    dictionary.raw("/First")
    dictionary.integer(index.bytes.count)
    let data = index.bytes + pending.bodies
    pending = ObjectStream()
    add(stream: data, dictionary, as: stream)
  }

  /// Writes the cross-reference stream. The file identifier (section 14.4) comes from the content.
  package mutating func finish(root: PDFObjectID, information: PDFObjectID) {
    flush()
    let id = allocate()
    entries[id.number] = Entry(kind: 1, first: UInt64(offset), second: 0)
    var width = 1
    while UInt64(offset) >> UInt64(width * 8) != 0 { width += 1 }
    let columns = width + 3
    var rows: [UInt8] = []
    rows.reserveCapacity(entries.count * (columns + 1))
    var previous = [UInt8](repeating: 0, count: columns)
    for entry in entries {
      var row = [entry.kind]
      for place in (0..<width).reversed() { row.append(UInt8(truncatingIfNeeded: entry.first >> UInt64(place * 8))) }
      row.append(UInt8(truncatingIfNeeded: entry.second >> 8))
      row.append(UInt8(truncatingIfNeeded: entry.second))
      // The filter "up" of PNG: neighbours have most bytes in common.
      rows.append(2)
      for column in 0..<columns { rows.append(row[column] &- previous[column]) }
      previous = row
    }
    let start = offset
    var dictionary = PDFBytes("/Type/XRef/Size")
    dictionary.integer(entries.count)
    dictionary.raw("/W[1")
    dictionary.integer(width)
    dictionary.raw(" 2]/Root")
    dictionary.reference(root)
    dictionary.raw("/Info")
    dictionary.reference(information)
    dictionary.raw("/ID[")
    for _ in 0..<2 {
      dictionary.raw("<")
      for hash in [hashers.0.value, hashers.1.value] {
        let digits = String(hash, radix: 16, uppercase: true)
        dictionary.raw(String(repeating: "0", count: 16 - digits.count).utf8)
        dictionary.raw(digits.utf8)
      }
      dictionary.raw(">")
    }
    dictionary.raw("]/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns")
    dictionary.integer(columns)
    dictionary.raw(">>")
    add(stream: deflater.compress(rows), dictionary, isEncoded: true, as: id)
    var end = PDFBytes("startxref\n")
    end.integer(start)
    end.raw("\n%%EOF\n")
    emit(end.bytes)
  }
}
