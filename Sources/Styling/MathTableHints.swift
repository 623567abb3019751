import Markup
import Primitives

/// The attributes of tables in formulas as declarations (MathML 3, section 3.5).
enum MathTableHints {
  // MARK: Tables

  static func css(ofTable id: NodeID, in document: Document) -> String {
    var css = ""
    if let width = document.attributeValue(.width, of: id),
      let length = FormulaHints.length(width, allowsPercentage: true)
    {
      css += "width:\(length);"
    }
    if let style = line(document.drawingAttribute("frame", of: id)) {
      css += "border:\(style);"
      let spacing = words(document.drawingAttribute("framespacing", of: id)).compactMap { FormulaHints.length($0) }
      if let inline = spacing.first { css += "padding:\(spacing.count > 1 ? spacing[1] : inline) \(inline);" }
    }
    return css
  }

  /// The table is all of its formula, and the formula all of its paragraph.
  static func standsAlone(_ table: NodeID, in document: Document) -> Bool {
    var node = table
    repeat {
      let parent = document.nodes[node.index].parent
      guard !parent.isNone, isOnlyContent(node, of: parent, in: document) else { return false }
      // No row, nor anything else of a formula, lies between it and its `math`.
      if node == table, document.nodes[parent.index].name != .math { return false }
      node = parent
    } while document.placement(of: node) == .inline
    return true
  }

  /// Beside the child there is white space at most.
  private static func isOnlyContent(_ child: NodeID, of parent: NodeID, in document: Document) -> Bool {
    for other in document.children(of: parent) where other != child {
      guard document.nodes[other.index].kind == .text, document.isBlank(other) else { return false }
    }
    return true
  }

  /// A rule of one px; nil for none.
  private static func line(_ value: String?) -> String? {
    switch value?.trimmedLowercase {
    case "solid": "1px solid"
    case "dashed": "1px dashed"
    default: nil
    }
  }

  private static func words(_ value: String?) -> [String] {
    value?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
  }

  // MARK: Cells

  /// A cell and its place in the table, from 0.
  private struct Place {
    var cell: NodeID
    var row: NodeID
    var table: NodeID
    var column: Int
    var rowNumber: Int
    var isLastColumn: Bool
    var isLastRow: Bool
  }

  static func css(ofCell id: NodeID, in document: Document) -> String {
    let row = document.nodes[id.index].parent
    guard !row.isNone, document.nodes[row.index].namespace == .mathML else { return "" }
    let table = document.nodes[row.index].parent
    guard !table.isNone, document.nodes[table.index].namespace == .mathML else {
      return alignment(id, row, nil, document)
    }
    var css = alignment(id, row, table, document)
    let names = ["columnlines", "rowlines", "columnspacing", "rowspacing", "columnwidth"]
    let values = names.map { words(document.drawingAttribute($0, of: table)) }
    guard values.contains(where: { !$0.isEmpty }) else { return css }
    let place = Place(
      cell: id, row: row, table: table, column: FormulaHints.place(of: id, among: row, document) - 1,
      rowNumber: FormulaHints.place(of: row, among: table, document) - 1,
      isLastColumn: !hasElement(after: id, document), isLastRow: !hasElement(after: row, document))
    if !place.isLastColumn, let line = line(entry(values[0], place.column)) { css += "border-right:\(line);" }
    if !place.isLastRow, let line = line(entry(values[1], place.rowNumber)) { css += "border-bottom:\(line);" }
    css += spacing(values[2], "left", "right", place.column, place.isLastColumn)
    css += spacing(values[3], "top", "bottom", place.rowNumber, place.isLastRow)
    if let width = entry(values[4], place.column), let length = FormulaHints.length(width, allowsPercentage: true) {
      css += "width:\(length);"
    }
    return css
  }

  /// The entry of a list for a column or row: the last goes for those that are left.
  private static func entry(_ list: [String], _ index: Int) -> String? { index < list.count ? list[index] : list.last }

  /// The room between columns or rows, half of it in each of their cells.
  private static func spacing(_ list: [String], _ start: String, _ end: String, _ index: Int, _ isLast: Bool) -> String
  {
    guard !list.isEmpty else { return "" }
    var css = ""
    if index > 0, let room = entry(list, index - 1).flatMap({ FormulaHints.length($0) }) {
      css += "padding-\(start):calc(\(room) / 2);"
    }
    if !isLast, let room = entry(list, index).flatMap({ FormulaHints.length($0) }) {
      css += "padding-\(end):calc(\(room) / 2);"
    }
    return css
  }

  private static func hasElement(after id: NodeID, _ document: Document) -> Bool {
    var sibling = document.nodes[id.index].nextSibling
    while !sibling.isNone {
      if document.nodes[sibling.index].kind == .element { return true }
      sibling = document.nodes[sibling.index].nextSibling
    }
    return false
  }

  /// `columnalign` and `rowalign` of a cell: its own, or those that its row or table names for its column and row.
  private static func alignment(_ cell: NodeID, _ row: NodeID, _ table: NodeID?, _ document: Document) -> String {
    var css = ""
    for (holder, reachesColumns) in [(cell, false), (row, true)] + (table.map { [($0, true)] } ?? []) {
      guard let value = document.attributeValue(.columnalign, of: holder) else { continue }
      let list = words(value)
      let column = reachesColumns && list.count > 1 ? FormulaHints.place(of: cell, among: row, document) - 1 : 0
      if let word = entry(list, column), ["left", "center", "right"].contains(word) { css += "text-align:\(word);" }
      break
    }
    for (holder, isTable) in [(cell, false), (row, false)] + (table.map { [($0, true)] } ?? []) {
      guard let value = document.attributeValue(.rowalign, of: holder), let table else { continue }
      let list = words(value)
      let number = isTable && list.count > 1 ? FormulaHints.place(of: row, among: table, document) - 1 : 0
      switch entry(list, number) {
      case "top": css += "vertical-align:top;"
      case "bottom": css += "vertical-align:bottom;"
      case "center", "axis": css += "vertical-align:middle;"
      case "baseline": css += "vertical-align:baseline;"
      default: break
      }
      break
    }
    return css
  }
}
