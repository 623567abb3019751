package import CSS
import Markup
import Primitives

/// The style attributes of HTML that are older than CSS, as declarations of the author's sheet with no specificity
/// (HTML, section 15; CSS Cascade 4, section 6.5). Each distinct attribute is translated once.
package struct PresentationalHints {
  private struct Key: Hashable {
    var element: Atom
    var attribute: Atom
    var value: String
  }
  private var known: [Key: Range<Int32>?] = [:]

  /// Appends the blocks of an element's attributes to `blocks`, and new declarations to `declarations`.
  mutating func collect(
    for id: NodeID, in document: Document, declarations: inout [TypedDeclaration], into blocks: inout [Range<Int32>]
  ) {
    let node = document.nodes[id.index]
    let isHTML = node.namespace == .html
    var language: (Atom, Range<UInt32>)?
    if !node.range.isEmpty {
      for index in node.range {
        let attribute = document.attributes[Int(index)]
        let name = attribute.name
        if name == .xmlLang || (name == .lang && language?.0 != .xmlLang) {
          language = (name, attribute.value)
        } else if isHTML
          ? Self.isHint(name) && !(node.name == .table && name == .border)
          : Self.isForeignHint(name) || (node.namespace == .svg && Self.isDrawingHint(name))
        {
          add(node.name, name, document.string(attribute.value), node.namespace, &declarations, &blocks)
        }
      }
      if let language { add(.none, .lang, document.string(language.1), .html, &declarations, &blocks) }
    }
    guard isHTML else { return }
    let tableHints = Self.tableHints(on: node.name)
    if !tableHints.isEmpty, let table = node.name == .table ? id : tableAncestor(of: id, in: document) {
      for name in tableHints {
        if let value = document.attributeValue(name, of: table) {
          add(node.name == .th ? .td : node.name, name, value, .html, &declarations, &blocks)
        }
      }
    }
    if node.name == .a, let body = Self.body(of: document), let value = document.attributeValue(.link, of: body),
      document.attribute(.href, of: id) != nil
    {
      add(.a, .link, value, .html, &declarations, &blocks)
    }
    let direction = document.attributeValue(.dir, of: id)?.lowercased()
    if direction == "auto" || (node.name == .bdi && direction != "ltr" && direction != "rtl") {
      let isRTL = document.firstStrongIsRTL(of: id)
      add(.none, .dir, isRTL ? "rtl" : "ltr", .html, &declarations, &blocks)
    }
  }

  /// Appends the hint of an element's place in its formula.
  mutating func add(
    formula css: String, declarations: inout [TypedDeclaration], into blocks: inout [Range<Int32>]
  ) {
    if !css.isEmpty { add(.math, .style, css, .mathML, &declarations, &blocks) }
  }

  private mutating func add(
    _ element: Atom, _ attribute: Atom, _ value: String, _ namespace: Namespace,
    _ declarations: inout [TypedDeclaration], _ blocks: inout [Range<Int32>]
  ) {
    let key = Key(element: element, attribute: attribute, value: value)
    if let range = known[key] {
      if let range { blocks.append(range) }
      return
    }
    var made: [TypedDeclaration]
    if element == .none, attribute == .lang {
      made = [TypedDeclaration(.text(.xLanguage), .string(value.lowercased()))]
    } else if attribute == .face {
      made = Self.parse("font-family", value)
    } else {
      let text =
        namespace == .html
        ? Self.css(element, attribute, value) : Self.foreignCSS(element, attribute, value)
      made = text.map { TypedStylesheet.declarations($0) } ?? []
    }
    made = made.map { TypedDeclaration($0.property, $0.value) }
    let start = Int32(declarations.count)
    declarations += made
    let range = made.isEmpty ? nil : start..<Int32(declarations.count)
    known.updateValue(range, forKey: key)
    if let range { blocks.append(range) }
  }

  /// The position that an attribute of a drawing gives to a property; lengths may lack their unit there (SVG 2, section 6.2).
  package static func position(_ value: String, of property: String) -> PositionValue? {
    let parts = value.split { $0.isWhitespace || $0 == "," }.map { Double($0) == nil ? String($0) : $0 + "px" }
    switch parse(property, parts.joined(separator: " ")).first?.value {
    case .position(let position), .transformOrigin(let position, _): return position
    default: return nil
    }
  }

  /// The shape that an attribute `clip-path` names.
  package static func clipPath(_ value: String) -> ClipPath? {
    guard case .clipPath(let clip)? = parse("clip-path", value).first?.value else { return nil }
    return clip
  }

  private static func parse(_ property: String, _ value: String) -> [TypedDeclaration] {
    guard let place = PropertyTable.standard.place(of: property) else { return [] }
    var parser = ValueParser(TokenCursor(TokenBuffer(tokenizing: Array(value.utf8)[...])), context: ValueContext())
    return PropertyTable.standard.parse(place, &parser)?.map { TypedDeclaration($0.0, $0.1) } ?? []
  }

  private func tableAncestor(of id: NodeID, in document: Document) -> NodeID? {
    var ancestor = document.nodes[id.index].parent
    for _ in 0..<4 {
      guard !ancestor.isNone else { return nil }
      if document.isElement(ancestor, .table) { return ancestor }
      ancestor = document.nodes[ancestor.index].parent
    }
    return nil
  }

  static func body(of document: Document) -> NodeID? {
    let root = document.root
    guard !root.isNone else { return nil }
    return document.children(of: root).first { document.isElement($0, .body) }
  }

  /// Attributes that may be hints on some element.
  private static func isHint(_ name: Atom) -> Bool {
    switch name {
    case .width, .height, .align, .valign, .bgcolor, .color, .face, .size, .border, .cellspacing, .cellpadding, .type,
      .nowrap, .background, .hspace, .vspace, .clear, .noshade, .text, .compact:
      return true
    default: return false
    }
  }

  /// Attributes of a table that are hints on it or on a part of it, in the order of the rules that HTML, section
  /// 15.3.10, has for them: the last one wins, wherever the attributes stand.
  private static func tableHints(on element: Atom) -> [Atom] {
    switch element {
    case .table: [.rules, .border, .frame]
    case .td, .th: [.cellpadding, .border, .rules]
    case .tr, .thead, .tbody, .tfoot, .colgroup: [.rules]
    default: []
    }
  }
  private static func isForeignHint(_ name: Atom) -> Bool {
    switch name {
    case .width, .height, .dir, .mathcolor, .mathbackground, .mathsize, .mathvariant: true
    default: false
    }
  }

  /// Presentation attributes of SVG that decide the glyphs of its texts, or what `currentcolor` is (SVG 2, section 6.6).
  private static func isDrawingHint(_ name: Atom) -> Bool {
    switch name {
    case .fontFamily, .fontSize, .fontStyle, .fontWeight, .fontVariant, .fontStretch, .letterSpacing, .wordSpacing,
      .direction, .color:
      true
    default: false
    }
  }

  private static func foreignCSS(_ element: Atom, _ attribute: Atom, _ value: String) -> String? {
    let isPlain = value.utf8.allSatisfy { $0 != 0x3B && $0 != 0x7B && $0 != 0x7D }
    // The hint of the element's place in its formula, made by the engine.
    if (element, attribute) == (.math, .style) { return value }
    guard isPlain else { return nil }
    switch (element, attribute) {
    case (.svg, .width): return "width:" + lengthWithUnit(value)
    case (.svg, .height): return "height:" + lengthWithUnit(value)
    case (_, .fontSize), (_, .letterSpacing), (_, .wordSpacing):
      return Atom.staticNames[Int(attribute.rawValue)] + ":" + lengthWithUnit(value)
    case (_, .fontFamily), (_, .fontStyle), (_, .fontWeight), (_, .fontVariant), (_, .fontStretch), (_, .direction):
      return Atom.staticNames[Int(attribute.rawValue)] + ":" + value
    case (_, .color): return "color:" + value
    case (_, .mathcolor): return "color:" + value
    case (_, .mathbackground): return "background-color:" + value
    case (_, .mathsize): return "font-size:" + mathSize(value)
    case (_, .dir):
      let direction = value.trimmedLowercase
      return direction == "ltr" || direction == "rtl" ? "direction:" + direction : nil
    case (_, .mathvariant):
      switch value.trimmedLowercase {
      case "normal": return "text-transform:none"
      case "italic": return "font-style:italic;text-transform:none"
      case "bold": return "font-weight:bold;text-transform:none"
      case "bold-italic": return "font-style:italic;font-weight:bold;text-transform:none"
      default: return MathAlphabet(name: value).map { "text-transform:-internal-\($0.name)" }
      }
    default: return nil
    }
  }
  /// `mathsize` with the words of MathML 3, section 3.2.2.
  private static func mathSize(_ value: String) -> String {
    switch value.trimmedLowercase {
    case "small": "71%"
    case "normal": "100%"
    case "big": "141%"
    default: value
    }
  }
  /// SVG lengths need no unit.
  private static func lengthWithUnit(_ value: String) -> String {
    let isNumber = !value.isEmpty && value.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E || $0 == 0x2D }
    return isNumber ? value + "px" : value
  }

  // MARK: HTML

  private static func css(_ element: Atom, _ attribute: Atom, _ value: String) -> String? {
    switch attribute {
    case .width, .height: return dimension(element, attribute, value)
    case .align: return alignment(element, value.trimmedLowercase)
    case .valign: return verticalAlignment(element, value.trimmedLowercase)
    case .bgcolor:
      guard isTablePart(element) || element == .body || element == .table || element == .marquee else { return nil }
      return legacyColor(value).map { "background-color:\($0)" }
    case .background:
      guard isTablePart(element) || element == .body || element == .table else { return nil }
      return value.isEmpty ? nil : "background-image:url(\(quoted(value)))"
    case .text: return element == .body ? legacyColor(value).map { "color:\($0)" } : nil
    case .link: return legacyColor(value).map { "color:\($0)" }
    case .dir: return "direction:\(value)"
    case .color:
      switch element {
      case .font: return legacyColor(value).map { "color:\($0)" }
      case .hr:
        return legacyColor(value).map { "color:\($0);border-style:solid;border-color:\($0);background-color:\($0)" }
      default: return nil
      }
    case .size: return sizeHint(element, value)
    case .border: return borderHint(element, value)
    case .cellspacing: return element == .table ? integer(value).map { "border-spacing:\($0)px" } : nil
    case .cellpadding: return element == .td ? integer(value).map { "padding:\($0)px" } : nil
    case .rules: return rulesHint(element, value.trimmedLowercase)
    case .frame: return frameHint(element, value.trimmedLowercase)
    case .type: return listType(element, value)
    case .nowrap: return element == .td || element == .th ? "white-space:nowrap" : nil
    case .hspace, .vspace:
      guard [.img, .object, .embed, .iframe, .applet, .marquee, .table].contains(element), let length = length(value)
      else {
        return nil
      }
      return attribute == .hspace
        ? "margin-left:\(length);margin-right:\(length)" : "margin-top:\(length);margin-bottom:\(length)"
    case .clear:
      guard element == .br else { return nil }
      switch value.trimmedLowercase {
      case "left": return "clear:left"
      case "right": return "clear:right"
      case "all", "both": return "clear:both"
      default: return nil
      }
    case .noshade:
      return element == .hr ? "border-style:solid;background-color:gray" : nil
    default: return nil
    }
  }

  private static func isTablePart(_ element: Atom) -> Bool {
    switch element {
    case .td, .th, .tr, .tbody, .thead, .tfoot, .col, .colgroup: true
    default: false
    }
  }

  private static func dimension(_ element: Atom, _ attribute: Atom, _ value: String) -> String? {
    let name = attribute == .width ? "width" : "height"
    switch element {
    case .img, .object, .embed, .iframe, .video, .canvas, .input, .marquee, .applet, .image:
      return length(value).map { "\(name):\($0)" }
    case .table, .td, .th:
      // Zero is ignored on cells and tables.
      return length(value).flatMap { $0 == "0px" || $0 == "0%" ? nil : "\(name):\($0)" }
    case .col, .colgroup, .hr: return attribute == .width ? length(value).map { "\(name):\($0)" } : nil
    case .tr, .tbody, .thead, .tfoot: return attribute == .height ? length(value).map { "\(name):\($0)" } : nil
    case .pre: return nil
    default: return nil
    }
  }

  private static func alignment(_ element: Atom, _ value: String) -> String? {
    switch element {
    case .p, .h1, .h2, .h3, .h4, .h5, .h6:
      return ["left", "right", "center", "justify"].contains(value) ? "text-align:\(value)" : nil
    case .div, .td, .th, .tr, .tbody, .thead, .tfoot:
      switch value {
      case "left", "right", "center": return "text-align:-webkit-\(value)"
      case "middle": return "text-align:-webkit-center"
      case "justify": return "text-align:justify"
      default: return nil
      }
    case .caption:
      return value == "bottom" || value == "top" ? "caption-side:\(value)" : nil
    case .legend: return ["left", "right", "center"].contains(value) ? "text-align:\(value)" : nil
    case .table:
      switch value {
      case "left", "right": return "float:\(value)"
      case "center", "middle": return "margin-left:auto;margin-right:auto"
      default: return nil
      }
    case .hr:
      switch value {
      case "left": return "margin-left:0;margin-right:auto"
      case "right": return "margin-left:auto;margin-right:0"
      case "center": return "margin-left:auto;margin-right:auto"
      default: return nil
      }
    case .img, .object, .embed, .iframe, .applet, .input, .image, .video:
      switch value {
      case "left", "right": return "float:\(value)"
      case "top": return "vertical-align:top"
      case "texttop": return "vertical-align:text-top"
      case "middle", "absmiddle", "abscenter", "center": return "vertical-align:middle"
      case "bottom", "baseline": return "vertical-align:baseline"
      case "absbottom": return "vertical-align:bottom"
      default: return nil
      }
    default: return nil
    }
  }

  private static func verticalAlignment(_ element: Atom, _ value: String) -> String? {
    guard isTablePart(element) else { return nil }
    switch value {
    case "top", "middle", "bottom", "baseline": return "vertical-align:\(value)"
    case "center": return "vertical-align:middle"
    default: return nil
    }
  }

  private static func sizeHint(_ element: Atom, _ value: String) -> String? {
    switch element {
    case .font:
      // HTML, section 15.3.3, "rules for parsing a legacy font size".
      var text = value.trimmedLowercase[...]
      let sign = text.first
      if sign == "+" || sign == "-" { text = text.dropFirst() }
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      guard var size = Int(digits.prefix(4)) else { return nil }
      if sign == "+" { size = 3 + size }
      if sign == "-" { size = 3 - size }
      let names = ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"]
      return "font-size:\(names[max(1, min(7, size)) - 1])"
    case .hr:
      guard let size = integer(value) else { return nil }
      return size <= 1 ? "border-bottom-width:0" : "height:\(min(size, 10_000) - 2)px"
    case .input: return nil
    default: return nil
    }
  }

  private static func borderHint(_ element: Atom, _ value: String) -> String? {
    switch element {
    case .table:
      let width = integer(value) ?? 1
      return "border:\(width)px outset"
    case .td:
      // Cells of a table with a border have thin ones of their own.
      return integer(value) == 0 ? nil : "border:1px inset"
    case .img, .object, .input, .embed, .iframe: return integer(value).map { "border:\($0)px solid" }
    default: return nil
    }
  }

  private static func rulesHint(_ element: Atom, _ value: String) -> String? {
    switch (element, value) {
    case (.table, "none"), (.table, "groups"), (.table, "rows"), (.table, "cols"), (.table, "all"):
      return "border-collapse:collapse;border-style:hidden"
    case (.td, "none"), (.td, "groups"), (.td, "rows"): return "border:1px none"
    case (.td, "cols"): return "border:1px none;border-inline-style:solid"
    case (.td, "all"): return "border:1px solid"
    case (.thead, "groups"), (.tbody, "groups"), (.tfoot, "groups"), (.tr, "rows"): return "border-block:1px solid"
    case (.colgroup, "groups"): return "border-inline:1px solid"
    default: return nil
    }
  }

  private static func frameHint(_ element: Atom, _ value: String) -> String? {
    guard element == .table else { return nil }
    switch value {
    case "void": return "border-style:hidden"
    case "above": return "border-style:outset hidden hidden"
    case "below": return "border-style:hidden hidden outset"
    case "hsides": return "border-style:outset hidden"
    case "lhs": return "border-style:hidden hidden hidden outset"
    case "rhs": return "border-style:hidden outset hidden hidden"
    case "vsides": return "border-style:hidden outset"
    case "box", "border": return "border-style:outset"
    default: return nil
    }
  }

  private static func listType(_ element: Atom, _ value: String) -> String? {
    guard [.ol, .ul, .li, .dir, .menu].contains(element) else { return nil }
    switch value {
    case "1": return "list-style-type:decimal"
    case "a": return "list-style-type:lower-alpha"
    case "A": return "list-style-type:upper-alpha"
    case "i": return "list-style-type:lower-roman"
    case "I": return "list-style-type:upper-roman"
    default:
      let name = value.trimmedLowercase
      return ["none", "disc", "circle", "square"].contains(name) ? "list-style-type:\(name)" : nil
    }
  }

  // MARK: Microsyntaxes of HTML, section 2.4

  /// A dimension value: px, or a percentage.
  static func length(_ value: String) -> String? {
    let text = value.trimmedLowercase
    let number = text.prefix { ($0 >= "0" && $0 <= "9") || $0 == "." }
    guard let first = number.first, first != ".", let parsed = Double(number.last == "." ? number.dropLast() : number),
      parsed <= 1e8
    else { return nil }
    let isPercentage = text.dropFirst(number.count).first == "%"
    return number + (number.last == "." ? "0" : "") + (isPercentage ? "%" : "px")
  }
  private static func integer(_ value: String) -> Int? {
    let text = value.trimmedLowercase
    let digits = text.prefix { $0 >= "0" && $0 <= "9" }
    return digits.isEmpty ? nil : Int(digits.prefix(6))
  }
  private static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      if scalar == "\n" { text += "\\a " } else { text.unicodeScalars.append(scalar) }
    }
    return text + "\""
  }

  /// A legacy colour value: a keyword, or whatever hexadecimal digits can be found.
  static func legacyColor(_ value: String) -> String? {
    let text = value.trimmedLowercase
    if text.isEmpty || text == "transparent" { return nil }
    if text.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }), parse("color", text).count == 1 { return text }
    if text.utf8.first == 0x23, text.utf8.count == 4 || text.utf8.count == 7, text.utf8.dropFirst().allSatisfy(isHex) {
      return text
    }
    var digits = Array(text.utf8.prefix(128))
    if digits.first == 0x23 { digits.removeFirst() }
    digits = digits.map { isHex($0) ? $0 : 0x30 }
    while digits.isEmpty || digits.count % 3 != 0 { digits.append(0x30) }
    var length = digits.count / 3
    var parts = (0..<3).map { Array(digits[$0 * length..<($0 + 1) * length]) }
    if length > 8 {
      parts = parts.map { Array($0.suffix(8)) }
      length = 8
    }
    while length > 2, parts.allSatisfy({ $0[0] == 0x30 }) {
      parts = parts.map { Array($0.dropFirst()) }
      length -= 1
    }
    parts = parts.map { part in part.count == 1 ? [0x30] + part : Array(part.prefix(2)) }
    return "#" + String(decoding: parts.joined(), as: UTF8.self)
  }
  private static func isHex(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
  }
}

