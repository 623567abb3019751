/// An index into one table of a chapter. Ids of different tables are different types, so they cannot be swapped.
@frozen
public struct Identifier<Tag>: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// The position in the table.
  @inlinable public var index: Int { Int(rawValue) }
  /// The id that names nothing.
  @inlinable public static var none: Self { Self(rawValue: .max) }
  @inlinable public var isNone: Bool { rawValue == .max }
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

public enum NodeTag {}
public enum AttributesTag {}
public enum ShapingAttributesTag {}
public enum BoxTag {}
public enum TextTag {}
public enum FontTag {}
public enum ImageTag {}
public enum FragmentTag {}
public enum LanguageTag {}
public enum FamilyListTag {}

/// A node of a `Document`.
public typealias NodeID = Identifier<NodeTag>
/// An interned dictionary of text attributes.
public typealias AttributeID = Identifier<AttributesTag>
/// An interned set of the attributes that decide shaping.
public typealias ShapingAttributesID = Identifier<ShapingAttributesTag>
/// A box of a `BoxTree`.
public typealias BoxID = Identifier<BoxTag>
/// The text of one inline formatting context.
public typealias TextID = Identifier<TextTag>
/// A face opened by the font library.
public typealias FontID = Identifier<FontTag>
/// An image known to the image store.
public typealias ImageID = Identifier<ImageTag>
/// A fragment of a page.
public typealias FragmentID = Identifier<FragmentTag>
