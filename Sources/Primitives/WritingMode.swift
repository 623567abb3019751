/// The block flow direction and the direction of lines (CSS Writing Modes 4, section 3.2).
public enum WritingMode: UInt8, Hashable, Sendable {
  case horizontalTB, verticalRL, verticalLR, sidewaysRL, sidewaysLR

  @inlinable public var isHorizontal: Bool { self == .horizontalTB }
}

/// The inline base direction (CSS Writing Modes 4, section 2.1).
public enum TextDirection: UInt8, Hashable, Sendable {
  case ltr, rtl
}
