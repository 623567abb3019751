import BoxGeneration
import CSS
import Layout
import Markup
package import Primitives
package import Shaping
import Styling

/// The first pages of a huge chapter from a prefix of its document, where nothing behind the prefix shows on them.
extension StyledChapter {
  /// Text for each page that is wanted. No page holds as much, except of the tiniest type.
  private static let textBytesPerPage = 48 << 10
  /// More pages than that are set from the whole chapter.
  private static let mostPages = 4

  /// A chapter whose first `pages` pages are those of the whole chapter; the pages behind may be missing.
  package static func forFirstPages(
    _ pages: Int, of resources: BookResources, index: Int, shapingResources: ShapingResources?,
    cancellation: Cancellation
  ) -> StyledChapter {
    guard isWorthwhile(pages, resources) else {
      return StyledChapter(
        resources, index: index, shapingResources: shapingResources, cancellation: cancellation)
    }
    let parsed = ParsedChapter(resources.publication, index: index)
    return prefix(
      pages, of: resources, index: index, parsed: parsed, shapingResources: shapingResources,
      cancellation: cancellation)
      ?? StyledChapter(
        resources, index: index, parsed: parsed, shapingResources: shapingResources, cancellation: cancellation)
  }

  private static func isWorthwhile(_ pages: Int, _ resources: BookResources) -> Bool {
    pages > 0 && pages <= mostPages && resources.settings.notes != .foot
  }

  /// The styled prefix of a chapter, whose first `pages` pages are those of the whole one; nil where that is not sure, or
  /// the chapter not long enough to gain by it.
  package static func prefix(
    _ pages: Int, of resources: BookResources, index: Int, parsed: ParsedChapter,
    shapingResources: ShapingResources? = nil, cancellation: Cancellation = Cancellation()
  ) -> StyledChapter? {
    guard isWorthwhile(pages, resources), let part = parsed.document.prefix(textBytes: textBytesPerPage * pages),
      ChapterStyles.language(of: part.document, resources: resources)
        == ChapterStyles.language(of: parsed.document, resources: resources)
    else { return nil }
    var prefix = parsed
    prefix.document = part.document
    let chapter = StyledChapter(
      resources, index: index, parsed: prefix, shapingResources: shapingResources, cancellation: cancellation)
    return chapter.isIndependent(of: part.container, pages: pages) ? chapter : nil
  }

  /// Pages are the same whatever other children follow in `container`.
  private func isIndependent(of container: NodeID, pages: Int) -> Bool {
    guard !isFixedLayout, !refersToPages, !styles.dependencies.contains(.laterElements) else { return false }
    var ancestor = container
    while ancestor != Document.documentNode {
      guard styles.table.boxes[styles.styles[ancestor.index].box.index].isPlainBlock,
        styles.table.pages[styles.styles[ancestor.index].page.index].breakInside == .auto
      else { return false }
      ancestor = document[ancestor].parent
    }
    var paged = PagedChapter(self)
    for _ in 0..<pages where paged.nextPage() == nil { return false }
    // Inside a child of the container, and far from the last, whatever looks ahead.
    guard let reached = paged.furthestNode else { return false }
    return reached.index > container.index && reached.index < document.nodes.count / 2
  }
}

extension BoxStyle {
  /// The box is a block in flow of its parent's width, whose content is laid out from the start to the end without a
  /// look at what comes later.
  fileprivate var isPlainBlock: Bool {
    func isIntrinsic(_ size: SizeValue) -> Bool {
      switch size {
      case .minContent, .maxContent, .fitContent, .calculated: true
      case .auto, .none, .length, .stretch: false
      }
    }
    return display == .block && position == .static && float == .none && columnCount == nil && columnWidth == nil
      && height == .auto && ![width, minWidth, maxWidth].contains(where: isIntrinsic) && transform.isEmpty
      && filter.isEmpty && clipPath == nil && opacity == 1 && blendMode == .normal && !isIsolated
  }
}
