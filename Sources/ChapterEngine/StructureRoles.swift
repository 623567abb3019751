import BoxGeneration
import Markup
import PDFRendering
import Primitives
import Styling

/// The structure elements of a chapter's document (ISO 32000-1, section 14.8.4), made when something in them is shown.
struct StructureRoles: Sendable {
  let document: Document
  /// The element is the target of a link within the book or outside it.
  let isLinked: @Sendable (NodeID) -> Bool
  private(set) var structure: ChapterStructure
  private var known: [NodeID: StructureElementID] = [:]
  /// By text, and the element around it: the paragraph of text that stands in no element of its own.
  private var paragraphs: [Paragraph: StructureElementID] = [:]
  private var labels: [NodeID: StructureElementID] = [:]
  private var bases: [NodeID: StructureElementID] = [:]

  private struct Paragraph: Hashable {
    var text: TextID
    var parent: StructureElementID
  }

  /// - Parameter language: Of the chapter, where the book has another.
  init(document: Document, language: String?, isLinked: @escaping @Sendable (NodeID) -> Bool) {
    self.document = document
    self.isLinked = isLinked
    structure = ChapterStructure(language: language)
  }

  /// The element that text belongs to.
  ///
  /// - Parameter node: The innermost element around it.
  mutating func element(ofTextIn node: NodeID, text: TextID) -> StructureElementID {
    let element = element(of: node, text: text)
    return holdsText(element) || structure[element].type == .ruby ? element : paragraph(text, in: element)
  }

  /// The label of a list item, for its marker.
  mutating func label(of item: NodeID) -> StructureElementID {
    let body = element(of: item, text: .none)
    let parent = structure[body].type == .listBody ? structure[body].parent : body
    if structure[parent].type != .listItem { return paragraph(.none, in: parent) }
    if let known = labels[item] { return known }
    let made = structure.add(StructureElement(.label, in: parent))
    labels[item] = made
    return made
  }
  /// The figure that a picture is.
  ///
  /// - Parameters:
  ///   - alternative: The text that stands for it; nil where the book does not say.
  ///   - box: From the page's lower left corner.
  mutating func figure(_ node: NodeID, alternative: String?, box: Rect) -> StructureElementID {
    var figure = StructureElement(.figure, in: place(of: node))
    figure.node = node
    figure.alternative = alternative
    figure.box = box
    return structure.add(figure)
  }

  /// The element of a page break.
  mutating func pageBreak(_ node: NodeID) -> StructureElementID {
    var element = StructureElement(.span, in: place(of: node))
    element.node = node
    return structure.add(element)
  }

  /// The parent of a picture's structure element: pictures of lists and tables, too, need items and cells around them.
  private mutating func place(of node: NodeID) -> StructureElementID {
    let parent = document[node].parent
    let element = parent.isNone ? ChapterStructure.root : element(of: parent, text: .none)
    return valid(.figure, in: element)
  }

  /// The element of a link.
  mutating func link(_ node: NodeID) -> StructureElementID { element(of: node, text: .none) }

  // MARK: Elements

  private func holdsText(_ id: StructureElementID) -> Bool {
    switch structure[id].type {
    case .document, .section, .article, .division, .list, .listItem, .table, .tableRow, .tableHead, .tableBody,
      .tableFoot, .blockQuote, .note, .tableOfContents, .tableOfContentsItem, .ruby:
      false
    default: true
    }
  }

  private mutating func paragraph(_ text: TextID, in parent: StructureElementID) -> StructureElementID {
    let key = Paragraph(text: text, parent: parent)
    if let known = paragraphs[key] { return known }
    var element = StructureElement(.paragraph, in: valid(.paragraph, in: parent))
    element.text = text
    let made = structure.add(element)
    paragraphs[key] = made
    return made
  }

  /// The element that something may stand in: lists hold items only, tables rows, and rows cells.
  private mutating func valid(_ type: StructureType, in parent: StructureElementID) -> StructureElementID {
    switch structure[parent].type {
    case .list:
      if type == .listItem || type == .caption || type == .list { return parent }
      let item = structure.add(StructureElement(.listItem, in: parent))
      return structure.add(StructureElement(.listBody, in: item))
    case .listItem:
      return type == .label || type == .listBody ? parent : structure.add(StructureElement(.listBody, in: parent))
    case .table, .tableHead, .tableBody, .tableFoot, .tableRow:
      switch type {
      case .tableRow, .tableHead, .tableBody, .tableFoot, .caption, .tableDataCell, .tableHeaderCell: return parent
      default: return valid(type, in: structure[parent].parent)
      }
    default: return parent
    }
  }

