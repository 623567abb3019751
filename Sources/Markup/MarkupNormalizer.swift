import Primitives

/// Rewrites XML so that libxml2 reads it without a DTD and loses nothing.
///
/// Named references become characters or numeric references, bare ampersands and stray `<` become text, characters XML
/// forbids go, comments and processing instructions shrink to `<!---->`, CDATA sections become escaped text, and the XML
/// declaration and the DOCTYPE with its internal subset disappear (so no entity can expand and no DTD is fetched). Line
/// numbers stay as they were.
///
/// Long stretches of text in which nothing can be wrong may be elided: one `standIn` takes the place of each, and the
/// reader puts the stretch back. libxml2 would look at every character of them several times.
struct MarkupNormalizer {
  /// DELETE: a character XML allows and nobody uses. One that stands in the source is elided like a stretch.
  static let standIn: UInt8 = 0x7F
  /// Bytes of text worth eliding.
  private static let shortestElision = 24

  struct Result {
    var bytes: [UInt8]
    /// Findings of this parse that reading the source as HTML needs.
    var xhtml: HTMLTokenizer.XHTML
    /// Lines of references that name nothing.
    var unknownReferences: [(line: Int, name: String)]
    /// Source ranges of the text of each stand-in, in their order; an empty range means the character itself.
    var elided: [Range<UInt32>]
    var styleSheets: [StyleSheetInstruction]
  }

  static func normalize(_ source: [UInt8], eliding: Bool = false) -> Result {
    var normalizer = MarkupNormalizer(source, eliding: eliding)
    normalizer.run()
    return Result(
      bytes: normalizer.output, xhtml: normalizer.xhtml,
      unknownReferences: normalizer.unknownReferences, elided: normalizer.elided, styleSheets: normalizer.styleSheets)
  }

  let input: [UInt8]
  private let elides: Bool
  private var elided: [Range<UInt32>] = []
  var output: [UInt8] = []
  /// Everything before this has been written.
  var copied = 0
  var unknownReferences: [(line: Int, name: String)] = []
  /// Those of the prolog.
  var styleSheets: [StyleSheetInstruction] = []
  var isInProlog = true
  /// With the entities of the internal subset whose values are plain text.
  var xhtml = HTMLTokenizer.XHTML()
  /// Addresses of the needles the rest of the input does not hold.
  private var missing: [UInt] = []

  private init(_ input: [UInt8], eliding: Bool) {
    self.input = input
    elides = eliding && input.count <= Int(UInt32.max)
    if !elides { output.reserveCapacity(input.count + input.count / 32 + 256) }
  }

  // MARK: Text

  private mutating func run() {
    var index = 0
    while index < input.count {
      let byte = input[index]
      switch byte {
      case UInt8(ascii: "<"):
        index = markup(at: index)
      case UInt8(ascii: "&"):
        index = reference(at: index, isInAttribute: false)
      case 0x5D where index + 2 < input.count && input[index + 1] == 0x5D && input[index + 2] == 0x3E:
        // `]]>` may not stand in text.
        replace(index + 2..<index + 3, with: "&#62;")
        index += 3
      case 0..<0x20, 0x7F:
        index = control(at: index)
      case 0xEF where self.byte(index + 1) == 0xBF:
        index = control(at: index)
      default:
        let start = index
        index = endOfOrdinaryText(from: index + 1)
        if elides, index - start >= Self.shortestElision { elide(start..<index) }
      }
    }
    flush(to: input.count)
  }

  /// The first byte at or after `start` for which `run` may have to do something.
  private func endOfOrdinaryText(from start: Int) -> Int {
    var index = start
    let bytes = input.span
    while index + 8 <= bytes.count {
      // The lowest bit of each sum is exact; those above it may be the subtraction's borrow.
      let eight = bytes.littleEndian(at: index, as: UInt64.self)
      let special =
        (eight &- 0x2020_2020_2020_2020) & ~eight | ByteSearch.find(0x26, in: eight) | ByteSearch.find(0x3C, in: eight)
        | ByteSearch.find(0x5D, in: eight) | ByteSearch.find(0x7F, in: eight) | ByteSearch.find(0xEF, in: eight)
      let marks = special & ByteSearch.highBits
      guard marks != 0 else {
        index += 8
        continue
      }
      index += marks.trailingZeroBitCount / 8
      if isSpecial(at: index) { return index }
      index += 1
    }
    while index < input.count, !isSpecial(at: index) { index += 1 }
    return index
  }

