import BoxGeneration
import CSS
import Markup
import Primitives
import Styling
import Text

/// The formatted text of a chapter, and where each of its units comes from: what positions, selections and search need once the
/// chapter has been laid out, without its boxes and styles.
///
/// Units are counted through the whole chapter (its `AttributedTextStore.units`).
final class ChapterText: Sendable {
  /// One inline formatting context.
  struct Paragraph: Sendable {
    var units: Range<Int>
    /// In `spans`.
    var spans: Range<Int>
    /// In `languages`.
    var language: Int
    /// The element whose text it is.
    var node: NodeID
  }

  /// A stretch of units with one origin.
  struct Span: Sendable {
    enum Kind: UInt8, Sendable {
      /// Unit for unit the document's text.
      case text
      /// All units stand for one place: transformed text, pictures, forced breaks.
      case atomic
      /// Text of a style sheet, counters, bidi controls.
      case generated
    }
    var start: UInt32
    var kind: Kind
    var position: SourcePosition
  }

  let chapter: Int
  let units: [UInt16]
  /// In the order of the document. List markers and ruby annotations are not among them.
  let paragraphs: [Paragraph]
  let spans: [Span]
  /// BCP 47 tags, lower-case.
  let languages: [String]
  /// By `TextID`: the paragraph, or -1.
  private let paragraphByText: [Int32]

  /// - Parameter language: That of text that says none.
  init(tree: BoxTree, styles: StyleTable, document: Document, chapter: Int, language defaultLanguage: String) {
    self.chapter = chapter
    let store = tree.texts
    units = store.units
    var owners = [BoxID](repeating: .none, count: store.texts.count)
    // Of what is replaced only drawings have text of the book: form controls and missing pictures show what stands for them.
    for (index, box) in tree.boxes.enumerated()
    where !box.text.isNone && (box.content != .replaced || !box.image.isNone) {
      if owners[box.text.index].isNone { owners[box.text.index] = BoxID(index) }
    }
    var languageNumbers: [String: Int] = [:]
    var languages: [String] = []
    var made: [(text: Int, paragraph: Paragraph)] = []
    var spans: [Span] = []
    for (index, text) in store.texts.enumerated() where !owners[index].isNone && !text.units.isEmpty {
      let box = tree[owners[index]]
      guard box.kind != .rubyBase, box.kind != .marker, box.pseudo != .marker else { continue }
      let own = styles[box.style.text].language
      let language = own.isEmpty ? defaultLanguage : own
      let number = languageNumbers[language] ?? languages.count
      if number == languages.count {
        languageNumbers[language] = number
        languages.append(language)
      }
      let first = spans.count
      Self.appendSpans(of: text, store, document, into: &spans)
      made.append(
        (
          index,
          Paragraph(
            units: text.units, spans: first..<spans.count, language: number, node: box.node)
        ))
    }
    made.sort {
      let (a, b) = (spans[$0.paragraph.spans.lowerBound].position, spans[$1.paragraph.spans.lowerBound].position)
      return a != b ? a < b : $0.text < $1.text
    }
    var byText = [Int32](repeating: -1, count: store.texts.count)
    for (index, entry) in made.enumerated() {
      byText[entry.text] = Int32(index)
      // A first line of its own look has the same units.
      let firstLine = store.texts[entry.text].firstLine
      if !firstLine.isNone { byText[firstLine.index] = Int32(index) }
    }
    paragraphs = made.map(\.paragraph)
    self.spans = spans
    self.languages = languages
    paragraphByText = byText
  }

  private static func appendSpans(
    of text: AttributedText, _ store: AttributedTextStore, _ document: Document, into spans: inout [Span]
  ) {
    let first = spans.count
    let base = text.units.lowerBound
    for index in text.source {
      let span = store.source[index]
      let unit = base + Int(span.start)
      guard unit < text.units.upperBound else { break }
      let isText = !span.node.isNone && span.node.index < document.nodes.count && document[span.node].kind == .text
      var kind: Span.Kind = span.isAtomic ? .atomic : .text
      if !isText {
        switch store.units[unit] {
        case 0xFFFC, 0x2028, 0x0A: kind = .atomic
        default:
          let stands = !span.node.isNone && document.attribute(.alt, of: span.node) != nil
          kind = stands ? .atomic : .generated
        }
      }
      var position = SourcePosition(
        node: span.node.isNone ? NodeID(0) : span.node, offset: isText ? Int(span.sourceOffset) : 0)
      // Generated content stands behind the text before it.
      if spans.count > first {
        let last = spans[spans.count - 1]
        let end =
          last.kind == .text
          ? SourcePosition(node: last.position.node, offset: last.position.offset + unit - Int(last.start))
          : last.position
        if kind == .generated || position < end { position = end }
      }
      spans.append(Span(start: UInt32(unit), kind: kind, position: position))
    }
    if spans.count == first {
      spans.append(Span(start: UInt32(base), kind: .generated, position: SourcePosition(node: NodeID(0), offset: 0)))
    }
    // Before its first word there is nothing to stand behind.
    if spans[first].kind == .generated, let real = spans[first...].first(where: { $0.kind != .generated }) {
      for index in first..<spans.count where spans[index].kind == .generated && spans[index].position < real.position {
        spans[index].position = real.position
      }
    }
  }

