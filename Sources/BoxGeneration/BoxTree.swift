package import CSS
package import ImageCodecs
import Markup
package import Primitives
package import Styling
package import Text

/// The role of a box in its parent (CSS Display 3, section 2; CSS 2.2, section 17.2).
/// Public because nothing less is compared without a call.
@frozen public enum BoxKind: UInt8, Hashable, Sendable {
  /// A block container or replaced box: block-level, float, positioned, or atomic inline (see `BoxFlags`).
  case block
  /// A non-atomic inline box; its content is in the runs between its `.open` and `.close`.
  case inline
  /// A ruby base inside an inline formatting context; `text` is its annotation's.
  case rubyBase
  /// A table: captions, column groups and row groups are its children.
  case table, tableCaption, tableColumnGroup, tableColumn, tableRowGroup, tableHeaderGroup, tableFooterGroup, tableRow,
    tableCell
  /// A flex container; its children are blockified items.
  case flex
  /// A grid container; its children are blockified items.
  case grid
  /// A multi-column container (CSS Multi-column 1).
  case columns
  /// An element of a formula that places its children by rules of its own: `BoxTree.formulas`.
  case math
  /// An outside list marker: a paragraph of its own, placed beside the first line of its list item.
  case marker

  /// The children are items: block-level boxes of their own formatting contexts, which do not float.
  @inlinable public var holdsItems: Bool {
    switch self {
    case .flex, .grid: true
    default: false
    }
  }

  /// Rows, columns and groups of them.
  package var isTableTrack: Bool {
    switch self {
    case .tableColumnGroup, .tableColumn, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow: true
    default: false
    }
  }
}

/// Kinds of content of a box. Public because nothing less is compared without a call.
@frozen public enum BoxContent: UInt8, Hashable, Sendable {
  /// Block-level children (also table parts, flex items), or nothing.
  case boxes
  /// An inline formatting context: `Box.text`.
  case text
  /// A replaced element: `Box.image`. `Box.text` of an inline `<svg>` is what the picture says, for records only.
  case replaced
}

/// Symbols of list markers that are no text: painting draws them in place of the bullet character, as browsers do (CSS
/// Lists 3, section 3.1).
package enum MarkerSymbol: UInt8, Hashable, Sendable {
  case none
  case disc, circle, square
  /// `list-style-image`.
  case image
  /// One copy of a `leader()`, which its line repeats: no marker, but a box that is drawn as often as there is room.
  case leader
  /// The symbol is drawn as a shape, whatever its character.
  package var isBullet: Bool { self == .disc || self == .circle || self == .square }
}

@frozen public struct BoxFlags: OptionSet, Hashable, Sendable {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  // Concrete, so that loops elsewhere do not go through the protocol's witnesses.
  @inlinable public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  @inlinable public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  /// Made by the anonymous box rules; its style is its parent's `anonymousChild`.
  @inlinable public static var anonymous: Self { Self(rawValue: 1 << 0) }
  /// An atomic inline: named by a run of kind `.object`.
  @inlinable public static var atomicInline: Self { Self(rawValue: 1 << 1) }
  /// `float` is not none.
  @inlinable public static var float: Self { Self(rawValue: 1 << 2) }
  /// `position` is absolute or fixed.
  @inlinable public static var outOfFlow: Self { Self(rawValue: 1 << 3) }
  /// Establishes an independent formatting context (CSS Display 3, section 3).
  @inlinable public static var formattingContext: Self { Self(rawValue: 1 << 4) }
  /// A part of an inline box that a block splits: not the first part, or not the last one (CSS 2.2, section 9.2.1.1).
  @inlinable public static var continuesBefore: Self { Self(rawValue: 1 << 5) }
  @inlinable public static var continuesAfter: Self { Self(rawValue: 1 << 6) }
  /// The box of the root element.
  @inlinable public static var root: Self { Self(rawValue: 1 << 7) }
  /// A replaced element that could not be loaded: `text` holds its alternative text if there is one.
  @inlinable public static var missing: Self { Self(rawValue: 1 << 8) }
  /// Contains a float, or a descendant in the same formatting context that does.
  @inlinable public static var hasFloats: Self { Self(rawValue: 1 << 9) }
  /// A float that `initial-letter` made: the inline box it stands for begins its paragraph.
  @inlinable public static var initialLetter: Self { Self(rawValue: 1 << 11) }
  /// A note that stands at the foot of a page: named by `BoxTree.footnotes`.
  @inlinable public static var footnote: Self { Self(rawValue: 1 << 12) }
  /// A ruby base whose annotation is set together with that of the base right before it (`ruby-merge`).
  @inlinable public static var mergesRuby: Self { Self(rawValue: 1 << 13) }
  /// A box of a formula (MathML).
  @inlinable public static var formula: Self { Self(rawValue: 1 << 14) }
}

