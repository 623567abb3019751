import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling

/// An element of a formula whose parts are being placed: from the start of its content box, and from its baseline.
struct MathFrame {
  let box: BoxID
  fileprivate let fragment: FragmentID
  fileprivate let geometry: BoxGeometry
  /// The size and the reach of the content, from its baseline.
  var width = LayoutUnit.zero
  var above = LayoutUnit.zero
  var below = LayoutUnit.zero
  var italic = LayoutUnit.zero
  var attachment: LayoutUnit?
  var glyph: (face: FontFace, id: UInt16, size: Float)?
  var isLarge = false
  /// The reach of limits with the room beyond them.
  var extraAbove = LayoutUnit.min
  var extraBelow = LayoutUnit.min
  /// The content stands in the middle of a box that is wider.
  var isCentered = false
  fileprivate var parts: [(item: MathItem, inline: LayoutUnit, lower: LayoutUnit)] = []
  /// Bars, from their upper edge.
  fileprivate var rules: [(inline: LayoutUnit, top: LayoutUnit, length: LayoutUnit, thickness: LayoutUnit)] = []

  fileprivate init(_ box: BoxID, _ fragment: FragmentID, _ geometry: BoxGeometry) {
    self.box = box
    self.fragment = fragment
    self.geometry = geometry
  }

  /// Content of an element that another frame takes.
  init(content box: BoxID) {
    self.init(box, .none, BoxGeometry())
  }

  /// Takes the parts of another frame.
  mutating func take(_ other: MathFrame, at inline: LayoutUnit) {
    for part in other.parts { parts.append((part.item, part.inline + inline, part.lower)) }
  }

  /// Places an item whose baseline is `lower` below that of the element, and makes room for it above and below.
  mutating func place(_ item: MathItem, at inline: LayoutUnit, lower: LayoutUnit = .zero) {
    above = parts.isEmpty ? item.above - lower : Swift.max(above, item.above - lower)
    below = parts.isEmpty ? item.below + lower : Swift.max(below, item.below + lower)
    parts.append((item, inline, lower))
  }

  /// Draws a bar whose upper edge is `rise` above the baseline.
  mutating func rule(at inline: LayoutUnit, rise: LayoutUnit, length: LayoutUnit, thickness: LayoutUnit) {
    rules.append((inline, -rise, length, thickness))
  }

  /// Moves all parts.
  mutating func move(by inline: LayoutUnit, _ lower: LayoutUnit) {
    for index in parts.indices {
      parts[index].inline += inline
      parts[index].lower += lower
    }
  }
}

extension MathLayout {
  /// An element without parts.
  func frame(of box: BoxID) -> MathFrame {
    let geometry = context.borderAndPadding(of: box, availableInline: available)
    return MathFrame(box, context.page.appendBox(box, size: .zero, geometry: geometry), geometry)
  }

  /// Attaches the parts of an element, from right to left where it runs so, and gives it its size.
  mutating func finish(_ frame: MathFrame) -> MathItem {
    let box = frame.box
    let geometry = frame.geometry
    let isRTL = direction(box) == .rtl
    let inset = geometry.contentOffset
    let edges = geometry.edges
    let (width, block) = size(of: frame, edges)
    let free = width - frame.width
    let start = frame.isCentered || isBlockRoot(box) ? Swift.max(.zero, free / 2) : isRTL ? free : .zero
    let size = LogicalSize(inline: width + edges.inline, block: block)
    func place(_ inline: LayoutUnit, _ length: LayoutUnit) -> LayoutUnit {
      inset.inline + start + (isRTL ? frame.width - inline - length : inline)
    }
    var item = MathItem(
      box: box, fragment: frame.fragment, size: size, baseline: inset.block + frame.above,
      margins: box == root ? .zero : context.margins(of: box, availableInline: available))
    for part in frame.parts {
      let inner = part.item
      let offset = LogicalOffset(
        inline: place(part.inline, inner.inline) + inner.margins.lineLeft,
        block: item.baseline + part.lower - inner.baseline)
      let shift = context.relativeShift(of: inner.box, containing: size, direction: isRTL ? .rtl : .ltr)
      context.page.attach(inner.fragment, to: frame.fragment, at: offset, shift: shift)
      item.outOfFlow.append(contentsOf: inner.outOfFlow, movedBy: offset, shift: shift)
    }
    if !frame.rules.isEmpty {
      let color = context.styles.texts[value(box).style.text.index].color
      context.page.append(
        frame.rules.map { rule in
          // A bar that is asked for is never invisible.
          let thickness = Swift.max(LayoutUnit(1), rule.thickness)
          return CollapsedBorder(
            rect: LogicalRect(
              offset: LogicalOffset(
                inline: place(rule.inline, rule.length), block: item.baseline + rule.top),
              size: LogicalSize(inline: rule.length, block: thickness)),
            isInlineAxis: true, style: CSS.BorderStyle.solid.rawValue, color: color)
        }, to: frame.fragment)
    }
    context.page.setSize(size, of: frame.fragment)
    addPositioned(of: box, at: inset, to: &item)
    item.italic = edges.inline == .zero ? frame.italic : .zero
    item.attachment = frame.attachment.map { inset.inline + start + $0 }
    item.glyph = edges.inline == .zero ? frame.glyph : nil
    item.isLarge = frame.isLarge
    return item
  }

  /// The width of the content box and the height of the border box: the content's, unless the style says otherwise.
  private func size(of frame: MathFrame, _ edges: LogicalSize) -> (inline: LayoutUnit, block: LayoutUnit) {
    let box = frame.box
    let auto = Swift.max(.zero, frame.above + frame.below) + edges.block
    var own = space
    if box == root {
      let inline = isBlockRoot(box) ? space.borderBoxInline : space.imposed.inline ?? frame.width + edges.inline
      return (
        Swift.max(.zero, inline - edges.inline),
        context.usedBlock(auto: auto, of: box, geometry: frame.geometry, space: own)
      )
    }
    guard value(box).style.box.index != 0 else { return (frame.width, auto) }
    own.imposed = ImposedSize()
    own.percentageBlock = nil
    let block = context.usedBlock(auto: auto, of: box, geometry: frame.geometry, space: own)
    guard box != ignoresOwnWidth else { return (frame.width, block) }
    let style = value(box).style
    let inline =
      context.borderBoxInline(
        context.inlineSizes(style.box).size, of: box, style: style, geometry: frame.geometry, availableInline: available
      )
      ?? frame.width + edges.inline
    let limited = context.clampInline(
      inline, of: box, style: style, geometry: frame.geometry, availableInline: available)
    return (Swift.max(.zero, limited - edges.inline), block)
  }

  /// The box is a formula that is a block of its own.
  private func isBlockRoot(_ box: BoxID) -> Bool { box == root && !value(box).flags.contains(.atomicInline) }

  /// Tells of the positioned boxes among an element's children.
  private func addPositioned(of box: BoxID, at inset: LogicalOffset, to item: inout MathItem) {
    var child = value(box).firstChild
    while !child.isNone {
      if value(child).flags.contains(.outOfFlow) {
        item.outOfFlow.append(
          OutOfFlowBox(
            box: child, staticOffset: inset, staticInlineSize: item.size.inline, staticDirection: direction(box)))
      }
      child = value(child).nextSibling
    }
  }
}
