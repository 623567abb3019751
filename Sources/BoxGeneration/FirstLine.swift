import CSS
import Primitives
import Styling
import Text

/// `::first-line` (CSS Pseudo-elements 4, section 2.1): where the line ends is known only to layout, so a text that
/// holds such a line is kept a second time as it is when all of it stands on that line, with inline boxes of its own.
extension BoxGenerator {
  /// Makes the first-line form of a text that has just been finished, if it holds a first line with a style of its own.
  mutating func makeFirstLine(of text: TextID, container: BoxID) {
    guard lineStarts.awaitsFirstLine, !boxTree.texts.texts[text.index].units.isEmpty else { return }
    lineStarts.awaitsFirstLine = false
    let node = boxTree.boxes[container.index].node
    guard let lineStyle = tree.firstLineStyle(of: node, .none) else { return }
    let line = makeBox(.inline, node, .firstLine, lineStyle, [], parent: container)
    var inside = LineBoxes(own: container, onLine: line)
    if boxTraits[lineStyle.box.index].hasDecoration {
      inside.decoration = TextDecoration(lineStyle, tree.table, box: line)
    }
    let opening = Run(
      end: 0, attributes: attributes.attributes(of: lineStyle, decorations: 0), kind: .open, box: line)
    boxTree.texts.texts[text.index].firstLine = form(of: text, &inside, opening: opening)
  }

  /// Boxes of a text and those that stand for them on the first line.
  private struct LineBoxes {
    /// Inline boxes open at a place, the container first.
    var open: [(own: BoxID, onLine: BoxID)]
    var copies: [BoxID: BoxID] = [:]
    /// The line's own decoration.
    var decoration: TextDecoration?

    init(own: BoxID, onLine: BoxID) { open = [(own, onLine)] }
  }

  /// The form of a text on the first line.
  ///
  /// - Parameter opening: The run that opens the line's box; nil for an annotation, which has none.
  private mutating func form(
    of text: TextID, _ line: inout LineBoxes, opening: Run?
  ) -> TextID {
    var copy = boxTree.texts.texts[text.index]
    var runs: [Run] = []
    if let opening { runs.append(opening) }
    var decorationCache: [UInt32: UInt32] = [:]
    var lastEnd = 0
    for index in copy.runs {
      var run = boxTree.texts.runs[index]
      switch run.kind {
      case .open:
        let onLine = makeCopy(of: run.box, .inline, parent: line.open[line.open.count - 1].onLine)
        line.copies[run.box] = onLine
        decorationCache.removeAll(keepingCapacity: true)
        line.open.append((run.box, onLine))
        run.box = onLine
      case .close:
        if line.open.count > 1 { run.box = line.open.removeLast().onLine }
      case .openRuby:
        let onLine = makeCopy(of: run.box, .rubyBase, parent: line.open[line.open.count - 1].onLine)
        line.copies[run.box] = onLine
        run.box = onLine
      case .closeRuby:
        let own = run.box
        guard let onLine = line.copies[own] else { break }
        run.box = onLine
        guard !boxTree.boxes[own.index].text.isNone else { break }
        var inside = LineBoxes(own: own, onLine: onLine)
        inside.copies[own] = onLine
        boxTree.boxes[onLine.index].text = form(of: boxTree.boxes[own.index].text, &inside, opening: nil)
      default: break
      }
      let style = boxTree.boxes[line.open[line.open.count - 1].onLine.index].style
      if run.kind == .text { transformOnLine(lastEnd..<Int(run.end), of: &copy, style) }
      let own = attributes.table[run.attributes].decorations
      let decorations: UInt32
      if own == 0, line.decoration == nil {
        decorations = 0
      } else if let known = decorationCache[own] {
        decorations = known
      } else {
        decorations = decorationsOnLine(own, line.decoration, line.copies)
        decorationCache[own] = decorations
      }
      run.attributes = attributes.attributes(of: style, decorations: decorations)
      lastEnd = Int(run.end)
      runs.append(run)
    }
    if var closing = opening {
      closing.end = UInt32(lastEnd)
      closing.kind = .close
      runs.append(closing)
    }
    let start = boxTree.texts.runs.count
    boxTree.texts.runs.append(contentsOf: runs)
    copy.runs = start..<boxTree.texts.runs.count
    boxTree.texts.texts.append(copy)
    return TextID(boxTree.texts.texts.count - 1)
  }

  /// A box as it is on the line, without content.
  private mutating func makeCopy(of box: BoxID, _ kind: BoxKind, parent: BoxID) -> BoxID {
    let own = boxTree.boxes[box.index]
    // Browsers give markers nothing of the line.
    let style = own.pseudo == .marker ? own.style : tree.firstLineStyle(of: own.node, own.pseudo ?? .none) ?? own.style
    let onLine = makeBox(kind, own.node, own.pseudo, style, own.flags, parent: parent)
    boxTree.boxes[onLine.index].symbol = own.symbol
    boxTree.boxes[onLine.index].marker = own.marker
    return onLine
  }

  /// The decorations of a text as they are on the line: those of containers, of the line itself, of inline boxes on it.
  private mutating func decorationsOnLine(
    _ own: UInt32, _ line: TextDecoration?, _ copies: [BoxID: BoxID]
  ) -> UInt32 {
    let list = attributes.table.decorations[Int(own)]
    let inside = list.firstIndex { copies[$0.box] != nil } ?? list.count
    var result: UInt32 = 0
    for decoration in list[..<inside] { result = attributes.decorations(result, adding: decoration) }
    if let line { result = attributes.decorations(result, adding: line) }
    for decoration in list[inside...] {
      let box = copies[decoration.box]
      result = attributes.decorations(
        result, adding: box.map { TextDecoration(boxTree.boxes[$0.index].style, tree.table, box: $0) } ?? decoration)
    }
    return result
  }

  /// Applies the line's `text-transform` to a stretch, if it keeps its length: both forms of the text have the same
  /// units.
  private mutating func transformOnLine(_ range: Range<Int>, of text: inout AttributedText, _ style: ComputedStyle) {
    guard !range.isEmpty, textTraits[style.text.index].transforms else { return }
    if text.units.upperBound < boxTree.texts.units.count || text.isSimple {
      let copied = boxTree.texts.units.count
      boxTree.texts.units.append(contentsOf: Array(boxTree.texts.units[text.units]))
      text.units = copied..<boxTree.texts.units.count
      text.isSimple = false
    }
    // The character before tells whether a word goes on.
    let lead = range.lowerBound > 0 ? 1 : 0
    let first = text.units.lowerBound + range.lowerBound
    let count = lead + range.count
    var scratch = InlineBuilder()
    scratch.append(boxTree.texts.units[first - lead..<first - lead + count])
    let values = tree.table.texts[style.text.index]
    scratch.transform(from: lead, values.transform, language: values.language)
    guard scratch.count == count else { return }
    for index in lead..<count { boxTree.texts.units[first - lead + index] = scratch.units[index] }
  }
}
