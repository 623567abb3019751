import CImageCodecs

/// Bounds what librsvg draws without end, since a drawing once begun cannot be stopped: lengths of text, and filters.
enum SVGLimits {
  /// Names whose numbers are bounded, and the largest number of each: no text is read at such a size, and the work of a
  /// filter grows with its octaves, the square of its radius and of its kernel's order.
  private static let properties: [(name: [UInt8], largest: Int)] = [
    ("font-size", 10_000), ("letter-spacing", 10_000), ("word-spacing", 10_000), ("numOctaves", 8), ("radius", 20),
    ("order", 15),
  ].map { (Array($0.0.utf8), $0.1) }
  /// Filter primitives times uses of filters that a document may have, dear ones counted several times.
  private static let filterWork = 1000

  /// The document with numbers beyond the bound, and such as are no decimal numbers, replaced by it, and without
  /// filters where they are too many.
  static func apply(_ data: [UInt8]) -> [UInt8] { withoutCostlyFilters(boundingNumbers(data)) }

  /// Draws what the filters are for as it is, when they would take too long.
  private static func withoutCostlyFilters(_ data: [UInt8]) -> [UInt8] {
    let word = Array("filter".utf8)
    let dear = ["feTurbulence", "feMorphology", "feConvolveMatrix", "feDiffuseLighting", "feSpecularLighting"].map {
      Array($0.utf8)
    }
    var work = 0
    var uses: [Int] = []
    var next = 1
    while let at = data.firstIndex(of: 0x66, from: next) {
      next = at + 1
      let before = data[at - 1]
      if before == 0x3C || before == 0x3A, at + 2 < data.count, data[at + 1] == 0x65,
        (0x41...0x5A).contains(data[at + 2])
      {
        work += dear.contains { data[at...].starts(with: $0) } ? 10 : 1
      } else if before != 0x3C, data[at...].starts(with: word) {
        // As an attribute or a property, not an element or a reference to one.
        var sign = at + word.count
        while sign < data.count, sign < at + 16, [0x20, 0x09, 0x0A, 0x0D].contains(data[sign]) { sign += 1 }
        if sign < data.count, data[sign] == 0x3D || data[sign] == 0x3A { uses.append(at) }
      }
    }
    let (total, overflows) = Swift.max(1, work).multipliedReportingOverflow(by: uses.count)
    guard overflows || total > filterWork else { return data }
    var result = data
    for at in uses { result[at] = 0x78 }
    return result
  }

  private static func boundingNumbers(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var at = 0
    while true {
      // The names begin with a letter from `f` to `w`; only few of those letters begin one.
      unsafe data.withUnsafeBufferPointer { bytes in
        guard at < bytes.count, let base = bytes.baseAddress else { return }
        at += unsafe codec_find_in_range(base + at, bytes.count - at, 0x66, 0x77)
      }
      guard at < data.count else { break }
      let byte = data[at]
      guard
        let (property, largest) = properties.first(where: { $0.name[0] == byte && data[at...].starts(with: $0.name) })
      else {
        at += 1
        continue
      }
      at += property.count
      while at < data.count, [0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x3A, 0x3D].contains(data[at]) { at += 1 }
      let start = at
      while at < data.count, isNumberPart(data, at, start) { at += 1 }
      guard at > start, let value = Double(String(decoding: data[start..<at], as: UTF8.self)) else { continue }
      if abs(value) > Double(largest) {
        result += data[copied..<start]
        result += Array("\(value < 0 ? -largest : largest)".utf8)
        copied = at
      }
    }
    if copied == 0 { return data }
    result += data[copied...]
    return result
  }

  private static func isNumberPart(_ data: [UInt8], _ at: Int, _ start: Int) -> Bool {
    switch data[at] {
    case 0x30...0x39, 0x2E: return true
    case 0x2B, 0x2D: return at == start || data[at - 1] == 0x65 || data[at - 1] == 0x45
    case 0x65, 0x45:
      // An exponent has digits; `em` and `ex` have none.
      guard at > start, at + 1 < data.count else { return false }
      let next = data[at + 1]
      return (0x30...0x39).contains(next) || next == 0x2B || next == 0x2D
    default: return false
    }
  }
}