  private mutating func element(of node: NodeID, text: TextID) -> StructureElementID {
    if node.isNone || node == Document.documentNode { return ChapterStructure.root }
    if let known = known[node] { return known }
    var around = element(of: document[node].parent, text: text)
    // A table around it has made its rows and cells.
    if let known = known[node] { return known }
    guard document[node].kind == .element, let type = type(of: node, in: around) else {
      // Not kept: what is inline in it may stand in paragraphs of several texts.
      known[node] = around
      return around
    }
    if type.isInline, !holdsText(around), !text.isNone { around = paragraph(text, in: around) }
    let parent = valid(type, in: around)
    var element = StructureElement(type, in: parent)
    element.node = node
    element.language = ownLanguage(of: node)
    complete(&element, node)
    var id = structure.add(element)
    switch type {
    case .listItem where !document.isElement(node, .dt):
      id = structure.add(StructureElement(.listBody, in: id))
    case .listItem: id = structure.add(StructureElement(.label, in: id))
    default: break
    }
    known[node] = id
    if type == .table { addParts(of: id, node) }
    return id
  }

  // MARK: Tables

  /// Makes all rows and cells of a table, so that empty ones, too, are there: rows have as many columns (ISO 14289-1, section 7.5).
  private mutating func addParts(of table: StructureElementID, _ node: NodeID) {
    var rows: [(id: StructureElementID, width: Int)] = []
    func addCells(of source: NodeID, to row: StructureElementID) {
      for cell in document.children(of: source) where document.isElement(cell, .td) || document.isElement(cell, .th) {
        structure[row].parts.append(element(of: cell, text: .none))
      }
      rows.append((row, 0))
    }
    for child in document.children(of: node) where document[child].kind == .element {
      let part = element(of: child, text: .none)
      switch structure[part].type {
      case .tableRow:
        structure[table].parts.append(part)
        addCells(of: child, to: part)
      case .tableHead, .tableBody, .tableFoot:
        structure[table].parts.append(part)
        for row in document.children(of: child) where document.isElement(row, .tr) {
          let id = element(of: row, text: .none)
          structure[part].parts.append(id)
          addCells(of: row, to: id)
        }
      default: continue
      }
    }
    fillRows(&rows)
  }

  /// Ends spans with the table, and adds the cells that rows lack.
  private mutating func fillRows(_ rows: inout [(id: StructureElementID, width: Int)]) {
    for index in rows.indices {
      for cell in structure[rows[index].id].parts {
        structure[cell].rowSpan = Swift.min(structure[cell].rowSpan, rows.count - index)
        for covered in index..<index + structure[cell].rowSpan { rows[covered].width += structure[cell].columnSpan }
      }
    }
    let width = rows.map(\.width).max() ?? 0
    for row in rows {
      for _ in row.width..<Swift.max(row.width, Swift.min(width, 1000)) {
        structure[row.id].parts.append(structure.add(StructureElement(.tableDataCell, in: row.id)))
      }
    }
  }

  private func complete(_ element: inout StructureElement, _ node: NodeID) {
    switch element.type {
    case .tableHeaderCell, .tableDataCell:
      element.columnSpan = span(.colspan, node)
      element.rowSpan = span(.rowspan, node)
      if element.type == .tableHeaderCell { element.scope = scope(of: node) }
    case .formula:
      element.alternative = document.textContent(of: node).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .list:
      element.listNumbering = document.isElement(node, .ol) ? .decimal : document.isElement(node, .ul) ? .disc : nil
    default: break
    }
  }

  private func span(_ name: Atom, _ node: NodeID) -> Int {
    Swift.max(1, Swift.min(1000, Int(document.integer(name, of: node, clamps: true) ?? 1)))
  }

