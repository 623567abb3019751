import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

/// The source of a border image.
private enum BorderImageSource {
  case image(ImageID)
  case gradient(GradientValue)
}

extension PagePainting {
  /// Draws `border-image` (CSS Backgrounds 3, section 6).
  ///
  /// - Returns: `true` if it was drawn; if not, the border's styles are.
  mutating func paintBorderImage(of box: Box, rect: Rect, border: Insets) -> Bool {
    guard let image = context.styles[box.style.border].image, image.source != .none else { return false }
    let font = box.style.font
    func outset(_ value: BorderImageWidth, _ width: LayoutUnit) -> LayoutUnit {
      switch value {
      case .auto: .zero
      case .number(let factor): width * Double(factor)
      case .length(let length): context.resolve(length, font: font, percentage: .zero)
      }
    }
    let outer = Insets(
      top: outset(image.outset.top, border.top), right: outset(image.outset.right, border.right),
      bottom: outset(image.outset.bottom, border.bottom), left: outset(image.outset.left, border.left))
    let area = Rect(
      x: rect.x - outer.left, y: rect.y - outer.top, width: rect.width + outer.left + outer.right,
      height: rect.height + outer.top + outer.bottom)
    guard !area.isEmpty else { return true }
    var natural = Size(width: area.width, height: area.height)
    let source: BorderImageSource
    switch image.source {
    case .none, .crossFade: return false
    case .gradient(let gradient): source = .gradient(gradient)
    case .url(let url):
      guard let id = self.image(url, box.style) else { return false }
      natural = painter.images.natural(id).size(specified: (nil, nil), in: natural)
      guard natural.width > .zero, natural.height > .zero else { return true }
      source = .image(id)
    }

    func slice(_ value: LengthPercentage, _ base: LayoutUnit) -> LayoutUnit {
      Swift.max(.zero, Swift.min(base, context.resolve(value, font: font, percentage: base)))
    }
    let slices = Insets(
      top: slice(image.slice.top, natural.height), right: slice(image.slice.right, natural.width),
      bottom: slice(image.slice.bottom, natural.height), left: slice(image.slice.left, natural.width))
    func width(_ value: BorderImageWidth, _ border: LayoutUnit, _ slice: LayoutUnit, _ base: LayoutUnit) -> LayoutUnit {
      switch value {
      case .auto: slice
      case .number(let factor): border * Double(factor)
      case .length(let length): context.resolve(length, font: font, percentage: base)
      }
    }
    var widths = Insets(
      top: width(image.width.top, border.top, slices.top, area.height),
      right: width(image.width.right, border.right, slices.right, area.width),
      bottom: width(image.width.bottom, border.bottom, slices.bottom, area.height),
      left: width(image.width.left, border.left, slices.left, area.width))
    let factor = Swift.min(
      1, area.width.pixels / Swift.max((widths.left + widths.right).pixels, 1.0 / 64),
      area.height.pixels / Swift.max((widths.top + widths.bottom).pixels, 1.0 / 64))
    if factor < 1 {
      widths = Insets(
        top: widths.top * factor, right: widths.right * factor, bottom: widths.bottom * factor,
        left: widths.left * factor)
    }
    paint(image, source, natural: natural, slices: slices, area: area, widths: widths, style: box.style)
    return true
  }

