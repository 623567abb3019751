import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// The room of each cluster: all that it can give up or take when its line is justified in steps, known before lines
/// are broken.
final class AdjustmentRoom {
  struct Entry {
    /// The kinds of the blank of the cluster.
    var kinds = AdjustmentKinds()
    /// The kinds of the gap after the cluster.
    var growth = AdjustmentKinds()
    /// The share of the blank that lies before the ink: none, half or all of it.
    var halvesBefore: Int8 = 0
    var blank: Advance = 0
    var em: Advance = 0
  }
  let steps: JustificationSteps
  private(set) var entries: [Entry]
  /// The room of all clusters before one.
  private var sums: [Advance]
  /// Characters before one that are no marks.
  private var letters: [Int32]

  /// - Parameter isBlankBehind: `true` if the ink of a full-width glyph lies in its first half.
  init(
    _ paragraph: InlineParagraph, _ units: UnsafeBufferPointer<UInt16>, _ steps: JustificationSteps,
    isBlankBehind: (_ cluster: Int, ShapedRun) -> Bool
  ) {
    self.steps = steps
    let shaped = paragraph.shaped
    let count = shaped.clusterCount
    entries = [Entry](repeating: Entry(), count: count)
    sums = [0]
    letters = [0]
    sums.reserveCapacity(count + 1)
    letters.reserveCapacity(count + 1)
    var spaced = 0
    for run in shaped.runs where run.level & 1 == 0 {
      let em = Advance((Double(run.size) * 65536).rounded())
      for cluster in run.clusters where cluster < count {
        while spaced < shaped.spaced.count, shaped.spaced[spaced].cluster < cluster { spaced += 1 }
        let known: SpacedCluster? =
          spaced < shaped.spaced.count && shaped.spaced[spaced].cluster == cluster ? shaped.spaced[spaced] : nil
        let next: UInt32? =
          unsafe cluster + 1 < count && shaped.clusters[cluster + 1].flags.isDisjoint(with: .ignorable)
          ? Self.scalar(units, shaped.clusters[cluster + 1]) : nil
        entries[cluster] = unsafe Self.entry(
          shaped.clusters[cluster], Self.scalar(units, shaped.clusters[cluster]), before: next, known, run, em: em,
          besideMarks: steps.opensBesideMarks)
        if steps.reducesDividingMarks, entries[cluster].kinds.isEmpty,
          unsafe AdjustableCharacter.isDividing(Self.scalar(units, shaped.clusters[cluster])),
          isBlankBehind(cluster, run)
        {
          entries[cluster].kinds = .stop
          entries[cluster].blank = em / 2
        }
      }
    }
    for cluster in 0..<count {
      sums.append(sums[cluster] + reduction(of: cluster))
      let character = unsafe AdjustableCharacter(Self.scalar(units, shaped.clusters[cluster]))
      letters.append(letters[cluster] + (character.isLetter ? 1 : 0))
    }
  }

  private static func scalar(_ units: UnsafeBufferPointer<UInt16>, _ cluster: Cluster) -> UInt32 {
    unsafe Int(cluster.text) < units.count ? UTF16Text.scalar(units, at: Int(cluster.text)).value : 0
  }

  private static func entry(
    _ cluster: Cluster, _ scalar: UInt32, before next: UInt32?, _ spaced: SpacedCluster?, _ run: ShapedRun, em: Advance,
    besideMarks: Bool
  ) -> Entry {
    var entry = Entry()
    entry.em = em
    guard cluster.flags.isDisjoint(with: [.object, .tab, .ignorable]) else { return entry }
    if !cluster.flags.isDisjoint(with: .space | .wordSeparator), scalar == 0x20 || scalar == 0xA0 {
      entry.kinds = .wordSpace
      entry.growth = .wordSpace
      entry.blank = run.fixedScale.advance(cluster.advance)
      return entry
    }
    let character = AdjustableCharacter(scalar)
    if let spaced, spaced.gap != 0 {
      entry.kinds = .mixedGap
      entry.growth = .mixedGap
      entry.blank = run.fixedScale.advance(spaced.gap)
      return entry
    }
    if let spaced, spaced.mark != .none {
      switch spaced.mark {
      case .opening:
        entry.kinds = .bracket
        entry.halvesBefore = 2
      case .closing: entry.kinds = .bracket
      case .stop, .none: entry.kinds = character.isFullStop ? .stop : .comma
      case .middle:
        entry.kinds = character == .interpunct ? .interpunct : character.isFullStop ? .stop : .comma
        entry.halvesBefore = 1
      }
      if !spaced.isTrimmed { entry.blank = em / 2 }
    }
    if let next {
      let next = AdjustableCharacter(next)
      if character.opens(before: next), besideMarks || !character.isMark && !next.isMark { entry.growth = .solid }
    }
    return entry
  }

