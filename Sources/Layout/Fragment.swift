import BoxGeneration
import CSS
package import Primitives
import Styling
import Text

/// Four widths around a box, line-relative (CSS Writing Modes 4, section 6.3): independent of `direction`, so in horizontal
/// text `lineLeft` is the left side and `blockStart` the top.
package struct FlowEdges: Hashable, Sendable {
  package var blockStart: LayoutUnit
  package var lineRight: LayoutUnit
  package var blockEnd: LayoutUnit
  package var lineLeft: LayoutUnit
  package init(
    blockStart: LayoutUnit = .zero, lineRight: LayoutUnit = .zero, blockEnd: LayoutUnit = .zero,
    lineLeft: LayoutUnit = .zero
  ) {
    self.blockStart = blockStart
    self.lineRight = lineRight
    self.blockEnd = blockEnd
    self.lineLeft = lineLeft
  }
  package static let zero = FlowEdges()
  package var inlineSum: LayoutUnit { lineLeft + lineRight }
  package var blockSum: LayoutUnit { blockStart + blockEnd }
  package static func + (a: Self, b: Self) -> Self {
    Self(
      blockStart: a.blockStart + b.blockStart, lineRight: a.lineRight + b.lineRight, blockEnd: a.blockEnd + b.blockEnd,
      lineLeft: a.lineLeft + b.lineLeft)
  }
}

package enum FragmentKind: UInt8, Hashable, Sendable {
  /// A box, or the part of one that is on this page; `payload` is its `BoxGeometry`.
  case box
  /// A line box; `payload` is its `LineFragment`. Its children are text, inline boxes and atomic boxes.
  case line
  /// A stretch of glyphs; `payload` is its `TextFragment`.
  case text
  /// The part of an inline box on one line: border box; `payload` is its `BoxGeometry`. It has no children: the content lies
  /// beside it in the line, after it in order.
  case inlineBox
}

package struct FragmentFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The box began on an earlier page, or an inline box on an earlier line: no border at its start with `slice`.
  package static let continuesBefore = Self(rawValue: 1 << 0)
  package static let continuesAfter = Self(rawValue: 1 << 1)
  /// A part that layout repeats (a table header on a later page): its text counts once.
  package static let repeated = Self(rawValue: 1 << 2)
  /// A box that paints nothing itself (hidden empty cell).
  package static let paintsNothing = Self(rawValue: 1 << 3)
  /// A part of a rotated table, its top at the left.
  package static let rotated = Self(rawValue: 1 << 4)
  /// A picture that was made smaller to fit the page.
  package static let scaledToPage = Self(rawValue: 1 << 5)
  /// An absolutely positioned box at its place.
  package static let positioned = Self(rawValue: 1 << 6)
  /// Left beyond the page's area, as nothing else could be done: a line or a picture that no page can hold, or a line wider
  /// than the page.
  package static let overflows = Self(rawValue: 1 << 7)
}

/// One piece of one page. Offsets are line-relative to the parent fragment's border box: `inline` from its line-left edge,
/// `block` from its block-start edge, in the writing mode of the chapter's root.
package struct Fragment: Sendable {
  package var kind: FragmentKind
  package var flags: FragmentFlags
  package var box: BoxID
  package var offset: LogicalOffset
  /// Border box size.
  package var size: LogicalSize
  package var payload: UInt32
  package var firstChild: FragmentID
  package var lastChild: FragmentID
  package var nextSibling: FragmentID

  package init(
    kind: FragmentKind, flags: FragmentFlags = [], box: BoxID, offset: LogicalOffset = .zero, size: LogicalSize,
    payload: UInt32
  ) {
    self.kind = kind
    self.flags = flags
    self.box = box
    self.offset = offset
    self.size = size
    self.payload = payload
    firstChild = .none
    lastChild = .none
    nextSibling = .none
  }
}

/// The used widths around a box fragment.
package struct BoxGeometry: Sendable, Hashable {
  package var border: FlowEdges
  package var padding: FlowEdges
  /// The shift of `position: relative`, already part of the fragment's offset.
  package var relativeShift: LogicalOffset
  /// Border segments of a table in the collapsing model, in `PageLayout.collapsedBorders`; offsets from the table's border box.
  package var collapsedBorders: Range<UInt32>
  /// Of a picture that goes on over pages.
  package var slice = PictureSlice()
  package init(border: FlowEdges = .zero, padding: FlowEdges = .zero) {
    self.border = border
    self.padding = padding
    relativeShift = .zero
    collapsedBorders = 0..<0
  }

  /// From the corner of the border box to that of the content box.
  var contentOffset: LogicalOffset {
    LogicalOffset(inline: border.lineLeft + padding.lineLeft, block: border.blockStart + padding.blockStart)
  }
  /// What borders and padding take of both axes.
  var edges: LogicalSize {
    LogicalSize(inline: border.inlineSum + padding.inlineSum, block: border.blockSum + padding.blockSum)
  }
}

