package import CSS
package import Graphics
import Platform
package import Primitives
package import Styling

/// Lengths that gradients without an extent are given.
private enum GradientLimits {
  static let tiny = LayoutUnit.epsilon
  static let huge = LayoutUnit(1_000_000)
  /// Repetitions shorter than this, in px, are not told apart.
  static let shortestRepetition: Float = 0.05
}

extension LengthResolver {
  /// A CSS gradient in the coordinates of the page (CSS Images 4, section 3).
  package func gradient(_ value: GradientValue, in rect: Rect, style: ComputedStyle) -> Gradient? {
    switch value.shape {
    case .linear(let angle, let corner): return linear(value, angle: angle, corner: corner, in: rect, style: style)
    case .radial(let isCircle, let extent, let center):
      let middle = point(center, in: rect, style: style)
      let radius = self.radius(extent, isCircle: isCircle, center: middle, rect: rect, style: style)
      return radial(value, center: middle, radius: radius, isCircle: isCircle, style: style)
    case .conic(let from, let center):
      let placed = place(value, length: 100, style: style)
      guard let first = placed.first, let last = placed.last else { return nil }
      let stops =
        value.isRepeating && last.offset - first.offset < GradientLimits.shortestRepetition / 360
        ? Self.averaged(placed) : placed
      return .conic(
        center: point(center, in: rect, style: style), angle: from, stops: stops, repeating: value.isRepeating)
    }
  }

  private func point(_ position: PositionValue, in rect: Rect, style: ComputedStyle) -> Point {
    Point(
      x: rect.x + resolve(position.x, font: style.font, percentage: rect.width),
      y: rect.y + resolve(position.y, font: style.font, percentage: rect.height))
  }

  private func linear(
    _ value: GradientValue, angle: Float, corner: SIMD2<Int8>?, in rect: Rect, style: ComputedStyle
  ) -> Gradient? {
    let width = rect.width.float
    let height = rect.height.float
    var directionX: Float
    var directionY: Float
    if let corner {
      // The line of 50 % goes through the two other corners.
      directionX = Float(corner.x) * height
      directionY = Float(corner.y) * width
      let length = hypotf(directionX, directionY)
      if length > 0 { (directionX, directionY) = (directionX / length, directionY / length) } else { directionY = 1 }
    } else {
      let (sine, cosine) = AffineTransform.sineAndCosine(angle)
      (directionX, directionY) = (sine, -cosine)
    }
    let length = abs(width * directionX) + abs(height * directionY)
    let centerX = rect.x.float + width / 2
    let centerY = rect.y.float + height / 2
    let placed = place(value, length: length, style: style)
    guard let first = placed.first, let last = placed.last else { return nil }
    func point(_ offset: Float) -> Point {
      let distance = (offset - 0.5) * length
      return Point(x: LayoutUnit(centerX + directionX * distance), y: LayoutUnit(centerY + directionY * distance))
    }
    // The gradient runs between its outermost stops, so that all offsets lie between 0 and 1.
    let span = last.offset - first.offset
    if value.isRepeating, span * length < GradientLimits.shortestRepetition {
      return .linear(from: point(0), to: point(1), stops: Self.averaged(placed), repeating: false)
    }
    guard span > 0 else { return .linear(from: point(0), to: point(1), stops: hardEdge(placed), repeating: false) }
    return .linear(
      from: point(first.offset), to: point(last.offset),
      stops: placed.map { GradientStop(offset: ($0.offset - first.offset) / span, color: $0.color) },
      repeating: value.isRepeating)
  }

