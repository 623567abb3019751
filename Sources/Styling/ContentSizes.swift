import CSS
import Markup
import Primitives

/// The sizes of boxes that follow from styles alone, from the page downwards: what CSS Sizing 3 calls definite sizes, and those of
/// boxes that fill their containing block. Query containers need them before there are boxes.
///
/// A width that only layout could tell (tracks and flexible items of other sizes, floats beside them) is the room there would be.
struct ContentSizes {
  /// A content box in CSS px. A height is nil where content decides over it.
  struct Size {
    var width: Double
    var height: Double?
  }
  private var known: [NodeID: Size] = [:]
  /// The child elements of flex and grid containers.
  private var itemCounts: [NodeID: Double] = [:]

  /// The content box of a query container; nil for an element that has no box of its own or one without a size (CSS Conditional 5,
  /// section 2.1).
  mutating func containerSize(
    of node: NodeID, in document: Document, _ styles: ComputedStyles, _ builder: StyleBuilder
  ) -> (width: Double?, height: Double?) {
    switch builder.table.boxes[styles[node.index].box.index].display {
    case .none, .contents, .inline, .table, .inlineTable, .tableRow, .tableRowGroup, .tableHeaderGroup,
      .tableFooterGroup, .tableCell, .tableColumn, .tableColumnGroup, .ruby, .rubyBase, .rubyText,
      .rubyBaseContainer, .rubyTextContainer:
      return (nil, nil)
    default:
      let size = size(of: node, Context(document: document, styles: styles, builder: builder))
      return (size.width, size.height)
    }
  }

  private struct Context {
    var document: Document
    var styles: ComputedStyles
    var builder: StyleBuilder

    func box(_ node: NodeID) -> BoxStyle { builder.table.boxes[styles[node.index].box.index] }
    func isHorizontal(_ node: NodeID) -> Bool {
      builder.table.paragraphs[styles[node.index].paragraph.index].writingMode.isHorizontal
    }
    /// The parent element; none for the root.
    func parent(_ node: NodeID) -> NodeID {
      let parent = document.nodes[node.index].parent
      return !parent.isNone && document.nodes[parent.index].kind == .element ? parent : .none
    }
    var page: Size {
      let (media, area) = (builder.settings.media, builder.settings.pageArea)
      return Size(width: area?.width ?? media.width, height: area?.height ?? media.height)
    }

    /// CSS px of a computed length; percentages are of `basis`.
    func pixels(_ value: LengthPercentage, of basis: Double?, _ node: NodeID) -> Double? {
      switch value {
      case .length(let length): return pixels(length, of: basis, node)
      case .calculation(let id):
        return builder.table.calculations[id.index].value { pixels($0, of: basis, node) }
      }
    }
    func pixels(_ length: Length, of basis: Double?, _ node: NodeID) -> Double? {
      let value = Double(length.value)
      switch length.unit {
      case .px: return value
      case .percent: return basis.map { value * $0 / 100 }
      case .vw, .vi, .vh, .vb, .vmin, .vmax:
        let page = page
        return length.unit.pagePixels(value, width: page.width, height: page.height ?? 0)
      case .rem: return value * Double(builder.settings.rootFontSize)
      default:
        return builder.pixels(length, font: builder.table.fonts[styles[node.index].font.index])
      }
    }
  }

  /// What a side of a box takes beside its content, in CSS px.
  private struct Extent {
    var start: Double
    var end: Double
    var sum: Double { start + end }
  }

  private mutating func size(of node: NodeID, _ context: Context) -> Size {
    if node.isNone { return context.page }
    if let known = known[node] { return known }
    let size = measured(node, context)
    known[node] = size
    return size
  }

  /// The content box of the nearest ancestor that has a box of its own.
  private mutating func containingBlock(of node: NodeID, _ context: Context) -> (NodeID, Size) {
    var parent = context.parent(node)
    while !parent.isNone, context.box(parent).display == .inline || context.box(parent).display == .contents {
      parent = context.parent(parent)
    }
    return (parent, size(of: parent, context))
  }

  /// The number of items of a flex or grid container; 0 for other elements.
  private mutating func itemCount(of node: NodeID, _ context: Context) -> Double {
    if let known = itemCounts[node] { return known }
    guard context.box(node).display.holdsItems else { return 0 }
    let count = context.document.children(of: node).count { context.document.nodes[$0.index].kind == .element }
    itemCounts[node] = Double(count)
    return Double(count)
  }

