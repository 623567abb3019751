package import BoxGeneration
import CSS
package import Fonts
package import Images
package import Primitives
package import Styling
import Text

/// Settings of pages by the reader.
package struct LayoutSettings: Sendable, Hashable {
  /// The reader's page box, physical, and its margins.
  package var page: PageGeometry
  /// CSS px of the root font size.
  package var rootFontSize: Float
  package var limits = Limits()
  /// The decisions of the book's own `@page` rules.
  package var bookPages: BookPages = []
  /// The way pages follow each other: where it is left to right, the first page is a right-hand one.
  package var pageProgression = TextDirection.ltr
  package var composition = Composition()
  package var deviations = HouseDeviations()
  /// The page is laid out in fixed places, so that what reaches over its end is cut off.
  package var isFixedPage = false
  /// The pages are for paper: the rules of CSS for paged media hold where reading systems do otherwise. Backgrounds of the root
  /// keep to the page's area, fixed boxes stand on every page, positioned boxes are broken at page ends whatever they hold.
  package var isPrinted = false
  /// The viewport, which its units are relative to; nil for the page box.
  package var viewport: Size?
  /// The place of every cluster is kept, for carets and selections.
  package var recordsClusters = false

  /// Composition of pages from the lines that fit them.
  package struct Composition: Sendable, Hashable {
    /// Lines stand on a grid of the page.
    package var baselineGrid = false
    /// The space that a page has left is spread over the gaps between its paragraphs, so that facing pages are equally deep.
    package var balancesPages = false
    /// Texts are set in one line more or less where a page is better for it.
    package var optimizesPages = false
    /// The glyphs and letters of justified lines of Western text take part in their justification.
    package var fitsGlyphs = false
    /// A box with a border on all sides has it at page ends as well, as if it had `box-decoration-break: clone`.
    package var closesFrames = false
    /// The margins at the sides of the whole text leave it three quarters of the measure.
    package var widensText = false
  }

  /// What is set otherwise than browsers set it, for readers.
  package struct HouseDeviations: Sendable, Hashable {
    /// The stops 。！？ within a line give up their blank half where a Chinese line is made narrower.
    package var reducesStops = true
    /// Floats that hold one large letter are aligned by its ink.
    package var alignsInitials = true
    /// Tables wider than the page are set in smaller type, boxes of a given width that leave it fit their containing
    /// block.
    package var shrinksWideTables = true
    /// Lines of `line-height: normal` keep their distance where one has a letter of another face or a raised mark.
    package var keepsLineDistance = true
    /// Paragraphs that look like titles stay with what follows them.
    package var keepsTitles = true
    /// Pictures that are alone in their paragraph have no indent, and are parted as blocks are; one that is all of its
    /// chapter stands in the middle of its page.
    package var setsPicturesApart = false
    /// Lines whose word spaces would be three times as wide as they are stay ragged.
    package var leavesLooseLinesRagged = false
    /// The last page of a chapter has four lines, for which the page before it ends earlier.
    package var fillsLastPages = false
    /// The ground of a page reaches to its edges, on paper, too.
    package var paintsWholePages = false
    /// Annotations of a page's first line reach over the edges of its block.
    package var raisesAnnotations = true
    /// Lines do not break within ruby bases.
    package var keepsBases = true
    /// Formulas are set as books want them where MathML Core has less: operators of faces without larger forms are scaled, and
    /// lengths that only MathML 3 knows are taken.
    package var extendsFormulas = true
  }

  /// Decisions of a book's `@page` rules in the reader's place.
  package struct BookPages: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let size = Self(rawValue: 1 << 0)
    /// Margins, borders and paddings.
    package static let margins = Self(rawValue: 1 << 1)
  }

  package init(page: PageGeometry, rootFontSize: Float) {
    self.page = page
    self.rootFontSize = rootFontSize
  }
}