  /// The nine parts.
  private mutating func paint(
    _ image: BorderImage, _ source: BorderImageSource, natural: Size, slices: Insets, area: Rect, widths: Insets,
    style: ComputedStyle
  ) {
    let sourceX = [LayoutUnit.zero, slices.left, natural.width - slices.right, natural.width]
    let sourceY = [LayoutUnit.zero, slices.top, natural.height - slices.bottom, natural.height]
    let targetX = [area.x, area.x + widths.left, area.maxX - widths.right, area.maxX]
    let targetY = [area.y, area.y + widths.top, area.maxY - widths.bottom, area.maxY]
    func ratio(_ target: LayoutUnit, _ source: LayoutUnit) -> Double? {
      source > .zero && target > .zero ? target.pixels / source.pixels : nil
    }
    // The scale of the edges, across and along; the middle takes that of the first edge there is.
    let top = ratio(widths.top, slices.top)
    let bottom = ratio(widths.bottom, slices.bottom)
    let left = ratio(widths.left, slices.left)
    let right = ratio(widths.right, slices.right)
    for row in 0..<3 {
      for column in 0..<3 where (row, column) != (1, 1) || image.isFilled {
        let part = Rect(
          x: sourceX[column], y: sourceY[row], width: sourceX[column + 1] - sourceX[column],
          height: sourceY[row + 1] - sourceY[row])
        let target = Rect(
          x: targetX[column], y: targetY[row], width: targetX[column + 1] - targetX[column],
          height: targetY[row + 1] - targetY[row])
        guard part.width > .zero, part.height > .zero, target.width > .zero, target.height > .zero else { continue }
        let scaleX = row == 0 ? top : row == 2 ? bottom : top ?? bottom ?? 1
        let scaleY = column == 0 ? left : column == 2 ? right : left ?? right ?? 1
        let columns = tiles(
          column == 1 ? image.repeatX : .stretch, from: target.x, room: target.width, part.width * (scaleX ?? 1))
        let rows = tiles(
          row == 1 ? image.repeatY : .stretch, from: target.y, room: target.height, part.height * (scaleY ?? 1))
        guard columns.count * rows.count <= 10_000 else { continue }
        let sticksOut = columns.length * columns.count > target.width || rows.length * rows.count > target.height
        if sticksOut { list.items.append(.saveClip(target, CornerRadii())) }
        for y in 0..<rows.count {
          for x in 0..<columns.count {
            let tile = Rect(
              x: columns.first + columns.step * x, y: rows.first + rows.step * y, width: columns.length,
              height: rows.length)
            paint(source, part, of: natural, in: tile, style: style)
          }
        }
        if sticksOut { close() }
      }
    }
  }

  private struct Tiles {
    var first: LayoutUnit
    var step: LayoutUnit
    var length: LayoutUnit
    var count: Int
  }

  /// Positions of tiles along one axis.
  private func tiles(
    _ mode: BorderImageRepeat, from start: LayoutUnit, room: LayoutUnit, _ length: LayoutUnit
  ) -> Tiles {
    let whole = Tiles(first: start, step: room, length: room, count: 1)
    let length = Swift.max(length, .epsilon)
    let ratio = room.pixels / length.pixels
    switch mode {
    case .stretch: return whole
    case .repeat:
      // One tile stands in the middle, others on both sides as far as there is room.
      let sideways = Int(Swift.min(10_000, ((ratio - 1) / 2).rounded(.up)))
      let count = Swift.max(0, sideways) * 2 + 1
      return Tiles(first: start + (room - length * count) / 2, step: length, length: length, count: count)
    case .round:
      let count = Int(Swift.min(10_000, Swift.max(1, ratio.rounded())))
      let used = room / count
      return Tiles(first: start, step: used, length: used, count: count)
    case .space:
      let count = Int(Swift.min(10_000, ratio.rounded(.down)))
      let gap = (room - length * count) / (count + 1)
      return Tiles(first: start + gap, step: length + gap, length: length, count: count)
    }
  }

  private mutating func paint(
    _ source: BorderImageSource, _ part: Rect, of natural: Size, in target: Rect, style: ComputedStyle
  ) {
    switch source {
    case .image(let id): list.items.append(.imagePart(id, part: part, of: natural, target))
    case .gradient(let value):
      let whole = Rect(width: natural.width, height: natural.height)
      guard let gradient = context.gradient(value, in: whole, style: style) else { return }
      let scaleX = target.width.float / part.width.float
      let scaleY = target.height.float / part.height.float
      list.items.append(
        .saveTransform(
          AffineTransform(
            a: scaleX, d: scaleY, tx: target.x.float - part.x.float * scaleX,
            ty: target.y.float - part.y.float * scaleY)))
      list.items.append(.fillGradient(part, CornerRadii(), gradient))
      list.items.append(.restore)
    }
  }
}
