import Primitives

// Small builders that keep the tables to a row a property.

typealias LonghandParser = @Sendable (inout ValueParser) -> PropertyValue?

func longhand(_ id: PropertyID, _ parse: @escaping LonghandParser) -> PropertyGrammar {
  PropertyGrammar(name: id.name, form: .longhand(id, parse))
}
func keywords(_ id: PropertyID, _ table: KeywordTable) -> PropertyGrammar {
  longhand(id) { parser in parser.keyword(of: table).map { .keyword($0) } }
}
/// A table of the keywords of an enumeration.
func words<Value: RawRepresentable>(
  _ type: Value.Type, except: Set<String> = [], also: [String: Value] = [:]
) -> KeywordTable where Value.RawValue == UInt8 {
  KeywordTable(type, except: except, also: also)
}

let textAlignWords = words(
  TextAlign.self, except: ["webkit-left", "webkit-right", "webkit-center", "house-justify"],
  also: [
    "-webkit-left": .webkitLeft, "-webkit-right": .webkitRight, "-webkit-center": .webkitCenter,
    "-moz-left": .webkitLeft, "-moz-right": .webkitRight, "-moz-center": .webkitCenter, "-webkit-auto": .start,
    "-webkit-match-parent": .matchParent, "-internal-justify": .houseJustify,
  ])
let writingModeWords = words(
  WritingMode.self, except: ["horizontal-t-b", "vertical-r-l", "vertical-l-r", "sideways-r-l", "sideways-l-r"],
  also: [
    "horizontal-tb": .horizontalTB, "lr": .horizontalTB, "lr-tb": .horizontalTB, "rl": .horizontalTB,
    "rl-tb": .horizontalTB, "vertical-rl": .verticalRL, "tb": .verticalRL, "tb-rl": .verticalRL,
    "vertical-lr": .verticalLR, "tb-lr": .verticalLR, "sideways-rl": .sidewaysRL, "sideways-lr": .sidewaysLR,
  ])
let lineBreakWords = words(
  LineBreakStrictness.self, except: ["house"],
  also: ["after-white-space": .normal, "newspaper": .strict, "-internal-house": .house])
let wordBreakWords = words(WordBreak.self)
let overflowWrapWords = words(OverflowWrap.self)
let hyphensWords = words(Hyphens.self)
let textWrapModeWords = words(TextWrapMode.self)
let textWrapStyleWords = words(TextWrapStyle.self)
let collapseWords = words(WhiteSpaceCollapse.self, also: ["preserve-spaces": .preserve])

