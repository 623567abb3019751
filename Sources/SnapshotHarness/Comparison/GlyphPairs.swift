import Graphics
import Primitives

/// Neighbouring glyphs that stand at another distance in one run than in the other, for another reason than justification: the
/// kerning of a unit, or the widths of its glyphs.
///
/// The distance of two glyphs within a word is the same all over a book, whatever justification does to the spaces. Where most
/// occurrences of a pair have one distance in the old run and most have another one in the new run, the pair was set otherwise.
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

  /// A glyph of a face.
  private struct Glyph: Hashable {
    var face: UInt64
    var glyph: UInt16
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
    var votes: Int32 = 1
    var total: Int32 = 1
    var isUsual: Bool { votes * 3 >= total }

    mutating func take(_ distance: Int32) {
      total &+= 1
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
  /// As many pairs are looked for in the text, and so many are called by their letters.
  private static let maximumLookedUp = 64
  private static let maximumNamed = 2
  /// A letter that stands first in so many pairs of a face, and in half of them, is of another width.
  private static let leastOfWidth = 3

  let changed: Set<Pair>
  /// By face with such pairs.
  private(set) var letters: [UInt64: Letters] = [:]

  /// - Parameters:
  ///   - old: the pages of the old run that may differ, and those of the new run.
  ///   - lines: the layout record of a new page, for the letters.
  init(
    old: some Sequence<PageDisplay>, new: some Sequence<(number: Int, display: PageDisplay)>,
    record: (Int) -> PageRecord?
  ) {
    var least: [UInt64: Int32] = [:]
    var before: [Pair: Distance] = [:]
    for page in old { Self.take(page, &before, &least) }
    var after: [Pair: Distance] = [:]
    var pages: [Int] = []
    for page in new {
      Self.take(page.display, &after, &least)
      pages.append(page.number)
    }
    var found: Set<Pair> = []
    for (pair, distance) in after {
      // A pair that is wider than the glyph by more than kerning has a space in it.
      guard let other = before[pair], distance.isUsual, other.isUsual, abs(distance.value - other.value) > Self.noise,
        min(distance.value, other.value) - (least[Self.key(pair)] ?? 0) <= pair.size / 7
      else { continue }
      found.insert(pair)
    }
    var kinds = Set(found.map(\.unsized))
    let widened = Self.widened(kinds)
    let looksUpPairs = kinds.count <= Self.maximumLookedUp
    var names: [Pair: String?] = [:]
    var scalars: [Glyph: Unicode.Scalar] = [:]
    for page in new {
      if widened.allSatisfy({ scalars[$0] != nil }), !looksUpPairs || names.count >= kinds.count { break }
      guard let record = record(page.number) else { continue }
      Self.findNames(of: kinds, page.display, record, &names, &scalars)
    }
    if looksUpPairs {
      // Pairs that only stand in runs with ligatures.
      for pair in kinds where names[pair] == nil {
        guard let first = scalars[Glyph(face: pair.face, glyph: pair.first)],
          let second = scalars[Glyph(face: pair.face, glyph: pair.second)]
        else { continue }
        names[pair] = String(String.UnicodeScalarView([first, second]))
      }
      // Two words with one space between them, as narrow as a kerned letter.
      let spaced = Set(names.filter { $0.value == nil }.keys)
      found = found.filter { !spaced.contains($0.unsized) }
      kinds.subtract(spaced)
    }
    changed = found
    for (face, pairs) in Dictionary(grouping: kinds, by: \.face) {
      var own = Letters()
      if let glyph = widened.first(where: { $0.face == face }), let scalar = scalars[glyph] {
        own = Letters(text: String(scalar), isWidth: true)
      } else if pairs.count <= Self.maximumNamed {
        own.text = Set(pairs.compactMap { names[$0] ?? nil }).sorted().joined(separator: ", ")
      }
      letters[face] = own
    }
  }

  /// The glyphs that stand first in most of the pairs of their faces.
  private static func widened(_ pairs: Set<Pair>) -> [Glyph] {
    Dictionary(grouping: pairs, by: \.face).compactMap { face, pairs in
      var counts: [UInt16: Int] = [:]
      for pair in pairs { counts[pair.first, default: 0] += 1 }
      guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value >= leastOfWidth,
        most.value * 2 >= pairs.count
      else { return nil }
      return Glyph(face: face, glyph: most.key)
    }
  }

  private static func key(_ pair: Pair) -> UInt64 {
    pair.face &* 31 &+ UInt64(pair.first) << 32 &+ UInt64(UInt32(bitPattern: pair.size))
  }

  private static func take(_ page: PageDisplay, _ distances: inout [Pair: Distance], _ least: inout [UInt64: Int32]) {
    forEachPair(page) { pair, distance, _ in
      let key = key(pair)
      least[key] = min(least[key] ?? .max, distance)
      if distances[pair]?.take(distance) == nil { distances[pair] = Distance(value: distance) }
    }
  }

  /// The baselines of a page's lines that have one of the pairs, in 1/64 px, and the face of the first.
  func baselines(of page: PageDisplay) -> [Int32: UInt64] {
    var baselines: [Int32: UInt64] = [:]
    if changed.isEmpty { return baselines }
    Self.forEachPair(page) { pair, _, baseline in
      if changed.contains(pair), baselines[baseline] == nil { baselines[baseline] = pair.face }
    }
    return baselines
  }

  static func baseline(_ line: LineRecord) -> Int32 {
    let units = (line.baseline * 64).rounded()
    return abs(units) < 1e9 ? Int32(units) : 0
  }

  /// Finds letters where a run has as many as glyphs; `nil` for those with a space between them.
  ///
  /// - Parameters:
  ///   - pairs: Those that are looked for, without their sizes.
  ///   - letters: Those of single glyphs of the pairs' faces.
  private static func findNames(
    of pairs: Set<Pair>, _ page: PageDisplay, _ record: PageRecord, _ names: inout [Pair: String?],
    _ letters: inout [Glyph: Unicode.Scalar]
  ) {
    let faces = Set(pairs.map(\.face))
    page.forEachLineOfGlyphs { face, _, _, _, range in
      guard faces.contains(face), let start = page.list.glyphs[range].first else { return }
      let x = Double(start.x.rawValue) / 64
      for line in record.lines where baseline(line) == start.y.rawValue && line.dir != "rtl" {
        guard let run = line.runs.last(where: { $0.x <= x + 0.5 }) else { continue }
        let scalars = Array(run.text.unicodeScalars)
        let places = scalars.indices.filter { !ChapterDiff.essence(String(scalars[$0])).isEmpty }
        guard places.count == range.count else { continue }
        for (index, place) in zip(range, places) {
          let glyph = page.list.glyphs[index].glyph
          letters[Glyph(face: face, glyph: glyph)] = scalars[place]
          guard index > range.lowerBound else { continue }
          let pair = Pair(face: face, size: 0, first: page.list.glyphs[index - 1].glyph, second: glyph)
          guard pairs.contains(pair), names[pair] == nil else { continue }
          let left = places[index - 1 - range.lowerBound]
          names[pair] = .some(place == left + 1 ? String(String.UnicodeScalarView(scalars[left...place])) : nil)
        }
        break
      }
    }
  }

  private static func forEachPair(_ page: PageDisplay, _ body: (Pair, Int32, _ baseline: Int32) -> Void) {
    page.forEachLineOfGlyphs { face, size, _, _, range in
      for index in range.dropFirst() {
        let a = page.list.glyphs[index - 1]
        let b = page.list.glyphs[index]
        let pair = Pair(face: face, size: size.rawValue, first: a.glyph, second: b.glyph)
        if a.y == b.y {
          body(pair, abs(b.x.rawValue &- a.x.rawValue), b.y.rawValue)
        } else if a.x == b.x {
          body(pair, abs(b.y.rawValue &- a.y.rawValue), b.x.rawValue)
        }
      }
    }
  }
}
