package import CSS
package import Markup
package import Primitives

/// A sheet that applies to a chapter, and where it is from.
package struct AuthorSheet: Sendable {
  package var sheet: TypedStylesheet
  /// Its path in the container, that of the document for `<style>`.
  package var path: String
  /// Of its layers, among those of all sheets of the document.
  package var layers: LayerRanks
  /// The element around the one that the sheet is of, the root of scopes that name none; none for other sheets.
  package var scopeRoot: NodeID
  package init(
    _ sheet: TypedStylesheet, path: String, layers: LayerRanks = LayerRanks(), scopeRoot: NodeID = .none
  ) {
    self.sheet = sheet
    self.path = path
    self.layers = layers
    self.scopeRoot = scopeRoot
  }
}

/// A sheet of any origin.
struct CascadeSource {
  var sheet: TypedStylesheet
  var origin: CascadeOrigin
  var layers = LayerRanks()

  init(_ sheet: TypedStylesheet, _ origin: CascadeOrigin, layers: LayerRanks = LayerRanks()) {
    self.sheet = sheet
    self.origin = origin
    self.layers = layers
  }
}

/// The bytes of a style attribute, hashed as a whole.
private struct AttributeText: Hashable {
  var bytes: ArraySlice<UInt8>
  func hash(into hasher: inout Hasher) { unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}

/// Computes the style of every element of a document, in one pass in document order.
package struct StyleResolver {
  /// - Parameters:
  ///   - path: the document's path in the container, which `url()` in style attributes is relative to.
  ///   - sheets: the book's sheets in cascade order.
  ///   - userSheets: the reader's sheets.
  ///   - ruleSets: rule sets shared with other chapters of the book.
  ///   - cancellation: once it is requested, elements keep the initial style.
  package static func resolve(
    document: Document, path: String = "", sheets: [AuthorSheet], userSheets: [TypedStylesheet] = [],
    settings: StyleSettings = StyleSettings(), ruleSets: RuleSetCache = RuleSetCache(),
    cancellation: Cancellation = Cancellation()
  ) -> StyledTree {
    var resolver = StyleResolver(document, path, sheets, userSheets, settings, ruleSets)
    resolver.run(cancellation)
    return resolver.finish()
  }

  private let document: Document
  private let settings: StyleSettings
  private let path: String
  private let authorSheets: [AuthorSheet]
  private let userSheets: [TypedStylesheet]
  private let builder: StyleBuilder
  var cascade: Cascade
  var index: RuleIndex
  private var hints = PresentationalHints()
  private var cache = StyleCache()
  private var styles: ComputedStyles
  private var pseudoElements: [PseudoElementStyle] = []
  private var firstLineStyles: [PseudoElementStyle] = []
  private var firstLines = FirstLineScopes()
  private var firstLetters = FirstLetterScopes()
  /// Custom properties by id; 0 has none.
  private var customProperties = [CustomProperties()]
  /// By node, once an element has some.
  private var customIDs: [UInt32] = []
  private var customBudget = 64 << 20
  /// By id of custom properties, where an element declares some: the properties of drawings among them.
  private var declaredOfDrawings: [UInt32: [String]] = [:]
  private let registered: RegisteredProperties
  /// What children are given of custom properties, by id, where they are not given all.
  private var inheritedCustomIDs: [UInt32: UInt32] = [:]
  private var containers = QueryContainers()
  private var styleAttributes: [AttributeText: UInt32] = [:]
  private var attributeBlocks: [DeclarationBlock] = []
  /// By the rule's place in the index.
  private var ruleBlocks: [DeclarationBlock?] = []
  private var footnotes = FootnoteDefaults()
  private var diagnostics = DiagnosticSink()
  private var statistics = StageStatistics()
  /// An element of SVG was met.
  private var hasDrawings = false
  /// The cascade's sheets.
  private let sources: [CascadeSource]

  init(
    _ document: Document, _ path: String, _ sheets: [AuthorSheet], _ userSheets: [TypedStylesheet],
    _ settings: StyleSettings, _ ruleSets: RuleSetCache
  ) {
    self.document = document
    self.settings = settings
    self.path = path
    authorSheets = sheets
    self.userSheets = userSheets
    builder = StyleBuilder(settings: settings)
    let isQuirky = document.mode == .quirks
    var sources = UserAgentSheet.sheets(for: document, setsFormulasApart: settings.extendsFormulas).map {
      CascadeSource($0, .userAgent)
    }
    if isQuirky { sources.append(CascadeSource(UserAgentSheet.quirks, .userAgent)) }
    if !settings.hasBodyMargin { sources.append(CascadeSource(UserAgentSheet.noBodyMargin, .userAgent)) }
    if !settings.usesPublisherStyles { sources.append(CascadeSource(UserAgentSheet.withoutPublisher, .userAgent)) }
    sources += settings.houseSheets.map { CascadeSource($0, .userAgent) }
    let userLayers = LayerTree.ranks(of: userSheets.map(\.sheet), media: settings.media)
    for (sheet, layers) in zip(userSheets, userLayers) { sources.append(CascadeSource(sheet, .user, layers: layers)) }
    for sheet in sheets { sources.append(CascadeSource(sheet.sheet, .author, layers: sheet.layers)) }
    self.sources = sources
    cascade = Cascade(
      sheets: sources.map(\.sheet), documentContext: ValueContext(quirks: isQuirky, base: path),
      usesPublisherStyles: settings.usesPublisherStyles)
    cascade.attributes.document = document
    let authorStart = sources.count - sheets.count
    index = RuleIndex(
      ruleSets.ruleSet(sources, media: settings.media), document: document, language: settings.language,
      scopeRoots: [NodeID](repeating: .none, count: authorStart) + sheets.map(\.scopeRoot))
    registered = RegisteredProperties(
      of: sources.filter { $0.origin == .user || $0.origin == .author && settings.usesPublisherStyles },
      media: settings.media)
    if let initial = registered.initialValues { customProperties[0] = initial }
    styles = ComputedStyles(count: document.nodes.count)
  }

  private mutating func run(_ cancellation: Cancellation) {
    let root = document.root
    var matches: [MatchedRule] = []
    var hintRanges: [Range<Int32>] = []
    var elements = 0
    // Parents come before their children, so a loop is the preorder walk.
    for place in 1..<max(1, document.nodes.count) {
      let node = document.nodes[place]
      let id = NodeID(place)
      guard node.kind == .element else {
        if !node.parent.isNone { styles.copy(from: node.parent.index, to: place) }
        if !firstLines.isEmpty { firstLines.passText(node, in: document) }
        if !firstLetters.isEmpty { styleFirstLetters(of: node) }
        continue
      }
      if cancellation.isRequested { break }
      elements += 1
      index.collectMatches(for: id, in: document, into: &matches)
      hintRanges.removeAll(keepingCapacity: true)
      if node.namespace == .mathML { collectFormulaHints(id, node, into: &hintRanges) }
      if node.namespace == .svg { hasDrawings = true }
      hints.collect(for: id, in: document, declarations: &cascade.hints, into: &hintRanges)
      let attribute = styleAttribute(of: id, node)
      styleElement(id, node, isRoot: id == root, matches, hintRanges, attribute)
    }
    statistics.add("styles.elements", elements)
    statistics.add("styles.sharedHits", cache.hits)
    statistics.add("styles.unique", cache.count)
  }

  private mutating func collectFormulaHints(_ id: NodeID, _ node: Node, into ranges: inout [Range<Int32>]) {
    let text = node.parent.isNone ? ComputedStyle.initial.text : styles[node.parent.index].text
    let css = FormulaHints.css(
      for: id, in: document, around: builder.table.texts[text.index].mathStyle,
      extendsFormulas: settings.extendsFormulas)
    hints.add(formula: css, declarations: &cascade.hints, into: &ranges)
  }

  /// The number of the element's style attribute among the distinct ones.
  private mutating func styleAttribute(of id: NodeID, _ node: Node) -> UInt32? {
    guard !node.range.isEmpty, let range = document.attribute(.style, of: id) else { return nil }
    let bytes = document.bytes(range)
    let key = AttributeText(bytes: bytes)
    if let known = styleAttributes[key] { return known }
    let number = UInt32(attributeBlocks.count)
    attributeBlocks.append(cascade.appendStyleAttribute(bytes, line: node.line))
    styleAttributes[key] = number
    return number
  }

  private mutating func styleElement(
    _ id: NodeID, _ node: Node, isRoot: Bool, _ allMatches: [MatchedRule], _ hintRanges: [Range<Int32>],
    _ attribute: UInt32?
  ) {
    var matches = allMatches
    let asksContainers = !index.rules.containerConditions.isEmpty
    if asksContainers { matches.removeAll { $0.pseudo == .none && !containersHold($0, for: id) } }
    if builder.hasContainers { builder.container = containers.sizes(around: id, in: document) }
    let parentStyle = isRoot || node.parent.isNone ? ComputedStyle.initial : styles[node.parent.index]
    let parentCustom = customIDs.isEmpty || node.parent.isNone ? 0 : customIDs[node.parent.index]
    var traits = ElementTraits(of: node, isRoot: isRoot)
    cascade.attributes.node = id
    var next = 0
    while next < matches.count, matches[next].pseudo == .none { next += 1 }
    let (style, custom) = ownStyle(
      of: id, matches[..<next], hintRanges, attribute, parent: parentStyle, parentCustom: parentCustom, traits: &traits)
    styles[id.index] = style
    if custom != 0, customIDs.isEmpty { customIDs = [UInt32](repeating: 0, count: document.nodes.count) }
    if !customIDs.isEmpty { customIDs[id.index] = custom }
    if isRoot { builder.rootFont = builder.table.fonts[style.font.index] }
    if builder.hasContainers, containers.enter(id, in: document, styles, builder) {
      // An element contains its pseudo-elements.
      builder.container = containers.sizes(of: id)
    }
    if asksContainers { matches.removeAll { $0.pseudo != .none && !containersHold($0, for: id) } }

    let own = matches[..<next]
    let pseudos = next..<matches.count
    while next < matches.count {
      let pseudo = matches[next].pseudo
      var end = next
      while end < matches.count, matches[end].pseudo == pseudo { end += 1 }
      guard pseudo != .firstLine else {
        next = end
        continue
      }
      guard pseudo < .footnoteCall else { break }
      let (pseudoStyle, _) = self.style(
        matches[next..<end], [], nil, parent: style, parentCustom: custom, traits: [], pseudo: pseudo)
      if pseudo == .firstLetter {
        firstLetters.add(
          FirstLetterScopes.Letter(
            node: id, place: pseudoElements.count, rules: Array(matches[next..<end]), custom: custom))
      }
      next = end
      if pseudo == .before || pseudo == .after {
        guard case .items = builder.table.boxes[pseudoStyle.box.index].content else { continue }
      }
      pseudoElements.append(PseudoElementStyle(node: id, pseudo: pseudo, style: pseudoStyle))
    }
    if isFootnote(style) { styleFootnote(id, matches[pseudos], parent: style, custom: custom) }
    if !firstLines.isEmpty || matches[pseudos].contains(where: { $0.pseudo == .firstLine }) {
      let box = builder.table.boxes[style.box.index]
      let scope = firstLines.enter(id, node, box, matches[pseudos].filter { $0.pseudo == .firstLine }, in: document)
      if let scope {
        styleFirstLine(
          id, node, scope, own, matches[pseudos], hintRanges, attribute, parentCustom: parentCustom, custom: custom,
          traits: traits)
      }
    }
  }

  /// The style of an element itself, with what else holds for code and for notes.
  private mutating func ownStyle(
    of id: NodeID, _ matches: ArraySlice<MatchedRule>, _ hintRanges: [Range<Int32>], _ attribute: UInt32?,
    parent: ComputedStyle, parentCustom: UInt32, traits: inout ElementTraits
  ) -> (ComputedStyle, UInt32) {
    let own = style(
      matches, hintRanges, attribute, parent: parent, parentCustom: parentCustom, traits: traits, pseudo: .none)
    var fit: ElementTraits = []
    if settings.usesHouseStyle, traits.contains(.preformatted) {
      styles[id.index] = own.0
      fit = CodeFit.trait(of: id, in: document, styles, builder, &containers)
    }
    let defaults = noteDefaults(of: id, own.0, isFootnote: isFootnote(own.0), parent: parent)
    if fit.isEmpty, defaults == nil { return own }
    traits.formUnion(fit)
    let hints = defaults.map { [$0] + hintRanges } ?? hintRanges
    return style(matches, hints, attribute, parent: parent, parentCustom: parentCustom, traits: traits, pseudo: .none)
  }

  private func isFootnote(_ style: ComputedStyle) -> Bool {
    style.box.index != 0 && builder.interner.table.boxes[style.box.index].float == .footnote
  }

  /// Styles the letters that a text node holds as children of its parent.
  private mutating func styleFirstLetters(of text: Node) {
    let (styles, builder) = (self.styles, self.builder)
    let letters = firstLetters.take(text, in: document) { builder.table.boxes[styles[$0.index].box.index] }
    for letter in letters where letter.node != text.parent {
      cascade.attributes.node = letter.node
      let (style, _) = style(
        letter.rules[...], [], nil, parent: styles[text.parent.index], parentCustom: letter.custom, traits: [],
        pseudo: .firstLetter)
      pseudoElements[letter.place].style = style
    }
  }

  /// Styles the mark in the text and the one at the note, whether rules speak of them or not (CSS GCPM 3, section 2.3).
  private mutating func styleFootnote(
    _ id: NodeID, _ matches: ArraySlice<MatchedRule>, parent: ComputedStyle, custom: UInt32
  ) {
    let call = footnotes.callDefaults(&cascade)
    for (pseudo, hints) in [(PseudoElement.footnoteCall, [call]), (.footnoteMarker, [])] {
      let own = matches.filter { $0.pseudo == pseudo }
      let (style, _) = style(own[...], hints, nil, parent: parent, parentCustom: custom, traits: [], pseudo: pseudo)
      pseudoElements.append(PseudoElementStyle(node: id, pseudo: pseudo, style: style))
    }
  }

  /// Styles an element as it is on a first line that reaches it (CSS Pseudo-elements 4, section 2.1.3): what is inline there
  /// inherits from the line's style, a block is given the line's own declarations.
  private mutating func styleFirstLine(
    _ id: NodeID, _ node: Node, _ scope: FirstLineScopes.Scope, _ matches: ArraySlice<MatchedRule>,
    _ pseudos: ArraySlice<MatchedRule>, _ hintRanges: [Range<Int32>], _ attribute: UInt32?, parentCustom: UInt32,
    custom: UInt32, traits: ElementTraits
  ) {
    var line = styles[id.index]
    if scope.isInline {
      line =
        style(
          matches, hintRanges, attribute, parent: firstLines.styles[node.parent] ?? styles[node.parent.index],
          parentCustom: parentCustom, traits: traits, pseudo: .none
        ).0
    } else {
      for rules in firstLines.rules[scope.rules] {
        line = style(rules[...], [], nil, parent: line, parentCustom: custom, traits: [], pseudo: .firstLine).0
      }
    }
    firstLines.styles[id] = line
    firstLineStyles.append(PseudoElementStyle(node: id, pseudo: .none, style: line))
    var next = pseudos.startIndex
    while next < pseudos.endIndex {
      let pseudo = pseudos[next].pseudo
      var end = next
      while end < pseudos.endIndex, pseudos[end].pseudo == pseudo { end += 1 }
      if pseudo != .firstLine {
        let (style, _) = style(
          pseudos[next..<end], [], nil, parent: line, parentCustom: custom, traits: [], pseudo: pseudo)
        firstLineStyles.append(PseudoElementStyle(node: id, pseudo: pseudo, style: style))
      }
      next = end
    }
  }

  /// What else holds where the book says nothing of an element that is a note, or a note's mark.
  private mutating func noteDefaults(
    of id: NodeID, _ style: ComputedStyle, isFootnote: Bool, parent: ComputedStyle
  ) -> Range<Int32>? {
    if isFootnote || settings.movesNotes && NoteRole(of: id, in: document) == .note {
      return footnotes.noteDefaults(isFootnote: isFootnote, parent: parent, builder, &cascade)
    }
    return isPlainNoteMark(id, style) ? footnotes.callDefaults(&cascade) : nil
  }

  /// The element is the mark of a note that the book does not raise, by itself or by what is around it, and that the
  /// house style, or notes at the foot of pages, ask to be told from the text.
  private func isPlainNoteMark(_ id: NodeID, _ style: ComputedStyle) -> Bool {
    guard settings.usesHouseStyle || settings.movesNotes, document.isNoteMark(id) else { return false }
    var style = style
    var node = id
    while true {
      let box = builder.interner.table.boxes[style.box.index]
      guard box.display == .inline else { return true }
      guard box.verticalAlign == .baseline else { return false }
      node = document.nodes[node.index].parent
      guard !node.isNone, document.nodes[node.index].kind == .element else { return true }
      style = styles[node.index]
    }
  }

  /// The style made of the given declarations, from the cache when the same were met under the same parent style.
  private mutating func style(
    _ matches: ArraySlice<MatchedRule>, _ hintRanges: [Range<Int32>], _ attribute: UInt32?, parent: ComputedStyle,
    parentCustom: UInt32, traits: ElementTraits, pseudo: PseudoElement
  ) -> (ComputedStyle, UInt32) {
    cache.beginKey()
    cache.append(parent)
    cache.append(parentCustom)
    cache.append(UInt32(traits.rawValue) << 8 | UInt32(pseudo.rawValue))
    for match in matches { cache.append(match.order) }
    // Rule places stay below these marks.
    for range in hintRanges { cache.append(0x8000_0000 | UInt32(range.lowerBound)) }
    if let attribute { cache.append(0xC000_0000 | attribute) }
    if let known = cache.lookup() { return known }

    cascade.attributes.forgetReads()
    builder.readsContainer = false
    cascade.blocks.removeAll(keepingCapacity: true)
    var hintsAdded = false
    func addHints() {
      for range in hintRanges {
        cascade.blocks.append(DeclarationBlock(hints: range))
      }
      hintsAdded = true
    }
    for match in matches {
      if match.origin == .author, !hintsAdded { addHints() }
      cascade.blocks.append(block(of: match))
    }
    if !hintsAdded { addHints() }
    if let attribute { cascade.blocks.append(attributeBlocks[Int(attribute)]) }
    cascade.pseudo = pseudo
    cascade.isReplaced = traits.contains(.replaced)
    var custom = inheritedCustom(parentCustom)
    let inherited = custom
    var style: ComputedStyle?
    func declared(isProvisional: Bool, _ resolve: PropertySyntax.LengthResolution) -> CustomProperties? {
      var registered = registered
      registered.isProvisional = isProvisional
      return cascade.customProperties(
        customProperties[Int(parentCustom)], inherited: customProperties[Int(inherited)], registered, resolve: resolve,
        budget: &customBudget)
    }
    var needsFont = false
    let own = declared(isProvisional: true) { _, _ in
      needsFont = true
      return nil
    }
    if let own {
      custom = UInt32(customProperties.count)
      customProperties.append(own)
      if !cascade.declaredOfDrawings.isEmpty { declaredOfDrawings[custom] = cascade.declaredOfDrawings }
      if needsFont {
        // Lengths of custom properties are in units of the font that comes of the other declarations. A font that comes of
        // theirs again is a cycle, which makes both invalid (CSS Properties and Values API 1, section 3.2).
        let first = apply(custom, parent, traits, pseudo)
        let font = builder.table.fonts[first.font.index]
        let resolved = declared(isProvisional: false) { builder.pixels(Length(Float($0), $1), font: font) }
        if let resolved {
          customProperties[Int(custom)] = resolved
          style = apply(custom, parent, traits, pseudo)
          let changed = style.map { builder.table.fonts[$0.font.index] }
          if changed?.size != font.size || changed?.lineHeight != font.lineHeight {
            customProperties[Int(custom)] = declared(isProvisional: false) { _, _ in nil } ?? own
            cascade.fontCustom = own
            style = apply(custom, parent, traits, pseudo)
            cascade.fontCustom = nil
          }
        }
      }
    }
    let result = style ?? apply(custom, parent, traits, pseudo)
    if !cascade.attributes.wereRead, !builder.readsContainer { cache.insert(result, custom) }
    return (result, custom)
  }

  /// The style that the blocks of the cascade make.
  private mutating func apply(
    _ custom: UInt32, _ parent: ComputedStyle, _ traits: ElementTraits, _ pseudo: PseudoElement
  ) -> ComputedStyle {
    builder.begin(parent: parent)
    if pseudo == .marker {
      // Markers are isolated from the text beside them (CSS Lists 3, section 3.1).
      builder.load(.box)
      builder.box.unicodeBidi = .isolate
    }
    cascade.apply(to: builder, custom: customProperties[Int(custom)])
    builder.finish(traits)
    return builder.end()
  }

  /// The custom properties that a child is given: those of its parent, but for registered ones that are not inherited.
  private mutating func inheritedCustom(_ parent: UInt32) -> UInt32 {
    guard registered.keepsSome else { return parent }
    if let known = inheritedCustomIDs[parent] { return known }
    var id = parent
    if let inherited = registered.inherited(from: customProperties[Int(parent)]) {
      id = UInt32(customProperties.count)
      customProperties.append(inherited)
    }
    inheritedCustomIDs[parent] = id
    return id
  }

  /// The container queries of a rule hold for an element or its pseudo-element.
  private mutating func containersHold(_ match: MatchedRule, for id: NodeID) -> Bool {
    let place = index.rules.rules[Int(match.order)].containers
    guard place != 0 else { return true }
    let parent = document.nodes[id.index].parent
    let start = match.pseudo == .none ? parent : id
    return index.rules.containerConditions[Int(place) - 1].allSatisfy { queries in
      queries.contains { query in holds(query, from: start) }
    }
  }

  private mutating func holds(_ query: ContainerQuery, from start: NodeID) -> Bool {
    guard !start.isNone, document.nodes[start.index].kind == .element else { return false }
    // Every element is a container of queries of style.
    if query.name.isEmpty, query.axes(isVertical: false) == [] { return holds(query, of: start, size: nil) }
    guard let found = containers.container(for: query, from: start, in: document) else { return false }
    return holds(query, of: found.node, size: found)
  }

  private mutating func holds(_ query: ContainerQuery, of node: NodeID, size: QueryContainers.Container?) -> Bool {
    let style = styles[node.index]
    let font = builder.table.fonts[style.font.index]
    let custom = customProperties[customIDs.isEmpty ? 0 : Int(customIDs[node.index])]
    let (builder, registered) = (builder, registered)
    let media = settings.media
    builder.dependencies.insert(.pageSize)
    func pixels(_ value: Double, _ unit: LengthUnit) -> Double? {
      if unit == .px { return value }
      return unit.pagePixels(value, width: media.width, height: media.height)
        ?? builder.pixels(Length(Float(value), unit), font: font)
    }
    let environment = ContainerEnvironment(
      width: size?.width, height: size?.height,
      isVertical: !builder.table.paragraphs[style.paragraph.index].writingMode.isHorizontal, pixels: pixels,
      style: { registered.holds($0, of: custom, resolve: pixels) })
    return query.holds(environment)
  }

  private mutating func block(of match: MatchedRule) -> DeclarationBlock {
    let order = Int(match.order)
    while ruleBlocks.count <= order { ruleBlocks.append(nil) }
    if let known = ruleBlocks[order] { return known }
    let block = cascade.block(Int(match.sheet), match.declarations, match.origin, layer: match.layer)
    ruleBlocks[order] = block
    return block
  }

  private mutating func finish() -> StyledTree {
    cascade.attributes.node = .none
    for sheet in authorSheets {
      for fault in sheet.sheet.sheet.faults + sheet.sheet.faults {
        diagnostics.append(
          Diagnostic(.note, code: "invalid-css", resource: sheet.path, line: Int(fault.line), message: fault.message))
      }
    }
    for fault in cascade.styleAttributes.sheet.faults + cascade.styleAttributes.faults {
      diagnostics.append(
        Diagnostic(.note, code: "invalid-css", resource: path, line: Int(fault.line), message: fault.message))
    }
    let pageStyles = pageStyles()
    let footnoteStyles = footnotes.isUsed || settings.movesNotes ? self.footnoteStyles(pageStyles) : nil
    var tree = StyledTree(
      document: document, styles: styles, pseudoElements: pseudoElements, table: builder.interner.table,
      statistics: statistics, diagnostics: diagnostics)
    tree.firstLineStyles = firstLineStyles
    tree.dependencies = builder.dependencies
    if index.rules.looksAhead { tree.dependencies.insert(.laterElements) }
    tree.pageStyles = pageStyles
    tree.footnotes = footnoteStyles
    collectDrawingProperties(into: &tree)
    let named = sources.filter { $0.origin == .user || $0.origin == .author && settings.usesPublisherStyles }
    tree.addAtRules(of: named, media: settings.media)
    return tree
  }

  /// What rules say of the elements of drawings, and attributes of theirs that refer to custom properties.
  private mutating func collectDrawingProperties(into tree: inout StyledTree) {
    guard hasDrawings else { return }
    for place in document.nodes.indices where document.nodes[place].namespace == .svg {
      let node = document.nodes[place]
      guard node.kind == .element else { continue }
      let custom = customIDs.isEmpty ? 0 : customIDs[place]
      var declarations: [DrawingDeclaration] = []
      if custom != 0, node.parent.isNone || customIDs[node.parent.index] != custom {
        for name in declaredOfDrawings[custom] ?? [] {
          // One without a value takes that around it, as most properties of drawings do.
          let value = customProperties[Int(custom)].values[name]?.source
          if let value = value ?? (DrawingProperty.inherited.contains(name) ? "inherit" : nil) {
            declarations.append(DrawingDeclaration(name: name, value: value))
          }
        }
      }
      for index in node.range {
        let attribute = document.attributes[Int(index)]
        let bytes = document.bytes(attribute.value)
        guard bytes.contains(UInt8(ascii: "(")), document.string(attribute.value).contains("var(") else { continue }
        let name = document.names.name(of: attribute.name)
        guard DrawingProperty.names.contains(name), !declarations.contains(where: { $0.name == name }) else { continue }
        let tokens = TokenBuffer(tokenizing: Array(bytes)[...])
        cascade.attributes.node = NodeID(place)
        let value = customProperties[Int(custom)].substitute(
          tokens, 0..<tokens.tokens.count, attributes: &cascade.attributes)
        declarations.append(DrawingDeclaration(name: name, value: value?.source ?? "inherit"))
      }
      if !declarations.isEmpty { tree.drawingProperties[NodeID(place)] = declarations.sorted { $0.name < $1.name } }
    }
  }

  private mutating func footnoteStyles(_ pages: PageStyles) -> FootnoteStyles {
    let root = document.root
    let body = root.isNone ? nil : document.children(of: root).first { document.isElement($0, .body) }
    let parent = root.isNone ? .initial : styles[(body ?? root).index]
    let rule = footnotes.ruleDefaults(&cascade)
    let (separator, _) = style([], [rule], nil, parent: parent, parentCustom: 0, traits: [], pseudo: .none)
    return FootnoteStyles(area: pages.footnoteArea ?? parent.anonymousChild, separator: separator)
  }

  private mutating func pageStyles() -> PageStyles {
    var rules: [PageStyleResolver.Rule] = []
    for (place, typed) in cascade.sheets.enumerated() where !typed.sheet.pageRules.isEmpty {
      let (origin, layers) = (sources[place].origin, sources[place].layers)
      guard settings.usesPublisherStyles || origin != .author else { continue }
      let results = typed.sheet.evaluateConditions(settings.media, supports: PropertyTable.supports)
      for rule in typed.sheet.pageRules where typed.sheet.holds(rule.condition, in: results) {
        rules.append(
          PageStyleResolver.Rule(rule: rule, sheet: place, origin: origin, layer: layers[rule.condition]))
      }
    }
    guard !rules.isEmpty else { return PageStyles() }
    let root = document.root
    let custom = customIDs.isEmpty || root.isNone ? 0 : customIDs[root.index]
    let resolver = PageStyleResolver(
      rules: rules, root: root.isNone ? .initial : styles[root.index], custom: customProperties[Int(custom)])
    return resolver.styles(&cascade, builder)
  }
}