  /// The byte may be special: `run` may have to do something at a place in text.
  @inline(__always)
  private func isSpecial(at index: Int) -> Bool {
    switch input[index] {
    case 0..<0x20, 0x26, 0x3C, 0x5D, 0x7F: true
    case 0xEF: byte(index + 1) == 0xBF
    default: false
    }
  }

  /// Writes a stand-in for bytes of text.
  private mutating func elide(_ range: Range<Int>) {
    flush(to: range.lowerBound)
    output.append(Self.standIn)
    elided.append(UInt32(truncatingIfNeeded: range.lowerBound)..<UInt32(truncatingIfNeeded: range.upperBound))
    copied = range.upperBound
  }

  /// Writes a character that came from a reference in text.
  mutating func writeStandInCharacter() {
    output.append(Self.standIn)
    if elides { elided.append(0..<0) }
  }

  /// Handles a byte that may begin a character XML forbids, or a line end to be unified.
  private mutating func control(at index: Int) -> Int {
    switch input[index] {
    case 0x09, 0x0A:
      return index + 1
    case 0x0D:
      replace(index..<index + 1, with: byte(index + 1) == 0x0A ? "" : "\n")
      return index + 1
    case 0x0B, 0x0C:
      replace(index..<index + 1, with: " ")
      return index + 1
    case 0x7F:
      if elides { elide(index..<index + 1) }
      return index + 1
    case 0xEF:
      // U+FFFE and U+FFFF
      guard byte(index + 1) == 0xBF, byte(index + 2) == 0xBE || byte(index + 2) == 0xBF else {
        return Swift.min(index + 3, input.count)
      }
      replace(index..<index + 3, with: "")
      return index + 3
    default:
      replace(index..<index + 1, with: "")
      return index + 1
    }
  }

  /// The byte at `index`, 0 past the end.
  func byte(_ index: Int) -> UInt8 { index < input.count ? input[index] : 0 }

  mutating func flush(to index: Int) {
    if copied < index { output.append(contentsOf: input[copied..<index]) }
    copied = max(copied, index)
  }

  /// Writes `replacement` instead of the bytes in `range`, after all before it.
  mutating func replace(_ range: Range<Int>, with replacement: String) {
    flush(to: range.lowerBound)
    output.append(contentsOf: replacement.utf8)
    copied = range.upperBound
  }

  /// Writes `marker` instead of the bytes in `range`, then the line feeds they held.
  mutating func replaceKeepingLines(_ range: Range<Int>, with marker: String) {
    replace(range, with: marker)
    for index in range where input[index] == 0x0A { output.append(0x0A) }
  }

  /// Replaces `range` by a comment of as many lines, which are no text.
  mutating func replaceByComment(_ range: Range<Int>) {
    replaceKeepingLines(range, with: "<!--")
    output += Array("-->".utf8)
  }

  /// Writes the bytes in `range` as text without markup.
  mutating func writeEscaped(_ range: Range<Int>) {
    var index = range.lowerBound
    flush(to: index)
    while index < range.upperBound {
      switch input[index] {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
        replace(index..<index + 1, with: "&#\(byte(index));")
        index += 1
      case 0..<0x20, 0x7F, 0xEF:
        index = control(at: index)
      default:
        index += 1
      }
    }
    flush(to: range.upperBound)
  }

  // MARK: Searching

  /// The offset of `needle` (lower case) at or after `start`, ASCII case ignored; nil when it does not.
  ///
  /// - Complexity: linear over all calls together as far as nothing is found: a needle once missed is not sought again.
  mutating func find(_ needle: StaticString, from start: Int) -> Int? {
    let key = unsafe UInt(bitPattern: needle.utf8Start)
    guard !missing.contains(key) else { return nil }
    let found = search(needle, from: start)
    if found == nil { missing.append(key) }
    return found
  }

  private func search(_ needle: StaticString, from start: Int) -> Int? {
    var index = start
    let last = input.count - needle.utf8CodeUnitCount
    while index <= last {
      if stands(needle, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The bytes at `index` are `needle` (lower case), ASCII case ignored.
  func stands(_ needle: StaticString, at index: Int) -> Bool { ASCII.stands(needle, at: index, in: input.span) }

  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
  func isNameStart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
  }
  /// The line of `index`, from 1.
  func line(of index: Int) -> Int {
    var line = 1
    for position in 0..<min(index, input.count) where input[position] == 0x0A { line += 1 }
    return line
  }
}
