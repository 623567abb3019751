package import BoxGeneration
import CSS
package import Markup
package import Primitives
import Styling
package import Text

/// Reads the formatted text of inline formatting contexts back as strings, in logical order.
package final class FormattedText: Sendable {
  /// The treatment of generated content (CSS Generated Content 3).
  package enum Generated: Equatable {
    case kept, punctuationKept, leftOut
    /// All but that of these elements is left out.
    case keptOnly(of: Set<NodeID>)
  }

  package let tree: BoxTree
  package let document: Document

  package init(tree: BoxTree, document: Document) {
    self.tree = tree
    self.document = document
  }

  /// The text of part of a paragraph: without objects, bidi controls and forced breaks, without an inside list marker, ruby
  /// annotations in brackets after their bases.
  ///
  /// - Parameters:
  ///   - insert: The text to put where an object, float or positioned box stands.
  ///   - marker: Receives the text of an inside list marker.
  package func string(
    _ id: TextID, _ range: Range<UInt32>, generated: Generated, keepsBreaks: Bool = false, annotates: Bool = true,
    marker: inout String, insert: (Run, inout [UInt16]) -> Void = { _, _ in }
  ) -> String {
    guard !id.isNone, id.index < tree.texts.texts.count else { return "" }
    let text = tree.texts[id]
    var units: [UInt16] = []
    var markerDepth = 0
    var index = firstRun(of: text, endingAtOrAfter: range.lowerBound)
    var position = index > text.runs.lowerBound ? tree.texts.runs[index - 1].end : 0
    while index < text.runs.upperBound {
      let run = tree.texts.runs[index]
      let start = Swift.max(position, range.lowerBound)
      let end = Swift.min(run.end, range.upperBound)
      if position > range.upperBound { break }
      let isEmpty = run.end == position
      position = run.end
      index += 1
      let isInside = isEmpty ? run.end >= range.lowerBound && run.end <= range.upperBound : start < end
      guard isInside else { continue }
      switch run.kind {
      case .text:
        if markerDepth > 0 {
          marker += String(utf16: slice(of: text, start..<end))
        } else if generated == .kept {
          units.append(contentsOf: slice(of: text, start..<end))
        } else {
          for piece in pieces(of: text, start..<end) {
            let slice = slice(of: text, piece.range)
            if !piece.isGenerated || generated.isKept(of: piece.span.node) {
              units.append(contentsOf: slice)
            } else if generated == .punctuationKept, Self.isPunctuation(slice) {
              // An opportunity for a break is no text.
              units.append(contentsOf: slice.lazy.filter { $0 != 0x200B })
            }
          }
        }
      case .lineBreak: if keepsBreaks { units.append(0x0A) }
      case .object: insert(run, &units)
      // A box at the end of the range belongs to what follows.
      case .float, .positioned:
        if run.end < range.upperBound || Int(range.upperBound) == text.units.count { insert(run, &units) }
      case .open: if isMarker(run.box) { markerDepth += 1 }
      case .close: if markerDepth > 0, isMarker(run.box) { markerDepth -= 1 }
      case .closeRuby:
        guard annotates, run.end > range.lowerBound, !run.box.isNone else { continue }
        let annotation = annotationText(run.box)
        if !annotation.isEmpty {
          units.append(0xFF08)
          units.append(contentsOf: annotation.utf16)
          units.append(0xFF09)
        }
      case .openRuby, .bidiControl, .marker: continue
      }
    }
    return String(utf16: units)
  }

  private func slice(of text: AttributedText, _ range: Range<UInt32>) -> ArraySlice<UInt16> {
    tree.texts.units[(text.units.lowerBound + Int(range.lowerBound))..<(text.units.lowerBound + Int(range.upperBound))]
  }

  /// A stretch of formatted text that has one origin.
  package struct Piece {
    package var range: Range<UInt32>
    package var span: SourceSpan
    package var isGenerated: Bool
  }

  /// A range of a text cut where its origin changes. Text that comes from no text of the document is generated; what stands
  /// for an image that is missing is the document's own.
  package func pieces(of text: AttributedText, _ range: Range<UInt32>) -> [Piece] {
    var low = text.source.lowerBound
    var high = text.source.upperBound
    while low < high {
      let middle = (low + high) / 2
      if tree.texts.source[middle].start <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var pieces: [Piece] = []
    var index = Swift.max(text.source.lowerBound, low - 1)
    var start = range.lowerBound
    while index < text.source.upperBound, start < range.upperBound {
      let span = tree.texts.source[index]
      let next = index + 1 < text.source.upperBound ? tree.texts.source[index + 1].start : .max
      let end = Swift.min(next, range.upperBound)
      if end > start {
        let isElement =
          !span.node.isNone && span.node.index < document.nodes.count && document[span.node].kind == .element
        let isImage = isElement && document.attribute(.alt, of: span.node) != nil
        pieces.append(Piece(range: start..<end, span: span, isGenerated: isElement && !isImage))
        start = end
      }
      index += 1
    }
    return pieces
  }

  private static func isPunctuation(_ units: ArraySlice<UInt16>) -> Bool {
    String(utf16: units).unicodeScalars.allSatisfy {
      $0.properties.generalCategory.isPunctuationOrSpace
    }
  }

  /// The text of a ruby annotation.
  func annotationText(_ base: BoxID) -> String {
    let id = tree[base].text
    guard !id.isNone else { return "" }
    var marker = ""
    let range = 0..<UInt32(clamping: tree.texts[id].units.count)
    return Self.trimmed(string(id, range, generated: .leftOut, annotates: false, marker: &marker))
  }

  private func isMarker(_ box: BoxID) -> Bool { !box.isNone && tree[box].pseudo == .marker }

  /// The first run that does not end before `unit`.
  private func firstRun(of text: AttributedText, endingAtOrAfter unit: UInt32) -> Int {
    var low = text.runs.lowerBound
    var high = text.runs.upperBound
    while low < high {
      let middle = (low + high) / 2
      if tree.texts.runs[middle].end < unit { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Runs with a box in them, from `unit` on, with their places.
  package func anchors(of id: TextID) -> [(unit: UInt32, run: Run)] {
    guard !id.isNone else { return [] }
    var found: [(UInt32, Run)] = []
    var position: UInt32 = 0
    for index in tree.texts[id].runs {
      let run = tree.texts.runs[index]
      switch run.kind {
      case .object, .float, .positioned, .marker: found.append((position, run))
      case .text, .lineBreak, .open, .close, .bidiControl, .openRuby, .closeRuby: break
      }
      position = run.end
    }
    return found
  }

  /// Without the white space that hangs at a line's ends.
  package static func trimmed(_ text: String) -> String {
    var view = Substring(text)
    while let last = view.unicodeScalars.last, last == " " || last == "\t" || last == "\n" {
      view.unicodeScalars.removeLast()
    }
    while let first = view.unicodeScalars.first, first == "\n" { view.unicodeScalars.removeFirst() }
    return String(view)
  }
}

extension FormattedText.Generated {
  fileprivate func isKept(of element: NodeID) -> Bool {
    if case .keptOnly(let elements) = self { elements.contains(element) } else { self == .kept }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isPunctuationOrSpace: Bool {
    switch self {
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .dashPunctuation,
      .connectorPunctuation,
      .otherPunctuation, .spaceSeparator, .control, .format:
      true
    default: false
    }
  }
}