  /// The reduction of the blank of a cluster in all.
  private func reduction(of cluster: Int) -> Advance {
    let entry = entries[cluster]
    guard entry.blank > 0, let step = steps.reductions.first(where: { !$0.kinds.isDisjoint(with: entry.kinds) }) else {
      return 0
    }
    return Swift.max(0, entry.blank - Self.advance(step.size, entry.em))
  }

  /// The gaps between clusters that open when a line of them is made wider.
  func openings(from first: Int, before last: Int) -> Int {
    guard first < last else { return 0 }
    return entries[first..<Swift.min(last, entries.count)].count { !$0.growth.isEmpty }
  }

  static func advance(_ size: Float, _ em: Advance) -> Advance {
    size == .infinity ? Advance.max / 4 : Advance((Double(size) * Double(em)).rounded())
  }

  /// The reduction of a line of the clusters `first` to `last`: the marks at its ends are a matter of the line's ends.
  func reduction(from first: Int, through last: Int) -> Advance {
    last > first + 1 ? sums[last] - sums[first + 1] : 0
  }

  /// Characters other than marks from one cluster on, before another.
  func letters(from first: Int, before end: Int) -> Int {
    first < end ? Int(letters[Swift.min(end, entries.count)] - letters[first]) : 0
  }
}

/// The class of a character for the gaps beside it (JLREQ 3.1.11; CLREQ, procedures for inter-character space
/// expansion).
enum AdjustableCharacter {
  case opening, closing, comma, fullStop, interpunct
  /// ！？ hyphens and solidus: nothing opens on either side.
  case closed
  /// Dashes and ellipses: nothing opens between two of the same.
  case repeated
  case digit, prefix, suffix
  /// An ideograph, kana or syllable.
  case letter
  case other

  init(_ scalar: UInt32) {
    switch scalar {
    case 0x3001, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF64: self = .comma
    case 0x3002, 0xFF0E, 0xFF61: self = .fullStop
    case 0xB7, 0x2027, 0x30FB, 0xFF65: self = .interpunct
    case 0xFF01, 0xFF1F, 0x203C, 0x2047...0x2049, 0x2D, 0x2F, 0x2010...0x2013, 0x301C, 0x30A0, 0xFF0D, 0xFF0F, 0xFF5E:
      self = .closed
    case 0x2014, 0x2015, 0x2025, 0x2026, 0x22EF, 0x2E3A: self = .repeated
    case 0x30...0x39, 0xFF10...0xFF19: self = .digit
    case 0x24, 0xA3, 0xA5, 0x20AC, 0x2116, 0xFF04, 0xFFE1, 0xFFE5: self = .prefix
    case 0x25, 0xB0, 0x2030, 0x2032, 0x2033, 0x2103, 0xFF05, 0xFFE0: self = .suffix
    case 0x4E00...0x9FFF: self = .letter
    default:
      let properties = CharacterProperties(scalar)
      switch properties.category {
      case .openPunctuation, .initialPunctuation: self = .opening
      case .closePunctuation, .finalPunctuation: self = .closing
      default:
        self = properties.script.isIdeographic || properties.script == .hangul ? .letter : .other
      }
    }
  }

  /// ！？
  static func isDividing(_ scalar: UInt32) -> Bool { scalar == 0xFF01 || scalar == 0xFF1F }
  var isFullStop: Bool { self == .fullStop }
  var isMark: Bool {
    switch self {
    case .opening, .closing, .comma, .fullStop, .interpunct, .closed: true
    default: false
    }
  }
  var isLetter: Bool { self == .letter }

  /// The gap to the next character may open. Letters of other scripts stay together.
  func opens(before next: AdjustableCharacter) -> Bool {
    switch self {
    case .opening, .interpunct, .closed: return false
    case .digit: if next == .suffix || next == .digit { return false }
    case .prefix: if next == .digit { return false }
    default: break
    }
    switch next {
    case .closing, .comma, .fullStop, .interpunct, .closed: return false
    case .letter: return true
    default: return self == .letter || self == .closing && next == .opening || self == .comma || self == .fullStop
    }
  }
}

/// The changes of justification in steps on one line.
struct LineChanges {
  struct Change {
    var before: Advance = 0
    var after: Advance = 0
  }
  /// The cluster of the first change.
  var first = 0
  var changes: [Change] = []
  /// A word space, or the gap between scripts, has been made more than three times as wide as it is.
  var hasLooseSpaces = false

  @inline(__always) var isEmpty: Bool { changes.isEmpty }
  @inline(__always) subscript(cluster: Int) -> Change {
    let index = cluster - first
    return index >= 0 && index < changes.count ? changes[index] : Change()
  }
}

