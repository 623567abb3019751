import CSS
import Markup
import Primitives
import Styling
import Text

/// MathML as boxes. What places its children by rules of its own is a box of kind `math`, which the line around it holds as a whole;
/// rows of a formula in a text are inline boxes, so that lines may break between their terms.
extension BoxGenerator {
  // MARK: Elements

  /// Places an element as a box of kind `math`, or a text in one; false for elements that are placed as others are.
  mutating func placeFormula(_ node: NodeID, _ style: ComputedStyle, _ traits: BoxTraits) -> Bool {
    switch traits.role {
    case .inline, .block: break
    default: return false
    }
    switch traits.display {
    case .inline, .block: break
    default: return false
    }
    let isInside = isFormula(openBoxes.frames[openBoxes.realFrame].box)
    if !isInside {
      if document.nodes[node.index].name == .math {
        guard isWhole(node) else { return false }
      } else {
        guard standsAlone(node, style) else { return false }
      }
    }
    let made = mathBox(of: node)
    let kind: BoxKind = made.role == .token || made.role == .operation ? .block : .math
    let isBlock = isInside || traits.role == .block && document.nodes[node.index].name == .math
    guard enter(isBlock ? .block : .inline) else { return true }
    if isBlock { breakInline() }
    lineStarts.firstLetter = nil
    lineStarts.awaitsFirstLine = false
    let box: BoxID
    let savedDecorations = openBoxes.decorations
    if isBlock {
      box = makeFormula(kind, node, style, flags: [])
    } else {
      box = appendFormula(kind, node, style, flags: [])
      openBoxes.decorations = 0
    }
    boxTree.formulas[box] = made
    decorate(style, traits, box: box)
    letterScope(node, nil, isBlockContainer: false) { $0.fill(box, .block, node, nil, style) }
    openBoxes.decorations = savedDecorations
    return true
  }

  /// Makes a box of a formula that is a block, or a child of a box of kind `math`.
  private mutating func makeFormula(_ kind: BoxKind, _ node: NodeID, _ style: ComputedStyle, flags: BoxFlags) -> BoxID {
    let top = openBoxes.frames.count - 1
    let box = makeBox(
      kind, node, nil, style, flags.union([.formattingContext, .formula]), parent: openBoxes.frames[top].box)
    link(box, to: top)
    return box
  }

  /// Makes a box of a formula that its line holds as a whole. In the line's text a letter stands for it, and for a wide space an
  /// object.
  private mutating func appendFormula(_ kind: BoxKind, _ node: NodeID, _ style: ComputedStyle, flags: BoxFlags) -> BoxID
  {
    let builder = inlineContext()
    let box = makeBox(
      kind, node, nil, style, flags.union([.atomicInline, .formattingContext, .formula]),
      parent: inlineParent(builder))
    openBoxes.builders[builder].append(
      .object, unit: isWideSpace(node) ? 0xFFFC : AttributedText.formulaUnit,
      attributes.attributes(of: style, decorations: openBoxes.decorations), node: node,
      box: box)
    return box
  }

  /// Lines may break at the space: it parts one formula from another, which a space at the end does not.
  private func isWideSpace(_ node: NodeID) -> Bool {
    guard document.nodes[node.index].name == .mspace, resources.extendsFormulas, isFollowed(node),
      let width = document.attributeValue(.width, of: node).flatMap({ MathLength(attribute: $0)?.length })
    else { return false }
    return width.unit == .em ? width.value >= 1 : width.unit == .px && width.value >= 12
  }

  private func isFollowed(_ node: NodeID) -> Bool {
    var sibling = document.nodes[node.index].nextSibling
    while !sibling.isNone {
      if document.nodes[sibling.index].kind == .element, !isSpace(sibling) { return true }
      sibling = document.nodes[sibling.index].nextSibling
    }
    return false
  }

  private func isSpace(_ node: NodeID) -> Bool {
    document.nodes[node.index].name == .mspace && document.nodes[node.index].namespace == .mathML
  }

  func isFormula(_ box: BoxID) -> Bool { boxTree.boxes[box.index].kind == .math }

  /// No line breaks in the formula, as in browsers: or it runs from right to left.
  private func isWhole(_ math: NodeID) -> Bool {
    let paragraph = tree.table.paragraphs[tree.styles[math.index].paragraph.index]
    return !resources.extendsFormulas || paragraph.direction == .rtl
  }

