import Graphics
import Primitives

/// The characters that the glyphs of a unit stand for, as far as its layout records tell: a run of text, and the glyphs that were
/// painted in its place.
struct GlyphText {
  /// A glyph of a face.
  struct Glyph: Hashable {
    var face: UInt64
    var glyph: UInt16
  }

  /// The text of some glyphs in a row.
  struct Piece {
    var scalars: [Unicode.Scalar]
    /// By glyph: the place of its first character.
    var places: [Int]

    /// What stands between a glyph and the one before it, which is not the first.
    func join(before glyph: Int) -> Join {
      let (first, second) = (places[glyph - 1], places[glyph])
      if second > first + 1, scalars[(first + 1)..<second].contains(where: GlyphText.isSpace) { return .space }
      return GlyphText.isWide(scalars[max(first, second - 1)]) || GlyphText.isWide(scalars[second]) ? .elastic : .fixed
    }
  }

  /// The distance of two neighbours in a line.
  enum Join {
    /// It is theirs, wherever they stand.
    case fixed
    /// Lines are justified between such characters, too.
    case elastic
    /// There is a space between them.
    case space
  }

  /// The character that a glyph stands for more often than for any other, by a vote of the runs that have as many of both.
  private struct Vote {
    var scalar: Unicode.Scalar
    var lead: Int32 = 1

    mutating func take(_ other: Unicode.Scalar) {
      if other == scalar {
        lead &+= 1
      } else if lead == 0 {
        self = Vote(scalar: other)
      } else {
        lead -= 1
      }
    }
  }

  private var votes: [Glyph: Vote] = [:]

  func character(_ glyph: UInt16, of face: UInt64) -> Unicode.Scalar? {
    votes[Glyph(face: face, glyph: glyph)]?.scalar
  }

  /// A glyph stands for so many characters, at most.
  private static let maximumLigature = 4

  /// The text of glyphs that are painted in a row; nil where it cannot be told.
  mutating func piece(
    _ glyphs: Range<Int>, _ face: UInt64, of page: PageDisplay, _ record: PageRecord
  ) -> Piece? {
    guard let start = page.list.glyphs[glyphs].first, let end = page.list.glyphs[glyphs].last else { return nil }
    for line in record.lines where line.dir != "rtl" {
      let isVertical = line.isVertical
      guard GlyphPairs.baseline(line) == (isVertical ? start.x : start.y).rawValue else { continue }
      func place(_ run: RunRecord) -> Double { isVertical ? run.y ?? line.box.y : run.x }
      func length(_ value: LayoutUnit) -> Double { Double(value.rawValue) / 64 + 0.5 }
      guard let first = line.runs.lastIndex(where: { place($0) <= length(isVertical ? start.y : start.x) }) else {
        continue
      }
      let runs = line.runs[first...].prefix { place($0) <= length(isVertical ? end.y : end.x) }
      let scalars = runs.flatMap { $0.text.unicodeScalars }
      if let places = places(of: glyphs, face, page, scalars) { return Piece(scalars: scalars, places: places) }
    }
    return nil
  }

  private mutating func places(
    of glyphs: Range<Int>, _ face: UInt64, _ page: PageDisplay, _ scalars: [Unicode.Scalar]
  ) -> [Int]? {
    let letters = scalars.indices.filter { !ChapterDiff.essence(String(scalars[$0])).isEmpty }
    func known(_ index: Int) -> Unicode.Scalar? { character(page.list.glyphs[index].glyph, of: face) }
    if letters.count == glyphs.count {
      // A ligature and a glyph without a character, such as a hyphen, may make up for each other.
      let others = zip(glyphs, letters).count { glyph, place in known(glyph).map { $0 != scalars[place] } ?? false }
      if others * 4 <= letters.count {
        for (index, place) in zip(glyphs, letters) {
          let glyph = Glyph(face: face, glyph: page.list.glyphs[index].glyph)
          if votes[glyph]?.take(scalars[place]) == nil { votes[glyph] = Vote(scalar: scalars[place]) }
        }
        return letters
      }
    }
    var places: [Int] = []
    var next = 0
    for index in glyphs {
      if next == letters.count, index == glyphs.upperBound - 1, let last = places.last {
        // The hyphen of a divided word.
        return places + [last]
      }
      guard next < letters.count else { return nil }
      places.append(letters[next])
      if let own = known(index), own == scalars[letters[next]] {
        next += 1
      } else if index == glyphs.upperBound - 1 {
        next = letters.count
      } else {
        guard let following = known(index + 1),
          let step = (1...Self.maximumLigature).first(where: {
            next + $0 < letters.count && scalars[letters[next + $0]] == following
          })
        else { return nil }
        next += step
      }
    }
    return next == letters.count ? places : nil
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// Ideographs, kana, and the punctuation that is set with them.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x303F, 0xFF00...0xFFEF: true
    default:
      switch Script(String(scalar)) {
      case .han, .kana, .hangul: true
      default: false
      }
    }
  }
}