  private func radial(
    _ value: GradientValue, center: Point, radius: Size, isCircle: Bool, style: ComputedStyle
  ) -> Gradient? {
    // Shapes without an extent are as if they had a very small one (section 3.2.3).
    var radius = radius
    let isFlat = radius.width <= .zero || radius.height <= .zero
    if isFlat { radius = Size(width: GradientLimits.tiny, height: GradientLimits.tiny) }
    var placed = place(value, length: radius.width.float, style: style)
    guard let first = placed.first, let last = placed.last else { return nil }
    func solid(_ stops: [GradientStop]) -> Gradient {
      .radial(
        center: center, radius: Size(width: GradientLimits.tiny, height: GradientLimits.tiny), stops: stops,
        repeating: false)
    }
    let span = last.offset - first.offset
    if value.isRepeating {
      if span * Swift.max(radius.width, radius.height).float < GradientLimits.shortestRepetition {
        return solid(Self.averaged(placed))
      }
      // The repetition that the centre lies in or before.
      let shift = (first.offset / span).rounded(.down) * span
      for index in placed.indices { placed[index].offset -= shift }
    } else {
      placed = Self.fromZero(placed)
    }
    guard let end = placed.last?.offset, end > 0 else {
      return solid([GradientStop(offset: 0, color: last.color), GradientStop(offset: 1, color: last.color)])
    }
    var size = Size(width: radius.width * Double(end), height: radius.height * Double(end))
    if isFlat, !isCircle { size.height = GradientLimits.huge }
    return .radial(
      center: center, radius: size,
      stops: placed.map { GradientStop(offset: $0.offset / end, color: $0.color) }, repeating: value.isRepeating)
  }

  /// Stops without those before the centre, which has the colour of the gradient line there.
  private static func fromZero(_ stops: [GradientStop]) -> [GradientStop] {
    guard let after = stops.firstIndex(where: { $0.offset > 0 }), after > 0 else {
      return stops.map { GradientStop(offset: Swift.max(0, $0.offset), color: $0.color) }
    }
    let (low, high) = (stops[after - 1], stops[after])
    let color = ColorInterpolation.standard.mix(
      low.color, high.color, share: Double(-low.offset / (high.offset - low.offset)))
    return [GradientStop(offset: 0, color: color)] + stops[after...]
  }

