import PDFRendering
import Primitives

extension TaggedPage {
  /// The structure and the text of the page in the order of reading: a line for each stretch of text of one element, each
  /// picture and each link, with the types of the elements around it.
  func tags(in structure: ChapterStructure) -> String {
    let contents = contents()
    let order = contents.indices.sorted { (contents[$0].place, $0) < (contents[$1].place, $1) }
    var lines: [String] = []
    var last = StructureElementID.none
    for content in order.lazy.map({ contents[$0] }) {
      if content.element == last {
        lines[lines.count - 1] += text(of: content)
      } else {
        lines.append("\(structure.path(of: content.element)): \(text(of: content))")
        last = content.element
      }
    }
    for link in links {
      let target =
        switch link.target {
        case .destination(let name): name
        case .uri(let address): address
        }
      lines.append("\(structure.path(of: link.element)) to \(target): \(link.contents)")
    }
    return lines.joined(separator: "\n")
  }
}

extension ChapterStructure {
  /// The types of an element and of those around it, the outermost first, with what else is told of them.
  fileprivate func path(of id: StructureElementID) -> String {
    var parts: [String] = []
    var around = id
    while !around.isNone {
      let element = self[around]
      var part = element.type.rawValue
      if let language = element.language { part += " lang=\(language)" }
      if let alternative = element.alternative { part += " alt=\(alternative)" }
      if let scope = element.scope { part += " scope=\(scope.rawValue)" }
      if element.columnSpan > 1 { part += " columns=\(element.columnSpan)" }
      if element.rowSpan > 1 { part += " rows=\(element.rowSpan)" }
      parts.append(part)
      around = element.parent
    }
    return parts.reversed().joined(separator: "/")
  }
}
