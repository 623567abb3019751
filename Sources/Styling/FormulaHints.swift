import CSS
package import Markup
package import Primitives

/// Presentational hints of formulas: what attributes of MathML say in the terms of CSS, and what depends on an element's text or on its
/// place (MathML Core, section 2.1; MathML 3, sections 3.3 and 3.5).
package enum FormulaHints {
  /// Declarations; empty for most elements.
  ///
  /// - Parameters:
  ///   - around: The `math-style` of the parent.
  ///   - extendsFormulas: As `StyleSettings.extendsFormulas`.
  static func css(for id: NodeID, in document: Document, around: MathStyle, extendsFormulas: Bool) -> String {
    let node = document.nodes[id.index]
    var css = depth(id, in: document)
    var isDisplayed = around == .normal
    switch document.attributeValue(.displaystyle, of: id)?.trimmedLowercase {
    case "true":
      css += "math-style:normal;"
      isDisplayed = true
    case "false":
      css += "math-style:compact;"
      isDisplayed = false
    default: break
    }
    switch node.name {
    case .mi:
      if isItalicLetter(id, in: document), !(extendsFormulas && takesVariant(id, in: document)) {
        css += "text-transform:math-auto;"
      }
    case .mtable:
      css += MathTableHints.css(ofTable: id, in: document)
      if extendsFormulas, MathTableHints.standsAlone(id, in: document) { css += "display:table;" }
    case .mtd: css += MathTableHints.css(ofCell: id, in: document)
    case .menclose: css += EnclosureHints.css(for: id, in: document)
    case .mfrac:
      // The parts of a bevelled fraction stand in the line (MathML 3, section 3.3.2).
      if isBevelled(id, in: document) { css += "math-style:normal;" }
    default: break
    }
    let parent = node.parent
    guard !parent.isNone, document.nodes[parent.index].namespace == .mathML else { return css }
    if extendsFormulas, isInferredAccent(id, of: parent, in: document) { css += "font-size:inherit;" }
    return css + OperatorSpacing.css(for: id, in: document, isDisplayed: isDisplayed)
  }

  /// `scriptlevel` (MathML Core, section 2.1.6).
  private static func depth(_ id: NodeID, in document: Document) -> String {
    guard let value = document.drawingAttribute("scriptlevel", of: id)?.trimmedLowercase, let level = Int(value)
    else { return "" }
    return value.first == "+" || value.first == "-" ? "math-depth:add(\(level));" : "math-depth:\(level);"
  }

  /// A single letter that has an italic form of its own in Unicode is set in italics (MathML Core, section 4.2).
  private static func isItalicLetter(_ id: NodeID, in document: Document) -> Bool {
    guard document.nodes[id.index].name == .mi, document.attribute(.mathvariant, of: id) == nil,
      let sign = onlySign(of: id, in: document)
    else { return false }
    return MathAlphabet.italic.form(of: sign.value) != sign.value
  }

  /// `mstyle` or the formula says which letters an element is set in (MathML 3, section 3.3.4).
  private static func takesVariant(_ id: NodeID, in document: Document) -> Bool {
    var ancestor = document.nodes[id.index].parent
    for _ in 0..<mostLevels {
      guard !ancestor.isNone, document.nodes[ancestor.index].namespace == .mathML else { return false }
      switch document.nodes[ancestor.index].name {
      case .mstyle, .math: if document.attribute(.mathvariant, of: ancestor) != nil { return true }
      default: break
      }
      ancestor = document.nodes[ancestor.index].parent
    }
    return false
  }

  /// The line of the fraction leans.
  package static func isBevelled(_ id: NodeID, in document: Document) -> Bool {
    document.drawingAttribute("bevelled", of: id)?.trimmedLowercase == "true" && count(of: id, document) == 2
  }

  /// The number of parts of an element, four for more.
  package static func count(of parent: NodeID, _ document: Document) -> Int {
    var count = 0
    for child in document.children(of: parent) where document.nodes[child.index].kind == .element {
      count += 1
      if count > 3 { break }
    }
    return count
  }

  /// The element is so deep in its formula that its parts are no boxes of their own any more: no reader can tell them apart.
  package static func isTooDeep(_ id: NodeID, in document: Document) -> Bool {
    var ancestor = id
    for _ in 0..<mostLevels {
      ancestor = document.nodes[ancestor.index].parent
      if ancestor.isNone || document.nodes[ancestor.index].namespace != .mathML { return false }
    }
    return true
  }
  private static let mostLevels = 32

  // MARK: Accents

  /// A script under or over its base is an accent: as the element says, or as the operator that it is does where `infersAccents`
  /// (MathML 3, section 3.4.5).
  package static func isAccent(_ script: NodeID, of parent: NodeID, in document: Document, infersAccents: Bool) -> Bool
  {
    if let value = document.attributeValue(accentName(of: script, parent, document), of: parent)?.trimmedLowercase {
      return value == "true"
    }
    return infersAccents && isInferredAccent(script, of: parent, in: document)
  }

  private static func accentName(of script: NodeID, _ parent: NodeID, _ document: Document) -> Atom {
    let isUnder = document.nodes[parent.index].name != .mover && place(of: script, among: parent, document) == 2
    return isUnder ? .accentunder : .accent
  }

  private static func isInferredAccent(_ script: NodeID, of parent: NodeID, in document: Document) -> Bool {
    switch document.nodes[parent.index].name {
    case .munder, .mover, .munderover: break
    default: return false
    }
    guard firstElement(of: parent, document) != script, let core = OperatorSpacing.core(of: script, in: document),
      document.attribute(accentName(of: script, parent, document), of: parent) == nil
    else { return false }
    if let value = document.attributeValue(.accent, of: core)?.trimmedLowercase { return value == "true" }
    let content = MathOperator.content(of: core, in: document)
    return content.count == 1 && isAccent(content[0])
  }

  /// Signs that are accents by nature (MathML 3, appendix C, `accent`).
  private static func isAccent(_ sign: UInt32) -> Bool {
    switch sign {
    case 0x5E...0x60, 0x7E, 0xA8, 0xAF, 0xB4, 0xB8, 0x2C6...0x2DD, 0x2F7, 0x300...0x36F, 0x203E, 0x2190, 0x2192, 0x2194,
      0x21BC, 0x21BD, 0x21C0, 0x21C1, 0x20D0...0x20F0, 0x23B4, 0x23B5, 0x23DC...0x23E1:
      true
    default: false
    }
  }

  // MARK: Lengths

  /// The value of an attribute that is a CSS length (MathML Core, section 2.1.5), in lower case; nil for percentages and where it is
  /// none.
  static func length(_ name: Atom, of id: NodeID, in document: Document) -> String? {
    document.attributeValue(name, of: id).flatMap { length($0) }
  }

  static func length(_ value: String, allowsPercentage: Bool = false) -> String? {
    let text = value.trimmedLowercase
    guard let length = MathLength(text), length.unit != nil || length.value == 0,
      allowsPercentage || length.length?.isPercentage != true
    else { return nil }
    return length.value == 0 && length.unit == nil ? "0px" : text
  }

  // MARK: Places

  /// The place of a child among the elements of its parent, from 1.
  static func place(of id: NodeID, among parent: NodeID, _ document: Document) -> Int {
    var number = 1
    var sibling = document.nodes[parent.index].firstChild
    // No formula has more parts.
    while sibling != id, !sibling.isNone, number < 1000 {
      if document.nodes[sibling.index].kind == .element { number += 1 }
      sibling = document.nodes[sibling.index].nextSibling
    }
    return number
  }

  package static func firstElement(of parent: NodeID, _ document: Document) -> NodeID? {
    document.children(of: parent).first { document.nodes[$0.index].kind == .element }
  }

  /// The first characters of an element's text.
  static func text(of id: NodeID, _ document: Document) -> String {
    var text = ""
    for index in id.index..<min(document.nodes[id.index].subtreeEnd.index, id.index + 64, document.nodes.count)
    where document.nodes[index].kind == .text && document.nodes[index].range.count < 64 {
      text += document.string(document.nodes[index].range)
    }
    return text
  }

  /// The only character of an element beside white space.
  private static func onlySign(of id: NodeID, in document: Document) -> Unicode.Scalar? {
    let child = document.nodes[id.index].firstChild
    guard !child.isNone, document.nodes[child.index].nextSibling.isNone, document.nodes[child.index].kind == .text
    else {
      return nil
    }
    let range = document.nodes[child.index].range
    guard range.count <= 64 else { return nil }
    var only: Unicode.Scalar?
    for scalar in document.string(range).unicodeScalars where !scalar.properties.isWhitespace {
      guard only == nil else { return nil }
      only = scalar
    }
    return only
  }
}
