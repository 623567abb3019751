import CHarfBuzz
import Fonts

/// The glyphs of characters on their way through the substitutions of a plan, as far as they can be followed.
struct GlyphForms: ~Copyable {
  /// The glyphs that the followed characters are mapped to.
  let followed: HarfBuzzSet
  /// The glyphs that they have become so far.
  let current: HarfBuzzSet
  /// Current glyphs by those that they were, where the two differ.
  private(set) var substitutes: [UInt32: UInt32] = [:]
  /// Pairs of current glyphs that are not followed side by side, the first one in the upper half.
  var pairs: Set<UInt32> = []

  init(of glyphs: consuming HarfBuzzSet) {
    current = HarfBuzzSet(copying: glyphs)
    followed = glyphs
  }

  /// Follows characters no longer whose current glyph is one of these.
  mutating func drop(_ glyphs: borrowing HarfBuzzSet) {
    let unchanged = HarfBuzzSet(copying: glyphs)
    for (original, glyph) in substitutes {
      unchanged.remove(original)
      if glyphs.contains(glyph) {
        followed.remove(original)
        substitutes[original] = nil
      }
    }
    followed.subtract(unchanged)
    current.subtract(glyphs)
  }

  /// Puts one glyph in the place of each of `input`, whatever stands beside it. Characters are dropped whose glyph has no
  /// substitute, or may not be drawn before or after.
  mutating func substitute(
    _ input: borrowing HarfBuzzSet, by glyphs: [UInt32: UInt32], where isDrawn: (UInt32) -> Bool
  ) {
    let dropped = HarfBuzzSet()
    var accepted: [UInt32: UInt32] = [:]
    for old in input.elements {
      guard current.contains(old) else { continue }
      if let new = glyphs[old], isDrawn(old), isDrawn(new) { accepted[old] = new } else { dropped.insert(old) }
    }
    drop(dropped)
    for (original, glyph) in substitutes {
      if let new = accepted[glyph] { substitutes[original] = new }
    }
    for (old, new) in accepted where substitutes[old] == nil && followed.contains(old) { substitutes[old] = new }
    for old in accepted.keys { current.remove(old) }
    for new in accepted.values { current.insert(new) }
    pairs = Set(
      pairs.map { pair in
        let (first, second) = (pair >> 16, pair & 0xFFFF)
        return (accepted[first] ?? first) << 16 | (accepted[second] ?? second)
      })
  }
}
