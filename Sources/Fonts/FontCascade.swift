import Platform
package import Primitives
import Synchronization

/// The faces of a `font-family` list that exist, in order: what a run tries before any fallback.
///
/// Most texts need no face behind the first that has the space, so those behind it are looked up when they are asked for.
package final class FontCascade: Sendable {
  /// A face and the characters it may be used for.
  package struct Entry: Sendable {
    package let face: FontFace
    /// The rule's `unicode-range`; empty for all characters.
    package let unicodeRanges: [ClosedRange<UInt32>]

    /// The descriptor `unicode-range` lets the entry draw the space, which it need not have (CSS Fonts 4, section 5.2).
    var mayDrawSpace: Bool { unicodeRanges.isEmpty || unicodeRanges.contains { $0.contains(0x20) } }

    /// The entry draws the character.
    package func covers(_ scalar: UInt32) -> Bool {
      (unicodeRanges.isEmpty || unicodeRanges.contains { $0.contains(scalar) }) && face.covers(scalar)
    }
  }

  /// The cascade's place in its book's table; equal descriptions and languages give the same one.
  package let index: Int
  package let description: FontDescription
  package let language: String?
  /// The entries down to the first available font.
  package let leading: [Entry]
  private let findRest: @Sendable () -> [Entry]
  private let rest = Lock<[Entry]?>(nil)
  /// The first available font (CSS Fonts 4, section 5.2): the first that may draw the space. It gives line metrics.
  package let primary: FontFace
  /// The generic family nearest to the list; decides the fallback chain.
  package let generic: GenericFamily

  init(
    index: Int, description: FontDescription, language: String?, leading: [Entry], primary: FontFace,
    generic: GenericFamily, rest: @escaping @Sendable () -> [Entry]
  ) {
    self.index = index
    self.description = description
    self.language = language
    self.leading = leading
    self.primary = primary
    self.generic = generic
    findRest = rest
  }

  /// The entries behind the first available font.
  private var behind: [Entry] {
    if let known = rest.withLock({ $0 }) { return known }
    let found = findRest()
    rest.withLock { $0 = found }
    return found
  }

  /// All entries in order.
  package var entries: [Entry] { leading + behind }

  /// The first entry that fulfils a condition.
  package func first(where condition: (Entry) -> Bool) -> Entry? {
    leading.first(where: condition) ?? behind.first(where: condition)
  }

  /// The first face of the list that draws a character.
  package func face(covering scalar: UInt32) -> FontFace? { first { $0.covers(scalar) }?.face }

  /// The face that lengths in the advance of a character are measured in: the first that draws it (CSS Values 4,
  /// section 6.1.1), or the first available font where none does.
  package func face(measuring scalar: UInt32) -> FontFace {
    face(covering: scalar) ?? primary
  }

  /// The face is one of the list.
  package func contains(_ face: FontFace) -> Bool { first { $0.face === face } != nil }
}
