/// The block flow direction and the direction of lines (CSS Writing Modes 4, section 3.2).
public enum WritingMode: UInt8, Hashable, Sendable {
  /// Lines across, the first one at the top.
  case horizontalTB
  /// Lines down, the first one at the right.
  case verticalRL
  /// Lines down, the first one at the left.
  case verticalLR
  /// Lines across, turned clockwise: the first one at the right.
  case sidewaysRL
  /// Lines across, turned counterclockwise: the first one at the left.
  case sidewaysLR

  /// Lines are horizontal.
  @inlinable public var isHorizontal: Bool { self == .horizontalTB }

  /// Lines have a central baseline, with characters upright or turned by their kind; the lines of the sideways modes
  /// are horizontal ones that lie on their side (CSS Writing Modes 4, section 4).
  @inlinable public var isCentral: Bool { self == .verticalRL || self == .verticalLR }

  /// The mode in whose coordinates the inside of a line is: from its over side to its under side. They are the block
  /// coordinates in all modes but `vertical-lr`, whose lines have their over side at their end (CSS Writing Modes 4, section 6.2).
  @inlinable public var ofLines: WritingMode { self == .verticalLR ? .verticalRL : self }

  /// The physical rectangle of a logical one of this mode in a physical one.
  public func physical(_ rect: LogicalRect, in area: Rect) -> Rect {
    let (offset, size) = (rect.offset, rect.size)
    return switch self {
    case .horizontalTB:
      Rect(x: area.x + offset.inline, y: area.y + offset.block, width: size.inline, height: size.block)
    case .verticalRL, .sidewaysRL:
      Rect(x: area.maxX - rect.blockEnd, y: area.y + offset.inline, width: size.block, height: size.inline)
    case .verticalLR:
      Rect(x: area.x + offset.block, y: area.y + offset.inline, width: size.block, height: size.inline)
    case .sidewaysLR:
      Rect(x: area.x + offset.block, y: area.maxY - rect.inlineEnd, width: size.block, height: size.inline)
    }
  }

  /// The logical rectangle of this mode for a physical one; both lie in `area`.
  public func logical(_ rect: Rect, in area: Rect) -> LogicalRect {
    let size = logical(Size(width: rect.width, height: rect.height))
    let offset: LogicalOffset =
      switch self {
      case .horizontalTB: LogicalOffset(inline: rect.x - area.x, block: rect.y - area.y)
      case .verticalRL, .sidewaysRL: LogicalOffset(inline: rect.y - area.y, block: area.maxX - rect.maxX)
      case .verticalLR: LogicalOffset(inline: rect.y - area.y, block: rect.x - area.x)
      case .sidewaysLR: LogicalOffset(inline: area.maxY - rect.maxY, block: rect.x - area.x)
      }
    return LogicalRect(offset: offset, size: size)
  }

  /// Width and height of an extent.
  @inlinable public func physical(_ size: LogicalSize) -> Size {
    isHorizontal ? Size(width: size.inline, height: size.block) : Size(width: size.block, height: size.inline)
  }
  /// The extent of a width and a height.
  @inlinable public func logical(_ size: Size) -> LogicalSize {
    isHorizontal
      ? LogicalSize(inline: size.width, block: size.height) : LogicalSize(inline: size.height, block: size.width)
  }
}

/// A physical side of a box, clockwise from the top.
package enum PhysicalSide: Int, CaseIterable, Sendable {
  case top, right, bottom, left
  /// The sides at its ends, in clockwise order.
  package var before: PhysicalSide { PhysicalSide(rawValue: (rawValue + 3) % 4) ?? .top }
  package var after: PhysicalSide { PhysicalSide(rawValue: (rawValue + 1) % 4) ?? .top }
  package var opposite: PhysicalSide { after.after }
}

extension WritingMode {
  /// The side that blocks begin at.
  package var blockStart: PhysicalSide {
    switch self {
    case .horizontalTB: .top
    case .verticalRL, .sidewaysRL: .right
    case .verticalLR, .sidewaysLR: .left
    }
  }
  /// The side that left-to-right lines begin at.
  package var lineLeft: PhysicalSide {
    switch self {
    case .horizontalTB: .left
    case .verticalRL, .sidewaysRL, .verticalLR: .top
    case .sidewaysLR: .bottom
    }
  }
  /// The side that lines of a direction begin at.
  package func inlineStart(_ direction: TextDirection) -> PhysicalSide {
    direction == .ltr ? lineLeft : lineLeft.opposite
  }
}

/// The inline base direction (CSS Writing Modes 4, section 2.1).
public enum TextDirection: UInt8, Hashable, Sendable {
  /// From left to right; from the top in vertical modes.
  case ltr
  /// From right to left; from the bottom in vertical modes.
  case rtl
}
