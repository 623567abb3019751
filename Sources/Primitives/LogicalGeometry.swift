/// An offset along the inline and block axes of a writing mode (CSS Writing Modes 4, section 6).
@frozen
public struct LogicalOffset: Hashable, Sendable {
  public var inline: LayoutUnit
  public var block: LayoutUnit

  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) {
    self.inline = inline
    self.block = block
  }
  @inlinable public static func + (a: Self, b: Self) -> Self {
    Self(inline: a.inline + b.inline, block: a.block + b.block)
  }
  @inlinable public static func - (a: Self, b: Self) -> Self {
    Self(inline: a.inline - b.inline, block: a.block - b.block)
  }
  public static let zero = LogicalOffset()
}

/// An extent along the inline and block axes.
@frozen
public struct LogicalSize: Hashable, Sendable {
  public var inline: LayoutUnit
  public var block: LayoutUnit

  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) {
    self.inline = inline
    self.block = block
  }
  public static let zero = LogicalSize()
}

/// A rectangle in logical coordinates.
@frozen
public struct LogicalRect: Hashable, Sendable {
  public var offset: LogicalOffset
  public var size: LogicalSize

  @inlinable public init(offset: LogicalOffset = .zero, size: LogicalSize = .zero) {
    self.offset = offset
    self.size = size
  }
  @inlinable public var inlineEnd: LayoutUnit { offset.inline + size.inline }
  @inlinable public var blockEnd: LayoutUnit { offset.block + size.block }
}

/// Four values, one for each flow-relative side of a box.
@frozen
public struct LogicalEdges: Hashable, Sendable {
  public var blockStart: LayoutUnit
  public var inlineEnd: LayoutUnit
  public var blockEnd: LayoutUnit
  public var inlineStart: LayoutUnit

  @inlinable public init(
    blockStart: LayoutUnit = .zero, inlineEnd: LayoutUnit = .zero, blockEnd: LayoutUnit = .zero,
    inlineStart: LayoutUnit = .zero
  ) {
    self.blockStart = blockStart
    self.inlineEnd = inlineEnd
    self.blockEnd = blockEnd
    self.inlineStart = inlineStart
  }
  @inlinable public var inlineSum: LayoutUnit { inlineStart + inlineEnd }
  @inlinable public var blockSum: LayoutUnit { blockStart + blockEnd }
  @inlinable public static func + (a: Self, b: Self) -> Self {
    Self(
      blockStart: a.blockStart + b.blockStart, inlineEnd: a.inlineEnd + b.inlineEnd, blockEnd: a.blockEnd + b.blockEnd,
      inlineStart: a.inlineStart + b.inlineStart)
  }
  public static let zero = LogicalEdges()
}
