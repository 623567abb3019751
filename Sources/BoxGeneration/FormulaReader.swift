import CSS
import Markup
import Primitives
import Styling

/// The elements of formulas, their roles and attributes, before boxes are made (MathML Core, sections 2 and 3).
struct FormulaReader {
  private let tree: StyledTree
  private let document: Document
  private let extendsFormulas: Bool

  /// - Parameter extendsFormulas: Formulas are set as books want them (`BoxResources.extendsFormulas`).
  init(_ tree: StyledTree, extendsFormulas: Bool) {
    self.tree = tree
    document = tree.document
    self.extendsFormulas = extendsFormulas
  }

  /// Lines may break at the space: it parts one formula from another, which a space at the end does not.
  func isWideSpace(_ node: NodeID) -> Bool {
    guard document.nodes[node.index].name == .mspace, extendsFormulas, isFollowed(node),
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

  /// No line breaks in the formula, as in browsers: or it runs from right to left.
  func isWhole(_ math: NodeID) -> Bool {
    let paragraph = tree.table.paragraphs[tree.styles[math.index].paragraph.index]
    return !extendsFormulas || paragraph.direction == .rtl
  }

  /// The element places its children by rules of its own, or has edges or a size that a row has around all that is in
  /// it.
  func standsAlone(_ node: NodeID, _ style: ComputedStyle) -> Bool {
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
  func isTall(_ node: NodeID, depth: Int = 0) -> Bool {
    guard document.nodes[node.index].namespace == .mathML, depth < 16 else { return false }
    switch document.nodes[node.index].name {
    case .mi, .mn, .mo, .ms, .mtext, .annotation, .annotationXml: return false
    case .mrow, .mstyle, .mphantom, .merror, .semantics, .maction, .math:
      return children(of: node).contains { isTall($0, depth: depth + 1) }
    default: return true
    }
  }

  /// The role of an element in layout, and what its attributes say of that.
  func box(of node: NodeID) -> MathBox {
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
      let parts = children(of: node)
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
    let parts = children(of: node)
    func isAccent(_ script: NodeID) -> Bool {
      FormulaHints.isAccent(script, of: node, in: document, infersAccents: extendsFormulas)
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

  /// The cell has nothing but spaces, and no line for them: it is as high as they are.
  func isOfSpaces(_ cell: NodeID) -> Bool {
    let parts = children(of: cell)
    return !parts.isEmpty && parts.allSatisfy { isSpace($0) }
  }

  /// The child elements, and text that is no white space.
  func children(of node: NodeID) -> [NodeID] {
    document.children(of: node).filter { document.nodes[$0.index].kind == .element || !document.isBlankText($0) }
  }

  /// The element is an operator between terms.
  func partsTerms(_ node: NodeID) -> Bool {
    document.nodes[node.index].namespace == .mathML
      && OperatorSpacing.operation(of: node, in: document)?.partsTerms == true
  }

  /// The parts of a row that stand between fences that stretch, the fences among them: all of the row where a fence has
  /// no counterpart. None where nothing in the row is high.
  func fencedGroups(_ parts: [NodeID]) -> [Range<Int>] {
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
}

extension MathBox {
  fileprivate mutating func setScripts(_ kind: Scripts) {
    role = .scripts
    scripts = kind
  }
}
