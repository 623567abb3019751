import Primitives

let positionWords = words(Position.self, also: ["-webkit-sticky": .sticky])
let clearWords = words(Clear.self, also: ["all": .both])
let overflowWords = words(Overflow.self, also: ["overlay": .auto, "-moz-hidden-unscrollable": .clip])
let unicodeBidiWords = words(
  UnicodeBidi.self,
  also: [
    "-webkit-isolate": .isolate, "-moz-isolate": .isolate, "-webkit-plaintext": .plaintext,
    "-moz-plaintext": .plaintext, "-webkit-isolate-override": .isolateOverride,
  ])
let pageBreakWords = words(
  BreakBetween.self, except: [.all, .avoidPage, .recto, .verso, .avoidColumn, .column, .always],
  also: ["always": .page])
let contentJustifyWords = words(
  AlignmentValue.self, except: [.auto, .selfStart, .selfEnd, .lastBaseline] + AlignmentValue.safeValues)
let selfJustifyWords = words(
  AlignmentValue.self, except: [.spaceBetween, .spaceAround, .spaceEvenly, .lastBaseline] + AlignmentValue.safeValues)
/// The block axis has neither a left nor a right.
let contentAlignWords = words(
  AlignmentValue.self,
  except: [.auto, .left, .right, .selfStart, .selfEnd, .lastBaseline] + AlignmentValue.safeValues)
let selfAlignWords = words(
  AlignmentValue.self,
  except: [.left, .right, .spaceBetween, .spaceAround, .spaceEvenly, .lastBaseline] + AlignmentValue.safeValues)
private let displayWords = words(
  Display.self, except: [.inlineListItem, .flowRootListItem, .inlineBlockListItem, .blockRuby],
  also: [
    "flow": .block, "math": .inline, "-webkit-box": .flex, "-webkit-flex": .flex, "-ms-flexbox": .flex,
    "-moz-box": .flex, "-webkit-inline-box": .inlineFlex, "-webkit-inline-flex": .inlineFlex,
    "-ms-inline-flexbox": .inlineFlex, "-ms-grid": .grid,
  ])

extension ValueParser {
  mutating func clip() -> PropertyValue? {
    if keyword("auto") { return .absent }
    return function("rect") { parser in
      var edges: [Length?] = []
      var commas = 0
      for index in 0..<4 {
        if parser.keyword("auto") {
          edges.append(nil)
        } else if let length = parser.length() {
          edges.append(length)
        } else {
          return nil
        }
        if index < 3, parser.comma() { commas += 1 }
      }
      guard commas == 0 || commas == 3 else { return nil }
      return .clip(Sides(top: edges[0], right: edges[1], bottom: edges[2], left: edges[3]))
    }
  }

  mutating func verticalAlign() -> PropertyValue? {
    if peek().kind == .ident {
      return attempt { parser in
        switch parser.ident() {
        case "baseline": .verticalAlign(.baseline)
        case "sub": .verticalAlign(.sub)
        case "super": .verticalAlign(.super)
        case "top": .verticalAlign(.top)
        case "text-top": .verticalAlign(.textTop)
        case "middle", "-webkit-baseline-middle": .verticalAlign(.middle)
        case "bottom": .verticalAlign(.bottom)
        case "text-bottom": .verticalAlign(.textBottom)
        default: nil
        }
      }
    }
    return lengthPercentage([.percent, .quirky]).map { .verticalAlign(.length($0)) }
  }

  mutating func autoOrInteger(atLeast minimum: Int = Int(Int32.min)) -> PropertyValue? {
    if keyword("auto") { return .absent }
    return integer(atLeast: minimum).map { .integer($0) }
  }

  mutating func columnWidth() -> PropertyValue? {
    if keyword("auto") { return .absent }
    return length([.nonNegative]).map { .length($0) }
  }

  /// Horizontal and vertical radius of a corner.
  mutating func cornerRadius() -> PropertyValue? {
    guard let x = lengthPercentage([.percent, .nonNegative]) else { return nil }
    if isAtEnd { return .lengths([x, x]) }
    return lengthPercentage([.percent, .nonNegative]).map { .lengths([x, $0]) }
  }

  mutating func outlineColor() -> PropertyValue? {
    if keyword("invert") || keyword("auto") { return .color(.currentColor) }
    return color().map { .color($0) }
  }

  /// `position`; the name of a running element as a string.
  mutating func positionScheme() -> PropertyValue? {
    if let name = function("running", { $0.customIdent() }) { return .string(name) }
    return keyword(positionWords)
  }
  mutating func float() -> PropertyValue? {
    let snap = function("snap-block") { parser -> SnapBlock? in
      var snap = SnapBlock()
      guard let distance = parser.length([.nonNegative]) else { return nil }
      snap.distance = distance
      guard parser.comma() else { return snap }
      guard case .keyword(let raw)? = parser.keyword(SnapBlock.Edge.self), let edge = SnapBlock.Edge(rawValue: raw)
      else { return nil }
      snap.edge = edge
      return snap
    }
    return snap.map { .snapBlock($0) } ?? keyword(FloatValue.self)
  }
  mutating func pageName() -> PropertyValue? {
    if keyword("auto") { return .string("") }
    return customIdent().map { .string($0) }
  }

