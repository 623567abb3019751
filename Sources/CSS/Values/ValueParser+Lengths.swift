import Primitives

/// Forms of a length beside a number with a unit.
struct LengthOptions: OptionSet, Sendable {
  var rawValue: UInt8
  static let percent = Self(rawValue: 1)
  static let nonNegative = Self(rawValue: 2)
  /// In quirks mode a number counts as px.
  static let quirky = Self(rawValue: 4)
}

/// The result of a math function (CSS Values 4, section 10.2).
enum MathValue {
  case number(Double)
  case angle(Double)
  case length(Calculation)
}

extension Length {
  /// The lengths and percentages of an attribute of SVG, plain numbers among them (SVG 2, section 11.8.1): up to the first
  /// thing that is neither.
  package static func list(_ text: String) -> [Length] {
    var result: [Length] = []
    let bytes = text.utf8Span.span
    var start = 0
    while start < bytes.count {
      guard !isSeparator(bytes[start]) else {
        start += 1
        continue
      }
      var end = start
      while end < bytes.count, isNumberPart(bytes[end]) { end += 1 }
      if end > start, bytes[end - 1] | 0x20 == UInt8(ascii: "e") { end -= 1 }
      var stop = end
      while stop < bytes.count, !isSeparator(bytes[stop]) { stop += 1 }
      let digits = bytes.extracting(start..<end)
      let number = plainNumber(digits) ?? Double(String(decoding: digits))
      guard let value = number, value.isFinite else { return result }
      if stop == end {
        result.append(ValueParser.length(value, .px))
      } else {
        let name = String(decoding: bytes.extracting(end..<stop)).lowercased()
        guard let unit = name == "%" ? (unit: .percent, factor: 1) : ValueParser.unit(name) else { return result }
        result.append(ValueParser.length(value * unit.factor, unit.unit))
      }
      start = stop
    }
    return result
  }

