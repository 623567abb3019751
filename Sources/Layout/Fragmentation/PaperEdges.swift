import BoxGeneration
import CSS
import Primitives
import Styling
import Text

/// The distances at which the text of a chapter would stand from the edges of pages without margins, along its lines.
struct TextInsets {
  var lineLeft = LayoutUnit.max
  var lineRight = LayoutUnit.max
  /// Nothing is written on any page.
  var isEmpty: Bool { lineLeft == .max }
}

/// Page boxes whose margins let text run to the edge of the paper, such as those of converted books.
extension LayoutContext {
  /// The page box with the reader's margins at sides where text of any page like this would come nearer to the edge of the paper
  /// than one em. All pages of a style have the same margins, whatever is on them; what holds no text may fill the page.
  func keepingTextFromEdge(_ geometry: PageGeometry, onPagesNamed name: String) -> PageGeometry {
    let least = LayoutUnit(settings.rootFontSize)
    let area = geometry.contentArea
    let size = geometry.size
    let reader = settings.page.margin
    let room = Sides(top: area.y, right: size.width - area.maxX, bottom: size.height - area.maxY, left: area.x)
    var isThin = Sides(
      top: room.top < least && reader.top > geometry.margin.top,
      right: room.right < least && reader.right > geometry.margin.right,
      bottom: room.bottom < least && reader.bottom > geometry.margin.bottom,
      left: room.left < least && reader.left > geometry.margin.left)
    guard isThin != Sides(all: false) else { return geometry }
    let insets = textInsets(
      inline: tree.writingMode.logical(Size(width: area.width, height: area.height)).inline, onPagesNamed: name)
    guard !insets.isEmpty else { return geometry }
    // Pages begin and end between any two lines; along the lines, what stands around them keeps all of them from the edge.
    func keeps(_ inset: LayoutUnit, _ room: LayoutUnit) -> Bool { room + inset >= least }
    switch tree.writingMode {
    case .horizontalTB:
      isThin.left = isThin.left && !keeps(insets.lineLeft, room.left)
      isThin.right = isThin.right && !keeps(insets.lineRight, room.right)
    case .sidewaysLR:
      isThin.bottom = isThin.bottom && !keeps(insets.lineLeft, room.bottom)
      isThin.top = isThin.top && !keeps(insets.lineRight, room.top)
    default:
      isThin.top = isThin.top && !keeps(insets.lineLeft, room.top)
      isThin.bottom = isThin.bottom && !keeps(insets.lineRight, room.bottom)
    }
    var wider = geometry
    if isThin.top { wider.margin.top = reader.top }
    if isThin.right { wider.margin.right = reader.right }
    if isThin.bottom { wider.margin.bottom = reader.bottom }
    if isThin.left { wider.margin.left = reader.left }
    let rest = wider.contentArea
    return rest.width < least || rest.height < least ? geometry : wider
  }

  /// The least distance of any text from the ends of a page's area that is `inline` wide, by the margins, borders and paddings
  /// of the boxes around it.
  ///
  /// - Complexity: O(boxes)
  private func textInsets(inline: LayoutUnit, onPagesNamed name: String) -> TextInsets {
    var insets = TextInsets()
    var open = [(box: BoxTree.root, place: TextInsets(lineLeft: .zero, lineRight: .zero))]
    while let (box, outer) = open.popLast() {
      var place = outer
      let value = tree.boxes[box.index]
      guard value.content != .replaced, !value.flags.contains(.outOfFlow) else { continue }
      let available = Swift.max(.zero, inline - place.lineLeft - place.lineRight)
      let parent = value.parent.isNone ? box : value.parent
      let space = ConstraintSpace(
        mode: mode, availableInline: available,
        direction: styles.paragraphs[tree.boxes[parent.index].style.paragraph.index].direction)
      var edges = FlowEdges.zero
      switch value.kind {
      case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow: break
      case .tableCell: edges = specifiedPaddings(of: box, availableInline: available)
      default:
        let sizing = inlineSizing(of: box, available: available, space: space)
        edges = sizing.geometry.border + sizing.geometry.padding
        edges.lineLeft += sizing.lineLeft
        edges.lineRight += available - sizing.lineLeft - sizing.inlineSize
      }
      place.lineLeft += edges.lineLeft
      place.lineRight += edges.lineRight
      if value.content == .text {
        guard hasVisibleText(value.text), !inputs.hasNamedPages || firstPageName(of: box) == name else { continue }
        addRoomBesideLines(of: box, text: value.text, available: inline - place.lineLeft - place.lineRight, to: &place)
        insets.lineLeft = Swift.min(insets.lineLeft, place.lineLeft)
        insets.lineRight = Swift.min(insets.lineRight, place.lineRight)
      } else {
        var child = value.firstChild
        while !child.isNone {
          open.append((child, place))
          child = tree.boxes[child.index].nextSibling
        }
      }
    }
    return insets
  }

  /// The room that short lines leave free at their start where they are centred or set to their end. Others count as
  /// far as their boxes go: an indent, or words that are few, do not change the margins of a chapter's pages.
  private func addRoomBesideLines(of box: BoxID, text: TextID, available: LayoutUnit, to place: inout TextInsets) {
    let paragraph = styles.paragraphs[tree.boxes[box.index].style.paragraph.index]
    let isCentered = paragraph.align == .center || paragraph.align == .webkitCenter
    let isAtRight =
      switch paragraph.align {
      case .end: paragraph.direction == .ltr
      case .right, .webkitRight: true
      default: false
      }
    let isAtLeft =
      switch paragraph.align {
      case .end: paragraph.direction == .rtl
      case .left, .webkitLeft: paragraph.direction == .rtl
      default: false
      }
    guard isCentered || isAtRight || isAtLeft else { return }
    let free = Swift.max(.zero, available - intrinsicContentSizes(of: box).maximum)
    if isCentered {
      place.lineLeft += free / 2
      place.lineRight += free / 2
    } else if isAtRight {
      place.lineLeft += free
    } else {
      place.lineRight += free
    }
  }

  /// The text has letters, or anything else that is set as glyphs and seen.
  private func hasVisibleText(_ text: TextID) -> Bool {
    let attributed = tree.texts.texts[text.index]
    let base = attributed.units.lowerBound
    var position: UInt32 = 0
    for index in attributed.runs {
      let run = tree.texts.runs[index]
      defer { position = Swift.max(position, run.end) }
      guard run.kind == .text, run.end > position else { continue }
      for unit in position..<run.end {
        switch tree.texts.units[base + Int(unit)] {
        case 0...0x20, 0xA0, 0x2028, 0x200B, 0x2060, 0xFEFF: break
        default: return true
        }
      }
    }
    return false
  }
}
