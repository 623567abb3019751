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
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.hex()
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var rest = unsafe bytes[...]
    if !pending.isEmpty {
      let taken = unsafe rest.prefix(64 - pending.count)
      unsafe pending += taken
      unsafe rest = unsafe rest.dropFirst(taken.count)
      guard pending.count == 64 else { return }
      unsafe pending.withUnsafeBytes { unsafe block($0, 0, 1) }
      pending.removeAll(keepingCapacity: true)
    }
    let blocks = unsafe rest.count / 64
    unsafe block(bytes, rest.startIndex, blocks)
    unsafe pending += rest.dropFirst(blocks * 64)
  }

  package mutating func hex() -> String {
    var tail = pending + [0x80]
    while tail.count % 64 != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: (length &* 8) >> shift)) }
    unsafe tail.withUnsafeBytes { unsafe block($0, 0, tail.count / 64) }
    let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func block(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) {
    guard count > 0 else { return }
    var state = state
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      unsafe Self.constants.withUnsafeBufferPointer { k in
        for number in 0..<count {
          let base = start &+ number &* 64
          for t in 0..<16 {
            unsafe w[t] = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: base &+ t &* 4, as: UInt32.self))
          }
          for t in 16..<64 {
            let x = unsafe w[t &- 15]
            let y = unsafe w[t &- 2]
            let s0 = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ (x >> 3)
            let s1 = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ (y >> 10)
            unsafe w[t] = unsafe w[t &- 16] &+ s0 &+ w[t &- 7] &+ s1
          }
          var (a, b, c, d, e, f, g, h) = state
          for t in 0..<64 {
            let s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            let t1 = unsafe h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[t] &+ w[t]
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
