package import Primitives

/// The faces of a `font-family` list that exist, in order: what a run tries before any fallback.
package final class FontCascade: Sendable {
  /// A face and the characters it may be used for.
  package struct Entry: Sendable {
    package let face: FontFace
    /// The rule's `unicode-range`; empty for all characters.
    package let unicodeRanges: [ClosedRange<UInt32>]

    /// Whether the entry draws the character.
    package func covers(_ scalar: UInt32) -> Bool {
      (unicodeRanges.isEmpty || unicodeRanges.contains { $0.contains(scalar) }) && face.covers(scalar)
    }
  }

  /// The cascade's place in its book's table; equal descriptions and languages give the same one.
  package let index: Int
  package let description: FontDescription
  package let language: String?
  package let entries: [Entry]
  /// The first available font (CSS Fonts 4, section 5.2): the first that may draw the space. It gives line metrics.
  package let primary: FontFace
  /// The generic family nearest to the list; decides the fallback chain.
  package let generic: GenericFamily

  init(
    index: Int, description: FontDescription, language: String?, entries: [Entry], primary: FontFace,
    generic: GenericFamily
  ) {
    self.index = index
    self.description = description
    self.language = language
    self.entries = entries
    self.primary = primary
    self.generic = generic
  }

  /// The first face of the list that draws a character.
  package func face(covering scalar: UInt32) -> FontFace? { entries.first { $0.covers(scalar) }?.face }
}
