import CSS
import Primitives

/// The declarations of one rule, hint or style attribute, as they enter the cascade of an element.
struct DeclarationBlock {
  /// The source of the declarations: a sheet of the chapter, or one of the two tables below.
  var source: Int32
  /// In the source's longhands.
  var longhands: Range<Int32>
  /// In the source's custom properties.
  var customs: Range<Int32>
  var origin: CascadeOrigin
  /// The rank of the layer within the origin; hints are weaker than all.
  var layer: UInt8

  static let hints: Int32 = -1
  static let styleAttributes: Int32 = -2

  init(hints range: Range<Int32>) {
    source = Self.hints
    longhands = range
    customs = 0..<0
    origin = .author
    layer = 0
  }
  init(
    _ source: Int32, _ sheet: TypedStylesheet, _ declarations: Range<UInt32>, _ origin: CascadeOrigin, layer: UInt8
  ) {
    self.source = source
    let longhands = sheet.longhands(of: declarations)
    let customs = sheet.customProperties(of: declarations)
    self.longhands = Int32(longhands.lowerBound)..<Int32(longhands.upperBound)
    self.customs = Int32(customs.lowerBound)..<Int32(customs.upperBound)
    self.origin = origin
    self.layer = layer
  }

  /// Two blocks stand in one layer of one origin; a style attribute is in none with rules.
  func isOfLayer(of other: DeclarationBlock) -> Bool {
    origin == other.origin && layer == other.layer
      && (source == Self.styleAttributes) == (other.source == Self.styleAttributes)
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
  // Longhands of the sheets: they are read most, apart from the sheets, which are large values to copy.
  private let sheetLonghands: [[TypedDeclaration]]
  private let sheetCalculations: [[Calculation]]
  private var attributeLonghands: [TypedDeclaration] = []
  private var attributeCalculations: [Calculation] = []
  /// The blocks of the element at hand: user agent, user, hints, author, style attribute; each sorted by specificity and
  /// order.
  var blocks: [DeclarationBlock] = []
  let usesPublisherStyles: Bool
  /// The pseudo-element that the blocks are for.
  var pseudo = PseudoElement.none
  /// The custom properties that fonts see, where they are others: without those that depend on the font.
  var fontCustom: CustomProperties?
  /// The blocks are for an image or the like.
  var isReplaced = false
  /// Of the element that the blocks are for, or whose pseudo-element is.
  var attributes = ElementAttributes()
  /// The properties of `DrawingProperty` among those that `customProperties` met last.
  private(set) var declaredOfDrawings: [String] = []

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
  /// The writing mode that maps logical properties of the element.
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
  func block(_ sheet: Int, _ declarations: Range<UInt32>, _ origin: CascadeOrigin, layer: UInt8) -> DeclarationBlock {
    DeclarationBlock(Int32(sheet), sheets[sheet], declarations, origin, layer: layer)
  }
  /// Parses a style attribute.
  mutating func appendStyleAttribute(_ source: ArraySlice<UInt8>, line: UInt32) -> DeclarationBlock {
    let range = styleAttributes.appendDeclarationList(source, line: line)
    attributeLonghands += styleAttributes.longhands[attributeLonghands.count...]
    attributeCalculations += styleAttributes.calculations[attributeCalculations.count...]
    return DeclarationBlock(
      DeclarationBlock.styleAttributes, styleAttributes, range, .author, layer: LayerRanks.unlayered)
  }

  /// Adds declarations of the engine's own, weaker than any sheet's when their block comes first.
  mutating func appendHints(_ declarations: [TypedDeclaration]) -> Range<Int32> {
    let start = Int32(hints.count)
    hints += declarations
    return start..<Int32(hints.count)
  }

  /// The custom properties of the element, nil when its blocks declare none.
  ///
  /// - Parameters:
  ///   - parent: Those of the parent.
  ///   - inherited: What the element is given of them.
  ///   - resolve: The px of lengths that depend on the element, nil where they are not known yet.
  mutating func customProperties(
    _ parent: CustomProperties, inherited: CustomProperties, _ registered: RegisteredProperties,
    resolve: PropertySyntax.LengthResolution, budget: inout Int
  ) -> CustomProperties? {
    guard blocks.contains(where: { !$0.customs.isEmpty }) else { return nil }
    var declared: [String: CustomProperties.Declared] = [:]
    var rolledBack: [String: Int] = [:]
    forEachCustomProperty(among: blocks.indices.map { _ in true }) { name, value, place in
      declared[name] = value
      rolledBack[name] = value.rollsBack == nil ? nil : place
    }
    for (name, place) in rolledBack { declared[name] = rollBack(name, from: declared[name], at: place) }
    declaredOfDrawings = declared.keys.filter { !$0.hasPrefix("--") }
    if declared.isEmpty { return nil }
    return inherited.adding(
      declared, parent: parent, registered, resolve: resolve, attributes: &attributes, budget: &budget)
  }

  /// The value of a custom property whose winner, in the block at `place`, asks for that of a weaker origin or layer.
  private func rollBack(
    _ name: String, from winner: CustomProperties.Declared?, at place: Int
  ) -> CustomProperties.Declared? {
    var counts = blocks.indices.map { _ in true }
    var (winner, place) = (winner, place)
    while let keyword = winner?.rollsBack {
      exclude(keyword, at: place, from: &counts)
      winner = nil
      forEachCustomProperty(among: counts) { if $0 == name { (winner, place) = ($1, $2) } }
    }
    return winner
  }

  /// Calls `body` with the custom properties of blocks that count and the places of these, weakest first.
  private func forEachCustomProperty(
    among counts: [Bool], _ body: (String, CustomProperties.Declared, _ place: Int) -> Void
  ) {
    forEachBlock { place, isImportant in
      let block = blocks[place]
      guard counts[place], !block.customs.isEmpty, usesPublisherStyles || block.origin != .author else { return }
      let sheet = sheet(block.source)
      for index in block.customs {
        let declaration = sheet.sheet.declarations[Int(sheet.customProperties[Int(index)])]
        guard declaration.isImportant == isImportant else { continue }
        let value = CustomProperties.Declared(
          buffer: sheet.sheet.buffer, tokens: Int(declaration.value.lowerBound)..<Int(declaration.value.upperBound))
        body(sheet.sheet.name(of: declaration), value, place)
      }
    }
  }

  /// Takes from the blocks that count those that `revert` or `revert-layer` in the block at `place` passes over: those of its
  /// origin or layer, and of what is above in the order of normal declarations (CSS Cascade 5, section 7.3).
  private func exclude(_ keyword: WideKeyword, at place: Int, from counts: inout [Bool]) {
    let block = blocks[place]
    for (other, candidate) in blocks.enumerated()
    where other >= place || (keyword == .revert ? candidate.origin == block.origin : candidate.isOfLayer(of: block)) {
      counts[other] = false
    }
  }

  /// Calls `body` with the place of each block, weakest first: normal declarations, then important ones by origin and layer
  /// reversed.
  private func forEachBlock(_ body: (_ place: Int, _ isImportant: Bool) -> Void) {
    for place in blocks.indices { body(place, false) }
    forEachImportantGroup { for place in $0 { body(place, true) } }
  }

  /// Calls `body` with the places of blocks of one origin and layer after the other, those whose important declarations are
  /// weakest first. A style attribute is stronger than all of its origin either way (CSS Cascade 5, section 6.1).
  private func forEachImportantGroup(_ body: (Range<Int>) -> Void) {
    var end = blocks.count
    var attribute = end..<end
    if let last = blocks.last, last.source == DeclarationBlock.styleAttributes {
      attribute = end - 1..<end
      end -= 1
    }
    while end > 0 {
      let block = blocks[end - 1]
      if block.origin != .author, !attribute.isEmpty {
        body(attribute)
        attribute = end..<end
      }
      var start = end - 1
      while start > 0, blocks[start - 1].isOfLayer(of: block) { start -= 1 }
      body(start..<end)
      end = start
    }
    if !attribute.isEmpty { body(attribute) }
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
      apply(id, longhands(block.source)[Int(winner.index)].value, at: Int(winner.block), to: builder, custom)
    }
  }

