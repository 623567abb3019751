import CSS
import Primitives

/// The declarations of one rule, hint or style attribute, as they enter the cascade of an element.
struct DeclarationBlock {
  /// Where the declarations are: a sheet of the chapter, or one of the two tables below.
  var source: Int32
  /// In the source's longhands.
  var longhands: Range<Int32>
  /// In the source's custom properties.
  var customs: Range<Int32>
  var origin: CascadeOrigin

  static let hints: Int32 = -1
  static let styleAttributes: Int32 = -2

  init(hints range: Range<Int32>) {
    source = Self.hints
    longhands = range
    customs = 0..<0
    origin = .author
  }
  init(_ source: Int32, _ sheet: TypedStylesheet, _ declarations: Range<UInt32>, _ origin: CascadeOrigin) {
    self.source = source
    let longhands = sheet.longhands(of: declarations)
    let customs = sheet.customProperties(of: declarations)
    self.longhands = Int32(longhands.lowerBound)..<Int32(longhands.upperBound)
    self.customs = Int32(customs.lowerBound)..<Int32(customs.upperBound)
    self.origin = origin
  }
}

/// Sorts the declarations for one element by origin and importance, and applies the winners (CSS Cascade 4, section 6).
struct Cascade {
  /// The sheets of the chapter, in the order of the rule index.
  let sheets: [TypedStylesheet]
  /// Declarations of presentational attributes.
  var hints: [TypedDeclaration] = []
  /// All style attributes of the document.
  private(set) var styleAttributes: TypedStylesheet
  // What is read most, apart from the sheets, which are large values to copy.
  private let sheetLonghands: [[TypedDeclaration]]
  private let sheetCalculations: [[Calculation]]
  private var attributeLonghands: [TypedDeclaration] = []
  private var attributeCalculations: [Calculation] = []
  /// The blocks of the element at hand: user agent, user, hints, author, style attribute; each sorted by specificity and
  /// order.
  var blocks: [DeclarationBlock] = []
  let usesPublisherStyles: Bool
  /// Which pseudo-element the blocks are for.
  var pseudo = PseudoElement.none
  /// Whether the blocks are for an image or the like.
  var isReplaced = false

  /// The winning declaration of each physical longhand.
  private struct Winner {
    var stamp: UInt32 = 0
    var block: Int32 = 0
    var index: Int32 = 0
  }
  private var winners = [Winner](repeating: Winner(), count: PropertyID.slotCount)
  private var stamp: UInt32 = 0
  /// The properties that have a winner, by slot once they are applied.
  private var touched: [(slot: UInt16, id: PropertyID)] = []
  /// What logical properties of the element are mapped by.
  private var writingMode = WritingMode.horizontalTB
  private var direction = TextDirection.ltr
  private var substituted:
    [(value: VariableValue, source: Int32, result: [TypedDeclaration], calculations: [Calculation])] = []

  init(sheets: [TypedStylesheet], documentContext: ValueContext, usesPublisherStyles: Bool) {
    self.sheets = sheets
    sheetLonghands = sheets.map(\.longhands)
    sheetCalculations = sheets.map(\.calculations)
    styleAttributes = TypedStylesheet(Stylesheet(), context: documentContext)
    self.usesPublisherStyles = usesPublisherStyles
  }

  private func longhands(_ source: Int32) -> [TypedDeclaration] {
    switch source {
    case DeclarationBlock.hints: hints
    case DeclarationBlock.styleAttributes: attributeLonghands
    default: sheetLonghands[Int(source)]
    }
  }
  private func calculations(_ source: Int32) -> [Calculation] {
    switch source {
    case DeclarationBlock.hints: []
    case DeclarationBlock.styleAttributes: attributeCalculations
    default: sheetCalculations[Int(source)]
    }
  }
  private func sheet(_ source: Int32) -> TypedStylesheet {
    source == DeclarationBlock.styleAttributes ? styleAttributes : sheets[Int(source)]
  }