  /// Digits with a sign, a point among them or none: nearly all numbers. Few enough that the quotient is the nearest number there
  /// is (W. D. Clinger, How to read floating point numbers accurately, 1990, section 4).
  private static func plainNumber(_ bytes: Span<UInt8>) -> Double? {
    var number: UInt64 = 0
    var divisor = 1.0
    var (digits, hasPoint) = (0, false)
    let isNegative = !bytes.isEmpty && bytes[0] == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<bytes.count {
      let byte = bytes[index]
      if byte &- 0x30 < 10 {
        number = number &* 10 &+ UInt64(byte &- 0x30)
        digits += 1
        if hasPoint { divisor *= 10 }
      } else if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard digits > 0, digits <= 15, !hasPoint || divisor > 1 else { return nil }
    return (isNegative ? -1 : 1) * (Double(number) / divisor)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == 0x20 || byte >= 0x09 && byte <= 0x0D
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension ValueParser {
  /// Lengths beyond this many px or em are cut, so that sums of them stay finite.
  static let maximumLength = 1e8

  /// The unit of a dimension with the factor that folds absolute units into px.
  package static func unit(_ name: String) -> (unit: LengthUnit, factor: Double)? {
    switch name {
    case "px": (.px, 1)
    case "em": (.em, 1)
    case "rem": (.rem, 1)
    case "pt": (.px, 96.0 / 72)
    case "in": (.px, 96)
    case "cm": (.px, 96 / 2.54)
    case "mm": (.px, 96 / 25.4)
    case "q": (.px, 96 / 101.6)
    case "pc": (.px, 16)
    case "ex": (.ex, 1)
    case "rex": (.rex, 1)
    case "ch": (.ch, 1)
    case "rch": (.rch, 1)
    case "ic", "ric": (.ic, 1)
    case "cap", "rcap": (.cap, 1)
    case "lh": (.lh, 1)
    case "rlh": (.rlh, 1)
    case "vw", "svw", "lvw", "dvw": (.vw, 1)
    case "vh", "svh", "lvh", "dvh": (.vh, 1)
    case "vmin", "svmin", "lvmin", "dvmin": (.vmin, 1)
    case "vmax", "svmax", "lvmax", "dvmax": (.vmax, 1)
    case "vi", "svi", "lvi", "dvi": (.vi, 1)
    case "vb", "svb", "lvb", "dvb": (.vb, 1)
    case "cqw": (.cqw, 1)
    case "cqh": (.cqh, 1)
    case "cqi": (.cqi, 1)
    case "cqb": (.cqb, 1)
    case "cqmin": (.cqmin, 1)
    case "cqmax": (.cqmax, 1)
    default: nil
    }
  }
  fileprivate static func length(_ value: Double, _ unit: LengthUnit) -> Length {
    Length(Float(max(-maximumLength, min(maximumLength, value))), unit)
  }

  /// A `<length>` or `<length-percentage>` that is no math function.
  private mutating func plainLength(_ options: LengthOptions) -> Length? {
    let token = peek()
    if options.contains(.nonNegative), token.number < 0 { return nil }
    switch token.kind {
    case .dimension:
      guard let (unit, factor) = Self.unit(cursor.lowercasedText) else { return nil }
      cursor.advance()
      return Self.length(token.number * factor, unit)
    case .percentage where options.contains(.percent):
      cursor.advance()
      return Self.length(token.number, .percent)
    case .number where token.number == 0 || (context.quirks && options.contains(.quirky) && depth == 0):
      cursor.advance()
      return Self.length(token.number, .px)
    default: return nil
    }
  }

  mutating func lengthPercentage(_ options: LengthOptions = .percent) -> LengthPercentage? {
    let token = peek()
    guard token.kind == .function else { return plainLength(options).map { .length($0) } }
    return attempt { parser in
      guard case .length(let calculation)? = parser.mathFunction() else { return nil }
      if !options.contains(.percent), calculation.hasPercentage { return nil }
      if case .length(let length) = calculation {
        return .length(options.contains(.nonNegative) && length.value < 0 ? Length(0, length.unit) : length)
      }
      return parser.kept(calculation)
    }
  }
  private mutating func kept(_ calculation: Calculation) -> LengthPercentage? {
    if case .length(let length) = calculation { return .length(length) }
    guard calculations.count < 1 << 20 else { return nil }
    calculations.append(calculation)
    return .calculation(CalcID(calculations.count - 1))
  }
  /// A length for properties whose computed value is an absolute length: a math function of several units is of the
  /// unit `function`.
  mutating func length(_ options: LengthOptions = []) -> Length? {
    switch lengthPercentage(options) {
    case .length(let length): return length
    case .calculation(let id):
      if options.contains(.nonNegative) {
        calculations[id.index] = .maximum([.length(.zero), calculations[id.index]])
      }
      return Length(Float(id.rawValue), .function)
    case nil: return nil
    }
  }

  // MARK: Math functions

  /// `calc()`, `min()`, `max()` or `clamp()` at the cursor (CSS Values 4, section 10).
  mutating func mathFunction() -> MathValue? {
    cursor.skipWhitespace()
    if cursor.isFunction("calc") || cursor.isFunction("-webkit-calc") || cursor.isFunction("-moz-calc") {
      return block { $0.mathSum() }
    }
    if cursor.isFunction("min") { return block { $0.mathExtreme(isMaximum: false) } }
    if cursor.isFunction("max") { return block { $0.mathExtreme(isMaximum: true) } }
    if cursor.isFunction("clamp") {
      return block { parser in
        guard let low = parser.mathSum(), parser.comma(), let middle = parser.mathSum(), parser.comma(),
          let high = parser.mathSum()
        else { return nil }
        switch (low, middle, high) {
        case (.number(let low), .number(let middle), .number(let high)): return .number(max(low, min(middle, high)))
        case (.length(let low), .length(let middle), .length(let high)): return .length(.clamp(low, middle, high))
        default: return nil
        }
      }
    }
    return nil
  }

  private mutating func mathExtreme(isMaximum: Bool) -> MathValue? {
    guard let terms = commaSeparated({ $0.mathSum() }) else { return nil }
    var numbers: [Double] = []
    var lengths: [Calculation] = []
    for term in terms {
      switch term {
      case .number(let number): numbers.append(number)
      case .length(let length): lengths.append(length)
      case .angle: return nil
      }
    }
    if lengths.isEmpty { return (isMaximum ? numbers.max() : numbers.min()).map { .number($0) } }
    guard numbers.isEmpty else { return nil }
    if lengths.count == 1 { return .length(lengths[0]) }
    return .length(isMaximum ? .maximum(lengths) : .minimum(lengths))
  }

  private mutating func mathSum() -> MathValue? {
    guard var result = mathProduct() else { return nil }
    while true {
      let start = cursor
      // White space around + and - is required (section 10.1).
      guard cursor.kind == .whitespace else { return result }
      cursor.skipWhitespace()
      let isAddition = cursor.isDelim("+")
      guard isAddition || cursor.isDelim("-") else {
        cursor = start
        return result
      }
      cursor.advance()
      guard cursor.kind == .whitespace, let term = mathProduct() else { return nil }
      switch (result, term) {
      case (.number(let a), .number(let b)): result = .number(isAddition ? a + b : a - b)
      case (.angle(let a), .angle(let b)): result = .angle(isAddition ? a + b : a - b)
      case (.length(let a), .length(let b)): result = .length(.adding([a, isAddition ? b : b.scaled(by: -1)]))
      default: return nil
      }
    }
  }

  private mutating func mathProduct() -> MathValue? {
    guard var result = mathTerm() else { return nil }
    while true {
      let start = cursor
      cursor.skipWhitespace()
      if cursor.consumeDelim("*") {
        guard let factor = mathTerm() else { return nil }
        switch (result, factor) {
        case (.number(let a), .number(let b)): result = .number(a * b)
        case (.number(let a), .length(let b)), (.length(let b), .number(let a)):
          result = .length(b.scaled(by: Float(max(-Self.maximumLength, min(Self.maximumLength, a)))))
        case (.number(let a), .angle(let b)), (.angle(let b), .number(let a)): result = .angle(a * b)
        default: return nil
        }
      } else if cursor.consumeDelim("/") {
        guard case .number(let divisor)? = mathTerm(), divisor != 0 else { return nil }
        switch result {
        case .number(let a): result = .number(a / divisor)
        case .angle(let a): result = .angle(a / divisor)
        case .length(let a):
          result = .length(a.scaled(by: Float(max(-Self.maximumLength, min(Self.maximumLength, 1 / divisor)))))
        }
      } else {
        cursor = start
        return result
      }
    }
  }

  private mutating func mathTerm() -> MathValue? {
    let token = peek()
    switch token.kind {
    case .number:
      cursor.advance()
      return .number(token.number)
    case .percentage:
      cursor.advance()
      return .length(.length(Self.length(token.number, .percent)))
    case .dimension:
      let name = cursor.lowercasedText
      if let (unit, factor) = Self.unit(name) {
        cursor.advance()
        return .length(.length(Self.length(token.number * factor, unit)))
      }
      if let degrees = Self.degrees(name) {
        cursor.advance()
        return .angle(token.number * degrees)
      }
      return nil
    case .openParen: return block { $0.mathSum() }
    case .function: return mathFunction()
    case .ident:
      if keyword("pi") { return .number(Double.pi) }
      if keyword("e") { return .number(2.718281828459045) }
      if allowsSizeKeyword, keyword("size") { return .length(.length(Length(100, .percent))) }
      if !channelKeywords.isEmpty, let value = channelKeywords[cursor.lowercasedText] {
        cursor.advance()
        return .number(value)
      }
      return nil
    default: return nil
    }
  }

  // MARK: Properties made of lengths

  mutating func size(_ options: LengthOptions = [.percent, .nonNegative, .quirky], none: Bool = false) -> SizeValue? {
    if peek().kind == .ident {
      return attempt { parser in
        switch parser.ident() {
        case "auto" where !none: .auto
        case "none" where none: SizeValue.none
        case "min-content", "-webkit-min-content", "-moz-min-content": .minContent
        case "max-content", "-webkit-max-content", "-moz-max-content", "intrinsic": .maxContent
        case "fit-content", "-webkit-fit-content", "-moz-fit-content": .fitContent
        case "-webkit-fill-available", "-moz-available", "stretch": .stretch
        default: nil
        }
      }
    }
    if peek().kind == .function, cursor.isFunction("calc-size") { return calculatedSize(none: none) }
    return lengthPercentage(options).map { .length($0) }
  }

  /// `calc-size()` (CSS Values 5, section 10); `any` as its basis leaves the sum alone.
  private mutating func calculatedSize(none: Bool) -> SizeValue? {
    function("calc-size") { parser in
      let isAny = parser.keyword("any")
      let basis = isAny ? nil : parser.size(none: none)
      guard isAny || basis != nil, parser.comma() else { return nil }
      parser.allowsSizeKeyword = !isAny
      defer { parser.allowsSizeKeyword = false }
      guard case .length(let sum)? = parser.mathSum(), let value = parser.kept(sum) else { return nil }
      switch basis {
      case nil: return .length(value)
      case .auto?, .stretch?: return .calculated(.auto, value)
      case .minContent?: return .calculated(.minContent, value)
      case .maxContent?: return .calculated(.maxContent, value)
      case .fitContent?: return .calculated(.fitContent, value)
      case .none?, .length?, .calculated?: return nil
      }
    }
  }
  mutating func margin() -> MarginValue? {
    if keyword("auto") { return .auto }
    return lengthPercentage([.percent, .quirky]).map { .length($0) }
  }
  mutating func spacing(_ options: LengthOptions) -> SpacingValue? {
    if keyword("normal") { return .normal }
    return lengthPercentage(options).map { .length($0) }
  }
  /// A `<line-width>` (CSS Backgrounds 3, section 3.3).
  mutating func lineWidth(_ options: LengthOptions = [.nonNegative, .quirky]) -> Length? {
    if keyword("thin") { return Length(1) }
    if keyword("medium") { return Length(3) }
    if keyword("thick") { return Length(5) }
    return length(options)
  }

  /// A `<position>` of one to four parts (CSS Values 4, section 9.3). `threeParts` as `background-position` allows.
  mutating func position(threeParts: Bool = true) -> PositionValue? {
    enum Part {
      case left, right, top, bottom, center
      case length(LengthPercentage)
      var isHorizontal: Bool {
        switch self {
        case .left, .right: true
        default: false
        }
      }
      var isVertical: Bool {
        switch self {
        case .top, .bottom: true
        default: false
        }
      }
      var isFar: Bool {
        switch self {
        case .right, .bottom: true
        default: false
        }
      }
    }
    func part(_ parser: inout ValueParser) -> Part? {
      if parser.keyword("left") { return .left }
      if parser.keyword("right") { return .right }
      if parser.keyword("top") { return .top }
      if parser.keyword("bottom") { return .bottom }
      if parser.keyword("center") { return .center }
      return parser.lengthPercentage([.percent, .quirky]).map { .length($0) }
    }
    func percent(_ value: Float) -> LengthPercentage { .length(Length(value, .percent)) }
    var parts: [Part] = []
    while parts.count < 4, let next = part(&self) { parts.append(next) }

    func along(_ part: Part) -> LengthPercentage {
      switch part {
      case .left, .top: percent(0)
      case .right, .bottom: percent(100)
      case .center: percent(50)
      case .length(let length): length
      }
    }
    switch parts.count {
    case 1:
      let value = along(parts[0])
      return parts[0].isVertical ? PositionValue(x: percent(50), y: value) : PositionValue(x: value, y: percent(50))
    case 2:
      let (a, b) = (parts[0], parts[1])
      if a.isVertical || b.isHorizontal {
        // Two keywords may stand in either order, a keyword and a length may not.
        if case .length = a { return nil }
        if case .length = b { return nil }
        if a.isHorizontal || b.isVertical { return nil }
        return PositionValue(x: along(b), y: along(a))
      }
      return PositionValue(x: along(a), y: along(b))
    case 3, 4:
      guard parts.count == 4 || threeParts else { return nil }
      var x: LengthPercentage?
      var y: LengthPercentage?
      var centers = 0
      var index = 0
      while index < parts.count {
        let edge = parts[index]
        index += 1
        var offset: LengthPercentage?
        if index < parts.count, case .length(let length) = parts[index] {
          offset = length
          index += 1
        }
        switch edge {
        case .length: return nil
        case .center:
          if offset != nil { return nil }
          centers += 1
        case .left, .right:
          if x != nil { return nil }
          x = offset.map { fromEdge($0, isFar: edge.isFar) } ?? along(edge)
        case .top, .bottom:
          if y != nil { return nil }
          y = offset.map { fromEdge($0, isFar: edge.isFar) } ?? along(edge)
        }
      }
      if centers > 1 || (x != nil && y != nil && centers > 0) { return nil }
      return PositionValue(x: x ?? percent(50), y: y ?? percent(50))
    default: return nil
    }
  }

  mutating func sum(_ a: LengthPercentage, _ b: LengthPercentage) -> LengthPercentage {
    func term(_ value: LengthPercentage) -> Calculation {
      switch value {
      case .length(let length): .length(length)
      case .calculation(let id): calculations[id.index]
      }
    }
    let sum = Calculation.adding([term(a), term(b)])
    if case .length(let length) = sum { return .length(length) }
    calculations.append(sum)
    return .calculation(CalcID(calculations.count - 1))
  }
  /// An offset from the right or bottom edge as one from the left or top.
  mutating func fromEdge(_ offset: LengthPercentage, isFar: Bool) -> LengthPercentage {
    guard isFar else { return offset }
    let value: Calculation
    switch offset {
    case .length(let length):
      if length.isPercentage { return .length(Length(100 - length.value, .percent)) }
      value = .length(length)
    case .calculation(let id): value = calculations[id.index]
    }
    calculations.append(.adding([.length(Length(100, .percent)), value.scaled(by: -1)]))
    return .calculation(CalcID(calculations.count - 1))
  }
}
