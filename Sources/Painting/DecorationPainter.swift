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
  /// Gaps at the ink of the text (`text-decoration-skip-ink`): along the line, in order, not overlapping.
  var gaps: [ClosedRange<LayoutUnit>] = []

  /// From the centre of the line to that of the second stripe of a double one.
  var secondStripe: LayoutUnit { isThrough ? -width - LayoutUnit(1) : width + LayoutUnit(1) }

  /// From the line's centre to its outer edges, across it.
  var reach: ClosedRange<LayoutUnit> {
    let half = width / 2
    switch style {
    case .solid, .dotted, .dashed: return -half...half
    case .double: return Swift.min(-half, secondStripe - half)...Swift.max(half, secondStripe + half)
    // A cubic swings 0.29 of the way to its control points.
    case .wavy:
      let swing = (width * 3 + LayoutUnit(1)).rounded * 0.3 + half + LayoutUnit(0.5)
      return -swing...swing
    }
  }

  var isHorizontal: Bool { from.y == to.y }

  /// The line from its lower to its upper edge, above the baseline of a glyph at a place.
  func band(above place: Point, _ rotation: GlyphRotation) -> ClosedRange<LayoutUnit> {
    switch rotation {
    case .none: place.y - from.y - reach.upperBound...place.y - from.y - reach.lowerBound
    case .clockwise90: from.x + reach.lowerBound - place.x...from.x + reach.upperBound - place.x
    case .counterclockwise90: place.x - from.x - reach.upperBound...place.x - from.x - reach.lowerBound
    }
  }

  /// The stretches between the gaps, along the line.
  var pieces: [ClosedRange<LayoutUnit>] {
    let ends = isHorizontal ? (from.x, to.x) : (from.y, to.y)
    let first = Swift.min(ends.0, ends.1)
    let last = Swift.max(ends.0, ends.1)
    if gaps.isEmpty { return [first...last] }
    var pieces: [ClosedRange<LayoutUnit>] = []
    var start = first
    for gap in gaps {
      if gap.lowerBound > start { pieces.append(start...Swift.min(last, gap.lowerBound)) }
      start = Swift.max(start, gap.upperBound)
      if start >= last { return pieces }
    }
    pieces.append(start...last)
    return pieces
  }
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
      let font = self.font(of: decoration, fragment, line: line)
      let size = context.fontSize(font) * text.scale
      let baseline = self.baseline(
        of: decoration.box, font: font, fragment, text, at: offset, line: line, lineOffset: lineOffset)
      let metrics = context.primaryFace(font).metrics
      let percentage = LayoutUnit(size)
      let wanted: LayoutUnit
      switch decoration.thickness {
      case .auto: wanted = LayoutUnit(size / 10).floor
      case .fromFont:
        wanted = LayoutUnit(metrics.scaled(metrics.underlineThickness, size: size))
      case .length(let length): wanted = context.resolve(length, font: font, percentage: percentage).rounded
      }
      let thickness = Swift.max(LayoutUnit(1), wanted)
      let apart =
        isKnown && decoration.line.contains(.underline)
        ? separation(of: decoration, size: size, from: offset.inline, to: inlineEnd, on: line, at: lineOffset)
        : (start: .zero, end: .zero)
      let (ascent, descent) = reach(of: font, scale: text.scale)
      func add(centre: LayoutUnit, isThrough: Bool) {
        lines.append(
          DecorationLine(
            from: map.point(LogicalOffset(inline: offset.inline + apart.start, block: centre)),
            to: map.point(LogicalOffset(inline: inlineEnd - apart.end, block: centre)), width: thickness,
            style: decoration.style,
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
          // It keeps to the side where no underline would be (section 2.7.1).
          add(centre: decoration.isUnderlineOver ? baseline + side : baseline - side, isThrough: false)
        }
        if decoration.line.contains(.lineThrough) { add(centre: baseline, isThrough: true) }
        continue
      }
      // A wave swings below an underline's place, above an overline's.
      let wave = decoration.style == .wavy ? thickness + LayoutUnit(1) : .zero
      if decoration.line.contains(.underline) {
        let extra = decoration.underlineOffset.map { context.resolve($0, font: font, percentage: percentage).rounded }
        let top: LayoutUnit
        let own = LayoutUnit(metrics.scaled(metrics.underlinePosition, size: size))
        if !decoration.underlinePosition.isDisjoint(with: [.under, .left]) {
          top = baseline + descent + (extra ?? .zero) + LayoutUnit(1)
        } else if decoration.underlinePosition.contains(.fromFont) {
          top = baseline + own + (extra ?? .zero)
        } else {
          top = baseline + (extra ?? Swift.max(LayoutUnit(1), half.ceiling))
        }
        add(centre: top + half + wave, isThrough: false)
      }
      if decoration.line.contains(.overline) { add(centre: baseline - ascent - half - wave, isThrough: false) }
      if decoration.line.contains(.lineThrough) { add(centre: baseline - ascent / 3, isThrough: true) }
    }
    if skipsInk(fragment, text) {
      for index in lines.indices where !lines[index].isThrough {
        lines[index].gaps = gaps(in: lines[index], text, at: offset)
      }
    }
    return lines
  }

  /// The font of the decorating box: an inline box, or the root inline box of the block container of the line, to which decorations of
  /// blocks are propagated (CSS Text Decoration 3, section 2.1).
  private func font(
    of decoration: TextDecoration, _ fragment: Fragment, line: FragmentID
  ) -> Identifier<FontStyleTag> {
    let container = page[line].kind == .line ? page[line].box : .none
    for box in [decoration.box, fragment.box] where !box.isNone && box.index < tree.boxes.count {
      return tree[box].kind == .inline || container.isNone ? tree[box].style.font : tree[container].style.font
    }
    return ComputedStyle.initial.font
  }

  /// The extent of the content area of a font above and below its baseline.
  private func reach(of font: Identifier<FontStyleTag>, scale: Float) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    let size = context.fontSize(font) * scale
    let metrics = context.primaryFace(font).metrics
    let ascent = LayoutUnit(metrics.scaled(metrics.ascent, size: size))
    let descent = LayoutUnit(metrics.scaled(metrics.descent, size: size))
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
    guard let part = part(of: box, on: line) else { return own }
    let geometry = geometry(part)
    let edges = geometry.border + geometry.padding
    let over = page.writingMode == .verticalLR ? edges.blockEnd : edges.blockStart
    return lineOffset.block + part.offset.block + over + reach(of: font, scale: text.scale).ascent
  }

  /// The part of an inline box on a line, in the line's own terms.
  private func part(of box: BoxID, on line: FragmentID) -> Fragment? {
    for child in children(of: line) where page[child].kind == .inlineBox && page[child].box == box {
      var part = page[child]
      if map.writingMode != page.writingMode {
        let place = page.writingMode.physical(LogicalRect(offset: part.offset, size: part.size), in: map.contentArea)
        let own = map.writingMode.logical(place, in: map.contentArea)
        (part.offset, part.size) = (own.offset, own.size)
      }
      return part
    }
    return nil
  }

  /// The distance of an underline from the ends of a text: lines of Chinese names and titles that stand side by side
  /// are told apart (CLREQ, section 5.3.1).
  private func separation(
    of decoration: TextDecoration, size: Float, from start: LayoutUnit, to end: LayoutUnit, on line: FragmentID,
    at lineOffset: LogicalOffset
  ) -> (start: LayoutUnit, end: LayoutUnit) {
    let box = tree[decoration.box]
    guard box.kind == .inline, context.styles[box.style.paragraph].conventions == .chinese,
      let part = part(of: decoration.box, on: line)
    else { return (.zero, .zero) }
    let gap = LayoutUnit(size / 16)
    let left = lineOffset.inline + part.offset.inline
    let isWhole = part.flags.isDisjoint(with: [.continuesBefore, .continuesAfter])
    return (
      isWhole && start <= left + .epsilon ? gap : .zero,
      isWhole && end >= left + part.size.inline - .epsilon ? gap : .zero
    )
  }

  /// Underlines of a text leave out its ink. Upright characters, beside which they stand, have no ink to leave out.
  private func skipsInk(_ fragment: Fragment, _ text: TextFragment) -> Bool {
    guard map.writingMode.isHorizontal || text.isSideways, !fragment.box.isNone, !text.glyphs.isEmpty,
      Int(text.glyphs.upperBound) <= page.glyphs.count
    else { return false }
    return context.styles[tree[fragment.box].style.text].decorationSkipInk != .none
  }

  /// The gaps a line has where glyphs cross it: as wide as their ink there and the line's thickness on both sides.
  private func gaps(in line: DecorationLine, _ text: TextFragment, at offset: LogicalOffset) -> [ClosedRange<
    LayoutUnit
  >] {
    guard let face = context.fonts.face(text.font) else { return [] }
    let unit = Float(Swift.max(1, face.unitsPerEm)) / Swift.max(text.size, 1.0 / 64)
    let unitAlong = unit / text.expansionFactor
    let rotation = rotation(of: text)
    let margin = Swift.min(line.width, LayoutUnit(13))
    let units = tree.texts.units
    let paragraph = tree.texts[text.text].units
    let isOneToOne = text.glyphs.count == text.range.count
    if !isOneToOne, face.isCJK { return [] }
    var gaps: [ClosedRange<LayoutUnit>] = []
    for (position, index) in text.glyphs.enumerated() {
      let glyph = page.glyphs[Int(index)]
      let place = map.point(
        LogicalOffset(inline: offset.inline + glyph.x, block: offset.block + text.baseline + glyph.y))
      let band = line.band(above: place, rotation)
      let (low, high) = (band.lowerBound.float * unit, band.upperBound.float * unit)
      guard let ink = face.extents(glyph.id), Float(ink.y + ink.height) <= high, Float(ink.y) >= low else { continue }
      if isOneToOne {
        let unitIndex = paragraph.lowerBound + Int(text.range.lowerBound) + position
        if unitIndex < units.count, Self.isIdeographic(units[unitIndex]) { continue }
      }
      guard let span = face.inkSpan(glyph.id, from: low, to: high) else { continue }
      let (left, right) = (LayoutUnit(span.left / unitAlong) - margin, LayoutUnit(span.right / unitAlong) + margin)
      switch rotation {
      case .none: gaps.append(place.x + left...place.x + right)
      case .clockwise90: gaps.append(place.y + left...place.y + right)
      case .counterclockwise90: gaps.append(place.y - right...place.y - left)
      }
    }
    gaps.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<LayoutUnit>] = []
    for gap in gaps {
      if let last = merged.last, gap.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, gap.upperBound)
      } else {
        merged.append(gap)
      }
    }
    return merged
  }

  /// Chinese, Japanese and Korean characters, which stand on an underline and are not cut out of it.
  private static func isIdeographic(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xDFFF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFFEF:
      true
    default: false
    }
  }

  mutating func paint(_ line: DecorationLine) {
    let isHorizontal = line.isHorizontal
    /// A stripe of the line between two places along it.
    func bar(_ shift: LayoutUnit, _ first: LayoutUnit, _ last: LayoutUnit) -> Rect {
      let edge = (isHorizontal ? line.from.y : line.from.x) + shift - line.width / 2
      return isHorizontal
        ? Rect(x: first, y: edge, width: last - first, height: line.width)
        : Rect(x: edge, y: first, width: line.width, height: last - first)
    }
    let pieces = line.pieces
    switch line.style {
    case .solid: for piece in pieces { append(bar(.zero, piece.lowerBound, piece.upperBound), line.color) }
    case .double:
      for shift in [.zero, line.secondStripe] {
        for piece in pieces { append(bar(shift, piece.lowerBound, piece.upperBound), line.color) }
      }
    case .dotted, .dashed, .wavy:
      guard line.from != line.to, !pieces.isEmpty else { return }
      let style: StrokeStyle = line.style == .dotted ? .dotted : line.style == .dashed ? .dashed : .wavy
      if !line.gaps.isEmpty {
        // The pattern runs on behind the gaps.
        let reach = line.reach
        let across = isHorizontal ? line.from.y : line.from.x
        let (near, far) = (across + reach.lowerBound, across + reach.upperBound)
        var path: [PathElement] = []
        for piece in pieces {
          let (left, right) = isHorizontal ? (piece.lowerBound, piece.upperBound) : (near, far)
          let (top, bottom) = isHorizontal ? (near, far) : (piece.lowerBound, piece.upperBound)
          path += [
            .move(Point(x: left, y: top)), .line(Point(x: right, y: top)), .line(Point(x: right, y: bottom)),
            .line(Point(x: left, y: bottom)), .close,
          ]
        }
        list.items.append(.saveClipPath(path, isEvenOdd: false))
      }
      list.items.append(.strokeLine(from: line.from, to: line.to, width: line.width, style, line.color))
      if !line.gaps.isEmpty { close() }
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
