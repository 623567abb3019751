import CSS
import Markup
import Primitives
import Styling
import Text

/// MathML as boxes. What places its children by rules of its own is a box of kind `math`, which the line around it
/// holds as a whole; rows of a formula in a text are inline boxes, so that lines may break between their terms.
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
        guard formulas.isWhole(node) else { return false }
      } else {
        guard formulas.standsAlone(node, style) else { return false }
      }
    }
    let made = formulas.box(of: node)
    let kind: BoxKind = made.role == .token || made.role == .operation ? .block : .math
    let isBlock = isInside || traits.role == .block && document.nodes[node.index].name == .math
    guard enter(isBlock ? .block : .inline) else { return true }
    if isBlock { breakInline() }
    lineStarts = LineStarts()
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

  /// Makes a box of a formula that its line holds as a whole. In the line's text a letter stands for it, and for a wide
  /// space an object.
  private mutating func appendFormula(_ kind: BoxKind, _ node: NodeID, _ style: ComputedStyle, flags: BoxFlags) -> BoxID
  {
    let builder = inlineContext()
    let box = makeBox(
      kind, node, nil, style, flags.union([.atomicInline, .formattingContext, .formula]),
      parent: inlineParent(builder))
    openBoxes.builders[builder].append(
      .object, unit: formulas.isWideSpace(node) ? 0xFFFC : AttributedText.formulaUnit,
      attributes.attributes(of: style, decorations: openBoxes.decorations), node: node,
      box: box)
    return box
  }

  func isFormula(_ box: BoxID) -> Bool { boxTree.boxes[box.index].kind == .math }

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
      var parts = formulas.children(of: node)
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
      let parts = formulas.children(of: node)
      generate(parts[0])
      sign("/", node, style, opens: true)
      generate(parts[1])
    case .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts, .mfrac:
      for child in formulas.children(of: node) { generate(child) }
    case .mfenced: fenced(node, style)
    case .mtable, .mtr: for child in formulas.children(of: node) { generate(child) }
    case .mlabeledtr:
      // The label is the first child, and stands at the end of its row.
      let cells = formulas.children(of: node)
      for cell in cells.dropFirst() + cells.prefix(1) { generate(cell) }
    case .mtd where !isInside && formulas.isOfSpaces(node):
      group(formulas.children(of: node), of: node, style, isBlock: true)
    case .math where !isInside && formulas.isWhole(node), .mtd where !isInside && !resources.extendsFormulas:
      group(formulas.children(of: node), of: node, style)
    default: row(formulas.children(of: node), of: node, style)
    }
  }

  /// `mfenced`: its children between fences and separators (MathML 3, section 3.3.8).
  private mutating func fenced(_ node: NodeID, _ style: ComputedStyle) {
    let parts = formulas.children(of: node)
    let open = document.attributeValue(.open, of: node) ?? "("
    let close = document.attributeValue(.close, of: node) ?? ")"
    let separators = Array((document.attributeValue(.separators, of: node) ?? ",").filter { !$0.isWhitespace })
    if !isFormula(openBoxes.frames[openBoxes.frames.count - 1].box), parts.contains(where: { formulas.isTall($0) }) {
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

  /// Children one after the other. In a line, fences stand in a box with what they enclose where that is high, and a
  /// line may end behind an operator between terms of a long formula.
  private mutating func row(_ parts: [NodeID], of node: NodeID, _ style: ComputedStyle) {
    guard !isFormula(openBoxes.frames[openBoxes.frames.count - 1].box), !FormulaHints.isTooDeep(node, in: document)
    else {
      for part in parts { generate(part) }
      return
    }
    let groups = formulas.fencedGroups(parts)
    let isLong = document.nodes[node.index].subtreeEnd.index - node.index > Self.fewestNodesOfLongRow
    var index = 0
    for group in groups + [parts.count..<parts.count] {
      while index < group.lowerBound {
        generate(parts[index])
        if isLong, index + 1 < parts.count, formulas.partsTerms(parts[index]) {
          appendGenerated("\u{200B}", node, style)
        }
        index += 1
      }
      if !group.isEmpty { self.group(Array(parts[group]), of: node, style) }
      index = group.upperBound
    }
  }
  /// Elements and texts of a row in which lines may break.
  private static let fewestNodesOfLongRow = 24

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