let textGrammars: [PropertyGrammar] = [
  keywords(.writingMode, writingModeWords),
  keywords(.direction, words(TextDirection.self)),
  longhand(.textAlign) { parser in
    // `-internal-center` and `-internal-start` are for the engine's own sheets.
    if parser.keyword("-internal-center") { return .absent }
    if parser.keyword("-internal-start") { return .flags(0) }
    return parser.keyword(of: textAlignWords).map { .keyword($0) }
  },
  keywords(.textAlignLast, words(TextAlignLast.self)),
  keywords(.textJustify, words(TextJustify.self, also: ["distribute": .interCharacter])),
  longhand(.textIndent) { parser in
    // For the engine's own sheets: where nobody has said anything.
    if parser.keyword("-internal-default") { return parser.lengthPercentage().map { .lengthPercentage($0) } }
    var indent: LengthPercentage?
    var isHanging = false
    var isEachLine = false
    while !parser.isAtEnd {
      if !isHanging, parser.keyword("hanging") {
        isHanging = true
      } else if !isEachLine, parser.keyword("each-line") {
        isEachLine = true
      } else if indent == nil, let length = parser.lengthPercentage([.percent, .quirky]) {
        indent = length
      } else {
        return nil
      }
    }
    return indent.map { .textIndent($0, isHanging: isHanging, isEachLine: isEachLine) }
  },
  longhand(.orphans) { parser in parser.integer(atLeast: 1).map { .integer($0) } },
  longhand(.widows) { parser in parser.integer(atLeast: 1).map { .integer($0) } },
  keywords(.textWrapStyle, textWrapStyleWords),
  longhand(.hangingPunctuation) { parser in
    if parser.keyword("none") { return .flags(0) }
    var flags: HangingPunctuation = []
    while let word = parser.ident() {
      let flag: HangingPunctuation
      switch word {
      case "first": flag = .first
      case "last": flag = .last
      case "allow-end": flag = .allowEnd
      case "force-end": flag = .forceEnd
      // For the engine's own sheets.
      case "-internal-vertical": flag = .verticalOnly
      default: return nil
      }
      if flags.contains(flag) || flags.union(flag).isSuperset(of: [.allowEnd, .forceEnd]) { return nil }
      flags.insert(flag)
    }
    return flags.isEmpty ? nil : .flags(UInt32(flags.rawValue))
  },
  longhand(.tabSize) { parser in
    if let number = parser.number(atLeast: 0) { return .tabSize(Length(Float(number), .em), isNumber: true) }
    return parser.length([.nonNegative]).map { .tabSize($0, isNumber: false) }
  },
  longhand(.hyphenateLimitLines) { parser in
    if parser.keyword("no-limit") { return .integer(.max) }
    return parser.integer(atLeast: 0).map { .integer($0) }
  },
  keywords(.hyphenateLimitLast, words(HyphenateLimitLast.self, except: ["auto"])),
  longhand(.hyphenateLimitZone) { parser in
    parser.lengthPercentage([.percent, .nonNegative]).map { .lengthPercentage($0) }
  },
  keywords(.xConventions, words(TypographicConventions.self)),
  longhand(.color) { parser in parser.color(quirky: true).map { .color($0) } },
  longhand(.letterSpacing) { parser in parser.spacing([.percent, .quirky]).map { .spacing($0) } },
  longhand(.wordSpacing) { parser in parser.spacing([.percent, .quirky]).map { .spacing($0) } },
  longhand(.textTransform) { parser in
    // The lower four bits hold the case, the next two the flags.
    if parser.keyword("none") { return .flags(0) }
    var flags: UInt32 = 0
    while let word = parser.ident() {
      let bit: UInt32
      switch word {
      case "capitalize": bit = UInt32(TextTransformCase.capitalize.rawValue)
      case "uppercase": bit = UInt32(TextTransformCase.uppercase.rawValue)
      case "lowercase": bit = UInt32(TextTransformCase.lowercase.rawValue)
      case "full-width": bit = 16
      case "full-size-kana": bit = 32
      default: return nil
      }
      if bit < 16 ? flags & 15 != 0 : flags & bit != 0 { return nil }
      flags |= bit
    }
    return flags == 0 ? nil : .flags(flags)
  },
  keywords(.whiteSpaceCollapse, collapseWords),
  keywords(.textWrapMode, textWrapModeWords),
  keywords(.wordBreak, wordBreakWords),
  keywords(.overflowWrap, overflowWrapWords),
  keywords(.lineBreak, lineBreakWords),
  keywords(.hyphens, hyphensWords),
  longhand(.hyphenateCharacter) { parser in
    if parser.keyword("auto") { return .absent }
    return parser.string().map { .string($0) }
  },
  longhand(.hyphenateLimitChars) { parser in
    var numbers: [UInt32] = []
    while numbers.count < 3, !parser.isAtEnd {
      if parser.keyword("auto") {
        numbers.append(0)
      } else if let number = parser.integer(atLeast: 0) {
        numbers.append(UInt32(min(255, number)))
      } else {
        return nil
      }
    }
    guard let first = numbers.first else { return nil }
    let before = numbers.count > 1 ? numbers[1] : 0
    let after = numbers.count > 2 ? numbers[2] : before
    return .flags(first | before << 8 | after << 16)
  },
  longhand(.textEmphasisStyle) { parser in parser.emphasisMark().map { .emphasisMark($0) } },
  longhand(.textEmphasisColor) { parser in parser.color().map { .color($0) } },
  longhand(.textEmphasisPosition) { parser in
    var flags: UInt32 = 0
    var count = 0
    while let word = parser.ident() {
      switch word {
      case "over", "right": break
      case "under": flags |= 1
      case "left": flags |= 2
      default: return nil
      }
      count += 1
    }
    return count == 1 || count == 2 ? .flags(flags) : nil
  },
  longhand(.textShadow) { parser in parser.shadows(forText: true).map { .shadows($0) } },
  keywords(.visibility, words(Visibility.self)),
  keywords(
    .textOrientation,
    words(
      TextOrientation.self, also: ["sideways-right": .sideways, "rotate-right": .sideways, "vertical-right": .mixed])),
  longhand(.textCombineUpright) { parser in
    func keyword(_ value: TextCombineUpright) -> PropertyValue { .keyword(value.rawValue) }
    switch parser.ident() {
    case "none": return keyword(.none)
    case "all", "horizontal": return keyword(.all)
    case "digits":
      switch parser.integer() {
      case nil, 2: return keyword(.digits2)
      case 3: return keyword(.digits3)
      case 4: return keyword(.digits4)
      default: return nil
      }
    default: return nil
    }
  },
  longhand(.textUnderlinePosition) { parser in
    // `UnderlinePosition` has the meaning of the flags.
    var flags: UInt32 = 0
    var count = 0
    while let word = parser.ident() {
      switch word {
      case "auto", "alphabetic", "above": break
      case "from-font": flags |= 8
      case "under", "below": flags |= 1
      case "left": flags |= 2
      case "right": flags |= 4
      default: return nil
      }
      count += 1
    }
    return (count == 1 || count == 2) && flags & 6 != 6 ? .flags(flags) : nil
  },
  longhand(.textUnderlineOffset) { parser in
    if parser.keyword("auto") { return .absent }
    return parser.lengthPercentage().map { .lengthPercentage($0) }
  },
  keywords(.textDecorationSkipInk, words(TextDecorationSkipInk.self)),
  longhand(.rubyPosition) { parser in
    var result: RubyPosition?
    while let word = parser.ident() {
      switch word {
      case "over", "before", "right": result = result ?? .over
      case "under", "after", "left": result = .under
      case "inter-character": result = .interCharacter
      case "alternate": result = result ?? .alternate
      default: return nil
      }
    }
    return result.map { .keyword($0.rawValue) }
  },
  keywords(
    .rubyAlign, words(RubyAlign.self, also: ["auto": .spaceAround, "left": .start, "distribute-letter": .spaceBetween])),
  keywords(.rubyMerge, words(RubyMerge.self, also: ["collapse": .merge])),
  longhand(.textAutospace) { parser in
    if parser.keyword("no-autospace") { return .flags(0) }
    if parser.keyword("normal") || parser.keyword("auto") { return .flags(UInt32(TextAutospace.normal.rawValue)) }
    var flags: TextAutospace = []
    while let word = parser.ident() {
      switch word {
      case "ideograph-alpha": flags.insert(.ideographAlpha)
      case "ideograph-numeric": flags.insert(.ideographNumeric)
      case "punctuation": flags.insert(.punctuation)
      case "insert": break
      case "replace": flags.insert(.replace)
      // For the engine's own sheets.
      case "-internal-quarter": flags.insert(.quarter)
      default: return nil
      }
    }
    return flags.isEmpty ? nil : .flags(UInt32(flags.rawValue))
  },
  keywords(.textSpacingTrim, words(TextSpacingTrim.self)),
  longhand(.xLanguage) { _ in nil },

  longhand(.listStyleType) { parser in parser.listStyleType().map { .listStyleType($0) } },
  keywords(.listStylePosition, words(ListStylePosition.self)),
  longhand(.listStyleImage) { parser in parser.image().map { .image($0) } },
  longhand(.quotes) { parser in parser.quotes().map { .quotes($0) } },
  keywords(.borderCollapse, words(BorderCollapse.self)),
  longhand(.borderSpacing) { parser in
    guard let x = parser.length([.nonNegative, .quirky]) else { return nil }
    if parser.isAtEnd { return .lengths([.length(x), .length(x)]) }
    return parser.length([.nonNegative, .quirky]).map { .lengths([.length(x), .length($0)]) }
  },
  keywords(.captionSide, words(CaptionSide.self, also: ["block-start": .top, "block-end": .bottom])),
  keywords(.emptyCells, words(EmptyCells.self)),
]

extension ValueParser {
  /// `text-emphasis-style` (CSS Text Decoration 3, section 3.1).
  mutating func emphasisMark() -> EmphasisMark? {
    if keyword("none") { return EmphasisMark.none }
    if let text = string() { return .string(text) }
    var isOpen: Bool?
    var shape: EmphasisShape?
    while true {
      if isOpen == nil, keyword("filled") {
        isOpen = false
      } else if isOpen == nil, keyword("open") {
        isOpen = true
      } else if shape == nil, let next = keyword(EmphasisShape.self, emphasisShapeWords) {
        shape = next
      } else {
        break
      }
    }
    if let shape { return .shape(shape, isOpen: isOpen ?? false) }
    return isOpen.map { $0 ? .open : .filled }
  }
}
private let emphasisShapeWords = words(EmphasisShape.self)

extension ValueParser {
  mutating func decorationThickness() -> PropertyValue? {
    if keyword("auto") { return .decorationThickness(.auto) }
    if keyword("from-font") { return .decorationThickness(.fromFont) }
    return lengthPercentage().map { .decorationThickness(.length($0)) }
  }
}