extension LineBuilder {
  /// Makes the measured line wider by `total`, or narrower, step by step.
  ///
  /// - Returns: The characters that room has been found for.
  mutating func adjust(by total: Advance, _ room: AdjustmentRoom) -> Advance {
    let gaps = adjustableGaps(room)
    guard let first = gaps.first?.cluster, let last = gaps.last?.cluster else { return 0 }
    var moved = [Advance](repeating: 0, count: gaps.count)
    var rest = abs(total)
    looseness = 0
    for step in total < 0 ? room.steps.reductions : room.steps.expansions where rest > 0 {
      var members: [(index: Int, room: Advance)] = []
      for (index, gap) in gaps.enumerated() {
        let entry = room.entries[gap.cluster]
        let kinds = total < 0 ? gap.reduces ? entry.kinds : [] : gap.expands ? entry.growth : []
        guard !kinds.isDisjoint(with: step.kinds) else { continue }
        let size = AdjustmentRoom.advance(step.size, entry.em)
        let isBlankGap = kinds == .wordSpace || kinds == .mixedGap
        let free =
          total < 0 ? entry.blank - size : size - (isBlankGap ? entry.blank : 0) - moved[index]
        if free > 0 { members.append((index, free)) }
      }
      rest -= Self.share(rest, among: members, into: &moved)
    }
    changes = LineChanges(first: first, changes: Array(repeating: LineChanges.Change(), count: last - first + 1))
    for (index, gap) in gaps.enumerated() where moved[index] != 0 {
      if total < 0 {
        let before = moved[index] * Advance(room.entries[gap.cluster].halvesBefore) / 2
        changes.changes[gap.cluster - first] = LineChanges.Change(before: -before, after: before - moved[index])
      } else {
        let entry = room.entries[gap.cluster]
        changes.changes[gap.cluster - first].after = moved[index]
        if entry.growth == .solid, entry.em > 0 {
          looseness = Swift.max(looseness, Float(moved[index]) / Float(entry.em))
        } else if !entry.kinds.isDisjoint(with: [.wordSpace, .mixedGap]), moved[index] > 2 * entry.blank {
          changes.hasLooseSpaces = true
        }
      }
    }
    return total < 0 ? total + rest : total - rest
  }

  /// Gives the same to all members as far as each has room; what does not divide evenly is spread over the line.
  private static func share(
    _ total: Advance, among members: [(index: Int, room: Advance)], into moved: inout [Advance]
  ) -> Advance {
    var open = members
    var rest = total
    while rest > 0, !open.isEmpty {
      let each = rest / Advance(open.count)
      let full = open.filter { $0.room <= each }
      guard full.isEmpty else {
        for member in full {
          moved[member.index] += member.room
          rest -= member.room
        }
        open.removeAll { $0.room <= each }
        continue
      }
      let count = Advance(open.count)
      for (place, member) in open.enumerated() {
        let place = Advance(place)
        moved[member.index] += each + (rest % count * (place + 1) / count - rest % count * place / count)
      }
      rest = 0
    }
    return total - rest
  }

  private struct AdjustableGap {
    var cluster: Int
    var reduces: Bool
    var expands: Bool
  }

  /// The clusters of the line that its steps know, in logical order. Content before the last tab keeps its place, as do the
  /// characters of a ruby base among themselves.
  private func adjustableGaps(_ room: AdjustmentRoom) -> [AdjustableGap] {
    var gaps: [AdjustableGap] = []
    var hasContent = false
    for index in line.leaves {
      let item = line.items[index]
      switch item.kind {
      case .text where !item.isHanging && item.level & 1 == 0:
        if item.isReshaped {
          hasContent = true
          continue
        }
        let isRuby = line.boxes[item.parent].ruby.around > 0
        for cluster in item.start..<item.end where cluster < room.entries.count {
          let entry = room.entries[cluster]
          if entry.kinds.rawValue | entry.growth.rawValue != 0 {
            gaps.append(
              AdjustableGap(
                cluster: cluster, reduces: hasContent && !isRuby, expands: !isRuby || cluster == item.end - 1))
          }
          hasContent = true
        }
      case .tab:
        gaps.removeAll()
        hasContent = true
      case .object, .text: hasContent = true
      default: break
      }
    }
    // Nothing opens or gives way after the last of the content.
    if let last = line.leaves.last(where: { !line.items[$0].isHanging && line.items[$0].kind != .positioned }),
      line.items[last].kind == .text, !line.items[last].isReshaped
    {
      gaps.removeAll { $0.cluster >= line.items[last].end - 1 }
    }
    return gaps
  }
}
