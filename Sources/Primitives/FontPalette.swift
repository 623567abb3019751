/// Which palette of a colour font text takes (CSS Fonts 4, section 9.1).
public enum FontPalette: Hashable, Sendable {
  case normal, light, dark
  /// The name of `@font-palette-values` rules.
  case named(String)
}

/// The colours that a face is painted with: a palette of its `CPAL` table, and what is changed in it.
public struct PaletteSelection: Hashable, Sendable {
  public enum Base: Hashable, Sendable {
    /// A palette that the font lacks is its first.
    case index(Int)
    /// The first palette meant for a light or a dark background, else the font's first.
    case light, dark
  }
  public struct Override: Hashable, Sendable {
    public var entry: Int
    public var color: Color
    public init(entry: Int, color: Color) {
      self.entry = entry
      self.color = color
    }
  }
  public var base = Base.index(0)
  /// Of two for the same entry the later one holds.
  public var overrides: [Override] = []
  public init(base: Base = .index(0), overrides: [Override] = []) {
    self.base = base
    self.overrides = overrides
  }
}

/// What an `@font-palette-values` rule says of families (CSS Fonts 4, section 9.2).
public struct FontPaletteValues: Hashable, Sendable {
  public var name: String
  public var families: [String]
  public var selection = PaletteSelection()
  public init(name: String, families: [String]) {
    self.name = name
    self.families = families
  }
}
