import CHyphen
import Glibc

/// The patterns of one language, as libhyphen reads them. Belongs to one thread.
final class HyphenationDictionary {
  private let dictionary: UnsafeMutablePointer<HyphenDict>
  /// The patterns' own minima before and after a break; at least 2.
  let minimumBefore: Int
  let minimumAfter: Int
  private let isUTF8: Bool
  /// For patterns in a single-byte encoding: the byte of each character from U+0080 on.
  private var bytes: [UInt16: UInt8] = [:]

  init?(path: String) {
    guard let loaded = hnj_hyphen_load(path) else { return nil }
    dictionary = loaded
    minimumBefore = Swift.max(2, Int(loaded.pointee.lhmin))
    minimumAfter = Swift.max(2, Int(loaded.pointee.rhmin))
    isUTF8 = loaded.pointee.utf8 != 0
    if !isUTF8 { bytes = Self.singleByteTable(Self.encodingName(loaded.pointee.cset)) }
  }

  deinit { hnj_hyphen_free(dictionary) }

  /// Appends the offsets, in units, before which the lower-case word may be divided.
  func points(in word: [UInt16], minimumBefore: Int, minimumAfter: Int, into result: inout [Int]) {
    var text: [CChar] = []
    // The unit after each encoded character.
    var ends: [Int] = []
    text.reserveCapacity(word.count * 3)
    ends.reserveCapacity(word.count)
    var index = 0
    let isEncodable = word.withUnsafeBufferPointer { units -> Bool in
      while index < units.count {
        let (scalar, length) = UTF16Text.scalar(units, at: index)
        index += length
        if isUTF8 {
          guard let character = Unicode.Scalar(scalar) else { return false }
          for byte in String(character).utf8 { text.append(CChar(bitPattern: byte)) }
        } else if scalar < 0x80 {
          text.append(CChar(truncatingIfNeeded: scalar))
        } else {
          guard length == 1, let byte = bytes[UInt16(scalar)] else { return false }
          text.append(CChar(bitPattern: byte))
        }
        ends.append(index)
      }
      return true
    }
    guard isEncodable, !text.isEmpty else { return }
    let size = text.count
    // libhyphen wants room for five more marks than bytes.
    var marks = [CChar](repeating: 0, count: size + 5)
    var replacements: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var positions: UnsafeMutablePointer<Int32>?
    var cuts: UnsafeMutablePointer<Int32>?
    text.append(0)
    let status = hnj_hyphen_hyphenate3(
      dictionary, text, Int32(size), &marks, nil, &replacements, &positions, &cuts, Int32(minimumBefore),
      Int32(minimumAfter), Int32(dictionary.pointee.clhmin), Int32(dictionary.pointee.crhmin))
    defer {
      if let replacements {
        for position in 0..<size { free(replacements[position]) }
        free(replacements)
      }
      free(positions)
      free(cuts)
    }
    guard status == 0 else { return }
    for position in 0..<Swift.min(ends.count - 1, size) where position + 1 < ends.count {
      // Odd marks divide. A replacement changes the spelling, which a plain break cannot show.
      guard marks[position] & 1 == 1, replacements.map({ $0[position] == nil }) ?? true else { continue }
      let before = position + 1
      let after = ends.count - before
      if before >= minimumBefore, after >= minimumAfter { result.append(ends[position]) }
    }
  }

  private static func encodingName(
    _ field: (
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar,
      CChar, CChar, CChar
    )
  ) -> String {
    let name = withUnsafeBytes(of: field) { raw in
      String(decoding: raw.prefix { $0 != 0 && $0 != 10 && $0 != 13 }, as: UTF8.self)
    }
    return name.hasPrefix("microsoft-cp") ? "CP" + name.dropFirst(12) : name
  }

  private static func singleByteTable(_ encoding: String) -> [UInt16: UInt8] {
    var table: [UInt16: UInt8] = [:]
    let failed = UnsafeMutableRawPointer(bitPattern: -1)
    guard let converter = iconv_open("UTF-16LE", encoding), converter != failed else { return table }
    defer { iconv_close(converter) }
    for byte in UInt8(0x80)...0xFF {
      var input = [CChar(bitPattern: byte)]
      var output: [UInt8] = [0, 0, 0, 0]
      var inputLeft = 1
      var outputLeft = 4
      let converted = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBytes { target in
          var from = source.baseAddress
          var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
          return iconv(converter, &from, &inputLeft, &to, &outputLeft)
        }
      }
      if converted != Int.max, inputLeft == 0, outputLeft == 2 {
        table[UInt16(output[0]) | UInt16(output[1]) << 8] = byte
      }
    }
    return table
  }
}
