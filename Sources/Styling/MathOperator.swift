package import Markup
package import Primitives

/// An operator of a formula with what the author and the operator dictionary say of it (MathML Core, section 3.2.4.2).
package struct MathOperator: Sendable {
  package var isStretchy = false
  /// It stretches along the line, not across it.
  package var isHorizontal = false
  package var isSymmetric = false
  /// It is larger where `math-style` is `normal`.
  package var isLarge = false
  /// Its limits stand beside it where `math-style` is `compact`.
  package var movesLimits = false
  /// It is an opening or a closing fence.
  package var opens = false
  package var closes = false
  /// A line may end with it: it parts terms.
  package var partsTerms = false
  /// The spaces before and after, in CSS.
  var spaces = (start: "0px", end: "0px")

  /// The operator of an `mo` element.
  ///
  /// - Parameter outermost: The element that embellishes it, whose place among its siblings decides the form.
  package init(_ id: NodeID, in outermost: NodeID, _ document: Document) {
    let content = Self.content(of: id, in: document)
    let form = Self.form(of: id, in: outermost, document)
    let category = content.isEmpty ? nil : OperatorDictionary.category(of: content, form)
    func property(_ name: String, _ known: Bool) -> Bool {
      switch document.drawingAttribute(name, of: id)?.trimmedLowercase {
      case "true": true
      case "false": false
      default: known
      }
    }
    isStretchy = property("stretchy", category?.isStretchy ?? false)
    isSymmetric = property("symmetric", category?.isSymmetric ?? false)
    isLarge = property("largeop", category?.isLarge ?? false)
    movesLimits = property("movablelimits", category?.movesLimits ?? false)
    isHorizontal = content.count == 1 && OperatorDictionary.isHorizontal(content[0])
    opens = category == .prefixFence
    closes = category == .postfixFence
    switch category {
    case .infixStretchy, .infixDefault, .infixMedium: partsTerms = form == .infix
    default: partsTerms = false
    }
    func space(_ name: Atom, _ known: Int) -> String {
      // 18ths of an em, in the digits that the specification has.
      FormulaHints.length(name, of: id, in: document)
        ?? ["0px", "0.0556em", "0.1111em", "0.1667em", "0.2222em", "0.2778em"][known]
    }
    spaces = (space(.lspace, category?.spaces.start ?? 0), space(.rspace, category?.spaces.end ?? 0))
  }

  /// The characters of an operator, without white space at its ends; none where it has elements or is longer than any operator.
  static func content(of id: NodeID, in document: Document) -> [UInt32] {
    let text = FormulaHints.text(of: id, document)
    var scalars = Array(text.unicodeScalars.drop { $0.properties.isWhitespace })
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    // A selector of variants says nothing of what a sign does.
    if scalars.count == 2, scalars[1].value == 0xFE00 || scalars[1].value == 0xFE0E { scalars.removeLast() }
    return scalars.map(\.value)
  }

  /// The form of an operator: what it says, or by its place (section 3.2.4.2).
  private static func form(of id: NodeID, in outermost: NodeID, _ document: Document) -> OperatorDictionary.Form {
    switch document.drawingAttribute("form", of: id)?.trimmedLowercase {
    case "prefix": return .prefix
    case "infix": return .infix
    case "postfix": return .postfix
    default: break
    }
    let parent = document.nodes[outermost.index].parent
    guard !parent.isNone, document.nodes[parent.index].namespace == .mathML else { return .infix }
    let place = Self.place(of: outermost, among: parent, document)
    guard OperatorSpacing.isRow(parent, in: document) else {
      // An operator that is a script or a limit.
      return place.isFirst ? .infix : .postfix
    }
    if place.isFirst { return place.isLast ? .infix : .prefix }
    if place.isLast { return .postfix }
    // A sign right behind another operator has no operand before it.
    guard let previous = place.previous, document.nodes[previous.index].name == .mo,
      OperatorDictionary.isKnown(content(of: id, in: document), .prefix)
    else { return .infix }
    let sign = content(of: previous, in: document)
    return sign.isEmpty || OperatorDictionary.isKnown(sign, .postfix) ? .infix : .prefix
  }

  /// The place of an element among its siblings, spaces left out.
  private static func place(of id: NodeID, among parent: NodeID, _ document: Document) -> (
    isFirst: Bool, isLast: Bool, previous: NodeID?
  ) {
    var sibling = document.nodes[id.index].nextSibling
    while !sibling.isNone, !isPart(sibling, document) { sibling = document.nodes[sibling.index].nextSibling }
    var previous = siblingBefore(id, in: parent, document)
    while let found = previous, !isPart(found, document) { previous = siblingBefore(found, in: parent, document) }
    return (previous == nil, sibling.isNone, previous)
  }

  private static func isPart(_ id: NodeID, _ document: Document) -> Bool {
    document.nodes[id.index].kind == .element && !OperatorSpacing.isSpaceLike(id, in: document)
  }

  /// The sibling that ends right before a node.
  ///
  /// - Complexity: O(depth of the sibling).
  private static func siblingBefore(_ id: NodeID, in parent: NodeID, _ document: Document) -> NodeID? {
    var node = NodeID(id.index - 1)
    while node != parent {
      let outer = document.nodes[node.index].parent
      if outer == parent { return node }
      if outer.isNone { return nil }
      node = outer
    }
    return nil
  }
}

extension MathOperator {
  /// A sign that stands for no element: one that stretches across the line, before or behind what it encloses.
  ///
  /// - Parameter opens: nil for one that does not stretch.
  package init(stretchySign sign: String, opens: Bool?) {
    isStretchy = opens != nil
    isSymmetric = opens != nil && sign != "√"
    self.opens = opens == true
    closes = opens == false
  }
}
