package import Primitives

/// Widths on the four physical sides of a box.
package struct Insets: Hashable, Sendable {
  package var top = LayoutUnit.zero
  package var right = LayoutUnit.zero
  package var bottom = LayoutUnit.zero
  package var left = LayoutUnit.zero

  package init(
    top: LayoutUnit = .zero, right: LayoutUnit = .zero, bottom: LayoutUnit = .zero, left: LayoutUnit = .zero
  ) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  package var isZero: Bool { top == .zero && right == .zero && bottom == .zero && left == .zero }
  package static func + (a: Self, b: Self) -> Self {
    Self(top: a.top + b.top, right: a.right + b.right, bottom: a.bottom + b.bottom, left: a.left + b.left)
  }
}

extension Rect {
  package func inset(by insets: Insets) -> Rect {
    let smaller = insetBy(top: insets.top, right: insets.right, bottom: insets.bottom, left: insets.left)
    return Rect(
      x: smaller.x, y: smaller.y, width: Swift.max(.zero, smaller.width), height: Swift.max(.zero, smaller.height))
  }
  package func grown(by amount: LayoutUnit) -> Rect {
    Rect(x: x - amount, y: y - amount, width: width + amount * 2, height: height + amount * 2)
  }
}

extension CornerRadii {
  /// The radii of an edge that lies `insets` further inside.
  package func shrunk(by insets: Insets) -> CornerRadii {
    func less(_ size: Size, _ x: LayoutUnit, _ y: LayoutUnit) -> Size {
      let width = Swift.max(.zero, size.width - x)
      let height = Swift.max(.zero, size.height - y)
      return width == .zero || height == .zero ? .zero : Size(width: width, height: height)
    }
    var radii = CornerRadii()
    radii.topLeft = less(topLeft, insets.left, insets.top)
    radii.topRight = less(topRight, insets.right, insets.top)
    radii.bottomRight = less(bottomRight, insets.right, insets.bottom)
    radii.bottomLeft = less(bottomLeft, insets.left, insets.bottom)
    return radii
  }

  /// The radii of an edge that lies `amount` further outside; square corners stay square.
  package func grown(by amount: LayoutUnit) -> CornerRadii {
    func more(_ size: Size) -> Size {
      guard size.width > .zero, size.height > .zero else { return .zero }
      return Size(width: Swift.max(.zero, size.width + amount), height: Swift.max(.zero, size.height + amount))
    }
    return mapped(more)
  }

  private func mapped(_ change: (Size) -> Size) -> CornerRadii {
    var radii = CornerRadii()
    radii.topLeft = change(topLeft)
    radii.topRight = change(topRight)
    radii.bottomRight = change(bottomRight)
    radii.bottomLeft = change(bottomLeft)
    return radii
  }

  /// Scaled down together where they overlap (CSS Backgrounds 3, section 5.5).
  package func fitted(into rect: Rect) -> CornerRadii {
    var factor = 1.0
    func fit(_ length: LayoutUnit, _ a: LayoutUnit, _ b: LayoutUnit) {
      let sum = (a + b).pixels
      if sum > 0 { factor = Swift.min(factor, length.pixels / sum) }
    }
    fit(rect.width, topLeft.width, topRight.width)
    fit(rect.width, bottomLeft.width, bottomRight.width)
    fit(rect.height, topLeft.height, bottomLeft.height)
    fit(rect.height, topRight.height, bottomRight.height)
    guard factor < 1 else { return self }
    func scaled(_ size: Size) -> Size { Size(width: size.width * factor, height: size.height * factor) }
    return mapped(scaled)
  }

  /// The radii of the margin edge: those of sharp corners grow less than by the margin (CSS Shapes 1, section 2.1).
  package func expanded(by margins: Insets) -> CornerRadii {
    func grown(_ radius: LayoutUnit, _ margin: LayoutUnit) -> LayoutUnit {
      guard margin > .zero, radius < margin else { return Swift.max(.zero, radius + margin) }
      let ratio = radius.pixels / margin.pixels - 1
      return radius + margin * (1 + ratio * ratio * ratio)
    }
    func corner(_ size: Size, _ x: LayoutUnit, _ y: LayoutUnit) -> Size {
      Size(width: grown(size.width, x), height: grown(size.height, y))
    }
    var radii = CornerRadii()
    radii.topLeft = corner(topLeft, margins.left, margins.top)
    radii.topRight = corner(topRight, margins.right, margins.top)
    radii.bottomRight = corner(bottomRight, margins.right, margins.bottom)
    radii.bottomLeft = corner(bottomLeft, margins.left, margins.bottom)
    return radii
  }
}
