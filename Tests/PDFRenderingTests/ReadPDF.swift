import BookOutput
import CDeflate
import Foundation
import TestSupport

/// A PDF file that was read for a test: its objects as text in Latin-1, and what its streams hold.
struct ReadPDF {
  /// By number.
  private(set) var objects: [Int: String] = [:]
  private(set) var streams: [Int: [UInt8]] = [:]
  let bytes: [UInt8]

  init(path: String) throws {
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let text = Self.latin(bytes)
    let pattern = try Regex(
      "(\\d+) 0 obj\\n<<(.*?)/Length (\\d+)>>stream\\n", as: (Substring, Substring, Substring, Substring).self
    )
    .dotMatchesNewlines()
    var start = text.startIndex
    while let match = try pattern.firstMatch(in: text[start...]) {
      let number = Int(match.output.1) ?? 0
      let length = Int(match.output.3) ?? 0
      let offset = text.unicodeScalars.distance(from: text.startIndex, to: match.range.upperBound)
      let dictionary = String(match.output.2)
      objects[number] = dictionary
      let data = Array(bytes[offset..<offset + length])
      streams[number] = dictionary.contains("/FlateDecode") ? Self.inflate(data) : data
      start = text.unicodeScalars.index(match.range.upperBound, offsetBy: length)
    }
    for (number, dictionary) in objects where dictionary.contains("/Type/ObjStm") {
      let content = streams[number] ?? []
      let first = Int((dictionary.split(separator: "/First ").last ?? "").prefix(while: \.isNumber)) ?? 0
      let header = Self.latin(Array(content[..<first])).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      let ends = stride(from: 3, to: header.count, by: 2).map { header[$0] } + [content.count - first]
      for index in 0..<header.count / 2 {
        objects[header[index * 2]] = Self.latin(Array(content[first + header[index * 2 + 1]..<first + ends[index]]))
      }
    }
  }

  private static func latin(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func inflate(_ data: [UInt8]) -> [UInt8] {
    guard let decompressor = libdeflate_alloc_decompressor() else { return [] }
    defer { libdeflate_free_decompressor(decompressor) }
    var room = Swift.max(1 << 16, data.count * 20)
    while room < 1 << 28 {
      var out = [UInt8](repeating: 0, count: room)
      var size = 0
      let result = libdeflate_zlib_decompress(decompressor, data, data.count, &out, room, &size)
      if result == LIBDEFLATE_SUCCESS { return Array(out[..<size]) }
      room *= 4
    }
    return []
  }

  /// All objects that are no streams, in the order of their numbers.
  var all: String { objects.keys.sorted().compactMap { objects[$0] }.joined(separator: "\n") }

  /// References to objects that are not there.
  var brokenReferences: [String] {
    objects.values.flatMap { body in
      body.matches(of: /(\d+) 0 R/).filter { objects[Int($0.output.1) ?? 0] == nil }.map { String($0.output.0) }
    }
  }

  /// The contents of all pages in the order of their objects, as text in Latin-1.
  var contents: String {
    streams.keys.sorted().compactMap { streams[$0] }.filter { $0.starts(with: Array(".01171875".utf8)) }.map(Self.latin)
      .joined(separator: "\n")
  }
}

extension TestBook {
  /// The address of a picture of one pixel.
  static let picture =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

  /// The PDF of a book.
  func pdf(_ input: String) throws -> ReadPDF {
    var options = RunOptions(input: input)
    options.pdf = PDFOptions(target: .file(path("book.pdf")))
    if let error = BookRun(options).run().error { throw error }
    return try ReadPDF(path: path("book.pdf"))
  }
}
