import BoxGeneration
import Layout
import Markup
import Painting
import Primitives
import Styling
import Text

extension SetDocument {
  /// The pages as text, a fragment a line, indented by depth: name, then `x y width height` in CSS px from the page's top left
  /// corner.
  ///
  /// - Boxes have their border box, with `continued` and `continues` where it goes on from and to another page, `repeated` for
  ///   a header or footer that layout repeats. Anonymous boxes are their kind in brackets.
  /// - Lines have the line box's height and the width of what stands in it, then the text, format characters as `\u{AD}`. What is in a line is listed where it
  ///   is more than one stretch of text.
  package func dumpFragments() -> String {
    var output = ""
    for (number, page) in pages.enumerated() {
      output += "page \(number + 1)\n"
      guard !page.root.isNone else { continue }
      dump(page.root, at: page[page.root].offset, on: page, depth: 1, into: &output)
    }
    return output
  }

  private func dump(
    _ id: FragmentID, at offset: LogicalOffset, on page: PageLayout, depth: Int, into output: inout String
  ) {
    let fragment = page[id]
    var rect = LogicalRect(offset: offset, size: fragment.size)
    var name: String
    var listsChildren = true
    switch fragment.kind {
    case .box, .inlineBox:
      name = self.name(of: fragment.box)
    case .line:
      let line = page.lines[Int(fragment.payload)]
      // A line that runs across the page's lines is shown whole: what it says of its content is in its own terms.
      if line.writingMode.isHorizontal == page.writingMode.isHorizontal {
        rect.offset.inline += line.contentOffset
        rect.size.inline = line.contentWidth
      }
      name = "line"
      let first = fragment.firstChild
      listsChildren =
        !first.isNone && (!page[first].nextSibling.isNone || page[first].kind != .text)
    case .text: name = "text"
    }
    let place = page.physicalRect(rect.offset, rect.size)
    output += String(repeating: "  ", count: depth) + name
    for length in [place.x, place.y, place.width, place.height] { output += " " + Self.number(length) }
    switch fragment.kind {
    case .line:
      let line = page.lines[Int(fragment.payload)]
      output += " \"" + text(line.text, line.range) + (line.isHyphenated ? "-" : "") + "\""
    case .text:
      let text = page.texts[Int(fragment.payload)]
      output += " \"" + self.text(text.text, text.range) + "\""
    case .box, .inlineBox:
      if fragment.flags.contains(.continuesBefore) { output += " continued" }
      if fragment.flags.contains(.continuesAfter) { output += " continues" }
      if fragment.flags.contains(.repeated) { output += " repeated" }
    }
    output += "\n"
    guard listsChildren else { return }
    var child = fragment.firstChild
    while !child.isNone {
      dump(child, at: offset + page[child].offset, on: page, depth: depth + 1, into: &output)
      child = page[child].nextSibling
    }
  }

  private func name(of id: BoxID) -> String {
    guard !id.isNone else { return "(none)" }
    let box = tree[id]
    guard !box.flags.contains(.anonymous), !box.node.isNone else { return "(\(box.kind))" }
    let document = styled.document
    var name = document.names.name(of: document[box.node].name)
    if let id = document.attributeValue(.id, of: box.node) { name += "#" + id }
    if let pseudo = box.pseudo { name += "::\(pseudo)" }
    return name
  }

  private func text(_ text: TextID, _ range: Range<UInt32>) -> String {
    string(text, range).unicodeScalars.map { scalar in
      switch scalar {
      case "\u{FFFC}", "\u{2028}", "\n": ""
      case "\u{A0}": "\\u{A0}"
      case _ where scalar.properties.generalCategory == .format:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: String(scalar)
      }
    }.joined()
  }

  /// At most two decimals, without trailing zeros.
  private static func number(_ length: LayoutUnit) -> String {
    let hundredths = Int((length.pixels * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let magnitude = hundredths.magnitude
    guard magnitude % 100 != 0 else { return sign + String(magnitude / 100) }
    let fraction = String(magnitude % 100 + 100).dropFirst()
    return sign + "\(magnitude / 100)." + (fraction.last == "0" ? fraction.dropLast() : fraction)
  }
}