  func paragraph(of text: TextID) -> Int? {
    guard !text.isNone, text.index < paragraphByText.count, paragraphByText[text.index] >= 0 else { return nil }
    return Int(paragraphByText[text.index])
  }

  // MARK: Units and places

  /// The span that holds a unit of a paragraph.
  private func span(at unit: Int, in paragraph: Paragraph) -> Int {
    var low = paragraph.spans.lowerBound
    var high = paragraph.spans.upperBound
    while low < high {
      let middle = (low + high) / 2
      if Int(spans[middle].start) <= unit { low = middle + 1 } else { high = middle }
    }
    return Swift.max(paragraph.spans.lowerBound, low - 1)
  }

  private func end(of span: Int, in paragraph: Paragraph) -> Int {
    span + 1 < paragraph.spans.upperBound ? Int(spans[span + 1].start) : paragraph.units.upperBound
  }

  /// The source of the unit; for the unit behind the last, the place behind the text.
  func position(of unit: Int, in paragraph: Int) -> SourcePosition {
    let paragraph = paragraphs[paragraph]
    if unit >= paragraph.units.upperBound, unit > paragraph.units.lowerBound {
      return position(behind: unit - 1, in: paragraph)
    }
    let span = spans[span(at: unit, in: paragraph)]
    guard span.kind == .text else { return span.position }
    return SourcePosition(node: span.position.node, offset: span.position.offset + unit - Int(span.start))
  }

  /// The place behind a unit.
  func position(behind unit: Int, in paragraph: Paragraph) -> SourcePosition {
    let index = span(at: unit, in: paragraph)
    let span = spans[index]
    switch span.kind {
    case .text:
      return SourcePosition(node: span.position.node, offset: span.position.offset + unit + 1 - Int(span.start))
    case .atomic:
      // The next place there is: the one place the units have in common is before them.
      if index + 1 < paragraph.spans.upperBound, spans[index + 1].position > span.position {
        return spans[index + 1].position
      }
      return SourcePosition(node: span.position.node, offset: span.position.offset + 1)
    case .generated: return span.position
    }
  }

