package import Fonts
import Images
import Platform
package import Primitives
import Synchronization

/// What a page cannot show for want of fonts and of libraries that decode pictures.
package struct PageLosses: Sendable, Equatable {
  package internal(set) var characters = MissingCharacters()
  /// The number of pictures by the library that they lack.
  var pictures: [MissingDecoder: Int] = [:]

  package init() {}

  package var isEmpty: Bool { characters.isEmpty && pictures.isEmpty }

  /// A warning for each script, and for each library.
  ///
  /// - Parameter resource: The document that they stand in; empty for the whole book.
  package func diagnostics(_ fonts: FontLibrary, resource: String = "") -> [Diagnostic] {
    characters.diagnostics(fonts, resource: resource)
      + pictures.sorted { $0.key.library < $1.key.library }.map { $0.diagnostic(pictures: $1, resource: resource) }
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
