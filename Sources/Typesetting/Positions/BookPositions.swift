import ChapterEngine
import Platform
import Publications

/// A place in Readium's list of positions: numbers that stay the same whatever the settings, about a page of paper apart.
public struct BookPosition: Hashable, Sendable, Codable {
  /// From 1, through the whole book.
  public var number: Int
  /// Position of the chapter in the reading order.
  public var chapter: Int
  /// The share of the chapter before the place, 0 up to 1.
  public var progression: Double
  /// The share of the book before the place, 0 up to 1.
  public var totalProgression: Double

  /// UTF-16 units of a chapter's text before the place.
  func units(of length: Int) -> Int { Int(Double(length) * Swift.min(Swift.max(0, progression), 1)) }
}

extension Book {
  /// The positions of the book: one for each 1024 bytes of a chapter as it is packed in the book, one for each fixed page.
  /// Nothing is parsed.
  public var positions: [BookPosition] {
    var positions: [BookPosition] = []
    for (chapter, item) in publication.spine.enumerated() {
      let isFixed = FixedLayout.applies(to: item, in: publication)
      let count = isFixed ? 1 : Swift.max(1, (publication.size(of: chapter).packed + 1023) / 1024)
      for index in 0..<count {
        positions.append(
          BookPosition(
            number: positions.count + 1, chapter: chapter, progression: Double(index) / Double(count),
            totalProgression: 0))
      }
    }
    for index in positions.indices { positions[index].totalProgression = Double(index) / Double(positions.count) }
    return positions
  }

  /// The place of a position.
  public func locator(for position: BookPosition) async -> Locator {
    guard publication.spine.indices.contains(position.chapter) else { return Locator(startOfChapter: 0) }
    return await Worker.perform {
      let source = source(of: position.chapter)
      return describe(
        source.position(afterUnits: position.units(of: source.length)), chapter: position.chapter, source)
    }
  }

  /// The position that a place belongs to: the last one that does not lie behind it; nil when the book has no such chapter.
  public func position(of locator: Locator) async -> BookPosition? {
    let positions = positions.filter { $0.chapter == locator.chapter }
    guard positions.count > 1 else { return positions.first }
    return await Worker.perform {
      let source = source(of: locator.chapter)
      let units = source.units(before: locator.position)
      return positions.last { $0.units(of: source.length) <= units }
    }
  }
}
