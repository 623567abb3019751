import Primitives

/// What a page's layout record tells of the page: text, links, pictures, notes, roles, languages, and where they are.
///
/// Records hold more, by which comparisons find causes and places: fingerprints of styles, the faces of runs, the
/// number and the path of the chapter. They change with the engine or with the book where nobody who reads the page
/// can tell, and are left out here.
enum RecordHash {
  /// Keys whose values are not part of it. Those of faces are told by display lists.
  private static let others: [StaticString] = ["style", "primary", "font"]
  /// The key behind a page's number, its chapter and the path of that.
  private static let head: StaticString = "size"
  /// The last key of a stored record.
  private static let faces: StaticString = "faces"

  /// The hash of a record as it is stored.
  static func hash(_ record: [UInt8]) -> UInt64 {
    var hasher = StableHasher()
    let bytes = record.span
    parts(of: bytes) { hasher.combine(bytes.extracting($0)) }
    return hasher.value
  }

  /// The first key of the record whose value is another in both; nil where they tell the same.
  static func firstDifference(_ old: [UInt8], _ new: [UInt8]) -> String? {
    let (before, after) = (values(of: told(old)), values(of: told(new)))
    for (key, value) in after where before.first(where: { $0.key == key })?.value != value { return key }
    return before.first { entry in !after.contains { $0.key == entry.key } }?.key
  }

  /// The bytes that are hashed.
  private static func told(_ record: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    parts(of: record.span) { result += record[$0] }
    return result
  }

  /// Calls with the stretches of a record between the values that are left out.
  private static func parts(of bytes: Span<UInt8>, _ take: (Range<Int>) -> Void) {
    var start = 0
    var index = 0
    while index < bytes.count, !isKey(head, at: index, in: bytes) { index += 1 }
    start = index < bytes.count ? index : 0
    index = start
    while index < bytes.count {
      // In a string a quotation mark is escaped, so that nothing in one looks like a key.
      guard bytes[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      if isKey(faces, at: index, in: bytes) { break }
      guard let key = others.first(where: { isKey($0, at: index, in: bytes) }) else {
        index += 1
        continue
      }
      index += key.utf8CodeUnitCount + 3
      take(start..<index)
      while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
      start = index
    }
    take(start..<index)
  }

  private static func isKey(_ name: StaticString, at index: Int, in bytes: Span<UInt8>) -> Bool {
    let letters = name.bytes
    let end = index + 1 + letters.count
    guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\""), bytes[end + 1] == UInt8(ascii: ":") else {
      return false
    }
    return bytes.extracting(index + 1..<end).elementsEqual(letters)
  }

  private static func isEnd(_ byte: UInt8) -> Bool { [UInt8(ascii: ","), 0x7D, 0x5D].contains(byte) }

  /// The keys of an object with their values as they are written.
  private static func values(of object: [UInt8]) -> [(key: String, value: ArraySlice<UInt8>)] {
    var values: [(key: String, value: ArraySlice<UInt8>)] = []
    var depth = 0
    var isInString = false
    var start = 0
    var index = 0
    func take(_ end: Int) {
      let member = object[start..<max(start, end)]
      guard let colon = member.firstIndex(of: UInt8(ascii: ":")) else { return }
      values.append((String(decoding: member[..<colon].filter { $0 != 0x22 }, as: UTF8.self), member[(colon + 1)...]))
    }
    while index < object.count {
      switch object[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        take(index)
        start = index + 1
      default: break
      }
      index += 1
    }
    take(index)
    return values
  }
}
