import CSS
import Primitives
import Styling
import Text

/// `::first-line` (CSS Pseudo-elements 4, section 2.1): where the line ends is known only to layout, so a text that holds such
/// a line is kept a second time as it is when all of it stands on that line, with inline boxes of its own.
extension BoxGenerator {
  /// Makes the first-line form of a text that has just been finished, if it holds a first line with a style of its own.
  mutating func makeFirstLine(of text: TextID, container: BoxID) {
    guard awaitsFirstLine, !store.texts[text.index].units.isEmpty else { return }
    awaitsFirstLine = false
    let node = boxes[container.index].node
    guard let lineStyle = tree.firstLineStyle(of: node, .none) else { return }
    let line = makeBox(.inline, node, .firstLine, lineStyle, [], parent: container)
    let lineDecoration =
      boxTraits[lineStyle.box.index].hasDecoration ? makeDecoration(lineStyle, box: line) : nil

    var copy = store.texts[text.index]
    let start = store.runs.count
    let lineAttributes = attributes.attributes(of: lineStyle, decorations: 0)
    store.runs.append(Run(end: 0, attributes: lineAttributes, kind: .open, box: line))
    // Inline boxes open at a place, and the boxes that stand for them on the line.
    var open: [(own: BoxID, onLine: BoxID)] = [(container, line)]
    var copies: [BoxID: BoxID] = [:]
    var decorationCache: [UInt32: UInt32] = [:]
    var lastEnd = 0
    for index in copy.runs {
      var run = store.runs[index]
      switch run.kind {
      case .open:
        let own = boxes[run.box.index]
        let style = tree.firstLineStyle(of: own.node, own.pseudo ?? .none) ?? own.style
        let onLine = makeBox(.inline, own.node, own.pseudo, style, own.flags, parent: open[open.count - 1].onLine)
        boxes[onLine.index].symbol = own.symbol
        boxes[onLine.index].marker = own.marker
        copies[run.box] = onLine
        decorationCache.removeAll(keepingCapacity: true)
        open.append((run.box, onLine))
        run.box = onLine
      case .close:
        if open.count > 1 { run.box = open.removeLast().onLine }
      default: break
      }
      let style = boxes[open[open.count - 1].onLine.index].style
      if run.kind == .text { transformOnLine(lastEnd..<Int(run.end), of: &copy, style) }
      let own = attributes.table[run.attributes].decorations
      let decorations: UInt32
      if own == 0, lineDecoration == nil {
        decorations = 0
      } else if let known = decorationCache[own] {
        decorations = known
      } else {
        decorations = decorationsOnLine(own, lineDecoration, copies)
        decorationCache[own] = decorations
      }
      run.attributes = attributes.attributes(of: style, decorations: decorations)
      lastEnd = Int(run.end)
      store.runs.append(run)
    }
    store.runs.append(Run(end: UInt32(lastEnd), attributes: lineAttributes, kind: .close, box: line))
    copy.runs = start..<store.runs.count
    store.texts.append(copy)
    store.texts[text.index].firstLine = TextID(store.texts.count - 1)
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
        result, adding: box.map { makeDecoration(boxes[$0.index].style, box: $0) } ?? decoration)
    }
    return result
  }

  /// Applies the line's `text-transform` to a stretch, if it keeps its length: both forms of the text have the same units.
  private mutating func transformOnLine(_ range: Range<Int>, of text: inout AttributedText, _ style: ComputedStyle) {
    guard !range.isEmpty, textTraits[style.text.index].transforms else { return }
    if text.units.upperBound < store.units.count || text.isSimple {
      let copied = store.units.count
      store.units.append(contentsOf: Array(store.units[text.units]))
      text.units = copied..<store.units.count
      text.isSimple = false
    }
    // The character before tells whether a word goes on.
    let lead = range.lowerBound > 0 ? 1 : 0
    let first = text.units.lowerBound + range.lowerBound
    let count = lead + range.count
    var scratch = InlineBuilder()
    defer { scratch.deallocate() }
    scratch.reserve(count)
    for index in 0..<count { unsafe scratch.units[index] = store.units[first - lead + index] }
    scratch.setCount(count)
    let values = tree.table.texts[style.text.index]
    scratch.transform(from: lead, values.transform, language: values.language)
    guard scratch.count == count else { return }
    for index in lead..<count { store.units[first - lead + index] = unsafe scratch.units[index] }
  }
}
