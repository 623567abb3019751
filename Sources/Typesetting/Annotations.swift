public import Graphics
import Painting
public import Primitives

/// Something a reader has added to a stretch of text. It is drawn over pages and never moves what is on them.
public struct Annotation: Hashable, Sendable {
  /// The looks of an annotation.
  public enum Style: Hashable, Sendable {
    /// A ground of colour behind the text.
    case highlight
    /// A line under the text; beside it in vertical lines.
    case underline(StrokeStyle = .solid)
    /// A small mark at the end, for a note that is shown elsewhere.
    case note
  }
  /// The text it marks.
  public var range: Range<Locator>
  /// The style it is drawn in.
  public var style: Style
  /// The colour of the highlight, line or mark.
  public var color: Color

  /// A highlight, line or mark over a range of text.
  public init(_ style: Style, _ range: Range<Locator>, color: Color = Color(red: 0xFF, green: 0xE0, blue: 0x66)) {
    self.range = range
    self.style = style
    self.color = color
  }
}

extension Theme {
  /// The colour of a highlight: on dark paper, which it lightens, so dim that text on it keeps the contrast it has to have.
  func highlight(_ color: Color) -> Color {
    guard isDark else { return color }
    func lightened(_ paper: UInt8, _ color: UInt8) -> UInt8 {
      255 - UInt8((255 - Int(paper)) * (255 - Int(color)) / 255)
    }
    var dim = color
    for percent in stride(from: 100, through: 5, by: -5) {
      func part(_ channel: UInt8) -> UInt8 { UInt8(Int(channel) * percent / 100) }
      dim = Color(red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: color.alpha)
      let behind = Color(
        red: lightened(paper.red, dim.red), green: lightened(paper.green, dim.green),
        blue: lightened(paper.blue, dim.blue))
      if ink.contrast(with: behind) >= Swift.max(minimumContrast, 4.5) { break }
    }
    return dim
  }
}

extension Page {
  /// The page with annotations drawn on it: those of other pages leave no trace.
  public func displayList(with annotations: [Annotation]) -> DisplayList {
    let theme = engine.settings.theme
    var painter = AnnotationPainter(on: displayList, isDark: theme.isDark)
    for annotation in annotations {
      let pieces = content.pieces(of: annotation.range, chapter: chapter, text)
      guard let last = pieces.last else { continue }
      switch annotation.style {
      case .highlight: painter.highlight(pieces.map(\.rect), theme.highlight(annotation.color))
      case .underline(let style): painter.underline(pieces, style, annotation.color)
      case .note:
        if content.holdsEnd(of: annotation.range, chapter: chapter, text) {
          painter.mark(at: last.rect, isVertical: last.isVertical, annotation.color)
        }
      }
    }
    return painter.result
  }

  /// The rectangles that cover the part of a range that is on the page: one for each line, several in lines of mixed direction.
  public func rectangles(of range: Range<Locator>) -> [Rect] {
    range.positions(in: chapter).map { content.rectangles($0, text) } ?? []
  }

  /// Those of some annotations that lie at a point, the shortest first.
  public func annotations(_ annotations: [Annotation], at point: Point) -> [Annotation] {
    let hits = annotations.compactMap { annotation -> (Annotation, Int)? in
      let pieces = content.pieces(of: annotation.range, chapter: chapter, text)
      guard pieces.contains(where: { $0.rect.distance(to: point) == 0 }) else { return nil }
      return (annotation, pieces.reduce(0) { $0 + Int($1.rect.width.rawValue) + Int($1.rect.height.rawValue) })
    }
    return hits.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension PageMap {
  /// The rectangles of a range on the page, and how their lines run.
  func pieces(of range: Range<Locator>, chapter: Int, _ text: ChapterText) -> [(rect: Rect, isVertical: Bool)] {
    guard let positions = range.positions(in: chapter) else { return [] }
    return rectangles(positions, text).map { rect in
      let line = lines.first { $0.rect.intersects(rect) }
      return (rect, line.map { !$0.writingMode.isHorizontal } ?? false)
    }
  }

  /// The last character of a range is on the page.
  func holdsEnd(of range: Range<Locator>, chapter: Int, _ text: ChapterText) -> Bool {
    guard range.upperBound.chapter == chapter, let (paragraph, unit) = text.locate(range.upperBound.position) else {
      return false
    }
    return lines.contains {
      Int($0.paragraph) == paragraph && Int($0.units.lowerBound) < unit && unit <= Int($0.units.upperBound)
    }
  }
}
