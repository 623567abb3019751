package import Primitives

/// The rule that finds the paragraph level (UAX #9, P2 and P3).
package enum BidiDirection: UInt8, Hashable, Sendable {
  case ltr, rtl, firstStrong

  /// The direction of an attributed text; nil is `unicode-bidi: plaintext`.
  package init(_ direction: TextDirection?) {
    self = direction == .rtl ? .rtl : direction == .ltr ? .ltr : .firstStrong
  }
}

/// The parts of UAX #9 that work on lines.
package enum Bidi {
  /// The visual order, left to right, of pieces of a line with these levels (rule L2).
  package static func visualOrder(levels: [UInt8]) -> [Int] {
    var order = Array(levels.indices)
    reorder(&order) { levels[$0] }
    return order
  }

  /// Turns pieces of a line from logical to visual order (rule L2): from the highest level to the lowest odd one, every stretch
  /// of that level or higher is reversed. Levels are at most 126.
  ///
  /// - Complexity: O(pieces × (highest level − lowest odd level)).
  @inlinable
  package static func reorder(_ order: inout [Int], level: (Int) -> UInt8) {
    var highest: UInt8 = 0
    var lowestOdd = UInt8.max
    for item in order {
      let own = level(item)
      highest = Swift.max(highest, own)
      if own & 1 == 1 { lowestOdd = Swift.min(lowestOdd, own) }
    }
    guard lowestOdd <= highest else { return }
    var current = highest
    while current >= lowestOdd {
      var start = 0
      while start < order.count {
        guard level(order[start]) >= current else {
          start += 1
          continue
        }
        var end = start + 1
        while end < order.count, level(order[end]) >= current { end += 1 }
        order[start..<end].reverse()
        start = end
      }
      current -= 1
    }
  }

  /// Rule L1 resets a character to the paragraph level where it ends a line: white space and isolate controls.
  @inlinable @inline(__always)
  package static func isReset(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20, 0x09, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x205F, 0x3000, 0x2066...0x2069, 0x0A, 0x0B, 0x0D, 0x0C,
      0x85,
      0x1C...0x1F, 0x202A...0x202E, 0xAD, 0x200B...0x200F, 0x2060...0x2065, 0xFEFF:
      true
    default: false
    }
  }

  /// The direction of the paragraph that a unit belongs to, by its first strong character (rules P1 to P3).
  package static func paragraphDirection(at place: Int, in units: Span<UInt16>) -> TextDirection {
    func bidiClass(_ scalar: UInt32) -> BidiClass { BidiClass(rawValue: CharacterProperties(scalar).bidiClass) ?? .l }
    var index = place
    while index > 0, bidiClass(UInt32(units[index - 1])) != .b { index -= 1 }
    var isolates = 0
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      switch bidiClass(scalar) {
      case .b: return .ltr
      case .l where isolates == 0: return .ltr
      case .r where isolates == 0, .al where isolates == 0: return .rtl
      case .fsi, .lri, .rli: isolates += 1
      case .pdi: isolates = Swift.max(0, isolates - 1)
      default: break
      }
      index += length
    }
    return .ltr
  }

  /// A unit makes UAX #9 necessary: a right-to-left letter, an Arabic number or a control.
  @inlinable @inline(__always)
  package static func needsAlgorithm(_ unit: UInt16) -> Bool {
    guard unit >= 0x0590 else { return false }
    return unit <= 0x08FF || unit >= 0x200F && unit <= 0x202E && (unit == 0x200F || unit >= 0x202A)
      || unit >= 0x2066 && unit <= 0x2069 || unit >= 0xD802 && unit <= 0xD803 || unit >= 0xD83A && unit <= 0xD83B
      || unit >= 0xFB1D && unit <= 0xFDFF || unit >= 0xFE70 && unit <= 0xFEFE
  }
}
