import CSS
import Graphics
import Layout
import Primitives
import Styling

/// The places of a layer's image.
private struct BackgroundTiles {
  var first: Rect
  /// Between tiles.
  var spacing: Size
  var repeatsX: Bool
  var repeatsY: Bool
  /// The part of the page that tiles are seen in.
  var covered: Rect

  /// Tiles that are drawn one by one, at most: of more, several are drawn as one, coarser where they are no finer than
  /// pixels.
  private static let most: Double = 10_000

  private var step: Size { Size(width: first.width + spacing.width, height: first.height + spacing.height) }
  private var count: Double {
    (covered.width.pixels / step.width.pixels) * (covered.height.pixels / step.height.pixels)
  }
  /// They are too many, and leave no gaps.
  var areFine: Bool { count > Self.most && spacing == .zero }

  /// The tiles in sight, row by row.
  var inSight: [Rect] {
    var (stepX, stepY) = (step.width, step.height)
    if count > Self.most {
      let several = Int((count / Self.most).squareRoot().rounded(.up))
      if repeatsX { stepX = stepX * several }
      if repeatsY { stepY = stepY * several }
    }
    func start(_ origin: LayoutUnit, _ step: LayoutUnit, _ edge: LayoutUnit) -> LayoutUnit {
      origin + step * Int(((edge.pixels - origin.pixels) / step.pixels).rounded(.down))
    }
    var tiles: [Rect] = []
    var top = repeatsY ? start(first.y, stepY, covered.y) : first.y
    repeat {
      var left = repeatsX ? start(first.x, stepX, covered.x) : first.x
      repeat {
        tiles.append(Rect(x: left, y: top, width: stepX - spacing.width, height: stepY - spacing.height))
        left += stepX
      } while repeatsX && left < covered.maxX
      top += stepY
    } while repeatsY && top < covered.maxY
    return tiles
  }
}

extension Gradient {
  /// What tiles that touch each other look like: a gradient along one of their sides, as that of stripes and of the
  /// lines of graph paper, is one that repeats. Nil for all others.
  fileprivate func repeated(in tile: Rect) -> Gradient? {
    guard case .linear(let from, let to, let stops, false) = self, let first = stops.first, let last = stops.last else {
      return nil
    }
    let isHorizontal = from.y == to.y
    guard isHorizontal || from.x == to.x else { return nil }
    let (start, end) = isHorizontal ? (from.x, to.x) : (from.y, to.y)
    let side = isHorizontal ? (tile.x, tile.maxX) : (tile.y, tile.maxY)
    let (low, high) = start <= end ? side : (side.1, side.0)
    // The stops from end to end of a tile.
    let offsets = stops.map { stop in
      Float((start.pixels + (end - start).pixels * Double(stop.offset) - low.pixels) / (high - low).pixels)
    }
    guard offsets.allSatisfy({ 0...1 ~= $0 }) else { return nil }
    let inner = zip(stops, offsets).map { GradientStop(offset: $1, color: $0.color) }
    func point(_ place: LayoutUnit) -> Point {
      isHorizontal ? Point(x: place, y: from.y) : Point(x: from.x, y: place)
    }
    return .linear(
      from: point(low), to: point(high),
      stops: [GradientStop(offset: 0, color: first.color)] + inner + [GradientStop(offset: 1, color: last.color)],
      repeating: true)
  }
}

extension PagePainting {
  /// Draws a layer of a background within `clip`; positions and sizes are relative to `area` (CSS Backgrounds 3, sections 2.4 to
  /// 2.9).
  mutating func paint(
    _ layer: BackgroundLayer, style: ComputedStyle, area: Rect, clip: Rect, radii: CornerRadii
  ) {
    guard let natural = naturalDimensions(layer.image, style: style) else { return }
    if natural.width.map({ $0 <= .zero }) ?? false || natural.height.map({ $0 <= .zero }) ?? false { return }
    var tile = tileSize(layer, style: style, area: area, natural: natural)
    func round(_ length: inout LayoutUnit, _ room: LayoutUnit) {
      let count = Swift.max(1, (room.pixels / Swift.max(length.pixels, 1.0 / 64)).rounded())
      length = LayoutUnit(room.pixels / count)
    }
    // A side that is `auto` follows the one that is rounded (section 2.9).
    let unrounded = tile
    if layer.repeatX == .round { round(&tile.width, area.width) }
    if layer.repeatY == .round { round(&tile.height, area.height) }
    if case .size(let width, let height) = layer.size, unrounded.width > .zero, unrounded.height > .zero {
      if layer.repeatX == .round, layer.repeatY != .round, height == nil {
        tile.height = tile.width * (unrounded.height.pixels / unrounded.width.pixels)
      } else if layer.repeatY == .round, layer.repeatX != .round, width == nil {
        tile.width = tile.height * (unrounded.width.pixels / unrounded.height.pixels)
      }
    }
    guard tile.width > .zero, tile.height > .zero else { return }

    var spacing = Size.zero
    var x = area.x + context.resolve(layer.position.x, font: style.font, percentage: area.width - tile.width)
    var y = area.y + context.resolve(layer.position.y, font: style.font, percentage: area.height - tile.height)
    var repeatsX = layer.repeatX != .noRepeat
    var repeatsY = layer.repeatY != .noRepeat
    /// `space`: as many whole tiles as fit, the first and last touching the edges.
    func spaced(_ length: LayoutUnit, _ room: LayoutUnit) -> LayoutUnit? {
      let count = Int(clamping: Int64(room.rawValue) / Int64(Swift.max(1, length.rawValue)))
      return count > 1 ? (room - length * count) / (count - 1) : nil
    }
    if layer.repeatX == .space {
      if let gap = spaced(tile.width, area.width) { (spacing.width, x) = (gap, area.x) } else { repeatsX = false }
    }
    if layer.repeatY == .space {
      if let gap = spaced(tile.height, area.height) { (spacing.height, y) = (gap, area.y) } else { repeatsY = false }
    }
    let first = Rect(x: x, y: y, width: tile.width, height: tile.height)
    var covered = clip
    if !repeatsX {
      covered = covered.intersection(Rect(x: first.x, y: covered.y, width: first.width, height: covered.height))
    }
    if !repeatsY {
      covered = covered.intersection(Rect(x: covered.x, y: first.y, width: covered.width, height: first.height))
    }
    covered = covered.intersection(Rect(width: page.size.width, height: page.size.height))
    guard !covered.isEmpty else { return }

    if !radii.isZero { list.items.append(.saveClip(clip, radii)) }
    defer { if !radii.isZero { close() } }
    let tiles = BackgroundTiles(
      first: first, spacing: spacing, repeatsX: repeatsX, repeatsY: repeatsY, covered: covered)
    paint(layer.image, tiles, style: style)
  }

