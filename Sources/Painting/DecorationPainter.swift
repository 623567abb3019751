import BoxGeneration
import CSS
import Fonts
import Graphics
import Layout
import Primitives
import Styling
import Text

/// An underline, overline or line through on a stretch of text, ready to draw: the line's centre.
struct DecorationLine {
  var from: Point
  var to: Point
  var width: LayoutUnit
  var style: TextDecorationStyle
  var color: Color
  var isThrough: Bool
}

extension PagePainting {
  /// The lines of all decorations of a text (CSS Text Decoration 3, section 2): thickness and place come from the decorating
  /// box, so a line keeps straight across sizes and shifted baselines.
  func decorationLines(
    _ decorations: [TextDecoration], _ fragment: Fragment, _ text: TextFragment, at offset: LogicalOffset,
    line: FragmentID,
    lineOffset: LogicalOffset
  ) -> [DecorationLine] {
    var lines: [DecorationLine] = []
    let inlineEnd = offset.inline + fragment.size.inline
    for decoration in decorations where !decoration.color.isTransparent {
      let isKnown = !decoration.box.isNone && decoration.box.index < tree.boxes.count
      let font =
        isKnown
        ? tree[decoration.box].style.font
        : (fragment.box.isNone ? ComputedStyle.initial.font : tree[fragment.box].style.font)
      let size = context.fontSize(font)
      let baseline = self.baseline(
        of: decoration.box, font: font, fragment, text, at: offset, line: line, lineOffset: lineOffset)
      let thickness = Swift.max(
        LayoutUnit(1),
        decoration.thickness.map { context.resolve($0, font: font, percentage: LayoutUnit(size)) }
          ?? LayoutUnit(size / 10).floor)
      let (ascent, descent) = reach(of: font)
      func add(centre: LayoutUnit, isThrough: Bool) {
        lines.append(
          DecorationLine(
            from: map.point(LogicalOffset(inline: offset.inline, block: centre)),
            to: map.point(LogicalOffset(inline: inlineEnd, block: centre)), width: thickness, style: decoration.style,
            color: textMaskColor ?? decoration.color, isThrough: isThrough))
      }
      let half = thickness / 2
      if map.writingMode.isCentral {
        // Beside the em boxes, which ascent and descent of a CJK face exceed by far.
        let side = LayoutUnit(size / 2) + half
        let extra = decoration.underlineOffset.map { context.resolve($0, font: font, percentage: LayoutUnit(size)) }
        if decoration.line.contains(.underline) {
          let distance = side + (extra ?? LayoutUnit(1))
          add(centre: decoration.isUnderlineOver ? baseline - distance : baseline + distance, isThrough: false)
        }
        if decoration.line.contains(.overline) {
          let isFree = !(decoration.isUnderlineOver && decoration.line.contains(.underline))
          add(centre: isFree ? baseline - side : baseline + side, isThrough: false)
        }
        if decoration.line.contains(.lineThrough) { add(centre: baseline, isThrough: true) }
        continue
      }
      if decoration.line.contains(.underline) {
        let extra = decoration.underlineOffset.map { context.resolve($0, font: font, percentage: LayoutUnit(size)) }
        let top: LayoutUnit
        if decoration.underlineUnder {
          top = baseline + descent + (extra ?? .zero)
        } else if let extra {
          top = baseline + extra
        } else {
          top = baseline + Swift.max(LayoutUnit(1), half.ceiling)
        }
        add(centre: top + half, isThrough: false)
      }
      if decoration.line.contains(.overline) { add(centre: baseline - ascent + half, isThrough: false) }
      if decoration.line.contains(.lineThrough) { add(centre: baseline - ascent / 3, isThrough: true) }
    }
    return lines
  }

  /// How far the content area of a font reaches above and below its baseline.
  private func reach(of font: Identifier<FontStyleTag>) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    let size = context.fontSize(font)
    let metrics = context.primaryFace(font)?.metrics
    let ascent = metrics.map { LayoutUnit($0.scaled($0.ascent, size: size)) } ?? LayoutUnit(size * 0.8)
    let descent = metrics.map { LayoutUnit($0.scaled($0.descent, size: size)) } ?? LayoutUnit(size * 0.2)
    return map.writingMode.isCentral ? ((ascent + descent) / 2, (ascent + descent) / 2) : (ascent, descent)
  }

  /// The baseline of the decorating box on this line.
  private func baseline(
    of box: BoxID, font: Identifier<FontStyleTag>, _ fragment: Fragment, _ text: TextFragment, at offset: LogicalOffset,
    line: FragmentID, lineOffset: LogicalOffset
  ) -> LayoutUnit {
    let own = offset.block + text.baseline
    if text.isAnnotation || box == fragment.box || box.isNone { return own }
    guard tree[box].kind == .inline else {
      let lineFragment = page[line]
      guard lineFragment.kind == .line, Int(lineFragment.payload) < page.lines.count else { return own }
      return lineOffset.block + page.lines[Int(lineFragment.payload)].baseline
    }
    for child in children(of: line) where page[child].kind == .inlineBox && page[child].box == box {
      var part = page[child]
      if map.writingMode != page.writingMode {
        let place = LogicalRect(offset: part.offset, size: part.size)
        part.offset =
          map.writingMode.logical(
            page.writingMode.physical(place, in: map.contentArea), in: map.contentArea
          ).offset
      }
      let geometry = geometry(part)
      let edges = geometry.border + geometry.padding
      let over = page.writingMode == .verticalLR ? edges.blockEnd : edges.blockStart
      return lineOffset.block + part.offset.block + over + reach(of: font).ascent
    }
    return own
  }

  mutating func paint(_ line: DecorationLine) {
    let isHorizontal = line.from.y == line.to.y
    func bar(_ shift: LayoutUnit, _ width: LayoutUnit) -> Rect {
      let edge = (isHorizontal ? line.from.y : line.from.x) + shift - width / 2
      // A line of `sideways-lr` runs upwards.
      return isHorizontal
        ? Rect(x: line.from.x, y: edge, width: line.to.x - line.from.x, height: width)
        : Rect(
          x: edge, y: Swift.min(line.from.y, line.to.y), width: width,
          height: Swift.max(line.to.y - line.from.y, line.from.y - line.to.y))
    }
    switch line.style {
    case .solid: append(bar(.zero, line.width), line.color)
    case .double:
      append(bar(.zero, line.width), line.color)
      append(bar(line.isThrough ? -line.width * 2 : line.width * 2, line.width), line.color)
    case .dotted, .dashed, .wavy:
      guard line.from != line.to else { return }
      let style: StrokeStyle = line.style == .dotted ? .dotted : line.style == .dashed ? .dashed : .wavy
      list.items.append(.strokeLine(from: line.from, to: line.to, width: line.width, style, line.color))
    }
  }

  /// A bar of whole px height, joined to the one before where they touch.
  private mutating func append(_ bar: Rect, _ color: Color) {
    guard !bar.isEmpty else { return }
    if case .fillRect(let last, let lastColor)? = list.items.last, lastColor == color, last.y == bar.y,
      last.height == bar.height,
      last.maxX == bar.x, color.alpha == 255
    {
      list.items[list.items.count - 1] = .fillRect(last.union(bar), color)
    } else {
      list.items.append(.fillRect(bar, color))
    }
  }
}