extension String {
  /// Without white space at its ends, in lower case.
  var trimmedLowercase: String {
    let space: (UInt8) -> Bool = { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D && $0 != 0x0B) }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !space($0) }), let last = bytes.lastIndex(where: { !space($0) }) else {
      return ""
    }
    return String(decoding: bytes[first...last].map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension Document {
  /// The first character with a strong direction is a right-to-left one (HTML, section 3.2.6.4). Text of elements that
  /// set their own direction is passed over.
  func firstStrongIsRTL(of id: NodeID) -> Bool {
    let end = nodes[id.index].subtreeEnd
    var index = id.index + 1
    // A paragraph shows its direction early; a limit keeps nested elements from scanning the same text again and again.
    var budget = 1 << 16
    while index < end.index, budget > 0 {
      let node = nodes[index]
      if node.kind == .element {
        let skipsText =
          node.name == .bdi || node.name == .script || node.name == .style || node.name == .textarea
          || attribute(.dir, of: NodeID(index)) != nil
        if skipsText {
          index = max(index + 1, node.subtreeEnd.index)
          continue
        }
      } else if node.kind == .text {
        for scalar in String(decoding: bytes(node.range).prefix(budget), as: UTF8.self).unicodeScalars {
          budget -= 1
          if scalar.isStrongRTL { return true }
          if scalar.properties.isAlphabetic { return false }
        }
      }
      index += 1
    }
    return false
  }
}

extension Unicode.Scalar {
  /// The bidirectional class is R or AL, by block.
  var isStrongRTL: Bool {
    switch value {
    case 0x0590...0x08FF: properties.isAlphabetic || value == 0x200F
    case 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
