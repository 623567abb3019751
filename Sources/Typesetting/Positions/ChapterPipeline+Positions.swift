import ChapterEngine
import Layout
import Primitives
import Styling

extension ChapterPipeline {
  /// What positions and search need to know of the text.
  func chapterText() -> ChapterText {
    ChapterText(
      tree: tree, styles: styles.table, document: document, chapter: index, language: language)
  }

  /// Where everything stands on a page.
  ///
  /// - Parameter previous: The first place of the page before.
  func content(of page: PageLayout, text: ChapterText, after previous: SourcePosition?) -> PageMap {
    PageReader.read(
      page, text: text, tree: tree, fit: fit, links: links(on: page), after: previous,
      size: viewport == nil ? page.size : paper)
  }
}
