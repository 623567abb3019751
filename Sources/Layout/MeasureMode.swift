package import Primitives

/// The circumstances, beside their room, that boxes are measured and laid out under. Each has measurements of its own.
package struct MeasureMode: Hashable, Sendable {
  /// The writing mode of what is laid out: the page's, and inside a box that has another one the box's.
  package var writingMode: WritingMode
  /// The scale by which the content will be made smaller: it has so much more room on the page.
  var contentScale = 1.0
  /// The reserve that pictures leave of the page's height to what is to stand on the page with them.
  var pictureReserve = LayoutUnit.zero
  /// The content is rotated by a quarter turn: its lines go along the height of the page.
  var isRotated = false
  /// Words wider than their cell are broken: the table around them was squeezed onto the page.
  var breaksWordsToFit = false
  /// Columns are measured as narrow as anything can make them.
  var measuresLeast = false
  /// Min-content sizes are those of words that are broken at any letter.
  var measuresBrokenWords = false

  package init(writingMode: WritingMode) { self.writingMode = writingMode }

  /// The mode that min-content and max-content sizes are measured in, which are those of the content at its own size.
  var ofIntrinsicSizes: MeasureMode {
    var mode = self
    mode.contentScale = 1
    mode.breaksWordsToFit = false
    return mode
  }

  /// The mode that the columns of tables are measured in.
  var ofTableModels: MeasureMode {
    var mode = ofIntrinsicSizes
    mode.measuresLeast = false
    mode.measuresBrokenWords = false
    return mode
  }
}
