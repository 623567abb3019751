import CSS
import Primitives
import Text

/// The text to append and its form: one text node or a generated string.
struct TextSource {
  var node: NodeID
  /// UTF-16 offset of the first byte in the node's text.
  var offset: Int
  /// A generated string: its node stands for all of it.
  var isAtomic: Bool
  var collapse: WhiteSpaceCollapse
  /// Lines may break at its spaces.
  var wraps: Bool
  var attributes: AttributeID
}

/// The bytes hold nothing but document white space (CSS Text 3, section 4.1).
func isBlank(_ bytes: Span<UInt8>) -> Bool {
  for index in bytes.indices {
    let byte = bytes[index]
    if !(byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B)) { return false }
  }
  return true
}

/// The segment break beside the character vanishes when the other side is such a character too: East Asian Width F, W
/// or H, and not Hangul (CSS Text 3, section 4.1.3).
func absorbsSegmentBreak(_ scalar: UInt32) -> Bool {
  guard scalar >= 0x1100 else { return false }
  let properties = CharacterProperties(scalar)
  return properties.eastAsianWidth.isEastAsian && properties.script != .hangul
}

/// Decodes one scalar of UTF-8; a byte that starts none is U+FFFD of length 1.
@inline(__always)
func decodeScalar(_ bytes: Span<UInt8>, _ index: Int) -> (scalar: UInt32, length: Int) {
  let first = UInt32(bytes[index])
  if first < 0x80 { return (first, 1) }
  @inline(__always) func tail(_ offset: Int) -> UInt32? {
    guard index + offset < bytes.count, bytes[index + offset] & 0xC0 == 0x80 else { return nil }
    return UInt32(bytes[index + offset] & 0x3F)
  }
  if first >= 0xE0, first < 0xF0, let b = tail(1), let c = tail(2) {
    let scalar = (first & 0x0F) << 12 | b << 6 | c
    return scalar >= 0xD800 && scalar < 0xE000 ? (0xFFFD, 3) : (scalar, 3)
  }
  if first >= 0xC2, first < 0xE0, let b = tail(1) { return ((first & 0x1F) << 6 | b, 2) }
  if first >= 0xF0, first < 0xF5, let b = tail(1), let c = tail(2), let d = tail(3) {
    let scalar = (first & 0x07) << 18 | b << 12 | c << 6 | d
    return scalar > 0x10FFFF || scalar < 0x10000 ? (0xFFFD, 4) : (scalar, 4)
  }
  return (0xFFFD, 1)
}

extension InlineBuilder {
  /// The last scalar before `end`; nil at the start.
  func scalar(before end: Int) -> UInt32? {
    guard end > 0 else { return nil }
    let last = UInt32(units[end - 1])
    if last & 0xFC00 == 0xDC00, end > 1 {
      let high = UInt32(units[end - 2])
      if high & 0xFC00 == 0xD800 { return 0x10000 + ((high & 0x3FF) << 10 | last & 0x3FF) }
    }
    return last
  }

  /// Appends text with phase I of white space processing (CSS Text 3, section 4.1.1).
  mutating func appendText(_ bytes: Span<UInt8>, _ source: TextSource) {
    guard !bytes.isEmpty else { return }
    // Each line feed of `pre` or `pre-line` may take a run; units never outnumber bytes.
    reserve(bytes.count)
    switch source.collapse {
    case .collapse, .preserveBreaks: appendCollapsing(bytes, source)
    case .preserve, .breakSpaces: appendPreserving(bytes, source)
    }
    extendText(source.attributes)
  }

  /// The state of the processing of a text.
  private struct Cursor: ~Escapable {
    let bytes: Span<UInt8>
    let source: TextSource
    /// The next byte.
    var index = 0
    /// UTF-16 offset of it in the node's text.
    var offset: Int
    /// The place of the next unit.
    var out: Int
    /// The next unit does not follow from the one before: the source map takes a span.
    var needsSpan = true

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ source: TextSource, out: Int) {
      self.bytes = bytes
      self.source = source
      offset = source.offset
      self.out = out
    }

