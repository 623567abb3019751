import CSS
import Primitives
import Styling

/// The role of an element in its parent's formatting (CSS Display 3, sections 2 and 3).
enum FlowRole: UInt8 {
  case none, contents
  case inline
  case atomic
  case block
  case rowGroup, row, cell, columnGroup, column, caption
  case float, positioned

  /// In the flow.
  init(_ display: Display) {
    switch display.outside {
    case .none: self = .none
    case .contents: self = .contents
    case .block: self = .block
    case .inline, .rubyPart: self = .inline
    case .atomic: self = .atomic
    case .tablePart:
      switch display {
      case .tableRow: self = .row
      case .tableCell: self = .cell
      case .tableColumnGroup: self = .columnGroup
      case .tableColumn: self = .column
      case .tableCaption: self = .caption
      default: self = .rowGroup
      }
    }
  }

  var isTablePart: Bool { rawValue >= FlowRole.rowGroup.rawValue && rawValue <= FlowRole.caption.rawValue }
}

/// Traits of a `BoxStyle` that box generation needs, found once for each interned group.
struct BoxTraits {
  var display: Display
  var role: FlowRole
  var unicodeBidi: UnicodeBidi
  var isListItem: Bool
  var hasCounters: Bool
  var hasDecoration: Bool
  var clips: Bool
  /// A scroll container, though nothing is scrolled on a page (CSS Overflow 3, section 3.1).
  var scrolls: Bool
  var isColumns: Bool
  /// `content` of an element is a list of items: a single image replaces it.
  var hasContent: Bool
  var clears: Bool
  /// Any margin or padding.
  var hasEdge: Bool
  /// A superscript or subscript.
  var isRaised: Bool
  /// `initial-letter` of an inline box.
  var isInitialLetter: Bool
  var isFootnote = false
  /// A ruby container.
  var isRuby: Bool
  /// A base, an annotation or a container of them.
  var isRubyPart: Bool

  init(_ style: borrowing BoxStyle) {
    display = style.display
    role = FlowRole(style.display)
    if role != .none, role != .contents {
      switch style.position {
      case .absolute, .fixed: role = .positioned
      case .static, .relative, .sticky:
        switch style.float {
        case .left, .right, .inlineStart, .inlineEnd, .top, .bottom, .snapBlock: role = .float
        case .footnote:
          role = .float
          isFootnote = true
        case .none: break
        }
      }
    }
    unicodeBidi = style.unicodeBidi
    isListItem = style.display.isBlockListItem || style.display == .inlineListItem
    hasCounters = !style.counterReset.isEmpty || !style.counterIncrement.isEmpty || !style.counterSet.isEmpty
    hasDecoration = !style.decorationLine.isEmpty
    clips = style.overflowX != .visible || style.overflowY != .visible
    scrolls = style.overflowX.isScrollable
    isColumns = style.columnCount != nil || style.columnWidth != nil
    if case .items = style.content { hasContent = true } else { hasContent = false }
    clears = style.clear != .none
    hasEdge = style.margin != Sides(all: .zero) || style.padding != Sides(all: .zero)
    isRaised = style.verticalAlign == .super || style.verticalAlign == .sub
    isRuby = style.display == .ruby || style.display == .blockRuby
    isRubyPart = role == .inline && style.display.rubyPart != nil
    isInitialLetter = style.initialLetterSize > 0 && role == .inline
  }
}

extension Display {
  /// A list item that is a block container.
  var isBlockListItem: Bool { self == .listItem || self == .flowRootListItem || self == .inlineBlockListItem }
}
