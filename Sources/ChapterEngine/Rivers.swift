import Fonts
import Layout
import Primitives

/// Rivers: white that runs down through word spaces that stand one below the other.
enum Rivers {
  /// Lines that a river flows through.
  private static let leastLines = 5
  /// The least width of a word space, in em.
  private static let leastGap: Float = 0.15

  /// The number of rivers on a page, each through more than four lines of a paragraph.
  ///
  /// - Complexity: O(glyphs).
  static func count(on page: PageLayout, fonts: FontBook) -> Int {
    var found = 0
    var text = TextID.none
    /// The gaps of the line before, and how many lines their rivers have come through.
    var above: [(gap: Range<LayoutUnit>, lines: Int)] = []
    for fragment in page.fragments where fragment.kind == .line {
      let line = page.lines[Int(fragment.payload)]
      if line.text != text { above = [] }
      text = line.text
      var here: [(gap: Range<LayoutUnit>, lines: Int)] = []
      for gap in gaps(of: fragment, on: page, fonts) {
        // The longest river that goes on here: by half of the narrower gap at least.
        let lines = above.filter { overlap($0.gap, gap) * 2 >= Swift.min(width($0.gap), width(gap)) }.map(\.lines).max()
        here.append((gap, (lines ?? 0) + 1))
        if here[here.count - 1].lines == leastLines { found += 1 }
      }
      above = here
    }
    return found
  }

  private static func width(_ gap: Range<LayoutUnit>) -> LayoutUnit { gap.upperBound - gap.lowerBound }
  private static func overlap(_ one: Range<LayoutUnit>, _ other: Range<LayoutUnit>) -> LayoutUnit {
    Swift.min(one.upperBound, other.upperBound) - Swift.max(one.lowerBound, other.lowerBound)
  }

  /// The word spaces of a line, from its block's line-left edge.
  private static func gaps(of line: Fragment, on page: PageLayout, _ fonts: FontBook) -> [Range<LayoutUnit>] {
    var ink: [Range<LayoutUnit>] = []
    var least = LayoutUnit.zero
    var child = line.firstChild
    while !child.isNone {
      let fragment = page[child]
      child = fragment.nextSibling
      guard fragment.kind == .text else { continue }
      let text = page.texts[Int(fragment.payload)]
      guard !text.isAnnotation, let face = fonts.face(text.font) else { continue }
      least = LayoutUnit(text.size * leastGap)
      let left = line.offset.inline + fragment.offset.inline
      for glyph in page.glyphs[Int(text.glyphs.lowerBound)..<Int(text.glyphs.upperBound)] {
        let advance = face.metrics.scaled(face.advance(glyph.id), size: text.size) * text.expansionFactor
        ink.append(left + glyph.x..<left + glyph.x + LayoutUnit(Swift.max(0, advance)))
      }
    }
    ink.sort { $0.lowerBound < $1.lowerBound }
    guard var end = ink.first?.upperBound else { return [] }
    var gaps: [Range<LayoutUnit>] = []
    for glyph in ink {
      if glyph.lowerBound - end > least { gaps.append(end..<glyph.lowerBound) }
      end = Swift.max(end, glyph.upperBound)
    }
    return gaps
  }
}