    @inline(__always)
    var isAtEnd: Bool { index >= bytes.count }
    @inline(__always)
    var byte: UInt8 { bytes[index] }
    /// Text behind it does not continue the source of the text before; a generated string has one span alone.
    @inline(__always)
    mutating func breakSpan() { needsSpan = !source.isAtomic }
  }

  private mutating func appendCollapsing(_ bytes: Span<UInt8>, _ source: TextSource) {
    var cursor = Cursor(bytes, source, out: count)
    if source.isAtomic {
      alignAtomic(cursor.out, node: source.node, source: source.offset)
      cursor.needsSpan = false
    }
    if endsInSpace, spaceIsSegmentBreak, let before = scalar(before: cursor.out - 1),
      removesSegmentBreak(between: before, and: decodeScalar(bytes, 0).scalar)
    {
      removeTrailingSpace()
      cursor.out = count
    }
    while !cursor.isAtEnd {
      let byte = cursor.byte
      if byte > 0x20, byte < 0x80 {
        appendASCII(&cursor)
      } else if byte >= 0x80 {
        appendScalars(&cursor)
      } else if Self.isCollapsible(byte) {
        collapse(&cursor)
      } else {
        // Other control characters have no glyph and no meaning.
        cursor.index += 1
        cursor.offset += 1
        cursor.breakSpan()
      }
    }
    setCount(cursor.out)
  }

  @inline(__always)
  private static func isCollapsible(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }

  /// A segment break vanishes beside a zero-width space and between characters that absorb it (CSS Text 3, section
  /// 4.1.3).
  private func removesSegmentBreak(between before: UInt32, and next: UInt32) -> Bool {
    before == 0x200B || next == 0x200B || (absorbsSegmentBreak(before) && absorbsSegmentBreak(next))
  }

  @inline(__always)
  private mutating func beginSpan(_ cursor: inout Cursor) {
    guard cursor.needsSpan else { return }
    align(cursor.out, node: cursor.source.node, source: cursor.offset)
    cursor.needsSpan = false
  }

  @inline(__always)
  private mutating func appendASCII(_ cursor: inout Cursor) {
    beginSpan(&cursor)
    let bytes = cursor.bytes
    var output = units.mutableSpan
    let start = cursor.index
    let words = UTF8Sequence.widenWords(at: start, in: bytes, to: &output, at: cursor.out)
    var index = start + words
    var out = cursor.out + words
    while index < bytes.count, bytes[index] > 0x20, bytes[index] < 0x80 {
      output[out] = UInt16(bytes[index])
      out += 1
      index += 1
    }
    cursor.offset += index - start
    cursor.index = index
    cursor.out = out
    suppressesSpace = false
    endsInSpace = false
  }

  /// Appends scalars of three bytes as long as there are any, or else one of another length.
  @inline(__always)
  private mutating func appendScalars(_ cursor: inout Cursor) {
    beginSpan(&cursor)
    suppressesSpace = false
    endsInSpace = false
    let bytes = cursor.bytes
    var output = units.mutableSpan
    let start = cursor.out
    let paired = UTF8Sequence.widenPairs(ofThreeBytesAt: cursor.index, in: bytes, to: &output, at: start)
    var index = cursor.index + paired * 3
    var out = start + paired
    while true {
      let unit = UTF8Sequence.unit(ofThreeBytesAt: index, in: bytes)
      guard unit != 0 else { break }
      output[out] = unit
      out += 1
      index += 3
    }
    if out == start {
      let (scalar, length) = decodeScalar(bytes, index)
      index += length
      if scalar < 0x10000 {
        output[out] = UInt16(scalar)
        out += 1
      } else {
        output[out] = UInt16(0xD800 + ((scalar - 0x10000) >> 10))
        output[out + 1] = UInt16(0xDC00 + ((scalar - 0x10000) & 0x3FF))
        out += 2
      }
    }
    cursor.offset += out - start
    cursor.index = index
    cursor.out = out
  }

  /// Spaces, tabs and segment breaks become one space, a segment break, or nothing (CSS Text 3, sections 4.1.1 and
  /// 4.1.3).
  private mutating func collapse(_ cursor: inout Cursor) {
    let (bytes, source) = (cursor.bytes, cursor.source)
    let (start, startOffset) = (cursor.index, cursor.offset)
    var segmentBreaks = 0
    repeat {
      if cursor.byte == 0x0A { segmentBreaks += 1 }
      cursor.index += 1
    } while !cursor.isAtEnd && Self.isCollapsible(cursor.byte)
    cursor.offset += cursor.index - start
    if segmentBreaks > 0, source.collapse == .preserveBreaks {
      return preserveBreaks(of: start..<cursor.index, at: startOffset, &cursor)
    }
    if segmentBreaks > 0, !suppressesSpace || endsInSpace, !cursor.isAtEnd,
      removesSegmentBreak(
        between: scalar(before: endsInSpace ? cursor.out - 1 : cursor.out) ?? 0,
        and: decodeScalar(bytes, cursor.index).scalar)
    {
      if endsInSpace { removeLastSpace(&cursor) }
      return cursor.breakSpan()
    }
    if endsInSpace, source.wraps, !spaceWraps {
      // A line may break where a space collapses with one at which it may not (CSS Text 3, section 4.1.1): that one
      // goes.
      let before = cursor.out
      removeLastSpace(&cursor)
      suppressesSpace = cursor.out == before
    }
    guard !suppressesSpace else {
      if endsInSpace, segmentBreaks > 0 { spaceIsSegmentBreak = true }
      return cursor.breakSpan()
    }
    if cursor.needsSpan { align(cursor.out, node: source.node, source: startOffset) }
    cursor.needsSpan = !source.isAtomic && cursor.index - start > 1
    units[cursor.out] = 0x20
    cursor.out += 1
    suppressesSpace = true
    endsInSpace = true
    spaceWraps = source.wraps
    spaceIsSegmentBreak = segmentBreaks > 0
  }

  private mutating func removeLastSpace(_ cursor: inout Cursor) {
    setCount(cursor.out)
    removeTrailingSpace()
    cursor.out = count
  }

  /// `white-space-collapse: preserve-breaks`: each segment break ends a line, and the spaces around it go.
  private mutating func preserveBreaks(of range: Range<Int>, at startOffset: Int, _ cursor: inout Cursor) {
    let source = cursor.source
    setCount(cursor.out)
    extendText(source.attributes)
    for index in range where cursor.bytes[index] == 0x0A {
      append(.lineBreak, unit: 0x0A, source.attributes, node: source.node)
      if !source.isAtomic { relocateLastSpan(source: startOffset + index - range.lowerBound) }
    }
    cursor.out = count
    cursor.breakSpan()
  }

  private mutating func appendPreserving(_ bytes: Span<UInt8>, _ source: TextSource) {
    let total = bytes.count
    var index = 0
    var offset = source.offset
    var out = count
    var needsSpan = true
    if source.isAtomic {
      alignAtomic(out, node: source.node, source: source.offset)
      needsSpan = false
    }
    suppressesSpace = false
    endsInSpace = false
    while index < total {
      let byte = bytes[index]
      if byte == 0x0A {
        setCount(out)
        extendText(source.attributes)
        append(.lineBreak, unit: 0x0A, source.attributes, node: source.node)
        if !source.isAtomic { relocateLastSpan(source: offset) }
        suppressesSpace = false
        out = count
        index += 1
        offset += 1
        needsSpan = !source.isAtomic
        continue
      }
      if byte < 0x20, byte != 0x09 {
        if byte == 0x0D, index + 1 == total || bytes[index + 1] != 0x0A {
          // A carriage return alone is a space (CSS Text 3, section 4.1).
          if needsSpan { align(out, node: source.node, source: offset) }
          units[out] = 0x20
          out += 1
          needsSpan = false
        } else {
          needsSpan = !source.isAtomic
        }
        index += 1
        offset += 1
        continue
      }
      if needsSpan {
        align(out, node: source.node, source: offset)
        needsSpan = false
      }
      let (scalar, length) = decodeScalar(bytes, index)
      index += length
      if scalar < 0x10000 {
        units[out] = UInt16(scalar)
        out += 1
        offset += 1
      } else {
        units[out] = UInt16(0xD800 + ((scalar - 0x10000) >> 10))
        units[out + 1] = UInt16(0xDC00 + ((scalar - 0x10000) & 0x3FF))
        out += 2
        offset += 2
      }
    }
    setCount(out)
  }

  /// The last span stands for one preserved line feed of a text node.
  private mutating func relocateLastSpan(source: Int) {
    guard var last = spans.last else { return }
    last.sourceOffset = UInt32(truncatingIfNeeded: source)
    last.isAtomic = false
    replaceLastSpan(last)
  }
}
