package import Primitives

/// Kinds of runs of an inline formatting context.
package enum RunKind: UInt8, Hashable, Sendable {
  /// Characters to shape.
  case text
  /// A forced line break: one unit, U+2028 for `<br>`, U+000A for a preserved line feed.
  case lineBreak
  /// An atomic inline (image, inline-block, inline-table): one unit U+FFFC, or of a formula `AttributedText.formulaUnit`. `box` is
  /// the atomic box.
  case object
  /// The start or end of an inline box: no units. `box` is the inline box.
  case open, close
  /// A float or an absolutely positioned box met here: no units. `box` is that box.
  case float, positioned
  /// A bidi control inserted for `unicode-bidi` and `direction` (CSS Writing Modes 4, section 2.4): one unit.
  case bidiControl
  /// The start or end of a ruby base: no units. `box` is a `.rubyBase` box whose `text` is the annotation's.
  case openRuby, closeRuby
  /// An outside list marker: no units. `box` is the marker box.
  case marker
}

/// A stretch of an inline formatting context with one meaning and one set of attributes; it starts where the run before ends.
package struct Run: Sendable, Hashable {
  /// One past the last UTF-16 unit, counted from the start of the paragraph's text.
  package var end: UInt32
  package var attributes: AttributeID
  package var kind: RunKind
  /// Of the start or end of an inline box: it has a margin, border or padding.
  package var hasEdge = false
  /// Of the start or end of an inline box: it is a superscript or subscript.
  package var isRaised = false
  package var box: BoxID
  package init(end: UInt32, attributes: AttributeID, kind: RunKind, box: BoxID = .none) {
    self.end = end
    self.attributes = attributes
    self.kind = kind
    self.box = box
  }
}

/// A source span: formatted text from `start` on came from UTF-16 offset `sourceOffset` of the text of `node`, one to
/// one unless `isAtomic` (a transformed or generated stretch maps as a whole).
package struct SourceSpan: Sendable, Hashable {
  package var start: UInt32
  package var node: NodeID
  package var sourceOffset: UInt32
  package var isAtomic: Bool
  package init(start: UInt32, node: NodeID, sourceOffset: UInt32, isAtomic: Bool = false) {
    self.start = start
    self.node = node
    self.sourceOffset = sourceOffset
    self.isAtomic = isAtomic
  }
}

/// All text of one inline formatting context, as ranges into its chapter's `AttributedTextStore`.
package struct AttributedText: Sendable {
  /// The unit of a part of a formula in a line, which behaves as a letter where lines are broken: an invisible operator.
  package static let formulaUnit: UInt16 = 0x2061
  package var units: Range<Int>
  package var runs: Range<Int>
  package var source: Range<Int>
  /// The paragraph's base direction; nil for `unicode-bidi: plaintext` (first strong character decides).
  package var direction: TextDirection?
  /// The units hold right-to-left characters or bidi controls, so that UAX #9 has to run.
  package var needsBidi: Bool
  /// Every unit is below U+0250 or so: no complex script, no ideograph.
  package var isSimple: Bool
  /// The same units with the attributes of `::first-line`, for the first line only; `.none` when it has no style of its own.
  /// Its runs differ from this text's in their attributes alone.
  package var firstLine = TextID.none
  package init(
    units: Range<Int>, runs: Range<Int>, source: Range<Int>, direction: TextDirection?, needsBidi: Bool, isSimple: Bool
  ) {
    self.units = units
    self.runs = runs
    self.source = source
    self.direction = direction
    self.needsBidi = needsBidi
    self.isSimple = isSimple
  }
}

/// The attributed texts of one chapter: shared arrays, sliced by `AttributedText`.
package struct AttributedTextStore: Sendable {
  /// White space collapsed, transforms applied, U+FFFC for atomic inlines.
  package var units: [UInt16] = []
  package var runs: [Run] = []
  package var source: [SourceSpan] = []
  package var texts: [AttributedText] = []
  package var attributes = AttributeTable()
  package init() {}
  package subscript(id: TextID) -> AttributedText { texts[id.index] }

  /// The base direction of the paragraph that a unit of a text belongs to.
  package func direction(at place: Int, in id: TextID) -> TextDirection {
    let text = texts[id.index]
    if let direction = text.direction { return direction }
    return text.needsBidi ? Bidi.paragraphDirection(at: place, in: units.span.extracting(text.units)) : .ltr
  }

  /// The source position of an offset in a text: node and UTF-16 offset in the node's text.
  ///
  /// - Complexity: O(log spans of the text).
  package func sourcePosition(of offset: Int, in id: TextID) -> (node: NodeID, offset: Int)? {
    let spans = texts[id.index].source
    var low = spans.lowerBound
    var high = spans.upperBound
    while low < high {
      let middle = (low + high) / 2
      if Int(source[middle].start) <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > spans.lowerBound else { return nil }
    let span = source[low - 1]
    return (span.node, Int(span.sourceOffset) + (span.isAtomic ? 0 : offset - Int(span.start)))
  }
}
