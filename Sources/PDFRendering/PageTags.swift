import Graphics
import Primitives

extension TaggedPage {
  /// The structure and the text of the page in the order of reading, for people and for comparison: a line for each stretch of
  /// text of one element, each picture and each link, with the types of the elements around it.
  package func tags(in structure: ChapterStructure) -> String {
    var entries: [(place: SourceOrder, element: StructureElementID, text: String)] = []
    func text(_ run: TaggedRun) -> String {
      let order = run.isRightToLeft ? Array(clusters[run.clusters].reversed()) : Array(clusters[run.clusters])
      return String(decoding: order.lazy.flatMap { units[$0.units] }, as: UTF16.self)
    }
    for run in runs where !run.element.isNone { entries.append((run.place, run.element, text(run))) }
    for picture in pictures {
      entries.append((picture.place, picture.element, picture.texts.map { text($0.run) }.joined()))
    }
    let order = entries.indices.sorted { (entries[$0].place, $0) < (entries[$1].place, $1) }
    var lines: [String] = []
    var last = StructureElementID.none
    for index in order {
      let entry = entries[index]
      if entry.element == last {
        lines[lines.count - 1] += entry.text
      } else {
        lines.append("\(structure.path(of: entry.element)): \(entry.text)")
        last = entry.element
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
