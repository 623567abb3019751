/// A point in CSS px from a page's top left corner.
@frozen
public struct Point: Hashable, Sendable {
  /// To the right.
  public var x: LayoutUnit
  /// Downwards.
  public var y: LayoutUnit
  /// A point, the corner itself unless told.
  @inlinable public init(x: LayoutUnit = .zero, y: LayoutUnit = .zero) {
    self.x = x
    self.y = y
  }
  /// The corner.
  public static let zero = Point()
  /// The point as far from `a` as `b` is from the corner.
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y) }
}

/// A width and a height.
@frozen
public struct Size: Hashable, Sendable {
  /// From left to right, in CSS px.
  public var width: LayoutUnit
  /// From top to bottom, in CSS px.
  public var height: LayoutUnit
  /// A width and a height in CSS px.
  @inlinable public init(width: LayoutUnit = .zero, height: LayoutUnit = .zero) {
    self.width = width
    self.height = height
  }
  /// Neither width nor height.
  public static let zero = Size()
}

/// A rectangle in physical coordinates, y downwards.
@frozen
public struct Rect: Hashable, Sendable {
  /// Of the left side.
  public var x: LayoutUnit
  /// Of the upper side.
  public var y: LayoutUnit
  /// From left to right.
  public var width: LayoutUnit
  /// From top to bottom.
  public var height: LayoutUnit
  /// A rectangle by its top left corner and its size, in CSS px.
  @inlinable public init(
    x: LayoutUnit = .zero, y: LayoutUnit = .zero, width: LayoutUnit = .zero, height: LayoutUnit = .zero
  ) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
  /// An empty rectangle at the corner.
  public static let zero = Rect()
  /// Of the right side.
  @inlinable public var maxX: LayoutUnit { x + width }
  /// Of the lower side.
  @inlinable public var maxY: LayoutUnit { y + height }
  /// The rectangle has no area.
  @inlinable public var isEmpty: Bool { width <= .zero || height <= .zero }
  /// The rectangle with its sides moved inwards; sides that pass each other leave a negative size.
  @inlinable public func insetBy(top: LayoutUnit, right: LayoutUnit, bottom: LayoutUnit, left: LayoutUnit) -> Rect {
    Rect(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
  /// The rectangle at another place.
  @inlinable public func offsetBy(x dx: LayoutUnit, y dy: LayoutUnit) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }
  /// The two rectangles have an area in common; those that only touch have none.
  @inlinable public func intersects(_ other: Rect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
  /// The area the two have in common; empty when there is none.
  public func intersection(_ other: Rect) -> Rect {
    let left = Swift.max(x, other.x)
    let top = Swift.max(y, other.y)
    let right = Swift.min(maxX, other.maxX)
    let bottom = Swift.min(maxY, other.maxY)
    return Rect(x: left, y: top, width: Swift.max(.zero, right - left), height: Swift.max(.zero, bottom - top))
  }
  /// The smallest rectangle around both.
  public func union(_ other: Rect) -> Rect {
    let left = Swift.min(x, other.x)
    let top = Swift.min(y, other.y)
    return Rect(x: left, y: top, width: Swift.max(maxX, other.maxX) - left, height: Swift.max(maxY, other.maxY) - top)
  }
}