  /// Draws an image once, as large as its room.
  mutating func paint(_ image: ImageValue, in rect: Rect, style: ComputedStyle) {
    paint(
      image, BackgroundTiles(first: rect, spacing: Size(), repeatsX: false, repeatsY: false, covered: rect),
      style: style)
  }

  /// Draws an image on each of the tiles.
  private mutating func paint(_ image: ImageValue, _ tiles: BackgroundTiles, style: ComputedStyle) {
    switch image {
    case .none: break
    case .url(let url):
      guard let image = self.image(url, style) else { return }
      if !tiles.repeatsX, !tiles.repeatsY, tiles.covered == tiles.first {
        list.items.append(.image(image, tiles.first))
      } else {
        list.items.append(.tiledImage(image, tile: tiles.first, spacing: tiles.spacing, clip: tiles.covered))
      }
    case .gradient(let value):
      if tiles.areFine, let gradient = context.gradient(value, in: tiles.first, style: style),
        let repeated = gradient.repeated(in: tiles.first)
      {
        list.items.append(.fillGradient(tiles.covered, CornerRadii(), repeated))
        return
      }
      clipped(to: tiles) { painting, rect in
        guard let gradient = painting.context.gradient(value, in: rect, style: style) else { return }
        painting.list.items.append(.fillGradient(rect, CornerRadii(), gradient))
      }
    case .crossFade(let parts):
      list.items.append(.saveLayer(LayerStyle(bounds: tiles.covered)))
      for part in parts where part.share > 0 {
        list.items.append(.saveLayer(LayerStyle(opacity: part.share, blend: .plusLighter, bounds: tiles.covered)))
        switch part.source {
        case .image(let image): paint(image, tiles, style: style)
        case .color(let color):
          let color = color.resolved(context.styles[style.text].color)
          clipped(to: tiles) { painting, rect in painting.list.items.append(.fillRect(rect, color)) }
        }
        close()
      }
      close()
    }
  }

  /// Draws each tile in sight.
  private mutating func clipped(to tiles: BackgroundTiles, draw: (inout Self, Rect) -> Void) {
    let needsClip = tiles.covered != tiles.first
    if needsClip { list.items.append(.saveClip(tiles.covered, CornerRadii())) }
    for rect in tiles.inSight { draw(&self, rect) }
    if needsClip { close() }
  }

  /// The image of a URL as `image-orientation` and `image-rendering` want it (CSS Images 3, section 6); nil for one
  /// that cannot be had.
  func image(_ url: String, _ style: ComputedStyle) -> ImageID? {
    guard let image = painter.images.image(url), !image.isNone else { return nil }
    return painter.images.presented(image, context.styles.lists[style.list.index].imagePresentation)
  }

  /// The natural dimensions of an image; nil for one that cannot be had. Those of a cross-fade lie between those of its images, by their
  /// shares (CSS Images 4, section 4).
  private func naturalDimensions(_ image: ImageValue, style: ComputedStyle) -> NaturalDimensions? {
    switch image {
    case .none, .gradient: return NaturalDimensions()
    case .url(let url):
      guard let image = self.image(url, style) else { return nil }
      return painter.images.natural(image)
    case .crossFade(let parts):
      let known = parts.compactMap { part -> (size: Size, share: Double)? in
        guard case .image(let image) = part.source, let natural = naturalDimensions(image, style: style),
          let width = natural.width, let height = natural.height
        else { return nil }
        return (Size(width: width, height: height), Double(part.share))
      }
      let whole = known.reduce(0) { $0 + $1.share }
      guard whole > 0 else { return NaturalDimensions() }
      return NaturalDimensions(
        width: known.reduce(.zero) { $0 + $1.size.width * ($1.share / whole) },
        height: known.reduce(.zero) { $0 + $1.size.height * ($1.share / whole) })
    }
  }

  /// The size of one tile (CSS Backgrounds 3, section 2.9).
  private func tileSize(
    _ layer: BackgroundLayer, style: ComputedStyle, area: Rect, natural: NaturalDimensions
  ) -> Size {
    let room = Size(width: area.width, height: area.height)
    switch layer.size {
    case .cover: return natural.fitted(into: room, covers: true)
    case .contain: return natural.fitted(into: room, covers: false)
    case .size(let width, let height):
      func length(_ value: LengthPercentage?, _ room: LayoutUnit) -> LayoutUnit? {
        value.map { Swift.max(.zero, context.resolve($0, font: style.font, percentage: room)) }
      }
      return natural.size(specified: (length(width, room.width), length(height, room.height)), in: room)
    }
  }
}