  /// The padding box that an absolutely positioned element stands in.
  private mutating func positionedContainer(of node: NodeID, _ context: Context) -> Size {
    var ancestor = context.parent(node)
    while !ancestor.isNone {
      let box = context.box(ancestor)
      let contains =
        box.position != .static && context.box(node).position != .fixed || !box.transform.isEmpty
        || box.rare?.values.containsPositioned == true
      if contains {
        let content = size(of: ancestor, context)
        let (_, around) = containingBlock(of: ancestor, context)
        let padding = box.padding
        func extent(_ one: LengthPercentage, _ other: LengthPercentage) -> Double {
          [one, other].reduce(0) { $0 + (context.pixels($1, of: around.width, ancestor) ?? 0) }
        }
        return Size(
          width: content.width + extent(padding.left, padding.right),
          height: content.height.map { $0 + extent(padding.top, padding.bottom) })
      }
      ancestor = context.parent(ancestor)
    }
    return context.page
  }

  private mutating func measured(_ node: NodeID, _ context: Context) -> Size {
    let box = context.box(node)
    var (parent, around) = containingBlock(of: node, context)
    let isPositioned = box.position == .absolute || box.position == .fixed
    if isPositioned { around = positionedContainer(of: node, context) }
    let isHorizontal = parent.isNone ? context.isHorizontal(node) : context.isHorizontal(parent)
    let border = context.builder.table.borders[context.styles[node.index].border.index]
    func line(_ style: BorderStyle, _ width: Length) -> Double {
      style == .none || style == .hidden ? 0 : context.pixels(width, of: nil, node) ?? 0
    }
    func pixels(_ value: LengthPercentage) -> Double { context.pixels(value, of: around.width, node) ?? 0 }
    func margin(_ value: MarginValue) -> Double { if case .length(let length) = value { pixels(length) } else { 0 } }
    let edgesX =
      pixels(box.padding.left) + pixels(box.padding.right) + line(border.style.left, border.width.left)
      + line(border.style.right, border.width.right)
    let edgesY =
      pixels(box.padding.top) + pixels(box.padding.bottom) + line(border.style.top, border.width.top)
      + line(border.style.bottom, border.width.bottom)
    let marginsX = margin(box.margin.left) + margin(box.margin.right)
    let marginsY = margin(box.margin.top) + margin(box.margin.bottom)

    func given(_ value: SizeValue, _ basis: Double?, _ edges: Double) -> Double? {
      guard case .length(let length) = value, let size = context.pixels(length, of: basis, node) else { return nil }
      return max(0, box.boxSizing == .borderBox ? size - edges : size)
    }
    func clamped(_ size: Double, _ low: SizeValue, _ high: SizeValue, _ basis: Double?, _ edges: Double) -> Double {
      max(given(low, basis, edges) ?? 0, min(size, given(high, basis, edges) ?? .infinity))
    }
    /// The size between two insets, when both are given.
    func between(_ one: MarginValue, _ other: MarginValue, _ whole: Double?, _ taken: Double) -> Double? {
      guard isPositioned, let whole, case .length(let first) = one, case .length(let second) = other else { return nil }
      guard let first = context.pixels(first, of: whole, node), let second = context.pixels(second, of: whole, node)
      else { return nil }
      return max(0, whole - first - second - taken)
    }
    let contained = box.rare?.values.usedContainment ?? []
    func intrinsic(_ length: Length?, isInline: Bool) -> Double? {
      guard contained.contains(isInline ? .inlineSize : .blockSize) else { return nil }
      return length.flatMap { context.pixels($0, of: nil, node) } ?? 0
    }
    let isOwnHorizontal = context.isHorizontal(node)
    let naturalWidth = intrinsic(box.rare?.values.containIntrinsicWidth, isInline: isOwnHorizontal)
    let naturalHeight = intrinsic(box.rare?.values.containIntrinsicHeight, isInline: !isOwnHorizontal)

    let room =
      parent.isNone || isPositioned
      ? Room() : Room(for: node, in: parent, around, isHorizontal, count: itemCount(of: parent, context), context)
    var width =
      given(box.width, around.width, edgesX)
      ?? between(
        box.inset.left, box.inset.right, around.width, marginsX + edgesX)
    var height =
      given(box.height, around.height, edgesY)
      ?? between(
        box.inset.top, box.inset.bottom, around.height, marginsY + edgesY)
    let isInlineLevel = box.display.outside == .atomic || box.display == .inlineListItem
    // Boxes as wide as their content: nothing, where the content does not count.
    let isShrunk = isPositioned || box.float != .none || isInlineLevel || box.display == .tableCell

    // A height and a ratio come before the room (CSS Sizing 4, section 5.1.1).
    if width == nil, let height, let ratio = box.aspectRatio.map(Double.init), ratio > 0 {
      width = box.boxSizing == .borderBox ? max(0, (height + edgesY) * ratio - edgesX) : height * ratio
    }
    if width == nil, !isShrunk, isHorizontal || room.isItem, let share = room.width {
      width = max(0, share - marginsX - edgesX)
    }
    if height == nil, !isShrunk, let share = room.height { height = max(0, share - marginsY - edgesY) }
    if height == nil, let width, let ratio = box.aspectRatio.map(Double.init), ratio > 0 {
      height = box.boxSizing == .borderBox ? max(0, (width + edgesX) / ratio - edgesY) : width / ratio
    }
    if !isHorizontal, height == nil, !isShrunk, let whole = around.height, parent.isNone || !room.isItem {
      height = max(0, whole - marginsY - edgesY)
    }
    let finalWidth =
      width ?? (isShrunk || !isHorizontal || room.isItem ? naturalWidth : nil)
      ?? max(0, around.width - marginsX - edgesX)
    let finalHeight = height ?? naturalHeight
    return Size(
      width: clamped(finalWidth, box.minWidth, box.maxWidth, around.width, edgesX),
      height: finalHeight.map { clamped($0, box.minHeight, box.maxHeight, around.height, edgesY) })
  }

