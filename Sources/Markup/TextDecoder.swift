import CUnicode
import Primitives

/// Turns bytes of any encoding into UTF-8.
package enum TextDecoder {
  /// Decodes through ICU; nil for an encoding nobody knows, by any of its labels. Sequences that are not valid become U+FFFD.
  package static func decode(_ bytes: Span<UInt8>, from encoding: String) -> (
    utf8: [UInt8], malformed: Int
  )? {
    let name = EncodingLabels.entry(for: encoding)
    if name?.name == "ISO-8859-16" { return decodeLatin10(bytes) }
    guard let decoder = unsafe cu_decoder_open(name?.converter ?? encoding) else { return nil }
    defer { unsafe cu_decoder_close(decoder) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2 + 16)
    var start = 0
    while true {
      var consumed = 0
      var more: Int32 = 0
      let piece = unsafe bytes.extracting(start...).withUnsafeBufferPointer { bytes in
        unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = unsafe cu_decoder_convert(
            decoder, bytes.baseAddress, bytes.count, &consumed, buffer.baseAddress, buffer.count, 1, &more)
        }
      }
      output += piece
      start += consumed
      if more == 0 || (consumed == 0 && piece.isEmpty) { break }
    }
    return unsafe (output, cu_decoder_malformed(decoder))
  }

  package static func decode(_ bytes: ArraySlice<UInt8>, from encoding: String) -> (utf8: [UInt8], malformed: Int)? {
    decode(bytes.span, from: encoding)
  }

  /// ISO 8859-16, of which ICU has no table.
  private static func decodeLatin10(_ bytes: Span<UInt8>) -> (utf8: [UInt8], malformed: Int) {
    var text = String.UnicodeScalarView()
    for index in bytes.indices {
      let byte = bytes[index]
      text.append(byte < 0xA0 ? Unicode.Scalar(byte) : latin10[Int(byte) - 0xA0])
    }
    return (Array(String(text).utf8), 0)
  }
  private static let latin10 = Array(
    ("\u{A0}ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß"
      + "àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ").unicodeScalars)

  /// The parts of some bytes that are valid UTF-8.
  package struct UTF8Validation: Sendable {
    /// Characters of more than one byte.
    package var multibyte = 0
    /// Sequences that are not UTF-8.
    package var malformed = 0
    /// Zero bytes.
    package var zeros = 0
  }

  /// Counts valid and invalid sequences (Unicode, table 3-7).
  package static func validateUTF8(_ bytes: Span<UInt8>) -> UTF8Validation {
    var validation = UTF8Validation()
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        // ASCII without zeros, eight at a time.
        while index + 8 <= bytes.count {
          let eight = bytes.littleEndian(at: index, as: UInt64.self)
          guard (eight &- 0x0101_0101_0101_0101 | eight) & 0x8080_8080_8080_8080 == 0 else { break }
          index += 8
        }
        guard index < bytes.count, bytes[index] < 0x80 else { continue }
        if bytes[index] == 0 { validation.zeros += 1 }
        index += 1
        continue
      }
      // Most characters of three bytes, as ideographs are.
      let start = index
      while UTF8Sequence.unit(ofThreeBytesAt: index, in: bytes) != 0 { index += 3 }
      validation.multibyte += (index - start) / 3
      if index > start { continue }
      let length = sequenceLength(bytes, at: index)
      if length > 0 {
        validation.multibyte += 1
        index += length
      } else {
        validation.malformed += 1
        index += -length
      }
    }
    return validation
  }

  /// The length of the character at `index`, or minus the length of the part that must be replaced.
  static func sequenceLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch first {
    case 0..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, low) = (3, 0xA0)
    case 0xED: (length, high) = (3, 0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, low) = (4, 0x90)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, high) = (4, 0x8F)
    default: return -1
    }
    for offset in 1..<length {
      guard index + offset < bytes.count else { return -offset }
      let byte = bytes[index + offset]
      guard byte >= low, byte <= high else { return -offset }
      low = 0x80
      high = 0xBF
    }
    return length
  }

  /// UTF-8 with each malformed part replaced by U+FFFD. Text that is valid already is returned as it is.
  package static func repairUTF8(_ bytes: [UInt8]) -> [UInt8] {
    validateUTF8(bytes.span).malformed > 0 ? Array(String(decoding: bytes, as: UTF8.self).utf8) : bytes
  }
}