  /// The first unit of a paragraph that stands at or behind a place.
  func unit(at position: SourcePosition, in paragraph: Int) -> Int {
    let paragraph = paragraphs[paragraph]
    // The last span that begins before the place or at it; of those that begin there, the first that is no generated text.
    var low = paragraph.spans.lowerBound
    var high = paragraph.spans.upperBound
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].position < position { low = middle + 1 } else { high = middle }
    }
    if low < paragraph.spans.upperBound, spans[low].position == position {
      var index = low
      while index + 1 < paragraph.spans.upperBound, spans[index].kind == .generated,
        spans[index + 1].position == position
      {
        index += 1
      }
      return Int(spans[spans[index].kind == .generated ? low : index].start)
    }
    guard low > paragraph.spans.lowerBound else { return paragraph.units.lowerBound }
    let span = spans[low - 1]
    let end = end(of: low - 1, in: paragraph)
    guard span.kind == .text, span.position.node == position.node else { return end }
    return Swift.min(end, Int(span.start) + position.offset - span.position.offset)
  }

  /// The units of a paragraph that lie between two places.
  func units(of range: Range<SourcePosition>, in paragraph: Int) -> Range<Int> {
    let start = unit(at: range.lowerBound, in: paragraph)
    return start..<Swift.max(start, unit(at: range.upperBound, in: paragraph))
  }

  /// The paragraph and unit that stand at a place, or first behind it; nil for a chapter without text.
  func locate(_ position: SourcePosition) -> (paragraph: Int, unit: Int)? {
    guard !paragraphs.isEmpty else { return nil }
    var low = 0
    var high = paragraphs.count
    while low < high {
      let middle = (low + high) / 2
      if spans[paragraphs[middle].spans.lowerBound].position <= position { low = middle + 1 } else { high = middle }
    }
    // A paragraph may lie inside another one, in an inline block; the inner one comes later.
    var fallback: (Int, Int)?
    for index in stride(from: low - 1, through: Swift.max(0, low - 16), by: -1) {
      let found = unit(at: position, in: index)
      let paragraph = paragraphs[index]
      if found < paragraph.units.upperBound { return (index, found) }
      if position <= self.position(of: found, in: index) { return (index, found) }
      if fallback == nil { fallback = (index, found) }
    }
    if low < paragraphs.count { return (low, paragraphs[low].units.lowerBound) }
    return fallback.map { ($0.0, $0.1) }
  }

  /// The place of the unit before another one, where there is one.
  func place(before place: (paragraph: Int, unit: Int)) -> (paragraph: Int, unit: Int) {
    var paragraph = place.paragraph
    if place.unit > paragraphs[paragraph].units.lowerBound { return (paragraph, place.unit - 1) }
    while paragraph > 0 {
      paragraph -= 1
      if let last = paragraphs[paragraph].units.last { return (paragraph, last) }
    }
    return place
  }

  func language(of paragraph: Int) -> String { languages[paragraphs[paragraph].language] }

  // MARK: Text

  /// The text between two places as it is copied: paragraphs on lines of their own, without what style sheets add, without
  /// soft hyphens, without pictures.
  func string(_ range: Range<SourcePosition>) -> String {
    var result: [UInt16] = []
    for index in paragraphIndices(touching: range) {
      let units = units(of: range, in: index)
      guard !units.isEmpty else { continue }
      if !result.isEmpty { result.append(0x0A) }
      append(units, of: index, to: &result)
    }
    return String(utf16: result)
  }

  /// The text of units of one paragraph.
  func string(_ units: Range<Int>, of paragraph: Int) -> String {
    var result: [UInt16] = []
    append(units, of: paragraph, to: &result)
    return String(utf16: result)
  }

  private func append(_ range: Range<Int>, of paragraph: Int, to result: inout [UInt16]) {
    let value = paragraphs[paragraph]
    let range = range.clamped(to: value.units)
    guard !range.isEmpty else { return }
    var index = span(at: range.lowerBound, in: value)
    while index < value.spans.upperBound, Int(spans[index].start) < range.upperBound {
      if spans[index].kind != .generated {
        for unit in Swift.max(
          range.lowerBound, Int(spans[index].start))..<Swift.min(range.upperBound, end(of: index, in: value))
        {
          switch units[unit] {
          case 0xAD, 0xFFFC, 0x200B: break
          case 0x2028: result.append(0x0A)
          case let other: result.append(other)
          }
        }
      }
      index += 1
    }
  }

  /// Paragraphs of the book's own text that may hold something of a range, in order.
  func paragraphIndices(touching range: Range<SourcePosition>) -> [Int] {
    paragraphs.indices.filter { index in
      let spans = paragraphs[index].spans
      return self.spans[spans.lowerBound].position < range.upperBound
        && self.spans[spans.upperBound - 1].position.node.rawValue >= range.lowerBound.node.rawValue
    }
  }

  /// A locator with progression and quote.
  func describe(_ position: SourcePosition) -> Locator {
    var locator = position.locator(chapter: chapter)
    guard let (paragraph, unit) = locate(position) else {
      locator.progression = 0
      return locator
    }
    locator.progression = units.isEmpty ? 0 : Double(unit) / Double(units.count)
    let range = paragraphs[paragraph].units
    var before = string(Swift.max(range.lowerBound, unit - TextQuote.length * 2)..<unit, of: paragraph)
    var after = string(unit..<Swift.min(range.upperBound, unit + TextQuote.length * 2), of: paragraph)
    var near = paragraph
    while before.utf16.count < TextQuote.length, near > 0 {
      near -= 1
      let range = paragraphs[near].units
      before =
        string(Swift.max(range.lowerBound, range.upperBound - TextQuote.length * 2)..<range.upperBound, of: near) + " "
        + before
    }
    near = paragraph
    while after.utf16.count < TextQuote.length, near + 1 < paragraphs.count {
      near += 1
      let range = paragraphs[near].units
      after +=
        " " + string(range.lowerBound..<Swift.min(range.upperBound, range.lowerBound + TextQuote.length * 2), of: near)
    }
    locator.quote = TextQuote(
      before: QuoteText.end(of: Array(before.utf16)),
      after: QuoteText.start(of: Array(after.utf16)))
    return locator
  }
}
