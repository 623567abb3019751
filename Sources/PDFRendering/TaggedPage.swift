package import Graphics
package import Primitives

/// A page with what its drawing means: the text that glyphs stand for, and the elements of the chapter's structure that text
/// and pictures belong to.
package struct TaggedPage: Sendable {
  package var list: DisplayList
  /// Text in the order of its glyphs; glyphs of no run are artifacts.
  package var runs: [TaggedRun] = []
  package var clusters: [TaggedCluster] = []
  /// UTF-16 of the text of all clusters.
  package var units: [UInt16] = []
  package var pictures: [TaggedPicture] = []
  package var links: [PageLink] = []
  /// Destinations: the places of named elements.
  package var destinations: [Destination] = []
  /// Nil for a page that is all there is of its sheet.
  package var boxes: PrintBoxes?
  /// By how many quarter turns the page is shown turned clockwise, 0 to 3.
  package var quarterTurns = 0

  package init(list: DisplayList) { self.list = list }

  package struct Destination: Sendable {
    package var name: String
    package var point: Point
    package init(name: String, point: Point) {
      self.name = name
      self.point = point
    }
  }
}

/// The page on the sheet that it is printed on (ISO 32000-1, section 14.11.2), from its top left corner.
package struct PrintBoxes: Hashable, Sendable {
  /// The bleed box: the printed area, so that nothing shows of where exactly the page is cut.
  package var bleed: Rect
  /// The page.
  package var trim: Rect
  package init(bleed: Rect, trim: Rect) {
    self.bleed = bleed
    self.trim = trim
  }
}

/// Glyphs of one face on one line, with the text they stand for.
package struct TaggedRun: Sendable {
  /// In `DisplayList.glyphs`.
  package var glyphs: Range<Int>
  /// In `TaggedPage.clusters`, from the line-left side on.
  package var clusters: Range<Int>
  package var element: StructureElementID
  /// The start of the run on its baseline.
  package var origin: Point
  package var axis: Axis
  /// The text runs from right to left.
  package var isRightToLeft: Bool
  /// The place of the run in the document, for the order of reading.
  package var place: SourceOrder
  /// In `PageLayout.texts`; nil for text that a picture shows.
  package var fragment: Int?

  /// The direction of a line from its line-left side.
  package enum Axis: UInt8, Sendable { case right, down, up }

  package init(
    glyphs: Range<Int>, clusters: Range<Int>, element: StructureElementID, origin: Point, axis: Axis,
    isRightToLeft: Bool, place: SourceOrder, fragment: Int? = nil
  ) {
    self.glyphs = glyphs
    self.clusters = clusters
    self.element = element
    self.origin = origin
    self.axis = axis
    self.isRightToLeft = isRightToLeft
    self.place = place
    self.fragment = fragment
  }
}

extension TaggedRun {
  /// Another run stands on the same baseline.
  func isBeside(_ other: TaggedRun) -> Bool {
    guard axis == other.axis else { return false }
    return axis == .right ? origin.y == other.origin.y : origin.x == other.origin.x
  }
}

/// Glyphs that stand for some text together.
package struct TaggedCluster: Sendable {
  /// In `DisplayList.glyphs`; empty for a space, which has no glyph on the page.
  package var glyphs: Range<Int>
  /// In `TaggedPage.units`; empty for a hyphen that hyphenation has added.
  package var units: Range<Int>
  /// From the run's origin.
  package var left: LayoutUnit
  /// The glyphs stand for this text here alone.
  package var isOwn: Bool
  package init(glyphs: Range<Int>, units: Range<Int>, left: LayoutUnit, isOwn: Bool = false) {
    self.glyphs = glyphs
    self.units = units
    self.left = left
    self.isOwn = isOwn
  }
}

/// A picture that says something. Others are artifacts.
package struct TaggedPicture: Sendable {
  package var image: ImageID
  package var rect: Rect
  package var element: StructureElementID
  package var place: SourceOrder
  /// The text that it shows.
  package var texts: [UnseenText] = []
  package init(image: ImageID, rect: Rect, element: StructureElementID, place: SourceOrder) {
    self.image = image
    self.rect = rect
    self.element = element
    self.place = place
  }
}

/// Text that a picture shows: it is found and copied where it stands, and not drawn again.
package struct UnseenText: Sendable {
  /// Its glyphs are none of an item of the list.
  package var run: TaggedRun
  package var font: FontID
  package var size: LayoutUnit
  /// From the coordinates of its glyphs to the page; nil where they are the page's.
  package var transform: AffineTransform?
  package init(run: TaggedRun, font: FontID, size: LayoutUnit, transform: AffineTransform?) {
    self.run = run
    self.font = font
    self.size = size
    self.transform = transform
  }
}

/// A place of a document: a node in preorder, and an offset in it.
package struct SourceOrder: Hashable, Comparable, Sendable {
  package var node: UInt32
  package var offset: UInt32
  package init(node: UInt32, offset: UInt32) {
    self.node = node
    self.offset = offset
  }
  package static func < (a: Self, b: Self) -> Bool { (a.node, a.offset) < (b.node, b.offset) }
}

/// An area of a page that leads elsewhere.
package struct PageLink: Sendable {
  package enum Target: Hashable, Sendable {
    /// A named destination.
    case destination(String)
    case uri(String)
  }
  package var rect: Rect
  package var target: Target
  /// Contents of the annotation, for those who do not see it.
  package var contents: String
  package var element: StructureElementID
  package init(rect: Rect, target: Target, contents: String, element: StructureElementID) {
    self.rect = rect
    self.target = target
    self.contents = contents
    self.element = element
  }
}

/// A position in `ChapterStructure.elements`.
package typealias StructureElementID = Identifier<StructureElementTag>
package enum StructureElementTag {}