  // The grammars that several properties share.

  mutating func marginValue() -> PropertyValue? { margin().map { .margin($0) } }
  mutating func paddingValue() -> PropertyValue? {
    lengthPercentage([.percent, .nonNegative, .quirky]).map { .lengthPercentage($0) }
  }
  mutating func sizeValue(isMaximum: Bool = false) -> PropertyValue? { size(none: isMaximum).map { .size($0) } }
  mutating func widthValue(isQuirky: Bool) -> PropertyValue? {
    (isQuirky ? lineWidth() : lineWidth([.nonNegative])).map { .length($0) }
  }
  mutating func colorValue(isQuirky: Bool = false) -> PropertyValue? { color(quirky: isQuirky).map { .color($0) } }
  mutating func gapValue() -> PropertyValue? { spacing([.percent, .nonNegative]).map { .spacing($0) } }
  mutating func alignmentValue(_ table: KeywordTable) -> PropertyValue? { alignment(table).map { .keyword($0) } }
  mutating func decorationLineValue() -> PropertyValue? { decorationLine().map { .flags(UInt32($0.rawValue)) } }

  mutating func aspectRatio() -> PropertyValue? {
    var hasAuto = keyword("auto")
    guard let width = number(atLeast: 0) else { return hasAuto ? .absent : nil }
    var height = 1.0
    if slash() {
      guard let given = number(atLeast: 0) else { return nil }
      height = given
    }
    if !hasAuto { hasAuto = keyword("auto") }
    return width > 0 && height > 0 ? .aspectRatio(Float(width / height), isAuto: hasAuto) : .absent
  }

  mutating func initialLetter() -> PropertyValue? {
    if keyword("normal") { return .initialLetter(0, sink: 0) }
    guard let size = number(atLeast: 1, atMost: 100) else { return nil }
    if keyword("drop") || isAtEnd { return .initialLetter(Float(size), sink: Int32(size)) }
    if keyword("raise") { return .initialLetter(Float(size), sink: 1) }
    return integer(atLeast: 1).map { .initialLetter(Float(size), sink: $0) }
  }
}

extension ValueParser {
  /// `display`, in one keyword or as outside and inside (CSS Display 3, section 2).
  mutating func display() -> Display? {
    let start = cursor
    let single = keyword(Display.self, displayWords)
    if isAtEnd { return single }
    cursor = start
    var names: [String] = []
    while let name = ident() { names.append(name) }
    guard names.count > 1, names.count < 4 else { return nil }
    var isInline: Bool?
    var inside: String?
    var isListItem = false
    for name in names {
      switch name {
      case "block" where isInline == nil: isInline = false
      case "inline" where isInline == nil: isInline = true
      case "list-item" where !isListItem: isListItem = true
      case "flow", "flow-root", "table", "flex", "grid", "ruby", "math":
        if inside != nil { return nil }
        inside = name
      default: return nil
      }
    }
    if isListItem {
      guard inside == nil || inside == "flow" || inside == "flow-root" else { return nil }
      if inside == "flow-root" { return isInline == true ? .inlineBlockListItem : .flowRootListItem }
      return isInline == true ? .inlineListItem : .listItem
    }
    switch inside {
    case "flow", nil: return isInline == true ? .inline : .block
    case "flow-root": return isInline == true ? .inlineBlock : .flowRoot
    case "table": return isInline == true ? .inlineTable : .table
    case "flex": return isInline == true ? .inlineFlex : .flex
    case "grid": return isInline == true ? .inlineGrid : .grid
    case "math": return isInline == false ? .block : .inline
    default: return isInline == false ? .blockRuby : .ruby
    }
  }

  /// A value of CSS Box Alignment 3, section 4; `unsafe` is read and dropped.
  mutating func alignment(_ table: KeywordTable) -> UInt8? {
    _ = keyword("legacy")
    if keyword("first") { return keyword("baseline") ? AlignmentValue.baseline.rawValue : nil }
    if keyword("last") { return keyword("baseline") ? AlignmentValue.lastBaseline.rawValue : nil }
    let isSafe = keyword("safe")
    if !isSafe { _ = keyword("unsafe") }
    guard let word = keyword(of: table) else { return nil }
    guard isSafe else { return word }
    return AlignmentValue.safeValues.first { $0.position.rawValue == word }?.rawValue
  }

  mutating func flexBasis() -> SizeValue? {
    keyword("content") ? .maxContent : size([.percent, .nonNegative])
  }

  /// `text-decoration-line`; `blink` may be said and does nothing.
  mutating func decorationLine() -> TextDecorationLine? {
    if keyword("none") { return [] }
    var lines: TextDecorationLine = []
    var count = 0
    while true {
      if !lines.contains(.underline), keyword("underline") {
        lines.insert(.underline)
      } else if !lines.contains(.overline), keyword("overline") {
        lines.insert(.overline)
      } else if !lines.contains(.lineThrough), keyword("line-through") {
        lines.insert(.lineThrough)
      } else if !keyword("blink") {
        break
      }
      count += 1
    }
    return count == 0 ? nil : lines
  }
}