/// One box: a trivial value of links and ids.
package struct Box: Sendable {
  package var kind: BoxKind
  package var content: BoxContent
  package var flags: BoxFlags
  /// nil for the element itself.
  package var pseudo: PseudoElement?
  package var style: ComputedStyle
  /// The element it is made for; an anonymous box has its parent's.
  package var node: NodeID
  /// The box around it; of an atomic inline, a float or an inline box in a text, the innermost inline box it lies in,
  /// or the container of the text.
  package var parent: BoxID
  /// `.none` for a box with a text: what the text holds is named by its runs.
  package var firstChild: BoxID
  package var nextSibling: BoxID
  package var text: TextID
  package var image: ImageID
  /// The outside marker of a list item, placed beside its first line. An item without content has a text instead whose
  /// one run, of kind `.marker`, names it.
  package var marker: BoxID
  /// Columns and rows a table cell covers (rows 0: to the end of the group); `span` of a column.
  package var columnSpan: UInt16
  package var rowSpan: UInt16
  /// Of a marker box, or of the inline box of an inside marker.
  package var symbol = MarkerSymbol.none

  package init(
    kind: BoxKind, content: BoxContent = .boxes, flags: BoxFlags = [], style: ComputedStyle, node: NodeID, parent: BoxID
  ) {
    self.kind = kind
    self.content = content
    self.flags = flags
    self.style = style
    self.node = node
    self.parent = parent
    pseudo = nil
    firstChild = .none
    nextSibling = .none
    text = .none
    image = .none
    marker = .none
    columnSpan = 1
    rowSpan = 1
  }
}

/// The boxes of one chapter in preorder, and the attributed texts of its inline formatting contexts. Box 0 is the root
/// element's (an empty block when the document has none).
package struct BoxTree: Sendable {
  package var boxes: [Box] = []
  package var texts = AttributedTextStore()
  /// In document order, for documents whose pages have margin boxes or that set named strings.
  package var pageMarks: [PageMark] = []
  /// In document order.
  package var bookmarks: [Bookmark] = []
  /// By drawing of the document.
  package var drawnTexts: [NodeID: DrawnText] = [:]
  /// Images without a file, by the replaced box that shows them.
  package var drawnImages: [BoxID: ImageValue] = [:]
  /// Images of `<feImage>` elements.
  package var filterImages: [NodeID: ImageID] = [:]
  /// In document order; empty unless `ContentReferences.notesTargets`.
  package var targets: [NotedTarget] = []
  /// Relatively positioned inline boxes that a block, or a float between blocks, stands in and moves with: their
  /// styles, the innermost first.
  package var relativeInlines: [BoxID: [ComputedStyle]] = [:]
  /// The boxes of formulas that place their children by rules of their own, and the texts in them.
  package var formulas: [BoxID: MathBox] = [:]
  /// The tables of formulas.
  package var mathTables: [BoxID: MathTableAlignment] = [:]
  /// Boxes of embedded content that cannot be shown, whose children stand for it.
  package var fallbacks: Set<BoxID> = []
  /// The notes that stand at the foot of pages, in the order of their marks.
  package var footnotes: [Footnote] = []
  /// The boxes of the area of footnotes and of the rule above them; `.none` in a document without footnotes.
  package var footnoteArea = BoxID.none
  package var footnoteSeparator = BoxID.none
  package var statistics = StageStatistics()
  package var diagnostics = DiagnosticSink()
  /// Elements whose pictures cannot be drawn.
  package var undrawn: [NodeID: UndrawnPicture] = [:]
  /// The principal writing mode: the body's, else the root's, for the page and the root's box (CSS Writing Modes 4,
  /// section 8).
  package var writingMode = WritingMode.horizontalTB

  package init() {}
  package subscript(id: BoxID) -> Box { boxes[id.index] }
  package static let root = BoxID(0)
}

/// Why a picture of the document cannot be drawn.
package enum UndrawnPicture: Sendable, Equatable {
  /// A library is not installed.
  case decoder(MissingDecoder)
  /// It is missing or damaged, which a message tells.
  case broken(String)

  /// It can be drawn where a library is installed.
  var lacksDecoder: Bool { if case .decoder = self { true } else { false } }
}
