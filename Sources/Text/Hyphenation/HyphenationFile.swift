import Platform
import Primitives

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
    readLines(bytes.span, from: start)
    if isImplicitlyCompound { addCompoundLevel() }
  }

  /// Without a level of its own for compounds a file means that hyphens and apostrophes part words.
  private mutating func addCompoundLevel() {
    if compoundLeftMinimum == 0 { compoundLeftMinimum = leftMinimum == 0 ? 3 : leftMinimum }
    if compoundRightMinimum == 0 { compoundRightMinimum = rightMinimum == 0 ? 3 : rightMinimum }
    var compounds = PatternTrieBuilder()
    for mark in encoding.isUTF8 ? "-'–’".utf16 : "-'".utf16 {
      compounds.insert(letters: [mark], values: [1, 1])
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

  /// Longer lines are not read.
  private static let longestLine = 1024

  private mutating func readLines(_ bytes: Span<UInt8>, from first: Int) {
    // Kept from line to line, for their memory.
    var line: [UInt16] = []
    var pattern = (letters: [UInt16](), values: [UInt8]())
    var start = first
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      if end > start, end - start <= Self.longestLine {
        let text = bytes.extracting(start..<end)
        line.removeAll(keepingCapacity: true)
        if !encoding.decode(text, into: &line) {
          line = Array(String(decoding: text).utf16)
        }
        guard read(line, &pattern) else { return }
      }
      start = end + 1
    }
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
  ///
  /// - Parameter pattern: Memory for its letters and numbers.
  private mutating func read(_ line: [UInt16], _ pattern: inout (letters: [UInt16], values: [UInt8])) -> Bool {
    if line[0] == Self.nextLevel[0], line.starts(with: Self.nextLevel) {
      guard levels.count == 1 else { return false }
      levels.append(PatternTrieBuilder())
    } else if line[0] != Self.percent, !readSetting(line) {
      readPattern(line, &pattern)
    }
    return true
  }

  /// Reads the line if it is a setting. Only those of the first level are heeded.
  private mutating func readSetting(_ line: [UInt16]) -> Bool {
    guard let first = line.first, first >= 0x43, first <= 0x52 else { return false }
    if line.starts(with: Self.noHyphen) {
      guard levels.count == 1 else { return true }
      let list = line.dropFirst(Self.noHyphen.count).filter { $0 > 0x20 }
      undivided = list.split(separator: 0x2C).map(Array.init)
      return true
    }
    for (keyword, value) in Self.minima where line.starts(with: keyword) {
      if levels.count == 1 { self[keyPath: value] = Self.number(line.dropFirst(keyword.count)) }
      return true
    }
    return false
  }

  /// Reads letters with numbers between them, and what may follow: `/`, the new spelling with `=` at the break, the
  /// first replaced letter (from 1) and how many they are; by default all.
  private mutating func readPattern(_ line: [UInt16], _ pattern: inout (letters: [UInt16], values: [UInt8])) {
    pattern.letters.removeAll(keepingCapacity: true)
    pattern.values.removeAll(keepingCapacity: true)
    pattern.values.append(0)
    var end = 0
    while end < line.count {
      let unit = line[end]
      if unit &- 0x30 <= 9 {
        pattern.values[pattern.letters.count] = UInt8(truncatingIfNeeded: unit &- 0x30)
      } else if unit <= 0x20 || unit == 0x2F {
        break
      } else {
        pattern.letters.append(unit)
        pattern.values.append(0)
      }
      end &+= 1
    }
    let replacement = end < line.count ? Self.replacement(in: line, after: pattern.letters, end: end) : nil
    levels[levels.count - 1].insert(letters: pattern.letters, values: pattern.values, replacement: replacement)
  }

  private static func replacement(in line: [UInt16], after letters: [UInt16], end: Int) -> PatternTrie.Replacement? {
    guard end < line.count, line[end] == 0x2F else { return nil }
    let fields = line[(end + 1)...].prefix { $0 > 0x20 }.split(separator: 0x2C, omittingEmptySubsequences: false)
    // A full stop is not counted as a letter.
    let count = letters.count - (letters.first == 0x2E ? 1 : 0)
    let start = fields.count > 2 ? number(fields[1]) - 1 : 0
    let length = fields.count > 2 ? number(fields[2]) : fields.count > 1 ? 0 : end
    return PatternTrie.Replacement(
      distanceFromEnd: count - start, length: length == 0 ? letters.count : length,
      beforeHyphen: fields[0].firstIndex(of: 0x3D).map { Array(fields[0][..<$0]) })
  }

  private static func number(_ text: ArraySlice<UInt16>) -> Int {
    text.drop { $0 <= 0x20 }.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
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

  /// Decodes bytes, whose units it appends.
  ///
  /// - Returns: `false` where UTF-8 is not well-formed.
  func decode(_ bytes: Span<UInt8>, into units: inout [UInt16]) -> Bool {
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      index += 1
      guard first >= 0x80 else {
        units.append(UInt16(first))
        continue
      }
      guard isUTF8 else {
        units.append(upperHalf[Int(first) - 0x80])
        continue
      }
      let length = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
      guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return false }
      var scalar = UInt32(first & (0x3F >> UInt8(length)))
      for _ in 0..<length {
        let next = bytes[index]
        guard next & 0xC0 == 0x80 else { return false }
        scalar = scalar << 6 | UInt32(next & 0x3F)
        index += 1
      }
      guard scalar >= (length == 2 ? 0x800 : length == 3 ? 0x10000 : 0x80), let scalar = Unicode.Scalar(scalar) else {
        return false
      }
      units.append(contentsOf: UTF16.encode(scalar)!)
    }
    return true
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
