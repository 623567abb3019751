public import Primitives
import Text

/// A caret: the page it stands on, and the line it forms there.
public struct Caret: Hashable, Sendable {
  /// The page's index in its chapter.
  public var page: Int
  /// Of no width in horizontal lines, of no height in vertical ones; CSS px from the page's top left corner.
  public var rect: Rect
  /// The text at the caret runs from right to left.
  public var isRightToLeft: Bool
}

extension ChapterLayout {
  // MARK: From points to places

  /// The place nearest to a point on a page, between two characters or at a picture; nil on a page without either.
  ///
  /// Its `side` says on which side of the place the character under the point stands, so that `word(at:)`, `sentence(at:)` and
  /// `line(at:)` give what is at the point.
  public func locator(at point: Point, on page: Int) -> Locator? {
    maps.indices.contains(page) ? maps[page].locator(at: point, chapter: chapter, text) : nil
  }

  // MARK: From places to points

  /// The caret before the character at a place, or behind the one that the place belongs to; nil when no line shows it.
  public func caret(at locator: Locator) -> Caret? {
    guard let (paragraph, unit) = text.character(at: locator, chapter: chapter) else { return nil }
    let page = page(containing: locator)
    return maps[page].caret(unit, of: paragraph, isBehind: locator.side == .before).map {
      Caret(page: page, rect: $0.rect, isRightToLeft: $0.isRightToLeft)
    }
  }

  /// The rectangles that cover a range on a page: one for each line, several in lines of mixed direction.
  public func selectionRectangles(_ range: Range<Locator>, on page: Int) -> [Rect] {
    guard maps.indices.contains(page), let positions = range.positions(in: chapter) else { return [] }
    return maps[page].rectangles(positions, text)
  }

  /// The pages that show something of a range.
  public func pages(of range: Range<Locator>) -> ClosedRange<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    if !range.isEmpty { (start.side, end.side) = (.after, .before) }
    let first = page(containing: start)
    return first...Swift.max(first, page(containing: end))
  }

  // MARK: Units of text

  /// The word around a place, or the spaces or marks between two words (UAX #29; dictionaries for Chinese, Japanese, Thai).
  public func word(at locator: Locator) -> Range<Locator>? { text.word(at: locator, chapter: chapter) }

  /// The sentence around a place (UAX #29), spaces at its end left out.
  public func sentence(at locator: Locator) -> Range<Locator>? { text.sentence(at: locator, chapter: chapter) }

  /// The line around a place, as it is broken on its page.
  public func line(at locator: Locator) -> Range<Locator>? {
    let page = page(containing: locator)
    return maps.indices.contains(page) ? maps[page].line(at: locator, chapter: chapter, text) : nil
  }
}

extension Page {
  /// The place nearest to a point, as ``ChapterLayout/locator(at:on:)`` gives it; nil on a page without text and
  /// pictures.
  public func locator(at point: Point) -> Locator? { content.locator(at: point, chapter: chapter, text) }

  /// The word around a place of the chapter, or the spaces or marks between two words.
  public func word(at locator: Locator) -> Range<Locator>? { text.word(at: locator, chapter: chapter) }

  /// The sentence around a place of the chapter, spaces at its end left out.
  public func sentence(at locator: Locator) -> Range<Locator>? { text.sentence(at: locator, chapter: chapter) }

  /// The line around a place, where it is on the page.
  public func line(at locator: Locator) -> Range<Locator>? { content.line(at: locator, chapter: chapter, text) }

  /// The word under a point; nil where none is, as between words and beside the text.
  public func word(at point: Point) -> Range<Locator>? {
    guard let range = locator(at: point).flatMap({ word(at: $0) }), let positions = range.positions(in: chapter),
      rectangles(of: range).contains(where: { $0.distance(to: point) == 0 }),
      text.string(positions).contains(where: { $0.isLetter || $0.isNumber })
    else { return nil }
    return range
  }

  /// The text in a rectangle, in reading order: characters whose middle lies in it. Lines of a paragraph that both go
  /// on to their ends are one range.
  public func ranges(in rect: Rect) -> [Range<Locator>] { content.ranges(in: rect, text) }

