import Graphics
import Primitives

/// Neighbouring glyphs that stand at another distance in one run than in the other, for another reason than justification: the
/// kerning of a unit, or the widths of its glyphs.
///
/// The distance of two glyphs within a word is the same all over a book, whatever justification does to the spaces, and to
/// distances of ideographs. Where most occurrences of a pair have one distance in the old run and most have another one in the
/// new run, the pair was set otherwise.
final class GlyphPairs {
  /// Two neighbours in a run of glyphs. Faces by content.
  struct Pair: Hashable {
    var face: UInt64
    var size: Int32
    var first: UInt16
    var second: UInt16

    /// The same at all sizes.
    var unsized: Pair { Pair(face: face, size: 0, first: first, second: second) }
  }

  /// The letters that the pairs of a face that changed have in common.
  struct Letters: Hashable {
    /// One letter, or a few pairs of letters; empty where they are many.
    var text = ""
    /// The letter itself is wider or narrower, before whatever other.
    var isWidth = false
  }

  /// The distance that more occurrences have than any other, by a vote of all.
  private struct Distance {
    var value: Int32
    var least: Int32
    var votes: Int32 = 1
    var total: Int32 = 1
    /// Justification may have made it.
    var isElastic = false
    var isUsual: Bool { votes * 3 >= total && (!isElastic || votes >= GlyphPairs.leastOfElastic) }

    mutating func take(_ distance: Int32) {
      total &+= 1
      least = min(least, distance)
      if abs(distance - value) <= GlyphPairs.noise {
        votes &+= 1
      } else if votes == 0 {
        value = distance
        votes = 1
      } else {
        votes -= 1
      }
    }
  }

  /// Sums of 1/64 px may be rounded otherwise at another place of the line.
  private static let noise: Int32 = 2
  /// So many pairs are called by their letters.
  private static let maximumNamed = 2
  /// A letter that stands first in so many pairs of a face, and in half of them, is of another width.
  private static let leastOfWidth = 3
  /// So many more than not are to have one distance where lines are justified between letters.
  private static let leastOfElastic: Int32 = 3

  let changed: Set<Pair>
  /// By face with such pairs.
  private(set) var letters: [UInt64: Letters] = [:]

  /// Pages of a run that may differ, and what was painted on each.
  struct Pages {
    var records: [PageRecord]
    var display: (PageRecord) -> PageDisplay?
  }

  init(old: Pages, new: Pages) {
    var text = GlyphText()
    let before = Distances(old, &text)
    let after = Distances(new, &text)
    var found: Set<Pair> = []
    for (pair, distance) in after.known {
      // A pair that is wider than the glyph by more than kerning has a space in it.
      guard let other = before.known[pair], distance.isUsual, other.isUsual,
        abs(distance.value - other.value) > Self.noise,
        min(distance.value, other.value) - min(before.least(pair), after.least(pair)) <= pair.size / 7
      else { continue }
      found.insert(pair)
    }
    changed = found
    let kinds = Set(found.map(\.unsized))
    let widened = Self.widened(kinds)
    for (face, pairs) in Dictionary(grouping: kinds, by: \.face) {
      var own = Letters()
      if let glyph = widened.first(where: { $0.face == face }), let scalar = text.character(glyph.glyph, of: face) {
        own = Letters(text: String(scalar), isWidth: true)
      } else if pairs.count <= Self.maximumNamed {
        own.text = Set(pairs.compactMap { Self.name(of: $0, text) }).sorted().joined(separator: ", ")
      }
      letters[face] = own
    }
  }

  private static func name(of pair: Pair, _ text: GlyphText) -> String? {
    guard let first = text.character(pair.first, of: pair.face), let second = text.character(pair.second, of: pair.face)
    else { return nil }
    return String(String.UnicodeScalarView([first, second]))
  }

  /// The distances of the pairs of a run.
  private struct Distances {
    private(set) var known: [Pair: Distance] = [:]
    private var least: [UInt64: Int32] = [:]

    /// The least distance of anything from the first glyph.
    func least(_ pair: Pair) -> Int32 { least[Self.key(pair)] ?? .max }

    private static func key(_ pair: Pair) -> UInt64 {
      pair.face &* 31 &+ UInt64(pair.first) << 32 &+ UInt64(UInt32(bitPattern: pair.size))
    }

