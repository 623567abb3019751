/// Guesses the encoding of text that is not UTF-8 by decoding it in each and asking what its characters cost in the language
/// that fits it best.
///
/// The cost of a character is the logarithm of how rare it is (`LetterFrequencies`), so that the encoding which costs least is
/// the most likely one. Words that are all of ASCII count for a language, too, unless they read better as English.
enum EncodingGuess {
  struct Outcome {
    var encoding: String
    /// The next best encoding in which the text reads otherwise.
    var alternative: String?
    /// Bytes were all valid in it, but for one sequence at the end.
    var isClean: Bool
    /// Nothing much speaks against the alternative, or the text is like none that is known.
    var isDoubtful: Bool
    /// The bytes beyond ASCII read like some language.
    var isReadable: Bool
  }

  /// Bits by which an alternative must cost more to be out of the question.
  private static let certainty: Float = 16
  /// Bits for each byte beyond ASCII: what text costs at most, and text of a known kind.
  private static let (readable, usual): (Float, Float) = (12, 9.5)

  /// The best of the byte encodings; nil when there is nothing to be guessed, or no decoder.
  static func legacy(_ bytes: [UInt8]) -> Outcome? {
    let sample = sample(of: bytes)
    let frequencies = ByteFrequencies(sample)
    guard frequencies.foreign > 0 else { return nil }
    var best: (name: String, cost: Float, own: Float, single: SingleByteEncoding?, malformed: Int)?
    var results: [(name: String, cost: Float, single: SingleByteEncoding?)] = []
    func add(_ name: String, _ cost: Float, own: Float, _ single: SingleByteEncoding?, malformed: Int) {
      results.append((name, cost, single))
      if cost < best?.cost ?? .infinity { best = (name, cost, own, single, malformed) }
    }
    for encoding in SingleByteEncoding.all {
      let cost = frequencies.cost(in: encoding)
      let malformed = zip(encoding.scalars, frequencies.high).reduce(0) { $0 + ($1.0.value == 0xFFFD ? $1.1 : 0) }
      add(encoding.name, cost.all + encoding.prior, own: cost.own, encoding, malformed: malformed)
    }
    for encoding in EastAsianCosts.encodings {
      guard let decoded = TextDecoder.decode(sample, from: encoding.name) else { continue }
      let cost = EastAsianCosts.cost(of: decoded.utf8)
      let rare = 2.5 * Float(EastAsianCosts.rarePairs(in: sample, of: encoding))
      add(
        encoding.name, cost.all + rare + encoding.prior, own: cost.foreign + rare, nil, malformed: decoded.malformed)
    }
    guard let best else { return nil }
    let others = results.filter { other in
      guard let own = best.single, let single = other.single else { return other.name != best.name }
      return zip(zip(own.scalars, single.scalars), frequencies.high).contains { $0.0 != $0.1 && $1 > 0 }
    }
    let alternative = others.min { $0.cost < $1.cost }
    let cost = best.own / Float(frequencies.foreign)
    return Outcome(
      encoding: best.name, alternative: alternative?.name, isClean: best.malformed <= 1,
      isDoubtful: (alternative?.cost ?? .infinity) - best.cost < certainty || cost > usual, isReadable: cost <= readable
    )
  }

  /// An encoding of seven bits that changes its character sets by sequences of ASCII (RFC 1468, RFC 1557, RFC 1843, RFC 1922).
  static func stateful(_ bytes: [UInt8]) -> String? {
    let sample = sample(of: bytes)
    guard let encoding = shift(in: sample), let decoded = TextDecoder.decode(sample, from: encoding),
      decoded.malformed <= 1, let foreign = meanCost(of: decoded.utf8.filter { $0 >= 0x80 }), foreign < 12
    else { return nil }
    return encoding
  }

  private static func shift(in bytes: ArraySlice<UInt8>) -> String? {
    for index in bytes.indices where bytes[index] == 0x1B || bytes[index] == 0x7E {
      let next = bytes[(index + 1)...].prefix(3)
      if bytes[index] == 0x7E {
        if next.first == 0x7B { return "HZ-GB-2312" }
        continue
      }
      let sequence = String(decoding: next, as: UTF8.self)
      if ["$@", "$B", "(J", "(I", "$(D"].contains(where: sequence.hasPrefix) { return "ISO-2022-JP" }
      if sequence == "$)C" { return "ISO-2022-KR" }
      if sequence == "$)A" || sequence == "$)G" || sequence == "$*H" { return "ISO-2022-CN" }
    }
    return nil
  }

  /// UTF-16 without a mark, told from zero bytes at even or odd places and from the text itself.
  static func wide(_ bytes: [UInt8]) -> String? {
    var zeros = (even: 0, odd: 0)
    let sample = bytes.prefix(1 << 16)
    for index in sample.indices where sample[index] == 0 {
      if index & 1 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let units = sample.count / 2
    guard units >= 2 else { return nil }
    let (many, few) = (max(zeros.even, zeros.odd), min(zeros.even, zeros.odd))
    // Text mostly of ASCII: every other byte is zero.
    if many * 3 >= units, few * 10 <= many { return zeros.odd > zeros.even ? "UTF-16LE" : "UTF-16BE" }
    var best: (encoding: String, cost: Float)?
    for encoding in ["UTF-16LE", "UTF-16BE"] {
      guard let decoded = TextDecoder.decode(sample.prefix(units * 2), from: encoding), decoded.malformed * 50 <= units,
        let cost = meanCost(of: decoded.utf8)
      else { continue }
      // Without any zero byte the text must read very well, since most bytes make ideographs of some kind.
      if cost < best?.cost ?? (many > 0 ? 12 : 11) { best = (encoding, cost) }
    }
    return best?.encoding
  }

  /// Bits for each character of a text in whatever language; nil where there is none.
  private static func meanCost(of utf8: [UInt8]) -> Float? {
    let letters = LetterCosts.shared
    var total: Float = 0
    var count = 0
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      count += 1
      let letter = letters.index(of: scalar)
      total +=
        letter >= 0 ? letters.least[Int(letter)] : scalar.value < 0x80 ? 4 : EastAsianCosts.cost(of: scalar)
    }
    return count > 0 ? total / Float(count) : nil
  }