  /// The text in a rectangle as it is copied, its ranges (``ranges(in:)``) parted by line feeds.
  public func text(in rect: Rect) -> String {
    ranges(in: rect).compactMap { $0.positions(in: chapter) }.map { text.string($0) }.joined(separator: "\n")
  }

  /// A stretch of text, with the rectangles of what is on the page of it.
  public func stretch(_ range: Range<Locator>) -> TextStretch {
    TextStretch(
      range: range, text: range.positions(in: chapter).map { text.string($0) } ?? "", rectangles: rectangles(of: range))
  }

  /// What is at a point.
  public func hit(at point: Point) -> PageHit {
    let place = locator(at: point)
    func stretch(_ find: (Locator) -> Range<Locator>?) -> TextStretch? { place.flatMap(find).map { self.stretch($0) } }
    return PageHit(
      place: place?.description, word: stretch(word), sentence: stretch(sentence), line: stretch(line),
      link: links.last { $0.rect.distance(to: point) == 0 },
      picture: pictures.last { $0.rect.distance(to: point) == 0 })
  }
}

extension ChapterText {
  /// The paragraph and unit of the character that a place belongs to.
  func character(at locator: Locator, chapter: Int) -> (paragraph: Int, unit: Int)? {
    guard locator.chapter == chapter, let place = locate(locator.position) else { return nil }
    return locator.side == .before ? self.place(before: place) : place
  }

  /// The word around a place, or what is between two words.
  func word(at locator: Locator, chapter: Int) -> Range<Locator>? {
    segment(at: locator, chapter) { paragraph in
      var found: [Range<Int>] = []
      TextBoundaries().forEachWord(in: units, paragraphs[paragraph].units) { range, _ in found.append(range) }
      return found
    }
  }

  /// The sentence around a place.
  func sentence(at locator: Locator, chapter: Int) -> Range<Locator>? {
    segment(at: locator, chapter) { sentences(of: $0) }
  }

  private func segment(at locator: Locator, _ chapter: Int, _ segments: (Int) -> [Range<Int>]) -> Range<Locator>? {
    guard let (paragraph, unit) = character(at: locator, chapter: chapter) else { return nil }
    let all = segments(paragraph)
    guard let found = all.first(where: { $0.contains(unit) }) ?? all.last else { return nil }
    return locators(found, of: paragraph)
  }

  /// The sentences of a paragraph without the spaces behind them.
  func sentences(of paragraph: Int) -> [Range<Int>] {
    TextBoundaries().sentences(in: units, paragraphs[paragraph].units, language: language(of: paragraph)).map { range in
      var end = range.upperBound
      while end > range.lowerBound + 1, QuoteText.isSpace(units[end - 1]) || units[end - 1] == 0x2028 { end -= 1 }
      return range.lowerBound..<end
    }
  }
}

extension PageMap {
  /// The place nearest to a point, with the side of the character under it.
  func locator(at point: Point, chapter: Int, _ text: ChapterText) -> Locator? {
    guard let (position, side) = position(at: point, text) else { return nil }
    var locator = position.locator(chapter: chapter)
    locator.side = side
    return locator
  }

  /// The line around a place; nil where the page does not show it.
  func line(at locator: Locator, chapter: Int, _ text: ChapterText) -> Range<Locator>? {
    guard let (paragraph, unit) = text.character(at: locator, chapter: chapter) else { return nil }
    let lines = lines.filter { Int($0.paragraph) == paragraph }
    guard
      let line = lines.first(where: { $0.units.contains(UInt32(unit)) })
        ?? lines.last(where: { Int($0.units.upperBound) == unit })
    else { return nil }
    return text.locators(Int(line.units.lowerBound)..<Int(line.units.upperBound), of: paragraph)
  }