    init(_ pages: Pages, _ text: inout GlyphText) {
      /// Of lines whose text cannot be told: they count for faces that have no other lines.
      var loose: [Pair: Distance] = [:]
      var faces: Set<UInt64> = []
      var unread: [[PageDisplay.LineOfGlyphs]] = []
      for record in pages.records {
        var own: [PageDisplay.LineOfGlyphs] = []
        defer { unread.append(own) }
        guard let page = pages.display(record) else { continue }
        page.forEachLineOfGlyphs { line in
          // What widens the glyphs of a line widens their distances.
          guard line.expansion == 0, line.glyphs.count > 1 else { return }
          if let piece = text.piece(line.glyphs, line.face, of: page, record) {
            faces.insert(line.face)
            take(line, of: page, piece)
          } else {
            own.append(line)
            GlyphPairs.forEachPair(line, of: page) { pair, distance, _ in
              Self.take(pair, distance, isElastic: false, &loose)
            }
          }
        }
      }
      // Ligatures are told when the letters around them are known from other lines.
      for (record, lines) in zip(pages.records, unread) {
        let lines = lines.filter { faces.contains($0.face) }
        guard !lines.isEmpty, let page = pages.display(record) else { continue }
        for line in lines {
          if let piece = text.piece(line.glyphs, line.face, of: page, record) { take(line, of: page, piece) }
        }
      }
      for (pair, distance) in loose where !faces.contains(pair.face) {
        known[pair] = distance
        note(distance.least, of: pair)
      }
    }

    private mutating func note(_ distance: Int32, of pair: Pair) {
      let key = Self.key(pair)
      least[key] = min(least[key] ?? .max, distance)
    }

    private mutating func take(_ line: PageDisplay.LineOfGlyphs, of page: PageDisplay, _ piece: GlyphText.Piece) {
      GlyphPairs.forEachPair(line, of: page) { pair, distance, index in
        let join = piece.join(before: index)
        if join == .space { return }
        Self.take(pair, distance, isElastic: join == .elastic, &known)
        note(distance, of: pair)
      }
    }

    private static func take(
      _ pair: Pair, _ distance: Int32, isElastic: Bool, _ distances: inout [Pair: Distance]
    ) {
      if distances[pair]?.take(distance) == nil {
        distances[pair] = Distance(value: distance, least: distance, isElastic: isElastic)
      }
    }
  }

  /// The glyphs that stand first in most of the pairs of their faces.
  private static func widened(_ pairs: Set<Pair>) -> [GlyphText.Glyph] {
    Dictionary(grouping: pairs, by: \.face).compactMap { face, pairs in
      var counts: [UInt16: Int] = [:]
      for pair in pairs { counts[pair.first, default: 0] += 1 }
      guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value >= leastOfWidth,
        most.value * 2 >= pairs.count
      else { return nil }
      return GlyphText.Glyph(face: face, glyph: most.key)
    }
  }

  /// The baselines of a page's lines that have one of the pairs, in 1/64 px, and the face of the first.
  func baselines(of page: PageDisplay) -> [Int32: UInt64] {
    var baselines: [Int32: UInt64] = [:]
    if changed.isEmpty { return baselines }
    page.forEachLineOfGlyphs { line in
      Self.forEachPair(line, of: page) { pair, _, index in
        guard changed.contains(pair) else { return }
        let glyph = page.list.glyphs[line.glyphs.lowerBound + index]
        let isAcross = glyph.y == page.list.glyphs[line.glyphs.lowerBound + index - 1].y
        let baseline = (isAcross ? glyph.y : glyph.x).rawValue
        if baselines[baseline] == nil { baselines[baseline] = pair.face }
      }
    }
    return baselines
  }

  static func baseline(_ line: LineRecord) -> Int32 {
    let units = (line.baseline * 64).rounded()
    return abs(units) < 1e9 ? Int32(units) : 0
  }

  /// - Parameter body: Given a pair, its distance in 1/64 px, and the number of its second glyph in the line.
  private static func forEachPair(
    _ line: PageDisplay.LineOfGlyphs, of page: PageDisplay, _ body: (Pair, Int32, _ second: Int) -> Void
  ) {
    for index in line.glyphs.dropFirst() {
      let a = page.list.glyphs[index - 1]
      let b = page.list.glyphs[index]
      guard a.y == b.y || a.x == b.x else { continue }
      let distance = a.y == b.y ? b.x.rawValue &- a.x.rawValue : b.y.rawValue &- a.y.rawValue
      body(
        Pair(face: line.face, size: line.size.rawValue, first: a.glyph, second: b.glyph), abs(distance),
        index - line.glyphs.lowerBound)
    }
  }
}
