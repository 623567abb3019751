import CSS
package import Markup
package import Primitives

/// Presentational hints by the place of an element in its formula, and by its text: what the user agent's sheet of
/// MathML Core says (appendix A), with fractions, roots and limits as boxes of CSS.
package enum FormulaHints {
  /// Declarations; empty for most elements.
  ///
  /// - Parameters:
  ///   - around: The `math-style` of the parent.
  ///   - isTight: Nothing stands between scripts and what follows.
  static func css(for id: NodeID, in document: Document, around: MathStyle, isTight: Bool) -> String {
    let node = document.nodes[id.index]
    let own = mathStyle(of: id, in: node.parent, document)
    let isDisplayed = (own ?? around) == .normal
    var css = own.map { $0 == .normal ? "math-style:normal;" : "math-style:compact;" } ?? ""
    switch node.name {
    case .mi:
      if isItalicLetter(id, in: document) { css += "text-transform:math-auto;" }
    case .mo:
      if let sign = onlySign(of: id, in: document), isLarge(sign), isDisplayed {
        css += "font-size:1.4em;"
      }
    case .mspace: css += space(id, in: document)
    case .mfrac where isFraction(id, in: document):
      css += "display:inline-flex;flex-direction:column;text-align:center;line-height:normal;padding-inline:1px;"
    case .munder, .mover, .munderover:
      if isStacked(id, in: document, isDisplayed: isDisplayed) {
        css += "display:inline-flex;flex-direction:column;text-align:center;line-height:normal;"
      }
    case .mtd:
      if let alignment = alignment(of: id, in: document) { css += "text-align:\(alignment);" }
    default: break
    }
    css += OperatorSpacing.css(for: id, in: document, isDisplayed: isDisplayed)
    let parent = node.parent
    guard !parent.isNone, document.nodes[parent.index].namespace == .mathML else { return css }
    if !isTight { css += spaceAfter(id, in: parent, document) }
    // The element's own line height goes before that of a script.
    return place(of: id, in: parent, document, isDisplayed: around == .normal) + css
  }

  /// A single letter that has an italic form of its own in Unicode is set in italics (MathML Core, section 4.2).
  private static func isItalicLetter(_ id: NodeID, in document: Document) -> Bool {
    guard document.nodes[id.index].name == .mi, document.attribute(.mathvariant, of: id) == nil,
      let sign = onlySign(of: id, in: document)
    else { return false }
    return MathItalic.form(of: sign.value) != sign.value
  }

  /// The element's base leans into its superscript.
  private static func isItalic(_ id: NodeID, _ document: Document) -> Bool {
    firstElement(of: id, document).map { isItalicLetter($0, in: document) } ?? false
  }

  /// The element has the two parts of a fraction; others are rows (MathML Core, section 3.3.2).
  package static func isFraction(_ id: NodeID, in document: Document) -> Bool {
    count(of: id, document) == 2 && !isTooDeep(id, in: document)
  }

  /// The number of parts of an element, three for more.
  static func count(of parent: NodeID, _ document: Document) -> Int {
    var count = 0
    for child in document.children(of: parent) where document.nodes[child.index].kind == .element {
      count += 1
      if count > 2 { break }
    }
    return count
  }

  /// The box of `mspace`, which stands on the baseline by its height (MathML Core, section 3.2.5).
  private static func space(_ id: NodeID, in document: Document) -> String {
    func side(_ name: Atom) -> String { length(name, of: id, in: document) ?? "0px" }
    let depth = side(.depth)
    // Alone in a cell it makes room without a line of text around it.
    let parent = document.nodes[id.index].parent
    if document.nodes[parent.index].name == .mtd, count(of: parent, document) == 1 {
      return "display:block;width:\(side(.width));height:calc(\(side(.height)) + \(depth));margin-inline:auto;"
    }
    return "display:inline-block;width:\(side(.width));height:calc(\(side(.height)) + \(depth));"
      + "vertical-align:calc(-1 * \(depth));"
  }

  /// The value of an attribute that is a CSS length (MathML Core, section 2.1.5); nil for percentages and where it is none.
  static func length(_ name: Atom, of id: NodeID, in document: Document) -> String? {
    guard let value = document.attributeValue(name, of: id) else { return nil }
    let text = value.trimmedLowercase
    let end = text.utf8.firstIndex {
      !("0"..."9").contains(Unicode.Scalar($0)) && $0 != 0x2B && $0 != 0x2D && $0 != 0x2E
    }
    guard let size = Float(text[..<(end ?? text.endIndex)]), size.isFinite else { return nil }
    guard let end else { return size == 0 ? "0px" : nil }
    return lengthUnits.contains(text[end...]) ? text : nil
  }
  private static let lengthUnits: [Substring] = [
    "em", "px", "ex", "rem", "ch", "ic", "cm", "mm", "q", "in", "pt", "pc", "vw", "vh", "vmin", "vmax",
  ]

  private static let lower = "vertical-align:sub;font-size:71%;line-height:0;"
  private static let upper = "vertical-align:super;font-size:71%;line-height:0;"

  /// The space after a script, in its own size: a quarter of the base's x-height, which is about what browsers leave (MathML Core,
  /// section 3.4.1.2).
  private static func spaceAfter(_ id: NodeID, in parent: NodeID, _ document: Document) -> String {
    switch document.nodes[parent.index].name {
    case .msub, .msup, .msubsup, .mmultiscripts:
      firstElement(of: parent, document) == id ? "" : "margin-inline-end:0.352ex;"
    default: ""
    }
  }

  /// A script of a base that has both: they stand in one box, which places them. The lower one of an integral stands at its foot,
  /// which is left of its head.
  ///
  /// - Parameter precedes: `true` if it stands before the base.
  private static func script(
    _ isUpper: Bool, of parent: NodeID, _ document: Document, isDisplayed: Bool, precedes: Bool = false
  ) -> String {
    let base = firstElement(of: parent, document)
    let sign = base.flatMap { onlySign(of: $0, in: document) }
    let isLargeBase = isDisplayed && sign.map { isLarge($0) } ?? false
    var space = isUpper && !precedes && isItalic(parent, document) ? 0.08 : 0
    if !isUpper, !precedes, let sign, isIntegral(sign) { space = isLargeBase ? -0.6 : -0.3 }
    let box = isTooDeep(parent, in: document) ? "" : "display:inline-block;"
    return "font-size:71%;line-height:normal;" + box
      + (space != 0 ? "margin-inline-start:\(space)em;" : "") + (precedes ? "text-align:end;" : "")
  }

  /// Declarations for a certain child of its parent.
  ///
  /// - Parameter isDisplayed: Of the parent.
  private static func place(of id: NodeID, in parent: NodeID, _ document: Document, isDisplayed: Bool) -> String {
    let name = document.nodes[parent.index].name
    switch name {
    case .mfrac, .mroot, .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts: break
    default: return ""
    }
    let number = place(of: id, among: parent, document)
    switch (name, number) {
    case (.mfrac, _): return partOfFraction(number, parent, document, isDisplayed: isDisplayed)
    case (.mroot, 2): return "vertical-align:1.1em;font-size:55%;line-height:0;margin-inline:0.2em -0.75em;"
    case (.munder, _), (.mover, _), (.munderover, _):
      let isUnder = number == 2 && name != .mover
      guard isStacked(parent, in: document, isDisplayed: isDisplayed) else {
        if number == 1 { return "" }
        if name == .munderover { return script(!isUnder, of: parent, document, isDisplayed: isDisplayed) }
        return isUnder ? lower : upper
      }
      if number == 1 { return base(of: parent, document) }
      return isUnder ? underscript(id, parent, document) : overscript(id, parent, document)
    case (.msub, 2): return lower
    case (.msup, 2): return upper + (isItalic(parent, document) ? "margin-inline-start:0.08em;" : "")
    case (.msubsup, 2...3): return script(number == 3, of: parent, document, isDisplayed: isDisplayed)
    case (.mmultiscripts, 2...):
      let separator = document.children(of: parent).first { document.nodes[$0.index].name == .mprescripts }
      guard let separator, separator.index <= id.index else {
        return script(number % 2 == 1, of: parent, document, isDisplayed: isDisplayed)
      }
      let before = number - place(of: separator, among: parent, document)
      return before == 0 ? "" : script(before % 2 == 0, of: parent, document, isDisplayed: isDisplayed, precedes: true)
    default: return ""
    }
  }

  /// The element is so deep in its formula that its parts are no boxes of their own any more: no reader can tell them
  /// apart, and their sizes would be measured again and again.
  package static func isTooDeep(_ id: NodeID, in document: Document) -> Bool {
    var ancestor = id
    for _ in 0..<mostLevels {
      ancestor = document.nodes[ancestor.index].parent
      if ancestor.isNone || document.nodes[ancestor.index].namespace != .mathML { return false }
    }
    return true
  }
  private static let mostLevels = 32

  // MARK: Fractions

  private static func partOfFraction(
    _ number: Int, _ fraction: NodeID, _ document: Document, isDisplayed: Bool
  ) -> String {
    guard isFraction(fraction, in: document) else { return "" }
    let css = isDisplayed ? "" : "font-size:71%;"
    let thickness = document.attributeValue(.linethickness, of: fraction) ?? ""
    let hasNoBar = thickness.first == "0" && thickness.allSatisfy { !("1"..."9").contains($0) }
    if hasNoBar { return css }
    return css + (number == 1 ? "border-bottom:0.06em solid;padding-bottom:0.05em;" : "padding-top:0.05em;")
  }

  /// The `math-style` that an element gives itself: by its attributes, or as a part of a fraction, a script or a limit (MathML
  /// Core, sections 2.1.6 and appendix A).
  private static func mathStyle(of id: NodeID, in parent: NodeID, _ document: Document) -> MathStyle? {
    switch document.attributeValue(.displaystyle, of: id)?.trimmedLowercase {
    case "true": return .normal
    case "false": return .compact
    default: break
    }
    guard !parent.isNone else { return nil }
    switch document.nodes[parent.index].name {
    case .mfrac: return .compact
    case .mroot, .msub, .msup, .msubsup, .munder, .mover, .munderover, .mmultiscripts:
      return firstElement(of: parent, document) == id ? nil : .compact
    default: return nil
    }
  }

  // MARK: Tables

  /// `columnalign` of a cell: its own, or the one of its column that its row or table names; the last of a list goes for the
  /// columns that are left (MathML 3, section 3.5.1).
  private static func alignment(of cell: NodeID, in document: Document) -> String? {
    let row = document.nodes[cell.index].parent
    guard !row.isNone else { return nil }
    for holder in [cell, row, document.nodes[row.index].parent]
    where !holder.isNone && document.nodes[holder.index].namespace == .mathML {
      guard let value = document.attributeValue(.columnalign, of: holder) else { continue }
      if alignments.contains(value) { return value }
      let columns = value.split(whereSeparator: \.isWhitespace)
      guard let last = columns.last else { continue }
      let column = holder == cell || columns.count == 1 ? 0 : place(of: cell, among: row, document) - 1
      let word = column < columns.count ? columns[column] : last
      return alignments.contains(String(word)) ? String(word) : nil
    }
    return nil
  }
  private static let alignments = ["left", "center", "right"]

  // MARK: Limits and accents

  /// Scripts under and over the element are set there: not beside an operator with limits in a line of text.
  private static func isStacked(_ id: NodeID, in document: Document, isDisplayed: Bool) -> Bool {
    guard !isTooDeep(id, in: document) else { return false }
    guard let first = firstElement(of: id, document), document.nodes[first.index].name == .mo else { return true }
    return isDisplayed || !hasMovableLimits(first, in: document)
  }

  /// The limits of an operator become its scripts in a line of text: as it says, or as it is one of the large ones.
  private static func hasMovableLimits(_ id: NodeID, in document: Document) -> Bool {
    if let value = document.attributeValue(.movablelimits, of: id) { return value == "true" }
    return onlySign(of: id, in: document).map { isLarge($0) } ?? false
  }

  private static func base(of parent: NodeID, _ document: Document) -> String {
    let isOperator = firstElement(of: parent, document).map { OperatorSpacing.isOperator($0, in: document) } ?? false
    var css = isOperator ? "line-height:1;" : ""
    for child in document.children(of: parent).dropFirst() {
      guard let sign = onlySign(of: child, in: document), isLine(sign) else { continue }
      let isUnder = place(of: child, among: parent, document) == 2 && document.nodes[parent.index].name != .mover
      css +=
        isUnder ? "border-bottom:0.06em solid;padding-bottom:0.05em;" : "border-top:0.06em solid;padding-top:0.05em;"
    }
    return css
  }

  /// The sign stays text that is found.
  private static let replacedByLine = "color:transparent;font-size:1px;line-height:0;height:0;"

  /// The font of a script under or over its base.
  private static let limit = "font-size:71%;line-height:normal;"
  /// The edges of a limit under or over a base, in em of the limit: words keep a little room above them, and all limits a line's
  /// thickness from a base that is no operator, and those over it as much from what stands above (MathML Core, section 3.4.2.2).
  private static func edges(of id: NodeID, _ parent: NodeID, isUnder: Bool, _ document: Document) -> String {
    let hasGap = !(firstElement(of: parent, document).map { OperatorSpacing.isOperator($0, in: document) } ?? false)
    let above: Float = (document.nodes[id.index].name == .mo ? 0 : 0.06) + (hasGap && !isUnder ? 0.07 : 0)
    return (above > 0 ? "padding-top:\(above)em;" : "") + (hasGap ? "margin-\(isUnder ? "top" : "bottom"):0.04em;" : "")
  }

  private static func underscript(_ id: NodeID, _ parent: NodeID, _ document: Document) -> String {
    if document.nodes[id.index].name == .mo, let sign = onlySign(of: id, in: document) {
      if isLine(sign) { return replacedByLine }
      if isBrace(sign) { return "line-height:0.6;" }
    }
    return limit + edges(of: id, parent, isUnder: true, document)
  }

  private static func overscript(_ id: NodeID, _ parent: NodeID, _ document: Document) -> String {
    if document.nodes[id.index].name == .mo, let sign = onlySign(of: id, in: document) {
      if isLine(sign) { return "order:-1;" + replacedByLine }
      if isBrace(sign) { return "order:-1;line-height:0.6;" }
      if let rise = rise(of: sign, over: parent, document) {
        // A line without height at the top of the base has its baseline 0.55 em above the base's.
        return "order:-1;height:0;line-height:0;margin-bottom:\(rise - 0.55)em;"
      }
    }
    return "order:-1;" + limit + edges(of: id, parent, isUnder: false, document)
  }

  /// The rise of an accent from its place as a letter to clear its base, in em; nil for what is no accent.
  private static func rise(of sign: Unicode.Scalar, over parent: NodeID, _ document: Document) -> Float? {
    let isArrow: Bool
    switch sign {
    case "^", "~", "`", "\u{A8}", "\u{B4}", "\u{2C6}"..."\u{2DD}", "\u{2D9}": isArrow = false
    case "\u{2190}"..."\u{2194}", "\u{21BC}"..."\u{21CC}", "\u{20D7}": isArrow = true
    default: return nil
    }
    guard let base = firstElement(of: parent, document) else { return nil }
    let isLow = text(of: base, document).unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || ("a"..."z").contains($0) && !"bdfhiklt".unicodeScalars.contains($0)
    }
    return (isLow ? 0.08 : 0.3) + (isArrow ? 0.3 : 0)
  }

  /// A line over or under the whole base.
  static func isLine(_ sign: Unicode.Scalar) -> Bool {
    switch sign {
    case "\u{AF}", "\u{203E}", "\u{2015}", "_", "\u{332}", "\u{305}", "\u{2C9}", "\u{2CD}": true
    default: false
    }
  }

  static func isBrace(_ sign: Unicode.Scalar) -> Bool { StretchySign(sign.value) == .brace }

  /// An operator that is larger in displayed formulas (MathML Core, operator dictionary, `largeop`).
  static func isLarge(_ sign: Unicode.Scalar) -> Bool {
    switch sign {
    case "\u{220F}"..."\u{2211}", "\u{222B}"..."\u{2233}", "\u{22C0}"..."\u{22C3}", "\u{2A00}"..."\u{2A1C}": true
    default: false
    }
  }

  private static func isIntegral(_ sign: Unicode.Scalar) -> Bool {
    ("\u{222B}"..."\u{2233}").contains(sign) || ("\u{2A0B}"..."\u{2A1C}").contains(sign)
  }

  // MARK: Places

  /// The place of a child among the elements of its parent, from 1.
  private static func place(of id: NodeID, among parent: NodeID, _ document: Document) -> Int {
    var number = 1
    var sibling = document.nodes[parent.index].firstChild
    // No formula has more parts.
    while sibling != id, !sibling.isNone, number < 1000 {
      if document.nodes[sibling.index].kind == .element { number += 1 }
      sibling = document.nodes[sibling.index].nextSibling
    }
    return number
  }

  static func firstElement(of parent: NodeID, _ document: Document) -> NodeID? {
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
  static func onlySign(of id: NodeID, in document: Document) -> Unicode.Scalar? {
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