  /// The element places its children by rules of its own, or has edges or a size that a row has around all that is in it.
  private func standsAlone(_ node: NodeID, _ style: ComputedStyle) -> Bool {
    guard !FormulaHints.isTooDeep(node, in: document) else { return false }
    switch document.nodes[node.index].name {
    case .mfrac, .msqrt, .mroot, .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts, .mpadded,
      .menclose,
      .mspace:
      return true
    case .mo:
      let operation = MathOperator(node, in: node, document)
      if operation.isLarge, tree.table.texts[style.text.index].mathStyle == .normal { return true }
      if operation.isStretchy, document.drawingAttribute("minsize", of: node) != nil { return true }
    default: break
    }
    guard style.box.index != 0 || style.border.index != 0 else { return false }
    let values = tree.table.boxes[style.box.index]
    return style.border.index != 0 || values.padding != Sides(all: .zero) || values.width != .auto
      || values.height != .auto
  }

  /// The element is higher than letters are.
  private func isTall(_ node: NodeID, depth: Int = 0) -> Bool {
    guard document.nodes[node.index].namespace == .mathML, depth < 16 else { return false }
    switch document.nodes[node.index].name {
    case .mi, .mn, .mo, .ms, .mtext, .annotation, .annotationXml: return false
    case .mrow, .mstyle, .mphantom, .merror, .semantics, .maction, .math:
      return mathChildren(of: node).contains { isTall($0, depth: depth + 1) }
    default: return true
    }
  }

  // MARK: Values

  private func mathBox(of node: NodeID) -> MathBox {
    let count = FormulaHints.count(of: node, document)
    var made = MathBox(.row)
    made.isSpaceLike = OperatorSpacing.isSpaceLike(node, in: document)
    guard !FormulaHints.isTooDeep(node, in: document) else { return MathBox(.token) }
    switch document.nodes[node.index].name {
    case .mi, .mn, .ms, .mtext: made.role = .token
    case .mo:
      made.role = .operation
      made.operation = MathOperator(node, in: outermost(of: node), document)
      made.minSize = document.drawingAttribute("minsize", of: node).flatMap { MathLength(attribute: $0) }
      made.maxSize = document.drawingAttribute("maxsize", of: node).flatMap { MathLength(attribute: $0) }
    case .mspace:
      made.role = .space
      readMeasures(of: node, into: &made)
    case .mpadded:
      made.role = .padded
      readMeasures(of: node, into: &made)
    case .mfrac where count == 2 && !FormulaHints.isBevelled(node, in: document):
      made.role = .fraction
      made.thickness = document.attributeValue(.linethickness, of: node).flatMap { Self.thickness($0) }
      made.numeratorAlignment = alignment("numalign", of: node)
      made.denominatorAlignment = alignment("denomalign", of: node)
    case .msqrt: made.role = .radical
    case .mroot where count == 2:
      made.role = .radical
      made.hasIndex = true
    case .menclose where EnclosureHints.leadingSign(of: node, in: document) != nil: made.role = .radical
    case .msub where count == 2: made.setScripts(.sub)
    case .msup where count == 2: made.setScripts(.sup)
    case .msubsup where count == 3: made.setScripts(.both)
    case .mmultiscripts:
      let parts = mathChildren(of: node)
      guard let first = parts.first, !isPrescripts(first) else { break }
      made.setScripts(.several)
      let before = parts.firstIndex { isPrescripts($0) }
      made.firstPrescript = before ?? .max
    case .munder where count == 2: setLimits(of: node, under: true, over: false, &made)
    case .mover where count == 2: setLimits(of: node, under: false, over: true, &made)
    case .munderover where count == 3: setLimits(of: node, under: true, over: true, &made)
    default: break
    }
    return made
  }

  private func setLimits(of node: NodeID, under: Bool, over: Bool, _ made: inout MathBox) {
    made.role = .limits
    made.hasUnder = under
    made.hasOver = over
    let parts = mathChildren(of: node)
    func isAccent(_ script: NodeID) -> Bool {
      FormulaHints.isAccent(script, of: node, in: document, infersAccents: resources.extendsFormulas)
    }
    if under { made.underIsAccent = isAccent(parts[1]) }
    if over, let last = parts.last { made.overIsAccent = isAccent(last) }
    made.operation = OperatorSpacing.operation(of: parts[0], in: document)
  }

  private func readMeasures(of node: NodeID, into made: inout MathBox) {
    func measure(_ name: String) -> MathBox.Adjustment? {
      document.drawingAttribute(name, of: node).flatMap { MathBox.Adjustment(attribute: $0) }
    }
    made.width = measure("width")
    made.height = measure("height")
    made.depth = measure("depth")
    made.leading = measure("lspace")
    made.rise = measure("voffset")
  }