  /// The scope of a header cell: as it says, or else by where it stands (HTML, section 4.9.12).
  private func scope(of node: NodeID) -> StructureElement.Scope {
    switch document.attributeValue(.scope, of: node)?.lowercased() {
    case "row", "rowgroup": return .row
    case "col", "colgroup": return .column
    default: break
    }
    let row = document[node].parent
    let isInHead = document.isElement(document[row].parent, .thead)
    let isFirst = document.children(of: row).first { document[$0].kind == .element } == node
    let hasData = document.children(of: row).contains { document.isElement($0, .td) }
    return isFirst && hasData && !isInHead ? .row : .column
  }

  /// The language of an element that differs from that around it.
  private func ownLanguage(of node: NodeID) -> String? {
    guard let own = language(of: node), !own.isEmpty else { return nil }
    var outer = document[node].parent
    while !outer.isNone, document[outer].kind == .element {
      if let language = language(of: outer) { return language == own ? nil : own }
      outer = document[outer].parent
    }
    return own == structure[ChapterStructure.root].language ? nil : own
  }

  private func language(of node: NodeID) -> String? {
    (document.attributeValue(.xmlLang, of: node) ?? document.attributeValue(.lang, of: node))
      .map { String($0.map { $0 == "_" ? "-" : $0 }) }
  }

  /// The type of an element; nil for one that is nothing by itself.
  private func type(of node: NodeID, in parent: StructureElementID) -> StructureType? {
    let value = document[node]
    if value.namespace == .mathML {
      return value.name == .math && document.textContent(of: node).contains { !$0.isWhitespace } ? .formula : nil
    }
    guard value.namespace == .html || value.namespace == .none else { return nil }
    if let role = NoteRole(of: node, in: document), role == .note { return .note }
    if document.attributeValue(.role, of: node) == "heading" {
      return StructureType(headingLevel: Int(document.integer(.ariaLevel, of: node) ?? 2))
    }
    let outer = structure[parent].type
    let isInTable = [.table, .tableHead, .tableBody, .tableFoot].contains(outer)
    switch value.name {
    case .section: return .section
    case .article: return .article
    case .h1, .h2, .h3, .h4, .h5, .h6:
      let name = document.names.name(of: value.name)
      return StructureType(headingLevel: Int(name.dropFirst()) ?? 1)
    case .p, .pre: return outer.headingLevel == nil && outer != .paragraph ? .paragraph : nil
    case .blockquote: return .blockQuote
    case .ul, .ol, .dl, .menu, .dir: return .list
    case .li, .dt, .dd: return outer == .list ? .listItem : nil
    case .table: return .table
    case .thead: return outer == .table ? .tableHead : nil
    case .tbody: return outer == .table ? .tableBody : nil
    case .tfoot: return outer == .table ? .tableFoot : nil
    case .tr: return isInTable ? .tableRow : nil
    case .td: return outer == .tableRow ? .tableDataCell : nil
    case .th: return outer == .tableRow ? .tableHeaderCell : nil
    case .caption: return outer == .table ? .caption : nil
    case .figcaption: return .caption
    case .figure: return .division
    case .a: return isLinked(node) ? .link : languageSpan(node)
    case .code: return .code
    case .q: return .quote
    case .ruby: return .ruby
    case .rt: return outer == .ruby ? .rubyText : nil
    case .rb: return outer == .ruby ? .rubyBase : nil
    default: return languageSpan(node)
    }
  }

  /// An element that has a language of its own and nothing else.
  private func languageSpan(_ node: NodeID) -> StructureType? {
    switch document[node].name {
    case .html, .body: nil
    default: ownLanguage(of: node) == nil ? nil : isInline(node) ? .span : .division
    }
  }

  private func isInline(_ node: NodeID) -> Bool {
    switch document[node].name {
    case .div, .main, .header, .footer, .aside, .nav, .address, .details, .hgroup: false
    default: true
    }
  }

  /// The base of a ruby, for text that stands in the ruby itself.
  mutating func rubyBase(in ruby: StructureElementID, of text: NodeID) -> StructureElementID {
    if let known = bases[text] { return known }
    let made = structure.add(StructureElement(.rubyBase, in: ruby))
    bases[text] = made
    return made
  }
}

extension StructureType {
  /// The element stands in lines.
  var isInline: Bool {
    switch self {
    case .link, .span, .code, .quote, .ruby, .reference, .formula: true
    default: false
    }
  }
}
