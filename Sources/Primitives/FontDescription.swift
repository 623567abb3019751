/// The size of a font before the reader's base size is known: `rootFactor` times the root font size, plus `pixels`.
///
/// Keeping both parts lets a reader change the base size without restyling (`em`, `rem`, `%` and keywords scale
/// `rootFactor`; absolute lengths go into `pixels`).
@frozen
public struct FontSize: Hashable, Sendable {
  public var rootFactor: Float
  public var pixels: Float
  @inlinable public init(rootFactor: Float = 1, pixels: Float = 0) {
    self.rootFactor = rootFactor
    self.pixels = pixels
  }
  @inlinable public func resolved(rootFontSize: Float) -> Float { Swift.max(0, rootFactor * rootFontSize + pixels) }
  @inlinable public func scaled(by factor: Float) -> FontSize {
    FontSize(rootFactor: rootFactor * factor, pixels: pixels * factor)
  }
}

/// The slope of a face (CSS Fonts 4, section 2.4).
public enum FontSlant: UInt8, Hashable, Sendable { case normal, italic, oblique }

/// A generic family (CSS Fonts 4, section 2.1.2).
public enum GenericFamily: UInt8, Hashable, Sendable, CaseIterable {
  case serif, sansSerif, monospace, cursive, fantasy, systemUI, math, emoji, fangsong
}

/// One entry of a `font-family` list.
public enum FontFamily: Hashable, Sendable {
  case named(String)
  case generic(GenericFamily)
}

/// An OpenType feature or variation axis setting.
public struct FontSetting: Hashable, Sendable {
  /// The four-byte tag, first byte highest.
  public var tag: UInt32
  public var value: Float
  public init(tag: UInt32, value: Float) {
    self.tag = tag
    self.value = value
  }
}

/// What an `@font-face` rule changes in the measures of its face (CSS Fonts 5, section 4), as shares of the font size.
public struct FontAdjustments: Hashable, Sendable {
  /// `size-adjust`: scales glyphs and measures.
  public var size: Float = 1
  /// Nil is `normal`: the face's own.
  public var ascent: Float?
  public var descent: Float?
  public var lineGap: Float?
  public init() {}
}

/// What to ask the font library for: everything of CSS Fonts 4 that chooses faces, without the size.
public struct FontDescription: Hashable, Sendable {
  public var families: [FontFamily]
  /// 1 to 1000.
  public var weight: UInt16
  public var slant: FontSlant
  /// Degrees to the right, where `slant` is oblique.
  public var obliqueAngle: Float
  /// Degrees of `oblique` without an angle (CSS Fonts 4, section 2.4).
  public static let defaultObliqueAngle: Float = 14
  /// Percent, 50 to 200.
  public var stretch: Float
  /// Whether bold may be synthesised.
  public var synthesizesWeight: Bool
  /// Whether oblique may be synthesised.
  public var synthesizesStyle: Bool
  public var variations: [FontSetting]
  /// The size in CSS px that faces with an optical size axis are drawn for; nil leaves them at their default.
  public var opticalSize: Float?
  public var palette = FontPalette.normal
  public init(
    families: [FontFamily] = [.generic(.serif)], weight: UInt16 = 400, slant: FontSlant = .normal,
    obliqueAngle: Float = FontDescription.defaultObliqueAngle, stretch: Float = 100,
    synthesizesWeight: Bool = true, synthesizesStyle: Bool = true, variations: [FontSetting] = [],
    opticalSize: Float? = nil
  ) {
    self.families = families
    self.weight = weight
    self.slant = slant
    self.obliqueAngle = obliqueAngle
    self.stretch = stretch
    self.synthesizesWeight = synthesizesWeight
    self.synthesizesStyle = synthesizesStyle
    self.variations = variations
    self.opticalSize = opticalSize
  }
}
