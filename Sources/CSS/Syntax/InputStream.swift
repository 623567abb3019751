import Primitives

/// The bytes of a style sheet as UTF-8 (CSS Syntax 3, section 3.2): byte order mark, then the encoding the transport named,
/// then `@charset`, then the encoding of the document that links it, then UTF-8. Bytes that are not valid become U+FFFD.
package func decodeStylesheet(
  _ bytes: [UInt8], protocolEncoding: String? = nil, environmentEncoding: String? = nil
) -> [UInt8] {
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repairedUTF8(bytes[3...]) }
  if bytes.starts(with: [0xFF, 0xFE]) { return decodeUTF16(bytes[2...], isBigEndian: false) }
  if bytes.starts(with: [0xFE, 0xFF]) { return decodeUTF16(bytes[2...], isBigEndian: true) }
  if let encoding = protocolEncoding.flatMap({ StylesheetEncoding($0) }) { return encoding.decode(bytes) }
  if let label = charsetRule(bytes) {
    // A sheet whose `@charset` can be read as ASCII is not in UTF-16.
    if var encoding = StylesheetEncoding(label) {
      if encoding == .utf16LittleEndian || encoding == .utf16BigEndian { encoding = .utf8 }
      return encoding.decode(bytes)
    }
  }
  return (environmentEncoding.flatMap { StylesheetEncoding($0) } ?? .utf8).decode(bytes)
}

/// The label in `@charset "...";` at the very start, byte by byte as the specification wants it.
private func charsetRule(_ bytes: [UInt8]) -> String? {
  let start = Array("@charset \"".utf8)
  guard bytes.starts(with: start), let end = bytes.prefix(1024).dropFirst(start.count).firstIndex(of: 0x22),
    end + 1 < bytes.count, bytes[end + 1] == 0x3B
  else { return nil }
  return String(decoding: bytes[start.count..<end], as: UTF8.self)
}

/// The encodings style sheets of books are found in, by the labels of the Encoding Standard. Others are read as UTF-8: of a
/// sheet only comments, names and generated text can suffer.
private enum StylesheetEncoding {
  case utf8, utf16LittleEndian, utf16BigEndian, windows1252

  init?(_ label: String) {
    let trimmed = label.utf8.filter { !isWhitespace($0) }.map { asciiLowercased($0) }
    switch String(decoding: trimmed, as: UTF8.self) {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    case "utf-16", "utf-16le", "ucs-2", "unicode", "iso-10646-ucs-2": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "ascii", "us-ascii", "windows-1252", "cp1252",
      "x-cp1252":
      self = .windows1252
    default: return nil
    }
  }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8: repairedUTF8(bytes[...])
    case .utf16LittleEndian: decodeUTF16(bytes[...], isBigEndian: false)
    case .utf16BigEndian: decodeUTF16(bytes[...], isBigEndian: true)
    case .windows1252: decodeWindows1252(bytes)
    }
  }
}

private func repairedUTF8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  if bytes.allSatisfy({ $0 < 0x80 }) { return Array(bytes) }
  return Array(String(decoding: bytes, as: UTF8.self).utf8)
}

private func decodeUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
  var units: [UInt16] = []
  units.reserveCapacity(bytes.count / 2)
  var index = bytes.startIndex
  while index + 1 < bytes.endIndex {
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    index += 2
  }
  // A byte left over is half a character.
  if index < bytes.endIndex { units.append(0xFFFD) }
  return Array(String(utf16: units).utf8)
}

private func decodeWindows1252(_ bytes: [UInt8]) -> [UInt8] {
  // 0x80 to 0x9F; the five without a character are control characters, as in the Encoding Standard.
  let upper: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
    0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x009D, 0x017E, 0x0178,
  ]
  let units = bytes.map { $0 >= 0x80 && $0 < 0xA0 ? upper[Int($0) - 0x80] : UInt16($0) }
  return Array(String(utf16: units).utf8)
}