  /// The block of a rule's declarations.
  func block(_ sheet: Int, _ declarations: Range<UInt32>, _ origin: CascadeOrigin) -> DeclarationBlock {
    DeclarationBlock(Int32(sheet), sheets[sheet], declarations, origin)
  }
  /// Parses a style attribute.
  mutating func appendStyleAttribute(_ source: ArraySlice<UInt8>, line: UInt32) -> DeclarationBlock {
    let range = styleAttributes.appendDeclarationList(source, line: line)
    attributeLonghands += styleAttributes.longhands[attributeLonghands.count...]
    attributeCalculations += styleAttributes.calculations[attributeCalculations.count...]
    return DeclarationBlock(DeclarationBlock.styleAttributes, styleAttributes, range, .author)
  }

  /// Adds declarations of the engine's own, weaker than any sheet's when their block comes first.
  mutating func appendHints(_ declarations: [TypedDeclaration]) -> Range<Int32> {
    let start = Int32(hints.count)
    hints += declarations
    return start..<Int32(hints.count)
  }

  /// The custom properties of the element, nil when its blocks declare none.
  mutating func customProperties(_ parent: CustomProperties, budget: inout Int) -> CustomProperties? {
    guard blocks.contains(where: { !$0.customs.isEmpty }) else { return nil }
    var declared: [String: CustomProperties.Declared] = [:]
    forEachLayer { block, isImportant in
      guard !block.customs.isEmpty, usesPublisherStyles || block.origin != .author else { return }
      let sheet = sheet(block.source)
      for index in block.customs {
        let declaration = sheet.sheet.declarations[Int(sheet.customProperties[Int(index)])]
        guard declaration.isImportant == isImportant else { continue }
        declared[sheet.sheet.name(of: declaration)] = CustomProperties.Declared(
          buffer: sheet.sheet.buffer, tokens: Int(declaration.value.lowerBound)..<Int(declaration.value.upperBound))
      }
    }
    return declared.isEmpty ? nil : parent.adding(declared, budget: &budget)
  }

  /// Calls `body` with each block, weakest first: normal declarations by origin, then important ones by origin reversed.
  private func forEachLayer(_ body: (DeclarationBlock, _ isImportant: Bool) -> Void) {
    for block in blocks { body(block, false) }
    for origin in [CascadeOrigin.author, .user, .userAgent] {
      for block in blocks where block.origin == origin { body(block, true) }
    }
  }

  /// Finds the winners and applies them to `builder`, which has begun the element's style.
  mutating func apply(to builder: StyleBuilder, custom: CustomProperties) {
    substituted.removeAll(keepingCapacity: true)
    var hasLogical = collect { $0.isLogical ? nil : $0 }
    if hasLogical {
      let parent = builder.table.paragraphs[builder.parent.paragraph.index]
      writingMode = early(.paragraph(.writingMode), parent.writingMode, .horizontalTB, custom)
      direction = early(.paragraph(.direction), parent.direction, .ltr, custom)
      let (mode, direction) = (writingMode, direction)
      hasLogical = collect { $0.physical(mode, direction) }
    }
    touched.sort { $0.slot < $1.slot }
    for (slot, id) in touched {
      let winner = winners[Int(slot)]
      let block = blocks[Int(winner.block)]
      apply(id, longhands(block.source)[Int(winner.index)].value, block, to: builder, custom)
    }
  }

  /// Fills `winners` and `touched`.
  ///
  /// - Parameter map: the physical property, nil to leave a declaration out.
  /// - Returns: whether there were logical properties.
  private mutating func collect(_ map: (PropertyID) -> PropertyID?) -> Bool {
    stamp &+= 1
    touched.removeAll(keepingCapacity: true)
    var hasLogical = false
    var hasImportant = false
    func layer(_ isImportant: Bool, _ origin: CascadeOrigin?) {
      for (place, block) in blocks.enumerated() where origin == nil || block.origin == origin {
        let isFiltered = !usesPublisherStyles && block.origin == .author && block.source != DeclarationBlock.hints
        let list = longhands(block.source)
        for index in block.longhands {
          if list[Int(index)].isImportant != isImportant {
            hasImportant = true
            continue
          }
          if isFiltered, !PublisherStyles.carriesMeaning(list[Int(index)], ofReplaced: isReplaced) { continue }
          let property = list[Int(index)].property
          if property.isLogical { hasLogical = true }
          guard let id = map(property), pseudo == .none || id.applies(to: pseudo) else { continue }
          let slot = id.slot
          if winners[slot].stamp != stamp { touched.append((UInt16(truncatingIfNeeded: slot), id)) }
          winners[slot] = Winner(stamp: stamp, block: Int32(place), index: index)
        }
      }
    }
    layer(false, nil)
    if hasImportant { for origin in [CascadeOrigin.author, .user, .userAgent] { layer(true, origin) } }
    return hasLogical
  }

