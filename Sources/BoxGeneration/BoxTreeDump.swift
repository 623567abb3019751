package import Markup
package import Primitives
import Styling
import Text

extension BoxTree {
  /// The tree as text, one box a line, for tests and for people: kind, element, flags, and the text with its runs.
  ///
  /// In a text, `<name>` and `</name>` are inline boxes, `[n]` an atomic inline, float or positioned box that is listed
  /// below, `{` and `}` a ruby base with its annotation behind it, `⏎` a forced break.
  package func dump(_ document: Document, root: BoxID = BoxTree.root) -> String {
    var output = ""
    write(root, document, depth: 0, into: &output)
    return output
  }

  private func name(_ box: Box, _ document: Document) -> String {
    let name = box.node.isNone ? "" : document.names.name(of: document.nodes[box.node.index].name)
    guard let pseudo = box.pseudo else { return name }
    return "\(name)::\(pseudo)"
  }

  private func write(_ id: BoxID, _ document: Document, depth: Int, into output: inout String) {
    let box = boxes[id.index]
    output += String(repeating: "  ", count: depth)
    output += box.flags.contains(.anonymous) ? "(\(box.kind))" : "\(box.kind) \(name(box, document))"
    if box.flags.contains(.float) { output += " float" }
    if box.flags.contains(.outOfFlow) { output += " positioned" }
    if box.flags.contains(.missing) { output += " missing" }
    if box.columnSpan != 1 { output += " columns=\(box.columnSpan)" }
    if box.rowSpan != 1 { output += " rows=\(box.rowSpan)" }
    if box.content == .replaced { output += " image" }
    var listed: [BoxID] = []
    if box.content == .text || box.kind == .rubyBase, !box.text.isNone {
      output += " \"" + line(box.text, document, &listed) + "\""
    }
    output += "\n"
    if !box.marker.isNone { write(box.marker, document, depth: depth + 1, into: &output) }
    for box in listed { write(box, document, depth: depth + 1, into: &output) }
    var child = box.firstChild
    while !child.isNone {
      write(child, document, depth: depth + 1, into: &output)
      child = boxes[child.index].nextSibling
    }
  }

  private func line(_ id: TextID, _ document: Document, _ listed: inout [BoxID]) -> String {
    let text = texts[id]
    var output = ""
    var start = 0
    for run in texts.runs[text.runs] {
      let units = texts.units[(text.units.lowerBound + start)..<(text.units.lowerBound + Int(run.end))]
      start = Int(run.end)
      switch run.kind {
      case .text: output += String(utf16: units)
      case .lineBreak: output += "⏎"
      case .open, .close:
        let box = boxes[run.box.index]
        let isPart = box.flags.contains(run.kind == .open ? .continuesBefore : .continuesAfter)
        output += (run.kind == .open ? "<" : "</") + (isPart ? "…" : "") + name(box, document) + ">"
      case .object, .float, .positioned, .marker:
        output += "[\(listed.count)]"
        listed.append(run.box)
      case .bidiControl:
        output += units.map { "\\" + String($0, radix: 16) }.joined()
      case .openRuby: output += "{"
      case .closeRuby:
        var inner: [BoxID] = []
        let annotation = boxes[run.box.index].text
        output += "|" + (annotation.isNone ? "" : line(annotation, document, &inner)) + "}"
        listed += inner
      }
    }
    return output
  }
}