/// A side of a cell in the collapsing border model after conflict resolution (CSS 2.2, section 17.6.2).
package struct CollapsedBorder: Sendable, Hashable {
  package var rect: LogicalRect
  /// The segment runs along the inline axis.
  package var isInlineAxis: Bool
  package var style: UInt8
  package var color: Color
  package init(rect: LogicalRect, isInlineAxis: Bool, style: UInt8, color: Color) {
    self.rect = rect
    self.isInlineAxis = isInlineAxis
    self.style = style
    self.color = color
  }
}

/// A line box.
package struct LineFragment: Sendable {
  package var text: TextID
  /// UTF-16 units of the paragraph on this line, the collapsed spaces at its end included.
  package var range: Range<UInt32>
  /// From the line box's block-start edge.
  package var baseline: LayoutUnit
  package var isHyphenated: Bool
  /// The line after it begins with marks that may not begin one.
  package var breaksLineStartRule = false
  /// The looseness of the line: the amount, in em, by which each gap between letters, or each word space, is wider than
  /// by nature, where that is more than it should be.
  package var looseness: Float = 0
  /// The microtypography of the line.
  package var glyphFit = GlyphFit.none
  /// Line-left offset and width of the line's content, hanging spaces left out, for records.
  package var contentOffset: LayoutUnit
  package var contentWidth: LayoutUnit
  package var direction: TextDirection
  /// The writing mode of the line, which is not always that of the page. Glyphs and baselines are in its terms
  /// (`WritingMode.ofLines`).
  package var writingMode: WritingMode
  package init(
    text: TextID, range: Range<UInt32>, baseline: LayoutUnit, isHyphenated: Bool, contentOffset: LayoutUnit,
    contentWidth: LayoutUnit,
    direction: TextDirection, writingMode: WritingMode = .horizontalTB
  ) {
    self.text = text
    self.range = range
    self.baseline = baseline
    self.isHyphenated = isHyphenated
    self.contentOffset = contentOffset
    self.contentWidth = contentWidth
    self.direction = direction
    self.writingMode = writingMode
  }
}

/// A glyph of a text fragment, from the fragment's line-left edge and baseline; `y` grows towards the line's under side.
package struct FragmentGlyph: Sendable, Hashable {
  package var id: UInt16
  package var x: LayoutUnit
  package var y: LayoutUnit
  package init(id: UInt16, x: LayoutUnit, y: LayoutUnit) {
    self.id = id
    self.x = x
    self.y = y
  }
}

/// The place of a cluster of a text fragment along its line, for carets, selections and text that is copied.
package struct ClusterPlace: Sendable, Hashable {
  /// The first UTF-16 unit, counted in the paragraph's text.
  package var unit: UInt32
  /// Counted from the fragment's first glyph; empty for a cluster that draws none.
  package var glyphs: Range<UInt32>
  /// The cluster's sides, the white that justification adds to it included, from the fragment's line-left edge.
  package var left: LayoutUnit
  package var right: LayoutUnit
  package init(unit: UInt32, glyphs: Range<UInt32> = 0..<0, left: LayoutUnit, right: LayoutUnit) {
    self.unit = unit
    self.glyphs = glyphs
    self.left = left
    self.right = right
  }
}

/// Glyphs of one face, size and set of attributes on one line.
package struct TextFragment: Sendable {
  package let text: TextID
  package let range: Range<UInt32>
  package let attributes: AttributeID
  package let font: FontID
  /// Font size in CSS px.
  package var size: Float
  /// The baseline, from the fragment's block-start edge.
  package var baseline: LayoutUnit
  package let level: UInt8
  package var isSideways: Bool
  /// The scale of the text against its styles, in a table wider than its page.
  package var scale: Float = 1
  /// The factor by which the glyphs are narrowed across the line, towards its middle (`text-combine-upright`).
  package var compression: Float = 1
  /// Thousandths by which each glyph is set wider along the line, from its origin on.
  package var expansion: Int16 = 0
  /// The factor by which a fence is higher than its glyph, and by which it then stands lower (MathML Core, section
  /// 3.2.4.3).
  package var stretch: Float = 1
  package var stretchShift = LayoutUnit.zero
  /// In `PageLayout.glyphs`.
  package var glyphs: Range<UInt32>
  /// In `PageLayout.clusters`, from the line-left side on; empty unless the settings ask for them.
  package var clusters: Range<UInt32> = 0..<0
  /// The text belongs to a ruby annotation.
  package let isAnnotation: Bool
  /// The reach of ruby annotations on the side of the text's emphasis marks from the baseline.
  package var annotationReach = LayoutUnit.zero
  package init(
    text: TextID, range: Range<UInt32>, attributes: AttributeID, font: FontID, size: Float, baseline: LayoutUnit,
    level: UInt8,
    isSideways: Bool, glyphs: Range<UInt32>, isAnnotation: Bool
  ) {
    self.text = text
    self.range = range
    self.attributes = attributes
    self.font = font
    self.size = size
    self.baseline = baseline
    self.level = level
    self.isSideways = isSideways
    self.glyphs = glyphs
    self.isAnnotation = isAnnotation
  }

  /// The width of glyphs as they are set over that of their face.
  package var expansionFactor: Float { expansion == 0 ? 1 : 1 + Float(expansion) / 1000 }
}