  /// The value of a keyword property that others depend on, before anything is applied.
  private mutating func early<Value: RawRepresentable>(
    _ id: PropertyID, _ parent: Value, _ initial: Value, _ custom: CustomProperties
  ) -> Value where Value.RawValue == UInt8 {
    let winner = winners[id.slot]
    guard winner.stamp == stamp else { return parent }
    let block = blocks[Int(winner.block)]
    var value = longhands(block.source)[Int(winner.index)].value
    if case .variable(let variable) = value {
      value = substitute(variable, id, block.source, custom)?.0 ?? .wide(.unset)
    }
    switch value {
    case .keyword(let raw): return Value(rawValue: raw) ?? parent
    case .wide(.initial): return initial
    default: return parent
    }
  }

  private mutating func apply(
    _ id: PropertyID, _ declared: PropertyValue, _ block: DeclarationBlock, to builder: StyleBuilder,
    _ custom: CustomProperties
  ) {
    var value = declared
    var calculations = calculations(block.source)
    if case .variable(let variable) = value {
      // A value that turns out invalid is as if unset (CSS Custom Properties 1, section 3.1).
      if let result = substitute(variable, id, block.source, custom) {
        value = result.0
        calculations = result.1
      } else {
        value = .wide(.unset)
      }
    }
    if case .wide(let keyword) = value {
      switch keyword {
      case .inherit, .initial: break
      case .unset: value = .wide(id.isInherited ? .inherit : .initial)
      case .revert, .revertLayer:
        guard let (earlier, earlierBlock) = strongest(id, below: block.origin) else {
          value = .wide(id.isInherited ? .inherit : .initial)
          break
        }
        return apply(id, earlier, earlierBlock, to: builder, custom)
      }
    }
    builder.apply(id, value, calculations: calculations)
  }

  /// The winning normal declaration of weaker origins, for `revert`.
  private func strongest(_ id: PropertyID, below origin: CascadeOrigin) -> (PropertyValue, DeclarationBlock)? {
    for block in blocks.reversed() where block.origin < origin {
      let list = longhands(block.source)
      for index in block.longhands.reversed() {
        let declaration = list[Int(index)]
        if declaration.property.physical(writingMode, direction) == id { return (declaration.value, block) }
      }
    }
    return nil
  }

  /// The value of a longhand whose declaration uses `var()`, nil when it is invalid.
  private mutating func substitute(
    _ variable: VariableValue, _ id: PropertyID, _ source: Int32, _ custom: CustomProperties
  ) -> (PropertyValue, [Calculation])? {
    if let known = substituted.first(where: { $0.value == variable && $0.source == source }) {
      return known.result.first { $0.property == id }.map { ($0.value, known.calculations) }
    }
    let sheet = sheet(source)
    let tokens = Int(variable.tokens.lowerBound)..<Int(variable.tokens.upperBound)
    var result: [TypedDeclaration] = []
    var calculations: [Calculation] = []
    if let buffer = custom.substitute(sheet.sheet.buffer, tokens) {
      var parser = ValueParser(TokenCursor(buffer).trimmed, context: sheet.context)
      result = PropertyTable.standard.parse(variable.property, &parser)?.map { TypedDeclaration($0.0, $0.1) } ?? []
      calculations = parser.calculations
    }
    substituted.append((variable, source, result, calculations))
    return result.first { $0.property == id }.map { ($0.value, calculations) }
  }
}

