/// `text-overflow`: the mark at the end of a line that is cut off (CSS Overflow 3, section 3.2).
package enum TextOverflow: UInt8, Keyword {
  case clip, ellipsis

  package var keyword: StaticString {
    switch self {
    case .clip: "clip"
    case .ellipsis: "ellipsis"
    }
  }
}

/// The direction of a box of old (CSS Overflow 4, section 5.2.1): a vertical one clamps its lines.
package enum BoxOrient: UInt8, Keyword {
  case inlineAxis, horizontal, vertical, blockAxis

  package var keyword: StaticString {
    switch self {
    case .inlineAxis: "inline-axis"
    case .horizontal: "horizontal"
    case .vertical: "vertical"
    case .blockAxis: "block-axis"
    }
  }
  package var isVertical: Bool { self == .vertical || self == .blockAxis }
}

/// The sides of a block container where the margins of its content are dropped (CSS Box 4, section 4.3).
package struct MarginTrim: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let blockStart = Self(rawValue: 1 << 0)
  package static let blockEnd = Self(rawValue: 1 << 1)
}

extension ValueParser {
  /// `none | block | [ block-start || block-end ]`
  mutating func marginTrim() -> PropertyValue? {
    if keyword("none") { return .flags(0) }
    var sides: MarginTrim = []
    if keyword("block") {
      sides = [.blockStart, .blockEnd]
    } else {
      while true {
        let side: MarginTrim
        if keyword("block-start") {
          side = .blockStart
        } else if keyword("block-end") {
          side = .blockEnd
        } else {
          break
        }
        guard !sides.contains(side) else { return nil }
        sides.insert(side)
      }
    }
    return sides.isEmpty ? nil : .flags(numericCast(sides.rawValue))
  }
}