  /// The place nearest to a point, and on which side of it the character under the point stands.
  func position(at point: Point, _ text: ChapterText) -> (place: SourcePosition, side: CFI.Side?)? {
    // Lines inside lines share their area: then what is drawn nearest counts.
    var best: (area: Int64, ink: Int64, line: Line?, object: Object?) = (.max, .max, nil, nil)
    for line in lines where !line.runs.isEmpty {
      let area = line.area.distance(to: point)
      guard area <= best.area else { continue }
      let ink = line.rect.distance(to: point)
      if area < best.area || ink < best.ink { best = (area, ink, line, nil) }
    }
    for object in objects {
      let distance = object.rect.distance(to: point)
      if distance < best.area || distance == best.area && distance < best.ink {
        best = (distance, distance, nil, object)
      }
    }
    if let object = best.object { return (SourcePosition(node: object.node, offset: 0), nil) }
    guard let line = best.line else { return nil }
    let lineRuns = runs[Int(line.runs.lowerBound)..<Int(line.runs.upperBound)]
    guard let run = lineRuns.min(by: { $0.rect.distance(to: point) < $1.rect.distance(to: point) }) else { return nil }
    let along: LayoutUnit
    switch line.writingMode {
    case .horizontalTB: along = point.x - run.rect.x
    case .verticalRL, .verticalLR, .sidewaysRL: along = point.y - run.rect.y
    case .sidewaysLR: along = run.rect.maxY - point.y
    }
    let units = Int(run.units.lowerBound)..<Int(run.units.upperBound)
    let carets = TextBoundaries.carets(in: text.units, units)
    let nearest = carets.min { edge($0, of: run).distance(to: along) < edge($1, of: run).distance(to: along) }
    let unit = nearest ?? units.lowerBound
    // The trailing half of a character belongs to it, though the place behind it is nearer.
    let caret = edge(unit, of: run)
    let isBehind = unit > units.lowerBound && (run.level & 1 == 1 ? along > caret : along < caret)
    let isAtEnd = unit == units.upperBound
    return (text.position(of: unit, in: Int(line.paragraph)), isBehind || isAtEnd ? .before : nil)
  }

  /// The caret before a unit of a paragraph, or behind it, or behind the last one.
  func caret(_ unit: Int, of paragraph: Int, isBehind: Bool) -> (rect: Rect, isRightToLeft: Bool)? {
    var behind: (Line, Run)?
    for line in lines where Int(line.paragraph) == paragraph {
      guard Int(line.units.lowerBound) <= unit, unit <= Int(line.units.upperBound) else { continue }
      for run in runs[Int(line.runs.lowerBound)..<Int(line.runs.upperBound)] {
        if run.units.contains(UInt32(unit)) {
          let edge = edge(isBehind ? unit + 1 : unit, of: run)
          return (rect(run, from: edge, to: edge, in: line), run.level & 1 == 1)
        }
        // Behind a run: at a line's end, or before what is not drawn.
        if Int(run.units.upperBound) <= unit, behind == nil || behind!.1.units.upperBound <= run.units.upperBound {
          behind = (line, run)
        }
      }
    }
    return behind.map { line, run in
      let edge = edge(Int(run.units.upperBound), of: run)
      return (rect(run, from: edge, to: edge, in: line), run.level & 1 == 1)
    }
  }

  /// The rectangles of what a range covers on the page.
  func rectangles(_ range: Range<SourcePosition>, _ text: ChapterText) -> [Rect] {
    var rects: [Rect] = []
    var known: (paragraph: Int32, units: Range<Int>) = (-1, 0..<0)
    for line in lines {
      if line.paragraph != known.paragraph {
        known = (line.paragraph, text.units(of: range, in: Int(line.paragraph)))
      }
      let part = known.units.clamped(to: Int(line.units.lowerBound)..<Int(line.units.upperBound))
      if !part.isEmpty { rects += rectangles(part, in: line).filter { !$0.isEmpty } }
    }
    for object in objects
    where range.contains(SourcePosition(node: object.node, offset: 0)) || object.text?.overlaps(range) == true {
      rects.append(object.rect)
    }
    return rects
  }
}

extension Rect {
  /// The squared distance of a point, in units squared; 0 inside.
  func distance(to point: Point) -> Int64 {
    let dx = Int64(Swift.max(x - point.x, point.x - maxX, .zero).rawValue)
    let dy = Int64(Swift.max(y - point.y, point.y - maxY, .zero).rawValue)
    return dx * dx + dy * dy
  }
}

extension LayoutUnit {
  fileprivate func distance(to other: LayoutUnit) -> Int32 { Swift.max(self - other, other - self).rawValue }
}
