import CSS
import Primitives
import Text

/// What text to append and how: one text node or a generated string.
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

/// Whether bytes hold nothing but document white space (CSS Text 3, section 4.1).
func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  for byte in bytes where !(byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B)) { return false }
  return true
}

/// Whether a segment break beside the character vanishes when the other side is such a character too: East Asian Width F, W
/// or H, and not Hangul (CSS Text 3, section 4.1.3).
func absorbsSegmentBreak(_ scalar: UInt32) -> Bool {
  guard scalar >= 0x1100 else { return false }
  let properties = CharacterProperties(scalar)
  return properties.eastAsianWidth.isEastAsian && properties.script != .hangul
}

/// Decodes one scalar of UTF-8; a byte that starts none is U+FFFD of length 1.
@inline(__always)
func decodeScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (scalar: UInt32, length: Int) {
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
  mutating func appendText(_ bytes: UnsafeBufferPointer<UInt8>, _ source: TextSource) {
    guard !bytes.isEmpty else { return }
    // Each line feed of `pre` or `pre-line` may take a run; units never outnumber bytes.
    reserve(bytes.count)
    switch source.collapse {
    case .collapse, .preserveBreaks: appendCollapsing(bytes, source)
    case .preserve, .breakSpaces: appendPreserving(bytes, source)
    }
    extendText(source.attributes)
  }

  private mutating func appendCollapsing(_ bytes: UnsafeBufferPointer<UInt8>, _ source: TextSource) {
    let keepsBreaks = source.collapse == .preserveBreaks
    let total = bytes.count
    let output = units
    var index = 0
    var offset = source.offset
    var out = count
    var needsSpan = true
    if source.isAtomic {
      alignAtomic(out, node: source.node, source: source.offset)
      needsSpan = false
    }
    if endsInSpace, spaceIsSegmentBreak, let before = scalar(before: out - 1) {
      let next = decodeScalar(bytes, 0).scalar
      if before == 0x200B || next == 0x200B || (absorbsSegmentBreak(before) && absorbsSegmentBreak(next)) {
        removeTrailingSpace()
        out = count
      }
    }
    while index < total {
      let byte = bytes[index]
      if byte > 0x20, byte < 0x80 {
        if needsSpan {
          align(out, node: source.node, source: offset)
          needsSpan = false
        }
        let start = index
        let words = UTF8Sequence.widenWords(at: index, in: bytes, to: output + out)
        index += words
        out += words
        while index < total, bytes[index] > 0x20, bytes[index] < 0x80 {
          output[out] = UInt16(bytes[index])
          out += 1
          index += 1
        }
        offset += index - start
        suppressesSpace = false
        endsInSpace = false
      } else if byte >= 0x80 {
        if needsSpan {
          align(out, node: source.node, source: offset)
          needsSpan = false
        }
        let start = out
        let paired = UTF8Sequence.widenPairs(ofThreeBytesAt: index, in: bytes, to: output + out)
        out += paired
        index += paired * 3
        while true {
          let unit = UTF8Sequence.unit(ofThreeBytesAt: index, in: bytes)
          guard unit != 0 else { break }
          output[out] = unit
          out += 1
          index += 3
        }
        suppressesSpace = false
        endsInSpace = false
        if out > start {
          offset += out - start
          continue
        }
        let (scalar, length) = decodeScalar(bytes, index)
        index += length
        if scalar < 0x10000 {
          output[out] = UInt16(scalar)
          out += 1
          offset += 1
        } else {
          output[out] = UInt16(0xD800 + ((scalar - 0x10000) >> 10))
          output[out + 1] = UInt16(0xDC00 + ((scalar - 0x10000) & 0x3FF))
          out += 2
          offset += 2
        }
      } else if byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C {
        let start = index
        let startOffset = offset
        var lineFeeds = 0
        repeat {
          if bytes[index] == 0x0A { lineFeeds += 1 }
          index += 1
        } while index < total
          && (bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x09 || bytes[index] == 0x0D
            || bytes[index] == 0x0C)
        offset += index - start
        if keepsBreaks, lineFeeds > 0 {
          setCount(out)
          extendText(source.attributes)
          for breakIndex in start..<index where bytes[breakIndex] == 0x0A {
            append(.lineBreak, unit: 0x0A, source.attributes, node: source.node)
            if !source.isAtomic { relocateLastSpan(source: startOffset + breakIndex - start) }
          }
          out = count
          needsSpan = !source.isAtomic
          continue
        }
        if lineFeeds > 0, !suppressesSpace || endsInSpace, index < total {
          let before = scalar(before: endsInSpace ? out - 1 : out) ?? 0
          let next = decodeScalar(bytes, index).scalar
          if before == 0x200B || next == 0x200B || (absorbsSegmentBreak(before) && absorbsSegmentBreak(next)) {
            if endsInSpace {
              setCount(out)
              removeTrailingSpace()
              out = count
            }
            needsSpan = !source.isAtomic
            continue
          }
        }
        if endsInSpace, source.wraps, !spaceWraps {
          // A line may break where a space collapses with one at which it may not (CSS Text 3, section 4.1.1): that one goes.
          setCount(out)
          removeTrailingSpace()
          suppressesSpace = count == out
          out = count
        }
        if suppressesSpace {
          if endsInSpace, lineFeeds > 0 { spaceIsSegmentBreak = true }
          needsSpan = !source.isAtomic
        } else {
          if needsSpan { align(out, node: source.node, source: startOffset) }
          needsSpan = !source.isAtomic && index - start > 1
          output[out] = 0x20
          out += 1
          suppressesSpace = true
          endsInSpace = true
          spaceWraps = source.wraps
          spaceIsSegmentBreak = lineFeeds > 0
        }
      } else {
        // Other control characters have no glyph and no meaning.
        index += 1
        offset += 1
        needsSpan = !source.isAtomic
      }
    }
    setCount(out)
  }

  private mutating func appendPreserving(_ bytes: UnsafeBufferPointer<UInt8>, _ source: TextSource) {
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