extension PropertyID {
  /// Whether a property has an effect on a pseudo-element (CSS 2.2, sections 5.12.1 and 5.12.2; CSS Lists 3, section 3.1.1).
  func applies(to pseudo: PseudoElement) -> Bool {
    switch pseudo {
    case .none, .before, .after, .footnoteCall, .footnoteMarker: return true
    case .marker:
      switch self {
      case .font, .text, .box(.content), .box(.unicodeBidi), .paragraph(.direction): return true
      default: return false
      }
    case .firstLine, .firstLetter:
      switch self {
      case .font, .text, .background: return true
      case .border: return pseudo == .firstLetter
      case .box(let property):
        switch property {
        case .textDecorationLine, .textDecorationStyle, .textDecorationColor, .textDecorationThickness, .verticalAlign:
          return true
        case .float, .marginTop, .marginRight, .marginBottom, .marginLeft, .paddingTop, .paddingRight, .paddingBottom,
          .paddingLeft, .initialLetter:
          return pseudo == .firstLetter
        default: return false
        }
      case .paragraph, .list, .container, .grid, .effect, .page, .rare, .logical: return false
      }
    }
  }
}

/// What is kept of a book's own styles when the reader wants none: what carries meaning rather than taste.
enum PublisherStyles {
  static func carriesMeaning(_ declaration: TypedDeclaration, ofReplaced isReplaced: Bool) -> Bool {
    switch declaration.property {
    case .box(.width), .box(.height), .box(.minWidth), .box(.minHeight), .box(.maxWidth), .box(.maxHeight),
      .logical(.inlineSize), .logical(.blockSize), .logical(.minInlineSize),
      .logical(.minBlockSize), .logical(.maxInlineSize), .logical(.maxBlockSize), .box(.objectFit),
      .box(.objectPosition), .box(.aspectRatio):
      // A picture that stands for a letter or a note's mark has the size of text.
      return isReplaced
    case .font(.fontStyle), .font(.fontWeight), .font(.fontVariantCaps), .font(.fontVariantPosition),
      .text(.textTransform), .text(.visibility), .box(.display),
      .box(.textDecorationLine), .box(.textDecorationStyle), .box(.verticalAlign), .text(.whiteSpaceCollapse),
      .text(.textWrapMode), .paragraph(.textIndent),
      .paragraph(.direction), .box(.unicodeBidi), .paragraph(.writingMode), .text(.textOrientation),
      .text(.textCombineUpright), .box(.content), .list(.quotes),
      .box(.counterReset), .box(.counterIncrement), .box(.counterSet), .list(.listStyleType), .list(.listStylePosition),
      .text(.textEmphasisStyle),
      .text(.textEmphasisPosition), .text(.rubyPosition), .page(.breakBefore), .page(.breakAfter), .page(.breakInside),
      .text(.xLanguage),
      .box(.marginLeft), .box(.marginRight), .box(.marginTop), .box(.marginBottom), .logical(.marginInlineStart),
      .logical(.marginInlineEnd), .logical(.marginBlockStart),
      .logical(.marginBlockEnd), .box(.paddingLeft), .logical(.paddingInlineStart), .box(.paddingTop),
      .box(.paddingBottom), .logical(.paddingBlockStart),
      .logical(.paddingBlockEnd),
      .list(.captionSide), .list(.borderCollapse):
      return true
    case .paragraph(.textAlign):
      // Centred and set-off lines are structure; ragged or justified text is taste.
      guard case .keyword(let raw) = declaration.value, let align = TextAlign(rawValue: raw) else { return false }
      return align == .center || align == .right || align == .end
    case .font(.fontFamily):
      guard case .families(let families) = declaration.value else { return false }
      return families.contains(.generic(.monospace)) || families.contains(.generic(.math))
    case .font(.fontSize):
      // Relative sizes tell headings and notes from the text; absolute ones fix what the reader wants to choose.
      switch declaration.value {
      case .fontSize(.larger), .fontSize(.smaller): return true
      case .fontSize(.length(.length(let length))): return length.unit == .em || length.unit == .percent
      default: return false
      }
    default: return false
    }
  }
}
