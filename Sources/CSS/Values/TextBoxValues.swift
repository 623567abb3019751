/// The sides of a block container's text that `text-box-trim` trims (CSS Inline 3, section 6.1).
package enum TextBoxTrim: UInt8, Keyword {
  case none, start, end, both

  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .start: "trim-start"
    case .end: "trim-end"
    case .both: "trim-both"
    }
  }
  package var trimsStart: Bool { self == .start || self == .both }
  package var trimsEnd: Bool { self == .end || self == .both }
}

/// The metrics that text is trimmed to, over and under its baseline (CSS Inline 3, section 6.2).
package enum TextBoxEdge: UInt8, Keyword {
  case auto, text, textAlphabetic, capText, capAlphabetic, exText, exAlphabetic

  package enum Over: UInt8, Keyword {
    case text, cap, ex
    package var keyword: StaticString {
      switch self {
      case .text: "text"
      case .cap: "cap"
      case .ex: "ex"
      }
    }
  }

  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .text: "text"
    case .textAlphabetic: "text alphabetic"
    case .capText: "cap text"
    case .capAlphabetic: "cap alphabetic"
    case .exText: "ex text"
    case .exAlphabetic: "ex alphabetic"
    }
  }

  package var over: Over {
    switch self {
    case .auto, .text, .textAlphabetic: .text
    case .capText, .capAlphabetic: .cap
    case .exText, .exAlphabetic: .ex
    }
  }
  /// The under edge is the alphabetic baseline, not the bottom of the content area.
  package var isAlphabetic: Bool {
    switch self {
    case .auto, .text, .capText, .exText: false
    case .textAlphabetic, .capAlphabetic, .exAlphabetic: true
    }
  }

  init(over: Over, isAlphabetic: Bool) {
    switch over {
    case .text: self = isAlphabetic ? .textAlphabetic : .text
    case .cap: self = isAlphabetic ? .capAlphabetic : .capText
    case .ex: self = isAlphabetic ? .exAlphabetic : .exText
    }
  }
}

extension ValueParser {
  /// `auto | text | [ text | cap | ex ] [ text | alphabetic ]`
  mutating func textBoxEdge() -> PropertyValue? {
    if keyword("auto") { return .keyword(TextBoxEdge.auto.rawValue) }
    guard case .keyword(let raw)? = keyword(TextBoxEdge.Over.self), let over = TextBoxEdge.Over(rawValue: raw) else {
      return nil
    }
    let isAlphabetic = keyword("alphabetic")
    guard isAlphabetic || keyword("text") || over == .text else { return nil }
    return .keyword(TextBoxEdge(over: over, isAlphabetic: isAlphabetic).rawValue)
  }
}