/// All that the pages of a chapter are made from. Nothing of it changes while they are made, so layout, painting and records
/// read it from any thread.
package final class LayoutInputs: Sendable {
  package let tree: BoxTree
  package let styles: StyleTable
  package let fonts: FontBook
  package let images: ImageStore
  package let settings: LayoutSettings
  /// The images of `shape-outside`, by their URLs.
  let shapeImages: [String: ImageID]
  let footnoteIndex: FootnoteIndex
  let forcedBreaks: ForcedBreakIndex
  let overflows: OverflowIndex
  /// The boxes that stand on every page, in document order; none where the pages are not for paper.
  package let repeatedBoxes: [BoxID]
  /// Any box names its page.
  let hasNamedPages: Bool
  /// Any box goes to an edge of its page.
  let hasPageFloats: Bool
  /// Any positioned box may stand on the page before the one that it is met on.
  let mayRaisePositioned: Bool
  /// Any box has its edges at breaks, too.
  let hasClonedEdges: Bool
  /// Any box is a leader.
  let hasLeaders: Bool
  /// Any text has emphasis marks.
  let hasEmphasis: Bool
  /// Any box spans the columns around it.
  let hasSpanners: Bool
  let hasStickyBoxes: Bool
  /// Any box trims its first or last line.
  let trimsTextBoxes: Bool
  /// Any box ends lines that are too long in an ellipsis.
  let hasEllipses: Bool
  /// Any box shows no more than some lines.
  let clampsLines: Bool
  /// Any box drops margins of its content.
  let trimsMargins: Bool
  /// Any style has another writing mode than the page.
  let hasSeveralWritingModes: Bool

  /// Fixed boxes that are placed by the page (CSS 2.2, section 9.6.1), not by a box around them.
  private static func fixedBoxes(of tree: BoxTree, _ styles: StyleTable) -> [BoxID] {
    tree.boxes.indices.filter { index in
      guard tree.boxes[index].flags.contains(.outOfFlow),
        styles.boxes[tree.boxes[index].style.box.index].position == .fixed
      else { return false }
      var around = tree.boxes[index].parent
      while !around.isNone {
        if styles.boxes[tree.boxes[around.index].style.box.index].containsFixed { return false }
        around = tree.boxes[around.index].parent
      }
      return true
    }.map { BoxID($0) }
  }

  package init(
    tree: BoxTree, styles: StyleTable, fonts: FontBook, images: ImageStore, settings: LayoutSettings,
    shapeImages: [String: ImageID] = [:]
  ) {
    self.tree = tree
    self.styles = styles
    self.fonts = fonts
    self.images = images
    self.settings = settings
    self.shapeImages = shapeImages
    hasLeaders = tree.boxes.contains { $0.symbol == .leader }
    repeatedBoxes = settings.isPrinted ? Self.fixedBoxes(of: tree, styles) : []
    footnoteIndex = FootnoteIndex(tree)
    forcedBreaks = ForcedBreakIndex(tree, styles)
    overflows = OverflowIndex(tree, styles)
    hasPageFloats = !settings.isFixedPage && styles.boxes.contains { $0.float.isOfPage }
    mayRaisePositioned = !settings.isFixedPage && Self.mayRaisePositioned(styles, in: tree.writingMode)
    hasNamedPages = styles.pages.contains { !$0.page.isEmpty }
    hasClonedEdges = styles.pages.contains { $0.decorationBreak == .clone }
    hasEmphasis = tree.texts.attributes.emphases.count > 1
    hasSpanners = styles.boxes.contains { $0.columnSpan == .all }
    hasStickyBoxes = styles.boxes.contains { $0.position == .sticky }
    let rare = styles.boxes.compactMap { $0.rare?.values }
    trimsTextBoxes = rare.contains { $0.textBoxTrim != .none }
    hasEllipses = rare.contains { $0.textOverflow == .ellipsis }
    clampsLines = rare.contains { $0.lineClamp != nil }
    trimsMargins = rare.contains { !$0.marginTrim.isEmpty }
    hasSeveralWritingModes = styles.paragraphs.contains { $0.writingMode != tree.writingMode }
  }
}