  /// The first bytes, cut at a line end where there is one.
  private static func sample(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    let most = 1 << 16
    guard bytes.count > most else { return bytes[...] }
    let cut = bytes[..<most].lastIndex(of: 0x0A) ?? most
    return bytes[..<(cut > most / 2 ? cut : most)]
  }
}

/// How often bytes and pairs of them are in a text: all that encodings of one byte a character are judged by.
private struct ByteFrequencies {
  /// By byte of ASCII: in words that have other bytes, too, and in those that have not.
  private var mixed = [Int](repeating: 0, count: 0x80)
  private var plain = [Int](repeating: 0, count: 0x80)
  /// By byte from 0x80.
  private(set) var high = [Int](repeating: 0, count: 0x80)
  /// By byte from 0x80: how often it stands between two bytes that may be letters.
  private var isBetween = [Int](repeating: 0, count: 0x80)
  /// Pairs with a byte from 0x80.
  private var pairs: [(first: Int, second: Int, count: Int)] = []
  private(set) var foreign = 0

  init(_ bytes: ArraySlice<UInt8>) {
    func mayBeLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
    var counts = [Int](repeating: 0, count: 0x10000)
    var previous: UInt8 = 0x20
    var word = bytes.startIndex
    var isForeign = false
    func endWord(at end: Int, _ frequencies: inout ByteFrequencies) {
      for byte in bytes[word..<end] where byte < 0x80 {
        if isForeign { frequencies.mixed[Int(byte)] += 1 } else { frequencies.plain[Int(byte)] += 1 }
      }
      word = end
      isForeign = false
    }
    for index in bytes.indices {
      let byte = bytes[index]
      if byte | previous >= 0x80 { counts[Int(previous) << 8 | Int(byte)] += 1 }
      if byte >= 0x80 {
        foreign += 1
        isForeign = true
        high[Int(byte) - 0x80] += 1
        if mayBeLetter(previous), index + 1 < bytes.endIndex, mayBeLetter(bytes[index + 1]) {
          isBetween[Int(byte) - 0x80] += 1
        }
      } else if !mayBeLetter(byte) {
        endWord(at: index, &self)
      }
      previous = byte
    }
    endWord(at: bytes.endIndex, &self)
    for (pair, count) in counts.enumerated() where count > 0 { pairs.append((pair >> 8, pair & 0xFF, count)) }
  }

  /// What the text costs in an encoding, and that of its bytes from 0x80 in it.
  func cost(in encoding: SingleByteEncoding) -> (all: Float, own: Float) {
    let letters = LetterCosts.shared
    let english = Self.sum(plain, letters.languages[letters.english].ascii)
    var best: (all: Float, own: Float) = (.infinity, .infinity)
    for index in encoding.languages {
      let language = letters.languages[index]
      var own: Float = 0
      for byte in 0..<0x80 where high[byte] > 0 {
        let letter = encoding.letters[byte]
        var cost = encoding.costs[byte]
        if letter >= 0, let known = language.costs[Int(letter)] {
          cost = known
        } else if encoding.parts[byte + 0x80] == .mark, let mark = language.mark {
          cost = mark
        }
        own += cost * Float(high[byte])
      }
      let all = own + Self.sum(mixed, language.ascii) + min(Self.sum(plain, language.ascii), english + 4)
      if all < best.all { best = (all, own) }
    }
    let structure = structure(in: encoding)
    return (best.all + structure, best.own + structure)
  }

  private static func sum(_ counts: [Int], _ costs: [Float]) -> Float {
    var total: Float = 0
    for index in counts.indices where counts[index] > 0 { total += Float(counts[index]) * costs[index] }
    return total
  }

  private static func isASCIILetter(_ byte: Int) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }

  /// What words cost that no language has: capitals behind small letters, signs beside letters, letters of two scripts.
  private func structure(in encoding: SingleByteEncoding) -> Float {
    var total: Float = 0
    for (first, second, count) in pairs {
      let cost: Float
      switch (encoding.parts[first], encoding.parts[second]) {
      case (.small, .capital): cost = 8
      case (.separator, .capital), (.symbol, .capital): cost = 2
      case (.capital, .capital): cost = 1
      case (.capital, .symbol), (.small, .symbol), (.letter, .symbol), (.mark, .symbol), (.symbol, .small),
        (.symbol, .letter):
        cost = 3
      case (.separator, .mark), (.symbol, .mark), (.invalid, .mark): cost = 8
      default: cost = 0
      }
      total += cost * Float(count)
      if Self.isASCIILetter(first), second >= 0x80, encoding.isOtherScript[second - 0x80] { total += 7 * Float(count) }
      if Self.isASCIILetter(second), first >= 0x80, encoding.isOtherScript[first - 0x80] { total += 7 * Float(count) }
    }
    for byte in 0..<0x80 where encoding.separates[byte] { total += 5 * Float(isBetween[byte]) }
    return total
  }
}
