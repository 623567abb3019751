import Platform

/// A `.dic` file of hyphenation patterns: an encoding on its first line, then settings and patterns, one to a line, and
/// comments behind a percent sign.
struct HyphenationFile {
  /// LEFTHYPHENMIN and RIGHTHYPHENMIN: characters that stay together at the ends of a word; 0 where nothing is said.
  var leftMinimum = 0
  var rightMinimum = 0
  /// COMPOUNDLEFTHYPHENMIN and COMPOUNDRIGHTHYPHENMIN: at the ends of the parts of a compound.
  var compoundLeftMinimum = 0
  var compoundRightMinimum = 0
  /// NOHYPHEN: characters, or strings of them, on whose sides there is no break.
  var undivided: [[UInt16]] = []
  /// The patterns that part compounds, then those that part words.
  var levels: [PatternTrieBuilder] = []
  let encoding: HyphenationEncoding

  private var isImplicitlyCompound: Bool { levels.count == 1 }

  init(bytes: [UInt8]) {
    let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let name = bytes.prefix { !isLineEnd($0) }
    encoding = HyphenationEncoding(String(decoding: name, as: UTF8.self))
    let start = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    levels = [PatternTrieBuilder()]
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.longestLine * 2) { units in
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestLine + 1) { values in
        let scratch = unsafe Scratch(
          line: units[..<Self.longestLine], letters: units[Self.longestLine...], values: values)
        unsafe bytes.withUnsafeBufferPointer { unsafe readLines($0, from: start, scratch) }
      }
    }
    if isImplicitlyCompound { addCompoundLevel() }
  }

  /// Without a level of its own for compounds a file means that hyphens and apostrophes part words.
  private mutating func addCompoundLevel() {
    if compoundLeftMinimum == 0 { compoundLeftMinimum = leftMinimum == 0 ? 3 : leftMinimum }
    if compoundRightMinimum == 0 { compoundRightMinimum = rightMinimum == 0 ? 3 : rightMinimum }
    var compounds = PatternTrieBuilder()
    for mark in encoding.isUTF8 ? "-'–’".utf16 : "-'".utf16 {
      unsafe [mark].withUnsafeBufferPointer { letters in
        unsafe [1, 1].withUnsafeBufferPointer { unsafe compounds.insert(letters: letters, values: $0) }
      }
      undivided.append([mark])
    }
    levels.insert(compounds, at: 0)
  }

  /// The bytes of an index, as `HyphenationDictionary` reads it.
  func index() -> [UInt8] {
    var writer = PatternIndexWriter()
    writer.append([leftMinimum, rightMinimum, compoundLeftMinimum, compoundRightMinimum, levels.count])
    writer.append(encoding.upperHalf)
    writer.append(undivided.map(\.count))
    writer.append(undivided.flatMap(\.self))
    for level in levels { level.write(to: &writer) }
    return writer.finish()
  }

  // MARK: Lines

  private typealias Line = UnsafeBufferPointer<UInt16>

  /// Room for the characters of a line and for its letters and numbers.
  @unsafe private struct Scratch {
    let line: UnsafeMutableBufferPointer<UInt16>
    let letters: UnsafeMutableBufferPointer<UInt16>
    let values: UnsafeMutableBufferPointer<UInt8>

    init(
      line: Slice<UnsafeMutableBufferPointer<UInt16>>, letters: Slice<UnsafeMutableBufferPointer<UInt16>>,
      values: UnsafeMutableBufferPointer<UInt8>
    ) {
      unsafe self.line = unsafe UnsafeMutableBufferPointer(rebasing: line)
      unsafe self.letters = unsafe UnsafeMutableBufferPointer(rebasing: letters)
      unsafe self.values = unsafe values
    }
  }
  /// Longer lines are not read.
  private static let longestLine = 1024

  private mutating func readLines(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int, _ scratch: Scratch) {
    let base = unsafe bytes.baseAddress.unsafelyUnwrapped
    var start = first
    while start < bytes.count {
      let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
      let end = unsafe found.map { unsafe $0 - UnsafeMutableRawPointer(mutating: base) } ?? bytes.count
      let count = end - start
      if count > 0, count <= Self.longestLine {
        let line = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
        guard unsafe read(bytes: line, scratch) else { return }
      }
      start = end + 1
    }
  }

  private mutating func read(bytes: UnsafeBufferPointer<UInt8>, _ scratch: Scratch) -> Bool {
    guard let count = unsafe encoding.decode(bytes, into: scratch.line) else {
      let units = unsafe Array(String(decoding: bytes, as: UTF8.self).utf16)
      return unsafe units.withUnsafeBufferPointer { unsafe read($0, scratch) }
    }
    return unsafe read(Line(rebasing: scratch.line[..<count]), scratch)
  }

  private static let percent = UInt16(UInt8(ascii: "%"))
  private static let nextLevel = Array("NEXTLEVEL".utf16)
  private static let noHyphen = Array("NOHYPHEN".utf16)
  private static let minima: [(keyword: [UInt16], value: any WritableKeyPath<Self, Int> & Sendable)] = [
    (Array("LEFTHYPHENMIN".utf16), \.leftMinimum),
    (Array("RIGHTHYPHENMIN".utf16), \.rightMinimum),
    (Array("COMPOUNDLEFTHYPHENMIN".utf16), \.compoundLeftMinimum),
    (Array("COMPOUNDRIGHTHYPHENMIN".utf16), \.compoundRightMinimum),
  ]

  /// Reads a line; false where a third level begins, which is not heeded.
  private mutating func read(_ line: Line, _ scratch: Scratch) -> Bool {
    if unsafe line[0] == Self.nextLevel[0], unsafe line.starts(with: Self.nextLevel) {
      guard levels.count == 1 else { return false }
      levels.append(PatternTrieBuilder())
    } else if unsafe line[0] != Self.percent, unsafe !readSetting(line) {
      unsafe readPattern(line, scratch)
    }
    return true
  }

  /// Reads the line if it is a setting. Only those of the first level are heeded.
  private mutating func readSetting(_ line: Line) -> Bool {
    guard let first = unsafe line.first, first >= 0x43, first <= 0x52 else { return false }
    if unsafe line.starts(with: Self.noHyphen) {
      guard levels.count == 1 else { return true }
      let list = unsafe line.dropFirst(Self.noHyphen.count).filter { $0 > 0x20 }
      undivided = list.split(separator: 0x2C).map(Array.init)
      return true
    }
    for (keyword, value) in Self.minima where unsafe line.starts(with: keyword) {
      if levels.count == 1 { self[keyPath: value] = unsafe Self.number(line.dropFirst(keyword.count)) }
      return true
    }
    return false
  }

  /// Reads letters with numbers between them, and what may follow: `/`, the new spelling with `=` at the break, the
  /// first replaced letter (from 1) and how many they are; by default all.
  private mutating func readPattern(_ line: Line, _ scratch: Scratch) {
    var count = 0
    unsafe scratch.values[0] = 0
    var end = 0
    while end < line.count {
      let unit = unsafe line[end]
      if unit &- 0x30 <= 9 {
        unsafe scratch.values[count] = UInt8(truncatingIfNeeded: unit &- 0x30)
      } else if unit <= 0x20 || unit == 0x2F {
        break
      } else {
        unsafe scratch.letters[count] = unit
        count &+= 1
        unsafe scratch.values[count] = 0
      }
      end &+= 1
    }
    let letters = unsafe UnsafeBufferPointer(start: scratch.letters.baseAddress, count: count)
    let replacement = end < line.count ? unsafe Self.replacement(in: line, after: letters, end: end) : nil
    unsafe levels[levels.count - 1].insert(
      letters: letters, values: UnsafeBufferPointer(start: scratch.values.baseAddress, count: count + 1),
      replacement: replacement)
  }

  private static func replacement(
    in line: Line, after letters: UnsafeBufferPointer<UInt16>, end: Int
  ) -> PatternTrie.Replacement? {
    guard end < line.count, unsafe line[end] == 0x2F else { return nil }
    let fields = unsafe line[(end + 1)...].prefix { $0 > 0x20 }.split(separator: 0x2C, omittingEmptySubsequences: false)
    // A full stop is not counted as a letter.
    let count = unsafe letters.count - (letters.first == 0x2E ? 1 : 0)
    let start = unsafe fields.count > 2 ? number(fields[1]) - 1 : 0
    let length = unsafe fields.count > 2 ? number(fields[2]) : fields.count > 1 ? 0 : end
    return unsafe PatternTrie.Replacement(
      distanceFromEnd: count - start, length: length == 0 ? letters.count : length,
      beforeHyphen: fields[0].firstIndex(of: 0x3D).map { unsafe Array(fields[0][..<$0]) })
  }

  private static func number(_ text: Slice<Line>) -> Int {
    unsafe text.drop { $0 <= 0x20 }.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// The encoding of a file of patterns: UTF-8, or one with a byte for each character.
struct HyphenationEncoding: Sendable {
  /// The character of each byte from 0x80 on; U+FFFF where there is none. Empty for UTF-8.
  let upperHalf: [UInt16]
  var isUTF8: Bool { upperHalf.isEmpty }

  init(upperHalf: [UInt16]) { self.upperHalf = upperHalf }

  /// - Parameter name: As the file has it: `UTF-8`, `ISO8859-2`, `KOI8-R`, `microsoft-cp1251`.
  init(_ name: String) {
    upperHalf = name == "UTF-8" ? [] : Self.upperHalf(name.hasPrefix("microsoft-cp") ? "CP" + name.dropFirst(12) : name)
  }

  /// Decodes bytes into units, of which there is room for as many.
  ///
  /// - Returns: The number of units; nil where UTF-8 is not well-formed.
  func decode(_ bytes: UnsafeBufferPointer<UInt8>, into units: UnsafeMutableBufferPointer<UInt16>) -> Int? {
    var count = 0
    var index = 0
    while index < bytes.count {
      let first = unsafe bytes[index]
      index += 1
      guard first >= 0x80 else {
        unsafe units[count] = UInt16(first)
        count += 1
        continue
      }
      guard isUTF8 else {
        unsafe units[count] = upperHalf[Int(first) - 0x80]
        count += 1
        continue
      }
      let length = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
      guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return nil }
      var scalar = UInt32(first & (0x3F >> UInt8(length)))
      for _ in 0..<length {
        let next = unsafe bytes[index]
        guard next & 0xC0 == 0x80 else { return nil }
        scalar = scalar << 6 | UInt32(next & 0x3F)
        index += 1
      }
      guard scalar >= (length == 2 ? 0x800 : length == 3 ? 0x10000 : 0x80), let scalar = Unicode.Scalar(scalar) else {
        return nil
      }
      if scalar.value < 0x10000 {
        unsafe units[count] = UInt16(scalar.value)
      } else {
        unsafe units[count] = UTF16.leadSurrogate(scalar)
        count += 1
        unsafe units[count] = UTF16.trailSurrogate(scalar)
      }
      count += 1
    }
    return count
  }

  /// Words may have the character.
  func contains(_ unit: UInt16) -> Bool {
    isUTF8 || unit < 0x80 || upperHalf.contains(unit)
  }

  private static func upperHalf(_ encoding: String) -> [UInt16] {
    var table = [UInt16](repeating: 0xFFFF, count: 128)
    guard let converter = unsafe iconv_open("UTF-16LE", encoding),
      unsafe converter != UnsafeMutableRawPointer(bitPattern: -1)
    else {
      return table
    }
    defer { unsafe iconv_close(converter) }
    for index in table.indices {
      var input = CChar(bitPattern: UInt8(index + 0x80))
      var output: UInt32 = 0
      var inputLeft = 1
      var outputLeft = 4
      let converted = unsafe withUnsafeMutablePointer(to: &input) { source in
        unsafe withUnsafeMutableBytes(of: &output) { target in
          var from: UnsafeMutablePointer<CChar>? = unsafe source
          var to = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
          return unsafe iconv(converter, &from, &inputLeft, &to, &outputLeft)
        }
      }
      if converted != Int.max, inputLeft == 0, outputLeft == 2 {
        table[index] = UInt16(truncatingIfNeeded: UInt32(littleEndian: output))
      }
    }
    return table
  }
}
