import ChapterEngine
import Layout
import Primitives
import Styling

extension StyledChapter {
  /// The text as positions and search need it.
  func chapterText() -> ChapterText {
    ChapterText(
      tree: tree, styles: styles.table, document: document, chapter: index, language: language)
  }
}

extension PagedChapter {
  /// The map of a page: the places of all its text, pictures and links.
  ///
  /// - Parameter previous: The first place of the page before.
  func content(of page: PageLayout, text: ChapterText, after previous: SourcePosition?) -> PageMap {
    PageReader.read(
      page, text: text, tree: chapter.tree, fit: chapter.fit, links: drawing.links(on: page), after: previous,
      size: chapter.viewport == nil ? page.size : chapter.paper)
  }
}
