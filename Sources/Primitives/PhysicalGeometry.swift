/// A point in CSS px from a page's top left corner.
@frozen
public struct Point: Hashable, Sendable {
  public var x: LayoutUnit
  public var y: LayoutUnit
  @inlinable public init(x: LayoutUnit = .zero, y: LayoutUnit = .zero) {
    self.x = x
    self.y = y
  }
  public static let zero = Point()
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y) }
}

/// A width and a height.
@frozen
public struct Size: Hashable, Sendable {
  public var width: LayoutUnit
  public var height: LayoutUnit
  @inlinable public init(width: LayoutUnit = .zero, height: LayoutUnit = .zero) {
    self.width = width
    self.height = height
  }
  public static let zero = Size()
}

/// A rectangle in physical coordinates, y downwards.
@frozen
public struct Rect: Hashable, Sendable {
  public var x: LayoutUnit
  public var y: LayoutUnit
  public var width: LayoutUnit
  public var height: LayoutUnit
  @inlinable public init(
    x: LayoutUnit = .zero, y: LayoutUnit = .zero, width: LayoutUnit = .zero, height: LayoutUnit = .zero
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
  public static let zero = Rect()
  @inlinable public var maxX: LayoutUnit { x + width }
  @inlinable public var maxY: LayoutUnit { y + height }
  @inlinable public var isEmpty: Bool { width <= .zero || height <= .zero }
  @inlinable public func insetBy(top: LayoutUnit, right: LayoutUnit, bottom: LayoutUnit, left: LayoutUnit) -> Rect {
    Rect(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
  @inlinable public func offsetBy(x dx: LayoutUnit, y dy: LayoutUnit) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }
  @inlinable public func intersects(_ other: Rect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
  public func intersection(_ other: Rect) -> Rect {
    let left = Swift.max(x, other.x)
    let top = Swift.max(y, other.y)
    let right = Swift.min(maxX, other.maxX)
    let bottom = Swift.min(maxY, other.maxY)
    return Rect(x: left, y: top, width: Swift.max(.zero, right - left), height: Swift.max(.zero, bottom - top))
  }
  public func union(_ other: Rect) -> Rect {
    let left = Swift.min(x, other.x)
    let top = Swift.min(y, other.y)
    return Rect(x: left, y: top, width: Swift.max(maxX, other.maxX) - left, height: Swift.max(maxY, other.maxY) - top)
  }
}