  /// One colour in place of repetitions too short to be seen: the mean of each stretch between two stops. Stops at one place
  /// have the colour of the last (CSS Images 3, section 3.6, as browsers have it).
  private static func averaged(_ stops: [GradientStop]) -> [GradientStop] {
    guard let first = stops.first, let last = stops.last, stops.count > 1 else { return stops }
    let span = last.offset - first.offset
    guard span > 0 else {
      return [GradientStop(offset: 0, color: last.color), GradientStop(offset: 1, color: last.color)]
    }
    var sum = SIMD4<Float>()
    for (a, b) in zip(stops, stops.dropFirst()) {
      let share = (b.offset - a.offset) / span
      for color in [a.color, b.color] {
        let alpha = Float(color.alpha)
        let premultiplied = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255) * (alpha / 255)
        sum += premultiplied * (share / 2)
      }
    }
    func byte(_ value: Float) -> UInt8 { UInt8(Swift.max(0, Swift.min(255, value.rounded()))) }
    let alpha = sum[3]
    let color =
      alpha > 0
      ? Color(
        red: byte(sum[0] * 255 / alpha), green: byte(sum[1] * 255 / alpha), blue: byte(sum[2] * 255 / alpha),
        alpha: byte(alpha)) : .transparent
    return [GradientStop(offset: 0, color: color), GradientStop(offset: 1, color: color)]
  }

  /// All stops at one place: the first colour before it, the last one after it.
  private func hardEdge(_ stops: [GradientStop]) -> [GradientStop] {
    guard let first = stops.first, let last = stops.last else { return [] }
    let offset = Swift.max(0, Swift.min(1, first.offset))
    return [
      GradientStop(offset: 0, color: first.color), GradientStop(offset: offset, color: first.color),
      GradientStop(offset: offset, color: last.color), GradientStop(offset: 1, color: last.color),
    ]
  }

  /// Stops as shares of the gradient line: missing positions spread evenly, none before an earlier one (section 3.5.3). Hints
  /// and colour spaces other than sRGB become stops in between.
  private func place(_ gradient: GradientValue, length: Float, style: ComputedStyle) -> [GradientStop] {
    let stops = gradient.stops
    guard !stops.isEmpty else { return [] }
    let current = inputs.styles[style.text].color
    var offsets: [Float?] = stops.map { stop in
      guard let position = stop.position else { return nil }
      let pixels = resolve(position, font: style.font, percentage: LayoutUnit(length)).float
      return length > 0 ? pixels / length : 0
    }
    if offsets[0] == nil { offsets[0] = 0 }
    if offsets[offsets.count - 1] == nil { offsets[offsets.count - 1] = 1 }
    var largest = -Float.infinity
    for index in offsets.indices {
      guard let offset = offsets[index] else { continue }
      largest = Swift.max(largest, offset)
      offsets[index] = largest
    }
    var known = 0
    for index in offsets.indices.dropFirst() {
      guard let end = offsets[index] else { continue }
      let start = offsets[known] ?? 0
      for between in (known + 1)..<Swift.max(known + 1, index) {
        offsets[between] = start + (end - start) * Float(between - known) / Float(index - known)
      }
      known = index
    }
    var placed: [GradientStop] = []
    var hint: Float?
    for (stop, offset) in zip(stops, offsets) {
      let offset = offset ?? 0
      guard let color = stop.color?.resolved(current) else {
        hint = offset
        continue
      }
      if let last = placed.last {
        fill(&placed, from: last, to: GradientStop(offset: offset, color: color), hint: hint, gradient.interpolation)
      } else {
        placed.append(GradientStop(offset: offset, color: color))
      }
      hint = nil
    }
    return placed
  }

  /// Appends the way from one stop to the next: straight in sRGB without a hint, else in steps.
  private func fill(
    _ placed: inout [GradientStop], from first: GradientStop, to last: GradientStop, hint: Float?,
    _ interpolation: ColorInterpolation
  ) {
    defer { placed.append(last) }
    let span = last.offset - first.offset
    guard span > 0, first.color != last.color || interpolation.hue == .longer else { return }
    var exponent: Float = 1
    if let hint {
      let middle = (hint - first.offset) / span
      if middle <= 0 {
        placed.append(GradientStop(offset: first.offset, color: last.color))
        return
      }
      if middle >= 1 {
        placed.append(GradientStop(offset: last.offset, color: first.color))
        return
      }
      exponent = logf(0.5) / logf(middle)
    }
    guard abs(exponent - 1) > 1e-4 || interpolation != .standard else { return }
    let steps = 32
    for step in 1..<steps {
      let share = Float(step) / Float(steps)
      placed.append(
        GradientStop(
          offset: first.offset + span * share,
          color: interpolation.mix(first.color, last.color, share: Double(powf(share, exponent)))))
    }
  }

  /// The radii of a radial gradient's last stop (section 3.2.2).
  private func radius(_ extent: RadialExtent, isCircle: Bool, center: Point, rect: Rect, style: ComputedStyle) -> Size {
    if case .size(let width, let height) = extent {
      return Size(
        width: Swift.max(.zero, resolve(width, font: style.font, percentage: rect.width)),
        height: Swift.max(.zero, resolve(height, font: style.font, percentage: rect.height)))
    }
    let left = abs((center.x - rect.x).float)
    let right = abs((rect.maxX - center.x).float)
    let top = abs((center.y - rect.y).float)
    let bottom = abs((rect.maxY - center.y).float)
    let nearX = Swift.min(left, right)
    let farX = Swift.max(left, right)
    let nearY = Swift.min(top, bottom)
    let farY = Swift.max(top, bottom)
    var radii: (Float, Float)
    switch extent {
    case .closestSide: radii = isCircle ? (Swift.min(nearX, nearY), Swift.min(nearX, nearY)) : (nearX, nearY)
    case .farthestSide: radii = isCircle ? (Swift.max(farX, farY), Swift.max(farX, farY)) : (farX, farY)
    case .closestCorner, .farthestCorner, .size:
      let isNear = extent == .closestCorner
      let x = isNear ? nearX : farX
      let y = isNear ? nearY : farY
      if isCircle {
        radii = (hypotf(x, y), hypotf(x, y))
      } else {
        // Through the corner, with the aspect ratio of the matching side ellipse.
        radii = (x * Float(2).squareRoot(), y * Float(2).squareRoot())
      }
    }
    if !radii.0.isFinite || !radii.1.isFinite { radii = (0, 0) }
    return Size(width: LayoutUnit(radii.0), height: LayoutUnit(radii.1))
  }
}
