import CSS
import Primitives

extension StyleBuilder {
  var parentBox: BoxStyle { interner.table.boxes[parent.box.index] }

  /// The parent is seen as a line without its content.
  private var parentIsLine: Bool {
    interner.table.borders[parent.border.index].isLine
      || interner.table.backgrounds[parent.background.index] != BackgroundGroup()
  }

  private var margin: MarginValue? { if case .margin(let margin) = value { computed(margin) } else { nil } }
  var size: SizeValue? { if case .size(let size) = value { computed(size) } else { nil } }
  var lengthPercentage: LengthPercentage? {
    if case .lengthPercentage(let length) = value { computed(length) } else { nil }
  }
  var length: Length? { if case .length(let length) = value { computed(length) } else { nil } }
  var spacing: SpacingValue? { if case .spacing(let spacing) = value { computed(spacing) } else { nil } }
  var position: PositionValue? { if case .position(let position) = value { computed(position) } else { nil } }
  private var counters: [CounterOperation]? { if case .counters(let counters) = value { counters } else { nil } }

  func apply(_ id: BoxProperty) {
    switch id {
    case .display: assign(&box.display, keyword(), parentBox.display)
    case .position:
      assign(&box.position, keyword() ?? string.map { _ in .static }, parentBox.position)
      if let string {
        load(.page)
        page.running = string
      } else if takesOther {
        load(.page)
        page.running = interner.table.pages[parent.page.index].running
      }
    case .float:
      if case .snapBlock(var snap) = value {
        snap.distance = computed(snap.distance)
        box.float = .snapBlock
        setRare(\.snapBlock, snap)
      } else {
        assign(&box.float, keyword(), parentBox.float)
        var snap = SnapBlock()
        if takesOther, let other = parentBox.rare?.values.snapBlock {
          snap = other
          snap.distance = inherited(other.distance)
        }
        setRare(\.snapBlock, snap)
      }
    case .clear: assign(&box.clear, keyword(), parentBox.clear)
    case .boxSizing: assign(&box.boxSizing, keyword(), parentBox.boxSizing)
    case .width: assign(&box.width, size, inherited(parentBox.width))
    case .height: assign(&box.height, size, inherited(parentBox.height))
    case .minWidth: assign(&box.minWidth, size, inherited(parentBox.minWidth))
    case .minHeight: assign(&box.minHeight, size, inherited(parentBox.minHeight))
    case .maxWidth: assign(&box.maxWidth, size, inherited(parentBox.maxWidth))
    case .maxHeight: assign(&box.maxHeight, size, inherited(parentBox.maxHeight))
    case .marginTop: assign(&box.margin.top, margin, inherited(parentBox.margin.top))
    case .marginRight: assign(&box.margin.right, margin, inherited(parentBox.margin.right))
    case .marginBottom: assign(&box.margin.bottom, margin, inherited(parentBox.margin.bottom))
    case .marginLeft: assign(&box.margin.left, margin, inherited(parentBox.margin.left))
    case .paddingTop: assign(&box.padding.top, lengthPercentage, inherited(parentBox.padding.top))
    case .paddingRight: assign(&box.padding.right, lengthPercentage, inherited(parentBox.padding.right))
    case .paddingBottom: assign(&box.padding.bottom, lengthPercentage, inherited(parentBox.padding.bottom))
    case .paddingLeft: assign(&box.padding.left, lengthPercentage, inherited(parentBox.padding.left))
    case .top: assign(&box.inset.top, margin, inherited(parentBox.inset.top))
    case .right: assign(&box.inset.right, margin, inherited(parentBox.inset.right))
    case .bottom: assign(&box.inset.bottom, margin, inherited(parentBox.inset.bottom))
    case .left: assign(&box.inset.left, margin, inherited(parentBox.inset.left))
    case .overflowX: assign(&box.overflowX, keyword(), parentBox.overflowX)
    case .overflowY: assign(&box.overflowY, keyword(), parentBox.overflowY)
    case .clip:
      if case .clip(let edges) = value {
        box.clip = mapped(edges) { self.computed($0) }
      } else {
        assign(&box.clip, optional(nil as Sides<Length?>?), parentBox.clip.map { mapped($0) { self.inherited($0) } })
      }
    case .verticalAlign:
      if case .verticalAlign(let align) = value {
        box.verticalAlign = computed(align)
      } else {
        assign(&box.verticalAlign, nil, inherited(parentBox.verticalAlign))
      }
    case .unicodeBidi: assign(&box.unicodeBidi, keyword(), parentBox.unicodeBidi)
    case .zIndex: assign(&box.zIndex, optional(integer), parentBox.zIndex)
    case .tableLayout: assign(&box.tableLayout, keyword(), parentBox.tableLayout)
    case .content:
      if case .content(let content) = value {
        box.content = content == .items([.ornament]) && parentIsLine ? .none : content
      } else {
        assign(&box.content, nil, parentBox.content)
      }
    case .counterReset: assign(&box.counterReset, counters, parentBox.counterReset)
    case .counterIncrement: assign(&box.counterIncrement, counters, parentBox.counterIncrement)
    case .counterSet: assign(&box.counterSet, counters, parentBox.counterSet)
    case .objectFit: assign(&box.objectFit, keyword(), parentBox.objectFit)
    case .objectPosition: assign(&box.objectPosition, position, inherited(parentBox.objectPosition))
    case .aspectRatio:
      if case .aspectRatio(let ratio, let isAuto) = value {
        (box.aspectRatio, box.prefersNaturalRatio) = (ratio, isAuto)
      } else {
        assign(&box.aspectRatio, optional(nil), parentBox.aspectRatio)
        box.prefersNaturalRatio = takesOther && parentBox.prefersNaturalRatio
      }
    case .textDecorationLine:
      assign(
        &box.decorationLine, flags.map { TextDecorationLine(rawValue: UInt8(truncatingIfNeeded: $0)) },
        parentBox.decorationLine)
    case .textDecorationStyle: assign(&box.decorationStyle, keyword(), parentBox.decorationStyle)
    case .textDecorationColor: assign(&box.decorationColor, color, parentBox.decorationColor)
    case .textDecorationThickness:
      if case .decorationThickness(let thickness) = value {
        box.decorationThickness = computed(thickness)
      } else {
        assign(&box.decorationThickness, nil, inherited(parentBox.decorationThickness))
      }
    case .initialLetter:
      if case .initialLetter(let size, let sink) = value {
        box.initialLetterSize = size
        box.initialLetterSink = sink
      } else if takesOther {
        box.initialLetterSize = parentBox.initialLetterSize
        box.initialLetterSink = parentBox.initialLetterSink
      }
    }
  }

  private func mapped(_ edges: Sides<Length?>, _ transform: (Length) -> Length) -> Sides<Length?> {
    Sides(
      top: edges.top.map(transform), right: edges.right.map(transform), bottom: edges.bottom.map(transform),
      left: edges.left.map(transform))
  }
}
