/// Palette of a colour font that text takes (CSS Fonts 4, section 9.1).
package enum FontPalette: Hashable, Sendable {
  case normal, light, dark
  /// The name of `@font-palette-values` rules.
  case named(String)
}

/// The colours that a face is painted with: a palette of its `CPAL` table, and what is changed in it.
package struct PaletteSelection: Hashable, Sendable {
  /// The palette that is taken.
  package enum Base: Hashable, Sendable {
    /// A palette that the font lacks is its first.
    case index(Int)
    /// The first palette meant for a light or a dark background, else the font's first.
    case light, dark
  }
  /// A colour that takes the place of an entry's.
  package struct Override: Hashable, Sendable {
    /// The entry's number in the palette.
    package var entry: Int
    /// The colour it gets.
    package var color: Color
    /// A colour for an entry.
    package init(entry: Int, color: Color) {
      self.entry = entry
      self.color = color
    }
  }
  /// The palette before anything is changed in it.
  package var base = Base.index(0)
  /// Of two for the same entry the later one holds.
  package var overrides: [Override] = []
  /// A palette with changes.
  package init(base: Base = .index(0), overrides: [Override] = []) {
    self.base = base
    self.overrides = overrides
  }
}

/// The palette that an `@font-palette-values` rule defines for families (CSS Fonts 4, section 9.2).
package struct FontPaletteValues: Hashable, Sendable {
  /// The name by which `font-palette` asks for it, with its dashes.
  package var name: String
  /// The families it is for.
  package var families: [String]
  /// The colours it gives them.
  package var selection = PaletteSelection()
  /// A rule that changes nothing yet.
  package init(name: String, families: [String]) {
    self.name = name
    self.families = families
  }
}
