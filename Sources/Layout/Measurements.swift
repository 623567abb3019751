import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling

/// The values that a measurement of a box depends on, beside the mode and the page box: the part of a constraint space that is
/// neither a place nor a page's end.
struct MeasureKey: Hashable {
  var box: BoxID
  var availableInline: LayoutUnit
  var imposed: ImposedSize
  var percentageBlock: LayoutUnit?
  /// Line-left edge of the box's formatting context: words are broken where they would leave the page.
  var pageInline: LayoutUnit
  var direction: TextDirection
  var isNewFormattingContext: Bool

  /// Of what tells most measurements apart.
  func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(box.rawValue) << 32 | UInt64(UInt32(bitPattern: availableInline.rawValue)))
  }
}

/// Measurements of one mode and page box. Each is a function of its key and of the inputs: to have one or not changes no page.
final class Measurements {
  var contentSizes: [BoxID: IntrinsicSizes] = [:]
  /// Widths of the long annotations of ruby bases.
  var annotationWidths: [BoxID: Advance] = [:]
  var tableModels: [BoxID: TableModel] = [:]
  /// Heights of a table's rows, so that later pages need no new measurement.
  var rowSizes: [MeasureKey: RowSizes] = [:]
  /// Items of flex and grid containers in rows.
  var itemRows: [ItemRowsKey: ItemRows] = [:]
  /// The tracks of subgrids, without their sizes, as the grid around gives them where its own size is not known.
  var subgridTracks: [BoxID: SubgridTracks] = [:]
  var blockSizes: [MeasureKey: MeasuredBlock] = [:]
  /// Boxes that would rather not be broken, as if pages had no end.
  var wholeBoxes: [MeasureKey: WholeBox] = [:]
  /// Sizes of boxes across the lines around them.
  var orthogonalSizes: [MeasureKey: LayoutUnit] = [:]
  var fonts: FontMeasurements

  init(fontGroups: Int) {
    fonts = FontMeasurements(
      lengthBases: [LengthBasis?](repeating: nil, count: fontGroups),
      primaryFaces: [FontFace?](repeating: nil, count: fontGroups))
  }
}

/// Measurements of fonts and of text set in them; nil where nobody has asked.
struct FontMeasurements {
  /// By font group, like the three that follow.
  var lengthBases: [LengthBasis?]
  var primaryFaces: [FontFace?]
  var lineMetrics: [LineMetrics?] = []
  var faceMetrics: [FaceMetrics?] = []
  /// By shaping attributes.
  var spacings: [ClusterSpacing?] = []
  /// The stops of tabs in the styles asked for last.
  var tabStops: (container: ComputedStyle, text: ComputedStyle, stops: TabStops)?
}

/// A box's block size and first baseline in a space without an end.
struct MeasuredBlock {
  var block: LayoutUnit
  var baselines = Baselines()
  /// The end of the lines and pictures of a flex or grid item, or of a box of the `OverflowIndex`, which may stick out
  /// of it, or of boxes in it; from its border box's block-start edge.
  var contentEnd = LayoutUnit.zero
}
