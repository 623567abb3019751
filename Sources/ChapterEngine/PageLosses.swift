package import BoxGeneration
import Platform
package import Primitives
import Synchronization

/// What a page cannot show for want of fonts, of libraries that decode pictures, and of pictures.
package struct PageLosses: Sendable, Equatable {
  package internal(set) var characters = MissingCharacters()
  /// Elements whose pictures cannot be drawn, in the order of their boxes.
  package internal(set) var pictures: [(node: NodeID, reason: UndrawnPicture)] = []

  package init() {}

  package static func == (a: Self, b: Self) -> Bool {
    a.characters == b.characters && a.pictures.elementsEqual(b.pictures) { $0 == $1 }
  }
}

/// What the pages laid out so far cannot show, each counted once however often it is laid out.
package final class LossRegister: Sendable {
  private struct Place: Hashable, Comparable {
    var chapter: Int
    var page: Int
    static func < (a: Self, b: Self) -> Bool { (a.chapter, a.page) < (b.chapter, b.page) }
  }

  private let pages = Lock<[Place: MissingCharacters]>([:])

  package init() {}

  package func note(_ losses: PageLosses, page: Int, of chapter: Int) {
    guard !losses.characters.isEmpty else { return }
    let place = Place(chapter: chapter, page: page)
    pages.withLock { pages in
      // Margin boxes are known of pages that were painted.
      if let known = pages[place], known.count > losses.characters.count { return }
      pages[place] = losses.characters
    }
  }

  /// The characters of all pages, in the order of the book.
  package var characters: MissingCharacters {
    var all = MissingCharacters()
    for (_, own) in pages.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { all.add(own) }
    return all
  }
}
