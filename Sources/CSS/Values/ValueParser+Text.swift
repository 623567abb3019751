import Primitives

let textAlignWords = words(
  TextAlign.self,
  also: [
    "-moz-left": .webkitLeft, "-moz-right": .webkitRight, "-moz-center": .webkitCenter, "-webkit-auto": .start,
    "-webkit-match-parent": .matchParent,
  ])
let textJustifyWords = words(TextJustify.self, also: ["distribute": .interCharacter])
let writingModeWords = words(
  WritingMode.self,
  also: [
    "lr": .horizontalTB, "lr-tb": .horizontalTB, "rl": .horizontalTB, "rl-tb": .horizontalTB, "tb": .verticalRL,
    "tb-rl": .verticalRL, "tb-lr": .verticalLR,
  ])
let hyphenateLimitLastWords = words(HyphenateLimitLast.self, except: [.auto])
let lineBreakWords = words(
  LineBreakStrictness.self, also: ["after-white-space": .normal, "newspaper": .strict])
let collapseWords = words(WhiteSpaceCollapse.self, also: ["preserve-spaces": .preserve])
let textOrientationWords = words(
  TextOrientation.self, also: ["sideways-right": .sideways, "rotate-right": .sideways, "vertical-right": .mixed])
let rubyAlignWords = words(
  RubyAlign.self, also: ["auto": .spaceAround, "left": .start, "distribute-letter": .spaceBetween])
let rubyMergeWords = words(RubyMerge.self, also: ["collapse": .merge])
let captionSideWords = words(CaptionSide.self, also: ["block-start": .top, "block-end": .bottom])
/// SVG's names, and prefixed ones: that for contrast stands at photographs, which are smooth by it in Blink.
let imageRenderingWords = words(
  ImageRendering.self,
  also: [
    "optimizespeed": .pixelated, "optimizequality": .smooth, "-moz-crisp-edges": .crispEdges,
    "-webkit-optimize-contrast": .auto,
  ])

extension ValueParser {
  mutating func textAlign() -> PropertyValue? {
    // `-internal-center` and `-internal-start` are for the engine's own sheets.
    if keyword("-internal-center") { return .absent }
    if keyword("-internal-start") { return .flags(0) }
    return keyword(textAlignWords)
  }

  mutating func textIndent() -> PropertyValue? {
    // For the engine's own sheets: where nobody has said anything.
    if keyword("-internal-default") { return lengthPercentage().map { .lengthPercentage($0) } }
    var indent: LengthPercentage?
    var isHanging = false
    var isEachLine = false
    while !isAtEnd {
      if !isHanging, keyword("hanging") {
        isHanging = true
      } else if !isEachLine, keyword("each-line") {
        isEachLine = true
      } else if indent == nil, let length = lengthPercentage([.percent, .quirky]) {
        indent = length
      } else {
        return nil
      }
    }
    return indent.map { .textIndent($0, isHanging: isHanging, isEachLine: isEachLine) }
  }

