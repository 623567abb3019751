/// The size of a font before the reader's base size is known: `rootFactor` times the root font size, plus `pixels`.
///
/// Keeping both parts lets a reader change the base size without restyling (`em`, `rem`, `%` and keywords scale
/// `rootFactor`; absolute lengths go into `pixels`).
package struct FontSize: Hashable, Sendable {
  /// The factor of the root element's font size.
  package var rootFactor: Float
  /// CSS px that are added.
  package var pixels: Float
  /// The size of the root element, unless told otherwise.
  @inlinable package init(rootFactor: Float = 1, pixels: Float = 0) {
    self.rootFactor = rootFactor
    self.pixels = pixels
  }
  /// The size in CSS px, never negative.
  @inlinable package func resolved(rootFontSize: Float) -> Float { Swift.max(0, rootFactor * rootFontSize + pixels) }
  /// A multiple of the size, as `em` and percentages ask for.
  @inlinable package func scaled(by factor: Float) -> FontSize {
    FontSize(rootFactor: rootFactor * factor, pixels: pixels * factor)
  }
}

/// The slope of a face (CSS Fonts 4, section 2.4).
package enum FontSlant: UInt8, Hashable, Sendable { case normal, italic, oblique }

/// A generic family (CSS Fonts 4, section 2.1.2).
package enum GenericFamily: UInt8, Hashable, Sendable, CaseIterable {
  case serif, sansSerif, monospace, cursive, fantasy, systemUI, math, emoji, fangsong
}

/// One entry of a `font-family` list.
package enum FontFamily: Hashable, Sendable {
  case named(String)
  case generic(GenericFamily)
}

/// An OpenType feature or variation axis setting.
package struct FontSetting: Hashable, Sendable {
  /// The four-byte tag, first byte highest.
  package var tag: UInt32
  /// The feature's alternative, 0 for off, or the place on the axis.
  package var value: Float
  /// A setting by tag.
  package init(tag: UInt32, value: Float) {
    self.tag = tag
    self.value = value
  }
}

extension UInt32 {
  /// The number of an OpenType tag, the first of its four bytes highest.
  @inlinable package init(tag: String) { self = tag.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// The measures of its face that an `@font-face` rule overrides (CSS Fonts 5, section 4), as shares of the font size.
package struct FontAdjustments: Hashable, Sendable {
  /// `size-adjust`: scales glyphs and measures.
  package var size: Float = 1
  /// Nil is `normal`: the face's own.
  package var ascent: Float?
  /// Nil is `normal`: the face's own.
  package var descent: Float?
  /// Nil is `normal`: the face's own.
  package var lineGap: Float?
  /// No adjustments.
  package init() {}
}

/// The query of the font library: everything of CSS Fonts 4 that chooses faces, without the size.
package struct FontDescription: Hashable, Sendable {
  /// Families in the order of preference.
  package var families: [FontFamily]
  /// 1 to 1000.
  package var weight: UInt16
  /// Upright, italic or oblique.
  package var slant: FontSlant
  /// Degrees to the right, where `slant` is oblique.
  package var obliqueAngle: Float
  /// Degrees of `oblique` without an angle (CSS Fonts 4, section 2.4).
  package static let defaultObliqueAngle: Float = 14
  /// Percent, 50 to 200.
  package var stretch: Float
  /// `font-synthesis-weight`: bold may be synthesised.
  package var synthesizesWeight: Bool
  /// `font-synthesis-style`: oblique may be synthesised.
  package var synthesizesStyle: Bool
  /// Places on variation axes (`font-variation-settings`).
  package var variations: [FontSetting]
  /// The size in CSS px that faces with an optical size axis are drawn for; nil leaves them at their default.
  package var opticalSize: Float?
  /// The palette that is taken of a colour font.
  package var palette = FontPalette.normal
  /// A regular serif face, unless told otherwise.
  package init(
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
