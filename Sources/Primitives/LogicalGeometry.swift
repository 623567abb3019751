/// An offset along the inline and block axes of a writing mode (CSS Writing Modes 4, section 6).
@frozen
public struct LogicalOffset: Hashable, Sendable {
  /// Along the lines, from where they start.
  public var inline: LayoutUnit
  /// Across the lines, from where the first one is.
  public var block: LayoutUnit

  /// An offset along both axes.
  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) {
    self.inline = inline
    self.block = block
  }
  /// The sum of two offsets.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    Self(inline: a.inline + b.inline, block: a.block + b.block)
  }
  /// The way from `b` to `a`.
  @inlinable public static func - (a: Self, b: Self) -> Self {
    Self(inline: a.inline - b.inline, block: a.block - b.block)
  }
  /// No offset.
  public static let zero = LogicalOffset()
}

/// An extent along the inline and block axes.
@frozen
public struct LogicalSize: Hashable, Sendable {
  /// Along the lines.
  public var inline: LayoutUnit
  /// Across the lines.
  public var block: LayoutUnit

  /// An extent along both axes.
  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) {
    self.inline = inline
    self.block = block
  }
  /// No extent.
  public static let zero = LogicalSize()
}

/// A rectangle in logical coordinates.
@frozen
public struct LogicalRect: Hashable, Sendable {
  /// Of the corner where both axes start.
  public var offset: LogicalOffset
  /// The extent along both axes.
  public var size: LogicalSize

  /// A rectangle by its first corner and its extent.
  @inlinable public init(offset: LogicalOffset = .zero, size: LogicalSize = .zero) {
    self.offset = offset
    self.size = size
  }
  /// The inline-end edge.
  @inlinable public var inlineEnd: LayoutUnit { offset.inline + size.inline }
  /// The block-end edge.
  @inlinable public var blockEnd: LayoutUnit { offset.block + size.block }
}

/// Four values, one for each flow-relative side of a box.
@frozen
public struct LogicalEdges: Hashable, Sendable {
  /// At the side of the first line.
  public var blockStart: LayoutUnit
  /// At the ends of lines.
  public var inlineEnd: LayoutUnit
  /// At the side of the last line.
  public var blockEnd: LayoutUnit
  /// At the starts of lines.
  public var inlineStart: LayoutUnit

  /// A value for each side, none unless told.
  @inlinable public init(
    blockStart: LayoutUnit = .zero, inlineEnd: LayoutUnit = .zero, blockEnd: LayoutUnit = .zero,
    inlineStart: LayoutUnit = .zero
  ) {
    self.blockStart = blockStart
    self.inlineEnd = inlineEnd
    self.blockEnd = blockEnd
    self.inlineStart = inlineStart
  }
  /// Of both sides along the lines.
  @inlinable public var inlineSum: LayoutUnit { inlineStart + inlineEnd }
  /// Of both sides across the lines.
  @inlinable public var blockSum: LayoutUnit { blockStart + blockEnd }
  /// The sums, side by side.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    Self(
      blockStart: a.blockStart + b.blockStart, inlineEnd: a.inlineEnd + b.inlineEnd, blockEnd: a.blockEnd + b.blockEnd,
      inlineStart: a.inlineStart + b.inlineStart)
  }
  /// Nothing at any side.
  public static let zero = LogicalEdges()
}
