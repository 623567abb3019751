/// An index into one table of a chapter. Ids of different tables are different types, so they cannot be swapped.
@frozen
public struct Identifier<Tag>: RawRepresentable, Hashable, Comparable, Sendable {
  /// The position in the table; the largest value names nothing.
  public var rawValue: UInt32
  /// The id of a position in the table.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The id of a position in the table, which has to be less than 2^32 - 1.
  @inlinable public init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// The position in the table.
  @inlinable public var index: Int { Int(rawValue) }
  /// The id that names nothing.
  @inlinable public static var none: Self { Self(rawValue: .max) }
  /// The identifier names nothing.
  @inlinable public var isNone: Bool { rawValue == .max }
  /// The identifier `a` comes before `b` in the table.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Tells ids of nodes from others.
public enum NodeTag {}
/// Tells ids of dictionaries of text attributes from others.
package enum AttributesTag {}
/// Tells ids of attributes that decide shaping from others.
package enum ShapingAttributesTag {}
/// Tells ids of boxes from others.
package enum BoxTag {}
/// Tells ids of texts from others.
package enum TextTag {}
/// Tells ids of faces from others.
public enum FontTag {}
/// Tells ids of images from others.
public enum ImageTag {}
/// Tells ids of fragments from others.
package enum FragmentTag {}
/// Tells ids of languages from others.
package enum LanguageTag {}
/// Tells ids of lists of families from others.
package enum FamilyListTag {}

/// A node of a `Document`.
public typealias NodeID = Identifier<NodeTag>
/// An interned dictionary of text attributes.
package typealias AttributeID = Identifier<AttributesTag>
/// An interned set of the attributes that decide shaping.
package typealias ShapingAttributesID = Identifier<ShapingAttributesTag>
/// A box of a `BoxTree`.
package typealias BoxID = Identifier<BoxTag>
/// The text of one inline formatting context.
package typealias TextID = Identifier<TextTag>
/// A face opened by the font library.
public typealias FontID = Identifier<FontTag>
/// An image known to the image store.
public typealias ImageID = Identifier<ImageTag>
/// A fragment of a page.
package typealias FragmentID = Identifier<FragmentTag>