  /// What the margin box of an element gets of its containing block; nil where its content decides.
  private struct Room {
    var width: Double?
    var height: Double?
    /// The element is an item of a flex or grid container.
    var isItem = false

    init() {}

    init(for node: NodeID, in parent: NodeID, _ around: Size, _ isHorizontal: Bool, count: Double, _ context: Context) {
      let container = context.box(parent)
      let item = context.box(node)
      func stretches(_ own: AlignmentValue, _ all: AlignmentValue) -> Bool {
        let value = own == .auto ? all : own
        return value == .normal || value == .stretch
      }
      func gap(_ value: SpacingValue, _ basis: Double?) -> Double {
        if case .length(let length) = value { context.pixels(length, of: basis, node) ?? 0 } else { 0 }
      }
      switch container.display {
      case .flex, .inlineFlex:
        isItem = true
        let runsAlong = container.flexDirection == .row || container.flexDirection == .rowReverse
        let isRow = runsAlong == isHorizontal
        // Flexible items are taken to be alike.
        func share(_ whole: Double, _ gap: Double) -> Double? {
          if case .length(let basis) = item.flexBasis, item.flexGrow == 0 {
            return context.pixels(basis, of: whole, node)
          }
          return item.flexGrow > 0 ? max(0, whole - gap * (count - 1)) / max(1, count) : nil
        }
        let crosses = stretches(item.alignSelf, container.alignItems)
        if isRow {
          width = share(around.width, gap(container.columnGap, around.width))
          if crosses, container.flexWrap == .nowrap { height = around.height }
        } else {
          if crosses { width = around.width }
          height = around.height.flatMap { share($0, gap(container.rowGap, $0)) }
        }
      case .grid, .inlineGrid:
        isItem = true
        let grid = container.grid?.values ?? GridValues()
        let columns = Double(max(1, grid.columns.tracks.count))
        // Tracks are taken to be alike.
        if stretches(item.justifySelf, container.justifyItems) {
          width = max(0, around.width - gap(container.columnGap, around.width) * (columns - 1)) / columns
        }
        if stretches(item.alignSelf, container.alignItems), grid.rows.tracks.count <= 1,
          let whole = around.height
        {
          let rows = (count / columns).rounded(.up)
          height = max(0, whole - gap(container.rowGap, whole) * (rows - 1)) / max(1, rows)
        }
      default:
        if isHorizontal { width = around.width } else { height = around.height }
      }
    }
  }
}
