import BoxGeneration
import CSS
import Markup
import Primitives
import Styling
import Text

/// The text of a chapter in reading order: blocks separated by a blank line, table cells by a tab, ruby in brackets after its
/// base, alternative text for images that are missing (`--text` in the command line's manual).
///
/// It is made from the boxes and not from the pages, so it holds all text whatever becomes of a page.
struct PlainTextExport {
  private let tree: BoxTree
  private let document: Document
  private let formatted: FormattedText
  private(set) var output = ""
  /// The notes of each paragraph, in order.
  private let notes: [TextID: [BoxID]]
  /// Blocks of the cells being written, nil outside tables.
  private var cells: [String]?

  init(tree: BoxTree, document: Document) {
    self.tree = tree
    self.document = document
    formatted = FormattedText(tree: tree, document: document)
    notes = Dictionary(grouping: tree.footnotes, by: \.text).mapValues { $0.map(\.box) }
  }

  /// The whole chapter, ending in a line feed unless it is empty.
  static func text(of tree: BoxTree, document: Document) -> String {
    guard !tree.boxes.isEmpty else { return "" }
    var export = PlainTextExport(tree: tree, document: document)
    export.write(BoxTree.root)
    for box in export.notes[.none] ?? [] { export.write(box) }
    return export.output
  }

  private mutating func append(block text: String) {
    let text = FormattedText.trimmed(text)
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    if cells != nil {
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let last = (cells?.count ?? 0) - 1
      guard last >= 0 else { return }
      let separator = cells?[last].isEmpty ?? true ? "" : " "
      cells?[last] += separator + line
      return
    }
    if !output.isEmpty { output += "\n" }
    output += text
    output += "\n"
  }

  private mutating func write(_ id: BoxID) {
    let box = tree[id]
    if box.kind == .tableRow, cells == nil {
      cells = []
      writeChildren(of: id)
      let row = cells ?? []
      cells = nil
      append(row: row, isFirst: isFirstRow(id))
      return
    }
    if box.kind == .tableCell { cells?.append("") }
    if !box.marker.isNone, box.content != .text { writeMarker(box.marker) }
    switch box.content {
    case .text: writeParagraph(id)
    case .replaced: if let text = replacedText(id) { append(block: text) }
    case .boxes:
      if box.kind == .inline || box.kind == .rubyBase { return }
      writeChildren(of: id)
    }
  }

  /// Outside markers say what the document does not: they are left to the page.
  private func writeMarker(_ id: BoxID) {}

  private mutating func writeChildren(of id: BoxID) {
    var child = tree[id].firstChild
    while !child.isNone {
      // Inline boxes and those anchored in a paragraph are reached through its runs.
      if tree[child].kind != .inline, tree[child].kind != .marker { write(child) }
      child = tree[child].nextSibling
    }
  }

  private func isFirstRow(_ id: BoxID) -> Bool {
    let parent = tree[id].parent
    guard !parent.isNone, tree[parent].firstChild == id else { return false }
    let table = tree[parent].kind == .table ? parent : tree[parent].parent
    guard !table.isNone else { return true }
    var child = tree[table].firstChild
    while !child.isNone {
      switch tree[child].kind {
      case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow: return child == parent || child == id
      default: child = tree[child].nextSibling
      }
    }
    return true
  }

  private mutating func append(row: [String], isFirst: Bool) {
    guard row.contains(where: { !$0.isEmpty }) else { return }
    if isFirst, !output.isEmpty { output += "\n" }
    output += row.joined(separator: "\t") + "\n"
  }

  private mutating func writeParagraph(_ id: BoxID) {
    var after: [BoxID] = []
    append(block: paragraph(id, depth: 0, after: &after))
    for box in after + (notes[tree[id].text] ?? []) { write(box) }
  }

  /// A paragraph with the text of the boxes in its lines; boxes that hold blocks are put off until after it.
  private func paragraph(_ id: BoxID, depth: Int, after: inout [BoxID]) -> String {
    let box = tree[id]
    guard !box.text.isNone else { return "" }
    let length = UInt32(clamping: tree.texts[box.text].units.count)
    var marker = ""
    var later: [BoxID] = []
    let text = formatted.string(box.text, 0..<length, generated: .punctuationKept, keepsBreaks: true, marker: &marker) {
      run, units in
      guard !run.box.isNone else { return }
      let inner = tree[run.box]
      switch inner.content {
      case .replaced:
        if !inner.image.isNone, !inner.text.isNone {
          later.append(run.box)
        } else if let text = replacedText(run.box) {
          units.append(contentsOf: text.utf16)
        }
      case .text where depth < 64:
        units.append(contentsOf: paragraph(run.box, depth: depth + 1, after: &later).utf16)
      case .boxes where depth < 64 && isFormula(run.box):
        units.append(contentsOf: formula(run.box, depth: depth, after: &later).utf16)
      case .text, .boxes: later.append(run.box)
      }
    }
    after += later
    return text
  }

  /// The texts of a formula's box one after the other.
  private func formula(_ id: BoxID, depth: Int, after: inout [BoxID]) -> String {
    var text = ""
    var part = tree[id].firstChild
    while !part.isNone {
      if tree[part].content == .text {
        text += paragraph(part, depth: depth + 1, after: &after)
      } else if tree[part].kind == .math, depth < 64 {
        text += formula(part, depth: depth + 1, after: &after)
      } else {
        after.append(part)
      }
      part = tree[part].nextSibling
    }
    return text
  }

  /// The box in a line is part of a formula: an operator with its limits, which reads on in the line.
  private func isFormula(_ id: BoxID) -> Bool {
    let node = tree[id].node
    return !node.isNone && document.nodes[node.index].namespace == .mathML
  }

  /// Text in place of a picture: the text inside it, or the alternative text of one that is missing.
  private func replacedText(_ id: BoxID) -> String? {
    let box = tree[id]
    guard !box.image.isNone else { return alternative(id) }
    guard !box.text.isNone else { return nil }
    var marker = ""
    let length = UInt32(clamping: tree.texts[box.text].units.count)
    return formatted.string(box.text, 0..<length, generated: .kept, keepsBreaks: true, marker: &marker)
  }

  private func alternative(_ id: BoxID) -> String? {
    let node = tree[id].node
    guard !node.isNone, tree[id].pseudo == nil, let text = document.attributeValue(.alt, of: node), !text.isEmpty else {
      return nil
    }
    return text
  }
}
