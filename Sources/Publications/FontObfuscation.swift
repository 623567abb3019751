/// Undoes the scrambling of fonts, which is no protection of the book (EPUB 3.3, section 4.4; Adobe's older way).
enum FontObfuscation: Hashable, Sendable {
  case idpf, adobe

  /// The kind an encryption algorithm names, nil for real encryption.
  init?(algorithm: String) {
    switch algorithm {
    case "http://www.idpf.org/2008/embedding": self = .idpf
    case "http://ns.adobe.com/pdf/enc#RC": self = .adobe
    default: return nil
    }
  }

  /// The font of obfuscated bytes. Each identifier is tried until a font comes out; bytes that were never scrambled stay.
  func restore(_ bytes: [UInt8], identifiers: [String]) -> [UInt8] {
    if Self.isFont(bytes) { return bytes }
    var first: [UInt8]?
    for identifier in identifiers {
      guard let key = key(identifier) else { continue }
      var restored = bytes
      for index in 0..<min(length, restored.count) { restored[index] ^= key[index % key.count] }
      if Self.isFont(restored) { return restored }
      if first == nil { first = restored }
    }
    return first ?? bytes
  }

  private var length: Int { self == .idpf ? 1040 : 1024 }

  private func key(_ identifier: String) -> [UInt8]? {
    switch self {
    case .idpf:
      let bytes = identifier.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D && $0 != 0x0A }
      return SHA1.digest(Array(bytes))
    case .adobe:
      let digits = identifier.split(separator: ":").last.map(String.init)?.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
      }
      guard let digits, digits.count == 32 else { return nil }
      return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  /// The bytes begin like a font file.
  static func isFont(_ bytes: [UInt8]) -> Bool {
    let tags: [[UInt8]] = [
      [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8), Array("wOF2".utf8),
    ]
    return tags.contains { bytes.starts(with: $0) }
  }
}

/// SHA-1 (FIPS 180-4), for the key of obfuscated fonts only.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var words = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(padded[block + index * 4 + $1]) }
      }
      for index in 16..<80 {
        words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch index {
          case 0..<20: (b & c | ~b & d, 0x5A82_7999)
          case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[index]
        (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
    }
    return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
  }

  private static func rotate(_ value: UInt32, _ bits: UInt32) -> UInt32 { value << bits | value >> (32 - bits) }
}
