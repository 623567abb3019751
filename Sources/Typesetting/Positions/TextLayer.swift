import Painting
public import Primitives
import Text

/// A line of text on a page, for a layer of selectable text over the page's picture.
public struct TextLine: Hashable, Sendable {
  /// Without automatic hyphens, soft hyphens and what style sheets add. Spaces at its end are kept.
  public var text: String
  /// The source of the text.
  public var range: Range<Locator>
  /// CSS px from the page's top left corner.
  public var rect: Rect
  /// The line's words in logical order, each with the punctuation and spaces that follow it as words of their own.
  public var words: [Word]
  /// The line runs downwards.
  public var isVertical: Bool
  /// The line's paragraph runs from right to left.
  public var isRightToLeft: Bool
  /// BCP 47 tag of the paragraph, lower-case; empty when unknown.
  public var language: String
  /// The line is its paragraph's last one: the text of the next line is another paragraph's.
  public var endsParagraph: Bool

  /// A word, or the spaces or punctuation between two words (UAX #29).
  public struct Word: Hashable, Sendable {
    /// As the book writes it, without soft hyphens.
    public var text: String
    /// The source of the word.
    public var range: Range<Locator>
    /// CSS px from the page's top left corner.
    public var rect: Rect
    /// The piece has letters, digits or ideographs.
    public var isWord: Bool
  }
}

extension PageMap {
  func links(chapter: Int) -> [Page.Link] {
    links.map { link in
      Page.Link(
        href: link.href, rect: link.rect, source: Locator(chapter: chapter, node: link.node, offset: 0))
    }
  }

  func pictures(chapter: Int) -> [Page.Picture] {
    objects.map { Page.Picture(source: Locator(chapter: chapter, node: $0.node, offset: 0), rect: $0.rect) }
  }

  func textLines(_ text: ChapterText) -> [TextLine] {
    let boundaries = TextBoundaries()
    return lines.map { line in
      let paragraph = Int(line.paragraph)
      let units = Int(line.units.lowerBound)..<Int(line.units.upperBound)
      var words: [TextLine.Word] = []
      boundaries.forEachWord(in: text.units, units) { range, isWord in
        let string = text.string(range, of: paragraph)
        guard !string.isEmpty else { return }
        // Spaces at a line's end take no room.
        let rect = rectangle(range, in: line) ?? end(of: line, behind: words.last?.rect)
        words.append(
          TextLine.Word(text: string, range: text.locators(range, of: paragraph), rect: rect, isWord: isWord))
      }
      return TextLine(
        text: text.string(units, of: paragraph), range: text.locators(units, of: paragraph), rect: line.rect,
        words: words, isVertical: !line.writingMode.isHorizontal, isRightToLeft: line.direction == .rtl,
        language: text.language(of: paragraph),
        endsParagraph: units.upperBound == text.paragraphs[paragraph].units.upperBound)
    }
  }

  /// An empty rectangle behind what stands on a line.
  private func end(of line: Line, behind last: Rect?) -> Rect {
    var rect = last ?? line.rect
    let isRTL = line.direction == .rtl
    if line.writingMode.isHorizontal {
      if !isRTL { rect.x = rect.maxX }
      rect.width = .zero
    } else {
      if !isRTL { rect.y = rect.maxY }
      rect.height = .zero
    }
    return rect
  }

  /// The rectangle around units of one line; nil when none of them is drawn.
  func rectangle(_ units: Range<Int>, in line: Line) -> Rect? {
    rectangles(units, in: line).reduce(nil) { $0?.union($1) ?? $1 }
  }

  /// The rectangles of units of one line, from its left or top end: neighbours in one piece, in bidirectional text several.
  func rectangles(_ units: Range<Int>, in line: Line) -> [Rect] {
    var rects: [Rect] = []
    for run in runs[Int(line.runs.lowerBound)..<Int(line.runs.upperBound)] {
      let part = units.clamped(to: Int(run.units.lowerBound)..<Int(run.units.upperBound))
      guard !part.isEmpty else { continue }
      let rect = rect(run, from: edge(part.lowerBound, of: run), to: edge(part.upperBound, of: run), in: line)
      if let last = rects.last, last.touches(rect, isVertical: !line.writingMode.isHorizontal) {
        rects[rects.count - 1] = last.union(rect)
      } else {
        rects.append(rect)
      }
    }
    return rects
  }
}

extension Rect {
  /// The other rectangle is a piece of the same line, right beside this one.
  func touches(_ other: Rect, isVertical: Bool) -> Bool {
    let slack = LayoutUnit(0.25)
    return isVertical
      ? other.y <= maxY + slack && y <= other.maxY + slack : other.x <= maxX + slack && x <= other.maxX + slack
  }
}

extension ChapterText {
  func locators(_ units: Range<Int>, of paragraph: Int) -> Range<Locator> {
    let start = position(of: units.lowerBound, in: paragraph).locator(chapter: chapter)
    let end: Locator
    if units.isEmpty {
      end = start
    } else {
      end = position(behind: units.upperBound - 1, in: paragraphs[paragraph]).locator(chapter: chapter)
    }
    return start..<Swift.max(start, end)
  }
}