  mutating func hangingPunctuation() -> PropertyValue? {
    if keyword("none") { return .flags(0) }
    var flags: HangingPunctuation = []
    while let word = ident() {
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
  }

  mutating func tabSize() -> PropertyValue? {
    if let number = number(atLeast: 0) { return .tabSize(Length(Float(number), .em), isNumber: true) }
    return length([.nonNegative]).map { .tabSize($0, isNumber: false) }
  }

  mutating func hyphenateLimitLines() -> PropertyValue? {
    if keyword("no-limit") { return .integer(.max) }
    return integer(atLeast: 0).map { .integer($0) }
  }

  mutating func hyphenateCharacter() -> PropertyValue? {
    if keyword("auto") { return .absent }
    return string().map { .string($0) }
  }

  mutating func textUnderlineOffset() -> PropertyValue? {
    if keyword("auto") { return .absent }
    return lengthPercentage().map { .lengthPercentage($0) }
  }

  mutating func textTransform() -> PropertyValue? {
    // `TextTransform.init(flags:)` tells the bits.
    if keyword("none") { return .flags(0) }
    if keyword("math-auto") { return .flags((UInt32(MathAlphabet.italic.rawValue) + 1) << 8) }
    var flags: UInt32 = 0
    while let word = ident() {
      let bit: UInt32
      switch word {
      case "capitalize": bit = UInt32(TextTransformCase.capitalize.rawValue)
      case "uppercase": bit = UInt32(TextTransformCase.uppercase.rawValue)
      case "lowercase": bit = UInt32(TextTransformCase.lowercase.rawValue)
      // The value of EPUB 3 (EPUB 3.3, section 6.3.1.3), before CSS Text had one.
      case "full-width", "-epub-fullwidth": bit = 16
      case "full-size-kana": bit = 32
      case _ where flags == 0 && isAtEnd && word.hasPrefix("-internal-"):
        return MathAlphabet(name: String(word.dropFirst("-internal-".count))).map {
          .flags((UInt32($0.rawValue) + 1) << 8)
        }
      default: return nil
      }
      if bit < 16 ? flags & 15 != 0 : flags & bit != 0 { return nil }
      flags |= bit
    }
    return flags == 0 ? nil : .flags(flags)
  }

  mutating func hyphenateLimitChars() -> PropertyValue? {
    var numbers: [UInt32] = []
    while numbers.count < 3, !isAtEnd {
      if keyword("auto") {
        numbers.append(0)
      } else if let number = integer(atLeast: 0) {
        numbers.append(UInt32(min(255, number)))
      } else {
        return nil
      }
    }
    guard let first = numbers.first else { return nil }
    let before = numbers.count > 1 ? numbers[1] : 0
    let after = numbers.count > 2 ? numbers[2] : before
    return .flags(first | before << 8 | after << 16)
  }

  mutating func textEmphasisPosition() -> PropertyValue? {
    var flags: UInt32 = 0
    var count = 0
    while let word = ident() {
      switch word {
      case "over", "right": break
      case "under": flags |= 1
      case "left": flags |= 2
      default: return nil
      }
      count += 1
    }
    return count == 1 || count == 2 ? .flags(flags) : nil
  }

  mutating func textCombineUpright() -> PropertyValue? {
    func value(_ keyword: TextCombineUpright) -> PropertyValue { .keyword(keyword.rawValue) }
    switch ident() {
    case "none": return value(.none)
    case "all", "horizontal": return value(.all)
    case "digits":
      switch integer() {
      case nil, 2: return value(.digits2)
      case 3: return value(.digits3)
      case 4: return value(.digits4)
      default: return nil
      }
    default: return nil
    }
  }

  mutating func textUnderlinePosition() -> PropertyValue? {
    // `UnderlinePosition` has the meaning of the flags.
    var flags: UInt32 = 0
    var count = 0
    while let word = ident() {
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
  }

  mutating func rubyPosition() -> PropertyValue? {
    var result: RubyPosition?
    while let word = ident() {
      switch word {
      case "over", "before", "right": result = result ?? .over
      case "under", "after", "left": result = .under
      case "inter-character": result = .interCharacter
      case "alternate": result = result ?? .alternate
      default: return nil
      }
    }
    return result.map { .keyword($0.rawValue) }
  }

  mutating func textAutospace() -> PropertyValue? {
    if keyword("no-autospace") { return .flags(0) }
    if keyword("normal") || keyword("auto") { return .flags(UInt32(TextAutospace.normal.rawValue)) }
    var flags: TextAutospace = []
    while let word = ident() {
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
  }

  mutating func borderSpacing() -> PropertyValue? {
    guard let x = length([.nonNegative, .quirky]) else { return nil }
    if isAtEnd { return .lengths([.length(x), .length(x)]) }
    return length([.nonNegative, .quirky]).map { .lengths([.length(x), .length($0)]) }
  }

}

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
