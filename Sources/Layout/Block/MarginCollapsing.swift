import BoxGeneration
import CSS
package import Primitives
import Styling

/// Adjoining vertical margins on their way to one (CSS 2.2, section 8.3.1): the largest positive and the most negative one.
package struct MarginStrut: Hashable, Sendable {
  package var positive = LayoutUnit.zero
  package var negative = LayoutUnit.zero
  package init() {}
  package mutating func append(_ margin: LayoutUnit) {
    if margin < .zero { negative = Swift.min(negative, margin) } else { positive = Swift.max(positive, margin) }
  }
  package var sum: LayoutUnit { positive + negative }
  package var isEmpty: Bool { positive == .zero && negative == .zero }
}

/// The block-start edge of a block container while margins collapse through it (CSS 2.2, section 8.3.1).
///
/// The edge stays unknown (`block` nil) until a line, a border, a padding, clearance or a new formatting context fixes it. What
/// must be placed earlier (floats) is placed against the place expected; if that proves wrong, `contradictedPlace` tells the right
/// one.
struct MarginCollapsing {
  /// The edge with no margin, in the coordinates of the formatting context.
  private let start: LayoutUnit
  /// The edge that a try before has found.
  private let known: LayoutUnit?
  /// The last try: floats stay where they were expected, whatever place the box turns out to have.
  private let staysInPlace: Bool

  /// Margins that adjoin what comes next.
  var strut = MarginStrut()
  /// The block-start border edge, once it is fixed.
  private(set) var block: LayoutUnit?
  /// The edge by which floats were placed as if the box stood.
  var assumed: LayoutUnit?
  private(set) var contradictedPlace: LayoutUnit?
  /// The last child collapsed through below its clearance, so its margins do not adjoin the box's own.
  var strutStaysInside = false

  /// The edge of a box that starts a formatting context of its own, `startEdge` above its content.
  init(contentEdgeBelow startEdge: LayoutUnit) {
    start = .zero
    known = nil
    staysInPlace = false
    block = -startEdge
  }

  /// The edge of a box in the formatting context around it.
  init(at position: FlowPosition, staysInPlace: Bool) {
    start = position.block
    known = position.knownBlock
    self.staysInPlace = staysInPlace
    if position.isPlaced { block = position.block } else { strut = position.strut }
  }

  /// Fixes the edge below the margins met so far.
  mutating func resolve() {
    guard block == nil else { return }
    place(at: start + strut.sum)
  }
  mutating func place(at place: LayoutUnit) {
    block = place
    strut = MarginStrut()
    if let assumed, assumed != place, !staysInPlace { contradictedPlace = place }
  }
  /// The start of the border box, or of where it would be if its first content came now.
  var expected: LayoutUnit { block ?? known ?? (start + strut.sum) }
  /// The position of the next box in the flow if `offset` of the box is placed, with the margins so far above it.
  func current(offset: LayoutUnit) -> LayoutUnit { block.map { $0 + offset + strut.sum } ?? expected }
  /// The position of a child whose margins, with those before it, are `strut`.
  func place(of strut: MarginStrut, offset: LayoutUnit) -> LayoutUnit {
    if let block { return block + offset + strut.sum }
    return known ?? (start + strut.sum)
  }
  /// The flow position at which a child in the same formatting context begins.
  func position(offset: LayoutUnit) -> FlowPosition {
    var position = FlowPosition()
    position.strut = strut
    position.block = block.map { $0 + offset } ?? start
    if block == nil { position.knownBlock = known }
    return position
  }
}

extension LayoutContext {
  /// A chain of first children is followed so deep: the margins of deeper ones are zero in all books but hostile ones.
  private static let mostCollapsingAncestors = 64

  /// Used block-start margin, `auto` as 0.
  func startMargin(of box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    margins(of: box, availableInline: availableInline).blockStart
  }
  /// A break that the box follows leaves it its block-start margin (CSS Fragmentation 4, section 5.2).
  func keepsStartMargin(of box: BoxID, after startBreak: StartBreak) -> Bool {
    if startBreak == .none { return true }
    let rule = styles.pages[tree.boxes[box.index].style.page.index].marginBreak
    switch startBreak {
    case .none: return true
    case .unforced: return rule == .keep
    case .forced: return rule != .discard
    case .trimmed: return false
    }
  }
  /// Used block-end margin, `auto` as 0.
  func endMargin(of box: BoxID, availableInline: LayoutUnit) -> LayoutUnit {
    margins(of: box, availableInline: availableInline).blockEnd
  }

  /// Adds a box's block-start margin and those of its first descendants that collapse with it (CSS 2.2, section 8.3.1).
  func appendStartMargins(
    of box: BoxID, after startBreak: StartBreak = .none, availableInline: LayoutUnit, to strut: inout MarginStrut
  ) {
    guard startBreak != .trimmed else { return }
    var box = box
    for _ in 0..<Self.mostCollapsingAncestors {
      if keepsStartMargin(of: box, after: startBreak) {
        strut.append(startMargin(of: box, availableInline: availableInline))
      }
      let value = tree.boxes[box.index]
      guard value.kind == .block, value.content == .boxes, !value.establishesFormattingContext else { return }
      let geometry = borderAndPadding(of: box, availableInline: availableInline)
      guard geometry.border.blockStart + geometry.padding.blockStart == .zero else { return }
      let child = firstInFlowChild(of: box)
      guard !child.isNone, styles.boxes[tree.boxes[child.index].style.box.index].clear == .none else { return }
      box = child
    }
  }
}

extension LayoutContext {
  /// The margins of its content that a box drops (`margin-trim`: CSS Box 4, section 3.3).
  func marginTrim(of box: Box) -> MarginTrim {
    let none = MarginTrim(rawValue: 0)
    return inputs.trimsMargins ? styles.boxes[box.style.box.index].rare?.values.marginTrim ?? none : none
  }
}