  private static func thickness(_ value: String) -> MathLength? {
    switch value.lowercased() {
    case "thin": MathLength("0.5")
    case "medium": MathLength("1")
    case "thick": MathLength("2")
    default: MathLength(attribute: value)
    }
  }

  private func alignment(_ name: String, of node: NodeID) -> MathBox.Alignment {
    switch document.drawingAttribute(name, of: node)?.lowercased() {
    case "left": .start
    case "right": .end
    default: .center
    }
  }

  /// The outermost element that an operator is the core of.
  private func outermost(of operation: NodeID) -> NodeID {
    var outermost = operation
    for _ in 0..<8 {
      let parent = document.nodes[outermost.index].parent
      guard !parent.isNone, OperatorSpacing.core(of: parent, in: document) == operation else { break }
      outermost = parent
    }
    return outermost
  }

  private func isPrescripts(_ node: NodeID) -> Bool { document.nodes[node.index].name == .mprescripts }

  // MARK: Content

  /// The content of an element: of a box of kind `math`, a text, or a row in a line.
  mutating func mathContent(_ node: NodeID, _ style: ComputedStyle) {
    let isInside = isFormula(openBoxes.frames[openBoxes.frames.count - 1].box)
    switch document.nodes[node.index].name {
    case .mi, .mn, .mo, .mtext, .annotation, .annotationXml: children(of: node)
    case .ms:
      if resources.extendsFormulas {
        appendGenerated(document.drawingAttribute("lquote", of: node) ?? "\"", node, style)
        children(of: node)
        appendGenerated(document.drawingAttribute("rquote", of: node) ?? "\"", node, style)
      } else {
        children(of: node)
      }
    // Content of `mspace` is not shown.
    case .mspace: break
    case .msqrt, .mroot, .menclose:
      var parts = mathChildren(of: node)
      if isInside, boxTree.formulas[openBoxes.frames[openBoxes.frames.count - 1].box]?.role == .radical {
        // In the order that they are read in.
        if boxTree.formulas[openBoxes.frames[openBoxes.frames.count - 1].box]?.hasIndex == true,
          let index = parts.popLast()
        {
          generate(index)
        }
        sign(EnclosureHints.leadingSign(of: node, in: document) ?? "", node, style, opens: true)
      }
      row(parts, of: node, style)
    case .mfrac where FormulaHints.isBevelled(node, in: document):
      let parts = mathChildren(of: node)
      generate(parts[0])
      sign("/", node, style, opens: true)
      generate(parts[1])
    case .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts, .mfrac:
      for child in mathChildren(of: node) { generate(child) }
    case .mfenced: fenced(node, style)
    case .mtable, .mtr: for child in mathChildren(of: node) { generate(child) }
    case .mlabeledtr:
      // The label is the first child, and stands at the end of its row.
      let cells = mathChildren(of: node)
      for cell in cells.dropFirst() + cells.prefix(1) { generate(cell) }
    case .mtd where !isInside && isOfSpaces(node):
      group(mathChildren(of: node), of: node, style, isBlock: true)
    case .math where !isInside && isWhole(node), .mtd where !isInside && !resources.extendsFormulas:
      group(mathChildren(of: node), of: node, style)
    default: row(mathChildren(of: node), of: node, style)
    }
  }

  /// The cell has nothing but spaces, and no line for them: it is as high as they are.
  private func isOfSpaces(_ cell: NodeID) -> Bool {
    let parts = mathChildren(of: cell)
    return !parts.isEmpty && parts.allSatisfy { isSpace($0) }
  }

  /// The child elements, and text that is no white space.
  private func mathChildren(of node: NodeID) -> [NodeID] {
    document.children(of: node).filter { document.nodes[$0.index].kind == .element || !isBlankText($0) }
  }

  /// `mfenced`: its children between fences and separators (MathML 3, section 3.3.8).
  private mutating func fenced(_ node: NodeID, _ style: ComputedStyle) {
    let parts = mathChildren(of: node)
    let open = document.attributeValue(.open, of: node) ?? "("
    let close = document.attributeValue(.close, of: node) ?? ")"
    let separators = Array((document.attributeValue(.separators, of: node) ?? ",").filter { !$0.isWhitespace })
    if !isFormula(openBoxes.frames[openBoxes.frames.count - 1].box), parts.contains(where: { isTall($0) }) {
      return group([], of: node, style) { $0.fenced(node, style) }
    }
    sign(open, node, style, opens: true)
    for (index, child) in parts.enumerated() {
      if index > 0, let last = separators.last {
        sign(String(index <= separators.count ? separators[index - 1] : last) + "\u{2006}", node, style, opens: nil)
      }
      generate(child)
    }
    sign(close, node, style, opens: false)
  }