  /// Fills `winners` and `touched`.
  ///
  /// - Parameter map: the physical property, nil to leave a declaration out.
  /// - Returns: `true` if there were logical properties.
  private mutating func collect(_ map: (PropertyID) -> PropertyID?) -> Bool {
    stamp &+= 1
    touched.removeAll(keepingCapacity: true)
    var found = Found()
    collect(false, blocks.indices, map, &found)
    if found.hasImportant {
      var groups: [Range<Int>] = []
      forEachImportantGroup { groups.append($0) }
      for group in groups { collect(true, group, map, &found) }
    }
    return found.hasLogical
  }

  private struct Found {
    var hasLogical = false
    var hasImportant = false
  }

  private mutating func collect(
    _ isImportant: Bool, _ places: Range<Int>, _ map: (PropertyID) -> PropertyID?, _ found: inout Found
  ) {
    for place in places {
      let block = blocks[place]
      let isFiltered = !usesPublisherStyles && block.origin == .author && block.source != DeclarationBlock.hints
      let list = longhands(block.source)
      for index in block.longhands {
        if list[Int(index)].isImportant != isImportant {
          found.hasImportant = true
          continue
        }
        if isFiltered, !PublisherStyles.carriesMeaning(list[Int(index)], ofReplaced: isReplaced) { continue }
        let property = list[Int(index)].property
        if property.isLogical { found.hasLogical = true }
        guard let id = map(property), pseudo == .none || id.applies(to: pseudo) else { continue }
        let slot = id.slot
        if winners[slot].stamp != stamp { touched.append((UInt16(truncatingIfNeeded: slot), id)) }
        winners[slot] = Winner(stamp: stamp, block: Int32(place), index: index)
      }
    }
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
    _ id: PropertyID, _ declared: PropertyValue, at place: Int, to builder: StyleBuilder, _ custom: CustomProperties,
    among candidates: [Bool]? = nil
  ) {
    let block = blocks[place]
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
        var counts = candidates ?? blocks.indices.map { _ in true }
        exclude(keyword, at: place, from: &counts)
        guard let (earlier, earlierPlace) = strongest(id, among: counts) else {
          value = .wide(id.isInherited ? .inherit : .initial)
          break
        }
        return apply(id, earlier, at: earlierPlace, to: builder, custom, among: counts)
      }
    }
    builder.apply(id, value, calculations: calculations)
  }

  /// The winner among the blocks that count, and the place of its block.
  private func strongest(_ id: PropertyID, among counts: [Bool]) -> (PropertyValue, place: Int)? {
    var winner: (PropertyValue, place: Int)?
    forEachBlock { place, isImportant in
      guard counts[place] else { return }
      let list = longhands(blocks[place].source)
      for index in blocks[place].longhands {
        let declaration = list[Int(index)]
        if declaration.isImportant == isImportant, declaration.property.physical(writingMode, direction) == id {
          winner = (declaration.value, place)
        }
      }
    }
    return winner
  }

  /// The value of a longhand whose declaration uses `var()` or `attr()`, nil when it is invalid.
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
    let custom = id.group == .font ? fontCustom ?? custom : custom
    if let buffer = custom.substitute(sheet.sheet.buffer, tokens, attributes: &attributes) {
      var parser = ValueParser(TokenCursor(buffer).trimmed, context: sheet.context)
      result = PropertyTable.standard.parse(variable.property, &parser)?.map { TypedDeclaration($0.0, $0.1) } ?? []
      calculations = parser.calculations
    }
    substituted.append((variable, source, result, calculations))
    return result.first { $0.property == id }.map { ($0.value, calculations) }
  }
}

extension PropertyID {
  /// The property has an effect on a pseudo-element (CSS 2.2, sections 5.12.1 and 5.12.2; CSS Lists 3, section 3.1.1).
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

/// The properties kept of a book's own styles when the reader wants none: what carries meaning rather than taste.
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
