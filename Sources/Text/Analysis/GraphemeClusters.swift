/// Extended grapheme clusters (UAX #29, section 3), conjuncts of Indic scripts kept together as of Unicode 15.1 (GB9c).
public enum GraphemeClusters {
  // Grapheme_Cluster_Break values as ICU numbers them.
  @usableFromInline static var control: UInt8 { 1 }
  @usableFromInline static var cr: UInt8 { 2 }
  @usableFromInline static var extend: UInt8 { 3 }
  @usableFromInline static var l: UInt8 { 4 }
  @usableFromInline static var lf: UInt8 { 5 }
  @usableFromInline static var lv: UInt8 { 6 }
  @usableFromInline static var lvt: UInt8 { 7 }
  @usableFromInline static var t: UInt8 { 8 }
  @usableFromInline static var v: UInt8 { 9 }
  @usableFromInline static var spacingMark: UInt8 { 10 }
  @usableFromInline static var prepend: UInt8 { 11 }
  @usableFromInline static var regionalIndicator: UInt8 { 12 }
  @usableFromInline static var zwj: UInt8 { 17 }
  // Indic_Conjunct_Break, beyond ICU's values.
  @usableFromInline static var consonant: UInt8 { 30 }
  @usableFromInline static var linker: UInt8 { 31 }

  /// The state between two characters.
  public struct State {
    @usableFromInline var previous: UInt8 = 255
    @usableFromInline var regionalIndicators = 0
    /// 1 after a pictograph and its extenders, 2 after a joiner that follows those (GB11).
    @usableFromInline var pictograph: UInt8 = 0
    /// 1 after an Indic consonant and its extenders, 2 when a linker is among those (GB9c).
    @usableFromInline var conjunct: UInt8 = 0

    @inlinable public init() {}

    /// A cluster starts at the next character.
    @inlinable @inline(__always)
    public mutating func startsCluster(_ properties: CharacterProperties) -> Bool {
      // Ordinary characters beside each other.
      if properties.graphemeBreak == 0, previous == 0, !properties.isExtendedPictographic {
        pictograph = 0
        conjunct = 0
        return true
      }
      return decide(properties)
    }

    @usableFromInline
    mutating func decide(_ properties: CharacterProperties) -> Bool {
      let current = properties.graphemeBreak
      let starts = isBoundary(before: current, properties)
      if current == GraphemeClusters.regionalIndicator {
        regionalIndicators = previous == GraphemeClusters.regionalIndicator ? regionalIndicators + 1 : 1
      }
      if properties.isExtendedPictographic {
        pictograph = 1
      } else if current == GraphemeClusters.zwj {
        pictograph = pictograph == 1 ? 2 : 0
      } else if current != GraphemeClusters.extend && current != GraphemeClusters.linker || pictograph == 2 {
        pictograph = 0
      }
      switch current {
      case GraphemeClusters.consonant: conjunct = 1
      case GraphemeClusters.linker: if conjunct == 1 { conjunct = 2 }
      // The zero width non-joiner keeps consonants apart.
      case GraphemeClusters.extend: if properties.category == .format { conjunct = 0 }
      case GraphemeClusters.zwj: break
      default: conjunct = 0
      }
      previous = current
      return starts
    }

    private func isBoundary(before current: UInt8, _ properties: CharacterProperties) -> Bool {
      typealias G = GraphemeClusters
      switch previous {
      case 255: return true
      case G.cr: return current != G.lf
      case G.control, G.lf: return true
      default: break
      }
      switch current {
      case G.control, G.cr, G.lf: return true
      case G.extend, G.linker, G.zwj, G.spacingMark: return false
      case G.consonant where conjunct == 2: return false
      default: break
      }
      switch previous {
      case G.prepend: return false
      case G.l where current == G.l || current == G.v || current == G.lv || current == G.lvt: return false
      case G.lv where current == G.v || current == G.t, G.v where current == G.v || current == G.t: return false
      case G.lvt where current == G.t, G.t where current == G.t: return false
      case G.zwj where pictograph == 2 && properties.isExtendedPictographic: return false
      case G.regionalIndicator where current == G.regionalIndicator: return regionalIndicators & 1 == 0
      default: return true
      }
    }
  }

  /// Calls `body` with the offset of each cluster's first unit.
  @inline(__always)
  public static func forEachBoundary(in units: Span<UInt16>, _ body: (Int) -> Void) {
    var state = State()
    var index = 0
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      if state.startsCluster(CharacterProperties(scalar)) { body(index) }
      index += length
    }
  }

  /// The end of the cluster that starts at `start`.
  public static func end(of start: Int, in units: Span<UInt16>) -> Int {
    var state = State()
    var index = start
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      if state.startsCluster(CharacterProperties(scalar)), index > start { return index }
      index += length
    }
    return units.count
  }
}
