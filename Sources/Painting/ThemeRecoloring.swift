package import Graphics
import Primitives

extension Theme {
  /// The same page in the theme's colours: nothing moves, and pictures and shadows keep their colours.
  package func recolored(_ list: DisplayList) -> DisplayList {
    guard !isIdentity else { return list }
    var recoloring = ThemeRecoloring(self)
    return recoloring.recolored(list)
  }
}

/// The work on one display list.
private struct ThemeRecoloring {
  private let theme: Theme
  private let paper: PerceptualColor
  private let ink: PerceptualColor
  private var known: [Color: Color] = [:]
  /// Opaque paint so far, in the theme's colours, and the pictures, which have no one colour.
  private var grounds: [(rect: Rect, color: Color?)] = []

  init(_ theme: Theme) {
    self.theme = theme
    paper = PerceptualColor(theme.paper)
    ink = PerceptualColor(theme.ink)
  }

  /// White becomes the paper's colour, black the ink's; what is between keeps its place, and its hue on top of theirs.
  private mutating func callAsFunction(_ color: Color) -> Color {
    if let themed = known[color] { return themed }
    let original = PerceptualColor(color)
    var themed = paper.mixed(with: ink, 1 - original.lightness)
    themed.a += original.a
    themed.b += original.b
    let result = themed.color(alpha: color.alpha)
    known[color] = result
    return result
  }

  /// A colour for text that can be read on a ground.
  private func readable(_ color: Color, on ground: Color) -> Color {
    guard theme.minimumContrast > 1, color.alpha > 0, color.contrast(with: ground) < theme.minimumContrast else {
      return color
    }
    let start = PerceptualColor(color)
    // Away from the ground: towards the ink on paper, towards whatever is farther elsewhere.
    let target =
      theme.ink.contrast(with: ground) >= theme.paper.contrast(with: ground) ? ink : paper
    for step in 1...8 {
      let candidate = start.mixed(with: target, Double(step) / 8).color(alpha: color.alpha)
      if candidate.contrast(with: ground) >= theme.minimumContrast { return candidate }
    }
    return target.color(alpha: color.alpha)
  }

  /// The colour behind a point; nil on pictures.
  private func ground(at point: Point, background: Color) -> Color? {
    for ground in grounds.reversed()
    where ground.rect.x <= point.x && point.x < ground.rect.maxX && ground.rect.y <= point.y
      && point.y < ground.rect.maxY
    {
      return ground.color
    }
    return background
  }

  mutating func recolored(_ list: DisplayList) -> DisplayList {
    var result = list
    result.background = self(list.background)
    var items: [DisplayItem] = []
    items.reserveCapacity(list.items.count)
    for item in list.items {
      // Far more grounds than a page of a book has.
      if grounds.count > 1000 { grounds.removeFirst(500) }
      switch item {
      case .fillRect(let rect, let color):
        let themed = self(color)
        if themed.alpha > 127 { grounds.append((rect, themed)) }
        items.append(.fillRect(rect, themed))
      case .fillRoundedRect(let rect, let radii, let color):
        let themed = self(color)
        if themed.alpha > 127 { grounds.append((rect, themed)) }
        items.append(.fillRoundedRect(rect, radii, themed))
      case .fillRing(let outer, let outerRadii, let inner, let innerRadii, let color):
        items.append(
          .fillRing(
            outer: outer, outerRadii: outerRadii, inner: inner, innerRadii: innerRadii, self(color)))
      case .fillPath(let path, let color): items.append(.fillPath(path, self(color)))
      case .strokeLine(let from, let to, let width, let style, let color):
        items.append(.strokeLine(from: from, to: to, width: width, style, self(color)))
      case .strokePath(let path, let width, let style, let color):
        items.append(.strokePath(path, width: width, style, self(color)))
      case .fillGradient(let rect, let radii, let gradient):
        grounds.append((rect, nil))
        items.append(.fillGradient(rect, radii, recolored(gradient)))
      case .glyphs(let font, let size, let color, let rotation, let expansion, let glyphs):
        let themed = self(color)
        for (part, ground) in parts(of: glyphs.clamped(to: 0..<list.glyphs.count), size, in: list, result.background) {
          items.append(
            .glyphs(
              font: font, size: size, color: ground.map { readable(themed, on: $0) } ?? themed, rotation: rotation,
              expansion: expansion, glyphs: part))
        }
      case .image(_, let rect), .imagePart(_, _, _, let rect), .tiledImage(_, _, _, let rect):
        grounds.append((rect, nil))
        items.append(item)
      case .shadow, .filterBackdrop, .saveClip, .saveClipPath, .saveLayer, .saveTransform, .saveProjection, .restore:
        items.append(item)
      }
    }
    result.items = items
    return result
  }

  /// A run of glyphs, parted where what is behind it changes.
  private func parts(
    of glyphs: Range<Int>, _ size: LayoutUnit, in list: DisplayList, _ background: Color
  ) -> [(Range<Int>, Color?)] {
    guard !grounds.isEmpty else { return glyphs.isEmpty ? [] : [(glyphs, background)] }
    var parts: [(Range<Int>, Color?)] = []
    for index in glyphs {
      let glyph = list.glyphs[index]
      let ground = ground(at: Point(x: glyph.x, y: glyph.y - size / 4), background: background)
      if let last = parts.last, last.1 == ground {
        parts[parts.count - 1].0 = last.0.lowerBound..<index + 1
      } else {
        parts.append((index..<index + 1, ground))
      }
    }
    return parts
  }

  private mutating func recolored(_ gradient: Gradient) -> Gradient {
    func stops(_ stops: [GradientStop]) -> [GradientStop] {
      var themed = self
      return stops.map { GradientStop(offset: $0.offset, color: themed($0.color)) }
    }
    switch gradient {
    case .linear(let from, let to, let list, let repeating):
      return .linear(from: from, to: to, stops: stops(list), repeating: repeating)
    case .radial(let center, let radius, let list, let repeating):
      return .radial(center: center, radius: radius, stops: stops(list), repeating: repeating)
    case .conic(let center, let angle, let list, let repeating):
      return .conic(center: center, angle: angle, stops: stops(list), repeating: repeating)
    }
  }
}
