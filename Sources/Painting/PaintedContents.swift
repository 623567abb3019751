import BoxGeneration
import Graphics
package import Primitives

/// The sources of the glyphs and pictures of a page's display list, in painting order.
package struct PaintedContents: Sendable {
  package var texts: [PaintedText] = []
  package var pictures: [PaintedPicture] = []
  package init() {}
}

/// A text fragment as it was painted. Shadows, emphasis marks and bullets are none.
package struct PaintedText: Sendable {
  /// In `PageLayout.texts`.
  package var text: Int
  /// The innermost box around it.
  package var box: BoxID
  /// In `DisplayList.glyphs`, or where transparent ones would be that are not drawn; empty for a fragment of spaces.
  package var glyphs: Range<Int>
  /// The start of the fragment on its baseline: its line-left side.
  package var origin: Point
  /// The writing mode of its line.
  package var writingMode: WritingMode
}

/// A replaced element as it was painted.
package struct PaintedPicture: Sendable {
  package var image: ImageID
  package var rect: Rect
  package var box: BoxID
}