  /// A sign that no element stands for: an operator in a box of kind `math`, text in a line.
  ///
  /// - Parameter opens: nil for one that does not stretch.
  private mutating func sign(_ text: String, _ node: NodeID, _ style: ComputedStyle, opens: Bool?) {
    guard !text.isEmpty else { return }
    guard isFormula(openBoxes.frames[openBoxes.frames.count - 1].box) else { return appendGenerated(text, node, style) }
    guard enter(.block) else { return }
    let own = style.anonymousChild
    let box = makeFormula(.block, node, own, flags: .anonymous)
    var made = MathBox(.operation)
    made.operation = MathOperator(stretchySign: text, opens: opens)
    boxTree.formulas[box] = made
    fill(box, with: text, node, own)
  }

  // MARK: Rows in lines

  /// Children one after the other. In a line, fences stand in a box with what they enclose where that is high, and a line may end
  /// behind an operator between terms of a long formula.
  private mutating func row(_ parts: [NodeID], of node: NodeID, _ style: ComputedStyle) {
    guard !isFormula(openBoxes.frames[openBoxes.frames.count - 1].box), !FormulaHints.isTooDeep(node, in: document)
    else {
      for part in parts { generate(part) }
      return
    }
    let groups = fencedGroups(parts)
    let isLong = document.nodes[node.index].subtreeEnd.index - node.index > Self.fewestNodesOfLongRow
    var index = 0
    for group in groups + [parts.count..<parts.count] {
      while index < group.lowerBound {
        generate(parts[index])
        if isLong, index + 1 < parts.count, partsTerms(parts[index]) { appendGenerated("\u{200B}", node, style) }
        index += 1
      }
      if !group.isEmpty { self.group(Array(parts[group]), of: node, style) }
      index = group.upperBound
    }
  }
  /// Elements and texts of a row in which lines may break.
  private static let fewestNodesOfLongRow = 24

  private func partsTerms(_ node: NodeID) -> Bool {
    document.nodes[node.index].namespace == .mathML
      && OperatorSpacing.operation(of: node, in: document)?.partsTerms == true
  }

  /// The parts of a row that stand between fences that stretch, the fences among them: all of the row where a fence has no
  /// counterpart. None where nothing in the row is high.
  private func fencedGroups(_ parts: [NodeID]) -> [Range<Int>] {
    let operations = parts.map { part -> MathOperator? in
      guard document.nodes[part.index].namespace == .mathML,
        let operation = OperatorSpacing.operation(of: part, in: document), operation.isStretchy,
        !operation.isHorizontal
      else { return nil }
      return operation
    }
    guard operations.contains(where: { $0 != nil }), parts.contains(where: { isTall($0) }) else { return [] }
    var groups: [Range<Int>] = []
    var open: [Int] = []
    for (index, operation) in operations.enumerated() {
      guard let operation else { continue }
      if operation.opens {
        open.append(index)
      } else if operation.closes || !open.isEmpty && !operation.partsTerms {
        guard let start = open.popLast() else { return [0..<parts.count] }
        while let last = groups.last, last.lowerBound > start { groups.removeLast() }
        if open.isEmpty { groups.append(start..<index + 1) }
      } else if open.isEmpty {
        return [0..<parts.count]
      }
    }
    if let first = open.first {
      groups.removeAll { $0.lowerBound >= first }
      groups.append(first..<parts.count)
    }
    return groups.filter { group in parts[group].contains { isTall($0) } }
  }

  /// Puts children into a row of their own that the line holds as a whole, or that is a block.
  private mutating func group(
    _ parts: [NodeID], of node: NodeID, _ style: ComputedStyle, isBlock: Bool = false,
    _ content: ((inout BoxGenerator) -> Void)? = nil
  ) {
    guard enter(isBlock ? .block : .inline) else { return }
    lineStarts.firstLetter = nil
    if isBlock { breakInline() }
    let own = style.anonymousChild
    let box =
      isBlock
      ? makeFormula(.math, node, own, flags: .anonymous) : appendFormula(.math, node, own, flags: .anonymous)
    boxTree.formulas[box] = MathBox(.row)
    let saved = (openBoxes.realFrame, openBoxes.decorations)
    openBoxes.decorations = 0
    pushFrame(box, wrapsInline: true, style: own, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    let base = openBoxes.realFrame
    if let content {
      content(&self)
    } else {
      for part in parts { generate(part) }
    }
    popFrames(to: base)
    closeFrame()
    (openBoxes.realFrame, openBoxes.decorations) = saved
  }
}

extension MathBox {
  fileprivate mutating func setScripts(_ kind: Scripts) {
    role = .scripts
    scripts = kind
  }
}
