import Primitives

/// SHA-256 (FIPS 180-4): the name by content of files.
///
/// It is our own because nothing secret hangs on it: the libraries that have it bring a whole cryptography (BoringSSL's build
/// alone takes minutes), for the hundred lines that name files.
package struct SHA256: Sendable {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  )
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// The digest of bytes in lower case hexadecimal.
  package static func hex(_ bytes: [UInt8]) -> String {
    var hasher = SHA256()
    hasher.update(bytes.span)
    return hasher.hex()
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    length &+= UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(bytes.count, 64 - pending.count)
      pending.append(contentsOf: bytes.extracting(first: start))
      guard pending.count == 64 else { return }
      let whole = pending
      block(whole.span)
      pending.removeAll(keepingCapacity: true)
    }
    let end = start + (bytes.count - start) / 64 * 64
    block(bytes.extracting(start..<end))
    pending.append(contentsOf: bytes.extracting(end...))
  }

  package mutating func hex() -> String {
    var tail = pending + [0x80]
    while tail.count % 64 != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: (length &* 8) >> shift)) }
    block(tail.span)
    let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Takes in whole blocks of 64 bytes.
  private mutating func block(_ bytes: Span<UInt8>) {
    var state = state
    let k = Self.constants.span
    withScratch(repeating: UInt32(0), count: 64) { w in
      for base in stride(from: 0, to: bytes.count, by: 64) {
        for t in 0..<16 { w[t] = bytes.bigEndian(at: base &+ t &* 4) }
        for t in 16..<64 {
          let x = w[t &- 15]
          let y = w[t &- 2]
          let s0 = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ (x >> 3)
          let s1 = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ (y >> 10)
          w[t] = w[t &- 16] &+ s0 &+ w[t &- 7] &+ s1
        }
        var (a, b, c, d, e, f, g, h) = state
        for t in 0..<64 {
          let s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
          let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[t] &+ w[t]
          let s0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
          let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
        state.4 &+= e
        state.5 &+= f
        state.6 &+= g
        state.7 &+= h
      }
    }
    self.state = state
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < 64 {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      // The largest n with n³ <= prime * 2^96, in 128 bits: its low half is the fraction.
      var low: UInt64 = 0
      for bit in stride(from: 34, through: 0, by: -1) {
        let next = low | 1 << UInt64(bit)
        let cube = UInt128(next) * UInt128(next) * UInt128(next)
        if cube <= UInt128(prime) << 96 { low = next }
      }
      return UInt32(truncatingIfNeeded: low)
    }
  }()
}
